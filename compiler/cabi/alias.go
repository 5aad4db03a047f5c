package cabi

import (
	"fmt"

	"loom/compiler/ir"
)

// MayAlias is the name of a function attribute: a list of arrays of parameter
// positions. The memrefs of one array may overlap, so their accesses stay in order
// with each other; memrefs that are in no common array are distinct. func.func and
// handshake.func carry it alike, as the lowering keeps the parameters.
const MayAlias = "loom.may_alias"

// Overlaps is the content of MayAlias of a function.
type Overlaps struct {
	// First is for each parameter the position of the first one that it may overlap
	// with, directly or through others; -1 where there is none. Accesses to such
	// parameters are ordered together.
	First []int
	pairs map[[2]int]bool
}

// May reports whether two parameters may hold the same bytes: they are in one array, or
// they are one. A pointer that may point into two variables does not make these overlap.
func (o *Overlaps) May(i, k int) bool { return i == k || o.pairs[[2]int{min(i, k), max(i, k)}] }

// Aliases reads Overlaps.First.
func Aliases(fn *ir.Operation, params []*ir.Value) ([]int, error) {
	o, err := ReadOverlaps(fn, params)
	return o.First, err
}

// ReadOverlaps reads MayAlias. The error describes what is wrong with the attribute; it
// depends on the types of the parameters.
func ReadOverlaps(fn *ir.Operation, params []*ir.Value) (*Overlaps, error) {
	out := &Overlaps{First: make([]int, len(params)), pairs: map[[2]int]bool{}}
	for i := range out.First {
		out.First[i] = -1
	}
	a := fn.Attr(MayAlias)
	if a == nil {
		return out, nil
	}
	list, ok := a.(*ir.ArrayAttr)
	if !ok {
		return out, fmt.Errorf("%s must be a list of arrays of parameter positions", MayAlias)
	}
	for _, e := range list.Elems {
		set, ok := positions(e)
		if !ok {
			return out, fmt.Errorf("%s must be a list of arrays of parameter positions", MayAlias)
		}
		for _, p := range set {
			if p < 0 || p >= int64(len(params)) {
				return out, fmt.Errorf("%s names parameter %d of %d", MayAlias, p, len(params))
			}
			if _, mem := params[p].Type.(*ir.MemRefType); !mem {
				return out, fmt.Errorf("%s names parameter %d, which is no memref", MayAlias, p)
			}
			merge(out.First, int(set[0]), int(p))
			for _, q := range set {
				out.pairs[[2]int{int(min(p, q)), int(max(p, q))}] = true
			}
		}
	}
	return out, nil
}

// positions reads one array, written as numbers or as a dense array.
func positions(a ir.Attr) ([]int64, bool) {
	switch a := a.(type) {
	case *ir.DenseArrayAttr:
		return a.Values, true
	case *ir.ArrayAttr:
		var out []int64
		for _, e := range a.Elems {
			n, ok := e.(*ir.IntegerAttr)
			if !ok {
				return nil, false
			}
			out = append(out, n.Value)
		}
		return out, true
	}
	return nil, false
}

// merge makes two parameters overlap, and all that overlap with either.
func merge(first []int, a, b int) {
	leader := func(p int) int {
		if first[p] >= 0 {
			return first[p]
		}
		return p
	}
	x, y := leader(a), leader(b)
	if a == b || x == y {
		return
	}
	low := min(x, y)
	for i, f := range first {
		if i == x || i == y || f == x || f == y {
			first[i] = low
		}
	}
}

// SetAliases writes MayAlias; no sets remove it.
func SetAliases(fn *ir.Operation, sets [][]int) {
	if len(sets) == 0 {
		fn.SetAttr(MayAlias, nil)
		return
	}
	list := &ir.ArrayAttr{}
	for _, s := range sets {
		e := &ir.DenseArrayAttr{Elem: ir.I64}
		for _, p := range s {
			e.Values = append(e.Values, int64(p))
		}
		list.Elems = append(list.Elems, e)
	}
	fn.SetAttr(MayAlias, list)
}
