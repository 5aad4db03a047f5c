// loom_float_pack: the last move, rounding and packing of a floating-point result.
//
// Function: y is a number rounded to nearest, ties to even. Its significand is word, whose lowest bit
//   stands for any below it. Where the highest bit of word is 1 the exponent field of y is exponent +
//   2. Else, where may is 1, word is moved to the left by one bit, and the field is exponent + 1 if
//   the highest bit is 1 then. Else the field is 0.
// Parameters: EXP bits of the exponent field, at least 2; FRAC bits of the fraction, at least 2; the
//   word has FRAC + 4 bits.
// Ports: word, exponent, may and sign; special: y is an infinity, or with nan the NaN; verge: with the
//   highest bit of word y is an infinity; y.
// Timing: combinational.
// Rule: rtl/README.md "Floating point".
module loom_float_pack #(
    parameter int EXP  = 8,
    parameter int FRAC = 23
) (
    input  logic [FRAC+3:0]   word,
    input  logic [EXP-1:0]    exponent,
    input  logic              may,
    input  logic              sign,
    input  logic              special,
    input  logic              nan,
    input  logic              verge,
    output logic [EXP+FRAC:0] y
);
  initial if (EXP < 2 || FRAC < 2) $fatal(1, "loom_float_pack: EXP and FRAC must be at least 2");

  logic              top, left, huge, number, up;
  logic [FRAC-1:0]   fraction;
  logic [EXP-1:0]    power;
  logic [EXP+FRAC:0] chain;

  assign top    = word[FRAC+3];
  assign left   = ~top & may;
  assign huge   = special | (verge & top);
  assign number = top | (may & word[FRAC+2]);  // not subnormal, not zero
  assign up     = left ? word[1] & (word[2] | word[0]) : word[2] & (word[3] | word[1] | word[0]);

  // One addition for the exponent and for rounding. What goes in is made of a few bits each, so that
  // it fits in front of the carry chain; a carry ends in the fraction of an infinity or NaN.
  assign fraction = ((left ? word[FRAC+1:2] : word[FRAC+2:3]) & {FRAC{~huge}}) | ({FRAC{nan}} & ~({FRAC{1'b1}} >> 1));
  assign power    = (exponent & {EXP{number}}) | {EXP{huge}};
  assign chain    = {power, fraction, 1'b1} + {EXP'({top & ~huge, ~top & number & ~huge}), {FRAC{1'b0}}, up};
  assign y        = {sign & ~nan, chain[EXP+FRAC:2], chain[1] & ~huge};
  logic unused;
  assign unused = chain[0];
endmodule
