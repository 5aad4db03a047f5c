package rtlgen_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/fabrictest"
)

// temporalPEs is a fabric of temporal PEs that have little in common: words of one bit, of odd widths and of the widest; all units,
// one unit, tokens alone; results that are narrower than the words; sources that fill the numbers, and more inputs than
// instructions.
func temporalPEs() *arch.Fabric {
	b := fabrictest.New("temporal", 32)
	bit, i8, i16, i32, none := ir.Type(ir.Bits(1)), ir.Type(ir.I8), ir.Type(ir.I16), ir.Type(ir.I32), ir.Type(ir.None)
	add := func(instructions, constants int, in, out []ir.Type, units ...*arch.FunctionUnit) {
		name := fmt.Sprint("t", len(b.F.Comps))
		c := b.TemporalPE(name, name, in, out, instructions, constants, units...)
		for i, p := range c.In {
			b.Connect(b.Input(fmt.Sprint(name, "_i", i), p.Type), fabrictest.In(c, i))
		}
		for o, p := range c.Out {
			b.Connect(fabrictest.Out(c, o), b.Output(fmt.Sprint(name, "_o", o), p.Type))
		}
	}
	for k, width := range []int{1, 33, 64} {
		word := ir.Type(ir.Bits(width))
		add(4<<k, k, []ir.Type{word, word, bit}, []ir.Type{word, bit}, b.TemporalUnits(width)...)
	}
	word := ir.Type(ir.Bits(32))
	add(2, 1, []ir.Type{word}, []ir.Type{word}, b.Single("addi", opname.ArithAddI, 0, 1, []ir.Type{i32, i32}, i32))
	add(2, 0, []ir.Type{word, word}, []ir.Type{word}, b.Single("muli", opname.ArithMulI, 2, 1, []ir.Type{i32, i32}, i32))
	add(4, 0, slices.Repeat([]ir.Type{bit}, 8), []ir.Type{bit},
		b.Single("cond_br", opname.HandshakeCondBr, 0, 1, []ir.Type{bit, none}, none, none), b.Single("join", opname.HandshakeJoin, 0, 1, []ir.Type{none, none}, none))
	add(8, 16, []ir.Type{word, word}, []ir.Type{word},
		b.Single("extsi", opname.ArithExtSI, 0, 1, []ir.Type{i8}, i16), b.Single("extui", opname.ArithExtUI, 0, 1, []ir.Type{i8}, i16),
		b.Single("select", opname.ArithSelect, 0, 1, []ir.Type{bit, i8, i8}, i8))
	return b.F
}

// TestTemporalPEs: the modules of temporal PEs are accepted by all tools, whatever the PEs are made of.
func TestTemporalPEs(t *testing.T) {
	out := generate(t, temporalPEs())
	t.Run("lint", func(t *testing.T) { lint(t, out) })
	t.Run("structure", func(t *testing.T) { yosys(t, out, "hierarchy -check -top TOP; proc; flatten; opt_clean"+noLatches) })
	t.Run("synthesis", func(t *testing.T) {
		one := *out
		one.Top = "temporal_t6"
		yosys(t, &one, "synth_xilinx -flatten -noiopad -top TOP"+noLatches)
	})
	for name, want := range map[string][]string{
		"temporal_t0.sv": {".a({a, a})", "alu_sum[0]", ".W(2)"},
		"temporal_t4.sv": {".CYCLES(2'b10)", "loom_mul"},
		"temporal_t5.sv": {"assign result = '0", "err__unused_valid"},
		"temporal_t6.sv": {"alu__kept", "alu_top16"},
	} {
		for _, text := range want {
			if !strings.Contains(out.Files[name], text) {
				t.Errorf("%s has no %q:\n%s", name, text, out.Files[name])
			}
		}
	}
}
