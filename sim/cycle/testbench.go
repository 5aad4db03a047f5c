package cycle

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/sim/memmap"
)

// TestbenchOptions are the surroundings of a fabric on a testbench. The buses behave as in a run
// (sim/README.md); the zero value means no stalls, DefaultLatency.
type TestbenchOptions struct {
	Latency      latency.Profile
	StallPercent int // 0 to 99, of the buses alone
	StallSeed    uint64
	// Bus is the memory behind the buses; addresses outside of it respond with DECERR.
	Bus []TestbenchMemory
	// Sizes are those of the arrays of memories with bounds, in bytes, by component and region; there
	// is no limit where they say nothing.
	Sizes map[int][]uint64
}

// TestbenchMemory is a part of the memory behind the buses, of bytes from Base on.
type TestbenchMemory struct {
	Base uint64
	Data []byte
}

// TestbenchIn is what the surroundings do in one cycle.
type TestbenchIn struct {
	In    []Token            // by boundary input; their tags are nothing
	Ready []bool             // by boundary output
	Host  map[int]HostAccess // by component, for on-chip memories
}

// TestbenchBus is the AXI port of one external memory in one cycle, before the clock edge. Of
// channels without valid nothing else means anything.
type TestbenchBus struct {
	Comp             *arch.Component
	ARValid, ARReady bool
	ARID             uint16
	ARAddr           uint64
	AWValid, AWReady bool
	AWID             uint16
	AWAddr           uint64
	WValid, WReady   bool
	WData            uint64    // the element
	WStrobe          [2]uint64 // a bit per byte of the bus, the lowest first
	RValid, RErr     bool
	RID              uint16
	RAddr            uint64 // that was read
	RData            uint64 // the element; 0 with RErr
	BValid, BErr     bool
	BID              uint16
}

// TestbenchOut is what the fabric shows in one cycle, up to the clock edge that ends it.
type TestbenchOut struct {
	Ready    []bool         // by boundary input; it means something with its valid
	Out      []ChannelState // by boundary output
	Channels []ChannelState // by channel ID
	Bus      []TestbenchBus // in component order
	// Host is what the host read in the cycle before, by component.
	Host map[int]uint64
	// Err is the code raised in this cycle, 0 for none, by Comp.
	Err  int
	Comp *arch.Component
	Idle bool
	// Progress: something moved or a state changed.
	Progress bool
}

// Testbench drives a configured fabric cycle by cycle: any tokens at its boundary, the host at
// its memories. Unlike a run it goes on after an error, as hardware does.
type Testbench struct {
	sim   *Sim
	in    []int32
	outs  []wire
	ports map[int]*hostPort
	units map[int]int32 // of memories, by component
	out   TestbenchOut
	// quiet leaves out what only comparisons look at: Channels and Bus.
	quiet bool
}

// NewTestbench puts a configured fabric on a testbench, in the state after reset. A setting that
// does not fit the fabric and a combinational loop are errors.
func NewTestbench(f *arch.Fabric, img *config.Image, opts TestbenchOptions) (*Testbench, error) {
	opts.Latency = opts.Latency.OrDefault()
	if len(img.Settings) != len(f.Comps) {
		return nil, diag.New(f.Pos, "the image configures %d components, fabric '%s' has %d", len(img.Settings), f.Name, len(f.Comps))
	}
	for id, sizes := range opts.Sizes {
		if id < 0 || id >= len(f.Comps) || !f.Comps[id].External() || !f.Comps[id].Mem.Bounds || len(sizes) != f.Comps[id].Mem.NumRegion {
			return nil, diag.New(f.Pos, "component %d has no %d regions with sizes", id, len(sizes))
		}
	}
	if opts.StallPercent < 0 || opts.StallPercent > 99 {
		return nil, fmt.Errorf("cycle: a stall percentage of %d is outside 0 to 99", opts.StallPercent)
	}
	env := &environment{stallPercent: uint64(opts.StallPercent), stallSeed: opts.StallSeed, latency: opts.Latency}
	env.newMemory()
	for _, m := range opts.Bus {
		env.bus.regions = append(env.bus.regions, memmap.Region{Base: m.Base, ElemBits: 8, ElemBytes: 1, Elements: len(m.Data)})
		env.bus.data = append(env.bus.data, append([]byte(nil), m.Data...))
	}
	return newTestbench(f, img, env, opts.Sizes, nil)
}

// newTestbench is NewTestbench in an environment, with the sizes of arrays; port makes what stands behind an external
// memory, nil for an AXI master.
func newTestbench(f *arch.Fabric, img *config.Image, env *environment, sizes map[int][]uint64, port func(*arch.Component) memoryPort) (*Testbench, error) {
	var errs diag.List
	b := &builder{f: f, img: img, env: env, errs: &errs, sizes: sizes, port: port}
	b.prepare()
	for _, c := range f.Comps {
		b.declare(c)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	for _, c := range f.Comps {
		b.connect(c)
	}
	r := &Testbench{ports: map[int]*hostPort{}, units: map[int]int32{}, in: b.inNets}
	for _, o := range f.Outputs {
		w := b.dead()
		if o.Chan != nil {
			w = b.channel(o.Chan)
			w.mask &= mask(o.Width)
		}
		r.outs = append(r.outs, w)
	}
	for _, ch := range f.Channels {
		b.channel(ch)
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	r.sim = &Sim{fabric: f, env: env}
	if err := b.finish(r.sim); err != nil {
		return nil, err
	}
	for i, u := range r.sim.units {
		switch m := u.(type) {
		case *memory:
			r.ports[m.comp.ID], r.units[m.comp.ID] = &m.host, int32(i)
		case *taggedMemory:
			r.ports[m.comp.ID], r.units[m.comp.ID] = &m.host, int32(i)
		}
	}
	r.out = TestbenchOut{Ready: make([]bool, len(f.Inputs)), Out: make([]ChannelState, len(f.Outputs)),
		Channels: make([]ChannelState, len(f.Channels)), Bus: make([]TestbenchBus, len(r.sim.masters)), Host: map[int]uint64{}}
	return r, nil
}

// Cells are the elements of an on-chip memory, nil for other components.
func (r *Testbench) Cells(comp int) []uint64 { return r.sim.cells[comp] }

// Bus is the present contents of part i of the memory behind the buses.
func (r *Testbench) Bus(i int) []byte { return r.sim.env.bus.data[i] }

// Stuck explains what waits for what in the state after the latest step.
func (r *Testbench) Stuck() []string { return r.sim.stuck() }

// Step simulates one cycle. The result is reused by the next call.
func (r *Testbench) Step(in *TestbenchIn) *TestbenchOut {
	s, out := r.sim, &r.out
	for i, net := range r.in {
		s.drive(net, in.In[i].Valid, in.In[i].Data&mask(s.fabric.Inputs[i].Width))
	}
	for o, w := range r.outs {
		s.accept(w, in.Ready[o])
	}
	for id, p := range r.ports {
		h := in.Host[id]
		if h.Enable || p.en || p.reading {
			s.fdirty.set(r.units[id])
			s.attend(r.units[id])
		}
		p.en, p.we, p.addr, p.data = h.Enable, h.Write, h.Addr, h.Data
	}
	s.settle()
	for i, net := range r.in {
		out.Ready[i] = s.nets[net].ready
	}
	state := func(w wire) ChannelState {
		n := &s.nets[w.net]
		return ChannelState{n.valid, n.ready, n.tag, n.data & w.mask}
	}
	for o, w := range r.outs {
		out.Out[o] = state(w)
	}
	if !r.quiet {
		for i, w := range s.chans {
			out.Channels[i] = state(w)
		}
		for i, a := range s.masters {
			out.Bus[i] = a.state(&s.engine)
		}
	}
	clear(out.Host)
	for id, p := range r.ports {
		if p.reading {
			out.Host[id] = p.read
		}
	}
	out.Idle = s.engine.idle()
	for _, a := range s.masters {
		out.Idle = out.Idle && !a.busy()
	}
	s.errCode, s.errUnit = 0, nil
	out.Progress = s.edge()
	out.Err, out.Comp = s.errCode, nil
	if s.errUnit != nil {
		out.Comp = s.errUnit.comp
	}
	return out
}

// state is what a master's port shows in this cycle.
func (a *axiMaster) state(e *engine) TestbenchBus {
	return TestbenchBus{
		Comp: a.comp, ARValid: a.arFull, AWValid: a.awFull, WValid: a.wFull,
		ARReady: a.arReady(e), AWReady: a.awReady(e), WReady: a.wReady(e),
		ARID: a.ar.id, ARAddr: a.ar.addr, AWID: a.aw.id, AWAddr: a.aw.addr, WData: a.aw.data, WStrobe: a.strobe(a.aw.addr),
		RValid: a.loaded.valid, RErr: a.loaded.bad, RID: a.loaded.tag, RAddr: a.loaded.addr, RData: a.loaded.data,
		BValid: a.stored.valid, BErr: a.stored.bad, BID: a.stored.tag,
	}
}
