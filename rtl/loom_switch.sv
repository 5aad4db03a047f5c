// loom_switch: statically routed crossbar with broadcast.
//
// Function: every output takes the one input its route bits enable; an input with
//   several outputs delivers each token exactly once to each of them, in any order
//   (eager fork), and is released when all have taken it.
//   Two routes enabled for one output: the lowest input is taken, code 1 as long as the
//   configuration lasts. A token at an input without any enabled route is dropped,
//   silently if its discard bit is set, else with code 262. A token whose only routes
//   lose against lower inputs is dropped, too (code 1 is up).
// Parameters: W data bits; N_IN inputs, N_OUT outputs; CONNECT[o*N_IN+i]: input i can
//   be routed to output o; N_ROUTES: number of ones in CONNECT (at least 1).
// Ports: cfg_route: one bit per connected pair, output-major, connected pairs only
//   (design page "Configuration image"); cfg_discard: one bit per input; N_IN channels
//   in, N_OUT channels out; error; idle (no token partly delivered).
// Timing: combinational, one token per cycle on every route. out_valid does not depend
//   on out_ready.
// Rule: rtl/README.md "Routing".
module loom_switch #(
    parameter int W        = 32,
    parameter int N_IN     = 5,
    parameter int N_OUT    = 5,
    parameter logic [N_OUT*N_IN-1:0] CONNECT = {N_OUT*N_IN{1'b1}},
    parameter int N_ROUTES = N_OUT * N_IN
) (
    input  logic                clk,
    input  logic                rst,
    input  logic [N_ROUTES-1:0] cfg_route,
    input  logic [N_IN-1:0]     cfg_discard,
    input  logic [N_IN-1:0]     in_valid,
    output logic [N_IN-1:0]     in_ready,
    input  logic [N_IN*W-1:0]   in_data,
    output logic [N_OUT-1:0]    out_valid,
    input  logic [N_OUT-1:0]    out_ready,
    output logic [N_OUT*W-1:0]  out_data,
    output logic                err_valid,
    output logic [15:0]         err_code,
    output logic                idle
);
  localparam int PAIRS = N_OUT * N_IN;
  localparam int ROUTES = $countones(CONNECT);

  initial if (W < 1 || N_IN < 1 || N_OUT < 1) $fatal(1, "loom_switch: W, N_IN and N_OUT must be at least 1");
  initial if (ROUTES != N_ROUTES) $fatal(1, "loom_switch: N_ROUTES must be the number of ones in CONNECT");

  logic [N_OUT-1:0] mixed;  // more than one route enabled
  logic [N_OUT-1:0] taken;
  logic [N_IN-1:0]  routed, unrouted;

  // Everything that sums over the outputs is a chain of vectors from output to
  // output, not a matrix: one operation per output instead of one per pair.
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_out
      // wanted: the inputs with a route to this output; first: the lowest, in effect;
      // routes, blocked: inputs with a route to, or held back by, an output up to this.
      logic [N_IN-1:0] wanted, first, routes, blocked;
      logic [W-1:0]    data;
      logic            waiting;  // the token stays at the input

      for (genvar i = 0; i < N_IN; i++) begin : g_in
        if (CONNECT[o*N_IN+i]) begin : g_connected
          // Route bits of unconnected pairs do not exist: count those below.
          localparam int P = o * N_IN + i;
          localparam int POS = (P == 0) ? 0 : $countones(CONNECT & ~({PAIRS{1'b1}} << P));
          assign wanted[i] = cfg_route[POS];
        end else begin : g_absent
          assign wanted[i] = 1'b0;
        end
      end
      assign first        = wanted & (~wanted + N_IN'(1));
      assign mixed[o]     = |(wanted & ~first);
      assign out_valid[o] = (|(first & in_valid)) & ~taken[o];
      // Few inputs: and-or of the one-hot choice; more: a multiplexer by number. Each is
      // the smaller one in LUTs in its range.
      if (N_IN <= 6) begin : g_onehot
        always_comb begin
          data = '0;
          for (int i = 0; i < N_IN; i++) begin
            if (CONNECT[o*N_IN+i]) data = data | ({W{first[i]}} & in_data[i*W +: W]);
          end
        end
      end else begin : g_number
        localparam int SEL_W = loom_pkg::index_width(N_IN);
        logic [SEL_W-1:0] sel;
        for (genvar b = 0; b < SEL_W; b++) begin : g_bit
          // The inputs whose number has bit b set.
          localparam logic [31:0] NUMBERS = loom_pkg::numbers_with_bit(b);
          assign sel[b] = |(first & NUMBERS[N_IN-1:0]);
        end
        assign data = in_data[sel*W +: W];
      end
      assign out_data[o*W +: W] = data;

      // An input waits while an output that takes it neither has its token nor takes it now.
      if (o == 0) begin : g_chain_head
        assign routes  = wanted;
        assign blocked = first & {N_IN{~taken[o] & ~out_ready[o]}};
      end else begin : g_chain
        assign routes  = g_out[o-1].routes | wanted;
        assign blocked = g_out[o-1].blocked | (first & {N_IN{~taken[o] & ~out_ready[o]}});
      end
      // taken[o] lasts from delivery to output o until the token leaves the input.
      assign waiting = |(first & in_valid & ~in_ready);
      always_ff @(posedge clk) begin
        if (rst) taken[o] <= 1'b0;
        else taken[o] <= waiting & (taken[o] | out_ready[o]);
      end
    end
  endgenerate
  assign in_ready = ~g_out[N_OUT-1].blocked;
  assign routed   = g_out[N_OUT-1].routes;
  assign idle = ~|taken;

  assign unrouted  = in_valid & ~routed & ~cfg_discard;
  assign err_valid = ~rst & ((|mixed) | (|unrouted));
  assign err_code  = (|mixed) ? loom_pkg::ERR_CFG_SWITCH_ROUTE_MIX : loom_pkg::ERR_SWITCH_UNROUTED_INPUT;

`ifdef LOOM_FORMAL
`include "loom_switch.svh"
`endif
endmodule
