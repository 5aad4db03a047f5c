package lift_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
)

// TestComparedArrays: where the result of a comparison of two arrays is taken for granted,
// the line is named.
func TestComparedArrays(t *testing.T) {
	t.Parallel()
	file := temporary(t, "compare.c", `int g[8];
void same(int *a, int *b, int n) {
  for (int i = 0; i < n; i++) if (a != b) a[i] += b[i]; else a[i]--; }
void same_restrict(int *restrict a, int *restrict b, int n) {
  for (int i = 0; i < n; i++) if (a != b) a[i] += b[i]; else a[i]--; }
void order(int *a, int *b, int n) {
  for (int i = 0; i < n; i++) if (a + i < b) a[i] += b[i]; else a[i]--; }
void order_restrict(int *restrict a, int *restrict b, int n) {
  for (int i = 0; i < n; i++) if (a + i < b) a[i] += b[i]; else a[i]--; }
void null(int *a, int *b, int n) { if (a && b != 0) for (int i = 0; i < n; i++) a[i] += b[i]; }
void global(int *a, int n) {
  for (int i = 0; i < n; i++) if (a + i != g) a[i] += g[i & 7]; else a[i]--; }
int local(int *a, int n) { int t[8] = {0};
  for (int i = 0; i < n; i++) if (a + i != t + (i & 3)) t[i & 7] += a[i]; else a[i]--;
  return t[n & 7]; }
void walk(int *a, int n) { for (int *p = a, *end = a + n; p < end; p++) *p += 1; }
`)
	levels := map[string]*lowered{"0": lowerSource(t, file, "0"), "2": lowerSource(t, file, "2")}
	const help, more = "the kernel must not be given arrays that overlap", ", and of different ones C does not say which is first"
	for _, c := range []struct{ name, want string }{
		{"same", "3: 'a' and 'b' are compared: they are taken as different arrays; " + help},
		{"same_restrict", ""},
		{"order", "7: 'a' and 'b' are compared: they are taken as different arrays; " + help + more},
		{"order_restrict", "9: 'a' and 'b' are compared: they are taken as different arrays; " + help + more},
		{"null", ""},
		{"global", "12: 'a' and 'g' are compared: they are taken as different arrays; " + help},
		{"local", ""},
		{"walk", ""},
	} {
		for level, l := range levels {
			notes := &diag.List{}
			if _, err := l.lift(c.name, lift.Options{}, notes); err != nil {
				t.Errorf("%s, level %s: %v", c.name, level, err)
				continue
			}
			var got []string
			for _, d := range notes.All {
				if d.Severity == diag.Warning {
					got = append(got, fmt.Sprintf("%d: %s; %s", d.Pos.Line, d.Message, d.Help))
				}
			}
			if text := strings.Join(got, "\n"); text != c.want {
				t.Errorf("%s, level %s: got %q, want %q", c.name, level, text, c.want)
			}
		}
	}
}
