package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/compiler/num"
	"loom/internal/ladder"
	"loom/sim/vector"
)

// TestDirectory takes every kernel of a directory of your own through the ladder,
// with both memory orders, on random and on extreme inputs:
//
//	LOOM_KERNELS=dir [LOOM_MESH=mesh8x8] go test -v -run TestDirectory ./internal/e2e
//
// Kernels that the fabric or the lowering refuses are logged with the reason.
func TestDirectory(t *testing.T) {
	dir := os.Getenv("LOOM_KERNELS")
	if dir == "" {
		t.Skip("LOOM_KERNELS=dir runs the kernels of a directory")
	}
	if !haveVerilator(t) {
		t.Skip("a campaign includes co-simulation")
	}
	name := os.Getenv("LOOM_MESH")
	if name == "" {
		name = "mesh6x6"
	}
	m := loadMesh(t, name)
	files, err := filepath.Glob(filepath.Join(dir, "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no kernels in %s (%v)", dir, err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".mlir"), func(t *testing.T) { directoryKernel(t, f, m) })
	}
}

// A kernel of the campaign is mapped campaignMappings times, with both memory
// orders and several seeds; each mapping runs on campaignInputs inputs, of which
// campaignCosims are co-simulated.
const campaignMappings, campaignInputs, campaignCosims = 6, 24, 3

func directoryKernel(t *testing.T, file string, m *ladder.Mesh) {
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	module, err := mlir.ParseAndVerify(file, string(src))
	if err != nil {
		t.Fatal(err)
	}
	for k := range campaignMappings {
		order := []string{"serial", "pipelined"}[k%2]
		d, err := ladder.NewDesign(module, m, order, mapper.Options{Seed: uint64(k / 2)})
		if ladder.Internal(err) {
			t.Errorf("%s: %v", order, err)
		}
		if err != nil {
			t.Logf("%s: refused: %.300s", order, err)
			continue
		}
		sig, err := vector.SignatureOf(d.Func)
		if err != nil {
			t.Fatal(err)
		}
		ran, cosims := 0, 0
		for n := range uint64(campaignInputs) {
			in, err := vector.Random(sig, n, []int64{16, 1, 7, 0, 33}[n%5], m.Fabric.IndexWidth)
			if err != nil {
				t.Fatal(err)
			}
			if n%3 != 0 {
				extreme(in, n, m.Fabric.IndexWidth)
			}
			env := ladder.EnvironmentFor(n)
			diff, err := d.Simulate(in, env)
			if err == nil && diff == "" && ran >= cosims*campaignInputs/campaignCosims {
				cosims++
				diff, err = d.Cosimulate(in, env)
			}
			if errors.Is(err, ladder.ErrInputs) {
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			ran++
			if diff != "" {
				t.Errorf("%s, inputs %s\n%s", order, in.JSON(), diff)
				break
			}
		}
		t.Logf("%s: %d inputs, %d co-simulations, %d of %d PEs", order, ran, cosims,
			d.Result.Mapping.Utilization.PEs.Used, d.Result.Mapping.Utilization.PEs.Total)
	}
}

// extreme replaces some arguments and elements by the values at which arithmetic
// overflows.
func extreme(in *vector.Inputs, seed uint64, indexWidth int) {
	r := rand.New(rand.NewPCG(seed, 99))
	value := func(t ir.Type) uint64 {
		w, ok := ir.BitWidth(t, indexWidth)
		if !ok || w < 1 || w > 64 {
			panic(fmt.Sprintf("no width of %s", t))
		}
		top := uint64(1) << (w - 1)
		return num.Truncate([]uint64{0, 1, ^uint64(0), top, top - 1, top + 1, uint64(w), uint64(w - 1), 2, 7, r.Uint64(), r.Uint64()}[r.IntN(12)], t, indexWidth)
	}
	for i := range in.Args {
		if a := &in.Args[i]; a.Mem == nil {
			if r.IntN(4) > 0 {
				a.Scalar = value(a.Type)
			}
		} else {
			for k := range a.Mem.Data {
				if r.IntN(2) == 0 {
					a.Mem.Data[k] = value(a.Mem.Elem)
				}
			}
		}
	}
}
