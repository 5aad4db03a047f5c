package fabric

import (
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

func init() {
	define(ir.OpDef{Name: opname.FabricSpatialPe, Summary: "A processing element that runs at most one of its function units.", Traits: body, Verify: verifySpatialPE},
		param{arch.AttrImmediates, listParam}, param{arch.AttrOperandFIFO, intParam}, param{arch.AttrResultFIFO, intParam},
		param{arch.AttrFixedPorts, boolParam})
	// Registers and operand buffers are known; flattening reports that nothing makes them.
	define(ir.OpDef{Name: opname.FabricTemporalPe, Summary: "A processing element that executes instructions, one in a cycle, on one datapath.", Traits: body, Verify: verifyTemporalPE},
		param{arch.AttrInstructions, intParam}, param{arch.AttrConstants, intParam}, param{"num_register", intParam}, param{"reg_fifo_depth", intParam},
		param{"enable_share_operand_buffer", boolParam}, param{"operand_buffer_size", intParam})
	define(ir.OpDef{Name: opname.FabricSpatialSw, Summary: "A switch with fixed routes: selects per output, fans out per input, never merges.", Verify: verifySpatialSwitch},
		param{arch.AttrConnectivity, bitsParam}, param{arch.AttrDecomposable, intParam})
	define(ir.OpDef{Name: opname.FabricFifo, Summary: "A queue between two ports.", Verify: verifyFIFO},
		param{arch.AttrDepth, intParam}, param{arch.AttrBypassable, boolParam})
	configures(opname.FabricFifo, param{arch.AttrBypassed, boolParam})
}

// peBody is the body of a PE, nil where it or the operation is not sound.
func peBody(op *ir.Operation, errs *diag.List) *ir.Block {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return nil
	}
	b := entry(op, errs)
	if b != nil && len(b.Args) > 0 {
		fail(errs, op.Pos, "CPL_SPATIAL_PE_BODY", "the body of a PE has no arguments: its ports are chosen by configuration")
	}
	return b
}

func verifySpatialPE(op *ir.Operation, errs *diag.List) {
	b := peBody(op, errs)
	if b == nil {
		return
	}
	ft := arch.Signature(op)
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if _, ok := ir.BitWidth(t, arch.DefaultIndexWidth); !ok || arch.TagWidth(t) > 0 {
			fail(errs, op.Pos, "CPL_SPATIAL_PE_PORT_TYPE", "a spatial PE has a port of type %s", t).WithHelp("its ports are untagged channels, !fabric.bits<N>")
			break
		}
	}
	if d := arch.IntParam(op, arch.AttrResultFIFO, 0); d < 0 {
		fail(errs, op.Pos, "CPL_SPATIAL_PE_RESULT_FIFO", "result_fifo = %d", d).
			WithHelp("0 is no queue behind the results, 2 registers both directions of their channels")
	}
	if d := arch.IntParam(op, arch.AttrOperandFIFO, 0); d < 0 {
		fail(errs, op.Pos, "CPL_SPATIAL_PE_OPERAND_FIFO", "operand_fifo = %d", d).
			WithHelp("0 is no queue behind the operand selectors, 2 registers both directions of their channels")
	}
	units := 0
	fixed := arch.BoolParam(op, arch.AttrFixedPorts, false)
	data := map[int64]bool{} // operands that some unit reads as data
	for _, u := range unitsOf(b, errs) {
		units++
		if u.def == nil {
			continue // reported with the instance
		}
		s := arch.Signature(u.def)
		for k, t := range s.Inputs {
			data[int64(k)] = data[int64(k)] || t != ir.Type(ir.None)
		}
		if fixed && (units > 1 || len(s.Inputs) != len(ft.Inputs) || len(s.Results) != len(ft.Results)) {
			fail(errs, op.Pos, "CPL_SPATIAL_PE_FIXED_PORTS", "the PE has %d inputs and %d outputs that are fixed, and function unit %s has %d and %d",
				len(ft.Inputs), len(ft.Results), ir.SymbolText(u.def.SymName()), len(s.Inputs), len(s.Results)).
				WithHelp("fixed_ports connects the ports of one function unit with those of the PE, one to one; several units need selectors")
			return
		}
		if n := len(s.Inputs); n > len(ft.Inputs) {
			fail(errs, u.use.Pos, "CPL_SPATIAL_PE_INPUTS", "function unit %s has %d inputs, the PE only %d", ir.SymbolText(u.def.SymName()), n, len(ft.Inputs))
		}
	}
	if units == 0 {
		fail(errs, op.Pos, "CPL_SPATIAL_PE_EMPTY", "the PE has no function unit")
		return
	}
	list, _ := arch.BitList(op, arch.AttrImmediates)
	for i, k := range list {
		switch {
		case i > 0 && k <= list[i-1]:
			fail(errs, op.Pos, "CPL_SPATIAL_PE_IMMEDIATES", "immediate %d follows %d: the operands must ascend", k, list[i-1])
		case !data[k]:
			fail(errs, op.Pos, "CPL_SPATIAL_PE_IMMEDIATES", "no function unit of the PE reads data at operand %d", k).
				WithHelp("operands count from 0, as the inputs of the function units")
		}
	}
}

// peUnit is a function unit of a PE: the operation that stands in it, and the definition, nil where an instance names none.
type peUnit struct{ use, def *ir.Operation }

// unitsOf lists the function units in the body of a PE, and reports what else stands there.
func unitsOf(b *ir.Block, errs *diag.List) (units []peUnit) {
	for _, o := range b.Ops {
		switch o.Name {
		case opname.FabricYield:
		case opname.FabricInstance:
			def := ir.LookupSymbol(o, arch.Target(o))
			if def != nil && def.Name != opname.FabricFunctionUnit {
				def = nil
			}
			units = append(units, peUnit{o, def})
		case opname.FabricFunctionUnit:
			units = append(units, peUnit{o, o})
		default:
			if o.Def() != nil {
				fail(errs, o.Pos, "CPL_SPATIAL_PE_BODY", "'%s' cannot stand in a PE", o.Name).WithHelp("a PE holds function units and instances of them")
			}
		}
	}
	return units
}

// verifyTemporalPE checks what does not need the function units: those are classified when the fabric is flattened.
func verifyTemporalPE(op *ir.Operation, errs *diag.List) {
	b := peBody(op, errs)
	if b == nil {
		return
	}
	ft := arch.Signature(op)
	widest := 0
	ports := append(append([]ir.Type(nil), ft.Inputs...), ft.Results...)
	for _, t := range ports {
		w, _ := ir.BitWidth(t, arch.DefaultIndexWidth)
		widest = max(widest, w)
	}
	for _, t := range ports {
		w, ok := ir.BitWidth(t, arch.DefaultIndexWidth)
		if arch.TagWidth(t) > 0 {
			continue // legal text, which flattening does not cover
		}
		if !ok || w > 1 && w != widest {
			fail(errs, op.Pos, "CPL_TEMPORAL_PE_PORT_TYPE", "a temporal PE has a port of type %s", t).
				WithHelp("its ports are !fabric.bits<1> for conditions and control tokens, and of the width of its datapath, here %d bits", widest)
			break
		}
	}
	n, c := arch.IntParam(op, arch.AttrInstructions, 2), arch.IntParam(op, arch.AttrConstants, 0)
	if !arch.LegalInstructions(n, c) {
		fail(errs, op.Pos, "CPL_TEMPORAL_PE_INSTRUCTIONS", "num_instruction = %d, num_constant = %d", n, c).
			WithHelp("2, 4, 8 or 16 instructions, and 0 to 16 constants")
	}
	if units := unitsOf(b, errs); !arch.LegalTemporalSize(len(ft.Inputs), len(ft.Results), len(units)) {
		fail(errs, op.Pos, "CPL_TEMPORAL_PE_EMPTY", "the PE has %d inputs, %d outputs and %d function units", len(ft.Inputs), len(ft.Results), len(units)).
			WithHelp("1 to 16 inputs, 1 to 16 outputs, 1 to 64 function units")
	}
}

// switchSymbols are the error symbols of the rules that spatial and temporal
// switches have in common.
type switchSymbols struct{ ports, size, value, output, input string }

var (
	spatialSymbols = switchSymbols{"CPL_SPATIAL_SW_PORT_COUNT", "CPL_SPATIAL_SW_TABLE_SIZE", "CPL_SPATIAL_SW_TABLE_VALUE",
		"CPL_SPATIAL_SW_OUTPUT_UNCONNECTED", "CPL_SPATIAL_SW_INPUT_UNCONNECTED"}
	temporalSymbols = switchSymbols{"CPL_TEMPORAL_SW_PORT_COUNT", "CPL_TEMPORAL_SW_TABLE_SIZE", "CPL_TEMPORAL_SW_TABLE_VALUE",
		"CPL_TEMPORAL_SW_OUTPUT_UNCONNECTED", "CPL_TEMPORAL_SW_INPUT_UNCONNECTED"}
)

// maxSwitchPorts is the number of inputs, and of outputs, a switch can have.
const maxSwitchPorts = 32

// verifySwitchPorts checks the number of ports.
func verifySwitchPorts(op *ir.Operation, sym switchSymbols, errs *diag.List) bool {
	ft := arch.Signature(op)
	nin, nout := len(ft.Inputs), len(ft.Results)
	if nin < 1 || nin > maxSwitchPorts || nout < 1 || nout > maxSwitchPorts {
		fail(errs, op.Pos, sym.ports, "the switch has %d inputs and %d outputs; each must be 1 to %d", nin, nout, maxSwitchPorts)
		return false
	}
	return true
}

// verifySwitchTable checks the connectivity table.
func verifySwitchTable(op *ir.Operation, sym switchSymbols, errs *diag.List) bool {
	ft := arch.Signature(op)
	nin, nout := len(ft.Inputs), len(ft.Results)
	rows, ok := arch.Connectivity(op)
	if !ok {
		flat, _ := arch.BitList(op, arch.AttrConnectivity)
		fail(errs, op.Pos, sym.size, "connectivity_table has %d entries, %d outputs and %d inputs need %d", len(flat), nout, nin, nin*nout)
		return false
	}
	if flat, present := arch.BitList(op, arch.AttrConnectivity); present {
		for _, v := range flat {
			if v != 0 && v != 1 {
				fail(errs, op.Pos, sym.value, "connectivity_table holds %d; its entries are 0 and 1", v)
				break
			}
		}
	}
	used := make([]bool, nin)
	for o, row := range rows {
		any := false
		for i, on := range row {
			any = any || on
			used[i] = used[i] || on
		}
		if !any {
			fail(errs, op.Pos, sym.output, "no input of the switch reaches output %d", o)
		}
	}
	for i, on := range used {
		if !on {
			fail(errs, op.Pos, sym.input, "input %d of the switch reaches no output", i)
		}
	}
	return true
}

func verifySpatialSwitch(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	if !verifySwitchPorts(op, spatialSymbols, errs) {
		return
	}
	ft := arch.Signature(op)
	for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
		if !arch.Connectable(t, ft.Inputs[0]) {
			fail(errs, op.Pos, "CPL_SPATIAL_SW_PORT_TYPE", "the switch has ports of type %s and %s", ft.Inputs[0], t).
				WithHelp("all ports of a switch are channels with the same tag width, or without tags")
			return
		}
	}
	if !verifySwitchTable(op, spatialSymbols, errs) {
		return
	}
	if _, given := op.IntAttr(arch.AttrDecomposable); given {
		lane := int(arch.IntParam(op, arch.AttrDecomposable, 0))
		for _, t := range append(append([]ir.Type(nil), ft.Inputs...), ft.Results...) {
			w, _ := ir.BitWidth(t, arch.DefaultIndexWidth)
			if lane < 1 || w%max(lane, 1) != 0 || arch.TagWidth(t) > 0 {
				fail(errs, op.Pos, "CPL_SPATIAL_SW_DECOMPOSABLE", "decomposable_bits is %d and a port has type %s", lane, t).
					WithHelp("the lane width is positive and divides the width of every port; tagged switches have no lanes")
				break
			}
		}
	}
}

func verifyFIFO(op *ir.Operation, errs *diag.List) {
	before := len(errs.All)
	verifyLeaf(op, errs)
	if len(errs.All) > before {
		return
	}
	ft := arch.Signature(op)
	if len(ft.Inputs) != 1 || len(ft.Results) != 1 {
		fail(errs, op.Pos, "CPL_FIFO_PORTS", "a FIFO has one input and one output, found %d and %d", len(ft.Inputs), len(ft.Results))
		return
	}
	if !arch.Connectable(ft.Inputs[0], ft.Results[0]) || arch.IsDefinition(op) && ft.Inputs[0] != ft.Results[0] {
		fail(errs, op.Pos, "CPL_FIFO_TYPE", "a FIFO takes %s and gives %s; both must be the same", ft.Inputs[0], ft.Results[0])
	}
	if d := arch.IntParam(op, arch.AttrDepth, 1); d < 1 {
		fail(errs, op.Pos, "CPL_FIFO_DEPTH", "the depth of a FIFO is %d, must be at least 1", d)
	}
	verifyBypassed(op, op, errs)
}

func verifyMux(op *ir.Operation, errs *diag.List) {
	if p := op.ParentOp(); p == nil || p.Name != opname.FabricFunctionUnit {
		fail(errs, op.Pos, "CPL_FABRIC_PLACE", "a fabric.mux must stand in a fabric.function_unit")
	}
	if !verifyParams(op, errs) {
		return
	}
	nin, nout := op.NumOperands(), op.NumResults()
	if !(nin >= 2 && nout == 1 || nin == 1 && nout >= 2) {
		fail(errs, op.Pos, "CPL_FUNCTION_UNIT_MUX", "a fabric.mux has several inputs and one output or the reverse, found %d and %d", nin, nout)
		return
	}
	if n := arch.IntParam(op, arch.AttrSelect, 0); n < 0 || n >= int64(max(nin, nout)) {
		fail(errs, op.Pos, "CPL_FUNCTION_UNIT_MUX_SELECT", "sel is %d, the fabric.mux chooses among %d", n, max(nin, nout))
	}
	for _, r := range op.Results() {
		for _, v := range op.Operands() {
			if v.Type != r.Type {
				fail(errs, op.Pos, "CPL_FUNCTION_UNIT_MUX", "a fabric.mux joins %s and %s; all its values must have one type", v.Type, r.Type)
				return
			}
		}
	}
}
