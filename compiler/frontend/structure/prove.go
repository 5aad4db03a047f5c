package structure

import (
	"math"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
)

// fact is a comparison that holds.
type fact struct {
	pred arith.IntPredicate
	x, y *ir.Value
}

// prover answers what is known of integers at one place: from constants, from what
// operations can yield, and from the branches and loops around the place.
type prover struct{ facts []fact }

// interval is a range of numbers with sign.
type interval struct{ lo, hi int64 }

// proverAt gathers the facts that hold where op stands.
func proverAt(op *ir.Operation) *prover {
	p := &prover{}
	for b := op.Block(); b != nil && b.ParentOp() != nil; b = b.ParentOp().Block() {
		p.inside(b)
	}
	return p
}

// inside adds what holds in a region because it is executed.
func (p *prover) inside(b *ir.Block) {
	op := b.ParentOp()
	switch op.Name {
	case "scf.if":
		p.assume(op.Operand(0), op.Regions[0] == b.Parent)
	case "scf.for":
		iv := b.Args[0]
		p.facts = append(p.facts, fact{arith.Slt, iv, op.Operand(1)}, fact{arith.Slt, op.Operand(0), op.Operand(1)})
		if k, ok := op.Operand(2).ConstantInt(); ok && k == 1 {
			p.facts = append(p.facts, fact{arith.Sge, iv, op.Operand(0)})
		}
	case "scf.while":
		if op.Regions[1] != b.Parent {
			return
		}
		cond := op.Regions[0].Entry().Terminator()
		p.assumeAs(cond.Operand(0), true, func(v *ir.Value) *ir.Value {
			for i, w := range cond.Operands()[1:] {
				if w == v {
					return b.Args[i]
				}
			}
			return v
		})
	}
}

// assume adds what follows from a condition that holds, or does not.
func (p *prover) assume(cond *ir.Value, holds bool) {
	p.assumeAs(cond, holds, func(v *ir.Value) *ir.Value { return v })
}

func (p *prover) assumeAs(cond *ir.Value, holds bool, as func(*ir.Value) *ir.Value) {
	op := cond.Def
	if op == nil {
		return
	}
	switch {
	case op.Name == "arith.cmpi":
		pred, ok := arith.PredicateOf(op)
		if !ok {
			return
		}
		if !holds {
			pred = pred.Negated()
		}
		p.facts = append(p.facts, fact{pred, as(op.Operand(0)), as(op.Operand(1))})
	case op.Name == "arith.andi" && holds, op.Name == "arith.ori" && !holds:
		p.assumeAs(op.Operand(0), holds, as)
		p.assumeAs(op.Operand(1), holds, as)
	case op.Name == "arith.xori" && isTrue(op.Operand(1)):
		p.assumeAs(op.Operand(0), !holds, as)
	}
}

// with returns a prover that also takes a condition to hold, or not.
func (p *prover) with(cond *ir.Value, holds bool) *prover {
	q := &prover{facts: append([]fact(nil), p.facts...)}
	q.assume(cond, holds)
	return q
}

// sameValue reports whether two values are always equal.
func sameValue(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	x, okX := a.ConstantInt()
	y, okY := b.ConstantInt()
	return okX && okY && x == y && a.Type == b.Type
}

// original follows a value through casts that keep the number and every order.
func original(v *ir.Value) *ir.Value {
	for v.Def != nil && (v.Def.Name == "arith.extsi" || v.Def.Name == "arith.index_cast" && v.Type == ir.Type(ir.Index)) &&
		widthOf(v.Def.Operand(0).Type) <= widthOf(v.Type) {
		v = v.Def.Operand(0)
	}
	return v
}

// sameNumber reports whether two values, whatever their types, are the same number.
func sameNumber(a, b *ir.Value) bool {
	if a == b {
		return true
	}
	x, okX := a.ConstantInt()
	y, okY := b.ConstantInt()
	return okX && okY && x == y
}

// widthOf is the width in which an integer is sure to be computed exactly: an
// index may be as narrow as 32 bits.
func widthOf(t ir.Type) int {
	w, ok := ir.BitWidth(t, 32)
	if !ok || w > 64 {
		return 64
	}
	return w
}

// rangeOf is the range of a type. An index may be as wide as 64 bits.
func rangeOf(t ir.Type) interval {
	w := widthOf(t)
	if t == ir.Type(ir.Index) {
		w = 64
	}
	return interval{smallest(w), largest(w)}
}

func largest(w int) int64 { return math.MaxInt64 >> (64 - w) }

func smallest(w int) int64 { return math.MinInt64 >> (64 - w) }

// proves reports whether a comparison is known to hold.
func (p *prover) proves(pred arith.IntPredicate, x, y *ir.Value) bool {
	if sameValue(x, y) {
		return pred.Reflexive()
	}
	if k, ok := y.ConstantInt(); ok && k == 0 && pred == arith.Ne && x.Def != nil && x.Def.Name == "arith.minui" &&
		p.proves(arith.Ne, x.Def.Operand(0), y) && p.proves(arith.Ne, x.Def.Operand(1), y) {
		return true
	}
	ox, oy := original(x), original(y)
	for _, f := range p.facts {
		fx, fy := original(f.x), original(f.y)
		if sameNumber(fx, ox) && sameNumber(fy, oy) && implies(f.pred, pred) {
			return true
		}
		if sameNumber(fx, oy) && sameNumber(fy, ox) && implies(f.pred.Swapped(), pred) {
			return true
		}
	}
	a, b := p.of(x, depthOfProofs), p.of(y, depthOfProofs)
	if pred.Unsigned() {
		// 0 < y without sign is y != 0.
		if k, ok := x.ConstantInt(); ok && k == 0 && pred == arith.Ult {
			return p.proves(arith.Ne, x, y)
		}
		if k, ok := y.ConstantInt(); ok && k == 0 && pred == arith.Ugt {
			return p.proves(arith.Ne, x, y)
		}
		if k, ok := x.ConstantInt(); ok && k == 0 && pred == arith.Ule {
			return true
		}
		if a.lo < 0 || b.lo < 0 {
			return false
		}
		pred = pred.Signed()
	}
	switch pred {
	case arith.Eq:
		return a.lo == a.hi && b.lo == b.hi && a.lo == b.lo
	case arith.Ne:
		return a.hi < b.lo || b.hi < a.lo || p.proves(arith.Slt, x, y) || p.proves(arith.Sgt, x, y)
	case arith.Slt:
		return a.hi < b.lo
	case arith.Sle:
		return a.hi <= b.lo
	case arith.Sgt:
		return a.lo > b.hi
	}
	return a.lo >= b.hi
}

// implies reports whether "x p y" says that "x q y", for any numbers.
func implies(p, q arith.IntPredicate) bool {
	if p == q {
		return true
	}
	switch p {
	case arith.Eq:
		return q.Reflexive()
	case arith.Slt:
		return q == arith.Sle || q == arith.Ne
	case arith.Sgt:
		return q == arith.Sge || q == arith.Ne
	case arith.Ult:
		return q == arith.Ule || q == arith.Ne
	case arith.Ugt:
		return q == arith.Uge || q == arith.Ne
	}
	return false
}

// inside is r where it lies within a type, else all of the type.
func inside(r, full interval) interval {
	if r.lo < full.lo || r.hi > full.hi {
		return full
	}
	return r
}
