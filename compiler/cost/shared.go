package cost

import (
	"loom/compiler/arch"
	"loom/compiler/circuit/timing"
)

// sharedUnit is iterative hardware that so many PEs use in turn, with what stands in front of it: measured, as
// rtl/AREA.md has it, loom_share with its slots in LUT RAM and a loom_hold.
func sharedUnit(pe *arch.PESpec, hw *arch.Iterative, clients int) Cells {
	var unit Cells
	request, seen := 0, map[timing.Key]bool{}
	for _, k := range hw.Units {
		u := pe.FUs[k]
		op := u.Single()
		if w := float64(u.Out[0].Width); u.Row(op).Types.Float() {
			unit.Add(float(u, op, seen))
		} else {
			unit = table[PE].Of(Features{"divider": w})
		}
		bits := 1 // what it is told to do
		for _, x := range u.In {
			bits += x.Width
		}
		request = max(request, bits)
	}
	// A multiplexer of two words is a table per bit, of four one and a half, of eight about three.
	word := [...]float64{0, 0, 1, 1.4, 1.4, 3.3, 3.3, 3.3, 3.3}[min(clients, arch.MaxSharing)]
	unit.Add(Cells{LUTs: int(word*float64(request)) + 13*clients + 3, FFs: 10*clients + request + 1})
	return unit
}
