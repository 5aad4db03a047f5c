package units

import (
	"slices"
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

	// Floating point.
	float(opname.ArithAddF, "loom_float_add", addition, 2, op(1, 0)),
	float(opname.ArithSubF, "loom_float_add", addition, 2, op(1, 1)),
	float(opname.ArithMulF, "loom_float_mul", Depth{3, 5, 6, 6}, 2),
	float(opname.MathFMA, "loom_float_fma", Depth{4, 6, 8, 8}, 3),
	float(opname.ArithMinimumF, "loom_float_minmax", extremes, 2, op(2, 0)),
	float(opname.ArithMaximumF, "loom_float_minmax", extremes, 2, op(2, 1)),
	float(opname.ArithMinNumF, "loom_float_minmax", extremes, 2, op(2, 2)),
	float(opname.ArithMaxNumF, "loom_float_minmax", extremes, 2, op(2, 3)),
	float(opname.MathFloor, "loom_float_round", rounding, 1, op(3, 0)),
	float(opname.MathCeil, "loom_float_round", rounding, 1, op(3, 1)),
	float(opname.MathTrunc, "loom_float_round", rounding, 1, op(3, 2)),
	float(opname.MathRound, "loom_float_round", rounding, 1, op(3, 3)),
	float(opname.MathRoundeven, "loom_float_round", rounding, 1, op(3, 4)),
	dividing(opname.ArithDivF, "ROOT", []Control{{"root", 1, 0}}, nil, nil, Port{"a", T, "a"}, Port{"b", T, "b"}),
	dividing(opname.MathSqrt, "DIVIDE", []Control{{"root", 1, 1}}, []Control{{"b_valid", 1, 0}, {"b_data", 0, 0}}, []string{"b_ready"}, Port{"a", T, "a"}),
	{
		Op: opname.ArithRemF, Class: Iterative, Mnemonic: "remf", Types: Float, Module: "loom_float_rem", Clocked: true,
		Cycles: leastRemainder, Most: mostRemainder, CyclesOf: remainderCycles,
		Params: format, In: []Port{{"a", T, "a"}, {"b", T, "b"}}, Out: []Port{{"", T, "y"}},
	},
	elementary(opname.MathExp, 0), elementary(opname.MathLog2, 1), elementary(opname.MathSin, 2), elementary(opname.MathCos, 3),
	{
		Op: opname.ArithCmpF, Mnemonic: "cmpf", Types: Float, Module: "loom_op_cmpf",
		Params: []Param{{"EXP", Size{OperandExp, 0}}, {"FRAC", Size{OperandFrac, 0}}},
		In:     []Port{{"a", T, "a"}, {"b", T, "b"}},
		Out:    []Port{{"", I1, "y"}},
		Field:  predicate,
	},
	bits(opname.ArithNegF, Float, Port{"a", T, "a"}),
	bits(opname.MathAbsF, Float, Port{"a", T, "a"}),
	bits(opname.MathCopysign, Float, Port{"a", T, "a"}, Port{"b", T, "b"}),
	bits(opname.ArithBitcast, Reinterpret, Port{"a", F, "a"}),
	conversion(opname.ArithExtF, "loom_float_resize", FloatWidening, Depth{0, 1, 2, 2}, resized),
	conversion(opname.ArithTruncF, "loom_float_resize", FloatNarrowing, Depth{1, 1, 2, 2}, resized),
	conversion(opname.ArithSIToFP, "loom_float_from_int", FromInteger, Depth{2, 2, 3, 3}, fromInteger, op(1, 1)),
	conversion(opname.ArithUIToFP, "loom_float_from_int", FromInteger, Depth{2, 2, 3, 3}, fromInteger, op(1, 0)),
	conversion(opname.ArithFPToSI, "loom_float_to_int", ToInteger, Depth{1, 2, 2, 3}, toInteger, op(1, 1)),
	conversion(opname.ArithFPToUI, "loom_float_to_int", ToInteger, Depth{1, 2, 2, 3}, toInteger, op(1, 0)),

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
	{
		Op: opname.DataflowAccumulate, Class: Dataflow, Latency: -1, Types: Float, Module: "loom_float_accumulate", Clocked: true,
		Params: append([]Param{{"LATENCY", Size{From: Parts}}, {"OP", Size{From: Accumulated}}}, format...),
		In:     []Port{{"d", I1, "d"}, {"a", T, "a"}, {"x", T, "x"}},
		Out:    []Port{{"", T, "out"}},
	},
	{
		Op: opname.DataflowInterlock, Class: Dataflow, Latency: -1, Mnemonic: "interlock", Types: Counter, Module: "loom_interlock", Clocked: true,
		Params: []Param{{"W", Size{ResultWidth, 0}}},
		In:     []Port{{"a", T, "a"}, {"s", T, "s"}, {"d", None, "d"}},
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
	u.Cycles = func(_, width int) int { return width + 1 } // a bit per cycle
	u.Params = append(u.Params, Param{"SIGNED", Size{Literal, signed}}, Param{"REM", Size{Literal, remainder}})
	return u
}

func cast(op string, rule TypeRule) Unit {
	u := combinational(op, Port{"a", F, "a"})
	u.Mnemonic, u.Types = short(op), rule
	u.Params = []Param{{"W_IN", Size{OperandWidth, 0}}, {"W_OUT", Size{ResultWidth, 0}}}
	return u
}

// format are the parameters of a unit that computes in one format, that of its result.
var format = []Param{{"EXP", Size{ResultExp, 0}}, {"FRAC", Size{ResultFrac, 0}}}

// divisionCycles is the time of a division or square root of floats: two bits per cycle of a fraction with
// its leading one and two more bits, and six cycles before and behind them.
func divisionCycles(_, frac int) int { return (frac+4)/2 + 6 }

// dividing is a division or square root of floats: an iterative unit, without the other operation, and its pipelined
// form. The operand that a root does not have is tied in both.
func dividing(name, other string, controls, tied []Control, unused []string, in ...Port) Unit {
	u := Unit{Op: name, Class: Iterative, Mnemonic: short(name), Types: Float, Module: "loom_float_divsqrt", Clocked: true, Cycles: divisionCycles,
		Params: append([]Param{{other, Size{Literal, 0}}}, format...), Controls: slices.Concat(controls, tied), Unused: unused,
		In: in, Out: []Port{{"", T, "y"}}}
	piped := float(name, "loom_float_divsqrt_piped", Depth{11, 17, 33, divisionRegisters(52)}, len(in), controls...)
	piped.Params, piped.Registers = u.Params, divisionRegisters
	if len(in) == 1 {
		piped.Controls = slices.Concat(controls, []Control{{"b", 0, 0}})
	}
	u.Piped = &piped
	return u
}

// divisionRegisters is the most registers of loom_float_divsqrt_piped: one behind each bit of a result, and those of
// its header beside them.
func divisionRegisters(frac int) int {
	if frac > 31 {
		return frac + 8
	}
	return frac + 7
}

// functionCycles is the time of loom_float_function, as its header states it, with two bits of a factor in a
// cycle.
func functionCycles(exp, frac int) int {
	const bits = 2
	up := func(a, b int) int { return (a + b - 1) / b }
	w := frac + 12
	m, k, p := up(w, bits), (frac+8)/6+1, (w+exp+2*frac+2)&^1
	return max(p/bits+1, w) + max(m, exp+7) + m*(k+2) + k + 4/bits + up(exp, bits) + max(exp+9, frac+4) + 9
}

// functions are the parameters of loom_float_function by which it has each of its operations.
var functions = []string{"HAS_EXP", "HAS_LOG2", "HAS_SIN", "HAS_COS"}

// elementary is an operation of loom_float_function, which has that one alone.
func elementary(name string, number int) Unit {
	u := Unit{Op: name, Class: Iterative, Mnemonic: short(name), Types: Float, Module: "loom_float_function", Clocked: true, Cycles: functionCycles,
		In: []Port{{"a", T, "a"}}, Out: []Port{{"", T, "y"}}, Controls: []Control{op(2, number)}}
	for i, p := range functions {
		if i != number {
			u.Params = append(u.Params, Param{p, Size{Literal, 0}})
		}
	}
	u.Params = append(u.Params, format...)
	return u
}

// The registers inside of units, and the parameters of conversions.
var (
	addition = Depth{3, 4, 4, 6}
	extremes = Depth{1, 1, 1, 1}
	rounding = Depth{2, 2, 2, 2}

	resized = []Param{{"EXP_IN", Size{OperandExp, 0}}, {"FRAC_IN", Size{OperandFrac, 0}},
		{"EXP_OUT", Size{ResultExp, 0}}, {"FRAC_OUT", Size{ResultFrac, 0}}}
	fromInteger = []Param{{"W_IN", Size{OperandWidth, 0}}, {"EXP", Size{ResultExp, 0}}, {"FRAC", Size{ResultFrac, 0}}}
	toInteger   = []Param{{"EXP", Size{OperandExp, 0}}, {"FRAC", Size{OperandFrac, 0}}, {"W_OUT", Size{ResultWidth, 0}}}
)

// op is the control input of units that compute several operations.
func op(width, value int) Control { return Control{"op", width, value} }

// float is a unit of a format, on so many operands, with its registers inside.
func float(name, module string, depth Depth, operands int, controls ...Control) Unit {
	u := Unit{Op: name, Mnemonic: short(name), Types: Float, Module: module, Params: format, Inside: true, Depth: depth,
		Out: []Port{{"", T, "y"}}, Controls: controls}
	for _, stem := range []string{"a", "b", "c"}[:operands] {
		u.In = append(u.In, Port{stem, T, stem})
	}
	return u
}

// conversion is a unit between formats, with its registers inside.
func conversion(name, module string, rule TypeRule, depth Depth, params []Param, controls ...Control) Unit {
	return Unit{Op: name, Mnemonic: short(name), Types: rule, Module: module, Params: params, Inside: true, Depth: depth,
		In: []Port{{"a", F, "a"}}, Out: []Port{{"", T, "y"}}, Controls: controls}
}

// bits is an operation that moves the bits of floats.
func bits(name string, rule TypeRule, in ...Port) Unit {
	u := combinational(name, in...)
	u.Mnemonic, u.Types = short(name), rule
	return u
}

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
