// loom_op_bitcast: arith.bitcast, the bits of a read as another type of as many bits.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: rtl/README.md "Floating point"; the values are those of compiler/num.
module loom_op_bitcast #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  assign y = a;
endmodule
