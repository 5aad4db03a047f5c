package randprog_test

import (
	"testing"

	_ "loom/compiler/dialect/all"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
	"loom/sim/native"
	"loom/sim/vector"
)

// TestAgainstNativeCode compares the interpreter on random programs with the
// same programs compiled by MLIR and LLVM. make soak runs more.
func TestAgainstNativeCode(t *testing.T) {
	toolstest.Need(t, native.Tools...)
	programs, runs := soak.Scale(40, 600), 4
	var batch native.Batch
	type expected struct {
		seed, inputs uint64
		module       *ir.Operation
		out          *vector.Outcome
	}
	var want []expected
	for i := range programs {
		seed := uint64(i) + 1_000_000
		opts := randprog.Options{NoUndefined: true, Extended: true, Locals: i%3 == 0}
		if i%4 > 0 {
			opts.Use, opts.MaxOps = randprog.Everything, 80
		}
		m := randprog.Generate(seed, opts)
		fn := randprog.Function(m)
		p, err := interp.Compile(fn, interp.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		id, err := batch.Add(fn)
		if err != nil {
			t.Fatal(err)
		}
		for k := range uint64(runs) {
			in := randprog.Inputs(m, k)
			out, err := p.Run(in)
			if err != nil || out.Status != vector.Done {
				t.Fatalf("seed %d: %v %v", seed, err, out)
			}
			batch.Run(id, in)
			want = append(want, expected{seed, k, m, out})
		}
	}
	got, err := batch.Execute(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	bad := 0
	for i, e := range want {
		d := vector.Diff(got[i], e.out)
		if d == nil {
			continue
		}
		t.Errorf("seed %d, inputs %d (want is native, got the interpreter): %v\n%s\n%s", e.seed, e.inputs, d,
			randprog.Inputs(e.module, e.inputs).JSON(), mlir.Print(e.module, mlir.Options{}))
		if bad++; bad == 3 {
			t.FailNow()
		}
	}
	t.Logf("%d programs, %d runs agree with native code", programs, len(want))
}
