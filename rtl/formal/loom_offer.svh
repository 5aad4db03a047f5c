// Proof of loom_offer: every needed result is delivered exactly once per firing, the
// firing completes exactly when all are delivered.
`ifdef F_TOP_loom_offer
  localparam bit F_TOP = 1;
`else
  localparam bit F_TOP = 0;
`endif
`include "f_reset.svh"
  // A firing stays offered, with the same needs, until it completes.
  f_channel #(.W(N), .ASSUME(F_TOP)) f_in (.clk(clk), .rst(rst), .valid(offer), .ready(done), .data(need));
  generate
    for (genvar i = 0; i < N; i++) begin : g_f_out
      f_channel f_out (.clk(clk), .rst(rst), .valid(out_valid[i]), .ready(out_ready[i]), .data(1'b0));
    end
  endgenerate

  logic [N-1:0] f_got, f_out_x;
  assign f_out_x = out_valid & out_ready;
  initial f_got = '0;
  always_ff @(posedge clk) begin
    if (rst) f_got <= '0;
    else f_got <= (offer & done) ? '0 : f_got | f_out_x;
  end
  always_comb if (f_live) begin
    assert ((f_out_x & f_got) == '0);             // nothing twice
    assert ((f_out_x & ~need) == '0);             // nothing that is not needed
    assert (~(|out_valid) | offer);
    if (offer) assert (done == ((need & ~(f_got | f_out_x)) == '0));
    assert (f_got == taken);
    if (|taken) assert (offer);
  end
`ifdef F_TOP_loom_offer
  always_comb begin
    cover (f_live & offer & done & (|f_got) & ((f_out_x & need) != '0));
    cover (f_live & offer & ~done & ((f_got & need) != '0));
  end
`endif
