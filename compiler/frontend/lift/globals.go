package lift

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// global is the root of a global variable; nil after reporting what is wrong with it.
func (r *lifter) global(op *ir.Operation) *root {
	ref, ok := op.Attr("global_name").(*ir.SymbolRefAttr)
	if !ok {
		return nil
	}
	if o, known := r.globals[ref.Root]; known {
		return o
	}
	r.globals[ref.Root] = nil
	var def *ir.Operation
	for _, g := range r.module.Regions[0].Entry().Ops {
		if g.Name == opname.LLVMMlirGlobal && g.SymName() == ref.Root {
			def = g
		}
	}
	if def == nil {
		r.errorf(op.Pos, "the address of %s is taken, which is no variable", ir.QuoteString(ref.Root)).
			WithHelp("hardware calls no functions through pointers")
		return nil
	}
	ta, _ := def.Attr("global_type").(*ir.TypeAttr)
	if ta == nil {
		return nil
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		r.errorf(op.Pos, "the variable %s has a type that is not known: %v", ir.QuoteString(ref.Root), err)
		return nil
	}
	o := r.newRoot(globalRoot, ref.Root, op.Pos)
	o.alloc = def
	c := ctypeOf(t)
	o.typ, o.shape = flatten(c, nil)
	if len(o.shape) == 0 {
		o.shape = []int64{1}
	}
	if d := r.variableOf(def); d != nil {
		o.name = d.Str("name")
		if di := ctypeDI(d.Ref("type")); di.size == c.size && di.sameShape(c) {
			o.typ, _ = flatten(di, nil)
		}
	}
	// No other function reaches a constant or a variable inside a function.
	o.noalias = !r.visible(o)
	r.globals[ref.Root] = o
	return o
}

// variableOf is the debug information of a global variable, nil for none.
func (r *lifter) variableOf(def *ir.Operation) *llvm.Entry {
	for _, name := range []string{"dbg_expr", "dbg_exprs"} {
		a := def.Attr(name)
		if list, ok := a.(*ir.ArrayAttr); ok && len(list.Elems) > 0 {
			a = list.Elems[0]
		}
		if e := r.opts.Debug.Entry(a); e != nil && e.Ref("var") != nil {
			return e.Ref("var")
		}
	}
	return nil
}

// visible reports whether a global variable is one that others read or write: it
// becomes a parameter. The others are tables and variables of the function itself.
func (r *lifter) visible(o *root) bool {
	def := o.alloc
	if def.Attr("constant") != nil && (def.Attr("value") != nil || len(def.Regions) > 0 && def.Regions[0].Entry() != nil) {
		return false
	}
	if d := r.variableOf(def); d != nil {
		if sc := d.Ref("scope"); sc != nil && (sc.Kind == "subprogram" || strings.HasPrefix(sc.Kind, "lexical_block")) {
			return false
		}
		return true
	}
	if strings.HasPrefix(def.SymName(), "_ZGVZ") {
		return false // whether a static variable of a C++ function has been constructed
	}
	linkage := def.Attr("linkage")
	internal := linkage != nil && (strings.Contains(linkage.String(), "internal") || strings.Contains(linkage.String(), "private"))
	return !(internal && strings.Contains(def.SymName(), "."))
}

// initial computes the bytes that a global variable starts with; ok is false where its
// value is nothing that memory can hold.
func initial(def *ir.Operation, size int64) (data []byte, ok bool) {
	data = make([]byte, size)
	ta, isType := def.Attr("global_type").(*ir.TypeAttr)
	if !isType {
		return nil, false
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		return nil, false
	}
	if v := def.Attr("value"); v != nil {
		return data, fill(data, v, t)
	}
	if len(def.Regions) == 0 || def.Regions[0].Entry() == nil {
		return data, true
	}
	term := def.Regions[0].Entry().Terminator()
	if term == nil || term.NumOperands() != 1 {
		return nil, false
	}
	return data, fillValue(data, term.Operand(0), t, 0)
}

// fill writes an attribute of type t.
func fill(data []byte, a ir.Attr, t *llvm.Type) bool {
	if int64(len(data)) < t.Size() {
		return false
	}
	switch a := a.(type) {
	case *ir.IntegerAttr:
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], uint64(a.Value))
		copy(data[:t.Size()], b[:])
		return t.Size() <= 8
	case *ir.FloatAttr:
		bits := floatBits(a, t.Width)
		switch t.Width {
		case 32:
			binary.LittleEndian.PutUint32(data, uint32(bits))
		case 64:
			binary.LittleEndian.PutUint64(data, bits)
		default:
			return false
		}
		return true
	case *ir.StringAttr:
		copy(data[:t.Size()], a.Value)
		return t.Kind == llvm.Array
	case *ir.DenseElementsAttr:
		n := int64(1)
		for t.Kind == llvm.Array || t.Kind == llvm.Vector {
			n *= t.Len
			t = t.Elem
		}
		for i := range n {
			k := i
			if a.Splat {
				k = 0
			}
			if k >= int64(len(a.Values)) || !fill(data[i*t.Size():], a.Values[k], t) {
				return false
			}
		}
		return true
	case *ir.ArrayAttr:
		if t.Kind != llvm.Array && t.Kind != llvm.StructType {
			return false
		}
		for i, e := range a.Elems {
			f, at := t.Elem, int64(0)
			if t.Kind == llvm.StructType {
				if i >= len(t.Fields) {
					return false
				}
				f, at = t.Fields[i], t.Offset(i)
			} else {
				at = int64(i) * f.Size()
			}
			if at+f.Size() > int64(len(data)) || !fill(data[at:], e, f) {
				return false
			}
		}
		return true
	}
	text := a.String()
	return text == "#llvm.zero" || text == "#llvm.undef" || text == "#llvm.poison"
}

// floatBits are the bits of a float, also of infinities and NaNs, which text spells
// in hexadecimal.
func floatBits(a *ir.FloatAttr, width int) uint64 {
	if n, err := strconv.ParseUint(strings.TrimPrefix(a.Text, "0x"), 16, 64); err == nil && strings.HasPrefix(a.Text, "0x") {
		return n
	}
	if width == 32 {
		return uint64(math.Float32bits(float32(a.Value)))
	}
	return math.Float64bits(a.Value)
}

// fillValue writes the value that an initialiser region computes.
func fillValue(data []byte, v *ir.Value, t *llvm.Type, depth int) bool {
	op := v.Def
	if op == nil || depth > 1<<16 {
		return false
	}
	switch op.Name {
	case opname.LLVMMlirConstant:
		return fill(data, op.Attr("value"), t)
	case opname.LLVMMlirZero:
		return t.Kind != llvm.Ptr
	case opname.LLVMMlirUndef, opname.LLVMMlirPoison:
		return true
	case opname.LLVMInsertValue:
		pos, ok := op.Attr("position").(*ir.DenseArrayAttr)
		if !ok || !fillValue(data, op.Operand(0), t, depth+1) {
			return false
		}
		at := int64(0)
		for _, i := range pos.Values {
			switch {
			case t.Kind == llvm.StructType && i < int64(len(t.Fields)):
				at += t.Offset(int(i))
				t = t.Fields[i]
			case t.Kind == llvm.Array && i < t.Len:
				t = t.Elem
				at += i * t.Size()
			default:
				return false
			}
		}
		return fillValue(data[at:], op.Operand(1), t, depth+1)
	}
	return false
}

// tableAttr is the initial value of a memref that holds a piece of a global variable.
func tableAttr(data []byte, p *piece) ir.Attr {
	n, _ := p.typ.NumElements()
	w, _ := ir.BitWidth(p.elem, 64)
	d := &ir.DenseElementsAttr{Type: ir.Shaped("tensor", p.typ.Shape, p.elem)}
	same := true
	for k := range n {
		var b [8]byte
		if at := k*p.stride + p.offset; at < int64(len(data)) {
			copy(b[:p.size], data[at:])
		}
		bits := binary.LittleEndian.Uint64(b[:])
		d.Values = append(d.Values, scalarAttr(bits, w, p.elem))
		same = same && d.Values[k].String() == d.Values[0].String()
	}
	if same && n > 0 {
		d.Values, d.Splat = d.Values[:1], true
	}
	return d
}

// scalarAttr is the scalar with these bits.
func scalarAttr(bits uint64, width int, t ir.Type) ir.Attr {
	if !ir.IsFloat(t) {
		return ir.IntAttr(int64(bits<<(64-width))>>(64-width), t)
	}
	f := math.Float64frombits(bits)
	text := ""
	if width == 32 {
		f = float64(math.Float32frombits(uint32(bits)))
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		if width == 64 {
			text = "0x" + strings.ToUpper(strconv.FormatUint(bits, 16))
		} else {
			text = "0x" + strings.ToUpper(strconv.FormatUint(1<<32|bits, 16)[1:])
		}
	}
	return &ir.FloatAttr{Value: f, Type: t, Text: text}
}
