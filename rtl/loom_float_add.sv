// loom_float_add: floating-point addition and subtraction.
//
// Function: y = a + b, with op a - b, rounded to nearest, ties to even. Every NaN is the positive quiet
//   one without payload.
// Parameters: EXP bits of the exponent field and FRAC of the fraction: a word has 1 + EXP + FRAC bits;
//   LATENCY registers, 0 (combinational) to 6.
// Ports: clk; move per register, as loom_flow gives it; a and b; op, the same while words are inside; y.
// Timing: LATENCY cycles with move, the last register at the result.
// Rule: rtl/README.md "Floating point".
module loom_float_add #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 4
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [EXP+FRAC:0]                        a,
    input  logic [EXP+FRAC:0]                        b,
    input  logic                                     op,
    output logic [EXP+FRAC:0]                        y
);
  initial if (EXP < 2 || FRAC < 2) $fatal(1, "loom_float_add: EXP and FRAC must be at least 2");
  initial if (LATENCY < 0 || LATENCY > 6) $fatal(1, "loom_float_add: LATENCY must be 0 to 6");

  // The places of registers: behind the comparison (0), within the alignment (1), behind it (2), behind
  // the sum (3), within the move of the leading one (4), behind it (5), behind rounding (6).
  localparam int PLACES = (LATENCY == 0) ? 'b0000000 : (LATENCY == 1) ? 'b1000000 : (LATENCY == 2) ? 'b1001000 :
                          (LATENCY == 3) ? 'b1010100 : (LATENCY == 4) ? 'b1011001 : (LATENCY == 5) ? 'b1011101 : 'b1111101;
  localparam int AT0 = PLACES & 1;  // registers up to each place
  localparam int AT1 = AT0 + ((PLACES >> 1) & 1);
  localparam int AT2 = AT1 + ((PLACES >> 2) & 1);
  localparam int AT3 = AT2 + ((PLACES >> 3) & 1);
  localparam int AT4 = AT3 + ((PLACES >> 4) & 1);
  localparam int AT5 = AT4 + ((PLACES >> 5) & 1);
  logic move0, move1, move2, move3, move4, move5, move6;
  assign move0 = move[0];
  assign move1 = move[(AT1 > 0) ? AT1 - 1 : 0];
  assign move2 = move[(AT2 > 0) ? AT2 - 1 : 0];
  assign move3 = move[(AT3 > 0) ? AT3 - 1 : 0];
  assign move4 = move[(AT4 > 0) ? AT4 - 1 : 0];
  assign move5 = move[(AT5 > 0) ? AT5 - 1 : 0];
  assign move6 = move[(LATENCY > 0) ? LATENCY - 1 : 0];

  localparam int WIDE = FRAC + 3;  // the significand and two bits below it
  localparam int ALIGN_BITS = $clog2(WIDE + 1);
  localparam int ALIGN_STEPS = ALIGN_BITS / 2;
  localparam int ALIGN_CUT = (ALIGN_STEPS > 1) ? ALIGN_STEPS - 2 : 0;
  localparam int LEAD_STEPS = $clog2(FRAC + 5) / 2;
  localparam int LEAD_CUT = (LEAD_STEPS > 1) ? LEAD_STEPS - 2 : 0;

  // The operand of less magnitude is moved. Where its exponent is less by a borrow, the distance of the
  // exponents is the inverted difference and one more; that one is moved here. A subnormal number has
  // the exponent field 1 in truth, one less to move: it is not moved by that one, or else moved by one
  // to the left here, where it has room.
  logic                  number_a, number_b, less, negative, step;
  logic [EXP:0]          difference;
  logic [EXP-1:0]        distance;
  logic [ALIGN_BITS-1:0] amount;
  logic [FRAC+1:0]       lesser;
  assign number_a   = |a[EXP+FRAC-1:FRAC];
  assign number_b   = |b[EXP+FRAC-1:FRAC];
  assign difference = {1'b0, a[EXP+FRAC-1:FRAC]} - {1'b0, b[EXP+FRAC-1:FRAC]};
  assign negative   = difference[EXP];
  assign distance   = difference[EXP-1:0] ^ {EXP{negative}};
  assign less       = a[EXP+FRAC-1:0] < b[EXP+FRAC-1:0];
  assign step       = number_a & (less ? negative : ~number_b);
  assign lesser     = less ? (step ? {2'b01, a[FRAC-1:0]} : {number_a, a[FRAC-1:0], 1'b0})
                           : (step ? {b[FRAC-1:0], 2'b00} : {number_b, b[FRAC-1:0], 1'b0});
  generate
    if (EXP > ALIGN_BITS) begin : g_far
      assign amount = distance[ALIGN_BITS-1:0] | {ALIGN_BITS{|distance[EXP-1:ALIGN_BITS]}};
    end else begin : g_near
      assign amount = ALIGN_BITS'(distance);
    end
  endgenerate

  logic                  number0, negative0, minus0, sign0;
  logic [EXP-1:0]        power0;
  logic [FRAC-1:0]       fraction0;
  logic [FRAC+1:0]       lesser0;
  logic [ALIGN_BITS-1:0] amount0;
  loom_cut #(
      .W   (4 + EXP + FRAC + FRAC + 2 + ALIGN_BITS),
      .HERE(AT0)
  ) u_compared (
      .clk (clk),
      .move(move0),
      .d   ({less ? number_b : number_a, negative, a[EXP+FRAC] ^ b[EXP+FRAC] ^ op, less ? b[EXP+FRAC] ^ op : a[EXP+FRAC],
             less ? b[EXP+FRAC-1:FRAC] : a[EXP+FRAC-1:FRAC], less ? b[FRAC-1:0] : a[FRAC-1:0], lesser, amount}),
      .q   ({number0, negative0, minus0, sign0, power0, fraction0, lesser0, amount0})
  );

  // The greater magnitude is a NaN if any is, and an infinity if any is and no NaN is.
  logic special0, nan0, verge0;
  assign special0 = &power0;
  assign nan0     = special0 & ((|fraction0) | (minus0 & ~negative0 & ~|amount0));
  assign verge0   = (&power0[EXP-1:1]) & ~power0[0];

  logic            number1, minus1, sign1, special1, nan1, verge1;
  logic [EXP-1:0]  power1;
  logic [FRAC-1:0] fraction1;
  loom_cut #(
      .W   (6 + EXP + FRAC),
      .HERE(AT1 - AT0)
  ) u_beside (
      .clk (clk),
      .move(move1),
      .d   ({number0, minus0, sign0, special0, nan0, verge0, power0, fraction0}),
      .q   ({number1, minus1, sign1, special1, nan1, verge1, power1, fraction1})
  );

  logic [WIDE-1:0] aligned1;
  logic            sticky1;
  loom_float_align #(
      .W   (WIDE),
      .OUT (WIDE),
      .CUTS((AT1 - AT0) << ALIGN_CUT)
  ) u_align (
      .clk   (clk),
      .move  ({ALIGN_STEPS{move1}}),
      .word  ({lesser0, 1'b0}),
      .amount(amount0),
      .invert(minus1),
      .y     (aligned1),
      .sticky(sticky1)
  );

  logic            number2, minus2, sign2, special2, nan2, verge2, sticky2;
  logic [EXP-1:0]  power2;
  logic [FRAC-1:0] fraction2;
  logic [WIDE-1:0] aligned2;
  loom_cut #(
      .W   (7 + EXP + FRAC + WIDE),
      .HERE(AT2 - AT1)
  ) u_aligned (
      .clk (clk),
      .move(move2),
      .d   ({number1, minus1, sign1, special1, nan1, verge1, sticky1, power1, fraction1, aligned1}),
      .q   ({number2, minus2, sign2, special2, nan2, verge2, sticky2, power2, fraction2, aligned2})
  );

  // A one that was lost takes the place of the one that an inverted number lacks, and stays below.
  logic [WIDE+1:0] sum;  // and a bit for the carry in
  assign sum = {minus2, aligned2, 1'b1} + {1'b0, number2, fraction2, 2'b00, minus2 & ~sticky2};

  logic            minus3, sign3, special3, nan3;
  logic [EXP-1:0]  power3;
  logic [WIDE+1:0] word3;
  loom_cut #(
      .W   (4 + EXP + WIDE + 2),
      .HERE(AT3 - AT2)
  ) u_sum (
      .clk (clk),
      .move(move3),
      .d   ({minus2, sign2, special2 | (verge2 & sum[WIDE+1]), nan2, power2[EXP-1:1], power2[0] | ~number2, sum[WIDE+1:1], sticky2}),
      .q   ({minus3, sign3, special3, nan3, power3, word3})
  );

  logic            zero4, minus4, sign4, special4, nan4, may4;
  logic [EXP-1:0]  power4;
  logic [FRAC+3:0] word4;
  loom_float_lead #(
      .W   (FRAC + 5),
      .OUT (FRAC + 4),
      .EXP (EXP),
      .SIDE(4),
      .CUTS((AT4 - AT3) << LEAD_CUT)
  ) u_lead (
      .clk       (clk),
      .move      ({LEAD_STEPS{move4}}),
      .word      (word3),
      .exponent  (power3),
      .side      ({minus3, sign3, special3, nan3}),
      .y         (word4),
      .y_exponent(power4),
      .may       (may4),
      .none      (zero4),
      .out       ({minus4, sign4, special4, nan4})
  );

  logic            sign5, special5, nan5, may5;
  logic [EXP-1:0]  power5;
  logic [FRAC+3:0] word5;
  loom_cut #(
      .W   (4 + EXP + FRAC + 4),
      .HERE(AT5 - AT4)
  ) u_led (
      .clk (clk),
      .move(move5),
      .d   ({sign4 & ~(zero4 & minus4), special4, nan4, may4, power4, word4}),
      .q   ({sign5, special5, nan5, may5, power5, word5})
  );

  logic [EXP+FRAC:0] result;
  loom_float_pack #(
      .EXP (EXP),
      .FRAC(FRAC)
  ) u_pack (
      .word    (word5),
      .exponent(power5),
      .may     (may5),
      .sign    (sign5),
      .special (special5),
      .nan     (nan5),
      .verge   (1'b0),
      .y       (result)
  );

  loom_cut #(
      .W   (1 + EXP + FRAC),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move6),
      .d   (result),
      .q   (y)
  );
  logic unused;
  assign unused = sum[0];
endmodule
