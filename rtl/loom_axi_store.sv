// loom_axi_store: one access of a direct circuit that stores to an array behind AXI4.
//
// Function: makes of an element index and data a write for loom_axi_bus, and a done token of
//   its response. A done token is counted, so the bus never waits for the circuit: accesses
//   cannot block each other.
// Parameters: as of loom_axi_load; OUTSTANDING stores whose done token has not been taken.
// Ports: rst, clear, base, err, busy as of loom_axi_load; request and done channels req and
//   rsp. To loom_axi_bus: aw, a write with address, data and strobes; b, which comes in the
//   order of aw and is always taken. Bytes of the data that are not written are copies of the
//   element, bits of the element beyond DW zeros.
// Timing: req is on aw from the next cycle on, b on rsp likewise; one per cycle. req_ready
//   depends on state only.
// Clear: writes in flight are finished, their responses are dropped, and requests wait until
//   then.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_store #(
    parameter int AW          = 32,
    parameter int DW          = 32,
    parameter int SHIFT       = 2,
    parameter int BUS_AW      = 64,
    parameter int BUS_DW      = 32,
    parameter int OUTSTANDING = 16
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    input  logic [63:0]         base,
    input  logic                req_valid,
    output logic                req_ready,
    input  logic [AW-1:0]       req_addr,
    input  logic [DW-1:0]       req_data,
    output logic                rsp_valid,
    input  logic                rsp_ready,
    output logic                aw_valid,
    input  logic                aw_ready,
    output logic [BUS_AW-1:0]   aw_addr,
    output logic [BUS_DW-1:0]   aw_data,
    output logic [BUS_DW/8-1:0] aw_strb,
    input  logic                b_valid,
    input  logic                b_err,
    output logic                err,
    output logic                busy
);
  initial if (SHIFT < 0 || SHIFT > 3 || DW < 1 || DW > (8 << SHIFT)) $fatal(1, "loom_axi_store: an element has 1, 2, 4 or 8 bytes and at most as many bits");
  initial if (BUS_DW < (8 << SHIFT)) $fatal(1, "loom_axi_store: BUS_DW must hold an element");
  initial if (OUTSTANDING < 2) $fatal(1, "loom_axi_store: OUTSTANDING must be at least 2");

  localparam int CW    = $clog2(OUTSTANDING + 1);
  localparam int BYTES = 1 << SHIFT;
  localparam int LANES = BUS_DW / (8 * BYTES);
  localparam int LB    = $clog2(LANES);
  localparam int LW    = (LB > 1) ? LB : 1;

  // Requests from their acceptance until their done token is taken, writes on the bus, and done
  // tokens that wait.
  logic [CW-1:0] taken, writes, dones;
  logic draining, closed;
  logic waiting;           // a request has not left
  logic accept, ask, give, done, room;
  assign closed    = clear | draining;
  assign room      = taken != OUTSTANDING[CW-1:0];
  assign busy      = (|writes) | waiting;
  assign rsp_valid = |dones;
  assign give      = rsp_valid & rsp_ready;
  assign ask       = aw_valid & aw_ready;
  assign done      = b_valid & ~closed;

  always_ff @(posedge clk) begin
    if (clear) begin
      taken <= '0;
      dones <= '0;
    end else begin
      if (accept != give) taken <= accept ? taken + CW'(1) : taken - CW'(1);
      if (done != give) dones <= done ? dones + CW'(1) : dones - CW'(1);
    end
    if (rst) begin
      writes   <= '0;
      draining <= 1'b0;
    end else begin
      if (ask != b_valid) writes <= ask ? writes + CW'(1) : writes - CW'(1);
      draining <= closed & (|writes);
    end
  end

  logic wait_ready, unused_wait_idle;
  logic [AW-1:0] index;
  logic [DW-1:0] data;
  assign req_ready = room & wait_ready & ~closed;
  assign accept    = req_valid & req_ready;
  loom_fifo #(
      .W    (AW + DW),
      .DEPTH(2)
  ) u_wait (
      .clk      (clk),
      .rst      (clear),
      .in_valid (accept),
      .in_ready (wait_ready),
      .in_data  ({req_addr, req_data}),
      .out_valid(waiting),
      .out_ready(ask),
      .out_data ({index, data}),
      .idle     (unused_wait_idle)
  );
  assign aw_valid = waiting & ~closed;
  loom_axi_address #(
      .AW(AW),
      .SHIFT(SHIFT),
      .BUS_AW(BUS_AW)
  ) u_address (
      .base   (base),
      .index  (index),
      .address(aw_addr)
  );

  logic [8*BYTES-1:0] element;
  generate
    if (DW == 8 * BYTES) begin : g_whole
      assign element = data;
    end else begin : g_part
      assign element = {{(8 * BYTES - DW) {1'b0}}, data};
    end
    if (LB == 0) begin : g_one_lane
      assign aw_strb = '1;
    end else begin : g_lanes
      for (genvar l = 0; l < LANES; l++) begin : g_lane
        assign aw_strb[l*BYTES +: BYTES] = {BYTES{aw_addr[SHIFT +: LW] == l[LW-1:0]}};
      end
    end
  endgenerate
  assign aw_data = {LANES{element}};
  assign err     = b_valid & b_err & ~closed;

`ifdef LOOM_FORMAL
`include "loom_axi_store.svh"
`endif
endmodule
