// loom_cut: a place of a pipeline at which a register may stand.
//
// Function: q is d, or with HERE 1 what d was at the end of the last cycle with move.
// Parameters: W bits, at least 1; HERE: 1 for a register, 0 for wires.
// Ports: clk; move, of the register; d and q.
// Timing: HERE cycles with move.
// Rule: rtl/README.md "Function units".
module loom_cut #(
    parameter int W    = 32,
    parameter int HERE = 1
) (
    input  logic         clk,
    input  logic         move,
    input  logic [W-1:0] d,
    output logic [W-1:0] q
);
  initial if (W < 1) $fatal(1, "loom_cut: W must be at least 1");

  generate
    if (HERE != 0) begin : g_register
      always_ff @(posedge clk) if (move) q <= d;
    end else begin : g_wires
      logic unused;
      assign unused = clk ^ move;
      assign q      = d;
    end
  endgenerate
endmodule
