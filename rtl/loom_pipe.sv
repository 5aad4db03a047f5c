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

  generate
    if (LATENCY == 0) begin : g_wires
      logic unused_clk, unused_rst;
      assign unused_clk = clk;
      assign unused_rst = rst;
      assign out_valid  = in_valid;
      assign out_data   = in_data;
      assign in_ready   = out_ready;
      assign idle       = 1'b1;
    end else begin : g_registers
      logic [LATENCY-1:0]   full;
      logic [LATENCY-1:0]   move;  // register k takes what stands before it
      logic [LATENCY*W-1:0] data;

      // A register moves when it or any later one is empty, or the output is taken.
      for (genvar k = 0; k < LATENCY; k++) begin : g_move
        assign move[k] = out_ready | ~(&full[LATENCY-1:k]);
      end

      assign in_ready  = move[0];
      assign out_valid = full[LATENCY-1];
      assign out_data  = data[(LATENCY-1)*W +: W];
      assign idle      = ~|full;

      always_ff @(posedge clk) begin
        if (rst) full[0] <= 1'b0;
        else if (move[0]) full[0] <= in_valid;
        if (move[0]) data[0 +: W] <= in_data;
      end
      for (genvar k = 1; k < LATENCY; k++) begin : g_register
        always_ff @(posedge clk) begin
          if (rst) full[k] <= 1'b0;
          else if (move[k]) full[k] <= full[k-1];
          if (move[k]) data[k*W +: W] <= data[(k-1)*W +: W];
        end
      end
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_pipe.svh"
`endif
endmodule
