// loom_store_lane: one store port of a shared memory, with slots for its done tokens.
//
// Function: fabric.store_lane. Joins address and data, tags both and offers them to the
//   memory independently, at most LSQ_DEPTH stores at a time. A store is begun when both halves of
//   the one before have been taken, and only with a slot for its done token reserved: so
//   responses are always taken, and where the memory takes the halves itself, a queue of it
//   that is full holds a complete store, which leaves. Behind a FIFO an address or datum could
//   wait for room in its queue in front of those that its pair needs; there LSQ_DEPTH must not
//   exceed the depth of the memory's queues. A response without a request is dropped.
// Parameters: AW address bits; DW data bits; TW tag bits; LSQ_DEPTH: stores
//   begun whose done token has not come back; PLACES: stores begun whose done token has
//   not left, at least 1 (a slot costs no storage; more than LSQ_DEPTH let stores go on
//   while the done tokens are not taken).
// Ports: cfg_tag; channels addr and data in, done (control only) out; to the memory
//   staddr {tag, address} and stdata {tag, data}; from it done_rsp {tag}; idle. The
//   tags of responses are ignored: the temporal switch routed them.
// Timing: address and data pass combinationally; the done token comes at the earliest in
//   the cycle after its store is complete and is offered from the next.
// Rule: rtl/README.md "Tags"; design page "Fabric", "Sharing must not deadlock".
module loom_store_lane #(
    parameter int AW        = 32,
    parameter int DW        = 32,
    parameter int TW        = 4,
    parameter int LSQ_DEPTH = 4,
    parameter int PLACES    = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [TW-1:0]    cfg_tag,
    input  logic             addr_valid,
    output logic             addr_ready,
    input  logic [AW-1:0]    addr_data,
    input  logic             data_valid,
    output logic             data_ready,
    input  logic [DW-1:0]    data_data,
    output logic             staddr_valid,
    input  logic             staddr_ready,
    output logic [TW+AW-1:0] staddr_data,
    output logic             stdata_valid,
    input  logic             stdata_ready,
    output logic [TW+DW-1:0] stdata_data,
    input  logic             done_rsp_valid,
    output logic             done_rsp_ready,
    input  logic [TW-1:0]    done_rsp_data,
    output logic             done_valid,
    input  logic             done_ready,
    output logic             idle
);
  initial if (AW < 1 || DW < 1 || TW < 1) $fatal(1, "loom_store_lane: AW, DW and TW must be at least 1");
  initial if (LSQ_DEPTH < 1 || PLACES < 1) $fatal(1, "loom_store_lane: LSQ_DEPTH and PLACES must be at least 1");

  localparam int MOST = (LSQ_DEPTH < PLACES) ? LSQ_DEPTH : PLACES;
  localparam int CW = $clog2(PLACES + 1);

  // under_way: complete stores whose done token has not left; awaited: has not come.
  logic [CW-1:0] under_way, awaited;
  logic offer, complete, send, done_come, done_left, offer_idle, unused_tag;

  assign unused_tag     = |done_rsp_data;
  assign offer          = addr_valid & data_valid & (under_way != PLACES[CW-1:0]) & (awaited != MOST[CW-1:0]);
  assign send           = offer & complete;
  assign addr_ready     = send;
  assign data_ready     = send;
  assign staddr_data    = {cfg_tag, addr_data};
  assign stdata_data    = {cfg_tag, data_data};
  assign done_rsp_ready = 1'b1;
  assign done_come      = done_rsp_valid & (|awaited);
  assign done_valid     = under_way != awaited;
  assign done_left      = done_valid & done_ready;
  assign idle           = offer_idle & ~|under_way;

  loom_offer #(
      .N(2)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (offer),
      .need     (2'b11),
      .done     (complete),
      .out_valid({stdata_valid, staddr_valid}),
      .out_ready({stdata_ready, staddr_ready}),
      .idle     (offer_idle)
  );

  always_ff @(posedge clk) begin
    if (rst) begin
      under_way <= '0;
      awaited   <= '0;
    end else begin
      if (send != done_left) under_way <= send ? under_way + CW'(1) : under_way - CW'(1);
      if (send != done_come) awaited <= send ? awaited + CW'(1) : awaited - CW'(1);
    end
  end

`ifdef LOOM_FORMAL
`include "loom_store_lane.svh"
`endif

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
  always @(posedge clk) begin
    if (rst === 1'b0) begin
      if (int'(under_way) > PLACES || int'(awaited) > MOST) $error("LOOM_ASSERT: %m: more stores in flight than places");
    end
  end
`endif
`endif
endmodule
