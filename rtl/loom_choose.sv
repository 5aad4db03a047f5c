// loom_choose: the word of the one input that is chosen.
//
// Function: out_data is that of input sel. Where sel names no input it is unspecified.
// Parameters: W data bits; N inputs, at least 1.
// Ports: sel, of clog2(N) bits, at least one; in_data, input i at bits i*W; out_data.
// Timing: combinational.
// Area: a multiplexer of four is one LUT of six inputs. Where up to 16 inputs are made of them, those
//   in front of the last one have it, and what is left over goes to the last one directly: 7 inputs
//   take 2 LUTs per bit, 10 take 3, 13 take 4. The number of an input at the last one is a function of
//   sel alone, two LUTs for all bits.
// Rule: rtl/README.md "Routing".
module loom_choose #(
    parameter int W = 32,
    parameter int N = 7
) (
    input  logic [((N > 2) ? $clog2(N) : 1)-1:0] sel,
    input  logic [N*W-1:0]                       in_data,
    output logic [W-1:0]                         out_data
);
  initial if (W < 1 || N < 1) $fatal(1, "loom_choose: W and N must be at least 1");

  generate
    if (N == 1) begin : g_wire
      logic unused_sel;
      assign unused_sel = sel[0];
      assign out_data   = in_data;
    end else if (N > 16) begin : g_number
      assign out_data = in_data[sel*W +: W];
    end else begin : g_tree
      // Input i below 4*GROUPS is input i%4 of group i/4, which is input i/4 of the last multiplexer;
      // others are input i-3*GROUPS of the last one.
      localparam int GROUPS = (N <= 4) ? 0 : (N - 2) / 3;
      logic [3:0] number;
      logic [1:0] inner, outer;
      assign number = 4'(sel);
      assign inner  = number[1:0];
      if (GROUPS == 0) begin : g_near
        assign outer = number[1:0];
      end else if (GROUPS == 4) begin : g_far
        assign outer = number[3:2];
      end else begin : g_both
        assign outer = (number[3:2] < 2'(GROUPS)) ? number[3:2] : 2'(number - 4'(3 * GROUPS));
      end
      // An input that a multiplexer does not have repeats its first one, which costs nothing.
      for (genvar j = 0; j < 4; j++) begin : g_last
        logic [W-1:0] word;
        if (j < GROUPS) begin : g_group
          for (genvar k = 0; k < 4; k++) begin : g_four
            logic [W-1:0] leaf;
            if (4 * j + k < N) begin : g_there
              assign leaf = in_data[(4 * j + k)*W +: W];
            end else begin : g_repeated
              assign leaf = g_four[0].leaf;
            end
          end
          assign word = inner[1] ? (inner[0] ? g_four[3].leaf : g_four[2].leaf) : (inner[0] ? g_four[1].leaf : g_four[0].leaf);
        end else if (j + 3 * GROUPS < N) begin : g_single
          assign word = in_data[(j + 3 * GROUPS)*W +: W];
        end else begin : g_repeated
          assign word = g_last[0].word;
        end
      end
      assign out_data = outer[1] ? (outer[0] ? g_last[3].word : g_last[2].word) : (outer[0] ? g_last[1].word : g_last[0].word);
      logic unused_sel;  // bits that few inputs do not need
      assign unused_sel = ^{inner, number};
    end
  endgenerate
endmodule
