// loom_float_rem: iterative remainder of a division of floating-point numbers.
//
// Function: y = a - b * trunc(a / b), exactly, with the sign of a: fmod of C, of any numbers, subnormal
//   ones included. Of an infinite b it is a. A NaN, where a is infinite, b is zero or one of them is a
//   NaN, is the quiet one with positive sign and no payload.
// Parameters: EXP exponent bits; FRAC stored bits of the fraction.
// Ports: channels a and b in, joined; channel y out; idle (no operation running).
// Timing: accepts in t and offers from t + L, the next operands in the cycle in which the result leaves.
//   With n the difference of the exponents (a subnormal number has that of the least normal ones) and s
//   the zeros in front of the significand of b:
//     L = 3                    a is zero, or the result is a NaN;
//     L = 4                    n < 0: the result is a;
//     L = 3 + s + k            nothing is left after k of the n + s + 1 steps;
//     L = 4 + n + z            b is normal, and the result shifts up by z, to its place;
//     L = 4 + n + s + FRAC + 1 b is subnormal: its result goes round.
// Rule: rtl/README.md "Floating point".
//
// A step subtracts where it can and shifts, a bit of the exponents' difference per cycle: most
// remainders are of numbers of similar size, which do not wait for those that are not. The
// result is where the steps leave it, so its shift to its place is a step that subtracts nothing, and
// the register of what is left is that of the output.
module loom_float_rem #(
    parameter int EXP  = 8,
    parameter int FRAC = 23
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              a_valid,
    output logic              a_ready,
    input  logic [EXP+FRAC:0] a_data,
    input  logic              b_valid,
    output logic              b_ready,
    input  logic [EXP+FRAC:0] b_data,
    output logic              y_valid,
    input  logic              y_ready,
    output logic [EXP+FRAC:0] y_data,
    output logic              idle
);
  initial begin
    if (EXP < 2 || FRAC < 2) $fatal(1, "loom_float_rem: EXP and FRAC must be at least 2");
    // Then no exponent leaves its register.
    if (FRAC > (1 << EXP) - 2) $fatal(1, "loom_float_rem: FRAC must be at most 2^EXP - 2");
  end

  localparam int P  = FRAC + 1;  // bits of a significand
  localparam int NW = EXP + 2;   // of the number of steps, and a sign
  // Of a result, the exponent that it does not go below, and where one that goes round arrives.
  localparam logic [EXP-1:0] LEAST = EXP'(1);
  localparam logic [EXP-1:0] BELOW = EXP'(1 - P);

  // The course of an operation: a cycle that looks at the operands, those that work, the result.
  logic accept, look, work, fresh, full, ends;
  assign accept  = a_valid & b_valid & ~look & ~work & (~full | y_ready);
  assign a_ready = accept;
  assign b_ready = accept;
  assign y_valid = full;
  assign idle    = ~look & ~work & ~full;
  always_ff @(posedge clk) begin
    if (rst) begin
      {look, work, full} <= 3'b000;
    end else begin
      look <= accept;
      work <= look | (work & ~ends);
      full <= (work & ends) | (full & ~y_ready);
    end
    fresh <= look;
  end

  // rest is what is left, less than twice the divisor: before the steps the significand of a at P - 1,
  // after them that of the result at P. n + 1 steps are left; before look it is the exponent of a.
  // expo is the exponent of b, then that of the result.
  logic          sign;
  logic [P:0]    rest;
  logic [P-1:0]  divisor;
  logic [NW-1:0] n;
  logic [EXP-1:0] expo;
  assign y_data = {sign, expo, rest[P-1:1]};

  // What the operands are, in the cycle that looks at them.
  logic hidden_a, hidden_b, some_b, nan;
  assign hidden_a = |n[EXP-1:0];
  assign hidden_b = |expo;
  assign some_b   = |divisor[FRAC-1:0];
  assign nan      = look & ((&n[EXP-1:0]) | ((&expo) & some_b) | (~hidden_b & ~some_b));

  // The work: a subnormal divisor goes up until its highest bit is in place, which adds steps; the
  // steps; the result goes up until its highest bit is in place, or its exponent is the least. The
  // result of a subnormal divisor must go down as far as that went up: it goes up all the same, and
  // round, until it comes from below. fix is for a divisor that is larger than a, of which nothing
  // is subtracted: the exponent is that of a.
  logic up, done, fix, stop, low, move, round;
  assign up   = ~divisor[P-1];
  assign done = n[NW-1];
  assign low  = expo == (round ? BELOW : LEAST);
  assign stop = done & (low | (rest[P] & ~round));
  assign ends = stop | ~|rest;
  assign fix  = fresh & done;
  assign move = work & ~up & ~stop;
  always_ff @(posedge clk) round <= work & (up | round);

  logic [P:0]    diff;
  logic [P-1:0]  next;
  logic          fits, subtract, unused_diff, unused_carry;
  assign {fits, diff, unused_carry} = {1'b0, rest, 1'b1} + {2'b01, ~divisor, 1'b1};
  assign subtract     = fits & ~done;
  assign next         = subtract ? diff[P-1:0] : rest[P-1:0];
  assign unused_diff  = diff[P] ^ unused_carry;

  logic [NW-1:0] n_from, n_add, n_next;
  logic [EXP-1:0] expo_from, expo_add, expo_next;
  logic          unused_n;
  assign expo_from = {expo[EXP-1:1], expo[0] | (look & ~hidden_b)};
  assign n_from    = {n[NW-1:1], n[0] | (look & ~hidden_a)};
  assign n_add     = look ? ~{2'b00, expo_from} : {NW{~up}};
  assign {n_next, unused_n}       = {n_from, 1'b1} + {n_add, look | up};
  assign expo_add  = fix ? n[EXP-1:0] : {EXP{1'b1}};
  assign expo_next = expo + expo_add;

  // A bit of rest that leaves at the top comes back in below: none does before the result goes round.
  logic [P:0] rest_next;
  assign rest_next = accept ? {2'b00, a_data[FRAC-1:0]} : {next[P-1:1], next[0] | (~subtract & rest[P]), 1'b0};
  always_ff @(posedge clk) begin
    if (nan) rest <= {2'b11, {(P - 1) {1'b0}}};
    else if (accept | move) rest <= rest_next;
    else if (look) rest[FRAC] <= hidden_a;

    if (accept) divisor <= {1'b0, b_data[FRAC-1:0]};
    else if (look) divisor[FRAC] <= hidden_b;
    else if (work & up) divisor <= {divisor[P-2:0], 1'b0};

    if (accept) n <= {2'b00, a_data[FRAC +: EXP]};
    else if (look | (work & ~done)) n <= n_next | {nan, {(NW - 1) {1'b0}}};

    if (nan) expo <= {EXP{1'b1}};
    else if (accept) expo <= b_data[FRAC +: EXP];
    else if (look) expo <= expo_from;
    else if (work & ends) expo <= expo & {EXP{rest[P]}};
    else if (work & (up | done)) expo <= expo_next;

    if (nan) sign <= 1'b0;
    else if (accept) sign <= a_data[EXP+FRAC];
  end
  logic unused_sign;
  assign unused_sign = b_data[EXP+FRAC];

`ifdef LOOM_FORMAL
`include "loom_float_rem.svh"
`endif
endmodule
