package lower

import (
	"math"
	"math/bits"
	"strconv"
	"strings"

	"loom/compiler/analysis/loops"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
	"loom/internal/intmath"
)

// A form is an integer as a sum of a constant and multiples of symbols. A symbol
// stands for its signed value, so the sum is an ordinary integer; the value it
// describes equals the sum modulo two to the power of the value's width, and
// exactly where the sum cannot leave the signed range of that width.
type form struct {
	c     int64
	terms []term // by symbol number; no coefficient is zero
}

type term struct {
	sym  *symbol
	coef int64
}

// maxTerms bounds the length of a sum. What is longer becomes a symbol of its
// own, which keeps the analysis linear in the size of the function.
const maxTerms = 12

// symbol is something that a form does not look into: an induction variable, a
// parameter, a loaded value, a product of two unknowns.
type symbol struct {
	id int
	// value is the (or one) value the symbol stands for.
	value *ir.Value
	// lo and hi bound the signed value, unless it is unbounded: an iteration number
	// that may exceed 63 bits.
	lo, hi    int64
	unbounded bool
	// leaves are the values it is computed from: it is the same in two iterations
	// of a loop that defines none of them.
	leaves []*ir.Value
	// count says how the symbol moves, if it is an induction variable.
	count *counting
}

// counting is the course of an induction variable.
type counting struct {
	loop *ir.Operation
	// by is what an iteration adds, 0 if that is not known.
	by int64
	// wraps is set unless the induction variable is proven to stay between its
	// bounds: only then iteration k has the value base + k*by.
	wraps bool
	base  form
	// number is the symbol of k, made when first needed.
	number *symbol
}

// invariantIn reports whether the symbol has one value during an activation of a
// loop.
func (y *symbol) invariantIn(loop *ir.Operation) bool {
	for _, v := range y.leaves {
		if !rewrite.Outside(v, loop) {
			return false
		}
	}
	return true
}

// subscripts computes the forms of values, each once. Index arithmetic wraps at
// the fabric's index width (design page "SCF to DFG", "Legalization"), all other
// arithmetic at the width of its type.
type subscripts struct {
	indexWidth int
	forms      map[*ir.Value]form
	symbols    map[string]*symbol
	ids        map[*ir.Value]int
}

func newSubscripts(indexWidth int) *subscripts {
	return &subscripts{
		indexWidth: indexWidth,
		forms:      map[*ir.Value]form{}, symbols: map[string]*symbol{}, ids: map[*ir.Value]int{},
	}
}

// width is the number of bits of an integer or index type, 0 for other types.
func (x *subscripts) width(t ir.Type) int {
	if !ir.IsInt(t) {
		return 0
	}
	w, _ := ir.BitWidth(t, x.indexWidth)
	return w
}

// of returns the form of an integer value.
func (x *subscripts) of(v *ir.Value) form {
	if f, ok := x.forms[v]; ok {
		return f
	}
	f, ok := x.expand(v)
	if !ok || len(f.terms) > maxTerms {
		f = x.opaque(v)
	}
	x.forms[v] = f
	return f
}

// expand looks into the operation that defines v.
func (x *subscripts) expand(v *ir.Value) (form, bool) {
	if c, ok := v.ConstantInt(); ok {
		return form{c: c}, true
	}
	op := v.Def
	if op == nil || x.width(v.Type) == 0 {
		return form{}, false
	}
	in := func(i int) form { return x.of(op.Operand(i)) }
	switch op.Name {
	case opname.ArithAddI:
		return in(0).plus(in(1), 1)
	case opname.ArithSubI:
		return in(0).plus(in(1), -1)
	case opname.ArithXOrI:
		// All bits turned around: -1 - x.
		if b := in(1); len(b.terms) == 0 && b.c == -1 {
			return b.plus(in(0), -1)
		}
		return form{}, false
	case opname.ArithOrI:
		// Where the bits of a constant are zero in a number, or is a sum.
		a, b := in(0), in(1)
		if len(b.terms) == 0 && b.c >= 0 && a.multiple(bits.Len64(uint64(b.c))) {
			return a.plus(b, 1)
		}
		return form{}, false
	case opname.ArithMulI:
		a, b := in(0), in(1)
		if len(b.terms) > 0 {
			a, b = b, a
		}
		if len(b.terms) > 0 {
			return form{}, false
		}
		return a.times(b.c)
	case opname.ArithShLI:
		n := in(1)
		if len(n.terms) > 0 || n.c < 0 || n.c >= int64(x.width(v.Type)) || n.c > 62 {
			return form{}, false
		}
		return in(0).times(1 << n.c)
	case opname.ArithIndexCast, opname.ArithExtSI, opname.ArithTruncI, opname.ArithIndexCastUI, opname.ArithExtUI:
		f := in(0)
		from, to := x.width(op.Operand(0).Type), x.width(v.Type)
		if to <= from {
			return f, true // fewer bits of the same sum
		}
		// A wider value equals the sum only where the narrow one did.
		lo, _, ok := f.within(from)
		unsigned := op.Name == opname.ArithIndexCastUI || op.Name == opname.ArithExtUI
		return f, ok && (!unsigned || lo >= 0)
	}
	return form{}, false
}

// plus is f + k*g; not ok when a number leaves 64 bits.
func (f form) plus(g form, k int64) (form, bool) {
	g, ok := g.times(k)
	if !ok {
		return form{}, false
	}
	var out form
	if out.c, ok = intmath.Add(f.c, g.c); !ok {
		return form{}, false
	}
	a, b := f.terms, g.terms
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].sym.id < b[0].sym.id:
			out.terms = append(out.terms, a[0])
			a = a[1:]
		case len(a) == 0 || b[0].sym.id < a[0].sym.id:
			out.terms = append(out.terms, b[0])
			b = b[1:]
		default:
			sum, ok := intmath.Add(a[0].coef, b[0].coef)
			if !ok {
				return form{}, false
			}
			if sum != 0 {
				out.terms = append(out.terms, term{a[0].sym, sum})
			}
			a, b = a[1:], b[1:]
		}
	}
	return out, true
}

func (f form) times(k int64) (form, bool) {
	if k == 0 {
		return form{}, true
	}
	c, ok := intmath.Mul(f.c, k)
	out := form{c: c}
	for _, t := range f.terms {
		coef, fits := intmath.Mul(t.coef, k)
		ok = ok && fits
		out.terms = append(out.terms, term{t.sym, coef})
	}
	return out, ok
}

// multiple reports whether a form is a multiple of two to the power of n, whatever its
// symbols are. Cutting the sum to a width of n bits or more keeps that.
func (f form) multiple(n int) bool {
	low := int64(1)<<min(n, 62) - 1
	if n > 62 || f.c&low != 0 {
		return false
	}
	for _, t := range f.terms {
		if t.coef&low != 0 {
			return false
		}
	}
	return true
}

// coefficient of a symbol, 0 if it does not occur.
func (f form) coefficient(y *symbol) int64 {
	for _, t := range f.terms {
		if t.sym == y {
			return t.coef
		}
	}
	return 0
}

// bounds of the sum; not ok when they leave 64 bits.
func (f form) bounds() (lo, hi int64, ok bool) {
	lo, hi, ok = f.c, f.c, true
	for _, t := range f.terms {
		a, fitsA := intmath.Mul(t.coef, t.sym.lo)
		b, fitsB := intmath.Mul(t.coef, t.sym.hi)
		l, fitsL := intmath.Add(lo, min(a, b))
		h, fitsH := intmath.Add(hi, max(a, b))
		lo, hi, ok = l, h, ok && fitsA && fitsB && fitsL && fitsH && !t.sym.unbounded
	}
	return lo, hi, ok
}

// within returns the bounds of the sum if it stays in the signed range of a
// width: then a value of that width equals it, without any modulus.
func (f form) within(width int) (lo, hi int64, ok bool) {
	lo, hi, ok = f.bounds()
	return lo, hi, ok && lo >= lowestOf(width) && hi <= highestOf(width)
}

func lowestOf(width int) int64  { return math.MinInt64 >> (64 - width) }
func highestOf(width int) int64 { return math.MaxInt64 >> (64 - width) }

// rangeOf bounds the signed value of v.
func (x *subscripts) rangeOf(v *ir.Value) (lo, hi int64) {
	w := x.width(v.Type)
	if lo, hi, ok := x.of(v).within(w); ok {
		return lo, hi
	}
	return lowestOf(w), highestOf(w)
}

// key names a form; forms with one key are equal.
func (f form) key() string {
	var b strings.Builder
	b.WriteString(strconv.FormatInt(f.c, 10))
	for _, t := range f.terms {
		b.WriteByte('+')
		b.WriteString(strconv.FormatInt(t.coef, 10))
		b.WriteByte('*')
		b.WriteString(itoa(t.sym.id))
	}
	return b.String()
}

// opaque makes v a symbol. A pure operation on equal operands is the same symbol
// wherever it stands.
func (x *subscripts) opaque(v *ir.Value) form {
	key, leaves := x.identity(v)
	y := x.symbols[key]
	if y == nil {
		y = &symbol{id: len(x.symbols), value: v, leaves: leaves}
		x.symbols[key] = y
		if loop := loops.Of(v); loop != nil {
			x.follow(y, loop)
		} else {
			y.lo, y.hi = x.guess(v)
		}
	}
	return form{terms: []term{{y, 1}}}
}

// identity returns what makes a symbol: the operation and its operands, or the
// value itself.
func (x *subscripts) identity(v *ir.Value) (key string, leaves []*ir.Value) {
	op := v.Def
	if op == nil || !isPure(op) || len(op.Regions) > 0 || op.NumResults() != 1 {
		return x.leaf(v)
	}
	var b strings.Builder
	b.WriteString(op.Name)
	if len(op.Attrs) > 0 {
		b.WriteString(op.Attrs.String())
	}
	b.WriteString(v.Type.String())
	for _, o := range op.Operands() {
		b.WriteByte(' ')
		if x.width(o.Type) == 0 {
			k, l := x.leaf(o)
			b.WriteString(k)
			leaves = append(leaves, l...)
			continue
		}
		f := x.of(o)
		// A form describes a value only up to its width.
		b.WriteString(o.Type.String() + "(" + f.key() + ")")
		for _, t := range f.terms {
			leaves = append(leaves, t.sym.leaves...)
		}
	}
	if len(leaves) > maxTerms {
		return x.leaf(v)
	}
	return b.String(), leaves
}

func (x *subscripts) leaf(v *ir.Value) (string, []*ir.Value) {
	id, ok := x.ids[v]
	if !ok {
		id = len(x.ids)
		x.ids[v] = id
	}
	return "%" + itoa(id), []*ir.Value{v}
}

// guess bounds a value by the operation that makes it.
func (x *subscripts) guess(v *ir.Value) (lo, hi int64) {
	w := x.width(v.Type)
	if w == 0 {
		return math.MinInt64, math.MaxInt64
	}
	lo, hi = lowestOf(w), highestOf(w)
	op := v.Def
	if op == nil {
		return lo, hi
	}
	constant := func(i int) (int64, bool) { return op.Operand(i).ConstantInt() }
	switch op.Name {
	case opname.ArithAndI:
		for i := range 2 {
			if l, h := x.rangeOf(op.Operand(i)); l >= 0 {
				lo, hi = 0, min(hi, h)
			}
		}
	case opname.ArithRemUI:
		if c, ok := constant(1); ok && c > 0 {
			lo, hi = 0, c-1
		}
	case opname.ArithRemSI:
		if c, ok := constant(1); ok && c > 0 {
			l, h := x.rangeOf(op.Operand(0))
			lo, hi = max(min(l, 0), 1-c), min(max(h, 0), c-1)
		}
	case opname.ArithDivUI, opname.ArithDivSI:
		if c, ok := constant(1); ok && c > 0 {
			if l, h := x.rangeOf(op.Operand(0)); l >= 0 {
				lo, hi = l/c, h/c
			} else if op.Name == opname.ArithDivSI {
				lo, hi = l/c, h/c
			}
		}
	case opname.ArithShRUI, opname.ArithShRSI:
		if c, ok := constant(1); ok && c >= 0 && c < int64(w) {
			if l, h := x.rangeOf(op.Operand(0)); l >= 0 || op.Name == opname.ArithShRSI {
				lo, hi = l>>c, h>>c
			} else if c > 0 {
				lo, hi = 0, highestOf(w)>>(c-1)
			}
		}
	case opname.ArithExtUI, opname.ArithIndexCastUI:
		if from := x.width(op.Operand(0).Type); from < w {
			lo, hi = 0, int64(^uint64(0)>>(64-from))
		}
	case opname.ArithExtSI, opname.ArithIndexCast:
		if from := x.width(op.Operand(0).Type); from < w {
			lo, hi = lowestOf(from), highestOf(from)
		}
	case opname.ArithMinSI, opname.ArithMaxSI, opname.ArithSelect:
		n := op.NumOperands()
		l1, h1 := x.rangeOf(op.Operand(n - 2))
		l2, h2 := x.rangeOf(op.Operand(n - 1))
		switch op.Name {
		case opname.ArithMinSI:
			lo, hi = min(l1, l2), min(h1, h2)
		case opname.ArithMaxSI:
			lo, hi = max(l1, l2), max(h1, h2)
		default:
			lo, hi = min(l1, l2), max(h1, h2)
		}
	}
	return lo, hi
}

// follow gives the symbol of an induction variable its course. Whatever the step
// and the test are, two iterations of one activation never have the same value:
// the next value and the test depend on nothing else, so a loop that came back
// to a value would not end.
func (x *subscripts) follow(y *symbol, loop *ir.Operation) {
	w := x.width(y.value.Type)
	n := &counting{loop: loop, wraps: true, base: x.of(loop.Operand(0))}
	if _, _, ok := n.base.within(w); !ok {
		n.base = x.opaque(loop.Operand(0)) // the sum may differ from the value
	}
	y.count = n
	y.lo, y.hi = lowestOf(w), highestOf(w)
	stepOp, cond := loops.Kind(loop)
	sLo, sHi := x.rangeOf(loop.Operand(2))
	switch {
	case stepOp == "-=" && sLo > lowestOf(w):
		sLo, sHi = -sHi, -sLo
	case stepOp != "+=":
		return
	}
	if loops.Plain(loop) {
		sLo, sHi = max(sLo, 1), max(sHi, 1) // anything else is a fault
	}
	if sLo == sHi {
		n.by = sLo
	}
	// The last value that passes the test, and the one after it.
	firstLo, firstHi := x.rangeOf(loop.Operand(0))
	endLo, endHi := x.rangeOf(loop.Operand(1))
	switch {
	case sLo > 0 && (cond == "<" || cond == "<="):
		if cond == "<" && endHi > lowestOf(w) {
			endHi--
		}
		if after, ok := intmath.Add(endHi, sHi); ok && after <= highestOf(w) && firstLo <= endHi {
			y.lo, y.hi, n.wraps = firstLo, endHi, false
		}
	case sHi < 0 && (cond == ">" || cond == ">="):
		if cond == ">" && endLo < highestOf(w) {
			endLo++
		}
		if after, ok := intmath.Add(endLo, sLo); ok && after >= lowestOf(w) && firstHi >= endLo {
			y.lo, y.hi, n.wraps = endLo, firstHi, false
		}
	}
}

// counted rewrites a form in terms of iteration numbers: an induction variable
// that moves by constant steps becomes base + by*number. Only the loops that
// inside accepts are rewritten.
func (x *subscripts) counted(f form, inside func(*ir.Operation) bool) (form, bool) {
	// Each round removes an induction variable in favour of those further out.
	for range 2 * maxTerms {
		at := -1
		for i, t := range f.terms {
			if n := t.sym.count; n != nil && n.by != 0 && !n.wraps && inside(n.loop) {
				at = i
			}
		}
		if at < 0 {
			return f, true
		}
		t := f.terms[at]
		number := x.number(t.sym)
		f = form{c: f.c, terms: append(append([]term(nil), f.terms[:at]...), f.terms[at+1:]...)}
		by, ok := intmath.Mul(t.coef, t.sym.count.by)
		if !ok {
			return f, false
		}
		if f, ok = f.plus(form{terms: []term{{number, by}}}, 1); !ok {
			return f, false
		}
		if f, ok = f.plus(t.sym.count.base, t.coef); !ok || len(f.terms) > 2*maxTerms {
			return f, false
		}
	}
	return f, false
}

// number is the symbol of a loop's iteration number, which starts at 0.
func (x *subscripts) number(y *symbol) *symbol {
	n := y.count
	if n.number == nil {
		k := &symbol{id: len(x.symbols), value: y.value, leaves: y.leaves, unbounded: true}
		if last := y.reach(); last <= math.MaxInt64 {
			k.hi, k.unbounded = int64(last), false
		}
		x.symbols["#"+itoa(y.id)] = k
		n.number = k
	}
	return n.number
}

// reach is the largest difference of two iteration numbers of the loop whose
// induction variable y is, where it moves by known steps and does not wrap.
func (y *symbol) reach() uint64 {
	by := y.count.by
	if by < 0 {
		by = -by
	}
	return (uint64(y.hi) - uint64(y.lo)) / uint64(max(by, 1))
}
