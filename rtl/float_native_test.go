package rtl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	campaigns "loom/internal/soak"
	"loom/internal/tools/toolstest"
)

// nativeMain draws operands for the units of a bench, as randomFloat does, gives them with stalls on both sides, and
// compares each result with that of the machine: everything in one process, of which most of the time is the
// hardware's. It ends when every unit has had so many operands as it must.
const nativeMain = `
#include "Vbench.h"
#include "verilated.h"
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <vector>
double sc_time_stamp() { return 0; }
static uint64_t state;
static inline uint64_t draw() { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state * 2685821657736338717ull; }
static inline uint64_t below(uint64_t n) { return uint64_t((unsigned __int128)draw() * n >> 64); }
enum op { DIVIDE, ROOT, REMAINDER };
struct format {
  int exp, frac;
  std::vector<uint64_t> corners;
  format(int e, int f) : exp(e), frac(f) {
    uint64_t bias = (1ull << (e - 1)) - 1, ones = (1ull << e) - 1, full = (1ull << f) - 1;
    for (uint64_t x : {uint64_t(0), uint64_t(1), uint64_t(2), bias - 1, bias, bias + 1, bias + f, bias + f + 1, ones - 2, ones - 1, ones})
      for (uint64_t y : {uint64_t(0), uint64_t(1), uint64_t(2), full >> 1, (full >> 1) + 1, full - 1, full})
        for (uint64_t s = 0; s < 2; s++) corners.push_back(s << (e + f) | x << f | y);
  }
  uint64_t word() const { return ~0ull >> (63 - exp - frac); }
  uint64_t random(uint64_t near) const {
    switch (below(8)) {
    case 0: return corners[below(corners.size())];
    case 1: case 2: case 3: return close(near, int64_t(below(2 * frac + 7)) - frac - 3);
    case 4: return ((near ^ below(2) << (exp + frac)) + below(5) - 2) & word();
    case 5: return draw() & word() & (~0ull << below(frac + 1));
    }
    return draw() & word();
  }
  // close is a number whose exponent is so much larger than that of another one.
  uint64_t close(uint64_t near, int64_t by) const {
    int64_t e = int64_t(near >> frac & ((1ull << exp) - 1)) + by, most = (1ll << exp) - 1;
    e = e < 0 ? 0 : e > most ? most : e;
    return (draw() & (1ull << (exp + frac) | ((1ull << frac) - 1))) | uint64_t(e) << frac;
  }
};
template <class F, class U> static uint64_t compute(op o, uint64_t a, uint64_t b, uint64_t nan) {
  U ua = U(a), ub = U(b), uy;
  F x, y, z;
  memcpy(&x, &ua, sizeof x); memcpy(&y, &ub, sizeof y);
  z = o == DIVIDE ? x / y : o == ROOT ? std::sqrt(x) : std::fmod(x, y);
  if (z != z) return nan;
  memcpy(&uy, &z, sizeof z);
  return uy;
}
static const format single(8, 23), twice(11, 52);
struct unit {
  const char *name; const format &f; op o; uint64_t must;
  QData &a, &b, &y;
  uint64_t given = 0, wrong = 0;
  struct pair { uint64_t a, b; };
  std::deque<pair> inside; // the operands whose results have not come, in order
  void next() {
    a = f.random(draw());
    // A remainder of numbers far apart takes up to a thousand cycles, which tell little.
    b = o == REMAINDER && below(256) ? f.close(a, -int64_t(below(f.frac + 4)) + 3) : f.random(a);
  }
  void take() {
    inside.push_back({a, b}); given++;
  }
  void check() {
    if (inside.empty()) { wrong++; printf("WRONG %s: a result of nothing\n", name); return; }
    pair of = inside.front();
    inside.pop_front();
    uint64_t want = f.frac == 23 ? compute<float, uint32_t>(o, of.a, of.b, 0x7fc00000) : compute<double, uint64_t>(o, of.a, of.b, 0x7ff8000000000000);
    if (y == want) return;
    if (wrong++ < 5) printf("WRONG %s: a 0x%" PRIx64 " b 0x%" PRIx64 ": found 0x%" PRIx64 ", expected 0x%" PRIx64 "\n", name, of.a, of.b, uint64_t(y), want);
  }
};
int main(int argc, char **argv) {
  state = strtoull(argv[1], nullptr, 10);
  Vbench top;
  unit units[] = {
UNITS  };
  const int N = sizeof units / sizeof *units;
  auto tick = [&] { top.clk = 1; top.eval(); top.clk = 0; top.eval(); };
  top.clk = 0; top.rst = 1; top.in_valid = 0; top.out_ready = 0;
  tick(); tick(); top.rst = 0;
  for (auto &u : units) u.next();
  uint64_t offered = 0, quiet = 0, left = N;
  while (left) {
    uint64_t r = draw();
    offered |= (r | r >> 16 | r >> 32) & ((1ull << N) - 1); // an offer stands until it is taken
    uint64_t take = draw(); take |= take >> 16 | take >> 32;
    top.in_valid = offered; top.out_ready = take;
    top.eval();
    uint64_t leaves = top.out_valid & take, enters = offered & top.in_ready;
    if (quiet++ > 200000) { printf("no result for 200000 cycles\n"); return 3; }
    // A result that leaves is of operands before those that enter, which the clock takes as they are.
    for (uint64_t m = leaves; m; m &= m - 1) { units[__builtin_ctzll(m)].check(); quiet = 0; }
    for (uint64_t m = enters; m; m &= m - 1) {
      unit &u = units[__builtin_ctzll(m)];
      u.take();
      if (u.given == u.must) left--;
    }
    tick();
    offered &= ~enters;
    for (uint64_t m = enters; m; m &= m - 1) units[__builtin_ctzll(m)].next();
  }
  bool failed = false;
  for (auto &u : units) { printf("%s: %" PRIu64 " operands, %" PRIu64 " wrong\n", u.name, u.given, u.wrong); failed |= u.wrong > 0; }
  return failed;
}
`

// TestFloatNative compares quotients, roots and remainders of binary32 and binary64 with those of the machine, a million
// of each unit and more of the quick ones; in the soak campaign ten million times its factor.
func TestFloatNative(t *testing.T) {
	unchanged(t, "float_*_test.go")
	t.Parallel()
	// Units that take about as many cycles are in one bench, as all of a bench are simulated until the last one is done.
	// Of pipelined ones every day those with the usual registers.
	var benches [5][]nativeUnit
	add := func(bench int, f floatFormat, op string, u floatUnit) {
		benches[bench] = append(benches[bench], nativeUnit{u, f, op})
	}
	for k, f := range []floatFormat{{8, 23}, {11, 52}} {
		add(k, f, "REMAINDER", f.rem())
		for _, bits := range []int{1, 2} {
			bench := 2
			if k == 1 && bits == 1 {
				bench = 3
			}
			add(bench, f, "DIVIDE", f.divsqrt(3, bits, false))
			add(bench, f, "ROOT", f.divsqrt(3, bits, true))
		}
		latencies := []int{(f.frac+3)/2 + 4}
		if soak() {
			latencies = append(latencies, 5, f.frac+7)
		}
		for _, latency := range latencies {
			add(4, f, "DIVIDE", f.divsqrtPiped(3, latency, false))
			add(4, f, "ROOT", f.divsqrtPiped(3, latency, true))
		}
	}
	for _, units := range benches {
		runNative(t, units)
	}
}

// nativeUnit is a unit, its format and its operation in nativeMain.
type nativeUnit struct {
	floatUnit
	f  floatFormat
	op string
}

// runNative compares what units, at most 16, compute with what the machine does.
func runNative(t *testing.T, units []nativeUnit) {
	t.Helper()
	toolstest.Need(t, "verilator", "c++")
	vectors := campaigns.Scale(250_000, 10_000_000)
	dir := t.TempDir()
	sources(t, dir, "", "", "")
	var ports, instances, list strings.Builder
	for n, u := range units {
		fmt.Fprintf(&ports, ", input [63:0] a%[1]d, input [63:0] b%[1]d, output [63:0] y%[1]d", n)
		fmt.Fprintf(&instances, `  if (1) begin : g%[1]d
      wire [63:0] a = a%[1]d, b = b%[1]d, y;
      wire in_valid = bench.in_valid[%[1]d], in_ready, out_valid, out_ready = bench.out_ready[%[1]d];
      assign y%[1]d = y, bench.in_ready[%[1]d] = in_ready, bench.out_valid[%[1]d] = out_valid;
%[2]s
  end
`, n, u.instance)
		fmt.Fprintf(&list, "    {%q, %s, %s, %d, top.a%[5]d, top.b%[5]d, top.y%[5]d},\n", u.name, map[int]string{23: "single", 52: "twice"}[u.f.frac], u.op, vectors, n)
	}
	bench := fmt.Sprintf("module bench (input clk, input rst, input [15:0] in_valid, output [15:0] in_ready, output [15:0] out_valid, input [15:0] out_ready%s);\n%s"+
		"  assign in_ready[15:%[3]d] = 0, out_valid[15:%[3]d] = 0;\nendmodule\n", ports.String(), instances.String(), len(units))
	for name, s := range map[string]string{"bench.sv": bench, "main.cpp": strings.ReplaceAll(nativeMain, "UNITS", list.String())} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	program := build(t, dir, []string{"-O2", "-ffp-contract=off"})
	out, err := run(t, dir, 24*time.Hour, program, "88172645463325252")
	t.Log(out)
	if err != nil {
		t.Errorf("%v", err)
	}
}
