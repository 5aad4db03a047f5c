package fabrictest

import (
	"fmt"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
)

// Bridges is a fabric of memories with several ports: bridges with lanes around an
// on-chip memory that the host reaches and around external memories, one of which is
// only read and one only written, a bare bridge, a memory of a single byte, a read-only
// memory for the host, temporal switches with holes and payloads of different widths,
// and every tag operation. All channels of the kernel's side meet the boundary.
func Bridges(indexWidth int) (*arch.Fabric, []*Bridge) {
	b := New("bridges", indexWidth)
	ram := b.Ported("ram", ir.I32, 100, 3, 2)
	ram.Mem.Private, ram.Mem.NumRegion = false, 2
	ext := b.Ported("ext", ir.I16, 0, 2, 4)
	ext.Mem.NumRegion, ext.Mem.BusWidth = 3, 64
	ext.Mem.LSQDepth = 2
	reads, writes := b.Ported("reads", ir.I8, 0, 2, 0), b.Ported("writes", ir.I64, 0, 0, 2)
	byteRAM := b.Ported("byte", ir.I8, 1, 2, 1)
	byteRAM.Mem.NumRegion = 2
	bridges := []*Bridge{b.Bridge(ram, 8), b.Bridge(ext, 3), b.Bridge(reads, 1), b.Bridge(writes, 5), b.Bridge(byteRAM, 2),
		b.BareBridge(b.Ported("bare", ir.I16, 64, 2, 2))}
	for _, br := range bridges {
		for k, a := range append(append([]Access(nil), br.Loads...), br.Stores...) {
			name, index := fmt.Sprintf("%s_ld%d", br.Mem.Name, k), ir.Type(ir.Index)
			elem := br.Mem.Mem.Type.Elem
			if k < len(br.Loads) {
				b.Connect(a.Data, b.Output(name+"_value", elem))
			} else {
				name = fmt.Sprintf("%s_st%d", br.Mem.Name, k-len(br.Loads))
				b.Connect(b.Input(name+"_value", elem), a.Data)
			}
			b.Connect(b.Input(name+"_index", index), a.Addr)
			b.Connect(a.Done, b.Output(name+"_finished", ir.None))
		}
	}
	rom := b.Memory("rom", ir.I16, 3, true, false)
	rom.Mem.Private = false
	b.Connect(b.Input("rom_index", ir.Index), In(rom, rom.Mem.LdAddr))
	b.Connect(Out(rom, rom.Mem.LdData), b.Output("rom_value", ir.I16))

	b.crossing()
	return b.F, bridges
}

// crossing adds every tag operation around a temporal switch with holes, on payloads
// that widen and narrow. Tokens of the inputs narrow (8 bits) and token (none) get the
// tags of add and count; narrow can go to the outputs wide and plain (through the
// map_tag), token to wide and gone.
func (b *Builder) crossing() {
	wide, narrow, none := ir.Type(ir.Bits(64)), ir.Type(ir.Bits(8)), ir.Type(ir.None)
	add, count := b.AddTag("add", wide, 3), b.AddTag("count", none, 3)
	sw := b.TemporalSwitch("sw", []ir.Type{ir.Tagged(narrow, 3), ir.Tagged(wide, 3), ir.Tagged(none, 3)},
		[]ir.Type{ir.Tagged(wide, 3), ir.Tagged(none, 3), ir.Tagged(narrow, 3)}, 5, [2]int{0, 1}, [2]int{2, 2})
	q, m := b.FIFO("q", ir.Tagged(wide, 3), 2, true), b.MapTag("map", wide, 3, 1, 4)
	plain, gone, all := b.DelTag("del", wide, 1), b.DelTag("none", none, 3), b.DelTag("all", narrow, 3)
	b.Connect(b.Input("narrow", narrow), In(add, 0))
	b.Connect(Out(add, 0), In(sw, 0)) // cut to 8 bits
	b.Connect(b.Input("token", none), In(count, 0))
	b.Connect(Out(count, 0), In(sw, 2)) // no payload becomes 64 bits
	b.Connect(Out(sw, 0), In(all, 0))
	b.Connect(Out(all, 0), b.Output("wide", wide))
	b.Connect(Out(sw, 1), In(gone, 0))
	b.Connect(Out(gone, 0), b.Output("gone", none))
	b.Connect(Out(sw, 2), In(q, 0)) // 8 bits become 64
	b.Connect(Out(q, 0), In(m, 0))
	b.Connect(Out(m, 0), In(plain, 0))
	b.Connect(Out(plain, 0), b.Output("plain", narrow))
}

// Scratch is a program on a fabric of on-chip memories that the host fills: it loads
// x[i] and x[j] through a bridge and table[t] from a memory without stores, and stores
// v to x[k]; x begins at element 2 of the memory ram. The tag operations beside it send
// the tokens of narrow to wide and plain, and those of token to gone.
func Scratch() *Program {
	b := New("scratch", 32)
	ram := b.Ported("ram", ir.I16, 40, 2, 1)
	ram.Mem.Private = false
	table := b.Memory("table", ir.I64, 5, true, false)
	table.Mem.Private = false
	br := b.Bridge(ram, 4)
	p := &Program{Binding: &mapping.Binding{Kernel: "scratch"}}
	in := func(name string, t ir.Type, to arch.Endpoint) {
		p.Binding.Args = append(p.Binding.Args, mapping.ArgBinding{Name: name, Type: t, Input: len(b.F.Inputs), Mem: -1})
		b.Connect(b.Input(name, t), to)
	}
	out := func(name string, t ir.Type, from arch.Endpoint) {
		p.Binding.Results = append(p.Binding.Results, mapping.ResultBinding{Name: name, Type: t, Output: len(b.F.Outputs)})
		b.Connect(from, b.Output(name, t))
	}
	in("i", ir.Index, br.Loads[0].Addr)
	in("j", ir.Index, br.Loads[1].Addr)
	in("k", ir.Index, br.Stores[0].Addr)
	in("v", ir.I16, br.Stores[0].Data)
	in("t", ir.Index, In(table, table.Mem.LdAddr))
	out("xi", ir.I16, br.Loads[0].Data)
	out("xj", ir.I16, br.Loads[1].Data)
	out("entry", ir.I64, Out(table, table.Mem.LdData))
	b.Unused(br.Loads[0].Done)
	b.Unused(br.Loads[1].Done)
	b.Unused(Out(table, table.Mem.LdDone))
	p.Binding.Start, p.Binding.Done = len(b.F.Inputs), len(b.F.Outputs)
	b.Unused(b.Input("start", ir.None))
	b.Connect(br.Stores[0].Done, b.Output("done", ir.None))
	b.crossing()

	p.Fabric, p.Layout = b.F, config.NewLayout(b.F)
	p.Image = config.New(p.Layout)
	br.Configure(p.Image, 4)
	p.Image.Settings[table.ID].Regions[0].Valid = true
	for _, c := range b.F.Comps {
		s := &p.Image.Settings[c.ID]
		switch c.Name {
		case "add":
			s.Tag = 5
		case "count":
			s.Tag = 2
		case "sw":
			s.Slots[0] = config.Slot{Valid: true, Tag: 2, Routes: [][2]int{{1, 2}}}
			s.Slots[2] = config.Slot{Valid: true, Tag: 5, Routes: [][2]int{{0, 0}, {2, 0}}}
		case "map":
			s.Entries[3] = config.TagEntry{Valid: true, Src: 5, Dst: 1}
		}
	}
	p.Binding.Contents = []mapping.Contents{
		{Name: "low", Mem: ram.ID, First: 2, Elem: ir.I16, Data: []uint64{100, 0xFFFF, 102}},
		{Name: "high", Mem: ram.ID, First: 38, Elem: ir.I16, Data: []uint64{0x8000, 139}},
		{Name: "entries", Mem: table.ID, First: 0, Elem: ir.I64, Data: []uint64{1, 0xFEDCBA9876543210, 3, 4, 5}},
	}
	return p
}
