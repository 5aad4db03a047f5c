package cycle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/internal/fabrictest"
	"loom/internal/randfabric"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// This file compares whole configured fabrics with the RTL that rtlgen makes of
// them: PEs with every kind of function unit behind switches and FIFOs, in random
// configurations that no mapping has.

// zoo is a fabric of many small tiles: a switch in front of a PE with three
// units, a FIFO behind its first output. Port widths are drawn at random, so that
// data is cut and extended on its path.
func zoo(r *rand.Rand, tiles int) *arch.Fabric {
	b := fabrictest.New("zoo", 64)
	units := b.AllUnits()
	width := func() ir.Type {
		return ir.Bits([]int{1, 8, 16, 32, 33, 64, 64, 64}[r.IntN(8)])
	}
	draw := func(n int) []ir.Type {
		out := make([]ir.Type, n)
		for i := range out {
			out[i] = width()
		}
		return out
	}
	order := r.Perm(len(units))
	for k := range tiles {
		us := []*arch.FunctionUnit{}
		for j := range 3 {
			us = append(us, units[order[(3*k+j)%len(order)]])
		}
		spec := arch.PESpec{FUs: us}
		in, out := draw(spec.MaxInputs()+r.IntN(2)), draw(spec.MaxOutputs()+r.IntN(2))
		fixed := r.IntN(4) == 0
		if fixed {
			spec.FUs, us = spec.FUs[:1], us[:1]
			in, out = draw(spec.MaxInputs()), draw(spec.MaxOutputs())
		}
		name := fmt.Sprint("t", k)
		sw := b.Switch(name+"_sw", draw(len(in)), in)
		pe := b.PE(name+"_pe", name, in, out, us...)
		pe.PE.FixedPorts = fixed
		if r.IntN(4) > 0 {
			pe.PE.Immediates = immediates(r, pe.PE)
		}
		for i, p := range sw.In {
			b.Connect(b.Input(fmt.Sprint(name, "_i", i), p.Type), fabrictest.In(sw, i))
		}
		for i := range in {
			b.Connect(fabrictest.Out(sw, i), fabrictest.In(pe, i))
		}
		for o, t := range out {
			src := fabrictest.Out(pe, o)
			if o == 0 {
				f := b.FIFO(name+"_q", t, 1+r.IntN(3), r.IntN(2) == 0)
				b.Connect(src, fabrictest.In(f, 0))
				src = fabrictest.Out(f, 0)
			}
			b.Connect(src, b.Output(fmt.Sprint(name, "_o", o), width()))
		}
	}
	return b.F
}

// immediates draws the operands of a PE that have immediates.
func immediates(r *rand.Rand, pe *arch.PESpec) []int {
	out := []int{}
	for k := range pe.MaxInputs() {
		reads := false
		for _, fu := range pe.FUs {
			reads = reads || k < len(fu.In) && fu.In[k].Type != ir.Type(ir.None)
		}
		if reads && r.IntN(3) > 0 {
			out = append(out, k)
		}
	}
	return out
}

// configure draws a configuration. Selectors of one PE never name a port twice:
// the hardware would merge or broadcast, which selectors do not do.
func configure(r *rand.Rand, l *config.Layout) *config.Image {
	img := config.New(l)
	for _, c := range l.Fabric.Comps {
		s := &img.Settings[c.ID]
		switch c.Kind {
		case arch.FIFO:
			s.Bypassed = c.FIFO.Bypassable && r.IntN(2) == 0
		case arch.SpatialSwitch:
			for o := range c.Out {
				if r.IntN(12) > 0 {
					s.Switch.Route[o] = o % len(c.In) // mostly straight, so that PEs are fed
				}
				if r.IntN(4) == 0 {
					s.Switch.Route[o] = r.IntN(len(c.In))
				}
			}
			for i := range c.In {
				s.Switch.Discard[i] = r.IntN(2) == 0
			}
		case arch.TemporalPE:
			s.TPE = fabrictest.TemporalSetting(r, c)
		case arch.SpatialPE:
			p := s.PE
			p.Enable = r.IntN(16) > 0
			p.Opcode = r.IntN(len(c.PE.FUs))
			deal := func(sel []config.Selector, ports, used int) {
				order := r.Perm(ports)
				for k := range sel {
					sel[k] = config.Selector{Disconnect: true}
					if k < len(order) && (k < used || r.IntN(2) == 0) {
						sel[k] = config.Selector{Sel: order[k], Discard: k >= used || r.IntN(12) == 0, Disconnect: r.IntN(24) == 0}
					}
					if c.PE.FixedPorts {
						if sel[k].Sel = k; sel[k].Disconnect || sel[k].Discard && &sel[0] == &p.Out[0] {
							sel[k].Sel = 0
						}
					}
				}
			}
			fu := c.PE.FUs[p.Opcode]
			deal(p.In, len(c.In), len(fu.In))
			deal(p.Out, len(c.Out), len(fu.Out))
			for k := range p.In {
				if c.PE.Held(k) && r.IntN(3) == 0 {
					p.In[k].Immediate = true
					p.In[k].Disconnect = p.In[k].Disconnect || r.IntN(3) == 0
					p.In[k].Value = r.Uint64() & mask(c.PE.Immediate(k))
					if c.PE.FixedPorts && p.In[k].Disconnect {
						p.In[k].Sel = 0
					}
				}
			}
			p.Fields = nil
			for _, f := range fu.Fields(l.Fabric.IndexWidth) {
				v := r.Uint64() & mask(f.Width)
				switch f.Name {
				case "predicate":
					v = uint64(r.IntN(10))
				case "cont_cond":
					v = 1 << r.IntN(5)
				}
				p.Fields = append(p.Fields, v)
			}
		}
	}
	return img
}

// fabric makes the units of a configured fabric between the bench's channels.
func (m *maker) fabric(f *arch.Fabric, img *config.Image, sig *rtlgen.Signature) {
	m.b.f, m.b.img, m.b.errs = f, img, &diag.List{}
	for i, in := range f.Inputs {
		m.b.inNets = append(m.b.inNets, m.in(sig.Inputs[i].Port, in.Width).net)
	}
	m.b.chans = make([]wire, len(f.Channels))
	m.b.busy = make([]bool, len(f.Channels))
	for i := range m.b.chans {
		m.b.chans[i].net = -1
	}
	m.b.feeds = make([][]feed, len(f.Comps))
	m.b.bodies = make([]*body, len(f.Comps))
	for _, c := range f.Comps {
		m.b.declare(c)
	}
	for _, c := range f.Comps {
		m.b.connect(c)
	}
	for o, b := range f.Outputs {
		w := m.b.channel(b.Chan)
		w.mask &= mask(b.Width)
		m.watch(sig.Outputs[o].Port, b.Width, w)
	}
}

// sticky computes from the errors of each cycle what the top level shows: the first
// one, from the second cycle after it. In the cycle between, the fabric is not idle.
func (g *bench) sticky() {
	var valid, code, idle *signal
	for _, s := range g.obs {
		switch s.name {
		case "error_valid":
			valid = s
		case "error_code":
			code = s
		case "idle":
			idle = s
		}
	}
	var v, k, staged uint64
	for c := range valid.at {
		nv, nk := v, k
		if v == 0 && staged != 0 {
			nv, nk = 1, staged
			idle.at[c] = 0
		}
		staged = valid.at[c] * code.at[c]
		valid.at[c], code.at[c] = v, k
		v, k = nv, nk
	}
}

func TestFabricsEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	// Sixteen tiles of three hold every unit; in everyday runs a share has to do.
	seeds, tiles := soak.Scale(1, 3), 6
	if soak.Factor() > 0 {
		tiles = 16
	}
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 21))
		equalRTL(t, uint64(seed), zoo(r, tiles), r, 300, 4, nil)
	}
}

// TestFloatPEsEqualRTL compares the PEs of random fabrics with floating point with their RTL, in configurations that no
// mapping has: units of all latencies and intervals, such that share an adder, a divider or a comparison and such that do not.
func TestFloatPEsEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	images := min(soak.Scale(4, 8), 8)
	for seed := range uint64(soak.Scale(1, 60)) {
		f, err := randfabric.Fabric(seed, randfabric.Options{Floats: true})
		if err != nil {
			continue // a switch that is too large
		}
		r := rand.New(rand.NewPCG(seed, 22))
		equalRTL(t, seed, floatTiles(r, f), r, 250, images, floatBits)
	}
}

// floatTiles is a fabric of the PEs of another one that compute with floats, one of each kind, between ports of words.
func floatTiles(r *rand.Rand, from *arch.Fabric) *arch.Fabric {
	width := from.IndexWidth
	b := fabrictest.New("zoo", width)
	seen := map[string]bool{}
	for _, c := range from.Comps {
		if c.PE == nil || !strings.Contains(c.Def, "flt") || seen[c.Def] {
			continue
		}
		seen[c.Def] = true
		words := func(n int) []ir.Type { return slices.Repeat([]ir.Type{ir.Bits(width)}, n) }
		pe := b.PE(c.Def+"_pe", c.Def, words(c.PE.MaxInputs()+r.IntN(2)), words(c.PE.MaxOutputs()+r.IntN(2)), c.PE.FUs...)
		pe.PE.Immediates = c.PE.Immediates
		for i, p := range pe.In {
			b.Connect(b.Input(fmt.Sprint(c.Def, "_i", i), p.Type), fabrictest.In(pe, i))
		}
		for o, p := range pe.Out {
			b.Connect(fabrictest.Out(pe, o), b.Output(fmt.Sprint(c.Def, "_o", o), p.Type))
		}
	}
	return b.F
}

// floatBits are words whose halves, or which as a whole, are mostly numbers of similar size.
func floatBits(r *rand.Rand, width int) uint64 {
	v := randomBits(r, width)
	switch r.IntN(4) {
	case 0:
		return v
	case 1: // two of binary32
		return mask(width) & (0x3e000000_3e000000 + r.Uint64()&0x83ffffff_83ffffff)
	}
	if width == 64 {
		return 0x3fb0000000000000 + r.Uint64()&0x807fffffffffffff&(^uint64(0)<<r.IntN(52))
	}
	return mask(width) & (0x3e000000 + r.Uint64()&0x83ffffff&(^uint64(0)<<r.IntN(23)))
}

// equalRTL runs a fabric in so many random configurations, for so many cycles each, beside its RTL; words draws what goes in
// if it is not nil.
func equalRTL(t *testing.T, seed uint64, f *arch.Fabric, r *rand.Rand, cycles, images int, words func(r *rand.Rand, width int) uint64) {
	t.Helper()
	for _, d := range (&comparison{seed: seed, cycles: cycles, images: images, words: words}).run(t, f, r) {
		t.Error(d)
	}
}

// comparison is what equalRTL does, at times in given configurations. It may change an image and its words, to what no image
// says, and the sources.
type comparison struct {
	seed           uint64
	cycles, images int
	words          func(r *rand.Rand, width int) uint64
	configure      func(image int) *config.Image
	spoil          func(img *config.Image, words []uint32)
	mutate         func(sources map[string]string)
}

// run returns the first difference in each image.
func (x *comparison) run(t *testing.T, f *arch.Fabric, r *rand.Rand) (differences []string) {
	t.Helper()
	seed, cycles, images := x.seed, x.cycles, x.images
	l := config.NewLayout(f)
	rtl, err := rtlgen.Generate(f, l, rtlgen.Meta{InputName: "zoo", InputHash: "0", ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if x.mutate != nil {
		x.mutate(rtl.Files)
	}
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"-g2012", "-Wno-timescale", "-s", "top", "-o", "top.vvp"}
	for _, s := range rtl.Sources {
		write(s, rtl.Files[s])
		args = append(args, s)
	}
	compiled := false
	for image := range images {
		var img *config.Image
		if x.configure != nil {
			img = x.configure(image)
		} else {
			img = configure(r, l)
		}
		encoded := img.Encode()
		if x.spoil != nil {
			x.spoil(img, encoded)
		}
		m := newMaker("zoo", seed*uint64(images)+uint64(image))
		m.fabric(f, img, rtl.Signature)
		if x.words != nil {
			for _, p := range m.g.ins {
				p.gen = func(int) uint64 { return x.words(m.g.rng, p.width) }
			}
		}
		m.g.hasIdle, m.g.hasErr = true, true
		g, err := m.run(cycles)
		if err == nil {
			err = m.b.errs.Err()
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range g.obs {
			s.name = strings.Replace(s.name, "err_", "error_", 1)
		}
		g.sticky()
		script, width := g.script()
		write("zoo.in", script)
		var text strings.Builder
		for _, w := range encoded {
			fmt.Fprintf(&text, "%08x\n", w)
		}
		write("cfg.in", text.String())
		if !compiled {
			write("top.sv", g.fabricTop(rtl, cycles, width, len(encoded)))
			command(t, dir, "iverilog", append(args, "top.sv")...)
			compiled = true
		}
		command(t, dir, "vvp", "-n", "top.vvp")
		diff, err := g.mismatch(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff != "" {
			differences = append(differences, fmt.Sprintf("seed %d, image %d: %s", seed, image, diff))
		}
	}
	return differences
}

// fabricTop is the module that loads the image, runs the script from the first
// running cycle on and writes what it sees.
func (g *bench) fabricTop(rtl *rtlgen.Output, cycles, width, words int) string {
	ports := []string{".clk(clk), .rst(rst), .running(running), .cfg_valid(cfg_valid), .cfg_ready(), .cfg_data(image[w]), .cfg_last(cfg_valid & last)",
		".idle(idle), .error_valid(error_valid), .error_code(error_code)"}
	for _, p := range append(append([]rtlgen.PortSignature{}, rtl.Signature.Inputs...), rtl.Signature.Outputs...) {
		ports = append(ports, fmt.Sprintf(".%s_valid(%s_valid), .%s_ready(%s_ready), .%s_data(%s_data)", p.Port, p.Port, p.Port, p.Port, p.Port, p.Port))
	}
	g.sv = fmt.Sprintf("  %s dut (%s);\n", rtl.Signature.Core, strings.Join(ports, ", "))
	text := g.replayer(cycles, width)
	// The replayer's frame is that of one module among many: here its step counter
	// and reset come from the running fabric.
	text = strings.Replace(text, "(input logic clk, input logic rst, input int n);\n", fmt.Sprintf(`(input logic clk, input logic rst);
  logic running;
  int n = 0, w = 0;
  logic [31:0] image [0:%d];
  initial $readmemh("cfg.in", image);
  wire last = w == %d;
  wire cfg_valid = !rst && !running && w < %d;
  always @(posedge clk) begin
    if (cfg_valid) w <= w + 1;
    if (running) n <= n + 1;
    if (n == %d) $finish;
  end
`, words-1, words-1, words, cycles-1), 1)
	text = strings.Replace(text, "assign now = rst ?", "assign now = !running ?", 1)
	text = strings.Replace(text, "if (!rst) $fwrite", "if (running === 1'b1) $fwrite", 1)
	return text + "module top;\n  logic clk = 0, rst = 1;\n  always #5 clk = ~clk;\n  initial #22 rst = 0;\n  bench_zoo b (.clk(clk), .rst(rst));\nendmodule\n"
}
