package rtlgen

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// addressBits is the width of addresses on the bus.
const addressBits = 64

// idBits is the width of the AXI IDs of an external memory: its tags, at least one
// bit.
func idBits(m *arch.MemorySpec) int { return max(m.TagWidth, 1) }

// busWidth is the width of the AXI data of an external memory; fabrics made by hand
// may leave it open.
func busWidth(m *arch.MemorySpec) int { return max(m.ElemWidth, m.BusWidth) }

// axiPrefix starts the names of an external memory's AXI4 ports.
func (g *generator) axiPrefix(c *arch.Component) string { return "m_axi_" + g.comps[c.ID] }

// hostPrefix starts the names of the host port of a memory that is not private.
func (g *generator) hostPrefix(c *arch.Component) string { return "host_" + g.comps[c.ID] }

// elementBits is the width of an element's number in an on-chip memory.
func elementBits(m *arch.MemorySpec) int { return max(config.ChoiceBits(int(m.Elements)), 1) }
