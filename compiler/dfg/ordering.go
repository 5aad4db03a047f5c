package dfg

import (
	"loom/compiler/cabi"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Two accesses of one memory, one of them a store, must not race: what a graph computes
// does not depend on how long an operation takes (spec-dataflow-memory, "accesses inside one
// such group are ordered against one another"). Of each such pair, one access must lead to
// the other, by its done token or its data, in two ways:
//
//	within an iteration   of the innermost loop around both, along a path that does not go
//	                      back to the head of that loop, unless the two are on different
//	                      sides of one branch
//	between iterations    in each loop around both, in a circle through the head of that
//	                      loop and not out of it
//
// Where the second does not hold, the loop's dataflow.stream must name the memory in
// loom.independent: the lowering states there what it has proved (design page "SCF to DFG",
// R4), and a graph from elsewhere what its author knows. Two accesses of one port are in
// order anyway.
//
// A handshake.join with loom.fence is a fence of the program. It and each access of the graph,
// to any memory, must be ordered in the same two ways.
//
// A path is a chain of operands. Whether a token really takes it depends on conditions: the
// rates have shown that both ends exist equally often, the completion that no token is lost.

// place is where a value belongs: branches and loops from the outside to the inside.
type place []rate

// place returns the place of a class; ok is false where the rates do not tell.
func (s *solver) place(c *class) (place, bool) {
	var out place
	for depth := 0; ; depth++ {
		c = c.root()
		if !c.known || depth > len(s.byValue) {
			return nil, false
		}
		r := c.rate
		switch {
		case r.kind == rateEntry:
			for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
				out[i], out[j] = out[j], out[i]
			}
			return out, true
		case isLoop(r.kind):
			r.kind = rateBody
			c = s.parent(r.of)
		default:
			c = s.of(r.of)
		}
		out = append(out, r)
	}
}

// common returns the loops around both places, outer ones first, and whether the two
// exclude each other: they are sides of one branch.
func common(a, b place) (loops []*ir.Value, exclusive bool) {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] != b[i] {
			return loops, a[i].of == b[i].of
		}
		if a[i].kind == rateBody {
			loops = append(loops, a[i].of)
		}
	}
	return loops, false
}

// accessAt is a load or store with its memory and its place, or a fence.
type accessAt struct {
	op, mem *ir.Operation
	store   bool
	at      place
}

// issue is the value that an access sends to its memory once it has everything, or the token
// of a fence.
func (a *accessAt) issue() *ir.Value { return a.op.Result(a.op.NumResults() - 1) }

// isFence reports whether an operation is a fence of the program.
func isFence(op *ir.Operation) bool { return op.Attr(handshake.FenceAttr) != nil }

// independentIn returns the memories that dataflow.stream names as independent.
func (v *verifier) independentIn(stream *ir.Operation, byID map[int64]*ir.Operation) map[*ir.Operation]bool {
	a := stream.Attr(dataflow.IndependentAttr)
	if a == nil {
		return nil
	}
	ids, ok := a.(*ir.DenseArrayAttr)
	if !ok {
		v.errs.Errorf(stream.Pos, "%s must be an array of memory ids", dataflow.IndependentAttr).
			WithHelp("for example array<i64: 0, 2>")
		return nil
	}
	out := map[*ir.Operation]bool{}
	for _, id := range ids.Values {
		if byID[id] == nil {
			v.errs.Errorf(stream.Pos, "%s names memory %d, which the graph does not have", dataflow.IndependentAttr, id).
				WithHelp("it lists the id of handshake.extmemory and handshake.memory operations")
			continue
		}
		out[byID[id]] = true
	}
	return out
}

// ordering reports accesses of one memory that race.
func (v *verifier) ordering(s *solver) {
	byID := map[int64]*ir.Operation{}
	groups := map[int][]*accessAt{}
	var order []int // of groups: the first access of each
	var all, fences []*accessAt
	overlaps, err := cabi.ReadOverlaps(v.fn, v.body.Args)
	if err != nil {
		return // reported with the signature
	}
	for i, op := range v.body.Ops {
		if isFence(op) {
			if at, ok := s.place(s.of(op.Result(0))); ok {
				fences = append(fences, &accessAt{op: op, at: at})
			}
		}
		if op.Name != opname.HandshakeMemory && op.Name != opname.HandshakeExtmemory {
			continue
		}
		if id, ok := op.IntAttr("id"); ok {
			byID[id] = op
		}
		group := len(v.body.Args) + i
		if _, arg := v.memRefType(op); arg != nil && overlaps.First[arg.Index] >= 0 {
			group = overlaps.First[arg.Index]
		}
		p, _ := portsOf(op)
		add := func(x *ir.Operation, store bool) {
			if at, ok := s.place(s.of(x.Result(1))); ok {
				if groups[group] == nil {
					order = append(order, group)
				}
				a := &accessAt{x, op, store, at}
				groups[group] = append(groups[group], a)
				all = append(all, a)
			}
		}
		for i := range p.Stores {
			add(op.Operand(p.StoreAddr(i)).Def, true)
		}
		for i := range p.Loads {
			add(op.Operand(p.LoadAddr(i)).Def, false)
		}
	}
	o := &ordering{v: v, s: s, places: map[*class]place{}, circles: map[step]*circles{}, independent: map[*ir.Value]map[*ir.Operation]bool{}}
	for _, op := range v.body.Ops {
		if op.Name == opname.DataflowStream {
			o.independent[op.Result(1)] = v.independentIn(op, byID)
		}
	}
	may := func(a, b *accessAt) bool {
		_, p := v.memRefType(a.mem)
		_, q := v.memRefType(b.mem)
		return a.mem == b.mem || p != nil && q != nil && overlaps.May(p.Index, q.Index)
	}
	for _, g := range order {
		o.group(groups[g], may)
	}
	if len(fences) > 0 {
		o.fences(all, fences)
	}
}

type ordering struct {
	v           *verifier
	s           *solver
	places      map[*class]place
	circles     map[step]*circles
	independent map[*ir.Value]map[*ir.Operation]bool
}

// group checks every pair of a memory, or of memories that may overlap. One finding per
// access is enough.
func (o *ordering) group(as []*accessAt, may func(a, b *accessAt) bool) {
	stores := 0
	for _, a := range as {
		if a.store {
			stores++
		}
	}
	if stores == 0 || len(as) < 2 {
		return
	}
	reached := map[*ir.Value][]bits{} // by innermost loop around both
	for i, b := range as {
		for k, a := range as[:i] {
			if !a.store && !b.store || !may(a, b) {
				continue
			}
			loops, exclusive := common(a.at, b.at)
			if !exclusive {
				var innermost *ir.Value
				if n := len(loops); n > 0 {
					innermost = loops[n-1]
				}
				before, ok := reached[innermost]
				if !ok {
					before = o.reach(as, innermost)
					reached[innermost] = before
				}
				if !before[i].has(k) && !before[k].has(i) {
					o.v.errs.Errorf(b.op.Pos, "'%s' and another access of the same memory are not ordered: the result depends on which one is faster", b.op.Name).
						WithNote(a.op.Pos, "the other access, a '%s', is here", a.op.Name).
						WithHelp("let one wait for the done token of the other")
					break
				}
			}
			if l := o.racing(loops, a, b); l != nil {
				d := o.v.errs.Errorf(b.op.Pos, "'%s' is not ordered with an access of the same memory in another iteration of a loop: the result depends on which one is faster", b.op.Name).
					WithNote(a.op.Pos, "the other access, a '%s', is here", a.op.Name).WithNote(l.Pos(), "the loop is here")
				if l.Def.Name == opname.DataflowStream {
					id, _ := b.mem.IntAttr("id")
					d.WithHelp("carry the done token around the loop by its gated condition; if no two iterations touch one element, say so at its dataflow.stream: %s = array<i64: %d>", dataflow.IndependentAttr, id)
				} else {
					d.WithHelp("carry the done token around the loop")
				}
				break
			}
		}
	}
}

// fences checks that every access is before or after every fence. One finding per access is
// enough.
func (o *ordering) fences(as, fences []*accessAt) {
	all := append(append([]*accessAt(nil), as...), fences...)
	reached := map[*ir.Value][]bits{} // by innermost loop around both
	for i, a := range as {
		for k, f := range fences {
			loops, exclusive := common(a.at, f.at)
			if !exclusive {
				var innermost *ir.Value
				if n := len(loops); n > 0 {
					innermost = loops[n-1]
				}
				before, ok := reached[innermost]
				if !ok {
					before = o.reach(all, innermost)
					reached[innermost] = before
				}
				if !before[i].has(len(as)+k) && !before[len(as)+k].has(i) {
					o.v.errs.Errorf(a.op.Pos, "'%s' is neither before nor after a fence: the fence does not wait for it, and it does not wait for the fence", a.op.Name).
						WithNote(f.op.Pos, "the fence is here").
						WithHelp("join its done token into the fence, or let it wait for the token of the fence")
					break
				}
			}
			if l := o.racing(loops, a, f); l != nil {
				o.v.errs.Errorf(a.op.Pos, "'%s' is not ordered with a fence in another iteration of a loop", a.op.Name).
					WithNote(f.op.Pos, "the fence is here").WithNote(l.Pos(), "the loop is here").
					WithHelp("carry the token of the fence, or the done token behind it, around the loop")
				break
			}
		}
	}
}

// racing returns a loop around two accesses, or an access and a fence, whose iterations are
// not ordered.
func (o *ordering) racing(loops []*ir.Value, a, b *accessAt) *ir.Value {
	for _, l := range loops {
		if free := o.independent[l]; free[a.mem] && free[b.mem] {
			continue
		}
		c := o.circle(step{l, true})
		if n := c.of[a.issue()]; n != c.of[b.issue()] || !c.back[n] {
			return l
		}
	}
	return nil
}

type bits []uint64

func (b bits) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// reach returns for each access those that lead to it within one iteration of a loop, or
// anywhere for nil.
func (o *ordering) reach(as []*accessAt, loop *ir.Value) []bits {
	index := map[*ir.Value]int{}
	for i, a := range as {
		index[a.issue()] = i
	}
	out := make([]bits, len(as))
	for i := range out {
		out[i] = make(bits, (len(as)+63)/64)
	}
	c := o.circle(step{loop, false})
	sets := make([]bits, len(c.list)) // nil is empty
	for n, values := range c.list {
		var set bits
		own := false // set is no other component's
		change := func() {
			if !own {
				set, own = append(make(bits, 0, len(out[0])), set...)[:len(out[0])], true
			}
		}
		for _, w := range values {
			for _, x := range o.before(w, step{loop, false}) {
				switch from := sets[c.of[x]]; {
				case c.of[x] == n || from == nil:
				case set == nil:
					set = from
				default:
					change()
					for k := range set {
						set[k] |= from[k]
					}
				}
			}
		}
		for _, w := range values {
			if i, ok := index[w]; ok {
				copy(out[i], set)
				change()
				set[i/64] |= 1 << (i % 64)
			}
		}
		sets[n] = set
	}
	return out
}

// inside reports whether a value belongs to a loop, or to the graph for nil.
func (o *ordering) inside(w, loop *ir.Value) bool {
	if loop == nil {
		return true
	}
	c := o.s.of(w)
	p, ok := o.places[c]
	if !ok {
		p, _ = o.s.place(c)
		o.places[c] = p
	}
	for _, r := range p {
		if r.kind == rateBody && r.of == loop {
			return true
		}
	}
	return false
}

// step is a loop, nil for the whole graph, and whether its values go back to its head.
type step struct {
	loop *ir.Value
	back bool
}

// back returns the values that a carry, an invariant or an interlock takes from the iteration before, and
// the loop it belongs to. An interlock waits for those stores of earlier iterations that its load may not pass.
func (o *ordering) back(w *ir.Value) (values []*ir.Value, loop *ir.Value) {
	if op := w.Def; op != nil && op.Name == opname.DataflowInterlock {
		at, _ := o.s.place(o.s.of(w))
		for _, r := range at {
			if r.kind == rateBody {
				loop = r.of
			}
		}
		return op.Operands()[1:], loop
	}
	return back(w)
}

// back returns the values that a carry or invariant takes from the iteration before, and
// the loop it belongs to.
func back(w *ir.Value) (values []*ir.Value, loop *ir.Value) {
	op := w.Def
	if op == nil || op.Name != opname.DataflowCarry && op.Name != opname.DataflowInvariant {
		return nil, nil
	}
	loop, gated := gatedLoop(op.Operand(0))
	if !gated {
		loop = op.Operand(0)
	}
	if op.Name == opname.DataflowCarry {
		return []*ir.Value{op.Operand(0), op.Operand(2)}, loop
	}
	return op.Operands()[:1], loop
}

// before lists the values inside a loop that w needs, in the iteration or in the one before.
func (o *ordering) before(w *ir.Value, s step) []*ir.Value {
	surely, maybe := needs(w)
	all := append(append([]*ir.Value(nil), surely...), maybe...)
	if values, loop := o.back(w); loop != s.loop || s.back {
		all = append(all, values...)
	}
	n := 0
	for _, x := range all {
		if o.inside(x, s.loop) {
			all[n] = x
			n++
		}
	}
	return all[:n]
}

// circles are the strongly connected components of the values of a loop.
type circles struct {
	of   map[*ir.Value]int
	list [][]*ir.Value // every component behind those it needs
	back []bool        // the component goes back to the head of the loop
}

// circle finds the components (Tarjan's algorithm). Loops inside always go back to their head.
func (o *ordering) circle(s step) *circles {
	if c := o.circles[s]; c != nil {
		return c
	}
	c := &circles{of: map[*ir.Value]int{}}
	o.circles[s] = c
	low, num := map[*ir.Value]int{}, map[*ir.Value]int{}
	var stack []*ir.Value
	var visit func(w *ir.Value)
	visit = func(w *ir.Value) {
		n := len(num) + 1
		num[w], low[w] = n, n
		stack = append(stack, w)
		for _, x := range o.before(w, s) {
			if num[x] == 0 {
				visit(x)
				low[w] = min(low[w], low[x])
			} else if _, left := c.of[x]; !left {
				low[w] = min(low[w], num[x])
			}
		}
		if low[w] != n {
			return
		}
		k := len(stack) - 1
		for stack[k] != w {
			k--
		}
		values := append([]*ir.Value(nil), stack[k:]...)
		stack = stack[:k]
		for _, x := range values {
			c.of[x] = len(c.list)
		}
		goes := false
		for _, x := range values {
			if vs, loop := o.back(x); loop != nil && loop == s.loop {
				for _, y := range vs {
					in, ok := c.of[y]
					goes = goes || ok && in == len(c.list)
				}
			}
		}
		c.list, c.back = append(c.list, values), append(c.back, goes)
	}
	for _, op := range o.v.body.Ops {
		for _, r := range op.Results() {
			if num[r] == 0 && o.inside(r, s.loop) {
				visit(r)
			}
		}
	}
	return c
}
