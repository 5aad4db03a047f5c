package randprog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/sim/vector"
)

// FloatLoop draws a kernel of floats for a fabric with words of so many bits: a loop, now and then in another
// one, that loads from one or two arrays, computes a few values in f32, or in f64 with some f32, stores some of them, now
// and then under a condition, and carries one or two. Its operations are those that randfabric's fabrics have.
func FloatLoop(seed uint64, width int) string {
	r := rand.New(rand.NewPCG(seed, 0xf10a7))
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	n := 0
	name := func() string { n++; return fmt.Sprintf("%%v%d", n) }
	t, word := "f32", fmt.Sprintf("i%d", width)
	if width == 64 && r.IntN(5) > 0 {
		t = "f64"
	}
	two := r.IntN(3) == 0 // carried values
	inner := r.IntN(5) == 0
	line("func.func @floats(%%a: memref<8x%s>, %%b: memref<8x%s>, %%x: %s, %%y: %s, %%n: index, %%k: %s) -> (%s, %s) {", t, t, t, t, word, t, t)
	line("  %%c0 = arith.constant 0 : index\n  %%c1 = arith.constant 1 : index")
	line("  %%half = arith.constant %s : %s", []string{"5.0e-01", "-3.0e+00", "1.0e-40", "2.5e+01"}[r.IntN(4)], t)
	if inner {
		line("  %%c2 = arith.constant 2 : index\n  %%r, %%q = scf.for %%o = %%c0 to %%c2 step %%c1 iter_args(%%ro = %%x, %%qo = %%y) -> (%s, %s) {", t, t)
		line("  %%ri, %%qi = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%s = %%ro, %%p = %%qo) -> (%s, %s) {", t, t)
	} else {
		line("  %%r, %%q = scf.for %%i = %%c0 to %%n step %%c1 iter_args(%%s = %%x, %%p = %%y) -> (%s, %s) {", t, t)
	}
	pool := []string{"%x", "%y", "%half", "%s"}
	if two {
		pool = append(pool, "%p")
	}
	pick := func() string {
		if r.IntN(2) == 0 {
			return pool[len(pool)-1] // the latest: chains rather than values that nothing reads
		}
		return pool[r.IntN(len(pool))]
	}
	load := func() {
		v := name()
		line("    %s = memref.load %%%s[%%i] : memref<8x%s>", v, []string{"a", "b"}[r.IntN(2)], t)
		pool = append(pool, v)
	}
	compare := func() string {
		c := name()
		predicate := []string{"olt", "oge", "une", "ueq", "ord", "uno", "ogt", "ule"}[r.IntN(8)]
		line("    %s = arith.cmpf %s, %s, %s : %s", c, predicate, pick(), pick(), t)
		return c
	}
	load()
	for range 2 + r.IntN(5) {
		x := pick()
		y := pool[r.IntN(len(pool))]
		v := name()
		switch r.IntN(16) {
		case 0, 1, 2:
			line("    %s = arith.%s %s, %s : %s", v, []string{"addf", "subf"}[r.IntN(2)], x, y, t)
		case 3, 4:
			line("    %s = arith.mulf %s, %s : %s", v, x, y, t)
		case 5, 6:
			line("    %s = math.fma %s, %s, %s : %s", v, x, y, pick(), t)
		case 7:
			line("    %s = arith.%s %s, %s : %s", v, []string{"divf", "remf"}[r.IntN(2)], x, y, t)
		case 8:
			line("    %s = math.sqrt %s : %s", v, x, t)
		case 9:
			c := compare()
			line("    %s = arith.select %s, %s, %s : %s", v, c, x, y, t)
		case 10:
			line("    %s = arith.%s %s, %s : %s", v, []string{"minimumf", "maximumf", "minnumf", "maxnumf"}[r.IntN(4)], x, y, t)
		case 11:
			line("    %s = %s %s : %s", v, []string{opname.ArithNegF, opname.MathAbsF}[r.IntN(2)], x, t)
		case 12:
			line("    %s = math.%s %s : %s", v, []string{"floor", "ceil", "trunc", "round", "roundeven"}[r.IntN(5)], x, t)
		case 13:
			whole, sum := name(), name()
			line("    %s = arith.%s %s : %s to %s", whole, []string{"fptosi", "fptoui"}[r.IntN(2)], x, t, word)
			line("    %s = arith.addi %s, %%k : %s\n    %s = arith.%s %s : %s to %s", sum, whole, word, v, []string{"sitofp", "uitofp"}[r.IntN(2)], sum, word, t)
		case 14:
			if fmt.Sprintf("i%s", t[1:]) == word {
				bits, sum := name(), name()
				line("    %s = arith.bitcast %s : %s to %s\n    %s = arith.addi %s, %%k : %s\n    %s = arith.bitcast %s : %s to %s", bits, x, t, word, sum, bits, word, v, sum, word, t)
				break
			}
			fallthrough
		default:
			switch {
			case t == "f64":
				small, sum := name(), name()
				line("    %s = arith.truncf %s : f64 to f32\n    %s = arith.%s %s, %s : f32\n    %s = arith.extf %s : f32 to f64",
					small, x, sum, []string{"addf", "mulf", "divf"}[r.IntN(3)], small, small, v, sum)
			default:
				line("    %s = math.copysign %s, %s : %s", v, x, y, t)
			}
		}
		pool = append(pool, v)
		if r.IntN(4) == 0 {
			load()
		}
	}
	switch r.IntN(4) {
	case 0:
		c := compare()
		line("    scf.if %s {\n      memref.store %s, %%b[%%i] : memref<8x%s>\n    }", c, pick(), t)
	case 1, 2:
		line("    memref.store %s, %%b[%%i] : memref<8x%s>", pick(), t)
	}
	next := func(carried string) string {
		v := name()
		switch r.IntN(5) {
		case 0:
			return pick()
		case 1:
			line("    %s = arith.mulf %s, %s : %s", v, carried, pick(), t)
		case 2:
			line("    %s = arith.maxnumf %s, %s : %s", v, carried, pick(), t)
		default:
			line("    %s = arith.%s %s, %s : %s", v, []string{"addf", "subf"}[r.IntN(2)], carried, pick(), t)
		}
		return v
	}
	s, p := next("%s"), "%p"
	if two {
		p = next("%p")
	}
	line("    scf.yield %s, %s : %s, %s\n  }", s, p, t, t)
	if inner {
		line("    scf.yield %%ri, %%qi : %s, %s\n  }", t, t)
	}
	line("  return %%r, %%q : %s, %s\n}", t, t)
	return b.String()
}

// FloatInputs are inputs of a kernel of FloatLoop: ordinary numbers, some subnormal, infinite, NaN and of few bits.
func FloatInputs(module *ir.Operation, seed uint64) *vector.Inputs {
	in := Inputs(module, seed)
	r := rand.New(rand.NewPCG(seed, 0x1f10a7))
	number := func(t ir.Type) uint64 {
		var x float64
		switch r.IntN(12) {
		case 0:
			x = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1e-42, 5e-324, math.MaxFloat32, math.MaxFloat64, 0x1p-126}[r.IntN(10)]
		case 1:
			x = math.Ldexp(r.NormFloat64(), r.IntN(280)-140)
		case 2, 3, 4:
			x = float64(r.IntN(33) - 16)
		default:
			x = r.NormFloat64() * 10
		}
		switch t {
		case ir.Type(ir.F32):
			return uint64(math.Float32bits(float32(x)))
		case ir.Type(ir.Index):
			return uint64(r.IntN(9))
		case ir.Type(ir.F64):
			return math.Float64bits(x)
		}
		return uint64(r.IntN(100))
	}
	for i := range in.Args {
		a := &in.Args[i]
		if a.Mem == nil {
			a.Scalar = number(a.Type)
			continue
		}
		for k := range a.Mem.Data {
			a.Mem.Data[k] = number(a.Mem.Elem)
		}
	}
	return in
}
