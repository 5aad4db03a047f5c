package check

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/mapping"
)

// settings checks that the settings are exactly those that units and routes
// need.
func (c *checker) settings() {
	c.switchSettings()
	c.peSettings()
	c.temporalSettings()
}

// dropped lists the switch inputs where values arrive that nothing reads.
func (c *checker) dropped() map[[2]int]bool {
	drop := map[[2]int]bool{}
	add := func(t terminal) {
		from, ok := c.start(t)
		if !ok || len(c.g.readers[t]) > 0 {
			return
		}
		for ch := c.outChannel(from); ch != nil; {
			x := ch.Dst.Comp
			if _, delays := queue(x); delays {
				ch = x.Out[0].Chan
				continue
			}
			switch {
			case x == nil:
				if ch.Dst.Port >= 0 {
					c.fail(t.Op, "%s, which nothing reads, arrives at a boundary output", c.g.describe(t, true))
				}
				return
			case x.Kind == arch.SpatialSwitch:
				drop[[2]int{x.ID, ch.Dst.Port}] = true
			default:
				c.fail(t.Op, "%s, which nothing reads, arrives at %s '%s', where it cannot be dropped", c.g.describe(t, true), x.Kind, x.Name)
			}
			return
		}
	}
	for i, op := range c.g.ops {
		if c.g.isMemory(i) {
			for k := range op.Results() {
				add(terminal{i, k})
			}
		}
	}
	add(terminal{-1, len(c.g.args) - 1})
	return drop
}

func (c *checker) switchSettings() {
	drop := c.dropped()
	set, dis := map[[3]int]bool{}, map[[2]int]bool{}
	seen := map[string]bool{}
	for _, s := range c.m.Switches {
		x := c.comps[s.Comp]
		if x == nil || x.Kind != arch.SpatialSwitch || seen[s.Comp] {
			c.fail(-1, "the setting of '%s' is no switch's, or its second", s.Comp)
			continue
		}
		seen[s.Comp] = true
		outputs := map[int]bool{}
		for _, r := range s.Routes {
			key := [3]int{x.ID, r[0], r[1]}
			if outputs[r[0]] {
				c.fail(-1, "output %d of switch '%s' takes several inputs", r[0], s.Comp)
			}
			outputs[r[0]] = true
			if !c.routes[key] {
				c.fail(-1, "switch '%s' routes input %d to output %d for no edge", s.Comp, r[1], r[0])
			}
			set[key] = true
		}
		for _, i := range s.Discard {
			if !drop[[2]int{x.ID, i}] {
				c.fail(-1, "switch '%s' drops the tokens of input %d for no reason", s.Comp, i)
			}
			dis[[2]int{x.ID, i}] = true
		}
	}
	for _, x := range c.f.Comps {
		if x.Kind != arch.SpatialSwitch {
			continue
		}
		for i := range x.In {
			if drop[[2]int{x.ID, i}] && !dis[[2]int{x.ID, i}] {
				c.fail(-1, "input %d of switch '%s' gets tokens that nothing reads and does not drop them", i, x.Name)
			}
			for o := range x.Out {
				if k := [3]int{x.ID, o, i}; c.routes[k] && !set[k] {
					c.fail(-1, "switch '%s' does not route input %d to output %d although an edge needs it", x.Name, i, o)
				}
			}
		}
	}
}

func (c *checker) peSettings() {
	byComp := map[string]mapping.PE{}
	for _, p := range c.m.PEs {
		if _, twice := byComp[p.Comp]; twice {
			c.fail(-1, "PE '%s' is set twice", p.Comp)
		}
		byComp[p.Comp] = p
	}
	for k := range c.m.Groups {
		g := &c.m.Groups[k]
		if c.comps[g.Comp].Kind == arch.TemporalPE {
			continue
		}
		p, ok := byComp[g.Comp]
		if !ok {
			c.fail(g.Ops[0], "PE '%s' has no setting", g.Comp)
			continue
		}
		delete(byComp, g.Comp)
		spec := c.comps[g.Comp].PE
		fu := spec.FUs[g.Opcode]
		in := make([]mapping.Selector, spec.MaxInputs())
		out := make([]mapping.Selector, spec.MaxOutputs())
		for i := range in {
			in[i].Disconnect = true
		}
		for i := range out {
			out[i] = mapping.Selector{Discard: i < len(fu.Out), Disconnect: i >= len(fu.Out)}
		}
		for _, b := range g.Inputs {
			switch m := b.Immediate; {
			case m == nil:
				in[b.Unit] = mapping.Selector{Sel: b.Port}
			case m.Held:
				in[b.Unit] = mapping.Selector{Disconnect: true, Immediate: true, Value: m.Value}
			default:
				in[b.Unit] = mapping.Selector{Sel: b.Port, Immediate: true, Value: m.Value}
			}
		}
		for _, b := range g.Outputs {
			if b.Port >= 0 {
				out[b.Unit] = mapping.Selector{Sel: b.Port}
			}
		}
		if p.Opcode != g.Opcode || !slices.Equal(p.In, in) || !slices.Equal(p.Out, out) || !slices.Equal(p.Fields, g.Fields) {
			c.fail(g.Ops[0], "the setting of PE '%s' is not what group %d needs", g.Comp, g.ID)
		}
	}
	for _, p := range c.m.PEs {
		if _, left := byComp[p.Comp]; left {
			c.fail(-1, "PE '%s' is set although nothing runs there", p.Comp)
		}
	}
}

// liveness checks that every operand that a PE reads has at least one slot of
// its own: behind the last fork on its path, or, without a fork, behind its
// source. Then a consumer that waits cannot hold up the others, as in the graph
// with one-slot channels. Store lanes take address and data together: what waits
// there must not hold up a fork. Memories and load lanes take tokens into queues
// of their own, and the host takes results unconditionally.
func (c *checker) liveness() {
	fan := map[[2]int]int{}
	for _, s := range c.m.Switches {
		for _, r := range s.Routes {
			fan[[2]int{c.comps[s.Comp].ID, r[1]}]++
		}
	}
	for _, e := range c.m.Edges {
		if e.Kind != mapping.Routed {
			continue
		}
		slots, forked := 0, false
		for _, s := range e.Steps[1 : len(e.Steps)-1] {
			x := c.comps[s.Comp]
			tokens, delays := queue(x)
			switch {
			case delays && !c.bypassed[x.ID]:
				slots += tokens
			case x.Kind == arch.SpatialSwitch && fan[[2]int{x.ID, s.In}] > 1:
				slots, forked = 0, true
			}
		}
		x := c.comps[e.Steps[len(e.Steps)-1].Comp]
		slots += operandQueue(x)
		switch {
		case x != nil && x.Kind == arch.TemporalPE:
			// Every operand has a place of its own, and late excludes what could hold others up.
		case x != nil && slots == 1 && c.g.source[terminal(e.Dst)].constant >= 0:
			// The token of the control and that of the constant have a slot each in the graph.
			c.fail(e.Dst.Op, "%s is paced by the control of a constant and has one slot at PE '%s', it needs two", c.g.describe(terminal(e.Dst), false), x.Name).
				WithHelp("the fabric needs FIFOs of two slots at the inputs of its PEs")
		case slots > 0 || x == nil:
		case x.Kind == arch.SpatialPE && x.PE.FixedPorts && c.g.isMemory(e.Src.Op) && !forked:
			// Data for the unit that asked for them, as to the place where they are used.
		case x.Kind == arch.SpatialPE:
			c.fail(e.Dst.Op, "%s has no buffer of its own between the last fork and PE '%s'", c.g.describe(terminal(e.Dst), false), x.Name).
				WithHelp("the fabric needs a FIFO at the inputs of its PEs, or an operand_fifo in them")
		case x.Kind == arch.StoreLane && forked:
			c.fail(e.Dst.Op, "%s has no buffer of its own between the last fork and store lane '%s'", c.g.describe(terminal(e.Dst), false), x.Name).
				WithHelp("the fabric needs a FIFO at the inputs of its store lanes")
		}
	}
}
