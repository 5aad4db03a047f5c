// loom_op_shrsi: arith.shrsi, a shifted right by b with its sign; all sign for b >= W.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_shrsi #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W-1:0] y
);
  assign y = W'($signed(a) >>> b);
endmodule
