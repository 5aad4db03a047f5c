package lower

import (
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/internal/randprog"
)

// whileLoads loads from one memory in both regions of a while, so that the
// completions of the two regions meet (R2).
const whileLoads = `
func.func @prog(%n0: index, %m0: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %mask = arith.constant 63 : index
  %seven = arith.constant 7 : i32
  %r:2 = scf.while (%i = %zero, %a = %seven) : (index, i32) -> (index, i32) {
    %v = memref.load %m0[%i] : memref<64xi32>
    %s = arith.addi %a, %v : i32
    %odd = arith.constant 5 : i32
    %bits = arith.andi %v, %odd : i32
    %more = arith.cmpi ne, %bits, %odd : i32
    %left = arith.cmpi slt, %i, %n0 : index
    %go = arith.andi %more, %left : i1
    scf.condition(%go) %i, %s : index, i32
  } do {
  ^bb0(%i: index, %a: i32):
    %next = arith.addi %i, %one : index
    %w = memref.load %m0[%next] : memref<64xi32>
    scf.yield %next, %w : index, i32
  }
  return %r#1 : i32
}`

// wrapped touches one element in every fourth iteration, because 16*i wraps
// around at 6 bits.
const wrapped = `
func.func @prog(%n0: index, %m0: memref<32xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %three = arith.constant 3 : index
  %row = arith.constant 16 : index
  %five = arith.constant 5 : i32
  scf.for %i = %zero to %n0 step %one {
    %low = arith.andi %i, %three : index
    %fourth = arith.cmpi eq, %low, %zero : index
    scf.if %fourth {
      %at = arith.muli %i, %row : index
      %v = memref.load %m0[%at] : memref<32xi32>
      %w = arith.muli %v, %five : i32
      memref.store %w, %m0[%at] : memref<32xi32>
    }
  }
  return %five : i32
}`

// carriedSum reads what the iteration before stored.
const carriedSum = `
func.func @prog(%n0: index, %m0: memref<64xi32>) -> i32 {
  %one = arith.constant 1 : index
  %five = arith.constant 5 : i32
  scf.for %i = %one to %n0 step %one {
    %before = arith.subi %i, %one : index
    %v = memref.load %m0[%before] : memref<64xi32>
    %w = arith.muli %v, %five : i32
    memref.store %w, %m0[%i] : memref<64xi32>
  }
  return %five : i32
}`

// passedBy stores what takes long to compute, and loads it behind a while that does not iterate.
const passedBy = `
func.func @prog(%n0: index, %n1: index, %m0: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %five = arith.constant 5 : i32
  %late = scf.for %i = %zero to %n0 step %one iter_args(%s = %five) -> (i32) {
    %t = arith.muli %s, %five : i32
    scf.yield %t : i32
  }
  memref.store %late, %m0[%n0] : memref<64xi32>
  %end = scf.while (%x = %n0) : (index) -> index {
    %more = arith.cmpi eq, %x, %zero : index
    scf.condition(%more) %x : index
  } do {
  ^bb0(%x: index):
    %v = memref.load %m0[%x] : memref<64xi32>
    %w = arith.index_cast %v : i32 to index
    %y = arith.addi %w, %one : index
    scf.yield %y : index
  }
  %r = memref.load %m0[%n1] : memref<64xi32>
  %last = arith.index_cast %end : index to i32
  %both = arith.addi %r, %last : i32
  return %both : i32
}`

// sides loads an element in one branch, which an iteration that takes the other stores.
const sides = `
func.func @prog(%n0: index, %n1: index, %m0: memref<64xi32>) -> i32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %none = arith.constant 0 : i32
  %sum = scf.for %i = %zero to %n0 step %one iter_args(%s = %none) -> (i32) {
    %odd = arith.andi %i, %one : index
    %is = arith.cmpi eq, %odd, %zero : index
    %t = scf.if %is -> (i32) {
      %next = arith.addi %i, %one : index
      %v = memref.load %m0[%next] : memref<64xi32>
      %u = arith.addi %s, %v : i32
      scf.yield %u : i32
    } else {
      memref.store %none, %m0[%i] : memref<64xi32>
      scf.yield %s : i32
    }
    scf.yield %t : i32
  }
  return %sum : i32
}`

// relaxationProgram is a program that may show a broken precondition: one of
// those above, else a random one.
func relaxationProgram(seed uint64) *affineProg {
	switch seed % 50 {
	case 7:
		return &affineProg{indexWidth: 64, params: []int64{6}, mems: [][]int64{{64}}, text: whileLoads}
	case 8:
		return &affineProg{indexWidth: 6, params: []int64{20}, mems: [][]int64{{32}}, text: wrapped}
	case 9:
		return &affineProg{indexWidth: 64, params: []int64{20}, mems: [][]int64{{64}}, text: carriedSum}
	case 11:
		return &affineProg{indexWidth: 64, params: []int64{20, 20}, mems: [][]int64{{64}}, text: sides}
	case 10:
		return &affineProg{indexWidth: 64, params: []int64{20, 20}, mems: [][]int64{{64}}, text: passedBy}
	}
	return affineProgram(seed)
}

// TestRelaxationsAreCaught breaks each precondition of R2 to R4 and each rule of
// the shared completions. A run of the graph detects it, or, where the path of a
// done token to the return is cut, the graph verifier.
func TestRelaxationsAreCaught(t *testing.T) {
	structural := map[deviation]bool{completionMisses: true, completionByBody: true, completionWhileLast: true}
	for _, d := range relaxations {
		t.Run(string(d), func(t *testing.T) {
			ran, static := -1, -1
			const tries = 1500
			for seed := uint64(0); seed < tries && (ran < 0 && !structural[d] || static < 0 && structural[d]); seed++ {
				p := relaxationProgram(seed)
				if p == nil {
					continue
				}
				m := parse(t, p.text)
				opts := Options{deviate: d, MemoryOrder: "pipelined", IndexWidth: p.indexWidth, keepBranches: true}
				if !structural[d] {
					diff, err := disagreement(randprog.Function(m), p.inputs(seed), seed, opts)
					if err != nil {
						t.Fatalf("program %d does not run at all: %v", seed, err)
					}
					if diff != "" {
						ran = int(seed)
					}
				}
				if structural[d] {
					if res, err := Lower(m, opts); err == nil {
						found := &diag.List{}
						if dfg.Verify(res.Func, found); len(found.All) > 0 {
							static = int(seed)
						}
					}
				}
			}
			t.Logf("noticed by running program %d, by the verifier on program %d", ran, static)
			if ran < 0 && !structural[d] {
				t.Errorf("%d programs ran without noticing that %s", tries, d)
			}
			if structural[d] && static < 0 {
				t.Errorf("the verifier passed %d graphs in which %s", tries, d)
			}
		})
	}
}
