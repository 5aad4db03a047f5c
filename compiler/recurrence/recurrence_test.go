package recurrence

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mlir"
)

// parse reads the body of a graph; what it needs from outside are parameters.
func parse(t *testing.T, body string) *ir.Operation {
	t.Helper()
	text := "handshake.func @k(%m: memref<8xi32>, %x: i32, %n: index, %c: i1, %start: none, ...) -> none {\n" + body + "  return %start : none\n}\n"
	module, err := mlir.Parse("k", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var fn *ir.Operation
	module.Walk(func(o *ir.Operation) bool {
		if o.Name == "handshake.func" {
			fn = o
		}
		return fn == nil
	})
	return fn
}

const counted = `  %one = constant %start {value = 1 : index} : index
  %i_raw, %more = dataflow.stream %one, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %i_raw, %more : index, i1 -> index, i1
`

// TestBounds is a table of recurrences.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       []string // a line per loop: bound, limiting cycle
	}{
		{"nothing carried", counted, []string{"1: one firing per cycle"}},
		{"sum", counted + `  %s = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %t = arith.addi %s0, %s0 : i32
`, []string{"3: dataflow.carry %s -> handshake.cond_br %s0 -> arith.addi %t"}},
		{"casts and joins are free", counted + `  %s = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %u = arith.extsi %s0 : i32 to i64
  %t = arith.trunci %u : i64 to i32
`, []string{"2: dataflow.carry %s -> handshake.cond_br %s0 -> arith.extsi %u (0) -> arith.trunci %t (0)"}},
		{"two tokens", counted + `  %a = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %a0, %a1 = cond_br %more, %a : i32
  %b = dataflow.carry %more, %x, %a0 : i1, i32, i32 -> i32
  %b0, %b1 = cond_br %more, %b : i32
  %t = arith.addi %b0, %b0 : i32
`, []string{"5/2: dataflow.carry %b -> handshake.cond_br %b0 -> arith.addi %t -> dataflow.carry %a -> handshake.cond_br %a0"}},
		{"memory", counted + `  %order = dataflow.carry %next, %start, %d0 : i1, none, none -> none
  %v, %at = load [%i] %read, %order : index, i32
  %data, %to = store [%i] %v, %loaded : index, i32
  %read, %stored, %loaded = extmemory[ld = 1, st = 1] (%m : memref<8xi32>) (%data, %to, %at) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %d0, %d1 = cond_br %next, %stored : none
`, []string{"10: dataflow.carry %order -> handshake.load request %v (0) -> handshake.extmemory load %m (4) -> handshake.store %data (0) -> handshake.extmemory store %m (4) -> handshake.cond_br %d0"}},
		// The condition depends on the value: carry, compare, branch, subtract.
		{"while", `  %s = dataflow.carry %go, %x, %t : i1, i32, i32 -> i32
  %go = arith.cmpi sgt, %s, %s : i32
  %s0, %s1 = cond_br %go, %s : i32
  %t = arith.subi %s0, %s0 : i32
`, []string{"4: dataflow.carry %s -> arith.cmpi %go -> handshake.cond_br %s0 -> arith.subi %t"}},
		// What the gated condition starts is decided by the next raw one: the gate's
		// output is one firing ahead, so the cycle through both carries has one token.
		{"gate ahead", `  %s = dataflow.carry %go, %x, %t : i1, i32, i32 -> i32
  %go = arith.cmpi sgt, %s, %s : i32
  %s0, %s1 = cond_br %go, %s : i32
  %g, %next = dataflow.gate %s, %go : i32, i1 -> i32, i1
  %r = dataflow.carry %next, %x, %r0 : i1, i32, i32 -> i32
  %r0, %r1 = cond_br %next, %r : i32
  %t = arith.addi %s0, %r : i32
`, []string{"6: dataflow.carry %r -> arith.addi %t -> dataflow.carry %s -> arith.cmpi %go -> dataflow.gate %g -> handshake.cond_br %r0"}},
		// The longer side of a branch is no bound while the shorter one is free.
		{"branch", counted + `  %s = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %yes, %no = cond_br %c, %s0 : i32
  %u = arith.addi %yes, %yes : i32
  %v = arith.muli %u, %u : i32
  %t = mux %c [%no, %v] : i1, i32
`, []string{"4: dataflow.carry %s -> handshake.cond_br %s0 -> handshake.cond_br %yes -> handshake.mux %t"}},
		{"both sides", counted + `  %s = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %yes, %no = cond_br %c, %s0 : i32
  %u = arith.addi %yes, %yes : i32
  %v = arith.muli %u, %u : i32
  %w = arith.addi %no, %no : i32
  %t = mux %c [%w, %v] : i1, i32
`, []string{"5: dataflow.carry %s -> handshake.cond_br %s0 -> handshake.cond_br %yes -> arith.addi %w -> handshake.mux %t"}},
		// The branch is decided by the carried value: the selector always counts.
		{"selector", counted + `  %s = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %p = arith.cmpi sgt, %s0, %s0 : i32
  %q = arith.xori %p, %p : i1
  %yes, %no = cond_br %c, %x : i32
  %t = mux %q [%no, %yes] : i1, i32
`, []string{"5: dataflow.carry %s -> handshake.cond_br %s0 -> arith.cmpi %p -> arith.xori %q -> handshake.mux %t"}},
		// Outer: both carries and both splits; inner: its own cycle.
		{"nest", counted + `  %s = dataflow.carry %more, %x, %t1 : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %j_raw, %jmore = dataflow.stream %i, %i, %i {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %t = dataflow.carry %jmore, %s0, %u : i1, i32, i32 -> i32
  %t0, %t1 = cond_br %jmore, %t : i32
  %u = arith.addi %t0, %t0 : i32
`, []string{
			"4: dataflow.carry %s -> handshake.cond_br %s0 -> dataflow.carry %t -> handshake.cond_br %t0",
			"3: dataflow.carry %t -> handshake.cond_br %t0 -> arith.addi %u",
		}},
		{"stuck", counted + `  %s = dataflow.carry %more, %x, %u : i1, i32, i32 -> i32
  %t = arith.addi %s, %u : i32
  %u = arith.addi %t, %s : i32
`, []string{"never: arith.addi %t -> arith.addi %u"}},
	} {
		fn := parse(t, c.body)
		var got []string
		for _, b := range Bounds(fn, FindLoops(fn), Graph(latency.Model{}), nil) {
			got = append(got, b.String()+": "+b.PathString())
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// TestSeen: what a run did narrows the bound of the loop around.
func TestSeen(t *testing.T) {
	fn := parse(t, counted+`  %s = dataflow.carry %more, %x, %e : i1, i32, i32 -> i32
  %s0, %s1 = cond_br %more, %s : i32
  %yes, %no = cond_br %c, %s0 : i32
  %j_raw, %jmore = dataflow.stream %i, %i, %i {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %t = dataflow.carry %jmore, %yes, %u : i1, i32, i32 -> i32
  %t0, %t1 = cond_br %jmore, %t : i32
  %u = arith.addi %t0, %t0 : i32
  %e = mux %c [%no, %t1] : i1, i32
`)
	var mux *ir.Operation
	fn.Walk(func(o *ir.Operation) bool {
		if o.Name == "handshake.mux" {
			mux = o
		}
		return true
	})
	nest := FindLoops(fn)
	for _, c := range []struct {
		name string
		seen *Seen
		want string
	}{
		{"nothing", nil, "4"},
		// carry, branch, branch, inner carry and branch for 11 tests, mux: 10 iterations of 3.
		{"always the inner loop", &Seen{[]int64{0, 10}, map[ir.Use]bool{{Op: mux, Index: 1}: true}}, "36"},
		{"never the inner loop", &Seen{[]int64{0, 10}, map[ir.Use]bool{{Op: mux, Index: 2}: true}}, "4"},
		{"both", &Seen{[]int64{0, 10}, nil}, "4"},
		{"no iteration", &Seen{[]int64{0, 0}, map[ir.Use]bool{{Op: mux, Index: 1}: true}}, "6"},
	} {
		if got := Bounds(fn, nest, Graph(latency.Model{}), c.seen)[0].String(); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestMemoryLatency changes the model.
func TestMemoryLatency(t *testing.T) {
	fn := parse(t, counted+`  %order = dataflow.carry %next, %start, %d0 : i1, none, none -> none
  %v, %at = load [%i] %read, %order : index, i32
  %read, %loaded = extmemory[ld = 1, st = 0] (%m : memref<8xi32>) (%at) {id = 0 : i32} : (index) -> (i32, none)
  %d0, %d1 = cond_br %next, %loaded : none
`)
	for memory, want := range map[latency.Profile]string{{}: "6", latency.Fixed(1): "3", latency.Fixed(30): "32", {Min: 1, Max: 40, Seed: 3}: "23"} {
		b := Bounds(fn, FindLoops(fn), Graph(latency.Model{Memory: memory}), nil)[0]
		if b.String() != want || !b.Gated {
			t.Errorf("memory latency %v: %v, gated %v", memory, b, b.Gated)
		}
	}
}

// TestNest: which loop lies in which.
func TestNest(t *testing.T) {
	fn := parse(t, counted+`  %body = dataflow.invariant %next, %start : i1, none -> none
  %yes, %no = cond_br %c, %body : none
  %two = constant %yes {value = 2 : index} : index
  %j_raw, %jmore = dataflow.stream %two, %two, %two {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %j, %jnext = dataflow.gate %j_raw, %jmore : index, i1 -> index, i1
  %j0, %j1 = cond_br %jmore, %j_raw : index
  %w = dataflow.carry %go, %j1, %w0 : i1, index, index -> index
  %go = arith.cmpi sgt, %w, %w : index
  %w0, %w1 = cond_br %go, %w : index
  %end0, %end = cond_br %more, %i_raw : index
  %v = dataflow.carry %on, %end, %v0 : i1, index, index -> index
  %on = arith.cmpi sgt, %v, %v : index
  %v0, %v1 = cond_br %on, %v : index
`)
	var got []string
	for _, l := range FindLoops(fn).Loops {
		got = append(got, fmt.Sprintf("%s in %d, depth %d, line %d", l.Name, l.Parent, l.Depth, l.Pos.Line))
	}
	want := []string{"i in -1, depth 0, line 3", "j in 0, depth 1, line 8", "w in 0, depth 1, line 11", "v in -1, depth 0, line 15"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDeterministic: the same graph gives the same path every time.
func TestDeterministic(t *testing.T) {
	fn := parse(t, counted+`  %a = dataflow.carry %more, %x, %t : i1, i32, i32 -> i32
  %b = dataflow.carry %more, %x, %u : i1, i32, i32 -> i32
  %a0, %a1 = cond_br %more, %a : i32
  %b0, %b1 = cond_br %more, %b : i32
  %t = arith.addi %a0, %a0 : i32
  %u = arith.addi %b0, %b0 : i32
`)
	first := Bounds(fn, FindLoops(fn), Graph(latency.Model{}), nil)[0].PathString()
	for range 20 {
		if got := Bounds(fn, FindLoops(fn), Graph(latency.Model{}), nil)[0].PathString(); got != first {
			t.Fatalf("%s, then %s", first, got)
		}
	}
}
