package loom

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strconv"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/internal/cache"
	"loom/internal/tools"
	"loom/sim/cycle"
	"loom/sim/hostrun"
	"loom/sim/level0"
	"loom/sim/token"
	"loom/sim/trace"
	"loom/sim/vector"
)

// SimulateOptions are the options of Simulate.
type SimulateOptions struct {
	Watch
	// MaxCycles limits the work of each level to what hardware could do in that many
	// cycles; 0 is DefaultMaxCycles.
	MaxCycles int64
}

// Simulate runs a kernel on the same inputs at every level that needs no fabric and
// compares them: the original function, built by this machine's compiler (C and C++), the
// interpreter (sources that are no graph), the token simulator with unbounded channels and
// with channels of one token. It stops at the first level with a status other than done:
// Run.Outcome reports a mismatch, a deadlock or an error of the kernel, the error result is
// for runs that could not be made.
func Simulate(ctx context.Context, k *Kernel, in *Inputs, opts SimulateOptions) (*Run, error) {
	l := &ladder{ctx: ctx, w: &opts.Watch, k: k, in: in, Run: &Run{Environment: Environment{MaxCycles: opts.MaxCycles}}}
	err := l.Environment.Check()
	if err == nil {
		_, err = l.software()
	}
	return l.Run, err
}

// TokenOptions are the options of Kernel.RunTokens.
type TokenOptions struct {
	// Capacity is the number of tokens that a channel holds, 0 for unbounded.
	Capacity int
	// MaxCycles limits the work to what hardware could do in that many cycles; 0 is
	// DefaultMaxCycles.
	MaxCycles int64
}

// RunTokens runs the graph in the token simulator, without comparison. Of a graph from
// elsewhere without a Capacity the outcome is that of Kernel.Given with unbounded channels,
// unless it is found to be nondeterministic, or to end otherwise with its own buffers.
func (k *Kernel) RunTokens(in *Inputs, opts TokenOptions) (*vector.Outcome, error) {
	if k.Given != nil && opts.Capacity == 0 {
		return k.runGiven(in, opts)
	}
	out, err := token.Run(k.Graph, in.Kernel, token.Options{
		Capacity: opts.Capacity, IndexWidth: k.IndexWidth, MaxSteps: steps(opts.MaxCycles, countOps(k.Graph)),
	})
	if err != nil {
		return nil, err
	}
	sign(k.Graph, out)
	return out, nil
}

// sign notes in the outcome of a function what has no sign in its source.
func sign(fn *ir.Operation, out *vector.Outcome) {
	if fn == nil {
		return
	}
	if sig, err := vector.SignatureOf(fn); err == nil {
		sig.Sign(out)
	}
}

// RunCycles runs the mapping in the cycle simulator, without comparison. With record the
// run has Trace and Stat.
func (m *Mapping) RunCycles(in *Inputs, env Environment, record bool) (*Run, error) {
	if err := env.Check(); err != nil {
		return nil, err
	}
	r := &Run{Environment: env}
	var rec *trace.Recorder
	var events func(trace.Event)
	if record {
		rec = m.recorder(in.Kernel, env)
		events = rec.Add
	}
	var err error
	if r.Outcome, err = m.cycles(in.Kernel, env, events); err != nil {
		return nil, err
	}
	r.Traffic, r.Caches, r.Buses = r.Outcome.DRAM, r.Outcome.Caches, r.Outcome.Buses
	sign(m.Kernel.Graph, r.Outcome)
	if record {
		r.recorded(rec)
	}
	return r, nil
}

// cycles runs the cycle simulator. events may be nil.
func (m *Mapping) cycles(in *vector.Inputs, env Environment, events func(trace.Event)) (*vector.Outcome, error) {
	if env.MaxCycles == 0 {
		env.MaxCycles = DefaultMaxCycles
	}
	sim, err := cycle.New(m.Fabric.Arch, m.Image, m.Binding, in, cycle.Options{
		Latency: env.Latency, StallPercent: env.Stall, StallSeed: env.StallSeed, MaxCycles: env.MaxCycles, Record: events,
	})
	if err != nil {
		return nil, err
	}
	return sim.Run()
}

// recorder returns a recorder for a run of the mapping. Its statistics compare the expected
// rates with the measured ones; the header of the trace identifies the run by environment
// and a digest of the inputs.
func (m *Mapping) recorder(in *vector.Inputs, env Environment) *trace.Recorder {
	rec := trace.NewRecorder(m.Fabric.Arch, m.Binding)
	rec.Identify("latency", env.Latency.String())
	rec.Identify("stall", strconv.Itoa(env.Stall))
	rec.Identify("stall_seed", strconv.FormatUint(env.StallSeed, 10))
	rec.Identify("inputs", fmt.Sprintf("sha256:%x", sha256.Sum256(in.JSON())))
	rec.Stats.Measure(m.loops(env), env.Latency.Range())
	return rec
}

// native builds the original function for this machine, once; the result is nil if there
// is none. If the compiler rejects the source, the level is left out with a warning.
func (k *Kernel) native(ctx context.Context, w *Watch) (*level0.Program, error) {
	if k.triedOriginal {
		return k.original, nil
	}
	fn := k.Graph
	if k.oneLoop() {
		fn = k.Domain.Host
	}
	c, ok := cabi.Of(fn)
	if !ok || k.Function == nil || !level0.Available(c) {
		return nil, nil
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return nil, err
	}
	defer w.doing("host compiler")()
	defer w.external()()
	p, err := level0.Build(ctx, c, sig, level0.Options{IndexWidth: k.IndexWidth})
	if err != nil && (errors.As(err, new(*tools.MissingError)) || errors.As(err, new(*cache.Error)) || ctx.Err() != nil) {
		return nil, err
	}
	k.original, k.triedOriginal = p, true
	if err == nil {
		return p, nil
	}
	for _, d := range diag.FromError(err).All {
		d.Severity = diag.Warning
		w.warn(d.WithNote(diag.Pos{}, "so the kernel is not compared with the original function (level 0)"))
	}
	return nil, nil
}

// software runs the levels that need no fabric. It reports whether more may follow.
func (l *ladder) software() (bool, error) {
	native, err := l.k.native(l.ctx, l.w)
	if err != nil {
		return false, err
	}
	// Where a loop is the domain, every level runs the whole function: the host's part in the
	// interpreter, the launches of the loop at that level.
	k, fn, in, what := l.k, l.k.Function, l.in.Kernel, ""
	if l.in.Whole != nil {
		fn, in, what = k.Domain.Host, l.in.Whole, ", the host's part and the loop"
	}
	if native != nil {
		ok, err := l.step(0, "host compiler", func() (*vector.Outcome, error) { return native.Run(l.ctx, in) })
		if err == nil && !ok {
			err = l.locate(fn, in)
		}
		if !ok || err != nil {
			return ok, err
		}
		// Libraries round some functions differently, so this comparison has a tolerance;
		// all other levels agree to the last bit.
		l.tolerance = level0.Tolerance(k.Module)
	}
	if fn != nil {
		ok, err := l.interpret("interpreter"+what, fn, in, native)
		if !ok || err != nil {
			return ok, err
		}
		l.tolerance = vector.Tolerance{}
	}
	free := "token simulator, unbounded channels"
	if k.Given != nil {
		free += ", other orders and the buffers of the graph"
	}
	for _, c := range []struct {
		name     string
		capacity int
	}{{free, 0}, {"token simulator, one-token channels", 1}} {
		ok, err := l.launches(2, c.name, func(r *launch) (*vector.Outcome, error) {
			return k.RunTokens(&Inputs{Kernel: r.in}, TokenOptions{c.capacity, l.Environment.MaxCycles})
		})
		if !ok || err != nil {
			return ok, err
		}
	}
	return true, nil
}

// launch is one run of the kernel.
type launch struct {
	// in are its arguments, want the outcome that the reference has for them, nil where there
	// is no reference.
	in   *vector.Inputs
	want *vector.Outcome
	// number counts the launches from 1; longest is set for the one that Inputs.Kernel is of.
	number  int
	longest bool
	// cycles are those of the launches before it.
	cycles int64
}

// launches runs one level, the kernel by run. Where the domain is a loop, the interpreter
// runs the function with run in place of the loop: run gets the memory that the launches
// before it have left, every launch is compared with the interpreter's outcome on the same
// arguments, and the outcome is that of the whole function with the cycles of all launches.
// Where the host function is compiled (ladder.host), it runs in step with the interpreter:
// its launches are to have the same arguments, it gets the outcomes of run, and it is to
// compute the same.
func (l *ladder) launches(number int, name string, run func(*launch) (*vector.Outcome, error)) (bool, error) {
	if l.in.Whole == nil {
		return l.step(number, name, func() (*vector.Outcome, error) {
			return run(&launch{in: l.in.Kernel, want: l.want, number: 1, longest: true})
		})
	}
	var last launch
	ok, err := l.step(number, name, func() (*vector.Outcome, error) {
		opts := l.interpretOptions()
		alone, err := interp.Compile(l.k.Function, opts)
		if err != nil {
			return nil, err
		}
		var failed *vector.Outcome
		fail := func(status vector.Status, why []string) *vector.Outcome {
			failed = &vector.Outcome{Status: status, Detail: why}
			return failed
		}
		var host *hostrun.Session
		tolerance := level0.Tolerance(l.k.Module) // the host's C calls the C library
		if l.host != nil {
			if host, err = l.host.Start(l.ctx, l.in.Whole); err != nil {
				return nil, err
			}
			defer host.Close()
		}
		opts.Watch = &interp.Watch{Function: l.k.Function.SymName(), Replace: func(in *vector.Inputs) (*vector.Outcome, error) {
			if err := l.ctx.Err(); err != nil {
				return nil, err
			}
			last.in, last.number = in, last.number+1
			last.longest = last.number == l.in.longest
			if last.want, err = alone.Run(in); err != nil {
				return nil, err
			}
			if host != nil {
				if d := host.Launch(in, tolerance); d != nil {
					return fail(vector.Mismatch, d), nil
				}
			}
			got, err := run(&last)
			if err != nil {
				return nil, err
			}
			last.cycles += got.Cycles
			if got.Status != vector.Done {
				failed = got
				return got, nil
			}
			if d := vector.Diff(last.want, got); len(d) > 0 {
				return fail(vector.Mismatch, append([]string{"compared with the interpreter"}, d...)), nil
			}
			if host != nil {
				err = host.Return(got)
			}
			return got, err
		}}
		out, err := interp.Run(l.k.Domain.Host, l.in.Whole, opts)
		if err != nil {
			return nil, err
		}
		out.Cycles = last.cycles
		if failed == nil && host != nil && out.Status == vector.Done {
			if d := host.End(out, tolerance); d != nil {
				out.Status, out.Detail = vector.Mismatch, d
			}
		}
		if failed != nil {
			at := fmt.Sprintf("launch %d of %d of loop %d fails", last.number, l.in.Launches, l.k.Domain.Loop)
			out.Status, out.ErrorCode, out.Detail = failed.Status, failed.ErrorCode, append([]string{at}, failed.Detail...)
		}
		return out, nil
	})
	if len(l.Levels) > 0 {
		this := &l.Levels[len(l.Levels)-1]
		this.Launches, this.HostFunction = last.number, l.host != nil
	}
	return ok, err
}

// interpretOptions returns the options of level 1.
func (l *ladder) interpretOptions() interp.Options {
	return interp.Options{IndexWidth: l.k.IndexWidth, MaxSteps: steps(l.Environment.MaxCycles, countOps(l.k.Module))}
}
