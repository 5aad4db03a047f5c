// Package cost estimates what a fabric takes on an FPGA, component by component, without
// synthesis: look-up tables and flip-flops, in microseconds.
//
// A component has features, numbers that follow from its parameters (the inputs of a
// multiplexer times the bits of a word, the units of a PE), and its cost is a weighted sum of
// them. The weights of each class of component are fitted by least squares to what Yosys makes
// of the shipped fabrics and of random ones without floating point (table.go, written by LOOM_COST=1 LOOM_UPDATE=1 go
// test ./rtlgen -run TestCost); fabrics that were not fitted are then within 10 %. Places for many accesses on
// their way are not fitted but measured (deep.go).
//
// Figures are those of docs/architecture.md: Yosys synth_xilinx, each component flattened for
// itself; look-up tables are LUT1 to LUT6, without those that are memory.
package cost

import (
	"maps"
	"math"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/circuit/timing"
	"loom/compiler/config"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// Cells are what a piece of hardware takes.
type Cells struct {
	LUTs int `json:"luts"`
	FFs  int `json:"ffs"`
}

// Add adds cells.
func (c *Cells) Add(d Cells) { c.LUTs, c.FFs = c.LUTs+d.LUTs, c.FFs+d.FFs }

// Weight is what a feature costs, in LUTs and flip-flops.
type Weight struct{ LUTs, FFs float64 }

// Class is a group of components whose costs follow from the same features.
type Class string

// The classes. Glue is what stands around the components: buses, errors, configuration.
const (
	PE     Class = "PEs"
	Switch Class = "switches"
	Queue  Class = "FIFOs"
	Memory Class = "memories"
	Bridge Class = "bridges"
	Shared Class = "shared units"
	Glue   Class = "glue"
	Config Class = "configuration"
)

// Classes lists the classes in the order of reports.
func Classes() []Class { return []Class{PE, Shared, Switch, Queue, Memory, Bridge, Config, Glue} }

// Features are named numbers, of which a cost is a weighted sum.
type Features map[string]float64

// Weights are what each feature costs.
type Weights map[string]Weight

// Of is the weighted sum. It is never negative.
func (w Weights) Of(f Features) Cells {
	var c Weight
	for _, name := range slices.Sorted(maps.Keys(f)) {
		c.LUTs += w[name].LUTs * f[name]
		c.FFs += w[name].FFs * f[name]
	}
	whole := func(x float64) int { return int(math.Round(math.Max(x, 0))) }
	return Cells{whole(c.LUTs), whole(c.FFs)}
}

// Component is the estimate of one component.
func Component(c *arch.Component) Cells {
	cells := table[ClassOf(c)].Of(FeaturesOf(c))
	cells.Add(Measured(c))
	return cells
}

// Measured are the cells of a component that are not fitted but measured: floating-point units, and
// places for more accesses on their way than the fitted fabrics have.
func Measured(c *arch.Component) Cells {
	cells := floats(c)
	cells.Add(deep(c))
	return cells
}

// floats are the cells of the floating-point units of a PE, which are not fitted: those of the modules
// alone, as measured with the delays of units (package timing). Units of one module, type and latency
// are one.
func floats(c *arch.Component) Cells {
	var sum Cells
	if c.PE == nil {
		return sum
	}
	seen := map[timing.Key]bool{}
	for k, u := range c.PE.FUs {
		if c.SharedUnits != "" && c.PE.IterativeOf(k) != nil {
			continue // outside of the PE
		}
		for _, op := range u.Ops {
			sum.Add(float(u, op, seen))
		}
	}
	return sum
}

// float is what an operation of floats adds to what has been seen.
func float(u *arch.FunctionUnit, op *arch.FUOp, seen map[timing.Key]bool) (sum Cells) {
	row := u.Row(op)
	if !row.Types.Float() {
		return sum
	}
	if op.Op.Name == opname.DataflowAccumulate {
		// The parts are in the registers of the operation; beside it, the word that waits, in front of an operand.
		w := units.FloatWidth(op.Op)
		if own := (timing.Key{Module: row.Module, Width: w}); !seen[own] {
			seen[own] = true
			sum.Add(Cells{LUTs: w + 26, FFs: w + 6})
		}
		row = units.ByMnemonic(op.Op.StrAttr("operation"))
	}
	k := timing.Key{Module: row.Module, Width: units.FloatWidth(op.Op)}
	if row.Class == units.Datapath && !row.Inside {
		k.N = len(row.In)
	}
	if seen[k] {
		return sum
	}
	seen[k] = true
	if r, err := timing.Lookup(k); err == nil {
		sum.Add(Cells{LUTs: r.LUT, FFs: r.FF})
	}
	return sum
}

// Estimate is that of a fabric.
type Estimate struct {
	Total Cells `json:"total"`
	// By has the cells of each class that the fabric has, Count the number of components.
	By    map[Class]Cells `json:"by"`
	Count map[Class]int   `json:"count"`
	// PEs is the number of PEs.
	PEs int `json:"pes"`
}

// PerPE is the number of look-up tables of the whole fabric for each PE.
func (e *Estimate) PerPE() int { return e.Total.LUTs / max(e.PEs, 1) }

// Fabric estimates <adg>_fabric: all components, with the configuration chain, the bus masters
// and the collection of errors around them.
func Fabric(f *arch.Fabric, l *config.Layout) *Estimate {
	e := &Estimate{By: map[Class]Cells{}, Count: map[Class]int{}}
	add := func(k Class, c Cells) {
		sum := e.By[k]
		sum.Add(c)
		e.By[k] = sum
		e.Total.Add(c)
	}
	for _, c := range f.Comps {
		add(ClassOf(c), Component(c))
		e.Count[ClassOf(c)]++
		if c.GeneralPE() {
			e.PEs++
		}
	}
	for _, group := range f.Sharers() {
		for _, hw := range group[0].PE.Iterative() {
			add(Shared, sharedUnit(group[0].PE, hw, len(group)))
			e.Count[Shared]++
		}
	}
	add(Config, Cells{FFs: l.WordCount * config.WordBits})
	add(Glue, table[Glue].Of(GlueOf(f)))
	add(Glue, masters(f))
	return e
}
