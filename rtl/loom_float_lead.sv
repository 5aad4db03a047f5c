// loom_float_lead: moves the leading one of a word to its top, as far as the exponent allows.
//
// Function: y is word moved to the left until its highest bit is set, by exponent bits at most, but
//   for a last move by one bit, which is left to loom_float_pack: that is due where the highest bit
//   of y is 0 and may is 1. y_exponent is exponent less the amount and 1. The lowest bit of y says that any
//   bit that is not in y is 1. none: word was 0.
// Parameters: W bits of word and OUT bits of y, at least 4; EXP bits of exponent; SIDE
//   bits that go along, at least 1; CUTS: bit k is 1 where a register stands behind step k.
// Ports: clk; move per step, of the register behind it; word, exponent and side; y, y_exponent, may
//   and none, and out with what went along.
// Timing: a cycle with move per register. A step looks for zeros in the word that the step before
//   made and moves it by one of four amounts, the largest amounts first; the first one by one of two
//   where the number of amounts asks for it.
// Rule: rtl/README.md "Floating point".
module loom_float_lead #(
    parameter int W    = 28,
    parameter int OUT  = 27,
    parameter int EXP  = 8,
    parameter int SIDE = 1,
    parameter int CUTS = 0
) (
    input  logic                     clk,
    input  logic [$clog2(W)/2-1:0]   move,
    input  logic [W-1:0]             word,
    input  logic [EXP-1:0]           exponent,
    input  logic [SIDE-1:0]          side,
    output logic [OUT-1:0]           y,
    output logic [EXP-1:0]           y_exponent,
    output logic                     may,
    output logic                     none,
    output logic [SIDE-1:0]          out
);
  initial if (W < 4 || OUT < 4 || EXP < 1 || SIDE < 1) $fatal(1, "loom_float_lead: W and OUT must be at least 4, EXP and SIDE at least 1");

  localparam int BITS = $clog2(W);
  localparam int STEPS = BITS / 2;
  localparam int FULL = (OUT - 1 > W) ? OUT - 1 : W;

  // The amount is the number of leading zeros or the exponent, whichever is less. It is made digit by
  // digit from the highest one: once a digit is less than that of the exponent the others are free.
  generate
    for (genvar k = 0; k < STEPS; k++) begin : g_step
      localparam int REST = 2 * (STEPS - 1 - k) + 1;  // bits of the amount behind this step
      localparam int FOUR = ((k > 0) || (BITS % 2 == 1)) ? 1 : 0;
      localparam int UNIT = 1 << REST;
      // Bits in front of the step and behind it, no more than later steps can move into y.
      localparam int FROM = ((k == 0) || (OUT - 3 + 4 * UNIT > FULL)) ? FULL : OUT - 3 + 4 * UNIT;
      localparam int TO = (OUT - 3 + UNIT > FULL) ? FULL : OUT - 3 + UNIT;
      localparam int WIDE = FROM + 3 * UNIT;
      logic [WIDE-1:0] from;  // and zeros
      logic [TO-1:0]   moved, word_out;
      logic [BITS-1:0] earlier, sum, sum_out, limit, limit_out;
      logic            bound, follows, bound_out;  // no digit is less yet
      logic            lost, drop, lost_out, empty, zero, zero_out;
      logic [EXP-1:0]  power, left, power_out;
      logic [SIDE-1:0] beside, side_out;
      if (k == 0) begin : g_first
        assign from   = {word, {(WIDE - W) {1'b0}}};
        assign earlier = '0;
        assign lost   = 1'b0;
        assign power  = exponent;
        assign beside = side;
        assign zero   = empty;
        if (EXP > BITS) begin : g_far
          assign limit = exponent[BITS-1:0];
          assign bound = ~|exponent[EXP-1:BITS];
        end else begin : g_near
          assign limit = BITS'(exponent);
          assign bound = 1'b1;
        end
      end else begin : g_next
        assign from   = {g_step[k-1].word_out, {(WIDE - FROM) {1'b0}}};
        assign earlier = g_step[k-1].sum_out;
        assign lost   = g_step[k-1].lost_out;
        assign power  = g_step[k-1].power_out;
        assign beside = g_step[k-1].side_out;
        assign limit  = g_step[k-1].limit_out;
        assign bound  = g_step[k-1].bound_out;
        assign zero   = g_step[k-1].zero_out;
      end
      // Whether the highest parts of the word have no one. Those of a word that a step made are looked
      // at in front of the register behind it.
      logic clear0, clear1, clear2, after0, after1, after2, after0_out, after1_out, after2_out;
      if (k == 0) begin : g_first_clear
        assign clear0 = ~|from[WIDE-1 -: UNIT];
        assign clear1 = ~|from[WIDE-1-UNIT -: UNIT];
        assign clear2 = ~|from[WIDE-1-2*UNIT -: UNIT];
      end else begin : g_next_clear
        assign clear0 = g_step[k-1].after0_out;
        assign clear1 = g_step[k-1].after1_out;
        assign clear2 = g_step[k-1].after2_out;
      end
      if (k < STEPS - 1) begin : g_after
        localparam int PART = UNIT / 4;
        logic [TO+3*PART-1:0] spread;
        assign spread = {moved, {(3 * PART) {1'b0}}};
        assign after0 = ~|spread[TO+3*PART-1 -: PART];
        assign after1 = ~|spread[TO+2*PART-1 -: PART];
        assign after2 = ~|spread[TO+PART-1 -: PART];
        logic unused_spread;
        assign unused_spread = ^spread;
      end else begin : g_last
        assign {after0, after1, after2} = 3'b000;
      end
      if (FOUR != 0) begin : g_four
        logic [1:0] zeros, most, digit;
        assign zeros   = {clear0 & clear1, clear0 & (~clear1 | clear2)};
        assign most    = limit[REST+1 -: 2];
        assign digit   = (bound & (zeros > most)) ? most : zeros;
        assign follows = bound & (zeros >= most);
        assign moved   = digit[1] ? (digit[0] ? from[WIDE-1-3*UNIT -: TO] : from[WIDE-1-2*UNIT -: TO])
                                  : (digit[0] ? from[WIDE-1-UNIT -: TO] : from[WIDE-1 -: TO]);
        assign sum     = earlier | (BITS'(digit) << REST);
        assign empty   = clear0 & clear1 & clear2 & ~|from[WIDE-1-3*UNIT:0];
        // What no later step moves into y, for each digit.
        localparam int N0 = FROM - TO;
        localparam int N1 = (N0 > UNIT) ? N0 - UNIT : 0;
        localparam int N2 = (N1 > UNIT) ? N1 - UNIT : 0;
        localparam int N3 = (N2 > UNIT) ? N2 - UNIT : 0;
        logic drop0, drop1, drop2, drop3;
        if (N3 > 0) assign drop3 = |from[WIDE-FROM +: N3];
        else assign drop3 = 1'b0;
        if (N2 > N3) assign drop2 = drop3 | (|from[WIDE-FROM+N3 +: N2-N3]);
        else assign drop2 = drop3;
        if (N1 > N2) assign drop1 = drop2 | (|from[WIDE-FROM+N2 +: N1-N2]);
        else assign drop1 = drop2;
        if (N0 > N1) assign drop0 = drop1 | (|from[WIDE-FROM+N1 +: N0-N1]);
        else assign drop0 = drop1;
        assign drop = digit[1] ? (digit[0] ? drop3 : drop2) : (digit[0] ? drop1 : drop0);
      end else begin : g_two
        logic digit;
        assign digit   = clear0 & ~(bound & ~limit[REST]);
        assign follows = bound & (clear0 | ~limit[REST]);
        assign moved   = digit ? from[WIDE-1-UNIT -: TO] : from[WIDE-1 -: TO];
        assign sum     = earlier | (BITS'(digit) << REST);
        assign empty   = clear0 & ~|from[WIDE-1-UNIT:0];
        localparam int N0 = FROM - TO;
        localparam int N1 = (N0 > UNIT) ? N0 - UNIT : 0;
        logic drop1;
        if (N1 > 0) assign drop1 = |from[WIDE-FROM +: N1];
        else assign drop1 = 1'b0;
        if (N0 > N1) assign drop = drop1 | (~digit & (|from[WIDE-FROM+N1 +: N0-N1]));
        else assign drop = drop1;
      end
      assign left = (k == STEPS - 1) ? power + ~(EXP'(sum)) : power;
      loom_cut #(
          .W   (TO + 2 * BITS + 6 + EXP + SIDE),
          .HERE((CUTS >> k) & 1)
      ) u_cut (
          .clk (clk),
          .move(move[k]),
          .d   ({moved, after0, after1, after2, sum, limit, follows, lost | drop, zero, left, beside}),
          .q   ({word_out, after0_out, after1_out, after2_out, sum_out, limit_out, bound_out, lost_out, zero_out, power_out, side_out})
      );
      logic unused;
      assign unused = (^from) ^ (^limit) ^ empty ^ (^limit_out) ^ clear1 ^ clear2 ^ after0_out ^ after1_out ^ after2_out;
    end
  endgenerate

  assign y          = {g_step[STEPS-1].word_out, g_step[STEPS-1].lost_out};
  assign y_exponent = g_step[STEPS-1].power_out;
  assign may        = ~g_step[STEPS-1].bound_out | g_step[STEPS-1].limit_out[0];
  assign none       = g_step[STEPS-1].zero_out;
  assign out        = g_step[STEPS-1].side_out;
  logic unused;
  assign unused = ^g_step[STEPS-1].sum_out;
endmodule
