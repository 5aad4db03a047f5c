package rtl

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"testing"
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
