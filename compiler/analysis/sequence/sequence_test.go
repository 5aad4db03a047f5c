package sequence_test

import (
	"fmt"
	"testing"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/ranges"
	"loom/compiler/analysis/sequence"
	_ "loom/compiler/dialect/all"
	"loom/compiler/mlir"
	"loom/internal/facttest"
	"loom/internal/randprog"
	"loom/internal/soak"
)

// TestVerdicts: ways to go through an array, and what is said of them.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		name, body string
		// want is "" for the order, with elements, else the reason against it.
		want     string
		elements int64
	}{
		{"vector", `scf.for %i = %c0 to %n step %c1 {
			memref.store %x, %m[%i] : memref<?xi32>
		}`, "", -1},
		{"known length", `scf.for %i = %c0 to %c12 step %c3 {
			%e = arith.divui %i, %c3 : index
			%s = arith.subi %e, %e : index
		}
		scf.for %i = %c0 to %c12 step %c1 {
			memref.store %x, %m[%i] : memref<?xi32>
		}`, "", 12},
		{"rows of a matrix", `scf.for %i = %c0 to %n step %c1 {
			%row = arith.muli %i, %k : index
			scf.for %j = %c0 to %k step %c1 {
				%e = arith.addi %row, %j : index
				memref.store %x, %m[%e] : memref<?xi32>
			}
		}`, "", -1},
		{"rows, with a guard around the inner loop", `scf.for %i = %c0 to %n step %c1 {
			%row = arith.muli %i, %k : index
			%runs = arith.cmpi sgt, %k, %c0 : index
			scf.if %runs {
				scf.for %j = %c0 to %k step %c1 {
					%e = arith.addi %row, %j : index
					memref.store %x, %m[%e] : memref<?xi32>
				}
			}
		}`, "", -1},
		{"a counter goes through both loops", `%end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
			%end = scf.for %j = %c0 to %i step %c1 iter_args(%here = %at) -> (index) {
				memref.store %x, %m[%here] : memref<?xi32>
				%next = arith.addi %here, %c1 : index
				scf.yield %next : index
			}
			scf.yield %end : index
		}`, "", -1},
		{"what passes a filter", `%end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
			%odd = arith.andi %i, %c1 : index
			%is = arith.cmpi eq, %odd, %c1 : index
			%next = scf.if %is -> (index) {
				memref.store %x, %m[%at] : memref<?xi32>
				%more = arith.addi %at, %c1 : index
				scf.yield %more : index
			} else {
				scf.yield %at : index
			}
			scf.yield %next : index
		}`, "", -1},
		{"a loop that ends by its data", `%end = scf.while (%at = %c0) : (index) -> index {
			%more = arith.cmpi ult, %at, %n : index
			scf.condition(%more) %at : index
		} do {
		^bb0(%here: index):
			memref.store %x, %m[%here] : memref<?xi32>
			%next = arith.addi %here, %c1 : index
			scf.yield %next : index
		}`, "", -1},
		{"nothing", ``, "is never accessed", 0},
		{"one element", `memref.store %x, %m[%c0] : memref<?xi32>`, "", 1},
		{"a late element", `memref.store %x, %m[%c3] : memref<?xi32>`, "touches element 3, not element 0", 0},
		{"twice", `memref.store %x, %m[%c0] : memref<?xi32>
			memref.store %x, %m[%c1] : memref<?xi32>`, "is another access beside the one at line 8", 0},
		{"from the second element on", `scf.for %i = %c1 to %n step %c1 {
			memref.store %x, %m[%i] : memref<?xi32>
		}`, "begins at element 1, not at element 0", 0},
		{"every third", `scf.for %i = %c0 to %c12 step %c3 {
			memref.store %x, %m[%i] : memref<?xi32>
		}`, "moves by 3 elements per iteration of the loop at line 8, not by one", 0},
		{"backwards", `%last = arith.subi %n, %c1 : index
		scf.for %i = %c0 to %n step %c1 {
			%e = arith.subi %last, %i : index
			memref.store %x, %m[%e] : memref<?xi32>
		}`, "moves by -1 elements per iteration of the loop at line 9, not by one", 0},
		{"columns", `scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %k step %c1 {
				%row = arith.muli %j, %n : index
				%e = arith.addi %row, %i : index
				memref.store %x, %m[%e] : memref<?xi32>
			}
		}`, "does not move by one element per iteration of the loop at line 9", 0},
		{"rows with a gap", `scf.for %i = %c0 to %n step %c1 {
			%row = arith.muli %i, %n : index
			scf.for %j = %c0 to %k step %c1 {
				%e = arith.addi %row, %j : index
				memref.store %x, %m[%e] : memref<?xi32>
			}
		}`, "is not known to go on behind the elements of the iteration before, in the loop at line 8", 0},
		{"again for each row", `scf.for %i = %c0 to %n step %c1 {
			scf.for %j = %c0 to %k step %c1 {
				memref.store %x, %m[%j] : memref<?xi32>
			}
		}`, "is not known to go on behind the elements of the iteration before, in the loop at line 8", 0},
		{"some of the elements", `scf.for %i = %c0 to %n step %c1 {
			%odd = arith.andi %i, %c1 : index
			%is = arith.cmpi eq, %odd, %c1 : index
			scf.if %is {
				memref.store %x, %m[%i] : memref<?xi32>
			}
		}`, "is skipped where the condition at line 11 decides so, and its subscript goes on", 0},
		{"a counter that goes on without an access", `%end = scf.for %i = %c0 to %n step %c1 iter_args(%at = %c0) -> (index) {
			%odd = arith.andi %i, %c1 : index
			%is = arith.cmpi eq, %odd, %c1 : index
			scf.if %is {
				memref.store %x, %m[%at] : memref<?xi32>
			}
			%next = arith.addi %at, %c1 : index
			scf.yield %next : index
		}`, "has a subscript that is not known to be the number of elements before, in the loop at line 8", 0},
	} {
		m, err := mlir.ParseAndVerify(c.name, `
func.func @f(%n: index, %k: index, %x: i32, %m: memref<?xi32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c12 = arith.constant 12 : index

`+c.body+`
  return
}`)
		if err != nil {
			t.Fatal(err)
		}
		fn := randprog.Function(m)
		v := sequence.Of(fn, fn.Regions[0].Entry().Args[3], linear.New(ranges.Analyse(fn, ranges.Options{IndexWidth: 32}), 32), "")
		if v.InOrder != (c.want == "") || v.Why != c.want || v.InOrder && v.Elements != c.elements {
			t.Errorf("%s: %v, %d elements, %q; want %d, %q", c.name, v.InOrder, v.Elements, v.Why, c.elements, c.want)
		}
	}
}

// violated runs a random nest with its facts.
func violated(t *testing.T, seed uint64, broken sequence.Fault) (bad string, sequences int, done bool) {
	t.Helper()
	text, width := randprog.Sequences(seed)
	m, err := mlir.ParseAndVerify("nest.mlir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	f := facttest.Of(randprog.Function(m), facttest.Options{IndexWidth: width, Sequence: broken})
	bad, err = f.Run(randprog.Inputs(m, seed), 100_000)
	if bad != "" {
		bad = fmt.Sprintf("seed %d, index of %d bits: %s\n%s", seed, width, bad, text)
	}
	return bad, f.Sequences, err == nil
}

// TestFacts runs random nests: an array that is said to be touched in order is.
func TestFacts(t *testing.T) {
	usual := 600
	if testing.Short() {
		usual = 60
	}
	n := soak.Scale(usual, 20*usual)
	sequences, ended := 0, 0
	for seed := range uint64(n) {
		bad, s, done := violated(t, seed, "")
		if bad != "" {
			t.Fatal(bad)
		}
		sequences += s
		if done {
			ended++
		}
	}
	t.Logf("%d nests, %d without a fault, %d in order", n, ended, sequences)
	if sequences < n/10 || ended < n/2 {
		t.Errorf("the nests show little: %d in order, %d of %d without a fault", sequences, ended, n)
	}
}

// TestFactsNotice: rules that are wrong are found.
func TestFactsNotice(t *testing.T) {
	rules := []sequence.Fault{sequence.Skips, sequence.Starts, sequence.Ends, sequence.Merges}
	facttest.Notices(t, rules, 3000, func(seed uint64, broken sequence.Fault) string {
		bad, _, _ := violated(t, seed, broken)
		return bad
	})
}
