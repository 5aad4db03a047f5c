package arch

import (
	"fmt"

	"loom/compiler/ir"
)

// SpatialSwitch has fixed routes: it selects per output and fans out per input.
const SpatialSwitch Kind = "spatial_sw"

// SwitchSpec are a spatial switch's hardware parameters.
type SwitchSpec struct {
	// Connect[o][i] reports whether input i can be routed to output o.
	Connect [][]bool
	// DecomposableBits is the sub-lane width, 0 for a whole-word switch.
	DecomposableBits int
}

func init() { register(SpatialSwitch, spatialSwitch{}) }

type spatialSwitch struct{ component }

func (spatialSwitch) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_SPATIAL_SW_PORT_COUNT", Rule: "A switch has 1 to 32 inputs and 1 to 32 outputs."},
		{Name: "CPL_SPATIAL_SW_PORT_TYPE", Rule: "All ports of a switch are channels with the same tag width, or without tags."},
		{Name: "CPL_SPATIAL_SW_TABLE_SIZE", Rule: "connectivity_table has one entry per output and input."},
		{Name: "CPL_SPATIAL_SW_TABLE_VALUE", Rule: "The entries of connectivity_table are 0 and 1."},
		{Name: "CPL_SPATIAL_SW_OUTPUT_UNCONNECTED", Rule: "Every output of a switch can be reached from some input."},
		{Name: "CPL_SPATIAL_SW_INPUT_UNCONNECTED", Rule: "Every input of a switch reaches some output."},
		{Name: "CPL_SPATIAL_SW_DECOMPOSABLE", Rule: "decomposable_bits is positive, divides the width of every port, and the switch is untagged."},
	}
}

func (spatialSwitch) Errors() []HardwareError {
	return []HardwareError{
		{262, "RT_SWITCH_UNROUTED_INPUT", "a token arrives at a switch input that expects none: it is neither routed nor dropped"},
	}
}

func (spatialSwitch) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	rows, _ := Connectivity(def)
	c.Switch = &SwitchSpec{Connect: rows, DecomposableBits: int(IntParam(def, AttrDecomposable, 0))}
	if c.Switch.DecomposableBits > 0 {
		f.unsupported(c.Pos, "a decomposable switch")
	}
	if f.untaggedPorts(c, def) {
		f.oneWidth(c, def)
	}
	return numbered("in"), numbered("out")
}

func (spatialSwitch) Configure(c *Component, img ConfigBuilder) { img.Circuit(c) }

func (spatialSwitch) Combinational(c *Component, in, out int, backward bool) bool {
	return c.Switch.Connect[out][in]
}

// Circuit is nil for decomposable switches: their sub-lanes are not routed.
func (spatialSwitch) Circuit(c *Component) [][]bool {
	if c.Switch.DecomposableBits > 0 {
		return nil
	}
	return c.Switch.Connect
}

func (spatialSwitch) Shape(c *Component) string {
	return fmt.Sprintf("decomposable %d", c.Switch.DecomposableBits)
}
