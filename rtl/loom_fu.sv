// loom_fu: handshake around a combinational datapath.
//
// Function: joins N_IN inputs, sends the result bits that the surrounding design
//   computes from the inputs' data (comb_data) through LATENCY pipeline registers, and
//   offers the N_OUT results independently.
// Parameters: N_IN inputs, at least 1; N_OUT results, at least 1; W_OUT_TOTAL bits of
//   all results together; LATENCY registers; INTERVAL: least distance of two
//   acceptances in cycles, at least 1; INSIDE: 1 where the registers stand inside the datapath,
//   which gives comb_data LATENCY cycles later by itself.
// Ports: in_valid/in_ready per input; comb_data: the results as a combinational
//   function of the input data, packed as the caller likes; out_valid/out_ready per
//   result; out_data: comb_data LATENCY cycles later; move: with INSIDE, register k of the datapath
//   takes what is in front of it (loom_flow), else 0; idle (no token inside).
// Timing: one firing every INTERVAL cycles, latency LATENCY. in_ready depends on
//   out_ready and on the other inputs' valid; out_valid with LATENCY = 0 on in_valid.
// Rule: rtl/README.md "Function units".
module loom_fu #(
    parameter int N_IN        = 2,
    parameter int N_OUT       = 1,
    parameter int W_OUT_TOTAL = 32,
    parameter int LATENCY     = 1,
    parameter int INTERVAL    = 1,
    parameter int INSIDE      = 0
) (
    input  logic                   clk,
    input  logic                   rst,
    input  logic [N_IN-1:0]        in_valid,
    output logic [N_IN-1:0]        in_ready,
    input  logic [W_OUT_TOTAL-1:0] comb_data,
    output logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    output logic [N_OUT-1:0]       out_valid,
    input  logic [N_OUT-1:0]       out_ready,
    output logic [W_OUT_TOTAL-1:0] out_data,
    output logic                   idle
);
  initial if (N_IN < 1 || N_OUT < 1 || INTERVAL < 1) $fatal(1, "loom_fu: N_IN, N_OUT and INTERVAL must be at least 1");

  logic open;  // the interval since the last acceptance is over
  logic request, granted, accept;
  logic result_valid, result_done;
  logic pipe_idle, offer_idle, rest_idle;

  assign request  = (&in_valid) & open;
  assign accept   = request & granted;
  assign in_ready = {N_IN{accept}};

  generate
    if (INTERVAL == 1) begin : g_every_cycle
      assign open      = 1'b1;
      assign rest_idle = 1'b1;
    end else begin : g_interval
      localparam int CW = $clog2(INTERVAL);
      localparam int REST = INTERVAL - 1;
      logic [CW-1:0] rest;  // cycles until the next acceptance
      assign open      = ~|rest;
      assign rest_idle = open;
      always_ff @(posedge clk) begin
        if (rst) rest <= '0;
        else if (accept) rest <= REST[CW-1:0];
        else if (~open) rest <= rest - CW'(1);
      end
    end
  endgenerate

  generate
    if (INSIDE != 0) begin : g_inside
      loom_flow #(
          .LATENCY(LATENCY)
      ) u_flow (
          .clk      (clk),
          .rst      (rst),
          .in_valid (request),
          .in_ready (granted),
          .move     (move),
          .out_valid(result_valid),
          .out_ready(result_done),
          .idle     (pipe_idle)
      );
      assign out_data = comb_data;
    end else begin : g_behind
      loom_pipe #(
          .W      (W_OUT_TOTAL),
          .LATENCY(LATENCY)
      ) u_pipe (
          .clk      (clk),
          .rst      (rst),
          .in_valid (request),
          .in_ready (granted),
          .in_data  (comb_data),
          .out_valid(result_valid),
          .out_ready(result_done),
          .out_data (out_data),
          .idle     (pipe_idle)
      );
      assign move = '0;
    end
  endgenerate

  loom_offer #(
      .N(N_OUT)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (result_valid),
      .need     ({N_OUT{1'b1}}),
      .done     (result_done),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .idle     (offer_idle)
  );

  assign idle = pipe_idle & offer_idle & rest_idle;

`ifdef LOOM_FORMAL
`include "loom_fu.svh"
`endif
endmodule
