// loom_arbiter: merges channels, round robin.
//
// Function: offers one of the valid inputs, the first at or after a pointer, cyclically.
//   The pointer follows the grant: to the granted input while it is not taken, so that
//   the offer stays, and behind it when it is. So an input waits for at most N-1 others.
// Parameters: W data bits; N inputs; PARALLEL 1 searches from the pointer and from input 0 side by side,
//   for less time and more area.
// Ports: N channels in, channel out. No idle: the pointer is not a token.
// Timing: combinational, one token per cycle; out_valid does not depend on out_ready.
// Structure: the pointer is kept as a mask of the inputs at or above it, input 0 left out
//   (a pointer at 0 and an empty mask mean the same).
// Rule: rtl/README.md "Tags".
module loom_arbiter #(
    parameter int W = 32,
    parameter int N = 4,
    parameter int PARALLEL = 0
) (
    input  logic           clk,
    input  logic           rst,
    input  logic [N-1:0]   in_valid,
    output logic [N-1:0]   in_ready,
    input  logic [N*W-1:0] in_data,
    output logic           out_valid,
    input  logic           out_ready,
    output logic [W-1:0]   out_data
);
  initial if (W < 1 || N < 1) $fatal(1, "loom_arbiter: W and N must be at least 1");

  logic [N-1:0] grant;  // one-hot, zero without a valid input

  assign out_valid = |in_valid;
  assign in_ready  = grant & {N{out_ready}};

  generate
    if (N == 1) begin : g_one
      logic unused_clock;
      assign unused_clock = clk ^ rst;
      assign grant        = in_valid;
    end else begin : g_many
      logic [N-1:1] mask;   // inputs at or above the pointer
      logic [N-1:1] onward; // the next one
      if (PARALLEL != 0) begin : g_parallel
        // Above and all: an input at or above the pointer, or any, is valid in front of input i. Sums of four, and
        // sums of these, are side by side. In front of an input below the pointer is also what is above it.
        localparam int FOURS = (N + 3) / 4;
        logic [N-1:0] masked, above, all, earlier;
        logic [N-1:1] behind;  // inputs above the granted one
        logic [FOURS-1:0] above_four, all_four;
        assign masked = in_valid & {mask, 1'b0};
        for (genvar j = 0; j < FOURS; j++) begin : g_four
          localparam int SIZE = (N - 4*j < 4) ? N - 4*j : 4;
          assign above_four[j] = |masked[4*j +: SIZE];
          assign all_four[j]   = |in_valid[4*j +: SIZE];
          for (genvar k = 0; k < SIZE; k++) begin : g_input
            localparam logic [FOURS-1:0] FRONT = ~({FOURS{1'b1}} << j);
            localparam logic [SIZE-1:0] NEAR = ~({SIZE{1'b1}} << k);
            assign above[4*j+k] = (|(above_four & FRONT)) | (|(masked[4*j +: SIZE] & NEAR));
            assign all[4*j+k]   = (|(all_four & FRONT)) | (|(in_valid[4*j +: SIZE] & NEAR));
          end
        end
        assign earlier = above | (~{mask, 1'b0} & (all | {N{|above_four}}));
        assign grant   = in_valid & ~earlier;
        assign behind  = (|above_four) ? above[N-1:1] : all[N-1:1];
        assign onward  = out_ready ? behind : (behind | grant[N-1:1]) & {(N-1){~grant[0]}};
      end else begin : g_serial
        logic [N-1:0] reach /* verilator split_var */;  // inputs at or above the granted one
        logic [N-1:0] candidates;
        assign candidates = (|(in_valid[N-1:1] & mask)) ? (in_valid & {mask, 1'b0}) : in_valid;
        assign reach[0] = candidates[0];
        for (genvar i = 1; i < N; i++) begin : g_reach
          assign reach[i] = candidates[i] | reach[i-1];
        end
        assign grant  = reach & {~reach[N-2:0], 1'b1};
        assign onward = reach[N-1:1] & (out_ready ? ~grant[N-1:1] : {(N-1){~grant[0]}});
      end

      always_ff @(posedge clk) begin
        if (rst) mask <= '0;
        else if (out_valid) mask <= onward;
      end
    end
  endgenerate

  // A tree of 2:1 multiplexers by the bits of the input's number: two levels fit one LUT6, and
  // widths other than powers of two cost nothing extra. Missing inputs repeat the last.
  localparam int LEVELS = loom_pkg::index_width(N);
  generate
    for (genvar l = 0; l <= LEVELS; l++) begin : g_level
      localparam int WORDS = 1 << (LEVELS - l);
      logic [WORDS*W-1:0] words;
      if (l == 0) begin : g_leaves
        for (genvar k = 0; k < WORDS; k++) begin : g_word
          localparam int SOURCE = (k < N) ? k : N - 1;
          assign words[k*W +: W] = in_data[SOURCE*W +: W];
        end
      end else begin : g_pairs
        logic [N-1:0] upper;  // inputs whose number has bit l-1 set
        for (genvar i = 0; i < N; i++) begin : g_number
          assign upper[i] = ((i >> (l - 1)) & 1) != 0;
        end
        for (genvar k = 0; k < WORDS; k++) begin : g_word
          assign words[k*W +: W] = (|(grant & upper)) ? g_level[l-1].words[(2*k+1)*W +: W]
                                                      : g_level[l-1].words[2*k*W +: W];
        end
      end
    end
  endgenerate
  assign out_data = g_level[LEVELS].words;

`ifdef LOOM_FORMAL
`include "loom_arbiter.svh"
`endif
endmodule
