// loom_extmemory: external memory interface with at most one load and one store port.
//
// Function: fabric.extmemory, untagged. Turns loads and stores into requests with byte
//   addresses and returns data and done tokens in order:
//   address = (index << log2(element bytes)) + addr_offset of the first valid region.
//   A faulting access has no side effect, a load yields 0, the done token comes. Without
//   a valid region there is no request; the access completes by itself. With BOUNDS neither
//   is there one for an element that is not wholly inside the region's array.
// Parameters: AW bits of an index, at most 64; DW bits of an element (8, 16, 32 or 64);
//   LD, ST: 1 where the port group exists; LSQ_DEPTH slots for store addresses and data
//   each; NUM_REGION table entries; DEADLOCK_TIMEOUT cycles; OUTSTANDING loads and as many
//   stores in flight, at least 2. One access per cycle is held while the bus responds within
//   OUTSTANDING - 3 cycles: a slot is also held in the cycle of the request, in that in which
//   the response is kept, and in that in which it leaves. BOUNDS: 1 where every region has a
//   size.
// Ports: cfg_region: entries from the low end, each valid (bit 0), a 64-bit addr_offset and,
//   with BOUNDS, the 64-bit size of the array in bytes, of which bit 63 means no limit and which
//   is constant while accesses are made; channels ldaddr, staddr, stdata in; channel lddata, control channels
//   lddone and stdone out; request channels ld_req and st_req to the bus; responses
//   ld_rsp and st_rsp, in the order of the requests and always taken; error; idle.
// Timing: OUTSTANDING loads and as many stores in flight; each reserves its slots for data and done
//   at the request, so responses never wait. What responds in t is offered from t+1,
//   data and done independently. One request per cycle and kind. An access outside of its array
//   is taken in its turn; it completes when what was requested before it has responded, and
//   until then none is taken behind it. The others take as many cycles as without BOUNDS.
// Errors: 14 two valid regions; 261 store address or data alone for DEADLOCK_TIMEOUT
//   cycles; 265 access without a valid region; 513 response with err; 515 access outside of its
//   array, from the cycle after it is taken until it completes.
// Rule: spec-fabric-mem; rtl/README.md "Memories".
module loom_extmemory #(
    parameter int AW               = 32,
    parameter int DW               = 32,
    parameter int LD               = 1,
    parameter int ST               = 1,
    parameter int LSQ_DEPTH        = 4,
    parameter int NUM_REGION       = 1,
    parameter int DEADLOCK_TIMEOUT = 65535,
    parameter int OUTSTANDING      = 16,
    parameter int BOUNDS           = 0
) (
    input  logic          clk,
    input  logic          rst,
    input  logic [NUM_REGION*(65+64*BOUNDS)-1:0] cfg_region,
    input  logic          ldaddr_valid,
    output logic          ldaddr_ready,
    input  logic [AW-1:0] ldaddr_data,
    output logic          lddata_valid,
    input  logic          lddata_ready,
    output logic [DW-1:0] lddata_data,
    output logic          lddone_valid,
    input  logic          lddone_ready,
    input  logic          staddr_valid,
    output logic          staddr_ready,
    input  logic [AW-1:0] staddr_data,
    input  logic          stdata_valid,
    output logic          stdata_ready,
    input  logic [DW-1:0] stdata_data,
    output logic          stdone_valid,
    input  logic          stdone_ready,
    output logic          ld_req_valid,
    input  logic          ld_req_ready,
    output logic [63:0]   ld_req_addr,
    input  logic          ld_rsp_valid,
    input  logic [DW-1:0] ld_rsp_data,
    input  logic          ld_rsp_err,
    output logic          st_req_valid,
    input  logic          st_req_ready,
    output logic [63:0]   st_req_addr,
    output logic [DW-1:0] st_req_data,
    input  logic          st_rsp_valid,
    input  logic          st_rsp_err,
    output logic          err_valid,
    output logic [15:0]   err_code,
    output logic          idle
);
  initial if (DW != 8 && DW != 16 && DW != 32 && DW != 64) $fatal(1, "loom_extmemory: DW must be 8, 16, 32 or 64");
  initial if (AW < 1 || AW > 64 || NUM_REGION < 1) $fatal(1, "loom_extmemory: AW must be 1 to 64, NUM_REGION at least 1");
  initial if (LD + ST < 1 || LD > 1 || ST > 1) $fatal(1, "loom_extmemory: LD and ST are 0 or 1, not both 0");
  initial if (OUTSTANDING < 2) $fatal(1, "loom_extmemory: OUTSTANDING must be at least 2");
  initial if (BOUNDS != 0 && BOUNDS != 1) $fatal(1, "loom_extmemory: BOUNDS is 0 or 1");

  localparam int SHIFT = $clog2(DW / 8);
  localparam int CW    = $clog2(OUTSTANDING + 1);
  // A count of at most OUTSTANDING is OUTSTANDING where it has all of its ones: of a power of two one bit.
  localparam logic [CW-1:0] FULL = OUTSTANDING[CW-1:0];

  // The region in effect: where it begins and, with BOUNDS, how many elements it has.
  localparam int OW = (BOUNDS != 0) ? 65 + AW : 64;
  logic [NUM_REGION*(1+OW)-1:0] table_region;
  logic [NUM_REGION-1:0] valid;
  logic [OW-1:0] entry;
  logic [63:0] offset;
  logic overlap, region;

  generate
    if (BOUNDS != 0) begin : g_limits
      for (genvar r = 0; r < NUM_REGION; r++) begin : g_region
        logic [AW:0] limit;
        loom_extent #(
            .AW   (AW),
            .SHIFT(SHIFT)
        ) u_extent (
            .size (cfg_region[r*129+65 +: 64]),
            .limit(limit)
        );
        assign table_region[r*(1+OW) +: 1+OW] = {limit, cfg_region[r*129 +: 65]};
      end
    end else begin : g_unlimited
      assign table_region = cfg_region;
    end
  endgenerate
  loom_region #(
      .NUM_REGION(NUM_REGION),
      .OW        (OW)
  ) u_region (
      .cfg_region(table_region),
      .valid     (valid),
      .offset    (entry),
      .overlap   (overlap)
  );
  assign offset = entry[63:0];
  assign region = |valid;

  // Load port.
  logic ld_accept, ld_bus_error, ld_outside, ld_idle;
  generate
    if (LD != 0) begin : g_load
      logic [CW-1:0] data_under_way, done_under_way;  // requested, not yet left: 0...OUTSTANDING
      logic [CW-1:0] dones;                           // response there, done not yet left
      logic       room, answer, data_left, done_left, unused_ready, unused_idle;
      logic       outside;  // the element on offer
      logic       refused;  // the one outside completes

      assign room         = ~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL);
      assign ld_req_valid = ~rst & ldaddr_valid & room & region & ~outside & ~ld_outside;
      assign ld_req_addr  = (64'(ldaddr_data) << SHIFT) + offset;
      assign ldaddr_ready = room & (ld_req_ready | ~region) & ~ld_outside;
      assign ld_accept    = ldaddr_valid & ldaddr_ready;
      assign answer       = region ? (ld_rsp_valid | refused) : ld_accept;
      assign ld_bus_error = ld_rsp_valid & ld_rsp_err & region;

      // Slots are reserved at the request, so the queue always has room.
      loom_fifo #(
          .W    (DW),
          .DEPTH(OUTSTANDING)
      ) u_answers (
          .clk      (clk),
          .rst      (rst),
          .in_valid (answer),
          .in_ready (unused_ready),
          .in_data  ((region & ~ld_rsp_err & ~refused) ? ld_rsp_data : '0),
          .out_valid(lddata_valid),
          .out_ready(lddata_ready),
          .out_data (lddata_data),
          .idle     (unused_idle)
      );
      assign lddone_valid = |dones;
      assign data_left    = lddata_valid & lddata_ready;
      assign done_left    = lddone_valid & lddone_ready;
      assign ld_idle      = ~|data_under_way & ~|done_under_way;

      always_ff @(posedge clk) begin
        if (rst) begin
          data_under_way <= '0;
          done_under_way <= '0;
          dones          <= '0;
        end else begin
          if (ld_accept != data_left) data_under_way <= ld_accept ? data_under_way + CW'(1) : data_under_way - CW'(1);
          if (ld_accept != done_left) done_under_way <= ld_accept ? done_under_way + CW'(1) : done_under_way - CW'(1);
          if (answer != done_left) dones <= answer ? dones + CW'(1) : dones - CW'(1);
        end
      end

      if (BOUNDS != 0) begin : g_bounds
        // Ready does not wait for the comparison: what it finds is kept, and the access completes
        // when it is the only one without a response.
        assign outside = region & ~entry[64+AW] & (ldaddr_data >= entry[64 +: AW]);
        assign refused = ld_outside & (done_under_way - dones == CW'(1));
        always_ff @(posedge clk) begin
          if (rst) ld_outside <= 1'b0;
          else ld_outside <= (ld_outside & ~refused) | (ld_accept & outside);
        end
      end else begin : g_no_bounds
        assign outside    = 1'b0;
        assign refused    = 1'b0;
        assign ld_outside = 1'b0;
      end

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
      always @(posedge clk) begin
        if (rst === 1'b0) begin
          if (refused && ld_rsp_valid) $error("LOOM_ASSERT: %m: a response without a request");
          if (data_under_way > FULL || done_under_way > FULL) $error("LOOM_ASSERT: %m: more than OUTSTANDING loads in flight");
          if (answer && !unused_ready) $error("LOOM_ASSERT: %m: data without a place");
        end
      end
`endif
`endif
    end else begin : g_no_load
      logic unused_load;
      assign unused_load  = ldaddr_valid | (|ldaddr_data) | lddata_ready | lddone_ready | ld_req_ready |
                            ld_rsp_valid | (|ld_rsp_data) | ld_rsp_err;
      assign ldaddr_ready = 1'b0;
      assign lddata_valid = 1'b0;
      assign lddata_data  = '0;
      assign lddone_valid = 1'b0;
      assign ld_req_valid = 1'b0;
      assign ld_req_addr  = '0;
      assign ld_accept    = 1'b0;
      assign ld_bus_error = 1'b0;
      assign ld_outside   = 1'b0;
      assign ld_idle      = 1'b1;
    end
  endgenerate

  // Store port.
  logic st_pop, st_bus_error, st_outside, st_idle, deadlock;
  generate
    if (ST != 0) begin : g_store
      logic [CW-1:0] done_under_way;  // requested, done not yet left: 0...OUTSTANDING
      logic [CW-1:0] dones;           // response there, done not yet left
      logic          pair_valid, queue_idle, room, answer, done_left;
      logic          outside, refused;  // as of loads
      logic [AW-1:0] index;

      loom_store_queue #(
          .AW     (AW),
          .DW     (DW),
          .DEPTH  (LSQ_DEPTH),
          .TIMEOUT(DEADLOCK_TIMEOUT)
      ) u_queue (
          .clk       (clk),
          .rst       (rst),
          .addr_valid(staddr_valid),
          .addr_ready(staddr_ready),
          .addr_data (staddr_data),
          .data_valid(stdata_valid),
          .data_ready(stdata_ready),
          .data_data (stdata_data),
          .pair_valid(pair_valid),
          .pair_addr (index),
          .pair_data (st_req_data),
          .pop       (st_pop),
          .deadlock  (deadlock),
          .idle      (queue_idle)
      );
      assign room         = ~&(done_under_way | ~FULL);
      assign st_req_valid = ~rst & pair_valid & room & region & ~outside & ~st_outside;
      assign st_req_addr  = (64'(index) << SHIFT) + offset;
      assign st_pop       = pair_valid & room & (st_req_ready | ~region) & ~st_outside;
      assign answer       = region ? (st_rsp_valid | refused) : st_pop;
      assign st_bus_error = st_rsp_valid & st_rsp_err & region;
      assign stdone_valid = |dones;
      assign done_left    = stdone_valid & stdone_ready;
      assign st_idle      = queue_idle & ~|done_under_way;

      always_ff @(posedge clk) begin
        if (rst) begin
          done_under_way <= '0;
          dones          <= '0;
        end else begin
          if (st_pop != done_left) done_under_way <= st_pop ? done_under_way + CW'(1) : done_under_way - CW'(1);
          if (answer != done_left) dones <= answer ? dones + CW'(1) : dones - CW'(1);
        end
      end

      if (BOUNDS != 0) begin : g_bounds
        assign outside = region & ~entry[64+AW] & (index >= entry[64 +: AW]);
        assign refused = st_outside & (done_under_way - dones == CW'(1));
        always_ff @(posedge clk) begin
          if (rst) st_outside <= 1'b0;
          else st_outside <= (st_outside & ~refused) | (st_pop & outside);
        end
      end else begin : g_no_bounds
        assign outside    = 1'b0;
        assign refused    = 1'b0;
        assign st_outside = 1'b0;
      end

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
      always @(posedge clk) begin
        if (rst === 1'b0) begin
          if (refused && st_rsp_valid) $error("LOOM_ASSERT: %m: a response without a request");
          if (done_under_way > FULL) $error("LOOM_ASSERT: %m: more than OUTSTANDING stores in flight");
        end
      end
`endif
`endif
    end else begin : g_no_store
      logic unused_store;
      assign unused_store = staddr_valid | (|staddr_data) | stdata_valid | (|stdata_data) | stdone_ready |
                            st_req_ready | st_rsp_valid | st_rsp_err;
      assign staddr_ready = 1'b0;
      assign stdata_ready = 1'b0;
      assign stdone_valid = 1'b0;
      assign st_req_valid = 1'b0;
      assign st_req_addr  = '0;
      assign st_req_data  = '0;
      assign st_pop       = 1'b0;
      assign st_bus_error = 1'b0;
      assign st_outside   = 1'b0;
      assign st_idle      = 1'b1;
      assign deadlock     = 1'b0;
    end
  endgenerate

  assign idle = ld_idle & st_idle;

  // Errors, the smallest code first.
  logic homeless;   // an access without a region
  logic bus_error;
  assign homeless  = (ld_accept | st_pop) & ~region;
  assign bus_error = ld_bus_error | st_bus_error;
  assign err_valid = ~rst & (overlap | deadlock | homeless | bus_error | ld_outside | st_outside);
  assign err_code  = overlap ? loom_pkg::ERR_CFG_EXTMEMORY_OVERLAP :
                     deadlock ? loom_pkg::ERR_MEMORY_STORE_DEADLOCK :
                     homeless ? loom_pkg::ERR_EXTMEMORY_NO_MATCH :
                     (bus_error || BOUNDS == 0) ? loom_pkg::ERR_EXTMEMORY_BUS :
                     loom_pkg::ERR_EXTMEMORY_ADDR_OOB;

`ifdef LOOM_FORMAL
`include "loom_extmemory.svh"
`endif
endmodule
