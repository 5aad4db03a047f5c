// loom_read_cache: cache for the loads of an external memory.
//
// Function: stands between the load requests of an external memory and its bus. An element that
//   a load of a cached region has fetched stays in one of ELEMENTS places, direct-mapped by its
//   address, until another one takes the place: loads of it make no request until then. Nothing
//   is fetched but what is loaded. Responses leave in the order of the requests, of all tags.
//   Whether a load is a hit is decided when it is looked up, and its data are taken when its turn
//   to respond comes: so the second load of an element is a hit while the first one waits for
//   memory, and an element takes the place of another one behind the loads of that one. A store
//   of a cached region drops the line of its element. A response with err drops all, and so does
//   a cycle in which the fabric holds no token: memory may change between two runs.
// Parameters: DW bits of an element (8, 16, 32 or 64); TW bits of a tag, 0 without tags; BUS_AW
//   bits of a byte address, the others are dropped; NUM_REGION table entries; ELEMENTS places, a
//   power of two; LINE of them share an address, each with a mark of its own that it is filled;
//   OUTSTANDING loads at most without response.
// Ports: quiet: no token is in the fabric; cfg_region: entries from the low end, each valid (bit
//   0), start_tag, end_tag and whether the region is cached; load requests req and responses rsp
//   of the memory, always taken; request channel bus and its responses bus_rsp, in the order of
//   the requests, always taken; st: the store request on the bus, in a cycle with st_taken the bus
//   takes it.
// Timing: req_ready comes from state. A load taken in t is looked up in t+1 at the earliest; from
//   t+2 on a miss is on bus until it is taken, and a hit leaves. A hit responds in t+4 at the
//   earliest, a miss two cycles after bus_rsp. One load per cycle, hits and misses alike. A store
//   taken in t drops its line behind the look-up of t+2: that is in time for loads that wait for its
//   response, which are taken in t+2 or later. Others are of other elements.
// Rule: rtl/README.md "Read cache".
module loom_read_cache #(
    parameter int DW          = 32,
    parameter int TW          = 0,
    parameter int BUS_AW      = 64,
    parameter int NUM_REGION  = 1,
    parameter int ELEMENTS    = 256,
    parameter int LINE        = (ELEMENTS > 128) ? ELEMENTS / 32 : 4,
    parameter int OUTSTANDING = 16
) (
    input  logic              clk,
    input  logic              rst,
    input  logic              quiet,
    input  logic [NUM_REGION*(2+2*TW)-1:0] cfg_region,
    input  logic              req_valid,
    output logic              req_ready,
    input  logic [BUS_AW-1:0] req_addr,
    input  logic [((TW > 1) ? TW : 1)-1:0] req_tag,
    output logic              rsp_valid,
    output logic [DW-1:0]     rsp_data,
    output logic [((TW > 1) ? TW : 1)-1:0] rsp_tag,
    output logic              rsp_err,
    output logic              bus_valid,
    input  logic              bus_ready,
    output logic [BUS_AW-1:0] bus_addr,
    input  logic              bus_rsp_valid,
    input  logic [DW-1:0]     bus_rsp_data,
    input  logic              bus_rsp_err,
    input  logic              st_taken,
    input  logic [BUS_AW-1:0] st_addr,
    input  logic [((TW > 1) ? TW : 1)-1:0] st_tag
);
  initial if (DW != 8 && DW != 16 && DW != 32 && DW != 64) $fatal(1, "loom_read_cache: DW must be 8, 16, 32 or 64");
  initial if (LINE < 2 || LINE != (1 << $clog2(LINE))) $fatal(1, "loom_read_cache: LINE must be a power of two, at least 2");
  initial if (ELEMENTS < 2 * LINE || ELEMENTS != (1 << $clog2(ELEMENTS))) $fatal(1, "loom_read_cache: ELEMENTS must be a power of two, at least two lines");
  initial if (TW < 0 || NUM_REGION < 1 || OUTSTANDING < 2) $fatal(1, "loom_read_cache: TW must be at least 0, NUM_REGION at least 1, OUTSTANDING at least 2");
  initial if (BUS_AW <= $clog2(DW / 8) + $clog2(ELEMENTS)) $fatal(1, "loom_read_cache: BUS_AW must name more elements than there are places");

  localparam int IDW   = (TW > 1) ? TW : 1;
  localparam int SHIFT = $clog2(DW / 8);
  localparam int EAW   = BUS_AW - SHIFT;    // bits of an element address
  localparam int PW    = $clog2(ELEMENTS);  // its lower bits are the place
  localparam int NW    = EAW - PW;          // the others, the name of the line that is in a place
  localparam int MW    = $clog2(LINE);
  localparam int LINES = ELEMENTS / LINE;
  localparam int LW    = PW - MW;

  // Whether the regions of the load and of the store are cached.
  logic req_cached, st_cached;
  generate
    if (TW == 0) begin : g_region
      logic [NUM_REGION-1:0] unused_valid;
      logic unused_overlap, unused_tags;
      loom_region #(
          .NUM_REGION(NUM_REGION),
          .OW        (1)
      ) u_region (
          .cfg_region(cfg_region),
          .valid     (unused_valid),
          .offset    (req_cached),
          .overlap   (unused_overlap)
      );
      assign st_cached   = req_cached;
      assign unused_tags = ^st_tag;
    end else begin : g_regions
      logic [1:0] unused_hit;
      logic unused_overlap, unused_empty;
      loom_region_tagged #(
          .NUM_REGION(NUM_REGION),
          .TW        (TW),
          .OW        (1),
          .N         (2)
      ) u_region (
          .cfg_region(cfg_region),
          .tag       ({st_tag, req_tag}),
          .hit       (unused_hit),
          .offset    ({st_cached, req_cached}),
          .overlap   (unused_overlap),
          .empty     (unused_empty)
      );
    end
  endgenerate

  // A request waits in registers, so that the sum that is its address is not on the path of the look-up.
  // It leaves when there is room behind the look-up, so the bus is not on that of the memory's ready.
  logic           room, asked, asked_cached;
  logic [EAW-1:0] asked_element;
  logic [IDW-1:0] asked_tag;

  assign req_ready = ~asked | room;
  always_ff @(posedge clk) begin
    if (rst) asked <= 1'b0;
    else asked <= req_valid | (asked & ~room);
    if (req_ready) begin
      asked_cached  <= req_cached;
      asked_tag     <= req_tag;
      asked_element <= req_addr[BUS_AW-1:SHIFT];
    end
  end

  // The look-up: what will be in a place when the load has its turn. It puts the load's name in its line
  // at once. The line's marks, which depend on whether that was the name before, are written a cycle
  // later; a look-up of the line in that cycle takes them from the registers.
  (* no_rw_check *) logic [NW-1:0]   names [0:LINES-1];
  (* no_rw_check *) logic [LINE-1:0] marks [0:LINES-1];
  logic [LINES-1:0] present;  // lines with a name
  logic [LW-1:0]    line, last_line, st_line, drop_line;
  logic [NW-1:0]    name, st_name;
  logic [LINE-1:0]  mark, last_mark, last_marks;
  logic [MW-1:0]    last_at;
  logic             same, last_same, look, touch, stored, drop, fail;
  logic             empty;  // quiet, a cycle ago

  assign line       = asked_element[MW +: LW];
  assign name       = asked_element[PW +: NW];
  assign same       = &{asked_cached, present[line], ~empty, ~(names[line] ^ name)};
  assign last_marks = (last_same ? last_mark : '0) | (LINE'(1) << last_at);
  assign mark       = (last_line == line) ? last_marks : marks[line];
  assign look       = asked & room;
  assign touch      = look & asked_cached;

  always_ff @(posedge clk) begin
    if (rst) empty <= 1'b0;
    else empty <= quiet;
    if (touch) begin
      names[line] <= name;
      last_line   <= line;
      last_at     <= asked_element[MW-1:0];
      last_same   <= same;
      last_mark   <= mark;
    end
    marks[last_line] <= last_marks;
  end

  // A store is compared in the cycle after it was taken, and drops in the next one.
  always_ff @(posedge clk) begin
    if (rst) begin
      stored <= 1'b0;
      drop   <= 1'b0;
    end else begin
      stored <= st_taken & st_cached;
      drop   <= stored & present[st_line] & (names[st_line] == st_name);
    end
    st_line   <= st_addr[SHIFT+MW +: LW];
    st_name   <= st_addr[SHIFT+PW +: NW];
    drop_line <= st_line;
  end
  for (genvar l = 0; l < LINES; l++) begin : g_line
    // As data: a reset that follows from its own register is a loop to the mapper of Yosys.
    always_ff @(posedge clk) begin
      present[l] <= ~(rst | fail | (drop & (drop_line == l[LW-1:0]))) &
                    ((touch & (line == l[LW-1:0])) | (present[l] & ~empty));
    end
  end

  // Behind the look-up: the name and the mark together say whether it is a hit. Misses are on the bus.
  logic           waiting, named, marked, hit, cached, fill, leave, unused_idle;
  logic [EAW-1:0] element;
  logic [IDW-1:0] tag;

  loom_fifo #(
      .W    (3 + IDW + EAW),
      .DEPTH(2)
  ) u_looked_up (
      .clk      (clk),
      .rst      (rst),
      .in_valid (look),
      .in_ready (room),
      .in_data  ({same, mark[asked_element[MW-1:0]], asked_cached, asked_tag, asked_element}),
      .out_valid(waiting),
      .out_ready(leave),
      .out_data ({named, marked, cached, tag, element}),
      .idle     (unused_idle)
  );
  assign hit       = named & marked;
  assign fill      = cached & ~hit;
  assign bus_valid = ~rst & waiting & ~hit;
  assign bus_addr  = BUS_AW'(element) << SHIFT;
  assign leave     = hit | bus_ready;

  // The order of the responses. The memory has kept a place for each load since it took it.
  logic           turn_valid, turn, turn_hit, turn_fill, unused_room, unused_turn_idle;
  logic [PW-1:0]  turn_place;
  logic [IDW-1:0] turn_tag;

  loom_fifo #(
      .W    (2 + IDW + PW),
      .DEPTH(OUTSTANDING)
  ) u_order (
      .clk      (clk),
      .rst      (rst),
      .in_valid (waiting & leave),
      .in_ready (unused_room),
      .in_data  ({hit, fill, tag, element[PW-1:0]}),
      .out_valid(turn_valid),
      .out_ready(turn),
      .out_data ({turn_hit, turn_fill, turn_tag, turn_place}),
      .idle     (unused_turn_idle)
  );

  // Responses come while hits before them have their turn.
  logic          come, come_err, unused_rsp_room, unused_rsp_idle;
  logic [DW-1:0] come_data;

  loom_fifo #(
      .W    (1 + DW),
      .DEPTH(OUTSTANDING)
  ) u_fetched (
      .clk      (clk),
      .rst      (rst),
      .in_valid (bus_rsp_valid),
      .in_ready (unused_rsp_room),
      .in_data  ({bus_rsp_err, bus_rsp_err ? DW'(0) : bus_rsp_data}),
      .out_valid(come),
      .out_ready(turn_valid & ~turn_hit),
      .out_data ({come_err, come_data}),
      .idle     (unused_rsp_idle)
  );

  // A turn writes a place or reads one, so what a miss writes is there for the hits behind it.
  (* no_rw_check *) logic [DW-1:0] places [0:ELEMENTS-1];
  logic [DW-1:0] kept, fetched;
  logic          from_place;

  assign turn     = turn_valid & (turn_hit | come);
  assign fail     = turn & ~turn_hit & come_err;
  assign rsp_data = from_place ? kept : fetched;

  always_ff @(posedge clk) begin
    if (turn & turn_fill) places[turn_place] <= come_data;
    if (turn & turn_hit) kept <= places[turn_place];
  end
  always_ff @(posedge clk) begin
    if (rst) rsp_valid <= 1'b0;
    else rsp_valid <= turn;
    rsp_tag    <= turn_tag;
    rsp_err    <= ~turn_hit & come_err;
    from_place <= turn_hit;
    fetched    <= come_data;
  end

  // Bytes of an element.
  logic unused_bits;
  assign unused_bits = (^req_addr) ^ (^st_addr);

`ifdef LOOM_ASSERT
`ifndef SYNTHESIS
  always @(posedge clk) begin
    if (rst === 1'b0) begin
      if (waiting && leave && !unused_room) $error("LOOM_ASSERT: %m: more than OUTSTANDING loads in flight");
      if (bus_rsp_valid && !unused_rsp_room) $error("LOOM_ASSERT: %m: a response without a place");
    end
  end
`endif
`endif

`ifdef LOOM_FORMAL
`include "loom_read_cache.svh"
`endif
endmodule
