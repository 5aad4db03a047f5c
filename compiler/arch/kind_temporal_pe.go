package arch

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// TemporalPE executes instructions, one in a cycle, whichever has its operands.
const TemporalPE Kind = "temporal_pe"

// TemporalPESpec is what a temporal PE contains. It has one datapath for all of its function units, which opcodes number in
// order; an instruction executes one of them, again and again, on operands of its own.
type TemporalPESpec struct {
	FUs []*FunctionUnit
	// Steps are how the units execute, by opcode.
	Steps []Step
	// Instructions is num_instruction, a power of two; each has a place for its latest results.
	Instructions int
	// Constants is num_constant, how many words of the configuration are data of operands.
	Constants int
	// Width is that of the datapath in bits: of the widest port.
	Width int
}

// Step is how a temporal PE executes a function unit.
type Step struct {
	Kind StepKind
	// Slot is, by input of the unit, the operand of the instruction that it is.
	Slot []int
	// Cycles is how many cycles an execution takes beyond the first: the latency of the unit.
	Cycles int
}

// StepKind says which operands an instruction waits for and takes, and which results it then has.
type StepKind int

// The kinds. Condition, A and B are the operands of an instruction.
const (
	StepCompute   StepKind = iota // all operands; their result
	StepJoin                      // all operands; a token
	StepSelect                    // all operands; A if the condition is true, else B
	StepMux                       // the condition, and A if that is false, else B; the word taken
	StepBranch                    // the condition and A; result 0 if that is true, else result 1
	StepCarry                     // first A, then the condition and, while that is true, B; the word taken. A false condition ends it
	StepLoop                      // the condition and at first, and behind a false one, A, else B: result 0 if it is true, else 1
	StepInvariant                 // A, which stays; then conditions, A again for every true one. A false one takes A away
)

// Operands of an instruction.
const (
	OperandCondition = iota // one bit
	OperandA
	OperandB
	InstructionOperands
)

// Sources is the number of sources that operands and outputs of a PE choose among. They count the first results of the
// instructions, their second ones, and the inputs of the PE (rtl/README.md, "Temporal PEs").
func (p *TemporalPESpec) Sources(c *Component) int { return 2*p.Instructions + len(c.In) }

// Predicate is the width in bits of the predicate of an instruction, 0 in a PE without comparisons.
func (p *TemporalPESpec) Predicate() int {
	for _, u := range p.FUs {
		if op := u.Single(); op != nil && op.Op.Name == opname.ArithCmpI {
			return predicateBits
		}
	}
	return 0
}

// predicateBits is the width of the predicate of arith.cmpi in the configuration.
const predicateBits = 4

// stepped are the operations of a temporal PE beside arithmetic, with the operands of the instruction by operand.
var stepped = map[string]Step{
	opname.ArithSelect:       {StepSelect, []int{OperandCondition, OperandA, OperandB}, 0},
	opname.HandshakeMux:      {StepMux, []int{OperandCondition, OperandA, OperandB}, 0},
	opname.HandshakeCondBr:   {StepBranch, []int{OperandCondition, OperandA}, 0},
	opname.DataflowCarry:     {StepCarry, []int{OperandCondition, OperandA, OperandB}, 0},
	opname.DataflowInvariant: {StepInvariant, []int{OperandCondition, OperandA}, 0},
}

// steers reports whether a condition of one bit, and words of at most so many bits, are the inputs of a unit.
func (f *FunctionUnit) steers(width int) bool {
	ok := f.In[0].Width == 1
	for _, p := range f.In[1:] {
		ok = ok && p.Width <= width
	}
	return ok
}

// Step is how a temporal PE of some bits executes a unit, false where it does not: the unit is one operation of those above,
// on words of that width where it computes, without registers but one of a shift or an extreme and those of a multiplier; or a carry
// fused with the branch of its value.
func (f *FunctionUnit) Step(width int) (Step, bool) {
	if x := f.Fused(); x != nil {
		if x.Kind != FusedLoop || !slices.Equal(x.In, []int{0, 1, 2}) {
			return Step{}, false
		}
		return Step{StepLoop, []int{OperandCondition, OperandA, OperandB}, 0}, f.steers(width)
	}
	op := f.Single()
	if op == nil || f.Interval > 1 {
		return Step{}, false
	}
	if op.Op.Name == opname.ArithMulI {
		// One that is loom_mul.
		return Step{StepCompute, []int{OperandA, OperandB}, f.Latency}, f.In[0].Width == width && f.Latency == units.MultiplierLatency(width)
	}
	if f.Latency > units.ALULatency(op.Op.Name) {
		return Step{}, false
	}
	switch s, steers := stepped[op.Op.Name]; {
	case steers:
		return s, len(f.In) == len(s.Slot) && f.steers(width)
	case op.Op.Name == opname.HandshakeJoin && len(f.In) <= InstructionOperands:
		return Step{StepJoin, []int{OperandCondition, OperandA, OperandB}[:len(f.In)], 0}, true
	case slices.Contains(units.ALUArithmetic, op.Op.Name) || slices.Contains(units.ALUCasts, op.Op.Name):
		s = Step{StepCompute, []int{OperandA, OperandB}[:len(f.In)], f.Latency}
		for _, p := range f.In {
			if p.Width > width || len(f.In) > 1 && p.Width < width {
				return s, false
			}
		}
		return s, f.Out[0].Width <= width
	}
	return Step{}, false
}

func init() { register(TemporalPE, temporalPE{}) }

type temporalPE struct{ component }

func (temporalPE) Symbols() []Symbol {
	return []Symbol{
		{Name: "CPL_TEMPORAL_PE_PORT_TYPE", Rule: "The ports of a temporal PE are channels of one bit, or as wide as its widest one."},
		{Name: "CPL_TEMPORAL_PE_UNIT", Rule: "A function unit of a temporal PE is one operation of its datapath: integer arithmetic on its words but division, without registers but those of a multiplier and one in a shift, minimum or maximum, select, cond_br, mux, carry, invariant, a join of up to three tokens, or a carry fused with the cond_br of its value."},
		{Name: "CPL_TEMPORAL_PE_INSTRUCTIONS", Rule: "num_instruction is 2, 4, 8 or 16; num_constant is 0 to 16."},
		{Name: "CPL_TEMPORAL_PE_EMPTY", Rule: "A temporal PE has at least one function unit and at most 64, an input and an output, at most 16 of each."},
	}
}

func (temporalPE) Errors() []HardwareError {
	return []HardwareError{{7, "CFG_TEMPORAL_PE_ILLEGAL_REG", "an operand or an output of a temporal PE has a source that is not there"}}
}

// Limits of temporal PEs.
const (
	maxInstructions = 16
	maxConstants    = 16
	maxTemporalPort = 16
	maxTemporalUnit = 64
)

// LegalInstructions reports whether num_instruction and num_constant are in range.
func LegalInstructions(instructions, constants int64) bool {
	return instructions >= 2 && instructions <= maxInstructions && bits.OnesCount64(uint64(instructions)) == 1 && constants >= 0 && constants <= maxConstants
}

// LegalTemporalSize reports whether a temporal PE may have so many inputs, outputs and function units.
func LegalTemporalSize(in, out, units int) bool {
	return in >= 1 && in <= maxTemporalPort && out >= 1 && out <= maxTemporalPort && units >= 1 && units <= maxTemporalUnit
}

func (temporalPE) read(f *flattener, c *Component, def *ir.Operation) (in, out portName) {
	f.untaggedPorts(c, def)
	for _, a := range []string{"num_register", "reg_fifo_depth", "operand_buffer_size", "enable_share_operand_buffer"} {
		if def.Attr(a) != nil {
			f.unsupported(c.Pos, fmt.Sprintf("'%s' of a temporal PE, which has one place per instruction and operand,", a))
		}
	}
	list := f.pe(def).FUs
	p := &TemporalPESpec{FUs: list, Instructions: int(IntParam(def, AttrInstructions, 2)), Constants: int(IntParam(def, AttrConstants, 0))}
	ft := Signature(def)
	for _, t := range append(slices.Clone(ft.Inputs), ft.Results...) {
		p.Width = max(p.Width, f.width(t))
	}
	for _, u := range list {
		s, ok := u.Step(p.Width)
		if !ok {
			f.errs.Errorf(u.Pos, "function unit '%s' cannot stand in a temporal PE of %d bits", u.Name, p.Width).WithSymbol("CPL_TEMPORAL_PE_UNIT").
				WithHelp("its datapath computes on words of %d bits, in one cycle but for muli; other units stand in a fabric.spatial_pe", p.Width)
			s.Slot = make([]int, len(u.In))
		}
		p.Steps = append(p.Steps, s)
	}
	c.TPE = p
	return numbered("in"), numbered("out")
}

func (temporalPE) Configure(c *Component, img ConfigBuilder) { img.Instructions(c) }

// Combinational: what arrives goes into a place, and what leaves comes out of a register; ready is told by registers alone.
func (temporalPE) Combinational(*Component, int, int, bool) bool { return false }

func (temporalPE) Shape(c *Component) string {
	var b strings.Builder
	fmt.Fprintf(&b, "instructions %d constants %d ", c.TPE.Instructions, c.TPE.Constants)
	b.WriteString(unitShapes(c.TPE.FUs))
	return b.String()
}
