package normalise

import (
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// pattern is what memory holds that is copied or filled: scalars that repeat every
// period bytes. Copies move those scalars, because arrays in hardware have elements
// and no bytes.
type pattern struct {
	parts  []part
	period int64
}

// maxPeriod bounds the size of what repeats, maxUnrolled the scalars of one record that
// are copied without a loop, maxStraight those of several.
const (
	maxPeriod   = 1024
	maxUnrolled = 16
	maxStraight = 4
)

// patternOf is the pattern of a type that repeats from an address on.
func patternOf(t *llvm.Type) *pattern {
	for t.Kind == llvm.Array || t.Kind == llvm.StructType && len(t.Fields) == 1 {
		if t.Kind == llvm.Array {
			t = t.Elem
		} else {
			t = t.Fields[0]
		}
	}
	if t.Kind == llvm.Void || t.Kind == llvm.Other || t.Size() == 0 || t.Size() > maxPeriod {
		return nil
	}
	ps := flatten(nil, t, 0)
	if len(ps) == 0 || !onBytes(ps) {
		return nil
	}
	return &pattern{ps, t.Size()}
}

// number is the pattern of an array of integers of some bytes.
func numbers(bytes int64) *pattern {
	n := int(bytes * 8)
	return &pattern{[]part{{ir.Int(n), n, 0}}, bytes}
}

// from is the pattern seen from an address some bytes behind its start.
func (p *pattern) from(offset int64) *pattern {
	if p == nil {
		return nil
	}
	offset = ((offset % p.period) + p.period) % p.period
	if offset == 0 {
		return p
	}
	out := &pattern{period: p.period}
	for _, q := range p.parts {
		q.at -= offset * 8
		if q.at < 0 {
			if q.at+int64(q.bits) > 0 {
				return nil // the address is inside a scalar
			}
			q.at += p.period * 8
		}
		out.parts = append(out.parts, q)
	}
	// In the order of their offsets.
	for i := 1; i < len(out.parts); i++ {
		for j := i; j > 0 && out.parts[j].at < out.parts[j-1].at; j-- {
			out.parts[j], out.parts[j-1] = out.parts[j-1], out.parts[j]
		}
	}
	return out
}

// first is the pattern of the first scalar alone.
func (p *pattern) first() *pattern {
	if q := p.parts[0]; q.at == 0 {
		return &pattern{[]part{q}, int64(q.bits+7) / 8}
	}
	return numbers(1) // padding
}

// over lists the scalars in a stretch of n bytes; ok is false where it ends inside one.
func (p *pattern) over(n int64) (out []part, ok bool) {
	for start := int64(0); start < n; start += p.period {
		for _, q := range p.parts {
			q.at += start * 8
			if q.at >= n*8 {
				continue
			}
			if q.at+int64(q.bits) > n*8 {
				return nil, false
			}
			out = append(out, q)
		}
	}
	return out, true
}

// memoryPattern finds out what is stored at an address: from the type of the variable,
// from the loads and stores of the function, from the debug information.
func (m *memory) pattern(ptr *ir.Value) *pattern {
	root, offset, known := rootOf(ptr)
	p := m.rootPattern(root)
	if p == nil {
		return nil
	}
	if !known {
		if len(p.parts) == 1 {
			return p // some element
		}
		// A variable index is taken to step by whole elements.
		return p.from(offset)
	}
	return p.from(offset)
}

// rootOf follows an address to the pointer that it is derived from, with the constant
// part of the distance; known is false where another part is variable.
func rootOf(ptr *ir.Value) (root *ir.Value, offset int64, known bool) {
	known = true
	for n := 0; n < 100 && ptr.Def != nil && ptr.Def.Name == opname.LLVMGetElementPtr; n++ {
		o, ok := gepOffset(ptr.Def)
		offset += o
		known = known && ok
		ptr = ptr.Def.Operand(0)
	}
	return ptr, offset, known
}

// gepOffset is the distance in bytes that a getelementptr adds for its constant
// indices; ok is false where it has others.
func gepOffset(o *ir.Operation) (offset int64, ok bool) {
	ta, isType := o.Attr("elem_type").(*ir.TypeAttr)
	if !isType {
		return 0, false
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		return 0, false
	}
	ok = true
	next := 1
	for i, raw := range segments(o, "rawConstantIndices") {
		index, constant := raw, true
		if raw == -1<<31 {
			index, constant = 0, false
			if next < o.NumOperands() {
				index, constant = constValue(o.Operand(next))
				next++
			}
		}
		ok = ok && constant
		switch {
		case i == 0:
			offset += index * t.Size()
		case t.Kind == llvm.StructType:
			if !constant || index < 0 || int(index) >= len(t.Fields) {
				return offset, false
			}
			offset += t.Offset(int(index))
			t = t.Fields[index]
		case t.Kind == llvm.Array || t.Kind == llvm.Vector:
			t = t.Elem
			offset += index * t.Size()
		default:
			return offset, false
		}
	}
	return offset, ok
}

// rootPattern is the pattern of the memory behind a pointer that is derived from none.
func (m *memory) rootPattern(root *ir.Value) *pattern {
	if p, ok := m.roots[root]; ok {
		return p
	}
	m.roots[root] = nil // while it is computed
	p := m.declared(root)
	if p == nil {
		p = m.described(root)
	}
	if p == nil {
		p = m.accessed(root)
	}
	m.roots[root] = p
	return p
}

// declared is the pattern of a variable's type.
func (m *memory) declared(root *ir.Value) *pattern {
	var a ir.Attr
	switch {
	case root.Def == nil:
		a = nil
		for i, v := range m.kernel.op.Regions[0].Entry().Args {
			if v == root {
				if t := byValType(m.kernel.op, i); t != nil {
					a = &ir.TypeAttr{Type: t}
				}
			}
		}
	case root.Def.Name == opname.LLVMAlloca:
		a = root.Def.Attr("elem_type")
	case root.Def.Name == opname.LLVMMlirAddressOf:
		if s, ok := root.Def.Attr("global_name").(*ir.SymbolRefAttr); ok {
			if g := m.global(s.Root); g != nil {
				a = g.Attr("global_type")
			}
		}
	}
	ta, ok := a.(*ir.TypeAttr)
	if !ok {
		return nil
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		return nil
	}
	p := patternOf(t)
	if p != nil && len(p.parts) == 1 && p.period == 1 {
		// Bytes: a union or untyped memory, if it is accessed otherwise.
		if q := m.accessed(root); q != nil {
			return q
		}
	}
	return p
}

// described is the pattern of the pointee according to the debug information.
func (m *memory) described(root *ir.Value) *pattern {
	for _, u := range root.Uses() {
		if u.Op.Name != opname.LLVMIntrDbgValue || m.debug == nil {
			continue
		}
		v := m.debug.Entry(u.Op.Attr("varInfo"))
		if v == nil {
			continue
		}
		t := bare(v.Ref("type"))
		if t == nil || !isPointer(t) {
			continue
		}
		if l := layout(t.Ref("baseType"), 0); l != nil {
			return patternOf(l)
		}
	}
	return nil
}

func isPointer(t *llvm.Entry) bool {
	switch t.Tag() {
	case "pointer_type", "reference_type", "rvalue_reference_type":
		return true
	}
	return false
}

// bare looks through typedefs and qualifiers.
func bare(e *llvm.Entry) *llvm.Entry {
	for n := 0; e != nil && n < 50; n++ {
		switch e.Tag() {
		case "typedef", "const_type", "volatile_type", "restrict_type", "atomic_type":
			e = e.Ref("baseType")
			continue
		}
		break
	}
	return e
}

// layout is a described type as LLVM's, nil where that is not known.
func layout(e *llvm.Entry, depth int) *llvm.Type {
	e = bare(e)
	if e == nil || depth > 20 {
		return nil
	}
	bits := int(e.Num("sizeInBits"))
	switch {
	case e.Kind == "basic_type":
		switch e.Values["encoding"] {
		case "DW_ATE_float":
			if bits == 32 || bits == 64 {
				return &llvm.Type{Kind: llvm.Float, Width: bits, Name: ir.Float("f" + itoa(bits)).Name}
			}
			return nil
		}
		if bits == 8 || bits == 16 || bits == 32 || bits == 64 {
			return &llvm.Type{Kind: llvm.Int, Width: bits}
		}
	case isPointer(e):
		return &llvm.Type{Kind: llvm.Ptr, Width: 64}
	case e.Tag() == "enumeration_type" && bits > 0:
		return &llvm.Type{Kind: llvm.Int, Width: bits}
	case e.Tag() == "array_type":
		elem := layout(e.Ref("baseType"), depth+1)
		if elem != nil {
			return &llvm.Type{Kind: llvm.Array, Elem: elem, Len: 1}
		}
	case e.Tag() == "structure_type" || e.Tag() == "class_type":
		t := &llvm.Type{Kind: llvm.StructType}
		for _, f := range e.Refs("elements") {
			if f == nil || f.Tag() != "member" {
				return nil
			}
			l := layoutOfMember(f, depth+1)
			if l == nil {
				return nil
			}
			t.Fields = append(t.Fields, l)
		}
		if len(t.Fields) > 0 && t.Size()*8 == int64(bits) {
			return t
		}
	}
	return nil
}

// layoutOfMember is that of a field, with the length of an array.
func layoutOfMember(f *llvm.Entry, depth int) *llvm.Type {
	e := bare(f.Ref("baseType"))
	l := layout(e, depth)
	if l != nil && l.Kind == llvm.Array && l.Elem.Size() > 0 {
		l = &llvm.Type{Kind: llvm.Array, Elem: l.Elem, Len: e.Num("sizeInBits") / 8 / l.Elem.Size()}
	}
	return l
}

// accessed is the pattern of the loads and stores through a pointer, where they agree.
func (m *memory) accessed(root *ir.Value) *pattern {
	var found ir.Type
	agree := true
	note := func(t ir.Type) {
		if found != nil && width(found) != width(t) {
			agree = false
		}
		if found == nil || ir.IsFloat(t) {
			found = t
		}
	}
	seen := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] || len(seen) > 10000 {
			return
		}
		seen[v] = true
		for _, u := range v.Uses() {
			switch u.Op.Name {
			case opname.LLVMGetElementPtr:
				if u.Index == 0 {
					visit(u.Op.Result(0))
				}
			case opname.LLVMLoad:
				note(u.Op.Result(0).Type)
			case opname.LLVMStore:
				if u.Index == 1 {
					note(u.Op.Operand(0).Type)
				}
			case opname.LLVMBr, opname.LLVMCondBr:
				for i, list := range targets(u.Op) {
					for k, a := range list {
						if a == v {
							visit(u.Op.Succs[i].Block.Args[k])
						}
					}
				}
			}
		}
	}
	visit(root)
	if found == nil || !agree || width(found)%8 != 0 {
		return nil
	}
	t, err := llvm.Parse(found)
	if err != nil || hasParts(t) {
		return nil
	}
	return patternOf(t)
}
