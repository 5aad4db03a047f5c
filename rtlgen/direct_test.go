package rtlgen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"loom/compiler/circuit"
	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/simplify"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// directRTL is the RTL of a kernel of testdata/kernels, for a memory of some latency. Half of the
// kernels have a clock target.
func directRTL(t testing.TB, name string, memory int64) *rtlgen.Output {
	t.Helper()
	return wrappedRTL(t, name, memory, rtlgen.Ports{})
}

// wrappedRTL is the same with other ports.
func wrappedRTL(t testing.TB, name string, memory int64, ports rtlgen.Ports) *rtlgen.Output {
	t.Helper()
	return loweredRTL(t, name, lower.Options{IndexWidth: 32, MemoryOrder: "pipelined"}, memory, ports)
}

// loweredRTL is the same with other options of the lowering.
func loweredRTL(t testing.TB, name string, o lower.Options, memory int64, ports rtlgen.Ports) *rtlgen.Output {
	t.Helper()
	low, err := lower.Lower(testkit.Kernel(t, name), o)
	if err != nil {
		t.Fatal(err)
	}
	fn, err := simplify.Run(low.Func, simplify.Options{IndexWidth: 32})
	if err != nil {
		t.Fatal(err)
	}
	clock := circuit.Clock{}
	if len(name)%2 == 0 {
		clock.MHz = 160
	}
	c, err := circuit.Build(fn, circuit.Options{IndexWidth: 32, Latency: latency.Fixed(memory), Clock: clock})
	if err != nil {
		t.Fatal(err)
	}
	out, err := rtlgen.GenerateDirect(c, rtlgen.Meta{InputName: name, ToolVersion: "test", Ports: ports})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestDirectTools: the RTL of every kernel passes Verilator -Wall, Icarus and Yosys without a
// warning.
func TestDirectTools(t *testing.T) {
	for _, tool := range []string{"verilator", "iverilog", "yosys"} {
		toolstest.Need(t, tool)
	}
	files, err := filepath.Glob(testkit.Testdata(t, "kernels", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatal(err)
	}
	for _, path := range files {
		name := filepath.Base(path[:len(path)-len(".mlir")])
		t.Run(name, func(t *testing.T) {
			checkTools(t, name, directRTL(t, name, 4))
		})
	}
	t.Run("an array is restored", func(t *testing.T) { checkTools(t, "counters", directRTL(t, "local/counters", 1)) })
	t.Run("interlocks", func(t *testing.T) {
		out := loweredRTL(t, "histogram", lower.Options{IndexWidth: 32, MemoryOrder: "pipelined", Interlocks: true}, 4, rtlgen.Ports{})
		if !slices.Contains(out.Sources, "loom_interlock.sv") {
			t.Errorf("the sources are %v", out.Sources)
		}
		checkTools(t, "interlocks", out)
	})
}

// TestWrapperTools: the same with a wrapper: loads alone, stores of narrow elements, both.
func TestWrapperTools(t *testing.T) {
	for _, tool := range []string{"verilator", "iverilog", "yosys"} {
		toolstest.Need(t, tool)
	}
	for name, ports := range map[string]rtlgen.Ports{
		"matvec": {Default: rtlgen.PortsAXI4, Control: rtlgen.ControlAXI4Lite, Bounds: true},
		"dot":    {Default: rtlgen.PortsAXI4}, "histogram": {Default: rtlgen.PortsAXI4Each},
		"vecadd": {Default: rtlgen.PortsAXI4, Control: rtlgen.ControlAXI4Lite}, "gcd": {Control: rtlgen.ControlAXI4Lite},
	} {
		t.Run(name, func(t *testing.T) { checkTools(t, name, wrappedRTL(t, name, 4, ports)) })
	}
}

// checkTools holds the RTL of a direct circuit against the tools.
func checkTools(t *testing.T, name string, out *rtlgen.Output) {
	t.Helper()
	dir := t.TempDir()
	if keep := os.Getenv("LOOM_KEEP"); keep != "" {
		dir = filepath.Join(keep, name)
		os.MkdirAll(dir, 0o755)
	}
	for file, text := range out.Files {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
	}
	run("verilator", append([]string{"--lint-only", "-Wall", "--top-module", out.Top}, out.Sources...)...)
	run("iverilog", append([]string{"-g2012", "-o", "/dev/null", "-s", out.Top}, out.Sources...)...)
	script := "read_verilog -sv"
	for _, s := range out.Sources {
		script += " " + s
	}
	run("yosys", "-q", "-p", script+"; hierarchy -check -top "+out.Top+"; proc; flatten; opt_clean; check -assert")
}
