package loom

import (
	"os"
	"path/filepath"
	"testing"

	"loom/compiler/latency"
	"loom/internal/tools/toolstest"
)

// TestKeepFastest: the number that is found is faster than each below it and no slower than the next, far memory takes no fewer, and
// nothing is looked for where the number is given or no loop waits.
func TestKeepFastest(t *testing.T) {
	src, err := ReadFabric("mesh6x6")
	if err != nil {
		t.Fatal(err)
	}
	f, err := LoadFabric(src, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	interlocks := "off"
	keep := func(name string, given int, opts MapOptions) (base, found *Mapping) {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := Compile(t.Context(), Source{name, string(text)}, CompileOptions{Fabric: f, RecentStores: given, Interlocks: interlocks})
		if err != nil {
			t.Fatal(err)
		}
		if base, err = Map(t.Context(), k, f, opts); err != nil {
			t.Fatal(err)
		}
		here, found, err := KeepFastest(t.Context(), k, base, opts)
		if err != nil {
			t.Fatal(err)
		}
		if here.RecentStores() != found.Kernel.RecentStores() {
			t.Errorf("%s: a kernel with %d and a mapping with %d", name, here.RecentStores(), found.Kernel.RecentStores())
		}
		return base, found
	}
	numbers := map[int64]int{}
	for _, cycles := range []int64{4, 40} {
		opts := MapOptions{Jobs: 1, Latency: latency.Fixed(cycles)}
		base, found := keep("testdata/kernels/histogram.mlir", AutoRecentStores, opts)
		n := found.Kernel.RecentStores()
		numbers[cycles] = n
		if gain, err := found.gain(base, opts.Latency); err != nil || gain < 1.5 {
			t.Errorf("memory of %d cycles: %d recent stores are %.2f times as fast: %v", cycles, n, gain, err)
		}
		for m := 1; m <= min(n+1, MaxRecentStores); m++ {
			k, err := base.Kernel.with(variant{recent: m})
			if err != nil {
				t.Fatal(err)
			}
			other, err := Map(t.Context(), k, f, opts)
			if err != nil {
				if m <= n {
					t.Fatal(err)
				}
				continue
			}
			gain, err := found.gain(other, opts.Latency)
			if err != nil || m < n && gain <= 1 || m > n && gain < 1 {
				t.Errorf("memory of %d cycles: %d recent stores take %.2f times the cycles of %d: %v", cycles, m, gain, n, err)
			}
		}
	}
	if numbers[4] < 1 || numbers[40] < numbers[4] {
		t.Errorf("recent stores by memory: %v", numbers)
	}
	interlocks = "auto"
	// Where subscripts seldom meet an interlock is faster, where they often do the registers are.
	often := filepath.Join(t.TempDir(), "often.c")
	if err := os.WriteFile(often, []byte(`void often(const unsigned *restrict key, unsigned *restrict h, int n) {
  for (int i = 0; i < n; i++)
    h[key[i] & 1]++;
}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, locks := range map[string]bool{"testdata/kernels/histogram.mlir": true, often: false} {
		base, found := keep(name, AutoRecentStores, MapOptions{Jobs: 1})
		if found.Kernel.Interlocks() != locks || found.Kernel.RecentStores() > 0 == locks {
			t.Errorf("%s: interlocks %v, %d recent stores", name, found.Kernel.Interlocks(), found.Kernel.RecentStores())
		}
		if gain, err := found.gain(base, latency.Profile{}); err != nil || gain < 1.5 {
			t.Errorf("%s is %.2f times as fast: %v", name, gain, err)
		}
	}
	interlocks = "off"
	compact := filepath.Join(t.TempDir(), "compact.c")
	if err := os.WriteFile(compact, []byte(`int compact(const int *restrict x, int *restrict y, int n) {
  int k = 0;
  for (int i = 0; i < n; i++)
    if (x[i] > 0)
      y[k++] = x[i];
  return k;
}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{compact, "testdata/kernels/c/resample.c"} {
		base, found := keep(name, AutoRecentStores, MapOptions{Jobs: 1})
		if gain, err := found.gain(base, latency.Profile{}); err != nil || gain < 1.2 || !found.Kernel.MoreUnits() || base.Kernel.MoreUnits() {
			t.Errorf("%s: more units (%v) are %.2f times as fast: %v", name, found.Kernel.MoreUnits(), gain, err)
		}
		// resample divides in every iteration, by a unit that takes a cycle per bit and one.
		if unit := base.Data.Timing.Loops[0].Unit; name != compact && unit != 33 || name == compact && unit != 1 {
			t.Errorf("%s: a unit takes %d cycles from one iteration to the next", name, unit)
		}
	}
	for _, c := range []struct {
		name  string
		given int
	}{{"testdata/kernels/histogram.mlir", 1}, {"testdata/kernels/histogram.mlir", 0}, {"testdata/kernels/vecadd.mlir", AutoRecentStores}} {
		if base, found := keep(c.name, c.given, MapOptions{Jobs: 1}); base != found {
			t.Errorf("%s with %d: another mapping was made", c.name, c.given)
		}
	}
}

// TestKeepWrittenOut: a filter has its inner loop written out where the fabric has room for that, and its loads kept, not where options say
// otherwise; a loop whose loads would need more ports than there are stays.
func TestKeepWrittenOut(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19")
	src, err := ReadFabric("mesh8x8")
	if err != nil {
		t.Fatal(err)
	}
	f, err := LoadFabric(src, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	const filter = `void filter(const int x[restrict 16][16], const int w[restrict 3][3], int y[restrict 14][14]) {
  for (int r = 0; r < 14; r++)
    for (int c = 0; c < 14; c++) {
      int s = 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          s += w[i][j] * x[r + i][c + j];
      y[r][c] = s;
    }
}`
	const window = `void window(const int x[restrict 132], int y[restrict 128]) {
  for (int i = 0; i < 128; i++) {
    int s = 0;
    for (int k = 0; k < 5; k++)
      s ^= x[i + k] * 3;
    y[i] = s;
  }
}`
	const fir = `void fir(const int x[restrict 47], const int h[restrict 16], int y[restrict 32]) {
  for (int i = 0; i < 32; i++) {
    int s = 0;
    for (int k = 0; k < 16; k++)
      s += h[k] * x[i + k];
    y[i] = s;
  }
}`
	for _, c := range []struct {
		text   string
		opts   CompileOptions
		unroll int
		reuse  bool
		gain   float64
	}{
		{filter, CompileOptions{Unroll: AutoUnroll}, 1, false, 4}, // the loop around goes along a column: no element of a row comes back
		{filter, CompileOptions{Unroll: 1, Reuse: "on"}, 1, false, 1},
		{window, CompileOptions{Unroll: AutoUnroll}, 1, true, 2},
		{window, CompileOptions{Unroll: AutoUnroll, Reuse: "off"}, 1, false, 1.5},
		{filter, CompileOptions{Reuse: "off"}, 0, false, 1},
		{fir, CompileOptions{Unroll: AutoUnroll}, 0, false, 1},
	} {
		c.opts.Fabric = f
		k, err := Compile(t.Context(), written(t, c.text), c.opts)
		if err != nil {
			t.Fatal(err)
		}
		base, err := Map(t.Context(), k, f, MapOptions{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		levels := 0
		opts := MapOptions{Jobs: 1}
		opts.Progress = func(doing string) {
			if doing == "mapping with loops written out" {
				levels++
			}
		}
		k, m, err := KeepFastest(t.Context(), k, base, opts)
		if err != nil {
			t.Fatal(err)
		}
		if levels > 2 {
			t.Errorf("%s: %d mappings of two levels", k.Name, levels)
		}
		gain, err := m.gain(base, latency.Profile{})
		if err != nil || k.Unroll() != c.unroll || k.Reuse() != c.reuse || m.Kernel.Unroll() != c.unroll || gain < c.gain {
			t.Errorf("%s: %d levels, loads kept: %v, %.2f times as fast, want %d, %v, %v: %v", k.Name, k.Unroll(), k.Reuse(), gain, c.unroll, c.reuse, c.gain, err)
		}
	}
}

// TestKeepSideBySide: iterations of an outer loop run side by side where those of the inner one wait for each other, they do not meet in memory and the
// fabric has room; also beside a loop that ends when it has found something.
func TestKeepSideBySide(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-translate-19")
	f, err := shippedFabric("mesh8x8")
	if err != nil {
		t.Fatal(err)
	}
	const hash = `void hash(const int a[restrict 32][40], int h[restrict 32]) {
  for (int i = 0; i < 32; i++) {
    int s = 17;
    for (int j = 0; j < 40; j++)
      s = (s ^ a[i][j]) * 31;
    h[i] = s;
  }
}`
	const chain = `void chain(const int a[restrict 32][40], int h[restrict 33]) {
  for (int i = 0; i < 32; i++) {
    int s = h[i];
    for (int j = 0; j < 40; j++)
      s = (s ^ a[i][j]) * 31;
    h[i + 1] = s;
  }
}`
	const steps = `void steps(const unsigned a[restrict 32], int h[restrict 32]) {
  for (int i = 0; i < 32; i++) {
    int n = 0;
    for (unsigned v = a[i]; v > 1; n++)
      v = v & 1 ? (v >> 1) + 1 : v >> 1;
    h[i] = n;
  }
}`
	const sum = `void sum(const int a[restrict 32][40], int h[restrict 32]) {
  for (int i = 0; i < 32; i++) {
    int s = 0;
    for (int j = 0; j < 40; j++)
      s += a[i][j];
    h[i] = s;
  }
}`
	for _, c := range []struct {
		text string
		jam  int
		want int
		gain float64
	}{
		{hash, AutoUnrollAndJam, 2, 1.8},
		{hash, 0, 0, 1},
		{hash, 2, 2, 1},
		{chain, AutoUnrollAndJam, 0, 1},
		{steps, AutoUnrollAndJam, 4, 1.5},
		{sum, AutoUnrollAndJam, 0, 1},
	} {
		k, err := Compile(t.Context(), written(t, c.text), CompileOptions{UnrollAndJam: c.jam, Fabric: f})
		if err != nil {
			t.Fatal(err)
		}
		base, err := Map(t.Context(), k, f, MapOptions{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		k, m, err := KeepFastest(t.Context(), k, base, MapOptions{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		gain, err := m.gain(base, latency.Profile{})
		if err != nil || k.UnrollAndJam() != c.want || m.Kernel.UnrollAndJam() != c.want || gain < c.gain {
			t.Errorf("%s, %d: %d iterations side by side, %.2f times as fast, want %d, %v: %v", k.Name, c.jam, k.UnrollAndJam(), gain, c.want, c.gain, err)
		}
	}
}
