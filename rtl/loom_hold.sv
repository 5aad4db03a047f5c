// loom_hold: a register whose word stays until the next one comes.
//
// Function: delays a channel by a cycle. out_data keeps the word that has left, so a unit that
//   computes for some cycles can go on reading what it took.
// Parameters: W data bits.
// Ports: channel in, channel out, idle (empty).
// Timing: accepts when it is empty or its word leaves; in_ready depends on out_ready.
// Rule: rtl/README.md "Shared units".
module loom_hold #(
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
  initial if (W < 1) $fatal(1, "loom_hold: W must be at least 1");

  logic full;
  logic [W-1:0] word;

  assign in_ready  = ~full | out_ready;
  assign out_valid = full;
  assign out_data  = word;
  assign idle      = ~full;

  always_ff @(posedge clk) begin
    if (rst) full <= 1'b0;
    else if (in_ready) full <= in_valid;
    if (in_ready & in_valid) word <= in_data;
  end

`ifdef LOOM_FORMAL
`include "loom_hold.svh"
`endif
endmodule
