// Proof of loom_axi_port: every load and store has one response, in the order of the requests and with its tag, whatever shares a
// read or write on the bus; what a clear has left behind gets none. What reads and writes are is proven with loom_axi_read,
// loom_axi_coalesce and loom_axi_pack, the rest with loom_axi_master. Bounded.
`include "f_reset.svh"
  always_comb if (rst) assume (clear);
  logic f_core_rst;
  assign f_core_rst = rst | clear;
  f_channel #(.W(64 + IDW), .ASSUME(1)) f_lr (.clk(clk), .rst(f_core_rst), .valid(ld_req_valid), .ready(ld_req_ready), .data({ld_req_addr, ld_req_tag}));
  f_channel #(.W(64 + IDW + DW), .ASSUME(1)) f_sr (.clk(clk), .rst(f_core_rst), .valid(st_req_valid), .ready(st_req_ready), .data({st_req_addr, st_req_tag, st_req_data}));
  f_channel #(.W(BUS_AW + 9)) f_ar (.clk(clk), .rst(rst), .valid(ar_valid), .ready(ar_ready), .data({ar_addr, ar_len, ar_wide}));
  f_channel #(.W(BUS_AW + 9)) f_aw (.clk(clk), .rst(rst), .valid(aw_valid), .ready(aw_ready), .data({aw_addr, aw_len, aw_wide}));
  f_channel #(.W(BUS_DW + BUS_DW / 8 + 1)) f_w (.clk(clk), .rst(rst), .valid(w_valid), .ready(w_ready), .data({w_data, w_strb, w_last}));

  // The bus: the beats of the oldest read, and a response to a write whose data has been sent to its end. Without bursts data is taken with its address.
  logic [31:0] f_lens;
  logic [2:0] f_wr, f_rd;
  logic [3:0] f_beat;
  logic [7:0] f_aws, f_ends, f_answers;
  initial f_wr      = 3'd0;
  initial f_rd      = 3'd0;
  initial f_beat    = 4'd0;
  initial f_aws     = 8'd0;
  initial f_ends    = 8'd0;
  initial f_answers = 8'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (ar_valid & ar_ready) begin
      f_wr <= f_wr + 3'd1;
      f_lens[f_wr*4 +: 4] <= ar_len[3:0];
    end
    if (r_valid) begin
      f_beat <= r_last ? 4'd0 : f_beat + 4'd1;
      if (r_last) f_rd <= f_rd + 3'd1;
    end
    f_aws     <= f_aws + {7'd0, aw_valid & aw_ready};
    f_ends    <= f_ends + {7'd0, w_valid & w_ready & w_last};
    f_answers <= f_answers + {7'd0, b_valid};
  end
  always_comb begin
    assume (~r_valid | (f_live & (f_wr != f_rd) & (r_last == (f_beat == f_lens[f_rd*4 +: 4]))));
    assume (~b_valid | (f_live & (f_answers != f_ends) & (f_answers != f_aws)));
    if (BURST == 1) assume (aw_ready == w_ready);
    // Otherwise data has its turn behind its address.
    if (BURST != 1) assume (~w_ready | (f_aws != f_ends));
  end

  // A load and a store, marked at will.
  (* anyseq *) logic f_mark_ld, f_mark_st;
  logic f_ld, f_st, f_ld_stale, f_ld_now, f_st_now, f_other;
  logic [7:0] f_lds, f_rs, f_sts, f_bs, f_ld_number, f_st_number;
  logic [IDW-1:0] f_ld_tag, f_st_tag;
  initial f_ld    = 1'b0;
  initial f_st    = 1'b0;
  initial f_lds   = 8'd0;
  initial f_rs    = 8'd0;
  initial f_sts   = 8'd0;
  initial f_bs    = 8'd0;
  initial f_other = 1'b0;
  logic f_rx, f_bx;  // a response to a load, also one that is dropped; to a store
  assign f_rx     = el_rvalid;
  assign f_bx     = st_rsp_valid;
  assign f_ld_now = f_ld & f_rx & (f_rs == f_ld_number);
  assign f_st_now = f_st & f_bx & (f_bs == f_st_number);
  always_ff @(posedge clk) if (f_live) begin
    f_lds <= f_lds + {7'd0, ld_req_valid & ld_req_ready};
    f_rs  <= f_rs + {7'd0, f_rx};
    f_sts <= clear ? 8'd0 : f_sts + {7'd0, st_req_valid & st_req_ready};
    f_bs  <= clear ? 8'd0 : f_bs + {7'd0, f_bx};
    f_other <= f_other | (f_ld & f_rx & (ld_rsp_tag != f_ld_tag));
    if (f_ld) begin
      f_ld       <= ~f_ld_now;
      f_ld_stale <= f_ld_stale | clear;
    end else if (ld_req_valid & ld_req_ready & f_mark_ld) begin
      f_ld        <= 1'b1;
      f_ld_stale  <= 1'b0;
      f_ld_number <= f_lds;
      f_ld_tag    <= ld_req_tag;
    end
    if (f_st) begin
      f_st <= ~f_st_now & ~clear;
    end else if (st_req_valid & st_req_ready & f_mark_st) begin
      f_st        <= 1'b1;
      f_st_number <= f_sts;
      f_st_tag    <= st_req_tag;
    end
  end
  always_comb if (f_live) begin
    assert (f_lds - f_rs <= 8'(OUTSTANDING));
    assert (f_sts - f_bs <= 8'(OUTSTANDING));
    assert (~f_rx | (f_lds != f_rs));
    assert (~f_bx | (f_sts != f_bs));
    assert (~idle | ((f_lds == f_rs) & (f_sts == f_bs)));
    assert (~ld_rsp_valid | f_rx);
    assert (~clear | ~st_rsp_valid);
    if (f_ld_now) assert ((ld_rsp_valid == (~f_ld_stale & ~clear)) & (ld_rsp_tag == ((TW == 0) ? '0 : f_ld_tag)));
    if (f_st_now) assert (st_rsp_tag == ((TW == 0) ? '0 : f_st_tag));
  end
  always_comb begin
    cover ((TW == 0) | (f_live & f_ld_now & f_other & ~f_ld_stale));
    cover ((TW == 0) | (f_live & f_st_now & (f_st_tag != '0)));
    cover ((WIDE == 0) | (f_live & f_ld_now & ar_wide & (f_ld_number != 8'd0)));
    cover ((WIDE == 0) | (f_live & aw_valid & aw_wide));
    cover (f_live & f_ld_now & f_ld_stale);
  end
