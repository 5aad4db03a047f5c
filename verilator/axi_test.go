package verilator_test

import (
	"context"
	"strings"
	"testing"

	"loom/sim/cycle"
	"loom/sim/vector"
	"loom/verilator"
)

// TestMasterFaults breaks the AXI master: the checker or lock-step names memory,
// rule or channel, and the cycle.
func TestMasterFaults(t *testing.T) {
	base, _ := shared(t, 128)
	load(&base, 20)
	base.Stall, base.StallSeed, base.Latency = 40, 3, cycle.Latency{Min: 1, Max: 9, Seed: 2}
	for _, f := range []struct {
		name  string
		pairs []string
		want  string // in lock-step
		alone string // without, empty where nothing can see it but the results
	}{
		{"ARVALID is withdrawn", []string{
			"logic unused_ar_idle;", "logic unused_ar_idle, ar_full, ar_gap;\n" +
				"  always_ff @(posedge clk) ar_gap <= ~rst & ar_full & ~m_axi_arready & ~ar_gap;\n" +
				"  assign m_axi_arvalid = ar_full & ~ar_gap;",
			".out_valid(m_axi_arvalid)", ".out_valid(ar_full)", ".out_ready(m_axi_arready)", ".out_ready(m_axi_arready & ~ar_gap)",
		}, "AXI rule 2 of 'ext' is broken by the master: ARVALID", "AXI rule 2 of 'ext'"},
		{"strobes of another element", []string{"{(DW / 8) {w_lane == l[LW-1:0]}}", "{(DW / 8) {w_lane == (l[LW-1:0] ^ LW'(1))}}"},
			"AXI rule 10 of 'ext' is broken by the master: WSTRB", "AXI rule 10 of 'ext'"},
		{"wrong ID", []string{"assign ld_id = (TW != 0) ? ld_req_tag :", "assign ld_id = (TW != 0) ? ld_req_tag ^ IDW'(1) :"},
			"AXI channel AR of 'ext': expected address 0x10000 with ID 0, found address 0x10000 with ID 1", ""},
	} {
		t.Run(strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			o := mutate(t, base, "loom_axi_master.sv", f.pairs...)
			for _, want := range []string{f.want, f.alone} {
				if want == "" {
					continue
				}
				o.LockStep = want == f.want
				rep := run(t, o)
				text := strings.Join(rep.Outcome.Detail, "\n")
				if rep.Outcome.Status != vector.Mismatch || rep.Mismatch == nil || !strings.Contains(rep.Mismatch.String(), want) {
					t.Fatalf("lock-step %v: %s\n%s\nwant %s", o.LockStep, rep.Outcome.Status, text, want)
				}
				if rep.Mismatch.Place == nil || rep.Mismatch.Place.Name != "ext" || !strings.HasPrefix(text, "cycle ") {
					t.Errorf("lock-step %v: place %s\n%s", o.LockStep, rep.Mismatch.PlaceName, text)
				}
				t.Log(rep.Mismatch)
			}
		})
	}
}

// TestHostFaults breaks the host port and the stores of an on-chip memory: nobody
// but the host sees either.
func TestHostFaults(t *testing.T) {
	base, _ := shared(t, 16)
	load(&base, 20)
	for _, f := range []struct{ name, from, to, want string }{
		{"write lost", "| (host_en & host_we);", "| (host_en & host_we & ~&host_addr[2:0]);",
			"memory table: the host wrote 0xa51b to element 7 and read back 0x0"},
		{"wrong store", "host_en ? host_wdata : st_word;", "host_en ? host_wdata : st_word ^ DW'(st_element == EW'(9));",
			"what the host reads after the run is not what the cycle simulator has: on-chip memory table[9]: want "},
	} {
		t.Run(strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			rep := run(t, mutate(t, base, "loom_memory.sv", f.from, f.to))
			text := strings.Join(rep.Outcome.Detail, "\n")
			if rep.Outcome.Status != vector.Mismatch || rep.Mismatch != nil || !strings.Contains(text, f.want) {
				t.Errorf("%s\n%s\nwant %s", rep.Outcome.Status, text, f.want)
			}
		})
	}
}

// TestContents: what the host cannot write is refused before the run.
func TestContents(t *testing.T) {
	base, table := shared(t, 16)
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
