// loom_float_align: moves a significand to the right and remembers whether a one was lost.
//
// Function: y is the lower OUT bits of word moved to the right by amount, inverted with invert; sticky
//   says that a one was moved out. Amounts of W and more move everything out.
// Parameters: W bits of word, at least 3; OUT bits of y, 1 to W: what is above them must be 0; CUTS:
//   bit k is 1 where a register stands behind step k of the shift.
// Ports: clk; move per step, of the register behind it; word and amount; invert, with the last step;
//   y and sticky.
// Timing: a cycle with move per register. A step shifts by one of four amounts, the largest amounts
//   first; the first one by one of two where the bits of the amount ask for it. Behind the steps
//   stands a shift by one bit, without a register.
// Rule: rtl/README.md "Floating point".
module loom_float_align #(
    parameter int W    = 26,
    parameter int OUT  = 26,
    parameter int CUTS = 0
) (
    input  logic                     clk,
    input  logic [$clog2(W+1)/2-1:0] move,
    input  logic [W-1:0]             word,
    input  logic [$clog2(W+1)-1:0]   amount,
    input  logic                     invert,
    output logic [OUT-1:0]           y,
    output logic                     sticky
);
  initial if (W < 3 || OUT < 1 || OUT > W) $fatal(1, "loom_float_align: W must be at least 3, OUT 1 to W");

  localparam int BITS = $clog2(W + 1);
  localparam int STEPS = BITS / 2;

  generate
    for (genvar k = 0; k < STEPS; k++) begin : g_step
      localparam int REST = 2 * (STEPS - 1 - k) + 1;  // bits of the amount behind this step
      localparam int FOUR = ((k > 0) || (BITS % 2 == 1)) ? 1 : 0;
      localparam int UNIT = 1 << REST;
      // Bits in front of the step and behind it, no more than later steps can move into y.
      localparam int FROM = ((k == 0) || (OUT - 1 + 4 * UNIT > W)) ? W : OUT - 1 + 4 * UNIT;
      localparam int TO = (OUT - 1 + UNIT > W) ? W : OUT - 1 + UNIT;
      localparam int D1 = (UNIT < FROM) ? UNIT : FROM;  // bits that are moved out
      localparam int D2 = (2 * UNIT < FROM) ? 2 * UNIT : FROM;
      localparam int D3 = (3 * UNIT < FROM) ? 3 * UNIT : FROM;
      logic [FROM-1:0]     from;
      logic [TO-1:0]       moved, word_out;
      logic [REST+FOUR:0]  shift;
      logic [REST-1:0]     rest;
      logic                earlier, lost, lost_out;
      if (k == 0) begin : g_first
        assign from    = word;
        assign shift   = amount;
        assign earlier = 1'b0;
      end else begin : g_next
        assign from    = g_step[k-1].word_out;
        assign shift   = g_step[k-1].rest;
        assign earlier = g_step[k-1].lost_out;
      end
      if (FOUR != 0) begin : g_four
        logic lost1, lost2, lost3;
        assign lost1 = |from[D1-1:0];
        if (D2 > D1) assign lost2 = lost1 | (|from[D2-1:D1]);
        else assign lost2 = lost1;
        if (D3 > D2) assign lost3 = lost2 | (|from[D3-1:D2]);
        else assign lost3 = lost2;
        assign moved = shift[REST+1] ? (shift[REST] ? TO'(from >> (3 * UNIT)) : TO'(from >> (2 * UNIT)))
                                     : (shift[REST] ? TO'(from >> UNIT) : TO'(from));
        assign lost  = earlier | (shift[REST+1] ? (shift[REST] ? lost3 : lost2) : (shift[REST] & lost1));
      end else begin : g_two
        assign moved = shift[REST] ? TO'(from >> UNIT) : TO'(from);
        assign lost  = earlier | (shift[REST] & (|from[D1-1:0]));
      end
      loom_cut #(
          .W   (TO + REST + 1),
          .HERE((CUTS >> k) & 1)
      ) u_cut (
          .clk (clk),
          .move(move[k]),
          .d   ({moved, shift[REST-1:0], lost}),
          .q   ({word_out, rest, lost_out})
      );
    end
  endgenerate

  localparam int LAST = (OUT + 1 > W) ? W : OUT + 1;
  logic [LAST-1:0] last;
  logic            one;
  assign last   = g_step[STEPS-1].word_out;
  assign one    = g_step[STEPS-1].rest[0];
  assign y      = (one ? OUT'(last >> 1) : OUT'(last)) ^ {OUT{invert}};
  assign sticky = g_step[STEPS-1].lost_out | (one & last[0]);
endmodule
