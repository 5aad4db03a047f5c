// t_bridge: a bridge of two load and two store ports to a loom_memory_tagged, with lanes
// (LANES = 1) or with nothing but loom_add_tag and loom_del_tag instead.
//
// The host writes the memory under reset; each load port reads N elements in order, each
// store port writes N, and the host reads them back. Every value is checked. What the
// fabric around the bridge does is the scenario; "lane 1 is ahead" means that it has
// delivered SKEW more than lane 0, or everything, and SKEW is more than all buffers hold:
//   0 all sources and consumers are independent of each other
//   1 consumers of load lane 0 take its data and dones when lane 1's data are ahead
//   2 consumers of load lane 0 take its data at once, its dones when lane 1's data are ahead
//   3 consumers of load lane 0 take its dones at once, its data when lane 1's dones are ahead
//   4 the data of store lane 0 come when lane 1's stores are ahead, its addresses at once
//   5 the addresses of store lane 0 come when lane 1's stores are ahead, its data at once
//   6 the dones of store lane 0 are taken when lane 1's are ahead
//   7 all of 1, 4 and 6
// Prints PASS, BLOCKED (with what has moved) or FAIL.
`timescale 1ns / 1ns
module t_bridge #(
    parameter LANES = 1
);
  localparam N = 60, SKEW = 40, TW = 2, AW = 16, DW = 16;
  reg clk = 0, rst = 1;
  always #5 clk = ~clk;
  integer seed, scenario, i, n, cycles, quiet;
  integer stall [0:13];

  // Sources and consumers of lane l at index or bit l.
  reg  [1:0] la_valid = 0, sa_valid = 0, sd_valid = 0, ld_ready = 0, ln_ready = 0, sn_ready = 0;
  wire [1:0] la_ready, sa_ready, sd_ready, ld_valid, ln_valid, sn_valid;
  integer la [0:1], sa [0:1], sd [0:1], ld [0:1], ln [0:1], sn [0:1];  // transfers so far
  wire [2*DW-1:0] ld_data;

  function [DW-1:0] content(input integer element);
    content = element * 37 + 11;
  endfunction
  function [DW-1:0] written(input integer lane, input integer n);
    written = 20000 * lane + n * 3 + 5;
  endfunction

  // Between ports and switches, lane l at [l*W +: W].
  wire [1:0] lq_valid, lq_ready, sq_valid, sq_ready, dq_valid, dq_ready;
  wire [1:0] lr_valid, lr_ready, nr_valid, nr_ready, sr_valid, sr_ready;
  wire [2*(TW+AW)-1:0] lq_data, sq_data;
  wire [2*(TW+DW)-1:0] dq_data, lr_data;
  wire [2*TW-1:0] nr_data, sr_data;
  genvar l;
  generate
    for (l = 0; l < 2; l = l + 1) begin : g_lane
      wire [TW-1:0] tag = l[TW-1:0];
      wire [AW-1:0] load_at = la[l] + 64 * l, store_at = sa[l] + 64 * l + 128;
      wire [DW-1:0] word = written(l, sd[l]);
      if (LANES != 0) begin : g_lanes
        loom_load_lane #(.AW(AW), .DW(DW), .TW(TW), .DEPTH(8)) u_load (.clk(clk), .rst(rst), .cfg_tag(tag),
          .addr_valid(la_valid[l]), .addr_ready(la_ready[l]), .addr_data(load_at),
          .req_valid(lq_valid[l]), .req_ready(lq_ready[l]), .req_data(lq_data[l*(TW+AW) +: TW+AW]),
          .rsp_valid(lr_valid[l]), .rsp_ready(lr_ready[l]), .rsp_data(lr_data[l*(TW+DW) +: TW+DW]),
          .done_rsp_valid(nr_valid[l]), .done_rsp_ready(nr_ready[l]), .done_rsp_data(nr_data[l*TW +: TW]),
          .data_valid(ld_valid[l]), .data_ready(ld_ready[l]), .data_data(ld_data[l*DW +: DW]),
          .done_valid(ln_valid[l]), .done_ready(ln_ready[l]), .idle());
        loom_store_lane #(.AW(AW), .DW(DW), .TW(TW), .LSQ_DEPTH(4), .PLACES(8)) u_store (.clk(clk), .rst(rst), .cfg_tag(tag),
          .addr_valid(sa_valid[l]), .addr_ready(sa_ready[l]), .addr_data(store_at),
          .data_valid(sd_valid[l]), .data_ready(sd_ready[l]), .data_data(word),
          .staddr_valid(sq_valid[l]), .staddr_ready(sq_ready[l]), .staddr_data(sq_data[l*(TW+AW) +: TW+AW]),
          .stdata_valid(dq_valid[l]), .stdata_ready(dq_ready[l]), .stdata_data(dq_data[l*(TW+DW) +: TW+DW]),
          .done_rsp_valid(sr_valid[l]), .done_rsp_ready(sr_ready[l]), .done_rsp_data(sr_data[l*TW +: TW]),
          .done_valid(sn_valid[l]), .done_ready(sn_ready[l]), .idle());
      end else begin : g_bare
        loom_add_tag #(.W(TW+AW), .TW(TW)) u_load (.cfg_tag(tag), .in_valid(la_valid[l]), .in_ready(la_ready[l]), .in_data(load_at),
          .out_valid(lq_valid[l]), .out_ready(lq_ready[l]), .out_data(lq_data[l*(TW+AW) +: TW+AW]));
        loom_del_tag #(.W(TW+DW), .TW(TW)) u_data (.in_valid(lr_valid[l]), .in_ready(lr_ready[l]), .in_data(lr_data[l*(TW+DW) +: TW+DW]),
          .out_valid(ld_valid[l]), .out_ready(ld_ready[l]), .out_data(ld_data[l*DW +: DW]));
        loom_del_tag #(.W(TW), .TW(TW)) u_done (.in_valid(nr_valid[l]), .in_ready(nr_ready[l]), .in_data(nr_data[l*TW +: TW]),
          .out_valid(ln_valid[l]), .out_ready(ln_ready[l]), .out_data());
        loom_add_tag #(.W(TW+AW), .TW(TW)) u_staddr (.cfg_tag(tag), .in_valid(sa_valid[l]), .in_ready(sa_ready[l]), .in_data(store_at),
          .out_valid(sq_valid[l]), .out_ready(sq_ready[l]), .out_data(sq_data[l*(TW+AW) +: TW+AW]));
        loom_add_tag #(.W(TW+DW), .TW(TW)) u_stdata (.cfg_tag(tag), .in_valid(sd_valid[l]), .in_ready(sd_ready[l]), .in_data(word),
          .out_valid(dq_valid[l]), .out_ready(dq_ready[l]), .out_data(dq_data[l*(TW+DW) +: TW+DW]));
        loom_del_tag #(.W(TW), .TW(TW)) u_stdone (.in_valid(sr_valid[l]), .in_ready(sr_ready[l]), .in_data(sr_data[l*TW +: TW]),
          .out_valid(sn_valid[l]), .out_ready(sn_ready[l]), .out_data());
      end
    end
  endgenerate

  // Slot l routes tag l between the shared channel and lane l.
  wire [2*(1+TW+2)-1:0] slots = {2'b10, 2'd1, 1'b1, 2'b01, 2'd0, 1'b1};
  wire m_la_valid, m_la_ready, m_ld_valid, m_ld_ready, m_ln_valid, m_ln_ready;
  wire m_sa_valid, m_sa_ready, m_sd_valid, m_sd_ready, m_sn_valid, m_sn_ready;
  wire [TW+AW-1:0] m_la_data, m_sa_data;
  wire [TW+DW-1:0] m_ld_data, m_sd_data;
  wire [TW-1:0] m_ln_data, m_sn_data;
  wire [6:0] err;
  loom_temporal_sw #(.W(TW+AW), .TW(TW), .N_IN(2), .N_OUT(1), .CONNECT(2'b11), .N_ROUTES(2), .NUM_SLOT(2)) u_la (.clk(clk), .rst(rst), .cfg_slot(slots),
    .in_valid(lq_valid), .in_ready(lq_ready), .in_data(lq_data), .out_valid(m_la_valid), .out_ready(m_la_ready), .out_data(m_la_data), .err_valid(err[0]), .err_code(), .idle());
  loom_temporal_sw #(.W(TW+DW), .TW(TW), .N_IN(1), .N_OUT(2), .CONNECT(2'b11), .N_ROUTES(2), .NUM_SLOT(2)) u_ld (.clk(clk), .rst(rst), .cfg_slot(slots),
    .in_valid(m_ld_valid), .in_ready(m_ld_ready), .in_data(m_ld_data), .out_valid(lr_valid), .out_ready(lr_ready), .out_data(lr_data), .err_valid(err[1]), .err_code(), .idle());
  loom_temporal_sw #(.W(TW), .TW(TW), .N_IN(1), .N_OUT(2), .CONNECT(2'b11), .N_ROUTES(2), .NUM_SLOT(2)) u_ln (.clk(clk), .rst(rst), .cfg_slot(slots),
    .in_valid(m_ln_valid), .in_ready(m_ln_ready), .in_data(m_ln_data), .out_valid(nr_valid), .out_ready(nr_ready), .out_data(nr_data), .err_valid(err[2]), .err_code(), .idle());
  loom_temporal_sw #(.W(TW+AW), .TW(TW), .N_IN(2), .N_OUT(1), .CONNECT(2'b11), .N_ROUTES(2), .NUM_SLOT(2)) u_sa (.clk(clk), .rst(rst), .cfg_slot(slots),
    .in_valid(sq_valid), .in_ready(sq_ready), .in_data(sq_data), .out_valid(m_sa_valid), .out_ready(m_sa_ready), .out_data(m_sa_data), .err_valid(err[3]), .err_code(), .idle());
  loom_temporal_sw #(.W(TW+DW), .TW(TW), .N_IN(2), .N_OUT(1), .CONNECT(2'b11), .N_ROUTES(2), .NUM_SLOT(2)) u_sd (.clk(clk), .rst(rst), .cfg_slot(slots),
    .in_valid(dq_valid), .in_ready(dq_ready), .in_data(dq_data), .out_valid(m_sd_valid), .out_ready(m_sd_ready), .out_data(m_sd_data), .err_valid(err[4]), .err_code(), .idle());
  loom_temporal_sw #(.W(TW), .TW(TW), .N_IN(1), .N_OUT(2), .CONNECT(2'b11), .N_ROUTES(2), .NUM_SLOT(2)) u_sn (.clk(clk), .rst(rst), .cfg_slot(slots),
    .in_valid(m_sn_valid), .in_ready(m_sn_ready), .in_data(m_sn_data), .out_valid(sr_valid), .out_ready(sr_ready), .out_data(sr_data), .err_valid(err[5]), .err_code(), .idle());

  reg host_en = 0, host_we = 0;
  reg [7:0] host_addr = 0;
  wire [DW-1:0] host_rdata;
  loom_memory_tagged #(.AW(AW), .DW(DW), .TW(TW), .DEPTH(256), .LD_COUNT(2), .ST_COUNT(2), .LSQ_DEPTH(4), .DEADLOCK_TIMEOUT(65535), .HOST(1)) u_memory (
    .clk(clk), .rst(rst), .cfg_region({9'd0, 2'd2, 2'd0, 1'b1}),
    .ldaddr_valid(m_la_valid), .ldaddr_ready(m_la_ready), .ldaddr_data(m_la_data),
    .lddata_valid(m_ld_valid), .lddata_ready(m_ld_ready), .lddata_data(m_ld_data),
    .lddone_valid(m_ln_valid), .lddone_ready(m_ln_ready), .lddone_data(m_ln_data),
    .staddr_valid(m_sa_valid), .staddr_ready(m_sa_ready), .staddr_data(m_sa_data),
    .stdata_valid(m_sd_valid), .stdata_ready(m_sd_ready), .stdata_data(m_sd_data),
    .stdone_valid(m_sn_valid), .stdone_ready(m_sn_ready), .stdone_data(m_sn_data),
    .host_en(host_en), .host_we(host_we), .host_addr(host_addr), .host_wdata(content(host_addr)), .host_rdata(host_rdata),
    .err_valid(err[6]), .err_code(), .idle());

  function chance(input integer k);
    chance = ($unsigned($random(seed)) % 100) >= stall[k];
  endfunction
  function ahead(input integer first, input integer second);
    ahead = (second >= N) || (second - first >= SKEW);
  endfunction

  wire all_done = (ld[0] == N) & (ld[1] == N) & (ln[0] == N) & (ln[1] == N) & (sn[0] == N) & (sn[1] == N);
  wire moves = |{la_valid & la_ready, sa_valid & sa_ready, sd_valid & sd_ready, ld_valid & ld_ready, ln_valid & ln_ready, sn_valid & sn_ready};
  always @(posedge clk) if (!rst && !all_done) begin
    cycles = cycles + 1;
    quiet = moves ? 0 : quiet + 1;
    if (err !== 0) begin $display("FAIL error raised"); $finish; end
    for (i = 0; i < 2; i = i + 1) begin
      if (ld_valid[i] & ld_ready[i] & (ld_data[i*DW +: DW] !== content(ld[i] + 64 * i))) begin
        $display("FAIL lane %0d datum %0d is %h", i, ld[i], ld_data[i*DW +: DW]);
        $finish;
      end
      la[i] <= la[i] + (la_valid[i] & la_ready[i]);
      sa[i] <= sa[i] + (sa_valid[i] & sa_ready[i]);
      sd[i] <= sd[i] + (sd_valid[i] & sd_ready[i]);
      ld[i] <= ld[i] + (ld_valid[i] & ld_ready[i]);
      ln[i] <= ln[i] + (ln_valid[i] & ln_ready[i]);
      sn[i] <= sn[i] + (sn_valid[i] & sn_ready[i]);
      // A source withdraws what was taken, nothing else.
      if (la_ready[i]) la_valid[i] <= 0;
      if (sa_ready[i]) sa_valid[i] <= 0;
      if (sd_ready[i]) sd_valid[i] <= 0;
    end
    if (quiet == 300) begin
      $display("BLOCKED loads %0d %0d of data, %0d %0d done, stores %0d %0d done", ld[0], ld[1], ln[0], ln[1], sn[0], sn[1]);
      $finish;
    end
  end
  // New stimuli away from the edge.
  always @(negedge clk) if (!rst) for (i = 0; i < 2; i = i + 1) begin
    if (!la_valid[i]) la_valid[i] = (la[i] < N) && chance(i);
    if (!sa_valid[i]) sa_valid[i] = (sa[i] < N) && chance(2 + i) && !(i == 0 && scenario == 5 && !ahead(sa[0], sn[1]));
    if (!sd_valid[i]) sd_valid[i] = (sd[i] < N) && chance(4 + i) && !(i == 0 && (scenario == 4 || scenario == 7) && !ahead(sd[0], sn[1]));
    ld_ready[i] = chance(6 + i) && !(i == 0 && (scenario == 1 || scenario == 7) && !ahead(ld[0], ld[1])) && !(i == 0 && scenario == 3 && !ahead(ld[0], ln[1]));
    ln_ready[i] = chance(8 + i) && !(i == 0 && (scenario == 1 || scenario == 2 || scenario == 7) && !ahead(ln[0], ld[1]));
    sn_ready[i] = chance(10 + i) && !(i == 0 && (scenario == 6 || scenario == 7) && !ahead(sn[0], sn[1]));
  end
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("scenario=%d", scenario)) scenario = 0;
    cycles = 0;
    quiet = 0;
    for (i = 0; i < 14; i = i + 1) stall[i] = (seed == 0) ? 0 : ($unsigned($random(seed)) % 4) * 30;
    for (i = 0; i < 2; i = i + 1) begin
      la[i] = 0; sa[i] = 0; sd[i] = 0; ld[i] = 0; ln[i] = 0; sn[i] = 0;
    end
    host_en = 1;
    host_we = 1;
    for (host_addr = 0; host_addr < 128; host_addr = host_addr + 1) @(negedge clk);
    host_en = 0;
    host_we = 0;
    @(negedge clk) rst = 0;
    wait (all_done);
    @(negedge clk) host_en = 1;
    for (n = 0; n < 2 * N; n = n + 1) begin
      host_addr = 128 + (n % N) + 64 * (n / N);
      @(negedge clk);
      if (host_rdata !== written(n / N, n % N)) begin $display("FAIL store %0d of lane %0d is %h", n % N, n / N, host_rdata); $finish; end
    end
    $display("PASS %0d", cycles);
    $finish;
  end
endmodule
