package lift_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
)

// temporary writes a source.
func temporary(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// TestErrors: each line with a comment "want:" must be reported, by its line and with
// these words, and nothing else; all of one function at once.
func TestErrors(t *testing.T) {
	t.Parallel()
	const text = `#include <stdint.h>
struct node { struct node *next; int v; };
struct view { int *p; int n; };
struct big { int v[300]; };
union either { int i; float f; };
char *text = "abba";
static const char *const names[2] = {"a", "b"};
int list(struct node *p) { int s = 0;
  while (p) { s += p->v;
    p = p->next; // want: a pointer in 'p' is loaded from memory
  }
  return s; }
void link(struct node *p, int n) { for (int i = 1; i < n; i++)
    p[i - 1].next = &p[i]; // want: a pointer in 'p' is stored in memory
}
int rows(int **a, int n) { int s = 0; for (int i = 0; i < n; i++)
    s += a[i][i]; // want: a pointer in 'a' is loaded from memory
  return s; }
int *back(int *a, int n) {
  return a + n; // want: a pointer is returned
}
int hash(int *a) {
  return (int)((uintptr_t)a >> 4) + a[0]; // want: address of memory is used as a number
}
int poke(uintptr_t a) {
  return *(int *)a; // want: a number is turned into a pointer
}
int variable(int n) {
  int t[n]; // want: an array whose size is known only at run time
  for (int i = 0; i < n; i++) t[i] = i * i;
  return t[n / 2] + t[n - 1]; }
int viewed(struct view v) { // want: is a pointer
  int s = 0; for (int i = 0; i < v.n; i++) s += v.p[i]; return s; }
int large(struct big b, int k) { return b.v[k]; } // want: too many to be passed by value
int letters(int n) { int c = 0; for (int i = 0; i < n; i++) // want: the pointer 'text' is loaded from memory
    c += text[i] == 'a';
  return c; }
int lettered(int i, int k) {
  return names[i & 1][k]; // want: a pointer in 'names' is loaded from memory
}
int ends(const int *p, const int *end) { int s = 0;
  while (p != end) // want: compared with
    s += *p++;
  return s; }
long apart(const int *p, const int *q) {
  return p[0] + q[0] + (q - p); // want: different arrays
}
void across(char *in, const char *p, const char *q, const char *end) {
  for (; p < end; p++)
    if (*p + *end)
      in[p - q] = *q; // want: address of memory is used as a number
}
long neither(const int *p, const int *q, const int *r, int n, int which) {
  const int *base = which ? p : q; long s = 0;
  for (int i = 0; i < n; i++, base++) s += *base + *r;
  return s + (r - base); // want: different arrays
}
void aside(char *in, const char *a, const char *b, const char *c, int n, int which) {
  const char *p = which ? a : b;
  for (; *p > *c; p++)
    if (*p < n)
      in[c - p] = 1; // want: address of memory is used as a number
}
void alone(char *in, const char *a, const char *b, long n, int which) {
  const char *p = which ? a : b;
  for (int i = 0; i < n; i++)
    in[i - (long)p] = *p; // want: address of memory is used as a number
}
struct state { short *ring; short n; };
int through(struct state *s, const short *in, int n) {
  short *p = s->ring; // want: a pointer in 's' is loaded from memory
  int t = 0;
  for (int i = 0; i < n; i++) *p++ = in[i];
  p = n > 3 ? p : 0;
  do { t += *p; p += n; } while (p[1]);
  return t; }
int nothing(int **a, int n) {
  int *p = a[0]; // want: a pointer in 'a' is loaded from memory
  int *q = 0;
  for (int i = 0; i < n; i++) *p++ = i;
  if (n > 3)
    return *(volatile int *)q; // want: null pointer
  return *p; }
int both(int **a, long n) {
  int *p = a[0]; // want: a pointer in 'a' is loaded from memory
  int *q = (int *)n; // want: a number is turned into a pointer
  return *p + *q; }
`
	file := temporary(t, "errors.c", text)
	want := map[int]string{}
	functions := map[string][2]int{}
	name, begin := "", 0
	start := regexp.MustCompile(`^[a-z].*?\b\*?(\w+)\(.*\) \{`)
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if m := start.FindStringSubmatch(l); m != nil {
			if name != "" {
				functions[name] = [2]int{begin, i}
			}
			name, begin = m[1], i+1
		}
		if _, w, ok := strings.Cut(l, "// want: "); ok {
			want[i+1] = w
		}
	}
	functions[name] = [2]int{begin, len(lines)}
	for _, level := range []string{"1", "2"} {
		l := lowerSource(t, file, level)
		for name, at := range functions {
			t.Run(fmt.Sprintf("%s/O%s", name, level), func(t *testing.T) {
				_, err := l.lift(name, lift.Options{}, &diag.List{})
				if err == nil {
					t.Fatal("no error")
				}
				got := map[int]string{}
				for _, d := range diag.FromError(err).All {
					if d.Severity != diag.Error || d.Help == "" {
						t.Errorf("%v, help %q", d, d.Help)
					}
					got[d.Pos.Line] += d.Message
				}
				for line := at[0]; line <= at[1]; line++ {
					w, expected := want[line], want[line] != ""
					if g := got[line]; (g != "") != expected || !strings.Contains(g, w) {
						t.Errorf("line %d: got %q, want %q", line, g, w)
					}
					delete(got, line)
				}
				for line, g := range got {
					t.Errorf("line %d: unexpected %q", line, g)
				}
			})
		}
	}
}
