// f_loom_accumulate_parts: without parts, loom_accumulate_parts does in every cycle what loom_accumulate_piped does.
module f_loom_accumulate_parts #(parameter int W = 2, parameter int LATENCY = 3) (
    input logic clk, input logic rst,
    input logic d_valid, input logic d_data, input logic a_valid, input logic [W-1:0] a_data,
    input logic x_valid, input logic [W-1:0] x_data, input logic n_ready, input logic out_ready
);
`include "f_reset.svh"
  logic d_ready, a_ready, x_ready, n_valid, out_valid, idle, joining;
  logic d_ready2, a_ready2, x_ready2, n_valid2, out_valid2, idle2;
  logic [W-1:0] acc, addend, out_data, acc2, out_data2;
  logic [LATENCY-1:0] move, move2;
  logic [(LATENCY+1)*W-1:0] word, word2;  // an addition, and its registers, of each

  loom_accumulate_parts #(.W(W), .LATENCY(LATENCY), .NEUTRAL(W'(1))) u_parts (
      .clk(clk), .rst(rst), .parts(1'b0), .idle(idle), .d_valid(d_valid), .d_ready(d_ready), .d_data(d_data),
      .a_valid(a_valid), .a_ready(a_ready), .a_data(a_data), .x_valid(x_valid), .x_ready(x_ready), .x_data(x_data),
      .acc(acc), .addend(addend), .joining(joining), .n_value(word[LATENCY*W +: W]), .move(move),
      .n_valid(n_valid), .n_ready(n_ready), .out_valid(out_valid), .out_ready(out_ready), .out_data(out_data)
  );
  loom_accumulate_piped #(.W(W), .LATENCY(LATENCY)) u_piped (
      .clk(clk), .rst(rst), .idle(idle2), .d_valid(d_valid), .d_ready(d_ready2), .d_data(d_data),
      .a_valid(a_valid), .a_ready(a_ready2), .a_data(a_data), .x_valid(x_valid), .x_ready(x_ready2),
      .acc(acc2), .n_value(word2[LATENCY*W +: W]), .move(move2),
      .n_valid(n_valid2), .n_ready(n_ready), .out_valid(out_valid2), .out_ready(out_ready), .out_data(out_data2)
  );
  assign word[0 +: W]  = acc + addend;
  assign word2[0 +: W] = acc2 + x_data;
  generate
    for (genvar k = 0; k < LATENCY; k++) begin : g_register
      always_ff @(posedge clk) begin
        if (move[k]) word[(k+1)*W +: W] <= word[k*W +: W];
        if (move2[k]) word2[(k+1)*W +: W] <= word2[k*W +: W];
      end
    end
  endgenerate

  f_channel #(.ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready2), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready2), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_x (.clk(clk), .rst(rst), .valid(x_valid), .ready(x_ready2), .data(x_data));

  logic [3:0] loops;
  initial loops = 4'd0;
  always_ff @(posedge clk) if (f_live & out_valid2 & out_ready & ~idle2) loops <= loops + 4'd1;
  always_comb if (f_live) begin
    assert ({d_ready, a_ready, x_ready, n_valid, out_valid, idle} == {d_ready2, a_ready2, x_ready2, n_valid2, out_valid2, idle2});
    assert (~joining);
    if (n_valid2) assert (word[LATENCY*W +: W] == word2[LATENCY*W +: W]);
    if (out_valid2) assert (out_data == out_data2);
  end
  always_comb begin
    cover (loops == 4'd2);
    cover (f_live & n_valid2 & ~n_ready & d_valid & d_data & x_valid);
  end
endmodule
