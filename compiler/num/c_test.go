package num

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// cForm is an operation and what C writes for it; F is the type of floats, %s its
// suffix in names of functions.
type cForm struct {
	name string
	ins  int
	c    string
	attr int64
	// out is the type of the result, nil for that of the operands.
	out ir.Type
	// defined reports whether C defines the result.
	defined func(a, b float64) bool
}

func cForms(double bool) []cForm {
	within := func(lo, hi float64) func(a, b float64) bool {
		return func(a, _ float64) bool { return a > lo && a < hi }
	}
	forms := []cForm{
		{name: "arith.addf", ins: 2, c: "a + b"}, {name: "arith.subf", ins: 2, c: "a - b"},
		{name: "arith.mulf", ins: 2, c: "a * b"}, {name: "arith.divf", ins: 2, c: "a / b"},
		{name: "arith.remf", ins: 2, c: "fmod%s(a, b)"}, {name: "math.fma", ins: 3, c: "fma%s(a, b, c)"},
		{name: "math.copysign", ins: 2, c: "copysign%s(a, b)"}, {name: "arith.negf", ins: 1, c: "-a"}, {name: "math.absf", ins: 1, c: "fabs%s(a)"},
		{name: "math.sqrt", ins: 1, c: "sqrt%s(a)"}, {name: "math.floor", ins: 1, c: "floor%s(a)"}, {name: "math.ceil", ins: 1, c: "ceil%s(a)"},
		{name: "math.trunc", ins: 1, c: "trunc%s(a)"}, {name: "math.round", ins: 1, c: "round%s(a)"}, {name: "math.roundeven", ins: 1, c: "rint%s(a)"},
		{name: "arith.select", ins: 2, c: "a < b ? a : b"},
		{name: "arith.fptosi", ins: 1, c: "(int32_t)a", out: ir.I32, defined: within(-2147483649, 2147483648)},
		{name: "arith.fptosi", ins: 1, c: "(int64_t)a", out: ir.I64, defined: within(-0x1p63, 0x1p63)},
		{name: "arith.fptosi", ins: 1, c: "(int8_t)a", out: ir.I8, defined: within(-129, 128)},
		{name: "arith.fptoui", ins: 1, c: "(uint32_t)a", out: ir.I32, defined: within(-1, 0x1p32)},
		{name: "arith.fptoui", ins: 1, c: "(uint64_t)a", out: ir.I64, defined: within(-1, 0x1p64)},
	}
	// C leaves open which zero of two is the smaller one.
	zeros := func(a, b float64) bool { return a != 0 || b != 0 }
	quiet := func(a, b float64) bool { return a == a && b == b && zeros(a, b) }
	forms = append(forms,
		cForm{name: "arith.minnumf", ins: 2, c: "fmin%s(a, b)", defined: zeros}, cForm{name: "arith.maxnumf", ins: 2, c: "fmax%s(a, b)", defined: zeros},
		cForm{name: "arith.minimumf", ins: 2, c: "fmin%s(a, b)", defined: quiet}, cForm{name: "arith.maximumf", ins: 2, c: "fmax%s(a, b)", defined: quiet})
	for i, c := range map[int64]string{1: "a == b", 2: "a > b", 3: "a >= b", 4: "a < b", 5: "a <= b", 13: "a != b", 6: "a < b || a > b", 9: "!(a <= b)", 14: "a != a || b != b"} {
		forms = append(forms, cForm{name: "arith.cmpf", ins: 2, c: c, attr: i, out: ir.I1})
	}
	if double {
		forms = append(forms, cForm{name: "arith.truncf", ins: 1, c: "(float)a", out: ir.F32})
	} else {
		forms = append(forms, cForm{name: "arith.extf", ins: 1, c: "(double)a", out: ir.F64})
	}
	return forms
}

// TestAgainstC: exact operations on floats, and conversions, against the machine's own
// through a C compiler: rounded once, with C's treatment of zeros, infinities and NaN.
func TestAgainstC(t *testing.T) {
	path := toolstest.Path(t, tools.Clang)
	type check struct {
		form cForm
		t    ir.Type
		in   []uint64
	}
	var checks []check
	var code strings.Builder
	code.WriteString("#include <math.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <string.h>\n")
	code.WriteString("#define OUT(x) do { uint64_t u = 0; memcpy(&u, &(x), sizeof(x)); printf(\"%llx\\n\", (unsigned long long)u); } while (0)\n")
	var calls strings.Builder
	r := rand.New(rand.NewPCG(21, 22))
	for k, typ := range []ir.Type{ir.F32, ir.F64} {
		f, word, c, suffix := &f32format, "uint32_t", "float", "f"
		if k == 1 {
			f, word, c, suffix = &f64format, "uint64_t", "double", ""
		}
		values := patterns(f, r, 30)
		for _, x := range []float64{0.5, 1.5, 2.5, -0.5, 1e9, 4294967295, 2147483647.5, 127.5, -128.5, 1 << 24, 1<<52 + 0.5} {
			values = append(values, f.encode(x))
		}
		// C has no signalling NaN.
		quietBit := (f.encode(math.NaN()) &^ f.encode(math.Inf(1)))
		values = slices.DeleteFunc(values, func(v uint64) bool { return f.decode(v) != f.decode(v) && v&quietBit == 0 })
		fmt.Fprintf(&code, "static const %s in%d[] = {", word, k)
		for _, v := range values {
			fmt.Fprintf(&code, "%#xu%s,", v, map[int]string{0: "", 1: "ll"}[k])
		}
		code.WriteString("};\n")
		for i, form := range cForms(k == 1) {
			out := c
			switch form.out {
			case ir.Type(ir.F32):
				out = "float"
			case ir.Type(ir.F64):
				out = "double"
			case ir.Type(ir.I1):
				out = "uint8_t"
			case ir.Type(ir.I8):
				out = "uint8_t"
			case ir.Type(ir.I32):
				out = "uint32_t"
			case ir.Type(ir.I64):
				out = "uint64_t"
			}
			text := form.c
			if strings.Contains(text, "%s") {
				text = fmt.Sprintf(text, suffix)
			}
			fmt.Fprintf(&code, "static void f%d_%d(int i, int j, int k) { %s a, b, c; memcpy(&a, &in%d[i], sizeof a); memcpy(&b, &in%d[j], sizeof b); memcpy(&c, &in%d[k], sizeof c); %s r = %s; OUT(r); }\n", k, i, c, k, k, k, out, text)
			n := len(values)
			for x := range n {
				y, z := (x*7+i)%n, (x*3+5)%n
				a, b := f.decode(values[x]), f.decode(values[y])
				if form.defined != nil && !form.defined(a, b) {
					continue
				}
				checks = append(checks, check{form, typ, []uint64{values[x], values[y], values[z]}[:form.ins]})
				fmt.Fprintf(&calls, "f%d_%d(%d, %d, %d);\n", k, i, x, y, z)
			}
		}
	}
	// Integers to floats, of every width C has.
	ints := []uint64{0, 1, math.MaxUint64, 1 << 63, 1<<63 + 1, 1<<24 + 1, 1<<53 + 1, 1<<54 + 3, 0x7fffffbfffffffff, 0xffffff7fffffffff, 1<<31 - 1, 1 << 31, 200}
	for range 30 {
		ints = append(ints, r.Uint64()>>r.IntN(63))
	}
	for _, w := range []struct {
		t      ir.Type
		signed bool
		c      string
	}{{ir.I8, true, "int8_t"}, {ir.I16, false, "uint16_t"}, {ir.I32, true, "int32_t"}, {ir.I32, false, "uint32_t"}, {ir.I64, true, "int64_t"}, {ir.I64, false, "uint64_t"}} {
		for _, to := range []struct {
			t ir.Type
			c string
		}{{ir.F32, "float"}, {ir.F64, "double"}} {
			name := "arith.uitofp"
			if w.signed {
				name = "arith.sitofp"
			}
			for _, v := range ints {
				fmt.Fprintf(&calls, "{ volatile uint64_t u = %#xull; %s r = (%s)(%s)u; OUT(r); }\n", v, to.c, to.c, w.c)
				bits, _ := ir.BitWidth(w.t, 64)
				checks = append(checks, check{cForm{name: name, out: to.t}, w.t, []uint64{v & mask(uint(bits))}})
			}
		}
	}
	fmt.Fprintf(&code, "int main(void) {\n%s return 0; }\n", calls.String())
	dir := t.TempDir()
	src, exe := filepath.Join(dir, "t.c"), filepath.Join(dir, "t")
	if err := os.WriteFile(src, []byte(code.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(path, "-O0", "-ffp-contract=off", "-fno-builtin", "-w", "-o", exe, src, "-lm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(exe).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	wrong := 0
	for _, c := range checks {
		if !lines.Scan() {
			t.Fatal("the program ended early")
		}
		var want uint64
		if _, err := fmt.Sscanf(lines.Text(), "%x", &want); err != nil {
			t.Fatal(err)
		}
		res := c.form.out
		if res == nil {
			res = c.t
		}
		ins := types(c.t, c.form.ins)
		in := c.in
		switch c.form.name {
		case "arith.select":
			// The condition is a comparison of the two.
			less := makeOp("arith.cmpf", ins, types(ir.I1, 1))
			less.SetAttr("predicate", ir.IntAttr(4, ir.I64))
			in = append([]uint64{eval(t, less, in...)[0]}, in...)
			ins = append(types(ir.I1, 1), ins...)
		case "arith.sitofp", "arith.uitofp":
			ins = types(c.t, 1)
		}
		op := makeOp(c.form.name, ins, types(res, 1))
		if c.form.name == "arith.cmpf" {
			op.SetAttr("predicate", ir.IntAttr(c.form.attr, ir.I64))
		}
		got := eval(t, op, in...)[0]
		if a, ok := DecodeFloat(got, res); ok {
			if b, _ := DecodeFloat(want, res); a != a && b != b {
				continue // any two NaN
			}
		}
		if got != want {
			if wrong++; wrong > 10 {
				t.Fatal("and more")
			}
			t.Errorf("%s (%s) on %#x is %#x, C says %#x", c.form.name, c.form.c, c.in, got, want)
		}
	}
	t.Logf("%d results", len(checks))
}
