// Package reassociate splits sums and products of floats that a loop carries into partial ones, for users who
// allow another order of rounding (--reassociate).
//
// The sum s of a loop `s = s + x` waits in every iteration for the addition of the one before. With n partial
// sums, iteration k adds to the sum of iteration k - n, so n additions may be under way: the loop carries n
// values that move up by one in every iteration. All but the first begin with the neutral element, -0 for sums and 1
// for products, which changes no other value. Behind the loop the parts are a queue, the one that is next in turn in
// front: two leave it and what they make comes last, until one is left. That is the order in which an adder of n
// registers combines what is in them (loom_accumulate_parts), where the parts of a loop are that unit (pass "parts" of
// the lowering); for a power of two it is a balanced tree.
//
// The result is that of a fixed order, the same on every level of verification but the run of the source itself. This
// package is where the order is defined; the pass "parts" recognises what it writes, dataflow.accumulate means it.
package reassociate

import (
	"slices"

	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Attr marks a loop with sums that were split: the number of partial ones, of the first where they differ.
const Attr = "loom.reassociated"

// Split is a value that was split.
type Split struct {
	Pos diag.Pos // of its operation
	Op  string
	N   int // parts
}

// Run splits the sums and products of floats in all loops of a function into partial ones and returns what it split,
// in the order of the program. parts gives their number, 2 or more, for an operation by its name and a type.
func Run(fn *ir.Operation, parts func(op string, t ir.Type) int) []Split {
	var loops []*ir.Operation
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor {
			loops = append(loops, op)
		}
		return true
	})
	var out []Split
	for _, loop := range loops {
		out = append(out, split(loop, parts)...)
	}
	return out
}

// reduction is a carried value: its number among the carried ones, and the operation that makes the next one.
type reduction struct {
	index int
	op    *ir.Operation
	n     int // parts
}

// reductions finds the carried values of a loop that are only added to.
func reductions(loop *ir.Operation) []reduction {
	body := loop.Regions[0].Entry()
	yield := body.Terminator()
	var out []reduction
	for i, v := range yield.Operands() {
		carried := body.Args[1+i]
		op := v.Def
		if op == nil || op.Block() != body || !ir.IsFloat(v.Type) || len(carried.Uses()) != 1 || carried.Uses()[0].Op != op || len(v.Uses()) != 1 {
			continue
		}
		switch at := carried.Uses()[0].Index; op.Name {
		case opname.ArithAddF, opname.ArithMulF:
		case opname.ArithSubF:
			if at != 0 {
				continue
			}
		default:
			continue
		}
		out = append(out, reduction{index: i, op: op})
	}
	return out
}

// split splits the reductions of one loop.
func split(loop *ir.Operation, number func(op string, t ir.Type) int) []Split {
	found := reductions(loop)
	if len(found) == 0 {
		return nil
	}
	before := func(o *ir.Operation) { loop.Block().InsertBefore(loop, o) }
	var out []Split
	var types []ir.Type
	var inits []*ir.Value
	for _, r := range loop.Results() {
		types = append(types, r.Type)
	}
	for i, r := range found {
		t := loop.Result(r.index).Type
		n := number(r.op.Name, t)
		found[i].n = n
		out = append(out, Split{r.op.Pos, r.op.Name, n})
		zero := rewrite.Maker{Pos: r.op.Pos, Emit: before}.Float(dataflow.Neutral(r.op.Name), t)
		for range n - 1 {
			types, inits = append(types, t), append(inits, zero)
		}
	}
	with := ir.NewOp(opname.SCFFor, loop.Pos, append(append([]*ir.Value(nil), loop.Operands()...), inits...), types)
	with.Loc, with.Attrs = loop.Loc, slices.Clone(loop.Attrs)
	with.SetAttr(Attr, ir.IntAttr(int64(found[0].n), ir.I64))
	before(with)
	old := loop.Regions[0].Entry()
	body := with.AddRegion().AddBlock()
	for _, a := range old.Args {
		a.ReplaceAllUsesWith(body.AddArg(a.Type, a.Name, a.Loc))
	}
	parts := make([][]*ir.Value, len(found)) // the further values of each
	for i, r := range found {
		for range r.n - 1 {
			parts[i] = append(parts[i], body.AddArg(types[r.index], "partial", r.op.Pos))
		}
	}
	ops := old.Ops
	old.Ops = nil
	for _, op := range ops {
		body.Append(op)
	}
	yield := body.Terminator()
	next := append([]*ir.Value(nil), yield.Operands()...)
	for i, r := range found {
		// The second value is the first of the next iteration, and so on; the new one comes last.
		made := next[r.index]
		next[r.index] = parts[i][0]
		next = append(append(next, parts[i][1:]...), made)
	}
	yield.SetOperands(next)

	// Behind the loop, the queue of the values, the next one in turn first.
	count := loop.NumResults()
	results := make([]*ir.Value, count)
	for i := range results {
		results[i] = with.Result(i)
		with.Result(i).Name = loop.Result(i).Name
	}
	for _, r := range found {
		values := []*ir.Value{with.Result(r.index)}
		for range r.n - 1 {
			values = append(values, with.Result(count))
			count++
		}
		combine := dataflow.Combining(r.op.Name)
		m := rewrite.Maker{Pos: r.op.Pos, Loc: locOf(r.op), Emit: before}
		for len(values) > 1 {
			values = append(values[2:], m.Op(combine, types[r.index], values[0], values[1]))
		}
		results[r.index] = values[0]
	}
	for i, r := range loop.Results() {
		r.ReplaceAllUsesWith(results[i])
	}
	loop.Erase()
	return out
}

// locOf prints the operations behind the loop with the location of the one that was split.
func locOf(op *ir.Operation) func(diag.Pos) string {
	if op.Loc == "" {
		return nil
	}
	return func(diag.Pos) string { return op.Loc }
}
