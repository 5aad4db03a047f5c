// loom_share: a unit that several clients use.
//
// Function: hands requests of N clients to one unit, round robin, and each response to the
//   client whose request it answers. A client has a number of credits: slots for its results.
//   A request takes one, the result gives it back when it leaves. So the unit never waits for a
//   client, and a client whose results nobody takes stops only itself.
// Parameters: N clients; IN_W bits of a request, OUT_W of a result; TOKENS: how many requests
//   the unit holds at a time (with fewer it is not kept busy); CREDITS: 8 bits per client, at
//   least 1; BYPASS: a bit per client, whether its result is offered in the cycle of the
//   response, else from the next one on.
// Ports: N channels in (client k at in_data[k*IN_W +: IN_W]), to the unit req, from it rsp,
//   N channels out. rsp_data has a part for every client, who takes its own part only: what it
//   wants of the response. idle: no request under way, no result held.
// Timing: requests pass combinationally. A response comes at the earliest in the cycle after its
//   request, in the order of the requests. A client with C credits gets C results in the time
//   from a request to the cycle after its result has left.
// Rule: rtl/README.md "Shared units".
module loom_share #(
    parameter int N = 2,
    parameter int IN_W = 64,
    parameter int OUT_W = 32,
    parameter int TOKENS = 1,
    parameter logic [N*8-1:0] CREDITS = {N{8'd1}},
    parameter logic [N-1:0] BYPASS = {N{1'b1}}
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [N-1:0]       in_valid,
    output logic [N-1:0]       in_ready,
    input  logic [N*IN_W-1:0]  in_data,
    output logic               req_valid,
    input  logic               req_ready,
    output logic [IN_W-1:0]    req_data,
    input  logic               rsp_valid,
    output logic               rsp_ready,
    input  logic [N*OUT_W-1:0] rsp_data,
    output logic [N-1:0]       out_valid,
    input  logic [N-1:0]       out_ready,
    output logic [N*OUT_W-1:0] out_data,
    output logic               idle
);
  initial if (N < 1 || IN_W < 1 || OUT_W < 1 || TOKENS < 1) $fatal(1, "loom_share: N, IN_W, OUT_W and TOKENS must be at least 1");

  localparam int TW = loom_pkg::index_width(N);

  logic [N-1:0] room;  // the client has a credit
  logic [N-1:0] busy;  // the client has used one
  logic chosen, send;
  logic [TW-1:0] client;
  logic [N*(TW+IN_W)-1:0] requests;
  generate
    for (genvar k = 0; k < N; k++) begin : g_tag
      assign requests[k*(TW+IN_W) +: TW+IN_W] = {TW'(k), in_data[k*IN_W +: IN_W]};
    end
  endgenerate

  loom_arbiter #(
      .W(TW + IN_W),
      .N(N)
  ) u_arbiter (
      .clk      (clk),
      .rst      (rst),
      .in_valid (in_valid & room),
      .in_ready (in_ready),
      .in_data  (requests),
      .out_valid(chosen),
      .out_ready(send),
      .out_data ({client, req_data})
  );

  // The clients of the requests in the unit, in order. A queue of several slots takes a word
  // only where it knows from its state that it has room, so it needs one more.
  logic order_ready, order_valid, unused_idle;
  logic [TW-1:0] answered;
  loom_fifo #(
      .W    (TW),
      .DEPTH((TOKENS == 1) ? 1 : TOKENS + 1)
  ) u_order (
      .clk      (clk),
      .rst      (rst),
      .in_valid (req_valid & req_ready),
      .in_ready (order_ready),
      .in_data  (client),
      .out_valid(order_valid),
      .out_ready(rsp_valid),
      .out_data (answered),
      .idle     (unused_idle)
  );

  assign req_valid = chosen & order_ready;
  assign send      = req_ready & order_ready;
  assign rsp_ready = 1'b1;
  assign idle      = ~|busy;

  generate
    for (genvar k = 0; k < N; k++) begin : g_client
      localparam int C = {24'd0, CREDITS[k*8 +: 8]};
      localparam int CW = $clog2(C + 1);
      initial if (C < 1) $fatal(1, "loom_share: CREDITS must be at least 1");

      logic [CW-1:0] used;  // credits: requests in the unit and results held
      logic come, left, store, held, unused_empty;
      logic unused_slot;    // always there, as the request took a credit
      logic [OUT_W-1:0] word;

      assign come    = rsp_valid & order_valid & (answered == TW'(k));
      assign left    = out_valid[k] & out_ready[k];
      assign room[k] = used != C[CW-1:0];
      assign busy[k] = |used;

      always_ff @(posedge clk) begin
        if (rst) used <= '0;
        else if (in_ready[k] != left) used <= in_ready[k] ? used + CW'(1) : used - CW'(1);
      end

      loom_fifo #(
          .W    (OUT_W),
          .DEPTH(C)
      ) u_results (
          .clk      (clk),
          .rst      (rst),
          .in_valid (store),
          .in_ready (unused_slot),
          .in_data  (rsp_data[k*OUT_W +: OUT_W]),
          .out_valid(held),
          .out_ready(out_ready[k]),
          .out_data (word),
          .idle     (unused_empty)
      );

      if (BYPASS[k]) begin : g_bypass
        assign store        = come & (held | ~out_ready[k]);
        assign out_valid[k] = held | come;
        assign out_data[k*OUT_W +: OUT_W] = held ? word : rsp_data[k*OUT_W +: OUT_W];
      end else begin : g_registered
        assign store        = come;
        assign out_valid[k] = held;
        assign out_data[k*OUT_W +: OUT_W] = word;
      end

`ifdef LOOM_FORMAL
`include "loom_share_client.svh"
`endif
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_share.svh"
`endif
endmodule
