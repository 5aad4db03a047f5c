// loom_axi_master: from the request and response ports of an external memory to AXI4.
//
// Function: the bus side of fabric.extmemory. A load becomes a transaction on AR and R,
//   a store one on AW, W and B: one beat of one element (len 0, size of the element,
//   INCR), ID = tag. An address is rounded down to its element, so that no transaction
//   crosses an element boundary, let alone one of 4 KB; its bits beyond BUS_AW are
//   dropped. On a bus wider than the element WSTRB names the element's bytes and loads
//   take theirs from RDATA. SLVERR and DECERR give err and no data. A store that is
//   accepted in the same cycle as a load of its element stays off the bus until that load
//   has its response, so the load reads before the write; no load is accepted meanwhile.
// Parameters: DW bits of an element (8, 16, 32 or 64); TW bits of a tag, 0 without tags;
//   BUS_AW and BUS_DW bits of an AXI address and of AXI data (BUS_DW a power of two, at
//   least DW, at most 1024); OUTSTANDING reads and as many writes in flight; BURST elements that share a
//   transaction at most, where they follow each other (loom_axi_coalesce): 1, or a power of two up to 32.
// Ports: rst resets the bus interface, together with the bus; clear resets what makes
//   the requests (datapath reset) and includes rst. Request channels ld_req and st_req;
//   responses ld_rsp and st_rsp, which are always taken: the requester has reserved the
//   slots. AXI4 master m_axi, all outputs but the ready signals functions of registers,
//   RREADY and BREADY constant 1. idle: nothing in flight.
// Timing: a request accepted in t is on the bus from t+1, AW and W each on its own; a
//   response is passed on in the cycle in which it arrives. One read and one write per
//   cycle. Responses come in order per tag, in any order across tags. With bursts, what
//   loom_axi_coalesce adds.
// Clear: requests in flight are finished on the bus, their responses are dropped, and
//   requests wait until the last of them has arrived. Valid signals are never withdrawn.
// Rule: design page "RTL", "Memories"; AMBA AXI4; rtl/README.md "Memories".
module loom_axi_master #(
    parameter int DW          = 32,
    parameter int TW          = 0,
    parameter int BUS_AW      = 64,
    parameter int BUS_DW      = 32,
    parameter int OUTSTANDING = 16,
    parameter int BURST       = 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    input  logic                ld_req_valid,
    output logic                ld_req_ready,
    input  logic [63:0]         ld_req_addr,
    input  logic [((TW > 1) ? TW : 1)-1:0] ld_req_tag,
    output logic                ld_rsp_valid,
    output logic [DW-1:0]       ld_rsp_data,
    output logic [((TW > 1) ? TW : 1)-1:0] ld_rsp_tag,
    output logic                ld_rsp_err,
    input  logic                st_req_valid,
    output logic                st_req_ready,
    input  logic [63:0]         st_req_addr,
    input  logic [((TW > 1) ? TW : 1)-1:0] st_req_tag,
    input  logic [DW-1:0]       st_req_data,
    output logic                st_rsp_valid,
    output logic [((TW > 1) ? TW : 1)-1:0] st_rsp_tag,
    output logic                st_rsp_err,
    output logic                idle,
    output logic                m_axi_awvalid,
    input  logic                m_axi_awready,
    output logic [((TW > 1) ? TW : 1)-1:0] m_axi_awid,
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
    input  logic [((TW > 1) ? TW : 1)-1:0] m_axi_bid,
    input  logic [1:0]          m_axi_bresp,
    output logic                m_axi_arvalid,
    input  logic                m_axi_arready,
    output logic [((TW > 1) ? TW : 1)-1:0] m_axi_arid,
    output logic [BUS_AW-1:0]   m_axi_araddr,
    output logic [7:0]          m_axi_arlen,
    output logic [2:0]          m_axi_arsize,
    output logic [1:0]          m_axi_arburst,
    output logic                m_axi_arlock,
    output logic [3:0]          m_axi_arcache,
    output logic [2:0]          m_axi_arprot,
    input  logic                m_axi_rvalid,
    output logic                m_axi_rready,
    input  logic [((TW > 1) ? TW : 1)-1:0] m_axi_rid,
    input  logic [BUS_DW-1:0]   m_axi_rdata,
    input  logic [1:0]          m_axi_rresp,
    input  logic                m_axi_rlast
);
  initial if (DW != 8 && DW != 16 && DW != 32 && DW != 64) $fatal(1, "loom_axi_master: DW must be 8, 16, 32 or 64");
  initial if (TW < 0 || OUTSTANDING < 2) $fatal(1, "loom_axi_master: TW must be at least 0, OUTSTANDING at least 2");
  initial if (BUS_DW < DW || BUS_DW > 1024 || BUS_DW != (1 << $clog2(BUS_DW))) $fatal(1, "loom_axi_master: BUS_DW must be a power of two from DW to 1024");
  initial if (BUS_AW < 12 || BUS_AW > 64) $fatal(1, "loom_axi_master: BUS_AW must be 12 to 64");

  initial if (BURST < 1 || BURST > 32 || BURST != (1 << $clog2(BURST))) $fatal(1, "loom_axi_master: BURST must be a power of two from 1 to 32");

  localparam int IDW   = (TW > 1) ? TW : 1;
  localparam int SHIFT = $clog2(DW / 8);    // log2 of the bytes of an element
  localparam int LANES = BUS_DW / DW;       // elements side by side on the bus
  localparam int LB    = $clog2(LANES);     // bits that name a lane
  localparam int LW    = (LB > 1) ? LB : 1;
  localparam int EAW   = BUS_AW - SHIFT;    // bits of an element address
  localparam int CW    = $clog2(OUTSTANDING + 1);

  // Transactions of one element each, from which bursts are made.
  logic                e_awvalid, e_awready, e_wvalid, e_wready, e_bvalid, e_arvalid, e_arready, e_rvalid;
  logic [IDW-1:0]      e_awid, e_bid, e_arid, e_rid;
  logic [BUS_AW-1:0]   e_awaddr, e_araddr;
  logic [2:0]          e_awsize, e_arsize;
  logic [BUS_DW-1:0]   e_wdata, e_rdata;
  logic [BUS_DW/8-1:0] e_wstrb;
  logic [1:0]          e_bresp, e_rresp;

  // Transactions from the acceptance of the request to the response.
  logic [CW-1:0] reads, writes;
  logic ld_accept, st_accept;
  logic draining, closed;  // draining: requests in flight belong to a cleared datapath
  logic collide, hold;     // hold: the waiting store collided with a load in flight

  assign closed = clear | draining;
  assign idle   = ~|reads & ~|writes;

  always_ff @(posedge clk) begin
    if (rst) begin
      reads    <= '0;
      writes   <= '0;
      draining <= 1'b0;
      hold     <= 1'b0;
    end else begin
      if (ld_accept != e_rvalid) reads <= ld_accept ? reads + CW'(1) : reads - CW'(1);
      if (st_accept != e_bvalid) writes <= st_accept ? writes + CW'(1) : writes - CW'(1);
      draining <= closed & ~idle;
      hold     <= collide | (hold & ~(e_rvalid & (reads == CW'(1))));
    end
  end

  // Read before write: of all reads in flight the colliding one is the youngest.
  assign collide = ld_accept & st_accept & (ld_req_addr[BUS_AW-1:SHIFT] == st_req_addr[BUS_AW-1:SHIFT]);

  // Without tags there is one ID, 0.
  logic [IDW-1:0] ld_id, st_id;
  assign ld_id = (TW != 0) ? ld_req_tag : '0;
  assign st_id = (TW != 0) ? st_req_tag : '0;

  // Read addresses.
  logic           ar_ready, ld_open;
  logic [EAW-1:0] ar_element;

  assign ld_open      = ~closed & ~hold & (reads != OUTSTANDING[CW-1:0]);
  assign ld_req_ready = ld_open & ar_ready;
  assign ld_accept    = ld_req_valid & ld_req_ready;

  logic unused_ar_idle;
  loom_stage #(
      .W(IDW + EAW)
  ) u_ar (
      .clk      (clk),
      .rst      (rst),
      .in_valid (ld_accept),
      .in_ready (ar_ready),
      .in_data  ({ld_id, ld_req_addr[BUS_AW-1:SHIFT]}),
      .out_valid(e_arvalid),
      .out_ready(e_arready),
      .out_data ({e_arid, ar_element}),
      .idle     (unused_ar_idle)
  );
  assign e_araddr  = BUS_AW'(ar_element) << SHIFT;
  assign e_arsize  = SHIFT[2:0];
  assign m_axi_arburst = 2'b01;
  assign m_axi_arlock  = 1'b0;
  assign m_axi_arcache = 4'b0011;
  assign m_axi_arprot  = 3'b000;

  // Read data: the lane of each read in flight waits for the response.
  logic [LW-1:0] ld_lane, rsp_lane;
  generate
    if (LB == 0) begin : g_full_width
      assign ld_lane  = 1'b0;
      assign rsp_lane = 1'b0;
      logic unused_lane;
      assign unused_lane = ld_lane;
    end else if (TW == 0) begin : g_lanes_in_order
      assign ld_lane = ld_req_addr[SHIFT +: LW];
      logic unused_ready, unused_valid, unused_idle;
      loom_fifo #(
          .W    (LW),
          .DEPTH(OUTSTANDING)
      ) u_lanes (
          .clk      (clk),
          .rst      (rst),
          .in_valid (ld_accept),
          .in_ready (unused_ready),
          .in_data  (ld_lane),
          .out_valid(unused_valid),
          .out_ready(e_rvalid),
          .out_data (rsp_lane),
          .idle     (unused_idle)
      );
    end else begin : g_lanes_by_tag
      // Responses come in order per ID, so every tag has a ring of its own in one memory: a
      // response finds its lane by its ID, whatever the number of reads in flight.
      localparam int TAGS = 1 << TW;
      localparam int PW   = $clog2(OUTSTANDING);
      logic [LW-1:0] lanes [0:(1<<(TW+PW))-1];
      logic [TAGS*PW-1:0] wr, rd;
      logic [PW-1:0] wr_at, rd_at;
      assign ld_lane  = ld_req_addr[SHIFT +: LW];
      assign rsp_lane = lanes[{e_rid, rd_at}];
      always_comb begin
        wr_at = '0;
        rd_at = '0;
        for (int t = 0; t < TAGS; t++) begin
          if (ld_id == IDW'(t)) wr_at = wr_at | wr[t*PW +: PW];
          if (e_rid == IDW'(t)) rd_at = rd_at | rd[t*PW +: PW];
        end
      end
      always_ff @(posedge clk) begin
        if (ld_accept) lanes[{ld_id, wr_at}] <= ld_lane;
      end
      for (genvar t = 0; t < TAGS; t++) begin : g_tag
        logic [PW-1:0] my_wr, my_rd;
        assign wr[t*PW +: PW] = my_wr;
        assign rd[t*PW +: PW] = my_rd;
        always_ff @(posedge clk) begin
          if (rst) begin
            my_wr <= '0;
            my_rd <= '0;
          end else begin
            if (ld_accept & (ld_id == IDW'(t))) my_wr <= wr_at + PW'(1);
            if (e_rvalid & (e_rid == IDW'(t))) my_rd <= rd_at + PW'(1);
          end
        end
      end
    end
  endgenerate

  assign m_axi_rready = 1'b1;
  assign ld_rsp_valid = e_rvalid & ~closed;
  assign ld_rsp_data  = e_rdata[rsp_lane*DW +: DW];
  assign ld_rsp_tag   = (TW != 0) ? e_rid : '0;
  assign ld_rsp_err   = e_rresp[1];

  // Write addresses and data: accepted together, each leaves on its own.
  logic           aw_ready, w_ready, aw_full, w_full, st_open;
  logic [EAW-1:0] aw_element;
  logic [DW-1:0]  w_data;

  assign st_open      = ~closed & (writes != OUTSTANDING[CW-1:0]);
  assign st_req_ready = st_open & aw_ready & w_ready;
  assign st_accept    = st_req_valid & st_req_ready;

  logic unused_aw_idle, unused_w_idle;
  loom_stage #(
      .W(IDW + EAW)
  ) u_aw (
      .clk      (clk),
      .rst      (rst),
      .in_valid (st_accept),
      .in_ready (aw_ready),
      .in_data  ({st_id, st_req_addr[BUS_AW-1:SHIFT]}),
      .out_valid(aw_full),
      .out_ready(e_awready & ~hold),
      .out_data ({e_awid, aw_element}),
      .idle     (unused_aw_idle)
  );
  assign e_awvalid = aw_full & ~hold;
  assign e_awaddr  = BUS_AW'(aw_element) << SHIFT;
  assign e_awsize  = SHIFT[2:0];
  assign m_axi_awburst = 2'b01;
  assign m_axi_awlock  = 1'b0;
  // Normal memory, not cacheable and not bufferable: B comes from where the element is kept, so
  // all masters read the new value from then on. Arrays may be served by several masters.
  assign m_axi_awcache = 4'b0010;
  assign m_axi_awprot  = 3'b000;

  generate
    if (LB == 0) begin : g_full_strobe
      loom_stage #(
          .W(DW)
      ) u_w (
          .clk      (clk),
          .rst      (rst),
          .in_valid (st_accept),
          .in_ready (w_ready),
          .in_data  (st_req_data),
          .out_valid(w_full),
          .out_ready(e_wready & ~hold),
          .out_data (w_data),
          .idle     (unused_w_idle)
      );
      assign e_wstrb = '1;
    end else begin : g_lane_strobe
      logic [LW-1:0] w_lane;
      loom_stage #(
          .W(LW + DW)
      ) u_w (
          .clk      (clk),
          .rst      (rst),
          .in_valid (st_accept),
          .in_ready (w_ready),
          .in_data  ({st_req_addr[SHIFT +: LW], st_req_data}),
          .out_valid(w_full),
          .out_ready(e_wready & ~hold),
          .out_data ({w_lane, w_data}),
          .idle     (unused_w_idle)
      );
      for (genvar l = 0; l < LANES; l++) begin : g_lane
        assign e_wstrb[l*(DW/8) +: DW/8] = {(DW / 8) {w_lane == l[LW-1:0]}};
      end
    end
  endgenerate
  assign e_wvalid = w_full & ~hold;
  assign e_wdata  = {LANES{w_data}};

  assign m_axi_bready = 1'b1;
  assign st_rsp_valid = e_bvalid & ~closed;
  assign st_rsp_tag   = (TW != 0) ? e_bid : '0;
  assign st_rsp_err   = e_bresp[1];

  generate
    if (BURST == 1) begin : g_single
      assign {m_axi_awvalid, m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize} = {e_awvalid, e_awid, e_awaddr, 8'd0, e_awsize};
      assign {m_axi_wvalid, m_axi_wdata, m_axi_wstrb, m_axi_wlast} = {e_wvalid, e_wdata, e_wstrb, 1'b1};
      assign {m_axi_arvalid, m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize} = {e_arvalid, e_arid, e_araddr, 8'd0, e_arsize};
      assign {e_awready, e_wready, e_arready} = {m_axi_awready, m_axi_wready, m_axi_arready};
      assign {e_bvalid, e_bid, e_bresp} = {m_axi_bvalid, m_axi_bid, m_axi_bresp};
      assign {e_rvalid, e_rid, e_rdata, e_rresp} = {m_axi_rvalid, m_axi_rid, m_axi_rdata, m_axi_rresp};
      logic unused_last;
      assign unused_last = m_axi_rlast;
    end else begin : g_bursts
      loom_axi_coalesce #(
          .AW   (BUS_AW),
          .DW   (BUS_DW),
          .IDW  (IDW),
          .IDS  (1 << TW),
          .BURST(BURST),
          .READS(OUTSTANDING),
          .PLACES((OUTSTANDING < 128) ? OUTSTANDING : 128),
          .EARLY_READS((OUTSTANDING < 4) ? OUTSTANDING : 4),
          .EARLY_WRITES((OUTSTANDING < 8) ? OUTSTANDING : 8),
          .WRITES((BURST > 16) ? 2 * BURST : 32)
      ) u_coalesce (
          .clk(clk), .rst(rst),
          .s_awvalid(e_awvalid), .s_awready(e_awready), .s_awid(e_awid), .s_awaddr(e_awaddr), .s_awsize(e_awsize),
          .s_wvalid(e_wvalid), .s_wready(e_wready), .s_wdata(e_wdata), .s_wstrb(e_wstrb),
          .s_bvalid(e_bvalid), .s_bid(e_bid), .s_bresp(e_bresp),
          .s_arvalid(e_arvalid), .s_arready(e_arready), .s_arid(e_arid), .s_araddr(e_araddr), .s_arsize(e_arsize),
          .s_rvalid(e_rvalid), .s_rid(e_rid), .s_rdata(e_rdata), .s_rresp(e_rresp),
          .m_awvalid(m_axi_awvalid), .m_awready(m_axi_awready), .m_awid(m_axi_awid), .m_awaddr(m_axi_awaddr), .m_awlen(m_axi_awlen), .m_awsize(m_axi_awsize),
          .m_wvalid(m_axi_wvalid), .m_wready(m_axi_wready), .m_wdata(m_axi_wdata), .m_wstrb(m_axi_wstrb), .m_wlast(m_axi_wlast),
          .m_bvalid(m_axi_bvalid), .m_bid((TW != 0) ? m_axi_bid : '0), .m_bresp(m_axi_bresp),
          .m_arvalid(m_axi_arvalid), .m_arready(m_axi_arready), .m_arid(m_axi_arid), .m_araddr(m_axi_araddr), .m_arlen(m_axi_arlen), .m_arsize(m_axi_arsize),
          .m_rvalid(m_axi_rvalid), .m_rid(m_axi_rid), .m_rdata(m_axi_rdata), .m_rresp(m_axi_rresp), .m_rlast(m_axi_rlast)
      );
    end
  endgenerate

  // Rounded off, dropped, or known to be constant.
  logic unused_inputs;
  assign unused_inputs = (|ld_req_addr) | (|st_req_addr) | (|ld_req_tag) | (|st_req_tag) | (|e_rid) |
                         (|e_bid) | e_rresp[0] | e_bresp[0];

`ifdef LOOM_FORMAL
`include "loom_axi_master.svh"
`endif
endmodule
