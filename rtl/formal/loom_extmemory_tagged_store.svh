  // Proof of the store ports of loom_extmemory_tagged, inductive: every popped pair with a
  // region makes one request; every response, fault and stray address yields one done
  // token with its tag, in the order of arrival; the slots suffice; no stray address is
  // taken while a pair waits. The pairs are those of loom_store_queue_tagged's proof.
`include "f_reset.svh"
  logic [4:0] f_asked, f_dones, f_waits, f_ahead;
  logic f_track;
  logic [TW-1:0] f_tag;
  (* anyseq *) logic f_mark;
  initial f_asked = 5'd0;
  initial f_dones = 5'd0;
  initial f_track = 1'b0;
  assign f_waits = under_way - awaited;
  always_comb assume (~st_rsp_valid | (~rst & ((f_asked != 5'd0) | (st_req_valid & st_req_ready))));
  always_ff @(posedge clk) if (f_live) begin
    f_asked <= f_asked + {4'd0, st_req_valid & st_req_ready} - {4'd0, st_rsp_valid};
    f_dones <= f_dones + {4'd0, pop | addr_stray_taken} - {4'd0, stdone_valid & stdone_ready};
    if (f_track & left) begin
      if (f_ahead == 5'd0) f_track <= 1'b0;
      f_ahead <= f_ahead - 5'd1;
    end
    if (~f_track & f_mark & (st_rsp_valid | st_unmapped | addr_stray_taken)) begin
      f_track <= 1'b1;
      f_tag   <= st_rsp_valid ? st_rsp_tag : st_unmapped ? st_tag : addr_tag;
      f_ahead <= f_waits - {4'd0, left};
    end
  end
  logic [3:0] f_at;
  assign f_at = rd + f_ahead[3:0];
  always_comb if (f_live) begin
    assert ((f_asked == awaited) & (f_dones == under_way) & (f_dones <= 5'd16) & (f_asked <= f_dones));
    assert (stdone_valid == (f_dones > f_asked));
    assert (st_req_valid == (pair_valid & (f_dones < 5'd16) & st_hit));
    assert ((st_req_valid & st_req_ready) == (pop & st_hit));
    assert (~(st_req_valid & addr_stray_taken) & ~(st_rsp_valid & (st_unmapped | addr_stray_taken)) & ~(pop & addr_stray_taken));
    if (staddr_valid & addr_stray) assert (staddr_ready == ((f_dones < 5'd16) & ~pair_valid & ~st_rsp_valid));
    if (stdata_valid & data_stray) assert (stdata_ready);
    if (pop) assert (pair_valid & (f_dones < 5'd16));
    assert (wr == rd + f_waits[3:0]);
    if (f_track) begin
      assert ((f_ahead < f_waits) & (tags[f_at] == f_tag));
      if (f_ahead == 5'd0) assert (stdone_valid & (stdone_data == f_tag));
    end
  end
