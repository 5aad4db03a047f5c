package cycle

import (
	"fmt"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/compiler/num"
	"loom/sim/memmap"
	"loom/sim/trace"
	"loom/sim/vector"
)

// DefaultMaxCycles is the budget of a run that names none.
const DefaultMaxCycles = 10_000_000

// ChannelState is what a channel shows in one cycle, settled. Data and Tag are 0
// while Valid is false; Tag is 0 on untagged channels.
type ChannelState struct {
	Valid, Ready bool
	Tag          uint16
	Data         uint64
}

// Options of a run. The zero value is a run without stalls at the default
// latency.
type Options struct {
	// Latency is the memory latency profile; the zero value means latency.Default.
	Latency latency.Profile
	// StallPercent (0 to 99) and StallSeed make the environment hold back at
	// random.
	StallPercent int
	StallSeed    uint64
	// MaxCycles is the budget; 0 means DefaultMaxCycles.
	MaxCycles int64
	// Trace, if set, sees every channel in every cycle, indexed by channel ID. The
	// slice is reused.
	Trace func(cycle int64, ch []ChannelState)
	// Bus, if set, sees every transfer of the AXI masters of external memories, after
	// Trace has seen the cycle.
	Bus func(BusTransfer)
	// Record, if set, receives the events of the run in order.
	Record func(trace.Event)
}

// Sim is one run of a configured fabric.
type Sim struct {
	engine
	fabric  *arch.Fabric
	binding *mapping.Binding
	inputs  *vector.Inputs
	opts    Options
	env     *environment

	chans   []wire // what each channel carries, by ID
	sources []*source
	sinks   []*sink
	masters []*axiMaster
	cells   map[int][]uint64 // elements of on-chip memories, by component

	// effects are what happens in the memories of a direct circuit at a clock edge, in order;
	// second is the data that goes with the address on a channel, by ID.
	effects []memoryEffect
	second  map[int]wire
	// holds is set for a direct circuit that holds values for a run.
	holds bool
	// collects is set for a fabric, whose loom_error_collect shows an error late; failure is what
	// it will show.
	collects bool
	failure  failure

	states []ChannelState
	watch  *watch // component activity, for Record
	ran    bool
	began  int64 // the first cycle of the run
}

// New builds the simulator of a configured fabric with the tokens of one run at
// its boundary. The inputs are not changed. Errors are diagnostics: a setting or
// binding that does not fit the fabric, or a combinational loop.
func New(f *arch.Fabric, img *config.Image, b *mapping.Binding, in *vector.Inputs, opts Options) (*Sim, error) {
	if len(img.Settings) != len(f.Comps) {
		return nil, diag.New(f.Pos, "the image configures %d components, fabric '%s' has %d", len(img.Settings), f.Name, len(f.Comps))
	}
	s, bl, err := prepareRun(f, img, b, in, opts)
	if err != nil {
		return nil, err
	}
	bl.build()
	if err := bl.errs.Err(); err != nil {
		return nil, err
	}
	if bl.fill(b); bl.errs.Err() != nil {
		return nil, bl.errs.Err()
	}
	if err := bl.finish(s); err != nil {
		return nil, err
	}
	s.collects = true
	s.watching()
	return s, nil
}

// prepareRun checks the options of a run and binds its inputs to the boundary of f. A direct
// circuit has no image.
func prepareRun(f *arch.Fabric, img *config.Image, b *mapping.Binding, in *vector.Inputs, opts Options) (*Sim, *builder, error) {
	opts.Latency = opts.Latency.OrDefault()
	if opts.MaxCycles == 0 {
		opts.MaxCycles = DefaultMaxCycles
	}
	errs := &diag.List{}
	if opts.StallPercent < 0 || opts.StallPercent > 99 {
		errs.Errorf(diag.Pos{}, "a stall percentage of %d is outside 0 to 99", opts.StallPercent).
			WithHelp("at 100 nothing would ever move")
	}
	if err := opts.Latency.Check(); err != nil {
		errs.Errorf(diag.Pos{}, "%v", err)
	}
	if len(in.Args) != len(b.Args) {
		errs.Errorf(diag.Pos{}, "kernel '%s' has %d arguments, the inputs have %d", b.Kernel, len(b.Args), len(in.Args))
	}
	if err := errs.Err(); err != nil {
		return nil, nil, err
	}
	regions, err := memmap.Assign(in, b, f.IndexWidth)
	if err != nil {
		return nil, nil, diag.New(diag.Pos{}, "%v", err)
	}
	env := &environment{
		stallPercent: uint64(opts.StallPercent), stallSeed: opts.StallSeed, latency: opts.Latency,
		bus: newBus(regions),
	}
	s := &Sim{fabric: f, binding: b, inputs: in, opts: opts, env: env.newMemory()}
	bl := &builder{f: f, img: img, env: env, errs: errs}
	bl.bind(b, in, regions)
	return s, bl, errs.Err()
}

// watching makes what Options.Trace and Options.Record need.
func (s *Sim) watching() {
	s.record, s.bus = s.opts.Record, s.opts.Bus
	if s.record != nil {
		s.watch = newWatch(s)
	}
	if s.opts.Trace != nil {
		s.states = make([]ChannelState, len(s.fabric.Channels))
	}
}

// Run simulates to the end of the run. It can be called once, and again after Again.
func (s *Sim) Run() (*vector.Outcome, error) {
	if s.ran {
		return nil, fmt.Errorf("cycle: a simulator runs once")
	}
	s.ran = true
	s.event(trace.Event{Kind: trace.Start, Channel: -1})
	for {
		s.settle()
		s.observe()
		progress := s.edge()
		for _, m := range s.effects {
			m.effect(&s.engine)
		}
		switch {
		case s.surplus():
			return s.blocked(), nil
		case s.errCode != 0 && (!s.collects || s.failure.code != 0):
			return s.failed(), nil
		case s.errCode != 0 && s.cycle-s.began < s.opts.MaxCycles:
			// The fabric goes on for the cycle that its error takes to show.
			s.failure = failure{s.errCode, s.errUnit, s.cycle - 1}
		case s.done():
			s.verdict(trace.Event{Kind: trace.Done, Channel: -1})
			return s.outcome(vector.Done), nil
		case !progress && !s.waiting() && s.drained():
			s.verdict(trace.Event{Kind: trace.Done, Channel: -1})
			return s.outcome(vector.Done), nil
		case !progress && !s.waiting():
			return s.blocked(), nil
		case s.cycle-s.began >= s.opts.MaxCycles:
			return s.exhausted(), nil
		}
	}
}

// observe passes the settled cycle to Options.Trace and Options.Record.
func (s *Sim) observe() {
	if s.opts.Trace != nil {
		for i := range s.states {
			s.states[i] = s.state(i)
		}
		s.opts.Trace(s.cycle, s.states)
	}
	if s.watch != nil {
		s.watch.cycle(s)
	}
}

// state is what a channel shows in the settled cycle.
func (s *Sim) state(channel int) ChannelState {
	w := s.chans[channel]
	n := &s.nets[w.net]
	c := ChannelState{n.valid, n.ready, n.tag, n.data & w.mask}
	if d, ok := s.second[channel]; ok && n.valid {
		c.Data = s.val(d)
	}
	return c
}

// done reports whether everything owed was delivered and nothing is left.
func (s *Sim) done() bool {
	for _, k := range s.sinks {
		if k.owes() {
			return false
		}
	}
	for _, a := range s.masters {
		if a.busy() {
			return false
		}
	}
	for _, r := range s.sources {
		if r.pending {
			return false
		}
	}
	return s.engine.idle()
}

// drained reports whether a direct circuit has delivered everything, and what is left in it
// waits for a value that is held for a run: it contributes to nothing, and goes with the next
// run.
func (s *Sim) drained() bool {
	if !s.holds {
		return false
	}
	for _, k := range s.sinks {
		if k.owes() {
			return false
		}
	}
	for _, u := range s.units {
		if p, ok := u.(*storePort); ok && !p.idle() {
			return false
		}
	}
	return true
}

func (s *Sim) surplus() bool {
	for _, k := range s.sinks {
		if k.surplus() > 0 {
			return true
		}
	}
	return false
}

// waiting reports whether a random stall holds back something that will move in
// a later cycle.
func (s *Sim) waiting() bool {
	if s.env.stallPercent == 0 {
		return false
	}
	for _, k := range s.sinks {
		if k.pending(&s.engine) {
			return true
		}
	}
	for _, m := range s.effects {
		if p, ok := m.(interface{ pending(*engine) bool }); ok && p.pending(&s.engine) {
			return true
		}
	}
	return false // a request held up at a bus keeps its unit busy
}

// outcome collects results and memories as far as they got.
func (s *Sim) outcome(st vector.Status) *vector.Outcome {
	out := &vector.Outcome{Status: st, Cycles: s.cycle - s.began}
	if s.env.dram != nil {
		report := s.env.dram.Report(s.cycle)
		out.DRAM = &report
	}
	for _, c := range s.caches {
		if c.hits+c.misses > 0 {
			out.Caches = append(out.Caches, vector.Cache{Memory: c.comp.Name, Hits: c.hits, Misses: c.misses})
		}
	}
	for _, a := range s.masters {
		b := vector.Bus{Memory: a.comp.Name}
		if u := a.loadUse; u.Cycles() > 0 {
			b.Loads = &u
		}
		if u := a.storeUse; u.Cycles() > 0 {
			b.Stores = &u
		}
		if b.Loads != nil || b.Stores != nil {
			out.Buses = append(out.Buses, b)
		}
	}
	for range s.binding.Results {
		out.Results = append(out.Results, vector.Scalar{})
	}
	for i, r := range s.binding.Results {
		out.Results[i].Type = r.Type
	}
	for _, k := range s.sinks {
		if k.result >= 0 && k.got > 0 {
			r := &out.Results[k.result]
			r.Bits = num.Truncate(k.value, r.Type, s.fabric.IndexWidth)
		}
	}
	for i := range s.env.bus.regions {
		r := &s.env.bus.regions[i]
		if r.Arg < 0 {
			continue
		}
		m := *s.inputs.Args[r.Arg].Mem
		m.Data = r.Elems(s.env.bus.data[i])
		out.Memories = append(out.Memories, &m)
	}
	for _, c := range s.fabric.Comps {
		if cells, ok := s.cells[c.ID]; ok && !c.Mem.Private {
			out.OnChip = append(out.OnChip, vector.OnChip{Comp: c.Name, Elems: slices.Clone(cells)})
		}
	}
	return out
}
