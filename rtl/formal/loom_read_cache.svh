// Proof of loom_read_cache, of an element at will: a load of it is a hit if and only if a cached load
// has fetched it since the cache was empty, and neither another element of its line's places nor a
// store to its line nor an error has come since; the data of every load are those of memory. Every
// load has one response, with its tag, in the order of the requests; each miss is one request on the
// bus, and nothing waits but for the bus. The environment: the bus responds in order, at the
// earliest in the next cycle; loads and stores of the element are not under way at a time, as the
// program orders them; its stores are of cached regions; and memory changes by itself only while the
// fabric is quiet. What is there and the counts hold by induction, data and order bounded.
`include "f_reset.svh"
  logic [NUM_REGION*(2+2*TW)-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_region;
  always_comb if (f_live) assume (cfg_region == f_cfg);
  f_channel #(.W(BUS_AW + IDW), .ASSUME(1)) f_q (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data({req_addr, req_tag}));
  f_channel #(.W(BUS_AW + IDW), .ASSUME(1)) f_s (.clk(clk), .rst(rst), .valid(st_valid), .ready(st_taken), .data({st_addr, st_tag}));
  f_channel #(.W(BUS_AW)) f_b (.clk(clk), .rst(rst), .valid(bus_valid), .ready(bus_ready), .data(bus_addr));
  always_comb assume (~st_taken | st_valid);

  // The element, and what it is in memory.
  (* anyconst *) logic [EAW-1:0] f_at;
  (* anyseq *) logic [DW-1:0] f_any;
  (* anyseq *) logic f_end, f_mark;
  logic [DW-1:0] f_memory;
  logic f_load, f_store, f_storing;  // the element on offer; a store of it without a response
  logic [7:0] f_loading;             // loads of it without a response
  assign f_load  = req_valid & (req_addr[BUS_AW-1:SHIFT] == f_at);
  assign f_store = st_valid & (st_addr[BUS_AW-1:SHIFT] == f_at);

  // Loads without a response, of all elements: waiting for the look-up, for their turn, responding.
  logic [7:0] f_waits, f_turns, f_missing, f_asked, f_kept, f_count;
  logic f_accept, f_look, f_miss;
  assign f_accept = req_valid & req_ready;
  assign f_look   = waiting & leave;
  assign f_miss   = bus_valid & bus_ready;
  assign f_count  = f_waits + f_turns + {7'd0, rsp_valid};
  initial f_waits   = 8'd0;
  initial f_turns   = 8'd0;
  initial f_missing = 8'd0;
  initial f_asked   = 8'd0;
  initial f_kept    = 8'd0;
  initial f_storing = 1'b0;
  initial f_loading = 8'd0;

  // The requests on the bus that are of the element, the oldest lowest.
  logic [15:0] f_of;
  initial f_of = 16'd0;

  // Which loads that wait for their turn are misses, the oldest lowest. That a queue gives back what it
  // was given is proven with loom_fifo: the induction takes it from there.
  logic [15:0] f_kinds;
  initial f_kinds = 16'd0;
  always_ff @(posedge clk) if (f_live)
    f_kinds <= (turn ? f_kinds >> 1 : f_kinds) | ({15'd0, f_miss} << (f_turns - {7'd0, turn}));
`ifdef F_INDUCTION
  always_comb assume (~turn_valid | (turn_hit == ~f_kinds[0]));
`endif

  // A load at will: how many are before it, its tag, and whether it is of the element.
  logic f_tracking, f_mine;
  logic [7:0] f_before;
  logic [IDW-1:0] f_tag;
  logic f_there, f_broken;  // broken: a response of the element had err
  initial f_tracking = 1'b0;
  initial f_there    = 1'b0;
  initial f_broken   = 1'b0;
  logic f_mine_looked, f_other, f_dropped;
  assign f_mine_looked = element == f_at;
  // Another name in the element's line, or a store to its line.
  assign f_other   = fill & (line == f_at[MW +: LW]) & (name != f_at[PW +: NW]);
  assign f_dropped = st_taken & st_cached & (st_line == f_at[MW +: LW]) & ((st_name == f_at[PW +: NW]) | (fill & (line == st_line)));

  logic f_arrive;  // a load of the element responds
  assign f_arrive = rsp_valid & f_tracking & f_mine & (f_before == 8'd0);

  always_comb begin
    assume (~bus_rsp_valid | (f_asked != 8'd0));
    if (rst) assume (~bus_rsp_valid & ~st_taken);
    // The memory has a place for each.
    if (f_live) assume (~req_valid | (f_count != OUTSTANDING) | rst);
    // A response of the element is what memory holds.
    if (f_live & bus_rsp_valid & f_of[0] & ~bus_rsp_err) assume (bus_rsp_data == f_memory);
    // Ordered by the program: a load, or a store, at a time.
    assume (~(f_load & (f_storing | f_store)));
    assume (~(f_store & (f_storing | (f_loading != 8'd0))));
    assume (~f_store | st_cached);
    if (quiet) assume ((f_count == 8'd0) & ~f_storing & ~st_valid);
  end

  always_ff @(posedge clk) if (f_live) begin
    f_waits   <= f_waits + {7'd0, f_accept} - {7'd0, f_look};
    f_turns   <= f_turns + {7'd0, f_look} - {7'd0, turn};
    f_missing <= f_missing + {7'd0, f_miss} - {7'd0, turn & ~turn_hit};
    f_asked   <= f_asked + {7'd0, f_miss} - {7'd0, bus_rsp_valid};
    f_kept    <= f_kept + {7'd0, bus_rsp_valid} - {7'd0, turn & ~turn_hit};
    f_of      <= (bus_rsp_valid ? f_of >> 1 : f_of) |
                 ({15'd0, f_miss & f_mine_looked} << (f_asked - {7'd0, bus_rsp_valid}));
    f_storing <= (f_storing & ~f_end) | (f_store & st_taken);
    if ((f_storing & f_end) | (quiet & ~f_load)) f_memory <= f_any;
    f_broken  <= f_broken | (bus_rsp_valid & f_of[0] & bus_rsp_err);
    f_there   <= ((f_there & ~empty) | (fill & f_mine_looked)) & ~f_other & ~f_dropped & ~fail;
    if (f_tracking) begin
      if (rsp_valid) begin
        f_before   <= f_before - 8'd1;
        f_tracking <= f_before != 8'd0;
      end
    end else if (f_accept & f_mark) begin
      f_tracking <= 1'b1;
      f_mine     <= f_load;
      f_tag      <= req_tag;
      f_before   <= f_count - {7'd0, rsp_valid};
    end
  end
  // Loads of the element that are under way, bounded by all.
  logic [15:0] f_line;  // those that are, in the order of all loads, the oldest lowest
  initial f_line = 16'd0;
  always_ff @(posedge clk) if (f_live) begin
    f_line <= (rsp_valid ? f_line >> 1 : f_line) | ({15'd0, f_accept & f_load} << (f_count - {7'd0, rsp_valid}));
  end
  always_comb f_loading = 8'($countones(f_line));

  always_comb if (f_live) begin
    // What is there.
    assert (f_there == (present[f_at[MW +: LW]] & (names[f_at[MW +: LW]] == f_at[PW +: NW]) & marks[f_at[MW +: LW]][f_at[MW-1:0]]));
    if (waiting & f_mine_looked) assert (hit == (cached & f_there & ~empty));
    if (bus_valid & f_mine_looked & cached) assert (~f_there | empty);
    assert (~bus_valid | (bus_addr[BUS_AW-1:SHIFT] == element));
    // Counts: a place for each, one request for each miss, and nothing waits but for the bus.
    assert (waiting == (f_waits != 8'd0));
    assert (f_waits <= 8'd2);
    assert (room == (f_waits != 8'd2));
    assert (turn_valid == (f_turns != 8'd0));
    assert (f_missing == f_asked + f_kept);
    assert ((f_missing == 8'($countones(f_kinds))) & ((f_kinds >> f_turns) == 16'd0));
    assert (f_count <= OUTSTANDING);
    assert ((f_waits <= OUTSTANDING) & (f_turns <= OUTSTANDING) & (f_asked <= OUTSTANDING) & (f_kept <= OUTSTANDING));
    assert (come == (f_kept != 8'd0));
    if (OUTSTANDING == 2) assert (unused_room == (f_turns != 8'd2));
    if (OUTSTANDING == 2) assert (unused_rsp_room == (f_kept != 8'd2));
    if (f_look) assert (unused_room);
    if (bus_rsp_valid) assert (unused_rsp_room);
    if (waiting & ~leave) assert (bus_valid & ~bus_ready);
    assert (req_ready == (room & ~(st_valid & (req_addr[SHIFT +: PW] == st_addr[SHIFT +: PW]))));
`ifndef F_INDUCTION
    if (turn_valid) assert (turn_hit == ~f_kinds[0]);
    if (turn_valid & ~turn) assert (f_asked != 8'd0);
    if (rsp_valid & f_tracking & (f_before == 8'd0)) assert (rsp_tag == f_tag);
    if (f_arrive & ~f_broken) assert (~rsp_err & (rsp_data == f_memory));
    assert (rsp_valid | ~f_tracking | (f_count > f_before));
`endif
    cover (f_arrive & from_place & ~f_broken & (rsp_data != '0));
    cover (f_there & hit & turn_valid & ~turn_hit);
    cover (f_there & f_other);
    cover (f_there & f_dropped & ~fail);
    cover (f_there & fail);
    cover (f_there & empty);
    cover (fill & drop & (f_there | f_mine_looked));
    cover (req_valid & room & clash);
    cover ((OUTSTANDING < 3) | (bus_rsp_valid & turn & turn_hit));
  end
