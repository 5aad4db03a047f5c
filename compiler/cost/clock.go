package cost

import (
	"math"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/circuit/timing"
	"loom/compiler/units"
)

// The model of the clock. A path through a PE begins in the queue of an operand, goes through a unit and the
// multiplexers that choose among units, and ends in the queue of a result: a fixed part, one that grows with
// the logarithm of the number of units, one with the ports that operands and results are chosen among, and
// the unit, whose delay was measured (package timing). A unit with registers inside has paths from its
// operands and to its results that pass half of the rest, and one between its registers that passes none.
// Routing a whole fabric makes paths longer by a factor. The numbers were fitted by hand to the PEs of
// mesh6x6 and to the parts of fabrics in rtl/FMAX.md, from which the estimate is within 8 % (TestMHz).
const (
	clockFixed    = 3.04 // ns
	clockUnits    = 0.66 // ns for each doubling of the number of units
	clockPorts    = 0.36 // ns for each port more than
	clockPortsOf  = 8
	clockSwitch   = 4     // ns through a switch
	clockLogic    = 0.65  // of what a unit takes by itself, as synthesised without -abc9
	clockState    = 0.82  // ns in a unit that is a state machine
	clockWhole    = 1.083 // of a fabric against a PE alone
	clockTemporal = 10.6  // ns of a stage of a temporal PE: measured with all of its arithmetic
	clockWide     = 0.05  // more of that for 32 bits more than 32: words take room
)

// MHz estimates the clock of a fabric after placement and routing on timing.Device, from the slowest of its PEs;
// 0 without PEs.
func MHz(f *arch.Fabric) float64 {
	slowest, widest, seen := 0.0, 0, map[string]bool{}
	for _, c := range f.Comps {
		for _, p := range c.In {
			widest = max(widest, p.Width)
		}
		if c.TPE != nil {
			slowest = max(slowest, clockTemporal)
		}
		if c.PE == nil || seen[c.Def] {
			continue
		}
		seen[c.Def] = true
		slowest = max(slowest, period(c))
	}
	if slowest == 0 {
		return 0
	}
	return 1000 / (slowest * whole(widest))
}

// whole is how much slower a fabric is than its slowest PE alone.
func whole(widest int) float64 {
	return clockWhole * (1 + clockWide*float64(max(widest-32, 0))/32)
}

// MHzOf is the clock of a fabric whose slowest PE reaches a frequency alone, placed and routed, in MHz.
func MHzOf(f *arch.Fabric, slowest float64) float64 {
	widest := 0
	for _, c := range f.Comps {
		for _, p := range c.In {
			widest = max(widest, p.Width)
		}
	}
	return slowest / whole(widest)
}

// period is the time of the longest path of a PE in ns.
func period(c *arch.Component) float64 {
	count := 0 // casts are wires, a multiplexer that chooses the result has the word that they take
	for _, u := range c.PE.FUs {
		if !wire(u) {
			count++
		}
	}
	around := clockFixed + clockUnits*math.Log2(float64(max(count, 1))) + clockPorts*float64(max(len(c.In)+len(c.Out)-clockPortsOf, 0))
	if c.PE.ResultFIFO == 0 {
		around += clockSwitch // a path goes on to the next queue
	}
	longest := around
	for _, u := range c.PE.FUs {
		through, alone := 0.0, 0.0
		for _, op := range u.Ops {
			row := u.Row(op)
			r, err := timing.Lookup(timingKey(u, op))
			if err != nil {
				continue // a wire, or as fast as others
			}
			d := r.Delays
			if forward := d[timing.Forward].NS; u.Fused() == nil {
				through += forward
			} else { // one state machine: the operation, and the choice of the state
				through = max(through, forward+clockState)
			}
			stages := 1.0 // measured with the usual number of registers; more of them share the work
			if usual, _ := row.Timing(op.Op, 32); row.Inside && row.Types.Float() && usual > 0 && u.Latency > usual {
				stages = float64(usual) / float64(u.Latency)
			}
			alone = max(alone, d[timing.Inside].NS*stages+timing.FlipFlop, around/2+max(d[timing.Launch].NS, d[timing.Capture].NS*stages))
			if row.Inside && u.Latency == 0 {
				through += max(d[timing.Capture].NS, d[timing.Inside].NS, d[timing.Launch].NS) // without registers
			}
		}
		rest := around
		if u.Latency > 0 {
			rest /= 2 // a path begins or ends at a register inside
		}
		longest = max(longest, rest+clockLogic*through/float64(max(u.Latency, 0)+1), alone)
	}
	return longest
}

// wire reports whether a unit has no logic of its own.
func wire(u *arch.FunctionUnit) bool {
	op := u.Single()
	if op == nil || u.Row(op).Class != units.Datapath {
		return false
	}
	r, err := timing.Lookup(timingKey(u, op))
	return err == nil && r.Delays[timing.Forward].NS == 0 && !u.Row(op).Inside
}

// timingKey is the row of the table of delays for an operation.
func timingKey(u *arch.FunctionUnit, op *arch.FUOp) timing.Key {
	row := u.Row(op)
	if x := u.Fused(); x != nil && x.Kind == arch.FusedPresent && op == u.Ops[x.Compute] && slices.Contains(units.Extremes, op.Op.Name) {
		row = units.ByMnemonic("addi") // the choice is made a cycle later: what is left is a carry chain
	}
	k := timing.Key{Module: row.Module}
	for _, p := range u.In {
		k.Width = max(k.Width, dataBits(p))
	}
	switch {
	case row.Types.Float():
		k.Width = units.FloatWidth(op.Op)
	case row.Module == "loom_stream":
		k.Variant = "+="
	}
	if row.Class == units.Datapath && !row.Inside {
		k.N = len(row.In)
	}
	return k
}

// Blocks estimates the DSP blocks and the block RAMs (of 36 kbit) of a fabric: the multipliers of PEs, as
// measured alone, and on-chip memories, of which those of up to 1024 bits are LUT RAM.
func Blocks(f *arch.Fabric) (dsps, brams int) {
	const lutRAM, blockRAM = 1024, 36 * 1024
	for _, c := range f.Comps {
		if c.OnChip() {
			if bits := c.Mem.Elements * int64(c.Mem.ElemWidth); bits > lutRAM {
				brams += int((bits + blockRAM - 1) / blockRAM)
			}
		}
		seen := map[timing.Key]bool{} // units of one kind share their hardware
		for _, u := range c.Units() {
			for _, op := range u.Ops {
				k := timingKey(u, op)
				if r, err := timing.Lookup(k); err == nil && !seen[k] {
					seen[k] = true
					dsps += r.DSP
				}
			}
		}
	}
	return dsps, brams
}
