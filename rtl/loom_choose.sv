// loom_choose: the word of the one input that is chosen.
//
// Function: out_data is that of the input whose bit in one is set. With no bit or several it is
//   unspecified.
// Parameters: W data bits; N inputs, at least 1.
// Ports: one, a bit per input; in_data, input i at bits i*W; out_data.
// Timing: combinational.
// Area: a multiplexer of four is one LUT of six inputs. Where up to 16 inputs are made of them, those
//   in front of the last one have it, and what is left over goes to the last one directly: 7 inputs
//   take 2 LUTs per bit, 10 take 3, 13 take 4.
// Rule: rtl/README.md "Routing".
module loom_choose #(
    parameter int W = 32,
    parameter int N = 7
) (
    input  logic [N-1:0]   one,
    input  logic [N*W-1:0] in_data,
    output logic [W-1:0]   out_data
);
  localparam int SEL_W = loom_pkg::index_width(N);

  initial if (W < 1 || N < 1) $fatal(1, "loom_choose: W and N must be at least 1");

  generate
    if (N == 1) begin : g_wire
      logic unused_one;
      assign unused_one = one[0];
      assign out_data   = in_data;
    end else if (N > 16) begin : g_number
      logic [SEL_W-1:0] sel;
      for (genvar b = 0; b < SEL_W; b++) begin : g_bit
        logic [N-1:0] has;
        for (genvar i = 0; i < N; i++) begin : g_input
          assign has[i] = one[i] & (((i >> b) & 1) != 0);
        end
        assign sel[b] = |has;
      end
      assign out_data = in_data[sel*W +: W];
    end else begin : g_tree
      // Input i below 4*GROUPS is input i%4 of group i/4, which is input i/4 of the last multiplexer;
      // others are input i-3*GROUPS of the last one.
      localparam int GROUPS = (N <= 4) ? 0 : (N - 2) / 3;
      logic [1:0] inner, outer;
      for (genvar b = 0; b < 2; b++) begin : g_bit
        logic [N-1:0] near, far;
        for (genvar i = 0; i < N; i++) begin : g_input
          localparam int AT = (i < 4 * GROUPS) ? i / 4 : i - 3 * GROUPS;
          assign near[i] = one[i] & (((i >> b) & 1) != 0) & (i < 4 * GROUPS);
          assign far[i]  = one[i] & (((AT >> b) & 1) != 0);
        end
        assign inner[b] = |near;
        assign outer[b] = |far;
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
      if (GROUPS == 0) begin : g_no_groups
        logic unused_inner;
        assign unused_inner = ^inner;
      end
    end
  endgenerate
endmodule
