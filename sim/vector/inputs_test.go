package vector

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

const dyn = ir.Dynamic

func signature(params ...Param) *Signature { return &Signature{Name: "k", Params: params} }

var matrix = signature(
	Param{Name: "n", Type: ir.Index},
	Param{Name: "alpha", Type: ir.I8},
	Param{Name: "x", Type: ir.MemRef([]int64{dyn}, ir.I32)},
	Param{Name: "a", Type: ir.MemRef([]int64{4, dyn}, ir.I64)},
	Param{Name: "f", Type: ir.MemRef([]int64{2}, ir.F32)},
)

func TestParseInputs(t *testing.T) {
	in, err := ParseInputs("in.json", []byte(`{"args": {
		"n": 18446744073709551615, "arg1": -3, "x": {"zeros": 3},
		"a": [[-9223372036854775808], [9223372036854775807], [2.0], [1e3]],
		"f": [1.5, "NaN"]}}`), matrix, 64)
	if err != nil {
		t.Fatal(err)
	}
	i32, i64, f32 := ir.Type(ir.I32), ir.Type(ir.I64), ir.Type(ir.F32)
	want := &Inputs{Args: []Arg{
		{Name: "n", Scalar: 1<<64 - 1},
		{Name: "alpha", Scalar: 0xfd},
		{Name: "x", Mem: &Memory{Name: "x", Elem: i32, Shape: []int64{3}, Data: []uint64{0, 0, 0}}},
		{Name: "a", Mem: &Memory{Name: "a", Elem: i64, Shape: []int64{4, 1}, Data: []uint64{1 << 63, 1<<63 - 1, 2, 1000}}},
		{Name: "f", Mem: &Memory{Name: "f", Elem: f32, Shape: []int64{2}, Data: []uint64{0x3fc00000, 0x7fc00000}}},
	}}
	for i := range want.Args {
		want.Args[i].Type = matrix.Params[i].Type
	}
	if d := cmp.Diff(want, in, cmp.Comparer(func(a, b ir.Type) bool { return a == b })); d != "" {
		t.Error(d)
	}
}

func TestMemorySpellings(t *testing.T) {
	for _, c := range []struct {
		t     *ir.MemRefType
		json  string
		shape string
		data  string
	}{
		{ir.MemRef([]int64{dyn}, ir.I8), `"aé"`, "[4]", "[97 195 169 0]"},
		{ir.MemRef([]int64{dyn}, ir.I8), `""`, "[1]", "[0]"},
		{ir.MemRef([]int64{5}, ir.I8), `"ab"`, "[5]", "[97 98 0 0 0]"},
		{ir.MemRef([]int64{2}, ir.I8), `"ab"`, "[2]", "[97 98]"},
		{ir.MemRef([]int64{dyn}, ir.I8), `[]`, "[0]", "[]"},
		{ir.MemRef([]int64{2, dyn}, ir.I8), `[[1, 2, 3], [4, 5, 6]]`, "[2, 3]", "[1 2 3 4 5 6]"},
		{ir.MemRef([]int64{dyn, 3}, ir.I8), `[]`, "[0, 3]", "[]"},
		{ir.MemRef([]int64{dyn, dyn}, ir.I8), `{"shape": [2, 2], "data": [1, 2, 3, 4]}`, "[2, 2]", "[1 2 3 4]"},
		{ir.MemRef([]int64{2, dyn}, ir.I8), `{"data": [1, 2, 3, 4]}`, "[2, 2]", "[1 2 3 4]"},
		{ir.MemRef([]int64{dyn, 2}, ir.I8), `[1, 2, 3, 4, 5, 6]`, "[3, 2]", "[1 2 3 4 5 6]"},
		{ir.MemRef([]int64{2, 1, 2}, ir.I8), `[1, 2, 3, 4]`, "[2, 1, 2]", "[1 2 3 4]"},
		{ir.MemRef([]int64{dyn, dyn}, ir.I8), `{"zeros": [1, 2]}`, "[1, 2]", "[0 0]"},
		{ir.MemRef([]int64{dyn, 2}, ir.I8), `{"zeros": 4}`, "[2, 2]", "[0 0 0 0]"},
		{ir.MemRef(nil, ir.I8), `7`, "[]", "[7]"},
		{ir.MemRef(nil, ir.I8), `[7]`, "[]", "[7]"},
		{ir.MemRef(nil, ir.I8), `{"zeros": 1}`, "[]", "[0]"},
		{ir.MemRef([]int64{dyn}, ir.I1), `[true, 0, 1, false, -1]`, "[5]", "[1 0 1 0 1]"},
		{ir.MemRef([]int64{dyn}, ir.I8), `[255, -1, -128]`, "[3]", "[255 255 128]"},
	} {
		in, err := ParseInputs("in.json", []byte(`{"args": {"m": `+c.json+`}}`), signature(Param{Name: "m", Type: c.t}), 64)
		if err != nil {
			t.Errorf("%s %s: %v", c.t, c.json, err)
			continue
		}
		m := in.Args[0].Mem
		if shapeText(m.Shape) != c.shape || fmt.Sprint(m.Data) != c.data {
			t.Errorf("%s %s: got %s %v", c.t, c.json, shapeText(m.Shape), m.Data)
		}
	}
}

// TestStructs: the members of structs are parameters of their own, and may be given
// together.
func TestStructs(t *testing.T) {
	array := ir.MemRef([]int64{dyn}, ir.I8)
	sig := signature(Param{Name: "p.x", Type: array}, Param{Name: "p.in.y", Type: array}, Param{Name: "q.a", Type: ir.I8}, Param{Name: "q.b", Type: ir.I8})
	for _, c := range []struct{ args, want string }{
		{`"p.x": [1, 2], "p.in.y": [3, 4], "q.a": 5, "q.b": 6`, ""},
		{`"p": {"x": [1, 2], "in.y": [3, 4]}, "q": {"a": 5, "b": 6}`, ""},
		{`"p": [{"x": 1, "in.y": 3}, {"in.y": 4, "x": 2}], "q.a": 5, "q": {"b": 6}`, ""},
		{`"p": [{"x": 1, "in.y": 3}, {"in.y": 4}], "q": {"a": 5, "b": 6}`, `element 1 of "p" must be an object with the members of the first`},
		{`"p": [{"x": 1, "in.y": 3}, 7], "q": {"a": 5, "b": 6}`, `element 1 of "p" must be an object with the members of the first`},
		{`"p": {"x": [1, 2], "z": [3, 4]}, "q": {"a": 5, "b": 6}`, `kernel @k has no parameter "p.z"`},
		{`"p": {"x": [1, 2]}, "q": {"a": 5, "b": 6}`, `argument "p.in.y" (memref<?xi8>) is missing`},
		{`"p": {"x": [1, 2], "in.y": [1]}, "p.x": [1], "q": {"a": 5, "b": 6}`, `parameter "p.x" is given twice`},
		{`"p": [], "p.x": [1, 2], "p.in.y": [3, 4], "q": {"a": 5, "b": 6}`, `kernel @k has no parameter "p"`},
	} {
		in, err := ParseInputs("in.json", []byte(`{"args": {`+c.args+`}}`), sig, 64)
		switch {
		case c.want != "":
			if err == nil || !strings.Contains(diag.Render(diag.FromError(err), nil), c.want) {
				t.Errorf("%s: %v, want %s", c.args, err, c.want)
			}
		case err != nil:
			t.Errorf("%s: %v", c.args, err)
		default:
			if got := fmt.Sprint(in.Args[0].Mem.Data, in.Args[1].Mem.Data, in.Args[2].Scalar, in.Args[3].Scalar); got != "[1 2] [3 4] 5 6" {
				t.Errorf("%s: %s", c.args, got)
			}
		}
	}
}

func TestRandomMemory(t *testing.T) {
	sig := signature(Param{Name: "m", Type: ir.MemRef([]int64{dyn}, ir.I8)})
	read := func(spec string) []uint64 {
		t.Helper()
		in, err := ParseInputs("in.json", []byte(`{"args": {"m": `+spec+`}}`), sig, 64)
		if err != nil {
			t.Fatal(err)
		}
		return in.Args[0].Mem.Data
	}
	seen := map[uint64]int{}
	for _, v := range read(`{"random": 4000, "seed": 3, "min": -2, "max": 1}`) {
		seen[v]++
	}
	for _, v := range []uint64{0xfe, 0xff, 0, 1} {
		if seen[v] < 800 {
			t.Errorf("value %#x appears %d times in 4000", v, seen[v])
		}
	}
	if len(seen) != 4 {
		t.Errorf("values outside -2..1: %v", seen)
	}
	if !cmp.Equal(read(`{"random": 9, "seed": 3}`), read(`{"seed": 3, "random": [9]}`)) {
		t.Error("the same seed gives different elements")
	}
	if cmp.Equal(read(`{"random": 9, "seed": 3}`), read(`{"random": 9, "seed": 4}`)) {
		t.Error("different seeds give the same elements")
	}
}

func TestInputErrors(t *testing.T) {
	const ok = `"n": 1, "alpha": 1, "x": [1], "a": [[1],[1],[1],[1]], "f": [1, 2]`
	without := func(key, value string) string {
		parts := []string{}
		for _, p := range strings.Split(ok, ", \"") {
			p = `"` + strings.TrimPrefix(p, `"`)
			if !strings.HasPrefix(p, `"`+key+`"`) {
				parts = append(parts, p)
			}
		}
		if value != "" {
			parts = append(parts, fmt.Sprintf("\n%q: %s", key, value))
		}
		return `{"args": {` + strings.Join(parts, ", ") + `}}`
	}
	for _, c := range []struct{ json, want string }{
		{``, "in.json:1:1: error: expected a value, found the end of the file"},
		{`[1]`, "in.json:1:1: error: the input file must hold an object, not an array"},
		{`{}`, `in.json:1:1: error: key "args" is missing`},
		{`{"args": 3}`, `in.json:1:10: error: "args" must be an object, not a number`},
		{`{"args": {` + ok + `}, "arg": 1}`, `in.json:1:79: error: unknown key "arg"`},
		{`{"args": {` + ok + `}} x`, `in.json:1:79: error: unexpected 'x' after the value`},
		{`{"args": {` + ok + `, "z": 1}}`, `in.json:1:78: error: kernel @k has no parameter "z"`},
		{`{"args": {` + ok + `, "arg0": 1}}`, `in.json:1:78: error: parameter "n" is given twice`},
		{`{"args": {` + ok + `, "n": 1}}`, `in.json:1:78: error: key "n" appears twice`},
		{without("n", ""), `in.json:1:10: error: argument "n" (index) is missing`},
		{without("n", "1.5"), `in.json:2:6: error: parameter "n" must be an integer of type index, not 1.5`},
		{without("n", "18446744073709551616"), `in.json:2:6: error: parameter "n": 18446744073709551616 is out of range for index`},
		{without("n", "1"+strings.Repeat("0", 5000)), `is out of range for index`},
		{without("n", "1e999999999"), `must be an integer of type index, not 1e999999999`},
		{without("n", "[1]"), `in.json:2:6: error: parameter "n" must be a number of type index, not an array`},
		{without("n", "01"), `in.json:2:6: error: malformed number`},
		{without("alpha", "300"), `in.json:2:10: error: parameter "alpha": 300 is out of range for i8`},
		{without("alpha", "-129"), `in.json:2:10: error: parameter "alpha": -129 is out of range for i8`},
		{without("x", `"y"`), `in.json:2:6: error: parameter "x" (memref<?xi32>) must be an array or an object, not a string`},
		{without("x", "[1, [2]]"), `in.json:2:10: error: memory "x" has more dimensions here than its type`},
		{without("x", "[1,\n 2, 4294967296]"), `in.json:3:5: error: element 2 of memory "x": 4294967296 is out of range for i32`},
		{without("x", `{"zeros": -1}`), `in.json:2:16: error: memory "x": an extent must be a number that is not negative`},
		{without("x", `{"zeros": 100000000}`), `in.json:2:16: error: memory "x": an extent of 100000000 is too large; the inputs of a run may have 16777216 elements together`},
		{without("x", `{"zeros": [2, 3]}`), `in.json:2:16: error: memory "x" has 2 dimensions, but its type memref<?xi32> has 1`},
		{without("x", `{"ones": 3}`), `in.json:2:6: error: memory "x": the object has none of the keys "data", "zeros" and "random"`},
		{without("x", `{"zeros": 3, "seed": 1}`), `in.json:2:19: error: memory "x": key "seed" does not go with "zeros"`},
		{without("x", `{"random": 3, "min": 5, "max": 4}`), `in.json:2:27: error: memory "x": "min" 5 is above "max" 4`},
		{without("x", `{"random": 3, "seed": -4}`), `in.json:2:28: error: memory "x": "seed" must be an integer from 0`},
		{without("a", "[[1], [2]]"), `in.json:2:6: error: memory "a" has shape [2, 1], which does not fit memref<4x?xi64>`},
		{without("a", "[[1], [2], [3, 4], [5]]"), `in.json:2:17: error: memory "a" is ragged: this array has 2 elements where the first of its level has 1`},
		{without("a", "[1, 2, 3]"), `in.json:2:6: error: memory "a": 3 elements do not fit memref<4x?xi64>`},
		{without("a", "[[1], 2, [3], [5]]"), `in.json:2:12: error: memory "a": expected an array of 1 elements, found a number`},
		{without("a", `{"shape": [4, 2], "data": [1]}`), `in.json:2:32: error: memory "a" of shape [4, 2] needs 8 elements, found 1`},
		{without("a", `{"zeros": 6}`), `in.json:2:16: error: memory "a": 6 elements do not fit memref<4x?xi64>`},
		{without("f", `[1e39, 1]`), `in.json:2:7: error: element 0 of memory "f": 1e39 is out of range for f32`},
		{without("f", `["x", 1]`), `in.json:2:7: error: element 0 of memory "f" must be a number of type f32, not a string`},
		{without("f", `[1, 2`), `expected ']', found '}'`},
		{strings.Repeat("[", 5000), `values are nested more than 64 deep`},
		{`{"args": {"n": "a` + "\n" + `"}}`, `in.json:1:16: error: the string does not end on its line`},
	} {
		_, err := ParseInputs("in.json", []byte(c.json), matrix, 64)
		if err == nil {
			t.Errorf("%.80s: accepted", c.json)
			continue
		}
		if _, ok := err.(*diag.List); !ok {
			t.Errorf("%.80s: error is a %T", c.json, err)
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s:\n got %s\nwant %s", c.json, err, c.want)
		}
	}
}

func TestManyFaultsAreBounded(t *testing.T) {
	_, err := ParseInputs("in.json", []byte(`{"args": {"x": [`+strings.Repeat(`"a",`, 10000)+`1]}}`),
		signature(Param{Name: "x", Type: ir.MemRef([]int64{dyn}, ir.I32)}), 64)
	if n := len(diag.FromError(err).All); n == 0 || n > maxFaults {
		t.Errorf("%d findings", n)
	}
}

// What a signature admits and Random makes survives printing and parsing.
func TestInputsRoundTrip(t *testing.T) {
	elems := []ir.Type{ir.I1, ir.I8, ir.Int(13), ir.I32, ir.I64, ir.Index, ir.F16, ir.F32, ir.F64}
	rapid.Check(t, func(t *rapid.T) {
		sig := &Signature{Name: "k"}
		for i := range rapid.IntRange(0, 5).Draw(t, "params") {
			elem := rapid.SampledFrom(elems).Draw(t, "elem")
			p := Param{Name: fmt.Sprintf("p%d", i), Type: elem}
			if rank := rapid.IntRange(-2, 3).Draw(t, "rank"); rank >= 0 {
				shape := rapid.SliceOfN(rapid.SampledFrom([]int64{dyn, 0, 1, 2, 3}), rank, rank).Draw(t, "shape")
				p.Type = ir.MemRef(shape, elem)
			}
			sig.Params = append(sig.Params, p)
		}
		width := rapid.SampledFrom([]int{32, 48, 64}).Draw(t, "index width")
		in, err := Random(sig, rapid.Uint64().Draw(t, "seed"), rapid.Int64Range(0, 6).Draw(t, "size"), width)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParseInputs("in.json", in.JSON(), sig, width)
		if err != nil {
			t.Fatalf("%v\n%s", err, in.JSON())
		}
		if d := cmp.Diff(in, back, cmp.Comparer(func(a, b ir.Type) bool { return a == b })); d != "" {
			t.Fatalf("%s\n%s", d, in.JSON())
		}
	})
}

func TestRandom(t *testing.T) {
	sig := signature(Param{Name: "n", Type: ir.Index}, Param{Name: "k", Type: ir.I32}, Param{Name: "b", Type: ir.I1},
		Param{Name: "x", Type: ir.MemRef([]int64{dyn}, ir.I8)}, Param{Name: "y", Type: ir.MemRef([]int64{2, dyn}, ir.F32)})
	full := 0
	for seed := range uint64(200) {
		in, err := Random(sig, seed, 16, 64)
		if err != nil {
			t.Fatal(err)
		}
		if n := in.Args[0].Scalar; n > 16 {
			t.Fatalf("index scalar %d", n)
		} else if n == 16 {
			full++
		}
		if in.Args[1].Scalar > 16 || in.Args[2].Scalar > 1 {
			t.Fatalf("scalars %d, %d", in.Args[1].Scalar, in.Args[2].Scalar)
		}
		if len(in.Args[3].Mem.Data) != 16 || len(in.Args[4].Mem.Data) != 32 {
			t.Fatal("extents")
		}
		for _, v := range in.Args[3].Mem.Data {
			if x := int8(v); v > 0xff || x < -50 || x > 99 {
				t.Fatalf("element %#x", v)
			}
		}
	}
	if full < 100 || full > 150 {
		t.Errorf("%d of 200 index scalars are the size", full)
	}
	for seed := range uint64(50) {
		in, err := Random(signature(Param{Name: "n", Type: ir.Index}, Param{Name: "k", Type: ir.I32}, Param{Name: "x", Type: ir.MemRef([]int64{dyn, 12}, ir.I8)}), seed, 100, 64)
		if err != nil || in.Args[0].Scalar > 12 || in.Args[1].Scalar > 12 {
			t.Fatalf("a scalar above the static extent: %v %v", in, err)
		}
	}
	a, _ := Random(sig, 7, 16, 64)
	b, _ := Random(sig, 7, 16, 64)
	if string(a.JSON()) != string(b.JSON()) {
		t.Error("the same seed gives different inputs")
	}
	for _, bad := range []struct {
		p    Param
		size int64
	}{
		{Param{Name: "x", Type: ir.MemRef([]int64{1 << 40, 1 << 40}, ir.I8)}, 1},
		{Param{Name: "x", Type: ir.MemRef([]int64{dyn, dyn}, ir.I8)}, 1 << 20},
		{Param{Name: "x", Type: ir.None}, 1},
		{Param{Name: "x", Type: ir.MemRef([]int64{dyn}, ir.Int(128))}, 1},
		{Param{Name: "x", Type: ir.I8}, -1},
	} {
		if _, err := Random(signature(bad.p), 0, bad.size, 64); err == nil {
			t.Errorf("%s with size %d is accepted", bad.p.Type, bad.size)
		}
	}
}

func FuzzParseInputs(f *testing.F) {
	f.Add([]byte(`{"args": {"n": 8, "alpha": 3, "x": [1, 2], "a": {"zeros": [4, 2]}, "f": {"random": 2, "seed": 1, "min": -1, "max": 1}}}`))
	f.Add([]byte(`{"args": {"n": -1, "alpha": true, "x": {"shape": [1], "data": [1e2]}, "a": [[],[],[],[]], "f": ["NaN", "Infinity"]}}`))
	f.Add([]byte(`{"args": {"\u006e": 1`))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, err := ParseInputs("in.json", text, matrix, 64)
		if err != nil {
			for _, d := range diag.FromError(err).All {
				if !d.Pos.IsValid() || d.Pos.Col < 1 {
					t.Errorf("finding without a position: %v", d)
				}
			}
			return
		}
		if _, err := ParseInputs("in.json", in.JSON(), matrix, 64); err != nil {
			t.Errorf("printed inputs do not parse: %v", err)
		}
	})
}

// TestCloneKeepsSharing: arguments that are one array, or an array and its end, are so
// in a copy, which is apart from the original.
func TestCloneKeepsSharing(t *testing.T) {
	data := []uint64{1, 2, 3, 4}
	in := &Inputs{Args: []Arg{
		{Mem: &Memory{Data: data[2:]}}, {}, {Mem: &Memory{Data: data}},
		{Mem: &Memory{Data: []uint64{5, 6}}}, {Mem: &Memory{Data: data[1:3]}}, {Mem: &Memory{}},
	}}
	out := in.Clone()
	mem := func(i int) []uint64 { return out.Args[i].Mem.Data }
	mem(0)[0] = 30
	if mem(2)[2] != 30 || mem(4)[1] != 30 || data[2] != 3 {
		t.Errorf("%v, %v, %v beside %v", mem(0), mem(2), mem(4), data)
	}
	if mem(3)[0] = 50; in.Args[3].Mem.Data[0] != 5 || mem(2)[0] != 1 {
		t.Error("a copy reaches what it should not")
	}
}

// TestUnusedParameters: an input file for a C function may give what its kernel does not
// look at.
func TestUnusedParameters(t *testing.T) {
	m, err := mlir.ParseAndVerify("k.mlir", `func.func @k(%n: i32) -> i32 attributes {loom.c = {name = "k", params = [`+
		`{class = "scalar", name = "n", pieces = [{index = 0 : i64}], size = 4 : i64, type = "int"}, {class = "scalar", name = "spare", size = 4 : i64, type = "int"}]}} {
  return %n : i32
}`)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := SignatureOf(m.Regions[0].Entry().Ops[0])
	if err != nil {
		t.Fatal(err)
	}
	in, err := ParseInputs("in.json", []byte(`{"args": {"spare": [1, 2], "n": 3}}`), sig, 64)
	if err != nil || len(in.Args) != 1 || in.Args[0].Scalar != 3 {
		t.Errorf("%v %v", in, err)
	}
	if _, err := ParseInputs("in.json", []byte(`{"args": {"spar": 1, "n": 3}}`), sig, 64); err == nil {
		t.Error("a wrong name is accepted")
	}
}
