package loom

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"loom/compiler/host"
	"loom/sim/hostrun"
	"loom/sim/hostsim"
	"loom/sim/level0"
	"loom/sim/trace"
	"loom/sim/vector"
	"loom/verilator"
)

// CosimulateOptions are the options of Cosimulate.
type CosimulateOptions struct {
	Watch
	Environment
	// Jobs is the number of C++ compiler processes that build the Verilator model at a
	// time, 0 for one per processor.
	Jobs int
	// Waveform is the file for the waveform of all signals (FST), "" for none. It needs a
	// separate Verilator build.
	Waveform string
}

// PrepareCosimulation reports missing tools before the long work of mapping: it builds the
// original function (C and C++) and checks that Verilator can be called, with waveform
// also that it can write waveforms. Calling it is optional: Cosimulate returns the same
// errors.
func PrepareCosimulation(ctx context.Context, k *Kernel, waveform bool, w Watch) error {
	if _, err := k.native(ctx, &w); err != nil {
		return err
	}
	return verilator.CheckTools(waveform)
}

// Cosimulate runs every level of the verification ladder on the same inputs and compares
// them: the levels of Simulate, the mapped fabric in the cycle simulator, and its RTL under
// Verilator in lock-step with the cycle simulator. It stops at the first level with a
// status other than done: Run.Outcome reports a mismatch, a deadlock or an error of the
// kernel, the error result is for runs that could not be made. The first run of a fabric
// builds its Verilator model, which takes minutes and is cached in $LOOM_CACHE.
func Cosimulate(ctx context.Context, m *Mapping, rtl *RTL, in *Inputs, opts CosimulateOptions) (*Run, error) {
	if err := opts.Environment.Check(); err != nil {
		return nil, err
	}
	if opts.MaxCycles == 0 {
		opts.MaxCycles = DefaultMaxCycles
	}
	l := &ladder{Run: &Run{Environment: opts.Environment}, ctx: ctx, w: &opts.Watch, k: m.Kernel, in: in}
	if ok, err := l.software(); !ok || err != nil {
		return l.Run, err
	}
	if in.Whole != nil {
		var err error
		if l.host, err = m.hostProgram(ctx, &opts.Watch); err != nil {
			return l.Run, err
		}
		defer l.host.Close()
	}
	if ok, err := l.cycles(m); !ok || err != nil {
		return l.Run, err
	}
	defer opts.external()()
	ok, err := l.launches(4, "Verilator, in lock-step with the cycle simulator", func(r *launch) (*vector.Outcome, error) {
		which := ""
		if in.Launches > 1 {
			which = fmt.Sprintf("launch %d/%d, ", r.number, in.Launches)
		}
		vo := verilator.Options{
			RTL: rtl.Output, Fabric: m.Fabric.Arch, Image: m.Image, Binding: m.Binding, Inputs: r.in,
			Latency: opts.Latency, Stall: opts.Stall, StallSeed: opts.StallSeed, MaxCycles: l.left(r).MaxCycles,
			Expected: r.want, LockStep: true, Waves: opts.Waveform != "", Jobs: opts.Jobs, Building: opts.Building,
			Progress: opts.verilator(which),
		}
		if r.longest {
			vo.WavePath = opts.Waveform
		}
		rep, err := verilator.Run(ctx, vo)
		if err != nil {
			return nil, err
		}
		if r.longest {
			l.Waveform = rep.WavePath
		}
		return rep.Outcome, nil
	})
	if ok && err == nil && l.host != nil && rtl.HostTop != "" {
		_, err = l.device(m.Fabric, rtl.HostTop, &opts)
	}
	return l.Run, err
}

// cycles runs the cycle simulator. Of several launches it records the longest, or the one
// that fails.
func (l *ladder) cycles(m *Mapping) (bool, error) {
	var rec *trace.Recorder
	ok, err := l.launches(3, "cycle simulator", func(r *launch) (*vector.Outcome, error) {
		if !r.longest {
			if out, err := m.cycles(r.in, l.left(r), nil); err != nil || out.Status == vector.Done {
				return out, err
			}
		}
		rec = m.recorder(r.in, l.Environment)
		out, err := m.cycles(r.in, l.left(r), rec.Add)
		if err == nil {
			l.Traffic, l.Caches, l.Buses = out.DRAM, out.Caches, out.Buses
		}
		return out, err
	})
	if err == nil && rec != nil {
		l.recorded(rec)
	}
	return ok, err
}

// device runs the whole program as a user's: the compiled host function with loom_accel.c on
// the RTL of a device, module top, which reads and writes the program's memory.
func (l *ladder) device(device HostDevice, top string, opts *CosimulateOptions) (bool, error) {
	cycles := l.Outcome.Cycles
	l.tolerance = level0.Tolerance(l.k.Module) // the host's C calls the C library
	ok, err := l.step(4, "Verilator, the host function with its driver on "+top, func() (*vector.Outcome, error) {
		dir, err := os.MkdirTemp("", "loom-host-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		_, driver, err := host.Driver()
		if err != nil {
			return nil, err
		}
		if err := errors.Join(l.host.Write(dir), os.WriteFile(filepath.Join(dir, hostsim.Driver), driver, 0o644)); err != nil {
			return nil, err
		}
		var stdout, stderr bytes.Buffer
		env := opts.Environment
		env.MaxCycles = min(MaxMaxCycles, 100*env.MaxCycles) // loading and register accesses included
		rep, err := HostSim(l.ctx, device, HostProgram{
			Sources: []string{filepath.Join(dir, "main.c")}, Dir: dir,
			Stdin: bytes.NewReader(l.host.Parameters(l.in.Whole)), Stdout: &stdout, Stderr: &stderr,
		}, HostSimOptions{Watch: opts.Watch, Environment: env, Jobs: opts.Jobs, cycles: cycles})
		if err != nil {
			return nil, err
		}
		fail := func(why string) *vector.Outcome {
			out := &vector.Outcome{Status: vector.Mismatch, Detail: []string{why}, Cycles: rep.RunCycles}
			for _, s := range []string{rep.Note, strings.TrimSpace(stderr.String())} {
				if s != "" {
					out.Detail = append(out.Detail, s)
				}
			}
			return out
		}
		out, why := l.host.Outcome(l.in.Whole, &stdout)
		switch {
		case rep.Status != string(vector.Done):
			return fail("the simulated device ends in status " + rep.Status), nil
		case out == nil:
			return fail(why), nil
		case rep.Launches != int64(l.in.Launches):
			return fail(fmt.Sprintf("the device has seen %d launches, not %d", rep.Launches, l.in.Launches)), nil
		}
		out.Cycles = rep.RunCycles
		return out, nil
	})
	this := &l.Levels[len(l.Levels)-1]
	this.Launches, this.HostFunction = l.in.Launches, true
	if ok {
		l.Outcome.Cycles = cycles // those of the kernel; the device's include its start
	}
	return ok, err
}

// left limits a launch to the cycles that those before it have left.
func (l *ladder) left(r *launch) Environment {
	env := l.Environment
	env.MaxCycles = max(1, env.MaxCycles-r.cycles)
	return env
}

// ladder is the state of a run through the levels.
type ladder struct {
	*Run
	ctx context.Context
	w   *Watch
	k   *Kernel
	in  *Inputs
	// host is the compiled host function, for the levels of a mapping whose domain is a loop.
	host *hostrun.Program
}

// step runs one level and compares it with the reference, l.want. It reports whether the
// next level may follow.
func (l *ladder) step(number int, name string, run func() (*vector.Outcome, error)) (bool, error) {
	done := l.w.doing(name)
	got, err := run()
	done()
	if err == nil {
		err = l.ctx.Err()
	}
	if err != nil {
		return false, err
	}
	signature := l.k.Graph
	if l.in.Whole != nil {
		signature = l.k.Domain.Host
	}
	sign(signature, got)
	end := *got
	if number >= 1 && l.by.Level < 1 {
		end = *l.in.Doubt(got)
	}
	switch {
	case l.want == nil && end.Status != vector.Done:
		end.Detail = append([]string{blame(end.Status)}, end.Detail...)
	case l.want != nil && end.Status == vector.Done:
		if d := vector.DiffTolerance(l.want, got, l.tolerance); len(d) > 0 {
			end.Status = vector.Mismatch
			end.Detail = append([]string{fmt.Sprintf("compared with level %d, %s", l.by.Level, l.by.Name)}, d...)
		}
	}
	this := Level{Level: number, Name: name, Status: end.Status, Cycles: end.Cycles}
	l.Levels = append(l.Levels, this)
	l.Outcome = &end
	if end.Status == vector.Done && (l.want == nil || number <= 1) {
		l.want, l.by = got, this
	}
	if end.Status != vector.Done {
		l.Failed = name
	}
	return end.Status == vector.Done, nil
}

// blame returns the message for a run whose first level, the reference for all others,
// does not end in done.
func blame(s vector.Status) string {
	if s == vector.Budget {
		return "the kernel itself does not end on these inputs within the cycles of --max-cycles"
	}
	return "the kernel itself fails on these inputs"
}
