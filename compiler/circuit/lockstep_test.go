package circuit_test

import (
	"fmt"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/mlir"
)

// TestLockstep: the carries of a loop have a register each where its values go round in step, and
// two slots where something else may hold one of them back.
func TestLockstep(t *testing.T) {
	for _, test := range []struct {
		name, body string
		registers  int
	}{
		{"in step", "%b_next = arith.subi %b_in, %a_in : i32", 2},
		{"a division takes several cycles", "%b_next = arith.divsi %b_in, %a_in : i32", 0},
		{"a request can be stalled", `%one = constant %start {value = 1 : index} : index
  %x, %x_addr = load [%one] %read, %go_token : index, i32
  %go_token = join %a_in : i32
  %read, %loaded = extmemory[ld = 1, st = 0] (%m : memref<4xi32>) (%x_addr) {id = 0 : i32} : (index) -> (i32, none)
  %b_next = arith.subi %b_in, %x : i32`, 0},
		{"a choice takes one of its operands", `%t, %f = cond_br %odd, %b_in : i32
  %odd = arith.cmpi slt, %b_in, %a_in : i32
  %b_next = mux %odd [%f, %t] : i1, i32`, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			mod, err := mlir.Parse("loop.mlir", fmt.Sprintf(`handshake.func @f(%%a: i32, %%b: i32, %%m: memref<4xi32>, %%start: none, ...) -> (i32, none) {
  %%x_a = dataflow.carry %%go, %%a, %%a_next : i1, i32, i32 -> i32
  %%x_b = dataflow.carry %%go, %%b, %%b_next : i1, i32, i32 -> i32
  %%go = arith.cmpi slt, %%x_a, %%x_b : i32
  %%a_in, %%a_out = cond_br %%go, %%x_a : i32
  %%b_in, %%b_out = cond_br %%go, %%x_b : i32
  %%a_next = arith.addi %%a_in, %%b_in : i32
  %s
  return %%a_out, %%start : i32, none
}`, test.body))
			if err != nil {
				t.Fatal(err)
			}
			c, err := circuit.Build(mod.Regions[0].Entry().Ops[0], circuit.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			got := 0
			for _, ch := range c.Channels {
				if ch.Buffer.Kind == circuit.Loop && ch.To.Port == 2 {
					got++
				}
			}
			if got != test.registers {
				t.Errorf("%d carries have one register, expected %d\n%s", got, test.registers, c)
			}
		})
	}
}
