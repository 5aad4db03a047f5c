// loom_cond_br: sends a token to one of two outputs.
//
// Function: handshake.cond_br. Fires when condition and data are valid; a true
//   condition sends the data to output true, a false one to output false.
// Parameters: W data bits.
// Ports: channels cond (one bit) and data in; channels true and false out, which
//   carry the same data wires.
// Timing: combinational, one firing per cycle.
// Rule: rtl/README.md "Function units".
module loom_cond_br #(
    parameter int W = 32
) (
    input  logic         cond_valid,
    output logic         cond_ready,
    input  logic         cond_data,
    input  logic         data_valid,
    output logic         data_ready,
    input  logic [W-1:0] data_data,
    output logic         true_valid,
    input  logic         true_ready,
    output logic [W-1:0] true_data,
    output logic         false_valid,
    input  logic         false_ready,
    output logic [W-1:0] false_data
);
  logic fire;

  assign true_valid  = cond_valid & data_valid & cond_data;
  assign false_valid = cond_valid & data_valid & ~cond_data;
  assign true_data   = data_data;
  assign false_data  = data_data;

  assign fire       = cond_valid & data_valid & (cond_data ? true_ready : false_ready);
  assign cond_ready = fire;
  assign data_ready = fire;
endmodule
