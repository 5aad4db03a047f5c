package mlir_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/soak"
)

// affineValue evaluates an expression exactly; false where it has no value.
func affineValue(e *ir.AffineExpr, dims, symbols []*big.Int) (*big.Int, bool) {
	switch e.Kind {
	case ir.AffineConstant:
		return big.NewInt(e.Value), true
	case ir.AffineDim:
		return dims[e.Value], true
	case ir.AffineSymbol:
		return symbols[e.Value], true
	}
	a, ok := affineValue(e.LHS, dims, symbols)
	b, ok2 := affineValue(e.RHS, dims, symbols)
	if !ok || !ok2 {
		return nil, false
	}
	return affineResult(e.Kind, a, b)
}

func affineResult(kind ir.AffineKind, a, b *big.Int) (*big.Int, bool) {
	v := new(big.Int)
	switch kind {
	case ir.AffineAdd:
		return v.Add(a, b), true
	case ir.AffineMul:
		return v.Mul(a, b), true
	}
	if b.Sign() <= 0 {
		return nil, false
	}
	// For positive b, big's Div and Mod are floordiv and mod.
	switch kind {
	case ir.AffineMod:
		return v.Mod(a, b), true
	case ir.AffineFloorDiv:
		return v.Div(a, b), true
	}
	return v.Neg(v.Div(v.Neg(a), b)), true
}

// affineText writes a random expression over d0, d1 and s0 and evaluates it as it
// goes. symbolic leaves out the dimensions.
func affineText(r *rand.Rand, depth int, symbolic bool, dims, symbols []*big.Int) (text string, v *big.Int, ok bool) {
	if depth == 0 {
		k := r.IntN(6)
		switch {
		case k == 0 || symbolic && k > 3:
			return "s0", symbols[0], true
		case k <= 3:
			c := []uint64{0, 1, 2, 3, 7, 8, 100, 1 << 62, 1<<63 - 1}[r.IntN(9)]
			return fmt.Sprint(c), new(big.Int).SetUint64(c), true
		}
		return fmt.Sprintf("d%d", k-4), dims[k-4], true
	}
	a, x, ok := affineText(r, r.IntN(depth), symbolic, dims, symbols)
	switch k := r.IntN(7); k {
	case 0:
		b, y, ok2 := affineText(r, r.IntN(depth), symbolic, dims, symbols)
		if !ok || !ok2 {
			return "(" + a + ") - (" + b + ")", nil, false
		}
		return "(" + a + ") - (" + b + ")", new(big.Int).Sub(x, y), true
	case 1:
		if !ok {
			return "-(" + a + ")", nil, false
		}
		return "-(" + a + ")", new(big.Int).Neg(x), true
	default:
		kind := []ir.AffineKind{ir.AffineAdd, ir.AffineMul, ir.AffineMod, ir.AffineFloorDiv, ir.AffineCeilDiv}[k-2]
		b, y, ok2 := affineText(r, r.IntN(depth), symbolic || kind != ir.AffineAdd, dims, symbols)
		word := []string{"+", "*", "mod", "floordiv", "ceildiv"}[k-2]
		text := "(" + a + ") " + word + " (" + b + ")"
		if !ok || !ok2 {
			return text, nil, false
		}
		v, ok := affineResult(kind, x, y)
		return text, v, ok
	}
}

func parseMap(t testing.TB, text string) *ir.AffineMap {
	m, err := mlir.Parse("map.mlir", "module attributes {a = affine_map<"+text+">} {}")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return m.Attr("a").(*ir.AffineMapAttr).Map
}

// TestAffineExpressions: what is read has the value that the text has, whatever
// is folded on the path, and prints to text that reads back as the same.
func TestAffineExpressions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	number := func() *big.Int {
		return big.NewInt([]int64{0, 1, -1, 5, -7, 1000, -1 << 40, 1<<63 - 1, -1 << 63}[r.IntN(9)])
	}
	defined := 0
	for range soak.Scale(5000, 500000) {
		dims, symbols := []*big.Int{number(), number()}, []*big.Int{number()}
		text, want, ok := affineText(r, 1+r.IntN(5), false, dims, symbols)
		text = "(d0, d1)[s0] -> (" + text + ")"
		m := parseMap(t, text)
		if ok {
			defined++
			got, known := affineValue(m.Results[0], dims, symbols)
			if !known || got.Cmp(want) != 0 {
				t.Fatalf("%s is read as %s: %v instead of %v for %v %v", text, m, got, want, dims, symbols)
			}
		}
		if again := parseMap(t, m.String()).String(); again != m.String() {
			t.Fatalf("%s prints as %s and then as %s", text, m, again)
		}
	}
	if defined == 0 {
		t.Error("no expression has a value")
	}
}

// TestAffineLimits: large and deeply nested expressions are read or refused, in
// linear time.
func TestAffineLimits(t *testing.T) {
	for _, c := range []struct{ name, expr, want string }{
		{"long sum", "d0" + strings.Repeat(" + d0 mod 3", 900), ""},
		{"too long", "d0" + strings.Repeat(" + d0", 100_000), "more than 4096 terms"},
		{"parentheses", strings.Repeat("(", 100_000) + "d0", "nested more than 200 levels deep"},
		{"signs", strings.Repeat("- ", 1001) + "d0", ""},
		{"too many signs", strings.Repeat("- ", 100_000) + "d0", "more than 4096 terms"},
		{"alternating", "d0" + strings.Repeat(" mod 3 * -1", 600), ""},
		{"products", "d0" + strings.Repeat(" * 9223372036854775807", 2000), ""},
		{"many names", "d0", "more than 4096 terms"},
	} {
		dims := "d0"
		if c.name == "many names" {
			for i := range 5000 {
				dims += fmt.Sprintf(", e%d", i)
			}
		}
		text := "module attributes {a = affine_map<(" + dims + ") -> (" + c.expr + ")>} {}"
		m, err := mlir.Parse("large.mlir", text)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %.300v", c.name, err)
			} else if _, err := mlir.Parse("printed.mlir", mlir.Print(m, mlir.Options{})); err != nil {
				t.Errorf("%s does not read back: %.300v", c.name, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.300v, want %q", c.name, err, c.want)
		}
	}
}

// TestAffineInline: operands in subscripts keep their positions, however they are
// written, and the results of one operation are distinguished.
func TestAffineInline(t *testing.T) {
	m := parse(t, "inline.mlir", `func.func @f(%m: memref<9x9xi32>, %n: index, %k: index) -> index {
  %d:2 = affine.delinearize_index %n into (%n, %k) : index, index
  %a = affine.load %m[%n + symbol(%k) + %n, symbol(%n) - %k] : memref<9x9xi32>
  %b = affine.load %m[%d#1 + %d#0, %d#1] : memref<9x9xi32>
  return %d#0 : index
}`)
	ops := m.Regions[0].Entry().Ops[0].Regions[0].Entry().Ops
	for i, want := range []string{
		"affine_map<(d0, d1)[s0, s1] -> (d0 + s0 + d0, s1 - d1)>",
		"affine_map<(d0, d1) -> (d0 + d1, d0)>",
	} {
		if got := ops[i+1].Attr("map").String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	text := mlir.Print(m, mlir.Options{})
	if !strings.Contains(text, `affine.load %m[%n + symbol(%k) + %n, symbol(%n) - %k]`) {
		t.Errorf("subscripts are printed otherwise:\n%s", text)
	}
	if !strings.Contains(text, `"affine.load"(%m, %d#1, %d#0)`) {
		t.Errorf("two results of one operation stand in one inline map, which mlir-opt 19 does not read:\n%s", text)
	}
	mlirOpt(t, []string{text})
}

// FuzzAffine: no text makes the reader of maps and sets fail in itself, and what
// it accepts prints to text that reads back as the same.
func FuzzAffine(f *testing.F) {
	for _, s := range []string{
		"(d0)[s0] -> (d0 * 4 + s0 floordiv 3, -d0 mod 5)", "() -> ()", "(i, j)[N] -> (i - (j - N) * 3)",
		"(d0) : (d0 >= 0, -d0 + 7 == 0)", "() : ()", "(d0)[s0] : (d0 <= s0, 3 == d0)",
		"(d0) -> (9223372036854775807 + 1, -9223372036854775808, d0 * -1 * -1)",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, word := range []string{"map", "set"} {
			checkText(t, "module attributes {a = affine_"+word+"<"+s+">} {}")
		}
		checkText(t, "func.func @f(%m: memref<4x4xi32>, %i: index, %j: index) {\n  %0 = affine.load %m["+s+"] : memref<4x4xi32>\n  return\n}")
	})
}
