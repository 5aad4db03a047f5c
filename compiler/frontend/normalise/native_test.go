package normalise

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"loom/compiler/diag"
	"loom/compiler/frontend/clang"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/pass"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
)

// harness calls every function in both versions on the same data.
const harness = `
#include <math.h>
#include <stdio.h>
#include <string.h>
#define ARGS int n, int *a, int *b, float *x, float *y, double *z, unsigned char *c, long *l
struct data { int a[96], b[96]; float x[96], y[96]; double z[96]; unsigned char c[96]; long l[96]; };
%s
static struct { const char *name; int (*f)(ARGS), (*g)(ARGS); } all[] = { %s };
static unsigned long seed = 1;
static unsigned next(void) { seed = seed * 6364136223846793005ul + 1442695040888963407ul; return seed >> 33; }
static void fill(struct data *d) {
	for (int i = 0; i < 96; i++) {
		d->a[i] = (int)(next() %% 2001) - 1000; d->b[i] = (int)next(); d->x[i] = (int)(next() %% 4001 - 2000) / 64.0f;
		d->y[i] = (int)(next() %% 4001 - 2000) / 128.0f; d->z[i] = (int)(next() %% 4001 - 2000) / 256.0; d->c[i] = next();
		d->l[i] = (long)next() << 33 ^ next();
	}
}
static int near(double p, double q) { return p == q || (isnan(p) && isnan(q)) || fabs(p - q) <= 1e-5 * (fabs(p) + fabs(q)); }
static int differ(struct data *p, struct data *q) {
	for (int i = 0; i < 96; i++) {
		if (p->a[i] != q->a[i]) return printf("a[%%d]: %%d, not %%d; ", i, q->a[i], p->a[i]);
		if (p->b[i] != q->b[i]) return printf("b[%%d]: %%d, not %%d; ", i, q->b[i], p->b[i]);
		if (p->c[i] != q->c[i]) return printf("c[%%d]: %%d, not %%d; ", i, q->c[i], p->c[i]);
		if (p->l[i] != q->l[i]) return printf("l[%%d]: %%lx, not %%lx; ", i, q->l[i], p->l[i]);
		if (!near(p->x[i], q->x[i])) return printf("x[%%d]: %%g, not %%g; ", i, q->x[i], p->x[i]);
		if (!near(p->y[i], q->y[i])) return printf("y[%%d]: %%g, not %%g; ", i, q->y[i], p->y[i]);
		if (!near(p->z[i], q->z[i])) return printf("z[%%d]: %%g, not %%g; ", i, q->z[i], p->z[i]);
	}
	return 0;
}
int main(void) {
	static struct data d, p, q;
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		int n, bad = 0;
		for (n = 0; n < 40 && !bad; n += n < 9 ? 1 : 7) {
			fill(&d); p = d; q = d;
			int r = all[i].f(n, p.a, p.b, p.x, p.y, p.z, p.c, p.l);
			int s = all[i].g(n, q.a, q.b, q.x, q.y, q.z, q.c, q.l);
			if (r != s) bad = printf("result %%d, not %%d; ", s, r);
			else bad = differ(&p, &q);
			if (bad) printf("n = %%d, %%s\n", n, all[i].name);
		}
	}
	return 0;
}
`

var testFunction = regexp.MustCompile(`\bt_\w+`)

// TestNative runs normalised functions as machine code against the originals, from IR
// of every level of optimisation.
func TestNative(t *testing.T) {
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt)
	source, err := os.ReadFile("testdata/native.c")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, level string
		flags       []string
	}{
		{"O2", "2", nil},
		{"vectorised", "2", []string{"-fvectorize", "-fslp-vectorize", "-funroll-loops"}},
		{"O0", "0", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, debug := importSource(t, "native.c", string(source), clang.Options{Level: c.level, Flags: c.flags})
			var names []string
			for _, n := range testFunction.FindAllString(string(source), -1) {
				if c.level == "0" && n == "t_heap" {
					continue // nothing shows yet that what is freed was allocated here
				}
				if n != "t_" && !strings.Contains(strings.Join(names, " ")+" ", n+" ") {
					names = append(names, n)
				}
			}
			compareNative(t, string(source), m, debug, names)
		})
	}
}

// compareNative normalises each function of a module and reports those that compute
// something else than the original.
func compareNative(t *testing.T, source string, m *ir.Operation, debug *llvm.Debug, names []string) {
	t.Helper()
	all := m.Clone(map[*ir.Value]*ir.Value{})
	all.Regions[0].Blocks[0].Ops = nil
	have := map[string]bool{}
	var decls, table strings.Builder
	for _, name := range names {
		c := m.Clone(map[*ir.Value]*ir.Value{})
		if err := Run(c, Options{Function: name, Debug: debug, Pass: pass.Options{Verify: true}}, &diag.List{}); err != nil {
			t.Errorf("%s: %s", name, diag.Render(diag.FromError(err), nil))
			continue
		}
		for _, o := range append([]*ir.Operation(nil), c.Regions[0].Blocks[0].Ops...) {
			o.Unlink()
			if o.Name == "llvm.func" {
				checkContract(t, o)
				o.SetAttr("sym_name", &ir.StringAttr{Value: "n_" + name})
			} else if have[o.SymName()] {
				continue
			}
			have[o.SymName()] = true
			all.Regions[0].Blocks[0].Append(o)
		}
		fmt.Fprintf(&decls, "int %s(ARGS), n_%s(ARGS);\n", name, name)
		fmt.Fprintf(&table, "{\"%s\", %s, n_%s},\n", name, name, name)
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	run := func(tool string, args ...string) []byte {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Fatal(err)
		}
		out, err := tools.Output(context.Background(), path, args...)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	in := write("in.mlir", plain(all))
	low := write("low.mlir", string(run(tools.MLIROpt, in, "--convert-math-to-llvm", "--convert-math-to-libm",
		"--convert-arith-to-llvm", "--convert-func-to-llvm", "--reconcile-unrealized-casts")))
	ll := write("n.ll", string(run(tools.MLIRTranslate, "--mlir-to-llvmir", low)))
	orig := write("orig.c", source)
	main := write("main.c", fmt.Sprintf(harness, decls.String(), table.String()))
	exe := filepath.Join(dir, "exe")
	run(tools.Clang, "-O1", "-w", "-fwrapv", "-ffp-contract=off", "-o", exe, orig, main, ll, "-lm")
	if out := run(exe); len(out) > 0 {
		t.Errorf("differences:\n%s", out)
	}
}

// checkContract checks that a function has what lifting expects.
func checkContract(t *testing.T, f *ir.Operation) {
	t.Helper()
	f.Walk(func(o *ir.Operation) bool {
		if strings.HasPrefix(o.Name, "llvm.call") || strings.HasPrefix(o.Name, "llvm.intr.mem") || strings.Contains(o.Name, ".lifetime.") {
			t.Errorf("%s: %s is left", f.SymName(), o.Name)
		}
		for _, v := range append(append([]*ir.Value(nil), o.Operands()...), o.Results()...) {
			l, err := llvm.Parse(v.Type)
			if err != nil || hasParts(l) {
				t.Errorf("%s: a value of type %s is left", f.SymName(), v.Type)
			}
		}
		return true
	})
}
