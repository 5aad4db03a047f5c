package dependence

import (
	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/linear"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// finding is the result of testing one pair of subscripts.
type finding struct {
	// never is set when the subscripts differ in all pairs of iterations.
	never    bool
	distance distance
	// same is set when the subscripts are equal in all pairs.
	same bool
	why  string
}

// distance is the only difference of iterations with equal subscripts, if
// there is only one: that of a minus that of b, 0 for none.
type distance struct {
	of int64
	// counts is set where it is a number of iterations in their order; else it is in units in which the induction variable
	// may wrap.
	counts bool
}

// Subscript is one index of an access: its form, the counted loops between the tested one
// and the access, outer ones first, and whether the access happens in each iteration of
// all of them.
type Subscript struct {
	Form linear.Form
	Nest []*ir.Operation
	Each bool
}

// Nest lists the counted loops between an access and a loop around it, outer
// ones first; each is set when nothing else lies between, so that the access
// happens in every iteration.
func Nest(op, loop *ir.Operation) (nest []*ir.Operation, each bool) {
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

// Options are the test's knowledge of memories, and rules that unit tests break.
type Options struct {
	// Overlap reports whether two memories may share elements.
	Overlap func(a, b *ir.Value) bool
	// Trusting skips the question whether subscripts wrap, Careless the distances,
	// Loose accesses to two memories that may overlap, Endless whether a difference of subscripts stays below the range of
	// an index, Rounding whether a quotient is rounded down.
	Trusting, Careless, Loose, Endless, Rounding bool
	// Backwards takes the later iteration for the earlier one, Sides accesses in different branches for such in turn.
	Backwards, Sides bool
}

// Test compares subscripts in different iterations of one loop.
type Test struct {
	x    *linear.Forms
	loop *ir.Operation
	iv   *linear.Symbol
	opts Options
}

// NewTest makes a test of a counted loop.
func NewTest(x *linear.Forms, loop *ir.Operation, opts Options) *Test {
	return &Test{x: x, loop: loop, iv: x.Counter(loop), opts: opts}
}

// test compares one pair of subscripts.
func (t *Test) test(a, b Subscript) finding {
	r := t.decide(a, b)
	r.never = r.never || t.opts.Careless && r.distance.of != 0
	return r
}

func (t *Test) decide(a, b Subscript) finding {
	w := t.x.IndexWidth
	_, _, okA := linear.Within(a.Form, w)
	_, _, okB := linear.Within(b.Form, w)
	exact := okA && okB || t.opts.Trusting

	eq, ok := t.direct(a.Form, b.Form)
	if !ok {
		return finding{why: "the subscripts have coefficients beyond 64 bits"}
	}
	counts := t.iv.Course.By != 0 && !t.iv.Course.Wraps
	first := finding{}
	if exact || eq.small(w) {
		first = eq.integers()
		first.distance.counts = counts
		if first.never || first.distance.of != 0 {
			return first
		}
	}
	fa, okA := t.x.Counted(a.Form, t.inside)
	fb, okB := t.x.Counted(b.Form, t.inside)
	if okA && okB && t.iv.Course.By != 0 && !t.iv.Course.Wraps {
		if eq, ok := t.build(fa, fb, t.x.Number(t.iv), 1, t.iv.Reach()); ok {
			if exact || eq.small(w) {
				r := eq.integers()
				r.distance.counts = true
				if r.never || r.distance.of != 0 {
					return r
				}
			} else if c, ok := t.centred(a, b, fa, fb); ok {
				eq.c = c
				r := eq.integers()
				r.distance.counts = true
				if r.never || r.distance.of != 0 {
					return r
				}
				if first.why == "" {
					first = r
				}
			}
			if r := eq.modulo(w); r.never {
				return r
			}
			if t.apartBySize(a, b, fa, fb) || t.apartByReach(a, b, fa, fb) {
				return finding{never: true, why: "the distance exceeds what an iteration reaches, whatever the sizes are"}
			}
		}
	}
	r := eq.modulo(w)
	r.distance.counts = counts
	if !r.never && first.why != "" {
		return first
	}
	return r
}

// inside reports whether a loop is the tested one or within it.
func (t *Test) inside(loop *ir.Operation) bool { return t.loop.IsAncestorOf(loop) }

// direct makes the equation in terms of induction variables.
func (t *Test) direct(a, b linear.Form) (equation, bool) {
	n := t.iv.Course
	by, reach := n.By, uint64(t.iv.Hi)-uint64(t.iv.Lo)
	switch {
	case by != 0 && !n.Wraps:
		reach = t.iv.Reach()
	case by != 0 && n.Wraps:
		// Modulo the width only the power of two in the step survives.
		by = by & -by
		reach /= uint64(max(by, 1))
		by = max(by, 1)
	default:
		by = 1
	}
	return t.build(a, b, t.iv, by, reach)
}

// centred justifies the equation over the integers for subscripts that may wrap,
// by their staying within the memory (MLIR: an index is at least zero and below
// the size, which is a signed number of the index width). Consecutive iterations
// move a Subscript by less than half the range; one that is used in each of them
// cannot step across the other half, where it would be out of bounds, so it does
// not wrap from the first iteration to the last. Its value is then its form less
// a constant, and the difference of two such subscripts has only that constant
// to be determined: in the first iteration it is less than half the range.
//
// Where both subscripts move alike it is enough that one of them is used in each
// iteration.
func (t *Test) centred(a, b Subscript, fa, fb linear.Form) (int64, bool) {
	w := t.x.IndexWidth
	diff, ok := fa.Plus(fb, -1)
	if !ok {
		return 0, false
	}
	alike := len(diff.Terms) == 0
	for _, m := range diff.Terms {
		if m.Sym.InvariantIn(t.loop) {
			return 0, false
		}
	}
	walksA, walksB := t.walks(a, fa), t.walks(b, fb)
	if !(walksA && walksB || alike && (walksA || walksB)) {
		return 0, false
	}
	c := diff.C << (64 - w) >> (64 - w)
	return c, c != interval.MinSigned(w)
}

// walks reports whether a Subscript moves by constants of less than half the
// range from iteration to iteration, and is used in each of them.
func (t *Test) walks(s Subscript, f linear.Form) bool { return t.walksBut(s, f, false) }

// walksBut is walks for a form in which the caller has checked all that is not a
// multiple of an iteration number, if rows is set.
func (t *Test) walksBut(s Subscript, f linear.Form, rows bool) bool {
	if !s.Each {
		return false
	}
	w := t.x.IndexWidth
	loops := append([]*ir.Operation{t.loop}, s.Nest...)
	moving := map[*linear.Symbol]bool{}
	for i, loop := range loops {
		iv := t.x.Of(loop.Regions[0].Entry().Args[0]).Terms[0].Sym
		if iv.Course.By == 0 || iv.Course.Wraps {
			return false
		}
		moving[t.x.Number(iv)] = true
		if i == 0 {
			continue
		}
		// The inner loop starts and ends alike in all iterations.
		for _, bound := range loop.Operands()[:3] {
			for _, m := range t.x.Of(bound).Terms {
				if !m.Sym.InvariantIn(t.loop) {
					return false
				}
			}
		}
	}
	for _, m := range f.Terms {
		if moving[m.Sym] {
			if magnitude(m.Coef) > uint64(interval.MaxSigned(w)) {
				return false
			}
		} else if !rows && !m.Sym.InvariantIn(t.loop) {
			return false
		}
	}
	return true
}
