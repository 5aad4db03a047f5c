package dfg

import (
	"slices"
	"strings"

	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Three properties that rates do not see, because they are about which tokens an
// operation needs and not about how many: that something on every cycle emits
// first, that the return waits for memory whatever the conditions are, and
// that memory groups do not wait for each other (spec-dataflow-memory).

// needs are the values whose token an operation must have before it emits its
// first token at a result. What feeds a carry or the condition of a carry or an
// invariant is not among them: both begin with their initial value
// (spec-dataflow). A mux needs only one of its inputs; maybe lists those.
func needs(w *ir.Value) (surely, maybe []*ir.Value) {
	op := w.Def
	if op == nil {
		return nil, nil
	}
	switch in := op.Operands(); op.Name {
	case opname.DataflowCarry, opname.DataflowInvariant:
		return in[1:2], nil
	case opname.DataflowInterlock: // the first load waits for no store
		return in[:1], nil
	case opname.HandshakeMux:
		return in[:1], in[1:]
	case opname.HandshakeLoad:
		if w.Index == 0 {
			return in[1:2], nil
		}
		return []*ir.Value{in[0], in[2]}, nil
	case opname.HandshakeMemory, opname.HandshakeExtmemory:
		p, _ := portsOf(op)
		switch i := w.Index; {
		case i < p.Loads:
			return in[p.LoadAddr(i) : p.LoadAddr(i)+1], nil
		case i < p.Loads+p.Stores:
			i -= p.Loads
			return in[p.StoreData(i) : p.StoreData(i)+2], nil
		default:
			i -= p.Loads + p.Stores
			return in[p.LoadAddr(i) : p.LoadAddr(i)+1], nil
		}
	default:
		return in, nil
	}
}

// cycles reports operations that wait for each other's first token. A cycle
// through an input of a mux may be left by the other input: that is a warning.
func (v *verifier) cycles() {
	if c := v.cycle(false); c != nil {
		v.errs.Errorf(c[0].Def.Pos, "'%s' waits for its own result: no operation on the cycle %s emits a first token", c[0].Def.Name, cycleText(c)).
			WithHelp("a value of the iteration before comes through dataflow.carry, which begins with an initial value")
		return
	}
	if c := v.cycle(true); c != nil {
		v.errs.Warnf(c[0].Def.Pos, "'%s' waits for its own result unless a mux takes its other input: %s", c[0].Def.Name, cycleText(c)).
			WithHelp("loops are dataflow.carry operations; a cycle of muxes depends on the order of conditions")
	}
}

// cycle returns the values of a cycle of needs, nil if there is none.
func (v *verifier) cycle(maybe bool) []*ir.Value {
	const entered, left = 1, 2
	state := map[*ir.Value]uint8{}
	var path, found []*ir.Value
	var visit func(w *ir.Value) bool
	visit = func(w *ir.Value) bool {
		switch state[w] {
		case left:
			return false
		case entered:
			for i := range path {
				if path[i] == w {
					found = append([]*ir.Value(nil), path[i:]...)
					return true
				}
			}
		}
		state[w] = entered
		path = append(path, w)
		surely, more := needs(w)
		for i, n := range [][]*ir.Value{surely, more} {
			if i == 1 && !maybe {
				break
			}
			for _, x := range n {
				if visit(x) {
					return true
				}
			}
		}
		path = path[:len(path)-1]
		state[w] = left
		return false
	}
	for _, op := range v.body.Ops {
		for _, r := range op.Results() {
			if visit(r) {
				return found
			}
		}
	}
	return nil
}

func cycleText(c []*ir.Value) string {
	const shown = 8
	var parts []string
	for i, w := range c {
		if i == shown {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, "%"+valueName(w))
	}
	return strings.Join(parts, ", ")
}

// awaited is the set of control tokens, in a direct circuit of all values, that the return
// waits for wherever they go: a token is waited for if one of its uses passes it on to
// tokens that all are. It is the greatest such set, so that loops do not have to end to be in
// it; completion checks that paths lead out of them.
func (v *verifier) awaited() map[*ir.Value]bool {
	in := map[*ir.Value]bool{}
	var tokens []*ir.Value
	for _, op := range v.body.Ops {
		for _, r := range op.Results() {
			if r.Type == ir.Type(ir.None) || v.direct {
				in[r] = true
				tokens = append(tokens, r)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		// Uses mostly stand behind their definitions, so backwards is quick.
		for i := len(tokens) - 1; i >= 0; i-- {
			if t := tokens[i]; in[t] && !v.passedOn(t, in) {
				delete(in, t)
				changed = true
			}
		}
	}
	return in
}

// passedOn reports whether one use of a control token stands for it.
func (v *verifier) passedOn(t *ir.Value, in map[*ir.Value]bool) bool {
	for _, u := range t.Uses() {
		if dataflow.IsHeld(t) && !v.firesOnce(u.Op) {
			continue // may never be read
		}
		ok := true
		switch op := u.Op; op.Name {
		case opname.HandshakeReturn:
			ok = u.Index == op.NumOperands()-1 || v.direct
		case opname.HandshakeStore:
			ok = in[v.done(op)]
		case opname.HandshakeLoad:
			switch {
			case u.Index == 1:
				ok = in[op.Result(0)]
			default:
				ok = in[v.done(op)] || v.direct && in[op.Operand(1)]
			}
		case opname.HandshakeMemory, opname.HandshakeExtmemory:
			p := v.ports[t]
			ok = p.mem != nil && p.store && in[v.done(t.Def)] || p.mem != nil && !p.store && (in[v.done(t.Def)] || in[t.Def.Operand(1)])
		case opname.HandshakeConstant, opname.DataflowGate:
			ok = false
		case opname.DataflowInterlock:
			ok = u.Index == 0 && in[op.Result(0)] // a store that nothing meets is waited for by none
		case opname.DataflowStream:
			ok = v.direct && (in[op.Result(0)] || in[op.Result(1)])
		case opname.DataflowHold:
			ok = v.direct && in[op.Result(0)]
		case opname.DataflowCarry, opname.DataflowInvariant:
			// The condition that ends the loop is taken after the last result.
			ok = u.Index > 0 && in[op.Result(0)]
		case opname.HandshakeCondBr:
			// At a loop's split the false side has the last token of the
			// activation. Streams are in order: who has the last has them all.
			ok = in[op.Result(1)] && (in[op.Result(0)] || v.loops[op.Operand(0)])
		default:
			for _, r := range op.Results() {
				ok = ok && in[r]
			}
		}
		if ok {
			return true
		}
	}
	return false
}

// firesOnce reports whether an operation fires once per start of a direct circuit, or starts
// then.
func (v *verifier) firesOnce(op *ir.Operation) bool {
	if v.solved == nil {
		v.solved = v.rates()
	}
	for _, w := range op.Operands() {
		if !dataflow.IsHeld(w) {
			c := v.solved.of(w)
			return c.known && c.rate.kind == rateEntry
		}
	}
	return false
}

// done is the done token of an access.
func (v *verifier) done(op *ir.Operation) *ir.Value {
	p := v.ports[op.Result(1)]
	layout, _ := portsOf(p.mem)
	if p.store {
		return p.mem.Result(layout.StoreDone(p.index))
	}
	return p.mem.Result(layout.LoadDone(p.index))
}

// overlap reports whether the function states that two memories may overlap: they are
// one group then.
func (v *verifier) overlap(a, b *ir.Operation) bool {
	leader := func(mem *ir.Operation) int {
		if _, arg := v.memRefType(mem); arg != nil && arg.Index < len(v.aliases) {
			return v.aliases[arg.Index]
		}
		return -1
	}
	return leader(a) >= 0 && leader(a) == leader(b)
}

// domains warns where an access of one memory group is ordered behind an access
// of another, and where the iterations of a loop join the tokens of several groups: groups
// are independent unless the program synchronises them, and only the return joins them
// (spec-dataflow-memory, ordering domains).
func (v *verifier) domains(s *solver) {
	// owners are the interfaces whose accesses a token waits for.
	owners := map[*ir.Value][]*ir.Operation{}
	var spread func(t *ir.Value, mem *ir.Operation)
	spread = func(t *ir.Value, mem *ir.Operation) {
		if t.Type != ir.Type(ir.None) || slices.Contains(owners[t], mem) {
			return
		}
		owners[t] = append(owners[t], mem)
		for _, u := range t.Uses() {
			if isFence(u.Op) {
				continue
			}
			switch u.Op.Name {
			case opname.HandshakeLoad, opname.HandshakeStore:
				if other := v.ports[u.Op.Result(1)].mem; other != mem && u.Index == 2 && !v.overlap(other, mem) {
					v.errs.Warnf(u.Op.Pos, "'%s' waits for an access of another memory", u.Op.Name).
						WithNote(mem.Pos, "of the memory here").
						WithHelp("memories that do not alias are ordered independently of each other; only the return, or a fence of the program, joins them")
				}
			case opname.HandshakeJoin, opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.DataflowGate:
				for _, r := range u.Op.Results() {
					spread(r, mem)
				}
			}
		}
	}
	for _, mem := range v.body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		for _, r := range mem.Results() {
			spread(r, mem)
		}
	}
	for _, op := range v.body.Ops {
		if op.Name != opname.HandshakeJoin || synchronises(op) {
			continue
		}
		// The result has the owners of all operands.
		all := owners[op.Result(0)]
		other := slices.IndexFunc(all, func(mem *ir.Operation) bool { return mem != all[0] && !v.overlap(mem, all[0]) })
		if at, ok := s.place(s.of(op.Result(0))); other > 0 && ok && slices.ContainsFunc(at, func(r rate) bool { return r.kind == rateBody }) {
			v.errs.Warnf(op.Pos, "this join lets the iterations of a loop wait for accesses of two memories").
				WithNote(all[0].Pos, "of the memory here").WithNote(all[other].Pos, "and of the memory here").
				WithHelp("the last completion of each memory leaves the loop on its own; join them behind it")
		}
	}
}

// synchronises reports whether a join is a fence, or a part of one that was too wide.
func synchronises(op *ir.Operation) bool {
	for range maxTree {
		if isFence(op) {
			return true
		}
		us := op.Result(0).Uses()
		if len(us) != 1 || us[0].Op.Name != opname.HandshakeJoin {
			return false
		}
		op = us[0].Op
	}
	return false
}

// maxTree is more than the depth of any tree of joins.
const maxTree = 64
