package rtlgen_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/host"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// cocotb runs testdata/cocotb/loop_bench.py on a design under Icarus and returns what it
// prints and whether every test passed.
func cocotb(t *testing.T, p *fabrictest.Program, out *rtlgen.Output) (text string, passed bool) {
	t.Helper()
	cocotbConfig := toolstest.Python(t, "cocotb-config")
	toolstest.Need(t, "iverilog", "vvp")
	dir := write(t, out)
	registers := map[string]int{}
	for _, r := range host.Registers {
		registers[r.Name] = r.Offset
	}
	design, err := json.Marshal(map[string]any{"registers": registers, "version": host.Version,
		"layout_hash": out.Signature.LayoutHash, "image": p.Image.Encode()})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "design.json"), design, 0o644); err != nil {
		t.Fatal(err)
	}
	ask := func(args ...string) string {
		text, err := exec.Command(cocotbConfig, args...).Output()
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
	quiet(t, dir, "iverilog", "-g2012", "-s", "loop_top", "-o", "loop.vvp", "-c", "time.f", "-c", rtlgen.FileList)
	cmd := exec.Command("vvp", "-M", ask("--lib-dir"), "-m", ask("--lib-name", "vpi", "icarus"), "loop.vvp")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "MODULE=loop_bench", "TOPLEVEL=loop_top", "TOPLEVEL_LANG=verilog", "PYTHONPATH="+bench,
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
	p := fabrictest.Loop()
	if text, ok := cocotb(t, p, generate(t, p.Fabric)); !ok {
		t.Fatal(text)
	}
	for _, m := range []struct{ file, from, to string }{
		{"loom_axil_host.sv", "w_full & ~s_axil_bvalid &", "w_full &"},
		{"loom_axil_host.sv", "ar_full & ~s_axil_rvalid &", "ar_full &"},
		{"loom_axil_host.sv", "error_seen, finish}", "error_seen, 1'b0}"},
		{"loop_core.sv", fmt.Sprintf("+ %s_base[0 +: 64]", "y"), ""},
		{"loop_top.sv", "~aresetn", "aresetn"},
	} {
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
