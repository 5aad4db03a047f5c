package lift_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
)

// TestAliases: which parameters may overlap, by position, and the remark about it.
func TestAliases(t *testing.T) {
	t.Parallel()
	const text = `
int g[8]; static int own[4]; float scale[4];
struct pt { int x; float y; };
void two(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
void kept(int *restrict a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
int reads(int *a, int *b, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
void types(int *a, float *b, short *c, int n) { for (int i = 0; i < n; i++) { a[i] = b[i]; c[i]++; } }
void chars(int *a, unsigned char *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
void partly(int *a, int *b, float *c, float *d, int n) { for (int i = 0; i < n; i++) { a[i] = b[i]; c[i] = d[i]; } }
void chain(int *a, int *b, int *c, int n) { for (int i = 0; i < n; i++) c[i] = a[i] + b[i]; }
void fields(struct pt *p, int *a, float *b, int n) { for (int i = 0; i < n; i++) { p[i].x = a[i]; p[i].y = b[i]; } }
void global(int *a, int n) { for (int i = 0; i < n; i++) a[i] = g[i & 7] + own[i & 3]++; }
void meet(int *a, int *b, int n) { for (int i = 0; i < n; i++) a[i] = g[i & 7] + b[i]; }
void apart(int *a, int *b, int n) { for (int i = 0; i < n; i++) g[i & 7] = a[i] + b[i]; }
void five(int *a, int *b, int *c, int *d, int *e, int n) { for (int i = 0; i < n; i++) a[i] += b[i] + c[i] + d[i] + e[i]; }
void many(int *a, int *b, int *c, int *d, int *e, int *f, int *h, int n) {
  for (int i = 0; i < n; i++) { a[i]++; b[i]++; c[i]++; d[i]++; e[i]++; f[i]++; h[i]++; } }
void most(int *a, int *b, int *c, int *d, int *e, int *f, int *h, int n) {
  for (int i = 0; i < n; i++) { a[i]++; b[i]++; c[i]++; d[i]++; e[i]++; f[i] += h[i]; } }
void globals(int n) { for (int i = 0; i < n; i++) g[i & 7] = (int)scale[i & 3]; }
void local(int *a, int n) { int t[64]; for (int i = 0; i < n; i++) t[i & 63] = a[i]; for (int i = 0; i < n; i++) a[i] = t[(i * 7) & 63]; }
`
	l := lowerSource(t, temporary(t, "alias.c", text), "2")
	for _, c := range []struct{ name, groups, remark string }{
		{"two", "[[0, 1]]", "'a' and 'b' may overlap and 'a' is written"},
		{"kept", "", ""},
		{"reads", "", ""},
		{"types", "", ""},
		{"chars", "[[0, 1]]", "'a' and 'b' may overlap and 'a' is written"},
		{"partly", "[[0, 1], [2, 3]]", "'a' and 'b' may overlap and 'a' is written\n'c' and 'd' may overlap and 'c' is written"},
		{"chain", "[[0, 2], [1, 2]]", "'a', 'b' and 'c' may overlap and 'c' is written"},
		{"fields", "[[0, 2], [1, 3]]", "'p.x' and 'a' may overlap and 'p.x' is written\n'p.y' and 'b' may overlap and 'p.y' is written"},
		{"global", "[[0, 2], [0, 3]]", "'a' may point into 'g' and 'own', and 'a' and 'own' are written"},
		{"meet", "[[0, 1], [0, 3]]", "'a' and 'b' may overlap, or point into 'g', and 'a' is written"},
		{"apart", "[[0, 3], [1, 3]]", "'a' and 'b' may point into 'g', and 'g' is written"},
		{"five", "[[0, 1], [0, 2], [0, 3], [0, 4]]", "'a', 'b', 'c', 'd' and 'e' may overlap and 'a' is written"},
		{"many", "[[0, 1, 2, 3, 4, 5, 6]]", "'a', 'b', 'c', 'd' and 3 more may overlap and all are written"},
		{"most", "[[0, 1, 2, 3, 4, 5, 6]]", "'a', 'b', 'c', 'd' and 3 more may overlap and 'a', 'b', 'c', 'd' and 2 more are written"},
		{"globals", "", ""},
		{"local", "", ""},
	} {
		for _, assume := range []bool{false, true} {
			notes := &diag.List{}
			module, err := l.lift(c.name, lift.Options{AssumeNoAlias: assume}, notes)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
				continue
			}
			groups, remark := c.groups, c.remark
			if assume {
				groups, remark = "", ""
			}
			got := ""
			if a := function(module).Attr(cabi.MayAlias); a != nil {
				got = strings.NewReplacer("array<i64: ", "[", ">", "]").Replace(a.String())
			}
			if got != groups {
				t.Errorf("%s, assume %v: groups %q, want %q", c.name, assume, got, groups)
			}
			var remarks []string
			for _, d := range notes.All {
				if d.Severity != diag.Remark || d.Pos.Line == 0 || !strings.Contains(d.Help, "restrict") || !strings.Contains(d.Help, "--assume-no-alias") {
					t.Errorf("%s: %v, help %q", c.name, d, d.Help)
				}
				remarks = append(remarks, strings.TrimSuffix(d.Message, ": their accesses stay in order"))
			}
			if got := strings.Join(remarks, "\n"); got != remark {
				t.Errorf("%s, assume %v: remarks %q, want %q", c.name, assume, got, remark)
			}
		}
	}
}

// TestDeterministic: the same text whenever it is lifted.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	l := lowerSource(t, "testdata/memory.c", "1")
	for _, name := range []string{"pingpong", "three", "globals", "nested", "sortpts", "byvalmix"} {
		first := ""
		for i := range 5 {
			module, err := l.lift(name, lift.Options{}, &diag.List{})
			if err != nil {
				t.Fatal(err)
			}
			if s := fmt.Sprint(text(module)); i == 0 {
				first = s
			} else if s != first {
				t.Errorf("%s: differs\n%s\n%s", name, first, s)
			}
		}
	}
}
