// Proof of the handshake of loom_float_divsqrt: operands leave together, a root's alone, when nothing
// is inside or the result leaves; the result comes in its cycle and stays. Values are compared with
// exact ones by simulation of all small numbers.
`include "f_reset.svh"
  localparam int F_CYCLES = 6 + N;
  f_channel #(.W(EXP+FRAC+1), .ASSUME(1)) f_a_ch (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(EXP+FRAC+1), .ASSUME(1)) f_b_ch (.clk(clk), .rst(rst), .valid(b_valid), .ready(b_ready), .data(b_data));
  f_channel #(.W(EXP+FRAC+1)) f_y_ch (.clk(clk), .rst(rst), .valid(y_valid), .ready(y_ready), .data(y_data));
  logic f_root, f_started;
  initial f_started = 1'b0;
  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    f_root    <= root;
  end
  always_comb if (f_started) assume (root == f_root);

  logic f_accept, f_leave, f_busy;
  logic [7:0] f_age;
  assign f_accept = a_valid & a_ready;
  assign f_leave  = y_valid & y_ready;
  initial f_busy = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_accept) begin
      f_busy <= 1'b1;
      f_age  <= 8'd1;
    end else begin
      if (f_leave) f_busy <= 1'b0;
      f_age <= f_age + 8'd1;
    end
  end
  always_comb if (f_live) begin
    assert ((b_valid & b_ready) == (f_accept & ~is_root));
    assert (f_accept == (a_valid & (b_valid | is_root) & (~f_busy | f_leave)));
    assert (y_valid == (f_busy & (f_age >= F_CYCLES)));
    assert (idle == ~f_busy);
  end
  always_comb begin
    cover (f_live & f_leave & f_accept & (f_age == F_CYCLES) & root);
    cover (f_live & f_leave & f_accept & (f_age == F_CYCLES) & ~root);
  end
