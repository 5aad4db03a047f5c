package cycle

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/latency"
)

// Token is what a channel carries in one cycle. Data and Tag mean something only
// while Valid is true.
type Token struct {
	Valid bool
	Data  uint64
	Tag   uint16 // 0 on untagged channels
}

// HostAccess is what the host does at the port of a memory that is not private: in a
// cycle with Enable it reads element Addr, and writes Data there with Write.
type HostAccess struct {
	Enable, Write bool
	Addr, Data    uint64
}

// BusResponse is what arrives at a response port of an external memory.
type BusResponse struct {
	Valid, Err bool
	Tag        uint16
	Data       uint64 // of a load
}

// BusRequest is what an external memory offers at a request port.
type BusRequest struct {
	Valid bool
	Tag   uint16
	Addr  uint64 // in bytes
	Data  uint64 // of a store
}

// BenchIn is what the surroundings of a component do in one cycle.
type BenchIn struct {
	In    []Token // by input port
	Ready []bool  // by output port
	// Host belongs to on-chip memories, the rest to external ones. A response belongs
	// to a request of an earlier cycle; any other violates the contract of the memory.
	Host                   HostAccess
	LdReqReady, StReqReady bool
	LdRsp, StRsp           BusResponse
	// Size has the sizes of the arrays of a memory with bounds, in bytes by region; they are
	// constant, nil is no limit.
	Size []uint64
}

// BenchOut is what a component shows in one cycle.
type BenchOut struct {
	Ready []bool  // by input port; it means something while the input is valid
	Out   []Token // by output port
	LdReq BusRequest
	StReq BusRequest
	// HostData is what the host read in the cycle before, if HostRead is true.
	HostRead bool
	HostData uint64
	Err      int // the error code of this cycle, 0 for none
	Idle     bool
}

// Bench drives the ports of one component cycle by cycle: the model that the RTL of
// the component is compared with.
type Bench struct {
	sim  *Sim
	in   []int32
	tags []uint64 // masks of the inputs' tags
	outs []wire
	port *drivenPort
	out  BenchOut
}

// drivenPort is the bus of an external memory on a bench.
type drivenPort struct {
	loaded, stored response
	ld, st         bool // ready
}

func (p *drivenPort) respond(*engine)                       {}
func (p *drivenPort) responses() (loaded, stored *response) { return &p.loaded, &p.stored }
func (p *drivenPort) ldReady(*engine) bool                  { return p.ld }
func (p *drivenPort) stReady(*engine) bool                  { return p.st }
func (p *drivenPort) clock(*engine)                         {}
func (p *drivenPort) load(uint64, uint16, bool)             {}
func (p *drivenPort) store(uint64, uint16, uint64, bool)    {}
func (p *drivenPort) busy() bool                            { return false }

// NewBench puts a configured component of any kind on a bench, in the state after
// reset. Only its ports' widths count, not where they are connected; it is not
// changed. indexWidth is the width of index in the fabric. A setting that does not fit
// the component is an error.
func NewBench(c *arch.Component, set config.Setting, indexWidth int) (*Bench, error) {
	own := *c
	own.ID = 0
	own.In, own.Out = append([]arch.Port(nil), c.In...), append([]arch.Port(nil), c.Out...)
	f := &arch.Fabric{Name: c.Name, IndexWidth: indexWidth, Comps: []*arch.Component{&own}}
	b := &Bench{port: &drivenPort{}}
	var errs diag.List
	bl := &builder{f: f, img: &config.Image{Settings: []config.Setting{set}}, env: &environment{latency: latency.Default}, errs: &errs,
		port: func(*arch.Component) memoryPort { return b.port }}
	for i := range own.In {
		p := &own.In[i]
		p.Chan = &arch.Channel{ID: len(f.Channels), Name: p.Name, Src: arch.Endpoint{Port: i}, Dst: arch.Endpoint{Comp: &own, Port: i}, Width: p.Width, TagWidth: p.TagWidth}
		f.Channels = append(f.Channels, p.Chan)
		f.Inputs = append(f.Inputs, &arch.Boundary{Name: p.Name, Width: p.Width, Chan: p.Chan})
		b.tags = append(b.tags, mask(p.TagWidth))
	}
	for o := range own.Out {
		p := &own.Out[o]
		p.Chan = &arch.Channel{ID: len(f.Channels), Name: p.Name, Src: arch.Endpoint{Comp: &own, Port: o}, Dst: arch.Endpoint{Port: o}, Width: p.Width, TagWidth: p.TagWidth}
		f.Channels = append(f.Channels, p.Chan)
	}
	bl.prepare()
	bl.declare(&own)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	bl.connect(&own)
	for o := range own.Out {
		b.outs = append(b.outs, bl.channel(own.Out[o].Chan))
	}
	if err := errs.Err(); err != nil {
		return nil, err
	}
	b.in = bl.inNets
	b.sim = &Sim{fabric: f, env: bl.env}
	if err := bl.finish(b.sim); err != nil {
		return nil, err
	}
	b.out = BenchOut{Ready: make([]bool, len(own.In)), Out: make([]Token, len(own.Out))}
	return b, nil
}

// SetDeadlockTimeout sets for how many cycles a store address or its data may wait
// alone in a memory, where the hardware has another DEADLOCK_TIMEOUT than the fabric
// states.
func (b *Bench) SetDeadlockTimeout(cycles int) { b.sim.setTimeout(cycles) }

func (s *Sim) setTimeout(cycles int) {
	for _, u := range s.units {
		switch m := u.(type) {
		case *memory:
			m.st.timeout = cycles
		case *extMemory:
			m.st.timeout = cycles
		case *taggedMemory:
			m.st.setTimeout(cycles)
		case *taggedExtMemory:
			m.st.setTimeout(cycles)
		}
	}
}

// Step simulates one cycle: the component sees in, and what it shows is returned, up to
// the clock edge that ends the cycle. The result is reused by the next call.
func (b *Bench) Step(in *BenchIn) *BenchOut {
	s := b.sim
	for i, net := range b.in {
		t := &in.In[i]
		s.driveTagged(net, t.Valid, t.Data&b.dataMask(i), t.Tag&uint16(b.tags[i]))
	}
	for o, w := range b.outs {
		s.accept(w, in.Ready[o])
	}
	b.surround(in)
	s.settle()

	out := &b.out
	for i, net := range b.in {
		out.Ready[i] = s.nets[net].ready
	}
	for o, w := range b.outs {
		out.Out[o] = Token{s.valid(w), s.val(w), s.tag(w)}
	}
	out.Idle = s.engine.idle()
	for _, u := range s.units {
		switch m := u.(type) {
		case *memory:
			out.HostRead, out.HostData = m.host.reading, m.host.read
		case *taggedMemory:
			out.HostRead, out.HostData = m.host.reading, m.host.read
		case *extMemory:
			out.LdReq, out.StReq = m.busLoad(&s.engine), m.storeRequest()
		case *taggedExtMemory:
			out.LdReq, out.StReq = m.busLoad(&s.engine), m.storeRequest()
		}
	}
	s.errCode = 0
	s.edge()
	out.Err = s.errCode
	return out
}

func (b *Bench) dataMask(i int) uint64 { return mask(b.sim.fabric.Inputs[i].Width) }

// surround sets what reaches a memory on no channel, and has it looked at when that
// may make a difference.
func (b *Bench) surround(in *BenchIn) {
	bus := func(r *BusResponse) response {
		x := response{valid: r.Valid, tag: r.Tag, data: r.Data, bad: r.Err}
		if x.bad {
			x.data = 0
		}
		return x
	}
	p := b.port
	p.ld, p.st, p.loaded, p.stored = in.LdReqReady, in.StReqReady, bus(&in.LdRsp), bus(&in.StRsp)
	for i, u := range b.sim.units {
		var host *hostPort
		switch m := u.(type) {
		case *memory:
			host = &m.host
		case *taggedMemory:
			host = &m.host
		case *extMemory:
			if in.Size != nil {
				m.bound(in.Size)
			}
			b.sim.fdirty.set(int32(i))
			b.sim.attend(int32(i))
			continue
		case *taggedExtMemory:
			if in.Size != nil {
				m.bound(in.Size)
			}
			b.sim.fdirty.set(int32(i))
			b.sim.attend(int32(i))
			continue
		default:
			continue
		}
		if in.Host.Enable || host.en || host.reading {
			b.sim.fdirty.set(int32(i))
			b.sim.attend(int32(i))
		}
		host.en, host.we, host.addr, host.data = in.Host.Enable, in.Host.Write, in.Host.Addr, in.Host.Data
	}
}
