package circuit

import (
	"cmp"
	"slices"

	"loom/compiler/units"
)

// schedule is when the first token of every channel passes, in cycles, if every loop runs as fast
// as its recurrences and the loops inside of it allow. From one iteration of a loop to the next
// everything in it, the loops inside included, comes an interval later; an activation of a loop
// inside has iterations at the interval of its own. A circuit whose channels hold what waits in
// this schedule is never slower: units fire as soon as they can.
type schedule struct {
	c       *Circuit
	servers []Server
	wait    map[int]Wait // by argument: what an access takes longer than that
	memory  int          // cycles from a request to its response
	loops   *Loops
	order   []End       // the loops, those inside of others first
	home    []End       // by unit: its loop
	parent  map[End]End // by loop: the one around it
	ii      map[End]int // by loop: the interval between its iterations
	trips   map[End]int // by loop: the iterations of an activation
	// exact are the loops whose iterations, and those of all loops inside, are known.
	exact map[End]bool
	time  []int // by unit: when it fires first
	// registered are the channels into loops that have at least a register.
	registered map[*Channel]bool
	// untimed are the channels, and early the readers of held values (units by ID, from and to), that
	// have no part in the times, as these would have no solution with them (loosen).
	untimed map[*Channel]bool
	early   map[[2]int]bool
}

// longest bounds the intervals of loops around others.
const longest = 1 << 32

func newSchedule(c *Circuit, o Options) *schedule {
	s := &schedule{c: c, servers: o.Servers, wait: o.Wait, memory: o.Latency.Cycles(), loops: FindLoops(c), parent: map[End]End{}, ii: map[End]int{}, trips: map[End]int{},
		exact: map[End]bool{}, time: make([]int, len(c.Units)), registered: map[*Channel]bool{},
		untimed: map[*Channel]bool{}, early: map[[2]int]bool{}}
	for _, u := range c.Units {
		s.home = append(s.home, s.loops.unit(u))
	}
	depth := map[End]int{}
	for raw := range s.loops.steering {
		s.order = append(s.order, raw)
		s.parent[raw] = s.loops.Parent(raw)
		s.trips[raw] = assumedTrips
		if u := raw.Unit; u != nil && u.Kind == Stream && raw.Port == 1 {
			s.trips[raw], s.exact[raw] = trips(u)
		}
	}
	for raw := range s.parent {
		for p := raw; p != outside && depth[raw] <= len(s.order); p = s.parent[p] {
			depth[raw]++
		}
	}
	id := func(e End) int {
		if e.Unit == nil {
			return -1
		}
		return e.Unit.ID
	}
	slices.SortFunc(s.order, func(a, b End) int {
		return cmp.Or(depth[b]-depth[a], id(a)-id(b), a.Port-b.Port)
	})
	for _, raw := range s.order {
		if p := s.parent[raw]; !s.exact[raw] {
			s.exact[p] = false
		}
	}
	s.settle()
	return s
}

// settle puts units into the loop whose units take their tokens, where what seems to leave the
// loop is used in its last iteration. What does not come from the loop, but from the one around
// it, stays there: it waits for that iteration.
func (s *schedule) settle() {
	behind := map[End]map[*Unit]bool{}
	for _, loop := range s.order {
		behind[loop] = s.behind(loop)
	}
	for changed := true; changed; {
		changed = false
		for _, ch := range s.c.Channels {
			if !inner(ch) || starts(ch) {
				continue
			}
			from, to := &s.home[ch.From.Unit.ID], s.home[ch.To.Unit.ID]
			if *from != to && s.inside(to, *from) && ch.From.Unit != s.c.Finish && behind[to][ch.From.Unit] {
				*from, changed = to, true
			}
		}
	}
}

// behind are the units that take what comes out of a loop, at once or through others: those that
// it reaches in the iteration of the loop around it that it is in.
func (s *schedule) behind(loop End) map[*Unit]bool {
	out := map[*Unit]bool{}
	var reach func(u *Unit)
	reach = func(u *Unit) {
		for _, ch := range u.Out {
			if ch == nil || ch.To.Unit == nil || out[ch.To.Unit] {
				continue
			}
			if _, state := s.loops.of(ch.To.Unit); state || ofNext(ch) {
				continue // of the next iteration, or of another loop
			}
			out[ch.To.Unit] = true
			reach(ch.To.Unit)
		}
	}
	for _, u := range s.c.Units {
		if s.inside(s.home[u.ID], loop) {
			reach(u)
		}
	}
	return out
}

// latency is the number of cycles from a unit's first firing to its first result. The first gated
// condition comes with the second iteration.
func (s *schedule) latency(u *Unit, out int) int {
	switch u.Kind {
	case Compute, Divide:
		return u.Cycles()
	case Accumulate:
		return units.JoinCycles(u.Latency)
	case Stream:
		return 1
	case Load, Store:
		switch {
		case u.Array.Latency > 0:
			return u.Array.Latency
		case u.Array.External() && u.Kind == Store:
			return s.memory + s.wait[u.Array.Arg].Store + s.turns(u)
		case u.Array.External():
			return s.memory + s.wait[u.Array.Arg].Load + s.turns(u)
		}
		return 1
	case Gate:
		if out == 1 {
			return s.ii[s.home[u.ID]]
		}
	}
	return 0
}

// level is the loop of which a channel carries a token per iteration: what starts a loop is of the
// one around it.
func (s *schedule) level(ch *Channel) End {
	h := s.home[ch.To.Unit.ID]
	if starts(ch) && h != outside {
		return s.parent[h]
	}
	return h
}

// exit is how much later than in the first iteration the token of a channel comes that leaves
// loops: a loop is left with the test that ends it, the one after the last iteration. Gated
// conditions begin with the second test, so what they steer leaves an iteration sooner.
func (s *schedule) exit(ch *Channel) int { return s.left(ch.From.Unit, s.level(ch)) }

// left is the same for what a unit yields to a loop.
func (s *schedule) left(u *Unit, level End) int {
	from := s.home[u.ID]
	if from == level || !s.inside(from, level) {
		return 0
	}
	late := 0
	if !s.loops.byTest(u) {
		late = -min(s.trips[from], 1) * s.ii[from]
	}
	for ; from != level; from = s.parent[from] {
		late += s.trips[from] * s.ii[from]
	}
	return late
}

// inside reports whether a loop is another one or inside of it.
func (s *schedule) inside(loop, around End) bool {
	for n := 0; loop != around && n <= len(s.order); n++ {
		if loop == outside {
			return false
		}
		loop = s.parent[loop]
	}
	return loop == around
}

// later is how long after its first firing a unit takes the first token at an operand: carries
// and invariants take conditions and loop values with the second iteration. So does an interlock
// the subscript of a store, at the latest. It is full of stores when as many of them are known, and takes none in the
// cycle in which the first is done; the load behind that one waits then, where no two subscripts are the same.
func (s *schedule) later(u *Unit, in int) int {
	ii := s.ii[s.home[u.ID]]
	switch {
	case u.Kind == Carry && in != 1, u.Kind == Invariant && in == 0, u.Kind == Interlock && in == 1:
		return ii
	case u.Kind == Interlock && in == 2:
		return (units.InterlockDepth+1)*ii - 1
	}
	return 0
}

// ofNext reports whether a unit that is in the loop of its operands takes a channel for iterations behind the one that the
// token is of: what an interlock knows of stores.
func ofNext(ch *Channel) bool { return ch.To.Unit.Kind == Interlock && ch.To.Port > 0 }

// isDone reports whether a channel tells an interlock what stores are done, which is taken at once.
func isDone(ch *Channel) bool { return ch.To.Unit.Kind == Interlock && ch.To.Port == 2 }

// arrives is when the first token of a channel comes to its consumer, and leaves is when it is
// taken.
func (s *schedule) arrives(ch *Channel) int {
	u := ch.From.Unit
	return s.time[u.ID] + s.latency(u, ch.From.Port) + s.exit(ch) + ch.Buffer.Latency()
}

func (s *schedule) leaves(ch *Channel) int {
	if ofNext(ch) {
		// As soon as it comes, but the subscript of a store a cycle behind that of the load at the earliest, and what is done
		// behind both.
		return max(s.arrives(ch), s.time[ch.To.Unit.ID]+ch.To.Port)
	}
	return s.time[ch.To.Unit.ID] + s.later(ch.To.Unit, ch.To.Port)
}

// due is the least number of cycles from the arrival of a token to when it is taken.
func (s *schedule) due(ch *Channel) int {
	if s.registered[ch] {
		return 1
	}
	return 0
}

// tokens is how many tokens of a channel wait for its consumer at a time, those in its buffer if it
// has one already.
func (s *schedule) tokens(ch *Channel) int {
	wait := s.leaves(ch) - s.arrives(ch) + ch.Buffer.Latency()
	if wait <= 0 || s.untimed[ch] {
		return 0
	}
	home := s.level(ch)
	if home == outside {
		return 1
	}
	ii := s.ii[home]
	n := (wait + ii - 1) / ii
	if around := s.parent[home]; around != outside && (s.exact[home] || ii > 1) {
		// A token more than iterations passes per activation, the last one a cycle after the one
		// before it at the earliest.
		all, period := s.trips[home]+1, s.ii[around]
		whole := wait/period*all + min(all, (wait%period+ii-1)/ii)
		if ii == 1 {
			return min(n, whole)
		}
		return max(n, whole)
	}
	return n
}

// inner reports whether a channel connects two units.
func inner(ch *Channel) bool { return ch.From.Unit != nil && ch.To.Unit != nil }

// starts reports whether a channel brings what starts a loop, so that it leads from one loop
// to one inside of it.
func starts(ch *Channel) bool {
	u := ch.To.Unit
	return u.Kind == Stream || (u.Kind == Carry || u.Kind == Invariant || u.Kind == Accumulate) && ch.To.Port == 1
}

// solve finds the intervals of all loops, and the earliest times.
func (s *schedule) solve() {
	for _, raw := range s.order {
		s.interval(raw)
	}
	s.register()
	for clear(s.time); !s.relax(func(*Channel) bool { return true }, s.holds()); clear(s.time) {
		s.loosen()
	}
}

// interval finds the least interval of a loop at which the loops inside of it are done in time and
// none of its recurrences is late.
func (s *schedule) interval(loop End) {
	low := 1
	inside := map[End]bool{loop: true}
	for _, l := range s.order {
		if s.parent[l] == loop {
			low = max(low, s.occupied(l))
		}
		inside[l] = s.inside(l, loop)
	}
	if !s.chooses(loop) { // else most iterations may do without
		for _, u := range s.c.Units {
			if s.home[u.ID] == loop && s.alone(u) {
				low = max(low, u.Cycles())
			}
		}
		for _, x := range s.servers {
			low = max(low, s.served(x, loop))
		}
	}
	low = min(low, longest)
	fits := func(n int) bool {
		s.ii[loop] = n
		clear(s.time)
		return s.relax(func(ch *Channel) bool { return inside[s.home[ch.From.Unit.ID]] && inside[s.home[ch.To.Unit.ID]] }, nil)
	}
	high := low
	for !fits(high) && high < longest {
		low, high = high+1, min(high*2, longest)
	}
	for low < high {
		mid := (low + high) / 2
		if fits(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	s.ii[loop] = low
}

// turns is how many cycles an access waits for others that share what serves it.
func (s *schedule) turns(u *Unit) int {
	n := 0
	for _, x := range s.servers {
		if x.Turn == 0 || !slices.Contains(x.accesses(u.Array), u) {
			continue
		}
		for _, a := range s.c.Arrays {
			n += x.Turn * len(x.accesses(a))
		}
		n -= x.Turn
	}
	return n
}

// served is how many cycles what serves the accesses of an iteration of a loop is busy with them, without those of the loops
// inside: whole cycles, as buffers for a longer interval than that of the hardware would make it so long.
func (s *schedule) served(x Server, loop End) int {
	cycles := 0.0
	for _, a := range s.c.Arrays {
		for _, u := range x.accesses(a) {
			switch n := x.PerCycle[a.Arg]; {
			case s.home[u.ID] != loop:
			case u.Follows:
				cycles += 1 / float64(n)
			default:
				cycles++
			}
		}
	}
	return int(cycles + 1e-9) // a sum of halves, quarters and so on
}

// chooses reports whether the iterations of a loop go different ways, so that a short one may
// skip what takes long in others.
func (s *schedule) chooses(l End) bool {
	return slices.ContainsFunc(s.c.Units, func(u *Unit) bool {
		_, exit := s.loops.exits(u)
		return u.Kind == Branch && !exit && s.home[u.ID] == l
	})
}

// alone reports whether a unit holds one token at a time, from its operands to its result.
func (s *schedule) alone(u *Unit) bool { return u.Kind == Divide && u.Share == nil }

// under is how many results of a unit the schedule has under way at a time beyond what the unit holds: the
// iterations of its loop begin sooner than it is done, as most may do without it. They need slots: an
// iteration may have to begin before the result of the one before it is taken.
func (s *schedule) under(ch *Channel) int {
	u := ch.From.Unit
	if u == nil || !s.alone(u) {
		return 0
	}
	home := s.home[u.ID]
	if home == outside {
		return 0
	}
	return (u.Cycles()+s.ii[home]-1)/s.ii[home] - 1
}

// occupied is how many cycles after the beginning of an activation the next one can begin. The last
// test follows the last iteration at once, but that a loop which is steered by what it computes
// may have loops inside that run for the last test, too.
func (s *schedule) occupied(loop End) int {
	last := 1
	if loop.Unit == nil || loop.Unit.Kind != Stream {
		for _, l := range s.order {
			if s.parent[l] == loop {
				last = max(last, s.occupied(l))
			}
		}
	}
	return s.trips[loop]*s.ii[loop] + last
}

// register gives a register to what starts a loop inside of another one, so that the way through
// both is cut, but where a recurrence of a loop around them runs through it. That of a constant is
// in front of it, where there is no data.
func (s *schedule) register() {
	part := s.components()
	for _, ch := range s.c.Channels {
		if inner(ch) && starts(ch) && s.level(ch) != outside && part[ch.From.Unit.ID] != part[ch.To.Unit.ID] {
			if u := ch.From.Unit; u.Kind == Constant && inner(u.In[0].Channel) {
				ch = u.In[0].Channel
			}
			s.registered[ch] = true
		}
	}
}

// holds are the ways of held values to their readers: none of these fires before the value is
// there.
func (s *schedule) holds() []difference {
	var out []difference
	for _, u := range s.c.Units {
		for i, o := range u.In {
			if o.Held && o.Channel.From.Unit != nil {
				from := o.Channel.From
				if s.early[[2]int{from.Unit.ID, u.ID}] {
					continue
				}
				weight := s.latency(from.Unit, from.Port) - s.later(u, i)
				if !s.inside(s.home[u.ID], s.home[from.Unit.ID]) { // else it is read in the last iteration
					weight += s.left(from.Unit, outside)
				}
				out = append(out, difference{from.Unit.ID, u.ID, weight, 0})
			}
		}
	}
	return out
}

// balance moves the units to the times at which the fewest bits wait in the circuit. What is
// minimised, exactly, are bits times cycles over the interval of their loop; slots are whole, so
// different weights of the loops around others are tried, and the smallest result is taken.
func (s *schedule) balance() {
	least, best := s.bits(), slices.Clone(s.time)
	early := slices.Clone(s.time)
	for _, most := range []int{longest, 4} {
		copy(s.time, early)
		s.balanceAt(most)
		if n := s.bits(); n < least {
			least, best = n, slices.Clone(s.time)
		}
	}
	copy(s.time, best)
}

// balanceAt balances as if no interval was longer than most.
func (s *schedule) balanceAt(most int) {
	const unit = 1 << 10 // of cost
	ds := s.holds()
	for _, ch := range s.c.Channels {
		if !inner(ch) || s.untimed[ch] {
			continue
		}
		cost := 0
		switch home := s.level(ch); {
		case ch.Buffer.Kind != None || s.c.finishes(ch) || isDone(ch):
		case home == outside:
			cost = 1
		default:
			cost = (1 + ch.Width) * unit / min(s.ii[home], most)
		}
		ds = append(ds, difference{ch.From.Unit.ID, ch.To.Unit.ID, s.weight(ch), cost})
	}
	leastCost(s.time, ds)
}

// weight is how much later the consumer of a channel fires than its producer at least.
func (s *schedule) weight(ch *Channel) int {
	from, to := ch.From.Unit, ch.To.Unit
	return s.latency(from, ch.From.Port) + s.exit(ch) + ch.Buffer.Latency() + s.due(ch) - s.later(to, ch.To.Port)
}

// bits is the size of all buffers.
func (s *schedule) bits() int {
	n := 0
	for _, ch := range s.c.Channels {
		if ch.Buffer.Kind == None && inner(ch) && s.loops.inLoop(ch) {
			n += s.tokens(ch) * (1 + ch.Width)
		}
	}
	return n
}

// components numbers the strongly connected parts of the units over the channels.
func (s *schedule) components() []int {
	n := len(s.c.Units)
	index, low, comp := make([]int, n), make([]int, n), make([]int, n)
	for i := range comp {
		comp[i] = -1
	}
	var stack []int
	count, parts := 0, 0
	var visit func(v int)
	visit = func(v int) {
		count++
		index[v], low[v] = count, count
		stack = append(stack, v)
		for _, ch := range s.c.Units[v].Out {
			if ch == nil || ch.To.Unit == nil || isDone(ch) {
				continue // a load waits for what is done many iterations before
			}
			w := ch.To.Unit.ID
			switch {
			case index[w] == 0:
				visit(w)
				low[v] = min(low[v], low[w])
			case comp[w] < 0:
				low[v] = min(low[v], index[w])
			}
		}
		if low[v] == index[v] {
			for {
				w := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				comp[w] = parts
				if w == v {
					break
				}
			}
			parts++
		}
	}
	for v := range n {
		if index[v] == 0 {
			visit(v)
		}
	}
	return comp
}

// relax raises times until no token of the channels in use is taken before it arrives; false
// where they rise without end. What else is given holds, too.
func (s *schedule) relax(use func(*Channel) bool, also []difference) bool {
	ways := slices.Clone(also)
	for _, ch := range s.c.Channels {
		if inner(ch) && use(ch) && !s.untimed[ch] {
			ways = append(ways, difference{ch.From.Unit.ID, ch.To.Unit.ID, s.weight(ch), 0})
		}
	}
	for range len(s.c.Units) + 1 {
		changed := false
		for _, d := range ways {
			if t := s.time[d.From] + d.Weight; t > s.time[d.To] {
				s.time[d.To], changed = t, true
			}
		}
		if !changed {
			return true
		}
	}
	return false
}
