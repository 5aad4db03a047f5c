// Proof of loom_memory_tagged. The protocol of all ports, the load ports
// (loom_memory_tagged_load.svh), the store queues and the queue of done tokens: by
// induction. The rest is bounded (TW at most 2, few elements): exact acceptance and
// offer contract of all ports, tags and order of every response, the value of every load
// against a shadow of one arbitrary element, each store performed once with the address
// and datum of its number and tag, no dependence between data and done, errors.
`include "f_reset.svh"
  localparam int RW = 1 + 2 * TW + OW;
  logic [NUM_REGION*RW-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_region;
  always_comb if (f_live) assume (cfg_region == f_cfg);
  f_channel #(.W(TW + AW), .ASSUME(1)) f_la (.clk(clk), .rst(rst), .valid(ldaddr_valid), .ready(ldaddr_ready), .data(ldaddr_data));
  f_channel #(.W(TW + AW), .ASSUME(1)) f_sa (.clk(clk), .rst(rst), .valid(staddr_valid), .ready(staddr_ready), .data(staddr_data));
  f_channel #(.W(TW + DW), .ASSUME(1)) f_sd (.clk(clk), .rst(rst), .valid(stdata_valid), .ready(stdata_ready), .data(stdata_data));
  f_channel #(.W(TW + DW)) f_ld (.clk(clk), .rst(rst), .valid(lddata_valid), .ready(lddata_ready), .data(lddata_data));
  f_channel #(.W(TW)) f_ldn (.clk(clk), .rst(rst), .valid(lddone_valid), .ready(lddone_ready), .data(lddone_data));
  f_channel #(.W(TW)) f_stn (.clk(clk), .rst(rst), .valid(stdone_valid), .ready(stdone_ready), .data(stdone_data));

  logic f_lax, f_ldx, f_lnx, f_snx, f_sax, f_sdx;
  assign f_lax = ldaddr_valid & ldaddr_ready;
  assign f_ldx = lddata_valid & lddata_ready;
  assign f_lnx = lddone_valid & lddone_ready;
  assign f_sax = staddr_valid & staddr_ready;
  assign f_sdx = stdata_valid & stdata_ready;
  assign f_snx = stdone_valid & stdone_ready;

  // The table as the specification writes it, tag by tag; addresses in bytes and wide.
  logic [3:0] f_hit;
  logic f_two, f_none;
  logic [7:0] f_offset [0:3];
  always_comb begin
    f_hit  = 4'd0;
    f_two  = 1'b0;
    f_none = 1'b0;
    for (int t = 0; t < 4; t++) begin
      f_offset[t] = 8'd0;
      for (int r = 0; r < NUM_REGION; r++) begin
        if (cfg_region[r*RW] && (t < (1 << TW)) && (cfg_region[r*RW+1 +: TW] <= t) && (t < cfg_region[r*RW+1+TW +: TW])) begin
          if (f_hit[t]) f_two = 1'b1;
          else f_offset[t] = cfg_region[r*RW+1+2*TW +: OW];
          f_hit[t] = 1'b1;
        end
        if (cfg_region[r*RW] && (cfg_region[r*RW+1+TW +: TW] <= cfg_region[r*RW+1 +: TW])) f_none = 1'b1;
      end
    end
  end
  logic [1:0] f_lt, f_at, f_dt;  // tags of the requests
  logic [7:0] f_ld_byte, f_st_byte;
  logic f_ld_in, f_ld_good;
  assign f_lt      = ldaddr_data[AW +: TW];
  assign f_at      = staddr_data[AW +: TW];
  assign f_dt      = stdata_data[DW +: TW];
  assign f_ld_byte = ldaddr_data[AW-1:0] * (DW / 8) + f_offset[f_lt];
  assign f_st_byte = staddr_data[AW-1:0] * (DW / 8) + f_offset[f_at];
  assign f_ld_in   = f_ld_byte / (DW / 8) < DEPTH;
  assign f_ld_good = (f_lt < LD_COUNT) & f_hit[f_lt] & f_ld_in;

  // Stores by tag and number (modulo 4): {region found, byte address} and datum.
  logic [7:0] f_sa_n, f_sd_n, f_st_n;  // two bits per tag
  logic [8:0] f_sa_log [0:15];
  logic [DW-1:0] f_sd_log [0:15];
  initial f_sa_n = 8'd0;
  initial f_sd_n = 8'd0;
  initial f_st_n = 8'd0;
  logic [1:0] f_pt;
  logic [8:0] f_pop_addr;
  logic f_stray_addr, f_stray_data, f_pop_in, f_hits;
  assign f_pt         = st_pop_tag;
  assign f_pop_addr   = f_sa_log[{f_pt, f_st_n[f_pt*2 +: 2]}];
  assign f_pop_in     = f_pop_addr[7:0] / (DW / 8) < DEPTH;
  assign f_stray_addr = staddr_valid & (f_at >= ST_COUNT);
  assign f_stray_data = stdata_valid & (f_dt >= ST_COUNT);

  (* anyconst *) logic [7:0] f_element;
  logic [DW-1:0] f_shadow;
  initial f_shadow = '0;
  assign f_hits = f_pop_addr[8] & f_pop_in & (f_pop_addr[7:0] / (DW / 8) == f_element);
  always_ff @(posedge clk) begin
    if (f_live) begin
      if (f_sax & ~f_stray_addr) begin
        f_sa_n[f_at*2 +: 2] <= f_sa_n[f_at*2 +: 2] + 2'd1;
        f_sa_log[{f_at, f_sa_n[f_at*2 +: 2]}] <= {f_hit[f_at], f_st_byte};
      end
      if (f_sdx & ~f_stray_data) begin
        f_sd_n[f_dt*2 +: 2] <= f_sd_n[f_dt*2 +: 2] + 2'd1;
        f_sd_log[{f_dt, f_sd_n[f_dt*2 +: 2]}] <= stdata_data[DW-1:0];
      end
      if (st_pop) begin
        f_st_n[f_pt*2 +: 2] <= f_st_n[f_pt*2 +: 2] + 2'd1;
        if (f_hits) f_shadow <= f_sd_log[{f_pt, f_st_n[f_pt*2 +: 2]}];
      end
    end
    if (HOST != 0 && host_en && host_we && (host_addr == f_element)) f_shadow <= host_wdata;
  end
  logic f_any_pair;
  always_comb begin
    f_any_pair = 1'b0;
    for (int t = 0; t < ST_COUNT; t++) f_any_pair = f_any_pair | ((f_sa_n[t*2 +: 2] != f_st_n[t*2 +: 2]) & (f_sd_n[t*2 +: 2] != f_st_n[t*2 +: 2]));
  end

  // Responses in flight; a marked load and a marked store.
  logic [7:0] f_datas, f_dones, f_stores, f_data_ahead, f_done_ahead, f_store_ahead, f_stuck;
  logic f_last, f_track_data, f_track_done, f_track_store;
  logic [TW-1:0] f_load_tag, f_store_tag;
  logic [DW-1:0] f_expect;
  logic f_stored;
  (* anyseq *) logic f_mark, f_mark_store;
  initial f_datas = 8'd0;
  initial f_dones = 8'd0;
  initial f_stores = 8'd0;
  initial f_stuck = 8'd0;
  initial f_last = 1'b0;
  initial f_track_data = 1'b0;
  initial f_track_done = 1'b0;
  initial f_track_store = 1'b0;
  assign f_stored = st_pop | (f_sax & f_stray_addr);
  always_ff @(posedge clk) if (f_live) begin
    f_datas  <= f_datas + {7'd0, f_lax} - {7'd0, f_ldx};
    f_dones  <= f_dones + {7'd0, f_lax} - {7'd0, f_lnx};
    f_stores <= f_stores + {7'd0, f_stored} - {7'd0, f_snx};
    f_last   <= f_lax;
    f_stuck  <= (ldaddr_valid & ~ldaddr_ready & lddata_ready & lddone_ready & ~host) ? f_stuck + 8'd1 : 8'd0;
    if (f_track_data & f_ldx) begin
      if (f_data_ahead == 8'd0) f_track_data <= 1'b0;
      f_data_ahead <= f_data_ahead - 8'd1;
    end
    if (f_track_done & f_lnx) begin
      if (f_done_ahead == 8'd0) f_track_done <= 1'b0;
      f_done_ahead <= f_done_ahead - 8'd1;
    end
    if (~f_track_data & ~f_track_done & f_lax & f_mark & (~f_ld_good | (f_ld_byte / (DW / 8) == f_element))) begin
      f_track_data <= 1'b1;
      f_track_done <= 1'b1;
      f_load_tag   <= f_lt;
      f_expect     <= f_ld_good ? f_shadow : '0;
      f_data_ahead <= f_datas - {7'd0, f_ldx};
      f_done_ahead <= f_dones - {7'd0, f_lnx};
    end
    if (f_track_store & f_snx) begin
      if (f_store_ahead == 8'd0) f_track_store <= 1'b0;
      f_store_ahead <= f_store_ahead - 8'd1;
    end
    if (~f_track_store & f_stored & f_mark_store) begin
      f_track_store <= 1'b1;
      f_store_tag   <= st_pop ? f_pt : f_at;
      f_store_ahead <= f_stores - {7'd0, f_snx};
    end
  end
  always_comb if (f_live & ~f_induction) begin
    assert (ldaddr_ready == ((f_datas < 4) & (f_dones < 4) & ~host & (LD_COUNT != 0)));
    assert (lddata_valid == (f_datas > {7'd0, f_last}));
    assert (lddone_valid == (f_dones > {7'd0, f_last}));
    assert (stdone_valid == (f_stores != 8'd0));
    assert (f_stores <= 4);
    assert (f_stuck <= 8'd4);
    if (f_track_data & lddata_valid & (f_data_ahead == 8'd0)) assert (lddata_data == {f_load_tag, f_expect});
    if (f_track_done & lddone_valid & (f_done_ahead == 8'd0)) assert (lddone_data == f_load_tag);
    if (f_track_store & stdone_valid & (f_store_ahead == 8'd0)) assert (stdone_data == f_store_tag);
    if (ST_COUNT != 0) begin
      if (f_stray_addr) assert (staddr_ready == (f_stores < 4));
      if (f_stray_data) assert (stdata_ready);
      // Some store is written as soon as a pair and a slot for its done are there.
      assert (st_pop == (f_any_pair & (f_stores < 4) & ~f_stray_addr & ~host));
      if (st_pop) begin
        assert (f_pt < ST_COUNT);
        assert ((f_sa_n[f_pt*2 +: 2] != f_st_n[f_pt*2 +: 2]) & (f_sd_n[f_pt*2 +: 2] != f_st_n[f_pt*2 +: 2]));
      end
      assert (idle == ((f_datas == 8'd0) & (f_dones == 8'd0) & (f_stores == 8'd0) & (f_sa_n == f_st_n) & (f_sd_n == f_st_n)));
    end
    // The smallest code of the cycle.
    if (f_two) assert (err_valid & (err_code == 16'd12));
    else if (f_none) assert (err_valid & (err_code == 16'd13));
    else if ((f_lax & (f_lt >= LD_COUNT)) | (f_sax & f_stray_addr) | (f_sdx & f_stray_data)) assert (err_valid & (err_code == 16'd260));
    else if (deadlock) assert (err_valid & (err_code == 16'd261));
    else if ((f_lax & ~f_hit[f_lt]) | (st_pop & ~f_pop_addr[8])) assert (err_valid & (err_code == 16'd264));
    else if ((f_lax & ~f_ld_in) | (st_pop & ~f_pop_in)) assert (err_valid & (err_code == 16'd512));
    else assert (~err_valid);
  end
  logic [7:0] f_streak, f_tags_streak;
  logic [TW-1:0] f_tag_before;
  initial f_streak = 8'd0;
  initial f_tags_streak = 8'd0;
  always_ff @(posedge clk) begin
    f_streak      <= (f_live & f_lax & f_ldx & st_pop & ~err_valid) ? f_streak + 8'd1 : 8'd0;
    f_tags_streak <= (f_live & st_pop & (st_pop_tag != f_tag_before) & ~err_valid) ? f_tags_streak + 8'd1 : 8'd0;
    f_tag_before  <= st_pop_tag;
  end
  always_comb if (ST_COUNT > 1 && LD_COUNT > 0) begin
    cover (f_streak == 8'd2);       // one load and one store per cycle
    cover (f_tags_streak == 8'd2);  // stores of several tags in consecutive cycles
    cover (f_live & f_track_data & f_ldx & (f_data_ahead == 8'd0) & (f_expect == {DW{1'b1}}));
    cover (f_live & (f_datas == 4) & (f_dones == 0));
    cover (f_live & err_valid & (err_code == 16'd13));
    cover (f_live & err_valid & (err_code == 16'd260) & f_sax);
    cover (f_live & err_valid & (err_code == 16'd264) & st_pop);
    cover (f_live & err_valid & (err_code == 16'd512));
  end
