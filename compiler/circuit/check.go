package circuit

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
)

// arity is how many operands and results a kind has; operands -1 is any number from least
// on.
var arity = map[Kind]struct{ least, most, out int }{
	Compute: {1, 3, 1}, Divide: {1, 2, 1}, Constant: {1, 1, 1}, Branch: {2, 2, 2}, Mux: {2, -1, 1}, Join: {1, -1, 1},
	Fork: {1, 1, -1}, Stream: {3, 3, 2}, Gate: {2, 2, 2}, Carry: {3, 3, 1}, Invariant: {2, 2, 1}, Accumulate: {3, 3, 1}, Interlock: {3, 3, 1}, Load: {1, -1, 1}, Store: {1, -1, 1}, Finish: {1, -1, -1},
	Merge: {1, -1, 1}, ControlMerge: {1, -1, 2}, Primed: {1, 1, 1},
}

// Check reports every violated rule of the structure: unique legal names, arity, every
// channel between the two ends that name it, widths that fit, at least one operand that is a
// channel. A finding is a fault of what made the circuit.
func (c *Circuit) Check() error {
	var errs diag.List
	fail := func(format string, args ...any) {
		errs.Add(&diag.Diagnostic{Severity: diag.Internal, Message: "circuit " + c.Name + ": " + fmt.Sprintf(format, args...)})
	}
	names := map[[2]string]bool{}
	name := func(space, n string) {
		if n == "" || names[[2]string{space, n}] {
			fail("the name %q of a %s is used twice or empty", n, space)
		}
		names[[2]string{space, n}] = true
	}
	ids := map[*Channel]bool{}
	for i, ch := range c.Channels {
		ids[ch] = true
		if ch.From.Unit != nil {
			name("port", ch.Name)
		}
		name("port", ch.After)
		if ch.ID != i {
			fail("channel %s has number %d at place %d", ch.Name, ch.ID, i)
		}
		var from, to *Channel
		switch {
		case ch.From.Unit == nil && ch.From.Port < len(c.Inputs):
			from = c.Inputs[ch.From.Port].Channel
		case ch.From.Unit != nil && ch.From.Port < len(ch.From.Unit.Out):
			from = ch.From.Unit.Out[ch.From.Port]
		}
		reads := ch.Width
		switch {
		case ch.To.Unit == nil && ch.To.Port < len(c.Outputs):
			to, reads = c.Outputs[ch.To.Port].Channel, c.Outputs[ch.To.Port].Width
		case ch.To.Unit != nil && ch.To.Port < len(ch.To.Unit.In):
			to, reads = ch.To.Unit.In[ch.To.Port].Channel, ch.To.Unit.In[ch.To.Port].Width
		}
		if from != ch || to != ch {
			fail("channel %s is not the one at both of its ends", ch.Name)
		}
		if reads > ch.Width {
			fail("channel %s has %d bits, its consumer reads %d", ch.Name, ch.Width, reads)
		}
	}
	known := func(ch *Channel, where string) {
		if ch != nil && !ids[ch] {
			fail("%s has a channel that the circuit does not list", where)
		}
	}
	for _, p := range c.Inputs {
		name("port", p.Name)
		known(p.Channel, "input "+p.Name)
	}
	for _, p := range c.Outputs {
		name("port", p.Name)
		if p.Channel == nil {
			fail("nothing arrives at output %s", p.Name)
		}
		known(p.Channel, "output "+p.Name)
	}
	for _, a := range c.Arrays {
		name("unit", a.Name)
		if !a.External() && (a.Elements < 1 || a.Init != nil && int64(len(a.Init)) != a.Elements) {
			fail("local array %s has %d elements and %d initial values", a.Name, a.Elements, len(a.Init))
		}
	}
	for _, s := range c.Shares {
		c.checkShare(s, name, fail)
	}
	for i, u := range c.Units {
		name("unit", u.Name)
		if u.ID != i {
			fail("unit %s has number %d at place %d", u.Name, u.ID, i)
		}
		a, ok := arity[u.Kind]
		if !ok || len(u.In) < a.least || a.most >= 0 && len(u.In) > a.most || a.out >= 0 && len(u.Out) != a.out {
			fail("unit %s of kind %q has %d operands and %d results", u.Name, u.Kind, len(u.In), len(u.Out))
		}
		channels := 0
		for k, o := range u.In {
			if o.Held {
				known(o.Channel, fmt.Sprintf("held operand %d of %s", k, u.Name))
				if c.Finish == nil || o.Channel == nil || o.Width > o.Channel.Width {
					fail("operand %d of %s cannot hold its channel", k, u.Name)
				}
			} else if o.Channel != nil {
				channels++
				known(o.Channel, fmt.Sprintf("operand %d of %s", k, u.Name))
			} else if o.Width < 64 && o.Value>>o.Width != 0 {
				fail("the immediate %#x at operand %d of %s has more than %d bits", o.Value, k, u.Name, o.Width)
			}
		}
		if channels == 0 {
			fail("unit %s has no operand that says when it fires", u.Name)
		}
		for k, ch := range u.Out {
			known(ch, fmt.Sprintf("result %d of %s", k, u.Name))
			if u.Kind == Fork && ch == nil {
				fail("result %d of fork %s goes nowhere", k, u.Name)
			}
		}
		if (u.Array != nil) != (u.Kind == Load || u.Kind == Store) {
			fail("unit %s of kind %q and its array do not fit", u.Name, u.Kind)
		}
	}
	return errs.Err()
}

// checkShare reports violated rules of a shared unit: at least two clients, each known to its
// unit, of one module and no wider than it, each with a credit.
func (c *Circuit) checkShare(s *Share, name func(space, n string), fail func(format string, args ...any)) {
	name("unit", s.Name)
	if len(s.Clients) < 2 || len(s.Clients) > maxClients || s.Module != multiplierModule && s.Module != dividerModule {
		fail("the shared unit %s is a %q with %d clients", s.Name, s.Module, len(s.Clients))
	}
	for _, x := range s.Clients {
		module, ok := x.Unit.shareable()
		if x.Unit.Share != s || x.Unit.Client != x || !ok || module != s.Module {
			fail("unit %s and the shared %s do not fit", x.Unit.Name, s.Name)
			continue
		}
		if x.Unit.In[0].Width > s.Width || x.Credits < 1 || x.Credits > 255 {
			fail("unit %s has %d bits and %d credits at the shared %s of %d bits", x.Unit.Name, x.Unit.In[0].Width, x.Credits, s.Name, s.Width)
		}
	}
}

// Passes reports whether valid and data run from an operand of a unit to a result in the
// same cycle.
func (u *Unit) Passes(in, out int) bool {
	switch u.Kind {
	case Stream, Divide, Load, Store, Primed, Accumulate:
		return false
	case Compute:
		return u.Cycles() == 0
	case Interlock:
		return in != 2 // what is done is known a cycle later
	}
	return true
}

// Returns reports whether ready runs from a result of a unit to an operand in the same
// cycle. A client of a shared unit takes its next operands a cycle after its result has left, as
// its credit comes back then, and an Accumulate takes what comes behind its sum a cycle after that has left; for a
// loop without another slot that is the same: the one waits for the other.
func (u *Unit) Returns(in, out int) bool {
	switch u.Kind {
	case Primed:
		return false
	case Carry:
		return in != 0 // it takes its condition whenever it waits for one
	case Interlock:
		return in == 0 // the others come when its registers say so
	case Load, Store:
		return u.chipLoad()
	}
	return true
}

// chipLoad: the output register of a local array takes the next element as this one leaves.
// Ports of external arrays must not pass ready through, and done tokens of local stores have
// two slots.
func (u *Unit) chipLoad() bool { return u.Kind == Load && !u.Array.External() }

// CheckBuffers reports combinational loops: of valid and data along the channels, of ready
// against them.
func (c *Circuit) CheckBuffers() error {
	var errs diag.List
	for _, dir := range []direction{forwards, backwards} {
		if loop := c.loop(dir); loop != nil {
			var names []string
			for _, ch := range loop {
				names = append(names, ch.Name)
			}
			errs.Add(&diag.Diagnostic{Severity: diag.Internal, Symbol: "CPL_MODULE_COMBINATIONAL_LOOP",
				Message: fmt.Sprintf("circuit %s: %s runs in a combinational loop through %s", c.Name, dir.what, strings.Join(names, ", "))})
		}
	}
	held := c.held()
	for _, ch := range c.Channels {
		if ch.Buffer.Kind != None && (held[ch] || c.finishes(ch)) {
			errs.Add(&diag.Diagnostic{Severity: diag.Internal, Message: fmt.Sprintf("circuit %s: channel %s, which is held, has a buffer", c.Name, ch.Name)})
		}
		if (ch.Buffer.Kind == None) != (ch.Buffer.Slots == 0) || ch.Buffer.Kind == Elastic && ch.Buffer.Slots < 2 ||
			ch.Buffer.Kind == Loop && ch.Buffer.Slots != 1 || ch.Buffer.Kind == Queue && ch.Buffer.Slots < 3 || ch.Buffer.Slots < 0 {
			errs.Add(&diag.Diagnostic{Severity: diag.Internal, Message: fmt.Sprintf("circuit %s: channel %s has a buffer of kind %q with %d slots",
				c.Name, ch.Name, ch.Buffer.Kind, ch.Buffer.Slots)})
		}
	}
	return errs.Err()
}

// finishes reports whether a channel keeps its token until the run ends and is no result.
func (c *Circuit) finishes(ch *Channel) bool {
	return c.Finish != nil && ch.To.Unit == c.Finish && ch.To.Port >= len(c.Outputs)
}

// held are the channels that units read without taking their tokens.
func (c *Circuit) held() map[*Channel]bool {
	out := map[*Channel]bool{}
	for _, u := range c.Units {
		for _, o := range u.In {
			if o.Held {
				out[o.Channel] = true
			}
		}
	}
	return out
}

func cutsValid(ch *Channel) bool { return ch.Buffer.CutsValid() }
func cutsReady(ch *Channel) bool { return ch.Buffer.CutsReady() }

// direction is one in which signals run in a cycle: of valid and data along the channels, of ready against them.
type direction struct {
	what string
	cut  func(*Channel) bool
	pass func(u *Unit, in, out int) bool
	// held: also from a channel to units that read it and leave its token.
	held bool
}

var (
	forwards  = direction{"valid", cutsValid, (*Unit).Passes, true}
	backwards = direction{"ready", cutsReady, (*Unit).Returns, false}
)

// next are, by channel, those to which a signal runs on from it through units that pass it.
func (c *Circuit) next(d direction) [][]*Channel {
	next := make([][]*Channel, len(c.Channels))
	for _, u := range c.Units {
		for k, o := range u.In {
			if o.Channel == nil || o.Held && !d.held {
				continue
			}
			for i, out := range u.Out {
				if out != nil && d.pass(u, k, i) {
					next[o.Channel.ID] = append(next[o.Channel.ID], out)
				}
			}
		}
	}
	return next
}

// loop finds channels that form a loop through units that pass from operand to result and
// channels that are not cut; nil where there is none.
func (c *Circuit) loop(d direction) []*Channel {
	next := c.next(d)
	cut := d.cut
	state := make([]byte, len(c.Channels))
	type frame struct {
		ch   *Channel
		next int
	}
	for _, start := range c.Channels {
		if state[start.ID] != 0 || cut(start) {
			continue
		}
		stack := []frame{{start, 0}}
		state[start.ID] = 1
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(next[top.ch.ID]) {
				state[top.ch.ID] = 2
				stack = stack[:len(stack)-1]
				continue
			}
			out := next[top.ch.ID][top.next]
			top.next++
			if cut(out) || state[out.ID] == 2 {
				continue
			}
			if state[out.ID] == 1 {
				var found []*Channel
				for k := len(stack) - 1; ; k-- {
					found = append([]*Channel{stack[k].ch}, found...)
					if stack[k].ch == out {
						return found
					}
				}
			}
			state[out.ID] = 1
			stack = append(stack, frame{out, 0})
		}
	}
	return nil
}
