package units

import (
	"strings"

	"loom/compiler/opname"
)

// rows is the table. What a row names in rtl/ is a module of that name with these
// ports and parameters.
var rows = []Unit{
	binary(opname.ArithAddI),
	binary(opname.ArithSubI),
	registered(1, binary(opname.ArithMulI)),
	binary(opname.ArithAndI),
	binary(opname.ArithOrI),
	binary(opname.ArithXOrI),
	binary(opname.ArithShLI),
	binary(opname.ArithShRSI),
	binary(opname.ArithShRUI),
	binary(opname.ArithMinSI),
	binary(opname.ArithMaxSI),
	binary(opname.ArithMinUI),
	binary(opname.ArithMaxUI),
	divider(opname.ArithDivSI, 1, 0),
	divider(opname.ArithDivUI, 0, 0),
	divider(opname.ArithRemSI, 1, 1),
	divider(opname.ArithRemUI, 0, 1),
	{
		Op: opname.ArithCmpI, Mnemonic: "cmpi", Types: Integer, Module: "loom_op_cmpi",
		Params: []Param{{"W", Size{OperandWidth, 0}}},
		In:     []Port{{"a", T, "a"}, {"b", T, "b"}},
		Out:    []Port{{"", I1, "y"}},
		Field:  predicate,
		Error:  ErrorPorts{Valid: "err", Constant: "ERR_CFG_CMPI_PREDICATE"},
	},
	{
		Op: opname.ArithSelect, Mnemonic: "select", Types: Data, Module: "loom_op_select",
		Params: []Param{{"W", Size{ResultWidth, 0}}},
		In:     []Port{{"c", I1, "cond"}, {"a", T, "a"}, {"b", T, "b"}},
		Out:    []Port{{"", T, "y"}},
	},
	cast(opname.ArithExtSI, Widening),
	cast(opname.ArithExtUI, Widening),
	cast(opname.ArithTruncI, Narrowing),
	cast(opname.ArithIndexCast, IndexCast),
	cast(opname.ArithIndexCastUI, IndexCast),

	// Integer operations that architecture files do not offer.
	unary(opname.MathAbsI), unary(opname.MathCtPop), unary(opname.MathCtLZ), unary(opname.MathCtTZ), unary(opname.LLVMIntrBitreverse),

	// Floating point: legal in function units, without modules so far.
	float(opname.ArithAddF), float(opname.ArithSubF), float(opname.ArithMulF), float(opname.ArithDivF), float(opname.ArithNegF),
	{Op: opname.ArithCmpF, Field: predicate},
	float(opname.ArithFPToSI), float(opname.ArithFPToUI), float(opname.ArithSIToFP), float(opname.ArithUIToFP),
	float(opname.ArithExtF), float(opname.ArithTruncF), float(opname.ArithBitcast),
	float(opname.MathAbsF), float(opname.MathFMA), float(opname.MathSqrt), float(opname.MathFloor),
	float(opname.MathExp), float(opname.MathLog2), float(opname.MathSin), float(opname.MathCos),

	{
		Op: opname.HandshakeCondBr, Class: Handshake, Mnemonic: "cond_br", Module: "loom_cond_br",
		Params: []Param{{"W", Size{OperandWidth, 1}}},
		In:     []Port{{"cond", I1, "cond"}, {"data", T, "data"}},
		Out:    []Port{{"", T, "true"}, {"", T, "false"}},
	},
	{
		Op: opname.HandshakeMux, Class: Handshake, Mnemonic: "mux", Module: "loom_mux",
		Params: []Param{{"W", Size{ResultWidth, 0}}, {"N", Size{From: Repeats}}, {"SEL_W", Size{OperandWidth, 0}}},
		In:     []Port{{"sel", Selector, "sel"}, {"in", EachT, "in"}},
		Out:    []Port{{"", T, "out"}},
	},
	{
		Op: opname.HandshakeJoin, Class: Handshake, Mnemonic: "join", Module: "loom_join",
		Params: []Param{{"N", Size{From: Repeats}}},
		In:     []Port{{"in", EachNone, "in"}},
		Out:    []Port{{"", None, "out"}},
		Field:  Field{"mask", Size{From: Repeats}, "cfg_mask"},
	},
	{
		Op: opname.HandshakeConstant, Class: Handshake, Mnemonic: "constant", Types: Data, Module: "loom_constant",
		Params: []Param{{"W", Size{ResultWidth, 0}}},
		In:     []Port{{"ctrl", None, "ctrl"}},
		Out:    []Port{{"", T, "out"}},
		Field:  Field{"value", Size{ResultWidth, 0}, "cfg_value"},
	},
	{
		Op: opname.HandshakeLoad, Class: Handshake, Mnemonic: "load", Types: Data, Module: "loom_load",
		Params: []Param{{"AW", Size{OperandWidth, 0}}, {"DW", Size{OperandWidth, 1}}},
		In:     []Port{{"addr", Index, "addr"}, {"mem", T, "memdata"}, {"ctrl", None, "ctrl"}},
		Out:    []Port{{"", T, "data"}, {"", Index, "memaddr"}},
	},
	{
		Op: opname.HandshakeStore, Class: Handshake, Mnemonic: "store", Types: Data, Module: "loom_store", Clocked: true,
		Params: []Param{{"AW", Size{OperandWidth, 0}}, {"DW", Size{OperandWidth, 1}}},
		In:     []Port{{"addr", Index, "addr"}, {"data", T, "data"}, {"ctrl", None, "ctrl"}},
		Out:    []Port{{"", T, "memdata"}, {"", Index, "memaddr"}},
	},
	{
		Op: opname.DataflowStream, Class: Dataflow, Latency: -1, Mnemonic: "stream", Types: Counter, Module: "loom_stream", Clocked: true,
		Params: []Param{{"W", Size{ResultWidth, 0}}, {"STEP_OP", Size{From: StepOp}}},
		In:     []Port{{"start", T, "start"}, {"step", T, "step"}, {"bound", T, "bound"}},
		Out:    []Port{{"", T, "idx"}, {"", I1, "cont"}},
		Field:  Field{"cont_cond", Size{Literal, 5}, "cfg_cont_cond"},
		Error:  ErrorPorts{Valid: "err_valid", Code: "err_code"},
	},
	{
		Op: opname.DataflowGate, Class: Dataflow, Latency: -1, Mnemonic: "gate", Module: "loom_gate", Clocked: true,
		Params: []Param{{"W", Size{ResultWidth, 0}}},
		In:     []Port{{"value", T, "value"}, {"cond", I1, "cond"}},
		Out:    []Port{{"", T, "out_value"}, {"", I1, "out_cond"}},
	},
	{
		Op: opname.DataflowCarry, Class: Dataflow, Latency: -1, Mnemonic: "carry", Module: "loom_carry", Clocked: true,
		Params: []Param{{"W", Size{ResultWidth, 0}}},
		In:     []Port{{"d", I1, "d"}, {"a", T, "a"}, {"b", T, "b"}},
		Out:    []Port{{"", T, "o"}},
	},
	{
		Op: opname.DataflowInvariant, Class: Dataflow, Latency: -1, Mnemonic: "invariant", Module: "loom_invariant", Clocked: true,
		Params: []Param{{"W", Size{ResultWidth, 0}}},
		In:     []Port{{"d", I1, "d"}, {"a", T, "a"}},
		Out:    []Port{{"", T, "o"}},
	},
	{Op: opname.FabricMux, Class: Wire},
}

// predicate is the field of comparisons.
var predicate = Field{"predicate", Size{Literal, 4}, "cfg_predicate"}

// short is the name of an operation without its dialect.
func short(op string) string { return op[strings.LastIndexByte(op, '.')+1:] }

// combinational is a datapath operation whose module, loom_op_NAME, has one width.
func combinational(op string, in ...Port) Unit {
	return Unit{
		Op: op, Module: "loom_op_" + short(op), Params: []Param{{"W", Size{ResultWidth, 0}}},
		Types: Integer, In: in, Out: []Port{{"", T, "y"}},
	}
}

func unary(op string) Unit { return combinational(op, Port{"a", T, "a"}) }

func binary(op string) Unit {
	u := combinational(op, Port{"a", T, "a"}, Port{"b", T, "b"})
	u.Mnemonic = short(op)
	return u
}

func registered(latency int, u Unit) Unit {
	u.Latency = latency
	return u
}

// divider is a configuration of loom_divrem.
func divider(op string, signed, remainder int) Unit {
	u := binary(op)
	u.Class, u.Module, u.Clocked = Iterative, "loom_divrem", true
	u.Params = append(u.Params, Param{"SIGNED", Size{Literal, signed}}, Param{"REM", Size{Literal, remainder}})
	return u
}

func cast(op string, rule TypeRule) Unit {
	u := combinational(op, Port{"a", F, "a"})
	u.Mnemonic, u.Types = short(op), rule
	u.Params = []Param{{"W_IN", Size{OperandWidth, 0}}, {"W_OUT", Size{ResultWidth, 0}}}
	return u
}

func float(op string) Unit { return Unit{Op: op} }

var table, mnemonics = func() (map[string]*Unit, map[string]*Unit) {
	byOp, byMnemonic := map[string]*Unit{}, map[string]*Unit{}
	for i := range rows {
		u := &rows[i]
		if byOp[u.Op] != nil || u.Mnemonic != "" && byMnemonic[u.Mnemonic] != nil {
			panic("units: two rows for " + u.Op)
		}
		byOp[u.Op] = u
		if u.Mnemonic != "" {
			byMnemonic[u.Mnemonic] = u
		}
	}
	return byOp, byMnemonic
}()

// none stands for operations that no function unit holds.
var none = &Unit{}

// Lookup returns the row of an operation; ok is false, and the row empty, for
// operations that fabric.md does not allow in function units.
func Lookup(op string) (u *Unit, ok bool) {
	if u, ok = table[op]; !ok {
		u = none
	}
	return u, ok
}

// Is reports whether an operation may stand in a function unit and has the class.
func Is(op string, c Class) bool {
	u, ok := table[op]
	return ok && u.Class == c
}

// ByMnemonic returns the operation that architecture files call by that name, nil
// where there is none.
func ByMnemonic(name string) *Unit { return mnemonics[name] }

// All returns every row, in the order of the table. Callers do not change it.
func All() []Unit { return rows }
