// Proof of loom_bram_store: every request is one write, in its cycle, with its address and data; a
// response for each, not before the write has taken effect.
`include "f_reset.svh"
  f_channel #(.W(AW + DW), .ASSUME(1)) f_req (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data({req_addr, req_data}));
  f_channel #(.W(1)) f_rsp (.clk(clk), .rst(rst), .valid(rsp_valid), .ready(rsp_ready), .data(1'b0));

  logic [7:0] f_owed;  // writes without a response
  logic f_req_x, f_rsp_x;
  assign f_req_x = f_live & req_valid & req_ready;
  assign f_rsp_x = f_live & rsp_valid & rsp_ready;
  initial f_owed = 8'd0;
  always_ff @(posedge clk) f_owed <= f_owed + {7'd0, f_req_x} - {7'd0, f_rsp_x};
  always_comb if (f_live) begin
    assert ((bram_en == f_req_x) & (bram_we == f_req_x));
    if (bram_we) assert ((bram_addr == req_addr[MW-1:0]) & (bram_din == req_data));
    assert (f_owed == {7'd0, dones[0]} + {7'd0, dones[1]});
    assert (dones != 2'b10);
    assert (req_ready == (f_owed < 8'd2));
    assert (rsp_valid == (f_owed != 8'd0));
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_req_x & f_rsp_x) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd3);
    cover (f_live & (f_owed == 8'd2) & req_valid);
  end
