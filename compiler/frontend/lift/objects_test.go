package lift_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// TestObjectsBeside: of local objects whose arrays stay in memory nothing else does. What is counted are loads and stores of local memory that have a subscript that
// changes, and one that does not.
func TestObjectsBeside(t *testing.T) {
	t.Parallel()
	l := lowerSource(t, "testdata/objects.cpp", "2")
	got := map[string][2]int{}
	want := map[string][2]int{
		"window":    {3, 0},
		"straddles": {2, 8},
		"masked":    {2, 4},
		"filled":    {1, 2},
		"through":   {3, 2},
		"decays":    {2, 0},
		"outer":     {19, 0},
		"rowwise":   {3, 0},
		"rows":      {2, 0},
		"twice":     {7, 32},
		"stats":     {4, 0},
		"queue":     {2, 0},
		"fir":       {3, 0},
		"bytes":     {3, 0},
	}
	for name := range want {
		module, err := l.lift(name, lift.Options{}, &diag.List{})
		if err != nil {
			t.Fatal(err)
		}
		var n [2]int
		module.Walk(func(op *ir.Operation) bool {
			at := 0
			switch op.Name {
			case opname.MemRefLoad:
			case opname.MemRefStore:
				at = 1
			default:
				return true
			}
			if def := op.Operand(at).Def; def == nil || def.Name != opname.MemRefAlloca {
				return true
			}
			if op.Operand(at + 1).IsConstant() {
				n[1]++
			} else {
				n[0]++
			}
			return true
		})
		got[name] = n
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
