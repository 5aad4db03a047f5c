package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// stepUnits are units of every kind of a temporal PE, with their steps.
func stepUnits() (fus []*arch.FunctionUnit, steps []arch.Step) {
	const c, a, b = arch.OperandCondition, arch.OperandA, arch.OperandB
	add := func(kind arch.StepKind, op string, slots ...int) {
		vs := make([]*ir.Value, len(slots))
		refs := make([]arch.ValueRef, len(slots))
		for i := range vs {
			vs[i], refs[i] = &ir.Value{Type: ir.I32}, arch.ValueRef{Op: -1, Arg: i}
		}
		fu := unit(strings.ReplaceAll(op, ".", "_"), len(slots), 1)
		fu.Ops = []*arch.FUOp{{Op: ir.NewOp(op, diag.Pos{}, vs, []ir.Type{ir.I32}), Operands: refs}}
		fu.Yield = []arch.ValueRef{{Op: 0}}
		fus, steps = append(fus, fu), append(steps, arch.Step{Kind: kind, Slot: slots})
	}
	add(arch.StepCompute, "arith.addi", a, b)
	add(arch.StepCompute, "arith.cmpi", a, b)
	add(arch.StepCompute, "arith.extui", a)
	add(arch.StepJoin, "handshake.join", c, a)
	add(arch.StepSelect, "arith.select", c, a, b)
	add(arch.StepMux, "handshake.mux", c, a, b)
	add(arch.StepBranch, "handshake.cond_br", c, a)
	add(arch.StepCarry, "dataflow.carry", c, a, b)
	add(arch.StepInvariant, "dataflow.invariant", c, a)
	fus, steps = append(fus, unit("loop", 3, 2)), append(steps, arch.Step{Kind: arch.StepLoop, Slot: []int{c, a, b}})
	return fus, steps
}

// temporalPE adds a temporal PE with some of those units.
func (b *fabricBuilder) temporalPE(ins, outs, instructions, constants, width int, opcodes ...int) *arch.Component {
	fus, steps := stepUnits()
	c := b.add(arch.TemporalPE, ins, outs)
	c.TPE = &arch.TemporalPESpec{Instructions: instructions, Constants: constants, Width: width}
	for _, k := range opcodes {
		c.TPE.FUs, c.TPE.Steps = append(c.TPE.FUs, fus[k]), append(c.TPE.Steps, steps[k])
	}
	return c
}

// genTemporalPE draws a temporal PE.
func (b *fabricBuilder) genTemporalPE(t *rapid.T) {
	fus, _ := stepUnits()
	b.temporalPE(rapid.IntRange(1, 9).Draw(t, "in"), rapid.IntRange(1, 5).Draw(t, "out"), 2<<rapid.IntRange(0, 3).Draw(t, "instructions"),
		rapid.IntRange(0, 16).Draw(t, "constants"), rapid.SampledFrom([]int{1, 8, 32, 33, 64}).Draw(t, "width"),
		rapid.SliceOfN(rapid.IntRange(0, len(fus)-1), 1, 12).Draw(t, "units")...)
}

// genProgram draws a legal setting of a temporal PE.
func genProgram(t *rapid.T, c *arch.Component, s *TPESetting) {
	sources := c.TPE.Sources(c)
	for n := range s.Instructions {
		if !rapid.Bool().Draw(t, "valid") {
			continue
		}
		in := Instruction{Valid: true, Opcode: rapid.IntRange(0, len(c.TPE.FUs)-1).Draw(t, "opcode")}
		step := c.TPE.Steps[in.Opcode]
		if op := c.TPE.FUs[in.Opcode].Single(); op != nil && op.Op.Name == "arith.cmpi" {
			in.Predicate = rapid.Uint64Range(0, 9).Draw(t, "predicate")
		}
		immediate := false
		for k := range in.Operands {
			o := Operand{Held: true}
			if slices.Contains(step.Slot, k) {
				o.Held = (k != arch.OperandCondition || step.Kind == arch.StepJoin) && rapid.Bool().Draw(t, "held")
				o.Immediate = k != arch.OperandCondition && c.TPE.Constants > 0 && rapid.Bool().Draw(t, "immediate")
				if !o.Held {
					o.Source = rapid.IntRange(0, sources-1).Draw(t, "source")
				}
			}
			in.Operands[k] = o
			immediate = immediate || o.Immediate
		}
		if immediate {
			in.Constant = rapid.IntRange(0, c.TPE.Constants-1).Draw(t, "constant")
		}
		s.Instructions[n] = in
	}
	for o := range s.Outputs {
		s.Outputs[o] = rapid.IntRange(-1, sources-1).Draw(t, "output")
	}
	for k := range s.Constants {
		s.Constants[k] = genValue(t, c.TPE.Width, "constant")
	}
}

// programs is a fabric of two temporal PEs: one of everything, and the smallest.
func programs() *arch.Fabric {
	b := &fabricBuilder{f: arch.Fabric{Name: "programs", IndexWidth: 32}}
	b.temporalPE(2, 2, 2, 3, 32, 0, 1, 4, 6, 3)
	b.temporalPE(1, 1, 2, 0, 8, 0)
	return &b.f
}

// TestLayoutOfTemporalPEs checks every bit position: instructions, outputs, constants, from the low end.
func TestLayoutOfTemporalPEs(t *testing.T) {
	l := NewLayout(programs())
	var got bytes.Buffer
	for _, s := range l.Slices {
		fmt.Fprintf(&got, "%s @%d bits %d\n", s.Comp.Name, s.WordOffset, s.Bits)
		for _, f := range s.Fields {
			fmt.Fprintf(&got, "  %-31s %3d +%d\n", f.Name, f.Bit, f.Width)
		}
	}
	want := `temporal_pe_0 @0 bits 152
  instruction[0].valid              0 +1
  instruction[0].opcode             1 +3
  instruction[0].predicate          4 +4
  instruction[0].condition.source   8 +3
  instruction[0].condition.held    11 +1
  instruction[0].a.source          12 +3
  instruction[0].a.held            15 +1
  instruction[0].a.immediate       16 +1
  instruction[0].b.source          17 +3
  instruction[0].b.held            20 +1
  instruction[0].b.immediate       21 +1
  instruction[0].constant          22 +2
  instruction[1].valid             24 +1
  instruction[1].opcode            25 +3
  instruction[1].predicate         28 +4
  instruction[1].condition.source  32 +3
  instruction[1].condition.held    35 +1
  instruction[1].a.source          36 +3
  instruction[1].a.held            39 +1
  instruction[1].a.immediate       40 +1
  instruction[1].b.source          41 +3
  instruction[1].b.held            44 +1
  instruction[1].b.immediate       45 +1
  instruction[1].constant          46 +2
  out[0].enable                    48 +1
  out[0].source                    49 +3
  out[1].enable                    52 +1
  out[1].source                    53 +3
  constant[0]                      56 +32
  constant[1]                      88 +32
  constant[2]                     120 +32
temporal_pe_1 @5 bits 30
  instruction[0].valid              0 +1
  instruction[0].condition.source   1 +3
  instruction[0].condition.held     4 +1
  instruction[0].a.source           5 +3
  instruction[0].a.held             8 +1
  instruction[0].b.source           9 +3
  instruction[0].b.held            12 +1
  instruction[1].valid             13 +1
  instruction[1].condition.source  14 +3
  instruction[1].condition.held    17 +1
  instruction[1].a.source          18 +3
  instruction[1].a.held            21 +1
  instruction[1].b.source          22 +3
  instruction[1].b.held            25 +1
  out[0].enable                    26 +1
  out[0].source                    27 +3
`
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
}

// add01 is an instruction "a + b" of inputs 0 and 1 of the first PE of programs.
func add01() Instruction {
	return Instruction{Valid: true, Operands: [3]Operand{{Held: true}, {Source: 4}, {Source: 5}}}
}

// TestProgramsReject lists settings of temporal PEs that do not fit; what of them the bits can say is refused in an image, too.
func TestProgramsReject(t *testing.T) {
	l := NewLayout(programs())
	type edit func(s *TPESetting)
	first := func(change func(in *Instruction)) edit {
		return func(s *TPESetting) {
			s.Instructions[0] = add01()
			change(&s.Instructions[0])
		}
	}
	for _, c := range []struct {
		name  string
		comp  int
		edit  edit
		fault string
		// words: the bits can say so.
		words bool
	}{
		{"too few instructions", 0, func(s *TPESetting) { s.Instructions = s.Instructions[:1] }, "1 instructions, 2 outputs and 3 constants, the PE has 2, 2 and 3", false},
		{"too many outputs", 0, func(s *TPESetting) { s.Outputs = append(s.Outputs, -1) }, "2 instructions, 3 outputs and 3 constants", false},
		{"too few constants", 0, func(s *TPESetting) { s.Constants = nil }, "2 instructions, 2 outputs and 0 constants", false},
		{"an opcode without valid", 0, func(s *TPESetting) { s.Instructions[1].Opcode = 1 }, "instruction 1 is not valid, and not zero", true},
		{"a held operand without valid", 0, func(s *TPESetting) { s.Instructions[1].Operands[2].Held = true }, "instruction 1 is not valid, and not zero", true},
		{"an opcode beyond the units", 0, first(func(in *Instruction) { in.Opcode = 5 }), "instruction 0 has the opcode 5, the PE has 5 function units", true},
		{"an opcode below 0", 0, first(func(in *Instruction) { in.Opcode = -1 }), "instruction 0 has the opcode -1", false},
		{"a predicate that there is not", 0, first(func(in *Instruction) { in.Opcode, in.Predicate = 1, 10 }), "instruction 0 has the predicate 10, which there is not", true},
		{"a predicate of an addition", 0, first(func(in *Instruction) { in.Predicate = 2 }), "instruction 0 compares nothing, and has the predicate 2", true},
		{"a condition of an addition", 0, first(func(in *Instruction) { in.Operands[0] = Operand{Source: 4} }), "instruction 0: 'arith_addi' has no operand 0, which must be held then", true},
		{"b of a branch is immediate", 0, first(func(in *Instruction) {
			in.Opcode, in.Operands = 3, [3]Operand{{Source: 4}, {Source: 5}, {Held: true, Immediate: true}}
		}), "instruction 0: 'handshake_cond_br' has no operand 2, which must be held then", true},
		{"a held operand with a source", 0, first(func(in *Instruction) { in.Operands[1] = Operand{Held: true, Source: 3} }), "instruction 0: operand 1 is held, and has a source", true},
		{"a source beyond the last", 0, first(func(in *Instruction) { in.Operands[2].Source = 6 }), "instruction 0: operand 2 has source 6 of 6", true},
		{"a source below 0", 0, first(func(in *Instruction) { in.Operands[2].Source = -1 }), "instruction 0: operand 2 has source -1 of 6", false},
		{"a held condition", 0, first(func(in *Instruction) { in.Opcode, in.Operands[0] = 2, Operand{Held: true} }), "instruction 0: its condition is held", true},
		{"an immediate condition", 0, first(func(in *Instruction) { in.Opcode, in.Operands[0] = 2, Operand{Source: 4, Immediate: true} }),
			"instruction 0: operand 0 is immediate, and has no constant", false},
		{"an immediate without constants", 1, func(s *TPESetting) {
			s.Instructions[0] = Instruction{Valid: true, Operands: [3]Operand{{Held: true}, {Source: 4, Immediate: true}, {Source: 4}}}
		}, "instruction 0: operand 1 is immediate, and has no constant", false},
		{"a constant that no operand has", 0, first(func(in *Instruction) { in.Constant = 1 }), "instruction 0 names constant 1 of 3", true},
		{"a constant beyond the last", 0, first(func(in *Instruction) { in.Operands[1].Immediate, in.Constant = true, 3 }), "instruction 0 names constant 3 of 3", true},
		{"a constant below 0", 0, first(func(in *Instruction) { in.Operands[1].Immediate, in.Constant = true, -1 }), "instruction 0 names constant -1 of 3", false},
		{"an output with a source beyond the last", 0, func(s *TPESetting) { s.Outputs[1] = 6 }, "output 1 has source 6 of 6", true},
		{"a constant too large", 1, func(s *TPESetting) { s.Constants = append(s.Constants, 1) }, "the PE has 2, 1 and 0", false},
		{"a word too large", 0, func(s *TPESetting) { s.Constants[2] = 1 << 32 }, "constant 2 is 4294967296, which does not fit 32 bits", false},
	} {
		img := New(l)
		c.edit(img.Settings[c.comp].TPE)
		if err := img.Check(); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s: %v, want %s", c.name, err, c.fault)
		}
		if !c.words {
			continue
		}
		words := make([]uint32, l.WordCount)
		s := l.SliceFor(l.Fabric.Comps[c.comp])
		spell(words[s.WordOffset:s.WordOffset+s.WordCount], s.TPE, img.Settings[c.comp].TPE)
		if _, err := Decode(l, words); err == nil || !strings.Contains(err.Error(), c.fault) {
			t.Errorf("%s, decoded: %v, want %s", c.name, err, c.fault)
		}
	}
	img := New(l)
	img.Settings[0].TPE = nil
	if err := img.Check(); err == nil {
		t.Error("no setting: accepted")
	}
	words := New(l).Encode()
	PutBits(words, l.Slices[0].TPE.Outputs[1].Source.Bit, 3, 2)
	if _, err := Decode(l, words); err == nil || !strings.Contains(err.Error(), "output 1 has source 2 and is not enabled") {
		t.Errorf("a source of an output that is not enabled: %v", err)
	}
}

// spell writes a setting, whatever it is, into the words of its slice.
func spell(words []uint32, at *TPEBits, s *TPESetting) {
	put := func(b Bits, v int) { PutBits(words, b.Bit, b.Width, uint64(v)) }
	flag := func(bit int, on bool) {
		if on {
			PutBits(words, bit, 1, 1)
		}
	}
	for n, in := range s.Instructions {
		at := at.Instructions[n]
		flag(at.Valid, in.Valid)
		put(at.Opcode, in.Opcode)
		put(at.Predicate, int(in.Predicate))
		put(at.Constant, in.Constant)
		for k, o := range in.Operands {
			put(at.Operands[k].Source, o.Source)
			flag(at.Operands[k].Held, o.Held)
			flag(at.Operands[k].Immediate, o.Immediate)
		}
	}
	for o, source := range s.Outputs {
		if source >= 0 {
			flag(at.Outputs[o].Enable, true)
			put(at.Outputs[o].Source, source)
		}
	}
}

// TestProgramBits: every bit of an image of a temporal PE means something: flipped, the image is refused or has another
// setting, which gives the same words again.
func TestProgramBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := &fabricBuilder{f: arch.Fabric{Name: "one", IndexWidth: 32}}
		b.genTemporalPE(t)
		l := NewLayout(&b.f)
		img := New(l)
		genProgram(t, b.f.Comps[0], img.Settings[0].TPE)
		words := img.Encode()
		for bit := rapid.IntRange(0, 6).Draw(t, "first"); bit < l.WordCount*WordBits; bit += 7 {
			flipped := slices.Clone(words)
			flipped[bit/WordBits] ^= 1 << (bit % WordBits)
			back, err := Decode(l, flipped)
			if err != nil {
				continue
			}
			if cmp.Equal(img.Settings, back.Settings) {
				t.Fatalf("bit %d makes no difference", bit)
			}
			if d := cmp.Diff(flipped, back.Encode()); d != "" {
				t.Fatalf("bit %d: %s", bit, d)
			}
		}
	})
}

// TestHashSeesTemporalPEs: what gives the bits of a temporal PE their meaning changes the hash.
func TestHashSeesTemporalPEs(t *testing.T) {
	base := NewLayout(programs()).Hash
	for name, edit := range map[string]func(p *arch.TemporalPESpec){
		"instructions": func(p *arch.TemporalPESpec) { p.Instructions = 4 },
		"constants":    func(p *arch.TemporalPESpec) { p.Constants = 4 },
		"unit name":    func(p *arch.TemporalPESpec) { p.FUs[0].Name = "x" },
		"units":        func(p *arch.TemporalPESpec) { p.FUs[2], p.FUs[3] = p.FUs[3], p.FUs[2] },
	} {
		f := programs()
		edit(f.Comps[0].TPE)
		if NewLayout(f).Hash == base {
			t.Errorf("the hash does not see a change of %s", name)
		}
	}
}

// TestProgramJSON: config.json lists all fields of a temporal PE with their values, which give the words again.
func TestProgramJSON(t *testing.T) {
	l := NewLayout(programs())
	img := New(l)
	s := img.Settings[0].TPE
	s.Instructions[1] = Instruction{Valid: true, Opcode: 1, Predicate: 9, Operands: [3]Operand{{Held: true}, {Held: true, Immediate: true}, {Source: 3}}, Constant: 2}
	s.Outputs[1] = 5
	s.Constants[2] = 0xdeadbeef
	var b bytes.Buffer
	if err := img.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Slices []struct {
			Name, Kind string
			WordOffset int `json:"word_offset"`
			WordCount  int `json:"word_count"`
			Fields     []struct {
				Name       string
				Bit, Width int
				Value      uint64
			}
		}
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	words := make([]uint32, l.WordCount)
	values := map[string]uint64{}
	for k, s := range got.Slices {
		if s.Kind != "temporal_pe" || len(s.Fields) != len(l.Slices[k].Fields) {
			t.Errorf("slice %s of kind %s has %d fields of %d", s.Name, s.Kind, len(s.Fields), len(l.Slices[k].Fields))
		}
		for _, f := range s.Fields {
			PutBits(words[s.WordOffset:s.WordOffset+s.WordCount], f.Bit, f.Width, f.Value)
			if k == 0 && f.Value != 0 {
				values[f.Name] = f.Value
			}
		}
	}
	if d := cmp.Diff(img.Encode(), words); d != "" {
		t.Error(d)
	}
	want := map[string]uint64{"instruction[1].valid": 1, "instruction[1].opcode": 1, "instruction[1].predicate": 9, "instruction[1].condition.held": 1,
		"instruction[1].a.held": 1, "instruction[1].a.immediate": 1, "instruction[1].b.source": 3, "instruction[1].constant": 2,
		"out[1].enable": 1, "out[1].source": 5, "constant[2]": 0xdeadbeef}
	if d := cmp.Diff(want, values); d != "" {
		t.Error(d)
	}
}
