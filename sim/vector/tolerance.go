package vector

import (
	"math"
	"slices"

	"loom/compiler/ir"
	"loom/compiler/num"
)

// Tolerance is how far floats may lie apart, relative to the larger of them and to 1.
// The zero value requires equal bits.
type Tolerance struct {
	F16, F32, F64 float64
	// NaN lets integers differ that hold the result of an invalid operation, as a struct
	// or union seen in words does: IEEE 754 leaves sign and payload of that NaN to the
	// machine.
	NaN bool
}

// Libraries is the tolerance between two libraries of mathematical functions: each
// rounds the functions that IEEE 754 leaves open (exp, log, sin, pow, …) within a few
// units in the last place, and sums of many results, or differences of nearly equal
// ones, grow that by two or three decimal digits. Operations that IEEE 754 defines need
// no tolerance.
var Libraries = Tolerance{F16: 1e-2, F32: 1e-4, F64: 1e-11}

// DiffTolerance is Diff with floats that may lie apart. Integers must be equal, except
// as Tolerance.NaN allows.
func DiffTolerance(want, got *Outcome, tol Tolerance) []string {
	if tol.NaN {
		got = withNaNsOf(want, got)
	}
	return diff(want, got, func(a, b uint64, t ir.Type) bool { return equal(a, b, t) || tol.near(a, b, t) })
}

// withNaNsOf is got with the words of want where both hold the NaN of an invalid
// operation in integers.
func withNaNsOf(want, got *Outcome) *Outcome {
	out := *got
	out.Results = slices.Clone(got.Results)
	for i := range out.Results {
		if i < len(want.Results) && want.Results[i].Type == out.Results[i].Type {
			out.Results[i].Bits = sameNaNs([]uint64{want.Results[i].Bits}, []uint64{out.Results[i].Bits}, out.Results[i].Type)[0]
		}
	}
	out.Memories = slices.Clone(got.Memories)
	for i, m := range out.Memories {
		if i < len(want.Memories) && want.Memories[i].Elem == m.Elem && len(want.Memories[i].Data) == len(m.Data) {
			c := *m
			c.Data = sameNaNs(want.Memories[i].Data, m.Data, m.Elem)
			out.Memories[i] = &c
		}
	}
	return &out
}

// near reports whether two floats are the same but for rounding.
func (tol Tolerance) near(a, b uint64, t ir.Type) bool {
	x, ok := num.DecodeFloat(a, t)
	y, _ := num.DecodeFloat(b, t)
	if !ok {
		return false
	}
	rel := 0.0
	switch w, _ := ir.BitWidth(t, 64); w {
	case 16:
		rel = tol.F16
	case 32:
		rel = tol.F32
	case 64:
		rel = tol.F64
	}
	if math.IsInf(x, 0) || math.IsInf(y, 0) || rel == 0 {
		return false
	}
	return math.Abs(x-y) <= rel*max(math.Abs(x), math.Abs(y), 1)
}
