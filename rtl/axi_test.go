package rtl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
	"loom/internal/verilated"
)

// simulate compiles a bench of formal/ under Icarus and returns what it prints;
// file, old, new plant a fault as in sources.
func simulate(t *testing.T, bench, params, file, old, new string) string {
	t.Helper()
	dir := t.TempDir()
	sources(t, dir, file, old, new)
	files, err := Closure("loom_axi_master")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-g2012", "-Wall", "-Wno-timescale", "-o", "bench.vvp", "-s", bench}
	for _, p := range strings.Fields(params) {
		args = append(args, "-P"+bench+"."+p)
	}
	args = append(append(args, files...), "f_axi4.sv", bench+".sv")
	if out, err := run(t, dir, 3*time.Minute, "iverilog", args...); err != nil || strings.Contains(out, "error") {
		t.Fatalf("iverilog: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, 20*time.Minute, "vvp", "-n", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, tail(out))
	}
	return out
}

// TestAXIRules: every rule of the AXI4 checker fires on what breaks it, and
// only then.
func TestAXIRules(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	t.Parallel()
	out := simulate(t, "t_axi4_rules", "", "", "", "")
	if !strings.Contains(out, "checked 65, errors 0") {
		t.Errorf("the checker:\n%s", tail(out))
	}
}

// TestAXIRulesVerilator runs the same under Verilator with the switches of the
// co-simulation, which leave out assertions and initialise at random; the short suite
// only lints the checker.
func TestAXIRulesVerilator(t *testing.T) {
	toolstest.Need(t, "verilator")
	t.Parallel()
	dir := t.TempDir()
	sources(t, dir, "", "", "")
	if out, err := run(t, dir, time.Minute, "verilator", "--lint-only", "-Wall", "f_axi4.sv"); err != nil || strings.TrimSpace(out) != "" {
		t.Fatalf("verilator: %v\n%s", err, tail(out))
	}
	if !soak() {
		return
	}
	if out, err := run(t, dir, 10*time.Minute, "verilator", "--binary", "--timing", "--noassert", "-O3", "--x-assign", "fast", "--x-initial", "fast",
		"-Wno-fatal", "--top-module", "t_axi4_rules", "f_axi4.sv", "t_axi4_rules.sv"); err != nil {
		t.Fatalf("verilator: %v\n%s", err, tail(out))
	}
	out, err := run(t, dir, time.Minute, filepath.Join(dir, "obj_dir", "Vt_axi4_rules"))
	if err != nil || !strings.Contains(out, "checked 52, errors 0") {
		t.Errorf("the checker: %v\n%s", err, tail(out))
	}
}

// masters are the shapes of the AXI master in simulation.
var masters = []string{
	"DW=32 TW=0 BUS_AW=32 BUS_DW=32 OUT=16",
	"DW=8 TW=3 BUS_AW=64 BUS_DW=64 OUT=16",
	"DW=16 TW=0 BUS_AW=20 BUS_DW=128 OUT=5",
	"DW=64 TW=2 BUS_AW=32 BUS_DW=64 OUT=16",
	"DW=32 TW=1 BUS_AW=40 BUS_DW=64 OUT=8",
}

// TestAXIMaster runs random accesses, stalls, errors and clears against a random
// memory, watched by the checker.
func TestAXIMaster(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	cycles := 6000
	if soak() {
		cycles = 100000
	}
	for k, params := range masters {
		t.Run(params, func(t *testing.T) {
			if k > 2 && !soak() {
				t.Skip("set LOOM_SOAK=1 for all shapes")
			}
			t.Parallel()
			out := simulate(t, "t_axi_master", fmt.Sprintf("%s CYCLES=%d SEED=%d", params, cycles, k+1), "", "", "")
			if !strings.Contains(out, "errors 0") {
				t.Errorf("the master:\n%s", tail(out))
			}
		})
	}
}

// TestAXIMasterFaults shows that the simulation can fail.
func TestAXIMasterFaults(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	for k, m := range []struct{ name, old, new string }{
		{"wrong lane of read data", "lanes[{e_rid, rd_at}]", "lanes[{e_rid, rd[PW-1:0]}]"},
		{"wrong lane of write data", "{(DW / 8) {w_lane == l[LW-1:0]}}", "{(DW / 8) {w_lane != l[LW-1:0]}}"},
		{"address withdrawn at a clear", ".rst      (rst),\n      .in_valid (ld_accept),\n      .in_ready (ar_ready)", ".rst      (clear),\n      .in_valid (ld_accept),\n      .in_ready (ar_ready)"},
		{"unaligned address", "assign e_araddr  = BUS_AW'(ar_element) << SHIFT;", "assign e_araddr  = (BUS_AW'(ar_element) << SHIFT) | BUS_AW'(1);"},
		{"error swallowed", "assign ld_rsp_err   = e_rresp[1];", "assign ld_rsp_err   = e_rresp[0] & e_rresp[1];"},
		{"responses cross a clear", "draining <= closed & ~idle;", "draining <= 1'b0;"},
		{"half the throughput", "assign ld_open      = ~closed", "assign ld_open      = ~e_arvalid & ~closed"},
		{"one transaction too many", "st_open      = ~closed & (writes != OUTSTANDING[CW-1:0])", "st_open      = ~closed & (writes != OUTSTANDING[CW-1:0] + CW'(1))"},
	} {
		t.Run(m.name, func(t *testing.T) {
			planted(t, "loom_axi_master.sv", m.old)
			if k > 1 && !soak() {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			out := simulate(t, "t_axi_master", "DW=16 TW=2 BUS_AW=32 BUS_DW=64 OUT=8 CYCLES=4000", "loom_axi_master.sv", m.old, m.new)
			if strings.Contains(out, "errors 0") || !strings.Contains(out, "errors") {
				t.Errorf("the fault passes:\n%s", tail(out))
			}
		})
	}
}

// TestAXICheckerEmbedded: the checker that simulations get is the one tested here.
func TestAXICheckerEmbedded(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("formal", "f_axi4.sv"))
	if err != nil {
		t.Fatal(err)
	}
	if AXIChecker != string(src) {
		t.Error("AXIChecker is not formal/f_axi4.sv")
	}
}

// TestHostRegistersItsBus: no output of the AXI4-Lite interface depends on an input of it
// in the same cycle; a planted path is found.
func TestHostRegistersItsBus(t *testing.T) {
	toolstest.Need(t, "yosys")
	const script = "read_verilog -sv loom_axil_host.sv; chparam -set N_MEM 2 -set N_BASE 2 loom_axil_host; hierarchy -top loom_axil_host; " +
		"proc; flatten; opt_clean; select -assert-min 8 o:s_axil_*; select -assert-none o:s_axil_* %ci*:-$dff i:s_axil_* %i"
	for _, m := range []struct{ old, new string }{
		{}, {"s_axil_awready = ~aw_full", "s_axil_awready = ~aw_full & s_axil_wvalid"}, {"s_axil_arready = ~ar_full", "s_axil_arready = ~ar_full | s_axil_rready"},
	} {
		dir, file := t.TempDir(), ""
		if m.old != "" {
			file = "loom_axil_host.sv"
		}
		sources(t, dir, file, m.old, m.new)
		out, err := run(t, dir, time.Minute, "yosys", "-q", "-p", script)
		if found := strings.Contains(out, "selection is not empty: o:s_axil_"); (m.old != "") != found || (err != nil) != found {
			t.Errorf("%q: %v\n%s", m.new, err, tail(out))
		}
	}
}

// TestHostBus runs a random AXI4-Lite master, with pauses on all five channels and several
// requests in flight, on loom_axil_host under Verilator; each planted fault is noticed.
func TestHostBus(t *testing.T) {
	toolstest.Need(t, "verilator", "c++")
	for k, m := range []struct{ name, old, new string }{
		{"", "", ""},
		{"a write takes effect while B waits", "aw_full & w_full & ~s_axil_bvalid &", "aw_full & w_full &"},
		{"a read takes effect while R waits", "ar_full & ~s_axil_rvalid &", "ar_full &"},
		{"the second address replaces the first", "if (s_axil_awready) waddr", "if (s_axil_awvalid) waddr"},
		{"data without strobes", "if (waddr == REG_MEM_ADDR && wstrb[b])", "if (waddr == REG_MEM_ADDR)"},
		{"every read is answered with OKAY", "may_read ? OKAY : SLVERR", "OKAY"},
	} {
		t.Run(m.name, func(t *testing.T) {
			if m.old != "" {
				planted(t, "loom_axil_host.sv", m.old)
			}
			if k > 2 && !soak() {
				t.Skip("set LOOM_SOAK=1 for all faults")
			}
			t.Parallel()
			dir, file := t.TempDir(), ""
			if m.old != "" {
				file = "loom_axil_host.sv"
			}
			sources(t, dir, file, m.old, m.new)
			bench := verilated.Bench{Dir: dir, Top: "t_axil_host", Main: "t_axil_host.cpp", Level: []string{"-O0"},
				Args: []string{"--noassert", "--x-assign", "fast", "-Wno-fatal", "t_axil_host.sv", "f_axil.sv", "loom_axil_host.sv"}}
			program, err := bench.Build(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			seeds := 1
			if soak() {
				seeds = 20
			}
			for seed := range seeds {
				out, err := run(t, dir, 5*time.Minute, program, fmt.Sprint(seed))
				if err != nil || !strings.Contains(out, "accesses") {
					t.Fatalf("the bench: %v\n%s", err, tail(out))
				}
				if clean := strings.Contains(out, "errors 0"); clean != (m.old == "") {
					t.Fatalf("seed %d:\n%s", seed, tail(out))
				}
			}
		})
	}
}
