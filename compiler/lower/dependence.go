package lower

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// analyseDependences finds the loops whose iterations never touch the same
// element of a memory with a store among them (design page "SCF to DFG", R4).
// It looks at every counted loop and every memory accessed in it, and compares
// the subscripts of each store with those of every other access, dimension by
// dimension: indices are within their dimension, so different indices in one
// dimension mean different elements.
//
// An access is never compared with itself. It has one memory port, which serves
// its requests in order; that is the argument of R3, made for one loop.
//
// The function stays as it is. The result is kept per induction variable; a
// later pass that replaces a loop loses it, which is merely conservative.
func analyseDependences(s *state, _ *diag.List) {
	s.dependences = map[*ir.Value][]*independence{}
	x := newSubscripts(s.opts.IndexWidth)
	all := structuredAccesses(s.fn)
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor {
			iv := op.Regions[0].Entry().Args[0]
			s.dependences[iv] = loopDependences(s, x, op, all[op])
		}
		return true
	})
}

// independence is what is known of the iterations of one loop and the accesses
// to one memory in it, or to several that may overlap; root is the first of these.
type independence struct {
	root *ir.Value
	// covers are the accesses that were looked at, with their memory.
	covers map[*ir.Operation]*ir.Value
	// free is set when no two iterations touch one element with a store among
	// them.
	free bool
	// why says what the verdict rests on; first and second are the accesses that
	// stand against it.
	why           string
	first, second *ir.Operation
}

// maxPairs bounds the comparisons per loop and memory, so that huge functions
// compile in reasonable time.
const maxPairs = 20_000

// structuredAccesses lists the loads, stores and whatever else uses memory in
// each counted loop, in source order.
func structuredAccesses(fn *ir.Operation) map[*ir.Operation][]*ir.Operation {
	all := map[*ir.Operation][]*ir.Operation{}
	fn.Walk(func(op *ir.Operation) bool {
		if len(memoryOperands(op)) == 0 || viewsMemory(op) {
			return true
		}
		for o := op.ParentOp(); o != nil && o != fn; o = o.ParentOp() {
			if o.Name == opname.SCFFor {
				all[o] = append(all[o], op)
			}
		}
		return true
	})
	return all
}

// memoryOperands are the memrefs an operation takes.
func memoryOperands(op *ir.Operation) []*ir.Value {
	switch op.Name {
	case opname.MemRefDim, opname.MemRefDealloc:
		return nil // touch no element
	}
	var ms []*ir.Value
	for _, v := range op.Operands() {
		if _, ok := v.Type.(*ir.MemRefType); ok {
			ms = append(ms, v)
		}
	}
	return ms
}

// touch is one access as the comparison sees it.
type touch struct {
	op    *ir.Operation
	store bool
	// root is the memory, base what the subscripts belong to: the memory or a view
	// (locate).
	root *ir.Value
	base *ir.Value
	subs []subscript
}

// loopDependences judges the iterations of one loop, one memory at a time.
func loopDependences(s *state, x *subscripts, loop *ir.Operation, ops []*ir.Operation) []*independence {
	var out []*independence
	touches := map[*ir.Value][]touch{}
	known := map[*ir.Value]*independence{}
	for _, op := range ops {
		for _, m := range memoryOperands(op) {
			root := s.leader(rootOf(m))
			d := known[root]
			if d == nil {
				d = &independence{root: root, covers: map[*ir.Operation]*ir.Value{}, free: true}
				known[root] = d
				out = append(out, d)
			}
			d.covers[op] = rootOf(m)
			at := 0
			switch op.Name {
			case opname.MemRefLoad:
			case opname.MemRefStore:
				at = 1
			default:
				d.deny(op, op, fmt.Sprintf("'%s' touches elements unknown", op.Name))
				continue
			}
			base, subs := x.locate(m, op.Operands()[at+1:])
			t := touch{op: op, store: at == 1, root: rootOf(m), base: base}
			nest, each := nestOf(op, loop)
			for _, f := range subs {
				t.subs = append(t.subs, subscript{f: f, nest: nest, each: each})
			}
			touches[root] = append(touches[root], t)
		}
	}
	test := newCollision(x, loop)
	test.overlap = s.overlap
	test.trusting = s.opts.deviate == dependenceWraps
	test.loose = s.opts.deviate == aliasesFree
	test.careless = s.opts.deviate == dependenceCarried
	for _, d := range out {
		if d.free {
			test.judge(d, touches[d.root])
		}
	}
	return out
}

func (d *independence) deny(first, second *ir.Operation, why string) {
	d.free, d.first, d.second, d.why = false, first, second, why
}

// combined is p + sign*q. Nothing bounds it like a subscript, so
// it counts as not used in each iteration.
func combined(p, q subscript, sign int64) (subscript, bool) {
	f, ok := p.f.plus(q.f, sign)
	return subscript{f: f}, ok
}

// nestOf lists the counted loops between an access and a loop around it, outer
// ones first; each is set when nothing else lies between, so that the access
// happens in every iteration.
func nestOf(op, loop *ir.Operation) (nest []*ir.Operation, each bool) {
	each = true
	for o := op.ParentOp(); o != loop; o = o.ParentOp() {
		if o.Name == opname.SCFFor {
			nest = append([]*ir.Operation{o}, nest...)
		} else {
			each = false
		}
	}
	return nest, each
}

// judge compares all accesses to one memory in different iterations.
func (t *collision) judge(d *independence, touches []touch) {
	stores := 0
	for _, a := range touches {
		if a.store {
			stores++
		}
	}
	switch {
	case stores == 0:
		d.why = "it only loads"
		return
	case len(touches) == 1:
		d.why = "its one port keeps the requests of the only access in order"
		return
	case stores*len(touches) > maxPairs:
		d.deny(touches[0].op, touches[1].op, "there are too many accesses to compare them all")
		return
	}
	for i, a := range touches {
		for _, b := range touches[i+1:] {
			if !a.store && !b.store {
				continue
			}
			ok, distance, why := t.apart(a, b)
			if !ok {
				first, second := a.op, b.op
				if distance > 0 { // a comes that many iterations after b
					first, second = second, first
				}
				d.deny(first, second, why)
				return
			}
			d.why = why
		}
	}
}

// apart proves that two accesses never touch one element in different
// iterations, or says why that is not known.
func (t *collision) apart(a, b touch) (ok bool, distance int64, why string) {
	switch {
	case a.root != b.root && t.overlap(a.root, b.root):
		return t.loose, 0, "the two memories may overlap"
	case a.root != b.root:
		return true, 0, "they are in different memories"
	case a.base != b.base:
		return false, 0, "they use different views of the memory"
	case !distinct(a.base, t.loop):
		return false, 0, "the view they use may put two indices on one element, or changes from iteration to iteration"
	case len(a.subs) != len(b.subs):
		return false, 0, "they use different shapes of the memory"
	}
	for i := range a.subs {
		for j := range i {
			// Elements that are one have equal sums and differences of subscripts.
			for _, sign := range []int64{1, -1} {
				p, ok1 := combined(a.subs[i], a.subs[j], sign)
				q, ok2 := combined(b.subs[i], b.subs[j], sign)
				if ok1 && ok2 {
					if r := t.test(p, q); r.never {
						return true, 0, r.why
					}
				}
			}
		}
	}
	same := true
	for i := range a.subs {
		r := t.test(a.subs[i], b.subs[i])
		if r.never {
			return true, 0, r.why
		}
		if r.distance != 0 {
			if distance != 0 && distance != r.distance {
				return true, 0, "two dimensions meet at different distances"
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

// independentIn returns the verdict on accesses of a group in a counted loop,
// nil if the analysis did not see them together.
func (s *state) independentIn(loop *ir.Operation, accesses []*access) *independence {
	for _, d := range s.dependences[loop.Regions[0].Entry().Args[0]] {
		all := len(accesses) > 0
		for _, a := range accesses {
			all = all && d.covers[a.src] != nil
		}
		if all {
			return d
		}
	}
	return nil
}
