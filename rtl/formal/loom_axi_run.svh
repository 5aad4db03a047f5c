// Proof of loom_axi_run: the channel of bursts keeps the protocol, whether requests do or are withdrawn; the elements of the bursts are the
// requests, in order, with their IDs and sizes; no burst leaves its block; the counts of what
// waits and is on the way are right. Bounded.
`include "f_reset.svh"
`ifdef F_TOP_loom_axi_run
  f_channel #(.W(IDW + AW + 11)) f_m (.clk(clk), .rst(rst), .valid(m_valid), .ready(m_ready), .data({m_id, m_addr, m_size, m_len}));
  // Elements are aligned, as long as they are one size, and small enough for an address.
  always_comb begin
    assume (s_size <= 3'd1);
    assume (~|(s_addr & ~({AW{1'b1}} << s_size)));
  end

  // The element with a number at will.
  (* anyconst *) logic [7:0] f_number;
  logic [7:0] f_asked, f_sent, f_bursts;
  logic f_known;
  logic [IDW-1:0] f_id;
  logic [AW-1:0] f_addr;
  logic [2:0] f_size;
  initial f_asked  = 8'd0;
  initial f_sent   = 8'd0;
  initial f_bursts = 8'd0;
  initial f_known  = 1'b0;
  always_comb assume (~ended | (f_bursts != 8'd0));
  always_ff @(posedge clk) if (f_live) begin
    if (accept) begin
      f_asked <= f_asked + 8'd1;
      if (f_asked == f_number) begin
        f_known <= 1'b1;
        f_id    <= s_id;
        f_addr  <= s_addr;
        f_size  <= s_size;
      end
    end
    if (m_valid & m_ready) f_sent <= f_sent + m_len + 8'd1;
    f_bursts <= f_bursts + {7'd0, m_valid & m_ready} - {7'd0, ended};
  end
  // The marked element, if it is in the burst that is offered; it may be requested in this cycle.
  logic f_now;
  logic [7:0] f_at;
  assign f_now = accept & (f_asked == f_number);
  assign f_at  = f_number - f_sent;
  always_comb if (f_live & m_valid) begin
    assert ({1'b0, m_len} < 9'(BURST));
    assert (((32'(m_addr >> m_size) % BURST) + 32'(m_len)) < BURST);
    if (f_at <= m_len) begin
      assert (f_known | f_now);
      assert (m_id == (f_known ? f_id : s_id));
      assert (m_size == (f_known ? f_size : s_size));
      assert (AW'(m_addr + (AW'(f_at) << m_size)) == (f_known ? f_addr : s_addr));
    end
  end
  always_comb if (f_live) begin
    assert (way >= CW'(queued));
    assert (8'(way) == f_bursts + 8'(queued));
    assert (way <= PLACES[CW-1:0]);
    // What is offered has been asked for, and no more.
    if (m_valid) assert (8'(f_asked + {7'd0, accept} - f_sent) > m_len);
  end
  always_ff @(posedge clk) begin
    cover (f_live & m_valid & m_ready & (m_len == 8'(BURST - 1)));
    cover (f_live & direct & m_valid & m_ready);
    cover (f_live & (way == PLACES[CW-1:0]));
  end
`endif
