// loom_accumulate_parts: a sum in as many parts as the pipeline that adds has registers, with an iteration in
// every cycle.
//
// Function: part k of the sum gets the elements k, k + LATENCY, k + 2 LATENCY, ... of x. The registers of the
//   operation, which stands outside and computes from acc and addend, are a ring that moves with every
//   iteration: the last one holds the part that is next in turn. Part 0 begins with the initial value, all
//   others with NEUTRAL. When the condition is false, the same operation combines the parts, as
//   compiler/frontend/reassociate defines it: of a queue with the part next in turn in front, two values leave
//   and what they make comes last, until one is left. The first of a pair waits in held for the second.
// Parameters: W data bits; LATENCY registers of the operation, at least 2; NEUTRAL, which changes no value that
//   it is combined with.
// Ports: channels d (one bit, the condition), a (initial) and x in; acc and addend, the operands; joining, high
//   while parts are combined; value, what the operation has in its last register; move, which tells its
//   registers when to take what is in front of them; channel out; idle (waiting for an initial value).
// Timing: an iteration per cycle. A false condition that is there in t has its out offered from t + JOIN on,
//   however many iterations there were: in each of these cycles the ring moves.
// Rule: rtl/README.md "Function units".
module loom_accumulate_parts #(
    parameter int           W       = 32,
    parameter int           LATENCY = 4,
    parameter logic [W-1:0] NEUTRAL = '0
) (
    input  logic               clk,
    input  logic               rst,
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
    output logic               out_valid,
    input  logic               out_ready,
    output logic [W-1:0]       out_data,
    output logic               idle
);
  initial if (LATENCY < 2) $fatal(1, "loom_accumulate_parts: LATENCY must be at least 2");

  // Value i of the queue is in the last register in cycle i if it is a part, and LATENCY cycles behind its
  // second operand if not: the last one, number 2 LATENCY - 2, is the result.
  function automatic int arrival(input int i);
    int k, cycles;
    k = i;
    cycles = 0;
    while (k >= LATENCY) begin
      k = 2 * (k - LATENCY) + 1;
      cycles = cycles + LATENCY;
    end
    arrival = cycles + k;
  endfunction
  localparam int JOIN = arrival(2 * LATENCY - 2);
  localparam int STEP_W = $clog2(JOIN + 1);

  logic [LATENCY-1:0] at;  // registers with a value: a part without an element is NEUTRAL and in none
  logic               started, pair;
  logic [STEP_W-1:0]  step;
  logic [W-1:0]       held;
  logic               done, fire, first, advance, leave, here;

  assign acc    = ~started ? a_data : at[LATENCY-1] ? n_value : NEUTRAL;
  assign addend = joining ? held : x_data;

  assign fire    = d_valid & d_data & x_valid & (started | a_valid);
  assign first   = d_valid & ~d_data & (started | a_valid) & ~joining;
  assign done    = step == STEP_W'(JOIN);
  assign advance = first | (joining & ~done);
  // All parts have their turn, what was made of them where it is.
  assign here = at[LATENCY-1] | (step < STEP_W'(LATENCY));
  assign move = {LATENCY{fire | advance}};

  assign out_valid = done;
  assign out_data  = n_value;
  assign leave     = done & out_ready;
  assign d_ready   = fire | leave;
  assign a_ready   = ~started & (fire | first);
  assign x_ready   = fire;
  assign idle      = ~started;

  always_ff @(posedge clk) begin
    if (rst) begin
      started <= 1'b0;
      joining <= 1'b0;
      pair    <= 1'b0;
      step    <= '0;
      at      <= '0;
    end else begin
      started <= (started | fire | first) & ~leave;
      joining <= (joining | first) & ~leave;
      if (advance) begin
        step <= step + STEP_W'(1);
        pair <= pair ^ here;
      end
      if (fire | advance) at <= {at[LATENCY-2:0], fire | (pair & here)};
      if (leave) begin
        step <= '0;
        at   <= '0;
      end
    end
    if (advance & here & ~pair) held <= acc;
  end

`ifdef LOOM_FORMAL
`include "loom_accumulate_parts.svh"
`endif
endmodule
