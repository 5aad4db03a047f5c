package e2e

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"loom/compiler/ir"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mlir"
	"loom/internal/randfabric"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/sim/vector"
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

// pair is a random kernel on a random fabric.
type pair struct {
	fabric, program uint64
	floats          bool
	m               *mesh
}

// withFloats are the fabrics that have floating point, a third of them.
func withFloats(fabric uint64) bool { return fabric%3 == 1 }

// module is the kernel: a small structured program, or a loop whose accesses share memories; on fabrics with
// floating point one of floats, but for some.
func (p pair) module(t testing.TB) *ir.Operation {
	switch {
	case p.ofFloats():
		m, err := mlir.ParseAndVerify("floats.mlir", floatProgram(p.program, p.m.fabric.IndexWidth))
		if err != nil {
			t.Fatal(err)
		}
		return m
	case p.program%4 == 3:
		m, err := mlir.ParseAndVerify("shared.mlir", sharedProgram(p.program))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	o := randprog.Small()
	o.MaxOps = 10 + int(p.program%4)*6
	o.SingleAccess = p.program%3 > 0
	o.NoDivides = p.program%5 > 0
	return randprog.Generate(p.program, o)
}

// ofFloats reports whether the kernel is one of floats.
func (p pair) ofFloats() bool { return p.floats && p.program%8 > 0 }

// inputs are what the kernel runs on.
func (p pair) inputs(module *ir.Operation) *vector.Inputs {
	if p.ofFloats() {
		return floatInputs(module, p.program)
	}
	return randprog.Inputs(module, p.program)
}

// order is the memory order.
func (p pair) order() string { return []string{"serial", "pipelined"}[p.program%2] }

// options are those of the mapper.
func (p pair) options(jobs int) mapper.Options {
	return mapper.Options{Seed: p.program, Effort: effort, Jobs: jobs}
}

// run maps the kernel, which checks it, proves the image, and runs it at every level up to
// the cycle simulator, or to the hardware.
func (p pair) run(t testing.TB, hardware bool) (fits bool, diff string, err error) {
	module := p.module(t)
	d, err := newDesign(module, p.m, p.order(), p.options(1))
	if err != nil {
		if broken(err) || strings.Contains(err.Error(), "illegal") {
			return false, "", err
		}
		return false, "", nil
	}
	in := p.inputs(module)
	diff, err = d.simulate(in, environmentFor(p.program))
	if err == nil && diff == "" && hardware {
		diff, err = d.cosimulate(in, environmentFor(p.program))
	}
	if err == errInputs {
		return true, "", nil
	}
	return true, diff, err
}

// repeat maps the kernel with other numbers of workers and reports whether mapping and image
// have the same bytes.
func (p pair) repeat(t testing.TB) (fits bool, diff string) {
	f := p.m.fabric
	low, err := lower.Lower(p.module(t), lower.Options{MemoryOrder: p.order(), IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps})
	if err != nil {
		t.Fatal(err)
	}
	var first []byte
	var words []uint32
	for _, jobs := range []int{1, 2, 8} {
		res, err := mapper.Map(low.Func, f, p.options(jobs))
		switch {
		case err != nil && jobs == 1:
			return false, ""
		case err != nil:
			return true, fmt.Sprintf("with %d workers: %v", jobs, err)
		case jobs == 1:
			first, words = res.Mapping.JSON(), res.Image.Encode()
		case !bytes.Equal(first, res.Mapping.JSON()) || !slices.Equal(words, res.Image.Encode()):
			return true, fmt.Sprintf("%d workers map otherwise than one", jobs)
		}
	}
	return true, ""
}

// String states how to get the pair again.
func (p pair) String() string {
	return fmt.Sprintf("kernel %d on fabric %d (%s order)", p.program, p.fabric, p.order())
}

// report is what a test says of a pair that fails.
func (p pair) report(t testing.TB, diff string, o randfabric.Options) string {
	return fmt.Sprintf("%s: %s\n%s\n%s", p, diff, randfabric.Text(p.fabric, o), mlir.Print(p.module(t), mlir.Options{}))
}

// TestRandomFabrics maps random kernels onto random fabrics. Each mapping is checked, proven
// from its image and run by the cycle against the interpreter; some are made again with 2 and 8
// workers. Under make soak there are ten times as many.
func TestRandomFabrics(t *testing.T) {
	n := soak.Scale(everydayPairs, soakPairs)
	start := time.Now()
	var mu sync.Mutex
	next, fits, floats, refused, repeated, left := uint64(0), 0, 0, 0, 0, 0
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
				o := randfabric.Options{Floats: withFloats(seed)}
				f, err := randfabric.Fabric(seed, o)
				if err != nil {
					mu.Lock()
					left++
					mu.Unlock()
					continue
				}
				m := &mesh{name: f.Name, fabric: f}
				for k := range uint64(kernelsPerFabric) {
					p := pair{seed, seed*kernelsPerFabric + k, o.Floats, m}
					ok, diff, err := p.run(t, false)
					if err != nil {
						diff = err.Error()
					}
					again := false
					if diff == "" && ok && p.program%repeatShare == 0 {
						again, diff = p.repeat(t)
					}
					mu.Lock()
					switch {
					case diff != "":
						failed = append(failed, p.report(t, diff, o))
					case ok:
						fits++
						if p.ofFloats() {
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
	t.Logf("%d kernels on %d fabrics agree, %d of them of floats, %d mapped with 1, 2 and 8 workers; %d more did not fit, %d fabrics need switches that are too large; %.1fs",
		fits, next-uint64(left), floats, repeated, refused, left, time.Since(start).Seconds())
	if fits < n || repeated < n/(2*repeatShare) || floats < n/8 {
		t.Errorf("only %d pairs, %d of them repeated, %d of floats", fits, repeated, floats)
	}
}

// TestRandomFabricsRTL runs random kernels on the hardware of random fabrics, in lock-step
// with the cycle simulator.
func TestRandomFabricsRTL(t *testing.T) {
	if !haveVerilator(t) {
		t.Skip("no co-simulation: verilator or a C++ compiler is not installed")
	}
	fabrics, kernels := 0, 0
	for seed := uint64(1000); fabrics < soak.Scale(rtlFabrics, soakFabrics); seed++ {
		o := randfabric.Options{MinPEs: 16, MaxPEs: 24, Floats: fabrics%2 == 1}
		if o.Floats {
			o.MinPEs, o.MaxPEs = 24, 36
		}
		f, err := randfabric.Fabric(seed, o)
		if err != nil {
			continue
		}
		m := &mesh{name: f.Name, fabric: f}
		ran := 0
		for k := uint64(0); ran < rtlKernels && k < 8*rtlKernels; k++ {
			p := pair{seed, k, o.Floats, m}
			ok, diff, err := p.run(t, true)
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			if diff != "" {
				t.Fatal(p.report(t, diff, o))
			}
			if ok {
				ran++
			}
		}
		kernels += ran
		if ran > 0 {
			fabrics++
		}
	}
	t.Logf("%d kernels on %d fabrics", kernels, fabrics)
	if kernels < 2*fabrics {
		t.Errorf("only %d kernels fit %d fabrics", kernels, fabrics)
	}
}
