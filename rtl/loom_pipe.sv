// loom_pipe: a chain of pipeline registers.
//
// Function: delays a channel by LATENCY cycles; a stalled pipeline fills its gaps.
// Parameters: W data bits; LATENCY registers, 0 (wires) or more.
// Ports: channel in, channel out, idle (empty).
// Timing: LATENCY times loom_stage: each register accepts when it is empty or its word
//   moves on. in_ready depends on out_ready.
// Rule: rtl/README.md "Function units".
module loom_pipe #(
    parameter int W       = 32,
    parameter int LATENCY = 1
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
  initial if (W < 1 || LATENCY < 0) $fatal(1, "loom_pipe: W must be at least 1, LATENCY at least 0");

  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move;
  loom_flow #(
      .LATENCY(LATENCY)
  ) u_flow (
      .clk      (clk),
      .rst      (rst),
      .in_valid (in_valid),
      .in_ready (in_ready),
      .move     (move),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .idle     (idle)
  );

  logic [(LATENCY+1)*W-1:0] word;  // the input, and what each register keeps
  assign word[0 +: W] = in_data;
  assign out_data     = word[LATENCY*W +: W];
  generate
    if (LATENCY == 0) begin : g_wires
      logic unused_move;
      assign unused_move = move;
    end
    for (genvar k = 0; k < LATENCY; k++) begin : g_register
      loom_cut #(
          .W(W)
      ) u_cut (
          .clk (clk),
          .move(move[k]),
          .d   (word[k*W +: W]),
          .q   (word[(k+1)*W +: W])
      );
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_pipe.svh"
`endif
endmodule
