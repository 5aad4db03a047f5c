package level0

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/vector"
)

// onArray is void f(T *x, int n) or the like.
func onArray(source string) kernel {
	return kernel{"k.c", source, cabi.Function{Name: "f", Params: []cabi.Param{array("x", "int *", 4, 0), scalar("n", "int", 4, false, 1)}, Result: result(4)},
		returns(params(vector.Param{Name: "x", Type: mem(ir.I32, dyn)}, vector.Param{Name: "n", Type: ir.I32}), ir.I32)}
}

// TestEnds: every run ends, and its outcome reports how.
func TestEnds(t *testing.T) {
	for _, c := range []struct {
		name, source string
		status       vector.Status
		want         string
	}{
		{"division by zero", "int f(int *x, int n) { return n / x[0]; }", vector.Error, "f divides an integer by zero, or the smallest number by -1 (signal SIGFPE)"},
		{"wild pointer", "int f(int *x, int n) { return *(int *)(long)(n * 8); }", vector.Error, "f accesses an address outside of all its memory"},
		{"abort", "#include <assert.h>\nint f(int *x, int n) { assert(n == 77); return 0; }", vector.Error, "f calls abort, as a failed assertion does (signal SIGABRT)"},
		{"trap", "int f(int *x, int n) { __builtin_trap(); }", vector.Error, "declared never to run"},
		{"exit", "#include <stdlib.h>\nint f(int *x, int n) { exit(n); }", vector.Error, "f ends the program with exit status 3 instead of returning"},
		{"exit with success", "#include <stdlib.h>\nint f(int *x, int n) { exit(0); }", vector.Error, "it calls exit"},
		{"endless", "int f(int *x, int n) { volatile int i = 1; while (i) ; return 0; }", vector.Budget, "f does not end within 1 seconds"},
		{"endless recursion", "int f(int *x, int n) { volatile int a[1000]; a[n] = f(x, n + 1) + 1; return a[n]; }", vector.Error, "local variables are larger than the stack"},
		{"prints a lot", "#include <stdio.h>\nint f(int *x, int n) { for (int i = 0; i < 100000; i++) { puts(\"text\"); fputs(\"text\", stderr); } return 7; }", vector.Done, ""},
		{"closes files", "#include <unistd.h>\nint f(int *x, int n) { close(3); close(4); return 7; }", vector.Error, "closes files"},
		{"large local array", "int f(int *x, int n) { volatile int a[20 << 20]; a[0] = 1; a[n << 20] = 2; return a[0]; }", vector.Done, ""},
		{"leaves a child that holds the pipe", "#include <unistd.h>\nint f(int *x, int n) { if (fork() == 0) { sleep(30); _exit(0); } _exit(0); }", vector.Error, "calls exit"},
		{"a write behind the array", "int f(int *x, int n) { x[n + 2] = 1; return 0; }", vector.Error, "f writes behind x: to x[5] of an array of 4"},
		{"a write before the array", "int f(int *x, int n) { x[n - 5] = 1; return 0; }", vector.Error, "f writes before x: to x[-2] of an array of 4"},
		{"a write at the end", "int f(int *x, int n) { x[n] = 1; return 0; }", vector.Done, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := onArray(c.source)
			start := time.Now()
			out := k.run(t, Options{Seconds: 1}, `"x": [0, 1, 2, 3], "n": 3`)
			if text := strings.Join(out.Detail, "\n"); out.Status != c.status || !strings.Contains(text, c.want) {
				t.Errorf("%s %q", out.Status, text)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// TestInterrupt: the end of the context ends the function.
func TestInterrupt(t *testing.T) {
	k := onArray("int f(int *x, int n) { volatile int i = 1; while (i) ; return 0; }")
	p, err := k.build(t, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(100*time.Millisecond, cancel)
	in, _ := vector.ParseInputs("", []byte(`{"args": {"x": [], "n": 1}}`), p.sig, 64)
	if _, err := p.Run(ctx, in); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestSanitize: undefined behaviour is found, with its line; what the project defines
// is no finding.
func TestSanitize(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"nothing", "return x[n];", ""},
		{"wrapping", "return (x[3] << 30) * n + 2147483647 + n;", ""},
		{"a negative number to the left", "return -n << 2;", ""},
		{"shift beyond the width", "return\n n << (n + 29);", ":2:4: undefined behaviour: shift exponent 32 is too large for 32-bit type 'int'"},
		{"division", "return n / x[0];", "undefined behaviour: division by zero"},
		{"float to int", "float y = x[3] * 1e20f;\n\n return y;", ":3:"},
		{"local array", "int a[4] = {0}; return a[n + 1];", "undefined behaviour: index 4 out of bounds for type 'int [4]'"},
		{"reads behind the array", "return\n x[n + 1];", ":2:"},
		{"reads far behind the array", "return\n x[n + 1000];", "undefined behaviour: read of 4 bytes outside of an array"},
		{"writes before the array", "x[-1] = 1;\n return 2;", "undefined behaviour: write of 4 bytes outside of an array"},
		{"uninitialised loop of nothing", "int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s;", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			k := onArray("int f(int *x, int n) { " + c.body + " }")
			out := k.run(t, Options{Sanitize: true}, `"x": [0, 1, 2, 2147483647], "n": 3`)
			text := strings.Join(out.Detail, "\n")
			switch {
			case c.want == "" && out.Status != vector.Done:
				t.Errorf("%s %q", out.Status, text)
			case c.want != "" && (out.Status != vector.Error || !strings.Contains(text, c.want) || !strings.Contains(text, "k.c:")):
				t.Errorf("%s %q, want %q", out.Status, text, c.want)
			}
		})
	}
}

// TestBuildErrors: what cannot be built is reported with the reason, at the source.
func TestBuildErrors(t *testing.T) {
	bad := onArray("int f(int *x, int n) {\n  return y; }")
	missing := onArray("int g(int); int f(int *x, int n) { return g(n); }")
	renamed := onArray("int g(int *x, int n) { return n; }")
	size := kernel{"k.c", "struct s { int a; }; int f(struct s v) { return v.a; }",
		cabi.Function{Name: "f", Params: []cabi.Param{{Name: "v", Type: "struct s", Class: cabi.Struct, Size: 8, Pieces: []cabi.Piece{{}}}}, Result: result(4)},
		returns(params(vector.Param{Name: "v", Type: ir.I32}), ir.I32)}
	for _, c := range []struct {
		k    kernel
		want string
	}{
		{bad, "k.c:2:10: error: the host compiler does not accept this: "},
		{missing, "cannot be linked for the native run: g has no definition"},
		{renamed, "cannot be linked for the native run: f has no definition"},
		{size, "the call of f does not fit the source"},
	} {
		_, err := c.k.build(t, Options{})
		if err == nil || !strings.Contains(diag.Render(diag.FromError(err), nil), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	// A description that does not fit the kernel.
	for _, c := range []struct {
		change func(f *cabi.Function)
		want   string
	}{
		{func(f *cabi.Function) { f.Params[0].Pieces[0].Index = 9 }, `"x" names parameter 9 of 2`},
		{func(f *cabi.Function) { f.Params[0].Pieces[0].Index = 1 }, `"x" as a pointer of type i32`},
		{func(f *cabi.Function) { f.Params[1].Pieces = nil }, `parameter "n" is not described`},
		{func(f *cabi.Function) { f.Params = append(f.Params, f.Params[1]) }, `parameter "n" is described twice`},
		{func(f *cabi.Function) { f.Result = nil }, "0 of 1 results are described"},
		{func(f *cabi.Function) { f.Source = "" }, "not made from C or C++ source"},
	} {
		k := onArray("int f(int *x, int n) { return n; }")
		fn := k.fn
		fn.Source = "k.c"
		c.change(&fn)
		if _, err := Build(context.Background(), &fn, &k.sig, Options{CacheDir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// TestMissingCompiler: an error of its own kind.
func TestMissingCompiler(t *testing.T) {
	t.Setenv("CC", "loom-no-such-compiler")
	t.Setenv("CXX", "loom-no-such-compiler")
	for _, cxx := range []bool{false, true} {
		k := onArray("")
		fn := k.fn
		fn.Source, fn.Cxx = "level0.go", cxx // any file
		var missing *tools.MissingError
		if _, err := Build(context.Background(), &fn, &k.sig, Options{CacheDir: t.TempDir()}); !errors.As(err, &missing) {
			t.Errorf("%v", err)
		}
	}
}

// TestCache: one program per content, under any name; a header counts; the cache
// stays small.
func TestCache(t *testing.T) {
	toolstest.Need(t, tools.CC)
	cache, dir := t.TempDir(), t.TempDir()
	k := onArray("#include \"h.h\"\nint f(int *x, int n) { return H; }")
	fn := k.fn
	fn.Source = filepath.Join(dir, "k.c")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("k.c", k.source)
	in, _ := vector.ParseInputs("", []byte(`{"args": {"x": [], "n": 1}}`), &k.sig, 64)
	value := func() (uint64, string) {
		p, err := Build(context.Background(), &fn, &k.sig, Options{CacheDir: cache})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Run(context.Background(), in)
		if err != nil || out.Status != vector.Done {
			t.Fatal(err, out)
		}
		return out.Results[0].Bits, p.path
	}
	write("h.h", "#define H 3")
	v1, p1 := value()
	v2, p2 := value()
	write("h.h", "#define H 4")
	v3, p3 := value()
	fn.Flags = []string{"-DUNUSED=1"}
	_, p4 := value()
	if v1 != 3 || v2 != 3 || v3 != 4 || p1 != p2 || p1 == p3 || p3 == p4 {
		t.Errorf("%d %s, %d %s, %d %s, %s", v1, p1, v2, p2, v3, p3, p4)
	}
	entries, _ := os.ReadDir(filepath.Join(cache, "native"))
	if len(entries) != 3 {
		t.Errorf("the cache holds %d entries", len(entries))
	}
	prune(filepath.Join(cache, "native"), 1)
	if entries, _ = os.ReadDir(filepath.Join(cache, "native")); len(entries) != 1 || entries[0].Name() != filepath.Base(p4) {
		t.Errorf("after pruning: %v", entries)
	}
}
