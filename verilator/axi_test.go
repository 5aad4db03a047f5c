package verilator_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"loom/sim/vector"
	"loom/verilator"
)

// brokenMaster is the AXI master with three faults, each at one element of x only,
// so that one model does for all: the address of a read of x[30] is withdrawn in the
// cycle after it was not taken, a write to x[25] names other bytes, x[20] is read
// with another ID.
var brokenMaster = []string{
	"logic unused_ar_idle;", "logic unused_ar_idle, ar_full, ar_gap;\n" +
		"  always_ff @(posedge clk) ar_gap <= ~rst & ar_full & ~e_arready & ~ar_gap & (ar_element[5:0] == 6'd30);\n" +
		"  assign e_arvalid = ar_full & ~ar_gap;",
	".out_valid(e_arvalid)", ".out_valid(ar_full)", ".out_ready(e_arready)", ".out_ready(e_arready & ~ar_gap)",
	"{w_lane == l[LW-1:0]}", "{w_lane == (l[LW-1:0] ^ LW'(w_lane == LW'(1)))}",
	"assign ld_id = (TW != 0) ? ld_req_tag :", "assign ld_id = (TW != 0) ? ld_req_tag ^ IDW'(ld_req_addr[6:0] == 7'd40) :",
}

// TestMasterFaults breaks the AXI master: the checker or lock-step names memory,
// rule or channel, and the cycle.
func TestMasterFaults(t *testing.T) {
	base, _ := shared(t, 128)
	load(&base, 32)
	base = mutate(t, base, "loom_axi_master.sv", brokenMaster...)
	base.Stall, base.StallSeed, base.Expected = 80, 4, nil
	for _, f := range []struct {
		name     string
		element  uint64
		lockstep bool
		want     string
	}{
		{"ARVALID withdrawn", 30, true, "AXI rule 2 of 'ext' is broken by the master: ARVALID"},
		{"ARVALID withdrawn", 30, false, "AXI rule 2 of 'ext' is broken by the master: ARVALID"},
		// The data is there before its address, of which the checker has to know.
		{"strobes of another element", 25, true, "with strobes 0xc, found 0x8cb98cb98cb98cb98cb98cb98cb98cb9 with strobes 0x3"},
		{"strobes of another element", 25, false, "AXI rule 10 of 'ext' is broken by the master: WSTRB"},
		{"wrong ID", 20, true, "AXI channel AR of 'ext': expected address 0x10028 with ID 0, found address 0x10028 with ID 1"},
	} {
		t.Run(fmt.Sprintf("%s_%v", strings.ReplaceAll(f.name, " ", "_"), f.lockstep), func(t *testing.T) {
			o := base
			o.LockStep = f.lockstep
			in := *base.Inputs
			in.Args = slices.Clone(in.Args)
			in.Args[0].Scalar, in.Args[2].Scalar = f.element, f.element+1
			o.Inputs = &in
			rep := run(t, o)
			text := strings.Join(rep.Outcome.Detail, "\n")
			if rep.Outcome.Status != vector.Mismatch || rep.Mismatch == nil || !strings.Contains(rep.Mismatch.String(), f.want) {
				t.Fatalf("%s\n%s\nwant %s", rep.Outcome.Status, text, f.want)
			}
			origin := fmt.Sprintf("cycle %d, extmemory 'ext': ", rep.Mismatch.Cycle)
			if rep.Mismatch.Cycle < 1 || rep.Mismatch.Origin == nil || !strings.HasPrefix(text, origin) {
				t.Errorf("origin %s\n%s", rep.Mismatch.OriginName, text)
			}
			t.Log(rep.Mismatch)
		})
	}
}

// TestHostFaults breaks the host port and the stores of an on-chip memory: only
// the host sees either. The third value of the host is lost, and what the fabric
// stores to element 5 is wrong.
func TestHostFaults(t *testing.T) {
	base, _ := shared(t, 1024)
	base = mutate(t, base, "loom_ram_port.sv", "(host & host_we)", "(host & host_we & (host_wdata != W'(32'ha51b)))",
		"host ? host_wdata : wdata", "host ? host_wdata : wdata ^ W'(32'(waddr) == 5)")
	for _, f := range []struct {
		n    int
		want string
	}{
		{20, "memory table: the host wrote 0xa51b to element 7 and read back 0x0"},
		{3, "what the host reads after the run is not what the cycle simulator has: on-chip memory table[5]: want 0xfcdb, got 0xfcda"},
	} {
		o := base
		load(&o, f.n)
		rep := run(t, o)
		text := strings.Join(rep.Outcome.Detail, "\n")
		if rep.Outcome.Status != vector.Mismatch || rep.Mismatch != nil || !strings.Contains(text, f.want) {
			t.Errorf("%s\n%s\nwant %s", rep.Outcome.Status, text, f.want)
		}
	}
}

// TestContents: what the host cannot write is refused before the run.
func TestContents(t *testing.T) {
	base, table := shared(t, 1024)
	for _, c := range []struct {
		n    int
		mem  int
		want string
	}{
		{37, table.ID, "the contents of 't' are the elements from 4 to 40 of 'table', which has 40"},
		{3, 0, "the contents of 't' are bound to component 0, which is no memory with a host port"},
	} {
		o := base
		load(&o, c.n)
		o.Binding.Contents[0].Mem, o.LockStep = c.mem, false
		if _, err := verilator.Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
