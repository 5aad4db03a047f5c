package simplify

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/widths"
)

// narrowValues gives operations the widths that their values need:
//
//	%i = stream … : i32 -> i32                %i = stream … : i6 -> i6
//	%x = arith.muli %i, %c30 : i32      =>    %y = arith.extsi %i : i6 to i10
//	                                          %x = arith.muli %y, %c30 : i10
//
// Arithmetic whose low bits depend on low bits only is done on those that the result has and
// its readers need, values are branched, merged, carried and repeated in as many bits as they
// take, counters and comparisons have the bits and the sign of all their operands. Casts are
// wires. Addresses, data of memory, results and divisions keep their types.
func narrowValues(s *state, _ *diag.List) {
	if s.opts.IndexWidth == 0 || s.opts.Fabric != nil {
		return
	}
	n := &narrower{
		state: s, facts: widths.Of(s.fn, s.opts.IndexWidth),
		plans: map[*ir.Operation]plan{}, made: map[*ir.Value]*ir.Value{}, cuts: map[cut]*ir.Value{},
	}
	ops := append([]*ir.Operation(nil), s.body.Ops...)
	for _, op := range ops {
		p, ok := n.plan(op)
		switch {
		case s.opts.deviate == narrowShort && p.bits > 2:
			p.bits--
		case s.opts.deviate == narrowSigns:
			p.signed = false
		}
		if ok && p.bits+worthwhile <= p.full {
			n.plans[op] = p
		}
	}
	for _, op := range ops {
		n.make(op)
	}
	for _, op := range ops {
		n.connect(op)
	}
	clearDead(s, nil)
}

// worthwhile is how many bits an operation must save.
const worthwhile = 2

// plan is the width of an operation; signed is how its results are extended.
type plan struct {
	bits, full int
	signed     bool
}

// cut is a value in another width.
type cut struct {
	v    *ir.Value
	bits int
}

type narrower struct {
	*state
	facts widths.Facts
	plans map[*ir.Operation]plan
	// made are the narrow results, by the ones that they replace.
	made map[*ir.Value]*ir.Value
	cuts map[cut]*ir.Value
}

// exact is the width in which every token of v is itself, read with its sign or without.
func (n *narrower) exact(v *ir.Value, signed bool) int {
	f, ok := n.facts[v]
	if !ok {
		w, _ := ir.BitWidth(v.Type, n.opts.IndexWidth)
		return w
	}
	bits, with := widths.Span(f.Interval)
	switch {
	case signed && !with:
		bits++
	case !signed && with:
		return f.Full
	}
	return min(max(bits, 1), f.Full)
}

// plan is the width that an operation needs.
func (n *narrower) plan(op *ir.Operation) (plan, bool) {
	if op.NumResults() == 0 || !ir.IsInt(op.Result(0).Type) {
		return plan{}, false
	}
	f, ok := n.facts[op.Result(0)]
	if !ok {
		return plan{}, false
	}
	p := plan{max(f.Bits, 2), f.Full, f.Signed}
	switch op.Name {
	case opname.ArithAddI, opname.ArithSubI, opname.ArithMulI, opname.ArithAndI, opname.ArithOrI, opname.ArithXOrI,
		opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		return p, true
	case opname.DataflowGate:
		return p, true
	case opname.ArithShLI:
		k, known := n.facts[op.Operand(1)]
		c, one := k.Interval.Constant()
		return p, known && one && c >= 0 && c < int64(p.bits)
	case opname.HandshakeCondBr:
		// Both sides have one type.
		if g, ok := n.facts[op.Result(1)]; ok && op.Result(1).HasUses() {
			if !op.Result(0).HasUses() {
				return plan{max(g.Bits, 2), g.Full, g.Signed}, true
			}
			if f.Signed != g.Signed {
				// The one without sign needs a bit for it.
				if f.Signed {
					g.Bits++
				} else {
					f.Bits++
				}
			}
			p = plan{max(f.Bits, g.Bits, 2), f.Full, f.Signed || g.Signed}
		}
		return p, true
	case opname.DataflowStream:
		p.bits = n.exact(op.Result(0), true)
		for _, v := range op.Operands() {
			p.bits = max(p.bits, n.exact(v, true))
		}
		p.bits, p.signed = max(p.bits, 2), true
		return p, true
	case opname.ArithCmpI:
		x, y := op.Operand(0), op.Operand(1)
		w, _ := ir.BitWidth(x.Type, n.opts.IndexWidth)
		pred, ok := arith.PredicateOf(op)
		signed := !pred.Unsigned()
		return plan{max(n.exact(x, signed), n.exact(y, signed), 2), w, signed}, ok
	}
	return plan{}, false
}

// isCast reports whether an operation only cuts or extends an integer.
func isCast(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithExtSI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCast, opname.ArithIndexCastUI:
		return true
	}
	return false
}

// make makes the narrow form of an operation, without operands.
func (n *narrower) make(op *ir.Operation) {
	p, ok := n.plans[op]
	if !ok || op.Name == opname.ArithCmpI {
		return
	}
	wide := op.Result(0).Type
	types := make([]ir.Type, op.NumResults())
	for i, r := range op.Results() {
		types[i] = r.Type
		if r.Type == wide {
			types[i] = ir.Int(p.bits)
		}
	}
	c := ir.NewOp(op.Name, op.Pos, nil, types)
	c.Loc, c.Attrs = op.Loc, append(ir.NamedAttrs(nil), op.Attrs...)
	n.body.InsertBefore(op, c)
	for i, r := range op.Results() {
		c.Result(i).Name = r.Name
		n.made[r] = c.Result(i)
	}
}

// connect gives the operands to an operation, or to its narrow form.
func (n *narrower) connect(op *ir.Operation) {
	p, narrow := n.plans[op]
	var operands []*ir.Value
	for i, v := range op.Operands() {
		switch w, integer := ir.BitWidth(v.Type, n.opts.IndexWidth); {
		case !ir.IsInt(v.Type) || !integer:
			operands = append(operands, v)
		case narrow && w == p.full && !n.steers(op, i):
			operands = append(operands, n.cut(v, p.bits))
		default:
			operands = append(operands, n.whole(v))
		}
	}
	to := op
	if narrow && op.Name != opname.ArithCmpI {
		to = n.made[op.Result(0)].Def
	}
	to.SetOperands(operands)
}

// steers reports whether an operand is a condition.
func (n *narrower) steers(op *ir.Operation, i int) bool {
	switch op.Name {
	case opname.HandshakeCondBr, opname.HandshakeMux, opname.DataflowCarry, opname.DataflowInvariant, opname.ArithSelect:
		return i == 0
	case opname.DataflowGate:
		return i == 1
	}
	return false
}

// whole is a value in its own type.
func (n *narrower) whole(v *ir.Value) *ir.Value {
	p, ok := plan{}, false
	if v.Def != nil && n.made[v] != nil {
		p, ok = n.plans[v.Def]
	}
	if !ok {
		return v
	}
	if n.made[v].Type == v.Type { // the condition of a stream or gate
		return n.made[v]
	}
	key := cut{v, 0}
	if w := n.cuts[key]; w != nil {
		return w
	}
	name := opname.ArithExtUI
	switch index := v.Type == ir.Type(ir.Index); {
	case index && p.signed:
		name = opname.ArithIndexCast
	case index:
		name = opname.ArithIndexCastUI
	case p.signed:
		name = opname.ArithExtSI
	}
	n.cuts[key] = n.cast(name, n.made[v], v.Type)
	return n.cuts[key]
}

func (n *narrower) cast(name string, v *ir.Value, to ir.Type) *ir.Value {
	c := ir.NewOp(name, v.Pos(), []*ir.Value{v}, []ir.Type{to})
	n.body.InsertBefore(n.body.Terminator(), c)
	c.Result(0).Name = v.Name
	return c.Result(0)
}

// cut is the integer of some bits with the low bits of v.
func (n *narrower) cut(v *ir.Value, bits int) *ir.Value {
	key := cut{v, bits}
	if w := n.cuts[key]; w != nil {
		return w
	}
	w := n.cutAnew(v, bits)
	n.cuts[key] = w
	return w
}

func (n *narrower) cutAnew(v *ir.Value, bits int) *ir.Value {
	t := ir.Int(bits)
	if op := v.Def; op != nil {
		switch {
		case op.Name == opname.HandshakeConstant:
			f := n.facts[v]
			c := ir.NewOp(op.Name, op.Pos, op.Operands(), []ir.Type{t})
			c.SetAttr("value", ir.IntAttr(interval.Signed(uint64(f.Interval.Lo)&interval.Mask(bits), bits), t))
			c.Result(0).Name = v.Name
			return n.insert(c)
		case op.Name == opname.DataflowHold:
			c := ir.NewOp(op.Name, op.Pos, []*ir.Value{n.cut(op.Operand(0), bits)}, []ir.Type{t})
			c.Result(0).Name = v.Name
			n.body.InsertBefore(n.body.Terminator(), c)
			return c.Result(0)
		case isCast(op):
			// What is cut off again need not be added: below the operand's width the bits are the
			// operand's.
			if from, _ := ir.BitWidth(op.Operand(0).Type, n.opts.IndexWidth); bits <= from {
				return n.cut(op.Operand(0), bits)
			}
		}
	}
	if m := n.made[v]; m != nil {
		p := n.plans[v.Def]
		switch {
		case bits == p.bits:
			return m
		case bits < p.bits:
			return n.cast(opname.ArithTruncI, m, t)
		case p.signed:
			return n.cast(opname.ArithExtSI, m, t)
		}
		return n.cast(opname.ArithExtUI, m, t)
	}
	if v.Type == ir.Type(ir.Index) {
		return n.cast(opname.ArithIndexCast, v, t)
	}
	if w, _ := ir.BitWidth(v.Type, n.opts.IndexWidth); w == bits {
		return v
	}
	return n.cast(opname.ArithTruncI, v, t)
}
