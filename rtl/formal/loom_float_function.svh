// Proof of the handshake of loom_float_function: an operand is accepted when nothing is inside or the
// result leaves; the result comes in its cycle and stays. By induction: the parts of an operation follow each
// other, and what is left of each and of those behind it is the time until the result.
`include "f_reset.svh"
  localparam int F_CYCLES = REDUCE + ALIGN + M * (TERMS + 2) + TERMS + DOWN + NC + SHIFT + 9;
  f_channel #(.W(EXP+FRAC+1), .ASSUME(1)) f_a_ch (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(EXP+FRAC+1)) f_y_ch (.clk(clk), .rst(rst), .valid(y_valid), .ready(y_ready), .data(y_data));
  logic [1:0] f_op;
  logic       f_started;
  initial f_started = 1'b0;
  always_ff @(posedge clk) begin
    f_started <= 1'b1;
    f_op      <= op;
  end
  always_comb if (f_started) assume (op == f_op);

  logic f_accept, f_leave, f_busy;
  logic [9:0] f_age;
  assign f_accept = a_valid & a_ready;
  assign f_leave  = y_valid & y_ready;
  initial f_busy = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_accept) begin
      f_busy <= 1'b1;
      f_age  <= 10'd1;
    end else begin
      if (f_leave) f_busy <= 1'b0;
      f_age <= f_age + 10'd1;
    end
  end
  always_comb if (f_live) begin
    assert (f_accept == (a_valid & (~f_busy | f_leave)));
    assert (y_valid == (f_busy & (f_age >= F_CYCLES)));
    assert (idle == ~f_busy);
  end

  localparam int F_FETCH = 1 + FEED + SHIFT + 1;
  localparam int F_CLEAR = 1 + TERMS * (M + 1) + DOWN + F_FETCH;
  localparam int F_LOAD = 1 + ALIGN + 2 + M + F_CLEAR;
  logic [15:0] f_parts;
  logic [9:0]  f_rest, f_left;
  assign f_parts = {prepare, reduce, turn, load, align, take, copy, square, clear, add, multiply, down, fetch, feed, shift, rounding};
  assign f_left  = 10'(left);
  always_comb begin
    f_rest = 10'd0;
    if (prepare) f_rest = 10'(1 + REDUCE + 1 + F_LOAD);
    if (reduce) f_rest = f_left + 10'(1 + 1 + F_LOAD);
    if (turn) f_rest = 10'(1 + F_LOAD);
    if (load) f_rest = 10'(F_LOAD);
    if (align) f_rest = f_left + 10'(1 + 2 + M + F_CLEAR);
    if (take) f_rest = 10'(2 + M + F_CLEAR);
    if (copy) f_rest = 10'(1 + M + F_CLEAR);
    if (square) f_rest = f_left + 10'(1 + F_CLEAR);
    if (clear) f_rest = 10'(F_CLEAR);
    if (add) f_rest = (10'(term) + 10'd1) * 10'(M + 1) + 10'(DOWN + F_FETCH);
    if (multiply) f_rest = f_left + 10'd1 + (last ? 10'd0 : (10'(term) + 10'd1) * 10'(M + 1)) + 10'(DOWN + F_FETCH);
    if (down) f_rest = f_left + 10'(1 + F_FETCH);
    if (fetch) f_rest = 10'(F_FETCH);
    if (feed) f_rest = f_left + 10'(1 + SHIFT + 1);
    if (shift) f_rest = f_left + 10'd2;
    if (rounding) f_rest = 10'd1;
  end
  always_comb if (f_live) begin
    assert (f_busy == (busy | full));
    assert (~(busy & full));
    assert ((f_parts != 16'd0) == busy);
    assert ((f_parts & (f_parts - 16'd1)) == 16'd0);
    if (busy) assert (f_age + f_rest == F_CYCLES);
    if (reduce) assert (left < REDUCE);
    if (align) assert (left < ALIGN);
    if (square | multiply) assert (left < M);
    if (down) assert (left < DOWN);
    if (feed) assert (left < FEED);
    if (shift) assert (left < SHIFT);
    if (add | (multiply & ~last)) assert (term < TERMS);
    if (square | clear) assert (term == TERMS - 1);
  end
  // A result waits as long as it is not taken, which the age may not count.
  always_comb if (f_live) assume (f_age < 10'd1000);
