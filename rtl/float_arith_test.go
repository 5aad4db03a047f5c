package rtl

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// exactSum is a + b, or a - b with op 1, of a format.
func exactSum(v vector, exp, frac int) uint64 {
	if v.op == 1 {
		v.b ^= 1 << (exp + frac)
	}
	ca, na, a := decodeExact(v.a, exp, frac)
	cb, nb, b := decodeExact(v.b, exp, frac)
	switch {
	case ca == isNaN || cb == isNaN || ca == isInfinite && cb == isInfinite && na != nb:
		return canonicalNaN(exp, frac)
	case ca == isInfinite:
		return infinity(na, exp, frac)
	case cb == isInfinite:
		return infinity(nb, exp, frac)
	}
	return roundExact(new(big.Rat).Add(a, b), na && nb, exp, frac)
}

// exactProduct is a * b of a format.
func exactProduct(v vector, exp, frac int) uint64 {
	ca, na, a := decodeExact(v.a, exp, frac)
	cb, nb, b := decodeExact(v.b, exp, frac)
	switch {
	case ca == isNaN || cb == isNaN,
		ca == isInfinite && cb == isNumber && b.Sign() == 0,
		cb == isInfinite && ca == isNumber && a.Sign() == 0:
		return canonicalNaN(exp, frac)
	case ca == isInfinite || cb == isInfinite:
		return infinity(na != nb, exp, frac)
	}
	return roundExact(new(big.Rat).Mul(a, b), na != nb, exp, frac)
}

// exactFused is a * b + c of a format with one rounding.
func exactFused(v vector, exp, frac int) uint64 {
	ca, na, a := decodeExact(v.a, exp, frac)
	cb, nb, b := decodeExact(v.b, exp, frac)
	cc, nc, c := decodeExact(v.c, exp, frac)
	negative := na != nb
	infinite := ca == isInfinite || cb == isInfinite
	switch {
	case ca == isNaN || cb == isNaN || cc == isNaN,
		ca == isInfinite && cb == isNumber && b.Sign() == 0,
		cb == isInfinite && ca == isNumber && a.Sign() == 0,
		infinite && cc == isInfinite && negative != nc:
		return canonicalNaN(exp, frac)
	case infinite:
		return infinity(negative, exp, frac)
	case cc == isInfinite:
		return infinity(nc, exp, frac)
	}
	p := new(big.Rat).Mul(a, b)
	return roundExact(p.Add(p, c), negative && nc, exp, frac)
}

// machine computes binary32 and binary64 with the machine's arithmetic: op 0 is a + b, 1 a - b, 2
// a * b, 3 a * b + c. A NaN is the canonical one.
func machine(op uint64, exp int) func(v vector) uint64 {
	f64 := func(v vector, op uint64) uint64 {
		a, b, c := math.Float64frombits(v.a), math.Float64frombits(v.b), math.Float64frombits(v.c)
		y := [4]func() float64{
			func() float64 { return float64(a + b) }, func() float64 { return float64(a - b) },
			func() float64 { return float64(a * b) }, func() float64 { return math.FMA(a, b, c) },
		}[op]()
		if y != y {
			return canonicalNaN(11, 52)
		}
		return math.Float64bits(y)
	}
	f32 := func(v vector, op uint64) uint64 {
		a, b := math.Float32frombits(uint32(v.a)), math.Float32frombits(uint32(v.b))
		y := [3]func() float32{
			func() float32 { return float32(a + b) }, func() float32 { return float32(a - b) },
			func() float32 { return float32(a * b) },
		}[op]()
		if y != y {
			return canonicalNaN(8, 23)
		}
		return bits32(y)
	}
	return func(v vector) uint64 {
		op := op + v.op
		switch {
		case exp == 11:
			return f64(v, op)
		case op == 3:
			return fused32(v)
		}
		return f32(v, op)
	}
}

// fused32 is a * b + c of binary32. The product is exact in binary64; where the sum there is not, its
// last bit is made to say so (rounding to odd), and rounding once more gives the same as rounding once.
func fused32(v vector) uint64 {
	a, b, c := float64(math.Float32frombits(uint32(v.a))), float64(math.Float32frombits(uint32(v.b))), float64(math.Float32frombits(uint32(v.c)))
	p := float64(a * b)
	s := float64(p + c)
	if s != s {
		return canonicalNaN(8, 23)
	}
	if math.IsInf(s, 0) {
		return bits32(float32(s))
	}
	t := float64(s - p)
	rest := float64(p-float64(s-t)) + float64(c-t)
	if w := math.Float64bits(s); rest != 0 && w&1 == 0 {
		if (rest > 0) == (s > 0) {
			w++
		} else {
			w--
		}
		s = math.Float64frombits(w)
	}
	return bits32(float32(s))
}

// fusedVectors are n vectors for a * b + c: c is often near the product in magnitude, of either sign.
func fusedVectors(exp, frac, n int, seed uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(exp*64+frac)))
		bias := int64(1)<<(exp-1) - 1
		for v := range randomVectors(exp, frac, n, seed, 0) {
			switch r.IntN(4) {
			case 0: // exponents about the product's
				e := int64(v.a>>frac&(1<<exp-1)) + int64(v.b>>frac&(1<<exp-1)) - bias + int64(r.IntN(4*frac+9)) - int64(2*frac) - 4
				e = min(max(e, 0), 1<<exp-1)
				v.c = v.c&(1<<(exp+frac)|(1<<frac-1)) | uint64(e)<<frac
			case 1: // what rounding the product leaves, and its neighbours: a long cancellation
				v.c = exactProduct(v, exp, frac) ^ 1<<(exp+frac)
				if r.IntN(2) == 0 {
					v.c += r.Uint64N(5) - 2
				}
				v.c &= ^uint64(0) >> (63 - exp - frac)
			}
			if !yield(v) {
				return
			}
		}
	}
}

// allTriples are all operands a, b and c of so many bits.
func allTriples(bits int) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		for w := range uint64(1) << (3 * bits) {
			m := uint64(1)<<bits - 1
			if !yield(vector{w & m, w >> bits & m, w >> (2 * bits), 0}) {
				return
			}
		}
	}
}

// arithUnit is an instance of a module of this file's part.
func arithUnit(module string, exp, frac, latency int, value func(v vector) uint64, vectors iter.Seq[vector]) floatUnit {
	w := 1 + exp + frac
	ports := fmt.Sprintf(".a(a[%d:0]), .b(b[%[1]d:0])", w-1)
	switch module {
	case "loom_float_add":
		ports += ", .op(op[0])"
	case "loom_float_fma":
		ports += fmt.Sprintf(", .c(c[%d:0])", w-1)
	}
	return floatUnit{
		name:     fmt.Sprintf("%s of %d exponent and %d fraction bits, latency %d", module, exp, frac, latency),
		instance: pipelined(module, fmt.Sprintf("EXP(%d), FRAC(%d)", exp, frac), latency, ports, w),
		value:    value,
		vectors:  vectors,
	}
}

// arithModules are the modules, their most registers, the number of operations (values of op) and the
// exact values.
var arithModules = []struct {
	name  string
	most  int
	ops   []uint64
	exact func(v vector, exp, frac int) uint64
	base  uint64 // the operation of machine
}{
	{"loom_float_add", 6, []uint64{0, 1}, exactSum, 0},
	{"loom_float_mul", 5, []uint64{0}, exactProduct, 2},
	{"loom_float_fma", 8, []uint64{0}, exactFused, 3},
}

// TestFloatArithSmall compares small formats with exact arithmetic: all pairs of operands, of the
// fused operation all triples of the smallest format.
func TestFloatArithSmall(t *testing.T) {
	t.Parallel()
	var units []floatUnit
	for _, m := range arithModules {
		for _, f := range [][2]int{{3, 2}, {4, 3}} {
			exp, frac := f[0], f[1]
			known := map[vector]uint64{} // several instances have the same vectors
			value := func(v vector) uint64 {
				y, ok := known[v]
				if !ok {
					y = m.exact(v, exp, frac)
					known[v] = y
				}
				return y
			}
			for latency := 0; latency <= m.most; latency++ {
				vectors := allPairs(1+exp+frac, m.ops...)
				if m.name == "loom_float_fma" {
					vectors = fusedVectors(exp, frac, 50000, uint64(latency))
					if exp == 3 && latency%4 == 0 {
						vectors = allTriples(1 + exp + frac)
					}
				}
				units = append(units, arithUnit(m.name, exp, frac, latency, value, vectors))
			}
		}
	}
	runFloats(t, units)
}

// TestFloatArith compares the formats of programs with exact and with the machine's arithmetic.
func TestFloatArith(t *testing.T) {
	t.Parallel()
	n := 1000000
	if soak() {
		n = 20000000
	}
	var units []floatUnit
	for _, m := range arithModules {
		for i, f := range [][2]int{{5, 10}, {8, 7}, {8, 23}, {11, 52}} {
			exp, frac := f[0], f[1]
			for k, latency := range []int{0, 1, 3, m.most} {
				count, value := n/4, machine(m.base, exp)
				if frac < 23 {
					count, value = n/40, func(v vector) uint64 { return m.exact(v, exp, frac) }
				}
				seed := uint64(100*i + k)
				vectors := randomVectors(exp, frac, count, seed, m.ops...)
				if m.name == "loom_float_fma" {
					vectors = fusedVectors(exp, frac, count, seed)
				}
				units = append(units, arithUnit(m.name, exp, frac, latency, value, vectors))
			}
		}
	}
	runFloats(t, units)
}

var _ = os.Stat
var _ = filepath.Join
var _ = strings.Cut
var _ = time.Now
var _ = toolstest.Need
