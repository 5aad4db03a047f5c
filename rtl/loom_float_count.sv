// loom_float_count: the number of leading zeros.
//
// Function: inverse has the inverted bits of the number of zeros above the highest one of a. With no
//   one in a it may be anything.
// Parameters: W bits, at least 2; COUNT bits of the number, enough for W - 1, at least 2; CUT: 1 with
//   a register behind groups of four bits.
// Ports: clk; move, of the register; a and inverse.
// Timing: CUT cycles with move.
// Rule: rtl/README.md "Floating point".
module loom_float_count #(
    parameter int W     = 24,
    parameter int COUNT = 5,
    parameter int CUT   = 0
) (
    input  logic             clk,
    input  logic             move,
    input  logic [W-1:0]     a,
    output logic [COUNT-1:0] inverse
);
  initial if (W < 2 || COUNT < 2 || (1 << COUNT) < W) $fatal(1, "loom_float_count: W must be at least 2 and fit in COUNT bits");

  localparam int GROUPS = 1 << (COUNT - 2);
  logic [4*GROUPS-1:0] bits;
  assign bits = {a, {(4 * GROUPS - W) {1'b0}}};

  // A tree: of each part whether it has a one, and the number of bits below its highest one.
  generate
    for (genvar k = 0; k <= COUNT - 2; k++) begin : g_level
      localparam int PARTS = GROUPS >> k;
      logic [PARTS-1:0]       some;
      logic [PARTS*(k+2)-1:0] place;
      if (k == 0) begin : g_groups
        logic [GROUPS-1:0]   any;
        logic [2*GROUPS-1:0] code;
        for (genvar p = 0; p < GROUPS; p++) begin : g_group
          assign any[p]         = |bits[4*p +: 4];
          assign code[2*p +: 2] = {|bits[4*p+2 +: 2], bits[4*p+3] | (~bits[4*p+2] & bits[4*p+1])};
        end
        loom_cut #(
            .W   (3 * GROUPS),
            .HERE(CUT)
        ) u_cut (
            .clk (clk),
            .move(move),
            .d   ({any, code}),
            .q   ({some, place})
        );
      end else begin : g_pairs
        for (genvar p = 0; p < PARTS; p++) begin : g_pair
          logic [k:0] high, low;
          assign high = g_level[k-1].place[(2*p+1)*(k+1) +: k+1];
          assign low  = g_level[k-1].place[2*p*(k+1) +: k+1];
          assign some[p]                = |g_level[k-1].some[2*p +: 2];
          assign place[p*(k+2) +: k+2]  = g_level[k-1].some[2*p+1] ? {1'b1, high} : {1'b0, low};
        end
      end
    end
  endgenerate

  assign inverse = g_level[COUNT-2].place;
  logic unused;
  assign unused = g_level[COUNT-2].some;
endmodule
