package token

import (
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/recurrence"
)

// Timing is what a timed run measured.
type Timing struct {
	// Cycles is when the results were delivered, -1 when they were not; Rest is
	// when nothing moved any more.
	Cycles, Rest int64
	Loops        []LoopTiming
}

// LoopTiming is one loop of the graph.
type LoopTiming struct {
	recurrence.Loop
	// Activations are starts of the loop, Iterations runs of its body.
	Activations, Iterations int64
	// Cycles per Spent iterations is the interval in the steady state of the
	// longest activation, where the loop is slowest; both 0 when no activation had
	// two iterations.
	Cycles, Spent int64
	// Bound is what the loop's recurrences allow in this run: where loops inside of
	// it have their least number of iterations in this run, and branches take the
	// directions that they took in it.
	Bound recurrence.Bound
	// InnerCycles per InnerSpent iterations is what the loops inside need on
	// average, at their own bounds, for as many iterations as they had in this run;
	// 0 per 1 for an innermost loop.
	InnerCycles, InnerSpent int64
	// Inner is the loop inside that needs it, -1 for an innermost loop.
	Inner int
}

// timing closes the measurement.
func (c *clock) timing(p *Program, model latency.Model) *Timing {
	t := &Timing{Cycles: c.returned, Rest: c.now}
	for _, loop := range c.nest.Loops {
		t.Loops = append(t.Loops, LoopTiming{Loop: loop, Inner: -1, InnerSpent: 1})
	}
	trips := make([]int64, len(t.Loops))
	for l := range trips {
		trips[l] = -1
	}
	for _, m := range c.meters {
		if m == nil {
			continue
		}
		m.End()
		l := &t.Loops[m.loop]
		if m.Iterations > 0 && (l.Spent == 0 || m.Cycles*l.Spent > l.Cycles*m.Iterations) {
			l.Cycles, l.Spent = m.Cycles, m.Iterations
		}
		l.Activations = max(l.Activations, m.Activations)
		l.Iterations = max(l.Iterations, m.Total())
		if n := m.Fewest(); n >= 0 && (trips[m.loop] < 0 || n < trips[m.loop]) {
			trips[m.loop] = n
		}
	}
	for l, b := range recurrence.Bounds(p.fn, c.nest, recurrence.Graph(model), &recurrence.Seen{Trips: trips, Untaken: c.untaken(p)}) {
		t.Loops[l].Bound = b
	}
	for i := range t.Loops {
		t.inner(i)
	}
	return t
}

// untaken are the data inputs of muxes that fired, but never took them.
func (c *clock) untaken(p *Program) map[ir.Use]bool {
	out := map[ir.Use]bool{}
	for id, taken := range c.taken {
		for side := 1; side <= 2 && taken != 0; side++ {
			if taken>>side&1 == 0 {
				out[ir.Use{Op: p.actors[id].op, Index: side}] = true
			}
		}
	}
	return out
}

// inner finds what the loops inside of loop l need per iteration of it. A loop of
// N iterations at its bound keeps its slowest recurrence busy from the first
// output to the one before the next activation: N intervals, or N-1 where the
// recurrence is one of the gated condition, and a cycle.
func (t *Timing) inner(l int) {
	outer := &t.Loops[l]
	if outer.Iterations == 0 {
		return
	}
	for i := range t.Loops {
		in := &t.Loops[i]
		if in.Bound.Stuck || !t.inside(i, l) {
			continue
		}
		rounds := in.Iterations
		if in.Bound.Gated {
			rounds -= in.Activations
		}
		// rounds·c/t + activations, per outer iteration.
		cycles := rounds*int64(in.Bound.Cycles) + in.Activations*int64(in.Bound.Tokens)
		spent := outer.Iterations * int64(in.Bound.Tokens)
		if cycles*outer.InnerSpent > outer.InnerCycles*spent {
			outer.InnerCycles, outer.InnerSpent, outer.Inner = cycles, spent, i
		}
	}
}

func (t *Timing) inside(i, l int) bool {
	for p := t.Loops[i].Parent; p >= 0; p = t.Loops[p].Parent {
		if p == l {
			return true
		}
	}
	return false
}

// Interval is the measured interval, 0 when there is none.
func (l *LoopTiming) Interval() float64 {
	if l.Spent == 0 {
		return 0
	}
	return float64(l.Cycles) / float64(l.Spent)
}

// Least is the interval that the bound and the loops inside allow, as cycles per
// iterations.
func (l *LoopTiming) Least() (cycles, iterations int64) {
	c, n := int64(l.Bound.Cycles), int64(l.Bound.Tokens)
	if l.Bound.Stuck || l.InnerCycles*n > c*l.InnerSpent {
		return l.InnerCycles, l.InnerSpent
	}
	return c, n
}

// Reached reports whether the measured interval is the least one.
func (l *LoopTiming) Reached() bool {
	c, n := l.Least()
	return l.Cycles*n == c*l.Spent
}
