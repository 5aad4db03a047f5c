// Proof of loom_store_lane: each store's address and data reach the memory once each, in
// order, never more than LSQ_DEPTH without done; every done token taken in the cycle in
// which it comes and given on once; one without a request changes nothing.
`include "f_reset.svh"
  logic [TW-1:0] f_tag;
  always_ff @(posedge clk) f_tag <= cfg_tag;
  always_comb if (f_live) assume (cfg_tag == f_tag);
  f_channel #(.W(AW), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(addr_valid), .ready(addr_ready), .data(addr_data));
  f_channel #(.W(DW), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data));
  f_channel #(.W(TW + AW)) f_sa (.clk(clk), .rst(rst), .valid(staddr_valid), .ready(staddr_ready), .data(staddr_data));
  f_channel #(.W(TW + DW)) f_sd (.clk(clk), .rst(rst), .valid(stdata_valid), .ready(stdata_ready), .data(stdata_data));
  f_channel f_n (.clk(clk), .rst(rst), .valid(done_valid), .ready(done_ready), .data(1'b0));

  // Addresses and data sent and complete stores, each without done come back; stores
  // whose done has not gone.
  logic [7:0] f_addrs, f_datas, f_asked, f_out;
  logic f_x, f_ax, f_dx, f_comes, f_goes, f_got_a, f_got_d, f_both;
  assign f_x     = addr_valid & addr_ready;
  assign f_ax    = staddr_valid & staddr_ready;
  assign f_dx    = stdata_valid & stdata_ready;
  assign f_comes = done_rsp_valid & (f_asked != 8'd0);
  assign f_goes  = done_valid & done_ready;
  assign f_both  = addr_valid & data_valid & (f_asked < LSQ_DEPTH) & (f_out < PLACES);
  initial f_addrs = 8'd0;
  initial f_datas = 8'd0;
  initial f_asked = 8'd0;
  initial f_out = 8'd0;
  initial f_got_a = 1'b0;
  initial f_got_d = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_addrs <= f_addrs + {7'd0, f_ax} - {7'd0, f_comes};
    f_datas <= f_datas + {7'd0, f_dx} - {7'd0, f_comes};
    f_asked <= f_asked + {7'd0, f_x} - {7'd0, f_comes};
    f_out   <= f_out + {7'd0, f_x} - {7'd0, f_goes};
    f_got_a <= (f_got_a | f_ax) & ~f_x;
    f_got_d <= (f_got_d | f_dx) & ~f_x;
  end
  always_comb if (f_live) begin
    assert (f_x == (data_valid & data_ready));
    // The head of both inputs, until each output has taken it once.
    assert (staddr_valid == (f_both & ~f_got_a));
    assert (stdata_valid == (f_both & ~f_got_d));
    assert (f_x == (f_both & (f_got_a | f_ax) & (f_got_d | f_dx)));
    if (staddr_valid) assert (staddr_data == {cfg_tag, addr_data});
    if (stdata_valid) assert (stdata_data == {cfg_tag, data_data});
    if (f_got_a | f_got_d) assert (f_both);
    assert (~(f_got_a & f_got_d));
    assert ((f_addrs == f_asked + {7'd0, f_got_a}) & (f_datas == f_asked + {7'd0, f_got_d}));
    // The memory's queues suffice.
    assert ((f_addrs <= LSQ_DEPTH) & (f_datas <= LSQ_DEPTH));
    assert ((f_asked <= f_out) & (f_out <= PLACES) & (f_asked <= LSQ_DEPTH));
    assert (done_rsp_ready);
    assert (done_valid == (f_out > f_asked));
    assert (idle == ((f_out == 8'd0) & ~f_got_a & ~f_got_d));
    assert ((under_way == f_out) & (awaited == f_asked));
  end
  always_comb begin
    cover (f_live & (f_asked == MOST) & addr_valid & data_valid);
    cover (f_live & (f_out == PLACES) & (f_asked == 8'd0));
    cover (f_live & f_x & f_got_a & f_comes & f_goes);
    cover (f_live & f_x & f_got_d);
    cover (f_live & done_rsp_valid & (f_asked == 8'd0));
  end
