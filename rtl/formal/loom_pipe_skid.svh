// Proof of loom_pipe_skid: as many words leave as enter, up to LATENCY + 1 are inside, a
// marked word leaves unchanged in its turn, and ready depends on no input.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_in_x, f_out_x;
  assign f_in_x  = in_valid & in_ready & f_live;
  assign f_out_x = out_valid & out_ready & f_live;
  logic [7:0] f_count, f_ahead, f_age;
  logic f_tracking, f_free;
  logic [W-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_count = 8'd0;
  initial f_tracking = 1'b0;
  initial f_free = 1'b1;
  always_ff @(posedge clk) begin
    f_count <= f_count + {7'd0, f_in_x} - {7'd0, f_out_x};
    if (f_tracking) begin
      f_age <= f_age + 8'd1;
      f_free <= f_free & out_ready;
      if (f_out_x) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        else f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_in_x & f_mark) begin
      f_tracking <= 1'b1;
      f_value    <= in_data;
      f_ahead    <= f_count - {7'd0, f_out_x};
      f_age      <= 8'd1;
      f_free     <= 1'b1;
    end
  end
  always_comb if (f_live) begin
    assert (f_count <= LATENCY + 1);
    assert (idle == (f_count == 8'd0));
    // Room while fewer than LATENCY words are inside; the last place counts only as the
    // registers behind are full.
    if (f_count < LATENCY) assert (in_ready);
    if (f_count == LATENCY + 1) assert (~in_ready);
    if (f_tracking & out_valid & (f_ahead == 8'd0)) assert (out_data == f_value);
    if (f_tracking & (f_ahead == 8'd0) & (f_age < LATENCY)) assert (~out_valid);
    if (f_tracking & f_free & (f_ahead == 8'd0) & (f_age > LATENCY)) assert (out_valid | ~out_ready);
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_in_x & f_out_x) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd3);
    cover (f_live & (f_count == LATENCY + 1));
  end
