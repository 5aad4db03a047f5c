// loom_float_minmax: the smaller or the larger of two floating-point numbers.
//
// Function: op[0]: 0 the smaller of a and b, 1 the larger; -0 is below +0. op[1]: 0 a NaN where one
//   operand is NaN (minimumf, maximumf), 1 the number where one is and the other not (minnumf,
//   maxnumf). A NaN that comes out is the canonical one.
// Parameters: EXP exponent bits, FRAC stored fraction bits; LATENCY: 0 without registers, 1 with one at
//   the result.
// Ports: clk; move of the register; op, constant while a word is inside; a, b; y.
// Timing: LATENCY cycles with move.
// Rule: rtl/README.md "Floating point".
module loom_float_minmax #(
    parameter int EXP     = 8,
    parameter int FRAC    = 23,
    parameter int LATENCY = 1
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [1:0]                               op,
    input  logic [EXP+FRAC:0]                        a,
    input  logic [EXP+FRAC:0]                        b,
    output logic [EXP+FRAC:0]                        y
);
  initial if (EXP < 2 || FRAC < 1) $fatal(1, "loom_float_minmax: EXP must be at least 2, FRAC at least 1");
  initial if (LATENCY < 0 || LATENCY > 1) $fatal(1, "loom_float_minmax: LATENCY must be 0 or 1");

  localparam int M = EXP + FRAC;
  localparam logic [M:0] NAN = {1'b0, {(EXP + 1) {1'b1}}, {(FRAC - 1) {1'b0}}};

  logic nan_a, nan_b, nan, less, take_a;
  logic [M:0] chosen;
  assign nan_a  = (&a[M-1:FRAC]) & (|a[FRAC-1:0]);
  assign nan_b  = (&b[M-1:FRAC]) & (|b[FRAC-1:0]);
  assign nan    = op[1] ? nan_a & nan_b : nan_a | nan_b;
  assign less   = (a[M] != b[M]) ? a[M] : (a[M-1:0] < b[M-1:0]) ^ a[M];
  assign take_a = nan_b | (~nan_a & (less ^ op[0]));
  // Three gates, which share what a multiplexer in front of another would make twice.
  assign chosen = (a & {(M + 1) {take_a & ~nan}}) | (b & {(M + 1) {~take_a & ~nan}}) | (NAN & {(M + 1) {nan}});

  loom_cut #(
      .W   (M + 1),
      .HERE((LATENCY > 0) ? 1 : 0)
  ) u_result (
      .clk (clk),
      .move(move[0]),
      .d   (chosen),
      .q   (y)
  );
endmodule
