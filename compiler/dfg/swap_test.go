package dfg_test

import (
	"path/filepath"
	"testing"

	"loom/compiler/dfg"
	"loom/compiler/diag"
	_ "loom/compiler/dialect/all"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
)

// TestRawForGated: in graphs that were lowered, each use of a gated condition is
// replaced by the raw one and each use of a raw one by the gated, one at a time;
// the verifier finds every one of them.
func TestRawForGated(t *testing.T) {
	var modules []*ir.Operation
	files, err := filepath.Glob(filepath.Join(testkit.Testdata(t, "kernels"), "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		modules = append(modules, testkit.Kernel(t, name[:len(name)-len(".mlir")]))
	}
	for seed := range uint64(soak.Scale(40, 1000)) {
		modules = append(modules, randprog.Generate(seed, randprog.Options{}))
	}
	swaps := 0
	for i, m := range modules {
		for _, order := range []string{"serial", "pipelined"} {
			res, err := lower.Lower(m.Clone(map[*ir.Value]*ir.Value{}), lower.Options{MemoryOrder: order})
			if err != nil {
				t.Fatal(err)
			}
			body := res.Func.Regions[0].Entry()
			for _, gate := range body.Ops {
				if gate.Name != "dataflow.gate" {
					continue
				}
				raw, gated := gate.Operand(1), gate.Result(1)
				for _, w := range []struct{ from, to *ir.Value }{{raw, gated}, {gated, raw}} {
					for _, u := range append([]ir.Use(nil), w.from.Uses()...) {
						u.Op.SetOperand(u.Index, w.to)
						var errs diag.List
						dfg.Verify(res.Func, &errs)
						if !errs.HasErrors() {
							t.Errorf("module %d, %s: operand %d of '%s' at %s may be %%%s instead of %%%s", i, order,
								u.Index, u.Op.Name, u.Op.Pos, w.to.Name, w.from.Name)
						}
						u.Op.SetOperand(u.Index, w.from)
						swaps++
					}
				}
			}
			var errs diag.List
			if dfg.Verify(res.Func, &errs); len(errs.All) > 0 {
				t.Errorf("module %d, %s: the graph itself: %v", i, order, &errs)
			}
		}
	}
	t.Logf("%d conditions swapped", swaps)
	if swaps < 200 {
		t.Errorf("only %d conditions swapped", swaps)
	}
}
