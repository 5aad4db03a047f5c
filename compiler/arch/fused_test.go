package arch_test

import (
	"fmt"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// body parses a function unit with inputs %d: i1 and %a, %b, %c: i32, or others; it need not be a valid one.
func body(t *testing.T, inputs, ops, yield string) *ir.Block {
	t.Helper()
	m, err := mlir.Parse("unit.mlir", fmt.Sprintf("fabric.function_unit @u(%s) -> (i32, i32) [latency = -1, interval = -1] {\n%s\n  fabric.yield %s\n}\n", inputs, ops, yield))
	if err != nil {
		t.Fatal(err)
	}
	var unit *ir.Operation
	m.Walk(func(o *ir.Operation) bool {
		if o.Name == opname.FabricFunctionUnit {
			unit = o
		}
		return unit == nil
	})
	return unit.Regions[0].Entry()
}

// TestFusedBodies: which bodies are one state machine, whatever the order of their operations, and
// what is only like one.
func TestFusedBodies(t *testing.T) {
	const (
		none   = "none"
		three  = "%a: i32, %b: i32, %c: i32"
		head   = "%d: i1, %a: i32, %b: i32"
		stream = `  %i, %go = dataflow.stream %a, %b, %c {step_op = "+=", cont_cond = "<"} : (i32, i32, i32) -> (i32, i1)` + "\n"
		branch = "  %t, %f = handshake.cond_br %go, %i : i32\n"
		carry  = "  %v = dataflow.carry %d, %a, %b : i1, i32, i32 -> i32\n"
		side   = "  %t, %f = handshake.cond_br %d, %v : i32\n"
		round  = "  %v = dataflow.carry %d, %a, %n : i1, i32, i32 -> i32\n"
	)
	for _, c := range []struct{ name, inputs, ops, yield, want string }{
		{"counter", three, stream + branch, "%t, %go : i32, i1", "0 in [0 1 2]"},
		{"counter, branch first", three, branch + stream, "%t, %go : i32, i1", "0 in [0 1 2]"},
		{"counter with inputs in another order", "%c: i32, %a: i32, %b: i32", stream + branch, "%t, %go : i32, i1", "0 in [1 2 0]"},
		{"counter that yields the false side", three, stream + branch, "%f, %go : i32, i1", none},
		{"counter that yields no condition", three, stream + branch, "%t, %f : i32, i32", none},
		{"counter that yields one value", three, stream + branch, "%t : i32", none},
		{"counter whose branch has another condition", "%d: i1, " + three, stream + "  %t, %f = handshake.cond_br %d, %i : i32\n", "%t, %go : i32, i1", none},
		{"counter whose branch has another value", three, stream + "  %t, %f = handshake.cond_br %go, %a : i32\n", "%t, %go : i32, i1", none},
		{"counter with an input twice", "%a: i32, %c: i32", `  %i, %go = dataflow.stream %a, %a, %c {step_op = "+=", cont_cond = "<"} : (i32, i32, i32) -> (i32, i1)` + "\n" + branch, "%t, %go : i32, i1", none},
		{"counter with an input that nothing reads", "%d: i1, " + three, stream + branch, "%t, %go : i32, i1", none},
		{"counter with a computed bound", three, "  %x = arith.addi %b, %c : i32\n" + `  %i, %go = dataflow.stream %a, %b, %x {step_op = "+=", cont_cond = "<"} : (i32, i32, i32) -> (i32, i1)` + "\n" + branch, "%t, %go : i32, i1", none},
		{"counter of bits whose branch has another condition", "%a: i1, %b: i1, %c: i1", `  %i, %go = dataflow.stream %a, %b, %c {step_op = "+=", cont_cond = "<"} : (i1, i1, i1) -> (i1, i1)` + "\n  %t, %f = handshake.cond_br %a, %i : i1\n", "%t, %go : i1, i1", none},
		{"counter with an operation that leads nowhere", three, stream + branch + "  %n = arith.addi %t, %t : i32\n", "%t, %go : i32, i1", none},

		{"loop", head, carry + side, "%t, %f : i32, i32", "1 in [0 1 2]"},
		{"loop, branch first", head, side + carry, "%t, %f : i32, i32", "1 in [0 1 2]"},
		{"loop with inputs in another order", "%b: i32, %a: i32, %d: i1", carry + side, "%t, %f : i32, i32", "1 in [2 1 0]"},
		{"loop that yields its sides the other way", head, carry + side, "%f, %t : i32, i32", none},
		{"loop that yields a side twice", head, carry + side, "%t, %t : i32, i32", none},
		{"loop that yields its value", head, carry + side, "%v, %f : i32, i32", none},
		{"loop whose branch has another condition", "%e: i1, " + head, carry + "  %t, %f = handshake.cond_br %e, %v : i32\n", "%t, %f : i32, i32", none},
		{"loop whose branch has another value", head, carry + "  %t, %f = handshake.cond_br %d, %b : i32\n", "%t, %f : i32, i32", none},
		{"loop whose value goes round", "%d: i1, %a: i32", "  %v = dataflow.carry %d, %a, %t : i1, i32, i32 -> i32\n" + side, "%t, %f : i32, i32", none},
		{"loop with the initial value as the next one", "%d: i1, %a: i32", "  %v = dataflow.carry %d, %a, %a : i1, i32, i32 -> i32\n" + side, "%t, %f : i32, i32", none},
		{"loop of bits whose branch has another condition", "%d: i1, %a: i1, %b: i1", "  %v = dataflow.carry %d, %a, %b : i1, i1, i1 -> i1\n  %t, %f = handshake.cond_br %a, %v : i1\n", "%t, %f : i1, i1", none},
		{"loop whose value goes round, and an input that nothing reads", head, "  %v = dataflow.carry %d, %a, %t : i1, i32, i32 -> i32\n" + side, "%t, %f : i32, i32", none},
		{"loop with its own value as the initial one", head, "  %v = dataflow.carry %d, %t, %b : i1, i32, i32 -> i32\n" + side, "%t, %f : i32, i32", none},
		{"loop with an input twice, and one that nothing reads", head, "  %v = dataflow.carry %d, %a, %a : i1, i32, i32 -> i32\n" + side, "%t, %f : i32, i32", none},
		{"loop with two branches", head, carry + side + "  %t2, %f2 = handshake.cond_br %d, %v : i32\n", "%t2, %f2 : i32, i32", none},
		{"two loops", head, carry + side + "  %w = dataflow.carry %d, %a, %b : i1, i32, i32 -> i32\n", "%t, %f : i32, i32", none},
		{"stream and carry", three, stream + "  %v = dataflow.carry %go, %a, %b : i1, i32, i32 -> i32\n  %t, %f = handshake.cond_br %go, %v : i32\n", "%t, %f : i32, i32", none},
		{"carry alone", head, carry, "%v, %v : i32, i32", none},
		{"branch alone", head, "  %t, %f = handshake.cond_br %d, %a : i32\n", "%t, %f : i32, i32", none},

		{"accumulate", head, round + side + "  %n = arith.addi %t, %b : i32\n", "%n, %f : i32, i32", "2 in [0 1 2] left"},
		{"accumulate, operation first", head, "  %n = arith.addi %t, %b : i32\n" + round + side, "%n, %f : i32, i32", "2 in [0 1 2] left"},
		{"accumulate with the value behind", head, round + side + "  %n = arith.addi %b, %t : i32\n", "%n, %f : i32, i32", "2 in [0 1 2]"},
		{"accumulate that subtracts", head, round + side + "  %n = arith.subi %t, %b : i32\n", "%n, %f : i32, i32", "2 in [0 1 2] left"},
		{"accumulate that subtracts from its input", head, round + side + "  %n = arith.subi %b, %t : i32\n", "%n, %f : i32, i32", none},
		{"accumulate that multiplies", head, round + side + "  %n = arith.muli %t, %b : i32\n", "%n, %f : i32, i32", none},
		{"accumulate that compares", "%d: i1, %a: i1, %b: i1", "  %v = dataflow.carry %d, %a, %n : i1, i1, i1 -> i1\n  %t, %f = handshake.cond_br %d, %v : i1\n  %n = arith.cmpi slt, %t, %b : i1\n", "%n, %f : i1, i1", none},
		{"accumulate of its own value", "%d: i1, %a: i32", round + side + "  %n = arith.addi %t, %t : i32\n", "%n, %f : i32, i32", none},
		{"accumulate of the false side", head, round + side + "  %n = arith.addi %f, %b : i32\n", "%n, %f : i32, i32", none},
		{"accumulate that yields the value", head, round + side + "  %n = arith.addi %t, %b : i32\n", "%t, %f : i32, i32", "3 in [0 1 2] left"},
		{"accumulate that yields the value, behind the element", head, round + side + "  %n = arith.maxsi %b, %t : i32\n", "%t, %f : i32, i32", "3 in [0 1 2]"},
		{"accumulate that yields the value in front of its branch", head, round + side + "  %n = arith.addi %t, %b : i32\n", "%v, %f : i32, i32", none},
		{"accumulate of floats that yields the value", "%d: i1, %a: f32, %b: f32", "  %v = dataflow.carry %d, %a, %n : i1, f32, f32 -> f32\n  %t, %f = handshake.cond_br %d, %v : f32\n  %n = arith.maximumf %t, %b : f32\n", "%t, %f : f32, f32", none},
		{"accumulate that does not go round", "%d: i1, %a: i32, %b: i32, %c: i32", "  %v = dataflow.carry %d, %a, %c : i1, i32, i32 -> i32\n" + side + "  %n = arith.addi %t, %b : i32\n", "%n, %f : i32, i32", none},
		{"accumulate that does not go round, with its input as the next value", head, carry + side + "  %n = arith.addi %t, %b : i32\n", "%n, %f : i32, i32", none},
		{"accumulate of its own value, and an input that nothing reads", head, round + side + "  %n = arith.addi %t, %t : i32\n", "%n, %f : i32, i32", none},
		{"accumulate with two operations", "%d: i1, %a: i32, %b: i32, %c: i32", round + side + "  %m = arith.addi %t, %b : i32\n  %n = arith.addi %m, %c : i32\n", "%n, %f : i32, i32", none},
	} {
		got := none
		if x := arch.FusedBody(body(t, c.inputs, c.ops, c.yield)); x != nil {
			got = fmt.Sprintf("%d in %v", x.Kind, x.In)
			if x.Left {
				got += " left"
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
