// loom_accumulate_piped: a value that every iteration of a loop changes, in the pipeline that changes it.
//
// Function: as loom_accumulate, for an operation that takes LATENCY cycles, with its registers inside.
//   The operation stands outside, computes from acc and x_data, and has one value inside at most: the
//   last of its registers keeps the present value, value, until the next iteration takes it.
// Parameters: W data bits; LATENCY registers of the operation, at least 1.
// Ports: channels d (one bit, the condition), a (initial) and x in; acc, the present value; value, what
//   the operation has in its last register; move, which tells its registers when to take what is in
//   front of them; channels n (a token alone: its data is value) and out; idle (waiting for an
//   initial value).
// Timing: an iteration every LATENCY cycles: what fires in t is offered at n from t + LATENCY, and the
//   next iteration fires when n is taken. out is offered from the cycle after that on in which the last n is
//   taken; of a loop without iterations at once.
// Rule: rtl/README.md "Function units".
module loom_accumulate_piped #(
    parameter int W       = 32,
    parameter int LATENCY = 4
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               d_valid,
    output logic               d_ready,
    input  logic               d_data,
    input  logic               a_valid,
    output logic               a_ready,
    input  logic [W-1:0]       a_data,
    input  logic               x_valid,
    output logic               x_ready,
    output logic [W-1:0]       acc,
    input  logic [W-1:0]       n_value,
    output logic [LATENCY-1:0] move,
    output logic               n_valid,
    input  logic               n_ready,
    output logic               out_valid,
    input  logic               out_ready,
    output logic [W-1:0]       out_data,
    output logic               idle
);
  initial if (LATENCY < 1) $fatal(1, "loom_accumulate_piped: LATENCY must be at least 1");

  localparam logic [LATENCY-1:0] LAST = LATENCY'(1) << (LATENCY - 1);

  logic [LATENCY-1:0] at;       // the register that the value is in
  logic               started;  // there is a value
  logic               taken;    // n has taken it
  logic               present, fire, leave;

  assign present   = at[LATENCY-1];
  assign n_valid   = present & ~taken;
  assign acc       = started ? n_value : a_data;
  assign out_data  = acc;
  assign out_valid = d_valid & ~d_data & (started ? taken : a_valid);

  assign fire    = d_valid & d_data & x_valid & (started ? present & (taken | n_ready) : a_valid);
  assign leave   = out_valid & out_ready;
  assign d_ready = fire | leave;
  assign a_ready = (fire | leave) & ~started;
  assign x_ready = fire;
  assign idle    = ~started;

  generate
    if (LATENCY == 1) begin : g_one
      assign move = fire;
    end else begin : g_several
      assign move = {at[LATENCY-2:0], fire};
    end
  endgenerate

  always_ff @(posedge clk) begin
    if (rst) begin
      started <= 1'b0;
      taken   <= 1'b0;
      at      <= '0;
    end else begin
      started <= fire | (started & ~leave);
      taken   <= ~fire & ~leave & (taken | (n_valid & n_ready));
      at      <= move | (at & LAST & {LATENCY{~fire & ~leave}});
    end
  end

`ifdef LOOM_FORMAL
`include "loom_accumulate_piped.svh"
`endif
endmodule
