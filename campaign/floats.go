package campaign

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"loom/compiler/ir"
	"loom/sim/vector"
)

// Floats is the kind of cases in which an operation of floats takes random words, in a direct circuit under Verilator, at
// all levels beside the arithmetic of this machine. Package loom tries them (loom.RandomCampaign).
const Floats = "floats"

// FloatWords is how many operands an operation takes in a case.
const FloatWords = 2000

// floatOp is an expression of C over x, y and w, of type T.
type floatOp struct {
	name, expression string
	result           string // the type, "" for T
	only             string // the T that there is, "" for both
	// quiet leaves out NaN that signal: C does not say what such an operation makes of them. The C library of GNU gives
	// NaN where LLVM, MLIR and so the hardware give the other operand.
	quiet bool
}

// F in an expression stands for the suffix of functions of float.
var floatOps = []floatOp{
	{name: "add", expression: "x + y"},
	{name: "subtract", expression: "x - y"},
	{name: "multiply", expression: "x * y"},
	{name: "divide", expression: "x / y"},
	{name: "remainder", expression: "fmodF(x, y)"},
	{name: "negate", expression: "-x"},
	{name: "absolute", expression: "fabsF(x)"},
	{name: "copysign", expression: "copysignF(x, y)"},
	{name: "fma", expression: "fmaF(x, y, w)"},
	{name: "sqrt", expression: "sqrtF(x)"},
	{name: "floor", expression: "floorF(x)"},
	{name: "ceil", expression: "ceilF(x)"},
	{name: "trunc", expression: "truncF(x)"},
	{name: "round", expression: "roundF(x)"},
	{name: "minimum", expression: "fminF(x, y)", quiet: true},
	{name: "maximum", expression: "fmaxF(x, y)", quiet: true},
	{name: "compare", expression: "(x < y) | (x <= y) << 1 | (x > y) << 2 | (x >= y) << 3 | (x == y) << 4 | (x != y) << 5 | (x != x) << 6", result: "int"},
	{name: "choose", expression: "x < y ? x : w"},
	{name: "toint", expression: "x > -2000000000 && x < 2000000000 ? (int)x : 0", result: "int"},
	{name: "tounsigned", expression: "x > -1 && x < 4000000000u ? (unsigned)x : 0", result: "unsigned"},
	{name: "fromint", expression: "(T)(int)k"},
	{name: "fromunsigned", expression: "(T)k"},
	{name: "extend", expression: "x", result: "double", only: "float"},
	{name: "truncate", expression: "x", result: "float", only: "double"},
	{name: "chain", expression: "(x + y) * w - x / y"},
}

// FloatCase is a case of Floats.
type FloatCase struct {
	// Name is that of the operation and type; Text is the kernel, in C.
	Name, Text string
	seed       uint64
	quiet      bool
}

// FloatCases is how many operations and types there are: each takes other operands in the next so many cases.
func FloatCases() uint64 { return uint64(len(floatCases)) }

var floatCases = func() (all []FloatCase) {
	for _, op := range floatOps {
		for _, t := range []string{"float", "double"} {
			if op.only != "" && op.only != t {
				continue
			}
			result := op.result
			if result == "" {
				result = t
			}
			suffix := map[string]string{"float": "f", "double": ""}[t]
			expression := strings.ReplaceAll(strings.ReplaceAll(op.expression, "F(", suffix+"("), "T)", t+")")
			name := op.name + "_" + t
			all = append(all, FloatCase{Name: name, quiet: op.quiet, Text: fmt.Sprintf(`#include <math.h>
void %[1]s(int n, const %[2]s *restrict xs, const %[2]s *restrict ys, const %[2]s *restrict ws, const unsigned *restrict ks, %[3]s *restrict zs)
{
    for (int i = 0; i < n; i++) {
        %[2]s x = xs[i], y = ys[i], w = ws[i];
        unsigned k = ks[i];
        zs[i] = %[4]s;
    }
}
`, name, t, result, expression)})
		}
	}
	return all
}()

// NewFloatCase is the case of a number.
func NewFloatCase(n uint64) FloatCase {
	c := floatCases[n%FloatCases()]
	c.seed = n / FloatCases()
	return c
}

// Fill sets the arguments: words drawn by bit pattern, with zeros, subnormal numbers, infinities, NaN and numbers close
// to each other.
func (c FloatCase) Fill(in *vector.Inputs) {
	r := rand.New(rand.NewPCG(c.seed, 0xf10a7))
	var near uint64
	for i := range in.Args {
		a := &in.Args[i]
		if a.Mem == nil {
			continue // the number of elements
		}
		for k := range a.Mem.Data {
			switch a.Mem.Elem {
			case ir.Type(ir.F32):
				near = floatWord(r, 8, 23, near)
				a.Mem.Data[k] = near
			case ir.Type(ir.F64):
				near = floatWord(r, 11, 52, near)
				a.Mem.Data[k] = near
			default:
				a.Mem.Data[k] = uint64(uint32(r.Uint64()) >> r.IntN(32))
			}
		}
	}
	// Operands of an element that are close to each other.
	var floats []*vector.Memory
	for i := range in.Args {
		if m := in.Args[i].Mem; m != nil && (m.Elem == ir.Type(ir.F32) || m.Elem == ir.Type(ir.F64)) {
			floats = append(floats, m)
		}
	}
	for i := 1; i < len(floats); i++ {
		exp, frac := 8, 23
		if floats[i].Elem == ir.Type(ir.F64) {
			exp, frac = 11, 52
		}
		for k := range floats[i].Data {
			if floats[i].Elem == floats[0].Elem && k < len(floats[0].Data) {
				floats[i].Data[k] = floatWord(r, exp, frac, floats[i-1].Data[k])
			}
		}
	}
	if !c.quiet {
		return
	}
	for _, m := range floats {
		exp, frac := 8, 23
		if m.Elem == ir.Type(ir.F64) {
			exp, frac = 11, 52
		}
		for k, word := range m.Data {
			if ones := uint64(1)<<exp - 1; word>>frac&ones == ones && word&(1<<frac-1) != 0 {
				m.Data[k] = word | 1<<(frac-1)
			}
		}
	}
}

// floatWord draws a word of a format, often close to another one.
func floatWord(r *rand.Rand, exp, frac int, near uint64) uint64 {
	word := ^uint64(0) >> (63 - exp - frac)
	most := int64(1)<<exp - 1
	switch r.IntN(8) {
	case 0: // the corners of exponent and fraction
		bias := most >> 1
		exponents := []int64{0, 0, 1, bias - 1, bias, bias + 1, bias + int64(frac), most - 1, most}
		full := uint64(1)<<frac - 1
		fractions := []uint64{0, 0, 1, full >> 1, full>>1 + 1, full - 1, full}
		return r.Uint64N(2)<<(exp+frac) | uint64(exponents[r.IntN(len(exponents))])<<frac | fractions[r.IntN(len(fractions))]
	case 1, 2, 3: // an exponent near that of the other word
		e := int64(near>>frac)&most + int64(r.IntN(2*frac+7)) - int64(frac) - 3
		return r.Uint64()&(1<<(exp+frac)|(1<<frac-1)) | uint64(min(max(e, 0), most))<<frac
	case 4: // nearly the same word
		return (near ^ r.Uint64N(2)<<(exp+frac) + r.Uint64N(5) - 2) & word
	case 5: // few bits in the fraction
		return r.Uint64() & word & (^uint64(0) << r.IntN(frac+1))
	}
	return r.Uint64() & word
}
