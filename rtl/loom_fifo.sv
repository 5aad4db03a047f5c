// loom_fifo: first-word fall-through queue.
//
// Function: keeps up to DEPTH words in order.
// Parameters: W data bits; DEPTH slots, at least 1; HEAD 1: the oldest word is in a register, so
//   that out_data comes without a memory in front of it, for a multiplexer in front of that
//   register; HEAD 2: bit 0 of the oldest word is, for a word that may be a condition. The same in
//   every cycle. HEAD 1 is without effect up to DEPTH 3, HEAD 2 up to DEPTH 2, both in block RAM;
//   RAM 1 puts a queue in LUT RAM, RAM 2 (from DEPTH 5 on) in block RAM, RAM 0 those of more than
//   64 words of 8 bits or more in block RAM and all others in LUT RAM.
// Ports: channel in, channel out, idle (empty).
// Timing: a word accepted in cycle t is offered from t+1. One word per cycle at any
//   depth, full and empty alike. DEPTH >= 2: in_ready depends on state only (both
//   paths are registered). DEPTH = 1: in_ready = empty or out_ready (the forward
//   path only is registered).
// Storage: DEPTH 1 and 2 are registers (DEPTH 2 is the two-slot elastic buffer);
//   deeper queues are memories with asynchronous read, that is distributed RAM, with HEAD
//   of DEPTH - 1 words; or block RAM, with a queue of four words behind it that hides its latency.
// Rule: rtl/README.md "Storage"; design page "RTL", "Throughput and latency".
module loom_fifo #(
    parameter int W     = 32,
    parameter int DEPTH = 2,
    parameter int HEAD  = 0,
    parameter int RAM   = 0
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
  initial if (RAM < 0 || RAM > 2 || (RAM == 2 && DEPTH < 5)) $fatal(1, "loom_fifo: RAM is 0, 1 or, from DEPTH 5 on, 2");

  localparam bit BLOCK = (RAM == 2) || ((RAM == 0) && (DEPTH > 64) && (W >= 8));

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
    end else if (BLOCK) begin : g_block
      // Block RAM gives a word in the cycle after it is asked for. So the oldest words are in a queue
      // of four, which a word enters past the memory while that has none: straight away, or through
      // a register where the word before it comes out of the memory in this cycle. The memory only
      // gets words while four are in the queue or on the way to it, and is asked for one whenever
      // there are fewer: so there are three or more of them while it has words, and the queue is
      // never empty before the memory is.
      localparam int PW = $clog2(DEPTH);
      localparam int CW = $clog2(DEPTH + 1);

      (* ram_style = "block", no_rw_check *) logic [W-1:0] mem [0:(1<<PW)-1];
      logic [W-1:0] front [0:3];
      logic [W-1:0] read, skip;
      logic [PW-1:0] wr, rd, rd_next;
      logic [CW-1:0] count;
      logic [1:0] front_wr, front_rd;
      logic [3:0] above;      // above[k]: more than k words are in front
      logic room;
      logic some;             // in mem
      logic coming, fetched;  // a word comes to front in this cycle, and it is read
      logic push, pop, free, straight, beside, keep, ask, enter;

      assign in_ready  = room;
      assign out_valid = above[0];
      assign out_data  = front[front_rd];
      assign push      = in_valid & room;
      assign pop       = above[0] & out_ready;
      assign free      = ~above[3] & ~(above[2] & coming);  // in front, behind the word that comes
      assign straight  = push & ~some & ~coming & free;
      assign beside    = push & ~some & coming & free;
      assign keep      = push & (some | ~free);
      assign ask       = some & free;
      assign enter     = coming | straight;
      assign rd_next   = rd + PW'(1);

      always_ff @(posedge clk) begin
        if (rst) begin
          room     <= 1'b1;
          count    <= '0;
          wr       <= '0;
          rd       <= '0;
          some     <= 1'b0;
          coming   <= 1'b0;
          fetched  <= 1'b0;
          front_wr <= '0;
          front_rd <= '0;
          above    <= '0;
        end else begin
          room <= out_ready | (room & ~(in_valid & (count == CW'(DEPTH - 1))));
          if (push != pop) count <= push ? count + CW'(1) : count - CW'(1);
          if (keep) wr <= wr + PW'(1);
          if (ask) rd <= rd_next;
          some    <= keep | (some & ~(ask & (rd_next == wr)));
          coming  <= ask | beside;
          fetched <= ask;
          if (enter) front_wr <= front_wr + 2'd1;
          if (pop) front_rd <= front_rd + 2'd1;
          if (enter & ~pop) above <= (above << 1) | 4'd1;
          else if (pop & ~enter) above <= above >> 1;
        end
        skip <= in_data;
        if (keep) mem[wr] <= in_data;
        if (ask) read <= mem[rd];
        // Block RAM is slow to give its word, which passes one multiplexer.
        if (enter) front[front_wr] <= fetched ? read : (coming ? skip : in_data);
      end

`ifdef LOOM_FORMAL
      logic f_invariant;
      logic [W-1:0] f_at_place;
      logic [7:0] f_front, f_kept;
      logic [PW-1:0] f_span, f_place;
      assign f_span  = wr - rd;
      assign f_place = rd + PW'(f_ahead - f_front - {7'd0, coming});
      always_comb begin
        f_front = 8'($countones(above));
        f_kept  = 8'(count) - f_front - {7'd0, coming};
        if (f_ahead < f_front) f_at_place = front[front_rd+f_ahead[1:0]];
        else if (coming & (f_ahead == f_front)) f_at_place = fetched ? read : skip;
        else f_at_place = mem[f_place];
      end
      assign f_invariant = (8'(count) == f_count) & (room == (f_count != DEPTH)) & (f_front + {7'd0, coming} <= f_count) &
                           ((above == 4'd0) | (above == 4'd1) | (above == 4'd3) | (above == 4'd7) | (above == 4'd15)) &
                           (front_wr == front_rd + f_front[1:0]) & (f_kept == 8'(f_span)) & (some == (f_kept != 8'd0)) &
                           (f_front + {7'd0, coming} <= 8'd4) & (~some | (f_front + {7'd0, coming} >= 8'd3)) &
                           (~coming | (f_front != 8'd0)) & (~fetched | coming);
`include "loom_fifo_branch.svh"
`endif
    end else begin : g_ring
      // Places in the order of a de Bruijn sequence where that visits all 2^PW of them, or all but
      // place 0: the next place costs one look-up table, whatever PW is up to 6. Any other number
      // of places is counted.
      localparam bit FRONT  = ((HEAD == 1) || ((HEAD == 2) && (W == 1))) && (DEPTH >= 4);
      localparam bit FIRST_BIT = (HEAD == 2) && (W > 1);
      localparam int RING   = FRONT ? DEPTH - 1 : DEPTH;
      localparam int PW     = $clog2(RING);
      localparam int ALL    = ((RING == (1 << PW)) && (PW <= 6)) ? 1 : 0;
      localparam int SHIFT  = ((ALL != 0) || ((RING == (1 << PW) - 1) && (PW <= 6))) ? 1 : 0;
      localparam int FIRST  = ((SHIFT != 0) && (ALL == 0)) ? 1 : 0;
      localparam int PLACES = (SHIFT != 0) ? (1 << PW) : RING;
      // The bits that are fed back: a primitive polynomial of degree PW.
      localparam logic [5:0] TAPS = (PW == 5) ? 6'b010100 : 6'b000011 << ((PW > 1) ? PW - 2 : 0);

      function automatic logic [PW-1:0] after(input logic [PW-1:0] place);
        logic fed;
        fed = (^(place & PW'(TAPS))) ^ ((ALL != 0) & (place << 1 == '0));
        if (SHIFT != 0) after = (place << 1) | PW'(fed);
        else if (place == PW'(RING - 1)) after = '0;
        else after = place + PW'(1);
      endfunction

      logic [W-1:0] mem [0:PLACES-1];
      logic [PW-1:0] wr, rd, wr_next, rd_next;
      logic room, filled;  // filled: not empty
      logic push, pop;     // of mem
      logic not_pop;

      assign in_ready  = room;
      assign out_valid = filled;
      assign wr_next   = after(wr);
      assign rd_next   = after(rd);

      // The handshake comes late, so each flag is one function of few.
      if (FRONT) begin : g_head
        logic [W-1:0] head;  // the oldest word; without it there are none in mem
        logic some;          // in mem
        assign out_data = head;
        assign push     = in_valid & room & filled & (some | ~out_ready);
        assign pop      = some & out_ready;
        assign not_pop  = ~some | ~out_ready;
        // The pointers meet after a push alone: full; after a pop alone: empty. A queue without room
        // is filled, so that out_ready says whether a word leaves.
        always_ff @(posedge clk) begin
          if (rst) begin
            room   <= 1'b1;
            filled <= 1'b0;
            some   <= 1'b0;
          end else begin
            room   <= out_ready | (room & ~(in_valid & (wr_next == rd)));
            filled <= some | in_valid | (filled & ~out_ready);
            some   <= push | (some & ~(out_ready & (rd_next == wr)));
          end
          if (~filled | out_ready) head <= some ? mem[rd] : in_data;
        end
      end else begin : g_no_head
        assign push     = in_valid & room;
        assign pop      = filled & out_ready;
        assign not_pop  = ~filled | ~out_ready;
        if (FIRST_BIT) begin : g_first
          // Bit 0 has a memory of its own, which is read one place ahead.
          logic first;
          logic low [0:PLACES-1];
          assign out_data = {mem[rd][W-1:1], first};
          always_ff @(posedge clk) begin
            if (room) low[wr] <= in_data[0];
            if (~filled | out_ready) first <= (~filled | (rd_next == wr)) ? in_data[0] : low[rd_next];
          end
        end else begin : g_words
          assign out_data = mem[rd];
        end
        if (DEPTH <= 4) begin : g_levels
          logic [DEPTH-1:0] above;  // above[k]: more than k words are there
          assign room   = ~above[DEPTH-1];
          assign filled = above[0];
          always_ff @(posedge clk) begin
            if (rst) above <= '0;
            else if (push & not_pop) above <= (above << 1) | DEPTH'(1);
            else if (pop & ~push) above <= above >> 1;
          end
        end else begin : g_pointers
          always_ff @(posedge clk) begin
            if (rst) begin
              room   <= 1'b1;
              filled <= 1'b0;
            end else begin
              // As above; a queue whose last slot is due is filled, too.
              room   <= out_ready | (room & ~(in_valid & (wr_next == rd)));
              filled <= push | (filled & ~(out_ready & (rd_next == wr)));
            end
          end
        end
      end

      always_ff @(posedge clk) begin
        if (rst) begin
          wr <= PW'(FIRST);
          rd <= PW'(FIRST);
        end else begin
          if (push) wr <= wr_next;
          // Yosys takes a read address whose bits are registers of one kind into the memory, and
          // then makes a second one of it, with a look-up table for each bit.
          if (pop) rd[PW-1:1] <= rd_next[PW-1:1];
          if (~not_pop) rd[0] <= rd_next[0];
        end
        // A free slot may take whatever is there: the write does not wait for in_valid.
        if (room) mem[wr] <= in_data;
      end

`ifdef LOOM_FORMAL
      logic f_invariant, f_met, f_some, f_first;
      logic [W-1:0] f_at_place;
      logic [7:0] f_kept, f_distance;  // in mem, and places from rd to wr
      logic [PW-1:0] f_place, f_walk;
      localparam bit [7:0] F_HEAD = FRONT ? 8'd1 : 8'd0;
      always_comb begin
        f_place    = rd;
        f_walk     = rd;
        f_distance = 8'd0;
        f_met      = wr == rd;
        for (int k = 0; k < RING; k++) begin
          if (8'(k) + F_HEAD < f_ahead) f_place = after(f_place);
          f_walk = after(f_walk);
          if (!f_met) f_distance = 8'(k + 1);
          f_met = f_met | (f_walk == wr);
        end
      end
      if (FRONT) begin : g_f_head
        assign f_some = g_head.some == (f_kept != 8'd0);
      end else if (DEPTH <= 4) begin : g_f_levels
        assign f_some = g_no_head.g_levels.above == DEPTH'((16'd1 << f_count) - 16'd1);
      end else begin : g_f_pointers
        assign f_some = 1'b1;
      end
      if (FIRST_BIT) begin : g_f_first
        assign f_first    = ~filled | (out_data[0] == g_no_head.g_first.low[rd]);
        assign f_at_place = (f_ahead == 8'd0) ? out_data : {mem[f_place][W-1:1], g_no_head.g_first.low[f_place]};
      end else begin : g_f_words
        assign f_first    = 1'b1;
        assign f_at_place = (FRONT && (f_ahead == 8'd0)) ? out_data : mem[f_place];
      end
      assign f_kept      = (f_count == 8'd0) ? 8'd0 : f_count - F_HEAD;
      assign f_invariant = (room == (f_count != DEPTH)) & (filled == (f_count != 8'd0)) &
                           (f_distance == (room ? f_kept : 8'd0)) & f_some & f_met & f_first &
                           (wr < PLACES) & (rd < PLACES) & (wr >= PW'(FIRST)) & (rd >= PW'(FIRST));
`include "loom_fifo_branch.svh"
`endif
    end
  endgenerate
endmodule
