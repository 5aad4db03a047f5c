package lift

import (
	"fmt"
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/dialect/arith"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// place is where an address in a local variable may be.
type place struct {
	lo, hi int64  // the bytes that it is between
	in     []span // if set, arrays in one of which it is instead
}

// placeOf is the place of an address that a getelementptr makes of one at a place in a variable of a type; ok is false where nothing bounds it.
func (r *lifter) placeOf(gep *ir.Operation, at place, of *llvm.Type) (place, bool) {
	steps, ok := gepSteps(gep)
	if !ok || at.in != nil {
		return at, ok // a distance from an element stays within the array
	}
	for i, s := range steps {
		lo, hi, ok := r.boundsOfSum(s.index, gep.Block())
		lo, ok1 := intmath.Mul(lo, s.bytes)
		hi, ok2 := intmath.Mul(hi, s.bytes)
		if s.index.IsConst() || ok && ok1 && ok2 && s.array == nil {
			var ok3, ok4 bool
			at.lo, ok3 = intmath.Add(at.lo, lo)
			at.hi, ok4 = intmath.Add(at.hi, hi)
			if ok1 && ok2 && ok3 && ok4 {
				continue
			}
			return at, false
		}
		array := s.array
		if i == 0 { // rows of an array of arrays
			ta, _ := gep.Attr("elem_type").(*ir.TypeAttr)
			if array = llvm.MustParse(ta.Type); array.Kind != llvm.Array {
				return at, false
			}
		}
		if of == nil || of.Kind != llvm.StructType {
			return at, false
		}
		var all []span
		for _, f := range arraysWith(nil, of, array, 0) {
			if at.lo == at.hi && f.from == at.lo {
				all = []span{f}
				break
			}
			all = append(all, f)
		}
		return place{in: all}, len(all) > 0
	}
	return at, true
}

// placeIn is where a pointer into a root points to, the first record of which has a type; ok is false where nothing bounds it.
func (r *lifter) placeIn(v *ir.Value, o *root, of *llvm.Type, depth int) (at place, ok bool) {
	p := r.at(v)
	if len(p.roots) != 1 || p.roots[0] != o || p.sel != nil || depth > maxDepth {
		return at, false
	}
	if p.lin.IsConst() {
		return place{lo: p.lin.C, hi: p.lin.C}, true
	}
	if v.Def == nil || v.Def.Name != opname.LLVMGetElementPtr {
		return at, false
	}
	if at, ok = r.placeIn(v.Def.Operand(0), o, of, depth+1); !ok {
		return at, false
	}
	return r.placeOf(v.Def, at, of)
}

// layout is a type as the IR has it, nil where that is not known.
func (c *ctype) layout() *llvm.Type {
	switch c.kind {
	case cInt:
		return &llvm.Type{Kind: llvm.Int, Width: int(c.size) * 8}
	case cFloat:
		return &llvm.Type{Kind: llvm.Float, Width: int(c.size) * 8, Name: ir.Float(fmt.Sprintf("f%d", c.size*8)).Name}
	case cPointer:
		return &llvm.Type{Kind: llvm.Ptr, Width: 64}
	case cArray:
		if elem := c.elem.layout(); elem != nil && c.count >= 0 {
			return &llvm.Type{Kind: llvm.Array, Elem: elem, Len: c.count}
		}
	case cStruct:
		t := &llvm.Type{Kind: llvm.StructType}
		for _, f := range c.fields {
			in := f.typ.layout()
			if in == nil {
				return nil
			}
			if t.Fields = append(t.Fields, in); t.Offset(len(t.Fields)-1) != f.offset {
				return nil
			}
		}
		if t.Size() == c.size {
			return t
		}
	}
	return nil
}

// open reports whether a type ends with an array of one element or none, behind which programs of before C99 have as many as they allocate.
func (c *ctype) open() bool {
	switch {
	case c.kind == cArray:
		return c.count <= 1 || c.elem.open()
	case c.kind == cStruct && len(c.fields) > 0:
		return c.fields[len(c.fields)-1].typ.open()
	}
	return false
}

// arrayAround is the outermost array in a type that begins at a byte that holds all of a span, nil where there is none.
func (c *ctype) arrayAround(s span, at int64) *span {
	switch {
	case s.from < at || s.to > at+c.size:
	case c.kind == cArray:
		return &span{at, at + c.size}
	default:
		for _, f := range c.fields {
			if in := f.typ.arrayAround(s, at+f.offset); in != nil {
				return in
			}
		}
	}
	return nil
}

// pathTo names the part of a type that a span is.
func (c *ctype) pathTo(s span) string {
	for _, f := range c.fields {
		inside := span{s.from - f.offset, s.to - f.offset}
		if inside == (span{0, f.typ.size}) {
			return f.name
		}
		if inside.from >= 0 && inside.to <= f.typ.size {
			if path := f.typ.pathTo(inside); path != "" {
				return f.name + "." + path
			}
		}
	}
	return ""
}

// arraysWith appends the outermost arrays in a type that an array is, or is an element of.
func arraysWith(out []span, t, array *llvm.Type, at int64) []span {
	switch t.Kind {
	case llvm.StructType:
		for i, f := range t.Fields {
			out = arraysWith(out, f, array, at+t.Offset(i))
		}
	case llvm.Array:
		if holds(t, array) {
			out = append(out, span{at, at + t.Size()})
		}
	}
	return out
}

// holds reports whether a type is another one, or has it in it.
func holds(t, array *llvm.Type) bool {
	if sameType(t, array) {
		return true
	}
	switch t.Kind {
	case llvm.Array:
		return holds(t.Elem, array)
	case llvm.StructType:
		for _, f := range t.Fields {
			if holds(f, array) {
				return true
			}
		}
	}
	return false
}

// sameType reports whether two types are laid out alike.
func sameType(a, b *llvm.Type) bool {
	if a.Kind != b.Kind || a.Width != b.Width || a.Len != b.Len || a.Packed != b.Packed || len(a.Fields) != len(b.Fields) ||
		(a.Elem == nil) != (b.Elem == nil) || a.Elem != nil && !sameType(a.Elem, b.Elem) {
		return false
	}
	for i, f := range a.Fields {
		if !sameType(f, b.Fields[i]) {
			return false
		}
	}
	return a.Kind != llvm.Other && a.Kind != llvm.Float || a.Name == b.Name
}

// boundsOfSum is between which numbers a sum is in a block.
func (r *lifter) boundsOfSum(s sum, in *ir.Block) (lo, hi int64, ok bool) {
	lo, hi = s.C, s.C
	for _, t := range s.Terms {
		a, b, ok := r.boundsOf(t.Sym.v, in, 0)
		if !ok || t.Sym.unsigned && a < 0 || t.Sym.div > 1 {
			return 0, 0, false
		}
		if t.Coef < 0 {
			a, b = b, a
		}
		for _, x := range []struct {
			to *int64
			by int64
		}{{&lo, a}, {&hi, b}} {
			m, ok1 := intmath.Mul(x.by, t.Coef)
			n, ok2 := intmath.Add(*x.to, m)
			if !ok1 || !ok2 {
				return 0, 0, false
			}
			*x.to = n
		}
	}
	return lo, hi, true
}

// boundsOf is between which numbers an integer is in a block, with sign: constants, what masks and remainders leave, and what loops count.
func (r *lifter) boundsOf(v *ir.Value, in *ir.Block, depth int) (lo, hi int64, ok bool) {
	if c, ok := constInt(v); ok {
		return c, c, true
	}
	if depth > maxDepth || !ir.IsInt(v.Type) {
		return 0, 0, false
	}
	if v.Def == nil {
		return r.counted(v, in)
	}
	op := v.Def
	switch op.Name {
	case opname.LLVMAnd:
		if c, ok := constInt(op.Operand(1)); ok && c >= 0 {
			return 0, c, true
		}
	case opname.LLVMURem:
		if c, ok := constInt(op.Operand(1)); ok && c > 0 {
			return 0, c - 1, true
		}
	case opname.LLVMSExt:
		return r.boundsOf(op.Operand(0), in, depth+1)
	case opname.LLVMZExt:
		if lo, hi, ok := r.boundsOf(op.Operand(0), in, depth+1); ok && lo >= 0 {
			return lo, hi, true
		}
	}
	return 0, 0, false
}

// counted is between which numbers a loop counts in a block of it: from a constant up by another one, with a test in front of the block, or of the next number
// at its end.
func (r *lifter) counted(v *ir.Value, in *ir.Block) (lo, hi int64, ok bool) {
	edges := ir.Edges(r.order)
	around := edges[v.Block]
	k := slices.Index(v.Block.Args, v)
	if len(around) != 2 {
		return 0, 0, false
	}
	enter, back := around[0], around[1]
	if _, ok := constInt(enter.Passed()[k]); !ok {
		enter, back = back, enter
	}
	lo, known := constInt(enter.Passed()[k])
	next := back.Passed()[k].Def
	if !known || next == nil || next.Name != opname.LLVMAdd || next.Operand(0) != v {
		return 0, 0, false
	}
	by, ok := constInt(next.Operand(1))
	w, sized := ir.BitWidth(v.Type, 64)
	if !ok || !sized || by <= 0 {
		return 0, 0, false
	}
	again, end, ok := edgeTest(back, next.Result(0))
	for b := in; !ok && b != v.Block && len(edges[b]) == 1; {
		e := edges[b][0]
		if b = e.From.Block(); b == v.Block {
			again, end, ok = edgeTest(e, v)
		}
	}
	if !ok || end > interval.MaxSigned(w)-by {
		return 0, 0, false
	}
	last := end - 1
	switch {
	case again == arith.Slt, again == arith.Ult && lo >= 0 && end >= 0:
	case again == arith.Ne && end > lo && (end-lo)%by == 0:
		last = end - by
	default:
		return 0, 0, false
	}
	return lo, max(last, lo), true // at the end of a loop the first number is not tested
}

// edgeTest is the comparison of a number with a constant for which an edge is taken.
func edgeTest(e ir.Edge, v *ir.Value) (p arith.IntPredicate, with int64, ok bool) {
	if e.From.Name != opname.LLVMCondBr || e.From.Succs[0].Block == e.From.Succs[1].Block {
		return 0, 0, false
	}
	test := e.From.Operand(0).Def
	if test == nil || test.Name != opname.LLVMICmp || test.Operand(0) != v {
		return 0, 0, false
	}
	with, ok1 := constInt(test.Operand(1))
	n, ok2 := test.IntAttr("predicate")
	if p = arith.IntPredicate(n); e.Succ == 1 {
		p = p.Negated()
	}
	return p, with, ok1 && ok2
}
