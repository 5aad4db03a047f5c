package token

// meter watches an actor that fires once per iteration of a loop: a state
// machine, or a handshake.cond_br at the loop's boundary, through which every
// value and every done token of the loop passes at the loop's exit. What delays any
// recurrence of the loop delays one of them.
type meter struct {
	loop int
	// raw is set when it delivers one output more than the loop has iterations: for
	// the test that ends it.
	raw bool
	// activations that have begun, and outputs in all.
	activations, outputs int64

	times []int64 // cycles of the outputs of this activation
	open  bool
	// cycles and iterations are the steady state of the longest activation ended;
	// longest its iterations.
	cycles, iterations int64
	longest            int
	// fewest is the least number of iterations of an activation, -1 before one.
	fewest int
}

// whole is what the measured iterations are a multiple of, where there are as
// many: recurrences with up to four tokens, or six, make whole rounds in them.
const whole = 12

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
			t.end()
		}
		ends = ends && outs == 0
	}
	if outs != 0 {
		if !t.open {
			t.open = true
			t.activations++
		}
		t.outputs++
		t.times = append(t.times, now)
	}
	if ends {
		t.end()
	}
}

// end measures the activation: from the middle to the last iteration, so that
// the loop has filled.
func (t *meter) end() {
	if !t.open {
		return
	}
	t.open = false
	n := len(t.times)
	if t.raw {
		n--
	}
	if t.fewest < 0 || n < t.fewest {
		t.fewest = n
	}
	if n > t.longest && n >= 2 {
		t.longest = n
		span := n - 1 - (n-1)/2
		if span > whole {
			span -= span % whole
		}
		t.cycles, t.iterations = t.times[n-1]-t.times[n-1-span], int64(span)
	}
	t.times = t.times[:0]
}
