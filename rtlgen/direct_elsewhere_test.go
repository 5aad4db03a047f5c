package rtlgen_test

import (
	"testing"

	"loom/compiler/circt"
	"loom/compiler/circuit"
	"loom/compiler/mlir"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// TestDirectElsewhere: circuits of graphs as CIRCT writes them pass the tools: merges of data and
// of tokens, with and without an index, a mux of three, initial tokens with and without data.
func TestDirectElsewhere(t *testing.T) {
	for _, tool := range []string{"verilator", "iverilog", "yosys"} {
		toolstest.Need(t, tool)
	}
	m, err := mlir.ParseAndVerify("g.mlir", `
handshake.func @elsewhere(%n: index, %m: memref<?xi32>, %start: none, ...) -> (index, i7, none) {
  %s:4 = fork [4] %start : none
  %zero = constant %s#0 {value = 0 : index} : index
  %c, %which = control_merge %s#1, %c_back : none, index
  %first = constant %s#2 {value = 3 : i7} : i7
  %w:3 = fork [3] %which : index
  %i = mux %w#0 [%zero, %i_back] : index, index
  %limit = mux %w#1 [%n, %limit_back] : index, index
  %v = mux %w#2 [%first, %v_back] : index, i7
  %i2:4 = fork [4] %i : index
  %limit2:2 = fork [2] %limit : index
  %more = arith.cmpi slt, %i2#0, %limit2#0 : index
  %more2:5 = fork [5] %more : i1
  %i_in, %i_out = cond_br %more2#0, %i2#1 : index
  %limit_in, %limit_out = cond_br %more2#1, %limit2#1 : index
  %v_in, %v_out = cond_br %more2#2, %v : i7
  %c_in, %c_out = cond_br %more2#3, %c : none
  sink %limit_out : index
  sink %more2#4 : i1
  %src = source
  %three = constant %src {value = 3 : index} : index
  %turn = arith.remui %i2#2, %three : index
  %j = join %i2#3 : index
  %k1 = constant %j {value = 1 : i7} : i7
  %odd = arith.addi %v_in2#0, %v_in2#1 : i7
  %v_in2:4 = fork [4] %v_in : i7
  %a, %b = cond_br %pick, %odd : i7
  %pick = arith.cmpi ne, %v_in2#2, %five : i7
  %src2 = source
  %five = constant %src2 {value = 5 : i7} : i7
  %both = merge %a, %b : i7
  %late = buffer [2] seq %both {initValues = [-1, 9]} : i7
  %tick = buffer [1] seq %jk {initValues = [0]} : none
  %jk = join %k1 : i7
  %c2:3 = fork [3] %c_in : none
  %one = constant %c2#0 {value = 1 : index} : index
  %i3:2 = fork [2] %i_in : index
  %next = arith.addi %i3#0, %one : index
  %d, %da = store [%i3#1] %data, %c2#1 : index, i32
  %wide = arith.extui %v_in2#3 : i7 to i32
  %data = arith.addi %wide, %wide2 : i32
  %wide2 = arith.extui %ticked : i7 to i32
  %ticked = constant %tick {value = 2 : i7} : i7
  %e = extmemory[ld = 0, st = 1] (%m : memref<?xi32>) (%d, %da) {id = 0 : i32} : (i32, index) -> none
  %c_back = join %c2#2, %e : none, none
  %i_back = br %next : index
  %limit_back = br %limit_in : index
  %v_back = br %late : i7
  %p, %q = cond_br %more3, %turn : index
  %more3 = arith.cmpi eq, %i4, %three2 : index
  sink %p : index
  sink %q : index
  %src3 = source
  %three2 = constant %src3 {value = 3 : index} : index
  %i4 = buffer [1] fifo %i_out : index
  %x7 = mux %turn0 [%v_out, %held0, %held1] : i2, i7
  %held0 = buffer [1] seq %held0 {initValues = [1]} : i7
  %held1 = buffer [3] seq %held1 {initValues = [-1, 2, 3]} : i7
  %turn0 = constant %s#3 {value = 0 : i2} : i2
  return %n, %x7, %c_out : index, i7, none
}`)
	if err != nil {
		t.Fatal(err)
	}
	fn := m.Regions[0].Entry().Ops[0]
	if err := circt.Flatten(fn); err != nil {
		t.Fatal(err)
	}
	if err := circt.Simplify(fn, 32); err != nil {
		t.Fatal(err)
	}
	c, err := circuit.Build(fn, circuit.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	out, err := rtlgen.GenerateDirect(c, rtlgen.Meta{InputName: "elsewhere", ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	checkTools(t, "elsewhere", out)
}
