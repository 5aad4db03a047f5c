package circuit

import (
	"fmt"
	"slices"
)

// Place gives every channel its buffer:
//   - Every loop of valid or ready is cut, where a value is fed back to a carry: by one register
//     where the loop holds a single token (Loop), else by two slots (Elastic).
//   - What starts a loop inside of another one has a register, so that the way through both is
//     cut, but where a recurrence of an outer loop runs through the inner one.
//   - Where paths of different latency meet, the shorter one gets as many slots as tokens wait
//     there when every loop runs as fast as its recurrences and the loops inside allow, with
//     memories of the latency of o (schedule). The times are chosen so that as few bits as
//     possible wait.
//   - What ends an inner loop, and the last value of a loop that is held until the run ends, has
//     a slot where the circuit could stop without it: the numbers of iterations that the times rest on
//     need not be those of a run.
//   - Where the times contradict each other, as a loop waits for what only one of its iterations starts,
//     every channel of a loop has a slot (loosen).
//
// A circuit with merges or initial tokens has no loops that are known as such: there every
// channel has a slot (placeFree). With a clock target in o the paths that are too long are cut,
// too (placeForClock).
func Place(c *Circuit, o Options) error {
	if c.free() {
		placeFree(c)
		return estimateFree(c, o)
	}
	if !o.Clock.None() {
		return placeForClock(c, o)
	}
	placeBuffers(c, o, &cuts{})
	return nil
}

// placeBuffers gives every channel its buffer anew, with the cuts of a clock target among them.
func placeBuffers(c *Circuit, o Options, x *cuts) *schedule {
	for _, ch := range c.Channels {
		ch.Buffer = Buffer{}
	}
	cutLoops(c)
	for _, ch := range c.Channels {
		if x.valid[ch] && ch.Buffer.Kind == None {
			ch.Buffer = Buffer{Pipe, 1, reasonClock}
		}
	}
	s := newSchedule(c, o)
	s.solve()
	queued := false
	for _, ch := range c.Channels {
		if n := s.under(ch); n > 0 && inner(ch) && ch.Buffer.Kind != Elastic {
			ch.Buffer = Buffer{Queue, n + 1, fmt.Sprintf("results of %s wait here, so that iterations without it go on", ch.From.Unit.Name)}
			queued = true
		}
	}
	if queued {
		s = newSchedule(c, o)
		s.solve()
	}
	s.balance()
	held := c.held()
	last, aside := s.last(held), s.aside()
	for _, ch := range c.Channels {
		cut := ch.Buffer.Kind == Pipe // by the clock
		if !inner(ch) || !s.loops.inLoop(ch) {
			continue // without a loop there is one token per start
		}
		if held[ch] || c.finishes(ch) {
			continue // the token stays where it is read, until the end of the run
		}
		n := s.tokens(ch)
		switch {
		case ch.Buffer.Kind == Queue:
			ch.Buffer.Slots += n
		case ch.Buffer.Kind == Elastic:
			n += s.under(ch)
			if n > 1 {
				ch.Buffer = Buffer{Queue, n + 1, fmt.Sprintf("%s; up to %d tokens wait for %s", ch.Buffer.Reason, n, ch.To.Unit.Name)}
			}
		case ch.Buffer.Kind != None && !cut:
		case n > 0:
			reason := fmt.Sprintf("up to %d tokens wait for %s", n, ch.To.Unit.Name)
			if n == 1 {
				reason = fmt.Sprintf("a token waits for %s", ch.To.Unit.Name)
			}
			if starts(ch) {
				reason = "what starts a loop inside of another waits here, so that the outer loop goes on"
			}
			if cut {
				reason = reasonClock + "; " + reason
			}
			ch.Buffer = slots(n, reason)
		case last[ch] && !cut:
			ch.Buffer = Buffer{Transparent, 1, "the last value of the loop waits here until the run ends"}
		case aside[ch] && !cut:
			ch.Buffer = Buffer{Transparent, 1, "waits for a loop whose last activation may outlast the run"}
		case s.loose() && !cut:
			ch.Buffer = Buffer{Transparent, 1, "a token may wait here: a loop waits for one that it starts in a single iteration"}
		case s.ends(ch) && !cut:
			ch.Buffer = Buffer{Transparent, 1, "the end of a loop waits here, so that the loop begins anew"}
		}
	}
	for _, ch := range c.Channels {
		if x.ready[ch] {
			ch.Buffer = ch.Buffer.cutReady()
		}
	}
	tighten(c)
	s.keep(last)
	return s
}

// keep takes the slots for last values (last) away again where a loop then goes round in step and the end of
// the run takes all that leaves it. It keeps its last values until then, but nothing else waits for
// anything of it: every exit offers its value to the end of the run, which needs no more; forks offer
// what the initial values come from to every other reader; and its carries take a token per run.
func (s *schedule) keep(last map[*Channel]bool) {
	slots := map[End][]*Channel{} // by loop
	var order []End
	for _, ch := range s.c.Channels {
		if !last[ch] || ch.To.Unit == nil {
			continue
		}
		if raw, exits := s.loops.exits(ch.To.Unit); exits && ch.Buffer.Kind == Transparent && ch.Buffer.Slots == 1 {
			if slots[raw] == nil {
				order = append(order, raw)
			}
			slots[raw] = append(slots[raw], ch)
		}
	}
	for _, raw := range order {
		before := make([]Buffer, len(s.c.Channels))
		for i, ch := range s.c.Channels {
			before[i] = ch.Buffer
		}
		for _, ch := range slots[raw] {
			ch.Buffer = Buffer{}
		}
		tighten(s.c)
		w := s.c.Wiring()
		if slices.ContainsFunc(slots[raw], func(ch *Channel) bool { return !w.AtEnd[ch] }) {
			for i, ch := range s.c.Channels {
				ch.Buffer = before[i]
			}
		}
	}
}

// cutReady is a buffer with ready cut, too, and the same latency.
func (b Buffer) cutReady() Buffer {
	switch b.Kind {
	case None:
		return Buffer{Transparent, 1, reasonClock + ": cuts ready"}
	case Pipe:
		b.Kind, b.Slots, b.Reason = Elastic, b.Slots+1, b.Reason+"; "+reasonClock+": cuts ready"
	}
	return b
}

// last are the channels that need a slot for the last value of a loop, as what it leaves the loop
// for stays where it is read until the run ends: without it the loop would keep the value, and
// what the value comes from would not go on.
func (s *schedule) last(held map[*Channel]bool) map[*Channel]bool {
	out := map[*Channel]bool{}
	for _, u := range s.c.Units {
		if _, exits := s.loops.exits(u); !exits || u.Out[1] == nil || !s.stays(u.Out[1], held) {
			continue
		}
		ch := u.In[1].Channel
		if from := ch.From.Unit; from == nil || from.Kind != Carry || from.In[2].Channel == nil || from.In[2].Channel.Buffer.Kind == None {
			out[ch] = true
		}
	}
	return out
}

// aside are the channels that meet what comes out of an inner loop, where they need a slot even if the
// times need none. A run ends with its results, and an activation of which none needs anything may
// still be waiting for a value that was held then. It goes on with what the next run holds, and that
// must not wait for it.
func (s *schedule) aside() map[*Channel]bool {
	out := map[*Channel]bool{}
	if s.c.Finish == nil {
		return out
	}
	for _, loop := range s.order {
		if s.parent[loop] == outside {
			continue
		}
		behind := map[*Unit]bool{}
		var reach func(u *Unit)
		reach = func(u *Unit) {
			for _, ch := range u.Out {
				if ch == nil || ch.To.Unit == nil || behind[ch.To.Unit] || s.home[ch.To.Unit.ID] != s.parent[loop] {
					continue
				}
				if _, state := s.loops.of(ch.To.Unit); state || ofNext(ch) {
					continue // takes it in the next iteration
				}
				behind[ch.To.Unit] = true
				reach(ch.To.Unit)
			}
		}
		for _, u := range s.c.Units {
			if s.inside(s.home[u.ID], loop) {
				reach(u)
			}
		}
		for _, ch := range s.c.Channels {
			if inner(ch) && behind[ch.To.Unit] && !behind[ch.From.Unit] && !s.inside(s.home[ch.From.Unit.ID], loop) {
				out[ch] = true
			}
		}
	}
	return out
}

// ends reports whether a channel needs a slot for the condition that ends a loop inside of another
// one. What leaves the loop may go on at once to where the loop begins anew, which it does when the
// condition has been taken. Where all numbers of iterations are known the times say when that is;
// a loop may always have fewer iterations than are assumed.
func (s *schedule) ends(ch *Channel) bool {
	raw, exits := s.loops.exits(ch.To.Unit)
	if !exits || ch.To.Port != 0 || s.parent[raw] == outside {
		return false
	}
	around := raw
	for n := 0; s.parent[around] != outside && n <= len(s.order); n++ {
		around = s.parent[around]
	}
	for _, l := range s.order {
		if l != around && !s.exact[l] && s.inside(l, around) {
			return true
		}
	}
	return false
}

// stays reports whether the token of a channel waits for the end of the run, with nothing on the
// way that stores it.
func (s *schedule) stays(ch *Channel, held map[*Channel]bool) bool {
	u := ch.To.Unit
	if held[ch] || u != nil && u == s.c.Finish {
		return true
	}
	if u == nil || ch.Buffer.Kind != None {
		return false
	}
	switch u.Kind {
	case Compute:
		if u.Latency > 0 {
			return false
		}
	case Fork, Join, Mux, Branch, Constant:
	default:
		return false
	}
	for _, o := range u.Out {
		if o != nil && s.stays(o, held) {
			return true
		}
	}
	return false
}

// free reports whether a circuit has merges or initial tokens.
func (c *Circuit) free() bool {
	return slices.ContainsFunc(c.Units, func(u *Unit) bool { return u.Kind == Merge || u.Kind == ControlMerge || u.Kind == Primed })
}

// placeFree gives every channel between units a slot, so that the circuit goes on where the
// graph does with channels of one token, and cuts every combinational loop.
func placeFree(c *Circuit) {
	for _, ch := range c.Channels {
		if inner(ch) {
			ch.Buffer = Buffer{Transparent, 1, "a slot, as nothing is known of the loops of a graph with merges"}
			if ch.Least > 0 {
				ch.Buffer = Buffer{Transparent, ch.Least, "a buffer of the graph"}
			}
			if ch.Least > 2 {
				ch.Buffer.Kind = Queue
			}
		}
	}
	for {
		loop := c.loop(forwards)
		if loop == nil {
			return
		}
		ch := feedback(loop)
		ch.Buffer = Buffer{Elastic, 2, "cuts a loop of valid and data"}
		if ch.Least > 0 {
			ch.Buffer = Buffer{Elastic, 2, "a buffer of the graph, which cuts a loop of valid and data"}
		}
	}
}

// pipeSlots is up to how many slots registers in a row are smaller than distributed RAM with
// its pointers.
const pipeSlots = 4

// slots is a buffer for tokens that wait that many cycles. A queue knows from its state alone
// whether it has room, so it needs one slot more.
func slots(wait int, reason string) Buffer {
	if wait <= pipeSlots {
		return Buffer{Pipe, wait, reason}
	}
	return Buffer{Queue, wait + 1, reason}
}

// cutLoops puts a buffer into every combinational loop. Where a loop runs through several
// carries each of them has a value of its own on the way, so each gets a buffer.
func cutLoops(c *Circuit) {
	var values []*Channel
	along, against := c.next(forwards), c.next(backwards)
	for _, u := range c.Units {
		if u.Kind == Carry && u.In[2].Channel != nil && (leads(u, along) || leads(u, against)) {
			values = append(values, u.In[2].Channel)
		}
	}
	for _, ch := range values {
		ch.Buffer = Buffer{Elastic, 2, "cuts a loop of valid, data and ready"}
		if oneToken(ch.To.Unit) {
			ch.Buffer = Buffer{Loop, 1, "cuts a loop that holds one token at a time"}
		}
	}
	for {
		loop := c.loop(forwards)
		way := "valid and data"
		if loop == nil {
			loop = c.loop(backwards)
			way = "ready"
		}
		if loop == nil {
			return
		}
		ch := feedback(loop)
		ch.Buffer = Buffer{Elastic, 2, "cuts a loop of " + way}
	}
}

// leads reports whether the result of a carry runs to its loop value in the same cycle, by the channels next to each.
func leads(carry *Unit, next [][]*Channel) bool {
	seen := map[*Channel]bool{}
	var visit func(ch *Channel) bool
	visit = func(ch *Channel) bool {
		if ch == nil || seen[ch] {
			return false
		}
		seen[ch] = true
		return ch == carry.In[2].Channel || slices.ContainsFunc(next[ch.ID], visit)
	}
	return visit(carry.Out[0])
}

// feedback chooses the channel of a loop that gets the buffer: the loop value of a carry, else
// a condition, else the narrowest channel.
func feedback(loop []*Channel) *Channel {
	rank := func(ch *Channel) int {
		u := ch.To.Unit
		switch {
		case ch.Least > 0:
			return -3
		case u.Kind == Carry && ch.To.Port == 2:
			return -2
		case (u.Kind == Carry || u.Kind == Invariant) && ch.To.Port == 0:
			return -1
		}
		return ch.Width
	}
	best := loop[0]
	for _, ch := range loop[1:] {
		if rank(ch) < rank(best) {
			best = ch
		}
	}
	return best
}

// oneToken reports whether the loop value of a carry can arrive only when the value before it
// has left the register in front of the carry: every way from the carry's result to its loop
// value goes through units that take their token in the cycle in which they yield the next, or
// earlier. A fork may yield one result while the other is not taken; a mux may choose a value
// that is not of the loop.
func oneToken(carry *Unit) bool {
	ring := between(carry)
	for ch := range ring {
		u := ch.To.Unit
		if u == nil || u == carry && ch.To.Port == 2 {
			continue
		}
		first := 0
		switch u.Kind {
		case Compute, Divide, Branch, Join, Load, Store, Constant:
			continue
		case Mux:
			first = 1
		case Carry:
			if !ring[u.In[1].Channel] {
				return false
			}
			continue
		case Interlock:
			if ch.To.Port > 0 {
				return false // it keeps these
			}
			continue
		default:
			return false
		}
		for _, o := range u.In[first:] {
			if o.Token() == nil || !ring[o.Channel] {
				return false
			}
		}
	}
	return true
}

// between are the channels on ways from the result of a carry to its loop value.
func between(carry *Unit) map[*Channel]bool {
	end := carry.In[2].Channel
	after, before := map[*Channel]bool{}, map[*Channel]bool{}
	var down, up func(ch *Channel)
	down = func(ch *Channel) {
		if ch == nil || after[ch] {
			return
		}
		after[ch] = true
		if ch == end || ch.To.Unit == nil {
			return
		}
		for _, o := range ch.To.Unit.Out {
			down(o)
		}
	}
	up = func(ch *Channel) {
		if ch == nil || before[ch] {
			return
		}
		before[ch] = true
		if ch.From.Unit == nil || ch.From.Unit == carry {
			return
		}
		for _, o := range ch.From.Unit.In {
			up(o.Token())
		}
	}
	down(carry.Out[0])
	up(end)
	out := map[*Channel]bool{}
	for ch := range after {
		if before[ch] {
			out[ch] = true
		}
	}
	return out
}
