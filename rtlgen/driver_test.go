package rtlgen_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"loom/compiler/config/cheader"
	"loom/compiler/host"
	"loom/internal/fabrictest"
	"loom/internal/recorded"
	"loom/internal/tools/toolstest"
)

// driverBench plays the AXI4-Lite bus for loom_accel.c and runs the host function
// twice with the same arguments, looking into the memories before and after.
const driverBench = `
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "Vscratch_top.h"
#include "verilated.h"
#include "scratch_host.h"
#include "scratch.config.h"

static Vscratch_top *dut;

static void tick() {
  static long cycles;
  dut->clk = 0; dut->eval();
  dut->clk = 1; dut->eval();
  if (++cycles > 100000) { printf("timeout\n"); exit(1); }
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
static void show(loom_accel *dev, uint32_t first, uint32_t count) {
  uint16_t ram[40];
  int status = loom_accel_read_memory(dev, 0, first, 16, ram, count);
  printf("ram %u: %d", first, status);
  for (uint32_t n = 0; n < count && status == 0; n++) printf(" %u", ram[n]);
  printf("\n");
}

int main() {
  dut = new Vscratch_top;
  dut->aresetn = 0;
  for (int i = 0; i < 4; i++) tick();
  dut->aresetn = 1;
  static loom_accel dev;
  printf("open %d\n", loom_accel_open(&dev, 0, nullptr));
  for (const loom_config_memory &m : loom_scratch_fab_memories)
    printf("%s: %u of %u bits\n", m.memory, m.elements, m.elem_width);
  // Before the first configuration.
  const uint16_t early[] = {11, 12, 13};
  printf("write %d\n", loom_accel_write_memory(&dev, 0, 6, 16, early, 3));
  show(&dev, 5, 5);
  printf("beyond: %d %d %d %d\n", loom_accel_write_memory(&dev, 0, 38, 16, early, 3), loom_accel_write_memory(&dev, 2, 0, 16, early, 1),
         loom_accel_write_memory(&dev, 0, 41, 16, early, 0), loom_accel_write_memory(&dev, 0, 0, 24, early, 1));
  loom_accel_write(0, LOOM_REG_MEM_SELECT, 0);
  loom_accel_write(0, LOOM_REG_MEM_ADDR, 40);
  loom_accel_write(0, LOOM_REG_MEM_DATA_LO, 99); // refused
  loom_accel_write(0, LOOM_REG_MEM_ADDR, 40);
  uint32_t nothing = loom_accel_read(0, LOOM_REG_MEM_DATA_LO);
  printf("element 40 reads %u, address then %u\n", nothing, loom_accel_read(0, LOOM_REG_MEM_ADDR));
  show(&dev, 8, 1);
  for (int run = 0; run < 2; run++) {
    int16_t xi = 0, xj = 0;
    int64_t entry = 0;
    // The store is to the address of "low", which begins anew in each run; the loads are
    // elsewhere, as nothing orders them and the store.
    int status = scratch_accel(&dev, 36, 1 + run, 0, int16_t(7 + run), 1, &xi, &xj, &entry);
    printf("status %d: %d %d %llx\n", status, xi, xj, (unsigned long long)entry);
    show(&dev, 0, 9);
    uint16_t other = 1;
    if (run == 0) printf("write %d\n", loom_accel_write_memory(&dev, 0, 3, 16, &other, 1));
  }
  show(&dev, 36, 4);
  uint64_t table[5];
  printf("table %d", loom_accel_read_memory(&dev, 1, 0, 64, table, 5));
  for (uint64_t x : table) printf(" %llx", (unsigned long long)x);
  printf("\nerror %u\n", loom_accel_error(&dev));
  // A bus master with reads and writes in flight at once: the first access counts,
  // in one cycle the write.
  for (int lead = 0; lead < 4; lead++) {
    loom_accel_write(0, LOOM_REG_MEM_SELECT, 0);
    loom_accel_write(0, LOOM_REG_MEM_ADDR, 4);
    bool read = false, written = false;
    dut->s_axil_rready = dut->s_axil_bready = 1;
    for (int cycle = 0; !(read && written) && cycle < 100; cycle++) {
      if (cycle == 0) { dut->s_axil_araddr = LOOM_REG_MEM_DATA_LO; dut->s_axil_arvalid = 1; }
      if (cycle == lead) {
        dut->s_axil_awaddr = LOOM_REG_MEM_SELECT; dut->s_axil_wdata = 1;
        dut->s_axil_awvalid = dut->s_axil_wvalid = 1;
      }
      dut->eval();
      bool ar = dut->s_axil_arvalid && dut->s_axil_arready, aw = dut->s_axil_awvalid && dut->s_axil_awready;
      if (dut->s_axil_rvalid) { read = true; printf("write %d later: read %u\n", lead, dut->s_axil_rdata); }
      if (dut->s_axil_bvalid) written = true;
      tick();
      if (ar) dut->s_axil_arvalid = 0;
      if (aw) dut->s_axil_awvalid = dut->s_axil_wvalid = 0;
    }
  }
  return 0;
}
`

// TestDriverReachesMemories runs loom_accel.c, the generated host function and
// config.h against <adg>_top: memories are written before the first configuration,
// filled with the initial contents in every run, and read back.
func TestDriverReachesMemories(t *testing.T) {
	toolstest.Need(t, "verilator")
	p := fabrictest.Scratch()
	dir := write(t, generate(t, p.Fabric))
	header, source, err := host.Driver()
	if err != nil {
		t.Fatal(err)
	}
	program := host.Program{Binding: p.Binding, Layout: p.Layout, Name: "scratch", Hardware: "fabric fab", ConfigHeader: "scratch.config.h", IndexWidth: p.Fabric.IndexWidth}
	functionH, function, err := program.Source()
	if err != nil {
		t.Fatal(err)
	}
	var cfg bytes.Buffer
	if err := cheader.Write(&cfg, p.Image, cheader.Info{DFG: "scratch", ADG: "fab", Tool: "test"}, p.Binding); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"loom_accel.h": header, "loom_accel.c": source, "scratch_host.h": functionH, "scratch_host.c": function,
		"scratch.config.h": cfg.Bytes(), "bench.cpp": []byte(driverBench)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	toolstest.CleanC(t, dir, []string{"loom_accel.c", "scratch_host.c"})
	reads := recorded.Files(t, dir, recorded.Files(t, "driver_test.go"), recorded.Version(t, "verilator", versionOf["verilator"]))
	held.Held(t, reads, func() bool {
		t.Helper()
		return driverSees(t, dir)
	})
}

// driverSees reports whether the driver in dir reads and writes the memories that it should.
func driverSees(t *testing.T, dir string) bool {
	t.Helper()
	for _, c := range []string{"loom_accel.c", "scratch_host.c"} {
		silent(t, dir, "gcc", "-std=c99", "-DLOOM_ACCEL_CUSTOM_IO", "-c", c)
	}
	build := exec.Command("verilator", "--cc", "--exe", "--build", "-j", "2", "-O3", "--x-assign", "fast", "--noassert",
		"-CFLAGS", "-O0 -I..", "-MAKEFLAGS", "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0", "--top-module", "scratch_top",
		"-Mdir", "obj", "-f", "filelist.f", "bench.cpp", "../loom_accel.o", "../scratch_host.o")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got, err := exec.Command(filepath.Join(dir, "obj", "Vscratch_top")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, got)
	}
	want := `open 0
ram: 40 of 16 bits
table: 5 of 64 bits
write 0
ram 5: 0 0 11 12 13 0
beyond: -3 -3 -3 -3
element 40 reads 0, address then 40
ram 8: 0 13
status 0: -32768 -1 fedcba9876543210
ram 0: 0 0 0 7 65535 102 0 11 12 13
write 0
status 0: -32768 102 fedcba9876543210
ram 0: 0 0 0 8 65535 102 0 11 12 13
ram 36: 0 0 0 32768 139
table 0 1 fedcba9876543210 3 4 5
error 0
write 0 later: read 5
write 1 later: read 102
write 2 later: read 102
write 3 later: read 102
`
	if string(got) != want {
		t.Errorf("the driver saw\n%swant\n%s", got, want)
	}
	return string(got) == want
}
