package verilator_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/compiler/arch"
	"loom/compiler/config"
	_ "loom/compiler/dialect/all"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/testkit"
	"loom/rtlgen"
	"loom/sim/vector"
	"loom/verilator"
)

const testdata = "../testdata"

// TestKernels co-simulates kernels on a shipped mesh in lock-step, in the soak
// campaign: building the model takes a minute. LOOM_COSIM chooses others, as in
// "mesh12x12:matvec".
func TestKernels(t *testing.T) {
	what := os.Getenv("LOOM_COSIM")
	if what == "" && os.Getenv("LOOM_SOAK") != "" {
		what = "mesh6x6:vecadd,dot,condcopy,gcd,scan"
	}
	mesh, kernels, ok := strings.Cut(what, ":")
	if !ok {
		t.Skip("set LOOM_SOAK=1, or LOOM_COSIM=mesh:kernel,kernel")
	}
	f := testkit.Fabric(t, mesh)
	rtl, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{InputName: mesh, ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range strings.Split(kernels, ",") {
		t.Run(k, func(t *testing.T) { kernel(t, f, rtl, k) })
	}
}

func kernel(t *testing.T, f *arch.Fabric, rtl *rtlgen.Output, name string) {
	path := filepath.Join(testdata, "kernels", name+".mlir")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := mlir.ParseAndVerify(path, string(src))
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(mod, lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps})
	if err != nil {
		t.Fatal(err)
	}
	res, err := mapper.Map(low.Func, f, mapper.Options{})
	if err != nil {
		t.Skip(err)
	}
	sig, err := vector.SignatureOf(low.Func)
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 16, f.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	for _, profile := range []struct {
		latency string
		stall   int
	}{{"fixed:4", 0}, {"fixed:1", 0}, {"random:1,40,7", 30}, {"ddr4-2400", 0}, {"lpddr4-3200,transactions=2", 30}} {
		lat, err := latency.Parse(profile.latency)
		if err != nil {
			t.Fatal(err)
		}
		start, stage := time.Now(), ""
		rep, err := verilator.Run(context.Background(), verilator.Options{
			RTL: rtl, Fabric: f, Image: res.Image, Binding: res.Binding, Inputs: in, Latency: lat, Stall: profile.stall,
			StallSeed: 3, LockStep: true,
			Progress: func(p verilator.Progress) {
				if p.Stage != stage {
					stage = p.Stage
					t.Logf("%6.1fs %s %d", time.Since(start).Seconds(), stage, p.Total)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s stall %d: %s after %d cycles; build %.1fs hit %v, sim %.2fs, all %.1fs", profile.latency, profile.stall,
			rep.Outcome.Status, rep.Outcome.Cycles, rep.BuildSeconds, rep.CacheHit, rep.SimSeconds, time.Since(start).Seconds())
		if rep.Outcome.Status != vector.Done {
			t.Fatalf("%s\n%s", rep.Outcome.Status, strings.Join(rep.Outcome.Detail, "\n"))
		}
	}
}
