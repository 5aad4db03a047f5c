// loom_accumulate_extreme: loom_accumulate that also keeps the largest or smallest of elements, whose
//   choice is made a cycle later.
//
// Function: without chooses that of loom_accumulate: n_value is the next value. With it the next value is
//   acc or x_data, the latter if picks says so, and n_value is acc, so the next value is not offered but
//   the one that the iteration began with. Both words and the outcome are kept, and acc is chosen
//   from them: the choice of a word stands in front of the comparison that needs it, where the initial
//   value is chosen, too, and not behind it.
// Parameters: W data bits.
// Ports: channels d (one bit, the condition), a (initial) and x in; acc, the present value, and
//   n_value and picks, combinational functions of it and of x_data; chooses, constant while a loop runs;
//   channels n (a token alone: its data is n_value) and out; idle (waiting for an initial value).
// Timing: as loom_accumulate.
// Rule: rtl/README.md "Function units".
module loom_accumulate_extreme #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         chooses,
    input  logic         picks,
    input  logic         d_valid,
    output logic         d_ready,
    input  logic         d_data,
    input  logic         a_valid,
    output logic         a_ready,
    input  logic [W-1:0] a_data,
    input  logic         x_valid,
    output logic         x_ready,
    input  logic [W-1:0] x_data,
    output logic [W-1:0] acc,
    input  logic [W-1:0] n_value,
    output logic         n_valid,
    input  logic         n_ready,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data,
    output logic         idle
);
  logic         started;  // there is a present value
  logic         picked;   // it is the element, not value
  logic [W-1:0] value, element;
  logic         due, fire;

  assign due       = d_valid & (started | a_valid);
  assign n_valid   = due & d_data & x_valid;
  assign out_valid = due & ~d_data;
  assign acc       = ~started ? a_data : picked ? element : value;
  assign out_data  = acc;

  assign fire    = (n_valid & n_ready) | (out_valid & out_ready);
  assign d_ready = fire;
  assign a_ready = fire & ~started;
  assign x_ready = n_valid & n_ready;
  assign idle    = ~started;

  always_ff @(posedge clk) begin
    if (rst) started <= 1'b0;
    else if (fire) started <= d_data;
    if (x_ready) begin
      value   <= n_value;
      element <= x_data;
      picked  <= chooses & picks;
    end
  end

`ifdef LOOM_FORMAL
`include "loom_accumulate_extreme.svh"
`endif
endmodule
