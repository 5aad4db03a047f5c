package dependence

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"loom/compiler/analysis/linear"
	"loom/compiler/analysis/loops"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// The question of a dependence test is whether subscript a in one iteration of a
// loop can equal subscript b in another. With the difference of both iteration
// numbers called t, equal subscripts solve
//
//	q*t + sum(coef*var) + c = 0        t != 0, |t| <= reach
//
// over the integers where neither side can wrap, else modulo two to the power of
// the index width. Variables are what differs freely between the two: the inner
// loops' induction variables, loaded data, the iteration itself where the two
// subscripts move differently.
type equation struct {
	q     int64
	reach uint64
	c     int64
	vars  []variable
}

type variable struct {
	coef int64
	sym  *linear.Symbol
	// second is set for a variable of subscript b.
	second bool
}

// build makes the equation of two forms in which y moves by a constant.
func (t *Test) build(a, b linear.Form, y *linear.Symbol, by int64, reach uint64) (equation, bool) {
	e := equation{reach: reach}
	qa, qb := a.Coefficient(y), b.Coefficient(y)
	q, ok1 := intmath.Mul(qa, by)
	d, ok2 := intmath.Add(qa, -qb)
	diff, ok3 := a.Plus(b, -1)
	if !ok1 || !ok2 || !ok3 || qb == math.MinInt64 {
		return e, false
	}
	e.q, e.c = q, diff.C
	if d != 0 {
		e.vars = append(e.vars, variable{d, y, true})
	}
	for _, m := range diff.Terms {
		if m.Sym != y && m.Sym.InvariantIn(t.loop) {
			e.vars = append(e.vars, variable{m.Coef, m.Sym, false})
		}
	}
	for i, f := range []linear.Form{a, b} {
		for _, m := range f.Terms {
			if m.Sym == y || m.Sym.InvariantIn(t.loop) {
				continue
			}
			coef := m.Coef
			if i == 1 {
				if coef == math.MinInt64 {
					return e, false
				}
				coef = -coef
			}
			e.vars = append(e.vars, variable{coef, m.Sym, i == 1})
		}
	}
	return e, true
}

// bounds of the left side without q*t.
func (e *equation) Bounds() (lo, hi int64, ok bool) {
	f := linear.Form{C: e.c}
	for _, v := range e.vars {
		f.Terms = append(f.Terms, linear.Term[*linear.Symbol]{Sym: v.sym, Coef: v.coef})
	}
	return linear.Bounds(f)
}

// small reports whether the left side is too small to be a multiple of 2^w other
// than zero.
func (e *equation) small(w int) bool {
	lo, hi, ok := e.Bounds()
	over, moved := bits.Mul64(magnitude(e.q), e.reach)
	if !ok || over != 0 {
		return false
	}
	sum, carry := bits.Add64(moved, max(magnitude(lo), magnitude(hi)), 0)
	return carry == 0 && (w == 64 || sum < 1<<w)
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// integers solves the equation over the integers: by the bounds of both sides
// and by what they are multiples of (Banerjee and GCD test in one).
func (e *equation) integers() finding {
	lo, hi, bounded := e.Bounds()
	g := uint64(0)
	for _, v := range e.vars {
		g = intmath.GCD(g, magnitude(v.coef))
	}
	q := magnitude(e.q)
	switch {
	case e.reach == 0:
		return finding{never: true, why: "it runs at most once"}
	case g != 0 && magnitude(e.c)%intmath.GCD(g, q) != 0:
		return finding{never: true, why: "the subscripts are never multiples of each other's stride"}
	case q == 0 && g == 0:
		if e.c != 0 {
			return finding{never: true, why: "the subscripts are different constants"}
		}
		return finding{same: true, why: "every iteration touches the same element"}
	case q == 0:
		if bounded && (lo > 0 || hi < 0) {
			return finding{never: true, why: "the ranges of the subscripts are apart"}
		}
		return finding{why: e.blame()}
	case g == 0:
		if e.c%e.q != 0 {
			return finding{never: true, why: "the distance is no whole number of iterations"}
		}
		if e.c == 0 {
			return finding{never: true, why: "each iteration has an element of its own"}
		}
		if e.c == math.MinInt64 && e.q == -1 {
			return finding{why: e.blame()}
		}
		t := -(e.c / e.q)
		if magnitude(t) > e.reach {
			return finding{never: true, why: fmt.Sprintf("the distance of %d iterations is more than it runs", magnitude(t))}
		}
		return finding{distance: distance{of: t}, why: fmt.Sprintf("distance %d", magnitude(t))}
	case !bounded:
		return finding{why: e.blame()}
	}
	// Some m = q*t with -m in [lo, hi], m a multiple of q and m + c one of g.
	if meets(q, e.reach, g, e.c, lo, hi) {
		return finding{why: e.blame()}
	}
	return finding{never: true, why: "the elements of an iteration lie between those of the others"}
}

// meets reports whether an integer m != 0 exists with m = q*t, |t| <= reach,
// -hi <= m <= -lo and m + c a multiple of g. It may err towards yes.
func meets(q, reach, g uint64, c, lo, hi int64) bool {
	num := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	most := new(big.Int).Mul(num(q), num(reach))
	from := new(big.Int).Neg(big.NewInt(hi))
	to := new(big.Int).Neg(big.NewInt(lo))
	if least := new(big.Int).Neg(most); from.Cmp(least) < 0 {
		from = least
	}
	if to.Cmp(most) > 0 {
		to = most
	}
	// q*y = -c modulo g.
	h := intmath.GCD(q, g)
	step := new(big.Int).Mul(num(q), num(g/h))
	y := new(big.Int)
	if g/h > 1 {
		modulus := num(g / h)
		y.Quo(new(big.Int).Neg(big.NewInt(c)), num(h)).Mod(y, modulus)
		y.Mul(y, new(big.Int).ModInverse(new(big.Int).Mod(num(q/h), modulus), modulus)).Mod(y, modulus)
	}
	m := y.Mul(y, num(q)) // the smallest one that is not negative
	// The first at or above from.
	k := new(big.Int).Sub(from, m)
	k.Add(k, new(big.Int).Sub(step, big.NewInt(1))).Div(k, step)
	m.Add(m, k.Mul(k, step))
	if m.Sign() == 0 {
		m.Add(m, step)
	}
	return m.Cmp(to) <= 0
}

// modulo solves the equation modulo 2^w: by the powers of two in the
// coefficients, and exactly where there are no variables.
func (e *equation) modulo(w int) finding {
	mask := ^uint64(0) >> (64 - w)
	c, q := uint64(e.c)&mask, uint64(e.q)&mask
	twos := func(v uint64) int { return min(bits.TrailingZeros64(v&mask), w) }
	common := twos(q)
	for _, v := range e.vars {
		common = min(common, twos(uint64(v.coef)))
	}
	switch {
	case e.reach == 0:
		return finding{never: true, why: "it runs at most once"}
	case twos(c) < common:
		return finding{never: true, why: "the subscripts differ in their lowest bits"}
	case len(e.vars) > 0:
		return finding{why: e.blame()}
	case q == 0:
		return finding{same: true, why: "every iteration touches the same element"}
	}
	// q*t = -c modulo 2^w has one solution modulo 2^(w-v).
	v := twos(q)
	period := ^uint64(0) >> (64 - w + v) // the largest integer below it
	t := (-c & mask) >> v * inverse(q>>v) & period
	switch back := -t & period; {
	case t == 0:
		if e.reach <= period {
			return finding{never: true, why: "each iteration has an element of its own"}
		}
		return finding{why: fmt.Sprintf("the subscripts may wrap around at %d bits", w)}
	case t <= e.reach && back <= e.reach:
		return finding{why: fmt.Sprintf("distance %d", min(t, back))}
	case t <= e.reach && t <= math.MaxInt64:
		return finding{distance: distance{of: int64(t)}, why: fmt.Sprintf("distance %d", t)}
	case back <= e.reach && back <= math.MaxInt64:
		return finding{distance: distance{of: -int64(back)}, why: fmt.Sprintf("distance %d", back)}
	case t <= e.reach || back <= e.reach:
		return finding{why: fmt.Sprintf("the subscripts may wrap around at %d bits", w)}
	}
	return finding{never: true, why: "the distance is more than it runs"}
}

// inverse of an odd integer modulo 2^64, by Newton's iteration.
func inverse(v uint64) uint64 {
	x := v
	for range 6 {
		x *= 2 - v*x
	}
	return x
}

// blame returns which part of the equation keeps it from being decided.
func (e *equation) blame() string {
	var first *linear.Symbol
	for _, v := range e.vars {
		if loops.Of(v.sym.Value) == nil && (first == nil || v.sym.ID < first.ID) {
			first = v.sym
		}
	}
	if first != nil {
		return "the subscript depends on " + describeSymbol(first)
	}
	return "the ranges of the subscripts overlap"
}

// describeSymbol returns what a symbol stands for, or what it is computed from.
func describeSymbol(y *linear.Symbol) string {
	for _, v := range y.Leaves {
		if v.Def != nil && v.Def.Name == opname.MemRefLoad {
			return "loaded data"
		}
	}
	v := y.Value
	switch {
	case v.Def != nil:
		return "the result of '" + v.Def.Name + "', which is not affine"
	case v.Block != nil && v.Block.ParentOp() != nil && v.Block.ParentOp().Dialect() == "scf":
		return "a value that '" + v.Block.ParentOp().Name + "' carries"
	case v.Name != "":
		return "%" + v.Name + ", of which nothing is known"
	}
	return "a parameter of which nothing is known"
}
