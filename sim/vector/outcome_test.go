package vector

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

func sample() *Outcome {
	return &Outcome{
		Status: Done,
		Results: []Scalar{{Type: ir.I32, Bits: 0xffffffff}, {Type: ir.I1, Bits: 1}, {Type: ir.Index, Bits: 1<<64 - 1}, {Type: ir.F32, Bits: 0x3dcccccd},
			{Type: ir.F64, Bits: 0x7ff8000000000000}, {Type: ir.F32, Bits: 0xff800000}, {Type: ir.F16, Bits: 0x8000}, {Type: ir.I64, Bits: 1 << 63}},
		Memories: []*Memory{
			{Name: "y", Elem: ir.I8, Shape: []int64{3}, Data: []uint64{1, 0xff, 3}},
			{Name: "b", Elem: ir.I8, Shape: []int64{2, 2}, Data: []uint64{1, 2, 3, 4}},
			{Name: "e", Elem: ir.I8, Shape: []int64{2, 0}, Data: nil},
			{Name: "s", Elem: ir.I8, Shape: nil, Data: []uint64{9}},
		},
		Cycles: 17,
	}
}

func TestOutcomeJSON(t *testing.T) {
	o := sample()
	want := `{"results": [-1, 1, 18446744073709551615, 0.1, "NaN", "-Infinity", -0.0, -9223372036854775808], ` +
		`"memories": {"y": [1, -1, 3], "b": [[1, 2], [3, 4]], "e": [[], []], "s": 9}, "cycles": 17, "status": "done"}`
	if d := cmp.Diff(want, string(o.JSON(nil))); d != "" {
		t.Error(d)
	}
	o.Status, o.ErrorCode, o.Detail = Error, 512, []string{"a \"quoted\" <line>"}
	o.Results, o.Memories = nil, nil
	got := o.JSON(func(code int) string { return "RT_MEMORY_ADDR_OOB" })
	want = `{"results": [], "memories": {}, "cycles": 17, "status": "error", "error": {"code": 512, "symbol": "RT_MEMORY_ADDR_OOB"}, ` +
		`"detail": ["a \"quoted\" <line>"]}`
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Error(d)
	}
	for _, b := range [][]byte{sample().JSON(nil), got} {
		if !json.Valid(b) {
			t.Errorf("no JSON: %s", b)
		}
	}
}

func TestDiff(t *testing.T) {
	if d := Diff(sample(), sample()); d != nil {
		t.Errorf("equal outcomes differ: %v", d)
	}
	for _, c := range []struct {
		change func(o *Outcome)
		want   []string
	}{
		{func(o *Outcome) { o.Cycles = 3 }, nil},
		{func(o *Outcome) { o.Results[4].Bits |= 5 }, nil}, // another NaN
		{func(o *Outcome) { o.Status = Deadlock }, []string{"status: want done, got deadlock"}},
		{func(o *Outcome) { o.Results[0].Bits = 3 }, []string{"result 0: want -1, got 3"}},
		{func(o *Outcome) { o.Results[6].Bits = 0 }, []string{"result 6: want -0.0, got 0.0"}},
		{func(o *Outcome) { o.Results = o.Results[:7] }, []string{"results: want 8, got 7"}},
		{func(o *Outcome) { o.Results[1].Type = ir.I8 }, []string{"result 1: want type i1, got i8"}},
		{func(o *Outcome) { o.Memories[1].Data[2], o.Memories[1].Data[3] = 7, 7 }, []string{"memory b[1][0]: want 3, got 7 (2 elements differ)"}},
		{func(o *Outcome) { o.Memories[0].Data[2] = 0xfe; o.Memories[3].Data[0] = 0 }, []string{"memory y[2]: want 3, got -2", "memory s: want 9, got 0"}},
		{func(o *Outcome) { o.Memories[0].Name = "z" }, []string{"memory y: got memory z instead"}},
		{func(o *Outcome) { o.Memories[0].Shape = []int64{1, 3} }, []string{"memory y: want shape [3], got [1, 3]"}},
		{func(o *Outcome) { o.Memories = o.Memories[:3] }, []string{"memories: want 4, got 3"}},
	} {
		got := sample()
		c.change(got)
		if d := cmp.Diff(c.want, Diff(sample(), got)); d != "" {
			t.Error(d)
		}
	}
	a, b := &Outcome{Status: Error, ErrorCode: 1}, &Outcome{Status: Error, ErrorCode: 2}
	if d := cmp.Diff([]string{"error code: want 1, got 2"}, Diff(a, b)); d != "" {
		t.Error(d)
	}
}

func TestSignatureOf(t *testing.T) {
	fn := ir.NewOp("func.func", diag.Pos{}, nil, nil)
	fn.SetAttr("sym_name", ir.StrAttr("k"))
	ts := []ir.Type{ir.Index, ir.MemRef([]int64{dyn}, ir.I32)}
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(ts, []ir.Type{ir.I32})})
	b := fn.AddRegion().AddBlock()
	b.AddArg(ts[0], "n", diag.Pos{})
	b.AddArg(ts[1], "", diag.Pos{})
	check := func(fn *ir.Operation, names ...string) {
		t.Helper()
		sig, err := SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for i, p := range sig.Params {
			got = append(got, p.Name)
			if p.Type != ts[i] {
				t.Errorf("parameter %d has type %s", i, p.Type)
			}
		}
		if d := cmp.Diff(names, got); d != "" {
			t.Error(d)
		}
		if len(sig.Results) != 1 || sig.Results[0] != ir.Type(ir.I32) || sig.Name != "k" {
			t.Errorf("%+v", sig)
		}
	}
	check(fn, "n", "arg1")

	hs := ir.NewOp("handshake.func", diag.Pos{}, nil, nil)
	hs.SetAttr("sym_name", ir.StrAttr("k"))
	hs.SetAttr("argNames", ir.StrArray([]string{"n", "x", "start"}))
	hs.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(append(ts, ir.None), []ir.Type{ir.I32, ir.None})})
	check(hs, "n", "x")

	hs.SetAttr("argNames", ir.StrArray([]string{"n", "n", "start"}))
	for _, bad := range []*ir.Operation{hs, ir.NewOp("func.func", diag.Pos{}, nil, nil), ir.NewOp("scf.for", diag.Pos{}, nil, nil)} {
		if _, err := SignatureOf(bad); err == nil {
			t.Errorf("%s is accepted", bad.Name)
		}
	}
}

// Contents of on-chip memories are compared apart from what all levels have.
func TestDiffOnChip(t *testing.T) {
	base := func() *Outcome {
		return &Outcome{OnChip: []OnChip{{"table", []uint64{1, 2, 3}}, {"tap", []uint64{9}}}}
	}
	for _, c := range []struct {
		change func(o *Outcome)
		want   []string
	}{
		{func(*Outcome) {}, nil},
		{func(o *Outcome) { o.OnChip = nil }, []string{"on-chip memories: want 2, got 0"}},
		{func(o *Outcome) { o.OnChip[1].Comp = "other" }, []string{"on-chip memory tap of 1 elements: got other of 1"}},
		{func(o *Outcome) { o.OnChip[1].Elems = nil }, []string{"on-chip memory tap of 1 elements: got tap of 0"}},
		{func(o *Outcome) { o.OnChip[0].Elems[1] = 0xff }, []string{"on-chip memory table[1]: want 0x2, got 0xff"}},
		{func(o *Outcome) { o.OnChip[0].Elems = []uint64{7, 8, 9} }, []string{"on-chip memory table[0]: want 0x1, got 0x7 (3 elements differ)"}},
	} {
		o := base()
		c.change(o)
		if d := cmp.Diff(c.want, DiffOnChip(base(), o)); d != "" {
			t.Error(d)
		}
		if d := Diff(base(), o); d != nil {
			t.Errorf("Diff looks at them: %v", d)
		}
	}
}

// TestSign: what has no sign in the source is printed without, in outcomes and in what differs,
// and read back; bits are compared.
func TestSign(t *testing.T) {
	sig := signature(Param{Name: "n", Type: ir.I32, Unsigned: true}, Param{Name: "a", Type: ir.MemRef([]int64{2}, ir.I8)},
		Param{Name: "b", Type: ir.MemRef([]int64{2}, ir.I8), Unsigned: true})
	sig.UnsignedResults = []int{1}
	outcome := func(last uint64) *Outcome {
		return &Outcome{
			Status:  Done,
			Results: []Scalar{{Type: ir.I16, Bits: 0xffff}, {Type: ir.I16, Bits: last}},
			Memories: []*Memory{
				{Name: "a", Elem: ir.I8, Shape: []int64{2}, Data: []uint64{1, 0xff}},
				{Name: "b", Elem: ir.I8, Shape: []int64{2}, Data: []uint64{1, last & 0xff}},
			},
		}
	}
	plain, signed := outcome(0xfffe), outcome(0xfffe)
	sig.Sign(signed)
	want := `{"results": [-1, 65534], "memories": {"a": [1, -1], "b": [1, 254]}, "cycles": 0, "status": "done"}`
	if got := string(signed.JSON(nil)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if d := Diff(plain, signed); d != nil {
		t.Errorf("the same bits differ: %v", d)
	}
	other := outcome(0xfffd)
	sig.Sign(other)
	if d := Diff(signed, other); !slices.Equal(d, []string{"result 1: want 65534, got 65533", "memory b[1]: want 254, got 253"}) {
		t.Errorf("%q", d)
	}
	in, err := ParseInputs("in.json", []byte(`{"args": {"n": 4294967295, "a": [1, 255], "b": [1, -2]}}`), sig, 64)
	if err != nil || in.Args[0].Scalar != 0xffffffff || in.Args[1].Mem.Data[1] != 0xff || in.Args[2].Mem.Data[1] != 0xfe {
		t.Errorf("%+v, %v", in, err)
	}
}
