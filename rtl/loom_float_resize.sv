// loom_float_resize: a floating-point number in another format.
//
// Function: y is a in a format with at least as many bits of both kinds (extf) or with at most as many
//   (truncf), rounded to nearest even. A NaN becomes the canonical one.
// Parameters: EXP_IN, EXP_OUT exponent bits, FRAC_IN, FRAC_OUT stored fraction bits, of a and of y; where the
//   exponents differ, so much that the subnormals of the one are normal numbers of the other or
//   below all of them; LATENCY, 0 to 2: the last register stands at the result, one of two in the shift.
// Ports: clk; move per register; a; y.
// Timing: LATENCY cycles with move.
// Rule: rtl/README.md "Floating point".
module loom_float_resize #(
    parameter int EXP_IN   = 11,
    parameter int FRAC_IN  = 52,
    parameter int EXP_OUT  = 8,
    parameter int FRAC_OUT = 23,
    parameter int LATENCY  = 1
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [EXP_IN+FRAC_IN:0]                  a,
    output logic [EXP_OUT+FRAC_OUT:0]                y
);
  localparam int BIAS_IN = (1 << (EXP_IN - 1)) - 1;
  localparam int BIAS_OUT = (1 << (EXP_OUT - 1)) - 1;
  localparam int APART = (BIAS_OUT > BIAS_IN) ? BIAS_OUT - BIAS_IN : BIAS_IN - BIAS_OUT;
  localparam int INNER = (LATENCY < 1) ? 0 : LATENCY - 1;

  initial if (EXP_IN < 2 || FRAC_IN < 1 || EXP_OUT < 2 || FRAC_OUT < 1) $fatal(1, "loom_float_resize: at least 2 exponent bits and 1 fraction bit");
  initial if (!((EXP_OUT >= EXP_IN && FRAC_OUT > FRAC_IN) || (EXP_OUT <= EXP_IN && FRAC_OUT < FRAC_IN))) $fatal(1, "loom_float_resize: one of the formats must hold the other");
  initial if (APART != 0 && ((EXP_OUT > EXP_IN) ? (APART < FRAC_IN || FRAC_IN > BIAS_IN + 2) : (APART < FRAC_OUT + 1))) $fatal(1, "loom_float_resize: the exponents differ too little");
  initial if (LATENCY < 0 || LATENCY > 2) $fatal(1, "loom_float_resize: LATENCY must be 0 to 2");

  localparam logic [EXP_OUT+FRAC_OUT:0] NAN = {1'b0, {(EXP_OUT + 1) {1'b1}}, {(FRAC_OUT - 1) {1'b0}}};

  logic                      sign, nan;
  logic [EXP_IN-1:0]         exponent;
  logic [FRAC_IN-1:0]        fraction;
  logic [EXP_OUT+FRAC_OUT:0] result;
  assign {sign, exponent, fraction} = a;
  assign nan = (&exponent) & (|fraction);

  generate
    if (EXP_OUT == EXP_IN && FRAC_OUT > FRAC_IN) begin : g_longer
      // The exponents are the same, and so are the subnormals.
      logic [EXP_OUT+FRAC_OUT:0] chosen;
      assign chosen = nan ? NAN : {sign, exponent, fraction, {(FRAC_OUT - FRAC_IN) {1'b0}}};
      loom_cut #(
          .W   (1 + EXP_OUT + FRAC_OUT),
          .HERE(LATENCY / 2)
      ) u_chosen (
          .clk (clk),
          .move(move[0]),
          .d   (chosen),
          .q   (result)
      );
    end else if (EXP_OUT > EXP_IN) begin : g_wider
      // A subnormal number is shifted until its leading one is where that of a normal number is.
      localparam int SB = $clog2(FRAC_IN + 1);
      localparam int UP = EXP_OUT - EXP_IN;
      logic                   normal, is_normal, is_infinite, is_nan, is_negative, none;
      logic [EXP_IN-1:0]      field;
      logic [FRAC_IN:0]       word;
      logic [SB-1:0]          shift;
      logic [EXP_IN:0]        relative;  // the new exponent without what the biases differ by
      logic [EXP_OUT-1:0]     moved;
      logic [FRAC_IN-1:0]     kept;
      assign normal = |exponent;
      loom_float_normalize #(
          .W      (FRAC_IN + 1),
          .SIDE   (EXP_IN + 2),
          .LATENCY(INNER)
      ) u_normalize (
          .clk  (clk),
          .move (move[((INNER < 1) ? 1 : INNER)-1:0]),
          .a    ({normal, fraction}),
          .fill (1'b0),
          .side ({exponent, nan, sign}),
          .y    (word),
          .shift(shift),
          .out  ({field, is_nan, is_negative})
      );
      assign is_normal   = |field;
      assign is_infinite = &field;
      assign none        = ~word[FRAC_IN];
      // 1 - shift of a subnormal number is at least -2^(EXP_IN-1): adding the difference, a run of
      // ones, to the highest bits takes no carries.
      assign relative = is_normal ? {1'b0, field} : (EXP_IN + 1)'(1) - (EXP_IN + 1)'(shift);
      assign moved[EXP_IN-2:0] = relative[EXP_IN-2:0];
      assign moved[EXP_OUT-1:EXP_IN-1] = relative[EXP_IN] ? {1'b0, {(UP - 1) {1'b1}}, 1'b0} : relative[EXP_IN-1] ? {1'b1, {UP{1'b0}}} : {1'b0, {UP{1'b1}}};
      assign kept   = word[FRAC_IN-1:0] & {FRAC_IN{~is_nan}};
      assign result = {is_negative & ~is_nan, (moved | {EXP_OUT{is_infinite}}) & {EXP_OUT{~none}}, kept, {(FRAC_OUT - FRAC_IN) {1'b0}}}
                      | ((1 + EXP_OUT + FRAC_OUT)'(is_nan) << (FRAC_OUT - 1));
    end else begin : g_narrower
      localparam int LOST = FRAC_IN - FRAC_OUT;
      localparam int N = EXP_OUT + FRAC_OUT;
      localparam logic [FRAC_IN-1:0] BELOW = (FRAC_IN'(1) << (LOST - 1)) - FRAC_IN'(1);
      // What is rounded: the lowest bit is 1 when anything below the one above it is lost.
      logic [N+1:0] exact;
      logic         up, is_negative;
      if (EXP_OUT == EXP_IN) begin : g_same
        // An infinity loses nothing, and the largest numbers round up to one.
        logic [N+1:0] kept;
        assign kept = nan ? {NAN[N-1:0], 2'b00} : {a[EXP_IN+FRAC_IN-1:LOST-1], |(fraction & BELOW)};
        loom_cut #(
            .W   (N + 3),
            .HERE(LATENCY / 2)
        ) u_kept (
            .clk (clk),
            .move(move[0]),
            .d   ({kept, sign & ~nan}),
            .q   ({exact, is_negative})
        );
      end else begin : g_smaller
        // Numbers below the normal ones of the result are shifted until they have its least exponent,
        // by at most FRAC_OUT + 1: of still smaller ones nothing is left.
        localparam int V = FRAC_OUT + 3;
        localparam int SB = $clog2(FRAC_OUT + 2);
        localparam int STEPS = SB / 2;  // in front of the last one
        localparam int NOTHING = APART - FRAC_OUT;
        logic               subnormal, over, far;
        logic [SB-1:0]      shift;
        logic [EXP_OUT-1:0] field;
        // The biases differ by a run of ones above the bits of the exponent that are kept but for the
        // highest: subnormal up to that, over from the exponent of infinities beyond it.
        assign subnormal = ~exponent[EXP_IN-1] & (~&exponent[EXP_IN-2:EXP_OUT-1] | ~|exponent[EXP_OUT-2:0]);
        assign over      = exponent[EXP_IN-1] & ((|exponent[EXP_IN-2:EXP_OUT-1]) | (&exponent[EXP_OUT-2:0]));
        assign far       = exponent < NOTHING[EXP_IN-1:0];
        assign shift     = (SB'(APART + 1) - SB'(exponent)) & {SB{subnormal}};
        assign field     = ({exponent[EXP_IN-1], exponent[EXP_OUT-2:0]} & {EXP_OUT{~subnormal}}) | {EXP_OUT{over}};
        for (genvar k = 0; k <= STEPS; k++) begin : g_step
          logic [V-1:0] moved;
          if (k == 0) begin : g_first
            assign moved = {1'b1, fraction[FRAC_IN-1:LOST-1], |(fraction & BELOW)};
          end else begin : g_next
            // Two bits of the shift, from LOW up; of an odd number the first step has one.
            localparam int LOW = 1 + 2 * (STEPS - k);
            localparam int BITS = (LOW + 1 < SB) ? 2 : 1;
            logic [LOW+BITS-1:0] amount;
            logic                lost;
            assign amount = {shift[LOW +: BITS], LOW'(0)};
            assign lost   = |(g_step[k-1].moved & ~({V{1'b1}} << amount));
            assign moved  = (g_step[k-1].moved >> amount) | V'(lost);
          end
        end
        logic [V-1:0]       nearly;
        logic [FRAC_OUT+1:0] kept;
        logic [EXP_OUT-1:0] above;
        logic               odd, nothing, quiet;
        loom_cut #(
            .W   (V + EXP_OUT + 4),
            .HERE(LATENCY / 2)
        ) u_nearly (
            .clk (clk),
            .move(move[0]),
            .d   ({g_step[STEPS].moved, field, shift[0], over | far, nan, sign & ~nan}),
            .q   ({nearly, above, odd, nothing, quiet, is_negative})
        );
        assign kept  = (FRAC_OUT + 2)'(odd ? nearly[V-1:1] | (V - 1)'(nearly[0]) : nearly[V-2:0]);
        assign exact = {above, (kept & {(FRAC_OUT + 2) {~nothing}}) | ((FRAC_OUT + 2)'(quiet) << (FRAC_OUT + 1))};
      end
      assign up     = exact[1] & (exact[0] | exact[2]);
      assign result = {is_negative, exact[N+1:2] + N'(up)};
    end
  endgenerate

  loom_cut #(
      .W   (1 + EXP_OUT + FRAC_OUT),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move[INNER]),
      .d   (result),
      .q   (y)
  );
endmodule
