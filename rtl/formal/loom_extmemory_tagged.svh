// Proof of loom_extmemory_tagged. By induction: the protocol of all channels, requests
// included, and the ports (loom_extmemory_tagged_load.svh, _store.svh, the store queues).
// The rest is bounded (TW at most 2): addresses of all requests, every store requested
// once with the address and datum of its number and tag, the responses of one arbitrary tag
// in the order of its requests when the bus responds to each tag in order, errors.
`include "f_reset.svh"
  localparam int F_RW = 65 + 64 * BOUNDS + 2 * TW;
  logic [NUM_REGION*F_RW-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_region;
  always_comb if (f_live) assume (cfg_region == f_cfg);
  f_channel #(.W(TW + AW), .ASSUME(1)) f_la (.clk(clk), .rst(rst), .valid(ldaddr_valid), .ready(ldaddr_ready), .data(ldaddr_data));
  f_channel #(.W(TW + AW), .ASSUME(1)) f_sa (.clk(clk), .rst(rst), .valid(staddr_valid), .ready(staddr_ready), .data(staddr_data));
  f_channel #(.W(TW + DW), .ASSUME(1)) f_sd (.clk(clk), .rst(rst), .valid(stdata_valid), .ready(stdata_ready), .data(stdata_data));
  f_channel #(.W(TW + DW)) f_ld (.clk(clk), .rst(rst), .valid(lddata_valid), .ready(lddata_ready), .data(lddata_data));
  f_channel #(.W(TW)) f_ldn (.clk(clk), .rst(rst), .valid(lddone_valid), .ready(lddone_ready), .data(lddone_data));
  f_channel #(.W(TW)) f_stn (.clk(clk), .rst(rst), .valid(stdone_valid), .ready(stdone_ready), .data(stdone_data));
  f_channel #(.W(64 + TW)) f_lr (.clk(clk), .rst(rst), .valid(ld_req_valid), .ready(ld_req_ready), .data({ld_req_addr, ld_req_tag}));
  f_channel #(.W(64 + TW + DW)) f_sr (.clk(clk), .rst(rst), .valid(st_req_valid), .ready(st_req_ready), .data({st_req_addr, st_req_tag, st_req_data}));

  logic f_lax, f_ldx, f_lnx, f_snx, f_sax, f_sdx, f_lrx, f_srx;
  assign f_lax = ldaddr_valid & ldaddr_ready;
  assign f_ldx = lddata_valid & lddata_ready;
  assign f_lnx = lddone_valid & lddone_ready;
  assign f_sax = staddr_valid & staddr_ready;
  assign f_sdx = stdata_valid & stdata_ready;
  assign f_snx = stdone_valid & stdone_ready;
  assign f_lrx = ld_req_valid & ld_req_ready;
  assign f_srx = st_req_valid & st_req_ready;

  // The table as the specification writes it, tag by tag.
  logic [3:0] f_hit;
  logic f_two, f_none;
  logic [63:0] f_offset [0:3];
  logic [63:0] f_size [0:3];
  always_comb begin
    f_hit  = 4'd0;
    f_two  = 1'b0;
    f_none = 1'b0;
    for (int t = 0; t < 4; t++) begin
      f_offset[t] = 64'd0;
      f_size[t]   = '1;
      for (int r = 0; r < NUM_REGION; r++) begin
        if (cfg_region[r*F_RW] && (t < (1 << TW)) && (cfg_region[r*F_RW+1 +: TW] <= t) && (t < cfg_region[r*F_RW+1+TW +: TW])) begin
          if (f_hit[t]) f_two = 1'b1;
          else begin
            f_offset[t] = cfg_region[r*F_RW+1+2*TW +: 64];
            if (BOUNDS != 0) f_size[t] = cfg_region[r*F_RW+F_RW-64 +: 64];
          end
          f_hit[t] = 1'b1;
        end
        if (cfg_region[r*F_RW] && (cfg_region[r*F_RW+1+TW +: TW] <= cfg_region[r*F_RW+1 +: TW])) f_none = 1'b1;
      end
    end
  end
  logic [1:0] f_lt, f_at, f_dt, f_rt;  // tags of the channels
  assign f_lt = ldaddr_data[AW +: TW];
  assign f_at = staddr_data[AW +: TW];
  assign f_dt = stdata_data[DW +: TW];
  assign f_rt = st_req_tag;
  logic f_served, f_stray_addr, f_stray_data;
  // Byte by byte: the end of an element in the array of its tag.
  logic f_beyond, f_held, f_held_mine;
  logic [63:0] f_ld_at, f_st_at;
  logic [67:0] f_ld_end;
  logic [64:0] f_ld_req_end, f_st_req_end;
  assign f_ld_end     = 68'(ldaddr_data[AW-1:0]) * (DW / 8) + (DW / 8);
  assign f_ld_at      = ld_req_addr - f_offset[ld_req_tag];
  assign f_st_at      = st_req_addr - f_offset[f_rt];
  assign f_ld_req_end = {1'b0, f_ld_at} + (DW / 8);
  assign f_st_req_end = {1'b0, f_st_at} + (DW / 8);
  assign f_beyond     = (f_lt < LD_COUNT) & f_hit[f_lt] & ~f_size[f_lt][63] & (f_ld_end > 68'(f_size[f_lt]));
  initial {f_held, f_held_mine} = 2'b00;
  assign f_served     = (f_lt < LD_COUNT) & f_hit[f_lt] & ~f_beyond;
  assign f_stray_addr = staddr_valid & (f_at >= ST_COUNT);
  assign f_stray_data = stdata_valid & (f_dt >= ST_COUNT);

  // Stores by tag and number (modulo 4): index and datum. A tag without a region pops
  // unseen from outside; the others' requests must be those of the log.
  logic [7:0] f_sa_n, f_sd_n, f_st_n;  // two bits per tag
  logic [AW-1:0] f_sa_log [0:15];
  logic [DW-1:0] f_sd_log [0:15];
  initial f_sa_n = 8'd0;
  initial f_sd_n = 8'd0;
  initial f_st_n = 8'd0;
  logic f_st_held, f_st_gone;
  logic [1:0] f_popped;
  logic [67:0] f_gone_end;
  initial f_st_held = 1'b0;
  always_ff @(posedge clk) begin
    f_st_held <= f_live & st_outside;
    f_popped  <= 2'(st_tag);
  end
  assign f_st_gone  = st_outside & ~f_st_held;
  assign f_gone_end = 68'(f_sa_log[{f_popped, f_st_n[f_popped*2 +: 2]}]) * (DW / 8) + (DW / 8);
  // Responses of one arbitrary tag, and one of its loads.
  (* anyconst *) logic [1:0] f_tag;
  logic [7:0] f_asked, f_datas, f_dones, f_st_asked, f_to_answer, f_data_ahead, f_done_ahead;
  logic f_answer, f_track, f_answered, f_track_done;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_asked = 8'd0;
  initial f_datas = 8'd0;
  initial f_dones = 8'd0;
  initial f_st_asked = 8'd0;
  initial f_track = 1'b0;
  initial f_track_done = 1'b0;
  logic f_mine, f_mine_asks, f_mine_leaves, f_mine_done;
  assign f_mine        = f_lax & (f_lt == f_tag);
  assign f_mine_asks   = f_lrx & (ld_req_tag == f_tag);
  // The load outside that is taken completes when nothing is under way: its own tag's responses are
  // then all there.
  logic [7:0] f_all;
  logic f_refuse;
  initial f_all = 8'd0;
  assign f_refuse      = f_held & (f_all == 8'd0);
  assign f_answer      = (ld_rsp_valid & (ld_rsp_tag == f_tag)) | (f_mine & ~f_served & ~f_beyond) | (f_refuse & f_held_mine);
  assign f_mine_leaves = f_ldx & (lddata_data[DW +: TW] == f_tag);
  assign f_mine_done   = f_lnx & (lddone_data == f_tag);
  always_comb begin
    if (~f_induction) assume (f_tag < (1 << TW));
    if (~f_induction & ~rst) begin
      assume (~ld_rsp_valid | (f_all != 8'd0) | f_lrx);
      assume (~ld_rsp_valid | (ld_rsp_tag != f_tag) | (f_asked != 8'd0) | f_mine_asks);
      assume (~st_rsp_valid | (st_rsp_tag != f_tag) | (f_st_asked != 8'd0) | (f_srx & (f_rt == f_tag)));
    end
  end
  always_ff @(posedge clk) if (f_live) begin
    if (f_sax & ~f_stray_addr) begin
      f_sa_n[f_at*2 +: 2] <= f_sa_n[f_at*2 +: 2] + 2'd1;
      f_sa_log[{f_at, f_sa_n[f_at*2 +: 2]}] <= staddr_data[AW-1:0];
    end
    if (f_sdx & ~f_stray_data) begin
      f_sd_n[f_dt*2 +: 2] <= f_sd_n[f_dt*2 +: 2] + 2'd1;
      f_sd_log[{f_dt, f_sd_n[f_dt*2 +: 2]}] <= stdata_data[DW-1:0];
    end
    if (f_srx) f_st_n[f_rt*2 +: 2] <= f_st_n[f_rt*2 +: 2] + 2'd1;
    // A store outside of its array has popped without a request; none follows in this cycle.
    if (f_st_gone) f_st_n[f_popped*2 +: 2] <= f_st_n[f_popped*2 +: 2] + 2'd1;
    f_all      <= f_all + {7'd0, f_lrx} - {7'd0, ld_rsp_valid};
    f_held     <= (f_held & ~f_refuse) | (f_lax & f_beyond);
    if (f_lax) f_held_mine <= f_lt == f_tag;
    f_asked    <= f_asked + {7'd0, f_mine_asks} - {7'd0, ld_rsp_valid & (ld_rsp_tag == f_tag)};
    f_datas    <= f_datas + {7'd0, f_mine} - {7'd0, f_mine_leaves};
    f_dones    <= f_dones + {7'd0, f_mine} - {7'd0, f_mine_done};
    f_st_asked <= f_st_asked + {7'd0, f_srx & (f_rt == f_tag)} - {7'd0, st_rsp_valid & (st_rsp_tag == f_tag)};
    if (f_track & ~f_answered & f_answer) begin
      f_to_answer <= f_to_answer - 8'd1;
      if (f_to_answer == 8'd0) begin
        f_answered <= 1'b1;
        f_value    <= (ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data : '0;
      end
    end
    if (f_track & f_mine_leaves) begin
      if (f_data_ahead == 8'd0) f_track <= 1'b0;
      f_data_ahead <= f_data_ahead - 8'd1;
    end
    if (f_track_done & f_mine_done) begin
      if (f_done_ahead == 8'd0) f_track_done <= 1'b0;
      f_done_ahead <= f_done_ahead - 8'd1;
    end
    // The response of a load with nothing before it may come in the same cycle.
    if (~f_track & ~f_track_done & f_mine & f_mark) begin
      f_track      <= 1'b1;
      f_track_done <= 1'b1;
      f_answered   <= f_answer & (f_asked == 8'd0);
      f_value      <= (ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data : '0;
      f_to_answer  <= f_asked - {7'd0, f_answer};
      f_data_ahead <= f_datas - {7'd0, f_mine_leaves};
      f_done_ahead <= f_dones - {7'd0, f_mine_done};
    end
  end
  always_comb if (f_live & ~f_induction) begin
    if (LD_COUNT != 0) begin
      if (ldaddr_valid & f_served) assert (ldaddr_ready == (ld_req_valid & ld_req_ready));
      if (ld_req_valid & ~f_size[ld_req_tag][63]) assert (f_ld_req_end <= 65'(f_size[ld_req_tag]));
      if (ld_req_valid) assert (f_served & (ld_req_tag == f_lt) & (ld_req_addr == ldaddr_data[AW-1:0] * (DW / 8) + f_offset[f_lt]));
      assert ((f_asked <= f_datas) & (f_asked <= f_dones));
      if (f_track & (f_data_ahead == 8'd0) & lddata_valid & (lddata_data[DW +: TW] == f_tag)) assert (f_answered & (lddata_data[DW-1:0] == f_value));
      if (f_track_done & (f_done_ahead == 8'd0) & lddone_valid & (lddone_data == f_tag) & f_track) assert (f_answered);
    end else assert (~ldaddr_ready & ~ld_req_valid & ~lddata_valid & ~lddone_valid);
    if (ST_COUNT != 0) begin
      if (st_req_valid) begin
        assert ((f_rt < ST_COUNT) & f_hit[f_rt]);
        assert ((f_sa_n[f_rt*2 +: 2] != f_st_n[f_rt*2 +: 2]) & (f_sd_n[f_rt*2 +: 2] != f_st_n[f_rt*2 +: 2]));
        assert (st_req_addr == f_sa_log[{f_rt, f_st_n[f_rt*2 +: 2]}] * (DW / 8) + f_offset[f_rt]);
        assert (st_req_data == f_sd_log[{f_rt, f_st_n[f_rt*2 +: 2]}]);
        if (~f_size[f_rt][63]) assert (f_st_req_end <= 65'(f_size[f_rt]));
      end
      if (f_st_gone) assert (~f_size[f_popped][63] & (f_gone_end > 68'(f_size[f_popped])) & ~st_req_valid);
      if (idle) begin
        for (int t = 0; t < ST_COUNT; t++) assert ((f_sa_n[t*2 +: 2] == f_st_n[t*2 +: 2]) | ~f_hit[t]);
      end
    end else assert (~staddr_ready & ~stdata_ready & ~st_req_valid & ~stdone_valid);
    // The smallest code of the cycle.
    if (f_two) assert (err_valid & (err_code == 16'd14));
    else if (f_none) assert (err_valid & (err_code == 16'd15));
    else if ((f_lax & (f_lt >= LD_COUNT)) | (f_sax & f_stray_addr) | (f_sdx & f_stray_data)) assert (err_valid & (err_code == 16'd260));
    else if (deadlock) assert (err_valid & (err_code == 16'd261));
    else if ((f_lax & ~f_hit[f_lt]) | st_unmapped) assert (err_valid & (err_code == 16'd265));
    else if ((ld_rsp_valid & ld_rsp_err) | (st_rsp_valid & st_rsp_err)) assert (err_valid & (err_code == 16'd513));
    else if (f_held | st_outside) assert (err_valid & (err_code == 16'd515));
    else assert (~err_valid);
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_live & f_lrx & f_srx & ~err_valid) ? f_streak + 8'd1 : 8'd0;
  always_comb if (ST_COUNT > 1 && LD_COUNT > 1) begin
    cover (f_streak == 8'd2);  // one load and one store per cycle
    cover (f_live & f_track & f_mine_leaves & (f_data_ahead == 8'd0) & (f_value == {DW{1'b1}}));
    cover (f_live & f_track & (f_to_answer == 8'd1) & f_ldx & (lddata_data[DW +: TW] != f_tag));  // overtaken
    cover (f_live & (f_datas == 8'd2) & (f_dones == 8'd0));
    cover (f_live & st_req_valid & ~st_req_ready & f_stray_addr & ~err_valid);
    cover (f_live & err_valid & (err_code == 16'd15));
    cover (f_live & err_valid & (err_code == 16'd260) & f_sax);
    cover (f_live & err_valid & (err_code == 16'd261));
    cover (f_live & err_valid & (err_code == 16'd265) & st_unmapped);
    cover (f_live & err_valid & (err_code == 16'd513));
    cover ((BOUNDS == 0) | (f_live & f_refuse & err_valid & (err_code == 16'd515)));
    cover ((BOUNDS == 0) | (f_live & st_outside & err_valid & (err_code == 16'd515)));
  end
