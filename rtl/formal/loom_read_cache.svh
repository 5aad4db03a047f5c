// Proof of loom_read_cache, of an element at will: a load of it is a hit if and only if a cached load
// of it has been looked up since the cache was empty, and neither another element of its line's places
// has been, nor has a store to its line or an error come since; the data of every load are those of
// memory. Every load has one response, with its tag, in the order of the requests; each miss is one
// request on the bus, and nothing waits but for the bus. The environment: the bus responds in order, at the
// earliest in the next cycle; loads and stores of the element are not under way at a time, as the
// program orders them; its stores are of cached regions; and memory changes by itself only while the
// fabric is quiet. What is there and the counts hold by induction, data and order bounded.
`ifdef F_TOP_loom_read_cache
`include "f_reset.svh"
  logic [NUM_REGION*(2+2*TW)-1:0] f_cfg;
  always_ff @(posedge clk) f_cfg <= cfg_region;
  always_comb if (f_live) assume (cfg_region == f_cfg);
  f_channel #(.W(BUS_AW + IDW), .ASSUME(1)) f_q (.clk(clk), .rst(rst), .valid(req_valid), .ready(req_ready), .data({req_addr, req_tag}));
  (* anyseq *) logic st_valid;  // a store is on offer
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

  // Loads without a response, of all elements: waiting for the look-up, behind it, for their turn, responding.
  logic [7:0] f_waits, f_turns, f_missing, f_asked, f_kept, f_count;
  logic f_accept, f_leave, f_miss;
  assign f_accept = req_valid & req_ready;
  assign f_leave  = waiting & leave;
  assign f_miss   = bus_valid & bus_ready;
  assign f_count  = {7'd0, asked} + f_waits + f_turns + {7'd0, rsp_valid};
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
  // Likewise which of those behind the look-up it found.
  logic [1:0] f_found;
  initial f_found = 2'd0;
  always_ff @(posedge clk) if (f_live)
    f_found <= (f_leave ? f_found >> 1 : f_found) | ({1'b0, look & same & mark[asked_element[MW-1:0]]} << (f_waits - {7'd0, f_leave}));
  always_comb assume (~f_induction | ~turn_valid | (turn_hit == ~f_kinds[0]));
  always_comb assume (~f_induction | ~waiting | ((named & marked) == f_found[0]));

  // A load at will: how many are before it, its tag, and whether it is of the element.
  logic f_tracking, f_mine;
  logic [7:0] f_before;
  logic [IDW-1:0] f_tag;
  logic f_there, f_broken;  // broken: a response of the element had err
  initial f_tracking = 1'b0;
  initial f_there    = 1'b0;
  initial f_broken   = 1'b0;
  logic f_mine_asked, f_mine_looked, f_other, f_dropped;
  assign f_mine_asked  = asked_element == f_at;
  assign f_mine_looked = element == f_at;
  // Another name in the element's line, or a store that drops its line: one of the element's name, which finds the
  // element there a cycle later, or of another name, which a cycle later is no longer there.
  assign f_other   = touch & (line == f_at[MW +: LW]) & (name != f_at[PW +: NW]);
  assign f_dropped = drop & (drop_line == f_at[MW +: LW]);
  logic [1:0] f_stored, f_stored_line;  // a cached store of the element's name, and of its line, a cycle ago and two
  initial f_stored      = 2'd0;
  initial f_stored_line = 2'd0;

  // The marks of the element's line, the last ones on their way to the memory.
  logic [LINE-1:0] f_marks;
  assign f_marks = (last_line == f_at[MW +: LW]) ? last_marks : marks[f_at[MW +: LW]];

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
    f_waits   <= f_waits + {7'd0, look} - {7'd0, f_leave};
    f_turns   <= f_turns + {7'd0, f_leave} - {7'd0, turn};
    f_missing <= f_missing + {7'd0, f_miss} - {7'd0, turn & ~turn_hit};
    f_asked   <= f_asked + {7'd0, f_miss} - {7'd0, bus_rsp_valid};
    f_kept    <= f_kept + {7'd0, bus_rsp_valid} - {7'd0, turn & ~turn_hit};
    f_of      <= (bus_rsp_valid ? f_of >> 1 : f_of) |
                 ({15'd0, f_miss & f_mine_looked} << (f_asked - {7'd0, bus_rsp_valid}));
    f_storing <= (f_storing & ~f_end) | (f_store & st_taken);
    if ((f_storing & f_end) | (quiet & ~f_load)) f_memory <= f_any;
    f_broken  <= f_broken | (bus_rsp_valid & f_of[0] & bus_rsp_err);
    f_there   <= ((f_there & ~empty) | (touch & f_mine_asked)) & ~f_other & ~f_dropped & ~fail;
    f_stored  <= {f_stored[0] & f_there & ~rst, st_taken & st_cached & ~rst & (st_addr[SHIFT+MW +: LW+NW] == f_at[MW +: LW+NW])};
    f_stored_line <= {f_stored_line[0], st_taken & st_cached & (st_addr[SHIFT+MW +: LW] == f_at[MW +: LW])};
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
  // A load without others before it: taken in t, looked up in t+1, found there; as a hit it responds in t+4.
  logic f_alone;
  logic [2:0] f_soon;
  initial f_alone = 1'b0;
  initial f_soon  = 3'd0;
  always_ff @(posedge clk) if (f_live) begin
    f_alone <= f_accept & (f_count == 8'd0);
    f_soon  <= {f_soon[1:0], f_alone & same & mark[asked_element[MW-1:0]]};
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
    assert (f_there == (present[f_at[MW +: LW]] & (names[f_at[MW +: LW]] == f_at[PW +: NW]) & f_marks[f_at[MW-1:0]]));
    if (asked & f_mine_asked) assert ((same & mark[asked_element[MW-1:0]]) == (asked_cached & f_there & ~empty));
    assert (~f_stored[1] | f_dropped);
    assert (~f_dropped | f_stored_line[1]);
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
    if (f_leave) assert (unused_room);
    if (bus_rsp_valid) assert (unused_rsp_room);
    if (waiting) assert (hit == f_found[0]);
    if (waiting & ~leave) assert (bus_valid & ~bus_ready);
    if (asked & ~room) assert (f_waits == 8'd2);
    assert (req_ready == (~asked | (f_waits != 8'd2)));
    if (~f_induction) begin
      if (turn_valid) assert (turn_hit == ~f_kinds[0]);
      if (turn_valid & ~turn) assert (f_asked != 8'd0);
      if (rsp_valid & f_tracking & (f_before == 8'd0)) assert (rsp_tag == f_tag);
      if (f_arrive & ~f_broken) assert (~rsp_err & (rsp_data == f_memory));
      assert (~f_soon[2] | (rsp_valid & from_place));
      assert (rsp_valid | ~f_tracking | (f_count > f_before));
    end
    cover (f_arrive & from_place & ~f_broken & (rsp_data != '0));
    cover (f_soon[2]);
    cover (f_there & hit & turn_valid & ~turn_hit);
    cover (f_there & f_other);
    cover (f_there & f_dropped & ~fail);
    cover (f_there & fail);
    cover (f_there & empty);
    cover (touch & f_dropped & f_mine_asked);
    cover (f_dropped & f_stored[1] & look & f_mine_asked);
    cover (touch & f_mine_asked & f_there & ~empty & (last_line == line) & ~marks[line][f_at[MW-1:0]]);
    cover (f_accept & st_taken & st_cached & (st_addr[SHIFT +: PW] == req_addr[SHIFT +: PW]));
    cover ((OUTSTANDING < 3) | (bus_rsp_valid & turn & turn_hit));
  end
`endif
