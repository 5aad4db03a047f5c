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

  // route: the configuration spread over all pairs; grant: the routes in effect.
  logic [PAIRS-1:0] route, grant;
  logic [N_OUT-1:0] mixed;  // more than one route enabled
  logic [N_OUT-1:0] taken;
  logic [N_IN-1:0]  routed, unrouted;

  generate
    for (genvar p = 0; p < PAIRS; p++) begin : g_route
      if (CONNECT[p]) begin : g_connected
        // Route bits of unconnected pairs do not exist: count those below.
        localparam int POS = (p == 0) ? 0 : $countones(CONNECT & ~({PAIRS{1'b1}} << p));
        assign route[p] = cfg_route[POS];
      end else begin : g_absent
        assign route[p] = 1'b0;
      end
    end

    for (genvar o = 0; o < N_OUT; o++) begin : g_out
      logic [N_IN-1:0] wanted, first;
      logic [W-1:0]    data;

      assign wanted = route[o*N_IN +: N_IN];
      if (N_IN == 1) begin : g_single
        assign first    = wanted;
        assign mixed[o] = 1'b0;
      end else begin : g_several
        // below[i]: a route from an input lower than i is enabled.
        logic [N_IN-1:0] below;
        assign below[0] = 1'b0;
        for (genvar i = 1; i < N_IN; i++) begin : g_below
          assign below[i] = |wanted[i-1:0];
        end
        assign first    = wanted & ~below;
        assign mixed[o] = |(wanted & below);
      end
      assign grant[o*N_IN +: N_IN] = first;

      assign out_valid[o] = (|(first & in_valid)) & ~taken[o];
      // Few inputs: and-or of the one-hot choice; more: a multiplexer by number. Each is
      // the smaller one in LUTs in its range.
      if (N_IN <= 6) begin : g_onehot
        always_comb begin
          data = '0;
          for (int i = 0; i < N_IN; i++) begin
            if (first[i]) data = data | in_data[i*W +: W];
          end
        end
      end else begin : g_number
        localparam int SEL_W = loom_pkg::index_width(N_IN);
        logic [SEL_W-1:0] sel;
        always_comb begin
          sel = '0;
          for (int i = 1; i < N_IN; i++) begin
            if (first[i]) sel = sel | SEL_W'(i);
          end
        end
        assign data = in_data[sel*W +: W];
      end
      assign out_data[o*W +: W] = data;
    end
  endgenerate

  // An input waits while an output that takes it neither has its token nor takes it now.
  always_comb begin
    in_ready = '1;
    for (int o = 0; o < N_OUT; o++) begin
      if (~taken[o] & ~out_ready[o]) in_ready = in_ready & ~grant[o*N_IN +: N_IN];
    end
  end

  // taken[o] lasts from delivery to output o until the token leaves the input.
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_taken
      logic waiting;  // the token stays at the input
      assign waiting = |(grant[o*N_IN +: N_IN] & in_valid & ~in_ready);
      always_ff @(posedge clk) begin
        if (rst) taken[o] <= 1'b0;
        else taken[o] <= waiting & (taken[o] | out_ready[o]);
      end
    end
  endgenerate
  assign idle = ~|taken;

  always_comb begin
    routed = '0;
    for (int o = 0; o < N_OUT; o++) routed = routed | route[o*N_IN +: N_IN];
  end
  assign unrouted  = in_valid & ~routed & ~cfg_discard;
  assign err_valid = ~rst & ((|mixed) | (|unrouted));
  assign err_code  = (|mixed) ? loom_pkg::ERR_CFG_SWITCH_ROUTE_MIX : loom_pkg::ERR_SWITCH_UNROUTED_INPUT;

`ifdef LOOM_FORMAL
`include "loom_switch.svh"
`endif
endmodule
