package cycle

import (
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/sim/memmap"
	"loom/sim/vector"
)

// mask covers the low bits of a port; ports of 64 bits and more carry at most 64
// meaningful ones.
func mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return 1<<width - 1
}

// feed is where an output port of a component gets its tokens: from a net that
// some unit drives, or by wire from an input port of the same component.
type feed struct {
	net   int32 // -1: see below
	input int   // input port it is wired to, -1 for none: nothing ever comes
	// value is, for a PE's output, the function unit's value it is wired to.
	value *value
}

// builder makes nets and units from a configured fabric.
type builder struct {
	f    *arch.Fabric
	img  *config.Image
	env  *environment
	errs *diag.List

	nets    []net
	blocked []bool // nets whose sink never takes anything
	units   []unit
	feeds   [][]feed // by component and output port
	inNets  []int32  // by boundary input
	chans   []wire   // by channel ID; net -1 until resolved
	busy    []bool   // channels being resolved: a second visit is a loop

	regions map[int][]config.Region // settings with base addresses, by component
	sizes   map[int][]uint64        // of the arrays of memories with bounds, likewise
	tokens  []token                 // by boundary input
	owed    []int                   // by boundary output: result index, doneToken or unbound
	sources []*source
	sinks   []*sink
	masters []*axiMaster
	// ofMemory are what stands at the buses, by external memory.
	ofMemory map[*arch.Component]*axiMaster
	bodies   []*body                 // by component, for PEs
	shared   map[string]*fabricShare // by group and hardware
	// port makes what stands behind an external memory; nil for an AXI master.
	port  func(c *arch.Component) memoryPort
	cells map[int][]uint64 // elements of on-chip memories, by component
}

// token is what a boundary input offers.
type token struct {
	present bool
	value   uint64
}

// newNet makes a net without ends.
func (b *builder) newNet() int32 {
	b.nets = append(b.nets, net{src: -1, dst: -1, fwd: -1, bwd: -1})
	b.blocked = append(b.blocked, false)
	return int32(len(b.nets) - 1)
}

func (b *builder) newNets(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = b.newNet()
	}
	return out
}

// dead is a wire that never carries a token.
func (b *builder) dead() wire { return wire{b.newNet(), 0} }

func (b *builder) add(u unit) { b.units = append(b.units, u) }

// bind assigns the tokens of the run to boundary inputs and patches the base addresses
// of its memories.
func (b *builder) bind(bd *mapping.Binding, in *vector.Inputs, regions []memmap.Region) {
	f := b.f
	b.tokens = make([]token, len(f.Inputs))
	b.owed = make([]int, len(f.Outputs))
	for i := range b.owed {
		b.owed[i] = unbound
	}
	b.regions, b.sizes = map[int][]config.Region{}, map[int][]uint64{}
	put := func(what string, port int, v uint64) {
		switch {
		case port < 0 || port >= len(f.Inputs):
			b.errs.Errorf(f.Pos, "%s of kernel '%s' is bound to boundary input %d; fabric '%s' has %d", what, bd.Kernel, port, f.Name, len(f.Inputs))
		case b.tokens[port].present:
			b.errs.Errorf(f.Pos, "boundary input '%s' is bound twice, the second time to %s", f.Inputs[port].Name, what)
		default:
			b.tokens[port] = token{true, v & mask(f.Inputs[port].Width)}
		}
	}
	for i, a := range bd.Args {
		arg := in.Args[i]
		_, wantsMem := a.Type.(*ir.MemRefType)
		switch {
		case wantsMem != (arg.Mem != nil):
			b.errs.Errorf(diag.Pos{}, "argument '%s' of kernel '%s' has type %s, which the input does not match", a.Name, bd.Kernel, a.Type)
		case !wantsMem && a.Input >= 0:
			put("argument '"+a.Name+"'", a.Input, arg.Scalar)
		case wantsMem:
			for r := range regions {
				for _, at := range a.Places() {
					if regions[r].Arg == i {
						b.patch("argument '"+a.Name+"'", at, &regions[r])
					}
				}
			}
		}
	}
	for r := range regions {
		if k := regions[r].Table; k >= 0 {
			for _, at := range bd.Tables[k].Places() {
				b.patch("table '"+bd.Tables[k].Name+"'", at, &regions[r])
			}
		}
	}
	put("the start token", bd.Start, 0)
	owe := func(what string, port, who int) {
		switch {
		case port < 0 || port >= len(f.Outputs):
			b.errs.Errorf(f.Pos, "%s of kernel '%s' is bound to boundary output %d; fabric '%s' has %d", what, bd.Kernel, port, f.Name, len(f.Outputs))
		case b.owed[port] != unbound:
			b.errs.Errorf(f.Pos, "boundary output '%s' is bound twice, the second time to %s", f.Outputs[port].Name, what)
		default:
			b.owed[port] = who
		}
	}
	for i, r := range bd.Results {
		owe("result '"+r.Name+"'", r.Output, i)
	}
	owe("the done token", bd.Done, doneToken)
}

// patch writes a base address into the address table that serves an argument or a table, and its
// size beside.
func (b *builder) patch(what string, at mapping.At, r *memmap.Region) {
	mem, region := at.Mem, at.Region
	if mem < 0 || mem >= len(b.f.Comps) || !b.f.Comps[mem].External() {
		b.errs.Errorf(b.f.Pos, "%s is bound to component %d, which is no external memory", what, mem)
		return
	}
	c := b.f.Comps[mem]
	if c.Mem.ElemBytes() != r.ElemBytes {
		b.errs.Errorf(c.Pos, "%s has elements of %d bytes, external memory '%s' accesses %d at a time", what, r.ElemBytes, c.Name, c.Mem.ElemBytes())
		return
	}
	t, ok := b.regions[c.ID]
	if !ok {
		t = append(t, b.img.Settings[c.ID].Regions...)
	}
	if region < 0 || region >= len(t) {
		b.errs.Errorf(c.Pos, "%s is bound to region %d of '%s', which has %d", what, region, c.Name, len(t))
		return
	}
	t[region].Offset = r.Base
	b.regions[c.ID] = t
	if c.Mem.Bounds {
		if b.sizes[c.ID] == nil {
			b.sizes[c.ID] = slices.Repeat([]uint64{Unlimited}, len(t))
		}
		b.sizes[c.ID][region] = r.Size()
	}
}

// prepare makes room for the parts of the fabric.
func (b *builder) prepare() {
	f := b.f
	b.inNets = b.newNets(len(f.Inputs))
	b.feeds = make([][]feed, len(f.Comps))
	b.bodies = make([]*body, len(f.Comps))
	b.cells = map[int][]uint64{}
	b.chans = make([]wire, len(f.Channels))
	b.busy = make([]bool, len(f.Channels))
	for i := range b.chans {
		b.chans[i].net = -1
	}
}

// build makes the units. First every component declares what drives its outputs,
// so that every channel can be traced to the net that drives it; then the units
// are connected.
func (b *builder) build() {
	f := b.f
	b.prepare()
	for _, c := range f.Comps {
		b.declare(c)
	}
	if b.errs.Err() != nil {
		return
	}
	for i, in := range f.Inputs {
		t := b.tokens[i]
		s := &source{node: node{what: "input '" + in.Name + "'", out: b.inNets[i : i+1], regFwd: true, regBwd: true},
			env: b.env, port: i, value: t.value, pending: t.present}
		b.sources = append(b.sources, s)
		b.add(s)
	}
	for _, c := range f.Comps {
		b.connect(c)
	}
	for i, out := range f.Outputs {
		if out.Chan == nil {
			continue
		}
		w := b.channel(out.Chan)
		w.mask &= mask(out.Width)
		s := &sink{node: node{what: "output '" + out.Name + "'", in: []wire{w}, regFwd: true, regBwd: true},
			env: b.env, port: i, result: b.owed[i]}
		b.sinks = append(b.sinks, s)
		b.add(s)
	}
	for i, who := range b.owed {
		if who != unbound && f.Outputs[i].Chan == nil {
			b.errs.Errorf(f.Pos, "boundary output '%s' is not connected, but kernel results are due there", f.Outputs[i].Name)
		}
	}
	for _, ch := range f.Channels {
		b.channel(ch)
	}
}

// channel resolves what a channel carries: the net of the unit that drives it and
// the bits that survive the ports on its path.
func (b *builder) channel(ch *arch.Channel) wire {
	if b.chans[ch.ID].net >= 0 {
		return b.chans[ch.ID]
	}
	var w wire
	if b.busy[ch.ID] {
		b.errs.Errorf(b.f.Pos, "channel '%s' of fabric '%s' is part of a loop of wires", ch.Name, b.f.Name).
			WithHelp("the configuration closes a combinational loop: put a FIFO that is not bypassed into it")
		w = b.dead()
		b.chans[ch.ID] = w
		return w
	}
	b.busy[ch.ID] = true
	if c := ch.Src.Comp; c != nil {
		w = b.follow(c, b.feeds[c.ID][ch.Src.Port])
		w.mask &= mask(c.Out[ch.Src.Port].Width)
	} else {
		w = wire{b.inNets[ch.Src.Port], mask(b.f.Inputs[ch.Src.Port].Width)}
	}
	b.busy[ch.ID] = false
	w.mask &= mask(ch.Width)
	if b.chans[ch.ID].net < 0 {
		b.chans[ch.ID] = w
	}
	return w
}

func (b *builder) follow(c *arch.Component, f feed) wire {
	switch {
	case f.net >= 0:
		return wire{f.net, ^uint64(0)}
	case f.value != nil:
		return b.bodies[c.ID].wireOf(b, f.value)
	case f.input >= 0:
		return b.input(c, f.input)
	}
	return b.dead()
}

// input is what a component reads at an input port.
func (b *builder) input(c *arch.Component, port int) wire {
	p := &c.In[port]
	if p.Chan == nil {
		return b.dead()
	}
	w := b.channel(p.Chan)
	w.mask &= mask(p.Width)
	return w
}
