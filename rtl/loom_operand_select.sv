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
//   read.
// Ports: enable and cfg_* (constant while running); N channels in, whose ready is 0 where
//   the selector does not name them; channel out. The data is chosen beside this module, by
//   cfg_sel alone.
// Timing: combinational.
// Rule: rtl/README.md "Function units"; design page "The Fabric dialect".
module loom_operand_select #(
    parameter int N     = 4,
    parameter int SEL_W = 2
) (
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

  // named[k]: cfg_sel names input k; from[k]: the selector takes its tokens.
  logic [N-1:0] named, from;

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

  assign from      = {N{enable}} & {N{~cfg_disconnect}} & named;
  assign out_valid = ~cfg_discard & (|(from & in_valid)) | enable & cfg_immediate & cfg_disconnect;
  assign in_ready  = from & ({N{cfg_discard}} | {N{out_ready}});
endmodule
