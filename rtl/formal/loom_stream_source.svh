// Proof of loom_stream_source: every beat that the stream gives is a response to one request that
// was taken in a cycle before, in order and unchanged; nothing is taken without a request; up to two
// requests wait, and one may be taken in every cycle.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_req (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data(1'b0));
  f_channel #(.W(W), .ASSUME(1)) f_beat (.clk(clk), .rst(rst), .valid(s_axis_tvalid), .ready(s_axis_tready), .data(s_axis_tdata));
  f_channel #(.W(W)) f_rsp (.clk(clk), .rst(rst), .valid(rsp_valid), .ready(rsp_ready), .data(rsp_data));

  logic [7:0] f_wanted;
  logic f_req_x, f_rsp_x, f_beat_x;
  assign f_req_x  = f_live & req_valid & req_ready;
  assign f_rsp_x  = f_live & rsp_valid & rsp_ready;
  assign f_beat_x = f_live & s_axis_tvalid & s_axis_tready;
  initial f_wanted = 8'd0;
  always_ff @(posedge clk) f_wanted <= f_wanted + {7'd0, f_req_x} - {7'd0, f_rsp_x};
  always_comb if (f_live) begin
    assert (f_wanted == {7'd0, wanted[0]} + {7'd0, wanted[1]});
    assert (wanted != 2'b10);
    assert (req_ready == (f_wanted < 8'd2));
    assert (rsp_valid == (s_axis_tvalid & (f_wanted != 8'd0)));
    assert (f_beat_x == f_rsp_x);
    if (f_rsp_x) assert (rsp_data == s_axis_tdata);
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_req_x & f_rsp_x) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd4);
    cover (f_live & (f_wanted == 8'd2) & s_axis_tvalid & ~rsp_ready);
  end
