package linear

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/analysis/interval"
	"loom/compiler/analysis/loops"
	"loom/compiler/analysis/ranges"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// Forms computes the forms of values, each once. Index arithmetic wraps at
// the fabric's index width (design page "SCF to DFG", "Legalization"), all other
// arithmetic at the width of its type.
type Forms struct {
	IndexWidth int
	// Broken is a rule that a test breaks, to check that the break is detected.
	Broken  Fault
	ranges  *ranges.Ranges
	forms   map[*ir.Value]Form
	symbols map[string]*Symbol
	ids     map[*ir.Value]int
}

// Fault names a rule of the analysis.
type Fault string

// The rules that tests break.
const (
	Wraps  Fault = "the extension of a sum that wraps is the sum"
	Signs  Fault = "an extension without sign is one with sign"
	Places Fault = "the bounds of a value hold wherever the same is computed"
	Parts  Fault = "the product of a sum has no constant part"
)

// New makes an analysis of a function whose index has that many bits; known has its intervals.
func New(known *ranges.Ranges, indexWidth int) *Forms {
	return &Forms{
		IndexWidth: indexWidth, ranges: known,
		forms: map[*ir.Value]Form{}, symbols: map[string]*Symbol{}, ids: map[*ir.Value]int{},
	}
}

// Width is the number of bits of an integer or index type, 0 for other types.
func (x *Forms) Width(t ir.Type) int {
	if !ir.IsInt(t) {
		return 0
	}
	w, _ := ir.BitWidth(t, x.IndexWidth)
	return w
}

// Of returns the form of an integer value.
func (x *Forms) Of(v *ir.Value) Form {
	if f, ok := x.forms[v]; ok {
		return f
	}
	f, ok := x.expand(v)
	if !ok || len(f.Terms) > MaxTerms {
		f = x.opaque(v)
	}
	x.forms[v] = f
	return f
}

// expand looks into the operation that defines v.
func (x *Forms) expand(v *ir.Value) (Form, bool) {
	if c, ok := v.ConstantInt(); ok {
		return Form{C: c}, true
	}
	op := v.Def
	if op == nil || x.Width(v.Type) == 0 {
		return Form{}, false
	}
	in := func(i int) Form { return x.Of(op.Operand(i)) }
	switch op.Name {
	case opname.ArithAddI:
		return in(0).Plus(in(1), 1)
	case opname.ArithSubI:
		return in(0).Plus(in(1), -1)
	case opname.ArithXOrI:
		// All bits inverted: -1 - x.
		if b := in(1); len(b.Terms) == 0 && b.C == -1 {
			return b.Plus(in(0), -1)
		}
		return Form{}, false
	case opname.ArithOrI:
		// Where the bits of a constant are zero in the other operand, or is a sum.
		a, b := in(0), in(1)
		if len(b.Terms) == 0 && b.C >= 0 && multiple(a, bits.Len64(uint64(b.C))) {
			return a.Plus(b, 1)
		}
		return Form{}, false
	case opname.ArithMulI:
		a, b := in(0), in(1)
		if len(b.Terms) > 0 {
			a, b = b, a
		}
		if len(b.Terms) > 0 {
			return x.distribute(v, a, b)
		}
		return a.Times(b.C)
	case opname.ArithShLI:
		n := in(1)
		if len(n.Terms) > 0 || n.C < 0 || n.C >= int64(x.Width(v.Type)) || n.C > 62 {
			return Form{}, false
		}
		return in(0).Times(1 << n.C)
	case opname.ArithIndexCast, opname.ArithExtSI, opname.ArithTruncI, opname.ArithIndexCastUI, opname.ArithExtUI:
		f := in(0)
		from, to := x.Width(op.Operand(0).Type), x.Width(v.Type)
		if to <= from {
			return f, true // fewer bits of the same sum
		}
		// A wider value equals the sum only where the narrow one did.
		lo, _, ok := Within(f, from)
		unsigned := op.Name == opname.ArithIndexCastUI || op.Name == opname.ArithExtUI
		return f, (ok || x.Broken == Wraps) && (!unsigned || lo >= 0 || x.Broken == Signs)
	}
	return Form{}, false
}

// distribute is the product of two sums, one of which is a symbol: that of row i - 1 of n columns is i*n - n. What is no sum stays
// opaque.
func (x *Forms) distribute(v *ir.Value, a, b Form) (Form, bool) {
	single := func(f Form) bool { return f.C == 0 && len(f.Terms) == 1 && f.Terms[0].Coef == 1 }
	if !single(b) {
		a, b = b, a
	}
	if !single(b) {
		return Form{}, false
	}
	y := b.Terms[0].Sym
	sum, ok := b.Times(a.C)
	if x.Broken == Parts {
		sum = Form{}
	}
	for _, t := range a.Terms {
		p := x.product(v, t.Sym, y, single(a))
		if p == nil || !ok {
			return Form{}, false
		}
		sum, ok = sum.Plus(Of(p), t.Coef)
	}
	return sum, ok
}

// product is the symbol of the product of two symbols in the type of v, which it is if is is set; nil where it is computed from too
// many values.
func (x *Forms) product(v *ir.Value, a, b *Symbol, is bool) *Symbol {
	key := fmt.Sprintf("%s * %d %d", v.Type, min(a.ID, b.ID), max(a.ID, b.ID))
	lo, hi := x.multiplied(v, a, b)
	if i := x.ranges.Of(v); is && max(lo, i.Lo) <= min(hi, i.Hi) { // else it is never computed
		lo, hi = max(lo, i.Lo), min(hi, i.Hi)
	}
	y := x.symbols[key]
	if y == nil {
		leaves := slices.Clone(a.Leaves)
		for _, l := range b.Leaves {
			if !slices.Contains(leaves, l) {
				leaves = append(leaves, l)
			}
		}
		if len(leaves) > MaxTerms {
			return nil
		}
		y = &Symbol{ID: len(x.symbols), Value: v, Leaves: leaves, Factors: []*Symbol{a, b}, Lo: lo, Hi: hi}
		x.symbols[key] = y
	} else if x.Broken != Places {
		y.Lo, y.Hi = min(y.Lo, lo), max(y.Hi, hi)
	}
	if is {
		y.Value = v
	}
	return y
}

// multiplied bounds the product of two symbols in the type of v, wherever it is.
func (x *Forms) multiplied(v *ir.Value, a, b *Symbol) (lo, hi int64) {
	w := x.Width(v.Type)
	least, most := interval.MinSigned(w), interval.MaxSigned(w)
	var all []int64
	for _, m := range []int64{a.Lo, a.Hi} {
		for _, n := range []int64{b.Lo, b.Hi} {
			p, ok := intmath.Mul(m, n)
			if !ok || a.Unbounded || b.Unbounded || p < least || p > most {
				return least, most
			}
			all = append(all, p)
		}
	}
	return slices.Min(all), slices.Max(all)
}

// Range bounds the signed value of v at an operation: by its interval, and by its sum, in
// which what is added and taken away again does not count.
func (x *Forms) Range(v *ir.Value, at *ir.Operation) (lo, hi int64) {
	y := Symbol{}
	i := x.ranges.At(v, at)
	y.Lo, y.Hi = i.Lo, i.Hi
	if lo, hi, ok := Within(x.Of(v), x.Width(v.Type)); ok {
		y.within(lo, hi)
	}
	return y.Lo, y.Hi
}

// opaque makes v a symbol. A pure operation on equal operands is the same symbol
// wherever it stands.
func (x *Forms) opaque(v *ir.Value) Form {
	key, leaves := x.identity(v)
	y := x.symbols[key]
	if y == nil {
		y = &Symbol{ID: len(x.symbols), Value: v, Leaves: leaves}
		x.symbols[key] = y
		i := x.ranges.Of(v)
		y.Lo, y.Hi = i.Lo, i.Hi
		if loop := loops.Of(v); loop != nil {
			x.follow(y, loop)
		}
	} else if y.Course == nil && x.Broken != Places {
		// Where the other value is computed other conditions may hold.
		i := x.ranges.Of(v)
		y.Lo, y.Hi = min(y.Lo, i.Lo), max(y.Hi, i.Hi)
	}
	return Of(y)
}

// identity returns what makes a symbol: the operation and its operands, or the
// value itself.
func (x *Forms) identity(v *ir.Value) (key string, leaves []*ir.Value) {
	op := v.Def
	if op == nil || !computes(op) || len(op.Regions) > 0 || op.NumResults() != 1 {
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
		if x.Width(o.Type) == 0 {
			k, l := x.leaf(o)
			b.WriteString(k)
			leaves = append(leaves, l...)
			continue
		}
		f := x.Of(o)
		// A form describes a value only up to its width.
		b.WriteString(o.Type.String() + "(" + keyOf(f) + ")")
		for _, t := range f.Terms {
			leaves = append(leaves, t.Sym.Leaves...)
		}
	}
	if len(leaves) > MaxTerms {
		return x.leaf(v)
	}
	return b.String(), leaves
}

// computes reports whether the result of an operation depends on its operands alone.
func computes(op *ir.Operation) bool {
	switch op.Dialect() {
	case "arith", "math", "llvm":
		return op.Is(ir.Pure)
	}
	return false
}

func (x *Forms) leaf(v *ir.Value) (string, []*ir.Value) {
	id, ok := x.ids[v]
	if !ok {
		id = len(x.ids)
		x.ids[v] = id
	}
	return "%" + strconv.Itoa(id), []*ir.Value{v}
}
