package rtl

import (
	"fmt"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// exactSum is a + b, or a - b with op 1, of a format.
func exactSum(v vector, exp, frac int) uint64 {
	if v.op == 1 {
		v.b ^= 1 << (exp + frac)
	}
	ca, na, a := decodeExact(v.a, exp, frac)
	cb, nb, b := decodeExact(v.b, exp, frac)
	switch {
	case ca == isNaN || cb == isNaN || ca == isInfinite && cb == isInfinite && na != nb:
		return canonicalNaN(exp, frac)
	case ca == isInfinite:
		return infinity(na, exp, frac)
	case cb == isInfinite:
		return infinity(nb, exp, frac)
	}
	return roundExact(new(big.Rat).Add(a, b), na && nb, exp, frac)
}

// exactProduct is a * b of a format.
func exactProduct(v vector, exp, frac int) uint64 {
	ca, na, a := decodeExact(v.a, exp, frac)
	cb, nb, b := decodeExact(v.b, exp, frac)
	switch {
	case ca == isNaN || cb == isNaN,
		ca == isInfinite && cb == isNumber && b.Sign() == 0,
		cb == isInfinite && ca == isNumber && a.Sign() == 0:
		return canonicalNaN(exp, frac)
	case ca == isInfinite || cb == isInfinite:
		return infinity(na != nb, exp, frac)
	}
	return roundExact(new(big.Rat).Mul(a, b), na != nb, exp, frac)
}

// exactFused is a * b + c of a format with one rounding.
func exactFused(v vector, exp, frac int) uint64 {
	ca, na, a := decodeExact(v.a, exp, frac)
	cb, nb, b := decodeExact(v.b, exp, frac)
	cc, nc, c := decodeExact(v.c, exp, frac)
	negative := na != nb
	infinite := ca == isInfinite || cb == isInfinite
	switch {
	case ca == isNaN || cb == isNaN || cc == isNaN,
		ca == isInfinite && cb == isNumber && b.Sign() == 0,
		cb == isInfinite && ca == isNumber && a.Sign() == 0,
		infinite && cc == isInfinite && negative != nc:
		return canonicalNaN(exp, frac)
	case infinite:
		return infinity(negative, exp, frac)
	case cc == isInfinite:
		return infinity(nc, exp, frac)
	}
	p := new(big.Rat).Mul(a, b)
	return roundExact(p.Add(p, c), negative && nc, exp, frac)
}

// machine computes binary32 and binary64 with the machine's arithmetic: op 0 is a + b, 1 a - b, 2
// a * b, 3 a * b + c. A NaN is the canonical one.
func machine(op uint64, exp int) func(v vector) uint64 {
	f64 := func(v vector, op uint64) uint64 {
		a, b, c := math.Float64frombits(v.a), math.Float64frombits(v.b), math.Float64frombits(v.c)
		y := [4]func() float64{
			func() float64 { return float64(a + b) }, func() float64 { return float64(a - b) },
			func() float64 { return float64(a * b) }, func() float64 { return math.FMA(a, b, c) },
		}[op]()
		if y != y {
			return canonicalNaN(11, 52)
		}
		return math.Float64bits(y)
	}
	f32 := func(v vector, op uint64) uint64 {
		a, b := math.Float32frombits(uint32(v.a)), math.Float32frombits(uint32(v.b))
		y := [3]func() float32{
			func() float32 { return float32(a + b) }, func() float32 { return float32(a - b) },
			func() float32 { return float32(a * b) },
		}[op]()
		if y != y {
			return canonicalNaN(8, 23)
		}
		return bits32(y)
	}
	return func(v vector) uint64 {
		op := op + v.op
		switch {
		case exp == 11:
			return f64(v, op)
		case op == 3:
			return fused32(v)
		}
		return f32(v, op)
	}
}

// fused32 is a * b + c of binary32. The product is exact in binary64; where the sum there is not, its
// last bit is made to say so (rounding to odd), and rounding once more gives the same as rounding once.
func fused32(v vector) uint64 {
	a, b, c := float64(math.Float32frombits(uint32(v.a))), float64(math.Float32frombits(uint32(v.b))), float64(math.Float32frombits(uint32(v.c)))
	p := float64(a * b)
	s := float64(p + c)
	if s != s {
		return canonicalNaN(8, 23)
	}
	if math.IsInf(s, 0) {
		return bits32(float32(s))
	}
	t := float64(s - p)
	rest := float64(p-float64(s-t)) + float64(c-t)
	if w := math.Float64bits(s); rest != 0 && w&1 == 0 {
		if (rest > 0) == (s > 0) {
			w++
		} else {
			w--
		}
		s = math.Float64frombits(w)
	}
	return bits32(float32(s))
}

// fusedVectors are n vectors for a * b + c: c is often near the product in magnitude, of either sign.
func fusedVectors(exp, frac, n int, seed uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(exp*64+frac)))
		bias := int64(1)<<(exp-1) - 1
		for v := range randomVectors(exp, frac, n, seed, 0) {
			switch r.IntN(4) {
			case 0: // exponents about the product's
				e := int64(v.a>>frac&(1<<exp-1)) + int64(v.b>>frac&(1<<exp-1)) - bias + int64(r.IntN(4*frac+9)) - int64(2*frac) - 4
				e = min(max(e, 0), 1<<exp-1)
				v.c = v.c&(1<<(exp+frac)|(1<<frac-1)) | uint64(e)<<frac
			case 1: // what rounding the product leaves, and its neighbours: a long cancellation
				v.c = exactProduct(v, exp, frac) ^ 1<<(exp+frac)
				if r.IntN(2) == 0 {
					v.c += r.Uint64N(5) - 2
				}
				v.c &= ^uint64(0) >> (63 - exp - frac)
			}
			if !yield(v) {
				return
			}
		}
	}
}

// allTriples are all operands a, b and c of so many bits.
func allTriples(bits int) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		for w := range uint64(1) << (3 * bits) {
			m := uint64(1)<<bits - 1
			if !yield(vector{w & m, w >> bits & m, w >> (2 * bits), 0}) {
				return
			}
		}
	}
}

// arithUnit is an instance of a module of this file's part.
func arithUnit(module string, exp, frac, latency int, value func(v vector) uint64, vectors iter.Seq[vector]) floatUnit {
	w := 1 + exp + frac
	ports := fmt.Sprintf(".a(a[%d:0]), .b(b[%[1]d:0])", w-1)
	switch module {
	case "loom_float_add":
		ports += ", .op(op[0])"
	case "loom_float_fma":
		ports += fmt.Sprintf(", .c(c[%d:0])", w-1)
	}
	return floatUnit{
		name:     fmt.Sprintf("%s of %d exponent and %d fraction bits, latency %d", module, exp, frac, latency),
		instance: pipelined(module, fmt.Sprintf("EXP(%d), FRAC(%d)", exp, frac), latency, ports, w),
		value:    value,
		vectors:  vectors,
	}
}

// arithModules are the modules, their most registers, the number of operations (values of op) and the
// exact values.
var arithModules = []struct {
	name  string
	most  int
	ops   []uint64
	exact func(v vector, exp, frac int) uint64
	base  uint64 // the operation of machine
}{
	{"loom_float_add", 6, []uint64{0, 1}, exactSum, 0},
	{"loom_float_mul", 6, []uint64{0}, exactProduct, 2},
	{"loom_float_fma", 8, []uint64{0}, exactFused, 3},
}

// TestFloatArithSmall compares small formats with exact arithmetic: all pairs of operands, of the
// fused operation all triples of the smallest format.
func TestFloatArithSmall(t *testing.T) {
	t.Parallel()
	var units []floatUnit
	for _, m := range arithModules {
		for _, f := range [][2]int{{3, 2}, {4, 3}} {
			exp, frac := f[0], f[1]
			known := map[vector]uint64{} // several instances have the same vectors
			value := func(v vector) uint64 {
				y, ok := known[v]
				if !ok {
					y = m.exact(v, exp, frac)
					known[v] = y
				}
				return y
			}
			for latency := 0; latency <= m.most; latency++ {
				if exp == 4 && latency%4 != 0 {
					continue
				}
				vectors := allPairs(1+exp+frac, m.ops...)
				if m.name == "loom_float_fma" {
					vectors = fusedVectors(exp, frac, 20000, uint64(latency))
					if exp == 3 && latency%4 == 0 {
						vectors = allTriples(1 + exp + frac)
					}
				}
				units = append(units, arithUnit(m.name, exp, frac, latency, value, vectors))
			}
		}
	}
	runFloats(t, units)
}

// TestFloatArith compares the formats of programs with exact and with the machine's arithmetic.
func TestFloatArith(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	n := 400_000
	if soak() {
		n = 20_000_000
	}
	var units []floatUnit
	for _, m := range arithModules {
		for i, f := range [][2]int{{5, 10}, {8, 7}, {8, 23}, {11, 52}} {
			exp, frac := f[0], f[1]
			for k, latency := range []int{3, 4, m.most} {
				count, value := n/5, machine(m.base, exp)
				if frac < 23 {
					count, value = n/50, func(v vector) uint64 { return m.exact(v, exp, frac) }
				}
				seed := uint64(100*i + k)
				vectors := randomVectors(exp, frac, count, seed, m.ops...)
				if m.name == "loom_float_fma" {
					vectors = fusedVectors(exp, frac, count, seed)
				}
				units = append(units, arithUnit(m.name, exp, frac, latency, value, vectors))
			}
		}
	}
	runFloats(t, units)
}

// arithMutations are faults planted in the sources; the small formats under Icarus must show each.
var arithMutations = []struct {
	name, file, old, new string
	module               string
	soak                 bool
}{
	{"a sum rounds ties up", "loom_float_pack.sv", "word[1] & (word[2] | word[0])", "word[1]", "loom_float_add", false},
	{"a sum without a move rounds ties up", "loom_float_pack.sv", "word[2] & (word[3] | word[1] | word[0])", "word[2]", "loom_float_add", true},
	{"a sum forgets one of the lowest bits", "loom_float_pack.sv", "(word[3] | word[1] | word[0])", "(word[3] | word[1])", "loom_float_add", true},
	{"the NaN has a payload", "loom_float_pack.sv", "chain[1] & ~huge", "chain[1]", "loom_float_fma", true},
	{"the NaN is an infinity", "loom_float_pack.sv", "({FRAC{nan}} & ~({FRAC{1'b1}} >> 1))", "'0", "loom_float_add", true},
	{"the NaN is negative", "loom_float_pack.sv", "sign & ~nan", "sign", "loom_float_add", true},
	{"an infinity has a fraction", "loom_float_pack.sv", "word[FRAC+2:3]) & {FRAC{~huge}}", "word[FRAC+2:3])", "loom_float_mul", true},
	{"subnormal results have an exponent", "loom_float_pack.sv", "(exponent & {EXP{number}})", "exponent", "loom_float_add", true},
	{"a product on the verge does not overflow", "loom_float_pack.sv", "special | (verge & top)", "special", "loom_float_mul", false},
	{"a lost one is forgotten in the first step", "loom_float_align.sv", "lost2 = lost1 | (|from[D2-1:D1])", "lost2 = lost1", "loom_float_add", true},
	{"a lost one is forgotten in the last step", "loom_float_align.sv", "| (one & last[0])", "", "loom_float_add", false},
	{"a lost one of an earlier step is forgotten", "loom_float_align.sv", "lost  = earlier | (shift[REST+1]", "lost  = (shift[REST+1]", "loom_float_mul", true},
	{"the leading one moves past the exponent", "loom_float_lead.sv", "(bound & (zeros > most)) ? most : zeros", "zeros", "loom_float_add", false},
	{"the leading one is bound though a digit was less", "loom_float_lead.sv", "follows = bound & (zeros >= most)", "follows = bound", "loom_float_fma", true},
	{"bits that leave the word are forgotten", "loom_float_lead.sv", "lost | drop, zero", "lost, zero", "loom_float_fma", false},
	{"the leading one is bound where it need not be", "loom_float_lead.sv", "~|exponent[EXP-1:BITS]", "1'b1", "loom_float_add", true},
	{"a far operand is not moved out", "loom_float_add.sv", "| {ALIGN_BITS{|distance[EXP-1:ALIGN_BITS]}}", "", "loom_float_add", true},
	{"subnormal numbers have the exponent 0", "loom_float_add.sv", "(less ? negative : ~number_b)", "(less & negative)", "loom_float_add", false},
	{"a subnormal number is moved as a normal one", "loom_float_add.sv", "= number_a & (less", "= (less", "loom_float_add", true},
	{"a difference that is 0 has a sign", "loom_float_add.sv", "sign4 & ~(zero4 & minus4)", "sign4", "loom_float_add", true},
	{"a sum of zeros has no sign", "loom_float_add.sv", "sign4 & ~(zero4 & minus4)", "sign4 & ~zero4", "loom_float_add", true},
	{"infinities cancel", "loom_float_add.sv", "((|fraction0) | (minus0", "((|fraction0) | (1'b0 & minus0", "loom_float_add", true},
	{"a sum that overflows goes on", "loom_float_add.sv", "special2 | (verge2 & sum[WIDE+1])", "special2", "loom_float_add", false},
	{"a difference borrows twice", "loom_float_add.sv", "2'b00, minus2 & ~sticky2", "2'b00, minus2", "loom_float_add", true},
	{"the sign is that of a", "loom_float_add.sv", "less ? b[EXP+FRAC] ^ op : a[EXP+FRAC]", "a[EXP+FRAC]", "loom_float_add", true},
	{"zero times infinity is an infinity", "loom_float_mul.sv", "(~none_b | (~number_a & none_a))", "~none_b", "loom_float_mul", false},
	{"a product of two subnormal numbers has another exponent", "loom_float_mul.sv", "~number_b};\n  assign base", "1'b0};\n  assign base", "loom_float_mul", true},
	{"a subnormal product is moved as a normal one", "loom_float_mul.sv", "subnormal0 ? {base0", "1'b0 ? {base0", "loom_float_mul", true},
	{"a product far below is not moved out", "loom_float_mul.sv", "| {(COUNT + 1) {below0}}", "", "loom_float_mul", true},
	{"a product that is too large goes on", "loom_float_mul.sv", "special0 | huge0", "special0", "loom_float_mul", true},
	{"the zeros of a subnormal factor are miscounted", "loom_float_count.sv", "bits[4*p+3] | (~bits[4*p+2] & bits[4*p+1])", "bits[4*p+3]", "loom_float_mul", true},
	{"a product that is 0 moves c", "loom_float_fma.sv", "~distance0[EXP+2] & ~none0", "~distance0[EXP+2]", "loom_float_fma", false},
	{"a negative sum keeps its sign", "loom_float_fma.sv", "sign5 ^ negative5", "sign5", "loom_float_fma", true},
	{"a magnitude is one too large", "loom_float_fma.sv", "negative5 & exact5}", "negative5}", "loom_float_fma", true},
	{"a magnitude is one too small", "loom_float_fma.sv", "negative5 & exact5}", "1'b0}", "loom_float_fma", true},
	{"a subnormal c has the exponent 0", "loom_float_fma.sv", "~c0[EXP+FRAC-1:FRAC], number_c0}", "~c0[EXP+FRAC-1:FRAC], 1'b1}", "loom_float_fma", true},
	{"an exponent of a multiply-add is off", "loom_float_fma.sv", "{over0 | ~number_c0, ~(over0 | ~number_c0)}", "{over0, ~over0}", "loom_float_fma", true},
	{"the infinity of c decides the sign", "loom_float_fma.sv", "(infinite_a | infinite_b) ? sign : sign_c", "sign_c", "loom_float_fma", true},
	{"a multiply-add on the verge does not overflow", "loom_float_fma.sv", ".verge   (verge9)", ".verge   (1'b0)", "loom_float_fma", true},
}

// mutationVectors are the operands for a mutation of a module in a format.
func mutationVectors(module string, exp, frac int) []vector {
	var vectors []vector
	if module == "loom_float_fma" {
		return slices.Collect(fusedVectors(exp, frac, 15000, 7))
	}
	for v := range allPairs(1+exp+frac, 0) {
		v.op = (v.a ^ v.b>>1 ^ v.b) & 1
		if exp == 3 || (v.a*37+v.b*101)%5 == 0 {
			vectors = append(vectors, v)
		}
	}
	return vectors
}

// underIcarus runs the combinational form of a module in dir on vectors.
func underIcarus(t *testing.T, dir, module string, exp, frac int, vectors []vector) []uint64 {
	t.Helper()
	w := 1 + exp + frac
	ports := map[string]string{"loom_float_add": ".op(op), ", "loom_float_fma": ".c(c), "}[module]
	bench := fmt.Sprintf(`module bench;
  reg [%[1]d:0] a, b, c; reg op; wire [%[1]d:0] y;
  reg [%[2]d:0] v [0:%[3]d];
  integer i;
  %[4]s #(.EXP(%[5]d), .FRAC(%[6]d), .LATENCY(0)) dut (.clk(1'b0), .move(1'b0), .a(a), .b(b), %[7]s.y(y));
  initial begin
    $readmemh("vectors", v);
    for (i = 0; i <= %[3]d; i = i + 1) begin {op, c, b, a} = v[i]; #1 $display("%%h", y); end
  end
endmodule
`, w-1, 3*w, len(vectors)-1, module, exp, frac, ports)
	var text strings.Builder
	for _, v := range vectors {
		fmt.Fprintf(&text, "%x\n", v.op<<(3*w)|v.c<<(2*w)|v.b<<w|v.a)
	}
	for name, s := range map[string]string{"bench.sv": bench, "vectors": text.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := Closure(module)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"-g2012", "-o", "bench.vvp", "-s", "bench", "bench.sv"}, files...)
	if out, err := run(t, dir, time.Minute, "iverilog", args...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, time.Minute, "vvp", "-n", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	var found []uint64
	for line := range strings.Lines(out) {
		y, err := strconv.ParseUint(strings.TrimSpace(line), 16, 64)
		if err != nil {
			y = 1 << 63 // not a number of two-valued logic
		}
		found = append(found, y)
	}
	if len(found) != len(vectors) {
		t.Fatalf("%d results for %d vectors\n%s", len(found), len(vectors), tail(out))
	}
	return found
}

// TestFloatArithMutations shows that the small formats find faults of rounding and of special cases;
// without a fault they find none.
func TestFloatArithMutations(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	formats := [][2]int{{3, 2}, {4, 3}, {5, 2}}
	vectors, want := map[string][3][]vector{}, map[string][3][]uint64{}
	wrong := func(t *testing.T, dir, module string) bool {
		for k, f := range formats {
			for i, y := range underIcarus(t, dir, module, f[0], f[1], vectors[module][k]) {
				if y != want[module][k][i] {
					return true
				}
			}
		}
		return false
	}
	for _, m := range arithModules {
		var vs [3][]vector
		var ws [3][]uint64
		for k, f := range formats {
			vs[k] = mutationVectors(m.name, f[0], f[1])
			for _, v := range vs[k] {
				ws[k] = append(ws[k], m.exact(v, f[0], f[1]))
			}
		}
		vectors[m.name], want[m.name] = vs, ws
		t.Run(m.name+" as it is", func(t *testing.T) {
			dir := t.TempDir()
			sources(t, dir, "", "", "")
			if wrong(t, dir, m.name) {
				t.Error("wrong without a fault")
			}
		})
	}
	for _, m := range arithMutations {
		t.Run(m.name, func(t *testing.T) {
			planted(t, m.file, m.old)
			if m.soak && !soak() {
				t.Skip("set LOOM_SOAK=1 for all mutations")
			}
			dir := t.TempDir()
			sources(t, dir, m.file, m.old, m.new)
			if !wrong(t, dir, m.module) {
				t.Error("the fault is not found")
			}
		})
	}
}
