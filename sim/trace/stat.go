package trace

import (
	"encoding/json"

	"loom/compiler/arch"
	"loom/compiler/mapping"
)

// Stat is the content of a .sim.stat file.
type Stat struct {
	Version int    `json:"loom_stat"`
	Fabric  string `json:"fabric"`
	Kernel  string `json:"kernel"`
	Cycles  int64  `json:"cycles"`
	// Done reports whether the run was finished.
	Done bool `json:"done"`
	// Modules are the components that saw a token, in component order.
	Modules []ModuleStat `json:"modules"`
	// Loops are the dataflow.stream units that counted, in component order.
	Loops []LoopStat `json:"loops"`
}

// ModuleStat counts the cycles of one component. In each cycle it is active (a
// token crosses one of its ports), else output-stalled (it offers a token that
// is not taken), else input-stalled (a token waits at an input), else idle.
type ModuleStat struct {
	Name          string `json:"name"`
	Kind          string `json:"kind"`
	Active        int64  `json:"active"`
	InputStalled  int64  `json:"input_stalled"`
	OutputStalled int64  `json:"output_stalled"`
	TokensIn      int64  `json:"tokens_in"`
	TokensOut     int64  `json:"tokens_out"`
}

// LoopStat is the measured rate of one counted loop.
type LoopStat struct {
	Module string `json:"module"`
	// Pairs are the (index, condition) pairs, Activations the last ones among
	// them: Pairs - Activations iterations were run.
	Pairs       int64 `json:"pairs"`
	Activations int64 `json:"activations"`
	// II is the average distance in cycles between pairs of one activation, 0
	// where there are not two.
	II float64 `json:"measured_ii"`
	// Bound is the interval that the mapping promises, 0 where it is not known.
	Bound float64 `json:"bound,omitempty"`
}

// Stats sums events up.
type Stats struct {
	f       *arch.Fabric
	kernel  string
	modules []ModuleStat
	loops   []loopState
	last    int64
	done    bool
}

type loopState struct {
	pairs, activations int64
	open               bool // inside of an activation
	latest             int64
	distance, gaps     int64
	bound              float64
}

// NewStats starts counting a run of kernel b on fabric f.
func NewStats(f *arch.Fabric, b *mapping.Binding) *Stats {
	return &Stats{f: f, kernel: b.Kernel, modules: make([]ModuleStat, len(f.Comps)), loops: make([]loopState, len(f.Comps)), last: -1}
}

// SetBound notes the initiation interval that the mapping promises for the loop
// whose dataflow.stream runs on the component.
func (s *Stats) SetBound(component int, ii float64) { s.loops[component].bound = ii }

// Add counts an event.
func (s *Stats) Add(e Event) {
	s.last = max(s.last, e.Cycle)
	switch e.Kind {
	case Transfer:
		c := s.f.Channels[e.Channel]
		if c.Src.Comp != nil {
			s.modules[c.Src.Comp.ID].TokensOut++
		}
		if c.Dst.Comp != nil {
			s.modules[c.Dst.Comp.ID].TokensIn++
		}
	case Fire:
		s.modules[e.Comp.ID].Active++
	case StallIn:
		s.modules[e.Comp.ID].InputStalled++
	case StallOut:
		s.modules[e.Comp.ID].OutputStalled++
	case Iterate:
		l := &s.loops[e.Comp.ID]
		l.pairs++
		if l.open {
			l.distance += e.Cycle - l.latest
			l.gaps++
		}
		l.latest, l.open = e.Cycle, e.What != "last"
		if !l.open {
			l.activations++
		}
	case Done:
		s.done = true
	}
}

// Result is the sum so far.
func (s *Stats) Result() Stat {
	out := Stat{Version: Version, Fabric: s.f.Name, Kernel: s.kernel, Cycles: s.last + 1, Done: s.done, Modules: []ModuleStat{}, Loops: []LoopStat{}}
	for i, c := range s.f.Comps {
		m := s.modules[i]
		if m.TokensIn == 0 && m.TokensOut == 0 && m.InputStalled == 0 && m.OutputStalled == 0 {
			continue
		}
		m.Name, m.Kind = c.Name, c.Kind.String()
		out.Modules = append(out.Modules, m)
	}
	for i, c := range s.f.Comps {
		if l := &s.loops[i]; l.pairs > 0 {
			st := LoopStat{Module: c.Name, Pairs: l.pairs, Activations: l.activations, Bound: l.bound}
			if l.gaps > 0 {
				st.II = float64(l.distance) / float64(l.gaps)
			}
			out.Loops = append(out.Loops, st)
		}
	}
	return out
}

// JSON renders a .sim.stat file.
func (s Stat) JSON() []byte {
	b, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic("trace: " + err.Error()) // plain strings and finite numbers always marshal
	}
	return append(b, '\n')
}

// Recorder keeps trace and statistics of one run in memory; Add is what the
// cycle simulator's Options.Record takes.
type Recorder struct {
	*Writer
	Stats *Stats
	text  buffer
}

// buffer collects what the writer writes.
type buffer struct{ b []byte }

func (b *buffer) Write(p []byte) (int, error) {
	b.b = append(b.b, p...)
	return len(p), nil
}

// NewRecorder starts recording a run of kernel b on fabric f.
func NewRecorder(f *arch.Fabric, b *mapping.Binding) *Recorder {
	r := &Recorder{Stats: NewStats(f, b)}
	r.Writer = NewWriter(&r.text, f, b)
	return r
}

// Add records an event.
func (r *Recorder) Add(e Event) {
	r.Writer.Add(e)
	r.Stats.Add(e)
}

// Trace is the content of the .sim.trace file. It ends the recording.
func (r *Recorder) Trace() []byte {
	_ = r.Writer.Close() // writing to memory cannot fail
	return r.text.b
}

// Stat is the content of the .sim.stat file.
func (r *Recorder) Stat() []byte { return r.Stats.Result().JSON() }
