// Proof of loom_axi_pack: every element of a write is written once, in order, to its place, and no other byte is;
// a wide write begins with a word; data comes behind its address and ends with last. Bounded.
`include "f_reset.svh"
`ifdef F_TOP_loom_axi_pack
  f_channel #(.W(BUS_AW + 8), .ASSUME(1)) f_sa (.clk(clk), .rst(rst), .valid(s_aw_valid), .ready(s_aw_ready), .data({s_aw_addr, s_aw_len}));
  f_channel #(.W(BUS_DW + 1), .ASSUME(1)) f_sw (.clk(clk), .rst(rst), .valid(s_w_valid), .ready(s_w_ready), .data({s_w_data, s_w_last}));
  f_channel #(.W(BUS_AW + 9)) f_ma (.clk(clk), .rst(rst), .valid(m_aw_valid), .ready(m_aw_ready), .data({m_aw_addr, m_aw_len, m_aw_wide}));
  f_channel #(.W(BUS_DW + BUS_DW / 8 + 1)) f_mw (.clk(clk), .rst(rst), .valid(m_w_valid), .ready(m_w_ready), .data({m_w_data, m_w_strb, m_w_last}));

  // The element with a number at will: its address and its data.
  (* anyconst *) logic [7:0] f_number;
  logic [7:0] f_addresses, f_values, f_at;
  logic [BUS_AW-1:0] f_addr;
  logic [DW-1:0] f_value;
  logic f_addressed, f_valued;
  initial f_addresses = 8'd0;
  initial f_values    = 8'd0;
  initial f_addressed = 1'b0;
  initial f_valued    = 1'b0;
  assign f_at = f_number - f_addresses;
  // The lengths of writes whose data is not there to its end.
  logic [8*8-1:0] f_lens;
  logic [2:0] f_wr, f_rd;
  logic [7:0] f_beat;
  initial f_wr   = 3'd0;
  initial f_rd   = 3'd0;
  initial f_beat = 8'd0;
  // Writes that have left and whose data has not to its end, and the elements before the beat that is next.
  logic [8*8-1:0] f_m_lens;
  logic [8*BUS_AW-1:0] f_m_addrs;
  logic [7:0] f_m_wides, f_m_beat, f_before;
  logic [2:0] f_m_wr, f_m_rd;
  initial f_m_wr   = 3'd0;
  initial f_m_rd   = 3'd0;
  initial f_m_beat = 8'd0;
  initial f_before = 8'd0;
  logic f_wide;
  logic [BUS_AW-1:0] f_beat_addr;
  logic [BUS_DW-1:0] f_shifted;
  assign f_wide      = f_m_wides[f_m_rd];
  assign f_beat_addr = f_m_addrs[f_m_rd*BUS_AW +: BUS_AW] + (BUS_AW'(f_m_beat) << (f_wide ? SHIFT + LB : SHIFT));
  assign f_shifted   = m_w_data >> ((f_addr % (BUS_DW / 8)) * 8);

  always_comb begin
    assume (~|(s_aw_addr & BUS_AW'((1 << SHIFT) - 1)));
    assume (((s_aw_addr >> SHIFT) & BUS_AW'(BURST - 1)) + s_aw_len < BURST);
    assume (~s_w_valid | ((f_wr != f_rd) & (s_w_last == (f_beat == f_lens[f_rd*8 +: 8])) & (s_w_data == {LANES{s_w_data[DW-1:0]}})));
    assume (f_addresses < 8'd100);
  end
  always_ff @(posedge clk) if (f_live) begin
    if (take) begin
      f_addresses <= f_addresses + s_aw_len + 8'd1;
      f_wr        <= f_wr + 3'd1;
      f_lens[f_wr*8 +: 8] <= s_aw_len;
      if (f_at <= s_aw_len) begin
        f_addressed <= 1'b1;
        f_addr      <= s_aw_addr + (BUS_AW'(f_at) << SHIFT);
      end
    end
    if (s_w_valid & s_w_ready) begin
      f_values <= f_values + 8'd1;
      f_beat   <= s_w_last ? 8'd0 : f_beat + 8'd1;
      if (s_w_last) f_rd <= f_rd + 3'd1;
      if (f_values == f_number) begin
        f_valued <= 1'b1;
        f_value  <= s_w_data[DW-1:0];
      end
    end
    if (m_aw_valid & m_aw_ready) begin
      f_m_wr <= f_m_wr + 3'd1;
      f_m_lens[f_m_wr*8 +: 8]             <= m_aw_len;
      f_m_addrs[f_m_wr*BUS_AW +: BUS_AW] <= m_aw_addr;
      f_m_wides[f_m_wr]                   <= m_aw_wide;
    end
    if (m_w_valid & m_w_ready) begin
      f_before <= f_before + (f_wide ? 8'(LANES) : 8'd1);
      f_m_beat <= m_w_last ? 8'd0 : f_m_beat + 8'd1;
      if (m_w_last) f_m_rd <= f_m_rd + 3'd1;
    end
  end
  always_comb if (f_live) begin
    if (m_aw_valid & m_aw_wide) assert (~|(m_aw_addr & BUS_AW'(BUS_DW / 8 - 1)));
    if (m_w_valid) begin
      assert (f_m_wr != f_m_rd);
      assert (m_w_last == (f_m_beat == f_m_lens[f_m_rd*8 +: 8]));
      assert (m_w_strb == (f_wide ? {(BUS_DW / 8) {1'b1}} : ({(BUS_DW / 8) {1'b1}} >> (BUS_DW / 8 - DW / 8)) << (f_beat_addr % (BUS_DW / 8))));
      if (f_number >= f_before && f_number - f_before < (f_wide ? LANES : 1)) begin
        assert (f_addressed & f_valued);
        assert (f_wide ? (f_addr >> (SHIFT + LB)) == (f_beat_addr >> (SHIFT + LB)) : f_addr == f_beat_addr);
        assert (f_shifted[DW-1:0] == f_value);
        if (f_wide) assert ((f_addr >> SHIFT) % LANES == BUS_AW'(f_number - f_before));
      end
    end
    // What is on the bus has its data.
    if (|sent) assert (beat_valid);
    assert (f_before <= f_values);
  end
  always_comb begin
    cover (f_live & m_w_valid & m_w_ready & f_wide & (f_number - f_before == 8'(LANES - 1)));
    cover (f_live & m_w_valid & m_w_ready & ~f_wide & (~m_w_last | (BURST == LANES)) & (f_before != 8'd0));
    cover (f_live & (sent == CW'(2)) & (|whole));
  end
`endif
