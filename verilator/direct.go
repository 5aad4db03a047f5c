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
}

// RunDirect builds the circuit under Verilator, runs it as long as the cycle simulator does, and
// compares every channel in every cycle, then results and memories. Errors are as in Run.
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
	var hashes []uint64
	simulate := func(trace func(int64, []cycle.ChannelState), cycles int64) (*vector.Outcome, error) {
		s, err := cycle.NewDirect(d.Circuit, d.Inputs, cycle.Options{Latency: d.Latency, StallPercent: d.Stall, StallSeed: d.StallSeed,
			MaxCycles: cycles, Trace: trace})
		if err != nil {
			return nil, err
		}
		return s.Run()
	}
	regions, err := memmap.Assign(d.Inputs, &mapping.Binding{}, d.Circuit.IndexWidth)
	if err != nil {
		return nil, err
	}
	if d.RTL.Wrapper != nil {
		return runWrapped(ctx, &d, o, regions)
	}
	rep.Reference, err = simulate(func(_ int64, ch []cycle.ChannelState) { hashes = append(hashes, hashChannels(ch, view.Fabric)) }, d.MaxCycles)
	if err != nil {
		return nil, err
	}
	if rep.Reference.Status != vector.Done {
		rep.Outcome = rep.Reference
		return rep, nil
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
	job, err := finishDirectJob(&d, dir, directJobText(&d, regions), hashes)
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
	rep.Outcome = directOutcome(&d, regions, res)
	if res.Status == string(vector.Mismatch) {
		var expected []cycle.ChannelState
		if _, err := simulate(func(c int64, ch []cycle.ChannelState) {
			if c == res.MismatchCycle {
				expected = append([]cycle.ChannelState(nil), ch...)
			}
		}, res.MismatchCycle+1); err != nil {
			return nil, err
		}
		rep.Mismatch = diff(view.Fabric, res.MismatchCycle, expected, res.Channels)
		rep.Outcome.Detail = append(rep.Mismatch.Lines(), rep.Outcome.Detail...)
		return rep, nil
	}
	judge(rep, o)
	return rep, nil
}

// directJobText describes the run for the harness (harness/loom_job.hpp reads it).
func directJobText(d *DirectOptions, regions []memmap.Region) *bytes.Buffer {
	b := &bytes.Buffer{}
	fmt.Fprintf(b, "latency %d %d %d\nstall %d %d\n", d.Latency.Min, d.Latency.Max, d.Latency.Seed, d.Stall, d.StallSeed)
	for i, p := range d.Circuit.Inputs {
		value := uint64(0)
		if p.Arg >= 0 {
			value = d.Inputs.Args[p.Arg].Scalar & mask(p.Width)
		}
		fmt.Fprintf(b, "token %d %d\n", i, value)
	}
	for i := range d.Circuit.Outputs {
		fmt.Fprintf(b, "expect %d\n", i)
	}
	for _, r := range regions {
		m := d.Inputs.Args[r.Arg].Mem
		fmt.Fprintf(b, "region %d %d %d", r.Base, r.ElemBytes, r.Elements)
		for _, v := range m.Data {
			fmt.Fprintf(b, " %d", v&mask(r.ElemBits))
		}
		b.WriteByte('\n')
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

// directOutcome translates what the harness saw.
func directOutcome(d *DirectOptions, regions []memmap.Region, res *result) *vector.Outcome {
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
	for i, r := range regions {
		m := *d.Inputs.Args[r.Arg].Mem
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
