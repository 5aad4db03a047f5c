package cycle

import (
	"fmt"
	"maps"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/latency"
)

// HardwareOptions are the surroundings of a Hardware. Latency and stalls of the buses are as in a
// run (sim/README.md).
type HardwareOptions struct {
	Latency      latency.Profile
	StallPercent int // 0 to 99, of the buses alone
	StallSeed    uint64
	// Memory is what lies behind the buses.
	Memory Memory
}

// HardwareIn is what stands at the ports of <adg>_fabric in one cycle.
type HardwareIn struct {
	// Reset is the soft reset: of all but the buses.
	Reset bool
	// CfgValid, CfgData and CfgLast are the configuration stream.
	CfgValid, CfgLast bool
	CfgData           uint32
	In                []Token  // by boundary input; their tags are nothing
	Ready             []bool   // by boundary output
	Base              []uint64 // by base address
	Size              []uint64 // likewise, in bytes, where a memory has bounds; else it may be nil
	// Host is the access to the on-chip memory number HostMemory of those that the host
	// reaches.
	Host       HostAccess
	HostMemory int
}

// HardwareOut is what <adg>_fabric shows in one cycle, before the clock edge that ends it.
type HardwareOut struct {
	CfgReady bool
	Ready    []bool         // by boundary input; it means something with its valid
	Out      []ChannelState // by boundary output
	Running  bool           // a complete image is loaded
	Idle     bool           // no token inside, no access on a bus, no error that does not show yet
	// Error is the first error since reset, from the second cycle after it, 0 for none.
	Error int
	// HostData is what Host reads, which the memory shows in the next cycle.
	HostData uint64
}

// Hardware is the model of <adg>_fabric, cycle by cycle: the configuration stream, the datapath,
// which is in reset without a complete image, the register of the first error, and the AXI4
// masters, which a soft reset leaves alone.
type Hardware struct {
	fabric  *arch.Fabric
	layout  *config.Layout
	env     *environment
	masters []*axiMaster
	hosts   []*arch.Component
	// cells are the elements of on-chip memories, by component: nothing resets them.
	cells map[int][]uint64
	// bench is the datapath, nil in reset; external are the units of its external memories by
	// their numbers, and the first base address of each.
	bench    *Testbench
	external map[int32]int
	bare     engine // the time of masters without a datapath

	words   []uint32 // the latest of the stream
	count   int      // of the image that is coming in; one more than its words stands for all larger numbers
	loaded  bool     // the stream ends with a complete image
	running bool     // and has for a cycle: what is decoded from it is in registers
	raised  int      // the code that the latest cycle raised, on its way to err
	err     int

	in  TestbenchIn
	out HardwareOut
}

// NewHardware is a fabric after the reset of its bus.
func NewHardware(f *arch.Fabric, l *config.Layout, opts HardwareOptions) (*Hardware, error) {
	if opts.StallPercent < 0 || opts.StallPercent > 99 {
		return nil, fmt.Errorf("cycle: a stall percentage of %d is outside 0 to 99", opts.StallPercent)
	}
	h := &Hardware{fabric: f, layout: l, hosts: f.HostMemories(), cells: map[int][]uint64{},
		env: (&environment{stallPercent: uint64(opts.StallPercent), stallSeed: opts.StallSeed, latency: opts.Latency.OrDefault(), bus: bus{outside: opts.Memory}}).newMemory()}
	masters := mastersOf(f, h.env)
	for _, c := range f.Comps {
		switch {
		case c.External():
			h.masters = append(h.masters, masters[c])
		case c.OnChip():
			h.cells[c.ID] = make([]uint64, c.Mem.Elements)
		}
	}
	h.in.Host = map[int]HostAccess{}
	h.out.Ready, h.out.Out = make([]bool, len(f.Inputs)), make([]ChannelState, len(f.Outputs))
	return h, nil
}

// Refused are the first accesses that got error responses, at most one of each bus.
func (h *Hardware) Refused() []Refusal {
	var list []Refusal
	for _, m := range h.masters {
		if m.refused != nil {
			list = append(list, *m.refused)
		}
	}
	return list
}

// Step simulates one cycle. The result is reused by the next call. An error is an image that no
// simulator can run: with a setting that no image of the fabric has, or with a loop of wires.
func (h *Hardware) Step(in *HardwareIn) (*HardwareOut, error) {
	out := &h.out
	reset := in.Reset || !h.running // of the datapath, which this cycle ends
	out.CfgReady, out.Running, out.Idle, out.Error = !in.Reset, h.running, h.raised == 0 || h.err != 0, h.err
	for _, m := range h.masters {
		m.clear = reset
		out.Idle = out.Idle && !m.busy()
	}
	var host *arch.Component
	if in.Host.Enable {
		host = h.hosts[in.HostMemory]
		out.HostData = 0
		if cells := h.cells[host.ID]; in.Host.Addr < uint64(len(cells)) {
			out.HostData = cells[in.Host.Addr]
		}
	}
	code := h.datapath(in, host)
	if reset {
		h.bench, code = nil, 0
	}
	h.bare.cycle++
	if c := h.configure(in); c != 0 && (code == 0 || c < code) {
		code = c
	}
	if h.err == 0 {
		h.err = h.raised
	}
	h.raised = code
	if in.Reset {
		h.err, h.raised, h.loaded, h.running, h.count = 0, 0, false, false, 0
	}
	if h.running && h.bench == nil {
		return out, h.begin()
	}
	return out, nil
}

// datapath simulates datapath and buses and returns the code that is raised.
func (h *Hardware) datapath(in *HardwareIn, host *arch.Component) int {
	out := &h.out
	if h.bench == nil {
		clear(out.Ready)
		clear(out.Out)
		for _, m := range h.masters {
			m.respond(&h.bare)
		}
		for _, m := range h.masters {
			m.clock(&h.bare)
		}
		if host != nil {
			(&hostPort{en: true, we: in.Host.Write, addr: in.Host.Addr, data: in.Host.Data}).clock(h.cells[host.ID], mask(host.Mem.ElemWidth))
		}
		return 0
	}
	clear(h.in.Host)
	if host != nil {
		h.in.Host[host.ID] = in.Host
	}
	h.in.In, h.in.Ready = in.In, in.Ready
	e := &h.bench.sim.engine
	for unit, first := range h.external {
		switch u := e.units[unit].(type) {
		case *extMemory:
			u.rebase(in.Base[first:])
			u.boundFrom(in.Size, first)
			h.drain(u.port, unit)
		case *taggedExtMemory:
			u.rebase(in.Base[first:])
			u.boundFrom(in.Size, first)
			h.drain(u.port, unit)
		}
	}
	step := h.bench.Step(&h.in)
	out.Idle = out.Idle && step.Idle
	copy(out.Out, step.Out)
	for i, ready := range step.Ready {
		out.Ready[i] = ready || h.fabric.Inputs[i].Chan == nil // which takes everything
	}
	return step.Err
}

// drain has the unit of a master that is closed, or just was, look at it.
func (h *Hardware) drain(p memoryPort, unit int32) {
	if c, ok := p.(*readCache); ok {
		p = c.port
	}
	m := p.(*axiMaster)
	if m.closed() || m.wasClosed {
		h.bench.sim.fdirty.set(unit)
		h.bench.sim.attend(unit)
	}
	m.wasClosed = m.closed()
}

// configure takes a word of the configuration stream and returns the code that it raises.
func (h *Hardware) configure(in *HardwareIn) (code int) {
	h.running = h.loaded && !in.CfgValid
	if !in.CfgValid || in.Reset {
		return 0
	}
	n := h.layout.WordCount
	if len(h.words) == n {
		h.words = slices.Delete(h.words, 0, 1)
	}
	h.words = append(h.words, in.CfgData)
	h.count = min(h.count+1, n+1)
	h.loaded = in.CfgLast && h.count == n
	if in.CfgLast {
		if h.count != n {
			code = CodeImageLength
		}
		h.count = 0
	}
	return code
}

// begin takes the datapath out of reset, with the image that has come in.
func (h *Hardware) begin() error {
	img, err := config.Decode(h.layout, h.words)
	if err != nil {
		return err
	}
	next := 0
	h.bench, err = newTestbench(h.fabric, img, h.env, nil, func(*arch.Component) memoryPort {
		next++
		return h.masters[next-1]
	})
	if err != nil {
		return err
	}
	h.bench.quiet, h.bench.sim.cycle = true, h.bare.cycle
	for id, cells := range h.bench.sim.cells {
		copy(cells, h.cells[id])
	}
	maps.Copy(h.cells, h.bench.sim.cells)
	h.external = map[int32]int{}
	for i, u := range h.bench.sim.units {
		if c := u.base().comp; c != nil && c.External() {
			h.external[int32(i)] = h.fabric.BaseRegister(c, 0)
		}
	}
	return nil
}
