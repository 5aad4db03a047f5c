// loom_op_ctlz: math.ctlz, the number of zeros above the highest one; W for 0.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_ctlz #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  always_comb begin
    y = W'(W);
    for (int k = 0; k < W; k++) begin
      if (a[k]) y = W'(W) - W'(k) - W'(1);
    end
  end
endmodule
