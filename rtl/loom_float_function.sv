// loom_float_function: exponential, binary logarithm, sine and cosine of floating-point numbers.
//
// Function: y = exp(a) for op 0, log2(a) for 1, sin(a) for 2, cos(a) for 3, of any number: bit for bit
//   what compiler/num computes (elementary.go, which says how), less than 0.75 units in the last
//   place from the exact value. exp and log2 are monotone, powers of two have exact logarithms. A NaN is the
//   quiet one with positive sign and no payload.
// Parameters: EXP exponent bits; FRAC stored bits of the fraction; HAS_EXP, HAS_LOG2, HAS_SIN, HAS_COS: 1
//   for the functions that there are; BITS: bits of a factor in a cycle, 1 or 2.
// Ports: channel a in; op, constant while there are tokens; channel y out; idle (no operation
//   running).
// Timing: accepts in t, offers from t + L, whatever the number is, and accepts the next one in the cycle in
//   which the result leaves: latency and interval L. With W = FRAC + 12, M = ceil(W / BITS) cycles of a
//   multiplication, K = (FRAC + 8) / 6 + 1 terms of a sum, P = W + EXP + 2 FRAC + 2 less 1 if odd,
//   L = max(P / BITS + 1, W) + max(M, EXP + 7) + M * (K + 2) + K + 4 / BITS + ceil(EXP / BITS) +
//   max(EXP + 9, FRAC + 4) + 9.
// Rule: rtl/README.md "Floating point".
//
// There is one multiplier, which adds a factor for each bit of the other one, the lowest first. A long
// word takes the bits that leave it; it also brings numbers to where their highest bit is first.
module loom_float_function #(
    parameter int EXP      = 8,
    parameter int FRAC     = 23,
    parameter int HAS_EXP  = 1,
    parameter int HAS_LOG2 = 1,
    parameter int HAS_SIN  = 1,
    parameter int HAS_COS  = 1,
    parameter int BITS     = 2
) (
    input  logic              clk,
    input  logic              rst,
    input  logic [1:0]        op,
    input  logic              a_valid,
    output logic              a_ready,
    input  logic [EXP+FRAC:0] a_data,
    output logic              y_valid,
    input  logic              y_ready,
    output logic [EXP+FRAC:0] y_data,
    output logic              idle
);
  initial begin
    if (EXP < 2 || FRAC < 2 || FRAC > 52 || BITS < 1 || BITS > 2) $fatal(1, "loom_float_function: EXP must be at least 2, FRAC 2 to 52, BITS 1 or 2");
    if (HAS_EXP == 0 && HAS_LOG2 == 0 && HAS_SIN == 0 && HAS_COS == 0) $fatal(1, "loom_float_function: no function");
  end

  localparam int P = FRAC + 1;
  localparam int W = FRAC + 12;                        // bits of a factor
  localparam int LONG = W + EXP + FRAC;                // bits of the long word
  localparam int PLACES = ((LONG + FRAC + 2) / 2) * 2;  // bits of a constant that meet the operand
  localparam int TERMS = (FRAC + 8) / 6 + 1;
  localparam int BIAS = (1 << (EXP - 1)) - 1;
  localparam int M = (W + BITS - 1) / BITS;            // cycles of a multiplication
  localparam int MB = M * BITS;                        // bits that they use
  localparam int NC = (EXP + BITS - 1) / BITS;         // cycles that bring an integer part
  localparam int REDUCE = (PLACES / BITS + 1 > W) ? PLACES / BITS + 1 : W;
  localparam int ALIGN = (M > EXP + 7) ? M : EXP + 7;
  localparam int SHIFT = (EXP + 9 > FRAC + 4) ? EXP + 9 : FRAC + 4;
  localparam int DOWN = 4 / BITS;
  localparam int FEED = M + NC;
  localparam int CW = $clog2(REDUCE + ALIGN + SHIFT + FEED);
  localparam int XW = $clog2((1 << EXP) + PLACES) + 2;  // bits of exponents and places

  // Which function. A choice of one costs nothing.
  localparam int CIRCULAR = (HAS_SIN != 0 || HAS_COS != 0) ? 1 : 0;
  logic is_exp, is_log2, is_cos, is_circular;
  assign is_exp      = (HAS_EXP != 0) & ((HAS_LOG2 == 0 && CIRCULAR == 0) | (op == 2'd0));
  assign is_log2     = (HAS_LOG2 != 0) & ((HAS_EXP == 0 && CIRCULAR == 0) | (op == 2'd1));
  assign is_cos      = (HAS_COS != 0) & ((HAS_SIN == 0) | op[0]) & is_circular;
  assign is_circular = (CIRCULAR != 0) & ((HAS_EXP == 0 && HAS_LOG2 == 0) | op[1]);

  // The course of an operation.
  logic busy, full, accept;
  logic prepare, reduce, turn, load, align, take, copy, square, clear, add, multiply, down, fetch, feed, shift, rounding;
  logic [CW-1:0] left;
  logic          ends;  // the last cycle of a part
  logic          last;  // the last multiplication
  logic [3:0]    term;
  assign accept  = a_valid & ~busy & (~full | y_ready);
  assign a_ready = accept;
  assign y_valid = full;
  assign idle    = ~busy & ~full;
  assign ends    = ~|left;

  always_ff @(posedge clk) begin
    if (rst) begin
      {busy, full} <= 2'b00;
      {prepare, reduce, turn, load, align, take, copy, square, clear, add, multiply, down, fetch, feed, shift, rounding} <= 16'd0;
    end else begin
      busy     <= accept | (busy & ~rounding);
      full     <= rounding | (full & ~y_ready);
      prepare  <= accept;
      reduce   <= prepare | (reduce & ~ends);
      turn     <= reduce & ends;
      load     <= turn;
      align    <= load | (align & ~ends);
      take     <= align & ends;
      copy     <= take;
      square   <= copy | (square & ~ends);
      clear    <= square & ends;
      add      <= clear | (multiply & ends & ~last);
      multiply <= add | (multiply & ~ends);
      down     <= (multiply & ends & last) | (down & ~ends);
      fetch    <= down & ends;
      feed     <= fetch | (feed & ~ends);
      shift    <= (feed & ends) | (shift & ~ends);
      rounding <= shift & ends;
    end
    if (prepare) left <= CW'(REDUCE - 1);
    else if (load) left <= CW'(ALIGN - 1);
    else if (copy | add) left <= CW'(M - 1);
    else if (multiply & ends) left <= CW'(DOWN - 1);
    else if (fetch) left <= CW'(FEED - 1);
    else if (feed & ends) left <= CW'(SHIFT - 1);
    else left <= left - CW'(1);
    if (copy) term <= 4'(TERMS - 1);
    else if (add) term <= term - 4'd1;
    if (add) last <= ~|term;
  end

  // What the operand is.
  logic [EXP+FRAC:0] word;
  logic [EXP-1:0]    field;
  logic              most, empty, none, sign;
  always_ff @(posedge clk) if (accept) word <= a_data;
  assign {sign, field} = word[EXP+FRAC:FRAC];
  assign most  = &field;
  assign none  = ~|field;
  assign empty = ~|word[FRAC-1:0];

  localparam int TINY_EXP = (BIAS - FRAC - 2 > 0) ? BIAS - FRAC - 2 : 1;  // fields below are tiny
  localparam int TINY_SIN = (BIAS - FRAC / 2 - 2 > 0) ? BIAS - FRAC / 2 - 2 : 1;
  logic tiny_exp, tiny_circular, huge, one_word;
  assign tiny_exp      = (field < EXP'(TINY_EXP)) & ~(none & ~empty & (BIAS - FRAC - 2 <= 1));
  assign tiny_circular = (field < EXP'(TINY_SIN)) & ~(none & ~empty & (BIAS - FRAC / 2 - 2 <= 1));
  assign huge          = field >= EXP'(BIAS + EXP);
  assign one_word      = ~sign & (field == EXP'(BIAS)) & empty;

  // A result that is none of the sum: a NaN, an infinity, a zero, one, or the operand.
  logic nan, infinite, zero, one, same, minus;
  always_ff @(posedge clk) begin
    if (prepare) begin
      nan      <= (most & (~empty | is_circular)) | (is_log2 & sign & ~(none & empty));
      infinite <= (is_exp & huge & ~sign) | (is_log2 & ((most & ~sign) | (none & empty)));
      zero     <= (is_exp & huge & sign) | (is_log2 & one_word);
      one      <= (is_exp & tiny_exp) | (is_cos & tiny_circular);
      same     <= is_circular & ~is_cos & tiny_circular;
    end
  end

  // Exponents, and places of the constants.
  logic [XW-1:0] expo;
  logic [EXP:0]  whole;  // n of a logarithm
  // The long word.
  logic [LONG-1:0] long;
  logic            inverted;  // it counts with all bits turned round
  logic            lost;      // what went out below
  logic            guard, sticky;
  logic            right, up, aside;
  logic            top;
  logic [BITS-1:0] enter;
  assign top = long[LONG-1];

  // The turn: what the product, or the operand of a logarithm, is about.
  logic       negative;           // of the result
  logic       cosine;             // the sum is that of the cosine
  logic       near, below, first; // a logarithm next to 0; its t is negative; it has no factor
  logic [5:0] power, step;
  logic [1:0] quadrant;
  logic       half;
  logic       is_near, is_below, is_first;
  assign quadrant = long[LONG-1 -: 2] + {1'b0, is_cos};
  assign half     = long[LONG-3];
  assign is_below = &long[LONG-2 -: 6];
  assign is_first = ~|long[LONG-2 -: 6];
  assign is_near  = ((~|expo) & is_first) | ((&expo) & is_below);
  always_ff @(posedge clk) begin
    if (rst | prepare | fetch) inverted <= 1'b0;
    else if (turn) inverted <= is_log2 ? is_below : is_circular ? half : sign;
    if (turn) begin
      negative <= is_log2 ? ((is_near & is_below) | (~is_near & expo[XW-1])) : is_circular & (quadrant[1] ^ (sign & ~is_cos));
      cosine   <= is_circular & (quadrant[0] ^ half);
      near     <= is_log2 & is_near;
      below    <= is_log2 & is_below;
      first    <= is_log2 & (is_first | is_below);
      power    <= is_exp ? long[LONG-EXP-2 -: 6] ^ {6{sign}} : step;
    end
    if (turn) whole <= expo[EXP:0];
    else if (feed) whole <= {{BITS{whole[EXP]}}, whole[EXP:BITS]};
  end
  logic far;
  assign far = is_log2 & ~near;

  // The exponent begins with a constant for what the place of the first bit is.
  localparam int PLACE_EXP = PLACES - FRAC - EXP - BIAS - 1;
  localparam int PLACE_CIRCULAR = PLACES - FRAC - 3 - BIAS;
  localparam int PLACE_LOG2 = W - P - BIAS;
  logic [XW-1:0] expo_from, expo_step, expo_next;
  logic          expo_one, expo_plus, expo_minus, expo_bits;
  logic          sized;  // the shift of the long word counts
  assign sized = (is_circular & ~cosine) | near;
  assign expo_from = prepare ? XW'(field) : ~turn ? expo :
                     is_exp ? {{(XW - EXP - 1) {sign}}, long[LONG-1 -: EXP+1] ^ {(EXP + 1) {sign}}} : '0;
  assign expo_step = prepare ? (is_exp ? XW'(PLACE_EXP) : is_log2 ? XW'(PLACE_LOG2) : XW'(PLACE_CIRCULAR)) :
                     turn ? (is_exp ? XW'(BIAS) : is_circular ? XW'(BIAS - 1) : is_near ? XW'(BIAS - 5) : XW'(BIAS + NC * BITS - 1)) :
                     expo_minus ? '1 : expo_bits ? -XW'(BITS) : '0;
  assign expo_one  = expo_plus | (prepare & none);
  assign expo_next = expo_from + expo_step + XW'(expo_one);
  always_ff @(posedge clk) if (prepare | turn | expo_minus | expo_bits | expo_plus) expo <= expo_next;

  // Shifts of the long word: the bits of the product enter above; a number that is to have its
  // highest bit first goes up; a subnormal result goes down, in its upper part.
  localparam int IN_PRODUCT = REDUCE - 1 - PLACES / BITS;
  localparam int IN_FACTOR = ALIGN - M;
  logic products, factors;  // left is at least that
  generate
    if (IN_PRODUCT == 0) begin : g_all_products
      assign products = left != CW'(REDUCE - 1);
    end else begin : g_products
      assign products = (left >= CW'(IN_PRODUCT)) & (left != CW'(REDUCE - 1));
    end
    if (IN_FACTOR == 0) begin : g_all_factors
      assign factors = 1'b1;
    end else begin : g_factors
      assign factors = left >= CW'(IN_FACTOR);
    end
  endgenerate
  logic [CW-1:0] moves;  // how far the long word goes up
  assign moves = is_exp ? CW'(EXP + 7) : is_circular ? CW'(3) : below ? CW'(5) : CW'(6);
  logic product, aligning, sizing, subnormal;
  assign product   = reduce & ~is_log2 & products;
  assign aligning  = align & (left < moves);
  assign sizing    = sized & (square | clear | (add & ~(~|term)) | (multiply & ~last)) & ~(top ^ inverted);
  assign subnormal = expo[XW-1] | ~|expo;
  assign right     = product | (feed & (far | (left >= CW'(NC))));
  assign up        = (reduce & is_log2 & ~top) | aligning | sizing | (shift & ~subnormal & (expo != XW'(1)) & ~top);
  assign aside     = shift & subnormal;
  assign expo_minus = (reduce & is_log2 & ~top) | sizing | (shift & ~subnormal & (expo != XW'(1)) & ~top);
  assign expo_bits  = reduce & ~is_log2;
  assign expo_plus  = aside;
  always_ff @(posedge clk) begin
    if (accept) begin
      long <= LONG'({|a_data[EXP+FRAC-1:FRAC], a_data[FRAC-1:0]}) << (LONG - W);
      lost <= 1'b0;
    end else if (fetch) begin
      long <= '0;
    end else if (right) begin
      long <= {enter, long[LONG-1:BITS]};
    end else if (up) begin
      long <= {long[LONG-2:0], inverted};
    end else if (aside) begin
      long <= {1'b0, long[LONG-1 -: FRAC+1], {(LONG - FRAC - 2) {1'b0}}};
      lost <= sticky | guard;
    end
  end

  // The multiplier.
  logic [W:0]      factor, result;
  logic [MB-1:0]   bits;  // of the other factor, the next one lowest
  logic [W-1:0]    table_coefficient, table_factor, operand;
  logic [W-1:0]    coefficient;  // a cycle behind term, which is early enough
  logic [BITS-1:0] next, drop;
  logic            turned;  // what comes out of the sum
  logic [W-1:0]    long_word;
  assign long_word = long[LONG-1 -: W] ^ {W{inverted}};

  logic [1:0] row;
  assign row = is_exp ? 2'd0 : is_log2 ? 2'd1 : {1'b1, cosine};
  localparam int KNOWN = (CIRCULAR == 0) ? 1 : (BIAS + 2 + PLACES > 1216) ? 1216 : BIAS + 2 + PLACES;
  logic [13:0] place;
  generate
    if (XW < 14) begin : g_place
      assign place = {{(14 - XW) {expo[XW-1]}}, expo};
    end else begin : g_whole_place
      assign place = expo;
    end
  endgenerate
  loom_float_constants #(
      .W     (W),
      .PLACES(KNOWN),
      .BITS  (BITS)
  ) u_constants (
      .op         (row),
      .term       (term),
      .power      (is_exp ? power : -power),
      .segment    (long[LONG-2 -: 6]),
      .euler      (is_exp),
      .place      (place),
      .coefficient(table_coefficient),
      .factor     (table_factor),
      .step       (step),
      .next       (next)
  );

  // Turned round, a sum is a difference: c - r is not(not(c) + r). There is no coefficient behind
  // the last one, and the number of the power is in its place then.
  logic given, alternate;
  assign given     = fetch | add;
  assign alternate = add & (is_circular | (is_log2 & ~below));
  assign turned    = alternate | (fetch & (cosine | (far & below)));
  assign operand   = (coefficient ^ {W{alternate}}) | {power & {6{fetch & far & ~below}}, {(W - 6) {1'b0}}};
  generate
    for (genvar k = 0; k < BITS; k++) begin : g_step
      logic [W+1:0] sum;
      if (k == 0) begin : g_first
        assign sum = {1'b0, result} + (given ? {2'b00, operand} : ({1'b0, factor} & {(W + 2) {bits[0]}}));
      end else begin : g_next
        assign sum = {1'b0, g_step[k-1].sum[W+1:1]} + ({1'b0, factor} & {(W + 2) {bits[k]}});
      end
      assign drop[k] = sum[0];
    end
  endgenerate

  logic [W-1:0] summed;
  assign summed = g_step[0].sum[W-1:0] ^ {W{turned}};
  logic multiplying;
  assign multiplying = product | (align & factors) | square | multiply | (down & far);
  always_ff @(posedge clk) begin
    coefficient <= table_coefficient;

    // The last bits of t are left out of exp, whose steps are then larger than the errors of the sum.
    if (prepare | turn | load | take | clear | add) result <= '0;
    else if (multiplying) result <= g_step[BITS-1].sum[W+1:1];

    if (prepare | load) factor <= {1'b0, long_word};
    else if (take) factor <= {1'b0, (is_log2 & ~first) ? {result[W-7:0], 6'd0} : long_word & {{FRAC{1'b1}}, {12{~is_exp}}}};
    else if (clear & is_circular) factor <= {1'b0, result[W-1:0]};
    else if (add & (~|term) & is_exp) factor <= {1'b1, result[W-1:0]};
    else if (add & (~|term) & sized) factor <= {1'b0, long_word};

    if (load | (add & (~|term) & is_exp)) bits <= MB'(table_factor) << (MB - W);
    else if (copy | given) bits <= MB'(summed) << (MB - W);
    else bits <= {whole[BITS-1:0] & {BITS{feed}}, bits[MB-1:BITS]};
    // A factor of one bit: those of a constant, or one.
    if (reduce) bits[BITS-1:0] <= next;
    if (take) bits[BITS-1:0] <= BITS'(1);
  end

  // The bits that enter the long word: of the product, or of the result, turned round where it is
  // negative; without the one that fills up the last factor.
  logic round_about;
  assign round_about = far & negative;
  generate
    for (genvar k = 0; k < BITS; k++) begin : g_enter
      assign enter[k] = reduce ? drop[k] : bits[k] ^ (round_about & ((k >= MB - W) | (left != CW'(FEED - 1))));
    end
  endgenerate

  // The result, rounded.
  logic [FRAC-1:0]   frac;
  logic              over, beyond, unused_sum;
  logic [EXP+FRAC-1:0] rounded;
  assign frac    = long[LONG-2 -: FRAC];
  assign guard   = long[LONG-2-FRAC];
  assign sticky  = lost | (|long[LONG-3-FRAC:0]);
  assign over    = ~expo[XW-1] & ((|expo[XW-2:EXP]) | (&expo[EXP-1:0]));
  assign {rounded, unused_sum} = {expo[EXP-1:0] & {EXP{top}}, frac, 1'b1} + {{(EXP + FRAC) {1'b0}}, guard & (sticky | frac[0])};
  assign beyond = over & is_exp & ~zero & ~one;
  assign minus  = (is_log2 & none & empty) | (same & sign);
  always_ff @(posedge clk) begin
    if (rounding) begin
      y_data[EXP+FRAC] <= ~nan & ~zero & ~one & ((infinite | same) ? minus : negative);
      if (nan | infinite | beyond) y_data[EXP+FRAC-1:FRAC] <= '1;
      else if (zero) y_data[EXP+FRAC-1:FRAC] <= '0;
      else if (one) y_data[EXP+FRAC-1:FRAC] <= {1'b0, {(EXP - 1) {1'b1}}};
      else y_data[EXP+FRAC-1:FRAC] <= same ? field : rounded[EXP+FRAC-1:FRAC];
      if (nan | infinite | beyond | zero | one) y_data[FRAC-1:0] <= {nan, {(FRAC - 1) {1'b0}}};
      else y_data[FRAC-1:0] <= same ? word[FRAC-1:0] : rounded[FRAC-1:0];
    end
  end

`ifdef LOOM_FORMAL
`include "loom_float_function.svh"
`endif
endmodule
