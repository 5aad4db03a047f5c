// loom_gate: turns a before-region stream into a body-region stream.
//
// Function: dataflow.gate. Of each loop's N+1 pairs (value, condition) it emits the N
//   values whose condition is true, and N conditions: the first is dropped.
//   HEAD: true: the value alone, then NEXT; false: nothing.
//   NEXT: true: value and true; false: false alone, then HEAD.
// Parameters: W data bits.
// Ports: channels value and cond (one bit) in; channels out_value and out_cond out;
//   idle (phase HEAD).
// Timing: combinational, no added latency, one pair per cycle. The outputs are offered
//   independently; both inputs are released together when all is taken.
// Rule: spec-dataflow "dataflow.gate"; rtl/README.md "Function units".
module loom_gate #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         value_valid,
    output logic         value_ready,
    input  logic [W-1:0] value_data,
    input  logic         cond_valid,
    output logic         cond_ready,
    input  logic         cond_data,
    output logic         out_value_valid,
    input  logic         out_value_ready,
    output logic [W-1:0] out_value_data,
    output logic         out_cond_valid,
    input  logic         out_cond_ready,
    output logic         out_cond_data,
    output logic         idle
);
  logic inside_loop;  // phase NEXT
  logic offer, done, complete, untaken;

  assign offer    = value_valid & cond_valid;
  assign complete = offer & done;

  loom_offer #(
      .N(2)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (offer),
      .need     ({inside_loop, cond_data}),
      .done     (done),
      .out_valid({out_cond_valid, out_value_valid}),
      .out_ready({out_cond_ready, out_value_ready}),
      .idle     (untaken)
  );

  assign out_value_data = value_data;
  assign out_cond_data  = cond_data;
  assign value_ready    = complete;
  assign cond_ready     = complete;
  assign idle           = ~inside_loop & untaken;

  always_ff @(posedge clk) begin
    if (rst) inside_loop <= 1'b0;
    else if (complete) inside_loop <= cond_data;
  end

`ifdef LOOM_FORMAL
`include "loom_gate.svh"
`endif
endmodule
