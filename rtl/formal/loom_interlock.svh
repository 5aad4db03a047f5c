// Proof of loom_interlock against a queue of the subscripts whose stores are known and not
// done: the load of an iteration passes as soon as the stores before it are known and no
// one of the queue has its low bits, and never before.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_a (.clk(clk), .rst(rst), .valid(a_valid), .ready(a_ready), .data(a_data));
  f_channel #(.W(W), .ASSUME(1)) f_s (.clk(clk), .rst(rst), .valid(s_valid), .ready(s_ready), .data(s_data));
  f_channel #(.W(1), .ASSUME(1)) f_d (.clk(clk), .rst(rst), .valid(d_valid), .ready(d_ready), .data(1'b0));
  f_channel #(.W(W)) f_o (.clk(clk), .rst(rst), .valid(o_valid), .ready(o_ready), .data(o_data));

  logic f_ax, f_sx, f_dx, f_ox, f_keep;
  assign f_ax   = a_valid & a_ready;
  assign f_sx   = s_valid & s_ready;
  assign f_dx   = d_valid & d_ready;
  assign f_ox   = o_valid & o_ready;
  assign f_keep = f_sx & ~s_data[W-1];

  // The stores known and not done, the oldest in front.
  logic [DEPTH*B-1:0] f_queue;
  logic [P:0]         f_count, f_back;
  logic               f_due;  // one load more than stores has passed
  logic               f_behind;  // a load waits for a store of the queue
  logic [3:0]         f_streak;
  logic               f_hit;  // the queue has the subscript of the load, which is one
  assign f_back = f_count - (P + 1)'(f_dx);
  always_comb begin
    f_hit = 1'b0;
    for (int k = 0; k < DEPTH; k++)
      if (~a_data[W-1] && (k < f_count) && (f_queue[k*B +: B] == a_data[B-1:0])) f_hit = 1'b1;
  end
  initial f_count = '0;
  initial f_due = 1'b0;
  initial f_behind = 1'b0;
  initial f_streak = 4'd0;
  always_ff @(posedge clk) if (f_live) begin
    f_count <= f_count + (P + 1)'(f_keep) - (P + 1)'(f_dx);
    if (f_dx) f_queue <= f_queue >> B;
    if (f_keep) f_queue[f_back*B +: B] <= s_data[B-1:0];
    f_due    <= f_ax | (f_due & ~f_sx);
    f_behind <= a_valid & f_hit;
    f_streak <= (f_ax & f_keep & f_dx) ? f_streak + 4'd1 : 4'd0;
  end

  always_comb if (f_live) begin
    // What leaves is the load, and nothing else.
    assert (f_ox == f_ax);
    if (o_valid) assert (a_valid & (o_data == a_data));
    // Never before its turn.
    if (f_ax) begin
      assert (~f_due | f_sx);
      assert (~f_hit);
      if (f_keep & ~a_data[W-1]) assert (s_data[B-1:0] != a_data[B-1:0]);
    end
    // And no later.
    if (a_valid & ~f_hit & (~f_due | (f_sx & ~(f_keep & ~a_data[W-1] & (s_data[B-1:0] == a_data[B-1:0]))))) assert (o_valid);
    if (~a_valid) assert (~a_ready);
    // The store of an iteration once, behind its load; done tokens for what is kept.
    assert (s_ready == (f_due & (f_count < DEPTH)));
    assert (d_ready == (f_count != '0));
    assert (f_count <= DEPTH);
    assert (idle == (~f_due & (f_count == '0)));
  end

  // The queue in the slots.
  always_comb if (f_live) begin
    assert (due == f_due);
    assert (count == f_count);
    assert (next == P'(first + P'(count)));
  end
  for (genvar k = 0; k < DEPTH; k++) begin : g_f_slot
    logic [P-1:0] place;
    assign place = P'(k) - first;
    always_comb if (f_live) begin
      assert (kept[k] == ({1'b0, place} < f_count));
      if (kept[k]) assert (g_slot[k].subscript == f_queue[place*B +: B]);
    end
  end

  always_comb begin
    cover (f_streak == 4'd3);  // an iteration per cycle, each with a store
    cover (f_live & f_ax & f_behind);  // behind a store that is done
    cover (f_live & a_valid & o_ready & f_keep & ~f_hit & ~o_valid);  // behind the store before it
    cover (f_live & f_ax & f_sx & ~f_keep & (s_data[B-1:0] == a_data[B-1:0]));  // which is none
    cover (f_live & f_ax & f_keep & a_data[W-1] & ((B == W) | (s_data[B-1:0] == a_data[B-1:0])));  // which is no load
    cover (f_live & (f_count == DEPTH) & due & s_valid & d_valid);
    cover (f_live & f_ax & (f_count == DEPTH - 1) & f_keep);
  end
