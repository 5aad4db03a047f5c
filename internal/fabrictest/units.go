package fabrictest

import (
	"fmt"
	"strings"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
)

// AllUnits makes one function unit of every integer kind at several widths, and
// multi-operation bodies of every class: fused datapaths, a network with forks,
// mixed handshake and arithmetic, a divider followed by pipeline stages.
func (b *Builder) AllUnits() []*arch.FunctionUnit {
	i1, i8, i16, i32, i64, index, none := ir.Type(ir.I1), ir.Type(ir.I8), ir.Type(ir.I16), ir.Type(ir.I32), ir.Type(ir.I64), ir.Type(ir.Index), ir.Type(ir.None)
	var us []*arch.FunctionUnit
	for _, row := range units.All() {
		if row.Binary() {
			i := len(us)
			t := []ir.Type{i32, i16, i64, i8, i1, index}[i%6]
			us = append(us, b.Single(row.Mnemonic, row.Op, i%3, 1, []ir.Type{t, t}, t))
		}
	}
	us = append(us,
		b.Single("cmpi", opname.ArithCmpI, 0, 1, []ir.Type{i32, i32}, i1),
		b.Single("select", opname.ArithSelect, 1, 1, []ir.Type{i1, i32, i32}, i32),
		b.Single("extsi", opname.ArithExtSI, 0, 1, []ir.Type{i8}, i32),
		b.Single("extui", opname.ArithExtUI, 0, 1, []ir.Type{i1}, i32),
		b.Single("trunci", opname.ArithTruncI, 0, 1, []ir.Type{i64}, i16),
		b.Single("index_cast", opname.ArithIndexCast, 0, 1, []ir.Type{i32}, index),
		b.Single("index_castui", opname.ArithIndexCastUI, 0, 1, []ir.Type{index}, i8),
		b.Single("slow_add", opname.ArithAddI, 2, 3, []ir.Type{i32, i32}, i32),
		b.Single("divsi", opname.ArithDivSI, 33, 33, []ir.Type{i32, i32}, i32),
		b.Single("divui", opname.ArithDivUI, 10, 9, []ir.Type{i8, i8}, i8),
		b.Single("remsi", opname.ArithRemSI, 17, 17, []ir.Type{i16, i16}, i16),
		b.Single("remui", opname.ArithRemUI, 34, 33, []ir.Type{i32, i32}, i32),
		b.Single("cond_br", opname.HandshakeCondBr, 0, 1, []ir.Type{i1, i32}, i32, i32),
		b.Single("cond_br_none", opname.HandshakeCondBr, 0, 1, []ir.Type{i1, none}, none, none),
		b.Single("mux", opname.HandshakeMux, 0, 1, []ir.Type{i1, i32, i32}, i32),
		b.Single("mux_none", opname.HandshakeMux, 1, 1, []ir.Type{index, none, none, none}, none),
		b.Single("join", opname.HandshakeJoin, 0, 1, []ir.Type{none, none, none, none}, none),
		b.Single("constant", opname.HandshakeConstant, 0, 1, []ir.Type{none}, i64),
		b.Single("load", opname.HandshakeLoad, 0, 1, []ir.Type{index, i32, none}, i32, index),
		b.Single("store", opname.HandshakeStore, 0, 1, []ir.Type{index, i32, none}, i32, index),
		b.Single("stream", opname.DataflowStream, -1, -1, []ir.Type{index, index, index}, index, i1),
		b.Single("gate", opname.DataflowGate, -1, -1, []ir.Type{i32, i1}, i32, i1),
		b.Single("gate_none", opname.DataflowGate, -1, -1, []ir.Type{none, i1}, none, i1),
		b.Single("carry", opname.DataflowCarry, -1, -1, []ir.Type{i1, i32, i32}, i32),
		b.Single("carry_none", opname.DataflowCarry, -1, -1, []ir.Type{i1, none, none}, none),
		b.Single("invariant", opname.DataflowInvariant, -1, -1, []ir.Type{i1, i32}, i32),
		b.Single("interlock", opname.DataflowInterlock, -1, -1, []ir.Type{i32, i32, none}, i32),
		b.Single("interlock_index", opname.DataflowInterlock, -1, -1, []ir.Type{index, index, none}, index),
	)

	// A fused datapath: multiply-accumulate with a shared operand and two results.
	u := b.NewUnit("mac", 2, 1, i32, i32, i32)
	p := u.Op(opname.ArithMulI, []arch.ValueRef{Arg(0), Arg(1)}, i32)
	s := u.Op(opname.ArithAddI, []arch.ValueRef{p, Arg(2)}, i32)
	us = append(us, u.Yield(s, p))

	// Two comparisons in one datapath: clamp.
	u = b.NewUnit("clamp", 0, 1, i32, i32, i32)
	lt := u.Op(opname.ArithCmpI, []arch.ValueRef{Arg(0), Arg(1)}, i1)
	lo := u.Op(opname.ArithSelect, []arch.ValueRef{lt, Arg(1), Arg(0)}, i32)
	gt := u.Op(opname.ArithCmpI, []arch.ValueRef{lo, Arg(2)}, i1)
	us = append(us, u.Yield(u.Op(opname.ArithSelect, []arch.ValueRef{gt, Arg(2), lo}, i32)))

	// A network: compare with a constant and branch, the operand shared by a fork.
	u = b.NewUnit("branch_if", 1, 1, i32, none)
	k := u.Op(opname.HandshakeConstant, []arch.ValueRef{Arg(1)}, i32)
	c := u.Op(opname.ArithCmpI, []arch.ValueRef{Arg(0), k}, i1)
	br := u.Op(opname.HandshakeCondBr, []arch.ValueRef{c, Arg(0)}, i32, i32)
	us = append(us, u.Yield(br, Result(br, 1)))

	// A divider whose operands come from one address path, with a declared latency
	// above its own and an unused result of a branch.
	u = b.NewUnit("div_step", 12, 9, i8, i8, i1)
	q := u.Op(opname.ArithDivUI, []arch.ValueRef{Arg(0), Arg(1)}, i8)
	br = u.Op(opname.HandshakeCondBr, []arch.ValueRef{Arg(2), q}, i8, i8)
	us = append(us, u.Yield(u.Op(opname.ArithAddI, []arch.ValueRef{br, br}, i8)))

	// A control token with three users.
	u = b.NewUnit("fan", 0, 1, none)
	k0 := u.Op(opname.HandshakeConstant, []arch.ValueRef{Arg(0)}, i32)
	k1 := u.Op(opname.HandshakeConstant, []arch.ValueRef{Arg(0)}, i8)
	j := u.Op(opname.HandshakeJoin, []arch.ValueRef{Arg(0)}, none)
	us = append(us, u.Yield(k0, k1, j))
	return us
}

// Everything is a fabric that exercises the whole generator: one PE with every
// function unit, PEs that need no clock, narrow and wide ports, switches with holes,
// every kind of FIFO and memory, unconnected and unused ports.
func Everything(indexWidth int) *arch.Fabric {
	b := New("everything", indexWidth)
	i1, i32, index, none := ir.Type(ir.I1), ir.Type(ir.I32), ir.Type(ir.Index), ir.Type(ir.None)
	wide, mid := ir.Type(ir.Bits(64)), ir.Type(ir.Bits(32))

	a, c, ctrl := b.Input("a", i32), b.Input("cond", i1), b.Input("start", none)
	b.Input("module", wide) // a keyword, and nothing reads it
	y, done := b.Output("y", wide), b.Output("done", none)
	b.Output("nothing", i32)

	pe := b.PE("pe_0", "pe_all", []ir.Type{wide, wide, mid, i1}, []ir.Type{wide, mid, i1}, b.AllUnits()...)
	sw := b.Switch("sw", []ir.Type{mid, i1, none, wide, mid}, []ir.Type{wide, wide, mid, i1, mid}, [2]int{0, 3}, [2]int{3, 4})
	b.Connect(a, In(sw, 0))
	b.Connect(c, In(sw, 1))
	b.Connect(ctrl, In(sw, 2))
	var in [5]*arch.Component
	for i, t := range []ir.Type{wide, wide, mid, i1} {
		in[i] = b.FIFO([]string{"q1", "q2", "q3", "q_bypass"}[i], t, i+1, i == 3)
		b.Connect(Out(sw, i), In(in[i], 0))
	}
	b.Connect(Out(in[0], 0), In(pe, 0))
	b.Connect(Out(in[1], 0), In(pe, 1))
	b.Connect(Out(in[2], 0), In(pe, 2))
	b.Connect(Out(in[3], 0), In(pe, 3))
	out := b.FIFO("q_out", wide, 2, false)
	b.Connect(Out(pe, 0), In(out, 0))
	b.Connect(Out(out, 0), y)
	back := b.FIFO("q_back", mid, 2, false)
	b.Connect(Out(pe, 1), In(back, 0))
	b.Connect(Out(back, 0), In(sw, 3)) // narrower than the switch input
	b.Unused(Out(pe, 2))

	// Combinational PEs: nothing inside needs a clock; the second is the same
	// hardware, its input unconnected.
	j0 := b.PE("join_0", "pe_join", []ir.Type{none, none}, []ir.Type{none},
		b.Single("join", opname.HandshakeJoin, 0, 1, []ir.Type{none, none}, none))
	b.Connect(Out(sw, 4), In(j0, 0)) // a wide source, a token sink
	b.PE("join_1", "pe_join", []ir.Type{none, none}, []ir.Type{none}, j0.PE.FUs...)
	b.Connect(Out(j0, 0), done)

	// Memories: every combination of ports, fed from a switch.
	for i, m := range []*arch.Component{
		b.Memory("ram", ir.I32, 64, true, true), b.Memory("rom", ir.I8, 100, true, false),
		b.Memory("ext", ir.I32, 0, true, true), b.Memory("ext_load", ir.I16, 0, true, false),
		b.Memory("ext_store", ir.I1, 0, false, true), b.Memory("ram_tiny", ir.I8, 1, true, true),
	} {
		if m.Name == "ext_load" {
			m.Mem.BusWidth = 64
		}
		src := b.FIFO("feed_"+m.Name, index, 2, false)
		b.Connect(b.Input("addr_"+m.Name, index), In(src, 0))
		b.Connect(Out(src, 0), In(m, 0))
		if m.Mem.StCount > 0 && i != 4 {
			b.Connect(b.Input("data_"+m.Name, m.Mem.Type.Elem), In(m, m.Mem.StData))
		}
		for o := range m.Out {
			if o == len(m.Out)-1 {
				continue // left without a channel
			}
			b.Connect(Out(m, o), b.Output(strings.Join([]string{m.Name, m.Out[o].Name}, "_"), m.Out[o].Type))
		}
	}

	// Temporal PEs: of everything; of one unit, with ports without a channel.
	t0 := b.TemporalPE("t_all", "t_all", []ir.Type{mid, mid, i1}, []ir.Type{mid, i1}, 8, 3, b.TemporalUnits(32)...)
	for i := range t0.In {
		b.Connect(b.Input(fmt.Sprint("t_in", i), t0.In[i].Type), In(t0, i))
	}
	for o := range t0.Out {
		b.Connect(Out(t0, o), b.Output(fmt.Sprint("t_out", o), t0.Out[o].Type))
	}
	t1 := b.TemporalPE("t_one", "t_one", []ir.Type{mid, mid}, []ir.Type{mid, i1}, 2, 0,
		b.Single("addi", opname.ArithAddI, 0, 1, []ir.Type{i32, i32}, i32))
	b.Connect(b.Input("t_one_in", i32), In(t1, 0))
	b.Connect(Out(t1, 0), b.Output("t_one_out", i32))
	return b.F
}
