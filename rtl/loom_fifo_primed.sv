// loom_fifo_primed: queue that begins with words in it.
//
// Function: keeps up to DEPTH words in order; after reset it holds the N words of INIT,
//   INIT[0 +: W] leaves first. handshake.buffer with initial values.
// Parameters: W data bits; DEPTH slots; N initial words, 1 to DEPTH; INIT, the words.
// Ports: channel in, channel out, idle (as many words as after reset).
// Timing: a word accepted in cycle t is offered from t+1. in_ready depends on state only.
//   With two slots or more one word per cycle.
// Rule: rtl/README.md "Units of graphs from elsewhere".
module loom_fifo_primed #(
    parameter int             W     = 32,
    parameter int             DEPTH = 2,
    parameter int             N     = 1,
    parameter logic [N*W-1:0] INIT  = '0
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
  initial if (W < 1 || N < 1 || DEPTH < N) $fatal(1, "loom_fifo_primed: W and N must be at least 1, DEPTH at least N");

  localparam int CW = $clog2(DEPTH + 1);

  // The words from the next one to leave on; those from count on mean nothing.
  logic [DEPTH*W-1:0] words;
  logic [CW-1:0]      count, left;
  logic               push, pop;

  assign out_valid = count != '0;
  assign out_data  = words[W-1:0];
  assign in_ready  = count != CW'(DEPTH);
  assign push      = in_valid & in_ready;
  assign pop       = out_valid & out_ready;
  assign left      = count - CW'(pop);
  assign idle      = count == CW'(N);

  always_ff @(posedge clk) begin
    if (rst) count <= CW'(N);
    else count <= left + CW'(push);
  end

  generate
    for (genvar k = 0; k < DEPTH; k++) begin : g_word
      logic [W-1:0] follower;
      if (k + 1 < DEPTH) begin : g_shift
        assign follower = words[(k+1)*W +: W];
      end else begin : g_last
        assign follower = in_data;
      end
      always_ff @(posedge clk) begin
        if (rst) begin
          if (k < N) words[k*W +: W] <= INIT[(k < N ? k : 0)*W +: W];
        end else if (push & (left == CW'(k))) words[k*W +: W] <= in_data;
        else if (pop) words[k*W +: W] <= follower;
      end
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_fifo_primed.svh"
`endif
endmodule
