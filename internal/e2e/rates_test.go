package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/soak"
)

// plain is the fabric of apartSpec with one load and one store on a memory without tags.
func plain(external bool) (*arch.Fabric, *config.Image) {
	b := fabrictest.New("plain", 32)
	elems := int64(2 * apartElems)
	if external {
		elems = 0
	}
	mem := b.Memory("a", ir.I32, elems, true, true)
	mem.Mem.Private = external
	m := mem.Mem
	b.Connect(b.Input("x0_addr", ir.Index), fabrictest.In(mem, m.LdAddr))
	b.Connect(fabrictest.Out(mem, m.LdData), b.Output("x0_value", ir.I32))
	b.Connect(fabrictest.Out(mem, m.LdDone), b.Output("x0_done", ir.None))
	b.Connect(b.Input("x1_addr", ir.Index), fabrictest.In(mem, m.StAddr))
	b.Connect(b.Input("x1_data", ir.I32), fabrictest.In(mem, m.StData))
	b.Connect(fabrictest.Out(mem, m.StDone), b.Output("x1_done", ir.None))
	img := config.New(config.NewLayout(b.F))
	img.Settings[mem.ID].Regions[0].Valid = true
	if external {
		img.Settings[mem.ID].Regions[0].Offset = dramBase
	}
	return b.F, img
}

// rate is how many of the tokens of some outputs pass per cycle, without the first
// ones of each and without those after the first output has run dry.
func (r *recording) rate(outs ...string) float64 {
	const warm = 30
	from, to := 0, r.cycles
	for _, o := range outs {
		w := r.when[o]
		from, to = max(from, w[warm]), min(to, w[len(w)-1])
	}
	n := 0
	for _, o := range outs {
		for _, c := range r.when[o] {
			if from <= c && c < to {
				n++
			}
		}
	}
	return float64(n) / float64(to-from)
}

// setup is an interface of a memory, and which accesses are at work.
type setup struct {
	name          string
	spec          apartSpec
	plain         bool
	loads, stores [][]int
}

// setups are those of one memory, on chip or external: without tags, through lanes whose
// slots cover the latency, and bare; from one tag and from alternating tags.
func setups(external bool) []setup {
	one, other, both := []int{0}, []int{1}, []int{0, 1}
	tagged := apartSpec{external: external, loads: 2, stores: 2, slots: 24, queue: 2}
	lanes, deep := tagged, tagged
	lanes.lanes, deep.lanes, deep.lsq, deep.queue = true, true, 24, 8
	loads, stores := [][]int{one, other, both}, [][]int{{2}, {3}, {2, 3}}
	return []setup{
		{"plain", apartSpec{external: external, loads: 1, stores: 1}, true, [][]int{one}, [][]int{other}},
		{"bare", tagged, false, loads, stores}, {"lanes", lanes, false, loads, stores}, {"lanes with deep queues", deep, false, loads, stores},
	}
}

func (u *setup) fabric() (*arch.Fabric, *config.Image) {
	if u.plain {
		return plain(u.spec.external)
	}
	return u.spec.fabric()
}

// stimulus has only one selection of accesses at work.
func (u *setup) stimulus(f *arch.Fabric, img *config.Image, k, n int) *stimulus {
	s := u.spec.stimulus(f, img, n, uint64(k))
	for i := range u.spec.loads + u.spec.stores {
		if !slices.Contains(u.loads[k], i) && !slices.Contains(u.stores[k], i) {
			delete(s.feed, fmt.Sprintf("x%d_addr", i))
			delete(s.feed, fmt.Sprintf("x%d_data", i))
		}
	}
	return s
}

// rates are those of load data, done tokens of loads and done tokens of stores.
func (u *setup) rates(r *recording, k int) (value, loaded, stored float64) {
	names := func(ks []int, port string) (out []string) {
		for _, i := range ks {
			out = append(out, fmt.Sprintf("x%d_%s", i, port))
		}
		return out
	}
	return r.rate(names(u.loads[k], "value")...), r.rate(names(u.loads[k], "done")...), r.rate(names(u.stores[k], "done")...)
}

// TestFullRate: a memory serves one load and one store per cycle, of one tag and of
// alternating tags. An external memory has 16 slots, each in use for 3 cycles more than
// the bus takes; a store lane has lsqDepth stores in flight, each for 2 cycles, 4 more
// than the bus takes on an external memory.
func TestFullRate(t *testing.T) {
	const n, lsqDepth = 150, 4
	for _, external := range []bool{false, true} {
		latencies := []int64{0}
		if external {
			latencies = []int64{1, 5, 13, 14, 20}
		}
		for _, u := range setups(external) {
			f, img := u.fabric()
			var recorded []*recording
			for _, cycles := range latencies {
				load, store := 1.0, 1.0
				if external {
					load = min(1, 16/float64(cycles+3))
					store = load
				}
				for k := range u.loads {
					s := u.stimulus(f, img, k, n)
					s.testbench.Latency = latency.Fixed(max(cycles, 1))
					r := s.record(t)
					if cycles == latencies[0] || cycles == 13 {
						recorded = append(recorded, r)
					}
					want := store
					if external && u.spec.lanes && u.spec.lsq == 0 {
						want = min(store, lsqDepth*float64(len(u.stores[k]))/float64(cycles+4))
					}
					value, loaded, stored := u.rates(r, k)
					if load-value > 0.02 || load-loaded > 0.02 || want-stored > 0.02 {
						t.Errorf("%s, external %t, latency %d, accesses %v and %v: %.3f data, %.3f and %.3f done per cycle, want %.3f and %.3f",
							u.name, external, cycles, u.loads[k], u.stores[k], value, loaded, stored, load, want)
					}
				}
			}
			if u.spec.lsq > 0 {
				continue // the same modules
			}
			for k, d := range newBench(t, f, nil).replay(t, recorded...) {
				if d != "" {
					t.Errorf("%s, external %t, run %d: %s", u.name, external, k, d)
				}
			}
		}
	}
}

// ideal is a memory as the contract has it: for each kind of response (data and done of
// loads, done of stores) so many slots, each response offered latency cycles after
// its request is accepted; bus: requests pass a register that the bus empties.
type ideal struct {
	kinds, slots, latency int
	bus                   bool
}

// rate is how many of n requests it serves per cycle when everything around it holds
// back in a percentage of the cycles: the requests, the sink of each kind of response, the bus.
func (m ideal) rate(stall, n int) float64 {
	r := rand.New(rand.NewPCG(uint64(stall), uint64(m.latency)))
	goes := func() bool { return r.IntN(100) >= stall }
	due := make([][]int, m.kinds) // cycles from which the responses in flight are offered
	held := make([]int, m.kinds)
	requesting, sending := false, false
	cycle := 0
	start := func() {
		for k := range due {
			due[k] = append(due[k], cycle+m.latency)
		}
	}
	for served := 0; served < n; cycle++ {
		requesting = requesting || goes()
		room := slices.Max(held) < m.slots
		if sending && goes() {
			sending = false
			start()
		}
		for k := range due {
			if len(due[k]) > 0 && due[k][0] <= cycle && goes() {
				due[k] = due[k][1:]
				held[k]--
			}
		}
		if !requesting || !room || sending {
			continue
		}
		requesting = false
		served++
		for k := range held {
			held[k]++
		}
		if sending = m.bus; !m.bus {
			start()
		}
	}
	return float64(n) / float64(cycle)
}

// TestRateUnderBackPressure: where ports and buses hold back at random the rate is that
// of an ideal memory with the slots of the contract.
func TestRateUnderBackPressure(t *testing.T) {
	n := soak.Scale(1500, 6000)
	for _, external := range []bool{false, true} {
		const cycles = 6
		load, store := ideal{kinds: 2, slots: 4, latency: 2}, ideal{kinds: 1, slots: 4, latency: 1}
		if external {
			load, store = ideal{2, 16, cycles + 1, true}, ideal{1, 16, cycles + 1, true}
		}
		for _, u := range setups(external) {
			if u.spec.lanes && u.spec.lsq == 0 {
				continue // its stores in flight are what counts: TestFullRate
			}
			f, img := u.fabric()
			for _, stall := range []int{10, 30, 50, 70} {
				s := u.stimulus(f, img, 0, n)
				s.stall = stall
				s.testbench.StallPercent, s.testbench.StallSeed = stall, 7
				s.testbench.Latency = latency.Fixed(cycles)
				r := s.record(t)
				value, loaded, stored := u.rates(r, 0)
				wantLoad, wantStore := load.rate(stall, 4*n), store.rate(stall, 4*n)
				t.Logf("%s, external %t, %d%% stalls: %.3f loads per cycle, ideal %.3f; %.3f stores, ideal %.3f",
					u.name, external, stall, value, wantLoad, stored, wantStore)
				if value < 0.95*wantLoad || loaded < 0.95*wantLoad || stored < 0.95*wantStore {
					t.Errorf("%s, external %t, %d%% stalls: %.3f and %.3f loads per cycle, ideal %.3f; %.3f stores, ideal %.3f",
						u.name, external, stall, value, loaded, wantLoad, stored, wantStore)
				}
			}
		}
	}
}
