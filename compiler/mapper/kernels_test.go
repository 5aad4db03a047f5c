package mapper_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/build"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
)

const testdata = "../../testdata"

// fabric builds a shipped architecture.
func fabric(t testing.TB, name string) *arch.Fabric {
	t.Helper()
	path := filepath.Join(testdata, "arch", name+".yaml")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := build.Build(path, src)
	if err != nil {
		t.Fatal(err)
	}
	f, err := arch.FromModule(mod, "")
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// kernel lowers a kernel for a fabric.
func kernel(t testing.TB, name string, f *arch.Fabric) *ir.Operation {
	t.Helper()
	path := filepath.Join(testdata, "kernels", name+".mlir")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := mlir.ParseAndVerify(path, string(src))
	if err != nil {
		t.Fatal(err)
	}
	res, err := lower.Lower(mod, lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: f.MaxJoinFanin})
	if err != nil {
		t.Fatal(err)
	}
	return res.Func
}

// simulate runs a mapped kernel on random inputs, by the cycle and by tokens, and
// compares.
func simulate(t testing.TB, fn *ir.Operation, f *arch.Fabric, res *mapper.Result, size int64) *vector.Outcome {
	t.Helper()
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, size, f.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	want, err := token.Run(fn, in, token.Options{Capacity: 1, IndexWidth: f.IndexWidth})
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cycle.New(f, res.Image, res.Binding, in, cycle.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := sim.Run()
	if err != nil {
		t.Fatal(err)
	}
	if d := vector.Diff(want, got); len(d) > 0 {
		t.Errorf("status %s, differences: %v\n%v", got.Status, d, got.Detail)
	}
	return got
}

func TestKernels(t *testing.T) {
	for _, k := range []string{"vecadd", "dot", "condcopy", "matvec", "gcd", "scan"} {
		for _, a := range []string{"mesh4x4", "mesh6x6", "mesh8x8", "mesh12x12"} {
			t.Run(k+"/"+a, func(t *testing.T) {
				f := fabric(t, a)
				fn := kernel(t, k, f)
				res, err := mapper.Map(fn, f, mapper.Options{Progress: func(s string) { t.Log(s) }})
				if err != nil {
					t.Log(fmt.Sprint(err)[:min(300, len(fmt.Sprint(err)))])
					return
				}
				for _, l := range res.Mapping.Timing.Loops {
					t.Logf("loop %d innermost %v rec %v ii %v cycle %v", l.Op, l.Innermost, l.Recurrence, l.II, l.Cycle)
				}
				u := res.Mapping.Utilization
				a, b := simulate(t, fn, f, res, 8), simulate(t, fn, f, res, 16)
				t.Logf("%+v hops %d wire %d cycles %d (8) %d (16)", u.PEs, u.RegisterHops, u.WireLength, a.Cycles, b.Cycles)
			})
		}
	}
}
