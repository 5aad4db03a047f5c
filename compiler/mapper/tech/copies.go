package tech

import "slices"

// This file gives an array that the kernel only reads several memories, where one has too
// few ports: each serves some of its loads, and all of them read the same elements, an
// argument at one address, a table on the chip from a copy of its own.

// Copyable reports whether an array may be read through several memories: nothing of the
// kernel writes it, and the host knows its contents.
func (a *Array) Copyable() bool { return len(a.Stores) == 0 && (a.Arg >= 0 || a.Init) }

// maxDivisions bounds how often arrays are divided in search of an allocation.
const maxDivisions = 64

// divide looks for an allocation in which arrays are read through several memories. Where
// there is none everything stays as it was.
func (t *Tech) divide() {
	whole, of := slices.Clone(t.Arrays), make([]int, len(t.Nodes))
	for i, nd := range t.Nodes {
		of[i] = nd.Array
	}
	for range maxDivisions {
		a := t.dividend()
		if a == nil {
			break
		}
		t.halve(a)
		t.enumerate()
		if t.newAllocator(); t.alloc.possible() {
			return
		}
	}
	t.Arrays = whole
	for i, nd := range t.Nodes {
		nd.Array = of[i]
	}
	t.listAccesses()
	t.enumerate()
	t.newAllocator()
}

// dividend is the array to divide next: one that no memory can hold, else the one with most
// loads; nil where dividing does not help.
func (t *Tech) dividend() (most *Array) {
	for i, a := range t.Arrays {
		may := a.Copyable() && len(a.Loads) > 1
		if !slices.Contains(t.alloc.fits[i], true) {
			if !may {
				return nil
			}
			return a
		}
		if may && (most == nil || len(a.Loads) > len(most.Loads)) {
			most = a
		}
	}
	return most
}

// halve gives the later half of an array's loads to an array of their own.
func (t *Tech) halve(a *Array) {
	b := *a
	b.ID = len(t.Arrays)
	t.Arrays = append(t.Arrays, &b)
	for _, id := range a.Loads[(len(a.Loads)+1)/2:] {
		t.Nodes[id].Array = b.ID
	}
	t.listAccesses()
}
