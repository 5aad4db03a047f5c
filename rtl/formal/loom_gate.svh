// Proof of loom_gate against the two phases of spec-dataflow: what each consumed pair
// emits, exactly once, whatever the consumers' stalls.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_v (.clk(clk), .rst(rst), .valid(value_valid), .ready(value_ready), .data(value_data));
  f_channel #(.W(1), .ASSUME(1)) f_c (.clk(clk), .rst(rst), .valid(cond_valid), .ready(cond_ready), .data(cond_data));
  f_channel #(.W(W)) f_ov (.clk(clk), .rst(rst), .valid(out_value_valid), .ready(out_value_ready), .data(out_value_data));
  f_channel #(.W(1)) f_oc (.clk(clk), .rst(rst), .valid(out_cond_valid), .ready(out_cond_ready), .data(out_cond_data));

  logic f_vx, f_cx, f_ovx, f_ocx;
  assign f_vx  = value_valid & value_ready;
  assign f_cx  = cond_valid & cond_ready;
  assign f_ovx = out_value_valid & out_value_ready;
  assign f_ocx = out_cond_valid & out_cond_ready;

  logic f_next;            // phase NeedNext
  logic f_got_v, f_got_c;  // emitted for the pair that waits
  logic [3:0] f_streak, f_loops;
  initial f_next = 1'b0;
  initial f_got_v = 1'b0;
  initial f_got_c = 1'b0;
  initial f_streak = 4'd0;
  initial f_loops = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    f_got_v <= (f_got_v | f_ovx) & ~f_cx;
    f_got_c <= (f_got_c | f_ocx) & ~f_cx;
    if (f_cx) f_next <= cond_data;
    if (f_cx & f_next & ~cond_data) f_loops <= f_loops + 4'd1;
    f_streak <= (f_ovx & f_ocx) ? f_streak + 4'd1 : 4'd0;
  end

  logic f_want_v, f_want_c;  // what this pair emits
  assign f_want_v = cond_data;
  assign f_want_c = f_next;
  always_comb if (f_live) begin
    assert (f_vx == f_cx);
    assert (out_value_valid == (value_valid & cond_valid & f_want_v & ~f_got_v));
    assert (out_cond_valid == (value_valid & cond_valid & f_want_c & ~f_got_c));
    if (f_ovx) assert (out_value_data == value_data);
    if (f_ocx) assert (out_cond_data == cond_data);
    if (value_valid & cond_valid)
      assert (f_cx == ((~f_want_v | f_got_v | f_ovx) & (~f_want_c | f_got_c | f_ocx)));
    if (f_got_v | f_got_c) assert (value_valid & cond_valid);
    assert (inside_loop == f_next);
    assert (idle == (~f_next & ~f_got_v & ~f_got_c));
  end
  always_comb begin
    cover (f_streak == 4'd3);
    cover (f_loops == 4'd2);
    cover (f_live & f_cx & f_got_v & f_ocx);
    cover (f_live & f_cx & f_got_c & f_ovx);
  end
