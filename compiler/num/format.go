package num

import (
	"math"

	"loom/compiler/ir"
)

// format is a binary floating-point format. All arithmetic is done in float64
// and rounded once more by encode: for +, -, *, / and square root of the
// narrower formats the second rounding never changes the result, because
// float64 has more than twice their precision plus two bits; fma takes care of
// itself (see fusedMultiplyAdd).
type format struct {
	name   string
	bits   uint
	decode func(uint64) float64
	encode func(float64) uint64
}

var (
	f16format  = format{"f16", 16, decodeF16, encodeF16}
	bf16format = format{"bf16", 16, decodeBF16, encodeBF16}
	f32format  = format{"f32", 32, decodeF32, encodeF32}
	f64format  = format{"f64", 64, math.Float64frombits, encodeF64}
)

// The canonical quiet NaNs.
const (
	nanF16  = 0x7e00
	nanBF16 = 0x7fc0
	nanF32  = 0x7fc00000
	nanF64  = 0x7ff8000000000000
)

func formatOf(t ir.Type) (*format, bool) {
	f, ok := t.(*ir.FloatType)
	if !ok {
		return nil, false
	}
	switch f.Name {
	case "f16":
		return &f16format, true
	case "bf16":
		return &bf16format, true
	case "f32":
		return &f32format, true
	case "f64":
		return &f64format, true
	}
	return nil, false
}

func (f *format) signBit() uint64 { return 1 << (f.bits - 1) }

// EncodeFloat rounds v to the float type t and returns its bits; ok is false
// where t is no supported float type. NaN becomes the canonical quiet NaN.
func EncodeFloat(v float64, t ir.Type) (bits uint64, ok bool) {
	f, ok := formatOf(t)
	if !ok {
		return 0, false
	}
	return f.encode(v), true
}

// DecodeFloat returns the value of a bit pattern of the float type t, exactly;
// ok is false where t is no supported float type.
func DecodeFloat(bits uint64, t ir.Type) (v float64, ok bool) {
	f, ok := formatOf(t)
	if !ok {
		return 0, false
	}
	return f.decode(bits), true
}

func encodeF64(x float64) uint64 {
	if x != x {
		return nanF64
	}
	return math.Float64bits(x)
}

func decodeF32(b uint64) float64 { return float64(math.Float32frombits(uint32(b))) }

func encodeF32(x float64) uint64 {
	if x != x {
		return nanF32
	}
	return uint64(math.Float32bits(float32(x)))
}

func decodeF16(b uint64) float64  { return unpack(b, 5, 10) }
func encodeF16(x float64) uint64  { return pack(x, 5, 10, nanF16) }
func decodeBF16(b uint64) float64 { return float64(math.Float32frombits(uint32(b) << 16)) }
func encodeBF16(x float64) uint64 { return pack(x, 8, 7, nanBF16) }

// unpack reads an IEEE format with e exponent and m fraction bits.
func unpack(b uint64, e, m uint) float64 {
	bias := 1<<(e-1) - 1
	exp := int(b >> m & mask(e))
	frac := b & mask(m)
	sign := 1.0
	if b>>(e+m)&1 == 1 {
		sign = -1
	}
	switch {
	case exp == 1<<e-1 && frac != 0:
		return math.NaN()
	case exp == 1<<e-1:
		return math.Inf(int(sign))
	case exp == 0:
		return math.Copysign(math.Ldexp(float64(frac), 1-bias-int(m)), sign)
	}
	return sign * math.Ldexp(float64(frac|1<<m), exp-bias-int(m))
}

// pack rounds x to nearest even in an IEEE format with e exponent and m fraction
// bits.
func pack(x float64, e, m uint, nan uint64) uint64 {
	b := math.Float64bits(x)
	sign := b >> 63 << (e + m)
	exp := int(b >> 52 & 0x7ff)
	infinity := mask(e) << m
	switch {
	case x != x:
		return nan
	case exp == 0x7ff:
		return sign | infinity
	case exp == 0:
		// Zero, or a float64 subnormal: far below half the smallest number.
		return sign
	}
	sig := b&mask(52) | 1<<52 // the value is sig * 2^(exp-1023-52)
	bias := 1<<(e-1) - 1
	shift := 52 - m
	biased := exp - 1023 + bias
	if biased < 1 { // a subnormal result has fewer bits
		shift += uint(1 - biased)
		biased = 1
	}
	if shift > 53 {
		return sign // below half the smallest number
	}
	q, rest, half := sig>>shift, sig&mask(shift), uint64(1)<<(shift-1)
	if rest > half || rest == half && q&1 == 1 {
		q++
	}
	// q carries the leading one of a normal number, or a carry out of the
	// fraction; both add to the exponent field.
	out := uint64(biased-1)<<m + q
	if out >= infinity {
		out = infinity
	}
	return sign | out
}

// toOdd adjusts s, the rounded value of a real number that exceeds it by err
// (err is exact in sign), so that its last bit is odd whenever err is not zero.
// Rounding such a number again gives what rounding the real number once gives.
func toOdd(s, err float64) float64 {
	if err == 0 || math.IsInf(s, 0) || s != s {
		return s
	}
	b := math.Float64bits(s)
	if b&1 == 1 {
		return s
	}
	if (err > 0) == (s > 0) {
		b++
	} else {
		b--
	}
	return math.Float64frombits(b)
}

// fusedMultiplyAdd is a*b+c with one rounding to the format. For the narrow
// formats the product is exact in float64 and the sum is rounded to odd.
func (f *format) fusedMultiplyAdd(a, b, c float64) uint64 {
	if f.bits == 64 {
		return f.encode(math.FMA(a, b, c))
	}
	p := float64(a * b)
	s := float64(p + c)
	// Knuth's two-sum gives the exact error of the addition.
	t := float64(s - p)
	err := float64(p-float64(s-t)) + float64(c-t)
	return f.encode(toOdd(s, err))
}

// fromUint rounds an unsigned number, with a sign, to the format.
func (f *format) fromUint(v uint64, negative bool) uint64 {
	x := float64(v)
	if f.bits < 64 && v >= 1<<53 {
		// Keep the lost bits as a sticky last bit, so that the second rounding
		// decides alone.
		low := v & mask(11)
		x = float64(v &^ mask(11))
		x = toOdd(x, float64(low))
	}
	if negative {
		x = -x
	}
	return f.encode(x)
}
