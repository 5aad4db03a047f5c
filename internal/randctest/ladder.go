package randctest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"loom/compiler/analysis/ranges"
	"loom/compiler/cabi"
	"loom/compiler/circuit"
	"loom/compiler/diag"
	"loom/compiler/frontend"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/simplify"
	"loom/internal/facttest"
	"loom/internal/randc"
	"loom/internal/soak"
	"loom/internal/tools"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/vector"
)

// Setting is how the programs of a batch are compiled and run.
type Setting struct {
	// Level is clang's optimisation level.
	Level string
	// IndexWidth is the width of index.
	IndexWidth int
	// Order is the memory order of the lowering.
	Order string
	// Recent is the number of iterations whose stores loops keep.
	Recent int
	// Interlocks lets loads wait for stores to their element alone.
	Interlocks bool
	// Unroll is the number of levels of loops that are written out; then loads are kept, and twice as many iterations of outer loops run side by side, too.
	Unroll int
	// Ranges is a rule of the range analysis that a test breaks.
	Ranges ranges.Fault
}

// setting spreads the settings over the batches.
func setting(n uint64) Setting {
	return Setting{
		Level:      []string{"2", "0", "1"}[n%3],
		IndexWidth: []int{32, 64}[n/3%2],
		Order:      []string{"serial", "pipelined"}[n/6%2],
		Recent:     []int{0, 1, 2, 0}[n/12%4],
		Interlocks: n/12%4 == 3,
		Unroll:     []int{0, 1, 2}[n/5%3],
	}
}

// lowering are the options of the lowering.
func (s Setting) lowering(function string) lower.Options {
	return lower.Options{Function: function, MemoryOrder: s.Order, IndexWidth: s.IndexWidth, Forward: s.Recent > 0 || s.Interlocks, RecentStores: s.Recent, Interlocks: s.Interlocks, Unroll: s.Unroll, Jam: 2 * s.Unroll, Reuse: s.Unroll > 0}
}

// inputsPerProgram is how often each program runs.
const inputsPerProgram = 2

// Failure is a program on which the levels differ, or that did not get through.
type Failure struct {
	Program *randc.Program
	Setting Setting
	// Stage is where it failed: the front end, the lowering, or the level whose outcome
	// differs.
	Stage string
	Text  string
	// Stages are the artifacts in between, Graph the dataflow graph.
	Stages []frontend.Stage
	Graph  *ir.Operation
	// Inputs are those of the failing run, as the kernel takes them.
	Inputs *vector.Inputs
}

func (f *Failure) Error() string { return f.Stage + ": " + f.Text }

// BatchSize is how many programs share a run of each tool.
const BatchSize = 25

// prefix names the programs of a batch apart.
func prefix(k int) string { return fmt.Sprintf("p%d_", k) }

// Batch runs the programs of the seeds from n * BatchSize on, as Ladder does.
func Batch(ctx context.Context, dir string, n uint64) ([]*Failure, error) {
	var programs []*randc.Program
	var inputs []uint64
	for k := range uint64(BatchSize) {
		seed := n*BatchSize + k
		programs = append(programs, randc.Generate(seed, prefix(int(k))))
		inputs = append(inputs, seed)
	}
	return Ladder(ctx, dir, programs, inputs, setting(n))
}

// Ladder runs a batch of programs, whose names must differ, and returns a failure, or
// nil, for each. The error is about the batch: tools that are missing, a compiler that
// does not take the file.
func Ladder(ctx context.Context, dir string, programs []*randc.Program, inputs []uint64, s Setting) ([]*Failure, error) {
	file := filepath.Join(dir, "batch.c")
	text := randc.Source(programs)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		return nil, err
	}
	var runs []randc.NativeRun
	for k, p := range programs {
		for i := range uint64(inputsPerProgram) {
			runs = append(runs, randc.NativeRun{Program: k, Inputs: p.Inputs(inputs[k]*inputsPerProgram + i)})
		}
	}
	// The reference is what clang makes of a program without optimisation. GCC 12 is wrong
	// about some programs under -fwrapv: it never ends 110662 at -O1, and in 407425 it
	// makes -x - a / (b + 1) a division by -1, which traps for the smallest a.
	cc, err := tools.Find(tools.Clang)
	if err != nil {
		return nil, err
	}
	exe, err := randc.Build(ctx, programs, file, cc, "-O0")
	if err != nil {
		return nil, err
	}
	native, err := randc.Run(ctx, exe, programs, runs)
	if err != nil {
		return nil, err
	}
	unit, err := frontend.Open(ctx, file, text, frontend.Options{Level: s.Level, Verify: true})
	if err != nil {
		return nil, err
	}
	failures := make([]*Failure, len(programs))
	for k, p := range programs {
		failures[k] = climb(p, unit, runs[k*inputsPerProgram:(k+1)*inputsPerProgram], native[k*inputsPerProgram:(k+1)*inputsPerProgram], s)
	}
	return failures, nil
}

// counts are how often the programs so far have done something.
var counts struct{ disjoint atomic.Int64 }

// climb takes one program through the levels above the native one.
func climb(p *randc.Program, unit *frontend.Unit, runs []randc.NativeRun, native []randc.NativeResult, s Setting) (failure *Failure) {
	f := &Failure{Program: p, Setting: s, Stage: "front end"}
	defer func() {
		if r := recover(); r != nil {
			f.Text = fmt.Sprintf("panic: %v", r)
			failure = f
		}
	}()
	fail := func(format string, args ...any) *Failure {
		f.Text = fmt.Sprintf(format, args...)
		return f
	}
	res, err := unit.Function(p.Kernel.Name)
	if err != nil {
		return fail("%s", messages(err))
	}
	f.Stages = res.Stages
	fn := function(res.Module)
	c, ok := cabi.Of(fn)
	if !ok {
		return fail("the function has no description of its parameters")
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return fail("%s", messages(err))
	}
	f.Stage = "lowering"
	low, err := lower.Lower(res.Module, s.lowering(""))
	if err != nil {
		return fail("%s", messages(err))
	}
	f.Graph = low.Module
	watched := res.Module.Clone(map[*ir.Value]*ir.Value{})
	facts := facttest.Of(function(watched), facttest.Options{IndexWidth: s.IndexWidth, Ranges: s.Ranges})
	graph, err := token.Compile(low.Func, s.IndexWidth)
	if err != nil {
		return fail("%s", messages(err))
	}
	second, err := disjointOf(res.Module, fn, s)
	if err != nil {
		return fail("%s", messages(err))
	}
	f.Stage = "direct circuit"
	direct, err := circuitOf(low.Func, s)
	if err != nil {
		return fail("%s", messages(err))
	}
	for i, r := range runs {
		f.Stage = "parameters"
		v := view{p, c, sig, s.IndexWidth}
		in, err := v.inputs(r.Inputs)
		if err != nil {
			return fail("%v", err)
		}
		f.Inputs = in
		want, err := v.outcome(in, native[i])
		if err != nil {
			return fail("%v", err)
		}
		f.Stage = "level 1"
		got, err := interp.Run(fn, in, interp.Options{IndexWidth: s.IndexWidth, MaxSteps: 5_000_000})
		if err != nil {
			return fail("%s", messages(err))
		}
		if d := vector.DiffTolerance(want, got, vector.Tolerance{NaN: true}); d != nil {
			return fail("%s", strings.Join(append(d, got.Detail...), "\n"))
		}
		f.Stage = "analyses"
		if violated, _ := facts.Run(in, 50_000_000); violated != "" {
			return fail("%s", violated)
		}
		for _, o := range []token.Options{{}, {Capacity: 1, Seed: uint64(i) + 1, MemDelay: 20 * i}} {
			f.Stage = fmt.Sprintf("level 2, capacity %d", o.Capacity)
			o.MaxSteps = 50_000_000
			got, _, err := graph.Run(in, o)
			if err != nil {
				return fail("%s", messages(err))
			}
			if d := vector.DiffTolerance(want, got, vector.Tolerance{NaN: true}); d != nil {
				return fail("%s", strings.Join(append(d, got.Detail...), "\n"))
			}
		}
		if second != nil && second.takes(in) {
			f.Stage = "level 2, arrays that do not overlap"
			got, _, err := second.graph.Run(in, token.Options{MaxSteps: 50_000_000})
			if err != nil {
				return fail("%s", messages(err))
			}
			if d := vector.DiffTolerance(want, got, vector.Tolerance{NaN: true}); d != nil {
				return fail("%s", strings.Join(append(d, got.Detail...), "\n"))
			}
			counts.disjoint.Add(1)
		}
		if direct == nil || i%2 == 0 && soak.Factor() == 0 {
			continue
		}
		f.Stage = "level 3, direct circuit"
		if got, err = runDirect(direct, in, uint64(i)); err != nil {
			return fail("%s", messages(err))
		}
		if d := vector.DiffTolerance(want, got, vector.Tolerance{NaN: true}); d != nil {
			return fail("%s", strings.Join(append(d, got.Detail...), "\n"))
		}
	}
	return nil
}

// runDirect runs a circuit in the cycle simulator, in every other run with a slow memory and stalls.
func runDirect(c *circuit.Circuit, in *vector.Inputs, n uint64) (*vector.Outcome, error) {
	o := cycle.Options{MaxCycles: 50_000_000}
	if n%2 == 1 {
		o.Latency, o.StallPercent, o.StallSeed = latency.Profile{Min: 1, Max: 40, Seed: 7}, 30, n
	}
	run, err := cycle.NewDirect(c, in, o)
	if err != nil {
		return nil, err
	}
	return run.Run()
}

// circuitOf is the direct circuit of a graph, nil where the RTL library lacks an operation.
func circuitOf(graph *ir.Operation, s Setting) (*circuit.Circuit, error) {
	small, err := simplify.Run(graph, simplify.Options{IndexWidth: s.IndexWidth})
	if err != nil {
		return nil, err
	}
	c, err := circuit.Build(small, circuit.Options{IndexWidth: s.IndexWidth, Latency: latency.Default})
	if err != nil && strings.Contains(err.Error(), "no hardware computes") {
		return nil, nil
	}
	return c, err
}

func function(module *ir.Operation) *ir.Operation {
	var fn *ir.Operation
	module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.FuncFunc && fn == nil {
			fn = op
		}
		return fn == nil
	})
	return fn
}

// messages are the diagnostics of an error, one per line.
func messages(err error) string {
	var out []string
	for _, d := range diag.FromError(err).All {
		line := d.Error()
		if d.Help != "" {
			line += " (" + d.Help + ")"
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return err.Error()
	}
	return strings.Join(out, "\n")
}

// view translates between the variables of a C program and the parameters of its
// kernel.
type view struct {
	p          *randc.Program
	c          *cabi.Function
	sig        *vector.Signature
	indexWidth int
}

var errParameters = errors.New("the description of the parameters does not fit the program")

// each visits the pieces of the parameters with the position of their variable.
func (v view) each(visit func(variable int, param cabi.Param, q cabi.Piece) error) error {
	vars := v.p.Variables()
	for i, param := range v.c.Params {
		at := i
		if i >= len(v.p.Kernel.Params) || param.Class == cabi.Global {
			at = -1
			for k, x := range vars {
				if x.Name == param.Name {
					at = k
				}
			}
		}
		if at < 0 || at >= len(vars) || vars[at].Name != param.Name {
			return fmt.Errorf("%w: %q at position %d", errParameters, param.Name, i)
		}
		for _, q := range param.Pieces {
			if q.Index < 0 || q.Index >= len(v.sig.Params) {
				return fmt.Errorf("%w: %q is parameter %d of %d", errParameters, param.Name, q.Index, len(v.sig.Params))
			}
			if err := visit(at, param, q); err != nil {
				return err
			}
		}
	}
	return nil
}

// memory is a view of a variable's bytes as the elements of a memref.
func (v view) memory(data []byte, q cabi.Piece) (*vector.Memory, error) {
	param := v.sig.Params[q.Index]
	t := param.Type.(*ir.MemRefType)
	m := &vector.Memory{Name: param.Name, Elem: t.Elem, Shape: append([]int64{}, t.Shape...)}
	size := v.bytes(t.Elem)
	for at := q.Offset; at+size <= int64(len(data)); at += q.Stride {
		m.Data = append(m.Data, num.Truncate(word(data[at:at+size]), t.Elem, v.indexWidth))
		if q.Stride <= 0 {
			break
		}
	}
	inner := int64(1)
	for i := len(m.Shape) - 1; i > 0; i-- {
		inner *= m.Shape[i]
	}
	if len(m.Shape) > 0 && m.Shape[0] == ir.Dynamic && inner > 0 {
		m.Shape[0] = int64(len(m.Data)) / inner
	}
	count := int64(1)
	for _, d := range m.Shape {
		count *= d
	}
	if count > int64(len(m.Data)) || count < 0 {
		return nil, fmt.Errorf("%w: %q of type %s on %d bytes", errParameters, param.Name, t, len(data))
	}
	m.Data = m.Data[:count]
	return m, nil
}

func (v view) bytes(t ir.Type) int64 {
	w, _ := ir.BitWidth(t, v.indexWidth)
	return int64(max(1, w/8))
}

func word(b []byte) uint64 {
	w := uint64(0)
	for i := len(b) - 1; i >= 0; i-- {
		w = w<<8 | uint64(b[i])
	}
	return w
}

func (v view) inputs(data [][]byte) (*vector.Inputs, error) {
	in := &vector.Inputs{Args: make([]vector.Arg, len(v.sig.Params))}
	err := v.each(func(variable int, param cabi.Param, q cabi.Piece) error {
		a := &in.Args[q.Index]
		sp := v.sig.Params[q.Index]
		a.Name, a.Type = sp.Name, sp.Type
		bytes := data[variable]
		if _, mem := sp.Type.(*ir.MemRefType); mem {
			m, err := v.memory(bytes, q)
			a.Mem = m
			return err
		}
		n := v.bytes(sp.Type)
		if q.Offset+n > int64(len(bytes)) {
			n = int64(len(bytes)) - q.Offset
		}
		if n <= 0 {
			return fmt.Errorf("%w: %q at byte %d of %d", errParameters, param.Name, q.Offset, len(bytes))
		}
		w := word(bytes[q.Offset : q.Offset+n])
		// An index that is wider than the C type takes its value.
		if sp.Type == ir.Type(ir.Index) && !param.Unsigned && n < 8 {
			w = uint64(int64(w<<(64-8*n)) >> (64 - 8*n))
		}
		a.Scalar = num.Truncate(w, sp.Type, v.indexWidth)
		return nil
	})
	for _, a := range in.Args {
		if a.Type == nil && err == nil {
			err = fmt.Errorf("%w: nothing is said about a parameter", errParameters)
		}
	}
	return in, err
}

// outcome is what the native run left behind, seen through the kernel's parameters.
func (v view) outcome(in *vector.Inputs, r randc.NativeResult) (*vector.Outcome, error) {
	out := &vector.Outcome{Status: vector.Done}
	mems := make([]*vector.Memory, len(in.Args))
	err := v.each(func(variable int, param cabi.Param, q cabi.Piece) (err error) {
		if in.Args[q.Index].Mem != nil {
			mems[q.Index], err = v.memory(r.Variables[variable], q)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, m := range mems {
		if m != nil {
			out.Memories = append(out.Memories, m)
		}
	}
	if len(v.sig.Results) == 1 {
		t := v.sig.Results[0]
		out.Results = append(out.Results, vector.Scalar{Type: t, Bits: num.Truncate(word(r.Result), t, v.indexWidth)})
	}
	return out, nil
}
