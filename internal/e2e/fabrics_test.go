package e2e

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"loom/campaign"
	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/internal/randfabric"
	"loom/internal/soak"
)

// The number of pairs of a random fabric and a random kernel, every day and under LOOM_SOAK;
// of every repeatShare one is mapped again with other numbers of workers. For the hardware,
// rtlFabrics small fabrics are built, each of which runs rtlKernels kernels.
const (
	everydayPairs           = 200
	soakPairs               = 2000
	kernelsPerFabric        = 8
	repeatShare             = 20
	rtlFabrics, soakFabrics = 2, 24
	rtlKernels              = 6
)

// kernelOf is the kernel of a pair.
func kernelOf(t testing.TB, p campaign.Pair) *ir.Operation {
	m, err := p.Module()
	if err != nil {
		t.Error(err)
	}
	return m
}

// failing is what a test says of a pair that fails.
func failing(p campaign.Pair, module *ir.Operation, diff string) string {
	return fmt.Sprintf("%s: %s\n%s\n%s", p, diff, randfabric.Text(p.Fabric, p.Options), mlir.Print(module, mlir.Options{}))
}

// TestRandomFabrics maps random kernels onto random fabrics. Each mapping is checked, proven
// from its image and run by the cycle against the interpreter; some are made again with 2 and 8
// workers. Under make soak there are ten times as many.
func TestRandomFabrics(t *testing.T) {
	n := soak.Scale(everydayPairs, soakPairs)
	start := time.Now()
	var mu sync.Mutex
	next, fits, floats, refused, repeated, left, wires, extremes := uint64(0), 0, 0, 0, 0, 0, 0, 0
	var failed []string
	// A fabric is taken with its kernels, until enough pairs fit. Which fabrics count does not
	// depend on the number of workers: all below the last one do.
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for {
				mu.Lock()
				seed := next
				next++
				stop := fits >= n || len(failed) > 0 || seed > uint64(2*n)
				mu.Unlock()
				if stop {
					return
				}
				o := randfabric.Options{Floats: campaign.WithFloats(seed)}
				m, err := campaign.NewMesh(seed, o)
				if err != nil {
					mu.Lock()
					left++
					mu.Unlock()
					continue
				}
				for k := range uint64(kernelsPerFabric) {
					p := campaign.Pair{Fabric: seed, Kernel: seed*kernelsPerFabric + k, Options: o, Mesh: m}
					module := kernelOf(t, p)
					v, err := p.Run(module, false)
					if err != nil {
						v.Diff = err.Error()
					}
					again := false
					if v.Diff == "" && v.Fits && p.Kernel%repeatShare == 0 {
						r, err := p.Repeat(module)
						if again, v.Diff = r.Fits, r.Diff; err != nil {
							v.Diff = err.Error()
						}
					}
					mu.Lock()
					switch {
					case v.Diff != "":
						failed = append(failed, failing(p, module, v.Diff))
					case v.Fits:
						fits++
						wires += v.Wires
						extremes += v.Extremes
						if p.OfFloats() {
							floats++
						}
					default:
						refused++
					}
					if again {
						repeated++
					}
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	for _, f := range failed {
		t.Error(f)
	}
	t.Logf("%d kernels on %d fabrics agree, %d of them of floats, %d mapped with 1, 2 and 8 workers, %d loads without a unit, %d accumulators of extremes; %d more did not fit, %d fabrics need switches that are too large; %.1fs",
		fits, next-uint64(left), floats, repeated, wires, extremes, refused, left, time.Since(start).Seconds())
	if fits < n || repeated < n/(2*repeatShare) || floats < n/8 || wires < n/20 || extremes == 0 {
		t.Errorf("only %d pairs, %d of them repeated, %d of floats, %d loads without a unit, %d accumulators of extremes", fits, repeated, floats, wires, extremes)
	}
}

// TestRandomFabricsRTL runs random kernels on the hardware of random fabrics, in lock-step
// with the cycle simulator.
func TestRandomFabricsRTL(t *testing.T) {
	if !haveVerilator(t) {
		t.Skip("no co-simulation: verilator or a C++ compiler is not installed")
	}
	fabrics, kernels, wires := 0, 0, 0
	for seed := uint64(1000); fabrics < soak.Scale(rtlFabrics, soakFabrics); seed++ {
		o := randfabric.Options{MinPEs: 16, MaxPEs: 24, Floats: fabrics%2 == 1}
		if o.Floats {
			o.MinPEs, o.MaxPEs = 24, 36
		}
		m, err := campaign.NewMesh(seed, o)
		if err != nil || fabrics == 0 && !wideMasters(m.Fabric) {
			continue
		}
		ran := 0
		for k := uint64(0); ran < rtlKernels && k < 8*rtlKernels; k++ {
			p := campaign.Pair{Fabric: seed, Kernel: k, Options: o, Mesh: m}
			module := kernelOf(t, p)
			v, err := p.Run(module, true)
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			if v.Diff != "" {
				t.Fatal(failing(p, module, v.Diff))
			}
			if v.Fits {
				ran++
				wires += v.Wires
			}
		}
		kernels += ran
		if ran > 0 {
			fabrics++
		}
	}
	t.Logf("%d kernels on %d fabrics, %d loads without a unit", kernels, fabrics, wires)
	if kernels < 2*fabrics || wires == 0 {
		t.Errorf("only %d kernels fit %d fabrics, with %d loads without a unit", kernels, fabrics, wires)
	}
}

// wideMasters reports whether memories share a master of several elements per beat, one at least of elements of several memories.
func wideMasters(f *arch.Fabric) bool {
	return slices.ContainsFunc(f.Masters(), func(m *arch.Master) bool { return len(m.Memories) > 1 && slices.ContainsFunc(m.Memories, m.Wide) })
}
