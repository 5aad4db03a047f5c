package llvm

import (
	"testing"

	"loom/compiler/ir"
)

// TestLayout compares sizes and offsets with those a C compiler uses.
func TestLayout(t *testing.T) {
	for _, c := range []struct {
		text        string
		size, align int64
		offsets     []int64
	}{
		{"i1", 1, 1, nil},
		{"i17", 4, 4, nil},
		{"f64", 8, 8, nil},
		{"vector<3xf32>", 16, 16, nil},
		{"!llvm.ptr", 8, 8, nil},
		{"!llvm.array<3 x array<2 x i16>>", 12, 2, nil},
		{`!llvm.struct<"struct.pt", (i8, i32, i8)>`, 12, 4, []int64{0, 4, 8}},
		{`!llvm.struct<packed (i8, i32, ptr)>`, 13, 1, []int64{0, 1, 5}},
		{`!llvm.struct<(i8, struct<"x", (i16, array<2 x f64>)>, ptr)>`, 40, 8, []int64{0, 8, 32}},
	} {
		ty, err := Parse(ir.Opaque(c.text))
		if err != nil {
			t.Error(err)
			continue
		}
		if ty.Size() != c.size || ty.Align() != c.align {
			t.Errorf("%s: size %d align %d, want %d and %d", c.text, ty.Size(), ty.Align(), c.size, c.align)
		}
		for i, want := range c.offsets {
			if got := ty.Offset(i); got != want {
				t.Errorf("%s: field %d at %d, want %d", c.text, i, got, want)
			}
		}
	}
	for _, bad := range []string{"!llvm.array<x i8>", "!llvm.struct<(i8", `!llvm.struct<"x`, "vector<[4]xf32>"} {
		if _, err := Parse(ir.Opaque(bad)); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestDebug(t *testing.T) {
	d := NewDebug(`#di_basic_type = #llvm.di_basic_type<tag = DW_TAG_base_type, name = "int, long", sizeInBits = 32, encoding = DW_ATE_signed>
#di_sub = #llvm.di_subroutine_type<types = #llvm.di_null_type, #di_basic_type, #di_p>
#di_p = #llvm.di_derived_type<tag = DW_TAG_pointer_type, baseType = #di_basic_type, sizeInBits = 64>
#di_var = #llvm.di_local_variable<scope = #di_x, name = "n", arg = 5, type = #di_p>
`)
	v := d.entry("#di_var")
	if v == nil || v.Kind != "local_variable" || v.Str("name") != "n" || v.Num("arg") != 5 || v.Ref("type").Tag() != "pointer_type" {
		t.Fatalf("variable: %+v", v)
	}
	if n := v.Ref("type").Ref("baseType"); n.Str("name") != "int, long" || n.Num("sizeInBits") != 32 {
		t.Errorf("basic type: %+v", n)
	}
	if refs := d.entry("#di_sub").Refs("types"); len(refs) != 3 || refs[0] == nil || refs[0].Kind != "null_type" || refs[2].Tag() != "pointer_type" {
		t.Errorf("types: %+v", refs)
	}
	if d.entry("#tbaa") != nil || v.Ref("nothing") != nil {
		t.Error("found what is not there")
	}
}
