// loom_extmemory_tagged: external memory interface whose ports are shared by tag.
//
// Function: fabric.extmemory with ldCount or stCount above 1: one physical channel per
//   port family, the tag names the logical port. Turns loads and stores into requests with
//   byte addresses and their tags, and returns data and done tokens in the order in which
//   the bus responds: address = (index << log2(element bytes)) + addr_offset of the
//   first valid region whose range holds the tag. A faulting access makes no request and
//   completes by itself: it has no side effect, a load yields 0, the done token comes. With
//   BOUNDS, an element that is not wholly inside the region's array is a fault.
// Parameters: AW bits of an index, at most 64; DW bits of an element (8, 16, 32 or 64); TW
//   bits of a tag; LD_COUNT, ST_COUNT logical ports (0: the group's inputs are ignored,
//   its outputs idle); LSQ_DEPTH slots for store addresses and data each, per tag;
//   NUM_REGION table entries; DEADLOCK_TIMEOUT cycles; OUTSTANDING loads and as many stores
//   in flight, at least 2; BOUNDS: 1 where every region has a size.
// Ports: cfg_region: entries from the low end, each valid (bit 0), start_tag, end_tag, a
//   64-bit addr_offset and, with BOUNDS, the 64-bit size of the array in bytes, of which bit
//   63 means no limit and which is constant while accesses are made; channels ldaddr, staddr, stdata in, lddata, lddone, stdone out,
//   the tag in the high bits of data, done channels carry the tag alone; request channels
//   ld_req and st_req to the bus; responses ld_rsp and st_rsp, always taken, in order per
//   tag; error; idle.
// Timing: OUTSTANDING loads and as many stores in flight; each reserves its slots for data and done
//   when it is accepted (a store: when its pair pops), so responses never wait. What
//   responds in t is offered from t+1, data and done independently. One request per cycle
//   and kind. Tags with a pair are served round robin (loom_store_queue_tagged); an
//   offered request stays until it is taken. An access without a request waits for a
//   cycle without a response of its kind; a store address whose tag is out of range also
//   until no tag has a pair, so that it never replaces an offered request. An access outside
//   of its array is taken in its turn; it completes when all that was requested before it has
//   responded, so that it stays behind the requests of its tag, and until then none of its
//   kind is taken. The others take as many cycles as without BOUNDS.
// Errors: 14 two valid regions share a tag; 15 a valid region names no tag; 260 tag out of
//   range (load, store address, store data: when accepted); 261 store address or data of a
//   tag alone for DEADLOCK_TIMEOUT cycles; 265 no region: a load when it is accepted, a
//   store when its pair pops; 513 response with err; 515 access outside of its array, from the
//   cycle after it is taken until it completes.
// Rule: spec-fabric-mem; rtl/README.md "Memories".
module loom_extmemory_tagged #(
    parameter int AW               = 32,
    parameter int DW               = 32,
    parameter int TW               = 2,
    parameter int LD_COUNT         = 2,
    parameter int ST_COUNT         = 2,
    parameter int LSQ_DEPTH        = 4,
    parameter int NUM_REGION       = 1,
    parameter int DEADLOCK_TIMEOUT = 65535,
    parameter int OUTSTANDING      = 16,
    parameter int BOUNDS           = 0
) (
    input  logic          clk,
    input  logic          rst,
    input  logic [NUM_REGION*(65+64*BOUNDS+2*TW)-1:0] cfg_region,
    input  logic          ldaddr_valid,
    output logic          ldaddr_ready,
    input  logic [TW+AW-1:0] ldaddr_data,
    output logic          lddata_valid,
    input  logic          lddata_ready,
    output logic [TW+DW-1:0] lddata_data,
    output logic          lddone_valid,
    input  logic          lddone_ready,
    output logic [TW-1:0] lddone_data,
    input  logic          staddr_valid,
    output logic          staddr_ready,
    input  logic [TW+AW-1:0] staddr_data,
    input  logic          stdata_valid,
    output logic          stdata_ready,
    input  logic [TW+DW-1:0] stdata_data,
    output logic          stdone_valid,
    input  logic          stdone_ready,
    output logic [TW-1:0] stdone_data,
    output logic          ld_req_valid,
    input  logic          ld_req_ready,
    output logic [63:0]   ld_req_addr,
    output logic [TW-1:0] ld_req_tag,
    input  logic          ld_rsp_valid,
    input  logic [DW-1:0] ld_rsp_data,
    input  logic [TW-1:0] ld_rsp_tag,
    input  logic          ld_rsp_err,
    output logic          st_req_valid,
    input  logic          st_req_ready,
    output logic [63:0]   st_req_addr,
    output logic [TW-1:0] st_req_tag,
    output logic [DW-1:0] st_req_data,
    input  logic          st_rsp_valid,
    input  logic [TW-1:0] st_rsp_tag,
    input  logic          st_rsp_err,
    output logic          err_valid,
    output logic [15:0]   err_code,
    output logic          idle
);
  initial if (DW != 8 && DW != 16 && DW != 32 && DW != 64) $fatal(1, "loom_extmemory_tagged: DW must be 8, 16, 32 or 64");
  initial if (AW < 1 || AW > 64 || NUM_REGION < 1) $fatal(1, "loom_extmemory_tagged: AW must be 1 to 64, NUM_REGION at least 1");
  initial if (LD_COUNT + ST_COUNT < 1 || LD_COUNT < 0 || ST_COUNT < 0) $fatal(1, "loom_extmemory_tagged: no ports");
  initial if (TW < 1 || TW > 16 || LD_COUNT > (1 << TW) || ST_COUNT > (1 << TW)) $fatal(1, "loom_extmemory_tagged: TW does not fit");

  initial if (OUTSTANDING < 2) $fatal(1, "loom_extmemory_tagged: OUTSTANDING must be at least 2");
  initial if (BOUNDS != 0 && BOUNDS != 1) $fatal(1, "loom_extmemory_tagged: BOUNDS is 0 or 1");

  localparam int SHIFT = $clog2(DW / 8);
  localparam int CW    = $clog2(OUTSTANDING + 1);
  // A count of at most OUTSTANDING is OUTSTANDING where it has all of its ones: of a power of two one bit.
  localparam logic [CW-1:0] FULL = OUTSTANDING[CW-1:0];

  // The regions of the load offered now and of the store that is next: where they begin and,
  // with BOUNDS, how many elements they have.
  localparam int OW = (BOUNDS != 0) ? 65 + AW : 64;
  localparam int RW = 65 + 2 * TW;  // bits of an entry without its size
  logic [NUM_REGION*(1+2*TW+OW)-1:0] table_region;
  logic [TW-1:0] ld_tag, st_tag;
  logic ld_hit, st_hit, overlap, empty;
  logic [OW-1:0] ld_entry, st_entry;
  logic [63:0] ld_offset, st_offset;

  generate
    if (BOUNDS != 0) begin : g_limits
      for (genvar r = 0; r < NUM_REGION; r++) begin : g_region
        logic [AW:0] limit;
        loom_extent #(
            .AW   (AW),
            .SHIFT(SHIFT)
        ) u_extent (
            .size (cfg_region[r*(RW+64)+RW +: 64]),
            .limit(limit)
        );
        assign table_region[r*(RW+AW+1) +: RW+AW+1] = {limit, cfg_region[r*(RW+64) +: RW]};
      end
    end else begin : g_unlimited
      assign table_region = cfg_region;
    end
  endgenerate
  assign ld_tag = ldaddr_data[AW +: TW];
  loom_region_tagged #(
      .NUM_REGION(NUM_REGION),
      .TW        (TW),
      .OW        (OW),
      .N         (2)
  ) u_region (
      .cfg_region(table_region),
      .tag       ({st_tag, ld_tag}),
      .hit       ({st_hit, ld_hit}),
      .offset    ({st_entry, ld_entry}),
      .overlap   (overlap),
      .empty     (empty)
  );
  assign ld_offset = ld_entry[63:0];
  assign st_offset = st_entry[63:0];

  // Load ports.
  logic ld_stray, ld_unmapped, ld_outside, ld_idle;
  generate
    if (LD_COUNT != 0) begin : g_load
      logic [CW-1:0] data_under_way, done_under_way;  // accepted, not yet left: 0...OUTSTANDING
      logic [TW-1:0] answer_tag;
      logic [DW-1:0] answer_data;
      logic unused_data_room, unused_done_room, unused_data_idle, unused_done_idle;
      logic       room, tag_oob, fault, accept, answer, data_left, done_left;
      logic       outside;  // the element on offer
      logic       refused;  // the one outside completes
      logic [TW-1:0] outside_tag, fault_tag;
      logic [CW-1:0] asked;  // requests without a response, counted with BOUNDS

      assign tag_oob      = {1'b0, ld_tag} >= (TW + 1)'(LD_COUNT);
      assign fault        = tag_oob | ~ld_hit;
      assign room         = ~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL);
      assign ld_req_valid = ~rst & ldaddr_valid & room & ~fault & ~outside & ~ld_outside;
      assign ld_req_addr  = (64'(ldaddr_data[AW-1:0]) << SHIFT) + ld_offset;
      assign ld_req_tag   = ld_tag;
      assign ldaddr_ready = room & (fault ? ~ld_rsp_valid : ld_req_ready) & ~ld_outside;
      assign accept       = ldaddr_valid & ldaddr_ready;
      assign answer       = ld_rsp_valid | (accept & fault) | refused;
      assign ld_stray     = accept & tag_oob;
      assign ld_unmapped  = accept & ~ld_hit;

      // In the order of arrival; slots are reserved at the request, so the queues always have room.
      assign answer_tag  = ld_rsp_valid ? ld_rsp_tag : fault_tag;
      assign answer_data = (ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data : '0;
      loom_fifo #(
          .W    (TW + DW),
          .DEPTH(OUTSTANDING)
      ) u_answers (
          .clk      (clk),
          .rst      (rst),
          .in_valid (answer),
          .in_ready (unused_data_room),
          .in_data  ({answer_tag, answer_data}),
          .out_valid(lddata_valid),
          .out_ready(lddata_ready),
          .out_data (lddata_data),
          .idle     (unused_data_idle)
      );
      loom_fifo #(
          .W    (TW),
          .DEPTH(OUTSTANDING)
      ) u_dones (
          .clk      (clk),
          .rst      (rst),
          .in_valid (answer),
          .in_ready (unused_done_room),
          .in_data  (answer_tag),
          .out_valid(lddone_valid),
          .out_ready(lddone_ready),
          .out_data (lddone_data),
          .idle     (unused_done_idle)
      );
      assign data_left = lddata_valid & lddata_ready;
      assign done_left = lddone_valid & lddone_ready;
      assign ld_idle   = ~|data_under_way & ~|done_under_way;

      always_ff @(posedge clk) begin
        if (rst) begin
          data_under_way <= '0;
          done_under_way <= '0;
        end else begin
          if (accept != data_left) data_under_way <= accept ? data_under_way + CW'(1) : data_under_way - CW'(1);
          if (accept != done_left) done_under_way <= accept ? done_under_way + CW'(1) : done_under_way - CW'(1);
        end
      end

      if (BOUNDS != 0) begin : g_bounds
        // Ready does not wait for the comparison: what it finds is kept.
        logic ask;
        assign outside   = ~fault & ~ld_entry[64+AW] & (ldaddr_data[AW-1:0] >= ld_entry[64 +: AW]);
        assign refused   = ld_outside & ~|asked;
        assign ask       = ld_req_valid & ld_req_ready;
        assign fault_tag = refused ? outside_tag : ld_tag;
        always_ff @(posedge clk) begin
          if (accept & outside) outside_tag <= ld_tag;
          if (rst) begin
            ld_outside <= 1'b0;
            asked      <= '0;
          end else begin
            ld_outside <= (ld_outside & ~refused) | (accept & outside);
            if (ask != ld_rsp_valid) asked <= ask ? asked + CW'(1) : asked - CW'(1);
          end
        end
      end else begin : g_no_bounds
        assign outside     = 1'b0;
        assign refused     = 1'b0;
        assign ld_outside  = 1'b0;
        assign outside_tag = '0;
        assign fault_tag   = ld_tag;
        assign asked       = '0;
        logic unused_bounds;
        assign unused_bounds = (^outside_tag) ^ (^asked);
      end

`ifdef LOOM_FORMAL
`include "loom_extmemory_tagged_load.svh"
`endif

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
      int a_asked;  // requests without response
      logic a_request;
      assign a_request = accept & ~fault & ~outside;
      always @(posedge clk) begin
        if (rst) a_asked <= 0;
        else a_asked <= a_asked + int'(a_request) - int'(ld_rsp_valid);
        if (rst === 1'b0) begin
          if (data_under_way > FULL || done_under_way > FULL) $error("LOOM_ASSERT: %m: more than OUTSTANDING loads in flight");
          if (answer && !(unused_data_room && unused_done_room)) $error("LOOM_ASSERT: %m: a response without a place");
          if (ld_rsp_valid && a_asked == 0 && !a_request) $error("LOOM_ASSERT: %m: a response without a request");
        end
      end
`endif
`endif
    end else begin : g_no_load
      logic unused_load;
      assign unused_load  = ldaddr_valid | (|ldaddr_data) | lddata_ready | lddone_ready | ld_req_ready |
                            (|ld_rsp_data) | (|ld_rsp_tag) | ld_hit | (|ld_entry) | (|ld_offset);
      assign ldaddr_ready = 1'b0;
      assign lddata_valid = 1'b0;
      assign lddata_data  = '0;
      assign lddone_valid = 1'b0;
      assign lddone_data  = '0;
      assign ld_req_valid = 1'b0;
      assign ld_req_addr  = '0;
      assign ld_req_tag   = '0;
      assign ld_stray     = 1'b0;
      assign ld_unmapped  = 1'b0;
      assign ld_outside   = 1'b0;
      assign ld_idle      = 1'b1;
    end
  endgenerate

  // Store ports.
  logic st_stray, st_unmapped, st_outside, st_idle, deadlock;
  generate
    if (ST_COUNT != 0) begin : g_store
      localparam int SW = loom_pkg::index_width(ST_COUNT);
      logic [CW-1:0] under_way;  // popped or stray, done not yet left: 0...OUTSTANDING
      logic          unused_done_room, unused_done_idle;
      logic [TW-1:0] addr_tag, data_tag;
      logic          addr_stray, data_stray, addr_stray_ready, addr_stray_taken;
      logic          queue_addr_ready, queue_data_ready, queue_idle, pair_valid, pop;
      logic [SW-1:0] pair_tag;
      logic [AW-1:0] index;
      logic          room, answer, left;
      // As of loads.
      logic          outside, refused;
      logic [TW-1:0] outside_tag, fault_tag;
      logic [CW-1:0] asked;

      assign addr_tag   = staddr_data[AW +: TW];
      assign data_tag   = stdata_data[DW +: TW];
      assign addr_stray = {1'b0, addr_tag} >= (TW + 1)'(ST_COUNT);
      assign data_stray = {1'b0, data_tag} >= (TW + 1)'(ST_COUNT);

      loom_store_queue_tagged #(
          .AW     (AW),
          .DW     (DW),
          .COUNT  (ST_COUNT),
          .DEPTH  (LSQ_DEPTH),
          .TIMEOUT(DEADLOCK_TIMEOUT)
      ) u_queue (
          .clk       (clk),
          .rst       (rst),
          .addr_valid(staddr_valid & ~addr_stray),
          .addr_ready(queue_addr_ready),
          .addr_tag  (addr_tag[SW-1:0]),
          .addr_data (staddr_data[AW-1:0]),
          .data_valid(stdata_valid & ~data_stray),
          .data_ready(queue_data_ready),
          .data_tag  (data_tag[SW-1:0]),
          .data_data (stdata_data[DW-1:0]),
          .pair_valid(pair_valid),
          .pair_tag  (pair_tag),
          .pair_addr (index),
          .pair_data (st_req_data),
          .pop       (pop),
          .keep      (st_req_valid),
          .deadlock  (deadlock),
          .idle      (queue_idle)
      );
      assign room             = ~&(under_way | ~FULL);
      assign st_tag           = TW'(pair_tag);
      assign st_req_valid     = ~rst & pair_valid & room & st_hit & ~outside & ~st_outside;
      assign st_req_addr      = (64'(index) << SHIFT) + st_offset;
      assign st_req_tag       = st_tag;
      assign pop              = pair_valid & room & (st_hit ? st_req_ready : ~st_rsp_valid) & ~st_outside;
      assign addr_stray_ready = room & ~pair_valid & ~st_rsp_valid & ~st_outside;
      assign addr_stray_taken = staddr_valid & addr_stray & addr_stray_ready;
      assign staddr_ready     = addr_stray ? addr_stray_ready : queue_addr_ready;
      assign stdata_ready     = data_stray | queue_data_ready;
      assign answer           = st_rsp_valid | st_unmapped | addr_stray_taken | refused;
      assign st_stray         = addr_stray_taken | (stdata_valid & data_stray);
      assign st_unmapped      = pop & ~st_hit;

      loom_fifo #(
          .W    (TW),
          .DEPTH(OUTSTANDING)
      ) u_dones (
          .clk      (clk),
          .rst      (rst),
          .in_valid (answer),
          .in_ready (unused_done_room),
          .in_data  (st_rsp_valid ? st_rsp_tag : fault_tag),
          .out_valid(stdone_valid),
          .out_ready(stdone_ready),
          .out_data (stdone_data),
          .idle     (unused_done_idle)
      );
      assign left    = stdone_valid & stdone_ready;
      assign st_idle = queue_idle & ~|under_way;

      always_ff @(posedge clk) begin
        if (rst) begin
          under_way <= '0;
        end else begin
          if ((pop | addr_stray_taken) != left) under_way <= left ? under_way - CW'(1) : under_way + CW'(1);
        end
      end

      if (BOUNDS != 0) begin : g_bounds
        logic ask;
        assign outside   = st_hit & ~st_entry[64+AW] & (index >= st_entry[64 +: AW]);
        assign refused   = st_outside & ~|asked;
        assign ask       = st_req_valid & st_req_ready;
        assign fault_tag = refused ? outside_tag : pop ? st_tag : addr_tag;
        always_ff @(posedge clk) begin
          if (pop & outside) outside_tag <= st_tag;
          if (rst) begin
            st_outside <= 1'b0;
            asked      <= '0;
          end else begin
            st_outside <= (st_outside & ~refused) | (pop & outside);
            if (ask != st_rsp_valid) asked <= ask ? asked + CW'(1) : asked - CW'(1);
          end
        end
      end else begin : g_no_bounds
        assign outside     = 1'b0;
        assign refused     = 1'b0;
        assign st_outside  = 1'b0;
        assign outside_tag = '0;
        assign fault_tag   = pop ? st_tag : addr_tag;
        assign asked       = '0;
        logic unused_bounds;
        assign unused_bounds = (^outside_tag) ^ (^asked);
      end

`ifdef LOOM_FORMAL
`include "loom_extmemory_tagged_store.svh"
`endif

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
      int a_asked;  // requests without response
      logic a_request;
      assign a_request = pop & st_hit & ~outside;
      always @(posedge clk) begin
        if (rst) a_asked <= 0;
        else a_asked <= a_asked + int'(a_request) - int'(st_rsp_valid);
        if (rst === 1'b0) begin
          if (under_way > FULL) $error("LOOM_ASSERT: %m: more than OUTSTANDING stores in flight");
          if (answer && !unused_done_room) $error("LOOM_ASSERT: %m: a response without a place");
          if (st_rsp_valid && a_asked == 0 && !a_request) $error("LOOM_ASSERT: %m: a response without a request");
        end
      end
`endif
`endif
    end else begin : g_no_store
      logic unused_store;
      assign unused_store = staddr_valid | (|staddr_data) | stdata_valid | (|stdata_data) | stdone_ready | st_req_ready |
                            (|st_rsp_tag) | st_hit | (|st_entry) | (|st_offset);
      assign st_tag       = '0;
      assign staddr_ready = 1'b0;
      assign stdata_ready = 1'b0;
      assign stdone_valid = 1'b0;
      assign stdone_data  = '0;
      assign st_req_valid = 1'b0;
      assign st_req_addr  = '0;
      assign st_req_tag   = '0;
      assign st_req_data  = '0;
      assign st_stray     = 1'b0;
      assign st_unmapped  = 1'b0;
      assign st_outside   = 1'b0;
      assign st_idle      = 1'b1;
      assign deadlock     = 1'b0;
    end
  endgenerate

  assign idle = ld_idle & st_idle;

  // Errors, the smallest code first. Only a group that exists has responses.
  logic stray, unmapped, bus_error;
  assign stray     = ld_stray | st_stray;
  assign unmapped  = ld_unmapped | st_unmapped;
  assign bus_error = ((LD_COUNT != 0) & ld_rsp_valid & ld_rsp_err) | ((ST_COUNT != 0) & st_rsp_valid & st_rsp_err);
  assign err_valid = ~rst & (overlap | empty | stray | deadlock | unmapped | bus_error | ld_outside | st_outside);
  assign err_code  = overlap ? loom_pkg::ERR_CFG_EXTMEMORY_OVERLAP :
                     empty ? loom_pkg::ERR_CFG_EXTMEMORY_EMPTY_RANGE :
                     stray ? loom_pkg::ERR_MEMORY_TAG_OOB :
                     deadlock ? loom_pkg::ERR_MEMORY_STORE_DEADLOCK :
                     unmapped ? loom_pkg::ERR_EXTMEMORY_NO_MATCH :
                     (bus_error || BOUNDS == 0) ? loom_pkg::ERR_EXTMEMORY_BUS :
                     loom_pkg::ERR_EXTMEMORY_ADDR_OOB;

`ifdef LOOM_FORMAL
`include "loom_extmemory_tagged.svh"
`endif
endmodule
