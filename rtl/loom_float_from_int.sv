// loom_float_from_int: an integer as a floating-point number.
//
// Function: y is a, read as signed where op is 1, rounded to nearest even; what is too large is an
//   infinity. 0 is +0.
// Parameters: W_IN bits of a, 1 to 64; EXP exponent bits, FRAC stored fraction bits; LATENCY, 0 to 3:
//   the last register stands at the result, the others in the shift (loom_float_normalize).
// Ports: clk; move per register; op, constant while a word is inside; a; y.
// Timing: LATENCY cycles with move.
// Rule: rtl/README.md "Floating point".
module loom_float_from_int #(
    parameter int W_IN    = 32,
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 2
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic                                     op,
    input  logic [W_IN-1:0]                          a,
    output logic [EXP+FRAC:0]                        y
);
  initial if (W_IN < 1 || W_IN > 64) $fatal(1, "loom_float_from_int: W_IN must be 1 to 64");
  initial if (EXP < 2 || FRAC < 1) $fatal(1, "loom_float_from_int: EXP must be at least 2, FRAC at least 1");
  initial if (LATENCY < 0 || LATENCY > 3) $fatal(1, "loom_float_from_int: LATENCY must be 0 to 3");

  localparam int BIAS = (1 << (EXP - 1)) - 1;
  localparam int SB = (W_IN > 2) ? $clog2(W_IN) : 1;
  localparam int INNER = (LATENCY < 1) ? 0 : LATENCY - 1;
  // Fraction bits that the number can have; the stored ones below are 0.
  localparam int K = (W_IN <= 2) ? 1 : (W_IN - 1 < FRAC) ? W_IN - 1 : FRAC;
  // Bits below those, with three more that only fill.
  localparam int LOW = W_IN + 2 - K;
  // Shifts up to MOST leave a number of at least 2^(BIAS + 1), which is none of the format.
  localparam int MOST = W_IN - 2 - BIAS;

  // A negative number is the complement of its bits plus 1. The 1 is added when the number is rounded:
  // with ones shifted in below, the last one that rounding sees is the right place for it.
  logic negative, minus;
  logic [W_IN-1:0] shifted;
  logic [SB-1:0]   shift;
  assign negative = op & a[W_IN-1];
  loom_float_normalize #(
      .W      (W_IN),
      .SIDE   (1),
      .LATENCY(INNER)
  ) u_normalize (
      .clk  (clk),
      .move (move[((INNER < 1) ? 1 : INNER)-1:0]),
      .a    (a ^ {W_IN{negative}}),
      .fill (negative),
      .side (negative),
      .y    (shifted),
      .shift(shift),
      .out  (minus)
  );

  logic [W_IN+1:0] padded;  // what is below the highest bit
  logic [K-1:0]    kept;
  logic [LOW-1:0]  rest;
  logic            high, some, over, up, more;
  assign padded = (W_IN + 2)'({shifted, {3{minus}}});
  assign high   = shifted[W_IN-1];
  assign some   = high | minus;
  assign kept   = padded[W_IN+1 -: K];
  assign rest   = padded[LOW-1:0];
  assign up     = minus ? rest[LOW-1] | ((&rest[LOW-2:0]) & kept[0]) : rest[LOW-1] & ((|rest[LOW-2:0]) | kept[0]);

  // One less than the exponent: the highest bit, which is missing from a -1 that is not shifted far
  // enough, adds the one. A table, as a subtraction would be a carry chain in front of another.
  logic [EXP-1:0] base;
  always_comb begin
    base = '0;
    for (int k = 0; k < (1 << SB); k++) begin
      if (shift == SB'(k)) base = EXP'(BIAS + W_IN - 2 - k);
    end
  end

  generate
    if (MOST >= 0) begin : g_over
      assign over = high & (shift <= MOST[SB-1:0]);
    end else begin : g_never
      assign over = 1'b0;
    end
  endgenerate

  assign more = up & ~over;

  logic [EXP+K-1:0]  sum;
  logic [EXP+FRAC:0] rounded;
  assign sum = {over ? {{(EXP - 1) {1'b1}}, 1'b0} : base & {EXP{some}}, kept & {K{~over}}} + (((EXP + K)'(high) << K) | (EXP + K)'(more));
  generate
    if (K < FRAC) begin : g_exact
      assign rounded = {minus, sum, {(FRAC - K) {1'b0}}};
    end else begin : g_rounded
      assign rounded = {minus, sum};
    end
  endgenerate

  loom_cut #(
      .W   (1 + EXP + FRAC),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move[((LATENCY < 1) ? 1 : LATENCY)-1]),
      .d   (rounded),
      .q   (y)
  );
endmodule
