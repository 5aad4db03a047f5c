package normalise

import (
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// gather builds parts from the bits of other parts: bitcasts, and the shifts and casts
// of integers of more than 64 bits, move bits and change none. Bits that no source part
// holds are zero. Numbers are little-endian, as memory is.
func (s *splitter) gather(b *builder, from []*ir.Value, src, dst []part) []*ir.Value {
	out := make([]*ir.Value, len(dst))
	ints := make([]*ir.Value, len(from)) // the sources as integers
	for i, d := range dst {
		if v := same(from, src, d); v != nil {
			out[i] = v
			continue
		}
		it := ir.Int(d.bits)
		var sum *ir.Value
		for k, p := range src {
			lo, hi := max(d.at, p.at), min(d.at+int64(d.bits), p.at+int64(p.bits))
			if lo >= hi {
				continue
			}
			if ints[k] == nil {
				ints[k] = b.asInt(from[k])
			}
			v := b.resize(b.shiftBy(opname.LLVMLShr, ints[k], lo-p.at), d.bits, hi-lo)
			v = b.shiftBy(opname.LLVMShl, v, lo-d.at)
			if sum == nil {
				sum = v
			} else {
				sum = b.op(opname.LLVMOr, it, sum, v)
			}
		}
		if sum == nil {
			sum = b.constant(it, 0)
		}
		out[i] = b.fromInt(sum, d.t)
	}
	return out
}

// same is the source that is exactly the wanted part.
func same(from []*ir.Value, src []part, d part) *ir.Value {
	for k, p := range src {
		if p == d {
			return from[k]
		}
	}
	return nil
}

// asInt reads the bits of a scalar as an integer.
func (b *builder) asInt(v *ir.Value) *ir.Value {
	switch {
	case v.Type == ir.Type(ptrType):
		return b.op(opname.LLVMPtrToInt, ir.Int(64), v)
	case ir.IsFloat(v.Type):
		return b.op(opname.LLVMBitcast, ir.Int(width(v.Type)), v)
	}
	return v
}

func (b *builder) fromInt(v *ir.Value, t ir.Type) *ir.Value {
	switch {
	case t == ir.Type(ptrType):
		return b.op(opname.LLVMIntToPtr, t, v)
	case ir.IsFloat(t):
		return b.op(opname.LLVMBitcast, t, v)
	}
	return v
}

// shiftBy shifts by a constant.
func (b *builder) shiftBy(name string, v *ir.Value, n int64) *ir.Value {
	if n == 0 {
		return v
	}
	c := b.constant(v.Type, n)
	if name == opname.LLVMShl {
		return b.flagged(name, v.Type, v, c)
	}
	return b.op(name, v.Type, v, c)
}

// resize makes an integer of to bits whose low bits are those of v; no more than keep
// of them are kept.
func (b *builder) resize(v *ir.Value, to int, keep int64) *ir.Value {
	if w := int64(width(v.Type)); keep < w {
		v = b.truncate(v, int(keep))
	}
	if width(v.Type) < to {
		return b.op(opname.LLVMZExt, ir.Int(to), v)
	}
	return v
}

func (b *builder) truncate(v *ir.Value, to int) *ir.Value {
	if width(v.Type) == to {
		return v
	}
	return b.flagged(opname.LLVMTrunc, ir.Int(to), v)
}

// isWide reports whether a type is an integer of more than 64 bits.
func isWide(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && i.Width > 64
}

// wideType reports whether an operation reads or makes such integers.
func (s *splitter) wideType(o *ir.Operation) bool {
	for _, v := range append(append([]*ir.Value(nil), o.Operands()...), o.Results()...) {
		if isWide(v.Type) {
			return true
		}
	}
	return false
}

// wideOps are the operations that integers of more than 64 bits may have.
var wideOps = map[string]bool{
	opname.LLVMZExt: true, opname.LLVMTrunc: true, opname.LLVMSExt: true, opname.LLVMAnd: true, opname.LLVMOr: true, opname.LLVMXor: true,
	opname.LLVMShl: true, opname.LLVMLShr: true, opname.LLVMAShr: true, opname.LLVMAdd: true, opname.LLVMSub: true, opname.LLVMMul: true, opname.LLVMICmp: true,
	opname.LLVMSelect: true, opname.LLVMLoad: true, opname.LLVMStore: true, opname.LLVMBitcast: true, opname.LLVMBr: true, opname.LLVMCondBr: true,
	opname.LLVMSwitch: true, opname.LLVMReturn: true, opname.LLVMCall: true, opname.LLVMFreeze: true, opname.LLVMMlirConstant: true,
	opname.LLVMMlirZero: true, opname.LLVMMlirUndef: true, opname.LLVMMlirPoison: true, opname.LLVMInsertValue: true, opname.LLVMExtractValue: true,
	opname.LLVMInsertElement: true, opname.LLVMExtractElement: true, opname.LLVMIntrDbgValue: true, opname.LLVMIntrDbgDeclare: true,
}

// wide computes with integers of more than 64 bits, in parts of 64.
func (s *splitter) wide(b *builder, o *ir.Operation) ([]*ir.Value, bool) {
	for _, v := range append(append([]*ir.Value(nil), o.Operands()...), o.Results()...) {
		if llvm.MustParse(v.Type).Kind != llvm.Int {
			return nil, false
		}
	}
	x := s.of(o.Operand(0))
	src, dst := s.layoutOf(o.Operand(0).Type), s.layoutOf(o.Result(0).Type)
	switch o.Name {
	case opname.LLVMZExt, opname.LLVMTrunc:
		return s.gather(b, x, src, dst), true
	case opname.LLVMSExt:
		return s.signExtended(b, x, src, dst), true
	case opname.LLVMAnd, opname.LLVMOr, opname.LLVMXor:
		out := make([]*ir.Value, len(x))
		for i, y := range s.of(o.Operand(1)) {
			out[i] = b.op(o.Name, x[i].Type, x[i], y)
		}
		return out, true
	case opname.LLVMShl, opname.LLVMLShr, opname.LLVMAShr:
		n, known := s.small(o.Operand(1))
		if !known {
			return s.variableShift(b, o, x)
		}
		return s.constantShift(b, o.Name, x, src, n), true
	case opname.LLVMAdd:
		return s.addWide(b, x, s.of(o.Operand(1)), false), true
	case opname.LLVMSub:
		return s.addWide(b, x, s.of(o.Operand(1)), true), true
	case opname.LLVMMul:
		return s.mulWide(b, x, s.of(o.Operand(1)))
	case opname.LLVMICmp:
		return s.compareWide(b, o, x, s.of(o.Operand(1)))
	}
	return nil, false
}

// small is the value of a constant shift amount.
func (s *splitter) small(v *ir.Value) (int64, bool) {
	if n, ok := constValue(v); ok {
		return n, true
	}
	return constValue(s.of(v)[0])
}

// constantShift moves the bits of an integer.
func (s *splitter) constantShift(b *builder, name string, x []*ir.Value, layout []part, n int64) []*ir.Value {
	moved := append([]part(nil), layout...)
	for i := range moved {
		if name == opname.LLVMShl {
			moved[i].at += n
		} else {
			moved[i].at -= n
		}
	}
	from := x
	if name == opname.LLVMAShr { // the sign comes in from above
		sign := b.signs(x[len(x)-1])
		top := moved[len(moved)-1]
		from = append([]*ir.Value(nil), x...)
		for at := top.at + int64(top.bits); at < int64(top.bits)+layout[len(layout)-1].at; at += 64 {
			moved, from = append(moved, part{ir.Int(64), 64, at}), append(from, sign)
		}
	}
	return s.gather(b, from, moved, layout)
}

// signs are 64 copies of the sign of an integer.
func (b *builder) signs(v *ir.Value) *ir.Value {
	s := b.shiftBy(opname.LLVMAShr, v, int64(width(v.Type)-1))
	if width(v.Type) < 64 {
		s = b.op(opname.LLVMSExt, ir.Int(64), s)
	}
	return s
}

func (s *splitter) signExtended(b *builder, x []*ir.Value, src, dst []part) []*ir.Value {
	sign := b.signs(x[len(x)-1])
	from, layout := append([]*ir.Value(nil), x...), append([]part(nil), src...)
	last := src[len(src)-1]
	end := dst[len(dst)-1].at + int64(dst[len(dst)-1].bits)
	for at := last.at + int64(last.bits); at < end; at += 64 {
		from, layout = append(from, sign), append(layout, part{ir.Int(64), 64, at})
	}
	return s.gather(b, from, layout, dst)
}

// variableShift shifts an integer of two parts by an amount known at run time.
func (s *splitter) variableShift(b *builder, o *ir.Operation, x []*ir.Value) ([]*ir.Value, bool) {
	if o.Operand(0).Type != ir.Type(ir.Int(128)) {
		return nil, false
	}
	i64 := ir.Int(64)
	n := s.of(o.Operand(1))[0]
	lo, hi := x[0], x[1]
	c63, c64, zero := b.constant(i64, 63), b.constant(i64, 64), b.constant(i64, 0)
	k := b.op(opname.LLVMAnd, i64, n, c63)
	far := b.icmp(arith.Uge, n, c64)
	still := b.icmp(arith.Eq, k, zero)
	// The bits that cross from one half to the other, none where k is 0.
	back := b.op(opname.LLVMAnd, i64, b.flagged(opname.LLVMSub, i64, c64, k), c63)
	if o.Name == opname.LLVMShl {
		cross := b.selectOf(still, zero, b.op(opname.LLVMLShr, i64, lo, back))
		nearLo := b.flagged(opname.LLVMShl, i64, lo, k)
		nearHi := b.op(opname.LLVMOr, i64, b.flagged(opname.LLVMShl, i64, hi, k), cross)
		return []*ir.Value{b.selectOf(far, zero, nearLo), b.selectOf(far, nearLo, nearHi)}, true
	}
	cross := b.selectOf(still, zero, b.flagged(opname.LLVMShl, i64, hi, back))
	nearHi := b.op(o.Name, i64, hi, k)
	nearLo := b.op(opname.LLVMOr, i64, b.op(opname.LLVMLShr, i64, lo, k), cross)
	fill := zero
	if o.Name == opname.LLVMAShr {
		fill = b.signs(hi)
	}
	return []*ir.Value{b.selectOf(far, nearHi, nearLo), b.selectOf(far, fill, nearHi)}, true
}

// addWide adds or subtracts part by part with the carry.
func (s *splitter) addWide(b *builder, x, y []*ir.Value, sub bool) []*ir.Value {
	name, less := opname.LLVMAdd, func(sum, x, _ *ir.Value) *ir.Value { return b.icmp(arith.Ult, sum, x) }
	if sub {
		name, less = opname.LLVMSub, func(_, x, y *ir.Value) *ir.Value { return b.icmp(arith.Ult, x, y) }
	}
	out := make([]*ir.Value, len(x))
	var carry *ir.Value
	for i := range x {
		t := x[i].Type
		sum := b.flagged(name, t, x[i], y[i])
		var next *ir.Value
		if i+1 < len(x) {
			next = less(sum, x[i], y[i])
		}
		if carry != nil {
			c := carry
			if width(t) > 1 {
				c = b.op(opname.LLVMZExt, t, carry)
			}
			with := b.flagged(name, t, sum, c)
			if next != nil {
				next = b.op(opname.LLVMOr, ir.I1, next, less(with, sum, c))
			}
			sum = with
		}
		out[i], carry = sum, next
	}
	return out
}

// fullProduct is the low and the high half of a product, signed or not. Numbers of up
// to 32 bits are multiplied as wider ones, others in halves of 32 bits.
func (b *builder) fullProduct(signed bool, x, y *ir.Value) (lo, hi *ir.Value) {
	t, w := x.Type, width(x.Type)
	if w <= 32 {
		extend, wide := opname.LLVMZExt, ir.Int(2*w)
		if signed {
			extend = opname.LLVMSExt
		}
		p := b.flagged(opname.LLVMMul, wide, b.op(extend, wide, x), b.op(extend, wide, y))
		return b.truncate(p, w), b.truncate(b.shiftBy(opname.LLVMLShr, p, int64(w)), w)
	}
	mul := func(u, v *ir.Value) *ir.Value { return b.flagged(opname.LLVMMul, t, u, v) }
	add := func(u, v *ir.Value) *ir.Value { return b.flagged(opname.LLVMAdd, t, u, v) }
	half := int64(w / 2)
	mask := b.constant(t, int64(1)<<half-1)
	low := func(v *ir.Value) *ir.Value { return b.op(opname.LLVMAnd, t, v, mask) }
	high := func(v *ir.Value) *ir.Value { return b.shiftBy(opname.LLVMLShr, v, half) }
	x0, x1, y0, y1 := low(x), high(x), low(y), high(y)
	// No sum below can overflow: a product of halves leaves room for two of them.
	middle := add(mul(x1, y0), high(mul(x0, y0)))
	cross := add(mul(x0, y1), low(middle))
	lo = mul(x, y)
	hi = add(add(mul(x1, y1), high(middle)), high(cross))
	if signed {
		zero := b.constant(t, 0)
		for _, p := range [][2]*ir.Value{{x, y}, {y, x}} {
			hi = b.flagged(opname.LLVMSub, t, hi, b.selectOf(b.icmp(arith.Slt, p[0], zero), p[1], zero))
		}
	}
	return lo, hi
}

// mulWide multiplies integers of 128 bits.
func (s *splitter) mulWide(b *builder, x, y []*ir.Value) ([]*ir.Value, bool) {
	i64 := ir.Type(ir.Int(64))
	if len(x) != 2 || x[1].Type != i64 {
		return nil, false
	}
	lo, hi := b.fullProduct(false, x[0], y[0])
	for _, p := range [][2]*ir.Value{{x[0], y[1]}, {x[1], y[0]}} {
		if isZero(p[0]) || isZero(p[1]) {
			continue // the operands were extended from 64 bits
		}
		hi = b.flagged(opname.LLVMAdd, i64, hi, b.flagged(opname.LLVMMul, i64, p[0], p[1]))
	}
	return []*ir.Value{lo, hi}, true
}

func isZero(v *ir.Value) bool {
	n, ok := constValue(v)
	return ok && n == 0
}

// compareWide compares part by part: the highest that differ decide.
func (s *splitter) compareWide(b *builder, o *ir.Operation, x, y []*ir.Value) ([]*ir.Value, bool) {
	n, _ := o.IntAttr("predicate")
	pred := arith.IntPredicate(n)
	if pred == arith.Eq || pred == arith.Ne {
		var all *ir.Value
		for i := range x {
			c := b.icmp(pred, x[i], y[i])
			switch {
			case all == nil:
				all = c
			case pred == arith.Eq:
				all = b.op(opname.LLVMAnd, ir.I1, all, c)
			default:
				all = b.op(opname.LLVMOr, ir.I1, all, c)
			}
		}
		return []*ir.Value{all}, true
	}
	unsigned := map[arith.IntPredicate]arith.IntPredicate{arith.Slt: arith.Ult, arith.Sle: arith.Ule, arith.Sgt: arith.Ugt, arith.Sge: arith.Uge}
	strict := map[arith.IntPredicate]arith.IntPredicate{arith.Sle: arith.Slt, arith.Sge: arith.Sgt, arith.Ule: arith.Ult, arith.Uge: arith.Ugt}
	low := pred
	if u, ok := unsigned[pred]; ok {
		low = u
	}
	out := b.icmp(low, x[0], y[0])
	for i := 1; i < len(x); i++ {
		p := low
		if i == len(x)-1 {
			p = pred
		}
		if st, ok := strict[p]; ok {
			p = st
		}
		out = b.selectOf(b.icmp(arith.Eq, x[i], y[i]), out, b.icmp(p, x[i], y[i]))
	}
	return []*ir.Value{out}, true
}

// overflow computes an operation with a flag for whether its result is exact.
func (s *splitter) overflow(b *builder, o *ir.Operation, op string) ([]*ir.Value, bool) {
	x, y := o.Operand(0), o.Operand(1)
	if s.isSplit(x) {
		return nil, false
	}
	t := x.Type
	signed := strings.HasPrefix(op, "s")
	switch op[1:] {
	case "add", "sub":
		sum := b.flagged("llvm."+op[1:], t, x, y)
		switch {
		case !signed && op == "uadd":
			return []*ir.Value{sum, b.icmp(arith.Ult, sum, x)}, true
		case !signed:
			return []*ir.Value{sum, b.icmp(arith.Ult, x, y)}, true
		}
		// The sign differs from what it must be: that of both operands of an addition,
		// that of the first of a subtraction of one with the other sign.
		d := b.op(opname.LLVMXor, t, x, sum)
		e := b.op(opname.LLVMXor, t, y, sum)
		if op == "ssub" {
			e = b.op(opname.LLVMXor, t, x, y)
		}
		return []*ir.Value{sum, b.icmp(arith.Slt, b.op(opname.LLVMAnd, t, d, e), b.constant(t, 0))}, true
	case "mul":
		if signed {
			lo, hi := b.fullProduct(true, x, y)
			return []*ir.Value{lo, b.icmp(arith.Ne, hi, b.shiftBy(opname.LLVMAShr, lo, int64(width(t)-1)))}, true
		}
		lo, hi := b.fullProduct(false, x, y)
		return []*ir.Value{lo, b.icmp(arith.Ne, hi, b.constant(t, 0))}, true
	}
	return nil, false
}
