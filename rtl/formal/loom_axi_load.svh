// Proof of loom_axi_load: every request once on ar with its address, in order; every element
// once on rsp, in order, from its lane; a place for every read that is asked for, so that r is
// always taken; after a clear nothing of before. The counts hold by induction for OUTSTANDING 2,
// the order bounded (that of the queues is proven with loom_fifo).
`include "f_reset.svh"
  always_comb if (rst) assume (clear);
  logic [63:0] f_base;
  always_ff @(posedge clk) f_base <= base;
  always_comb if (f_live) assume (base == f_base);
  f_channel #(.W(AW), .ASSUME(1)) f_q (.clk(clk), .rst(clear), .valid(req_valid), .ready(req_ready), .data(req_addr));
  f_channel #(.W(BUS_AW)) f_a (.clk(clk), .rst(clear), .valid(ar_valid), .ready(ar_ready), .data(ar_addr));
  f_channel #(.W(DW)) f_s (.clk(clk), .rst(clear), .valid(rsp_valid), .ready(rsp_ready), .data(rsp_data));

  // Requests that have not left, reads in flight, elements that have not been taken.
  logic [7:0] f_wait, f_flight, f_held;
  logic f_stale;  // reads in flight are of before a clear
  initial f_wait   = 8'd0;
  initial f_flight = 8'd0;
  initial f_held   = 8'd0;
  initial f_stale  = 1'b0;
  always_comb assume (~r_valid | (f_flight != 8'd0));
  logic f_comes;
  assign f_comes = r_valid & ~clear & ~f_stale;
  // A marked request and how many stand before it at ar, at r and at rsp.
  (* anyseq *) logic f_mark;
  logic f_tracking, f_asked, f_came;
  logic [7:0] f_to_ask, f_to_come, f_to_go;
  logic [BUS_AW-1:0] f_want, f_element_number;
  logic [DW-1:0] f_value;
  initial f_tracking = 1'b0;
  logic [BUS_DW-1:0] f_shifted;
  assign f_shifted = r_data >> ((f_want % (BUS_DW / 8)) * 8);
  assign f_element_number = base[BUS_AW-1:0] + (BUS_AW'(req_addr) << SHIFT);
  always_ff @(posedge clk) if (f_live) begin
    f_flight <= f_flight + {7'd0, ask} - {7'd0, r_valid};
    f_stale  <= (clear | f_stale) & (f_flight != 8'd0);
    if (clear) begin
      f_wait     <= 8'd0;
      f_held     <= 8'd0;
      f_tracking <= 1'b0;
    end else begin
      f_wait <= f_wait + {7'd0, accept} - {7'd0, ask};
      f_held <= f_held + {7'd0, f_comes} - {7'd0, give};
      if (f_tracking) begin
        if (ask & ~f_asked) begin
          f_to_ask <= f_to_ask - 8'd1;
          f_asked  <= f_to_ask == 8'd0;
        end
        if (f_comes & ~f_came) begin
          f_to_come <= f_to_come - 8'd1;
          f_came    <= f_to_come == 8'd0;
          f_value   <= f_shifted[DW-1:0];
        end
        if (give) begin
          f_to_go    <= f_to_go - 8'd1;
          f_tracking <= f_to_go != 8'd0;
        end
      end else if (accept & f_mark) begin
        f_tracking <= 1'b1;
        f_asked    <= 1'b0;
        f_came     <= 1'b0;
        f_to_ask   <= f_wait - {7'd0, ask};
        f_to_come  <= f_wait + f_flight - {7'd0, r_valid};
        f_to_go    <= f_wait + f_flight + f_held - {7'd0, give};
        f_want     <= f_element_number & ~(BUS_AW'((1 << SHIFT) - 1));
      end
    end
  end
  always_comb if (f_live) begin
    assert (reads == f_flight[CW-1:0]);
    assert (f_flight <= OUTSTANDING);
    assert (draining == f_stale);
    if (~closed) assert ({24'd0, f_wait} + {24'd0, f_flight} + {24'd0, f_held} == {{(32 - CW) {1'b0}}, taken});
    if (~closed) assert (taken <= OUTSTANDING[CW-1:0]);
    if (draining & ~clear) assert ((taken == 0) & ~waiting & ~rsp_valid);
    if (~clear) assert (waiting == (f_wait != 8'd0));
    if (~clear) assert (wait_ready == (f_wait != 8'd2));
    assert (f_wait <= 8'd2);
    if (~clear) assert (rsp_valid == (f_held != 8'd0));
    if (f_comes & ~draining) assert (unused_rsp_ready);
    if (OUTSTANDING == 2 & ~clear) assert (unused_rsp_ready == (f_held != 8'd2));
    // A request waits for a place, two registers and the end of a clear, for nothing else.
    assert (req_ready == ((taken != OUTSTANDING) & wait_ready & ~clear & ~draining));
    assert (~err | r_valid);
    if (f_comes & r_err & ~draining) assert (err);
    assert (busy | ((f_flight == 8'd0) & (clear | (f_wait == 8'd0))));
`ifndef F_INDUCTION
    if (f_tracking & ask & ~f_asked & (f_to_ask == 8'd0)) assert (ar_addr == f_want);
    if (f_tracking & rsp_valid & (f_to_go == 8'd0)) assert (f_came & (rsp_data == f_value));
`endif
  end
  generate
    if (LB != 0) begin : f_lanes
      // A lane for every read in flight.
      always_comb if (f_live & (OUTSTANDING == 2)) begin
        assert (g_lanes.unused_ready == (f_flight != 8'd2));
        assert (g_lanes.unused_valid == (f_flight != 8'd0));
      end
    end
  endgenerate
  always_comb begin
    cover (f_live & f_tracking & f_came & (f_to_go == 8'd0) & give & (f_want[0] | (SHIFT != 0)));
    cover (f_live & f_stale & r_valid);
    cover (f_live & accept & ask & (f_comes & give | (OUTSTANDING < 3)));
    cover (f_live & ~closed & (taken == OUTSTANDING) & req_valid);
  end
