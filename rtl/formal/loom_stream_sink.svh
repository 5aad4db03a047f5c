// Proof of loom_stream_sink: every request becomes one beat, in order and unchanged; a beat has
// TLAST exactly if the run ends behind it; the end of a run passes when all of its beats have been
// taken; one response per request.
`include "f_reset.svh"
  f_channel #(.W(W), .ASSUME(1)) f_req (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data(req_data));
  f_channel #(.W(1), .ASSUME(1)) f_end (.clk(clk), .rst(rst), .valid(end_valid), .ready(end_ready), .data(1'b0));
  f_channel #(.W(W + 1)) f_beat (.clk(clk), .rst(rst), .valid(m_axis_tvalid), .ready(m_axis_tready), .data({m_axis_tlast, m_axis_tdata}));
  f_channel #(.W(1)) f_rsp (.clk(clk), .rst(rst), .valid(rsp_valid), .ready(rsp_ready), .data(1'b0));
  f_channel #(.W(1)) f_ended (.clk(clk), .rst(rst), .valid(ended_valid), .ready(ended_ready), .data(1'b0));
  // A run ends behind its requests and their responses; the next one begins behind its end.
  always_comb if (end_valid) assume (~req_valid & ~rsp_valid);

  logic f_req_x, f_beat_x, f_rsp_x, f_end_x, f_ended_x;
  assign f_req_x   = f_live & req_valid & req_ready;
  assign f_beat_x  = f_live & m_axis_tvalid & m_axis_tready;
  assign f_rsp_x   = f_live & rsp_valid & rsp_ready;
  assign f_end_x   = f_live & end_valid & end_ready;
  assign f_ended_x = f_live & ended_valid & ended_ready;
  logic [7:0] f_held, f_owed;  // requests that are no beat yet, and those without a response
  logic [W-1:0] f_value;
  logic f_closed;  // no beat since the last one with TLAST
  initial f_held = 8'd0;
  initial f_owed = 8'd0;
  initial f_closed = 1'b1;
  always_ff @(posedge clk) begin
    f_held <= f_held + {7'd0, f_req_x} - {7'd0, f_beat_x};
    f_owed <= f_owed + {7'd0, f_req_x} - {7'd0, f_rsp_x};
    if (f_req_x) f_value <= req_data;
    if (f_beat_x) f_closed <= m_axis_tlast;
  end
  always_comb if (f_live) begin
    assert (f_held == {7'd0, full});
    assert (f_owed == {7'd0, dones[0]} + {7'd0, dones[1]});
    assert (dones != 2'b10);
    if (f_held != 8'd0) assert (m_axis_tdata == f_value);
    if (m_axis_tvalid) assert (m_axis_tlast == end_valid);
    assert (rsp_valid == (f_owed != 8'd0));
    assert (f_end_x == f_ended_x);
    if (f_end_x) assert (f_closed & (f_held == 8'd0));
    // The next beat of an open packet is there.
    assert (f_closed | (f_held != 8'd0) | req_valid);
    // Nothing waits for the reader of the responses or the next beat longer than it must.
    if (~full & (f_owed < 8'd2)) assert (req_ready);
    if (full & end_valid) assert (m_axis_tvalid);
  end
  logic [7:0] f_streak;
  initial f_streak = 8'd0;
  always_ff @(posedge clk) f_streak <= (f_req_x & f_beat_x) ? f_streak + 8'd1 : 8'd0;
  always_comb begin
    cover (f_streak == 8'd3);
    cover (f_beat_x & m_axis_tlast);
    cover (f_end_x & (f_streak == 8'd0) & f_closed);
    cover (f_live & (f_owed == 8'd2) & req_valid);
  end
