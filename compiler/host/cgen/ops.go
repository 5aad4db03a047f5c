package cgen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
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
	"arith.addi": "+", "arith.subi": "-", "arith.muli": "*", "arith.andi": "&", "arith.ori": "|", "arith.xori": "^",
	"arith.addf": "+", "arith.subf": "-", "arith.mulf": "*", "arith.divf": "/",
}

// onDouble are the operations that are functions of C's library or helpers, computed in
// double as package num does.
var onDouble = map[string]string{
	"arith.remf": "fmod", "math.powf": "pow", "math.atan2": "atan2",
	"arith.minimumf": "loom_fminimum", "arith.maximumf": "loom_fmaximum", "arith.minnumf": "loom_fminnum", "arith.maxnumf": "loom_fmaxnum",
	"math.sqrt": "sqrt", "math.floor": "floor", "math.ceil": "ceil", "math.trunc": "trunc", "math.round": "round",
	"math.roundeven": "rint", "math.cbrt": "cbrt", "math.exp": "exp", "math.exp2": "exp2", "math.expm1": "expm1",
	"math.log": "log", "math.log2": "log2", "math.log10": "log10", "math.log1p": "log1p",
	"math.sin": "sin", "math.cos": "cos", "math.tan": "tan", "math.asin": "asin", "math.acos": "acos", "math.atan": "atan",
	"math.sinh": "sinh", "math.cosh": "cosh", "math.tanh": "tanh", "math.asinh": "asinh", "math.acosh": "acosh", "math.atanh": "atanh",
	"math.erf": "erf",
}

// signedDivides and unsignedDivides are helpers on 64-bit numbers.
var (
	signedDivides = map[string]string{"arith.divsi": "loom_divs", "arith.remsi": "loom_rems", "arith.ceildivsi": "loom_ceildivs",
		"arith.floordivsi": "loom_floordivs", "math.ipowi": "loom_pows"}
	unsignedDivides = map[string]string{"arith.divui": "loom_divu", "arith.remui": "loom_remu", "arith.ceildivui": "loom_ceildivu"}
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
		if c, isConst := f.constantOf(arg(1)); isConst && c != 0 && name != "arith.ceildivui" {
			sign := "/"
			if name == "arith.remui" {
				sign = "%"
			}
			return cut(f.wide(arg(0))+" "+sign+" "+f.wide(arg(1)), w)
		}
		return cut(f.call(fn, f.val(arg(0)), f.val(arg(1))), w)
	}
	switch name {
	case "arith.shli", "arith.shrui", "arith.shrsi":
		return f.shift(name, arg(0), arg(1), w)
	case "arith.cmpi":
		p, ok := predicate(op)
		if !ok {
			return ""
		}
		return f.compare(p, arg(0), arg(1))
	case "arith.cmpf":
		p, ok := arith.FloatPredicateOf(op)
		if !ok {
			return ""
		}
		return f.compareFloat(p, f.val(arg(0)), f.val(arg(1)))
	case "arith.select":
		s := f.val(arg(0)) + " ? " + f.val(arg(1)) + " : " + f.val(arg(2))
		if ir.IsFloat(t) {
			return s
		}
		_, bits := word(w)
		return cut(s, bits)
	case "arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui":
		p := map[string]arith.IntPredicate{"arith.minsi": arith.Slt, "arith.maxsi": arith.Sgt, "arith.minui": arith.Ult, "arith.maxui": arith.Ugt}[name]
		return cut(f.compare(p, arg(0), arg(1))+" ? "+f.val(arg(0))+" : "+f.val(arg(1)), w)
	case "arith.extui", "arith.trunci", "arith.index_castui":
		switch _, bits := word(w); {
		case f.width(arg(0).Type) == w:
			return f.val(arg(0))
		case f.width(arg(0).Type) < w:
			return cut(f.val(arg(0)), bits)
		}
		return cut(f.val(arg(0)), w)
	case "arith.extsi", "arith.index_cast":
		if f.width(arg(0).Type) >= w {
			return cut(f.val(arg(0)), w)
		}
		return cut("(uint64_t)"+f.long(arg(0)), w)
	case "arith.bitcast":
		return f.bitcast(arg(0), t)
	case "arith.extf", "arith.truncf":
		return "(" + CType(t, 0) + ")" + f.val(arg(0))
	case "arith.sitofp":
		return "(" + CType(t, 0) + ")" + f.signedOf(arg(0))
	case "arith.uitofp":
		return "(" + CType(t, 0) + ")" + f.val(arg(0))
	case "arith.fptosi":
		return cut(f.call("loom_fptosi", "(double)"+f.val(arg(0)), fmt.Sprintf("%du", w)), w)
	case "arith.fptoui":
		return cut(f.call("loom_fptoui", "(double)"+f.val(arg(0)), fmt.Sprintf("%du", w)), w)
	case "arith.negf":
		return "-" + f.paren(arg(0))
	case "math.absf":
		f.u.need("<math.h>")
		return "(" + CType(t, 0) + ")fabs((double)" + f.val(arg(0)) + ")"
	case "math.copysign":
		return f.ofDouble(t, "copysign", arg(0), arg(1))
	case "math.fma":
		f.u.need("<math.h>")
		fn := "fma"
		if CType(t, 0) == "float" {
			fn = "fmaf"
		}
		return fn + "(" + f.val(arg(0)) + ", " + f.val(arg(1)) + ", " + f.val(arg(2)) + ")"
	case "math.rsqrt":
		f.u.need("<math.h>")
		return "(" + CType(t, 0) + ")(1.0 / sqrt((double)" + f.val(arg(0)) + "))"
	case "math.fpowi":
		f.u.need("<math.h>")
		return "(" + CType(t, 0) + ")pow((double)" + f.val(arg(0)) + ", (double)" + f.signedOf(arg(1)) + ")"
	case "math.absi":
		a := f.val(arg(0))
		return cut(f.signedOf(arg(0))+" < 0 ? 0u - "+f.wide(arg(0))+" : "+f.wideText(a, w), w)
	case "math.ctpop":
		return cut(f.call("loom_ctpop", f.val(arg(0))), w)
	case "math.ctlz", "math.cttz", "llvm.intr.bitreverse":
		fn := map[string]string{"math.ctlz": "loom_ctlz", "math.cttz": "loom_cttz", "llvm.intr.bitreverse": "loom_bitreverse"}[name]
		return cut(f.call(fn, f.val(arg(0)), fmt.Sprintf("%du", w)), w)
	case "index.sizeof":
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
	if name == "arith.shrsi" {
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
	if name == "arith.shrui" {
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
	out := []string{"arith.shli", "arith.shrui", "arith.shrsi", "arith.cmpi", "arith.cmpf", "arith.select",
		"arith.minsi", "arith.maxsi", "arith.minui", "arith.maxui", "arith.extui", "arith.trunci", "arith.index_castui",
		"arith.extsi", "arith.index_cast", "arith.bitcast", "arith.extf", "arith.truncf", "arith.sitofp", "arith.uitofp",
		"arith.fptosi", "arith.fptoui", "arith.negf", "math.absf", "math.copysign", "math.fma", "math.rsqrt", "math.fpowi",
		"math.absi", "math.ctpop", "math.ctlz", "math.cttz", "llvm.intr.bitreverse", "index.sizeof", "arith.constant",
		"arith.addui_extended", "arith.mului_extended", "arith.mulsi_extended"}
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
