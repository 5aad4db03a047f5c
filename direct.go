package loom

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"loom/compiler/circuit"
	"loom/compiler/circuit/timing"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/mlir"
	"loom/compiler/simplify"
	"loom/rtlgen"
	"loom/rtlgen/ip"
	"loom/sim/cycle"
	"loom/sim/steady"
	"loom/sim/trace"
	"loom/sim/vector"
	"loom/verilator"
)

// DefaultDirectIndexWidth is the width of the index type of direct circuits where none is
// chosen, in bits.
const DefaultDirectIndexWidth = 32

// DirectPorts are the port styles of a direct circuit's arrays, DirectControls the ways to start its
// runs, the defaults first. Some cannot be generated yet.
var (
	DirectPorts    = rtlgen.PortStyles
	DirectControls = rtlgen.Controls
)

// dramBurst is how many elements share a transaction where a circuit on a bus is made for a DRAM and nothing
// else is chosen.
const dramBurst = 16

// DirectDevices are the device families whose delays are known.
var DirectDevices = []string{"ecp5"}

// DirectShares are the values of DirectOptions.Share.
var DirectShares = []string{"auto", "none"}

// DirectDivides are the values of DirectOptions.Divide.
var DirectDivides = []string{"auto", "iterative", "pipelined"}

var dividersOf = map[string]circuit.Dividers{"": circuit.DividersAuto, "auto": circuit.DividersAuto, "iterative": circuit.DividersIterative, "pipelined": circuit.DividersPipelined}

// DirectOptions are the options of BuildDirect.
type DirectOptions struct {
	Watch
	// Memory is the external memory that the buffers are sized for; the zero value is
	// latency.Default. The circuit is right with any other, too.
	Memory latency.Profile
	// Share is which multiplications and divisions use one unit: "auto" (also for ""), those whose
	// loops become no slower, where it saves area, or "none".
	Share string
	// Divide is which divisions and square roots of floats are pipelined: "auto" (also for ""), those that would
	// make their loop more than a quarter slower otherwise, "pipelined", all of them, or "iterative", none.
	Divide string
	// Ports is how the circuit reaches the arrays of the caller: one of DirectPorts for all, and
	// ARRAY=STYLE for single ones, separated by commas; "" is "memory", requests and responses for
	// each access.
	Ports string
	// Control is how a run is started, gets its arguments and gives its results: one of
	// DirectControls; "" is "channels", a channel for each.
	Control string
	// DumpAfter names the pass of the simplification after which the graph is written to DumpTo;
	// "all" selects every pass, the name of a pass of another stage none.
	DumpAfter string
	DumpTo    io.Writer
	// Reset is the reset input of a circuit behind a register file: aresetn, active low, where it is
	// not set. Other controls have resets of their own.
	Reset Reset
	// Clock is the target that buffers are placed for: a frequency in MHz on Device ("100"),
	// logic levels ("8levels") or "none"; "" is circuit.DefaultClock.
	Clock string
	// Device is one of DirectDevices, "" the first.
	Device string
}

// TakesReset reports whether Reset has an effect.
func (o *DirectOptions) TakesReset() bool { return o.Control == rtlgen.ControlAXI4Lite }

// clock is the target, circuit.DefaultClock where none is given.
func (o *DirectOptions) clock() (circuit.Clock, error) {
	if o.Clock == "" {
		return circuit.DefaultClock, nil
	}
	return circuit.ParseClock(o.Clock)
}

// Check returns an OptionError for the first option with an invalid value.
func (o *DirectOptions) Check() error {
	if _, err := o.ports(); err != nil {
		return err
	}
	if o.Share != "" && !slices.Contains(DirectShares, o.Share) {
		return badOption("share", "takes %s, found %q", strings.Join(DirectShares, ", "), o.Share)
	}
	if _, ok := dividersOf[o.Divide]; !ok {
		return badOption("divide", "takes %s, found %q", strings.Join(DirectDivides, ", "), o.Divide)
	}
	if err := o.Memory.Check(); err != nil {
		return badOption("latency", "%v", err)
	}
	if _, err := o.clock(); err != nil {
		return badOption("clock", "%v", err)
	}
	if o.Device != "" && !slices.Contains(DirectDevices, o.Device) {
		return badOption("device", "takes %s so far, whose delays have been measured; found %q", strings.Join(DirectDevices, ", "), o.Device)
	}
	return checkDump(o.DumpAfter)
}

func (o *DirectOptions) ports() (rtlgen.Ports, error) {
	p, err := rtlgen.ParsePorts(o.Ports, o.Control)
	return p, portsError(err)
}

// portsError makes an OptionError of a PortsError.
func portsError(err error) error {
	var bad *rtlgen.PortsError
	if errors.As(err, &bad) {
		return badOption(bad.Option, "%s", bad.Text)
	}
	return err
}

// Direct is a kernel as a direct circuit: its dataflow graph as fixed hardware, without a
// fabric and without configuration.
type Direct struct {
	Kernel *Kernel
	// Graph is the simplified graph that the circuit was made from.
	Graph   *ir.Operation
	Circuit *circuit.Circuit
	// RTL is the circuit as SystemVerilog.
	RTL *rtlgen.Output
	// Loops are the loops with their bounds.
	Loops []circuit.LoopTiming
	// Memory is the external memory that the buffers are sized for.
	Memory latency.Profile
	// Ports are the ports of the arrays of the caller, in the order of the arguments.
	Ports []ArrayPorts
	// descriptions are the files for other tools, by name.
	descriptions map[string]string
	// host are those for the program that drives it.
	host []File
}

// BuildDirect makes the direct circuit of a kernel and its RTL. The output is deterministic.
// The error names the operations without hardware.
func BuildDirect(k *Kernel, opts DirectOptions) (*Direct, error) {
	if err := opts.Check(); err != nil {
		return nil, err
	}
	ports, err := opts.ports()
	if err != nil {
		return nil, err
	}
	d := &Direct{Kernel: k, Graph: k.Graph, Memory: opts.Memory.OrDefault()}
	if d.Ports, err = choosePorts(k, ports); err != nil {
		return nil, err
	}
	clock, err := opts.clock()
	if err != nil {
		return nil, err
	}
	o := circuit.Options{IndexWidth: k.IndexWidth, Latency: d.Memory, Fixed: map[int]int{}, Wait: map[int]circuit.Wait{}, Clock: clock, NoShare: opts.Share == "none", Dividers: dividersOf[opts.Divide]}
	// A DRAM has few transactions under way, so elements share them; beats of several elements are of those that do.
	if ports.Burst == 0 && (d.Memory.Dynamic() || ports.Width > 0) {
		ports.Burst = dramBurst
	}
	if ports.Outstanding == 0 {
		more := 0
		for _, p := range d.Ports {
			more = max(more, inCache(p, ports.Burst))
		}
		ports.Outstanding = rtlgen.PlacesFor(d.Memory.Cycles()+more, ports.Burst, ports.Width)
	}
	var streams []int
	for _, p := range d.Ports {
		switch p.Style {
		case rtlgen.PortsAXI4, rtlgen.PortsAXI4Each:
			o.Wait[p.Arg] = circuit.Wait{Load: rtlgen.PortCycles(ports.Burst, ports.Width, false) + inCache(p, ports.Burst), Store: rtlgen.PortCycles(ports.Burst, ports.Width, true)}
		case rtlgen.PortsStream:
			streams = append(streams, p.Arg)
		case rtlgen.PortsBRAM:
			o.Fixed[p.Arg] = p.Latency
		}
		ports = ports.With(p.ArrayPorts)
	}
	o.Servers = d.servers(ports, k.IndexWidth)
	var small *ir.Operation
	dump := simplify.Table().Dumps(opts.DumpAfter)
	if k.Free != nil { // a graph from elsewhere with merges stays as it is
		if dump != "" {
			var l diag.List
			opts.warn(l.Warnf(k.Graph.Pos, "--dump-after %s has no effect: a graph with merges is not simplified", dump))
		}
	} else if small, err = simplify.Run(k.Graph, simplify.Options{
		IndexWidth: k.IndexWidth, Streams: streams, DumpAfter: dump, DumpTo: opts.DumpTo,
		Print: func(op *ir.Operation) string { return mlir.Print(op, mlir.Options{}) },
	}); err == nil {
		d.Graph = small
	} else if len(streams) > 0 {
		return nil, err
	} else {
		d := diag.New(k.Graph.Pos, "the graph could not be simplified, so the circuit is larger than it need be: %v", err)
		d.Severity = diag.Warning
		opts.warn(d)
	}
	if d.Circuit, err = circuit.Build(d.Graph, o); err != nil {
		return nil, err
	}
	if k.Free == nil { // else nothing is known of its loops
		d.Loops = circuit.Timing(d.Circuit, d.least(o, ports))
	}
	d.RTL, err = rtlgen.GenerateDirect(d.Circuit, rtlgen.Meta{
		InputName: k.Name + ".direct.mlir", InputHash: fmt.Sprintf("%x", sha256.Sum256([]byte(d.text())))[:16], ToolVersion: Version, Ports: ports, Reset: opts.Reset,
	})
	if err != nil {
		return nil, portsError(err)
	}
	if d.descriptions, err = ip.Files(d.RTL, Version); err != nil {
		return nil, err
	}
	return d, d.makeHost(&opts.Watch)
}

// text is the simplified graph as MLIR.
func (d *Direct) text() string { return mlir.Print(d.Graph, mlir.Options{}) }

// String returns a line with the size of the circuit.
func (d *Direct) String() string {
	slots, bits := 0, 0
	for _, ch := range d.Circuit.Channels {
		slots += ch.Buffer.Slots
		bits += ch.Buffer.Slots * ch.Width
	}
	text := fmt.Sprintf("direct circuit %s: %s, %s, buffers of %s (%s of data) for a memory of %s", d.Circuit.Name,
		diag.Plural(len(d.Circuit.Units), "unit"), diag.Plural(len(d.Circuit.Channels), "channel"), diag.Plural(slots, "token"),
		diag.Plural(bits, "bit"), d.Memory.Describe())
	if e := d.Circuit.Estimate; e != nil {
		text += ", " + e.String()
	}
	return text
}

// ports names the outermost module and its ports.
func (d *Direct) ports() string {
	w := d.RTL.Wrapper
	if w == nil {
		return "Module " + d.RTL.Top + ": channels, memory ports for every array"
	}
	text := "Module " + w.Name + " around " + w.Core + ": control by " + w.Control.Style
	for _, g := range w.Groups {
		text += ", " + g.Style + " ports for " + strings.Join(g.ArrayNames(), ", ")
	}
	return text
}

// Report returns what the circuit is made of: ports, loops with their bounds, and the buffer of
// every channel with the reason.
func (d *Direct) Report() string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n%s\n\nLoops\n-----\n", d, d.ports())
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "  loop\tat\tleast cycles per iteration")
	for _, l := range d.Loops {
		bound := "those of the loops inside"
		if l.Interval > 0 {
			bound = fmt.Sprint(l.Interval)
		}
		fmt.Fprintf(w, "  %s%s\t%s\t%s\n", strings.Repeat("  ", l.Depth), l.Name, l.Pos, bound)
	}
	w.Flush()
	if len(d.Ports) > 0 {
		fmt.Fprint(&b, "\nPorts of arrays\n---------------\n")
		for _, p := range d.Ports {
			style := p.Style
			if p.Latency > 0 {
				style = fmt.Sprintf("%s:%d", style, p.Latency)
			}
			reason := p.Reason
			if rtlgen.OnBus(p.Style) {
				reason = fmt.Sprintf("each load and store has up to %d accesses on their way, %s in a transaction at most",
					d.RTL.Wrapper.Outstanding, diag.Plural(d.RTL.Wrapper.Burst, "element"))
				if d.RTL.Wrapper.Bounds {
					reason += ", none outside of the array's size"
				}
				if n := d.RTL.Wrapper.WordOf(p.Array); n > 1 {
					reason += fmt.Sprintf(", %d of them in a beat where they fill a word of the bus", n)
				} else if d.RTL.Wrapper.Width > 0 && n == 0 {
					reason += "; a beat each, as no access is to the element behind that of the one before"
				}
				if p.Cached {
					reason += fmt.Sprintf("; its loads share a cache of %d elements", d.RTL.Wrapper.CacheOf(p.Array))
				} else if p.Uncached != "" {
					reason += "; no cache: " + p.Uncached
				}
			}
			fmt.Fprintf(w, "  %s\t%s\t%s\n", p.Array, style, reason)
		}
		w.Flush()
	}
	if len(d.Circuit.Shares) > 0 {
		fmt.Fprint(&b, "\nShared units\n------------\n")
		fmt.Fprintln(w, "  unit\tmodule\tbits\tused by\tat\treason")
		for _, s := range d.Circuit.Shares {
			for i, c := range s.Clients {
				if i == 0 {
					fmt.Fprintf(w, "  %s\t%s\t%d\t%s\t%s\t%s\n", s.Name, s.Module, s.Width, c.Unit.Name, c.Unit.Pos, s.Reason)
				} else {
					fmt.Fprintf(w, "  \t\t\t%s\t%s\t\n", c.Unit.Name, c.Unit.Pos)
				}
			}
		}
		w.Flush()
	}
	d.reportClock(&b)
	fmt.Fprint(&b, "\nChannels with a buffer\n----------------------\n")
	fmt.Fprintln(w, "  channel\tfrom\tto\tbits\tbuffer\tslots\treason")
	end := func(e circuit.End, ports []*circuit.Port) string {
		if e.Unit == nil {
			return ports[e.Port].Name
		}
		return e.Unit.Name
	}
	plain := 0
	for _, ch := range d.Circuit.Channels {
		if ch.Buffer.Kind == circuit.None {
			plain++
			continue
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%d\t%s\t%d\t%s\n", ch.Name, end(ch.From, d.Circuit.Inputs), end(ch.To, d.Circuit.Outputs), ch.Width,
			ch.Buffer.Kind, ch.Buffer.Slots, ch.Buffer.Reason)
	}
	w.Flush()
	fmt.Fprintf(&b, "The other %s wires: consumer and producer meet in one cycle there.\n", diag.Plural(plain, "channel")+map[bool]string{true: " is", false: " are"}[plain == 1])
	fmt.Fprintf(&b, "\nUnits\n-----\n%s", d.Circuit)
	return b.String()
}

// reportClock writes the target and what the longest path is.
func (d *Direct) reportClock(b *bytes.Buffer) {
	fmt.Fprint(b, "\nClock\n-----\n")
	e := d.Circuit.Estimate
	if e == nil {
		fmt.Fprintln(b, "  no target: buffers are as few as the loops allow")
		return
	}
	fmt.Fprintf(b, "  target: %s (%s)\n  %s\n", e.Target.Describe(), timing.Device, e)
	fmt.Fprintf(b, "  longest path: %s\n", strings.Join(e.Path, " -> "))
	if e.Missed != "" {
		fmt.Fprintf(b, "  the target is missed: %s\n", e.Missed)
	}
	for _, l := range e.Longer {
		fmt.Fprintf(b, "  for the clock %s\n", l)
	}
	if len(e.Later) > 0 {
		fmt.Fprintf(b, "  choose behind the operation that reads the choice: %s\n", strings.Join(e.Later, ", "))
	}
	ahead := []string{}
	for _, u := range d.Circuit.Units {
		if u.Lookahead {
			ahead = append(ahead, u.Name)
		}
	}
	if len(ahead) > 0 {
		fmt.Fprintf(b, "  compare a cycle ahead: %s\n", strings.Join(ahead, ", "))
	}
}

// Artifacts returns the simplified graph (.direct.mlir), the report (.direct.txt), a drawing
// (.direct.dot), and below rtl/ the design, the library modules that it uses, filelist.f in
// compilation order, the signature of its ports (.signature.json) and an instance to paste
// (.inst.sv). Behind a register file (control axi4lite) there are the host's files of a mapping, too:
// .direct.config.h, .direct.runtime.json, <dfg>_host.h, <dfg>_host.c and the driver.
func (d *Direct) Artifacts() *Artifacts {
	var a Artifacts
	a.add(d.Kernel.Name+".direct.mlir", []byte(d.text()))
	a.add(d.Kernel.Name+".direct.txt", []byte(d.Report()))
	a.add(d.Kernel.Name+".direct.dot", []byte(d.Circuit.Dot()))
	a.Files = append(a.Files, d.host...)
	for _, n := range d.RTL.Names() {
		a.add("rtl/"+n, []byte(d.RTL.Files[n]))
	}
	for _, n := range slices.Sorted(maps.Keys(d.descriptions)) {
		a.add("rtl/"+n, []byte(d.descriptions[n]))
	}
	return &a
}

// CosimulateDirect runs every level of the verification ladder on the same inputs, as
// Cosimulate does: the levels of Simulate, the circuit in the cycle simulator, and its RTL
// under Verilator in lock-step with it, twice in a row without a reset, so that what a run leaves
// behind is noticed. Where a part of the function stays on the host and the circuit has a register
// file, the compiled host function makes the launches, at last with its driver on the RTL.
func CosimulateDirect(ctx context.Context, d *Direct, in *Inputs, opts CosimulateOptions) (*Run, error) {
	if err := opts.Environment.Check(); err != nil {
		return nil, err
	}
	if opts.MaxCycles == 0 {
		opts.MaxCycles = DefaultMaxCycles
	}
	l := &ladder{Run: &Run{Environment: opts.Environment}, ctx: ctx, w: &opts.Watch, k: d.Kernel, in: in}
	if ok, err := l.software(); !ok || err != nil {
		return l.Run, err
	}
	if in.Whole != nil {
		if p, _ := d.deployment(); p != nil {
			var err error
			if l.host, err = p.program(ctx, &opts.Watch); err != nil {
				return l.Run, err
			}
			defer l.host.Close()
		}
	}
	ok, err := l.launches(3, "cycle simulator", func(r *launch) (*vector.Outcome, error) {
		out, loops, err := d.cycles(r.in, l.left(r))
		if r.longest && err == nil {
			l.Loops, l.MemoryLatency, l.Traffic = loops, d.Memory.Describe(), out.DRAM
		}
		return out, err
	})
	if !ok || err != nil {
		return l.Run, err
	}
	defer opts.external()()
	ok, err = l.launches(4, "Verilator, in lock-step with the cycle simulator", func(r *launch) (*vector.Outcome, error) {
		o := verilator.DirectOptions{
			RTL: d.RTL, Circuit: d.Circuit, Inputs: r.in, Latency: opts.Latency, Stall: opts.Stall, StallSeed: opts.StallSeed,
			MaxCycles: l.left(r).MaxCycles, Expected: r.want, Then: []*vector.Inputs{r.in}, ThenExpected: []*vector.Outcome{r.want}, Jobs: opts.Jobs, Building: opts.Building, Progress: opts.verilator(""),
		}
		meters := d.meters(opts.Environment)
		if r.longest {
			o.WavePath, o.Trace = opts.Waveform, meters.add
		}
		rep, err := verilator.RunDirect(ctx, o)
		if err != nil {
			return nil, err
		}
		if r.longest {
			l.Waveform = rep.WavePath
		}
		// Behind other ports than those of the cycle simulator, what happens in the RTL is what counts.
		if r.longest && d.RTL.Wrapper != nil && rep.Outcome.Status == vector.Done {
			l.Loops, l.Traffic = meters.loops(), rep.Outcome.DRAM
		}
		return rep.Outcome, nil
	})
	if ok && err == nil && l.host != nil {
		_, err = l.device(d, d.RTL.HostTop, &opts)
	}
	return l.Run, err
}

// RunCycles runs the circuit in the cycle simulator, without comparison.
func (d *Direct) RunCycles(in *Inputs, env Environment) (*Run, error) {
	if err := env.Check(); err != nil {
		return nil, err
	}
	r := &Run{Environment: env, MemoryLatency: d.Memory.Describe()}
	var err error
	r.Outcome, r.Loops, err = d.cycles(in.Kernel, env)
	if err == nil {
		r.Traffic = r.Outcome.DRAM
	}
	return r, err
}

// cycles runs the cycle simulator and measures every loop at its condition.
func (d *Direct) cycles(in *vector.Inputs, env Environment) (*vector.Outcome, []trace.LoopStat, error) {
	meters := d.meters(env)
	if env.MaxCycles == 0 {
		env.MaxCycles = DefaultMaxCycles
	}
	s, err := cycle.NewDirect(d.Circuit, in, cycle.Options{
		Latency: env.Latency, StallPercent: env.Stall, StallSeed: env.StallSeed, MaxCycles: env.MaxCycles,
		Trace: meters.add,
	})
	if err != nil {
		return nil, nil, err
	}
	out, err := s.Run()
	return out, meters.loops(), err
}

// loopMeters measure every loop of a circuit at its condition.
type loopMeters struct {
	d   *Direct
	env Environment
	// at are the channels of the conditions, by loop.
	at     []int
	meters []steady.Meter
}

func (d *Direct) meters(env Environment) *loopMeters {
	m := &loopMeters{d, env, make([]int, len(d.Loops)), make([]steady.Meter, len(d.Loops))}
	for i, l := range d.Loops {
		m.meters[i].Raw = true
		m.at[i] = slices.IndexFunc(d.Circuit.View().Signals, func(s circuit.Signal) bool { return s.Channel == l.Condition && !s.After })
	}
	return m
}

// add looks at the channels of a cycle.
func (m *loopMeters) add(now int64, ch []cycle.ChannelState) {
	for i := range m.meters {
		if x := ch[m.at[i]]; x.Valid && x.Ready {
			m.meters[i].Token(now)
			if x.Data == 0 {
				m.meters[i].End()
			}
		}
	}
}

// loops are the intervals up to now.
func (m *loopMeters) loops() []trace.LoopStat {
	loops := make([]trace.LoopStat, len(m.meters))
	for i, l := range m.d.Loops {
		x := &m.meters[i]
		loops[i] = trace.LoopStat{Op: -1, Name: l.Name, File: l.Pos.File, Line: l.Pos.Line, Depth: l.Depth, Activations: x.Activations,
			Iterations: x.Total(), II: x.Interval(), Expected: float64(l.Interval)}
		if l.Varies || m.env.Stall > 0 || m.env.Latency.OrDefault().Cycles() > m.d.Memory.Cycles() {
			loops[i].AtLeast = l.Interval > 0 // or the buffers are sized for a faster memory
		}
	}
	return loops
}
