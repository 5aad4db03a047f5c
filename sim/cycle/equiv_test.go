package cycle

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/latency"
	"loom/internal/recorded"
)

// This file holds the bench that compares one Go unit with its RTL module. The
// Go model runs first on random traffic and leaves a script of inputs and of the
// outputs it predicts; many modules then replay their scripts in one Icarus
// simulation. Since inputs follow the predicted ready signals, the first wrong
// output of the RTL is a mismatch of that very cycle.

// signal is one value per cycle.
type signal struct {
	name  string
	width int
	// guard is the observed signal that shows whether this one is meaningful in a
	// cycle, -1 for always.
	guard int
	// when is a signal that shows the same, nil for always.
	when *signal
	at   []uint64
}

// bench is one module under comparison.
type bench struct {
	name string
	// sv instantiates the module; signals are wires with the bench's own names.
	sv   string
	ins  []*inPort
	outs []*outPort
	// stim and obs are the signals in script order.
	stim, obs []*signal
	// extra runs in every settled cycle, for signals that are no channels.
	extra func(g *bench)
	e     *Sim
	rng   *rand.Rand
	// idle: the module has an idle output.
	hasIdle, hasErr bool
}

// inPort is an input channel that the bench feeds.
type inPort struct {
	name  string
	width int // 0 for channels without a data port
	net   int32
	gen   func(n int) uint64 // the n-th token
	n     int
	hold  bool
	data  uint64

	valid, bits, ready *signal
}

// outPort is an output channel that the bench drains.
type outPort struct {
	name  string
	width int
	w     wire

	valid, bits, ready *signal
}

// maker builds benches of units from nets.
type maker struct {
	b       *builder
	g       *bench
	variant int // of its primitive
}

func newMaker(name string, seed uint64) *maker {
	env := &environment{latency: latency.Default}
	return &maker{
		b: &builder{f: &arch.Fabric{Name: name, IndexWidth: 64}, env: env},
		g: &bench{name: name, rng: rand.New(rand.NewPCG(seed, 99))},
	}
}

// in adds an input channel with random tokens.
func (m *maker) in(name string, width int) wire {
	n := m.b.newNet()
	p := &inPort{name: name, width: width, net: n}
	r := m.g.rng
	p.gen = func(int) uint64 { return randomBits(r, width) }
	m.g.ins = append(m.g.ins, p)
	return wire{n, mask(width)}
}

// feed replaces the tokens of the latest input.
func (m *maker) feed(gen func(n int) uint64) { m.g.ins[len(m.g.ins)-1].gen = gen }

func (m *maker) out(name string, width int) int32 {
	n := m.b.newNet()
	m.watch(name, width, wire{n, mask(width)})
	return n
}

func (m *maker) watch(name string, width int, w wire) {
	m.g.outs = append(m.g.outs, &outPort{name: name, width: width, w: w})
}

// randomBits favours the values at the edges.
func randomBits(r *rand.Rand, width int) uint64 {
	if width == 0 {
		return 0
	}
	v := r.Uint64()
	switch r.IntN(6) {
	case 0:
		v = uint64(r.IntN(4))
	case 1:
		v = -uint64(r.IntN(4))
	case 2:
		v = 1 << (width - 1)
	}
	return v & mask(width)
}

func (g *bench) addStim(name string, width int) *signal {
	s := &signal{name: name, width: width, guard: -1}
	g.stim = append(g.stim, s)
	return s
}

func (g *bench) addObs(name string, width, guard int) *signal {
	s := &signal{name: name, width: width, guard: guard}
	g.obs = append(g.obs, s)
	return s
}

// run drives random traffic through the Go model for a number of cycles.
func (m *maker) run(cycles int) (*bench, error) {
	g := m.g
	s := &Sim{env: m.b.env}
	if err := m.b.finish(s); err != nil {
		return nil, err
	}
	g.e = s
	for _, p := range g.ins {
		p.valid = g.addStim(p.name+"_valid", 1)
		if p.width > 0 {
			p.bits = g.addStim(p.name+"_data", p.width)
		}
		p.ready = g.addObs(p.name+"_ready", 1, -1)
	}
	for _, p := range g.outs {
		p.ready = g.addStim(p.name+"_ready", 1)
		p.valid = g.addObs(p.name+"_valid", 1, -1)
		if p.width > 0 {
			p.bits = g.addObs(p.name+"_data", p.width, len(g.obs)-1)
		}
	}
	var idle, errValid, errCode *signal
	if g.hasIdle {
		idle = g.addObs("idle", 1, -1)
	}
	if g.hasErr {
		errValid = g.addObs("err_valid", 1, -1)
		errCode = g.addObs("err_code", 16, len(g.obs)-1)
	}
	rates := []float64{0, 0.1, 0.5, 0.9, 1}
	rate := make([]float64, len(g.ins)+len(g.outs))
	for c := range cycles {
		if c%40 == 0 {
			for i := range rate {
				rate[i] = rates[g.rng.IntN(len(rates))]
			}
			if c%200 == 0 { // everything at full speed for a while
				for i := range rate {
					rate[i] = 1
				}
			}
		}
		for i, p := range g.ins {
			if !p.hold && g.rng.Float64() < rate[i] {
				p.hold, p.data = true, p.gen(p.n)
				p.n++
			}
			s.drive(p.net, p.hold, p.data)
			p.valid.at = append(p.valid.at, bit(p.hold))
			if p.bits != nil {
				d := p.data
				if !p.hold {
					d = randomBits(g.rng, p.width) // means nothing, must change nothing
				}
				p.bits.at = append(p.bits.at, d)
			}
		}
		for i, p := range g.outs {
			r := g.rng.Float64() < rate[len(g.ins)+i]
			s.accept(p.w, r)
			p.ready.at = append(p.ready.at, bit(r))
		}
		s.settle()
		for _, p := range g.ins {
			n := &s.nets[p.net]
			p.ready.at = append(p.ready.at, bit(n.ready))
			if n.valid && n.ready {
				p.hold = false
			}
		}
		for _, p := range g.outs {
			p.valid.at = append(p.valid.at, bit(s.valid(p.w)))
			if p.bits != nil {
				p.bits.at = append(p.bits.at, s.val(p.w))
			}
		}
		if idle != nil {
			idle.at = append(idle.at, bit(s.engine.idle()))
		}
		if g.extra != nil {
			g.extra(g)
		}
		s.errCode = 0
		s.edge()
		if errValid != nil {
			errValid.at = append(errValid.at, bit(s.errCode != 0))
			errCode.at = append(errCode.at, uint64(s.errCode))
		}
	}
	return g, nil
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// script writes a bench's inputs, one hexadecimal number per cycle; the first
// signal is in the low bits.
func (g *bench) script() (string, int) {
	total := 0
	for _, s := range g.stim {
		total += s.width
	}
	total = max(total, 1)
	var b strings.Builder
	nibbles := make([]byte, (total+3)/4)
	for c := range len(g.obs[0].at) {
		clear(nibbles)
		at := 0
		for _, s := range g.stim {
			for k := range s.width {
				nibbles[at/4] |= byte(s.at[c]>>k&1) << (at % 4)
				at++
			}
		}
		for i := len(nibbles) - 1; i >= 0; i-- {
			b.WriteByte("0123456789abcdef"[nibbles[i]])
		}
		b.WriteByte('\n')
	}
	return b.String(), total
}

// replayer is a module that holds the module under comparison, its script, and
// writes what it observes.
func (g *bench) replayer(cycles, width int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "module bench_%s (input logic clk, input logic rst, input int n);\n", g.name)
	fmt.Fprintf(&b, "  logic [%d:0] stim [0:%d];\n  initial $readmemh(\"%s.in\", stim);\n", width-1, cycles-1, g.name)
	fmt.Fprintf(&b, "  logic [%d:0] now;\n  assign now = rst ? '0 : stim[n];\n", width-1)
	at := 0
	for _, s := range g.stim {
		fmt.Fprintf(&b, "  wire [%d:0] %s = now[%d +: %d];\n", s.width-1, s.name, at, s.width)
		at += s.width
	}
	for _, s := range g.obs {
		fmt.Fprintf(&b, "  wire [%d:0] %s;\n", s.width-1, s.name)
	}
	b.WriteString(g.sv)
	fmt.Fprintf(&b, "  int fd;\n  initial fd = $fopen(\"%s.out\", \"w\");\n", g.name)
	var format, args []string
	for _, s := range g.obs {
		format = append(format, "%h")
		args = append(args, s.name)
	}
	fmt.Fprintf(&b, "  always @(negedge clk) if (!rst) $fwrite(fd, \"%s\\n\", %s);\nendmodule\n", strings.Join(format, " "), strings.Join(args, ", "))
	return b.String()
}

// mismatch is the first difference of a bench, "" for none.
func (g *bench) mismatch(dir string) (string, error) {
	f, err := os.Open(filepath.Join(dir, g.name+".out"))
	if err != nil {
		return "", err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	c := 0
	for ; sc.Scan() && c < len(g.obs[0].at); c++ {
		fields := strings.Fields(sc.Text())
		if len(fields) != len(g.obs) {
			return "", fmt.Errorf("%s: line %d has %d fields, not %d", g.name, c, len(fields), len(g.obs))
		}
		for i, s := range g.obs {
			if s.guard >= 0 && g.obs[s.guard].at[c] == 0 || s.when != nil && s.when.at[c] == 0 {
				continue
			}
			if v, err := strconv.ParseUint(fields[i], 16, 64); err != nil || v != s.at[c] {
				return fmt.Sprintf("%s: cycle %d: %s is %s in RTL, %x in the model\n%s", g.name, c, s.name, fields[i], s.at[c], g.history(c)), nil
			}
		}
	}
	if c != len(g.obs[0].at) {
		return "", fmt.Errorf("%s: the RTL stopped after %d cycles", g.name, c)
	}
	return "", nil
}

// history shows the last cycles up to c as the model saw them.
func (g *bench) history(c int) string {
	var b strings.Builder
	for k := max(0, c-4); k <= c; k++ {
		fmt.Fprintf(&b, "  %d:", k)
		for _, s := range append(append([]*signal{}, g.stim...), g.obs...) {
			fmt.Fprintf(&b, " %s=%x", s.name, s.at[k])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// compared lists comparisons with the RTL that gave what they must, and have not changed since: by the benches, what the model gives, how
// they are compared, and the sources. LOOM_UPDATE=1 writes it.
var compared = recorded.In("testdata/compared.txt")

// replayed is the hash of all that replay depends on.
func replayed(t *testing.T, rtlDir string, benches []*bench) string {
	t.Helper()
	texts := []string{recorded.Version(t, "iverilog", "-V")}
	for _, g := range benches {
		text, width := g.script()
		texts = append(texts, g.name, text, g.replayer(len(g.obs[0].at), width))
		for _, s := range g.obs {
			texts = append(texts, fmt.Sprint(s.name, s.width, s.guard, s.at))
			if s.when != nil {
				texts = append(texts, fmt.Sprint(s.when.at))
			}
		}
	}
	files, err := filepath.Glob(rtlDir + "/*.sv")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range append(files, "equiv_test.go") {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, filepath.Base(f), string(text))
	}
	return recorded.Text(texts...)
}

// replay runs all benches in one simulation against the library in rtlDir.
func replay(t *testing.T, rtlDir string, benches []*bench) []string {
	t.Helper()
	dir := t.TempDir()
	cycles := len(benches[0].obs[0].at)
	var top, mods strings.Builder
	top.WriteString("module top;\n  logic clk = 0, rst = 1;\n  int n = 0;\n  always #5 clk = ~clk;\n")
	fmt.Fprintf(&top, "  int k = 0;\n  always @(posedge clk) begin\n    k <= k + 1;\n    if (k == 2) rst <= 0;\n    if (!rst) n <= n + 1;\n    if (n == %d) $finish;\n  end\n", cycles-1)
	for _, g := range benches {
		text, width := g.script()
		if err := os.WriteFile(filepath.Join(dir, g.name+".in"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		mods.WriteString(g.replayer(cycles, width))
		fmt.Fprintf(&top, "  bench_%s b_%s (.clk(clk), .rst(rst), .n(n));\n", g.name, g.name)
	}
	top.WriteString("endmodule\n")
	if err := os.WriteFile(filepath.Join(dir, "top.sv"), []byte(mods.String()+top.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	abs, err := filepath.Abs(rtlDir)
	if err != nil {
		t.Fatal(err)
	}
	command(t, dir, "iverilog", "-g2012", "-Wno-timescale", "-Wno-portbind", "-y", abs, "-Y", ".sv", "-s", "top", "-o", "top.vvp", filepath.Join(abs, "loom_pkg.sv"), "top.sv")
	command(t, dir, "vvp", "-n", "top.vvp")
	var out []string
	for _, g := range benches {
		m, err := g.mismatch(dir)
		if err != nil {
			t.Error(err)
		}
		if m != "" {
			out = append(out, m)
		}
	}
	return out
}

func command(t *testing.T, dir string, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
}
