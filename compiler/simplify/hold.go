package simplify

import (
	"loom/compiler/dfg"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// holdValues lets operations read what does not change in a run directly, where another operand
// says how often they fire:
//
//	%n_0, %n_1 = cond_br %runs, %n                   %n_held = dataflow.hold %n
//	%n_2 = dataflow.invariant %i_next, %n_0    =>
//	%c = arith.cmpi sgt, %x, %n_2                    %c = arith.cmpi sgt, %x, %n_held
//
// Such values are arguments and what else the function's own region computes, constants, and
// what is computed from them alone in any region, which is then computed once. A control token
// that comes from the start token through branches and loops only, and from no access, is one of
// them: it says nothing that the address does not say, so the access has no control input.
//
// For a fabric only constants and such control tokens are held.
//
// "clear" removes what has no reader any more.
func holdValues(s *state, _ *diag.List) {
	if s.again {
		return
	}
	h := &holder{
		state: s, counts: dfg.CountsOf(s.fn), roots: map[*ir.Value]*root{}, derived: map[*ir.Operation]*ir.Value{},
		activations: activationsOf(s), accesses: accessesOf(s.body),
	}
	for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
		h.operation(op)
	}
}

// root is what a value is a copy of: a value of the function's own region, or a constant.
type root struct {
	value *ir.Value
	// of a constant
	number string
	typ    ir.Type
}

type holder struct {
	*state
	counts      *dfg.Counts
	roots       map[*ir.Value]*root // nil for what is none
	derived     map[*ir.Operation]*ir.Value
	activations map[*ir.Value]bool
	accesses    map[*ir.Value]*ir.Operation
	// asks: nothing is to be changed.
	asks bool
}

// root returns what v is a copy of, nil if it is none.
func (h *holder) root(v *ir.Value) *root {
	r, ok := h.roots[v]
	if !ok {
		h.roots[v] = nil // a cycle is none
		r = h.find(v)
		h.roots[v] = r
	}
	return r
}

func (h *holder) find(v *ir.Value) *root {
	if v.Type == ir.Type(ir.None) {
		if h.activations[v] {
			return &root{value: h.start}
		}
		return nil
	}
	op := v.Def
	if op != nil {
		switch op.Name {
		case opname.HandshakeConstant:
			return &root{number: op.Attr("value").String(), typ: v.Type}
		case opname.HandshakeCondBr, opname.DataflowInvariant:
			if r := h.root(op.Operand(1)); r != nil {
				return r
			}
		case opname.DataflowGate:
			if r := h.root(op.Operand(0)); r != nil && v.Index == 0 {
				return r
			}
		case opname.HandshakeMux:
			no, yes := h.root(op.Operand(1)), h.root(op.Operand(2))
			if no != nil && yes != nil && *no == *yes {
				return no
			}
		}
	}
	if h.opts.Fabric != nil && !h.asks && h.opts.deviate != holdAll {
		return nil // stays a token for each firing
	}
	if h.counts.Once(v) || h.opts.deviate == holdAll {
		return &root{value: v}
	}
	if op != nil && !h.asks && computesOnce(op) {
		return h.compute(op)
	}
	return nil
}

// computesOnce reports whether an operation may be computed for the whole run even if no region
// that needs it runs.
func computesOnce(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithDivSI, opname.ArithDivUI, opname.ArithRemSI, opname.ArithRemUI:
		return false // takes long
	}
	return (op.Dialect() == "arith" || op.Dialect() == "math") && op.NumResults() == 1
}

// compute makes the operation once, in the function's own region, if all its operands are
// copies of what is there.
func (h *holder) compute(op *ir.Operation) *root {
	var from []*ir.Value
	for _, v := range op.Operands() {
		r := h.root(v)
		if r == nil {
			return nil
		}
		from = append(from, h.token(r, v))
	}
	if h.derived[op] == nil {
		c := op.Clone(map[*ir.Value]*ir.Value{})
		c.SetOperands(from)
		for i, v := range from {
			if v.Def != nil && v.Def.Name == opname.HandshakeConstant && i > 0 {
				c.SetOperand(i, h.hold(&root{number: v.Def.Attr("value").String(), typ: v.Type}, v))
			}
		}
		h.derived[op] = h.insert(c)
	}
	return &root{value: h.derived[op]}
}

// token is the root of v in the function's own region, once per start.
func (h *holder) token(r *root, v *ir.Value) *ir.Value {
	if r.value != nil {
		return r.value
	}
	return h.constant(r, v, h.start)
}

func (s *state) constant(r *root, like, control *ir.Value) *ir.Value {
	c := ir.NewOp(opname.HandshakeConstant, like.Pos(), []*ir.Value{control}, []ir.Type{r.typ})
	for like.Def.Name != opname.HandshakeConstant {
		like = origin(like)
	}
	c.SetAttr("value", like.Def.Attr("value"))
	c.Result(0).Name = like.Name
	return s.insert(c)
}

// origin goes one step back from a copy.
func origin(v *ir.Value) *ir.Value {
	if v.Def.Name == opname.DataflowGate {
		return v.Def.Operand(0)
	}
	return v.Def.Operand(1)
}

// insert puts an operation in front of the graph and returns its result.
func (s *state) insert(op *ir.Operation) *ir.Value {
	s.body.InsertBefore(s.body.Ops[0], op)
	return op.Result(0)
}

// hold is the held value of a root; v is a copy of it.
func (s *state) hold(r *root, v *ir.Value) *ir.Value {
	if w := s.held[*r]; w != nil {
		return w
	}
	var w *ir.Value
	if r.value == nil {
		w = s.constant(r, v, s.hold(&root{value: s.start}, s.start))
	} else {
		op := ir.NewOp(opname.DataflowHold, r.value.Pos(), []*ir.Value{r.value}, []ir.Type{r.value.Type})
		op.Result(0).Name = "held"
		if r.value.Name != "" {
			op.Result(0).Name = r.value.Name + "_held"
		}
		w = s.insert(op)
	}
	s.held[*r] = w
	return w
}

// operation lets an operation read held values.
func (h *holder) operation(op *ir.Operation) {
	n := op.NumOperands()
	if n == 0 || op.Name == opname.HandshakeConstant {
		return // needs its token
	}
	once := h.counts.Once(op.Operand(0)) || op.Name == opname.HandshakeLoad && h.counts.Once(op.Result(1))
	copies := make([]*root, n)
	anchored := false // an operand stays that has a token for each firing
	for i, v := range op.Operands() {
		if dataflow.IsHeld(v) || op.Name == opname.HandshakeLoad && i == 1 {
			continue
		}
		if dataflow.MayHold(op, i) {
			copies[i] = h.root(v)
		}
		if once && copies[i] != nil && copies[i].value != nil && copies[i].value != h.start {
			copies[i] = nil // has one token as it is
		}
		if i == access(op) && copies[i] != nil && !h.implied(op, h.accesses) {
			copies[i] = nil
		}
		anchored = anchored || copies[i] == nil
	}
	if !anchored && h.opts.deviate != holdWhole {
		copies[h.anchor(op)] = nil
	}
	for i, r := range copies {
		if r != nil {
			op.SetOperand(i, h.hold(r, op.Operand(i)))
		}
	}
}

// access is the control operand of a load or store, -1 for other operations.
func access(op *ir.Operation) int {
	if op.Name == opname.HandshakeLoad || op.Name == opname.HandshakeStore {
		return 2
	}
	return -1
}

// anchor is the operand that keeps its tokens where all could be held: the control of an
// access, else a constant, which "activations" fires by what is there anyway.
func (h *holder) anchor(op *ir.Operation) int {
	if i := access(op); i >= 0 {
		return i
	}
	for i, v := range op.Operands() {
		if v.Def != nil && v.Def.Name == opname.HandshakeConstant {
			return i
		}
	}
	return 0
}

// implied reports whether what else an access takes comes from every access that its control
// comes from: a token through a branch comes from the accesses that its condition comes from.
func (s *state) implied(op *ir.Operation, accesses map[*ir.Value]*ir.Operation) bool {
	if s.opts.deviate == holdConditions {
		return true
	}
	have := map[*ir.Operation]bool{}
	sources(op.Operand(0), accesses, have, map[*ir.Value]bool{})
	if op.Name == opname.HandshakeStore {
		sources(op.Operand(1), accesses, have, map[*ir.Value]bool{})
	}
	need := map[*ir.Operation]bool{}
	sources(op.Operand(2), accesses, need, map[*ir.Value]bool{})
	for a := range need {
		if !have[a] {
			return false
		}
	}
	return true
}

// sources collects the accesses that v comes from.
func sources(v *ir.Value, accesses map[*ir.Value]*ir.Operation, into map[*ir.Operation]bool, seen map[*ir.Value]bool) {
	if seen[v] || v.Def == nil {
		return
	}
	seen[v] = true
	op := v.Def
	if a := accesses[v]; a != nil {
		op = a
		into[a] = true
	}
	for i, w := range op.Operands() {
		if op.Name == opname.HandshakeLoad && i == 1 || op.Name == opname.DataflowInterlock && i > 0 {
			continue // not of the same iteration
		}
		sources(w, accesses, into, seen)
	}
}

// accessesOf are the loads and stores behind the results of memories and loads.
func accessesOf(body *ir.Block) map[*ir.Value]*ir.Operation {
	out := map[*ir.Value]*ir.Operation{}
	for _, mem := range body.Ops {
		if mem.Name != opname.HandshakeMemory && mem.Name != opname.HandshakeExtmemory {
			continue
		}
		p := handshake.PortsOf(mem)
		for i := range p.Stores {
			out[mem.Result(p.StoreDone(i))] = mem.Operand(p.StoreAddr(i)).Def
		}
		for i := range p.Loads {
			ld := mem.Operand(p.LoadAddr(i)).Def
			out[mem.Result(p.LoadData(i))], out[mem.Result(p.LoadDone(i))], out[ld.Result(0)] = ld, ld, ld
		}
	}
	return out
}

// isFence reports whether an operation is a fence of the program: it orders accesses that nothing
// else would.
func isFence(op *ir.Operation) bool { return op.Attr(handshake.FenceAttr) != nil }

// activationsOf are the control tokens that only say that their region runs: they come from the
// start token through branches and loops, and from no access.
func activationsOf(s *state) map[*ir.Value]bool {
	is := map[*ir.Value]bool{s.start: true}
	var tokens []*ir.Value
	for _, op := range s.body.Ops {
		for _, r := range op.Results() {
			if r.Type == ir.Type(ir.None) {
				is[r] = true
				tokens = append(tokens, r)
			}
		}
	}
	// The greatest such set: a token around a loop is one if nothing says no.
	for changed := true; changed; {
		changed = false
		for _, t := range tokens {
			if !is[t] {
				continue
			}
			ok := true
			switch op := t.Def; op.Name {
			case opname.DataflowHold:
			case opname.HandshakeCondBr, opname.DataflowInvariant:
				ok = is[op.Operand(1)]
			case opname.DataflowGate:
				ok = is[op.Operand(0)]
			case opname.HandshakeMux, opname.DataflowCarry:
				ok = is[op.Operand(1)] && is[op.Operand(2)]
			case opname.HandshakeJoin:
				ok = !isFence(op)
				for _, w := range op.Operands() {
					ok = ok && is[w]
				}
			default:
				ok = s.opts.deviate == holdCompletions
			}
			if !ok {
				delete(is, t)
				changed = true
			}
		}
	}
	return is
}
