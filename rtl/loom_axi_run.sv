// loom_axi_run: requests of single elements become bursts where they follow each other.
//
// Function: one direction of loom_axi_coalesce, the address channels. Requests are elements of
//   2^size bytes; one that begins where the last of its ID and size ends joins its burst. A burst has
//   at most BURST elements and lies in an aligned block of as many, so it never crosses 4 KB;
//   every element of it has been asked for. It leaves when it is full, when a request does
//   not join it, or when fewer than EARLY bursts are on the way: then waiting would only add
//   latency. So a stream leaves in bursts as long as the memory makes them wait, and single requests
//   leave at once.
// Parameters: AW bits of an address; IDW bits of an ID; BURST elements, a power of two from 2 to
//   32 (4 KB of elements of 128 bytes); EARLY bursts, at least 1; PLACES bursts on the way at most, at least EARLY;
//   DIRECT 0: every request becomes a burst that may grow first, a cycle later and for a third less area;
//   PATIENT 1, with DIRECT 0: none leaves for being early while requests come, for who wants long bursts more than low latency.
// Ports: request channel s with id, addr and size; burst channel m with len, its elements less one,
//   too; ended: a burst ended in this cycle; idle: nothing waits and nothing is on the way.
// Timing: m offers a request in the cycle in which s does if it leaves at once; without DIRECT two cycles
//   later. One request and one burst per cycle. s_ready depends on state only.
// Rule: rtl/README.md "Bursts".
module loom_axi_run #(
    parameter int AW     = 64,
    parameter int IDW    = 1,
    parameter int BURST  = 16,
    parameter int EARLY  = 4,
    parameter int PLACES = 16,
    parameter int DIRECT = 1,
    parameter int PATIENT = 0
) (
    input  logic           clk,
    input  logic           rst,
    input  logic           s_valid,
    output logic           s_ready,
    input  logic [IDW-1:0] s_id,
    input  logic [AW-1:0]  s_addr,
    input  logic [2:0]     s_size,
    output logic           m_valid,
    input  logic           m_ready,
    output logic [IDW-1:0] m_id,
    output logic [AW-1:0]  m_addr,
    output logic [2:0]     m_size,
    output logic [7:0]     m_len,
    input  logic           ended,
    output logic           idle
);
  initial if (BURST < 2 || BURST > 32 || BURST != (1 << $clog2(BURST))) $fatal(1, "loom_axi_run: BURST must be a power of two from 2 to 32");
  initial if (EARLY < 1 || PLACES < EARLY) $fatal(1, "loom_axi_run: EARLY must be at least 1, PLACES at least EARLY");

  initial if (PATIENT != 0 && DIRECT != 0) $fatal(1, "loom_axi_run: PATIENT takes DIRECT 0");

  localparam int LW = $clog2(BURST);
  localparam int CW = $clog2(PLACES + 1);

  // The burst that may grow; next: the place in its block of the element behind it.
  logic           open;
  logic [IDW-1:0] id;
  logic [AW-1:0]  addr;
  logic [2:0]     size;
  logic [LW-1:0]  len, next;
  logic           full;  // it ends with its block
  logic [CW-1:0]  way;   // bursts on the way

  logic room, empty, early, joins, flush, direct, accept, leave;
  logic [LW-1:0] place;    // of the request in its block
  logic [AW-1:0] outside;  // address bits that name the block

  assign accept = s_valid & s_ready;
  assign early  = empty & (way < EARLY[CW-1:0]) & ((PATIENT == 0) | ~s_valid);
  assign joins  = open & ~full & (s_id == id) & (s_size == size) & (place == next) & (((s_addr ^ addr) & outside) == AW'(0));
  assign flush  = open & s_ready & (full | early | (s_valid & ~joins));
  assign direct = (DIRECT != 0) & s_valid & ~open & early & s_ready;
  assign leave  = flush | direct;

  assign place   = LW'(s_addr >> s_size);
  assign outside = ~(AW'($unsigned(BURST - 1)) << s_size);

  always_ff @(posedge clk) begin
    if (rst) open <= 1'b0;
    else open <= (accept & ~direct) | (open & ~flush);
    if (accept) begin
      if (~open | flush) begin
        id   <= s_id;
        addr <= s_addr;
        size <= s_size;
        len  <= '0;
      end else begin
        len <= len + LW'(1);
      end
      next <= place + LW'(1);
      full <= &place;
    end
    if (rst) way <= '0;
    else if (leave != ended) way <= leave ? way + CW'(1) : way - CW'(1);
  end

  logic [1:0] queued;  // bursts that have left the growing one and wait for the bus
  logic queue_ready;
  logic [LW-1:0] queue_len;
  always_ff @(posedge clk) begin
    if (rst) queued <= '0;
    else if (leave != (m_valid & m_ready)) queued <= leave ? queued + 2'd1 : queued - 2'd1;
  end
  assign room    = way != PLACES[CW-1:0];
  assign s_ready = queue_ready & room;
  assign empty   = ~|queued;
  generate
    if (DIRECT != 0) begin : g_direct
      loom_fifo_transparent #(
          .W    (IDW + AW + 3 + LW),
          .DEPTH(2)
      ) u_queue (
          .clk      (clk),
          .rst      (rst),
          .in_valid (leave),
          .in_ready (queue_ready),
          .in_data  (open ? {id, addr, size, len} : {s_id, s_addr, s_size, LW'(0)}),
          .out_valid(m_valid),
          .out_ready(m_ready),
          .out_data ({m_id, m_addr, m_size, queue_len})
      );
    end else begin : g_queue
      logic unused_queue_idle;
      loom_fifo #(
          .W    (IDW + AW + 3 + LW),
          .DEPTH(2)
      ) u_queue (
          .clk      (clk),
          .rst      (rst),
          .in_valid (leave),
          .in_ready (queue_ready),
          .in_data  ({id, addr, size, len}),
          .out_valid(m_valid),
          .out_ready(m_ready),
          .out_data ({m_id, m_addr, m_size, queue_len}),
          .idle     (unused_queue_idle)
      );
    end
  endgenerate
  assign m_len = 8'(queue_len);
  assign idle  = ~open & ~|way;

`ifdef LOOM_FORMAL
`include "loom_axi_run.svh"
`endif
endmodule
