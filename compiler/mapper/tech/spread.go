package tech

import "loom/compiler/recurrence"

// This file divides arrays that one memory could serve among more of them, so that an iteration of an innermost loop
// that makes several accesses to one array does not wait for its port: among as many as such a loop makes accesses of one direction to it in an
// iteration, as far as there are memories.

// spreadArrays divides arrays as long as there is an allocation.
func (t *Tech) spreadArrays() {
	inner := t.innermost()
	done := map[int]bool{} // arrays that cannot be divided further
	for range maxDivisions {
		var most *Array
		for _, a := range t.Arrays {
			if n := t.atOnce(a, inner); a.Divisible() && !done[a.ID] && n > 1 && (most == nil || n > t.atOnce(most, inner)) {
				most = a
			}
		}
		if most == nil {
			return
		}
		of := make([]int, len(t.Nodes))
		for i, nd := range t.Nodes {
			of[i] = nd.Array
		}
		t.halve(most)
		t.enumerate()
		if t.newAllocator(); t.alloc.possible() {
			continue
		}
		done[most.ID] = true
		t.Arrays = t.Arrays[:len(t.Arrays)-1]
		for i, nd := range t.Nodes {
			nd.Array = of[i]
		}
		t.listAccesses()
		t.enumerate()
		t.newAllocator()
	}
}

// innermost gives every access node its loop if that has no loop inside, else -1.
func (t *Tech) innermost() []int {
	nest := recurrence.FindLoops(t.Fn)
	around := make([]bool, len(nest.Loops))
	for _, l := range nest.Loops {
		if l.Parent >= 0 {
			around[l.Parent] = true
		}
	}
	out := make([]int, len(t.Nodes))
	for i, nd := range t.Nodes {
		out[i] = -1
		if nd.Kind != Access {
			continue
		}
		port := nd.Ins[InAddr]
		if l := nest.Home(t.Fn.Regions[0].Entry().Ops[port.Op].Operand(port.Port)); l >= 0 && !around[l] {
			out[i] = l
		}
	}
	return out
}

// atOnce is how many accesses of one direction an innermost loop makes to an array in an iteration at most.
func (t *Tech) atOnce(a *Array, inner []int) int {
	most := 0
	for _, list := range [][]int{a.Loads, a.Stores} {
		n := map[int]int{}
		for _, id := range list {
			if l := inner[id]; l >= 0 {
				n[l]++
				most = max(most, n[l])
			}
		}
	}
	return most
}
