package lower

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/internal/randprog"
	"loom/sim/vector"
)

// numbers are floats that functions treat differently.
func numbers(double bool) []uint64 {
	var out []uint64
	for _, v := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 0.75, -2.5, 3.5, 1e-30, 7, -100.25, 1e20, math.Inf(1), math.Inf(-1), math.NaN()} {
		if double {
			out = append(out, math.Float64bits(v))
		} else {
			out = append(out, uint64(math.Float32bits(float32(v))))
		}
	}
	return out
}

// TestEveryFunctionOfFloats: each operation of arith and math on floats, in both
// formats of C, has one value in the interpreter and in the graph.
func TestEveryFunctionOfFloats(t *testing.T) {
	var forms []string
	for _, n := range []string{"absf", "acos", "acosh", "asin", "asinh", "atan", "atanh", "cbrt", "ceil", "cos", "cosh", "erf", "exp", "exp2",
		"expm1", "floor", "log", "log10", "log1p", "log2", "round", "roundeven", "rsqrt", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"} {
		forms = append(forms, "%r = math."+n+" %a : T")
	}
	for _, n := range []string{"math.atan2", "math.copysign", "math.powf", "arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.remf",
		"arith.maximumf", "arith.minimumf", "arith.maxnumf", "arith.minnumf"} {
		forms = append(forms, "%r = "+n+" %a, %b : T")
	}
	forms = append(forms, "%r = math.fma %a, %b, %a : T", "%r = arith.negf %a : T",
		"%n = arith.fptosi %b : T to i32\n  %r = math.fpowi %a, %n : T, i32",
		"%n = arith.fptosi %a : T to i64\n  %r = arith.sitofp %n : i64 to T", "%n = arith.fptoui %a : T to i16\n  %r = arith.uitofp %n : i16 to T")
	for p := range arith.FloatPredicates {
		forms = append(forms, fmt.Sprintf("%%c = \"arith.cmpf\"(%%a, %%b) {predicate = %d : i64} : (T, T) -> i1\n  %%r = arith.select %%c, %%a, %%b : T", p))
	}
	for _, ty := range []string{"f32", "f64"} {
		other := "%n = arith.extf %a : f32 to f64\n  %m = arith.mulf %n, %n : f64\n  %r = arith.truncf %m : f64 to f32"
		cast := "%n = arith.bitcast %a : f32 to i32\n  %r = arith.bitcast %n : i32 to f32"
		if ty == "f64" {
			other = "%n = arith.truncf %a : f64 to f32\n  %m = arith.mulf %n, %n : f32\n  %r = arith.extf %m : f32 to f64"
			cast = "%n = arith.bitcast %a : f64 to i64\n  %r = arith.bitcast %n : i64 to f64"
		}
		for _, f := range append(append([]string{}, forms...), other, cast) {
			m := parse(t, strings.ReplaceAll("func.func @f(%a: T, %b: T) -> T {\n  "+f+"\n  return %r : T\n}\n", "T", ty))
			fn := randprog.Function(m)
			typ := fn.Regions[0].Entry().Args[0].Type
			for i, a := range numbers(ty == "f64") {
				b := numbers(ty == "f64")[(i*5+3)%16]
				in := &vector.Inputs{Args: []vector.Arg{{Name: "a", Type: typ, Scalar: a}, {Name: "b", Type: typ, Scalar: b}}}
				if d, err := disagreement(fn, in, uint64(i), Options{}); err != nil || d != "" {
					t.Fatalf("%s of %s on %#x and %#x: %v %s", f, ty, a, b, err, d)
				}
			}
		}
	}
}

// TestSimulatedFunctions: what no unit computes is remarked on, once for each
// operation.
func TestSimulatedFunctions(t *testing.T) {
	res, err := Lower(parse(t, `
func.func @f(%a: f32) -> f32 {
  %q = math.tan %a : f32
  %s = math.powf %q, %a : f32
  %t = math.powf %s, %a : f32
  %u = math.sqrt %t : f32
  return %u : f32
}
`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range res.Notes.All {
		if d.Severity != diag.Remark {
			t.Errorf("%v", d)
		}
		got = append(got, fmt.Sprintf("%d:%d %s", d.Pos.Line, d.Pos.Col, d.Message))
	}
	if len(got) != 2 || !strings.HasPrefix(got[0], "3:8 no function unit of LOOM's library computes 'math.tan'") || !strings.HasPrefix(got[1], "4:8 no function unit of LOOM's library computes 'math.powf'") {
		t.Errorf("remarks: %q", got)
	}
}
