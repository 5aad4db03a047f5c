// loom_op_copysign: math.copysign, a with the sign of b; a NaN keeps its payload.
// Parameters: W bits, at least 1; the sign is the highest. Timing: combinational.
// Rule: rtl/README.md "Floating point"; the values are those of compiler/num.
module loom_op_copysign #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic [W-1:0] y
);
  localparam logic [W-1:0] SIGN = W'(1) << (W - 1);
  assign y = (a & ~SIGN) | (b & SIGN);
endmodule
