// Proof of loom_axi_bus: the rules of AXI4 as f_axi4 states them, every access once on the bus
// with its address, size, data and its number as ID, every response to the access of its ID and
// to no other. The bus responds as f_axi4 allows: in any order across IDs.
// Inductive: what does not depend on the checker's tables. Accesses keep to the limit of
// transactions and to the strobes of their element, which the proofs of loom_axi_load and
// loom_axi_store show.
`include "f_reset.svh"
  localparam int F_MAX = 3;
  logic f_was_rst;
  initial f_was_rst = 1'b1;
  always_ff @(posedge clk) f_was_rst <= rst;
  // With bursts AW is that of a store: loom_axi_store offers nothing in the first cycle after reset.
  always_comb if ((BURST > 1) & (rst | f_was_rst)) assume (~|aw_valid);
  for (genvar i = 0; i < LD; i++) begin : f_load
    logic [2:0] f_size;
    assign f_size = ar_wide[i] ? WORD : LD_SIZE[i*3 +: 3];
    f_channel #(.W(BUS_AW + 9), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(ar_valid[i]), .ready(ar_ready[i]), .data({ar_addr[i*BUS_AW +: BUS_AW], ar_len[i*8 +: 8], ar_wide[i]}));
    always_comb assume (((ar_addr[i*BUS_AW +: BUS_AW] >> f_size) & BUS_AW'(BURST - 1)) + ar_len[i*8 +: 8] < BURST);
    always_comb assume ((ar_addr[i*BUS_AW +: BUS_AW] & BUS_AW'((1 << f_size) - 1)) == '0);
    always_comb if (BURST == 1) assume (~ar_wide[i]);
    always_comb if (f_live) assert (r_valid[i] == (m_axi_rvalid & (m_axi_rid == i)));
  end
  for (genvar i = 0; i < ST; i++) begin : f_store
    logic [BUS_AW-1:0] f_at;  // address of the data that is offered, and its size
    logic [2:0] f_size, f_at_size;
    assign f_size = aw_wide[i] ? WORD : ST_SIZE[i*3 +: 3];
    if (BURST == 1) begin : f_single
      f_channel #(.W(BUS_AW + BUS_DW + BUS_DW / 8), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(aw_valid[i]), .ready(aw_ready[i]),
          .data({aw_addr[i*BUS_AW +: BUS_AW], w_data[i*BUS_DW +: BUS_DW], w_strb[i*(BUS_DW/8) +: BUS_DW/8]}));
      assign f_at = aw_addr[i*BUS_AW +: BUS_AW];
      assign f_at_size = f_size;
      always_comb assume (~aw_wide[i]);
    end else begin : f_bursts
      f_channel #(.W(BUS_AW + 9), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(aw_valid[i]), .ready(aw_ready[i]),
          .data({aw_addr[i*BUS_AW +: BUS_AW], aw_len[i*8 +: 8], aw_wide[i]}));
      f_channel #(.W(BUS_DW + BUS_DW / 8 + 1), .ASSUME(1)) f_w (.clk(clk), .rst(rst), .valid(w_valid[i]), .ready(w_ready[i]),
          .data({w_data[i*BUS_DW +: BUS_DW], w_strb[i*(BUS_DW/8) +: BUS_DW/8], w_last[i]}));
      // The data of a burst is offered behind its address, and has its length.
      logic [BUS_AW+10:0] f_queue [0:3];
      logic [2:0] f_wr, f_rd;
      logic [7:0] f_beat, f_len;
      logic [BUS_AW-1:0] f_first;
      initial f_wr   = 3'd0;
      initial f_rd   = 3'd0;
      initial f_beat = 8'd0;
      assign {f_at_size, f_first, f_len} = f_queue[f_rd[1:0]];
      assign f_at = f_first + (BUS_AW'(f_beat) << f_at_size);
      always_ff @(posedge clk) if (f_live) begin
        if (aw_valid[i] & aw_ready[i]) begin
          f_wr <= f_wr + 3'd1;
          f_queue[f_wr[1:0]] <= {f_size, aw_addr[i*BUS_AW +: BUS_AW], aw_len[i*8 +: 8]};
        end
        if (w_valid[i] & w_ready[i]) begin
          f_beat <= w_last[i] ? 8'd0 : f_beat + 8'd1;
          if (w_last[i]) f_rd <= f_rd + 3'd1;
        end
      end
      always_comb begin
        assume (((aw_addr[i*BUS_AW +: BUS_AW] >> f_size) & BUS_AW'(BURST - 1)) + aw_len[i*8 +: 8] < BURST);
        assume (~w_valid[i] | ((f_wr != f_rd) & (w_last[i] == (f_beat == f_len))));
        assume (~rst | ~w_valid[i]);
        // What is taken is on the bus: the address with its ID, the data in the turn of its address.
        if (f_live & aw_valid[i] & aw_ready[i]) assert (m_axi_awvalid & m_axi_awready & (m_axi_awid == i) &
            (m_axi_awaddr == aw_addr[i*BUS_AW +: BUS_AW]) & (m_axi_awlen == aw_len[i*8 +: 8]) & (m_axi_awsize == f_size));
        if (f_live & w_ready[i] & w_valid[i]) assert (m_axi_wvalid & m_axi_wready & (m_axi_wdata == w_data[i*BUS_DW +: BUS_DW]) &
            (m_axi_wstrb == w_strb[i*(BUS_DW/8) +: BUS_DW/8]) & (m_axi_wlast == w_last[i]));
      end
    end
    always_comb assume ((aw_addr[i*BUS_AW +: BUS_AW] & BUS_AW'((1 << f_size) - 1)) == '0);
    always_comb assume (w_strb[i*(BUS_DW/8) +: BUS_DW/8] ==
        (({(BUS_DW / 8) {1'b1}} >> (BUS_DW / 8 - (1 << f_at_size))) << (f_at % (BUS_DW / 8))));
    always_comb if (f_live) assert (b_valid[i] == (m_axi_bvalid & (m_axi_bid == i)));
  end
  (* anyseq *) logic [15:0] f_r_number, f_b_number;
  logic [19:0] f_fault, f_broken;
  logic [15:0] f_bus_reads, f_bus_writes, f_ars, f_aws, f_ws;
  f_axi4 #(.IDW(IDW), .AW(BUS_AW), .DW(BUS_DW), .EW(8), .MAX(F_MAX), .NUMBERED(1), .MIXED(1), .BURST(BURST)) f_axi (
      .clk(clk), .rst(rst),
      .awvalid(m_axi_awvalid), .awready(m_axi_awready), .awid(m_axi_awid), .awaddr(m_axi_awaddr), .awlen(m_axi_awlen), .awsize(m_axi_awsize), .awburst(m_axi_awburst),
      .wvalid(m_axi_wvalid), .wready(m_axi_wready), .wdata(m_axi_wdata), .wstrb(m_axi_wstrb), .wlast(m_axi_wlast),
      .bvalid(m_axi_bvalid), .bready(m_axi_bready), .bid(m_axi_bid), .bresp(m_axi_bresp), .b_number(f_b_number),
      .arvalid(m_axi_arvalid), .arready(m_axi_arready), .arid(m_axi_arid), .araddr(m_axi_araddr), .arlen(m_axi_arlen), .arsize(m_axi_arsize), .arburst(m_axi_arburst),
      .rvalid(m_axi_rvalid), .rready(m_axi_rready), .rid(m_axi_rid), .rdata(m_axi_rdata), .rresp(m_axi_rresp), .rlast(m_axi_rlast), .r_number(f_r_number),
      .reads(f_bus_reads), .writes(f_bus_writes), .ars(f_ars), .aws(f_aws), .ws(f_ws), .fault(f_fault), .broken(f_broken));

  logic f_arx, f_awx;
  assign f_arx = |(ar_valid & ar_ready);
  assign f_awx = |(aw_valid & aw_ready);
  // Accesses taken since reset; the number of transactions in flight stays in the limit.
  logic [15:0] f_lds, f_sts;
  initial f_lds = 16'd0;
  initial f_sts = 16'd0;
  // One load and one store, marked at will: the access, its address and data.
  (* anyseq *) logic f_mark_ld, f_mark_st;
  (* anyconst *) logic [3:0] f_which_ld, f_which_st;
  logic f_ld, f_st;
  logic [15:0] f_ld_number, f_st_number;
  logic [BUS_AW-1:0] f_ld_addr, f_st_addr;
  logic [7:0] f_ld_len;
  logic f_ld_wide;
  logic [BUS_DW-1:0] f_st_data;
  initial f_ld = 1'b0;
  initial f_st = 1'b0;
  always_comb assume (f_which_ld < ((LD > 0) ? LD : 1) && f_which_st < ((ST > 0) ? ST : 1));
  always_ff @(posedge clk) if (f_live) begin
    f_lds <= f_lds + {15'd0, f_arx};
    f_sts <= f_sts + {15'd0, f_awx};
    if (f_ld) f_ld <= ~(m_axi_rvalid & m_axi_rlast & (f_r_number == f_ld_number));
    else if (f_mark_ld & ar_valid[f_which_ld] & ar_ready[f_which_ld]) begin
      f_ld        <= 1'b1;
      f_ld_number <= f_lds;
      f_ld_addr   <= ar_addr[f_which_ld*BUS_AW +: BUS_AW];
      f_ld_len    <= ar_len[f_which_ld*8 +: 8];
      f_ld_wide   <= ar_wide[f_which_ld];
    end
    if (f_st) f_st <= ~(m_axi_bvalid & (f_b_number == f_st_number));
    else if (f_mark_st & aw_valid[f_which_st] & aw_ready[f_which_st]) begin
      f_st        <= 1'b1;
      f_st_number <= f_sts;
      f_st_addr   <= aw_addr[f_which_st*BUS_AW +: BUS_AW];
      f_st_data   <= w_data[f_which_st*BUS_DW +: BUS_DW];
    end
  end
  // The response to a write comes from its destination.
  always_comb assert (~m_axi_awcache[0]);
  always_comb begin
    assume (~|(f_fault & 20'h7f858));
    if (rst) assume (~m_axi_rvalid & ~m_axi_bvalid);
    if (f_induction) assert (~|(f_fault & 20'h803a7));
    else if (f_live) assert (~|(f_fault & 20'h807a7));
  end
  always_comb if (f_live) begin
    // Nothing lost, nothing twice: what is taken is on the bus or waits in one register.
    assert ((f_lds - f_ars) == {15'd0, m_axi_arvalid});
    assert ((f_sts - f_aws) == ((BURST == 1) ? {15'd0, m_axi_awvalid} : 16'd0));
    if (BURST == 1) assert ((f_sts - f_ws) == {15'd0, m_axi_wvalid});
    assert ($onehot0(ar_valid & ar_ready) & $onehot0(aw_valid & aw_ready));
    // An access waits for the registers of its channels and for its turn, for nothing else.
    if (LD > 0) assert (f_arx == ((|ar_valid) & (~m_axi_arvalid | m_axi_arready)));
    if (ST > 0 && BURST == 1) assert (f_awx == ((|aw_valid) & (~m_axi_awvalid | m_axi_awready) & (~m_axi_wvalid | m_axi_wready)));
    assert (m_axi_rready & m_axi_bready);
    assert (r_data == m_axi_rdata);
    assert (r_last == m_axi_rlast);
    assert (r_err == ((m_axi_rresp == 2'b10) | (m_axi_rresp == 2'b11)));
    assert (b_err == ((m_axi_bresp == 2'b10) | (m_axi_bresp == 2'b11)));
    // Overtaken by fewer than 2^15 others, so that the counts do not wrap.
    assume (~f_induction | ~f_ld | (f_lds - f_ld_number < 16'h8000));
    assume (~f_induction | ~f_st | (f_sts - f_st_number < 16'h8000));
    if (f_ld) assert (f_lds != f_ld_number);
    if (f_st) assert (f_sts != f_st_number);
    if (f_ld & m_axi_arvalid & (f_ars == f_ld_number)) assert ((m_axi_araddr == f_ld_addr) & (m_axi_arlen == f_ld_len) & (m_axi_arid == f_which_ld) & (m_axi_arsize == (f_ld_wide ? WORD : LD_SIZE[f_which_ld*3 +: 3])));
    if (f_st & (BURST == 1) & m_axi_awvalid & (f_aws == f_st_number)) assert ((m_axi_awaddr == f_st_addr) & (m_axi_awid == f_which_st) & (m_axi_awsize == ST_SIZE[f_which_st*3 +: 3]));
    if (f_st & (BURST == 1) & m_axi_wvalid & (f_ws == f_st_number)) assert (m_axi_wdata == f_st_data);
    if (~f_induction & f_ld & m_axi_rvalid & (f_r_number == f_ld_number)) assert (r_valid[f_which_ld]);
    if (~f_induction & f_st & m_axi_bvalid & (f_b_number == f_st_number)) assert (b_valid[f_which_st]);
  end
  always_comb begin
    cover (f_live & f_ld & m_axi_rvalid & (f_r_number == f_ld_number) & (f_which_ld == LD - 1));
    cover (f_live & f_st & m_axi_bvalid & (f_b_number == f_st_number) & (f_which_st == ST - 1));
    cover (f_live & f_arx & f_awx & m_axi_rvalid & m_axi_bvalid);
    cover (f_live & (f_aws != f_ws) & f_awx);
    if (BURST > 1) cover (f_live & m_axi_wvalid & ~m_axi_wlast & m_axi_awvalid & (m_axi_awid != 0));
  end
