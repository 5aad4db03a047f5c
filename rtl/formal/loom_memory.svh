// Proof of loom_memory, bounded: exact acceptance and offer contract of all ports, the
// value of every load against a shadow of one arbitrary element, dones counted, no
// dependence between data and done, errors.
`include "f_reset.svh"
  logic [NUM_REGION*(1+OW)-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_region;
  always_comb if (f_live) assume (cfg_region == f_cfg);
  f_channel #(.W(AW), .ASSUME(1)) f_la (.clk(clk), .rst(rst), .valid(ldaddr_valid), .ready(ldaddr_ready), .data(ldaddr_data));
  f_channel #(.W(AW), .ASSUME(1)) f_sa (.clk(clk), .rst(rst), .valid(staddr_valid), .ready(staddr_ready), .data(staddr_data));
  f_channel #(.W(DW), .ASSUME(1)) f_sd (.clk(clk), .rst(rst), .valid(stdata_valid), .ready(stdata_ready), .data(stdata_data));
  f_channel #(.W(DW)) f_ld (.clk(clk), .rst(rst), .valid(lddata_valid), .ready(lddata_ready), .data(lddata_data));
  f_channel f_ldn (.clk(clk), .rst(rst), .valid(lddone_valid), .ready(lddone_ready), .data(1'b0));
  f_channel f_stn (.clk(clk), .rst(rst), .valid(stdone_valid), .ready(stdone_ready), .data(1'b0));

  logic f_lax, f_ldx, f_lnx, f_snx;
  assign f_lax = ldaddr_valid & ldaddr_ready;
  assign f_ldx = lddata_valid & lddata_ready;
  assign f_lnx = lddone_valid & lddone_ready;
  assign f_snx = stdone_valid & stdone_ready;

  // Region and element as the specification writes them, in bytes and wide.
  logic f_region, f_two;
  logic [OW-1:0] f_offset;
  logic [7:0] f_ld_byte, f_st_byte;  // wide enough for the widths of the proofs
  always_comb begin
    f_region = 1'b0;
    f_two    = 1'b0;
    f_offset = '0;
    for (int r = 0; r < NUM_REGION; r++) begin
      if (cfg_region[r*(1+OW)]) begin
        if (f_region) f_two = 1'b1;
        else f_offset = cfg_region[r*(1+OW)+1 +: OW];
        f_region = 1'b1;
      end
    end
  end
  assign f_ld_byte = ldaddr_data * (DW / 8) + f_offset;
  assign f_st_byte = staddr_data * (DW / 8) + f_offset;

  // Shadow of one element. Stores are paired by counting: the shadow keeps the first
  // address and datum of each arrival number modulo 8.
  (* anyconst *) logic [7:0] f_element;
  logic [DW-1:0] f_shadow;
  logic [2:0] f_sa_n, f_sd_n, f_st_n;
  logic [7:0] f_sa_log [0:7];
  logic [DW-1:0] f_sd_log [0:7];
  logic f_sax, f_sdx;
  assign f_sax = staddr_valid & staddr_ready;
  assign f_sdx = stdata_valid & stdata_ready;
  initial f_shadow = '0;
  initial f_sa_n = 3'd0;
  initial f_sd_n = 3'd0;
  initial f_st_n = 3'd0;
  logic f_hits;
  assign f_hits = f_region & (f_sa_log[f_st_n] / (DW / 8) == f_element) & (f_sa_log[f_st_n] / (DW / 8) < DEPTH);
  always_ff @(posedge clk) if (f_live) begin
    if (f_sax) begin
      f_sa_n <= f_sa_n + 3'd1;
      f_sa_log[f_sa_n] <= f_st_byte;
    end
    if (f_sdx) begin
      f_sd_n <= f_sd_n + 3'd1;
      f_sd_log[f_sd_n] <= stdata_data;
    end
    if (st_pop) begin
      f_st_n <= f_st_n + 3'd1;
      if (f_hits) f_shadow <= f_sd_log[f_st_n];
    end
    if (HOST != 0 && host_en && host_we && (host_addr == f_element)) f_shadow <= host_wdata;
  end else if (HOST != 0 && host_en && host_we && (host_addr == f_element)) begin
    f_shadow <= host_wdata;  // the host may write during reset
  end

  // Loads in flight, and one of them marked.
  logic [7:0] f_datas, f_dones, f_stores, f_ahead, f_stuck;
  logic f_last, f_tracking;
  logic [DW-1:0] f_expect;
  (* anyseq *) logic f_mark;
  initial f_datas = 8'd0;
  initial f_dones = 8'd0;
  initial f_stores = 8'd0;
  initial f_stuck = 8'd0;
  initial f_last = 1'b0;
  initial f_tracking = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_datas  <= f_datas + {7'd0, f_lax} - {7'd0, f_ldx};
    f_dones  <= f_dones + {7'd0, f_lax} - {7'd0, f_lnx};
    f_stores <= f_stores + {7'd0, st_pop} - {7'd0, f_snx};
    f_last   <= f_lax;
    f_stuck  <= (ldaddr_valid & ~ldaddr_ready & lddata_ready & lddone_ready & ~host) ? f_stuck + 8'd1 : 8'd0;
    if (f_tracking) begin
      if (f_ldx) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_lax & f_mark & (~f_region | (f_ld_byte / (DW / 8) == f_element) | (f_ld_byte / (DW / 8) >= DEPTH))) begin
      f_tracking <= 1'b1;
      f_expect   <= (f_region & (f_ld_byte / (DW / 8) < DEPTH)) ? f_shadow : '0;
      f_ahead    <= f_datas - {7'd0, f_ldx};
    end
  end
  logic f_store_fault;
  assign f_store_fault = st_pop & (f_sa_log[f_st_n] / (DW / 8) >= DEPTH);
  always_comb if (f_live) begin
    assert (ldaddr_ready == ((f_datas < 4) & (f_dones < 4) & ~host));
    assert (lddata_valid == (f_datas > {7'd0, f_last}));
    assert (lddone_valid == (f_dones > {7'd0, f_last}));
    assert (stdone_valid == (f_stores != 8'd0));
    assert (f_stores <= 4);
    assert (f_stuck <= 8'd4);
    if (f_tracking & lddata_valid & (f_ahead == 8'd0)) assert (lddata_data == f_expect);
    // A store is written as soon as address, datum and a slot for its done are there.
    assert (st_pop == ((f_sa_n != f_st_n) & (f_sd_n != f_st_n) & (f_stores < 4) & ~host));
    if (f_two) assert (err_valid & (err_code == 16'd12));
    else if (~deadlock) begin
      if ((f_lax | st_pop) & ~f_region) assert (err_valid & (err_code == 16'd264));
      else if ((f_lax & (f_ld_byte / (DW / 8) >= DEPTH)) | f_store_fault) assert (err_valid & (err_code == 16'd512));
      else assert (~err_valid);
    end else assert (err_valid & (err_code == 16'd261));
    assert (idle == ((f_datas == 8'd0) & (f_dones == 8'd0) & (f_stores == 8'd0) & (f_sa_n == f_st_n) & (f_sd_n == f_st_n)));
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_live & f_lax & f_ldx & st_pop & ~err_valid) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd2);  // one load and one store per cycle
    cover (f_live & f_tracking & f_ldx & (f_ahead == 8'd0) & (f_expect == {DW{1'b1}}));
    cover (f_live & (f_datas == 4) & (f_dones == 0));
    cover (f_live & err_valid & (err_code == 16'd512));
  end
