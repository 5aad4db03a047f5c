// loom_merge: passes on a token of any input.
//
// Function: handshake.merge. A token of the lowest input that has one is offered; it stays
//   until it is taken, whatever else arrives. out_from tells which input it is of, one bit
//   per input.
// Parameters: W data bits; N inputs, at least 1.
// Ports: N channels in (input k at in_data[k*W +: W]); channel out; out_from, valid with it;
//   idle (no token waits).
// Timing: combinational, one token per cycle. The state is which input a stalled token is of.
// Rule: rtl/README.md "Units of graphs from elsewhere".
module loom_merge #(
    parameter int W = 32,
    parameter int N = 2
) (
    input  logic           clk,
    input  logic           rst,
    input  logic [N-1:0]   in_valid,
    output logic [N-1:0]   in_ready,
    input  logic [N*W-1:0] in_data,
    output logic           out_valid,
    input  logic           out_ready,
    output logic [W-1:0]   out_data,
    output logic [N-1:0]   out_from,
    output logic           idle
);
  initial if (W < 1 || N < 1) $fatal(1, "loom_merge: W and N must be at least 1");

  logic         stalled;  // a token was offered and not taken: of input held
  logic [N-1:0] held, first;

  assign first[0] = in_valid[0];
  generate
    for (genvar k = 1; k < N; k++) begin : g_first
      assign first[k] = in_valid[k] & ~|in_valid[k-1:0];
    end
  endgenerate

  assign out_from  = stalled ? held : first;
  assign out_valid = |in_valid;
  assign in_ready  = out_from & {N{out_ready}};
  assign idle      = ~stalled;

  always_comb begin
    out_data = '0;
    for (int k = 0; k < N; k++) begin
      if (out_from[k]) out_data = out_data | in_data[k*W +: W];
    end
  end

  always_ff @(posedge clk) begin
    if (rst) stalled <= 1'b0;
    else stalled <= out_valid & ~out_ready;
    held <= out_from;
  end

`ifdef LOOM_FORMAL
`include "loom_merge.svh"
`endif
endmodule
