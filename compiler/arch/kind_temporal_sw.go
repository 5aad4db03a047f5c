package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// TemporalSwitch routes by tag and merges streams.
const TemporalSwitch Kind = "temporal_sw"

// TemporalSpec are a temporal switch's hardware parameters. All ports carry tags
// of one width.
type TemporalSpec struct {
	// Connect[o][i] reports whether input i can be routed to output o.
	Connect [][]bool
	// Slots is num_route_table: how many tags the switch can distinguish.
	Slots    int
	TagWidth int
}

func init() { register(TemporalSwitch, temporalSwitch{}) }

type temporalSwitch struct{ component }

func (temporalSwitch) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_TEMPORAL_SW_PORT_COUNT", Rule: "A temporal switch has 1 to 32 inputs and 1 to 32 outputs."},
		{Name: "CPL_TEMPORAL_SW_PORT_TYPE", Rule: "All ports of a temporal switch are channels with tags of one width."},
		{Name: "CPL_TEMPORAL_SW_TABLE_SIZE", Rule: "connectivity_table has one entry per output and input."},
		{Name: "CPL_TEMPORAL_SW_TABLE_VALUE", Rule: "The entries of connectivity_table are 0 and 1."},
		{Name: "CPL_TEMPORAL_SW_OUTPUT_UNCONNECTED", Rule: "Every output of a temporal switch can be reached from some input."},
		{Name: "CPL_TEMPORAL_SW_INPUT_UNCONNECTED", Rule: "Every input of a temporal switch reaches some output."},
		{Name: "CPL_TEMPORAL_SW_ROUTE_TABLE", Rule: "num_route_table is 1 to 65536, the number of tags there are."},
	}
}

func (temporalSwitch) Errors() []HardwareError {
	return []HardwareError{
		{4, "CFG_TEMPORAL_SW_ROUTE_SAME_TAG_INPUTS_TO_SAME_OUTPUT", "two inputs go to one output in one slot"},
		{5, "CFG_TEMPORAL_SW_DUP_TAG", "a tag stands in two valid slots"},
		{257, "RT_TEMPORAL_SW_NO_MATCH", "a tag matches no slot"},
		{263, "RT_TEMPORAL_SW_UNROUTED_INPUT", "the matched slot does not route the input"},
	}
}

func (temporalSwitch) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	rows, _ := Connectivity(def)
	c.Temporal = &TemporalSpec{Connect: rows, Slots: int(IntParam(def, AttrRouteTable, 1)), TagWidth: TagWidth(Signature(def).Inputs[0])}
	f.oneWidth(c, def)
	return numbered("in"), numbered("out")
}

func (temporalSwitch) Configure(c *Component, img ConfigBuilder) { img.Slots(c) }

func (temporalSwitch) Combinational(c *Component, in, out int, backward bool) bool {
	return c.Temporal.Connect[out][in]
}

func (temporalSwitch) Shape(c *Component) string { return fmt.Sprintf("slots %d", c.Temporal.Slots) }
