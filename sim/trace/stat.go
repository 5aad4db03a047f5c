package trace

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/mapping"
	"loom/sim/dram"
	"loom/sim/steady"
	"loom/sim/vector"
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
	// Loops are the loops of the graph, in its order.
	Loops []LoopStat `json:"loops"`
	// MemoryLatency is the external memory that the expected intervals assume.
	MemoryLatency string `json:"memory_latency,omitempty"`
	// Memory is what the external memory did where it is a DRAM.
	Memory *dram.Report `json:"dram,omitempty"`
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
	// Loads and Stores are the accesses of an external memory to its bus, nil where there are none.
	Loads  *AccessStat `json:"loads,omitempty"`
	Stores *AccessStat `json:"stores,omitempty"`
	// Cache counts the loads at its read cache, nil where none was made there.
	Cache *vector.Cache `json:"cache,omitempty"`
}

// String is the line of a direction.
func (s *AccessStat) String() string {
	return fmt.Sprintf("%d, each %.1f cycles under way on average, at most %d at a time", s.Number, s.MeanLatency, s.MostUnderWay)
}

// AccessStat are accesses to external memory in one direction.
type AccessStat struct {
	Number int64 `json:"number"`
	// MeanLatency is the mean of the cycles from a request at the bus to its response, up to the last cycle
	// in which none was under way.
	MeanLatency float64 `json:"mean_latency"`
	// MostUnderWay are the most that were on their way at a time.
	MostUnderWay int64 `json:"most_under_way"`
	// Use tells what the bus did in the cycles with accesses under way, nil where that is not known.
	Use *vector.BusUse `json:"cycles,omitempty"`
}

// accesses count them.
type accesses struct {
	AccessStat
	answered, underWay int64
	cycles             int64 // the sum of those of responses, less that of requests
}

// count counts a request or a response.
func (a *accesses) count(e Event) {
	if e.Kind == Request {
		a.Number++
		a.underWay++
		a.MostUnderWay = max(a.MostUnderWay, a.underWay)
		a.cycles -= e.Cycle
		return
	}
	a.answered++
	a.underWay--
	a.cycles += e.Cycle
	if a.underWay == 0 { // all requests so far have their responses, in whatever order
		a.MeanLatency = float64(a.cycles) / float64(a.answered)
	}
}

// stat is what is told of them, nil for none.
func (a *accesses) stat() *AccessStat {
	if a.Number == 0 {
		return nil
	}
	return &a.AccessStat
}

// LoopStat is the measured rate of one loop.
type LoopStat struct {
	// Op is the operation of the graph that makes its condition, an index into its body, -1
	// for an argument.
	Op int `json:"op"`
	// Name is that of the loop's index or of what it carries; Line, in File, where it
	// stands in the source; Depth the number of loops around it.
	Name  string `json:"name,omitempty"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Depth int    `json:"depth"`
	// Activations is how often the loop began, Iterations the number of them in all.
	Activations int64 `json:"activations"`
	Iterations  int64 `json:"iterations"`
	// II is the interval in cycles per iteration where the loop is slowest, in the steady
	// state of its longest activation (package steady); 0 where none had two iterations.
	II float64 `json:"measured_ii"`
	// Short is set where it has too few iterations to have settled.
	Short bool `json:"measured_short,omitempty"`
	// Expected is the interval that the mapping promises, 0 where it is not known. With AtLeast
	// set it is one that no run is below; AtMost is then the interval that a long run reaches
	// whatever its data are, 0 where that is not known either.
	Expected float64 `json:"expected_ii,omitempty"`
	AtLeast  bool    `json:"expected_at_least,omitempty"`
	AtMost   float64 `json:"expected_at_most,omitempty"`
}

// Predicted states the expected interval in words: "3", "25 to 51", "at least 2", "-".
func (l *LoopStat) Predicted() string {
	switch {
	case l.Expected == 0:
		return "-"
	case !l.AtLeast:
		return decimal(l.Expected)
	case l.AtMost == 0:
		return mapping.Between(decimal(l.Expected), "")
	}
	return mapping.Between(decimal(l.Expected), decimal(l.AtMost))
}

// Measured states the measured interval, and where it is not the expected one because the
// loop had too few iterations, that.
func (l *LoopStat) Measured() string {
	if l.II == 0 {
		return "-"
	}
	s := decimal(l.II)
	if l.Short && (l.II < l.Expected || l.II > max(l.Expected, l.AtMost) && !(l.AtLeast && l.AtMost == 0)) {
		s += " (too few iterations to settle)"
	}
	return s
}

// decimal prints a figure with two digits at most behind the point.
func decimal(x float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(x, 'f', 2, 64), "0"), ".")
}

// Loop tells Stats how to measure a loop: Meters are the channels that bring its condition
// to the components that take one per iteration. Limit is one where the tokens wait for what
// limits the loop, nil where none is known, and Period the number of iterations after which
// the times between them repeat, 0 where it is not known. Slack is by how many cycles a part of
// a run may take longer than predicted without a contradiction, because it was faster before, or less, because
// what memory gave late had to be made up for; Places
// for how many iterations there is room where the loop is limited: a run of so few meets no limit.
type Loop struct {
	LoopStat
	Meters []Meter
	Limit  *Limit
	Period int
	Slack  int
	Places int
}

// Limit is a channel that has a token in every iteration, and Extra more per start.
type Limit struct{ Channel, Extra int }

// Meter is a channel with the condition of a loop: a token that is false ends the
// activation.
type Meter struct {
	// Channel is the arch.Channel ID.
	Channel int
	// Raw is set for the condition that is tested once more than the loop has iterations.
	Raw bool
}

// Stats sums events up.
type Stats struct {
	f       *arch.Fabric
	kernel  string
	modules []ModuleStat
	loads   []accesses // by component
	stores  []accesses
	loops   []loopState
	meters  map[int][]*steady.Meter // by channel
	limits  map[int][]*limit
	memory  string
	last    int64
	done    bool
}

// loopState is a loop and its meters.
type loopState struct {
	LoopStat
	meters []*steady.Meter
	limit  *limit
	slack  int
	places int
}

// limit measures a channel without a condition: which of its tokens is the last of an
// activation is known once the loop's condition has said how many iterations it had.
type limit struct {
	meter      steady.Meter
	extra      int
	iterations []int   // of the activations that have ended, without those measured
	times      []int64 // of tokens that belong to no activation measured
}

// ended notes an activation.
func (m *limit) ended(iterations int) {
	m.iterations = append(m.iterations, iterations)
	m.measure()
}

// measure passes on the tokens of activations that have ended.
func (m *limit) measure() {
	for len(m.iterations) > 0 && len(m.times) >= m.iterations[0]+m.extra {
		n := m.iterations[0] + m.extra
		for _, at := range m.times[:n] {
			m.meter.Token(at)
		}
		m.meter.End()
		m.times, m.iterations = m.times[n:], m.iterations[1:]
	}
}

// NewStats starts counting a run of kernel b on fabric f.
func NewStats(f *arch.Fabric, b *mapping.Binding) *Stats {
	return &Stats{f: f, kernel: b.Kernel, modules: make([]ModuleStat, len(f.Comps)), loads: make([]accesses, len(f.Comps)), stores: make([]accesses, len(f.Comps)), meters: map[int][]*steady.Meter{}, limits: map[int][]*limit{}, last: -1}
}

// Measure begins to measure loops, whose expected intervals assume that external memory.
func (s *Stats) Measure(loops []Loop, memory string) {
	s.memory = memory
	for _, l := range loops {
		state := loopState{LoopStat: l.LoopStat, slack: l.Slack, places: l.Places}
		if l.Limit != nil && len(l.Meters) > 0 {
			state.limit = &limit{meter: steady.Meter{Raw: l.Limit.Extra > 0, Period: l.Period}, extra: l.Limit.Extra}
			s.limits[l.Limit.Channel] = append(s.limits[l.Limit.Channel], state.limit)
		}
		for i, m := range l.Meters {
			meter := &steady.Meter{Raw: m.Raw, Period: l.Period}
			if i == 0 && state.limit != nil {
				meter.Ended = state.limit.ended
			}
			state.meters = append(state.meters, meter)
			s.meters[m.Channel] = append(s.meters[m.Channel], meter)
		}
		s.loops = append(s.loops, state)
	}
}

// Add counts an event.
func (s *Stats) Add(e Event) {
	s.last = max(s.last, e.Cycle)
	switch e.Kind {
	case Request, Answer:
		if e.What == "store" {
			s.stores[e.Comp.ID].count(e)
		} else {
			s.loads[e.Comp.ID].count(e)
		}
	case Transfer:
		c := s.f.Channels[e.Channel]
		if c.Src.Comp != nil {
			s.modules[c.Src.Comp.ID].TokensOut++
		}
		if c.Dst.Comp != nil {
			s.modules[c.Dst.Comp.ID].TokensIn++
		}
		for _, m := range s.meters[e.Channel] {
			m.Token(e.Cycle)
			if e.Data&1 == 0 {
				m.End()
			}
		}
		for _, m := range s.limits[e.Channel] {
			m.times = append(m.times, e.Cycle)
			m.measure()
		}
	case Fire:
		s.modules[e.Comp.ID].Active++
	case StallIn:
		s.modules[e.Comp.ID].InputStalled++
	case StallOut:
		s.modules[e.Comp.ID].OutputStalled++
	case Done:
		s.done = true
	}
}

// Result is the sum so far.
func (s *Stats) Result() Stat {
	out := Stat{Version: Version, Fabric: s.f.Name, Kernel: s.kernel, Cycles: s.last + 1, Done: s.done, Modules: []ModuleStat{}, Loops: []LoopStat{}, MemoryLatency: s.memory}
	for i, c := range s.f.Comps {
		m := s.modules[i]
		if m.TokensIn == 0 && m.TokensOut == 0 && m.InputStalled == 0 && m.OutputStalled == 0 {
			continue
		}
		m.Name, m.Kind = c.Name, c.Kind.String()
		m.Loads, m.Stores = s.loads[i].stat(), s.stores[i].stat()
		out.Modules = append(out.Modules, m)
	}
	for i := range s.loops {
		out.Loops = append(out.Loops, s.loops[i].result())
	}
	return out
}

// result is the loop where it is slowest.
func (l *loopState) result() LoopStat {
	st := l.LoopStat
	var slowest *steady.Meter
	for _, m := range l.meters {
		m.End() // a run that was stopped
		if m.Slower(slowest) {
			slowest = m
		}
		st.Activations, st.Iterations = max(st.Activations, m.Activations), max(st.Iterations, m.Total())
	}
	if l.limit != nil && l.limit.meter.Slower(slowest) {
		slowest = &l.limit.meter
	}
	if slowest != nil {
		st.II, st.Short = slowest.Interval(), !slowest.Settled() || slowest.Longest() <= l.places
		most := st.AtMost
		if !st.AtLeast {
			most = st.Expected
		}
		if over := float64(slowest.Cycles) - most*float64(slowest.Iterations); most > 0 && over > 0 && over <= float64(l.slack) {
			st.Short = true
		}
		if under := st.Expected*float64(slowest.Iterations) - float64(slowest.Cycles); under > 0 && under <= float64(l.slack) {
			st.Short = true
		}
	}
	return st
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
