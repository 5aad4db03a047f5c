// loom_fifo_transparent: queue behind a bypass.
//
// Function: keeps up to DEPTH words in order; while it is empty a word passes in the
//   same cycle.
// Parameters: W data bits; DEPTH slots, at least 1.
// Ports: channel in, channel out.
// Timing: out_valid = in_valid or not empty; in_ready = not full, from state alone. One
//   word per cycle.
// Rule: rtl/README.md "Storage".
module loom_fifo_transparent #(
    parameter int W     = 32,
    parameter int DEPTH = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data
);
  initial if (W < 1) $fatal(1, "loom_fifo_transparent: W must be at least 1");
  initial if (DEPTH < 1) $fatal(1, "loom_fifo_transparent: DEPTH must be at least 1");

  // Words enter at slot 0; the oldest is the last one in use.
  logic [DEPTH-1:0]   full;  // slot k is in use: those from 0 on
  logic [DEPTH*W-1:0] slots;
  logic push, pop;

  assign in_ready  = ~full[DEPTH-1];
  assign out_valid = in_valid | full[0];
  assign push      = in_valid & in_ready & ~(~full[0] & out_ready);
  assign pop       = full[0] & out_ready;

  always_comb begin
    out_data = in_data;
    for (int k = 0; k < DEPTH; k++) begin
      if (full[k]) out_data = slots[k*W +: W];
    end
  end

  always_ff @(posedge clk) begin
    if (rst) full <= '0;
    else if (push & ~pop) full <= DEPTH'({full, 1'b1});
    else if (pop & ~push) full <= full >> 1;
    if (push) slots <= (DEPTH*W)'({slots, in_data});
  end

`ifdef LOOM_FORMAL
`include "loom_fifo_transparent.svh"
`endif
endmodule
