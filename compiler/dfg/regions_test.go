package dfg

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/internal/tools/toolstest"
)

// nested is a while inside the then branch inside a counted loop.
const nested = `handshake.func @f(%n: index, %x: i32, %start: none, ...) -> (i32, none) {
  %lb = constant %start {value = 0 : index} : index
  %one = constant %start {value = 1 : index} : index
  %raw_i, %raw = dataflow.stream %lb, %one, %n {step_op = "+=", cont_cond = "<"} : (index, index, index) -> (index, i1)
  %i, %next = dataflow.gate %raw_i, %raw : index, i1 -> index, i1
  %acc = dataflow.carry %raw, %x, %merged : i1, i32, i32 -> i32
  %in, %out = cond_br %raw, %acc : i32
  %body = dataflow.invariant %next, %start : i1, none -> none
  %zero = constant %body {value = 0 : i32} : i32
  %pos = arith.cmpi sgt, %in, %zero : i32
  %go, %skip = cond_br %pos, %body : none
  %v, %w = cond_br %pos, %in : i32
  %y = dataflow.carry %more, %v, %less : i1, i32, i32 -> i32
  %test = dataflow.invariant %more, %go : i1, none -> none
  %limit = constant %test {value = 9 : i32} : i32
  %more = arith.cmpi sgt, %y, %limit : i32
  %again, %end = cond_br %more, %y : i32
  %tick, %last = cond_br %more, %test : none
  %dec = constant %tick {value = 1 : i32} : i32
  %less = arith.subi %again, %dec : i32
  %other = constant %skip {value = 5 : i32} : i32
  %sum = arith.addi %w, %other : i32
  %merged = mux %pos [%sum, %end] : i1, i32
  return %out, %start : i32, none
}
`

// TestRegions: a flat graph is seen as the nest it came from.
func TestRegions(t *testing.T) {
	fn := parse(t, nested)
	if errs := verify(fn); len(errs.All) > 0 {
		t.Fatal(errs)
	}
	_, byOp := Regions(fn)
	got := map[string]string{}
	for _, op := range fn.Regions[0].Entry().Ops {
		var path []string
		for r := byOp[op]; r != nil; r = r.Parent {
			path = append([]string{string(r.Kind)}, path...)
		}
		name := "return"
		if op.NumResults() > 0 {
			name = op.Result(0).Name
		}
		got[name] = strings.Join(path, "/")
	}
	want := map[string]string{
		"lb": "function", "one": "function", "return": "function",
		"raw_i": "function/for", "i": "function/for", "acc": "function/for", "in": "function/for",
		"body": "function/for", "zero": "function/for", "pos": "function/for", "go": "function/for",
		"v": "function/for", "merged": "function/for",
		"y": "function/for/then/while", "test": "function/for/then/while", "limit": "function/for/then/while",
		"more": "function/for/then/while", "again": "function/for/then/while", "tick": "function/for/then/while",
		"dec": "function/for/then/while/while body", "less": "function/for/then/while/while body",
		"other": "function/for/else", "sum": "function/for/else",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDrawing: clusters nest as the regions do, and Graphviz reads them.
func TestDrawing(t *testing.T) {
	text := Dot(parse(t, nested))
	depth, deepest := 0, 0
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "subgraph") {
			depth++
		}
		if strings.TrimSpace(line) == "}" {
			depth--
		}
		deepest = max(deepest, depth)
	}
	if deepest != 4 {
		t.Errorf("clusters nest %d deep, want 4:\n%s", deepest, text)
	}
	dot := toolstest.Path(t, "dot")
	cmd := exec.Command(dot, "-Tplain")
	cmd.Stdin = strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestRoles: what an operation is for follows from how it is connected.
func TestRoles(t *testing.T) {
	fn := parse(t, nested)
	got := map[string]string{}
	for _, op := range fn.Regions[0].Entry().Ops {
		if op.NumResults() > 0 {
			got[op.Result(0).Name] = Role(op)
		}
	}
	for name, want := range map[string]string{
		"raw_i": "counted loop: index and raw condition", "i": "counted loop: induction variable",
		"acc": "loop-carried value", "in": "boundary of a counted loop", "body": "control of a loop body: repeated by the gated",
		"go": "branch: control", "v": "branch: live-in", "test": "control of a before-region: repeated by the raw",
		"again": "boundary of a while", "merged": "end of a branch: the value", "pos": "computation",
	} {
		if !strings.HasPrefix(got[name], want) {
			t.Errorf("%%%s: %q, want %q", name, got[name], want)
		}
	}
}
