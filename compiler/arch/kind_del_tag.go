package arch

import (
	"loom/compiler/ir"
)

// DelTag takes the tag off a stream.
const DelTag Kind = "del_tag"

func init() { register(DelTag, delTag{}) }

type delTag struct{ component }

func (delTag) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_DEL_TAG_PORTS", Rule: "fabric.del_tag has one input and one output."},
		{Name: "CPL_DEL_TAG_TYPE", Rule: "fabric.del_tag gives its tagged input without the tag."},
	}
}

func (delTag) read(*flattener, *Component, *ir.Operation) (in, out portName) {
	return named("in"), named("out")
}

func (delTag) Combinational(*Component, int, int, bool) bool { return true }
