package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"loom/compiler/diag"
	"loom/sim/steady"
	"loom/sim/trace"
)

// playback is a run, as columns: what a channel and a component did in which cycles.
type playback struct {
	// Cycles is the length of the run, Shown the number of cycles whose tokens and states
	// the page holds; a long run is shown from its beginning.
	Cycles int64 `json:"cycles"`
	Shown  int64 `json:"shown"`
	// Channels are the tokens by channel, States the stretches by component.
	Channels map[int]*tokens `json:"channels"`
	States   map[int][]int64 `json:"states"` // from, length, state, …: from counts from the end of the stretch before
	// Totals are, by component, the cycles of the whole run in which it was active,
	// waited for data, waited for room.
	Totals map[int][3]int64 `json:"totals"`
	// Accesses are lines on the accesses of an external memory, by component; DRAM lines on the memory behind all.
	Accesses map[int][]string `json:"accesses,omitempty"`
	DRAM     []string         `json:"dram,omitempty"`
	// Meters are, by loop of the mapping, the channel where the loop is slowest, with a token
	// per iteration; Measured is the interval (trace.LoopStat), 0 where it is not known.
	Meters   []meter   `json:"meters"`
	Measured []float64 `json:"measured"`
	// Status is how the run ended: done, an error symbol, or nothing.
	Status string            `json:"status"`
	Run    map[string]string `json:"run"`
}

// tokens are the tokens that crossed a channel: the cycles, each as the distance to the
// one before, the values and the tags. Values beyond 53 bits are text, 0x….
type tokens struct {
	At    []int64 `json:"at"`
	Value []any   `json:"value"`
	Tag   []int   `json:"tag,omitempty"`
	last  int64
}

// meter is a channel with the condition of a loop, -1 for none. Raw is set where it has one
// token more per activation, which is false.
type meter struct {
	Channel int  `json:"channel"`
	Raw     bool `json:"raw"`
}

// The states, as numbers of the page.
var stateNumber = map[trace.State]int64{trace.Active: 0, trace.WaitsForData: 1, trace.WaitsForRoom: 2}

// The most that a page holds of a run: about 10 MB.
const (
	maxCycles = 20000
	maxTokens = 600000
)

// playback reads trace and statistics of the run.
func (p *Picture) playback() (*playback, error) {
	rd, err := trace.NewReader("", bytes.NewReader(p.Trace))
	if err != nil {
		return nil, err
	}
	if rd.Header.Fabric != p.Fabric.Name {
		return nil, diag.New(diag.Pos{Line: 1}, "the trace is of fabric '%s', not '%s'", rd.Header.Fabric, p.Fabric.Name)
	}
	if len(rd.Header.Modules) != len(p.Fabric.Comps) || len(rd.Header.Channels) != len(p.Fabric.Channels) {
		return nil, diag.New(diag.Pos{Line: 1}, "the trace has %d modules and %d channels, fabric '%s' has %d and %d",
			len(rd.Header.Modules), len(rd.Header.Channels), p.Fabric.Name, len(p.Fabric.Comps), len(p.Fabric.Channels))
	}
	b := &playback{Channels: map[int]*tokens{}, States: map[int][]int64{}, Totals: map[int][3]int64{}, Accesses: map[int][]string{}, Meters: []meter{}, Measured: []float64{}, Run: rd.Header.Run}
	watched := p.watched()
	if err := b.read(rd, watched); err != nil {
		return nil, err
	}
	b.slowest(p, watched)
	return b, b.totals(p)
}

// watched are the meters of the run's loops, by channel.
func (p *Picture) watched() map[int][]*steady.Meter {
	out := map[int][]*steady.Meter{}
	for _, l := range p.Loops {
		for _, m := range l.Meters {
			out[m.Channel] = append(out[m.Channel], &steady.Meter{Raw: m.Raw})
		}
	}
	return out
}

// slowest chooses the meter of each loop of the mapping.
func (b *playback) slowest(p *Picture, watched map[int][]*steady.Meter) {
	for _, timing := range p.Mapping.Timing.Loops {
		at := meter{Channel: -1}
		var slow *steady.Meter
		for _, l := range p.Loops {
			if l.Op != timing.Op {
				continue
			}
			for _, m := range l.Meters {
				for _, s := range watched[m.Channel] {
					if s.Raw == m.Raw && (slow == nil && s.Tokens > 0 || s.Slower(slow)) {
						slow, at = s, meter{m.Channel, m.Raw}
					}
				}
			}
		}
		b.Meters, b.Measured = append(b.Meters, at), append(b.Measured, 0)
	}
}

// read takes the events of the trace.
func (b *playback) read(rd *trace.Reader, watched map[int][]*steady.Meter) error {
	ends := map[int]int64{} // of the latest stretch of each component
	spans := trace.NewSpans(len(rd.Header.Modules), func(s trace.Span) {
		s.To = min(s.To, b.Shown)
		if s.From < s.To {
			b.States[s.Module] = append(b.States[s.Module], s.From-ends[s.Module], s.To-s.From, stateNumber[s.State])
			ends[s.Module] = s.To
		}
	})
	b.Shown = maxCycles
	count := 0
	for {
		l, err := rd.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		b.Cycles = max(b.Cycles, l.Cycle+1)
		if l.Cycle < b.Shown && count >= maxTokens {
			b.Shown = l.Cycle // the cycle in which the page is full is not complete
		}
		spans.Add(l)
		if l.Kind == trace.Transfer {
			for _, m := range watched[l.Channel] {
				if m.Token(l.Cycle); l.Data&1 == 0 {
					m.End()
				}
			}
		}
		switch {
		case l.Kind == trace.Done:
			b.Status = "done"
		case l.Kind == trace.Error:
			b.Status = l.What
		case l.Cycle >= b.Shown:
		case l.Kind == trace.Cut:
			b.Shown = l.Cycle
		case l.Kind == trace.Transfer:
			count++
			b.token(rd.Header.Channels[l.Channel], l)
		}
	}
	spans.End(b.Cycles)
	b.Shown = min(b.Shown, b.Cycles)
	return nil
}

// token adds a token to its channel.
func (b *playback) token(c trace.Channel, l trace.Line) {
	t := b.Channels[l.Channel]
	if t == nil {
		t = &tokens{At: []int64{}, Value: []any{}}
		b.Channels[l.Channel] = t
	}
	t.At = append(t.At, l.Cycle-t.last)
	t.last = l.Cycle
	if l.Data < 1<<53 {
		t.Value = append(t.Value, l.Data)
	} else {
		t.Value = append(t.Value, fmt.Sprintf("0x%x", l.Data))
	}
	if c.Tag > 0 {
		t.Tag = append(t.Tag, int(l.Tag))
	}
}

// totals takes the sums and the intervals from the statistics of the run.
func (b *playback) totals(p *Picture) error {
	if p.Stat == nil {
		return nil
	}
	var s trace.Stat
	if err := json.Unmarshal(p.Stat, &s); err != nil || s.Version != trace.Version {
		return diag.New(diag.Pos{}, "these are no statistics of version %d", trace.Version)
	}
	byName := map[string]int{}
	for _, c := range p.Fabric.Comps {
		byName[c.Name] = c.ID
	}
	for _, m := range s.Modules {
		if id, ok := byName[m.Name]; ok {
			b.Totals[id] = [3]int64{m.Active, m.InputStalled, m.OutputStalled}
			for _, x := range []struct {
				name string
				stat *trace.AccessStat
			}{{"loads", m.Loads}, {"stores", m.Stores}} {
				if x.stat != nil {
					b.Accesses[id] = append(b.Accesses[id], x.name+" at its bus: "+x.stat.String())
					if x.stat.Use != nil {
						b.Accesses[id] = append(b.Accesses[id], x.name+": "+x.stat.Use.Text(s.Cycles))
					}
				}
			}
			if m.Cache != nil {
				b.Accesses[id] = append(b.Accesses[id], m.Cache.String())
			}
		}
	}
	if s.Memory != nil {
		b.DRAM = []string{s.Memory.String(), s.Memory.Causes()}
	}
	measured := map[int]float64{} // by the operation that makes the condition
	for _, l := range s.Loops {
		measured[l.Op] = l.II
	}
	for i, l := range p.Mapping.Timing.Loops {
		b.Measured[i] = measured[l.Op]
	}
	return nil
}
