// Package choice decides onto which of several fabrics a kernel is mapped where its user names none: the one with
// the least area × time. Area is LUTs. Time is what one iteration of every innermost loop takes by the intervals
// that the mapping promises and by the clock of the fabric: how often each loop runs depends on inputs that nobody
// has given, and other ways to weigh the loops choose the same fabrics (RATIONALE.md).
package choice

import (
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/compiler/recurrence"
)

// Fabric is a fabric, as far as it counts.
type Fabric struct {
	LUTs int
	// MHz is its clock.
	MHz float64
}

// Cycle is what a cycle takes of area and time, in LUT × µs.
func (f Fabric) Cycle() float64 { return float64(f.LUTs) / f.MHz }

// Fit is a mapping, as far as it counts.
type Fit struct {
	// Interval is the sum of the intervals that the innermost loops have, in cycles; 0 without loops.
	Interval float64
	// Bound is the same sum as the recurrences of the graph allow it, whatever the fabric.
	Bound float64
	// Temporal tells that temporal PEs execute some of the operations.
	Temporal bool
}

// Of returns what counts of a mapping of the graph, with the memory that its intervals are for.
func Of(fn *ir.Operation, m *mapping.Mapping, memory latency.Model) Fit {
	fit := Fit{Interval: m.Timing.Interval()}
	bounds := recurrence.Bounds(fn, recurrence.FindLoops(fn), recurrence.Mapped(memory, m.Inner(fn)), nil)
	for i, l := range m.Timing.Loops {
		if !l.Innermost || l.II.Tokens == 0 {
			continue
		}
		bound := 1.0 // an operation fires once per cycle
		if b := bounds[i]; !b.Stuck && b.Tokens > 0 {
			bound = max(bound, float64(b.Cycles)/float64(b.Tokens))
		}
		fit.Bound += bound
	}
	for _, g := range m.Groups {
		fit.Temporal = fit.Temporal || g.Instruction != nil
	}
	return fit
}

// Search is the state of a search for the fabric with the least area × time. It asks for fabrics in the order of
// their area.
type Search struct {
	found, spatial bool
	// best is the least area × time so far, expected the interval that other fabrics are expected to have.
	best, expected float64
}

// Worth reports whether the fabric may be the best one. Until one has taken the kernel every fabric may. From
// then on another one has to win with the interval that can be expected of it. That is the interval of a mapping
// without temporal PEs, as other fabrics have the same spatial PEs and ways between them; while there is none, it is
// the bound of the graph.
func (s *Search) Worth(f Fabric) bool { return !s.found || f.Cycle()*s.expected < s.best }

// Add takes note of a mapping onto the fabric, and reports whether it is the best one so far. Of equal ones the
// first is, and also where a later one has no intervals to compare.
func (s *Search) Add(f Fabric, fit Fit) bool {
	switch {
	case !fit.Temporal && (!s.spatial || fit.Interval < s.expected):
		s.spatial, s.expected = true, fit.Interval
	case !s.found:
		s.expected = fit.Bound
	}
	areaTime := f.Cycle() * fit.Interval
	if s.found && (areaTime >= s.best || fit.Interval == 0) {
		return false
	}
	s.found, s.best = true, areaTime
	return true
}
