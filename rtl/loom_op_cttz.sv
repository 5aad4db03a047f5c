// loom_op_cttz: math.cttz, the number of zeros below the lowest one; W for 0.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_cttz #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  always_comb begin
    y = W'(W);
    for (int k = W - 1; k >= 0; k--) begin
      if (a[k]) y = W'(k);
    end
  end
endmodule
