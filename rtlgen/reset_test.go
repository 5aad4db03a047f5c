package rtlgen_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/config"
	"loom/compiler/ir"
	"loom/internal/fabrictest"
	"loom/internal/tools/toolstest"
	"loom/rtlgen"
)

// resetBench resets a fabric while a read waits for the bus and another for its data,
// loads the image again and reads once more.
const resetBench = `module bench;
  logic clk = 0, rst = 1, soft_rst = 0, cfg_valid = 0, cfg_last = 0;
  logic [31:0] cfg_data = 0, addr = 0;
  logic addr_valid = 0, arready = 0, rvalid = 0;
  wire arvalid, value_valid, idle, error_valid, running, addr_ready;
  logic [31:0] rdata = 0;
  wire [31:0] value;
  wire [63:0] araddr;
  always #5 clk = ~clk;
  reset_fabric dut (.clk(clk), .rst(rst), .soft_rst(soft_rst),
    .cfg_valid(cfg_valid), .cfg_ready(), .cfg_data(cfg_data), .cfg_last(cfg_last),
    .ext_base(64'd0), .addr_valid(addr_valid), .addr_ready(addr_ready), .addr_data(addr), .value_valid(value_valid), .value_ready(1'b1), .value_data(value),
    .m_axi_ext_arvalid(arvalid), .m_axi_ext_arready(arready), .m_axi_ext_arid(), .m_axi_ext_araddr(araddr), .m_axi_ext_arlen(),
    .m_axi_ext_arsize(), .m_axi_ext_arburst(), .m_axi_ext_arlock(), .m_axi_ext_arcache(), .m_axi_ext_arprot(),
    .m_axi_ext_rvalid(rvalid), .m_axi_ext_rready(), .m_axi_ext_rid(1'b0),
    .m_axi_ext_rdata(rdata), .m_axi_ext_rresp(2'b00), .m_axi_ext_rlast(1'b1),
    .running(running), .idle(idle), .error_valid(error_valid), .error_code());
  always @(posedge clk) begin
    if (arvalid & arready) $display("request %0d", araddr);
    if (value_valid) $display("value %0d", value);
    if (rvalid) $display("response %0d", rdata);
    if (error_valid) $display("error");
  end
  logic offered = 0;
  always @(posedge clk) begin
    if (~rst & offered & ~arvalid) $display("request withdrawn");
    offered <= arvalid & ~arready & ~rst;
  end
  task load; begin
    for (int i = 0; i < 3; i++) begin // one region, at address 0
      cfg_valid = 1; cfg_data = i == 0; cfg_last = i == 2; @(negedge clk);
    end
    cfg_valid = 0;
  end endtask
  task send(input [31:0] a); begin
    addr = a; addr_valid = 1;
    @(posedge clk); while (!addr_ready) @(posedge clk);
    @(negedge clk); addr_valid = 0;
  end endtask
  task respond(input [31:0] d); begin rvalid = 1; rdata = d; @(negedge clk); rvalid = 0; end endtask
  initial begin
    repeat (3) @(negedge clk);
    rst = 0;
    load;
    send(1);
    arready = 1; repeat (3) @(negedge clk); arready = 0;
    send(2);
    repeat (2) @(negedge clk);
    $display("reset, idle %b", idle);
    soft_rst = 1; @(negedge clk); soft_rst = 0;
    repeat (2) @(negedge clk);
    load;
    addr = 3; addr_valid = 1;
    repeat (5) @(negedge clk);
    $display("running %b, idle %b", running, idle);
    arready = 1; repeat (3) @(negedge clk);
    respond(10);
    respond(20);
    while (!addr_ready) @(negedge clk);
    @(negedge clk); addr_valid = 0;
    repeat (3) @(negedge clk);
    respond(30);
    repeat (5) @(negedge clk);
    $display("idle %b", idle);
    $finish;
  end
endmodule
`

// TestResetLeavesTheBus: a reset of the fabric alone withdraws no request and passes
// no response on to what runs afterwards.
func TestResetLeavesTheBus(t *testing.T) {
	toolstest.Need(t, "iverilog")
	b := fabrictest.New("reset", 32)
	ext := b.Memory("ext", ir.I32, 0, true, false)
	b.Connect(b.Input("addr", ir.Index), fabrictest.In(ext, ext.Mem.LdAddr))
	b.Connect(fabrictest.Out(ext, ext.Mem.LdData), b.Output("value", ir.I32))
	b.Unused(fabrictest.Out(ext, ext.Mem.LdDone))
	img := config.New(config.NewLayout(b.F))
	img.Settings[ext.ID].Regions[0].Valid = true
	words := img.Encode()
	if !slices.Equal(words, []uint32{1, 0, 0}) {
		t.Fatalf("the bench loads another image than %x", words)
	}
	run := func(out *rtlgen.Output) string {
		dir := write(t, out)
		if err := os.WriteFile(filepath.Join(dir, "bench.sv"), []byte(resetBench), 0o644); err != nil {
			t.Fatal(err)
		}
		silent(t, dir, "iverilog", "-g2012", "-Wno-timescale", "-s", "bench", "-o", "bench.vvp", "-c", rtlgen.FileList, "bench.sv")
		cmd := exec.Command("vvp", "-n", "bench.vvp")
		cmd.Dir = dir
		text, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	const want = `request 4
reset, idle 0
running 1, idle 0
request 8
response 10
response 20
request 12
response 30
value 30
idle 1
`
	out := generate(t, b.F)
	if d := cmp.Diff(want, run(out)); d != "" {
		t.Error(d)
	}
	for from, to := range map[string]string{
		".rst(rst)": ".rst(core_rst)", ".clear(core_rst | ~running)": ".clear(rst)",
	} {
		broken := generate(t, b.F)
		text := broken.Files["reset_fabric.sv"]
		if !strings.Contains(text, from) {
			t.Fatalf("reset_fabric.sv lacks %q", from)
		}
		broken.Files["reset_fabric.sv"] = strings.Replace(text, from, to, 1)
		if run(broken) == want {
			t.Errorf("%q instead of %q: not detected", to, from)
		}
	}
}
