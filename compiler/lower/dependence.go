package lower

import (
	"fmt"
	"slices"

	"loom/compiler/analysis/dependence"
	"loom/compiler/analysis/linear"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// analyseDependences finds the loops whose iterations never touch the same
// element of a memory with a store among them (design page "SCF to DFG", R4).
// It tests every counted loop and every memory accessed in it, and compares
// the subscripts of each store with those of every other access (package dependence).
//
// An access is never compared with itself. It has one memory port, which serves
// its requests in order; that is the argument of R3, made for one loop.
//
// The function stays as it is. The result is kept per induction variable; a
// later pass that replaces a loop loses it, which is merely conservative.
func analyseDependences(s *state, _ *diag.List) {
	s.dependences = map[*ir.Value][]*independence{}
	x := linear.New(s.ranges(), s.opts.IndexWidth)
	all := structuredAccesses(s.fn)
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFFor {
			iv := op.Regions[0].Entry().Args[0]
			s.dependences[iv] = loopDependences(s, x, op, all[op], false)
		}
		return true
	})
}

// independence is the verdict on one loop and one memory in it, or several that may
// overlap; root is the first of these.
type independence struct {
	root *ir.Value
	// covers are the accesses that were looked at, with their memory.
	covers map[*ir.Operation]*ir.Value
	dependence.Independence
}

// structuredAccesses lists the loads, stores and whatever else uses memory in
// each counted loop, in source order.
func structuredAccesses(fn *ir.Operation) map[*ir.Operation][]*ir.Operation {
	return accessesInLoops(fn, opname.SCFFor)
}

// accessesInLoops does so for loops of the names given.
func accessesInLoops(fn *ir.Operation, names ...string) map[*ir.Operation][]*ir.Operation {
	all := map[*ir.Operation][]*ir.Operation{}
	fn.Walk(func(op *ir.Operation) bool {
		if len(memoryOperands(op)) == 0 || viewsMemory(op) {
			return true
		}
		for o := op.ParentOp(); o != nil && o != fn; o = o.ParentOp() {
			if slices.Contains(names, o.Name) {
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

// loopDependences judges the iterations of one loop, one memory at a time; alone is whether a store is compared with itself, too.
func loopDependences(s *state, x *linear.Forms, loop *ir.Operation, ops []*ir.Operation, alone bool) []*independence {
	var out []*independence
	touches := map[*ir.Value][]dependence.Touch{}
	known := map[*ir.Value]*independence{}
	for _, op := range ops {
		for _, m := range memoryOperands(op) {
			root := s.leader(rootOf(m))
			d := known[root]
			if d == nil {
				d = &independence{root: root, covers: map[*ir.Operation]*ir.Value{}}
				d.Free = true
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
				d.Deny(op, op, fmt.Sprintf("'%s' touches elements unknown", op.Name))
				continue
			}
			base, subs := locate(x, m, op.Operands()[at+1:])
			t := dependence.Touch{Op: op, Store: at == 1, Root: rootOf(m), Base: base, Distinct: distinct(base, loop)}
			nest, each := dependence.Nest(op, loop)
			for _, f := range subs {
				t.Subscripts = append(t.Subscripts, dependence.Subscript{Form: f, Nest: nest, Each: each})
			}
			touches[root] = append(touches[root], t)
			if alone && t.Store {
				touches[root] = append(touches[root], t)
			}
		}
	}
	test := dependence.NewTest(x, loop, dependence.Options{
		Overlap:   s.overlap,
		Trusting:  s.opts.deviate == dependenceWraps,
		Loose:     s.opts.deviate == aliasesFree,
		Careless:  s.opts.deviate == dependenceCarried,
		Backwards: s.opts.deviate == dependenceBackwards,
		Sides:     s.opts.deviate == dependenceBranches,
	})
	for _, d := range out {
		if d.Free {
			test.Judge(&d.Independence, touches[d.root])
		}
	}
	return out
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
