package config

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"
	"strconv"

	"loom/compiler/arch"
)

// ChoiceBits is the width of a field that chooses among n alternatives: 0 for
// n <= 1, else ceil(log2 n).
func ChoiceBits(n int) int {
	if n <= 1 {
		return 0
	}
	return bits.Len(uint(n - 1))
}

// AddrBits is ADDR_WIDTH, the width of addr_offset: 64 for external memories and
// clog2(bytes) on chip.
func AddrBits(c *arch.Component) int {
	if c.External() {
		return 64
	}
	bytes := c.Mem.Elements * int64(c.Mem.ElemBytes())
	if bytes <= 1 {
		return 0
	}
	return bits.Len64(uint64(bytes - 1))
}

// NewLayout computes the layout of a fabric's image: first the slices of the
// primitives in flattened instance order, then those of the PEs in order, each
// starting on a word.
func NewLayout(f *arch.Fabric) *Layout {
	l := &Layout{Fabric: f, SliceOf: make([]int, len(f.Comps))}
	for i := range l.SliceOf {
		l.SliceOf[i] = -1
	}
	for _, pes := range []bool{false, true} {
		for _, c := range f.Comps {
			if (c.Units() != nil) == pes {
				l.add(c)
			}
		}
	}
	l.Hash = l.hash()
	return l
}

// add appends the slice of c unless c has nothing to configure.
func (l *Layout) add(c *arch.Component) {
	b := &sliceBuilder{s: Slice{Comp: c, WordOffset: l.WordCount}, indexWidth: l.Fabric.IndexWidth}
	c.Configure(b)
	if b.s.Bits == 0 {
		return
	}
	b.s.WordCount = (b.s.Bits + WordBits - 1) / WordBits
	l.SliceOf[c.ID] = len(l.Slices)
	l.Slices = append(l.Slices, b.s)
	l.WordCount += b.s.WordCount
}

// SliceFor returns the slice of a component, nil where it has nothing to
// configure.
func (l *Layout) SliceFor(c *arch.Component) *Slice {
	if i := l.SliceOf[c.ID]; i >= 0 {
		return &l.Slices[i]
	}
	return nil
}

// FieldByName returns the field of that name.
func (s *Slice) FieldByName(name string) (Field, bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// sliceBuilder packs the fields of one slice from the low end. It is what component
// kinds describe their configuration to.
type sliceBuilder struct {
	s          Slice
	indexWidth int
}

func (b *sliceBuilder) Bypass() { b.s.FIFO = &Bits{b.field("bypassed", 1), 1} }

// field appends a field and returns the position of its lowest bit. A width of 0
// takes no bits and leaves no field.
func (b *sliceBuilder) field(name string, width int) int {
	at := b.s.Bits
	if width > 0 {
		b.s.Fields = append(b.s.Fields, Field{Name: name, Bit: at, Width: width, FU: -1})
		b.s.Bits += width
	}
	return at
}

func (b *sliceBuilder) choice(name string, n int) Bits {
	w := ChoiceBits(n)
	return Bits{b.field(name, w), w}
}

func (b *sliceBuilder) selector(name string, n int) SelectorBits {
	return SelectorBits{
		Sel:        b.choice(name+".sel", n),
		Discard:    b.field(name+".discard", 1),
		Disconnect: b.field(name+".disconnect", 1),
	}
}

func (b *sliceBuilder) Circuit(c *arch.Component) {
	sw := &SwitchBits{}
	for o, row := range c.Switch.Connect {
		sw.Out = append(sw.Out, b.route(fmt.Sprintf("out[%d]", o), row))
	}
	for i := range c.In {
		sw.Expects = append(sw.Expects, b.field(fmt.Sprintf("expects[%d]", i), 1))
	}
	b.s.Switch = sw
}

func (b *sliceBuilder) Slots(c *arch.Component) {
	for k := range c.Temporal.Slots {
		name := fmt.Sprintf("slot[%d].", k)
		slot := SlotBits{
			Valid: b.field(name+"valid", 1),
			Tag:   Bits{b.field(name+"tag", c.Temporal.TagWidth), c.Temporal.TagWidth},
		}
		for o, row := range c.Temporal.Connect {
			slot.Route = append(slot.Route, b.routes(name, o, row))
		}
		b.s.Slots = append(b.s.Slots, slot)
	}
}

// route appends the bits that say whether an output takes an input, and which of those that
// are connected to it.
func (b *sliceBuilder) route(name string, row []bool) RouteBits {
	var at RouteBits
	for i, connected := range row {
		if connected {
			at.Inputs = append(at.Inputs, i)
		}
	}
	if len(at.Inputs) > 0 {
		at.Enable = b.field(name+".enable", 1)
		at.Sel = b.choice(name+".sel", len(at.Inputs))
	}
	return at
}

// routes appends one bit per input that is connected to output o.
func (b *sliceBuilder) routes(prefix string, o int, row []bool) []int {
	at := make([]int, len(row))
	for i, connected := range row {
		at[i] = -1
		if connected {
			at[i] = b.field(fmt.Sprintf("%sroute[%d][%d]", prefix, o, i), 1)
		}
	}
	return at
}

func (b *sliceBuilder) Tag(width int) { b.s.Tag = &Bits{b.field("tag", width), width} }

func (b *sliceBuilder) Entries(c *arch.Component) {
	in, out := c.Map.InTag, c.Map.OutTag
	for k := range c.Map.TableSize {
		name := fmt.Sprintf("entry[%d].", k)
		b.s.Entries = append(b.s.Entries, EntryBits{
			Valid: b.field(name+"valid", 1),
			Src:   Bits{b.field(name+"src_tag", in), in},
			Dst:   Bits{b.field(name+"dst_tag", out), out},
		})
	}
}

func (b *sliceBuilder) Regions(c *arch.Component) {
	addr := AddrBits(c)
	for r := range c.Mem.NumRegion {
		name := fmt.Sprintf("region[%d].", r)
		bits := RegionBits{
			Valid:    b.field(name+"valid", 1),
			StartTag: Bits{b.field(name+"start_tag", c.Mem.TagWidth), c.Mem.TagWidth},
			EndTag:   Bits{b.field(name+"end_tag", c.Mem.TagWidth), c.Mem.TagWidth},
			Offset:   Bits{b.field(name+"addr_offset", addr), addr},
			Cached:   -1,
		}
		if c.Mem.Cache > 0 {
			bits.Cached = b.field(name+"cached", 1)
		}
		b.s.Regions = append(b.s.Regions, bits)
	}
}

func (b *sliceBuilder) FunctionUnits(c *arch.Component) {
	p := &PEBits{Enable: b.field("enable", 1)}
	p.Opcode = b.choice("opcode", len(c.PE.FUs))
	for k := range c.PE.MaxInputs() {
		p.In = append(p.In, b.selector(fmt.Sprintf("in[%d]", k), selectable(c, len(c.In))))
	}
	for k := range c.PE.MaxOutputs() {
		p.Out = append(p.Out, b.selector(fmt.Sprintf("out[%d]", k), selectable(c, len(c.Out))))
	}
	// The units overlay each other: only one of them is active.
	p.FUSpace.Bit = b.s.Bits
	for k, fu := range c.PE.FUs {
		fields := fu.Fields(b.indexWidth)
		names := fieldNames(fu.Name, fields)
		at := p.FUSpace.Bit
		var own []Bits
		for n, f := range fields {
			own = append(own, Bits{at, f.Width})
			b.s.Fields = append(b.s.Fields, Field{Name: names[n], Bit: at, Width: f.Width, FU: k})
			at += f.Width
		}
		p.FU = append(p.FU, own)
		p.FUSpace.Width = max(p.FUSpace.Width, at-p.FUSpace.Bit)
	}
	b.s.Bits += p.FUSpace.Width
	if c.PE.Holds() {
		for k := range p.In {
			if c.PE.Held(k) {
				p.In[k].Immediate = Bits{b.field(fmt.Sprintf("in[%d].immediate", k), 1), 1}
			}
		}
		for k := range p.In {
			w := c.PE.Immediate(k)
			p.In[k].Word = Bits{b.field(fmt.Sprintf("in[%d].word", k), w), w}
		}
	}
	b.s.PE = p
}

// Instructions lays out a temporal PE.
func (b *sliceBuilder) Instructions(c *arch.Component) {
	p := &TPEBits{}
	sources := c.TPE.Sources(c)
	for n := range c.TPE.Instructions {
		name := fmt.Sprintf("instruction[%d].", n)
		in := InstructionBits{Valid: b.field(name+"valid", 1), Opcode: b.choice(name+"opcode", len(c.TPE.FUs))}
		if w := c.TPE.Predicate(); w > 0 {
			in.Predicate = Bits{b.field(name+"predicate", w), w}
		}
		for k, operand := range []string{"condition", "a", "b"} {
			o := OperandBits{Source: b.choice(name+operand+".source", sources), Held: b.field(name+operand+".held", 1), Immediate: -1}
			if k != arch.OperandCondition && c.TPE.Constants > 0 {
				o.Immediate = b.field(name+operand+".immediate", 1)
			}
			in.Operands[k] = o
		}
		in.Constant = b.choice(name+"constant", c.TPE.Constants)
		p.Instructions = append(p.Instructions, in)
	}
	for o := range c.Out {
		name := fmt.Sprintf("out[%d].", o)
		p.Outputs = append(p.Outputs, OutputBits{b.field(name+"enable", 1), b.choice(name+"source", sources)})
	}
	for k := range c.TPE.Constants {
		p.Constants = append(p.Constants, Bits{b.field(fmt.Sprintf("constant[%d]", k), c.TPE.Width), c.TPE.Width})
	}
	b.s.TPE = p
}

// selectable is how many of some ports of a PE a selector chooses among.
func selectable(c *arch.Component, ports int) int {
	if c.PE.FixedPorts {
		return 1
	}
	return ports
}

// fieldNames gives a unit's fields their names in the slice: "fu.unit.value", and
// "fu.unit.value[0]", "fu.unit.value[1]" where a body has several of a kind.
func fieldNames(unit string, fields []arch.Field) []string {
	total, seen := map[string]int{}, map[string]int{}
	for _, f := range fields {
		total[f.Name]++
	}
	var out []string
	for _, f := range fields {
		name := "fu." + unit + "." + f.Name
		if total[f.Name] > 1 {
			name += fmt.Sprintf("[%d]", seen[f.Name])
			seen[f.Name]++
		}
		out = append(out, name)
	}
	return out
}

// hash digests everything about the fabric that gives a bit of the image its
// meaning: components, function units, connections and the layout itself. Source
// positions and drawing coordinates do not count.
func (l *Layout) hash() uint64 {
	f := l.Fabric
	var h []byte
	h = fmt.Appendf(h, "loom-config-1 %q index %d words %d\n", f.Name, f.IndexWidth, l.WordCount)
	for _, p := range f.MemPorts {
		h = fmt.Appendf(h, "memport %q %s\n", p.Name, p.Type)
	}
	for _, p := range f.Inputs {
		h = fmt.Appendf(h, "input %q %s %d\n", p.Name, p.Type, p.Width)
	}
	for _, p := range f.Outputs {
		h = fmt.Appendf(h, "output %q %s %d\n", p.Name, p.Type, p.Width)
	}
	number := func(n int, end byte) { h = append(strconv.AppendInt(h, int64(n), 10), end) }
	units := map[*arch.PESpec]string{} // what PEs are alike in is spelled once
	for _, c := range f.Comps {
		h = fmt.Appendf(h, "comp %d %q %s ", c.ID, c.Name, c.Kind)
		for _, ports := range [][]arch.Port{c.In, c.Out} {
			for i := range ports {
				h = append(append(h, ports[i].Type.String()...), ':')
				number(ports[i].Bits(), ' ')
			}
			h = append(h, "| "...)
		}
		shape, known := units[c.PE]
		if !known || c.PE == nil {
			shape = c.Shape()
			units[c.PE] = shape
		}
		h = append(append(h, shape...), '\n')
	}
	endpoint := func(e arch.Endpoint, end byte) {
		if e.Comp == nil {
			h = append(h, 'b')
		} else {
			number(e.Comp.ID, '.')
		}
		number(e.Port, end)
	}
	for _, ch := range f.Channels {
		h = append(h, "channel "...)
		number(ch.ID, ' ')
		number(ch.Width, ' ')
		number(ch.TagWidth, ' ')
		endpoint(ch.Src, ' ')
		endpoint(ch.Dst, '\n')
	}
	for i := range l.Slices {
		s := &l.Slices[i]
		h = fmt.Appendf(h, "slice %d %d %d\n", s.Comp.ID, s.WordOffset, s.Bits)
		for _, fd := range s.Fields {
			h = append(append(h, fd.Name...), ' ') // there are thousands
			number(fd.Bit, ' ')
			number(fd.Width, '\n')
		}
	}
	sum := sha256.Sum256(h)
	return binary.BigEndian.Uint64(sum[:])
}
