package token

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/sim/vector"
)

// maxDetail bounds the findings of one kind in an outcome.
const maxDetail = 40

// Restless is the detail of an outcome with status Budget whose run never began.
const Restless = "the graph does not come to rest after reset: with these channels its initial tokens make others without end"

// outcome reports how the run ended. It is done only when the results are there,
// no token is left anywhere and no actor is in the middle of something.
func (m *machine) outcome() *vector.Outcome {
	out := &vector.Outcome{Status: vector.Done, Memories: m.outMems}
	ret := m.p.actors[m.p.ret].op
	for i, v := range m.returned {
		out.Results = append(out.Results, vector.Scalar{Type: ret.Operand(i).Type, Bits: v})
	}
	left := m.leftovers()
	switch {
	case m.restless:
		out.Status = vector.Budget
		out.Detail = append(out.Detail, Restless)
	case m.budget:
		out.Status = vector.Budget
		out.Detail = append(out.Detail, fmt.Sprintf("the limit of %d firings was reached before the graph came to rest", m.opts.MaxSteps))
		if m.done {
			out.Detail = append(out.Detail, "the results had been delivered")
		}
	case m.fault != 0:
		out.Status, out.ErrorCode = vector.Error, m.fault
		out.Detail = append(out.Detail, m.faults...)
		if !m.done {
			out.Detail = append(out.Detail, "the results were not delivered")
		}
		out.Detail = append(out.Detail, left...)
	case !m.done:
		out.Status = vector.Deadlock
		out.Detail = append(out.Detail, "nothing can move and the results have not been delivered")
		out.Detail = append(out.Detail, m.blocked()...)
		out.Detail = append(out.Detail, left...)
	case len(left) > 0:
		out.Status = vector.Deadlock
		out.Detail = append(out.Detail, "the results were delivered, but the graph is not empty")
		out.Detail = append(out.Detail, left...)
		out.Detail = append(out.Detail, m.blocked()...)
	case m.late != "":
		out.Status = vector.Deadlock
		out.Detail = append(out.Detail, "the done token was delivered before all memory accesses were complete: "+m.late+
			" was still to be performed; the function's return must wait for every memory group")
	}
	return out
}

// leftovers names every token that was not taken and every actor that remembers a
// started activation, and what may have caused them.
func (m *machine) leftovers() []string {
	var lines []string
	var at []ir.Use
	for i := range m.p.chans {
		n := m.queues[i].n
		c := &m.p.chans[i]
		if m.resting != nil {
			if n < m.resting.tokens[i] {
				lines = append(lines, fmt.Sprintf("%s at %s of %s, from %s, before the start, %s at the end",
					diag.Plural(m.resting.tokens[i], "token"), operandName(c.use), describe(c.use.Op), origin(c.value), diag.Plural(n, "token")))
			}
			n -= m.resting.tokens[i]
		}
		if n <= 0 || m.queues[i].held {
			continue
		}
		tokens := "a token is"
		if n > 1 {
			tokens = fmt.Sprintf("%d tokens are", n)
		}
		at = append(at, c.use)
		lines = append(lines, fmt.Sprintf("%s left over at %s of %s, from %s",
			tokens, operandName(c.use), describe(c.use.Op), origin(c.value)))
	}
	for id := range m.p.actors {
		a, s := &m.p.actors[id], &m.states[id]
		rest := phaseIdle
		if m.resting != nil {
			rest = m.resting.phases[id]
		}
		if s.phase != rest && !s.pending && a.kind != kHold {
			lines = append(lines, fmt.Sprintf("%s has not ended its activation: it is in phase %s",
				describe(a.op), phaseName(a.kind, s.phase)))
		}
		if s.kept.n > 0 {
			lines = append(lines, fmt.Sprintf("%s has seen no done token of %s", describe(a.op), diag.Plural(s.kept.n, "store")))
		}
	}
	return append(limit(lines), m.p.causes(at)...)
}

// blocked reports what each operation with something to do waits for, and the
// cycle of waiting operations if there is one.
func (m *machine) blocked() []string {
	var lines []string
	waits := make([]int32, len(m.p.actors)) // the actor each one waits for, -1
	for id := range m.p.actors {
		waits[id] = -1
		a, s := &m.p.actors[id], &m.states[id]
		if s.pending && len(s.waiting) == 0 {
			waits[id], _ = m.holder(int32(id))
			continue
		}
		if s.pending {
			c := &m.p.chans[s.waiting[0]]
			waits[id] = c.to
			lines = append(lines, fmt.Sprintf("%s waits for room at %s of %s", describe(a.op), operandName(c.use), describe(c.use.Op)))
			continue
		}
		mask := m.missing(int32(id))
		if mask == 0 || a.kind == kHold && s.phase != phaseIdle {
			continue
		}
		started := s.phase != phaseIdle || s.kept.n > 0 || a.kind == kReturn && !m.done
		for _, c := range a.in {
			started = started || m.queues[c].n > 0 && !m.queues[c].held
		}
		c := m.p.chans[a.in[firstMissing(mask)]]
		waits[id] = c.from
		if started {
			lines = append(lines, fmt.Sprintf("%s waits for %s, from %s", describe(a.op), operandName(c.use), origin(c.value)))
		}
	}
	lines = limit(lines)
	if cycle := m.cycle(waits); cycle != "" {
		lines = append(lines, cycle)
	}
	return lines
}

// holder is the consumer of a wire that has not let go of its token.
func (m *machine) holder(id int32) (int32, bool) {
	for _, chans := range m.p.actors[id].out {
		for _, c := range chans {
			if m.wire(c) && m.queues[c].n > 0 {
				return m.p.chans[c].to, true
			}
		}
	}
	return -1, false
}

// cycle follows the waits from the return and prints the cycle they end in.
func (m *machine) cycle(waits []int32) string {
	seen := map[int32]bool{}
	at := m.p.ret
	if m.done {
		at = -1
		for id := range m.p.actors {
			if m.states[id].pending {
				at = int32(id)
				break
			}
		}
	}
	for at >= 0 && !seen[at] {
		seen[at] = true
		at = waits[at]
	}
	if at < 0 {
		return ""
	}
	var names []string
	for id := at; ; {
		names = append(names, describe(m.p.actors[id].op))
		id = waits[id]
		if id == at || len(names) > maxDetail {
			break
		}
	}
	return "they wait for each other: " + strings.Join(names, " <- ")
}

func limit(lines []string) []string {
	if len(lines) <= maxDetail {
		return lines
	}
	return append(lines[:maxDetail:maxDetail], fmt.Sprintf("… and %d more", len(lines)-maxDetail))
}

// describe names an operation: its kind, its first named result and its source position.
func describe(op *ir.Operation) string {
	name := ""
	for _, r := range op.Results() {
		if r.Name != "" {
			name = " (%" + r.Name + ")"
			break
		}
	}
	return "'" + op.Name + "'" + name + " at " + op.Pos.String()
}

func origin(v *ir.Value) string {
	if v.Def == nil {
		return "parameter %" + v.Name
	}
	return describe(v.Def)
}

// operandNames are the parts of the operations with distinguished operands.
var operandNames = map[string][]string{
	opname.HandshakeCondBr:    {"the condition", "the data"},
	opname.HandshakeMux:       {"the selector", "the false input", "the true input"},
	opname.HandshakeConstant:  {"the control"},
	opname.HandshakeLoad:      {"the address", "the data from memory", "the control"},
	opname.HandshakeStore:     {"the address", "the data", "the control"},
	opname.DataflowStream:     {"the start", "the step", "the bound"},
	opname.DataflowGate:       {"the value", "the condition"},
	opname.DataflowCarry:      {"the condition", "the initial value", "the loop value"},
	opname.DataflowInvariant:  {"the condition", "the value"},
	opname.DataflowAccumulate: {"the condition", "the initial value", "the element"},
	opname.DataflowInterlock:  {"the subscript of the load", "the subscript of the store", "the done token"},
	opname.DataflowHold:       {"the value"},
}

func operandName(u ir.Use) string {
	if names := operandNames[u.Op.Name]; u.Index < len(names) {
		return names[u.Index]
	}
	return fmt.Sprintf("operand #%d", u.Index)
}

func phaseName(k kind, phase uint8) string {
	switch {
	case k == kStream:
		return "emit"
	case k == kGate:
		return "NeedNext"
	case k == kInterlock:
		return "NeedStore"
	case phase == phaseLoop:
		return "NeedLoop"
	}
	return "NeedCond"
}

func (p *Program) memName(mem int) string {
	if i := p.mems[mem].arg; i >= 0 {
		return "memory " + p.argName(i)
	}
	return "the memory of " + describe(p.mems[mem].op)
}
