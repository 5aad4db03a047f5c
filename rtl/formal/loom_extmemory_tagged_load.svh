  // Proof of the load ports of loom_extmemory_tagged, inductive for OUTSTANDING 2: every served
  // load, with BOUNDS every one inside of its array, makes one request, with its address and tag; every response, of the bus or of a fault,
  // leaves once as data and once as done; the slots suffice for every response that is to
  // come. That they leave in the order of arrival, with tag and value, is bounded (that of the
  // queues is proven with loom_fifo).
`include "f_reset.svh"
  logic [7:0] f_asked, f_datas, f_dones;  // requests without response; loads without data, without done
  logic [7:0] f_data_waits, f_done_waits, f_data_ahead, f_done_ahead;
  logic f_track_data, f_track_done;
  logic [TW-1:0] f_tag;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_asked = 8'd0;
  initial f_datas = 8'd0;
  initial f_dones = 8'd0;
  initial f_track_data = 1'b0;
  initial f_track_done = 1'b0;
  // A load outside of its array waits until all requests have their responses.
  assign f_data_waits = f_datas - f_asked - {7'd0, ld_outside};
  assign f_done_waits = f_dones - f_asked - {7'd0, ld_outside};
  // The bus responds to requests only, at the earliest in the same cycle.
  always_comb assume (~ld_rsp_valid | (~rst & ((f_asked != 8'd0) | (ld_req_valid & ld_req_ready))));
  always_ff @(posedge clk) if (f_live) begin
    f_asked <= f_asked + {7'd0, ld_req_valid & ld_req_ready} - {7'd0, ld_rsp_valid};
    f_datas <= f_datas + {7'd0, ldaddr_valid & ldaddr_ready} - {7'd0, lddata_valid & lddata_ready};
    f_dones <= f_dones + {7'd0, ldaddr_valid & ldaddr_ready} - {7'd0, lddone_valid & lddone_ready};
    if (f_track_data & data_left) begin
      if (f_data_ahead == 8'd0) f_track_data <= 1'b0;
      f_data_ahead <= f_data_ahead - 8'd1;
    end
    if (f_track_done & done_left) begin
      if (f_done_ahead == 8'd0) f_track_done <= 1'b0;
      f_done_ahead <= f_done_ahead - 8'd1;
    end
    if (~f_track_data & ~f_track_done & f_mark & (ld_rsp_valid | (accept & fault) | refused)) begin
      f_track_data <= 1'b1;
      f_track_done <= 1'b1;
      f_tag        <= ld_rsp_valid ? ld_rsp_tag : refused ? outside_tag : ld_tag;
      f_value      <= (ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data : '0;
      f_data_ahead <= f_data_waits - {7'd0, data_left};
      f_done_ahead <= f_done_waits - {7'd0, done_left};
    end
  end
  always_comb if (f_live) begin
    assert ((f_datas == 8'(data_under_way)) & (f_dones == 8'(done_under_way)));
    assert ((f_datas <= OUTSTANDING) & (f_dones <= OUTSTANDING) & (f_asked + {7'd0, ld_outside} <= f_datas) & (f_asked + {7'd0, ld_outside} <= f_dones));
    assert ((lddata_valid == (f_data_waits != 8'd0)) & (lddone_valid == (f_done_waits != 8'd0)));
    if (BOUNDS != 0) assert (f_asked == 8'(asked));
    else assert (~ld_outside);
    assert (~refused | (ld_outside & ~ld_rsp_valid & ~accept));
    assert (ld_req_valid == (ldaddr_valid & (f_datas < OUTSTANDING) & (f_dones < OUTSTANDING) & ld_hit & (ld_tag < LD_COUNT) & ~outside & ~ld_outside));
    assert ((ld_req_valid & ld_req_ready) == (accept & ~fault & ~outside));
    assert (~ld_rsp_valid | ~(accept & fault));
    if (answer) assert (unused_data_room & unused_done_room);
    if (OUTSTANDING == 2) assert ((unused_data_room == (f_data_waits != 8'd2)) & (unused_done_room == (f_done_waits != 8'd2)));
    if (f_track_data) assert (f_data_ahead < f_data_waits);
    if (f_track_done) assert (f_done_ahead < f_done_waits);
    if (~f_induction & f_track_data & (f_data_ahead == 8'd0)) assert (lddata_valid & (lddata_data == {f_tag, f_value}));
    if (~f_induction & f_track_done & (f_done_ahead == 8'd0)) assert (lddone_valid & (lddone_data == f_tag));
  end
  // The limit is reached.
  always_comb cover (f_live & (f_asked == OUTSTANDING) & ldaddr_valid);
