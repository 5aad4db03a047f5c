// Proof of loom_merge: the output's token is one of an input, which leaves with it; a token
// that is offered is not replaced by another.
`ifdef F_TOP_loom_merge
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(W + N)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data({out_from, out_data}));
  generate
    for (genvar k = 0; k < N; k++) begin : g_f_in
      f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(in_data[k*W +: W]));
      always_comb if (f_live) begin
        assert ((in_valid[k] & in_ready[k]) == (out_valid & out_ready & out_from[k]));
        if (out_valid & out_from[k]) assert (in_valid[k] & (out_data == in_data[k*W +: W]));
      end
`ifdef F_TOP_loom_merge
      always_comb cover (f_live & out_valid & out_ready & out_from[k]);
`endif
    end
  endgenerate
  always_comb if (f_live) begin
    assert (out_valid == (in_valid != '0));
    assert ($countones(out_from) == {31'd0, out_valid});
    if (stalled) assert (out_valid & $onehot0(held) & ((held & in_valid) != '0));
  end
`ifdef F_TOP_loom_merge
  // A stalled token goes before one of a lower input that came later.
  always_comb if (N > 1) cover (f_live & stalled & in_valid[0] & ~out_from[0] & out_ready);
`endif
