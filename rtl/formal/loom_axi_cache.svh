// Proof of loom_axi_cache: every read of every load is answered once, in the order in which they were taken, to the load that asked, with what memory has at
// its place in that run; nothing of a run is left for one that is offered when none is under way. Bounded.
`include "f_reset.svh"
`ifdef F_TOP_loom_axi_cache
  always_comb if (rst) assume (clear);
  // Runs: a start that is offered stays; a done ends a run that was taken and has all its reads.
  f_channel #(.ASSUME(1)) f_s (.clk(clk), .rst(clear), .valid(start_valid), .ready(start_ready), .data(1'b0));
  logic [2:0] f_runs;
  logic f_under_way, f_was;  // a run is offered or has not ended; in the cycle before
  initial f_runs = 3'd0;
  initial f_was  = 1'b0;
  assign f_under_way = start_valid | (f_runs != 3'd0);
  // Reads that have not been answered.
  logic [2:0] f_reads;
  initial f_reads = 3'd0;
  logic f_taken, f_given;
  assign f_taken = |(ld_valid & ld_ready);
  assign f_given = |ld_r_valid;
  always_comb begin
    if (f_live) assume (~clear);
    assume (f_live | (~start_valid & ~done_valid));
    assume (~(start_valid & start_ready) | (f_runs < 3'd2));
    // A circuit may take a start behind the done of its run; here it takes it before.
    assume (~(done_valid & done_ready) | ((f_runs != 3'd0) & ((f_reads == 3'd0) & ~f_taken & ~|ld_valid | (f_runs > 3'd1))));
    assume (~|ld_valid | (f_was & f_under_way));
  end
  for (genvar i = 0; i < N; i++) begin : f_load
    f_channel #(.W(BUS_AW), .ASSUME(1)) f_l (.clk(clk), .rst(rst), .valid(ld_valid[i]), .ready(ld_ready[i]), .data(ld_addr[i*BUS_AW +: BUS_AW]));
    always_comb assume (~|(ld_addr[i*BUS_AW +: BUS_AW] & BUS_AW'((1 << SHIFT) - 1)));
  end
  f_channel #(.W(BUS_AW)) f_a (.clk(clk), .rst(rst), .valid(ar_valid), .ready(ar_ready), .data(ar_addr));

  // Memory: a value at a place at will, which changes when no run is under way.
  (* anyconst *) logic [BUS_AW-1:0] f_place;
  (* anyseq *) logic [DW-1:0] f_new;
  (* anyconst *) logic f_bad;
  logic [DW-1:0] f_value;
  // Reads on the bus.
  logic [4*BUS_AW-1:0] f_addrs;
  logic [1:0] f_wr, f_rd;
  logic [2:0] f_bus;
  logic [BUS_DW-1:0] f_shifted;
  initial f_wr  = 2'd0;
  initial f_rd  = 2'd0;
  initial f_bus = 3'd0;
  assign f_shifted = r_data >> ((f_place % (BUS_DW / 8)) * 8);
  always_comb begin
    assume (~|(f_place & BUS_AW'((1 << SHIFT) - 1)));
    assume (~r_valid | (f_live & (f_bus != 3'd0) & r_last));
    assume (~(r_valid & (f_addrs[f_rd*BUS_AW +: BUS_AW] == f_place)) | ((f_shifted[DW-1:0] == f_value) & (r_err == f_bad)));
  end
  always_ff @(posedge clk) begin
    if (~f_under_way) f_value <= f_new;
    f_was <= f_live & f_under_way;
    if (f_live) begin
      f_runs  <= f_runs + {2'd0, start_valid & start_ready} - {2'd0, done_valid & done_ready};
      f_reads <= f_reads + {2'd0, f_taken} - {2'd0, f_given};
      f_bus   <= f_bus + {2'd0, ar_valid & ar_ready} - {2'd0, r_valid};
      if (ar_valid & ar_ready) begin
        f_wr <= f_wr + 2'd1;
        f_addrs[f_wr*BUS_AW +: BUS_AW] <= ar_addr;
      end
      if (r_valid) f_rd <= f_rd + 2'd1;
    end
  end

  // A read at will of a load at will, and how many are answered before it.
  (* anyseq *) logic f_mark;
  (* anyconst *) logic [3:0] f_which;
  logic f_tracking, f_hits;
  logic [2:0] f_before;
  initial f_tracking = 1'b0;
  always_comb assume (f_which < N);
  always_ff @(posedge clk) if (f_live) begin
    if (f_tracking) begin
      if (f_given) begin
        f_before   <= f_before - 3'd1;
        f_tracking <= f_before != 3'd0;
      end
    end else if (f_mark & ld_valid[f_which] & ld_ready[f_which]) begin
      f_tracking <= 1'b1;
      f_before   <= f_reads - {2'd0, f_given};
      f_hits     <= ld_addr[f_which*BUS_AW +: BUS_AW] == f_place;
    end
  end
  always_comb if (f_live) begin
    assert ($onehot0(ld_r_valid) & $onehot0(ld_valid & ld_ready));
    assert (reads == CW'(f_reads));
    // The cache is emptied in the cycle in which a run is offered when none is under way, or in one before it, and
    // not while one that was taken is.
    if (start_valid & ~f_was) assert (~running);
    if (f_runs != 3'd0) assert (running);
    if (f_given) assert (f_reads != 3'd0);
    if (f_tracking & f_given & (f_before == 3'd0)) begin
      assert (ld_r_valid[f_which]);
      if (f_hits & ~f_bad) assert (~ld_r_err & (ld_r_data == f_value));
    end
    // Nothing but what was asked for is read.
    assert (f_bus <= f_reads);
  end
  // A hit; and a read of a later run behind one of an earlier, for which memory has changed.
  logic f_ended;
  initial f_ended = 1'b0;
  always_ff @(posedge clk) if (f_live) f_ended <= f_ended | (done_valid & done_ready & ~f_under_way) | ((f_runs == 3'd1) & done_valid & done_ready & ~start_valid);
  always_comb begin
    cover (f_live & f_tracking & f_hits & f_given & (f_before == 3'd0) & (f_which == N - 1) & ~f_bad);
    cover (f_live & f_given & (f_bus == 3'd0) & ~r_valid);
    cover (f_live & f_ended & ar_valid);
  end
`endif
