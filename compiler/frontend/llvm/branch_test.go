package llvm

import (
	"fmt"
	"slices"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// TestSetTargets: a branch keeps its own operands, and the attributes and the successors agree on
// which of the others belong to whom.
func TestSetTargets(t *testing.T) {
	block := &ir.Block{}
	var v []*ir.Value
	for i := range 6 {
		v = append(v, block.AddArg(ir.I32, fmt.Sprint(i), diag.Pos{}))
	}
	for _, c := range []struct {
		name string
		own  int
		args [][]*ir.Value
		want map[string][]int64
	}{
		{opname.LLVMBr, 0, [][]*ir.Value{{v[1], v[2]}}, nil},
		{opname.LLVMCondBr, 1, [][]*ir.Value{{v[1], v[2], v[3]}, {v[1]}}, map[string][]int64{"operandSegmentSizes": {1, 3, 1}}},
		{opname.LLVMCondBr, 1, [][]*ir.Value{nil, nil}, map[string][]int64{"operandSegmentSizes": {1, 0, 0}}},
		{opname.LLVMSwitch, 1, [][]*ir.Value{{v[5]}, nil, {v[1], v[2]}}, map[string][]int64{"operandSegmentSizes": {1, 1, 2}, "case_operand_segments": {0, 2}}},
	} {
		br := ir.NewOp(c.name, diag.Pos{}, []*ir.Value{v[0], v[4], v[4]}[1-c.own:], nil)
		br.Succs = make([]ir.Successor, len(c.args))
		SetTargets(br, c.args)
		if c.own == 1 && br.Operand(0) != v[0] {
			t.Errorf("%s: its own operand is gone", c.name)
		}
		for i, want := range c.args {
			if got := br.Passed(i); !slices.Equal(got, want) {
				t.Errorf("%s: successor %d receives %v, want %v", c.name, i, got, want)
			}
		}
		for name, want := range c.want {
			if a, ok := br.Attr(name).(*ir.DenseArrayAttr); !ok || !slices.Equal(a.Values, want) {
				t.Errorf("%s: %s is %v, want %v", c.name, name, br.Attr(name), want)
			}
		}
	}
}
