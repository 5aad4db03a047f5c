package arch

import (
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// TestCyclicGroups compares the search for cycles with plain reachability on
// random graphs: the groups are the sets of nodes that reach each other, and the
// cycle shown is one, through the group's lowest node, and of the least length.
func TestCyclicGroups(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "nodes")
		g := make([][]int, n)
		const far = 1 << 20
		dist := make([][]int, n) // length of the shortest path of at least one edge
		for v := range g {
			dist[v] = make([]int, n)
			for w := range g {
				dist[v][w] = far
				if rapid.IntRange(0, n).Draw(t, "edge") < 2 {
					g[v] = append(g[v], w)
					dist[v][w] = 1
				}
			}
		}
		for k := range n {
			for v := range n {
				for w := range n {
					dist[v][w] = min(dist[v][w], dist[v][k]+dist[k][w])
				}
			}
		}
		var want [][]int
		seen := make([]bool, n)
		for v := range n {
			if seen[v] || dist[v][v] >= far {
				continue
			}
			var group []int
			for w := range n {
				if dist[v][w] < far && dist[w][v] < far {
					seen[w] = true
					group = append(group, w)
				}
			}
			want = append(want, group)
		}
		got := cyclicGroups(g)
		for _, group := range got {
			sort.Ints(group)
			cycle := shortestCycle(g, group)
			if cycle[0] != group[0] || len(cycle) != dist[group[0]][group[0]] {
				t.Fatalf("cycle %v of group %v, the shortest has %d", cycle, group, dist[group[0]][group[0]])
			}
			for i, v := range cycle {
				if !hasEdge(g, v, cycle[(i+1)%len(cycle)]) {
					t.Fatalf("%v is no cycle of %v", cycle, g)
				}
			}
		}
		if d := cmp.Diff(want, got, cmpopts.SortSlices(func(a, b []int) bool { return a[0] < b[0] })); d != "" {
			t.Fatal(d)
		}
	})
}
