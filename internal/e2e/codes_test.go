package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/latency"
	"loom/internal/soak"
)

// crossing checks the outputs behind the temporal switch: the tokens of each input
// arrive complete and in order, with any others between them.
func (r *recording) crossing(want map[string][]string) (diffs []string) {
	for _, out := range []string{"mapped", "passed"} {
		sent := 0
		for i, in := range []string{"t0", "t1", "t2"} {
			var got []uint64
			for _, v := range r.out[out] {
				if v>>8 == uint64(i) {
					got = append(got, v)
				}
			}
			var tokens []uint64
			if slices.Contains(want[out], in) {
				tokens = r.feed[in]
			}
			sent += len(got)
			if !slices.Equal(got, tokens) {
				diffs = append(diffs, fmt.Sprintf("%s delivers %x of %s, want %x", out, got, in, tokens))
			}
		}
		if sent != len(r.out[out]) {
			diffs = append(diffs, fmt.Sprintf("%s delivers tokens that no input sent: %x", out, r.out[out]))
		}
	}
	return diffs
}

// crossed is what the temporal switch delivers where nothing is wrong.
var crossed = map[string][]string{"mapped": {"t0", "t2"}, "passed": {"t1", "t2"}}

// check compares a recording with what its stimulus must do. Outputs in except are left to
// the comparison with the RTL.
func (r *recording) check(t testing.TB, code int, e *expected, cross map[string][]string, except ...string) {
	t.Helper()
	if r.code != code {
		t.Errorf("code %d, want %d (%s)", r.code, code, arch.HardwareSymbol(code))
	}
	for _, b := range r.fabric.Inputs {
		if r.taken[b.Name] != len(r.feed[b.Name]) {
			t.Errorf("%s takes %d of %d tokens", b.Name, r.taken[b.Name], len(r.feed[b.Name]))
		}
	}
	for _, b := range r.fabric.Outputs {
		if _, crossing := crossed[b.Name]; crossing || slices.Contains(except, b.Name) {
			continue
		}
		if d := cmp.Diff(e.out[b.Name], r.out[b.Name]); d != "" {
			t.Errorf("%s (-want +got):\n%s", b.Name, d)
		}
	}
	for _, d := range r.crossing(cross) {
		t.Error(d)
	}
	if d := cmp.Diff(e.cells, r.cells); d != "" {
		t.Errorf("on-chip memories (-want +got):\n%s", d)
	}
	if d := cmp.Diff(e.bus, r.bus); d != "" {
		t.Errorf("external memories (-want +got):\n%s", d)
	}
}

// codeCase is one cause of a code.
type codeCase struct {
	name   string
	code   int
	comp   string
	spoil  func(t testing.TB, s *stimulus)
	cross  map[string][]string // what the temporal switch still delivers
	except []string            // outputs that deliver something else
	open   bool                // half a store is left
	split  bool                // each tag of the shared external memory has an array of its own
}

// stimulus is the i-th case with an environment of its own.
func (c *codeCase) stimulus(t testing.TB, f *arch.Fabric, i int) *stimulus {
	s := newCodes(t, f, uint64(i))
	s.stall = []int{0, 30, 60}[i%3]
	s.testbench.StallPercent, s.testbench.StallSeed = s.stall, uint64(i)
	s.testbench.Latency = latency.Profile{Min: 1, Max: 1 + int64(i%4)*7, Seed: uint64(i)}
	if c.open {
		s.cycles = 240
	}
	if i%8 == 0 {
		s.linger = 300 // to see the error stay
	}
	if c.split {
		table := s.set(t, "dram").Regions
		table[0].EndTag = 1
		table[1] = config.Region{Valid: true, StartTag: 1, EndTag: 2, Offset: table[0].Offset}
	}
	c.spoil(t, s)
	return s
}

// strays are the requests of a recording to memories with bounds that are not wholly inside the
// array of their tag.
func (r *recording) strays() (list []string) {
	for _, b := range r.buses {
		sizes, table := r.testbench.Sizes[b.comp.ID], r.img.Settings[b.comp.ID].Regions
		if sizes == nil {
			continue
		}
		see := func(what string, valid, id, addr *signal) {
			for c, v := range valid.at {
				at := slices.IndexFunc(table, func(x config.Region) bool {
					return x.Valid && (b.comp.Mem.TagWidth == 0 || x.StartTag <= id.at[c] && id.at[c] < x.EndTag)
				})
				if v == 0 || at >= 0 && (sizes[at]>>63 != 0 || addr.at[c]-table[at].Offset+uint64(b.comp.Mem.ElemBytes()) <= sizes[at]) {
					continue
				}
				list = append(list, fmt.Sprintf("cycle %d: %s of %s to 0x%x with ID %d", c, what, b.comp.Name, addr.at[c], id.at[c]))
			}
		}
		see("a read", b.arValid, b.arID, b.arAddr)
		see("a write", b.awValid, b.awID, b.awAddr)
	}
	return list
}

// TestCodes provokes every code in the simulator and in the RTL of one fabric, which
// agree on every channel in every cycle, on the code and on its cycle. It stays until
// reset, everything else goes on, what faults completes without effect.
func TestCodes(t *testing.T) {
	f := textFabric(t, "codes.mlir")
	b := newBench(t, f, nil)
	seen := map[int]bool{}
	var recorded []*recording
	for i, c := range codeCases {
		t.Run(fmt.Sprintf("%d %s", c.code, c.name), func(t *testing.T) {
			s := c.stimulus(t, f, i)
			r := s.record(t)
			recorded = append(recorded, r)
			if r.done == c.open {
				t.Errorf("left empty: %t\n%s", r.done, lines(r.stuck))
			}
			cross := c.cross
			if cross == nil {
				cross = crossed
			}
			r.check(t, c.code, s.expect(t), cross, c.except...)
			if list := r.strays(); len(list) > 0 {
				t.Errorf("outside of the arrays: %s", list[0])
			}
			if c.comp != "" && (r.comp == nil || r.comp.Name != c.comp) {
				t.Errorf("raised by %v, want %s", r.comp, c.comp)
			}
			if r.cycles-r.codeAt < 30 {
				t.Errorf("the error comes in cycle %d of %d: too late to see it stay", r.codeAt, r.cycles)
			}
			seen[r.code] = true
		})
	}
	for k := range configFaults {
		recorded = append(recorded, smallest(t, f, configFaults[k:]))
	}
	for k := range trafficFaults {
		recorded = append(recorded, smallest(t, f, trafficFaults[k:]))
	}
	for i, d := range b.replay(t, recorded...) {
		if d != "" && i < len(codeCases) {
			t.Errorf("%s: %s", codeCases[i].name, d)
		} else if d != "" {
			t.Errorf("several codes, the smallest %d: %s", recorded[i].code, d)
		}
	}
	for _, code := range []int{4, 5, 9, 10, 11, 12, 13, 14, 15, 257, 258, 259, 260, 261, 262, 263, 264, 265, 512, 513, 514, 515} {
		if !seen[code] {
			t.Errorf("nothing provoked code %d, %s", code, arch.HardwareSymbol(code))
		}
	}
}

// smallest lets faults come together in one cycle: the smallest code, that of the
// first, is reported.
func smallest(t *testing.T, f *arch.Fabric, faults []together) *recording {
	t.Helper()
	s := newCodes(t, f, uint64(len(faults)))
	s.cycles = 40
	for _, x := range faults {
		x.spoil(t, s)
	}
	r := s.record(t)
	if r.code != faults[0].code || r.codeAt != 0 {
		t.Errorf("code %d in cycle %d, want %d in cycle 0", r.code, r.codeAt, faults[0].code)
	}
	return r
}

// plantedFaults break what TestCodes is about, in the RTL of one module each. The
// stimuli that raise the code show it, for code 0 those of several codes.
var plantedFaults = []struct {
	name, file, old, new string
	code                 int
}{
	{"the last error counts", "loom_error_collect.sv", "else if (~error_valid)", "else if (|reported)", 0},
	{"an error does not stay", "loom_error_collect.sv", "else if (~error_valid)", "else", 512},
	{"the largest code wins", "loom_error_collect.sv", "for (int k = K - 1; k >= 0; k--)", "for (int k = 0; k < K; k++)", 0},
	{"a load beyond the end shows an element", "loom_memory_tagged.sv", "faulty ? '0 : ram_rdata", "ram_rdata", 512},
	{"a store without a region is written", "loom_memory_tagged.sv", "= st_unmapped | st_oob;", "= st_oob;", 264},
	{"a stray store has no done", "loom_memory_tagged.sv", ".in_valid (st_pop | addr_stray_taken)", ".in_valid (st_pop)", 260},
	{"a stray address is held", "loom_memory_tagged.sv", "addr_stray ? room : queue_addr_ready", "~addr_stray & queue_addr_ready", 260},
	{"an untagged store beyond the end wraps", "loom_memory.sv", "= no_region | st_oob;", "= no_region;", 512},
	{"a faulting load makes a request", "loom_extmemory_tagged.sv", "ldaddr_valid & room & ~fault & ", "ldaddr_valid & room & ", 265},
	{"an error of the bus loads what came", "loom_extmemory.sv", "(region & ~ld_rsp_err & ", "(region & ", 513},
	{"the element behind an array is stored", "loom_extmemory.sv", "(index >= entry[64 +: AW])", "(index > entry[64 +: AW])", 515},
	{"only loads stay in their array", "loom_extmemory_tagged.sv", "assign outside   = st_hit & ~st_entry[64+AW] & (index >= st_entry[64 +: AW]);", "assign outside = 1'b0;", 515},
	{"a load outside is requested", "loom_extmemory.sv", "region & ~outside & ~ld_outside;", "region & ~ld_outside;", 515},
	{"an array with the size of another", "loom_extmemory_tagged.sv", "cfg_region[r*(RW+64)+RW +: 64]", "cfg_region[RW +: 64]", 515},
	{"an access outside is not told", "loom_extmemory.sv", "homeless | bus_error | ld_outside | st_outside);", "homeless | bus_error);", 515},
	{"sizes on the way to another region", "codes_core.sv", "far_size[0 +: 64]", "far_size[64 +: 64]", 515},
	{"a tag in no slot goes unseen", "loom_temporal_sw.sv", "no_match | unrouted);", "unrouted);", 257},
	{"a tag in two entries goes unseen", "loom_map_tag.sv", "((|again) | (in_valid & ~found))", "(in_valid & ~found)", 9},
	{"an image of any length runs", "loom_cfg_loader.sv", "shift & cfg_last & ~complete", "1'b0", 514},
	{"steps of zero", "loom_stream.sv", "bad_cond | (accept & bad_step)", "bad_cond", 259},
	{"a deadlock a cycle early", "loom_store_queue_tagged.sv", "localparam int ALMOST = TIMEOUT - 1;",
		"localparam int ALMOST = TIMEOUT - 2;", 261},
}

// TestCodesFail: the stimuli of TestCodes find the differences of broken hardware.
func TestCodesFail(t *testing.T) {
	if soak.Factor() == 0 {
		t.Skip("set LOOM_SOAK=1: every fault is a fabric of its own to build")
	}
	f := textFabric(t, "codes.mlir")
	recorded := map[int][]*recording{}
	for i := range codeCases {
		c := &codeCases[i]
		recorded[c.code] = append(recorded[c.code], c.stimulus(t, f, i).record(t))
	}
	for k := range configFaults {
		recorded[0] = append(recorded[0], smallest(t, f, configFaults[k:]))
	}
	for k := range trafficFaults {
		recorded[0] = append(recorded[0], smallest(t, f, trafficFaults[k:]))
	}
	for _, x := range plantedFaults {
		t.Run(x.name, func(t *testing.T) {
			b := newBench(t, f, func(files map[string]string) {
				if strings.Count(files[x.file], x.old) == 0 {
					t.Fatalf("%s does not hold %q", x.file, x.old)
				}
				files[x.file] = strings.Replace(files[x.file], x.old, x.new, 1)
			})
			if !slices.ContainsFunc(b.replay(t, recorded[x.code]...), func(d string) bool { return d != "" }) {
				t.Error("no stimulus shows it")
			}
		})
	}
}
