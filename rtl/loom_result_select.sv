// loom_result_select: the result selector of a PE.
//
// Function: takes one result of the function unit that is on to one of N_OUT PE outputs,
//   or drops it with cfg_discard. A selector that is disconnected, or names no output,
//   takes nothing.
// Parameters: N_UNIT units with this result, N_OUT outputs, at least 1 each; SEL_W bits of
//   cfg_sel, 1 for N_OUT = 1, where it is not read; DECODED registers of the decoded
//   configuration, 0 or 1.
// Ports: clk, read with DECODED 1 alone; on, at most one bit, and cfg_* (constant while running); N_UNIT channels in, whose
//   ready is 0 where the unit is off; to: the output that the selector is connected to, at
//   most one bit; N_OUT channels out. The data is chosen beside this module, by opcode and
//   by to.
// Timing: combinational. With DECODED 1 cfg_* count a cycle later: they must stand for a
//   cycle before the first token.
// Rule: rtl/README.md "Function units"; design page "The Fabric dialect".
module loom_result_select #(
    parameter int N_UNIT  = 4,
    parameter int N_OUT   = 4,
    parameter int SEL_W   = 2,
    parameter int DECODED = 0
) (
    input  logic              clk,
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

  logic [N_OUT-1:0] named;  // the output that cfg_sel names
  logic goes, drops, valid, ready;

  generate
    if (N_OUT == 1) begin : g_one
      logic unused_sel;
      assign unused_sel = |cfg_sel;
      assign named = 1'b1;
    end else begin : g_several
      for (genvar k = 0; k < N_OUT; k++) begin : g_named
        assign named[k] = cfg_sel == SEL_W'(k);
      end
    end
    if (DECODED != 0) begin : g_decoded
      always_ff @(posedge clk) begin
        goes  <= ~cfg_discard & ~cfg_disconnect;
        drops <= cfg_discard & ~cfg_disconnect;
      end
    end else begin : g_now
      logic unused_clk;
      assign unused_clk = clk;
      assign goes  = ~cfg_discard & ~cfg_disconnect;
      assign drops = cfg_discard & ~cfg_disconnect;
    end
  endgenerate

  assign to        = named & {N_OUT{goes}};
  assign valid     = |(on & in_valid);
  assign ready     = drops | (|(to & out_ready));
  assign out_valid = to & {N_OUT{valid}};
  assign in_ready  = on & {N_UNIT{ready}};
endmodule
