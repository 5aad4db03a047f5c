package circuit

import (
	"fmt"

	"loom/compiler/arch"
)

// Signal is a channel as it can be observed: before its buffer or behind it, or the request
// of an access.
type Signal struct {
	// Stem begins the names of its valid and ready, Data is the name of its data.
	Stem, Data string
	// Channel is the channel, After is set behind its buffer. Nil for a request.
	Channel *Channel
	After   bool
	// Access is the load or store of a request; a store's has a second signal for its data.
	Access *Unit
	Second bool
	Width  int // bits of data, 0 for none
}

// View is a circuit for what knows fabrics: simulators, traces and co-simulation. Its
// components are the units, then the buffers, the arrays and the shared units; its channels are Signals, its
// boundary the inputs and outputs.
type View struct {
	*arch.Fabric
	Signals []Signal
}

// Component kinds of a View beside the kinds of units.
const (
	bufferKind arch.Kind = "buffer"
	arrayKind  arch.Kind = "array"
	shareKind  arch.Kind = "shared unit"
)

// View makes the view of a circuit.
func (c *Circuit) View() *View {
	v := &View{Fabric: &arch.Fabric{Name: c.Name, IndexWidth: c.IndexWidth, StreamOps: []string{}}}
	comp := func(name string, kind arch.Kind) *arch.Component {
		x := &arch.Component{ID: len(v.Comps), Name: name, Def: name, Kind: kind}
		v.Comps = append(v.Comps, x)
		return x
	}
	for _, u := range c.Units {
		x := comp(u.Name, arch.Kind(u.Kind))
		x.Pos = u.Pos
		for i, o := range u.In {
			x.In = append(x.In, arch.Port{Name: portName("in", i), Width: max(o.Width, 1)})
		}
		for i, o := range u.Out {
			x.Out = append(x.Out, arch.Port{Name: portName("out", i)})
			if o != nil {
				x.Out[i].Width = max(o.Width, 1)
			}
		}
	}
	add := func(s Signal, src, dst arch.Endpoint) {
		ch := &arch.Channel{ID: len(v.Channels), Name: s.Stem, Src: src, Dst: dst, Width: max(s.Width, 1)}
		if s.Second {
			ch.Name = s.Data
		}
		v.Channels = append(v.Channels, ch)
		v.Signals = append(v.Signals, s)
		if src.Comp != nil {
			src.Comp.Out[src.Port].Chan = ch
		}
		if dst.Comp != nil {
			dst.Comp.In[dst.Port].Chan = ch
		}
	}
	end := func(e End) arch.Endpoint {
		if e.Unit == nil {
			return arch.Endpoint{Port: e.Port}
		}
		return arch.Endpoint{Comp: v.Comps[e.Unit.ID], Port: e.Port}
	}
	for _, ch := range c.Channels {
		before, after := Signal{Stem: ch.Name, Data: ch.Name + "_data", Channel: ch, Width: ch.Width},
			Signal{Stem: ch.After, Data: ch.After + "_data", Channel: ch, After: true, Width: ch.Width}
		if ch.Buffer.Kind == None {
			add(before, end(ch.From), end(ch.To))
			continue
		}
		x := comp(ch.Name+"_buffer", bufferKind)
		x.In, x.Out = []arch.Port{{Name: "in", Width: max(ch.Width, 1)}}, []arch.Port{{Name: "out", Width: max(ch.Width, 1)}}
		add(before, end(ch.From), arch.Endpoint{Comp: x})
		add(after, arch.Endpoint{Comp: x}, end(ch.To))
	}
	for _, a := range c.Arrays {
		x := comp(a.Name, arrayKind)
		for _, u := range append(append([]*Unit(nil), a.Loads...), a.Stores...) {
			from := v.Comps[u.ID]
			request := func(s Signal, name string) {
				from.Out = append(from.Out, arch.Port{Name: name, Width: max(s.Width, 1)})
				x.In = append(x.In, arch.Port{Name: u.Access + "_" + name, Width: max(s.Width, 1)})
				add(s, arch.Endpoint{Comp: from, Port: len(from.Out) - 1}, arch.Endpoint{Comp: x, Port: len(x.In) - 1})
			}
			request(Signal{Stem: u.Access + "_req", Data: u.Access + "_req_addr", Access: u, Width: a.AddrWidth}, "req_addr")
			if u.Kind == Store {
				request(Signal{Stem: u.Access + "_req", Data: u.Access + "_req_data", Access: u, Second: true, Width: a.Width}, "req_data")
			}
		}
	}
	for _, s := range c.Shares {
		comp(s.Name, shareKind)
	}
	for i, p := range c.Inputs {
		b := &arch.Boundary{Name: p.Name, Type: p.Type, Width: max(p.Width, 1)}
		for _, ch := range v.Channels {
			if ch.Src.Comp == nil && ch.Src.Port == i {
				b.Chan = ch
			}
		}
		v.Inputs = append(v.Inputs, b)
	}
	for i, p := range c.Outputs {
		b := &arch.Boundary{Name: p.Name, Type: p.Type, Width: max(p.Width, 1)}
		for _, ch := range v.Channels {
			if ch.Dst.Comp == nil && ch.Dst.Port == i {
				b.Chan = ch
			}
		}
		v.Outputs = append(v.Outputs, b)
	}
	return v
}

func portName(what string, i int) string { return fmt.Sprint(what, i) }
