// loom_float_fma: floating-point multiplication and addition with one rounding.
//
// Function: y = a * b + c, rounded to nearest, ties to even. Every NaN is the positive quiet one
//   without payload.
// Parameters: EXP bits of the exponent field and FRAC of the fraction: a word has 1 + EXP + FRAC bits;
//   LATENCY registers, 0 (combinational) to 8.
// Ports: clk; move per register, as loom_flow gives it; a, b and c; y.
// Timing: LATENCY cycles with move, the last register at the result; from 5 on one stands behind the
//   products of parts, which multiplier blocks can take.
// Rule: rtl/README.md "Floating point".
module loom_float_fma #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 6
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [EXP+FRAC:0]                        a,
    input  logic [EXP+FRAC:0]                        b,
    input  logic [EXP+FRAC:0]                        c,
    output logic [EXP+FRAC:0]                        y
);
  initial if (EXP < 2 || FRAC < 2) $fatal(1, "loom_float_fma: EXP and FRAC must be at least 2");
  initial if (LATENCY < 0 || LATENCY > 8) $fatal(1, "loom_float_fma: LATENCY must be 0 to 8");

  localparam int N = FRAC + 1;  // bits of a significand
  localparam int ONE = (N <= 24) ? 1 : 0;  // a row of products
  localparam int WIDE = 2 * N + 2;  // the product and two bits below it
  localparam int BITS = $clog2(WIDE + 1);
  localparam int ALIGN_STEPS = BITS / 2;
  localparam int ALIGN_CUT = (ALIGN_STEPS > 1) ? ALIGN_STEPS - 2 : 0;
  localparam int LEAD_STEPS = $clog2(WIDE + 2) / 2;

  // The places of registers: behind the products of parts (0), behind rows of them (1), behind their
  // sum (2), within the alignment (3), behind it (4), behind the sum with c (5), behind its magnitude
  // (6), behind the first steps of the move of the leading one (7, 8), behind it (9), behind rounding
  // (10).
  localparam int PLACES = (LATENCY == 0) ? 'b00000000000 : (LATENCY == 1) ? 'b10000000000 : (LATENCY == 2) ? 'b10000100000 :
                          (LATENCY == 3) ? 'b10010010000 : (LATENCY == 4) ? 'b10010100100 : (LATENCY == 5) ? 'b10100100101 :
                          (LATENCY == 6) ? 'b10101010101 : (LATENCY == 7) ? 'b11101010101 :
                          (ONE != 0) ? 'b11111010101 : 'b11101010111;
  localparam int AT0 = PLACES & 1;  // registers up to each place
  localparam int AT1 = AT0 + ((PLACES >> 1) & 1);
  localparam int AT2 = AT1 + ((PLACES >> 2) & 1);
  localparam int AT3 = AT2 + ((PLACES >> 3) & 1);
  localparam int AT4 = AT3 + ((PLACES >> 4) & 1);
  localparam int AT5 = AT4 + ((PLACES >> 5) & 1);
  localparam int AT6 = AT5 + ((PLACES >> 6) & 1);
  localparam int AT7 = AT6 + ((PLACES >> 7) & 1);
  localparam int AT8 = AT7 + ((PLACES >> 8) & 1);
  localparam int AT9 = AT8 + ((PLACES >> 9) & 1);
  logic move0, move1, move2, move3, move4, move5, move6, move7, move8, move9, move10;
  assign move0  = move[0];
  assign move1  = move[(AT1 > 0) ? AT1 - 1 : 0];
  assign move2  = move[(AT2 > 0) ? AT2 - 1 : 0];
  assign move3  = move[(AT3 > 0) ? AT3 - 1 : 0];
  assign move4  = move[(AT4 > 0) ? AT4 - 1 : 0];
  assign move5  = move[(AT5 > 0) ? AT5 - 1 : 0];
  assign move6  = move[(AT6 > 0) ? AT6 - 1 : 0];
  assign move7  = move[(AT7 > 0) ? AT7 - 1 : 0];
  assign move8  = move[(AT8 > 0) ? AT8 - 1 : 0];
  assign move9  = move[(AT9 > 0) ? AT9 - 1 : 0];
  assign move10 = move[(LATENCY > 0) ? LATENCY - 1 : 0];

  logic           number_a, number_b, number_c, infinite_a, infinite_b, infinite_c, none_a, none_b, none_c;
  logic           none, sign, sign_c, special, nan, sign_special;
  logic [EXP+1:0] powers;  // and a bit for the carry in
  logic [EXP+1:0] base;
  assign number_a   = |a[EXP+FRAC-1:FRAC];
  assign number_b   = |b[EXP+FRAC-1:FRAC];
  assign number_c   = |c[EXP+FRAC-1:FRAC];
  assign infinite_a = &a[EXP+FRAC-1:FRAC];  // or a NaN
  assign infinite_b = &b[EXP+FRAC-1:FRAC];
  assign infinite_c = &c[EXP+FRAC-1:FRAC];
  assign none_a     = ~|a[FRAC-1:0];
  assign none_b     = ~|b[FRAC-1:0];
  assign none_c     = ~|c[FRAC-1:0];
  assign none       = (~number_a & none_a) | (~number_b & none_b);  // the product is 0
  assign sign       = a[EXP+FRAC] ^ b[EXP+FRAC];
  assign sign_c     = c[EXP+FRAC];
  assign special    = infinite_a | infinite_b | infinite_c;
  assign nan        = (infinite_a & ~none_a) | (infinite_b & ~none_b) | (infinite_c & ~none_c) |
                      ((infinite_a | infinite_b) & (none | (infinite_c & (sign ^ sign_c))));
  assign sign_special = (infinite_a | infinite_b) ? sign : sign_c;
  // The sum of the exponent fields less the bias and 1. A subnormal number has the field 1 in truth.
  assign powers     = {1'b0, a[EXP+FRAC-1:FRAC+1], a[FRAC] | ~number_a, 1'b1} + {1'b0, b[EXP+FRAC-1:FRAC], ~number_b};
  assign base       = {~(powers[EXP+1] | powers[EXP]), ~(powers[EXP+1] ^ powers[EXP]), ~powers[EXP], powers[EXP-1:1]};

  logic              none0, sign0, special0, nan0, number_c0;
  logic [EXP+1:0]    base0;
  logic [EXP+FRAC:0] c0;
  loom_cut #(
      .W   (8 + 2 * EXP + FRAC),
      .HERE(AT0)
  ) u_powers (
      .clk (clk),
      .move(move0),
      .d   ({none, special ? sign_special : sign, special, nan, number_c, base, c}),
      .q   ({none0, sign0, special0, nan0, number_c0, base0, c0})
  );

  // The distance of the exponents less 1. The operand with the lesser one is moved: where that is c, by
  // one place when it is chosen and by the distance less 1, else the product by the inverse of that. A
  // product that is 0 has any exponent; it does not move c.
  logic            over0, minus0, big_sign0;
  logic [EXP+2:0]  distance0;  // and a bit for the carry in
  logic [EXP:0]    least0, power0;
  logic [BITS-1:0] amount0;
  assign distance0 = {base0, 1'b1} + {2'b11, ~c0[EXP+FRAC-1:FRAC], number_c0};
  assign over0     = ~distance0[EXP+2] & ~none0;
  assign least0    = distance0[EXP+1:1] ^ {(EXP + 1) {distance0[EXP+2]}};
  assign minus0    = (sign0 ^ c0[EXP+FRAC]) & ~special0;
  assign big_sign0 = (over0 | special0) ? sign0 : c0[EXP+FRAC];
  // The exponent field that goes with a one in the place above the product, less 1.
  assign power0    = (over0 ? base0[EXP:0] : {1'b0, c0[EXP+FRAC-1:FRAC]}) + (EXP + 1)'({over0 | ~number_c0, ~(over0 | ~number_c0)});
  generate
    if (EXP + 1 > BITS) begin : g_far
      assign amount0 = least0[BITS-1:0] | {BITS{|least0[EXP:BITS]}};
    end else begin : g_near
      assign amount0 = BITS'(least0);
    end
  endgenerate

  logic            over1, minus1, sign1, special1, nan1;
  logic [EXP:0]    power1;
  logic [BITS-1:0] amount1;
  logic [N-1:0]    c1;
  loom_cut #(
      .W   (6 + EXP + BITS + N),
      .HERE(AT1 - AT0)
  ) u_beside_rows (
      .clk (clk),
      .move(move1),
      .d   ({over0, minus0, big_sign0, special0, nan0, power0, amount0, number_c0, c0[FRAC-1:0]}),
      .q   ({over1, minus1, sign1, special1, nan1, power1, amount1, c1})
  );

  logic            over2, minus2, sign2, special2, nan2;
  logic [EXP:0]    power2;
  logic [BITS-1:0] amount2;
  logic [N-1:0]    c2;
  loom_cut #(
      .W   (6 + EXP + BITS + N),
      .HERE(AT2 - AT1)
  ) u_beside_sum (
      .clk (clk),
      .move(move2),
      .d   ({over1, minus1, sign1, special1, nan1, power1, amount1, c1}),
      .q   ({over2, minus2, sign2, special2, nan2, power2, amount2, c2})
  );

  logic [2*N-1:0] product1, product2;
  loom_float_product #(
      .W   (N),
      .CUTS(AT0 | ((AT1 - AT0) << 1))
  ) u_product (
      .clk (clk),
      .move({move1, move0}),
      .a   ({number_a, a[FRAC-1:0]}),
      .b   ({number_b, b[FRAC-1:0]}),
      .y   (product1)
  );
  loom_cut #(
      .W   (2 * N),
      .HERE(AT2 - AT1)
  ) u_product_sum (
      .clk (clk),
      .move(move2),
      .d   (product1),
      .q   (product2)
  );

  logic [2*N-1:0]  larger2, larger3;
  logic [WIDE-1:0] lesser2, aligned3;
  logic            sticky3;
  assign larger2 = over2 ? product2 : {1'b0, c2, {(N - 1) {1'b0}}};
  assign lesser2 = over2 ? {2'b00, c2, {N{1'b0}}} : {product2, 2'b00};

  logic         minus3, sign3, special3, nan3;
  logic [EXP:0] power3;
  loom_cut #(
      .W   (5 + EXP + 2 * N),
      .HERE(AT3 - AT2)
  ) u_beside_shift (
      .clk (clk),
      .move(move3),
      .d   ({minus2, sign2, special2, nan2, power2, larger2}),
      .q   ({minus3, sign3, special3, nan3, power3, larger3})
  );
  loom_float_align #(
      .W   (WIDE),
      .OUT (WIDE),
      .CUTS((AT3 - AT2) << ALIGN_CUT)
  ) u_align (
      .clk   (clk),
      .move  ({ALIGN_STEPS{move3}}),
      .word  (lesser2),
      .amount(amount2),
      .invert(minus3),
      .y     (aligned3),
      .sticky(sticky3)
  );

  logic            minus4, sign4, special4, nan4, sticky4;
  logic [EXP:0]    power4;
  logic [2*N-1:0]  larger4;
  logic [WIDE-1:0] aligned4;
  loom_cut #(
      .W   (6 + EXP + 2 * N + WIDE),
      .HERE(AT4 - AT3)
  ) u_aligned (
      .clk (clk),
      .move(move4),
      .d   ({minus3, sign3, special3, nan3, sticky3, power3, larger3, aligned3}),
      .q   ({minus4, sign4, special4, nan4, sticky4, power4, larger4, aligned4})
  );

  // A one that was lost takes the place of the one that an inverted number lacks, and stays below.
  logic            exact4;
  logic [WIDE+1:0] sum4;  // and a bit for the carry in
  assign exact4 = minus4 & ~sticky4;
  assign sum4   = {minus4, aligned4, 1'b1} + {1'b0, larger4, 2'b00, exact4};

  logic          minus5, sign5, special5, nan5, sticky5, exact5;
  logic [EXP:0]  power5;
  logic [WIDE:0] sum5;
  loom_cut #(
      .W   (7 + EXP + WIDE + 1),
      .HERE(AT5 - AT4)
  ) u_sum (
      .clk (clk),
      .move(move5),
      .d   ({minus4, sign4, special4, nan4, sticky4, exact4, power4, sum4[WIDE+1:1]}),
      .q   ({minus5, sign5, special5, nan5, sticky5, exact5, power5, sum5})
  );

  // The operand with the lesser exponent may be the larger number.
  logic            negative5;
  logic [WIDE+1:0] magnitude5;  // and a bit for the carry in
  assign negative5  = minus5 & sum5[WIDE];
  assign magnitude5 = {sum5 ^ {(WIDE + 1) {negative5}}, 1'b1} + {{(WIDE + 1) {1'b0}}, negative5 & exact5};

  logic            minus6, sign6, special6, nan6;
  logic [EXP:0]    power6;
  logic [WIDE+1:0] word6;
  loom_cut #(
      .W   (5 + EXP + WIDE + 2),
      .HERE(AT6 - AT5)
  ) u_magnitude (
      .clk (clk),
      .move(move6),
      .d   ({minus5, sign5 ^ negative5, special5, nan5, power5, magnitude5[WIDE+1:1], sticky5}),
      .q   ({minus6, sign6, special6, nan6, power6, word6})
  );

  // Two steps of the move have no step in front of which the first register could stand.
  localparam int FRONT = (LEAD_STEPS < 3) ? AT7 - AT6 : 0;
  localparam int BETWEEN = AT7 - AT6 - FRONT;
  logic            minus7, sign7, special7, nan7;
  logic [EXP:0]    power7;
  logic [WIDE+1:0] word7;
  loom_cut #(
      .W   (5 + EXP + WIDE + 2),
      .HERE(FRONT)
  ) u_front (
      .clk (clk),
      .move(move7),
      .d   ({minus6, sign6, special6, nan6, power6, word6}),
      .q   ({minus7, sign7, special7, nan7, power7, word7})
  );

  logic [LEAD_STEPS-1:0] lead_moves;
  generate
    for (genvar k = 0; k < LEAD_STEPS; k++) begin : g_lead_move
      assign lead_moves[k] = (k < LEAD_STEPS - 2) ? move7 : move8;
    end
  endgenerate
  logic            minus8, sign8, special8, nan8, may8, none8;
  logic [EXP:0]    power8;
  logic [FRAC+3:0] word8;
  loom_float_lead #(
      .W   (WIDE + 2),
      .OUT (FRAC + 4),
      .EXP (EXP + 1),
      .SIDE(4),
      .CUTS((BETWEEN << ((LEAD_STEPS < 3) ? 0 : LEAD_STEPS - 3)) | ((AT8 - AT7) << (LEAD_STEPS - 2)))
  ) u_lead (
      .clk       (clk),
      .move      (lead_moves),
      .word      (word7),
      .exponent  (power7),
      .side      ({minus7, sign7, special7, nan7}),
      .y         (word8),
      .y_exponent(power8),
      .may       (may8),
      .none      (none8),
      .out       ({minus8, sign8, special8, nan8})
  );

  // Exponents are -1 to less than 3 * 2^(EXP-1). That of a sum that vanishes is small: the product's was
  // that of c, and the steps moved by as much as they can.
  logic huge8, verge8;
  assign huge8  = (power8[EXP] & ~power8[EXP-1]) | (~power8[EXP] & (&power8[EXP-1:1]));
  assign verge8 = power8 == (EXP + 1)'((1 << EXP) - 3);

  logic            sign9, special9, nan9, verge9, may9;
  logic [EXP-1:0]  power9;
  logic [FRAC+3:0] word9;
  loom_cut #(
      .W   (5 + EXP + FRAC + 4),
      .HERE(AT9 - AT8)
  ) u_led (
      .clk (clk),
      .move(move9),
      .d   ({sign8 & ~(none8 & minus8), special8 | huge8, nan8, verge8, may8, power8[EXP-1:0], word8}),
      .q   ({sign9, special9, nan9, verge9, may9, power9, word9})
  );

  logic [EXP+FRAC:0] result;
  loom_float_pack #(
      .EXP (EXP),
      .FRAC(FRAC)
  ) u_pack (
      .word    (word9),
      .exponent(power9),
      .may     (may9),
      .sign    (sign9),
      .special (special9),
      .nan     (nan9),
      .verge   (verge9),
      .y       (result)
  );

  loom_cut #(
      .W   (1 + EXP + FRAC),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move10),
      .d   (result),
      .q   (y)
  );
  logic unused;
  assign unused = powers[0] ^ distance0[0] ^ sum4[0] ^ magnitude5[0] ^ base0[EXP+1];
endmodule
