package cycle_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"loom/compiler/arch"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/internal/randprog"
	"loom/internal/soak"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/trace"
	"loom/sim/vector"
)

// These tests run mapped programs against the interpreter. Only tests of this
// package may know the lowering and the mapper.

// mapped is a kernel on a fabric.
type mapped struct {
	f   *arch.Fabric
	res *mapper.Result
}

func mapKernel(mod *ir.Operation, f *arch.Fabric) (*mapped, error) {
	low, err := lower.Lower(mod, lower.Options{IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps})
	if err != nil {
		return nil, err
	}
	res, err := mapper.Map(low.Func, f, mapper.Options{})
	if err != nil {
		return nil, err
	}
	return &mapped{f, res}, nil
}

func (m *mapped) run(t testing.TB, in *vector.Inputs, opts cycle.Options) *vector.Outcome {
	t.Helper()
	s, err := cycle.New(m.f, m.res.Image, m.res.Binding, in, opts)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Run()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// profiles are the environments every mapped program runs in.
var profiles = []cycle.Options{
	{},
	{Latency: latency.Profile{Min: 1, Max: 1}},
	{Latency: latency.Profile{Min: 1, Max: 40, Seed: 7}, StallPercent: 30, StallSeed: 3},
	{StallPercent: 80, StallSeed: 11},
}

func TestKernelsMatchInterpreter(t *testing.T) {
	for _, k := range []string{"vecadd", "dot", "condcopy", "matvec", "gcd", "scan"} {
		t.Run(k, func(t *testing.T) {
			f := testkit.Fabric(t, "mesh8x8")
			m, err := mapKernel(testkit.Kernel(t, k), f)
			if err != nil {
				t.Fatal(err)
			}
			src := testkit.Kernel(t, k)
			sig, err := vector.SignatureOf(testkit.Function(src))
			if err != nil {
				t.Fatal(err)
			}
			for seed := uint64(1); seed <= 4; seed++ {
				in, err := vector.Random(sig, seed, int64(3*seed), f.IndexWidth)
				if err != nil {
					t.Fatal(err)
				}
				want, err := interp.Run(testkit.Function(src), in.Clone(), interp.Options{IndexWidth: f.IndexWidth})
				if err != nil {
					t.Fatal(err)
				}
				for _, o := range profiles {
					got := m.run(t, in, o)
					if d := vector.Diff(want, got); len(d) > 0 {
						t.Errorf("seed %d, %+v: %s\n%s\n%s", seed, o, got.Status, strings.Join(d, "\n"), strings.Join(got.Detail, "\n"))
					}
				}
			}
		})
	}
}

// Random programs, mapped, compute what the interpreter computes and leave the
// hardware empty. make soak runs more.
func TestRandomProgramsMatchInterpreter(t *testing.T) {
	count := soak.Scale(12, 120)
	f := testkit.Fabric(t, "mesh12x12")
	ran := 0
	for seed := uint64(0); ran < count && seed < uint64(4*count); seed++ {
		m, err := mapKernel(randprog.Generate(seed, randprog.Small()), f)
		if err != nil {
			continue // does not fit: the mapper's own tests judge that
		}
		ran++
		src := randprog.Generate(seed, randprog.Small())
		for k := range uint64(2) {
			in := randprog.Inputs(src, k)
			want, err := interp.Run(randprog.Function(src), in.Clone(), interp.Options{IndexWidth: f.IndexWidth})
			if err != nil {
				t.Fatal(err)
			}
			got := m.run(t, in, profiles[(seed+k)%uint64(len(profiles))])
			if d := vector.Diff(want, got); len(d) > 0 {
				t.Errorf("program %d, inputs %d: %s\n%s\n%s", seed, k, got.Status, strings.Join(d, "\n"), strings.Join(got.Detail, "\n"))
			}
		}
	}
	if ran < count/2 {
		t.Errorf("only %d of %d random programs could be mapped", ran, count)
	}
}

// Recording a run twice gives the same bytes, and counts what happened.
func TestRecordedRun(t *testing.T) {
	f := testkit.Fabric(t, "mesh6x6")
	m, err := mapKernel(testkit.Kernel(t, "vecadd"), f)
	if err != nil {
		t.Fatal(err)
	}
	sig, err := vector.SignatureOf(testkit.Function(testkit.Kernel(t, "vecadd")))
	if err != nil {
		t.Fatal(err)
	}
	in, err := vector.Random(sig, 1, 16, f.IndexWidth)
	if err != nil {
		t.Fatal(err)
	}
	record := func() (*trace.Recorder, *vector.Outcome) {
		r := trace.NewRecorder(f, m.res.Binding)
		return r, m.run(t, in, cycle.Options{Record: r.Add})
	}
	a, out := record()
	b, _ := record()
	if !bytes.Equal(a.Trace(), b.Trace()) || !bytes.Equal(a.Stat(), b.Stat()) {
		t.Error("two recordings of one run differ")
	}
	st := a.Stats.Result()
	if st.Cycles != out.Cycles || !st.Done {
		t.Errorf("statistics report %d cycles, done %v; the run had %d", st.Cycles, st.Done, out.Cycles)
	}
	plain := m.run(t, in, cycle.Options{})
	if d := cmp.Diff(plain, out, cmp.Comparer(func(a, b ir.Type) bool { return a == b })); d != "" {
		t.Errorf("recording changes the run:\n%s", d)
	}
}

// Evaluating only what changed gives what evaluating everything gives, channel
// for channel.
func TestChangeTrackingIsExact(t *testing.T) {
	f := testkit.Fabric(t, "mesh6x6")
	for _, k := range []string{"condcopy", "gcd", "scan"} {
		m, err := mapKernel(testkit.Kernel(t, k), f)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := vector.SignatureOf(testkit.Function(testkit.Kernel(t, k)))
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.Random(sig, 5, 7, f.IndexWidth)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range profiles {
			var log [2][][]cycle.ChannelState
			for i := range log {
				o.MaxCycles = 2000
				o.Trace = func(_ int64, ch []cycle.ChannelState) {
					log[i] = append(log[i], append([]cycle.ChannelState(nil), ch...))
				}
				s, err := cycle.New(m.f, m.res.Image, m.res.Binding, in, o)
				if err != nil {
					t.Fatal(err)
				}
				if i == 1 {
					s.EvaluateAll()
				}
				if _, err := s.Run(); err != nil {
					t.Fatal(err)
				}
			}
			for c := range min(len(log[0]), len(log[1])) {
				if !slices.Equal(log[0][c], log[1][c]) {
					t.Fatalf("%s, stall %d: cycle %d differs from full evaluation:\n%s", k, o.StallPercent, c, cmp.Diff(log[1][c], log[0][c]))
				}
			}
			// Clocking everything hides that nothing changes any more, so a run that
			// ends by itself is no longer than its double.
			if len(log[0]) > len(log[1]) {
				t.Errorf("%s: %d cycles, %d with full evaluation", k, len(log[0]), len(log[1]))
			}
		}
	}
}

// BenchmarkKernel simulates kernels on a mesh of 144 PEs; building the simulator
// is timed apart.
func BenchmarkKernel(b *testing.B) {
	for _, k := range []string{"vecadd", "matvec"} {
		for _, opts := range []cycle.Options{{}, {StallPercent: 30, StallSeed: 1}} {
			b.Run(fmt.Sprintf("%s/stall%d", k, opts.StallPercent), func(b *testing.B) {
				f := testkit.Fabric(b, "mesh12x12")
				m, err := mapKernel(testkit.Kernel(b, k), f)
				if err != nil {
					b.Fatal(err)
				}
				sig, err := vector.SignatureOf(testkit.Function(testkit.Kernel(b, k)))
				if err != nil {
					b.Fatal(err)
				}
				in, err := vector.Random(sig, 1, 16, f.IndexWidth)
				if err != nil {
					b.Fatal(err)
				}
				var cycles, transfers int64
				counted := opts
				counted.Record = func(e trace.Event) {
					if e.Kind == trace.Transfer {
						transfers++
					}
				}
				m.run(b, in, counted)
				var build, run time.Duration
				for range b.N {
					start := time.Now()
					s, err := cycle.New(m.f, m.res.Image, m.res.Binding, in, opts)
					if err != nil {
						b.Fatal(err)
					}
					built := time.Now()
					out, err := s.Run()
					if err != nil {
						b.Fatal(err)
					}
					build, run = build+built.Sub(start), run+time.Since(built)
					cycles += out.Cycles
				}
				b.ReportMetric(float64(cycles)/run.Seconds(), "cycles/s")
				b.ReportMetric(float64(transfers)*float64(b.N)/run.Seconds(), "transfers/s")
				b.ReportMetric(build.Seconds()*1e3/float64(b.N), "build-ms")
			})
		}
	}
}
