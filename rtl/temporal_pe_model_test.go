package rtl

// Kinds of steps of loom_temporal_pe, by their numbers in KIND.
const (
	kindCompute = iota
	kindJoin
	kindSelect
	kindMux
	kindBranch
	kindCarry
	kindLoop
	kindInvariant
	kindCount
)

// peOperand is an operand of an instruction: condition, a or b.
type peOperand struct {
	source          int
	held, immediate bool
}

// peInstruction is an instruction of a temporal PE.
type peInstruction struct {
	valid     bool
	opcode    int
	predicate uint64
	operands  [3]peOperand
	constant  int
}

// peOutput is the source of an output.
type peOutput struct {
	enable bool
	source int
}

// temporalPE is loom_temporal_pe as README.md describes it, cycle by cycle: the reference of TestTemporalPE.
type temporalPE struct {
	w, inputs    int
	kinds        []int // by opcode
	cycles       []int // by opcode, beyond the first
	instructions []peInstruction
	outputs      []peOutput
	constants    []uint64

	there       [][3]bool
	flag, state []bool
	full        []bool
	offered     []uint64
	words       []uint64 // by source, at the number of result 0
	blocked     []bool   // instructions, then inputs
	waiting     []bool   // inputs with a token
	entered     []uint64 // its word
	left        bool     // a token from an output, in the cycle before
	prepared    int      // as in blocked, -1 for nothing
	now         peExecution
	rest        int // cycles of the execution that follow
	pointer     int
}

// peExecution is what executes: what it does is settled when it is prepared.
type peExecution struct {
	at           int // as in blocked, -1 for nothing
	takes, needs [3]bool
	given        int // the source that gets the word, -1 for none
	state        bool
	a, b         uint64
	hasA, hasB   bool // where they are defined
}

// peIn are the inputs of a cycle, peOut the outputs.
type peIn struct {
	rst      bool
	inputs   []flow
	outReady []bool
}

type peOut struct {
	inReady []bool
	full    []bool
	offered []uint64
	// prepares is set while an instruction is prepared, which opcode and predicate are of.
	prepares  bool
	opcode    int
	predicate uint64
	advance   bool
	// a and b are defined where what executes has them.
	a, b       uint64
	hasA, hasB bool
	fires      int  // the kind of an instruction, -1 for none
	short      bool // of an operand that was coming
	wrong      bool
	idle       bool
}

func (m *temporalPE) reset() {
	k := len(m.instructions)
	m.there, m.flag, m.state = make([][3]bool, k), make([]bool, k), make([]bool, k)
	m.full, m.offered = make([]bool, len(m.outputs)), make([]uint64, len(m.outputs))
	m.words = make([]uint64, 2*k+m.inputs)
	m.blocked = make([]bool, k+m.inputs)
	m.waiting, m.entered = make([]bool, m.inputs), make([]uint64, m.inputs)
	m.left = false
	m.prepared, m.now, m.rest, m.pointer = -1, peExecution{at: -1}, 0, 0
}

// sources is how many there are.
func (m *temporalPE) sources() int { return 2*len(m.instructions) + m.inputs }

// step says what instruction n does with what it has: which operands it waits for and takes, which word it passes on, its result,
// -1 for none, and its next state.
func (m *temporalPE) step(n int) (waits, takes [3]bool, passed, result int, next bool) {
	all := [3]bool{true, true, true}
	flag, state := m.flag[n], m.state[n]
	other := func(b bool) [3]bool { return [3]bool{true, !b, b} }
	choice := func(b bool) int {
		if b {
			return 2
		}
		return 1
	}
	second := 0
	if !flag {
		second = 1
	}
	switch m.kinds[m.instructions[n].opcode] {
	case kindSelect:
		return all, all, choice(!flag), 0, false
	case kindMux:
		return other(flag), other(flag), choice(flag), 0, false
	case kindBranch:
		return [3]bool{true, true, false}, [3]bool{true, true, false}, 1, second, false
	case kindLoop:
		return other(state), other(state), choice(state), second, flag
	case kindCarry:
		if !state {
			a := [3]bool{false, true, false}
			return a, a, 1, 0, true
		}
		used := [3]bool{true, false, flag}
		if !flag {
			return used, used, 2, -1, false
		}
		return used, used, 2, 0, true
	case kindInvariant:
		if !state {
			return [3]bool{false, true, false}, [3]bool{}, 1, 0, true
		}
		if !flag {
			return [3]bool{true, false, false}, [3]bool{true, true, false}, 1, -1, false
		}
		return [3]bool{true, false, false}, [3]bool{true, false, false}, 1, 0, true
	}
	return all, all, 1, 0, false
}

func (m *temporalPE) mask() uint64 { return 1<<m.w - 1 }

// data is the word of operand k of instruction n.
func (m *temporalPE) data(n, k int) uint64 {
	in := m.instructions[n]
	o := in.operands[k]
	switch source := o.source; {
	case o.immediate:
		return m.constants[in.constant]
	case o.held:
		return 0
	case source < 2*len(m.instructions):
		return m.words[source%len(m.instructions)]
	default:
		return m.words[source]
	}
}

// compute is what the bench computes with an opcode; whatever depends on all operands will do.
func (m *temporalPE) compute(opcode int, predicate, a, b uint64) uint64 {
	switch m.kinds[opcode] {
	case kindJoin:
		return 0
	case kindCompute:
		return (a + 3*b + predicate + uint64(opcode)) & m.mask()
	}
	return a
}

// from reports whether a source is one of those of what executes.
func (m *temporalPE) from(source int) bool {
	k := len(m.instructions)
	if m.now.at >= k {
		return source == k+m.now.at
	}
	return m.now.at >= 0 && source < 2*k && source%k == m.now.at
}

// coming reports whether an operand gets what executes.
func (m *temporalPE) coming(n, p int) bool {
	o := m.instructions[n].operands[p]
	return m.now.at >= 0 && m.now.given >= 0 && !o.held && o.source == m.now.given
}

// ready reports whether instruction or input s has what it waits for.
func (m *temporalPE) ready(s int) bool {
	if s >= len(m.instructions) {
		return m.waiting[s-len(m.instructions)]
	}
	at := &m.instructions[s]
	if !at.valid {
		return false
	}
	has := func(p int) bool { return m.there[s][p] || at.operands[p].held || m.coming(s, p) }
	waits, _, _, _, _ := m.step(s)
	if !m.there[s][0] && !at.operands[0].held && waits[0] { // what a condition is that is coming is not known yet
		switch m.kinds[at.opcode] {
		case kindMux:
			return false
		case kindCarry:
			waits = [3]bool{true, false, true}
		}
	}
	for k, w := range waits {
		if w && !has(k) {
			return false
		}
	}
	return true
}

// prepare settles what instruction or input s does.
func (m *temporalPE) prepare(s int) peExecution {
	k := len(m.instructions)
	if s < 0 || s >= k {
		return peExecution{at: s, given: k + s}
	}
	at := &m.instructions[s]
	waits, takes, passed, result, state := m.step(s)
	x := peExecution{at: s, takes: takes, needs: waits, given: s + k*result, state: state, a: m.data(s, passed), b: m.data(s, 2)}
	if result < 0 {
		x.given = -1
	}
	for p := range x.needs {
		x.needs[p] = x.needs[p] && !at.operands[p].held
	}
	kind := m.kinds[at.opcode]
	x.hasA, x.hasB = kind != kindJoin && result >= 0, kind == kindCompute
	return x
}

// cycle computes the outputs of a cycle and advances the state.
func (m *temporalPE) cycle(in *peIn) peOut {
	k := len(m.instructions)
	out := peOut{inReady: make([]bool, m.inputs), advance: m.rest == 0, fires: -1, idle: m.prepared < 0 && m.now.at < 0}
	out.full, out.offered = append(out.full, m.full...), append(out.offered, m.offered...)
	for _, at := range m.instructions {
		for _, o := range at.operands {
			out.wrong = out.wrong || o.source >= m.sources()
		}
	}
	for j, w := range m.waiting {
		out.inReady[j], out.idle = !w, out.idle && !w
	}
	for o, at := range m.outputs {
		out.wrong = out.wrong || at.source >= m.sources()
		out.idle = out.idle && !m.full[o]
	}
	for n := range m.instructions {
		out.idle = out.idle && m.there[n] == [3]bool{} && !m.state[n]
	}
	if in.rst {
		for j := range in.inputs {
			in.inputs[j].taken = true // sources are reset, too
		}
		m.reset()
		return out
	}

	// What is issued next and what is prepared, from the state at the beginning.
	next := -1
	for i := range k + m.inputs {
		s := (m.pointer + i) % (k + m.inputs)
		if m.rest == 0 && m.ready(s) && !m.blocked[s] && s != m.prepared && s != m.now.at {
			next = s
			break
		}
	}
	if next >= 0 {
		m.pointer = (next + 1) % (k + m.inputs)
	}
	if p := m.prepared; p >= 0 && p < k {
		out.prepares, out.opcode, out.predicate = true, m.instructions[p].opcode, m.instructions[p].predicate
	}
	prepared := m.prepare(m.prepared)

	clear, goesOn := m.left, false
	m.left = false
	left := -1 // the input whose token leaves its place
	for o := range m.outputs {
		if m.full[o] && in.outReady[o] {
			m.left = true
		}
	}
	freed := append([]bool(nil), m.full...) // from the next cycle on
	for o := range freed {
		freed[o] = m.full[o] && !in.outReady[o]
	}
	if x := m.now; x.at >= 0 {
		s := x.at
		waits := false
		for n, at := range m.instructions {
			for p, o := range at.operands {
				if n == s && x.needs[p] && !m.there[n][p] {
					out.short = true
				}
				if at.valid && !o.held && m.from(o.source) && m.there[n][p] && !(n == s && x.takes[p]) {
					waits = true
				}
			}
		}
		out.a, out.b, out.hasA, out.hasB = x.a, x.b, x.hasA && !out.short, x.hasB && !out.short
		for o, at := range m.outputs {
			waits = waits || at.enable && m.from(at.source) && m.full[o]
		}
		switch {
		case out.short || x.given >= 0 && waits:
			m.blocked[s] = true
		case m.rest > 0: // nothing else is issued
			goesOn = true
		default:
			clear = true
			var word uint64
			if s < k {
				at := m.instructions[s]
				out.fires = m.kinds[at.opcode]
				word = m.compute(at.opcode, at.predicate, x.a, x.b)
			} else {
				word = m.entered[s-k]
				left = s - k
			}
			coming := make([][3]bool, k)
			for n := range m.instructions {
				for p := range coming[n] {
					coming[n][p] = m.instructions[n].valid && m.coming(n, p)
				}
			}
			if s < k {
				for p, t := range x.takes {
					m.there[s][p] = m.there[s][p] && !t
				}
				m.state[s] = x.state
			}
			for n := range coming {
				for p, c := range coming[n] {
					if m.there[n][p] = m.there[n][p] || c; c && p == 0 {
						m.flag[n] = word&1 != 0
					}
				}
			}
			if x.given >= 0 {
				if at := x.given; at < 2*k {
					m.words[at%k] = word
				} else {
					m.words[at] = word
				}
				for o, at := range m.outputs {
					if at.enable && at.source == x.given {
						freed[o], m.offered[o] = true, word
					}
				}
			}
		}
	}
	switch {
	case goesOn:
		m.rest--
	case m.rest > 0: // it ends, and what is prepared waits
		m.rest, m.now = 0, peExecution{at: -1}
	default:
		m.now, m.prepared = prepared, next
		if n := prepared.at; n >= 0 && n < k {
			m.rest = m.cycles[m.instructions[n].opcode]
		}
	}
	if clear {
		for i := range m.blocked {
			m.blocked[i] = false
		}
	}
	for j := range in.inputs {
		in.inputs[j].taken = in.inputs[j].valid && out.inReady[j]
		if in.inputs[j].taken {
			m.waiting[j], m.entered[j] = true, in.inputs[j].value
		} else if j == left {
			m.waiting[j] = false
		}
	}
	m.full = freed
	return out
}
