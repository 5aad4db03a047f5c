package normalise

import (
	_ "embed"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// libraryText holds the functions of library/library.c as MLIR, each a module of its
// own behind a line that names it: a kernel needs few of them.
//
//go:embed library/library.mlir
var libraryText string

// libraryMark starts the line in front of each function.
const libraryMark = "// function "

// libraryModule is the text of a function of the library, ok false where it has none
// of that name.
func libraryModule(name string) (text string, ok bool) {
	_, rest, ok := strings.Cut(libraryText, libraryMark+"lib_"+name+"\n")
	if !ok {
		return "", false
	}
	text, _, _ = strings.Cut(rest, libraryMark)
	return text, true
}

// hardware are the functions of <math.h> that are one operation of function units.
var hardware = map[string]string{
	"sqrt": opname.MathSqrt, "exp": opname.MathExp, "log2": opname.MathLog2, "sin": opname.MathSin, "cos": opname.MathCos,
	"fabs": opname.MathAbsF, "floor": opname.MathFloor, "fma": opname.MathFMA,
	"fmin": opname.ArithMinNumF, "fmax": opname.ArithMaxNumF, "fmod": opname.ArithRemF,
}

// operands of those that do not have one.
var hardwareOperands = map[string]int{"fma": 3, "fmin": 2, "fmax": 2, "fmod": 2}

// others are operations that are functions of the library, by the function's name.
var others = map[string]string{
	opname.MathLog: "log", opname.MathLog10: "log10", opname.MathLog1p: "log1p", opname.MathExp2: "exp2", opname.MathExpm1: "expm1",
	opname.MathPowF: "pow", opname.MathFPowI: "powi", opname.MathTan: "tan", opname.MathAsin: "asin", opname.MathAcos: "acos", opname.MathAtan: "atan",
	opname.MathAtan2: "atan2", opname.MathSinh: "sinh", opname.MathCosh: "cosh", opname.MathTanh: "tanh", opname.MathAsinh: "asinh",
	opname.MathAcosh: "acosh", opname.MathAtanh: "atanh", opname.MathCbrt: "cbrt", opname.MathErf: "erf", opname.MathCeil: "ceil",
	opname.MathTrunc: "trunc", opname.MathRound: "round", opname.MathRoundeven: "rint", opname.MathCopysign: "copysign",
	opname.LLVMIntrLog: "log", opname.LLVMIntrLog10: "log10", opname.LLVMIntrExp2: "exp2", opname.LLVMIntrExp10: "exp10",
	opname.LLVMIntrPow: "pow", opname.LLVMIntrPowi: "powi", opname.LLVMIntrTan: "tan", opname.LLVMIntrCeil: "ceil", opname.LLVMIntrTrunc: "trunc",
	opname.LLVMIntrRound: "round", opname.LLVMIntrRint: "rint", opname.LLVMIntrNearbyint: "rint", opname.LLVMIntrRoundeven: "rint",
	opname.LLVMIntrCopysign: "copysign",
}

// synonyms are other names of functions of the library.
var synonyms = map[string]string{
	"nearbyint": "rint", "roundeven": "rint", "scalbn": "ldexp", "drem": "remainder", "pow10": "exp10", "gamma": "lgamma",
	"bcmp": "memcmp", "nearbyintf": "rintf", "roundevenf": "rintf", "scalbnf": "ldexpf", "dremf": "remainderf", "pow10f": "exp10f",
	"__strcpy_chk": "strcpy",
}

// integerCalls are library functions that are an operation on integers.
var integerCalls = map[string]func(b *builder, t ir.Type, v []*ir.Value) *ir.Value{
	"abs": absInt, "labs": absInt, "llabs": absInt,
	"lround": roundInt(opname.MathRound), "llround": roundInt(opname.MathRound), "lroundf": roundInt(opname.MathRound), "llroundf": roundInt(opname.MathRound),
	"lrint": roundInt(opname.MathRoundeven), "llrint": roundInt(opname.MathRoundeven), "lrintf": roundInt(opname.MathRoundeven), "llrintf": roundInt(opname.MathRoundeven),
}

func absInt(b *builder, t ir.Type, v []*ir.Value) *ir.Value {
	op := b.make(opname.LLVMIntrAbs, v[:1], t)
	op.SetAttr("is_int_min_poison", &ir.IntegerAttr{Value: 0, Type: ir.I1})
	return b.insert(op).Result(0)
}

func roundInt(op string) func(b *builder, t ir.Type, v []*ir.Value) *ir.Value {
	return func(b *builder, t ir.Type, v []*ir.Value) *ir.Value {
		return b.op(opname.LLVMFPToSI, t, b.op(op, v[0].Type, v[0]))
	}
}

// libraryUse is how a call of a library function is replaced.
type libraryUse struct {
	op      string // by one operation,
	integer string // by an operation on integers,
	inline  string // or by the body of this function
}

// libraryCall finds out what replaces a call of a library function; ok is false where
// it is none, or has another signature. Intrinsics may be called on vectors.
func libraryCall(o *ir.Operation) (use libraryUse, ok bool) {
	link := callee(o)
	if link == "" {
		return use, false
	}
	if name, _, ok := intrinsicName(link); ok {
		if o.NumResults() != 1 {
			return use, false
		}
		if others["math."+name] != "" && allOf(o, o.NumOperands(), o.Result(0).Type) {
			return libraryUse{op: "math." + name}, true
		}
		if name == "exp10" || name == "ldexp" {
			link = name
			if o.Result(0).Type == ir.Type(ir.F32) {
				link += "f"
			}
		}
	}
	name := strings.TrimPrefix(strings.TrimSuffix(link, "_finite"), "__")
	if s := synonyms[link]; s != "" {
		name = s
	}
	if integerCalls[name] != nil {
		float := strings.Contains(name, "r") // lround and lrint
		return libraryUse{integer: name}, o.NumOperands() == 1 && o.NumResults() == 1 && ir.IsFloat(o.Operand(0).Type) == float
	}
	if o.NumResults() == 1 && ir.IsFloat(o.Result(0).Type) {
		t, plain := o.Result(0).Type, name
		if t == ir.Type(ir.F32) {
			plain = strings.TrimSuffix(name, "f")
		}
		if op := hardware[plain]; op != "" && (plain != name) == (t == ir.Type(ir.F32)) {
			return libraryUse{op: op}, allOf(o, max(hardwareOperands[plain], 1), t)
		}
	}
	f := libraryFunction(name)
	if f == nil {
		return use, false
	}
	args := f.op.Regions[0].Entry().Args
	if len(args) != o.NumOperands() {
		return use, false
	}
	for i, a := range args {
		if a.Type != o.Operand(i).Type {
			return use, false
		}
	}
	result := returnType(f.op)
	same := o.NumResults() == 0 || result != nil && o.Result(0).Type == result
	return libraryUse{inline: name}, same
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

// libraryCalls replaces calls of known library functions by operations, or by calls
// of the library's own, which are inlined with all others.
func (m *module) libraryCalls(f *function) {
	f.op.Walk(func(o *ir.Operation) bool {
		if m.byName[callee(o)] != nil {
			return true // the program's own function of that name
		}
		use, ok := libraryCall(o)
		if !ok {
			return true
		}
		if use.inline != "" {
			m.callLibrary(f, o, use.inline)
			return true
		}
		b := instead(o)
		var v *ir.Value
		if use.op != "" {
			v = b.op(use.op, o.Result(0).Type, o.Operands()...)
		} else {
			v = integerCalls[use.integer](b, o.Result(0).Type, o.Operands())
		}
		o.Result(0).ReplaceAllUsesWith(v)
		o.Erase()
		return true
	})
}

// Approximate is an attribute of the kernel: it contains a function of the library
// whose results are not those of C's library to the last bit, and that has no
// operation of which the same is known.
const Approximate = "loom.approximate"

var approximate = map[string]bool{"hypot": true, "hypotf": true}

// callLibrary makes a call one of the library's function, and that one of the module.
func (m *module) callLibrary(f *function, o *ir.Operation, name string) {
	link := "lib_" + name
	g := m.byName[link]
	if g == nil {
		g = libraryFunction(name)
		m.byName[link] = g
	}
	o.SetAttr("callee", &ir.SymbolRefAttr{Root: link})
	m.approximate = m.approximate || approximate[name]
	for _, h := range f.calls {
		if h == g {
			return
		}
	}
	f.calls = append(f.calls, g)
}

// libraryFunction reads a function of the library; nil where there is none.
func libraryFunction(name string) *function {
	text, ok := libraryModule(name)
	if !ok {
		return nil
	}
	op, err := mlir.Parse("library.mlir", text)
	if err != nil {
		panic("normalise: the library does not parse: " + err.Error())
	}
	op = op.Regions[0].Blocks[0].Ops[0]
	op.Walk(func(o *ir.Operation) bool {
		o.Loc = "" // it gets that of the call
		return true
	})
	return &function{op: op, link: "lib_" + name, name: name, full: name}
}

// expandMath substitutes the library's bodies for operations that function units do
// not have.
func (m *module) expandMath(f *function) {
	for {
		var todo []*ir.Operation
		f.op.Walk(func(o *ir.Operation) bool {
			if others[o.Name] != "" {
				todo = append(todo, o)
			}
			return true
		})
		if len(todo) == 0 {
			return
		}
		for _, o := range todo {
			name := others[o.Name]
			if o.Result(0).Type == ir.Type(ir.F32) {
				name += "f"
			}
			g := m.byName["lib_"+name]
			if g == nil {
				if g = libraryFunction(name); g == nil {
					panic("normalise: the library lacks " + name)
				}
				m.byName["lib_"+name] = g
			}
			b := instead(o)
			call := b.make(opname.LLVMCall, o.Operands(), o.Result(0).Type)
			b.insert(call)
			o.Result(0).ReplaceAllUsesWith(call.Result(0))
			o.Erase()
			m.inline(f, call, g)
		}
	}
}
