// loom_carry: a loop-carried value.
//
// Function: dataflow.carry. One initial value from a, then one value from b for each
//   true condition; a false condition ends the loop and the next initial value is due.
// Parameters: W data bits; OVERLAP 1: the next initial value may pass in the cycle in
//   which a false condition ends the loop, so that loops follow each other without a gap.
// Ports: channels d (one bit, the condition), a (initial) and b (loop) in; channel o
//   out; idle (waiting for an initial value).
// Timing: combinational from inputs to o, no added latency. The condition is taken as
//   soon as it arrives, never later than b, so that its producer need not wait for the
//   loop body. When condition and loop value are both present b is offered in that
//   cycle: a one-register loop runs at one token per cycle.
// Rule: spec-dataflow "dataflow.carry"; rtl/README.md "Function units".
module loom_carry #(
    parameter int W       = 32,
    parameter int OVERLAP = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         d_valid,
    output logic         d_ready,
    input  logic         d_data,
    input  logic         a_valid,
    output logic         a_ready,
    input  logic [W-1:0] a_data,
    input  logic         b_valid,
    output logic         b_ready,
    input  logic [W-1:0] b_data,
    output logic         o_valid,
    input  logic         o_ready,
    output logic [W-1:0] o_data,
    output logic         idle
);
  // One bit per phase would do as well; two bits encode INIT 00, COND 10, LOOP 11.
  logic started;  // the initial value has been passed on
  logic owed;     // a true condition was taken, its loop value is still due
  logic pass_a, pass_b, ends;

  assign ends    = started & ~owed & d_valid & ~d_data;
  assign pass_a  = ~started | ((OVERLAP != 0) & ends);
  assign pass_b  = started & (owed | (d_valid & d_data));
  assign o_valid = pass_a ? a_valid : pass_b & b_valid;
  assign o_data  = pass_a ? a_data : b_data;

  assign a_ready = pass_a & o_ready;
  assign b_ready = pass_b & o_ready;
  assign d_ready = started & ~owed;
  assign idle    = ~started;

  always_ff @(posedge clk) begin
    if (rst) begin
      started <= 1'b0;
      owed    <= 1'b0;
    end else if (~started) begin
      started <= a_valid & o_ready;
    end else begin
      if (ends) started <= pass_a & a_valid & o_ready;
      owed <= pass_b & ~(b_valid & o_ready);
    end
  end

`ifdef LOOM_FORMAL
`include "loom_carry.svh"
`endif
endmodule
