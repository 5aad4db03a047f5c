// loom_offer: offers the results of one firing independently.
//
// Function: the control of an eager fork. While offer is high every output in need is
//   offered until it is taken; a bit per output remembers what was taken, so that no
//   consumer sees a result twice and none waits for another. done is high when every
//   needed output is taken or was taken before; the firing completes in the cycle
//   with offer and done high, and the bits clear.
// Parameters: N outputs.
// Ports: offer and need (stable until completion), done; out_valid/out_ready per
//   output; idle (nothing taken of an incomplete firing).
// Timing: combinational; out_valid never depends on out_ready. With one output there is
//   no state.
// Rule: rtl/README.md "Offers independently"; design page "RTL", "Protocol".
module loom_offer #(
    parameter int N = 2
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         offer,
    input  logic [N-1:0] need,
    output logic         done,
    output logic [N-1:0] out_valid,
    input  logic [N-1:0] out_ready,
    output logic         idle
);
  initial if (N < 1) $fatal(1, "loom_offer: N must be at least 1");

  logic [N-1:0] taken;

  assign out_valid = {N{offer}} & need & ~taken;
  assign done      = &(taken | out_ready | ~need);
  assign idle      = ~|taken;

  generate
    if (N == 1) begin : g_one
      // Taken is complete: there is nothing to remember.
      logic unused_clk, unused_rst;
      assign unused_clk = clk;
      assign unused_rst = rst;
      assign taken      = 1'b0;
    end else begin : g_several
      // What completion clears is data, not a reset: Yosys takes a reset that follows from its own
      // register for a loop, and where it cuts that, the handshake around it is not mapped by delay. Without an
      // offer nothing is taken.
      always_ff @(posedge clk) begin
        if (rst) taken <= '0;
        else taken <= (taken | (out_valid & out_ready)) & ~{N{done}};
      end
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_offer.svh"
`endif
endmodule
