// loom_op_select: arith.select, a where cond is true, else b.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_select #(
    parameter int W = 32
) (
    input  logic         cond,
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W-1:0] y
);
  assign y = cond ? a : b;
endmodule
