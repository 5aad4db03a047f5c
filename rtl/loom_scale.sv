// loom_scale: the product of a value and a number that does not change, as a sum.
//
// Function: y = a * (PLUS - MINUS), the low W bits.
// Parameters: W bits, at least 1; PLUS and MINUS are the digits of the number: those that count
//   +1, those that count -1 (30 is 32 - 2: PLUS = 32, MINUS = 2).
// Ports: a in, y out.
// Timing: combinational: an adder for every digit after the first.
// Rule: rtl/README.md "Function units"; the values are those of compiler/num.
module loom_scale #(
    parameter int W = 32,
    parameter logic [W-1:0] PLUS = 1,
    parameter logic [W-1:0] MINUS = 0
) (
    input  logic [W-1:0] a,
    output logic [W-1:0] y
);
  initial if (W < 1) $fatal(1, "loom_scale: W must be at least 1");

  always_comb begin
    y = '0;
    for (int i = 0; i < W; i++) begin
      if (PLUS[i]) y = y + (a << i);
      if (MINUS[i]) y = y - (a << i);
    end
  end
endmodule
