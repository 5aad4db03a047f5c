package arch

import (
	"loom/compiler/ir"
	"loom/compiler/units"
)

// CriticalLatency is the largest sum of usual latencies along any path of a
// function unit's body. Operations of a body precede their users.
func CriticalLatency(body *ir.Block, indexWidth int) int {
	return longest(body, func(u *units.Unit, op *ir.Operation) int {
		l, _ := u.Timing(op, indexWidth)
		return l
	})
}

// LeastLatency is the smallest latency that a function unit with that body may have.
func LeastLatency(body *ir.Block, indexWidth int) int {
	return longest(body, func(u *units.Unit, op *ir.Operation) int { return u.Least(op, indexWidth) })
}

func longest(body *ir.Block, latency func(u *units.Unit, op *ir.Operation) int) int {
	at := map[*ir.Value]int{}
	worst := 0
	for _, op := range body.Ops {
		start := 0
		for _, v := range op.Operands() {
			start = max(start, at[v])
		}
		u, _ := units.Lookup(op.Name)
		end := start + max(latency(u, op), 0)
		for _, r := range op.Results() {
			at[r] = end
		}
		worst = max(worst, end)
	}
	return worst
}

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
		if u, _ := units.Lookup(op.Op.Name); u.Class == units.Iterative {
			lat, _ := u.Timing(op.Op, indexWidth)
			at[i] += lat
		}
		worst = max(worst, at[i])
	}
	return worst
}

// CriticalInterval is the largest intrinsic interval in a function unit's body.
func CriticalInterval(body *ir.Block, indexWidth int) int {
	n := 1
	for _, op := range body.Ops {
		if u, known := units.Lookup(op.Name); known {
			_, iv := u.Timing(op, indexWidth)
			n = max(n, iv)
		}
	}
	return n
}
