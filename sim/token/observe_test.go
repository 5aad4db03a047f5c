package token

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/vector"
)

// TestObserve: every result of every kind of operation is reported under its own
// value, those of memory ports and those without uses included, and parameters
// are fed in order.
func TestObserve(t *testing.T) {
	const src = `handshake.func @f(%v: i32, %i: index, %c: i1, %start: none) -> none {
  %s0, %a0 = store [%i] %v, %start : index, i32
  %s1, %a1 = store [%i] %v, %d0 : index, i32
  %x0, %b0 = load [%i] %r0, %d1 : index, i32
  %x1, %b1 = load [%i] %r1, %e0 : index, i32
  %r0, %r1, %d0, %d1, %e0, %e1 = memory[ld = 2, st = 2] (%s0, %a0, %s1, %a1, %b0, %b1) {id = 0 : i32, lsq = false} : memref<8xi32>, (i32, index, i32, index, index, index) -> (i32, i32, none, none, none, none)
  %yes, %no = cond_br %c, %x1 : i32
  return %e1 : none
}
`
	m, err := mlir.ParseAndVerify("g", src)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Compile(m.Regions[0].Entry().Ops[0], 64)
	if err != nil {
		t.Fatal(err)
	}
	for _, capacity := range []int{0, 1} {
		got := map[string][]uint64{}
		in := &vector.Inputs{Args: []vector.Arg{{Scalar: 5}, {Scalar: 3}, {Scalar: 0}}}
		out, err := p.Observe(in, Options{Capacity: capacity}, Observation{Each: func(v *ir.Value, bits uint64) {
			got[v.Name] = append(got[v.Name], bits)
		}})
		if err != nil || out.Status != vector.Done {
			t.Fatal(err, out)
		}
		one := []uint64{0}
		five, three := []uint64{5}, []uint64{3}
		want := map[string][]uint64{
			"s0": five, "a0": three, "s1": five, "a1": three, "b0": three, "b1": three, "x0": five, "x1": five,
			"r0": five, "r1": five, "d0": one, "d1": one, "e0": one, "e1": one, "no": five,
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("capacity %d (-want +got):\n%s", capacity, diff)
		}
	}
}
