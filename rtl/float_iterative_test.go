package rtl

import (
	"fmt"
	"iter"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"loom/compiler/num"
	campaigns "loom/internal/soak"
	"loom/internal/tools/toolstest"
)

// floatFormat is a format of the benches below.
type floatFormat struct{ exp, frac int }

func (f floatFormat) width() int   { return 1 + f.exp + f.frac }
func (f floatFormat) name() string { return fmt.Sprintf("%d_%d", f.exp, f.frac) }

// quotient is a / b by exact arithmetic.
func (f floatFormat) quotient(a, b uint64) uint64 {
	ca, na, va := decodeExact(a, f.exp, f.frac)
	cb, nb, vb := decodeExact(b, f.exp, f.frac)
	negative := na != nb
	zeroA, zeroB := ca == isNumber && va.Sign() == 0, cb == isNumber && vb.Sign() == 0
	switch {
	case ca == isNaN, cb == isNaN, ca == isInfinite && cb == isInfinite, zeroA && zeroB:
		return canonicalNaN(f.exp, f.frac)
	case ca == isInfinite, zeroB:
		return infinity(negative, f.exp, f.frac)
	case cb == isInfinite, zeroA:
		return roundExact(new(big.Rat), negative, f.exp, f.frac)
	}
	return roundExact(new(big.Rat).Quo(va, vb), negative, f.exp, f.frac)
}

// root is the square root of a by exact arithmetic: of so many bits that none is a tie by chance,
// with a last one that stands for the rest.
func (f floatFormat) root(a uint64) uint64 {
	class, negative, v := decodeExact(a, f.exp, f.frac)
	switch {
	case class == isNaN:
		return canonicalNaN(f.exp, f.frac)
	case class == isNumber && v.Sign() == 0:
		return a
	case negative:
		return canonicalNaN(f.exp, f.frac)
	case class == isInfinite:
		return a
	}
	// floor(sqrt(v) * 2^s), exactly.
	s := 1<<f.exp + 2*f.frac
	n := new(big.Int).Lsh(v.Num(), uint(2*s))
	n, rest := n.QuoRem(n, v.Denom(), new(big.Int))
	y := new(big.Int).Sqrt(n)
	exact := rest.Sign() == 0 && new(big.Int).Mul(y, y).Cmp(n) == 0
	y.Lsh(y, 1)
	if !exact {
		y.Add(y, big.NewInt(1))
	}
	return roundExact(scaled(y, -s-1, false), false, f.exp, f.frac)
}

// divsqrt is an instance of loom_float_divsqrt with the operations in parts (1 division, 2 roots, 3
// both) that does roots, or quotients.
func (f floatFormat) divsqrt(parts, bits int, root bool) floatUnit {
	w := f.width() - 1
	u := floatUnit{name: fmt.Sprintf("divsqrt %s of parts %d, %d bits, root %v", f.name(), parts, bits, root), value: f.divide}
	op := 0
	if root {
		op, u.value = 1, f.squareRoot
	}
	u.instance = fmt.Sprintf("      wire b_ready; wire root = %d;\n", op) +
		iterative("loom_float_divsqrt", fmt.Sprintf("EXP(%d), FRAC(%d), DIVIDE(%d), ROOT(%d), BITS(%d)", f.exp, f.frac, parts&1, parts>>1, bits),
			fmt.Sprintf(".root(root), .a_valid(in_valid), .a_ready(in_ready), .a_data(a[%[1]d:0]), .b_valid(in_valid & ~root), .b_ready(b_ready), .b_data(b[%[1]d:0])", w), f.width())
	return u
}

func (f floatFormat) divide(v vector) uint64     { return f.quotient(v.a, v.b) }
func (f floatFormat) squareRoot(v vector) uint64 { return f.root(v.a) }

// TestFloatDivSqrt compares quotients and roots with exact arithmetic; TestFloatNative compares many more with the
// machine's.
func TestFloatDivSqrt(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	many := campaigns.Scale(3000, 300000)
	var units []floatUnit
	add := func(u floatUnit, vectors iter.Seq[vector]) {
		u.vectors = vectors
		units = append(units, u)
	}
	for _, bits := range []int{1, 2} {
		for _, parts := range []int{1, 2, 3} {
			for _, f := range []floatFormat{{3, 2}, {4, 3}, {4, 4}} {
				if f.frac == 4 && parts != 3 {
					continue
				}
				if parts&1 != 0 {
					add(f.divsqrt(parts, bits, false), allPairs(f.width(), 0))
				}
				if parts&2 != 0 {
					add(f.divsqrt(parts, bits, true), allValues(f.width(), 0))
				}
			}
		}
		add(floatFormat{5, 10}.divsqrt(2, bits, true), allValues(16, 0))
		add(floatFormat{8, 7}.divsqrt(3, bits, true), allValues(16, 0))
		for _, f := range []floatFormat{{5, 10}, {8, 7}, {8, 23}, {11, 52}} {
			add(f.divsqrt(3, bits, false), randomVectors(f.exp, f.frac, 6*many, 3, 0))
		}
		for _, f := range []floatFormat{{8, 23}, {11, 52}} {
			add(f.divsqrt(3, bits, true), randomVectors(f.exp, f.frac, many, 4, 0))
		}
	}
	runFloats(t, units)
}

// function is an instance of loom_float_function with some of the functions (a bit for each of exp,
// log2, sin and cos); op comes with the vectors, of which one bench unit has only one.
func (f floatFormat) function(some, bits, op int) floatUnit {
	w := f.width() - 1
	u := floatUnit{name: fmt.Sprintf("function %d of %s, functions %04b, %d bits", op, f.name(), some, bits)}
	u.instance = iterative("loom_float_function",
		fmt.Sprintf("EXP(%d), FRAC(%d), HAS_EXP(%d), HAS_LOG2(%d), HAS_SIN(%d), HAS_COS(%d), BITS(%d)", f.exp, f.frac, some&1, some>>1&1, some>>2&1, some>>3&1, bits),
		fmt.Sprintf(".op(2'd%d), .a_valid(in_valid), .a_ready(in_ready), .a_data(a[%d:0])", op, w), f.width())
	u.value = func(v vector) uint64 { return num.Elementary(op, uint(f.exp), uint(f.frac), v.a) }
	return u
}

// functionVectors are n operands of a format: corners, any, of a moderate size, and near one.
func functionVectors(f floatFormat, n int, seed uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(f.exp)))
		one := (uint64(1)<<(f.exp-1) - 1) << f.frac
		c := corners(f.exp, f.frac)
		for i := range n {
			a := randomFloat(r, f.exp, f.frac, r.Uint64())
			switch size := r.IntN(f.frac+f.exp+6) - f.frac - 3; {
			case i < len(c):
				a = c[i]
			case i%3 == 0:
				a = (one+uint64(size)<<f.frac)&(1<<(f.exp+f.frac)-1) | r.Uint64()&(1<<f.frac-1) | r.Uint64N(2)<<(f.exp+f.frac)
			case i%3 == 1:
				a = one + r.Uint64N(1<<r.IntN(f.frac+2)) - r.Uint64N(1<<r.IntN(f.frac+2))
			}
			if !yield(vector{a: a}) {
				return
			}
		}
	}
}

// TestFloatFunction compares loom_float_function with the model, whose results compiler/num holds
// against exact ones.
func TestFloatFunction(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	many := campaigns.Scale(3000, 1000000)
	var units, halves []floatUnit
	for op := range 4 {
		add := func(f floatFormat, some, bits int, vectors iter.Seq[vector]) {
			u := f.function(some, bits, op)
			u.vectors = vectors
			units = append(units, u)
		}
		for _, f := range []floatFormat{{3, 2}, {4, 3}} {
			add(f, 15, 1, allValues(f.width(), 0))
			add(f, 15, 2, allValues(f.width(), 0))
			add(f, 1<<op, 2, allValues(f.width(), 0))
		}
		add(floatFormat{8, 7}, 15, 2, functionVectors(floatFormat{8, 7}, many, 6))
		add(floatFormat{8, 23}, 15, 2, functionVectors(floatFormat{8, 23}, many, 7))
		add(floatFormat{11, 52}, 15, 2, functionVectors(floatFormat{11, 52}, many/2, 8))
		u := floatFormat{5, 10}.function(1<<op, 2, op)
		u.vectors = allValues(16, 0)
		halves = append(halves, u)
	}
	runFloats(t, units)
	runFloats(t, halves) // apart: these take many more cycles than the others
}

// iterativeUnit is an instance whose results come in a number of cycles that its operands decide.
type iterativeUnit struct {
	floatUnit
	latency func(v vector) int
}

// always is a latency that does not depend on operands.
func always(n int) func(vector) int { return func(vector) int { return n } }

// divsqrtCycles and functionCycles are the latencies that the modules state.
func divsqrtCycles(f floatFormat, bits int) int { return 6 + (f.frac+3+bits-1)/bits }

func functionCycles(f floatFormat, bits int) int {
	w := f.frac + 12
	m := (w + bits - 1) / bits
	k := (f.frac+8)/6 + 1
	p := (w + f.exp + 2*f.frac + 2) &^ 1
	return max(p/bits+1, w) + max(m, f.exp+7) + m*(k+2) + k + 4/bits + (f.exp+bits-1)/bits + max(f.exp+9, f.frac+4) + 9
}

// smallIterative are the units that show planted faults.
func smallIterative() map[string]iterativeUnit {
	units := map[string]iterativeUnit{}
	for _, f := range []floatFormat{{3, 2}, {4, 3}} {
		for _, bits := range []int{1, 2} {
			for _, root := range []bool{false, true} {
				u := f.divsqrt(3, bits, root)
				u.vectors = allValues(f.width(), 0)
				if !root {
					u.vectors = thinned(allPairs(f.width(), 0), 1+6*(f.exp-3))
				}
				units[fmt.Sprintf("%s %d %v", f.name(), bits, root)] = iterativeUnit{u, always(divsqrtCycles(f, bits))}
			}
		}
	}
	wide := floatFormat{4, 4}.divsqrt(3, 2, false)
	wide.vectors = thinned(allPairs(9, 0), 23)
	units["4_4 2 false"] = iterativeUnit{wide, always(divsqrtCycles(floatFormat{4, 4}, 2))}
	for _, f := range []floatFormat{{3, 2}, {4, 3}, {4, 4}, {3, 6}} {
		u := f.rem()
		u.vectors = thinned(allPairs(f.width(), 0), map[int]int{6: 1, 8: 3}[f.width()])
		if f.width() > 8 {
			u.vectors = thinned(allPairs(f.width(), 0), 23)
		}
		units["rem "+f.name()] = iterativeUnit{u, f.remCycles}
	}
	for _, f := range []floatFormat{{8, 23}, {11, 52}} {
		u := f.rem()
		u.vectors = randomVectors(f.exp, f.frac, 30000/f.width(), 11, 0)
		units["rem "+f.name()] = iterativeUnit{u, f.remCycles}
	}
	// Roots of a wide format directly after the reset.
	early := floatFormat{8, 23}.divsqrt(3, 2, true)
	early.vectors = slices.Values([]vector{{a: 0x40490fdb}, {a: 0x3f800001}})
	units["8_23 2 true"] = iterativeUnit{early, always(divsqrtCycles(floatFormat{8, 23}, 2))}
	for op := range 4 {
		for _, f := range []floatFormat{{3, 2}, {4, 3}, {5, 12}} {
			u := f.function(15, 2, op)
			u.vectors = allValues(f.width(), 0)
			if f.frac == 12 { // near one, and near pi
				u.vectors = func(yield func(vector) bool) {
					for a := range uint64(512 + 64) {
						if a < 512 {
							a += 15<<12 - 256
						} else {
							a += 16<<12 + 2338 - 512 - 32
						}
						if !yield(vector{a: a}) {
							return
						}
					}
				}
			}
			units[fmt.Sprintf("%s of %s", [4]string{"exp", "log2", "sin", "cos"}[op], f.name())] = iterativeUnit{u, always(functionCycles(f, 2))}
		}
	}
	return units
}

// thinned is every n-th vector.
func thinned(all iter.Seq[vector], n int) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		i := 0
		for v := range all {
			if i++; i%n == 0 && !yield(v) {
				return
			}
		}
	}
}

// underHandshake runs a unit under Icarus, with a fault if file is not empty, and tells how many
// results are wrong or not in time: each in its cycle, the next operands in the same one.
func (u iterativeUnit) underHandshake(t *testing.T, file, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	sources(t, dir, file, old, new)
	var words strings.Builder
	n := 0
	for v := range u.vectors {
		fmt.Fprintf(&words, "%08x%016x%016x%016x\n", u.latency(v), u.value(v), v.b, v.a)
		n++
	}
	text := fmt.Sprintf(`module bench;
  reg [223:0] words [0:%[1]d];
  reg clk, rst, in_valid;
  wire in_ready, out_valid, out_ready;
  assign out_ready = 1;
  wire [63:0] a, b, c, op, want, y;
  integer given, taken, wrong, age;
  wire [31:0] time_taken;
  assign b = words[given][127:64], a = words[given][63:0], want = words[taken][191:128], time_taken = words[taken][223:192];
  assign c = 0, op = 0;
  %[2]s
  initial begin
    $readmemh("words.hex", words);
    wrong = 0; clk = 0; rst = 1; given = 0; taken = 0; age = 0; in_valid = 0;
    #1 clk = 1; #1 clk = 0; #1 clk = 1; #1 clk = 0; rst = 0; in_valid = 1; #1;
    while (taken <= %[1]d) begin
      if (out_valid) begin
        if (y !== want || age != time_taken) wrong = wrong + 1;
        taken = taken + 1;
      end
      if (age > time_taken + 3) begin wrong = wrong + 1; taken = %[1]d + 1; end
      if (in_valid && in_ready) begin
        age = 1; #1 clk = 1; #1 clk = 0; given = given + 1; in_valid = given <= %[1]d;
      end else begin
        age = age + 1; #1 clk = 1; #1 clk = 0;
      end
      #1;
    end
    $display("wrong %%0d", wrong);
    $finish;
  end
endmodule
`, n-1, u.instance)
	for name, s := range map[string]string{"bench.sv": text, "words.hex": words.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Closure("loom_float_divsqrt", "loom_float_function", "loom_float_rem")
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-g2012", "-o", "bench.vvp", "-s", "bench"}, files...)
	if out, err := run(t, dir, time.Minute, "iverilog", append(args, "bench.sv")...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, 2*time.Minute, "vvp", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	return strings.TrimSpace(out)
}

// iterativeMutations are faults, and the unit that shows each.
var iterativeMutations = []struct {
	name, unit, file, old, new string
	soak                       bool
}{
	{"a quotient rounds ties up", "3_2 2 false", "loom_float_divsqrt.sv", "guard & (sticky | frac[0])", "guard", false},
	{"a quotient rounds ties down", "3_2 2 false", "loom_float_divsqrt.sv", "guard & (sticky | frac[0])", "guard & sticky", true},
	{"a quotient forgets what is left", "3_2 1 false", "loom_float_divsqrt.sv", "sticky  = ~done | ", "sticky  = ", false},
	{"nothing left is not seen in the first step of a cycle", "4_3 2 false", "loom_float_divsqrt.sv", "rest_empty | (|nothing)", "rest_empty", true},
	{"nothing left is not seen between cycles", "4_4 2 false", "loom_float_divsqrt.sv", "rest_empty | (|nothing)", "(|nothing)", true},
	{"nothing left is not seen at the end", "4_3 2 false", "loom_float_divsqrt.sv", "done    = exact | (rest_empty", "done    = exact | (1'b0", true},
	{"a subnormal quotient moves up", "3_2 2 false", "loom_float_divsqrt.sv", "low     = top | ~|expo", "low     = top", false},
	{"a subnormal quotient does not wait", "3_2 2 false", "loom_float_divsqrt.sv", "hold = steps & expo[XW-1]", "hold = 1'b0", true},
	{"a subnormal quotient has an exponent", "4_3 2 false", "loom_float_divsqrt.sv", "expo[0] & (top | result[NB-2])", "expo[0]", true},
	{"a quotient on the verge does not overflow", "4_3 2 false", "loom_float_divsqrt.sv", "(expo[0] | top)", "expo[0]", true},
	{"a quotient far below is not 0", "4_3 2 false", "loom_float_divsqrt.sv", "(zero | expo[XW-1])", "zero", true},
	{"infinity over infinity is one", "3_2 2 false", "loom_float_divsqrt.sv", "(most & (~empty | infinite))", "(most & ~empty)", true},
	{"zero over zero is an infinity", "3_2 2 false", "loom_float_divsqrt.sv", "| (~hidden & empty & zero)", "", true},
	{"a NaN has a sign", "3_2 2 false", "loom_float_divsqrt.sv", "(sign_b & ~is_root)) & ~nan", "(sign_b & ~is_root))", true},
	{"an odd zero in front of a fraction is not seen", "4_3 1 false", "loom_float_divsqrt.sv", "behind = ~even[P-1]", "behind = 1'b0", true},
	{"the root of a subnormal number has another exponent", "4_3 2 true", "loom_float_divsqrt.sv", "hidden ? operand[FRAC] : behind", "operand[FRAC]", false},
	{"a negative number has a root", "3_2 2 true", "loom_float_divsqrt.sv", "(hidden | ~empty))", "hidden)", true},
	{"a root's step takes a bit too few", "3_2 2 true", "loom_float_divsqrt.sv", " | (mark >> 1)", "", false},
	{"a root adds what it subtracted", "3_2 1 true", "loom_float_divsqrt.sv", "(mark & {(T + 1) {below}})", "mark", true},
	{"a root's second step does not see the first", "3_2 2 true", "loom_float_divsqrt.sv", "assign root_so_far = g_step[g-1].root_so_far | (g_step[g-1].mark & {(T + 1) {~g_step[g-1].sum[T+1]}})", "assign root_so_far = g_step[g-1].root_so_far", true},

	{"a remainder subtracts beyond its steps", "rem 3_2", "loom_float_rem.sv", "subtract     = fits & ~done", "subtract     = fits", true},
	{"a remainder leaves what is as large as the divisor", "rem 3_2", "loom_float_rem.sv", "subtract     = fits & ~done", "subtract     = fits & ~done & (|diff)", false},
	{"the remainder of a larger divisor has that one's exponent", "rem 3_2", "loom_float_rem.sv", "fix  = fresh & done", "fix  = 1'b0", false},
	{"the remainder of a subnormal divisor does not go round", "rem 3_2", "loom_float_rem.sv", "(round ? BELOW : LEAST)", "LEAST", false},
	{"the remainder of a subnormal divisor stops where others do", "rem 3_2", "loom_float_rem.sv", "(rest[P] & ~round)", "rest[P]", true},
	{"the remainder of a subnormal divisor loses what goes round", "rem 3_2", "loom_float_rem.sv", "next[0] | (~subtract & rest[P])", "next[0]", true},
	{"a remainder goes up below the normal numbers", "rem 3_2", "loom_float_rem.sv", "(low | (rest[P] & ~round))", "((low & round) | (rest[P] & ~round))", true},
	{"a remainder stays where it is", "rem 3_2", "loom_float_rem.sv", "assign stop = done & ", "assign stop = done & ~fresh | done & ", true},
	{"a remainder without anything left goes on", "rem 3_2", "loom_float_rem.sv", "ends = stop | ~|rest", "ends = stop", false},
	{"a subnormal remainder has an exponent", "rem 3_2", "loom_float_rem.sv", "expo & {EXP{rest[P]}}", "expo", true},
	{"a subnormal divisor is half as large", "rem 3_2", "loom_float_rem.sv", "expo[0] | (look & ~hidden_b)", "expo[0]", true},
	{"the remainder of a subnormal number takes a step less", "rem 3_2", "loom_float_rem.sv", "n[0] | (look & ~hidden_a)", "n[0]", true},
	{"a subnormal divisor goes up for nothing", "rem 3_2", "loom_float_rem.sv", "{n_add, look | up}", "{n_add, look}", true},
	{"the remainder of an infinity is a number", "rem 3_2", "loom_float_rem.sv", "((&n[EXP-1:0]) | ", "(", true},
	{"the remainder by a NaN is a number", "rem 3_2", "loom_float_rem.sv", "((&expo) & some_b) | ", "", true},
	{"the remainder by an infinity is a NaN", "rem 3_2", "loom_float_rem.sv", "((&expo) & some_b)", "(&expo)", true},
	{"the remainder by nothing is a number", "rem 3_2", "loom_float_rem.sv", " | (~hidden_b & ~some_b)", "", true},
	{"a remainder that is a NaN has a sign", "rem 3_2", "loom_float_rem.sv", "if (nan) sign <= 1'b0;\n    else if (accept)", "if (accept)", true},
	{"a remainder has the sign of the divisor", "rem 3_2", "loom_float_rem.sv", "sign <= a_data[EXP+FRAC]", "sign <= b_data[EXP+FRAC]", false},

	{"a sine of a negative number has no sign", "sin of 3_2", "loom_float_function.sv", "quadrant[1] ^ (sign & ~is_cos)", "quadrant[1]", false},
	{"a cosine has the sign of its operand", "cos of 3_2", "loom_float_function.sv", "quadrant[1] ^ (sign & ~is_cos)", "quadrant[1] ^ sign", true},
	{"the second half of a quadrant is not folded", "sin of 4_3", "loom_float_function.sv", "quadrant[0] ^ half", "quadrant[0]", true},
	{"the second half of a quadrant runs on", "cos of 4_3", "loom_float_function.sv", "is_circular ? half : sign", "is_circular ? 1'b0 : sign", true},
	{"a negative exponent is not turned round", "exp of 3_2", "loom_float_function.sv", "is_circular ? half : sign", "is_circular & half", false},
	{"exp takes all bits of t", "exp of 3_2", "loom_float_function.sv", "{12{~is_exp}}", "{12{1'b1}}", true},
	{"exp of a large number goes round", "exp of 4_3", "loom_float_function.sv", "assign over    = ", "assign over    = 1'b0 & ", true},
	{"a subnormal result is not moved down", "exp of 3_2", "loom_float_function.sv", "aside     = shift & subnormal", "aside     = 1'b0", true},
	{"a subnormal result loses bits", "exp of 4_3", "loom_float_function.sv", "lost <= sticky | guard", "lost <= 1'b0", true},
	{"a logarithm next to 0 is like others", "log2 of 5_12", "loom_float_function.sv", "is_near  = ((~|expo) & is_first) | ((&expo) & is_below)", "is_near  = 1'b0", true},
	{"a logarithm just below 0 is like others", "log2 of 5_12", "loom_float_function.sv", " | ((&expo) & is_below)", "", true},
	{"a logarithm below a power of two has its factor", "log2 of 5_12", "loom_float_function.sv", "is_log2 & (is_first | is_below)", "is_log2 & is_first", true},
	{"a logarithm subtracts the odd powers only where it must not", "log2 of 5_12", "loom_float_function.sv", "(is_log2 & ~below));\n  assign turned", "is_log2);\n  assign turned", true},
	{"a negative logarithm is off by the word's filling", "log2 of 4_3", "loom_float_function.sv", "assign round_about = far & negative", "assign round_about = 1'b0", false},
	{"the logarithm of a subnormal number", "log2 of 3_2", "loom_float_function.sv", "expo_minus = (reduce & is_log2 & ~top) | ", "expo_minus = ", true},
	{"a logarithm of a negative number", "log2 of 3_2", "loom_float_function.sv", "(is_log2 & sign & ~(none & empty))", "1'b0", true},
	{"a sine of nearly nothing is counted", "sin of 5_12", "loom_float_function.sv", "~(top ^ inverted);", "1'b0;", true},
	{"a factor is a bit short", "exp of 4_3", "loom_float_function.sv", "localparam int M = (W + BITS - 1) / BITS;", "localparam int M = (W + BITS - 1) / BITS - 1;", true},
}

// TestFloatIterativeMutations plants faults, each of which a small unit must show; without one, each
// result is right and in its cycle.
func TestFloatIterativeMutations(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	units := smallIterative()
	for name, u := range units {
		t.Run(name, func(t *testing.T) {
			if !strings.Contains(name, "3_2") && name != "8_23 2 true" && name != "rem 8_23" && name != "rem 11_52" && !soak() {
				t.Skip("set LOOM_SOAK=1 for the larger formats")
			}
			t.Parallel()
			if got := u.underHandshake(t, "", "", ""); got != "wrong 0" {
				t.Errorf("without a fault: %s", got)
			}
		})
	}
	for _, m := range iterativeMutations {
		t.Run(m.name, func(t *testing.T) {
			planted(t, m.file, m.old)
			if m.soak && !soak() {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			u, ok := units[m.unit]
			if !ok {
				t.Fatalf("no unit %s", m.unit)
			}
			if got := u.underHandshake(t, m.file, m.old, m.new); got == "wrong 0" || !strings.HasPrefix(got, "wrong ") {
				t.Errorf("the fault is not seen: %s", got)
			}
		})
	}
}
