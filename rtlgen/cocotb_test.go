package rtlgen_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/config"
	"loom/compiler/host"
	"loom/internal/fabrictest"
	"loom/internal/recorded"
	"loom/internal/tools"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// cocotb runs testdata/cocotb/loop_bench.py on a fabric.
func cocotb(t *testing.T, p *fabrictest.Program, out *rtlgen.Output) (text string, passed bool) {
	t.Helper()
	return cocotbBench(t, out, "loop_top", "loop_bench", map[string]any{"layout_hash": out.Signature.LayoutHash, "image": p.Image.Encode(),
		"reads": out.Signature.Memories[0].AXI, "writes": out.Signature.Memories[1].AXI})
}

// cocotbBench runs a module of testdata/cocotb on a design under Icarus and returns what it
// prints and whether every test passed. The module finds facts on the design in design.json.
func cocotbBench(t *testing.T, out *rtlgen.Output, top, module string, facts map[string]any) (text string, passed bool) {
	t.Helper()
	cocotbConfig := toolstest.Python(t, "cocotb-config")
	toolstest.Need(t, "iverilog", "vvp", tools.LibPython)
	dir := write(t, out)
	registers := map[string]int{}
	for _, r := range host.Registers {
		registers[r.Name] = r.Offset
	}
	facts["registers"], facts["version"] = registers, host.Version
	design, err := json.Marshal(facts)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "design.json"), design, 0o644); err != nil {
		t.Fatal(err)
	}
	ask := func(args ...string) string {
		text, err := tools.Output(t.Context(), cocotbConfig, args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	bench, err := filepath.Abs("testdata/cocotb")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "time.f"), []byte("+timescale+1ns/1ps\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	silent(t, dir, "iverilog", "-g2012", "-s", top, "-o", "bench.vvp", "-c", "time.f", "-c", rtlgen.FileList)
	cmd := exec.Command("vvp", "-M", ask("--lib-dir"), "-m", ask("--lib-name", "vpi", "icarus"), "bench.vvp")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MODULE="+module, "TOPLEVEL="+top, "TOPLEVEL_LANG=verilog", "PYTHONPATH="+bench,
		"PYTHONDONTWRITEBYTECODE=1", "LOOM_DESIGN=design.json", "LIBPYTHON_LOC="+ask("--libpython"), "RANDOM_SEED=1",
		"PATH="+filepath.Dir(cocotbConfig)+":"+os.Getenv("PATH"), "VIRTUAL_ENV="+filepath.Dir(filepath.Dir(cocotbConfig)))
	log, err := cmd.CombinedOutput()
	text = string(log)
	if err != nil && !strings.Contains(text, "FAIL") {
		t.Fatalf("vvp: %v\n%s", err, text)
	}
	return text, strings.Contains(text, "TESTS=2 PASS=2 FAIL=0")
}

// TestCocotb drives <adg>_top with the AXI4-Lite master and the AXI4 memories of
// cocotbext-axi, all channels with pauses, and shows that the bench finds faults.
func TestCocotb(t *testing.T) {
	if !soak() {
		t.Skip("set LOOM_SOAK=1")
	}
	p, shared := fabrictest.Loop(), fabrictest.Loop()
	for _, c := range shared.Fabric.ExternalMemories() {
		c.Mem.Master, c.Mem.BusWidth, c.Mem.Burst = "ddr", 128, 8
	}
	shared.Layout = config.NewLayout(shared.Fabric)
	shared.Image = &config.Image{Layout: shared.Layout, Settings: shared.Image.Settings}
	for _, p := range []*fabrictest.Program{p, shared} {
		if text, ok := cocotb(t, p, generate(t, p.Fabric)); !ok {
			t.Fatal(text)
		}
	}
	for _, m := range []struct{ file, from, to string }{
		{"loom_axi_pack.sv", "m_wide | (m_lane == l[LB-1:0])", "1'b1"},
		{"loom_axi_port.sv", ".s_w_data({LANES{run_w_data}})", ".s_w_data(BUS_DW'(run_w_data))"},
		{"loom_axil_host.sv", "w_full & ~s_axil_bvalid &", "w_full &"},
		{"loom_axil_host.sv", "ar_full & ~s_axil_rvalid &", "ar_full &"},
		{"loom_axil_host.sv", "error_seen, finish}", "error_seen, 1'b0}"},
		{"loop_core.sv", fmt.Sprintf("+ %s_base[0 +: 64]", "y"), ""},
		{"loop_top.sv", "~aresetn", "aresetn"},
	} {
		p := p
		if m.file == "loom_axi_port.sv" || m.file == "loom_axi_pack.sv" {
			p = shared
		}
		out := generate(t, p.Fabric)
		broken := strings.Replace(out.Files[m.file], m.from, m.to, 1)
		if broken == out.Files[m.file] {
			t.Fatalf("%s lacks %q", m.file, m.from)
		}
		out.Files[m.file] = broken
		if _, ok := cocotb(t, p, out); ok {
			t.Errorf("%s: %q instead of %q: not detected", m.file, m.to, m.from)
		}
	}
}

// TestCocotbCircuit drives a direct circuit with bursts behind a register file with the AXI4-Lite master and
// an AXI4 slave of cocotbext-axi, with pauses, errors in the middle of bursts and resets in the middle of
// runs, and shows that the bench finds faults.
func TestCocotbCircuit(t *testing.T) {
	const burst = 8
	generate := func(width int) *rtlgen.Output {
		return wrappedRTL(t, "vecadd", 64, rtlgen.Ports{Default: rtlgen.PortsAXI4, Control: rtlgen.ControlAXI4Lite, Outstanding: 96, Burst: burst, Width: width})
	}
	run := func(out *rtlgen.Output, width int) (string, bool) {
		return cocotbBench(t, out, "vecadd_top", "circuit_bench", map[string]any{"burst": burst, "word": width / 8})
	}
	packages, err := os.ReadFile("../scripts/python.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int{32, 128} {
		out := generate(width)
		reads := recorded.Files(t, write(t, out), recorded.Files(t, "testdata/cocotb"), recorded.Files(t, "cocotb_test.go"), string(packages),
			recorded.Version(t, "iverilog", versionOf["iverilog"]))
		held.Held(t, reads, func() bool {
			text, ok := run(out, width)
			if !ok {
				t.Error(text)
			}
			return ok
		})
	}
	if !soak() {
		return
	}
	for _, m := range []struct {
		width          int
		file, from, to string
	}{
		{32, "loom_axi_load.sv", "draining <= closed & (|reads)", "draining <= 1'b0"},
		{32, "loom_axi_load.sv", "give_ready & give_err & ~closed", "give_ready & give_err & r_last & ~closed"},
		{32, "loom_axi_store.sv", ".m_bresp({b_err, 1'b0})", ".m_bresp(2'b00)"},
		{32, "loom_axi_run.sv", "len <= len + LW'(1)", "len <= len"},
		{32, "loom_axi_coalesce.sv", "m_wlast  = beat == length", "m_wlast  = beat == '0"},
		{128, "loom_axi_read.sv", "head_wide ? next : head_lane", "head_lane"},
		{128, "loom_axi_read.sv", "& (&run_len[LB-1:0])", "& (|run_len[LB-1:0])"},
		{128, "loom_axi_pack.sv", "m_wide | (m_lane == l[LB-1:0])", "1'b1"},
	} {
		out := generate(m.width)
		broken := strings.Replace(out.Files[m.file], m.from, m.to, 1)
		if broken == out.Files[m.file] {
			t.Fatalf("%s lacks %q", m.file, m.from)
		}
		out.Files[m.file] = broken
		if _, ok := run(out, m.width); ok {
			t.Errorf("%s: %q instead of %q: not detected", m.file, m.to, m.from)
		}
	}
}
