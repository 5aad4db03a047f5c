// Proof of loom_switch for arbitrary configurations: every token of a routed input is
// delivered exactly once to each output that takes it, everything else is dropped.
`include "f_reset.svh"
  logic [ROUTE_BITS-1:0] f_cfg_route;
  logic [N_IN-1:0] f_cfg_expects;
  always_ff @(posedge clk) begin
    f_cfg_route   <= cfg_route;
    f_cfg_expects <= cfg_expects;
  end
  always_comb if (f_live) begin
    assume (cfg_route == f_cfg_route);
    assume (cfg_expects == f_cfg_expects);
  end
  generate
    for (genvar i = 0; i < N_IN; i++) begin : g_f_in
      f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[i]), .ready(in_ready[i]), .data(in_data[i*W +: W]));
    end
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_out
      f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid[o]), .ready(out_ready[o]), .data(out_data[o*W +: W]));
    end
  endgenerate

  // The configuration read as the design page writes it: for each output enable, then the number
  // of one of its inputs, bit by bit from the low end.
  logic [N_OUT*N_IN-1:0] f_grant;
  always_comb begin : f_read
    int pos;
    int inputs;
    int bits;
    int number;
    pos     = 0;
    f_grant = '0;
    for (int o = 0; o < N_OUT; o++) begin
      inputs = 0;
      for (int i = 0; i < N_IN; i++) if (CONNECT[o*N_IN+i]) inputs = inputs + 1;
      bits = 0;
      for (int b = 0; b < 5; b++) if ((1 << b) < inputs) bits = b + 1;
      number = 0;
      for (int b = 0; b < 5; b++) if ((b < bits) && cfg_route[pos+1+b]) number = number + (1 << b);
      for (int i = 0; i < N_IN; i++) begin
        if (CONNECT[o*N_IN+i]) begin
          f_grant[o*N_IN+i] = cfg_route[pos] & (number == 0);
          number = number - 1;
        end
      end
      if (inputs > 0) pos = pos + 1 + bits;
    end
  end

  logic [N_OUT-1:0] f_got, f_out_x;
  logic [N_IN-1:0] f_in_x, f_fault;
  assign f_out_x = out_valid & out_ready;
  assign f_in_x  = in_valid & in_ready;
  initial f_got = '0;
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_got
      always_ff @(posedge clk) begin
        if (rst) f_got[o] <= 1'b0;
        else f_got[o] <= (f_got[o] | f_out_x[o]) & ~(|(f_grant[o*N_IN +: N_IN] & f_in_x));
      end
    end
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_check
      always_comb if (f_live) begin
        assert (out_valid[o] == ((|(f_grant[o*N_IN +: N_IN] & in_valid)) & ~f_got[o]));
        if (f_got[o]) assert (|(f_grant[o*N_IN +: N_IN] & in_valid));
        for (int i = 0; i < N_IN; i++) begin
          if (f_grant[o*N_IN+i] & f_out_x[o]) assert (out_data[o*W +: W] == in_data[i*W +: W]);
          // Released only when every output that takes the input has the token.
          if (f_grant[o*N_IN+i] & f_in_x[i]) assert (f_got[o] | f_out_x[o]);
        end
      end
    end
    for (genvar i = 0; i < N_IN; i++) begin : g_f_release
      logic f_missing;
      assign f_fault[i] = in_valid[i] & ~cfg_expects[i];
      always_comb begin
        f_missing = 1'b0;
        for (int o = 0; o < N_OUT; o++) begin
          if (f_grant[o*N_IN+i] & ~f_got[o] & ~f_out_x[o]) f_missing = 1'b1;
        end
        if (f_live & in_valid[i]) begin
          assert (f_in_x[i] == ~f_missing);
        end
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert (err_valid == |f_fault);
    if (err_valid) assert (err_code == 16'd262);
    assert (f_got == taken);
    assert (idle == ~|f_got);
  end
  always_comb begin
    cover (f_live & (|f_got) & (|(f_in_x & in_valid)) & ~err_valid);
    cover (f_live & (f_got != '0) & (f_in_x == '0));
    cover (f_live & err_valid & (err_code == 16'd262));
  end
