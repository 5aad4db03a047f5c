// Proof of loom_extmemory, bounded: requests obey the protocol, responses come back in
// order and complete, slots suffice for every response, data and done do not wait for
// each other. With BOUNDS no byte outside of its array is requested, and an access outside
// completes in its turn. The bus responds in order, at the earliest in the same cycle.
`include "f_reset.svh"
  localparam int F_RW = 65 + 64 * BOUNDS;
  logic [NUM_REGION*F_RW-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_region;
  always_comb if (f_live) assume (cfg_region == f_cfg);
  f_channel #(.W(AW), .ASSUME(1)) f_la (.clk(clk), .rst(rst), .valid(ldaddr_valid), .ready(ldaddr_ready), .data(ldaddr_data));
  f_channel #(.W(AW), .ASSUME(1)) f_sa (.clk(clk), .rst(rst), .valid(staddr_valid), .ready(staddr_ready), .data(staddr_data));
  f_channel #(.W(DW), .ASSUME(1)) f_sd (.clk(clk), .rst(rst), .valid(stdata_valid), .ready(stdata_ready), .data(stdata_data));
  f_channel #(.W(DW)) f_ld (.clk(clk), .rst(rst), .valid(lddata_valid), .ready(lddata_ready), .data(lddata_data));
  f_channel f_ldn (.clk(clk), .rst(rst), .valid(lddone_valid), .ready(lddone_ready), .data(1'b0));
  f_channel f_stn (.clk(clk), .rst(rst), .valid(stdone_valid), .ready(stdone_ready), .data(1'b0));
  f_channel #(.W(64)) f_lr (.clk(clk), .rst(rst), .valid(ld_req_valid), .ready(ld_req_ready), .data(ld_req_addr));
  f_channel #(.W(64 + DW)) f_sr (.clk(clk), .rst(rst), .valid(st_req_valid), .ready(st_req_ready), .data({st_req_addr, st_req_data}));

  logic f_lax, f_ldx, f_lnx, f_snx, f_lrx, f_srx, f_region;
  logic [63:0] f_offset, f_size;  // of the region in effect
  assign f_lax = ldaddr_valid & ldaddr_ready;
  assign f_ldx = lddata_valid & lddata_ready;
  assign f_lnx = lddone_valid & lddone_ready;
  assign f_snx = stdone_valid & stdone_ready;
  assign f_lrx = ld_req_valid & ld_req_ready;
  assign f_srx = st_req_valid & st_req_ready;
  always_comb begin
    f_region = 1'b0;
    f_offset = 64'd0;
    f_size   = '1;
    for (int r = NUM_REGION - 1; r >= 0; r--) begin
      if (cfg_region[r*F_RW]) begin
        f_region = 1'b1;
        f_offset = cfg_region[r*F_RW+1 +: 64];
        if (BOUNDS != 0) f_size = cfg_region[r*F_RW+F_RW-64 +: 64];
      end
    end
  end
  // The load on offer and the requests, byte by byte: the end of an element in its array.
  logic [63:0] f_ld_at, f_st_at;
  logic [67:0] f_ld_end;
  logic [64:0] f_ld_req_end, f_st_req_end;
  logic f_beyond, f_held, f_refuse, f_st_held, f_st_refuse;
  assign f_ld_end     = 68'(ldaddr_data) * (DW / 8) + (DW / 8);
  assign f_ld_at      = ld_req_addr - f_offset;
  assign f_st_at      = st_req_addr - f_offset;
  assign f_ld_req_end = {1'b0, f_ld_at} + (DW / 8);
  assign f_st_req_end = {1'b0, f_st_at} + (DW / 8);
  assign f_beyond     = f_region & ~f_size[63] & (f_ld_end > 68'(f_size));

  // asked: requests without response; datas, dones: loads without data, done delivered.
  logic [7:0] f_asked, f_datas, f_dones, f_st_asked, f_st_dones, f_ahead, f_to_answer;
  logic f_tracking, f_answered;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_asked = 8'd0;
  initial f_datas = 8'd0;
  initial f_dones = 8'd0;
  initial f_st_asked = 8'd0;
  initial f_st_dones = 8'd0;
  initial f_tracking = 1'b0;
  initial {f_held, f_st_held} = 2'b00;
  logic f_answer;
  assign f_refuse    = f_held & (f_asked == 8'd0);
  assign f_st_refuse = f_st_held & (f_st_asked == 8'd0);
  assign f_answer    = f_region ? (ld_rsp_valid | f_refuse) : f_lax;
  always_comb begin
    if (rst) assume (~ld_rsp_valid & ~st_rsp_valid);
    else begin
      assume (~ld_rsp_valid | (f_asked != 8'd0) | f_lrx);
      assume (~st_rsp_valid | (f_st_asked != 8'd0) | f_srx);
    end
  end
  always_ff @(posedge clk) if (f_live) begin
    f_asked    <= f_asked + {7'd0, f_lrx} - {7'd0, ld_rsp_valid};
    f_datas    <= f_datas + {7'd0, f_lax} - {7'd0, f_ldx};
    f_dones    <= f_dones + {7'd0, f_lax} - {7'd0, f_lnx};
    f_st_asked <= f_st_asked + {7'd0, f_srx} - {7'd0, st_rsp_valid};
    f_st_dones <= f_st_dones + {7'd0, st_pop} - {7'd0, f_snx};
    f_held     <= (f_held & ~f_refuse) | (f_lax & f_beyond);
    f_st_held  <= (f_st_held & ~f_st_refuse) | (st_pop & f_region & ~f_srx);
    if (f_tracking) begin
      if (f_answer & ~f_answered) begin
        f_to_answer <= f_to_answer - 8'd1;
        if (f_to_answer == 8'd0) begin
          f_answered <= 1'b1;
          f_value    <= (~f_region | ld_rsp_err | f_refuse) ? '0 : ld_rsp_data;
        end
      end
      if (f_ldx) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_lax & f_mark & ~(f_answer & (f_asked == 8'd0))) begin
      f_tracking  <= 1'b1;
      f_answered  <= 1'b0;
      f_to_answer <= f_asked - {7'd0, f_answer};
      f_ahead     <= f_datas - {7'd0, f_ldx};
    end
  end
  always_comb if (f_live) begin
    assert (f_datas <= OUTSTANDING);
    assert (f_dones <= OUTSTANDING);
    assert (f_st_dones <= OUTSTANDING);
    if (LD != 0) begin
      assert (ld_req_valid == (ldaddr_valid & (f_datas < OUTSTANDING) & (f_dones < OUTSTANDING) & f_region & ~f_beyond & ~f_held));
      assert (f_lax == (ldaddr_valid & (f_datas < OUTSTANDING) & (f_dones < OUTSTANDING) & (ld_req_ready | ~f_region) & ~f_held));
      assert (f_lrx == (f_lax & f_region & ~f_beyond));
      // Offered as soon as the response is there, data and done independently.
      assert (lddata_valid == (f_datas > f_asked + {7'd0, f_held}));
      assert (lddone_valid == (f_dones > f_asked + {7'd0, f_held}));
    end
    if (BOUNDS == 0) assert (f_srx == (st_pop & f_region));
    assert (~f_srx | (st_pop & f_region));
    assert (stdone_valid == (f_st_dones > f_st_asked + {7'd0, f_st_held}));
    // Nothing outside of the array is on the bus, and a store that is not requested is outside.
    if (ld_req_valid & ~f_size[63]) assert (f_ld_req_end <= 65'(f_size));
    if (st_req_valid & ~f_size[63]) assert (f_st_req_end <= 65'(f_size));
    if (st_pop & f_region & ~f_srx) assert (~f_size[63]);
    if (st_pop & f_region & ~f_srx & (AW + $clog2(DW / 8) < 64)) assert (f_st_req_end > 65'(f_size)); // else addresses wrap
    if (f_tracking & lddata_valid & (f_ahead == 8'd0)) assert (f_answered & (lddata_data == f_value));
    if (ld_req_valid & (NUM_REGION == 1)) assert (ld_req_addr == (ldaddr_data * (DW / 8)) + cfg_region[64:1]);
    if (~overlap & ~deadlock) begin
      if ((f_lax | st_pop) & ~f_region) assert (err_valid & (err_code == 16'd265));
      else if (f_region & ((ld_rsp_valid & ld_rsp_err) | (st_rsp_valid & st_rsp_err))) assert (err_valid & (err_code == 16'd513));
      else if (f_held | f_st_held) assert (err_valid & (err_code == 16'd515));
      else assert (~err_valid);
    end
  end
  always_comb begin
    cover (f_live & f_tracking & f_ldx & (f_ahead == 8'd0) & f_region);
    cover (f_live & f_region & (f_asked == 8'd0) & f_lrx & ld_rsp_valid);
    cover (f_live & f_snx & f_srx);
    cover (f_live & (f_datas == ((OUTSTANDING < 3) ? OUTSTANDING : 8'd3)) & (f_dones == 8'd0));
    // What is outside completes behind what was requested before it.
    cover ((BOUNDS == 0) | (LD == 0) | (f_live & f_held & (f_asked != 8'd0)));
    cover ((BOUNDS == 0) | (LD == 0) | (f_live & f_refuse & lddata_valid));
    cover ((BOUNDS == 0) | (ST == 0) | (f_live & f_st_refuse & (err_code == 16'd515)));
    // The limits are reached.
    cover ((OUTSTANDING > 3) | (f_live & (f_asked == OUTSTANDING) & ldaddr_valid));
    cover ((OUTSTANDING > 3) | (f_live & (f_st_asked == OUTSTANDING)));
  end
