package level0

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/vector"
)

const dyn = ir.Dynamic

// kernel is a C function with the kernel it became.
type kernel struct {
	file, source string
	fn           cabi.Function
	sig          vector.Signature
}

func (k *kernel) build(t testing.TB, opts Options) (*Program, error) {
	t.Helper()
	toolstest.Need(t, tools.CC, tools.CXX)
	fn, sig := k.fn, k.sig
	fn.Source = filepath.Join(t.TempDir(), k.file)
	if err := os.WriteFile(fn.Source, []byte(k.source), 0o644); err != nil {
		t.Fatal(err)
	}
	fn.Cxx = strings.HasSuffix(k.file, ".cpp")
	if sig.Name == "" {
		sig.Name = fn.Name
	}
	sig.Pos = diag.Pos{File: k.file, Line: 1, Col: 1}
	if opts.CacheDir == "" {
		opts.CacheDir = toolstest.Cache(t)
	}
	return Build(context.Background(), &fn, &sig, opts)
}

func (k *kernel) run(t testing.TB, opts Options, inputs string) *vector.Outcome {
	t.Helper()
	p, err := k.build(t, opts)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.ParseInputs("in.json", []byte(`{"args": {`+inputs+`}}`), p.sig, p.opts.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	before := string(in.JSON())
	out, err := p.Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	if string(in.JSON()) != before {
		t.Error("the inputs have changed")
	}
	return out
}

func params(ps ...vector.Param) vector.Signature { return vector.Signature{Params: ps} }

func returns(sig vector.Signature, ts ...ir.Type) vector.Signature {
	sig.Results = ts
	return sig
}

func scalar(name, typ string, size int64, unsigned bool, index int) cabi.Param {
	return cabi.Param{Name: name, Type: typ, Class: cabi.Scalar, Size: size, Unsigned: unsigned, Pieces: []cabi.Piece{{Index: index}}}
}

func array(name, typ string, size int64, index int) cabi.Param {
	return cabi.Param{Name: name, Type: typ, Class: cabi.Pointer, Size: size, Pieces: []cabi.Piece{{Index: index, Stride: size}}}
}

func result(size int64) *cabi.Param {
	return &cabi.Param{Class: cabi.Scalar, Size: size, Pieces: []cabi.Piece{{}}}
}

func mem(elem ir.Type, shape ...int64) ir.Type { return ir.MemRef(shape, elem) }

func TestShapes(t *testing.T) {
	for _, c := range []struct {
		name string
		kernel
		inputs, want string
	}{
		{"dot product of static function", kernel{"dot.c", `
			static int dot(const int *a, const int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
			int main(void) { return dot(0, 0, 0); }`,
			cabi.Function{Name: "dot", Params: []cabi.Param{array("a", "const int *", 4, 0), array("b", "const int *", 4, 1), scalar("n", "int", 4, false, 2)}, Result: result(4)},
			returns(params(vector.Param{Name: "a", Type: mem(ir.I32, dyn)}, vector.Param{Name: "b", Type: mem(ir.I32, dyn)}, vector.Param{Name: "n", Type: ir.I32}), ir.I32)},
			`"a": [1, 2, 3], "b": [4, 5, -6], "n": 3`, `{"results": [-4], "memories": {"a": [1, 2, 3], "b": [4, 5, -6]}, "cycles": 0, "status": "done"}`},
		{"main itself", kernel{"main.c", `
			int base[2] = {3, 4};
			int main(void) { return base[0] * base[1]; }`,
			cabi.Function{Name: "main", Result: result(4)}, returns(params(), ir.I32)},
			``, `{"results": [12], "memories": {}, "cycles": 0, "status": "done"}`},
		{"every width and sign", kernel{"widths.c", `
			#include <stdint.h>
			#include <stdbool.h>
			#include <stddef.h>
			int64_t widths(int8_t a, uint8_t b, int16_t c, uint16_t d, int e, unsigned f, long g, size_t h, bool i, long long j, unsigned char *o) {
				o[0] = i; o[1] = a < 0; o[2] = b > 200; o[3] = c < 0; o[4] = d > 60000; o[5] = e < 0; o[6] = f > 4000000000u; o[7] = g == -2; o[8] = h == 4294967294; o[9] = j == -3;
				return (int64_t)a + b + c + d + e + f + g + (int64_t)h + i; }`,
			cabi.Function{Name: "widths", Params: []cabi.Param{scalar("a", "int8_t", 1, false, 0), scalar("b", "uint8_t", 1, true, 1), scalar("c", "int16_t", 2, false, 2),
				scalar("d", "uint16_t", 2, true, 3), scalar("e", "int", 4, false, 4), scalar("f", "unsigned", 4, true, 5), scalar("g", "long", 8, false, 6), scalar("h", "size_t", 8, true, 7),
				scalar("i", "_Bool", 1, true, 8), scalar("j", "", 8, false, 9), array("o", "unsigned char *", 1, 10)}, Result: result(8)},
			returns(params(vector.Param{Name: "a", Type: ir.I8}, vector.Param{Name: "b", Type: ir.I8}, vector.Param{Name: "c", Type: ir.I16}, vector.Param{Name: "d", Type: ir.I16}, vector.Param{Name: "e", Type: ir.I32},
				vector.Param{Name: "f", Type: ir.I32}, vector.Param{Name: "g", Type: ir.Index}, vector.Param{Name: "h", Type: ir.Index}, vector.Param{Name: "i", Type: ir.I1}, vector.Param{Name: "j", Type: ir.I64}, vector.Param{Name: "o", Type: mem(ir.I8, dyn)}), ir.I64)},
			`"a": -1, "b": -1, "c": -1, "d": -1, "e": -1, "f": 4294967295, "g": 4294967294, "h": 4294967294, "i": 1, "j": -3, "o": {"zeros": 10}`,
			`{"results": [8590000375], "memories": {"o": [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]}, "cycles": 0, "status": "done"}`},
		{"arrays of structs, split per field", kernel{"points.c", `
			struct pt { double x; int id; short tag; float w; };
			void scale(struct pt *p, int n) { for (int i = 0; i < n; i++) { p[i].x *= 2; p[i].w += p[i].id; p[i].tag = i; } }`,
			cabi.Function{Name: "scale", Params: []cabi.Param{{Name: "p", Type: "struct pt *", Class: cabi.Pointer, Size: 24, Pieces: []cabi.Piece{
				{Index: 0, Field: "x", Stride: 24}, {Index: 1, Field: "id", Offset: 8, Stride: 24}, {Index: 2, Field: "w", Offset: 16, Stride: 24}, {Index: 3, Field: "tag", Offset: 12, Stride: 24}}},
				scalar("n", "int", 4, false, 4)}},
			params(vector.Param{Name: "p.x", Type: mem(ir.F64, dyn)}, vector.Param{Name: "p.id", Type: mem(ir.I32, dyn)}, vector.Param{Name: "p.w", Type: mem(ir.F32, dyn)}, vector.Param{Name: "p.tag", Type: mem(ir.I16, dyn)}, vector.Param{Name: "n", Type: ir.I32})},
			`"p.x": [1, 2.5], "p.id": [7, -8], "p.w": [0.5, 1], "p.tag": [9, 9], "n": 2`,
			`{"results": [], "memories": {"p.x": [2.0, 5.0], "p.id": [7, -8], "p.w": [7.5, -7.0], "p.tag": [0, 1]}, "cycles": 0, "status": "done"}`},
		{"struct by value and returned", kernel{"pair.c", `
			typedef struct { float x, y; } pair; typedef struct { long sum; unsigned char c; float f; } res;
			res add(pair p, const pair *q, int unused) { res r = {(long)(p.x + q->x), 200, p.y - q->y}; return r; }`,
			cabi.Function{Name: "add", Params: []cabi.Param{{Name: "p", Type: "pair", Class: cabi.Struct, Size: 8, Pieces: []cabi.Piece{{Index: 0, Field: "x"}, {Index: 1, Field: "y", Offset: 4}}},
				{Name: "q", Type: "const pair *", Class: cabi.Pointer, Size: 8, Pieces: []cabi.Piece{{Index: 2, Field: "x", Stride: 8}, {Index: 3, Field: "y", Offset: 4, Stride: 8}}},
				{Name: "unused", Type: "int", Class: cabi.Scalar, Size: 4}},
				Result: &cabi.Param{Type: "res", Class: cabi.Struct, Size: 16, Pieces: []cabi.Piece{{Index: 0, Field: "sum"}, {Index: 1, Field: "c", Offset: 8}, {Index: 2, Field: "f", Offset: 12}}}},
			returns(params(vector.Param{Name: "p.x", Type: ir.F32}, vector.Param{Name: "p.y", Type: ir.F32}, vector.Param{Name: "q.x", Type: mem(ir.F32, 1)}, vector.Param{Name: "q.y", Type: mem(ir.F32, 1)}), ir.I64, ir.I8, ir.F32)},
			`"p.x": 3, "p.y": 4.5, "q.x": [-10.0], "q.y": [1.0]`, `{"results": [-7, -56, 3.5], "memories": {"q.x": [-10.0], "q.y": [1.0]}, "cycles": 0, "status": "done"}`},
		{"several dimensions", kernel{"mat.c", `
			#define N 3
			void transpose(int n, double a[n][n], short b[2][N]) { for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) { double t = a[i][j]; a[i][j] = a[j][i]; a[j][i] = t; } b[1][2] = b[0][1]; }`,
			cabi.Function{Name: "transpose", Params: []cabi.Param{scalar("n", "int", 4, false, 0), array("a", "double (*)[n]", 8, 1),
				{Name: "b", Type: "short (*)[3]", Class: cabi.Pointer, Size: 6, Pieces: []cabi.Piece{{Index: 2, Stride: 2}}}}},
			params(vector.Param{Name: "n", Type: ir.I32}, vector.Param{Name: "a", Type: mem(ir.F64, dyn)}, vector.Param{Name: "b", Type: mem(ir.I16, dyn, 3)})},
			`"n": 2, "a": [1, 2, 3, 4], "b": [[1, 2, 3], [4, 5, 6]]`,
			`{"results": [], "memories": {"a": [1.0, 3.0, 2.0, 4.0], "b": [[1, 2, 3], [4, 5, 2]]}, "cycles": 0, "status": "done"}`},
		{"global variables", kernel{"glob.c", `
			static int counter = 5; float table[2][2]; static struct { char a; long b; } state;
			int step(void) { counter++; table[1][0] += 1; state.b += state.a; return counter; }`,
			cabi.Function{Name: "step", Params: []cabi.Param{
				{Name: "counter", Type: "int *", Class: cabi.Global, Size: 4, Pieces: []cabi.Piece{{Index: 0, Stride: 4}}},
				{Name: "table", Type: "float (*)[2][2]", Class: cabi.Global, Size: 16, Pieces: []cabi.Piece{{Index: 1, Stride: 4}}},
				{Name: "state", Class: cabi.Global, Size: 16, Pieces: []cabi.Piece{{Index: 2, Field: "a", Stride: 16}, {Index: 3, Field: "b", Offset: 8, Stride: 16}}}},
				Result: result(4)},
			returns(params(vector.Param{Name: "counter", Type: mem(ir.I32, 1)}, vector.Param{Name: "table", Type: mem(ir.F32, 2, 2)}, vector.Param{Name: "state.a", Type: mem(ir.I8)}, vector.Param{Name: "state.b", Type: mem(ir.I64)}), ir.I32)},
			`"counter": [41], "table": [[1, 2], [3, 4]], "state.a": -3, "state.b": 10`,
			`{"results": [42], "memories": {"counter": [42], "table": [[1.0, 2.0], [4.0, 4.0]], "state.a": -3, "state.b": 7}, "cycles": 0, "status": "done"}`},
		{"no arguments at all", kernel{"one.c", "int one() { return 1; }", cabi.Function{Name: "one", Result: result(4)}, vector.Signature{Results: []ir.Type{ir.I32}}},
			``, `{"results": [1], "memories": {}, "cycles": 0, "status": "done"}`},
		{"names of the C library and inline functions", kernel{"names.c", `
			inline int helper(int x) { return x * 2; }
			extern int elsewhere(int); int other(int x) { return elsewhere(x); }
			void write(int *read, int *i) { *read = helper(*read) + *i; }
			void *mmap(void) { return 0; } int memcpy_calls; void memset_() {}`,
			cabi.Function{Name: "write", Params: []cabi.Param{array("read", "int *", 4, 0), array("i", "int *", 4, 1)}},
			params(vector.Param{Name: "read", Type: mem(ir.I32, 1)}, vector.Param{Name: "i", Type: mem(ir.I32, 1)})},
			`"read": [4], "i": [1]`, `{"results": [], "memories": {"read": [9], "i": [1]}, "cycles": 0, "status": "done"}`},
		{"overloads, templates, references", kernel{"over.cpp", `
			#include <algorithm>
			namespace ns { struct box { int lo, hi; };
			template <class T, int N> T clampsum(const T (&a)[N], box &b, const T &x, T &&y) { T s = 0; for (int i = 0; i < N; i++) { s += std::min<T>(std::max<T>(a[i], b.lo), b.hi); } b.hi = s; return s + x + y; }
			template <class T> T f(T *p) { return *p + 1; } inline long f(const int *p) { return *p + 100; } }
			template int ns::clampsum<int, 4>(const int (&)[4], ns::box &, const int &, int &&);
			int main(int argc, char **argv) { return argc; }`,
			cabi.Function{Name: "ns::clampsum<int, 4>", Params: []cabi.Param{array("a", "const int (&)[4]", 4, 0),
				{Name: "b", Type: "ns::box &", Class: cabi.Pointer, Size: 8, Pieces: []cabi.Piece{{Index: 1, Field: "lo", Stride: 8}, {Index: 2, Field: "hi", Offset: 4, Stride: 8}}},
				array("x", "const int &", 4, 3), array("y", "int &&", 4, 4)}, Result: result(4)},
			returns(params(vector.Param{Name: "a", Type: mem(ir.I32, 4)}, vector.Param{Name: "b.lo", Type: mem(ir.I32, 1)}, vector.Param{Name: "b.hi", Type: mem(ir.I32, 1)}, vector.Param{Name: "x", Type: mem(ir.I32, 1)}, vector.Param{Name: "y", Type: mem(ir.I32, 1)}), ir.I32)},
			`"a": [1, 2, 3, 40], "b.lo": [2], "b.hi": [30], "x": [100], "y": [1000]`,
			`{"results": [1137], "memories": {"a": [1, 2, 3, 40], "b.lo": [2], "b.hi": [37], "x": [100], "y": [1000]}, "cycles": 0, "status": "done"}`},
		{"references whose types read like pointers", kernel{"refs.cpp", `
			struct box { int lo, hi; };
			template <class T, int N> T f(const T (&a)[N], box &b, const T &x, T &&y, const T *z, void *w) { b.hi = a[N - 1]; y += x + *z; return b.lo + *(T *)w; }
			template int f<int, 2>(const int (&)[2], box &, const int &, int &&, const int *, void *);`,
			cabi.Function{Name: "f<int, 2>", Params: []cabi.Param{array("a", "const int (*)[2]", 4, 0),
				{Name: "b", Type: "box *", Class: cabi.Pointer, Size: 8, Pieces: []cabi.Piece{{Index: 1, Field: "lo", Stride: 8}, {Index: 2, Field: "hi", Offset: 4, Stride: 8}}},
				array("x", "const int *", 4, 3), array("y", "int *", 4, 4), array("z", "const int *", 4, 5), array("w", "void *", 4, 6)}, Result: result(4)},
			returns(params(vector.Param{Name: "a", Type: mem(ir.I32, 2)}, vector.Param{Name: "b.lo", Type: mem(ir.I32, 1)}, vector.Param{Name: "b.hi", Type: mem(ir.I32, 1)}, vector.Param{Name: "x", Type: mem(ir.I32, 1)},
				vector.Param{Name: "y", Type: mem(ir.I32, 1)}, vector.Param{Name: "z", Type: mem(ir.I32, 1)}, vector.Param{Name: "w", Type: mem(ir.I32, 1)}), ir.I32)},
			`"a": [1, 2], "b.lo": [3], "b.hi": [4], "x": [100], "y": [1000], "z": [7], "w": [20]`,
			`{"results": [23], "memories": {"a": [1, 2], "b.lo": [3], "b.hi": [2], "x": [100], "y": [1107], "z": [7], "w": [20]}, "cycles": 0, "status": "done"}`},
		{"an overload by its exact type", kernel{"over2.cpp", `
			template <class T> T f(T *p) { return *p + 1; } long f(const int *p) { return *p + 100; } double f(double x) { return x / 2; } int f(int x) { return x; }`,
			cabi.Function{Name: "f", Params: []cabi.Param{array("p", "const int *", 4, 0)}, Result: result(8)},
			returns(params(vector.Param{Name: "p", Type: mem(ir.I32, dyn)}), ir.I64)},
			`"p": [5]`, `{"results": [105], "memories": {"p": [5]}, "cycles": 0, "status": "done"}`},
		{"a method", kernel{"method.cpp", `
			class acc { int sum = 0; public: template <class T> int add(T x) { return sum += x; } }; template int acc::add<short>(short);`,
			cabi.Function{Name: "acc::add<short>", Params: []cabi.Param{array("this", "acc *", 4, 0), scalar("x", "short", 2, false, 1)}, Result: result(4)},
			returns(params(vector.Param{Name: "this", Type: mem(ir.I32, 1)}, vector.Param{Name: "x", Type: ir.I16}), ir.I32)},
			`"this": [5], "x": -7`, `{"results": [-2], "memories": {"this": [-2]}, "cycles": 0, "status": "done"}`},
		{"a virtual function", kernel{"virtual.cpp", `
			namespace ns { struct shape { virtual int get(int) const = 0; }; struct ball : shape { int r; int get(int x) const override { return x * r; } }; }`,
			cabi.Function{Name: "ns::ball::get", Params: []cabi.Param{{Name: "this", Type: "const ns::ball *", Class: cabi.Pointer, Size: 16, Pieces: []cabi.Piece{{Index: 0, Field: "r", Offset: 8, Stride: 16}}},
				scalar("x", "int", 4, false, 1)}, Result: result(4)},
			returns(params(vector.Param{Name: "this.r", Type: mem(ir.I32, 1)}, vector.Param{Name: "x", Type: ir.I32}), ir.I32)},
			`"this.r": [5], "x": -7`, `{"results": [-35], "memories": {"this.r": [5]}, "cycles": 0, "status": "done"}`},
		{"builtins that only clang has", kernel{"builtin.c", "unsigned rev(unsigned x) { return __builtin_bitreverse32(x); }",
			cabi.Function{Name: "rev", Params: []cabi.Param{scalar("x", "unsigned int", 4, true, 0)}, Result: result(4)},
			returns(params(vector.Param{Name: "x", Type: ir.I32}), ir.I32)},
			`"x": 1`, `{"results": [-2147483648], "memories": {}, "cycles": 0, "status": "done"}`},
		{"signed overflow wraps", kernel{"wrap.c", "int wrap(int x) { return x + 1 > x; }",
			cabi.Function{Name: "wrap", Params: []cabi.Param{scalar("x", "int", 4, false, 0)}, Result: result(4)},
			returns(params(vector.Param{Name: "x", Type: ir.I32}), ir.I32)},
			`"x": 2147483647`, `{"results": [0], "memories": {}, "cycles": 0, "status": "done"}`},
		{"empty array", kernel{"empty.c", "int count(char *s, int n) { int k = 0; for (int i = 0; i < n; i++) k += s[i]; return k; }",
			cabi.Function{Name: "count", Params: []cabi.Param{array("s", "char *", 1, 0), scalar("n", "int", 4, false, 1)}, Result: result(4)},
			returns(params(vector.Param{Name: "s", Type: mem(ir.I8, dyn)}, vector.Param{Name: "n", Type: ir.I32}), ir.I32)},
			`"s": [], "n": 0`, `{"results": [0], "memories": {"s": []}, "cycles": 0, "status": "done"}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Contains(c.source, "bitreverse") {
				toolstest.Need(t, tools.Clang)
			}
			out := c.run(t, Options{IndexWidth: 32}, c.inputs)
			if got := string(out.JSON(nil)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}
