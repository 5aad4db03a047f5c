package tech

import (
	"fmt"
	"slices"
)

// This file divides arrays among several memories where one has too few ports: each serves
// some of the accesses. An argument has one address, at which every memory outside reaches
// the same elements; a table on the chip is read from a copy per memory.
//
// An argument may be divided although the kernel writes it, since nothing relies on the order
// of requests at a memory but accesses of one port, which stay together. A graph orders every
// other pair of accesses to one element, one of them a store, by a token that follows from the
// response of the first (dfg.Verify), and the response to a store means that all memories
// outside read the new value.

// Divisible reports whether several memories may serve an array: it is an argument, or a
// table.
func (a *Array) Divisible() bool { return a.Arg >= 0 || a.Constant() }

// readOnly reports whether several memories may serve an array that the kernel does not write.
func (a *Array) readOnly() bool { return a.Divisible() && len(a.Stores) == 0 }

// maxDivisions bounds how often arrays are divided in search of an allocation, as searchSteps does what that takes.
const maxDivisions = 64

// divide looks for an allocation in which several memories serve some arrays: of arrays that
// are only read, or else of any. Where there is none everything stays as it was.
func (t *Tech) divide() {
	if t.indivisible || !t.enough() {
		return
	}
	steps := 0
	whole, of := slices.Clone(t.Arrays), make([]int, len(t.Nodes))
	for i, nd := range t.Nodes {
		of[i] = nd.Array
	}
	for _, may := range []func(*Array) bool{(*Array).readOnly, (*Array).Divisible} {
		for range maxDivisions {
			a := t.dividend(may)
			if a == nil {
				break
			}
			t.halve(a)
			t.enumerate()
			if t.newAllocator(); t.alloc.possible() {
				return
			}
			if steps += t.alloc.steps; steps > searchSteps {
				break
			}
		}
		t.Arrays = slices.Clone(whole)
		for i, nd := range t.Nodes {
			nd.Array = of[i]
		}
		t.listAccesses()
		t.enumerate()
		t.newAllocator()
	}
	t.indivisible = true
}

// suitable lists the memories that are of the right kind for an array, however many accesses it
// has.
func (t *Tech) suitable(a *Array) (mems []int) {
	part := *a
	part.Loads, part.Stores = nil, nil
	for m := range t.Memories {
		if len(t.misfit(&t.Memories[m], &part)) == 0 {
			mems = append(mems, m)
		}
	}
	return mems
}

// total is what memories have in all that arrays can use.
func (t *Tech) total(mems []int) (all supply) {
	for _, m := range mems {
		s := t.supply(&t.Memories[m])
		all.loads, all.stores, all.regions = all.loads+min(s.loads, s.tags), all.stores+min(s.stores, s.tags), all.regions+s.regions
	}
	return all
}

// enough reports whether arrays for which the same memories are suitable need no more accesses
// and regions than these have in all; otherwise no division helps.
func (t *Tech) enough() bool {
	need := map[string]supply{}
	for _, a := range t.Arrays {
		mems := t.suitable(a)
		key := fmt.Sprint(mems)
		n := need[key]
		n.loads, n.stores, n.regions = n.loads+int64(len(a.Loads)), n.stores+int64(len(a.Stores)), n.regions+1
		if all := t.total(mems); n.loads > all.loads || n.stores > all.stores || n.regions > all.regions {
			return false
		}
		need[key] = n
	}
	return true
}

// dividend is the array to divide next, one of those that may be: one that no memory can hold,
// else the one with most accesses; nil where dividing does not help.
func (t *Tech) dividend(divisible func(*Array) bool) (most *Array) {
	for i, a := range t.Arrays {
		may := divisible(a) && len(a.Loads)+len(a.Stores) > 1
		if !slices.Contains(t.alloc.fits[i], true) {
			if !may {
				return nil
			}
			return a
		}
		if may && (most == nil || a.Span() > most.Span()) {
			most = a
		}
	}
	return most
}

// halve gives the later half of an array's loads and of its stores to an array of their own;
// of one load and one store, the store.
func (t *Tech) halve(a *Array) {
	b := *a
	b.ID = len(t.Arrays)
	t.Arrays = append(t.Arrays, &b)
	later := a.Stores
	if a.Span() > 1 {
		later = slices.Concat(a.Loads[(len(a.Loads)+1)/2:], a.Stores[(len(a.Stores)+1)/2:])
	}
	for _, id := range later {
		t.Nodes[id].Array = b.ID
	}
	t.listAccesses()
}
