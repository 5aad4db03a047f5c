package lift_test

import (
	"regexp"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
	"loom/compiler/ir"
	"loom/compiler/mlir"
)

// text prints a module without its description.
func text(module *ir.Operation) string {
	fn := function(module)
	fn.SetAttr(cabi.Attribute, nil)
	fn.SetAttr(cabi.MayAlias, nil)
	return mlir.Print(module, mlir.Options{})
}

// both are the sources of the tests below, optimised.
type both struct{ memory, distance *lowered }

func bothSources(t *testing.T) both {
	return both{lowerSource(t, "testdata/memory.c", "2"), lowerSource(t, "testdata/distance.c", "2")}
}

// find is the source of a function, which is memory.c where the name has no other.
func (b both) find(name string) (*lowered, string) {
	if rest, ok := strings.CutPrefix(name, "distance/"); ok {
		return b.distance, rest
	}
	return b.memory, name
}

// TestShapes: what the parameters of the functions in the sources become.
func TestShapes(t *testing.T) {
	t.Parallel()
	sources := bothSources(t)
	for name, want := range map[string]string{
		"vecadd":         "(%a: memref<?xi32>, %b: memref<?xi32>, %c: memref<?xi32>, %n: i32)",
		"matmul":         "(%a: memref<?x4xi32>, %b: memref<?x4xi32>, %c: memref<?x4xi32>)",
		"cube":           "(%a: memref<?x4x2xi32>, %n: i32) -> i32",
		"rows":           "(%m: memref<?x5xi32>, %n: i32)",
		"corners":        "(%in: memref<?x8xi32>, %out: memref<?x8xi32>)",
		"fixedcell":      "(%a: memref<?x4xi32>, %n: i32) -> i32",
		"pair_of_floats": "(%a.x: f32, %a.y: f32, %x: memref<?xf32>, %n: i32)",
		"halves":         "(%x: memref<?xi32>, %l.first: i32, %l.last: i32) -> i32",
		"flatview":       "(%a: memref<?xi32>) -> i32",
		"points":         "(%p.x: memref<?xi32>, %p.y: memref<?xf32>, %n: i32) -> i32",
		"gray":           "(%in.r: memref<?xi8>, %in.g: memref<?xi8>, %in.b: memref<?xi8>, %out: memref<?xi8>, %n: i32)",
		"nested":         "(%p.a.x: memref<?xi32>, %p.a.y: memref<?xf32>, %p.b.u: memref<?xi16>, %p.b.v: memref<?xi16>, %p.w: memref<?xf64>, %n: i32) -> f64",
		"inner":          "(%p: memref<?xi16>, %n: i32, %k: i32) -> i32",
		"constants":      "(%p.n: memref<?xi32>, %p.v.1: memref<?xi16>, %p.v.2: memref<?xi16>, %p.v.3: memref<?xi16>, %n: i32) -> i32",
		"samesize":       "(%p: memref<?xf32>, %n: i32, %k: i32) -> f32",
		"byval":          "(%p.x: i32, %p.y: f32, %k: i32) -> f32",
		"byval24":        "(%a.a: f64, %a.b: f64, %a.c: f64, %k: f64) -> f64",
		"ret8":           "(%a: i32, %b: f32) -> (i32, f32)",
		"ret24":          "(%a: memref<?xf64>, %n: i32) -> (f64, f64, f64)",
		"punned":         "(%f: memref<?xf32>, %n: i32) -> i32",
		"asbytes":        "(%a: memref<?xi8>, %n: i32) -> i32",
		"voids":          "(%p: memref<?xi32>, %n: i32) -> i32",
		"bools":          "(%p: memref<?xi8>, %n: i32) -> i32",
		"globals":        "(%a: memref<?xi32>, %n: i32, %counter: memref<1xi32>, %hidden: memref<1xi32>, %origin.x: memref<1xi32>, %state: memref<4xi16>) -> i32",
		"mixedwidth":     "(%a: memref<?xi16>, %n: i8) -> i32",

		"distance/elements":  "(%in: memref<?xi32>, %mid: memref<?xi32>, %n: i32) -> i32",
		"distance/narrower":  "(%in: memref<?xi16>, %mid: memref<?xi32>, %n: i32)",
		"distance/records":   "(%in.b: memref<?xi32>, %in.c: memref<?xi32>, %mid.a: memref<?xi32>, %n: i32)",
		"distance/ofRecords": "(%in: memref<?xf64>, %mid.a: memref<?xi32>, %n: i32)",
		"distance/rowNumber": "(%in: memref<?x6xi32>, %mid: memref<?xi8>, %n: i32)",
	} {
		l, name := sources.find(name)
		module, err := l.lift(name, lift.Options{}, &diag.List{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		_, got, _ := strings.Cut(text(module), "func.func @"+name)
		got, _, _ = strings.Cut(got, " {\n")
		if got != want {
			t.Errorf("%s\n got %s\nwant %s", name, got, want)
		}
	}
}

// TestText: what stands in the lifted functions, and what must not.
func TestText(t *testing.T) {
	t.Parallel()
	sources := bothSources(t)
	for _, c := range []struct{ name, has, not string }{
		{"vecadd", `memref\.load %a\[%\d+\]`, `i64`},
		{"walk", `memref\.load %p\[%p_0\]`, `i64|muli`},
		{"until", `memref\.load %p\[%p_0\]`, `muli|i64`},
		{"reverse", `cmpi slt, %`, `muli`},
		{"matmul", `memref\.load %a\[%\d+, %\d+\]`, `i64`},
		{"rows", `memref\.store %.*, %m\[%m\w*, %\d+\]`, `i64`},
		{"samerow", `select .* : index`, `i64|i8|div|shr`},
		{"by2", `memref\.load %a\[%a_0\]`, `i64|muli`},
		{"filter", `memref\.store %\d+, %b\[%q\]`, `muli|i64`},
		{"byval", ``, `shrui|trunci|extui|ori`},
		{"ret8", ``, `shrui|trunci|extui|ori`},
		{"copies", `memref\.load %q.y`, `i64|shli`},
		{"tables", `memref\.global "private" constant @table : memref<8xi32> = dense<\[3, 1, 4, 1, 5, 9, 2, 6\]>`, `i64`},
		{"statics", `memref\.global "private" @statics\.log : memref<4xi32> = dense<\[1, 2, 0, 0\]>`, `constant @`},
		{"locals", `memref\.alloca\(\) : memref<16xi32>`, `i64`},
		{"local2d", `%t\[%\d+, %\d+\] : memref<4x4xi32>`, `i64`},
		{"differ", `arith\.index_cast`, `ptr`},
		{"distance/narrower", `memref\.store %\w+, %in\[%(midp|p)\w*\]`, `shr|div|i8`},
		{"distance/ofRecords", `memref\.store %\w+, %in\[%(midp|p)\w*\]`, `shr|div|i8`},
	} {
		l, name := sources.find(c.name)
		module, err := l.lift(name, lift.Options{}, &diag.List{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		s := text(module)
		if !regexp.MustCompile(c.has).MatchString(s) {
			t.Errorf("%s: no %s\n%s", c.name, c.has, s)
		}
		if c.not != "" && regexp.MustCompile(c.not).MatchString(s) {
			t.Errorf("%s: there is %s\n%s", c.name, c.not, s)
		}
		module.Walk(func(op *ir.Operation) bool {
			if op.Name != "builtin.module" && (op.Pos.Line == 0 || op.Loc == "") {
				t.Errorf("%s: %s has no position", c.name, op.Name)
			}
			return true
		})
	}
}

// TestObjectName: a local object has its own name, not the one that its member functions
// know it by.
func TestObjectName(t *testing.T) {
	t.Parallel()
	l := lowerSource(t, temporary(t, "object.cpp", `
struct Line { int sr[4]; int run(int x) { int s = 0; for (int i = 0; i < 4; i++) s += sr[i] * x; sr[x & 3] = x; return s; } };
extern "C" void f(int *a, int n) { Line f0 = {}; for (int i = 0; i < n; i++) a[i] = f0.run(a[i]); }
`), "2")
	m, err := l.lift("f", lift.Options{}, &diag.List{})
	if err != nil {
		t.Fatal(err)
	}
	if out := text(m); !strings.Contains(out, "%f0") || strings.Contains(out, "%this") {
		t.Error(out)
	}
}
