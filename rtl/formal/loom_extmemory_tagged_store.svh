  // Proof of the store ports of loom_extmemory_tagged, inductive for OUTSTANDING 2: every popped
  // pair with a region makes one request; every response, fault and stray address yields one
  // done token; the slots suffice; no stray address is taken while a pair waits. The
  // order of the tokens and their tags are bounded. The pairs are those of
  // loom_store_queue_tagged's proof.
`include "f_reset.svh"
  logic [7:0] f_asked, f_dones, f_waits, f_ahead;
  logic f_track;
  logic [TW-1:0] f_tag;
  (* anyseq *) logic f_mark;
  initial f_asked = 8'd0;
  initial f_dones = 8'd0;
  initial f_track = 1'b0;
  assign f_waits = f_dones - f_asked - {7'd0, st_outside};
  always_comb assume (~st_rsp_valid | (~rst & ((f_asked != 8'd0) | (st_req_valid & st_req_ready))));
  always_ff @(posedge clk) if (f_live) begin
    f_asked <= f_asked + {7'd0, st_req_valid & st_req_ready} - {7'd0, st_rsp_valid};
    f_dones <= f_dones + {7'd0, pop | addr_stray_taken} - {7'd0, stdone_valid & stdone_ready};
    if (f_track & left) begin
      if (f_ahead == 8'd0) f_track <= 1'b0;
      f_ahead <= f_ahead - 8'd1;
    end
    if (~f_track & f_mark & (st_rsp_valid | st_unmapped | addr_stray_taken | refused)) begin
      f_track <= 1'b1;
      f_tag   <= st_rsp_valid ? st_rsp_tag : refused ? outside_tag : st_unmapped ? st_tag : addr_tag;
      f_ahead <= f_waits - {7'd0, left};
    end
  end
  always_comb if (f_live) begin
    assert ((f_dones == 8'(under_way)) & (f_dones <= OUTSTANDING) & (f_asked + {7'd0, st_outside} <= f_dones));
    assert (stdone_valid == (f_waits != 8'd0));
    if (BOUNDS != 0) assert (f_asked == 8'(asked));
    else assert (~st_outside);
    assert (~refused | (st_outside & ~st_rsp_valid & ~pop & ~addr_stray_taken));
    assert (st_req_valid == (pair_valid & (f_dones < OUTSTANDING) & st_hit & ~outside & ~st_outside));
    assert ((st_req_valid & st_req_ready) == (pop & st_hit & ~outside));
    assert (~(st_req_valid & addr_stray_taken) & ~(st_rsp_valid & (st_unmapped | addr_stray_taken)) & ~(pop & addr_stray_taken));
    if (staddr_valid & addr_stray) assert (staddr_ready == ((f_dones < OUTSTANDING) & ~pair_valid & ~st_rsp_valid & ~st_outside));
    if (stdata_valid & data_stray) assert (stdata_ready);
    if (pop) assert (pair_valid & (f_dones < OUTSTANDING));
    if (answer) assert (unused_done_room);
    if (OUTSTANDING == 2) assert (unused_done_room == (f_waits != 8'd2));
    if (f_track) assert (f_ahead < f_waits);
    if (~f_induction & f_track & (f_ahead == 8'd0)) assert (stdone_valid & (stdone_data == f_tag));
  end
  // The limit is reached.
  always_comb cover (f_live & (f_asked == OUTSTANDING) & pair_valid);
