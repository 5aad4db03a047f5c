// loom_op_trunci: arith.trunci, the low bits of a.
// Parameters: W_IN, W_OUT bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_trunci #(
    parameter int W_IN  = 32,
    parameter int W_OUT = 16
) (
    input  logic [W_IN-1:0]  a,
    output logic [W_OUT-1:0] y
);
  initial if (W_OUT > W_IN) $fatal(1, "loom_op_trunci: W_OUT must not be above W_IN");

  generate
    if (W_OUT < W_IN) begin : g_narrower
      logic unused_high;
      assign unused_high = |a[W_IN-1:W_OUT];
    end
  endgenerate
  assign y = a[W_OUT-1:0];
endmodule
