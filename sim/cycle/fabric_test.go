package cycle

import (
	"fmt"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/sim/vector"
)

// fab builds configured fabrics by hand: every PE has one active unit, every
// input port of it one operand.
type fab struct {
	t  testing.TB
	f  *arch.Fabric
	im *config.Image
	bd *mapping.Binding
	in *vector.Inputs
}

func newFab(t testing.TB) *fab {
	return &fab{t: t, f: &arch.Fabric{Name: "hand", IndexWidth: 64}, im: &config.Image{}, bd: &mapping.Binding{Kernel: "k", Done: -1}, in: &vector.Inputs{}}
}

type end = arch.Endpoint

func hwWidth(t ir.Type) int {
	w, _ := ir.BitWidth(t, 64)
	return max(w, 1)
}

// link connects two ends.
func (b *fab) link(src, dst end) {
	c := &arch.Channel{ID: len(b.f.Channels), Name: fmt.Sprintf("c%d", len(b.f.Channels)), Src: src, Dst: dst}
	if src.Comp != nil {
		src.Comp.Out[src.Port].Chan = c
		c.Width, c.TagWidth = src.Comp.Out[src.Port].Width, src.Comp.Out[src.Port].TagWidth
	} else {
		b.f.Inputs[src.Port].Chan = c
		c.Width = b.f.Inputs[src.Port].Width
	}
	if dst.Comp != nil {
		dst.Comp.In[dst.Port].Chan = c
	} else if dst.Port >= 0 {
		b.f.Outputs[dst.Port].Chan = c
	}
	b.f.Channels = append(b.f.Channels, c)
}

func portOf(name string, t ir.Type) arch.Port {
	if tt, tagged := t.(*ir.TaggedType); tagged {
		w, _ := ir.BitWidth(tt.Value, 64)
		return arch.Port{Name: name, Type: t, Width: w, TagWidth: tt.TagWidth}
	}
	return arch.Port{Name: name, Type: t, Width: hwWidth(t)}
}

func (b *fab) comp(kind arch.Kind, name string, in, out []ir.Type) *arch.Component {
	c := &arch.Component{ID: len(b.f.Comps), Name: name, Kind: kind}
	for i, t := range in {
		c.In = append(c.In, portOf(fmt.Sprintf("in%d", i), t))
	}
	for i, t := range out {
		c.Out = append(c.Out, portOf(fmt.Sprintf("out%d", i), t))
	}
	b.f.Comps = append(b.f.Comps, c)
	b.im.Settings = append(b.im.Settings, config.Setting{})
	return c
}

func (b *fab) set(c *arch.Component) *config.Setting { return &b.im.Settings[c.ID] }

// connect links sources to the inputs of a component in order; zero ends are
// left for later.
func (b *fab) connect(c *arch.Component, srcs []end) {
	for i, s := range srcs {
		if s != (end{Port: -9}) {
			b.link(s, end{Comp: c, Port: i})
		}
	}
}

var later = end{Port: -9}

// arg adds a boundary input with a token.
func (b *fab) arg(name string, t ir.Type, v uint64) end {
	b.f.Inputs = append(b.f.Inputs, &arch.Boundary{Name: name, Type: t, Width: hwWidth(t)})
	b.bd.Args = append(b.bd.Args, mapping.ArgBinding{Name: name, Type: t, Input: len(b.f.Inputs) - 1, Mem: -1})
	b.in.Args = append(b.in.Args, vector.Arg{Name: name, Type: t, Scalar: v})
	return end{Port: len(b.f.Inputs) - 1}
}

func (b *fab) start() end {
	b.f.Inputs = append(b.f.Inputs, &arch.Boundary{Name: "start", Type: ir.None, Width: 1})
	b.bd.Start = len(b.f.Inputs) - 1
	return end{Port: b.bd.Start}
}

func (b *fab) boundary(name string, t ir.Type, src end) int {
	b.f.Outputs = append(b.f.Outputs, &arch.Boundary{Name: name, Type: t, Width: hwWidth(t)})
	k := len(b.f.Outputs) - 1
	b.link(src, end{Port: k})
	return k
}

func (b *fab) result(name string, t ir.Type, src end) {
	b.bd.Results = append(b.bd.Results, mapping.ResultBinding{Name: name, Type: t, Output: b.boundary(name, t, src)})
}

func (b *fab) done(src end) { b.bd.Done = b.boundary("done", ir.None, src) }

// unit makes a function unit of one operation.
func unitOf(name string, in, out []ir.Type, latency int, attrs ...any) *arch.FunctionUnit {
	blk := (&ir.Region{}).AddBlock()
	var args []*ir.Value
	fu := &arch.FunctionUnit{Name: name, Latency: latency, Interval: 1}
	for i, t := range in {
		args = append(args, blk.AddArg(t, "", diag.Pos{}))
		fu.In = append(fu.In, arch.FUPort{Name: fmt.Sprint("a", i), Type: t, Width: hwWidth(t)})
	}
	op := ir.NewOp(name, diag.Pos{}, args, out)
	for i := 0; i < len(attrs); i += 2 {
		op.SetAttr(attrs[i].(string), attrs[i+1].(ir.Attr))
	}
	fo := &arch.FUOp{Op: op, Field: -1}
	for i := range in {
		fo.Operands = append(fo.Operands, arch.ValueRef{Arg: i, Op: -1})
	}
	fu.Ops = []*arch.FUOp{fo}
	if len(fu.Fields(64)) > 0 {
		fo.Field = 0
	}
	for i, t := range out {
		fu.Out = append(fu.Out, arch.FUPort{Name: fmt.Sprint("r", i), Type: t, Width: hwWidth(t)})
		fu.Yield = append(fu.Yield, arch.ValueRef{Op: 0, Result: i})
	}
	return fu
}

// pe adds a PE that runs one unit, and returns its outputs.
func (b *fab) pe(name string, fu *arch.FunctionUnit, fields []uint64, srcs ...end) *arch.Component {
	var in, out []ir.Type
	for _, p := range fu.In {
		in = append(in, p.Type)
	}
	for _, p := range fu.Out {
		out = append(out, p.Type)
	}
	c := b.comp(arch.SpatialPE, name, in, out)
	c.PE = &arch.PESpec{FUs: []*arch.FunctionUnit{fu}}
	s := config.DisabledPE(c.PE)
	s.Enable = true
	for i := range s.In {
		s.In[i] = config.Selector{Sel: i}
	}
	for i := range s.Out {
		s.Out[i] = config.Selector{Sel: i}
	}
	copy(s.Fields, fields)
	b.set(c).PE = s
	b.connect(c, srcs)
	return c
}

func (b *fab) op(name string, in, out []ir.Type, fields []uint64, srcs ...end) *arch.Component {
	return b.pe(fmt.Sprintf("pe%d", len(b.f.Comps)), unitOf(name, in, out, 0), fields, srcs...)
}

// sw adds a switch of one type that sends input i to the outputs in to[i].
func (b *fab) sw(t ir.Type, outs int, to [][]int, srcs ...end) *arch.Component {
	in, out := make([]ir.Type, len(srcs)), make([]ir.Type, outs)
	for i := range in {
		in[i] = t
	}
	for i := range out {
		out[i] = t
	}
	c := b.comp(arch.SpatialSwitch, fmt.Sprintf("sw%d", len(b.f.Comps)), in, out)
	c.Switch = &arch.SwitchSpec{}
	s := &config.SwitchSetting{Discard: make([]bool, len(in))}
	for range out {
		row := make([]bool, len(in))
		for i := range row {
			row[i] = true
		}
		c.Switch.Connect = append(c.Switch.Connect, row)
		s.Route = append(s.Route, -1)
	}
	for i, os := range to {
		for _, o := range os {
			s.Route[o] = i
		}
	}
	b.set(c).Switch = s
	b.connect(c, srcs)
	return c
}

func (b *fab) fifo(t ir.Type, depth int, src end) *arch.Component {
	c := b.comp(arch.FIFO, fmt.Sprintf("fifo%d", len(b.f.Comps)), []ir.Type{t}, []ir.Type{t})
	c.FIFO = &arch.FIFOSpec{Depth: depth, Bypassable: true}
	b.connect(c, []end{src})
	return c
}

// mem adds an external memory for a new memory argument: ports ldaddr, staddr,
// stdata to lddata, lddone, stdone.
func (b *fab) mem(name string, elem ir.Type, data []uint64, srcs ...end) *arch.Component {
	w := max(8, hwWidth(elem))
	c := b.comp(arch.ExtMemory, "mem_"+name, []ir.Type{ir.Index, ir.Index, elem}, []ir.Type{elem, ir.None, ir.None})
	mt := ir.MemRef([]int64{ir.Dynamic}, elem)
	c.Mem = &arch.MemorySpec{LdCount: 1, StCount: 1, LSQDepth: 4, NumRegion: 1, ElemWidth: w, Type: mt,
		LdAddr: 0, StAddr: 1, StData: 2, LdData: 0, LdDone: 1, StDone: 2}
	b.set(c).Regions = []config.Region{{Valid: true}}
	b.bd.Args = append(b.bd.Args, mapping.ArgBinding{Name: name, Type: mt, Input: -1, Mem: c.ID})
	b.in.Args = append(b.in.Args, vector.Arg{Name: name, Type: mt, Mem: &vector.Memory{Name: name, Elem: elem, Shape: []int64{int64(len(data))}, Data: data}})
	b.connect(c, srcs)
	return c
}

func out(c *arch.Component, port int) end { return end{Comp: c, Port: port} }

// unused ends an output in an unused channel.
func (b *fab) unused(src end) { b.link(src, end{Port: -1}) }

func (b *fab) run(opts Options) *vector.Outcome {
	b.t.Helper()
	s, err := New(b.f, b.im, b.bd, b.in, opts)
	if err != nil {
		b.t.Fatal(err)
	}
	o, err := s.Run()
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}
