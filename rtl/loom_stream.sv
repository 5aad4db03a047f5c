// loom_stream: index stream of a loop.
//
// Function: dataflow.stream. Takes start, step and bound together, then emits pairs
//   (idx, cont) with cont = idx cond bound (signed); while cont is true the next index
//   is idx op step; after a false cont the next three operands are due.
//   A step that cannot progress (0; for *= and /= also 1) raises code 259 when it is
//   accepted and makes the first cont false. cfg_cont_cond names the conditions
//   <, <=, >, >=, != from bit 0; unless exactly one bit is set code 10 is up (cont is
//   then the or of the named conditions).
// Parameters: W bits of the index; STEP_OP: 0 +=, 1 -=, 2 *=, 3 /= (signed, toward
//   zero), 4 <<=, 5 >>= (arithmetic); LOOKAHEAD 1 and 2 (for += and -=): cont comes from a
//   register, as the comparison is made a cycle before. The same in every cycle. With 1
//   the index after the present one is kept, too, for W registers, a comparison and, where
//   start or step is no constant, an adder more. With 2 an index is compared as it is
//   computed, for a multiplexer of bounds more; COUNTER 1: idx is offered with a true cont
//   only, as by a handshake.cond_br behind it.
// Ports: cfg_cont_cond (constant while running); channels start, step, bound in;
//   channels idx and cont (one bit) out, offered independently; error; idle (no
//   activation running).
// Timing: the first pair is offered in the cycle after acceptance, then one pair per
//   cycle; the next three operands are accepted in the cycle in which the last pair
//   completes, so activations follow each other without a bubble. The /= variant is a
//   combinational array of W subtractors: large and slow, for completeness.
// Rule: spec-dataflow "dataflow.stream"; rtl/README.md "Function units".
module loom_stream #(
    parameter int W         = 32,
    parameter int STEP_OP   = 0,
    parameter int LOOKAHEAD = 0,
    parameter int COUNTER   = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic [4:0]   cfg_cont_cond,
    input  logic         start_valid,
    output logic         start_ready,
    input  logic [W-1:0] start_data,
    input  logic         step_valid,
    output logic         step_ready,
    input  logic [W-1:0] step_data,
    input  logic         bound_valid,
    output logic         bound_ready,
    input  logic [W-1:0] bound_data,
    output logic         idx_valid,
    input  logic         idx_ready,
    output logic [W-1:0] idx_data,
    output logic         cont_valid,
    input  logic         cont_ready,
    output logic         cont_data,
    output logic         err_valid,
    output logic [15:0]  err_code,
    output logic         idle
);
  initial if (W < 1) $fatal(1, "loom_stream: W must be at least 1");
  initial if (STEP_OP < 0 || STEP_OP > 5) $fatal(1, "loom_stream: STEP_OP must be 0 to 5");
  initial if (LOOKAHEAD != 0 && STEP_OP > 1) $fatal(1, "loom_stream: LOOKAHEAD is for += and -=");
  initial if (LOOKAHEAD < 0 || LOOKAHEAD > 2) $fatal(1, "loom_stream: LOOKAHEAD must be 0 to 2");

  localparam bit ONE_STUCK = STEP_OP == loom_pkg::STEP_MUL || STEP_OP == loom_pkg::STEP_DIV;

  logic         active, stuck;  // stuck: the step cannot progress
  logic [W-1:0] idx, step, bound, idx_next;
  logic [W-1:0] from, stepped;  // stepped: from op step
  logic         all_valid, accept, done, complete, cont;
  logic         load;  // of the index
  logic         bad_step, bad_cond, untaken;
  logic         unused_stuck;  // with LOOKAHEAD 2 the first comparison has it

  // The condition holds. The second one is larger and faster: signed by a carry out, as with the
  // signs inverted the order is that of unsigned numbers; what the conditions say of each order is
  // known before it, and one function is behind the carry.
  function automatic logic holds(input logic [4:0] conditions, input logic [W-1:0] index, input logic [W-1:0] limit);
    logic less, equal;
    less  = $signed(index) < $signed(limit);
    equal = index == limit;
    holds = |(conditions & {~equal, ~less, ~less & ~equal, less | equal, less});
  endfunction
  function automatic logic holds_early(input logic [4:0] conditions, input logic [W-1:0] index, input logic [W-1:0] limit);
    logic [W:0] difference;
    logic       lower, equal, if_lower, if_equal, if_higher;
    difference = {1'b0, index ^ (W'(1) << (W - 1))} - {1'b0, limit ^ (W'(1) << (W - 1))};
    lower     = difference[W];
    equal     = index == limit;
    if_lower  = conditions[0] | conditions[1] | conditions[4];
    if_equal  = conditions[1] | conditions[3];
    if_higher = conditions[2] | conditions[3] | conditions[4];
    holds_early = lower ? if_lower : equal ? if_equal : if_higher;
  endfunction

  generate
    if (LOOKAHEAD == 2) begin : g_next
      // While an activation goes on no other one is accepted: what is compared is known from
      // state alone, however late accept is.
      logic going, more;
      assign more = active & going;
      always_ff @(posedge clk) begin
        if (load) going <= holds_early(cfg_cont_cond & {5{more | ~bad_step}}, idx_next, more ? bound : bound_data);
      end
      assign load     = more ? complete : accept;
      assign from     = idx;
      assign idx_next = more ? stepped : start_data;
      assign cont     = going;
    end else if (LOOKAHEAD == 1) begin : g_ahead
      logic [W-1:0] ahead;  // the next index
      logic         going;  // the condition holds for the present one
      always_ff @(posedge clk) begin
        if (accept) begin
          ahead <= (STEP_OP == loom_pkg::STEP_SUB) ? start_data - step_data : start_data + step_data;
          going <= ~bad_step & holds(cfg_cont_cond, start_data, bound_data);
        end else if (complete) begin
          ahead <= stepped;
          going <= ~stuck & holds(cfg_cont_cond, ahead, bound);
        end
      end
      assign load     = accept | complete;
      assign from     = ahead;
      assign idx_next = accept ? start_data : ahead;
      assign cont     = going;
    end else begin : g_now
      assign load     = accept | complete;
      assign from     = idx;
      assign idx_next = accept ? start_data : stepped;
      assign cont     = ~stuck & holds(cfg_cont_cond, idx, bound);
    end
  endgenerate

  // Both results of a pair are offered independently.
  loom_offer #(
      .N(2)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (active),
      .need     ({1'b1, (COUNTER == 0) | cont}),
      .done     (done),
      .out_valid({cont_valid, idx_valid}),
      .out_ready({cont_ready, idx_ready}),
      .idle     (untaken)
  );
  assign idx_data  = idx;
  assign cont_data = cont;
  assign complete  = active & done;
  assign idle      = ~active & untaken;

  // Operands are taken together, by an idle generator or as the last pair completes.
  assign all_valid   = start_valid & step_valid & bound_valid;
  assign accept      = all_valid & (~active | (done & ~cont));
  assign start_ready = accept;
  assign step_ready  = accept;
  assign bound_ready = accept;

  generate
    if (STEP_OP == loom_pkg::STEP_ADD) begin : g_add
      assign stepped = from + step;
    end else if (STEP_OP == loom_pkg::STEP_SUB) begin : g_sub
      assign stepped = from - step;
    end else if (STEP_OP == loom_pkg::STEP_MUL) begin : g_mul
      assign stepped = from * step;
    end else if (STEP_OP == loom_pkg::STEP_DIV) begin : g_div
      // Restoring division of the magnitudes; a step of 0 never gets here (stuck).
      logic [W-1:0] num, den, rem, quo;
      assign num = from[W-1] ? -from : from;
      assign den = step[W-1] ? -step : step;
      always_comb begin
        rem = '0;
        quo = '0;
        for (int k = W - 1; k >= 0; k--) begin
          rem = (rem << 1) | W'(num[k]);
          quo = quo << 1;
          if (rem >= den) begin
            rem = rem - den;
            quo = quo | W'(1);
          end
        end
      end
      assign stepped = (from[W-1] ^ step[W-1]) ? -quo : quo;
    end else if (STEP_OP == loom_pkg::STEP_SHL) begin : g_shl
      assign stepped = from << step;
    end else begin : g_shr
      assign stepped = W'($signed(from) >>> step);
    end
  endgenerate

  assign unused_stuck = stuck;
  assign bad_step = ~|step_data | (ONE_STUCK & (step_data == W'(1)));

  always_ff @(posedge clk) begin
    if (rst) active <= 1'b0;
    else if (accept) active <= 1'b1;
    else if (done & ~cont) active <= 1'b0;

    if (load) idx <= idx_next;
    if (accept) begin
      step  <= step_data;
      bound <= bound_data;
      stuck <= bad_step;
    end
  end

  assign bad_cond  = ~((|cfg_cont_cond) & $onehot0(cfg_cont_cond));
  assign err_valid = ~rst & (bad_cond | (accept & bad_step));
  assign err_code  = bad_cond ? loom_pkg::ERR_CFG_STREAM_CONT_COND : loom_pkg::ERR_STREAM_ZERO_STEP;

`ifdef LOOM_FORMAL
`include "loom_stream.svh"
`endif
endmodule
