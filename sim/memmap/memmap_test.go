package memmap

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/sim/vector"
	"pgregory.net/rapid"
)

func mem(t ir.Type, data ...uint64) vector.Arg {
	m := &vector.Memory{Elem: t, Shape: []int64{int64(len(data))}, Data: data}
	return vector.Arg{Name: "m", Type: ir.MemRef([]int64{ir.Dynamic}, t), Mem: m}
}

func TestAssignLayout(t *testing.T) {
	in := &vector.Inputs{Args: []vector.Arg{
		mem(ir.I32, make([]uint64, 17)...), {Name: "n", Type: ir.I32}, mem(ir.I1), mem(ir.Index, 1, 2),
	}}
	got, err := Assign(in, &mapping.Binding{
		Args:   []mapping.ArgBinding{{}, {}, {}, {ROM: true}},
		Tables: []mapping.Table{{Name: "t", Elem: ir.Int(8), ElemBytes: 4, Data: []uint64{7, 8}}},
	}, 48)
	if err != nil {
		t.Fatal(err)
	}
	want := []Region{
		{Table: -1, Base: 0x10000, ElemBits: 32, ElemBytes: 4, Elements: 17, Data: make([]uint64, 17)},
		{Arg: 2, Table: -1, Base: 0x11080, ElemBits: 1, ElemBytes: 1},
		{Arg: 3, Table: -1, Constant: true, Base: 0x12080, ElemBits: 48, ElemBytes: 8, Elements: 2, Data: []uint64{1, 2}},
		{Arg: -1, Constant: true, Base: 0x130c0, ElemBits: 8, ElemBytes: 4, Elements: 2, Data: []uint64{7, 8}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Assign (-want +got):\n%s", d)
	}
	_, err = Assign(&vector.Inputs{Args: []vector.Arg{mem(ir.Int(65))}}, &mapping.Binding{}, 64)
	if err == nil || !strings.Contains(err.Error(), "i65") {
		t.Errorf("an element of 65 bits: %v", err)
	}
	_, err = Assign(&vector.Inputs{}, &mapping.Binding{Tables: []mapping.Table{{Name: "t", Elem: ir.I32, ElemBytes: 2}}}, 64)
	if err == nil || !strings.Contains(err.Error(), "'t'") {
		t.Errorf("elements of four bytes in two: %v", err)
	}
}

// Regions never touch, and contents survive the conversion to bytes and back.
func TestAssignProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := &vector.Inputs{}
		for range rapid.IntRange(0, 6).Draw(t, "args") {
			w := rapid.IntRange(1, 64).Draw(t, "width")
			data := rapid.SliceOfN(rapid.Uint64Max(^uint64(0)>>(64-w)), 0, 9).Draw(t, "data")
			in.Args = append(in.Args, mem(ir.Int(w), data...))
		}
		rs, err := Assign(in, &mapping.Binding{}, 64)
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range rs {
			m := in.Args[r.Arg].Mem
			if r.Base == 0 || r.Base%Align != 0 || i > 0 && r.Base < rs[i-1].Base+rs[i-1].Size()+Gap {
				t.Fatalf("region %d is badly placed: %+v", i, rs)
			}
			if d := cmp.Diff(append([]uint64{}, m.Data...), r.Elems(r.Bytes())); d != "" {
				t.Fatalf("contents changed:\n%s", d)
			}
			if end := r.Base + r.Size(); r.Contains(end, r.ElemBytes) || r.Contains(r.Base-1, 1) ||
				r.Elements > 0 && (!r.Contains(end-uint64(r.ElemBytes), r.ElemBytes) || r.Contains(end-1, 2)) {
				t.Fatalf("Contains is wrong at the edges of %+v", r)
			}
		}
	})
}
