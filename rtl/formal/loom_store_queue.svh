// Proof of loom_store_queue: both queues keep order and lose nothing, so that the n-th
// address always meets the n-th datum; the deadlock report comes after exactly TIMEOUT
// cycles of one-sided waiting and once.
`ifdef F_TOP_loom_store_queue
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(AW), .ASSUME(F_TOP)) f_a (.clk(clk), .rst(rst), .valid(addr_valid), .ready(addr_ready), .data(addr_data));
  f_channel #(.W(DW), .ASSUME(F_TOP)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data(data_data));
  generate
    if (F_TOP) begin : g_f_pop
      always_comb assume (~pop | pair_valid);
    end else begin : g_f_pop_check
      always_comb if (f_live) assert (~pop | pair_valid);
    end
  endgenerate

  logic [7:0] f_addrs, f_datas, f_addr_ahead, f_data_ahead, f_waited;
  logic f_track_addr, f_track_data;
  logic [AW-1:0] f_addr;
  logic [DW-1:0] f_data;
  (* anyseq *) logic f_mark_addr, f_mark_data;
  logic f_ax, f_dx;
  assign f_ax = addr_valid & addr_ready & f_live;
  assign f_dx = data_valid & data_ready & f_live;
  initial f_addrs = 8'd0;
  initial f_datas = 8'd0;
  initial f_waited = 8'd0;
  initial f_track_addr = 1'b0;
  initial f_track_data = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_addrs <= f_addrs + {7'd0, f_ax} - {7'd0, pop};
    f_datas <= f_datas + {7'd0, f_dx} - {7'd0, pop};
    if (f_track_addr) begin
      if (pop) begin
        if (f_addr_ahead == 8'd0) f_track_addr <= 1'b0;
        f_addr_ahead <= f_addr_ahead - 8'd1;
      end
    end else if (f_ax & f_mark_addr) begin
      f_track_addr <= 1'b1;
      f_addr       <= addr_data;
      f_addr_ahead <= f_addrs - {7'd0, pop};
    end
    if (f_track_data) begin
      if (pop) begin
        if (f_data_ahead == 8'd0) f_track_data <= 1'b0;
        f_data_ahead <= f_data_ahead - 8'd1;
      end
    end else if (f_dx & f_mark_data) begin
      f_track_data <= 1'b1;
      f_data       <= data_data;
      f_data_ahead <= f_datas - {7'd0, pop};
    end
    if ((f_addrs == 8'd0) == (f_datas == 8'd0)) f_waited <= 8'd0;
    else if (f_waited != 8'd255) f_waited <= f_waited + 8'd1;
  end
  always_comb if (f_live) begin
    assert (f_addrs <= DEPTH);
    assert (f_datas <= DEPTH);
    assert (addr_ready == ((f_addrs < DEPTH) | pop));
    assert (data_ready == ((f_datas < DEPTH) | pop));
    assert (pair_valid == ((f_addrs != 8'd0) & (f_datas != 8'd0)));
    assert (idle == ((f_addrs == 8'd0) & (f_datas == 8'd0)));
    if (f_track_addr & pair_valid & (f_addr_ahead == 8'd0)) assert (pair_addr == f_addr);
    if (f_track_data & pair_valid & (f_data_ahead == 8'd0)) assert (pair_data == f_data);
    assert (deadlock == (((f_addrs == 8'd0) != (f_datas == 8'd0)) & (f_waited == TIMEOUT - 1)));
  end
`ifdef F_TOP_loom_store_queue
  always_comb begin
    cover (f_live & deadlock);
    cover (f_live & (f_addrs == DEPTH) & pop & f_ax & f_dx);
    cover (f_live & (f_datas == DEPTH) & (f_addrs == 8'd0));
  end
`endif
