// loom_float_round: a floating-point number rounded to an integral value, in its format.
//
// Function: op: 0 floor, 1 ceil, 2 trunc, 3 round (halves away from zero), 4 roundeven. A result keeps
//   the sign of a, also when it is 0. A NaN becomes the canonical one.
// Parameters: EXP exponent bits, at least 3, FRAC stored fraction bits; LATENCY, 0 to 2: the last stands
//   at the result, one of two behind the sum.
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
  // Bits of the place of the point within the fraction, which leave room for one beyond it.
  localparam int SB = (FRAC > 1) ? $clog2(FRAC) : 1;
  localparam int FLOOR = 0;
  localparam int CEIL = 1;
  localparam int ROUND = 3;
  localparam int EVEN = 4;

  logic            sign, away, near, nan, tiny, one, two, full;
  logic [EXP-1:0]  exponent;
  logic [FRAC-1:0] fraction;
  assign {sign, exponent, fraction} = a;
  assign away = ((op == FLOOR[2:0]) & sign) | ((op == CEIL[2:0]) & ~sign);
  assign near = (op == ROUND[2:0]) | (op == EVEN[2:0]);
  assign nan  = full & (|fraction);

  // Below one the result is 0 or 1.
  assign tiny = ~two & ~&exponent[EXP-2:0];
  assign one   = (away & (|a[N-1:0])) | (near & (exponent == HALF[EXP-1:0]) & ((op == ROUND[2:0]) | (|fraction)));

  assign two  = exponent[EXP-1];  // at least that
  assign full = &exponent;

  // Which bits of the fraction are below the point: all of a number below two, one less with every
  // exponent above.
  logic [EXP-1:0]  beyond;  // exponents above that of two
  logic [SB-1:0]   place;
  logic [FRAC-1:0] mask;
  assign beyond = {1'b0, exponent[EXP-2:0]};
  assign place  = {SB{two}} & (SB'(beyond) | {SB{|(beyond >> SB)}});
  always_comb begin
    for (int i = 0; i < FRAC; i++) mask[i] = place < SB'(FRAC - 1 - i);
    mask[FRAC-1] = ~two;
    if ((BIAS < FRAC - 1) & full) mask = '0;  // else an infinity is beyond all places
  end

  // Away from zero all bits below the point are added, else half of a unit, or nothing; what they
  // become is cut off.
  logic [N:0] sum;
  assign sum = {exponent, fraction, 1'b1} + {EXP'(0), ({FRAC{away}} & mask) | ({FRAC{near}} & (mask >> 1)), near & mask[0]};

  logic [N-1:0]    added;
  logic [FRAC-1:0] cut, kept;
  logic            below_one, is_one, is_nan, negative, tie;
  logic [EXP-1:0]  raised;
  logic unused;
  assign unused = sum[0];
  loom_cut #(
      .W   (N + FRAC + 4),
      .HERE(LATENCY / 2)
  ) u_added (
      .clk (clk),
      .move(move[0]),
      .d   ({sum[N:1], mask, tiny, one, nan, sign}),
      .q   ({added, cut, below_one, is_one, is_nan, negative})
  );

  // Nothing is left below the point when there was a half: then the result must be even. Between one
  // and two it is, as two.
  assign tie    = (op == EVEN[2:0]) & ~|(added[FRAC-1:0] & cut);
  assign kept   = added[FRAC-1:0] & ~cut & ~({FRAC{tie}} & (cut << 1));
  assign raised = below_one ? {1'b0, {(EXP - 1) {is_one}}} : added[N-1:FRAC];

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
