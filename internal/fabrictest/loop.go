package fabrictest

import (
	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// Program is a configured fabric with the binding of what it computes.
type Program struct {
	Fabric  *arch.Fabric
	Layout  *config.Layout
	Image   *config.Image
	Binding *mapping.Binding
}

// Loop is a small fabric, wired by hand and configured to run
//
//	s = init; for i in start..bound step step { v = x[i]; y[i] = v; s += v }
//
// with s as result. It has a loop-carried value, broadcast in switches, discarded
// results, one external memory that is read and one that is written.
func Loop() *Program {
	b := New("loop", 32)
	i1, i32, index, none := ir.Type(ir.I1), ir.Type(ir.I32), ir.Type(ir.Index), ir.Type(ir.None)
	word := ir.Type(ir.Bits(32))

	start, step, bound := b.Input("start", index), b.Input("step", index), b.Input("bound", index)
	init, ctrl := b.Input("init", i32), b.Input("ctrl", none)
	sum, done := b.Output("sum", i32), b.Output("done", none)

	branch := b.Single("cond_br", opname.HandshakeCondBr, 0, 1, []ir.Type{i1, i32}, i32, i32)
	stream := b.PE("stream", "pe_stream", []ir.Type{word, word, word}, []ir.Type{word, word},
		b.Single("stream", opname.DataflowStream, -1, -1, []ir.Type{index, index, index}, index, i1))
	carry := b.PE("carry", "pe_loop", []ir.Type{word, word, word}, []ir.Type{word, word},
		b.Single("carry", opname.DataflowCarry, -1, -1, []ir.Type{i1, i32, i32}, i32), branch)
	split := b.PE("split", "pe_loop", []ir.Type{word, word, word}, []ir.Type{word, word}, carry.PE.FUs...)
	filter := b.PE("filter", "pe_loop", []ir.Type{word, word, word}, []ir.Type{word, word}, carry.PE.FUs...)
	add := b.PE("add", "pe_add", []ir.Type{word, word}, []ir.Type{word},
		b.Single("subi", opname.ArithSubI, 0, 1, []ir.Type{i32, i32}, i32),
		b.Single("addi", opname.ArithAddI, 1, 1, []ir.Type{i32, i32}, i32))
	load := b.PE("load", "pe_load", []ir.Type{word, word, none}, []ir.Type{word, word},
		b.Single("load", opname.HandshakeLoad, 0, 1, []ir.Type{index, i32, none}, i32, index))
	store := b.PE("store", "pe_store", []ir.Type{word, word, none}, []ir.Type{word, word},
		b.Single("store", opname.HandshakeStore, 0, 1, []ir.Type{index, i32, none}, i32, index))
	x, y := b.Memory("x", i32, 0, true, false), b.Memory("y", i32, 0, false, true)

	cont := b.Switch("sw_cont", []ir.Type{word}, []ir.Type{word, word, word})
	index4 := b.Switch("sw_index", []ir.Type{word}, []ir.Type{word, none, word, none})
	value := b.Switch("sw_value", []ir.Type{word}, []ir.Type{word, word})
	back := b.FIFO("back", word, 2, false)
	addr := b.FIFO("addr", word, 2, true)
	token := b.FIFO("token", none, 1, false)

	b.Connect(start, In(stream, 0))
	b.Connect(step, In(stream, 1))
	b.Connect(bound, In(stream, 2))
	b.Connect(Out(stream, 1), In(cont, 0))
	b.Connect(Out(cont, 0), In(carry, 0))
	b.Connect(Out(cont, 1), In(split, 0))
	b.Connect(Out(cont, 2), In(filter, 0))
	b.Connect(init, In(carry, 1))
	b.Connect(Out(back, 0), In(carry, 2))
	b.Connect(Out(carry, 0), In(split, 1))
	b.Unused(Out(carry, 1))
	b.Connect(Out(split, 0), In(add, 0))
	b.Connect(Out(split, 1), sum)
	b.Connect(Out(stream, 0), In(filter, 1))
	b.Connect(Out(filter, 0), In(addr, 0))
	b.Unused(Out(filter, 1))
	b.Connect(Out(addr, 0), In(index4, 0))
	b.Connect(Out(index4, 0), In(load, 0))
	b.Connect(Out(index4, 1), In(load, 2))
	b.Connect(Out(index4, 2), In(store, 0))
	b.Connect(Out(index4, 3), In(store, 2))
	b.Connect(Out(load, 1), In(x, x.Mem.LdAddr))
	b.Connect(Out(x, x.Mem.LdData), In(load, 1))
	b.Unused(Out(x, x.Mem.LdDone))
	b.Connect(Out(load, 0), In(value, 0))
	b.Connect(Out(value, 0), In(add, 1))
	b.Connect(Out(value, 1), In(store, 1))
	b.Connect(Out(store, 0), In(y, y.Mem.StData))
	b.Connect(Out(store, 1), In(y, y.Mem.StAddr))
	b.Unused(Out(y, y.Mem.StDone))
	b.Connect(Out(add, 0), In(back, 0))
	b.Connect(ctrl, In(token, 0))
	b.Connect(Out(token, 0), done)

	p := &Program{Fabric: b.F, Layout: config.NewLayout(b.F)}
	p.Image = config.New(p.Layout)
	for _, sw := range []*arch.Component{cont, index4, value} {
		for o := range sw.Out {
			p.Image.Settings[sw.ID].Switch.Route[o] = 0
		}
	}
	unit := func(c *arch.Component, opcode int, in, out []int, fields ...uint64) {
		s := config.DisabledPE(c.PE)
		s.Enable, s.Opcode, s.Fields = true, opcode, fields
		for k, n := range in {
			s.In[k] = config.Selector{Sel: n}
		}
		for k, n := range out {
			if s.Out[k] = (config.Selector{Sel: n}); n < 0 {
				s.Out[k] = config.Selector{Discard: true}
			}
		}
		p.Image.Settings[c.ID].PE = s
	}
	unit(stream, 0, []int{0, 1, 2}, []int{0, 1}, 1)
	unit(carry, 0, []int{0, 1, 2}, []int{0})
	unit(split, 1, []int{0, 1}, []int{0, 1})
	unit(filter, 1, []int{0, 1}, []int{0, -1})
	unit(add, 1, []int{0, 1}, []int{0})
	unit(load, 0, []int{0, 1, 2}, []int{0, 1})
	unit(store, 0, []int{0, 1, 2}, []int{0, 1})
	p.Image.Settings[addr.ID].Bypassed = true
	p.Image.Settings[x.ID].Regions[0].Valid = true
	p.Image.Settings[y.ID].Regions[0].Valid = true

	memref := ir.MemRef([]int64{ir.Dynamic}, i32)
	p.Binding = &mapping.Binding{
		Kernel: "loop",
		Args: []mapping.ArgBinding{
			{Name: "start", Type: index, Input: 0, Mem: -1}, {Name: "step", Type: index, Input: 1, Mem: -1},
			{Name: "bound", Type: index, Input: 2, Mem: -1}, {Name: "init", Type: i32, Input: 3, Mem: -1},
			{Name: "x", Type: memref, Input: -1, Mem: x.ID}, {Name: "y", Type: memref, Input: -1, Mem: y.ID},
		},
		Results: []mapping.ResultBinding{{Name: "sum", Type: i32, Output: 0}},
		Start:   4, Done: 1,
	}
	return p
}

// Tiny is the smallest fabric with every part of the top level: a PE, a switch, a
// FIFO with configuration and the chain between them.
func Tiny() *arch.Fabric {
	b := New("tiny", 32)
	i8 := ir.Type(ir.I8)
	x, y := b.Input("x", i8), b.Output("y", i8)
	sw := b.Switch("sw", []ir.Type{i8}, []ir.Type{i8, i8})
	pe := b.PE("pe", "pe_add", []ir.Type{i8, i8}, []ir.Type{i8},
		b.Single("addi", opname.ArithAddI, 1, 1, []ir.Type{i8, i8}, i8), b.Single("cmpi", opname.ArithCmpI, 0, 1, []ir.Type{i8, i8}, ir.I1))
	q := b.FIFO("q", i8, 2, true)
	b.Connect(x, In(sw, 0))
	b.Connect(Out(sw, 0), In(pe, 0))
	b.Connect(Out(sw, 1), In(pe, 1))
	b.Connect(Out(pe, 0), In(q, 0))
	b.Connect(Out(q, 0), y)
	return b.F
}
