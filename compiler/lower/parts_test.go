package lower_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"loom/compiler/dialect/dataflow"
	"loom/compiler/frontend/reassociate"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

// sums has a sum, a product and a difference in a loop in a loop, the element of one of them on either side, and a sum
// that the loop reads itself.
const sums = `func.func @k(%%a: memref<?x%[1]s>, %%out: memref<?x%[1]s>, %%n: index, %%init: %[1]s) -> (%[1]s, %[1]s) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%one = arith.constant 1.5 : %[1]s
  %%zero = arith.constant 0.0 : %[1]s
  %%r:2 = scf.for %%j = %%c0 to %%n step %%c1 iter_args(%%all = %%init, %%q = %%one) -> (%[1]s, %[1]s) {
    %%t:4 = scf.for %%i = %%c0 to %%j step %%c1 iter_args(%%s = %%zero, %%p = %%one, %%d = %%all, %%seen = %%init) -> (%[1]s, %[1]s, %[1]s, %[1]s) {
      %%x = memref.load %%a[%%i] : memref<?x%[1]s>
      %%s2 = arith.addf %%x, %%s : %[1]s
      %%p2 = arith.mulf %%p, %%x : %[1]s
      %%d2 = arith.subf %%d, %%x : %[1]s
      %%e = arith.addf %%seen, %%x : %[1]s
      memref.store %%e, %%out[%%i] : memref<?x%[1]s>
      scf.yield %%s2, %%p2, %%d2, %%e : %[1]s, %[1]s, %[1]s, %[1]s
    }
    %%u = arith.mulf %%t#0, %%t#1 : %[1]s
    %%v = arith.addf %%t#2, %%u : %[1]s
    %%w = arith.addf %%q, %%t#3 : %[1]s
    scf.yield %%v, %%w : %[1]s, %[1]s
  }
  return %%r#0, %%r#1 : %[1]s, %[1]s
}
`

// TestParts: with and without units for sums in parts, a graph computes what the reassociated function does, bit for bit,
// in as many of these units as there are sums; loops have no element, fewer than parts, and more.
func TestParts(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 1, -2.5, 1e30, -1e30, 1e-40, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, typ := range []*ir.FloatType{ir.F32, ir.F64} {
		for _, parts := range []int{2, 3, 4, 5, 6} {
			m, err := mlir.ParseAndVerify("k.mlir", fmt.Sprintf(sums, typ))
			if err != nil {
				t.Fatal(err)
			}
			fn := m.Regions[0].Entry().Ops[0]
			if split := reassociate.Run(fn, func(string, ir.Type) int { return parts }); len(split) != 4 {
				t.Fatalf("%d sums are split, want 4: %v", len(split), split)
			}
			program, err := interp.Compile(fn, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			sig, err := vector.SignatureOf(fn)
			if err != nil {
				t.Fatal(err)
			}
			for _, units := range []bool{false, true} {
				opts := lower.Options{}
				if units {
					opts.Parts = func(op *ir.Operation) bool { return dataflow.Parts(op) == parts }
				}
				res, err := lower.Lower(m, opts)
				if err != nil {
					t.Fatal(err)
				}
				text := mlir.Print(res.Module, mlir.Options{})
				want := 0
				if units {
					want = 4
				}
				if n := strings.Count(text, "dataflow.accumulate"); n != want {
					t.Fatalf("%s in %d parts: %d sums in units, want %d\n%s", typ, parts, n, want, text)
				}
				for size := range int64(parts + 6) {
					in, err := vector.Random(sig, uint64(size), size, 64)
					if err != nil {
						t.Fatal(err)
					}
					in.Args[2].Scalar = uint64(size)
					if size%2 == 1 {
						for i := range in.Args[0].Mem.Data {
							in.Args[0].Mem.Data[i] = bitsOf(special[(i*7+int(size))%len(special)], typ)
						}
					}
					expect, err := program.Run(in.Clone())
					if err != nil {
						t.Fatal(err)
					}
					for seed := range uint64(3) {
						got, err := token.Run(res.Func, in.Clone(), token.Options{Capacity: 1 + int(seed), Seed: seed})
						if err != nil {
							t.Fatal(err)
						}
						if d := vector.Diff(expect, got); len(d) > 0 {
							t.Errorf("%s in %d parts, units %v, %d elements: %v", typ, parts, units, size, d)
						}
					}
				}
			}
		}
	}
}

func bitsOf(v float64, t *ir.FloatType) uint64 {
	if t == ir.F32 {
		return uint64(math.Float32bits(float32(v)))
	}
	return math.Float64bits(v)
}

// TestPartsStay: parts that something else reads, that begin otherwise, or whose combination has another order stay
// as they are.
func TestPartsStay(t *testing.T) {
	const text = `func.func @k(%a: memref<?xf32>, %n: index, %init: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %neutral = arith.constant -0.0 : f32
  %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %init, %q = %neutral, %s = %neutral) -> (f32, f32, f32) {
    %x = memref.load %a[%i] : memref<?xf32>
    %p2 = arith.addf %p, %x : f32
    scf.yield %q, %s, %p2 : f32, f32, f32
  }
  %u = arith.addf %r#0, %r#1 : f32
  %v = arith.addf %r#2, %u : f32
  return %v, %v : f32, f32
}
`
	for _, c := range []struct {
		name, old, new string
		sums           int
	}{
		{"a sum", "", "", 1},
		{"a part begins with zero", "%q = %neutral", "%q = %zero", 0},
		{"a part begins with an argument", "%q = %neutral", "%q = %init", 0},
		{"another order", "%u = arith.addf %r#0, %r#1", "%u = arith.addf %r#0, %r#2", 0},
		{"a part is read behind the loop", "return %v, %v", "return %v, %r#1", 0},
		{"a part is read in the loop", "arith.addf %p, %x", "arith.addf %p, %q", 0},
		{"parts are subtracted", "%v = arith.addf", "%v = arith.subf", 0},
		{"it subtracts from the element", "arith.addf %p, %x", "arith.subf %x, %p", 0},
		{"it subtracts", "arith.addf %p, %x", "arith.subf %p, %x", 1},
		{"it divides", "arith.addf %p, %x", "arith.divf %p, %x", 0},
	} {
		body := strings.Replace(text, "  %neutral", "  %zero = arith.constant 0.0 : f32\n  %neutral", 1)
		if c.name == "another order" {
			body = strings.Replace(body, "arith.addf %r#2, %u", "arith.addf %r#1, %u", 1)
		}
		body = strings.Replace(body, c.old, c.new, 1)
		m, err := mlir.ParseAndVerify("k.mlir", body)
		if err != nil {
			t.Fatal(err)
		}
		res, err := lower.Lower(m, lower.Options{Parts: func(*ir.Operation) bool { return true }})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(mlir.Print(res.Module, mlir.Options{}), "dataflow.accumulate"); n != c.sums {
			t.Errorf("%s: %d sums, want %d", c.name, n, c.sums)
		}
	}
}
