// loom_axi_port: an external memory at an AXI4 master that several share.
//
// Function: loom_axi_master before loom_axi_bus. With WIDE elements that follow each other become a read with
//   beats of the whole bus (loom_axi_read), and a write likewise (loom_axi_coalesce, loom_axi_pack); any other has a beat
//   for each element. Responses come in order, whatever the tags: on the bus the memory has one ID.
// Parameters: DW, TW, BUS_AW, BUS_DW, OUTSTANDING, BURST as of loom_axi_master; WIDE: 1 where beats may have
//   several elements, for which BURST is at least those of a word.
// Ports: clk to st_rsp_err, and idle, as of loom_axi_master. To loom_axi_bus: ar, aw, w, r and b as of loom_axi_load and
//   loom_axi_store; without bursts w is offered with its aw and taken with it, as loom_axi_bus does.
// Timing: as of loom_axi_master. With WIDE, that of loom_axi_read and of loom_axi_store beside.
// Rule: rtl/README.md "Several memories at one master"; AMBA AXI4.
module loom_axi_port #(
    parameter int DW          = 32,
    parameter int TW          = 0,
    parameter int BUS_AW      = 64,
    parameter int BUS_DW      = 128,
    parameter int OUTSTANDING = 16,
    parameter int BURST       = 16,
    parameter int WIDE        = 1
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
    output logic                ar_valid,
    input  logic                ar_ready,
    output logic [BUS_AW-1:0]   ar_addr,
    output logic [7:0]          ar_len,
    output logic                ar_wide,
    input  logic                r_valid,
    input  logic [BUS_DW-1:0]   r_data,
    input  logic                r_err,
    input  logic                r_last,
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
    input  logic                b_err
);
  localparam int IDW   = (TW > 1) ? TW : 1;
  localparam int SHIFT = $clog2(DW / 8);
  localparam int LANES = BUS_DW / DW;                  // elements side by side on the bus
  localparam int EL_DW = (WIDE != 0) ? DW : BUS_DW;    // data of the master's beats
  localparam int BITS  = $clog2(OUTSTANDING + 1);

  initial if (WIDE < 0 || WIDE > 1 || (WIDE == 1 && (LANES < 2 || BURST < LANES)))
    $fatal(1, "loom_axi_port: WIDE takes several elements in a word, and BURST of at least as many");

  // The transactions of the memory: with WIDE of one element each.
  logic                el_awvalid, el_awready, el_wvalid, el_wready, el_wlast, el_bvalid, el_berr;
  logic                el_arvalid, el_arready, el_rvalid, el_rerr, el_rlast;
  logic [IDW-1:0]      el_awid, el_arid, el_bid, el_rid;
  logic [BUS_AW-1:0]   el_awaddr, el_araddr;
  logic [7:0]          el_awlen, el_arlen;
  logic [EL_DW-1:0]    el_wdata, el_rdata;
  logic [EL_DW/8-1:0]  el_wstrb;
  // Constant, or the same on every bus.
  logic [2:0] unused_awsize, unused_arsize, unused_awprot, unused_arprot;
  logic [1:0] unused_awburst, unused_arburst;
  logic [3:0] unused_awcache, unused_arcache;
  logic unused_awlock, unused_arlock, unused_rready, unused_bready;
  loom_axi_master #(
      .DW         (DW),
      .TW         (TW),
      .BUS_AW     (BUS_AW),
      .BUS_DW     (EL_DW),
      .OUTSTANDING(OUTSTANDING),
      .BURST      ((WIDE != 0) ? 1 : BURST)
  ) u_master (
      .clk(clk), .rst(rst), .clear(clear),
      .ld_req_valid(ld_req_valid), .ld_req_ready(ld_req_ready), .ld_req_addr(ld_req_addr), .ld_req_tag(ld_req_tag),
      .ld_rsp_valid(ld_rsp_valid), .ld_rsp_data(ld_rsp_data), .ld_rsp_tag(ld_rsp_tag), .ld_rsp_err(ld_rsp_err),
      .st_req_valid(st_req_valid), .st_req_ready(st_req_ready), .st_req_addr(st_req_addr), .st_req_tag(st_req_tag), .st_req_data(st_req_data),
      .st_rsp_valid(st_rsp_valid), .st_rsp_tag(st_rsp_tag), .st_rsp_err(st_rsp_err),
      .idle(idle),
      .m_axi_awvalid(el_awvalid), .m_axi_awready(el_awready), .m_axi_awid(el_awid), .m_axi_awaddr(el_awaddr), .m_axi_awlen(el_awlen),
      .m_axi_awsize(unused_awsize), .m_axi_awburst(unused_awburst), .m_axi_awlock(unused_awlock), .m_axi_awcache(unused_awcache), .m_axi_awprot(unused_awprot),
      .m_axi_wvalid(el_wvalid), .m_axi_wready(el_wready), .m_axi_wdata(el_wdata), .m_axi_wstrb(el_wstrb), .m_axi_wlast(el_wlast),
      .m_axi_bvalid(el_bvalid), .m_axi_bready(unused_bready), .m_axi_bid(el_bid), .m_axi_bresp({el_berr, 1'b0}),
      .m_axi_arvalid(el_arvalid), .m_axi_arready(el_arready), .m_axi_arid(el_arid), .m_axi_araddr(el_araddr), .m_axi_arlen(el_arlen),
      .m_axi_arsize(unused_arsize), .m_axi_arburst(unused_arburst), .m_axi_arlock(unused_arlock), .m_axi_arcache(unused_arcache), .m_axi_arprot(unused_arprot),
      .m_axi_rvalid(el_rvalid), .m_axi_rready(unused_rready), .m_axi_rid(el_rid), .m_axi_rdata(el_rdata), .m_axi_rresp({el_rerr, 1'b0}), .m_axi_rlast(el_rlast)
  );

  // The tags of what is under way, in the order of the responses.
  generate
    if (TW == 0) begin : g_no_tags
      assign el_rid = '0;
      assign el_bid = '0;
      logic unused_tags;
      assign unused_tags = (|el_arid) | (|el_awid);
    end else begin : g_tags
      logic unused_read_ready, unused_read_valid, unused_read_idle, unused_write_ready, unused_write_valid, unused_write_idle;
      loom_fifo #(
          .W    (IDW),
          .DEPTH(OUTSTANDING)
      ) u_reads (
          .clk      (clk),
          .rst      (rst),
          .in_valid (el_arvalid & el_arready),
          .in_ready (unused_read_ready),
          .in_data  (el_arid),
          .out_valid(unused_read_valid),
          .out_ready(el_rvalid & el_rlast),
          .out_data (el_rid),
          .idle     (unused_read_idle)
      );
      loom_fifo #(
          .W    (IDW),
          .DEPTH(OUTSTANDING)
      ) u_writes (
          .clk      (clk),
          .rst      (rst),
          .in_valid (el_awvalid & el_awready),
          .in_ready (unused_write_ready),
          .in_data  (el_awid),
          .out_valid(unused_write_valid),
          .out_ready(el_bvalid),
          .out_data (el_bid),
          .idle     (unused_write_idle)
      );
    end

    if (WIDE == 0) begin : g_narrow
      assign {ar_valid, ar_addr, ar_len, ar_wide} = {el_arvalid, el_araddr, el_arlen, 1'b0};
      assign {aw_valid, aw_addr, aw_len, aw_wide} = {el_awvalid, el_awaddr, el_awlen, 1'b0};
      assign {w_valid, w_data, w_strb, w_last}    = {el_wvalid, el_wdata, el_wstrb, el_wlast};
      assign {el_arready, el_awready, el_wready}  = {ar_ready, aw_ready, w_ready};
      assign {el_rvalid, el_rdata, el_rerr, el_rlast} = {r_valid, r_data, r_err, r_last};
      assign {el_bvalid, el_berr} = {b_valid, b_err};
    end else begin : g_wide
      logic [BITS-1:0] unused_reads;
      assign el_rlast = 1'b1;
      loom_axi_read #(
          .SHIFT      (SHIFT),
          .BUS_AW     (BUS_AW),
          .BUS_DW     (BUS_DW),
          .OUTSTANDING(OUTSTANDING),
          .BURST      (BURST),
          .WIDE       (1)
      ) u_read (
          .clk(clk), .rst(rst),
          .one_valid(el_arvalid), .one_ready(el_arready), .one_addr(el_araddr),
          .ar_valid(ar_valid), .ar_ready(ar_ready), .ar_addr(ar_addr), .ar_len(ar_len), .ar_wide(ar_wide),
          .r_valid(r_valid), .r_data(r_data), .r_err(r_err), .r_last(r_last),
          .give_valid(el_rvalid), .give_ready(1'b1), .give_data(el_rdata), .give_err(el_rerr),
          .reads(unused_reads)
      );

      // Bursts of elements, and beats of several of them.
      logic run_aw_valid, run_aw_ready, run_w_valid, run_w_ready, run_w_last;
      logic [BUS_AW-1:0] run_aw_addr;
      logic [7:0] run_aw_len;
      logic [DW-1:0] run_w_data;
      logic [DW/8-1:0] unused_strb;
      logic unused_bid, unused_bresp, unused_awid, unused_run_arready, unused_run_rvalid, unused_run_rid, unused_run_arvalid, unused_run_arid;
      logic [2:0] unused_run_awsize, unused_run_arsize;
      logic [7:0] unused_run_arlen;
      logic [1:0] unused_run_rresp;
      logic [BUS_AW-1:0] unused_run_araddr;
      logic [DW-1:0] unused_run_rdata;
      loom_axi_coalesce #(
          .AW          (BUS_AW),
          .DW          (DW),
          .IDW         (1),
          .IDS         (1),
          .BURST       (BURST),
          .EARLY_READS (1),
          .EARLY_WRITES(1),
          .PATIENT     (1),
          .READS       (1),
          .PLACES      ((OUTSTANDING < 128) ? OUTSTANDING : 128),
          .WRITES      (2 * BURST)
      ) u_coalesce (
          .clk(clk), .rst(rst),
          .s_awvalid(el_awvalid), .s_awready(el_awready), .s_awid(1'b0), .s_awaddr(el_awaddr), .s_awsize(SHIFT[2:0]),
          .s_wvalid(el_wvalid), .s_wready(el_wready), .s_wdata(el_wdata), .s_wstrb(el_wstrb),
          .s_bvalid(el_bvalid), .s_bid(unused_bid), .s_bresp({el_berr, unused_bresp}),
          .s_arvalid(1'b0), .s_arready(unused_run_arready), .s_arid(1'b0), .s_araddr(BUS_AW'(0)), .s_arsize(3'd0),
          .s_rvalid(unused_run_rvalid), .s_rid(unused_run_rid), .s_rdata(unused_run_rdata), .s_rresp(unused_run_rresp),
          .m_awvalid(run_aw_valid), .m_awready(run_aw_ready), .m_awid(unused_awid), .m_awaddr(run_aw_addr), .m_awlen(run_aw_len), .m_awsize(unused_run_awsize),
          .m_wvalid(run_w_valid), .m_wready(run_w_ready), .m_wdata(run_w_data), .m_wstrb(unused_strb), .m_wlast(run_w_last),
          .m_bvalid(b_valid), .m_bid(1'b0), .m_bresp({b_err, 1'b0}),
          .m_arvalid(unused_run_arvalid), .m_arready(1'b0), .m_arid(unused_run_arid), .m_araddr(unused_run_araddr), .m_arlen(unused_run_arlen), .m_arsize(unused_run_arsize),
          .m_rvalid(1'b0), .m_rid(1'b0), .m_rdata(DW'(0)), .m_rresp(2'b00), .m_rlast(1'b0)
      );
      loom_axi_pack #(
          .SHIFT (SHIFT),
          .BUS_AW(BUS_AW),
          .BUS_DW(BUS_DW),
          .BURST (BURST)
      ) u_pack (
          .clk(clk), .rst(rst),
          .s_aw_valid(run_aw_valid), .s_aw_ready(run_aw_ready), .s_aw_addr(run_aw_addr), .s_aw_len(run_aw_len),
          .s_w_valid(run_w_valid), .s_w_ready(run_w_ready), .s_w_data({LANES{run_w_data}}), .s_w_last(run_w_last),
          .m_aw_valid(aw_valid), .m_aw_ready(aw_ready), .m_aw_addr(aw_addr), .m_aw_len(aw_len), .m_aw_wide(aw_wide),
          .m_w_valid(w_valid), .m_w_ready(w_ready), .m_w_data(w_data), .m_w_strb(w_strb), .m_w_last(w_last)
      );
      logic unused_beats;
      assign unused_beats = (|el_arlen) | (|el_awlen) | el_wlast | (|el_arid) | (|el_awid);
    end
  endgenerate

`ifdef LOOM_FORMAL_PORT
`include "loom_axi_port.svh"
`endif
endmodule
