// Proof of loom_fifo_transparent: ready from state alone, an empty queue passes a word in its
// cycle, nothing is lost, and a marked word comes out unchanged after exactly those before it.
`ifdef F_TOP_loom_fifo_transparent
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_in_x, f_out_x;
  assign f_in_x  = in_valid & in_ready & f_live;
  assign f_out_x = out_valid & out_ready & f_live;
  logic [7:0] f_count, f_ahead;
  logic f_tracking, f_marked;
  logic [W-1:0] f_value;
  (* anyseq *) logic f_mark;
  assign f_marked = f_in_x & f_mark & ~f_tracking;
  initial f_count = 8'd0;
  initial f_tracking = 1'b0;
  always_ff @(posedge clk) begin
    f_count <= f_count + {7'd0, f_in_x} - {7'd0, f_out_x};
    if (f_tracking) begin
      if (f_out_x) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        else f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_marked & ~((f_count == 8'd0) & f_out_x)) begin
      f_tracking <= 1'b1;
      f_value    <= in_data;
      f_ahead    <= f_count - {7'd0, f_out_x};
    end
  end
  always_comb if (f_live) begin
    assert (f_count <= DEPTH);
    assert (in_ready == (f_count < DEPTH));
    assert (out_valid == (in_valid | (f_count != 8'd0)));
    if (f_count == 8'd0) assert (out_data == in_data);
    if (f_tracking) assert (f_ahead < f_count);
    if (f_tracking & (f_ahead == 8'd0)) assert (out_data == f_value);
    // For induction: slots are used from 0 on, and where the marked word is.
    for (int k = 0; k < DEPTH; k++) begin
      assert (full[k] == (f_count > k));
      if (f_tracking & (f_count - 8'd1 - f_ahead == k)) assert (slots[k*W +: W] == f_value);
    end
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_in_x & f_out_x) ? f_streak + 8'd1 : 8'd0;
`ifdef F_TOP_loom_fifo_transparent
  always_comb begin
    cover (f_streak == 8'd3);
    cover (f_live & (f_count == DEPTH));
    cover (f_live & f_tracking & (f_ahead == DEPTH - 1));
  end
`endif
