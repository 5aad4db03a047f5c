// loom_alu: the arithmetic and logic of a PE, shared by its function units.
//
// Function: from the operands a and b, at the same time, and c, which is a where no unit of the PE
//   accumulates: shifts and casts do not, and are long enough without the choice in front of a,
//   sum     a + b, with subtract a - b (modulo 2^W);
//   extreme the smaller of a and b, with greater the larger one, signed if is_signed (with
//           subtract); second is high where it is b;
//   holds   what a predicate (loom_pkg::CMP_*) says of a and b, given as its loom_pkg::comparison (with
//           subtract and compare, and without is_signed); codes above CMP_UGE never hold;
//   bitwise 0 where logic_op is 00, a & b for 01, a | b for 10, a ^ b for 11;
//   shifted c << b with left, else c >> b; with is_signed the sign comes in from above. Amounts of
//           W and more shift everything out;
//   cast    the bits of c in keep, and fill in all others;
//   late    what the operands of the last cycle with advance make with late_shift of shifted, else of
//           extreme: a register within the shifter, or behind the choice.
//   A part that no unit needs is left out: its outputs are 0.
// Parameters: W bits, at least 2; ADD, LOGIC, SHIFT, CAST: 1 for the parts that there are; sum,
//   extreme, second and holds are one. LATE 1: late gives extremes, and with LATE_SHIFT 1 it gives shifts.
// Ports: as above; advance: the register takes the operands. Controls are the same while a word is in
//   the register.
// Timing: combinational but for late.
// Rule: rtl/README.md "Function units": what a PE computes is that of loom_op_*, one module per
//   operation, with one adder and one shifter for all of them.
module loom_alu #(
    parameter int W          = 32,
    parameter int ADD        = 1,
    parameter int LOGIC      = 1,
    parameter int SHIFT      = 1,
    parameter int CAST       = 1,
    parameter int LATE       = 1,
    parameter int LATE_SHIFT = 1
) (
    input  logic         clk,
    input  logic [W-1:0] a,
    input  logic [W-1:0] b,
    input  logic [W-1:0] c,
    input  logic         subtract,
    input  logic         is_signed,
    input  logic         greater,
    input  logic         compare,
    input  logic [4:0]   comparison,
    input  logic [1:0]   logic_op,
    input  logic         left,
    input  logic [W-1:0] keep,
    input  logic         fill,
    input  logic         late_shift,
    input  logic         advance,
    output logic [W-1:0] sum,
    output logic [W-1:0] extreme,
    output logic         second,
    output logic         holds,
    output logic [W-1:0] bitwise,
    output logic [W-1:0] shifted,
    output logic [W-1:0] cast,
    output logic [W-1:0] late
);
  initial if (W < 2) $fatal(1, "loom_alu: W must be at least 2");

  // The steps of a shift on both sides of the register: by multiples of four, and by the rest.
  localparam int AW = $clog2(W);
  localparam logic [AW-1:0] FINE = AW'(3);
  logic [W-1:0] coarse;
  logic         sign, beyond;

  generate
    if (ADD != 0) begin : g_add
      // One carry chain: its lowest bit makes the carry in, its highest is the carry out.
      logic [W+1:0] chain;
      logic below, equal, flip, ordered, equality, denies, reaches, signs;
      assign {ordered, equality, denies, reaches, signs} = comparison;
      // With the signs inverted the order is that of unsigned numbers, and the sum the same. With
      // no carry in, equal numbers are below each other: an order needs no test for equality.
      assign flip  = is_signed | (compare & signs);
      assign chain = {1'b0, a ^ (W'(flip) << (W - 1)), 1'b1} + {1'b0, b ^ {W{subtract}} ^ (W'(flip) << (W - 1)), subtract & ~(compare & reaches)};
      assign sum   = chain[W:1];
      assign below = ~chain[W+1];
      assign equal = a == b;
      assign second  = ~(below ^ greater);
      assign extreme = second ? b : a;
      assign holds   = (ordered & (below ^ denies)) | (equality & (equal ^ denies));
      logic unused_low;
      assign unused_low = chain[0];
    end else begin : g_no_add
      logic unused_add;
      assign unused_add = subtract ^ compare ^ greater ^ (^comparison);
      assign sum     = '0;
      assign extreme = '0;
      assign second  = 1'b0;
      assign holds   = 1'b0;
    end

    if (LOGIC != 0) begin : g_logic
      assign bitwise = ({W{logic_op[0]}} & (a & b)) ^ ({W{logic_op[1]}} & (a | b));
    end else begin : g_no_logic
      logic unused_logic;
      assign unused_logic = ^logic_op;
      assign bitwise = '0;
    end

    if ((SHIFT != 0) || (LATE_SHIFT != 0)) begin : g_shift
      // A shift to the left is one to the right of the bits in reverse.
      logic [W-1:0] turned, result;
      for (genvar i = 0; i < W; i++) begin : g_turn
        assign turned[i]  = left ? c[W-1-i] : c[i];
        assign shifted[i] = (SHIFT != 0) & (left ? result[W-1-i] : result[i]);
      end
      assign sign   = is_signed & ~left & c[W-1];
      assign beyond = b >= W'(W);
      assign coarse = W'($signed({sign, turned}) >>> (b[AW-1:0] & ~FINE));
      assign result = beyond ? {W{sign}} : W'($signed({sign, coarse}) >>> (b[AW-1:0] & FINE));
    end else begin : g_no_shift
      logic unused_left;
      assign unused_left = left;
      assign {sign, beyond} = 2'b00;
      assign coarse  = '0;
      assign shifted = '0;
    end

    if ((LATE != 0) || (LATE_SHIFT != 0)) begin : g_late
      logic [W-1:0]  word, moved;
      logic [AW-1:0] rest;  // of the amount
      logic          above, none;
      always_ff @(posedge clk) begin
        if (advance) begin
          word  <= ((LATE_SHIFT != 0) & (late_shift | (LATE == 0))) ? coarse : extreme;
          rest  <= b[AW-1:0] & FINE & {AW{late_shift}};
          above <= sign & late_shift;
          none  <= beyond & late_shift;
        end
      end
      assign moved = W'($signed({above, word}) >>> rest);
      for (genvar i = 0; i < W; i++) begin : g_turn
        assign late[i] = none ? above : (left & late_shift) ? moved[W-1-i] : moved[i];
      end
    end else begin : g_no_late
      logic unused_late;
      assign unused_late = clk ^ advance ^ late_shift ^ sign ^ beyond ^ (^coarse);
      assign late = '0;
    end

    if (CAST != 0) begin : g_cast
      assign cast = (c & keep) | ({W{fill}} & ~keep);
    end else begin : g_no_cast
      logic unused_cast;
      assign unused_cast = fill ^ (^keep);
      assign cast = '0;
    end
  endgenerate
  logic unused;  // where a part is left out
  assign unused = (^a) ^ (^b) ^ (^c) ^ is_signed;
endmodule
