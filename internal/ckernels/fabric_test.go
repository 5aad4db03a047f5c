package ckernels

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/compiler/simplify"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/verilator"
)

// meshes are the shipped fabrics, the smallest first.
var meshes = shipped.Names()

// largest are the fabrics whose diagnostics are reported for a kernel that none takes:
// those of the one that lacks least.
var largest = []string{"wide6x6", "mixed10x10", "mesh12x12", "float16x16", "double16x16"}

// runCycles are the clock cycles after which a run counts as hung.
const runCycles = 8_000_000

// updateBudget bounds the search for the smallest fabric when the table is made anew.
const updateBudget = 40 * time.Second

// graphFor lowers and simplifies a kernel for a fabric.
func graphFor(module *ir.Operation, f *arch.Fabric) (*ir.Operation, error) {
	return graphOf(module, f, form{})
}

// form is what makes another graph of a kernel.
type form struct {
	recent int  // stores that loops keep
	locks  bool // interlocks
	more   bool // more units
	unroll int  // levels of loops that are written out
	jam    int  // iterations side by side
	reuse  bool // loads that loops keep
}

// graphOf is graphFor, of another form.
func graphOf(module *ir.Operation, f *arch.Fabric, as form) (*ir.Operation, error) {
	low, err := lower.Lower(module, lower.Options{
		MemoryOrder: "pipelined", IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps,
		Executes: tech.Units(f), Units: tech.Count(f), Accumulators: tech.CountAccumulators(f), Forward: as.recent > 0 || as.locks, RecentStores: as.recent, Interlocks: as.locks, Unroll: as.unroll, Jam: as.jam, Reuse: as.reuse,
	})
	if err != nil {
		return nil, err
	}
	target := &simplify.Fabric{Executes: tech.Units(f), Units: tech.Count(f), Temporal: f.Temporal(), TokenControls: f.TokenControls()}
	if as.more {
		target.MoreUnits, target.Accumulates = true, tech.Accumulators(f)
	}
	return simplify.Run(low.Func, simplify.Options{IndexWidth: f.IndexWidth, Fabric: target})
}

// mapped is a kernel on a fabric.
type mapped struct {
	fabric *arch.Fabric
	dfg    *ir.Operation
	res    *mapper.Result
}

// mapOnto maps a kernel.
func mapOnto(t testing.TB, k *kernel, mesh string, opts mapper.Options) (*mapped, error) {
	t.Helper()
	f := testkit.Fabric(t, mesh)
	g, err := graphFor(k.mustCompile(t).Module, f)
	if err != nil {
		return nil, err
	}
	res, err := mapper.Map(g, f, opts)
	if err != nil {
		return nil, err
	}
	return &mapped{f, g, res}, nil
}

// smallest finds the smallest shipped fabric that takes a kernel; otherwise why is
// the reason of the one that lacks least.
func smallest(t testing.TB, k *kernel) (mesh, why string) {
	mesh, lacks := first(t, k, meshes, mapper.Options{Budget: updateBudget, Jobs: 1})
	if mesh != "" {
		return mesh, ""
	}
	return "", reason(lacks)
}

// first is the first of some fabrics that takes a kernel, "" where none does; lacks is
// the error of the one that lacks least.
func first(t testing.TB, k *kernel, fabrics []string, opts mapper.Options) (mesh string, lacks error) {
	least := 0
	for _, m := range fabrics {
		_, err := mapOnto(t, k, m, opts)
		if err == nil {
			return m, nil
		}
		if n := len(diag.FromError(err).All); lacks == nil || n <= least {
			lacks, least = err, n
		}
	}
	return "", lacks
}

// reason is the text of the mapper's first diagnostic, for the table.
func reason(err error) string {
	list := diag.FromError(err)
	sort.SliceStable(list.All, func(i, j int) bool { return list.All[i].Message < list.All[j].Message })
	s := list.All[0].Message
	if n := len(list.All) - 1; n > 0 {
		s += fmt.Sprintf(" (and %d more)", n)
	}
	return s
}

// TestFabrics maps kernels on the fabrics that the table names, and simulates them by
// the cycle with fast and with slow memory.
func TestFabrics(t *testing.T) {
	needTools(t)
	fits := fitting(t)
	table := readTable(t)
	for _, k := range part(fits, 6) {
		on := table[k.name].fabric
		if slices.Contains([]string{"mesh12x12", "float16x16", "double16x16"}, on) && !soaking() {
			continue // mapping takes half a minute
		}
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			m := k.mustPlace(t, on)
			fn := function(t, k.res.Module)
			for n, r := range k.inputs(t, m.dfg) {
				if n > 3 && !soaking() {
					break
				}
				want, err := token.Run(m.dfg, r.in.Clone(), tokenOptions)
				if err != nil {
					t.Fatal(err)
				}
				agree(t, r, "token simulator", meaning(t, fn, r.in), want)
				sim, err := cycle.New(m.fabric, m.res.Image, m.res.Binding, r.in.Clone(), environmentFor(n))
				if err != nil {
					t.Fatal(err)
				}
				got, err := sim.Run()
				if err != nil {
					t.Fatal(err)
				}
				agree(t, r, "cycle simulator", want, got)
			}
		})
	}
}

// environmentFor returns a friendly environment for even n, a hostile one for odd n.
func environmentFor(n int) cycle.Options {
	o := cycle.Options{MaxCycles: runCycles, Latency: latency.Profile{Min: 4, Max: 4}}
	if n%2 == 1 {
		o.Latency = latency.Profile{Min: 1, Max: 30, Seed: uint64(n)}
		o.StallPercent, o.StallSeed = 30, uint64(n)
	}
	return o
}

// fitting are the kernels that the table puts on a fabric.
func fitting(t testing.TB) []*kernel {
	table := readTable(t)
	var out []*kernel
	for _, k := range load(t) {
		if table[k.name].fabric != "" {
			out = append(out, k)
		}
	}
	return out
}

// mustPlace maps a kernel on the fabric that is known to take it.
func (k *kernel) mustPlace(t testing.TB, mesh string) *mapped {
	t.Helper()
	// One placement that routes is enough here; a tight fit needs the usual effort.
	quick := mapper.DefaultEffort
	quick.Candidates = 1
	m, err := mapOnto(t, k, mesh, mapper.Options{Effort: quick})
	if err != nil {
		t.Fatalf("%s does not fit: %s", mesh, render(err))
	}
	return m
}

// hardware is the RTL of a fabric, made once.
var hardware = struct {
	sync.Mutex
	byMesh map[string]*rtlgen.Output
}{byMesh: map[string]*rtlgen.Output{}}

func rtlOf(f *arch.Fabric, mesh string) (*rtlgen.Output, error) {
	hardware.Lock()
	defer hardware.Unlock()
	if out := hardware.byMesh[mesh]; out != nil {
		return out, nil
	}
	out, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{InputName: mesh, ToolVersion: "test"})
	hardware.byMesh[mesh] = out
	return out, err
}

// TestVerilator runs mapped kernels under Verilator, in lock-step with the cycle
// simulator. Without a long campaign only a few on fabrics whose models the other
// tests build as well.
func TestVerilator(t *testing.T) {
	needTools(t, tools.Verilator, tools.CXX)
	table := readTable(t)
	left := 2
	for _, k := range fitting(t) {
		mesh := table[k.name].fabric
		if !soaking() {
			if mesh != "mesh6x6" || left == 0 {
				continue
			}
			left--
		}
		t.Run(k.name, func(t *testing.T) {
			m := k.mustPlace(t, mesh)
			fn := function(t, k.res.Module)
			rtl, err := rtlOf(m.fabric, mesh)
			if err != nil {
				t.Fatal(err)
			}
			for n, r := range k.inputs(t, m.dfg) {
				env := environmentFor(n)
				rep, err := verilator.Run(context.Background(), verilator.Options{
					RTL: rtl, Fabric: m.fabric, Image: m.res.Image, Binding: m.res.Binding, Inputs: r.in.Clone(),
					Latency: env.Latency, Stall: env.StallPercent, StallSeed: env.StallSeed, MaxCycles: runCycles, LockStep: true,
				})
				if err != nil {
					t.Fatal(err)
				}
				agree(t, r, "Verilator", meaning(t, fn, r.in), rep.Outcome)
			}
		})
	}
}

// readTable is the table of testdata/kernels/c/README.md by kernel.
func readTable(t testing.TB) map[string]row {
	t.Helper()
	text, err := os.ReadFile(tableFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return parseTable(string(text))
}

// row is a line of the table.
type row struct {
	operations string
	// fabric is the smallest that takes the kernel, "" where none does; why is then the reason.
	fabric, why string
}

// parseTable reads the rows of the table.
func parseTable(text string) map[string]row {
	out := map[string]row{}
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 6 || !strings.HasPrefix(line, "| `") {
			continue
		}
		name, _, _ := strings.Cut(strings.Trim(strings.TrimSpace(cells[0]), "`"), ".")
		r := row{operations: strings.TrimSpace(cells[4])}
		if last := strings.TrimSpace(cells[5]); slices.Contains(meshes, last) {
			r.fabric = last
		} else {
			r.why = last
		}
		out[name] = r
	}
	return out
}
