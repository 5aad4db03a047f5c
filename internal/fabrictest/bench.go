package fabrictest

import (
	"fmt"
	"math/rand/v2"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/compiler/opname"
)

// Bench is a fabric that sends a stream of tokens through one PE that holds every
// function unit: a generator counts, a switch broadcasts to the operands (through
// queues of different depths) and to the addresses of external memories, which
// store what the PE delivers. Configure chooses unit and wiring.
type Bench struct {
	*Program
	PE *arch.Component
}

// NewBench makes the fabric; index has the given width.
func NewBench(indexWidth int) *Bench {
	b := New("bench", indexWidth)
	index, none := ir.Type(ir.Index), ir.Type(ir.None)
	wide := ir.Type(ir.Bits(64))
	start, step, bound, ctrl := b.Input("start", index), b.Input("step", index), b.Input("bound", index), b.Input("ctrl", none)
	done := b.Output("done", none)

	gen := b.PE("gen", "pe_gen", []ir.Type{index, index, index}, []ir.Type{wide, ir.I1},
		b.Single("stream", opname.DataflowStream, -1, -1, []ir.Type{index, index, index}, index, ir.I1))
	const operands, results = 4, 3
	taps := make([]ir.Type, operands+results)
	for i := range taps {
		taps[i] = wide
	}
	tap := b.Switch("tap", []ir.Type{wide}, taps)
	pe := b.PE("dut", "pe_all", []ir.Type{wide, ir.Bits(40), wide, ir.I8}, []ir.Type{wide, wide, ir.I32}, b.AllUnits()...)
	b.Connect(start, In(gen, 0))
	b.Connect(step, In(gen, 1))
	b.Connect(bound, In(gen, 2))
	b.Connect(Out(gen, 0), In(tap, 0))
	b.Unused(Out(gen, 1))
	for k := range operands {
		q := b.FIFO(fmt.Sprintf("q%d", k), pe.In[k].Type, k+1, false)
		b.Connect(Out(tap, k), In(q, 0))
		b.Connect(Out(q, 0), In(pe, k))
	}
	p := &Program{Fabric: b.F, Binding: &mapping.Binding{Kernel: "bench", Start: 3, Done: 0}}
	memref := ir.MemRef([]int64{ir.Dynamic}, ir.I32)
	for i, name := range []string{"start", "step", "bound"} {
		p.Binding.Args = append(p.Binding.Args, mapping.ArgBinding{Name: name, Type: index, Input: i, Mem: -1})
	}
	for k := range results {
		m := b.Memory(fmt.Sprintf("m%d", k), ir.I32, 0, false, true)
		q := b.FIFO(fmt.Sprintf("a%d", k), index, 2, false)
		b.Connect(Out(tap, operands+k), In(q, 0))
		b.Connect(Out(q, 0), In(m, m.Mem.StAddr))
		b.Connect(Out(pe, k), In(m, m.Mem.StData))
		b.Unused(Out(m, m.Mem.StDone))
		p.Binding.Args = append(p.Binding.Args, mapping.ArgBinding{Name: m.Name, Type: memref, Input: -1, Mem: m.ID})
	}
	b.Connect(ctrl, done)

	p.Layout = config.NewLayout(b.F)
	p.Image = config.New(p.Layout)
	for _, c := range b.F.Comps {
		s := &p.Image.Settings[c.ID]
		switch c.Kind {
		case arch.ExtMemory:
			s.Regions[0].Valid = true
		case arch.SpatialSwitch:
			for o := range c.Out {
				s.Switch.Route[o] = 0
			}
		}
	}
	g := p.Image.Settings[gen.ID].PE
	g.Enable, g.Fields = true, []uint64{1}
	for k := range g.In {
		g.In[k] = config.Selector{Sel: k}
	}
	for k := range g.Out {
		g.Out[k] = config.Selector{Sel: k}
	}
	return &Bench{p, pe}
}

// Configure returns an image that runs the unit with the given opcode: every
// operand connected to a PE input of its own where there are enough, results to
// outputs; unused inputs discarded or left alone; fields drawn from the seed so
// that they mean something most of the time.
func (b *Bench) Configure(opcode int, seed uint64) *config.Image {
	rng := rand.New(rand.NewPCG(seed, uint64(opcode)))
	img := &config.Image{Layout: b.Layout, Settings: append([]config.Setting(nil), b.Image.Settings...)}
	s := config.DisabledPE(b.PE.PE)
	u := b.PE.PE.FUs[opcode]
	s.Enable, s.Opcode = true, opcode
	for k, n := range rng.Perm(len(b.PE.In))[:len(s.In)] {
		s.In[k] = config.Selector{Sel: n, Discard: k >= len(u.In) && rng.IntN(2) == 0, Disconnect: k >= len(u.In) && rng.IntN(4) == 0}
	}
	for k, n := range rng.Perm(len(b.PE.Out))[:len(s.Out)] {
		s.Out[k] = config.Selector{Sel: n, Discard: k > 0 && rng.IntN(3) == 0, Disconnect: k >= len(u.Out)}
	}
	s.Fields = nil
	for _, f := range u.Fields(b.Fabric.IndexWidth) {
		v := rng.Uint64()
		switch f.Name {
		case "predicate":
			v %= 10
		case "cont_cond":
			v = 1 << (v % 5)
		case "mask":
			v |= 1
		}
		s.Fields = append(s.Fields, v&(^uint64(0)>>(64-f.Width)))
	}
	img.Settings[b.PE.ID].PE = s
	return img
}
