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

// apartSpec describes a fabric in which every access of a memory meets the
// boundary, behind FIFOs of the given depth.
type apartSpec struct {
	lanes, external      bool
	loads, stores, slots int
	queue                int
	lsq                  int // lsqDepth of memory and lanes, 0 for the builder's 4
	flight               int // stores in flight of a lane, if they are more than lsq
}

// apartElems are the elements each access has for itself.
const apartElems = 16

func (x apartSpec) fabric() (*arch.Fabric, *config.Image) {
	b := fabrictest.New("apart", 32)
	elems := int64(apartElems * (x.loads + x.stores))
	if x.external {
		elems = 0
	}
	mem := b.Ported("a", ir.I32, elems, x.loads, x.stores)
	mem.Mem.Private = x.external
	if x.lsq > 0 && x.stores > 0 {
		mem.Mem.LSQDepth = x.lsq
	}
	var br *fabrictest.Bridge
	if x.lanes {
		br = b.Bridge(mem, x.slots)
	} else {
		br = b.BareBridge(mem)
	}
	queue := func(name string, t ir.Type, from, to arch.Endpoint) {
		q := b.FIFO(name+"_q", t, x.queue, false)
		b.Connect(from, fabrictest.In(q, 0))
		b.Connect(fabrictest.Out(q, 0), to)
	}
	for k, a := range append(slices.Clone(br.Loads), br.Stores...) {
		n := fmt.Sprint("x", k)
		queue(n+"_addr", ir.Index, b.Input(n+"_addr", ir.Index), a.Addr)
		if k < x.loads {
			queue(n+"_value", ir.I32, a.Data, b.Output(n+"_value", ir.I32))
		} else {
			queue(n+"_data", ir.I32, b.Input(n+"_data", ir.I32), a.Data)
		}
		queue(n+"_done", ir.None, a.Done, b.Output(n+"_done", ir.None))
	}
	for _, c := range b.F.Comps {
		if c.Kind == arch.StoreLane && x.flight > 0 {
			c.Lane.LSQDepth = x.flight
		}
	}
	img := config.New(config.NewLayout(b.F))
	base := uint64(0)
	if x.external {
		base = dramBase
	}
	br.Configure(img, base)
	return b.F, img
}

// stimulus makes every access run n times at full speed.
func (x apartSpec) stimulus(f *arch.Fabric, img *config.Image, n int, seed uint64) *stimulus {
	s := &stimulus{fabric: f, img: img, seed: seed, feed: map[string][]uint64{}, fill: map[string][]uint64{},
		slow: map[string]int{}, after: map[string]passed{}}
	elems := apartElems * (x.loads + x.stores)
	bus := make([]byte, 4*elems)
	for k := range elems {
		s.fill["a"] = append(s.fill["a"], uint64(1000+k))
		bus[4*k], bus[4*k+1] = byte(1000+k), byte((1000+k)>>8)
	}
	for k := range x.loads + x.stores {
		for i := range n {
			s.feed[fmt.Sprintf("x%d_addr", k)] = append(s.feed[fmt.Sprintf("x%d_addr", k)], uint64(k*apartElems+i*7%apartElems))
			if k >= x.loads {
				s.feed[fmt.Sprintf("x%d_data", k)] = append(s.feed[fmt.Sprintf("x%d_data", k)], uint64(100000*k+i))
			}
		}
	}
	if x.external {
		s.testbench = cycle.TestbenchOptions{Bus: []cycle.TestbenchMemory{{Base: dramBase, Data: bus}}, StallSeed: seed}
	}
	return s
}

// randomEnvironment makes the environment of a stimulus random.
func (x apartSpec) randomEnvironment(s *stimulus, r *rand.Rand) {
	s.stall = r.IntN(4) * 20
	for _, b := range s.fabric.Outputs {
		if r.IntN(2) == 0 {
			s.slow[b.Name] = r.IntN(90)
		}
	}
	s.testbench.StallPercent = r.IntN(3) * 30
	s.testbench.Latency = latency.Profile{Min: 1, Max: 1 + r.Int64N(60), Seed: r.Uint64()}
}

// blocked reports whether a stimulus stopped before its end; anything else that is wrong
// fails the test.
func (x apartSpec) blocked(t testing.TB, r *recording) bool {
	t.Helper()
	blocked := !r.done
	want := slices.Clone(r.fill["a"])
	for k := range x.loads + x.stores {
		addr := r.feed[fmt.Sprintf("x%d_addr", k)]
		blocked = blocked || len(r.out[fmt.Sprintf("x%d_done", k)]) < len(addr)
		if k >= x.loads {
			for i, a := range addr {
				want[a] = r.feed[fmt.Sprintf("x%d_data", k)][i]
			}
			continue
		}
		var values []uint64
		for _, a := range addr {
			values = append(values, want[a])
		}
		got := r.out[fmt.Sprintf("x%d_value", k)]
		blocked = blocked || len(got) < len(values)
		if len(got) > len(values) || !slices.Equal(got, values[:len(got)]) {
			t.Errorf("%+v: access %d loads %d, want %d", x, k, got, values)
		}
	}
	if r.code != 0 && r.code != cycle.CodeStoreDeadlock {
		t.Errorf("%+v: code %d", x, r.code)
	}
	if blocked {
		return true
	}
	got := r.cells["a"]
	if x.external {
		got = nil
		for k := 0; k < len(r.bus[0]); k += 4 {
			got = append(got, uint64(r.bus[0][k])|uint64(r.bus[0][k+1])<<8|uint64(r.bus[0][k+2])<<16|uint64(r.bus[0][k+3])<<24)
		}
	}
	if !slices.Equal(got, want) || r.code != 0 {
		t.Errorf("%+v: code %d, memory %d, want %d", x, r.code, got, want)
	}
	return false
}

// apartCase lets accesses wait for each other at distances that no buffer of the
// fabric covers. There are two loads and two stores, n times each.
type apartCase struct {
	name string
	wait func(s *stimulus, n int)
	// report is what the report of the bare bridge names.
	report []string
}

var apartCases = []apartCase{
	{"a load runs ahead of the consumer of its data", func(s *stimulus, n int) {
		s.after["x0_value"] = passed{"x1_value", n}
	}, []string{"memory 'a'", "x0_value"}},
	{"a load runs ahead of the consumer of its done tokens", func(s *stimulus, n int) {
		s.after["x1_done"] = passed{"x0_done", n}
	}, []string{"memory 'a'", "x1_done"}},
	{"all responses of a load wait for one that begins late", func(s *stimulus, n int) {
		s.after["x1_value"], s.after["x1_done"] = passed{"x0_value", n}, passed{"x0_done", n}
		s.after["x0_addr"] = passed{"x3_done", n / 2}
	}, []string{"memory 'a'", "x1_value"}},
	{"addresses of stores long before their data", func(s *stimulus, n int) {
		s.after["x2_data"] = passed{"x3_done", n}
	}, []string{"memory 'a'"}},
	{"data of stores long before their addresses", func(s *stimulus, n int) {
		s.after["x3_addr"] = passed{"x2_done", n}
	}, []string{"memory 'a'"}},
	{"the done tokens of a store are not taken", func(s *stimulus, n int) {
		s.after["x2_done"] = passed{"x3_done", n}
	}, []string{"memory 'a'", "x2_done"}},
	{"stores wait for what a load brings, whose consumer waits for another", func(s *stimulus, n int) {
		s.after["x0_value"], s.after["x3_data"] = passed{"x3_done", n}, passed{"x1_value", n}
	}, []string{"memory 'a'", "x0_value"}},
}

// TestAccessesApart: accesses that share a memory through lanes never wait for each
// other, however far apart their consumers and producers are; on a bare bridge each of
// the cases blocks.
func TestAccessesApart(t *testing.T) {
	const n = 80 // more than every buffer on the path
	for _, external := range []bool{false, true} {
		for _, queue := range []int{1, 8} {
			for i, c := range apartCases {
				x := apartSpec{lanes: true, external: external, loads: 2, stores: 2, slots: 8, queue: queue}
				if i%2 == 1 { // no FIFO stands between lanes and memory
					x.lsq, x.flight = 1, 8
				}
				f, img := x.fabric()
				for seed := range uint64(soak.Scale(2, 40)) {
					s := x.stimulus(f, img, n, seed)
					if seed > 0 {
						x.randomEnvironment(s, rand.New(rand.NewPCG(seed, uint64(i))))
					}
					c.wait(s, n)
					if r := s.record(t); x.blocked(t, r) {
						t.Errorf("%+v, %s, seed %d: blocks\n%s", x, c.name, seed, lines(r.stuck))
					}
				}
				x.lanes = false
				f, img = x.fabric()
				s := x.stimulus(f, img, n, 0)
				c.wait(s, n)
				r := s.record(t)
				if !x.blocked(t, r) {
					t.Errorf("%+v, %s: does not block on a bare bridge", x, c.name)
				}
				for _, part := range c.report {
					if !strings.Contains(lines(r.stuck), part) {
						t.Errorf("%+v, %s: the report lacks %q:\n%s", x, c.name, part, lines(r.stuck))
					}
				}
			}
		}
	}
}

// randomApart draws a fabric with lanes and a stimulus on it in which accesses wait for
// others in a random order without a cycle.
func randomApart(seed uint64, n int) (apartSpec, *stimulus) {
	r := rand.New(rand.NewPCG(seed, 11))
	x := apartSpec{lanes: true, external: r.IntN(2) == 0, loads: r.IntN(5), stores: r.IntN(5), slots: 1 + r.IntN(9), queue: 1 + r.IntN(3)}
	if x.loads+x.stores == 0 {
		x.loads = 1
	}
	if r.IntN(2) == 0 {
		x.lsq = 1 + r.IntN(2)
		x.flight = x.lsq + r.IntN(8)
	}
	f, img := x.fabric()
	s := x.stimulus(f, img, n, seed)
	x.randomEnvironment(s, r)
	order := r.Perm(x.loads + x.stores)
	for i, k := range order[1:] {
		for _, port := range []string{"addr", "data", "value", "done"} {
			// A lane whose data are not taken stops, too: as a whole, or only its done
			// tokens or data wait, within its slots.
			if r.IntN(3) == 0 {
				s.after[fmt.Sprintf("x%d_%s", k, port)] = passed{fmt.Sprintf("x%d_done", order[i]), 1 + r.IntN(n)}
			}
		}
	}
	return x, s
}

// TestRandomAccessesApart: random bridges with random waits, all of which can be kept.
func TestRandomAccessesApart(t *testing.T) {
	for seed := range uint64(soak.Scale(60, 2000)) {
		x, s := randomApart(seed, 50)
		if r := s.record(t); x.blocked(t, r) {
			t.Errorf("seed %d, %+v: blocks\n%s", seed, x, lines(r.stuck))
		}
	}
}

// TestAccessesApartRTL holds the RTL to the simulator while accesses wait for each
// other, with lanes and, blocked, without.
func TestAccessesApartRTL(t *testing.T) {
	const n = 40
	for _, x := range []apartSpec{
		{lanes: true, loads: 2, stores: 2, slots: 3, queue: 1}, {lanes: true, external: true, loads: 2, stores: 2, slots: 8, queue: 2},
		{lanes: true, external: true, loads: 2, stores: 2, slots: 8, queue: 2, lsq: 1, flight: 8},
		{external: true, loads: 2, stores: 2, queue: 1},
	} {
		f, img := x.fabric()
		b := newBench(t, f, nil)
		var recorded []*recording
		for i, c := range apartCases {
			for seed := range uint64(soak.Scale(1, 10)) {
				s := x.stimulus(f, img, n, seed)
				x.randomEnvironment(s, rand.New(rand.NewPCG(seed, uint64(i))))
				c.wait(s, n)
				r := s.record(t)
				if x.blocked(t, r) && x.lanes {
					t.Errorf("%+v, %s, seed %d: blocks\n%s", x, c.name, seed, lines(r.stuck))
				}
				recorded = append(recorded, r)
			}
		}
		for k, d := range b.replay(t, recorded...) {
			if d != "" {
				t.Errorf("%+v, stimulus %d: %s", x, k, d)
			}
		}
	}
}

// TestLanesFail: with lanes that send without room for the responses, or store more than
// the queues hold, the stimuli go wrong in hardware.
func TestLanesFail(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1: every fault is a fabric of its own to build")
	}
	x := apartSpec{lanes: true, loads: 2, stores: 2, slots: 3, queue: 1}
	f, img := x.fabric()
	var recorded []*recording
	for _, c := range apartCases {
		s := x.stimulus(f, img, 40, 0)
		c.wait(s, 40)
		recorded = append(recorded, s.record(t))
	}
	for _, lane := range [][2]string{
		{"loom_load_lane.sv", "(data_under_way != DEPTH[CW-1:0]) & (done_under_way != DEPTH[CW-1:0])"},
		{"loom_store_lane.sv", "(under_way != PLACES[CW-1:0]) & (awaited != MOST[CW-1:0])"},
	} {
		b := newBench(t, f, func(files map[string]string) {
			if !strings.Contains(files[lane[0]], lane[1]) {
				t.Fatalf("%s does not hold %q", lane[0], lane[1])
			}
			files[lane[0]] = strings.Replace(files[lane[0]], lane[1], "1'b1", 1)
		})
		if !slices.ContainsFunc(b.replay(t, recorded...), func(d string) bool { return d != "" }) {
			t.Errorf("no stimulus shows that %s sends without room", lane[0])
		}
	}
}
