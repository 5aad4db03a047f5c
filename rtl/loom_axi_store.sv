// loom_axi_store: one access of a direct circuit that stores to an array behind AXI4.
//
// Function: makes of an element index and data a write for loom_axi_bus, and a done token of
//   its response. A done token is counted, so the bus never waits for the circuit: accesses
//   cannot block each other. With bursts, elements that follow each other are one write
//   (loom_axi_coalesce), with WIDE of several elements in a beat (loom_axi_pack).
// Parameters: as of loom_axi_load; OUTSTANDING stores whose done token has not been taken.
// Ports: rst, clear, base, err, busy as of loom_axi_load; request and done channels req and
//   rsp. To loom_axi_bus: aw, an address with the beats of the write less one in aw_len, and whether they are wide; w, data
//   and strobes of an element or, wide, a word, last with the last of a write; b, one for each aw, in their
//   order, always taken. Without bursts w is there with its aw, for which w_valid says nothing. With
//   them w follows its aw, and is in the order of the aws. Bytes of the data that are not written are copies of the
//   element, bits of the element beyond DW zeros.
// Timing: req is on aw from the next cycle on, with bursts two cycles later, b on rsp from the next
//   one, with bursts two cycles later; with WIDE when the write's last element has come; one per cycle. req_ready depends on state only.
// Clear: writes in flight are finished, their responses are dropped, and requests wait until
//   then.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_store #(
    parameter int AW          = 32,
    parameter int DW          = 32,
    parameter int SHIFT       = 2,
    parameter int BUS_AW      = 64,
    parameter int BUS_DW      = 32,
    parameter int OUTSTANDING = 16,
    parameter int BURST       = 1,
    parameter int WIDE        = 0,
    parameter int BOUNDS      = 0
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    input  logic [63+64*BOUNDS:0] base,
    input  logic                req_valid,
    output logic                req_ready,
    input  logic [AW-1:0]       req_addr,
    input  logic [DW-1:0]       req_data,
    output logic                rsp_valid,
    input  logic                rsp_ready,
    output logic                aw_valid,
    input  logic                aw_ready,
    output logic [BUS_AW-1:0]   aw_addr,
    output logic [7:0]          aw_len,
    output logic                aw_wide,
    output logic                w_valid,
    input  logic                w_ready,
    output logic [BUS_DW-1:0]   w_data,
    output logic [BUS_DW/8-1:0] w_strb,
    output logic                w_last,
    input  logic                b_valid,
    input  logic                b_err,
    output logic [BOUNDS:0]     err,
    output logic                busy
);
  initial if (SHIFT < 0 || SHIFT > 3 || DW < 1 || DW > (8 << SHIFT)) $fatal(1, "loom_axi_store: an element has 1, 2, 4 or 8 bytes and at most as many bits");
  initial if (BUS_DW < (8 << SHIFT)) $fatal(1, "loom_axi_store: BUS_DW must hold an element");
  initial if (OUTSTANDING < 2) $fatal(1, "loom_axi_store: OUTSTANDING must be at least 2");
  initial if (BOUNDS != 0 && BOUNDS != 1) $fatal(1, "loom_axi_store: BOUNDS is 0 or 1");

  localparam int CW    = $clog2(OUTSTANDING + 1);
  localparam int BYTES = 1 << SHIFT;
  localparam int LANES = BUS_DW / (8 * BYTES);
  localparam int LB    = $clog2(LANES);
  localparam int LW    = (LB > 1) ? LB : 1;

  // Requests from their acceptance until their done token is taken, writes on the bus, and done
  // tokens that wait.
  logic [CW-1:0] taken, writes, dones;
  logic draining, closed;
  logic waiting;           // a request has not left
  logic accept, ask, give, done, room;
  logic outside, refused;  // as of loom_axi_load
  // The write of one element and its response, from which bursts are made.
  logic one_valid, one_ready, one_done, one_err;
  logic [BUS_AW-1:0]   one_addr;
  logic [BUS_DW-1:0]   one_data;
  logic [BUS_DW/8-1:0] one_strb;
  assign closed    = clear | draining;
  assign room      = taken != OUTSTANDING[CW-1:0];
  assign busy      = (|writes) | waiting;
  assign rsp_valid = |dones;
  assign give      = rsp_valid & rsp_ready;
  assign ask       = one_valid & one_ready;
  assign done      = (one_done & ~closed) | refused;

  always_ff @(posedge clk) begin
    if (clear) begin
      taken <= '0;
      dones <= '0;
    end else begin
      if (accept != give) taken <= accept ? taken + CW'(1) : taken - CW'(1);
      if (done != give) dones <= done ? dones + CW'(1) : dones - CW'(1);
    end
    if (rst) begin
      writes   <= '0;
      draining <= 1'b0;
    end else begin
      if (ask != one_done) writes <= ask ? writes + CW'(1) : writes - CW'(1);
      draining <= closed & (|writes);
    end
  end

  logic wait_ready, unused_wait_idle;
  logic [AW-1:0] index;
  logic [DW-1:0] data;
  assign req_ready = room & wait_ready & ~closed;
  assign accept    = req_valid & req_ready;
  loom_fifo #(
      .W    (AW + DW),
      .DEPTH(2)
  ) u_wait (
      .clk      (clk),
      .rst      (clear),
      .in_valid (accept),
      .in_ready (wait_ready),
      .in_data  ({req_addr, req_data}),
      .out_valid(waiting),
      .out_ready(ask | refused),
      .out_data ({index, data}),
      .idle     (unused_wait_idle)
  );
  assign one_valid = waiting & ~closed & ~outside;
  loom_axi_address #(
      .AW(AW),
      .SHIFT(SHIFT),
      .BUS_AW(BUS_AW)
  ) u_address (
      .base   (base[63:0]),
      .index  (index),
      .address(one_addr)
  );

  logic [8*BYTES-1:0] element;
  generate
    if (DW == 8 * BYTES) begin : g_whole
      assign element = data;
    end else begin : g_part
      assign element = {{(8 * BYTES - DW) {1'b0}}, data};
    end
    if (LB == 0) begin : g_one_lane
      assign one_strb = '1;
    end else begin : g_lanes
      for (genvar l = 0; l < LANES; l++) begin : g_lane
        assign one_strb[l*BYTES +: BYTES] = {BYTES{one_addr[SHIFT +: LW] == l[LW-1:0]}};
      end
    end
  endgenerate
  assign one_data = {LANES{element}};
  assign err[0]   = one_done & one_err & ~closed;

  generate
    if (BOUNDS != 0) begin : g_bounds
      logic [AW:0] limit;
      loom_extent #(
          .AW   (AW),
          .SHIFT(SHIFT)
      ) u_extent (
          .size (base[127:64]),
          .limit(limit)
      );
      assign outside = ~limit[AW] & (index >= limit[AW-1:0]);
      assign refused = waiting & ~closed & outside & ~|writes;
      assign err[1]  = refused;
    end else begin : g_no_bounds
      assign outside = 1'b0;
      assign refused = 1'b0;
    end
  endgenerate

  generate
    if (BURST == 1) begin : g_single
      assign {aw_valid, aw_addr, aw_len} = {one_valid, one_addr, 8'd0};
      assign {w_valid, w_data, w_strb, w_last} = {one_valid, one_data, one_strb, 1'b1};
      assign one_ready = aw_ready;
      assign {one_done, one_err} = {b_valid, b_err};
      assign aw_wide = 1'b0;
      logic unused_ready;
      assign unused_ready = w_ready;
    end else begin : g_bursts
      // Address and data enter together, so that none waits, and could be withdrawn, while it is
      // offered. What has entered leaves and ends, whatever is cleared.
      logic address_ready, data_ready, enter;
      assign one_ready = address_ready & data_ready;
      assign enter     = one_valid & one_ready;
      logic unused_bid, unused_awid, unused_arready, unused_rvalid, unused_rid, unused_arvalid, unused_arid, unused_resp;
      logic [2:0] unused_awsize, unused_arsize;
      logic [7:0] unused_arlen;
      logic [1:0] unused_rresp;
      logic [BUS_AW-1:0] unused_araddr;
      logic [BUS_DW-1:0] unused_rdata;
      // Bursts of elements.
      logic el_aw_valid, el_aw_ready, el_w_valid, el_w_ready, el_w_last;
      logic [BUS_AW-1:0] el_aw_addr;
      logic [7:0] el_aw_len;
      logic [BUS_DW-1:0] el_w_data;
      logic [BUS_DW/8-1:0] el_w_strb;
      loom_axi_coalesce #(
          .AW          (BUS_AW),
          .DW          (BUS_DW),
          .IDW         (1),
          .IDS         (1),
          .BURST       (BURST),
          .EARLY_READS (1),
          .EARLY_WRITES((WIDE != 0) ? 1 : (OUTSTANDING < 8) ? OUTSTANDING : 8),
          .PATIENT     (WIDE),
          .READS       (1),
          .PLACES      ((OUTSTANDING < 128) ? OUTSTANDING : 128),
          .WRITES      (2 * BURST)
      ) u_coalesce (
          .clk(clk), .rst(rst),
          .s_awvalid(enter), .s_awready(address_ready), .s_awid(1'b0), .s_awaddr(one_addr), .s_awsize(SHIFT[2:0]),
          .s_wvalid(enter), .s_wready(data_ready), .s_wdata(one_data), .s_wstrb(one_strb),
          .s_bvalid(one_done), .s_bid(unused_bid), .s_bresp({one_err, unused_resp}),
          .s_arvalid(1'b0), .s_arready(unused_arready), .s_arid(1'b0), .s_araddr(BUS_AW'(0)), .s_arsize(3'd0),
          .s_rvalid(unused_rvalid), .s_rid(unused_rid), .s_rdata(unused_rdata), .s_rresp(unused_rresp),
          .m_awvalid(el_aw_valid), .m_awready(el_aw_ready), .m_awid(unused_awid), .m_awaddr(el_aw_addr), .m_awlen(el_aw_len), .m_awsize(unused_awsize),
          .m_wvalid(el_w_valid), .m_wready(el_w_ready), .m_wdata(el_w_data), .m_wstrb(el_w_strb), .m_wlast(el_w_last),
          .m_bvalid(b_valid), .m_bid(1'b0), .m_bresp({b_err, 1'b0}),
          .m_arvalid(unused_arvalid), .m_arready(1'b0), .m_arid(unused_arid), .m_araddr(unused_araddr), .m_arlen(unused_arlen), .m_arsize(unused_arsize),
          .m_rvalid(1'b0), .m_rid(1'b0), .m_rdata(BUS_DW'(0)), .m_rresp(2'b00), .m_rlast(1'b0)
      );
      if (WIDE == 0) begin : g_narrow
        assign {aw_valid, aw_addr, aw_len, aw_wide} = {el_aw_valid, el_aw_addr, el_aw_len, 1'b0};
        assign {w_valid, w_data, w_strb, w_last} = {el_w_valid, el_w_data, el_w_strb, el_w_last};
        assign {el_aw_ready, el_w_ready} = {aw_ready, w_ready};
      end else begin : g_wide
        logic unused_strb;
        assign unused_strb = |el_w_strb;
        loom_axi_pack #(
            .SHIFT (SHIFT),
            .BUS_AW(BUS_AW),
            .BUS_DW(BUS_DW),
            .BURST (BURST)
        ) u_pack (
            .clk(clk), .rst(rst),
            .s_aw_valid(el_aw_valid), .s_aw_ready(el_aw_ready), .s_aw_addr(el_aw_addr), .s_aw_len(el_aw_len),
            .s_w_valid(el_w_valid), .s_w_ready(el_w_ready), .s_w_data(el_w_data), .s_w_last(el_w_last),
            .m_aw_valid(aw_valid), .m_aw_ready(aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len), .m_aw_wide(aw_wide),
            .m_w_valid(w_valid), .m_w_ready(w_ready), .m_w_data(w_data), .m_w_strb(w_strb), .m_w_last(w_last)
        );
      end
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_axi_store.svh"
`endif
endmodule
