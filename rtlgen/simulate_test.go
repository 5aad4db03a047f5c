package rtlgen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// simulate runs the core of a design under Icarus: it fills the memories that have a
// host port with the binding's contents, loads the image, offers the tokens of every
// input with random gaps, takes those of the outputs with random gaps, and returns
// what each output delivered, what the memories hold then, and the error code.
func simulate(t *testing.T, p *fabrictest.Program, out *rtlgen.Output, feed map[string][]uint64) map[string][]uint64 {
	t.Helper()
	toolstest.Need(t, "iverilog")
	var ports, body, init, dump strings.Builder
	line := func(b *strings.Builder, format string, args ...any) { fmt.Fprintf(b, format+"\n", args...) }
	port := func(name, signal string) { fmt.Fprintf(&ports, ",\n    .%s(%s)", name, signal) }
	for i, s := range out.Signature.Inputs {
		tokens := feed[s.Name]
		line(&body, "  logic [63:0] in%d [0:%d]; logic iv%d = 0; wire ir%d; int in_at%d = 0;", i, len(tokens), i, i, i)
		for k, x := range tokens {
			line(&body, "  initial in%d[%d] = 64'h%x;", i, k, x)
		}
		line(&body, "  always @(posedge clk) if (running) begin")
		line(&body, "    if (iv%d & ir%d) begin iv%d <= 0; in_at%d <= in_at%d + 1; end", i, i, i, i, i)
		line(&body, "    else if (in_at%d < %d && $urandom %% 3 != 0) iv%d <= 1;\n  end", i, len(tokens), i)
		line(&body, "  wire [%d:0] id%d = in%d[in_at%d][%d:0];", s.Width-1, i, i, i, s.Width-1)
		port(s.Port+"_valid", fmt.Sprint("iv", i))
		port(s.Port+"_ready", fmt.Sprint("ir", i))
		port(s.Port+"_data", fmt.Sprint("id", i))
	}
	for i, s := range out.Signature.Outputs {
		line(&body, "  wire ov%d; logic or%d = 0; wire [%d:0] od%d;", i, i, s.Width-1, i)
		line(&body, "  always @(posedge clk) begin\n    or%d <= $urandom %% 3 != 0;", i)
		line(&body, "    if (running & ov%d & or%d) $display(\"%s %%h\", od%d);\n  end", i, i, s.Name, i)
		port(s.Port+"_valid", fmt.Sprint("ov", i))
		port(s.Port+"_ready", fmt.Sprint("or", i))
		port(s.Port+"_data", fmt.Sprint("od", i))
	}
	for i, h := range out.Signature.Hosts {
		line(&body, "  logic he%d = 0, hw%d = 0; logic [%d:0] ha%d; logic [%d:0] hd%d; wire [%d:0] hr%d;",
			i, i, h.AddressBits-1, i, h.ElementBits-1, i, h.ElementBits-1, i)
		for _, s := range []string{"en", "we", "addr", "wdata", "rdata"} {
			port(h.Prefix+"_"+s, map[string]string{"en": "he", "we": "hw", "addr": "ha", "wdata": "hd", "rdata": "hr"}[s]+fmt.Sprint(i))
		}
		for _, c := range p.Binding.Contents {
			if c.Mem != h.ComponentID {
				continue
			}
			for k, x := range c.Data {
				line(&init, "    he%d = 1; hw%d = 1; ha%d = %d; hd%d = 64'h%x;", i, i, i, int(c.First)+k, i, x)
				line(&init, "    @(negedge clk); he%d = 0; hw%d = 0;", i, i)
			}
		}
		line(&dump, "    for (int k = 0; k < %d; k++) begin\n      he%d = 1; ha%d = k; @(negedge clk);", h.Elements, i, i)
		line(&dump, "      $display(\"%s %%h\", hr%d);\n    end", h.Component, i)
	}
	var image strings.Builder
	words := p.Image.Encode()
	for i, w := range words {
		line(&image, "    cfg_valid = 1; cfg_data = 32'h%08x; cfg_last = %d == %d; @(negedge clk);", w, i, len(words)-1)
	}
	bench := fmt.Sprintf(`module bench;
  logic clk = 0, rst = 1, cfg_valid = 0, cfg_last = 0;
  logic [31:0] cfg_data = 0;
  wire running, idle, error_valid, cfg_ready;
  wire [15:0] error_code;
  always #5 clk = ~clk;
%s
  %s dut (.clk(clk), .rst(rst), .cfg_valid(cfg_valid), .cfg_ready(cfg_ready), .cfg_data(cfg_data), .cfg_last(cfg_last),
    .running(running), .idle(idle), .error_valid(error_valid), .error_code(error_code)%s);
  initial begin
    repeat (3) @(negedge clk);
    rst = 0;
%s%s    cfg_valid = 0;
    repeat (400) @(negedge clk);
%s    $display("idle %%h", idle);
    $display("error %%h", error_valid ? error_code : 16'd0);
    $finish;
  end
endmodule
`, body.String(), out.Signature.Core, ports.String(), init.String(), image.String(), dump.String())
	dir := write(t, out)
	if err := os.WriteFile(filepath.Join(dir, "bench.sv"), []byte(bench), 0o644); err != nil {
		t.Fatal(err)
	}
	silent(t, dir, "iverilog", "-g2012", "-Wno-timescale", "-s", "bench", "-o", "bench.vvp", "-c", rtlgen.FileList, "bench.sv")
	cmd := exec.Command("vvp", "-n", "bench.vvp")
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]uint64{}
	for _, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var name string
		var value uint64
		if _, err := fmt.Sscanf(l, "%s %x", &name, &value); err != nil {
			t.Fatalf("%q: %v", l, err)
		}
		got[name] = append(got[name], value)
	}
	return got
}

// TestTagsAndBridges runs a bridge, host ports and every tag operation in hardware
// from an encoded image: slots, tags, regions and payloads mean there what the layout
// and the model define. Then the same with one line of the generated text broken.
func TestTagsAndBridges(t *testing.T) {
	p := fabrictest.Scratch()
	feed := map[string][]uint64{
		"i": {0, 2, 36, 1}, "j": {1, 37, 1, 0}, "k": {5, 5, 35}, "v": {7, 8, 9}, "t": {1, 4, 0, 5}, "start": {0},
		"narrow": {0x81, 0x7F, 0xFF}, "token": {0, 0},
	}
	want := map[string][]uint64{
		"xi": {100, 102, 0x8000, 0xFFFF}, "xj": {0xFFFF, 139, 0xFFFF, 100}, "done": {0, 0, 0},
		"entry": {0xFEDCBA9876543210, 5, 1, 0}, "wide": {0x81, 0x7F, 0xFF}, "plain": {0x81, 0x7F, 0xFF}, "gone": {0, 0},
		"ram": make([]uint64, 40), "table": {1, 0xFEDCBA9876543210, 3, 4, 5}, "idle": {1},
		"error": {512}, // element 5 of 5
	}
	for at, x := range map[int]uint64{2: 100, 3: 0xFFFF, 4: 102, 7: 8, 37: 9, 38: 0x8000, 39: 139} {
		want["ram"][at] = x
	}
	if d := cmp.Diff(want, simulate(t, p, generate(t, p.Fabric), feed)); d != "" {
		t.Error(d)
	}
	for _, m := range []struct{ name, from, to string }{
		{"routes from the high end", `\.cfg_slot\(sw__cfg\[54:0\]\)`, ".cfg_slot({sw__cfg[54:33], sw__cfg[26], sw__cfg[27], " +
			"sw__cfg[28], sw__cfg[29], sw__cfg[30], sw__cfg[31], sw__cfg[32], sw__cfg[25:0]})"},
		{"routes before the tag", `\.cfg_slot\(sw__cfg\[54:0\]\)`, ".cfg_slot({sw__cfg[54:33], sw__cfg[25:23], sw__cfg[32:26], sw__cfg[22:0]})"},
		{"tag below the payload", `\{count_out_data, 64'd0\}`, "{64'd0, count_out_data}"},
		{"tag cut with the payload", `\{add_out_data\[66:64\], 56'd0, add_out_data\[7:0\]\}`, "{56'd0, add_out_data[10:0]}"},
		{"fields of a region shifted", `\.cfg_region\((ram__cfg\[\d+:0\])\)`, ".cfg_region(${1} << 1)"},
	} {
		out := generate(t, p.Fabric)
		file := out.Signature.Core + ".sv"
		re := regexp.MustCompile(m.from)
		if !re.MatchString(out.Files[file]) {
			t.Errorf("%s: nothing in %s matches %s", m.name, file, m.from)
			continue
		}
		out.Files[file] = re.ReplaceAllString(out.Files[file], m.to)
		if cmp.Equal(want, simulate(t, p, out, feed)) {
			t.Errorf("%s: not detected", m.name)
		}
	}
}
