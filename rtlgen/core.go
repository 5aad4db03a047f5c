package rtlgen

import (
	"loom/compiler/arch"
	"loom/compiler/config"
)

// coreView is <adg>_core: the fabric without its buses.
type coreView struct {
	Header headerView
	*Signature
	Words      int      // of the configuration image
	Sliced     bool     // some component has configuration
	Cached     bool     // some external memory has a read cache
	Ins, Outs  []link   // boundary ports: Port at the boundary, Net inside
	Dropped    []string // channels without a reader
	Components []*component
	Shared     []*sharedUnit // iterative units of several PEs
	Idle       []string      // components that can hold tokens
	Errors     []*component  // those that can report errors
}

// component is one component of the fabric with everything that its template needs.
type component struct {
	*arch.Component
	Stem string // of the signals that belong to it
	kind
	Slice *slice // nil without configuration
	// In and Out are the channels at the ports of its module.
	In, Out []link
	Width   int       // bits of payload of a switch's ports, of a memory's addresses
	Address int       // bits of an element's index in an on-chip memory
	Module  *peModule // PEs
}

// Bounded reports whether a component has sizes of arrays, and so one error more.
func (x *component) Bounded() bool { return x.External() && x.Mem.Bounds }

// slice is a component's part of the configuration chain.
type slice struct {
	*config.Slice
	Total int    // bits of all its words
	From  string // the signal with the words that enter
	To    string // the signal with the words that leave
}

// link is a channel at a port of a module: the port has To bits of payload, the channel
// From; of an input the lowest Keep bits count. Both have Tag bits of tag above it.
type link struct {
	Port                string // stem of the module's port
	Net                 string // stem of the channel's signals
	Own                 string // stem of signals for this port alone
	From, Keep, To, Tag int
	Open                bool // no channel: Net is Own; no token arrives, every token is taken
	Token               bool // the module's port has no data
}

// coreReserved are the names that core and fabric use for themselves.
var coreReserved = []string{"clk", "rst", "soft_rst", "core_rst", "core_idle", "quiet",
	"cfg_valid", "cfg_ready", "cfg_data", "cfg_last", "error_valid", "error_code", "error_pending",
	"idle", "running", "run", "dp_rst", "cfg_shift", "cfg_word", "loader_err_valid", "loader_err_code"}

// name gives boundary ports, components and channels their names in core and fabric.
func (g *generator) name() {
	names := newScope(coreReserved...)
	for _, p := range g.fabric.Inputs {
		g.inputs = append(g.inputs, names.name(p.Name))
	}
	for _, p := range g.fabric.Outputs {
		g.outputs = append(g.outputs, names.name(p.Name))
	}
	for _, c := range g.fabric.Comps {
		var ports []string
		if c.External() {
			ports = []string{"_ld_req", "_ld_rsp", "_st_req", "_st_rsp", "_base", "_size"}
		}
		g.comps = append(g.comps, names.name(c.Name, ports...))
	}
	for _, group := range g.fabric.Sharers() {
		var stems []string
		for range group[0].PE.Iterative() {
			stems = append(stems, names.name(group[0].Name+"_shared", "_req", "_turn", "_rsp", "__idle"))
		}
		g.shared = append(g.shared, stems)
	}
	for _, ch := range g.fabric.Channels {
		g.chans = append(g.chans, names.name(ch.Name))
	}
}

// core emits the PE modules and <adg>_core.
func (g *generator) core(s *Signature) {
	f := g.fabric
	v := &coreView{Header: g.header(), Signature: s, Words: max(g.layout.WordCount, 1), Sliced: len(g.layout.Slices) > 0}
	for i, p := range f.Inputs {
		v.Ins = append(v.Ins, g.link(g.inputs[i], g.inputs[i], p.Chan, p.Width, p.Width, 0))
	}
	for i, p := range f.Outputs {
		v.Outs = append(v.Outs, g.link(g.outputs[i], g.outputs[i], p.Chan, p.Width, p.Width, 0))
	}
	for _, ch := range f.Channels {
		if ch.Dst.Comp == nil && ch.Dst.Port < 0 {
			v.Dropped = append(v.Dropped, g.chans[ch.ID])
		}
	}
	for _, c := range f.Comps {
		x := g.component(c)
		v.Components = append(v.Components, x)
		v.Cached = v.Cached || c.External() && c.Mem.Cache > 0
		if x.Idle {
			v.Idle = append(v.Idle, x.Stem)
		}
		if x.Errors {
			v.Errors = append(v.Errors, x)
		}
	}
	for k, group := range f.Sharers() {
		v.Shared = append(v.Shared, g.sharedUnits(group, g.shared[k])...)
	}
	for _, x := range v.Shared {
		v.Idle = append(v.Idle, x.Stem)
	}
	g.emit(s.Core+".sv", "core.sv.tmpl", v)
}

// link connects the port of a module, with width bits of payload of which keep are the
// fabric's, to a channel or to nothing.
func (g *generator) link(stem, port string, ch *arch.Channel, keep, width, tag int) link {
	l := link{Port: port, Own: stem + "__" + port, To: width, Tag: tag}
	if ch == nil {
		l.Open, l.Own = true, stem+"__unused_"+port
		l.Net, l.From, l.Keep = l.Own, width, width
		return l
	}
	l.Net, l.From, l.Tag = g.chans[ch.ID], ch.Width, ch.TagWidth
	l.Keep = min(l.From, keep, width)
	return l
}

// input adds input k of the component as a port of its module.
func (g *generator) input(x *component, port string, k, width int) {
	p := x.Component.In[k]
	x.In = append(x.In, g.link(x.Stem, port, p.Chan, p.Width, width, p.TagWidth))
}

// output adds output k of the component as a port of its module.
func (g *generator) output(x *component, port string, k, width int) {
	p := x.Component.Out[k]
	x.Out = append(x.Out, g.link(x.Stem, port, p.Chan, p.Width, width, p.TagWidth))
}
