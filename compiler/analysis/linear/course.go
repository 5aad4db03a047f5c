package linear

import (
	"math"
	"slices"
	"strconv"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/internal/intmath"
)

// Course is how an induction variable moves.
type Course struct {
	Loop *ir.Operation
	// By is what an iteration adds, 0 if that is not known.
	By int64
	// Wraps is set unless the induction variable is proven to stay between its
	// bounds: only then iteration k has the value Base + k*By.
	Wraps bool
	Base  Form
	// number is the symbol of k, made when first needed.
	number *Symbol
}

// follow gives the symbol of an induction variable its course. Whatever the step
// and the test are, two iterations of one activation never have the same value:
// the next value and the test depend on nothing else, so a loop that came back
// to a value would not end.
func (x *Forms) follow(y *Symbol, loop *ir.Operation) {
	w := x.Width(y.Value.Type)
	n := &Course{Loop: loop, Wraps: true, Base: x.Of(loop.Operand(0))}
	if _, _, ok := Within(n.Base, w); !ok {
		n.Base = x.opaque(loop.Operand(0)) // the sum may differ from the value
	}
	y.Course = n
	stepOp, cond := loops.Kind(loop)
	sLo, sHi := x.Range(loop.Operand(2), loop)
	switch {
	case stepOp == "-=" && sLo > interval.MinSigned(w):
		sLo, sHi = -sHi, -sLo
	case stepOp != "+=":
		return
	}
	if loops.Plain(loop) {
		sLo, sHi = max(sLo, 1), max(sHi, 1) // anything else is a fault
	}
	if sLo == sHi {
		n.By = sLo
	}
	// The last value that passes the test, and the one after it.
	firstLo, firstHi := x.Range(loop.Operand(0), loop)
	endLo, endHi := x.Range(loop.Operand(1), loop)
	switch {
	case sLo > 0 && (cond == "<" || cond == "<="):
		if cond == "<" && endHi > interval.MinSigned(w) {
			endHi--
		}
		if after, ok := intmath.Add(endHi, sHi); ok && after <= interval.MaxSigned(w) && firstLo <= endHi {
			n.Wraps = false
			y.within(firstLo, endHi)
		}
	case sHi < 0 && (cond == ">" || cond == ">="):
		if cond == ">" && endLo < interval.MaxSigned(w) {
			endLo++
		}
		if after, ok := intmath.Add(endLo, sLo); ok && after >= interval.MinSigned(w) && firstHi >= endLo {
			n.Wraps = false
			y.within(endLo, firstHi)
		}
	}
}

// Counted rewrites a form in terms of iteration numbers: an induction variable
// that moves by constant steps becomes base + by*number. Only the loops that
// inside accepts are rewritten.
func (x *Forms) Counted(f Form, inside func(*ir.Operation) bool) (Form, bool) {
	// Each iteration removes an induction variable in favour of those further out.
	for range 2 * MaxTerms {
		at := -1
		for i, t := range f.Terms {
			if n := t.Sym.Course; n != nil && n.By != 0 && !n.Wraps && inside(n.Loop) {
				at = i
			}
		}
		if at < 0 {
			return f, true
		}
		t := f.Terms[at]
		number := x.Number(t.Sym)
		f = Form{C: f.C, Terms: slices.Delete(slices.Clone(f.Terms), at, at+1)}
		by, ok := intmath.Mul(t.Coef, t.Sym.Course.By)
		if !ok {
			return f, false
		}
		if f, ok = f.Plus(Of(number), by); !ok {
			return f, false
		}
		if f, ok = f.Plus(t.Sym.Course.Base, t.Coef); !ok || len(f.Terms) > 2*MaxTerms {
			return f, false
		}
	}
	return f, false
}

// Number is the symbol of a loop's iteration number, which starts at 0.
func (x *Forms) Number(y *Symbol) *Symbol {
	n := y.Course
	if n.number == nil {
		k := &Symbol{ID: len(x.symbols), Value: y.Value, Leaves: y.Leaves, Unbounded: true}
		if last := y.Reach(); last <= math.MaxInt64 {
			k.Hi, k.Unbounded = int64(last), false
		}
		x.symbols["#"+strconv.Itoa(y.ID)] = k
		n.number = k
	}
	return n.number
}

// Reach is the largest difference of two iteration numbers of the loop whose
// induction variable y is, where it moves by known steps and does not wrap.
func (y *Symbol) Reach() uint64 {
	by := y.Course.By
	if by < 0 {
		by = -by
	}
	return (uint64(y.Hi) - uint64(y.Lo)) / uint64(max(by, 1))
}

// Counter is the symbol of a loop's induction variable.
func (x *Forms) Counter(loop *ir.Operation) *Symbol {
	return x.Of(loop.Regions[0].Entry().Args[0]).Terms[0].Sym
}

// ReachOf is how far coefficient times iteration number gets: for a plain loop
// from lb below ub, |coefficient|*(ub-1-lb)/step.
func (x *Forms) ReachOf(m Term[*Symbol]) (Form, bool) {
	loop := loops.Of(m.Sym.Value)
	if loop == nil || !loops.Plain(loop) {
		return Form{}, false
	}
	lb, okL := x.Exactly(loop.Operand(0))
	ub, okU := x.Exactly(loop.Operand(1))
	n := x.Counter(loop).Course
	if !okL || !okU || n.By <= 0 || n.Wraps {
		return Form{}, false
	}
	span, ok := ub.Plus(lb, -1)
	if !ok {
		return Form{}, false
	}
	if span, ok = span.Plus(Form{C: 1}, -1); !ok || m.Coef%n.By != 0 || m.Coef == interval.MinSigned(64) {
		return Form{}, false
	}
	return span.Times(max(m.Coef, -m.Coef) / n.By)
}

// Exactly is the form of a value that equals it, without any modulus.
func (x *Forms) Exactly(v *ir.Value) (Form, bool) {
	f := x.Of(v)
	if _, _, ok := Within(f, x.Width(v.Type)); ok {
		return f, true
	}
	return Form{}, false
}
