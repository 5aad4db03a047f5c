package raise

import (
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
)

// integers are the operations on two integers that mean the same in both dialects.
var integers = map[string]string{
	"llvm.add": "arith.addi", "llvm.sub": "arith.subi", "llvm.mul": "arith.muli",
	"llvm.sdiv": "arith.divsi", "llvm.udiv": "arith.divui", "llvm.srem": "arith.remsi", "llvm.urem": "arith.remui",
	"llvm.shl": "arith.shli", "llvm.lshr": "arith.shrui", "llvm.ashr": "arith.shrsi",
	"llvm.and": "arith.andi", "llvm.or": "arith.ori", "llvm.xor": "arith.xori",
	"llvm.intr.smax": "arith.maxsi", "llvm.intr.smin": "arith.minsi", "llvm.intr.umax": "arith.maxui", "llvm.intr.umin": "arith.minui",
}

// alike are the operations whose operands and result have one type and that have a
// counterpart.
var alike = map[string]string{
	"llvm.fadd": "arith.addf", "llvm.fsub": "arith.subf", "llvm.fmul": "arith.mulf", "llvm.fdiv": "arith.divf", "llvm.frem": "arith.remf",
	"llvm.fneg":            "arith.negf",
	"llvm.intr.ctpop":      "math.ctpop",
	"llvm.intr.bitreverse": "llvm.intr.bitreverse",
	"llvm.intr.fma":        "math.fma", "llvm.intr.fabs": "math.absf", "llvm.intr.sqrt": "math.sqrt",
	"llvm.intr.floor": "math.floor", "llvm.intr.ceil": "math.ceil", "llvm.intr.trunc": "math.trunc",
	"llvm.intr.rint": "math.roundeven", "llvm.intr.nearbyint": "math.roundeven", "llvm.intr.roundeven": "math.roundeven",
	"llvm.intr.round": "math.round", "llvm.intr.copysign": "math.copysign",
	"llvm.intr.exp": "math.exp", "llvm.intr.exp2": "math.exp2", "llvm.intr.log": "math.log", "llvm.intr.log2": "math.log2",
	"llvm.intr.log10": "math.log10", "llvm.intr.pow": "math.powf", "llvm.intr.sin": "math.sin", "llvm.intr.cos": "math.cos",
	"llvm.intr.tan": "math.tan", "llvm.intr.asin": "math.asin", "llvm.intr.acos": "math.acos", "llvm.intr.atan": "math.atan",
	"llvm.intr.sinh": "math.sinh", "llvm.intr.cosh": "math.cosh", "llvm.intr.tanh": "math.tanh",
	"llvm.intr.minnum": "arith.minnumf", "llvm.intr.maxnum": "arith.maxnumf",
	"llvm.intr.minimum": "arith.minimumf", "llvm.intr.maximum": "arith.maximumf",
}

// conversions change the type of a number.
var conversions = map[string]string{
	"llvm.sext": "arith.extsi", "llvm.zext": "arith.extui", "llvm.trunc": "arith.trunci",
	"llvm.fpext": "arith.extf", "llvm.fptrunc": "arith.truncf",
	"llvm.fptosi": "arith.fptosi", "llvm.fptoui": "arith.fptoui", "llvm.sitofp": "arith.sitofp", "llvm.uitofp": "arith.uitofp",
	"llvm.bitcast": "arith.bitcast",
}

// numberType reports whether hardware has values of a type.
func numberType(t ir.Type) bool {
	w, ok := ir.BitWidth(t, 64)
	if !ok || w < 1 || w > 64 {
		return false
	}
	switch t {
	case ir.Type(ir.F32), ir.Type(ir.F64), ir.Type(ir.Index):
		return true
	}
	it, isInt := t.(*ir.IntegerType)
	return isInt && it.Sign == ir.Signless
}

// scalar raises an operation on numbers; false where it is none that is known.
func (e *emitter) scalar(op *ir.Operation) bool {
	name := op.Name
	raised := strings.HasPrefix(name, "arith.") || strings.HasPrefix(name, "math.")
	if op.NumResults() != 1 && (!raised || op.NumResults() == 0) {
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
	if raised {
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
	case alike[name] != "":
		if name == "llvm.intr.ctpop" && t == ir.Type(ir.I1) {
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

// set notes the value of a result, with its name in the source.
func (e *emitter) set(old, v *ir.Value) {
	e.vals[old] = v
	if v.Name == "" && v.Def != nil && v.Def.Name != "arith.constant" {
		v.Name = e.r.varNames[old]
	}
}

// special raises the operations that have no counterpart of the same shape.
func (e *emitter) special(op *ir.Operation, arg []*ir.Value, t ir.Type) *ir.Value {
	switch op.Name {
	case "llvm.icmp":
		if p, ok := op.IntAttr("predicate"); ok && len(arg) == 2 && p >= 0 && p < 10 {
			return e.compare(arith.IntPredicate(p), arg[0], arg[1])
		}
	case "llvm.fcmp":
		if p, ok := op.IntAttr("predicate"); ok && len(arg) == 2 && p >= 0 && p < 16 {
			return e.opWith("arith.cmpf", ir.I1, "predicate", ir.IntAttr(p, ir.I64), arg...)
		}
	case "llvm.select":
		if len(arg) == 3 {
			return e.choose(arg[0], arg[1], arg[2])
		}
	case "llvm.freeze", "llvm.intr.expect", "llvm.intr.expect.with.probability", "llvm.intr.ssa.copy", "llvm.intr.arithmetic.fence":
		return arg[0]
	case "llvm.intr.fmuladd":
		// Two roundings, as the source says and every level computes.
		if len(arg) == 3 {
			return e.op("arith.addf", t, e.op("arith.mulf", t, arg[0], arg[1]), arg[2])
		}
	case "llvm.intr.powi":
		return e.op("math.fpowi", t, arg...)
	case "llvm.intr.abs":
		return e.op("math.absi", t, arg[0])
	case "llvm.intr.ctlz":
		return e.op("math.ctlz", t, arg[0])
	case "llvm.intr.cttz":
		return e.op("math.cttz", t, arg[0])
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
			return e.op("arith.andi", ir.I1, c, a)
		}
		if n, ok := a.ConstantInt(); ok && n != 0 {
			return e.op("arith.ori", ir.I1, c, b)
		}
	}
	return e.op("arith.select", a.Type, c, a, b)
}

// spellOut computes the operations that arith does not have.
func (e *emitter) spellOut(name string, arg []*ir.Value, t *ir.IntegerType) *ir.Value {
	width := int64(t.Width)
	bin := func(name string, a, b *ir.Value) *ir.Value { return e.binary("arith."+name, a, b) }
	c := func(n int64) *ir.Value { return e.integer(n, t) }
	switch name {
	case "llvm.intr.bswap":
		if len(arg) != 1 || width%16 != 0 {
			return nil
		}
		// Halves change places, then the halves of the halves.
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
	case "llvm.intr.fshl", "llvm.intr.fshr":
		return e.funnel(name == "llvm.intr.fshl", arg, t)
	case "llvm.intr.sadd.sat", "llvm.intr.ssub.sat":
		if len(arg) != 2 {
			return nil
		}
		a, b := arg[0], arg[1]
		var r, moved *ir.Value
		// The result left the range when it lies on the wrong side of a.
		if name == "llvm.intr.sadd.sat" {
			r = bin("addi", a, b)
			moved = e.op("arith.xori", ir.I1, e.compare(arith.Slt, r, a), e.compare(arith.Slt, b, c(0)))
		} else {
			r = bin("subi", a, b)
			moved = e.op("arith.xori", ir.I1, e.compare(arith.Slt, a, b), e.compare(arith.Slt, r, c(0)))
		}
		limit := bin("xori", bin("shrsi", a, c(width-1)), c(1<<(width-1)-1))
		return e.choose(moved, limit, r)
	case "llvm.intr.uadd.sat":
		r := bin("addi", arg[0], arg[1])
		return e.choose(e.compare(arith.Ult, r, arg[0]), c(-1), r)
	case "llvm.intr.usub.sat":
		return e.choose(e.compare(arith.Ult, arg[0], arg[1]), c(0), bin("subi", arg[0], arg[1]))
	case "llvm.intr.sshl.sat", "llvm.intr.ushl.sat":
		a, b := arg[0], arg[1]
		r := bin("shli", a, b)
		back, limit := "shrui", c(-1)
		if name == "llvm.intr.sshl.sat" {
			back, limit = "shrsi", bin("xori", bin("shrsi", a, c(width-1)), c(1<<(width-1)-1))
		}
		return e.choose(e.compare(arith.Ne, bin(back, r, b), a), limit, r)
	case "llvm.intr.scmp", "llvm.intr.ucmp":
		less := arith.Slt
		if name == "llvm.intr.ucmp" {
			less = arith.Ult
		}
		return e.choose(e.compare(less, arg[0], arg[1]), c(-1), e.choose(e.compare(arith.Ne, arg[0], arg[1]), c(1), c(0)))
	}
	return nil
}

// funnel shifts two numbers as one of twice the width, by the amount modulo the width.
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
		return e.binary("arith.ori", e.binary("arith.shli", hi, c(m)), e.binary("arith.shrui", lo, c(width-m)))
	}
	if width&(width-1) == 0 {
		amount = e.binary("arith.andi", amount, c(width-1))
	} else {
		amount = e.op("arith.remui", t, amount, c(width))
	}
	// One step by one keeps the other shift below the width.
	rest := e.binary("arith.subi", c(width-1), amount)
	if left {
		return e.binary("arith.ori", e.binary("arith.shli", hi, amount),
			e.binary("arith.shrui", e.binary("arith.shrui", lo, c(1)), rest))
	}
	return e.binary("arith.ori", e.binary("arith.shrui", lo, amount),
		e.binary("arith.shli", e.binary("arith.shli", hi, c(1)), rest))
}
