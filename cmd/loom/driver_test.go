package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// driverKernel has every kind of argument of a driver: scalars in and out, arrays
// read and written, an argument that the kernel ignores.
const driverKernel = `
func.func @poke(%a: memref<?xi32>, %b: memref<?xi32>, %i: index, %v: i32, %unused: i32) -> i32 {
  %old = memref.load %a[%i] : memref<?xi32>
  %new = arith.addi %old, %v : i32
  memref.store %new, %b[%i] : memref<?xi32>
  return %new : i32
}
`

// driverArch is as small as the kernel allows: most of the test's time goes into
// compiling the model.
const driverArch = `
name: bench
width: 32
topology: {kind: mesh, rows: 2, columns: 3, tracks: 1, link_fifo: 2, input_fifo: 2}
boundary: {inputs: 4, outputs: 3}
extmemories: [{count: 2, element: i32, lsq_depth: 2}]
pes:
  all: {units: [{load: i32}, {store: i32}, {addi: i32}, {join: 3}]}
pattern: [[all]]
`

// driverBench is a testbench with the AXI4-Lite bus for loom_accel.c and the memory for
// the fabric: addresses are the program's own pointers.
const driverBench = `
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include "V{{TOP}}.h"
#include "verilated.h"
#include "poke_host.h"

static V{{TOP}} *dut;
static long cycles;
struct Response { long due; uint64_t data; bool err; };
static std::deque<Response> loads[{{MEMS}}], stores[{{MEMS}}];

// The arrays of the program; other addresses get an error response.
static int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8];
static int32_t *at(uint64_t address) {
  for (int32_t *p : {a, b})
    if (address >= uint64_t(p) && address < uint64_t(p + 8)) return reinterpret_cast<int32_t *>(address);
  return nullptr;
}

static void tick() {
  bool ld_taken[{{MEMS}}], st_taken[{{MEMS}}];
  uint64_t ld_addr[{{MEMS}}], st_addr[{{MEMS}}], st_data[{{MEMS}}];
  dut->clk = 0;
{{DRIVE}}
  dut->eval();
{{SAMPLE}}
  dut->clk = 1;
  dut->eval();
  for (int m = 0; m < {{MEMS}}; m++) {
    if (!loads[m].empty() && loads[m].front().due <= cycles) loads[m].pop_front();
    if (!stores[m].empty() && stores[m].front().due <= cycles) stores[m].pop_front();
    if (ld_taken[m]) {
      int32_t *p = at(ld_addr[m]);
      loads[m].push_back({cycles + 3, p ? uint32_t(*p) : 0, !p});
    }
    if (st_taken[m]) {
      int32_t *p = at(st_addr[m]);
      if (p) *p = int32_t(st_data[m]);
      stores[m].push_back({cycles + 3, 0, !p});
    }
  }
  cycles++;
  if (cycles > 2000000) { printf("timeout\n"); exit(1); }
}

extern "C" uint32_t loom_accel_read(uintptr_t base, uint32_t offset) {
  dut->s_axil_araddr = base + offset; dut->s_axil_arvalid = 1; dut->s_axil_rready = 1;
  dut->eval();
  while (!dut->s_axil_arready) tick();
  tick();
  dut->s_axil_arvalid = 0;
  dut->eval();
  while (!dut->s_axil_rvalid) tick();
  uint32_t v = dut->s_axil_rdata;
  tick();
  return v;
}
extern "C" void loom_accel_write(uintptr_t base, uint32_t offset, uint32_t value) {
  dut->s_axil_awaddr = base + offset; dut->s_axil_wdata = value; dut->s_axil_wstrb = 15;
  dut->s_axil_awvalid = 1; dut->s_axil_wvalid = 1; dut->s_axil_bready = 1;
  dut->eval();
  while (!(dut->s_axil_awready && dut->s_axil_wready)) tick();
  tick();
  dut->s_axil_awvalid = 0; dut->s_axil_wvalid = 0;
  dut->eval();
  while (!dut->s_axil_bvalid) tick();
  tick();
}
int main() {
  dut = new V{{TOP}};
  dut->aresetn = 0;
  for (int i = 0; i < 4; i++) tick();
  dut->aresetn = 1;
  static loom_accel dev;
  printf("open %d\n", loom_accel_open(&dev, 0, nullptr));
  // The fourth run leaves the arrays; the one after it must not notice.
  for (int run = 0; run < 5; run++) {
    int i = run == 3 ? 100 : 2 + run;
    int32_t r = -1;
    int status = poke_accel(&dev, a, b, i, 100 * run - 50, 9, &r);
    printf("status %d result %d b %d error %u\n", status, r, b[i % 8],
           loom_accel_error(&dev));
  }
  printf("images %d\n", int(loom_accel_image_loads(&dev)));
  printf("untouched %d %d %d\n", b[1], b[5], b[7]);
  return 0;
}
`

// TestDriverRunsTheHardware takes the artifacts of loom build as a user would:
// <adg>_top under Verilator, loom_accel.c and the host function compiled as they
// are, talking over AXI4-Lite.
func TestDriverRunsTheHardware(t *testing.T) {
	toolstest.Need(t, "verilator", "g++", "make")
	dir := t.TempDir()
	kernel := filepath.Join(dir, "poke.mlir")
	if err := os.WriteFile(kernel, []byte(driverKernel), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	bench := filepath.Join(dir, "bench.yaml")
	if err := os.WriteFile(bench, []byte(driverArch), 0o644); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"build", kernel, "--arch", bench, "-o", out}, &stdout, &stderr); code != 0 {
		t.Fatalf("loom build: exit %d\n%s", code, stderr.String())
	}
	var sig struct {
		Memories []struct{ AXI string }
	}
	text, err := os.ReadFile(filepath.Join(out, "rtl", "bench.signature.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &sig); err != nil {
		t.Fatal(err)
	}
	var drive, sample strings.Builder
	for i, m := range sig.Memories {
		p := "dut->" + m.AXI + "_"
		fmt.Fprintf(&drive, "  %[1]sarready = %[1]sawready = %[1]swready = 1;\n", p)
		fmt.Fprintf(&drive, "  %[1]srvalid = !loads[%[2]d].empty() && loads[%[2]d].front().due <= cycles;\n", p, i)
		fmt.Fprintf(&drive, "  %[1]srdata = %[1]srvalid ? loads[%[2]d].front().data : 0;\n", p, i)
		fmt.Fprintf(&drive, "  %[1]srresp = %[1]srvalid && loads[%[2]d].front().err ? 3 : 0;\n", p, i)
		fmt.Fprintf(&drive, "  %[1]srlast = 1;\n", p)
		fmt.Fprintf(&drive, "  %[1]sbvalid = !stores[%[2]d].empty() && stores[%[2]d].front().due <= cycles;\n", p, i)
		fmt.Fprintf(&drive, "  %[1]sbresp = %[1]sbvalid && stores[%[2]d].front().err ? 3 : 0;\n", p, i)
		fmt.Fprintf(&sample, "  ld_taken[%[2]d] = %[1]sarvalid; ld_addr[%[2]d] = %[1]saraddr;\n", p, i)
		// Both channels are always ready, so address and data of a store come together.
		fmt.Fprintf(&sample, "  st_taken[%[2]d] = %[1]sawvalid && %[1]swvalid; st_addr[%[2]d] = %[1]sawaddr; st_data[%[2]d] = %[1]swdata;\n", p, i)
	}
	program := strings.NewReplacer("{{TOP}}", "bench_top", "{{MEMS}}", fmt.Sprint(len(sig.Memories)),
		"{{DRIVE}}", drive.String(), "{{SAMPLE}}", sample.String()).Replace(driverBench)
	if err := os.WriteFile(filepath.Join(dir, "bench.cpp"), []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	do := func(in, name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = in
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, text)
		}
		return string(text)
	}
	toolstest.CleanC(t, out, []string{"loom_accel.c", "poke_host.c"})
	for _, c := range []string{"loom_accel.c", "poke_host.c"} {
		do(out, "gcc", "-std=c99", "-O1", "-DLOOM_ACCEL_CUSTOM_IO", "-c", c)
	}
	do(filepath.Join(out, "rtl"), "verilator", "--cc", "--exe", "--build", "-j", "2", "-O3", "--x-assign", "fast", "--noassert",
		"-CFLAGS", "-O0 -I"+out, "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--top-module", "bench_top",
		"-Mdir", filepath.Join(dir, "obj"), "-f", "filelist.f",
		filepath.Join(dir, "bench.cpp"), filepath.Join(out, "loom_accel.o"), filepath.Join(out, "poke_host.o"))
	got := do(dir, filepath.Join(dir, "obj", "Vbench_top"))
	want := `open 0
status 0 result -47 b -47 error 0
status 0 result 54 b 54 error 0
status 0 result 155 b 155 error 0
status -5 result -1 b 155 error 513
status 0 result 357 b 357 error 0
images 2
untouched 0 0 0
`
	if got != want {
		t.Errorf("the driver ran the hardware to\n%swant\n%s", got, want)
	}
}
