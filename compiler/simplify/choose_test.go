package simplify

import (
	"strings"
	"testing"

	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// TestChoose: a choice between cheap values that nothing else reads is a select.
func TestChoose(t *testing.T) {
	for _, c := range []struct {
		name, body string
		selected   bool
	}{
		{"values", `%r = mux %c [%a_0, %b_1] : i1, i32`, true},
		{"cheap operations", `%s = arith.addi %a_1, %b_1 : i32
  %u = arith.xori %s, %b_1 : i32
  %r = mux %c [%a_0, %u] : i1, i32`, true},
		{"a held constant", `%h = dataflow.hold %k : i32
  %r = mux %c [%a_0, %h] : i1, i32`, true},
		{"what only some runs hold", `%some = arith.cmpi ugt, %n, %one : index
  %k_1, %k_0 = cond_br %some, %k : i32
  %h = dataflow.hold %k_1 : i32
  %r = mux %c [%a_0, %h] : i1, i32`, false},
		{"the sides of two branches", `%s = arith.subi %a_1, %b_0 : i32
  %r = mux %c [%a_0, %s] : i1, i32`, false},
		{"a multiplication", `%s = arith.muli %a_1, %b_1 : i32
  %r = mux %c [%a_0, %s] : i1, i32`, false},
		{"too many operations", `%s = arith.addi %a_1, %b_1 : i32
  %u = arith.xori %s, %b_1 : i32
  %v = arith.addi %u, %b_1 : i32
  %w = arith.xori %v, %a_1 : i32
  %r = mux %c [%a_0, %w] : i1, i32`, false},
		{"a value that others read", `%s = arith.addi %a_1, %b_1 : i32
  %w, %x = cond_br %s_odd, %s : i32
  %s_odd = arith.cmpi sgt, %s, %b_1 : i32
  %r = mux %c [%a_0, %s] : i1, i32`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := mlir.ParseAndVerify("choose.mlir", `
handshake.func @choose(%m: memref<64xi32>, %n: index, %start: none) -> none {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %k = constant %start {value = 7 : i32} : i32
  %i_raw, %more = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %last = cond_br %more, %i_raw : index
  %a, %address = load [%i] %data, %run : index, i32
  %run_raw = dataflow.invariant %more, %start : i1, none -> none
  %run, %over = cond_br %more, %run_raw : none
  %b = arith.index_cast %i : index to i32
  %c = arith.cmpi sgt, %a, %b : i32
  %a_1, %a_0 = cond_br %c, %a : i32
  %b_1, %b_0 = cond_br %c, %b : i32
  `+c.body+`
  %st_data, %st_address = store [%i] %r, %run : index, i32
  %data, %stored, %loaded = extmemory[ld = 1, st = 1] (%m : memref<64xi32>) (%st_data, %st_address, %address) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  return %over : none
}`)
			if err != nil {
				t.Fatal(err)
			}
			s := &state{body: m.Regions[0].Entry().Ops[0].Regions[0].Entry()}
			choose(s, nil)
			selects := 0
			for _, op := range s.body.Ops {
				if op.Name == opname.ArithSelect {
					selects++
				}
			}
			if selects > 1 || selects == 1 != c.selected {
				t.Errorf("%d selects in\n%s", selects, strings.TrimSpace(mlir.Print(m, mlir.Options{})))
			}
		})
	}
}
