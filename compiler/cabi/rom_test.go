package cabi_test

import (
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/ir"
)

// TestROM: positions of memref parameters, written and read, and every way to be wrong.
func TestROM(t *testing.T) {
	mem := ir.Type(ir.MemRef([]int64{ir.Dynamic}, ir.I32))
	params := []*ir.Value{{Type: ir.I32}, {Type: mem}, {Type: mem}}
	fn := ir.NewOp("func.func", params[0].Loc, nil, nil)
	cabi.SetROM(fn, []int{2})
	if got, err := cabi.ReadROM(fn, params); err != nil || got[0] || got[1] || !got[2] {
		t.Errorf("%v %v", got, err)
	}
	for _, c := range []struct {
		attr ir.Attr
		want string
	}{
		{&ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{3}}, "names parameter 3 of 3"},
		{&ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{-1}}, "names parameter -1 of 3"},
		{&ir.DenseArrayAttr{Elem: ir.I64, Values: []int64{0}}, "names parameter 0, which is no memref"},
		{ir.StrAttr("1"), "must be an array of parameter positions"},
	} {
		fn.SetAttr(cabi.ROM, c.attr)
		if _, err := cabi.ReadROM(fn, params); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.attr, err)
		}
	}
	cabi.SetROM(fn, nil)
	if got, err := cabi.ReadROM(fn, params); fn.Attr(cabi.ROM) != nil || err != nil || got[2] {
		t.Errorf("%v %v", got, err)
	}
}
