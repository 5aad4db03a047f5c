package lower

import (
	"math/bits"
	"slices"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// MaxJam bounds Options.Jam.
const MaxJam = 16

// jamLoops runs iterations of an outer loop side by side where each iteration of the loop inside waits for the one before it
// (unroll and jam, Callahan, Cocke and Kennedy, "Estimating interlock and improving balance for pipelined architectures", 1988):
//
//	for i = 0 to n { s = for j … iter_args(s) { s + f(i, j) }; y[i] = s }
//	=>   for i = 0 to n & -2 step 2 { s, t = for j … iter_args(s, t) { s + f(i, j), t + f(i + 1, j) }; y[i] = s; y[i + 1] = t }
//	     for i = n & -2 to n { … as before … }
//
// What is the same for all of them, a load of x[j], is there once. Loops whose bounds differ run beside each other, as those do whose number of
// iterations is not known. It takes iterations of the outer loop that touch no element in common with a store among them.
func jamLoops(s *state, _ *diag.List) {
	if s.opts.Jam < 2 {
		return
	}
	r := s.ranges()
	x := linear.New(r, s.opts.IndexWidth)
	all := structuredAccesses(s.fn)
	var chosen []*ir.Operation
	s.fn.Walk(func(op *ir.Operation) bool {
		if isLoop(op) && innermost(op) && carries(op) {
			for o := op.ParentOp(); o != nil; o = o.ParentOp() {
				if o.Name == opname.SCFFor && s.jams(x, o, all[o]) {
					if !slices.Contains(chosen, o) {
						chosen = append(chosen, o)
					}
					break
				}
			}
		}
		return true
	})
	for _, loop := range chosen {
		if !slices.ContainsFunc(chosen, func(o *ir.Operation) bool { return o != loop && o.IsAncestorOf(loop) }) {
			s.jam(r, loop)
		}
	}
	if len(chosen) > 0 {
		canonicalise(s, nil)
	}
}

// carries reports whether an iteration of a loop takes values of the one before it.
func carries(loop *ir.Operation) bool {
	return loop.Name == opname.SCFWhile || loop.NumOperands() > 3
}

// jams reports whether iterations of a loop can run side by side.
func (s *state) jams(x *linear.Forms, loop *ir.Operation, accesses []*ir.Operation) bool {
	if !loops.Plain(loop) || loop.Attr(loops.UnsignedAttr) != nil || reserves(loop) || fences(loop) || operations(loop)*s.opts.Jam > maxWritten {
		return false
	}
	if step, ok := loop.Operand(2).ConstantInt(); !ok || step < 1 || step > 1<<20 {
		return false
	}
	// What depends on carried values follows behind all copies of the rest: no access does, which others might have to precede, and no loop, which
	// would wait for the one of the iteration before.
	behind := dependents(loop)
	for op := range behind {
		if hasLoop(op) || touchesMemory(op) && s.opts.deviate != jamBehind {
			return false
		}
	}
	if s.opts.deviate == jamDependent {
		return true
	}
	for _, d := range loopDependences(s, x, loop, accesses, s.opts.deviate != jamItself) {
		if !d.Free || len(d.InTurn) > 0 && s.opts.deviate != jamInTurn {
			return false
		}
	}
	return true
}

// dependents are the operations of a loop's body that take what the loop carries, or what follows from it.
func dependents(loop *ir.Operation) map[*ir.Operation]bool {
	body := loop.Regions[0].Entry()
	found := map[*ir.Operation]bool{}
	var mark func(v *ir.Value)
	mark = func(v *ir.Value) {
		for _, u := range v.Uses() {
			op := u.Op
			for op.Block() != body {
				op = op.ParentOp()
			}
			if op.Name == opname.SCFYield || found[op] {
				continue
			}
			found[op] = true
			for _, r := range op.Results() {
				mark(r)
			}
		}
	}
	for _, arg := range body.Args[1:] {
		mark(arg)
	}
	return found
}

func hasLoop(op *ir.Operation) (found bool) {
	op.Walk(func(o *ir.Operation) bool {
		found = found || isLoop(o)
		return !found
	})
	return found
}

func touchesMemory(op *ir.Operation) (found bool) {
	op.Walk(func(o *ir.Operation) bool {
		found = found || len(memoryOperands(o)) > 0
		return !found
	})
	return found
}

// jam replaces a loop by one with several of its iterations side by side, and one for those that are left.
func (s *state) jam(r *ranges.Ranges, loop *ir.Operation) {
	block := loop.Block()
	m := rewrite.Maker{Pos: loop.Pos, Emit: func(op *ir.Operation) { block.InsertBefore(loop, op) }}
	lb, ub := loop.Operand(0), loop.Operand(1)
	step, _ := loop.Operand(2).ConstantInt()
	copies := s.opts.Jam
	var middle *ir.Value
	from, known := lb.ConstantInt()
	to, bounded := ub.ConstantInt()
	const small = 1 << 30 // no sum or product wraps
	width, _ := r.Width(lb)
	most := int64(1)<<(width-1) - 1
	switch {
	case known && bounded:
		if from < -small || to > small || to <= from {
			return
		}
		n := (to - from + step - 1) / step
		// No iterations are left if their number can be divided by about as many copies.
		for d := copies; 2*d > s.opts.Jam; d-- {
			if n%int64(d) == 0 {
				copies = d
				break
			}
		}
		if n < int64(copies) || from+n*step > most || step*int64(copies) > most {
			return
		}
		middle = m.Integer(from+n/int64(copies)*int64(copies)*step, lb.Type)
	case step != 1 || int64(copies) > most || r.At(lb, loop).Lo < 0:
		return
	default:
		copies = 1 << (bits.Len(uint(copies)) - 1) // a mask says how many iterations are left
		end := ub
		if !r.ProvesAt(loop, arith.Sge, ub, lb) {
			end = m.Op(opname.ArithSelect, ub.Type, m.CmpI(arith.Slt, ub, lb), lb, ub)
		}
		whole := m.Op(opname.ArithAndI, ub.Type, m.Op(opname.ArithSubI, ub.Type, end, lb), m.Integer(-int64(copies), ub.Type))
		middle = m.Op(opname.ArithAddI, ub.Type, lb, whole)
	}
	j := jammer{copies: copies, twin: s.opts.deviate == jamTwin}
	wide := j.outer(m, loop, lb, middle, step)
	if s.opts.deviate == jamRest {
		middle = ub
	}
	for i, v := range wide.Results() {
		loop.SetOperand(3+i, v)
	}
	loop.SetOperand(0, middle)
}

// jammer writes iterations of a loop side by side.
type jammer struct {
	// copies is how many there are; at[k] are the values of iteration k by those of the loop's body.
	copies int
	at     []map[*ir.Value]*ir.Value
	// twin makes all iterations have the counter of the first (deviate).
	twin bool
}

// outer emits the loop whose iterations are several of the given one's each.
func (j *jammer) outer(m rewrite.Maker, loop *ir.Operation, lb, ub *ir.Value, step int64) *ir.Operation {
	body := loop.Regions[0].Entry()
	counter := body.Args[0]
	wide := emptyLoop(loop, lb, ub, m.Integer(step*int64(j.copies), lb.Type), loop.Operands()[3:])
	inside := wide.Regions[0].Entry()
	in := rewrite.Maker{Pos: loop.Pos, Emit: func(op *ir.Operation) { inside.Append(op) }}
	for k := range j.copies {
		i := inside.Args[0]
		if k > 0 && !j.twin {
			i = in.Op(opname.ArithAddI, counter.Type, i, in.Integer(int64(k)*step, counter.Type))
		}
		j.at = append(j.at, map[*ir.Value]*ir.Value{counter: i})
	}
	behind := dependents(loop)
	var front, rest []*ir.Operation
	for _, op := range body.Ops[:len(body.Ops)-1] {
		if behind[op] {
			rest = append(rest, op)
		} else {
			front = append(front, op)
		}
	}
	j.side(in, front)
	carried := inside.Args[1:]
	for k := range j.copies {
		for i, v := range carried {
			j.at[k][body.Args[1+i]] = v
		}
		for _, op := range rest {
			in.Emit(op.Clone(j.at[k]))
		}
		carried = j.values(k, body.Terminator().Operands())
	}
	inside.Append(ir.NewOp(opname.SCFYield, loop.Pos, carried, nil))
	m.Emit(wide)
	return wide
}

// emptyLoop is a counted loop like another one, with arguments and without operations.
func emptyLoop(like *ir.Operation, lb, ub, step *ir.Value, inits []*ir.Value) *ir.Operation {
	types := make([]ir.Type, len(inits))
	for i, v := range inits {
		types[i] = v.Type
	}
	loop := ir.NewOp(opname.SCFFor, like.Pos, append([]*ir.Value{lb, ub, step}, inits...), types)
	loop.Loc, loop.Attrs = like.Loc, slices.Clone(like.Attrs)
	args := like.Regions[0].Entry().Args
	block := loop.AddRegion().AddBlock()
	block.AddArg(args[0].Type, args[0].Name, args[0].Loc)
	for i, v := range inits {
		like := args[1+i%max(1, len(args)-1)]
		block.AddArg(v.Type, like.Name, like.Loc)
	}
	return loop
}

// values are those of iteration k.
func (j *jammer) values(k int, vs []*ir.Value) []*ir.Value {
	out := make([]*ir.Value, len(vs))
	for i, v := range vs {
		out[i] = v
		if w := j.at[k][v]; w != nil {
			out[i] = w
		}
	}
	return out
}

// side emits operations for each iteration: one for all where they are equal, loops with equal bounds as one.
func (j *jammer) side(m rewrite.Maker, ops []*ir.Operation) {
	for _, op := range ops {
		if op.Name == opname.SCFFor && j.alike(op.Operands()[:3]) {
			j.fuse(m, op)
			continue
		}
		once := len(op.Regions) == 0 && (isPure(op) || op.Name == opname.MemRefLoad)
		for k := range j.copies {
			if k > 0 && once && slices.Equal(j.values(k, op.Operands()), j.values(0, op.Operands())) {
				for _, r := range op.Results() {
					j.at[k][r] = j.at[0][r]
				}
				continue
			}
			m.Emit(op.Clone(j.at[k]))
		}
	}
}

// alike reports whether values are the same in all iterations.
func (j *jammer) alike(vs []*ir.Value) bool {
	first := j.values(0, vs)
	for k := 1; k < j.copies; k++ {
		if !slices.Equal(j.values(k, vs), first) {
			return false
		}
	}
	return true
}

// fuse emits one loop that does what a loop does in each iteration.
func (j *jammer) fuse(m rewrite.Maker, op *ir.Operation) {
	body := op.Regions[0].Entry()
	bounds := j.values(0, op.Operands()[:3])
	var inits []*ir.Value
	for k := range j.copies {
		inits = append(inits, j.values(k, op.Operands()[3:])...)
	}
	loop := emptyLoop(op, bounds[0], bounds[1], bounds[2], inits)
	inside := loop.Regions[0].Entry()
	n := len(body.Args) - 1
	for k := range j.copies {
		j.at[k][body.Args[0]] = inside.Args[0]
		for i, arg := range body.Args[1:] {
			j.at[k][arg] = inside.Args[1+k*n+i]
		}
	}
	j.side(rewrite.Maker{Pos: op.Pos, Emit: func(o *ir.Operation) { inside.Append(o) }}, body.Ops[:len(body.Ops)-1])
	var next []*ir.Value
	for k := range j.copies {
		next = append(next, j.values(k, body.Terminator().Operands())...)
		for i, r := range op.Results() {
			j.at[k][r] = loop.Result(k*n + i)
		}
	}
	inside.Append(ir.NewOp(opname.SCFYield, op.Pos, next, nil))
	m.Emit(loop)
}
