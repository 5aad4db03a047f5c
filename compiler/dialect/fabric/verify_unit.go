package fabric

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// maxJoin is the widest handshake.join a function unit may hold.
const maxJoin = 64

func verifyFunctionUnit(op *ir.Operation, errs *diag.List) {
	if !verifyParams(op, errs) {
		return
	}
	if !arch.IsDefinition(op) {
		fail(errs, op.Pos, "CPL_FABRIC_DEFINITION", "a fabric.function_unit needs a symbol name and '%s'", arch.AttrFuncType)
		return
	}
	b := entry(op, errs)
	if b == nil {
		return
	}
	ft := arch.Signature(op)
	if len(b.Args) != len(ft.Inputs) {
		fail(errs, op.Pos, "CPL_FABRIC_BODY", "the body has %d arguments, the function unit %d inputs", len(b.Args), len(ft.Inputs))
		return
	}
	for i, a := range b.Args {
		if a.Type != ft.Inputs[i] {
			fail(errs, op.Pos, "CPL_FABRIC_BODY", "argument %d of the body has type %s, the input %s", i, a.Type, ft.Inputs[i])
		}
		if !a.HasUses() {
			fail(errs, op.Pos, "CPL_FUNCTION_UNIT_ARG_UNUSED", "input %d of the function unit is never used", i)
		}
	}
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if !isNative(t) {
			fail(errs, op.Pos, "CPL_FUNCTION_UNIT_TYPE", "a port of the function unit has type %s", t).
				WithHelp("function units work on i1 to i64, f16, bf16, f32, f64, index and none")
			return
		}
	}
	verifyUnitYield(b, ft.Results, errs)
	verifyUnitBody(op, b, errs)
}

// isNative reports whether t is a type of values inside function units.
func isNative(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width >= 1 && t.Width <= 64 && t.Sign == ir.Signless
	case *ir.FloatType:
		_, _, ok := units.FloatFormat(t)
		return ok
	case *ir.IndexType, *ir.NoneType:
		return true
	}
	return false
}

func verifyUnitYield(b *ir.Block, results []ir.Type, errs *diag.List) {
	y := b.Terminator()
	if y.NumOperands() != len(results) {
		fail(errs, y.Pos, "CPL_FUNCTION_UNIT_YIELD", "the function unit has %d outputs, fabric.yield gives %d values", len(results), y.NumOperands())
		return
	}
	for i, v := range y.Operands() {
		switch {
		case v == nil:
		case v.Block == b:
			fail(errs, y.Pos, "CPL_FUNCTION_UNIT_YIELD_ARG", "output %d is an input of the function unit; units are not wires", i)
		case v.Type != results[i]:
			fail(errs, y.Pos, "CPL_FUNCTION_UNIT_YIELD", "output %d has type %s, the value %s", i, results[i], v.Type)
		}
	}
}

func verifyUnitBody(op *ir.Operation, b *ir.Block, errs *diag.List) {
	ops := b.Ops[:len(b.Ops)-1]
	if len(ops) == 0 {
		fail(errs, op.Pos, "CPL_FUNCTION_UNIT_EMPTY", "the function unit holds no operation")
		return
	}
	whole := arch.FusedBody(b) != nil
	if !whole {
		verifyOrder(b, errs)
	}
	dataflow, allowed := false, true
	for _, o := range ops {
		u, ok := units.Lookup(o.Name)
		if !ok {
			if o.Def() != nil {
				fail(errs, o.Pos, "CPL_FUNCTION_UNIT_OP", "'%s' cannot be part of a function unit", o.Name)
			}
			allowed = false
			continue
		}
		if o.Name == opname.HandshakeJoin && (o.NumOperands() < 1 || o.NumOperands() > maxJoin) {
			fail(errs, o.Pos, "CPL_FUNCTION_UNIT_JOIN_FANIN", "a join in a function unit has %d inputs, must be 1 to %d", o.NumOperands(), maxJoin)
		}
		if n, _ := o.IntAttr("parts"); o.Name == opname.DataflowAccumulate && !units.PartsFit(o.StrAttr("operation"), int(n)) {
			fail(errs, o.Pos, "CPL_FUNCTION_UNIT_PARTS", "a sum by '%s' in %d parts: its unit keeps as many parts as it has registers, and has no such number", o.StrAttr("operation"), n).
				WithHelp("2 to %d parts", units.ByMnemonic(units.AccumulateOps[0]).Depth.Most)
		}
		dataflow = dataflow || u.Class == units.Dataflow
	}
	if !allowed {
		return
	}
	latency, interval := arch.IntParam(op, arch.AttrLatency, 0), arch.IntParam(op, arch.AttrInterval, 1)
	if dataflow {
		if n := len(ops); n > 1 && !whole {
			d := fail(errs, op.Pos, "CPL_FUNCTION_UNIT_DATAFLOW_ALONE", "a dataflow operation must be the only one of its function unit, found %d", n)
			for _, form := range arch.FusedForms() {
				d.WithNote(diag.Pos{}, "several operations may be %s", form)
			}
		}
		if latency != -1 || interval != -1 {
			fail(errs, op.Pos, "CPL_FUNCTION_UNIT_DATAFLOW_TIMING", "a function unit with a dataflow operation has latency = -1 and interval = -1, found %d and %d", latency, interval)
		}
		return
	}
	// The width of index is that of the module in the end; 32 is the least.
	if least := arch.LeastLatency(b, int(interval), 32); latency < int64(least) {
		d := fail(errs, op.Pos, "CPL_FUNCTION_UNIT_LATENCY", "latency is %d, the operations need at least %d", latency, least)
		if u, _ := units.Lookup(ops[0].Name); len(ops) == 1 && u.Piped != nil {
			d.WithHelp("with an interval of 1 '%s' is pipelined and may have any number of registers up to %d", u.Op, u.Piped.MostRegisters(ops[0]))
		}
	}
	for _, o := range ops {
		if u := arch.Row(b, o, int(interval)); u.Inside && latency > int64(u.MostRegisters(o)) {
			fail(errs, op.Pos, "CPL_FUNCTION_UNIT_LATENCY", "latency is %d, the unit of '%s' has at most %d registers", latency, o.Name, u.MostRegisters(o)).
				WithHelp("without 'latency' an architecture file takes the usual number")
		}
	}
	if interval < 1 {
		fail(errs, op.Pos, "CPL_FUNCTION_UNIT_INTERVAL", "interval is %d, must be at least 1", interval)
	}
}

// verifyOrder reports values that are read before they are defined: only an accumulator computes
// in a loop.
func verifyOrder(b *ir.Block, errs *diag.List) {
	seen := map[*ir.Operation]bool{}
	for _, o := range b.Ops {
		for i, v := range o.Operands() {
			if v != nil && v.Def != nil && !seen[v.Def] {
				errs.Errorf(o.Pos, "operand #%d of '%s' is used before its definition", i, o.Name).
					WithNote(v.Def.Pos, "defined here")
			}
		}
		seen[o] = true
	}
}
