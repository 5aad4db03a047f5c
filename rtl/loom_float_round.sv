// loom_float_round: a floating-point number rounded to an integral value, in its format.
//
// Function: op: 0 floor, 1 ceil, 2 trunc, 3 round (halves away from zero), 4 roundeven. A result keeps
//   the sign of a, also when it is 0. A NaN becomes the canonical one.
// Parameters: EXP exponent bits, at least 3, FRAC stored fraction bits; LATENCY, 0 to 2: the last
//   register stands at the result, one of two where it is known what to add, and where the point is.
// Ports: clk; move per register; op, constant while a word is inside; a; y.
// Timing: LATENCY cycles with move.
// Rule: rtl/README.md "Floating point".
module loom_float_round #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 2
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [2:0]                               op,
    input  logic [EXP+FRAC:0]                        a,
    output logic [EXP+FRAC:0]                        y
);
  initial if (EXP < 3 || FRAC < 1) $fatal(1, "loom_float_round: EXP must be at least 3, FRAC at least 1");
  initial if (LATENCY < 0 || LATENCY > 2) $fatal(1, "loom_float_round: LATENCY must be 0 to 2");

  localparam int N = EXP + FRAC;
  localparam int BIAS = (1 << (EXP - 1)) - 1;
  localparam int HALF = BIAS - 1;  // the exponent of one half
  localparam int SB = $clog2(FRAC + 1);
  localparam int WB = (SB < EXP) ? EXP : SB;
  // The least exponent of numbers that have no bit below the point, infinities and NaNs among them.
  localparam int WHOLE = (BIAS + FRAC < 2 * BIAS + 1) ? BIAS + FRAC : 2 * BIAS + 1;
  localparam int FLOOR = 0;
  localparam int CEIL = 1;
  localparam int ROUND = 3;
  localparam int EVEN = 4;

  logic            sign, away, near, nan, whole, tiny, one, last, more;
  logic [EXP-1:0]  exponent;
  logic [FRAC-1:0] fraction;
  assign {sign, exponent, fraction} = a;
  assign away  = ((op == FLOOR[2:0]) & sign) | ((op == CEIL[2:0]) & ~sign);
  assign near  = (op == ROUND[2:0]) | (op == EVEN[2:0]);
  assign nan   = (&exponent) & (|fraction);
  assign whole = exponent >= WHOLE[EXP-1:0];

  // Below one the result is 0 or 1.
  assign tiny = exponent < BIAS[EXP-1:0];
  assign one  = (away & (|a[N-1:0])) | (near & (exponent == HALF[EXP-1:0]) & ((op == ROUND[2:0]) | (|fraction)));

  // How many bits of the fraction are above the point, in numbers from two up, which are those with
  // the highest bit of the exponent set.
  logic [WB-1:0] above;
  assign above = WB'({1'b0, exponent[EXP-2:0]}) + WB'(1);

  // The bit of the number in front of the point; above - 1 counts from the highest of the fraction.
  logic [(1<<SB)-1:0] turned;
  always_comb begin
    turned = '0;
    for (int i = 0; i < FRAC; i++) turned[i] = fraction[FRAC-1-i];
  end
  assign last = turned[SB'(exponent[EXP-2:0])] | ~exponent[EXP-1];
  assign more = near & ~whole & ((op == ROUND[2:0]) | last);

  // The bits from the point down are added to round away from zero; the bits from the one below the
  // first of them, with a carry, half of a unit. Where nothing is added no bit is below the point.
  logic [SB-1:0] point, start;
  logic          two, none;
  assign point = SB'(above);
  assign start = SB'(above) + SB'(near);
  assign two   = exponent[EXP-1];
  assign none  = ~(away | near);

  logic [N-1:0]  word;
  logic [SB-1:0] at, from;
  localparam logic [SB-1:0] DIGIT = SB'(7);
  logic          negative, is_nan, is_whole, is_tiny, is_one, is_two, adds, carry, halves;
  loom_cut #(
      .W   (N + 2 * SB + 9),
      .HERE(LATENCY / 2)
  ) u_added (
      .clk (clk),
      .move(move[0]),
      .d   ({a[N-1:0], point, start, sign, nan, whole, tiny, one, two, ~none & ~whole, more, near}),
      .q   ({word, at, from, negative, is_nan, is_whole, is_tiny, is_one, is_two, adds, carry, halves})
  );

  // Bit i is below the point when less than FRAC - i bits are above it: compared digit by digit of
  // three bits, which bits of the fraction share.
  logic [FRAC-1:0] below, added;
  always_comb begin
    for (int i = 0; i < FRAC; i++) begin
      below[i] = (((at >> 3) < SB'((FRAC - i) >> 3)) | ~is_two | (((at >> 3) == SB'((FRAC - i) >> 3)) & ((at & DIGIT) < (SB'(FRAC - i) & DIGIT)))) & ~is_whole;
      added[i] = (((from >> 3) < SB'((FRAC - i) >> 3)) | ~is_two | (((from >> 3) == SB'((FRAC - i) >> 3)) & ((from & DIGIT) < (SB'(FRAC - i) & DIGIT)))) & adds;
    end
    if (halves & ~is_two) added[FRAC-1] = 1'b0;
  end

  logic [N:0]      sum;
  logic [FRAC-1:0] kept;
  logic [EXP-1:0]  raised;
  logic unused;
  assign sum    = {word, 1'b1} + {EXP'(0), added, carry};
  assign kept   = sum[FRAC:1] & ~below;
  assign raised = is_tiny ? {1'b0, {(EXP - 1) {is_one}}} : sum[N:FRAC+1];
  assign unused = sum[0] ^ (^above);

  logic [N:0] result;
  assign result = is_nan ? {1'b0, {(EXP + 1) {1'b1}}, {(FRAC - 1) {1'b0}}} : {negative, raised, kept};
  loom_cut #(
      .W   (1 + N),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move[((LATENCY < 1) ? 1 : LATENCY)-1]),
      .d   (result),
      .q   (y)
  );
endmodule
