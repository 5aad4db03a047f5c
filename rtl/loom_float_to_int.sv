// loom_float_to_int: a floating-point number as an integer.
//
// Function: y is a, rounded toward zero, as a signed number where op is 1; what is too large or too
//   small becomes the largest or the least integer, a NaN 0.
// Parameters: EXP exponent bits, FRAC stored fraction bits; W_OUT bits of y, 1 to 64; LATENCY, 0 to 3:
//   the last register stands at the result, one of two or more in front of the last step of the shift,
//   and one of three in front of the shift.
// Ports: clk; move per register; op, constant while a word is inside; a; y.
// Timing: LATENCY cycles with move.
// Rule: rtl/README.md "Floating point".
module loom_float_to_int #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int W_OUT   = 32,
    parameter int LATENCY = 2
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic                                     op,
    input  logic [EXP+FRAC:0]                        a,
    output logic [W_OUT-1:0]                         y
);
  initial if (EXP < 2 || FRAC < 1) $fatal(1, "loom_float_to_int: EXP must be at least 2, FRAC at least 1");
  initial if (W_OUT < 1 || W_OUT > 64) $fatal(1, "loom_float_to_int: W_OUT must be 1 to 64");
  initial if (LATENCY < 0 || LATENCY > 3) $fatal(1, "loom_float_to_int: LATENCY must be 0 to 3");

  localparam int BIAS = (1 << (EXP - 1)) - 1;
  localparam int ONES = (1 << EXP) - 1;
  // Bits of the integer part of a number that does not overflow, at least 2.
  localparam int W = (BIAS + 1 < W_OUT) ? BIAS + 1 : (W_OUT < 2) ? 2 : W_OUT;
  localparam int SB = $clog2(W);
  localparam int STEPS = SB / 2;  // in front of the last one
  // The least exponents that overflow.
  localparam int TOO_LARGE = (BIAS + W_OUT < ONES) ? BIAS + W_OUT : ONES;
  localparam int TOO_LARGE_SIGNED = (BIAS + W_OUT - 1 < ONES) ? BIAS + W_OUT - 1 : ONES;
  localparam int LAST = (LATENCY < 1) ? 0 : LATENCY - 1;

  // The leading one stands at bit W-1 and is shifted to its place, by W - 1 - (exponent - BIAS).
  logic [EXP-1:0]    exponent;
  logic [W+FRAC-1:0] wide;
  logic [W-1:0]      word;
  logic [SB-1:0]     shift;
  logic              nothing, full, negative;
  assign exponent = a[EXP+FRAC-1:FRAC];
  assign wide     = {1'b1, a[FRAC-1:0], (W - 1)'(0)};
  assign word     = wide[W+FRAC-1:FRAC];
  assign shift    = SB'(BIAS + W - 1) - SB'(exponent);
  assign negative = a[EXP+FRAC] & op;
  assign nothing  = (exponent < BIAS[EXP-1:0]) | (a[EXP+FRAC] & ~op) | ((&exponent) & (|a[FRAC-1:0]));
  assign full     = exponent >= (op ? TOO_LARGE_SIGNED[EXP-1:0] : TOO_LARGE[EXP-1:0]);
  logic [W-1:0]  first;
  logic [SB-1:0] amount;
  logic          nothing_0, full_0, negative_0;
  loom_cut #(
      .W   (W + SB + 3),
      .HERE((LATENCY > 2) ? 1 : 0)
  ) u_decoded (
      .clk (clk),
      .move(move[0]),
      .d   ({word, shift, nothing, full, negative}),
      .q   ({first, amount, nothing_0, full_0, negative_0})
  );

  generate
    for (genvar k = 0; k <= STEPS; k++) begin : g_step
      logic [W-1:0] moved;
      if (k == 0) begin : g_first
        assign moved = first;
      end else begin : g_next
        // Two bits of the shift, from LOW up; of an odd number the first step has one.
        localparam int LOW = 1 + 2 * (STEPS - k);
        localparam int BITS = (LOW + 1 < SB) ? 2 : 1;
        assign moved = g_step[k-1].moved >> {amount[LOW +: BITS], LOW'(0)};
      end
    end
  endgenerate

  logic [W-1:0] nearly;
  logic         half, none, most, minus, more;
  loom_cut #(
      .W   (W + 4),
      .HERE((LATENCY > 1) ? 1 : 0)
  ) u_nearly (
      .clk (clk),
      .move(move[(LATENCY > 2) ? 1 : 0]),
      .d   ({g_step[STEPS].moved, amount[0], nothing_0, full_0, negative_0}),
      .q   ({nearly, half, none, most, minus})
  );

  // The last step of the shift, the complement of a negative number and the two ends of the integers,
  // all in front of the carry chain that adds the 1 of the complement: of the end below, too.
  logic [W-1:0]     settled;
  logic [W_OUT-1:0] chosen, result;
  assign settled = nearly >> half;
  logic unused;
  assign unused = (^wide[FRAC-1:0]) ^ (^settled);
  always_comb begin
    chosen = ((W_OUT'(settled) ^ {W_OUT{minus}}) | {W_OUT{most}}) & {W_OUT{~none}};
    if (most & op) chosen[W_OUT-1] = 1'b0;
  end
  assign more   = minus & ~none;
  assign result = chosen + W_OUT'(more);

  loom_cut #(
      .W   (W_OUT),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move[LAST]),
      .d   (result),
      .q   (y)
  );
endmodule
