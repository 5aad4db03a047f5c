package dfg

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/tools/toolstest"
)

// good is a graph with everything in it: r = sum of a[i] over i in [0, n), and
// b[i] = a[i] where a[i] > 0, guarded against n = 0.
const good = `handshake.func @f(%a: memref<?xi32>, %b: memref<?xi32>, %n: index, %start: none, ...) -> (i32, none) attributes {argNames = ["a", "b", "n", "start"], resNames = ["out0", "done"]} {
  %z = constant %start {value = 0 : index} : index
  %runs = arith.cmpi slt, %z, %n : index
  %go, %skip = cond_br %runs, %start : none
  %n1, %n2 = cond_br %runs, %n : index
  %lb = constant %go {value = 0 : index} : index
  %one = constant %go {value = 1 : index} : index
  %init = constant %go {value = 0 : i32} : i32
  %raw_i, %raw = dataflow.stream %lb, %one, %n1 {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %raw_i, %raw : index, i1 -> index, i1
  %sum = dataflow.carry %raw, %init, %sum1 : i1, i32, i32 -> i32
  %in, %out = cond_br %raw, %sum : i32
  %body = dataflow.invariant %next, %go : i1, none -> none
  %ta = dataflow.carry %next, %go, %ta1 : i1, none, none -> none
  %x, %xa = load [%i] %m#0, %ta : index, i32
  %sum1 = arith.addi %in, %x : i32
  %ta1, %ta2 = cond_br %next, %m#1 : none
  %zero = constant %body {value = 0 : i32} : i32
  %pos = arith.cmpi sgt, %x, %zero : i32
  %tb = dataflow.carry %next, %go, %tb1 : i1, none, none -> none
  %then, %else = cond_br %pos, %tb : none
  %ip, %in2 = cond_br %pos, %i : index
  %xp, %xn = cond_br %pos, %x : i32
  %d, %da = store [%ip] %xp, %then : index, i32
  %merged = mux %pos [%else, %done] : i1, none
  %tb1, %tb2 = cond_br %next, %merged : none
  %m:2 = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%xa) {id = 0 : i32} : (index) -> (i32, none)
  %done = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%d, %da) {id = 1 : i32} : (i32, index) -> none
  %both = join %ta2, %tb2 : none, none
  %end = mux %runs [%skip, %both] : i1, none
  %none = constant %skip {value = 0 : i32} : i32
  %r = mux %runs [%none, %out] : i1, i32
  return %r, %end : i32, none
}
`

func parse(t *testing.T, src string) *ir.Operation {
	t.Helper()
	m, err := mlir.Parse("g", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return m.Regions[0].Entry().Ops[0]
}

func verify(fn *ir.Operation) *diag.List {
	errs := &diag.List{}
	Verify(fn, errs)
	return errs
}

// TestGood: the graph above is right.
func TestGood(t *testing.T) {
	if errs := verify(parse(t, good)); len(errs.All) > 0 {
		t.Errorf("%v", errs)
	}
}

// TestBad breaks one invariant at a time by an edit of the text and expects the
// finding at the edited position.
func TestBad(t *testing.T) {
	for _, c := range []struct{ name, old, new, want string }{
		{"raw control of an access", "%ta = dataflow.carry %next,", "%ta = dataflow.carry %raw,",
			"g:14:9: error: memory control is carried by the raw condition of a stream"},
		{"raw control of a live-in", "%body = dataflow.invariant %next,", "%body = dataflow.invariant %raw,",
			"g:13:11: error: this invariant repeats by the raw condition of a stream"},
		{"gated control of an iter_arg", "%sum = dataflow.carry %raw,", "%sum = dataflow.carry %next,",
			"g:11:10: error: a loop-carried value is carried by the gated condition"},
		{"gated split of an iter_arg", "%in, %out = cond_br %raw,", "%in, %out = cond_br %next,",
			"g:12:15: error: the token counts at 'handshake.cond_br' do not agree"},
		{"raw split of the memory control", "%ta1, %ta2 = cond_br %next,", "%ta1, %ta2 = cond_br %raw,",
			"the token counts at"},
		{"raw induction variable", "load [%i]", "load [%raw_i]", "(N+1) where one token per iteration"},
		{"gate of a gated condition", "%i, %next = dataflow.gate %raw_i, %raw", "%q, %next0 = dataflow.gate %raw_i, %raw : index, i1 -> index, i1\n  %i, %next = dataflow.gate %raw_i, %next0",
			"condition that is gated already"},
		{"live-in of a loop", "%zero = constant %body", "%zero = constant %go", "the token counts at"},
		{"live-in of a branch", "store [%ip]", "store [%i]", "one token where the condition at"},
		{"wrong side of a branch", "%then : index, i32", "%else : index, i32", "the token counts at"},
		{"merge with its inputs exchanged", "mux %pos [%else, %done]", "mux %pos [%done, %else]", "the token counts at"},
		{"result from the body", "mux %runs [%none, %out]", "mux %runs [%none, %in]", "the token counts at"},
		{"constant carried into a branch", "%init = constant %go", "%init = constant %start", "the token counts at"},
		{"done token unused", "%tb1, %tb2 = cond_br %next, %merged", "%tb1, %tb2 = cond_br %next, %tb",
			"the return does not wait for the done token of store port 0"},
		{"return misses a group", "%both = join %ta2, %tb2 : none, none", "%both = join %tb2 : none",
			"g:27:10: error: the return does not wait for the done token of load port 0"},
		{"done token without consumer", "cond_br %next, %m#1", "cond_br %next, %ta", "the done token of load port 0 of 'handshake.extmemory' has no consumer"},
		{"data from elsewhere", "load [%i] %m#0,", "load [%i] %in,", "does not come from the memory port"},
		{"memory data used directly", "arith.addi %in, %x : i32", "arith.addi %in, %m#0 : i32", "takes data from a memory port that belongs to a handshake.load"},
		{"address used elsewhere", "%ip, %in2 = cond_br %pos, %i :", "%ip, %in2 = cond_br %pos, %xa :", "reads what 'handshake.load' sends to memory"},
		{"ports mixed up", "(%d, %da) {id = 1", "(%xp, %da) {id = 1", "store port 0 of 'handshake.extmemory' is not fed by the data and address of one handshake.store"},
		{"two interfaces", "%both = join", "%m3:2 = extmemory[ld = 1, st = 0] (%a : memref<?xi32>) (%xa) {id = 2 : i32} : (index) -> (i32, none)\n  %both = join", "memory %a has two interfaces"},
		{"same id", "{id = 1 :", "{id = 0 :", "memory id 0 is used twice"},
		{"no memory", "(%xa) {id = 0", "(%raw_i) {id = 0", "load port 0 of 'handshake.extmemory' is not fed by the address of a handshake.load"},
		{"memref operation left", "%both = join", "%mr = memref.load %a[%i] : memref<?xi32>\n  %both = join", "'memref.load' must not be left in a dataflow graph"},
		{"scf left", "%both = join", "scf.if %runs {\n scf.yield\n }\n  %both = join", "'scf.if' has regions; a dataflow graph is flat"},
		{"constant without trigger", "%both = join", "%k = arith.constant 1 : i32\n  %both = join", "'arith.constant' must not be left"},
		{"operation of index left", "%both = join", "%k = index.add %i, %i\n  %both = join", "'index.add' must not be left"},
		{"sink", "%both = join", "sink %in2 : index\n  %both = join", "'handshake.sink' must not be left"},
		{"wide join", "attributes {argNames", "attributes {loom.adg_max_join_fanin = 1 : i64, argNames", "'handshake.join' has 2 inputs, the limit is 1"},
		{"names", `resNames = ["out0", "done"]`, `resNames = ["done", "done"]`, `has the name "done" twice`},
		{"unknown step operator", `step_op = "+="`, `step_op = "%="`, `has step_op = "%="`},
	} {
		if !strings.Contains(good, c.old) {
			t.Fatalf("%s: no %q in the graph", c.name, c.old)
		}
		errs := verify(parse(t, strings.Replace(good, c.old, c.new, 1)))
		if !strings.Contains(errs.Error(), c.want) {
			t.Errorf("%s: no %q in:\n%s", c.name, c.want, errs.Error())
		}
	}
}

// TestOrdering: accesses of one memory that race are errors, unless no store is among them,
// they exclude each other, or the graph states that iterations are independent.
func TestOrdering(t *testing.T) {
	const straight = `handshake.func @f(%a: memref<?xi32>, %i: index, %k: index, %v: i32, %c: i1, %start: none, ...) -> (i32, none) attributes {argNames = ["a", "i", "k", "v", "c", "start"], resNames = ["out0", "done"]} {
  %d, %da = store [%i] %v, %start : index, i32
  %x, %xa = load [%k] %m#0, %start : index, i32
  %m:3 = extmemory[ld = 1, st = 1] (%a : memref<?xi32>) (%d, %da, %xa) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %both = join %m#1, %m#2 : none, none
  return %x, %both : i32, none
}
`
	const branch = `handshake.func @f(%a: memref<?xi32>, %i: index, %v: i32, %c: i1, %start: none, ...) -> none attributes {argNames = ["a", "i", "v", "c", "start"], resNames = ["done"]} {
  %then, %else = cond_br %c, %start : none
  %i1, %i2 = cond_br %c, %i : index
  %v1, %v2 = cond_br %c, %v : i32
  %d, %da = store [%i1] %v1, %then : index, i32
  %x, %xa = load [%i2] %m#0, %else : index, i32
  %m:3 = extmemory[ld = 1, st = 1] (%a : memref<?xi32>) (%d, %da, %xa) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %both = mux %c [%m#2, %m#1] : i1, none
  return %both : none
}
`
	// a[i] = a[i] + a[i], once per iteration, with its token carried around.
	const loop = `handshake.func @f(%a: memref<?xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["a", "n", "start"], resNames = ["done"]} {
  %z = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %raw_i, %raw = dataflow.stream %z, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %raw_i, %raw : index, i1 -> index, i1
  %t = dataflow.carry %next, %start, %again : i1, none, none -> none
  %x, %xa = load [%i] %m#0, %t : index, i32
  %y = arith.addi %x, %x : i32
  %d, %da = store [%i] %y, %m#2 : index, i32
  %m:3 = extmemory[ld = 1, st = 1] (%a : memref<?xi32>) (%d, %da, %xa) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %again, %exit = cond_br %next, %m#1 : none
  return %exit : none
}
`
	// A circle through the inner loop is none through the outer one.
	const nest = `handshake.func @f(%a: memref<?xi32>, %n: index, %start: none, ...) -> none attributes {argNames = ["a", "n", "start"], resNames = ["done"]} {
  %z = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %raw_k, %raw_o = dataflow.stream %z, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %k, %next_o = dataflow.gate %raw_k, %raw_o : index, i1 -> index, i1
  %to = dataflow.carry %next_o, %start, %again_o : i1, none, none -> none
  %co = dataflow.invariant %next_o, %start : i1, none -> none
  %zi = constant %co {value = 0 : index} : index
  %onei = constant %co {value = 1 : index} : index
  %ni = dataflow.invariant %next_o, %n : i1, index -> index
  %raw_i, %raw = dataflow.stream %zi, %onei, %ni {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %raw_i, %raw : index, i1 -> index, i1
  %t = dataflow.carry %next, %to, %again : i1, none, none -> none
  %x, %xa = load [%i] %m#0, %t : index, i32
  %y = arith.addi %x, %x : i32
  %d, %da = store [%i] %y, %m#2 : index, i32
  %m:3 = extmemory[ld = 1, st = 1] (%a : memref<?xi32>) (%d, %da, %xa) {id = 0 : i32} : (i32, index, index) -> (i32, none, none)
  %again, %exit = cond_br %next, %m#1 : none
  %again_o, %exit_o = cond_br %next_o, %exit : none
  return %exit_o : none
}
`
	const free = `cont_cond = "<", loom.independent = array<i64: 0>}`
	edit := func(s string, pairs ...string) string {
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(s, pairs[i]) {
				t.Fatalf("no %q in\n%s", pairs[i], s)
			}
			s = strings.Replace(s, pairs[i], pairs[i+1], 1)
		}
		return s
	}
	uncarried := []string{"%t = dataflow.carry %next, %start, %again : i1, none, none -> none", "%t = dataflow.invariant %next, %start : i1, none -> none"}
	unnested := []string{"%to = dataflow.carry %next_o, %start, %again_o : i1, none, none -> none", "%to = dataflow.invariant %next_o, %start : i1, none -> none"}
	const race, between = "and another access of the same memory are not ordered", "in another iteration of a loop"
	for _, c := range []struct{ name, src, want string }{
		{"side by side", straight, "g:3:13: error: 'handshake.load' " + race},
		{"by the done token", edit(straight, "load [%k] %m#0, %start", "load [%k] %m#0, %m#1"), ""},
		{"by the data", edit(straight, "store [%i] %v", "store [%i] %x"), ""},
		{"two loads", edit(straight, "store [%i] %v, %start : index, i32", "load [%i] %m#0, %start : index, i32",
			"%m:3", "%m:4", "ld = 1, st = 1", "ld = 2, st = 0", "(%d, %da, %xa)", "(%da, %xa)", "(i32, index, index) -> (i32,", "(index, index) -> (i32, i32,",
			"load [%k] %m#0", "load [%k] %m#1", "join %m#1, %m#2", "join %m#2, %m#3"), ""},
		{"on two sides", branch, ""},
		{"on two sides in two iterations", edit(loop, "[%i] %m#0, %t", "[%i2] %m#0, %else", "%d, %da = store [%i] %y, %m#2",
			"%p = arith.cmpi eq, %i, %i : index\n  %then, %else = cond_br %p, %t : none\n  %i1, %i2 = cond_br %p, %i : index\n  %q = constant %then {value = 0 : i32} : i32\n  %d, %da = store [%i1] %q, %then",
			"cond_br %next, %m#1", "cond_br %next, %t9", "  return", "  %t9 = mux %p [%m#2, %m#1] : i1, none\n  return",
			uncarried[0], uncarried[1]), between},
		{"carried", loop, ""},
		{"not carried", edit(loop, uncarried...), "g:7:13: error: 'handshake.load' is not ordered with an access of the same memory in another iteration of a loop"},
		{"not carried, but independent", edit(loop, append(uncarried, `cont_cond = "<"}`, free)...), ""},
		{"independent iterations, unordered inside", edit(loop, append(uncarried, `cont_cond = "<"}`, free, "store [%i] %y, %m#2", "store [%i] %k, %c",
			"%y = arith", "%c = dataflow.invariant %next, %start : i1, none -> none\n  %k = constant %c {value = 0 : i32} : i32\n  %y = arith",
			"cond_br %next, %m#1", "cond_br %next, %j", "  return", "  %j = join %m#1, %m#2 : none, none\n  return")...), race},
		{"nested", nest, ""},
		{"carried by the inner loop only", edit(nest, unnested...), between},
		{"the inner loop's independence is not the outer's", edit(nest, append(unnested, `%ni {step_op = "+=", cont_cond = "<"}`, `%ni {step_op = "+=", `+free)...), between},
		{"the outer loop's independence", edit(nest, append(unnested, `cont_cond = "<"}`, free)...), ""},
		{"no such memory", edit(loop, `cont_cond = "<"}`, `cont_cond = "<", loom.independent = array<i64: 1>}`), "loom.independent names memory 1, which the graph does not have"},
		{"no list", edit(loop, `cont_cond = "<"}`, `cont_cond = "<", loom.independent}`), "loom.independent must be an array of memory ids"},
	} {
		errs := verify(parse(t, c.src))
		if got := errs.Error(); c.want == "" && len(errs.All) > 0 || !strings.Contains(got, c.want) {
			t.Errorf("%s: no %q in:\n%s", c.name, c.want, got)
		}
	}

	// Memories that may overlap are one.
	const two = `handshake.func @f(%a: memref<?xi32>, %b: memref<?xi32>, %i: index, %v: i32, %start: none, ...) -> (i32, none) attributes {argNames = ["a", "b", "i", "v", "start"], resNames = ["out0", "done"]} {
  %d, %da = store [%i] %v, %start : index, i32
  %x, %xa = load [%i] %mb#0, %start : index, i32
  %ma = extmemory[ld = 0, st = 1] (%a : memref<?xi32>) (%d, %da) {id = 0 : i32} : (i32, index) -> none
  %mb:2 = extmemory[ld = 1, st = 0] (%b : memref<?xi32>) (%xa) {id = 1 : i32} : (index) -> (i32, none)
  %both = join %ma, %mb#1 : none, none
  return %x, %both : i32, none
}
`
	if errs := verify(parse(t, two)); len(errs.All) > 0 {
		t.Error(errs)
	}
	aliased := strings.Replace(two, "attributes {", "attributes {loom.may_alias = [array<i64: 0, 1>], ", 1)
	if errs := verify(parse(t, aliased)); !strings.Contains(errs.Error(), race) {
		t.Errorf("memories that may overlap: %v", errs)
	}
}

// TestJoinOfMemories: in a loop, tokens of different memories are not joined; around all
// loops, and where the memories may overlap, they may be.
func TestJoinOfMemories(t *testing.T) {
	inLoop := strings.NewReplacer(
		"%tb1, %tb2 = cond_br %next, %merged : none", "%two = join %merged, %m#1 : none, none\n  %tb1, %tb2 = cond_br %next, %two : none",
	).Replace(good)
	if errs := verify(parse(t, inLoop)); errs.HasErrors() || !strings.Contains(errs.Error(), "warning: this join lets the iterations of a loop wait for accesses of two memories") {
		t.Errorf("%v", errs)
	}
	overlap := strings.Replace(inLoop, "attributes {", "attributes {loom.may_alias = [array<i64: 0, 1>], ", 1)
	if errs := verify(parse(t, overlap)); strings.Contains(errs.Error(), "this join lets") {
		t.Errorf("%v", errs)
	}
}

// TestUnusualMerge: a merge by a condition that may be equal to the one that
// branched cannot be proven and is a warning, no error.
func TestUnusualMerge(t *testing.T) {
	src := strings.Replace(good, "%r = mux %runs [", "%runs2 = arith.cmpi slt, %z, %n : index\n  %r = mux %runs2 [", 1)
	errs := verify(parse(t, src))
	if errs.HasErrors() || len(errs.All) == 0 {
		t.Errorf("got %v", errs)
	}
}

// TestUnconnected: placeholders that a lowering forgot to fill.
func TestUnconnected(t *testing.T) {
	fn := parse(t, good)
	for _, op := range fn.Regions[0].Entry().Ops {
		if op.Name == "handshake.store" {
			op.SetOperand(2, nil)
		}
	}
	if errs := verify(fn); !strings.Contains(errs.Error(), "g:24:13: error: 'handshake.store' has no value at the control") {
		t.Errorf("got %v", errs)
	}
}

// TestWhile: the raw condition of a while is no stream; its invariants and
// carries are right with it, and its body must not use them unsplit.
func TestWhile(t *testing.T) {
	const while = `handshake.func @gcd(%a: i32, %b: i32, %start: none, ...) -> (i32, none) {
  %x = dataflow.carry %more, %a, %y1 : i1, i32, i32 -> i32
  %y = dataflow.carry %more, %b, %rest : i1, i32, i32 -> i32
  %c = dataflow.invariant %more, %start : i1, none -> none
  %zero = constant %c {value = 0 : i32} : i32
  %more = arith.cmpi ne, %y, %zero : i32
  %x1, %result = cond_br %more, %x : i32
  %y1, %y2 = cond_br %more, %y : i32
  %rest = arith.remui %x1, %y1 : i32
  return %result, %start : i32, none
}
`
	if errs := verify(parse(t, while)); len(errs.All) > 0 {
		t.Errorf("%v", errs)
	}
	for _, c := range [][2]string{
		{"remui %x1, %y1", "remui %x, %y1"},
		{"return %result", "return %x1"},
		{"carry %more, %a, %y1", "carry %more, %a, %y"},
	} {
		errs := verify(parse(t, strings.Replace(while, c[0], c[1], 1)))
		if !strings.Contains(errs.Error(), "the token counts at") {
			t.Errorf("%q passed: %v", c[1], errs)
		}
	}
}

func TestStats(t *testing.T) {
	s := Stats(parse(t, good))
	s.ByKind = s.ByKind[:3]
	want := Statistics{Operations: 31, Channels: 66, Loads: 1, Stores: 1, Memories: 2, ByKind: []OpCount{
		{"arith.addi", 1}, {"arith.cmpi", 2}, {"dataflow.carry", 3},
	}}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	s.Loads = 2
	if got, _, _ := strings.Cut(s.String(), "\n"); got != "31 operations, 66 channels, 2 memories (2 loads, 1 store)" {
		t.Errorf("the counts read %q", got)
	}
}

// TestDot: Graphviz reads the drawing, and it has every operation and channel.
func TestDot(t *testing.T) {
	fn := parse(t, good)
	text := Dot(fn)
	ops := len(fn.Regions[0].Entry().Ops)
	if got := strings.Count(text, "\n  n") - strings.Count(text, "\n  n0 ->"); got < ops {
		t.Errorf("%d lines for %d operations", got, ops)
	}
	if !strings.Contains(text, `label="dataflow.stream += <\n%raw_i\nline 9"`) || !strings.Contains(text, "style=dashed") {
		t.Errorf("unexpected drawing:\n%s", text)
	}
	dot := toolstest.Path(t, "dot")
	cmd := exec.Command(dot, "-Tplain")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("dot: %v\n%s", err, out)
	}
}
