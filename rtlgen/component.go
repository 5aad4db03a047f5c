package rtlgen

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
)

// kind describes a kind of component to the generator; the template named after the
// kind lays out an instance.
type kind struct {
	// Idle and Errors are set when the module has the ports idle, and err_valid and
	// err_code.
	Idle, Errors bool
	// check reports components of the kind that cannot be generated; nil where all can.
	check func(c *arch.Component, errs *diag.List)
	// connect adds the ports of the module.
	connect func(g *generator, x *component)
}

// kinds are the component kinds; the file of each adds its own.
var kinds = map[arch.Kind]kind{}

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

// through connects a component with one input and one output, which has out bits of
// payload.
func (g *generator) through(x *component, out int) {
	g.input(x, "in", 0, x.Component.In[0].Width)
	g.output(x, "out", 0, out)
}
