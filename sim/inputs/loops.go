package inputs

import (
	"math"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// condition finds the comparisons that decide whether a loop goes on, and notes what
// they demand.
func (a *analysis) condition(v *ir.Value, seen map[*ir.Value]bool) {
	if v == nil || v.Def == nil || seen[v] {
		return
	}
	seen[v] = true
	op := v.Def
	switch op.Name {
	case opname.ArithCmpI:
		a.comparison(op)
	case opname.ArithCmpF:
		a.comparison(op)
	case opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI, opname.ArithSelect, opname.HandshakeMux:
		for _, o := range op.Operands() {
			if o.Type == ir.Type(ir.I1) {
				a.condition(o, seen)
			}
		}
	case opname.HandshakeCondBr, opname.DataflowInvariant:
		a.condition(op.Operand(1), seen)
	case opname.DataflowGate:
		a.condition(op.Operand(0), seen)
	}
}

// comparison looks at what a while loop compares: an induction with its bound, a value
// that shrinks with a constant, the elements of a list with the value that ends it.
func (a *analysis) comparison(op *ir.Operation) {
	x, y := op.Operand(0), op.Operand(1)
	for range 2 {
		left, right := a.slice(x), a.slice(y)
		_, fixed := constantOf(y, a.indexWidth)
		switch {
		case left.induction && fixed && len(left.loads) == 0:
			r := bound // counted down, or up, by steps
			if left.shrinks {
				r = counted
			}
			for _, i := range left.inits {
				a.add(i, use{role: r})
			}
		case left.induction && right.induction:
			for _, i := range left.inits {
				a.add(i, use{role: bound})
			}
		case left.induction && !fixed && len(left.loads) == 0:
			a.add(y, use{role: bound})
			for _, i := range left.inits {
				a.add(i, use{role: start})
			}
		}
		for m := range left.loads {
			switch {
			case fixed:
				a.add(m, use{role: ended, end: ending(op, y, a.indexWidth)})
			case right.loads[m]:
				a.add(m, use{role: ended, root: true})
			}
		}
		x, y = y, x
	}
}

// ending is the value that ends a loop which compares with a constant.
func ending(cmp *ir.Operation, constant *ir.Value, indexWidth int) uint64 {
	c, _ := constantOf(constant, indexWidth)
	p, _ := arith.PredicateOf(cmp)
	switch {
	case c == 0 && (p == arith.Slt || p == arith.Sge):
		return math.MaxUint64
	case c == -1 && (p == arith.Sgt || p == arith.Sle):
		return math.MaxUint64
	}
	return uint64(c)
}

// origin is where a compared value comes from.
type origin struct {
	// induction: from itself in the iteration before.
	induction bool
	// shrinks: in more than steps, as digits and bits are taken off a value.
	shrinks bool
	// inits are where it starts.
	inits []*ir.Value
	// loads are the memories that it is an element of, without arithmetic.
	loads map[any]bool
}

// slice follows a value back.
func (a *analysis) slice(v *ir.Value) origin {
	o := origin{loads: map[any]bool{}}
	type visit struct {
		v     *ir.Value
		plain bool // nothing was computed on the path
	}
	seen := map[visit]bool{}
	work := []visit{{v, true}}
	push := func(v *ir.Value, plain bool) {
		if x := (visit{v, plain}); v != nil && !seen[x] {
			seen[x] = true
			work = append(work, x)
		}
	}
	for len(work) > 0 && len(seen) < 4000 {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		op := at.v.Def
		if op == nil {
			continue
		}
		switch op.Name {
		case opname.DataflowCarry:
			o.induction = true
			o.inits = append(o.inits, op.Operand(1))
			push(op.Operand(2), at.plain)
		case opname.DataflowStream:
			o.induction = true
		case opname.HandshakeCondBr, opname.DataflowInvariant:
			push(op.Operand(1), at.plain)
		case opname.DataflowGate, opname.DataflowInterlock, opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI,
			opname.ArithSIToFP, opname.ArithUIToFP, opname.ArithExtF, opname.ArithTruncF:
			push(op.Operand(0), at.plain)
		case opname.MathAbsF, opname.MathAbsI, opname.ArithNegF, opname.MathSqrt, opname.MathFloor, opname.MathCeil, opname.ArithFPToSI, opname.ArithFPToUI:
			push(op.Operand(0), false)
		case opname.MathFMA:
			for _, x := range op.Operands() {
				push(x, false)
			}
		case opname.HandshakeMux, opname.ArithSelect:
			push(op.Operand(1), at.plain)
			push(op.Operand(2), at.plain)
		case opname.HandshakeLoad:
			if m, _ := memoryOf(op); m != nil && at.plain {
				o.loads[m] = true
			}
		case opname.ArithAddI, opname.ArithSubI, opname.ArithAddF, opname.ArithSubF:
			push(op.Operand(0), false)
			push(op.Operand(1), false)
		case opname.ArithMulI, opname.ArithDivSI, opname.ArithDivUI, opname.ArithMulF, opname.ArithDivF, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI, opname.ArithRemSI, opname.ArithRemUI, opname.ArithMinSI, opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMaxUI:
			o.shrinks = true
			push(op.Operand(0), false)
			push(op.Operand(1), false)
		case opname.ArithShLI, opname.ArithShRSI, opname.ArithShRUI:
			o.shrinks = true
			push(op.Operand(0), false)
		}
	}
	return o
}
