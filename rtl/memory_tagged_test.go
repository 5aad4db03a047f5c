package rtl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// randomTagMemory draws parameters and a table.
func randomTagMemory(r *rand.Rand, tr traffic, s shape, entries int) *tagMemory {
	m := &tagMemory{shape: s, depth: []int{1, 2, 3, 7, 8, 16}[r.IntN(6)], host: tr.host > 0}
	size := m.depth * m.dw / 8
	offsetBits := 1
	for 1<<offsetBits < size {
		offsetBits++
	}
	m.randomTable(r, tr, entries, offsetBits, uint64(size))
	m.powerUp()
	return m
}

// randomEntries draws a number of table entries; without faults they must be able to
// serve every tag.
func (s *shape) randomEntries(r *rand.Rand, tr traffic) int {
	if tr.faults {
		return 1 + r.IntN(8)
	}
	return 1 + r.IntN(min(max(s.loads, s.stores), 3))
}

// suits reports whether the shape can run the traffic: without faults, a table of half-open
// ranges cannot name the highest tag, so that port stays without a region.
func (s *shape) suits(tr traffic) bool {
	return tr.faults || s.loads > 0 && s.stores > 0 && max(s.loads, s.stores) < 1<<s.tw
}

// replay drives the model for some cycles and returns what the RTL must do and how
// many loads and store addresses were accepted. With a host it first writes all of the
// memory under reset, and reads all of it back at the end.
func (m *tagMemory) replay(r *rand.Rand, tr traffic, cycles int, seen map[int]int) (l *lockstep, moved [2]int) {
	ew := 1
	for 1<<ew < m.depth {
		ew++
	}
	l = &lockstep{module: "loom_memory_tagged", clocked: true, fixed: m.config(),
		params: fmt.Sprintf(".AW(%d), .DW(%d), .TW(%d), .DEPTH(%d), .LD_COUNT(%d), .ST_COUNT(%d), .LSQ_DEPTH(%d), .NUM_REGION(%d), .DEADLOCK_TIMEOUT(%d), .HOST(%s)",
			m.aw, m.dw, m.tw, m.depth, m.loads, m.stores, m.lsq, len(m.regions), m.timeout, bit(m.host))}
	l.in, l.out = m.fields()
	l.in = append(l.in, field{"host_en", 1}, field{"host_we", 1}, field{"host_addr", ew}, field{"host_wdata", m.dw})
	l.out = append(l.out, field{"host_rdata", m.dw})
	var in cycleIn
	for k := range cycles {
		m.offer(r, tr, &in.channels, k, uint64(m.depth))
		in.hostEn, in.hostWe, in.hostAddr, in.hostWord = percent(r, tr.host), percent(r, 50), r.IntN(m.depth), randomWord(r, m.dw)
		switch first := cycles - m.depth; {
		case m.host && k < m.depth:
			in.rst, in.hostEn, in.hostWe, in.hostAddr = true, true, true, k
		case m.host && k >= first:
			in.hostEn, in.hostWe, in.hostAddr = true, false, k-first
		}
		out := m.step(&in)
		if in.ldTaken {
			moved[0]++
		}
		if in.saTaken {
			moved[1]++
		}
		seen[out.err]++
		stim, want := m.lines(&in.channels, out.outputs)
		l.put(append(stim, bit(in.hostEn), bit(in.hostWe), bits(ew, uint64(in.hostAddr)), bits(m.dw, in.hostWord)),
			append(want, unless(!out.hostRead, m.dw, out.hostData)))
	}
	return l, moved
}

// randomTagMemories runs n memories, one traffic after the other.
func randomTagMemories(t *testing.T, seed uint64, n, cycles int, seen map[int]int) (ls []*lockstep) {
	t.Helper()
	for k := range n {
		tr := traffics[k%len(traffics)]
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		s := randomShape(r)
		for !s.suits(tr) {
			s = randomShape(r)
		}
		m := randomTagMemory(r, tr, s, s.randomEntries(r, tr))
		l, moved := m.replay(r, tr, cycles, seen)
		if tr.offer == 100 && (moved[0] != cycles || moved[1] != cycles) {
			t.Errorf("memory %d, %s: %d loads and %d stores accepted in %d cycles", k, tr.name, moved[0], moved[1], cycles)
		}
		ls = append(ls, l)
	}
	return ls
}

// campaign runs random designs, more of them with LOOM_SOAK; every code of codes must be
// raised.
func campaign(t *testing.T, play func(t *testing.T, seed uint64, n, cycles int, seen map[int]int) []*lockstep, codes ...int) {
	t.Helper()
	n, cycles, seeds := 20, 300, 1
	if soak() {
		n, cycles, seeds = 40, 300, 10
	}
	raised := map[int]int{}
	for seed := range seeds {
		dir := t.TempDir()
		sources(t, dir, "", "", "")
		if out := compare(t, dir, cycles, play(t, uint64(seed)+1, n, cycles, raised)); strings.Contains(out, "MISMATCH") {
			t.Errorf("seed %d:\n%s", seed+1, tail(out))
		}
	}
	for _, code := range codes {
		if raised[code] == 0 {
			t.Errorf("the traffic never raises %d", code)
		}
	}
}

// TestTaggedMemory compares loom_memory_tagged with the model in every cycle: random
// parameters and tables, random stalls and resets, full speed from one tag and from all
// (one load and one store accepted in every cycle), every error code, contents written
// by the host under reset and read back at the end.
func TestTaggedMemory(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	unchanged(t, "*memory_tagged*_test.go", "memory_*_test.go", "lockstep_test.go")
	t.Parallel()
	campaign(t, randomTagMemories, 12, 13, 260, 261, 264, 512)
}

// plantedFault is a fault in a source file that a comparison must notice.
type plantedFault struct {
	name, file, old, new string
	short                bool // in the short run, too
}

// mustNotice simulates ls with every faulty source; each must differ from the model.
func mustNotice(t *testing.T, faults []plantedFault, cycles int, ls func(t *testing.T) []*lockstep) {
	t.Helper()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			planted(t, f.file, f.old)
			if !soak() && !f.short {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			dir := t.TempDir()
			sources(t, dir, f.file, f.old, f.new)
			if !differs(t, dir, cycles, ls(t)) {
				t.Error("the comparison did not notice")
			}
		})
	}
}

// TestTaggedMemoryFaults: the comparison notices faults planted in the RTL.
func TestTaggedMemoryFaults(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	mustNotice(t, []plantedFault{
		{"round robin always from 0", "loom_store_queue_tagged.sv", "else if (pop) last <= pair_tag;", "else if (pop) last <= SW'(COUNT - 1);", true},
		{"a full queue refuses while it pops", "loom_store_queue_tagged.sv", "addr_ready = ~addr_full[k] | (pop & (pair_tag == SW'(k)))", "addr_ready = ~addr_full[k]", false},
		{"done tokens carry the tag of the data", "loom_memory_tagged.sv", "lddone_data  = tags[done_rd]", "lddone_data  = tags[data_rd]", true},
		{"closed tag ranges", "loom_region_tagged.sv", "(tag[n*TW +: TW] < cfg_region[r*RW+END +: TW])) begin", "(tag[n*TW +: TW] <= cfg_region[r*RW+END +: TW])) begin", false},
		{"an empty range overlaps", "loom_region_tagged.sv", "& (cfg_region[r*RW+END +: TW] > cfg_region[r*RW+START +: TW])\n", "\n", false},
		{"one deadlock counter for all tags", "loom_store_queue_tagged.sv", "if (rst | ~imbalance) my_waited", "if (rst | ~|(addr_filled ^ data_filled)) my_waited", false},
		{"a stray store has no done", "loom_memory_tagged.sv", ".in_valid (st_pop | addr_stray_taken)", ".in_valid (st_pop)", false},
		{"a store in the cycle of a reset is written", "loom_memory_tagged.sv", "(st_pop & ~st_fault & ~rst)", "(st_pop & ~st_fault)", false},
		{"the host cannot write under reset", "loom_memory_tagged.sv", ".host_en   (host_en)", ".host_en   (host_en & ~rst)", true},
		{"a fabric's load spoils what the host reads", "loom_ram_port.sv", "raddr(host ? host_addr : raddr)", "raddr(raddr)", false},
	}, 300, func(t *testing.T) []*lockstep { return randomTagMemories(t, 1, 20, 300, map[int]int{}) })
}
