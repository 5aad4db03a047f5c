package circuit

// loose reports whether something of the circuit has no part in the times. One token has room in
// every channel of a loop then, as in the dataflow graph.
func (s *schedule) loose() bool { return len(s.untimed)+len(s.early) > 0 }

// loosen leaves out of the times what contradicts others: a reader of a held value on a circle of
// units that would all wait for themselves, else a channel. The times take everything of a loop to
// happen in every iteration, and what leaves it to come with the last. Where at most one iteration
// starts another loop, or computes what is held, and goes on with what comes of it, that is not so.
func (s *schedule) loosen() {
	var least way
	rank := func(w way) int {
		switch {
		case w.ch == nil:
			return 3
		case !s.inside(s.home[w.ch.From.Unit.ID], s.level(w.ch)) && !starts(w.ch):
			return 2 // from one loop into another
		case s.exit(w.ch) > 0:
			return 1
		}
		return 0
	}
	for i, w := range s.contradiction() {
		if i == 0 || rank(w) > rank(least) || rank(w) == rank(least) && w.Weight > least.Weight {
			least = w
		}
	}
	if least.ch == nil {
		s.early[[2]int{least.From, least.To}] = true
		return
	}
	s.untimed[least.ch] = true
}

// way is what makes a unit fire after another one: a channel, or a held value where ch is nil.
type way struct {
	difference
	ch *Channel
}

// contradiction is a circle of ways on which every unit would fire after itself; there is one.
func (s *schedule) contradiction() []way {
	var ways []way
	for _, d := range s.holds() {
		ways = append(ways, way{d, nil})
	}
	for _, ch := range s.c.Channels {
		if inner(ch) && !s.untimed[ch] {
			ways = append(ways, way{difference{ch.From.Unit.ID, ch.To.Unit.ID, s.weight(ch), 0}, ch})
		}
	}
	n := len(s.c.Units)
	time, by := make([]int, n), make([]int, n) // by: the way that set the time
	at := -1
	for range n + 1 {
		at = -1
		for i, w := range ways {
			if t := time[w.From] + w.Weight; t > time[w.To] {
				time[w.To], by[w.To], at = t, i, w.To
			}
		}
		if at < 0 {
			return nil
		}
	}
	for range n { // what still rises is behind the circle
		at = ways[by[at]].From
	}
	var out []way
	for v := at; len(out) == 0 || v != at; v = ways[by[v]].From {
		out = append(out, ways[by[v]])
	}
	return out
}
