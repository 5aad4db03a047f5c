// Package native runs functions outside LOOM: through MLIR's own lowering to
// LLVM, clang and the processor. Nothing of LOOM is on that path but the
// printer, so it is an independent check of the interpreter. Programs must stay
// where MLIR defines the result.
package native

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/sim/vector"
)

// Tools are the programs a batch needs.
var Tools = []string{"mlir-opt-19", "mlir-translate-19", "clang-19"}

// Batch collects programs and runs, so that one call of each tool serves all.
type Batch struct {
	mlir  strings.Builder
	decls strings.Builder
	code  strings.Builder // one C function per run: a single one would take clang long
	sigs  []*vector.Signature
	runs  []run
}

type run struct {
	program int
	in      *vector.Inputs
}

// Add takes over a func.func with what else its module holds and returns the
// number of the program.
func (b *Batch) Add(fn *ir.Operation) (program int, err error) {
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return 0, err
	}
	k := len(b.sigs)
	b.sigs = append(b.sigs, sig)
	prefix := fmt.Sprintf("p%d_", k)
	for _, op := range fn.Block().Ops {
		c := op.Clone(map[*ir.Value]*ir.Value{})
		rename(c, prefix)
		b.mlir.WriteString(mlir.Print(c, mlir.Options{}))
	}
	b.wrapper(k, sig, fn.Attr("function_type").(*ir.TypeAttr).Type)
	return k, nil
}

// rename puts a prefix before all symbols and references.
func rename(op *ir.Operation, prefix string) {
	op.Walk(func(o *ir.Operation) bool {
		for i, a := range o.Attrs {
			switch v := a.Value.(type) {
			case *ir.SymbolRefAttr:
				o.Attrs[i].Value = ir.SymbolRef(prefix + v.Root)
			case *ir.StringAttr:
				if a.Name == "sym_name" {
					o.Attrs[i].Value = ir.StrAttr(prefix + v.Value)
				}
			}
		}
		return true
	})
}

// wrapper prints a function that takes scalars and leaves results as i64 in
// memory, so that no calling convention beyond expanded memrefs is involved.
func (b *Batch) wrapper(k int, sig *vector.Signature, ft ir.Type) {
	w := &b.mlir
	fmt.Fprintf(w, "func.func @run_%d(%%in: memref<?xi64>", k)
	fmt.Fprintf(&b.decls, "void run_%d(MEM1(uint64_t)", k)
	for i, p := range sig.Params {
		if m, ok := p.Type.(*ir.MemRefType); ok {
			fmt.Fprintf(w, ", %%a%d: %s", i, p.Type)
			fmt.Fprintf(&b.decls, ", MEM%d(%s)", len(m.Shape), cType(m.Elem))
		}
	}
	w.WriteString(", %out: memref<?xi64>) {\n")
	b.decls.WriteString(", MEM1(uint64_t));\n")
	var args []string
	for i, p := range sig.Params {
		args = append(args, fmt.Sprintf("%%a%d", i))
		if _, ok := p.Type.(*ir.MemRefType); ok {
			continue
		}
		fmt.Fprintf(w, "  %%c%d = arith.constant %d : index\n  %%w%d = memref.load %%in[%%c%d] : memref<?xi64>\n", i, i, i, i)
		convert(w, fmt.Sprintf("%%a%d", i), fmt.Sprintf("%%w%d", i), ir.I64, p.Type)
	}
	for i, p := range sig.Params {
		// A parameter with a layout is given as its storage.
		m, ok := ft.(*ir.FunctionType).Inputs[i].(*ir.MemRefType)
		if !ok || ir.Type(m) == p.Type {
			continue
		}
		list := func(ns []int64) string { return strings.ReplaceAll(fmt.Sprint(ns), " ", ", ") }
		fmt.Fprintf(w, "  %%l%d = memref.reinterpret_cast %%a%d to offset: [%d], sizes: %s, strides: %s : %s to %s\n",
			i, i, m.Layout.Offset, list(m.Shape), list(m.Layout.Strides), p.Type, m)
		args[i] = fmt.Sprintf("%%l%d", i)
	}
	call := fmt.Sprintf("func.call @p%d_%s(%s) : %s\n", k, sig.Name, strings.Join(args, ", "), ft)
	if n := len(sig.Results); n > 0 {
		call = fmt.Sprintf("%%r:%d = %s", n, call)
	}
	w.WriteString("  " + call)
	for i, t := range sig.Results {
		fmt.Fprintf(w, "  %%o%d = arith.constant %d : index\n", i, i)
		convert(w, fmt.Sprintf("%%x%d", i), fmt.Sprintf("%%r#%d", i), t, ir.I64)
		fmt.Fprintf(w, "  memref.store %%x%d, %%out[%%o%d] : memref<?xi64>\n", i, i)
	}
	w.WriteString("  return\n}\n")
}

// convert prints a change between i64 and another type that keeps the bits.
func convert(w *strings.Builder, to, from string, source, target ir.Type) {
	op := opname.ArithExtUI
	sw, _ := ir.BitWidth(source, 64)
	tw, _ := ir.BitWidth(target, 64)
	switch {
	case source == ir.Type(ir.Index) || target == ir.Type(ir.Index):
		op = opname.ArithIndexCast
	case sw == tw:
		op = opname.ArithBitcast
	case ir.IsFloat(source):
		fmt.Fprintf(w, "  %s_bits = arith.bitcast %s : %s to i%d\n", to, from, source, sw)
		from, source = to+"_bits", ir.Int(sw)
	case ir.IsFloat(target):
		fmt.Fprintf(w, "  %s_bits = arith.trunci %s : %s to i%d\n", to, from, source, tw)
		op, from, source = opname.ArithBitcast, to+"_bits", ir.Int(tw)
	case sw > tw:
		op = opname.ArithTruncI
	}
	fmt.Fprintf(w, "  %s = %s %s : %s to %s\n", to, op, from, source, target)
}

// cType is the C type in whose size an element lies in memory.
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

// Run requests an execution of a program; Execute returns the outcomes in the same order.
func (b *Batch) Run(program int, in *vector.Inputs) {
	w, r := &b.code, len(b.runs)
	b.runs = append(b.runs, run{program, in})
	fmt.Fprintf(w, "static void r%d(void) {\n  uint64_t in[] = {", r)
	for _, a := range in.Args {
		fmt.Fprintf(w, "%#xu, ", a.Scalar)
	}
	results := len(b.sigs[program].Results)
	fmt.Fprintf(w, "0}, out[%d];\n", results+1)
	call := fmt.Sprintf("in, in, 0, %d, 1", len(in.Args)+1)
	prints := fmt.Sprintf("  for (int i = 0; i < %d; i++) P(out[i]);\n", results)
	for i, a := range in.Args {
		if a.Mem == nil {
			continue
		}
		fmt.Fprintf(w, "  %s m%d[] = {", cType(a.Mem.Elem), i)
		for _, v := range a.Mem.Data {
			fmt.Fprintf(w, "%#xu, ", v)
		}
		w.WriteString("0};\n")
		call += fmt.Sprintf(", m%d, m%d, 0", i, i)
		strides := ""
		step := int64(1)
		for d := len(a.Mem.Shape) - 1; d >= 0; d-- {
			strides = fmt.Sprintf(", %d", step) + strides
			step *= a.Mem.Shape[d]
		}
		for _, d := range a.Mem.Shape {
			call += fmt.Sprintf(", %d", d)
		}
		call += strides
		prints += fmt.Sprintf("  for (int i = 0; i < %d; i++) P(m%d[i]);\n", len(a.Mem.Data), i)
	}
	fmt.Fprintf(w, "  run_%d(%s, out, out, 0, %d, 1);\n%s  puts(\"\");\n}\n", program, call, results, prints)
}

const cHead = `#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#define MEM0(T) T *, T *, int64_t
#define MEM1(T) MEM0(T), int64_t, int64_t
#define MEM2(T) MEM1(T), int64_t, int64_t
#define MEM3(T) MEM2(T), int64_t, int64_t
#define P(x) printf("%" PRIx64 " ", (uint64_t)(x))
`

// passes takes structured code to the LLVM dialect.
var passes = []string{"--lower-affine", "--scf-forall-to-for", "--arith-expand", "--convert-scf-to-cf", "--expand-strided-metadata", "--memref-expand",
	"--lower-affine", "--convert-math-to-llvm", "--convert-index-to-llvm", "--convert-arith-to-llvm", "--finalize-memref-to-llvm", "--convert-func-to-llvm",
	"--convert-cf-to-llvm", "--convert-ub-to-llvm", "--reconcile-unrealized-casts"}

// Execute builds and runs everything, using files in dir.
func (b *Batch) Execute(dir string) ([]*vector.Outcome, error) {
	file := func(name string) string { return filepath.Join(dir, name) }
	var main strings.Builder
	for r := range b.runs {
		fmt.Fprintf(&main, "  r%d();\n", r)
	}
	c := cHead + b.decls.String() + b.code.String() + "int main(void) {\n" + main.String() + "  return 0;\n}\n"
	if err := os.WriteFile(file("progs.mlir"), []byte(b.mlir.String()), 0o644); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file("main.c"), []byte(c), 0o644); err != nil {
		return nil, err
	}
	for _, step := range [][]string{
		append([]string{"mlir-opt-19", file("progs.mlir"), "-o", file("progs.llvm.mlir")}, passes...),
		{"mlir-translate-19", "--mlir-to-llvmir", file("progs.llvm.mlir"), "-o", file("progs.ll")},
		{"clang-19", "-O1", "-fno-inline", "-Wno-override-module", file("progs.ll"), file("main.c"), "-lm", "-o", file("progs")},
	} {
		if _, err := call(step); err != nil {
			return nil, err
		}
	}
	out, err := call([]string{file("progs")})
	if err != nil {
		return nil, err
	}
	return b.read(out)
}

func call(command []string) ([]byte, error) {
	cmd := exec.Command(command[0], command[1:]...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%.2000s", filepath.Base(command[0]), err, stderr.String())
	}
	return out, nil
}

// read makes outcomes from the printed bits.
func (b *Batch) read(text []byte) ([]*vector.Outcome, error) {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<24)
	var out []*vector.Outcome
	for _, r := range b.runs {
		if !lines.Scan() {
			return nil, fmt.Errorf("the native program printed %d lines for %d runs", len(out), len(b.runs))
		}
		words := strings.Fields(lines.Text())
		next := func() (v uint64, err error) {
			if len(words) == 0 {
				return 0, fmt.Errorf("run %d printed too little", len(out))
			}
			v, err = strconv.ParseUint(words[0], 16, 64)
			words = words[1:]
			return v, err
		}
		o := &vector.Outcome{Status: vector.Done}
		for _, t := range b.sigs[r.program].Results {
			v, err := next()
			if err != nil {
				return nil, err
			}
			o.Results = append(o.Results, vector.Scalar{Type: t, Bits: v})
		}
		for _, a := range r.in.Clone().Args {
			if a.Mem == nil {
				continue
			}
			for i := range a.Mem.Data {
				v, err := next()
				if err != nil {
					return nil, err
				}
				a.Mem.Data[i] = v
			}
			o.Memories = append(o.Memories, a.Mem)
		}
		out = append(out, o)
	}
	return out, nil
}
