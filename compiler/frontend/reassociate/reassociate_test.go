package reassociate_test

import (
	"math"
	"strings"
	"testing"

	_ "loom/compiler/dialect/all"
	"loom/compiler/frontend/reassociate"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/vector"
)

const source = `func.func @k(%a: memref<?xf32>, %n: index, %init: f32) -> (f32, f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.5 : f32
  %r:4 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %init, %p = %one, %d = %init, %seen = %init) -> (f32, f32, f32, f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %s2 = arith.addf %x, %s : f32
    %p2 = arith.mulf %p, %x : f32
    %d2 = arith.subf %d, %x : f32
    %t = arith.addf %seen, %x : f32
    memref.store %t, %a[%i] : memref<?xf32>
    scf.yield %s2, %p2, %d2, %t : f32, f32, f32, f32
  }
  return %r#0, %r#1, %r#2, %r#3 : f32, f32, f32, f32
}
`

func function(m *ir.Operation) *ir.Operation { return m.Regions[0].Entry().Ops[0] }

// fold is the order of a split value: element k goes to part k modulo n, of which the first begins with
// init, and a queue of the parts, the next one in turn first, is added up two by two.
func fold(xs []float32, init, neutral float32, n int, part, join func(a, b float32) float32) float32 {
	parts := make([]float32, n)
	for k := range parts {
		parts[k] = neutral
	}
	parts[0] = init
	for k, x := range xs {
		parts[k%n] = part(parts[k%n], x)
	}
	turn := len(xs) % n
	values := append(append([]float32(nil), parts[turn:]...), parts[:turn]...)
	for len(values) > 1 {
		values = append(values[2:], join(values[0], values[1]))
	}
	return values[0]
}

// TestRun compares split sums, products and differences with the order that the package promises, and leaves a sum
// alone that is read elsewhere.
func TestRun(t *testing.T) {
	add := func(a, b float32) float32 { return a + b }
	mul := func(a, b float32) float32 { return a * b }
	sub := func(a, b float32) float32 { return a - b }
	negativeZero := float32(math.Copysign(0, -1))
	for _, n := range []int{2, 3, 4, 7} {
		m, err := mlir.ParseAndVerify("k.mlir", source)
		if err != nil {
			t.Fatal(err)
		}
		split := reassociate.Run(function(m), func(string, ir.Type) int { return n })
		if len(split) != 3 {
			t.Fatalf("%d values are split, want 3: %v", len(split), split)
		}
		text := mlir.Print(m, mlir.Options{})
		if !strings.Contains(text, reassociate.Attr) {
			t.Errorf("no loop is marked:\n%s", text)
		}
		// Printed and read again, so that the verifier sees it.
		if m, err = mlir.ParseAndVerify("k2.mlir", text); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		p, err := interp.Compile(function(m), interp.Options{})
		if err != nil {
			t.Fatal(err)
		}
		sig, err := vector.SignatureOf(function(m))
		if err != nil {
			t.Fatal(err)
		}
		for count := range 12 {
			in, err := vector.Random(sig, uint64(count), int64(count), 64)
			if err != nil {
				t.Fatal(err)
			}
			var xs []float32
			length := int(in.Args[1].Scalar)
			for _, w := range in.Args[0].Mem.Data[:length] {
				xs = append(xs, math.Float32frombits(uint32(w)))
			}
			init := math.Float32frombits(uint32(in.Args[2].Scalar))
			got, err := p.Run(in)
			if err != nil || got.Status != vector.Done {
				t.Fatal(got, err)
			}
			want := []float32{fold(xs, init, negativeZero, n, add, add), fold(xs, 1.5, 1, n, mul, mul), fold(xs, init, negativeZero, n, sub, add)}
			for k, w := range want {
				if g := math.Float32frombits(uint32(got.Results[k].Bits)); g != w && (g == g || w == w) {
					t.Errorf("%d parts, %d elements, result %d: %v, want %v", n, length, k, g, w)
				}
			}
			serial := init
			for _, x := range xs {
				serial += x
			}
			if g := math.Float32frombits(uint32(got.Results[3].Bits)); g != serial && (g == g || serial == serial) {
				t.Errorf("a sum that is read in the loop: %v, want %v", g, serial)
			}
		}
	}
}
