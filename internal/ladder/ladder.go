// Package ladder takes a kernel through the levels of verification, from the interpreter to the hardware under
// Verilator, and compares each with the interpreter.
package ladder

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/host"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/mapper"
	"loom/compiler/mapper/tech"
	"loom/compiler/opname"
	"loom/compiler/prove"
	"loom/compiler/simplify"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
	"loom/verilator"
)

// maxSteps bounds the interpreter: inputs on which a program runs longer are
// not for it.
const maxSteps = 200_000

// ErrInputs: the program itself ends in anything but done, so that there is nothing to
// compare with.
var ErrInputs = errors.New("the program does not run to its end on these inputs")

// Mesh is a fabric with its RTL, made once.
type Mesh struct {
	Name   string
	Fabric *arch.Fabric
	once   sync.Once
	rtl    *rtlgen.Output
	err    error
}

// NewMesh is a fabric under a name.
func NewMesh(name string, f *arch.Fabric) *Mesh { return &Mesh{Name: name, Fabric: f} }

// Hardware is the RTL of the mesh.
func (m *Mesh) Hardware() (*rtlgen.Output, error) {
	m.once.Do(func() {
		m.rtl, m.err = rtlgen.Generate(m.Fabric, config.NewLayout(m.Fabric), rtlgen.Meta{InputName: m.Name, ToolVersion: "test"})
	})
	return m.rtl, m.err
}

// Design is a function on a mesh.
type Design struct {
	Mesh *Mesh
	// Func is the kernel, Graph its dataflow graph.
	Func, Graph *ir.Operation
	Result      *mapper.Result
}

// NewDesign lowers the kernel of a module and maps it. ErrLower wraps what the
// lowering refuses; other errors are the mapper's.
func NewDesign(module *ir.Operation, m *Mesh, order string, opts mapper.Options) (*Design, error) {
	return NewDesignOf(module, m, order, Lowered, opts)
}

// Form is what a graph is before it is mapped.
type Form int

// The forms of graphs. What is simplified holds values for the run, so that the fabric has to have immediates (arch.Fabric.Holds).
const (
	Lowered    Form = iota
	Simplified      // for the fabric
	MoreUnits       // that too, and with more units where loops become faster by that, small loops written out, two iterations of outer loops side by side, and loads kept
)

// Interlocks is the pipelined order with interlocks (lower.Options.Interlocks).
const Interlocks = "interlocks"

// Graph lowers a program for a fabric.
func Graph(module *ir.Operation, f *arch.Fabric, order string, form Form) (*ir.Operation, error) {
	opts := lower.Options{MemoryOrder: order, IndexWidth: f.IndexWidth, MaxJoinFanin: &f.MaxJoinFanin, StreamOps: f.StreamOps}
	if order == Interlocks {
		opts.MemoryOrder, opts.Forward, opts.Interlocks = "pipelined", true, true
	}
	target := &simplify.Fabric{Executes: tech.Units(f), Units: tech.Count(f), Temporal: f.Temporal(), TokenControls: f.TokenControls()}
	if form != Lowered {
		opts.Executes, opts.Units, opts.Accumulators = target.Executes, target.Units, tech.CountAccumulators(f)
	}
	if form == MoreUnits {
		opts.Unroll, opts.Jam, opts.Reuse = 1, 2, true
		target.MoreUnits, target.Accumulates = true, tech.Accumulators(f)
	}
	low, err := lower.Lower(module, opts)
	if err != nil {
		return nil, err
	}
	if form == Lowered {
		return low.Func, nil
	}
	return simplify.Run(low.Func, simplify.Options{IndexWidth: f.IndexWidth, Fabric: target})
}

// NewDesignOf is NewDesign of a graph in some form.
func NewDesignOf(module *ir.Operation, m *Mesh, order string, form Form, opts mapper.Options) (*Design, error) {
	graph, err := Graph(module, m.Fabric, order, form)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrLower, err)
	}
	res, err := mapper.Map(graph, m.Fabric, opts)
	if err != nil {
		return nil, err
	}
	if err := Proven(graph, m.Fabric, res); err != nil {
		return nil, err
	}
	d := &Design{Mesh: m, Graph: graph, Result: res}
	module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.FuncFunc && op.SymName() == graph.SymName() {
			d.Func = op
		}
		return d.Func == nil
	})
	return d, nil
}

// Proven proves the image of a mapping; its errors are internal ones.
func Proven(fn *ir.Operation, f *arch.Fabric, res *mapper.Result) error {
	runtime, err := host.Runtime(res.Binding, res.Image.Layout, f)
	if err != nil {
		return err
	}
	_, err = prove.Image(fn, res.Image.Layout, res.Image.Encode(), runtime)
	return err
}

// ErrLower marks errors of the lowering.
var ErrLower = errors.New("lowering")

// Environment is what the hardware runs in: memory latency and back-pressure.
type Environment struct {
	Latency   latency.Profile
	Stall     int
	StallSeed uint64
}

func (s Environment) String() string {
	return fmt.Sprintf("memory latency %d to %d (seed %d), %d %% stalls (seed %d)", s.Latency.Min, s.Latency.Max, s.Latency.Seed, s.Stall, s.StallSeed)
}

// Flags spells the environment for the command line.
func (s Environment) Flags() string {
	return fmt.Sprintf("--latency random:%d,%d,%d --stall %d --stall-seed %d", s.Latency.Min, s.Latency.Max, s.Latency.Seed, s.Stall, s.StallSeed)
}

// Broken reports whether an error of NewDesign is a fault of LOOM and no verdict on the program:
// generated programs are always lowered, and mapping either works or reports what is
// missing.
func Broken(err error) bool { return errors.Is(err, ErrLower) || Internal(err) }

// Internal reports whether an error is an internal one.
func Internal(err error) bool {
	return err != nil && slices.ContainsFunc(diag.FromError(err).All, func(d *diag.Diagnostic) bool { return d.Severity == diag.Internal })
}

// EnvironmentFor returns one of some environments, from friendly to hostile, for any n.
func EnvironmentFor(n uint64) Environment {
	all := []Environment{
		{latency.Profile{Min: 4, Max: 4}, 0, 1},
		{latency.Profile{Min: 1, Max: 40, Seed: 7 + n}, 30, 3 + n},
		{latency.Profile{Min: 1, Max: 1}, 0, 1},
		{latency.Profile{Min: 1, Max: 12, Seed: n}, 80, n},
	}
	return all[n%uint64(len(all))]
}

// MaxCycles are the clock cycles after which a run counts as hung: far above
// what maxSteps operations take.
const MaxCycles = 8_000_000

// Meaning is the interpreter's outcome, or ErrInputs.
func (d *Design) Meaning(in *vector.Inputs) (*vector.Outcome, error) {
	want, err := interp.Run(d.Func, in.Clone(), interp.Options{IndexWidth: d.Mesh.Fabric.IndexWidth, MaxSteps: maxSteps})
	if err != nil {
		return nil, err
	}
	if want.Status != vector.Done {
		return want, ErrInputs
	}
	return want, nil
}

// Simulate climbs the ladder up to the cycle simulator and reports the first
// disagreement with the interpreter, "" for none.
func (d *Design) Simulate(in *vector.Inputs, env Environment) (string, error) {
	want, err := d.Meaning(in)
	if err != nil {
		return "", err
	}
	for _, capacity := range []int{0, 1} {
		got, err := token.Run(d.Graph, in, token.Options{Capacity: capacity, IndexWidth: d.Mesh.Fabric.IndexWidth})
		if err != nil {
			return "", err
		}
		if s := Judge(fmt.Sprintf("token simulator, capacity %d", capacity), want, got); s != "" {
			return s, nil
		}
	}
	sim, err := cycle.New(d.Mesh.Fabric, d.Result.Image, d.Result.Binding, in.Clone(), cycle.Options{
		Latency: env.Latency, StallPercent: env.Stall, StallSeed: env.StallSeed, MaxCycles: MaxCycles,
	})
	if err != nil {
		return "", err
	}
	got, err := sim.Run()
	if err != nil {
		return "", err
	}
	return Judge("cycle simulator, "+env.String(), want, got), nil
}

// Cosimulate compares the RTL with the interpreter and, in lock-step, with the
// cycle simulator.
func (d *Design) Cosimulate(in *vector.Inputs, env Environment) (string, error) {
	want, err := d.Meaning(in)
	if err != nil {
		return "", err
	}
	rtl, err := d.Mesh.Hardware()
	if err != nil {
		return "", err
	}
	rep, err := verilator.Run(context.Background(), verilator.Options{
		RTL: rtl, Fabric: d.Mesh.Fabric, Image: d.Result.Image, Binding: d.Result.Binding, Inputs: in.Clone(),
		Latency: env.Latency, Stall: env.Stall, StallSeed: env.StallSeed, MaxCycles: MaxCycles, Expected: want, LockStep: true,
	})
	if err != nil {
		return "", err
	}
	return Judge("Verilator, "+env.String(), want, rep.Outcome), nil
}

// Judge spells the difference of an outcome from the interpreter's, "" for none.
func Judge(level string, want, got *vector.Outcome) string {
	diff := vector.Diff(want, got)
	if got.Status != vector.Done {
		diff = append(diff, got.Detail...)
	}
	if len(diff) == 0 {
		return ""
	}
	return level + ": " + string(got.Status) + "\n  " + strings.Join(diff, "\n  ")
}
