package randc

import "math"

// Type is a scalar type of C.
type Type int

// The types, in the order of C's conversion ranks.
const (
	Bool Type = iota
	I8
	U8
	I16
	U16
	I32
	U32
	I64
	U64
	F32
	F64
	Void
)

// spellings are the spellings of a type; the first is the plain one.
var spellings = [...][]string{
	Bool: {"_Bool", "bool"},
	I8:   {"signed char", "int8_t", "char"},
	U8:   {"unsigned char", "uint8_t"},
	I16:  {"short", "int16_t"},
	U16:  {"unsigned short", "uint16_t"},
	I32:  {"int", "int32_t"},
	U32:  {"unsigned", "uint32_t", "unsigned int"},
	I64:  {"long", "int64_t", "ptrdiff_t"},
	U64:  {"unsigned long", "uint64_t", "size_t"},
	F32:  {"float"},
	F64:  {"double"},
	Void: {"void"},
}

func (t Type) String() string { return spellings[t][0] }

// Float reports whether t is float or double.
func (t Type) Float() bool { return t == F32 || t == F64 }

// Signed reports whether t is a signed integer type.
func (t Type) Signed() bool { return t == I8 || t == I16 || t == I32 || t == I64 }

// Size is the number of bytes.
func (t Type) Size() int {
	switch t {
	case Bool, I8, U8:
		return 1
	case I16, U16:
		return 2
	case I32, U32, F32:
		return 4
	case Void:
		return 0
	}
	return 8
}

// bits is the width that shifts of a promoted value have.
func (t Type) bits() int { return 8 * t.Size() }

// promote is C's integer promotion.
func (t Type) promote() Type {
	if t < I32 {
		return I32
	}
	return t
}

// common is the type of a binary operation: C's usual arithmetic conversions, for
// which the order of the constants is the order of ranks.
func common(a, b Type) Type { return max(a.promote(), b.promote()) }

// convert is the bit pattern that a signed 64-bit number becomes as an integer of
// type t.
func (t Type) convert(v int64) int64 {
	switch t {
	case Bool:
		if v != 0 {
			return 1
		}
		return 0
	case I8:
		return int64(int8(v))
	case U8:
		return int64(uint8(v))
	case I16:
		return int64(int16(v))
	case U16:
		return int64(uint16(v))
	case I32:
		return int64(int32(v))
	case U32:
		return int64(uint32(v))
	}
	return v
}

// extremes are the values where arithmetic overflows.
func (t Type) extremes() []int64 {
	switch t {
	case Bool:
		return []int64{0, 1}
	case I64:
		return []int64{math.MinInt64, math.MaxInt64, -1, 1 << 32, 1 << 31}
	case U64:
		return []int64{-1, math.MaxInt64, math.MinInt64, 1 << 32, 1<<32 - 1}
	}
	top := int64(1)<<(t.bits()-1) - 1
	if t.Signed() {
		return []int64{-top - 1, top, -1, 1}
	}
	return []int64{2*top + 1, top, top + 1, 1}
}
