// loom_join: waits for several tokens and emits one.
//
// Function: handshake.join. Fires when every input in cfg_mask is valid; consumes
//   these and no others; an empty mask never fires. The operands' data is not used,
//   so the input channels have no data port; neither has the output, a token of none.
// Parameters: N inputs, 1...64.
// Ports: cfg_mask (constant while running), N control channels in, channel out.
// Timing: combinational, one firing per cycle.
// Rule: rtl/README.md "Function units".
module loom_join #(
    parameter int N = 2
) (
    input  logic [N-1:0] cfg_mask,
    input  logic [N-1:0] in_valid,
    output logic [N-1:0] in_ready,
    output logic         out_valid,
    input  logic         out_ready
);
  initial if (N < 1) $fatal(1, "loom_join: N must be at least 1");

  assign out_valid = (&(in_valid | ~cfg_mask)) & (|cfg_mask);
  assign in_ready  = cfg_mask & {N{out_valid & out_ready}};
endmodule
