package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"loom/campaign"
	"loom/compiler/dialect/handshake"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/ladder"
	"loom/sim/cycle"
	"loom/sim/memmap"
	"loom/sim/trace"
	"loom/sim/vector"
)

// TestFenceAtTheMemories: on a fabric with slow memories of any latency, no access of the
// kernel of testdata/fence.txtar is requested before every access in front of a fence has
// been answered. The graph without the fences' joins is shown not to keep that.
func TestFenceAtTheMemories(t *testing.T) {
	a, err := txtar.ParseFile("testdata/fence.txtar")
	if err != nil {
		t.Fatal(err)
	}
	fenced := section(a, "kernel.mlir")
	var plain strings.Builder
	for line := range strings.Lines(fenced) {
		if !strings.Contains(line, "llvm.fence") {
			plain.WriteString(line)
		}
	}
	m := loadMesh(t, "mesh6x6")
	for _, order := range []string{"serial", "pipelined"} {
		if n := fencesCrossed(t, m, fenced, order); n > 0 {
			t.Errorf("%s order: %d accesses are on the wrong side of a fence", order, n)
		}
		if n := fencesCrossed(t, m, plain.String(), order); n == 0 {
			t.Errorf("%s order: without fences, all accesses are in order as well: nothing is tested", order)
		}
	}
}

// fencesCrossed runs a kernel in several environments and counts the accesses that are
// requested while one in front of a fence is not answered.
func fencesCrossed(t *testing.T, m *ladder.Mesh, text, order string) (crossed int) {
	t.Helper()
	module, err := mlir.ParseAndVerify("kernel.mlir", text)
	if err != nil {
		t.Fatal(err)
	}
	d, err := ladder.NewDesign(module, m, order, mapper.Options{Effort: campaign.Effort})
	if err != nil {
		t.Fatal(err)
	}
	marked := 0
	d.Graph.Walk(func(op *ir.Operation) bool {
		if op.Attr(handshake.FenceAttr) != nil {
			marked++
		}
		return true
	})
	if want := strings.Count(text, "llvm.fence"); marked != want {
		t.Fatalf("%d fences in the graph, expected %d", marked, want)
	}
	const n = 6
	sig, err := vector.SignatureOf(d.Func)
	if err != nil {
		t.Fatal(err)
	}
	zeros := strings.TrimSuffix(strings.Repeat("0, ", n), ", ")
	in, err := vector.ParseInputs("inputs.json", fmt.Appendf(nil, `{"args": {"data": [%s], "flag": [%s], "n": %d}}`, zeros, zeros, n), sig, m.Fabric.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	regions, err := memmap.Assign(in, d.Result.Binding, m.Fabric.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	// epoch is the number of fences in front of an access, in the order of the program.
	epoch := func(e trace.Event) int {
		for i, r := range regions {
			if r.Contains(e.Data, r.ElemBytes) {
				k := int(e.Data-r.Base) / r.ElemBytes
				switch {
				case e.What == "load":
					return n + 1
				case i == 0:
					return k
				default:
					return k + 1
				}
			}
		}
		t.Fatalf("an access outside of the arrays: %+v", e)
		return 0
	}
	for seed := range uint64(6) {
		left := map[int]int{0: 1, n + 1: 1}
		for e := 1; e < n; e++ {
			left[e] = 2 // data of this iteration, flag of the one before
		}
		left[n] = 1
		sim, err := cycle.New(m.Fabric, d.Result.Image, d.Result.Binding, in.Clone(), cycle.Options{
			Latency: latency.Profile{Min: 1, Max: 60, Seed: seed}, StallPercent: int(seed) * 10, StallSeed: seed, MaxCycles: ladder.MaxCycles,
			Record: func(e trace.Event) {
				switch e.Kind {
				case trace.Request:
					for before := range epoch(e) {
						if left[before] > 0 {
							crossed++
						}
					}
				case trace.Answer:
					left[epoch(e)]--
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		out, err := sim.Run()
		if err != nil || out.Status != vector.Done {
			t.Fatal(err, out)
		}
		for e, n := range left {
			if n != 0 {
				t.Errorf("%d accesses after %d fences were not seen", n, e)
			}
		}
	}
	return crossed
}
