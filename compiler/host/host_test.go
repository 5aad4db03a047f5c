package host

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
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

// TestDocumentationIsCurrent keeps the tables of docs/registers.md equal to the register
// map and to the fields of runtime.json.
func TestDocumentationIsCurrent(t *testing.T) {
	const file = "../../docs/registers.md"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := string(src)
	fields := "| field | meaning |\n|---|---|\n" + document(t, "", reflect.TypeFor[runtimeInfo]())
	for section, table := range map[string]string{"registers": Table(), "runtime": fields} {
		head, rest, ok := strings.Cut(want, "<!-- "+section+" -->\n")
		_, tail, ok2 := strings.Cut(rest, "<!-- /"+section+" -->")
		if !ok || !ok2 {
			t.Fatalf("%s has no section %s", file, section)
		}
		want = head + "<!-- " + section + " -->\n" + table + "<!-- /" + section + " -->" + tail
	}
	if os.Getenv("LOOM_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if d := cmp.Diff(want, string(src)); d != "" {
		t.Errorf("%s is out of date: run LOOM_UPDATE=1 go test ./compiler/host\n%s", file, d)
	}
}

// document is a row for every field of a structure and what lies below it; every field
// must say what it means.
func document(t *testing.T, prefix string, s reflect.Type) string {
	var b strings.Builder
	for i := range s.NumField() {
		f := s.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		doc := f.Tag.Get("doc")
		if name == "" || doc == "" {
			t.Errorf("%s.%s has no documentation", s, f.Name)
		}
		below := f.Type
		if below.Kind() == reflect.Slice {
			below, name = below.Elem(), name+"[]"
		}
		fmt.Fprintf(&b, "| `%s%s` | %s |\n", prefix, name, doc)
		// start and done are like a scalar.
		if below.Kind() == reflect.Struct && (f.Type.Kind() == reflect.Slice && name != "results[]") {
			b.WriteString(document(t, name+".", below))
		}
	}
	return b.String()
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
		header, source, err := (&Program{Binding: b, Layout: l, Name: name, Hardware: "fabric " + kernel, ConfigHeader: "c.h", IndexWidth: 32}).Source()
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
