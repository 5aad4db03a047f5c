// loom_axi_cache: the loads of one array of a direct circuit behind a read cache, as one load on the bus.
//
// Function: stands between loom_axi_load of each load of an array and loom_axi_bus. The reads of the
//   loads take turns at a loom_read_cache; what that has not is read on the bus (loom_axi_read). What a run has fetched is gone for the next one
//   that is offered when none is under way: memory may change there, and in a run nobody else changes the array.
// Parameters: N loads; SHIFT the log2 of the bytes of an element; BUS_AW and BUS_DW bits of address
//   and data of the bus; ELEMENTS places of the cache; OUTSTANDING reads of the loads at most without
//   response, at least 2; BURST elements that a read asks for at most: 1, or a power of two up to 32; WIDE as of
//   loom_axi_read.
// Ports: rst resets the side of the bus, together with the bus; clear the circuit, and includes rst. start and
//   done: the channels of the circuit, of which a token each is a run. ld: reads of every load, of one element
//   each, load 0 lowest; ld_r: a valid for each, always taken, in the order of its reads, with the element alone.
//   To loom_axi_bus as of loom_axi_load: ar and r.
// Timing: a read taken in t is on ar from t+2 on, unless it waits for others to share a burst with, or
//   a hit that responds in t+4; an element on r in t responds in t+2, with WIDE in t+3 or later. One read per cycle.
// Clear: what has been asked for ends as ever; the loads drop it.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_cache #(
    parameter int N           = 2,
    parameter int SHIFT       = 2,
    parameter int BUS_AW      = 64,
    parameter int BUS_DW      = 32,
    parameter int ELEMENTS    = 256,
    parameter int OUTSTANDING = 16,
    parameter int BURST       = 1,
    parameter int WIDE        = 0
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                clear,
    input  logic                start_valid,
    input  logic                start_ready,
    input  logic                done_valid,
    input  logic                done_ready,
    input  logic [N-1:0]        ld_valid,
    output logic [N-1:0]        ld_ready,
    input  logic [N*BUS_AW-1:0] ld_addr,
    output logic [N-1:0]        ld_r_valid,
    output logic [(8<<SHIFT)-1:0] ld_r_data,
    output logic                ld_r_err,
    output logic                ar_valid,
    input  logic                ar_ready,
    output logic [BUS_AW-1:0]   ar_addr,
    output logic [7:0]          ar_len,
    output logic                ar_wide,
    input  logic                r_valid,
    input  logic [BUS_DW-1:0]   r_data,
    input  logic                r_err,
    input  logic                r_last
);
  initial if (N < 1) $fatal(1, "loom_axi_cache: there must be a load");
  initial if (SHIFT < 0 || SHIFT > 3) $fatal(1, "loom_axi_cache: an element has 1, 2, 4 or 8 bytes");
  initial if (BUS_DW < (8 << SHIFT)) $fatal(1, "loom_axi_cache: BUS_DW must hold an element");
  initial if (OUTSTANDING < 2) $fatal(1, "loom_axi_cache: OUTSTANDING must be at least 2");

  localparam int DW    = 8 << SHIFT;
  localparam int CW    = $clog2(OUTSTANDING + 1);
  localparam int TW    = (N > 1) ? $clog2(N + 1) : 0;  // names the loads, and the end of their range
  localparam int IDW   = (TW > 1) ? TW : 1;

  // A run is under way from the offer of its start on, which the circuit may take at the end of the run, even
  // behind its done: starts that were taken less dones, modulo 2^16, are 0 again when all have had both.
  localparam int RUNS = 16;
  logic [RUNS-1:0] runs, runs_next;
  logic            running, start, done;
  assign start     = start_valid & start_ready;
  assign done      = done_valid & done_ready;
  assign runs_next = runs + RUNS'(start) - RUNS'(done);
  always_ff @(posedge clk) begin
    if (clear) begin
      runs    <= '0;
      running <= 1'b0;
    end else begin
      runs    <= runs_next;
      running <= (running | start_valid) & ~((start | done) & ~|runs_next);
    end
  end

  // Whose turn it is, and whether the cache has a place for a read more.
  logic [CW-1:0] reads;
  logic          any, open, accept, req_ready, rsp_valid;
  logic [IDW-1:0]    req_tag, rsp_tag;
  logic [BUS_AW-1:0] req_addr;
  logic [N*(IDW+BUS_AW)-1:0] asked;

  for (genvar i = 0; i < N; i++) begin : g_load
    assign asked[i*(IDW+BUS_AW) +: IDW+BUS_AW] = {i[IDW-1:0], ld_addr[i*BUS_AW +: BUS_AW]};
    assign ld_r_valid[i] = rsp_valid & ((N == 1) | (rsp_tag == i[IDW-1:0]));
  end
  loom_arbiter #(
      .W(IDW + BUS_AW),
      .N(N)
  ) u_turn (
      .clk      (clk),
      .rst      (rst),
      .in_valid (ld_valid),
      .in_ready (ld_ready),
      .in_data  (asked),
      .out_valid(any),
      .out_ready(open & req_ready),
      .out_data ({req_tag, req_addr})
  );
  assign open   = reads != OUTSTANDING[CW-1:0];
  assign accept = any & open & req_ready;
  always_ff @(posedge clk) begin
    if (rst) reads <= '0;
    else if (accept != rsp_valid) reads <= accept ? reads + CW'(1) : reads - CW'(1);
  end

  // One region, of the tags of all loads.
  logic [2+2*TW-1:0] region;
  generate
    if (TW == 0) begin : g_one_load
      assign region = 2'b11;
    end else begin : g_region
      assign region = {1'b1, N[TW-1:0], TW'(0), 1'b1};
    end
  endgenerate

  logic              one_valid, one_ready, give_valid, give_err;
  logic [BUS_AW-1:0] one_addr;
  logic [DW-1:0]     element;
  loom_read_cache #(
      .DW         (DW),
      .TW         (TW),
      .BUS_AW     (BUS_AW),
      .ELEMENTS   (ELEMENTS),
      .OUTSTANDING(OUTSTANDING)
  ) u_cache (
      .clk          (clk),
      .rst          (rst),
      .quiet        (~running),
      .cfg_region   (region),
      .req_valid    (any & open),
      .req_ready    (req_ready),
      .req_addr     (req_addr),
      .req_tag      (req_tag),
      .rsp_valid    (rsp_valid),
      .rsp_data     (ld_r_data),
      .rsp_tag      (rsp_tag),
      .rsp_err      (ld_r_err),
      .bus_valid    (one_valid),
      .bus_ready    (one_ready),
      .bus_addr     (one_addr),
      .bus_rsp_valid(give_valid),
      .bus_rsp_data (element),
      .bus_rsp_err  (give_err),
      .st_taken     (1'b0),
      .st_addr      (BUS_AW'(0)),
      .st_tag       (IDW'(0))
  );

  // A miss is read as an element; the cache has a place for it.
  logic [CW-1:0] unused_reads;
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
      .give_ready(1'b1),
      .give_data (element),
      .give_err  (give_err),
      .reads     (unused_reads)
  );

`ifdef LOOM_FORMAL
`include "loom_axi_cache.svh"
`endif
endmodule
