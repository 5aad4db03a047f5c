// loom_temporal_sw: crossbar routed by tags; merges and splits tagged streams.
//
// Function: fabric.temporal_sw. A token takes the routes of the slot with its tag. Every
//   output takes one of the tokens that want it, round robin (loom_arbiter); a token with
//   several routes is delivered exactly once to each of them, in any order (eager), and is
//   released when all have taken it.
//   A token whose tag is in no valid slot is dropped with code 257, one whose slot does
//   not route its input with 263. One slot routing two inputs to one output: code 4; a tag
//   in two valid slots: code 5, both as long as the configuration lasts. Routes are then
//   merged as any others; a tag in several slots has the routes of all.
// Parameters: W bits of a channel, the highest TW of them tag; N_IN inputs, N_OUT outputs;
//   CONNECT[o*N_IN+i]: input i can be routed to output o; N_ROUTES: number of ones in
//   CONNECT (at least 1); NUM_SLOT slots.
// Ports: cfg_slot: slots from the low end, each valid (bit 0), tag, then one route bit per
//   connected pair, output-major (design page "Configuration image"); N_IN channels in,
//   N_OUT channels out; error; idle (no token partly delivered).
// Timing: combinational, one token per cycle at every output. out_valid does not depend
//   on out_ready.
// Rule: rtl/README.md "Tags"; design page "Fabric", "PEs and switches".
module loom_temporal_sw #(
    parameter int W        = 36,
    parameter int TW       = 4,
    parameter int N_IN     = 5,
    parameter int N_OUT    = 5,
    parameter logic [N_OUT*N_IN-1:0] CONNECT = {N_OUT*N_IN{1'b1}},
    parameter int N_ROUTES = N_OUT * N_IN,
    parameter int NUM_SLOT = 4
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [NUM_SLOT*(1+TW+N_ROUTES)-1:0] cfg_slot,
    input  logic [N_IN-1:0]    in_valid,
    output logic [N_IN-1:0]    in_ready,
    input  logic [N_IN*W-1:0]  in_data,
    output logic [N_OUT-1:0]   out_valid,
    input  logic [N_OUT-1:0]   out_ready,
    output logic [N_OUT*W-1:0] out_data,
    output logic               err_valid,
    output logic [15:0]        err_code,
    output logic               idle
);
  localparam int PAIRS = N_OUT * N_IN;
  localparam int SLOT = 1 + TW + N_ROUTES;
  localparam int ROUTES = $countones(CONNECT);

  initial if (TW < 1 || W < TW) $fatal(1, "loom_temporal_sw: TW must be at least 1, W at least TW");
  initial if (N_IN < 1 || N_OUT < 1 || NUM_SLOT < 1) $fatal(1, "loom_temporal_sw: N_IN, N_OUT and NUM_SLOT must be at least 1");
  initial if (ROUTES != N_ROUTES) $fatal(1, "loom_temporal_sw: N_ROUTES must be the number of ones in CONNECT");

  logic [NUM_SLOT-1:0] again;  // the tag is in an earlier valid slot, too
  logic [NUM_SLOT-1:0] mixed;  // two inputs to one output
  logic [N_OUT-1:0]    partial;
  logic [N_IN-1:0]     matched, routed;

  // wanted: for every output the inputs with a route in the slot of their token's
  // tag. Vectors over the inputs, or-ed from slot to slot.
  generate
    for (genvar s = 0; s < NUM_SLOT; s++) begin : g_slot
      logic             valid;
      logic [TW-1:0]    tag;
      logic [N_IN-1:0]  match, seen;  // seen: matched in a slot up to this
      logic [N_OUT-1:0] crossing;

      assign valid = cfg_slot[s*SLOT];
      assign tag   = cfg_slot[s*SLOT+1 +: TW];
      for (genvar i = 0; i < N_IN; i++) begin : g_match
        assign match[i] = valid & (in_data[(i+1)*W-1 -: TW] == tag);
      end
      for (genvar o = 0; o < N_OUT; o++) begin : g_row
        logic [N_IN-1:0] row, wanted;
        logic [N_IN-1:0] second;  // another route of the row comes before this
        for (genvar i = 0; i < N_IN; i++) begin : g_in
          if (CONNECT[o*N_IN+i]) begin : g_connected
            // Route bits of unconnected pairs do not exist: count those below.
            localparam int P = o * N_IN + i;
            localparam int POS = (P == 0) ? 0 : $countones(CONNECT & ~({PAIRS{1'b1}} << P));
            assign row[i] = cfg_slot[s*SLOT+1+TW+POS];
          end else begin : g_absent
            assign row[i] = 1'b0;
          end
        end
        for (genvar i = 0; i < N_IN; i++) begin : g_second
          if (i == 0) begin : g_none
            assign second[i] = 1'b0;
          end else begin : g_some
            assign second[i] = row[i] & (|row[i-1:0]);
          end
        end
        assign crossing[o] = |second;
        if (s == 0) begin : g_chain_head
          assign wanted = row & match;
        end else begin : g_chain
          assign wanted = g_slot[s-1].g_row[o].wanted | (row & match);
        end
      end
      assign mixed[s] = valid & (|crossing);
      if (s == 0) begin : g_first
        assign seen     = match;
        assign again[s] = 1'b0;
      end else begin : g_next
        logic [s-1:0] same;
        for (genvar k = 0; k < s; k++) begin : g_earlier
          assign same[k] = g_slot[k].valid & (g_slot[k].tag == tag);
        end
        assign seen     = g_slot[s-1].seen | match;
        assign again[s] = valid & (|same);
      end
    end
  endgenerate

  // Delivery.
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_out
      // taken: inputs whose present token this output has; accepted: takes now; routes,
      // blocked: inputs with a route to, or held back by, an output up to this.
      logic [N_IN-1:0] wanted, offered, accepted, taken, routes, blocked;

      assign wanted  = g_slot[NUM_SLOT-1].g_row[o].wanted;
      assign offered = in_valid & wanted & ~taken;

      loom_arbiter #(
          .W(W),
          .N(N_IN)
      ) u_arbiter (
          .clk      (clk),
          .rst      (rst),
          .in_valid (offered),
          .in_ready (accepted),
          .in_data  (in_data),
          .out_valid(out_valid[o]),
          .out_ready(out_ready[o]),
          .out_data (out_data[o*W +: W])
      );

      if (o == 0) begin : g_chain_head
        assign routes  = wanted;
        assign blocked = wanted & ~taken & ~accepted;
      end else begin : g_chain
        assign routes  = g_out[o-1].routes | wanted;
        assign blocked = g_out[o-1].blocked | (wanted & ~taken & ~accepted);
      end
      assign partial[o] = |taken;
      always_ff @(posedge clk) begin
        if (rst) taken <= '0;
        else taken <= in_valid & ~in_ready & wanted & (taken | accepted);
      end
    end
  endgenerate
  assign in_ready = ~g_out[N_OUT-1].blocked;
  assign routed   = g_out[N_OUT-1].routes;
  assign matched  = g_slot[NUM_SLOT-1].seen;
  assign idle     = ~|partial;

  // Errors, the smallest code first.
  logic no_match, unrouted;
  assign no_match  = |(in_valid & ~matched);
  assign unrouted  = |(in_valid & matched & ~routed);
  assign err_valid = ~rst & ((|mixed) | (|again) | no_match | unrouted);
  assign err_code  = (|mixed) ? loom_pkg::ERR_CFG_TEMPORAL_SW_SAME_TAG :
                     (|again) ? loom_pkg::ERR_CFG_TEMPORAL_SW_DUP_TAG :
                     no_match ? loom_pkg::ERR_TEMPORAL_SW_NO_MATCH :
                     loom_pkg::ERR_TEMPORAL_SW_UNROUTED_INPUT;

`ifdef LOOM_FORMAL
`include "loom_temporal_sw.svh"
`endif
endmodule
