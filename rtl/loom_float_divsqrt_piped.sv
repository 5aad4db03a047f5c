// loom_float_divsqrt_piped: pipelined division and square root of floating-point numbers.
//
// Function: y = a / b, or with root y = sqrt(a), rounded to nearest even, of any numbers, subnormal
//   ones, infinities and NaN included: the results of loom_float_divsqrt. A NaN is the quiet one with
//   positive sign and no payload.
// Parameters: EXP exponent bits; FRAC stored bits of the fraction; DIVIDE and ROOT: 1 for the
//   operations that there are; LATENCY registers, 0 (combinational) to FRAC + 7, from 32
//   bits of the fraction on FRAC + 8.
// Ports: clk; move per register, as loom_flow gives it; root, constant while there are tokens: b is
//   not read then; a and b; y.
// Timing: LATENCY cycles with move. One register stands within the normalisation of the operands (two
//   of a fraction of 32 and more bits), one behind it, one behind the shift of subnormal quotients, one
//   behind rounding; the others are spread evenly over FRAC + 3 steps, each of which makes a bit. With
//   4 and fewer registers all steps are in front of one.
// Rule: rtl/README.md "Floating point".
//
// Both operations are non-restoring: every step adds or subtracts the divisor, or the root so far, by
// the sign of what is left, and that sign is the next bit. A step has the bits that it needs: what a
// root has found grows as its operand shrinks.
module loom_float_divsqrt_piped #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int DIVIDE  = 1,
    parameter int ROOT    = 1,
    parameter int LATENCY = 17
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic                                     root,
    input  logic [EXP+FRAC:0]                        a,
    input  logic [EXP+FRAC:0]                        b,
    output logic [EXP+FRAC:0]                        y
);
  initial begin
    if (EXP < 2 || FRAC < 2) $fatal(1, "loom_float_divsqrt_piped: EXP and FRAC must be at least 2");
    // Then no exponent leaves its register, and no root is subnormal.
    if (FRAC > (1 << (EXP - 1)) - 2) $fatal(1, "loom_float_divsqrt_piped: FRAC must be at most 2^(EXP-1) - 2");
    if (DIVIDE == 0 && ROOT == 0) $fatal(1, "loom_float_divsqrt_piped: neither division nor square root");
    if (LATENCY < 0 || LATENCY > FRAC + 7 + ((FRAC > 31) ? 1 : 0)) $fatal(1, "loom_float_divsqrt_piped: LATENCY must be 0 to FRAC + 7, or + 8 from FRAC = 32 on");
  end

  localparam int P = FRAC + 1;   // bits of a significand
  localparam int N = P + 2;      // steps
  localparam int XW = EXP + 2;   // bits of an exponent
  localparam int SB = $clog2(P); // of the zeros in front of a significand
  localparam int BIAS = (1 << (EXP - 1)) - 1;

  // Registers within and behind the normalisation, behind steps, and behind the shift; the last one is
  // behind rounding. AT_…: those up to there.
  localparam int WITHIN = (LATENCY > 5 && P > 32) ? 2 : (LATENCY > 4) ? 1 : 0;
  localparam int BEHIND = (LATENCY > 2) ? 1 : 0;
  localparam int SHIFTED = (LATENCY > 3) ? 1 : 0;
  localparam int STAGES = (LATENCY > 4) ? LATENCY - 3 - WITHIN : (LATENCY > 1) ? 1 : 0;
  localparam int AT_BEHIND = WITHIN + BEHIND;
  localparam int AT_SHIFTED = AT_BEHIND + STAGES + SHIFTED;

  logic is_root;
  generate
    if (DIVIDE == 0) begin : g_root_alone
      assign is_root = 1'b1;
    end else if (ROOT == 0) begin : g_no_root
      assign is_root = 1'b0;
    end else begin : g_both
      assign is_root = root;
    end
  endgenerate

  // What the operands are; of a root, b is a number.
  logic hidden_a, most_a, empty_a, hidden_b, most_b, empty_b;
  assign hidden_a = |a[FRAC +: EXP];
  assign most_a   = &a[FRAC +: EXP];
  assign empty_a  = ~|a[FRAC-1:0];
  assign hidden_b = (|b[FRAC +: EXP]) | is_root;
  assign most_b   = (&b[FRAC +: EXP]) & ~is_root;
  assign empty_b  = ~|b[FRAC-1:0];

  logic sign, nan, infinite, zero;
  assign sign     = a[EXP+FRAC] ^ (b[EXP+FRAC] & ~is_root);
  assign nan      = (most_a & (~empty_a | most_b)) | (most_b & ~empty_b) | (~hidden_a & empty_a & ~hidden_b & empty_b) |
                    (is_root & a[EXP+FRAC] & (hidden_a | ~empty_a));
  assign infinite = most_a | (~hidden_b & empty_b);
  assign zero     = (~hidden_a & empty_a) | most_b;

  // The difference of the exponents; a root subtracts a constant.
  logic [XW-1:0] apart;
  assign apart = XW'({a[FRAC+1 +: EXP-1], a[FRAC] | ~hidden_a}) -
                 (is_root ? XW'(2) : XW'({b[FRAC+1 +: EXP-1], b[FRAC] | ~hidden_b}));

  // The operands with their leading one at the top.
  logic          sign0, nan0, infinite0, zero0;
  logic [XW-1:0] apart0;
  logic [P-1:0]  a0, b0;
  logic [SB-1:0] up_a, up_b;
  loom_float_normalize #(
      .W      (P),
      .SIDE   (4 + XW),
      .LATENCY(WITHIN)
  ) u_a (
      .clk  (clk),
      .move (move[((WITHIN > 1) ? 1 : 0):0]),
      .a    ({hidden_a, a[FRAC-1:0]}),
      .fill (1'b0),
      .side ({sign, nan, infinite, zero, apart}),
      .y    (a0),
      .shift(up_a),
      .out  ({sign0, nan0, infinite0, zero0, apart0})
  );
  generate
    if (DIVIDE != 0) begin : g_b
      logic unused_side;
      loom_float_normalize #(
          .W      (P),
          .LATENCY(WITHIN)
      ) u_b (
          .clk  (clk),
          .move (move[((WITHIN > 1) ? 1 : 0):0]),
          .a    ({hidden_b, b[FRAC-1:0]}),
          .fill (1'b0),
          .side (1'b0),
          .y    (b0),
          .shift(up_b),
          .out  (unused_side)
      );
    end else begin : g_no_b
      assign b0   = '0;
      assign up_b = '0;
    end
  endgenerate

  // Where the steps begin: bits below the point of what is left. A step begins with twice what is left:
  // half of the dividend, a quarter or half of the operand of a root, by whether its exponent is even.
  localparam int START = (ROOT != 0) ? P + 1 : P;
  logic [P-1:0]     dividend0;
  logic             even0;
  logic [START+1:0] rest0;
  logic [P-1:0]     divisor0;
  assign dividend0 = a0 & {P{~zero0}};
  assign even0     = is_root & (apart0[0] ^ up_a[0]);
  assign rest0     = (START + 2)'(dividend0) << (START - P) >> even0;
  assign divisor0  = b0 & {P{~is_root}};

  logic             sign1, nan1, infinite1;
  logic [XW-1:0]    apart1;
  logic [SB-1:0]    up_a1, up_b1;
  logic [START+1:0] rest1;
  logic [P-1:0]     divisor1;
  loom_cut #(
      .W   (3 + XW + 2 * SB + START + 2 + P),
      .HERE(BEHIND)
  ) u_normal (
      .clk (clk),
      .move(move[(AT_BEHIND > 0) ? AT_BEHIND - 1 : 0]),
      .d   ({sign0, nan0, infinite0, apart0, up_a, up_b & {SB{~is_root}}, rest0, divisor0}),
      .q   ({sign1, nan1, infinite1, apart1, up_a1, up_b1, rest1, divisor1})
  );

  // The exponent field less 2 of a result from 1 on; an infinity has one that is too large. That of a
  // zero, without any bit, is not.
  logic [XW-1:0] sum1, halved1, expo1;
  assign sum1    = apart1 + XW'(up_b1) - XW'(up_a1) + XW'(BIAS - 2);
  assign halved1 = is_root ? {sum1[XW-1], sum1[XW-1:1]} : sum1;
  assign expo1   = {halved1[XW-1] & ~infinite1, halved1[XW-2] | infinite1, halved1[XW-3:0]};

  generate
    for (genvar k = 0; k < N; k++) begin : g_step
      // Bits below the point: of what is left in front of the step, of what it adds to, and behind it.
      // A root has k of them so far and compares with one more; of its operand P - k remain. Its last
      // step makes a bit without a meaning: there is always something left where that matters.
      localparam int GIVEN = (ROOT != 0) ? P - k + 1 : 0;
      localparam int BEFORE = (ROOT == 0 || (DIVIDE != 0 && P - 1 > k)) ? P - 1 : k;
      localparam int FROM = (k == 0) ? START : (BEFORE > GIVEN) ? BEFORE : GIVEN;
      localparam int SUM = (ROOT == 0 || (DIVIDE != 0 && P - 1 > k + 1)) ? P - 1 : (k > P) ? P + 1 : k + 1;
      localparam int TO = (SUM > GIVEN - 1) ? SUM : GIVEN - 1;
      localparam int HERE = ((k + 1) * STAGES / N > k * STAGES / N) ? 1 : 0;
      localparam int AT = AT_BEHIND + (k + 1) * STAGES / N;

      logic [FROM+1:0] given;
      logic [P-1:0]    divisor;
      logic [N-1:0]    found;
      logic            sign_in, nan_in;
      logic [XW-1:0]   expo;
      if (k == 0) begin : g_first
        assign given   = rest1;
        assign divisor = divisor1;
        assign found   = '0;
        assign sign_in = sign1;
        assign nan_in  = nan1;
        assign expo    = expo1;
      end else begin : g_next
        assign given   = g_step[k-1].left;
        assign divisor = g_step[k-1].divisor_out;
        assign found   = g_step[k-1].found_out;
        assign sign_in = g_step[k-1].sign_out;
        assign nan_in  = g_step[k-1].nan_out;
        assign expo    = g_step[k-1].expo_out;
      end

      logic           below, borrow, bit_found, unused_sum;
      logic [TO+1:0]  twice, result;
      logic [P+2:0]   whole;
      logic [SUM+1:0] minuend, subtrahend, sum;
      assign below      = given[FROM+1];
      assign twice      = (TO + 2)'(given[FROM:0]) << (TO - FROM + 1);
      assign minuend    = twice[TO+1 -: SUM+2];
      assign whole      = {1'b0, divisor, 2'b00};
      if (ROOT != 0 && k <= P) begin : g_marks
        assign subtrahend = whole[P+2 -: SUM+2] | ((SUM + 2)'({is_root & below, is_root}) << (SUM - k - 1));
      end else begin : g_divisor
        assign subtrahend = whole[P+2 -: SUM+2];
      end
      // An addition subtracts the inverse and 1: that operand, which is not what is left, is the one with
      // a look-up table in front of the carry chain.
      if (FROM - 1 < SUM) begin : g_even
        // The lowest bit of twice what is left is 0.
        assign borrow = below | subtrahend[0];
        assign {sum[SUM+1:1], unused_sum} = {minuend[SUM+1:1], 1'b0} - {subtrahend[SUM+1:1] ^ {(SUM + 1) {below}}, borrow};
        assign sum[0] = subtrahend[0];
      end else begin : g_odd
        assign borrow = below;
        assign {sum, unused_sum} = {minuend, 1'b0} - {subtrahend ^ {(SUM + 2) {below}}, borrow};
      end
      assign bit_found = ~sum[SUM+1];
      if (TO > SUM) begin : g_beyond
        assign result = {sum, twice[TO-SUM-1:0]};
      end else begin : g_whole
        assign result = sum;
      end
      logic unused_step;
      assign unused_step = (^whole) ^ (^twice) ^ minuend[0];

      logic [TO+1:0] left;
      logic [P-1:0]  divisor_next, divisor_out;
      logic [N-1:0]  found_next, found_out;
      logic          sign_out, nan_out;
      logic [XW-1:0] expo_out;
      if (ROOT != 0 && k < P) begin : g_root_bit
        logic bit_root;
        assign bit_root     = bit_found & is_root;
        assign divisor_next = divisor | (P'(bit_root) << (P - 1 - k));
      end else begin : g_as_it_is
        assign divisor_next = divisor;
      end
      assign found_next   = found | (N'(bit_found) << (N - 1 - k));
      loom_cut #(
          .W   (TO + 2 + P + N + 2 + XW),
          .HERE(HERE)
      ) u_cut (
          .clk (clk),
          .move(move[(AT > 0) ? AT - 1 : 0]),
          .d   ({result, divisor_next, found_next, sign_in, nan_in, expo}),
          .q   ({left, divisor_out, found_out, sign_out, nan_out, expo_out})
      );
    end
  endgenerate

  // Nothing is left of a division if the last step, and so every one since then, subtracted in vain: no
  // quotient ends with its last bit. a + b is 0 where a ^ b is twice a | b. A root with nothing left is
  // no tie, and is rounded down with and without more.
  localparam int LAST = (ROOT != 0) ? P + 1 : P - 1;
  logic [LAST+1:0] left;
  logic [P:0]      rest, last, either;
  logic            exact;
  assign left   = g_step[N-1].left;
  assign rest   = left[LAST+1 -: P+1];
  assign last   = {1'b0, g_step[N-1].divisor_out};
  assign either = rest | last;
  assign exact  = ((rest ^ last) == {either[P-1:0], 1'b0}) & ~is_root;

  // A subnormal quotient moves down; by how far says its exponent.
  logic [XW-1:0]  expo2;
  logic [N-1:0]   word2;
  logic           sticky2, negative, huge, verge;
  assign expo2    = g_step[N-1].expo_out;
  assign negative = expo2[XW-1];
  assign huge     = ~negative & (expo2[EXP] | (&expo2[EXP-1:1]));
  assign verge    = expo2 == XW'((1 << EXP) - 3);
  generate
    if (DIVIDE != 0) begin : g_move
      localparam int AB = $clog2(N + 1);
      logic [AB-1:0] amount;
      logic          far, lost;
      if (AB < XW - 1) begin : g_far
        assign far = ~&expo2[XW-2:AB];
      end else begin : g_near
        assign far = 1'b0;
      end
      assign amount = (AB'(~expo2) | {AB{far}}) & {AB{negative}};
      loom_float_align #(
          .W  (N),
          .OUT(N)
      ) u_align (
          .clk   (clk),
          .move  ({(AB / 2) {1'b0}}),
          .word  (g_step[N-1].found_out),
          .amount(amount),
          .invert(1'b0),
          .y     (word2),
          .sticky(lost)
      );
      assign sticky2 = lost | ~exact;
    end else begin : g_stay
      assign word2   = g_step[N-1].found_out;
      assign sticky2 = ~exact;
    end
  endgenerate

  logic           sign3, nan3, special3, verge3, may3, sticky3;
  logic [EXP-1:0] power3;
  logic [N-1:0]   word3;
  loom_cut #(
      .W   (6 + EXP + N),
      .HERE(SHIFTED)
  ) u_shifted (
      .clk (clk),
      .move(move[(AT_SHIFTED > 0) ? AT_SHIFTED - 1 : 0]),
      .d   ({g_step[N-1].sign_out, g_step[N-1].nan_out, huge | g_step[N-1].nan_out, verge, ~negative, sticky2, expo2[EXP-1:0], word2}),
      .q   ({sign3, nan3, special3, verge3, may3, sticky3, power3, word3})
  );

  logic [EXP+FRAC:0] packed_result;
  loom_float_pack #(
      .EXP (EXP),
      .FRAC(FRAC)
  ) u_pack (
      .word    ({word3, sticky3}),
      .exponent(power3),
      .may     (may3),
      .sign    (sign3),
      .special (special3),
      .nan     (nan3),
      .verge   (verge3),
      .y       (packed_result)
  );
  loom_cut #(
      .W   (1 + EXP + FRAC),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move[(LATENCY > 0) ? LATENCY - 1 : 0]),
      .d   (packed_result),
      .q   (y)
  );

  logic unused;
  assign unused = root ^ (^b) ^ (^left) ^ either[P];
endmodule
