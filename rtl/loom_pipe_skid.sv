// loom_pipe_skid: a chain of pipeline registers that cuts ready.
//
// Function: delays a channel by LATENCY cycles; a stalled pipeline fills its gaps.
// Parameters: W data bits; LATENCY registers, 2 or more.
// Ports: channel in, channel out, idle (empty).
// Timing: a loom_fifo of two slots, then LATENCY - 1 registers (loom_pipe); keeps up to
//   LATENCY + 1 words. in_ready comes from a register. One word per cycle.
// Rule: rtl/README.md "Storage".
module loom_pipe_skid #(
    parameter int W       = 32,
    parameter int LATENCY = 2
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data,
    output logic         idle
);
  initial if (W < 1 || LATENCY < 2) $fatal(1, "loom_pipe_skid: W must be at least 1, LATENCY at least 2");

  logic         first_valid, first_ready, first_idle, rest_idle;
  logic [W-1:0] first_data;

  loom_fifo #(
      .W(W),
      .DEPTH(2)
  ) u_first (
      .clk      (clk),
      .rst      (rst),
      .in_valid (in_valid),
      .in_ready (in_ready),
      .in_data  (in_data),
      .out_valid(first_valid),
      .out_ready(first_ready),
      .out_data (first_data),
      .idle     (first_idle)
  );
  loom_pipe #(
      .W      (W),
      .LATENCY(LATENCY - 1)
  ) u_rest (
      .clk      (clk),
      .rst      (rst),
      .in_valid (first_valid),
      .in_ready (first_ready),
      .in_data  (first_data),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_data (out_data),
      .idle     (rest_idle)
  );
  assign idle = first_idle & rest_idle;

`ifdef LOOM_FORMAL
`include "loom_pipe_skid.svh"
`endif
endmodule
