// Proof of loom_fu: inputs are taken together, one result per firing to every output,
// acceptances at least INTERVAL apart and as soon as allowed. loom_pipe and loom_offer
// carry their own proofs along, with their assumptions as obligations here.
`include "f_reset.svh"
  generate
    for (genvar i = 0; i < N_IN; i++) begin : g_f_in
      // The datapath is a function of stable inputs: comb_data stands for their data.
      f_channel #(.W(W_OUT_TOTAL), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[i]), .ready(in_ready[i]), .data(in_valid == {N_IN{1'b1}} ? comb_data : '0));
    end
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_out
      f_channel #(.W(W_OUT_TOTAL)) f_out (.clk(clk), .rst(rst), .valid(out_valid[o]), .ready(out_ready[o]), .data(out_data));
    end
  endgenerate
  logic f_accept;
  assign f_accept = (&in_valid) & (&in_ready);
  logic [7:0] f_since;  // cycles since the last acceptance
  logic f_any;
  logic [7:0] f_fired [0:N_OUT-1];
  initial f_since = 8'd0;
  initial f_any = 1'b0;
  always_ff @(posedge clk) if (f_live) begin
    if (f_accept) begin
      f_since <= 8'd1;
      f_any   <= 1'b1;
    end else if (f_since != 8'd255) f_since <= f_since + 8'd1;
  end
  // Firings entered and delivered, modulo 256, per output.
  logic [7:0] f_entered;
  logic [N_OUT*8-1:0] f_left;
  initial f_entered = 8'd0;
  initial f_left = '0;
  always_ff @(posedge clk) if (f_live) f_entered <= f_entered + {7'd0, f_accept};
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_count
      logic [7:0] f_inside;
      assign f_inside = f_entered - f_left[o*8 +: 8];
      always_ff @(posedge clk) if (f_live & out_valid[o] & out_ready[o]) f_left[o*8 +: 8] <= f_left[o*8 +: 8] + 8'd1;
      always_comb if (f_live) begin
        if (LATENCY > 0) begin
          assert (f_inside <= LATENCY);
          if (f_inside == 8'd0) assert (~out_valid[o]);
        end
        if (idle) assert (f_inside == 8'd0);
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert (in_ready == {N_IN{f_accept}});
    if (f_accept & f_any) assert (f_since >= INTERVAL);
    // An empty unit whose consumers are ready accepts as soon as the interval is over.
    if ((&in_valid) & (~f_any | (f_since >= INTERVAL)) & (&out_ready)) assert (f_accept | ~idle | (LATENCY > 0 && ~granted));
    if ((&in_valid) & idle & (LATENCY > 0 || (&out_ready))) assert (f_accept);
  end
  always_comb begin
    cover (f_live & f_any & f_accept & (f_since == INTERVAL));
    cover (f_live & (|out_valid) & (&out_ready) & f_any);
  end
