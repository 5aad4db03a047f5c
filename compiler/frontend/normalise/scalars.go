package normalise

import (
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/frontend/clang"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// expandScalars replaces intrinsics on scalars that arith and math do not have by
// operations that they have.
func expandScalars(f *ir.Operation) {
	f.Walk(func(o *ir.Operation) bool {
		if o.NumResults() != 1 {
			return true
		}
		b := instead(o)
		var v *ir.Value
		t := o.Result(0).Type
		switch o.Name {
		case opname.LLVMIntrLround, opname.LLVMIntrLlround:
			v = b.op(opname.LLVMFPToSI, t, b.op(opname.MathRound, o.Operand(0).Type, o.Operand(0)))
		case opname.LLVMIntrLrint, opname.LLVMIntrLlrint:
			v = b.op(opname.LLVMFPToSI, t, b.op(opname.MathRoundeven, o.Operand(0).Type, o.Operand(0)))
		case opname.LLVMIntrIsFpclass:
			mask, _ := o.IntAttr("bit")
			v = b.classTest(o.Operand(0), mask)
		default:
			return true
		}
		o.Result(0).ReplaceAllUsesWith(v)
		o.Erase()
		return true
	})
}

// classTest reports whether a float belongs to one of the classes of a mask: signalling
// and quiet NaN, then -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf.
func (b *builder) classTest(x *ir.Value, mask int64) *ir.Value {
	if mask&3 == 3 && mask>>2 == 0 {
		return b.fcmp(arith.Uno, x, x)
	}
	w, fraction := width(x.Type), 52
	if w == 32 {
		fraction = 23
	}
	t := ir.Int(w)
	all := int64(-1) << (64 - w) >> (64 - w)
	signBit := int64(-1) << (w - 1)
	smallest := int64(1) << fraction // normal number
	inf := (all &^ signBit) &^ (smallest - 1)
	quiet := inf | smallest>>1
	bits := b.op(opname.LLVMBitcast, t, x)
	abs := b.op(opname.LLVMAnd, t, bits, b.constant(t, all&^signBit))
	negative := b.icmp(arith.Slt, bits, b.constant(t, 0))
	positive := b.icmp(arith.Sge, bits, b.constant(t, 0))
	// within reports lo <= abs < hi.
	within := func(lo, hi int64) *ir.Value {
		return b.icmp(arith.Ult, b.flagged(opname.LLVMSub, t, abs, b.constant(t, lo)), b.constant(t, hi-lo))
	}
	var out *ir.Value
	either := func(v *ir.Value) {
		if out == nil {
			out = v
		} else {
			out = b.op(opname.LLVMOr, ir.I1, out, v)
		}
	}
	if mask&1 != 0 {
		either(within(inf+1, quiet))
	}
	if mask&2 != 0 {
		either(b.icmp(arith.Uge, abs, b.constant(t, quiet)))
	}
	for i, r := range [][2]int64{{inf, inf + 1}, {smallest, inf}, {1, smallest}, {0, 1}} {
		minus, plus := mask>>(2+i)&1 != 0, mask>>(9-i)&1 != 0
		switch {
		case minus && plus:
			either(within(r[0], r[1]))
		case minus:
			either(b.op(opname.LLVMAnd, ir.I1, within(r[0], r[1]), negative))
		case plus:
			either(b.op(opname.LLVMAnd, ir.I1, within(r[0], r[1]), positive))
		}
	}
	if out == nil {
		return b.constant(ir.I1, 0)
	}
	return out
}

// intrinsicName is the plain name of an intrinsic that the importer did not know, with
// the type that it is for: tanh and f64 of llvm.tanh.f64.
func intrinsicName(link string) (name, of string, ok bool) {
	rest, ok := strings.CutPrefix(link, clang.Intrinsic)
	if !ok {
		return "", "", false
	}
	name, of, _ = strings.Cut(rest, ".")
	return name, of, true
}
