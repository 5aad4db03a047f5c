package interp_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/sim/vector"
)

// runAffine executes a body that ends with %r: index, on index parameters.
func runAffine(t *testing.T, body string, width int, args ...int64) (*vector.Outcome, error) {
	t.Helper()
	var params []string
	in := &vector.Inputs{}
	for i, a := range args {
		name := string(rune('a' + i))
		params = append(params, "%"+name+": index")
		in.Args = append(in.Args, vector.Arg{Name: name, Type: ir.Index, Scalar: num.Truncate(uint64(a), ir.Index, width)})
	}
	m, err := mlir.ParseAndVerify("f.mlir", "func.func @f("+strings.Join(params, ", ")+") -> index {\n"+body+"\nreturn %r : index\n}")
	if err != nil {
		t.Fatal(err)
	}
	return interp.Run(m.Regions[0].Entry().Ops[0], in, interp.Options{IndexWidth: width, MaxSteps: 100_000})
}

// TestAffineValues: what maps, bounds and sets mean.
func TestAffineValues(t *testing.T) {
	apply := func(e string) string {
		return "%r = affine.apply affine_map<(d0)[s0] -> (" + e + ")>(%a)[%b]"
	}
	count := func(head string) string {
		return `%zero = arith.constant 0 : index
%r = affine.for %i = ` + head + ` iter_args(%n = %zero) -> (index) {
  %m = affine.apply affine_map<(d0)[s0] -> (d0 * 100 + s0)>(%n)[%i]
  affine.yield %m : index
}`
	}
	for _, c := range []struct {
		body string
		args []int64
		want int64
	}{
		{apply("d0 floordiv 4"), []int64{-5, 0}, -2},
		{apply("d0 ceildiv 4"), []int64{-5, 0}, -1},
		{apply("d0 mod 4"), []int64{-5, 0}, 3},
		{apply("d0 floordiv s0"), []int64{7, 2}, 3},
		{apply("d0 ceildiv s0"), []int64{7, 2}, 4},
		{apply("d0 mod s0"), []int64{-9223372036854775808, 9223372036854775807}, 9223372036854775806},
		{apply("d0 - s0 * 3 + 4"), []int64{1, 2}, -1},
		{"%r = affine.min affine_map<(d0)[s0] -> (d0, s0, 3)>(%a)[%b]", []int64{5, 4}, 3},
		{"%r = affine.max affine_map<(d0)[s0] -> (d0, s0, 3)>(%a)[%b]", []int64{-5, -4}, 3},
		{"%r, %s = affine.delinearize_index %a into (%b, %b) : index, index", []int64{-1, 4}, -1},
		{"%s, %r = affine.delinearize_index %a into (%b, %b) : index, index", []int64{-1, 4}, 3},
		{count("0 to 3"), nil, 102},
		{count("%a to %b step 2"), []int64{1, 6}, 10305},
		{count("%a to %b"), []int64{6, 6}, 0},
		{count("max affine_map<(d0)[s0] -> (d0, s0)>(%a)[%b] to min affine_map<()[s0] -> (s0 + 2, 100)>()[%b]"), []int64{1, 2}, 203},
		{count("9223372036854775805 to 9223372036854775806"), nil, 9223372036854775805},
		{`%r = affine.if affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d0 mod 2 == 0)>(%a)[%b] -> index {
  affine.yield %a : index
} else {
  affine.yield %b : index
}`, []int64{4, 5}, 4},
		{`%r = affine.if affine_set<(d0)[s0] : (d0 >= 0, s0 - d0 - 1 >= 0, d0 mod 2 == 0)>(%a)[%b] -> index {
  affine.yield %a : index
} else {
  affine.yield %b : index
}`, []int64{3, 5}, 5},
		{`%s = affine.parallel (%i, %j) = (0, max(1, %a)) to (%b, min(4, %b + 1)) step (1, 2) reduce ("addi") -> i64 {
  %v = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
  %w = arith.index_cast %v : index to i64
  affine.yield %w : i64
}
%r = arith.index_cast %s : i64 to index`, []int64{0, 2}, 1 + 11},
		{`%s = affine.parallel (%i) = (0) to (%a) reduce ("andi") -> i64 {
  %w = arith.index_cast %i : index to i64
  affine.yield %w : i64
}
%r = arith.index_cast %s : i64 to index`, []int64{0}, -1},
	} {
		out, err := runAffine(t, c.body, 64, c.args...)
		if err != nil {
			t.Errorf("%v\n%s", err, c.body)
		} else if out.Status != vector.Done || int64(out.Results[0].Bits) != c.want {
			t.Errorf("%s %v %v, want %d\n%s", out.Status, out.Detail, out.Results, c.want, c.body)
		}
	}
}

// TestAffineFaults: an undefined operation ends the run at its position.
func TestAffineFaults(t *testing.T) {
	apply := func(e string) string {
		return "%r = affine.apply affine_map<(d0)[s0] -> (" + e + ")>(%a)[%b]"
	}
	for _, c := range []struct {
		body  string
		width int
		args  []int64
		want  string
	}{
		{apply("d0 mod s0"), 64, []int64{7, 0}, "f.mlir:2:6: division by 0, which is not positive, in d0 mod s0"},
		{apply("d0 floordiv s0"), 64, []int64{7, -2}, "f.mlir:2:6: division by -2, which is not positive, in d0 floordiv s0"},
		{apply("d0 + s0"), 64, []int64{9223372036854775807, 1}, "f.mlir:2:6: d0 + s0 of 9223372036854775807 and 1 does not fit an index of 64 bits"},
		{apply("d0 + s0"), 32, []int64{2147483647, 1}, "f.mlir:2:6: d0 + s0 of 2147483647 and 1 does not fit an index of 32 bits"},
		{apply("d0 * s0"), 64, []int64{1 << 40, 1 << 40}, "does not fit an index of 64 bits"},
		{apply("-d0"), 64, []int64{-9223372036854775808, 0}, "f.mlir:2:6: -d0 of -9223372036854775808 and -1 does not fit an index of 64 bits"},
		{"%r, %s = affine.delinearize_index %a into (%b, %b) : index, index", 64, []int64{1, 0}, "f.mlir:2:10: extent 0 of dimension 1 is not positive"},
		{"%r = affine.apply affine_map<() -> (0)>()\naffine.for %i = %a to %b step 4 {\n}", 64, []int64{9223372036854775804, 9223372036854775807},
			"f.mlir:3:1: the loop counts past the largest index of 64 bits: 4 after 9223372036854775804"},
		{"%r = affine.apply affine_map<() -> (0)>()\naffine.if affine_set<(d0) : (d0 * 2 >= 0)>(%a) {\n}", 32, []int64{2000000000},
			"f.mlir:3:1: d0 * 2 of 2000000000 and 2 does not fit an index of 32 bits"},
		{"%r = affine.apply affine_map<() -> (0)>()\naffine.parallel (%i, %j) = (0, 0) to (%a, 0) {\n}", 64, []int64{1 << 60}, ""},
		{"%r = affine.apply affine_map<() -> (0)>()\naffine.for %i = 0 to %a {\n}", 64, []int64{1 << 60}, "the limit of 100000 steps is reached here"},
		{"%m = memref.alloca() : memref<4x4xi32>\n%v = affine.load %m[%a + 1, 0] : memref<4x4xi32>\n%r = affine.apply affine_map<() -> (0)>()", 64, []int64{3},
			"f.mlir:3:6: load out of bounds: index [4, 0] in memory %m of shape [4, 4]"},
	} {
		out, err := runAffine(t, c.body, c.width, c.args...)
		if err != nil {
			t.Errorf("%v\n%s", err, c.body)
			continue
		}
		if got := fmt.Sprint(out.Detail); c.want == "" && out.Status != vector.Done || c.want != "" && !strings.Contains(got, c.want) {
			t.Errorf("%s, want %q\n%s", got, c.want, c.body)
		}
	}
	// Errors that are known before the run are reported by Compile.
	for body, want := range map[string]string{
		"%r = affine.apply affine_map<(d0) -> (d0 + 4294967296)>(%a)":                                        "the constant 4294967296 does not fit an index of 32 bits",
		"%r = affine.apply affine_map<() -> (0)>()\naffine.for %i = 0 to %a step 4294967296 {\n}":            "the step 4294967296 does not fit an index of 32 bits",
		"%r = affine.parallel (%i) = (0) to (%a) reduce (\"assign\") -> index {\naffine.yield %i : index\n}": "with reduction 2 : i64 cannot be executed",
	} {
		if _, err := runAffine(t, body, 32, 1); err == nil || !strings.Contains(err.Error(), want) || !diag.FromError(err).All[0].Pos.IsValid() {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
