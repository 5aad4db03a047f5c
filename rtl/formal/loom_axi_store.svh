// Proof of loom_axi_store: every request once on aw, in order, with its address, its data in the
// bytes of its element and strobes for these alone; a done token for every response; a place for
// every write that is asked for, so that b is always taken; after a clear nothing of before. With
// BOUNDS a request outside of the array, and no other, is none on aw, in its turn a done token and an error. The
// counts hold by induction, the order bounded.
`include "f_reset.svh"
  always_comb if (rst) assume (clear);
  logic [63+64*BOUNDS:0] f_base;
  always_ff @(posedge clk) f_base <= base;
  always_comb if (f_live) assume (base == f_base);
  f_channel #(.W(AW + DW), .ASSUME(1)) f_q (.clk(clk), .rst(clear), .valid(req_valid), .ready(req_ready), .data({req_addr, req_data}));
  f_channel #(.W(BUS_AW + BUS_DW + BUS_DW / 8)) f_a (.clk(clk), .rst(clear), .valid(one_valid), .ready(one_ready), .data({one_addr, one_data, one_strb}));
  f_channel f_s (.clk(clk), .rst(clear), .valid(rsp_valid), .ready(rsp_ready), .data(1'b0));

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

  logic [7:0] f_wait, f_flight, f_held;
  logic f_stale;
  initial f_wait   = 8'd0;
  initial f_flight = 8'd0;
  initial f_held   = 8'd0;
  initial f_stale  = 1'b0;
  generate
    if (BURST == 1) begin : f_single
      always_comb assume (~b_valid | (f_flight != 8'd0));
    end else begin : f_bursts
      // A response comes to a write whose data has been sent to its end. What becomes of addresses and
      // data is proven with loom_axi_coalesce.
      logic [7:0] f_ends, f_answers;
      initial f_ends = 8'd0;
      initial f_answers = 8'd0;
      always_ff @(posedge clk) if (f_live) begin
        f_ends    <= f_ends + {7'd0, w_valid & w_ready & w_last};
        f_answers <= f_answers + {7'd0, b_valid};
      end
      always_comb assume (~b_valid | (f_answers != f_ends));
      always_comb assume (~b_valid | f_live);
      always_comb if (f_live) assert (~one_done | (f_flight != 8'd0));
      f_channel #(.W(BUS_AW + 8)) f_b (.clk(clk), .rst(rst), .valid(aw_valid), .ready(aw_ready), .data({aw_addr, aw_len}));
      f_channel #(.W(BUS_DW + BUS_DW / 8 + 1)) f_w (.clk(clk), .rst(rst), .valid(w_valid), .ready(w_ready), .data({w_data, w_strb, w_last}));
      always_comb begin
        cover (f_live & w_valid & w_ready & ~w_last);
        cover (f_live & one_done & draining);
      end
    end
  endgenerate
  logic f_comes;
  assign f_comes = (one_done & ~clear & ~f_stale) | refused;
  (* anyseq *) logic f_mark;
  logic f_tracking;
  logic [7:0] f_to_ask;
  logic [BUS_AW-1:0] f_want, f_element_number;
  logic [DW-1:0] f_value;
  initial f_tracking = 1'b0;
  assign f_element_number = base[BUS_AW-1:0] + (BUS_AW'(req_addr) << SHIFT);
  logic [BUS_DW-1:0] f_shifted;
  logic [BUS_DW/8-1:0] f_strobes;
  assign f_shifted = one_data >> ((f_want % (BUS_DW / 8)) * 8);
  assign f_strobes = one_strb >> (f_want % (BUS_DW / 8));
  always_ff @(posedge clk) if (f_live) begin
    f_flight <= f_flight + {7'd0, ask} - {7'd0, one_done};
    f_stale  <= (clear | f_stale) & (f_flight != 8'd0);
    if (clear) begin
      f_wait     <= 8'd0;
      f_held     <= 8'd0;
      f_tracking <= 1'b0;
    end else begin
      f_wait <= f_wait + {7'd0, accept} - {7'd0, ask | refused};
      f_held <= f_held + {7'd0, f_comes} - {7'd0, give};
      if (f_tracking) begin
        if (ask | refused) begin
          f_to_ask   <= f_to_ask - 8'd1;
          f_tracking <= f_to_ask != 8'd0;
        end
      end else if (accept & f_mark) begin
        f_tracking <= 1'b1;
        f_to_ask   <= f_wait - {7'd0, ask | refused};
        f_outside  <= f_beyond;
        f_want     <= f_element_number & ~(BUS_AW'((1 << SHIFT) - 1));
        f_value    <= req_data;
      end
    end
  end
  always_comb if (f_live) begin
    assert (writes == f_flight[CW-1:0]);
    assert (f_flight <= OUTSTANDING);
    assert (draining == f_stale);
    if (~closed) assert ({24'd0, f_wait} + {24'd0, f_flight} + {24'd0, f_held} == {{(32 - CW) {1'b0}}, taken});
    if (~closed) assert (taken <= OUTSTANDING[CW-1:0]);
    if (draining & ~clear) assert ((taken == 0) & ~waiting & ~rsp_valid);
    if (~clear) assert (waiting == (f_wait != 8'd0));
    if (~clear) assert (wait_ready == (f_wait != 8'd2));
    assert (f_wait <= 8'd2);
    if (~clear) assert (dones == f_held[CW-1:0]);
    assert (f_held <= OUTSTANDING);
    assert (req_ready == ((taken != OUTSTANDING) & wait_ready & ~clear & ~draining));
    assert (~err[0] | one_done);
    if (f_comes & one_err & one_done & ~draining) assert (err[0]);
    assert (err[BOUNDS] == ((BOUNDS != 0) ? refused : err[0]));
    assert (~refused | (waiting & (f_flight == 8'd0) & ~ask & ~clear));
    if (BOUNDS == 0) assert (~refused);
    assert (busy | ((f_flight == 8'd0) & (clear | (f_wait == 8'd0))));
    if (~f_induction & f_tracking & one_valid & (f_to_ask == 8'd0)) begin
      assert ((one_addr == f_want) & ~f_outside);
      assert (f_shifted[DW-1:0] == f_value);
      assert (f_strobes == {BYTES{1'b1}});
      assert (one_strb == ({BYTES{1'b1}} << (f_want % (BUS_DW / 8))));
    end
    if (~f_induction & f_tracking & refused & (f_to_ask == 8'd0)) assert (f_outside);
  end
  always_comb begin
    cover (f_live & f_tracking & ask & (f_to_ask == 8'd0) & ((LB == 0) | ~one_strb[0]));
    cover (f_live & f_stale & one_done);
    cover ((BOUNDS == 0) | (f_live & refused & (f_held != 8'd0)));
    cover ((BOUNDS == 0) | (f_live & waiting & outside & (f_flight != 8'd0) & ~closed));
    cover (f_live & accept & ask & (f_comes & give | (OUTSTANDING < 4)));
    cover (f_live & ~closed & (taken == OUTSTANDING) & req_valid);
  end
