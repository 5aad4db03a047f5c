// Package dependence decides whether two iterations of a loop may touch one element of a
// memory, one of them with a store: by comparing subscripts, dimension by dimension.
// Indices are within their dimension, so different indices in one dimension mean
// different elements.
package dependence

import "loom/compiler/ir"

// Independence is what is known of the iterations of one loop and the accesses to one
// memory in it, or to several that may overlap.
type Independence struct {
	// Free is set when no two iterations touch one element with a store among
	// them, but for InTurn.
	Free bool
	// InTurn are pairs of accesses that may touch one element in different iterations, but only so that the first one's
	// iteration is the earlier one, and which are not in different branches. Where the first stands in front of the second
	// within each iteration, and ports keep the order of their requests, iterations need not wait for each other: what the
	// first access of the earlier iteration does is complete when that of the later one is, for which its second waits.
	InTurn [][2]*ir.Operation
	// Why is the reason for the verdict; First and Second are the accesses that
	// stand against it.
	Why           string
	First, Second *ir.Operation
}

// maxPairs bounds the comparisons per loop and memory, so that huge functions
// compile in reasonable time.
const maxPairs = 20_000

// Touch is one access as the comparison sees it.
type Touch struct {
	Op    *ir.Operation
	Store bool
	// Root is the memory, Base what the subscripts belong to: the memory or a view.
	// Distinct is set when Base is the same in all iterations and has an element of its
	// own for each index.
	Root, Base *ir.Value
	Distinct   bool
	Subscripts []Subscript
}

// Deny notes what stands against overlapping the iterations.
func (d *Independence) Deny(first, second *ir.Operation, why string) {
	d.Free, d.First, d.Second, d.Why = false, first, second, why
}

// combined is p + sign*q. Nothing bounds it like a subscript, so
// it counts as not used in each iteration.
func combined(p, q Subscript, sign int64) (Subscript, bool) {
	f, ok := p.Form.Plus(q.Form, sign)
	return Subscript{Form: f}, ok
}

// Judge compares all accesses to one memory in different iterations.
func (t *Test) Judge(d *Independence, touches []Touch) {
	stores := 0
	for _, a := range touches {
		if a.Store {
			stores++
		}
	}
	switch {
	case stores == 0:
		d.Why = "it only loads"
		return
	case len(touches) == 1:
		d.Why = "its one port keeps the requests of the only access in order"
		return
	case stores*len(touches) > maxPairs:
		d.Deny(touches[0].Op, touches[1].Op, "there are too many accesses to compare them all")
		return
	}
	for i, a := range touches {
		for _, b := range touches[i+1:] {
			if !a.Store && !b.Store {
				continue
			}
			ok, distance, why := t.apart(a, b)
			if !ok && distance.counts && distance.of < 0 != t.opts.Backwards && (InTurn(a.Op, b.Op) || t.opts.Sides) {
				d.InTurn = append(d.InTurn, [2]*ir.Operation{a.Op, b.Op})
				d.Why = "what an iteration touches first, a later one touches behind it"
				continue
			}
			if !ok {
				first, second := a.Op, b.Op
				if distance.of > 0 { // a comes that many iterations after b
					first, second = second, first
				}
				d.Deny(first, second, why)
				return
			}
			d.Why = why
		}
	}
}

// InTurn reports whether two operations are not in different regions of one operation.
func InTurn(a, b *ir.Operation) bool {
	holds := map[*ir.Block]*ir.Operation{}
	for ; b.Block() != nil; b = b.ParentOp() {
		holds[b.Block()] = b
	}
	for ; a.Block() != nil; a = a.ParentOp() {
		if op := holds[a.Block()]; op != nil {
			return op != a
		}
	}
	return false
}

// apart proves that two accesses never touch one element in different
// iterations, or returns why that is not known.
func (t *Test) apart(a, b Touch) (ok bool, distance distance, why string) {
	switch {
	case a.Root != b.Root && t.opts.Overlap(a.Root, b.Root):
		return t.opts.Loose, distance, "the two memories may overlap"
	case a.Root != b.Root:
		return true, distance, "they are in different memories"
	case a.Base != b.Base:
		return false, distance, "they use different views of the memory"
	case !a.Distinct:
		return false, distance, "the view they use may put two indices on one element, or changes from iteration to iteration"
	case len(a.Subscripts) != len(b.Subscripts):
		return false, distance, "they use different shapes of the memory"
	}
	for i := range a.Subscripts {
		for j := range i {
			// Elements that are one have equal sums and differences of subscripts.
			for _, sign := range []int64{1, -1} {
				p, ok1 := combined(a.Subscripts[i], a.Subscripts[j], sign)
				q, ok2 := combined(b.Subscripts[i], b.Subscripts[j], sign)
				if ok1 && ok2 {
					if r := t.test(p, q); r.never {
						return true, distance, r.why
					}
				}
			}
		}
	}
	same := true
	for i := range a.Subscripts {
		r := t.test(a.Subscripts[i], b.Subscripts[i])
		if r.never {
			return true, distance, r.why
		}
		if r.distance.of != 0 {
			if distance.of != 0 && distance.of != r.distance.of {
				return true, distance, "two dimensions meet at different distances"
			}
			distance, why = r.distance, r.why
		}
		same = same && r.same
		if !r.same && why == "" {
			why = r.why
		}
	}
	if same {
		why = "every iteration touches the same element"
	}
	return false, distance, why
}
