// loom_invariant: a value repeated for every iteration of a loop.
//
// Function: dataflow.invariant. Passes one value from a, keeps it, and emits it again
//   for each true condition; a false condition ends the loop and emits nothing.
// Parameters: W data bits.
// Ports: channels d (one bit, the condition) and a in; channel o out; idle (waiting
//   for a value).
// Timing: combinational from a or d to o, no added latency, one token per cycle. A
//   true condition leaves with its value, a false one at once.
// Rule: spec-dataflow "dataflow.invariant"; rtl/README.md "Function units".
module loom_invariant #(
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
    output logic         o_valid,
    input  logic         o_ready,
    output logic [W-1:0] o_data,
    output logic         idle
);
  logic         started;  // value holds the loop's value
  logic [W-1:0] value;

  assign o_valid = started ? d_valid & d_data : a_valid;
  assign o_data  = started ? value : a_data;

  assign a_ready = ~started & o_ready;
  // Not d_data alone: ready must not follow the data of a channel that is not valid.
  assign d_ready = started & (o_ready | ~o_valid);
  assign idle    = ~started;

  always_ff @(posedge clk) begin
    if (rst) started <= 1'b0;
    else if (~started) started <= a_valid & o_ready;
    else if (d_valid & ~d_data) started <= 1'b0;
    // Following a until it is passed on needs no enable beyond the phase.
    if (~started) value <= a_data;
  end

`ifdef LOOM_FORMAL
`include "loom_invariant.svh"
`endif
endmodule
