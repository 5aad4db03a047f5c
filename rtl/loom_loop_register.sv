// loom_loop_register: the register of a loop that holds one token at a time.
//
// Function: delays a channel by one cycle and takes a token in every cycle.
// Parameters: W data bits.
// Ports: channel in, channel out.
// Timing: a word accepted in t is offered from t+1; in_ready is always high. Whoever
//   offers a word while one is inside makes that one leave in the same cycle: the loop
//   holds one token, and takes it in the cycle in which it yields the next.
// Rule: rtl/README.md "Storage".
module loom_loop_register #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data
);
  initial if (W < 1) $fatal(1, "loom_loop_register: W must be at least 1");

  assign in_ready = 1'b1;

  always_ff @(posedge clk) begin
    if (rst) out_valid <= 1'b0;
    else if (in_valid) out_valid <= 1'b1;
    else if (out_ready) out_valid <= 1'b0;
    if (in_valid) out_data <= in_data;
  end

`ifdef LOOM_FORMAL
`include "loom_loop_register.svh"
`endif
endmodule
