package narrow

import (
	"math"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// choose finds the values to be retyped: all that could be, less those with a use that
// does not allow it, until nothing changes.
func (n *narrower) choose() {
	n.members = map[*ir.Value]bool{}
	each := func(v *ir.Value) {
		if wide(v) && !n.banned[v] && n.possible(v) {
			n.members[v] = true
		}
	}
	for _, a := range n.flow.entry.Args {
		each(a)
	}
	for _, op := range n.flow.order {
		for _, v := range op.Results() {
			each(v)
		}
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for _, a := range b.Args {
					each(a)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for v := range n.members {
			if !n.allowed(v) {
				delete(n.members, v)
				changed = true
			}
		}
	}
}

// fits reports whether an integer is in the range of a signed one of 32 bits.
func (n *narrower) fits(v *ir.Value) bool {
	return n.sizes.fits(v)
}

// possible reports whether what defines v could work in a narrower type, independent of
// its uses.
func (n *narrower) possible(v *ir.Value) bool {
	if n.flow.carried(v) || v.Block == n.flow.entry && !n.called {
		return true
	}
	if loop := inductionOf(v); loop != nil {
		_, counts := n.sizes.assumed[v]
		return counts && n.fits(v) && n.fits(loop.Operand(0)) && n.fits(loop.Operand(1)) && n.fits(loop.Operand(2))
	}
	if v.Def == nil {
		return false
	}
	op := v.Def
	switch {
	case op.Name == opname.ArithShLI:
		return n.shortShift(op)
	case op.Def().LowBits(), op.Name == opname.ArithSelect:
		return true
	}
	return n.exact(op)
}

// shortShift reports whether a shift is by a constant below 32.
func (n *narrower) shortShift(op *ir.Operation) bool {
	c, ok := op.Operand(1).ConstantInt()
	return ok && c >= 0 && c < 32
}

// exact reports whether an operation that needs its operands in full computes the same
// in 32 bits as its operands and result are of that many.
func (n *narrower) exact(op *ir.Operation) bool {
	if op.NumResults() != 1 || op.NumOperands() != 2 {
		return false
	}
	switch op.Name {
	case opname.ArithShRSI:
		return n.shortShift(op) && (n.sizes.fitsAt(op, op.Operand(0)) || n.broken[faultShifts])
	case opname.ArithShRUI:
		return n.shortShift(op) && (n.sizes.plainAt(op, op.Operand(0)) || n.broken[faultShifts])
	case opname.ArithDivSI, opname.ArithRemSI:
		// The lowest value divided by -1 does not fit.
		return n.sizes.fitsAt(op, op.Operands()...) && (n.fits(op.Result(0)) || op.Name == opname.ArithRemSI && n.sizes.known.At(op.Operand(1), op).Lo >= 0) ||
			n.broken[faultDivisions]
	case opname.ArithDivUI, opname.ArithRemUI:
		return n.sizes.plainAt(op, op.Operands()...) || n.broken[faultDivisions]
	case opname.ArithMinSI, opname.ArithMaxSI:
		return n.sizes.fitsAt(op, op.Operands()...)
	case opname.ArithMinUI, opname.ArithMaxUI:
		return n.sizes.fitsAt(op, op.Operands()...) || n.sizes.plainAt(op, op.Operands()...)
	}
	return false
}

// allowed reports whether every use of v can take it narrower.
func (n *narrower) allowed(v *ir.Value) bool {
	// The results and arguments that one operand becomes have one type.
	for _, slot := range n.flow.into[v] {
		for _, w := range n.flow.ofSlot[slot] {
			if !n.members[w] && !n.broken[faultResults] {
				return false
			}
		}
	}
	if n.extends(v) {
		return true
	}
	for _, u := range v.Uses() {
		if !n.use(v, u) {
			return false
		}
	}
	return true
}

// extends reports whether v is a counter or a size, or carries one on: where something needs it in
// full, it is extended there, as its number is known to fit.
func (n *narrower) extends(v *ir.Value) bool {
	if !n.fits(v) {
		return false
	}
	if inductionOf(v) != nil {
		return true
	}
	if _, size := n.sizes.assumed[v]; size && v.Block == n.flow.entry {
		return true
	}
	if !n.flow.carried(v) {
		return false
	}
	if aroundLoop(v) {
		_, counts := n.sizes.counter(v)
		return counts
	}
	for _, slot := range n.flow.into[v] {
		if !n.members[slot.Op.Operand(slot.Index)] {
			return false
		}
	}
	return true
}

// use reports whether one use can take v narrower.
func (n *narrower) use(v *ir.Value, u ir.Use) bool {
	op := u.Op
	if to := n.flow.ofSlot[u]; len(to) > 0 {
		for _, w := range to {
			if !n.members[w] {
				return false
			}
		}
		return true
	}
	switch op.Name {
	case opname.ArithIndexCast, opname.ArithIndexCastUI:
		return op.Result(0).Type == ir.Type(ir.Index)
	case opname.ArithTruncI:
		return !wide(op.Result(0))
	case opname.ArithCmpI:
		return n.compares(op)
	case opname.ArithSIToFP:
		return n.fits(v)
	case opname.ArithUIToFP:
		return n.fits(v) && n.sizes.known.Of(v).Lo >= 0
	case opname.FuncReturn:
		return n.returns(v)
	case opname.SCFFor:
		return u.Index < 3 && n.members[op.Regions[0].Entry().Args[0]]
	}
	return op.NumResults() == 1 && n.members[op.Result(0)] && !n.flow.carried(op.Result(0))
}

// returns reports whether a value can be returned as an index: one that fits, to a
// caller that extends it (package cabi), which those of structs do not.
func (n *narrower) returns(v *ir.Value) bool {
	return !n.called && wide(v) && n.fits(v) && !n.structs
}

// compares reports whether a comparison of wide integers is the same in 32 bits.
func (n *narrower) compares(op *ir.Operation) bool {
	some := false
	for _, v := range op.Operands() {
		_, _, extends := extended(v)
		switch {
		case v.IsConstant():
			if !n.fits(v) {
				return false
			}
		case !n.members[v] && !extends:
			return false
		default:
			some = true
		}
	}
	if !some {
		return false
	}
	if n.broken[faultCompares] {
		return true
	}
	p, _ := arith.PredicateOf(op)
	return n.sizes.fitsAt(op, op.Operands()...) || n.sizes.plainAt(op, op.Operands()...) && (p == arith.Eq || p == arith.Ne || p.Unsigned())
}

// component gives every group of connected members one type: index where it counts or
// addresses, else i32. A constant that no narrow index has keeps its operation wide; it
// reports whether there was one, and the choice has to be made again.
func (n *narrower) component() bool {
	up := map[*ir.Value]*ir.Value{}
	var root func(v *ir.Value) *ir.Value
	root = func(v *ir.Value) *ir.Value {
		if p, ok := up[v]; ok && p != v {
			up[v] = root(p)
			return up[v]
		}
		return v
	}
	index := map[*ir.Value]bool{}
	union := func(a, b *ir.Value) {
		if a, b = root(a), root(b); a != b {
			up[b] = a
			index[a] = index[a] || index[b]
		}
	}
	indexed := func(v *ir.Value) { index[root(v)] = true }
	for v := range n.members {
		if v.Block == n.flow.entry || inductionOf(v) != nil {
			indexed(v)
		}
		if v.Def != nil && !n.flow.carried(v) {
			for _, x := range v.Def.Operands() {
				n.link(v, x, union, indexed)
			}
		}
		for _, slot := range n.flow.into[v] {
			n.link(v, slot.Op.Operand(slot.Index), union, indexed)
			for _, w := range n.flow.ofSlot[slot] {
				n.link(v, w, union, indexed)
			}
		}
		if loop := inductionOf(v); loop != nil {
			for _, x := range loop.Operands()[:3] {
				n.link(v, x, union, indexed)
			}
		}
		for _, u := range v.Uses() {
			switch u.Op.Name {
			case opname.ArithIndexCast, opname.ArithIndexCastUI, opname.FuncReturn:
				indexed(v)
			case opname.ArithCmpI:
				n.link(v, u.Op.Operand(1-u.Index), union, indexed)
			}
		}
	}
	n.types = map[*ir.Value]ir.Type{}
	for v := range n.members {
		n.types[v] = ir.I32
		if index[root(v)] {
			n.types[v] = ir.Index
		}
	}
	again := false
	for v, t := range n.types {
		if t != ir.Type(ir.Index) {
			continue
		}
		var operands []*ir.Value
		if v.Def != nil && !n.flow.carried(v) {
			operands = v.Def.Operands()
		}
		for _, slot := range n.flow.into[v] {
			operands = append(operands[:len(operands):len(operands)], slot.Op.Operand(slot.Index))
		}
		for _, x := range operands {
			if c, ok := x.ConstantInt(); ok && (c < math.MinInt32 || c > math.MaxInt32) {
				n.banned[v] = true
				again = true
			}
		}
	}
	return again
}

// link puts v and what it is computed from or compared with into one group.
func (n *narrower) link(v, x *ir.Value, union func(a, b *ir.Value), indexed func(*ir.Value)) {
	if n.members[x] {
		union(v, x)
	} else if from, _, ok := extended(x); ok && from.Type == ir.Type(ir.Index) {
		indexed(v)
	}
}
