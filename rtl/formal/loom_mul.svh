// Proof of loom_mul: as many products leave as pairs enter, in order; a marked pair leaves
// as its product, after LATENCY cycles without stalls; a pipeline with a gap accepts.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_a_ch (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_b_ch (.clk(clk), .rst(rst), .valid(b_valid), .ready(b_ready), .data(b_data));
  f_channel #(.W(W)) f_y_ch (.clk(clk), .rst(rst), .valid(y_valid), .ready(y_ready), .data(y_data));
  logic f_accept, f_leave;
  assign f_accept = a_valid & a_ready & f_live;
  assign f_leave  = y_valid & y_ready & f_live;
  logic [7:0] f_count, f_ahead, f_age;
  logic f_tracking, f_free;
  logic [W-1:0] f_a, f_b, f_product;
  (* anyseq *) logic f_mark;
  initial f_count = 8'd0;
  initial f_tracking = 1'b0;
  initial f_free = 1'b1;
  assign f_product = f_a * f_b;
  always_ff @(posedge clk) begin
    f_count <= f_count + {7'd0, f_accept} - {7'd0, f_leave};
    if (f_tracking) begin
      f_age  <= f_age + 8'd1;
      f_free <= f_free & y_ready;
      if (f_leave) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        else f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_accept & f_mark) begin
      f_tracking <= 1'b1;
      f_a        <= a_data;
      f_b        <= b_data;
      f_ahead    <= f_count - {7'd0, f_leave};
      f_age      <= 8'd1;
      f_free     <= 1'b1;
    end
  end
  always_comb if (f_live) begin
    assert ((a_valid & a_ready) == (b_valid & b_ready));
    assert (f_count <= LATENCY);
    assert ((a_valid & a_ready) == (a_valid & b_valid & ((f_count < LATENCY) | y_ready)));
    assert (idle == (f_count == 8'd0));
    if (f_tracking & y_valid & (f_ahead == 8'd0)) assert (y_data == f_product);
    if (f_tracking & (f_ahead == 8'd0) & (f_age < LATENCY)) assert (~y_valid);
    if (f_tracking & f_free & (f_age == LATENCY)) assert (y_valid | ~y_ready);
    if (f_tracking & f_free) assert (f_age <= LATENCY);
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_accept & f_leave) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd3);
    cover (f_live & (f_count == LATENCY));
  end
