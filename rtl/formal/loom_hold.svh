// Proof of loom_hold: words leave in order, each in the cycle after it came at the earliest, and the last
// one stays in sight until the next is accepted.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_any, f_owed;      // a word has come; it has not left
  logic [W-1:0] f_last;
  initial f_any = 1'b0;
  initial f_owed = 1'b0;
  always_ff @(posedge clk) begin
    if (in_valid & in_ready & f_live) begin
      f_any  <= 1'b1;
      f_last <= in_data;
    end
    f_owed <= f_live & ((in_valid & in_ready) | (f_owed & ~(out_valid & out_ready)));
  end
  always_comb if (f_live) begin
    assert (out_valid == f_owed);
    assert (in_ready == (~f_owed | out_ready));
    assert (idle == ~f_owed);
    if (f_any) assert (out_data == f_last);
  end
  logic [2:0] f_streak;
  initial f_streak = 3'd0;
  always_ff @(posedge clk) f_streak <= (in_valid & in_ready & out_valid & out_ready & f_live) ? f_streak + 3'd1 : 3'd0;
  always_comb begin
    cover (f_streak == 3'd3);
    cover (f_live & f_any & ~out_valid & (out_data != in_data));
  end
