package randfabric

import (
	"strings"
	"testing"

	_ "loom/compiler/dialect/all" // operations of all dialects
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
			if c.PE != nil {
				pes++
			}
		}
		if pes < 36 || pes > 72 {
			t.Errorf("seed %d: %d PEs", seed, pes)
		}
		for _, word := range []string{"kind: mesh\n", "kind: torus", "mesh_io_ring", "token_tracks", "tracks: 3", "private: false"} {
			if strings.Contains(Text(seed, Options{}), word) {
				seen[word] = true
			}
		}
	}
	if built < 40 || len(seen) < 6+7 {
		t.Errorf("%d of 60 build, with %v", built, seen)
	}
}
