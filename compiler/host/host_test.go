package host

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
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
		if r.Name == "ARG" || r.Name == "RESULT" { // arrays, by arithmetic in hardware
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

// fakeDevice is a register file in C that behaves as far as the driver can see,
// and prints what it was given.
const fakeDevice = `
#include <stdint.h>
#include <stdio.h>
#include "loom_accel.h"
static uint32_t regs[1024]; static uint32_t image[64]; static unsigned n;
uint32_t loom_accel_read(uintptr_t base, uint32_t offset) {
  (void)base;
  switch (offset) {
  case LOOM_REG_MAGIC: return LOOM_ACCEL_MAGIC;
  case LOOM_REG_VERSION: return LOOM_ACCEL_VERSION;
  case LOOM_REG_HASH_LO: return (uint32_t)FAKE_HASH;
  case LOOM_REG_HASH_HI: return (uint32_t)(FAKE_HASH >> 32);
  }
  return regs[offset / 4];
}
void loom_accel_write(uintptr_t base, uint32_t offset, uint32_t value) {
  (void)base;
  if (offset == LOOM_REG_CFG_DATA || offset == LOOM_REG_CFG_LAST) {
    image[n++] = value;
    if (offset == LOOM_REG_CFG_LAST) regs[LOOM_REG_STATUS / 4] |= LOOM_STATUS_CONFIGURED;
  } else if (offset == LOOM_REG_CONTROL && (value & 2u)) {
    regs[LOOM_REG_STATUS / 4] |= LOOM_STATUS_DONE;
    regs[(LOOM_REG_RESULT + 8 * 1) / 4] = 42;
  } else regs[offset / 4] = value;
}
extern int k_accel(uintptr_t base, int32_t *x, uint64_t n, int8_t *result0);
int main(void) {
  int8_t r = 0; unsigned i;
  int32_t *x = (int32_t *)(uintptr_t)0x123456789ABCDEF0u;
  int status = k_accel(0, x, 7, &r);
  printf("status %d result %d arg %u enable %x expect %x\n", status, r, (unsigned)regs[(LOOM_REG_ARG + 8 * 2) / 4],
         (unsigned)regs[LOOM_REG_ARG_ENABLE / 4], (unsigned)regs[LOOM_REG_RESULT_ENABLE / 4]);
  for (i = 0; i < n; i++) printf("%08x\n", (unsigned)image[i]);
  return 0;
}
`

// TestDriverAndHostFunction compiles the driver and a host function with all
// warnings, as C99 and C++11, and runs both against a register file in C.
func TestDriverAndHostFunction(t *testing.T) {
	mem := &arch.Component{ID: 0, Name: "mem_0", Kind: arch.ExtMemory, Mem: &arch.MemorySpec{
		LdCount: 3, NumRegion: 2, TagWidth: 2, Type: ir.MemRef([]int64{ir.Dynamic}, ir.I32), ElemWidth: 32,
		LdAddr: 0, StAddr: -1, StData: -1, LdData: 0, LdDone: 1, StDone: -1}}
	f := &arch.Fabric{Name: "tiny", IndexWidth: 32, Comps: []*arch.Component{mem}}
	l := config.NewLayout(f)
	b := &mapping.Binding{Kernel: "k", Start: 0, Done: 0,
		Args: []mapping.ArgBinding{
			{Name: "x", Type: mem.Mem.Type, Input: -1, Mem: 0, Region: 1},
			{Name: "n", Type: ir.Index, Input: 2, Mem: -1},
		},
		Results: []mapping.ResultBinding{{Type: ir.I8, Output: 1}},
	}
	source, err := Function(b, l, "tiny", "k.tiny.config.h")
	if err != nil {
		t.Fatal(err)
	}
	h, c, err := Driver()
	if err != nil {
		t.Fatal(err)
	}
	words := config.New(l).Encode()
	for i := range words {
		words[i] = 0xFFFFFFFF // the driver must replace the address and nothing else
	}
	var cfg strings.Builder
	fmt.Fprintf(&cfg, "static const uint32_t loom_runtime_config_words[] = {")
	for _, w := range words {
		fmt.Fprintf(&cfg, "UINT32_C(0x%08x), ", w)
	}
	fmt.Fprintf(&cfg, "};\nstatic const uint32_t loom_runtime_config_word_count = %du;\n", len(words))
	dir := t.TempDir()
	for name, data := range map[string][]byte{"loom_accel.h": h, "loom_accel.c": c, "k_host.c": source,
		"k.tiny.config.h": []byte(cfg.String()), "main.c": []byte(strings.ReplaceAll(fakeDevice, "FAKE_HASH", fmt.Sprintf("UINT64_C(0x%x)", l.Hash)))} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s\n%s", name, args, err, out, source)
		}
		return string(out)
	}
	warn := []string{"-Wall", "-Wextra", "-pedantic", "-Werror"}
	run("g++", append([]string{"-std=c++11", "-fsyntax-only", "-x", "c++", "loom_accel.c", "k_host.c"}, warn...)...)
	run("gcc", append([]string{"-std=c99", "-c", "loom_accel.c"}, warn...)...) // with its own register access
	run("gcc", append([]string{"-std=c99", "-DLOOM_ACCEL_CUSTOM_IO", "-o", "run", "loom_accel.c", "k_host.c", "main.c"}, warn...)...)
	got := run("./run")
	config.PutBits(words, l.Slices[0].Regions[1].Offset.Bit, 64, 0x123456789ABCDEF0)
	want := "status 0 result 42 arg 7 enable 5 expect 3\n"
	for _, w := range words {
		want += fmt.Sprintf("%08x\n", w)
	}
	if got != want {
		t.Errorf("driver:\n%s\nwant:\n%s", got, want)
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
	names := []string{"bits", "bits_2", "base", "dev", "status", "memcpy", "NULL", "INT32_MAX", "uint32_t", "int", "bool", "and",
		"LOOM_BUS_ADDRESS", "loom_runtime_config_words", "__LINE__", "_Bool", "1x", "a-b", "a.b", "a b", "\u03b1", "", "*/", "linux"}
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
		source, err := Function(b, l, kernel, "c.h")
		if err != nil {
			t.Fatal(err)
		}
		file := fmt.Sprintf("k%d_host.c", i)
		put(file, source)
		for _, cmd := range []*exec.Cmd{
			exec.Command("gcc", "-std=gnu99", "-trigraphs", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only", file),
			exec.Command("g++", "-std=gnu++17", "-Wall", "-Wextra", "-Wshadow", "-pedantic", "-Werror", "-fsyntax-only", "-x", "c++", file),
		} {
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("kernel %q: %v\n%s", kernel, err, out)
			}
		}
	}
}
