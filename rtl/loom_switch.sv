// loom_switch: statically routed crossbar with broadcast.
//
// Function: every output takes the one input its route bits enable; an input with
//   several outputs delivers each token exactly once to each of them, in any order
//   (eager fork), and is released when all have taken it.
//   An output with two routes enabled is closed: it delivers nothing and holds no input
//   back; code 1 as long as the configuration lasts. A token at an input without any
//   enabled route is dropped, silently if its discard bit is set, else with code 262. A
//   token whose only routes lead to closed outputs is dropped, too (code 1 is up).
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
      // The inputs that can be routed here are numbered from 0 to K - 1 in their order; wanted are
      // those with a route. Route bits of other pairs do not exist: POS counts those below.
      localparam logic [N_IN-1:0] FROM = CONNECT[o*N_IN +: N_IN];
      localparam int K = ($countones(FROM) == 0) ? 1 : $countones(FROM);
      localparam int POS = (o == 0) ? 0 : $countones(CONNECT & ~({PAIRS{1'b1}} << (o * N_IN)));
      logic [K-1:0]   wanted, offered;
      logic [K*W-1:0] choices;
      // By the numbers that inputs have in the switch: those with a route to this output; with a
      // route to, or held back by, an output up to this.
      logic [N_IN-1:0] routed_here, routes, blocked;
      logic            waiting;  // the token stays at the input
      logic            holds;    // the output neither has its token nor takes it now
      logic            once, twice;

      if (FROM == '0) begin : g_none
        assign wanted  = 1'b0;
        assign offered = 1'b0;
        assign choices = '0;
      end else begin : g_some
        assign wanted = cfg_route[POS +: K];
      end
      for (genvar i = 0; i < N_IN; i++) begin : g_in
        if (FROM[i]) begin : g_connected
          localparam int RANK = (i == 0) ? 0 : $countones(FROM & ~({N_IN{1'b1}} << i));
          assign offered[RANK]          = in_valid[i];
          assign choices[RANK*W +: W]   = in_data[i*W +: W];
          assign routed_here[i]         = wanted[RANK];
        end else begin : g_absent
          assign routed_here[i] = 1'b0;
        end
      end

      always_comb begin
        once  = 1'b0;
        twice = 1'b0;
        for (int i = 0; i < K; i++) begin
          twice = twice | (once & wanted[i]);
          once  = once | wanted[i];
        end
      end
      assign mixed[o] = twice;

      loom_choose #(
          .W(W),
          .N(K)
      ) u_choose (
          .one(wanted),
          .in_data(choices),
          .out_data(out_data[o*W +: W])
      );
      assign out_valid[o] = (|(wanted & offered)) & ~taken[o] & ~mixed[o];

      // An input waits while an output that takes it holds it back.
      assign holds = ~taken[o] & ~out_ready[o] & ~mixed[o];
      if (o == 0) begin : g_chain_head
        assign routes  = routed_here;
        assign blocked = routed_here & {N_IN{holds}};
      end else begin : g_chain
        assign routes  = g_out[o-1].routes | routed_here;
        assign blocked = g_out[o-1].blocked | (routed_here & {N_IN{holds}});
      end
      // taken[o] lasts from delivery to output o until the token leaves the input.
      assign waiting = |(routed_here & in_valid & ~in_ready);
      always_ff @(posedge clk) begin
        if (rst) taken[o] <= 1'b0;
        else taken[o] <= waiting & (taken[o] | out_ready[o]) & ~mixed[o];
      end
    end
  endgenerate
  logic unused_data;  // an input may have no output
  assign unused_data = ^in_data;

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
