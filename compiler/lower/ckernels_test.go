package lower

import (
	"context"
	"os"
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/frontend"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// cKernels are shipped kernels as one would write them in C, and how many operations
// more than the one in MLIR they may take: an index is cast from a C counter, which
// costs no unit where both have 32 bits.
var cKernels = map[string]struct {
	more int
	text string
}{
	"vecadd": {1, `void k(const int *restrict a, const int *restrict b, int *restrict c, int n) {
	for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}`},
	"dot": {0, `int k(const int *a, const int *b, int n) {
	int s = 0;
	for (int i = 0; i < n; i++) s += a[i] * b[i];
	return s;
}`},
	"matvec": {1, `void k(const int *restrict a, const int *restrict x, int *restrict y, int n, int m) {
	for (int i = 0; i < n; i++) {
		int s = 0;
		for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
		y[i] = s;
	}
}`},
	"histogram": {1, `void k(const int *restrict x, int *restrict h, int n) {
	for (int i = 0; i < n; i++) h[x[i] & 15]++;
}`},
	"scan": {0, `void k(int *a, int n) {
	int s = 0;
	for (int i = 0; i < n; i++) { s += a[i]; a[i] = s; }
}`},
	"gcd": {0, `int k(int a, int b) {
	while (b) { int t = a % b; a = b; b = t; }
	return a;
}`},
	"reverse": {2, `void k(const int *restrict x, int *restrict y, int n) {
	for (int i = 0; i < n; i++) y[n - 1 - i] = x[i];
}`},
	"condcopy": {0, `void k(const int *restrict x, int *restrict y, int n) {
	for (int i = 0; i < n; i++) if (x[i] > 0) y[i] = x[i];
}`},
}

// TestKernelsInC: what the C compiler and the front end make of a kernel is as small a
// graph as the kernel in MLIR yields. A size_t that counts costs nothing either.
func TestKernelsInC(t *testing.T) {
	toolstest.Need(t, tools.Clang)
	mlirs := kernels(t)
	size := func(text string) int {
		t.Helper()
		file := t.TempDir() + "/k.c"
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := frontend.Run(context.Background(), file, text, frontend.Options{Verify: true})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		res, err := Lower(out.Module, Options{MemoryOrder: "pipelined", IndexWidth: 32})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		return dfg.Stats(res.Func).Operations
	}
	for name, c := range cKernels {
		res, err := Lower(mlirs[name], Options{MemoryOrder: "pipelined", IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		want := dfg.Stats(res.Func).Operations + c.more
		got := size(c.text)
		t.Logf("%s: %d operations, %d in MLIR", name, got, want-c.more)
		if got > want {
			t.Errorf("%s takes %d operations, %d were enough", name, got, want)
		}
	}
	counted := `#include <stddef.h>
void k(const int *restrict a, const int *restrict b, int *restrict c, size_t n) {
	for (size_t i = 0; i < n; i++) c[i] = a[i] + b[i];
}`
	res, err := Lower(mlirs["vecadd"], Options{MemoryOrder: "pipelined", IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := size(counted), dfg.Stats(res.Func).Operations; got > want {
		t.Errorf("vecadd with size_t takes %d operations, %d were enough", got, want)
	}
}
