// Package units is the table of operations as hardware: one row per operation
// that a function unit may hold, with its class and latency, the module of the
// RTL library that computes it and how that module is parameterised and wired,
// its configuration field, and its name in architecture files. The fabric model,
// the reader of architecture files, the generator of RTL, the simulator of
// fabrics and the operation reference (docs/operations.md) read it; a test holds it
// against the sources of the modules.
//
// Three things are written a second time on purpose, so that one mistake cannot
// hide another: the values of operations (compiler/num, against rtl/*.sv), the
// rules by which the independent checker judges a mapping (compiler/mapper/check),
// and the cycle behaviour (sim/cycle takes class and latency from here and nothing
// else).
package units

import (
	"fmt"
	"slices"
	"strconv"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Unit is one operation as hardware.
type Unit struct {
	Op    string
	Class Class
	// Latency is the number of register stages the operation needs at least, -1
	// for state machines.
	Latency int
	// Mnemonic is the operation's name in architecture files, "" where they do not
	// offer it.
	Mnemonic string
	// Types is the rule for the types T and F of the ports.
	Types TypeRule
	// In and Out are the operands and results.
	In, Out []Port
	// Field is the run-time configuration, its Name empty where there is none.
	Field Field
	// Module is the module in rtl/, "" where the library has none: a function unit
	// with such an operation is legal Fabric MLIR that cannot be generated.
	Module string
	Params []Param
	// Clocked modules have the ports clk, rst and idle.
	Clocked bool
	// Inside is set for a datapath module with the registers of its latency inside (ports clk and
	// move, parameter LATENCY; see loom_fu): it may have any number of them up to Depth.Most.
	Inside bool
	// Depth is the number of registers inside.
	Depth Depth
	// Controls are inputs that choose what the module computes; Unused are outputs that nothing reads.
	Controls []Control
	Unused   []string
	// Cycles is the time of an iterative unit from operands to result, in clock cycles, for words of so many bits; of
	// a floating-point one, for so many bits of the exponent and of the fraction. Where the time depends on the
	// operands it is the least, Most the longest (otherwise nil), and CyclesOf that of the operands a and b.
	Cycles, Most func(exp, bits int) int
	CyclesOf     func(exp, bits int, a, b uint64) int
	// Piped is the pipelined form of an iterative operation, which a function unit with an interval of 1 has; nil
	// where the library has none.
	Piped *Unit
	// Registers is the largest LATENCY of a module with registers inside for so many bits of the fraction, where it
	// depends on them; otherwise nil, and Depth.Most.
	Registers func(frac int) int
	// Error describes how the module reports a fault of its configuration.
	Error ErrorPorts
}

// Depth is how many registers a module with registers inside has.
type Depth struct {
	// F16, F32 and F64 are what the clock of a fabric asks for: the latency where nothing else is said,
	// by the widest format that the operation has.
	F16, F32, F64 int
	// Most is the largest LATENCY of the module, of any format.
	Most int
}

// of is the usual latency for words of so many bits.
func (d Depth) of(width int) int {
	switch {
	case width <= 16:
		return d.F16
	case width <= 32:
		return d.F32
	}
	return d.F64
}

// Control is an input of a module with the value that makes it compute the operation; of a Width of 0 it
// is all zeros.
type Control struct {
	Port         string
	Width, Value int
}

// Text is the value as SystemVerilog writes it.
func (c Control) Text() string {
	if c.Width == 0 {
		return "'0"
	}
	return fmt.Sprintf("%d'd%d", c.Width, c.Value)
}

// Class is how hardware runs an operation.
type Class int

// The classes.
const (
	// Datapath operations are combinational modules with the ports named by In and
	// Out. A function unit joins its inputs around them; several may share a body.
	Datapath Class = iota
	// Iterative units take several cycles per result, for one at a time: division. They, and those of the
	// classes Handshake and Dataflow, have a channel (valid, ready, data) per port.
	Iterative
	// Handshake units have a protocol of their own.
	Handshake
	// Dataflow units are state machines, latency and interval -1.
	Dataflow
	// Wire is fabric.mux: configured wires.
	Wire
)

// Port is an operand or result.
type Port struct {
	// Name is the name in function units made from architecture files.
	Name string
	Type PortType
	// Stem begins the names of the module's ports (stem_valid, stem_ready,
	// stem_data; of datapath modules it is the whole name). Of an operand that
	// repeats the ports are vectors with an element per operand.
	Stem string
}

// PortType is the type of a port, relative to those in the architecture file.
type PortType int

// The types of ports.
const (
	T        PortType = iota // the type written there
	F                        // the left side of "F -> T"
	I1                       // a condition
	Index                    // an address
	None                     // a token without data
	Selector                 // i1 to choose among two inputs, index among more
	EachT                    // T, any number of times; only the last operand
	EachNone                 // none, any number of times; only the last operand
)

// Repeats reports whether the port stands for any number of operands.
func (p Port) Repeats() bool { return p.Type == EachT || p.Type == EachNone }

// Token reports whether the module has no data port here.
func (p Port) Token() bool { return p.Type == None || p.Type == EachNone }

// TypeRule is the set of types that T, and F of casts, may be.
type TypeRule int

// The rules.
const (
	AnyType        TypeRule = iota
	Data                    // anything with data: not none
	Integer                 // integers and index
	Counter                 // integers and index, but not i1
	Widening                // from an integer to a wider one
	Narrowing               // from an integer to a narrower one
	IndexCast               // between index and an integer
	Reinterpret             // between types of one width
	FloatWidening           // from a float to a wider one
	FloatNarrowing          // from a float to a narrower one
	FromInteger             // from an integer to a float
	ToInteger               // from a float to an integer
	Float                   // floats, not converted
)

// Cast reports whether the operation converts F to T.
func (r TypeRule) Cast() bool { return r >= Widening && r < Float }

// Float reports whether the operation computes with floating-point numbers.
func (r TypeRule) Float() bool { return r >= FloatWidening }

// Size is a number that depends on an operation's types.
type Size struct {
	From Source
	// N is the number of the operand or result, or the number itself.
	N int
}

// Source is where a Size is taken from.
type Source int

// The sources.
const (
	Literal      Source = iota // N itself
	OperandWidth               // data bits of operand N, at least 1
	ResultWidth                // data bits of result N, at least 1
	Repeats                    // how often the repeated operand stands there
	StepOp                     // the step operator, numbered as in StepOps
	OperandExp                 // exponent bits of operand N, a float
	OperandFrac                // its stored fraction bits
	ResultExp                  // exponent bits of result N, a float
	ResultFrac                 // its stored fraction bits
	Parts                      // the number of parts of a sum
	Accumulated                // the operation that makes them, numbered as in AccumulateOps
)

// Param is a parameter of a module.
type Param struct {
	Name string
	Size
}

// Field is a run-time configuration field (design page "Configuration image").
type Field struct {
	// Name is the field's name; where the operation has an attribute of that name,
	// the field stands for it.
	Name string
	Size
	// Port is the module's input.
	Port string
}

// ErrorPorts are the outputs by which a module reports a fault.
type ErrorPorts struct {
	// Valid is high while there is a fault, "" for modules without faults.
	Valid string
	// Code is the output with its number, "" where it is always Constant.
	Code string
	// Constant is the localparam of loom_pkg with the only number.
	Constant string
}

// StepOps are the step operators of dataflow.stream in the order of loom_stream's
// STEP_OP: the attribute's value, the part of a unit's name, and the localparam of
// loom_pkg.
var StepOps = []struct{ Operator, Name, Constant string }{
	{"+=", "add", "STEP_ADD"}, {"-=", "sub", "STEP_SUB"}, {"*=", "mul", "STEP_MUL"},
	{"/=", "div", "STEP_DIV"}, {"<<=", "shl", "STEP_SHL"}, {">>=", "shr", "STEP_SHR"},
}

// AccumulateOps are the operations of dataflow.accumulate in the order of loom_float_accumulate's OP.
var AccumulateOps = []string{"addf", "subf", "mulf"}

// PartsFit reports whether the module of an operation, one of AccumulateOps, has n registers, and so keeps n parts.
func PartsFit(op string, n int) bool {
	u := ByMnemonic(op)
	return u != nil && slices.Contains(AccumulateOps, op) && n >= 2 && n <= u.Depth.Most
}

// MultiplierLatency is the number of registers of loom_mul at a width: what a direct circuit
// multiplies with. Its registers stand between and behind the blocks of the device, so that a
// wide product is not the longest path.
func MultiplierLatency(width int) int {
	const chunk = 17 // loom_mul's CHUNK
	switch {
	case width <= chunk+1:
		return 1
	case width <= 2*chunk:
		return 2
	}
	return 3
}

// JoinCycles is how long a dataflow.accumulate takes to combine n parts that leave a pipeline of n registers one
// per cycle: from the first of them to the result behind the last register. Of a queue of them the two in front
// leave, what is made of them comes last.
func JoinCycles(n int) int {
	if n < 1 {
		return 0
	}
	arrives := make([]int, 0, 2*n-1) // the values, in the order in which they leave the queue
	for k := range n {
		arrives = append(arrives, k)
	}
	for k := range n - 1 {
		arrives = append(arrives, arrives[2*k+1]+n)
	}
	return arrives[2*n-2]
}

// Of computes the number for an operation. Operators that no stream has count as
// the first; the verifier refuses them.
func (s Size) Of(op *ir.Operation, indexWidth int) int {
	switch s.From {
	case OperandWidth:
		return dataBits(op.Operand(s.N).Type, indexWidth)
	case ResultWidth:
		return dataBits(op.Result(s.N).Type, indexWidth)
	case OperandExp, OperandFrac, ResultExp, ResultFrac:
		values := op.Operands()
		if s.From == ResultExp || s.From == ResultFrac {
			values = op.Results()
		}
		exp, frac, _ := FloatFormat(values[s.N].Type)
		if s.From == OperandExp || s.From == ResultExp {
			return exp
		}
		return frac
	case Repeats:
		u := table[op.Name]
		return op.NumOperands() - (len(u.In) - 1)
	case Parts:
		n, _ := op.IntAttr("parts")
		return int(n)
	case Accumulated:
		return max(slices.Index(AccumulateOps, op.StrAttr("operation")), 0)
	case StepOp:
		for i, o := range StepOps {
			if o.Operator == op.StrAttr("step_op") {
				return i
			}
		}
		return 0
	}
	return s.N
}

// FloatFormat is the number of bits of the exponent and of the stored fraction of a float type; ok is
// false for types that no unit computes with.
func FloatFormat(t ir.Type) (exp, frac int, ok bool) {
	f, isFloat := t.(*ir.FloatType)
	if !isFloat {
		return 0, 0, false
	}
	switch f.Name {
	case "f16":
		return 5, 10, true
	case "bf16":
		return 8, 7, true
	case "f32":
		return 8, 23, true
	case "f64":
		return 11, 52, true
	}
	return 0, 0, false
}

func dataBits(t ir.Type, indexWidth int) int {
	w, _ := ir.BitWidth(t, indexWidth)
	return max(w, 1)
}

// Text is the parameter's value as SystemVerilog writes it: a number or the name
// of a constant.
func (p Param) Text(op *ir.Operation, indexWidth int) string {
	n := p.Of(op, indexWidth)
	if p.From == StepOp {
		return "loom_pkg::" + StepOps[n].Constant
	}
	return strconv.Itoa(n)
}

// Hardware reports whether the RTL library has the operation.
func (u *Unit) Hardware() bool { return u.Module != "" }

// Binary reports whether the operation is combinational or pipelined, on two integers and
// a result of their type, without configuration.
func (u *Unit) Binary() bool {
	return u.Class == Datapath && len(u.In) == 2 && !u.Types.Cast() && !u.Types.Float() && u.Field.Name == ""
}

// Groups are the groups of operations in which fabrics are described, in that order.
var Groups = []string{"steering", "loop counters", "loads and stores", "arithmetic and logic", "casts", "multiplication", "division", "floating point"}

// Group is the one of Groups that the operation belongs to.
func (u *Unit) Group() string {
	switch {
	case u.Op == opname.DataflowStream:
		return "loop counters"
	case u.Op == opname.DataflowAccumulate:
		return "floating point"
	case u.Op == opname.HandshakeLoad, u.Op == opname.HandshakeStore:
		return "loads and stores"
	case u.Class == Handshake, u.Class == Dataflow, u.Class == Wire:
		return "steering"
	case u.Types.Float():
		return "floating point"
	case u.Class == Iterative:
		return "division"
	case u.Op == opname.ArithMulI:
		return "multiplication"
	case u.Types.Cast():
		return "casts"
	}
	return "arithmetic and logic"
}

// Spell names an operation of this unit with its types as an architecture file does:
// "addi i32", "extsi i8 -> i32".
func (u *Unit) Spell(op *ir.Operation) string {
	name := short(u.Op)
	switch {
	case u.Types.Cast():
		return fmt.Sprintf("%s %s -> %s", name, op.Operand(0).Type, op.Result(0).Type)
	case u.Repeats() && !u.Typed():
		return fmt.Sprintf("%s %d", name, op.NumOperands())
	case u.Op == opname.DataflowAccumulate:
		return fmt.Sprintf("%s %s %s in %d parts", name, op.StrAttr("operation"), op.Result(0).Type, Size{From: Parts}.Of(op, 0))
	case u.Steps():
		return fmt.Sprintf("%s %s %s", name, op.Result(0).Type, op.StrAttr("step_op"))
	case op.NumResults() > 0 && u.Out[0].Type == T:
		return fmt.Sprintf("%s %s", name, op.Result(0).Type)
	case op.NumOperands() > 0:
		return fmt.Sprintf("%s %s", name, op.Operand(op.NumOperands()-1).Type)
	}
	return name
}

// Typed reports whether the operation works on a type of choice; joins do not.
func (u *Unit) Typed() bool { return u.uses(T) || u.uses(EachT) }

// Repeats reports whether the number of operands is a choice.
func (u *Unit) Repeats() bool { return u.uses(EachT) || u.uses(EachNone) }

// Steps reports whether the operation has a step operator.
func (u *Unit) Steps() bool {
	for _, p := range u.Params {
		if p.From == StepOp {
			return true
		}
	}
	return false
}

func (u *Unit) uses(t PortType) bool {
	for _, ports := range [][]Port{u.In, u.Out} {
		for _, p := range ports {
			if p.Type == t {
				return true
			}
		}
	}
	return false
}

// Timing returns the usual latency and interval of an operation of this unit:
// 0 and 1 for what is combinational, 1 and 1 for the multiplier, Depth for what has its registers
// inside, Cycles twice for iterative units (the least, where they depend on the operands), -1 twice for state machines. The cycles of iterative
// units are stated here alone; the modules are what they are tested against.
func (u *Unit) Timing(op *ir.Operation, indexWidth int) (latency, interval int) {
	switch u.Class {
	case Dataflow:
		return -1, -1
	case Iterative:
		n := u.Cycles(words(op, indexWidth))
		return n, n
	}
	if u.Inside {
		return u.Depth.of(FloatWidth(op)), 1
	}
	return u.Latency, 1
}

// At is the row of the operation in a function unit with an interval: its pipelined form, or this one.
func (u *Unit) At(interval int) *Unit {
	if interval == 1 && u.Piped != nil {
		return u.Piped
	}
	return u
}

// MostRegisters is the largest latency of an operation of a unit with its registers inside.
func (u *Unit) MostRegisters(op *ir.Operation) int {
	if u.Registers == nil {
		return u.Depth.Most
	}
	_, frac := words(op, 0)
	return u.Registers(frac)
}

// words are the bits of the exponent and of the fraction of the result of an iterative operation, or
// 0 and those of its integer.
func words(op *ir.Operation, indexWidth int) (exp, bits int) {
	if op.NumResults() == 0 {
		return 0, 0
	}
	if exp, frac, ok := FloatFormat(op.Result(0).Type); ok {
		return exp, frac
	}
	bits, _ = ir.BitWidth(op.Result(0).Type, indexWidth)
	return 0, bits
}

// Longest is the most cycles that an operation of this unit takes from operands to result: its usual
// latency, but where that depends on the operands.
func (u *Unit) Longest(op *ir.Operation, indexWidth int) int {
	if u.Most != nil {
		return u.Most(words(op, indexWidth))
	}
	l, _ := u.Timing(op, indexWidth)
	return l
}

// Times returns the cycles from the operands a and b of an operation of this unit to its result, nil
// where these are always its latency.
func (u *Unit) Times(op *ir.Operation, indexWidth int) func(a, b uint64) int {
	if u.CyclesOf == nil {
		return nil
	}
	exp, bits := words(op, indexWidth)
	return func(a, b uint64) int { return u.CyclesOf(exp, bits, a, b) }
}

// Least is the smallest latency that a function unit with the operation may have.
func (u *Unit) Least(op *ir.Operation, indexWidth int) int {
	if u.Inside {
		return 0
	}
	l, _ := u.Timing(op, indexWidth)
	return l
}

// FloatWidth is the number of bits of the widest float that an operation reads or makes, 0 without one: what the
// figures of floating-point units are listed by.
func FloatWidth(op *ir.Operation) int {
	w := 0
	for _, values := range [][]*ir.Value{op.Operands(), op.Results()} {
		for _, v := range values {
			if exp, frac, ok := FloatFormat(v.Type); ok {
				w = max(w, 1+exp+frac)
			}
		}
	}
	return w
}

// LatencyText is the latency as documents state it.
func (u *Unit) LatencyText() string {
	switch u.Class {
	case Dataflow:
		return "state machine"
	case Iterative:
		switch {
		case u.Most != nil:
			return fmt.Sprintf("%d to %d (f32), %d to %d (f64), by the operands", u.Cycles(8, 23), u.Most(8, 23), u.Cycles(11, 52), u.Most(11, 52))
		case u.Types.Float():
			text := fmt.Sprintf("%d (f32), %d (f64)", u.Cycles(8, 23), u.Cycles(11, 52))
			if p := u.Piped; p != nil {
				text += fmt.Sprintf("; pipelined, with interval 1: %d (f32), %d (f64), at most %d and %d", p.Depth.F32, p.Depth.F64, p.Registers(23), p.Registers(52))
			}
			return text
		}
		return "width + 1"
	}
	if u.Inside {
		return fmt.Sprintf("%d (f32), %d (f64), at most %d", u.Depth.F32, u.Depth.F64, u.Depth.Most)
	}
	return strconv.Itoa(u.Latency)
}
