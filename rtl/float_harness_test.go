package rtl

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
	"loom/internal/verilated"
)

// vector is what a unit is given: the operands a, b and c, and op, what its module is to compute.
// A unit reads the low bits of each that it has.
type vector struct{ a, b, c, op uint64 }

// floatUnit is one instance of a module in a bench, and what it must compute.
type floatUnit struct {
	name string
	// instance is SystemVerilog text inside a generate block that has clk, rst, in_valid, a, b, c,
	// op (64 bits each) and out_ready, and drives in_ready, out_valid and y (64 bits): see pipelined,
	// combinational and iterative. All operands arrive with in_valid together.
	instance string
	// value is what must come out, in the low bits.
	value func(v vector) uint64
	// vectors are the operands, in order; a unit with fewer than another one just stops earlier.
	vectors iter.Seq[vector]
}

// pipelined is the instance of a unit without a handshake of its own (ports clk, move, operands, y)
// inside of loom_fu. params is "EXP(8), FRAC(23)"-like text without LATENCY, ports what connects
// operands and op: ".a(a[31:0]), .b(b[31:0]), .op(op[0])"; width that of y.
func pipelined(module, params string, latency int, ports string, width int) string {
	dotted := ""
	for p := range strings.SplitSeq(params, ",") {
		if p = strings.TrimSpace(p); p != "" {
			dotted += "." + p + ", "
		}
	}
	return fmt.Sprintf(`
      wire [%[1]d:0] made;
      wire [%[2]d:0] move;
      wire idle;
      %[3]s #(%[4]s.LATENCY(%[5]d)) u (.clk(clk), .move(move), %[6]s, .y(made));
      loom_fu #(.N_IN(1), .N_OUT(1), .W_OUT_TOTAL(%[7]d), .LATENCY(%[5]d), .INTERVAL(1), .INSIDE(1)) fu (.clk(clk), .rst(rst),
        .in_valid(in_valid), .in_ready(in_ready), .comb_data(made), .move(move), .out_valid(out_valid), .out_ready(out_ready), .out_data(y[%[1]d:0]), .idle(idle));
      %[8]s`, width-1, max(latency, 1)-1, module, dotted, latency, ports, width, zeros(width))
}

// combinational is the instance of a module of operands and y alone; params and ports as in pipelined.
func combinational(module, params, ports string, width int) string {
	dotted := make([]string, 0, 4)
	for p := range strings.SplitSeq(params, ",") {
		dotted = append(dotted, "."+strings.TrimSpace(p))
	}
	return fmt.Sprintf(`
      %s #(%s) u (%s, .y(y[%d:0]));
      assign out_valid = in_valid; assign in_ready = out_ready;
      %s`, module, strings.Join(dotted, ", "), ports, width-1, zeros(width))
}

// iterative is the instance of a unit with channels; ports connects all but clk, rst, idle and the
// channel y, such as ".a_valid(in_valid), .a_ready(in_ready), .a_data(a[31:0]), …".
func iterative(module, params, ports string, width int) string {
	dotted := make([]string, 0, 4)
	for p := range strings.SplitSeq(params, ",") {
		dotted = append(dotted, "."+strings.TrimSpace(p))
	}
	return fmt.Sprintf(`
      wire idle;
      %s #(%s) u (.clk(clk), .rst(rst), %s, .y_valid(out_valid), .y_ready(out_ready), .y_data(y[%d:0]), .idle(idle));
      %s`, module, strings.Join(dotted, ", "), ports, width-1, zeros(width))
}

func zeros(width int) string {
	if width == 64 {
		return ""
	}
	return fmt.Sprintf("assign y[63:%d] = 0;", width)
}

// floatBatch is how many vectors a bench gives each unit at once.
const floatBatch = 1 << 14

// floatMain drives the units of a bench: vectors from standard input, results to standard output;
// requests and results wait at random.
const floatMain = `
#include "Vbench.h"
#include "verilated.h"
#include <cstdint>
#include <cstdio>
#include <vector>
double sc_time_stamp() { return 0; }
static uint64_t state = 88172645463325252ull;
static uint64_t draw() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
int main() {
  const int N = UNITS;
  Vbench top;
  auto tick = [&] { top.clk = 1; top.eval(); top.clk = 0; top.eval(); };
  top.clk = 0; top.rst = 1; top.in_valid = 0; top.out_ready = 0;
  tick(); tick(); top.rst = 0;
  std::vector<uint64_t> in[N], out[N];
  for (;;) {
    uint32_t count[N];
    if (fread(count, sizeof count, 1, stdin) != 1) return 0;
    for (int u = 0; u < N; u++) {
      in[u].resize(4 * size_t(count[u])); out[u].clear();
      if (count[u] && fread(in[u].data(), 32, count[u], stdin) != count[u]) return 2;
    }
    size_t given[N] = {}, left = 0;
    for (int u = 0; u < N; u++) left += count[u];
    uint64_t offered = 0, quiet = 0;
    while (left) {
      uint64_t some = draw() | draw() | draw(), take = draw() | draw() | draw();
      for (int u = 0; u < N; u++) {
        if (given[u] < count[u] && (some >> u & 1)) offered |= 1ull << u; // an offer stands until it is taken
        for (int k = 0; k < 4; k++) {
          uint64_t w = given[u] < count[u] ? in[u][4 * given[u] + k] : 0;
          top.operands[8 * u + 2 * k] = uint32_t(w); top.operands[8 * u + 2 * k + 1] = uint32_t(w >> 32);
        }
      }
      top.in_valid = offered; top.out_ready = take;
      top.eval();
      quiet++;
      for (int u = 0; u < N; u++) {
        if ((top.out_valid >> u & 1) && (take >> u & 1)) {
          out[u].push_back(top.y[2 * u] | uint64_t(top.y[2 * u + 1]) << 32);
          left--; quiet = 0;
        }
        if ((offered >> u & 1) && (top.in_ready >> u & 1)) { given[u]++; offered &= ~(1ull << u); }
      }
      tick();
      if (quiet > 200000) { fprintf(stderr, "no result for 200000 cycles\n"); return 3; }
    }
    for (int u = 0; u < N; u++) if (count[u]) fwrite(out[u].data(), 8, out[u].size(), stdout);
    fflush(stdout);
  }
}
`

// runFloats builds one model of all units (at most 62) under Verilator, gives each its vectors with
// random stalls on both sides, and compares what comes out.
func runFloats(t *testing.T, units []floatUnit) {
	t.Helper()
	toolstest.Need(t, "verilator", "c++")
	dir := t.TempDir()
	sources(t, dir, "", "", "")
	n := len(units)
	if n > 62 {
		t.Fatalf("%d units in one bench, at most 62", n)
	}
	n2 := max(n, 2) // ports of several words, however few units there are
	var text strings.Builder
	fmt.Fprintf(&text, "module bench (\n  input clk, input rst, input [63:0] in_valid, output [63:0] in_ready, input [%d:0] operands,\n  output [63:0] out_valid, input [63:0] out_ready, output [%d:0] y);\n",
		256*n2-1, 64*n2-1)
	var ready, valid, ys []string
	for k, u := range units {
		fmt.Fprintf(&text, `  wire r%[1]d, v%[1]d; wire [63:0] y%[1]d;
  if (1) begin : g%[1]d
      wire in_valid, in_ready, out_valid, out_ready;
      wire [63:0] a, b, c, op, y;
      assign in_valid = bench.in_valid[%[1]d]; assign out_ready = bench.out_ready[%[1]d];
      assign {op, c, b, a} = operands[%[2]d +: 256];
      assign r%[1]d = in_ready; assign v%[1]d = out_valid; assign y%[1]d = y;
%[3]s
  end
`, k, 256*k, u.instance)
		ready, valid, ys = append([]string{fmt.Sprintf("r%d", k)}, ready...), append([]string{fmt.Sprintf("v%d", k)}, valid...), append([]string{fmt.Sprintf("y%d", k)}, ys...)
	}
	for k := n; k < n2; k++ {
		ys = append([]string{"64'd0"}, ys...)
	}
	fmt.Fprintf(&text, "  assign in_ready = {%d'd0, %s};\n  assign out_valid = {%d'd0, %s};\n  assign y = {%s};\nendmodule\n",
		64-n, strings.Join(ready, ", "), 64-n, strings.Join(valid, ", "), strings.Join(ys, ", "))
	for name, s := range map[string]string{"bench.sv": text.String(), "main.cpp": strings.ReplaceAll(floatMain, "UNITS", fmt.Sprint(n))} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(build(t, dir, []string{"-O1"}))
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	results := bufio.NewReaderSize(out, 1<<20)
	next := make([]func() (vector, bool), n)
	for k, u := range units {
		pull, stop := iter.Pull(u.vectors)
		defer stop()
		next[k] = pull
	}
	wrong := make([]int, n)
	for {
		batch, total := make([][]vector, n), 0
		for k := range units {
			for len(batch[k]) < floatBatch {
				v, ok := next[k]()
				if !ok {
					break
				}
				batch[k] = append(batch[k], v)
			}
			total += len(batch[k])
		}
		if total == 0 {
			break
		}
		sent := make(chan error, 1)
		go func() {
			var b []byte
			for _, vs := range batch {
				b = binary.LittleEndian.AppendUint32(b, uint32(len(vs)))
			}
			for _, vs := range batch {
				for _, v := range vs {
					b = binary.LittleEndian.AppendUint64(b, v.a)
					b = binary.LittleEndian.AppendUint64(b, v.b)
					b = binary.LittleEndian.AppendUint64(b, v.c)
					b = binary.LittleEndian.AppendUint64(b, v.op)
				}
			}
			_, err := in.Write(b)
			sent <- err
		}()
		for k, vs := range batch {
			found := make([]byte, 8*len(vs))
			if _, err := io.ReadFull(results, found); err != nil {
				cmd.Wait()
				t.Fatalf("the simulation ended: %v %s", err, complaint.String())
			}
			for i, v := range vs {
				got, want := binary.LittleEndian.Uint64(found[8*i:]), units[k].value(v)
				if got != want {
					if wrong[k]++; wrong[k] <= 5 {
						t.Errorf("%s: a %#x b %#x c %#x op %d: found %#x, expected %#x", units[k].name, v.a, v.b, v.c, v.op, got, want)
					}
				}
			}
		}
		if err := <-sent; err != nil {
			t.Fatal(err)
		}
	}
	for k, w := range wrong {
		if w > 5 {
			t.Errorf("%s: %d wrong in all", units[k].name, w)
		}
	}
}

// allPairs are all operands a and b of so many bits, for each op.
func allPairs(bits int, ops ...uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		for _, op := range ops {
			for a := range uint64(1) << bits {
				for b := range uint64(1) << bits {
					if !yield(vector{a, b, 0, op}) {
						return
					}
				}
			}
		}
	}
}

// allValues are all operands a of so many bits, for each op.
func allValues(bits int, ops ...uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		for _, op := range ops {
			for a := range uint64(1) << bits {
				if !yield(vector{a, 0, 0, op}) {
					return
				}
			}
		}
	}
}

// corners are words of a format at which something begins or ends: zeros, subnormals, the ends of
// the normal numbers, numbers near one and two, with full and empty fractions, infinities and NaNs.
func corners(exp, frac int) []uint64 {
	bias, ones := uint64(1)<<(exp-1)-1, uint64(1)<<exp-1
	full := uint64(1)<<frac - 1
	var out []uint64
	for _, e := range []uint64{0, 1, 2, bias - 1, bias, bias + 1, bias + uint64(frac), bias + uint64(frac) + 1, ones - 2, ones - 1, ones} {
		if e > ones {
			continue
		}
		for _, f := range []uint64{0, 1, 2, full >> 1, full>>1 + 1, full - 1, full} {
			for s := range uint64(2) {
				out = append(out, s<<(exp+frac)|e<<frac|f&full)
			}
		}
	}
	return out
}

// randomFloat draws a word of a format: any bits, a corner, a number near another one in exponent, or
// one with few bits.
func randomFloat(r *rand.Rand, exp, frac int, near uint64) uint64 {
	word := ^uint64(0) >> (64 - 1 - exp - frac)
	switch r.IntN(8) {
	case 0:
		c := corners(exp, frac)
		return c[r.IntN(len(c))]
	case 1, 2, 3: // an exponent near that of another word
		e := int64(near>>frac&(1<<exp-1)) + int64(r.IntN(2*frac+7)) - int64(frac) - 3
		e = min(max(e, 0), 1<<exp-1)
		return r.Uint64()&(1<<(exp+frac)|(1<<frac-1)) | uint64(e)<<frac
	case 4: // nearly the same word
		return (near ^ 1<<(exp+frac)*r.Uint64N(2) + r.Uint64N(5) - 2) & word
	case 5: // few bits in the fraction
		return r.Uint64() & word & (^uint64(0) << r.IntN(frac+1))
	}
	return r.Uint64() & word
}

// randomVectors are n vectors of a format for operations among ops, all pairs of corners first.
func randomVectors(exp, frac, n int, seed uint64, ops ...uint64) iter.Seq[vector] {
	return func(yield func(vector) bool) {
		r := rand.New(rand.NewPCG(seed, uint64(exp*64+frac)))
		c := corners(exp, frac)
		for _, op := range ops {
			for _, a := range c {
				for _, b := range c {
					if n--; n < 0 || !yield(vector{a, b, c[r.IntN(len(c))], op}) {
						return
					}
				}
			}
		}
		for range n {
			a := randomFloat(r, exp, frac, r.Uint64())
			b := randomFloat(r, exp, frac, a)
			if !yield(vector{a, b, randomFloat(r, exp, frac, b), ops[r.IntN(len(ops))]}) {
				return
			}
		}
	}
}

// floatClass is what kind of number a word is.
type floatClass int

const (
	isNumber floatClass = iota // zeros included
	isInfinite
	isNaN
)

// decodeExact reads a word of a format: its class, sign and, of a number, its exact value.
func decodeExact(word uint64, exp, frac int) (class floatClass, negative bool, value *big.Rat) {
	negative = word>>(exp+frac)&1 == 1
	e, f := int(word>>frac&(1<<exp-1)), word&(1<<frac-1)
	switch {
	case e == 1<<exp-1 && f != 0:
		return isNaN, negative, nil
	case e == 1<<exp-1:
		return isInfinite, negative, nil
	case e == 0:
		e = 1
	default:
		f |= 1 << frac
	}
	return isNumber, negative, scaled(new(big.Int).SetUint64(f), e-(1<<(exp-1)-1)-frac, negative)
}

// scaled is n * 2^shift with a sign.
func scaled(n *big.Int, shift int, negative bool) *big.Rat {
	if negative {
		n = new(big.Int).Neg(n)
	}
	if shift >= 0 {
		return new(big.Rat).SetInt(new(big.Int).Lsh(n, uint(shift)))
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), uint(-shift)))
}

// roundExact rounds an exact value to nearest even in a format; negativeZero is the sign of a zero.
func roundExact(value *big.Rat, negativeZero bool, exp, frac int) uint64 {
	sign := uint64(0)
	if value.Sign() < 0 || value.Sign() == 0 && negativeZero {
		sign = 1 << (exp + frac)
	}
	x := new(big.Rat).Abs(value)
	if x.Sign() == 0 {
		return sign
	}
	bias := 1<<(exp-1) - 1
	// The exponent of the leading bit, but not below that of the subnormals.
	e := x.Num().BitLen() - x.Denom().BitLen()
	if x.Cmp(scaled(big.NewInt(1), e, false)) < 0 {
		e--
	}
	e = max(e, 1-bias)
	q := new(big.Rat).Mul(x, scaled(big.NewInt(1), frac-e, false)) // in units of the last place
	n, rest := new(big.Int).QuoRem(q.Num(), q.Denom(), new(big.Int))
	switch twice := new(big.Int).Lsh(rest, 1); twice.Cmp(q.Denom()) {
	case 1:
		n.Add(n, big.NewInt(1))
	case 0:
		n.Add(n, new(big.Int).And(n, big.NewInt(1)))
	}
	// A leading one adds one to the exponent field, as a carry out of the fraction does.
	word := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(int64(e+bias-1)), uint(frac)), n)
	if infinity := new(big.Int).Lsh(big.NewInt(1<<exp-1), uint(frac)); word.Cmp(infinity) > 0 {
		word = infinity
	}
	return sign | word.Uint64()
}

// canonicalNaN is the NaN that operations produce.
func canonicalNaN(exp, frac int) uint64 { return (1<<exp-1)<<frac | 1<<(frac-1) }

// infinity is an infinity of a format.
func infinity(negative bool, exp, frac int) uint64 {
	w := uint64(1<<exp-1) << frac
	if negative {
		w |= 1 << (exp + frac)
	}
	return w
}

// TestExactHelpers holds the exact arithmetic of the benches against the machine's binary32.
func TestExactHelpers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20000 {
		w := randomFloat(r, 8, 23, r.Uint64())
		class, negative, value := decodeExact(w, 8, 23)
		switch class {
		case isNaN:
		case isInfinite:
			if got := infinity(negative, 8, 23); got != w {
				t.Fatalf("%#x: infinity %#x", w, got)
			}
		default:
			if got := roundExact(value, negative, 8, 23); got != w {
				t.Fatalf("%#x comes back as %#x", w, got)
			}
			f, _ := value.Float32()
			half, _ := new(big.Rat).Quo(value, big.NewRat(3, 1)).Float32()
			if got := roundExact(new(big.Rat).Quo(value, big.NewRat(3, 1)), negative, 8, 23); value.Sign() != 0 && got != bits32(half) || value.Sign() != 0 && bits32(f) != w {
				t.Fatalf("%#x / 3: %#x, expected %#x", w, got, bits32(half))
			}
		}
	}
}

func bits32(f float32) uint64 { return uint64(math.Float32bits(f)) }

// build makes a bench of bench.sv, main.cpp and the library and returns its path; level are options of the C++ compiler.
func build(t *testing.T, dir string, level []string) string {
	t.Helper()
	args := append([]string{"--noassert", "-O3", "--x-assign", "fast", "--x-initial", "fast", "-Wno-fatal", "-Wno-WIDTH", "-Wno-UNUSED"}, library(t)...)
	b := verilated.Bench{Dir: dir, Top: "bench", Main: "main.cpp", Args: append(args, "bench.sv"), Level: level}
	bench, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(tail(err.Error()))
	}
	return bench
}
