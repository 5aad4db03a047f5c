// loom_control_merge: passes on a token of any input, and the number of the input.
//
// Function: handshake.control_merge. Token and number are offered independently; the next
//   token is chosen when both are taken.
// Parameters: W data bits; N inputs, at least 1; INDEX_W bits of the number.
// Ports: N channels in (input k at in_data[k*W +: W]); channels out and index; idle.
// Timing: combinational, one token per cycle.
// Rule: rtl/README.md "Units of graphs from elsewhere".
module loom_control_merge #(
    parameter int W       = 32,
    parameter int N       = 2,
    parameter int INDEX_W = 1
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [N-1:0]       in_valid,
    output logic [N-1:0]       in_ready,
    input  logic [N*W-1:0]     in_data,
    output logic               out_valid,
    input  logic               out_ready,
    output logic [W-1:0]       out_data,
    output logic               index_valid,
    input  logic               index_ready,
    output logic [INDEX_W-1:0] index_data,
    output logic               idle
);
  initial if (INDEX_W < 1 || INDEX_W < 31 && N > (1 << INDEX_W)) $fatal(1, "loom_control_merge: INDEX_W does not hold N - 1");

  logic         offer, done, merge_idle, offer_idle;
  logic [N-1:0] from;

  loom_merge #(
      .W(W),
      .N(N)
  ) u_merge (
      .clk      (clk),
      .rst      (rst),
      .in_valid (in_valid),
      .in_ready (in_ready),
      .in_data  (in_data),
      .out_valid(offer),
      .out_ready(done),
      .out_data (out_data),
      .out_from (from),
      .idle     (merge_idle)
  );

  loom_offer #(
      .N(2)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (offer),
      .need     (2'b11),
      .done     (done),
      .out_valid({index_valid, out_valid}),
      .out_ready({index_ready, out_ready}),
      .idle     (offer_idle)
  );

  always_comb begin
    index_data = '0;
    for (int k = 1; k < N; k++) begin
      if (from[k]) index_data = index_data | INDEX_W'(k);
    end
  end

  assign idle = merge_idle & offer_idle;

`ifdef LOOM_FORMAL
`include "loom_control_merge.svh"
`endif
endmodule
