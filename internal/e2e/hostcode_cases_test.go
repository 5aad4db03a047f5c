package e2e

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/frontend"
	"loom/compiler/frontend/domain"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/sim/inputs"
	"loom/sim/level0"
	"loom/sim/vector"
)

func needHostTools(t *testing.T, names ...string) {
	t.Helper()
	toolstest.Need(t, append(names, "gcc", "g++")...)
}

// TestHostFunctionsOfKernels runs the host functions of kernels in MLIR, the whole
// function and every loop, on the token simulator.
func TestHostFunctionsOfKernels(t *testing.T) {
	needHostTools(t)
	for _, name := range []string{"condcopy", "crc", "gcd", "histogram", "matvec", "oddeven", "scan"} {
		everyLoop(t, name, testkit.Kernel(t, name), 3, 6)
	}
}

// arrays has arrays that its loops share with the host: of each iteration, of a size that it
// computes, and a table that is changed.
const arrays = `
memref.global "private" @seen : memref<8xi32> = dense<[1, 2, 3, 4, 5, 6, 7, 8]>
func.func @arrays(%x: memref<?xi32>, %y: memref<?xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %seen = memref.get_global @seen : memref<8xi32>
  scf.for %i = %c0 to %n step %c1 {
    %square = memref.alloc() : memref<40xi32>
    %m = arith.addi %i, %c1 : index
    %tail = memref.alloc(%m) : memref<?xi32>
    scf.for %j = %c0 to %m step %c1 {
      %v = memref.load %x[%j] : memref<?xi32>
      %old = memref.load %square[%i] : memref<40xi32>
      %s = arith.addi %v, %old : i32
      memref.store %s, %square[%j] : memref<40xi32>
      memref.store %v, %tail[%j] : memref<?xi32>
      %k = arith.andi %j, %c7 : index
      %w = memref.load %seen[%k] : memref<8xi32>
      %t = arith.muli %w, %v : i32
      memref.store %t, %seen[%k] : memref<8xi32>
    }
    %a = memref.load %square[%c0] : memref<40xi32>
    %b = memref.load %tail[%i] : memref<?xi32>
    %c = memref.load %seen[%c0] : memref<8xi32>
    %d = arith.addi %a, %b : i32
    %e = arith.xori %d, %c : i32
    memref.store %e, %y[%i] : memref<?xi32>
    memref.dealloc %tail : memref<?xi32>
    memref.dealloc %square : memref<40xi32>
  }
  return
}
`

// TestHostFunctionsOfArrays: arrays of a host function that the kernel accesses are taken from
// scratch memory, again in every iteration and with their first values in every call.
func TestHostFunctionsOfArrays(t *testing.T) {
	needHostTools(t)
	module, err := mlir.ParseAndVerify("arrays.mlir", arrays)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range everyLoop(t, "arrays", module, 2, 40) {
		taken := strings.Count(h.source, "loom_accel_scratch(")
		want, size := 0, ""
		if h.d.Loop == 1 {
			want, size = 3, "#define ARRAYS_ACCEL_SCRATCH 319u"
		}
		if taken != want || !strings.Contains(h.header, size) {
			t.Errorf("%s takes %d arrays:\n%s\n%s", h.name, taken, h.header, h.source)
		}
	}
}

// everyLoop runs the host functions of a kernel, the whole function and every loop, on random
// inputs.
func everyLoop(t *testing.T, name string, module *ir.Operation, seeds uint64, size int64) (cases []*hostCase) {
	fn := testkit.Function(module)
	for _, l := range domain.Loops(fn) {
		d, err := domain.Outline(module, fn, l.Number)
		if err != nil {
			t.Fatal(err)
		}
		h := newHostCase(t, fmt.Sprintf("%s loop=%d", name, l.Number), module, fn, d)
		cases = append(cases, h)
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range seeds {
			in, err := vector.Random(sig, seed, size, hostIndex)
			if err != nil {
				t.Fatal(err)
			}
			want, err := interp.Run(fn, in, interp.Options{IndexWidth: hostIndex})
			if err != nil {
				t.Fatal(err)
			}
			if want.Status != vector.Done {
				continue
			}
			got, err := h.run(in)
			if err != nil {
				t.Fatalf("%s: %v\n%s", h.name, err, h.decl)
			}
			if diff := vector.Diff(want, got); diff != nil {
				t.Errorf("%s, seed %d: %v", h.name, seed, diff)
			}
		}
		t.Logf("%s: %d launches", h.name, h.launch)
	}
	return cases
}

// hostSources are kernels in C that exercise what a host function does: structs by
// value and in arrays, globals, tables, local arrays on both sides, every width.
var hostSources = map[string]string{
	"implicit.c": `
scale(a, n, k) short *a; {
  int i;
  for (i = 0; i < n; i++) a[i] *= k;
}`,
	"matvec.c": `
int matvec(const int *restrict a, const int *restrict x, int *restrict y, int n, long m) {
  int total = 0;
  int tmp[8] = {0};
  for (int i = 0; i < n; i++) {
    int s = 0;
    for (long j = 0; j < m; j++)
      s += a[i * m + j] * x[j];
    y[i] = s;
    tmp[i & 7] += s;
    if (s > 100) total ^= s;
  }
  for (int i = 0; i < 8; i++) total += tmp[i];
  return total;
}`,
	"moments.c": `
struct pt { int x; short y; };
int table[16];
int moments(struct pt *restrict p, int n, struct pt origin, unsigned char flag, _Bool neg) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    p[i].x -= origin.x; p[i].y += flag;
    s += p[i].x * p[i].y + table[i & 15];
    table[i & 15] = s;
  }
  return neg ? -s : s;
}`,
	"widths.c": `
static const unsigned char order[4] = {2, 0, 3, 1};
long long widths(unsigned char *restrict a, const short *restrict b, const double *restrict c, float *restrict d, unsigned long long k, int n) {
  long long sum = -1;
  unsigned h = (unsigned)k;
  for (int i = 0; i < n; i++) {
    a[i] = (unsigned char)(a[i] * 3 + order[i & 3] - b[i]);
    d[i] = (float)(c[i] * 0.5) + d[i];
    sum += (long long)(k >> (i & 31)) * b[i];
    h = h * 31u + a[i];
  }
  while (h > 1000) { h -= h / 3; sum++; }
  for (int i = n - 1; i >= 0; i--)
    if (d[i] < 0.0f) d[i] = -d[i];
  return sum + h;
}`,
	"grid.c": `
void grid(int in[8][8], int out[8][8], const int *restrict w, int rounds) {
  for (int r = 0; r < rounds; r++) {
    int row[8];
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 8; j++) {
        int up = i > 0 ? in[i - 1][j] : 0;
        row[j] = up * w[0] + in[i][j] * w[1];
      }
      for (int j = 0; j < 8; j++) out[i][j] += row[j];
    }
    for (int i = 0; i < 8; i++) in[0][i] ^= out[7][i];
  }
}`,
	"pair.cpp": `
struct pair { int low, high; };
template <class T> static void put(T &x, T v) { x = v; }
pair minmax(const int *x, int n, unsigned *changes) {
  unsigned &count = *changes;
  pair p = {x[0], x[0]};
  count = 0;
  for (int i = 1; i < n; ++i) {
    if (x[i] < p.low) { put(p.low, x[i]); ++count; }
    if (x[i] > p.high) { put(p.high, x[i]); ++count; }
  }
  return p;
}`,
}

// TestHostFunctionsOfC compares the host functions of C functions, for the whole
// function and for every loop, with the original, compiled as it is.
func TestHostFunctionsOfC(t *testing.T) {
	needHostTools(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	dir := t.TempDir()
	for _, name := range slices.Sorted(maps.Keys(hostSources)) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, []byte(hostSources[name]), 0o644); err != nil {
				t.Fatal(err)
			}
			hostFunctionsOf(t, path, hostSources[name])
		})
	}
}

func hostFunctionsOf(t *testing.T, path, text string) {
	ctx := context.Background()
	res, err := frontend.Run(ctx, path, text, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := lower.Function(res.Module, "")
	if err != nil {
		t.Fatal(err)
	}
	whole := newHostCase(t, "function", res.Module, fn, domain.Whole(res.Module, fn))
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	native, err := level0.Build(ctx, whole.c, sig, level0.Options{IndexWidth: hostIndex})
	if err != nil {
		t.Fatal(err)
	}
	cases := []*hostCase{whole}
	for _, l := range domain.Loops(fn) {
		d, err := domain.Outline(res.Module, fn, l.Number)
		if err != nil {
			t.Fatal(err)
		}
		cases = append(cases, newHostCase(t, fmt.Sprintf("loop=%d", l.Number), res.Module, fn, d))
	}
	for seed := range uint64(3) {
		made, err := inputs.Random(whole.dfg, inputs.Options{Seed: seed, Size: 6, IndexWidth: hostIndex})
		if err != nil {
			t.Fatal(err)
		}
		want, err := native.Run(ctx, made.Inputs)
		if err != nil {
			t.Fatal(err)
		}
		if want.Status != vector.Done {
			t.Fatalf("seed %d: the original ends with %s: %v", seed, want.Status, want.Detail)
		}
		for _, h := range cases {
			got, err := h.run(made.Inputs)
			if err != nil {
				t.Fatal(errors.Join(fmt.Errorf("%s, seed %d", h.name, seed), err))
			}
			if diff := vector.Diff(want, got); diff != nil {
				t.Errorf("%s, seed %d: %v\n%s", h.name, seed, diff, made.Inputs.JSON())
			}
		}
	}
	launches := 0
	for _, h := range cases {
		launches += h.launch
	}
	t.Logf("%d domains, %d launches", len(cases), launches)
	if launches < 3*len(cases)/2 {
		t.Errorf("only %d launches of %d domains", launches, len(cases))
	}
}
