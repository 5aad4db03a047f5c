package simplify

import (
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/sim/token"
	"loom/sim/vector"
)

// TestFireBeside: on a fabric what fires a region is a value that a branch leads there, unless that
// value waits for what it would fire, or for a load that the condition does not wait for.
func TestFireBeside(t *testing.T) {
	for _, c := range []struct {
		name, body string
		deviate    deviation
		branches   int // of the condition by itself
		status     vector.Status
	}{
		{"a value that is there", `%r_1, %r_0 = cond_br %c, %x : i32
  %s = mux %c [%r_0, %k] : i1, i32
  %v = arith.addi %s, %x : i32`, "", 0, vector.Done},
		{"a value that waits for the region", waits, "", 1, vector.Done},
		{"a value that waits for the region, taken nevertheless", waits, fireByResult, 0, vector.Deadlock},
		{"a load", `%l, %address = load [%zero] %data, %start : index, i32
  %data, %loaded = memory[ld = 1, st = 0] (%address) {id = 0 : i32, lsq = false} : memref<4xi32>, (index) -> (i32, none)
  %r_1, %r_0 = cond_br %c, %l : i32
  %s = mux %c [%r_0, %k] : i1, i32
  %v = arith.addi %s, %l : i32`, "", 1, vector.Done},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := mlir.ParseAndVerify("fire.mlir", `
handshake.func @fire(%n: i32, %x: i32, %start: none) -> (i32, none) attributes {loom.simplified} {
  %zero = constant %start {value = 0 : index} : index
  %same = arith.cmpi eq, %n, %n : i32
  %c = arith.andi %same, %same : i1
  %t, %f = cond_br %c, %start : none
  %k = constant %t {value = 7 : i32} : i32
  `+c.body+`
  return %v, %start : i32, none
}`)
			if err != nil {
				t.Fatal(err)
			}
			fn := m.Regions[0].Entry().Ops[0]
			b := fn.Regions[0].Entry()
			s := &state{mod: m, fn: fn, body: b, start: b.Args[2], held: map[root]*ir.Value{}, opts: Options{Fabric: &Fabric{}, deviate: c.deviate}}
			activate(s, nil)
			n := 0
			for _, op := range b.Ops {
				if op.Name == opname.HandshakeCondBr && op.Operand(0) == op.Operand(1) {
					n++
				}
			}
			text := mlir.Print(fn, mlir.Options{})
			if n != c.branches {
				t.Errorf("%d branches of the condition by itself, %d are expected\n%s", n, c.branches, text)
			}
			sig, err := vector.SignatureOf(fn)
			if err != nil {
				t.Fatal(err)
			}
			in, err := vector.Random(sig, 1, 4, 32)
			if err != nil {
				t.Fatal(err)
			}
			out, err := token.Run(fn, in, token.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != c.status {
				t.Errorf("%s %v, %s is expected\n%s", out.Status, out.Detail, c.status, text)
			}
		})
	}
}

// waits is a region whose result is branched by its condition again.
const waits = `%s = mux %c [%x0, %k] : i1, i32
  %x1, %x0 = cond_br %other, %x : i32
  %other = arith.cmpi eq, %n, %n : i32
  %r_1, %r_0 = cond_br %c, %s : i32
  %v = mux %c [%r_0, %r_1] : i1, i32`
