package randfabric

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	_ "loom/compiler/dialect/all" // operations of all dialects
	"loom/compiler/units"
)

// TestFabric: random architectures build, but for those that ask too much of a switch, and
// differ in all that is drawn.
func TestFabric(t *testing.T) {
	built, seen := 0, map[string]bool{}
	for seed := range uint64(60) {
		if Text(seed, Options{}) != Text(seed, Options{}) {
			t.Fatal("one seed gives two texts")
		}
		f, err := Fabric(seed, Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "a switch has at most 32") {
				t.Errorf("seed %d: %v\n%s", seed, err, Text(seed, Options{}))
			}
			continue
		}
		built++
		pes := 0
		for _, c := range f.Comps {
			seen[c.Kind.String()] = true
			if c.GeneralPE() {
				pes++
			}
		}
		if pes < 36 || pes > 72 {
			t.Errorf("seed %d: %d PEs", seed, pes)
		}
		for _, word := range []string{"kind: mesh\n", "kind: torus", "mesh_io_ring", "token_tracks", "tracks: 3", "private: false", "access_units", "instructions: 16"} {
			if strings.Contains(Text(seed, Options{}), word) {
				seen[word] = true
			}
		}
	}
	if built < 40 || len(seen) < 6+8 {
		t.Errorf("%d of 60 build, with %v", built, seen)
	}
}

// TestFloats: architectures with floating point build, of words of both widths, and have units with the latency of
// the table and others, such that share hardware in a PE and such that do not.
func TestFloats(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(40) {
		o := Options{Floats: true}
		if Text(seed, o) != Text(seed, o) {
			t.Fatal("one seed gives two texts")
		}
		f, err := Fabric(seed, o)
		if err != nil {
			if !strings.Contains(err.Error(), "a switch has at most 32") {
				t.Errorf("seed %d: %v\n%s", seed, err, Text(seed, o))
			}
			continue
		}
		seen[strings.Fields(Text(seed, o))[3]] = true
		for _, c := range f.Comps {
			if c.PE == nil {
				continue
			}
			latencies := map[string][]int{}
			for _, u := range c.PE.FUs {
				op := u.Ops[0].Op
				row, _ := units.Lookup(op.Name)
				if !row.Types.Float() || len(u.Ops) > 1 {
					continue
				}
				usual, _ := row.Timing(op, f.IndexWidth)
				seen[fmt.Sprintf("%s %v", row.Mnemonic, u.Latency == usual)] = true
				if row.Module == "loom_float_add" {
					latencies[op.Result(0).Type.String()] = append(latencies[op.Result(0).Type.String()], u.Latency)
				}
			}
			for _, l := range latencies {
				slices.Sort(l)
				seen[fmt.Sprintf("%d adders of %d latencies", len(l), len(slices.Compact(slices.Clone(l))))] = true
			}
		}
	}
	want := []string{"32", "64", "2 adders of 1 latencies", "2 adders of 2 latencies"}
	for _, op := range []string{"addf", "subf", "mulf", "fma", "divf", "sqrt", "remf", "cmpf", "floor", "minimumf", "sitofp", "fptosi", "truncf", "extf"} {
		want = append(want, op+" true", op+" false")
	}
	for _, w := range want {
		if !seen[w] {
			t.Errorf("no %s in 40 fabrics", w)
		}
	}
}
