package circuit

import "fmt"

// schedule is when the first token of every channel passes, in cycles, if the circuit runs as
// fast as its recurrences allow.
type schedule struct {
	c       *Circuit
	memory  int // cycles from a request to its response
	loops   *Loops
	back    map[*Channel]bool // closes a loop
	level   []int             // by unit: the strongly connected part of its loop level
	ii      []int             // by level: the initiation interval
	counted map[*Channel]bool // back channels that bound times: those of a loop without others inside
	time    []int             // by unit: when it fires first
}

func newSchedule(c *Circuit, o Options) *schedule {
	return &schedule{c: c, memory: o.Latency.Cycles(), loops: FindLoops(c), back: map[*Channel]bool{}, counted: map[*Channel]bool{}}
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
			return s.interval(u)
		}
	case Branch:
		if _, ok := s.loops.exits(u); ok && out == 1 {
			return 1 // after the last iteration, at least one after the first
		}
	}
	return 0
}

// later is how long after its first firing a unit takes the first token at an operand: carries
// and invariants take conditions and loop values with the second iteration.
func (s *schedule) later(u *Unit, in int) int {
	if u.Kind == Carry && in != 1 || u.Kind == Invariant && in == 0 {
		return s.interval(u)
	}
	return 0
}

func (s *schedule) interval(u *Unit) int {
	if s.ii == nil {
		return 1
	}
	return s.ii[s.level[u.ID]]
}

// weight is the least difference of the times of a channel's ends.
func (s *schedule) weight(ch *Channel) int {
	return s.latency(ch.From.Unit, ch.From.Port) + ch.Buffer.Latency() - s.later(ch.To.Unit, ch.To.Port)
}

// slack is how many cycles the first token of a channel waits; negative where it closes a loop
// around others, whose length is not known.
func (s *schedule) slack(ch *Channel) int {
	if s.back[ch] && !s.counted[ch] {
		return -1
	}
	return s.time[ch.To.Unit.ID] - s.time[ch.From.Unit.ID] - s.weight(ch)
}

// inner reports whether a channel connects two units.
func inner(ch *Channel) bool { return ch.From.Unit != nil && ch.To.Unit != nil }

// starts reports whether a channel brings what starts a loop, so that it leads from one level
// to the next.
func starts(ch *Channel) bool {
	u := ch.To.Unit
	return u.Kind == Stream || (u.Kind == Carry || u.Kind == Invariant) && ch.To.Port == 1
}

func (s *schedule) solve() error {
	s.findBack()
	s.level = s.components(func(ch *Channel) bool { return !starts(ch) })
	s.intervals()
	for ch := range s.back {
		s.counted[ch] = s.alone(ch)
	}
	s.time = make([]int, len(s.c.Units))
	if !s.relax(s.time, func(ch *Channel) bool { return !s.back[ch] || s.counted[ch] }) {
		return fmt.Errorf("circuit %s: the times of its units have no solution", s.c.Name)
	}
	return nil
}

// findBack finds the channels that close loops: loop values of carries, and conditions that
// depend on what they steer.
func (s *schedule) findBack() {
	for _, ch := range s.c.Channels {
		if inner(ch) && ch.To.Unit.Kind == Carry && ch.To.Port == 2 {
			s.back[ch] = true
		}
	}
	always := func(*Unit, int, int) bool { return true }
	for {
		loop := s.c.loop(func(ch *Channel) bool { return s.back[ch] }, always)
		if loop == nil {
			return
		}
		s.back[feedback(loop)] = true
	}
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

// intervals finds the least interval of every level at which no recurrence is late.
func (s *schedule) intervals() {
	parts := 0
	for _, p := range s.level {
		parts = max(parts, p+1)
	}
	ii := make([]int, parts)
	for i := range ii {
		ii[i] = 1
	}
	s.ii = ii
	closed := make([]bool, parts)
	for ch := range s.back {
		if p := s.level[ch.From.Unit.ID]; p == s.level[ch.To.Unit.ID] {
			closed[p] = true
		}
	}
	scratch := make([]int, len(s.c.Units))
	for p := range parts {
		if !closed[p] {
			continue
		}
		fits := func(n int) bool {
			ii[p] = n
			clear(scratch)
			return s.relax(scratch, func(ch *Channel) bool {
				return s.level[ch.From.Unit.ID] == p && s.level[ch.To.Unit.ID] == p && !starts(ch)
			})
		}
		low, high := 1, 1
		for !fits(high) && high < 1<<30 {
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
		ii[p] = low
	}
}

// relax raises times until every channel in use has its weight; false where they rise without
// end.
func (s *schedule) relax(time []int, use func(*Channel) bool) bool {
	for range len(s.c.Units) + 1 {
		changed := false
		for _, ch := range s.c.Channels {
			if !inner(ch) || !use(ch) {
				continue
			}
			if t := time[ch.From.Unit.ID] + s.weight(ch); t > time[ch.To.Unit.ID] {
				time[ch.To.Unit.ID] = t
				changed = true
			}
		}
		if !changed {
			return true
		}
	}
	return false
}

// alone reports whether every way from the consumer of a back channel to its producer stays in
// the level of both: no other loop runs inside.
func (s *schedule) alone(ch *Channel) bool {
	level := s.level[ch.From.Unit.ID]
	if s.level[ch.To.Unit.ID] != level {
		return false
	}
	after, before := map[*Unit]bool{}, map[*Unit]bool{}
	var down, up func(u *Unit)
	down = func(u *Unit) {
		if after[u] {
			return
		}
		after[u] = true
		for _, o := range u.Out {
			if o != nil && o.To.Unit != nil && !s.back[o] {
				down(o.To.Unit)
			}
		}
	}
	up = func(u *Unit) {
		if before[u] {
			return
		}
		before[u] = true
		for _, o := range u.In {
			if o.Channel != nil && o.Channel.From.Unit != nil && !s.back[o.Channel] {
				up(o.Channel.From.Unit)
			}
		}
	}
	down(ch.To.Unit)
	up(ch.From.Unit)
	for u := range after {
		if before[u] && s.level[u.ID] != level {
			return false
		}
	}
	return true
}
