package host

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/compiler/mapping"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
)

// TestHardwareHasTheRegisters reads the register numbers out of the hardware and
// compares them with the table.
func TestHardwareHasTheRegisters(t *testing.T) {
	text, err := os.ReadFile("../../rtl/loom_axil_host.sv")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, m := range regexp.MustCompile(`REG_([A-Z_]+) = 10'h([0-9A-F]+)`).FindAllStringSubmatch(string(text), -1) {
		n, err := strconv.ParseInt(m[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		found[m[1]] = int(n) * 4
	}
	for _, r := range Registers {
		if r.PerChannel != Single { // by arithmetic in hardware
			continue
		}
		if got, ok := found[r.Name]; !ok || got != r.Offset {
			t.Errorf("register %s: table 0x%03X, hardware 0x%03X (found: %v)", r.Name, r.Offset, got, ok)
		}
		delete(found, r.Name)
	}
	for name := range found {
		t.Errorf("hardware register %s is not in the table", name)
	}
}

func TestDocumentationIsCurrent(t *testing.T) {
	const file = "../../docs/registers.md"
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(Markdown()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Markdown() {
		t.Errorf("%s is out of date: run LOOM_UPDATE=1 go test ./compiler/host", file)
	}
}

// runtime.json names the memories that the host reaches and what it writes there.
func TestRuntimeMemories(t *testing.T) {
	b := fabrictest.Scratch()
	text, err := Runtime(b.Binding, b.Layout, b.Fabric)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		HostMemories []hostMemoryInfo `json:"host_memories"`
		Contents     []contentsInfo   `json:"contents"`
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]hostMemoryInfo{{"ram", 16, 40}, {"table", 64, 5}}, got.HostMemories); d != "" {
		t.Error(d)
	}
	b.Binding.Contents[0].Mem = len(b.Fabric.Comps)
	if _, err := Runtime(b.Binding, b.Layout, b.Fabric); err == nil {
		t.Error("contents of a memory that the host does not reach were accepted")
	}
	want := []contentsInfo{{"low", 0, 2, []mapping.Hex{100, 0xFFFF, 102}}, {"high", 0, 38, []mapping.Hex{0x8000, 139}},
		{"entries", 1, 0, []mapping.Hex{1, 0xFEDCBA9876543210, 3, 4, 5}}}
	if d := cmp.Diff(want, got.Contents); d != "" {
		t.Error(d)
	}
}

// Names in MLIR are strings of any kind; C has other rules.
func TestNamesOfAnyKind(t *testing.T) {
	b := &mapping.Binding{Kernel: "loom", Start: 0, Done: 0}
	names := []string{"bits", "bits_2", "cycles", "dev", "status", "loom_setup", "loom_image", "loom_result0", "k", "memcpy", "NULL", "INT32_MAX", "uint32_t", "int", "bool", "and",
		"LOOM_ACCEL_H", "loom_runtime_config_words", "__LINE__", "_Bool", "1x", "a-b", "a.b", "a b", "\u03b1", "", "*/", "linux"}
	for i, n := range names {
		b.Args = append(b.Args, mapping.ArgBinding{Name: n, Type: ir.I32, Input: i + 1, Mem: -1})
		b.Results = append(b.Results, mapping.ResultBinding{Name: n, Type: ir.I32, Output: i + 1})
	}
	dir := t.TempDir()
	h, _, err := Driver()
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("loom_accel.h", h)
	put("c.h", []byte("static const uint32_t loom_runtime_config_words[] = {0};\nstatic const uint32_t loom_runtime_config_word_count = 1u;\n"))
	l := config.NewLayout(&arch.Fabric{Name: "f", IndexWidth: 32})
	for i, kernel := range []string{"loom", "int", "", "a*/ \"b\" ??/\n\\", "loom_accel_init", "main"} {
		b.Kernel = kernel
		name := fmt.Sprintf("k%d", i)
		header, source, err := (&Program{Binding: b, Layout: l, Name: name, Fabric: kernel, ConfigHeader: "c.h", IndexWidth: 32}).Source()
		if err != nil {
			t.Fatal(err)
		}
		put(name+"_host.h", header)
		put(name+"_host.c", source)
		toolstest.CleanC(t, dir, []string{name + "_host.c"})
		for _, cmd := range []*exec.Cmd{
			exec.Command("gcc", append([]string{"-std=gnu99", "-trigraphs", "-fsyntax-only", name + "_host.c"}, toolstest.Warnings...)...),
			exec.Command("g++", "-std=gnu++17", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only", "-x", "c++", name+"_host.c"),
		} {
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("kernel %q: %v\n%s", kernel, err, out)
			}
		}
	}
}
