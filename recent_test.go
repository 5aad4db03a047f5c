package loom

import (
	"os"
	"testing"

	"loom/compiler/latency"
)

// TestKeepRecentStores: the number that is found is faster than each below it and no slower than the next, far memory takes no fewer, and
// nothing is looked for where the number is given or no loop waits.
func TestKeepRecentStores(t *testing.T) {
	src, err := ReadFabric("mesh6x6")
	if err != nil {
		t.Fatal(err)
	}
	f, err := LoadFabric(src, Watch{})
	if err != nil {
		t.Fatal(err)
	}
	keep := func(name string, given int, opts MapOptions) (base, found *Mapping) {
		t.Helper()
		text, err := os.ReadFile("testdata/kernels/" + name)
		if err != nil {
			t.Fatal(err)
		}
		k, err := Compile(t.Context(), Source{name, string(text)}, CompileOptions{Fabric: f, RecentStores: given})
		if err != nil {
			t.Fatal(err)
		}
		if base, err = Map(t.Context(), k, f, opts); err != nil {
			t.Fatal(err)
		}
		here, found, err := KeepRecentStores(t.Context(), k, base, opts)
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
		base, found := keep("histogram.mlir", AutoRecentStores, opts)
		n := found.Kernel.RecentStores()
		numbers[cycles] = n
		if gain, err := found.gain(base, opts.Latency); err != nil || gain < 1.5 {
			t.Errorf("memory of %d cycles: %d recent stores are %.2f times as fast: %v", cycles, n, gain, err)
		}
		for m := 1; m <= min(n+1, MaxRecentStores); m++ {
			k, err := base.Kernel.withRecentStores(m)
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
	for _, c := range []struct {
		name  string
		given int
	}{{"histogram.mlir", 1}, {"histogram.mlir", 0}, {"vecadd.mlir", AutoRecentStores}} {
		if base, found := keep(c.name, c.given, MapOptions{Jobs: 1}); base != found {
			t.Errorf("%s with %d: another mapping was made", c.name, c.given)
		}
	}
}
