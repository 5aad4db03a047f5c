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
//   the requests, always taken; st: the store request that is on offer on the bus, st_taken: the
//   bus takes it in this cycle.
// Timing: req_ready comes from state, and from the place of the store on offer: a load waits while
//   that is its own, so no load and store of one element are taken in one cycle. A load taken in t
//   is looked up from t+1 on; a miss is on bus until it is taken, a hit leaves at once. A hit
//   responds in t+3 at the earliest, a miss two cycles after bus_rsp. One load per cycle, hits
//   and misses alike.
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
    input  logic              st_valid,
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

  // Requests wait in registers, so that the sum that is their address is not on the path of the
  // look-up, nor the bus on that of the memory's ready.
  logic           room, waiting, cached, leave, clash, unused_idle;
  logic [EAW-1:0] element;
  logic [IDW-1:0] tag;

  assign clash     = st_valid & (req_addr[SHIFT +: PW] == st_addr[SHIFT +: PW]);
  assign req_ready = room & ~clash;
  loom_fifo #(
      .W    (1 + IDW + EAW),
      .DEPTH(2)
  ) u_requests (
      .clk      (clk),
      .rst      (rst),
      .in_valid (req_valid & req_ready),
      .in_ready (room),
      .in_data  ({req_cached, req_tag, req_addr[BUS_AW-1:SHIFT]}),
      .out_valid(waiting),
      .out_ready(leave),
      .out_data ({cached, tag, element}),
      .idle     (unused_idle)
  );

  // The look-up: what will be in a place when the load has its turn.
  (* no_rw_check *) logic [NW-1:0]   names [0:LINES-1];
  (* no_rw_check *) logic [LINE-1:0] marks [0:LINES-1];
  logic [LINES-1:0] present;  // lines with a name
  logic [LW-1:0]    line, st_line;
  logic [NW-1:0]    name, st_name;
  logic [LINE-1:0]  mark, own;
  logic             same, hit, touch, fill, drop, fail;
  logic             empty;  // quiet, a cycle ago

  assign line      = element[MW +: LW];
  assign name      = element[PW +: NW];
  assign mark      = marks[line];
  assign own       = LINE'(1) << element[MW-1:0];
  assign same      = present[line] & ~empty & (names[line] == name);
  assign hit       = waiting & cached & same & (|(mark & own));
  assign bus_valid = ~rst & waiting & ~hit;
  assign bus_addr  = BUS_AW'(element) << SHIFT;
  assign leave     = hit | bus_ready;
  // What a hit writes is there: the writes do not wait for the comparison.
  assign touch     = waiting & bus_ready & cached;
  assign fill      = touch & ~hit;
  // A store that is taken together with a fetch for its line drops that, too: it may be of the
  // element that is fetched.
  assign st_line   = st_addr[SHIFT+MW +: LW];
  assign st_name   = st_addr[SHIFT+PW +: NW];
  assign drop      = st_taken & st_cached &
                     ((present[st_line] & (names[st_line] == st_name)) | (fill & (line == st_line)));

  always_ff @(posedge clk) begin
    if (rst) empty <= 1'b0;
    else empty <= quiet;
    if (touch) begin
      names[line] <= name;
      marks[line] <= (same ? mark : '0) | own;
    end
  end
  for (genvar l = 0; l < LINES; l++) begin : g_line
    always_ff @(posedge clk) begin
      if (rst | fail | (drop & (st_line == l[LW-1:0]))) present[l] <= 1'b0;
      else if (touch & (line == l[LW-1:0])) present[l] <= 1'b1;
      else if (empty) present[l] <= 1'b0;
    end
  end

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
      if (st_taken && !st_valid) $error("LOOM_ASSERT: %m: the bus takes a store that is not on offer");
    end
  end
`endif
`endif

`ifdef LOOM_FORMAL
`include "loom_read_cache.svh"
`endif
endmodule
