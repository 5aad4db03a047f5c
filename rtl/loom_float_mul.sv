// loom_float_mul: floating-point multiplication.
//
// Function: y = a * b, rounded to nearest, ties to even. Every NaN is the positive quiet one without
//   payload.
// Parameters: EXP bits of the exponent field and FRAC of the fraction: a word has 1 + EXP + FRAC bits;
//   LATENCY registers, 0 (combinational) to 6.
// Ports: clk; move per register, as loom_flow gives it; a and b; y.
// Timing: LATENCY cycles with move, the last register at the result; from 3 on one stands behind the
//   products of parts, which multiplier blocks can take, and from 5 on (6 where rows of products are added) one
//   in front of them, too, behind the leading ones.
// Rule: rtl/README.md "Floating point".
module loom_float_mul #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 3
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [EXP+FRAC:0]                        a,
    input  logic [EXP+FRAC:0]                        b,
    output logic [EXP+FRAC:0]                        y
);
  initial if (EXP < 2 || FRAC < 2) $fatal(1, "loom_float_mul: EXP and FRAC must be at least 2");
  initial if (LATENCY < 0 || LATENCY > 6) $fatal(1, "loom_float_mul: LATENCY must be 0 to 6");

  initial if (FRAC + 3 > (2 << EXP)) $fatal(1, "loom_float_mul: FRAC must be at most 2^(EXP+1) - 3");

  localparam int N = FRAC + 1;  // bits of a significand
  localparam int ONE = (N <= 24) ? 1 : 0;  // a row of products

  // The places of registers: in front of the multiplication (BEFORE), behind the products of parts (0), behind rows of them (1),
  // behind their sum (2), within the shift (3), behind it (4), behind rounding (5).
  localparam int BEFORE = (LATENCY >= ((ONE != 0) ? 5 : 6)) ? 1 : 0;
  localparam int PLACES = (LATENCY == 0) ? 'b000000 : (LATENCY == 1) ? 'b100000 : (LATENCY == 2) ? 'b100100 :
                          (LATENCY == 3) ? 'b100101 : (LATENCY == 4) ? ((ONE != 0) ? 'b101101 : 'b100111) :
                          (ONE == 0) ? 'b101111 : (LATENCY == 5) ? 'b101101 : 'b111101;
  localparam int AT0 = BEFORE + (PLACES & 1);  // registers up to each place
  localparam int AT1 = AT0 + ((PLACES >> 1) & 1);
  localparam int AT2 = AT1 + ((PLACES >> 2) & 1);
  localparam int AT3 = AT2 + ((PLACES >> 3) & 1);
  localparam int AT4 = AT3 + ((PLACES >> 4) & 1);
  logic move0, move1, move2, move3, move4, move5;
  assign move0 = move[(AT0 > 0) ? AT0 - 1 : 0];
  assign move1 = move[(AT1 > 0) ? AT1 - 1 : 0];
  assign move2 = move[(AT2 > 0) ? AT2 - 1 : 0];
  assign move3 = move[(AT3 > 0) ? AT3 - 1 : 0];
  assign move4 = move[(AT4 > 0) ? AT4 - 1 : 0];
  assign move5 = move[(LATENCY > 0) ? LATENCY - 1 : 0];

  // A count of leading zeros has COUNT bits, of which the inverse is what the product is moved by to
  // the right in a word with zeros below it; a product that stays subnormal is moved by more.
  localparam int COUNT = $clog2(N + 2);
  localparam int SPAN = N + 1 + (1 << COUNT);  // bits of that word
  localparam int STEPS = (COUNT + 1) / 2;
  localparam int STEP = (STEPS > 1) ? STEPS - 2 : 0;  // the one with a register behind it

  logic           number_a, number_b, infinite_a, infinite_b, none_a, none_b, sign, special, nan;
  logic [N-1:0]   factor_a, factor_b, leading;
  logic [EXP+1:0] powers;  // and a bit for the carry in
  logic [EXP+1:0] base;
  logic [EXP+FRAC:0] x, z;  // a and b behind that register
  loom_cut #(
      .W   (2 * (2 + EXP + FRAC)),
      .HERE(BEFORE)
  ) u_operands (
      .clk (clk),
      .move(move[0]),
      .d   ({|a[EXP+FRAC-1:FRAC], a, |b[EXP+FRAC-1:FRAC], b}),
      .q   ({number_a, x, number_b, z})
  );
  assign infinite_a = &x[EXP+FRAC-1:FRAC];  // or a NaN
  assign infinite_b = &z[EXP+FRAC-1:FRAC];
  assign none_a     = ~|x[FRAC-1:0];
  assign none_b     = ~|z[FRAC-1:0];
  assign sign       = x[EXP+FRAC] ^ z[EXP+FRAC];
  assign special    = infinite_a | infinite_b;
  assign nan        = (infinite_a & (~none_a | (~number_b & none_b))) | (infinite_b & (~none_b | (~number_a & none_a)));
  assign factor_a   = {number_a, x[FRAC-1:0]};
  assign factor_b   = {number_b, z[FRAC-1:0]};
  // At most one factor without its leading one is of interest: a product of two is next to nothing.
  assign leading    = {number_a & number_b, (x[FRAC-1:0] & {FRAC{~number_a}}) | (z[FRAC-1:0] & {FRAC{~number_b}})};
  // The sum of the exponent fields less the bias and 1. A subnormal number has the field 1 in truth.
  assign powers     = {1'b0, x[EXP+FRAC-1:FRAC+1], x[FRAC] | ~number_a, 1'b1} + {1'b0, z[EXP+FRAC-1:FRAC], ~number_b};
  assign base       = {~(powers[EXP+1] | powers[EXP]), ~(powers[EXP+1] ^ powers[EXP]), ~powers[EXP], powers[EXP-1:1]};

  logic           sign0, special0, nan0;
  logic [EXP+1:0] base0;
  loom_cut #(
      .W   (5 + EXP),
      .HERE(AT0 - BEFORE)
  ) u_powers (
      .clk (clk),
      .move(move0),
      .d   ({sign, special, nan, base}),
      .q   ({sign0, special0, nan0, base0})
  );
  logic [COUNT-1:0] inverse0;
  loom_float_count #(
      .W    (N),
      .COUNT(COUNT),
      .CUT  (AT0 - BEFORE)
  ) u_count (
      .clk    (clk),
      .move   (move0),
      .a      (leading),
      .inverse(inverse0)
  );

  // The exponent that goes with the count. Where it is negative the product is subnormal, and what it
  // is moved by follows from the sum of the exponents alone.
  logic           subnormal0, below0;
  logic [EXP+2:0] exponent0;  // and a bit for the carry in
  logic [COUNT:0] amount0;
  assign exponent0  = {base0, 1'b1} + {{(EXP + 2 - COUNT) {1'b1}}, inverse0, 1'b1};
  assign subnormal0 = exponent0[EXP+2];
  assign amount0    = subnormal0 ? {base0[EXP+1], ~base0[COUNT-1:0]} | {(COUNT + 1) {below0}} : {1'b0, inverse0};
  assign below0     = base0[EXP+1] & ~&base0[EXP:COUNT];
  logic           huge0, verge0;
  logic [EXP-1:0] power0;
  assign huge0  = ~subnormal0 & (exponent0[EXP+1] | (&exponent0[EXP:2]));
  assign verge0 = exponent0[EXP+2:1] == (EXP + 2)'((1 << EXP) - 3);
  assign power0 = exponent0[EXP:1] & {EXP{~subnormal0}};

  logic           sign1, special1, nan1, verge1;
  logic [EXP-1:0] power1;
  logic [COUNT:0] amount1;
  loom_cut #(
      .W   (5 + EXP + COUNT),
      .HERE(AT1 - AT0)
  ) u_beside_rows (
      .clk (clk),
      .move(move1),
      .d   ({sign0, special0 | huge0, nan0, verge0, power0, amount0}),
      .q   ({sign1, special1, nan1, verge1, power1, amount1})
  );

  logic           sign2, special2, nan2, verge2;
  logic [EXP-1:0] power2;
  logic [COUNT:0] amount2;
  loom_cut #(
      .W   (5 + EXP + COUNT),
      .HERE(AT2 - AT1)
  ) u_beside_sum (
      .clk (clk),
      .move(move2),
      .d   ({sign1, special1, nan1, verge1, power1, amount1}),
      .q   ({sign2, special2, nan2, verge2, power2, amount2})
  );

  logic [2*N-1:0] product1, product2;
  loom_float_product #(
      .W   (N),
      .CUTS((AT0 - BEFORE) | ((AT1 - AT0) << 1))
  ) u_product (
      .clk (clk),
      .move({move1, move0}),
      .a   (factor_a),
      .b   (factor_b),
      .y   (product1)
  );
  loom_cut #(
      .W   (2 * N),
      .HERE(AT2 - AT1)
  ) u_sum (
      .clk (clk),
      .move(move2),
      .d   (product1),
      .q   (product2)
  );

  logic           sign3, special3, nan3, verge3;
  logic [EXP-1:0] power3;
  loom_cut #(
      .W   (4 + EXP),
      .HERE(AT3 - AT2)
  ) u_beside_shift (
      .clk (clk),
      .move(move3),
      .d   ({sign2, special2, nan2, verge2, power2}),
      .q   ({sign3, special3, nan3, verge3, power3})
  );
  logic [N+1:0] word3;
  logic         sticky3;
  loom_float_align #(
      .W   (SPAN),
      .OUT (N + 2),
      .CUTS((AT3 - AT2) << STEP)
  ) u_align (
      .clk   (clk),
      .move  ({STEPS{move3}}),
      .word  ({product2, {(SPAN - 2 * N) {1'b0}}}),
      .amount(amount2),
      .invert(1'b0),
      .y     (word3),
      .sticky(sticky3)
  );

  logic           sign4, special4, nan4, verge4;
  logic [EXP-1:0] power4;
  logic [N+2:0]   word4;
  loom_cut #(
      .W   (4 + EXP + N + 3),
      .HERE(AT4 - AT3)
  ) u_shifted (
      .clk (clk),
      .move(move4),
      .d   ({sign3, special3, nan3, verge3, power3, word3, sticky3}),
      .q   ({sign4, special4, nan4, verge4, power4, word4})
  );

  logic [EXP+FRAC:0] result;
  loom_float_pack #(
      .EXP (EXP),
      .FRAC(FRAC)
  ) u_pack (
      .word    (word4),
      .exponent(power4),
      .may     (1'b1),
      .sign    (sign4),
      .special (special4),
      .nan     (nan4),
      .verge   (verge4),
      .y       (result)
  );

  loom_cut #(
      .W   (1 + EXP + FRAC),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move5),
      .d   (result),
      .q   (y)
  );
  logic unused;
  assign unused = powers[0] ^ exponent0[0];
endmodule
