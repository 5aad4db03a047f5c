// loom_op_ctpop: math.ctpop, the number of ones in a.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_ctpop #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  always_comb begin
    y = '0;
    for (int k = 0; k < W; k++) y = y + W'(a[k]);
  end
endmodule
