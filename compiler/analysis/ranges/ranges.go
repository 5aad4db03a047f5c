// Package ranges computes an interval for every integer of a structured function, from
// constants, masks, remainders, casts, minima and comparisons, from the conditions of the
// enclosing branches and loops, and from what the iterations of a loop do to its iter_args.
//
// Analyse covers a whole function, with widening, so that it terminates. The intervals are
// those of the function as it was analysed: a rewriting that keeps the meaning of every
// value keeps them valid, and values made later are evaluated on demand.
// Near covers one operation only, from there outwards, and needs no analysis before.
package ranges

import (
	"math"

	"loom/compiler/analysis/interval"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Options are assumptions about the program.
type Options struct {
	// IndexWidth is the number of bits of an index; 0 where only the target decides: then
	// it may be anything from 32 to 64, and every interval holds for each of them.
	IndexWidth int
	// IndexFits is the assumption that every index fits 32 bits with sign, as counts and
	// subscripts do, and that no counted loop overflows its induction variable; only
	// where IndexWidth is 0.
	IndexFits bool
	// NoDivisionByZero is the assumption that no division by zero is executed, as in C. Without it
	// the quotient is what package num makes of it.
	NoDivisionByZero bool
	// Assume returns a bound that a value is assumed to keep where it is defined, if any,
	// given the intervals known so far; nil assumes nothing.
	Assume func(known *Ranges, v *ir.Value) (bound interval.Interval, ok bool)
	// Broken is a rule that a test breaks, to check that the break is detected.
	Broken Fault
}

// Fault names a rule of the analysis.
type Fault string

// The rules that tests break.
const (
	ShortInduction Fault = "the largest value of an induction variable is forgotten"
	StrictOrders   Fault = "at most is taken for less"
)

// Ranges holds the intervals of one function, or of the values at one operation.
type Ranges struct {
	opts Options
	// known is the interval of each value where it is defined.
	known map[*ir.Value]interval.Interval
	// here are the facts of the branches and loops around the current operation, relations
	// the comparisons among them; trail undoes them, innermost last.
	here      map[*ir.Value]interval.Interval
	relations []relation
	trail     []fact
	// near is set where nothing was analysed before. Values that were not are evaluated
	// on demand, down to depth.
	near  bool
	depth int

	fixpoint
}

// derivations bounds how far a fact about a value is carried to the values it was cast
// from or to, and how deep a value made after the analysis is evaluated; proofDepth is
// how deep where nothing was analysed.
const (
	derivations = 4
	proofDepth  = 6
)

func empty(opts Options) *Ranges {
	return &Ranges{opts: opts, known: map[*ir.Value]interval.Interval{}, here: map[*ir.Value]interval.Interval{}, depth: derivations}
}

// Given returns ranges for evaluating operations on values of which the intervals are found
// by another analysis, which keeps them in known.
func Given(known map[*ir.Value]interval.Interval, opts Options) *Ranges {
	r := empty(opts)
	r.known = known
	return r
}

// Near returns the intervals that hold at op, from the operations that compute a value
// and the branches and loops around op.
func Near(op *ir.Operation, opts Options) *Ranges {
	r := empty(opts)
	r.near, r.depth = true, proofDepth
	r.surrounding(op)
	// A fact learnt first may be tightened by those learnt later.
	for _, q := range r.relations {
		r.bound(q, derivations)
	}
	return r
}

// Width returns the width of an integer in bits, 64 for an index that may have any; ok
// is false for values of other types.
func (r *Ranges) Width(v *ir.Value) (int, bool) {
	if !ir.IsInt(v.Type) {
		return 0, false
	}
	index := r.opts.IndexWidth
	if index == 0 {
		index = 64
	}
	w, ok := ir.BitWidth(v.Type, index)
	return w, ok && w >= 1 && w <= 64
}

// open reports whether t is an index of which the width is not known. Its interval is that
// of the value, sign-extended.
func (r *Ranges) open(t ir.Type) bool {
	return r.opts.IndexWidth == 0 && t == ir.Type(ir.Index)
}

// smallIndex are the values that an index of any width can hold.
var smallIndex = interval.Between(math.MinInt32, math.MaxInt32, 64)

// all is the interval of a value of type t and width w of which nothing is known.
func (r *Ranges) all(t ir.Type, w int) interval.Interval {
	if r.opts.IndexFits && r.open(t) {
		return smallIndex
	}
	return interval.Any(w)
}

// Known reports whether v has been analysed or needs no analysis.
func (r *Ranges) Known(v *ir.Value) bool {
	_, ok := r.known[v]
	return ok || v.IsConstant()
}

// Of returns the interval of v under the present facts.
func (r *Ranges) Of(v *ir.Value) interval.Interval { return r.eval(v, r.depth) }

// At returns the interval of v at an operation: what holds of v itself and what the
// branches and loops around the operation add. nil is the definition of v.
func (r *Ranges) At(v *ir.Value, at *ir.Operation) interval.Interval {
	if at == nil {
		return r.Of(v)
	}
	mark := r.mark()
	r.surrounding(at)
	i := r.Of(v)
	r.undo(mark)
	return i
}

// Evaluate returns the interval of the result of op, whether or not op was analysed, under
// the present facts.
func (r *Ranges) Evaluate(op *ir.Operation) interval.Interval {
	w, ok := r.Width(op.Result(0))
	if !ok {
		return interval.Any(64)
	}
	return r.compute(op, w, r.depth)
}

func (r *Ranges) eval(v *ir.Value, depth int) interval.Interval {
	w, ok := r.Width(v)
	if !ok {
		return interval.Any(64)
	}
	if c, ok := v.ConstantInt(); ok {
		return r.represented(v.Type, w, interval.Exactly(c, w))
	}
	i, ok := r.here[v]
	if ok && !r.near {
		return i
	}
	if !ok {
		if k, ok := r.known[v]; ok {
			return k
		}
		i = r.all(v.Type, w)
	}
	if depth > 0 {
		whole := r.depth
		r.depth = depth - 1 // operands are evaluated less deep
		m, ok := i.Meet(r.defined(v, w, depth-1), w)
		r.depth = whole
		if ok {
			return m
		}
	}
	return i
}

// defined evaluates a value that was not analysed.
func (r *Ranges) defined(v *ir.Value, w, depth int) interval.Interval {
	if v.Def != nil {
		return r.compute(v.Def, w, depth)
	}
	if r.near && v.Block != nil {
		switch op := v.Block.ParentOp(); {
		case op == nil:
		case op.Name == opname.SCFFor && v.Index == 0:
			return r.induction(op, w, depth)
		case op.Name == opname.SCFWhile && v.Block == op.Regions[1].Entry():
			if t := op.Regions[0].Entry().Terminator(); t != nil && t.Name == opname.SCFCondition && 1+v.Index < t.NumOperands() {
				return r.eval(t.Operand(1+v.Index), depth)
			}
		}
	}
	return r.all(v.Type, w)
}

// represented is i where a value of type t can be all of it: an index of unknown width
// holds a number of more than 32 bits on some targets only.
func (r *Ranges) represented(t ir.Type, w int, i interval.Interval) interval.Interval {
	if r.open(t) && (i.Lo < smallIndex.Lo || i.Hi > smallIndex.Hi) {
		return r.all(t, w)
	}
	return i
}
