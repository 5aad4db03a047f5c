  // Proof of the load ports of loom_memory_tagged, inductive: every
  // load has its data and its done token exactly once, in order and with its tag, and the
  // value that the RAM and the fault gave in the cycle after acceptance; responses never
  // change while they wait.
`include "f_reset.svh"
  logic [2:0] f_data_ahead, f_done_ahead;
  logic f_track_data, f_track_done, f_fresh;  // fresh: accepted in the cycle before
  logic [TW-1:0] f_tag;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_track_data = 1'b0;
  initial f_track_done = 1'b0;
  initial f_fresh = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_fresh <= 1'b0;
    if (f_fresh) f_value <= faulty ? '0 : ram_rdata;
    if (f_track_data & data_left) begin
      if (f_data_ahead == 3'd0) f_track_data <= 1'b0;
      f_data_ahead <= f_data_ahead - 3'd1;
    end
    if (f_track_done & done_left) begin
      if (f_done_ahead == 3'd0) f_track_done <= 1'b0;
      f_done_ahead <= f_done_ahead - 3'd1;
    end
    if (~f_track_data & ~f_track_done & ld_accept & f_mark) begin
      f_track_data <= 1'b1;
      f_track_done <= 1'b1;
      f_fresh      <= 1'b1;
      f_tag        <= ld_tag;
      f_data_ahead <= data_under_way - {2'd0, data_left};
      f_done_ahead <= done_under_way - {2'd0, done_left};
    end
  end
  logic [1:0] f_end, f_data_at, f_done_at;
  assign f_end     = wr + {1'b0, reading};
  assign f_data_at = data_rd + f_data_ahead[1:0];
  assign f_done_at = done_rd + f_done_ahead[1:0];
  always_comb if (f_live) begin
    assert ((data_under_way <= 3'd4) & (done_under_way <= 3'd4));
    assert (~reading | ((data_under_way != 3'd0) & (done_under_way != 3'd0)));
    assert (f_end == data_rd + data_under_way[1:0]);
    assert (f_end == done_rd + done_under_way[1:0]);
    if (f_fresh) begin
      assert (reading & (reading_tag == f_tag) & f_track_data & f_track_done);
      assert ((f_data_ahead + 3'd1 == data_under_way) & (f_done_ahead + 3'd1 == done_under_way));
    end
    if (f_track_data & ~f_fresh) begin
      assert ({1'b0, f_data_ahead} + {3'd0, reading} < {1'b0, data_under_way});
      assert ((tags[f_data_at] == f_tag) & (answers[f_data_at] == f_value));
      if (f_data_ahead == 3'd0) assert (lddata_valid & (lddata_data == {f_tag, f_value}));
    end
    if (f_track_done & ~f_fresh) begin
      assert ({1'b0, f_done_ahead} + {3'd0, reading} < {1'b0, done_under_way});
      assert (tags[f_done_at] == f_tag);
      if (f_done_ahead == 3'd0) assert (lddone_valid & (lddone_data == f_tag));
    end
  end
