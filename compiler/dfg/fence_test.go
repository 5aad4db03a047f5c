package dfg

import (
	"strings"
	"testing"
)

// fenced stores to two memories in a loop with a fence between, and loads from a third one
// before the loop.
const fenced = `handshake.func @f(%a: memref<8xi32>, %b: memref<8xi32>, %c: memref<8xi32>, %n: index, %start: none, ...) -> (i32, none) {
  %zero = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %raw_i, %raw = dataflow.stream %zero, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %raw_i, %raw : index, i1 -> index, i1
  %body = dataflow.invariant %next, %start : i1, none -> none
  %v = constant %body {value = 5 : i32} : i32
  %r, %ca = load [%zero] %m#0, %start : index, i32
  %m:2 = extmemory[ld = 1, st = 0] (%c : memref<8xi32>) (%ca) {id = 2 : i32} : (index) -> (i32, none)
  %ad, %aa = store [%i] %v, %ta : index, i32
  %ax = extmemory[ld = 0, st = 1] (%a : memref<8xi32>) (%ad, %aa) {id = 0 : i32} : (i32, index) -> none
  %bd, %ba = store [%i] %v, %fence : index, i32
  %bx = extmemory[ld = 0, st = 1] (%b : memref<8xi32>) (%bd, %ba) {id = 1 : i32} : (i32, index) -> none
  %ta = dataflow.carry %next, %start, %fence1 : i1, none, none -> none
  %tb = dataflow.carry %next, %start, %bx1 : i1, none, none -> none
  %tc = dataflow.carry %next, %m#1, %fence1 : i1, none, none -> none
  %fence = join %ax, %tb, %tc {loom.fence} : none, none, none
  %fence1, %fence2 = cond_br %next, %fence : none
  %bx1, %bx2 = cond_br %next, %bx : none
  %done = join %fence2, %bx2, %m#1 : none, none, none
  return %r, %done : i32, none
}
`

// TestFence: every access is before or after every fence, in the iteration and between
// iterations, and the fence alone may let memories wait for each other. The attributes stand where they mean something.
func TestFence(t *testing.T) {
	if errs := verify(parse(t, fenced)); len(errs.All) > 0 {
		t.Fatalf("%v", errs)
	}
	for _, c := range []struct{ what, old, new, want string }{
		{"one memory less at the fence", "join %ax, %tb, %tc {loom.fence} : none, none, none", "join %tb, %tc {loom.fence} : none, none\n  %ax1, %ax2 = cond_br %next, %ax : none",
			"'handshake.store' is neither before nor after a fence"},
		{"a memory outside of the loop", "join %ax, %tb, %tc {loom.fence} : none, none, none", "join %ax, %tb {loom.fence} : none, none",
			"'handshake.load' is neither before nor after a fence"},
		{"an access that does not wait", "store [%i] %v, %fence :", "store [%i] %v, %tb :", "'handshake.store' is neither before nor after a fence"},
		{"iterations before the fence", "%ta = dataflow.carry %next, %start, %fence1 : i1, none, none -> none", "%ta = dataflow.invariant %next, %start : i1, none -> none",
			"'handshake.store' is not ordered with a fence in another iteration of a loop"},
		{"iterations after the fence", "%tb = dataflow.carry %next, %start, %bx1 : i1, none, none -> none", "%tb = dataflow.invariant %next, %start : i1, none -> none",
			"'handshake.store' is not ordered with a fence in another iteration of a loop"},
		{"no fence", " {loom.fence}", "", "warning: 'handshake.store' waits for an access of another memory"},
		{"a fence of two joins", "%fence = join %ax, %tb, %tc {loom.fence} : none, none, none", "%part = join %ax, %tb : none, none\n  %fence = join %part, %tc {loom.fence} : none, none", ""},
		{"another operation", "cond_br %next, %bx : none", "cond_br %next, %bx {loom.fence} : none", "loom.fence is a unit attribute of handshake.join"},
		{"overtaken loads of no memory", "join %ax, %tb, %tc {loom.fence}", "join %ax, %tb, %tc {loom.fence, loom.overtaken}", "loom.overtaken is a unit attribute of handshake.extmemory and handshake.memory"},
		{"overtaken loads with a number", "{id = 2 : i32}", "{id = 2 : i32, loom.overtaken = 1 : i32}", "loom.overtaken is a unit attribute"},
		{"overtaken loads", "{id = 2 : i32}", "{id = 2 : i32, loom.overtaken}", ""},
		{"another attribute", "{loom.fence}", "{loom.fence = 1 : i32}", "loom.fence is a unit attribute of handshake.join"},
	} {
		if !strings.Contains(fenced, c.old) {
			t.Fatalf("%s: no %q in the graph", c.what, c.old)
		}
		src := strings.Replace(fenced, c.old, c.new, 1)
		// What the fence does not wait for, the return does.
		if strings.Contains(src, "%ax2") {
			src = strings.Replace(src, "%m#1 : none,", "%m#1, %ax2 : none, none,", 1)
		}
		errs := verify(parse(t, src))
		if c.want == "" {
			if len(errs.All) > 0 {
				t.Errorf("%s: %v", c.what, errs)
			}
		} else if !strings.Contains(errs.Error(), c.want) {
			t.Errorf("%s: no %q in:\n%s", c.what, c.want, errs.Error())
		}
	}
}
