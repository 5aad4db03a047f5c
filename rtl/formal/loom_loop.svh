// Proof of loom_loop against carry and cond_br of one condition: the k-th condition meets the k-th
// value of the carry, which is the initial one after a false condition and else what came round.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_b (.clk(clk), .rst(rst), .valid(b_valid), .ready(b_ready), .data(b_data));
  f_channel #(.W(W)) f_body (.clk(clk), .rst(rst), .valid(body_valid), .ready(body_ready), .data(body_data));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));

  logic f_dx, f_ax, f_bx, f_bodyx, f_outx;
  assign f_dx    = d_valid & d_ready;
  assign f_ax    = a_valid & a_ready;
  assign f_bx    = b_valid & b_ready;
  assign f_bodyx = body_valid & body_ready;
  assign f_outx  = out_valid & out_ready;

  logic f_init;  // the value due is an initial one
  logic [3:0] f_streak, f_loops;
  initial f_init = 1'b1;
  initial f_streak = 4'd0;
  initial f_loops = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_dx) f_init <= ~d_data;
    f_streak <= f_dx ? f_streak + 4'd1 : 4'd0;
    if (f_outx & ~f_init) f_loops <= f_loops + 4'd1;
  end

  logic f_due;
  assign f_due = f_init ? a_valid : b_valid;
  always_comb if (f_live) begin
    // Every firing consumes a condition and the value due, and gives one token.
    assert (f_ax == (f_dx & f_init));
    assert (f_bx == (f_dx & ~f_init));
    assert (body_valid == (d_valid & d_data & f_due));
    assert (out_valid == (d_valid & ~d_data & f_due));
    assert (f_dx == (f_bodyx | f_outx));
    if (body_valid) assert (body_data == (f_init ? a_data : b_data));
    if (out_valid) assert (out_data == (f_init ? a_data : b_data));
    assert (started == ~f_init);
    assert (idle == f_init);
  end
  always_comb begin
    cover (f_streak == 4'd4);                    // a firing in every cycle
    cover (f_loops == 4'd2);
    cover (f_live & f_init & f_outx);            // a loop without iterations
    cover (f_live & f_init & d_valid & ~a_valid & b_valid);
  end
