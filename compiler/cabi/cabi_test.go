package cabi

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

func TestRoundTrip(t *testing.T) {
	want := &Function{
		Name: "ns::dot<int, 4>", Symbol: "_ZN2ns3dotIiLi4EEEvPT_", Source: "a b.cpp", Flags: []string{"-DN=4", "-std=c++20"}, Cxx: true, Approximate: true,
		Params: []Param{
			{Name: "a", Type: "struct pt *", Class: Pointer, Size: 8, Pieces: []Piece{{Index: 0, Field: "x", Stride: 8}, {Index: 1, Field: "y", Offset: 4, Stride: 8}}},
			{Name: "n", Type: "unsigned", Class: Scalar, Size: 4, Unsigned: true, Pieces: []Piece{{Index: 2}}},
			{Name: "unused", Type: "int", Class: Scalar, Size: 4},
		},
		Result: &Param{Type: "int", Class: Scalar, Size: 4, Pieces: []Piece{{}}},
	}
	fn := ir.NewOp("func.func", diag.Pos{}, nil, nil)
	Set(fn, want)
	got, ok := Of(fn)
	if !ok {
		t.Fatalf("cannot be read: %s", fn.Attr(Attribute))
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	Set(fn, nil)
	if _, ok := Of(fn); ok {
		t.Error("found after removal")
	}
	for _, bad := range []ir.Attr{ir.StrAttr("x"), &ir.DictAttr{Entries: ir.NamedAttrs{{Name: "params", Value: ir.StrAttr("x")}}}} {
		fn.SetAttr(Attribute, bad)
		if _, ok := Of(fn); ok {
			t.Errorf("accepted %s", bad)
		}
	}
}
