// Proof of loom_bram_load: one response per request, in order, with the data that the RAM has given
// LATENCY cycles after its read; whatever the reader does, there is a slot for what comes. The order
// of the data and its value are proven for a marked request. Bounded: the queue does not show how
// full it is (its own order is proven with loom_fifo_transparent).
`include "f_reset.svh"
  f_channel #(.W(AW), .ASSUME(1)) f_req (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data(req_addr));
  f_channel #(.W(DW)) f_rsp (.clk(clk), .rst(rst), .valid(rsp_valid), .ready(rsp_ready), .data(rsp_data));

  logic [7:0] f_out, f_ahead, f_age;
  logic f_req_x, f_rsp_x, f_tracking, f_came;
  logic [DW-1:0] f_value;
  (* anyseq *) logic f_mark;
  assign f_req_x = f_live & req_valid & req_ready;
  assign f_rsp_x = f_live & rsp_valid & rsp_ready;
  initial f_out = 8'd0;
  initial f_tracking = 1'b0;
  always_ff @(posedge clk) begin
    f_out <= f_out + {7'd0, f_req_x} - {7'd0, f_rsp_x};
    if (f_tracking) begin
      if (~f_came) f_age <= f_age + 8'd1;
      if (f_age == LATENCY) begin
        f_came  <= 1'b1;
        if (~f_came) f_value <= bram_dout;
      end
      if (f_rsp_x) begin
        if (f_ahead == 8'd0) f_tracking <= 1'b0;
        f_ahead <= f_ahead - 8'd1;
      end
    end else if (f_req_x & f_mark) begin
      f_tracking <= 1'b1;
      f_came     <= 1'b0;
      f_age      <= 8'd1;
      f_ahead    <= f_out - {7'd0, f_rsp_x};
    end
  end
  always_comb if (f_live) begin
    assert (f_out <= SLOTS);
    assert (req_ready == (f_out < SLOTS));
    assert (bram_en == f_req_x);
    if (bram_en) assert (bram_addr == req_addr[MW-1:0]);
    if (coming[LATENCY-1]) assert (room);
    for (int k = 0; k < SLOTS; k++) assert (held[k] == (f_out > k));
    if (f_tracking & (f_ahead == 8'd0) & rsp_valid) assert (rsp_data == (f_came ? f_value : bram_dout));
    if (f_tracking & (f_ahead == 8'd0)) assert (rsp_valid == (f_age >= LATENCY));
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_req_x & f_rsp_x) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd3);
    cover (f_live & f_tracking & f_rsp_x & (f_ahead == LATENCY));
    cover (f_live & (f_out == SLOTS) & req_valid);
  end
