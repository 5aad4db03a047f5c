package rtlgen_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"loom/compiler/arch/shipped"
	"loom/internal/testkit"
	"loom/internal/tools/toolstest"
)

var (
	cells   = regexp.MustCompile(`(?m)^\s+(\S+)\s+(\d+)$`)
	heading = regexp.MustCompile(`(?m)^=== (.*) ===$`)
)

// kept are the modules that stay apart in synthesis, as patterns: the components of a fabric,
// each flattened within. Flattened as a whole a fabric takes an hour.
var kept = []string{"*_pe_*", "*loom_switch*", "*loom_fifo*", "*loom_memory*", "*loom_extmemory*", "*loom_temporal_sw*",
	"*loom_load_lane*", "*loom_store_lane*", "*loom_cfg_slice*"}

// TestShippedArea measures the fabric that LOOM_AREA names, the smallest in the soak
// campaign, and compares it with the table of loom fabrics: a minute for mesh6x6, on an idle
// processor.
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
	script := fmt.Sprintf("read_verilog -sv %s; hierarchy -top %s; setattr -mod -set keep_hierarchy 1 %s; synth_xilinx -flatten -noiopad -top %s; tee -o stat.txt stat -top %s",
		strings.Join(out.Sources, " "), out.Top, strings.Join(kept, " "), out.Top, out.Top)
	cmd := exec.Command("yosys", "-q", "-p", script)
	cmd.Dir = dir
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	stat, err := os.ReadFile(filepath.Join(dir, "stat.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text, total, ok := strings.Cut(string(stat), "=== design hierarchy ===")
	if !ok {
		t.Fatal("no totals")
	}
	modules(t, text, total)
	var got shipped.Figures
	for _, m := range cells.FindAllStringSubmatch(total, -1) {
		n, _ := strconv.Atoi(m[2])
		switch {
		case strings.HasPrefix(m[1], "LUT"):
			got.LUTs += n
		case strings.HasPrefix(m[1], "FD"):
			got.FFs += n
		}
	}
	t.Logf("%s: %d LUTs, %d flip-flops", name, got.LUTs, got.FFs)
	want := shipped.Area[name]
	if off := got.LUTs - want.LUTs; max(off, -off) > want.LUTs/20 {
		t.Errorf("%s has %d LUTs, the table %d", name, got.LUTs, want.LUTs)
	}
}

// modules logs the LUTs of each module times its instances.
func modules(t *testing.T, text, total string) {
	luts, module := map[string]int{}, ""
	at := heading.FindAllStringSubmatchIndex(text, -1)
	for i, h := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		module = text[h[2]:h[3]]
		for _, m := range cells.FindAllStringSubmatch(text[h[1]:end], -1) {
			if strings.HasPrefix(m[1], "LUT") {
				n, _ := strconv.Atoi(m[2])
				luts[module] += n
			}
		}
	}
	hierarchy, _, _ := strings.Cut(total, "Number of wires")
	count, sum := map[string]int{}, map[string]int{}
	for _, m := range cells.FindAllStringSubmatch(hierarchy, -1) {
		n, _ := strconv.Atoi(m[2])
		name := m[1][strings.LastIndex(m[1], "\\")+1:]
		if strings.HasPrefix(m[1], "$paramod") && !strings.HasPrefix(m[1], "$paramod$") { // $paramod\name\parameters
			name = strings.Split(m[1], "\\")[1]
		}
		count[name] += n
		sum[name] += n * luts[m[1]]
	}
	for _, name := range slices.SortedFunc(maps.Keys(count), func(a, b string) int { return sum[b] - sum[a] }) {
		t.Logf("%7d LUTs %5d × %s", sum[name], count[name], name)
	}
}
