// loom_axi_bus: the loads and stores of a direct circuit on one AXI4 master.
//
// Function: gives the bus to the accesses in turn. A beat of a read or a write is one element
//   (INCR, size of the access's elements) or, wide, a word of the bus, the ID the number of the access, so responses
//   go back by their ID, in order per access. No beat crosses its element or word, no burst its aligned block,
//   let alone 4 KB.
// Parameters: LD loads and ST stores, together at least 1; LD_SIZE and ST_SIZE the log2 of
//   the bytes of an element, 3 bits for each, access 0 lowest; IDW bits of an ID, enough for
//   the larger number; BUS_AW and BUS_DW bits of address and data; BURST elements of a read or a write
//   at most, which loom_axi_load and loom_axi_store make: 1, or a power of two up to 32.
// Ports: ar of every load, aw of every store, with its beats less one in len and whether they are wide, w with data, strobes
//   and last: what loom_axi_load and loom_axi_store have, stable until it is taken;
//   r and b with a valid for each: always taken, because an access reserves a place
//   before it asks. AXI4 master m_axi, all outputs but the ready signals functions of
//   registers, RREADY and BREADY constant 1. Without loads the read channels do nothing,
//   without stores the write channels.
// Timing: what is taken in t is on the bus from t+1, AW and W each on its own; with bursts AW and W
//   are on the bus in the cycle in which they are taken, and the data of a write comes behind its address,
//   and before that of the next. A response is
//   passed on in the cycle in which it arrives. One beat to read and one to write per cycle.
// Rule: rtl/README.md "AXI4 for direct circuits"; AMBA AXI4.
module loom_axi_bus #(
    parameter int LD     = 1,
    parameter int ST     = 1,
    parameter logic [((LD > 1) ? LD : 1)*3-1:0] LD_SIZE = '0,
    parameter logic [((ST > 1) ? ST : 1)*3-1:0] ST_SIZE = '0,
    parameter int IDW    = 1,
    parameter int BUS_AW = 64,
    parameter int BUS_DW = 32,
    parameter int BURST  = 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic [((LD > 1) ? LD : 1)-1:0]        ar_valid,
    output logic [((LD > 1) ? LD : 1)-1:0]        ar_ready,
    input  logic [((LD > 1) ? LD : 1)*BUS_AW-1:0] ar_addr,
    input  logic [((LD > 1) ? LD : 1)*8-1:0]      ar_len,
    input  logic [((LD > 1) ? LD : 1)-1:0]        ar_wide,
    output logic [((LD > 1) ? LD : 1)-1:0]        r_valid,
    output logic [BUS_DW-1:0]   r_data,
    output logic                r_err,
    output logic                r_last,
    input  logic [((ST > 1) ? ST : 1)-1:0]          aw_valid,
    output logic [((ST > 1) ? ST : 1)-1:0]          aw_ready,
    input  logic [((ST > 1) ? ST : 1)*BUS_AW-1:0]   aw_addr,
    input  logic [((ST > 1) ? ST : 1)*8-1:0]        aw_len,
    input  logic [((ST > 1) ? ST : 1)-1:0]          aw_wide,
    input  logic [((ST > 1) ? ST : 1)-1:0]          w_valid,
    output logic [((ST > 1) ? ST : 1)-1:0]          w_ready,
    input  logic [((ST > 1) ? ST : 1)*BUS_DW-1:0]   w_data,
    input  logic [((ST > 1) ? ST : 1)*BUS_DW/8-1:0] w_strb,
    input  logic [((ST > 1) ? ST : 1)-1:0]          w_last,
    output logic [((ST > 1) ? ST : 1)-1:0]          b_valid,
    output logic                b_err,
    output logic                m_axi_awvalid,
    input  logic                m_axi_awready,
    output logic [IDW-1:0]      m_axi_awid,
    output logic [BUS_AW-1:0]   m_axi_awaddr,
    output logic [7:0]          m_axi_awlen,
    output logic [2:0]          m_axi_awsize,
    output logic [1:0]          m_axi_awburst,
    output logic                m_axi_awlock,
    output logic [3:0]          m_axi_awcache,
    output logic [2:0]          m_axi_awprot,
    output logic                m_axi_wvalid,
    input  logic                m_axi_wready,
    output logic [BUS_DW-1:0]   m_axi_wdata,
    output logic [BUS_DW/8-1:0] m_axi_wstrb,
    output logic                m_axi_wlast,
    input  logic                m_axi_bvalid,
    output logic                m_axi_bready,
    input  logic [IDW-1:0]      m_axi_bid,
    input  logic [1:0]          m_axi_bresp,
    output logic                m_axi_arvalid,
    input  logic                m_axi_arready,
    output logic [IDW-1:0]      m_axi_arid,
    output logic [BUS_AW-1:0]   m_axi_araddr,
    output logic [7:0]          m_axi_arlen,
    output logic [2:0]          m_axi_arsize,
    output logic [1:0]          m_axi_arburst,
    output logic                m_axi_arlock,
    output logic [3:0]          m_axi_arcache,
    output logic [2:0]          m_axi_arprot,
    input  logic                m_axi_rvalid,
    output logic                m_axi_rready,
    input  logic [IDW-1:0]      m_axi_rid,
    input  logic [BUS_DW-1:0]   m_axi_rdata,
    input  logic [1:0]          m_axi_rresp,
    input  logic                m_axi_rlast
);
  initial if (LD < 0 || ST < 0 || LD + ST < 1) $fatal(1, "loom_axi_bus: there must be a load or a store");
  initial if (IDW < 1 || LD > (1 << IDW) || ST > (1 << IDW)) $fatal(1, "loom_axi_bus: IDW must hold the number of every access");
  initial if (BUS_DW < 8 || BUS_DW > 1024 || BUS_DW != (1 << $clog2(BUS_DW))) $fatal(1, "loom_axi_bus: BUS_DW must be a power of two from 8 to 1024");
  initial if (BUS_AW < 12 || BUS_AW > 64) $fatal(1, "loom_axi_bus: BUS_AW must be 12 to 64");
  initial if (BURST < 1 || BURST > 32 || BURST != (1 << $clog2(BURST))) $fatal(1, "loom_axi_bus: BURST must be a power of two from 1 to 32");

  localparam int LW = (BURST > 1) ? $clog2(BURST) : 1;  // bits of a length
  localparam int LD_NW = (LD > 2) ? $clog2(LD) : 1;      // bits of the number of a load, of a store
  localparam int ST_NW = (ST > 2) ? $clog2(ST) : 1;
  localparam logic [2:0] WORD = 3'($clog2(BUS_DW / 8));  // size of a wide beat

  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock  = 1'b0;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_arprot  = 3'b000;
  assign m_axi_rready  = 1'b1;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock  = 1'b0;
  // Normal memory, not cacheable and not bufferable: B comes from where the element is kept, so
  // all masters read the new value from then on. Arrays may overlap that have masters of their own.
  assign m_axi_awcache = 4'b0010;
  assign m_axi_awprot  = 3'b000;
  assign m_axi_bready  = 1'b1;

  assign r_data = m_axi_rdata;
  assign r_err  = m_axi_rresp[1];
  assign r_last = m_axi_rlast;
  assign b_err  = m_axi_bresp[1];

  generate
    if (LD == 0) begin : g_no_loads
      assign ar_ready      = 1'b0;
      assign r_valid       = 1'b0;
      assign m_axi_arvalid = 1'b0;
      assign m_axi_arid    = '0;
      assign m_axi_araddr  = '0;
      assign m_axi_arsize  = 3'd0;
      assign m_axi_arlen   = 8'd0;
      logic unused_loads;
      assign unused_loads = (|ar_valid) | (|ar_addr) | (|ar_len) | (|ar_wide) | m_axi_arready | m_axi_rvalid | (|m_axi_rid);
    end else begin : g_loads
      localparam int W = LW + 3 + BUS_AW;
      logic [LW-1:0] len;
      logic [LD*IDW-1:0] numbers;
      logic [LD*W-1:0] asked;
      logic [IDW-1:0] number;
      logic [W-1:0] chosen;
      logic any, ready, unused_idle;
      for (genvar i = 0; i < LD; i++) begin : g_load
        assign numbers[i*IDW +: IDW] = i[IDW-1:0];
        assign asked[i*W +: W]       = {ar_len[i*8 +: LW], ar_wide[i] ? WORD : LD_SIZE[i*3 +: 3], ar_addr[i*BUS_AW +: BUS_AW]};
        assign r_valid[i]            = m_axi_rvalid & (m_axi_rid == i[IDW-1:0]);
      end
      loom_arbiter #(
          .W(IDW),
          .N(LD)
      ) u_turn (
          .clk      (clk),
          .rst      (rst),
          .in_valid (ar_valid),
          .in_ready (ar_ready),
          .in_data  (numbers),
          .out_valid(any),
          .out_ready(ready),
          .out_data (number)
      );
      // The number of the access chooses: fewer tables than a tree by grants.
      loom_choose #(
          .W(W),
          .N(LD)
      ) u_chosen (
          .sel     (number[LD_NW-1:0]),
          .in_data (asked),
          .out_data(chosen)
      );
      loom_stage #(
          .W(IDW + W)
      ) u_ar (
          .clk      (clk),
          .rst      (rst),
          .in_valid (any),
          .in_ready (ready),
          .in_data  ({number, chosen}),
          .out_valid(m_axi_arvalid),
          .out_ready(m_axi_arready),
          .out_data ({m_axi_arid, len, m_axi_arsize, m_axi_araddr}),
          .idle     (unused_idle)
      );
      assign m_axi_arlen = 8'(len);
      logic unused_len;
      assign unused_len = |ar_len;
    end

    if (ST == 0) begin : g_no_stores
      assign aw_ready      = 1'b0;
      assign b_valid       = 1'b0;
      assign m_axi_awvalid = 1'b0;
      assign m_axi_awid    = '0;
      assign m_axi_awaddr  = '0;
      assign m_axi_awsize  = 3'd0;
      assign m_axi_awlen   = 8'd0;
      assign m_axi_wvalid  = 1'b0;
      assign m_axi_wdata   = '0;
      assign m_axi_wstrb   = '0;
      assign m_axi_wlast   = 1'b0;
      assign w_ready       = 1'b0;
      logic unused_stores;
      assign unused_stores = (|aw_valid) | (|aw_addr) | (|aw_len) | (|aw_wide) | (|w_valid) | (|w_data) | (|w_strb) | (|w_last) | m_axi_awready | m_axi_wready | m_axi_bvalid | (|m_axi_bid);
    end else if (BURST == 1) begin : g_stores
      localparam int A = 3 + BUS_AW;
      localparam int D = BUS_DW + BUS_DW / 8;
      logic [ST*IDW-1:0] numbers;
      logic [ST*(A+D)-1:0] asked;
      logic [IDW-1:0] number;
      logic [A-1:0] chosen;
      logic [D-1:0] chosen_data;
      logic any, aw_free, w_free, unused_aw_idle, unused_w_idle;
      for (genvar i = 0; i < ST; i++) begin : g_store
        assign numbers[i*IDW +: IDW] = i[IDW-1:0];
        assign asked[i*(A+D) +: A+D] = {w_data[i*BUS_DW +: BUS_DW], w_strb[i*(BUS_DW/8) +: BUS_DW/8],
                                        ST_SIZE[i*3 +: 3], aw_addr[i*BUS_AW +: BUS_AW]};
        assign b_valid[i] = m_axi_bvalid & (m_axi_bid == i[IDW-1:0]);
      end
      // Address and data leave together into their registers, and from there on their own.
      loom_arbiter #(
          .W(IDW),
          .N(ST)
      ) u_turn (
          .clk      (clk),
          .rst      (rst),
          .in_valid (aw_valid),
          .in_ready (aw_ready),
          .in_data  (numbers),
          .out_valid(any),
          .out_ready(aw_free & w_free),
          .out_data (number)
      );
      loom_choose #(
          .W(A + D),
          .N(ST)
      ) u_chosen (
          .sel     (number[ST_NW-1:0]),
          .in_data (asked),
          .out_data({chosen_data, chosen})
      );
      loom_stage #(
          .W(IDW + A)
      ) u_aw (
          .clk      (clk),
          .rst      (rst),
          .in_valid (any & w_free),
          .in_ready (aw_free),
          .in_data  ({number, chosen}),
          .out_valid(m_axi_awvalid),
          .out_ready(m_axi_awready),
          .out_data ({m_axi_awid, m_axi_awsize, m_axi_awaddr}),
          .idle     (unused_aw_idle)
      );
      loom_stage #(
          .W(D)
      ) u_w (
          .clk      (clk),
          .rst      (rst),
          .in_valid (any & aw_free),
          .in_ready (w_free),
          .in_data  (chosen_data),
          .out_valid(m_axi_wvalid),
          .out_ready(m_axi_wready),
          .out_data ({m_axi_wdata, m_axi_wstrb}),
          .idle     (unused_w_idle)
      );
      assign m_axi_awlen = 8'd0;
      assign m_axi_wlast = 1'b1;
      assign w_ready     = aw_ready;
      logic unused_beats;
      assign unused_beats = (|aw_len) | (|aw_wide) | (|w_valid) | (|w_last);
    end else begin : g_write_bursts
      localparam int A = LW + 3 + BUS_AW;
      localparam int D = BUS_DW + BUS_DW / 8 + 1;
      logic [ST*IDW-1:0] numbers;
      logic [ST*A-1:0] asked;
      logic [ST*D-1:0] beats;
      logic [LW-1:0] len;
      logic any, room;         // room: for the turn of a write whose data has not been sent to its end
      logic [ST-1:0] turn;     // the store whose data is next
      logic [ST_NW-1:0] whose;  // its number, where there is one
      logic last;
      for (genvar i = 0; i < ST; i++) begin : g_store
        assign numbers[i*IDW +: IDW] = i[IDW-1:0];
        assign asked[i*A +: A] = {aw_len[i*8 +: LW], aw_wide[i] ? WORD : ST_SIZE[i*3 +: 3], aw_addr[i*BUS_AW +: BUS_AW]};
        assign beats[i*D +: D] = {w_last[i], w_strb[i*(BUS_DW/8) +: BUS_DW/8], w_data[i*BUS_DW +: BUS_DW]};
        assign b_valid[i]      = m_axi_bvalid & (m_axi_bid == i[IDW-1:0]);
      end
      loom_arbiter #(
          .W(IDW),
          .N(ST)
      ) u_turn (
          .clk      (clk),
          .rst      (rst),
          .in_valid (aw_valid),
          .in_ready (aw_ready),
          .in_data  (numbers),
          .out_valid(any),
          .out_ready(m_axi_awready & room),
          .out_data (m_axi_awid)
      );
      loom_choose #(
          .W(A),
          .N(ST)
      ) u_chosen (
          .sel     (m_axi_awid[ST_NW-1:0]),
          .in_data (asked),
          .out_data({len, m_axi_awsize, m_axi_awaddr})
      );
      assign m_axi_awvalid = any & room;
      assign m_axi_awlen   = 8'(len);
      if (ST == 1) begin : g_one
        assign room  = 1'b1;
        assign turn  = 1'b1;
        assign whose = '0;
      end else begin : g_turns
        // Data has no ID: that of a write goes to its end before that of the next.
        logic turn_valid, unused_turn_idle;
        for (genvar i = 0; i < ST; i++) begin : g_turn
          assign turn[i] = turn_valid & (whose == ST_NW'(i));
        end
        loom_fifo #(
            .W    (ST_NW),
            .DEPTH(4)
        ) u_turns (
            .clk      (clk),
            .rst      (rst),
            .in_valid (any & m_axi_awready),
            .in_ready (room),
            .in_data  (m_axi_awid[ST_NW-1:0]),
            .out_valid(turn_valid),
            .out_ready(m_axi_wvalid & m_axi_wready & m_axi_wlast),
            .out_data (whose),
            .idle     (unused_turn_idle)
        );
      end
      assign m_axi_wvalid = |(w_valid & turn);
      assign w_ready      = turn & {ST{m_axi_wready}};
      loom_choose #(
          .W(D),
          .N(ST)
      ) u_beat (
          .sel     (whose),
          .in_data (beats),
          .out_data({last, m_axi_wstrb, m_axi_wdata})
      );
      assign m_axi_wlast = last & m_axi_wvalid;
      logic unused_len;
      assign unused_len = |aw_len;
    end
  endgenerate

  logic unused_inputs;
  assign unused_inputs = m_axi_rresp[0] | m_axi_bresp[0] | (|LD_SIZE) | (|ST_SIZE);

`ifdef LOOM_FORMAL
`include "loom_axi_bus.svh"
`endif
endmodule
