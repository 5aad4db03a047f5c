// Proof of loom_stream: the sequence of pairs of each activation, every result exactly
// once, operands taken only when due, errors 10 and 259.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_s (.clk(clk), .rst(rst), .valid(start_valid), .ready(start_ready), .data(start_data));
  f_channel #(.W(W), .ASSUME(1)) f_p (.clk(clk), .rst(rst), .valid(step_valid), .ready(step_ready), .data(step_data));
  f_channel #(.W(W), .ASSUME(1)) f_b (.clk(clk), .rst(rst), .valid(bound_valid), .ready(bound_ready), .data(bound_data));
  f_channel #(.W(W)) f_i (.clk(clk), .rst(rst), .valid(idx_valid), .ready(idx_ready), .data(idx_data));
  f_channel #(.W(1)) f_c (.clk(clk), .rst(rst), .valid(cont_valid), .ready(cont_ready), .data(cont_data));

  // Configuration does not change while running.
  logic [4:0] f_cond;
  always_ff @(posedge clk) f_cond <= cfg_cont_cond;
  always_comb if (f_live) assume (cfg_cont_cond == f_cond);

  logic f_take, f_ix, f_cx, f_end;
  assign f_take = start_valid & start_ready;
  assign f_ix   = idx_valid & idx_ready;
  assign f_cx   = cont_valid & cont_ready;

  logic f_active, f_got_i, f_got_c, f_bad;
  logic [W-1:0] f_idx, f_step, f_bound, f_next_idx;
  logic signed [W-1:0] f_left, f_right;
  logic f_cont, f_complete;
  assign f_left  = f_idx;
  assign f_right = f_bound;
  always_comb begin
    case (cfg_cont_cond)
      5'b00001: f_cont = f_left < f_right;
      5'b00010: f_cont = f_left <= f_right;
      5'b00100: f_cont = f_left > f_right;
      5'b01000: f_cont = f_left >= f_right;
      5'b10000: f_cont = f_left != f_right;
      default:  f_cont = cont_data;  // not one-hot: code 10, the value is free
    endcase
    if (f_bad) f_cont = 1'b0;
    case (STEP_OP)
      0: f_next_idx = f_idx + f_step;
      1: f_next_idx = f_idx - f_step;
      2: f_next_idx = f_idx * f_step;
      3: f_next_idx = f_left / $signed(f_step);
      4: f_next_idx = (f_step < W) ? f_idx << f_step : '0;
      default: f_next_idx = f_left >>> ((f_step < W) ? f_step : W - 1);
    endcase
  end
  logic f_skip;  // no index is due
  assign f_skip = (COUNTER != 0) & ~cont_data;
  assign f_complete = f_active & (f_got_i | f_ix | f_skip) & (f_got_c | f_cx);
  assign f_end      = f_complete & ~f_cont;

  logic [3:0] f_streak;
  logic f_back_to_back;
  initial f_active = 1'b0;
  initial f_got_i = 1'b0;
  initial f_got_c = 1'b0;
  initial f_streak = 4'd0;
  initial f_back_to_back = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    f_got_i <= (f_got_i | f_ix) & ~f_complete;
    f_got_c <= (f_got_c | f_cx) & ~f_complete;
    if (f_take) begin
      f_active <= 1'b1;
      f_idx    <= start_data;
      f_step   <= step_data;
      f_bound  <= bound_data;
      f_bad    <= (step_data == '0) | (((STEP_OP == 2) | (STEP_OP == 3)) & (step_data == 1));
    end else if (f_complete) begin
      f_active <= f_cont;
      f_idx    <= f_next_idx;
    end
    f_streak <= (f_complete & f_cont) ? f_streak + 4'd1 : 4'd0;
    f_back_to_back <= f_back_to_back | (f_end & f_take);
  end

  always_comb if (f_live) begin
    assert ((start_valid & start_ready) == (step_valid & step_ready));
    assert ((start_valid & start_ready) == (bound_valid & bound_ready));
    // Accepted exactly when all are there and no pair is outstanding.
    assert (f_take == (start_valid & step_valid & bound_valid & (~f_active | f_end)));
    assert (idx_valid == (f_active & ~f_got_i & ~f_skip));
    if (f_active) assert (cont_data == f_cont);
    assert (cont_valid == (f_active & ~f_got_c));
    if (idx_valid) assert (idx_data == f_idx);
    if (cont_valid) assert (cont_data == f_cont);
    assert (err_valid == (~$onehot0(cfg_cont_cond) | (cfg_cont_cond == 5'd0) |
            (f_take & ((step_data == '0) | (((STEP_OP == 2) | (STEP_OP == 3)) & (step_data == 1))))));
    if (err_valid) assert (err_code == ((~$onehot0(cfg_cont_cond) | (cfg_cont_cond == 5'd0)) ? 16'd10 : 16'd259));
    if (~f_active) assert (~f_got_i & ~f_got_c);
    assert (active == f_active);
    assert (idle == ~f_active);
    if (f_active) begin
      assert ((idx == f_idx) & (step == f_step) & (bound == f_bound) & (stuck == f_bad));
      // Where the index is chosen from state, a last one is followed by that of the next activation.
      if (cont & ~accept) assert (idx_next == f_next_idx);
      if (LOOKAHEAD == 1) assert (from == f_next_idx);
      assert (cont == (~stuck & holds(cfg_cont_cond, idx, bound)));
    end
  end
  always_comb begin
    cover (f_streak == 4'd3);        // one pair per cycle
    cover (f_back_to_back);          // no bubble between activations
    cover (f_live & f_complete & f_got_i);
    cover (f_live & f_complete & f_got_c);
    cover (f_live & err_valid & (err_code == 16'd259));
  end
