package randc

// Prelude is what stands once at the head of a file of programs: headers, macros as
// kernels have them, and conversions that are defined for every value.
const Prelude = `#include <math.h>
#include <stdbool.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ABS(a) ((a) < 0 ? -(a) : (a))
#define SQUARE(a) ((a) * (a))
#define CLAMP(x, lo, hi) MIN(MAX(x, lo), hi)
#define ROTL(x, k) ((uint32_t)(x) << ((k) & 31) | (uint32_t)(x) >> (-(k) & 31))
#define POPCOUNT(x) __builtin_popcount((unsigned)(x))
#define POPCOUNTL(x) __builtin_popcountl((unsigned long)(x))
#define CLZ(x) __builtin_clz((unsigned)(x) | 1u)
#define CTZ(x) __builtin_ctz((unsigned)(x) | 0x80000000u)
#define BSWAP(x) __builtin_bswap32((uint32_t)(x))

static inline int to_int(double x) { return x > -2147483649.0 && x < 2147483648.0 ? (int)x : 1; }
static inline int to_intf(float x) { return x >= -2147483648.0f && x < 2147483648.0f ? (int)x : 1; }
static inline unsigned to_unsigned(double x) { return x > -1.0 && x < 4294967296.0 ? (unsigned)x : 2u; }
static inline long to_long(double x) { return x >= -9e18 && x <= 9e18 ? (long)x : 3; }
static inline unsigned long to_ulong(double x) { return x > -1.0 && x <= 18e18 ? (unsigned long)x : 4; }
`

// macro is a macro of the prelude or a function of the C library.
type macro struct {
	name  string
	arity int
	// result is the type it gives; common and promoted ones are marked by -1 and -2.
	result Type
	// float and integer are what arguments must be.
	float, integer bool
}

const (
	resultCommon  Type = -1
	resultPromote Type = -2
)

var macros = []macro{
	{name: "MIN", arity: 2, result: resultCommon},
	{name: "MAX", arity: 2, result: resultCommon},
	{name: "ABS", arity: 1, result: resultPromote},
	{name: "SQUARE", arity: 1, result: resultPromote},
	{name: "CLAMP", arity: 3, result: resultCommon},
	{name: "ROTL", arity: 2, result: U32, integer: true},
	{name: "POPCOUNT", arity: 1, result: I32, integer: true},
	{name: "POPCOUNTL", arity: 1, result: I32, integer: true},
	{name: "CLZ", arity: 1, result: I32, integer: true},
	{name: "CTZ", arity: 1, result: I32, integer: true},
	{name: "BSWAP", arity: 1, result: U32, integer: true},
	{name: "sqrtf", arity: 1, result: F32, float: true},
	{name: "sqrt", arity: 1, result: F64, float: true},
	{name: "fabsf", arity: 1, result: F32, float: true},
	{name: "fabs", arity: 1, result: F64, float: true},
	{name: "floorf", arity: 1, result: F32, float: true},
	{name: "ceil", arity: 1, result: F64, float: true},
	{name: "truncf", arity: 1, result: F32, float: true},
	{name: "fmaf", arity: 3, result: F32, float: true},
	{name: "fma", arity: 3, result: F64, float: true},
}

func macroOf(name string) (macro, bool) {
	for _, m := range macros {
		if m.name == name {
			return m, true
		}
	}
	return macro{}, false
}

// layout returns the offset of each field and the size of a struct.
func (s *Struct) layout() (offsets []int, size int) {
	align := 1
	for _, f := range s.Fields {
		a := f.Type.Size()
		align = max(align, a)
		size = (size + a - 1) / a * a
		offsets = append(offsets, size)
		size += a * max(1, f.Len)
	}
	return offsets, (size + align - 1) / align * align
}

func (s *Struct) size() int {
	_, n := s.layout()
	return n
}

func (s *Struct) field(name string) (Field, bool) {
	for _, f := range s.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}
