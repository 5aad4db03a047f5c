package frontend_test

import (
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/domain"
	"loom/compiler/lower"
)

const romMacro = "#define LOOM_TARGET(x) __attribute__((annotate(\"loom.target=\" x)))\n"

// TestROM: parameters marked as ROM, by attribute or pragma, are positions in loom.rom and
// overlap with nothing that is written; the mark goes with a loop that becomes a kernel,
// and with the graph.
func TestROM(t *testing.T) {
	needClang(t)
	for _, c := range []struct {
		name, file, text, rom string
		alias                 bool
	}{
		{"attribute", "k.c", romMacro + `int k(int n, LOOM_TARGET("rom") const int *w, int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) { s += w[i] * a[i]; a[i] = s; }
  return s;
}`, "array<i64: 1>", false},
		{"no mark", "k.c", `int k(int n, const int *w, int *a) {
  int s = 0;
  for (int i = 0; i < n; i++) { s += w[i] * a[i]; a[i] = s; }
  return s;
}`, "", true},
		{"pragma", "k.c", `int k(int n, int *a, int *b,
#pragma loom target("rom")
  int *w, _Pragma("loom target(\"rom\")") const int c[]) {
  int s = 0;
  for (int i = 0; i < n; i++) { s += w[i] * a[i] + c[i]; a[i] = s; b[i] = a[2 * i]; }
  return s;
}`, "array<i64: 3, 4>", true},
		{"struct and vector before it", "k.c", romMacro + `struct q { long a, b; double c; }; struct s { int x; float y, z; };
typedef int v4 __attribute__((vector_size(16)));
int k(struct q q, struct s s, v4 v, LOOM_TARGET("rom") const int *w, int *a) {
  int r = 0;
  for (int i = 0; i < s.x; i++) { r += w[i] * a[i] + v[1]; a[i] = r; }
  return r + (int)q.b;
}`, "w", false},
		{"fields", "k.cpp", romMacro + `struct p { int x; short y; };
int k(int n, LOOM_TARGET("rom") const p (&w)[8], int *a) {
  int s = 0;
  for (int i = 0; i < 8; i++) { s += w[i].x * a[i] + w[i].y; a[i] = s; }
  return s + n;
}`, "array<i64: 1, 2>", false},
		{"helper, other targets, a table", "k.c", romMacro + `LOOM_TARGET("rom") static const int table[4] = {1, 2, 3, 4};
static int at(LOOM_TARGET("rom") const int *p, int i) { return p[i]; }
LOOM_TARGET("spatial") int k(int n, LOOM_TARGET("extmemory") int *a, LOOM_TARGET("rom") const int *w) {
  int s = 0;
  for (int i = 0; i < n; i++) { s += at(w, i) + table[i & 3]; a[i] = s; }
  return s;
}`, "array<i64: 2>", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, _, err := pragmaFiles(t, nil, c.file, c.text)
			if err != nil {
				t.Fatal(diag.Render(diag.FromError(err), nil))
			}
			fn := res.Module.Regions[0].Entry().Ops[len(res.Module.Regions[0].Entry().Ops)-1]
			got := ""
			if a := fn.Attr(cabi.ROM); a != nil {
				got = a.String()
			}
			if c.rom == "w" { // where the position depends on the calling convention
				params := fn.Regions[0].Entry().Args
				roms, err := cabi.ReadROM(fn, params)
				for i, v := range params {
					if err != nil || roms[i] != (v.Name == "w") {
						t.Errorf("%s: parameter %s, %v", got, v.Name, err)
					}
				}
			} else if got != c.rom {
				t.Errorf("%s = %s, want %s", cabi.ROM, got, c.rom)
			}
			if has := fn.Attr(cabi.MayAlias) != nil; has != c.alias {
				t.Errorf("%v", fn.Attr(cabi.MayAlias))
			}
			low, err := lower.Lower(res.Module, lower.Options{IndexWidth: 32})
			if err != nil {
				t.Fatal(err)
			}
			if a := low.Func.Attr(cabi.ROM); c.rom != "" && (a == nil || a.String() != got) {
				t.Errorf("the graph has %v", a)
			}
			part, err := domain.Outline(res.Module, fn, 0)
			if err != nil {
				t.Fatal(err)
			}
			params := part.Kernel.Regions[0].Entry().Args
			roms, err := cabi.ReadROM(part.Kernel, params)
			for i, v := range params {
				if want := c.rom != "" && (v.Name == "w" || v.Name == "c" || strings.HasPrefix(v.Name, "w.")); err != nil || roms[i] != want {
					t.Errorf("loop: parameter %s is ROM: %v, %v", v.Name, roms, err)
				}
			}
		})
	}
}

// TestROMErrors: what is written, and what is no array, cannot be ROM.
func TestROMErrors(t *testing.T) {
	needClang(t)
	loop := "  int s = 0;\n  for (int i = 0; i < n; i++) { s += a[i]; a[i] = s; }\n  return s;\n}\n"
	for _, c := range []struct{ name, text, want string }{
		{"written", romMacro + "int k(int n, LOOM_TARGET(\"rom\") int *a) {\n" + loop, "k.c:4:49: error: 'a' is marked as ROM and is written here"},
		{"a number", romMacro + "int k(LOOM_TARGET(\"rom\") int n, int *a) {\n" + loop, `k.c:2:1: error: parameter "n" is marked as ROM and is no array`},
		{"a function", romMacro + "LOOM_TARGET(\"rom\") int k(int n, int *a) {\n" + loop, "k.c:2:1: error: 'k' is no constant array and no parameter"},
		{"a variable", romMacro + "LOOM_TARGET(\"rom\") int t[4];\nint k(int n, int *a) {\n" + loop, "k.c:2:1: error: 't' is no constant array and no parameter"},
		{"a local variable", romMacro + "int k(int n, int *a) {\n  LOOM_TARGET(\"rom\") int t[4];\n  a[0] = t[n];\n" + loop, "k.c:3:1: error: a local variable cannot be ROM"},
		{"another target", romMacro + "int k(int n, LOOM_TARGET(\"ram\") int *a) {\n" + loop, `k.c:2:1: error: unknown target "ram"`},
		{"a pragma without a name", "int k(int n,\n#pragma loom target\nint *a) {\n" + loop, "k.c:2:2: error: '#pragma loom target' takes a name, as in target(rom), found ''"},
		{"a pragma at a loop", "int k(int n, int *a) {\n  int s = 0;\n#pragma loom target rom\n  for (int i = 0; i < n; i++) s += a[i];\n  return s;\n}\n",
			"'#pragma loom target' stands in front of a parameter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := pragmaFiles(t, nil, "k.c", c.text)
			if err == nil {
				t.Fatal("accepted")
			}
			if text := diag.Render(diag.FromError(err), nil); !strings.Contains(text, c.want) {
				t.Errorf("%s\nwant %s", text, c.want)
			}
		})
	}
}
