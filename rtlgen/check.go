package rtlgen

import (
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// maxWidth is the widest channel the generator makes hardware for.
const maxWidth = 64

// checkFabric reports everything in a fabric that has no hardware yet. What the
// fabric verifier refuses is not checked again, except where the generator
// would fail on it.
func checkFabric(f *arch.Fabric, errs *diag.List) {
	for _, ch := range f.Channels {
		if ch.Width > maxWidth {
			errs.Errorf(f.Pos, "channel '%s' is %d bits wide; the generator supports up to %d", ch.Name, ch.Width, maxWidth).
				WithHelp("use narrower transport types")
		}
	}
	for _, b := range append(append([]*arch.Boundary(nil), f.Inputs...), f.Outputs...) {
		if _, tagged := b.Type.(*ir.TaggedType); tagged {
			errs.Errorf(f.Pos, "boundary port '%s' is tagged; tags cannot leave a fabric yet", b.Name)
		}
	}
	for _, c := range f.Comps {
		switch c.Kind {
		case arch.SpatialSwitch:
			if c.Switch.DecomposableBits != 0 {
				errs.Errorf(c.Pos, "switch '%s' is decomposable; routing of sub-lanes cannot be generated yet", c.Name)
			}
			checkUntagged(c, errs)
			checkConnectivity(c, c.Switch.Connect, errs)
		case arch.TemporalSwitch:
			checkConnectivity(c, c.Temporal.Connect, errs)
		case arch.SpatialPE:
			checkUntagged(c, errs)
			checkPE(c, errs)
		case arch.Memory, arch.ExtMemory:
			checkMemory(c, errs)
		}
	}
}

func checkUntagged(c *arch.Component, errs *diag.List) {
	for _, p := range append(append([]arch.Port(nil), c.In...), c.Out...) {
		if p.TagWidth > 0 {
			errs.Errorf(c.Pos, "port '%s' of %s '%s' is tagged, which cannot be generated yet", p.Name, c.Kind, c.Name)
		}
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

func checkPE(c *arch.Component, errs *diag.List) {
	if len(c.PE.FUs) == 0 {
		errs.Errorf(c.Pos, "PE '%s' has no function unit", c.Name)
	}
	for _, u := range c.PE.FUs {
		if len(u.In) == 0 || len(u.Out) == 0 {
			errs.Errorf(u.Pos, "function unit '%s' of PE '%s' needs operands and results", u.Name, c.Name)
		}
		for _, op := range u.Ops {
			checkOp(u, op.Op, errs)
		}
	}
}

func checkOp(u *arch.FunctionUnit, op *ir.Operation, errs *diag.List) {
	pos := op.Pos
	if !pos.IsValid() {
		pos = u.Pos
	}
	row, known := units.Lookup(op.Name)
	switch {
	case !known:
		errs.Errorf(pos, "operation '%s' in function unit '%s' has no hardware", op.Name, u.Name)
	case row.Class == units.Wire:
		errs.Errorf(pos, "'fabric.mux' in function unit '%s': configurable bodies cannot be generated yet", u.Name).
			WithHelp("write one function unit per configuration")
	case isFloatOp(op):
		errs.Errorf(pos, "'%s' in function unit '%s': no floating-point unit in the RTL library yet", op.Name, u.Name).
			WithHelp("remove the unit from the PE, or use an integer operation")
	case !row.Hardware():
		errs.Errorf(pos, "'%s' in function unit '%s': no such unit in the RTL library yet", op.Name, u.Name).
			WithHelp("remove the unit from the PE")
	}
}

// isFloatOp reports whether an arith or math operation computes on floating-point
// values; handshake and dataflow units only move their bits.
func isFloatOp(op *ir.Operation) bool {
	dialect, _, _ := strings.Cut(op.Name, ".")
	if dialect != "arith" && dialect != "math" || op.Name == opname.ArithSelect || op.Name == opname.ArithBitcast {
		return false
	}
	for _, v := range op.Operands() {
		if ir.IsFloat(v.Type) {
			return true
		}
	}
	for _, v := range op.Results() {
		if ir.IsFloat(v.Type) {
			return true
		}
	}
	return false
}
