package arch

import (
	"fmt"
	"slices"
	"strings"
	"sync"
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

// generalSymbols are those of the Fabric dialect that belong to no component kind,
// one per rule of the design page "The Fabric dialect".
var generalSymbols = []Symbol{
	{Name: "CPL_FABRIC_ATTRIBUTE", Rule: "Attributes of fabric operations have the form the operation expects, and those it needs are present."},
	{Name: "CPL_FABRIC_BODY", Rule: "The body of a module, PE or function unit is one block that ends in fabric.yield and whose arguments are the inputs."},
	{Name: "CPL_FABRIC_DEFINITION", Rule: "A definition has a symbol name and a port type and neither operands nor results."},
	{Name: "CPL_FABRIC_PLACE", Rule: "Uses of hardware stand in a fabric.module, fabric.mux in a function unit, fabric.yield at the end of a fabric body."},

	{Name: "CPL_MODULE_PORT_TYPE", Rule: "Module ports are memrefs, !fabric.bits<N> (1 to 4096) or tagged bits."},
	{Name: "CPL_MODULE_PORT_ORDER", Rule: "Module ports stand in the order memrefs, untagged, tagged."},
	{Name: "CPL_MODULE_INDEX_WIDTH", Rule: "index_width is 32 to 64, and the same in a module and in what it instantiates."},
	{Name: "CPL_MODULE_DEADLOCK_TIMEOUT", Rule: "deadlock_timeout, the cycles for which a store address or its data may wait alone in a memory, is 1 to 2147483647."},
	{Name: "CPL_MODULE_YIELD", Rule: "fabric.yield gives one value per module output, of a type that can drive it."},
	{Name: "CPL_MODULE_BODY", Rule: "A module holds fabric hardware, instances and definitions only."},
	{Name: "CPL_MODULE_FANOUT", Rule: "Every value drives at most one input: one stream reaches several inputs only through a switch."},
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
	{Name: "CPL_FUNCTION_UNIT_DATAFLOW_ALONE", Rule: "A body with a dataflow operation holds exactly that one, or is a counter, a loop head or an accumulator."},
	{Name: "CPL_FUNCTION_UNIT_DATAFLOW_TIMING", Rule: "A body with a dataflow operation has latency = -1 and interval = -1."},
	{Name: "CPL_FUNCTION_UNIT_PARTS", Rule: "A sum in parts has as many parts as its adder or multiplier can have registers."},
	{Name: "CPL_FUNCTION_UNIT_LATENCY", Rule: "The latency is at least that of the slowest path through the body."},
	{Name: "CPL_FUNCTION_UNIT_INTERVAL", Rule: "The interval is at least 1."},
	{Name: "CPL_FUNCTION_UNIT_MUX_SELECT", Rule: "sel of a fabric.mux is the position of one of the inputs, or outputs, that it chooses among."},
	{Name: "CPL_FUNCTION_UNIT_MUX", Rule: "A fabric.mux has several inputs and one output or the reverse, all of one type."},
}

// CompileSymbols returns the table of compile-time error symbols.
func CompileSymbols() []Symbol {
	out := slices.Clone(generalSymbols)
	for _, k := range Kinds() {
		out = append(out, k.Contract().Symbols()...)
	}
	return out
}

// HardwareError is an error code of the fabric's error_code port.
type HardwareError struct {
	Code   int
	Symbol string
	When   string
}

// generalErrors are the codes that belong to no component kind, or to one that is
// not supported yet.
var generalErrors = []HardwareError{
	{0, "OK", "no error"},
	{1, "CFG_SWITCH_ROUTE_MIX_INPUTS_TO_SAME_OUTPUT", "reserved: an output of a switch has one select, which cannot name two inputs"},
	{2, "CFG_ADG_COMBINATIONAL_LOOP", "reserved: such fabrics are refused when they are flattened"},
	{6, "CFG_TEMPORAL_PE_DUP_TAG", "reserved: the instructions of a temporal PE have no tags"},
	{8, "CFG_TEMPORAL_PE_REG_TAG_NONZERO", "reserved: the instructions of a temporal PE have no tags"},
	{256, "RT_TEMPORAL_PE_NO_MATCH", "reserved: the instructions of a temporal PE have no tags"},
	{514, "CFG_IMAGE_LENGTH", "our extension: the image has the wrong number of words"},
}

// hardwareErrors is ordered by code: when several are raised in one cycle the
// smallest wins. Codes below 256 are faults of the configuration, up to 511 of
// execution, from 512 on our extensions.
var hardwareErrors = sync.OnceValue(func() []HardwareError {
	out := slices.Clone(generalErrors)
	for _, k := range Kinds() {
		out = append(out, k.Contract().Errors()...)
	}
	slices.SortFunc(out, func(a, b HardwareError) int { return a.Code - b.Code })
	return out
})

// HardwareErrors returns the table of hardware error codes, by code.
func HardwareErrors() []HardwareError { return slices.Clone(hardwareErrors()) }

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
	for _, e := range hardwareErrors() {
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

Diagnostics show the symbol in brackets. For each there is a text that breaks the rule, with the position of the
error marked, and one that keeps it, in testdata/fabric.

| symbol | rule |
|---|---|
`)
	for _, s := range CompileSymbols() {
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
	for _, e := range hardwareErrors() {
		fmt.Fprintf(&b, "| %d | %s | %s |\n", e.Code, e.Symbol, e.When)
	}
	return b.String()
}
