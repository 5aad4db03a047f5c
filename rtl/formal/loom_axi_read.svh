// Proof of loom_axi_read: every element that is asked for is given once, in order, with the value and the error of
// its place in memory; nothing else is read; a read lies in its block, a wide one begins and ends with a
// word; r always finds a place. Bounded; that there is a lane for every read, for the induction of loom_axi_load.
`include "f_reset.svh"
  generate
    if (WIDE == 0 && LB != 0 && OUTSTANDING == 2) begin : f_lanes
      always_comb if (f_live) begin
        assert (g_narrow.g_lanes.unused_ready == (reads != 2'd2));
        assert (g_narrow.g_lanes.unused_valid == (reads != 2'd0));
      end
    end
  endgenerate
`ifdef F_TOP_loom_axi_read
  f_channel #(.W(BUS_AW), .ASSUME(1)) f_o (.clk(clk), .rst(rst), .valid(one_valid), .ready(one_ready), .data(one_addr));
  f_channel #(.W(BUS_AW + 9)) f_a (.clk(clk), .rst(rst), .valid(ar_valid), .ready(ar_ready), .data({ar_addr, ar_len, ar_wide}));
  always_comb begin
    assume (~|(one_addr & BUS_AW'((1 << SHIFT) - 1)));
    assume (~one_valid | (reads != OUTSTANDING[CW-1:0]));
    if (WIDE == 0) assume (give_ready);
  end

  // The addresses that have been asked for; what of them is on the bus and has been given.
  logic [4:0] f_asked, f_sent, f_come, f_given, f_now, f_elements;
  logic [4*BUS_AW-1:0] f_addrs;
  initial f_asked = 5'd0;
  initial f_sent  = 5'd0;
  initial f_come  = 5'd0;
  initial f_given = 5'd0;
  assign f_now      = f_asked + {4'd0, ask};
  assign f_elements = 5'(ar_wide ? (ar_len + 8'd1) << LB : ar_len + 8'd1);

  // Reads on the bus. Memory has at a place at will a value at will, and an error or none.
  (* anyconst *) logic [BUS_AW-1:0] f_place;
  (* anyconst *) logic [DW-1:0] f_value;
  (* anyconst *) logic f_bad;
  logic [4*BUS_AW-1:0] f_ar_addrs;
  logic [4*4-1:0] f_ar_lens;
  logic [3:0] f_ar_wides;
  logic [1:0] f_wr, f_rd;  // at most four elements have been asked for and not given
  logic f_some;
  logic [2:0] f_bus;       // reads on the bus
  logic [3:0] f_beat, f_len;
  logic [BUS_AW-1:0] f_beat_addr;
  logic f_wide, f_there;
  logic [BUS_DW-1:0] f_shifted;
  initial f_wr   = 2'd0;
  initial f_rd   = 2'd0;
  initial f_bus  = 3'd0;
  initial f_beat = 4'd0;
  assign f_some      = |f_bus;
  assign f_wide      = f_ar_wides[f_rd];
  assign f_len       = f_ar_lens[f_rd*4 +: 4];
  assign f_beat_addr = f_ar_addrs[f_rd*BUS_AW +: BUS_AW] + (BUS_AW'(f_beat) << (f_wide ? SHIFT + LB : SHIFT));
  assign f_there     = f_wide ? (f_place >> (SHIFT + LB)) == (f_beat_addr >> (SHIFT + LB)) : f_place == f_beat_addr;
  assign f_shifted   = r_data >> ((f_place % (BUS_DW / 8)) * 8);
  always_comb begin
    assume (~|(f_place & BUS_AW'((1 << SHIFT) - 1)));
    assume (~r_valid | (f_live & f_some & (r_last == (f_beat == f_len))));
    assume (~(r_valid & f_there) | ((f_shifted[DW-1:0] == f_value) & (r_err == f_bad)));
  end
  always_ff @(posedge clk) if (f_live) begin
    if (ask) f_addrs[f_asked[1:0]*BUS_AW +: BUS_AW] <= one_addr;
    f_asked <= f_now;
    if (give_valid & give_ready) f_given <= f_given + 5'd1;
    if (ar_valid & ar_ready) begin
      f_sent <= f_sent + f_elements;
      f_wr   <= f_wr + 2'd1;
      f_ar_addrs[f_wr*BUS_AW +: BUS_AW] <= ar_addr;
      f_ar_lens[f_wr*4 +: 4] <= ar_len[3:0];
      f_ar_wides[f_wr] <= ar_wide;
    end
    f_bus <= f_bus + {2'd0, ar_valid & ar_ready} - {2'd0, r_valid & r_last};
    if (r_valid) begin
      f_come <= f_come + 5'(f_wide ? LANES : 1);
      f_beat <= r_last ? 4'd0 : f_beat + 4'd1;
      if (r_last) f_rd <= f_rd + 2'd1;
    end
  end

  // A read is of elements that have been asked for, also in this cycle, in order.
  (* anyconst *) logic [4:0] f_which;
  logic [BUS_AW-1:0] f_asked_addr;
  assign f_asked_addr = (f_which == f_asked) ? one_addr : f_addrs[f_which[1:0]*BUS_AW +: BUS_AW];
  always_comb if (f_live) begin
    assert (f_sent <= f_asked);
    assert (reads == CW'(f_asked - f_given));
    if (ar_valid) begin
      assert (f_sent + f_elements <= f_now);
      assert (ar_wide ? ~|(ar_addr & BUS_AW'(BUS_DW / 8 - 1)) : ((ar_addr >> SHIFT) & BUS_AW'(BURST - 1)) + ar_len < BURST);
      assert (((ar_addr >> SHIFT) & BUS_AW'(BURST - 1)) + f_elements <= BURST);
      if (f_which >= f_sent && f_which - f_sent < f_elements) assert (f_asked_addr == ar_addr + (BUS_AW'(f_which - f_sent) << SHIFT));
    end
    if (WIDE == 0) assert (~ar_wide);
    // What has come is given: with WIDE what came before this cycle.
    assert (give_valid == ((WIDE == 0) ? r_valid : f_come != f_given));
    if (give_valid) begin
      assert (f_given != f_asked);
      if (f_addrs[f_given[1:0]*BUS_AW +: BUS_AW] == f_place) assert ((give_data == f_value) & (give_err == f_bad));
    end
  end
  generate
    if (WIDE != 0) begin : f_room
      always_comb if (f_live & r_valid) assert (g_wide.unused_room & g_wide.unused_shape_valid);
      always_comb if (f_live & ar_valid) assert (g_wide.unused_shape_ready);
      always_comb if (f_live) cover (g_wide.head_wide & g_wide.free & f_some);
      always_comb if (f_live) cover (g_wide.head_valid & ~g_wide.head_wide & (g_wide.head_lane != 0) & ar_wide & ar_valid & ar_ready);
    end
    if (BURST > 1) begin : f_idle
      always_comb if (f_live) assert (g_bursts.unused_idle == (~f_some & (f_sent == f_asked)));
    end
    if (WIDE == 0 ? BURST > 1 : BURST > LANES) begin : f_beats
      always_comb if (f_live) cover (r_valid & ~r_last & ar_valid);
    end
  endgenerate
  always_comb cover (f_live & give_valid & give_err & (f_addrs[f_given[1:0]*BUS_AW +: BUS_AW] == f_place) & (f_given != 5'd0));
`endif
