// Proof of loom_invariant against the two phases of spec-dataflow.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W)) f_o (.clk(clk), .rst(rst), .valid(o_valid), .ready(o_ready), .data(o_data));

  logic f_dx, f_ax, f_ox;
  assign f_dx = d_valid & d_ready;
  assign f_ax = a_valid & a_ready;
  assign f_ox = o_valid & o_ready;

  logic f_looping;
  logic [W-1:0] f_seed;
  logic [3:0] f_streak, f_loops;
  initial f_looping = 1'b0;
  initial f_streak = 4'd0;
  initial f_loops = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_ax) begin
      f_looping <= 1'b1;
      f_seed    <= a_data;
    end
    if (f_dx & ~d_data) begin
      f_looping <= 1'b0;
      f_loops   <= f_loops + 4'd1;
    end
    f_streak <= (f_looping & f_ox) ? f_streak + 4'd1 : 4'd0;
  end

  always_comb if (f_live) begin
    if (~f_looping) begin
      assert (~f_dx & (f_ox == f_ax) & (o_valid == a_valid));
      if (f_ox) assert (o_data == a_data);
    end else begin
      assert (~f_ax);
      assert (o_valid == (d_valid & d_data));
      assert (f_ox == (f_dx & d_data));
      if (d_valid & ~d_data) assert (f_dx);
      if (f_ox) assert (o_data == f_seed);
      assert (value == f_seed);
    end
    assert (started == f_looping);
    assert (idle == ~f_looping);
  end
  always_comb begin
    cover (f_streak == 4'd3);
    cover (f_loops == 4'd2);
  end
