package ckernels

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/cabi"
	"loom/compiler/frontend"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/sim/token"
	"loom/sim/vector"
)

// part are the kernels of which one test run takes every n-th; long campaigns take all.
func part(all []*kernel, n int) []*kernel {
	if soaking() {
		return all
	}
	var out []*kernel
	for i, k := range all {
		if i%n == 0 {
			out = append(out, k)
		}
	}
	return out
}

// TestArtifacts compiles each artifact of a kernel as if it were the input: the graph
// must be the one that the source gives.
func TestArtifacts(t *testing.T) {
	needTools(t)
	for _, k := range part(load(t), 3) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			res := k.mustCompile(t)
			want := bare(t, res.Module)
			for _, ext := range []string{".ll", ".llvm.mlir", ".cf.mlir"} {
				again, err := frontend.Run(context.Background(), k.name+ext, stage(t, res, ext), frontend.Options{})
				if err != nil {
					t.Errorf("%s: %s", ext, render(err))
					continue
				}
				if d := cmp.Diff(want, bare(t, again.Module)); d != "" {
					t.Errorf("%s gives another graph (-source +artifact):\n%s", ext, d)
				}
			}
			scf, err := mlir.ParseAndVerify(k.name+".scf.mlir", stage(t, res, ".scf.mlir"))
			if err != nil {
				t.Fatal(render(err))
			}
			if d := cmp.Diff(want, bare(t, scf)); d != "" {
				t.Errorf(".scf.mlir gives another graph (-source +artifact):\n%s", d)
			}
		})
	}
}

// bare is the graph of a module without the description of the C function, which only
// the source has in full, and without the names of values, which text changes.
func bare(t testing.TB, module *ir.Operation) string {
	t.Helper()
	g := graph(t, module, "pipelined")
	g.SetAttr(cabi.Attribute, nil)
	g.Walk(func(op *ir.Operation) bool {
		for _, v := range op.Results() {
			v.Name = ""
		}
		return true
	})
	return mlir.Print(g, mlir.Options{})
}

// TestLevels compiles with less optimisation by clang: the meaning stays.
func TestLevels(t *testing.T) {
	needTools(t)
	for _, k := range part(load(t), 3) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			module := k.mustCompile(t).Module
			fn, runs := function(t, module), k.inputs(t, graph(t, module, "pipelined"))
			for _, level := range []string{"0", "1"} {
				res, err := frontend.Run(context.Background(), k.path, k.text, frontend.Options{Level: level, Verify: true})
				if err != nil {
					t.Errorf("-O%s: %s", level, render(err))
					continue
				}
				other := function(t, res.Module)
				g, err := token.Compile(graph(t, res.Module, "pipelined"), indexWidth)
				if err != nil {
					t.Fatal(render(err))
				}
				for _, r := range runs {
					in := transfer(t, r.in, other)
					if in == nil {
						break
					}
					want := meaning(t, fn, r.in)
					compare := func(what string, got *vector.Outcome) {
						agree(t, r, what+" of -O"+level, want, common(want, got))
					}
					compare("program", meaning(t, other, in))
					got, _, err := g.Run(in.Clone(), tokenOptions)
					if err != nil {
						t.Fatal(err)
					}
					compare("graph", got)
				}
			}
		})
	}
}

// transfer gives a function that was compiled otherwise the inputs by name; what only it
// has is a parameter that the program does not need, or a variable at file scope whose
// value clang knew the other time: then there are no inputs.
func transfer(t testing.TB, in *vector.Inputs, fn *ir.Operation) *vector.Inputs {
	t.Helper()
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	out, err := vector.Random(sig, 1, 8, indexWidth)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := cabi.Of(fn)
	for i := range out.Args {
		to, found := &out.Args[i], false
		for _, a := range in.Clone().Args {
			if a.Name != to.Name {
				continue
			}
			found = true
			// An integer may be an index in one of them.
			to.Scalar = a.Scalar
			if a.Mem == nil {
				continue
			}
			// And a matrix one array.
			shape := append([]int64(nil), sig.Params[i].Type.(*ir.MemRefType).Shape...)
			rows := int64(len(a.Mem.Data))
			for _, d := range shape[1:] {
				rows /= d
			}
			if shape[0] == ir.Dynamic {
				shape[0] = rows
			}
			if a.Mem.Elem != to.Mem.Elem || shape[0] != rows {
				return nil
			}
			to.Mem.Shape, to.Mem.Data = shape, a.Mem.Data
		}
		for _, p := range c.Params {
			if !found && p.Class == cabi.Global && len(p.Pieces) > 0 && p.Pieces[0].Index == i {
				return nil
			}
		}
	}
	return out
}

// common leaves of an outcome what another one has, in its order.
func common(other, o *vector.Outcome) *vector.Outcome {
	c := like(other, o)
	c.Memories = nil
	for _, n := range other.Memories {
		for _, m := range o.Memories {
			if m.Name == n.Name {
				c.Memories = append(c.Memories, &vector.Memory{Name: m.Name, Elem: n.Elem, Shape: n.Shape, Data: m.Data})
			}
		}
	}
	return c
}

// TestDeterminism compiles twice: every artifact has the same bytes.
func TestDeterminism(t *testing.T) {
	needTools(t)
	for _, k := range part(load(t), 4) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			first := k.mustCompile(t)
			again, err := frontend.Run(context.Background(), k.path, k.text, frontend.Options{})
			if err != nil {
				t.Fatal(render(err))
			}
			if !slices.EqualFunc(first.Stages, again.Stages, func(a, b frontend.Stage) bool {
				if d := cmp.Diff(string(a.Text), string(b.Text)); d != "" {
					t.Errorf("%s differs:\n%s", a.Ext, d)
				}
				return a.Ext == b.Ext
			}) {
				t.Error("the artifacts are not the same")
			}
		})
	}
}
