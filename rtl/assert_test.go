package rtl

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"loom/internal/tools/toolstest"
)

// assertBench drives a loom_fifo by a script, between the clock edges.
const assertBench = `module bench;
  logic clk = 0, rst = 1;
  logic in_valid = 0, in_ready, out_valid, out_ready = 0, idle;
  logic [7:0] in_data = 0, out_data;
  always #5 clk = ~clk;
  loom_fifo #(.W(8), .DEPTH(%d)) dut (
      .clk(clk), .rst(rst), .in_valid(in_valid), .in_ready(in_ready), .in_data(in_data),
      .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data), .idle(idle));
  initial begin
    repeat (3) @(negedge clk);
    rst = 0;
%s
    repeat (3) @(negedge clk);
    $display("end");
    $finish;
  end
endmodule
`

// assertCases are things that a simulator's user may do to a channel.
var assertCases = []struct{ name, script, want string }{
	{"sound", `    for (int k = 0; k < 9; k++) begin
      in_valid = 1; in_data = 8'(k); out_ready = k[0];
      #1;
      while (!in_ready) begin
        @(negedge clk);
        out_ready = 1;
        #1;
      end
      @(negedge clk);
    end
    in_valid = 0;`, ""},
	{"withdrawn", `    in_valid = 1;
    repeat (8) @(negedge clk);
    in_valid = 0;`, "a token at the input was withdrawn before it was taken"},
	{"changed", `    in_valid = 1;
    repeat (8) @(negedge clk);
    in_data = 8'd77;
    repeat (2) @(negedge clk);`, "a token at the input changed before it was taken"},
	{"undefined", `    in_valid = 1'bx;
    @(negedge clk);
    in_valid = 0;`, "in_valid is neither 0 nor 1"},
}

// TestAssertions: with LOOM_ASSERT a simulator reports what breaks the handshake, and nothing
// else; without it, and in synthesis, the assertions are not there. Verilator, which knows no
// undefined values, reports all but those.
func TestAssertions(t *testing.T) {
	for _, depth := range []int{1, 2, 5} {
		for _, c := range assertCases {
			for _, defined := range []bool{true, false} {
				out := assertRun(t, fmt.Sprintf(assertBench, depth, c.script), defined, nil)
				want := c.want != "" && defined
				if got := strings.Contains(out, "LOOM_ASSERT"); got != want || want && !strings.Contains(out, c.want) || !strings.Contains(out, "end") {
					t.Errorf("depth %d, %s, LOOM_ASSERT %t: %s", depth, c.name, defined, out)
				}
			}
		}
	}
	// Faults of the queue itself.
	for _, f := range []struct{ old, new, want string }{
		{"assign in_ready  = room;", "assign in_ready  = 1'b1;", "holds 6 tokens, has 5 slots"},
		{"if (room) mem[wr] <= in_data;", "mem[wr] <= in_data;", "a token at the output changed before it was taken"},
		{"filled <= push | (filled & ~(out_ready & (rd_next == wr)));", "filled <= filled & ~(out_ready & (rd_next == wr));", "out_valid is 0 with 2 tokens inside"},
	} {
		script := "    in_valid = 1;\n    repeat (12) begin in_data = in_data + 8'(in_ready); @(negedge clk); end\n    in_valid = 0;\n    out_ready = 1;\n    repeat (9) @(negedge clk);"
		if out := assertRun(t, fmt.Sprintf(assertBench, 5, script), true, func(text string) string {
			if !strings.Contains(text, f.old) {
				t.Fatalf("loom_fifo.sv does not hold %q", f.old)
			}
			return strings.ReplaceAll(text, f.old, f.new)
		}); !strings.Contains(out, f.want) {
			t.Errorf("%s in place of %s does not trip %q: %s", f.new, f.old, f.want, out)
		}
	}
}

// assertRun runs a bench of loom_fifo under Icarus.
func assertRun(t *testing.T, bench string, defined bool, change func(string) string) string {
	t.Helper()
	toolstest.Need(t, "iverilog", "vvp")
	dir := assertDir(t, bench, change)
	args := []string{"-g2012", "-Wall", "-Wno-timescale", "-s", "bench", "-o", "bench.vvp"}
	if defined {
		args = append(args, "-DLOOM_ASSERT")
	}
	if out, err := run(t, dir, time.Minute, "iverilog", append(args, "loom_fifo.sv", "bench.sv")...); err != nil {
		t.Fatalf("iverilog: %v\n%s", err, out)
	}
	out, err := run(t, dir, time.Minute, "vvp", "-n", "bench.vvp")
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, out)
	}
	return out
}

func assertDir(t *testing.T, bench string, change func(string) string) string {
	t.Helper()
	dir := t.TempDir()
	fifo, err := os.ReadFile("loom_fifo.sv")
	if err != nil {
		t.Fatal(err)
	}
	text := string(fifo)
	if change != nil {
		text = change(text)
	}
	for name, s := range map[string]string{"loom_fifo.sv": text, "bench.sv": bench} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestAssertionsElsewhere: Verilator reports a token that is withdrawn, and Yosys makes the
// same netlist with the define as without.
func TestAssertionsElsewhere(t *testing.T) {
	toolstest.Need(t, "verilator", "yosys", "g++", "make")
	dir := assertDir(t, fmt.Sprintf(assertBench, 2, assertCases[1].script), nil)
	if out, err := run(t, dir, 3*time.Minute, "verilator", "--binary", "--timing", "-DLOOM_ASSERT", "-Wno-fatal", "--top-module", "bench", "-o", "bench",
		"bench.sv", "loom_fifo.sv"); err != nil {
		t.Fatalf("verilator: %v\n%s", err, tail(out))
	}
	// An error ends the simulation.
	if out, err := run(t, dir, time.Minute, filepath.Join(dir, "obj_dir", "bench")); err == nil || !strings.Contains(out, assertCases[1].want) {
		t.Errorf("Verilator: %v\n%s", err, out)
	}
	cells := func(define string) string {
		out, err := run(t, dir, time.Minute, "yosys", "-q", "-p", "read_verilog -sv "+define+" loom_fifo.sv; hierarchy -top loom_fifo; proc; opt; tee -o /dev/stdout stat")
		if err != nil {
			t.Fatalf("yosys: %v\n%s", err, out)
		}
		return out
	}
	if with, without := cells("-DLOOM_ASSERT"), cells(""); with != without || !strings.Contains(with, "$dff") {
		t.Errorf("Yosys makes\n%s\nwith the define, without\n%s", with, without)
	}
}
