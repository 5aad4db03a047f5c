package lift

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// bits is an integer at a bit offset within a larger one. Structs that are passed in
// registers and memory that is accessed in several sizes are put together by shifts
// and ors, and taken apart again: where the parts are known, both are dropped.
type bits struct {
	at int
	v  *ir.Value // as wide as its type
}

func width(v *ir.Value) int {
	w, _ := ir.BitWidth(v.Type, 64)
	return w
}

// parts are the parts of an integer; ok is false where it is in one piece.
func (e *emitter) parts(v *ir.Value) ([]bits, bool) {
	p, ok := e.bits[v]
	if !ok {
		if n, isConst := v.ConstantInt(); isConst && n == 0 {
			return nil, true
		}
	}
	return p, ok
}

// bitwise lifts an operation on two integers, by parts where they are known.
func (e *emitter) bitwise(op *ir.Operation, name string, arg []*ir.Value) *ir.Value {
	n, isConst := arg[1].ConstantInt()
	w := width(arg[0])
	p, ok := e.parts(arg[0])
	switch {
	case ok && name == opname.ArithShLI && isConst && n >= 0 && n < int64(w):
		if out, ok := e.shiftParts(p, int(n), w, arg[0].Type); ok {
			return out
		}
	case ok && name == opname.ArithShRUI && isConst && n >= 0 && n < int64(w):
		if out, ok := e.shiftParts(p, -int(n), w, arg[0].Type); ok {
			return out
		}
	case ok && name == opname.ArithAndI && isConst:
		if out, ok := e.mask(p, uint64(n), w, arg[0].Type); ok {
			return out
		}
	case name == opname.ArithOrI || name == opname.ArithAddI || name == opname.ArithXOrI:
		if q, also := e.parts(arg[1]); also && ok && disjoint(p, q) {
			return e.assemble(append(slices.Clone(p), q...), w, arg[0].Type)
		}
	}
	if d := e.divided(op, name, n, isConst); d != nil {
		return d
	}
	return e.binary(name, arg[0], arg[1])
}

func disjoint(p, q []bits) bool {
	for _, a := range p {
		for _, b := range q {
			if a.at < b.at+width(b.v) && b.at < a.at+width(a.v) {
				return false
			}
		}
	}
	return true
}

// shiftParts moves parts by a number of bits into an integer of width w; ok is false where
// one would be cut.
func (e *emitter) shiftParts(p []bits, by, w int, t ir.Type) (*ir.Value, bool) {
	var out []bits
	for _, b := range p {
		at, end := b.at+by, b.at+by+width(b.v)
		switch {
		case end <= 0 || at >= w:
		case at < 0 || end > w:
			return nil, false
		default:
			out = append(out, bits{at, b.v})
		}
	}
	return e.assemble(out, w, t), true
}

func (e *emitter) mask(p []bits, mask uint64, w int, t ir.Type) (*ir.Value, bool) {
	if w < 64 {
		mask &= 1<<w - 1
	}
	var out []bits
	for _, b := range p {
		own := ^uint64(0) >> (64 - width(b.v)) << b.at
		switch mask & own {
		case own:
			out = append(out, b)
		case 0:
		default:
			return nil, false
		}
	}
	return e.assemble(out, w, t), true
}

// assemble builds an integer from parts. The operations are emitted, too, but
// are removed where the whole is unused.
func (e *emitter) assemble(p []bits, w int, t ir.Type) *ir.Value {
	slices.SortFunc(p, func(a, b bits) int { return a.at - b.at })
	if len(p) == 0 {
		return e.integer(0, t)
	}
	var sum *ir.Value
	for _, b := range p {
		v := b.v
		if width(v) < w {
			v = e.op(opname.ArithExtUI, t, v)
		}
		v = e.binary(opname.ArithShLI, v, e.integer(int64(b.at), t))
		if sum == nil {
			sum = v
		} else {
			sum = e.binary(opname.ArithOrI, sum, v)
		}
	}
	if sum != p[0].v {
		e.bits[sum] = p
	}
	return sum
}

// convert lifts a conversion.
func (e *emitter) convert(op *ir.Operation, name string, v *ir.Value) *ir.Value {
	t := op.Result(0).Type
	w := width(op.Result(0))
	switch name {
	case opname.ArithBitcast:
		return e.bitcast(v, t)
	case opname.ArithExtUI:
		p, ok := e.parts(v)
		if !ok {
			p = []bits{{0, v}}
		}
		if n, isConst := v.ConstantInt(); isConst {
			return e.integer(int64(uint64(n)&(1<<width(v)-1)), t)
		}
		return e.assemble(slices.Clone(p), w, t)
	case opname.ArithExtSI:
		if n, isConst := v.ConstantInt(); isConst {
			if v.Type == ir.Type(ir.I1) {
				n = -n
			}
			return e.integer(n, t)
		}
	case opname.ArithTruncI:
		if n, isConst := v.ConstantInt(); isConst {
			return e.integer(n, t)
		}
		if p, ok := e.parts(v); ok {
			if out, ok := e.shiftParts(p, 0, w, t); ok {
				return out
			}
		}
		if v.Def != nil && v.Def.Name == opname.ArithIndexCast {
			return e.op(opname.ArithIndexCast, t, v.Def.Operand(0))
		}
		if v.Def != nil && (v.Def.Name == opname.ArithExtSI || v.Def.Name == opname.ArithExtUI) {
			switch from := v.Def.Operand(0); {
			case from.Type == t:
				return from
			case width(from) < w:
				return e.op(v.Def.Name, t, from)
			case width(from) > w:
				return e.op(name, t, from)
			}
		}
	}
	return e.op(name, t, v)
}
