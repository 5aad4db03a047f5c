package rtl

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// gridPoint is number i of the grid: every pair of port counts with one above 1, every
// element width, and cyclically every depth of the store queues and number of regions.
func gridPoint(i int, loads, stores, dw int) (s shape, entries int) {
	tw := 1
	for 1<<tw < max(loads, stores) {
		tw++
	}
	return shape{aw: []int{4, 10, 32}[i%3], dw: dw, tw: tw + i%2, loads: loads, stores: stores,
		lsq: 1 + i%16, timeout: 1 + i*7%30}, 1 + i*5%8
}

// TestTaggedSweep simulates the whole grid of both tagged memories with LOOM_SOAK, else a
// few points spread over the grid.
func TestTaggedSweep(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	t.Parallel()
	const cycles = 250
	var ls []*lockstep
	seen := map[string]map[int]bool{}
	see := func(name string, value int) {
		if seen[name] == nil {
			seen[name] = map[int]bool{}
		}
		seen[name][value] = true
	}
	i := 0
	for loads := range 9 {
		for stores := range 9 {
			for _, dw := range []int{8, 16, 32, 64} {
				if max(loads, stores) < 2 {
					continue
				}
				i++
				if !soak() && i%67 != 0 {
					continue
				}
				s, entries := gridPoint(i, loads, stores, dw)
				tr := traffics[i%len(traffics)]
				if !s.suits(tr) || !tr.faults && entries > max(loads, stores) {
					tr = traffics[i%2]
				}
				for name, value := range map[string]int{"ldCount": loads, "stCount": stores, "lsqDepth": s.lsq, "width": dw, "numRegion": entries} {
					see(name, value)
				}
				r := rand.New(rand.NewPCG(7, uint64(i)))
				memory, _ := randomTagMemory(r, tr, s, entries).replay(r, tr, cycles, map[int]int{})
				external, _ := randomTagExtMemory(r, tr, s, entries).replay(r, tr, cycles, map[int]int{})
				ls = append(ls, memory, external)
			}
		}
	}
	if soak() {
		for name, count := range map[string]int{"ldCount": 9, "stCount": 9, "lsqDepth": 16, "width": 4, "numRegion": 8} {
			if len(seen[name]) != count {
				t.Errorf("the grid has %d values of %s, not %d", len(seen[name]), name, count)
			}
		}
	}
	done := 0
	for part := range slices.Chunk(ls, 40) {
		done += len(part)
		t.Run(fmt.Sprintf("up to %d of %d", done, len(ls)), func(t *testing.T) {
			dir := t.TempDir()
			sources(t, dir, "", "", "")
			if out := compare(t, dir, cycles, part); strings.Contains(out, "MISMATCH") {
				t.Error(tail(out))
			}
		})
	}
}
