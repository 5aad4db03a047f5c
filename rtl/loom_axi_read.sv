// loom_axi_read: elements of memory, one at a time, as reads of a bus that may be wider.
//
// Function: what loom_axi_load and loom_axi_cache ask for, in order. Elements that follow each other become
//   one read (loom_axi_run), and with WIDE such a read has beats of the whole bus where it begins and ends
//   with a word of it; any other has a beat for each element. So nothing is read that was not asked for.
// Parameters: SHIFT the log2 of the bytes of an element; BUS_AW and BUS_DW bits of address and data of the bus;
//   OUTSTANDING elements that have been asked for and not given, which the one who asks sees to, at least 2; BURST elements
//   of a read at most: 1, or a power of two up to 32; WIDE: 1 where beats may have several elements, for
//   which BURST is at least those of a word.
// Ports: channel one, the byte address of an element, a multiple of its bytes. To loom_axi_bus: ar, with its beats less one in
//   ar_len, and whether they are wide; r, in the order of ar, always taken, r_last with the last beat of a
//   read. give: an element, in the order of one, with an error of its beat. It is taken when give_ready is high, which it
//   always has to be without WIDE. reads: elements that have been asked for and not given.
// Timing: one is on ar in its cycle, unless it waits for others to share a read with; an element on r is given in that cycle, with WIDE from the next on. One element per cycle.
// Rule: rtl/README.md "AXI4 for direct circuits".
module loom_axi_read #(
    parameter int SHIFT       = 2,
    parameter int BUS_AW      = 64,
    parameter int BUS_DW      = 32,
    parameter int OUTSTANDING = 16,
    parameter int BURST       = 1,
    parameter int WIDE        = 0
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 one_valid,
    output logic                 one_ready,
    input  logic [BUS_AW-1:0]    one_addr,
    output logic                 ar_valid,
    input  logic                 ar_ready,
    output logic [BUS_AW-1:0]    ar_addr,
    output logic [7:0]           ar_len,
    output logic                 ar_wide,
    input  logic                 r_valid,
    input  logic [BUS_DW-1:0]    r_data,
    input  logic                 r_err,
    input  logic                 r_last,
    output logic                 give_valid,
    input  logic                 give_ready,
    output logic [(8<<SHIFT)-1:0] give_data,
    output logic                 give_err,
    output logic [$clog2(OUTSTANDING+1)-1:0] reads
);
  localparam int DW    = 8 << SHIFT;
  localparam int CW    = $clog2(OUTSTANDING + 1);
  localparam int LANES = BUS_DW / DW;  // elements side by side on the bus
  localparam int LB    = $clog2(LANES);
  localparam int LW    = (LB > 1) ? LB : 1;

  initial if (SHIFT < 0 || SHIFT > 3) $fatal(1, "loom_axi_read: an element has 1, 2, 4 or 8 bytes");
  initial if (BUS_DW < DW) $fatal(1, "loom_axi_read: BUS_DW must hold an element");
  initial if (OUTSTANDING < 2) $fatal(1, "loom_axi_read: OUTSTANDING must be at least 2");
  initial if (WIDE < 0 || WIDE > 1 || (WIDE == 1 && (LANES < 2 || BURST < LANES)))
    $fatal(1, "loom_axi_read: WIDE takes several elements in a word, and BURST of at least as many");

  logic ask;
  assign ask = one_valid & one_ready;
  always_ff @(posedge clk) begin
    if (rst) reads <= '0;
    else if (ask != (give_valid & give_ready)) reads <= ask ? reads + CW'(1) : reads - CW'(1);
  end

  // Reads of elements.
  logic              run_valid, run_ready;
  logic [BUS_AW-1:0] run_addr;
  logic [7:0]        run_len;
  generate
    if (BURST == 1) begin : g_single
      assign {run_valid, run_addr, run_len} = {one_valid, one_addr, 8'd0};
      assign one_ready = run_ready;
      logic unused_last;
      assign unused_last = r_last;
    end else begin : g_bursts
      // What has been asked for here leaves and ends, whatever is cleared.
      logic unused_id, unused_idle;
      logic [2:0] unused_size;
      loom_axi_run #(
          .AW    (BUS_AW),
          .IDW   (1),
          .BURST (BURST),
          // Words take elements that wait for each other: long reads are worth more than early ones.
          .EARLY ((WIDE != 0) ? 1 : (OUTSTANDING < 4) ? OUTSTANDING : 4),
          .PLACES(OUTSTANDING),
          .DIRECT((WIDE != 0) ? 0 : 1),
          .PATIENT(WIDE)
      ) u_run (
          .clk    (clk),
          .rst    (rst),
          .s_valid(one_valid),
          .s_ready(one_ready),
          .s_id   (1'b0),
          .s_addr (one_addr),
          .s_size (SHIFT[2:0]),
          .m_valid(run_valid),
          .m_ready(run_ready),
          .m_id   (unused_id),
          .m_addr (run_addr),
          .m_size (unused_size),
          .m_len  (run_len),
          .ended  (r_valid & r_last),
          .idle   (unused_idle)
      );
    end
  endgenerate

  generate
    if (WIDE == 0) begin : g_narrow
      assign {ar_valid, ar_addr, ar_len, ar_wide} = {run_valid, run_addr, run_len, 1'b0};
      assign run_ready  = ar_ready;
      assign give_valid = r_valid;
      assign give_err   = r_err;
      logic unused_give;
      assign unused_give = give_ready;
      if (LB == 0) begin : g_one_lane
        assign give_data = r_data;
      end else begin : g_lanes
        // The lane of an element waits from when it is asked for.
        logic [LW-1:0] lane;
        logic unused_ready, unused_valid, unused_idle;
        loom_fifo #(
            .W    (LW),
            .DEPTH(OUTSTANDING)
        ) u_lanes (
            .clk      (clk),
            .rst      (rst),
            .in_valid (ask),
            .in_ready (unused_ready),
            .in_data  (one_addr[SHIFT +: LW]),
            .out_valid(unused_valid),
            .out_ready(r_valid),
            .out_data (lane),
            .idle     (unused_idle)
        );
        assign give_data = r_data[lane*DW +: DW];
      end
    end else begin : g_wide
      logic wide;
      assign wide = (run_addr[SHIFT +: LB] == LB'(0)) & (&run_len[LB-1:0]);
      assign {ar_valid, ar_addr, ar_wide} = {run_valid, run_addr, wide};
      assign ar_len    = wide ? run_len >> LB : run_len;
      assign run_ready = ar_ready;

      // The shape of every read whose beats have not come.
      logic unused_shape_ready, unused_shape_valid, unused_shape_idle, r_wide;
      logic [LB-1:0] r_lane, beat;
      loom_fifo #(
          .W    (LB + 1),
          .DEPTH(OUTSTANDING)
      ) u_shapes (
          .clk      (clk),
          .rst      (rst),
          .in_valid (ar_valid & ar_ready),
          .in_ready (unused_shape_ready),
          .in_data  ({wide, run_addr[SHIFT +: LB]}),
          .out_valid(unused_shape_valid),
          .out_ready(r_valid & r_last),
          .out_data ({r_wide, r_lane}),
          .idle     (unused_shape_idle)
      );
      always_ff @(posedge clk) begin
        if (rst) beat <= '0;
        else if (r_valid) beat <= r_last ? LB'(0) : beat + LB'(1);
      end

      // Beats, and which of their elements is next. Each has an element that has not been given, so there is room.
      logic head_valid, head_wide, head_err, free, unused_room, unused_idle;
      logic [LB-1:0] head_lane, next, lane;
      logic [BUS_DW-1:0] head;
      loom_fifo #(
          .W    (BUS_DW + LB + 2),
          .DEPTH(OUTSTANDING)
      ) u_beats (
          .clk      (clk),
          .rst      (rst),
          .in_valid (r_valid),
          .in_ready (unused_room),
          .in_data  ({r_wide, r_lane + beat, r_err, r_data}),
          .out_valid(head_valid),
          .out_ready(free),
          .out_data ({head_wide, head_lane, head_err, head}),
          .idle     (unused_idle)
      );
      assign lane       = head_wide ? next : head_lane;
      assign give_valid = head_valid;
      assign give_data  = head[lane*DW +: DW];
      assign give_err   = head_err;
      assign free       = head_valid & give_ready & (~head_wide | (&next));
      always_ff @(posedge clk) begin
        if (rst) next <= '0;
        else if (give_valid & give_ready & head_wide) next <= next + LB'(1);
      end
    end
  endgenerate

`ifdef LOOM_FORMAL
`include "loom_axi_read.svh"
`endif
endmodule
