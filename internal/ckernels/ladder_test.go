package ckernels

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/tools"
	"loom/sim/level0"
	"loom/sim/token"
	"loom/sim/vector"
)

// maxSteps bounds the interpreter: more than any kernel needs on its inputs.
const maxSteps = 3_000_000

// tokenOptions let channels hold any number of tokens.
var tokenOptions = token.Options{IndexWidth: indexWidth}

// TestLadder runs every kernel at the levels 0 to 2 on all its inputs: the original
// function decides, the program with branches, the structured program and the graph
// with channels of any and of one token must do the same, in both memory orders. What is
// printed of the first two is accepted by MLIR.
func TestLadder(t *testing.T) {
	needTools(t, tools.CC)
	printed := &collection{}
	t.Run("kernels", func(t *testing.T) {
		for _, k := range load(t) {
			t.Run(k.name, func(t *testing.T) {
				t.Parallel()
				res := k.mustCompile(t)
				printed.add(k.name+".cf.mlir", stage(t, res, ".cf.mlir"))
				printed.add(k.name+".scf.mlir", stage(t, res, ".scf.mlir"))
				ladder(t, k, res.Module)
			})
		}
	})
	printed.check(t)
}

// ladder climbs the levels with one kernel.
func ladder(t *testing.T, k *kernel, module *ir.Operation) {
	fn := function(t, module)
	c := k.original(t, fn)
	tol := level0.Tolerance(fn)
	cf, err := mlir.ParseAndVerify(k.name+".cf.mlir", stage(t, k.res, ".cf.mlir"))
	if err != nil {
		t.Fatal(render(err))
	}
	graphs := map[string]*token.Program{}
	for _, order := range []string{"serial", "pipelined", recent, locks} {
		g := graph(t, module, order)
		if (order == recent || order == locks) && mlir.Print(g, mlir.Options{}) == mlir.Print(graph(t, module, "pipelined"), mlir.Options{}) {
			continue
		}
		if graphs[order], err = token.Compile(g, indexWidth); err != nil {
			t.Fatal(render(err))
		}
	}
	for n, r := range k.inputs(t, graph(t, module, "pipelined")) {
		native, err := c.Run(context.Background(), r.in.Clone())
		if err != nil {
			t.Fatalf("%s: %v", r.name, render(err))
		}
		if native.Status != vector.Done {
			t.Fatalf("%s: the original ends with %s: %v", r.name, native.Status, native.Detail)
		}
		want := meaning(t, fn, r.in)
		report(t, r, ".scf.mlir", want, vector.DiffTolerance(native, want, tol))
		agree(t, r, ".cf.mlir", want, like(want, meaning(t, function(t, cf), r.in)))
		for order, g := range graphs {
			for _, capacity := range []int{0, 1} {
				if capacity == 1 && n%3 != 0 && !soaking() {
					continue
				}
				got, _, err := g.Run(r.in.Clone(), token.Options{Capacity: capacity, IndexWidth: indexWidth})
				if err != nil {
					t.Fatal(render(err))
				}
				agree(t, r, fmt.Sprintf("graph, %s, capacity %d", order, capacity), want, got)
			}
		}
		if t.Failed() {
			return // the other inputs fail alike
		}
	}
}

// The pipelined order with recent stores, and with interlocks.
const (
	recent = "recent stores"
	locks  = "interlocks"
)

// graph lowers a structured module.
func graph(t testing.TB, module *ir.Operation, order string) *ir.Operation {
	t.Helper()
	opts := lower.Options{MemoryOrder: order, IndexWidth: indexWidth}
	if order == recent {
		opts.MemoryOrder, opts.Forward, opts.RecentStores = "pipelined", true, 2
	}
	if order == locks {
		opts.MemoryOrder, opts.Forward, opts.Interlocks = "pipelined", true, true
	}
	low, err := lower.Lower(module, opts)
	if err != nil {
		t.Fatal(render(err))
	}
	return low.Func
}

// meaning is the outcome in the interpreter.
func meaning(t testing.TB, fn *ir.Operation, in *vector.Inputs) *vector.Outcome {
	t.Helper()
	out, err := interp.Run(fn, in.Clone(), interp.Options{IndexWidth: indexWidth, MaxSteps: maxSteps})
	if err != nil {
		t.Fatal(render(err))
	}
	return out
}

// like gives the results of an outcome the types of another: a number of 64 bits may be
// an index in one of two programs of the same meaning.
func like(other, o *vector.Outcome) *vector.Outcome {
	c := *o
	c.Results = append([]vector.Scalar(nil), o.Results...)
	for i := range min(len(c.Results), len(other.Results)) {
		if to := other.Results[i].Type; to != c.Results[i].Type && ir.IsInt(to) {
			c.Results[i] = vector.Scalar{Type: to, Bits: num.Truncate(c.Results[i].Bits, to, indexWidth)}
		}
	}
	return &c
}

// agree compares two outcomes bit by bit.
func agree(t *testing.T, r run, level string, want, got *vector.Outcome) {
	t.Helper()
	report(t, r, level, got, vector.Diff(want, got))
}

// report states how an outcome differs.
func report(t *testing.T, r run, level string, got *vector.Outcome, diff []string) {
	t.Helper()
	if len(diff) == 0 {
		return
	}
	if got.Status != vector.Done {
		diff = append(diff, got.Detail...)
	}
	t.Errorf("%s: %s:\n  %s", r.name, level, strings.Join(diff, "\n  "))
}

// collection is MLIR text of many modules: one call of mlir-opt for all.
type collection struct {
	sync.Mutex
	names, texts []string
}

func (c *collection) add(name, text string) {
	c.Lock()
	defer c.Unlock()
	c.names, c.texts = append(c.names, name), append(c.texts, text)
}

// check gives everything to mlir-opt. Where it refuses something, each module is tried
// alone to name the bad ones.
func (c *collection) check(t *testing.T) {
	t.Helper()
	if refused(t, strings.Join(c.texts, "\n// -----\n")) == "" {
		return
	}
	for i, text := range c.texts {
		if s := refused(t, text); s != "" {
			t.Errorf("%s is not accepted: %s", c.names[i], s)
		}
	}
}

// refused is what mlir-opt has against a text, "" for nothing.
func refused(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "all.mlir")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	path, err := tools.Find(tools.MLIROpt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tools.Run(context.Background(), "", path, "--split-input-file", file, "-o", os.DevNull); err != nil {
		return err.Error()
	}
	return ""
}
