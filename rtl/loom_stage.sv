// loom_stage: one pipeline register.
//
// Function: delays a channel by one cycle; a stalled chain of stages fills its gaps.
// Parameters: W data bits.
// Ports: channel in, channel out, idle (empty).
// Timing: loom_fifo with DEPTH = 1: data accepted in t is offered from t+1; accepts
//   when empty or when the word leaves.
// Rule: rtl/README.md "Storage".
module loom_stage #(
    parameter int W = 32
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
  loom_fifo #(
      .W    (W),
      .DEPTH(1)
  ) u_fifo (
      .clk      (clk),
      .rst      (rst),
      .in_valid (in_valid),
      .in_ready (in_ready),
      .in_data  (in_data),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .out_data (out_data),
      .idle     (idle)
  );
endmodule
