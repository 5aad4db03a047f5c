  // Proof of the load ports of loom_extmemory_tagged, inductive: every served load makes
  // one request, with its address and tag; every response, of the bus or of a fault, leaves
  // once as data and once as done, in the order of arrival, with its tag and value; the
  // slots suffice for every response that is to come.
`include "f_reset.svh"
  logic [4:0] f_asked, f_datas, f_dones;  // requests without response; loads without data, without done
  logic [4:0] f_data_waits, f_done_waits, f_data_ahead, f_done_ahead;
  logic f_track_data, f_track_done;
  logic [TW-1:0] f_tag;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_asked = 5'd0;
  initial f_datas = 5'd0;
  initial f_dones = 5'd0;
  initial f_track_data = 1'b0;
  initial f_track_done = 1'b0;
  assign f_data_waits = data_under_way - awaited;
  assign f_done_waits = done_under_way - awaited;
  // The bus responds to requests only, at the earliest in the same cycle.
  always_comb assume (~ld_rsp_valid | (~rst & ((f_asked != 5'd0) | (ld_req_valid & ld_req_ready))));
  always_ff @(posedge clk) if (f_live) begin
    f_asked <= f_asked + {4'd0, ld_req_valid & ld_req_ready} - {4'd0, ld_rsp_valid};
    f_datas <= f_datas + {4'd0, ldaddr_valid & ldaddr_ready} - {4'd0, lddata_valid & lddata_ready};
    f_dones <= f_dones + {4'd0, ldaddr_valid & ldaddr_ready} - {4'd0, lddone_valid & lddone_ready};
    if (f_track_data & data_left) begin
      if (f_data_ahead == 5'd0) f_track_data <= 1'b0;
      f_data_ahead <= f_data_ahead - 5'd1;
    end
    if (f_track_done & done_left) begin
      if (f_done_ahead == 5'd0) f_track_done <= 1'b0;
      f_done_ahead <= f_done_ahead - 5'd1;
    end
    if (~f_track_data & ~f_track_done & f_mark & (ld_rsp_valid | (accept & fault))) begin
      f_track_data <= 1'b1;
      f_track_done <= 1'b1;
      f_tag        <= ld_rsp_valid ? ld_rsp_tag : ld_tag;
      f_value      <= (ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data : '0;
      f_data_ahead <= f_data_waits - {4'd0, data_left};
      f_done_ahead <= f_done_waits - {4'd0, done_left};
    end
  end
  logic [3:0] f_data_at, f_done_at;
  assign f_data_at = data_rd + f_data_ahead[3:0];
  assign f_done_at = done_rd + f_done_ahead[3:0];
  always_comb if (f_live) begin
    assert ((f_asked == awaited) & (f_datas == data_under_way) & (f_dones == done_under_way));
    assert ((f_datas <= 5'd16) & (f_dones <= 5'd16) & (f_asked <= f_datas) & (f_asked <= f_dones));
    assert ((lddata_valid == (f_datas > f_asked)) & (lddone_valid == (f_dones > f_asked)));
    assert (ld_req_valid == (ldaddr_valid & (f_datas < 5'd16) & (f_dones < 5'd16) & ld_hit & (ld_tag < LD_COUNT)));
    assert ((ld_req_valid & ld_req_ready) == (accept & ~fault));
    assert (~ld_rsp_valid | ~(accept & fault));
    assert (wr == data_rd + f_data_waits[3:0]);
    assert (wr == done_rd + f_done_waits[3:0]);
    if (f_track_data) begin
      assert ((f_data_ahead < f_data_waits) & (tags[f_data_at] == f_tag) & (answers[f_data_at] == f_value));
      if (f_data_ahead == 5'd0) assert (lddata_valid & (lddata_data == {f_tag, f_value}));
    end
    if (f_track_done) begin
      assert ((f_done_ahead < f_done_waits) & (tags[f_done_at] == f_tag));
      if (f_done_ahead == 5'd0) assert (lddone_valid & (lddone_data == f_tag));
    end
  end
