// loom_axi_load: one access of a direct circuit that loads from an array behind AXI4.
//
// Function: makes of an element index a byte address, asks loom_axi_bus for a read, and keeps
//   the elements until they are taken. A slot is reserved with each request, so the bus
//   never waits for the circuit: accesses cannot block each other. With bursts, elements that follow
//   each other are one read, with WIDE of several elements in a beat (loom_axi_read).
// Parameters: AW bits of an index; DW bits of an element, SHIFT the log2 of its bytes in
//   memory; BUS_AW and BUS_DW bits of address and data of the bus; OUTSTANDING requests
//   whose element has not been taken, at least 2; BURST elements that a read asks for at most: 1,
//   or a power of two up to 32; WIDE as of loom_axi_read; BOUNDS: 1 where the array has a size.
// Ports: rst resets the side of the bus, together with the bus; clear the side of the circuit,
//   and includes rst. base: byte address of element 0 and, with BOUNDS, above it the bytes of the
//   array, of which bit 63 means no limit; constant while requests are made; the
//   address is rounded down to the element. Request and response channels req and rsp. To
//   loom_axi_bus: ar, with its beats less one in ar_len, and whether they are wide; r, an element each or, wide, a word, in the
//   order of ar and always taken, r_last with the last of a read. err: bit 0, an error response in this
//   cycle; the element is whatever came with it. Bit 1, with BOUNDS: a request outside of the array
//   completes in this cycle; no read is asked for, the element is 0. busy: a read waits or is in flight.
// Timing: req is on ar from the next cycle on, unless it waits for others to share a burst with, r on
//   rsp likewise, with WIDE a cycle later; one per cycle. req_ready depends on state only. A request outside completes when
//   the reads before it have, and those behind it wait; the others take as long as without BOUNDS.
// Clear: reads in flight are finished, their data is dropped, and requests wait until then.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_load #(
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
    input  logic              clk,
    input  logic              rst,
    input  logic              clear,
    input  logic [63+64*BOUNDS:0] base,
    input  logic              req_valid,
    output logic              req_ready,
    input  logic [AW-1:0]     req_addr,
    output logic              rsp_valid,
    input  logic              rsp_ready,
    output logic [DW-1:0]     rsp_data,
    output logic              ar_valid,
    input  logic              ar_ready,
    output logic [BUS_AW-1:0] ar_addr,
    output logic [7:0]        ar_len,
    output logic              ar_wide,
    input  logic              r_valid,
    input  logic [BUS_DW-1:0] r_data,
    input  logic              r_err,
    input  logic              r_last,
    output logic [BOUNDS:0]   err,
    output logic              busy
);
  initial if (SHIFT < 0 || SHIFT > 3 || DW < 1 || DW > (8 << SHIFT)) $fatal(1, "loom_axi_load: an element has 1, 2, 4 or 8 bytes and at most as many bits");
  initial if (BUS_DW < (8 << SHIFT)) $fatal(1, "loom_axi_load: BUS_DW must hold an element");
  initial if (OUTSTANDING < 2) $fatal(1, "loom_axi_load: OUTSTANDING must be at least 2");
  initial if (BOUNDS != 0 && BOUNDS != 1) $fatal(1, "loom_axi_load: BOUNDS is 0 or 1");

  localparam int CW = $clog2(OUTSTANDING + 1);

  // Requests from their acceptance until their element is taken, and elements that loom_axi_read has been asked for.
  logic [CW-1:0] taken, reads;
  logic draining, closed;  // draining: reads in flight belong to a cleared circuit
  logic waiting;           // a request has not left
  logic accept, ask, give, room;
  logic outside, refused;  // of the request that is next: outside of the array; it completes without a read
  // The request for one element, from which bursts are made.
  logic one_valid, one_ready;
  logic [BUS_AW-1:0] one_addr;
  assign closed    = clear | draining;
  assign room      = taken != OUTSTANDING[CW-1:0];
  assign busy      = (|reads) | waiting;
  assign give      = rsp_valid & rsp_ready;
  assign ask       = one_valid & one_ready;

  always_ff @(posedge clk) begin
    if (clear) taken <= '0;
    else if (accept != give) taken <= accept ? taken + CW'(1) : taken - CW'(1);
    if (rst) draining <= 1'b0;
    else draining <= closed & (|reads);
  end

  // Index and then address.
  logic wait_ready, unused_wait_idle;
  logic [AW-1:0] index;
  assign req_ready = room & wait_ready & ~closed;
  assign accept    = req_valid & req_ready;
  loom_fifo #(
      .W    (AW),
      .DEPTH(2)
  ) u_wait (
      .clk      (clk),
      .rst      (clear),
      .in_valid (accept),
      .in_ready (wait_ready),
      .in_data  (req_addr),
      .out_valid(waiting),
      .out_ready(ask | refused),
      .out_data (index),
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
  logic give_valid, give_ready, give_err, rsp_room;
  logic [8*(1<<SHIFT)-1:0] element;
  loom_axi_read #(
      .SHIFT      (SHIFT),
      .BUS_AW     (BUS_AW),
      .BUS_DW     (BUS_DW),
      .OUTSTANDING(OUTSTANDING),
      .BURST      (BURST),
      .WIDE       (WIDE)
  ) u_read (
      .clk       (clk),
      .rst       (rst),
      .one_valid (one_valid),
      .one_ready (one_ready),
      .one_addr  (one_addr),
      .ar_valid  (ar_valid),
      .ar_ready  (ar_ready),
      .ar_addr   (ar_addr),
      .ar_len    (ar_len),
      .ar_wide   (ar_wide),
      .r_valid   (r_valid),
      .r_data    (r_data),
      .r_err     (r_err),
      .r_last    (r_last),
      .give_valid(give_valid),
      .give_ready(give_ready),
      .give_data (element),
      .give_err  (give_err),
      .reads     (reads)
  );
  // Wide beats keep their elements themselves; of single ones each has a place reserved behind them.
  assign give_ready = (WIDE == 0) | rsp_room | closed;

  logic unused_rsp_idle;
  loom_fifo #(
      .W    (DW),
      .DEPTH((WIDE != 0) ? 2 : OUTSTANDING)
  ) u_rsp (
      .clk      (clk),
      .rst      (clear),
      .in_valid ((give_valid & ~closed) | refused),
      .in_ready (rsp_room),
      .in_data  (refused ? '0 : element[DW-1:0]),
      .out_valid(rsp_valid),
      .out_ready(rsp_ready),
      .out_data (rsp_data),
      .idle     (unused_rsp_idle)
  );
  assign err[0] = give_valid & give_ready & give_err & ~closed;

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
      assign refused = waiting & ~closed & outside & ~|reads & ((WIDE == 0) | rsp_room);
      assign err[1]  = refused;
    end else begin : g_no_bounds
      assign outside = 1'b0;
      assign refused = 1'b0;
    end
  endgenerate

  logic unused_bits;
  assign unused_bits = ^element;

`ifdef LOOM_FORMAL
`include "loom_axi_load.svh"
`endif
endmodule
