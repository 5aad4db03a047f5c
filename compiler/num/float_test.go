package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
)

var formats = []struct {
	t    ir.Type
	f    *format
	prec uint // bits of precision, the hidden one included
	emin int  // exponent of the smallest normal number
	emax int  // exponent of the largest
}{
	{ir.F16, &f16format, 11, -14, 15},
	{ir.Float("bf16"), &bf16format, 8, -126, 127},
	{ir.F32, &f32format, 24, -126, 127},
	{ir.F64, &f64format, 53, -1022, 1023},
}

// corner-biased bit patterns of a format, NaN and infinities among them.
func patterns(f *format, r *rand.Rand, n int) []uint64 {
	m, s := mask(f.bits), f.signBit()
	inf := f.encode(math.Inf(1))
	one := f.encode(1)
	out := []uint64{0, 1, 2, 3, inf - 1, inf, inf + 1, one, one + 1, one - 1, f.encode(2), f.encode(0.5), f.encode(3)}
	for _, v := range out {
		out = append(out, v|s)
	}
	for range n {
		v := r.Uint64() & m
		// Exponents near one's, so that sums of two numbers overlap.
		near := (one + uint64(r.IntN(1<<12))<<(f.bits/2-4) + r.Uint64()&mask(f.bits/2)) & (s - 1)
		out = append(out, v, near, near|s)
	}
	return out
}

// exact is the value of a finite pattern by its definition, from the raw fields.
func exact(bits uint64, prec uint, width uint) *big.Rat {
	fracBits := prec - 1
	expBits := width - prec
	frac := bits & mask(fracBits)
	exp := int(bits >> fracBits & mask(expBits))
	bias := 1<<(expBits-1) - 1
	sig := new(big.Int).SetUint64(frac)
	if exp > 0 {
		sig.SetBit(sig, int(fracBits), 1)
	} else {
		exp = 1
	}
	x := new(big.Rat).SetInt(sig)
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(abs(exp-bias-int(fracBits)))))
	if exp-bias-int(fracBits) < 0 {
		x.Quo(x, scale)
	} else {
		x.Mul(x, scale)
	}
	if bits>>(width-1)&1 == 1 {
		x.Neg(x)
	}
	return x
}

func abs(x int) int { return max(x, -x) }

// roundRat rounds an exact nonzero number to nearest even by searching for the
// neighbours: an oracle that shares nothing with pack.
func roundRat(x *big.Rat, prec uint, width uint) uint64 {
	sign := uint64(0)
	if x.Sign() < 0 {
		sign = 1 << (width - 1)
		x = new(big.Rat).Neg(x)
	}
	inf := mask(width-prec) << (prec - 1)
	// Finite positive patterns are ordered like their values.
	lo, hi := uint64(0), inf
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		if exact(mid, prec, width).Cmp(x) <= 0 {
			lo = mid
		} else {
			hi = mid
		}
	}
	// The pattern of infinity read as a number is the next power of two, which
	// is what rounding compares with.
	down := new(big.Rat).Sub(x, exact(lo, prec, width))
	up := new(big.Rat).Sub(exact(hi, prec, width), x)
	switch c := down.Cmp(up); {
	case c < 0, c == 0 && lo&1 == 0:
		return sign | lo
	}
	return sign | hi
}

func finite(f *format, bits uint64) bool {
	v := f.decode(bits)
	return !math.IsNaN(v) && !math.IsInf(v, 0)
}

// Sums, products, quotients and fused products of every format against exact
// rational arithmetic.
func TestArithmeticIsCorrectlyRounded(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for _, fm := range formats {
		ops := map[string]func(a, b, c *big.Rat) *big.Rat{
			"arith.addf": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Add(a, b) },
			"arith.subf": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) },
			"arith.mulf": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) },
			"arith.divf": func(a, b, _ *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) },
			"math.fma":   func(a, b, c *big.Rat) *big.Rat { return new(big.Rat).Add(new(big.Rat).Mul(a, b), c) },
		}
		for name, oracle := range ops {
			n := 2
			if name == "math.fma" {
				n = 3
			}
			op := makeOp(name, types(fm.t, n), types(fm.t, 1))
			f, err := Compile(op, 64)
			if err != nil {
				t.Fatal(err)
			}
			vals := patterns(fm.f, r, 60)
			for range 600 {
				in := [3]uint64{vals[r.IntN(len(vals))], vals[r.IntN(len(vals))], vals[r.IntN(len(vals))]}
				if !finite(fm.f, in[0]) || !finite(fm.f, in[1]) || !finite(fm.f, in[2]) {
					continue
				}
				var x [3]*big.Rat
				for i := range x {
					x[i] = exact(in[i], fm.prec, fm.f.bits)
				}
				if name == "arith.divf" && x[1].Sign() == 0 {
					continue
				}
				want := oracle(x[0], x[1], x[2])
				if want.Sign() == 0 {
					continue // the sign of zero is checked against Go below
				}
				var got [1]uint64
				f(in[:n], got[:])
				if w := roundRat(want, fm.prec, fm.f.bits); got[0] != w {
					t.Fatalf("%s %s %#x = %#x, want %#x", name, fm.t, in[:n], got[0], w)
				}
			}
		}
	}
}

// Special values and zeros against Go's native float32 and float64.
func TestAgainstNativeFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	native64 := map[string]func(a, b float64) float64{
		"arith.addf": func(a, b float64) float64 { return a + b },
		"arith.subf": func(a, b float64) float64 { return a - b },
		"arith.mulf": func(a, b float64) float64 { return a * b },
		"arith.divf": func(a, b float64) float64 { return a / b },
	}
	native32 := map[string]func(a, b float32) float32{
		"arith.addf": func(a, b float32) float32 { return a + b },
		"arith.subf": func(a, b float32) float32 { return a - b },
		"arith.mulf": func(a, b float32) float32 { return a * b },
		"arith.divf": func(a, b float32) float32 { return a / b },
	}
	for name := range native64 {
		for _, a := range patterns(&f64format, r, 40) {
			for _, b := range patterns(&f64format, r, 10) {
				got := eval(t, makeOp(name, types(ir.F64, 2), types(ir.F64, 1)), a, b)[0]
				want := native64[name](math.Float64frombits(a), math.Float64frombits(b))
				if math.IsNaN(want) && got == nanF64 || got == math.Float64bits(want) {
					continue
				}
				t.Fatalf("%s f64 (%#x, %#x) = %#x, want %#x", name, a, b, got, math.Float64bits(want))
			}
		}
		for _, a := range patterns(&f32format, r, 40) {
			for _, b := range patterns(&f32format, r, 10) {
				got := eval(t, makeOp(name, types(ir.F32, 2), types(ir.F32, 1)), a, b)[0]
				want := native32[name](math.Float32frombits(uint32(a)), math.Float32frombits(uint32(b)))
				if want != want && got == nanF32 || got == uint64(math.Float32bits(want)) {
					continue
				}
				t.Fatalf("%s f32 (%#x, %#x) = %#x, want %#x", name, a, b, got, math.Float32bits(want))
			}
		}
	}
}

func TestFloatFormats(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, fm := range formats {
		for _, v := range patterns(fm.f, r, 2000) {
			// Decoding and encoding is the identity on everything but NaN.
			got := fm.f.encode(fm.f.decode(v))
			if x := fm.f.decode(v); x != x {
				if got != fm.f.encode(math.NaN()) {
					t.Fatalf("%s NaN %#x becomes %#x", fm.t, v, got)
				}
			} else if got != v {
				t.Fatalf("%s %#x becomes %#x", fm.t, v, got)
			} else if finite(fm.f, v) {
				if e, _ := exact(v, fm.prec, fm.f.bits).Float64(); e != x {
					t.Fatalf("%s %#x decodes to %g, not %g", fm.t, v, x, e)
				}
			}
		}
		// Rounding of arbitrary float64 values, subnormal results included.
		for range 2000 {
			e := fm.emin - 60 + r.IntN(fm.emax-fm.emin+70)
			x := math.Ldexp(1+r.Float64(), e)
			if r.IntN(4) == 0 { // ties
				x = math.Ldexp(float64(1<<fm.prec+2*r.Uint64N(1<<(fm.prec-1))+1), max(e, fm.emin)-int(fm.prec))
			}
			if x == 0 || math.IsInf(x, 0) {
				continue
			}
			want := roundRat(new(big.Rat).SetFloat64(x), fm.prec, fm.f.bits)
			if got := fm.f.encode(-x); got != want|fm.f.signBit() {
				t.Fatalf("%s of %x = %#x, want %#x", fm.t, -x, got, want|fm.f.signBit())
			}
		}
	}
}

func TestIntegersToFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, fm := range formats {
		for w := 1; w <= 64; w++ {
			si := makeOp("arith.sitofp", types(ir.Int(w), 1), types(fm.t, 1))
			ui := makeOp("arith.uitofp", types(ir.Int(w), 1), types(fm.t, 1))
			vals := operandsOf(w, r, 4)
			// Half-way cases, and just beside them: only there a second rounding
			// could show.
			for top := int(fm.prec); top < w; top++ {
				tie := uint64(1)<<top | uint64(1)<<(top-int(fm.prec))
				vals = append(vals, tie-1, tie, tie+1)
			}
			for _, v := range vals {
				if v == 0 {
					continue
				}
				if got, want := eval(t, ui, v)[0], roundRat(new(big.Rat).SetInt(unsignedBig(v)), fm.prec, fm.f.bits); got != want {
					t.Fatalf("uitofp i%d %#x to %s = %#x, want %#x", w, v, fm.t, got, want)
				}
				if got, want := eval(t, si, v)[0], roundRat(new(big.Rat).SetInt(signedBig(v, w)), fm.prec, fm.f.bits); got != want {
					t.Fatalf("sitofp i%d %#x to %s = %#x, want %#x", w, v, fm.t, got, want)
				}
			}
		}
	}
}

func TestFloatsToIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	for _, fm := range formats {
		for w := 1; w <= 64; w++ {
			si := makeOp("arith.fptosi", types(fm.t, 1), types(ir.Int(w), 1))
			ui := makeOp("arith.fptoui", types(fm.t, 1), types(ir.Int(w), 1))
			vals := patterns(fm.f, r, 10)
			for _, e := range []int{w - 1, w} {
				vals = append(vals, fm.f.encode(math.Ldexp(1, e)), fm.f.encode(-math.Ldexp(1, e)), fm.f.encode(math.Ldexp(1, e))-1)
			}
			for _, v := range vals {
				x := fm.f.decode(v)
				var wantS, wantU uint64
				switch {
				case x != x:
				case math.IsInf(x, 1):
					wantS, wantU = mask(uint(w))>>1, mask(uint(w))
				case math.IsInf(x, -1):
					wantS, wantU = 1<<(w-1), 0
				default:
					i, _ := new(big.Float).SetFloat64(x).Int(nil)
					clamp := func(lo, hi *big.Int) uint64 {
						return cut(pick(lo, pick(hi, i, i.Cmp(hi) > 0), i.Cmp(lo) < 0), w)
					}
					one := big.NewInt(1)
					half := new(big.Int).Lsh(one, uint(w-1))
					wantS = clamp(new(big.Int).Neg(half), new(big.Int).Sub(half, one))
					wantU = clamp(new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(one, uint(w)), one))
				}
				if got := eval(t, si, v)[0]; got != wantS {
					t.Fatalf("fptosi %s %g to i%d = %#x, want %#x", fm.t, x, w, got, wantS)
				}
				if got := eval(t, ui, v)[0]; got != wantU {
					t.Fatalf("fptoui %s %g to i%d = %#x, want %#x", fm.t, x, w, got, wantU)
				}
			}
		}
	}
}

func TestFloatComparisons(t *testing.T) {
	// The four possible relations of two numbers, and whether each predicate
	// holds: columns are less, equal, greater, unordered.
	want := map[string][4]bool{
		"false": {}, "oeq": {1: true}, "ogt": {2: true}, "oge": {1: true, 2: true}, "olt": {0: true},
		"ole": {0: true, 1: true}, "one": {0: true, 2: true}, "ord": {0: true, 1: true, 2: true},
		"ueq": {1: true, 3: true}, "ugt": {2: true, 3: true}, "uge": {1: true, 2: true, 3: true},
		"ult": {0: true, 3: true}, "ule": {0: true, 1: true, 3: true}, "une": {0: true, 2: true, 3: true},
		"uno": {3: true}, "true": {true, true, true, true},
	}
	nan, inf := math.NaN(), math.Inf(1)
	pairs := []struct {
		a, b float64
		rel  int
	}{{1, 2, 0}, {-inf, 0, 0}, {3, 3, 1}, {0, math.Copysign(0, -1), 1}, {inf, inf, 1}, {2, 1, 2},
		{nan, 1, 3}, {1, nan, 3}, {nan, nan, 3}, {nan, inf, 3}}
	for _, fm := range formats {
		for p, name := range arith.FloatPredicates {
			op := makeOp("arith.cmpf", types(fm.t, 2), types(ir.I1, 1))
			op.SetAttr("predicate", ir.IntAttr(int64(p), ir.I64))
			for _, c := range pairs {
				got := eval(t, op, fm.f.encode(c.a), fm.f.encode(c.b))[0]
				if got != truth(want[name][c.rel]) {
					t.Errorf("cmpf %s %s (%g, %g) = %d", name, fm.t, c.a, c.b, got)
				}
			}
		}
	}
}

func TestFloatDirected(t *testing.T) {
	nan, inf, zero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	for _, c := range []struct {
		op   string
		in   []float64
		want float64
	}{
		{"arith.minimumf", []float64{1, nan}, nan},
		{"arith.minimumf", []float64{-inf, nan}, nan},
		{"arith.maximumf", []float64{nan, inf}, nan},
		{"arith.minnumf", []float64{1, nan}, 1},
		{"arith.minnumf", []float64{nan, nan}, nan},
		{"arith.maxnumf", []float64{nan, -2}, -2},
		{"arith.minimumf", []float64{0, zero}, zero},
		{"arith.maximumf", []float64{zero, 0}, 0},
		{"arith.minnumf", []float64{0, zero}, zero},
		{"arith.remf", []float64{-7, 3}, -1},
		{"arith.remf", []float64{7, -3}, 1},
		{"arith.remf", []float64{1, 0}, nan},
		{"arith.negf", []float64{0}, zero},
		{"math.absf", []float64{-3}, 3},
		{"math.copysign", []float64{3, zero}, -3},
		{"math.sqrt", []float64{-1}, nan},
		{"math.sqrt", []float64{zero}, zero},
		{"math.floor", []float64{-1.5}, -2},
		{"math.ceil", []float64{-1.5}, -1},
		{"math.trunc", []float64{-1.5}, -1},
		{"math.round", []float64{2.5}, 3},
		{"math.roundeven", []float64{2.5}, 2},
		{"math.exp", []float64{0}, 1},
		{"math.log2", []float64{8}, 3},
		{"math.sin", []float64{0}, 0},
		{"math.cos", []float64{0}, 1},
		{"math.powf", []float64{2, 10}, 1024},
		{"math.fma", []float64{inf, 0, 1}, nan},
	} {
		for _, fm := range formats {
			in := make([]uint64, len(c.in))
			for i, x := range c.in {
				in[i] = fm.f.encode(x)
			}
			got := eval(t, makeOp(c.op, types(fm.t, len(in)), types(fm.t, 1)), in...)[0]
			if want := fm.f.encode(c.want); got != want {
				t.Errorf("%s %s %v = %#x, want %#x", c.op, fm.t, c.in, got, want)
			}
		}
	}
	if got := eval(t, makeOp("math.fpowi", []ir.Type{ir.F32, ir.I32}, types(ir.F32, 1)), 0x40000000, 0xffffffff)[0]; got != 0x3f000000 {
		t.Errorf("2 to the -1 = %#x", got)
	}
}

func TestSquareRoots(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for _, fm := range formats {
		for _, v := range patterns(fm.f, r, 200) {
			x := fm.f.decode(v)
			if !(x > 0) || math.IsInf(x, 0) {
				continue
			}
			y := eval(t, makeOp("math.sqrt", types(fm.t, 1), types(fm.t, 1)), v)[0]
			// The square of the midpoints below and above must enclose x.
			mid := func(a, b uint64) *big.Rat {
				m := new(big.Rat).Add(exact(a, fm.prec, fm.f.bits), exact(b, fm.prec, fm.f.bits))
				m.Quo(m, big.NewRat(2, 1))
				return m.Mul(m, m)
			}
			rx := exact(v, fm.prec, fm.f.bits)
			if mid(y-1, y).Cmp(rx) > 0 || mid(y, y+1).Cmp(rx) < 0 {
				t.Fatalf("sqrt %s %#x = %#x", fm.t, v, y)
			}
		}
	}
}

func TestFloatWidthChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, from := range formats {
		for _, to := range formats {
			name := "arith.extf"
			switch {
			case from.f.bits == to.f.bits:
				continue
			case from.f.bits > to.f.bits:
				name = "arith.truncf"
			}
			op := makeOp(name, types(from.t, 1), types(to.t, 1))
			for _, v := range patterns(from.f, r, 100) {
				if x := from.f.decode(v); !finite(from.f, v) || x == 0 {
					continue
				}
				want := roundRat(exact(v, from.prec, from.f.bits), to.prec, to.f.bits)
				if got := eval(t, op, v)[0]; got != want {
					t.Fatalf("%s %s %#x to %s = %#x, want %#x", name, from.t, v, to.t, got, want)
				}
			}
		}
	}
}
