package rtl

import (
	"fmt"
	"strings"
	"testing"

	campaigns "loom/internal/soak"
	"loom/internal/tools/toolstest"
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
	unchanged(t, "float_*_test.go")
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
	formats := []floatFormat{{5, 10}, {8, 7}, {8, 23}, {11, 52}}
	if !soak() {
		formats = formats[:2] // TestFloatNative has the others every day
	}
	for i, f := range formats {
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

// pipedMutations are faults, and what a small unit that shows each does: roots, or quotients.
var pipedMutations = []struct {
	name, old, new string
	root, soak     bool
}{
	{"a quotient forgets what is left", "sticky2 = lost | ~exact", "sticky2 = lost", false, false},
	{"a moved quotient forgets what it lost", "sticky2 = lost | ~exact", "sticky2 = ~exact", false, true},
	{"nothing left is not seen", "assign exact  = (", "assign exact  = 1'b0 & (", false, true},
	{"a subnormal quotient stays where it is", "& {AB{negative}}", "& {AB{1'b0}}", false, false},
	{"a quotient far below is not moved out", " | {AB{far}}", "", false, true},
	{"a subnormal quotient moves up", "verge, ~negative, sticky2", "verge, 1'b1, sticky2", false, true},
	{"a quotient on the verge does not overflow", "(1 << EXP) - 3)", "(1 << EXP) - 2)", false, true},
	{"a quotient that is too large goes on", "(expo2[EXP] | (&expo2[EXP-1:1]))", "expo2[EXP]", false, true},
	{"infinity over infinity is an infinity", "(~empty_a | most_b)", "~empty_a", false, true},
	{"zero over zero is an infinity", "(~hidden_a & empty_a & ~hidden_b & empty_b)", "1'b0", false, true},
	{"a number over a NaN is a number", "(most_b & ~empty_b)", "1'b0", false, true},
	{"a number over zero is a number", "most_a | (~hidden_b & empty_b)", "most_a", false, true},
	{"a number over infinity is a number", "a0 & {P{~zero0}}", "a0", false, true},
	{"a quotient has the sign of its dividend", "(b[EXP+FRAC] & ~is_root)", "1'b0", false, true},
	{"a subnormal divisor has the exponent 0", "b[FRAC] | ~hidden_b", "b[FRAC]", false, true},
	{"a divisor's zeros do not count", "XW'(up_b1)", "XW'(0)", false, true},
	{"a step always subtracts", "{(SUM + 1) {below}}, borrow}", "{(SUM + 1) {1'b0}}, borrow}", false, false},
	{"a step forgets the divisor's last bit", "borrow = below | subtrahend[0]", "borrow = below", false, true},
	{"a root adds what it subtracted", "{is_root & below, is_root}", "{1'b0, is_root}", true, false},
	{"a root's step takes a bit too few", "{is_root & below, is_root}", "{is_root & below, 1'b0}", true, true},
	{"a root does not grow", "bit_found & is_root", "1'b0", true, true},
	{"the root of a subnormal number has another exponent", "(apart0[0] ^ up_a[0])", "apart0[0]", true, true},
	{"a root has the exponent of its operand", "halved1 = is_root ?", "halved1 = 1'b0 ?", true, true},
	{"a negative subnormal number has a root", "(hidden_a | ~empty_a))", "hidden_a)", true, true},
}

// TestFloatPipedMutations plants faults, each of which a small unit must show, and none where there is none.
func TestFloatPipedMutations(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	wrong := func(t *testing.T, root bool, old, new string) bool {
		file := ""
		if old != "" {
			file = "loom_float_divsqrt_piped.sv"
		}
		for _, f := range []floatFormat{{3, 2}, {4, 3}} {
			u := f.divsqrtPiped(3, 0, root)
			u.vectors = allValues(f.width(), 0)
			if !root {
				u.vectors = thinned(allPairs(f.width(), 0), 1+6*(f.exp-3))
			}
			if got := countWrong(t, u, file, old, new); got != "wrong 0" {
				return strings.HasPrefix(got, "wrong ")
			}
		}
		return false
	}
	for _, root := range []bool{false, true} {
		t.Run(fmt.Sprintf("as it is, root %v", root), func(t *testing.T) {
			t.Parallel()
			if wrong(t, root, "", "") {
				t.Error("wrong without a fault")
			}
		})
	}
	for _, m := range pipedMutations {
		t.Run(m.name, func(t *testing.T) {
			planted(t, "loom_float_divsqrt_piped.sv", m.old)
			if m.soak && !soak() {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			if !wrong(t, m.root, m.old, m.new) {
				t.Error("the fault is not seen")
			}
		})
	}
}
