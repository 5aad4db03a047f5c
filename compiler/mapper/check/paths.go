package check

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/mapping"
)

// edges checks that the mapping's edges are the graph's, each once, and follows
// every routed one through the fabric.
func (c *checker) edges() {
	seen := map[terminal]bool{}
	for k := range c.m.Edges {
		e := &c.m.Edges[k]
		dst := terminal(e.Dst)
		want := c.g.source[dst]
		if want == nil {
			c.fail(e.Dst.Op, "edge %d feeds %s, which no channel feeds", k, c.g.describe(dst, false))
			continue
		}
		if want.held {
			c.fail(e.Dst.Op, "edge %d feeds %s, which is held", k, c.g.describe(dst, false))
			continue
		}
		if seen[dst] {
			c.fail(e.Dst.Op, "%s has two edges", c.g.describe(dst, false))
			continue
		}
		seen[dst] = true
		if terminal(e.Src) != want.src || !slices.Equal(e.Through, want.through) {
			c.fail(e.Dst.Op, "%s is fed by %s, in the kernel by %s", c.g.describe(dst, false),
				c.g.describe(terminal(e.Src), true), c.g.describe(want.src, true))
			continue
		}
		if e.Width != want.width {
			c.fail(e.Dst.Op, "%s needs %d bits, the edge has %d", c.g.describe(dst, false), want.width, e.Width)
		}
		inside := want.src.Op >= 0 && want.dst.Op != c.g.ret && c.groupOf[want.src.Op] != nil &&
			c.groupOf[want.src.Op] == c.groupOf[want.dst.Op] && !c.bound(want.dst)
		switch {
		case inside && e.Kind == mapping.IntraFU:
			if len(e.Steps) > 0 || len(e.Through) > 0 || e.Latency != 0 || e.Slots != 0 {
				c.fail(e.Dst.Op, "the edge to %s stays in its unit but has steps", c.g.describe(dst, false))
			}
		case c.within(want) && e.Kind == mapping.TemporalReg:
			if len(e.Steps) > 0 || e.Latency != 0 || e.Slots != 1 {
				c.fail(e.Dst.Op, "the edge to %s stays in its temporal PE, and has steps, or not one slot", c.g.describe(dst, false))
			}
		case inside || c.within(want) || e.Kind != mapping.Routed:
			c.fail(e.Dst.Op, "the edge to %s is of kind %q", c.g.describe(dst, false), e.Kind)
		default:
			c.path(e, want)
		}
	}
	for i := range c.g.ops {
		for k := range c.g.ops[i].Operands() {
			if t := (terminal{i, k}); c.g.source[t] != nil && !c.g.source[t].held && !seen[t] {
				c.fail(i, "%s has no edge", c.g.describe(t, false))
			}
		}
	}
}

// bound reports whether an operand is fed at an input of its unit.
func (c *checker) bound(t terminal) bool {
	for _, in := range c.groupOf[t.Op].Inputs {
		if in.Op == t.Op && in.Operand == t.Port {
			return true
		}
	}
	return false
}

// together reports whether one input of a unit feeds two operands; that both read one value has
// been checked.
func (c *checker) together(a, b terminal) bool {
	input := func(t terminal) int {
		if t.Op >= 0 && t.Op != c.g.ret && c.groupOf[t.Op] != nil {
			for _, in := range c.groupOf[t.Op].Inputs {
				if in.Op == t.Op && in.Operand == t.Port {
					return in.Unit
				}
			}
		}
		return -1
	}
	if to := c.sharedInput(a); to != nil && to == c.sharedInput(b) {
		return true // operands of instructions that read one value at one input
	}
	x := input(a)
	return x >= 0 && x == input(b) && c.groupOf[a.Op] == c.groupOf[b.Op]
}

// start is the output port at which a value leaves, end the input port at which
// an operand arrives.
func (c *checker) start(t terminal) (arch.Endpoint, bool) {
	switch {
	case t.Op < 0:
		port := c.m.Start.Port
		if t.Port < len(c.m.Args) {
			port = c.m.Args[t.Port].Port
		}
		i, ok := c.inputs[port]
		return arch.Endpoint{Port: i}, ok
	case c.g.isMemory(t.Op):
		return c.atSite(t, true)
	case c.groupOf[t.Op] != nil:
		for _, out := range c.groupOf[t.Op].Outputs {
			if out.Op == t.Op && out.Result == t.Port && out.Port >= 0 {
				return arch.Endpoint{Comp: c.comps[c.groupOf[t.Op].Comp], Port: out.Port}, true
			}
		}
	}
	return arch.Endpoint{}, false
}

func (c *checker) end(t terminal) (arch.Endpoint, bool) {
	switch {
	case t.Op == c.g.ret:
		port := c.m.Done.Port
		if t.Port < len(c.m.Results) {
			port = c.m.Results[t.Port].Port
		}
		i, ok := c.outputs[port]
		return arch.Endpoint{Port: i}, ok
	case c.g.isMemory(t.Op):
		return c.atSite(t, false)
	case c.groupOf[t.Op] != nil:
		for _, in := range c.groupOf[t.Op].Inputs {
			if in.Op == t.Op && in.Operand == t.Port {
				return arch.Endpoint{Comp: c.comps[c.groupOf[t.Op].Comp], Port: in.Port}, true
			}
		}
	}
	return arch.Endpoint{}, false
}

// atSite is the port that connects a result or operand of a memory to the routed
// part of the fabric.
func (c *checker) atSite(t terminal, result bool) (arch.Endpoint, bool) {
	a, family := c.g.accessOf(t.Op, result, t.Port)
	x := c.siteOf[a]
	if x == nil {
		return arch.Endpoint{}, false
	}
	p := sitePort(x, family)
	return arch.Endpoint{Comp: x, Port: p}, p >= 0
}

// outChannel is the channel at an output port or boundary input.
func (c *checker) outChannel(e arch.Endpoint) *arch.Channel {
	if e.Comp == nil {
		return c.f.Inputs[e.Port].Chan
	}
	if e.Port < 0 || e.Port >= len(e.Comp.Out) {
		return nil
	}
	return e.Comp.Out[e.Port].Chan
}

// path follows the steps of an edge and claims every channel.
func (c *checker) path(e *mapping.Edge, want *edge) {
	name := c.g.describe(want.dst, false)
	from, ok1 := c.start(want.src)
	to, ok2 := c.end(want.dst)
	if !ok1 || !ok2 {
		c.fail(want.dst.Op, "the edge to %s starts or ends at nothing that is placed", name)
		return
	}
	if len(e.Steps) < 2 {
		c.fail(want.dst.Op, "the edge to %s has no route", name)
		return
	}
	first, last := e.Steps[0], e.Steps[len(e.Steps)-1]
	if !c.stepIs(first, from.Comp, true, from.Port) || first.In != -1 || first.Out != from.Port {
		c.fail(want.dst.Op, "the route to %s does not start where %s leaves", name, c.g.describe(want.src, true))
		return
	}
	if !c.stepIs(last, to.Comp, false, to.Port) || last.Out != -1 || last.In != to.Port {
		c.fail(want.dst.Op, "the route to %s does not end where the operand is read", name)
		return
	}
	latency, slots := 0, 0
	at := from
	for k, s := range e.Steps[1:] {
		ch := c.outChannel(at)
		if ch == nil {
			c.fail(want.dst.Op, "the route to %s uses an unconnected port (step %d)", name, k+1)
			return
		}
		width := ch.Width
		if at.Comp != nil {
			width = min(width, at.Comp.Out[at.Port].Width)
		}
		if !c.stepIs(s, ch.Dst.Comp, false, ch.Dst.Port) || s.In != ch.Dst.Port {
			c.fail(want.dst.Op, "the route to %s jumps: channel '%s' does not lead to step %d", name, ch.Name, k+1)
			return
		}
		if x := ch.Dst.Comp; x != nil {
			width = min(width, x.In[ch.Dst.Port].Width)
		}
		if width < e.Width {
			c.fail(want.dst.Op, "channel '%s' carries %d bits, %s needs %d", ch.Name, width, name, e.Width)
		}
		if owner, taken := c.owner[ch.ID]; taken && owner != want.src {
			c.fail(want.dst.Op, "channel '%s' carries both %s and %s", ch.Name, c.g.describe(owner, true), c.g.describe(want.src, true))
		}
		c.owner[ch.ID] = want.src
		x := ch.Dst.Comp
		if k == len(e.Steps)-2 {
			if n := operandQueue(x); n > 0 {
				latency++
				slots += n
			}
			break
		}
		if x == nil || s.Out < 0 || s.Out >= len(x.Out) {
			c.fail(want.dst.Op, "the route to %s passes step %d, which has no such output", name, k+1)
			return
		}
		tokens, delays := queue(x)
		switch {
		case x.Kind == arch.SpatialSwitch:
			if !x.Switch.Connect[s.Out][s.In] {
				c.fail(want.dst.Op, "switch '%s' does not connect input %d with output %d", x.Name, s.In, s.Out)
				return
			}
			c.routes[[3]int{x.ID, s.Out, s.In}] = true
		case delays:
			if !c.bypassed[x.ID] {
				latency++
				slots += tokens
			}
		default:
			c.fail(want.dst.Op, "the route to %s passes through %s '%s'", name, x.Kind, x.Name)
			return
		}
		at = arch.Endpoint{Comp: x, Port: s.Out}
	}
	if latency != e.Latency || slots != e.Slots {
		c.fail(want.dst.Op, "the route to %s has %d registers and %d slots, the mapping states %d and %d", name, latency, slots, e.Latency, e.Slots)
	}
	if other, taken := c.sinkPort[to]; taken && !c.together(other, want.dst) {
		c.fail(want.dst.Op, "%s and %s are read at one port", name, c.g.describe(other, false))
	}
	c.sinkPort[to] = want.dst
}

// stepIs reports whether a step names the component, or with comp nil the
// boundary port.
func (c *checker) stepIs(s mapping.Step, comp *arch.Component, input bool, port int) bool {
	if comp != nil {
		return s.Comp == comp.Name && s.Boundary == ""
	}
	if s.Comp != "" || port < 0 {
		return false
	}
	if input {
		return port < len(c.f.Inputs) && s.Boundary == c.f.Inputs[port].Name
	}
	return port < len(c.f.Outputs) && s.Boundary == c.f.Outputs[port].Name
}
