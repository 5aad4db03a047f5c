package e2e

import (
	"testing"
	"time"

	"loom/campaign"
	"loom/compiler/ir"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/ladder"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
)

// shared counts the accesses of a program that have a tagged memory in common with
// others.
func shared(t testing.TB, d *ladder.Design) (n int) {
	on := map[string]int{}
	for _, m := range d.Result.Mapping.Memories {
		if named(t, d.Mesh.Fabric, m.Comp).Mem.TagWidth > 0 {
			on[m.Comp] += len(m.Accesses)
		}
	}
	for _, accesses := range on {
		if accesses > 1 {
			n += accesses
		}
	}
	return n
}

// TestRandomSharedPrograms runs programs with many accesses to few arrays at every
// level: what shares a memory never blocks, and memory order holds. Under LOOM_SOAK
// there are many, some under Verilator.
func TestRandomSharedPrograms(t *testing.T) {
	n := soak.Scale(8, 200)
	verilator := soak.Factor() > 0 && haveVerilator(t)
	ran, proven, skipped, accesses := 0, 0, 0, 0
	start := time.Now()
	for seed := uint64(0); ran < n; seed++ {
		s := campaign.NewSharedProgram(seed, verilator && 10*proven <= ran)
		text := randprog.Shared(seed)
		module, err := mlir.ParseAndVerify("shared.mlir", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		d, err := ladder.NewDesign(module, loadMesh(t, s.Fabric), s.Order, mapper.Options{Seed: s.Seed, Effort: campaign.Effort})
		if ladder.Broken(err) {
			t.Fatalf("program %d: %v\n%s", seed, err, text)
		}
		if err != nil || shared(t, d) < 3 {
			if skipped++; skipped > 20+n {
				t.Fatalf("only %d of %d programs fit and share a memory, lastly: %v", ran, ran+skipped, err)
			}
			continue
		}
		v, err := s.Run(loadMesh(t, s.Fabric), module)
		if err != nil {
			t.Fatalf("program %d: %v\n%s", seed, err, text)
		}
		accesses += shared(t, d)
		ran++
		if s.Cosim {
			proven++
		}
		if v.Diff != "" {
			t.Fatal(report(t, s, testkit.Testdata(t, "crashers"), module, v.Diff, func(m *ir.Operation) string {
				v, err := s.Run(loadMesh(t, s.Fabric), m)
				if err != nil {
					return ""
				}
				return v.Diff
			}))
		}
	}
	t.Logf("%d programs with %d accesses that share a memory agree, %d under Verilator; %d more did not fit or share; %.1fs",
		ran, accesses, proven, skipped, time.Since(start).Seconds())
}
