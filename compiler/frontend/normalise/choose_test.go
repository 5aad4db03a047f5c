package normalise

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/pass"
)

const manyNames = `
namespace ns {
template <typename T, int N> T dot(const T *a, const T *b) { T s = 0; for (int i = 0; i < N; i++) s += a[i] * b[i]; return s; }
template int dot<int, 4>(const int *, const int *);
template float dot<float, 4>(const float *, const float *);
struct V { float x; float norm(float s) const; };
float V::norm(float s) const { return x * s; }
}
void scale(int *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }
void scale(float *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2; }
`

// TestNames finds functions by every spelling that users have.
func TestNames(t *testing.T) {
	m, debug := importSource(t, "names.cpp", manyNames, clang.Options{})
	mod := newModule(m, debug)
	for _, c := range []struct{ want, link string }{
		{"_Z5scalePfi", "_Z5scalePfi"},
		{"scale(float*, int)", "_Z5scalePfi"},
		{"scale(int *,int)", "_Z5scalePii"},
		{"ns::dot<int, 4>", "_ZN2ns3dotIiLi4EEET_PKS1_S3_"},
		{"ns::dot<float,4>", "_ZN2ns3dotIfLi4EEET_PKS1_S3_"},
		{"dot<int, 4>(int const*, int const*)", "_ZN2ns3dotIiLi4EEET_PKS1_S3_"},
		{"ns::dot<int, 4>(const int *, const int *)", "_ZN2ns3dotIiLi4EEET_PKS1_S3_"},
		{"norm", "_ZNK2ns1V4normEf"},
		{"V::norm", "_ZNK2ns1V4normEf"},
		{"ns::V::norm(float)", "_ZNK2ns1V4normEf"},
	} {
		f, err := mod.choose(c.want, &diag.List{})
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
		} else if f.link != c.link {
			t.Errorf("%s: found %s, want %s", c.want, f.link, c.link)
		}
	}
	for _, bad := range []string{"scale", "dot", "ns::dot", "orm", "scale(double*, int)", "", "nrm"} {
		f, err := mod.choose(bad, &diag.List{})
		if err == nil {
			t.Errorf("%s: found %s", bad, f.link)
		}
	}
}

// TestOwnFunctions: those of the file itself come before those of what it includes,
// unless they print.
func TestOwnFunctions(t *testing.T) {
	const header = "\n#line 1 \"run.h\"\n"
	for _, c := range []struct{ name, text, want string }{
		{"called from a header", "int k(int *a) { return *a; }" + header + "int run(void *v) { return k(v); }", "k"},
		{"beside a header's", "int k(int *a) { return *a; }" + header + "int sum(int *a) { return a[0] + a[1]; }", "k"},
		{"called through a header", "static int g(int a) { return a; }" + header + "static int both(int (*f)(int), int a) { return f(a); }\n" +
			"#line 3 \"k.c\"\nint k(int *a) { return both(g, *a); }", "k"},
		{"a header's, the file's own prints", "#include <stdio.h>\nvoid check(int *a) { printf(\"%d\", *a); }" + header + "int k(int *a) { return *a; }", "k"},
		{"only one loops", "int j(int *a) { return *a; }\nint l(int *a) { while (*a > 7) *a /= 2; return *a; }", "l"},
		{"two", "int j(int *a) { return *a; }\nint l(int *a) { return *a; }" + header + "int sum(int *a) { return *a; }", ""},
	} {
		for _, file := range []string{"k.c", filepath.Join(t.TempDir(), "k.c")} {
			m, debug := importSource(t, file, strings.ReplaceAll(c.text, `"k.c"`, strconv.Quote(file)), clang.Options{Level: "0"})
			f, err := newModule(m, debug).choose("", &diag.List{})
			switch {
			case err == nil && f.link != c.want:
				t.Errorf("%s: found %s", c.name, f.link)
			case err != nil && c.want != "":
				t.Errorf("%s: %v", c.name, err)
			case err != nil && (err.(*diag.Diagnostic).Pos.File != file || len(err.(*diag.Diagnostic).Notes) != 2):
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// TestLikelyFirst: where the kernel is not clear, the function with most loops is proposed.
func TestLikelyFirst(t *testing.T) {
	m, debug := importSource(t, "k.c", `#include <stdio.h>
void f(int *a) { for (int i = 0; i < 9; i++) a[i] = i; }
void g(int *a) { for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) a[i] += a[j]; }
void p(int *a) { for (int i = 0; i < 9; i++) for (int j = 0; j < i; j++) for (int k = 0; k < j; k++) printf("%d", a[i]); }
void h(int *a) { for (int i = 0; i < 9; i++) a[i] *= 3; }`, clang.Options{})
	_, err := newModule(m, debug).choose("", &diag.List{})
	d, ok := err.(*diag.Diagnostic)
	if !ok || d.Help != "choose with --function g" {
		t.Errorf("%v", err)
	}

	// What prepares the data or checks it is not proposed, nor what cannot be accelerated.
	m, debug = importSource(t, "k.c", `int in[9][9];
void in_init(void) { for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) in[i][j] = i ^ j; }
int checkResult(void) { for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) if (in[i][j]) return 1; return 0; }
int rand(void);
void draw(void) { for (int i = 0; i < 9; i++) for (int j = 0; j < 9; j++) in[i][j] = rand(); }
int initial(void) { int s = 0; for (int i = 0; i < 9; i++) s += in[i][i]; return s; }`, clang.Options{})
	_, err = newModule(m, debug).choose("", &diag.List{})
	d, ok = err.(*diag.Diagnostic)
	if !ok || d.Help != "choose with --function initial" {
		t.Errorf("%v", err)
	}

	// A kernel is taken where the others only prepare or check its data.
	m, debug = importSource(t, "k.c", `int in[9];
void in_init(void) { for (int i = 0; i < 9; i++) in[i] = i * i; }
int sum(void) { int s = 0; for (int i = 0; i < 9; i++) s += in[i]; return s; }
void start_trigger(void) {}
int check(int s) { for (int i = 0; i < 9; i++) s -= in[i]; return s; }`, clang.Options{})
	if f, err := newModule(m, debug).choose("", &diag.List{}); err != nil || f.name != "sum" {
		t.Errorf("%v, %v", f, err)
	}

	// A kernel that is called like its file is taken.
	for _, name := range []string{"sum", "sum_main", "sum_kernel", "kernel"} {
		m, debug = importSource(t, "sum.c", `int in[9];
void sum_init(void) { for (int i = 0; i < 9; i++) in[i] = i * i; }
int `+name+`(void) { int s = 0; for (int i = 0; i < 9; i++) s += in[i]; return s; }`, clang.Options{})
		f, err := newModule(m, debug).choose("", &diag.List{})
		if err != nil || f.name != name {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}

	// So is one that only some of the others call, but not where one calls it for all.
	for _, c := range []struct{ more, want string }{
		{"int reference(void) { int s = 0; for (int i = 0; i < 9; i++) s += in[i]; return s; }", "sum"}, {"", "run"},
	} {
		for _, level := range []string{"", "0"} {
			m, debug = importSource(t, "sum.c", `int in[9];
static int sum(void) { int s = 0; for (int i = 0; i < 9; i++) s += in[i]; return s; }
int run(void) { return sum() + sum(); }`+c.more, clang.Options{Level: level})
			f, err := newModule(m, debug).choose("", &diag.List{})
			if err != nil || f.name != c.want {
				t.Errorf("%q, level %q: %v, %v", c.more, level, f, err)
			}
		}
	}

	// A function that does nothing is no candidate, where there are others.
	for text, want := range map[string]string{
		"void trigger(void) {}\nint twice(int a) { return 2 * a; }":                      "twice",
		"void trigger(void) {}\nint main(void) { return 0; }":                            "trigger",
		"int kernel(int a) { return 2 * a; }\nint other(int a) { return 3 * a; }":        "kernel",
		"int init(int *a) { while (*a > 7) *a /= 2; return *a; }\nvoid trigger(void) {}": "init",
	} {
		m, debug = importSource(t, "k.c", text, clang.Options{})
		notes := &diag.List{}
		if f, err := newModule(m, debug).choose("", notes); err != nil || f.name != want || want != "kernel" && len(notes.All) > 0 {
			t.Errorf("%s: %v, %v, %v", want, f, err, notes.All)
		}
	}

	// What the compiler made has no name that could be chosen.
	m, debug = importSource(t, "k.cpp", `int h(); static int k = h(); static int l = h() + k;
int f(int *a) { for (int i = 0; i < 9; i++) a[i] = k; return l; }
int g(int *a) { for (int i = 0; i < 9; i++) a[i] += k; return l; }`, clang.Options{})
	_, err = newModule(m, debug).choose("", &diag.List{})
	if d, ok = err.(*diag.Diagnostic); !ok || !strings.HasPrefix(d.Help, "choose with --function ") || strings.ContainsAny(d.Help, ";_") {
		t.Errorf("%v", err)
	}

	// A kernel in a harness is called, or even inlined.
	m, debug = importSource(t, "k.c", `int in[9], out[9];
static void scale(void) { for (int i = 0; i < 9; i++) out[i] = 3 * in[i]; }
void run(int n) { while (n--) scale(); }
void clear(void) { for (int i = 0; i < 9; i++) in[i] = i; }`, clang.Options{})
	_, err = newModule(m, debug).choose("", &diag.List{})
	d, ok = err.(*diag.Diagnostic)
	if !ok || d.Help != "choose with --function run; a function that is called can be chosen too: scale" {
		t.Errorf("%v", err)
	}
}

// TestOthersAreNamed: the report of a choice names other functions, in full.
func TestOthersAreNamed(t *testing.T) {
	m, debug := importSource(t, "k.cpp", `template <class F> void apply(F f, int *a) { f(a); }
template void apply<void (*)(int *)>(void (*)(int *), int *);
void kernel(int *a) { for (int i = 0; i < 9; i++) a[i] *= 3; }`, clang.Options{})
	notes := &diag.List{}
	f, err := newModule(m, debug).choose("", notes)
	if err != nil || f.name != "kernel" || len(notes.All) != 1 {
		t.Fatal(err, diag.Render(notes, nil))
	}
	if d := notes.All[0]; d.Help != "another one is chosen with --function apply" || len(d.Notes) != 1 || d.Notes[0].Message != "--function apply" {
		t.Error(diag.Render(notes, nil))
	}
	for _, g := range newModule(m, debug).funcs {
		if g.name != "kernel" && g.shown != "apply<void (*)(int *)>" {
			t.Errorf("shown as %s", g.shown)
		}
	}
}

// TestVolatile: one warning for each variable that others may see.
func TestVolatile(t *testing.T) {
	m, debug := importSource(t, "k.c", `volatile int flag;
int k(volatile int *a, int n) { volatile int local = 0; for (int i = 0; i < n; i++) { local += a[i]; a[i + 1] = local; flag = i; flag += a[i]; } return local; }`, clang.Options{})
	notes := &diag.List{}
	if err := Run(m, Options{Debug: debug, Pass: pass.Options{Verify: true}}, notes); err != nil {
		t.Fatal(err)
	}
	if len(notes.All) != 2 || notes.All[0].Pos.Col != 96 || !strings.Contains(notes.All[1].Message, "volatile") {
		t.Error(diag.Render(notes, nil))
	}
}
