package dfg

import (
	"strings"
	"testing"
)

// directGraph is a graph of a direct circuit: s = sum of a[i] · k and b[i] = a[i] over i in [0, n),
// without a guard. The load's done token has no reader.
const directGraph = `handshake.func @f(%a: memref<?xi32>, %b: memref<?xi32>, %k: i32, %n: index, %start: none) -> (i32, none) attributes {loom.direct} {
  %always = dataflow.hold %start : none
  %kh = dataflow.hold %k : i32
  %nh = dataflow.hold %n : index
  %one = constant %always {value = 1 : index} : index
  %lb = constant %start {value = 0 : index} : index
  %init = constant %start {value = 0 : i32} : i32
  %raw_i, %raw = dataflow.stream %lb, %one, %nh {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %last = cond_br %raw, %raw_i : index
  %sum = dataflow.carry %raw, %init, %next : i1, i32, i32 -> i32
  %in, %out = cond_br %raw, %sum : i32
  %x, %xa = load [%i] %ra, %always : index, i32
  %scaled = arith.muli %x, %kh : i32
  %next = arith.addi %in, %scaled : i32
  %d, %da = store [%i] %x, %always : index, i32
  %ra, %loaded = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%xa) {id = 0 : i32} : (index) -> (i32, none)
  %stored = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%d, %da) {id = 1 : i32} : (i32, index) -> none
  %order = dataflow.carry %raw, %start, %stored : i1, none, none -> none
  %again, %done = cond_br %raw, %order : none
  return %out, %done : i32, none
}
`

// TestDirectGraphs: what graphs of direct circuits may do, and what not.
func TestDirectGraphs(t *testing.T) {
	if found := verify(parse(t, directGraph)); len(found.All) > 0 {
		t.Fatal(found)
	}
	for _, c := range []struct{ rule, old, new, want string }{
		{"only direct circuits hold values", " attributes {loom.direct}", "", "'dataflow.hold' must not be left in a dataflow graph"},
		{"held values steer nothing", "cond_br %raw, %raw_i", "cond_br %raw, %nh", "'handshake.cond_br' takes a value that is held for the run as the data"},
		{"a carry starts with a token", "carry %raw, %init", "carry %raw, %kh", "'dataflow.carry' takes a value that is held for the run as the initial value"},
		{"something fires an operation", "stream %lb,", "stream %nh,", "every operand of 'dataflow.stream' is held for the run: nothing says how often it fires"},
		{"something fires an access", "store [%i] %x", "store [%one] %kh", "every operand of 'handshake.store' is held for the run"},
		{"a hold takes one token", "dataflow.hold %k", "dataflow.hold %x", "%x carries one token per start of the graph where one token per iteration"},
		{"a store's done token is waited for", "return %out, %done", "return %out, %start", "the done token of store port 0"},
		{"a result stands for a load", "store [%i] %x", "store [%i] %in", ""},
		{"a store stands for a load", "muli %x, %kh", "muli %in, %kh", ""},
	} {
		src := strings.Replace(directGraph, c.old, c.new, 1)
		if src == directGraph {
			t.Fatalf("%s: %q is not in the graph", c.rule, c.old)
		}
		found := verify(parse(t, src))
		switch {
		case c.want == "" && len(found.All) > 0:
			t.Errorf("%s: %v", c.rule, found)
		case c.want != "" && !strings.Contains(found.Error(), c.want):
			t.Errorf("%s: found %v, want %q", c.rule, found, c.want)
		}
	}
	// With both uses of the load's data gone, nothing stands for its completion.
	src := strings.NewReplacer("muli %x, %kh", "muli %in, %kh", "store [%i] %x", "store [%i] %in").Replace(directGraph)
	if found := verify(parse(t, src)); !strings.Contains(found.Error(), "the done token of load port 0 of 'handshake.extmemory' has no consumer") {
		t.Errorf("a load that nothing waits for: %v", found)
	}
	dropped := strings.NewReplacer("muli %x, %kh", "muli %in, %kh", "store [%i] %x", "store [%i] %in",
		"  %order =", "  %p = arith.cmpi sgt, %in, %kh : i32\n  %yes, %no = cond_br %p, %x : i32\n  %merged = mux %p [%in0, %yes] : i1, i32\n  %yin, %in0 = cond_br %p, %in : i32\n  %c2 = dataflow.carry %raw, %init, %merged : i1, i32, i32 -> i32\n  %c3, %c4 = cond_br %raw, %c2 : i32\n  %order =",
		"return %out,", "return %c4,").Replace(directGraph)
	if found := verify(parse(t, dropped)); !strings.Contains(found.Error(), "done token of load port 0 of 'handshake.extmemory'") {
		t.Errorf("data that one side of a branch drops: %v", found)
	}
}

// TestSimplifiedGraphs: a graph for fabrics holds the start token and nothing else, and may do what a
// graph of a direct circuit may apart from that.
func TestSimplifiedGraphs(t *testing.T) {
	marked := strings.Replace(directGraph, "{loom.direct}", "{loom.simplified}", 1)
	if found := verify(parse(t, marked)); !strings.Contains(found.Error(), "'dataflow.hold' holds another value than the start token") {
		t.Errorf("an argument that is held: %v", found)
	}
	tokens := strings.NewReplacer("  %kh = dataflow.hold %k : i32\n  %nh = dataflow.hold %n : index\n", "",
		"%nh", "%n", "muli %x, %kh", "muli %x, %x").Replace(marked)
	if found := verify(parse(t, tokens)); len(found.All) > 0 {
		t.Errorf("constants and control that are held: %v", found)
	}
}
