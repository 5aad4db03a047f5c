package cycle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/internal/fabrictest"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
)

// temporalTiles is a fabric of several temporal PEs between ports of their own; the first has many constants and ports, the
// last few of everything.
func temporalTiles(r *rand.Rand, tiles int) *arch.Fabric {
	b := fabrictest.New("zoo", 64)
	for k := range tiles {
		width := []int{32, 64, 8, 33, 1, 16}[k%6]
		ports := func(n int) (out []ir.Type) {
			for range n {
				w := width
				if r.IntN(3) == 0 {
					w = 1
				}
				out = append(out, ir.Bits(w))
			}
			out[r.IntN(n)] = ir.Bits(width)
			return out
		}
		units := b.TemporalUnits(width)
		if k%3 == 2 { // also PEs without comparisons, and of one unit
			r.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
			units = units[:1+r.IntN(6)]
		}
		instructions, constants := 2<<r.IntN(4), r.IntN(5)
		if k == 0 {
			instructions, constants = 16, 9
		}
		name := fmt.Sprint("t", k)
		c := b.TemporalPE(name, name, ports(1+r.IntN(6)), ports(1+r.IntN(4)), instructions, constants, units...)
		for i, p := range c.In {
			b.Connect(b.Input(fmt.Sprint(name, "_i", i), p.Type), fabrictest.In(c, i))
		}
		for o, p := range c.Out {
			b.Connect(fabrictest.Out(c, o), b.Output(fmt.Sprint(name, "_o", o), p.Type))
		}
	}
	return b.F
}

// TestTemporalPEsEqualRTL compares temporal PEs with random programs, under random tokens and stalls, with their RTL.
func TestTemporalPEsEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	for seed := range uint64(soak.Scale(2, 40)) {
		r := rand.New(rand.NewPCG(seed, 23))
		equalRTL(t, seed, temporalTiles(r, 4), r, 400, 8, nil)
	}
}

// temporalPrograms are programs that random ones seldom are: of every kind of instruction, such that read their own results.
var temporalPrograms = []string{
	"0: carry i0 in0 in1\nout 0: i0",
	"const 0: 3\n0: carry in2 held#0 held#0\nout 0: i0",
	"const 0: 3\n0: carry i7 held#0 held#0\nout 0: i0", // nothing but its state is left
	"0: invariant i0 in0\nout 0: i0",
	"0: cond_br i1 in0\n1: carry i0.1 in1 i0\nout 0: i0\nout 1: i1",
	"const 0: 1\n0: carry in2 in0 i1\n1: addi i0 held#0\n2: addi i0 i2\nout 0: i0\nout 1: i1",
	"0: mux in2 in0 in1\n1: cond_br in2 i0\n2: mux in2 i1.1 i1\nout 0: i2\nout 2: i1",
	"0: loop in2 in0 i1\n1: addi i0 i0\n2: invariant in2 in1\nout 0: i0.1\nout 1: i2",
	"0: select in2 in0 in1\n1: select i0 i0 i0\nout 0: i1\nout 1: in0\nout 2: in0",
	"const 1: 7\n0: carry in2 in0#1 i0\n1: joins i0 in1 held\nout 0: i0\nout 1: i1\nout 2: i1",
	"const 0: 1\nconst 1: 0x80\n1: addi held held#0\n2: extsi held#1\n3: addi i1 i2\n5: trunci i3\nout 0: i5\nout 1: i3\nout 2: i2",
	"0: addi in0 in0\n1: addi in0 in0\n2: addi i0 i1\n3: addi i0 i2\n4: addi i1 i3\n5: addi i2 i4\n6: addi i3 i5\n7: addi i4 i6\nout 0: i7\nout 1: i0",
}

// temporalDifferences compares those with their RTL, from sources that are changed.
func temporalDifferences(t *testing.T, mutate func(sources map[string]string)) []string {
	x := &comparison{cycles: 400, images: len(temporalPrograms), mutate: mutate, configure: func(image int) *config.Image {
		return newTemporal(t, temporalPrograms[image]).img
	}}
	return x.run(t, newTemporal(t, "").f, rand.New(rand.NewPCG(0, 25)))
}

// TestTemporalProgramsEqualRTL compares those programs.
func TestTemporalProgramsEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	for _, d := range temporalDifferences(t, nil) {
		t.Error(d)
	}
}

// temporalMutations are faults of the RTL that the comparison must notice.
var temporalMutations = []struct{ name, old, new string }{
	{"what waits for an output is not tried again", "if (rst | fire | left) blocked", "if (rst | fire) blocked"},
	{"an instruction is issued again while it executes", "~(blocked | prepared | on)", "~(blocked | prepared)"},
	{"an instruction executes without an operand", "issued & ~short_of &", "issued &"},
	{"nothing is issued for a condition that is coming", "(coming[n] & ~is_mux)", "1'b0"},
	{"a mux does not wait for its condition", "(coming[n] & ~is_mux)", "coming[n]"},
	{"a result does not wait for readers of the other", "difference[L] = 1'b0", "difference[L] = difference[L]"},
	{"a carry takes a value with a false condition", "take_b     = is_state & ~is_unset", "take_b     = is_state"},
	{"a mux takes both values", "take_a = is_unset", "take_a = 1'b1"},
	{"a branch gives the true side alone", "other    = branches & ~flag[n]", "other    = 1'b0"},
	{"a loop stays in its first state", "next_state = ~is_unset;", "next_state = 1'b0;"},
	{"an invariant is taken at once", "take_a     = is_state & is_unset", "take_a     = 1'b1"},
	{"an instruction that is not valid gets tokens", "~held & valid[n] &", "~held &"},
	{"a held operand gets tokens", "& ~held & ", "& "},
	{"an output that is not enabled gets tokens", "mine & enable & (", "mine & ("},
	{"idle inside of a loop", "(|there) | (|state) |", "(|there) |"},
}

// TestMutatedTemporalRTLDiffers: a fault in the RTL makes the comparison fail; every day a third of them.
func TestMutatedTemporalRTLDiffers(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	for i, mu := range temporalMutations {
		if i%3 != 0 && soak.Factor() == 0 {
			continue
		}
		mutate := func(sources map[string]string) {
			const file = "loom_temporal_pe.sv"
			if !strings.Contains(sources[file], mu.old) {
				t.Errorf("%s: %s does not hold %q", mu.name, file, mu.old)
			}
			sources[file] = strings.Replace(sources[file], mu.old, mu.new, 1)
		}
		if len(temporalDifferences(t, mutate)) > 0 {
			continue
		}
		r := rand.New(rand.NewPCG(0, 23))
		if x := (&comparison{cycles: 400, images: 8, mutate: mutate}); len(x.run(t, temporalTiles(r, 4), r)) == 0 {
			t.Errorf("%s: the comparison did not notice", mu.name)
		}
	}
}

// TestTemporalSourcesEqualRTL compares random programs with sources that are not there, up to where the error shows: what reads such a source
// may then get anything.
func TestTemporalSourcesEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	for seed := range uint64(soak.Scale(1, 10)) {
		r := rand.New(rand.NewPCG(seed, 24))
		f := temporalTiles(r, 2)
		x := &comparison{seed: seed, cycles: 4, images: 12, spoil: func(img *config.Image, words []uint32) {
			c := f.Comps[r.IntN(len(f.Comps))]
			s, set := img.Layout.SliceFor(c), img.Settings[c.ID].TPE
			own := words[s.WordOffset : s.WordOffset+s.WordCount]
			put := func(at config.Bits) (int, bool) {
				sources := c.TPE.Sources(c)
				room := 1<<at.Width - sources
				if room == 0 {
					return 0, false
				}
				source := sources + r.IntN(room)
				config.PutBits(own, at.Bit, at.Width, uint64(source))
				return source, true
			}
			if r.IntN(2) == 0 {
				n, k := r.IntN(len(set.Instructions)), r.IntN(arch.InstructionOperands)
				if source, ok := put(s.TPE.Instructions[n].Operands[k].Source); ok {
					set.Instructions[n].Operands[k].Source = source
				}
				return
			}
			o := r.IntN(len(set.Outputs))
			if set.Outputs[o] < 0 {
				return
			}
			if source, ok := put(s.TPE.Outputs[o].Source); ok {
				set.Outputs[o] = source
			}
		}}
		for _, d := range x.run(t, f, r) {
			t.Error(d)
		}
	}
}
