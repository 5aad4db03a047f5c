// loom_op_extsi: arith.extsi, a with its sign repeated above.
// Parameters: W_IN, W_OUT bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_extsi #(
    parameter int W_IN  = 16,
    parameter int W_OUT = 32
) (
    input  logic [W_IN-1:0]  a,
    output logic [W_OUT-1:0] y
);
  initial if (W_OUT < W_IN) $fatal(1, "loom_op_extsi: W_OUT must not be below W_IN");

  generate
    if (W_OUT > W_IN) begin : g_wider
      assign y = {{(W_OUT - W_IN) {a[W_IN-1]}}, a};
    end else begin : g_same
      assign y = a;
    end
  endgenerate
endmodule
