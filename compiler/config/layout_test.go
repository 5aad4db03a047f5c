package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// unit makes a function unit with the given configuration fields.
func unit(name string, ins, outs int, ops ...*ir.Operation) *arch.FunctionUnit {
	fu := &arch.FunctionUnit{Name: name, In: make([]arch.FUPort, ins), Out: make([]arch.FUPort, outs)}
	for _, op := range ops {
		fu.Ops = append(fu.Ops, &arch.FUOp{Op: op})
	}
	return fu
}

func constant(t ir.Type) *ir.Operation {
	return ir.NewOp("handshake.constant", diag.Pos{}, nil, []ir.Type{t})
}

func join(n int) *ir.Operation {
	vs := make([]*ir.Value, n)
	for i := range vs {
		vs[i] = &ir.Value{Type: ir.None}
	}
	return ir.NewOp("handshake.join", diag.Pos{}, vs, []ir.Type{ir.None})
}

func plain(name string) *ir.Operation { return ir.NewOp(name, diag.Pos{}, nil, []ir.Type{ir.I1}) }

// builder collects components.
type fabricBuilder struct{ f arch.Fabric }

func (b *fabricBuilder) add(kind arch.Kind, ins, outs int) *arch.Component {
	c := &arch.Component{ID: len(b.f.Comps), Kind: kind, Name: fmt.Sprintf("%s_%d", kind, len(b.f.Comps)),
		In: make([]arch.Port, ins), Out: make([]arch.Port, outs)}
	for i := range c.In {
		c.In[i].Type = ir.Bits(32)
	}
	for i := range c.Out {
		c.Out[i].Type = ir.Bits(32)
	}
	b.f.Comps = append(b.f.Comps, c)
	return c
}

func (b *fabricBuilder) switchOf(rows ...[]bool) *arch.Component {
	c := b.add(arch.SpatialSwitch, len(rows[0]), len(rows))
	c.Switch = &arch.SwitchSpec{Connect: rows}
	return c
}

func (b *fabricBuilder) pe(ins, outs int, fus ...*arch.FunctionUnit) *arch.Component {
	c := b.add(arch.SpatialPE, ins, outs)
	c.PE = &arch.PESpec{FUs: fus}
	return c
}

func (b *fabricBuilder) fifo(bypassable bool) *arch.Component {
	c := b.add(arch.FIFO, 1, 1)
	c.FIFO = &arch.FIFOSpec{Depth: 2, Bypassable: bypassable}
	return c
}

func (b *fabricBuilder) memory(kind arch.Kind, elements int64, elem ir.Type, regions, tag int) *arch.Component {
	c := b.add(kind, 3, 3)
	w, _ := arch.ElementBits(elem)
	c.Mem = &arch.MemorySpec{LdCount: 1, StCount: 1, LSQDepth: 4, NumRegion: regions, TagWidth: tag,
		Type: ir.MemRef([]int64{elements}, elem), ElemWidth: w, Elements: elements}
	return c
}

// sample holds one component of each kind, PEs before and between the others so
// that the order of slices shows.
func sample() *arch.Fabric {
	b := &fabricBuilder{f: arch.Fabric{Name: "sample", IndexWidth: 32}}
	b.pe(4, 3,
		unit("constant_i32", 1, 1, constant(ir.I32)),
		unit("addi_i32", 2, 1, plain("arith.addi")),
		unit("stream", 3, 2, plain("dataflow.stream")))
	b.switchOf([]bool{true, false, true}, []bool{false, true, true})
	b.fifo(false)
	b.fifo(true)
	b.pe(1, 1, unit("join_4", 1, 1, join(4)))
	b.memory(arch.ExtMemory, ir.Dynamic, ir.I32, 2, 0)
	b.memory(arch.Memory, 100, ir.I16, 1, 0)
	fixed := b.pe(2, 1, unit("addi_i32", 2, 1, plain("arith.addi")))
	fixed.PE.FixedPorts = true
	return &b.f
}

// TestLayoutGolden checks every bit position of the sample against the design
// page: primitives first, then PEs; slices on words; fields from the low end.
func TestLayoutGolden(t *testing.T) {
	l := NewLayout(sample())
	var got bytes.Buffer
	for _, s := range l.Slices {
		fmt.Fprintf(&got, "%s @%d words %d bits %d\n", s.Comp.Name, s.WordOffset, s.WordCount, s.Bits)
		for _, f := range s.Fields {
			fmt.Fprintf(&got, "  %-28s %3d +%d unit %d\n", f.Name, f.Bit, f.Width, f.FU)
		}
	}
	want := `spatial_sw_1 @0 words 1 bits 7
  out[0].enable                  0 +1 unit -1
  out[0].sel                     1 +1 unit -1
  out[1].enable                  2 +1 unit -1
  out[1].sel                     3 +1 unit -1
  expects[0]                     4 +1 unit -1
  expects[1]                     5 +1 unit -1
  expects[2]                     6 +1 unit -1
fifo_3 @1 words 1 bits 1
  bypassed                       0 +1 unit -1
extmemory_5 @2 words 5 bits 130
  region[0].valid                0 +1 unit -1
  region[0].addr_offset          1 +64 unit -1
  region[1].valid               65 +1 unit -1
  region[1].addr_offset         66 +64 unit -1
memory_6 @7 words 1 bits 9
  region[0].valid                0 +1 unit -1
  region[0].addr_offset          1 +8 unit -1
spatial_pe_0 @8 words 2 bits 55
  enable                         0 +1 unit -1
  opcode                         1 +2 unit -1
  in[0].sel                      3 +2 unit -1
  in[0].discard                  5 +1 unit -1
  in[0].disconnect               6 +1 unit -1
  in[1].sel                      7 +2 unit -1
  in[1].discard                  9 +1 unit -1
  in[1].disconnect              10 +1 unit -1
  in[2].sel                     11 +2 unit -1
  in[2].discard                 13 +1 unit -1
  in[2].disconnect              14 +1 unit -1
  out[0].sel                    15 +2 unit -1
  out[0].discard                17 +1 unit -1
  out[0].disconnect             18 +1 unit -1
  out[1].sel                    19 +2 unit -1
  out[1].discard                21 +1 unit -1
  out[1].disconnect             22 +1 unit -1
  fu.constant_i32.value         23 +32 unit 0
  fu.stream.cont_cond           23 +5 unit 2
spatial_pe_4 @10 words 1 bits 9
  enable                         0 +1 unit -1
  in[0].discard                  1 +1 unit -1
  in[0].disconnect               2 +1 unit -1
  out[0].discard                 3 +1 unit -1
  out[0].disconnect              4 +1 unit -1
  fu.join_4.mask                 5 +4 unit -1
spatial_pe_7 @11 words 1 bits 7
  enable                         0 +1 unit -1
  in[0].discard                  1 +1 unit -1
  in[0].disconnect               2 +1 unit -1
  in[1].discard                  3 +1 unit -1
  in[1].disconnect               4 +1 unit -1
  out[0].discard                 5 +1 unit -1
  out[0].disconnect              6 +1 unit -1
`
	want = strings.Replace(want, "+4 unit -1\n", "+4 unit 0\n", 1)
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
	if l.WordCount != 12 {
		t.Errorf("word count %d, want 12", l.WordCount)
	}
	if d := cmp.Diff([]int{4, 0, -1, 1, 5, 2, 3, 6}, l.SliceOf); d != "" {
		t.Error(d)
	}
}

// TestWidths checks the two width rules at and around powers of two.
func TestWidths(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4, 32: 5, 33: 6} {
		if got := ChoiceBits(n); got != want {
			t.Errorf("ChoiceBits(%d) = %d, want %d", n, got, want)
		}
	}
	for _, c := range []struct {
		elements int64
		elem     ir.Type
		want     int
	}{{1, ir.I8, 0}, {2, ir.I8, 1}, {3, ir.I8, 2}, {1, ir.I1, 0}, {1, ir.I64, 3}, {1024, ir.I32, 12}, {1025, ir.I32, 13}, {1000, ir.I16, 11}} {
		b := &fabricBuilder{}
		m := b.memory(arch.Memory, c.elements, c.elem, 1, 0)
		if got := AddrBits(&arch.Component{Kind: arch.Memory, Mem: m.Mem}); got != c.want {
			t.Errorf("%d x %s: %d address bits, want %d", c.elements, c.elem, got, c.want)
		}
		if got := AddrBits(&arch.Component{Kind: arch.ExtMemory, Mem: m.Mem}); got != 64 {
			t.Errorf("external: %d address bits", got)
		}
	}
	// numRegion · (1 + 2·TAG_WIDTH + ADDR_WIDTH), tags included.
	b := &fabricBuilder{}
	b.memory(arch.Memory, 1024, ir.I32, 3, 4)
	if got := NewLayout(&b.f).Slices[0].Bits; got != 3*(1+2*4+12) {
		t.Errorf("tagged memory: %d bits", got)
	}
}

// TestBitsCrossWords moves a pattern through every alignment.
func TestBitsCrossWords(t *testing.T) {
	for bit := range 70 {
		for _, width := range []int{1, 5, 31, 32, 33, 63, 64} {
			words := []uint32{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}
			v := uint64(0x9abcdef012345678)
			PutBits(words, bit, width, v)
			want := v
			if width < 64 {
				want &= 1<<width - 1
			}
			if got := GetBits(words, bit, width); got != want {
				t.Fatalf("bit %d width %d: read %x, wrote %x", bit, width, got, want)
			}
			ones := 0
			for _, b := range []int{bit - 1, bit + width} {
				if b >= 0 && GetBits(words, b, 1) == 0 {
					ones++
				}
			}
			if ones > 0 {
				t.Fatalf("bit %d width %d: neighbouring bits were changed", bit, width)
			}
		}
	}
}

// genFabric draws a random fabric.
func genFabric(t *rapid.T) *arch.Fabric {
	b := &fabricBuilder{f: arch.Fabric{Name: "random", IndexWidth: rapid.IntRange(32, 64).Draw(t, "index")}}
	types := []ir.Type{ir.I1, ir.I8, ir.I32, ir.I64, ir.Index, ir.Int(17)}
	for range rapid.IntRange(0, 8).Draw(t, "comps") {
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			nin, nout := rapid.IntRange(1, 9).Draw(t, "in"), rapid.IntRange(1, 9).Draw(t, "out")
			rows := make([][]bool, nout)
			for o := range rows {
				rows[o] = rapid.SliceOfN(rapid.Bool(), nin, nin).Draw(t, "row")
			}
			b.switchOf(rows...)
		case 1:
			b.fifo(rapid.Bool().Draw(t, "bypassable"))
		case 2:
			b.memory(arch.ExtMemory, ir.Dynamic, ir.I32, rapid.IntRange(1, 4).Draw(t, "regions"), rapid.IntRange(0, 5).Draw(t, "tag"))
		case 3:
			b.memory(arch.Memory, rapid.Int64Range(1, 5000).Draw(t, "elements"), ir.I16, rapid.IntRange(1, 4).Draw(t, "regions"), rapid.IntRange(0, 5).Draw(t, "tag"))
		case 4:
			var fus []*arch.FunctionUnit
			for k := range rapid.IntRange(1, 6).Draw(t, "units") {
				var ops []*ir.Operation
				for range rapid.IntRange(1, 3).Draw(t, "ops") {
					switch rapid.IntRange(0, 3).Draw(t, "op") {
					case 0:
						ops = append(ops, constant(rapid.SampledFrom(types).Draw(t, "type")))
					case 1:
						ops = append(ops, join(rapid.IntRange(1, 64).Draw(t, "fanin")))
					case 2:
						ops = append(ops, plain("arith.cmpi"))
					case 3:
						ops = append(ops, plain("arith.addi"))
					}
				}
				fus = append(fus, unit(fmt.Sprintf("u%d", k), rapid.IntRange(0, 4).Draw(t, "ins"), rapid.IntRange(1, 3).Draw(t, "outs"), ops...))
			}
			if rapid.Bool().Draw(t, "fixed") {
				b.pe(len(fus[0].In), len(fus[0].Out), fus[0]).PE.FixedPorts = true
				break
			}
			b.pe(rapid.IntRange(1, 7).Draw(t, "in"), rapid.IntRange(1, 7).Draw(t, "out"), fus...)
		case 5:
			b.genTagged(t)
		case 6:
			b.genTemporalPE(t)
		}
	}
	return &b.f
}

func genValue(t *rapid.T, width int, name string) uint64 {
	if width >= 64 {
		return rapid.Uint64().Draw(t, name)
	}
	return rapid.Uint64Range(0, 1<<width-1).Draw(t, name)
}

// genImage draws random settings for every component.
func genImage(t *rapid.T, l *Layout) *Image {
	img := New(l)
	for i, c := range l.Fabric.Comps {
		s := &img.Settings[i]
		switch {
		case s.Switch != nil:
			for o, row := range c.Switch.Connect {
				for in, on := range row {
					if !on || !rapid.Bool().Draw(t, "route") {
						continue
					}
					s.Switch.Route[o] = in
				}
			}
			for in := range s.Switch.Discard {
				s.Switch.Discard[in] = rapid.Bool().Draw(t, "discard") && !slices.Contains(s.Switch.Route, in)
			}
		case c.Kind == arch.FIFO:
			s.Bypassed = c.FIFO.Bypassable && rapid.Bool().Draw(t, "bypassed")
		case s.PE != nil:
			s.PE.Enable = rapid.Bool().Draw(t, "enable")
			s.PE.Opcode = rapid.IntRange(0, len(c.PE.FUs)-1).Draw(t, "opcode")
			sel := func(list []Selector, n int, name string) {
				for k := range list {
					list[k] = Selector{Sel: rapid.IntRange(0, n-1).Draw(t, "sel"), Discard: rapid.Bool().Draw(t, "discard"), Disconnect: rapid.Bool().Draw(t, "disconnect")}
					if c.PE.FixedPorts {
						list[k].Sel = fixedPort(k, list[k], name)
					}
				}
			}
			sel(s.PE.In, len(c.In), "in")
			sel(s.PE.Out, len(c.Out), "out")
			for k := range s.PE.In {
				s.PE.In[k].Immediate = c.PE.Held(k) && rapid.Bool().Draw(t, "immediate")
				if s.PE.In[k].Immediate {
					s.PE.In[k].Value = genValue(t, c.PE.Immediate(k), "word")
				}
			}
			s.PE.Fields = nil
			for _, f := range c.PE.FUs[s.PE.Opcode].Fields(l.Fabric.IndexWidth) {
				s.PE.Fields = append(s.PE.Fields, genValue(t, f.Width, "field"))
			}
		case s.TPE != nil:
			genProgram(t, c, s.TPE)
		case c.Mem == nil:
			genTags(t, c, s)
		default:
			addr := AddrBits(c)
			for r := range s.Regions {
				s.Regions[r] = Region{rapid.Bool().Draw(t, "valid"), genValue(t, c.Mem.TagWidth, "start"), genValue(t, c.Mem.TagWidth, "end"), genValue(t, addr, "offset"), c.Mem.Cache > 0 && rapid.Bool().Draw(t, "cached")}
			}
		}
	}
	return img
}

// TestRoundTrip encodes random settings of random fabrics and decodes them.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewLayout(genFabric(t))
		checkLayout(t, l)
		img := genImage(t, l)
		if err := img.Check(); err != nil {
			t.Fatal(err)
		}
		words := img.Encode()
		back, err := Decode(l, words)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(img.Settings, back.Settings, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
		if d := cmp.Diff(words, back.Encode()); d != "" {
			t.Fatal(d)
		}
	})
}

// checkLayout checks that fields lie inside their slice, do not overlap except
// those of different units, and that slices follow each other.
func checkLayout(t *rapid.T, l *Layout) {
	next := 0
	for i := range l.Slices {
		s := &l.Slices[i]
		if s.WordOffset != next || s.Bits > s.WordCount*WordBits || s.Bits <= (s.WordCount-1)*WordBits {
			t.Fatalf("slice %s: offset %d (expected %d), %d words, %d bits", s.Comp.Name, s.WordOffset, next, s.WordCount, s.Bits)
		}
		next += s.WordCount
		if l.SliceFor(s.Comp) != s {
			t.Fatalf("SliceFor(%s) is another slice", s.Comp.Name)
		}
		names := map[string]bool{}
		for a, f := range s.Fields {
			if f.Width < 1 || f.Width > 64 || f.Bit+f.Width > s.Bits || names[f.Name] {
				t.Fatalf("field %s of %s: bit %d width %d of %d, or its name twice", f.Name, s.Comp.Name, f.Bit, f.Width, s.Bits)
			}
			names[f.Name] = true
			for _, g := range s.Fields[:a] {
				shared := f.FU >= 0 && g.FU >= 0 && f.FU != g.FU
				if !shared && f.Bit < g.Bit+g.Width && g.Bit < f.Bit+f.Width {
					t.Fatalf("fields %s and %s overlap", f.Name, g.Name)
				}
			}
		}
	}
	if next != l.WordCount {
		t.Fatalf("slices take %d words, the layout has %d", next, l.WordCount)
	}
}

// TestDecodeAnyWords decodes random words: an error, or an image that encodes to
// the same words.
func TestDecodeAnyWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := NewLayout(genFabric(t))
		words := make([]uint32, l.WordCount)
		for i := range words {
			words[i] = rapid.SampledFrom([]uint32{0, 1, 5, 0xff, 0xffff, 0xffffffff}).Draw(t, "word")
		}
		img, err := Decode(l, words)
		if err == nil {
			if d := cmp.Diff(words, img.Encode()); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// TestDecodeRejects lists images that hardware of this layout cannot mean.
func TestDecodeRejects(t *testing.T) {
	l := NewLayout(sample())
	good := New(l).Encode()
	for _, c := range []struct {
		name string
		edit func(w []uint32) []uint32
	}{
		{"a word too few", func(w []uint32) []uint32 { return w[1:] }},
		{"a word too many", func(w []uint32) []uint32 { return append(w, 0) }},
		{"unused high bits of the switch", func(w []uint32) []uint32 { w[0] |= 1 << 7; return w }},
		{"opcode 3 of 3", func(w []uint32) []uint32 { w[8] |= 3 << 1; return w }},
		{"bits beyond the selected unit's fields", func(w []uint32) []uint32 { w[8] |= 1 << 1; w[9] |= 1; return w }},
	} {
		w := c.edit(append([]uint32(nil), good...))
		if _, err := Decode(l, w); err == nil {
			t.Errorf("%s: accepted", c.name)
		}
	}
}

// TestSelects checks the bits of a switch whose outputs have 0, 1, 2, 3 and 5 inputs, and what
// a decoder takes: selects of an input, and nothing where the output is closed, and that inputs with a
// route expect tokens.
func TestSelects(t *testing.T) {
	b := &fabricBuilder{f: arch.Fabric{Name: "selects", IndexWidth: 32}}
	b.switchOf(
		[]bool{false, false, false, false, false},
		[]bool{false, false, true, false, false},
		[]bool{true, false, false, true, false},
		[]bool{true, true, false, false, true},
		[]bool{true, true, true, true, true})
	l := NewLayout(&b.f)
	var got bytes.Buffer
	for _, f := range l.Slices[0].Fields {
		fmt.Fprintf(&got, "%s %d+%d ", f.Name, f.Bit, f.Width)
	}
	if want := "out[1].enable 0+1 out[2].enable 1+1 out[2].sel 2+1 out[3].enable 3+1 out[3].sel 4+2 out[4].enable 6+1 out[4].sel 7+3 " +
		"expects[0] 10+1 expects[1] 11+1 expects[2] 12+1 expects[3] 13+1 expects[4] 14+1 "; got.String() != want {
		t.Errorf("fields %s, want %s", &got, want)
	}
	for _, c := range []struct {
		word  uint32
		route []int
		fault string
	}{
		{0, []int{-1, -1, -1, -1, -1}, ""},
		{1 | 0b00100<<10, []int{-1, 2, -1, -1, -1}, ""},
		{0b010 | 0b001<<3 | 0b00001<<10, []int{-1, -1, 0, 0, -1}, ""},
		{0b110 | 0b011<<3 | 0b01010<<10, []int{-1, -1, 3, 1, -1}, ""},
		{0b101<<3 | 0b0001<<6 | 0b10001<<10, []int{-1, -1, -1, 4, 0}, ""},
		{0b1001<<6 | 0b10000<<10, []int{-1, -1, -1, -1, 4}, ""},
		{0b1001<<6 | 0b11011<<10, []int{-1, -1, -1, -1, 4}, ""}, // all others drop but input 2
		{0b1001<<6 | 0b01011<<10, nil, "input 4 is routed and expects no tokens"},
		{0b100, nil, "out[2] selects input 1 of those that are connected to it and is not enabled"},
		{0b111 << 3, nil, "out[3] selects input 3 of the 3 that are connected to it"},
		{0b110 << 3, nil, "out[3] selects input 3 of the 3 that are connected to it"},
		{0b1011 << 6, nil, "out[4] selects input 5 of the 5 that are connected to it"},
		{0b1111 << 6, nil, "out[4] selects input 7 of the 5 that are connected to it"},
	} {
		img, err := Decode(l, []uint32{c.word})
		switch {
		case c.fault != "":
			if err == nil || !strings.Contains(err.Error(), "configuration of spatial_sw 'spatial_sw_0' (word 0): "+c.fault) {
				t.Errorf("word %#b: %v, want %s", c.word, err, c.fault)
			}
		case err != nil:
			t.Errorf("word %#b: %v", c.word, err)
		default:
			if d := cmp.Diff(c.route, img.Settings[0].Switch.Route); d != "" {
				t.Errorf("word %#b: %s", c.word, d)
			}
		}
	}
}

// TestCheckRejects lists settings that do not fit the fabric.
func TestCheckRejects(t *testing.T) {
	l := NewLayout(sample())
	for _, c := range []struct {
		name string
		edit func(s []Setting)
	}{
		{"no switch setting", func(s []Setting) { s[1].Switch = nil }},
		{"route that is not connected", func(s []Setting) { s[1].Switch.Route[0] = 1 }},
		{"route from no input", func(s []Setting) { s[1].Switch.Route[1] = 3 }},
		{"routes of too many outputs", func(s []Setting) { s[1].Switch.Route = append(s[1].Switch.Route, -1) }},
		{"opcode out of range", func(s []Setting) { s[0].PE.Opcode = 3 }},
		{"selector out of range", func(s []Setting) { s[0].PE.In[0].Sel = 4 }},
		{"too few fields", func(s []Setting) { s[0].PE.Fields = nil }},
		{"field too large", func(s []Setting) { s[4].PE.Fields[0] = 16 }},
		{"offset beyond the memory", func(s []Setting) { s[6].Regions[0].Offset = 256 }},
		{"tag on an untagged memory", func(s []Setting) { s[6].Regions[0].StartTag = 1 }},
		{"missing region", func(s []Setting) { s[5].Regions = s[5].Regions[:1] }},
	} {
		img := New(l)
		c.edit(img.Settings)
		if err := img.Check(); err == nil {
			t.Errorf("%s: accepted", c.name)
		}
	}
}

// TestHash checks that the hash sees everything that gives bits their meaning
// and ignores the rest.
func TestHash(t *testing.T) {
	base := NewLayout(sample()).Hash
	same := sample()
	same.Comps[0].X, same.Comps[0].Pos.Line = 7, 99
	if NewLayout(same).Hash != base {
		t.Error("the hash depends on drawing or source position")
	}
	for name, edit := range map[string]func(f *arch.Fabric){
		"connectivity": func(f *arch.Fabric) { f.Comps[1].Switch.Connect[0][1] = true },
		"immediates":   func(f *arch.Fabric) { f.Comps[0].PE.Immediates = []int{} },
		"unit name":    func(f *arch.Fabric) { f.Comps[0].PE.FUs[1].Name = "x" },
		"fifo depth":   func(f *arch.Fabric) { f.Comps[2].FIFO.Depth = 3 },
		"port type":    func(f *arch.Fabric) { f.Comps[2].In[0].Type = ir.Bits(16) },
		"lsq depth":    func(f *arch.Fabric) { f.Comps[6].Mem.LSQDepth = 5 },
		"channel":      func(f *arch.Fabric) { f.Channels = []*arch.Channel{{Width: 32}} },
	} {
		f := sample()
		edit(f)
		if NewLayout(f).Hash == base {
			t.Errorf("the hash does not see a change of %s", name)
		}
	}
}

// TestJSON reads config.json back and compares it with the image.
func TestJSON(t *testing.T) {
	l := NewLayout(sample())
	img := New(l)
	img.Settings[0].PE = &PESetting{Enable: true, Opcode: 2, In: make([]Selector, 3), Out: make([]Selector, 2), Fields: []uint64{16}}
	img.Settings[5].Regions[1] = Region{Valid: true, Offset: 1<<63 + 5}
	var b bytes.Buffer
	if err := img.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Fabric     string
		LayoutHash string `json:"layout_hash"`
		WordBits   int    `json:"word_width_bits"`
		WordCount  int    `json:"word_count"`
		ByteSize   int    `json:"byte_size"`
		Complete   bool
		Words      []uint32
		Slices     []struct {
			Name, Kind   string
			WordOffset   int    `json:"word_offset"`
			WordCount    int    `json:"word_count"`
			FunctionUnit string `json:"function_unit"`
			Fields       []struct {
				Name       string
				Bit, Width int
				Value      uint64
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	words := img.Encode()
	if d := cmp.Diff(words, got.Words); d != "" {
		t.Error(d)
	}
	if got.WordBits != 32 || got.WordCount != len(words) || got.ByteSize != 4*len(words) || !got.Complete || got.Fabric != "sample" ||
		got.LayoutHash != fmt.Sprintf("0x%016x", l.Hash) || len(Bytes(words)) != got.ByteSize {
		t.Errorf("wrong head: %+v", got)
	}
	// The fields alone must give the words again.
	again := make([]uint32, got.WordCount)
	for _, s := range got.Slices {
		for _, f := range s.Fields {
			PutBits(again[s.WordOffset:s.WordOffset+s.WordCount], f.Bit, f.Width, f.Value)
		}
	}
	if d := cmp.Diff(words, again); d != "" {
		t.Error(d)
	}
	if got.Slices[4].FunctionUnit != "stream" {
		t.Errorf("selected unit: %q", got.Slices[4].FunctionUnit)
	}
}
