package arch

import (
	"loom/compiler/ir"
)

// AddTag gives a stream a tag.
const AddTag Kind = "add_tag"

func init() { register(AddTag, addTag{}) }

type addTag struct{ component }

func (addTag) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_ADD_TAG_PORTS", Rule: "fabric.add_tag has one input and one output."},
		{Name: "CPL_ADD_TAG_TYPE", Rule: "fabric.add_tag gives its untagged input with a tag."},
	}
}

func (addTag) read(*flattener, *Component, *ir.Operation) (in, out portName) {
	return named("in"), named("out")
}

func (addTag) Configure(c *Component, img ConfigBuilder) { img.Tag(c.Out[0].TagWidth) }

func (addTag) Combinational(*Component, int, int, bool) bool { return true }
