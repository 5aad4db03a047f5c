package token

import "loom/sim/steady"

// meter watches an actor that fires once per iteration of a loop: a state
// machine, or a handshake.cond_br at the loop's boundary, through which every
// value and every done token of the loop passes at the loop's exit.
type meter struct {
	steady.Meter
	loop int
}

// fired notes a firing.
func (t *meter) fired(k kind, phase, outs, next uint8, now int64) {
	ends := next == phaseIdle
	switch k {
	case kStream:
		if outs == 0 {
			return // bounds taken
		}
	case kGate:
		if outs&1 == 0 { // the condition that ends the activation, if it ran
			outs = 0
		}
	case kBranch:
		ends = outs == 2
	default: // carry, invariant
		if phase == phaseIdle {
			t.End()
		}
		ends = ends && outs == 0
	}
	if outs != 0 {
		t.Token(now)
	}
	if ends {
		t.End()
	}
}
