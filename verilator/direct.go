package verilator

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"loom/compiler/circuit"
	"loom/compiler/latency"
	"loom/compiler/mapping"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/memmap"
	"loom/sim/vector"
	"loom/templates"
)

// DirectOptions are a co-simulation of a direct circuit: always in lock-step with the cycle
// simulator.
type DirectOptions struct {
	// RTL is the generated design of Circuit.
	RTL     *rtlgen.Output
	Circuit *circuit.Circuit
	Inputs  *vector.Inputs
	// Then are the inputs of further runs: each begins when the one before it has ended, without
	// a reset in between, and has to end as the cycle simulator's, ThenExpected its reference. A
	// wrapper makes the first run only.
	Then         []*vector.Inputs
	ThenExpected []*vector.Outcome

	// As in Options.
	Latency   latency.Profile
	Stall     int
	StallSeed uint64
	MaxCycles int64
	Expected  *vector.Outcome
	WavePath  string
	CacheDir  string
	Jobs      int
	Progress  func(Progress)
	Building  func(Build)
	WorkDir   string
	// Trace, when set, is called with the channels of the core of a wrapper in each cycle of the run, if
	// that agrees with the cycle simulator.
	Trace func(cycle int64, channels []cycle.ChannelState)
}

// RunDirect builds the circuit under Verilator, runs it as long as the cycle simulator does, and
// compares every channel in every cycle, then results and memories, those of further runs too:
// what is wrong there is in the outcome of the first. Errors are as in Run.
func RunDirect(ctx context.Context, d DirectOptions) (*Report, error) {
	d.Latency = d.Latency.OrDefault()
	if d.MaxCycles == 0 {
		d.MaxCycles = cycle.DefaultMaxCycles
	}
	view := d.Circuit.View()
	o := &Options{RTL: d.RTL, Fabric: view.Fabric, Inputs: d.Inputs, Latency: d.Latency, Stall: d.Stall, StallSeed: d.StallSeed, MaxCycles: d.MaxCycles,
		Expected: d.Expected, LockStep: true, WavePath: d.WavePath, CacheDir: d.CacheDir, Jobs: d.Jobs, Progress: d.Progress, Building: d.Building,
		circuit: d.Circuit}
	rep := &Report{}
	runs := []*directRun{{inputs: d.Inputs, expected: d.Expected}}
	for i, in := range d.Then {
		runs = append(runs, &directRun{inputs: in})
		if i < len(d.ThenExpected) {
			runs[i+1].expected = d.ThenExpected[i]
		}
	}
	var err error
	for _, r := range runs {
		if r.regions, err = memmap.Assign(r.inputs, &mapping.Binding{}, d.Circuit.IndexWidth); err != nil {
			return nil, err
		}
	}
	if d.RTL.Wrapper != nil { // the first run only
		return runWrapped(ctx, &d, o, runs[0])
	}
	var hashes []uint64
	err = d.simulate(runs, func(_ int64, ch []cycle.ChannelState) { hashes = append(hashes, hashChannels(ch, view.Fabric)) })
	if err != nil {
		return nil, err
	}
	rep.Reference = runs[0].reference
	for i, r := range runs {
		if r.reference.Status != vector.Done {
			rep.Outcome = r.reference
			rep.Outcome.Detail = append(inRun(i, nil), rep.Outcome.Detail...)
			return rep, nil
		}
		o.cycles += r.reference.Cycles
	}
	start := time.Now()
	m, err := buildModel(ctx, o)
	if err != nil {
		return nil, err
	}
	rep.BuildSeconds, rep.CacheHit, rep.Model = time.Since(start).Seconds(), m.hit, m.dir
	dir := d.WorkDir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "loom-cosim-"); err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
	}
	job, err := finishDirectJob(&d, dir, directJobText(&d, runs), hashes)
	if err != nil {
		return nil, err
	}
	o.progress("simulate", 0, 1)
	start = time.Now()
	res, err := execute(ctx, m, job, filepath.Join(dir, "result.json"))
	if err != nil {
		return nil, err
	}
	rep.SimSeconds, rep.WavePath = time.Since(start).Seconds(), d.WavePath
	o.progress("simulate", 1, 1)
	if res.Status == string(vector.Mismatch) {
		var expected []cycle.ChannelState
		if err := d.simulate(runs, func(c int64, ch []cycle.ChannelState) {
			if c == res.MismatchCycle {
				expected = append([]cycle.ChannelState(nil), ch...)
			}
		}); err != nil {
			return nil, err
		}
		at := len(res.Earlier)
		rep.Outcome = d.outcome(runs[at], res)
		rep.Outcome.Cycles = res.Cycles
		rep.Mismatch = diff(view.Fabric, res.MismatchCycle, expected, res.Channels)
		rep.Outcome.Detail = append(inRun(at, rep.Mismatch.Lines()), rep.Outcome.Detail...)
		return rep, nil
	}
	for i, r := range runs {
		got := res
		if i < len(res.Earlier) {
			got = &res.Earlier[i]
			got.Status = res.Status
		}
		one := &Report{Outcome: d.outcome(r, got), Reference: r.reference}
		one.Outcome.Cycles = r.cycles
		judge(one, &Options{Expected: r.expected})
		switch {
		case i == 0:
			rep.Outcome = one.Outcome
		case one.Outcome.Status != vector.Done:
			rep.Outcome.Status = one.Outcome.Status
			rep.Outcome.Detail = append(rep.Outcome.Detail, inRun(i, one.Outcome.Detail)...)
		}
	}
	return rep, nil
}

// directRun is one of the runs in a row.
type directRun struct {
	inputs              *vector.Inputs
	expected, reference *vector.Outcome
	regions             []memmap.Region
	end, cycles         int64 // the cycle behind its last one, how many it took
}

// inRun puts the number of a run before what is to be said of it, if it is not the first.
func inRun(i int, detail []string) []string {
	if i == 0 {
		return detail
	}
	return append([]string{fmt.Sprintf("run %d of the same circuit, without a reset behind the one before:", i+1)}, detail...)
}

// simulate runs the cycle simulator up to the first run that does not end.
func (d *DirectOptions) simulate(runs []*directRun, trace func(int64, []cycle.ChannelState)) error {
	s, err := cycle.NewDirect(d.Circuit, d.Inputs, cycle.Options{Latency: d.Latency, StallPercent: d.Stall, StallSeed: d.StallSeed,
		MaxCycles: d.MaxCycles, Trace: trace})
	end := int64(0)
	for i, r := range runs {
		if i > 0 {
			err = s.Again(d.Circuit, r.inputs)
		}
		if err != nil {
			return err
		}
		if r.reference, err = s.Run(); err != nil {
			return err
		}
		r.cycles = r.reference.Cycles
		end += r.cycles
		r.end = end
		if r.reference.Status != vector.Done {
			for _, later := range runs[i+1:] {
				later.reference = r.reference
			}
			break
		}
	}
	return nil
}

// directJobText describes the runs for the harness (harness/loom_job.hpp reads it).
func directJobText(d *DirectOptions, runs []*directRun) *bytes.Buffer {
	b := &bytes.Buffer{}
	b.WriteString(dramJob(d.Latency))
	fmt.Fprintf(b, "latency %d %d %d\nstall %d %d\n", d.Latency.Min, d.Latency.Max, d.Latency.Seed, d.Stall, d.StallSeed)
	for i := range d.Circuit.Outputs {
		fmt.Fprintf(b, "expect %d\n", i)
	}
	for n, run := range runs {
		if n > 0 {
			fmt.Fprintf(b, "next %d\n", runs[n-1].end)
		}
		for i, p := range d.Circuit.Inputs {
			value := uint64(0)
			if p.Arg >= 0 {
				value = run.inputs.Args[p.Arg].Scalar & mask(p.Width)
			}
			fmt.Fprintf(b, "token %d %d\n", i, value)
		}
		for _, r := range run.regions {
			m := run.inputs.Args[r.Arg].Mem
			fmt.Fprintf(b, "region %d %d %d", r.Base, r.ElemBytes, r.Elements)
			for _, v := range m.Data {
				fmt.Fprintf(b, " %d", v&mask(r.ElemBits))
			}
			b.WriteByte('\n')
		}
	}
	return b
}

// finishDirectJob adds the hashes of the channels, if there are any, and the waveform, and writes
// the job.
func finishDirectJob(d *DirectOptions, dir string, b *bytes.Buffer, hashes []uint64) (string, error) {
	raw := make([]byte, 0, 8*len(hashes))
	for _, h := range hashes {
		raw = binary.LittleEndian.AppendUint64(raw, h)
	}
	if hashes != nil {
		path := filepath.Join(dir, "lockstep.bin")
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			return "", err
		}
		fmt.Fprintf(b, "lockstep %s\n", path)
	}
	if d.WavePath != "" {
		abs, err := filepath.Abs(d.WavePath)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(b, "wave %s\n", abs)
	}
	path := filepath.Join(dir, "job.txt")
	return path, os.WriteFile(path, b.Bytes(), 0o644)
}

// outcome translates what the harness saw of a run.
func (d *DirectOptions) outcome(run *directRun, res *result) *vector.Outcome {
	out := &vector.Outcome{Status: vector.Status(res.Status), Cycles: res.Cycles, Detail: res.Findings}
	for i, p := range d.Circuit.Outputs {
		switch {
		case i >= len(res.Outputs) || len(res.Outputs[i]) != 1:
			if out.Status == vector.Done {
				out.Status = vector.Mismatch
				out.Detail = append(out.Detail, fmt.Sprintf("output '%s' did not deliver one token", p.Name))
			}
			if p.Arg >= 0 {
				out.Results = append(out.Results, vector.Scalar{Type: p.Type})
			}
		case p.Arg >= 0:
			out.Results = append(out.Results, vector.Scalar{Type: p.Type, Bits: res.Outputs[i][0] & mask(p.Width)})
		}
	}
	for i, r := range run.regions {
		m := *run.inputs.Args[r.Arg].Mem
		m.Data = make([]uint64, len(m.Data))
		for k := range m.Data {
			if i < len(res.Memories) && k < len(res.Memories[i]) {
				m.Data[k] = res.Memories[i][k] & mask(r.ElemBits)
			}
		}
		out.Memories = append(out.Memories, &m)
	}
	if len(res.Findings) > 0 && out.Status == vector.Done {
		out.Status = vector.Mismatch
	}
	return out
}

// directGlue is what the generated half of the harness is made from.
type directGlue struct {
	Top             string
	Inputs, Outputs []*circuit.Port
	Accesses        []directAccess
	Channels        []directChannel
}

type directAccess struct {
	Access, Array    string
	Store            bool
	Region           int
	AddrWidth, Width int
	Number           int // among all accesses
}

type directChannel struct {
	Name, Stem, Signal, Member, Data string
	Width                            int
	Port                             bool // a port of the module and no signal inside
}

func newDirectHarness(o *Options) (*harness, error) {
	if o.RTL.Wrapper != nil {
		return newWrappedHarness(o)
	}
	c := o.circuit
	glue := directGlue{Top: c.Name, Inputs: c.Inputs, Outputs: c.Outputs}
	glue.Accesses = directAccesses(c, regionNumbers(o.Inputs))
	for _, s := range c.View().Signals {
		x := directChannel{Name: s.Data, Stem: s.Stem, Signal: s.Data, Width: s.Width}
		x.Port = s.Access != nil && s.Access.Array.External() || s.Channel != nil && s.Channel.From.Unit == nil && !s.After
		prefix := member(c.Name) + "__DOT__"
		if x.Port {
			prefix = ""
		}
		x.Member, x.Data = prefix+member(s.Stem), prefix+member(s.Data)
		glue.Channels = append(glue.Channels, x)
	}
	files, err := harnessText(glueView{}, nil)
	if err != nil {
		return nil, err
	}
	for name, template := range map[string]string{"harness.cpp": "direct_harness.cpp.tmpl", publicFile: "direct_public.vlt.tmpl"} {
		if files[name], err = templates.Render(template, glue); err != nil {
			return nil, err
		}
	}
	return &harness{top: c.Name, files: files, public: true}, nil
}
