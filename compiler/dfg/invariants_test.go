package dfg

import (
	"strings"
	"testing"
)

// TestInvariants has a broken graph for each invariant that the source documents
// list, in their order and words.
func TestInvariants(t *testing.T) {
	for _, c := range []struct{ invariant, old, new, want string }{
		// spec-dataflow-compilation, "The following must always hold after lowering".
		{"dataflow.stream emits N + 1", "arith.addi %in, %x : i32", "arith.index_cast %raw_i : index to i32",
			"%sum1 carries one token per iteration of the loop at g:9:18 (N) where one token per test of the loop at g:9:18 (N+1) is needed"},
		{"dataflow.gate reduces before-region streams to N", "%ip, %in2 = cond_br %pos, %i :", "%ip, %in2 = cond_br %pos, %raw_i :",
			"%raw_i carries one token per test of the loop"},
		{"body-local invariants are N", "%zero = constant %body", "%head = dataflow.invariant %raw, %go : i1, none -> none\n  %zero = constant %head",
			"this invariant repeats by the raw condition of a stream"},
		{"iter_arg boundary carries are N + 1", "%sum = dataflow.carry %raw,", "%sum = dataflow.carry %next,",
			"a loop-carried value is carried by the gated condition"},
		{"loop-body memory control is N", "load [%i] %m#0, %ta", "load [%i] %m#0, %head", "%head carries one token per iteration of the loop at g:9:18 (N) where one token per test of the loop at g:9:18 (N+1) is needed"},
		{"body-local invariant.d uses after_cond", "%body = dataflow.invariant %next,", "%body = dataflow.invariant %raw,",
			"g:13:11: error: this invariant repeats by the raw condition"},
		{"loop-body memory-control carries use after_cond", "%tb = dataflow.carry %next,", "%tb = dataflow.carry %raw,",
			"g:20:9: error: memory control is carried by the raw condition"},
		{"any loop-body-only cond_br that represents body control uses after_cond", "%tb1, %tb2 = cond_br %next,", "%tb1, %tb2 = cond_br %raw,",
			"g:26:16: error: the token counts at 'handshake.cond_br' do not agree"},
		{"loop exit values come from the false branch of a boundary split", "mux %runs [%none, %out]", "mux %runs [%none, %in]",
			"%in carries one token per iteration of the loop at g:9:18 (N) where one token where the condition at g:3:11 holds is needed"},
		{"body-local consumers must never observe the extra terminal raw event", "arith.cmpi sgt, %x, %zero", "arith.cmpi sgt, %sum, %zero",
			"%zero carries one token per iteration of the loop at g:9:18 (N) where one token per test of the loop at g:9:18 (N+1) is needed"},
		// spec-dataflow-memory, "The following invariants are mandatory".
		{"every access receives exactly one done token", "%done = extmemory[ld = 0, st = 1] (%b : memref<?xi32>) (%d, %da) {id = 1 : i32} : (i32, index) -> none",
			"%done:2 = extmemory[ld = 0, st = 2] (%b : memref<?xi32>) (%d, %da, %d, %da) {id = 1 : i32} : (i32, index, i32, index) -> (none, none)",
			"'handshake.store' is connected to more than one memory port"},
		{"every load receives exactly one data-from-memory connection", "load [%i] %m#0,", "load [%i] %in,",
			"the data of this load does not come from the memory port its address goes to"},
		{"every access belongs to exactly one root-memref group", "(%d, %da) {id = 1 : i32} : (i32, index) -> none", "(%d, %da) {id = 1 : i32} : (i32, index) -> none\n  %done2 = memory[ld = 0, st = 1] (%d, %da) {id = 2 : i32, lsq = false} : memref<8xi32>, (i32, index) -> none",
			"'handshake.store' is connected to more than one memory port"},
		{"every access belongs to a root-memref group", "%both = join", "%lost, %lost2 = load [%lb] %init, %go : index, i32\n  %both = join",
			"'handshake.load' is connected to no memory"},
		{"different groups are independent ordering domains", "%then, %else = cond_br %pos, %tb", "%late = join %tb, %m#1 : none, none\n  %then, %else = cond_br %pos, %late",
			"warning: 'handshake.store' waits for an access of another memory"},
		{"the return control token must postdominate every done token", "%ta1, %ta2 = cond_br %next, %m#1", "%q1, %q2 = cond_br %pos, %m#1 : none\n  %q3 = mux %pos [%else, %q1] : i1, none\n  %ta1, %ta2 = cond_br %next, %q3",
			"the return does not always wait for the done token of load port 0 of 'handshake.extmemory': on one side of a branch it is dropped"},
		{"no access may remain without its done-token consumer path", "%both = join %ta2, %tb2 : none, none", "%both = join %ta2 : none",
			"the return does not wait for the done token of store port 0"},
		{"no access may remain without a consumer of its done token", "cond_br %next, %m#1", "cond_br %next, %ta",
			"the done token of load port 0 of 'handshake.extmemory' has no consumer"},
		// Beyond the lists: nothing may wait for itself.
		{"a cycle needs a carry", "arith.addi %in, %x : i32", "arith.addi %in, %sum1 : i32",
			"'arith.addi' waits for its own result: no operation on the cycle %sum1 emits a first token"},
		{"a cycle through memory needs a carry", "%ta = dataflow.carry %next, %go, %ta1 : i1, none, none -> none", "%ta = join %ta1 : none",
			"waits for its own result: no operation on the cycle"},
		{"a cycle of muxes is suspicious", "arith.cmpi sgt, %x, %zero : i32", "arith.cmpi sgt, %held, %zero : i32\n  %held = mux %p0 [%h2, %x1] : i1, i32\n  %h1, %h2 = cond_br %p0, %held : i32\n  %x1, %x2 = cond_br %p0, %x : i32\n  %p0 = arith.cmpi slt, %x, %zero : i32",
			"warning: 'handshake.mux' waits for its own result unless a mux takes its other input: %"},
	} {
		src := good
		if strings.Contains(c.new, "%head") && !strings.Contains(c.new, "%head =") {
			src = strings.Replace(src, "%zero = constant", "%head = dataflow.invariant %raw, %go : i1, none -> none\n  %zero = constant", 1)
		}
		if !strings.Contains(src, c.old) {
			t.Fatalf("%s: no %q in the graph", c.invariant, c.old)
		}
		errs := verify(parse(t, strings.Replace(src, c.old, c.new, 1)))
		if !strings.Contains(errs.Error(), c.want) {
			t.Errorf("%s: no %q in:\n%s", c.invariant, c.want, errs.Error())
		}
		if warning := strings.HasPrefix(c.want, "warning"); warning == errs.HasErrors() {
			t.Errorf("%s: errors %v", c.invariant, errs.HasErrors())
		}
	}
}

// TestOutside: what CIRCT's dialect has and graphs do not is refused with what to
// do instead.
func TestOutside(t *testing.T) {
	for op, help := range map[string]string{
		"%o:2 = fork [2] %in2 : index":               "a value may have any number of users",
		"%o:2 = lazy_fork [2] %in2 : index":          "a value may have any number of users",
		"sink %in2 : index":                          "leave the sink out",
		"%o = br %in2 : index":                       "use its operand instead of its result",
		"%o = buffer [2] seq %in2 : index":           "channels buffer as the hardware needs it",
		"%o = source":                                "fire constants by the control of their region",
		"%o = merge %in2 : index":                    "branches rejoin through handshake.mux",
		"%o, %which = control_merge %ta2 : none, i1": "branches rejoin through handshake.mux",
		"%o:2 = sync %in2, %xn : index, i32":         "handshake.join",
		"%o = arith.constant 1 : i32":                "fired by the control of its region",
		"%o = memref.load %a[%i] : memref<?xi32>":    "handshake.extmemory",
		"memref.store %x, %a[%i] : memref<?xi32>":    "handshake.extmemory",
		"%o:2 = instance @f(%a, %b, %n, %start) : (memref<?xi32>, memref<?xi32>, index, none) -> (i32, none)": "calls inlined",
	} {
		errs := verify(parse(t, strings.Replace(good, "%both = join", op+"\n  %both = join", 1)))
		if !strings.Contains(errs.Error(), "must not be left in a dataflow graph") && !strings.Contains(errs.Error(), "operands and") {
			t.Errorf("%s: %v", op, errs)
		}
		found := false
		for _, d := range errs.All {
			found = found || strings.Contains(d.Help, help)
		}
		if !found {
			t.Errorf("%s: no help %q in %v", op, help, errs)
		}
	}
	for op, help := range outside {
		if help == "" || Allowed(op) {
			t.Errorf("%s: help %q for an allowed operation", op, help)
		}
	}
}

// TestWhileGate: the body of a while may take values through a gate of its raw
// condition, as the source's pseudo-code does; both kinds of condition are
// distinguished without a stream, also behind an operation.
func TestWhileGate(t *testing.T) {
	const while = `handshake.func @f(%a: i32, %b: i32, %k: i32, %start: none, ...) -> (i32, none) {
  %x = dataflow.carry %more, %a, %rest : i1, i32, i32 -> i32
  %y = dataflow.invariant %more, %b : i1, i32 -> i32
  %more = arith.cmpi sgt, %x, %y : i32
  %first, %after = dataflow.gate %x, %more : i32, i1 -> i32, i1
  %kk = dataflow.invariant %after, %k : i1, i32 -> i32
  %in, %out = cond_br %more, %x : i32
  %rest = arith.subi %in, %kk : i32
  return %out, %start : i32, none
}
`
	if errs := verify(parse(t, while)); len(errs.All) > 0 {
		t.Errorf("%v", errs)
	}
	for _, c := range [][2]string{
		{"dataflow.invariant %after, %k", "dataflow.invariant %more, %k"},   // raw in the body
		{"dataflow.invariant %more, %b", "dataflow.invariant %after, %b"},   // gated in the before-region
		{"dataflow.carry %more, %a", "dataflow.carry %after, %a"},           // gated at the boundary
		{"cond_br %more, %x", "cond_br %after, %x"},                         // gated split of the boundary
		{"subi %in, %kk", "subi %first, %y"},                                // a before-region value in the body
		{"return %out", "return %first"},                                    // a body value outside
		{"cond_br %more, %x", "cond_br %not, %x"},                           // a condition that is no loop's
		{"dataflow.invariant %after, %k", "dataflow.invariant %masked, %k"}, // … steering an invariant
	} {
		src := strings.Replace(while, c[0], c[1], 1)
		src = strings.Replace(src, "  return", "  %true = constant %start {value = true} : i1\n  %not = arith.cmpi sle, %x, %y : i32\n  %masked, %dropped = cond_br %after, %after : i1\n  return", 1)
		if errs := verify(parse(t, src)); !errs.HasErrors() {
			t.Errorf("%q passed: %v", c[1], errs)
		}
	}
}
