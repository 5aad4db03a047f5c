// Package fabrictest builds small fabrics by hand, for tests of everything that
// reads arch.Fabric: no text, no architecture file, every detail in the test's
// hands.
package fabrictest

import (
	"fmt"
	"math/bits"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// Builder collects a fabric.
type Builder struct{ F *arch.Fabric }

// New starts a fabric with the given width of index.
func New(name string, indexWidth int) *Builder {
	return &Builder{&arch.Fabric{Name: name, IndexWidth: indexWidth}}
}

func (b *Builder) width(t ir.Type) int {
	w, _ := ir.BitWidth(t, b.F.IndexWidth)
	return max(w, 1)
}

// port is a port with its widths in hardware: without a tag at least one bit of
// data, with one the bits of the payload.
func (b *Builder) port(name string, t ir.Type) arch.Port {
	if tt, ok := t.(*ir.TaggedType); ok {
		w, _ := ir.BitWidth(tt.Value, b.F.IndexWidth)
		return arch.Port{Name: name, Type: t, Width: w, TagWidth: tt.TagWidth}
	}
	return arch.Port{Name: name, Type: t, Width: b.width(t)}
}

func (b *Builder) ports(prefix string, types []ir.Type) []arch.Port {
	var out []arch.Port
	for i, t := range types {
		out = append(out, b.port(fmt.Sprintf("%s%d", prefix, i), t))
	}
	return out
}

// named makes ports from alternating names and types.
func (b *Builder) named(nameAndType ...any) []arch.Port {
	var out []arch.Port
	for i := 0; i < len(nameAndType); i += 2 {
		out = append(out, b.port(nameAndType[i].(string), nameAndType[i+1].(ir.Type)))
	}
	return out
}

func (b *Builder) add(c *arch.Component) *arch.Component {
	c.ID = len(b.F.Comps)
	if c.Def == "" {
		c.Def = c.Name
	}
	b.F.Comps = append(b.F.Comps, c)
	return c
}

// Input adds a boundary input.
func (b *Builder) Input(name string, t ir.Type) arch.Endpoint {
	b.F.Inputs = append(b.F.Inputs, &arch.Boundary{Name: name, Type: t, Width: b.width(t)})
	return arch.Endpoint{Port: len(b.F.Inputs) - 1}
}

// Output adds a boundary output.
func (b *Builder) Output(name string, t ir.Type) arch.Endpoint {
	b.F.Outputs = append(b.F.Outputs, &arch.Boundary{Name: name, Type: t, Width: b.width(t)})
	return arch.Endpoint{Port: len(b.F.Outputs) - 1}
}

// Switch adds a fully connected switch; cut lists {output, input} pairs that are
// not connected.
func (b *Builder) Switch(name string, in, out []ir.Type, cut ...[2]int) *arch.Component {
	c := &arch.Component{Name: name, Kind: arch.SpatialSwitch, In: b.ports("in", in), Out: b.ports("out", out), Switch: &arch.SwitchSpec{}}
	c.Switch.Connect = connectivity(len(in), len(out), cut)
	return b.add(c)
}

// connectivity connects all pairs but the {output, input} pairs in cut.
func connectivity(in, out int, cut [][2]int) [][]bool {
	var rows [][]bool
	for range out {
		row := make([]bool, in)
		for i := range row {
			row[i] = true
		}
		rows = append(rows, row)
	}
	for _, x := range cut {
		rows[x[0]][x[1]] = false
	}
	return rows
}

// FIFO adds a FIFO.
func (b *Builder) FIFO(name string, t ir.Type, depth int, bypassable bool) *arch.Component {
	return b.add(&arch.Component{Name: name, Kind: arch.FIFO, In: b.ports("in", []ir.Type{t}), Out: b.ports("out", []ir.Type{t}),
		FIFO: &arch.FIFOSpec{Depth: depth, Bypassable: bypassable}})
}

// PE adds a PE of definition def.
func (b *Builder) PE(name, def string, in, out []ir.Type, units ...*arch.FunctionUnit) *arch.Component {
	return b.add(&arch.Component{Name: name, Def: def, Kind: arch.SpatialPE, In: b.ports("in", in), Out: b.ports("out", out),
		PE: &arch.PESpec{FUs: units}})
}

// Memory adds an on-chip memory (elements > 0) or an extmemory with its memref
// argument (elements == 0), with at most one load and one store port.
func (b *Builder) Memory(name string, elem ir.Type, elements int64, load, store bool) *arch.Component {
	count := map[bool]int{true: 1}
	return b.Ported(name, elem, elements, count[load], count[store])
}

// Ported adds a memory as Memory does with any number of load and store ports:
// tagged where there are several of a kind, with tags that the end of a region
// fits, too. Store queues have 4 slots.
func (b *Builder) Ported(name string, elem ir.Type, elements int64, loads, stores int) *arch.Component {
	width, _ := arch.ElementBits(elem)
	m := &arch.MemorySpec{LdCount: loads, StCount: stores, NumRegion: 1, Private: true, ElemWidth: width, Elements: elements, MemPort: -1,
		LdAddr: -1, StAddr: -1, StData: -1, LdData: -1, LdDone: -1, StDone: -1}
	if n := max(loads, stores); n > 1 {
		m.TagWidth = bits.Len(uint(n))
	}
	c := &arch.Component{Name: name, Kind: arch.Memory, Mem: m}
	shape := elements
	if elements == 0 {
		c.Kind, shape = arch.ExtMemory, ir.Dynamic
		m.MemPort, m.BusWidth = len(b.F.MemPorts), width
	}
	m.Type = ir.MemRef([]int64{shape}, elem)
	if elements == 0 {
		b.F.MemPorts = append(b.F.MemPorts, arch.MemPort{Name: name + "_ref", Type: m.Type})
	}
	in := func(port string, t ir.Type) int {
		c.In = append(c.In, b.port(port, tag(t, m.TagWidth)))
		return len(c.In) - 1
	}
	out := func(port string, t ir.Type) int {
		c.Out = append(c.Out, b.port(port, tag(t, m.TagWidth)))
		return len(c.Out) - 1
	}
	if loads > 0 {
		m.LdAddr = in("ldaddr", ir.Index)
		m.LdData = out("lddata", elem)
		m.LdDone = out("lddone", ir.None)
	}
	if stores > 0 {
		m.LSQDepth = 4
		m.StAddr = in("staddr", ir.Index)
		m.StData = in("stdata", elem)
		m.StDone = out("stdone", ir.None)
	}
	return b.add(c)
}

// tag is a type with a tag of some width, the type itself for 0.
func tag(t ir.Type, width int) ir.Type {
	if width == 0 {
		return t
	}
	return ir.Tagged(t, width)
}

// In and Out name ports of a component.
func In(c *arch.Component, port int) arch.Endpoint { return arch.Endpoint{Comp: c, Port: port} }

// Out names an output port.
func Out(c *arch.Component, port int) arch.Endpoint { return arch.Endpoint{Comp: c, Port: port} }

// Connect adds a channel from an output to an input.
func (b *Builder) Connect(src, dst arch.Endpoint) *arch.Channel {
	ch := &arch.Channel{ID: len(b.F.Channels), Src: src, Dst: dst}
	if src.Comp == nil {
		p := b.F.Inputs[src.Port]
		p.Chan, ch.Width, ch.Name = ch, p.Width, "ch_"+p.Name
	} else {
		p := &src.Comp.Out[src.Port]
		p.Chan, ch.Width, ch.TagWidth, ch.Name = ch, p.Width, p.TagWidth, src.Comp.Name+"_"+p.Name
	}
	switch {
	case dst.Comp != nil:
		dst.Comp.In[dst.Port].Chan = ch
	case dst.Port >= 0:
		b.F.Outputs[dst.Port].Chan = ch
	}
	b.F.Channels = append(b.F.Channels, ch)
	return ch
}

// Unused adds the channel of an output that nothing reads.
func (b *Builder) Unused(src arch.Endpoint) *arch.Channel {
	return b.Connect(src, arch.Endpoint{Port: -1})
}

// Unit builds a function unit.
type Unit struct {
	U     *arch.FunctionUnit
	block *ir.Block
	index int
}

// NewUnit starts a function unit with the given arguments.
func (b *Builder) NewUnit(name string, latency, interval int, args ...ir.Type) *Unit {
	u := &Unit{U: &arch.FunctionUnit{Name: name, Latency: latency, Interval: interval}, block: &ir.Block{}, index: b.F.IndexWidth}
	for i, t := range args {
		arg := fmt.Sprintf("arg%d", i)
		u.block.AddArg(t, arg, u.U.Pos)
		u.U.In = append(u.U.In, arch.FUPort{Name: arg, Type: t, Width: b.width(t)})
	}
	return u
}

// Arg is argument k as an operand.
func Arg(k int) arch.ValueRef { return arch.ValueRef{Op: -1, Arg: k} }

func (u *Unit) value(r arch.ValueRef) *ir.Value {
	if r.Op < 0 {
		return u.block.Args[r.Arg]
	}
	return u.U.Ops[r.Op].Op.Result(r.Result)
}

// Op appends an operation and returns its first result.
func (u *Unit) Op(name string, operands []arch.ValueRef, results ...ir.Type) arch.ValueRef {
	var vals []*ir.Value
	for _, r := range operands {
		vals = append(vals, u.value(r))
	}
	op := &arch.FUOp{Op: u.block.Append(ir.NewOp(name, u.U.Pos, vals, results)), Operands: operands, Field: -1}
	if row, _ := units.Lookup(name); row.Field.Name != "" {
		op.Field = 0
		for _, o := range u.U.Ops {
			if o.Field >= 0 {
				op.Field++
			}
		}
	}
	if name == opname.DataflowStream {
		op.Op.SetAttr("step_op", &ir.StringAttr{Value: "+="})
	}
	u.U.Ops = append(u.U.Ops, op)
	return arch.ValueRef{Op: len(u.U.Ops) - 1}
}

// Result names a further result of an operation.
func Result(r arch.ValueRef, k int) arch.ValueRef { return arch.ValueRef{Op: r.Op, Result: k} }

// Yield ends the body.
func (u *Unit) Yield(values ...arch.ValueRef) *arch.FunctionUnit {
	for k, r := range values {
		t := u.value(r).Type
		w, _ := ir.BitWidth(t, u.index)
		u.U.Out = append(u.U.Out, arch.FUPort{Name: fmt.Sprintf("out%d", k), Type: t, Width: max(w, 1)})
	}
	u.U.Yield = values
	return u.U
}

// Single is a function unit of one operation whose arguments and results are
// those of the operation.
func (b *Builder) Single(name, op string, latency, interval int, args []ir.Type, results ...ir.Type) *arch.FunctionUnit {
	u := b.NewUnit(name, latency, interval, args...)
	var refs []arch.ValueRef
	for k := range args {
		refs = append(refs, Arg(k))
	}
	r := u.Op(op, refs, results...)
	var yields []arch.ValueRef
	for k := range results {
		yields = append(yields, Result(r, k))
	}
	return u.Yield(yields...)
}
