// f_axi4: watches an AXI4 port that carries single elements, and names every rule broken.
//
// Passive: all AXI signals are inputs. Simulations connect it beside master and slave and
// look at broken; proofs assume the rules of one side and assert those of the other.
// Not part of the library. Usable with Verilator (also with --noassert: a broken rule is an
// output, not an assertion), Icarus and Yosys.
// Parameters: IDW bits of an ID; AW, DW bits of address and data; EW bits of an element;
//   MAX transactions in flight per direction; NUMBERED: 1 checks the order of responses
//   per ID, for which the slave names with r_number and b_number the request (counted from 0
//   since reset, per direction) of a response: order cannot be seen otherwise;
//   MIXED: 1 lets every transaction name the size of its element, up to DW, and EW means
//   nothing; BURST: elements that a transaction may have; with more than 1 addresses
//   of writes come before their data; TELL: 1 prints the number of a rule when it is first broken (simulation).
// reads, writes: in flight; ars, aws, ws: transfers on AR, AW and W since reset.
// fault: rules broken in this cycle; broken: rules broken so far, until the next reset.
//
//   bit  side    rule
//    0   master  AW: valid stays and the payload with it until the transfer
//    1   master  W: the same
//    2   master  AR: the same
//    3   slave   B: the same
//    4   slave   R: the same
//    5   master  AW, W, AR: no valid under reset and in the first cycle after it
//    6   slave   B, R: the same
//    7   master  AW: one beat, INCR, size and alignment of an element (so never across 4 KB);
//                with BURST up to that many beats, in an aligned block of as many elements
//    8   master  AR: the same
//    9   master  WLAST with the only beat, or the last of the burst
//   10   master  the n-th W writes exactly the bytes of the element named by the n-th AW, or
//                of the one at its place in the burst
//   11   master  at most MAX writes in flight
//   12   master  at most MAX reads in flight
//   13   slave   R only to a read in flight of its ID
//   14   slave   B only to a write in flight of its ID whose address and data have arrived
//   15   slave   RLAST with the only beat, or the last of the burst
//   16   slave   R belongs to the oldest read of its ID (NUMBERED)
//   17   slave   B belongs to the oldest write of its ID (NUMBERED)
//   18   slave   no EXOKAY, as nothing is exclusive
//   19   both    no unknown valid, and no unknown ready beside a valid (simulation only)
module f_axi4 #(
    parameter int IDW      = 1,
    parameter int AW       = 64,
    parameter int DW       = 32,
    parameter int EW       = 32,
    parameter int MAX      = 16,
    parameter int NUMBERED = 0,
    parameter int MIXED    = 0,
    parameter int BURST    = 1,
    parameter int TELL     = 1
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            awvalid,
    input  logic            awready,
    input  logic [IDW-1:0]  awid,
    input  logic [AW-1:0]   awaddr,
    input  logic [7:0]      awlen,
    input  logic [2:0]      awsize,
    input  logic [1:0]      awburst,
    input  logic            wvalid,
    input  logic            wready,
    input  logic [DW-1:0]   wdata,
    input  logic [DW/8-1:0] wstrb,
    input  logic            wlast,
    input  logic            bvalid,
    input  logic            bready,
    input  logic [IDW-1:0]  bid,
    input  logic [1:0]      bresp,
    input  logic [15:0]     b_number,
    input  logic            arvalid,
    input  logic            arready,
    input  logic [IDW-1:0]  arid,
    input  logic [AW-1:0]   araddr,
    input  logic [7:0]      arlen,
    input  logic [2:0]      arsize,
    input  logic [1:0]      arburst,
    input  logic            rvalid,
    input  logic            rready,
    input  logic [IDW-1:0]  rid,
    input  logic [DW-1:0]   rdata,
    input  logic [1:0]      rresp,
    input  logic            rlast,
    input  logic [15:0]     r_number,
    output logic [15:0]     reads,
    output logic [15:0]     writes,
    output logic [15:0]     ars,
    output logic [15:0]     aws,
    output logic [15:0]     ws,
    output logic [19:0]     fault,
    output logic [19:0]     broken
);
  localparam int SHIFT = $clog2(EW / 8);
  localparam int BYTES = DW / 8;
  localparam int OB    = $clog2(BYTES);
  localparam int OW    = (OB > 1) ? OB : 1;
  localparam int QB    = $clog2(2 * MAX);  // slots by which one of AW and W is ahead

  logic aw, w, b, ar, r, was_rst;
  assign aw = awvalid & awready & ~rst;
  assign w  = wvalid & wready & ~rst;
  assign b  = bvalid & bready & ~rst;
  assign ar = arvalid & arready & ~rst;
  assign r  = rvalid & rready & ~rst;
  initial was_rst = 1'b0;
  always_ff @(posedge clk) was_rst <= rst;

  // Handshakes.
  f_axi4_stable #(.W(IDW + AW + 13)) u_aw (.clk(clk), .rst(rst), .valid(awvalid), .ready(awready), .data({awid, awaddr, awlen, awsize, awburst}), .fault(fault[0]));
  f_axi4_stable #(.W(DW + DW / 8 + 1)) u_w (.clk(clk), .rst(rst), .valid(wvalid), .ready(wready), .data({wdata, wstrb, wlast}), .fault(fault[1]));
  f_axi4_stable #(.W(IDW + AW + 13)) u_ar (.clk(clk), .rst(rst), .valid(arvalid), .ready(arready), .data({arid, araddr, arlen, arsize, arburst}), .fault(fault[2]));
  f_axi4_stable #(.W(IDW + 2)) u_b (.clk(clk), .rst(rst), .valid(bvalid), .ready(bready), .data({bid, bresp}), .fault(fault[3]));
  f_axi4_stable #(.W(IDW + DW + 3)) u_r (.clk(clk), .rst(rst), .valid(rvalid), .ready(rready), .data({rid, rdata, rresp, rlast}), .fault(fault[4]));
  assign fault[5] = was_rst & (awvalid | wvalid | arvalid);
  assign fault[6] = was_rst & (bvalid | rvalid);

  // Shape.
  logic [2:0] aw_size, ar_size;
  logic [6:0] aw_low, ar_low;  // address bits within an element
  logic aw_odd, ar_odd;
  assign aw_size = (MIXED != 0) ? awsize : SHIFT[2:0];
  assign ar_size = (MIXED != 0) ? arsize : SHIFT[2:0];
  assign aw_low  = ~(7'h7f << aw_size);
  assign ar_low  = ~(7'h7f << ar_size);
  assign aw_odd  = (|(awaddr[6:0] & aw_low)) | (awsize != aw_size) | (32'd8 << aw_size > DW);
  assign ar_odd  = (|(araddr[6:0] & ar_low)) | (arsize != ar_size) | (32'd8 << ar_size > DW);
  // The last element of a burst lies in the block of the first; of one element both are one.
  logic [15:0] aw_first, aw_end, ar_first, ar_end;
  assign aw_first = (awaddr[15:0] >> aw_size) & 16'(BURST - 1);
  assign ar_first = (araddr[15:0] >> ar_size) & 16'(BURST - 1);
  assign aw_end   = aw_first + {8'd0, awlen};
  assign ar_end   = ar_first + {8'd0, arlen};
  assign fault[7] = awvalid & ~rst & (aw_odd | (aw_end >= 16'(BURST)) | (awburst != 2'b01));
  assign fault[8] = arvalid & ~rst & (ar_odd | (ar_end >= 16'(BURST)) | (arburst != 2'b01));
  logic w_last;  // the beat ends its transaction
  assign fault[9] = wvalid & ~rst & (wlast != w_last);

  // Strobes: whichever of the n-th AW and the n-th W comes first waits for the other.
  logic [15:0] lead;  // of addresses before data, signed
  logic [OW-1:0] aw_offset;
  logic [BYTES-1:0] aw_bytes, wanted, strobe;  // aw_bytes: of the element at the address
  logic [(1<<QB)*BYTES-1:0] wants, strobes;
  logic [QB-1:0] aw_place, w_place;
  logic aw_second, w_second;  // the other half is there
  assign aw_offset = (OB == 0) ? '0 : awaddr[OW-1:0] & ~aw_low[OW-1:0];
  assign aw_bytes  = ({BYTES{1'b1}} >> (BYTES - (32'd1 << aw_size))) << aw_offset;
  assign aw_place  = aws[QB-1:0];
  assign w_place   = ws[QB-1:0];
  assign lead      = aws - ws;
  assign aw_second = aw & (lead[15] | ((lead == 16'd0) & w));
  assign w_second  = w & ~lead[15] & (lead != 16'd0);
  assign wanted      = w_second ? wants[w_place*BYTES +: BYTES] : aw_bytes;
  assign strobe      = (aw_second & lead[15]) ? strobes[aw_place*BYTES +: BYTES] : wstrb;

  // With bursts: the bursts whose data has not been sent to its end, and the beats that have.
  logic [15:0] ends;  // bursts whose data has been sent to its end
  generate
    if (BURST == 1) begin : g_single
      assign fault[10] = (aw_second | w_second) & (strobe != wanted);
      assign w_last    = 1'b1;
      assign ends      = ws;
    end else begin : g_burst
      logic [(1<<QB)*16-1:0] firsts, lens;  // byte offset on the bus of the first element, and awlen
      logic [(1<<QB)*3-1:0] sizes;
      logic [2:0] size;
      logic [15:0] beat, at, bs;
      logic [BYTES-1:0] bytes;
      assign w_last = (bs == aws) ? wlast : (beat == lens[bs[QB-1:0]*16 +: 16]);
      assign size   = sizes[bs[QB-1:0]*3 +: 3];
      assign at     = (firsts[bs[QB-1:0]*16 +: 16] + (beat << size)) & 16'(BYTES - 1);
      assign bytes  = ({BYTES{1'b1}} >> (BYTES - (32'd1 << size))) << at;
      assign fault[10] = w & ((wstrb != bytes) | (bs == aws));
      assign ends      = bs;
      initial beat = 16'd0;
      initial bs = 16'd0;
      always_ff @(posedge clk) begin
        if (aw) begin
          firsts[aws[QB-1:0]*16 +: 16] <= 16'(aw_offset);
          lens[aws[QB-1:0]*16 +: 16]   <= {8'd0, awlen};
          sizes[aws[QB-1:0]*3 +: 3]    <= aw_size;
        end
        if (rst) begin
          beat <= 16'd0;
          bs   <= 16'd0;
        end else if (w) begin
          beat <= w_last ? 16'd0 : beat + 16'd1;
          if (w_last) bs <= bs + 16'd1;
        end
      end
      logic unused_strobes;
      assign unused_strobes = (|strobe) | (|wanted);
    end
  endgenerate

  // Transactions in flight.
  logic r_found, b_found, r_full, b_full;
  logic [15:0] r_oldest, b_oldest, b_data;
  logic r_last, unused_b_last;
  f_axi4_age #(.IDW(IDW), .MAX(MAX), .BEATS((BURST > 1) ? 1 : 0)) u_reads (.clk(clk), .rst(rst), .push(ar), .push_id(arid), .push_number(ars), .push_len(arlen), .pop(r), .id(rid), .found(r_found), .number(r_oldest), .last(r_last), .full(r_full), .count(reads));
  f_axi4_age #(.IDW(IDW), .MAX(MAX)) u_writes (.clk(clk), .rst(rst), .push(aw), .push_id(awid), .push_number(aws), .push_len(8'd0), .pop(b), .id(bid), .found(b_found), .number(b_oldest), .last(unused_b_last), .full(b_full), .count(writes));
  assign b_data    = ends - b_oldest;  // above 0: the data of the oldest write has arrived
  assign fault[11] = aw & b_full;
  assign fault[12] = ar & r_full;
  assign fault[13] = rvalid & ~rst & ~r_found;
  assign fault[14] = bvalid & ~rst & (~b_found | b_data[15] | (b_data == 16'd0));
  assign fault[15] = rvalid & ~rst & (rlast != ((BURST == 1) | ~r_found | r_last));
  assign fault[16] = (NUMBERED != 0) & rvalid & ~rst & r_found & (r_number != r_oldest);
  assign fault[17] = (NUMBERED != 0) & bvalid & ~rst & b_found & (b_number != b_oldest);
  assign fault[18] = ~rst & ((rvalid & (rresp == 2'b01)) | (bvalid & (bresp == 2'b01)));

  logic was_live;
  initial was_live = 1'b0;
  always_ff @(posedge clk) was_live <= ~rst & (was_rst | was_live);
`ifdef LOOM_FORMAL
  assign fault[19] = 1'b0;
`else
  // An unknown bit makes the reduction unknown, which only === distinguishes from 0 and 1.
  logic known;
  assign known = (^{awvalid, wvalid, bvalid, arvalid, rvalid, awvalid & awready, wvalid & wready,
                    bvalid & bready, arvalid & arready, rvalid & rready}) !== 1'bx;
  assign fault[19] = ~rst & was_live & ~known;
`endif

  initial broken = '0;
  always_ff @(posedge clk) begin
    if (aw) wants[aw_place*BYTES +: BYTES] <= aw_bytes;
    if (w) strobes[w_place*BYTES +: BYTES] <= wstrb;
    if (rst) begin
      aws    <= 16'd0;
      ws     <= 16'd0;
      ars    <= 16'd0;
      broken <= was_rst ? (broken | fault) & 20'h00060 : 20'd0;
    end else begin
      aws    <= aws + {15'd0, aw};
      ws     <= ws + {15'd0, w};
      ars    <= ars + {15'd0, ar};
      broken <= broken | fault;
    end
  end
`ifndef LOOM_FORMAL
  always @(posedge clk) if (TELL != 0)
    for (int i = 0; i < 20; i++) if ((fault[i] === 1'b1) & (broken[i] !== 1'b1)) $display("%0t %m: AXI4 rule %0d of f_axi4 is broken", $time, i);
`endif
endmodule

// f_axi4_stable: valid and payload of one channel stay until the transfer.
/* verilator lint_off DECLFILENAME */
module f_axi4_stable #(
    parameter int W = 1
) (
    input  logic         clk,
    input  logic         rst,
    input  logic         valid,
    input  logic         ready,
    input  logic [W-1:0] data,
    output logic         fault
);
  logic stalled;
  logic [W-1:0] held;
  initial stalled = 1'b0;
  always_ff @(posedge clk) begin
    stalled <= ~rst & valid & ~ready;
    held    <= data;
  end
  assign fault = stalled & ~rst & (~valid | (data !== held));
endmodule

// f_axi4_age: the transactions in flight in order of age, with their ID and number.
// With BEATS one leaves with its last beat: last tells whether the next of an ID is it.
module f_axi4_age #(
    parameter int IDW   = 1,
    parameter int MAX   = 16,
    parameter int BEATS = 0
) (
    input  logic           clk,
    input  logic           rst,
    input  logic           push,
    input  logic [IDW-1:0] push_id,
    input  logic [15:0]    push_number,
    input  logic [7:0]     push_len,
    input  logic           pop,
    input  logic [IDW-1:0] id,
    output logic           found,
    output logic [15:0]    number,
    output logic           last,
    output logic           full,
    output logic [15:0]    count
);
  logic [MAX:0] used;
  initial used = '0;
  logic [(MAX+1)*(IDW+16)-1:0] entry;
  logic remove, add;
  logic [15:0] at;

  assign full   = used[MAX-1];
  assign count  = 16'($countones(used));
  assign remove = pop & found & last;
  assign add    = push & (~full | remove);
  always @(*) begin
    found  = 1'b0;
    at     = 16'd0;
    number = 16'd0;
    for (int k = 0; k < MAX; k++) begin
      if (~found & used[k] & (entry[k*(IDW+16)+16 +: IDW] == id)) begin
        found  = 1'b1;
        at     = k[15:0];
        number = entry[k*(IDW+16) +: 16];
      end
    end
  end
  always_ff @(posedge clk) begin
    for (int k = 0; k < MAX; k++) begin
      if (remove & (k[15:0] >= at)) entry[k*(IDW+16) +: IDW+16] <= entry[(k+1)*(IDW+16) +: IDW+16];
      if (add & (remove ? (used[k] & ~used[k+1]) : (~used[k] & ((k == 0) | used[(k == 0) ? 0 : k-1]))))
        entry[k*(IDW+16) +: IDW+16] <= {push_id, push_number};
    end
    if (rst) used <= '0;
    else if (add & ~remove) used <= {1'b0, used[MAX-2:0], 1'b1};
    else if (remove & ~add) used <= used >> 1;
  end
  generate
    if (BEATS == 0) begin : g_single
      logic unused_len;
      assign unused_len = |push_len;
      assign last = 1'b1;
    end else begin : g_beats
      // The beats that are left of each, less one.
      logic [(MAX+1)*8-1:0] left;
      assign last = left[at*8 +: 8] == 8'd0;
      always_ff @(posedge clk) begin
        for (int k = 0; k < MAX; k++) begin
          if (remove & (k[15:0] >= at)) left[k*8 +: 8] <= left[(k+1)*8 +: 8];
          else if (pop & found & (k[15:0] == at)) left[k*8 +: 8] <= left[k*8 +: 8] - 8'd1;
          if (add & (remove ? (used[k] & ~used[k+1]) : (~used[k] & ((k == 0) | used[(k == 0) ? 0 : k-1]))))
            left[k*8 +: 8] <= push_len;
        end
      end
    end
  endgenerate
`ifdef LOOM_FORMAL
  initial entry = '0;
  always_comb assert (~used[MAX] & (((used + (MAX + 1)'(1)) & used) == '0));
`endif
endmodule
