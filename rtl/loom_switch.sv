// loom_switch: statically routed crossbar with broadcast.
//
// Function: an enabled output takes the input that its select names; an input with
//   several outputs delivers each token exactly once to each of them, in any order
//   (eager fork), and is released when all have taken it.
//   An output is closed that is not enabled, or whose select names none of its inputs: it
//   delivers nothing and holds no input back. A token at an input that no output takes
//   is dropped. One at an input that expects none raises code 262.
// Parameters: W data bits; N_IN inputs, N_OUT outputs; CONNECT[o*N_IN+i]: input i can
//   be routed to output o (at least one can); ROUTE_BITS of cfg_route: for each output with K
//   inputs, K at least 1, 1 + clog2(K).
// Ports: cfg_route: for each output with an input, in their order, enable (bit 0) and
//   select, which counts the inputs that can be routed there
//   (design page "Configuration image"); cfg_expects: one bit per input; N_IN channels
//   in, N_OUT channels out; error; idle (no token partly delivered).
// Timing: combinational, one token per cycle on every route. out_valid does not depend
//   on out_ready.
// Rule: rtl/README.md "Routing".
module loom_switch #(
    parameter int W          = 32,
    parameter int N_IN       = 5,
    parameter int N_OUT      = 5,
    parameter logic [N_OUT*N_IN-1:0] CONNECT = {N_OUT*N_IN{1'b1}},
    parameter int ROUTE_BITS = N_OUT * (1 + $clog2(N_IN))
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic [ROUTE_BITS-1:0] cfg_route,
    input  logic [N_IN-1:0]       cfg_expects,
    input  logic [N_IN-1:0]       in_valid,
    output logic [N_IN-1:0]       in_ready,
    input  logic [N_IN*W-1:0]     in_data,
    output logic [N_OUT-1:0]      out_valid,
    input  logic [N_OUT-1:0]      out_ready,
    output logic [N_OUT*W-1:0]    out_data,
    output logic                  err_valid,
    output logic [15:0]           err_code,
    output logic                  idle
);
  initial if (W < 1 || N_IN < 1 || N_OUT < 1) $fatal(1, "loom_switch: W, N_IN and N_OUT must be at least 1");
  initial if (CONNECT == '0) $fatal(1, "loom_switch: CONNECT must have a one");
  initial if (ROUTE_BITS != loom_pkg::route_bits(1024'(CONNECT), N_IN, N_OUT)) $fatal(1, "loom_switch: ROUTE_BITS must be that of CONNECT");

  // An output has the token at its input, and waits for others to take it, if it delivered
  // (delivered) and the token has not left (released) since. The backward path thus ends in
  // released, in front of the multiplexer of an output instead of behind it.
  logic [N_OUT-1:0] delivered, taken;
  logic [N_IN-1:0]  released;

  // What sums over the outputs is a chain of vectors from output to output, not a
  // matrix: one operation per output instead of one per pair.
  generate
    for (genvar o = 0; o < N_OUT; o++) begin : g_out
      // The inputs that can be routed here are numbered from 0 to K - 1 in their order.
      localparam logic [N_IN-1:0] FROM = CONNECT[o*N_IN +: N_IN];
      localparam int K = ($countones(FROM) == 0) ? 1 : $countones(FROM);
      localparam int SEL_W = loom_pkg::index_width(K);
      localparam int POS = loom_pkg::route_bits(1024'(CONNECT), N_IN, o);
      logic             enable;
      logic [SEL_W-1:0] sel;
      logic [K*W-1:0]   words;
      // By the numbers that inputs have in the switch: the one that sel names; those that are
      // held back by an output up to this.
      logic [N_IN-1:0]  named, blocked;
      logic             offered;  // there is a token for this output
      logic             holds;    // the output neither has its token nor takes it now

      if (FROM == '0) begin : g_none
        assign enable = 1'b0;
        assign sel    = '0;
        assign words  = '0;
      end else if (K == 1) begin : g_one
        assign enable = cfg_route[POS];
        assign sel    = '0;
      end else begin : g_some
        assign enable = cfg_route[POS];
        assign sel    = cfg_route[POS+1 +: SEL_W];
      end
      for (genvar i = 0; i < N_IN; i++) begin : g_in
        if (FROM[i]) begin : g_connected
          localparam int RANK = (i == 0) ? 0 : $countones(FROM & ~({N_IN{1'b1}} << i));
          assign words[RANK*W +: W] = in_data[i*W +: W];
          assign named[i]           = (sel == RANK[SEL_W-1:0]);
        end else begin : g_absent
          assign named[i] = 1'b0;
        end
      end

      loom_choose #(
          .W(W),
          .N(K)
      ) u_choose (
          .sel(sel),
          .in_data(words),
          .out_data(out_data[o*W +: W])
      );
      assign offered      = enable & (|(named & in_valid));
      assign taken[o]     = delivered[o] & ~(|(named & released));
      assign out_valid[o] = offered & ~taken[o];
      always_ff @(posedge clk) begin
        if (rst) delivered[o] <= 1'b0;
        else delivered[o] <= offered & (taken[o] | out_ready[o]);
      end

      // An input waits while an output that takes it holds it back.
      assign holds = enable & ~taken[o] & ~out_ready[o];
      if (o == 0) begin : g_chain_head
        assign blocked = named & {N_IN{holds}};
      end else begin : g_chain
        assign blocked = g_out[o-1].blocked | (named & {N_IN{holds}});
      end
    end
  endgenerate
  logic unused;  // an input may have no output
  assign unused = ^in_data ^ ^released;

  always_ff @(posedge clk) released <= in_ready;

  assign in_ready = ~g_out[N_OUT-1].blocked;
  assign idle     = ~|taken;

  // Whoever configures routes and drops knows which inputs have tokens: a bit of its own is cheaper
  // than to find that in the selects of all outputs.
  assign err_valid = ~rst & (|(in_valid & ~cfg_expects));
  assign err_code  = loom_pkg::ERR_SWITCH_UNROUTED_INPUT;

`ifdef LOOM_FORMAL
`include "loom_switch.svh"
`endif
endmodule
