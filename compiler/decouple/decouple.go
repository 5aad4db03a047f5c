// Package decouple gives what waits for memory counters of its own.
//
// What a loop counts goes to its loads at once, and to its stores and to what counts their done tokens
// only when memory has responded, once or twice. On the way to those it waits, a token for each
// iteration that memory has under way: more than the queues of a fabric hold when a memory
// takes longer to respond than they have places. The loads then wait for room in these queues, however
// many accesses the memory could have in flight.
//
// So a second counter counts for what comes later:
//
//	%i_raw, %more = dataflow.stream %a, %s, %n         %i_raw, %more = dataflow.stream %a, %s, %n
//	%i:2 = cond_br %more, %i_raw                       %i:2 = cond_br %more, %i_raw
//	%x, %addr = load [%i#0] %read                =>    %x, %addr = load [%i#0] %read
//	                                                   %i_raw_0, %more_0 = dataflow.stream %a, %s, %n
//	                                                   %i_0:2 = cond_br %more_0, %i_raw_0
//	%d, %to = store [%i#0] %x                          %d, %to = store [%i_0#0] %x
//
// It goes at the pace of its readers, and only what starts the loop waits for it, a token for each activation. An
// operation is copied with all that it depends on within the loop, if that depends on no memory: operations
// have no other state than what their operands put there, so a copy on the same operands gives the
// same tokens, whenever it is. Merged shows that a graph is the one it was made of.
package decouple

import (
	"cmp"
	"slices"

	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
	"loom/compiler/units"
)

// Options say when a token waits too long.
type Options struct {
	// Latency is the latency of everything.
	Latency latency.Model
	// Places is how many tokens may wait in front of an operand.
	Places int
	// Loops are the loops to look at, by the number of the operation that makes the condition in the body, each
	// with the cycles from the start of an iteration to that of the next on the fabric, at least 1. nil
	// stands for all, with the bounds of the graph.
	Loops map[int]int
}

// Run returns the function with counters for what is later than the queues allow, in a module of its
// own, and the number of operations that were added; nil if there is nothing to add. The function given is
// not changed. The copies stand in front of the terminator, so the others keep their numbers.
func Run(fn *ir.Operation, o Options) (*ir.Operation, int) {
	module := ir.NewOp(opname.BuiltinModule, fn.Pos, nil, nil)
	c := &copier{fn: module.AddRegion().AddBlock().Append(fn.Clone(map[*ir.Value]*ir.Value{})), opts: o}
	c.body = c.fn.Regions[0].Entry()
	c.nest = recurrence.FindLoops(c.fn)
	bounds := recurrence.Bounds(c.fn, c.nest, recurrence.Graph(o.Latency), nil)
	around := make([]bool, len(c.nest.Loops))
	for _, l := range c.nest.Loops {
		if l.Parent >= 0 {
			around[l.Parent] = true
		}
	}
	for l, loop := range c.nest.Loops {
		if around[l] || loop.Raw.Def == nil || loop.Raw.Def.Name != opname.DataflowStream || bounds[l].Stuck {
			continue
		}
		interval := max((bounds[l].Cycles+bounds[l].Tokens-1)/bounds[l].Tokens, 1)
		pace := interval
		if o.Loops != nil {
			if pace = o.Loops[slices.Index(c.body.Ops, loop.Raw.Def)]; pace < 1 {
				continue
			}
		}
		c.loop(l, interval, pace)
	}
	if len(c.copies) == 0 {
		return nil, 0
	}
	c.move()
	end := c.body.Terminator()
	for _, op := range c.copies {
		c.body.InsertBefore(end, op)
	}
	return c.fn, len(c.copies)
}

type copier struct {
	fn     *ir.Operation
	body   *ir.Block
	nest   *recurrence.Nest
	opts   Options
	copies []*ir.Operation
}

// reader is an operand that wants a token of a loop's counters, in a cycle of the iteration.
type reader struct {
	ir.Use
	at    int
	order int
}

// loop gives the late readers of a loop's counters copies of these. Interval is that of the
// schedule, pace the cycles between iterations.
func (c *copier) loop(l, interval, pace int) {
	wants := recurrence.Wants(c.fn, c.nest, recurrence.Graph(c.opts.Latency), l, interval)
	counts := c.counters(l)
	var readers []reader
	for i, op := range c.body.Ops {
		for k, v := range op.Operands() {
			if v.Def == nil || !counts[v.Def] || counts[op] || c.nest.Home(v) != l {
				continue
			}
			at, ok := wants[ir.Use{Op: op, Index: k}]
			if !ok {
				continue
			}
			readers = append(readers, reader{ir.Use{Op: op, Index: k}, at, i})
		}
	}
	slices.SortStableFunc(readers, func(a, b reader) int { return cmp.Or(a.at-b.at, a.order-b.order, a.Index-b.Index) })
	number := map[*ir.Operation]int{}
	for i, op := range c.body.Ops {
		number[op] = i
	}
	var made map[*ir.Operation]*ir.Operation
	start := 0
	for i, r := range readers {
		switch {
		case i == 0:
			start = r.at
			continue
		case r.at-start > c.opts.Places*pace:
			start, made = r.at, map[*ir.Operation]*ir.Operation{}
		}
		if made != nil {
			r.Op.SetOperand(r.Index, c.copyOf(r.Op.Operand(r.Index), l, counts, made, number))
		}
	}
}

// copyOf is the value that a copy of what makes v gives.
func (c *copier) copyOf(v *ir.Value, l int, counts map[*ir.Operation]bool, made map[*ir.Operation]*ir.Operation, number map[*ir.Operation]int) *ir.Value {
	op := v.Def
	if op == nil || !counts[op] {
		return v
	}
	again := made[op]
	if again == nil {
		types := make([]ir.Type, op.NumResults())
		for i, r := range op.Results() {
			types[i] = r.Type
		}
		again = ir.NewOp(op.Name, op.Pos, op.Operands(), types)
		again.Attrs = slices.Clone(op.Attrs)
		again.SetAttr(dataflow.CopyAttr, ir.IntAttr(int64(number[op]), ir.I64))
		for i, r := range op.Results() {
			again.Result(i).Name = r.Name
		}
		made[op] = again
		c.copies = append(c.copies, again)
		for i, x := range op.Operands() { // behind made: carries feed themselves
			again.SetOperand(i, c.copyOf(x, l, counts, made, number))
		}
	}
	return again.Result(v.Index)
}

// move puts operations whose copies have all their readers in the place of these: nothing would read them.
func (c *copier) move() {
	for again := true; again; {
		again = false
		for k, op := range c.copies {
			i, _ := op.IntAttr(dataflow.CopyAttr)
			first := c.body.Ops[i]
			if slices.ContainsFunc(first.Results(), (*ir.Value).HasUses) {
				continue
			}
			first.SetOperands(op.Operands())
			for i, r := range op.Results() {
				r.ReplaceAllUsesWith(first.Result(i))
			}
			op.SetOperands(nil)
			c.copies = slices.Delete(c.copies, k, k+1)
			again = true
			break
		}
	}
}

// counters are the operations of a loop that depend on no memory.
func (c *copier) counters(l int) map[*ir.Operation]bool {
	set := map[*ir.Operation]bool{}
	for _, op := range c.body.Ops {
		if repeatable(op) && slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return c.nest.Home(v) == l }) {
			set[op] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for op := range set {
			for _, v := range op.Operands() {
				if v.Def != nil && !set[v.Def] && c.nest.Home(v) == l && !dataflow.IsHeld(v) {
					delete(set, op)
					changed = true
					break
				}
			}
		}
	}
	return set
}

// repeatable reports whether an operation is one whose results follow from its operands alone and that
// costs no more than the queues that its copy saves.
func repeatable(op *ir.Operation) bool {
	switch op.Name {
	case opname.DataflowStream, opname.DataflowGate, opname.DataflowCarry, opname.DataflowInvariant,
		opname.HandshakeCondBr, opname.HandshakeMux, opname.HandshakeJoin, opname.HandshakeConstant:
		return true
	}
	return units.Is(op.Name, units.Datapath) && !units.Is(op.Name, units.Iterative)
}

// Merged takes the copies of a graph that Run made out again, and reports whether each of them is one: the
// operation that its number names, with the same attributes, on the same operands. The graph is changed.
func Merged(fn *ir.Operation) bool {
	body := fn.Regions[0].Entry()
	ops := slices.Clone(body.Ops)
	original := map[*ir.Operation]*ir.Operation{}
	for _, op := range ops {
		if op.Attr(dataflow.CopyAttr) == nil {
			continue
		}
		i, ok := op.IntAttr(dataflow.CopyAttr)
		if !ok || i < 0 || int(i) >= len(ops) || ops[i].Attr(dataflow.CopyAttr) != nil {
			return false
		}
		original[op] = ops[i]
	}
	value := func(v *ir.Value) *ir.Value {
		if o := original[v.Def]; o != nil && v.Index < o.NumResults() {
			return o.Result(v.Index)
		}
		return v
	}
	for op, o := range original {
		attrs := slices.DeleteFunc(slices.Clone(op.Attrs), func(a ir.NamedAttr) bool { return a.Name == dataflow.CopyAttr })
		if op.Name != o.Name || op.NumOperands() != o.NumOperands() || op.NumResults() != o.NumResults() || len(attrs) != len(o.Attrs) || !repeatable(op) {
			return false
		}
		for i, a := range attrs {
			if a.Name != o.Attrs[i].Name || a.Value.String() != o.Attrs[i].Value.String() {
				return false
			}
		}
		for i, v := range op.Operands() {
			if value(v) != value(o.Operand(i)) {
				return false
			}
		}
	}
	for op := range original {
		for i, r := range op.Results() {
			r.ReplaceAllUsesWith(original[op].Result(i))
		}
	}
	for op := range original {
		op.SetOperands(nil)
	}
	for op := range original {
		op.Erase()
	}
	return true
}
