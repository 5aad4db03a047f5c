// Proof of loom_load_lane: never more requests out than slots, every response taken in the
// cycle in which it comes, data and done each once for every request and in order, and an
// response without a request changes nothing. The counts hold by induction for DEPTH 1 and 2,
// where the queue shows how full it is; deeper, and the order of the data, bounded (the
// queue's own order is proven with loom_fifo).
`include "f_reset.svh"
  logic [TW-1:0] f_tag;
  always_ff @(posedge clk) f_tag <= cfg_tag;
  always_comb if (f_live) assume (cfg_tag == f_tag);
  f_channel #(.W(AW), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(addr_valid), .ready(addr_ready), .data(addr_data));
  f_channel #(.W(TW + AW)) f_q (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data(req_data));
  f_channel #(.W(DW)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data));
  f_channel f_n (.clk(clk), .rst(rst), .valid(done_valid), .ready(done_ready), .data(1'b0));

  // Requests without data (done) come back, and without data (done) gone.
  logic [7:0] f_data_asked, f_done_asked, f_data_out, f_done_out;
  logic f_ax, f_qx, f_data_comes, f_done_comes, f_data_goes, f_done_goes;
  assign f_ax         = addr_valid & addr_ready;
  assign f_qx         = req_valid & req_ready;
  assign f_data_comes = rsp_valid & (f_data_asked != 8'd0);
  assign f_done_comes = done_rsp_valid & (f_done_asked != 8'd0);
  assign f_data_goes  = data_valid & data_ready;
  assign f_done_goes  = done_valid & done_ready;
  // A marked request: its response is the one after f_to_come others, and leaves after
  // f_to_go others.
  logic [7:0] f_to_come, f_to_go;
  logic f_tracking, f_came;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_data_asked = 8'd0;
  initial f_done_asked = 8'd0;
  initial f_data_out = 8'd0;
  initial f_done_out = 8'd0;
  initial f_tracking = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_data_asked <= f_data_asked + {7'd0, f_qx} - {7'd0, f_data_comes};
    f_done_asked <= f_done_asked + {7'd0, f_qx} - {7'd0, f_done_comes};
    f_data_out   <= f_data_out + {7'd0, f_qx} - {7'd0, f_data_goes};
    f_done_out   <= f_done_out + {7'd0, f_qx} - {7'd0, f_done_goes};
    if (f_tracking) begin
      if (f_data_comes & ~f_came) begin
        f_to_come <= f_to_come - 8'd1;
        if (f_to_come == 8'd0) begin
          f_came  <= 1'b1;
          f_value <= rsp_data[DW-1:0];
        end
      end
      if (f_data_goes) begin
        if (f_to_go == 8'd0) f_tracking <= 1'b0;
        f_to_go <= f_to_go - 8'd1;
      end
    end else if (f_qx & f_mark) begin
      f_tracking <= 1'b1;
      f_came     <= 1'b0;
      f_to_come  <= f_data_asked - {7'd0, f_data_comes};
      f_to_go    <= f_data_out - {7'd0, f_data_goes};
    end
  end
  always_comb if (f_live) begin
    // Requests: one for each address, only with slots.
    assert (f_ax == f_qx);
    assert (req_valid == (addr_valid & (f_data_out < DEPTH) & (f_done_out < DEPTH)));
    if (req_valid) assert (req_data == {cfg_tag, addr_data});
    assert ((f_data_out <= DEPTH) & (f_done_out <= DEPTH));
    assert ((f_data_asked <= f_data_out) & (f_done_asked <= f_done_out));
    // Responses: always taken, and the queue has room for them.
    assert (rsp_ready & done_rsp_ready);
    if (f_data_comes) assert (unused_ready);
    // Offered as soon as there, data and done independently.
    assert (data_valid == (f_data_out > f_data_asked));
    assert (done_valid == (f_done_out > f_done_asked));
    assert (idle == ((f_data_out == 8'd0) & (f_done_out == 8'd0)));
    assert ((data_under_way == f_data_out) & (data_awaited == f_data_asked));
    assert ((done_under_way == f_done_out) & (done_awaited == f_done_asked));
    if (DEPTH <= 2) assert (f_data_out - f_data_asked == {7'd0, data_valid} + {7'd0, (DEPTH == 2) & ~unused_ready});
    if (~f_induction & f_tracking & (f_to_go == 8'd0) & data_valid) assert (f_came & (data_data == f_value));
  end
  always_comb begin
    cover (f_live & (f_data_out == DEPTH) & (f_done_out == 8'd0));
    cover (f_live & (f_done_out == DEPTH) & (f_data_out == 8'd0) & addr_valid);
    cover (f_live & f_tracking & f_data_goes & (f_to_go == DEPTH - 1));
    cover (f_live & rsp_valid & (f_data_asked == 8'd0));
  end
