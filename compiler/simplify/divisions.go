package simplify

import (
	"math/bits"
	"slices"

	"loom/compiler/analysis/interval"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/recurrence"
	"loom/compiler/rewrite"
	"loom/compiler/widths"
)

// divideByConstants replaces divisions by constants, for which a divider takes a cycle per bit, by
// a multiplication with the reciprocal and shifts, which take one per cycle:
//
//	%q = arith.divui %x, %c10 : i32    =>    %y = arith.extui %x : i32 to i60
//	                                         %p = arith.muli %y, %m : i60        m = 2^35 / 10, rounded up
//	                                         %z = arith.shrui %p, %c35 : i60
//	                                         %q = arith.trunci %z : i60 to i32
//
// The quotient is exact for all values that the dividend may have (package widths). A remainder is
// what the product of quotient and divisor leaves. By powers of two, shifts do; where the dividend is less than
// twice the divisor, as in (i + 1) % n, a comparison and a subtraction. A division whose
// product has more than 64 bits stays: of 64-bit numbers most, of 32-bit ones those by more than 2^31.
//
// On fabrics, whose arithmetic has the widths of the program, products have the dividend's width, 32 or 64 bits, whichever is enough
// and has units: on those of 32 bits dividends of 15 bits have reciprocals by all divisors. As many divisions are replaced there
// as there are more of than dividers, and, with Fabric.MoreUnits, those in innermost loops: one division becomes up to five operations.
func divideByConstants(s *state, _ *diag.List) {
	if s.opts.IndexWidth == 0 {
		return
	}
	nest := recurrence.FindLoops(s.fn)
	inner := innermost(nest)
	facts := widths.Of(s.fn, s.opts.IndexWidth)
	lack := s.dividersLack()
	quotients := map[dividend]computed{}
	for _, op := range append([]*ir.Operation(nil), s.body.Ops...) {
		if !isDivision(op) {
			continue
		}
		signed := op.Name == opname.ArithDivSI || op.Name == opname.ArithRemSI
		remainder := op.Name == opname.ArithRemUI || op.Name == opname.ArithRemSI
		d := division{s: s, op: op, x: op.Operand(0)}
		d.width, _ = ir.BitWidth(d.x.Type, s.opts.IndexWidth)
		constant := op.Operand(1)
		if constant.Def != nil && constant.Def.Name == opname.DataflowHold {
			constant = constant.Def.Operand(0)
		}
		c, known := facts[op.Operand(1)].Interval.Constant()
		f, ok := facts[d.x]
		if !known || !ok || constant.Def == nil || constant.Def.Name != opname.HandshakeConstant {
			continue
		}
		if dataflow.IsHeld(d.x) {
			continue // the same in the whole run, so no loop waits for it
		}
		d.control = constant.Def.Operand(0)
		if d.signed = signed && f.Interval.Lo < 0; d.signed {
			d.most = max(uint64(-f.Interval.Lo), uint64(max(f.Interval.Hi, 0))) // of the smallest integer, too
		} else {
			d.most = f.Interval.UHi
		}
		if sum := d.x.Def; sum != nil && sum.Name == opname.ArithAddI {
			y, more := facts[sum.Operand(0)].Interval, facts[sum.Operand(1)].Interval
			if c, known := more.Constant(); known && c > 0 && y.UHi <= interval.Mask(d.width)-uint64(c) {
				d.addend, d.more = sum.Operand(0), uint64(c)
			}
		}
		if f := s.opts.Fabric; f != nil && lack <= 0 && s.executes(op) {
			if home := nest.Home(op.Result(0)); !f.MoreUnits || home < 0 || !inner[home] {
				continue
			}
		}
		by := uint64(c) & interval.Mask(d.width)
		if negative := signed && c < 0; negative {
			by, d.negate = uint64(-c), true
		}
		if by < 2 {
			continue // by one: nothing to win; by zero: as the divider does it
		}
		same := dividend{x: d.x, by: by, signed: d.signed}
		d.known = quotients[same]
		var v *ir.Value
		if s.opts.Fabric == nil {
			v = d.make(by, remainder)
		} else {
			for _, d.product = range []int{d.width, 32, 64} {
				if d.product < d.width {
					continue
				}
				d.made = nil
				if v = d.make(by, remainder); v != nil && !slices.ContainsFunc(d.made, func(op *ir.Operation) bool { return !s.executes(op) }) {
					break
				}
				v, d.known = nil, quotients[same] // what was made for it is dead
			}
		}
		if v != nil {
			if d.x.Type == ir.Type(ir.Index) {
				v = d.insert(ir.NewOp(opname.ArithIndexCast, op.Pos, []*ir.Value{v}, []ir.Type{ir.Index}))
			}
			v.Name = op.Result(0).Name
			facts[v] = facts[op.Result(0)] // a division may follow
			op.Result(0).ReplaceAllUsesWith(v)
			op.SetOperands(nil)
			quotients[same] = d.known
			lack--
		}
	}
	clearDead(s, nil)
}

// dividersLack is how many divisions the graph has more than the fabric has dividers.
func (s *state) dividersLack() int {
	lack := 0
	if s.opts.Fabric == nil || s.opts.Fabric.Units == nil {
		return lack
	}
	divisions := slices.DeleteFunc(slices.Clone(s.body.Ops), func(op *ir.Operation) bool { return !isDivision(op) })
	for _, op := range divisions {
		lack = max(lack, len(divisions)-s.opts.Fabric.Units(op))
	}
	return lack
}

// isDivision reports whether an operation takes a divider.
func isDivision(op *ir.Operation) bool {
	switch op.Name {
	case opname.ArithDivUI, opname.ArithDivSI, opname.ArithRemUI, opname.ArithRemSI:
		return true
	}
	return false
}

// dividend is what is divided by a number, of which quotient and remainder may be wanted; computed is the quotient, as if the number
// were positive, and the width of its type.
type (
	dividend struct {
		x      *ir.Value
		by     uint64
		signed bool
	}
	computed struct {
		q     *ir.Value
		width int
	}
)

// division is a division to replace.
type division struct {
	s       *state
	op      *ir.Operation
	x       *ir.Value
	width   int       // of x in bits
	control *ir.Value // fires the divisor
	signed  bool      // x may be negative
	most    uint64    // the largest magnitude of x
	addend  *ir.Value // x is addend + more, which does not wrap; nil where it is no such sum
	more    uint64
	negate  bool            // the divisor is negative
	known   computed        // that a division before has computed, or this one
	product int             // how wide a product may be, 0: as it has to be
	made    []*ir.Operation // in place of op, without constants
}

// make makes the quotient or the remainder by a divisor's magnitude, nil where the operations would
// be wider than hardware has them.
func (d *division) make(by uint64, remainder bool) *ir.Value {
	if d.most < by { // nothing but a remainder
		x := d.cast(d.x, d.width, d.width)
		if !remainder {
			x = d.do(opname.ArithAndI, x, d.number(0, d.width))
		}
		return x
	}
	// The width to compute in, and that of the remainder, which lies between 0 and by, or -by and by: its low bits say it all.
	w := d.width
	r := min(bits.Len64(by)+1, d.width)
	if d.product > 0 {
		w, r = d.product, d.product
	}
	if by&(by-1) == 0 {
		return d.shift(bits.TrailingZeros64(by), w, r, remainder)
	}
	if d.most>>1 < by && !d.signed {
		return d.once(by, w, remainder)
	}
	// The quotient, as if the divisor were positive, and its type's width.
	q := d.known.q
	if w = d.known.width; q == nil {
		if q, w = d.multiply(by); q == nil {
			return nil
		}
		d.known = computed{q, w}
	}
	if !remainder {
		return d.sign(d.cast(q, w, d.width))
	}
	x := d.cast(d.x, d.width, r)
	x = d.do(opname.ArithSubI, x, d.do(opname.ArithMulI, d.cast(q, w, r), d.number(by, r)))
	return d.cast(x, r, d.width)
}

// sign negates a quotient where the divisor is negative.
func (d *division) sign(q *ir.Value) *ir.Value {
	if d.negate {
		q = d.do(opname.ArithSubI, d.number(0, d.width), q)
	}
	return q
}

// once divides what is less than twice the divisor, and not negative; w is the width to compute in.
func (d *division) once(by uint64, w int, remainder bool) *ir.Value {
	if d.s.opts.deviate == reciprocalShort {
		by--
	}
	x := d.cast(d.x, d.width, w)
	m := rewrite.Maker{Pos: d.op.Pos, Emit: func(op *ir.Operation) { d.insert(op) }}
	// Of y + c, y says all, and no loop waits for the sum and then for what follows from it.
	y, c := x, uint64(0)
	if d.addend != nil && d.more <= by && x == d.x {
		y, c = d.addend, d.more
	}
	above := m.CmpI(arith.Uge, y, d.number(by-c, w))
	if !remainder {
		return d.sign(d.cast(m.Op(opname.ArithExtUI, x.Type, above), w, d.width))
	}
	rest := d.do(opname.ArithAddI, y, d.number(c-by, w))
	return d.cast(m.Op(opname.ArithSelect, x.Type, above, rest, x), w, d.width)
}

// shift divides by 2^k, in w bits; r is the width of the remainder. A negative dividend is raised by 2^k - 1
// first: quotients are rounded towards zero.
func (d *division) shift(k, w, r int, remainder bool) *ir.Value {
	x := d.cast(d.x, d.width, w) // an integer
	if !d.signed {
		if remainder {
			return d.cast(d.do(opname.ArithAndI, x, d.number(1<<k-1, w)), w, d.width)
		}
		return d.sign(d.cast(d.do(opname.ArithShRUI, x, d.number(uint64(k), w)), w, d.width))
	}
	var by *ir.Value // 2^k - 1 of a negative number
	if k == 1 {
		by = d.do(opname.ArithShRUI, x, d.number(uint64(w-1), w))
	} else {
		by = d.do(opname.ArithAndI, d.do(opname.ArithShRSI, x, d.number(uint64(w-1), w)), d.number(1<<k-1, w))
	}
	raised := d.do(opname.ArithAddI, x, by)
	if !remainder {
		return d.sign(d.cast(d.do(opname.ArithShRSI, raised, d.number(uint64(k), w)), w, d.width))
	}
	multiple := d.do(opname.ArithAndI, raised, d.number(^uint64(0)<<k, w))
	return d.cast(d.cast(d.do(opname.ArithSubI, x, multiple), w, r), r, d.width)
}

// multiply divides by the reciprocal; it returns the width of the quotient's type, too.
//
// With m = floor(2^p / by) + 1 and e = m·by - 2^p, x·m / 2^p is x/by + x·e / (by·2^p). For
// x·e < 2^p the second term is less than 1/by, so that it raises the first one to no other
// integer. Of a negative x the product, rounded down, is one less than the quotient.
func (d *division) multiply(by uint64) (*ir.Value, int) {
	zeros := 0
	if !d.signed {
		zeros = bits.TrailingZeros64(by) // even numbers have shorter reciprocals
	}
	most, by := d.most>>zeros, by>>zeros
	p, m, ok := reciprocal(most, by)
	if d.s.opts.deviate == reciprocalShort {
		p, m = p-1, m/2+1
	}
	if !ok {
		return nil, 0
	}
	hi, lo := bits.Mul64(most, m)
	w := bits.Len64(lo)
	if d.signed {
		w++
	}
	// The shift and what is cast have to fit the type, too.
	w = max(w, p+1, bits.Len64(m)+1)
	if hi != 0 || w > 64 {
		return d.multiplyTwice(most, by, zeros)
	}
	if d.product > 0 {
		if w > d.product {
			return nil, 0
		}
		w = d.product
	}
	x := d.halved(zeros, w)
	product := d.do(opname.ArithMulI, x, d.number(m, w))
	if !d.signed {
		return d.do(opname.ArithShRUI, product, d.number(uint64(p), w)), w
	}
	q := d.do(opname.ArithShRSI, product, d.number(uint64(p), w))
	return d.do(opname.ArithSubI, q, d.do(opname.ArithShRSI, x, d.number(uint64(w-1), w))), w
}

// halved is the dividend without the factors of two that it is divided by, in w bits.
func (d *division) halved(zeros, w int) *ir.Value {
	if zeros == 0 {
		return d.cast(d.x, d.width, w)
	}
	to := max(d.width, w) // before anything is cut off
	half := d.do(opname.ArithShRUI, d.cast(d.x, d.width, to), d.number(uint64(zeros), to))
	return d.cast(half, to, w)
}

// multiplyTwice divides numbers of 32 bits without a sign whose reciprocal has 33: m·x is
// 2^32·x + (m - 2^32)·x, and the sum of their high halves is halved before it is made, as it has
// 33 bits, too.
func (d *division) multiplyTwice(most, by uint64, zeros int) (*ir.Value, int) {
	if d.signed || bits.Len64(most) > 32 || d.product != 0 && d.product != 64 {
		return nil, 0
	}
	const w = 64
	p := 32 + bits.Len64(by-1)
	m := (1<<p)/by + 1 - 1<<32
	x := d.halved(zeros, w)
	high := d.do(opname.ArithShRUI, d.do(opname.ArithMulI, x, d.number(m, w)), d.number(32, w))
	half := d.do(opname.ArithShRUI, d.do(opname.ArithSubI, x, high), d.number(1, w))
	return d.do(opname.ArithShRUI, d.do(opname.ArithAddI, half, high), d.number(uint64(p-33), w)), w
}

// reciprocal is the shortest m, with its p, for dividends up to most.
func reciprocal(most, by uint64) (p int, m uint64, ok bool) {
	for p = bits.Len64(by) - 1; p < 64; p++ {
		m = (1<<p)/by + 1
		e := m*by - 1<<p
		if hi, lo := bits.Mul64(max(most, 1), e); hi == 0 && lo < 1<<p {
			return p, m, true
		}
	}
	return 0, 0, false
}

// do appends an operation of two operands and one type.
func (d *division) do(name string, a, b *ir.Value) *ir.Value {
	return d.insert(ir.NewOp(name, d.op.Pos, []*ir.Value{a, b}, []ir.Type{a.Type}))
}

func (d *division) insert(op *ir.Operation) *ir.Value {
	op.Loc = d.op.Loc
	if op.Name != opname.HandshakeConstant {
		d.made = append(d.made, op)
	}
	return d.s.body.InsertBefore(d.op, op).Result(0)
}

// number is a constant that fires as the divisor does.
func (d *division) number(n uint64, width int) *ir.Value {
	k := ir.NewOp(opname.HandshakeConstant, d.op.Pos, []*ir.Value{d.control}, []ir.Type{ir.Int(width)})
	k.SetAttr("value", ir.IntAttr(interval.Signed(n&interval.Mask(width), width), ir.Int(width)))
	return d.insert(k)
}

// cast gives a value the integer type of a width, with the sign that the dividend may have; back in
// the dividend's width the dividend's type.
func (d *division) cast(v *ir.Value, from, to int) *ir.Value {
	index := d.op.Result(0).Type == ir.Type(ir.Index)
	t := ir.Type(ir.Int(to))
	name := ""
	switch {
	case index && v == d.x:
		name = opname.ArithIndexCastUI
		if d.signed {
			name = opname.ArithIndexCast
		}
	case to < from:
		name = opname.ArithTruncI
	case to > from && d.signed:
		name = opname.ArithExtSI
	case to > from:
		name = opname.ArithExtUI
	}
	if name != "" {
		v = d.insert(ir.NewOp(name, d.op.Pos, []*ir.Value{v}, []ir.Type{t}))
	}
	return v
}
