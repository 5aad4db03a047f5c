package loom_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"loom"
	"loom/compiler/latency"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
	"loom/sim/vector"
)

// circuitOf compiles a C function for a direct circuit and builds that.
func circuitOf(t *testing.T, text, ports string, memory latency.Profile) (*loom.Direct, error) {
	t.Helper()
	name := regexp.MustCompile(`(\w+)\(`).FindStringSubmatch(text)[1]
	k := directKernel(t, name, text)
	return loom.BuildDirect(k, loom.DirectOptions{Ports: ports, Memory: memory})
}

// TestDirectCache: a stencil reads each element of its input once, whatever memory and buses do, with a cache that holds
// what lies between its first load and its last; with a smaller one more often; without one in every load. A loop over n
// elements holds n, and the start of the run, until it ends: what it has loaded stays all the same.
func TestDirectCache(t *testing.T) {
	toolstest.Need(t, "verilator")
	ddr, err := latency.Parse("ddr4-2400")
	if err != nil {
		t.Fatal(err)
	}
	type kernel struct {
		text, args string
		stores     int
	}
	stencil := kernel{jacobi, jacobiArgs, 30 * 46}
	table := kernel{`void table(const int *restrict k, const int *restrict x, int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[k[i]]; }`,
		`"k": {"random": 200, "seed": 1, "min": 0, "max": 15}, "x": {"random": 16, "seed": 2}, "y": {"zeros": 200}, "n": 200`, 200}
	for _, c := range []struct {
		kernel
		ports       string
		least, most int  // reads
		long        bool // in the soak campaign alone
	}{
		{stencil, "axi4-each,burst=1", jacobiLoads, jacobiLoads, true},
		{stencil, "axi4-each,burst=1,cache=256", jacobiReads, jacobiReads, true},
		{stencil, "axi4-each,burst=16,cache=256", jacobiReads, jacobiReads, false},
		{stencil, "axi4,burst=8,outstanding=5,cache=256", jacobiReads, jacobiReads, false},
		{stencil, "axi4-each,burst=1,cache=64", jacobiReads + 1, jacobiLoads - 1, false},
		{stencil, "memory,a=axi4-each,cache=1024", jacobiReads, jacobiReads, true},
		{table, "axi4-each,burst=1", 400, 400, true},
		{table, "axi4-each,cache=64", 216, 216, false},
		{table, "axi4,width=128,cache=64", 216, 216, false},
	} {
		if c.long && soak.Factor() == 0 {
			continue
		}
		d, err := circuitOf(t, c.text, c.ports, ddr)
		if err != nil {
			t.Fatal(err)
		}
		in, err := d.Kernel.ReadInputs(loom.Source{Name: "in.json", Text: `{"args": {` + c.args + `}}`}, loom.InputOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := d.Kernel.RunTokens(in, loom.TokenOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, memory := range []latency.Profile{ddr, latency.Fixed(1), {Min: 1, Max: 60, Seed: 5}} {
			for _, stall := range []int{0, 30} {
				run, err := loom.CosimulateDirect(t.Context(), d, in, loom.CosimulateOptions{Environment: loom.Environment{Latency: memory, Stall: stall, StallSeed: 7, MaxCycles: 1_000_000}})
				if err != nil {
					t.Fatal(err)
				}
				what := fmt.Sprintf("%s, %s, %s, stalls %d", d.Kernel.Name, c.ports, memory, stall)
				if diff := vector.Diff(want, run.Outcome); len(diff) > 0 || run.Outcome.Status != vector.Done {
					t.Fatalf("%s: %s %v %v", what, run.Outcome.Status, run.Outcome.Detail, diff)
				}
				if run.Traffic == nil {
					continue
				}
				reads := int(run.Traffic.Bytes)/4 - c.stores
				if reads < c.least || reads > c.most {
					t.Errorf("%s: %d reads, want %d to %d", what, reads, c.least, c.most)
				}
			}
		}
	}
}

// TestDirectCachedArrays: which arrays have a cache, and what is said where none can have one.
func TestDirectCachedArrays(t *testing.T) {
	const fenced = `#include <stdatomic.h>
void fenced(const int *restrict a, int *restrict b) { for (int i = 1; i < 20; i++) { b[i] = a[i - 1] + a[i] + a[i + 1]; atomic_thread_fence(memory_order_seq_cst); } }`
	const maybe = `void maybe(int *a, int *b) { for (int i = 1; i < 40; i++) b[i] = a[i - 1] + a[i] + a[i + 1]; }`
	const gather = `void gather(const int *restrict k, const int *restrict x, int *restrict y, int n) { for (int i = 0; i < n; i++) y[i] = x[k[i]]; }`
	for _, c := range []struct{ text, ports, cached, want string }{
		{jacobi, "axi4-each,cache=256", "a", ""},
		{jacobi, "axi4,cache=64", "a", ""},
		{jacobi, "axi4-each", "", ""},
		{jacobi, "memory,b=axi4-each,cache=256", "", "ports gives cache, but no array can have one: 'b': nothing loads from it"},
		{gather, "axi4-each,cache=256", "x", ""},
		{gather, "memory,x=axi4,cache=256", "x", ""},
		{gather, "memory,k=axi4,cache=256", "", "ports gives cache, but no array can have one: 'k': each element is loaded once"},
		{maybe, "axi4-each,cache=256", "", "'a': it may overlap with 'b', to which the circuit stores (restrict, or --assume-no-alias, says that it does not)"},
		{`void place(int *a) { for (int i = 1; i < 40; i++) a[i] = a[i - 1] + a[i] + a[i + 1]; }`, "axi4-each,cache=256", "", "'a': the circuit stores to it"},
		{fenced, "axi4-each,cache=256", "", "'a': loads behind the kernel's fence read from memory again; 'b': nothing loads from it"},
	} {
		d, err := circuitOf(t, c.text, c.ports, latency.Fixed(4))
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s, %s: %v, want %q", c.text, c.ports, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, %s: %v", c.text, c.ports, err)
			continue
		}
		var cached []string
		for _, p := range d.Ports {
			if p.Cached {
				cached = append(cached, p.Array)
			}
			if n := d.RTL.Wrapper.CacheOf(p.Array); (n > 0) != p.Cached {
				t.Errorf("%s, %s: array '%s' has a cache of %d elements", c.text, c.ports, p.Array, n)
			}
		}
		if got := strings.Join(cached, " "); got != c.cached {
			t.Errorf("%s, %s: '%s' have a cache, want '%s'", c.text, c.ports, got, c.cached)
		}
		if _, there := d.RTL.Files["loom_axi_cache.sv"]; there != (c.cached != "") {
			t.Errorf("%s, %s: loom_axi_cache.sv is among the files: %t", c.text, c.ports, c.cached == "")
		}
	}
}
