// Package reassociate splits sums and products of floats that a loop carries into partial ones, for users who
// allow another order of rounding (--reassociate).
//
// The sum s of a loop `s = s + x` waits in every iteration for the addition of the one before. With n partial
// sums, iteration k adds to the sum of iteration k - n, so n additions may be under way: the loop carries n
// values that move up by one in every iteration, and behind it a tree adds them up. All but the first begin with
// the neutral element, -0 for sums and 1 for products, which changes no other value.
//
// The result is that of a fixed order, the same on every level of verification but the run of the source itself.
package reassociate

import (
	"math"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// Attr marks a loop with sums that were split: the number of partial ones.
const Attr = "loom.reassociated"

// Split is a value that was split.
type Split struct {
	Pos diag.Pos // of its operation
	Op  string
}

// Run splits the sums and products of floats in all loops of a function into n partial ones, 2 or more, and
// returns what it split, in the order of the program.
func Run(fn *ir.Operation, n int) []Split {
	var loops []*ir.Operation
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor {
			loops = append(loops, op)
		}
		return true
	})
	var out []Split
	for _, loop := range loops {
		out = append(out, split(loop, n)...)
	}
	return out
}

// reduction is a carried value: its number among the carried ones, and the operation that makes the next one.
type reduction struct {
	index int
	op    *ir.Operation
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
		out = append(out, reduction{i, op})
	}
	return out
}

// neutral is what changes no value that it is combined with.
func neutral(op string) float64 {
	if op == opname.ArithMulF {
		return 1
	}
	return math.Copysign(0, -1)
}

// split splits the reductions of one loop.
func split(loop *ir.Operation, n int) []Split {
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
	for _, r := range found {
		out = append(out, Split{r.op.Pos, r.op.Name})
		t := loop.Result(r.index).Type
		zero := rewrite.Maker{Pos: r.op.Pos, Emit: before}.Float(neutral(r.op.Name), t)
		for range n - 1 {
			types, inits = append(types, t), append(inits, zero)
		}
	}
	with := ir.NewOp(opname.SCFFor, loop.Pos, append(append([]*ir.Value(nil), loop.Operands()...), inits...), types)
	with.Loc, with.Attrs = loop.Loc, slices.Clone(loop.Attrs)
	with.SetAttr(Attr, ir.IntAttr(int64(n), ir.I64))
	before(with)
	old := loop.Regions[0].Entry()
	body := with.AddRegion().AddBlock()
	for _, a := range old.Args {
		a.ReplaceAllUsesWith(body.AddArg(a.Type, a.Name, a.Loc))
	}
	parts := make([][]*ir.Value, len(found)) // the further values of each
	for i, r := range found {
		for range n - 1 {
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

	// Behind the loop, a tree over the values, the next one in turn first.
	count := loop.NumResults()
	results := make([]*ir.Value, count)
	for i := range results {
		results[i] = with.Result(i)
		with.Result(i).Name = loop.Result(i).Name
	}
	for i, r := range found {
		values := []*ir.Value{with.Result(r.index)}
		for k := range n - 1 {
			values = append(values, with.Result(count+i*(n-1)+k))
		}
		combine := opname.ArithAddF
		if r.op.Name == opname.ArithMulF {
			combine = opname.ArithMulF
		}
		m := rewrite.Maker{Pos: r.op.Pos, Loc: locOf(r.op), Emit: before}
		for len(values) > 1 {
			var level []*ir.Value
			for k := 0; k+1 < len(values); k += 2 {
				level = append(level, m.Op(combine, types[r.index], values[k], values[k+1]))
			}
			if len(values)%2 == 1 {
				level = append(level, values[len(values)-1])
			}
			values = level
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
