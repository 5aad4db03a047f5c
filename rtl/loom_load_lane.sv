// loom_load_lane: one load port of a shared memory, with slots for its responses.
//
// Function: fabric.load_lane. Adds the tag to addresses for the memory and removes it from
//   the responses. A request is sent only with a slot for its data and one for its done
//   token reserved, so that responses are always taken and never block those of other lanes;
//   the slot is free again when both have left. Data and done leave independently, each
//   in the order of the requests. A response without a request is dropped.
// Parameters: AW address bits; DW data bits; TW tag bits; DEPTH slots.
// Ports: cfg_tag; channel addr in, channels data and done (control only) out; to the
//   memory req {tag, address}; from it rsp {tag, data} and done_rsp {tag}; idle (no
//   request open, no response held). The tags of responses are ignored: the temporal switch routed them.
// Timing: the request passes combinationally; responses come at the earliest in the cycle
//   after their request and are offered from the next. A slot is reserved in the cycle of
//   the request and free in the cycle after the later of data and done has left: DEPTH
//   requests in the time from a request to the departure of its response, inclusive.
// Rule: rtl/README.md "Tags"; design page "Fabric", "Sharing must not deadlock".
module loom_load_lane #(
    parameter int AW    = 32,
    parameter int DW    = 32,
    parameter int TW    = 4,
    parameter int DEPTH = 8
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [TW-1:0]    cfg_tag,
    input  logic             addr_valid,
    output logic             addr_ready,
    input  logic [AW-1:0]    addr_data,
    output logic             req_valid,
    input  logic             req_ready,
    output logic [TW+AW-1:0] req_data,
    input  logic             rsp_valid,
    output logic             rsp_ready,
    input  logic [TW+DW-1:0] rsp_data,
    input  logic             done_rsp_valid,
    output logic             done_rsp_ready,
    input  logic [TW-1:0]    done_rsp_data,
    output logic             data_valid,
    input  logic             data_ready,
    output logic [DW-1:0]    data_data,
    output logic             done_valid,
    input  logic             done_ready,
    output logic             idle
);
  initial if (AW < 1 || DW < 1 || TW < 1 || DEPTH < 1) $fatal(1, "loom_load_lane: AW, DW, TW and DEPTH must be at least 1");

  localparam int CW = $clog2(DEPTH + 1);

  // under_way: loads whose data (done) has not left; awaited: has not come.
  logic [CW-1:0] data_under_way, data_awaited, done_under_way, done_awaited;
  logic room, send, data_come, data_left, done_come, done_left;
  logic unused_ready, unused_idle, unused_tags;

  assign unused_tags    = (|rsp_data[TW+DW-1:DW]) | (|done_rsp_data);
  assign room           = (data_under_way != DEPTH[CW-1:0]) & (done_under_way != DEPTH[CW-1:0]);
  assign req_valid      = addr_valid & room;
  assign req_data       = {cfg_tag, addr_data};
  assign addr_ready     = req_ready & room;
  assign send           = addr_valid & room & req_ready;
  assign rsp_ready      = 1'b1;
  assign done_rsp_ready = 1'b1;
  assign data_come      = rsp_valid & (|data_awaited);
  assign done_come      = done_rsp_valid & (|done_awaited);
  assign data_left      = data_valid & data_ready;
  assign done_left      = done_valid & done_ready;
  assign done_valid     = done_under_way != done_awaited;
  assign idle           = ~|data_under_way & ~|done_under_way;

  // Never full when a response comes: its slot was reserved.
  loom_fifo #(
      .W    (DW),
      .DEPTH(DEPTH)
  ) u_data (
      .clk      (clk),
      .rst      (rst),
      .in_valid (data_come),
      .in_ready (unused_ready),
      .in_data  (rsp_data[DW-1:0]),
      .out_valid(data_valid),
      .out_ready(data_ready),
      .out_data (data_data),
      .idle     (unused_idle)
  );

  always_ff @(posedge clk) begin
    if (rst) begin
      data_under_way <= '0;
      data_awaited   <= '0;
      done_under_way <= '0;
      done_awaited   <= '0;
    end else begin
      if (send != data_left) data_under_way <= send ? data_under_way + CW'(1) : data_under_way - CW'(1);
      if (send != data_come) data_awaited <= send ? data_awaited + CW'(1) : data_awaited - CW'(1);
      if (send != done_left) done_under_way <= send ? done_under_way + CW'(1) : done_under_way - CW'(1);
      if (send != done_come) done_awaited <= send ? done_awaited + CW'(1) : done_awaited - CW'(1);
    end
  end

`ifdef LOOM_FORMAL
`include "loom_load_lane.svh"
`endif

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
  always @(posedge clk) begin
    if (rst === 1'b0) begin
      if (int'(data_under_way) > DEPTH || int'(done_under_way) > DEPTH) $error("LOOM_ASSERT: %m: more loads in flight than slots");
      if (data_come && !unused_ready) $error("LOOM_ASSERT: %m: data without a place");
    end
  end
`endif
`endif
endmodule
