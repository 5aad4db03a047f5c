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
      // head is offered; tail holds the word that arrived while head was not taken.
      logic head_full, tail_full;
      logic [W-1:0] head, tail;
      logic advance;

      assign out_valid = head_full;
      assign out_data  = head;
      assign in_ready  = ~tail_full;
      assign advance   = out_ready | ~head_full;

      always_ff @(posedge clk) begin
        if (rst) begin
          head_full <= 1'b0;
          tail_full <= 1'b0;
        end else begin
          head_full <= in_valid | tail_full | ~advance;
          tail_full <= ~advance & (in_valid | tail_full);
        end
        if (advance) head <= tail_full ? tail : in_data;
        if (~tail_full) tail <= in_data;
      end

`ifdef LOOM_FORMAL
      logic f_invariant;
      logic [W-1:0] f_at_place;
      assign f_invariant = (head_full == (f_count != 8'd0)) & (tail_full == (f_count == 8'd2));
      assign f_at_place  = (f_ahead == 8'd0) ? head : tail;
`include "loom_fifo_branch.svh"
`endif
    end else begin : g_ring
      localparam int PW = $clog2(DEPTH);
      logic [W-1:0] mem [0:DEPTH-1];
      logic [PW-1:0] wr, rd;
      logic full, filled;  // filled: not empty
      logic push, pop;
      logic [PW-1:0] wr_next, rd_next;
      logic last_slot, last_word;  // free and kept

      assign in_ready  = ~full;
      assign out_valid = filled;
      assign out_data  = mem[rd];
      assign push = in_valid & ~full;
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
          full   <= 1'b0;
          filled <= 1'b0;
        end else begin
          if (push) wr <= wr_next;
          if (pop) rd <= rd_next;
          // The pointers meet after a push alone: full; after a pop alone: empty. The handshake
          // comes late, so each flag is one function of four: a full queue is filled, and one whose
          // last slot is due is, too, so that out_ready says whether a word leaves.
          full   <= (full | (in_valid & last_slot)) & ~out_ready;
          filled <= push | (filled & ~(out_ready & last_word));
        end
        // A free slot may take whatever is there: the write does not wait for in_valid.
        if (~full) mem[wr] <= in_data;
      end

`ifdef LOOM_FORMAL
      logic f_invariant;
      logic [W-1:0] f_at_place;
      logic [7:0] f_place, f_distance;
      assign f_place     = {{(8 - PW) {1'b0}}, rd} + f_ahead;
      assign f_distance  = ({{(8 - PW) {1'b0}}, wr} >= {{(8 - PW) {1'b0}}, rd}) ? {{(8 - PW) {1'b0}}, wr} - {{(8 - PW) {1'b0}}, rd} : {{(8 - PW) {1'b0}}, wr} + DEPTH - {{(8 - PW) {1'b0}}, rd};
      assign f_invariant = (full == (f_count == DEPTH)) & (filled == (f_count != 8'd0)) &
                           (f_distance == (full ? 8'd0 : f_count)) & (wr < DEPTH) & (rd < DEPTH);
      assign f_at_place  = mem[(f_place >= DEPTH) ? f_place - DEPTH : f_place];
`include "loom_fifo_branch.svh"
`endif
    end
  endgenerate
endmodule
