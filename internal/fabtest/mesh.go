// Package fabtest makes small fabrics and dataflow graphs for the tests of the
// mapper and its reports, without reading any text.
package fabtest

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// UnitOp describes one operation of a function unit.
type UnitOp struct {
	Name string
	Ins  []ir.Type
	Outs []ir.Type
	// StepOp is the step operator of a dataflow.stream.
	StepOp string
}

// Unit makes a function unit with one operation.
func Unit(name string, u UnitOp, iw int) *arch.FunctionUnit {
	fu := &arch.FunctionUnit{Name: name, Interval: 1}
	switch u.Name {
	case opname.DataflowStream, opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowGate:
		fu.Latency, fu.Interval = -1, -1
	}
	var args []*ir.Value
	op := &arch.FUOp{Field: -1}
	for i, t := range u.Ins {
		args = append(args, &ir.Value{Type: t, Index: i})
		fu.In = append(fu.In, arch.FUPort{Name: fmt.Sprintf("a%d", i), Type: t, Width: width(t, iw)})
		op.Operands = append(op.Operands, arch.ValueRef{Arg: i, Op: -1})
	}
	op.Op = ir.NewOp(u.Name, fu.Pos, args, u.Outs)
	if u.StepOp != "" {
		op.Op.SetAttr("step_op", ir.StrAttr(u.StepOp))
	}
	for j, t := range u.Outs {
		fu.Out = append(fu.Out, arch.FUPort{Name: fmt.Sprintf("y%d", j), Type: t, Width: width(t, iw)})
		fu.Yield = append(fu.Yield, arch.ValueRef{Arg: -1, Op: 0, Result: j})
	}
	fu.Ops = []*arch.FUOp{op}
	if len(fu.Fields(iw)) > 0 {
		op.Field = 0
	}
	return fu
}

// MulAdd makes a unit that computes a*b+c on 32 bits in one firing.
func MulAdd(iw int) *arch.FunctionUnit {
	fu := &arch.FunctionUnit{Name: "muladd", Latency: 0, Interval: 1}
	var a []*ir.Value
	for i := range 3 {
		a = append(a, &ir.Value{Type: ir.I32, Index: i})
		fu.In = append(fu.In, arch.FUPort{Name: fmt.Sprintf("a%d", i), Type: ir.I32, Width: 32})
	}
	mul := ir.NewOp(opname.ArithMulI, fu.Pos, []*ir.Value{a[0], a[1]}, []ir.Type{ir.I32})
	add := ir.NewOp(opname.ArithAddI, fu.Pos, []*ir.Value{mul.Result(0), a[2]}, []ir.Type{ir.I32})
	fu.Ops = []*arch.FUOp{
		{Op: mul, Operands: []arch.ValueRef{{Arg: 0, Op: -1}, {Arg: 1, Op: -1}}, Field: -1},
		{Op: add, Operands: []arch.ValueRef{{Op: 0}, {Arg: 2, Op: -1}}, Field: -1},
	}
	fu.Out = []arch.FUPort{{Name: "y", Type: ir.I32, Width: 32}}
	fu.Yield = []arch.ValueRef{{Op: 1}}
	return fu
}

func width(t ir.Type, iw int) int {
	w, _ := ir.BitWidth(t, iw)
	return max(w, 1)
}

// IntUnits are the units of a general-purpose PE on 32-bit data and index
// addresses.
func IntUnits() []UnitOp {
	i1, i32, x, none := ir.Type(ir.I1), ir.Type(ir.I32), ir.Type(ir.Index), ir.Type(ir.None)
	t := func(ts ...ir.Type) []ir.Type { return ts }
	var out []UnitOp
	for _, n := range []string{"addi", "subi", "muli", "andi", "ori", "xori"} {
		out = append(out, UnitOp{Name: "arith." + n, Ins: t(x, x), Outs: t(x)})
	}
	return append(out,
		UnitOp{Name: opname.ArithCmpI, Ins: t(i32, i32), Outs: t(i1)},
		UnitOp{Name: opname.ArithCmpI, Ins: t(x, x), Outs: t(i1)},
		UnitOp{Name: opname.ArithSelect, Ins: t(i1, x, x), Outs: t(x)},
		UnitOp{Name: opname.ArithExtSI, Ins: t(i32), Outs: t(x)},
		UnitOp{Name: opname.HandshakeConstant, Ins: t(none), Outs: t(x)},
		UnitOp{Name: opname.HandshakeJoin, Ins: t(none, none, none, none), Outs: t(none)},
		UnitOp{Name: opname.HandshakeMux, Ins: t(i1, x, x), Outs: t(x)},
		UnitOp{Name: opname.HandshakeCondBr, Ins: t(i1, x), Outs: t(x, x)},
		UnitOp{Name: opname.HandshakeLoad, Ins: t(x, i32, none), Outs: t(i32, x)},
		UnitOp{Name: opname.HandshakeStore, Ins: t(x, i32, none), Outs: t(i32, x)},
		UnitOp{Name: opname.DataflowStream, Ins: t(x, x, x), Outs: t(x, i1), StepOp: "+="},
		UnitOp{Name: opname.DataflowGate, Ins: t(x, i1), Outs: t(x, i1)},
		UnitOp{Name: opname.DataflowCarry, Ins: t(i1, x, x), Outs: t(x)},
		UnitOp{Name: opname.DataflowInvariant, Ins: t(i1, x), Outs: t(x)},
	)
}

// Options shape a mesh.
type Options struct {
	Rows, Cols int
	// Tracks is the number of channels per direction between neighbour switches
	// (0: 2), Depth the depth of every FIFO (0: 2).
	Tracks, Depth int
	// Memories is the number of 32-bit external memories, Ins and Outs the number
	// of boundary ports.
	Memories, Ins, Outs int
	// Bridges are further memories, tagged or not.
	Bridges []Memory
	// Units of every PE (nil: IntUnits); Extra are added to all PEs.
	Units []UnitOp
	Extra []*arch.FunctionUnit
	// NoPEFIFO leaves out the FIFOs at PE inputs, Bypass makes FIFOs bypassable.
	NoPEFIFO, Bypass bool
}

// builder adds components and channels.
type builder struct {
	f *arch.Fabric
	o Options
	w int
}

func (b *builder) comp(kind arch.Kind, name string, x, y float64) *arch.Component {
	c := &arch.Component{ID: len(b.f.Comps), Name: name, Kind: kind, X: x, Y: y, Placed: true}
	b.f.Comps = append(b.f.Comps, c)
	return c
}

func (b *builder) inPort(c *arch.Component, w int) arch.Endpoint {
	c.In = append(c.In, arch.Port{Name: fmt.Sprintf("i%d", len(c.In)), Type: ir.Bits(w), Width: w})
	return arch.Endpoint{Comp: c, Port: len(c.In) - 1}
}

func (b *builder) outPort(c *arch.Component, w int) arch.Endpoint {
	c.Out = append(c.Out, arch.Port{Name: fmt.Sprintf("o%d", len(c.Out)), Type: ir.Bits(w), Width: w})
	return arch.Endpoint{Comp: c, Port: len(c.Out) - 1}
}

func (b *builder) channel(src, dst arch.Endpoint, w int) {
	ch := &arch.Channel{ID: len(b.f.Channels), Src: src, Dst: dst, Width: w}
	ch.Name = fmt.Sprintf("ch%d", ch.ID)
	b.f.Channels = append(b.f.Channels, ch)
	if src.Comp != nil {
		src.Comp.Out[src.Port].Chan = ch
	} else {
		b.f.Inputs[src.Port].Chan = ch
	}
	if dst.Comp != nil {
		dst.Comp.In[dst.Port].Chan = ch
	} else if dst.Port >= 0 {
		b.f.Outputs[dst.Port].Chan = ch
	}
}

// link joins two ports through a FIFO.
func (b *builder) link(src, dst arch.Endpoint, name string) {
	x, y := 0.0, 0.0
	if src.Comp != nil && dst.Comp != nil {
		x, y = (src.Comp.X+dst.Comp.X)/2, (src.Comp.Y+dst.Comp.Y)/2
	}
	q := b.comp(arch.FIFO, name, x, y)
	q.Def = "fifo"
	q.FIFO = &arch.FIFOSpec{Depth: b.o.Depth, Bypassable: b.o.Bypass}
	b.channel(src, b.inPort(q, b.w), b.w)
	b.channel(b.outPort(q, b.w), dst, b.w)
}

// Mesh makes a mesh of equal PEs in the cells of a switch grid, with memories
// and boundary ports at the switches of the rim.
func Mesh(o Options) *arch.Fabric {
	if o.Tracks == 0 {
		o.Tracks = 2
	}
	if o.Depth == 0 {
		o.Depth = 2
	}
	if o.Units == nil {
		o.Units = IntUnits()
	}
	const iw = 64
	b := &builder{f: &arch.Fabric{Name: fmt.Sprintf("mesh%dx%d", o.Rows, o.Cols), IndexWidth: iw}, o: o, w: iw}
	var fus []*arch.FunctionUnit
	for i, u := range o.Units {
		fus = append(fus, Unit(fmt.Sprintf("u%d_%s", i, u.Name), u, iw))
	}
	fus = append(fus, o.Extra...)
	sw := make([][]*arch.Component, o.Rows+1)
	for r := range sw {
		for c := range o.Cols + 1 {
			s := b.comp(arch.SpatialSwitch, fmt.Sprintf("sw_%d_%d", r, c), float64(c), float64(r))
			s.Def = s.Name
			s.Switch = &arch.SwitchSpec{}
			sw[r] = append(sw[r], s)
		}
	}
	for r := range o.Rows {
		for c := range o.Cols {
			pe := b.comp(arch.SpatialPE, fmt.Sprintf("pe_%d_%d", r, c), float64(c)+0.5, float64(r)+0.5)
			pe.Def = "pe"
			pe.PE = &arch.PESpec{FUs: fus}
			for k, s := range []*arch.Component{sw[r][c], sw[r][c+1], sw[r+1][c], sw[r+1][c+1]} {
				in := b.inPort(pe, iw)
				if o.NoPEFIFO {
					b.channel(b.outPort(s, iw), in, iw)
				} else {
					b.link(b.outPort(s, iw), in, fmt.Sprintf("fifo_pe_%d_%d_%d", r, c, k))
				}
				b.channel(b.outPort(pe, iw), b.inPort(s, iw), iw)
			}
		}
	}
	for r := range sw {
		for c := range sw[r] {
			for t := range o.Tracks {
				if c < o.Cols {
					b.link(b.outPort(sw[r][c], iw), b.inPort(sw[r][c+1], iw), fmt.Sprintf("fifo_e_%d_%d_%d", r, c, t))
					b.link(b.outPort(sw[r][c+1], iw), b.inPort(sw[r][c], iw), fmt.Sprintf("fifo_w_%d_%d_%d", r, c, t))
				}
				if r < o.Rows {
					b.link(b.outPort(sw[r][c], iw), b.inPort(sw[r+1][c], iw), fmt.Sprintf("fifo_s_%d_%d_%d", r, c, t))
					b.link(b.outPort(sw[r+1][c], iw), b.inPort(sw[r][c], iw), fmt.Sprintf("fifo_n_%d_%d_%d", r, c, t))
				}
			}
		}
	}
	b.rim(sw)
	for _, c := range b.f.Comps {
		if c.Kind == arch.SpatialSwitch {
			for range c.Out {
				row := make([]bool, len(c.In))
				for i := range row {
					row[i] = true
				}
				c.Switch.Connect = append(c.Switch.Connect, row)
			}
		}
	}
	for _, c := range b.f.Comps {
		for _, fu := range fus {
			if c.Kind == arch.SpatialPE && len(fu.Ops) == 1 && fu.Ops[0].Op.Name == opname.HandshakeJoin {
				b.f.MaxJoinFanin = max(b.f.MaxJoinFanin, len(fu.In))
			}
		}
	}
	return b.f
}

// rim attaches memories and boundary ports to the perimeter switches, one after the other.
func (b *builder) rim(sw [][]*arch.Component) {
	var rim []*arch.Component
	last := len(sw) - 1
	for r := range sw {
		for c := range sw[r] {
			if r == 0 || r == last || c == 0 || c == len(sw[r])-1 {
				rim = append(rim, sw[r][c])
			}
		}
	}
	at := 0
	next := func() *arch.Component {
		s := rim[at*5%len(rim)]
		at++
		return s
	}
	for i := range b.o.Memories {
		b.memory(i, Memory{Loads: 1, Stores: 1}, next)
	}
	for i, m := range b.o.Bridges {
		b.memory(b.o.Memories+i, m, next)
	}
	for i := range b.o.Ins {
		b.f.Inputs = append(b.f.Inputs, &arch.Boundary{Name: fmt.Sprintf("in%d", i), Type: ir.Bits(b.w), Width: b.w})
		b.channel(arch.Endpoint{Port: i}, b.inPort(next(), b.w), b.w)
	}
	for i := range b.o.Outs {
		b.f.Outputs = append(b.f.Outputs, &arch.Boundary{Name: fmt.Sprintf("out%d", i), Type: ir.Bits(b.w), Width: b.w})
		b.channel(b.outPort(next(), b.w), arch.Endpoint{Port: i}, b.w)
	}
}
