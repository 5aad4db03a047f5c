// Proof of loom_accumulate_extreme with an addition or the choice of the larger word around it: what leaves is the
// initial value and all that was added since, or the largest of it and all elements since, and every iteration
// offers its sum, or what it began with, once.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_xc (.clk(clk), .rst(rst), .valid(x_valid), .ready(x_ready), .data(x_data));
  f_channel #(.W(W)) f_n (.clk(clk), .rst(rst), .valid(n_valid), .ready(n_ready), .data(n_value));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  (* anyconst *) logic f_chooses;
  always_comb assume (chooses == f_chooses);
  always_comb assume (n_value == (chooses ? acc : acc + x_data));
  always_comb assume (picks == (x_data > acc));

  logic f_dx, f_ax, f_xx, f_nx, f_outx;
  assign f_dx   = d_valid & d_ready;
  assign f_ax   = a_valid & a_ready;
  assign f_xx   = x_valid & x_ready;
  assign f_nx   = n_valid & n_ready;
  assign f_outx = out_valid & out_ready;

  logic f_init;                       // an initial value is due
  logic [W-1:0] f_kept, f_now, f_next;  // of the initial value and all since
  logic [3:0] f_streak, f_loops;
  initial f_init = 1'b1;
  initial f_streak = 4'd0;
  initial f_loops = 4'd0;
  assign f_now  = f_init ? a_data : f_kept;
  assign f_next = ~chooses ? f_now + x_data : (x_data > f_now) ? x_data : f_now;
  always_ff @(posedge clk) if (f_live) begin
    if (f_dx) f_init <= ~d_data;
    if (f_xx) f_kept <= f_next;
    f_streak <= f_dx ? f_streak + 4'd1 : 4'd0;
    if (f_outx & ~f_init) f_loops <= f_loops + 4'd1;
  end

  logic f_due;
  assign f_due = d_valid & (~f_init | a_valid);
  always_comb if (f_live) begin
    assert (f_ax == (f_dx & f_init));
    assert (f_xx == (f_dx & d_data));
    assert (n_valid == (f_due & d_data & x_valid));
    assert (out_valid == (f_due & ~d_data));
    assert (f_dx == (f_nx | f_outx));
    assert (f_xx == f_nx);
    if (n_valid) assert (n_value == (chooses ? f_now : f_now + x_data));
    if (out_valid) assert (out_data == f_now);
    assert (started == ~f_init);
    if (~f_init) assert ((picked ? element : value) == f_kept);
    assert (idle == f_init);
  end
  always_comb begin
    cover (f_streak == 4'd4);          // an element in every cycle, loop after loop
    cover (f_loops == 4'd2);
    cover (f_live & f_init & f_outx);  // a loop without iterations
    cover (f_live & f_init & f_nx);    // the first element comes with the initial value
    cover (f_live & chooses & f_outx & picked);
  end
