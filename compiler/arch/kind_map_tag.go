package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// MapTag replaces the tags of a stream.
const MapTag Kind = "map_tag"

// MapTagSpec are the hardware parameters of a map_tag.
type MapTagSpec struct {
	// TableSize is the number of entries, 1…256.
	TableSize int
	// InTag and OutTag are the widths of the tags it reads and writes.
	InTag, OutTag int
}

func init() { register(MapTag, mapTag{}) }

type mapTag struct{ component }

func (mapTag) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_MAP_TAG_PORTS", Rule: "fabric.map_tag has one input and one output."},
		{Name: "CPL_MAP_TAG_TYPE", Rule: "fabric.map_tag takes and gives the same value, both with a tag."},
		{Name: "CPL_MAP_TAG_TABLE_SIZE", Rule: "table_size is 1 to 256."},
		{Name: "CPL_TAG_VALUE", Rule: "The tag that an operation requests fits the tag bits of its output."},
	}
}

func (mapTag) Errors() []HardwareError {
	return []HardwareError{
		{9, "CFG_MAP_TAG_DUP_TAG", "a source tag stands in two valid entries"},
		{258, "RT_MAP_TAG_NO_MATCH", "a tag matches no entry"},
	}
}

func (mapTag) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	ft := Signature(def)
	c.Map = &MapTagSpec{TableSize: int(IntParam(def, AttrTableSize, 1)), InTag: TagWidth(ft.Inputs[0]), OutTag: TagWidth(ft.Results[0])}
	return named("in"), named("out")
}

func (mapTag) Configure(c *Component, img ConfigBuilder) { img.Entries(c) }

func (mapTag) Combinational(*Component, int, int, bool) bool { return true }

func (mapTag) Shape(c *Component) string { return fmt.Sprintf("table %d", c.Map.TableSize) }
