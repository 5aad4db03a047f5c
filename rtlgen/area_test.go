package rtlgen_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
)

var cells = regexp.MustCompile(`(?m)^\s+(LUT[1-6]|FD[A-Z]+)\s+(\d+)$`)

// TestShippedArea measures the fabric that LOOM_AREA names, the smallest in the soak
// campaign, and compares it with the table of loom fabrics: 3 minutes for mesh4x4, 6 for
// mesh8x8, on an idle processor.
func TestShippedArea(t *testing.T) {
	name := os.Getenv("LOOM_AREA")
	if name == "" {
		name = shipped.Names()[0]
		if !soak() {
			t.Skip("set LOOM_AREA=NAME, or LOOM_SOAK=1 for the smallest")
		}
	}
	toolstest.Need(t, "yosys")
	out := generate(t, testkit.Fabric(t, name))
	dir := write(t, out)
	script := fmt.Sprintf("read_verilog -sv %s; synth_xilinx -noiopad -top %s; tee -o stat.txt stat -top %s", strings.Join(out.Sources, " "), out.Top, out.Top)
	cmd := exec.Command("yosys", "-q", "-p", script)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	stat, err := os.ReadFile(filepath.Join(dir, "stat.txt"))
	if err != nil {
		t.Fatal(err)
	}
	_, total, ok := strings.Cut(string(stat), "=== design hierarchy ===")
	if !ok {
		t.Fatal("no totals")
	}
	var got shipped.Figures
	for _, m := range cells.FindAllStringSubmatch(total, -1) {
		n, _ := strconv.Atoi(m[2])
		if strings.HasPrefix(m[1], "LUT") {
			got.LUTs += n
		} else {
			got.FFs += n
		}
	}
	t.Logf("%s: %d LUTs, %d flip-flops", name, got.LUTs, got.FFs)
	want := shipped.Area[name]
	if off := got.LUTs - want.LUTs; max(off, -off) > want.LUTs/20 {
		t.Errorf("%s has %d LUTs, the table %d", name, got.LUTs, want.LUTs)
	}
}
