// loom_operand_select: the operand selector of a PE.
//
// Function: connects one operand of the function units to one of N PE inputs. While
//   enable is high, a selector that is not disconnected takes the tokens of the input that
//   cfg_sel names: it passes them on, or drops them at once with cfg_discard. A selector
//   that names no input takes nothing. Of several selectors with the same input each sees
//   every token; mappings do not do that (they neither merge nor broadcast here).
//   With cfg_immediate and cfg_disconnect the operand is held: valid while enable is high,
//   and no input is taken. With cfg_immediate alone tokens come as without it; their data
//   is ignored beside this module.
// Parameters: N inputs, at least 1; SEL_W bits of cfg_sel, 1 for N = 1, where it is not
//   read; DECODED registers of the decoded configuration, 0 or 1.
// Ports: clk, read with DECODED 1 alone; enable and cfg_* (constant while running); N channels in, whose ready is 0 where
//   the selector does not name them; channel out. The data is chosen beside this module, by
//   cfg_sel alone.
// Timing: combinational. With DECODED 1 the configuration counts a cycle later: it must stand
//   for a cycle before the first token.
// Rule: rtl/README.md "Function units"; design page "The Fabric dialect".
module loom_operand_select #(
    parameter int N       = 4,
    parameter int SEL_W   = 2,
    parameter int DECODED = 0
) (
    input  logic             clk,
    input  logic             enable,
    input  logic [SEL_W-1:0] cfg_sel,
    input  logic             cfg_discard,
    input  logic             cfg_disconnect,
    input  logic             cfg_immediate, // 0 in a PE without immediates
    input  logic [N-1:0]     in_valid,
    output logic [N-1:0]     in_ready,
    output logic             out_valid,
    input  logic             out_ready
);
  initial if (N < 1 || SEL_W < 1 || SEL_W > 16) $fatal(1, "loom_operand_select: N and SEL_W must be at least 1, SEL_W at most 16");
  initial if (N > (1 << SEL_W)) $fatal(1, "loom_operand_select: SEL_W bits do not name N inputs");

  logic [N-1:0] named;  // the input that cfg_sel names

  generate
    if (N == 1) begin : g_one
      logic unused_sel;
      assign unused_sel = |cfg_sel;
      assign named = 1'b1;
    end else begin : g_several
      for (genvar k = 0; k < N; k++) begin : g_named
        assign named[k] = cfg_sel == SEL_W'(k);
      end
    end
  endgenerate

  // What the selector does: that of the configuration, or registers of it.
  logic takes, passes, held;
  generate
    if (DECODED != 0) begin : g_decoded
      always_ff @(posedge clk) begin
        takes  <= enable & ~cfg_disconnect;
        passes <= ~cfg_discard;
        held   <= enable & cfg_immediate & cfg_disconnect;
      end
    end else begin : g_now
      logic unused_clk;
      assign unused_clk = clk;
      assign takes  = enable & ~cfg_disconnect;
      assign passes = ~cfg_discard;
      assign held   = enable & cfg_immediate & cfg_disconnect;
    end
  endgenerate
  assign out_valid = (takes & passes & (|(named & in_valid))) | held;
  assign in_ready  = named & {N{takes & (~passes | out_ready)}};
endmodule
