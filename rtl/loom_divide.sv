// loom_divide: iterative divider with quotient and remainder.
//
// Function: quotient and remainder of a and b, of signed or of unsigned numbers, rounded toward
//   zero. Division by zero: quotient all ones, remainder a. Signed overflow: quotient a,
//   remainder 0.
// Parameters: W data bits.
// Ports: channels a and b in, joined; is_signed with them; channel y out with quo_data and
//   rem_data; idle (no division running).
// Timing: one quotient bit per cycle. Accepts in t, offers from t+W+1; accepts the
//   next pair in the cycle in which the result leaves: latency and interval W+1.
// Rule: rtl/README.md "Function units"; design page "RTL", "Throughput and latency".
module loom_divide #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         a_valid,
    output logic         a_ready,
    input  logic [W-1:0] a_data,
    input  logic         b_valid,
    output logic         b_ready,
    input  logic [W-1:0] b_data,
    input  logic         is_signed,
    output logic         y_valid,
    input  logic         y_ready,
    output logic [W-1:0] quo_data,
    output logic [W-1:0] rem_data,
    output logic         idle
);
  initial if (W < 1) $fatal(1, "loom_divide: W must be at least 1");

  localparam int CW = loom_pkg::index_width(W);
  localparam int LAST = W - 1;

  logic busy, full;        // iterating; result offered
  logic [CW-1:0] left;     // iterations after this one
  logic [W-1:0] quo, rem;  // quo starts as the dividend and is shifted out
  logic [W-1:0] den;
  logic negate_quo, negate_rem;  // the result's sign differs from its magnitude's
  logic accept;
  logic [W:0] shifted, diff;
  logic sign_a, sign_b;

  assign accept  = a_valid & b_valid & ~busy & (~full | y_ready);
  assign a_ready = accept;
  assign b_ready = accept;

  // The magnitude of the most negative number is itself, read as unsigned.
  assign sign_a = is_signed & a_data[W-1];
  assign sign_b = is_signed & b_data[W-1];

  // Restoring step: bring down a bit, subtract when possible. diff[W] is the borrow;
  // a zero divisor never borrows, which yields all ones and the dividend.
  assign shifted = {rem, quo[W-1]};
  assign diff    = shifted - {1'b0, den};

  always_ff @(posedge clk) begin
    if (rst) begin
      busy <= 1'b0;
      full <= 1'b0;
    end else begin
      if (accept) busy <= 1'b1;
      else if (~|left) busy <= 1'b0;
      full <= (busy & ~|left) | (full & ~y_ready);
    end

    if (accept) begin
      left   <= LAST[CW-1:0];
      quo    <= sign_a ? -a_data : a_data;
      rem    <= '0;
      den    <= sign_b ? -b_data : b_data;
      negate_quo <= (sign_a ^ sign_b) & (|b_data);
      negate_rem <= sign_a;
    end else if (busy) begin
      left <= left - CW'(1);
      quo  <= W'({quo, ~diff[W]});
      rem  <= diff[W] ? shifted[W-1:0] : diff[W-1:0];
    end
  end

  assign y_valid  = full;
  assign quo_data = negate_quo ? -quo : quo;
  assign rem_data = negate_rem ? -rem : rem;
  assign idle     = ~busy & ~full;
endmodule
