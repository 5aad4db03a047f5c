// Proof of loom_temporal_sw for arbitrary configurations: every token is delivered exactly
// once to each output its tag routes it to, tokens without a route are dropped at once,
// the codes are exact. That no input is passed over for ever is the arbiter's proof.
`include "f_reset.svh"
  logic [NUM_SLOT*SLOT-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_slot;
  always_comb if (f_live) assume (cfg_slot == f_cfg);
  generate
    for (genvar i = 0; i < N_IN; i++) begin : g_f_in
      f_channel #(.W(W), .ASSUME(1)) f_in (.clk(clk), .rst(rst), .valid(in_valid[i]), .ready(in_ready[i]), .data(in_data[i*W +: W]));
    end
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_out
      f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid[o]), .ready(out_ready[o]), .data(out_data[o*W +: W]));
    end
  endgenerate

  // The configuration read as the design page writes it, and what it means for the tokens.
  logic [PAIRS-1:0] f_want;
  logic [N_IN-1:0] f_known;
  logic f_mixed, f_again;
  always_comb begin : f_read
    int pos;
    int found;
    f_want  = '0;
    pos     = 0;
    found   = 0;
    f_known = '0;
    f_mixed = 1'b0;
    f_again = 1'b0;
    for (int s = 0; s < NUM_SLOT; s++) begin
      if (cfg_slot[s*SLOT]) begin
        pos = 0;
        for (int o = 0; o < N_OUT; o++) begin
          found = 0;
          for (int i = 0; i < N_IN; i++) begin
            if (in_data[i*W+W-TW +: TW] == cfg_slot[s*SLOT+1 +: TW]) f_known[i] = 1'b1;
            if (CONNECT[o*N_IN+i]) begin
              if (cfg_slot[s*SLOT+1+TW+pos]) begin
                if (in_data[i*W+W-TW +: TW] == cfg_slot[s*SLOT+1 +: TW]) f_want[o*N_IN+i] = in_valid[i];
                found = found + 1;
              end
              pos = pos + 1;
            end
          end
          if (found > 1) f_mixed = 1'b1;
        end
        for (int k = 0; k < s; k++) begin
          if (cfg_slot[k*SLOT] & (cfg_slot[k*SLOT+1 +: TW] == cfg_slot[s*SLOT+1 +: TW])) f_again = 1'b1;
        end
      end
    end
  end

  logic [PAIRS-1:0] f_got, f_gets;
  logic [N_IN-1:0] f_in_x, f_routed;
  assign f_in_x = in_valid & in_ready;
  initial f_got = '0;
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_f_check
      assign f_gets[o*N_IN +: N_IN] = g_out[o].offered & g_out[o].accepted;
      for (genvar i = 0; i < N_IN; i++) begin : g_f_pair
        always_ff @(posedge clk) begin
          if (rst) f_got[o*N_IN+i] <= 1'b0;
          else f_got[o*N_IN+i] <= (f_got[o*N_IN+i] | f_gets[o*N_IN+i]) & ~f_in_x[i];
        end
        always_comb if (f_live) begin
          if (f_gets[o*N_IN+i]) assert (out_data[o*W +: W] == in_data[i*W +: W]);
          // Released only when every output that wants the token has it.
          if (f_in_x[i] & f_want[o*N_IN+i]) assert (f_got[o*N_IN+i] | f_gets[o*N_IN+i]);
        end
      end
      always_comb if (f_live) begin
        assert (out_valid[o] == (|(f_want[o*N_IN +: N_IN] & ~f_got[o*N_IN +: N_IN])));
        // One winner for a transfer, and one that wants it and has not had it.
        assert ((out_valid[o] & out_ready[o]) == (f_gets[o*N_IN +: N_IN] != '0));
        assert ((f_gets[o*N_IN +: N_IN] & (f_gets[o*N_IN +: N_IN] - N_IN'(1))) == '0);
        assert ((f_gets[o*N_IN +: N_IN] & ~(f_want[o*N_IN +: N_IN] & ~f_got[o*N_IN +: N_IN])) == '0);
        assert (g_out[o].taken == f_got[o*N_IN +: N_IN]);
      end
    end
    for (genvar i = 0; i < N_IN; i++) begin : g_f_release
      logic f_missing;
      always_comb begin
        f_missing   = 1'b0;
        f_routed[i] = 1'b0;
        for (int o = 0; o < N_OUT; o++) begin
          if (f_want[o*N_IN+i]) f_routed[i] = 1'b1;
          if (f_want[o*N_IN+i] & ~f_got[o*N_IN+i] & ~f_gets[o*N_IN+i]) f_missing = 1'b1;
        end
        if (f_live & in_valid[i]) assert (f_in_x[i] == ~f_missing);
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert ((f_got & ~f_want) == '0);
    assert (err_valid == (f_mixed | f_again | (|(in_valid & ~f_routed))));
    if (f_mixed) assert (err_code == 16'd4);
    else if (f_again) assert (err_code == 16'd5);
    else if (|(in_valid & ~f_known)) assert (err_code == 16'd257);
    else if (err_valid) assert (err_code == 16'd263);
    assert (idle == (f_got == '0));
  end
  always_comb begin
    cover (f_live & ~err_valid & (|f_got) & (f_in_x == '1));
    cover (f_live & ~err_valid & (|f_got) & (f_in_x == '0) & (out_valid == '1));
    cover (f_live & err_valid & (err_code == 16'd257));
    cover (f_live & err_valid & (err_code == 16'd263));
    cover (f_live & f_again & ~f_mixed);
  end
