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
	issued      int      // as in blocked, -1 for nothing
	rest        int      // cycles of its execution that follow
	pointer     int
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
	// executes is set while an instruction does, a and b are defined where it has them.
	executes  bool
	opcode    int
	predicate uint64
	a, b      uint64
	hasA      bool
	hasB      bool
	wrong     bool
	idle      bool
}

func (m *temporalPE) reset() {
	k := len(m.instructions)
	m.there, m.flag, m.state = make([][3]bool, k), make([]bool, k), make([]bool, k)
	m.full, m.offered = make([]bool, len(m.outputs)), make([]uint64, len(m.outputs))
	m.words = make([]uint64, 2*k+m.inputs)
	m.blocked = make([]bool, k+m.inputs)
	m.issued, m.rest, m.pointer = -1, 0, 0
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

// ready reports whether instruction or input s has what it waits for.
func (m *temporalPE) ready(s int, in *peIn) bool {
	if s >= len(m.instructions) {
		return in.inputs[s-len(m.instructions)].valid
	}
	if !m.instructions[s].valid {
		return false
	}
	waits, _, _, _, _ := m.step(s)
	for k, w := range waits {
		if w && !m.there[s][k] && !m.instructions[s].operands[k].held {
			return false
		}
	}
	return true
}

// cycle computes the outputs of a cycle and advances the state.
func (m *temporalPE) cycle(in *peIn) peOut {
	k := len(m.instructions)
	out := peOut{inReady: make([]bool, m.inputs), idle: m.issued < 0}
	out.full, out.offered = append(out.full, m.full...), append(out.offered, m.offered...)
	for _, at := range m.instructions {
		for _, o := range at.operands {
			out.wrong = out.wrong || o.source >= m.sources()
		}
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

	// What is issued next, from the state at the beginning.
	next := -1
	for i := range k + m.inputs {
		s := (m.pointer + i) % (k + m.inputs)
		if m.rest == 0 && m.ready(s, in) && !m.blocked[s] && s != m.issued {
			next = s
			break
		}
	}
	if next >= 0 {
		m.pointer = (next + 1) % (k + m.inputs)
	}

	clear, rest := false, m.rest
	m.rest = 0
	if next >= 0 && next < k {
		m.rest = m.cycles[m.instructions[next].opcode]
	}
	for o := range m.outputs {
		if m.full[o] && in.outReady[o] {
			clear = true
		}
	}
	freed := append([]bool(nil), m.full...) // from the next cycle on
	for o := range freed {
		freed[o] = m.full[o] && !in.outReady[o]
	}
	if s := m.issued; s >= 0 {
		var takes [3]bool
		var word uint64
		given, state := 0, false // the number of the source that gets a word
		numbers := []int{k + s}  // those of what is issued
		if s < k {
			var passed, result int
			_, takes, passed, result, state = m.step(s)
			at := m.instructions[s]
			out.executes, out.opcode, out.predicate = true, at.opcode, at.predicate
			out.a, out.b = m.data(s, passed), m.data(s, 2)
			kind := m.kinds[at.opcode]
			out.hasA, out.hasB = kind != kindJoin && result >= 0, kind == kindCompute
			word = m.compute(at.opcode, at.predicate, out.a, out.b)
			numbers = []int{s, k + s}
			if given = s + k*result; result < 0 {
				given = -1
			}
		} else {
			word, given = in.inputs[s-k].value, k+s
		}
		from := func(source int) bool { return source == numbers[0] || len(numbers) > 1 && source == numbers[1] }
		waits := false
		for n, at := range m.instructions {
			for p, o := range at.operands {
				if at.valid && !o.held && from(o.source) && m.there[n][p] && !(n == s && takes[p]) {
					waits = true
				}
			}
		}
		for o, at := range m.outputs {
			waits = waits || at.enable && from(at.source) && m.full[o]
		}
		switch {
		case given >= 0 && waits:
			m.blocked[s] = true
		case rest > 0: // nothing else is issued
			next, m.rest = s, rest-1
		default:
			clear = true
			if s < k {
				for p, t := range takes {
					m.there[s][p] = m.there[s][p] && !t
				}
				m.state[s] = state
			} else {
				out.inReady[s-k] = true
			}
			if given >= 0 {
				if given < 2*k {
					m.words[given%k] = word
				} else {
					m.words[given] = word
				}
				for n, at := range m.instructions {
					for p, o := range at.operands {
						if at.valid && !o.held && o.source == given {
							m.there[n][p] = true
							if p == 0 {
								m.flag[n] = word&1 != 0
							}
						}
					}
				}
				for o, at := range m.outputs {
					if at.enable && at.source == given {
						freed[o], m.offered[o] = true, word
					}
				}
			}
		}
	}
	if clear {
		for i := range m.blocked {
			m.blocked[i] = false
		}
	}
	for j := range in.inputs {
		in.inputs[j].taken = in.inputs[j].valid && out.inReady[j]
	}
	m.full, m.issued = freed, next
	return out
}
