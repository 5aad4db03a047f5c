// loom_op_cmpi: arith.cmpi, compares a and b by a configured predicate.
//
// Function: predicates in MLIR's numbering (loom_pkg::CMP_*); above 9 the result is 0
//   and err is high (code 11, loom_pkg::ERR_CFG_CMPI_PREDICATE).
// Parameters: W bits, at least 1. Timing: combinational.
// Rule: rtl/README.md "Function units"; design page "Error symbols".
module loom_op_cmpi #(
    parameter int W = 32
) (
    input  logic [3:0]   cfg_predicate,
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    output logic         y,
    output logic         err
);
  logic equal, less;

  // Flipping both signs turns signed order into unsigned order: one comparator does.
  logic [W-1:0] flip;
  always_comb begin
    flip      = '0;
    flip[W-1] = cfg_predicate < loom_pkg::CMP_ULT;
  end
  assign equal = a == b;
  assign less  = (a ^ flip) < (b ^ flip);

  always_comb begin
    case (cfg_predicate)
      loom_pkg::CMP_EQ:                     y = equal;
      loom_pkg::CMP_NE:                     y = ~equal;
      loom_pkg::CMP_SLT, loom_pkg::CMP_ULT: y = less;
      loom_pkg::CMP_SLE, loom_pkg::CMP_ULE: y = less | equal;
      loom_pkg::CMP_SGT, loom_pkg::CMP_UGT: y = ~less & ~equal;
      loom_pkg::CMP_SGE, loom_pkg::CMP_UGE: y = ~less;
      default:                              y = 1'b0;
    endcase
  end
  assign err = cfg_predicate > loom_pkg::CMP_UGE;
endmodule
