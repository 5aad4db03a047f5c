// loom_axi_pack: writes of elements that follow each other get beats of the whole bus.
//
// Function: between the bursts of loom_axi_store and loom_axi_bus. A write that begins and ends with a word of
//   the bus has beats of a word each; any other keeps a beat for each element. So no byte is written
//   that was not. A write leaves when its data is there to its end, so the bus never waits for it.
// Parameters: SHIFT the log2 of the bytes of an element; BUS_AW and BUS_DW bits of address and data of the bus, of
//   several elements; BURST elements of a write at most, at least those of a word.
// Ports: s: aw, with its elements less one in s_aw_len, and w, an element each on every lane, last with the last of
//   a write, both in one order. m: aw, with its beats less one in m_aw_len and whether they are wide; w, data, strobes and last,
//   behind its aw and in their order.
// Timing: an aw is on m when its last element has come, from the next cycle on. One element per cycle.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_pack #(
    parameter int SHIFT  = 2,
    parameter int BUS_AW = 64,
    parameter int BUS_DW = 128,
    parameter int BURST  = 16
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                s_aw_valid,
    output logic                s_aw_ready,
    input  logic [BUS_AW-1:0]   s_aw_addr,
    input  logic [7:0]          s_aw_len,
    input  logic                s_w_valid,
    output logic                s_w_ready,
    input  logic [BUS_DW-1:0]   s_w_data,
    input  logic                s_w_last,
    output logic                m_aw_valid,
    input  logic                m_aw_ready,
    output logic [BUS_AW-1:0]   m_aw_addr,
    output logic [7:0]          m_aw_len,
    output logic                m_aw_wide,
    output logic                m_w_valid,
    input  logic                m_w_ready,
    output logic [BUS_DW-1:0]   m_w_data,
    output logic [BUS_DW/8-1:0] m_w_strb,
    output logic                m_w_last
);
  localparam int DW    = 8 << SHIFT;
  localparam int LANES = BUS_DW / DW;  // elements side by side on the bus
  localparam int LB    = $clog2(LANES);
  localparam int WAYS  = 4;            // writes that have come and not left
  localparam int CW    = $clog2(2 * WAYS + 1);

  initial if (SHIFT < 0 || SHIFT > 3) $fatal(1, "loom_axi_pack: an element has 1, 2, 4 or 8 bytes");
  initial if (LANES < 2 || BURST < LANES || BURST > 32) $fatal(1, "loom_axi_pack: a word has several elements, BURST as many, up to 32");

  // A write waits with its address for its data, and its shape goes with the data.
  logic wide, way_ready, shape_ready, take, whole_valid, shape_valid, d_wide;
  logic unused_way_idle, unused_shape_idle, unused_beats_idle;
  logic [LB-1:0] d_lane;
  logic [7:0] whole_len;
  assign wide       = (s_aw_addr[SHIFT +: LB] == LB'(0)) & (&s_aw_len[LB-1:0]);
  assign s_aw_ready = way_ready & shape_ready;
  assign take       = s_aw_valid & s_aw_ready;
  loom_fifo #(
      .W    (BUS_AW + 9),
      .DEPTH(WAYS)
  ) u_ways (
      .clk      (clk),
      .rst      (rst),
      .in_valid (take),
      .in_ready (way_ready),
      .in_data  ({s_aw_addr, wide ? s_aw_len >> LB : s_aw_len, wide}),
      .out_valid(whole_valid),
      .out_ready(m_aw_valid & m_aw_ready),
      .out_data ({m_aw_addr, whole_len, m_aw_wide}),
      .idle     (unused_way_idle)
  );
  loom_fifo #(
      .W    (LB + 1),
      .DEPTH(WAYS)
  ) u_shapes (
      .clk      (clk),
      .rst      (rst),
      .in_valid (take),
      .in_ready (shape_ready),
      .in_data  ({wide, s_aw_addr[SHIFT +: LB]}),
      .out_valid(shape_valid),
      .out_ready(s_w_valid & s_w_ready & s_w_last),
      .out_data ({d_wide, d_lane}),
      .idle     (unused_shape_idle)
  );

  // An element of a wide beat waits in its lane for the last, which completes the word.
  logic [LB-1:0] beat, lane, m_lane;
  logic [(LANES-1)*DW-1:0] held;
  logic push, room, m_wide, beat_valid;
  assign lane      = d_lane + beat;
  assign s_w_ready = shape_valid & room;
  assign push      = s_w_valid & shape_valid & (~d_wide | (&lane));
  always_ff @(posedge clk) begin
    if (rst) beat <= '0;
    else if (s_w_valid & s_w_ready) beat <= s_w_last ? LB'(0) : beat + LB'(1);
    for (int l = 0; l < LANES - 1; l++)
      if (s_w_valid & s_w_ready & (lane == l[LB-1:0])) held[l*DW +: DW] <= s_w_data[l*DW +: DW];
  end
  loom_fifo #(
      .W    (BUS_DW + LB + 2),
      .DEPTH(2 * BURST)  // beats of one write that leaves and of one that comes
  ) u_beats (
      .clk      (clk),
      .rst      (rst),
      .in_valid (push),
      .in_ready (room),
      .in_data  ({d_wide, lane, s_w_last, s_w_data[BUS_DW-1:BUS_DW-DW], d_wide ? held : s_w_data[BUS_DW-DW-1:0]}),
      .out_valid(beat_valid),
      .out_ready(m_w_valid & m_w_ready),
      .out_data ({m_wide, m_lane, m_w_last, m_w_data}),
      .idle     (unused_beats_idle)
  );

  // Writes whose data is there to its end and that have not left; that have left and whose data has not.
  logic [CW-1:0] whole, sent;
  logic ends, leave, gone;
  assign ends       = s_w_valid & s_w_ready & s_w_last;
  assign leave      = m_aw_valid & m_aw_ready;
  assign gone       = m_w_valid & m_w_ready & m_w_last;
  assign m_aw_valid = whole_valid & (|whole) & (sent != CW'(2 * WAYS));
  assign m_aw_len   = whole_len;
  assign m_w_valid  = beat_valid & (|sent);
  always_ff @(posedge clk) begin
    if (rst) begin
      whole <= '0;
      sent  <= '0;
    end else begin
      if (ends != leave) whole <= ends ? whole + CW'(1) : whole - CW'(1);
      if (leave != gone) sent <= leave ? sent + CW'(1) : sent - CW'(1);
    end
  end
  for (genvar l = 0; l < LANES; l++) begin : g_strobes
    assign m_w_strb[l*(DW/8) +: DW/8] = {(DW / 8) {m_wide | (m_lane == l[LB-1:0])}};
  end

`ifdef LOOM_FORMAL
`include "loom_axi_pack.svh"
`endif
endmodule
