package circuit

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"loom/compiler/circuit/timing"
	"loom/compiler/diag"
)

// Clock is a target for the longest combinational path. The zero value is none.
type Clock struct {
	// MHz is a frequency after routing on timing.Device.
	MHz float64
	// Levels is a number of look-up tables in a row, where MHz is 0.
	Levels int
}

// DefaultClock is the target where none is chosen.
var DefaultClock = Clock{MHz: 100}

// ParseClock reads a target: a frequency in MHz ("100", "100MHz"), a number of logic levels
// ("8levels"), or "none".
func ParseClock(s string) (Clock, error) {
	bad := fmt.Errorf("%q is neither a frequency in MHz above 0 (100, 62.5MHz), nor a number of logic levels above 0 (8levels), nor none", s)
	if s == "none" {
		return Clock{}, nil
	}
	if n, ok := strings.CutSuffix(s, "levels"); ok {
		levels, err := strconv.ParseUint(n, 10, 16)
		if err != nil || levels == 0 {
			return Clock{}, bad
		}
		return Clock{Levels: int(levels)}, nil
	}
	mhz, err := strconv.ParseFloat(strings.TrimSuffix(s, "MHz"), 64)
	if err != nil || !(mhz > 0 && mhz <= 1e4) {
		return Clock{}, bad
	}
	return Clock{MHz: mhz}, nil
}

// String spells a target as ParseClock reads it.
func (t Clock) String() string {
	switch {
	case t.MHz > 0:
		return strconv.FormatFloat(t.MHz, 'f', -1, 64) + "MHz"
	case t.Levels > 0:
		return fmt.Sprintf("%dlevels", t.Levels)
	}
	return "none"
}

// Describe spells a target in words.
func (t Clock) Describe() string {
	switch {
	case t.MHz > 0:
		return strconv.FormatFloat(t.MHz, 'f', -1, 64) + " MHz"
	case t.Levels > 0:
		return fmt.Sprintf("%d logic levels", t.Levels)
	}
	return "none"
}

// None reports whether there is no target.
func (t Clock) None() bool { return t == Clock{} }

// limit is how long a path may be, without the register that it begins with.
func (t Clock) limit() float64 {
	if t.MHz > 0 {
		return 1000/t.MHz - timing.FlipFlop
	}
	return float64(t.Levels)
}

// Estimate is the longest path of a circuit as the table of delays has it.
type Estimate struct {
	Target Clock
	// Delay is its length: ns with the register that it begins with, or logic levels where
	// the target is given in these.
	Delay float64
	// Path are the units and buffers along it, the first and the last with their registers.
	Path []string
	// Missed says what keeps the circuit from its target, "" where it is met.
	Missed string
	// Longer are loops around others that take a few cycles more per iteration, as the target
	// is missed otherwise.
	Longer []string
	// Later are choices between a value and the neutral element of the operation behind them that are
	// made behind it, as the target is missed otherwise.
	Later []string
}

// MHz is the frequency that the path allows, 0 where it is counted in logic levels.
func (e *Estimate) MHz() float64 {
	if e.Target.Levels > 0 || e.Delay == 0 {
		return 0
	}
	return 1000 / e.Delay
}

// String tells the length of the path beside the target.
func (e *Estimate) String() string {
	missed := ""
	if e.Missed != "" {
		missed = ", which is missed"
	}
	if e.Target.Levels > 0 {
		return fmt.Sprintf("about %.0f logic levels (target %d%s)", e.Delay, e.Target.Levels, missed)
	}
	return fmt.Sprintf("about %.0f MHz (%.1f ns; target %s%s)", e.MHz(), e.Delay, e.Target.Describe(), missed)
}

func (c *Circuit) estimate(t Clock, worst critical) *Estimate {
	e := &Estimate{Target: t, Delay: worst.Delay, Path: worst.Owners}
	if t.Levels == 0 {
		e.Delay += timing.FlipFlop
	}
	return e
}

// cuts are channels at which a clock target cuts a path.
type cuts struct {
	valid map[*Channel]bool // valid and data wait a cycle
	ready map[*Channel]bool // ready comes from a register
}

// reasonClock is that of a buffer that is there for the clock alone.
const reasonClock = "clock"

// near is how near to the best a circuit has to come that misses its target, as a factor: less than the
// table errs by, and the last bit costs most.
const near = 1.05

// margin is how far below the target paths are cut where that makes no loop slower, as a factor: routing
// moves single paths by about as much against the table, and a margin that costs no cycle costs a few bits.
const margin = 0.8

// cheap is what a cut may cost at most that is there for the margin alone, in look-up tables: one of control,
// or of a few bits.
const cheap = 20

// placeForClock places buffers for a target. Where a circuit misses it by more than the table errs, the
// other paths are cut for what can be reached, so that nothing is spent in vain.
func placeForClock(c *Circuit, o Options) error {
	f := &forClock{c: c, o: o, rows: map[timing.Key]timing.Row{}}
	limit := o.Clock.limit()
	if err := f.cut(limit, limit*margin); err != nil {
		return err
	}
	if reached := f.worst.Delay * margin; reached > limit {
		missed := f.missed
		if err := f.cut(f.worst.Delay*near, reached); err != nil {
			return err
		}
		if f.missed = ""; f.worst.Delay > limit {
			f.missed = missed
		}
	}
	if f.worst.Delay <= limit {
		f.missed = "" // a path that could not be cut has become shorter by the cut of another one
	}
	c.Estimate = c.estimate(o.Clock, f.worst)
	c.Estimate.Missed, c.Estimate.Longer = f.missed, f.longer()
	return nil
}

// forClock places the buffers of a circuit for a clock target.
type forClock struct {
	c *Circuit
	o Options
	// base are the intervals without cuts, allowed those that a cut may not make longer.
	base, allowed map[End]int
	cuts          cuts
	s             *schedule
	// refused are channels where a register makes a loop slower, with that loop.
	refused map[*Channel]End
	// worsens are channels where a second slot makes the longest path longer.
	worsens map[*Channel]bool
	// lenient lets loops around others take a little longer (spare).
	lenient bool
	times   *arrivals
	rows    map[timing.Key]timing.Row
	worst   critical
	missed  string
}

// spare is what part of its interval a loop around others may become longer by where the target is
// missed otherwise: much less than what the clock gains.
const spare = 16

// place places the buffers with the cuts and times the circuit.
func (f *forClock) place() error {
	f.s = placeBuffers(f.c, f.o, &f.cuts)
	return f.time()
}

// placed is what place leaves behind.
type placed struct {
	buffers []Buffer // by channel
	s       *schedule
	times   *arrivals
	worst   critical
}

func (f *forClock) placed() placed {
	p := placed{make([]Buffer, len(f.c.Channels)), f.s, f.times, f.worst}
	for i, ch := range f.c.Channels {
		p.buffers[i] = ch.Buffer
	}
	return p
}

// restore goes back to the buffers of the same cuts, without placing them again.
func (f *forClock) restore(p placed) {
	for i, ch := range f.c.Channels {
		ch.Buffer = p.buffers[i]
	}
	f.s, f.times, f.worst = p.s, p.times, p.worst
}

func (f *forClock) time() error {
	var err error
	if f.times, err = newArrivals(f.c, f.o.Clock.Levels > 0, f.rows); err == nil {
		f.worst = f.times.worst()
	}
	return err
}

// cut cuts the longest path until none is longer than the limit, and none that a register can cut is
// longer than the aim, which is below it. What is cut: the comparison of a stream, which it can do a cycle
// ahead; ready, by a second slot; valid and data, by a register, where no loop becomes slower by that (the
// schedule lets the other paths wait as long), or, where nothing else helps against the limit, a loop around
// others a little. At the end it takes away what turned out not to be needed.
func (f *forClock) cut(limit, aim float64) error {
	f.lenient = false
	f.cuts, f.refused, f.missed = cuts{valid: map[*Channel]bool{}, ready: map[*Channel]bool{}}, map[*Channel]End{}, ""
	for _, u := range f.c.Units {
		u.Lookahead = false
	}
	if err := f.place(); err != nil {
		return err
	}
	if f.base == nil {
		f.base = maps.Clone(f.s.ii)
	}
	f.allowed, f.worsens = f.base, map[*Channel]bool{}
	var made []cut
	left := map[string]bool{} // paths that stay longer than the aim, by where they end
	for {
		p := f.times.longest(left)
		if p.Delay <= aim && f.worst.Delay > limit && f.missed == "" {
			clear(left) // a cut has made one longer that was within the limit
			p = f.worst
		}
		if p.Delay <= aim {
			break
		}
		if f.lenient && p.Delay <= limit { // from here on only what costs nothing
			f.lenient, f.allowed, f.refused = false, maps.Clone(f.s.ii), map[*Channel]End{}
		}
		if u := f.times.comparing(p); u != nil {
			u.Lookahead = true
			if err := f.time(); err != nil {
				return err
			}
			continue
		}
		most := math.Inf(1)
		if p.Delay <= limit {
			most = cheap
		}
		best, found := f.choose(p, aim, most)
		switch {
		case !found && p.Delay > limit && !f.lenient && f.missed == "":
			f.lenient, f.refused = true, map[*Channel]End{}
			continue
		case !found:
			if p.Delay > limit && f.missed == "" {
				f.missed = f.reason(p)
			}
			left[p.end] = true
			continue
		}
		before := f.placed()
		f.cuts.of(best)[best.ch] = true
		if err := f.place(); err != nil {
			return err
		}
		made = append(made, best)
		loop, slower := f.slower()
		if slower {
			f.refused[best.ch] = loop
		}
		longer := best.ready && f.worst.Delay > max(before.worst.Delay, limit)
		if longer {
			f.worsens[best.ch] = true
		}
		if slower || longer {
			delete(f.cuts.of(best), best.ch)
			made = made[:len(made)-1]
			f.restore(before)
		}
	}
	reached := f.worst.Delay
	for _, x := range made {
		before := f.placed()
		delete(f.cuts.of(x), x.ch)
		if err := f.place(); err != nil {
			return err
		}
		if f.worst.Delay > max(reached, aim) || f.times.longest(left).Delay > aim {
			f.cuts.of(x)[x.ch] = true
			f.restore(before)
		}
	}
	return nil
}

// estimateFree tells how long the paths of a circuit with merges are, which stays as it is.
func estimateFree(c *Circuit, o Options) error {
	if o.Clock.None() {
		return nil
	}
	a, err := newArrivals(c, o.Clock.Levels > 0, map[timing.Key]timing.Row{})
	if err != nil {
		return err
	}
	worst := a.worst()
	c.Estimate = c.estimate(o.Clock, worst)
	if worst.Delay > o.Clock.limit() {
		c.Estimate.Missed = "paths of graphs with merges are not cut, as nothing is known of their loops"
	}
	return nil
}

// slower is a loop that has a longer interval than without cuts, and may not.
func (f *forClock) slower() (loop End, ok bool) {
	around := map[End]bool{}
	for _, p := range f.s.parent {
		around[p] = true
	}
	for _, l := range f.s.order {
		before := f.allowed[l]
		most := before
		if f.lenient && around[l] {
			most += before / spare
		}
		if f.s.ii[l] > most {
			return l, true
		}
	}
	return End{}, false
}

// longer says which loops take longer for the clock.
func (f *forClock) longer() []string {
	var out []string
	for _, l := range f.s.order {
		if n := f.s.ii[l] - f.base[l]; n > 0 && len(f.s.loops.steering[l]) > 0 {
			u := f.s.loops.steering[l][0]
			out = append(out, fmt.Sprintf("the loop of %s (%s) takes %s more per iteration, %d", u.Name, u.Pos, diag.Plural(n, "cycle"), f.s.ii[l]))
		}
	}
	return out
}

// reason says what keeps a path as long as it is.
func (f *forClock) reason(p critical) string {
	for _, x := range p.signals {
		loop, ok := f.refused[f.c.Channels[x/int(signals)]]
		if !ok || len(f.s.loops.steering[loop]) == 0 {
			continue
		}
		u := f.s.loops.steering[loop][0]
		return fmt.Sprintf("with a register between %s and %s the loop of %s (%s) would take more than %s per iteration", p.Owners[0], p.Owners[len(p.Owners)-1], u.Name, u.Pos, diag.Plural(f.s.ii[loop], "cycle"))
	}
	return "no register can stand in the path of " + p.String()
}

// comparing is the stream whose comparison a path begins with or is, if it can look ahead.
func (a *arrivals) comparing(p critical) *Unit {
	for _, u := range a.c.Units {
		if u.Kind != Stream || u.Lookahead || u.Name != p.Owners[0] {
			continue
		}
		condition := len(p.signals) == 0 || u.Out[1] != nil && p.signals[0] == at(u.Out[1], dataIn)
		if op := u.Op.StrAttr("step_op"); condition && (op == "+=" || op == "-=") {
			return u
		}
	}
	return nil
}

// cut is a place where a path can be cut.
type cut struct {
	ch    *Channel
	ready bool
	// longest is the longer one of the two parts, cost roughly look-up tables.
	longest, cost float64
}

// of is the set that a cut belongs to.
func (x *cuts) of(n cut) map[*Channel]bool {
	if n.ready {
		return x.ready
	}
	return x.valid
}

// latencyCost is what a cycle more between units is counted as, in look-up tables.
const latencyCost = 16

// choose finds where to cut a path: the cheapest place at which both parts are short enough, else
// the place at which the longer part is shortest. No place costs more than most.
func (f *forClock) choose(p critical, limit, most float64) (best cut, found bool) {
	a, x := f.times, &f.cuts
	held := f.c.held()
	better := func(n cut) bool {
		switch {
		case !found:
			return true
		case (n.longest <= limit) != (best.longest <= limit):
			return n.longest <= limit
		case n.longest <= limit:
			return n.cost < best.cost
		}
		return n.longest < best.longest
	}
	for i := 1; i < len(p.signals); i++ { // wires of a channel are two signals
		from, to := p.signals[i-1], p.signals[i]
		ch := f.c.Channels[from/int(signals)]
		if to/int(signals) != ch.ID || !inner(ch) || held[ch] || f.c.finishes(ch) || a.wiring.Inside[ch] {
			continue // values that go round in step have no ready to cut, and a cycle only for the step
		}
		w := float64(max(ch.Width, 1))
		n := cut{ch: ch, ready: signal(from%int(signals)) == readyOut}
		if _, ok := f.refused[ch]; ok && !n.ready || n.ready && f.worsens[ch] {
			continue
		}
		var k timing.Key // of the buffer
		switch {
		case n.ready && x.ready[ch], !n.ready && x.valid[ch]:
			continue
		case n.ready && ch.Buffer.Kind == None:
			n.cost = 3 + w*1.5
			k = Buffer{Kind: Transparent, Slots: 1}.row(ch.Width)
		case n.ready && ch.Buffer.Kind == Pipe:
			n.cost = 2 + w*1.5
			k = Buffer{Kind: Elastic, Slots: 2}.row(ch.Width)
		case !n.ready && (ch.Buffer.Kind == None || ch.Buffer.Kind == Transparent):
			n.cost = 1 + w/2 + latencyCost
			k = Buffer{Kind: Pipe, Slots: 1}.row(ch.Width)
		default:
			continue
		}
		first, second := timing.CaptureReady, timing.LaunchReady
		if !n.ready {
			first, second = timing.Capture, timing.Launch
		}
		n.longest = max(a.at[from]+a.delay(k, first), p.Delay-a.at[from]+a.delay(k, second))
		if n.longest >= p.Delay || n.cost > most {
			continue
		}
		if better(n) {
			best, found = n, true
		}
	}
	return best, found
}
