package rtlgen

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/units"
)

func init() { kinds[arch.SpatialPE] = kind{check: checkPE, connect: (*generator).spatialPE} }

// spatialPE connects a PE to its module, which is generated for the first of its kind.
func (g *generator) spatialPE(x *component) {
	x.Module = g.pe(x.Component)
	x.Idle, x.Errors = x.Module.Clocked, x.Module.Errors
	for k, p := range x.Component.In {
		g.input(x, x.Module.In[k], k, p.Width)
	}
	for k, p := range x.Component.Out {
		g.output(x, x.Module.Out[k], k, p.Width)
	}
}

func checkPE(c *arch.Component, errs *diag.List) {
	checkUntagged(c, errs)
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
	case !row.Hardware():
		errs.Errorf(pos, "'%s' in function unit '%s': no such unit in the RTL library yet", op.Name, u.Name).
			WithHelp("remove the unit from the PE")
	}
}
