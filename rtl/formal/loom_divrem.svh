// Proof of loom_divrem: result by the definition of division, in exactly W+1 cycles,
// bounded over two divisions.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_a_ch (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_b_ch (.clk(clk), .rst(rst), .valid(b_valid), .ready(b_ready), .data(b_data));
  f_channel #(.W(W)) f_y_ch (.clk(clk), .rst(rst), .valid(y_valid), .ready(y_ready), .data(y_data));
  logic f_accept, f_leave;
  assign f_accept = a_valid & a_ready;
  assign f_leave  = y_valid & y_ready;

  logic f_busy;
  logic [7:0] f_age;
  logic [W-1:0] f_a, f_b, f_quo, f_rem;
  logic signed [W-1:0] f_sa, f_sb, f_squo, f_srem;
  initial f_busy = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_accept) begin
      f_busy <= 1'b1;
      f_a    <= a_data;
      f_b    <= b_data;
      f_age  <= 8'd1;
    end else begin
      if (f_leave) f_busy <= 1'b0;
      f_age <= f_age + 8'd1;
    end
  end
  assign f_sa   = f_a;
  assign f_sb   = f_b;
  assign f_squo = f_sa / f_sb;
  assign f_srem = f_sa % f_sb;
  always_comb begin
    if (f_b == '0) begin
      f_quo = '1;
      f_rem = f_a;
    end else if (SIGNED != 0) begin
      f_quo = (f_b == '1) ? -f_a : f_squo;
      f_rem = (f_b == '1) ? '0 : f_srem;
    end else begin
      f_quo = f_a / f_b;
      f_rem = f_a % f_b;
    end
  end
  always_comb if (f_live) begin
    assert ((a_valid & a_ready) == (b_valid & b_ready));
    assert (f_accept == (a_valid & b_valid & (~f_busy | f_leave)));
    assert (y_valid == (f_busy & (f_age > W)));
    assert (idle == ~f_busy);
    if (y_valid) assert (y_data == ((REM != 0) ? f_rem : f_quo));
  end
  always_comb begin
    cover (f_live & f_leave & f_accept & (f_age == W + 1));
    cover (f_live & y_valid & (f_b == '0));
  end
