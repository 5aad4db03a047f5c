package simplify

import (
	"testing"

	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/randprog"
)

// TestSpeculate: what a loop carries on is computed ahead of its condition where that depends on what is carried, if it takes no more branches,
// or with more units.
func TestSpeculate(t *testing.T) {
	loop := func(cond, body, next string) string {
		return `func.func @f(%x: memref<8xi32>, %a: i32, %b: i32) -> (i32, i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c0i = arith.constant 0 : index
  %r:2 = scf.while (%s = %a, %n = %c0) : (i32, i32) -> (i32, i32) {
    ` + cond + `
    scf.condition(%more) %s, %n : i32, i32
  } do {
  ^bb0(%s: i32, %n: i32):
    %m = arith.addi %n, %c1 : i32
    ` + body + `
    scf.yield ` + next + `, %m : i32, i32
  }
  return %r#1, %r#1 : i32, i32
}`
	}
	const bits = `%more = arith.cmpi ne, %s, %c0 : i32`
	for _, c := range []struct {
		name, program  string
		more, temporal bool
		// ahead says of which operations the result is branched for the next iteration, of those that compute what is carried.
		ahead []string
	}{
		{"two operations on a value", loop(bits, "%d = arith.subi %s, %c1 : i32\n    %t = arith.andi %s, %d : i32", "%t"), false, false, []string{opname.ArithAndI}},
		{"where operations take turns", loop(bits, "%d = arith.subi %s, %c1 : i32\n    %t = arith.andi %s, %d : i32", "%t"), false, true, nil},
		{"a value that others read", loop(bits, "%t = arith.shrui %s, %c1 : i32\n    memref.store %s, %x[%c0i] : memref<8xi32>", "%t"), false, false, nil},
		{"a value that others read, with more units", loop(bits, "%t = arith.shrui %s, %c1 : i32\n    memref.store %s, %x[%c0i] : memref<8xi32>", "%t"), true, false, []string{opname.ArithShRUI}},
		{"a division", loop(bits, "%t = arith.divui %s, %b : i32", "%t"), true, false, nil},
		{"a loop that counts", `func.func @f(%x: memref<8xi32>, %n: index, %a: i32) -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %a) -> (i32) {
    memref.store %s, %x[%i] : memref<8xi32>
    %t = arith.shli %s, %s : i32
    scf.yield %t : i32
  }
  return %r : i32
}`, true, false, nil},
	} {
		f := &Fabric{MoreUnits: c.more, Temporal: c.temporal}
		m, g := simplifiedProgram(t, c.name, c.program, f)
		var ahead []string
		for _, op := range g.Regions[0].Entry().Ops {
			if op.Name != opname.DataflowCarry || op.Result(0).Type != ir.Type(ir.I32) {
				continue
			}
			if br := op.Operand(2).Def; br.Name == opname.HandshakeCondBr && br.Operand(1).Def != nil && br.Operand(1).Def.Name != opname.DataflowCarry {
				ahead = append(ahead, br.Operand(1).Def.Name)
			}
		}
		if len(ahead) != len(c.ahead) || len(ahead) > 0 && ahead[0] != c.ahead[0] {
			t.Errorf("%s: %v is computed ahead, expected %v\n%s", c.name, ahead, c.ahead, mlir.Print(g, mlir.Options{}))
		}
		in := randprog.Inputs(m, 3)
		if diff, err := disagreement(randprog.Function(m), in, 1, lower.Options{IndexWidth: 32}, Options{Fabric: f}); err != nil || diff != "" {
			t.Errorf("%s: %v %s", c.name, err, diff)
		}
	}
}
