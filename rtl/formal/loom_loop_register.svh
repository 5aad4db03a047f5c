// Proof of loom_loop_register in a loop of one token: a word may arrive only as the one inside
// leaves. Then none is lost, and each is offered unchanged from the next cycle on.
`ifdef F_TOP_loom_loop_register
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_full;
  logic [W-1:0] f_word;
  initial f_full = 1'b0;
  always_ff @(posedge clk) begin
    if (f_live) f_full <= in_valid | (f_full & ~out_ready);
    if (in_valid) f_word <= in_data;
  end
  always_comb if (f_live) begin
    if (F_TOP) assume (~(in_valid & out_valid & ~out_ready));
    else assert (~(in_valid & out_valid & ~out_ready));
    assert (in_ready);
    assert (out_valid == f_full);
    if (f_full) assert (out_data == f_word);
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (in_valid & out_valid & out_ready & f_live) ? f_streak + 8'd1 : 8'd0;
`ifdef F_TOP_loom_loop_register
  always_comb cover (f_streak == 8'd3);
`endif
