// loom_axi_coalesce: an AXI4 master of single elements becomes one of bursts.
//
// Function: s is the slave side, transactions of one beat each, whose writes have address and data
//   in the same order; m is the master side. Reads and writes that follow each other share a burst
//   (loom_axi_run). Beats are elements as before, so read data and write data pass
//   unchanged; a burst of writes has one response, which is given to each of its elements.
// Parameters: AW, DW bits of address and data, IDW of an ID, of which IDS are in use, from 0 on; BURST elements of a burst; EARLY_READS,
//   EARLY_WRITES, and of reads READS and of writes PLACES bursts as of loom_axi_run; WRITES elements of write data that wait for the end of their burst,
//   at least twice BURST; PATIENT of loom_axi_run, for writes.
// Ports: two AXI4 ports without the signals that are constant on both sides (burst INCR, lock, cache,
//   prot). s_rready and s_bready are 1, so are m_rready and m_bready.
// Timing: a read is on m in the cycle in which it is on s unless it waits for others, a write two
//   cycles later; its data follows its address by a cycle. Read data passes in the same cycle; a response
//   to writes is given from the next one on, to one element per cycle, in the order of the responses.
// Rule: rtl/README.md "Bursts"; AMBA AXI4.
module loom_axi_coalesce #(
    parameter int AW           = 64,
    parameter int DW           = 32,
    parameter int IDW          = 1,
    parameter int IDS          = 1 << IDW,
    parameter int BURST        = 16,
    parameter int EARLY_READS  = 4,
    parameter int EARLY_WRITES = 8,
    parameter int READS        = 16,
    parameter int PLACES       = 16,
    parameter int WRITES       = 32,
    parameter int PATIENT      = 0
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            s_awvalid,
    output logic            s_awready,
    input  logic [IDW-1:0]  s_awid,
    input  logic [AW-1:0]   s_awaddr,
    input  logic [2:0]      s_awsize,
    input  logic            s_wvalid,
    output logic            s_wready,
    input  logic [DW-1:0]   s_wdata,
    input  logic [DW/8-1:0] s_wstrb,
    output logic            s_bvalid,
    output logic [IDW-1:0]  s_bid,
    output logic [1:0]      s_bresp,
    input  logic            s_arvalid,
    output logic            s_arready,
    input  logic [IDW-1:0]  s_arid,
    input  logic [AW-1:0]   s_araddr,
    input  logic [2:0]      s_arsize,
    output logic            s_rvalid,
    output logic [IDW-1:0]  s_rid,
    output logic [DW-1:0]   s_rdata,
    output logic [1:0]      s_rresp,
    output logic            m_awvalid,
    input  logic            m_awready,
    output logic [IDW-1:0]  m_awid,
    output logic [AW-1:0]   m_awaddr,
    output logic [7:0]      m_awlen,
    output logic [2:0]      m_awsize,
    output logic            m_wvalid,
    input  logic            m_wready,
    output logic [DW-1:0]   m_wdata,
    output logic [DW/8-1:0] m_wstrb,
    output logic            m_wlast,
    input  logic            m_bvalid,
    input  logic [IDW-1:0]  m_bid,
    input  logic [1:0]      m_bresp,
    output logic            m_arvalid,
    input  logic            m_arready,
    output logic [IDW-1:0]  m_arid,
    output logic [AW-1:0]   m_araddr,
    output logic [7:0]      m_arlen,
    output logic [2:0]      m_arsize,
    input  logic            m_rvalid,
    input  logic [IDW-1:0]  m_rid,
    input  logic [DW-1:0]   m_rdata,
    input  logic [1:0]      m_rresp,
    input  logic            m_rlast
);
  initial if (WRITES < 2 * BURST) $fatal(1, "loom_axi_coalesce: WRITES must be at least twice BURST");

  localparam int LW  = $clog2(BURST);
  localparam int RW  = (IDS > 1) ? IDW : 0;  // bits of an ID that name its ring
  localparam int PW  = $clog2(PLACES);

  // Reads: a beat is an element.
  logic unused_read_idle;
  loom_axi_run #(
      .AW    (AW),
      .IDW   (IDW),
      .BURST (BURST),
      .EARLY (EARLY_READS),
      .PLACES(READS)
  ) u_reads (
      .clk    (clk),
      .rst    (rst),
      .s_valid(s_arvalid),
      .s_ready(s_arready),
      .s_id   (s_arid),
      .s_addr (s_araddr),
      .s_size (s_arsize),
      .m_valid(m_arvalid),
      .m_ready(m_arready),
      .m_id   (m_arid),
      .m_addr (m_araddr),
      .m_size (m_arsize),
      .m_len  (m_arlen),
      .ended  (m_rvalid & m_rlast),
      .idle   (unused_read_idle)
  );
  assign s_rvalid = m_rvalid;
  assign s_rid    = m_rid;
  assign s_rdata  = m_rdata;
  assign s_rresp  = m_rresp;

  // Writes. A burst is on the way until the last of its elements has its response.
  logic unused_write_idle, aw, responded;
  loom_axi_run #(
      .AW    (AW),
      .IDW   (IDW),
      .BURST (BURST),
      .EARLY (EARLY_WRITES),
      .PLACES(PLACES),
      .DIRECT(0),
      .PATIENT(PATIENT)
  ) u_writes (
      .clk    (clk),
      .rst    (rst),
      .s_valid(s_awvalid),
      .s_ready(s_awready),
      .s_id   (s_awid),
      .s_addr (s_awaddr),
      .s_size (s_awsize),
      .m_valid(m_awvalid),
      .m_ready(m_awready),
      .m_id   (m_awid),
      .m_addr (m_awaddr),
      .m_size (m_awsize),
      .m_len  (m_awlen),
      .ended  (responded),
      .idle   (unused_write_idle)
  );
  assign aw = m_awvalid & m_awready;

  // Data waits for the address of its burst, whose length says where it ends.
  logic data_valid, data_idle, length_valid, length_ready, length_idle, w;
  logic [LW-1:0] length, beat;
  loom_fifo #(
      .W    (DW + DW / 8),
      .DEPTH(WRITES)
  ) u_data (
      .clk      (clk),
      .rst      (rst),
      .in_valid (s_wvalid),
      .in_ready (s_wready),
      .in_data  ({s_wdata, s_wstrb}),
      .out_valid(data_valid),
      .out_ready(m_wready & length_valid),
      .out_data ({m_wdata, m_wstrb}),
      .idle     (data_idle)
  );
  loom_fifo #(
      .W    (LW),
      .DEPTH(PLACES)
  ) u_lengths (
      .clk      (clk),
      .rst      (rst),
      .in_valid (aw),
      .in_ready (length_ready),
      .in_data  (m_awlen[LW-1:0]),
      .out_valid(length_valid),
      .out_ready(w & m_wlast),
      .out_data (length),
      .idle     (length_idle)
  );
  assign m_wvalid = data_valid & length_valid;
  assign m_wlast  = beat == length;
  assign w        = m_wvalid & m_wready;
  always_ff @(posedge clk) begin
    if (rst) beat <= '0;
    else if (w) beat <= m_wlast ? '0 : beat + LW'(1);
  end

  // The lengths of the bursts on the way, in order per ID: a response finds that of its burst.
  logic [LW-1:0] lengths [0:(1<<(RW+PW))-1];
  logic [IDS*PW-1:0] wr, rd;
  logic [PW-1:0] wr_at, rd_at;  // of the IDs of this cycle
  logic [RW+PW-1:0] wr_place, rd_place;
  assign wr_place = (RW+PW)'({m_awid, wr_at});
  assign rd_place = (RW+PW)'({m_bid, rd_at});
  always_comb begin
    wr_at = '0;
    rd_at = '0;
    for (int i = 0; i < IDS; i++) begin
      if (m_awid == IDW'(i)) wr_at = wr_at | wr[i*PW +: PW];
      if (m_bid == IDW'(i)) rd_at = rd_at | rd[i*PW +: PW];
    end
  end
  always_ff @(posedge clk) if (aw) lengths[wr_place] <= m_awlen[LW-1:0];
  generate
    for (genvar i = 0; i < IDS; i++) begin : g_ring
      logic [PW-1:0] my_wr, my_rd;
      assign wr[i*PW +: PW] = my_wr;
      assign rd[i*PW +: PW] = my_rd;
      always_ff @(posedge clk) begin
        if (rst) begin
          my_wr <= '0;
          my_rd <= '0;
        end else begin
          if (aw & (m_awid == IDW'(i))) my_wr <= wr_at + PW'(1);
          if (m_bvalid & (m_bid == IDW'(i))) my_rd <= rd_at + PW'(1);
        end
      end
    end
  endgenerate

  // Responses to elements, in the order of those to bursts.
  logic unused_response_ready, unused_response_idle;
  logic [LW-1:0] rest, answered;
  loom_fifo #(
      .W    (IDW + 2 + LW),
      .DEPTH(PLACES)
  ) u_responses (
      .clk      (clk),
      .rst      (rst),
      .in_valid (m_bvalid),
      .in_ready (unused_response_ready),
      .in_data  ({m_bid, m_bresp, lengths[rd_place]}),
      .out_valid(s_bvalid),
      .out_ready(answered == rest),
      .out_data ({s_bid, s_bresp, rest}),
      .idle     (unused_response_idle)
  );
  assign responded = s_bvalid & (answered == rest);
  always_ff @(posedge clk) begin
    if (rst) answered <= '0;
    else if (s_bvalid) answered <= responded ? '0 : answered + LW'(1);
  end

  logic unused_idle;
  assign unused_idle = data_idle | length_idle | length_ready;

`ifdef LOOM_FORMAL
`include "loom_axi_coalesce.svh"
`endif
endmodule
