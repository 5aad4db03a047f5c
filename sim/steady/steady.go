// Package steady measures the initiation interval of a loop in a run: from when the tokens
// of one value of the loop pass, in the second half of the loop's longest activation, so
// that the loop has filled and what runs ahead into buffers no longer counts.
package steady

// Meter watches a value that has one token per iteration. What delays any recurrence of a
// loop delays one of the values that its state machines and the splits at its boundary take,
// so the slowest meter of a loop is the loop's interval.
type Meter struct {
	// Raw is set when there is one token more than the loop has iterations: for the test
	// that ends it.
	Raw bool
	// Activations that have begun, and tokens in all.
	Activations, Tokens int64
	// Period is the number of iterations that are measured or a multiple of it, where there are
	// as many; 0 where it is not known.
	Period int
	// Cycles and Iterations are the steady state of the longest activation that has ended,
	// 0 where none had two iterations.
	Cycles, Iterations int64

	// Ended, where it is set, is told the iterations of every activation.
	Ended func(iterations int)

	times   []int64 // cycles of the tokens of this activation
	open    bool
	longest int
	fewest  int
	ended   bool
}

// whole is the period where it is not known: recurrences with up to four tokens, or six, make
// whole rounds in as many iterations.
const whole = 12

// Token notes a token of the current activation.
func (m *Meter) Token(now int64) {
	if !m.open {
		m.open = true
		m.Activations++
	}
	m.Tokens++
	m.times = append(m.times, now)
}

// End ends the activation: it measures from the middle to the last iteration. Without a
// token since the last call it does nothing.
func (m *Meter) End() {
	if !m.open {
		return
	}
	m.open = false
	n := len(m.times)
	if m.Raw {
		n--
	}
	if !m.ended || n < m.fewest {
		m.fewest, m.ended = n, true
	}
	if n > m.longest && n >= 2 {
		m.longest = n
		span := n - 1 - (n-1)/2
		period := m.Period
		if period <= 0 || period > span {
			period = whole
		}
		if span > period {
			span -= span % period
		}
		m.Cycles, m.Iterations = m.times[n-1]-m.times[n-1-span], int64(span)
	}
	m.times = m.times[:0]
	if m.Ended != nil {
		m.Ended(n)
	}
}

// Total is the number of iterations of all activations.
func (m *Meter) Total() int64 {
	if m.Raw {
		return m.Tokens - m.Activations
	}
	return m.Tokens
}

// Fewest is the least number of iterations of an activation that has ended, -1 before one.
func (m *Meter) Fewest() int64 {
	if !m.ended {
		return -1
	}
	return int64(m.fewest)
}

// Settled reports whether the measurement is one of whole periods, after the loop had as long
// to fill: two periods and a few iterations.
func (m *Meter) Settled() bool {
	return m.Iterations >= int64(m.Period) && (m.longest-1)/2 >= 2*m.Period+4
}

// Longest is the number of tokens of the longest activation that was measured.
func (m *Meter) Longest() int { return m.longest }

// Slower reports whether the loop is slower at m than at the other meter; a nil or empty one
// is the fastest.
func (m *Meter) Slower(other *Meter) bool {
	return m.Iterations > 0 && (other == nil || other.Iterations == 0 || m.Cycles*other.Iterations > other.Cycles*m.Iterations)
}

// Interval is the measured interval in cycles per iteration, 0 where there is none.
func (m *Meter) Interval() float64 {
	if m.Iterations == 0 {
		return 0
	}
	return float64(m.Cycles) / float64(m.Iterations)
}
