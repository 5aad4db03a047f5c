// loom_stream_sink: the stores to an array that is a stream (AXI4-Stream master).
//
// Function: every request is a beat of the stream. The last one of a run has TLAST: so each
//   beat waits for the next one, or for the end of the run.
// Parameters: W element bits.
// Ports: requests and responses of an access without an address; the stream out; end is the done
//   token of the run, which leaves as ended when the last beat has been taken. A response says
//   that the beat has its place in the stream. No request comes while end waits.
// Timing: a request in t is offered from t+1 at the earliest, when the next one is there or
//   the run ends; one per cycle. req_ready may depend on tready, on nothing else outside; up to two
//   responses wait. An empty sink passes end in its cycle.
// Rule: rtl/README.md "Ports of direct circuits".
module loom_stream_sink #(
    parameter int W = 32
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         req_valid,
    output logic         req_ready,
    input  logic [W-1:0] req_data,
    output logic         rsp_valid,
    input  logic         rsp_ready,
    input  logic         end_valid,
    output logic         end_ready,
    output logic         ended_valid,
    input  logic         ended_ready,
    output logic         m_axis_tvalid,
    input  logic         m_axis_tready,
    output logic [W-1:0] m_axis_tdata,
    output logic         m_axis_tlast
);
  initial if (W < 1) $fatal(1, "loom_stream_sink: W must be at least 1");

  logic       full;   // a beat is held
  logic [1:0] dones;  // responses that wait: none, one (01) or two (11)

  assign m_axis_tvalid = full & (req_valid | end_valid);
  assign m_axis_tlast  = end_valid;
  assign ended_valid   = end_valid & ~full;
  assign end_ready     = ended_ready & ~full;

  assign req_ready = ~dones[1] & (~full | m_axis_tready);
  assign rsp_valid = dones[0];

  logic take, respond;
  assign take    = req_valid & req_ready;
  assign respond = rsp_valid & rsp_ready;
  always_ff @(posedge clk) begin
    if (rst) full <= 1'b0;
    else full <= take | (full & ~(m_axis_tvalid & m_axis_tready));
    if (rst) dones <= 2'b00;
    else if (take & ~respond) dones <= {dones[0], 1'b1};
    else if (respond & ~take) dones <= {1'b0, dones[1]};
    if (take) m_axis_tdata <= req_data;
  end

`ifdef LOOM_FORMAL
`include "loom_stream_sink.svh"
`endif
endmodule
