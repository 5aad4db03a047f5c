// Proof of loom_axi_coalesce: the rules of AXI4 on the side of the bursts, as f_axi4 states them;
// write data passes in order; responses to writes are as many as there are elements, per ID, and not
// before their burst has one. The order of elements is that of loom_axi_run. Bounded.
`include "f_reset.svh"
`ifdef F_TOP_loom_axi_coalesce
  f_channel #(.W(IDW + AW + 3), .ASSUME(1)) f_aw (.clk(clk), .rst(rst), .valid(s_awvalid), .ready(s_awready), .data({s_awid, s_awaddr, s_awsize}));
  f_channel #(.W(IDW + AW + 3), .ASSUME(1)) f_ar (.clk(clk), .rst(rst), .valid(s_arvalid), .ready(s_arready), .data({s_arid, s_araddr, s_arsize}));
  f_channel #(.W(DW + DW / 8), .ASSUME(1)) f_w (.clk(clk), .rst(rst), .valid(s_wvalid), .ready(s_wready), .data({s_wdata, s_wstrb}));
  // Nothing is requested in the first cycle after reset, as AXI4 has it.
  logic f_was_rst;
  initial f_was_rst = 1'b1;
  always_ff @(posedge clk) f_was_rst <= rst;
  always_comb if (rst | f_was_rst) assume (~s_awvalid & ~s_arvalid & ~s_wvalid);
  // Elements of a byte on a bus of one or two.
  always_comb assume ((s_awsize == 3'd0) & (s_arsize == 3'd0));

  (* anyseq *) logic [15:0] f_r_number, f_b_number;
  logic [19:0] f_fault, f_broken;
  logic [15:0] f_reads, f_writes, f_ars, f_aws, f_ws;
  f_axi4 #(.IDW(IDW), .AW(AW), .DW(DW), .EW(8), .MAX(PLACES), .BURST(BURST)) f_axi (
      .clk(clk), .rst(rst),
      .awvalid(m_awvalid), .awready(m_awready), .awid(m_awid), .awaddr(m_awaddr), .awlen(m_awlen), .awsize(m_awsize), .awburst(2'b01),
      .wvalid(m_wvalid), .wready(m_wready), .wdata(m_wdata), .wstrb(m_wstrb), .wlast(m_wlast),
      .bvalid(m_bvalid), .bready(1'b1), .bid(m_bid), .bresp(m_bresp), .b_number(f_b_number),
      .arvalid(m_arvalid), .arready(m_arready), .arid(m_arid), .araddr(m_araddr), .arlen(m_arlen), .arsize(m_arsize), .arburst(2'b01),
      .rvalid(m_rvalid), .rready(1'b1), .rid(m_rid), .rdata(m_rdata), .rresp(m_rresp), .rlast(m_rlast), .r_number(f_r_number),
      .reads(f_reads), .writes(f_writes), .ars(f_ars), .aws(f_aws), .ws(f_ws), .fault(f_fault), .broken(f_broken));
  // The strobes of the requests name the byte of their element: those that f_axi4 expects of the bursts.
  localparam int F_LANES = DW / 8;
  logic [7:0] f_asked, f_given;
  logic [31:0] f_low;
  initial f_asked = 8'd0;
  initial f_given = 8'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (s_awvalid & s_awready) begin
      f_asked <= f_asked + 8'd1;
      f_low[f_asked[4:0]] <= s_awaddr[0];
    end
    if (s_wvalid & s_wready) f_given <= f_given + 8'd1;
  end
  // Data comes with its address or behind it.
  logic f_place;
  assign f_place = (f_given == f_asked) ? s_awaddr[0] : f_low[f_given[4:0]];
  always_comb begin
    assume (~(s_wvalid & s_wready) | (f_given < f_asked + {7'd0, s_awvalid & s_awready}));
    assume ((F_LANES == 1) ? &s_wstrb : (s_wstrb == (f_place ? (DW / 8)'(2) : (DW / 8)'(1))));
    assume (~|(f_fault & 20'h7e058));
    if (f_live) assert (~|(f_fault & 20'h81fa7));
  end

  // Write data with a number at will.
  (* anyconst *) logic [7:0] f_number;
  logic [7:0] f_sent;
  logic [DW-1:0] f_data;
  initial f_sent = 8'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (s_wvalid & s_wready & (f_given == f_number)) f_data <= s_wdata;
    if (m_wvalid & m_wready) f_sent <= f_sent + 8'd1;
  end
  always_comb if (f_live & m_wvalid & (f_sent == f_number)) begin
    assert (f_number < f_given);
    assert (m_wdata == f_data);
  end

  // Elements of an ID that were requested, of bursts that were sent, and answered.
  (* anyconst *) logic [IDW-1:0] f_id;
  logic [7:0] f_wanted, f_in_bursts, f_answers;
  initial f_wanted    = 8'd0;
  initial f_in_bursts = 8'd0;
  initial f_answers   = 8'd0;
  always_ff @(posedge clk) if (f_live) begin
    f_wanted    <= f_wanted + {7'd0, s_awvalid & s_awready & (s_awid == f_id)};
    f_in_bursts <= f_in_bursts + ((m_awvalid & m_awready & (m_awid == f_id)) ? m_awlen + 8'd1 : 8'd0);
    f_answers   <= f_answers + {7'd0, s_bvalid & (s_bid == f_id)};
  end
  always_comb if (f_live) begin
    assert (f_answers <= f_in_bursts);
    assert (f_in_bursts <= f_wanted);
    // With nothing on the way everything has been answered.
    if (unused_write_idle) assert (f_answers == f_wanted);
    if (m_bvalid) assert (unused_response_ready);
    if (m_awvalid & m_awready) assert (length_ready);
  end
  always_ff @(posedge clk) begin
    cover (f_live & m_wvalid & m_wready & m_wlast & (m_awlen != 8'd0));
    cover (f_live & s_bvalid & (answered != '0));
  end
`endif
