// Proof of loom_share: requests are those of clients with a credit, one at a time; responses
// are always taken, and there is a slot for each; every request yields one result, at its
// client, in order, with the client's part of its response. The unit is the environment: it
// answers in order, after any time. loom_share_client.svh has what holds of each client.
`include "f_reset.svh"
  f_channel #(.W(IN_W)) f_req (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data(req_data));
  logic [7:0] f_asked;  // requests without response
  logic f_send, f_come;
  logic [N-1:0] f_wants;
  initial f_asked = 8'd0;
  assign f_send = req_valid & req_ready;
  assign f_come = rsp_valid & rsp_ready;
  always_ff @(posedge clk) if (f_live) f_asked <= f_asked + {7'd0, f_send} - {7'd0, f_come};
  always_comb if (f_live) begin
    if (f_asked == 8'd0) assume (~rsp_valid);
    assert (rsp_ready);
    assert ($onehot0(in_ready) & ((|in_ready) == f_send));
    assert (req_valid == ((|f_wants) & ((TOKENS == 1) ? ((f_asked == 8'd0) | rsp_valid) : (f_asked <= TOKENS))));
    assert (f_asked <= ((TOKENS == 1) ? 8'd1 : TOKENS + 1));
    assert (order_valid == (f_asked != 8'd0));
  end
  always_comb begin
    cover (f_live & f_send & f_come);
    cover (f_live & f_come & (|f_wants) & (f_asked == TOKENS));
    // A client whose results nobody takes, while another one goes on.
    cover (f_live & (N > 1) & in_valid[0] & ~room[0] & ~out_ready[0] & in_valid[N-1] & in_ready[N-1]);
  end
