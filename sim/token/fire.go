package token

import (
	"fmt"
	"math/bits"

	"loom/compiler/opname"
)

// Phases of the state machines (spec-dataflow). Every actor is in phase 0 when
// it holds nothing.
const (
	phaseIdle uint8 = iota // stream: wait for bounds; gate: NeedHead; carry, invariant: NeedInit; interlock: NeedLoad
	phaseRun               // stream: emit; gate: NeedNext; carry, invariant: NeedCond; interlock: NeedStore
	phaseLoop              // carry: NeedLoop
)

// try fires an actor if its inputs allow.
func (m *machine) try(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	switch a.kind {
	case kPure:
		for _, c := range a.in {
			if q[c].n == 0 {
				return
			}
		}
		f := &a.form
		switch {
		case f.Binary != nil:
			s.val[0] = f.Binary(q[a.in[0]].front(), q[a.in[1]].front())
		case f.Unary != nil:
			s.val[0] = f.Unary(q[a.in[0]].front())
		case f.Ternary != nil:
			s.val[0] = f.Ternary(q[a.in[0]].front(), q[a.in[1]].front(), q[a.in[2]].front())
		default:
			s.val[0], s.val[1] = f.Pair(q[a.in[0]].front(), q[a.in[1]].front())
		}
		m.fire(id, 3, takeAll, 0)
	case kConstant:
		if q[a.in[0]].n == 0 {
			return
		}
		s.val[0] = a.value
		m.fire(id, 1, 1, 0)
	case kHold:
		if s.phase != phaseIdle || q[a.in[0]].n == 0 {
			return
		}
		s.val[0] = q[a.in[0]].front()
		if a.op.Name == opname.HandshakeConstant {
			s.val[0] = a.value
		}
		m.fire(id, 1, 1, phaseRun)
	case kJoin:
		for _, c := range a.in {
			if q[c].n == 0 {
				return
			}
		}
		s.val[0] = 0
		m.fire(id, 1, takeAll, 0)
	case kBranch:
		if q[a.in[0]].n == 0 || q[a.in[1]].n == 0 {
			return
		}
		v := q[a.in[1]].front()
		s.val[0], s.val[1] = v, v
		outs := uint64(1)
		if q[a.in[0]].front() == 0 {
			outs = 2
		}
		m.fire(id, outs, 3, 0)
	case kMux:
		if q[a.in[0]].n == 0 {
			return
		}
		sel := a.selected(q[a.in[0]].front())
		if q[a.in[sel]].n == 0 {
			return
		}
		s.val[0] = q[a.in[sel]].front()
		m.fire(id, 1, 1|1<<sel, 0)
	case kFork, kLazyFork, kSink, kSync, kMerge, kControlMerge, kBufferIn, kBufferOut:
		m.tryElsewhere(id)
	case kStream:
		m.tryStream(id)
	case kGate:
		if q[a.in[0]].n == 0 || q[a.in[1]].n == 0 {
			return
		}
		s.val[0], s.val[1] = q[a.in[0]].front(), q[a.in[1]].front()
		more := s.val[1] != 0
		switch {
		case s.phase == phaseIdle && more:
			m.fire(id, 1, 3, phaseRun)
		case s.phase == phaseIdle:
			m.fire(id, 0, 3, phaseIdle)
		case more:
			m.fire(id, 3, 3, phaseRun)
		default:
			m.fire(id, 2, 3, phaseIdle)
		}
	case kCarry:
		m.tryCarry(id)
	case kAccumulate:
		m.tryAccumulate(id)
	case kInterlock:
		m.tryInterlock(id)
	case kInvariant:
		if s.phase == phaseIdle {
			if q[a.in[1]].n == 0 {
				return
			}
			s.a = q[a.in[1]].front()
			s.val[0] = s.a
			m.fire(id, 1, 2, phaseRun)
			return
		}
		if q[a.in[0]].n == 0 {
			return
		}
		if q[a.in[0]].front() == 0 {
			m.fire(id, 0, 1, phaseIdle)
			return
		}
		s.val[0] = s.a
		m.fire(id, 1, 1, phaseRun)
	case kLoadAddress:
		if q[a.in[0]].n == 0 || q[a.in[1]].n == 0 {
			return
		}
		s.val[0] = q[a.in[0]].front()
		m.fire(id, 1, 3, 0)
	case kLoadData:
		if q[a.in[0]].n == 0 {
			return
		}
		s.val[0] = q[a.in[0]].front()
		m.fire(id, 1, 1, 0)
	case kStore:
		if q[a.in[0]].n == 0 || q[a.in[1]].n == 0 || q[a.in[2]].n == 0 {
			return
		}
		s.val[0], s.val[1] = q[a.in[1]].front(), q[a.in[0]].front()
		m.fire(id, 3, 7, 0)
	case kPortLoad, kPortStore:
		m.tryPort(id)
	case kReturn:
		if m.done {
			return
		}
		for _, c := range a.in {
			if q[c].n == 0 {
				return
			}
		}
		for _, c := range a.in[:len(a.in)-1] {
			m.returned = append(m.returned, q[c].front())
		}
		m.done = true
		m.fire(id, 0, takeAll, 0)
	}
}

// tryAccumulate fires a sum in parts with a condition: an element goes to the part whose turn it is, or the parts
// are combined, two from the front of their queue at a time, and the last one leaves.
func (m *machine) tryAccumulate(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	if m.missing(id) != 0 {
		return
	}
	take := uint64(1)
	if s.phase == phaseIdle {
		s.parts = append(s.parts[:0], q[a.in[1]].front())
		for range a.parts - 1 {
			s.parts = append(s.parts, a.value)
		}
		take |= 2
	}
	if q[a.in[0]].front() != 0 {
		next := a.form.Binary(s.parts[0], q[a.in[2]].front())
		s.parts = append(s.parts[:0], s.parts[1:]...)
		s.parts = append(s.parts, next)
		m.fire(id, 0, take|4, phaseRun)
		return
	}
	for len(s.parts) > 1 {
		s.parts = append(s.parts[2:], a.join.Binary(s.parts[0], s.parts[1]))
	}
	s.val[0] = s.parts[0]
	m.fire(id, 1, take, phaseIdle)
}

// tryInterlock passes the subscript of a load, unless a store of an earlier iteration to it is not done, or takes that
// of the store of the same iteration.
func (m *machine) tryInterlock(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	m.takeDone(id)
	switch {
	case s.phase == phaseRun && q[a.in[1]].n > 0:
		if v := q[a.in[1]].front(); v>>(a.width-1)&1 == 0 {
			s.kept.push(v)
		}
		m.fire(id, 0, 2, phaseIdle)
	case s.phase == phaseIdle && q[a.in[0]].n > 0 && !s.kept.has(q[a.in[0]].front()):
		s.val[0] = q[a.in[0]].front()
		m.fire(id, 1, 1, phaseRun)
	}
}

// takeDone takes the done tokens of the stores that an interlock keeps, the oldest first; one of a store that is not
// known yet waits. They are taken also while a load's subscript waits for room, as in hardware: it may get room only
// when what gives the done tokens goes on.
func (m *machine) takeDone(id int32) {
	done, s := m.p.actors[id].in[2], &m.states[id]
	for s.kept.n > 0 && m.queues[done].n > 0 {
		m.stats.Firings++
		s.kept.pop()
		m.letGo(done)
	}
}

func (m *machine) tryCarry(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	switch s.phase {
	case phaseIdle:
		if q[a.in[1]].n > 0 {
			s.val[0] = q[a.in[1]].front()
			m.fire(id, 1, 2, phaseRun)
		}
	case phaseRun:
		if q[a.in[0]].n > 0 {
			next := phaseIdle
			if q[a.in[0]].front() != 0 {
				next = phaseLoop
			}
			m.fire(id, 0, 1, next)
		}
	case phaseLoop:
		if q[a.in[2]].n > 0 {
			s.val[0] = q[a.in[2]].front()
			m.fire(id, 1, 4, phaseRun)
		}
	}
}

// tryStream latches the bounds or emits the next pair (spec-dataflow,
// "dataflow.stream"). The comparison and the arithmetic are signed at the width
// of the induction variable.
func (m *machine) tryStream(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	if s.phase == phaseIdle {
		if q[a.in[0]].n == 0 || q[a.in[1]].n == 0 || q[a.in[2]].n == 0 {
			return
		}
		s.a, s.b, s.c = q[a.in[0]].front(), q[a.in[1]].front(), q[a.in[2]].front()
		if a.stuck(s.b) {
			m.raise(codeZeroStep, fmt.Sprintf("RT_DATAFLOW_STREAM_ZERO_STEP: %s was started with step %d", describe(a.op), s.b))
		}
		m.fire(id, 0, 7, phaseRun)
		return
	}
	shift := 64 - a.width
	x, bound := int64(s.a<<shift)>>shift, int64(s.c<<shift)>>shift
	var more bool
	switch a.cond {
	case "<":
		more = x < bound
	case "<=":
		more = x <= bound
	case ">":
		more = x > bound
	case ">=":
		more = x >= bound
	case "!=":
		more = x != bound
	}
	if a.stuck(s.b) {
		more = false // the activation completes with no iteration, as in hardware
	}
	s.val[0], s.val[1] = s.a, 0
	if !more {
		m.fire(id, 3, 0, phaseIdle)
		return
	}
	s.val[1] = 1
	step := int64(s.b<<shift) >> shift
	switch a.step {
	case '+':
		x += step
	case '-':
		x -= step
	case '*':
		x *= step
	case '/':
		x /= step
	case '<':
		x <<= min(s.b, 64)
	case '>':
		x >>= min(s.b, 63)
	}
	s.a = uint64(x) << shift >> shift
	m.fire(id, 3, 0, phaseRun)
}

// stuck reports whether a stream cannot progress with a step: 0, for *= and /= also 1
// (design page "Error symbols", code 259), whatever start and bound are.
func (a *actor) stuck(step uint64) bool {
	return step == 0 || step == 1 && (a.step == '*' || a.step == '/')
}

// tryPort serves a memory request: in order per port, after the adversary's
// delay. An access outside the memory does nothing, a load returns zero, both
// complete (design page "Error symbols").
func (m *machine) tryPort(id int32) {
	a, s := &m.p.actors[id], &m.states[id]
	q := m.queues
	for _, c := range a.in {
		if q[c].n == 0 {
			return
		}
	}
	if m.opts.MemDelay > 0 {
		if s.ready == 0 {
			s.ready = m.now() + 1 + int64(m.random()%uint64(m.opts.MemDelay))
			m.timers.add(timer{s.ready, id})
			return
		}
		if m.now() < s.ready {
			return
		}
		s.ready = 0
	}
	if m.done && m.late == "" {
		m.late = describe(a.op)
	}
	mem := m.mems[a.mem]
	if a.kind == kPortLoad {
		m.stats.Loads++
		addr := q[a.in[0]].front()
		s.val = [2]uint64{}
		if addr < uint64(len(mem)) {
			s.val[0] = mem[addr]
		} else if m.extend(a, addr) {
			s.val[0] = m.mems[a.mem][addr]
		} else {
			m.outOfBounds(a, "load", addr, len(mem))
		}
		m.fire(id, 3, 1, 0)
		return
	}
	m.stats.Stores++
	addr := q[a.in[1]].front()
	if addr < uint64(len(mem)) {
		mem[addr] = q[a.in[0]].front()
	} else if m.extend(a, addr) {
		m.mems[a.mem][addr] = q[a.in[0]].front()
	} else {
		m.outOfBounds(a, "store", addr, len(mem))
	}
	s.val = [2]uint64{}
	m.fire(id, 1, 3, 0)
}

func (m *machine) outOfBounds(a *actor, what string, addr uint64, size int) {
	code, symbol := codeExtmemOOB, "RT_EXTMEMORY_BUS"
	if m.p.mems[a.mem].arg < 0 {
		code, symbol = codeMemoryOOB, "RT_MEMORY_ADDR_OOB"
	}
	m.raise(code, fmt.Sprintf("%s: %s at element %d of %s, which has %d", symbol, what, int64(addr), m.p.memName(a.mem), size))
}

// raise records a hardware error; the first one is the outcome's.
func (m *machine) raise(code int, what string) {
	if m.fault == 0 {
		m.fault = code
	}
	if len(m.faults) < 10 {
		m.faults = append(m.faults, what)
	}
}

// missing returns the mask of operands that an idle actor waits for.
func (m *machine) missing(id int32) (mask uint64) {
	a, s := &m.p.actors[id], &m.states[id]
	need := func(i int) {
		if i < 64 && m.queues[a.in[i]].n == 0 {
			mask |= 1 << i
		}
	}
	switch {
	case a.kind == kCarry:
		need([...]int{1, 0, 2}[s.phase])
	case a.kind == kInvariant:
		need([...]int{1, 0}[s.phase])
	case a.kind == kAccumulate:
		if need(0); s.phase == phaseIdle {
			need(1)
		}
		if q := &m.queues[a.in[0]]; q.n > 0 && q.front() != 0 {
			need(2)
		}
	case a.kind == kInterlock && s.phase == phaseRun:
		need(1)
	case a.kind == kInterlock && s.kept.n > 0: // for the load that is there, or behind the last one
		need(2)
	case a.kind == kInterlock:
		need(0)
	case a.kind == kStream && s.phase == phaseRun:
	case a.kind == kMux && m.queues[a.in[0]].n > 0:
		need(a.selected(m.queues[a.in[0]].front()))
	case a.kind == kMux:
		need(0)
	case a.kind == kMerge || a.kind == kControlMerge:
		for i := range a.in {
			if need(i); mask>>i&1 == 0 {
				return 0 // one is enough
			}
		}
	default:
		for i := range a.in {
			need(i)
		}
	}
	return mask
}

// selected is the operand of a mux that its selector chooses; a selector beyond the last
// input chooses the last, as in hardware.
func (a *actor) selected(sel uint64) int { return 1 + int(min(sel, uint64(len(a.in)-2))) }

// firstMissing is the lowest operand of a mask.
func firstMissing(mask uint64) int { return bits.TrailingZeros64(mask) }
