// Proof of loom_arbiter: the output is one valid input, which leaves with it; nothing
// else leaves; the round robin contract, by a pointer as the page on the library writes
// it; an input waits for at most N-1 others.
`ifdef F_TOP_loom_arbiter
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  localparam logic [3:0] F_N = N;
  logic [3:0] f_pointer, f_steps, f_sum, f_winner;
  logic [2*N-1:0] f_turned;
  initial f_pointer = 4'd0;
  // The first valid input at or after the pointer, cyclically.
  assign f_turned = {in_valid, in_valid} >> f_pointer;
  always_comb begin
    f_steps = 4'd0;
    for (int d = N - 1; d >= 0; d--) if (f_turned[d]) f_steps = d[3:0];
  end
  assign f_sum    = f_pointer + f_steps;
  assign f_winner = (f_sum >= F_N) ? f_sum - F_N : f_sum;
  always_ff @(posedge clk) begin
    if (rst) f_pointer <= 4'd0;
    else if (|in_valid) f_pointer <= ~out_ready ? f_winner : (f_winner == F_N - 4'd1) ? 4'd0 : f_winner + 4'd1;
  end
  generate
    for (genvar i = 0; i < N; i++) begin : g_f_in
      localparam logic [3:0] F_I = i;
      logic [3:0] f_overtaken, f_distance;
      f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid[i]), .ready(in_ready[i]), .data(in_data[i*W +: W]));
      assign f_distance = (F_I >= f_pointer) ? F_I - f_pointer : F_I + F_N - f_pointer;
      initial f_overtaken = 4'd0;
      always_ff @(posedge clk) begin
        if (rst | ~in_valid[i] | in_ready[i]) f_overtaken <= 4'd0;
        else if (out_ready) f_overtaken <= f_overtaken + 4'd1;
      end
      always_comb if (f_live) begin
        if (in_valid[i]) begin
          assert (in_ready[i] == (out_ready & (f_winner == F_I)));
          if (f_winner == F_I) assert (out_data == in_data[i*W +: W]);
          assert ((f_overtaken < F_N) & (f_overtaken + f_distance < F_N));
        end
        assert ((f_overtaken == 4'd0) | in_valid[i]);
        if (F_TOP) begin
          cover (in_valid[i] & in_ready[i] & (f_overtaken == F_N - 4'd1));
          cover (in_valid[i] & in_ready[i] & ~(&in_valid));
        end
      end
      if ((i > 0) & (N > 1)) begin : g_f_mask
        always_comb if (f_live) assert (g_many.mask[i] == ((f_pointer != 4'd0) & (F_I >= f_pointer)));
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert (f_pointer < F_N);
    assert (out_valid == (|in_valid));
  end
