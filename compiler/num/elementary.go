package num

import "math/bits"

//go:generate go run elementary_generate.go

// Exponential, binary logarithm, sine and cosine as the module loom_float_function computes them, bit
// for bit: in fixed point, with one multiplication after the other whose lower half is cut off, of
// words twelve bits longer than the fraction. Every result is less than one unit in the last place
// from the exact one (elementary_test.go), and exp and log2 never fall where their operand grows.
//
// Each function is a sum of powers of a short argument t between 0 and 1:
//
//	exp   x log2(e) = n + j/64 + t/64; 2^(t/64) by its series, times 2^(j/64)
//	log2  x = 2^n (1 + f), times 2^(-j/64) for a j that makes 1 + t/32 of 1 + f; n + j/64 + log2(1 + t/32).
//	      Next to a power of two from below, x = 2^(n+1) (1 - t/32) without a factor: so there is no
//	      difference of near numbers where the logarithm is small.
//	sin   x 2/pi = q + u, u folded to t/2; the sum of sin or of cos of t pi/4
//
// The product with 2/pi, or log2(e), takes of the constant the bits that matter to this exponent, and
// has enough of them to leave a full word when the leading ones vanish.
//
// Errors, u being a unit of a word, 2^-12 of one in the last place of a result from 1 to 2. A sum of k
// terms is off by less than 2k u, as t < 1 and each step cuts off less than a unit and takes a
// coefficient that is less than one too small. exp: t is cut to the places from 64 u on, which is less
// than 0.022 units in the last place, and the sum and the product add 0.01. That steps of t are larger than
// the errors beside them makes exp monotone. log2: 1 + t/32 is off by 4 u, the logarithm so by less than 8 u
// with the sum; where it is not taken relative to t it is at least 2^-7, so that this is at most a
// quarter of its last place. The distances of logarithms of neighbours are 2000 u and more. sin and cos:
// the argument and the sum are off by less than 2k + 4 units, 0.01 of the last place.
type elementary struct {
	exp, frac uint
	w         uint // bits of a word
	xw        uint // bits of a product: two in front of the point of quadrants
	places    uint // bits of a constant that meet the operand
	terms     int
}

// What the rows of elementaryCoefficients are.
const (
	elementaryExp = iota
	elementaryLog2
	elementarySin
	elementaryCos
)

func newElementary(exp, frac uint) *elementary {
	e := &elementary{exp: exp, frac: frac, w: frac + 12}
	e.xw = e.w + exp + frac
	e.places = (e.xw + frac + 2) &^ 1
	e.terms = int(frac+8)/6 + 1
	return e
}

// wide is a word of 128 bits; products stand at its upper end.
type wide struct{ hi, lo uint64 }

func (x wide) left(n uint) wide {
	if n >= 64 {
		return wide{x.lo << (n - 64), 0}
	}
	return wide{x.hi<<n | x.lo>>(64-n), x.lo << n}
}

func (x wide) right(n uint) wide {
	if n >= 64 {
		return wide{0, x.hi >> (n - 64)}
	}
	return wide{x.hi >> n, x.lo>>n | x.hi<<(64-n)}
}

// cut clears what is below the product's lowest bit.
func (e *elementary) cut(x wide) wide {
	if e.xw >= 64 {
		return wide{x.hi, x.lo &^ (^uint64(0) >> (e.xw - 64))}
	}
	return wide{x.hi &^ (^uint64(0) >> e.xw), 0}
}

// not is minus x less one unit.
func (e *elementary) not(x wide) wide { return e.cut(wide{^x.hi, ^x.lo}) }

// word is the upper end of a product.
func (e *elementary) word(x wide) uint64 { return x.hi >> (64 - e.w) }

// multiply is the upper half of a product of two words.
func (e *elementary) multiply(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if e.w == 64 {
		return hi
	}
	return hi<<(64-e.w) | lo>>e.w
}

// window is the 64 bits of a constant of which the last stands at place behind the point.
func window(constant []uint64, place int) uint64 {
	at := func(i int) uint64 {
		if i < 0 || i >= len(constant) {
			return 0
		}
		return constant[i]
	}
	i, shift := place>>6, uint(place&63)
	return at(i-1)<<shift | at(i)>>(64-shift)
}

// product is the significand times the bits of a constant whose last one is at place, without
// what is above the product and the bits below it.
func (e *elementary) product(significand uint64, constant []uint64, place int) wide {
	w0, w1, w2 := window(constant, place), window(constant, place-64), window(constant, place-128)
	h0, p0 := bits.Mul64(significand, w0)
	h1, l1 := bits.Mul64(significand, w1)
	p1, carry := bits.Add64(l1, h0, 0)
	p2 := significand*w2 + h1 + carry
	// The product's places, moved to the upper end of 192 bits.
	up := 192 - e.places
	for ; up >= 64; up -= 64 {
		p2, p1, p0 = p1, p0, 0
	}
	if up > 0 {
		p2, p1 = p2<<up|p1>>(64-up), p1<<up|p0>>(64-up)
	}
	return e.cut(wide{p2, p1})
}

// series sums the powers of t; alternate subtracts every second one.
func (e *elementary) series(row int, t uint64, alternate bool) uint64 {
	down := 64 - e.w
	sum := elementaryCoefficients[row][e.terms-1] >> down
	for k := e.terms - 2; k >= 0; k-- {
		c := elementaryCoefficients[row][k] >> down
		if alternate {
			sum = c - e.multiply(t, sum)
		} else {
			sum = c + e.multiply(t, sum)
		}
	}
	return sum
}

// round gives x, whose highest bit stands for 2^(power), with a sign.
func (e *elementary) round(x wide, power int, negative bool) uint64 {
	field := power + 1<<(e.exp-1) - 1
	lost := uint64(0)
	for range max(e.exp+9, e.frac+4) {
		if field < 1 {
			lost |= x.lo & 1
			x = x.right(1)
			field++
		} else if x.hi>>63 == 0 && field > 1 {
			x = x.left(1)
			field--
		} else {
			break
		}
	}
	y := x.hi >> (64 - e.frac - 1)
	guard, sticky := x.hi>>(64-e.frac-2)&1, x.hi<<(e.frac+2)|x.lo|lost
	if guard == 1 && (sticky != 0 || y&1 == 1) {
		y++
	}
	field = max(field, 1)
	y += uint64(field-1) << e.frac
	if infinity := mask(e.exp) << e.frac; y > infinity {
		y = infinity
	}
	if negative {
		y |= 1 << (e.exp + e.frac)
	}
	return y
}

// normal counts the zeros in front of x and removes them.
func normal(x wide) (wide, int) {
	n := bits.LeadingZeros64(x.hi)
	if n == 64 {
		n += bits.LeadingZeros64(x.lo)
	}
	return x.left(uint(n)), n
}

// value computes one function of a word of the format.
func (e *elementary) value(op int, a uint64) uint64 {
	bias := 1<<(e.exp-1) - 1
	negative := a>>(e.exp+e.frac)&1 == 1
	field, fraction := int(a>>e.frac&mask(e.exp)), a&mask(e.frac)
	most, empty, zero := field == 1<<e.exp-1, fraction == 0, field == 0 && fraction == 0
	infinity := mask(e.exp) << e.frac
	nan := infinity | 1<<(e.frac-1)
	one := uint64(bias) << e.frac

	significand, power := fraction, field-bias
	if field > 0 {
		significand |= 1 << e.frac
	} else {
		power++
	}
	tiny := power < -(int(e.frac)/2 + 2)
	switch op {
	case elementaryExp:
		switch {
		case most && !empty:
			return nan
		case power >= int(e.exp):
			if negative {
				return 0
			}
			return infinity
		case power < -(int(e.frac) + 2):
			return one
		}
		return e.exponential(significand, power, negative)
	case elementaryLog2:
		switch {
		case zero:
			return infinity | 1<<(e.exp+e.frac)
		case negative || most && !empty:
			return nan
		case most:
			return infinity
		case a == one:
			return 0
		}
		return e.logarithm(significand, power)
	}
	switch {
	case most:
		return nan
	case tiny && op == elementarySin:
		return a
	case tiny:
		return one
	}
	return e.circular(op, significand, power, negative)
}

func (e *elementary) exponential(significand uint64, power int, negative bool) uint64 {
	// The product has exp+1 bits in front of the point; the constant is half of log2(e).
	place := power + int(e.places) - int(e.frac) - int(e.exp)
	x := e.product(significand, elementaryLog2E[:], place)
	if negative {
		x = e.not(x)
	}
	n := int(x.hi >> (63 - e.exp))
	if negative {
		n -= 2 << e.exp
	}
	x = x.left(e.exp + 1)
	j := x.hi >> 58
	t := x.left(6).hi >> (64 - e.frac) << 12
	factor := elementaryPowers[j] >> (64 - e.w)
	y := factor + e.multiply(factor, e.series(elementaryExp, t, false))
	if n > 1<<(e.exp-1)-1 {
		return mask(e.exp) << e.frac
	}
	return e.round(wide{y << (64 - e.w), 0}, n, false)
}

func (e *elementary) logarithm(significand uint64, n int) uint64 {
	x := wide{significand << (63 - e.frac), 0}
	for x.hi>>63 == 0 {
		x = x.left(1)
		n--
	}
	segment := x.hi >> 57 & 63
	step := elementarySteps[segment]
	near := n == 0 && segment == 0 || n == -1 && segment == 63
	below := segment == 63
	switch {
	case segment == 0:
		x = x.left(6)
	case below:
		x = e.not(x).left(5)
	default:
		r := e.multiply(e.word(x), elementaryPowers[64-step]>>(64-e.w))
		x = wide{r << (64 - e.w), 0}.left(6)
	}
	t := e.word(x)
	sum := e.series(elementaryLog2, t, !below)
	if near {
		m, z := normal(x)
		y := e.multiply(e.word(m), sum)
		return e.round(wide{y << (64 - e.w), 0}, -5-z, below)
	}
	y := e.multiply(t, sum) >> 4
	if below {
		y = ^y & mask(e.w)
	} else {
		y += uint64(step) << (e.w - 6)
	}
	// n in front of the point, in exp bits.
	negative := n < 0
	x = wide{uint64(n)<<(64-e.exp) | y<<(64-e.w)>>e.exp, 0}
	x.lo = y << (64 - e.w) << (64 - e.exp)
	if negative {
		x = e.not(x)
		// Nothing below the word counts.
		low := 128 - e.exp - e.w
		x = x.right(low).left(low)
	}
	return e.round(x, int(e.exp)-1, negative)
}

func (e *elementary) circular(op int, significand uint64, power int, negative bool) uint64 {
	place := power + int(e.places) - int(e.frac) - 2
	x := e.product(significand, elementaryTwoOverPi[:], place)
	quadrant := int(x.hi >> 62)
	if op == elementaryCos {
		quadrant++
		negative = false
	}
	row := elementarySin
	if (x.hi>>61^uint64(quadrant))&1 == 1 {
		row = elementaryCos
	}
	if x.hi>>61&1 == 1 {
		x = e.not(x)
	}
	x = x.left(3)
	t := e.word(x)
	square := e.multiply(t, t)
	sum := e.series(row, square, true)
	if quadrant>>1&1 == 1 {
		negative = !negative
	}
	if row == elementaryCos {
		y := ^e.multiply(square, sum) & mask(e.w)
		return e.round(wide{y << (64 - e.w), 0}, -1, negative)
	}
	m, z := normal(x)
	y := e.multiply(e.word(m), sum)
	return e.round(wide{y << (64 - e.w), 0}, -1-z, negative)
}

// elementaryFormats are the formats of operations.
var elementaryFormats = map[string]*elementary{
	"f16": newElementary(5, 10), "bf16": newElementary(8, 7), "f32": newElementary(8, 23), "f64": newElementary(11, 52),
}

// elementaryFloat defines the operation that is a row of elementaryCoefficients.
func elementaryFloat(row int, name string) {
	define(1, 1, func(b *build) Form {
		e := elementaryFormats[b.floats().name]
		return Form{Unary: func(a uint64) uint64 { return e.value(row, a) }}
	}, name)
}

// Elementary computes exp, log2, sin or cos (row 0 to 3) of a word of a binary format with so many bits
// of exponent and fraction, as loom_float_function does.
func Elementary(row int, exp, frac uint, a uint64) uint64 {
	return newElementary(exp, frac).value(row, a)
}
