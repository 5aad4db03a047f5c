// loom_loop: the head of a loop, a loop-carried value and the branch behind it.
//
// Function: dataflow.carry and handshake.cond_br of its value by the same condition. The value of
//   an iteration is the initial one (a) at first, then what comes round (b); with a true condition
//   it goes to the loop body, with a false one it leaves, and the next initial value is due.
// Parameters: W data bits.
// Ports: channels d (one bit, the condition), a (initial) and b (next) in; channels body and out,
//   which carry the same data wires; idle (waiting for an initial value).
// Timing: combinational, one firing per cycle; one bit of state. Fires when the condition and the
//   value due are there, and consumes both; a value that is not due waits.
// Rule: spec-dataflow "dataflow.carry"; rtl/README.md "Function units".
module loom_loop #(
    parameter int W = 32
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
    output logic         body_valid,
    input  logic         body_ready,
    output logic [W-1:0] body_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data,
    output logic         idle
);
  logic started;  // the initial value has gone to the body
  logic both, fire;

  assign both       = d_valid & (started ? b_valid : a_valid);
  assign body_valid = both & d_data;
  assign out_valid  = both & ~d_data;
  assign body_data  = started ? b_data : a_data;
  assign out_data   = body_data;

  assign fire    = both & (d_data ? body_ready : out_ready);
  assign d_ready = fire;
  assign a_ready = fire & ~started;
  assign b_ready = fire & started;
  assign idle    = ~started;

  always_ff @(posedge clk) begin
    if (rst) started <= 1'b0;
    else if (fire) started <= d_data;
  end

`ifdef LOOM_FORMAL
`include "loom_loop.svh"
`endif
endmodule
