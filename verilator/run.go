package verilator

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"loom/compiler/arch"
	"loom/compiler/ir"
	"loom/internal/tools"
	"loom/rtlgen"
	"loom/sim/memmap"
	"loom/sim/vector"
)

// Run builds the design of o (or finds it in the cache), runs it and compares. The
// error is for what kept the run from happening: a *tools.MissingError or
// *tools.FailedError of an external program, or options that do not fit together. What the
// hardware did is in the report, also when it is wrong.
func Run(ctx context.Context, o Options) (*Report, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	regions, err := memmap.Assign(o.Inputs, o.Binding, o.Fabric.IndexWidth)
	if err != nil {
		return nil, err
	}
	rep := &Report{}
	var hashes []uint64
	if o.LockStep {
		if hashes, rep.Reference, err = predict(&o); err != nil {
			return nil, err
		}
		o.cycles = rep.Reference.Cycles
	}
	start := time.Now()
	m, err := buildModel(ctx, &o)
	if err != nil {
		return nil, err
	}
	rep.BuildSeconds, rep.CacheHit, rep.Model = time.Since(start).Seconds(), m.hit, m.dir
	dir := o.WorkDir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "loom-cosim-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
	} else if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, err
	}
	job, err := writeJob(&o, dir, regions, hashes)
	if err != nil {
		return nil, err
	}

	o.progress("simulate", 0, 1)
	start = time.Now()
	res, err := execute(ctx, m, job, filepath.Join(dir, "result.json"))
	if m.hit && !started(err) {
		// The model from the cache may be damaged, or of a machine with other libraries.
		if err := os.RemoveAll(m.dir); err != nil {
			return nil, err
		}
		if m, err = buildModel(ctx, &o); err != nil {
			return nil, err
		}
		rep.BuildSeconds, rep.CacheHit, rep.Model = time.Since(start).Seconds(), m.hit, m.dir
		start = time.Now()
		res, err = execute(ctx, m, job, filepath.Join(dir, "result.json"))
	}
	if err != nil {
		return nil, err
	}
	rep.SimSeconds = time.Since(start).Seconds()
	o.progress("simulate", 1, 1)
	if o.WavePath != "" {
		rep.WavePath = o.WavePath
	}
	rep.Outcome = outcome(&o, regions, res)
	if res.Status == string(vector.Mismatch) {
		if res.MismatchCycle >= 0 {
			if rep.Mismatch, err = explain(&o, res); err != nil {
				return nil, err
			}
			rep.Outcome.Detail = append(rep.Mismatch.Lines(), rep.Outcome.Detail...)
		}
		return rep, nil // without a cycle: it never started, the findings report why
	}
	if res.Status == statusOpen {
		rep.Outcome.Status = openStatus(rep.Reference.Status)
		if rep.Outcome.Status == vector.Deadlock {
			rep.Outcome.Detail = append(blocked(&o, res), rep.Outcome.Detail...)
		}
	}
	judge(rep, &o)
	return rep, nil
}

// explain finds out what is wrong in the cycle in which the harness stopped.
func explain(o *Options, res *result) (*Mismatch, error) {
	m := &Mismatch{Cycle: res.MismatchCycle, OriginName: "unknown origin"}
	if o.LockStep {
		expected, requests, err := predictCycle(o, res.MismatchCycle)
		if err != nil {
			return nil, err
		}
		m = diff(o.Fabric, res.MismatchCycle, expected, res.Channels)
		m.compareRequests(o.Fabric, requests, res.Requests)
	}
	m.addRules(o.Fabric, res.Rules)
	return m, nil
}

// statusOpen is how the harness ends a lock-step run when it has reached the end of
// the reference without a verdict of its own.
const statusOpen = "open"

// openStatus is the verdict of a run whose channels agreed with the reference to its
// end: the hardware cannot know that a state will never change, the simulator
// does. Any other end should have shown in the hardware too.
func openStatus(reference vector.Status) vector.Status {
	if reference == vector.Deadlock {
		return vector.Deadlock
	}
	return vector.Mismatch
}

// execute runs the model on a job.
func execute(ctx context.Context, m *model, job, out string) (*result, error) {
	_, err := tools.Run(ctx, "", filepath.Join(m.dir, modelBinary), job, out)
	var failed *tools.FailedError
	if errors.As(err, &failed) {
		failed.Name = "the co-simulation model"
	}
	if err != nil {
		return nil, err
	}
	return readResult(out)
}

// started reports whether a program whose run returned err did start: it ended by itself,
// and not because a library is missing, for which the dynamic linker exits with 127.
func started(err error) bool {
	if !errors.As(err, new(*tools.FailedError)) {
		return true
	}
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Exited() && exit.ExitCode() != 126 && exit.ExitCode() != 127
}

// outcome translates what the harness saw.
func outcome(o *Options, regions []memmap.Region, res *result) *vector.Outcome {
	out := &vector.Outcome{Status: vector.Status(res.Status), Cycles: res.Cycles, ErrorCode: res.ErrorCode}
	for _, r := range o.Binding.Results {
		s := vector.Scalar{Type: r.Type}
		if r.Output >= 0 && r.Output < len(res.Outputs) && len(res.Outputs[r.Output]) > 0 {
			s.Bits = res.Outputs[r.Output][0] & typeMask(r.Type, o.Fabric.IndexWidth)
		}
		out.Results = append(out.Results, s)
	}
	for i, r := range regions {
		if r.Arg < 0 {
			continue
		}
		in := o.Inputs.Args[r.Arg].Mem
		m := *in
		m.Data = make([]uint64, len(in.Data))
		for k := range m.Data {
			if i < len(res.Memories) && k < len(res.Memories[i]) {
				m.Data[k] = res.Memories[i][k] & mask(r.ElemBits)
			}
		}
		out.Memories = append(out.Memories, &m)
	}
	for i, h := range o.RTL.Signature.Hosts {
		if i < len(res.Contents) {
			out.OnChip = append(out.OnChip, vector.OnChip{Comp: h.Component, Elems: res.Contents[i]})
		}
	}
	switch out.Status {
	case vector.Error:
		// loom_error_collect shows it in the second cycle after.
		out.Detail = append(out.Detail, fmt.Sprintf("the hardware raised error %d in cycle %d", res.ErrorCode, res.Cycles-2))
	case vector.Deadlock:
		out.Detail = append(out.Detail, blocked(o, res)...)
	}
	if len(res.Findings) > 0 && out.Status == vector.Done {
		out.Status = vector.Mismatch
	}
	out.Detail = append(out.Detail, res.Findings...)
	return out
}

// blocked lists what a run that stopped early still owes and the channels on
// which tokens wait.
func blocked(o *Options, res *result) []string {
	const limit = 16
	var out []string
	for k, r := range o.Binding.Results {
		if r.Output >= 0 && r.Output < len(res.Outputs) && len(res.Outputs[r.Output]) == 0 {
			out = append(out, fmt.Sprintf("result %d did not arrive", k))
		}
	}
	if d := o.Binding.Done; d >= 0 && d < len(res.Outputs) && len(res.Outputs[d]) == 0 {
		out = append(out, "the done token did not arrive")
	}
	n := 0
	for i, ch := range o.Fabric.Channels {
		if i >= len(res.Channels) || res.Channels[i][0] == 0 || res.Channels[i][1] != 0 {
			continue
		}
		if n++; n <= limit {
			out = append(out, fmt.Sprintf("a token waits on %s from %s to %s", ch.Name,
				rtlgen.EndpointName(o.Fabric, ch.Src, true), rtlgen.EndpointName(o.Fabric, ch.Dst, false)))
		}
	}
	if n > limit {
		out = append(out, fmt.Sprintf("... and on %d more channels", n-limit))
	}
	return out
}

// judge compares the outcome with the references.
func judge(rep *Report, o *Options) {
	var found []string
	if ref := rep.Reference; ref != nil {
		found = compare("cycle simulator", ref, rep.Outcome, true)
		if ref.Status == rep.Outcome.Status && ref.Status != vector.Deadlock {
			for _, d := range vector.DiffOnChip(ref, rep.Outcome) {
				found = append(found, "what the host reads after the run is not what the cycle simulator has: "+d)
			}
		}
	}
	if o.Expected != nil {
		found = append(found, compare("reference", o.Expected, rep.Outcome, false)...)
	}
	if len(found) > 0 {
		rep.Outcome.Status = vector.Mismatch
		rep.Outcome.Detail = append(found, rep.Outcome.Detail...)
	}
}

// compare lists the differences of an outcome from a reference; cycles only where
// the reference has the same clock.
func compare(who string, want, got *vector.Outcome, clocked bool) []string {
	const limit = 16
	var out []string
	add := func(format string, args ...any) {
		if len(out) < limit {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	if want.Status != got.Status {
		add("status: %s has %s, hardware %s", who, want.Status, got.Status)
	}
	if want.Status == vector.Error && got.Status == vector.Error && want.ErrorCode != got.ErrorCode {
		add("error code: %s has %d, hardware %d", who, want.ErrorCode, got.ErrorCode)
	}
	// How a simulator notices a deadlock decides its cycle.
	if clocked && want.Cycles != got.Cycles && got.Status != vector.Deadlock && want.Status == got.Status {
		add("cycles: %s has %d, hardware %d", who, want.Cycles, got.Cycles)
	}
	if want.Status == vector.Done && got.Status == vector.Done {
		if len(want.Results) != len(got.Results) {
			add("%s has %d results, hardware %d", who, len(want.Results), len(got.Results))
		}
		for i := range min(len(want.Results), len(got.Results)) {
			if w, g := want.Results[i], got.Results[i]; w.Bits != g.Bits {
				add("result %d: %s has %s, hardware %s", i, who, value(w.Bits, w.Type), value(g.Bits, g.Type))
			}
		}
	}
	if len(want.Memories) != len(got.Memories) {
		add("%s has %d memories, hardware %d", who, len(want.Memories), len(got.Memories))
		return out
	}
	// How far a run got that did not end well only a reference with the same clock
	// knows, and only the simulator decides when a deadlock ends.
	if want.Status != got.Status || want.Status != vector.Done && !clocked || want.Status == vector.Deadlock {
		return out
	}
	for i, w := range want.Memories {
		g := got.Memories[i]
		for k := range min(len(w.Data), len(g.Data)) {
			if w.Data[k] != g.Data[k] {
				add("memory %s[%d]: %s has %s, hardware %s", w.Name, k, who, value(w.Data[k], w.Elem), value(g.Data[k], w.Elem))
			}
		}
		if len(w.Data) != len(g.Data) {
			add("memory %s: %s has %d elements, hardware %d", w.Name, who, len(w.Data), len(g.Data))
		}
	}
	return out
}

// value spells a bit pattern of a type for people: signed for integers.
func value(bits uint64, t ir.Type) string {
	w, ok := ir.BitWidth(t, arch.DefaultIndexWidth)
	if !ok || !ir.IsInt(t) || w < 1 || w > 64 {
		return fmt.Sprintf("0x%x", bits)
	}
	shift := 64 - w
	return fmt.Sprintf("%d", int64(bits<<shift)>>shift)
}
