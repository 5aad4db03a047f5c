// Proof of loom_fifo_primed: protocol, exact occupancy, the initial words first and in order,
// then what came in, in order: a marked word comes out unchanged behind those before it.
`ifdef F_TOP_loom_fifo_primed
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_in_x, f_out_x, f_tracking;
  logic [7:0] f_count, f_ahead, f_old;  // f_old: initial words that are still there
  logic [W-1:0] f_value;
  (* anyseq *) logic f_mark;
  assign f_in_x  = in_valid & in_ready & f_live;
  assign f_out_x = out_valid & out_ready & f_live;
  initial f_count = N;
  initial f_old = N;
  initial f_tracking = 1'b0;
  always_ff @(posedge clk) begin
    f_count <= f_count + {7'd0, f_in_x} - {7'd0, f_out_x};
    if (f_out_x & (f_old != 8'd0)) f_old <= f_old - 8'd1;
    if (f_tracking) begin
      if (f_out_x) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        else f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_in_x & f_mark) begin
      f_tracking <= 1'b1;
      f_value    <= in_data;
      f_ahead    <= f_count - {7'd0, f_out_x};
    end
  end
  generate
    for (genvar k = 0; k < DEPTH; k++) begin : g_f_word
      always_comb if (f_live & f_tracking & (f_ahead == k)) assert (words[k*W +: W] == f_value);
    end
    for (genvar k = 0; k < N; k++) begin : g_f_old
      // Initial word k stands at place k - (N - f_old).
      for (genvar p = 0; p <= k; p++) begin : g_f_place
        always_comb if (f_live & (f_old == N - k + p)) assert (words[p*W +: W] == INIT[k*W +: W]);
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert (f_count <= DEPTH);
    assert (count == f_count);
    assert (f_old <= f_count);
    assert (f_old <= N);
    assert (out_valid == (f_count != 8'd0));
    assert (in_ready == (f_count < DEPTH));
    assert (idle == (f_count == N));
    if (f_tracking) assert ((f_ahead < f_count) & (f_ahead >= f_old));
    if (f_tracking & (f_ahead == 8'd0)) assert (out_data == f_value);
  end
`ifdef F_TOP_loom_fifo_primed
  always_comb begin
    cover (f_live & (f_old == 8'd0) & f_tracking & f_out_x & (f_ahead == 8'd0));
    cover (f_live & (f_count == DEPTH) & (f_old == 8'd0));
  end
`endif
