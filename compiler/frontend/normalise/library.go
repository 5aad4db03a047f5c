package normalise

import (
	"strings"

	"loom/compiler/ir"
)

// mathOps are the functions of <math.h> that are one operation, by their name for
// double; float's have an f behind it. The number is that of the operands.
var mathOps = map[string]struct {
	op string
	n  int
}{
	"sqrt": {"math.sqrt", 1}, "exp": {"math.exp", 1}, "exp2": {"math.exp2", 1}, "expm1": {"math.expm1", 1},
	"log": {"math.log", 1}, "log2": {"math.log2", 1}, "log10": {"math.log10", 1}, "log1p": {"math.log1p", 1},
	"sin": {"math.sin", 1}, "cos": {"math.cos", 1}, "tan": {"math.tan", 1},
	"asin": {"math.asin", 1}, "acos": {"math.acos", 1}, "atan": {"math.atan", 1}, "atan2": {"math.atan2", 2},
	"sinh": {"math.sinh", 1}, "cosh": {"math.cosh", 1}, "tanh": {"math.tanh", 1},
	"asinh": {"math.asinh", 1}, "acosh": {"math.acosh", 1}, "atanh": {"math.atanh", 1},
	"cbrt": {"math.cbrt", 1}, "erf": {"math.erf", 1}, "pow": {"math.powf", 2},
	"fabs": {"math.absf", 1}, "floor": {"math.floor", 1}, "ceil": {"math.ceil", 1}, "trunc": {"math.trunc", 1},
	"round": {"math.round", 1}, "rint": {"math.roundeven", 1}, "nearbyint": {"math.roundeven", 1}, "roundeven": {"math.roundeven", 1},
	"fmin": {"arith.minnumf", 2}, "fmax": {"arith.maxnumf", 2}, "fmod": {"arith.remf", 2},
	"copysign": {"math.copysign", 2}, "fma": {"math.fma", 3},
}

// expansions are library functions that are a few operations. They get the call's
// operands and return its result.
var expansions = map[string]func(b *builder, t ir.Type, v []*ir.Value) *ir.Value{
	"abs": absInt, "labs": absInt, "llabs": absInt,
	"lround": roundInt("math.round"), "llround": roundInt("math.round"), "lroundf": roundInt("math.round"), "llroundf": roundInt("math.round"),
	"lrint": roundInt("math.roundeven"), "llrint": roundInt("math.roundeven"), "lrintf": roundInt("math.roundeven"), "llrintf": roundInt("math.roundeven"),
	"hypot": func(b *builder, t ir.Type, v []*ir.Value) *ir.Value { return b.hypot(t, v[0], v[1]) },
	"fdim":  func(b *builder, t ir.Type, v []*ir.Value) *ir.Value { return b.fdim(t, v[0], v[1]) },
}

func absInt(b *builder, t ir.Type, v []*ir.Value) *ir.Value {
	op := b.make("llvm.intr.abs", v[:1], t)
	op.SetAttr("is_int_min_poison", &ir.IntegerAttr{Value: 0, Type: ir.I1})
	return b.insert(op).Result(0)
}

func roundInt(op string) func(b *builder, t ir.Type, v []*ir.Value) *ir.Value {
	return func(b *builder, t ir.Type, v []*ir.Value) *ir.Value {
		return b.op("llvm.fptosi", t, b.op(op, v[0].Type, v[0]))
	}
}

// hypot divides by the larger magnitude so that squares neither overflow nor vanish.
func (b *builder) hypot(t ir.Type, x, y *ir.Value) *ir.Value {
	x, y = b.op("math.absf", t, x), b.op("math.absf", t, y)
	big, small := b.op("arith.maximumf", t, x, y), b.op("arith.minimumf", t, x, y)
	q := b.op("arith.divf", t, small, big)
	h := b.op("arith.mulf", t, big, b.op("math.sqrt", t, b.op("arith.addf", t, b.float(t, 1), b.op("arith.mulf", t, q, q))))
	return b.selectOf(b.fcmp(fcmpOEQ, big, b.float(t, 0)), big, h)
}

// fdim is the positive difference.
func (b *builder) fdim(t ir.Type, x, y *ir.Value) *ir.Value {
	// x <= y gives 0; a NaN on either side gives NaN, as x - y does.
	le := b.fcmp(fcmpOLE, x, y)
	return b.selectOf(le, b.float(t, 0), b.op("arith.subf", t, x, y))
}

// libraryName is the name under which a called function is in the tables above: the
// C function for double, where the call fits its signature. Intrinsics may be called
// on vectors, element by element.
func libraryName(op *ir.Operation) (name string, ok bool) {
	if callee(op) == "" || op.NumResults() != 1 {
		return "", false
	}
	t := op.Result(0).Type
	if name, _, ok := intrinsicName(callee(op)); ok {
		m, known := mathOps[name]
		return name, known && allOf(op, m.n, t)
	}
	link := strings.TrimPrefix(strings.TrimSuffix(callee(op), "_finite"), "__")
	name = link
	if t == ir.Type(ir.F32) {
		name = strings.TrimSuffix(link, "f")
	}
	// float f(double) and the like are not the library's.
	float := ir.IsFloat(t) && (t == ir.Type(ir.F64) || link == name+"f")
	if m, known := mathOps[name]; known {
		return name, float && allOf(op, m.n, t)
	}
	switch name {
	case "hypot", "fdim":
		return name, float && allOf(op, 2, t)
	case "abs", "labs", "llabs":
		return name, !ir.IsFloat(t) && allOf(op, 1, t)
	case "lround", "llround", "lrint", "llrint", "lroundf", "llroundf", "lrintf", "llrintf":
		return name, op.NumOperands() == 1 && ir.IsFloat(op.Operand(0).Type)
	}
	return "", false
}

// allOf reports whether a call has n operands, all of one type.
func allOf(op *ir.Operation, n int, t ir.Type) bool {
	for _, v := range op.Operands() {
		if v.Type != t {
			return false
		}
	}
	return op.NumOperands() == n
}

// libraryCalls turns calls of known library functions into operations.
func (m *module) libraryCalls(f *ir.Operation) {
	f.Walk(func(o *ir.Operation) bool {
		name, ok := libraryName(o)
		if !ok || m.byName[callee(o)] != nil { // the program's own function of that name
			return true
		}
		b := instead(o)
		var v *ir.Value
		if m, isOp := mathOps[name]; isOp {
			v = b.op(m.op, o.Result(0).Type, o.Operands()...)
		} else {
			v = expansions[name](b, o.Result(0).Type, o.Operands())
		}
		o.Result(0).ReplaceAllUsesWith(v)
		o.Erase()
		return true
	})
}
