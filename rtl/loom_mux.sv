// loom_mux: selects one of several token streams by a selector token.
//
// Function: handshake.mux. Fires when the selector and the selected input are valid;
//   consumes these two only. A selector of N or more selects input N-1.
// Parameters: W data bits; N inputs, at least 1; SEL_W bits of the selector.
// Ports: channel sel; N channels in (input k at in_data[k*W +: W]); channel out.
// Timing: combinational, one firing per cycle. Selector and input leave together with
//   the output, so a stalled selector is never used twice.
// Rule: rtl/README.md "Function units".
module loom_mux #(
    parameter int W     = 32,
    parameter int N     = 2,
    parameter int SEL_W = 1
) (
    input  logic             sel_valid,
    output logic             sel_ready,
    input  logic [SEL_W-1:0] sel_data,
    input  logic [N-1:0]     in_valid,
    output logic [N-1:0]     in_ready,
    input  logic [N*W-1:0]   in_data,
    output logic             out_valid,
    input  logic             out_ready,
    output logic [W-1:0]     out_data
);
  initial if (W < 1 || N < 1 || SEL_W < 1) $fatal(1, "loom_mux: W, N and SEL_W must be at least 1");

  // pick[k]: the selector selects input k; values of N or more select the last.
  logic [N-1:0] pick;

  generate
    if (N == 1) begin : g_one
      // The selector is consumed with each token, whatever its value.
      logic unused_sel;
      assign unused_sel = |sel_data;
      assign pick = 1'b1;
    end else begin : g_several
      logic [N-2:0] match;
      for (genvar k = 0; k < N - 1; k++) begin : g_match
        if (SEL_W < 31 && k >= (1 << SEL_W)) begin : g_never
          assign match[k] = 1'b0;
        end else begin : g_compare
          assign match[k] = sel_data == SEL_W'(k);
        end
      end
      assign pick = {~|match, match};
    end
  endgenerate

  generate
    if (N == 2) begin : g_two
      assign out_data = pick[0] ? in_data[0 +: W] : in_data[W +: W];
    end else begin : g_more
      always_comb begin
        out_data = '0;
        for (int k = 0; k < N; k++) begin
          if (pick[k]) out_data = out_data | in_data[k*W +: W];
        end
      end
    end
  endgenerate

  assign out_valid = sel_valid & (|(pick & in_valid));
  assign sel_ready = out_valid & out_ready;
  assign in_ready  = pick & {N{out_valid & out_ready}};
endmodule
