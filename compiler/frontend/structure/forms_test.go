package structure_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/sim/token"
	"loom/sim/vector"
)

// forms are kernels with the loops that they must become. form is the structure in
// one line; compares how many comparisons the graph has, which reveals a second guard.
var forms = []struct {
	name, form string
	compares   int
	source     string
}{
	{"sum", "for(0..n)", 1,
		`int k(int n, const int *restrict x) { int s = 0; for (int i = 0; i < n; i++) s += x[i & 7]; return s; }`},
	{"atMost", "if{for(1..maxsi)}", 1,
		`int k(int n, const int *restrict x) { int s = 0; for (int i = 1; i <= n; i++) s += x[i & 7]; return s; }`},
	{"constant", "for(0..40)", 0,
		`int k(int n, const int *restrict x) { int s = n; for (int i = 0; i < 40; i++) s += x[i & 7] ^ s; return s; }`},
	{"atMostConstant", "for(0..41)", 0,
		`int k(int n, const int *restrict x) { int s = n; for (int i = 0; i <= 40; i++) s += x[i & 7] ^ s; return s; }`},
	{"unsigned", "while(ne)", 2,
		`int k(unsigned n, const int *restrict x) { int s = 0; n &= 0x8000001f; if (n > 0x80000010) n = 3; for (unsigned i = 0; i < n; i++) s += x[i & 7]; return s; }`},
	{"unsignedBelow", "for(0..n)", 2,
		`int k(unsigned n, const int *restrict x) { int s = 0; n &= 0x8000001f; if (n > 99) n = 3; for (unsigned i = 0; i < n; i++) s += x[i & 7]; return s; }`},
	{"size", "for(0..n)", 1,
		`int k(unsigned long n, const int *restrict x) { int s = 0; for (unsigned long i = 0; i < n; i++) s += x[i & 7]; return s; }`},
	{"down", "while(sgt)", 1,
		`int k(int n, const int *restrict x) { int s = 0; for (int i = n - 1; i >= 0; i--) s = s * 3 + x[i & 7]; return s; }`},
	{"countdown", "while(sgt)", 1,
		`int k(unsigned n, const int *restrict x) { int s = 0; n &= 31; while (n-- > 0) s = s * 3 + x[n & 7]; return s; }`},
	{"stride", "while(slt)", 1,
		`int k(int n, const int *restrict x) { int s = 0; for (int i = 0; i < n; i += 3) s += x[i & 7]; return s; }`},
	{"strideBounded", "for(0..minsi)", 1,
		`int k(int n, const int *restrict x) { int s = 0; if (n > 1000) n = 1000; for (int i = 0; i < n; i += 3) s += x[i & 7]; return s; }`},
	{"doubled", "while(slt)", 1,
		`int k(int n, const int *restrict x) { int s = 0; for (int i = 1; i < n; i *= 2) s += x[i & 7]; return s; }`},
	{"halved", "while(ne)", 1,
		`int k(unsigned n, const int *restrict x) { int s = 0; for (; n; n >>= 1) s += x[n & 7]; return s; }`},
	{"nest", "for(0..n){for(0..m)}", 2,
		`int k(int n, int m, const int *restrict x) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += x[(i * m + j) & 7]; return s; }`},
	{"triangle", "for(0..n){for(0..i)}", 2,
		`int k(int n, const int *restrict x) { int s = 0; n &= 15; for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += x[j & 7] * i; return s; }`},
	{"last", "for(0..n)", 1,
		`int k(int n, int *restrict x) { int i; for (i = 0; i < n; i++) x[i & 7] = i; return i; }`},
	{"search", "if{do}", 3,
		`int k(int n, const int *restrict x) { for (int i = 0; i < n; i++) if (x[i & 7] == 5) return i; return -1; }`},
	{"leave", "if{do}", 4,
		`int k(int n, const int *restrict x) { int s = 0; for (int i = 0; i < n; i++) { int v = x[i & 7]; if (v < 0) continue; if (v == 7) break; s += v; } return s; }`},
	{"collatz", "while(ne)", 2,
		`int k(int n, const int *restrict x) { int c = 0; n = (n & 63) + 1; while (n != 1) { if (n & 1) n = 3 * n + 1; else n /= 2; c++; } return c + x[0]; }`},
	{"pointer", "for(0..index_cast)", 1,
		`int k(unsigned n, const int *restrict x) { int s = 0; n &= 7; for (const int *p = x, *e = x + n; p != e; p++) s += *p; return s; }`},
	{"secondary", "for(0..n)", 1,
		`int k(int n, const int *restrict x) { int s = 0, j = 4; for (int i = 0; i < n; i++, j++) s += x[j & 7] * i; return s; }`},
	{"digits", "while(ne)", 1,
		`int k(unsigned n, const int *restrict x) { int s = 0; while (n) { s += x[n & 7]; n /= 10; } return s; }`},
	{"halvedSigned", "if{while(ne)}", 1,
		`int k(int n, const int *restrict x) { int s = 0; for (; n > 0; n >>= 1) s += x[n & 7]; return s; }`},
	{"repeat", "do", 1,
		`int k(unsigned n, const int *restrict x) { int s = 0; do { s += x[n & 7]; n /= 10; } while (n); return s; }`},
}

// describe writes the structure of a function in one line.
func describe(fn *ir.Operation) string {
	name := func(v *ir.Value) string {
		if v.Def != nil {
			if k, ok := v.Def.IntAttr("value"); ok {
				return fmt.Sprint(k)
			}
			if v.Name == "" || strings.HasPrefix(v.Def.Name, "arith.m") {
				return strings.TrimPrefix(v.Def.Name, "arith.")
			}
		}
		return strings.TrimRight(strings.TrimSuffix(v.Name, ".addr"), "_0123456789")
	}
	var block func(b *ir.Block) string
	block = func(b *ir.Block) string {
		var parts []string
		for _, op := range b.Ops {
			inner := ""
			for _, r := range op.Regions {
				if e := r.Entry(); e != nil {
					if s := block(e); s != "" {
						inner += "{" + s + "}"
					}
				}
			}
			switch op.Name {
			case "scf.for":
				s := fmt.Sprintf("for(%s..%s)", name(op.Operand(0)), name(op.Operand(1)))
				parts = append(parts, s+inner)
			case "scf.while":
				if len(op.Regions[1].Entry().Ops) == 1 {
					parts = append(parts, "do"+inner)
					continue
				}
				s := "while"
				if c := op.Regions[0].Entry().Terminator().Operand(0).Def; c != nil && c.Name == "arith.cmpi" {
					p, _ := c.IntAttr("predicate")
					s += "(" + []string{"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"}[p] + ")"
				}
				parts = append(parts, s+inner)
			case "scf.if":
				parts = append(parts, "if"+inner)
			}
		}
		return strings.Join(parts, " ")
	}
	return block(fn.Regions[0].Entry())
}

// TestForms: loops in C become the loops one expects, mean what the branches meant,
// and their graphs compute the same without a second first test.
func TestForms(t *testing.T) {
	toolstest.Need(t, "clang-19", "mlir-opt-19", "mlir-translate-19")
	for _, f := range forms {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "k.c")
			if err := os.WriteFile(file, []byte(f.source), 0o644); err != nil {
				t.Fatal(err)
			}
			res, err := frontend.Run(context.Background(), file, f.source, frontend.Options{Verify: true})
			if err != nil {
				t.Fatal(diag.Render(diag.FromError(err), nil))
			}
			fn := testkit.Function(res.Module)
			text := mlir.Print(res.Module, mlir.Options{})
			if got := describe(fn); got != f.form {
				t.Errorf("became %s, want %s\n%s", got, f.form, text)
			}
			var before *ir.Operation
			for _, s := range res.Stages {
				if s.Ext == ".cf.mlir" {
					m, err := mlir.ParseAndVerify("k.cf.mlir", string(s.Text))
					if err != nil {
						t.Fatal(err)
					}
					before = testkit.Function(m)
				}
			}
			low, err := lower.Lower(res.Module, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"})
			if err != nil {
				t.Fatal(diag.Render(diag.FromError(err), nil))
			}
			compares := 0
			low.Func.Walk(func(op *ir.Operation) bool {
				if op.Name == "arith.cmpi" {
					compares++
				}
				return true
			})
			if compares != f.compares {
				t.Errorf("the graph compares %d times, want %d\n%s\n%s", compares, f.compares, text, mlir.Print(low.Func, mlir.Options{}))
			}
			agree(t, before, fn, low.Func)
		})
	}
}

// agree runs branches, structured code and graph on the same inputs.
func agree(t *testing.T, before, after, graph *ir.Operation) {
	t.Helper()
	sig, err := vector.SignatureOf(before)
	if err != nil {
		t.Fatal(err)
	}
	for n := -3; n < 40; n += 1 + max(n, 0)/7 {
		in, err := vector.Random(sig, uint64(n+99), 8, 32)
		if err != nil {
			t.Fatal(err)
		}
		for i := range in.Args {
			if in.Args[i].Mem == nil {
				in.Args[i].Scalar = uint64(int64(n))
				if sig.Params[i].Type == ir.Type(ir.I64) && n < 0 {
					in.Args[i].Scalar = uint64(n & 7)
				}
				if w, _ := ir.BitWidth(sig.Params[i].Type, 32); w < 64 {
					in.Args[i].Scalar &= 1<<w - 1
				}
			} else {
				for k := range in.Args[i].Mem.Data {
					in.Args[i].Mem.Data[k] &= 15
				}
			}
		}
		opts := interp.Options{IndexWidth: 32, MaxSteps: 1_000_000}
		want, err := interp.Run(before, in, opts)
		if err != nil {
			t.Fatal(err)
		}
		if want.Status != vector.Done {
			t.Fatalf("n=%d: the branches end with %s: %v", n, want.Status, want.Detail)
		}
		got, err := interp.Run(after, in, opts)
		if err != nil {
			t.Fatal(err)
		}
		if d := vector.Diff(want, got); len(d) > 0 {
			t.Fatalf("n=%d: structured code differs: %s", n, strings.Join(d, "\n"))
		}
		tokens, err := token.Run(graph, in, token.Options{MaxSteps: 1_000_000, IndexWidth: 32})
		if err != nil {
			t.Fatal(err)
		}
		if d := vector.Diff(want, tokens); len(d) > 0 {
			t.Fatalf("n=%d: the graph differs: %s %v", n, strings.Join(d, "\n"), tokens.Detail)
		}
	}
}
