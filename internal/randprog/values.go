package randprog

import (
	"math/rand/v2"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// memory is a memref the program may access.
type memory struct {
	value  *ir.Value
	elem   ir.Type
	shape  []int64 // real extents; those of dynamic dimensions are dynamicExtent
	loads  int
	stores int
	// readOnly forbids stores, for constant tables.
	readOnly bool
	// total is how many elements the memory below has; offset and strides are
	// where this one lies in it, ir.Dynamic for what is computed.
	total   int64
	offset  int64
	strides []int64
}

// dynamicExtent is the extent that Inputs gives to dynamic dimensions.
const dynamicExtent = 4

// scope is a region under construction: the values it can see, its own last.
type scope struct {
	block  *ir.Block
	parent *scope
	values []*ir.Value
	depth  int
	// trips bounds how often the region may run in one call.
	trips int
	// memories are those made in the region; frees are deallocated at its end.
	memories []*memory
	frees    []*ir.Value
}

// generator holds the state of one program.
type generator struct {
	r    *rand.Rand
	opts Options
	goal int // operations after which no more statements are started
	ops  int
	// spans are the index values whose range is known.
	spans map[*ir.Value]span
	// affinePercent is how often a subscript is made of induction variables.
	affinePercent int
	// symbols are the helper functions and globals, in the order they came.
	symbols []*ir.Operation
	helpers []*helper
}

func (g *generator) chance(percent int) bool { return g.r.IntN(100) < percent }

// emit appends an operation and makes its results visible.
func (g *generator) emit(s *scope, name string, operands []*ir.Value, results ...ir.Type) *ir.Operation {
	op := s.block.Append(ir.NewOp(name, diag.Pos{}, operands, results))
	g.ops++
	s.values = append(s.values, op.Results()...)
	return op
}

func (g *generator) constant(s *scope, t ir.Type, v int64) *ir.Value {
	op := s.block.Append(ir.NewOp(opname.ArithConstant, diag.Pos{}, nil, []ir.Type{t}))
	g.ops++
	op.SetAttr("value", constantAttr(t, v))
	s.values = append(s.values, op.Result(0))
	return op.Result(0)
}

// constantAttr is v as a constant of type t, cut to its width.
func constantAttr(t ir.Type, v int64) ir.Attr {
	switch {
	case t == ir.Type(ir.I1):
		return ir.BoolAttr(v&1 != 0)
	case ir.IsFloat(t):
		return &ir.FloatAttr{Value: float64(v) / 4, Type: t}
	}
	w, _ := ir.BitWidth(t, 64)
	return ir.IntAttr(v<<(64-w)>>(64-w), t)
}

// someConstant is a constant of type t, mostly small.
func (g *generator) someConstant(s *scope, t ir.Type) *ir.Value {
	switch g.r.IntN(5) {
	case 0:
		return g.constant(s, t, 0)
	case 1:
		return g.constant(s, t, 1)
	case 2:
		if t != ir.Type(ir.Index) && !ir.IsFloat(t) {
			return g.constant(s, t, g.r.Int64()-g.r.Int64())
		}
	}
	return g.constant(s, t, int64(g.r.IntN(20))-6)
}

// visible calls f for all values that s can see.
func (s *scope) visible(f func(v *ir.Value)) {
	for ; s != nil; s = s.parent {
		for _, v := range s.values {
			f(v)
		}
	}
}

// find picks a visible value of type t, preferring those nothing reads yet; nil
// where there is none.
func (g *generator) find(s *scope, t ir.Type) *ir.Value {
	var computed, constants, unused []*ir.Value
	s.visible(func(v *ir.Value) {
		switch {
		case v.Type != t:
		case v.Def != nil && v.Def.Name == opname.ArithConstant:
			constants = append(constants, v)
		default:
			computed = append(computed, v)
			if !v.HasUses() {
				unused = append(unused, v)
			}
		}
	})
	for _, c := range []struct {
		from    []*ir.Value
		percent int
	}{{unused, 60}, {computed, 90}, {constants, 50}} {
		if len(c.from) > 0 && g.chance(c.percent) {
			return c.from[g.r.IntN(len(c.from))]
		}
	}
	return nil
}

// need picks or makes a value of type t.
func (g *generator) need(s *scope, t ir.Type) *ir.Value {
	if !g.chance(8) {
		if v := g.find(s, t); v != nil {
			return v
		}
		if g.chance(75) {
			if v := g.find(s, g.someType()); v != nil {
				return g.convert(s, v, t)
			}
		}
	}
	return g.someConstant(s, t)
}

// someType draws a type for a value.
func (g *generator) someType() ir.Type {
	if g.opts.Use.Has(Floats) && !g.opts.SmallTypes && g.chance(20) {
		return g.floatType()
	}
	if g.opts.SmallTypes {
		return []ir.Type{ir.I32, ir.I32, ir.I32, ir.Index, ir.I1}[g.r.IntN(5)]
	}
	return []ir.Type{ir.I32, ir.I32, ir.I32, ir.Index, ir.Index, ir.I1, ir.I8, ir.I16, ir.I64}[g.r.IntN(9)]
}

// elemType draws a type for the elements of a memory.
func (g *generator) elemType() ir.Type {
	if g.opts.Use.Has(Floats) && !g.opts.SmallTypes && g.chance(25) {
		return g.floatType()
	}
	if g.opts.SmallTypes {
		return ir.I32
	}
	return []ir.Type{ir.I32, ir.I32, ir.I32, ir.I8, ir.I16, ir.I64, ir.I1, ir.Index}[g.r.IntN(8)]
}

// convert casts a value to another type.
func (g *generator) convert(s *scope, v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	if ir.IsFloat(v.Type) || ir.IsFloat(t) {
		return g.convertFloat(s, v, t)
	}
	one := []*ir.Value{v}
	from, to := v.Type, t
	if from == ir.Type(ir.Index) || to == ir.Type(ir.Index) {
		if g.chance(70) {
			return g.emit(s, opname.ArithIndexCast, one, t).Result(0)
		}
		return g.emit(s, opname.ArithIndexCastUI, one, t).Result(0)
	}
	fw, _ := ir.BitWidth(from, 64)
	tw, _ := ir.BitWidth(to, 64)
	switch {
	case fw > tw && tw == 1 && g.chance(50):
		return g.compare(s, arith.Ne, v, g.constant(s, from, 0))
	case fw > tw:
		return g.emit(s, opname.ArithTruncI, one, t).Result(0)
	case g.chance(50):
		return g.emit(s, opname.ArithExtSI, one, t).Result(0)
	}
	return g.emit(s, opname.ArithExtUI, one, t).Result(0)
}

func (g *generator) compare(s *scope, p arith.IntPredicate, a, b *ir.Value) *ir.Value {
	op := g.emit(s, opname.ArithCmpI, []*ir.Value{a, b}, ir.I1)
	arith.SetPredicate(op, p)
	return op.Result(0)
}

func (g *generator) binary(s *scope, name string, a, b *ir.Value) *ir.Value {
	return g.emit(s, name, []*ir.Value{a, b}, a.Type).Result(0)
}

// below makes an index from 0 to n-1.
func (g *generator) below(s *scope, n int64) *ir.Value {
	if g.chance(25) {
		return g.constant(s, ir.Index, g.r.Int64N(n))
	}
	v := g.need(s, ir.Index)
	if n&(n-1) == 0 {
		return g.binary(s, opname.ArithAndI, v, g.constant(s, ir.Index, n-1))
	}
	return g.binary(s, opname.ArithRemUI, v, g.constant(s, ir.Index, n))
}
