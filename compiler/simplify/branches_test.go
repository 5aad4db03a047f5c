package simplify

import (
	"strings"
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// count is how many operations of a name a graph has.
func count(graph *ir.Operation, name string) int {
	n := 0
	for _, op := range graph.Regions[0].Entry().Ops {
		if op.Name == name {
			n++
		}
	}
	return n
}

// simplified runs the passes for a fabric on a graph.
func simplified(t *testing.T, text string) *ir.Operation {
	t.Helper()
	m, err := mlir.ParseAndVerify("graph.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	g, err := Run(m.Regions[0].Entry().Ops[0], Options{IndexWidth: 32, Fabric: &Fabric{}})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestMergeBranches: branches whose values meet in one operation become one branch of its result.
func TestMergeBranches(t *testing.T) {
	for _, c := range []struct {
		name, body string
		branches   int
	}{
		{"a sum", `%s = arith.addi %x_1, %y_1 : i32
  %q = arith.divsi %s, %k : i32`, 1},
		{"a product", `%s = arith.muli %x_1, %y_1 : i32
  %q = arith.divsi %s, %k : i32`, 2},
		{"values that others read", `%s = arith.addi %x_1, %y_1 : i32
  %u = arith.divsi %s, %x_1 : i32
  %q = arith.divsi %u, %y_1 : i32`, 2},
		{"a value and its cast", `%i_1, %i_0 = cond_br %c, %i : index
  %j = arith.index_cast %i_1 : index to i32
  %u = arith.divsi %x_1, %y_1 : i32
  %q = arith.divsi %u, %j : i32`, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := simplified(t, `
handshake.func @merge(%x: i32, %y: i32, %start: none) -> (i32, none) {
  %k = constant %start {value = 7 : i32} : i32
  %i = arith.index_cast %x : i32 to index
  %c = arith.cmpi sgt, %x, %y : i32
  %x_1, %x_0 = cond_br %c, %x : i32
  %y_1, %y_0 = cond_br %c, %y : i32
  `+strings.Replace(c.body, "%s, %k", "%s, %s", 1)+`
  %z_1, %z_0 = cond_br %c, %k : i32
  %r = mux %c [%z_0, %q] : i1, i32
  return %r, %start : i32, none
}`)
			if n := count(g, opname.HandshakeCondBr); n != c.branches {
				t.Errorf("%d branches, %d are expected\n%s", n, c.branches, mlir.Print(g, mlir.Options{}))
			}
		})
	}
}

// TestHeads: a loop that carries an order and repeats no more values than that goes by its raw
// condition and has no gate; one that repeats more stays.
func TestHeads(t *testing.T) {
	for _, c := range []struct {
		name, term string
		gates      int
	}{
		{"nothing repeated", "%i", 0},
		{"one value repeated", "%x_1", 0},
		{"two values repeated", "%both", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := simplified(t, `
handshake.func @heads(%m: memref<8xi32>, %x: i32, %y: i32, %start: none) -> none {
  %zero = constant %start {value = 0 : i32} : i32
  %one = constant %start {value = 1 : i32} : i32
  %eight = constant %start {value = 8 : i32} : i32
  %i_raw, %more = dataflow.stream %zero, %one, %eight {step_op = "+=", cont_cond = "<"} : (i32, i32, i32) -> (i32, i1)
  %i, %next = dataflow.gate %i_raw, %more : i32, i1 -> i32, i1
  %x_1 = dataflow.invariant %next, %x : i1, i32 -> i32
  %y_1 = dataflow.invariant %next, %y : i1, i32 -> i32
  %both = arith.addi %x_1, %y_1 : i32
  %term = arith.addi %i, `+c.term+` : i32
  %at = arith.index_cast %i : i32 to index
  %v, %la = load [%at] %read, %order : index, i32
  %s = arith.addi %v, %term : i32
  %sd, %sa = store [%at] %s, %loaded : index, i32
  %read, %stored, %loaded = extmemory[ld = 1, st = 1] (%m : memref<8xi32>) (%sd, %sa, %la) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %order = dataflow.carry %next, %start, %again : i1, none, none -> none
  %again, %done = cond_br %next, %stored : none
  return %done : none
}`)
			found := &diag.List{}
			if dfg.Verify(g, found); found.HasErrors() {
				t.Error(found)
			}
			if n := count(g, opname.DataflowGate); n != c.gates {
				t.Errorf("%d gates, %d are expected\n%s", n, c.gates, mlir.Print(g, mlir.Options{}))
			}
		})
	}
}
