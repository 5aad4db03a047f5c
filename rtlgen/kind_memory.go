package rtlgen

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
)

func init() {
	for _, k := range []arch.Kind{arch.Memory, arch.ExtMemory} {
		kinds[k] = kind{Idle: true, Errors: true, check: checkMemory, connect: (*generator).memory}
	}
}

func checkMemory(c *arch.Component, errs *diag.List) {
	m := c.Mem
	if n := max(m.LdCount, m.StCount); n > 1 && (m.TagWidth == 0 || n > 1<<m.TagWidth) {
		errs.Errorf(c.Pos, "%s '%s' has %d load and %d store ports, which %d bits of tag do not distinguish",
			c.Kind, c.Name, m.LdCount, m.StCount, m.TagWidth)
	}
	if w := busWidth(m); c.External() && (w > arch.MaxAXIDataWidth || w&(w-1) != 0) {
		errs.Errorf(c.Pos, "the AXI data width of %s '%s' is %d bits", c.Kind, c.Name, w).
			WithHelp("use a power of two from the element's %d bits to %d", m.ElemWidth, arch.MaxAXIDataWidth)
	}
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
