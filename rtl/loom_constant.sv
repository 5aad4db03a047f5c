// loom_constant: a constant for every control token.
//
// Function: handshake.constant. Each token on ctrl yields one token with cfg_value.
// Parameters: W data bits.
// Ports: cfg_value (constant while running); control channel ctrl; channel out.
// Timing: combinational, one token per cycle.
// Rule: rtl/README.md "Function units".
module loom_constant #(
    parameter int W = 32
) (
    input  logic [W-1:0] cfg_value,
    input  logic         ctrl_valid,
    output logic         ctrl_ready,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data
);
  assign out_valid  = ctrl_valid;
  assign out_data   = cfg_value;
  assign ctrl_ready = out_ready;
endmodule
