package e2e

import (
	"fmt"
	"maps"
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

// onChipPlaces are the reservations of a memory on chip per kind of response, as rtl/README.md states
// them; those of lanes and external memories are parameters.
const onChipPlaces = 4

// limitSpec is a fabric whose reservations are to be filled.
type limitSpec struct {
	external bool
	accesses int  // loads, and stores; one each is a memory without tags
	slots    int  // of a lane
	lsq      int  // stores in flight of a lane
	bare     bool // without lanes, whose consumers can hold a memory back
	// outstanding of an external memory, 0 for the default, and the cycles in which it responds.
	outstanding int
	latency     int64
}

// places are the reservations of an external memory per kind of response.
func (x limitSpec) places() int {
	if x.outstanding > 0 {
		return x.outstanding
	}
	return arch.DefaultOutstanding
}

func (x limitSpec) String() string {
	return fmt.Sprintf("external %t, %d loads and stores, without lanes %t, %d outstanding", x.external, x.accesses, x.bare, x.outstanding)
}

func (x limitSpec) apart() apartSpec {
	return apartSpec{lanes: !x.bare, external: x.external, loads: x.accesses, stores: x.accesses, slots: x.slots, queue: 2, lsq: x.lsq}
}

// fabric is that of the spec.
func (x limitSpec) fabric() (*arch.Fabric, *config.Image) {
	if x.accesses > 1 {
		f, img := x.apart().fabric()
		for _, c := range f.Comps {
			if c.External() {
				c.Mem.Outstanding = x.outstanding
			}
		}
		return f, img
	}
	b := fabrictest.New("alone", 32)
	elems := int64(2 * apartElems)
	if x.external {
		elems = 0
	}
	mem := b.Ported("a", ir.I32, elems, 1, 1)
	m := mem.Mem
	m.Private, m.Outstanding = x.external, x.outstanding
	b.Connect(b.Input("x0_addr", ir.Index), fabrictest.In(mem, m.LdAddr))
	b.Connect(fabrictest.Out(mem, m.LdData), b.Output("x0_value", ir.I32))
	b.Connect(fabrictest.Out(mem, m.LdDone), b.Output("x0_done", ir.None))
	b.Connect(b.Input("x1_addr", ir.Index), fabrictest.In(mem, m.StAddr))
	b.Connect(b.Input("x1_data", ir.I32), fabrictest.In(mem, m.StData))
	b.Connect(fabrictest.Out(mem, m.StDone), b.Output("x1_done", ir.None))
	img := config.New(config.NewLayout(b.F))
	img.Settings[mem.ID].Regions[0] = config.Region{Valid: true}
	if x.external {
		img.Settings[mem.ID].Regions[0].Offset = dramBase
	}
	return b.F, img
}

// record runs the stimuli: a memory that responds after 40 cycles or more with stalls on the bus, and
// then consumers that keep the data, or the done tokens, of one access after the other waiting.
func (x limitSpec) record(t *testing.T, f *arch.Fabric, img *config.Image) (all []*recording) {
	n := 70 + 2*x.outstanding
	for _, port := range []string{"", "value", "done"} {
		for k := range 2 * x.accesses {
			s := x.apart().stimulus(f, img, n, uint64(k+1))
			s.testbench.Latency = latency.Fixed(max(x.latency, 40))
			s.testbench.StallPercent = 30
			switch {
			case port == "" && k > 0:
				continue
			case port == "":
				s.stall = 5
			case x.accesses > 1 && !x.bare: // they wait until another access has made all of its own
				s.after[fmt.Sprintf("x%d_%s", k, port)] = passed{fmt.Sprintf("x%d_done", (k+1)%(2*x.accesses)), n}
			default:
				s.slow[fmt.Sprintf("x%d_%s", k, port)] = 95
			}
			all = append(all, s.record(t))
		}
	}
	return all
}

// cover collects the cover points of recordings by kind of component: for every reservation the
// most that was taken, and what is wrong with its size.
type cover struct {
	points map[string]cycle.Limit
	wrong  []string
}

func (c *cover) add(x limitSpec, all []*recording) {
	if c.points == nil {
		c.points = map[string]cycle.Limit{}
	}
	for _, r := range all {
		for _, l := range r.limits {
			want := x.slots
			switch {
			case l.What == "stores in flight":
				want = min(x.lsq, x.slots)
			case l.Comp.External():
				want = x.places()
			case l.Comp.OnChip():
				want = onChipPlaces
			}
			if l.Most > want || l.Places != want {
				c.wrong = append(c.wrong, fmt.Sprintf("%s: %s, the contract has %d", x, l, want))
			}
			key := fmt.Sprintf("%s for %s", l.Comp.Kind, l.What)
			if l.Comp.Mem != nil && l.Comp.Mem.TagWidth > 0 {
				key = "tagged " + key
			}
			if have, known := c.points[key]; !known || l.Most*have.Places > have.Most*l.Places {
				c.points[key] = l
			}
		}
	}
}

// missing lists what is wrong, and the reservations that were not filled.
func (c *cover) missing() []string {
	out := slices.Clone(c.wrong)
	for _, key := range slices.Sorted(maps.Keys(c.points)) {
		if l := c.points[key]; l.Most < l.Places {
			out = append(out, "never filled: "+l.String())
		}
	}
	return out
}

// The memories with lanes take responses from the memory at any time, so that one on the chip
// is held back only without them.
var limitSpecs = []limitSpec{
	{external: true, accesses: 1, slots: 4, lsq: 4}, {external: true, accesses: 2, slots: 7, lsq: 4, bare: true},
	{external: true, accesses: 3, slots: 16, lsq: 6},
	{accesses: 1, slots: 4, lsq: 4}, {accesses: 2, slots: 7, lsq: 4}, {accesses: 2, slots: 7, lsq: 4, bare: true},
	// Memories as far away as they are made for, with places in LUT RAM and in block RAM.
	{external: true, accesses: 1, slots: 4, lsq: 4, outstanding: 43, latency: 40},
	{external: true, accesses: 1, slots: 4, lsq: 4, outstanding: 103, latency: 100},
	{external: true, accesses: 1, slots: 4, lsq: 4, outstanding: 131, latency: 128},
	{external: true, accesses: 3, slots: 66, lsq: 64, outstanding: 100, latency: 100},
	{external: true, accesses: 2, slots: 7, lsq: 4, bare: true, outstanding: 131, latency: 128},
}

// TestLimits fills every reservation of memories and lanes to its last place, with external
// memory that responds after 128 cycles (in the soak campaign also 40 and 100) and stalls, and holds the RTL to the simulator
// meanwhile. A reservation that is not filled fails the test. Then hardware that takes a
// place too many must be noticed, by the comparison and by the assertions of the RTL.
func TestLimits(t *testing.T) {
	faults := map[string][][2]string{
		"loom_extmemory.sv": {{"~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL)", "(data_under_way != FULL + CW'(1)) & (done_under_way != FULL + CW'(1))"},
			{"assign room         = ~&(done_under_way | ~FULL);", "assign room         = done_under_way != FULL + CW'(1);"}},
		"loom_extmemory_tagged.sv": {{"~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL)", "(data_under_way != FULL + CW'(1)) & (done_under_way != FULL + CW'(1))"},
			{"assign room             = ~&(under_way | ~FULL);", "assign room             = under_way != FULL + CW'(1);"}},
		"loom_load_lane.sv": {{"(data_under_way != DEPTH[CW-1:0])", "1'b1"}, {"(done_under_way != DEPTH[CW-1:0])", "1'b1"}},
		"loom_store_lane.sv": {{"(under_way != PLACES[CW-1:0])", "1'b1"},
			{"(awaited != MOST[CW-1:0])", "1'b1"}},
	}
	planted, asserted, points := map[string]bool{}, map[string]bool{}, &cover{}
	for _, x := range limitSpecs {
		if x.outstanding > 0 && x.latency < 128 && soak.Factor() == 0 {
			continue // every day the default and the farthest
		}
		f, img := x.fabric()
		all := x.record(t, f, img)
		points.add(x, all)
		for i, r := range all {
			if !r.done || r.code != 0 {
				t.Errorf("%s, stimulus %d: code %d, %v", x, i, r.code, r.stuck)
			}
		}
		for k, d := range newBench(t, f, nil).replay(t, all...) {
			if d != "" {
				t.Errorf("%s, stimulus %d: %s", x, k, d)
			}
		}
		for _, file := range []string{"loom_extmemory.sv", "loom_extmemory_tagged.sv", "loom_load_lane.sv", "loom_store_lane.sv"} {
			for _, fault := range faults[file] {
				name := file + fault[0]
				if x.outstanding > 0 && x.latency < 128 {
					continue // faults are planted where memory is far away, and with the default
				}
				if planted[name] && asserted[name] {
					continue
				}
				used := true
				b := newBench(t, f, func(files map[string]string) {
					if text, ok := files[file]; !ok {
						used = false
					} else if !strings.Contains(text, fault[0]) {
						t.Fatalf("%s does not hold %q", file, fault[0])
					}
					files[file] = strings.Replace(files[file], fault[0], fault[1], 1)
					if !used {
						delete(files, file)
					}
				})
				if !used {
					continue
				}
				// One after the other, the last of which fill most: one of the first mostly shows it.
				for _, r := range slices.Backward(all) {
					planted[name] = b.replay(t, r)[0] != "" || planted[name]
					asserted[name] = len(b.asserted) > 0 || asserted[name]
					if planted[name] && asserted[name] {
						break
					}
				}
			}
		}
	}
	for _, w := range points.missing() {
		t.Error(w)
	}
	// Three of each of four memories, two of load lanes and two of store lanes.
	if len(points.points) != 3*4+2+2 {
		t.Errorf("%d kinds of reservations: %v", len(points.points), points.points)
	}
	for file, list := range faults {
		for _, fault := range list {
			if !planted[file+fault[0]] {
				t.Errorf("no stimulus shows %s in place of %s in %s", fault[1], fault[0], file)
			}
			if !asserted[file+fault[0]] {
				t.Errorf("no assertion of the RTL fails with %s in place of %s in %s", fault[1], fault[0], file)
			}
		}
	}
}

// TestLimitsFail: a run that does not fill a reservation is no cover, and neither is one of a
// model that reserves a place too many, be its hardware alike.
func TestLimitsFail(t *testing.T) {
	x := limitSpecs[0]
	f, img := x.fabric()
	short, full, more := &cover{}, &cover{}, &cover{}
	short.add(x, []*recording{x.apart().stimulus(f, img, 3, 1).record(t)})
	if wrong := short.missing(); len(wrong) != 3 || !strings.Contains(wrong[0], "of 16 places") {
		t.Errorf("three accesses fill %v", wrong)
	}
	all := x.record(t, f, img)
	if full.add(x, all); len(full.missing()) > 0 {
		t.Error(full.missing())
	}
	for i := range all[0].limits {
		all[0].limits[i].Most++
	}
	if more.add(x, all); len(more.missing()) == 0 {
		t.Error("17 of 16 places go unnoticed")
	}
}
