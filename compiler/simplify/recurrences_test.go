package simplify

import (
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/randprog"
)

// accumulates is what the accumulators of a fabric execute: those of maxima and minima give what an iteration begins with.
func accumulates(op *ir.Operation, left int, present bool) bool {
	return arch.Accumulates(op.Name, left) && present == (op.Name == opname.ArithMaxSI || op.Name == opname.ArithMinSI)
}

// TestSplitRecurrences: a carried value that others read is carried twice where an accumulator can change it, and what an iteration makes of
// one is computed twice where an accumulator does not give it, and only there.
func TestSplitRecurrences(t *testing.T) {
	loop := func(body, next string) string {
		return `func.func @f(%x: memref<8xi32>, %n: index, %a: i32, %b: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i32) {
    %v = memref.load %x[%i] : memref<8xi32>
` + body + `
    scf.yield ` + next + ` : i32
  }
  return %r : i32
}`
	}
	const store = "    memref.store %s, %x[%i] : memref<8xi32>\n"
	for _, c := range []struct {
		name, program string
		carries       int // of i32
		extremes      int
	}{
		{"read by others", loop(store+"    %t = arith.addi %s, %v : i32", "%t"), 2, 0},
		{"on the right", loop(store+"    %t = arith.addi %v, %s : i32", "%t"), 2, 0},
		{"subtracted from", loop(store+"    %t = arith.subi %s, %v : i32", "%t"), 2, 0},
		{"subtracted", loop(store+"    %t = arith.subi %v, %s : i32", "%t"), 1, 0},
		{"read by nothing else", loop("    %t = arith.addi %s, %v : i32", "%t"), 1, 0},
		{"no accumulator's operation", loop(store+"    %t = arith.muli %s, %v : i32", "%t"), 1, 0},
		{"changed in two steps", loop(store+"    %u = arith.xori %s, %b : i32\n    %t = arith.addi %u, %v : i32", "%t"), 1, 0},
		{"added to itself", loop(store+"    %t = arith.addi %s, %s : i32", "%t"), 1, 0},
		{"a maximum so far, read", loop(store+"    %t = arith.maxsi %v, %s : i32", "%t"), 1, 1},
		{"a maximum that others read", loop("    %t = arith.maxsi %s, %v : i32\n    memref.store %t, %x[%i] : memref<8xi32>", "%t"), 1, 2},
		{"a minimum on the right that others read", loop("    %t = arith.minsi %v, %s : i32\n    memref.store %t, %x[%i] : memref<8xi32>", "%t"), 1, 2},
		{"a maximum without sign, for which there is no accumulator", loop("    %t = arith.maxui %s, %v : i32\n    memref.store %t, %x[%i] : memref<8xi32>", "%t"), 1, 1},
		{"of an outer loop", loop(`    scf.for %j = %c0 to %n step %c1 {
      memref.store %s, %x[%j] : memref<8xi32>
    }
    %t = arith.addi %s, %v : i32`, "%t"), 1, 0},
	} {
		m, g := simplifiedProgram(t, c.name, c.program, &Fabric{MoreUnits: true, Accumulates: accumulates})
		n, extremes := 0, 0
		for _, op := range g.Regions[0].Entry().Ops {
			switch op.Name {
			case opname.ArithMaxSI, opname.ArithMinSI, opname.ArithMaxUI:
				extremes++
			}
			if op.Name == opname.DataflowCarry && op.Result(0).Type == ir.Type(ir.I32) {
				n++
			}
		}
		if n != c.carries || extremes != c.extremes {
			t.Errorf("%s: %d carries and %d extremes, expected %d and %d\n%s", c.name, n, extremes, c.carries, c.extremes, mlir.Print(g, mlir.Options{}))
		}
		in := randprog.Inputs(m, 3)
		if diff, err := disagreement(randprog.Function(m), in, 1, lower.Options{IndexWidth: 32}, Options{Fabric: &Fabric{MoreUnits: true, Accumulates: accumulates}}); err != nil || diff != "" {
			t.Errorf("%s: %v %s", c.name, err, diff)
		}
		broken := Options{Fabric: &Fabric{MoreUnits: true, Accumulates: accumulates}, deviate: splitInitial}
		if diff, err := disagreement(randprog.Function(m), in, 1, lower.Options{IndexWidth: 32}, broken); c.extremes > 1 && err == nil && diff == "" {
			t.Errorf("%s: nothing notices that %s", c.name, splitInitial)
		}
	}
}

// simplifiedProgram is a program, and its graph as it is simplified for a fabric.
func simplifiedProgram(t *testing.T, name, text string, f *Fabric) (module, graph *ir.Operation) {
	t.Helper()
	module, err := mlir.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(module, lower.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	if graph, err = Run(low.Func, Options{IndexWidth: 32, Fabric: f}); err != nil {
		t.Fatal(err)
	}
	return module, graph
}
