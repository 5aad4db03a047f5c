// loom_bram_load: the loads of an array in a RAM with a fixed latency.
//
// Function: a request reads the RAM in its cycle; the data that the RAM gives LATENCY cycles later
//   is the response, kept where its reader is not ready.
// Parameters: AW address bits of a request; MW address bits of the RAM, at most AW; DW element
//   bits; LATENCY cycles from en to dout, at least 1.
// Ports: requests and responses of an access; the read port of the RAM. The RAM needs no
//   enable for its output registers: data comes LATENCY cycles after its en, whatever follows.
// Timing: a request in t reads in t and is offered from t+LATENCY on; one per cycle. req_ready
//   is state: fewer than LATENCY + 1 requests have not left.
// Rule: rtl/README.md "Ports of direct circuits".
module loom_bram_load #(
    parameter int AW      = 32,
    parameter int MW      = 10,
    parameter int DW      = 32,
    parameter int LATENCY = 1
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          req_valid,
    output logic          req_ready,
    input  logic [AW-1:0] req_addr,
    output logic          rsp_valid,
    input  logic          rsp_ready,
    output logic [DW-1:0] rsp_data,
    output logic          bram_en,
    output logic [MW-1:0] bram_addr,
    input  logic [DW-1:0] bram_dout
);
  initial if (LATENCY < 1) $fatal(1, "loom_bram_load: LATENCY must be at least 1");
  initial if (MW < 1 || MW > AW) $fatal(1, "loom_bram_load: MW must be 1 to AW");

  localparam int SLOTS = LATENCY + 1;

  // Slots that a request holds from its read until its data has left: those from 0 on.
  logic [SLOTS-1:0]   held;
  logic [LATENCY-1:0] coming;  // bit k: a read of k + 1 cycles before
  logic more, less;
  assign req_ready = ~held[SLOTS-1];
  assign more      = req_valid & req_ready;
  assign less      = rsp_valid & rsp_ready;
  assign bram_en   = more & ~rst;
  assign bram_addr = req_addr[MW-1:0];
  always_ff @(posedge clk) begin
    if (rst) held <= '0;
    else if (more & ~less) held <= SLOTS'({held, 1'b1});
    else if (less & ~more) held <= held >> 1;
    if (rst) coming <= '0;
    else coming <= LATENCY'({coming, more});
  end

  logic unused;  // there is a slot for everything that comes; the upper bits of an index are zero
  logic room;
  assign unused = room ^ (^req_addr);
  loom_fifo_transparent #(
      .W    (DW),
      .DEPTH(SLOTS)
  ) u_data (
      .clk      (clk),
      .rst      (rst),
      .in_valid (coming[LATENCY-1]),
      .in_ready (room),
      .in_data  (bram_dout),
      .out_valid(rsp_valid),
      .out_ready(rsp_ready),
      .out_data (rsp_data)
  );

`ifdef LOOM_FORMAL
`include "loom_bram_load.svh"
`endif
endmodule
