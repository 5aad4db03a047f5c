package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/soak"
	"loom/sim/cycle"
)

// sumSpec describes a fabric that computes s = A[i] + A[f(i)] with both loads on
// one memory (design page "The Fabric dialect", sharing must not deadlock).
type sumSpec struct {
	lanes    bool // or bare add_tag and del_tag
	external bool
	slots    int // of a lane
	ops      int // operations of f, each doubles its operand
	data     int // depth of the FIFO on every channel for data
	control  int // and on those for control tokens
}

const sumElems = 64

// sum makes the fabric. The index forks to the first load, to f and to the control
// tokens of both loads; every channel has a FIFO. The sums leave at s, a token per pair
// of loads at done.
func (x sumSpec) sum() (*arch.Fabric, *config.Image) {
	b := fabrictest.New("sum", 32)
	index, i32, none := ir.Type(ir.Index), ir.Type(ir.I32), ir.Type(ir.None)
	elems := int64(sumElems)
	if x.external {
		elems = 0
	}
	mem := b.Ported("a", i32, elems, 2, 0)
	mem.Mem.Private = false
	var br *fabrictest.Bridge
	if x.lanes {
		br = b.Bridge(mem, x.slots)
	} else {
		br = b.BareBridge(mem)
	}
	n := 0
	queue := func(t ir.Type, depth int, from, to arch.Endpoint) {
		q := b.FIFO(fmt.Sprint("q", n), t, depth, false)
		n++
		b.Connect(from, fabrictest.In(q, 0))
		b.Connect(fabrictest.Out(q, 0), to)
	}
	fork := b.Switch("fork", []ir.Type{index}, []ir.Type{index, index, none, none})
	queue(index, x.data, b.Input("i", index), fabrictest.In(fork, 0))
	load := b.Single("load", "handshake.load", 0, 1, []ir.Type{index, i32, none}, i32, index)
	var pes []*arch.Component
	add := b.PE("add", "pe_add", []ir.Type{i32, i32}, []ir.Type{i32}, b.Single("addi", "arith.addi", 1, 1, []ir.Type{i32, i32}, i32))
	join := b.PE("join", "pe_join", []ir.Type{none, none}, []ir.Type{none},
		b.Single("join", "handshake.join", 0, 1, []ir.Type{none, none}, none))
	pes = append(pes, add, join)
	at := fabrictest.Out(fork, 1)
	for k := range x.ops {
		u := b.NewUnit("double", 1, 1, index)
		p := b.PE(fmt.Sprint("f", k), "pe_double", []ir.Type{index}, []ir.Type{index},
			u.Yield(u.Op("arith.addi", []arch.ValueRef{fabrictest.Arg(0), fabrictest.Arg(0)}, index)))
		pes = append(pes, p)
		queue(index, x.data, at, fabrictest.In(p, 0))
		at = fabrictest.Out(p, 0)
	}
	for k, from := range []arch.Endpoint{fabrictest.Out(fork, 0), at} {
		p := b.PE(fmt.Sprint("load", k), "pe_load", []ir.Type{index, i32, none}, []ir.Type{i32, index}, load)
		pes = append(pes, p)
		queue(index, x.data, from, fabrictest.In(p, 0))
		queue(none, x.control, fabrictest.Out(fork, 2+k), fabrictest.In(p, 2))
		queue(index, x.data, fabrictest.Out(p, 1), br.Loads[k].Addr)
		queue(i32, x.data, br.Loads[k].Data, fabrictest.In(p, 1))
		queue(i32, x.data, fabrictest.Out(p, 0), fabrictest.In(add, k))
		queue(none, x.control, br.Loads[k].Done, fabrictest.In(join, k))
	}
	queue(i32, x.data, fabrictest.Out(add, 0), b.Output("s", i32))
	queue(none, x.control, fabrictest.Out(join, 0), b.Output("done", none))

	img := config.New(config.NewLayout(b.F))
	for _, p := range pes {
		s := img.Settings[p.ID].PE
		s.Enable = true
		for k := range s.In {
			s.In[k] = config.Selector{Sel: k}
		}
		for k := range s.Out {
			s.Out[k] = config.Selector{Sel: k}
		}
	}
	img.Settings[join.ID].PE.Fields = []uint64{3}
	for o := range fork.Out {
		img.Settings[fork.ID].Switch.Route[o] = 0
	}
	base := uint64(0)
	if x.external {
		base = dramBase
	}
	br.Configure(img, base)
	return b.F, img
}

// stimulus is one run of n iterations on the fabric.
func (x sumSpec) stimulus(f *arch.Fabric, img *config.Image, n int, seed uint64) *stimulus {
	r := rand.New(rand.NewPCG(seed, 3))
	s := &stimulus{fabric: f, img: img, seed: seed, feed: map[string][]uint64{}, fill: map[string][]uint64{}, slow: map[string]int{}}
	for k := range n {
		s.feed["i"] = append(s.feed["i"], uint64(k*5%(sumElems>>x.ops)))
	}
	bus := make([]byte, 4*sumElems)
	for k := range sumElems {
		s.fill["a"] = append(s.fill["a"], uint64(1000+k))
		bus[4*k], bus[4*k+1] = byte(1000+k), byte((1000+k)>>8)
	}
	if x.external {
		s.testbench = cycle.TestbenchOptions{Bus: []cycle.TestbenchMemory{{Base: dramBase, Data: bus}}, StallPercent: r.IntN(3) * 30, StallSeed: seed,
			Latency: latency.Profile{Min: 1, Max: 1 + r.Int64N(40), Seed: seed}}
	}
	s.stall = r.IntN(4) * 25
	s.slow["done"] = r.IntN(4) * 30
	return s
}

// blocked reports whether a stimulus came to a stop before its end; wrong results fail
// the test.
func (x sumSpec) blocked(t testing.TB, r *recording) bool {
	t.Helper()
	var want []uint64
	for _, i := range r.feed["i"] {
		want = append(want, 2000+i+i<<x.ops)
	}
	got := r.out["s"]
	if len(got) > len(want) || !slices.Equal(got, want[:len(got)]) || r.code != 0 {
		t.Errorf("%+v: code %d, sums %d, want %d", x, r.code, got, want)
	}
	return !r.done || len(got) < len(want) || len(r.out["done"]) < len(want)
}

// TestSharedSum: with lanes the model runs to its end with any buffers, latencies and
// stalls; on a bare bridge the same traffic blocks once f takes two operations and
// control channels are deep, and the report states what waits for what.
func TestSharedSum(t *testing.T) {
	const n = 24
	runs := soak.Scale(1, 10)
	ran := 0
	for _, external := range []bool{false, true} {
		for _, ops := range []int{0, 1, 2, 3, 5} {
			for _, depth := range [][2]int{{1, 1}, {1, 4}, {2, 16}, {1, 16}} {
				x := sumSpec{external: external, ops: ops, data: depth[0], control: depth[1]}
				bare, bareRuns := 0, 0
				var report []string
				f, img := x.sum()
				for seed := range uint64(4 * runs) {
					s := x.stimulus(f, img, n, seed)
					bareRuns++
					if r := s.record(t); x.blocked(t, r) {
						bare++
						report = r.stuck
					}
				}
				x.lanes = true
				for _, slots := range []int{1, 2, 8} {
					x.slots = slots
					f, img := x.sum()
					for seed := range uint64(2 * runs) {
						ran++
						if r := x.stimulus(f, img, n, seed).record(t); x.blocked(t, r) {
							t.Errorf("%+v, seed %d: blocks\n%s", x, seed, lines(r.stuck))
						}
					}
				}
				if ops >= 2 && x.data == 1 && x.control >= 4 {
					if 2*bare < bareRuns {
						t.Errorf("%+v: only %d of %d runs block on a bare bridge", x, bare, bareRuns)
					}
					text := lines(report)
					for _, part := range []string{"blocked", "memory 'a'", "'add'", "does not take", "waits for a token"} {
						if !strings.Contains(text, part) {
							t.Errorf("%+v: the report lacks %q:\n%s", x, part, text)
							break
						}
					}
				}
				t.Logf("external %t, %d operations, FIFOs of %d and %d: %d of %d runs block on a bare bridge",
					external, ops, x.data, x.control, bare, bareRuns)
			}
		}
	}
	t.Logf("%d runs with lanes", ran)
}

// TestSharedSumRTL holds the RTL to the simulator on both kinds of bridges.
func TestSharedSumRTL(t *testing.T) {
	for _, x := range []sumSpec{
		{lanes: true, slots: 2, ops: 2, data: 1, control: 4}, {lanes: true, external: true, slots: 8, ops: 3, data: 2, control: 16},
		{ops: 2, data: 1, control: 4},
	} {
		f, img := x.sum()
		b := newBench(t, f, nil)
		var recorded []*recording
		for seed := range uint64(soak.Scale(3, 30)) {
			s := x.stimulus(f, img, 24, seed)
			r := s.record(t)
			if x.lanes && x.blocked(t, r) {
				t.Errorf("%+v, seed %d: blocks\n%s", x, seed, lines(r.stuck))
			}
			recorded = append(recorded, r)
		}
		for seed, d := range b.replay(t, recorded...) {
			if d != "" {
				t.Errorf("%+v, seed %d: %s", x, seed, d)
			}
		}
	}
}
