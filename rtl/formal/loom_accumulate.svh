// Proof of loom_accumulate with an addition around it: what leaves is the initial value and all
// that was added since, and every iteration offers its sum once.
`include "f_reset.svh"
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(d_data));
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  (* anyseq *) logic [W-1:0] f_x;
  f_channel #(.W(W), .ASSUME(1)) f_xc (.clk(clk), .rst(rst), .valid(x_valid), .ready(x_ready), .data(f_x));
  f_channel #(.W(W)) f_n (.clk(clk), .rst(rst), .valid(n_valid), .ready(n_ready), .data(n_value));
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  always_comb assume (n_value == acc + f_x);

  logic f_dx, f_ax, f_xx, f_nx, f_outx;
  assign f_dx   = d_valid & d_ready;
  assign f_ax   = a_valid & a_ready;
  assign f_xx   = x_valid & x_ready;
  assign f_nx   = n_valid & n_ready;
  assign f_outx = out_valid & out_ready;

  logic f_init;         // an initial value is due
  logic [W-1:0] f_sum;  // of the initial value and all since
  logic [3:0] f_streak, f_loops;
  initial f_init = 1'b1;
  initial f_streak = 4'd0;
  initial f_loops = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_dx) f_init <= ~d_data;
    if (f_xx) f_sum <= (f_init ? a_data : f_sum) + f_x;
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
    if (n_valid) assert (n_value == (f_init ? a_data : f_sum) + f_x);
    if (out_valid) assert (out_data == (f_init ? a_data : f_sum));
    assert (started == ~f_init);
    if (~f_init) assert (value == f_sum);
    assert (idle == f_init);
  end
  always_comb begin
    cover (f_streak == 4'd4);          // an element in every cycle, loop after loop
    cover (f_loops == 4'd2);
    cover (f_live & f_init & f_outx);  // a loop without iterations
    cover (f_live & f_init & f_nx);    // the first element comes with the initial value
  end
