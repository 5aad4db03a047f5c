package inputs

import (
	"math"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
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
	case "arith.cmpi":
		a.comparison(op)
	case "arith.cmpf":
		a.comparison(op)
	case "arith.andi", "arith.ori", "arith.xori", "arith.select", "handshake.mux":
		for _, o := range op.Operands() {
			if o.Type == ir.Type(ir.I1) {
				a.condition(o, seen)
			}
		}
	case "handshake.cond_br", "dataflow.invariant":
		a.condition(op.Operand(1), seen)
	case "dataflow.gate":
		a.condition(op.Operand(0), seen)
	}
}

// comparison looks at what a while loop compares: an induction with its bound, a number
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

// origin is where a compared number comes from.
type origin struct {
	// induction: from itself in the iteration before.
	induction bool
	// shrinks: in more than steps, as digits and bits are taken off a number.
	shrinks bool
	// inits are where it starts.
	inits []*ir.Value
	// loads are the memories that it is an element of, without arithmetic.
	loads map[any]bool
}

// slice follows a number back.
func (a *analysis) slice(v *ir.Value) origin {
	o := origin{loads: map[any]bool{}}
	type visit struct {
		v     *ir.Value
		plain bool // nothing was computed on the way
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
		case "dataflow.carry":
			o.induction = true
			o.inits = append(o.inits, op.Operand(1))
			push(op.Operand(2), at.plain)
		case "dataflow.stream":
			o.induction = true
		case "handshake.cond_br", "dataflow.invariant":
			push(op.Operand(1), at.plain)
		case "dataflow.gate", "arith.index_cast", "arith.index_castui", "arith.extsi", "arith.extui", "arith.trunci",
			"arith.sitofp", "arith.uitofp", "arith.extf", "arith.truncf":
			push(op.Operand(0), at.plain)
		case "math.absf", "math.absi", "arith.negf", "math.sqrt", "math.floor", "math.ceil", "arith.fptosi", "arith.fptoui":
			push(op.Operand(0), false)
		case "math.fma":
			for _, x := range op.Operands() {
				push(x, false)
			}
		case "handshake.mux", "arith.select":
			push(op.Operand(1), at.plain)
			push(op.Operand(2), at.plain)
		case "handshake.load":
			if m, _ := memoryOf(op); m != nil && at.plain {
				o.loads[m] = true
			}
		case "arith.addi", "arith.subi", "arith.addf", "arith.subf":
			push(op.Operand(0), false)
			push(op.Operand(1), false)
		case "arith.muli", "arith.divsi", "arith.divui", "arith.mulf", "arith.divf", "arith.andi", "arith.ori", "arith.xori", "arith.remsi", "arith.remui", "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui":
			o.shrinks = true
			push(op.Operand(0), false)
			push(op.Operand(1), false)
		case "arith.shli", "arith.shrsi", "arith.shrui":
			o.shrinks = true
			push(op.Operand(0), false)
		}
	}
	return o
}
