// loom_op_cmpf: arith.cmpf, compares a and b by a configured predicate.
//
// Function: predicates in MLIR's numbering: false, oeq, ogt, oge, olt, ole, one, ord, ueq, ugt, uge,
//   ult, ule, une, uno, true. With a NaN the ordered ones are false and the others true; -0 equals +0.
// Parameters: EXP exponent bits, FRAC stored fraction bits. Timing: combinational.
// Rule: rtl/README.md "Floating point"; the values are those of compiler/num.
module loom_op_cmpf #(
    parameter int EXP  = 8,
    parameter int FRAC = 23
) (
    input  logic [3:0]        cfg_predicate,
    input  logic [EXP+FRAC:0] a,
    input  logic [EXP+FRAC:0] b,
    output logic              y
);
  initial if (EXP < 2 || FRAC < 1) $fatal(1, "loom_op_cmpf: EXP must be at least 2, FRAC at least 1");

  localparam int M = EXP + FRAC;
  localparam int ORD = 7;
  localparam int UNO = 14;

  // What the predicate says of two numbers; of a NaN its highest bit says it.
  logic on_equal, on_greater, on_less;
  assign {on_less, on_greater, on_equal} =
      (cfg_predicate == UNO[3:0]) ? 3'b000 :
      (cfg_predicate == '1)       ? 3'b111 :
      cfg_predicate[3]            ? 3'(cfg_predicate - ORD[3:0]) : cfg_predicate[2:0];

  logic [M-1:0] apart;  // of the magnitudes
  logic smaller, same, nan, equal, less;
  assign apart   = a[M-1:0] ^ b[M-1:0];
  assign same    = ~|apart;
  assign smaller = a[M-1:0] < b[M-1:0];
  assign nan     = ((&a[M-1:FRAC]) & (|a[FRAC-1:0])) | ((&b[M-1:FRAC]) & (|b[FRAC-1:0]));
  assign equal   = same & ((a[M] == b[M]) | ~|a[M-1:0]);
  assign less    = (a[M] != b[M]) ? a[M] : smaller ^ a[M];
  assign y       = nan ? cfg_predicate[3] : equal ? on_equal : less ? on_less : on_greater;
endmodule
