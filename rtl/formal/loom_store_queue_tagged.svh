// Proof of loom_store_queue_tagged, for an arbitrary tag f_t: both its queues keep order
// and lose nothing, so that the n-th address always meets the n-th datum; a tag with a
// pair waits for at most one store of every other tag; its deadlock report comes after
// exactly TIMEOUT cycles of one-sided waiting and once. A pair that is kept stays as it is.
`ifdef F_TOP_loom_store_queue_tagged
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(SW + AW), .ASSUME(F_TOP)) f_a (.clk(clk), .rst(rst), .valid(addr_valid), .ready(addr_ready), .data({addr_tag, addr_data}));
  f_channel #(.W(SW + DW), .ASSUME(F_TOP)) f_d (.clk(clk), .rst(rst), .valid(data_valid), .ready(data_ready), .data({data_tag, data_data}));
  generate
    if (F_TOP) begin : g_f_pop
      always_comb assume (~(pop | keep) | pair_valid);
      always_comb assume (~addr_valid | (addr_tag < COUNT));
      always_comb assume (~data_valid | (data_tag < COUNT));
    end else begin : g_f_pop_check
      always_comb if (f_live) assert (~(pop | keep) | pair_valid);
      always_comb if (f_live) assert (~addr_valid | (addr_tag < COUNT));
      always_comb if (f_live) assert (~data_valid | (data_tag < COUNT));
    end
  endgenerate

  logic f_kept;
  logic [SW+AW+DW-1:0] f_kept_pair;
  initial f_kept = 1'b0;
  always_ff @(posedge clk) begin
    f_kept      <= f_live & keep & ~pop;
    f_kept_pair <= {pair_tag, pair_addr, pair_data};
  end
  always_comb if (f_live & f_kept) assert (pair_valid & ({pair_tag, pair_addr, pair_data} == f_kept_pair));

  (* anyconst *) logic [SW-1:0] f_t;
  always_comb assume (f_t < COUNT);
  logic [7:0] f_addrs, f_datas, f_addr_ahead, f_data_ahead, f_waited, f_others, f_distance;
  logic f_track_addr, f_track_data;
  logic [AW-1:0] f_addr;
  logic [DW-1:0] f_data;
  (* anyseq *) logic f_mark_addr, f_mark_data;
  logic f_ax, f_dx, f_px;
  assign f_ax = addr_valid & addr_ready & (addr_tag == f_t);
  assign f_dx = data_valid & data_ready & (data_tag == f_t);
  assign f_px = pop & (pair_tag == f_t);
  initial f_addrs = 8'd0;
  initial f_datas = 8'd0;
  initial f_waited = 8'd0;
  initial f_others = 8'd0;
  initial f_track_addr = 1'b0;
  initial f_track_data = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_addrs <= f_addrs + {7'd0, f_ax} - {7'd0, f_px};
    f_datas <= f_datas + {7'd0, f_dx} - {7'd0, f_px};
    if (f_track_addr) begin
      if (f_px) begin
        if (f_addr_ahead == 8'd0) f_track_addr <= 1'b0;
        f_addr_ahead <= f_addr_ahead - 8'd1;
      end
    end else if (f_ax & f_mark_addr) begin
      f_track_addr <= 1'b1;
      f_addr       <= addr_data;
      f_addr_ahead <= f_addrs - {7'd0, f_px};
    end
    if (f_track_data) begin
      if (f_px) begin
        if (f_data_ahead == 8'd0) f_track_data <= 1'b0;
        f_data_ahead <= f_data_ahead - 8'd1;
      end
    end else if (f_dx & f_mark_data) begin
      f_track_data <= 1'b1;
      f_data       <= data_data;
      f_data_ahead <= f_datas - {7'd0, f_px};
    end
    if ((f_addrs == 8'd0) == (f_datas == 8'd0)) f_waited <= 8'd0;
    else if (f_waited < TIMEOUT) f_waited <= f_waited + 8'd1;
    // Stores of other tags since this one has a pair.
    if ((f_addrs == 8'd0) | (f_datas == 8'd0) | f_px) f_others <= 8'd0;
    else if (pop) f_others <= f_others + 8'd1;
  end
  always_comb if (f_live) begin
    assert (f_addrs <= DEPTH);
    assert (f_datas <= DEPTH);
    if (addr_tag == f_t) assert (addr_ready == ((f_addrs < DEPTH) | f_px));
    if (data_tag == f_t) assert (data_ready == ((f_datas < DEPTH) | f_px));
    if ((f_addrs != 8'd0) & (f_datas != 8'd0)) assert (pair_valid);
    if (pair_valid & (pair_tag == f_t)) begin
      assert ((f_addrs != 8'd0) & (f_datas != 8'd0));
      if (f_track_addr & (f_addr_ahead == 8'd0)) assert (pair_addr == f_addr);
      if (f_track_data & (f_data_ahead == 8'd0)) assert (pair_data == f_data);
    end
    if (pair_valid) assert (pair_tag < COUNT);
    if (idle) assert ((f_addrs == 8'd0) & (f_datas == 8'd0));
    assert (f_others < COUNT);
    assert (alarm[f_t] == (((f_addrs == 8'd0) != (f_datas == 8'd0)) & (f_waited == TIMEOUT - 1)));
    assert (deadlock == (|alarm));
  end

  // What makes the proof inductive: the counts and the marked halves as the state has them.
  logic [7:0] f_rd, f_addr_end, f_data_end, f_addr_at, f_data_at;
  assign f_rd       = rd[f_t*PW +: PW];
  assign f_addr_end = f_rd + f_addrs;
  assign f_data_end = f_rd + f_datas;
  assign f_addr_at  = f_rd + f_addr_ahead;
  assign f_data_at  = f_rd + f_data_ahead;
  assign f_distance = (f_t > last) ? f_t - last : COUNT + f_t - last;
  function automatic logic [PW-1:0] f_wrap(input logic [7:0] n);
    f_wrap = (n >= DEPTH) ? n - DEPTH : n;
  endfunction
  always_comb if (f_live) begin
    for (int k = 0; k < COUNT; k++) begin
      assert ((rd[k*PW +: PW] < DEPTH) & (addr_wr[k*PW +: PW] < DEPTH) & (data_wr[k*PW +: PW] < DEPTH));
      assert ((rd[k*PW +: PW] == addr_wr[k*PW +: PW]) == (addr_full[k] | ~addr_filled[k]));
      assert ((rd[k*PW +: PW] == data_wr[k*PW +: PW]) == (data_full[k] | ~data_filled[k]));
      assert ((~addr_full[k] | addr_filled[k]) & (~data_full[k] | data_filled[k]));
    end
    assert (f_rd < DEPTH);
    assert (last < COUNT);
    assert (addr_filled[f_t] == (f_addrs != 8'd0));
    assert (data_filled[f_t] == (f_datas != 8'd0));
    assert (addr_full[f_t] == (f_addrs == DEPTH));
    assert (data_full[f_t] == (f_datas == DEPTH));
    assert (addr_wr[f_t*PW +: PW] == f_wrap(f_addr_end));
    assert (data_wr[f_t*PW +: PW] == f_wrap(f_data_end));
    assert (waited[f_t*CW +: CW] == f_waited);
    assert (f_waited <= TIMEOUT);
    assert (f_others + f_distance <= COUNT);
    if (f_track_addr) assert ((f_addr_ahead < f_addrs) & (addr_slot[{f_t, f_wrap(f_addr_at)}] == f_addr));
    if (f_track_data) assert ((f_data_ahead < f_datas) & (data_slot[{f_t, f_wrap(f_data_at)}] == f_data));
  end
`ifdef F_TOP_loom_store_queue_tagged
  always_comb begin
    cover (f_live & alarm[f_t] & (f_t != 0));
    cover (f_live & (f_addrs == DEPTH) & f_px & f_ax & f_dx);
    cover (f_live & (f_datas == DEPTH) & (f_addrs == 8'd0));
    cover (f_live & (f_others == COUNT - 1) & f_px);
    cover (f_live & f_kept & f_px & (addr_filled == '1) & (data_filled == '1));
  end
`endif
