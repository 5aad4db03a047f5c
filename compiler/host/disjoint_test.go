package host

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/analysis/extent"
	"loom/internal/tools/toolstest"
)

// TestExtentsInC: the host's C computes the intervals that package extent does.
func TestExtentsInC(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	names := map[int]string{0: "p0", 1: "p1", 2: "p2"}
	width := []int64{32, 64, 8}
	const sets = 40
	var calls, want strings.Builder
	want.WriteString("11100000000011 00\n") // of spans
	w := &writer{p: &Program{}}
	var all extent.Code
	var functions [][]string
	for f := range 30 {
		code := randomCode(r, width)
		all = append(all, code...)
		own := &writer{p: w.p}
		own.line("static void f%d(uint32_t p0, uint64_t p1, uint8_t p2)\n{", f)
		own.line("    (void)p0;\n    (void)p1;\n    (void)p2;")
		for n, i := range code {
			own.line("    const loom_range loom_r%d = %s;", n, own.expression(i, names))
		}
		for n := range code {
			own.line("    show(loom_r%d);", n)
		}
		own.line("}")
		functions = append(functions, own.lines)
		for range sets {
			params := []int64{int64(int32(extreme(r, 32))), extreme(r, 64), int64(int8(extreme(r, 8)))}
			fmt.Fprintf(&calls, "  f%d(%#xu, UINT64_C(%#x), %#xu);\n", f, uint32(params[0]), uint64(params[1]), uint8(params[2]))
			for _, v := range code.Eval(params) {
				if v.Unknown() {
					v = extent.Interval{Lo: 1, Hi: 0}
				}
				fmt.Fprintf(&want, "%d %d\n", v.Lo, v.Hi)
			}
		}
	}
	// Bytes 3 to 11 of an array, and what is known of them: before, at the first, the last and behind.
	const spans = `  static loom_accel dev;
  char *at = (char *)16 + 100;
  loom_range r = loom_span(&dev, at, loom_const(3, 11), 1), none = loom_span(&dev, at, loom_no_range, 1);
  int i;
  for (i = 0; i < 14; i++)
    printf("%d", loom_apart(r, loom_span(&dev, at + i, loom_const(0, 0), 1)));
  printf(" %d%d\n", loom_apart(r, none), loom_apart(none, r));
`
	w.helpers(all)
	w.line(`static void show(loom_range r) { printf("%%lld %%lld\n", (long long)r.lo, (long long)r.hi); }`)
	for _, f := range functions {
		w.lines = append(w.lines, f...)
	}
	h, _, err := Driver()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"loom_accel.h": string(h), "f.c": `#include <stdio.h>
#include "loom_accel.h"
size_t loom_accel_size_of(const loom_accel *dev, const void *data) { (void)dev; (void)data; return 0; }
` + w.text() + "int main(void) {\n" + spans + calls.String() + "  return 0;\n}\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	toolstest.CleanC(t, dir, []string{"f.c"})
	cmd := exec.Command("gcc", "-std=c99", "-fsanitize=undefined", "-fno-sanitize-recover", "-o", "run", "f.c")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(dir, "run")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, expected := strings.Split(string(out), "\n"), strings.Split(want.String(), "\n")
	if len(got) != len(expected) {
		t.Fatalf("%d lines for %d", len(got), len(expected))
	}
	for n := range got {
		if got[n] != expected[n] {
			t.Fatalf("line %d: %s in C, %s expected", n, got[n], expected[n])
		}
	}
	t.Logf("%d intervals", len(got))
}

// extreme is a number of so many bits, often near an end of its range or of what is known.
func extreme(r *rand.Rand, bits int) int64 {
	n := []int64{0, 1, -1, 1<<31 - 1, 1 << 31, -1 << 31, 1 << 62, -1 << 63, 1 << 16, 1<<15 - 1}[r.IntN(10)]
	if r.IntN(2) == 0 {
		n = r.Int64N(200) - 100
	}
	return n << (64 - bits) >> (64 - bits)
}

// randomCode has every operation.
func randomCode(r *rand.Rand, width []int64) extent.Code {
	var code extent.Code
	for p, w := range width {
		code = append(code, extent.Inst{Op: extent.Param, Lo: int64(p), Hi: w})
	}
	code = append(code, extent.Inst{Op: extent.Const, Lo: -5, Hi: 7}, extent.Inst{Op: extent.Const, Lo: 1, Hi: 3})
	steps := []int{4}
	for op := extent.Add; op <= extent.Trips; op++ {
		for range 2 {
			i := extent.Inst{Op: op, A: r.IntN(len(code)), B: r.IntN(len(code)), D: steps[r.IntN(len(steps))], Lo: r.Int64N(9) - 4, Hi: extent.Limit}
			switch op {
			case extent.Shift, extent.Div:
				i.Lo = 1 + r.Int64N(5)
			case extent.Inside:
				i.Hi = i.Lo + r.Int64N(100)
			}
			code = append(code, i)
		}
	}
	return code
}
