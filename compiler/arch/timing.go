package arch

import (
	"loom/compiler/ir"
	"loom/compiler/units"
)

// CriticalLatency is the largest sum of intrinsic latencies along any path of a
// function unit's body. Operations of a body precede their users.
func CriticalLatency(body *ir.Block, indexWidth int) int {
	at := map[*ir.Value]int{}
	worst := 0
	for _, op := range body.Ops {
		start := 0
		for _, v := range op.Operands() {
			start = max(start, at[v])
		}
		u, _ := units.Lookup(op.Name)
		lat, _ := u.Timing(op, indexWidth)
		end := start + max(lat, 0)
		for _, r := range op.Results() {
			at[r] = end
		}
		worst = max(worst, end)
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
