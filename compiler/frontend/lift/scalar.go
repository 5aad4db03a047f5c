package lift

import (
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// integers are the operations on two integers that mean the same in both dialects.
var integers = map[string]string{
	opname.LLVMAdd: opname.ArithAddI, opname.LLVMSub: opname.ArithSubI, opname.LLVMMul: opname.ArithMulI,
	opname.LLVMSDiv: opname.ArithDivSI, opname.LLVMUDiv: opname.ArithDivUI, opname.LLVMSRem: opname.ArithRemSI, opname.LLVMURem: opname.ArithRemUI,
	opname.LLVMShl: opname.ArithShLI, opname.LLVMLShr: opname.ArithShRUI, opname.LLVMAShr: opname.ArithShRSI,
	opname.LLVMAnd: opname.ArithAndI, opname.LLVMOr: opname.ArithOrI, opname.LLVMXor: opname.ArithXOrI,
	opname.LLVMIntrSmax: opname.ArithMaxSI, opname.LLVMIntrSmin: opname.ArithMinSI, opname.LLVMIntrUmax: opname.ArithMaxUI, opname.LLVMIntrUmin: opname.ArithMinUI,
}

// alike are the operations whose operands and result have one type and that have a
// counterpart.
var alike = map[string]string{
	opname.LLVMFAdd: opname.ArithAddF, opname.LLVMFSub: opname.ArithSubF, opname.LLVMFMul: opname.ArithMulF, opname.LLVMFDiv: opname.ArithDivF, opname.LLVMFRem: opname.ArithRemF,
	opname.LLVMFNeg:           opname.ArithNegF,
	opname.LLVMIntrCtpop:      opname.MathCtPop,
	opname.LLVMIntrBitreverse: opname.LLVMIntrBitreverse,
	opname.LLVMIntrFMA:        opname.MathFMA, opname.LLVMIntrFabs: opname.MathAbsF, opname.LLVMIntrSqrt: opname.MathSqrt,
	opname.LLVMIntrFloor: opname.MathFloor, opname.LLVMIntrCeil: opname.MathCeil, opname.LLVMIntrTrunc: opname.MathTrunc,
	opname.LLVMIntrRint: opname.MathRoundeven, opname.LLVMIntrNearbyint: opname.MathRoundeven, opname.LLVMIntrRoundeven: opname.MathRoundeven,
	opname.LLVMIntrRound: opname.MathRound, opname.LLVMIntrCopysign: opname.MathCopysign,
	opname.LLVMIntrExp: opname.MathExp, opname.LLVMIntrExp2: opname.MathExp2, opname.LLVMIntrLog: opname.MathLog, opname.LLVMIntrLog2: opname.MathLog2,
	opname.LLVMIntrLog10: opname.MathLog10, opname.LLVMIntrPow: opname.MathPowF, opname.LLVMIntrSin: opname.MathSin, opname.LLVMIntrCos: opname.MathCos,
	opname.LLVMIntrTan: opname.MathTan, opname.LLVMIntrAsin: opname.MathAsin, opname.LLVMIntrAcos: opname.MathAcos, opname.LLVMIntrAtan: opname.MathAtan,
	opname.LLVMIntrSinh: opname.MathSinh, opname.LLVMIntrCosh: opname.MathCosh, opname.LLVMIntrTanh: opname.MathTanh,
	opname.LLVMIntrMinnum: opname.ArithMinNumF, opname.LLVMIntrMaxnum: opname.ArithMaxNumF,
	opname.LLVMIntrMinimum: opname.ArithMinimumF, opname.LLVMIntrMaximum: opname.ArithMaximumF,
}

// conversions change the type of a scalar.
var conversions = map[string]string{
	opname.LLVMSExt: opname.ArithExtSI, opname.LLVMZExt: opname.ArithExtUI, opname.LLVMTrunc: opname.ArithTruncI,
	opname.LLVMFPExt: opname.ArithExtF, opname.LLVMFPTrunc: opname.ArithTruncF,
	opname.LLVMFPToSI: opname.ArithFPToSI, opname.LLVMFPToUI: opname.ArithFPToUI, opname.LLVMSIToFP: opname.ArithSIToFP, opname.LLVMUIToFP: opname.ArithUIToFP,
	opname.LLVMBitcast: opname.ArithBitcast,
}

// numberType reports whether hardware has values of a type.
func numberType(t ir.Type) bool {
	w, ok := ir.BitWidth(t, 64)
	if !ok || w < 1 || w > 64 {
		return false
	}
	switch t {
	case ir.Type(ir.F16), ir.Type(ir.F32), ir.Type(ir.F64), ir.Type(ir.Index):
		return true
	}
	it, isInt := t.(*ir.IntegerType)
	return isInt && it.Sign == ir.Signless
}

// scalar lifts an operation on scalars; false where it is unknown.
func (e *emitter) scalar(op *ir.Operation) bool {
	name := op.Name
	lifted := strings.HasPrefix(name, "arith.") || strings.HasPrefix(name, "math.")
	if op.NumResults() != 1 && (!lifted || op.NumResults() == 0) {
		return false
	}
	var types []ir.Type
	for _, v := range op.Results() {
		types = append(types, v.Type)
	}
	for _, v := range append(op.Results()[:op.NumResults():op.NumResults()], op.Operands()...) {
		if !numberType(v.Type) {
			return false
		}
	}
	t := types[0]
	arg := make([]*ir.Value, op.NumOperands())
	for i, v := range op.Operands() {
		arg[i] = e.value(v)
	}
	if lifted {
		o := e.raw(name, arg, types...)
		o.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
		for i, r := range op.Results() {
			e.set(r, o.Result(i))
		}
		return true
	}
	var out *ir.Value
	switch {
	case integers[name] != "" && len(arg) == 2:
		out = e.bitwise(op, integers[name], arg)
		keepOverflow(op, out)
	case alike[name] != "":
		if name == opname.LLVMIntrCtpop && t == ir.Type(ir.I1) {
			out = arg[0]
			break
		}
		out = e.op(alike[name], t, arg...)
	case conversions[name] != "" && len(arg) == 1:
		out = e.convert(op, conversions[name], arg[0])
	default:
		out = e.special(op, arg, t)
	}
	if out == nil {
		return false
	}
	e.set(op.Result(0), out)
	return true
}

// keepOverflow notes of the step of a counter that its sum does not wrap, as a program where it does has no meaning: structuring
// concludes from it that a loop ends. Elsewhere nothing reads it.
func keepOverflow(op *ir.Operation, sum *ir.Value) {
	add := sum.Def
	if op.Name != opname.LLVMAdd || op.Operand(0).Def != nil || add == nil || add.Name != opname.ArithAddI || add.Operand(0).Def != nil {
		return // no step of a counter, or another operation that computes the same
	}
	if _, constant := add.Operand(1).ConstantInt(); !constant {
		return
	}
	if arith.IsNoSignedWrap(op) { // the llvm dialect spells it alike
		add.SetAttr(arith.OverflowAttr, arith.NoSignedWrap)
	}
}

// set notes the value of a result, with its name in the source.
func (e *emitter) set(old, v *ir.Value) {
	e.vals[old] = v
	if v.Name == "" && v.Def != nil && v.Def.Name != opname.ArithConstant {
		v.Name = e.r.varNames[old]
	}
}

// special lifts the operations that have no counterpart of the same shape.
func (e *emitter) special(op *ir.Operation, arg []*ir.Value, t ir.Type) *ir.Value {
	switch op.Name {
	case opname.LLVMICmp:
		if p, ok := op.IntAttr("predicate"); ok && len(arg) == 2 && p >= 0 && p < 10 {
			return e.compare(arith.IntPredicate(p), arg[0], arg[1])
		}
	case opname.LLVMFCmp:
		if p, ok := op.IntAttr("predicate"); ok && len(arg) == 2 && p >= 0 && p < 16 {
			return e.opWith(opname.ArithCmpF, ir.I1, "predicate", ir.IntAttr(p, ir.I64), arg...)
		}
	case opname.LLVMSelect:
		if len(arg) == 3 {
			return e.choose(arg[0], arg[1], arg[2])
		}
	case opname.LLVMFreeze, opname.LLVMIntrExpect, opname.LLVMIntrExpectWithProbability, opname.LLVMIntrSsaCopy, opname.LLVMIntrArithmeticFence:
		return arg[0]
	case opname.LLVMIntrFMulAdd:
		// Two roundings, as the source has it and every level computes.
		if len(arg) == 3 {
			return e.op(opname.ArithAddF, t, e.op(opname.ArithMulF, t, arg[0], arg[1]), arg[2])
		}
	case opname.LLVMIntrPowi:
		return e.op(opname.MathFPowI, t, arg...)
	case opname.LLVMIntrAbs:
		return e.op(opname.MathAbsI, t, arg[0])
	case opname.LLVMIntrCtlz:
		return e.op(opname.MathCtLZ, t, arg[0])
	case opname.LLVMIntrCttz:
		return e.op(opname.MathCtTZ, t, arg[0])
	}
	if it, ok := t.(*ir.IntegerType); ok {
		return e.spellOut(op.Name, arg, it)
	}
	return nil
}

// choose is a select, simplified where both values are truth values.
func (e *emitter) choose(c, a, b *ir.Value) *ir.Value {
	if a == b {
		return a
	}
	if n, ok := c.ConstantInt(); ok {
		if n != 0 {
			return a
		}
		return b
	}
	if a.Type == ir.Type(ir.I1) {
		// Both are computed already, so "and" and "or" are the same.
		if n, ok := b.ConstantInt(); ok && n == 0 {
			return e.op(opname.ArithAndI, ir.I1, c, a)
		}
		if n, ok := a.ConstantInt(); ok && n != 0 {
			return e.op(opname.ArithOrI, ir.I1, c, b)
		}
	}
	return e.op(opname.ArithSelect, a.Type, c, a, b)
}

// spellOut computes the operations that arith does not have.
func (e *emitter) spellOut(name string, arg []*ir.Value, t *ir.IntegerType) *ir.Value {
	width := int64(t.Width)
	bin := func(name string, a, b *ir.Value) *ir.Value { return e.binary("arith."+name, a, b) }
	c := func(n int64) *ir.Value { return e.integer(n, t) }
	switch name {
	case opname.LLVMIntrBswap:
		if len(arg) != 1 || width%16 != 0 {
			return nil
		}
		// Swap the halves, then the halves of the halves.
		v := arg[0]
		for half := width / 2; half >= 8; half /= 2 {
			mask := uint64(0)
			for at := int64(0); at < width; at += 2 * half {
				mask |= (1<<half - 1) << at
			}
			lo, hi := v, bin("shrui", v, c(half))
			if half != width/2 {
				lo, hi = bin("andi", lo, c(int64(mask))), bin("andi", hi, c(int64(mask)))
			}
			v = bin("ori", bin("shli", lo, c(half)), hi)
		}
		if width == 48 {
			return nil
		}
		return v
	case opname.LLVMIntrFshl, opname.LLVMIntrFshr:
		return e.funnel(name == opname.LLVMIntrFshl, arg, t)
	case opname.LLVMIntrSaddSat, opname.LLVMIntrSsubSat:
		if len(arg) != 2 {
			return nil
		}
		a, b := arg[0], arg[1]
		var r, moved *ir.Value
		// The result left the range when it lies on the wrong side of a.
		if name == opname.LLVMIntrSaddSat {
			r = bin("addi", a, b)
			moved = e.op(opname.ArithXOrI, ir.I1, e.compare(arith.Slt, r, a), e.compare(arith.Slt, b, c(0)))
		} else {
			r = bin("subi", a, b)
			moved = e.op(opname.ArithXOrI, ir.I1, e.compare(arith.Slt, a, b), e.compare(arith.Slt, r, c(0)))
		}
		limit := bin("xori", bin("shrsi", a, c(width-1)), c(1<<(width-1)-1))
		return e.choose(moved, limit, r)
	case opname.LLVMIntrUaddSat:
		r := bin("addi", arg[0], arg[1])
		return e.choose(e.compare(arith.Ult, r, arg[0]), c(-1), r)
	case opname.LLVMIntrUsubSat:
		return e.choose(e.compare(arith.Ult, arg[0], arg[1]), c(0), bin("subi", arg[0], arg[1]))
	case opname.LLVMIntrSshlSat, opname.LLVMIntrUshlSat:
		a, b := arg[0], arg[1]
		r := bin("shli", a, b)
		back, limit := "shrui", c(-1)
		if name == opname.LLVMIntrSshlSat {
			back, limit = "shrsi", bin("xori", bin("shrsi", a, c(width-1)), c(1<<(width-1)-1))
		}
		return e.choose(e.compare(arith.Ne, bin(back, r, b), a), limit, r)
	case opname.LLVMIntrScmp, opname.LLVMIntrUcmp:
		less := arith.Slt
		if name == opname.LLVMIntrUcmp {
			less = arith.Ult
		}
		return e.choose(e.compare(less, arg[0], arg[1]), c(-1), e.choose(e.compare(arith.Ne, arg[0], arg[1]), c(1), c(0)))
	}
	return nil
}

// funnel shifts two integers as one of twice the width, by the amount modulo the width.
func (e *emitter) funnel(left bool, arg []*ir.Value, t *ir.IntegerType) *ir.Value {
	if len(arg) != 3 {
		return nil
	}
	width := int64(t.Width)
	hi, lo, amount := arg[0], arg[1], arg[2]
	c := func(n int64) *ir.Value { return e.integer(n, t) }
	if n, ok := amount.ConstantInt(); ok {
		m := int64(uint64(n) & (1<<min(width, 63) - 1) % uint64(width))
		if width == 64 {
			m = int64(uint64(n) % 64)
		}
		if m == 0 {
			if left {
				return hi
			}
			return lo
		}
		if !left {
			m = width - m
		}
		return e.binary(opname.ArithOrI, e.binary(opname.ArithShLI, hi, c(m)), e.binary(opname.ArithShRUI, lo, c(width-m)))
	}
	if width&(width-1) == 0 {
		amount = e.binary(opname.ArithAndI, amount, c(width-1))
	} else {
		amount = e.op(opname.ArithRemUI, t, amount, c(width))
	}
	// One step by one keeps the other shift below the width.
	rest := e.binary(opname.ArithSubI, c(width-1), amount)
	if left {
		return e.binary(opname.ArithOrI, e.binary(opname.ArithShLI, hi, amount),
			e.binary(opname.ArithShRUI, e.binary(opname.ArithShRUI, lo, c(1)), rest))
	}
	return e.binary(opname.ArithOrI, e.binary(opname.ArithShRUI, lo, amount),
		e.binary(opname.ArithShLI, e.binary(opname.ArithShLI, hi, c(1)), rest))
}
