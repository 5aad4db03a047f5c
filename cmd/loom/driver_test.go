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
)

// driverKernel exercises all that a driver touches: scalars in and out, arrays
// read and written, an argument that the kernel ignores.
const driverKernel = `
func.func @poke(%a: memref<?xi32>, %b: memref<?xi32>, %i: index, %v: i32, %unused: i32) -> i32 {
  %old = memref.load %a[%i] : memref<?xi32>
  %new = arith.addi %old, %v : i32
  memref.store %new, %b[%i] : memref<?xi32>
  return %new : i32
}
`

// driverBench plays the AXI4-Lite bus for loom_accel.c and memory for the fabric:
// addresses are the program's own pointers.
const driverBench = `
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include "V{{TOP}}.h"
#include "verilated.h"

static V{{TOP}} *dut;
static long cycles;
struct Answer { long due; uint64_t data; };
static std::deque<Answer> loads[{{MEMS}}], stores[{{MEMS}}];

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
      uint32_t v; memcpy(&v, reinterpret_cast<void *>(ld_addr[m]), 4);
      loads[m].push_back({cycles + 3, v});
    }
    if (st_taken[m]) {
      uint32_t v = uint32_t(st_data[m]); memcpy(reinterpret_cast<void *>(st_addr[m]), &v, 4);
      stores[m].push_back({cycles + 3, 0});
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
extern "C" int poke_accel(uintptr_t, int32_t *, int32_t *, uint64_t, int32_t, int32_t, int32_t *);

int main() {
  dut = new V{{TOP}};
  dut->rst = 1;
  for (int i = 0; i < 4; i++) tick();
  dut->rst = 0;
  static int32_t a[8] = {1, 2, 3, 4, 5, 6, 7, 8}, b[8];
  for (int run = 0; run < 3; run++) {
    int32_t r = -1;
    int status = poke_accel(0, a, b, 2 + run, 100 * run - 50, 9, &r);
    printf("status %d result %d b %d\n", status, r, b[2 + run]);
  }
  printf("untouched %d %d\n", b[1], b[5]);
  return 0;
}
`

// TestDriverRunsTheHardware takes the artifacts of loom build as a user would:
// <adg>_top under Verilator, loom_accel.c and the host function compiled as they
// are, talking over AXI4-Lite.
func TestDriverRunsTheHardware(t *testing.T) {
	for _, tool := range []string{"verilator", "g++", "make"} {
		if _, err := exec.LookPath(tool); err != nil {
			if os.Getenv("LOOM_REQUIRE_TOOLS") != "" {
				t.Fatal(err)
			}
			t.Skipf("%s is not installed", tool)
		}
	}
	dir := t.TempDir()
	kernel := filepath.Join(dir, "poke.mlir")
	if err := os.WriteFile(kernel, []byte(driverKernel), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "out")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"build", kernel, "--arch", "../../testdata/arch/mesh4x4.yaml", "-o", out}, &stdout, &stderr); code != 0 {
		t.Fatalf("loom build: exit %d\n%s", code, stderr.String())
	}
	var sig struct {
		Memories []struct{ Prefix string }
	}
	text, err := os.ReadFile(filepath.Join(out, "rtl", "mesh4x4.signature.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &sig); err != nil {
		t.Fatal(err)
	}
	var drive, sample strings.Builder
	for i, m := range sig.Memories {
		p := "dut->" + m.Prefix + "_"
		fmt.Fprintf(&drive, "  %sld_req_ready = 1; %sst_req_ready = 1; %sld_rsp_err = 0; %sst_rsp_err = 0;\n", p, p, p, p)
		fmt.Fprintf(&drive, "  %sld_rsp_valid = !loads[%d].empty() && loads[%d].front().due <= cycles;\n", p, i, i)
		fmt.Fprintf(&drive, "  %sld_rsp_data = %sld_rsp_valid ? loads[%d].front().data : 0;\n", p, p, i)
		fmt.Fprintf(&drive, "  %sst_rsp_valid = !stores[%d].empty() && stores[%d].front().due <= cycles;\n", p, i, i)
		fmt.Fprintf(&sample, "  ld_taken[%d] = %sld_req_valid; ld_addr[%d] = %sld_req_addr;\n", i, p, i, p)
		fmt.Fprintf(&sample, "  st_taken[%d] = %sst_req_valid; st_addr[%d] = %sst_req_addr; st_data[%d] = %sst_req_data;\n", i, p, i, p, i, p)
	}
	bench := strings.NewReplacer("{{TOP}}", "mesh4x4_top", "{{MEMS}}", fmt.Sprint(len(sig.Memories)),
		"{{DRIVE}}", drive.String(), "{{SAMPLE}}", sample.String()).Replace(driverBench)
	if err := os.WriteFile(filepath.Join(dir, "bench.cpp"), []byte(bench), 0o644); err != nil {
		t.Fatal(err)
	}
	do := func(in, name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = in
		said, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, said)
		}
		return string(said)
	}
	for _, c := range []string{"loom_accel.c", "poke_host.c"} {
		do(out, "gcc", "-std=c99", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-DLOOM_ACCEL_CUSTOM_IO", "-c", c)
	}
	do(filepath.Join(out, "rtl"), "verilator", "--cc", "--exe", "--build", "-j", "2", "-O1", "-CFLAGS", "-O0",
		"--top-module", "mesh4x4_top", "-Mdir", filepath.Join(dir, "obj"), "-f", "filelist.f",
		filepath.Join(dir, "bench.cpp"), filepath.Join(out, "loom_accel.o"), filepath.Join(out, "poke_host.o"))
	got := do(dir, filepath.Join(dir, "obj", "Vmesh4x4_top"))
	want := "status 0 result -47 b -47\nstatus 0 result 54 b 54\nstatus 0 result 155 b 155\nuntouched 0 0\n"
	if got != want {
		t.Errorf("the driver ran the hardware to\n%swant\n%s", got, want)
	}
}
