package randc

import (
	"math/rand/v2"
	"slices"
)

// fencedEach is how many programs there are for one with fences.
const fencedEach = 5

// fences are the ways to write one; that of signals, and a relaxed one, order nothing.
var fences = []string{
	"atomic_thread_fence(memory_order_seq_cst)", "atomic_thread_fence(memory_order_release)",
	"atomic_thread_fence(memory_order_acquire)", "__atomic_thread_fence(__ATOMIC_ACQ_REL)",
	"__sync_synchronize()", "atomic_signal_fence(memory_order_seq_cst)", "atomic_thread_fence(memory_order_relaxed)",
}

// addFences puts fences among the statements of a program, in helpers as well. The program
// means what it meant before.
func addFences(p *Program, r *rand.Rand) {
	var among func(list []*Stmt) []*Stmt
	among = func(list []*Stmt) []*Stmt {
		for _, s := range list {
			for i, b := range s.Bodies {
				s.Bodies[i] = among(b)
			}
		}
		for range 1 + r.IntN(2) {
			if r.IntN(100) < 40 {
				list = slices.Insert(list, r.IntN(len(list)+1), &Stmt{Kind: Fence, Op: fences[r.IntN(len(fences))]})
			}
		}
		return list
	}
	for _, f := range append(slices.Clone(p.Helpers), p.Kernel) {
		f.Body = among(f.Body)
	}
}
