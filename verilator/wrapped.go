package verilator

import (
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loom/compiler/circuit"
	"loom/compiler/latency"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/dram"
	"loom/sim/vector"
	"loom/templates"
)

// The co-simulation of a direct circuit behind a wrapper. The harness drives the ports of the
// wrapper, so the cycles in which the core gets something are decided by the RTL around it. They are
// recorded, and the cycle simulator runs the core in the recorded surroundings: all of its channels
// must agree in every cycle, as without a wrapper.

// wrappedBench is the module that Verilator builds: the wrapper with what watches its ports.
const wrappedBench = "loom_bench"

// wrappedGlue is what the generated half of the harness is made from.
type wrappedGlue struct {
	Bench    string
	Wrapper  *rtlgen.Wrapper
	Groups   []wrappedGroup
	Channels []directChannel
	Driven   []drivenGlue
	Public   []string // signals of the core
	Bases    []baseGlue
	Headers  []string
}

// wrappedGroup is a group of ports with what the harness knows of its arrays.
type wrappedGroup struct {
	*rtlgen.PortGroup
	Accesses []directAccess
	// Regions are the numbers of the arrays' regions, in their order.
	Regions []int
}

// baseGlue is a base address and the region that it is of.
type baseGlue struct {
	Name   string
	Region int
}

// Region is the number of an array's region.
func (g wrappedGroup) Region(a *circuit.Array) int { return g.Regions[slices.Index(g.Arrays, a)] }

type drivenGlue struct {
	Bit, Data string
	Width     int
}

// deviceHeaders are the headers of the harness that a style of ports needs beside
// loom_devices.hpp.
var deviceHeaders = map[string]string{
	rtlgen.PortsAXI4: "loom_axi_memory.hpp", rtlgen.PortsAXI4Each: "loom_axi_memory.hpp",
	rtlgen.PortsStream: "loom_stream.hpp", rtlgen.PortsBRAM: "loom_bram.hpp", rtlgen.ControlAP: "loom_ap_ctrl.hpp",
	rtlgen.ControlAXI4Lite: "loom_register_host.hpp",
}

func newWrappedHarness(o *Options) (*harness, error) {
	c, w := o.circuit, o.RTL.Wrapper
	glue := wrappedGlue{Bench: wrappedBench, Wrapper: w}
	core := strings.Join([]string{member(wrappedBench), "u_wrapper", "u_core", ""}, "__DOT__")
	public := func(name string) string {
		if !slices.Contains(glue.Public, name) {
			glue.Public = append(glue.Public, name)
		}
		return core + member(name)
	}
	for _, s := range c.View().Signals {
		x := directChannel{Name: s.Data, Stem: s.Stem, Signal: s.Data, Width: s.Width, Member: core + member(s.Stem)}
		public(s.Stem + "_valid")
		public(s.Stem + "_ready")
		if s.Width > 0 {
			x.Data = public(s.Data)
		}
		glue.Channels = append(glue.Channels, x)
	}
	for _, d := range cycle.DrivenPorts(c) {
		x := drivenGlue{Width: d.Width}
		if d.Ready {
			x.Bit = public(d.Stem + "_ready")
		} else {
			x.Bit = public(d.Stem + "_valid")
		}
		if d.Width > 0 {
			x.Data = public(d.Stem + "_data")
		}
		glue.Driven = append(glue.Driven, x)
	}
	region := regionNumbers(o.Inputs)
	for _, b := range w.Bases {
		glue.Bases = append(glue.Bases, baseGlue{b.Name, region[b.Array.Arg]})
	}
	accesses := directAccesses(c, region)
	for _, g := range w.Groups {
		x := wrappedGroup{PortGroup: g}
		for _, a := range g.Arrays {
			x.Regions = append(x.Regions, region[a.Arg])
			for _, u := range accesses {
				if u.Array == a.Name {
					x.Accesses = append(x.Accesses, u)
				}
			}
		}
		if h := deviceHeaders[g.Style]; h != "" && !slices.Contains(glue.Headers, h) {
			glue.Headers = append(glue.Headers, h)
		}
		glue.Groups = append(glue.Groups, x)
	}
	if h := deviceHeaders[w.Control.Style]; h != "" {
		glue.Headers = append(glue.Headers, h)
	}
	files, err := harnessText(glueView{}, nil)
	if err != nil {
		return nil, err
	}
	for name, template := range map[string]string{"harness.cpp": "direct_wrapped.cpp.tmpl", publicFile: "direct_wrapped_public.vlt.tmpl", wrappedBench + ".sv": "direct_bench.sv.tmpl"} {
		if files[name], err = templates.Render(template, glue); err != nil {
			return nil, err
		}
	}
	return &harness{top: wrappedBench, files: files, public: true}, nil
}

// runWrapped runs a circuit behind its wrapper, then the core in the recorded surroundings, and
// compares.
func runWrapped(ctx context.Context, d *DirectOptions, o *Options, first *directRun) (*Report, error) {
	rep := &Report{}
	o.cycles = briefCycles(d, first)
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
	recording, traffic := filepath.Join(dir, "recording.bin"), filepath.Join(dir, "traffic.bin")
	run := func(hashes []uint64) (*result, error) {
		text := directJobText(d, []*directRun{first})
		fmt.Fprintf(text, "cycles %d\nquiet %d\nrecord %s\n", d.MaxCycles, quietMargin+4*d.Latency.Max, recording)
		if d.Latency.Dynamic() {
			fmt.Fprintf(text, "traffic %s\n", traffic)
		}
		job, err := finishDirectJob(d, dir, text, hashes)
		if err != nil {
			return nil, err
		}
		return execute(ctx, m, job, filepath.Join(dir, "result.json"))
	}
	o.progress("simulate", 0, 1)
	start = time.Now()
	res, err := run(nil)
	if err != nil {
		return nil, err
	}
	rep.SimSeconds, rep.WavePath = time.Since(start).Seconds(), d.WavePath
	rep.Outcome = d.outcome(first, res)
	if d.Latency.Dynamic() {
		if rep.Outcome.DRAM, err = served(d.Latency, traffic, rep.Outcome.Cycles); err != nil {
			return nil, err
		}
	}
	raw, err := os.ReadFile(recording)
	if err != nil {
		return nil, err
	}
	expected, leftover, err := replay(d, raw)
	if err != nil {
		return nil, err
	}
	if expected != nil { // a channel differs: once more, to that cycle, for all channels
		if res, err = run(expected); err != nil {
			return nil, err
		}
		if res.Status != string(vector.Mismatch) {
			return nil, fmt.Errorf("the co-simulation model does not repeat its run")
		}
		var states []cycle.ChannelState
		if _, _, err := replayTo(d, raw, func(c int64, ch []cycle.ChannelState) {
			if c == res.MismatchCycle {
				states = append([]cycle.ChannelState(nil), ch...)
			}
		}); err != nil {
			return nil, err
		}
		rep.Outcome.Status = vector.Mismatch
		rep.Mismatch = diff(d.Circuit.View().Fabric, res.MismatchCycle, states, res.Channels)
		rep.Outcome.Detail = append(rep.Mismatch.Lines(), rep.Outcome.Detail...)
		return rep, nil
	}
	o.progress("simulate", 1, 1)
	if rep.Outcome.Status == vector.Done && len(leftover) > 0 {
		rep.Outcome.Status = vector.Deadlock
		rep.Outcome.Detail = append(rep.Outcome.Detail, "all results were delivered, but the circuit is not empty: "+strings.Join(leftover, ", "))
	}
	judge(rep, o)
	return rep, nil
}

// briefCycles estimates the cycles of a run behind a wrapper from those of the core alone; 0 where they are many, or
// not known. What the wrapper adds is not simulated, so twice as many are allowed for; a core that stops early
// does so behind its wrapper.
func briefCycles(d *DirectOptions, first *directRun) int64 {
	alone, r := *d, *first
	alone.MaxCycles = brief / 2
	if err := alone.simulate([]*directRun{&r}, nil); err != nil || r.reference.Status == vector.Budget {
		return 0
	}
	return 2 * r.cycles
}

// replay runs the core in recorded surroundings. hashes is nil where every channel agrees in every
// cycle, else those of the simulator.
func replay(d *DirectOptions, raw []byte) (hashes []uint64, leftover []string, err error) {
	view := d.Circuit.View()
	var found []uint64
	found, leftover, err = replayTo(d, raw, func(c int64, ch []cycle.ChannelState) {
		hashes = append(hashes, hashChannels(ch, view.Fabric))
		if d.Trace != nil {
			d.Trace(c, ch)
		}
	})
	if err != nil || slices.Equal(found, hashes) {
		hashes = nil
	}
	return hashes, leftover, err
}

// replayTo runs the core and returns the hashes that the harness has recorded.
func replayTo(d *DirectOptions, raw []byte, trace func(int64, []cycle.ChannelState)) (hashes []uint64, leftover []string, err error) {
	ports := cycle.DrivenPorts(d.Circuit)
	damaged := false
	word := func() uint64 {
		if len(raw) < 8 {
			damaged = true
			return 0
		}
		w := binary.LittleEndian.Uint64(raw)
		raw = raw[8:]
		return w
	}
	s, err := cycle.NewReplay(d.Circuit, d.Inputs, func(drives []cycle.Drive) bool {
		if len(raw) == 0 {
			return false
		}
		hashes = append(hashes, word())
		bits := make([]uint64, (len(ports)+63)/64)
		for i := range bits {
			bits[i] = word()
		}
		for i := range drives {
			drives[i] = cycle.Drive{Bit: bits[i/64]>>(i%64)&1 != 0}
			if drives[i].Bit && ports[i].Width > 0 {
				drives[i].Data = word()
			}
		}
		return !damaged
	}, cycle.Options{Trace: trace})
	if err != nil {
		return nil, nil, err
	}
	leftover, err = s.Run()
	if err == nil && damaged {
		err = fmt.Errorf("the co-simulation model wrote a recording that ends within a cycle")
	}
	return hashes, leftover, err
}

// served asks package dram what the memory of the harness was asked: it says what happened there, and has
// to answer in the same cycles.
func served(memory latency.Profile, path string, cycles int64) (*dram.Report, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	model := dram.New(memory.DRAM)
	const words = 5 // of a request
	for ; len(raw) >= 8*words; raw = raw[8*words:] {
		var w [words]uint64
		for i := range w {
			w[i] = binary.LittleEndian.Uint64(raw[8*i:])
		}
		if due := model.Serve(int64(w[0]), w[1] != 0, w[2], int64(w[3]))(w[2] + w[3] - 1); due != int64(w[4]) {
			return nil, fmt.Errorf("the memory of the co-simulation model answers a request of cycle %d in cycle %d, that of package dram in %d", w[0], w[4], due)
		}
	}
	r := model.Report(cycles)
	return &r, nil
}

// regionNumbers are the numbers of the regions of memory arguments, by argument.
func regionNumbers(in *vector.Inputs) map[int]int {
	region := map[int]int{}
	for i, a := range in.Args {
		if a.Mem != nil {
			region[i] = len(region)
		}
	}
	return region
}

// directAccesses are the accesses to arrays outside, numbered in their order.
func directAccesses(c *circuit.Circuit, region map[int]int) []directAccess {
	var out []directAccess
	for _, a := range c.Arrays {
		if !a.External() {
			continue
		}
		for _, u := range append(append([]*circuit.Unit(nil), a.Loads...), a.Stores...) {
			out = append(out, directAccess{u.Access, a.Name, u.Kind == circuit.Store, region[a.Arg], a.AddrWidth, a.Width, len(out)})
		}
	}
	return out
}
