package circuit

import (
	"loom/compiler/diag"
	"loom/compiler/units"
)

// Loops tells for every channel in which loop of the kernel its tokens are: the innermost one
// of which it carries a token per iteration (or one more or less). A loop is known by its raw
// condition, which a stream yields or which steers the carries and invariants of a while.
type Loops struct {
	homes    map[*Channel]End
	visiting map[*Channel]bool
	steering map[End][]*Unit // streams, carries and invariants by the raw condition of their loop
	raws     map[End]bool
	after    map[*Channel]bool
}

// outside is the home of channels outside of all loops. No unit yields it.
var outside = End{nil, -1}

// FindLoops finds the loops of a circuit.
func FindLoops(c *Circuit) *Loops {
	l := &Loops{homes: map[*Channel]End{}, visiting: map[*Channel]bool{}, steering: map[End][]*Unit{}, raws: map[End]bool{}}
	for _, u := range c.Units {
		if raw, ok := l.of(u); ok {
			l.raws[raw] = true
			l.steering[raw] = append(l.steering[raw], u)
		}
	}
	return l
}

// of is the raw condition of the loop that a state machine belongs to.
func (l *Loops) of(u *Unit) (raw End, ok bool) {
	switch u.Kind {
	case Stream:
		return End{u, 1}, true
	case Gate:
		return ungated(u.In[1].Channel), true
	case Carry, Invariant, Accumulate:
		return ungated(u.In[0].Channel), true
	}
	return End{}, false
}

// ungated follows a condition back through forks and gates to the raw condition.
func ungated(ch *Channel) End {
	seen := map[*Channel]bool{}
	for ch != nil && !seen[ch] {
		seen[ch] = true
		switch u := ch.From.Unit; {
		case u == nil:
			return ch.From
		case u.Kind == Fork:
			ch = u.In[0].Channel
		case u.Kind == Gate && ch.From.Port == 1:
			ch = u.In[1].Channel
		default:
			return ch.From
		}
	}
	return outside
}

// exits reports whether result 1 of a unit leaves a loop, which one.
func (l *Loops) exits(u *Unit) (raw End, ok bool) {
	if u.Kind != Branch || u.In[0].Channel == nil {
		return End{}, false
	}
	raw = ungated(u.In[0].Channel)
	return raw, l.raws[raw]
}

// byTest reports whether a unit leaves its loop by the raw condition, not by a gated one.
func (l *Loops) byTest(u *Unit) bool {
	if u.Kind == Accumulate {
		return true
	}
	if u.Kind != Branch || u.In[0].Channel == nil {
		return false
	}
	ch := u.In[0].Channel
	for ch.From.Unit != nil && ch.From.Unit.Kind == Fork {
		ch = ch.From.Unit.In[0].Channel
	}
	return l.raws[ch.From]
}

// home is the loop that a channel is in, outside where there is none.
func (l *Loops) home(ch *Channel) End {
	if h, ok := l.homes[ch]; ok {
		return h
	}
	if l.visiting[ch] {
		return outside
	}
	l.visiting[ch] = true
	h := l.find(ch)
	delete(l.visiting, ch)
	l.homes[ch] = h
	return h
}

func (l *Loops) find(ch *Channel) End {
	u := ch.From.Unit
	if u == nil {
		return outside
	}
	if raw, ok := l.of(u); ok {
		if u.Kind == Accumulate {
			return l.Parent(raw) // its result leaves the loop
		}
		return raw
	}
	if raw, ok := l.exits(u); ok {
		if ch.From.Port == 0 {
			return raw
		}
		return l.Parent(raw)
	}
	// All operands of other units are in one loop; one that closes a loop is found through
	// another.
	for _, o := range u.In {
		if ch := o.Token(); ch != nil && !l.visiting[ch] {
			return l.home(ch)
		}
	}
	return outside
}

// Parent is the loop around a loop, outside where there is none.
func (l *Loops) Parent(raw End) End {
	for _, u := range l.steering[raw] {
		for i, o := range u.In {
			starts := u.Kind == Stream || u.Kind != Gate && i == 1
			if ch := o.Token(); starts && ch != nil && !l.visiting[ch] {
				if h := l.home(ch); h != raw {
					return h
				}
			}
		}
	}
	return outside
}

// unit is the loop that a unit is in: its own for what steers a loop.
func (l *Loops) unit(u *Unit) End {
	if raw, ok := l.of(u); ok {
		return raw
	}
	for _, o := range u.In {
		if ch := o.Token(); ch != nil {
			if h := l.home(ch); h != outside {
				return h
			}
		}
	}
	return outside
}

// inLoop reports whether a channel is in a loop, or carries what comes out of one.
func (l *Loops) inLoop(ch *Channel) bool {
	if l.after == nil {
		l.after = map[*Channel]bool{}
	}
	in, ok := l.after[ch]
	if ok {
		return in
	}
	l.after[ch] = false // on the way here
	u := ch.From.Unit
	in = l.home(ch) != outside
	if u != nil && !in {
		if _, exit := l.exits(u); exit || u.Kind == Accumulate {
			in = true
		}
		for _, o := range u.In {
			in = in || o.Token() != nil && l.inLoop(o.Channel)
		}
	}
	l.after[ch] = in
	return in
}

// LoopTiming is a loop of a circuit with what bounds it.
type LoopTiming struct {
	// Condition carries a token per test of the loop: one that is not zero per iteration, and
	// one that is at the end of each activation.
	Condition *Channel
	Name      string
	Pos       diag.Pos
	// Depth is the number of loops around it.
	Depth int
	// Interval is the least number of cycles from one iteration to the next that the recurrences
	// of the loop and the loops inside of it allow, 0 where the number of iterations of a loop
	// inside is not known.
	Interval int
	// Varies is set where iterations may take longer: with a unit whose time depends on its operands, as that of an interlock
	// does, here or in a loop inside.
	Varies bool
	// Inner is set where no loop is inside of it.
	Inner bool
}

// Timing lists the loops of a circuit in the order of their units, for a memory.
func Timing(c *Circuit, o Options) []LoopTiming {
	s := newSchedule(c, o)
	s.solve()
	var out []LoopTiming
	seen := map[End]bool{}
	for _, u := range c.Units {
		raw, ok := s.loops.of(u)
		if !ok || seen[raw] {
			continue
		}
		seen[raw] = true
		ch := (*Channel)(nil)
		if raw.Unit != nil {
			ch = raw.Unit.Out[raw.Port]
		} else if raw.Port >= 0 {
			ch = c.Inputs[raw.Port].Channel
		}
		if ch == nil {
			continue
		}
		l := LoopTiming{Condition: ch, Name: u.Name, Pos: u.Pos, Interval: s.ii[raw], Inner: true}
		for _, inside := range s.order {
			if s.parent[inside] == raw {
				l.Inner = false
			}
			if s.parent[inside] == raw && !s.exact[inside] {
				l.Interval = 0
			}
		}
		for _, u := range c.Units {
			if u.Kind == Divide && s.inside(s.home[u.ID], raw) {
				row, _ := units.Lookup(u.Op.Name)
				l.Varies = l.Varies || row.Most != nil
			}
			l.Varies = l.Varies || u.Kind == Interlock && s.inside(s.home[u.ID], raw)
		}
		for p := s.loops.Parent(raw); p != outside && l.Depth < len(c.Units); p = s.loops.Parent(p) {
			l.Depth++
		}
		out = append(out, l)
	}
	return out
}
