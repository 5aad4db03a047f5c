package rtl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// randomTemporalPE draws a PE and its instructions. Most sources are inputs and instructions before, so that words pass through.
func randomTemporalPE(r *rand.Rand) *temporalPE {
	k := 2 << r.IntN(4)
	m := &temporalPE{w: 1 + r.IntN(12), inputs: 1 + r.IntN(5)}
	if r.IntN(4) == 0 {
		m.inputs = 1 + r.IntN(16)
	}
	for range 1 + r.IntN(12) {
		m.kinds = append(m.kinds, max(r.IntN(kindCount+1)-1, kindCompute)) // more of what computes
		m.cycles = append(m.cycles, 0)
	}
	if r.IntN(2) == 0 { // operations with registers inside
		for op, kind := range m.kinds {
			if kind == kindCompute {
				m.cycles[op] = r.IntN(4)
			}
		}
	}
	for range []int{0, 1, 2, 4, 7}[r.IntN(5)] {
		m.constants = append(m.constants, randomWord(r, m.w))
	}
	predicates := r.IntN(2) == 0
	wrong := r.IntN(8) == 0
	source := func(n int) int {
		switch p := r.IntN(100); {
		case p < 60:
			return 2*k + r.IntN(m.inputs)
		case p < 90 && n > 0:
			from := r.IntN(n)
			if kind := m.kinds[m.instructions[from].opcode]; (kind == kindBranch || kind == kindLoop) && r.IntN(2) == 0 || r.IntN(20) == 0 {
				return k + from
			}
			return from
		case p < 92 && wrong:
			return r.IntN(1 << choiceBits(m.sources()))
		case p < 97 && n < k: // its own result
			return n + k*r.IntN(2)
		}
		return r.IntN(m.sources())
	}
	for n := range k {
		in := peInstruction{valid: r.IntN(6) > 0}
		if in.valid {
			in.opcode = r.IntN(len(m.kinds))
			if predicates {
				in.predicate = randomWord(r, 4)
			}
			for p := range in.operands {
				o := peOperand{source: source(n)}
				kind := m.kinds[in.opcode]
				absent := p == 0 && kind == kindCompute || p == 2 && (kind == kindBranch || kind == kindInvariant) || kind == kindJoin && p == 2 && r.IntN(2) == 0
				steered := p == 0 && kind != kindJoin
				if p == 0 && kind == kindCarry && r.IntN(4) == 0 {
					o.source = n // the other kinds never begin so
				}
				if absent || !steered && r.IntN(5) == 0 {
					o = peOperand{held: true}
				}
				o.immediate = !absent && p > 0 && len(m.constants) > 0 && r.IntN(4) == 0
				in.operands[p] = o
				if o.immediate {
					in.constant = r.IntN(len(m.constants))
				}
			}
		}
		m.instructions = append(m.instructions, in)
	}
	for range 1 + r.IntN(5) {
		o := peOutput{enable: r.IntN(6) > 0}
		if o.enable {
			o.source = source(k)
		}
		m.outputs = append(m.outputs, o)
	}
	m.reset()
	return m
}

// chosenPrograms are instructions by kind, with the sources of condition, a and b, -1 for held: things that random ones seldom do.
// Inputs are 4, 5 and 6; output 0 has result 0 of instruction 0, output 1 the last source.
var chosenPrograms = [][]struct {
	kind, cycles, condition, a, b int
}{
	{{kindCarry, 0, 6, 4, 5}},                                 // between two tokens of a loop nothing but its state is left
	{{kindCarry, 0, 0, 4, 5}},                                 // the condition is its own result
	{{kindCarry, 0, 6, 4, 0}},                                 // so is the next value
	{{kindCompute, 2, -1, 4, 5}, {kindCompute, 0, -1, 6, -1}}, // something is executed while there is no room
	{{kindBranch, 0, 6, 4, -1}, {kindCompute, 0, -1, 2, 5}},   // one result has no reader but the other's
	{{kindLoop, 0, 6, 4, 0}, {kindInvariant, 0, 6, 5, -1}},
}

// chosenTemporalPE has one of those programs.
func chosenTemporalPE(program int) *temporalPE {
	m := &temporalPE{w: 5, inputs: 3, kinds: []int{kindJoin}, cycles: []int{0}, outputs: []peOutput{{true, 0}, {true, 6}, {true, 2}}}
	at := func(source int) peOperand {
		if source < 0 {
			return peOperand{held: true}
		}
		return peOperand{source: source}
	}
	for _, in := range chosenPrograms[program] {
		m.kinds, m.cycles = append(m.kinds, in.kind), append(m.cycles, in.cycles)
		m.instructions = append(m.instructions,
			peInstruction{valid: true, opcode: len(m.kinds) - 1, operands: [3]peOperand{at(in.condition), at(in.a), at(in.b)}})
	}
	for len(m.instructions) < 2 {
		m.instructions = append(m.instructions, peInstruction{})
	}
	m.reset()
	return m
}

// predicate is the width of the predicates, 0 where all of them are zero.
func (m *temporalPE) predicate() int {
	for _, in := range m.instructions {
		if in.predicate != 0 {
			return 4
		}
	}
	return 0
}

// choiceBits is the width of the number of one of n things.
func choiceBits(n int) (width int) {
	for 1<<width < n {
		width++
	}
	return width
}

// config is the configuration, the lowest bit last, in binary.
func (m *temporalPE) config() string {
	var s string
	put := func(width int, v uint64) {
		if width > 0 {
			s = fmt.Sprintf("%0*b", width, v) + s
		}
	}
	sw := choiceBits(m.sources())
	for _, in := range m.instructions {
		put(1, b2u(in.valid))
		put(choiceBits(len(m.kinds)), uint64(in.opcode))
		put(m.predicate(), in.predicate)
		for p, o := range in.operands {
			put(sw, uint64(o.source))
			put(1, b2u(o.held))
			if p > 0 && len(m.constants) > 0 {
				put(1, b2u(o.immediate))
			}
		}
		put(choiceBits(len(m.constants)), uint64(in.constant))
	}
	for _, o := range m.outputs {
		put(1, b2u(o.enable))
		put(sw, uint64(o.source))
	}
	for _, c := range m.constants {
		put(m.w, c)
	}
	return s
}

// peCounts counts executions by kind, and those without an operand that was coming.
type peCounts struct {
	fired [kindCount]int
	short int
}

// replay drives the model for some cycles and returns what the RTL must do; counts adds up what happens.
func (m *temporalPE) replay(r *rand.Rand, cycles int, counts *peCounts) *lockstep {
	cfg := m.config()
	kinds, spent := "", ""
	for op, kind := range m.kinds {
		kinds, spent = fmt.Sprint(kind)+kinds, fmt.Sprintf("%02b", m.cycles[op])+spent
	}
	opw := choiceBits(len(m.kinds))
	// What computes, as a function of the bench: temporalPE.compute.
	result := fmt.Sprintf("%d'd0", m.w)
	for op, kind := range m.kinds {
		value := "found_a"
		switch kind {
		case kindJoin:
			value = fmt.Sprintf("%d'd0", m.w)
		case kindCompute:
			value = fmt.Sprintf("(found_a + found_b + found_b + found_b + now_predicate + %d'd%d)", m.w+4, op)
		}
		result = fmt.Sprintf("(now_opcode == %d'd%d) ? %s : %s", opw+1, 1<<opw+op, value, result)
	}
	l := &lockstep{module: "loom_temporal_pe", clocked: true,
		params: fmt.Sprintf(".W(%d), .NUM_INSTRUCTION(%d), .NUM_CONSTANT(%d), .N_IN(%d), .N_OUT(%d), .N_OP(%d), .KIND(%d'o%s), .CYCLES(%d'b%s), .PREDICATE(%d), .BITS(%d)",
			m.w, len(m.instructions), len(m.constants), m.inputs, len(m.outputs), len(m.kinds), 3*len(m.kinds), kinds, 2*len(m.kinds), spent, m.predicate(), len(cfg)),
		fixed: fmt.Sprintf(".cfg(%d'b%s), .result(%s)", len(cfg), cfg, result),
		around: fmt.Sprintf("  reg [%d:0] now_opcode;\n  reg [%d:0] now_predicate;\n", opw, max(m.predicate(), 1)-1) +
			"  always @(posedge clk) if (found_advance) {now_opcode, now_predicate} <= {found_opcode, found_predicate};\n",
		in: []field{{"rst", 1}, {"in_valid", m.inputs}, {"in_data", m.inputs * m.w}, {"out_ready", len(m.outputs)}},
		out: []field{{"in_ready", m.inputs}, {"out_valid", len(m.outputs)}, {"out_data", len(m.outputs) * m.w}, {"opcode", opw + 1},
			{"predicate", max(m.predicate(), 1)}, {"advance", 1}, {"a", m.w}, {"b", m.w}, {"err_valid", 1}, {"err_code", 16}, {"idle", 1}}}
	offers, takes := []int{}, []int{}
	alike := r.IntN(2) == 0 // at the same pace they are empty at the same time, too
	for j := range m.inputs {
		offers = append(offers, []int{5, 20, 60, 100}[r.IntN(4)])
		if alike {
			offers[j] = offers[0]
		}
	}
	for range m.outputs {
		takes = append(takes, percentOf(r))
	}
	in := peIn{inputs: make([]flow, m.inputs), outReady: make([]bool, len(m.outputs))}
	for k := range cycles {
		// Most random programs stop soon, with operands that never come.
		in.rst = k == 0 || r.IntN(60) == 0
		for j := range in.inputs {
			in.inputs[j].next(r, offers[j], m.w)
		}
		for o := range in.outReady {
			in.outReady[o] = percent(r, takes[o])
		}
		var valid, data, ready string
		for j := range in.inputs {
			valid, data = bit(in.inputs[j].valid)+valid, fmt.Sprintf("%0*b", m.w, in.inputs[j].value)+data
		}
		for o := range in.outReady {
			ready = bit(in.outReady[o]) + ready
		}
		x := m.cycle(&in)
		stim := []string{bit(in.rst), valid, data, ready}
		var inReady, outValid, outData string
		for j := range x.inReady {
			inReady = unless(in.rst, 1, b2u(x.inReady[j])) + inReady
		}
		for o := range x.full {
			outValid, outData = unless(in.rst, 1, b2u(x.full[o]))+outValid, unless(!x.full[o] || in.rst, m.w, x.offered[o])+outData
		}
		if x.fires >= 0 {
			counts.fired[x.fires]++
		}
		if x.short && !in.rst {
			counts.short++
		}
		if x.wrong { // what does not end soon may be anything
			inReady, outValid, outData = unless(true, m.inputs, 0), unless(true, len(m.outputs), 0), unless(true, len(m.outputs)*m.w, 0)
			l.put(stim, []string{inReady, outValid, outData, unless(true, opw+1, 0), unless(true, max(m.predicate(), 1), 0), "x", unless(true, 2*m.w, 0),
				bit(!in.rst), unless(in.rst, 16, 7), "x"})
			continue
		}
		unknown := in.rst || !x.prepares
		l.put(stim, []string{inReady, outValid, outData,
			unless(in.rst, 1, b2u(x.prepares)) + unless(unknown, opw, uint64(x.opcode))[:opw], unless(unknown, max(m.predicate(), 1), x.predicate),
			unless(in.rst, 1, b2u(x.advance)), unless(in.rst || !x.hasA, m.w, x.a), unless(in.rst || !x.hasB, m.w, x.b),
			"0", unless(true, 16, 0), unless(in.rst, 1, b2u(x.idle))})
	}
	return l
}

// randomTemporalPEs runs n PEs and the chosen programs, and counts executions by kind.
func randomTemporalPEs(seed uint64, n, cycles int, counts *peCounts) (ls []*lockstep) {
	for k := range n {
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		ls = append(ls, randomTemporalPE(r).replay(r, cycles, counts))
	}
	for k := range 4 * len(chosenPrograms) {
		r := rand.New(rand.NewPCG(seed, uint64(n+k)))
		ls = append(ls, chosenTemporalPE(k%len(chosenPrograms)).replay(r, cycles, counts))
	}
	return ls
}

// TestTemporalPE compares loom_temporal_pe with the model in every cycle: random sizes, instructions, stalls and resets.
func TestTemporalPE(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	unchanged(t, "temporal_pe_*test.go", "lockstep_test.go")
	t.Parallel()
	n, seeds := 50, 1
	if soak() {
		n, seeds = 100, 10
	}
	var counts peCounts
	for seed := range seeds {
		dir := t.TempDir()
		sources(t, dir, "", "", "")
		if out := compare(t, dir, 400, randomTemporalPEs(uint64(seed)+1, n, 400, &counts)); strings.Contains(out, "MISMATCH") {
			t.Errorf("seed %d:\n%s", seed+1, tail(out))
		}
	}
	t.Logf("executions by kind: %v, without an operand that was coming: %d", counts.fired, counts.short)
	if counts.short < 50*seeds {
		t.Errorf("%d executions find that an operand did not come", counts.short)
	}
	for kind, count := range counts.fired {
		if count < 50*seeds {
			t.Errorf("kind %d executes %d times", kind, count)
		}
	}
}

// TestTemporalPEFaults: the comparison notices faults planted in the RTL.
func TestTemporalPEFaults(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	const file = "loom_temporal_pe.sv"
	mustNotice(t, []plantedFault{
		{"an instruction is issued again while it executes", file, "~(blocked | prepared | on)", "~(blocked | prepared)", true},
		{"an instruction is issued again while it is prepared", file, "~(blocked | prepared | on)", "~(blocked | on)", true},
		{"what is blocked is issued again", file, "~(blocked | prepared | on)", "~(prepared | on)", false},
		{"the arbiter goes on while an execution takes more cycles", file, "(blocked | prepared | on) & {M{last}}", "(blocked | prepared | on)", false},
		{"what is prepared is lost while an execution takes more cycles", file, "end else if (last) begin\n      prepared", "end else begin\n      prepared", false},
		{"an execution takes a cycle less", file, "more <= (|prepared[K-1:0]) & (its_cycles != 2'd0)", "more <= (|prepared[K-1:0]) & (its_cycles > 2'd1)", false},
		{"an execution without room takes all its cycles", file, "assign goes_on = free & more;", "assign goes_on = issued & more;", false},
		{"an output that is taken leaves all blocked", file, "if (rst | fire | left) blocked", "if (rst | fire) blocked", false},
		{"readers of the other result do not wait", file, "difference[L] = 1'b0", "difference[L] = difference[L]", false},
		{"an instruction waits for its own token", file, "& ~(prepared[n] & take[k])", "", false},
		{"a token is overwritten", file, "(|(there & reads)) | ", "", true},
		{"an output is overwritten", file, " | (|(full & out_reads))", "", false},
		{"an instruction executes without an operand", file, "issued & ~short_of &", "issued &", true},
		{"an instruction is not short of b", file, "{take_b, take_a | stays, take_c} &", "{1'b0, take_a | stays, take_c} &", false},
		{"an invariant executes without its word", file, "take_a | stays", "take_a", false},
		{"a held operand must be there", file, "& ~{held_b, held_a, held_c} &", "&", false},
		{"nothing is issued for an operand that is coming", file, "there[K+n] | coming[K+n] | held_a", "there[K+n] | held_a", false},
		{"a mux does not wait for its condition", file, "(coming[n] & ~is_mux)", "coming[n]", false},
		{"a carry ends by a condition that is not known", file, "is_carry & known & ~flag[n]", "is_carry & ~flag[n]", false},
		{"a condition is the old one", file, "else if (fire & coming[n]) flag[n]", "else if (fire & coming[n] & ~there[n]) flag[n]", false},
		{"a condition that waits is overwritten", file, "else if (fire & coming[n]) flag[n]", "else if (fire) flag[n]", false},
		{"a select passes the other word", file, "(is_select & ~flag[n])", "(is_select & flag[n])", false},
		{"a carry waits for b to end", file, "(is_carry & known & ~flag[n])", "1'b0", false},
		{"a branch gives result 0 alone", file, "assign other    = branches & ~flag[n];", "assign other    = 1'b0;", false},
		{"an invariant loses its word", file, "take_a     = is_state & is_unset;", "take_a     = is_state;", false},
		{"a carry that ends gives a word", file, "starts & state[n] & ~flag[n];", "starts & ~alternates & state[n] & ~flag[n];", false},
		{"a held operand is no zero", file, "words[place_b] & {W{~held_b}}", "words[place_b]", false},
		{"both results have places of their own", file, "source_a[L] & (|source_a[SW-1:L+1])", "source_a[L]", false},
		{"idle in the middle of a loop", file, "(|there) | (|state) |", "(|there) |", false},
		{"idle with a token", file, "(|there) | (|state) |", "(|state) |", false},
		{"idle with a token at an input", file, "(|full) | (|waiting) |", "(|full) |", false},
		{"an input takes a token while it has one", file, "assign in_ready = ~waiting;", "assign in_ready = ~{N_IN{&waiting}};", false},
		{"idle while something is prepared", file, "| any_prepared | issued)", "| issued)", false},
		{"the last source is wrong", file, ">= SW'(SOURCES)", ">= SW'(SOURCES - 1)", true},
	}, 400, func(*testing.T) []*lockstep { return randomTemporalPEs(1, 40, 400, new(peCounts)) })
}
