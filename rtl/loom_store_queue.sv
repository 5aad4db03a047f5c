// loom_store_queue: pairs store addresses with store data.
//
// Function: two queues of DEPTH slots; while neither is empty the two heads are
//   the next store. The heads leave together with pop. Raises deadlock in the
//   TIMEOUT-th consecutive cycle in which exactly one queue is empty.
// Parameters: AW bits of an address; DW data bits; DEPTH slots per queue, at least 1;
//   TIMEOUT cycles, at least 1.
// Ports: channels addr and data in; pair_valid, pair_addr, pair_data, pop (only while
//   pair_valid); deadlock (one cycle per imbalance); idle (both empty).
// Timing: what is accepted in t is offered from t+1. A queue accepts when it is not
//   full or pops in this cycle; one store per cycle at any depth.
// Rule: spec-fabric-mem "Store Queue Semantics"; rtl/README.md "Memories".
module loom_store_queue #(
    parameter int AW      = 10,
    parameter int DW      = 32,
    parameter int DEPTH   = 4,
    parameter int TIMEOUT = 65535
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          addr_valid,
    output logic          addr_ready,
    input  logic [AW-1:0] addr_data,
    input  logic          data_valid,
    output logic          data_ready,
    input  logic [DW-1:0] data_data,
    output logic          pair_valid,
    output logic [AW-1:0] pair_addr,
    output logic [DW-1:0] pair_data,
    input  logic          pop,
    output logic          deadlock,
    output logic          idle
);
  initial if (DEPTH < 1 || TIMEOUT < 1) $fatal(1, "loom_store_queue: DEPTH and TIMEOUT must be at least 1");

  localparam int TW = loom_pkg::index_width(TIMEOUT + 1);
  localparam int ALMOST = TIMEOUT - 1;

  logic [AW-1:0] addr_slot [0:DEPTH-1];
  logic [DW-1:0] data_slot [0:DEPTH-1];
  logic addr_filled, addr_full, data_filled, data_full;
  logic addr_push, data_push;

  assign addr_ready = ~addr_full | pop;
  assign data_ready = ~data_full | pop;
  assign addr_push  = addr_valid & addr_ready;
  assign data_push  = data_valid & data_ready;
  assign pair_valid = addr_filled & data_filled;
  assign idle       = ~addr_filled & ~data_filled;

  generate
    if (DEPTH == 1) begin : g_one
      assign addr_full = addr_filled;
      assign data_full = data_filled;
      assign pair_addr = addr_slot[0];
      assign pair_data = data_slot[0];

      always_ff @(posedge clk) begin
        if (rst) begin
          addr_filled <= 1'b0;
          data_filled <= 1'b0;
        end else begin
          addr_filled <= addr_push | (addr_filled & ~pop);
          data_filled <= data_push | (data_filled & ~pop);
        end
        if (addr_push) addr_slot[0] <= addr_data;
        if (data_push) data_slot[0] <= data_data;
      end
    end else begin : g_ring
      // The heads leave together, so the queues share the read pointer.
      localparam int PW = $clog2(DEPTH);
      localparam int LAST = DEPTH - 1;
      logic [PW-1:0] rd, addr_wr, data_wr;
      logic [PW-1:0] rd_next, addr_wr_next, data_wr_next;

      assign rd_next      = (rd == LAST[PW-1:0]) ? '0 : rd + PW'(1);
      assign addr_wr_next = (addr_wr == LAST[PW-1:0]) ? '0 : addr_wr + PW'(1);
      assign data_wr_next = (data_wr == LAST[PW-1:0]) ? '0 : data_wr + PW'(1);
      assign pair_addr    = addr_slot[rd];
      assign pair_data    = data_slot[rd];

      always_ff @(posedge clk) begin
        if (rst) begin
          rd          <= '0;
          addr_wr     <= '0;
          data_wr     <= '0;
          addr_filled <= 1'b0;
          data_filled <= 1'b0;
          addr_full   <= 1'b0;
          data_full   <= 1'b0;
        end else begin
          if (pop) rd <= rd_next;
          if (addr_push) addr_wr <= addr_wr_next;
          if (data_push) data_wr <= data_wr_next;
          // Pointers meet after a push alone: full; after a pop alone: empty.
          if (addr_push != pop) begin
            addr_full   <= addr_push & (addr_wr_next == rd);
            addr_filled <= addr_push | (rd_next != addr_wr);
          end
          if (data_push != pop) begin
            data_full   <= data_push & (data_wr_next == rd);
            data_filled <= data_push | (rd_next != data_wr);
          end
        end
        if (addr_push) addr_slot[addr_wr] <= addr_data;
        if (data_push) data_slot[data_wr] <= data_data;
      end
    end
  endgenerate

  // Cycles of the present imbalance before this one; stops at TIMEOUT.
  logic [TW-1:0] waited;
  logic imbalance;
  assign imbalance = addr_filled ^ data_filled;
  assign deadlock  = imbalance & (waited == ALMOST[TW-1:0]);
  always_ff @(posedge clk) begin
    if (rst | ~imbalance) waited <= '0;
    else if (waited != TIMEOUT[TW-1:0]) waited <= waited + TW'(1);
  end

`ifdef LOOM_FORMAL
`include "loom_store_queue.svh"
`endif
endmodule
