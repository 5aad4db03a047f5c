package inputs

import (
	"math"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/sim/token"
	"loom/sim/vector"
)

// trial is one attempt on the graph.
type trial struct {
	m    *maker
	gens []*generator
	// scalars are the values of the scalar parameters.
	scalars []uint64
	// touched is the number of elements that were reached, by parameter.
	touched []int64
	// failure reports where the kernel left its arrays, or that it does not end.
	failure *diag.Diagnostic
	budget  bool
	// doubts are operations on which C and the hardware may differ.
	doubts *diag.List
	// seen keeps doubts to one for each operation.
	seen map[*ir.Operation]bool
}

// farthest bounds the elements of one array beyond the requested size.
const farthest = 1 << 20

// try runs the graph on the values of one attempt.
func (m *maker) try(number int, a attempt, steps int64) (*trial, error) {
	t := &trial{m: m, gens: m.generators(number, a), scalars: make([]uint64, len(m.sig.Params)), touched: make([]int64, len(m.sig.Params)),
		doubts: &diag.List{}, seen: map[*ir.Operation]bool{}}
	in := &vector.Inputs{}
	for i, p := range m.sig.Params {
		arg := vector.Arg{Name: p.Name, Type: p.Type}
		if mt, ok := p.Type.(*ir.MemRefType); ok {
			n := int64(0)
			if fixed, static := mt.NumElements(); static {
				n = fixed
			}
			arg.Mem = &vector.Memory{Name: p.Name, Elem: mt.Elem, Shape: []int64{n}, Data: t.fill(i, nil, n)}
			t.touched[i] = n
		} else {
			t.scalars[i] = num.Truncate(t.gens[i].scalar(), p.Type, m.opts.IndexWidth)
			arg.Scalar = t.scalars[i]
		}
		in.Args = append(in.Args, arg)
	}
	out, err := m.program.Explore(in, token.Options{IndexWidth: m.opts.IndexWidth, MaxSteps: steps},
		token.Exploration{Grow: t.grow, Watch: t.watches()})
	if err != nil {
		return nil, err
	}
	// A graph that deadlocks is faulty itself: the levels will report it.
	if out.Status == vector.Budget && t.failure == nil {
		t.budget = true
		t.failure = diag.New(m.sig.Pos, "random inputs cannot be made: the kernel did not end within %d operations on any of them", steps).
			WithHelp("give inputs with --inputs FILE, or --max-cycles for a kernel that takes long")
	}
	return t, nil
}

// leading is the number of elements that an array is meant to have at least.
func (t *trial) leading(param int) int64 {
	mt := t.m.sig.Params[param].Type.(*ir.MemRefType)
	if n, static := mt.NumElements(); static {
		return n
	}
	n := t.m.opts.Size
	for i, d := range mt.Shape {
		if i > 0 && d != ir.Dynamic {
			n *= d
		}
		if n > vector.MaxElements {
			return vector.MaxElements
		}
	}
	return n
}

// fill makes elements up to n.
func (t *trial) fill(param int, data []uint64, n int64) []uint64 {
	g, lead := t.gens[param], t.leading(param)
	for k := int64(len(data)); k < n; k++ {
		data = append(data, num.Truncate(g.element(k, lead), g.typ, t.m.opts.IndexWidth))
	}
	return data
}

// grow gives a memory the element at addr, where there can be one.
func (t *trial) grow(param int, data []uint64, addr uint64, at *ir.Operation) []uint64 {
	refuse := func(format string, args ...any) []uint64 {
		if t.failure == nil {
			t.failure = diag.New(at.Pos, "random inputs cannot be made: "+format, args...).WithHelp("give inputs with --inputs FILE")
		}
		return nil
	}
	if param < 0 {
		return refuse("on all of them the kernel accesses a local array outside of its elements here")
	}
	mt := t.m.sig.Params[param].Type.(*ir.MemRefType)
	if n, static := mt.NumElements(); static {
		return refuse("on all of them the kernel accesses %s here, of an array of %d", t.m.text(param, addr), n)
	}
	if limit := max(farthest, 4*t.leading(param)); num.SignExtend(addr, ir.Index, t.m.opts.IndexWidth) < 0 {
		return refuse("on all of them the kernel accesses %s here", t.m.text(param, addr))
	} else if addr >= uint64(min(limit, vector.MaxElements/4)) {
		return refuse("on all of them the kernel reaches as far as %s here", t.m.text(param, addr))
	}
	t.touched[param] = max(t.touched[param], int64(addr)+1)
	return t.fill(param, data, int64(addr)+1)
}

// doubt notes an operation on which C and the hardware may differ.
func (t *trial) doubt(op *ir.Operation, format string, args ...any) {
	if !t.seen[op] {
		t.seen[op] = true
		t.doubts.Warnf(op.Pos, format, args...)
	}
}

// watches look at operations whose result C leaves open for some operands.
func (t *trial) watches() map[string]func(op *ir.Operation, a, b uint64) {
	w := t.m.opts.IndexWidth
	division := func(op *ir.Operation, a, b uint64) {
		if b == 0 {
			t.doubt(op, "the random inputs make the kernel divide by zero here: C leaves the result open")
			return
		}
		x, y := op.Operand(0).Type, op.Operand(1).Type
		width, _ := ir.BitWidth(x, w)
		if (op.Name == opname.ArithDivSI || op.Name == opname.ArithRemSI) && num.SignExtend(b, y, w) == -1 && num.SignExtend(a, x, w) == math.MinInt64>>(64-width) {
			t.doubt(op, "the random inputs make the kernel divide the smallest number by -1 here: C leaves the result open")
		}
	}
	shift := func(op *ir.Operation, _, b uint64) {
		if width, _ := ir.BitWidth(op.Result(0).Type, w); b >= uint64(width) {
			t.doubt(op, "the random inputs make the kernel shift %d bits by %d here: C leaves the result open", width, num.SignExtend(b, op.Result(0).Type, w))
		}
	}
	conversion := func(op *ir.Operation, a, _ uint64) {
		v, ok := num.DecodeFloat(a, op.Operand(0).Type)
		width, _ := ir.BitWidth(op.Result(0).Type, w)
		low, high := -math.Ldexp(1, width-1), math.Ldexp(1, width-1)
		if op.Name == opname.ArithFPToUI {
			low, high = 0, 2*high
		}
		if v = math.Trunc(v); ok && !(v >= low && v < high) {
			t.doubt(op, "the random inputs make the kernel convert %g to an integer of %d bits here: C leaves the result open", v, width)
		}
	}
	return map[string]func(op *ir.Operation, a, b uint64){
		opname.ArithDivSI: division, opname.ArithDivUI: division, opname.ArithRemSI: division, opname.ArithRemUI: division,
		opname.ArithShLI: shift, opname.ArithShRSI: shift, opname.ArithShRUI: shift,
		opname.ArithFPToSI: conversion, opname.ArithFPToUI: conversion,
	}
}

// inputs are the values of a trial, with the extents that it has shown.
func (t *trial) inputs() *vector.Inputs {
	rows := make([]int64, len(t.m.sig.Params))
	for i, p := range t.m.sig.Params {
		if mt, ok := p.Type.(*ir.MemRefType); ok {
			inner := inner(mt)
			rows[i] = max(t.leading(i)/inner, (t.touched[i]+inner-1)/inner)
		}
	}
	// The members of a struct are in the same records.
	for _, p := range t.m.c.Params {
		most := int64(0)
		for _, q := range p.Pieces {
			most = max(most, rows[q.Index])
		}
		for _, q := range p.Pieces {
			rows[q.Index] = most
		}
	}
	in := &vector.Inputs{}
	for i, p := range t.m.sig.Params {
		a := vector.Arg{Name: p.Name, Type: p.Type, Scalar: t.scalars[i]}
		if mt, ok := p.Type.(*ir.MemRefType); ok {
			shape := append([]int64{}, mt.Shape...)
			open := false
			n := int64(1)
			for d := range shape {
				if shape[d] == ir.Dynamic {
					// One dimension is open where a kernel comes from C.
					if shape[d] = 1; !open {
						shape[d] = rows[i]
					}
					open = true
				}
				n *= shape[d]
			}
			a.Mem = &vector.Memory{Name: p.Name, Elem: mt.Elem, Shape: shape, Data: t.fill(i, nil, n)}
		}
		in.Args = append(in.Args, a)
	}
	return in
}

// inner is the number of elements in one step of the leading dimension.
func inner(mt *ir.MemRefType) int64 {
	n := int64(1)
	for i, d := range mt.Shape {
		if i > 0 && d > 0 {
			n *= d
		}
	}
	return max(n, 1)
}
