package circuit

import (
	"fmt"
	"slices"
)

// An eager fork remembers which of its readers have taken the token, as another one may take it later.
// Where all readers always take it in the same cycle the memory is never used, and the fork is wires
// alone: valid to every reader, ready when all are ready. Nothing else in the circuit changes, not a
// signal in any cycle.
//
// The proof compares events. The event of a channel is that its token is taken in this cycle, followed
// towards its readers as far as the same cycle decides it:
//
//   - what joins its operands and yields a result in the same cycle (a combinational operation, a join)
//     takes each of them in the cycle in which its result is taken, so their event is that of the result;
//   - what takes all of its operands together (a multiplier, a request, a branch, a gate, a stream, the
//     end of the run) has one event for all of them;
//   - a branch takes its operands when the result that the condition chooses is taken; a mux takes the
//     operand that the selector chooses, and the selector, when its result is taken, and never another
//     operand. Where these conditions are readers of one fork that is wired itself, they are the same
//     token, so one case after the other is compared;
//   - a fork that is wired itself has the event of its readers;
//   - every other channel, and a channel with a buffer, has an event of its own.
//
// If the events of all readers are the same no reader takes the token alone, in any state in which no
// wired fork remembers anything. That is the state after reset, and so it stays: no wired fork comes to remember
// anything. Ready runs in no loop, so the events that a fork rests on are found without it.

// Where the values of a loop go round in step (lockstep), two more things are known. In the cycle in
// which all values are there and the condition is true all registers in front of the carries take a token,
// as they always do: that is one event, the step of the loop. And no carry takes a condition
// before its value has left, so a register in front of it may get the condition together with all
// other readers (Late) instead of at once; no signal outside of the loop and these registers changes.
// A value that nothing reads behind the loop is dropped when one that is read is taken (Drops). So all
// forks of the loop are wired if its exits have one event, and nothing of the loop waits for a held value
// that the condition does not wait for. If one of them is not, none of the loop's rules is used.

// Wiring is what of the control of a circuit is wires alone.
type Wiring struct {
	// Forks have no memory: valid goes to every reader, ready comes from one of them, the one of which it
	// comes the shortest way. Without a token the others may say something else.
	Forks map[*Unit]*Channel
	// Late are channels that such a fork offers a token on when its other readers take it. Each leads
	// to a register that always takes one.
	Late map[*Channel]bool
	// Drops are branches whose result for a false condition nothing reads, with the channel that
	// decides when they drop it.
	Drops map[*Unit]*Channel
	// Inside are the channels of loops whose values go round in step, Units what reads them: nothing in
	// such a loop waits but its branches.
	Inside map[*Channel]bool
	Units  map[*Unit]bool
	// AtEnd are those of these channels that are in loops whose exits are all taken by the end of the run.
	AtEnd map[*Channel]bool
}

// Wiring finds the forks that are wires alone, with the buffers that the channels have now.
func (c *Circuit) Wiring() *Wiring {
	loops := slices.DeleteFunc(c.locksteps(), func(l *lockstep) bool { return !l.tight() })
	for {
		w := &wiring{state: map[*Unit]judged{}, ways: map[*Channel]int{}, step: map[*Channel]*lockstep{}, of: map[*Unit]*lockstep{}}
		w.Wiring = Wiring{map[*Unit]*Channel{}, map[*Channel]bool{}, map[*Unit]*Channel{}, map[*Channel]bool{}, map[*Unit]bool{}, map[*Channel]bool{}}
		for _, l := range loops {
			w.add(l)
		}
		for _, u := range c.Units {
			if u.Kind == Fork && w.wired(u) {
				w.Forks[u] = w.decides(u)
			}
		}
		left := slices.DeleteFunc(slices.Clone(loops), func(l *lockstep) bool { return !w.holds(l) })
		if len(left) == len(loops) {
			for _, l := range loops {
				for ch := range l.inside {
					if l.exit != nil && c.Finish != nil && w.event(l.exit, nil, nil) == fmt.Sprintf("unit %d", c.Finish.ID) {
						w.AtEnd[ch] = true
					}
				}
			}
			return &w.Wiring
		}
		loops = left
	}
}

// tight reports whether the loop has a register in front of every carry, and waits for no held value that
// its condition does not wait for.
func (l *lockstep) tight() bool {
	for _, u := range l.carries {
		if u.In[0].Channel.Buffer.Kind != Loop || u.In[2].Channel.Buffer.Kind != Loop {
			return false
		}
	}
	decide := map[*Channel]bool{}
	for u := range l.needed {
		for _, o := range u.In {
			if o.Held {
				decide[o.Channel] = true
			}
		}
	}
	for _, u := range l.units {
		for _, o := range u.In {
			if o.Held && !decide[o.Channel] {
				return false
			}
		}
	}
	return true
}

// add lets a loop go round in step.
func (w *wiring) add(l *lockstep) {
	for _, u := range l.carries {
		w.Late[u.In[0].Channel] = true
		w.step[u.In[2].Channel] = l
	}
	for ch := range l.inside {
		w.Inside[ch] = true
	}
	for _, u := range l.units {
		w.of[u], w.Units[u] = l, true
	}
	l.exit = nil
	for _, u := range l.units {
		if u.Kind == Branch && u.Out[1] != nil && l.exit == nil {
			l.exit = u.Out[1]
		}
	}
	for _, u := range l.units {
		if u.Kind == Branch && u.Out[1] == nil && l.exit != nil {
			w.Drops[u] = l.exit
		}
	}
}

// holds reports whether all forks of a loop are wired.
func (w *wiring) holds(l *lockstep) bool {
	for _, u := range l.units {
		if u.Kind == Fork && w.Forks[u] == nil {
			return false
		}
	}
	for _, u := range l.carries {
		if f := u.In[0].Channel.From.Unit; f == nil || f.Kind != Fork || w.Forks[f] == nil {
			return false
		}
	}
	return true
}

// judged is what is known of a fork.
type judged int8

const (
	judging judged = iota + 1
	isWired
	isEager
)

type wiring struct {
	Wiring
	state map[*Unit]judged
	ways  map[*Channel]int
	step  map[*Channel]*lockstep // by the channels into the registers of loop values
	of    map[*Unit]*lockstep
}

func (w *wiring) wired(f *Unit) bool {
	if s := w.state[f]; s != 0 {
		return s == isWired
	}
	w.state[f] = judging
	first, same := "", true
	for _, ch := range f.Out {
		if w.Late[ch] {
			continue // with the others
		}
		e := w.event(ch, f, nil)
		same = same && (first == "" || e == first)
		first = e
	}
	same = same && first != "" // somebody decides
	w.state[f] = isEager
	if same {
		w.state[f] = isWired
	}
	return same
}

// decides is the reader of a wired fork of which ready comes the shortest way.
func (w *wiring) decides(f *Unit) *Channel {
	var best *Channel
	for _, ch := range f.Out {
		if !w.Late[ch] && (best == nil || w.way(ch) < w.way(best)) {
			best = ch
		}
	}
	return best
}

// way is how many units ready of a channel comes through.
func (w *wiring) way(ch *Channel) int {
	n, ok := w.ways[ch]
	if ok {
		return n
	}
	w.ways[ch] = 0 // no loop
	u := ch.To.Unit
	if u == nil || ch.Buffer.CutsReady() {
		return 0
	}
	for i, o := range u.Out {
		switch {
		case o == nil && i == 1 && w.Drops[u] != nil:
			n = max(n, w.way(w.Drops[u]))
		case o != nil && !w.Late[o] && u.Returns(ch.To.Port, i):
			n = max(n, w.way(o))
		}
	}
	w.ways[ch] = n + 1
	return n + 1
}

// assumed is a value of the condition that a fork hands on.
type assumed struct {
	fork  *Unit
	value int
}

// never is the event of an operand that a mux does not choose.
const never = "never"

// mostCases bounds the cases of an event: what has more has one of its own.
const mostCases = 200

// event names the event of a channel, seen by what judges a fork, under some conditions.
func (w *wiring) event(ch *Channel, f *Unit, given []assumed) string {
	u, own := ch.To.Unit, fmt.Sprintf("channel %d", ch.ID)
	if l := w.step[ch]; l != nil {
		return fmt.Sprintf("step of %d", l.carries[0].ID)
	}
	if u == nil || ch.Buffer.Kind != None {
		return own
	}
	together := fmt.Sprintf("unit %d", u.ID)
	result := func(i int) string {
		if u.Out[i] == nil {
			return together // taken as soon as all operands are there
		}
		return w.event(u.Out[i], f, given)
	}
	switch u.Kind {
	case Constant, Join:
		return result(0)
	case Compute:
		if u.Latency == 0 && u.Share == nil {
			return result(0)
		}
		return together
	case Divide, Stream, Gate, Load, Store, Finish:
		return together
	case Fork:
		if u != f && w.wired(u) {
			first := slices.IndexFunc(u.Out, func(o *Channel) bool { return !w.Late[o] })
			return w.event(u.Out[first], f, given)
		}
	case Branch:
		cases := w.cases(u, f, given, func(value int, given []assumed) string {
			if out := u.Out[1-value]; out != nil {
				return w.event(out, f, given)
			}
			switch l := w.of[u]; {
			case l != nil && value == 1:
				return fmt.Sprintf("step of %d", l.carries[0].ID)
			case l != nil && w.Drops[u] != nil:
				return w.event(w.Drops[u], f, given)
			case l != nil:
				return fmt.Sprintf("end of %d", l.carries[0].ID)
			}
			return fmt.Sprintf("%s drops %d", together, value)
		})
		if cases == "" {
			return together
		}
		return cases
	case Mux:
		if ch.To.Port == 0 {
			return result(0)
		}
		cases := ""
		if len(u.In) == 3 {
			cases = w.cases(u, f, given, func(value int, given []assumed) string {
				if ch.To.Port != 1+value {
					return never
				}
				if u.Out[0] == nil {
					return together
				}
				return w.event(u.Out[0], f, given)
			})
		}
		if cases != "" {
			return cases
		}
	}
	return own
}

// cases is an event that depends on the condition of a unit, its operand 0; "" where that is none of a
// fork that is judged or wired.
func (w *wiring) cases(u, f *Unit, given []assumed, event func(value int, given []assumed) string) string {
	ch := u.In[0].Token()
	if ch == nil || ch.Buffer.Kind != None || ch.Width != 1 || ch.From.Unit == nil || ch.From.Unit.Kind != Fork {
		return ""
	}
	from := ch.From.Unit
	if from != f && !w.wired(from) {
		return ""
	}
	for _, a := range given {
		if a.fork == from {
			return event(a.value, given)
		}
	}
	yes := event(1, append(slices.Clip(given), assumed{from, 1}))
	no := event(0, append(slices.Clip(given), assumed{from, 0}))
	if yes == no {
		return yes
	}
	if len(yes)+len(no) > mostCases {
		return ""
	}
	return fmt.Sprintf("(%d ? %s : %s)", from.ID, yes, no)
}
