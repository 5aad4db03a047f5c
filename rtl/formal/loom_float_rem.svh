// Proof of loom_float_rem: operands leave together, when nothing is inside or the result leaves; the result
// comes in no less and no more than its time, stays, and is the remainder of the operands as numbers in units
// of the least one, with the sign of a.
`include "f_reset.svh"
  localparam int F_LEAST = 3;
  localparam int F_MOST = (1 << EXP) + 2 * FRAC + 1;
  localparam int F_W = P + (1 << EXP) - 3;  // of the largest number, in units of the least
  f_channel #(.W(EXP+FRAC+1), .ASSUME(1)) f_a_ch (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(EXP+FRAC+1), .ASSUME(1)) f_b_ch (.clk(clk), .rst(rst), .valid(b_valid), .ready(b_ready), .data(b_data));
  f_channel #(.W(EXP+FRAC+1)) f_y_ch (.clk(clk), .rst(rst), .valid(y_valid), .ready(y_ready), .data(y_data));

  logic f_accept, f_leave, f_busy;
  logic [7:0] f_age;
  logic [EXP+FRAC:0] f_a, f_b;
  assign f_accept = a_valid & a_ready;
  assign f_leave  = y_valid & y_ready;
  initial f_busy = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_accept) begin
      f_busy <= 1'b1;
      f_age  <= 8'd1;
      f_a    <= a_data;
      f_b    <= b_data;
    end else begin
      if (f_leave) f_busy <= 1'b0;
      f_age <= f_age + 8'd1;
    end
  end

  logic [EXP-1:0] f_ea, f_eb, f_ey;
  logic [F_W-1:0] f_va, f_vb, f_vy;
  logic           f_nan;
  assign f_ea  = f_a[FRAC +: EXP];
  assign f_eb  = f_b[FRAC +: EXP];
  assign f_ey  = y_data[FRAC +: EXP];
  assign f_va  = F_W'({|f_ea, f_a[FRAC-1:0]}) << (f_ea - EXP'(|f_ea));
  assign f_vb  = F_W'({|f_eb, f_b[FRAC-1:0]}) << (f_eb - EXP'(|f_eb));
  assign f_vy  = F_W'({|f_ey, y_data[FRAC-1:0]}) << (f_ey - EXP'(|f_ey));
  assign f_nan = (&f_ea) | ((&f_eb) & (|f_b[FRAC-1:0])) | ~|f_b[EXP+FRAC-1:0];
  always_comb if (f_live) begin
    assert ((b_valid & b_ready) == f_accept);
    assert (f_accept == (a_valid & b_valid & (~f_busy | f_leave)));
    assert (idle == ~f_busy);
    if (y_valid) assert (f_busy & (f_age >= F_LEAST));
    if (f_busy & (f_age >= F_MOST)) assert (y_valid);
    if (y_valid & f_nan) assert (y_data == {1'b0, {EXP{1'b1}}, 1'b1, {(FRAC - 1) {1'b0}}});
    if (y_valid & ~f_nan) begin
      assert (y_data[EXP+FRAC] == f_a[EXP+FRAC]);
      assert (~&f_ey);
      if (&f_eb) assert (y_data == f_a);
      else assert (f_vy == f_va % f_vb);
    end
  end
  always_comb begin
    cover (f_live & f_leave & f_accept & (f_age == F_LEAST));
    cover (f_live & f_leave & f_accept & (f_age == F_MOST));
  end
