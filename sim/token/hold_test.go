package token_test

import (
	"strings"
	"testing"

	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

// held is a graph that adds a held argument and a held constant to each element of a counter.
const held = `
handshake.func @held(%m: memref<8xindex>, %k: index, %n: index, %start: none) -> none attributes {loom.direct} {
  %always = dataflow.hold %start : none
  %h = dataflow.hold %k : index
  %two = constant %always {value = 2 : index} : index
  %one = constant %always {value = 1 : index} : index
  %zero = constant %start {value = 0 : index} : index
  %b = dataflow.hold %n : index
  %raw, %more = dataflow.stream %zero, %one, %b {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %last = cond_br %more, %raw : index
  %x = arith.addi %i, %h : index
  %y = arith.muli %x, %two : index
  %data, %address = store [%i] %y, %always : index, index
  %stored = extmemory[ld = 0, st = 1] (%m : memref<8xindex>) (%data, %address) {id = 0 : i32} : (index, index) -> none
  %order = dataflow.carry %more, %start, %stored : i1, none, none -> none
  %again, %done = cond_br %more, %order : none
  return %done : none
}`

// TestHold: a held value is there for every firing, leaves no token, and steers nothing.
func TestHold(t *testing.T) {
	run := func(text string, n uint64, capacity int) (*vector.Outcome, error) {
		m, err := mlir.ParseAndVerify("held.mlir", text)
		if err != nil {
			t.Fatal(err)
		}
		fn := m.Regions[0].Entry().Ops[0]
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.Random(sig, 1, 8, 64)
		if err != nil {
			t.Fatal(err)
		}
		in.Args[1].Scalar, in.Args[2].Scalar = 5, n
		return token.Run(fn, in, token.Options{Capacity: capacity})
	}
	for _, n := range []uint64{0, 1, 8} {
		for _, capacity := range []int{0, 1} {
			out, err := run(held, n, capacity)
			if err != nil || out.Status != vector.Done {
				t.Fatalf("n = %d: %v %+v", n, err, out)
			}
			for i := range n {
				if got := out.Memories[0].Data[i]; got != 2*(i+5) {
					t.Errorf("n = %d: element %d is %d, want %d", n, i, got, 2*(i+5))
				}
			}
		}
	}
	for change, want := range map[string]string{
		"stream %zero, %one, %b=>stream %two, %one, %b": "nothing says how often it fires",
		"addi %i, %h=>addi %two, %h":                    "nothing says how often it fires",
		"cond_br %more, %raw=>cond_br %more, %h":        "takes a held value at the data",
		"return %done=>return %always":                  "takes a held value at operand #0",
	} {
		from, to, _ := strings.Cut(change, "=>")
		if _, err := run(strings.Replace(held, from, to, 1), 1, 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("with %q: %v, want %q", to, err, want)
		}
	}
}
