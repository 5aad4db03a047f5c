package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// region is one activation context of the structured function: its body, a
// branch, a loop body, one side of a while. It knows which dataflow value stands
// for each structured value inside it, and how an outer value gets its token
// count (spec-dataflow-compilation: "a value environment, an execution-control
// stream, zero or more exit values").
type region struct {
	s      *state
	parent *region
	// enter makes a value of the parent region available here, through the
	// operation that the token discipline prescribes for this kind of region.
	enter func(v *ir.Value) *ir.Value
	// vals maps structured values; entered maps dataflow values of the parent,
	// so that one crossing serves every user.
	vals    map[*ir.Value]*ir.Value
	entered map[*ir.Value]*ir.Value
	consts  map[string]*ir.Value
	ctrl    *ir.Value
	// at is the operation the region belongs to, for positions.
	at *ir.Operation

	// items are the accesses and the nested constructs in source order: the SCF
	// nesting paths that memory ordering needs, as a tree.
	items   []item
	touches map[*group]bool
	// fenced is set where a fence stands here or in a construct inside.
	fenced bool
}

// item is one step of a region as memory ordering sees it: one of the three.
type item struct {
	access *access
	nested *construct
	fence  *ir.Operation
}

// construct is a nested scf.if, scf.for or scf.while.
type construct struct {
	op *ir.Operation
	// cond steers it: the condition of a branch, after_cond of a counted loop,
	// the raw condition of a while.
	cond *splitter
	// raw is the raw condition of a counted loop, kept for the tests that use it
	// wrongly.
	raw *splitter
	// regions are then and else, the body, or before and after.
	regions []*region
}

// splitter shares the cond_br operations of one condition: values that both
// branches use, and a control token that also orders memory, are split once.
type splitter struct {
	s     *state
	at    *ir.Operation
	cond  *ir.Value
	byArg map[*ir.Value]*ir.Operation
}

func (s *state) splitter(at *ir.Operation, cond *ir.Value) *splitter {
	return &splitter{s: s, at: at, cond: cond, byArg: map[*ir.Value]*ir.Operation{}}
}

// of returns the sides of cond_br(cond, v): where the condition holds and where
// it does not.
func (p *splitter) of(v *ir.Value) (yes, no *ir.Value) {
	op := p.byArg[v]
	if op == nil {
		op = p.s.emit(opname.HandshakeCondBr, p.at.Pos, []*ir.Value{p.cond, v}, v.Type, v.Type)
		p.byArg[v] = op
		op.Result(0).Name = v.Name
		op.Result(1).Name = v.Name
	}
	return op.Result(0), op.Result(1)
}

// emit appends an operation to the graph.
func (s *state) emit(name string, pos diag.Pos, operands []*ir.Value, results ...ir.Type) *ir.Operation {
	return s.body.Append(ir.NewOp(name, pos, operands, results))
}

// child makes a region inside r.
func (r *region) child(at *ir.Operation, enter func(v *ir.Value) *ir.Value) *region {
	return &region{
		s: r.s, parent: r, enter: enter, at: at,
		vals: map[*ir.Value]*ir.Value{}, entered: map[*ir.Value]*ir.Value{}, consts: map[string]*ir.Value{},
		touches: map[*group]bool{},
	}
}

// bring returns the parent's dataflow value v with this region's token count.
func (r *region) bring(v *ir.Value) *ir.Value {
	w := r.entered[v]
	if w == nil {
		w = r.enter(v)
		r.entered[v] = w
	}
	return w
}

// lookup returns the dataflow value that stands for a structured value in this
// region, crossing as many boundaries as lie between.
func (r *region) lookup(v *ir.Value) *ir.Value {
	if w := r.vals[v]; w != nil {
		return w
	}
	var w *ir.Value
	switch {
	case v.IsConstant():
		w = r.constant(v.Def)
	case r.parent == nil:
		panic("lower: a value has no definition in the regions around its use: " + v.Type.String() + " of " + v.Pos().String())
	default:
		w = r.bring(r.parent.lookup(v))
	}
	r.vals[v] = w
	return w
}

// control returns the token stream with one token per activation.
func (r *region) control() *ir.Value {
	if r.ctrl == nil {
		r.ctrl = r.bring(r.parent.control())
	}
	return r.ctrl
}

// constant fires a constant by the region's own control; equal constants of a
// region are one.
func (r *region) constant(op *ir.Operation) *ir.Value {
	value := op.Attr("value")
	key := value.String() + " : " + op.Result(0).Type.String()
	if v := r.consts[key]; v != nil {
		return v
	}
	ctrl := r.control
	if r.s.opts.deviate == constantsCarried {
		ctrl = r.s.root.control
	}
	c := r.s.emit(opname.HandshakeConstant, op.Pos, []*ir.Value{ctrl()}, op.Result(0).Type)
	c.SetAttr("value", value)
	c.Result(0).Name = op.Result(0).Name
	r.consts[key] = c.Result(0)
	return c.Result(0)
}

// fence records a fence.
func (r *region) fence(op *ir.Operation) {
	r.items = append(r.items, item{fence: op})
	for q := r; q != nil && !q.fenced; q = q.parent {
		q.fenced = true
	}
}

// touch records that a group is accessed in r and so in everything around it.
func (r *region) touch(g *group) {
	for q := r; q != nil && !q.touches[g]; q = q.parent {
		q.touches[g] = true
	}
}
