package prove_test

import (
	"os"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/arch/shipped"
	"loom/compiler/host"
	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/prove"
	"loom/internal/testkit"
)

// quick is enough effort for tests that want many mappings.
var quick = mapper.Effort{Attempts: 8, Candidates: 1, Moves: 30, Cooling: 85, Iterations: 60}

// mapped is a mapping as the proof sees it: an image and what the host is told.
type mapped struct {
	fn      *ir.Operation
	f       *arch.Fabric
	res     *mapper.Result
	words   []uint32
	runtime []byte
}

func newMapped(t testing.TB, fn *ir.Operation, f *arch.Fabric, res *mapper.Result) *mapped {
	t.Helper()
	runtime, err := host.Runtime(res.Binding, res.Image.Layout, f)
	if err != nil {
		t.Fatal(err)
	}
	return &mapped{fn, f, res, res.Image.Encode(), runtime}
}

func (m *mapped) prove() (*prove.Proof, error) {
	return prove.Image(m.fn, m.res.Image.Layout, m.words, m.runtime)
}

// TestKernels proves the shipped kernels on the shipped fabrics that they fit; with both memory
// orders, and on all of the fabrics, under make soak.
func TestKernels(t *testing.T) {
	proven := 0
	orders, meshes := []string{"pipelined"}, []string{"mesh6x6", "mixed10x10"}
	if os.Getenv("LOOM_SOAK") != "" {
		orders, meshes = []string{"serial", "pipelined"}, shipped.Names()
	}
	for _, name := range []string{"vecadd", "dot", "condcopy", "gcd", "scan", "matvec", "stencil", "oddeven", "crc", "reverse", "histogram"} {
		for _, order := range orders {
			for _, mesh := range meshes {
				f := testkit.Fabric(t, mesh)
				low, err := lower.Lower(testkit.Kernel(t, name), lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps, MemoryOrder: order})
				if err != nil {
					t.Fatal(err)
				}
				res, err := mapper.Map(low.Func, f, mapper.Options{Effort: quick, Jobs: 2})
				if err != nil {
					t.Logf("%s %s on %s does not fit", name, order, mesh)
					continue
				}
				p, err := newMapped(t, low.Func, f, res).prove()
				if err != nil {
					t.Errorf("%s %s on %s: %v", name, order, mesh, err)
					continue
				}
				proven++
				t.Logf("%s %s on %s: %s", name, order, mesh, p)
				if ops := len(low.Func.Regions[0].Entry().Ops) - 1; p.Operations != ops || p.Values < ops {
					t.Errorf("%s: %s proven, the kernel has %d operations", name, p, ops)
				}
			}
		}
	}
	if proven < 15 {
		t.Errorf("only %d mappings", proven)
	}
}
