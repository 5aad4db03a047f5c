// loom_memory_tagged: on-chip memory whose load and store ports are shared by tag.
//
// Function: fabric.memory with ldCount or stCount above 1: one physical channel per port
//   family, the tag names the logical port. The first valid region whose range holds the
//   tag serves the request: element = index + addr_offset / element bytes. A faulting
//   access has no side effect, a load yields 0, the done token comes.
// Parameters: AW bits of an index; DW bits of an element (8, 16, 32 or 64); TW bits of a
//   tag; DEPTH elements; LD_COUNT, ST_COUNT logical ports (0: the group's inputs are
//   ignored, its outputs idle); LSQ_DEPTH slots for store addresses and data each, per
//   tag; NUM_REGION table entries; DEADLOCK_TIMEOUT cycles; HOST: 1 gives the host port.
// Ports: cfg_region: entries from the low end, each valid (bit 0), start_tag, end_tag and
//   addr_offset in bytes (loom_pkg::offset_width(DEPTH, DW) bits; unaligned offsets are
//   rounded down); channels ldaddr, staddr, stdata in, lddata, lddone, stdone out, the tag
//   in the high bits of data, done channels carry the tag alone; host_*: reads (data in
//   the next cycle) or writes an element; the fabric's own accesses wait in such a cycle;
//   error; idle.
// Timing: ldaddr is accepted while fewer than 4 data and fewer than 4 done tokens are
//   in flight. Accepted in t: data and done are offered from t+2, independently and in
//   order of acceptance. A store is written when address and data of its tag have met, it
//   is next among the tags (loom_store_queue_tagged) and fewer than 4 done tokens are in
//   flight; its done is offered from the next cycle. One load and one store per cycle. A load
//   accepted in the cycle of a write to its element reads the old value. A store address
//   whose tag is out of range waits for a done slot only and takes it before any store;
//   data of such a tag is dropped at once.
// Errors: 12 two valid regions share a tag; 13 a valid region names no tag; 260 tag out of
//   range (load, store address, store data: when accepted); 261 store address or data of a
//   tag alone for DEADLOCK_TIMEOUT cycles; 264 no region, 512 beyond the capacity: a
//   load's in the cycle of acceptance, a store's in the cycle it would be written.
// Rule: spec-fabric-mem; rtl/README.md "Memories".
module loom_memory_tagged #(
    parameter int AW               = 32,
    parameter int DW               = 32,
    parameter int TW               = 2,
    parameter int DEPTH            = 1024,
    parameter int LD_COUNT         = 2,
    parameter int ST_COUNT         = 2,
    parameter int LSQ_DEPTH        = 4,
    parameter int NUM_REGION       = 1,
    parameter int DEADLOCK_TIMEOUT = 65535,
    parameter int HOST             = 0
) (
    input  logic          clk,
    input  logic          rst,
    input  logic [NUM_REGION*(1+2*TW+loom_pkg::offset_width(DEPTH, DW))-1:0] cfg_region,
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
    input  logic          host_en,
    input  logic          host_we,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] host_addr,
    input  logic [DW-1:0] host_wdata,
    output logic [DW-1:0] host_rdata,
    output logic          err_valid,
    output logic [15:0]   err_code,
    output logic          idle
);
  initial if (DW != 8 && DW != 16 && DW != 32 && DW != 64) $fatal(1, "loom_memory_tagged: DW must be 8, 16, 32 or 64");
  initial if (DEPTH < 1 || NUM_REGION < 1) $fatal(1, "loom_memory_tagged: DEPTH and NUM_REGION must be at least 1");
  initial if (LD_COUNT + ST_COUNT < 1 || LD_COUNT < 0 || ST_COUNT < 0) $fatal(1, "loom_memory_tagged: no ports");
  initial if (TW < 1 || TW > 16 || LD_COUNT > (1 << TW) || ST_COUNT > (1 << TW)) $fatal(1, "loom_memory_tagged: TW does not fit");

  localparam int EW    = loom_pkg::index_width(DEPTH);  // bits of an element number
  localparam int OW    = loom_pkg::offset_width(DEPTH, DW);
  localparam int SHIFT = $clog2(DW / 8);

  // The regions of the load and the store address offered now.
  logic [TW-1:0] ld_tag, st_tag;
  logic ld_hit, st_hit, overlap, empty;
  logic [OW-1:0] ld_offset, st_offset;
  logic [EW-1:0] ld_base, st_base;

  assign ld_tag = ldaddr_data[AW +: TW];
  assign st_tag = staddr_data[AW +: TW];
  loom_region_tagged #(
      .NUM_REGION(NUM_REGION),
      .TW        (TW),
      .OW        (OW),
      .N         (2)
  ) u_region (
      .cfg_region(cfg_region),
      .tag       ({st_tag, ld_tag}),
      .hit       ({st_hit, ld_hit}),
      .offset    ({st_offset, ld_offset}),
      .overlap   (overlap),
      .empty     (empty)
  );
  assign ld_base = EW'(ld_offset >> SHIFT);
  assign st_base = EW'(st_offset >> SHIFT);

  // The RAM: read and written at most once per cycle, by the fabric or the host.
  logic          host;
  logic          ld_accept, ld_oob, ld_stray, ld_fault;
  logic          st_pop, st_unmapped, st_oob, st_stray, st_fault;
  logic [TW-1:0] st_pop_tag;
  logic [EW-1:0] ld_element, st_element;
  logic [DW-1:0] st_word;
  logic [DW-1:0] ram_rdata;

  loom_ram_port #(
      .W    (DW),
      .DEPTH(DEPTH),
      .HOST (HOST)
  ) u_ram (
      .clk       (clk),
      .write     (st_pop & ~st_fault & ~rst),
      .waddr     (st_element),
      .wdata     (st_word),
      .read      (ld_accept & ~ld_fault),
      .raddr     (ld_element),
      .rdata     (ram_rdata),
      .host_en   (host_en),
      .host_we   (host_we),
      .host_addr (host_addr),
      .host_wdata(host_wdata),
      .host_rdata(host_rdata),
      .host      (host)
  );

  // Load ports.
  logic ld_idle;
  generate
    if (LD_COUNT != 0) begin : g_load
      logic [2:0] data_under_way, done_under_way;  // accepted, not yet left: 0...4
      logic       reading, faulty;                 // accepted in the cycle before
      logic [TW-1:0] reading_tag;
      logic [1:0] wr, data_rd, done_rd;
      logic [DW-1:0] answers [0:3];
      logic [TW-1:0] tags [0:3];
      logic       data_left, done_left, tag_oob;

      loom_element #(
          .AW   (AW),
          .EW   (EW),
          .DEPTH(DEPTH)
      ) u_element (
          .index  (ldaddr_data[AW-1:0]),
          .base   (ld_base),
          .element(ld_element),
          .oob    (ld_oob)
      );
      assign tag_oob      = {1'b0, ld_tag} >= (TW + 1)'(LD_COUNT);
      assign ldaddr_ready = ~data_under_way[2] & ~done_under_way[2] & ~host;
      assign ld_accept    = ldaddr_valid & ldaddr_ready;
      assign ld_stray     = ld_accept & tag_oob;
      assign ld_fault     = tag_oob | ~ld_hit | ld_oob;

      // What was accepted in the cycle before is in flight, but not yet offered.
      assign lddata_valid = data_under_way != {2'b00, reading};
      assign lddone_valid = done_under_way != {2'b00, reading};
      assign lddata_data  = {tags[data_rd], answers[data_rd]};
      assign lddone_data  = tags[done_rd];
      assign data_left    = lddata_valid & lddata_ready;
      assign done_left    = lddone_valid & lddone_ready;
      assign ld_idle      = ~|data_under_way & ~|done_under_way;

      always_ff @(posedge clk) begin
        if (rst) begin
          data_under_way <= '0;
          done_under_way <= '0;
          reading        <= 1'b0;
          wr             <= '0;
          data_rd        <= '0;
          done_rd        <= '0;
        end else begin
          if (ld_accept != data_left) data_under_way <= ld_accept ? data_under_way + 3'd1 : data_under_way - 3'd1;
          if (ld_accept != done_left) done_under_way <= ld_accept ? done_under_way + 3'd1 : done_under_way - 3'd1;
          reading <= ld_accept;
          if (reading) wr <= wr + 2'd1;
          if (data_left) data_rd <= data_rd + 2'd1;
          if (done_left) done_rd <= done_rd + 2'd1;
        end
        faulty      <= ld_fault;
        reading_tag <= ld_tag;
        if (reading) begin
          answers[wr] <= faulty ? '0 : ram_rdata;
          tags[wr]    <= reading_tag;
        end
      end

`ifdef LOOM_FORMAL
`include "loom_memory_tagged_load.svh"
`endif
    end else begin : g_no_load
      logic unused_load;
      assign unused_load  = ldaddr_valid | (|ldaddr_data) | lddata_ready | lddone_ready | (|ram_rdata) | ld_hit | (|ld_base);
      assign ldaddr_ready = 1'b0;
      assign lddata_valid = 1'b0;
      assign lddata_data  = '0;
      assign lddone_valid = 1'b0;
      assign lddone_data  = '0;
      assign ld_accept    = 1'b0;
      assign ld_element   = '0;
      assign ld_oob       = 1'b0;
      assign ld_stray     = 1'b0;
      assign ld_fault     = 1'b0;
      assign ld_idle      = 1'b1;
    end
  endgenerate

  // Store ports.
  logic st_idle, deadlock;
  generate
    if (ST_COUNT != 0) begin : g_store
      localparam int SW = loom_pkg::index_width(ST_COUNT);
      logic          addr_stray, data_stray, addr_stray_taken;
      logic          queue_addr_ready, queue_data_ready, queue_idle, pair_valid;
      logic [SW-1:0] pair_tag;
      logic          room, done_idle, oob_in;
      logic [EW-1:0] element_in;
      logic [TW-1:0] data_tag;

      assign data_tag   = stdata_data[DW +: TW];
      assign addr_stray = {1'b0, st_tag} >= (TW + 1)'(ST_COUNT);
      assign data_stray = {1'b0, data_tag} >= (TW + 1)'(ST_COUNT);

      // The queue keeps element numbers, which are shorter than indices.
      loom_element #(
          .AW   (AW),
          .EW   (EW),
          .DEPTH(DEPTH)
      ) u_element (
          .index  (staddr_data[AW-1:0]),
          .base   (st_base),
          .element(element_in),
          .oob    (oob_in)
      );
      loom_store_queue_tagged #(
          .AW     (EW + 2),
          .DW     (DW),
          .COUNT  (ST_COUNT),
          .DEPTH  (LSQ_DEPTH),
          .TIMEOUT(DEADLOCK_TIMEOUT)
      ) u_queue (
          .clk       (clk),
          .rst       (rst),
          .addr_valid(staddr_valid & ~addr_stray),
          .addr_ready(queue_addr_ready),
          .addr_tag  (st_tag[SW-1:0]),
          .addr_data ({~st_hit, oob_in, element_in}),
          .data_valid(stdata_valid & ~data_stray),
          .data_ready(queue_data_ready),
          .data_tag  (data_tag[SW-1:0]),
          .data_data (stdata_data[DW-1:0]),
          .pair_valid(pair_valid),
          .pair_tag  (pair_tag),
          .pair_addr ({st_unmapped, st_oob, st_element}),
          .pair_data (st_word),
          .pop       (st_pop),
          .keep      (1'b0),
          .deadlock  (deadlock),
          .idle      (queue_idle)
      );
      assign staddr_ready     = addr_stray ? room : queue_addr_ready;
      assign stdata_ready     = data_stray | queue_data_ready;
      assign addr_stray_taken = staddr_valid & addr_stray & room;
      assign st_stray         = addr_stray_taken | (stdata_valid & data_stray);
      assign st_pop           = pair_valid & room & ~addr_stray_taken & ~host;
      assign st_pop_tag       = TW'(pair_tag);
      assign st_fault         = st_unmapped | st_oob;

      // Done tokens: the stores in the order in which they were written.
      loom_fifo #(
          .W    (TW),
          .DEPTH(4)
      ) u_done (
          .clk      (clk),
          .rst      (rst),
          .in_valid (st_pop | addr_stray_taken),
          .in_ready (room),
          .in_data  (addr_stray_taken ? st_tag : st_pop_tag),
          .out_valid(stdone_valid),
          .out_ready(stdone_ready),
          .out_data (stdone_data),
          .idle     (done_idle)
      );
      assign st_idle = queue_idle & done_idle;
    end else begin : g_no_store
      logic unused_store;
      assign unused_store = staddr_valid | (|staddr_data) | stdata_valid | (|stdata_data) | stdone_ready | st_hit | (|st_base) | (|st_pop_tag);
      assign staddr_ready = 1'b0;
      assign stdata_ready = 1'b0;
      assign stdone_valid = 1'b0;
      assign stdone_data  = '0;
      assign st_pop       = 1'b0;
      assign st_pop_tag   = '0;
      assign st_element   = '0;
      assign st_word      = '0;
      assign st_unmapped  = 1'b0;
      assign st_oob       = 1'b0;
      assign st_stray     = 1'b0;
      assign st_fault     = 1'b0;
      assign st_idle      = 1'b1;
      assign deadlock     = 1'b0;
    end
  endgenerate

  assign idle = ld_idle & st_idle;

  // Errors, the smallest code first.
  logic stray, unmapped, out_of_bounds;
  assign stray         = ld_stray | st_stray;
  assign unmapped      = (ld_accept & ~ld_hit) | (st_pop & st_unmapped);
  assign out_of_bounds = (ld_accept & ld_oob) | (st_pop & st_oob);
  assign err_valid = ~rst & (overlap | empty | stray | deadlock | unmapped | out_of_bounds);
  assign err_code  = overlap ? loom_pkg::ERR_CFG_MEMORY_OVERLAP :
                     empty ? loom_pkg::ERR_CFG_MEMORY_EMPTY_RANGE :
                     stray ? loom_pkg::ERR_MEMORY_TAG_OOB :
                     deadlock ? loom_pkg::ERR_MEMORY_STORE_DEADLOCK :
                     unmapped ? loom_pkg::ERR_MEMORY_NO_MATCH :
                     loom_pkg::ERR_MEMORY_ADDR_OOB;

`ifdef LOOM_FORMAL
`include "loom_memory_tagged.svh"
`endif
endmodule
