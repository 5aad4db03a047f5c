package rtlgen

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// kind describes a kind of component to the generator; the template named after the
// kind lays out an instance.
type kind struct {
	// Idle and Errors are set when the module has the ports idle, and err_valid and
	// err_code.
	Idle, Errors bool
	// connect adds the ports of the module.
	connect func(g *generator, x *component)
}

// kinds is the table of component kinds.
var kinds = map[arch.Kind]kind{
	arch.SpatialSwitch:  {true, true, (*generator).crossbar},
	arch.TemporalSwitch: {true, true, (*generator).crossbar},
	arch.SpatialPE:      {false, false, (*generator).spatialPE},
	arch.FIFO:           {true, false, (*generator).through},
	arch.AddTag:         {false, false, (*generator).through},
	arch.DelTag:         {false, false, (*generator).through},
	arch.MapTag:         {false, true, (*generator).through},
	arch.LoadLane:       {true, false, (*generator).loadLane},
	arch.StoreLane:      {true, false, (*generator).storeLane},
	arch.Memory:         {true, true, (*generator).memory},
	arch.ExtMemory:      {true, true, (*generator).memory},
}

// component makes the view of one component.
func (g *generator) component(c *arch.Component) *component {
	x := &component{Component: c, kind: kinds[c.Kind], Stem: g.comps[c.ID], Slice: g.slice(c)}
	x.connect(g, x)
	return x
}

// slice is the part of the configuration chain that belongs to a component: words enter
// at the last slice and move towards the first.
func (g *generator) slice(c *arch.Component) *slice {
	i := g.layout.SliceOf[c.ID]
	if i < 0 {
		return nil
	}
	s := &slice{Slice: &g.layout.Slices[i], From: "cfg_word", To: g.comps[c.ID] + "__cfg_out"}
	s.Total = s.WordCount * config.WordBits
	if i+1 < len(g.layout.Slices) {
		s.From = g.comps[g.layout.Slices[i+1].Comp.ID] + "__cfg_out"
	}
	if i == 0 {
		s.To = g.comps[c.ID] + "__unused_cfg_out"
	}
	return s
}

// crossbar connects a switch, all of whose module's ports have the widest payload.
func (g *generator) crossbar(x *component) {
	c := x.Component
	for _, p := range slices.Concat(c.In, c.Out) {
		x.Width = max(x.Width, p.Width)
	}
	for i := range c.In {
		g.input(x, fmt.Sprintf("in%d", i), i, x.Width)
	}
	for o := range c.Out {
		g.output(x, fmt.Sprintf("out%d", o), o, x.Width)
	}
}

// through connects a component with one input and one output. A none without tag has one
// bit, as the modules of tags expect.
func (g *generator) through(x *component) {
	in, out := x.Component.In[0].Width, x.Component.Out[0].Width
	if x.Kind == arch.FIFO {
		out = in
	}
	g.input(x, "in", 0, in)
	g.output(x, "out", 0, out)
}

// lane connects the ports of a load or store lane, named in the order of the
// component's; done channels to the kernel have no data.
func (g *generator) lane(x *component, ins, outs [3]string) {
	for k, name := range ins {
		g.input(x, name, k, x.Component.In[k].Width)
	}
	for k, name := range outs {
		g.output(x, name, k, x.Component.Out[k].Width)
		x.Out[k].Token = name == "done"
	}
}

func (g *generator) loadLane(x *component) {
	g.lane(x, [3]string{"addr", "rsp", "done_rsp"}, [3]string{"req", "data", "done"})
}

func (g *generator) storeLane(x *component) {
	g.lane(x, [3]string{"addr", "data", "done_rsp"}, [3]string{"staddr", "stdata", "done"})
}

// memory connects the channels of both port groups of a memory. An absent group has
// idle inputs and outputs that nothing reads.
func (g *generator) memory(x *component) {
	m := x.Mem
	x.Width, x.Address = 1, elementBits(m)
	for _, k := range []int{m.LdAddr, m.StAddr} {
		if k >= 0 {
			x.Width = max(x.Width, x.Component.In[k].Width)
		}
	}
	in := func(port string, k, width int) {
		if k < 0 {
			x.In = append(x.In, g.link(x.Stem, port, nil, width, width, m.TagWidth))
			return
		}
		g.input(x, port, k, width)
	}
	out := func(port string, k, width int, token bool) {
		if k < 0 {
			x.Out = append(x.Out, g.link(x.Stem, port, nil, width, width, m.TagWidth))
		} else {
			g.output(x, port, k, width)
		}
		x.Out[len(x.Out)-1].Token = token
	}
	// The done channels of tagged memories carry the tag alone, those of
	// untagged ones a bit that the module does not have.
	none, token := 0, m.TagWidth == 0
	if token {
		none = 1
	}
	in("ldaddr", m.LdAddr, x.Width)
	out("lddata", m.LdData, m.ElemWidth, false)
	out("lddone", m.LdDone, none, token)
	in("staddr", m.StAddr, x.Width)
	in("stdata", m.StData, m.ElemWidth)
	out("stdone", m.StDone, none, token)
}

// spatialPE connects a PE to its module, which is generated for the first of its kind.
func (g *generator) spatialPE(x *component) {
	x.Module = g.pe(x.Component)
	x.Idle, x.Errors = x.Module.Clocked, x.Module.Errors
	for k, p := range x.Component.In {
		g.input(x, x.Module.In[k], k, p.Width)
	}
	for k, p := range x.Component.Out {
		g.output(x, x.Module.Out[k], k, p.Width)
	}
}
