package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/host"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/prove"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
	"loom/verilator"
)

// maxSteps bounds the interpreter: inputs on which a program runs longer are
// not for it.
const maxSteps = 200_000

// errInputs: the program itself ends in anything but done, so that there is nothing to
// compare with.
var errInputs = errors.New("the program does not run to its end on these inputs")

// mesh is a shipped fabric with its RTL, made once.
type mesh struct {
	name   string
	fabric *arch.Fabric
	once   sync.Once
	rtl    *rtlgen.Output
	err    error
}

var meshes = struct {
	sync.Mutex
	byName map[string]*mesh
}{byName: map[string]*mesh{}}

// loadMesh is a shipped fabric.
func loadMesh(t testing.TB, name string) *mesh {
	t.Helper()
	meshes.Lock()
	defer meshes.Unlock()
	m := meshes.byName[name]
	if m == nil {
		m = &mesh{name: name, fabric: testkit.Fabric(t, name)}
		meshes.byName[name] = m
	}
	return m
}

// hardware is the RTL of the mesh.
func (m *mesh) hardware() (*rtlgen.Output, error) {
	m.once.Do(func() {
		m.rtl, m.err = rtlgen.Generate(m.fabric, config.NewLayout(m.fabric), rtlgen.Meta{InputName: m.name, ToolVersion: "test"})
	})
	return m.rtl, m.err
}

// haveVerilator reports whether models can be built; where tools are required, a
// missing one fails the test.
func haveVerilator(t testing.TB) bool {
	t.Helper()
	for _, name := range []string{tools.Verilator, tools.CXX} {
		if _, err := tools.Find(name); err != nil {
			if os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Log(err)
			return false
		}
	}
	return true
}

// design is a function on a mesh.
type design struct {
	mesh *mesh
	fn   *ir.Operation
	dfg  *ir.Operation
	res  *mapper.Result
}

// newDesign lowers the kernel of a module and maps it. errLower wraps what the
// lowering refuses; other errors are the mapper's.
func newDesign(module *ir.Operation, m *mesh, order string, opts mapper.Options) (*design, error) {
	low, err := lower.Lower(module, lower.Options{MemoryOrder: order, IndexWidth: m.fabric.IndexWidth, MaxJoinFanin: &m.fabric.MaxJoinFanin, StreamOps: m.fabric.StreamOps})
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errLower, err)
	}
	res, err := mapper.Map(low.Func, m.fabric, opts)
	if err != nil {
		return nil, err
	}
	if err := proven(low.Func, m.fabric, res); err != nil {
		return nil, err
	}
	d := &design{mesh: m, dfg: low.Func, res: res}
	module.Walk(func(op *ir.Operation) bool {
		if op.Name == "func.func" && op.SymName() == low.Func.SymName() {
			d.fn = op
		}
		return d.fn == nil
	})
	return d, nil
}

// proven proves the image of a mapping; its errors are internal ones.
func proven(fn *ir.Operation, f *arch.Fabric, res *mapper.Result) error {
	runtime, err := host.Runtime(res.Binding, res.Image.Layout, f)
	if err != nil {
		return err
	}
	_, err = prove.Image(fn, res.Image.Layout, res.Image.Encode(), runtime)
	return err
}

// errLower marks errors of the lowering.
var errLower = errors.New("lowering")

// environment is what the hardware runs in: memory latency and back-pressure.
type environment struct {
	latency   latency.Profile
	stall     int
	stallSeed uint64
}

func (s environment) String() string {
	return fmt.Sprintf("memory latency %d to %d (seed %d), %d %% stalls (seed %d)", s.latency.Min, s.latency.Max, s.latency.Seed, s.stall, s.stallSeed)
}

// flags spells the environment for the command line.
func (s environment) flags() string {
	return fmt.Sprintf("--latency random:%d,%d,%d --stall %d --stall-seed %d", s.latency.Min, s.latency.Max, s.latency.Seed, s.stall, s.stallSeed)
}

// environmentFor returns one of some environments, from friendly to hostile, for any n.
func environmentFor(n uint64) environment {
	all := []environment{
		{latency.Profile{Min: 4, Max: 4}, 0, 1},
		{latency.Profile{Min: 1, Max: 40, Seed: 7 + n}, 30, 3 + n},
		{latency.Profile{Min: 1, Max: 1}, 0, 1},
		{latency.Profile{Min: 1, Max: 12, Seed: n}, 80, n},
	}
	return all[n%uint64(len(all))]
}

// runCycles are the clock cycles after which a run counts as hung: far above
// what maxSteps operations take.
const runCycles = 8_000_000

// meaning is the interpreter's outcome, or errInputs.
func (d *design) meaning(in *vector.Inputs) (*vector.Outcome, error) {
	want, err := interp.Run(d.fn, in.Clone(), interp.Options{IndexWidth: d.mesh.fabric.IndexWidth, MaxSteps: maxSteps})
	if err != nil {
		return nil, err
	}
	if want.Status != vector.Done {
		return want, errInputs
	}
	return want, nil
}

// simulate climbs the ladder up to the cycle simulator and reports the first
// disagreement with the interpreter, "" for none.
func (d *design) simulate(in *vector.Inputs, env environment) (string, error) {
	want, err := d.meaning(in)
	if err != nil {
		return "", err
	}
	for _, capacity := range []int{0, 1} {
		got, err := token.Run(d.dfg, in, token.Options{Capacity: capacity, IndexWidth: d.mesh.fabric.IndexWidth})
		if err != nil {
			return "", err
		}
		if s := judge(fmt.Sprintf("token simulator, capacity %d", capacity), want, got); s != "" {
			return s, nil
		}
	}
	sim, err := cycle.New(d.mesh.fabric, d.res.Image, d.res.Binding, in.Clone(), cycle.Options{
		Latency: env.latency, StallPercent: env.stall, StallSeed: env.stallSeed, MaxCycles: runCycles,
	})
	if err != nil {
		return "", err
	}
	got, err := sim.Run()
	if err != nil {
		return "", err
	}
	return judge("cycle simulator, "+env.String(), want, got), nil
}

// cosimulate compares the RTL with the interpreter and, in lock-step, with the
// cycle simulator.
func (d *design) cosimulate(in *vector.Inputs, env environment) (string, error) {
	want, err := d.meaning(in)
	if err != nil {
		return "", err
	}
	rtl, err := d.mesh.hardware()
	if err != nil {
		return "", err
	}
	rep, err := verilator.Run(context.Background(), verilator.Options{
		RTL: rtl, Fabric: d.mesh.fabric, Image: d.res.Image, Binding: d.res.Binding, Inputs: in.Clone(),
		Latency: env.latency, Stall: env.stall, StallSeed: env.stallSeed, MaxCycles: runCycles, Expected: want, LockStep: true,
	})
	if err != nil {
		return "", err
	}
	return judge("Verilator, "+env.String(), want, rep.Outcome), nil
}

// judge spells the difference of an outcome from the interpreter's, "" for none.
func judge(level string, want, got *vector.Outcome) string {
	diff := vector.Diff(want, got)
	if got.Status != vector.Done {
		diff = append(diff, got.Detail...)
	}
	if len(diff) == 0 {
		return ""
	}
	return level + ": " + string(got.Status) + "\n  " + strings.Join(diff, "\n  ")
}
