package interp

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

func init() {
	handlers[opname.SCFParallel] = (*compiler).parallel
	handlers[opname.SCFForall] = (*compiler).forall
}

// nest iterates a rectangular index space in row-major order.
type nest struct {
	pos       diag.Pos
	lb, ub    extents
	step      extents
	variables []int
}

func (n *nest) run(fr *frame, body func() *fault) *fault {
	lb, ub, step := n.lb.get(fr), n.ub.get(fr), n.step.get(fr)
	for d := range lb {
		if lb[d] >= ub[d] {
			return nil
		}
	}
	for d := range step {
		if step[d] <= 0 {
			return faultf(n.pos, CodeZeroStep, "the loop starts with a step of %d, which is not positive", step[d])
		}
	}
	at := append([]int64(nil), lb...)
	for {
		for d, v := range n.variables {
			fr.v[v] = uint64(at[d]) << n.lb.shift >> n.lb.shift
		}
		if f := body(); f != nil {
			return f
		}
		d := len(at) - 1
		for ; d >= 0; d-- {
			// Written so that no sum overflows.
			if step[d] < ub[d]-at[d] {
				at[d] += step[d]
				break
			}
			at[d] = lb[d]
		}
		if d < 0 {
			return nil
		}
	}
}

// dynamics is a list of n dynamic entries.
func dynamics(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = ir.Dynamic
	}
	return out
}

// parallel compiles scf.parallel with its reductions.
func (c *compiler) parallel(op *ir.Operation) instr {
	seg, ok := c.segments(op, 4)
	if !ok || len(op.Regions) != 1 || op.Regions[0].Entry() == nil {
		return nil
	}
	dims := seg[0][1]
	e := op.Regions[0].Entry()
	if seg[1][1]-seg[1][0] != dims || seg[2][1]-seg[2][0] != dims || len(e.Args) != dims || dims == 0 {
		c.errorf(op.Pos, "'%s' needs as many bounds, steps and block arguments as dimensions", op.Name)
		return nil
	}
	n := &nest{pos: op.Pos}
	n.lb = c.extents(op, dynamics(dims), seg[0][0], seg[0][1])
	n.ub = c.extents(op, dynamics(dims), seg[1][0], seg[1][1])
	n.step = c.extents(op, dynamics(dims), seg[2][0], seg[2][1])
	for _, a := range c.defineAll(e.Args, op.Pos) {
		n.variables = append(n.variables, a.index)
	}
	inits := c.useAll(op, seg[3][0], seg[3][1])
	acc := c.freshAll(op)
	start := c.move(op.Pos, inits, acc)
	body := c.regionWith(op.Regions[0], opname.SCFReduce, func(t *ir.Operation, b *block) {
		if len(t.Regions) != len(acc) || t.NumOperands() != len(acc) {
			c.errorf(t.Pos, "'%s' needs one operand and one region per result of the loop", t.Name)
			return
		}
		for i, r := range t.Regions {
			if r.Entry() == nil || len(r.Entry().Args) != 2 {
				c.errorf(t.Pos, "a region of '%s' needs two arguments", t.Name)
				return
			}
			args := c.defineAll(r.Entry().Args, t.Pos)
			feed := c.move(t.Pos, []slot{acc[i], c.use(t, i)}, args)
			combine := c.region(r, acc[i:i+1], opname.SCFReduceReturn)
			b.code = append(b.code, func(fr *frame) *fault {
				feed.do(fr)
				return combine.run(fr)
			})
		}
	})
	c.publish(op, acc)
	return func(fr *frame) *fault {
		start.do(fr)
		return n.run(fr, func() *fault { return body.run(fr) })
	}
}

// forall compiles scf.forall without tensors: its effects are stores.
func (c *compiler) forall(op *ir.Operation) instr {
	seg, ok := c.segments(op, 4)
	if !ok || len(op.Regions) != 1 || op.Regions[0].Entry() == nil {
		return nil
	}
	e := op.Regions[0].Entry()
	lb, ub, step := staticList(op, "staticLowerBound"), staticList(op, "staticUpperBound"), staticList(op, "staticStep")
	if op.NumResults() > 0 || seg[3][0] != seg[3][1] || len(lb) != len(e.Args) || len(ub) != len(lb) || len(step) != len(lb) || len(lb) == 0 {
		c.errorf(op.Pos, "'%s' with shared outputs or without bounds cannot be executed", op.Name)
		c.freshResults(op)
		return nil
	}
	n := &nest{pos: op.Pos}
	n.lb = c.extents(op, lb, seg[0][0], seg[0][1])
	n.ub = c.extents(op, ub, seg[1][0], seg[1][1])
	n.step = c.extents(op, step, seg[2][0], seg[2][1])
	for _, a := range c.defineAll(e.Args, op.Pos) {
		n.variables = append(n.variables, a.index)
	}
	body := c.regionWith(op.Regions[0], opname.SCFForallInParallel, func(t *ir.Operation, b *block) {
		for _, r := range t.Regions {
			if e := r.Entry(); e != nil && len(e.Ops) > 0 {
				c.errorf(t.Pos, "'%s' with operations cannot be executed", t.Name)
			}
		}
	})
	return func(fr *frame) *fault {
		return n.run(fr, func() *fault { return body.run(fr) })
	}
}
