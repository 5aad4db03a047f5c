package randprog_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "loom/compiler/dialect/arith"
	_ "loom/compiler/dialect/builtin"
	_ "loom/compiler/dialect/func"
	_ "loom/compiler/dialect/llvm"
	_ "loom/compiler/dialect/math"
	_ "loom/compiler/dialect/memref"
	_ "loom/compiler/dialect/scf"

	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/randprog"
	"loom/sim/vector"
)

// tool finds an outside program; without it the test is skipped, or fails where
// LOOM_REQUIRE_TOOLS is set.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
			t.Fatalf("%s is not installed", name)
		}
		t.Skipf("%s is not installed", name)
	}
	return path
}

func runTool(t *testing.T, path string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(path, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%.2000s", filepath.Base(path), err, stderr.String())
	}
	return out
}

// native collects programs into one MLIR module and one C file that runs them.
type native struct {
	module *ir.Operation // functions prog_0, prog_1, …
	mlir   strings.Builder
	decls  strings.Builder
	code   strings.Builder // one C function per run: a single one would take compilers long
	main   strings.Builder
	count  int
}

func cType(t ir.Type) string {
	switch w, _ := ir.BitWidth(t, 64); {
	case w <= 8:
		return "uint8_t"
	case w <= 16:
		return "uint16_t"
	case w <= 32:
		return "uint32_t"
	}
	return "uint64_t"
}

// add takes a program over. A wrapper passes scalars and results as i64 through
// memory, so that no calling convention beyond expanded memrefs is involved.
func (n *native) add(fn *ir.Operation, sig *vector.Signature) {
	k := n.count
	n.count++
	c := fn.Clone(map[*ir.Value]*ir.Value{})
	c.SetAttr("sym_name", ir.StrAttr(fmt.Sprintf("prog_%d", k)))
	n.module.Regions[0].Entry().Append(c)

	w := &n.mlir
	fmt.Fprintf(w, "func.func @run_%d(%%in: memref<?xi64>", k)
	fmt.Fprintf(&n.decls, "void run_%d(MEM(uint64_t)", k)
	for _, p := range sig.Params {
		if m, ok := p.Type.(*ir.MemRefType); ok {
			fmt.Fprintf(w, ", %%%s: %s", p.Name, p.Type)
			fmt.Fprintf(&n.decls, ", MEM%d(%s)", len(m.Shape), cType(m.Elem))
		}
	}
	fmt.Fprintf(w, ", %%out: memref<?xi64>) {\n")
	n.decls.WriteString(", MEM(uint64_t));\n")
	var args []string
	for i, p := range sig.Params {
		if _, ok := p.Type.(*ir.MemRefType); !ok {
			fmt.Fprintf(w, "  %%c%d = arith.constant %d : index\n  %%w%d = memref.load %%in[%%c%d] : memref<?xi64>\n", i, i, i, i)
			switch {
			case p.Type == ir.Type(ir.I64):
				fmt.Fprintf(w, "  %%%s = arith.bitcast %%w%d : i64 to i64\n", p.Name, i)
			case p.Type == ir.Type(ir.Index):
				fmt.Fprintf(w, "  %%%s = arith.index_cast %%w%d : i64 to index\n", p.Name, i)
			default:
				fmt.Fprintf(w, "  %%%s = arith.trunci %%w%d : i64 to %s\n", p.Name, i, p.Type)
			}
		}
		args = append(args, "%"+p.Name)
	}
	types := sig.Results
	ft := fn.Attr("function_type").(*ir.TypeAttr).Type
	fmt.Fprintf(w, "  %%r:%d = func.call @prog_%d(%s) : %s\n", len(types), k, strings.Join(args, ", "), ft)
	for i, t := range types {
		fmt.Fprintf(w, "  %%o%d = arith.constant %d : index\n", i, i)
		switch {
		case t == ir.Type(ir.I64):
			fmt.Fprintf(w, "  %%x%d = arith.bitcast %%r#%d : i64 to i64\n", i, i)
		case t == ir.Type(ir.Index):
			fmt.Fprintf(w, "  %%x%d = arith.index_cast %%r#%d : index to i64\n", i, i)
		default:
			fmt.Fprintf(w, "  %%x%d = arith.extui %%r#%d : %s to i64\n", i, i, t)
		}
		fmt.Fprintf(w, "  memref.store %%x%d, %%out[%%o%d] : memref<?xi64>\n", i, i)
	}
	w.WriteString("  return\n}\n")
}

// run adds the code that runs program k on inputs and prints the bits of what
// it yields, results first, one line.
func (n *native) run(k int, sig *vector.Signature, in *vector.Inputs) {
	w := &n.code
	name := fmt.Sprintf("r%d", strings.Count(n.main.String(), "\n"))
	fmt.Fprintf(&n.main, "  %s();\n", name)
	fmt.Fprintf(w, "static void %s(void) {\n    uint64_t in[] = {0", name)
	for _, a := range in.Args {
		fmt.Fprintf(w, ", %#xu", a.Scalar)
	}
	fmt.Fprintf(w, "}, out[%d];\n", len(sig.Results)+1)
	call := "P(in, 8)"
	prints := fmt.Sprintf("    for (int i = 0; i < %d; i++) printf(\"%%\" PRIx64 \" \", out[i]);\n", len(sig.Results))
	for i, a := range in.Args {
		if a.Mem == nil {
			continue
		}
		fmt.Fprintf(w, "    %s m%d[] = {", cType(a.Mem.Elem), i)
		for _, v := range a.Mem.Data {
			fmt.Fprintf(w, "%#xu, ", v)
		}
		w.WriteString("};\n")
		if len(a.Mem.Shape) == 2 {
			call += fmt.Sprintf(", m%d, m%d, 0, %d, %d, %d, 1", i, i, a.Mem.Shape[0], a.Mem.Shape[1], a.Mem.Shape[1])
		} else {
			call += fmt.Sprintf(", P(m%d, %d)", i, a.Mem.Shape[0])
		}
		prints += fmt.Sprintf("    for (int i = 0; i < %d; i++) printf(\"%%\" PRIx64 \" \", (uint64_t)m%d[i]);\n", len(a.Mem.Data), i)
	}
	// The first word of in is padding, so that it is never empty.
	call = strings.Replace(call, "P(in, 8)", "in + 1, in + 1, 0, 8, 1", 1)
	fmt.Fprintf(w, "    run_%d(%s, P(out, 8));\n%s    puts(\"\");\n}\n", k, call, prints)
}

const cHead = `#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#define MEM(T) T *, T *, int64_t, int64_t, int64_t
#define MEM1(T) MEM(T)
#define MEM2(T) T *, T *, int64_t, int64_t, int64_t, int64_t, int64_t
#define P(m, n) m, m, 0, n, 1
`

// line prints an outcome the way the C program does.
func line(out *vector.Outcome) string {
	var b strings.Builder
	for _, r := range out.Results {
		fmt.Fprintf(&b, "%x ", r.Bits)
	}
	for _, m := range out.Memories {
		for _, v := range m.Data {
			fmt.Fprintf(&b, "%x ", v)
		}
	}
	return b.String()
}

// TestAgainstNativeCode compares the interpreter with the same programs taken
// through MLIR's own lowering, LLVM and the processor: nothing of ours is on
// that path but the printer.
func TestAgainstNativeCode(t *testing.T) {
	opt, translate, clang := tool(t, "mlir-opt-19"), tool(t, "mlir-translate-19"), tool(t, "clang-19")
	programs, runs := 60, 4
	if os.Getenv("LOOM_SOAK") != "" {
		programs = 600
	}
	n := &native{module: ir.NewOp("builtin.module", diag.Pos{}, nil, nil)}
	n.module.AddRegion().AddBlock()
	type expected struct {
		seed   uint64
		k      uint64
		module *ir.Operation
		line   string
	}
	var want []expected
	for i := range programs {
		seed := uint64(i) + 1_000_000
		m := randprog.Generate(seed, randprog.Options{NoUndefined: true, Extended: true, Locals: i%3 == 0})
		fn := randprog.Function(m)
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		p, err := interp.Compile(fn, interp.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		n.add(fn, sig)
		for k := range uint64(runs) {
			in := randprog.Inputs(m, k)
			out, err := p.Run(in)
			if err != nil || out.Status != vector.Done {
				t.Fatalf("seed %d: %v %v", seed, err, out)
			}
			n.run(i, sig, in)
			want = append(want, expected{seed, k, m, line(out)})
		}
	}
	dir := t.TempDir()
	text := mlir.Print(n.module, mlir.Options{})
	end := strings.LastIndex(text, "}")
	text = text[:end] + n.mlir.String() + text[end:]
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	lowered := runTool(t, opt, "--arith-expand", "--convert-scf-to-cf", "--convert-math-to-llvm", "--convert-arith-to-llvm",
		"--finalize-memref-to-llvm", "--convert-func-to-llvm", "--convert-cf-to-llvm", "--reconcile-unrealized-casts", file("progs.mlir", text))
	ll := runTool(t, translate, "--mlir-to-llvmir", file("progs.llvm.mlir", string(lowered)))
	exe := filepath.Join(dir, "progs")
	runTool(t, clang, "-O1", "-fno-inline", "-Wno-override-module", "-o", exe, file("progs.ll", string(ll)),
		file("main.c", cHead+n.decls.String()+n.code.String()+"int main(void) {\n"+n.main.String()+"  return 0;\n}\n"))
	got := bufio.NewScanner(bytes.NewReader(runTool(t, exe)))
	bad := 0
	for _, e := range want {
		if !got.Scan() {
			t.Fatal("the native program printed too few lines")
		}
		if g := got.Text(); g != e.line {
			t.Errorf("seed %d, inputs %d:\nnative      %s\ninterpreter %s\n%s%s", e.seed, e.k, g, e.line,
				randprog.Inputs(e.module, e.k).JSON(), mlir.Print(e.module, mlir.Options{}))
			if bad++; bad == 3 {
				t.FailNow()
			}
		}
	}
	t.Logf("%d programs, %d runs agree with native code", programs, len(want))
}
