// loom_divrem: iterative divider with one result.
//
// Function: quotient (REM = 0) or remainder (REM = 1) of a and b, signed or unsigned,
//   rounded toward zero. Division by zero: quotient all ones, remainder a. Signed
//   overflow: quotient a, remainder 0.
// Parameters: W data bits; SIGNED 0 or 1; REM 0 or 1.
// Ports: channels a and b in, joined; channel y out; idle (no division running).
// Timing: one quotient bit per cycle. Accepts in t, offers from t+W+1; accepts the
//   next pair in the cycle in which the result leaves: latency and interval W+1.
// Rule: rtl/README.md "Function units"; design page "RTL", "Throughput and latency".
module loom_divrem #(
    parameter int W      = 32,
    parameter int SIGNED = 1,
    parameter int REM    = 0
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         a_valid,
    output logic         a_ready,
    input  logic [W-1:0] a_data,
    input  logic         b_valid,
    output logic         b_ready,
    input  logic [W-1:0] b_data,
    output logic         y_valid,
    input  logic         y_ready,
    output logic [W-1:0] y_data,
    output logic         idle
);
  initial if (W < 1) $fatal(1, "loom_divrem: W must be at least 1");

  logic [W-1:0] quo_data, rem_data;
  loom_divide #(
      .W(W)
  ) u_divide (
      .clk      (clk),
      .rst      (rst),
      .a_valid  (a_valid),
      .a_ready  (a_ready),
      .a_data   (a_data),
      .b_valid  (b_valid),
      .b_ready  (b_ready),
      .b_data   (b_data),
      .is_signed(SIGNED != 0),
      .y_valid  (y_valid),
      .y_ready  (y_ready),
      .quo_data (quo_data),
      .rem_data (rem_data),
      .idle     (idle)
  );

  generate
    if (REM != 0) begin : g_remainder
      logic unused_quotient;
      assign unused_quotient = ^quo_data;
      assign y_data = rem_data;
    end else begin : g_quotient
      logic unused_remainder;
      assign unused_remainder = ^rem_data;
      assign y_data = quo_data;
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_divrem.svh"
`endif
endmodule
