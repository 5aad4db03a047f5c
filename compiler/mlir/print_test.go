package mlir_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// TestNames: hints of passes become legal, unique names; packs stay packs; a
// name in a nested region never hides one of the region around it.
func TestNames(t *testing.T) {
	m := ir.NewOp("builtin.module", diag.Pos{}, nil, nil)
	body := m.AddRegion().AddBlock()
	add := func(b *ir.Block, results int, hints ...string) *ir.Operation {
		types := make([]ir.Type, results)
		for i := range types {
			types[i] = ir.I32
		}
		op := b.Append(ir.NewOp("t.make", diag.Pos{}, nil, types))
		for i, h := range hints {
			op.Result(i).Name = h
		}
		return op
	}
	add(body, 1, "x")
	nest := add(body, 1, "x")
	add(body, 1, "3")
	add(body, 1, "3 odd/näme")
	add(body, 1, "x_0")
	add(body, 2, "pack")
	add(body, 3, "a", "", "b")
	last := add(body, 2)
	add(body, 1, "late")
	inner := nest.AddRegion().AddBlock()
	inner.AddArg(ir.I32, "x", diag.Pos{})
	inner.AddArg(ir.I32, "", diag.Pos{})
	add(inner, 1, "late").AddOperand(last.Result(1))
	want := `module {
  %x = "t.make"() : () -> i32
  %x_0 = "t.make"() ({
  ^bb0(%x_1: i32, %arg0: i32):
    %late_0 = "t.make"(%1#1) : (i32) -> i32
  }) : () -> i32
  %0 = "t.make"() : () -> i32
  %_3_odd_n__me = "t.make"() : () -> i32
  %x_0_0 = "t.make"() : () -> i32
  %pack:2 = "t.make"() : () -> (i32, i32)
  %a:2, %b = "t.make"() : () -> (i32, i32, i32)
  %1:2 = "t.make"() : () -> (i32, i32)
  %late = "t.make"() : () -> i32
}
`
	got := mlir.Print(m, mlir.Options{})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := mlir.Parse("names.mlir", got)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got, mlir.Print(again, mlir.Options{})); diff != "" {
		t.Errorf("not idempotent:\n%s", diff)
	}
	// A single nested operation prints with the names of its surroundings.
	if got := mlir.Print(inner.Ops[0], mlir.Options{}); !strings.Contains(got, "%late_0 = ") || !strings.Contains(got, "(%1#1)") {
		t.Errorf("nested operation: %s", got)
	}
}

// TestPrintUnfinished: IR under construction prints in some form, without
// panic.
func TestPrintUnfinished(t *testing.T) {
	none := ir.NewOp("scf.for", diag.Pos{}, nil, nil)
	open := ir.NewOp("arith.addi", diag.Pos{}, []*ir.Value{nil, nil}, []ir.Type{ir.I32})
	detached := ir.NewOp("arith.addi", diag.Pos{}, []*ir.Value{open.Result(0), open.Result(0)}, []ir.Type{ir.I32})
	fn := ir.NewOp("handshake.func", diag.Pos{}, nil, nil)
	fn.AddRegion().AddBlock().Append(open)
	for _, op := range []*ir.Operation{none, open, detached, fn} {
		if text := mlir.Print(op, mlir.Options{}); !strings.Contains(text, op.Name) {
			t.Errorf("%s prints as %q", op.Name, text)
		}
	}
}

// TestFloat: every half-precision value, and many others, survive being
// printed and read.
func TestFloat(t *testing.T) {
	check := func(v float64, ty *ir.FloatType) {
		t.Helper()
		a := mlir.Float(v, ty)
		m := parse(t, "float.mlir", "module attributes {a = "+a.String()+"} {}")
		got := m.Attr("a").(*ir.FloatAttr)
		if math.Float64bits(got.Value) != math.Float64bits(a.Value) && !(math.IsNaN(got.Value) && math.IsNaN(a.Value)) {
			t.Fatalf("%v: %s reads as %v, made from %v", ty, a, got.Value, v)
		}
		if got.String() != a.String() {
			t.Fatalf("%v: %s prints again as %s", ty, a, got)
		}
	}
	// The values of f16 by their definition.
	for bits := 0; bits < 1<<16; bits += 7 {
		exp, frac := bits>>10&31, bits&1023
		if exp == 31 {
			continue
		}
		v := math.Ldexp(float64(frac), -24)
		if exp > 0 {
			v = math.Ldexp(float64(frac|1024), exp-25)
		}
		if bits>>15 != 0 {
			v = -v
		}
		if a := mlir.Float(v, ir.F16); a.Value != v {
			t.Fatalf("f16 %x: %v became %v", bits, v, a.Value)
		}
		check(v, ir.F16)
		check(float64(math.Float32frombits(uint32(bits)<<16)), ir.Float("bf16"))
	}
	for _, v := range []float64{0.1, 1.0 / 3, 1e-40, 5e-324, math.MaxFloat64, math.Pi, 16777217} {
		check(v, ir.F64)
		check(float64(float32(v)), ir.F32)
		check(math.Mod(v, 1000), ir.F16)
	}
	// Ties go to even, and rounding carries into the exponent.
	for _, c := range []struct{ in, want float64 }{
		{2049, 2048}, {2051, 2052}, {4095.9, 4096}, {65519, 65504},
		{math.Ldexp(1, -25), 0}, {math.Ldexp(1.5, -25), math.Ldexp(1, -24)}, {math.Ldexp(1023.9, -24), math.Ldexp(1, -14)},
	} {
		if got := mlir.Float(c.in, ir.F16).Value; got != c.want {
			t.Errorf("%s as f16 is %v, want %v", strconv.FormatFloat(c.in, 'g', -1, 64), got, c.want)
		}
	}
	if got := mlir.Float(65520, ir.F16); got.Text != "0x7C00" {
		t.Errorf("65520 as f16 is %s, want infinity", got)
	}
}
