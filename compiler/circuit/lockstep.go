package circuit

import "slices"

// The carried values of a loop like
//
//	while (a != b) if (a > b) a -= b; else b -= a;
//
// go round in step: every value of an iteration is computed in one cycle from those of the iteration
// before, which all leave their registers in that cycle, as the condition that lets them go on is
// computed from all of them. No register is ever offered a token while another one stays in it, so
// one that always takes a token (Loop) does where otherwise two slots would have to be.

// lockstep are the carries of a loop that go round in step, with the channels that their values run
// through.
type lockstep struct {
	carries []*Unit
	inside  map[*Channel]bool
	units   []*Unit        // that read these channels
	needed  map[*Unit]bool // by the condition
	exit    *Channel       // of Wiring: a value that leaves the loop; nil for none
}

// tighten makes one register of the two slots in front of carries that go round in step. It comes
// last: what is said here holds for channels without buffers.
func tighten(c *Circuit) {
	for _, l := range c.locksteps() {
		for _, u := range l.carries {
			for _, i := range []int{0, 2} {
				if b := &u.In[i].Channel.Buffer; b.Kind == Elastic && b.Slots == 2 {
					*b = Buffer{Loop, 1, "cuts a loop whose values go round in step"}
				}
			}
		}
	}
}

// locksteps finds the loops whose carries go round in step.
func (c *Circuit) locksteps() []*lockstep {
	loops := FindLoops(c)
	var raws []End
	for _, u := range c.Units {
		if raw, ok := loops.of(u); ok && !slices.Contains(raws, raw) {
			raws = append(raws, raw)
		}
	}
	var out []*lockstep
	for _, raw := range raws {
		l := &lockstep{carries: loops.steering[raw], inside: map[*Channel]bool{}}
		if l.find(raw) {
			out = append(out, l)
		}
	}
	return out
}

// find reports whether the loop with a raw condition is one. In the cycle in which the last value
// of an iteration arrives all channels behind the carries have a token, up to the registers in front
// of the carries and to the exits of the loop, where
//   - every unit takes all that it takes from these channels, and computes without a register;
//   - no channel has a buffer, so none of the tokens stays, but that at an exit no token goes on;
//   - a token goes on only where the condition of the loop lets it, and that needs all the values.
//
// A value that is held for the run may come later than the first values of all. These stay outside of
// the registers until the condition has been taken everywhere, and so until the held value is there.
func (l *lockstep) find(raw End) bool {
	if raw.Unit == nil {
		return false
	}
	member := map[*Unit]bool{}
	for _, u := range l.carries {
		if u.Kind != Carry {
			return false
		}
		member[u] = true
		for _, i := range []int{0, 2} {
			if ch := u.In[i].Token(); ch == nil || ch.Buffer.Kind != Elastic && ch.Buffer.Kind != Loop || ch.Buffer.Slots > 2 {
				return false
			}
		}
	}
	var visit func(ch *Channel) bool
	visit = func(ch *Channel) bool {
		if ch == nil || l.inside[ch] {
			return true // what nothing reads is taken at once
		}
		l.inside[ch] = true
		u := ch.To.Unit
		switch {
		case u == nil:
			return false
		case member[u]:
			return ch.To.Port != 1
		case ch.Buffer.Kind != None:
			return false
		case slices.Contains(l.units, u):
			return true
		}
		l.units = append(l.units, u)
		switch {
		case u.Kind == Fork, u.Kind == Join, u.Kind == Compute && u.Latency == 0:
			for _, o := range u.Out {
				if !visit(o) {
					return false
				}
			}
			return true
		case u.Kind == Branch:
			return u.In[0].Token() != nil && ungated(u.In[0].Channel) == raw && visit(u.Out[0])
		}
		return false
	}
	for _, u := range l.carries {
		if !visit(u.Out[0]) {
			return false
		}
	}
	l.needed = map[*Unit]bool{}
	var need func(u *Unit)
	need = func(u *Unit) {
		if u == nil || l.needed[u] {
			return
		}
		l.needed[u] = true
		for _, o := range u.In {
			if o.Token() != nil && !member[u] {
				need(o.Channel.From.Unit)
			}
		}
	}
	need(raw.Unit)
	for _, u := range l.carries {
		if !l.needed[u] || !gated(u.In[2].Channel, raw, map[*Channel]bool{}) {
			return false
		}
	}
	for _, u := range l.units {
		for _, o := range u.In {
			if o.Token() != nil && !l.inside[o.Channel] {
				return false
			}
		}
	}
	return true
}

// gated reports whether a value needs one that comes through a branch of the loop's condition.
func gated(ch *Channel, raw End, seen map[*Channel]bool) bool {
	u := ch.From.Unit
	if seen[ch] || u == nil || u.Kind == Carry {
		return false
	}
	seen[ch] = true
	if u.Kind == Branch {
		return ch.From.Port == 0 && ungated(u.In[0].Channel) == raw
	}
	return slices.ContainsFunc(u.In, func(o Operand) bool { return o.Token() != nil && gated(o.Channel, raw, seen) })
}
