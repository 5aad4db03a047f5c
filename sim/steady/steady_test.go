package steady

import "testing"

// The interval is that of the second half of the longest activation, of whole rounds: a
// recurrence with two tokens takes 1 and 5 cycles in turn, which is 3.
func TestInterval(t *testing.T) {
	m := &Meter{Raw: true}
	m.End() // nothing to end
	if m.Fewest() != -1 || m.Interval() != 0 || m.Slower(nil) {
		t.Errorf("an unused meter: %+v", m)
	}
	for _, n := range []int{5, 40, 7} {
		now := int64(1000 * n)
		for i := range n + 1 { // the last test, too
			m.Token(now)
			switch {
			case i < n/3:
				now++ // ahead into the buffers
			case i%2 == 0:
				now++
			default:
				now += 5
			}
		}
		m.End()
		m.End()
	}
	if m.Activations != 3 || m.Total() != 52 || m.Fewest() != 5 {
		t.Errorf("%d activations of %d iterations in all, %d at least; want 3, 52, 5", m.Activations, m.Total(), m.Fewest())
	}
	if m.Interval() != 3 {
		t.Errorf("interval %g, want 3", m.Interval())
	}
	fast := &Meter{}
	for i := range int64(10) {
		fast.Token(i)
	}
	fast.End()
	if !m.Slower(fast) || fast.Slower(m) || !fast.Slower(&Meter{}) {
		t.Error("the slower meter is not found")
	}
	single := &Meter{}
	single.Token(7)
	single.End()
	if single.Interval() != 0 || single.Total() != 1 {
		t.Errorf("one iteration has no interval: %+v", single)
	}
}
