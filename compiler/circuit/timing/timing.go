// Package timing is the table of unit delays: how long the signals of each module of the
// RTL library take, and how many cells it is, as measured by synthesis, placement and
// routing of the module alone between registers (measure_test.go; LOOM_UPDATE=1 writes
// table.go). What places the buffers of direct circuits reads it.
//
// A path through a circuit is a register's launch, any number of units, and a capture.
// Its delay is at most FlipFlop and the sum of the parts: in a circuit look-up tables of
// neighbours merge, which a sum does not know.
package timing

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
)

// Device is what was measured: a part and its speed grade.
const Device = "Lattice ECP5 (LFE5U), speed grade 6"

// FlipFlop is the time from a clock edge to the output of a register in ns; no other
// number contains it.
const FlipFlop = 0.52

// Path is a class of combinational paths of a unit. Forward signals are valid and data,
// backward ones ready.
type Path int

// The paths. A unit's direction rule forbids one from ready to valid or data.
const (
	Forward       Path = iota // valid and data of operands to valid and data of results
	Backward                  // ready of results to ready of operands
	Through                   // valid and data of operands to ready of operands
	Launch                    // the unit's registers to valid and data of results
	LaunchReady               // the unit's registers to ready of operands
	Capture                   // valid and data of operands to the unit's registers
	CaptureReady              // ready of results to the unit's registers
	Inside                    // the unit's registers to the unit's registers
	NumberOfPaths = iota
)

var pathNames = [NumberOfPaths]string{"forward", "backward", "through", "launch", "launch ready", "capture", "capture ready", "inside"}

func (p Path) String() string { return pathNames[p] }

// Delay is that of the longest path of a class; both are zero where there is none.
type Delay struct {
	// Levels are look-up tables in a row; a carry chain is one, a multiplier block, too.
	Levels float64
	// NS is the time in nanoseconds, with the routing between the cells and to the first,
	// without FlipFlop.
	NS float64
}

// Key says which unit a row is of.
type Key struct {
	// Module is the module of the RTL library. A loom_op_… stands inside a loom_fu without
	// registers; one with its registers inside, a loom_float_…, in one that tells them when to move, with
	// as many of them as it has in direct circuits.
	Module string
	// Variant tells rows of one module apart:
	//   loom_op_cmpi        "" a comparison of order, "eq" of equality
	//   loom_stream         its step operator ("+=", …); behind it "step" where the step is a
	//                       number, "step, bound" where both are; behind that "ahead" for one
	//                       with LOOKAHEAD
	Variant string
	// Width is the number of bits of data, of conversions those of the float; 0 where the unit's delays do not
	// depend on it.
	Width int
	// N is the number of outputs of a fork, of inputs of a join or mux, of slots of a buffer,
	// of operands of a loom_op_… that are channels (the others are numbers); else 0.
	N int
}

// Row is a unit as measured.
type Row struct {
	Key
	Delays [NumberOfPaths]Delay
	// LUT, FF and DSP are what yosys synth_xilinx makes of the unit alone, RAM its cells of
	// distributed RAM.
	LUT, FF, RAM, DSP int
}

// wires are the modules without a cell: they pass valid, ready and bits of data on.
var wires = []string{"loom_constant", "loom_op_extsi", "loom_op_extui", "loom_op_index_cast", "loom_op_index_castui", "loom_op_trunci",
	"loom_op_bitreverse", "loom_op_negf", "loom_op_absf", "loom_op_copysign", "loom_op_bitcast"}

// same are modules, and step operators of a loom_stream, whose circuit is that of another
// but for the values in its look-up tables.
var same = map[string]string{
	"loom_op_ori": "loom_op_andi", "loom_op_xori": "loom_op_andi",
	"loom_op_maxsi": "loom_op_minsi", "loom_op_minui": "loom_op_minsi", "loom_op_maxui": "loom_op_minsi",
	"loom_op_shrui": "loom_op_shli",
	"-=":            "+=", ">>=": "<<=",
}

// Lookup gives the delays and cells of a unit. Between the widths and numbers that were
// measured it interpolates, beyond them it goes on with the last slope; levels and cells
// are rounded up. The error names a module or variant that is not in the table.
func Lookup(k Key) (Row, error) {
	if slices.Contains(wires, k.Module) {
		return Row{Key: k}, nil
	}
	module, variant := k.Module, k.Variant
	if m := same[module]; m != "" {
		module = m
	}
	if op, rest, _ := strings.Cut(variant, " "); same[op] != "" {
		variant = strings.TrimSpace(same[op] + " " + rest)
	}
	curves := map[int][]Row{} // by N,
	for _, r := range rows {
		if r.Module == module && r.Variant == variant {
			curves[r.N] = append(curves[r.N], r)
		}
	}
	if len(curves) == 0 {
		return Row{}, fmt.Errorf("the table of delays has no row for %s %q", k.Module, k.Variant)
	}
	var across []Row
	for _, c := range curves {
		across = append(across, along(c, float64(k.Width), func(r Row) float64 { return float64(r.Width) }))
	}
	out := along(across, float64(k.N), func(r Row) float64 { return float64(r.N) })
	out.Key = k
	for i := range out.Delays {
		out.Delays[i].Levels = math.Ceil(out.Delays[i].Levels - 1e-9)
	}
	return out, nil
}

// along is the value at a position of a curve through points.
func along(points []Row, at float64, position func(Row) float64) Row {
	sort.Slice(points, func(i, j int) bool { return position(points[i]) < position(points[j]) })
	if len(points) == 1 {
		return points[0]
	}
	i := sort.Search(len(points)-2, func(i int) bool { return position(points[i+1]) >= at })
	a, b := points[i], points[i+1]
	f := (at - position(a)) / (position(b) - position(a))
	mix := func(x, y float64) float64 { return max(x+(y-x)*f, 0) }
	cells := func(x, y int) int { return int(math.Ceil(mix(float64(x), float64(y)) - 1e-9)) }
	out := a
	for p := range out.Delays {
		out.Delays[p] = Delay{mix(a.Delays[p].Levels, b.Delays[p].Levels), math.Round(mix(a.Delays[p].NS, b.Delays[p].NS)*1000) / 1000}
	}
	out.LUT, out.FF, out.RAM, out.DSP = cells(a.LUT, b.LUT), cells(a.FF, b.FF), cells(a.RAM, b.RAM), cells(a.DSP, b.DSP)
	return out
}
