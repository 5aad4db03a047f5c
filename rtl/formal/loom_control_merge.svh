// Proof of loom_control_merge: per token one of out and one of index, which agree with the
// input that leaves when both are taken. The proofs of its parts are asserted inside of it.
`ifdef F_TOP_loom_control_merge
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  f_channel #(.W(W)) f_out (.clk(clk), .rst(rst), .valid(out_valid), .ready(out_ready), .data(out_data));
  f_channel #(.W(INDEX_W)) f_index (.clk(clk), .rst(rst), .valid(index_valid), .ready(index_ready), .data(index_data));
  logic f_o, f_i;  // what of the token is delivered
  initial f_o = 1'b0;
  initial f_i = 1'b0;
  logic f_leaves;
  assign f_leaves = (in_valid & in_ready) != '0;
  always_ff @(posedge clk) begin
    f_o <= ~rst & ~f_leaves & (f_o | (out_valid & out_ready));
    f_i <= ~rst & ~f_leaves & (f_i | (index_valid & index_ready));
  end
  generate
    for (genvar k = 0; k < N; k++) begin : g_f_in
      f_channel #(.W(W), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(in_valid[k]), .ready(in_ready[k]), .data(in_data[k*W +: W]));
      always_comb if (f_live & from[k]) begin
        if (out_valid) assert (out_data == in_data[k*W +: W]);
        if (index_valid) assert (index_data == k);
      end
    end
  endgenerate
  always_comb if (f_live) begin
    assert (~((out_valid & f_o) | (index_valid & f_i)));  // nothing twice
    assert (f_leaves == (offer & (f_o | (out_valid & out_ready)) & (f_i | (index_valid & index_ready))));
    assert (out_valid == (offer & ~f_o));
    assert (index_valid == (offer & ~f_i));
    assert (offer_idle == ~(f_o | f_i));
  end
`ifdef F_TOP_loom_control_merge
  always_comb begin
    cover (f_live & f_leaves & f_o & (index_data == N - 1));
    cover (f_live & f_leaves & f_i & (index_data == 0));
    cover (f_live & f_leaves & ~f_i & ~f_o);
  end
`endif
