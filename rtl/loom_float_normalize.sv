// loom_float_normalize: shifts a word to the left until its highest bit is set.
//
// Function: y is a shifted to the left by shift, the number of zeros above its highest one, with fill
//   coming in from below. What comes in may become that highest one: with fill 1 and nothing else set
//   shift is W where it can be. With nothing set at all shift is all ones. side goes along.
// Parameters: W bits, at least 1; SIDE bits that go along, at least 1; LATENCY, 0 to 2: a single
//   register stands in front of the last step of the shift; of two the other one stands behind the
//   first step, or further in front where there are few.
// Ports: clk; move per register; a, fill and side in; y, shift, and out with what went along.
// Timing: LATENCY cycles with move. Each step looks for zeros in the word that the step before made.
// Rule: rtl/README.md "Floating point".
module loom_float_normalize #(
    parameter int W       = 24,
    parameter int SIDE    = 1,
    parameter int LATENCY = 0
) (
    input  logic                                     clk,
    input  logic [((LATENCY < 1) ? 1 : LATENCY)-1:0] move,
    input  logic [W-1:0]                             a,
    input  logic                                     fill,
    input  logic [SIDE-1:0]                          side,
    output logic [W-1:0]                             y,
    output logic [((W > 2) ? $clog2(W) : 1)-1:0]     shift,
    output logic [SIDE-1:0]                          out
);
  initial if (W < 1 || SIDE < 1) $fatal(1, "loom_float_normalize: W and SIDE must be at least 1");
  initial if (LATENCY < 0 || LATENCY > 2) $fatal(1, "loom_float_normalize: LATENCY must be 0 to 2");

  // The first step shifts by one amount or not at all, so that a multiplexer of it has room for what
  // turns the bits of a in front of it; a later one chooses among four amounts.
  localparam int SB = (W > 2) ? $clog2(W) : 1;
  localparam int STEPS = 1 + SB / 2;
  // The step that a register stands behind; -1 is the input.
  localparam int EARLY = (LATENCY == 1) ? STEPS - 2 : (STEPS > 2) ? 0 : -1;
  localparam int LATE = (STEPS > 1) ? STEPS - 2 : 0;

  logic [W-1:0]    first;
  logic            first_fill;
  logic [SIDE-1:0] first_side;
  loom_cut #(
      .W   (W + 1 + SIDE),
      .HERE(((LATENCY > 0) && (EARLY < 0)) ? 1 : 0)
  ) u_input (
      .clk (clk),
      .move(move[0]),
      .d   ({a, fill, side}),
      .q   ({first, first_fill, first_side})
  );

  generate
    for (genvar k = 0; k < STEPS; k++) begin : g_step
      // Bits of shift that this step decides, from LOW up.
      localparam int LOW = (k == 0) ? SB - 1 : (SB > 2 * k) ? SB - 2 * k - 1 : 0;
      localparam int FOUR = ((k > 0) && (SB > 2 * k)) ? 1 : 0;
      localparam int D = 1 << LOW;
      localparam int HERE = ((LATENCY > 0) && (EARLY == k)) || ((LATENCY > 1) && (LATE == k)) ? 1 : 0;
      localparam int REGISTER = (EARLY == k) ? 0 : ((LATENCY > 1) ? 1 : 0);
      logic [W-1:0]    from, moved, word;
      logic [SB-1:0]   done, sum, total;  // of the shift
      logic            below, filling;
      logic [SIDE-1:0] beside, along;
      if (k == 0) begin : g_first
        assign from   = first;
        assign done   = '0;
        assign below  = first_fill;
        assign beside = first_side;
      end else begin : g_next
        assign from   = g_step[k-1].word;
        assign done   = g_step[k-1].total;
        assign below  = g_step[k-1].filling;
        assign beside = g_step[k-1].along;
      end
      logic none;  // nothing set in the highest D bits
      assign none = ~|from[W-1 -: D];
      if (FOUR == 0) begin : g_two
        assign moved = none ? W'({from, {D{below}}}) : from;
        assign sum   = done | (SB'(none) << LOW);
      end else begin : g_four
        logic high, low;
        assign high  = none & ~|from[W-1-D -: D];
        assign low   = high ? ~|from[W-1-2*D -: D] : none;
        assign moved = high ? (low ? W'({from, {(3 * D) {below}}}) : W'({from, {(2 * D) {below}}}))
                            : (low ? W'({from, {D{below}}}) : from);
        assign sum   = done | (SB'({high, low}) << LOW);
      end
      loom_cut #(
          .W   (W + SB + 1 + SIDE),
          .HERE(HERE)
      ) u_step (
          .clk (clk),
          .move(move[REGISTER]),
          .d   ({moved, sum, below, beside}),
          .q   ({word, total, filling, along})
      );
    end
  endgenerate

  assign y     = g_step[STEPS-1].word;
  assign shift = g_step[STEPS-1].total;
  assign out   = g_step[STEPS-1].along;
  logic unused;
  assign unused = g_step[STEPS-1].filling;
endmodule
