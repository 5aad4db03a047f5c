// loom_fifo_bypass: queue that configuration can turn into a wire.
//
// Function: cfg_bypassed = 0: as loom_fifo; 1: input and output wired together, the
//   queue stays empty.
// Parameters: W data bits; DEPTH slots, at least 1.
// Ports: cfg_bypassed (constant while running), channel in, channel out, idle.
// Timing: as loom_fifo, or combinational in both directions. A fabric therefore
//   counts it as registering neither path.
// Rule: rtl/README.md "Storage"; design page "The Fabric dialect", structural legality.
module loom_fifo_bypass #(
    parameter int W     = 32,
    parameter int DEPTH = 2
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         cfg_bypassed,
    input  logic         in_valid,
    output logic         in_ready,
    input  logic [W-1:0] in_data,
    output logic         out_valid,
    input  logic         out_ready,
    output logic [W-1:0] out_data,
    output logic         idle
);
  logic queue_in_ready, queue_out_valid;
  logic [W-1:0] queue_out_data;

  loom_fifo #(
      .W    (W),
      .DEPTH(DEPTH)
  ) u_fifo (
      .clk      (clk),
      .rst      (rst),
      .in_valid (in_valid & ~cfg_bypassed),
      .in_ready (queue_in_ready),
      .in_data  (in_data),
      .out_valid(queue_out_valid),
      .out_ready(out_ready),
      .out_data (queue_out_data),
      .idle     (idle)
  );

  assign out_valid = cfg_bypassed ? in_valid : queue_out_valid;
  assign out_data  = cfg_bypassed ? in_data : queue_out_data;
  assign in_ready  = cfg_bypassed ? out_ready : queue_in_ready;
endmodule
