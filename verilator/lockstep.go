package verilator

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// Mismatch is the first cycle in which hardware and cycle simulator differ, or a
// rule of AXI4 is broken.
type Mismatch struct {
	Cycle int64
	// Rules are the broken rules; they come first.
	Rules []BrokenRule
	// Channels are the channels that differ, the origin's first.
	Channels []ChannelDiff
	// Requests are the differences at the bus, by port.
	Requests []RequestDiff
	// Origin is the component at which the difference starts, nil for the boundary;
	// OriginName names either.
	Origin     *arch.Component
	OriginName string
}

// ChannelDiff is one channel that differs.
type ChannelDiff struct {
	Channel            *arch.Channel
	Expected, Found    cycle.ChannelState
	Producer, Consumer string // component.port or boundary name
}

// String reports the mismatch on one line.
func (m *Mismatch) String() string {
	if len(m.Rules) > 0 {
		return fmt.Sprintf("cycle %d, %s: %s", m.Cycle, m.OriginName, m.Rules[0])
	}
	if len(m.Channels) == 0 && len(m.Requests) > 0 {
		return fmt.Sprintf("cycle %d, %s: %s", m.Cycle, m.OriginName, m.Requests[0])
	}
	if len(m.Channels) == 0 {
		return fmt.Sprintf("cycle %d: the channels differ", m.Cycle)
	}
	d := m.Channels[0]
	more := ""
	if n := len(m.Channels) - 1; n > 0 {
		more = fmt.Sprintf(" (and %d more channels)", n)
	}
	return fmt.Sprintf("cycle %d, %s: channel %s from %s to %s: expected %s, found %s%s",
		m.Cycle, m.OriginName, d.Channel.Name, d.Producer, d.Consumer, stateText(d.Expected, d.Channel), stateText(d.Found, d.Channel), more)
}

// stateText spells the state of a channel.
func stateText(s cycle.ChannelState, ch *arch.Channel) string {
	text := "no token"
	if s.Valid {
		text = "token"
		if ch.Width > 0 {
			text += fmt.Sprintf(" 0x%0*x", (ch.Width+3)/4, s.Data)
		}
		if ch.TagWidth > 0 {
			text += fmt.Sprintf(" with tag %d", s.Tag)
		}
	}
	switch {
	case !s.Valid:
		return text
	case s.Ready:
		return text + ", ready"
	}
	return text + ", not ready"
}

// mix folds a word into a hash.
func mix(h, v uint64) uint64 {
	h = (h ^ v) * 0x9FB21C651E98DF25
	return h ^ h>>32
}

// hashChannels folds the state of all channels of a cycle into a hash, as the
// harness does.
func hashChannels(ch []cycle.ChannelState, f *arch.Fabric) uint64 {
	h := uint64(0x4C4F4F4D)
	for i, c := range ch {
		s := uint64(0)
		if c.Valid {
			s = 1
			if c.Ready {
				s = 3
			}
		}
		h = mix(h, s)
		if c.Valid {
			h = mix(h, c.Data&mask(f.Channels[i].Width))
			if f.Channels[i].TagWidth > 0 {
				h = mix(h, uint64(c.Tag))
			}
		}
	}
	return h
}

// simulate runs the cycle simulator on the options of the run.
func simulate(o *Options, trace func(int64, []cycle.ChannelState), bus func(cycle.BusTransfer)) (*vector.Outcome, error) {
	s, err := cycle.New(o.Fabric, o.Image, o.Binding, o.Inputs, cycle.Options{
		Latency: o.Latency, StallPercent: o.Stall, StallSeed: o.StallSeed, MaxCycles: o.MaxCycles, Trace: trace, Bus: bus,
	})
	if err != nil {
		return nil, err
	}
	return s.Run()
}

// predict gives the hash of every cycle and the outcome.
func predict(o *Options) ([]uint64, *vector.Outcome, error) {
	hashes := []uint64{}
	var requests []request // of the latest cycle
	fold := func() {
		if n := len(hashes); n > 0 {
			hashes[n-1] = hashRequests(hashes[n-1], requests)
		}
		requests = requests[:0]
	}
	out, err := simulate(o, func(_ int64, ch []cycle.ChannelState) {
		fold()
		hashes = append(hashes, hashChannels(ch, o.Fabric))
	}, func(t cycle.BusTransfer) {
		if t.Channel <= cycle.W { // responses are the harness's own
			requests = append(requests, requestOf(t))
		}
	})
	fold()
	return hashes, out, err
}

// predictCycle gives the state of all channels and the requests in one cycle.
func predictCycle(o *Options, at int64) (states []cycle.ChannelState, requests []request, err error) {
	short := *o
	short.MaxCycles = at + 1
	_, err = simulate(&short, func(c int64, ch []cycle.ChannelState) {
		if c == at {
			states = append([]cycle.ChannelState(nil), ch...)
		}
	}, func(t cycle.BusTransfer) {
		if t.Cycle == at && t.Channel <= cycle.W {
			requests = append(requests, requestOf(t))
		}
	})
	return states, requests, err
}

// diff compares the channels of one cycle and finds where the difference starts.
func diff(f *arch.Fabric, at int64, expected []cycle.ChannelState, found [][4]uint64) *Mismatch {
	m := &Mismatch{Cycle: at, OriginName: "unknown origin"}
	if len(expected) != len(f.Channels) || len(found) != len(f.Channels) {
		return m
	}
	// A wrong valid or data comes from the producer, a wrong ready from the
	// consumer.
	forward, backward := map[int]bool{}, map[int]bool{}
	states := make([]cycle.ChannelState, len(found))
	for i, ch := range f.Channels {
		states[i] = cycle.ChannelState{Valid: found[i][0] != 0, Ready: found[i][1] != 0,
			Data: found[i][2] & mask(ch.Width), Tag: uint16(found[i][3])}
		e := expected[i]
		e.Data &= mask(ch.Width)
		forward[i] = e.Valid != states[i].Valid || e.Valid && (e.Data != states[i].Data || e.Tag != states[i].Tag)
		// Without valid there is nothing to be ready for: ready of
		// a switch that routes by tag then depends on the noise on the wires.
		backward[i] = e.Valid && states[i].Valid && e.Ready != states[i].Ready
	}
	var first, rest []*arch.Channel
	inputs := func(c *arch.Component, wrong map[int]bool) bool {
		for _, p := range c.In {
			if p.Chan != nil && wrong[p.Chan.ID] {
				return true
			}
		}
		return false
	}
	outputs := func(c *arch.Component, wrong map[int]bool) bool {
		for _, p := range c.Out {
			if p.Chan != nil && wrong[p.Chan.ID] {
				return true
			}
		}
		return false
	}
	for _, ch := range f.Channels {
		switch src, dst := ch.Src.Comp, ch.Dst.Comp; {
		case forward[ch.ID] && (src == nil || !inputs(src, forward)):
			first = append(first, ch)
		case backward[ch.ID] && !forward[ch.ID] && (dst == nil || !outputs(dst, backward) && !inputs(dst, forward)):
			rest = append(rest, ch)
		}
	}
	origin := func(c *arch.Component, boundary string) {
		m.Origin, m.OriginName = c, "boundary port "+boundary
		if c != nil {
			m.OriginName = componentName(c)
		}
	}
	switch {
	case len(first) > 0:
		origin(first[0].Src.Comp, rtlgen.EndpointName(f, first[0].Src, true))
	case len(rest) > 0:
		origin(rest[0].Dst.Comp, rtlgen.EndpointName(f, rest[0].Dst, false))
	}
	seen := map[int]bool{}
	add := func(ch *arch.Channel) {
		if seen[ch.ID] || !forward[ch.ID] && !backward[ch.ID] {
			return
		}
		seen[ch.ID] = true
		m.Channels = append(m.Channels, ChannelDiff{ch, expected[ch.ID], states[ch.ID],
			rtlgen.EndpointName(f, ch.Src, true), rtlgen.EndpointName(f, ch.Dst, false)})
	}
	for _, list := range [][]*arch.Channel{first, rest, f.Channels} {
		for _, ch := range list {
			add(ch)
		}
	}
	return m
}

// componentName spells a component with what it is an instance of.
func componentName(c *arch.Component) string {
	name := fmt.Sprintf("%s '%s'", c.Kind, c.Name)
	if c.Def != "" && c.Def != c.Name {
		name += " (" + c.Def + ")"
	}
	return name
}

// Lines reports every broken rule, every differing channel, up to a limit, and every
// request.
func (m *Mismatch) Lines() []string {
	const limit = 12
	out := []string{m.String()}
	reported := len(m.Rules) > 0 // what String has reported already
	for i, r := range m.Rules {
		if i > 0 {
			out = append(out, r.String())
		}
	}
	for i, d := range m.Channels {
		if i == 0 && !reported {
			continue
		}
		if i == limit {
			out = append(out, fmt.Sprintf("... and %d more channels", len(m.Channels)-limit))
			break
		}
		out = append(out, strings.TrimSpace(fmt.Sprintf("channel %s from %s to %s: expected %s, found %s", d.Channel.Name, d.Producer,
			d.Consumer, stateText(d.Expected, d.Channel), stateText(d.Found, d.Channel))))
	}
	for i, r := range m.Requests {
		if i > 0 || reported || len(m.Channels) > 0 {
			out = append(out, r.String())
		}
	}
	return out
}
