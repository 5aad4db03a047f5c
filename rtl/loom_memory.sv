// loom_memory: on-chip memory with at most one load and one store port.
//
// Function: fabric.memory, untagged. The first valid region serves every request:
//   element = index + addr_offset / element bytes. A faulting access has no side
//   effect, a load yields 0, the done token comes.
// Parameters: AW bits of an index; DW bits of an element (8, 16, 32 or 64); DEPTH
//   elements; LD, ST: 1 where the port group exists (the other group's inputs are
//   ignored, its outputs idle); LSQ_DEPTH slots for store addresses and data each;
//   NUM_REGION table entries; DEADLOCK_TIMEOUT cycles; HOST: 1 gives the host port.
// Ports: cfg_region: entries from the low end, each valid (bit 0) and addr_offset in
//   bytes (loom_pkg::offset_width(DEPTH, DW) bits; unaligned offsets are rounded down);
//   channels ldaddr, staddr, stdata in; channel lddata, control channels lddone and
//   stdone out; host_*: reads (data in the next cycle) or writes an element; the fabric's
//   own accesses wait in such a cycle; error; idle.
// Timing: ldaddr is accepted while fewer than 4 data and fewer than 4 done tokens are
//   in flight. Accepted in t: data and done are offered from t+2, independently and in
//   order. A store is written when address and data have met and fewer than 4 done
//   tokens are in flight; its done is offered from the next cycle. One load and one
//   store per cycle. A load accepted in the cycle of a write to its element reads the
//   old value.
// Errors: 12 two valid regions; 261 store address or data alone for DEADLOCK_TIMEOUT
//   cycles; 264 no valid region, 512 beyond the capacity: a load's in the cycle of
//   acceptance, a store's in the cycle it would be written.
// Rule: spec-fabric-mem; rtl/README.md "Memories".
module loom_memory #(
    parameter int AW               = 32,
    parameter int DW               = 32,
    parameter int DEPTH            = 1024,
    parameter int LD               = 1,
    parameter int ST               = 1,
    parameter int LSQ_DEPTH        = 4,
    parameter int NUM_REGION       = 1,
    parameter int DEADLOCK_TIMEOUT = 65535,
    parameter int HOST             = 0
) (
    input  logic          clk,
    input  logic          rst,
    input  logic [NUM_REGION*(1+loom_pkg::offset_width(DEPTH, DW))-1:0] cfg_region,
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
    input  logic          host_en,
    input  logic          host_we,
    input  logic [loom_pkg::index_width(DEPTH)-1:0] host_addr,
    input  logic [DW-1:0] host_wdata,
    output logic [DW-1:0] host_rdata,
    output logic          err_valid,
    output logic [15:0]   err_code,
    output logic          idle
);
  initial if (DW != 8 && DW != 16 && DW != 32 && DW != 64) $fatal(1, "loom_memory: DW must be 8, 16, 32 or 64");
  initial if (DEPTH < 1 || NUM_REGION < 1) $fatal(1, "loom_memory: DEPTH and NUM_REGION must be at least 1");
  initial if (LD + ST < 1 || LD > 1 || ST > 1) $fatal(1, "loom_memory: LD and ST are 0 or 1, not both 0");

  localparam int EW    = loom_pkg::index_width(DEPTH);  // bits of an element number
  localparam int OW    = loom_pkg::offset_width(DEPTH, DW);
  localparam int SHIFT = $clog2(DW / 8);

  // The region in effect.
  logic [NUM_REGION-1:0] valid;
  logic [OW-1:0] offset;
  logic [EW-1:0] base;
  logic overlap, no_region;

  loom_region #(
      .NUM_REGION(NUM_REGION),
      .OW        (OW)
  ) u_region (
      .cfg_region(cfg_region),
      .valid     (valid),
      .offset    (offset),
      .overlap   (overlap)
  );
  assign base      = EW'(offset >> SHIFT);
  assign no_region = ~|valid;

  // The RAM: read and written at most once per cycle, by the fabric or the host.
  logic          host;
  logic          ld_accept, ld_oob, ld_fault, st_pop, st_oob, st_fault;
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

  // Load port.
  logic ld_idle;
  generate
    if (LD != 0) begin : g_load
      logic [2:0] data_under_way, done_under_way;  // accepted, not yet left: 0...4
      logic       reading, faulty;                 // accepted in the cycle before
      logic [1:0] wr, rd;
      logic [DW-1:0] answers [0:3];
      logic       data_left, done_left;

      loom_element #(
          .AW   (AW),
          .EW   (EW),
          .DEPTH(DEPTH)
      ) u_element (
          .index  (ldaddr_data),
          .base   (base),
          .element(ld_element),
          .oob    (ld_oob)
      );
      assign ldaddr_ready = ~data_under_way[2] & ~done_under_way[2] & ~host;
      assign ld_accept    = ldaddr_valid & ldaddr_ready;
      assign ld_fault     = no_region | ld_oob;

      // What was accepted in the cycle before is in flight, but not yet offered.
      assign lddata_valid = data_under_way != {2'b00, reading};
      assign lddone_valid = done_under_way != {2'b00, reading};
      assign lddata_data  = answers[rd];
      assign data_left    = lddata_valid & lddata_ready;
      assign done_left    = lddone_valid & lddone_ready;
      assign ld_idle      = ~|data_under_way & ~|done_under_way;

      always_ff @(posedge clk) begin
        if (rst) begin
          data_under_way <= '0;
          done_under_way <= '0;
          reading        <= 1'b0;
          wr             <= '0;
          rd             <= '0;
        end else begin
          if (ld_accept != data_left) data_under_way <= ld_accept ? data_under_way + 3'd1 : data_under_way - 3'd1;
          if (ld_accept != done_left) done_under_way <= ld_accept ? done_under_way + 3'd1 : done_under_way - 3'd1;
          reading <= ld_accept;
          if (reading) wr <= wr + 2'd1;
          if (data_left) rd <= rd + 2'd1;
        end
        faulty <= ld_fault;
        if (reading) answers[wr] <= faulty ? '0 : ram_rdata;
      end
    end else begin : g_no_load
      logic unused_load;
      assign unused_load  = ldaddr_valid | (|ldaddr_data) | lddata_ready | lddone_ready | (|ram_rdata);
      assign ldaddr_ready = 1'b0;
      assign lddata_valid = 1'b0;
      assign lddata_data  = '0;
      assign lddone_valid = 1'b0;
      assign ld_accept    = 1'b0;
      assign ld_element   = '0;
      assign ld_oob       = 1'b0;
      assign ld_fault     = 1'b0;
      assign ld_idle      = 1'b1;
    end
  endgenerate

  // Store port.
  logic st_idle, deadlock;
  generate
    if (ST != 0) begin : g_store
      logic [2:0]    done_under_way;  // written, done not yet taken: 0...4
      logic          pair_valid, queue_idle, done_left, oob_in;
      logic [EW-1:0] element_in;

      // The queue keeps element numbers, which are shorter than indices.
      loom_element #(
          .AW   (AW),
          .EW   (EW),
          .DEPTH(DEPTH)
      ) u_element (
          .index  (staddr_data),
          .base   (base),
          .element(element_in),
          .oob    (oob_in)
      );
      loom_store_queue #(
          .AW     (EW + 1),
          .DW     (DW),
          .DEPTH  (LSQ_DEPTH),
          .TIMEOUT(DEADLOCK_TIMEOUT)
      ) u_queue (
          .clk       (clk),
          .rst       (rst),
          .addr_valid(staddr_valid),
          .addr_ready(staddr_ready),
          .addr_data ({oob_in, element_in}),
          .data_valid(stdata_valid),
          .data_ready(stdata_ready),
          .data_data (stdata_data),
          .pair_valid(pair_valid),
          .pair_addr ({st_oob, st_element}),
          .pair_data (st_word),
          .pop       (st_pop),
          .deadlock  (deadlock),
          .idle      (queue_idle)
      );
      assign st_pop       = pair_valid & ~done_under_way[2] & ~host;
      assign st_fault     = no_region | st_oob;
      assign stdone_valid = |done_under_way;
      assign done_left    = stdone_valid & stdone_ready;
      assign st_idle      = queue_idle & ~stdone_valid;

      always_ff @(posedge clk) begin
        if (rst) done_under_way <= '0;
        else if (st_pop != done_left) done_under_way <= st_pop ? done_under_way + 3'd1 : done_under_way - 3'd1;
      end
    end else begin : g_no_store
      logic unused_store;
      assign unused_store = staddr_valid | (|staddr_data) | stdata_valid | (|stdata_data) | stdone_ready;
      assign staddr_ready = 1'b0;
      assign stdata_ready = 1'b0;
      assign stdone_valid = 1'b0;
      assign st_pop       = 1'b0;
      assign st_element   = '0;
      assign st_word      = '0;
      assign st_oob       = 1'b0;
      assign st_fault     = 1'b0;
      assign st_idle      = 1'b1;
      assign deadlock     = 1'b0;
    end
  endgenerate

  assign idle = ld_idle & st_idle;

  // Errors, the smallest code first.
  logic access, out_of_bounds;
  assign access        = ld_accept | st_pop;
  assign out_of_bounds = (ld_accept & ld_oob) | (st_pop & st_oob);
  assign err_valid = ~rst & (overlap | deadlock | (access & no_region) | out_of_bounds);
  assign err_code  = overlap ? loom_pkg::ERR_CFG_MEMORY_OVERLAP :
                     deadlock ? loom_pkg::ERR_MEMORY_STORE_DEADLOCK :
                     no_region ? loom_pkg::ERR_MEMORY_NO_MATCH :
                     loom_pkg::ERR_MEMORY_ADDR_OOB;

`ifdef LOOM_FORMAL
`include "loom_memory.svh"
`endif
endmodule
