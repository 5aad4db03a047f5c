package ir

import (
	"math/rand/v2"
	"testing"

	"loom/compiler/diag"
)

// graph makes a region with n blocks and the given edges.
func graph(n int, edges [][]int) *Region {
	op := NewOp("t.owner", diag.Pos{}, nil, nil)
	r := op.AddRegion()
	for range n {
		r.AddBlock()
	}
	for i, b := range r.Blocks {
		t := b.Append(NewOp("t.branch", diag.Pos{}, nil, nil))
		for _, to := range edges[i] {
			t.Succs = append(t.Succs, Successor{Block: r.Blocks[to]})
		}
	}
	return r
}

// reach marks the blocks that can be reached without passing avoid.
func reach(edges [][]int, from, avoid int, seen []bool) {
	if from == avoid || seen[from] {
		return
	}
	seen[from] = true
	for _, to := range edges[from] {
		reach(edges, to, avoid, seen)
	}
}

// TestDominance compares with the definition: a dominates b when b cannot be
// reached once a is taken away.
func TestDominance(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		n := 1 + rng.IntN(9)
		edges := make([][]int, n)
		for i := range edges {
			for range rng.IntN(3) {
				edges[i] = append(edges[i], rng.IntN(n))
			}
		}
		r := graph(n, edges)
		d := Dominators(r)
		reachable := make([]bool, n)
		reach(edges, 0, -1, reachable)
		for a := range n {
			without := make([]bool, n)
			reach(edges, 0, a, without)
			for b := range n {
				want := !reachable[b] || reachable[a] && !without[b]
				if got := d.Dominates(r.Blocks[a], r.Blocks[b]); got != want {
					t.Fatalf("edges %v: dominates(%d, %d) = %v, want %v", edges, a, b, got, want)
				}
			}
		}
	}
}
