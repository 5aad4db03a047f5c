// loom_fork: eager fork.
//
// Function: delivers each input token exactly once to each of N outputs, as soon as
//   that output is ready, and releases the input when all have taken it.
// Parameters: W data bits; N outputs, at least 1.
// Ports: channel in; N channels out (output k at out_data[k*W +: W]); idle.
// Timing: combinational, one token per cycle. out_valid never depends on out_ready.
// Rule: rtl/README.md "Routing".
module loom_fork #(
    parameter int W = 32,
    parameter int N = 2
) (
    input  logic           clk,
    input  logic           rst,
    input  logic           in_valid,
    output logic           in_ready,
    input  logic [W-1:0]   in_data,
    output logic [N-1:0]   out_valid,
    input  logic [N-1:0]   out_ready,
    output logic [N*W-1:0] out_data,
    output logic           idle
);
  loom_offer #(
      .N(N)
  ) u_offer (
      .clk      (clk),
      .rst      (rst),
      .offer    (in_valid),
      .need     ({N{1'b1}}),
      .done     (in_ready),
      .out_valid(out_valid),
      .out_ready(out_ready),
      .idle     (idle)
  );

  assign out_data = {N{in_data}};
endmodule
