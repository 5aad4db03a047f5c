package lift_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/cabi"
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

// TestObjectsOfCallers: an object of the caller is an array for each array in it with subscripts that change, and for each number beside these.
func TestObjectsOfCallers(t *testing.T) {
	t.Parallel()
	l := lowerSource(t, "testdata/objects.cpp", "2")
	for name, want := range map[string]string{
		"state":    "pos memref<1xi32> 40+0, z memref<8xi32> 4+4, gain memref<1xi16> 40+36",
		"put":      "buf memref<64xi8> 1+0, head memref<1xi32> 76+64, tail memref<1xi32> 76+68, dropped memref<1xi32> 76+72",
		"rowsof":   "rows memref<16xf32> 4+0, scale memref<1xf32> 68+64",
		"nest":     "in memref<24xi16> 2+0, last.n memref<1xi32> 68+48, last.s memref<6xi16> 2+52, n memref<1xi32> 68+64",
		"second":   "memref<?xi32> 4+0",
		"any":      "memref<?xi32> 4+0",
		"straight": "a memref<4xi32> 4+0, b[0] memref<1xi32> 40+20, b[1] memref<1xi32> 40+24, behind memref<1xi32> 40+36",
		"whole":    "memref<?xi32> 4+0",
		"bytewise": "buf memref<64xi8> 1+0, dropped memref<1xi32> 76+72",
		"together": "buf memref<64xi8> 1+0, head memref<1xi32> 76+64, tail memref<1xi32> 76+68",
		"message":  "memref<?xi32> 4+0",
		"mixture":  "memref<?xi8> 1+0",
	} {
		module, err := l.lift(name, lift.Options{}, &diag.List{})
		if err != nil {
			t.Fatal(err)
		}
		fn := function(module)
		c, ok := cabi.Of(fn)
		if !ok {
			t.Fatalf("%s: the function is not described", name)
		}
		var got []string
		for _, q := range c.Params[0].Pieces {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s %d+%d", q.Field, fn.Regions[0].Entry().Args[q.Index].Type, q.Stride, q.Offset)))
		}
		if got := strings.Join(got, ", "); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
	}
}
