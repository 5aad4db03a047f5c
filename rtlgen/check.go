package rtlgen

import (
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// maxWidth is the widest channel the generator makes hardware for.
const maxWidth = 64

// checkFabric reports everything in a fabric that has no hardware yet. What the
// fabric verifier refuses is not looked for again, except where the generator
// would fail on it.
func checkFabric(f *arch.Fabric, errs *diag.List) {
	for _, ch := range f.Channels {
		if ch.Width > maxWidth {
			errs.Errorf(f.Pos, "channel '%s' is %d bits wide; the generator supports up to %d", ch.Name, ch.Width, maxWidth).
				WithHelp("use narrower transport types")
		}
	}
	for _, c := range f.Comps {
		for _, ports := range [][]arch.Port{c.In, c.Out} {
			for _, p := range ports {
				if _, tagged := p.Type.(*ir.TaggedType); tagged {
					errs.Errorf(c.Pos, "port '%s' of %s '%s' is tagged; tagged hardware cannot be generated yet", p.Name, c.Kind, c.Name)
				}
			}
		}
		switch c.Kind {
		case arch.SpatialSwitch:
			checkSwitch(c, errs)
		case arch.SpatialPE:
			checkPE(c, errs)
		case arch.Memory, arch.ExtMemory:
			if c.Mem.LdCount > 1 || c.Mem.StCount > 1 {
				errs.Errorf(c.Pos, "%s '%s' has %d load and %d store ports; more than one of each needs tags, which cannot be generated yet",
					c.Kind, c.Name, c.Mem.LdCount, c.Mem.StCount)
			}
			if w := busWidth(c.Mem); c.Kind == arch.ExtMemory && (w > arch.MaxAXIDataWidth || w&(w-1) != 0) {
				errs.Errorf(c.Pos, "the AXI data width of %s '%s' is %d bits", c.Kind, c.Name, w).
					WithHelp("use a power of two from the element's %d bits to %d", c.Mem.ElemWidth, arch.MaxAXIDataWidth)
			}
			if c.Kind == arch.Memory && !c.Mem.Private {
				errs.Errorf(c.Pos, "memory '%s' is not private; its host-side port cannot be generated yet", c.Name)
			}
		}
	}
}

func checkSwitch(c *arch.Component, errs *diag.List) {
	if c.Switch.DecomposableBits != 0 {
		errs.Errorf(c.Pos, "switch '%s' is decomposable; routing of sub-lanes cannot be generated yet", c.Name)
	}
	for _, row := range c.Switch.Connect {
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
	info, known := arch.LookupUnitOp(op.Name)
	switch {
	case !known:
		errs.Errorf(pos, "operation '%s' in function unit '%s' has no hardware", op.Name, u.Name)
	case info.Class == arch.Wire:
		errs.Errorf(pos, "'fabric.mux' in function unit '%s': configurable bodies cannot be generated yet", u.Name).
			WithHelp("write one function unit per configuration")
	case isFloatOp(op):
		errs.Errorf(pos, "'%s' in function unit '%s': no floating-point unit in the RTL library yet", op.Name, u.Name).
			WithHelp("remove the unit from the PE, or use an integer operation")
	case !hasHardware(op, info):
		errs.Errorf(pos, "'%s' in function unit '%s': no such unit in the RTL library yet", op.Name, u.Name).
			WithHelp("remove the unit from the PE")
	}
}

// isFloatOp tells whether an arith or math operation computes on floating-point
// numbers; handshake and dataflow units only move their bits.
func isFloatOp(op *ir.Operation) bool {
	dialect, _, _ := strings.Cut(op.Name, ".")
	if dialect != "arith" && dialect != "math" || op.Name == "arith.select" || op.Name == "arith.bitcast" {
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

func hasHardware(op *ir.Operation, info arch.UnitOp) bool {
	switch info.Class {
	case arch.Datapath:
		_, ok := datapathOps[op.Name]
		return ok
	case arch.Iterative:
		return true
	}
	if op.Name == "handshake.join" || op.Name == "handshake.mux" {
		return true
	}
	_, ok := unitModules[op.Name]
	return ok
}
