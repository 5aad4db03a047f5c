package circuit

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// schedule is when the first token of every channel passes, in cycles after the start of the
// loop that it is in, if every loop runs as fast as its recurrences allow.
type schedule struct {
	c      *Circuit
	memory int // cycles from a request to its response
	loops  *Loops
	home   []End       // by unit: its loop
	ii     map[End]int // by loop: the initiation interval
	time   []int       // by unit: when it fires first
	start  map[End]int // by loop: when it starts, in the time of the loop around it
}

// span is how long a loop inside of another one takes, more than any latency; far is how far
// apart the iterations of a loop around others are, and of what is outside of all loops, more
// than any number of loops one after the other takes.
const (
	span = 1 << 32
	far  = 1 << 40
)

func newSchedule(c *Circuit, o Options) *schedule {
	s := &schedule{c: c, memory: o.Latency.Cycles(), loops: FindLoops(c), ii: map[End]int{outside: far}, start: map[End]int{}}
	for _, u := range c.Units {
		s.home = append(s.home, s.loops.unit(u))
	}
	return s
}

// latency is the number of cycles from a unit's firing to its first result. The first gated
// condition comes with the second iteration.
func (s *schedule) latency(u *Unit, out int) int {
	switch u.Kind {
	case Compute:
		return u.Latency
	case Divide:
		return u.In[0].Width + 1
	case Stream:
		return 1
	case Load, Store:
		if u.Array.External() {
			return s.memory
		}
		return 1
	case Gate:
		if out == 1 {
			return s.ii[s.home[u.ID]]
		}
	}
	return 0
}

// later is how long after its first firing a unit takes the first token at an operand: carries
// and invariants take conditions and loop values with the second iteration.
func (s *schedule) later(u *Unit, in int) int {
	if u.Kind == Carry && in != 1 || u.Kind == Invariant && in == 0 {
		return s.ii[s.home[u.ID]]
	}
	return 0
}

// arrives is when the first token of a channel comes to its consumer, in the time of the
// consumer's loop, and leaves is when it is taken.
func (s *schedule) arrives(ch *Channel) int {
	u := ch.From.Unit
	t := s.time[u.ID] + s.latency(u, ch.From.Port) + ch.Buffer.Latency()
	if s.exit(ch) {
		t = s.start[s.home[u.ID]] + span + t%far
	}
	return t
}

func (s *schedule) leaves(ch *Channel) int {
	return s.time[ch.To.Unit.ID] + s.later(ch.To.Unit, ch.To.Port)
}

// exit reports whether a channel leads from a loop to the one around it.
func (s *schedule) exit(ch *Channel) bool {
	_, ok := s.loops.exits(ch.From.Unit)
	return ok && ch.From.Port == 1
}

// tokens is how many tokens of a channel wait for its consumer at a time.
func (s *schedule) tokens(ch *Channel) int {
	if starts(ch) {
		// All that starts a loop is due at once; what the loop takes later waits, in the
		// meantime other activations begin.
		return 1 + s.time[ch.To.Unit.ID]%span/shortLoop
	}
	slack, ii := s.leaves(ch)-s.arrives(ch), s.ii[s.loops.home(ch)]
	if slack >= span {
		ii = far // what waits for an inner loop
	}
	n := (slack + ii - 1) / ii
	if n > 0 && ii == far {
		n += s.depth(s.loops.home(ch)) / shortLoop
	}
	return max(n, 0)
}

// shortLoop is the number of iterations down to which activations of an inner loop follow each
// other without a pause, whatever the latencies inside.
const shortLoop = 4

// depth is how long after its start the loops inside of one still work on their first
// iteration.
func (s *schedule) depth(loop End) int {
	d := 0
	for _, u := range s.c.Units {
		if h := s.home[u.ID]; h != outside && s.loops.Parent(h) == loop {
			d = max(d, s.time[u.ID]%span)
		}
	}
	return d
}

// inner reports whether a channel connects two units.
func inner(ch *Channel) bool { return ch.From.Unit != nil && ch.To.Unit != nil }

// starts reports whether a channel brings what starts a loop, so that it leads from one loop
// to one inside of it.
func starts(ch *Channel) bool {
	u := ch.To.Unit
	return u.Kind == Stream || (u.Kind == Carry || u.Kind == Invariant) && ch.To.Port == 1
}

func (s *schedule) solve() error {
	for raw := range s.loops.steering {
		s.ii[raw] = 1
	}
	for raw := range s.loops.steering {
		if p := s.loops.Parent(raw); p != outside {
			s.ii[p] = far
		}
	}
	s.time = make([]int, len(s.c.Units))
	s.intervals()
	if !s.relax(func(*Channel) bool { return true }) {
		return fmt.Errorf("circuit %s: the times of its units have no solution", s.c.Name)
	}
	return nil
}

// balance moves the units of every innermost loop to the times at which the fewest bits wait
// in the circuit. Nothing in a loop fires before the loop starts. Cycles are what is minimised,
// exactly; where the interval is longer a slot serves several of them, and what a loop yields
// later may wait elsewhere, so a loop stays as it was where that turns out to be smaller.
func (s *schedule) balance() {
	var loops []End
	for loop, ii := range s.ii {
		if ii != far {
			loops = append(loops, loop)
		}
	}
	slices.SortFunc(loops, func(a, b End) int { return cmp.Or(a.Unit.ID-b.Unit.ID, a.Port-b.Port) })
	least := s.bits()
	for _, loop := range loops {
		times, starts := slices.Clone(s.time), maps.Clone(s.start)
		s.balanceLoop(loop)
		if s.relax(func(*Channel) bool { return true }) && s.bits() < least {
			least = s.bits()
		} else {
			s.time, s.start = times, starts
		}
	}
}

func (s *schedule) balanceLoop(loop End) {
	node := map[int]int{} // by unit; node 0 is the start of the loop
	times := []int{0}
	var units []int
	var ds []difference
	for _, u := range s.c.Units {
		if s.home[u.ID] == loop {
			node[u.ID] = len(times)
			units = append(units, u.ID)
			ds = append(ds, difference{0, len(times), 0, 0})
			times = append(times, s.time[u.ID])
		}
	}
	for _, ch := range s.c.Channels {
		if !inner(ch) || s.home[ch.To.Unit.ID] != loop || s.exit(ch) {
			continue
		}
		from, to := ch.From.Unit, ch.To.Unit
		if starts(ch) {
			ds = append(ds, difference{0, node[to.ID], 0, 1 + ch.Width/shortLoop})
		} else if s.home[from.ID] == loop {
			weight := s.latency(from, ch.From.Port) + ch.Buffer.Latency() - s.later(to, ch.To.Port)
			ds = append(ds, difference{node[from.ID], node[to.ID], weight, 1 + ch.Width})
		}
	}
	leastCost(times, ds)
	for i, u := range units {
		s.time[u] = times[i+1] - times[0]
	}
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

// components numbers the strongly connected parts of the units over some channels.
func (s *schedule) components(use func(*Channel) bool) []int {
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
			if ch == nil || ch.To.Unit == nil || !use(ch) {
				continue
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

// intervals finds the least interval of every innermost loop at which none of its recurrences is
// late.
func (s *schedule) intervals() {
	level := s.components(func(ch *Channel) bool { return !starts(ch) && !s.exit(ch) })
	recurrence := map[int]bool{}
	for _, ch := range s.c.Channels {
		if inner(ch) && !starts(ch) && level[ch.From.Unit.ID] == level[ch.To.Unit.ID] {
			recurrence[level[ch.From.Unit.ID]] = true
		}
	}
	for part := range recurrence {
		loop, use := outside, func(ch *Channel) bool {
			return level[ch.From.Unit.ID] == part && level[ch.To.Unit.ID] == part && !starts(ch)
		}
		for _, u := range s.c.Units {
			if level[u.ID] == part && s.home[u.ID] != outside {
				loop = s.home[u.ID]
			}
		}
		if loop == outside || s.ii[loop] == far {
			continue
		}
		fastest := s.ii[loop]
		fits := func(n int) bool {
			s.ii[loop] = n
			clear(s.time)
			return s.relax(use)
		}
		low, high := fastest, fastest
		for !fits(high) && high < far {
			low, high = high+1, high*2
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
	clear(s.time)
}

// relax raises times until no token of the channels in use is taken before it arrives; false
// where they rise without end.
func (s *schedule) relax(use func(*Channel) bool) bool {
	for range len(s.c.Units) + len(s.ii) + 1 {
		changed := false
		for _, ch := range s.c.Channels {
			switch {
			case !inner(ch) || !use(ch):
			case starts(ch):
				if t, loop := s.arrives(ch), s.home[ch.To.Unit.ID]; t > s.start[loop] {
					s.start[loop], changed = t, true
				}
			default:
				if late := s.arrives(ch) - s.leaves(ch); late > 0 {
					s.time[ch.To.Unit.ID] += late
					changed = true
				}
			}
		}
		if !changed {
			return true
		}
	}
	return false
}
