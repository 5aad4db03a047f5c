// Proof of loom_axi_load: every request once on ar with its address, in order; every element
// once on rsp, in order, from its lane; bursts of what has been asked for, each element at its address; a place for every read that is asked for, so that r is
// always taken; after a clear nothing of before. With BOUNDS a request outside of the array, and no other, is none on ar, in
// its turn an element of 0 on rsp and an error. The counts hold by induction for OUTSTANDING 2,
// the order bounded (that of the queues is proven with loom_fifo).
`include "f_reset.svh"
  always_comb if (rst) assume (clear);
  logic [63+64*BOUNDS:0] f_base;
  always_ff @(posedge clk) f_base <= base;
  always_comb if (f_live) assume (base == f_base);
  f_channel #(.W(AW), .ASSUME(1)) f_q (.clk(clk), .rst(clear), .valid(req_valid), .ready(req_ready), .data(req_addr));
  f_channel #(.W(BUS_AW)) f_a (.clk(clk), .rst(clear), .valid(one_valid), .ready(one_ready), .data(one_addr));
  f_channel #(.W(DW)) f_s (.clk(clk), .rst(clear), .valid(rsp_valid), .ready(rsp_ready), .data(rsp_data));

  // Byte by byte: whether the element of a request is outside of the array.
  logic [63:0] f_size;
  logic [67:0] f_end;
  logic f_beyond, f_outside;
  generate
    if (BOUNDS != 0) begin : f_bounds
      assign f_size = base[127:64];
    end else begin : f_no_bounds
      assign f_size = '1;
    end
  endgenerate
  assign f_end    = (68'(req_addr) << SHIFT) + (1 << SHIFT);
  assign f_beyond = ~f_size[63] & (f_end > 68'(f_size));

  // Requests that have not left, reads in flight, elements that have not been taken.
  logic [7:0] f_wait, f_flight, f_held;
  logic f_stale;  // reads in flight are of before a clear
  initial f_wait   = 8'd0;
  initial f_flight = 8'd0;
  initial f_held   = 8'd0;
  initial f_stale  = 1'b0;
  always_comb assume (~r_valid | (f_flight != 8'd0));
  generate
    if (BURST > 1) begin : f_bursts
      // Bursts on the bus, and the elements of them that have not come, are in order.
      f_channel #(.W(BUS_AW + 8)) f_b (.clk(clk), .rst(rst), .valid(ar_valid), .ready(ar_ready), .data({ar_addr, ar_len}));
      logic [31:0] f_lens;
      logic [2:0] f_wr, f_rd;
      logic [3:0] f_beat;
      logic [7:0] f_sent, f_number;
      initial f_wr = 3'd0;
      initial f_rd = 3'd0;
      initial f_beat = 4'd0;
      initial f_sent = 8'd0;
      initial f_number = 8'd0;
      always_ff @(posedge clk) if (f_live) begin
        if (ar_valid & ar_ready) begin
          f_wr <= f_wr + 3'd1;
          f_lens[f_wr*4 +: 4] <= ar_len[3:0];
          f_sent <= f_sent + ar_len + 8'd1;
        end
        if (ask) f_number <= f_number + 8'd1;
        if (r_valid) begin
          f_beat <= r_last ? 4'd0 : f_beat + 4'd1;
          if (r_last) f_rd <= f_rd + 3'd1;
        end
      end
      always_comb begin
        assume (~r_valid | ((f_wr != f_rd) & (r_last == (f_beat == f_lens[f_rd*4 +: 4]))));
        // A burst is of elements that have been asked for, also in this cycle, and lies in its block.
        if (f_live) assert (f_sent <= f_number);
        if (f_live & ar_valid) assert (f_sent + ar_len + 8'd1 <= f_number + {7'd0, ask});
        if (f_live & ar_valid) assert (((ar_addr >> SHIFT) & BUS_AW'(BURST - 1)) + ar_len < BURST);
        if (f_live & ~busy & ~ask) assert (f_sent == f_number);
        // Bursts are on the way until their last element has come.
        if (f_live) assert (g_bursts.unused_idle == ((f_wr == f_rd) & (f_sent == f_number)));
      end
      // The address of the element with a number at will is that of its place in its burst.
      (* anyconst *) logic [7:0] f_which;
      logic [BUS_AW-1:0] f_address, f_asked_address;
      logic f_known;
      initial f_known = 1'b0;
      assign f_asked_address = (ask & (f_number == f_which)) ? one_addr : f_address;
      always_ff @(posedge clk) if (f_live & ask & (f_number == f_which)) begin
        f_known   <= 1'b1;
        f_address <= one_addr;
      end
      always_comb if (f_live & ar_valid & (f_known | ask & (f_number == f_which)) & (f_sent <= f_which) & (f_which - f_sent <= ar_len))
        assert (f_asked_address == ar_addr + (BUS_AW'(f_which - f_sent) << SHIFT));
      always_comb begin
        cover (f_live & ar_valid & ar_ready & (ar_len != 8'd0));
        cover (f_live & r_valid & ~r_last & draining);
      end
    end
  endgenerate
  logic f_comes;
  assign f_comes = (r_valid & ~clear & ~f_stale) | refused;
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
      f_wait <= f_wait + {7'd0, accept} - {7'd0, ask | refused};
      f_held <= f_held + {7'd0, f_comes} - {7'd0, give};
      if (f_tracking) begin
        if ((ask | refused) & ~f_asked) begin
          f_to_ask <= f_to_ask - 8'd1;
          f_asked  <= f_to_ask == 8'd0;
        end
        if (f_comes & ~f_came) begin
          f_to_come <= f_to_come - 8'd1;
          f_came    <= f_to_come == 8'd0;
          f_value   <= refused ? '0 : f_shifted[DW-1:0];
        end
        if (give) begin
          f_to_go    <= f_to_go - 8'd1;
          f_tracking <= f_to_go != 8'd0;
        end
      end else if (accept & f_mark) begin
        f_tracking <= 1'b1;
        f_asked    <= 1'b0;
        f_came     <= 1'b0;
        f_to_ask   <= f_wait - {7'd0, ask | refused};
        f_to_come  <= f_wait + f_flight - {7'd0, r_valid | refused};
        f_outside  <= f_beyond;
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
    assert (~err[0] | r_valid);
    if (f_comes & r_err & r_valid & ~draining) assert (err[0]);
    assert (err[BOUNDS] == ((BOUNDS != 0) ? refused : err[0]));
    assert (~refused | (waiting & (f_flight == 8'd0) & ~ask & ~clear));
    if (BOUNDS == 0) assert (~refused);
    assert (busy | ((f_flight == 8'd0) & (clear | (f_wait == 8'd0))));
`ifndef F_INDUCTION
    if (f_tracking & ask & ~f_asked & (f_to_ask == 8'd0)) assert ((one_addr == f_want) & ~f_outside);
    if (f_tracking & refused & ~f_asked & (f_to_ask == 8'd0)) assert (f_outside);
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
    cover ((BOUNDS == 0) | (f_live & f_tracking & f_asked & f_outside & rsp_valid & (f_to_go == 8'd0)));
    cover ((BOUNDS == 0) | (f_live & waiting & outside & (f_flight != 8'd0) & ~closed));
    cover (f_live & accept & ask & (f_comes & give | (OUTSTANDING < 3)));
    cover (f_live & ~closed & (taken == OUTSTANDING) & req_valid);
  end
