package e2e

import (
	"bufio"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// maxStimulus is how many cycles a stimulus can have in hardware, and how many words a
// configuration stream.
const maxStimulus, maxWords = 8192, 4096

// bench is the RTL of a fabric under Icarus, compiled once; one process runs many
// stimuli, since starting it takes as long as some hundred cycles.
type bench struct {
	fabric *arch.Fabric
	dir    string
	hosts  []*arch.Component // memories with a host port
	// asserted are the assertions of the library (LOOM_ASSERT) that failed in the latest
	// replay; with sound, of hardware that was not changed, they fail the test.
	asserted []string
	sound    bool
}

// newBench generates and compiles the RTL of a fabric. change edits the generated files before.
func newBench(t testing.TB, f *arch.Fabric, change func(files map[string]string)) *bench {
	t.Helper()
	toolstest.Need(t, "iverilog", "vvp")
	out, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{InputName: f.Name, ToolVersion: "test"})
	if err != nil {
		t.Fatal(err)
	}
	files := maps.Clone(out.Files)
	if change != nil {
		change(files)
	}
	b := &bench{fabric: f, dir: t.TempDir(), sound: change == nil}
	for _, c := range f.Comps {
		if c.Kind == arch.Memory && !c.Mem.Private {
			b.hosts = append(b.hosts, c)
		}
	}
	args := []string{"-g2012", "-DLOOM_ASSERT", "-Wno-timescale", "-s", "top", "-o", "top.vvp"}
	files["top.sv"] = benchText(f, out)
	for _, s := range append(out.Sources[:len(out.Sources):len(out.Sources)], "top.sv") {
		if err := os.WriteFile(filepath.Join(b.dir, filepath.Base(s)), []byte(files[s]), 0o666); err != nil {
			t.Fatal(err)
		}
		args = append(args, filepath.Base(s))
	}
	b.command(t, "iverilog", args...)
	return b
}

func (b *bench) command(t testing.TB, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = b.dir
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%.3000s", name, err, text)
	}
	return string(text)
}

// benchText is the testbench. For each stimulus it resets the fabric, fills the memories through the
// host ports, sends the configuration stream, then the script, one line per cycle in
// which the fabric runs, and writes a line with what it observes. After the script it
// resets the fabric once more and writes what the error is then.
func benchText(f *arch.Fabric, out *rtlgen.Output) string {
	empty := &recording{stimulus: &stimulus{fabric: f}, out: map[string][]uint64{}}
	newDriver(empty, mustTestbench(f))
	var b, ports, fill strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	connect := func(port, to string) { fmt.Fprintf(&ports, ",\n    .%s(%s)", port, to) }
	total := 0
	for _, s := range empty.stim {
		total += s.width
	}
	line("module top;\n  logic clk = 0, rst = 1, cfg_valid = 0;\n  always #5 clk = ~clk;")
	line("  string name; int cycles, words, list, fd, n = 0, w = 0;")
	line("  logic [%d:0] stim [0:%d]; logic [32:0] image [0:%d];", total-1, maxStimulus-1, maxWords-1)
	line("  wire running, idle, error_valid, cfg_ready; wire [15:0] error_code;")
	line("  wire [%d:0] now = running ? stim[n] : '0;", total-1)
	at := 0
	for _, s := range empty.stim {
		line("  wire [%d:0] %s = now[%d +: %d];", s.width-1, s.name, at, s.width)
		at += s.width
	}
	path := "dut."
	for i, p := range out.Signature.Inputs {
		n := fmt.Sprintf("in%d", i)
		line("  wire %s_ready;", n)
		for _, s := range []string{"valid", "ready", "data"} {
			connect(p.Port+"_"+s, n+"_"+s)
		}
	}
	for i, p := range out.Signature.Outputs {
		n := fmt.Sprintf("out%d", i)
		line("  wire %s_valid; wire [%d:0] %s_data;", n, p.Width-1, n)
		for _, s := range []string{"valid", "ready", "data"} {
			connect(p.Port+"_"+s, n+"_"+s)
		}
	}
	for i, ch := range out.Signature.Channels {
		n := fmt.Sprintf("ch%d", i)
		line("  wire %s_valid = %s%s_valid, %s_ready = %s%s_ready;", n, path, ch.Path, n, path, ch.Path)
		if ch.PayloadBits > 0 {
			line("  wire [%d:0] %s_data = %s%s_data;", min(ch.PayloadBits, 64)-1, n, path, ch.Path)
		}
		if ch.TagBits > 0 {
			line("  wire [%d:0] %s_tag = %s%s_data >> %d;", ch.TagBits-1, n, path, ch.Path, ch.PayloadBits)
		}
	}
	for k, m := range out.Signature.Memories {
		n := fmt.Sprintf("bus%d_", k)
		axi := func(port, to string) { connect(m.AXI+"_"+port, to) }
		connect(m.Prefix+"_base", "'0")
		if m.Bounds {
			var sizes []string
			for r := range m.Regions {
				sizes = append([]string{fmt.Sprintf("%ssize%d", n, r)}, sizes...)
			}
			connect(m.Prefix+"_size", "{"+strings.Join(sizes, ", ")+"}")
		}
		if m.Load {
			line("  wire %sarvalid; wire [%d:0] %sarid; wire [63:0] %saraddr;", n, m.AXIIDBits-1, n, n)
			var data []string
			for w := range (m.AXIDataBits + 63) / 64 {
				data = append([]string{fmt.Sprintf("%srdata%d", n, w)}, data...)
			}
			for _, s := range []string{"arvalid", "arready", "arid", "araddr", "rvalid", "rid"} {
				axi(s, n+s)
			}
			axi("rdata", "{"+strings.Join(data, ", ")+"}")
			axi("rresp", "{2{"+n+"rerr}}")
			axi("rlast", "1'b1")
		}
		if m.Store {
			line("  wire %sawvalid, %swvalid; wire [%d:0] %sawid; wire [63:0] %sawaddr;", n, n, m.AXIIDBits-1, n, n)
			line("  wire [%d:0] %swdata; wire [%d:0] %swstrb;", m.AXIDataBits-1, n, m.AXIDataBits/8-1, n)
			for _, s := range []string{"awvalid", "awready", "awid", "awaddr", "wvalid", "wready", "wdata", "wstrb", "bvalid", "bid"} {
				axi(s, n+s)
			}
			axi("bresp", "{2{"+n+"berr}}")
		}
	}
	for k, h := range out.Signature.Hosts {
		n := fmt.Sprintf("host%d", k)
		line("  logic %s_fill = 0, %s_reading = 0; logic [%d:0] %s_at = 0;", n, n, h.AddressBits-1, n)
		line("  logic [%d:0] %s_cells [0:%d]; wire [%d:0] %s_rdata;", h.ElementBits-1, n, h.Elements-1, h.ElementBits-1, n)
		line("  always @(posedge clk) %s_reading <= %s_en;", n, n)
		connect(h.Prefix+"_en", fmt.Sprintf("%s_en | %s_fill", n, n))
		connect(h.Prefix+"_we", n+"_fill")
		connect(h.Prefix+"_addr", fmt.Sprintf("%s_fill ? %s_at : %s_addr[%d:0]", n, n, n, h.AddressBits-1))
		connect(h.Prefix+"_wdata", fmt.Sprintf("%s_cells[%s_at]", n, n))
		connect(h.Prefix+"_rdata", n+"_rdata")
		fmt.Fprintf(&fill, "    $readmemh({name, \".%s\"}, %s_cells);\n", n, n)
		fmt.Fprintf(&fill, "    for (int k = 0; k < %d; k++) begin %s_fill = 1; %s_at = k; @(negedge clk); end\n", h.Elements, n, n)
		fmt.Fprintf(&fill, "    %s_fill = 0;\n", n)
	}
	soft := ""
	if out.Top != out.Signature.Core {
		soft = ".soft_rst(1'b0), "
	}
	line("  %s dut (.clk(clk), .rst(rst), %s", out.Top, soft)
	line("    .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(image[w][31:0]), .cfg_last(image[w][32]),")
	line("    .running(running), .idle(idle), .error_valid(error_valid), .error_code(error_code)%s);", ports.String())
	line("  always @(posedge clk) n <= running === 1'b1 ? n + 1 : 0;")
	line("  initial begin\n    list = $fopen(\"list\", \"r\");")
	line("    for (int stimulus = 0; $fscanf(list, \"%%d %%d\\n\", cycles, words) == 2; stimulus++) begin")
	line("    name = $sformatf(\"stimulus%%0d\", stimulus); fd = $fopen({name, \".out\"}, \"w\");")
	line("    $readmemh({name, \".stim\"}, stim, 0, cycles - 1); $readmemh({name, \".cfg\"}, image, 0, words - 1);")
	line("    rst = 1; repeat (3) @(negedge clk);\n%s    rst = 0;", fill.String())
	line("    for (w = 0; w < words; w++) begin cfg_valid = 1; @(negedge clk); end\n    cfg_valid = 0; w = 0;")
	line("    repeat (cycles + 1) @(posedge clk); #1 rst = 1; repeat (2) @(negedge clk);")
	line("    $fwrite(fd, \"reset %%h %%h\\n\", error_valid, running); $fclose(fd);")
	line("    end $finish;\n  end")
	var format, args []string
	for _, s := range empty.obs {
		format, args = append(format, "%h"), append(args, s.expr)
	}
	line("  always @(negedge clk) if (running === 1'b1 && !rst) $fwrite(fd, \"%s\\n\",\n    %s);\nendmodule",
		strings.Join(format, " "), strings.Join(args, ",\n    "))
	return b.String()
}

// hex is the number whose bits are those of the signals in one cycle, the first at the
// low end.
func hex(signals []*signal, cycle int) string {
	total := 0
	for _, s := range signals {
		total += s.width
	}
	nibbles := make([]byte, (max(total, 1)+3)/4)
	at := 0
	for _, s := range signals {
		for k := range s.width {
			nibbles[at/4] |= byte(s.at[cycle]>>k&1) << (at % 4)
			at++
		}
	}
	var b strings.Builder
	for i := len(nibbles) - 1; i >= 0; i-- {
		b.WriteByte("0123456789abcdef"[nibbles[i]])
	}
	return b.String()
}

// replay runs the scripts of recordings in hardware and returns the first difference
// of each, "" for none.
func (b *bench) replay(t testing.TB, rs ...*recording) []string {
	t.Helper()
	var list strings.Builder
	for k, r := range rs {
		if r.cycles > maxStimulus {
			t.Fatalf("a stimulus of %d cycles", r.cycles)
		}
		fmt.Fprintf(&list, "%d %d\n", r.cycles, b.stimulus(t, r, fmt.Sprintf("stimulus%d", k)))
	}
	if err := os.WriteFile(filepath.Join(b.dir, "list"), []byte(list.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	b.asserted = nil
	for line := range strings.Lines(b.command(t, "vvp", "-n", "top.vvp")) {
		if strings.Contains(line, "LOOM_ASSERT") {
			b.asserted = append(b.asserted, strings.TrimSpace(line))
		}
	}
	if b.sound && len(b.asserted) > 0 {
		t.Errorf("%d assertions of the RTL fail, the first one: %s", len(b.asserted), b.asserted[0])
	}
	var diffs []string
	for k, r := range rs {
		text, err := os.ReadFile(filepath.Join(b.dir, fmt.Sprintf("stimulus%d.out", k)))
		if err != nil {
			t.Fatal(err)
		}
		diffs = append(diffs, r.difference(string(text)))
	}
	return diffs
}

// stimulus writes the files of a stimulus and returns the length of its configuration
// stream.
func (b *bench) stimulus(t testing.TB, r *recording, name string) int {
	t.Helper()
	write := func(ext string, put func(w *bufio.Writer)) {
		f, err := os.Create(filepath.Join(b.dir, name+ext))
		if err != nil {
			t.Fatal(err)
		}
		w := bufio.NewWriter(f)
		put(w)
		w.Flush()
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write(".stim", func(w *bufio.Writer) {
		for c := range r.cycles {
			fmt.Fprintln(w, hex(r.stim, c))
		}
	})
	words := append([]word(nil), r.before...)
	image := r.image
	if image == nil {
		image = r.img.Encode()
	}
	for i, x := range image {
		words = append(words, word{x, i == len(image)-1})
	}
	write(".cfg", func(w *bufio.Writer) {
		for _, x := range words {
			fmt.Fprintf(w, "%x%08x\n", bit(x.last), x.data)
		}
	})
	for k, c := range b.hosts {
		write(fmt.Sprintf(".host%d", k), func(w *bufio.Writer) {
			cells := make([]uint64, c.Mem.Elements)
			copy(cells, r.fill[c.Name])
			for _, v := range cells {
				fmt.Fprintf(w, "%x\n", v)
			}
		})
	}
	return len(words)
}

// difference compares what the hardware showed, a line per cycle, with the recording.
func (r *recording) difference(text string) string {
	all := strings.Split(strings.TrimSpace(text), "\n")
	for c, l := range all[:len(all)-1] {
		if c >= r.cycles {
			return fmt.Sprintf("the hardware goes on after cycle %d", c)
		}
		if d := r.differs(c, strings.Fields(l)); d != "" {
			return d
		}
	}
	if n := len(all) - 1; n != r.cycles {
		return fmt.Sprintf("the hardware runs for %d cycles, not %d", n, r.cycles)
	}
	if last := all[len(all)-1]; last != "reset 0 0" {
		return "after a reset, error_valid and running are " + last
	}
	return ""
}

// differs compares one cycle.
func (r *recording) differs(c int, fields []string) string {
	if len(fields) != len(r.obs) {
		return fmt.Sprintf("cycle %d: %d signals, not %d", c, len(fields), len(r.obs))
	}
	var diffs []string
	for i, s := range r.obs {
		if s.guard >= 0 && r.obs[s.guard].at[c] == 0 {
			continue
		}
		if v, err := strconv.ParseUint(fields[i], 16, 64); err != nil || v != s.at[c]&(^uint64(0)>>(64-s.width)) {
			diffs = append(diffs, fmt.Sprintf("%s is %s in RTL, %x in the simulator", r.meaning(s.name), fields[i], s.at[c]))
		}
	}
	if diffs == nil {
		return ""
	}
	return fmt.Sprintf("cycle %d: %s", c, strings.Join(diffs[:min(len(diffs), 8)], "; "))
}

// meaning spells the signal of a channel or port by its own name.
func (r *recording) meaning(name string) string {
	stem, rest, _ := strings.Cut(name, "_")
	k, err := strconv.Atoi(strings.TrimLeft(stem, "chinout"))
	switch {
	case err != nil:
		return name
	case strings.HasPrefix(stem, "ch"):
		return r.fabric.Channels[k].Name + "_" + rest
	case strings.HasPrefix(stem, "in"):
		return r.fabric.Inputs[k].Name + "_" + rest
	case strings.HasPrefix(stem, "out"):
		return r.fabric.Outputs[k].Name + "_" + rest
	}
	return name
}
