// Proof of loom_axi_master: the rules of AXI4 as f_axi4 states them, every
// request once on the bus with its address, data and ID, every response once to its requester,
// also with clears at any time. The bus responds as f_axi4 allows: in any order across IDs.
// Inductive: all of it without tags and lanes; with tags or lanes what does not depend on
// the table of lanes. The strobes are checked by the bounded proof only.
`include "f_reset.svh"
  logic f_order, f_lanes;
  assign f_order = (TW == 0) | ~f_induction;
  assign f_lanes = (LB == 0) | ~f_induction;
  always_comb if (rst) assume (clear);
  logic f_core_rst;
  assign f_core_rst = rst | clear;
  f_channel #(.W(64 + IDW), .ASSUME(1)) f_lr (.clk(clk), .rst(f_core_rst), .valid(ld_req_valid), .ready(ld_req_ready), .data({ld_req_addr, ld_req_tag}));
  f_channel #(.W(64 + IDW + DW), .ASSUME(1)) f_sr (.clk(clk), .rst(f_core_rst), .valid(st_req_valid), .ready(st_req_ready), .data({st_req_addr, st_req_tag, st_req_data}));

  // Counts since reset.
  logic [15:0] f_lds, f_rs, f_sts, f_bs;
  initial f_lds = 16'd0;
  initial f_rs  = 16'd0;
  initial f_sts = 16'd0;
  initial f_bs  = 16'd0;
  (* anyseq *) logic [15:0] f_r_number, f_b_number;
  logic [19:0] f_fault, f_broken;
  logic [15:0] f_bus_reads, f_bus_writes, f_ars, f_aws, f_ws;
  f_axi4 #(.IDW(IDW), .AW(BUS_AW), .DW(BUS_DW), .EW(DW), .MAX(OUTSTANDING), .NUMBERED(1)) f_axi (
      .clk(clk), .rst(rst),
      .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awid(m_axi_awid), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen), .awsize(m_axi_awsize), .awburst(m_axi_awburst),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast),
      .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bid(m_axi_bid), .bresp(m_axi_bresp), .b_number(f_b_number),
      .arvalid(m_axi_arvalid), .arready(m_axi_arready), .arid(m_axi_arid), .araddr(m_axi_araddr), .arlen(m_axi_arlen), .arsize(m_axi_arsize), .arburst(m_axi_arburst),
      .rvalid(m_axi_rvalid), .rready(m_axi_rready), .rid(m_axi_rid), .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast), .r_number(f_r_number),
      .reads(f_bus_reads), .writes(f_bus_writes), .ars(f_ars), .aws(f_aws), .ws(f_ws), .fault(f_fault), .broken(f_broken));
  // The response to a write comes from its destination.
  always_comb assert (~m_axi_awcache[0]);
  always_comb begin
    assume (~|(f_fault & 20'h7e058));
    if (rst) assume (~m_axi_rvalid & ~m_axi_bvalid);
    if (f_induction) assert (~|(f_fault & 20'h81ba7));  // the strobes need what the checker remembers
    else if (f_live) assert (~|(f_fault & 20'h81fa7));
    if (TW == 0) begin
      // Without tags there is one order; the bounded proof shows it.
      if (f_induction) assume ((f_r_number == f_rs) & (f_b_number == f_bs));
      else if (f_live) begin
        if (m_axi_rvalid) assert (f_r_number == f_rs);
        if (m_axi_bvalid) assert (f_b_number == f_bs);
      end
    end
  end

  logic f_arx, f_awx, f_wx;
  assign f_arx = m_axi_arvalid & m_axi_arready;
  assign f_awx = m_axi_awvalid & m_axi_awready;
  assign f_wx  = m_axi_wvalid & m_axi_wready;

  // One read and one write, marked at will.
  (* anyseq *) logic f_mark_ld, f_mark_st;
  logic f_ld, f_st, f_ld_stale, f_st_stale;
  logic [15:0] f_ld_number, f_st_number;
  logic [63:0] f_ld_addr, f_st_addr;
  logic [IDW-1:0] f_ld_tag, f_st_tag;
  logic [DW-1:0] f_st_data;
  logic f_ld_now, f_st_now;  // response in this cycle
  initial f_ld = 1'b0;
  initial f_st = 1'b0;
  assign f_ld_now = f_ld & m_axi_rvalid & (f_r_number == f_ld_number);
  assign f_st_now = f_st & m_axi_bvalid & (f_b_number == f_st_number);
  // Both were accepted in one cycle and are of one element.
  logic f_pair;
  initial f_pair = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_ld | f_st) f_pair <= f_pair & f_ld & f_st;
    else f_pair <= ld_req_valid & ld_req_ready & f_mark_ld & st_req_valid & st_req_ready & f_mark_st & ((ld_req_addr[BUS_AW-1:0] >> SHIFT) == (st_req_addr[BUS_AW-1:0] >> SHIFT));
  end
  logic f_ooo, f_refilled;  // for the cover statements
  initial f_ooo = 1'b0;
  initial f_refilled = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_lds <= f_lds + {15'd0, ld_req_valid & ld_req_ready};
    f_rs  <= f_rs + {15'd0, m_axi_rvalid};
    f_sts <= f_sts + {15'd0, st_req_valid & st_req_ready};
    f_bs  <= f_bs + {15'd0, m_axi_bvalid};
    if (f_ld) begin
      f_ld       <= ~f_ld_now;
      f_ld_stale <= f_ld_stale | clear;
    end else if (ld_req_valid & ld_req_ready & f_mark_ld) begin
      f_ld        <= 1'b1;
      f_ld_stale  <= 1'b0;
      f_ld_number <= f_lds;
      f_ld_addr   <= ld_req_addr;
      f_ld_tag    <= ld_req_tag;
    end
    if (f_st) begin
      f_st       <= ~f_st_now;
      f_st_stale <= f_st_stale | clear;
    end else if (st_req_valid & st_req_ready & f_mark_st) begin
      f_st        <= 1'b1;
      f_st_stale  <= 1'b0;
      f_st_number <= f_sts;
      f_st_addr   <= st_req_addr;
      f_st_tag    <= st_req_tag;
      f_st_data   <= st_req_data;
    end
    f_ooo      <= f_ooo | (f_ld & m_axi_rvalid & (f_r_number > f_ld_number));
    f_refilled <= f_refilled | (f_ld_now & f_ld_stale);
  end

  logic [BUS_AW-1:0] f_ld_want, f_st_want;
  assign f_ld_want = (f_ld_addr[BUS_AW-1:0] >> SHIFT) << SHIFT;
  assign f_st_want = (f_st_addr[BUS_AW-1:0] >> SHIFT) << SHIFT;
  logic [LW-1:0] f_ld_lane, f_st_lane;
  assign f_ld_lane = (LB == 0) ? 0 : f_ld_addr[SHIFT +: LW];
  assign f_st_lane = (LB == 0) ? 0 : f_st_addr[SHIFT +: LW];
  always_comb if (f_live) begin
    // Nothing lost, nothing twice: what is accepted is on the bus or waits in one register.
    assert ((f_lds - f_ars) == {15'd0, m_axi_arvalid});
    assert ((f_sts - f_aws) == {15'd0, aw_full});
    assert ((f_sts - f_ws) == {15'd0, w_full});
    // A held store is whole, and loads are in flight.
    if (hold) assert (aw_full & w_full & |reads);
    assert (f_bus_reads == f_ars - f_rs);
    assert (f_bus_writes == f_aws - f_bs);
    if (f_ld & f_order) assert (((TW != 0) | (f_ld_number - f_rs < reads)) & (draining == f_ld_stale));
    if (f_st & f_order) assert ((TW != 0) | (f_st_number - f_bs < writes));
    if (f_st & f_order) assert (draining == f_st_stale);
    // Overtaken by fewer than 2^15 others, so that the counts do not wrap.
    assume (~f_induction | ~f_ld | (f_lds - f_ld_number < 16'h8000));
    assume (~f_induction | ~f_st | (f_sts - f_st_number < 16'h8000));
    if (f_ld) assert (f_lds != f_ld_number);
    if (f_st) assert (f_sts != f_st_number);
    assert (reads == (f_lds - f_rs));
    assert (writes == (f_sts - f_bs));
    assert (idle == ((f_lds == f_rs) & (f_sts == f_bs)));
    assert ((f_lds - f_rs <= 16'(OUTSTANDING)) & (f_sts - f_bs <= 16'(OUTSTANDING)));
    // A request waits for the limit, its channel's register, a clear and a held store, for
    // nothing else.
    if (~clear & ~draining) begin
      assert (ld_req_ready == (~hold & (f_lds - f_rs != 16'(OUTSTANDING)) & (~m_axi_arvalid | m_axi_arready)));
      assert (st_req_ready == (~hold & (f_sts - f_bs != 16'(OUTSTANDING)) & (~m_axi_awvalid | m_axi_awready) & (~m_axi_wvalid | m_axi_wready)));
    end
    if (draining) assert (~ld_req_ready & ~st_req_ready & ~ld_rsp_valid & ~st_rsp_valid);
    assert (~ld_rsp_valid | m_axi_rvalid);
    assert (~st_rsp_valid | m_axi_bvalid);
    // A write of what a read of the same cycle reads comes behind its response, also where
    // responses overtake each other: the last one in flight is that of the read.
    if (f_pair & f_ld) assert (hold & (f_aws == f_st_number) & (f_ws == f_st_number) & ~m_axi_awvalid & ~m_axi_wvalid);
    if (f_pair & f_ld) assert (f_lds - f_ld_number == 16'd1);
    if (f_ld & (reads == 1) & m_axi_rvalid) begin
      // A bus that owes one response gives that one; the bounded proof shows it.
      if (f_induction) assume (f_r_number == f_ld_number);
      else assert (f_r_number == f_ld_number);
    end
    // The marked read and write.
    if (f_ld & m_axi_arvalid & (f_ars == f_ld_number)) assert ((m_axi_araddr == f_ld_want) & (m_axi_arid == ((TW == 0) ? 0 : f_ld_tag)));
    if (f_ld_now & f_order) begin
      assert (ld_rsp_valid == (~f_ld_stale & ~clear));
      if (f_lanes) assert (ld_rsp_data == m_axi_rdata[f_ld_lane*DW +: DW]);
      assert (ld_rsp_tag == ((TW == 0) ? 0 : f_ld_tag));
      assert (ld_rsp_err == ((m_axi_rresp == 2'b10) | (m_axi_rresp == 2'b11)));
    end
    if (f_st & aw_full & (f_aws == f_st_number)) assert ((m_axi_awaddr == f_st_want) & (m_axi_awid == ((TW == 0) ? 0 : f_st_tag)));
    if (f_st & w_full & (f_ws == f_st_number)) assert (m_axi_wdata[f_st_lane*DW +: DW] == f_st_data);
    if (f_st_now & f_order) begin
      assert (st_rsp_valid == (~f_st_stale & ~clear));
      assert (st_rsp_tag == ((TW == 0) ? 0 : f_st_tag));
      assert (st_rsp_err == ((m_axi_bresp == 2'b10) | (m_axi_bresp == 2'b11)));
    end
  end
  always_comb begin
    cover (f_live & f_refilled & ld_rsp_valid);
    cover (f_live & (reads == OUTSTANDING) & f_arx);
    cover (f_live & f_st & (f_ws != f_aws) & f_awx);
    cover (f_live & f_st & (f_ws != f_aws) & f_wx);
    cover (f_live & ld_accept & st_accept & f_arx & f_awx & f_wx & m_axi_rvalid & m_axi_bvalid);
    cover (f_live & f_pair & ~f_ld & m_axi_awvalid);
    cover (f_live & f_ld_now & ~f_ld_stale & ld_rsp_err & f_ld_addr[SHIFT]);
    cover ((TW == 0) | (f_live & f_ooo & f_ld_now));
  end
