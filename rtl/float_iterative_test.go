package rtl

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"loom/compiler/num"
)

// floatFormat is a format of the benches below.
type floatFormat struct{ exp, frac int }

func (f floatFormat) width() int   { return 1 + f.exp + f.frac }
func (f floatFormat) name() string { return fmt.Sprintf("%d_%d", f.exp, f.frac) }

// quotient is a / b by exact arithmetic.
func (f floatFormat) quotient(a, b uint64) uint64 {
	ca, na, va := decodeExact(a, f.exp, f.frac)
	cb, nb, vb := decodeExact(b, f.exp, f.frac)
	negative := na != nb
	zeroA, zeroB := ca == isNumber && va.Sign() == 0, cb == isNumber && vb.Sign() == 0
	switch {
	case ca == isNaN, cb == isNaN, ca == isInfinite && cb == isInfinite, zeroA && zeroB:
		return canonicalNaN(f.exp, f.frac)
	case ca == isInfinite, zeroB:
		return infinity(negative, f.exp, f.frac)
	case cb == isInfinite, zeroA:
		return roundExact(new(big.Rat), negative, f.exp, f.frac)
	}
	return roundExact(new(big.Rat).Quo(va, vb), negative, f.exp, f.frac)
}

// root is the square root of a by exact arithmetic: of so many bits that none is a tie by chance,
// with a last one that stands for the rest.
func (f floatFormat) root(a uint64) uint64 {
	class, negative, v := decodeExact(a, f.exp, f.frac)
	switch {
	case class == isNaN:
		return canonicalNaN(f.exp, f.frac)
	case class == isNumber && v.Sign() == 0:
		return a
	case negative:
		return canonicalNaN(f.exp, f.frac)
	case class == isInfinite:
		return a
	}
	// floor(sqrt(v) * 2^s), exactly.
	s := 1<<f.exp + 2*f.frac
	n := new(big.Int).Lsh(v.Num(), uint(2*s))
	n, rest := n.QuoRem(n, v.Denom(), new(big.Int))
	y := new(big.Int).Sqrt(n)
	exact := rest.Sign() == 0 && new(big.Int).Mul(y, y).Cmp(n) == 0
	y.Lsh(y, 1)
	if !exact {
		y.Add(y, big.NewInt(1))
	}
	return roundExact(scaled(y, -s-1, false), false, f.exp, f.frac)
}

// divsqrt is an instance of loom_float_divsqrt with the operations in parts (1 division, 2 roots, 3
// both) that does roots, or quotients.
func (f floatFormat) divsqrt(parts, bits int, root bool) floatUnit {
	w := f.width() - 1
	u := floatUnit{name: fmt.Sprintf("divsqrt %s of parts %d, %d bits, root %v", f.name(), parts, bits, root), value: f.divide}
	op := 0
	if root {
		op, u.value = 1, f.squareRoot
	}
	u.instance = fmt.Sprintf("      wire b_ready; wire root = %d;\n", op) +
		iterative("loom_float_divsqrt", fmt.Sprintf("EXP(%d), FRAC(%d), DIVIDE(%d), ROOT(%d), BITS(%d)", f.exp, f.frac, parts&1, parts>>1, bits),
			fmt.Sprintf(".root(root), .a_valid(in_valid), .a_ready(in_ready), .a_data(a[%[1]d:0]), .b_valid(in_valid & ~root), .b_ready(b_ready), .b_data(b[%[1]d:0])", w), f.width())
	return u
}

func (f floatFormat) divide(v vector) uint64     { return f.quotient(v.a, v.b) }
func (f floatFormat) squareRoot(v vector) uint64 { return f.root(v.a) }

// native is what the machine computes, of binary32 or binary64.
func (f floatFormat) native(root bool) func(v vector) uint64 {
	return func(v vector) uint64 {
		var y float64
		switch a, b := math.Float32frombits(uint32(v.a)), math.Float32frombits(uint32(v.b)); {
		case f.frac == 23 && root: // rounded twice, which does no harm: binary64 has more than twice the bits
			y = float64(float32(math.Sqrt(float64(a))))
		case f.frac == 23:
			y = float64(a / b)
		case root:
			y = math.Sqrt(math.Float64frombits(v.a))
		default:
			y = math.Float64frombits(v.a) / math.Float64frombits(v.b)
		}
		switch {
		case y != y:
			return canonicalNaN(f.exp, f.frac)
		case f.frac == 23:
			return uint64(math.Float32bits(float32(y)))
		}
		return math.Float64bits(y)
	}
}

// TestFloatDivSqrt compares quotients and roots with exact arithmetic.
func TestFloatDivSqrt(t *testing.T) {
	t.Parallel()
	many, native := 4000, 150000
	if soak() {
		many, native = 300000, 10000000
	}
	var units []floatUnit
	add := func(u floatUnit, vectors iter.Seq[vector]) {
		u.vectors = vectors
		units = append(units, u)
	}
	for _, bits := range []int{1, 2} {
		for _, parts := range []int{1, 2, 3} {
			for _, f := range []floatFormat{{3, 2}, {4, 3}, {4, 4}} {
				if parts&1 != 0 {
					add(f.divsqrt(parts, bits, false), allPairs(f.width(), 0))
				}
				if parts&2 != 0 {
					add(f.divsqrt(parts, bits, true), allValues(f.width(), 0))
				}
			}
		}
		add(floatFormat{5, 10}.divsqrt(2, bits, true), allValues(16, 0))
		add(floatFormat{8, 7}.divsqrt(3, bits, true), allValues(16, 0))
		for _, f := range []floatFormat{{5, 10}, {8, 7}, {8, 23}, {11, 52}} {
			add(f.divsqrt(3, bits, false), randomVectors(f.exp, f.frac, 6*many, 3, 0))
		}
		for _, f := range []floatFormat{{8, 23}, {11, 52}} {
			add(f.divsqrt(3, bits, true), randomVectors(f.exp, f.frac, many, 4, 0))
			for _, root := range []bool{false, true} {
				u := f.divsqrt(3, bits, root)
				u.value = f.native(root)
				add(u, randomVectors(f.exp, f.frac, native, 5, 0))
			}
		}
	}
	runFloats(t, units)
}

// function is an instance of loom_float_function with some of the functions (a bit for each of exp,
// log2, sin and cos); op comes with the vectors, of which one bench unit has only one.
func (f floatFormat) function(some, bits, op int) floatUnit {
	w := f.width() - 1
	u := floatUnit{name: fmt.Sprintf("function %d of %s, functions %04b, %d bits", op, f.name(), some, bits)}
	u.instance = iterative("loom_float_function",
		fmt.Sprintf("EXP(%d), FRAC(%d), HAS_EXP(%d), HAS_LOG2(%d), HAS_SIN(%d), HAS_COS(%d), BITS(%d)", f.exp, f.frac, some&1, some>>1&1, some>>2&1, some>>3&1, bits),
		fmt.Sprintf(".op(2'd%d), .a_valid(in_valid), .a_ready(in_ready), .a_data(a[%d:0])", op, w), f.width())
	u.value = func(v vector) uint64 { return num.Elementary(op, uint(f.exp), uint(f.frac), v.a) }
	return u
}

// functionVectors are n operands of a format: corners, any, of a moderate size, and near one.
func functionVectors(f floatFormat, n int, seed uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(f.exp)))
		one := (uint64(1)<<(f.exp-1) - 1) << f.frac
		c := corners(f.exp, f.frac)
		for i := range n {
			a := randomFloat(r, f.exp, f.frac, r.Uint64())
			switch size := r.IntN(f.frac+f.exp+6) - f.frac - 3; {
			case i < len(c):
				a = c[i]
			case i%3 == 0:
				a = (one+uint64(size)<<f.frac)&(1<<(f.exp+f.frac)-1) | r.Uint64()&(1<<f.frac-1) | r.Uint64N(2)<<(f.exp+f.frac)
			case i%3 == 1:
				a = one + r.Uint64N(1<<r.IntN(f.frac+2)) - r.Uint64N(1<<r.IntN(f.frac+2))
			}
			if !yield(vector{a: a}) {
				return
			}
		}
	}
}

// TestFloatFunction compares loom_float_function with the model, whose results compiler/num holds
// against exact ones.
func TestFloatFunction(t *testing.T) {
	t.Parallel()
	many := 3000
	if soak() {
		many = 1000000
	}
	var units, halves []floatUnit
	for op := range 4 {
		add := func(f floatFormat, some, bits int, vectors iter.Seq[vector]) {
			u := f.function(some, bits, op)
			u.vectors = vectors
			units = append(units, u)
		}
		for _, f := range []floatFormat{{3, 2}, {4, 3}} {
			add(f, 15, 1, allValues(f.width(), 0))
			add(f, 15, 2, allValues(f.width(), 0))
			add(f, 1<<op, 2, allValues(f.width(), 0))
		}
		add(floatFormat{8, 7}, 15, 2, functionVectors(floatFormat{8, 7}, many, 6))
		add(floatFormat{8, 23}, 15, 2, functionVectors(floatFormat{8, 23}, many, 7))
		add(floatFormat{11, 52}, 15, 2, functionVectors(floatFormat{11, 52}, many/2, 8))
		u := floatFormat{5, 10}.function(1<<op, 2, op)
		u.vectors = allValues(16, 0)
		halves = append(halves, u)
	}
	runFloats(t, units)
	runFloats(t, halves) // apart: these take many more cycles than the others
}
