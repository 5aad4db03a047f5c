package cycle

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/units"
	"loom/internal/fabrictest"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
)

// sharing is a fabric of PEs of one definition between ports of words, which have their iterative units in groups.
func sharing(r *rand.Rand, t ir.Type, names ...string) *arch.Fabric {
	w, _ := ir.BitWidth(t, 64)
	b := fabrictest.New("zoo", w)
	var fus []*arch.FunctionUnit
	for k, name := range names {
		row, ok := units.Lookup(name)
		if !ok {
			panic(name)
		}
		u := b.NewUnit(fmt.Sprintf("%s%d", row.Mnemonic, k), 0, 1, slices.Repeat([]ir.Type{t}, len(row.In))...)
		args := []arch.ValueRef{fabrictest.Arg(0), fabrictest.Arg(1)}[:len(row.In)]
		fu := u.Yield(u.Op(name, args, t))
		fu.Latency, fu.Interval = row.Timing(fu.Ops[0].Op, w)
		fus = append(fus, fu)
	}
	operandFIFO, resultFIFO, group := []int{0, 2, 4}[r.IntN(3)], []int{0, 2, 4}[r.IntN(3)], 0
	words := func(n int) []ir.Type { return slices.Repeat([]ir.Type{ir.Bits(w)}, n) }
	for k := range 2 + r.IntN(5) {
		name := fmt.Sprint("p", k)
		pe := b.PE(name, "shares", words(2+r.IntN(2)), words(1+r.IntN(2)), fus...)
		if k > 0 { // components of one definition have the same ports
			pe.In, pe.Out = slices.Clone(b.F.Comps[0].In), slices.Clone(b.F.Comps[0].Out)
			pe.PE = b.F.Comps[0].PE
		} else {
			pe.PE.OperandFIFO, pe.PE.ResultFIFO = operandFIFO, resultFIFO
			if r.IntN(2) == 0 {
				pe.PE.Immediates = []int{0}
			}
		}
		for i := range pe.In {
			pe.In[i].Chan = nil
		}
		for i := range pe.Out {
			pe.Out[i].Chan = nil
		}
		if r.IntN(3) == 0 {
			group++
		}
		pe.SharedUnits = fmt.Sprint("group", group)
		for i, p := range pe.In {
			b.Connect(b.Input(fmt.Sprint(name, "_i", i), p.Type), fabrictest.In(pe, i))
		}
		for o, p := range pe.Out {
			b.Connect(fabrictest.Out(pe, o), b.Output(fmt.Sprint(name, "_o", o), p.Type))
		}
	}
	return b.F
}

// TestSharedUnitsEqualRTL compares PEs that have their iterative units in groups with their RTL, cycle by cycle, in
// random configurations and under random stalls.
func TestSharedUnitsEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	integers := []string{opname.ArithDivSI, opname.ArithRemUI, opname.ArithAddI, opname.ArithDivUI, opname.ArithRemSI}
	for seed := range uint64(soak.Scale(1, 40)) {
		for _, c := range []struct {
			t   ir.Type
			ops []string
		}{
			{ir.I8, integers},
			{[]ir.Type{ir.I16, ir.I32, ir.I64}[seed%3], integers[:2]},
			{[]ir.Type{ir.F32, ir.F64}[seed%2], []string{opname.ArithDivF, opname.MathSqrt, opname.ArithRemF, opname.ArithDivF}},
			{[]ir.Type{ir.F32, ir.F64}[seed%2], []string{opname.MathSqrt, opname.MathExp, opname.MathLog2}},
		} {
			r := rand.New(rand.NewPCG(seed, 23))
			var words func(r *rand.Rand, width int) uint64
			if c.t == ir.Type(ir.F32) || c.t == ir.Type(ir.F64) {
				words = floatBits
			}
			equalRTL(t, seed, sharing(r, c.t, c.ops...), r, 400, 6, words)
		}
	}
}
