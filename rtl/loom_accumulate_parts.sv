// loom_accumulate_parts: a sum in as many parts as the pipeline that adds has registers, with an iteration in
// every cycle; or, with the same registers, what loom_accumulate_piped is.
//
// Function: with parts low that of loom_accumulate_piped. With parts high, part k of the sum gets the elements k,
//   k + LATENCY, k + 2 LATENCY, ... of x. The registers of the operation, which stands outside and computes from acc
//   and addend, are a ring that moves with every iteration: the last one holds the part that is next in turn. Part 0
//   begins with the initial value, all others with NEUTRAL. When the condition is false, the same operation combines
//   the parts, as compiler/frontend/reassociate defines it: of a queue with the part next in turn in front, two
//   values leave and what they make comes last, until one is left. The first of a pair waits in held for the second.
// Parameters: W data bits; LATENCY registers of the operation, at least 2; NEUTRAL, which changes no value that
//   it is combined with.
// Ports: parts, the same while there is a value inside; channels d (one bit, the condition), a (initial) and x in;
//   acc and addend, the operands; joining, high while parts are combined; value, what the operation has in its last
//   register; move, which tells its registers when to take what is in front of them; channel n (a token alone: its
//   data is value), with parts of the sum; channel out, without parts; idle (waiting for an initial value).
// Timing: an iteration per cycle. A false condition that is taken in t, with the initial value of a loop without
//   iterations, has n offered from t + J on, however many iterations there were: in each of these cycles the ring
//   moves. What comes next waits until n is taken, and no ready of an input depends on that of n. J is 3, 7, 11, 16,
//   21 for 2 to 6 registers (units.JoinCycles).
// Rule: rtl/README.md "Function units".
module loom_accumulate_parts #(
    parameter int           W       = 32,
    parameter int           LATENCY = 4,
    parameter logic [W-1:0] NEUTRAL = '0
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               parts,
    input  logic               d_valid,
    output logic               d_ready,
    input  logic               d_data,
    input  logic               a_valid,
    output logic               a_ready,
    input  logic [W-1:0]       a_data,
    input  logic               x_valid,
    output logic               x_ready,
    input  logic [W-1:0]       x_data,
    output logic [W-1:0]       acc,
    output logic [W-1:0]       addend,
    output logic               joining,
    input  logic [W-1:0]       n_value,
    output logic [LATENCY-1:0] move,
    output logic               n_valid,
    input  logic               n_ready,
    output logic               out_valid,
    input  logic               out_ready,
    output logic [W-1:0]       out_data,
    output logic               idle
);
  initial if (LATENCY < 2) $fatal(1, "loom_accumulate_parts: LATENCY must be at least 2");

  logic [LATENCY-1:0] at;     // registers with a value: a part without an element is NEUTRAL and in none
  logic [LATENCY-1:0] turns;  // parts that have had their turn to be combined, in unary
  logic [W-1:0]       held;
  logic               started;  // an iteration has taken the initial value
  logic               pair;     // held is the first of a pair
  logic               offer;    // n has not taken the value in the last register, which it is to take
  logic               present, here, last, ready, fire, finish, turn, moving, out, leave;

  assign present = at[LATENCY-1];
  assign joining = turns[0];
  assign acc     = ~(started | joining) ? a_data : present ? n_value : NEUTRAL;
  assign addend  = joining ? held : x_data;

  assign ready  = d_valid & (started | a_valid) & ~joining;
  assign fire   = ready & d_data & x_valid & (parts | ~started | (present & (~offer | n_ready)));
  assign finish = ready & ~d_data & parts;
  assign turn   = finish | (joining & ~offer);
  // All parts have their turn, what was made of them where it is.
  assign here = present | ~turns[LATENCY-1];
  // One value is left, on the way to the last register. Of an accumulator there is never more.
  assign last = (at == LATENCY'(1) << (LATENCY - 2)) & (~parts | (turns[LATENCY-1] & ~pair));
  // The value of an accumulator goes to the last register and stays there.
  assign moving = fire | turn | (started & ~parts & ~present);
  assign move   = {LATENCY{moving}};

  assign n_valid   = offer;
  assign out_valid = ready & ~d_data & ~parts & (~started | (present & ~offer));
  assign out_data  = acc;
  assign out       = out_valid & out_ready;
  assign leave     = out | (joining & offer & n_ready);
  assign d_ready   = fire | finish | out;
  assign a_ready   = ~started & (fire | finish | out);
  assign x_ready   = fire;
  assign idle      = ~(started | joining);

  always_ff @(posedge clk) begin
    if (rst) begin
      started <= 1'b0;
      offer   <= 1'b0;
      pair    <= 1'b0;
      turns   <= '0;
      at      <= '0;
    end else begin
      started <= (started | fire) & ~leave;
      offer   <= (last & moving) | (offer & ~n_ready);
      if (turn) pair <= pair ^ here;
      // Cleared as data, as in loom_offer.
      turns   <= (turn ? {turns[LATENCY-2:0], 1'b1} : turns) & ~{LATENCY{leave}};
      at      <= (moving ? {at[LATENCY-2:0], fire | (pair & here)} : at) & ~{LATENCY{leave}};
    end
    if (turn & ~pair) held <= acc;
  end

`ifdef LOOM_FORMAL
`include "loom_accumulate_parts.svh"
`endif
endmodule
