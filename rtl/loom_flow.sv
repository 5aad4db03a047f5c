// loom_flow: the handshake of a chain of pipeline registers, without the registers.
//
// Function: tells LATENCY registers, which stand elsewhere, when to take what is in front of them;
//   a stalled pipeline fills its gaps.
// Parameters: LATENCY registers, 0 (wires) or more.
// Ports: valid and ready of a channel in and of a channel out; move: register k, counted from the
//   input, takes its word at the end of a cycle with move[k]; idle (all registers are empty).
//   With LATENCY 0 move is one bit that is 0.
// Timing: each register takes a word when it is empty or its own moves on. in_ready depends on
//   out_ready.
// Rule: rtl/README.md "Function units".
module loom_flow #(
    parameter int LATENCY = 1
) (
    input  logic                                     clk,
    input  logic                                     rst,
    input  logic                                     in_valid,
    output logic                                     in_ready,
    output logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    output logic                                     out_valid,
    input  logic                                     out_ready,
    output logic                                     idle
);
  initial if (LATENCY < 0) $fatal(1, "loom_flow: LATENCY must be at least 0");

  generate
    if (LATENCY == 0) begin : g_wires
      logic unused_clk, unused_rst;
      assign unused_clk = clk;
      assign unused_rst = rst;
      assign out_valid  = in_valid;
      assign in_ready   = out_ready;
      assign move       = 1'b0;
      assign idle       = 1'b1;
    end else begin : g_registers
      logic [LATENCY-1:0] full;

      // A register moves when it or any later one is empty, or the output is taken.
      for (genvar k = 0; k < LATENCY; k++) begin : g_move
        assign move[k] = out_ready | ~(&full[LATENCY-1:k]);
      end

      assign in_ready  = move[0];
      assign out_valid = full[LATENCY-1];
      assign idle      = ~|full;

      for (genvar k = 0; k < LATENCY; k++) begin : g_register
        always_ff @(posedge clk) begin
          if (rst) full[k] <= 1'b0;
          else if (move[k]) full[k] <= (k == 0) ? in_valid : full[(k > 0) ? k - 1 : 0];
        end
      end
    end
  endgenerate
endmodule
