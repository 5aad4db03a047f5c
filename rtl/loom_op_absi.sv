// loom_op_absi: math.absi, the magnitude of a; the most negative number is its own.
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_absi #(
    parameter int W = 32
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  assign y = a[W-1] ? -a : a;
endmodule
