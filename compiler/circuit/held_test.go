package circuit_test

import (
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/compiler/units"
)

// TestHeldProduct: a value that is held is no number, so a product with it is a multiplier with its
// latency, and no sum of shifted operands.
func TestHeldProduct(t *testing.T) {
	m, err := mlir.ParseAndVerify("rows.mlir", `
func.func @rows(%k: index, %o: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 7 : i32
  scf.for %i = %c0 to %k step %c1 {
    %e = arith.muli %i, %k : index
    memref.store %x, %o[%e] : memref<?xi32>
  }
  return
}`)
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(m, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := simplify.Run(low.Func, simplify.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	c, err := circuit.Build(fn, circuit.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	products := 0
	for _, u := range c.Units {
		if u.Op == nil || u.Op.Name != opname.ArithMulI {
			continue
		}
		products++
		if want := units.MultiplierLatency(u.In[0].Width); !u.In[1].Held || u.Latency != want {
			t.Errorf("%s: latency %d, want %d; held: %v", u.Name, u.Latency, want, u.In[1].Held)
		}
	}
	if products != 1 {
		t.Errorf("%d products", products)
	}
}
