package rtlgen

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/diag"
)

func init() {
	kinds[arch.SpatialSwitch] = kind{Idle: true, Errors: true, check: checkSpatialSwitch, connect: (*generator).crossbar}
	kinds[arch.TemporalSwitch] = kind{Idle: true, Errors: true, check: checkTemporalSwitch, connect: (*generator).crossbar}
}

func checkSpatialSwitch(c *arch.Component, errs *diag.List) {
	if c.Switch.DecomposableBits != 0 {
		errs.Errorf(c.Pos, "switch '%s' is decomposable; routing of sub-lanes cannot be generated yet", c.Name)
	}
	checkUntagged(c, errs)
	checkConnectivity(c, c.Switch.Connect, errs)
}

func checkTemporalSwitch(c *arch.Component, errs *diag.List) {
	checkConnectivity(c, c.Temporal.Connect, errs)
}

// checkConnectivity refuses a switch without any route: the modules need one.
func checkConnectivity(c *arch.Component, connect [][]bool, errs *diag.List) {
	for _, row := range connect {
		for _, on := range row {
			if on {
				return
			}
		}
	}
	errs.Errorf(c.Pos, "switch '%s' connects no input to any output", c.Name)
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
