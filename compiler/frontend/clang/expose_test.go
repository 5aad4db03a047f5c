package clang_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loom/compiler/frontend/clang"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

const benchmark = `
#include <stdio.h>
static int in[64], out[64];
static int table[4] = {1, 2, 3, 4};
int weight(int k) { return table[k & 3]; }
static void fill(void) { for (int i = 0; i < 64; i++) in[i] = i; }
static void kernel(int n, int scale) { for (int i = 0; i < n; i++) out[i] = in[i] * scale + weight(i); }
int main(void) { fill(); kernel(64, 3); for (int i = 0; i < 64; i++) printf("%d\n", out[i]); return 0; }
`

var defined = regexp.MustCompile(`(?m)^define .*?@([\w.]+)\(`)

// TestExpose compiles files of the kinds that people have and looks at what is left.
func TestExpose(t *testing.T) {
	toolstest.Need(t, tools.Clang)
	for _, c := range []struct {
		name, file, text, function string
		want                       string   // functions with a body, in order
		has, hasNot                []string // texts
	}{
		{"a benchmark: main has neither swallowed nor specialised the kernel, and what it fills is not known",
			"k.c", benchmark, "", "fill kernel",
			[]string{"@kernel(i32 noundef %n, i32 noundef %scale)", "@in = dso_local", "@out = dso_local", "load i32, ptr %", "mul "}, []string{"@main", "@printf"}},
		{"only what is asked for", "k.c", benchmark, "kernel", "kernel", nil, []string{"@fill"}},
		{"a helper by its name", "k.c", benchmark, "weight", "weight", nil, []string{"@kernel"}},
		{"main by its name", "k.c", benchmark, "main", "main", []string{"@printf"}, nil},
		{"no function of that name: all are left for the message", "k.c", benchmark, "kernal", "fill kernel", nil, nil},
		{"a static function that nothing calls", "k.c", "static int twice(int a) { return 2 * a; }\nstatic void k(int *a) { a[0] = twice(a[0]); }", "", "k", nil, nil},
		{"a table only the kernel reads is a constant", "k.c",
			"static int t[4] = {1, 2, 3, 4};\nint k(int i) { return t[i & 3]; }", "", "k", []string{"@t = internal unnamed_addr constant"}, nil},
		{"functions in a table are called by those that read it", "k.c",
			"static int f(int a) { return a + 1; }\nstatic int g(int a) { return a - 1; }\nstatic int (*const t[2])(int) = {f, g};\nint k(int a, int i) { return t[i](a); }", "", "f g k", []string{"define internal noundef i32 @f"}, []string{"define dso_local i32 @f"}},
		{"a template by its spelling, without the others", "k.cpp",
			"namespace n { template <class T> T twice(T a) { return a + a; } }\nint i(int a) { return n::twice(a); } float f(float a) { return n::twice(a); }",
			"n::twice<int>(int)", "_ZN1n5twiceIfEET_S1_ _ZN1n5twiceIiEET_S1_", nil, []string{"@_Z1fi"}},
		{"functions that call each other", "k.c", "int g(int);\nint f(int a) { return a ? g(a - 1) * 2 : 1; }\nint g(int a) { return a ? f(a - 1) * 3 : 2; }", "", "f g", nil, nil},
		{"an annotated kernel", "k.cpp",
			"__attribute__((weak, noinline)) void hint(int n) { asm volatile(\"\" :: \"r\"(n)); }\n" +
				"__attribute__((annotate(\"loom.accel\"))) void a(int *x, int n) { for (int i = 0; i < n; i++) { hint(i); x[i] = i; } }\nvoid b(int *x) { *x = 1; }",
			"", "_Z1aPii", nil, []string{"hint(", "asm "}},
		{"a kernel whose caller is in a header", "k.c",
			"static int g(int a) { return a + 1; }\nvoid k(int *a, int *b) { *a = g(*b); }\n#line 1 \"run.h\"\nvoid run(void *v) { int **p = v; k(p[0], p[1]); }", "", "k run", nil, nil},
		{"inline functions of headers are no kernels", "k.cpp", "#include <algorithm>\n#include <cmath>\nvoid k(int *a, int n) { std::sort(a, a + n); }\nint main() { return std::max(1, 2); }", "", "", []string{"@_Z1kPii"}, []string{"@main"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			if err := os.WriteFile(filepath.Base(c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			ll, err := clang.Compile(context.Background(), c.file, clang.Options{Function: c.function})
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(string(ll), os.TempDir()+"/") {
				t.Error("the text names a temporary file")
			}
			var names []string
			for _, m := range defined.FindAllStringSubmatch(string(ll), -1) {
				names = append(names, m[1])
			}
			if got := strings.Join(names, " "); c.want != "" && sorted(got) != sorted(c.want) {
				t.Errorf("functions %s, want %s", got, c.want)
			}
			for _, s := range c.has {
				if !strings.Contains(string(ll), s) {
					t.Errorf("%q is missing in\n%s", s, ll)
				}
			}
			for _, s := range c.hasNot {
				if strings.Contains(string(ll), s) {
					t.Errorf("%q is there", s)
				}
			}
		})
	}
}

func sorted(s string) string {
	f := strings.Fields(s)
	for i := range f {
		for j := i; j > 0 && f[j] < f[j-1]; j-- {
			f[j], f[j-1] = f[j-1], f[j]
		}
	}
	return strings.Join(f, " ")
}

// TestCancel ends a compilation that is not wanted any more.
func TestCancel(t *testing.T) {
	if _, err := tools.Find(tools.Clang); err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "k.c")
	if err := os.WriteFile(file, []byte("int k(int a) { return a; }"), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := clang.Compile(ctx, file, clang.Options{}); err != context.Canceled {
		t.Errorf("got %v", err)
	}
}
