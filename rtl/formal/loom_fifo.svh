// Proof of loom_fifo: protocol, exact occupancy contract, nothing lost, order. One
// arriving word may be marked; it must come out unchanged after exactly the words that
// stood before it. The invariants that make this inductive stand in the branches.
`ifdef F_TOP_loom_fifo
  localparam bit F_TOP = 1;
`include "f_reset.svh"
`else
  // Inside another module it may be reset again.
  localparam bit F_TOP = 0;
  logic f_live;
  initial f_live = 1'b0;
  always_ff @(posedge clk) f_live <= 1'b1;
  logic f_induction;
  f_proof f_proof (.step(f_induction));
  always_comb assume (f_live | ~f_induction);
`endif
  f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid), .ready(in_ready), .data(in_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_in_x, f_out_x;
  assign f_in_x  = in_valid & in_ready & f_live;
  assign f_out_x = out_valid & out_ready & f_live;

  logic [7:0] f_count, f_ahead;
  logic f_tracking;
  logic [W-1:0] f_value;
  (* anyseq *) logic f_mark;
  initial f_count = 8'd0;
  initial f_tracking = 1'b0;
  always_ff @(posedge clk) begin
    f_count <= rst ? 8'd0 : f_count + {7'd0, f_in_x} - {7'd0, f_out_x};
    if (rst) f_tracking <= 1'b0;
    else if (f_tracking) begin
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

  always_comb if (f_live) begin
    assert (f_count <= DEPTH);
    assert (out_valid == (f_count != 8'd0));
    if (DEPTH == 1) assert (in_ready == ((f_count == 8'd0) | out_ready));
    else assert (in_ready == (f_count < DEPTH));
    if (f_tracking) assert (f_ahead < f_count);
    if (f_tracking & (f_ahead == 8'd0)) assert (out_data == f_value);
  end

  logic [7:0] f_streak;  // transfers on both sides in consecutive cycles
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_in_x & f_out_x) ? f_streak + 8'd1 : 8'd0;
`ifdef F_TOP_loom_fifo
  always_comb begin
    cover (f_live & (f_count == DEPTH));
    cover (f_streak == 8'd3);
    cover (f_live & f_tracking & (f_ahead == DEPTH - 1));
  end
`endif
