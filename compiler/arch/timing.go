package arch

import (
	"slices"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// CriticalLatency is the largest sum of usual latencies along any path of the body of a
// function unit with an interval. Operations of a body precede their users.
func CriticalLatency(body *ir.Block, interval, indexWidth int) int {
	return longest(body, interval, func(u *units.Unit, op *ir.Operation) int {
		l, _ := u.Timing(op, indexWidth)
		return l
	})
}

// LeastLatency is the smallest latency that a function unit with that body and interval may have.
func LeastLatency(body *ir.Block, interval, indexWidth int) int {
	return longest(body, interval, func(u *units.Unit, op *ir.Operation) int { return u.Least(op, indexWidth) })
}

// Row is the row of an operation in the body of a function unit with an interval. An operation that is alone in its
// unit may be pipelined.
func Row(body *ir.Block, op *ir.Operation, interval int) *units.Unit {
	u, _ := units.Lookup(op.Name)
	if u.Piped == nil || slices.ContainsFunc(body.Ops, func(o *ir.Operation) bool { return o != op && o.Name != opname.FabricYield }) {
		return u
	}
	return u.At(interval)
}

// Row is the row of one of the unit's operations, the pipelined form where the unit has that.
func (f *FunctionUnit) Row(op *FUOp) *units.Unit {
	u, _ := units.Lookup(op.Op.Name)
	if len(f.Ops) > 1 {
		return u
	}
	return u.At(f.Interval)
}

func longest(body *ir.Block, interval int, latency func(u *units.Unit, op *ir.Operation) int) int {
	at := map[*ir.Value]int{}
	worst := 0
	for _, op := range body.Ops {
		start := 0
		for _, v := range op.Operands() {
			start = max(start, at[v])
		}
		end := start + max(latency(Row(body, op, interval), op), 0)
		for _, r := range op.Results() {
			at[r] = end
		}
		worst = max(worst, end)
	}
	return worst
}

// Inside reports whether the unit is one operation with its registers inside: it takes the declared latency, however many
// registers are usual.
func (f *FunctionUnit) Inside() bool { return len(f.Ops) == 1 && f.Row(f.Ops[0]).Inside }

// NetworkLatency is the number of cycles on the longest path of a body that is a network
// of elastic units, in which only iterative units take any; what the declared latency
// has beyond it, registers behind the results add (sim/README.md).
func (f *FunctionUnit) NetworkLatency(indexWidth int) int {
	at, worst := make([]int, len(f.Ops)), 0
	for i, op := range f.Ops {
		for _, r := range op.Operands {
			if r.Op >= 0 {
				at[i] = max(at[i], at[r.Op])
			}
		}
		if u := f.Row(op); u.Class == units.Iterative {
			lat, _ := u.Timing(op.Op, indexWidth)
			at[i] += lat
		}
		worst = max(worst, at[i])
	}
	return worst
}

// CriticalInterval is the largest intrinsic interval in the body of a function unit that asks for an interval, 0
// for none.
func CriticalInterval(body *ir.Block, interval, indexWidth int) int {
	n := 1
	for _, op := range body.Ops {
		if _, known := units.Lookup(op.Name); known {
			_, iv := Row(body, op, interval).Timing(op, indexWidth)
			n = max(n, iv)
		}
	}
	return n
}
