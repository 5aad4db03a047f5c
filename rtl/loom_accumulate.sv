// loom_accumulate: a value that every iteration of a loop changes, in a register.
//
// Function: dataflow.carry, handshake.cond_br of its value by the same condition, and an operation
//   from the value on the true side and x to the next value. The operation stands outside: n_value
//   is what it computes from acc and x_data. With a true condition the next value is offered and
//   kept; with a false one the present value leaves, and the next initial value (a) is due.
// Parameters: W data bits.
// Ports: channels d (one bit, the condition), a (initial) and x in; acc, the present value, and
//   n_value, a combinational function of it and of x_data; channels n (a token alone: its data is
//   n_value) and out; idle (waiting for an initial value).
// Timing: combinational, one firing per cycle, so one element per cycle. A true condition fires
//   with x, and with a at first; a false one without x.
// Rule: rtl/README.md "Function units".
module loom_accumulate #(
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
    input  logic         x_valid,
    output logic         x_ready,
    output logic [W-1:0] acc,
    input  logic [W-1:0] n_value,
    output logic         n_valid,
    input  logic         n_ready,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data,
    output logic         idle
);
  logic         started;  // value holds the present value
  logic [W-1:0] value;
  logic         due, fire;

  assign due       = d_valid & (started | a_valid);
  assign n_valid   = due & d_data & x_valid;
  assign out_valid = due & ~d_data;
  assign acc       = started ? value : a_data;
  assign out_data  = acc;

  assign fire    = (n_valid & n_ready) | (out_valid & out_ready);
  assign d_ready = fire;
  assign a_ready = fire & ~started;
  assign x_ready = n_valid & n_ready;
  assign idle    = ~started;

  always_ff @(posedge clk) begin
    if (rst) started <= 1'b0;
    else if (fire) started <= d_data;
    if (x_ready) value <= n_value;
  end

`ifdef LOOM_FORMAL
`include "loom_accumulate.svh"
`endif
endmodule
