package rtl

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"testing"

	"loom/compiler/opname"
	"loom/compiler/units"
	campaigns "loom/internal/soak"
)

// remainder is a - b * trunc(a / b) by exact arithmetic.
func (f floatFormat) remainder(a, b uint64) uint64 {
	ca, negative, va := decodeExact(a, f.exp, f.frac)
	cb, _, vb := decodeExact(b, f.exp, f.frac)
	switch {
	case ca != isNumber, cb == isNaN, cb == isNumber && vb.Sign() == 0:
		return canonicalNaN(f.exp, f.frac)
	case cb == isInfinite:
		return a
	}
	q := new(big.Rat).Quo(va, vb)
	whole := new(big.Rat).SetInt(new(big.Int).Quo(q.Num(), q.Denom())) // Quo truncates
	return roundExact(new(big.Rat).Sub(va, whole.Mul(whole, vb)), negative, f.exp, f.frac)
}

// remCycles is the time that the table of units states.
func (f floatFormat) remCycles(v vector) int {
	u, _ := units.Lookup(opname.ArithRemF)
	return u.CyclesOf(f.exp, f.frac, v.a, v.b)
}

// rem is an instance of loom_float_rem.
func (f floatFormat) rem() floatUnit {
	w := f.width() - 1
	return floatUnit{
		name: "rem " + f.name(), value: func(v vector) uint64 { return f.remainder(v.a, v.b) },
		instance: "      wire b_ready;\n" + iterative("loom_float_rem", fmt.Sprintf("EXP(%d), FRAC(%d)", f.exp, f.frac),
			fmt.Sprintf(".a_valid(in_valid), .a_ready(in_ready), .a_data(a[%[1]d:0]), .b_valid(in_valid), .b_ready(b_ready), .b_data(b[%[1]d:0])", w), f.width()),
	}
}

// nativeRemainder is what Go's library computes, of binary32 or binary64.
func (f floatFormat) nativeRemainder(v vector) uint64 {
	a, b := math.Float64frombits(v.a), math.Float64frombits(v.b)
	if f.frac == 23 {
		a, b = float64(math.Float32frombits(uint32(v.a))), float64(math.Float32frombits(uint32(v.b)))
	}
	switch y := math.Mod(a, b); {
	case y != y:
		return canonicalNaN(f.exp, f.frac)
	case f.frac == 23:
		return uint64(math.Float32bits(float32(y))) // exact
	default:
		return math.Float64bits(y)
	}
}

// TestFloatRem compares remainders with exact arithmetic, and with Go's library.
func TestFloatRem(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	many, wide := campaigns.Scale(30000, 3000000), campaigns.Scale(1500, 150000)
	var all []floatUnit
	add := func(f floatFormat, value func(v vector) uint64, vectors iter.Seq[vector]) {
		u := f.rem()
		if u.vectors = vectors; value != nil {
			u.value = value
		}
		all = append(all, u)
	}
	for _, f := range []floatFormat{{3, 2}, {4, 3}, {2, 2}, {3, 6}} {
		add(f, nil, allPairs(f.width(), 0))
	}
	for _, f := range []floatFormat{{5, 10}, {8, 7}} {
		add(f, nil, randomVectors(f.exp, f.frac, many, 3, 0))
	}
	for _, f := range []floatFormat{{8, 23}, {11, 52}} {
		add(f, nil, randomVectors(f.exp, f.frac, 5*wide, 3, 0))
		add(f, f.nativeRemainder, randomVectors(f.exp, f.frac, 4*wide, 5, 0)) // Go's, beside the C library's in TestFloatNative
	}
	runFloats(t, all)
}
