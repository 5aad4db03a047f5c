package lift_test

import (
	"fmt"
	"strings"
	"testing"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/lift"
)

// describe prints a description in a line per parameter.
func describe(f *cabi.Function) string {
	var b strings.Builder
	one := func(p cabi.Param) {
		fmt.Fprintf(&b, "%s %s: %s, %d", p.Class, p.Name, p.Type, p.Size)
		if p.Unsigned {
			b.WriteString(" unsigned")
		}
		for _, q := range p.Pieces {
			fmt.Fprintf(&b, " [%d %s %d+%d]", q.Index, q.Field, q.Stride, q.Offset)
		}
		b.WriteString("\n")
	}
	b.WriteString(f.Name + "\n")
	for _, p := range f.Params {
		one(p)
	}
	if f.Result != nil {
		one(*f.Result)
	}
	return b.String()
}

// TestDescriptions: how types are spelled, and which parts of the parameters the
// function takes.
func TestDescriptions(t *testing.T) {
	t.Parallel()
	sources := map[string]*lowered{
		"c": lowerSource(t, temporary(t, "d.c", `
#include <stdint.h>
struct pt { int x; float y; };
typedef struct { short a, b; double v[2]; } rec;
typedef const int *reader;
enum color { RED, GREEN };
extern struct pt corner; int grid[4][3]; static unsigned char seen;
int a(const float *p, int m[][16], int (*const q)[2][3], struct pt *r, const rec *s, int unused, uint16_t n) {
  return (int)p[n] + m[n][2] + q[n][1][1] + r[n].x + s[n].v[1] + (int)s[n].v[0]; }
float b(reader p, volatile int *v, enum color c, _Bool k, struct pt w, char **none, uint8_t *restrict z) {
  return p[c] + v[k] + w.y + z[0]; }
unsigned c(int n) { grid[n][1] += corner.x; return seen++ + grid[0][n]; }
rec d(int n) { rec r = {n, 2 * n, {1, n}}; return r; }
`), "2"),
		"cpp": lowerSource(t, temporary(t, "d.cpp", `
namespace ns { struct V { float x, y; }; template <class T, int N> struct Mat { T d[N][N]; }; using F = float; enum class E : unsigned char { A };
  template <class T, int N> T tr(const Mat<T, N> &m, E e, F *q, bool b, const int (&row)[3]) { return m.d[1][(int)e] + q[b] + row[2]; }
  template float tr<float, 4>(const Mat<float, 4> &, E, F *, bool, const int (&)[3]);
  struct S { int k; int get(int i) const; }; int S::get(int i) const { return k + i; } }
`), "2"),
	}
	for _, c := range []struct{ source, function, want string }{
		{"c", "a", `a
pointer p: const float *, 4 [0  4+0]
pointer m: int (*)[16], 4 [1  4+0]
pointer q: int (*)[2][3], 4 [2  4+0]
pointer r: struct pt *, 8 [3 x 8+0]
pointer s: const rec *, 24 [4 v[0] 24+8] [5 v[1] 24+16]
scalar unused: int, 4
scalar n: uint16_t, 2 unsigned [6  0+0]
scalar : int, 4 [0  0+0]
`},
		{"c", "b", `b
pointer p: reader, 4 [0  4+0]
pointer v: volatile int *, 4 [1  4+0]
scalar c: enum color, 4 unsigned [2  0+0]
scalar k: _Bool, 1 unsigned [3  0+0]
struct w: struct pt, 8 [4 y 0+4]
pointer none: char **, 8
pointer z: uint8_t *, 1 [5  1+0]
scalar : float, 4 [0  0+0]
`},
		{"c", "c", `c
scalar n: int, 4 [0  0+0]
global corner: void *, 8 [1 f0 8+0]
global grid: int (*)[4][3], 48 [2  4+0]
global seen: unsigned char *, 1 [3  1+0]
scalar : unsigned int, 4 unsigned [0  0+0]
`},
		{"c", "d", `d
scalar n: int, 4 [0  0+0]
struct : rec, 24 [0 a 0+0] [1 b 0+2] [2 v[0] 0+8] [3 v[1] 0+16]
`},
		{"cpp", "ns::tr<float, 4>", `ns::tr<float, 4>
pointer m: const ns::Mat<float, 4> *, 64 [0  4+0]
scalar e: ns::E, 1 unsigned [1  0+0]
pointer q: float *, 4 [2  4+0]
scalar b: bool, 1 unsigned [3  0+0]
pointer row: const int (*)[3], 4 [4  4+0]
scalar : float, 4 [0  0+0]
`},
		{"cpp", "ns::S::get", `ns::S::get
pointer this: const ns::S *, 4 [0 k 4+0]
scalar i: int, 4 [1  0+0]
scalar : int, 4 [0  0+0]
`},
	} {
		module, err := sources[c.source].lift(c.function, lift.Options{}, &diag.List{})
		if err != nil {
			t.Errorf("%s: %v", c.function, err)
			continue
		}
		abi, ok := cabi.Of(function(module))
		if !ok {
			t.Errorf("%s: no description", c.function)
			continue
		}
		if got := describe(abi); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.function, got, c.want)
		}
	}
}
