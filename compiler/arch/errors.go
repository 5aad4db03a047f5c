package arch

import (
	"fmt"
	"strings"
)

// Symbol is a compile-time error symbol: the rule whose violation it names. The
// corpus in testdata/fabric holds, for each, a text that breaks the rule and one
// that keeps it.
type Symbol struct {
	Name string
	Rule string
	// Warning marks a symbol that is not an error.
	Warning bool
}

// Symbols of the Fabric dialect, one per rule of the design page "The Fabric
// dialect" and of spec-fabric-mem.md.
var symbols = []Symbol{
	{Name: "CPL_FABRIC_ATTRIBUTE", Rule: "Attributes of fabric operations have the form the operation expects, and those it needs are present."},
	{Name: "CPL_FABRIC_BODY", Rule: "The body of a module, PE or function unit is one block that ends in fabric.yield and whose arguments are the inputs."},
	{Name: "CPL_FABRIC_DEFINITION", Rule: "A definition has a symbol name and a port type and neither operands nor results."},
	{Name: "CPL_FABRIC_PLACE", Rule: "Uses of hardware stand in a fabric.module, fabric.mux in a function unit, fabric.yield at the end of a fabric body."},

	{Name: "CPL_MODULE_PORT_TYPE", Rule: "Module ports are memrefs, !fabric.bits<N> (1 to 4096) or tagged bits."},
	{Name: "CPL_MODULE_PORT_ORDER", Rule: "Module ports stand in the order memrefs, untagged, tagged."},
	{Name: "CPL_MODULE_INDEX_WIDTH", Rule: "index_width is 32 to 64, and the same in a module and in what it instantiates."},
	{Name: "CPL_MODULE_YIELD", Rule: "fabric.yield gives one value per module output, of a type that can drive it."},
	{Name: "CPL_MODULE_BODY", Rule: "A module holds fabric hardware, instances and definitions only."},
	{Name: "CPL_MODULE_FANOUT", Rule: "Every value drives at most one input: one stream reaches several places only through a switch."},
	{Name: "CPL_MODULE_JOIN_FANIN", Rule: "loom.adg_max_join_fanin promises no wider join than the function units offer."},
	{Name: "CPL_MODULE_COMBINATIONAL_LOOP", Rule: "On every structural cycle at least one component registers the forward path and at least one the backward path."},
	{Name: "CPL_MODULE_UNSUPPORTED", Rule: "What is legal Fabric MLIR but not covered by mapping and hardware generation yet is refused when a fabric is flattened."},

	{Name: "CPL_INSTANCE_TARGET", Rule: "An instance names a definition that exists."},
	{Name: "CPL_INSTANCE_KIND", Rule: "Instances in a module name hardware, instances in a PE name function units."},
	{Name: "CPL_INSTANCE_IN_PE", Rule: "An instance in a PE has neither operands nor results."},
	{Name: "CPL_INSTANCE_PORTS", Rule: "An instance has as many operands and results as its definition inputs and outputs."},
	{Name: "CPL_INSTANCE_TYPE", Rule: "Operands of an instance can drive the inputs (tagged only tagged of the same tag width); results have the types of the outputs."},
	{Name: "CPL_INSTANCE_NAME", Rule: "The instance names of a module are distinct."},
	{Name: "CPL_INSTANCE_RECURSION", Rule: "A module does not contain itself."},

	{Name: "CPL_FUNCTION_UNIT_EMPTY", Rule: "A function unit holds at least one operation besides fabric.yield."},
	{Name: "CPL_FUNCTION_UNIT_ARG_UNUSED", Rule: "Every input of a function unit is used."},
	{Name: "CPL_FUNCTION_UNIT_YIELD", Rule: "fabric.yield gives one value per output of the function unit, of its type."},
	{Name: "CPL_FUNCTION_UNIT_YIELD_ARG", Rule: "A function unit does not yield its own input: units are not wires."},
	{Name: "CPL_FUNCTION_UNIT_TYPE", Rule: "Function units work on native types: i1 to i64, f16, f32, f64, index, none."},
	{Name: "CPL_FUNCTION_UNIT_OP", Rule: "A function unit holds only operations that hardware can execute: no containers, routing, memory, tags or control flow."},
	{Name: "CPL_FUNCTION_UNIT_JOIN_FANIN", Rule: "A handshake.join in a function unit has 1 to 64 operands."},
	{Name: "CPL_FUNCTION_UNIT_DATAFLOW_ALONE", Rule: "A body with a dataflow operation holds exactly that one."},
	{Name: "CPL_FUNCTION_UNIT_DATAFLOW_TIMING", Rule: "A body with a dataflow operation has latency = -1 and interval = -1."},
	{Name: "CPL_FUNCTION_UNIT_LATENCY", Rule: "The latency is at least that of the slowest path through the body."},
	{Name: "CPL_FUNCTION_UNIT_INTERVAL", Rule: "The interval is at least 1."},
	{Name: "CPL_FUNCTION_UNIT_MUX", Rule: "A fabric.mux has several inputs and one output or the reverse, all of one type."},

	{Name: "CPL_SPATIAL_PE_EMPTY", Rule: "A PE has at least one function unit."},
	{Name: "CPL_SPATIAL_PE_PORT_TYPE", Rule: "The ports of a spatial PE are untagged channels."},
	{Name: "CPL_SPATIAL_PE_BODY", Rule: "A PE holds function units and instances of them; its body has no arguments and yields nothing."},
	{Name: "CPL_SPATIAL_PE_INPUTS", Rule: "No function unit has more inputs than its PE."},

	{Name: "CPL_SPATIAL_SW_PORT_COUNT", Rule: "A switch has 1 to 32 inputs and 1 to 32 outputs."},
	{Name: "CPL_SPATIAL_SW_PORT_TYPE", Rule: "All ports of a switch are channels with the same tag width, or without tags."},
	{Name: "CPL_SPATIAL_SW_TABLE_SIZE", Rule: "connectivity_table has one entry per output and input."},
	{Name: "CPL_SPATIAL_SW_TABLE_VALUE", Rule: "The entries of connectivity_table are 0 and 1."},
	{Name: "CPL_SPATIAL_SW_OUTPUT_UNCONNECTED", Rule: "Every output of a switch can be reached from some input."},
	{Name: "CPL_SPATIAL_SW_INPUT_UNCONNECTED", Rule: "Every input of a switch reaches some output."},
	{Name: "CPL_SPATIAL_SW_DECOMPOSABLE", Rule: "decomposable_bits is positive, divides the width of every port, and the switch is untagged."},

	{Name: "CPL_TEMPORAL_SW_PORT_COUNT", Rule: "A temporal switch has 1 to 32 inputs and 1 to 32 outputs."},
	{Name: "CPL_TEMPORAL_SW_PORT_TYPE", Rule: "All ports of a temporal switch are channels with tags of one width."},
	{Name: "CPL_TEMPORAL_SW_TABLE_SIZE", Rule: "connectivity_table has one entry per output and input."},
	{Name: "CPL_TEMPORAL_SW_TABLE_VALUE", Rule: "The entries of connectivity_table are 0 and 1."},
	{Name: "CPL_TEMPORAL_SW_OUTPUT_UNCONNECTED", Rule: "Every output of a temporal switch can be reached from some input."},
	{Name: "CPL_TEMPORAL_SW_INPUT_UNCONNECTED", Rule: "Every input of a temporal switch reaches some output."},
	{Name: "CPL_TEMPORAL_SW_ROUTE_TABLE", Rule: "num_route_table is 1 to 65536, the number of tags there are."},

	{Name: "CPL_ADD_TAG_PORTS", Rule: "fabric.add_tag has one input and one output."},
	{Name: "CPL_ADD_TAG_TYPE", Rule: "fabric.add_tag gives its untagged input with a tag."},
	{Name: "CPL_DEL_TAG_PORTS", Rule: "fabric.del_tag has one input and one output."},
	{Name: "CPL_DEL_TAG_TYPE", Rule: "fabric.del_tag gives its tagged input without the tag."},
	{Name: "CPL_MAP_TAG_PORTS", Rule: "fabric.map_tag has one input and one output."},
	{Name: "CPL_MAP_TAG_TYPE", Rule: "fabric.map_tag takes and gives the same value, both with a tag."},
	{Name: "CPL_MAP_TAG_TABLE_SIZE", Rule: "table_size is 1 to 256."},
	{Name: "CPL_TAG_VALUE", Rule: "The tag that an operation asks for fits the tag bits of what it gives."},

	{Name: "CPL_LOAD_LANE_PORTS", Rule: "A load lane has the inputs addr, rsp, done_rsp and the outputs req, data, done."},
	{Name: "CPL_LOAD_LANE_TYPE", Rule: "A load lane exchanges index for an element and none: tagged with the memory, untagged with the access."},
	{Name: "CPL_LOAD_LANE_TAG_WIDTH", Rule: "The tags of a load lane have one width."},
	{Name: "CPL_LOAD_LANE_DEPTH", Rule: "A load lane has at least one place for answers."},
	{Name: "CPL_STORE_LANE_PORTS", Rule: "A store lane has the inputs addr, data, done_rsp and the outputs staddr, stdata, done."},
	{Name: "CPL_STORE_LANE_TYPE", Rule: "A store lane passes index and an element on with a tag, and takes none with a tag and gives it without."},
	{Name: "CPL_STORE_LANE_TAG_WIDTH", Rule: "The tags of a store lane have one width."},
	{Name: "CPL_STORE_LANE_DEPTH", Rule: "A store lane has at least one place for answers."},
	{Name: "CPL_STORE_LANE_LSQ_DEPTH", Rule: "A store lane has at least one store in flight, and no more than the queue of its memory holds."},

	{Name: "CPL_FIFO_PORTS", Rule: "A FIFO has one input and one output."},
	{Name: "CPL_FIFO_TYPE", Rule: "A FIFO gives what it takes."},
	{Name: "CPL_FIFO_DEPTH", Rule: "The depth of a FIFO is at least 1."},
	{Name: "CPL_FIFO_BYPASSED", Rule: "Only a bypassable FIFO can be bypassed."},

	{Name: "CPL_MEMORY_PORTS_EMPTY", Rule: "A memory has at least one load or store port."},
	{Name: "CPL_MEMORY_PORT_COUNT", Rule: "A memory has the ports of its groups: ldaddr, staddr, stdata; lddata, lddone, stdone."},
	{Name: "CPL_MEMORY_LSQ_WITHOUT_STORE", Rule: "lsqDepth is 0 without store ports."},
	{Name: "CPL_MEMORY_LSQ_MIN", Rule: "lsqDepth is at least 1 with store ports."},
	{Name: "CPL_MEMORY_ADDR_TYPE", Rule: "Address ports are index or tagged index."},
	{Name: "CPL_MEMORY_DATA_TYPE", Rule: "Data ports carry the element type of the memref."},
	{Name: "CPL_MEMORY_DONE_TYPE", Rule: "Done ports are none or tagged none."},
	{Name: "CPL_MEMORY_ELEM_TYPE", Rule: "Elements are powers of two of 8 to 64 bits, or i1."},
	{Name: "CPL_MEMORY_TAG_REQUIRED", Rule: "When either count exceeds 1 every port is tagged."},
	{Name: "CPL_MEMORY_TAG_FOR_SINGLE", Rule: "With one load and one store port at most no port is tagged."},
	{Name: "CPL_MEMORY_TAG_WIDTH", Rule: "The tags of a memory have one width, at least clog2(max(ldCount, stCount))."},
	{Name: "CPL_MEMORY_TAG_RANGE", Rule: "A half-open region can cover the last logical port only when the tags are wide enough for the count itself.", Warning: true},
	{Name: "CPL_MEMORY_STATIC_REQUIRED", Rule: "On-chip memory has a static shape."},
	{Name: "CPL_MEMORY_INVALID_REGION", Rule: "numRegion is 1 to 65536."},
	{Name: "CPL_MEMORY_BARE_BRIDGE", Rule: "Accesses that share a port of a memory have lanes: with bare fabric.add_tag and fabric.del_tag one can block the others.", Warning: true},
	{Name: "CPL_MEMORY_AXI_WIDTH", Rule: "The AXI data width of an external memory is a power of two from the width of its element to 1024; on-chip memory has none."},
	{Name: "CPL_MEMORY_EXTMEM_BINDING", Rule: "The first operand of an external memory is a memref input of the module, of its own memref type."},
	{Name: "CPL_MEMORY_EXTMEM_PRIVATE", Rule: "fabric.extmemory has no is_private."},
	{Name: "CPL_MEMORY_EXPORT", Rule: "A memory with is_private = false has its memref as the first result, and the module yields it; other memories give no memref."},
	{Name: "CPL_MEMORY_PRIVATE_OUTPUT", Rule: "A module yields only memrefs of memories with is_private = false."},
}

// CompileSymbols returns the table of compile-time error symbols.
func CompileSymbols() []Symbol { return append([]Symbol(nil), symbols...) }

// HardwareError is an error code of the fabric's error_code port.
type HardwareError struct {
	Code   int
	Symbol string
	When   string
}

// hardwareErrors is ordered by code: when several are raised in one cycle the
// smallest wins. Codes below 256 are faults of the configuration, up to 511 of
// execution, from 512 on our extensions.
var hardwareErrors = []HardwareError{
	{0, "OK", "no error"},
	{1, "CFG_SWITCH_ROUTE_MIX_INPUTS_TO_SAME_OUTPUT", "two enabled routes drive one switch output"},
	{2, "CFG_ADG_COMBINATIONAL_LOOP", "reserved: such fabrics are refused when they are flattened"},
	{4, "CFG_TEMPORAL_SW_ROUTE_SAME_TAG_INPUTS_TO_SAME_OUTPUT", "two inputs go to one output in one slot"},
	{5, "CFG_TEMPORAL_SW_DUP_TAG", "a tag stands in two valid slots"},
	{6, "CFG_TEMPORAL_PE_DUP_TAG", "a tag stands in two valid instructions"},
	{7, "CFG_TEMPORAL_PE_ILLEGAL_REG", "a register index is out of range"},
	{8, "CFG_TEMPORAL_PE_REG_TAG_NONZERO", "a register write has a result tag"},
	{9, "CFG_MAP_TAG_DUP_TAG", "a source tag stands in two valid entries"},
	{10, "CFG_PE_STREAM_CONT_COND_ONEHOT", "cont_cond is not one-hot"},
	{11, "CFG_PE_CMPI_PREDICATE_INVALID", "an integer predicate is above 9"},
	{12, "CFG_MEMORY_OVERLAP_TAG_REGION", "two valid regions of an on-chip memory overlap"},
	{13, "CFG_MEMORY_EMPTY_TAG_RANGE", "a valid region of an on-chip memory ends at or before its start"},
	{14, "CFG_EXTMEMORY_OVERLAP_TAG_REGION", "two valid regions of an external memory overlap"},
	{15, "CFG_EXTMEMORY_EMPTY_TAG_RANGE", "a valid region of an external memory ends at or before its start"},
	{256, "RT_TEMPORAL_PE_NO_MATCH", "a tag matches no instruction"},
	{257, "RT_TEMPORAL_SW_NO_MATCH", "a tag matches no slot"},
	{258, "RT_MAP_TAG_NO_MATCH", "a tag matches no entry"},
	{259, "RT_DATAFLOW_STREAM_ZERO_STEP", "a stream is activated with a step that cannot progress: 0, for *= and /= also 1"},
	{260, "RT_MEMORY_TAG_OOB", "a tag is at or above the port count"},
	{261, "RT_MEMORY_STORE_DEADLOCK", "a store address or store data stays unpaired for the timeout"},
	{262, "RT_SWITCH_UNROUTED_INPUT", "a token arrives at a switch input with neither route nor discard"},
	{263, "RT_TEMPORAL_SW_UNROUTED_INPUT", "the matched slot does not route the input"},
	{264, "RT_MEMORY_NO_MATCH", "an on-chip access matches no valid region"},
	{265, "RT_EXTMEMORY_NO_MATCH", "an external access matches no valid region"},
	{512, "RT_MEMORY_ADDR_OOB", "our extension: an on-chip access lies beyond the capacity"},
	{513, "RT_EXTMEMORY_BUS", "our extension: the bus answered with an error"},
	{514, "CFG_IMAGE_LENGTH", "our extension: the image has the wrong number of words"},
}

// HardwareErrors returns the table of hardware error codes, by code.
func HardwareErrors() []HardwareError { return append([]HardwareError(nil), hardwareErrors...) }

// HardwareSymbol names an error code of the hardware; unknown codes come back as
// "UNKNOWN_<code>".
func HardwareSymbol(code int) string {
	if e, ok := LookupHardware(code); ok {
		return e.Symbol
	}
	return fmt.Sprintf("UNKNOWN_%d", code)
}

// LookupHardware returns the table's entry of a code.
func LookupHardware(code int) (HardwareError, bool) {
	for _, e := range hardwareErrors {
		if e.Code == code {
			return e, true
		}
	}
	return HardwareError{}, false
}

// ErrorsMarkdown is docs/errors.md, generated from the tables.
func ErrorsMarkdown() string {
	var b strings.Builder
	b.WriteString(`# Error symbols

Generated from compiler/arch/errors.go by ` + "`go test ./compiler/arch -update`" + `; a test keeps it current.

## Compile time

Diagnostics show the symbol in brackets. For each there is a text that breaks the rule, with the place of the
error marked, and one that keeps it, in testdata/fabric.

| symbol | rule |
|---|---|
`)
	for _, s := range symbols {
		warning := ""
		if s.Warning {
			warning = " (warning)"
		}
		fmt.Fprintf(&b, "| %s%s | %s |\n", s.Name, warning, s.Rule)
	}
	b.WriteString(`
## Hardware

Codes on the fabric's error_code port and in simulation results. The first error is kept until reset; of several
in one cycle the smallest code wins. A faulting request completes: it has no side effect, a load returns 0, the
done token is produced.

| code | symbol | raised when |
|---|---|---|
`)
	for _, e := range hardwareErrors {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", e.Code, e.Symbol, e.When)
	}
	return b.String()
}
