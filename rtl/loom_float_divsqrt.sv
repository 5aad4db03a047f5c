// loom_float_divsqrt: iterative division and square root of floating-point numbers.
//
// Function: y = a / b, or with root y = sqrt(a), rounded to nearest even, of any numbers, subnormal
//   ones, infinities and NaN included. A NaN is the quiet one with positive sign and no payload.
// Parameters: EXP exponent bits; FRAC stored bits of the fraction; DIVIDE and ROOT: 1 for the
//   operations that there are; BITS: bits of the quotient or root in a cycle, 1 or 2.
// Ports: channels a and b in, joined; root, constant while there are tokens: a alone is taken then;
//   channel y out; idle (no operation running).
// Timing: accepts in t, offers from t + 6 + N with N = ceil((FRAC + 3) / BITS), whatever the numbers are;
//   accepts the next operands in the cycle in which the result leaves: latency and interval N + 6.
// Rule: rtl/README.md "Floating point".
//
// Both operations are non-restoring: every step adds or subtracts the divisor, or the root so far, by
// the sign of what is left, and that sign is the next bit. A quotient with fewer bits, a subnormal
// one, begins later: so it ends where its last bit belongs, and needs no shifter.
module loom_float_divsqrt #(
    parameter int EXP    = 8,
    parameter int FRAC   = 23,
    parameter int DIVIDE = 1,
    parameter int ROOT   = 1,
    parameter int BITS   = 2
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                root,
    input  logic                a_valid,
    output logic                a_ready,
    input  logic [EXP+FRAC:0]   a_data,
    input  logic                b_valid,
    output logic                b_ready,
    input  logic [EXP+FRAC:0]   b_data,
    output logic                y_valid,
    input  logic                y_ready,
    output logic [EXP+FRAC:0]   y_data,
    output logic                idle
);
  initial begin
    if (EXP < 2 || FRAC < 2 || BITS < 1 || BITS > 2) $fatal(1, "loom_float_divsqrt: EXP and FRAC must be at least 2, BITS 1 or 2");
    // Then no exponent leaves its register, and no root is subnormal.
    if (FRAC > (1 << (EXP - 1)) - 2) $fatal(1, "loom_float_divsqrt: FRAC must be at most 2^(EXP-1) - 2");
    if (DIVIDE == 0 && ROOT == 0) $fatal(1, "loom_float_divsqrt: neither division nor square root");
  end

  localparam int P = FRAC + 1;                   // bits of a significand
  localparam int N = (P + 2 + BITS - 1) / BITS;  // cycles of steps
  localparam int NB = N * BITS;                  // bits that they give
  localparam int T = (ROOT != 0) ? P + 1 : P;    // place of the highest bit of the divisor
  localparam int XW = EXP + 2;
  localparam int CW = loom_pkg::index_width(N);
  localparam int LAST = N - 1;
  localparam logic [XW-1:0] START = XW'((1 << (EXP - 1)) - 2);

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
  logic unused_root;
  assign unused_root = root;

  // The course of an operation: four cycles that bring a and then b to their places, the steps, and
  // the rounding.
  logic accept, busy, full;
  logic count_a, place_a, count_b, place_b, steps, rounding;
  logic [CW-1:0] left;
  logic hold, step;

  assign accept  = a_valid & (b_valid | is_root) & ~busy & (~full | y_ready);
  assign a_ready = accept;
  assign b_ready = accept & ~is_root;
  assign y_valid = full;
  assign idle    = ~busy & ~full;

  always_ff @(posedge clk) begin
    if (rst) begin
      {busy, full} <= 2'b00;
      {count_a, place_a, count_b, place_b, steps, rounding} <= 6'd0;
    end else begin
      busy     <= accept | (busy & ~rounding);
      full     <= rounding | (full & ~y_ready);
      count_a  <= accept;
      place_a  <= count_a;
      count_b  <= place_a;
      place_b  <= count_b;
      steps    <= place_b | (steps & (|left));
      rounding <= steps & ~|left;
    end
    left <= steps ? left - CW'(1) : LAST[CW-1:0];
  end

  // The operand whose turn it is.
  logic [EXP+FRAC-1:0] operand, second;
  logic sign_a, sign_b, second_turn;
  always_ff @(posedge clk) begin
    if (accept) begin
      {sign_a, operand} <= a_data;
      {sign_b, second}  <= b_data;
    end else if (place_a & ~is_root) begin
      operand <= second;
    end
  end
  assign second_turn = count_b | place_b;

  logic hidden, most, empty;
  assign hidden = |operand[FRAC +: EXP];
  assign most   = &operand[FRAC +: EXP];
  assign empty  = ~|operand[FRAC-1:0];

  // Zeros in front of the fraction of a subnormal number: pairs of them are counted a cycle before
  // the shift, the last one is seen behind it.
  localparam int PAIRS = (FRAC + 1) / 2;
  localparam int GW = loom_pkg::index_width(PAIRS);
  localparam int PADDED = 1 << GW;
  logic [GW-1:0] pairs;
  generate
    for (genvar k = GW; k >= 0; k--) begin : g_count
      // Of 2^k pairs, which of them hold a one; the first is the highest.
      logic [(1<<k)-1:0] some;
      logic              low;  // none in the upper half of twice as many
      if (k == GW) begin : g_all
        assign low = 1'b0;
        for (genvar i = 0; i < PADDED; i++) begin : g_pair
          if (i >= PAIRS) begin : g_none
            assign some[PADDED-1-i] = 1'b1;
          end else if (FRAC - 2 - 2 * i < 0) begin : g_one
            assign some[PADDED-1-i] = operand[0];
          end else begin : g_two
            assign some[PADDED-1-i] = |operand[FRAC-2-2*i +: 2];
          end
        end
      end else begin : g_half
        assign low  = ~|g_count[k+1].some[(1<<k) +: (1<<k)];
        assign some = low ? g_count[k+1].some[(1<<k)-1:0] : g_count[k+1].some[(1<<k) +: (1<<k)];
      end
    end
  endgenerate
  logic unused_some;
  assign unused_some = g_count[0].some[0] ^ g_count[GW].low;
  generate
    for (genvar k = 0; k < GW; k++) begin : g_pairs
      always_ff @(posedge clk) pairs[k] <= ~hidden & g_count[k].low;
    end
  endgenerate

  // The operand with its highest one at P - 1, or one below it: with a hidden one, it is in place.
  logic [P-1:0] even;
  logic         behind;  // one below it
  assign even   = P'({hidden, operand[FRAC-1:0], 1'b0} >> hidden) << {pairs, 1'b0};
  assign behind = ~even[P-1];

  // Where it goes: b with its highest bit at T, a below, and below that the operand of a root whose
  // exponent is odd.
  logic         odd;
  logic [1:0]   up;
  logic [P+2:0] lifted;
  logic [T:0]   placed;
  assign odd    = hidden ? operand[FRAC] : behind;
  assign up     = 2'd1 + 2'(behind) + 2'(second_turn) - {1'b0, is_root & odd};
  assign lifted = (P + 3)'(even) << up;
  assign placed = lifted[P+1 -: T+1];
  logic unused_lifted;
  assign unused_lifted = ^lifted;

  // The exponent less 1: that of a quotient from 1 on, or of the root. The steps wait until it is not
  // negative, each cycle for as many as it has.
  logic [XW-1:0] expo, expo_add, expo_next;
  logic          expo_carry, unused_expo;
  assign expo_add = hold ? XW'(BITS) : hidden ? (XW'(operand[FRAC +: EXP]) ^ {XW{second_turn}}) : (XW'({pairs, behind}) ^ {XW{~second_turn}});
  assign expo_carry = ~hold & (hidden ~^ second_turn);
  assign {expo_next, unused_expo} = {expo, 1'b1} + {expo_add, expo_carry};
  always_ff @(posedge clk) begin
    if (accept) expo <= START - XW'(is_root);
    else if (place_a | (place_b & ~is_root) | hold) expo <= expo_next;
    else if (count_b & is_root) expo <= {expo[XW-1], expo[XW-1:1]};
  end
  assign hold = steps & expo[XW-1];
  assign step = steps & ~expo[XW-1];

  // What the operands are.
  logic nan, infinite, zero;
  always_ff @(posedge clk) begin
    if (place_a) begin
      nan      <= (most & ~empty) | (is_root & sign_a & (hidden | ~empty));
      infinite <= most & empty;
      zero     <= ~hidden & empty;
    end else if (place_b & ~is_root) begin
      nan      <= nan | (most & (~empty | infinite)) | (~hidden & empty & zero);
      infinite <= infinite | (~hidden & empty);
      zero     <= zero | (most & empty);
    end
  end

  // A step adds or subtracts. rest is twice what is left, less the sign; place_b brings a there by
  // adding it to nothing and then subtracting it from twice itself. The marks stand where the root's
  // next bits come, those of one cycle under one mark.
  logic [T+1:1] rest;
  logic         negative;
  logic [T:0]   divisor;
  logic [N-1:0] marks;
  logic         exact;
  generate
    for (genvar g = 0; g < BITS; g++) begin : g_step
      logic [T:0]   root_so_far, mark, subtrahend;
      logic [T+1:0] minuend, sum;
      logic         below, nothing, unused_sum;
      for (genvar i = 0; i <= T; i++) begin : g_mark
        if ((T - i) % BITS == g && (T - i) / BITS < N) begin : g_here
          assign mark[i] = marks[(T-i)/BITS];
        end else begin : g_not_here
          assign mark[i] = 1'b0;
        end
      end
      if (g == 0) begin : g_first
        assign root_so_far = divisor;
        assign minuend     = {rest, 1'b0};
        assign below       = negative;
      end else begin : g_next
        assign root_so_far = g_step[g-1].root_so_far | (g_step[g-1].mark & {(T + 1) {~g_step[g-1].sum[T+1]}});
        assign minuend     = {g_step[g-1].sum[T:0], 1'b0};
        assign below       = g_step[g-1].sum[T+1];
      end
      assign subtrahend = root_so_far | (mark & {(T + 1) {below}}) | (mark >> 1);
      assign {sum, unused_sum} = {minuend, 1'b1} + {{1'b0, subtrahend} ^ {(T + 2) {~below}}, ~below};
      // Nothing is left; the last step of the cycle is looked at in the next.
      if (g == BITS - 1) begin : g_last
        assign nothing = 1'b0;
      end else begin : g_before
        // Steps that the root does not have give no more than a bit of no meaning.
        localparam int OWN = (((N - 1) * BITS + g) < P + 1) ? 1 : 0;
        assign nothing = (~|sum[T:0]) & ((OWN != 0) | ~is_root | (|left));
      end
    end
  endgenerate

  logic [BITS-1:0] found;  // the first one highest
  logic [BITS-1:0] nothing;
  generate
    for (genvar g = 0; g < BITS; g++) begin : g_found
      assign found[BITS-1-g] = ~g_step[g].sum[T+1];
      assign nothing[g]      = g_step[g].nothing;
    end
  endgenerate
  logic [T:0] root_next;
  assign root_next = g_step[BITS-1].root_so_far | (g_step[BITS-1].mark & {(T + 1) {found[0]}});

  logic [NB-1:0] result;
  logic          rest_empty;
  assign rest_empty = ~|rest;
  always_ff @(posedge clk) begin
    if (accept) begin
      rest     <= '0;
      negative <= 1'b1;
    end else if (place_b | step) begin
      rest     <= g_step[BITS-1].sum[T:0];
      negative <= ~found[0];
    end
    if (place_a | (place_b & ~is_root)) divisor <= placed;
    else if (place_b) divisor <= '0;
    else if (step & is_root) divisor <= root_next;
    // Nothing may stand there when a is brought to its place, not even what was there before the reset.
    if (accept) marks <= '0;
    else marks <= N'({marks, place_b & is_root});
    if (place_b) result <= '0;
    else if (step) result <= NB'({result, found});
    // Only at the bit that decides the rounding does it matter; where nothing was left before, it is 0.
    if (step) exact <= rest_empty | (|nothing);
  end

  // The result with its highest one at the top, or the second place; a subnormal one where it is.
  // The addition of the top bit and of the rounding carries into the exponent.
  localparam int OWN = (NB - 1 < P + 1) ? 1 : 0;
  logic               top, low, guard, sticky, done, over;
  logic [NB-1:0]      aligned;
  logic [FRAC-1:0]    frac;
  logic [EXP+FRAC:0]  sum;
  logic               unused_sum;
  assign top     = result[NB-1];
  assign low     = top | ~|expo;
  assign aligned = low ? result : NB'({result, 1'b0});
  assign frac    = aligned[NB-2 -: FRAC];
  assign guard   = aligned[NB-2-FRAC];
  assign done    = exact | (rest_empty & ((OWN != 0) | ~is_root));
  assign sticky  = ~done | (|aligned[NB-3-FRAC:0]);
  assign {sum, unused_sum} = {1'b0, expo[EXP-1:1], expo[0] & (top | result[NB-2]), frac, 1'b1} +
                             {{EXP{1'b0}}, top, {FRAC{1'b0}}, guard & (sticky | frac[0])};
  assign over    = ~expo[XW-1] & ((|expo[XW-2:EXP]) | ((&expo[EXP-1:1]) & (expo[0] | top)));
  logic unused_over;
  assign unused_over = sum[EXP+FRAC];

  always_ff @(posedge clk) begin
    if (rounding) begin
      y_data <= {(sign_a ^ (sign_b & ~is_root)) & ~nan, sum[EXP+FRAC-1:0]};
      if (nan | infinite | over) y_data[EXP+FRAC-1:0] <= {{EXP{1'b1}}, nan, {(FRAC - 1) {1'b0}}};
      if (~nan & ~infinite & (zero | expo[XW-1])) y_data[EXP+FRAC-1:0] <= '0;
    end
  end

`ifdef LOOM_FORMAL
`include "loom_float_divsqrt.svh"
`endif
endmodule
