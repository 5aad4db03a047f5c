package loom_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"loom"
	"loom/compiler/host"
	"loom/compiler/latency"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/compiler/prove"
	"loom/sim/cycle"
	"loom/sim/vector"
)

// withCache gives the external memories of an architecture read caches, 0 for none.
func withCache(text string, elements int) string {
	if elements == 0 {
		return text
	}
	return regexp.MustCompile(`(?m)^(    )outstanding: .*$`).ReplaceAllString(text, fmt.Sprintf("$0\n${1}cache: %d", elements))
}

// cachedFabric is mesh12x12 with read caches.
func cachedFabric(t *testing.T, elements int, change ...string) *loom.Fabric {
	t.Helper()
	plain, err := loom.ReadFabric("mesh12x12")
	if err != nil {
		t.Fatal(err)
	}
	f, err := loom.LoadFabric(loom.Source{Name: "mesh12x12.yaml", Text: strings.NewReplacer(change...).Replace(withCache(plain.Text, elements))}, loom.Watch{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Arch.ExternalMemories() {
		if c.Mem.Cache != elements {
			t.Fatalf("memory '%s' has a cache of %d elements", c.Name, c.Mem.Cache)
		}
	}
	return f
}

// mapped compiles a C function and maps it.
func mapped(t *testing.T, text string, f *loom.Fabric) *loom.Mapping {
	t.Helper()
	return mappedKeeping(t, text, f, 0)
}

// mappedKeeping does so with recent stores.
func mappedKeeping(t *testing.T, text string, f *loom.Fabric, recent int) *loom.Mapping {
	t.Helper()
	name := regexp.MustCompile(`(\w+)\(`).FindStringSubmatch(text)[1]
	file := filepath.Join(t.TempDir(), name+".c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	k, err := loom.Compile(t.Context(), source(t, file), loom.CompileOptions{Fabric: f, RecentStores: recent})
	if err != nil {
		t.Fatal(err)
	}
	m, err := loom.Map(t.Context(), k, f, loom.MapOptions{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// cachedRegions are those of a mapping.
func cachedRegions(m *loom.Mapping) (list []string) {
	for _, r := range m.Data.Regions {
		if r.Cached {
			list = append(list, fmt.Sprintf("%s %d", r.Comp, r.Region))
		}
	}
	return list
}

// reads runs a mapping and returns how often each element is read from the bus, by address, and the
// outcome, which is that of the token simulator.
func reads(t *testing.T, m *loom.Mapping, args string, memory latency.Profile, stall int) (map[uint64]int, *vector.Outcome) {
	t.Helper()
	in, err := m.Kernel.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {` + args + `}}`}, loom.InputOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Kernel.RunTokens(in, loom.TokenOptions{})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[uint64]int{}
	sim, err := cycle.New(m.Fabric.Arch, m.Image, m.Binding, in.Kernel, cycle.Options{Latency: memory, StallPercent: stall, StallSeed: 7,
		Bus: func(x cycle.BusTransfer) {
			if x.Channel == cycle.AR {
				for k := range x.Len + 1 {
					seen[x.Addr+uint64(k*x.Comp.Mem.ElemBytes())]++
				}
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := sim.Run()
	if err != nil {
		t.Fatal(err)
	}
	if d := vector.Diff(want, got); len(d) > 0 || got.Status != vector.Done {
		t.Fatalf("%s: %s %v", m.Kernel.Name, got.Status, d)
	}
	return seen, got
}

// The stencil of five points, on a grid of 32 rows of 48 elements, of which all but the corners are read.
const (
	jacobi = `void jacobi(const int *restrict a, int *restrict b) {
  for (int i = 1; i < 31; i++)
    for (int j = 1; j < 47; j++)
      b[i * 48 + j] = a[i * 48 + j] + a[(i - 1) * 48 + j] + a[(i + 1) * 48 + j] + a[i * 48 + j - 1] + a[i * 48 + j + 1];
}`
	jacobiArgs  = `"a": {"random": 1536, "seed": 1}, "b": {"zeros": 1536}`
	jacobiReads = 32*48 - 4
	jacobiLoads = 5 * 30 * 46
)

// TestReadCache: a stencil reads each element of its input once, with a cache that holds what lies between its first
// load and its last, two rows and what the loads are apart, whatever memory and buses do; with a smaller one more often;
// without one in every load.
func TestReadCache(t *testing.T) {
	ddr, err := latency.Parse("ddr4-2400")
	if err != nil {
		t.Fatal(err)
	}
	for _, elements := range []int{0, 64, 128, 256, 1024} {
		m := mapped(t, jacobi, cachedFabric(t, elements))
		for _, memory := range []latency.Profile{latency.Fixed(4), latency.Fixed(100), {Min: 1, Max: 60, Seed: 5}, ddr} {
			for _, stall := range []int{0, 30} {
				seen, out := reads(t, m, jacobiArgs, memory, stall)
				sum, most := 0, 0
				for _, n := range seen {
					sum, most = sum+n, max(most, n)
				}
				what := fmt.Sprintf("cache of %d, %s, stalls %d", elements, memory, stall)
				if len(seen) != jacobiReads {
					t.Errorf("%s: %d elements are read, want %d", what, len(seen), jacobiReads)
				}
				switch {
				case elements == 0 && (sum != jacobiLoads || len(out.Caches) != 0):
					t.Errorf("%s: %d reads, want %d; caches %v", what, sum, jacobiLoads, out.Caches)
				case elements == 64 && (sum <= jacobiReads || sum >= jacobiLoads):
					t.Errorf("%s: %d reads", what, sum)
				case elements >= 128 && (sum != jacobiReads || most != 1):
					t.Errorf("%s: %d reads, one element %d times, want %d", what, sum, most, jacobiReads)
				}
				if elements == 0 {
					continue
				}
				if len(out.Caches) != 1 || out.Caches[0].Misses != int64(sum) || out.Caches[0].Hits != int64(jacobiLoads-sum) {
					t.Errorf("%s: %d reads, counted %+v", what, sum, out.Caches)
				}
			}
		}
	}
}

// TestCachedArrays: which arrays go through a cache, and that what a kernel stores is seen by the loads that wait for it.
func TestCachedArrays(t *testing.T) {
	f := cachedFabric(t, 256)
	for _, c := range []struct {
		text, args string
		cached     int // regions
		reads      int // of all; -1 where that is not the point
	}{
		{`void each(const int *restrict a, int *restrict b, int n) { for (int i = 0; i < n; i++) b[i] = 2 * a[i]; }`,
			`"a": {"random": 100, "seed": 1}, "b": {"zeros": 100}, "n": 100`, 0, 100},
		{`void matvec(const int *restrict a, const int *restrict x, int *restrict y) { for (int i = 0; i < 16; i++) { int s = 0; for (int j = 0; j < 32; j++) s += a[i * 32 + j] * x[j]; y[i] = s; } }`,
			`"a": {"random": 512, "seed": 1}, "x": {"random": 32, "seed": 2}, "y": {"zeros": 16}`, 1, 512 + 32},
		{`void conv(const int *restrict x, const int *restrict w, int *restrict y) { for (int i = 0; i < 60; i++) { int s = 0; for (int k = 0; k < 5; k++) s += x[i + k] * w[k]; y[i] = s; } }`,
			`"x": {"random": 64, "seed": 1}, "w": {"random": 5, "seed": 2}, "y": {"zeros": 60}`, 2, 64 + 5},
		{`void gather(const int *restrict k, const int *restrict x, int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[k[i]]; }`,
			`"k": {"random": 200, "seed": 1, "min": 0, "max": 15}, "x": {"random": 16, "seed": 2}, "y": {"zeros": 200}, "n": 200`, 1, 200 + 16},
		// Two arrays in turn: what one step stores is what the next one loads.
		{`void steps(int *restrict a, int *restrict b) { for (int t = 0; t < 3; t++) { for (int i = 1; i < 63; i++) b[i] = a[i - 1] + a[i] + a[i + 1]; for (int i = 1; i < 63; i++) a[i] = b[i - 1] + b[i] + b[i + 1]; } }`,
			`"a": {"random": 64, "seed": 1}, "b": {"random": 64, "seed": 2}`, 2, -1},
		// In place, and through a pointer that may be the same array.
		{`void place(int *a) { for (int t = 0; t < 3; t++) for (int i = 1; i < 40; i++) a[i] = a[i - 1] + a[i] + a[i + 1]; }`,
			`"a": {"random": 41, "seed": 1}`, 1, -1},
		{`void maybe(int *a, int *b) { for (int i = 1; i < 40; i++) b[i] = a[i - 1] + a[i] + a[i + 1]; }`,
			`"a": {"random": 41, "seed": 1}, "b": {"zeros": 41}`, -1, -1},
		{`void histogram(const int *restrict x, int *restrict h, int n) { for (int i = 0; i < n; i++) h[x[i]]++; }`,
			`"x": {"random": 100, "seed": 1, "min": 0, "max": 7}, "h": {"zeros": 8}, "n": 100`, 1, -1},
		{`#include <stdatomic.h>
void fenced(const int *restrict a, int *restrict b) { for (int i = 1; i < 20; i++) { b[i] = a[i - 1] + a[i] + a[i + 1]; atomic_thread_fence(memory_order_seq_cst); } }`,
			`"a": {"random": 21, "seed": 1}, "b": {"zeros": 21}`, 0, -1},
	} {
		m := mapped(t, c.text, f)
		if list := cachedRegions(m); c.cached >= 0 && len(list) != c.cached {
			t.Errorf("%s: %d regions are cached, want %d: %v", m.Kernel.Name, len(list), c.cached, list)
		}
		for _, memory := range []latency.Profile{latency.Fixed(30), {Min: 1, Max: 40, Seed: 9}} {
			seen, _ := reads(t, m, c.args, memory, 20)
			sum := 0
			for _, n := range seen {
				sum += n
			}
			if c.reads >= 0 && sum != c.reads {
				t.Errorf("%s, %s: %d reads, want %d", m.Kernel.Name, memory, sum, c.reads)
			}
		}
	}
}

// counts is a histogram whose numbers are computed.
const counts = `void counts(int *h, int n) { for (int i = 0; i < n; i++) h[i * i >> 3 & 15]++; }`

// TestOvertakenInCache: an array whose loads may overtake stores to the same element has no cache, as memory may read an element for a load before
// a store that the cache has seen before; without recent stores it has one.
func TestOvertakenInCache(t *testing.T) {
	for recent, want := range []int{1, 0, 0} {
		m := mappedKeeping(t, counts, cachedFabric(t, 256), recent)
		if list := cachedRegions(m); len(list) != want {
			t.Errorf("%d recent stores: %v are cached", recent, list)
		}
		reads(t, m, `"h": {"zeros": 16}, "n": 100`, latency.Profile{Min: 1, Max: 40, Seed: 9}, 20)
	}
}

// TestStaleCache: a mapping that caches what could be out of date is refused as a mapping, as an image, and by the proof.
func TestStaleCache(t *testing.T) {
	// Loads and stores of an array that are divided: no memory has enough of both.
	narrow := []string{"loads: 4\n    stores: 4", "loads: 2\n    stores: 1", "loads: 12\n    stores: 4", "loads: 2\n    stores: 1"}
	for _, c := range []struct {
		name, text, want string
		elements         int
		change           []string
		recent           int
	}{
		{"no cache", jacobi, "has no read cache", 0, nil, 0},
		{"a store at another memory", `void wide(int *restrict a) { for (int i = 2; i < 60; i++) a[i + 64] = a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2]; }`, "is stored to at", 256, narrow, 0},
		{"an array that may be the same", `void other(const int *a, int *b) { for (int i = 2; i < 60; i++) b[i] = a[i - 2] + a[i - 1] + a[i] + a[i + 1] + a[i + 2]; }`, "is stored to at", 256, narrow, 0},
		{"a fence", `#include <stdatomic.h>
void fenced(const int *restrict a, int *restrict b) { for (int i = 1; i < 20; i++) { b[i] = a[i - 1] + a[i] + a[i + 1]; atomic_thread_fence(memory_order_seq_cst); } }`, "behind the fence", 256, nil, 0},
		{"a load that overtakes a store", counts, "overtake stores", 256, nil, 2},
	} {
		t.Run(strings.ReplaceAll(c.name, " ", "_"), func(t *testing.T) {
			m := mappedKeeping(t, c.text, cachedFabric(t, c.elements, c.change...), c.recent)
			data := *m.Data
			data.Regions = slices.Clone(m.Data.Regions)
			fn, f := m.Kernel.Graph, m.Fabric.Arch
			refused := 0
			for i := range data.Regions {
				loads := slices.ContainsFunc(data.Memories, func(x mapping.Memory) bool {
					return x.Comp == data.Regions[i].Comp && x.Region == data.Regions[i].Region && x.Accesses[0].Kind == mapping.Load
				})
				if !loads || data.Regions[i].Cached { // what is stored where it is loaded may be
					continue
				}
				data.Regions[i].Cached = true
				if err := check.Mapping(fn, f, &data); err != nil && strings.Contains(err.Error(), c.want) {
					refused++
				} else {
					t.Errorf("region %d of %s: the mapping: %v", data.Regions[i].Region, data.Regions[i].Comp, err)
				}
				image := *m.Image
				image.Settings = slices.Clone(m.Image.Settings)
				for k, x := range f.Comps {
					if x.Name == data.Regions[i].Comp {
						regions := slices.Clone(image.Settings[k].Regions)
						regions[data.Regions[i].Region].Cached = true
						image.Settings[k].Regions = regions
					}
				}
				if err := check.Image(fn, f, &image, m.Binding); err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("the image: %v", err)
				}
				if c.elements > 0 { // else no image has such a bit
					runtime, err := host.Runtime(m.Binding, image.Layout, f)
					if err != nil {
						t.Fatal(err)
					}
					if _, err := prove.Image(fn, image.Layout, image.Encode(), runtime); err == nil || !strings.Contains(err.Error(), "is cached") {
						t.Errorf("the proof: %v", err)
					}
				}
				data.Regions[i].Cached = false
			}
			if refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}
