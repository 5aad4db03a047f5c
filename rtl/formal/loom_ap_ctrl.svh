// Proof of loom_ap_ctrl: in a run every input is given once and every output taken once; ap_done
// comes when both are so, for one cycle, and nothing is offered or taken in it.
`include "f_reset.svh"
  // ap_start stays until ap_ready.
  logic f_started;
  initial f_started = 1'b0;
  always_ff @(posedge clk) f_started <= f_live & ap_start & ~ap_ready;
  always_comb if (f_live & f_started) assume (ap_start);
  // The circuit gives nothing between runs.
  always_comb if (f_live & ~ap_start) assume (out_valid == '0);
  generate
    for (genvar i = 0; i < N_IN; i++) begin : g_in
      f_channel #(.W(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[i]), .ready(in_ready[i]), .data(1'b0));
      logic [7:0] f_count;
      initial f_count = 8'd0;
      always_ff @(posedge clk) f_count <= (~f_live | ap_done) ? 8'd0 : f_count + {7'd0, in_valid[i] & in_ready[i]};
      always_comb if (f_live) begin
        assert (f_count == {7'd0, given[i]});
        if (ap_done) assert ((f_count == 8'd1) & ~in_valid[i]);
        if (in_valid[i]) assert (ap_start);
      end
    end
    for (genvar i = 0; i < N_OUT; i++) begin : g_out
      logic [7:0] f_count;
      initial f_count = 8'd0;
      always_ff @(posedge clk) f_count <= (~f_live | ap_done) ? 8'd0 : f_count + {7'd0, out_valid[i] & out_ready[i]};
      always_comb if (f_live) begin
        assert (f_count == {7'd0, got[i]});
        if (ap_done) assert ((f_count == 8'd1) & ~vld[i]);
        assert (vld[i] == (out_valid[i] & out_ready[i]));
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert (ap_ready == ap_done);
    if (ap_done | (|given) | (|got)) assert (ap_start);
    if (ap_idle) assert (~ap_start & ~ap_done);
    if (~ap_start) assert (ap_idle);
  end
  logic [7:0] f_runs;
  initial f_runs = 8'd0;
  always_ff @(posedge clk) if (f_live & ap_done) f_runs <= f_runs + 8'd1;
  always_comb begin
    cover (f_live & (f_runs == 8'd2));
    cover (f_live & ap_start & (|given) & ~(&given) & (|got));
  end
