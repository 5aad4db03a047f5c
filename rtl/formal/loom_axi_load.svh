// Proof of loom_axi_load: every request once on ar with its address, in order; every element
// once on rsp, in order, as loom_axi_read gives it; a place for every element that is asked for; after a clear nothing of before. With BOUNDS a request outside of the array, and no other, is none on ar, in
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
  generate
    if (BURST == 1) begin : f_single
      always_comb assume (~r_valid | (f_flight != 8'd0));
    end else begin : f_bursts
      // The beats of a read come when it is on the bus. What becomes of them is proven with loom_axi_read.
      logic [31:0] f_lens;
      logic [2:0] f_wr, f_rd;
      logic [3:0] f_beat;
      initial f_wr   = 3'd0;
      initial f_rd   = 3'd0;
      initial f_beat = 4'd0;
      always_ff @(posedge clk) if (f_live) begin
        if (ar_valid & ar_ready) begin
          f_wr <= f_wr + 3'd1;
          f_lens[f_wr*4 +: 4] <= ar_len[3:0];
        end
        if (r_valid) begin
          f_beat <= r_last ? 4'd0 : f_beat + 4'd1;
          if (r_last) f_rd <= f_rd + 3'd1;
        end
      end
      always_comb assume (~r_valid | (f_live & (f_wr != f_rd) & (r_last == (f_beat == f_lens[f_rd*4 +: 4]))));
      if (WIDE == 0) begin : f_cover_narrow
        always_comb cover (f_live & r_valid & ~r_last & draining);
      end else begin : f_cover_wide
        always_comb cover (f_live & give_valid & give_ready & draining & ar_wide);
      end
    end
  endgenerate
  logic f_given, f_comes;  // an element is given, for a request that counts
  assign f_given = give_valid & give_ready;
  assign f_comes = (f_given & ~clear & ~f_stale) | refused;
  // A marked request and how many stand before it at ar, at r and at rsp.
  (* anyseq *) logic f_mark;
  logic f_tracking, f_asked, f_came;
  logic [7:0] f_to_ask, f_to_come, f_to_go;
  logic [BUS_AW-1:0] f_want, f_element_number;
  logic [DW-1:0] f_value;
  initial f_tracking = 1'b0;
  logic [BUS_DW-1:0] f_shifted;
  assign f_shifted = (WIDE != 0) ? BUS_DW'(element) : r_data >> ((f_want % (BUS_DW / 8)) * 8);
  assign f_element_number = base[BUS_AW-1:0] + (BUS_AW'(req_addr) << SHIFT);
  always_ff @(posedge clk) if (f_live) begin
    f_flight <= f_flight + {7'd0, ask} - {7'd0, f_given};
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
        f_to_come  <= f_wait + f_flight - {7'd0, f_given | refused};
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
    if (f_comes & ~draining) assert (rsp_room);
    if ((OUTSTANDING == 2 || WIDE != 0) & ~clear) assert (rsp_room == (f_held != 8'd2));
    // A request waits for a place, two registers and the end of a clear, for nothing else.
    assert (req_ready == ((taken != OUTSTANDING) & wait_ready & ~clear & ~draining));
    assert (~err[0] | f_given);
    if (f_comes & f_given & give_err & ~draining) assert (err[0]);
    if (WIDE == 0) assert ((f_given == r_valid) & (~r_valid | (give_err == r_err)));
    assert (err[BOUNDS] == ((BOUNDS != 0) ? refused : err[0]));
    assert (~refused | (waiting & (f_flight == 8'd0) & ~ask & ~clear));
    if (BOUNDS == 0) assert (~refused);
    assert (busy | ((f_flight == 8'd0) & (clear | (f_wait == 8'd0))));
    if (~f_induction & f_tracking & ask & ~f_asked & (f_to_ask == 8'd0)) assert ((one_addr == f_want) & ~f_outside);
    if (~f_induction & f_tracking & refused & ~f_asked & (f_to_ask == 8'd0)) assert (f_outside);
    if (~f_induction & f_tracking & rsp_valid & (f_to_go == 8'd0)) assert (f_came & (rsp_data == f_value));
  end
  always_comb begin
    cover (f_live & f_tracking & f_came & (f_to_go == 8'd0) & give & (f_want[0] | (SHIFT != 0)));
    cover (f_live & f_stale & f_given);
    cover ((BOUNDS == 0) | (f_live & f_tracking & f_asked & f_outside & rsp_valid & (f_to_go == 8'd0)));
    cover ((BOUNDS == 0) | (f_live & waiting & outside & (f_flight != 8'd0) & ~closed));
    cover (f_live & accept & ask & (f_comes & give | (OUTSTANDING < 3)));
    cover (f_live & ~closed & (taken == OUTSTANDING) & req_valid);
  end
