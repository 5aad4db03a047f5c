package num

import (
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"testing"
)

// bigFunctions are the functions to so many bits, by their series: nothing in common with the model.
type bigFunctions struct {
	prec    uint
	pi, ln2 *big.Float
}

func newBigFunctions(prec uint) *bigFunctions {
	b := &bigFunctions{prec: prec}
	b.ln2 = b.f(0)
	for k := int64(1); k < int64(prec)+8; k++ { // 2 atanh(1/3)
		t := b.quo(b.f(1), b.pow(b.f(3), 2*k-1))
		b.ln2.Add(b.ln2, b.quo(t, b.f(2*k-1)))
		if t.MantExp(nil) < -int(prec) {
			break
		}
	}
	b.ln2.Mul(b.ln2, b.f(2))
	// Machin's sum of three terms, other than the generator's.
	b.pi = b.f(0)
	for _, m := range [][2]int64{{12, 18}, {8, 57}, {-5, 239}} {
		b.pi.Add(b.pi, new(big.Float).Mul(b.f(m[0]), b.atanInverse(m[1])))
	}
	b.pi.Mul(b.pi, b.f(4))
	return b
}

func (b *bigFunctions) f(x int64) *big.Float { return new(big.Float).SetPrec(b.prec).SetInt64(x) }
func (b *bigFunctions) quo(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(b.prec).Quo(x, y)
}
func (b *bigFunctions) mul(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(b.prec).Mul(x, y)
}
func (b *bigFunctions) pow(x *big.Float, n int64) *big.Float {
	y := b.f(1)
	for range n {
		y.Mul(y, x)
	}
	return y
}

func (b *bigFunctions) atanInverse(n int64) *big.Float {
	sum, p := b.f(0), b.quo(b.f(1), b.f(n))
	for k := int64(0); p.MantExp(nil) > -int(b.prec)-4; k++ {
		t := b.quo(p, b.f(2*k+1))
		if k&1 == 1 {
			t.Neg(t)
		}
		sum.Add(sum, t)
		p = b.quo(p, b.f(n*n))
	}
	return sum
}

// small reports whether x does not matter beside y any more.
func (b *bigFunctions) small(x, y *big.Float) bool {
	return x.Sign() == 0 || y.Sign() != 0 && x.MantExp(nil) < y.MantExp(nil)-int(b.prec)-2
}

func (b *bigFunctions) exp(x *big.Float) *big.Float {
	n, _ := b.quo(x, b.ln2).Int64()
	r := new(big.Float).SetPrec(b.prec).Sub(x, b.mul(b.f(n), b.ln2))
	r.SetMantExp(r, -16)
	sum, t := b.f(1), b.f(1)
	for k := int64(1); ; k++ {
		t = b.quo(b.mul(t, r), b.f(k))
		if b.small(t, sum) {
			break
		}
		sum.Add(sum, t)
	}
	for range 16 {
		sum = b.mul(sum, sum)
	}
	return new(big.Float).SetMantExp(sum, int(n))
}

func (b *bigFunctions) log2(x *big.Float) *big.Float {
	m := new(big.Float).SetPrec(b.prec)
	n := new(big.Float).Copy(x).MantExp(m) // m in [1/2, 1)
	if m.Cmp(new(big.Float).SetFloat64(0.7)) < 0 {
		m.SetMantExp(m, 1)
		n--
	}
	s := b.quo(new(big.Float).SetPrec(b.prec).Sub(m, b.f(1)), new(big.Float).SetPrec(b.prec).Add(m, b.f(1)))
	square, p, sum := b.mul(s, s), s, b.f(0)
	for k := int64(1); !b.small(p, sum); k += 2 {
		sum.Add(sum, b.quo(p, b.f(k)))
		p = b.mul(p, square)
	}
	sum = b.quo(b.mul(sum, b.f(2)), b.ln2)
	return sum.Add(sum, b.f(int64(n)))
}

// sinCos is the sine, or the cosine.
func (b *bigFunctions) sinCos(x *big.Float, cosine bool) *big.Float {
	half := b.quo(b.pi, b.f(2))
	q, _ := b.quo(x, half).Int(nil)
	r := new(big.Float).SetPrec(b.prec).Sub(x, b.mul(new(big.Float).SetPrec(b.prec).SetInt(q), half))
	quadrant := new(big.Int).And(q, big.NewInt(3)).Int64()
	if cosine {
		quadrant++
	}
	sum, t := b.f(0), b.f(1)
	for k := int64(0); !b.small(t, sum) || k < 2; k++ {
		if k&1 == quadrant&1^1 {
			u := new(big.Float).Copy(t)
			if k>>1&1 == 1 {
				u.Neg(u)
			}
			sum.Add(sum, u)
		}
		t = b.quo(b.mul(t, r), b.f(k+1))
	}
	if quadrant>>1&1 == 1 {
		sum.Neg(sum)
	}
	return sum
}

func (b *bigFunctions) of(op int, x *big.Float) *big.Float {
	x = new(big.Float).SetPrec(b.prec).Set(x)
	switch op {
	case elementaryExp:
		return b.exp(x)
	case elementaryLog2:
		return b.log2(x)
	}
	return b.sinCos(x, op == elementaryCos)
}

var elementaryNames = [4]string{"exp", "log2", "sin", "cos"}

// ulps is how far a word is from an exact value, in units of the last place there.
func (e *elementary) ulps(word uint64, want *big.Float) float64 {
	x, _ := new(big.Float).SetRat(exact(word, e.frac+1, 1+e.exp+e.frac)).Float64()
	bias := 1<<(e.exp-1) - 1
	unit := max(want.MantExp(nil)-1, 1-bias) - int(e.frac)
	d := new(big.Float).SetPrec(300).Sub(new(big.Float).SetPrec(300).SetFloat64(x), want)
	d.SetMantExp(d, -unit)
	y, _ := d.Float64()
	return math.Abs(y)
}

// error checks one result and returns its distance from the exact value.
func (e *elementary) error(t *testing.T, b *bigFunctions, op int, a uint64) float64 {
	t.Helper()
	got := e.value(op, a)
	infinity := mask(e.exp) << e.frac
	nan := infinity | 1<<(e.frac-1)
	sign := uint64(1) << (e.exp + e.frac)
	special := func(want uint64) float64 {
		if got != want {
			t.Fatalf("%s %d_%d of %#x is %#x, not %#x", elementaryNames[op], e.exp, e.frac, a, got, want)
		}
		return 0
	}
	one := mask(e.exp-1) << e.frac
	switch magnitude := a &^ sign; {
	case magnitude > infinity:
		return special(nan)
	case magnitude == 0 && op == elementaryLog2:
		return special(infinity | sign)
	case op == elementaryLog2 && a&sign != 0:
		return special(nan)
	case magnitude == infinity && op >= elementarySin:
		return special(nan)
	case a == infinity:
		return special(infinity)
	case magnitude == infinity:
		return special(0)
	case magnitude == 0 && op == elementarySin:
		return special(a)
	case magnitude == 0:
		return special(one)
	}
	x := exact(a, e.frac+1, 1+e.exp+e.frac)
	want := new(big.Float).SetPrec(b.prec).SetRat(x)
	bias := int64(1)<<(e.exp-1) - 1
	if op == elementaryExp {
		// Far beyond the ends, the exact value is of no use.
		if v, _ := want.Float64(); v > float64(bias+2) || v < -float64(bias)-float64(e.frac)-3 {
			if v > 0 {
				return special(infinity)
			}
			return special(0)
		}
	}
	if m := new(big.Float); op == elementaryLog2 && want.Sign() > 0 {
		if n := int64(want.MantExp(m) - 1); m.Cmp(big.NewFloat(0.5)) == 0 { // a power of two
			if n == 0 {
				return special(0)
			}
			return special(roundRat(new(big.Rat).SetInt64(n), e.frac+1, 1+e.exp+e.frac))
		}
	}
	y := b.of(op, want)
	if got&^sign >= infinity {
		largest := new(big.Float).SetRat(exact(infinity-1, e.frac+1, 1+e.exp+e.frac))
		if got != infinity || y.Cmp(largest) <= 0 {
			t.Fatalf("%s %d_%d of %#x is %#x", elementaryNames[op], e.exp, e.frac, a, got)
		}
		return 0
	}
	u := e.ulps(got, y)
	if u >= 1 {
		t.Fatalf("%s %d_%d of %#x is %#x, %g units off", elementaryNames[op], e.exp, e.frac, a, got, u)
	}
	return u
}

func TestElementaryEveryHalf(t *testing.T) {
	b := newBigFunctions(160)
	for _, f := range [][2]uint{{3, 2}, {4, 3}, {5, 10}, {8, 7}} {
		e := newElementary(f[0], f[1])
		b := b
		if f[0] == 8 {
			b = newBigFunctions(320)
		}
		for op := range 4 {
			worst := 0.0
			for a := range uint64(1) << (1 + f[0] + f[1]) {
				worst = max(worst, e.error(t, b, op, a))
			}
			t.Logf("%s %d_%d: %.4f units at most", elementaryNames[op], f[0], f[1], worst)
		}
	}
}

func TestElementaryAccuracy(t *testing.T) {
	n := 4000
	if os.Getenv("LOOM_SOAK") != "" {
		n = 200000
	}
	for _, f := range [][2]uint{{8, 23}, {11, 52}} {
		e := newElementary(f[0], f[1])
		b := newBigFunctions(map[uint]uint{8: 320, 11: 1300}[f[0]])
		r := rand.New(rand.NewPCG(31, uint64(f[0])))
		one := mask(f[0]-1) << f[1]
		for op := range 4 {
			worst := 0.0
			for i := range n {
				a := r.Uint64() & mask(1+f[0]+f[1])
				switch i % 4 {
				case 1: // near one
					a = (one + r.Uint64N(1<<(r.UintN(f[1]+2))) - r.Uint64N(1<<(r.UintN(f[1]+2))))
				case 2: // of a moderate size
					a = (one - 10<<f[1] + r.Uint64N(20<<f[1])) | r.Uint64N(2)<<(f[0]+f[1])
				}
				worst = max(worst, e.error(t, b, op, a))
			}
			t.Logf("%s %d_%d: %.4f units at most", elementaryNames[op], f[0], f[1], worst)
		}
	}
}

// The sum of the neighbours' errors is below their distance before the rounding: so exp and log2 never
// fall. Runs of neighbours, in particular around the edges of the segments.
func TestElementaryMonotone(t *testing.T) {
	n := 1500
	if os.Getenv("LOOM_SOAK") != "" {
		n = 100000
	}
	r := rand.New(rand.NewPCG(33, 34))
	for _, f := range [][2]uint{{3, 2}, {4, 3}, {5, 10}, {8, 7}, {8, 23}, {11, 52}} {
		e := newElementary(f[0], f[1])
		sign, infinity, one := uint64(1)<<(f[0]+f[1]), mask(f[0])<<f[1], mask(f[0]-1)<<f[1]
		// ordered maps numbers from the smallest on to words.
		ordered := func(i int64) uint64 {
			if i < 0 {
				return sign | uint64(-i-1)
			}
			return uint64(i)
		}
		value := func(w uint64) float64 { return unpack(w, f[0], f[1]) }
		check := func(op int, i int64) {
			a, b := ordered(i), ordered(i+1)
			if x, y := value(e.value(op, a)), value(e.value(op, b)); x > y || x != x || y != y {
				t.Fatalf("%s %d_%d falls from %#x (%g) to %#x (%g)", elementaryNames[op], f[0], f[1], a, x, b, y)
			}
		}
		if f[0]+f[1] < 17 {
			for i := range int64(infinity) {
				check(elementaryExp, i)
				check(elementaryExp, -i-1)
				if i > 0 {
					check(elementaryLog2, i)
				}
			}
			continue
		}
		for range n {
			near := int64(one) + int64(r.Uint64N(16<<f[1])) - 8<<f[1] // of a moderate size
			if r.IntN(2) == 0 {                                       // an edge of exp: a multiple of ln 2 / 64
				x := float64(r.IntN(64*100)) * math.Ln2 / 64
				near = int64(pack(x, f[0], f[1], 0))
			}
			for k := int64(-12); k < 12; k++ {
				check(elementaryExp, near+k)
				check(elementaryExp, -near+k)
			}
			// An edge of log2: a multiple of 1/64, or any.
			near = int64(r.Uint64N(infinity))
			if r.IntN(2) == 0 {
				near = near >> (f[1] - 6) << (f[1] - 6)
			}
			for k := int64(-12); k < 12; k++ {
				if near+k > 0 && near+k < int64(infinity) {
					check(elementaryLog2, near+k)
				}
			}
		}
	}
}

// The product with 2/pi keeps a word of significant bits in every format: no operand of a format is so
// near to a multiple of a quarter turn that the places behind the word do not fill it again, but for
// a few of the twelve bits that are more than the fraction. The distances of the multiples of a number
// that are smaller than those before are those of the convergents of its continued fraction.
func TestElementaryCancellation(t *testing.T) {
	b := newBigFunctions(3000)
	alpha, _ := b.quo(b.f(2), b.pi).Rat(nil)
	for _, f := range [][2]uint{{3, 2}, {4, 3}, {5, 10}, {8, 7}, {8, 23}, {11, 52}} {
		e := newElementary(f[0], f[1])
		least := int(f[1])/2 + 3
		for power := -int(f[1]); power <= 1<<(f[0]-1); power++ {
			// A significand of frac+1 bits times this is a number of quarter turns.
			x := new(big.Rat).Mul(alpha, scaleBy(power-int(f[1])))
			num, den := new(big.Int).Set(x.Num()), new(big.Int).Set(x.Denom())
			p0, q0, p1, q1 := big.NewInt(1), big.NewInt(0), new(big.Int), big.NewInt(1)
			a, rest := new(big.Int).DivMod(num, den, new(big.Int))
			p1.Set(a)
			for rest.Sign() != 0 && q1.BitLen() <= int(f[1])+1 {
				d := new(big.Rat).Mul(x, new(big.Rat).SetInt(q1))
				d.Sub(d, new(big.Rat).SetInt(p1))
				d.Abs(d)
				if p1.Sign() != 0 { // else the operand is small itself
					least = max(least, d.Denom().BitLen()-d.Num().BitLen())
				}
				num, den = den, rest
				a, rest = new(big.Int).DivMod(num, den, new(big.Int))
				p0, p1 = p1, new(big.Int).Add(new(big.Int).Mul(a, p1), p0)
				q0, q1 = q1, new(big.Int).Add(new(big.Int).Mul(a, q1), q0)
			}
		}
		left := int(e.xw) - 3 - least
		t.Logf("%d_%d: at most %d zeros, %d bits left of a word of %d", f[0], f[1], least, left, e.w)
		if left < int(f[1])+6 {
			t.Errorf("%d_%d: %d bits are left of a product", f[0], f[1], left)
		}
	}
}

func scaleBy(n int) *big.Rat {
	p := new(big.Int).Lsh(big.NewInt(1), uint(abs(n)))
	if n < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), p)
	}
	return new(big.Rat).SetInt(p)
}
