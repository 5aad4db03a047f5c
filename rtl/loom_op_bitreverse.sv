// loom_op_bitreverse: llvm.intr.bitreverse, the bits of a in opposite order.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_bitreverse #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  always_comb begin
    for (int k = 0; k < W; k++) y[k] = a[W-1-k];
  end
endmodule
