package rtl

import (
	"fmt"
	"testing"

	campaigns "loom/internal/soak"
)

// divsqrtPiped is an instance of loom_float_divsqrt_piped with the operations in parts, as divsqrt has them, that does
// roots, or quotients.
func (f floatFormat) divsqrtPiped(parts, latency int, root bool) floatUnit {
	w := f.width() - 1
	u := floatUnit{name: fmt.Sprintf("divsqrt %s of parts %d, %d registers, root %v", f.name(), parts, latency, root), value: f.divide}
	op := 0
	if root {
		op, u.value = 1, f.squareRoot
	}
	u.instance = pipelined("loom_float_divsqrt_piped", fmt.Sprintf("EXP(%d), FRAC(%d), DIVIDE(%d), ROOT(%d)", f.exp, f.frac, parts&1, parts>>1), latency,
		fmt.Sprintf(".root(1'b%d), .a(a[%[2]d:0]), .b(b[%[2]d:0])", op, w), f.width())
	return u
}

// TestFloatDivSqrtPiped compares quotients and roots of small formats with exact arithmetic, all of them with registers
// at different places, and some of other formats; TestFloatNative compares many more with the machine's.
func TestFloatDivSqrtPiped(t *testing.T) {
	t.Parallel()
	many := campaigns.Scale(3000, 300000)
	var units []floatUnit
	add := func(u floatUnit, f floatFormat, random int) {
		switch {
		case random > 0:
			u.vectors = randomVectors(f.exp, f.frac, random, 3, 0)
		case u.value(vector{a: 1 << (f.width() - 1)}) == 1<<(f.width()-1): // the root of -0
			u.vectors = allValues(f.width(), 0)
		default:
			u.vectors = allPairs(f.width(), 0)
		}
		units = append(units, u)
	}
	for _, f := range []floatFormat{{3, 2}, {4, 3}, {4, 4}} {
		for _, parts := range []int{1, 2, 3} {
			for _, latency := range []int{0, 1, 2, 3, 4, 5, 7, f.frac + 7} {
				if latency > f.frac+7 || f.frac == 4 && (latency != 7 || parts != 3) || f.frac == 3 && latency > 0 && latency < 7 {
					continue
				}
				if parts&1 != 0 {
					add(f.divsqrtPiped(parts, latency, false), f, 0)
				}
				if parts&2 != 0 {
					add(f.divsqrtPiped(parts, latency, true), f, 0)
				}
			}
		}
	}
	runFloats(t, units)
	units = nil
	for i, f := range []floatFormat{{5, 10}, {8, 7}, {8, 23}, {11, 52}} {
		for _, parts := range []int{1, 2, 3} {
			latency := []int{6 + i, (f.frac+3)/2 + 4, f.frac + 7}[parts-1]
			if parts&1 != 0 {
				add(f.divsqrtPiped(parts, latency, false), f, 6*many)
			}
			if parts&2 != 0 {
				add(f.divsqrtPiped(parts, latency, true), f, many)
			}
		}
	}
	runFloats(t, units)
}
