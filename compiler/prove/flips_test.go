package prove_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/compiler/opname"
	"loom/compiler/prove"
	"loom/compiler/simplify"
	"loom/internal/maptest"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// mapKernel maps a shipped kernel.
func mapKernel(t testing.TB, name, order, mesh string) *mapped {
	t.Helper()
	f := testkit.Fabric(t, mesh)
	low, err := lower.Lower(testkit.Kernel(t, name), lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps, MemoryOrder: order})
	if err != nil {
		t.Fatal(err)
	}
	res, err := mapper.Map(low.Func, f, mapper.Options{Effort: quick, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return newMapped(t, low.Func, f, res)
}

// mapSimplified maps a shipped kernel as it is simplified for a fabric.
func mapSimplified(t testing.TB, name, fabric string) *mapped {
	t.Helper()
	f := testkit.Fabric(t, fabric)
	low, err := lower.Lower(testkit.Kernel(t, name), lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := simplify.Run(low.Func, simplify.Options{IndexWidth: f.IndexWidth, Fabric: &simplify.Fabric{Executes: tech.Units(f), TokenControls: f.TokenControls()}})
	if err != nil {
		t.Fatal(err)
	}
	res, err := mapper.Map(fn, f, mapper.Options{Effort: quick, Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	return newMapped(t, fn, f, res)
}

// arrays is a mapping with bridges, several arrays in a memory, contents and unread tokens.
func arrays(t testing.TB) *mapped {
	t.Helper()
	fn, f, m := maptest.Arrays()
	img, err := m.Image(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Bind(fn, f)
	if err != nil {
		t.Fatal(err)
	}
	return newMapped(t, fn, f, &mapper.Result{Mapping: m, Image: img, Binding: b})
}

// free states why a bit of a proven image may be either, "" for a bit that must not. It is
// decided by the field that the bit belongs to and by what the mapping configures there.
func (m *mapped) free(sl *config.Slice, bit int) string {
	c, set := sl.Comp, m.res.Image.Settings[sl.Comp.ID]
	var field config.Field
	for _, fd := range sl.Fields {
		if bit >= fd.Bit && bit < fd.Bit+fd.Width && (fd.FU < 0 || set.PE.Enable && fd.FU == set.PE.Opcode) {
			field = fd
		}
	}
	at := bit - field.Bit
	switch c.Kind {
	case arch.FIFO:
		return "a FIFO that is bypassed or not delivers the same tokens"
	case arch.SpatialSwitch:
		if i := bit - sl.Switch.Expects[0]; i >= 0 && !set.Switch.Discard[i] {
			return "an input where no tokens arrive"
		}
		var o int
		if n, _ := fmt.Sscanf(field.Name, "out[%d].sel", &o); n == 1 && set.Switch.Route[o] >= 0 {
			bits := sl.Switch.Out[o]
			from := c.In[bits.Inputs[slices.Index(bits.Inputs, set.Switch.Route[o])^1<<at]].Chan.Src.Comp
			for from != nil && from.Kind == arch.FIFO {
				from = from.In[0].Chan.Src.Comp
			}
			to := c.Out[o].Chan.Dst
			for to.Comp != nil && to.Comp.Kind == arch.FIFO {
				to = to.Comp.Out[0].Chan.Dst
			}
			if m.constant(from) && m.bare(to) {
				return "a token without data from a constant instead of from what fires the constant"
			}
			if m.drops(to) {
				return "what the unit of a load drops, whose data nothing reads"
			}
		}
	case arch.SpatialPE:
		return m.freePE(c, set.PE, field, at)
	case arch.LoadLane, arch.StoreLane:
		for _, tag := range m.res.Mapping.Tags {
			if tag.Comp == c.Name {
				return ""
			}
		}
		return "the tag of a lane without tokens"
	}
	var k int
	if n, _ := fmt.Sscanf(field.Name, "slot[%d].", &k); n == 1 && !set.Slots[k].Valid && !strings.HasSuffix(field.Name, "valid") {
		return "a slot that is not valid"
	}
	if n, _ := fmt.Sscanf(field.Name, "entry[%d].", &k); n == 1 && !set.Entries[k].Valid && !strings.HasSuffix(field.Name, "valid") {
		return "an entry that is not valid"
	}
	if n, _ := fmt.Sscanf(field.Name, "region[%d].", &k); n == 1 {
		r := set.Regions[k]
		switch {
		case !r.Valid && !strings.HasSuffix(field.Name, "valid"):
			return "a region that is not valid"
		case strings.HasSuffix(field.Name, "start_tag"), strings.HasSuffix(field.Name, "end_tag"):
			// The flip may take tags in that no lane has; it must not take any from others.
			flipped := r
			if strings.HasSuffix(field.Name, "start_tag") {
				flipped.StartTag ^= 1 << at
			} else {
				flipped.EndTag ^= 1 << at
			}
			for _, mem := range m.res.Mapping.Memories {
				for _, a := range mem.Accesses {
					if mem.Comp == c.Name && mem.Region == k && (a.Tag < flipped.StartTag || a.Tag >= flipped.EndTag) {
						return ""
					}
				}
			}
			for o, other := range set.Regions {
				if o != k && other.Valid && flipped.StartTag < other.EndTag && other.StartTag < flipped.EndTag {
					return ""
				}
			}
			return "tags of a region that no lane has"
		}
	}
	return ""
}

// constant reports whether a component is a PE that gives a constant for every token.
func (m *mapped) constant(c *arch.Component) bool {
	if c == nil || c.PE == nil {
		return false
	}
	set := m.res.Image.Settings[c.ID].PE
	fu := c.PE.FUs[set.Opcode]
	return set.Enable && len(fu.Ops) == 1 && fu.Ops[0].Op.Name == "handshake.constant"
}

// bare reports whether what arrives at an input of a PE is an operand without data.
func (m *mapped) bare(to arch.Endpoint) bool {
	if to.Comp == nil || to.Comp.PE == nil {
		return false
	}
	set := m.res.Image.Settings[to.Comp.ID].PE
	for k, in := range to.Comp.PE.FUs[set.Opcode].In {
		if sel := set.In[k]; set.Enable && !sel.Disconnect && sel.Sel == to.Port {
			return in.Type == ir.Type(ir.None)
		}
	}
	return false
}

// freePE is free for a bit of a PE.
func (m *mapped) freePE(c *arch.Component, set *config.PESetting, field config.Field, at int) string {
	if !set.Enable {
		if field.Name == "enable" {
			return ""
		}
		return "a PE that is off"
	}
	var k int
	if n, _ := fmt.Sscanf(field.Name, "in[%d].", &k); n == 1 {
		sel, absent := set.In[k], k >= len(c.PE.FUs[set.Opcode].In)
		switch field.Name[strings.IndexByte(field.Name, '.')+1:] {
		case "sel", "discard":
			if sel.Disconnect {
				return "the choice of a selector that is disconnected"
			}
		case "immediate":
			if sel.Disconnect && !sel.Immediate { // in a proven image nothing waits there
				return "an immediate of an operand that the unit does not use"
			}
			if !absent && sel.Immediate && !sel.Disconnect && sel.Value == 0 {
				return "the constant 0 in place of a token without data, which reads as 0"
			}
			if !absent && !sel.Disconnect && c.PE.FUs[set.Opcode].In[k].Type == ir.Type(ir.None) {
				return "whose data an operand of tokens does not have"
			}
			if !absent && !sel.Immediate && !sel.Disconnect && m.bits(c, k) == 0 {
				return "a word beside a token, whose data the kernel does not have"
			}
		case "word":
			switch {
			case absent, !sel.Immediate:
				return "the word of an operand that has its data from a port"
			case at >= m.bits(c, k):
				return "bits of a constant that the kernel does not have"
			}
		}
	}
	if n, _ := fmt.Sscanf(field.Name, "out[%d].", &k); n == 1 && (set.Out[k].Disconnect || set.Out[k].Discard && strings.HasSuffix(field.Name, "sel")) &&
		!strings.HasSuffix(field.Name, "disconnect") {
		return "the choice of a selector that is disconnected, or that drops"
	}
	if field.FU >= 0 && strings.HasSuffix(field.Name, ".value") {
		for _, g := range m.res.Mapping.Groups {
			if g.Comp != c.Name {
				continue
			}
			for _, i := range g.Ops {
				op := m.fn.Regions[0].Entry().Ops[i]
				if w, _ := ir.BitWidth(op.Result(0).Type, m.f.IndexWidth); op.Name == "handshake.constant" && at >= w {
					return "bits of a constant that the kernel does not have"
				}
			}
		}
	}
	return ""
}

// bits is the number of bits that the kernel's operation at a PE reads at a unit operand, for
// mappings that put each operation on a unit of its own.
func (m *mapped) bits(c *arch.Component, k int) int {
	ops := m.fn.Regions[0].Entry().Ops
	for _, o := range m.res.Mapping.Ops {
		if o.Comp != c.Name {
			continue
		}
		op := ops[min(o.Index, len(ops)-1)]
		if op.Name != o.Name { // of a kernel that was edited, which has one of each
			op = ops[slices.IndexFunc(ops, func(x *ir.Operation) bool { return x.Name == o.Name })]
		}
		if k < op.NumOperands() {
			w, _ := ir.BitWidth(op.Operand(k).Type, m.f.IndexWidth)
			return w
		}
	}
	return 0
}

// at names the field of a bit.
func (m *mapped) at(sl *config.Slice, bit int) string {
	for _, fd := range sl.Fields {
		if bit >= fd.Bit && bit < fd.Bit+fd.Width && (fd.FU < 0 || fd.FU == m.res.Image.Settings[sl.Comp.ID].PE.Opcode) {
			return fd.Name
		}
	}
	return "no field"
}

// drops reports whether an input of a PE is the data of a load that nothing reads.
func (m *mapped) drops(to arch.Endpoint) bool {
	if to.Comp == nil || to.Comp.PE == nil {
		return false
	}
	s := m.res.Image.Settings[to.Comp.ID].PE
	o := to.Comp.PE.FUs[s.Opcode].Ops[0]
	if !s.Enable || o.Op.Name != opname.HandshakeLoad {
		return false
	}
	data := s.In[o.Operands[1].Arg]
	return !data.Disconnect && data.Sel == to.Port && s.Out[0].Discard
}

// TestEveryBit flips every bit of images, one at a time. Each flip must be reported, unless
// it is a bit of which free states why it does not matter; and what is proven nevertheless
// must run as before, which the cycle simulator shows for a share of them.
func TestEveryBit(t *testing.T) {
	for _, c := range []struct {
		name  string
		m     *mapped
		every int // flip every nth bit
		runs  int // of this many proven flips one is simulated
	}{
		{"gcd", mapKernel(t, "gcd", "pipelined", "mesh4x4"), 1, 40},
		{"arrays", arrays(t), 3, 0},
		{"paced", paced(t, true), 1, 0},
		{"held", held(t, true), 1, 0},
		{"vecadd", mapKernel(t, "vecadd", "pipelined", "mesh6x6"), 1, 400},
		{"accesses without units", mapSimplified(t, "vecadd", "mixed10x10"), 29, 40},
		{"data past units", mapSimplified(t, "histogram", "mixed10x10"), 29, 40},
	} {
		t.Run(c.name, func(t *testing.T) {
			if os.Getenv("LOOM_SOAK") != "" {
				c.every, c.runs = 1, min(c.runs, 10)
			}
			m := c.m
			p, err := prove.New(m.fn, m.res.Image.Layout, m.runtime)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.Image(m.words); err != nil {
				t.Fatal(err)
			}
			want := ""
			if c.runs > 0 {
				want = m.simulate(t, m.words)
			}
			flipped, reported, proven, ran := 0, 0, map[string]int{}, 0
			bits := 0
			for si := range m.res.Image.Layout.Slices {
				sl := &m.res.Image.Layout.Slices[si]
				for bit := range sl.Bits {
					if bits++; bits%c.every != 0 {
						continue
					}
					at := sl.WordOffset*config.WordBits + bit
					bad := append([]uint32(nil), m.words...)
					bad[at/32] ^= 1 << (at % 32)
					flipped++
					if _, err := p.Image(bad); err != nil {
						reported++
						continue
					}
					why := m.free(sl, bit)
					if why == "" {
						t.Errorf("flipping bit %d of '%s' is proven to be the same: %s", bit, sl.Comp.Name, m.at(sl, bit))
					}
					proven[why]++
					if c.runs > 0 && len(proven) > 0 && proven[why]%c.runs == 1 {
						ran++
						if got := m.simulate(t, bad); got != want {
							t.Errorf("bit %d of '%s' is proven to be the same and runs differently: %s, not %s", bit, sl.Comp.Name, got, want)
						}
					}
				}
			}
			t.Logf("%d of %d bits flipped, %d reported, %d runs", flipped, bits, reported, ran)
			for why, n := range proven {
				t.Logf("%6d proven: %s", n, why)
			}
			if reported < 100 {
				t.Errorf("only %d flips are reported", reported)
			}
		})
	}
}

// simulate runs an image on small random inputs and returns the outcome as text.
func (m *mapped) simulate(t testing.TB, words []uint32) string {
	t.Helper()
	img, err := config.Decode(m.res.Image.Layout, words)
	if err != nil {
		return err.Error()
	}
	sig, err := vector.SignatureOf(m.fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 5, m.f.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cycle.New(m.f, img, m.res.Binding, in, cycle.Options{MaxCycles: 100_000})
	if err != nil {
		return err.Error()
	}
	out, err := sim.Run()
	if err != nil {
		return err.Error()
	}
	return fmt.Sprint(out.Status, out.Results, spell(out.Memories))
}

// spell is the contents of the arrays after a run.
func spell(ms []*vector.Memory) string {
	text := ""
	for _, m := range ms {
		text += fmt.Sprint(m.Data, " ")
	}
	return text
}
