package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// FIFO is a queue between two ports.
const FIFO Kind = "fifo"

// FIFOSpec are a FIFO's hardware parameters. Depth 1 registers the forward path
// only; depth 2 and more register both; a bypassable FIFO counts as neither.
type FIFOSpec struct {
	Depth      int
	Bypassable bool
}

func init() { register(FIFO, fifo{}) }

type fifo struct{ component }

func (fifo) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_FIFO_PORTS", Rule: "A FIFO has one input and one output."},
		{Name: "CPL_FIFO_TYPE", Rule: "A FIFO gives what it takes."},
		{Name: "CPL_FIFO_DEPTH", Rule: "The depth of a FIFO is at least 1."},
		{Name: "CPL_FIFO_BYPASSED", Rule: "Only a bypassable FIFO can be bypassed."},
	}
}

func (fifo) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	c.FIFO = &FIFOSpec{Depth: int(IntParam(def, AttrDepth, 1)), Bypassable: BoolParam(def, AttrBypassable, false)}
	return named("in"), named("out")
}

func (fifo) Configure(c *Component, img ConfigBuilder) {
	if c.FIFO.Bypassable {
		img.Bypass()
	}
}

func (fifo) Combinational(c *Component, in, out int, backward bool) bool {
	return c.FIFO.Bypassable || backward && c.FIFO.Depth < 2
}

// Buffer is called for damaged fabrics as well (Bridges), where FIFO may be nil.
func (fifo) Buffer(c *Component) int {
	if c.FIFO == nil {
		return 0
	}
	return c.FIFO.Depth
}

func (fifo) Shape(c *Component) string {
	return fmt.Sprintf("depth %d %t", c.FIFO.Depth, c.FIFO.Bypassable)
}
