package rtlgen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/config"
	_ "loom/compiler/dialect/all"
	"loom/internal/fabrictest"
	"loom/internal/recorded"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

func soak() bool { return os.Getenv("LOOM_SOAK") != "" }

// write puts a design into a fresh directory.
func write(t testing.TB, out *rtlgen.Output) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range out.Names() {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(out.Files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// held lists what tools have taken without a word, and has not changed since. LOOM_UPDATE=1 writes it.
var held = recorded.In("testdata/quiet.txt")

// versionOf are the options with which tools state their versions.
var versionOf = map[string]string{"verilator": "--version", "iverilog": "-V", "yosys": "-V"}

// quiet runs a tool that must succeed and say nothing.
func quiet(t *testing.T, dir, tool string, args ...string) {
	t.Helper()
	toolstest.Need(t, tool)
	texts := append([]string{recorded.Version(t, tool, versionOf[tool])}, args...)
	held.Held(t, recorded.Files(t, dir, texts...), func() bool {
		t.Helper()
		return silent(t, dir, tool, args...)
	})
}

// silent reports whether a tool succeeds and says nothing; else that is an error.
func silent(t *testing.T, dir, tool string, args ...string) bool {
	t.Helper()
	cmd := exec.Command(tool, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || len(strings.TrimSpace(string(out))) > 0 {
		const limit = 4000
		if len(out) > limit {
			out = out[:limit]
		}
		t.Errorf("%s %s: %v\n%s", tool, strings.Join(args, " "), err, out)
		return false
	}
	return true
}

func lint(t *testing.T, out *rtlgen.Output) {
	t.Helper()
	dir := write(t, out)
	// The fabric with its host register file where it has one; the fabric is inside.
	stem := strings.TrimSuffix(out.Signature.Core, "_core")
	top := stem + "_top"
	if out.Files[top+".sv"] == "" {
		top = stem + "_fabric"
	}
	quiet(t, dir, "verilator", "--lint-only", "-Wall", "--top-module", top, "-f", rtlgen.FileList)
	quiet(t, dir, "iverilog", "-g2012", "-Wall", "-Wno-timescale", "-s", top, "-o", os.DevNull, "-c", rtlgen.FileList)
	// And, where that is fast, with the assertions for users' simulators.
	if len(out.Signature.Channels) < 200 || soak() {
		quiet(t, dir, "verilator", "--lint-only", "-Wall", "-DLOOM_ASSERT", "--top-module", top, "-f", rtlgen.FileList)
		quiet(t, dir, "iverilog", "-g2012", "-Wall", "-Wno-timescale", "-DLOOM_ASSERT", "-s", top, "-o", os.DevNull, "-c", rtlgen.FileList)
	}
}

// TestLint: Verilator and Icarus accept generated designs without a warning.
func TestLint(t *testing.T) {
	bridges, _ := fabrictest.Bridges(32)
	fabrics := map[string]*arch.Fabric{
		"bridges": bridges,
		"everything, masters that loads alone and stores alone have": onMasters(fabrictest.Everything(32)),
		"everything, 32-bit index":                                   fabrictest.Everything(32), "everything, 64-bit index": fabrictest.Everything(64),
		"loop": fabrictest.Loop().Fabric, "tiny": fabrictest.Tiny(),
	}
	if soak() {
		fabrics["bridges, 57-bit index"], _ = fabrictest.Bridges(57)
		shared, _ := fabrictest.Bridges(32)
		fabrics["bridges on one master"] = onMasters(shared)
	}
	for name, f := range fabrics {
		t.Run(name, func(t *testing.T) { lint(t, generate(t, f)) })
	}
	for _, name := range testkit.Architectures(t) {
		t.Run(name, func(t *testing.T) {
			f := testkit.Fabric(t, name)
			if !slices.Contains([]string{"mesh4x4", "mesh_io_ring4x5"}, name) && !soak() {
				generate(t, f)
				t.Skip("generated; set LOOM_SOAK=1 to lint every fabric")
			}
			lint(t, generate(t, f))
		})
	}
}

// onMasters has the external memories of a fabric share AXI4 masters: one of those that only read, one of those that only write, one of
// the others, with words of two elements or more where they are not of 64 bits.
func onMasters(f *arch.Fabric) *arch.Fabric {
	for _, c := range f.ExternalMemories() {
		m := c.Mem
		m.Burst, m.BusWidth = 4, max(m.BusWidth, 64)
		switch {
		case m.TagWidth > 0:
			m.Master = "all"
		case m.StCount == 0:
			m.Master = "in"
		case m.LdCount == 0:
			m.Master = "out"
		default:
			m.Master = "all"
		}
	}
	return f
}

// TestMasterNames: ports of two masters do not have the same names.
func TestMasterNames(t *testing.T) {
	f := fabrictest.Loop().Fabric
	f.ExternalMemories()[1].Mem.Master = "x" // the name of the other one
	_, err := rtlgen.Generate(f, config.NewLayout(f), rtlgen.Meta{})
	if err == nil || !strings.Contains(err.Error(), "two AXI4 masters with ports m_axi_x_") {
		t.Errorf("a master called as a memory is: %v", err)
	}
}

// yosys runs a script over a design.
func yosys(t *testing.T, out *rtlgen.Output, script string) {
	t.Helper()
	dir := write(t, out)
	quiet(t, dir, "yosys", "-q", "-p", "read_verilog -sv "+strings.Join(out.Sources, " ")+"; "+strings.ReplaceAll(script, "TOP", out.Top))
}

// noLatches fails on latches and on combinational loops.
const noLatches = "; select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:LDCE t:LDPE t:LDCP; check -assert"

// TestYosys: generated designs elaborate without latches and without
// combinational loops, and synthesize for both families.
func TestYosys(t *testing.T) {
	tiny := generate(t, fabrictest.Tiny())
	t.Run("structure", func(t *testing.T) {
		yosys(t, generate(t, fabrictest.Everything(32)), "hierarchy -top TOP; proc; flatten; opt_clean"+noLatches)
	})
	t.Run("bridges", func(t *testing.T) {
		f, _ := fabrictest.Bridges(32)
		flatten := ""
		if soak() {
			flatten = "flatten; "
		}
		yosys(t, generate(t, f), "hierarchy -check -top bridges_top; proc; "+flatten+"opt_clean"+noLatches)
	})
	t.Run("xilinx", func(t *testing.T) {
		yosys(t, tiny, "synth_xilinx -flatten -noiopad -top TOP"+noLatches)
	})
	t.Run("ice40", func(t *testing.T) {
		yosys(t, tiny, "synth_ice40 -top TOP"+noLatches)
	})
	if !soak() {
		return
	}
	t.Run("scratch", func(t *testing.T) {
		yosys(t, generate(t, fabrictest.Scratch().Fabric), "hierarchy -check -top scratch_top; proc; flatten; opt_clean"+noLatches)
	})
	t.Run("loop", func(t *testing.T) {
		yosys(t, generate(t, fabrictest.Loop().Fabric), "synth_ice40 -top TOP"+noLatches)
	})
	t.Run("everything", func(t *testing.T) {
		yosys(t, generate(t, fabrictest.Everything(32)), "synth_xilinx -flatten -noiopad -top TOP"+noLatches)
	})
	for _, topology := range []string{"torus4x5", "mesh_io_ring4x5"} {
		t.Run(topology, func(t *testing.T) {
			yosys(t, generate(t, testkit.Fabric(t, topology)), "hierarchy -check -top TOP; proc; flatten; opt_clean"+noLatches)
		})
	}
	t.Run("mesh", func(t *testing.T) {
		yosys(t, generate(t, testkit.Fabric(t, "mesh4x4")), "synth_xilinx -flatten -noiopad -top TOP"+noLatches)
	})
}
