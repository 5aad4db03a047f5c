package cycle

import (
	"fmt"
	"sort"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/sim/trace"
	"loom/sim/vector"
)

// maxLines bounds each list of a report; the rest is counted.
const maxLines = 40

// failure is the first error of a run.
type failure struct {
	code int
	unit *node
	at   int64
}

// failed is the outcome of a run that a hardware error ended.
func (s *Sim) failed() *vector.Outcome {
	x := s.failure
	if x.code == 0 {
		x = failure{s.errCode, s.errUnit, s.cycle - 1}
	}
	out := s.outcome(vector.Error)
	out.ErrorCode = x.code
	out.Detail = append(out.Detail, fmt.Sprintf("cycle %d: %s raises code %d, %s", x.at, x.unit.what, x.code, arch.HardwareSymbol(x.code)))
	if x.code == CodeStoreDeadlock {
		out.Detail = append(out.Detail, s.stuck()...)
	}
	s.verdict(trace.Event{Kind: trace.Error, Comp: x.unit.comp, Channel: -1, Data: uint64(x.code), What: arch.HardwareSymbol(x.code)})
	return out
}

// blocked is the outcome of a run that can make no further step.
func (s *Sim) blocked() *vector.Outcome {
	out := s.outcome(vector.Deadlock)
	owed := false
	for _, k := range s.sinks {
		switch {
		case k.owes() && k.result == doneToken:
			out.Detail = append(out.Detail, fmt.Sprintf("the done token at %s was not delivered", k.what))
			owed = true
		case k.owes():
			out.Detail = append(out.Detail, fmt.Sprintf("result '%s' at %s was not delivered", s.binding.Results[k.result].Name, k.what))
			owed = true
		case k.surplus() > 0:
			out.Detail = append(out.Detail, fmt.Sprintf("cycle %d: %s delivered an unexpected token", s.cycle-1, k.what))
		}
	}
	if !owed {
		out.Detail = append(out.Detail, "all results were delivered, but the hardware is not empty")
	}
	out.Detail = append(out.Detail, s.stuck()...)
	return out
}

// exhausted is the outcome of a run that reached its budget.
func (s *Sim) exhausted() *vector.Outcome {
	out := s.outcome(vector.Budget)
	out.Detail = append(out.Detail, fmt.Sprintf("the budget of %d cycles is used up", s.opts.MaxCycles))
	for _, k := range s.sinks {
		if k.owes() {
			out.Detail = append(out.Detail, "still owed: "+k.what)
		}
	}
	return out
}

// stuck explains the present state: a cycle of units that wait for each other if
// there is one, then every token and where it is.
func (s *Sim) stuck() []string {
	s.settle() // show the state after the last edge
	var lines []string
	if loop := s.waitLoop(); loop != nil {
		lines = append(lines, "blocked cycle:")
		for i, w := range loop {
			lines = append(lines, "  "+s.describe(w, loop[(i+1)%len(loop)].unit))
		}
	} else if chain := s.waitChain(); len(chain) > 0 {
		lines = append(lines, "blocked chain:")
		for _, w := range chain {
			lines = append(lines, "  "+s.describe(w, s.other(w)))
		}
	}
	tokens := s.tokens()
	if len(tokens) > 0 {
		lines = append(lines, "tokens:")
	}
	for i, t := range tokens {
		if i == maxLines {
			lines = append(lines, fmt.Sprintf("  … and %d more", len(tokens)-maxLines))
			break
		}
		lines = append(lines, "  "+t)
	}
	return lines
}

// edge of the wait-for graph: unit waits on a net, for a token (input) or for
// room (output).
type waitsFor struct {
	unit  int32
	net   int32
	token bool // it waits for a token; otherwise for its own to be taken
}

// waits lists what a unit waits for: inputs it needs that are empty, and outputs
// it offers that are not taken.
func (s *Sim) waits(i int32, buf []wire) (out []waitsFor, scratch []wire) {
	u := s.units[i]
	n := u.base()
	for _, o := range n.out {
		if s.nets[o].valid && !s.nets[o].ready {
			out = append(out, waitsFor{i, o, false})
		}
	}
	buf = u.needs(&s.engine, buf[:0])
	for _, w := range buf {
		if w.net >= 0 && !s.nets[w.net].valid {
			out = append(out, waitsFor{i, w.net, true})
		}
	}
	return out, buf
}

// other is the unit at the far end of a wait.
func (s *Sim) other(w waitsFor) int32 {
	if w.token {
		return s.nets[w.net].src
	}
	return s.nets[w.net].dst
}

// waitLoop finds a cycle in the wait-for graph among units that matter: those
// from which an undelivered obligation or a token at an input depends.
func (s *Sim) waitLoop() []waitsFor {
	const (
		fresh = iota
		open
		closed
	)
	state := make([]uint8, len(s.units))
	var path []waitsFor
	var buf []wire
	// The graph is walked with an explicit stack: fabrics have thousands of units
	// in a row.
	type frame struct {
		unit int32
		todo []waitsFor
	}
	visit := func(start int32) []waitsFor {
		var stack []frame
		push := func(u int32) {
			var todo []waitsFor
			todo, buf = s.waits(u, buf)
			state[u] = open
			stack = append(stack, frame{u, todo})
		}
		path = path[:0]
		push(start)
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if len(top.todo) == 0 {
				state[top.unit] = closed
				stack = stack[:len(stack)-1]
				if len(path) > 0 {
					path = path[:len(path)-1]
				}
				continue
			}
			w := top.todo[0]
			top.todo = top.todo[1:]
			to := s.other(w)
			if to < 0 || state[to] == closed {
				continue
			}
			path = append(path, w)
			if state[to] == open {
				for i := range path {
					if path[i].unit == to {
						return append([]waitsFor(nil), path[i:]...)
					}
				}
			}
			push(to)
		}
		return nil
	}
	for _, i := range s.suspects() {
		if state[i] != fresh {
			continue
		}
		if loop := visit(i); loop != nil {
			return loop
		}
	}
	return nil
}

// waitChain follows from unit to unit what the first suspect waits for, to the end. It is for states without a cycle.
func (s *Sim) waitChain() (chain []waitsFor) {
	suspects := s.suspects()
	if len(suspects) == 0 {
		return nil
	}
	seen := make([]bool, len(s.units))
	for at := suspects[0]; at >= 0 && !seen[at]; {
		seen[at] = true
		todo, _ := s.waits(at, nil)
		if len(todo) == 0 {
			break
		}
		chain = append(chain, todo[0])
		at = s.other(todo[0])
	}
	return chain
}

// suspects are the units to start from: sinks that owe, then units with a token
// at an input or inside, in component order.
func (s *Sim) suspects() []int32 {
	var out []int32
	for i, u := range s.units {
		if k, ok := u.(*sink); ok && k.owes() {
			out = append(out, int32(i))
		}
	}
	var rest []int32
	for i, u := range s.units {
		waiting := !u.idle()
		for _, w := range u.base().in {
			waiting = waiting || w.net >= 0 && s.nets[w.net].valid && !s.nets[w.net].ready && !s.nets[w.net].fixed
		}
		if waiting {
			rest = append(rest, int32(i))
		}
	}
	sort.SliceStable(rest, func(a, b int) bool { return s.compID(rest[a]) < s.compID(rest[b]) })
	return append(out, rest...)
}

func (s *Sim) compID(i int32) int {
	if c := s.units[i].base().comp; c != nil {
		return c.ID
	}
	return -1
}

// describe spells one wait; next is the unit it waits for.
func (s *Sim) describe(w waitsFor, next int32) string {
	u, via, o := s.units[w.unit].base(), s.channelNames(w.net), &node{what: "nothing"}
	if next >= 0 {
		o = s.units[next].base()
	}
	if w.token {
		held := ""
		for k, in := range u.in {
			if in.net == w.net && via == "" {
				via = fmt.Sprintf(" at its input %d", k)
			}
		}
		for _, in := range u.in {
			if in.net >= 0 && s.nets[in.net].valid && !s.nets[in.net].fixed {
				held = fmt.Sprintf(", while %s waits%s", s.tokenText(in.net, in.mask), s.channelNames(in.net))
				break
			}
		}
		return fmt.Sprintf("%s waits for a token from %s%s%s", u.what, o.what, via, held)
	}
	return fmt.Sprintf("%s offers %s%s, which %s does not take", u.what, s.tokenText(w.net, ^uint64(0)), via, o.what)
}

// tokenText spells the token on a net: what the port with this mask reads of it, and
// its tag on tagged channels.
func (s *Sim) tokenText(net int32, mask uint64) string {
	n := &s.nets[net]
	if !s.tagged(net) {
		return fmt.Sprintf("token %#x", n.data&mask)
	}
	return fmt.Sprintf("token %#x with tag %d", n.data&mask, n.tag)
}

// tagged reports whether the channels of a net carry tags.
func (s *Sim) tagged(net int32) bool {
	for i, w := range s.chans {
		if w.net == net {
			return s.fabric.Channels[i].TagWidth > 0
		}
	}
	return false
}

// channelNames lists the channels a net runs through.
func (s *Sim) channelNames(n int32) string {
	var names []string
	for i, w := range s.chans {
		if w.net == n {
			names = append(names, "'"+s.fabric.Channels[i].Name+"'")
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " on " + strings.Join(names, ", ")
}

// tokens lists where tokens are: on channels, and inside of units.
func (s *Sim) tokens() []string {
	var out []string
	for i := range s.nets {
		n := &s.nets[i]
		if !n.valid || n.fixed {
			continue
		}
		from, to := "no unit", "no unit"
		if n.src >= 0 {
			from = s.units[n.src].base().what
		}
		if n.dst >= 0 {
			to = s.units[n.dst].base().what
		}
		out = append(out, fmt.Sprintf("%s%s, from %s to %s", s.tokenText(int32(i), ^uint64(0)), s.channelNames(int32(i)), from, to))
	}
	ids := make([]int32, len(s.units))
	for i := range ids {
		ids[i] = int32(i)
	}
	sort.SliceStable(ids, func(a, b int) bool { return s.compID(ids[a]) < s.compID(ids[b]) })
	for _, i := range ids {
		if u := s.units[i]; !u.idle() {
			out = append(out, u.base().what+" is not empty"+holding(u))
		}
	}
	return out
}

// holding describes the state of a unit, "" without one.
func holding(u unit) string {
	switch u := u.(type) {
	case *fifo:
		return fmt.Sprintf(": it holds %d of %d", u.q.count, len(u.q.buf))
	case *carry:
		if u.owed {
			return ": a loop value is due"
		}
		return ": it waits for a condition"
	case *invariant:
		return fmt.Sprintf(": it repeats %#x until a false condition", u.value)
	case *gate:
		return ": the loop body it feeds has not ended"
	case *interlock:
		text := fmt.Sprintf(": %s not done", diag.Plural(u.kept.count, "store"))
		if u.due {
			text += ", the subscript of a store is due"
		}
		return text
	case *stream:
		return fmt.Sprintf(": it counts at %d towards %d", u.sext(u.idx), u.sext(u.bound))
	case *extMemory:
		return memoryHolds(u.loads.slots, u.stored.slots, &u.st)
	case *memory:
		return memoryHolds(u.loads.slots, u.stored.slots, &u.st)
	case *taggedExtMemory:
		return taggedMemoryHolds(u.loads.slots, u.stored.slots, &u.st)
	case *taggedMemory:
		return taggedMemoryHolds(u.loads.slots, u.stored.slots, &u.st)
	case *loadLane:
		return fmt.Sprintf(": %s", owes(u.data, "datum", "data")) + ", " + owes(u.done, "done token", "done tokens")
	case *storeLane:
		return ": " + owes(u.done, "done token", "done tokens")
	case *storeRequest:
		return ": one of address and data was taken, the other not"
	case *temporalSwitch:
		return ": a token was taken at some of its outputs only"
	case *temporalPE:
		return u.holds()
	}
	return ""
}

// owes states how many responses a lane waits for and how many it holds.
func owes(u inFlight, one, many string) string {
	what := many
	if u.awaited == 1 {
		what = one
	}
	return fmt.Sprintf("%d %s awaited, %d here", u.awaited, what, u.held-u.awaited)
}

func memoryHolds(loads, stores int, p *pairing) string {
	return fmt.Sprintf(": %d loads and %d stores in work, %d store addresses and %d store data queued", loads, stores, p.addr.count, p.data.count)
}

// taggedMemoryHolds states what a tagged memory holds, and which ports wait for one
// half of a store.
func taggedMemoryHolds(loads, stores int, p *pairings) string {
	text := fmt.Sprintf(": %d loads and %d stores in work", loads, stores)
	for tag := range p.by {
		q := &p.by[tag]
		switch a, d := q.addr.count, q.data.count; {
		case a > 0 && d == 0:
			text += fmt.Sprintf(", %d store addresses with tag %d that wait for data", a, tag)
		case d > 0 && a == 0:
			text += fmt.Sprintf(", %d store data with tag %d that wait for an address", d, tag)
		case a > 0:
			text += fmt.Sprintf(", %d store addresses and %d store data with tag %d", a, d, tag)
		}
	}
	return text
}
