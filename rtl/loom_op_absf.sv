// loom_op_absf: math.absf, a with a positive sign; a NaN keeps its payload.
// Parameters: W bits, at least 1; the sign is the highest. Timing: combinational.
// Rule: rtl/README.md "Floating point"; the values are those of compiler/num.
module loom_op_absf #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  assign y = a & ~(W'(1) << (W - 1));
endmodule
