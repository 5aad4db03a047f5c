package mlir

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"loom/compiler/ir"
)

// format is a binary interchange format that LOOM computes with.
type format struct {
	width, mantissa int
}

var formats = map[string]*format{
	"f16":  {16, 10},
	"bf16": {16, 7},
	"f32":  {32, 23},
	"f64":  {64, 52},
}

// floatFormat returns the format of a float type, nil for those that are only
// passed through as text.
func floatFormat(name string) *format { return formats[name] }

// encode rounds v to the format, ties to even.
func (f *format) encode(v float64) uint64 {
	switch f.width {
	case 64:
		return math.Float64bits(v)
	case 32:
		return uint64(math.Float32bits(float32(v)))
	}
	expBits := f.width - 1 - f.mantissa
	bias := 1<<(expBits-1) - 1
	b := math.Float64bits(v)
	sign := b >> 63 << (f.width - 1)
	inf := uint64(1<<expBits-1) << f.mantissa
	switch {
	case math.IsNaN(v):
		return sign | inf | 1<<(f.mantissa-1)
	case math.IsInf(v, 0):
		return sign | inf
	case v == 0:
		return sign
	}
	exp := int(b>>52&0x7ff) - 1023
	frac := b&(1<<52-1) | 1<<52
	if exp < -1022 {
		return sign // a subnormal double is below half of any small format's least value
	}
	shift := 52 - f.mantissa
	if exp < 1-bias {
		shift += 1 - bias - exp
		if shift > 54 {
			return sign
		}
	}
	q := frac >> shift
	rest, half := frac&(1<<shift-1), uint64(1)<<(shift-1)
	if rest > half || rest == half && q&1 == 1 {
		q++
	}
	// Adding the exponent arithmetically lets a carry out of the fraction
	// reach it, and a subnormal that rounds up become normal.
	if exp >= 1-bias {
		q += uint64(exp+bias-1) << f.mantissa
	}
	if q > inf {
		q = inf
	}
	return sign | q
}

// decode is the value of bits.
func (f *format) decode(bits uint64) float64 {
	switch f.width {
	case 64:
		return math.Float64frombits(bits)
	case 32:
		return float64(math.Float32frombits(uint32(bits)))
	}
	expBits := f.width - 1 - f.mantissa
	bias := 1<<(expBits-1) - 1
	exp := int(bits >> f.mantissa & (1<<expBits - 1))
	frac := float64(bits & (1<<f.mantissa - 1))
	var v float64
	switch exp {
	case 1<<expBits - 1:
		v = math.Inf(1)
		if frac != 0 {
			v = math.NaN()
		}
	case 0:
		v = math.Ldexp(frac, 1-bias-f.mantissa)
	default:
		v = math.Ldexp(frac+float64(uint64(1)<<f.mantissa), exp-bias-f.mantissa)
	}
	if bits>>(f.width-1) != 0 {
		v = -v
	}
	return v
}

// text spells a value so that it reads back as the same bits: six digits where
// that is exact, else the shortest decimal that is, else the bits.
func (f *format) text(v float64, bits uint64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return fmt.Sprintf("0x%0*X", f.width/4, bits)
	}
	s := strconv.FormatFloat(v, 'e', 6, 64)
	if back, err := strconv.ParseFloat(s, 64); err == nil && f.encode(back) == bits {
		return s
	}
	size := 64
	if f.width <= 32 {
		size = 32
	}
	s = strconv.FormatFloat(v, 'e', -1, size)
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

// Float makes the attribute v : t, rounded to t and spelled as MLIR spells it.
func Float(v float64, t *ir.FloatType) *ir.FloatAttr {
	f := floatFormat(t.Name)
	if f == nil {
		return &ir.FloatAttr{Value: v, Type: t}
	}
	bits := f.encode(v)
	v = f.decode(bits)
	return &ir.FloatAttr{Value: v, Type: t, Text: f.text(v, bits)}
}
