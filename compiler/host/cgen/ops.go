package cgen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// word is the unsigned C type that holds an integer of that many bits.
func word(width int) (ctype string, bits int) {
	for _, w := range []int{8, 16, 32, 64} {
		if width <= w {
			return fmt.Sprintf("uint%d_t", w), w
		}
	}
	return "", 0
}

// CType is the C type in which generated code holds a value, or an element of memory:
// integers without sign and with all higher bits zero. It is "" for a type that has none.
func CType(t ir.Type, indexWidth int) string {
	switch t := t.(type) {
	case *ir.IntegerType, *ir.IndexType:
		w, _ := ir.BitWidth(t, indexWidth)
		if w < 1 {
			return ""
		}
		c, _ := word(w)
		return c
	case *ir.FloatType:
		switch t.Name {
		case "f32":
			return "float"
		case "f64":
			return "double"
		}
	}
	return ""
}

// PassedType is the C type of a value that is passed on and not computed with: of half precision the bits.
func PassedType(t ir.Type, indexWidth int) string {
	if f, ok := t.(*ir.FloatType); ok && (f.Name == "f16" || f.Name == "bf16") {
		return "uint16_t"
	}
	return CType(t, indexWidth)
}

// ElemBytes is the size of a value of the program in memory.
func ElemBytes(t ir.Type, indexWidth int) int64 {
	if f, ok := t.(*ir.FloatType); ok && (f.Name == "f16" || f.Name == "bf16") {
		return 2
	}
	switch CType(t, indexWidth) {
	case "uint8_t":
		return 1
	case "uint16_t":
		return 2
	case "uint32_t", "float":
		return 4
	}
	return 8
}

func (f *function) width(t ir.Type) int {
	w, _ := ir.BitWidth(t, f.u.opts.IndexWidth)
	return w
}

// cut brings an expression into the form of an integer of that width.
func cut(expr string, width int) string {
	t, bits := word(width)
	if width == bits && Ident(expr) == expr {
		return "(" + t + ")" + expr
	}
	if width == bits {
		return "(" + t + ")(" + expr + ")"
	}
	return fmt.Sprintf("(%s)((%s) & %s)", t, expr, literal(1<<width-1, bits))
}

// literal spells an unsigned number for a word of that many bits.
func literal(v uint64, bits int) string {
	if bits > 32 {
		return fmt.Sprintf("UINT64_C(%d)", v)
	}
	return fmt.Sprintf("%du", v)
}

// constant spells a bit pattern of type t.
func (f *function) constant(v uint64, t ir.Type) string {
	if ft, ok := t.(*ir.FloatType); ok {
		if ft.Name == "f32" {
			return f.float(float64(math.Float32frombits(uint32(v))), 32, v)
		}
		return f.float(math.Float64frombits(v), 64, v)
	}
	_, bits := word(f.width(t))
	return literal(v, bits)
}

func (f *function) float(x float64, bits int, pattern uint64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		name := fmt.Sprintf("loom_bits_f%d", bits)
		f.u.need(name)
		return fmt.Sprintf("%s(%s)", name, literal(pattern, bits))
	}
	s := strconv.FormatFloat(x, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if bits == 32 {
		s += "f"
	}
	return s
}

// wide is an operand as a word in which C computes without promotion to int.
func (f *function) wide(v *ir.Value) string {
	if f.width(v.Type) <= 16 {
		return "(uint32_t)" + f.val(v)
	}
	return f.val(v)
}

// signedOf is an operand as a signed number.
func (f *function) signedOf(v *ir.Value) string {
	w := f.width(v.Type)
	if _, bits := word(w); bits == w {
		return fmt.Sprintf("(int%d_t)%s", w, f.val(v))
	}
	f.u.need("loom_sext")
	return fmt.Sprintf("loom_sext(%s, %du)", f.val(v), w)
}

// long is an operand as an int64_t.
func (f *function) long(v *ir.Value) string { return "(int64_t)" + f.signedOf(v) }

func (f *function) call(name string, args ...string) string {
	f.u.need(name)
	return name + "(" + strings.Join(args, ", ") + ")"
}

// ofDouble is a call of a function on double whose value is rounded to the result.
func (f *function) ofDouble(t ir.Type, name string, args ...*ir.Value) string {
	var list []string
	for _, a := range args {
		list = append(list, "(double)"+f.val(a))
	}
	if strings.HasPrefix(name, "loom_") {
		f.u.need(name)
	} else {
		f.u.need("<math.h>")
	}
	s := name + "(" + strings.Join(list, ", ") + ")"
	if CType(t, f.u.opts.IndexWidth) == "float" {
		return "(float)" + s
	}
	return s
}

// infix are the operations that C writes between its operands.
var infix = map[string]string{
	opname.ArithAddI: "+", opname.ArithSubI: "-", opname.ArithMulI: "*", opname.ArithAndI: "&", opname.ArithOrI: "|", opname.ArithXOrI: "^",
	opname.ArithAddF: "+", opname.ArithSubF: "-", opname.ArithMulF: "*", opname.ArithDivF: "/",
}

// onDouble are the operations that are functions of C's library or helpers, computed in
// double as package num does.
var onDouble = map[string]string{
	opname.ArithRemF: "fmod", opname.MathPowF: "pow", opname.MathAtan2: "atan2",
	opname.ArithMinimumF: "loom_fminimum", opname.ArithMaximumF: "loom_fmaximum", opname.ArithMinNumF: "loom_fminnum", opname.ArithMaxNumF: "loom_fmaxnum",
	opname.MathSqrt: "sqrt", opname.MathFloor: "floor", opname.MathCeil: "ceil", opname.MathTrunc: "trunc", opname.MathRound: "round",
	opname.MathRoundeven: "rint", opname.MathCbrt: "cbrt", opname.MathExp: "exp", opname.MathExp2: "exp2", opname.MathExpm1: "expm1",
	opname.MathLog: "log", opname.MathLog2: "log2", opname.MathLog10: "log10", opname.MathLog1p: "log1p",
	opname.MathSin: "sin", opname.MathCos: "cos", opname.MathTan: "tan", opname.MathAsin: "asin", opname.MathAcos: "acos", opname.MathAtan: "atan",
	opname.MathSinh: "sinh", opname.MathCosh: "cosh", opname.MathTanh: "tanh", opname.MathAsinh: "asinh", opname.MathAcosh: "acosh", opname.MathAtanh: "atanh",
	opname.MathErf: "erf",
}

// signedDivides and unsignedDivides are helpers on 64-bit numbers.
var (
	signedDivides = map[string]string{opname.ArithDivSI: "loom_divs", opname.ArithRemSI: "loom_rems", opname.ArithCeilDivSI: "loom_ceildivs",
		opname.ArithFloorDivSI: "loom_floordivs", opname.MathIPowI: "loom_pows"}
	unsignedDivides = map[string]string{opname.ArithDivUI: "loom_divu", opname.ArithRemUI: "loom_remu", opname.ArithCeilDivUI: "loom_ceildivu"}
)

// expression is a pure operation with one result as a C expression; "" for one that
// this package does not know.
func (f *function) expression(op *ir.Operation) string {
	name := op.Name
	if d := op.Def(); d != nil && d.Twin != "" {
		name = d.Twin
	}
	t := op.Result(0).Type
	w := f.width(t)
	arg := func(i int) *ir.Value { return op.Operand(i) }
	if s, ok := infix[name]; ok {
		if ir.IsFloat(t) {
			return f.val(arg(0)) + " " + s + " " + f.val(arg(1))
		}
		if strings.ContainsAny(s, "&|^") {
			_, bits := word(w) // what is not there in the operands is not there in the result
			return cut(f.val(arg(0))+" "+s+" "+f.val(arg(1)), bits)
		}
		return cut(f.wide(arg(0))+" "+s+" "+f.wide(arg(1)), w)
	}
	if fn, ok := onDouble[name]; ok {
		return f.ofDouble(t, fn, op.Operands()...)
	}
	if fn, ok := signedDivides[name]; ok {
		return cut("(uint64_t)"+f.call(fn, f.long(arg(0)), f.long(arg(1))), w)
	}
	if fn, ok := unsignedDivides[name]; ok {
		if c, isConst := f.constantOf(arg(1)); isConst && c != 0 && name != opname.ArithCeilDivUI {
			sign := "/"
			if name == opname.ArithRemUI {
				sign = "%"
			}
			return cut(f.wide(arg(0))+" "+sign+" "+f.wide(arg(1)), w)
		}
		return cut(f.call(fn, f.val(arg(0)), f.val(arg(1))), w)
	}
	switch name {
	case opname.ArithShLI, opname.ArithShRUI, opname.ArithShRSI:
		return f.shift(name, arg(0), arg(1), w)
	case opname.ArithCmpI:
		p, ok := predicate(op)
		if !ok {
			return ""
		}
		return f.compare(p, arg(0), arg(1))
	case opname.ArithCmpF:
		p, ok := arith.FloatPredicateOf(op)
		if !ok {
			return ""
		}
		return f.compareFloat(p, f.val(arg(0)), f.val(arg(1)))
	case opname.ArithSelect:
		s := f.val(arg(0)) + " ? " + f.val(arg(1)) + " : " + f.val(arg(2))
		if ir.IsFloat(t) {
			return s
		}
		_, bits := word(w)
		return cut(s, bits)
	case opname.ArithMinSI, opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMaxUI:
		p := map[string]arith.IntPredicate{opname.ArithMinSI: arith.Slt, opname.ArithMaxSI: arith.Sgt, opname.ArithMinUI: arith.Ult, opname.ArithMaxUI: arith.Ugt}[name]
		return cut(f.compare(p, arg(0), arg(1))+" ? "+f.val(arg(0))+" : "+f.val(arg(1)), w)
	case opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCastUI:
		switch _, bits := word(w); {
		case f.width(arg(0).Type) == w:
			return f.val(arg(0))
		case f.width(arg(0).Type) < w:
			return cut(f.val(arg(0)), bits)
		}
		return cut(f.val(arg(0)), w)
	case opname.ArithExtSI, opname.ArithIndexCast:
		if f.width(arg(0).Type) >= w {
			return cut(f.val(arg(0)), w)
		}
		return cut("(uint64_t)"+f.long(arg(0)), w)
	case opname.ArithBitcast:
		return f.bitcast(arg(0), t)
	case opname.ArithExtF, opname.ArithTruncF:
		return "(" + CType(t, 0) + ")" + f.val(arg(0))
	case opname.ArithSIToFP:
		return "(" + CType(t, 0) + ")" + f.signedOf(arg(0))
	case opname.ArithUIToFP:
		return "(" + CType(t, 0) + ")" + f.val(arg(0))
	case opname.ArithFPToSI:
		return cut(f.call("loom_fptosi", "(double)"+f.val(arg(0)), fmt.Sprintf("%du", w)), w)
	case opname.ArithFPToUI:
		return cut(f.call("loom_fptoui", "(double)"+f.val(arg(0)), fmt.Sprintf("%du", w)), w)
	case opname.ArithNegF:
		return "-" + f.paren(arg(0))
	case opname.MathAbsF:
		f.u.need("<math.h>")
		return "(" + CType(t, 0) + ")fabs((double)" + f.val(arg(0)) + ")"
	case opname.MathCopysign:
		return f.ofDouble(t, "copysign", arg(0), arg(1))
	case opname.MathFMA:
		f.u.need("<math.h>")
		fn := "fma"
		if CType(t, 0) == "float" {
			fn = "fmaf"
		}
		return fn + "(" + f.val(arg(0)) + ", " + f.val(arg(1)) + ", " + f.val(arg(2)) + ")"
	case opname.MathRsqrt:
		f.u.need("<math.h>")
		return "(" + CType(t, 0) + ")(1.0 / sqrt((double)" + f.val(arg(0)) + "))"
	case opname.MathFPowI:
		f.u.need("<math.h>")
		return "(" + CType(t, 0) + ")pow((double)" + f.val(arg(0)) + ", (double)" + f.signedOf(arg(1)) + ")"
	case opname.MathAbsI:
		a := f.val(arg(0))
		return cut(f.signedOf(arg(0))+" < 0 ? 0u - "+f.wide(arg(0))+" : "+f.wideText(a, w), w)
	case opname.MathCtPop:
		return cut(f.call("loom_ctpop", f.val(arg(0))), w)
	case opname.MathCtLZ, opname.MathCtTZ, opname.LLVMIntrBitreverse:
		fn := map[string]string{opname.MathCtLZ: "loom_ctlz", opname.MathCtTZ: "loom_cttz", opname.LLVMIntrBitreverse: "loom_bitreverse"}[name]
		return cut(f.call(fn, f.val(arg(0)), fmt.Sprintf("%du", w)), w)
	case opname.IndexSizeof:
		_, bits := word(w)
		return literal(uint64(w), bits)
	}
	return ""
}

func (f *function) wideText(a string, w int) string {
	if w <= 16 {
		return "(uint32_t)" + a
	}
	return a
}

// paren is an operand that may stand behind a sign.
func (f *function) paren(v *ir.Value) string {
	s := f.val(v)
	if strings.HasPrefix(s, "-") {
		return "(" + s + ")"
	}
	return s
}

// shift has an amount that may reach the width.
func (f *function) shift(name string, a, n *ir.Value, w int) string {
	c, isConst := f.constantOf(n)
	amount := f.val(n)
	if name == opname.ArithShRSI {
		switch {
		case isConst:
			_, bits := word(w)
			amount = literal(min(c, uint64(w-1)), bits)
		default:
			amount = fmt.Sprintf("(%s < %du ? %s : %du)", amount, w, amount, w-1)
		}
		return cut("(uint64_t)("+f.long(a)+" >> "+amount+")", w)
	}
	sign := "<<"
	if name == opname.ArithShRUI {
		sign = ">>"
	}
	switch {
	case isConst && c >= uint64(w):
		_, bits := word(w)
		return literal(0, bits)
	case isConst:
		return cut(f.wide(a)+" "+sign+" "+amount, w)
	}
	return cut(fmt.Sprintf("%s < %du ? %s %s %s : 0u", amount, w, f.wide(a), sign, amount), w)
}

func (f *function) bitcast(v *ir.Value, to ir.Type) string {
	from := CType(v.Type, f.u.opts.IndexWidth)
	dest := CType(to, f.u.opts.IndexWidth)
	switch {
	case from == dest:
		return f.val(v)
	case ir.IsFloat(v.Type):
		return f.call(map[string]string{"float": "loom_f32_bits", "double": "loom_f64_bits"}[from], f.val(v))
	}
	return f.call(map[string]string{"float": "loom_bits_f32", "double": "loom_bits_f64"}[dest], f.val(v))
}

// Operations are the pure operations that have a C form, unsorted.
func Operations() []string {
	out := []string{opname.ArithShLI, opname.ArithShRUI, opname.ArithShRSI, opname.ArithCmpI, opname.ArithCmpF, opname.ArithSelect,
		opname.ArithMinSI, opname.ArithMaxSI, opname.ArithMinUI, opname.ArithMaxUI, opname.ArithExtUI, opname.ArithTruncI, opname.ArithIndexCastUI,
		opname.ArithExtSI, opname.ArithIndexCast, opname.ArithBitcast, opname.ArithExtF, opname.ArithTruncF, opname.ArithSIToFP, opname.ArithUIToFP,
		opname.ArithFPToSI, opname.ArithFPToUI, opname.ArithNegF, opname.MathAbsF, opname.MathCopysign, opname.MathFMA, opname.MathRsqrt, opname.MathFPowI,
		opname.MathAbsI, opname.MathCtPop, opname.MathCtLZ, opname.MathCtTZ, opname.LLVMIntrBitreverse, opname.IndexSizeof, opname.ArithConstant,
		opname.ArithAddUIExtended, opname.ArithMulUIExtended, opname.ArithMulSIExtended}
	for _, table := range []map[string]string{infix, onDouble, signedDivides, unsignedDivides} {
		for n := range table {
			out = append(out, n)
		}
	}
	for _, d := range ir.Definitions() {
		if d.Twin != "" {
			out = append(out, d.Name)
		}
	}
	return out
}
