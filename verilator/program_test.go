package verilator

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"loom/compiler/config/cheader"
	"loom/compiler/host"
	"loom/compiler/latency"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
	"loom/sim/hostsim"
)

// programMain runs the loop of fabrictest on arrays of its own.
const programMain = `
#include <stdio.h>
#include "loop_host.h"
int main(void) {
  static loom_accel dev;
  static int32_t x[40], y[40];
  int32_t sum = 0;
  int i, status = loom_accel_open(&dev, 0, NULL);
  for (i = 0; i < 40; i++) x[i] = 3 * i;
  loom_accel_set_timeout(&dev, 100000);
  if (status == 0) status = loop_accel(&dev, 0, 1, 40, 5, x, y, &sum);
  printf("%s %d\n", loom_accel_status_name(status), (int)sum);
  return 0;
}
`

// runLoop builds and runs programMain; reset is that of the fabric's top.
func runLoop(t *testing.T, reset rtlgen.Reset) (*hostsim.Report, string) {
	t.Helper()
	toolstest.Need(t, "verilator", "cc")
	p := fabrictest.Loop()
	rtl, err := rtlgen.Generate(p.Fabric, p.Layout, rtlgen.Meta{InputName: "loop", ToolVersion: "test", Reset: reset})
	if err != nil {
		t.Fatal(err)
	}
	header, source, err := (&host.Program{Binding: p.Binding, Layout: p.Layout, Name: "loop", Hardware: "fabric loop", ConfigHeader: "c.h", IndexWidth: p.Fabric.IndexWidth}).Source()
	if err != nil {
		t.Fatal(err)
	}
	driverH, driverC, err := host.Driver()
	if err != nil {
		t.Fatal(err)
	}
	var config bytes.Buffer
	if err := cheader.Write(&config, p.Image, cheader.Info{DFG: "loop", ADG: "loop", Tool: "test"}, p.Binding); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o := ProgramOptions{RTL: rtl, Sources: hostsim.Sources{Flags: []string{"-I" + dir}}, Executable: filepath.Join(dir, "program"), CacheDir: toolstest.Cache(t)}
	for name, text := range map[string][]byte{"loop_host.h": header, "loop_host.c": source, "loom_accel.h": driverH, hostsim.Driver: driverC,
		"c.h": config.Bytes(), "main.c": []byte(programMain)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".c") {
			o.Sources.Files = append(o.Sources.Files, path)
		}
	}
	if err := BuildProgram(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	rep, err := RunProgram(t.Context(), o.Executable, RunProgramOptions{RunOptions: hostsim.RunOptions{Stdout: &stdout, Latency: latency.Profile{Min: 1, Max: 60, Seed: 1}, MaxCycles: 200000}})
	if err != nil {
		t.Fatal(err)
	}
	return rep, stdout.String()
}

// TestProgram runs a program on a fabric with an active-high reset of its own name.
func TestProgram(t *testing.T) {
	rep, out := runLoop(t, rtlgen.Reset{Name: "clear", High: true})
	if rep.Status != "done" || rep.Exit != 0 || rep.Launches != 1 || rep.ImageLoads != 1 || rep.RunCycles <= 0 || rep.RunCycles >= rep.ClockCycles || !strings.HasPrefix(out, "LOOM_ACCEL_OK ") {
		t.Errorf("%+v\n%s", rep, out)
	}
}

// TestProgramSlaveFault: a broken rule of AXI4 ends the program, whatever it would print.
func TestProgramSlaveFault(t *testing.T) {
	mutateHarness(t, "loom_axi.hpp", "if (y.id == x.id) x.due = ", "if (false) x.due = ")
	rep, out := runLoop(t, rtlgen.Reset{})
	if rep.Status != "broken" || rep.Exit != 70 || !strings.Contains(rep.Note, "of AXI4 are broken at memory y") {
		t.Errorf("%+v\n%s", rep, out)
	}
}
