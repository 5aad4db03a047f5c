// loom_error_collect: captures the first error.
//
// Function: keeps the smallest code of the first cycle in which any source reports
//   one, until reset.
// Parameters: N sources, at least 1; RAISES, of each source the codes that it can raise
//   (loom_pkg::RAISES_*), source 0 lowest.
// Ports: err_valid and err_code (16 bits each) per source; error_valid, error_code;
//   pending, high while the first report is on its way to error_valid.
// Timing: error_valid is high from the second cycle after the first report, pending in the
//   cycle between.
// Structure: the reports of each source are registered, one bit per code that it can raise;
//   behind them stands one register per known code (loom_pkg::ERR_LIST), set by an or over
//   the sources, frozen once any is set; the code is encoded behind these. A report comes late
//   in its cycle, so that the or over many sources gets a cycle of its own. Codes that no
//   source can raise vanish in synthesis. Of a source's codes only the bits are compared in which those
//   that it can raise differ: a look-up table per source and code instead of some forty per
//   source. A code outside the list reads as FFFF, if the source's RAISES_ANY asks for it.
// Rule: design page "Error symbols"; rtl/README.md "Configuration and errors".
module loom_error_collect #(
    parameter int N = 1,
    parameter logic [N*loom_pkg::NUM_ERR-1:0] RAISES = {N*loom_pkg::NUM_ERR{1'b1}}
) (
    input  logic            clk,
    input  logic            rst,
    input  logic [N-1:0]    err_valid,
    input  logic [N*16-1:0] err_code,
    output logic            error_valid,
    output logic [15:0]     error_code,
    output logic            pending
);
  initial if (N < 1) $fatal(1, "loom_error_collect: N must be at least 1");

  localparam int K = loom_pkg::NUM_ERR;

  logic [K-1:0] seen, now;
  logic [N-1:0] reported;
  logic any_seen, unknown_seen;

  always_ff @(posedge clk) begin
    if (rst) reported <= '0;
    else reported <= err_valid;
  end

  // A chain of vectors from source to source: what the sources up to this one have reported.
  generate
    for (genvar i = 0; i < N; i++) begin : g_source
      localparam logic [K-1:0] MINE = RAISES[i*K +: K];
      localparam logic [15:0] DIFFER = loom_pkg::differing_bits(MINE);
      logic [15:0] code;
      logic [K-1:0] mine, staged, reports;
      assign code = err_code[i*16 +: 16];
      for (genvar k = 0; k < K; k++) begin : g_code
        localparam logic [15:0] WANTED = loom_pkg::ERR_LIST[k*16 +: 16] & DIFFER;
        assign mine[k] = MINE[k] & err_valid[i] & ((code & DIFFER) == WANTED);
      end
      always_ff @(posedge clk) begin
        if (rst) staged <= '0;
        else staged <= mine;
      end
      if (i == 0) begin : g_first
        assign reports = staged;
      end else begin : g_next
        assign reports = g_source[i-1].reports | staged;
      end
    end
  endgenerate
  assign now = g_source[N-1].reports;
  // A code outside of the list leaves no bit: known behind the registers, which ends their path earlier.
  assign unknown_seen = any_seen & ~|seen;

  always_ff @(posedge clk) begin
    if (rst) begin
      seen     <= '0;
      any_seen <= 1'b0;
    end else if (~error_valid) begin
      seen     <= now;
      any_seen <= |reported;
    end
  end

  assign error_valid = any_seen;
  assign pending = |reported & ~any_seen;

  // The list ascends, so the lowest bit names the smallest code.
  always_comb begin
    error_code = unknown_seen ? loom_pkg::ERR_UNKNOWN : loom_pkg::ERR_NONE;
    for (int k = K - 1; k >= 0; k--) begin
      if (seen[k]) error_code = loom_pkg::ERR_LIST[k*16 +: 16];
    end
  end
endmodule
