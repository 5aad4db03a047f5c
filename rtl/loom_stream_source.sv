// loom_stream_source: the loads of an array that is a stream (AXI4-Stream slave).
//
// Function: every request takes the next beat of the stream; its data is the response.
// Parameters: W element bits.
// Ports: requests and responses of an access without an address; the stream in.
// Timing: a request in t has the beat offered in t+1 at the earliest; one per cycle.
//   req_ready is state; no response depends on a request of its cycle.
// Rule: rtl/README.md "Ports of direct circuits".
module loom_stream_source #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         req_valid,
    output logic         req_ready,
    output logic         rsp_valid,
    input  logic         rsp_ready,
    output logic [W-1:0] rsp_data,
    input  logic         s_axis_tvalid,
    output logic         s_axis_tready,
    input  logic [W-1:0] s_axis_tdata
);
  initial if (W < 1) $fatal(1, "loom_stream_source: W must be at least 1");

  logic [1:0] wanted;  // requests without a beat: none, one (01) or two (11)

  assign req_ready     = ~wanted[1];
  assign rsp_valid     = wanted[0] & s_axis_tvalid;
  assign rsp_data      = s_axis_tdata;
  assign s_axis_tready = wanted[0] & rsp_ready;

  logic more, less;
  assign more = req_valid & req_ready;
  assign less = rsp_valid & rsp_ready;
  always_ff @(posedge clk) begin
    if (rst) wanted <= 2'b00;
    else if (more & ~less) wanted <= {wanted[0], 1'b1};
    else if (less & ~more) wanted <= {1'b0, wanted[1]};
  end

`ifdef LOOM_FORMAL
`include "loom_stream_source.svh"
`endif
endmodule
