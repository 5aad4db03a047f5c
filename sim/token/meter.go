package token

// meter watches one state machine of a loop. Its outputs within an activation are
// the iterations; what it delivers once per iteration, everything on its
// recurrences does.
type meter struct {
	loop int
	// activations that have begun, and outputs in all.
	activations, outputs int64
	times                []int64 // cycles of the outputs of this activation
	open                 bool
	// cycles and iterations are the steady state of the longest activation ended;
	// longest its number of outputs.
	cycles, iterations int64
	longest            int
}

// whole is what the measured iterations are a multiple of, where there are as
// many: recurrences with up to four tokens, or six, turn whole times in them.
const whole = 12

// fired notes a firing.
func (t *meter) fired(k kind, phase, outs, next uint8, now int64) {
	switch k {
	case kStream:
		if outs == 0 {
			return // bounds taken
		}
		t.output(now)
		if next == phaseIdle {
			t.end()
		}
	case kGate:
		if outs&1 != 0 {
			t.output(now)
		}
		if next == phaseIdle {
			t.end()
		}
	case kCarry, kInvariant:
		if phase == phaseIdle {
			t.end()
		}
		if outs != 0 {
			t.output(now)
		} else if next == phaseIdle {
			t.end()
		}
	}
}

func (t *meter) output(now int64) {
	if !t.open {
		t.open = true
		t.activations++
	}
	t.outputs++
	t.times = append(t.times, now)
}

// end measures the activation: from the middle to its last output, so that the
// loop has filled.
func (t *meter) end() {
	if !t.open {
		return
	}
	t.open = false
	n := len(t.times)
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
