// loom_op_index_castui: arith.index_castui, a extended with zeros or cut.
// Parameters: W_IN, W_OUT bits, at least 1. Timing: combinational.
// Rule: design page "RTL", integer function units; the values are those of compiler/num.
module loom_op_index_castui #(
    parameter int W_IN  = 64,
    parameter int W_OUT = 32
) (
    input  logic [W_IN-1:0]  a,
    output logic [W_OUT-1:0] y
);
  generate
    if (W_OUT > W_IN) begin : g_wider
      assign y = {{(W_OUT - W_IN) {1'b0}}, a};
    end else if (W_OUT < W_IN) begin : g_narrower
      logic unused_high;
      assign unused_high = |a[W_IN-1:W_OUT];
      assign y = a[W_OUT-1:0];
    end else begin : g_same
      assign y = a;
    end
  endgenerate
endmodule
