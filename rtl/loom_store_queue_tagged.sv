// loom_store_queue_tagged: pairs store addresses with store data, per tag.
//
// Function: COUNT store queues behind one address and one data channel. Per tag the n-th
//   address meets the n-th datum; tags that have a pair are served
//   round robin. Raises deadlock in the TIMEOUT-th consecutive cycle in which a tag has
//   only addresses or only data.
// Parameters: AW bits of an address; DW data bits; COUNT tags; DEPTH addresses and DEPTH
//   data per tag; TIMEOUT cycles; each at least 1.
// Ports: channels addr and data in, each with its tag (below COUNT); pair_valid, pair_tag,
//   pair_addr, pair_data: the next store; pop, keep (only while pair_valid): it leaves, or
//   stays the next one if it does not leave; deadlock (one cycle per imbalance of a tag);
//   idle (all empty).
// Timing: what is accepted in t is offered from t+1. A queue accepts when it is not full
//   or pops in this cycle; one store per cycle at any depth, from one tag or several. The
//   next store is that of the first tag with a pair after the one that popped last,
//   cyclic; after reset tag 0 is first. Without keep it may change while it is not popped.
// Storage: one distributed RAM for all addresses and one for all data.
// Rule: spec-fabric-mem "Store Queue Semantics"; rtl/README.md "Memories".
module loom_store_queue_tagged #(
    parameter int AW      = 10,
    parameter int DW      = 32,
    parameter int COUNT   = 2,
    parameter int DEPTH   = 4,
    parameter int TIMEOUT = 65535
) (
    input  logic          clk,
    input  logic          rst,
    input  logic          addr_valid,
    output logic          addr_ready,
    input  logic [loom_pkg::index_width(COUNT)-1:0] addr_tag,
    input  logic [AW-1:0] addr_data,
    input  logic          data_valid,
    output logic          data_ready,
    input  logic [loom_pkg::index_width(COUNT)-1:0] data_tag,
    input  logic [DW-1:0] data_data,
    output logic          pair_valid,
    output logic [loom_pkg::index_width(COUNT)-1:0] pair_tag,
    output logic [AW-1:0] pair_addr,
    output logic [DW-1:0] pair_data,
    input  logic          pop,
    input  logic          keep,
    output logic          deadlock,
    output logic          idle
);
  initial if (COUNT < 1 || DEPTH < 1 || TIMEOUT < 1) $fatal(1, "loom_store_queue_tagged: COUNT, DEPTH and TIMEOUT must be at least 1");

  localparam int SW     = loom_pkg::index_width(COUNT);
  localparam int PW     = loom_pkg::index_width(DEPTH);
  localparam int CW     = loom_pkg::index_width(TIMEOUT + 1);
  localparam int LAST   = DEPTH - 1;
  localparam int ALMOST = TIMEOUT - 1;

  // State per tag: the heads leave together, so both sides share the read pointer.
  logic [COUNT*PW-1:0] rd, addr_wr, data_wr;
  logic [COUNT-1:0] addr_filled, addr_full, data_filled, data_full;
  logic [COUNT*CW-1:0] waited;  // cycles of the present imbalance before this one, up to TIMEOUT
  logic [COUNT-1:0] alarm;
  logic addr_push, data_push;

  assign addr_push  = addr_valid & addr_ready;
  assign data_push  = data_valid & data_ready;
  assign pair_valid = |(addr_filled & data_filled);
  assign deadlock   = |alarm;
  assign idle       = ~|addr_filled & ~|data_filled;

  // The next tag is the first with a pair above the last one, else the first of all.
  // With keep, a tag becomes the next by making its predecessor the last.
  logic [SW-1:0] last;
  always_comb begin
    pair_tag = '0;
    for (int k = COUNT - 1; k >= 0; k--) begin
      if (addr_filled[k] & data_filled[k]) pair_tag = SW'(k);
    end
    for (int k = COUNT - 1; k >= 1; k--) begin
      if (addr_filled[k] & data_filled[k] & (SW'(k) > last)) pair_tag = SW'(k);
    end
  end
  always_ff @(posedge clk) begin
    if (rst) last <= SW'(COUNT - 1);
    else if (pop) last <= pair_tag;
    else if (keep) last <= (pair_tag == '0) ? SW'(COUNT - 1) : pair_tag - SW'(1);
  end

  // The slots in use, and whether there is one.
  logic [PW-1:0] rd_at, addr_at, data_at;
  always_comb begin
    addr_ready = 1'b0;
    data_ready = 1'b0;
    rd_at      = '0;
    addr_at    = '0;
    data_at    = '0;
    for (int k = 0; k < COUNT; k++) begin
      if (pair_tag == SW'(k)) rd_at = rd_at | rd[k*PW +: PW];
      if (addr_tag == SW'(k)) begin
        addr_at    = addr_at | addr_wr[k*PW +: PW];
        addr_ready = ~addr_full[k] | (pop & (pair_tag == SW'(k)));
      end
      if (data_tag == SW'(k)) begin
        data_at    = data_at | data_wr[k*PW +: PW];
        data_ready = ~data_full[k] | (pop & (pair_tag == SW'(k)));
      end
    end
  end

  logic [AW-1:0] addr_slot [0:(1<<(SW+PW))-1];
  logic [DW-1:0] data_slot [0:(1<<(SW+PW))-1];
  assign pair_addr = addr_slot[{pair_tag, rd_at}];
  assign pair_data = data_slot[{pair_tag, rd_at}];
  always_ff @(posedge clk) begin
    if (addr_push) addr_slot[{addr_tag, addr_at}] <= addr_data;
    if (data_push) data_slot[{data_tag, data_at}] <= data_data;
  end

  generate
    for (genvar k = 0; k < COUNT; k++) begin : g_tag
      logic          popped, addr_pushed, data_pushed;
      logic [PW-1:0] my_rd, my_addr_wr, my_data_wr;
      logic [PW-1:0] rd_next, addr_wr_next, data_wr_next;
      logic [CW-1:0] my_waited;
      logic          imbalance;

      assign popped       = pop & (pair_tag == SW'(k));
      assign addr_pushed  = addr_push & (addr_tag == SW'(k));
      assign data_pushed  = data_push & (data_tag == SW'(k));
      assign rd_next      = (my_rd == LAST[PW-1:0]) ? '0 : my_rd + PW'(1);
      assign addr_wr_next = (my_addr_wr == LAST[PW-1:0]) ? '0 : my_addr_wr + PW'(1);
      assign data_wr_next = (my_data_wr == LAST[PW-1:0]) ? '0 : my_data_wr + PW'(1);
      assign rd[k*PW +: PW]      = my_rd;
      assign addr_wr[k*PW +: PW] = my_addr_wr;
      assign data_wr[k*PW +: PW] = my_data_wr;
      assign waited[k*CW +: CW]  = my_waited;

      always_ff @(posedge clk) begin
        if (rst) begin
          my_rd          <= '0;
          my_addr_wr     <= '0;
          my_data_wr     <= '0;
          addr_filled[k] <= 1'b0;
          data_filled[k] <= 1'b0;
          addr_full[k]   <= 1'b0;
          data_full[k]   <= 1'b0;
        end else begin
          if (popped) my_rd <= rd_next;
          if (addr_pushed) my_addr_wr <= addr_wr_next;
          if (data_pushed) my_data_wr <= data_wr_next;
          // Pointers meet after a push alone: full; after a pop alone: empty.
          if (addr_pushed != popped) begin
            addr_full[k]   <= addr_pushed & (addr_wr_next == my_rd);
            addr_filled[k] <= addr_pushed | (rd_next != my_addr_wr);
          end
          if (data_pushed != popped) begin
            data_full[k]   <= data_pushed & (data_wr_next == my_rd);
            data_filled[k] <= data_pushed | (rd_next != my_data_wr);
          end
        end
      end

      assign imbalance = addr_filled[k] ^ data_filled[k];
      assign alarm[k]  = imbalance & (waited[k*CW +: CW] == ALMOST[CW-1:0]);
      always_ff @(posedge clk) begin
        if (rst | ~imbalance) my_waited <= '0;
        else if (my_waited != TIMEOUT[CW-1:0]) my_waited <= my_waited + CW'(1);
      end
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_store_queue_tagged.svh"
`endif
endmodule
