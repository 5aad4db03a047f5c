// loom_result_select: the result selector of a PE.
//
// Function: takes one result of the function unit that is on to one of N_OUT PE outputs,
//   or drops it with cfg_discard. A selector that is disconnected, or names no output,
//   takes nothing.
// Parameters: N_UNIT units with this result, N_OUT outputs, at least 1 each; SEL_W bits of
//   cfg_sel, 1 for N_OUT = 1, where it is not read.
// Ports: on, at most one bit, and cfg_* (constant while running); N_UNIT channels in, whose
//   ready is 0 where the unit is off; to: the output that the selector is connected to, at
//   most one bit; N_OUT channels out. The data is chosen beside this module, by opcode and
//   by to.
// Timing: combinational.
// Rule: rtl/README.md "Function units"; design page "The Fabric dialect".
module loom_result_select #(
    parameter int N_UNIT = 4,
    parameter int N_OUT  = 4,
    parameter int SEL_W  = 2
) (
    input  logic [N_UNIT-1:0] on,
    input  logic [SEL_W-1:0]  cfg_sel,
    input  logic              cfg_discard,
    input  logic              cfg_disconnect,
    input  logic [N_UNIT-1:0] in_valid,
    output logic [N_UNIT-1:0] in_ready,
    output logic [N_OUT-1:0]  to,
    output logic [N_OUT-1:0]  out_valid,
    input  logic [N_OUT-1:0]  out_ready
);
  initial if (N_UNIT < 1 || N_OUT < 1 || SEL_W < 1 || SEL_W > 16) $fatal(1, "loom_result_select: all parameters must be at least 1, SEL_W at most 16");

  logic valid, ready;

  generate
    if (N_OUT == 1) begin : g_one
      logic unused_sel;
      assign unused_sel = |cfg_sel;
      assign to = ~cfg_discard & ~cfg_disconnect;
    end else begin : g_several
      for (genvar k = 0; k < N_OUT; k++) begin : g_to
        assign to[k] = ~cfg_discard & ~cfg_disconnect & (cfg_sel == SEL_W'(k));
      end
    end
  endgenerate

  assign valid     = |(on & in_valid);
  assign ready     = (cfg_discard & ~cfg_disconnect) | (|(to & out_ready));
  assign out_valid = to & {N_OUT{valid}};
  assign in_ready  = on & {N_UNIT{ready}};
endmodule
