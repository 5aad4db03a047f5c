// loom_fifo: first-word fall-through queue.
//
// Function: keeps up to DEPTH words in order.
// Parameters: W data bits; DEPTH slots, at least 1.
// Ports: channel in, channel out, idle (empty).
// Timing: a word accepted in cycle t is offered from t+1. One word per cycle at any
//   depth, full and empty alike. DEPTH >= 2: in_ready depends on state only (both
//   paths are registered). DEPTH = 1: in_ready = empty or out_ready (the forward
//   path only is registered).
// Storage: DEPTH 1 and 2 are registers (DEPTH 2 is the two-slot elastic buffer);
//   deeper queues are memories with asynchronous read, that is distributed RAM.
// Rule: rtl/README.md "Storage"; design page "RTL", "Throughput and latency".
module loom_fifo #(
    parameter int W     = 32,
    parameter int DEPTH = 2
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data,
    output logic         idle
);
  initial if (W < 1) $fatal(1, "loom_fifo: W must be at least 1");
  initial if (DEPTH < 1) $fatal(1, "loom_fifo: DEPTH must be at least 1");

  assign idle = ~out_valid;

`ifdef LOOM_FORMAL
`include "loom_fifo.svh"
`endif

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
  // Handshake and bounds, for simulators: rtl/README.md "Assertions".
  logic a_in_waits, a_out_waits, a_push, a_pop;
  logic [W-1:0] a_in_data, a_out_data;
  int a_count;
  assign a_push = in_valid & in_ready;
  assign a_pop  = out_valid & out_ready;
  always @(posedge clk) begin
    a_in_waits  <= ~rst & in_valid & ~in_ready;
    a_out_waits <= ~rst & out_valid & ~out_ready;
    a_in_data   <= in_data;
    a_out_data  <= out_data;
    if (rst) a_count <= 0;
    else a_count <= a_count + int'(a_push) - int'(a_pop);
    if (rst === 1'b0) begin
      if (in_valid !== 1'b0 && in_valid !== 1'b1) $error("LOOM_ASSERT: %m: in_valid is neither 0 nor 1");
      if (out_valid !== 1'b0 && out_valid !== 1'b1) $error("LOOM_ASSERT: %m: out_valid is neither 0 nor 1");
      if (a_in_waits === 1'b1 && in_valid !== 1'b1) $error("LOOM_ASSERT: %m: a token at the input was withdrawn before it was taken");
      if (a_in_waits === 1'b1 && in_data !== a_in_data) $error("LOOM_ASSERT: %m: a token at the input changed before it was taken");
      if (a_out_waits === 1'b1 && out_valid !== 1'b1) $error("LOOM_ASSERT: %m: a token at the output was withdrawn before it was taken");
      if (a_out_waits === 1'b1 && out_data !== a_out_data) $error("LOOM_ASSERT: %m: a token at the output changed before it was taken");
      if (a_count < 0 || a_count > DEPTH) $error("LOOM_ASSERT: %m: holds %0d tokens, has %0d slots", a_count, DEPTH);
      if ((a_count != 0) !== out_valid) $error("LOOM_ASSERT: %m: out_valid is %b with %0d tokens inside", out_valid, a_count);
    end
  end
`endif
`endif

  generate
    if (DEPTH == 1) begin : g_one
      logic         full;
      logic [W-1:0] slot;

      assign out_valid = full;
      assign out_data  = slot;
      assign in_ready  = ~full | out_ready;

      always_ff @(posedge clk) begin
        if (rst) full <= 1'b0;
        else if (in_ready) full <= in_valid;
        if (in_ready) slot <= in_data;
      end

`ifdef LOOM_FORMAL
      logic f_invariant;
      logic [W-1:0] f_at_place;
      assign f_invariant = full == (f_count == 8'd1);
      assign f_at_place  = slot;
`include "loom_fifo_branch.svh"
`endif
    end else if (DEPTH == 2) begin : g_two
      // Words arrive in the two slots in turn. The handshake comes late in its cycle, and what it
      // changes are four flags, of four signals each: no slot waits for it, and a free one may take
      // whatever is there.
      logic room, filled;  // filled: not empty
      logic rd;            // the slot that is offered, or the next one in an empty queue
      logic wr;
      logic [W-1:0] slot0, slot1;

      assign out_valid = filled;
      assign out_data  = rd ? slot1 : slot0;
      assign in_ready  = room;
      assign wr        = rd ^ filled;

      always_ff @(posedge clk) begin
        if (rst) begin
          room   <= 1'b1;
          filled <= 1'b0;
          rd     <= 1'b0;
        end else begin
          room   <= out_ready | (room & ~(in_valid & filled));
          filled <= in_valid | ~room | (filled & ~out_ready);
          rd     <= rd ^ (filled & out_ready);
        end
        if (room & ~wr) slot0 <= in_data;
        if (room & wr) slot1 <= in_data;
      end

`ifdef LOOM_FORMAL
      logic f_invariant;
      logic [W-1:0] f_at_place;
      assign f_invariant = (filled == (f_count != 8'd0)) & (room == (f_count != 8'd2));
      assign f_at_place  = (rd ^ f_ahead[0]) ? slot1 : slot0;
`include "loom_fifo_branch.svh"
`endif
    end else begin : g_ring
      localparam int PW = $clog2(DEPTH);
      logic [W-1:0] mem [0:DEPTH-1];
      logic [PW-1:0] wr, rd;
      logic room, filled;  // filled: not empty
      logic push, pop;
      logic [PW-1:0] wr_next, rd_next;
      logic last_slot, last_word;  // free and kept

      assign in_ready  = room;
      assign out_valid = filled;
      assign out_data  = mem[rd];
      assign push = in_valid & room;
      assign pop  = filled & out_ready;
      assign last_slot = wr_next == rd;
      assign last_word = rd_next == wr;
      // A power of two wraps around by itself.
      if (DEPTH == (1 << PW)) begin : g_power
        assign wr_next = wr + PW'(1);
        assign rd_next = rd + PW'(1);
      end else begin : g_wrap
        localparam int LAST = DEPTH - 1;
        assign wr_next = (wr == LAST[PW-1:0]) ? '0 : wr + PW'(1);
        assign rd_next = (rd == LAST[PW-1:0]) ? '0 : rd + PW'(1);
      end

      always_ff @(posedge clk) begin
        if (rst) begin
          wr     <= '0;
          rd     <= '0;
          room   <= 1'b1;
          filled <= 1'b0;
        end else begin
          if (push) wr <= wr_next;
          if (pop) rd <= rd_next;
          // The pointers meet after a push alone: full; after a pop alone: empty. The handshake
          // comes late, so each flag is one function of four: a queue without room is filled, and one
          // whose last slot is due is, too, so that out_ready says whether a word leaves.
          room   <= out_ready | (room & ~(in_valid & last_slot));
          filled <= push | (filled & ~(out_ready & last_word));
        end
        // A free slot may take whatever is there: the write does not wait for in_valid.
        if (room) mem[wr] <= in_data;
      end

`ifdef LOOM_FORMAL
      logic f_invariant;
      logic [W-1:0] f_at_place;
      logic [7:0] f_place, f_distance;
      assign f_place     = {{(8 - PW) {1'b0}}, rd} + f_ahead;
      assign f_distance  = ({{(8 - PW) {1'b0}}, wr} >= {{(8 - PW) {1'b0}}, rd}) ? {{(8 - PW) {1'b0}}, wr} - {{(8 - PW) {1'b0}}, rd} : {{(8 - PW) {1'b0}}, wr} + DEPTH - {{(8 - PW) {1'b0}}, rd};
      assign f_invariant = (room == (f_count != DEPTH)) & (filled == (f_count != 8'd0)) &
                           (f_distance == (room ? f_count : 8'd0)) & (wr < DEPTH) & (rd < DEPTH);
      assign f_at_place  = mem[(f_place >= DEPTH) ? f_place - DEPTH : f_place];
`include "loom_fifo_branch.svh"
`endif
    end
  endgenerate
endmodule
