package cycle

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"loom/compiler/arch"
	"loom/compiler/units"
	"loom/internal/soak"
	"loom/internal/tools/toolstest"
)

const rtlDir = "../../rtl"

// variants is how many benches a primitive gets; those with many parameters get
// more than the usual 4, fu one for every operation.
var variants = map[string]int{"fu": len(arithUnits), "switch": 8, "temporal_sw": 9, "map_tag": 6, "load_lane": 6, "store_lane": 6, "share": 8,
	"memory": 12, "memory_tagged": soak.Scale(8, 24), "extmemory": 20, "extmemory_tagged": soak.Scale(8, 24), "extmemory_cached": 16, "extmemory_tagged_cached": soak.Scale(12, 24), "axi_master": soak.Scale(16, 60), "axi_shared": soak.Scale(16, 60), "counter": 2 * len(units.StepOps), "accumulate": 2 * len(accumulating), "accumulate_parts": 6, "interlock": 8}

// slow are the primitives whose RTL takes Icarus long; they run for fewer cycles.
var slow = []string{"memory_tagged", "extmemory_tagged", "extmemory_tagged_cached"}

// fast are the other ones.
var fast = func() (names []string) {
	for _, p := range primitives {
		if !slices.Contains(slow, p.name) {
			names = append(names, p.name)
		}
	}
	return names
}()

// benches makes variants of the named primitives (all when names is empty).
func benches(t *testing.T, seed uint64, cycles int, names ...string) []*bench {
	t.Helper()
	var out []*bench
	for pi, p := range primitives {
		wanted := len(names) == 0
		for _, n := range names {
			wanted = wanted || n == p.name
		}
		if !wanted {
			continue
		}
		n := variants[p.name]
		if n == 0 {
			n = 4
		}
		for v := range n {
			s := seed*1_000_003 + uint64(pi)*1009 + uint64(v)
			if p.testbench != nil {
				r := rand.New(rand.NewPCG(s, 7))
				g, err := p.testbench(r, v).run(fmt.Sprintf("%s_%d", p.name, v), r, cycles)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, g)
				continue
			}
			m := newMaker(fmt.Sprintf("%s_%d", p.name, v), s)
			m.variant = v
			p.make(m, rand.New(rand.NewPCG(s, 7)))
			g, err := m.run(cycles)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, g)
		}
	}
	return out
}

// The Go model and the RTL of every primitive agree on every output in every
// cycle. make soak replays more seeds.
func TestModelsEqualRTL(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	seeds := soak.Scale(1, 5)
	seen := map[uint64]bool{}
	for seed := range seeds {
		quickly := benches(t, uint64(seed)+1, 800, fast...)
		slowly := benches(t, uint64(seed)+1, 350, slow...)
		var differ []string
		for _, bs := range [][]*bench{quickly, slowly} {
			compared.Held(t, replayed(t, rtlDir, bs), func() bool {
				now := replay(t, rtlDir, bs)
				differ = append(differ, now...)
				return len(now) == 0
			})
		}
		for _, g := range append(quickly, slowly...) {
			for _, s := range g.obs {
				if s.name == "err_code" {
					for _, v := range s.at {
						seen[v] = true
					}
				}
			}
		}
		for _, m := range differ {
			t.Errorf("seed %d: %s", seed, m)
		}
	}
	for _, c := range codesOf {
		if !seen[uint64(c)] {
			t.Errorf("the traffic never raised code %d, %s", c, arch.HardwareSymbol(c))
		}
	}
}

// A model with a fault differs from the RTL, too.
func TestMutatedModelDiffers(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	m := newMaker("carry", 3)
	in := []wire{m.in("d", 1), m.in("a", 8), m.in("b", 8)}
	in[1], in[2] = in[2], in[1]
	m.b.add(&carry{node: node{in: in, out: []int32{m.out("o", 8)}}})
	m.module("loom_carry", ".W(8)", true, false)
	g, err := m.run(300)
	if err != nil {
		t.Fatal(err)
	}
	if len(replay(t, rtlDir, []*bench{g})) == 0 {
		t.Error("the comparison did not notice that the model swaps its inputs")
	}
}

// mutations are faults of the RTL that the comparison must notice.
var mutations = []struct {
	name, file, old, new string
	primitives           []string
	long                 bool // only in long runs
}{
	{"carry swaps its inputs", "loom_carry.sv", "assign o_data  = pass_a ? a_data : b_data;", "assign o_data  = pass_a ? b_data : a_data;", []string{"carry"}, false},
	{"carry forgets the value it owes", "loom_carry.sv", "owed <= pass_b & ~(b_valid & o_ready);", "owed <= pass_b & ~b_valid;", []string{"carry"}, false},
	{"invariant repeats the wrong value", "loom_invariant.sv", "if (~started) value <= a_data;", "value <= a_data;", []string{"invariant"}, false},
	{"gate lets the first condition through", "loom_gate.sv", ".need     ({inside_loop, cond_data}),", ".need     ({1'b1, cond_data}),", []string{"gate"}, false},
	{"fork forgets who has taken", "loom_offer.sv", "else taken <= (taken | (out_valid & out_ready)) & ~{N{done}};", "else taken <= '0;", []string{"fork"}, false},
	{"merge forgets a stalled token", "loom_merge.sv", "stalled ? held : first", "first", []string{"merge"}, false},
	{"control_merge counts down", "loom_control_merge.sv", "INDEX_W'(k)", "INDEX_W'(N - k)", []string{"control_merge"}, false},
	{"a shared unit has a credit too many", "loom_share.sv", "room[k] = used != C[CW-1:0]", "room[k] = used <= C[CW-1:0]", []string{"share"}, false},
	{"a shared unit serves the first who asks", "loom_arbiter.sv", "(|(in_valid[N-1:1] & mask)) ? (in_valid & {mask, 1'b0}) : in_valid", "in_valid", []string{"share"}, false},
	{"a result goes to the next client", "loom_share.sv", "(answered == TW'(k))", "(answered == TW'((k + 1) % N))", []string{"share"}, false},
	{"primed fifo begins empty", "loom_fifo_primed.sv", "count <= CW'(N)", "count <= '0", []string{"fifo_primed"}, false},
	{"switch forgets who has taken", "loom_switch.sv", "delivered[o] <= offered & (taken[o] | out_ready[o]);", "delivered[o] <= 1'b0;", []string{"switch"}, false},
	{"a full fifo accepts", "loom_fifo.sv", "assign in_ready  = ~full | out_ready;", "assign in_ready  = 1'b1;", []string{"stage"}, false},
	{"stream compares unsigned", "loom_stream.sv", "$signed(index) < $signed(limit)", "index < limit", []string{"stream_add"}, false},
	{"stream ignores steps of one", "loom_stream.sv", "(ONE_STUCK & (step_data == W'(1)))", "1'b0", []string{"stream_mul"}, false},
	{"stream wastes a cycle between loops", "loom_stream.sv", "(~active | (done & ~cont))", "~active", []string{"stream_sub"}, false},
	{"a counter gives an index behind the last one", "loom_stream.sv", "(COUNTER == 0) | cont", "1'b1", []string{"counter"}, false},
	{"a counter gives no condition behind the last index", "loom_stream.sv", "({1'b1, (COUNTER == 0) | cont})", "({(COUNTER == 0) | cont, (COUNTER == 0) | cont})", []string{"counter"}, false},
	{"a loop head takes the next value as the initial one", "loom_loop.sv", "body_data  = started ? b_data : a_data", "body_data  = started ? a_data : b_data", []string{"loop"}, false},
	{"a loop head never ends its loop", "loom_loop.sv", "if (fire) started <= d_data;", "if (fire) started <= 1'b1;", []string{"loop"}, false},
	{"a loop head takes a value that the body refuses", "loom_loop.sv", "d_data ? body_ready : out_ready", "d_data | out_ready", []string{"loop"}, false},
	{"an accumulator adds without its element", "loom_accumulate.sv", "due & d_data & x_valid", "due & d_data", []string{"accumulate"}, false},
	{"an accumulator forgets a sum that waited", "loom_accumulate.sv", "if (x_ready) value", "if (n_valid) value", []string{"accumulate"}, false},
	{"an accumulator consumes an element for the value that leaves", "loom_accumulate.sv", "assign x_ready = n_valid & n_ready", "assign x_ready = fire", []string{"accumulate"}, false},
	{"an accumulator begins with the value before", "loom_accumulate.sv", "assign acc       = started ? value : a_data", "assign acc       = value", []string{"accumulate"}, false},
	{"an accumulator of extremes keeps the other word", "loom_accumulate_extreme.sv", "picked ? element : value", "picked ? value : element", []string{"accumulate_extreme"}, false},
	{"an accumulator of extremes chooses between sums", "loom_accumulate_extreme.sv", "chooses & picks", "picks", []string{"accumulate_extreme"}, false},
	{"a sum in parts adds to the part before", "loom_accumulate_parts.sv", "present ? n_value : NEUTRAL", "n_value", []string{"accumulate_parts"}, false},
	{"parts of a difference are subtracted", "loom_float_accumulate.sv", "(OP == 1) & ~joining", "(OP == 1)", []string{"accumulate_parts"}, false},
	{"parts of a product begin with two", "loom_float_accumulate.sv", "{2'b00, {(EXP - 1) {1'b1}}, {FRAC{1'b0}}}", "{2'b01, {(EXP + FRAC - 1) {1'b0}}}", []string{"accumulate_parts"}, false},
	{"parts are combined before the last one has arrived", "loom_accumulate_parts.sv", "(turns[LATENCY-1] & ~pair)", "turns[LATENCY-1]", []string{"accumulate_parts"}, false},
	{"a part that waits is lost", "loom_accumulate_parts.sv", "turn & ~pair) held", "turn) held", []string{"accumulate_parts"}, false},
	{"a load does not see the store of its cycle", "loom_interlock.sv", "(known & ~(loads & stores & same))", "known", []string{"interlock"}, false},
	{"a load waits for what is not stored", "loom_interlock.sv", "known & ~(loads & stores & same)", "known & ~(loads & same)", []string{"interlock"}, false},
	{"a done store is kept", "loom_interlock.sv", "kept[k] <= into | (kept[k] & ~from)", "kept[k] <= into | kept[k]", []string{"interlock"}, false},
	{"a full interlock takes a subscript", "loom_interlock.sv", "due & (count != (P + 1)'(DEPTH))", "due", []string{"interlock"}, false},
	{"the newest store is done first", "loom_interlock.sv", "drop & (first == P'(k))", "drop & (next == P'(k + 1))", []string{"interlock"}, true},
	{"subscripts are compared in full", "loom_interlock.sv", "(BITS < W) ? BITS : W", "W", []string{"interlock"}, true},
	{"remainder has the divisor's sign", "loom_divide.sv", "negate_rem <= sign_a;", "negate_rem <= sign_b;", []string{"remsi"}, false},
	{"a pipeline waits for its last stage", "loom_flow.sv", "assign move[k] = out_ready | ~(&full[LATENCY-1:k]);", "assign move[k] = out_ready | ~full[LATENCY-1];", []string{"fu"}, false},
	{"a memory loses a store", "loom_memory.sv", "(st_pop & ~st_fault & ~rst)", "(st_pop & ~st_fault & ~ld_accept & ~rst)", []string{"memory"}, false},
	{"stores deadlock a cycle early", "loom_store_queue.sv", "localparam int ALMOST = TIMEOUT - 1;", "localparam int ALMOST = TIMEOUT > 1 ? TIMEOUT - 2 : 0;", []string{"memory", "extmemory"}, false},
	{"a tag keeps the first position", "loom_store_queue_tagged.sv", "else if (pop) last <= pair_tag;", "", []string{"memory_tagged"}, true},
	{"an offered request changes", "loom_store_queue_tagged.sv", "else if (keep) last <= (pair_tag == '0) ? SW'(COUNT - 1) : pair_tag - SW'(1);", "", []string{"extmemory_tagged"}, false},
	{"a stray store has no done", "loom_memory_tagged.sv", ".in_valid (st_pop | addr_stray_taken)", ".in_valid (st_pop)", []string{"memory_tagged"}, true},
	{"done tokens carry the tag of the data", "loom_memory_tagged.sv", "lddone_data  = tags[done_rd]", "lddone_data  = tags[data_rd]", []string{"memory_tagged"}, false},
	{"the host does not stop stores", "loom_memory_tagged.sv", "& ~addr_stray_taken & ~host;", "& ~addr_stray_taken;", []string{"memory_tagged"}, true},
	{"a faulty load takes a response's cycle", "loom_extmemory_tagged.sv", "(fault ? ~ld_rsp_valid : ld_req_ready)", "(fault | ld_req_ready)", []string{"extmemory_tagged"}, true},
	{"a faulty store takes a response's cycle", "loom_extmemory_tagged.sv", "(st_hit ? st_req_ready : ~st_rsp_valid)", "(~st_hit | st_req_ready)", []string{"extmemory_tagged"}, true},
	{"a bus error has a value", "loom_extmemory_tagged.sv", "(ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data", "ld_rsp_valid ? ld_rsp_data", []string{"extmemory_tagged"}, true},
	{"closed tag ranges", "loom_region_tagged.sv", "(tag[n*TW +: TW] < cfg_region[r*RW+END +: TW])) begin", "(tag[n*TW +: TW] <= cfg_region[r*RW+END +: TW])) begin", []string{"memory_tagged"}, true},
	{"the arbiter forgets whom it offered", "loom_arbiter.sv", "{(N-1){~grant[0]}}", "mask", []string{"temporal_sw"}, true},
	{"a token is delivered twice", "loom_temporal_sw.sv", "wanted & (taken | accepted)", "wanted & accepted", []string{"temporal_sw"}, false},
	{"the later entry wins", "loom_map_tag.sv", "g_entry[e-1].sum | (dst", "(hit[e] ? '0 : g_entry[e-1].sum) | (dst", []string{"map_tag"}, false},
	{"a lane sends without a slot for done", "loom_load_lane.sv", " & (done_under_way != DEPTH[CW-1:0]);", ";", []string{"load_lane"}, false},
	{"a lane takes what it did not request", "loom_load_lane.sv", "done_rsp_valid & (|done_awaited)", "done_rsp_valid", []string{"load_lane"}, true},
	{"a lane has one store too many in flight", "loom_store_lane.sv", "(awaited != MOST[CW-1:0])", "1'b1", []string{"store_lane"}, false},
	{"a load is reserved that is one more than OUTSTANDING", "loom_extmemory.sv", "assign room         = ~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL);", "assign room         = (data_under_way != FULL + CW'(1)) & (done_under_way != FULL + CW'(1));", []string{"extmemory"}, false},
	{"a store is reserved that is one more than OUTSTANDING", "loom_extmemory.sv", "assign room         = ~&(done_under_way | ~FULL);", "assign room         = done_under_way != FULL + CW'(1);", []string{"extmemory"}, false},
	{"a load with a tag is reserved that is one more than OUTSTANDING", "loom_extmemory_tagged.sv", "~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL);", "(data_under_way != FULL + CW'(1)) & (done_under_way != FULL + CW'(1));", []string{"extmemory_tagged"}, true},
	{"a store with a tag is reserved that is one more than OUTSTANDING", "loom_extmemory_tagged.sv", "~&(under_way | ~FULL);", "under_way != FULL + CW'(1);", []string{"extmemory_tagged"}, true},
	{"the element behind an array is inside", "loom_extmemory.sv", "(ldaddr_data >= entry[64 +: AW])", "(ldaddr_data > entry[64 +: AW])", []string{"extmemory"}, false},
	{"stores have no bounds", "loom_extmemory.sv", "assign outside = region & ~entry[64+AW] & (index >= entry[64 +: AW]);", "assign outside = 1'b0;", []string{"extmemory"}, false},
	{"a load outside is requested", "loom_extmemory.sv", "ldaddr_valid & room & region & ~outside & ~ld_outside;", "ldaddr_valid & room & region & ~ld_outside;", []string{"extmemory"}, false},
	{"a load outside overtakes", "loom_extmemory.sv", "assign refused = ld_outside & (done_under_way - dones == CW'(1));", "assign refused = ld_outside & ~ld_rsp_valid;", []string{"extmemory"}, false},
	{"a region has the size of the first", "loom_extmemory.sv", "cfg_region[r*129+65 +: 64]", "cfg_region[65 +: 64]", []string{"extmemory"}, false},
	{"a part of an element is inside", "loom_extent.sv", "assign elements = size >> SHIFT;", "assign elements = (size >> SHIFT) + 64'((size & 64'((1 << SHIFT) - 1)) != 64'd0);", []string{"extmemory"}, false},
	{"a size of more elements than indices is cut", "loom_extent.sv", "{|elements[63-SHIFT:AW], elements[AW-1:0]}", "{size[63], elements[AW-1:0]}", []string{"extmemory"}, false},
	{"the element behind a shared array is inside", "loom_extmemory_tagged.sv", "(index >= st_entry[64 +: AW])", "(index > st_entry[64 +: AW])", []string{"extmemory_tagged"}, false},
	{"loads of a shared memory have no bounds", "loom_extmemory_tagged.sv", "~fault & ~ld_entry[64+AW] & (ldaddr_data[AW-1:0] >= ld_entry[64 +: AW])", "1'b0", []string{"extmemory_tagged"}, false},
	{"a store outside is requested", "loom_extmemory_tagged.sv", "pair_valid & room & st_hit & ~outside & ~st_outside;", "pair_valid & room & st_hit & ~st_outside;", []string{"extmemory_tagged"}, false},
	{"a tag has the size of another region", "loom_extmemory_tagged.sv", "cfg_region[r*(RW+64)+RW +: 64]", "cfg_region[RW +: 64]", []string{"extmemory_tagged"}, false},
	{"a load outside overtakes those of its tag", "loom_extmemory_tagged.sv", "assign refused   = ld_outside & ~|asked;", "assign refused   = ld_outside & ~ld_rsp_valid;", []string{"extmemory_tagged"}, false},
	{"what is outside completes with another tag", "loom_extmemory_tagged.sv", "refused ? outside_tag : pop ? st_tag : addr_tag", "pop ? st_tag : addr_tag", []string{"extmemory_tagged"}, false},
	{"a bus error goes unseen", "loom_extmemory.sv", "assign st_bus_error = st_rsp_valid & st_rsp_err & region;", "assign st_bus_error = 1'b0;", []string{"extmemory"}, false},
	{"a hit waits for nothing but is none", "loom_read_cache.sv", "named & marked;", "named & marked & ~turn_valid;", []string{"extmemory_cached", "extmemory_tagged_cached"}, false},
	{"a store leaves what is in the cache", "loom_read_cache.sv", "drop   <= stored &", "drop   <= 1'b0 & stored &", []string{"extmemory_cached", "extmemory_tagged_cached"}, false},
	{"a store of a line that is looked up leaves it", "loom_read_cache.sv", "(drop & (drop_line", "(drop & ~touch & (drop_line", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"an error leaves the cache as it is", "loom_read_cache.sv", "~(rst | fail | (drop", "~(rst | (drop", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"the cache is not emptied while the memory is idle", "loom_read_cache.sv", "(present[l] & ~empty));", "present[l]);", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"marks of another line are kept", "loom_read_cache.sv", "(last_same ? last_mark : '0) |", "last_mark |", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"a load is taken over the one before it", "loom_read_cache.sv", "req_ready = ~asked | room;", "req_ready = 1'b1;", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"a load without a region in the cache is kept", "loom_read_cache.sv", "touch      = look & asked_cached;", "touch      = look;", []string{"extmemory_cached", "extmemory_tagged_cached"}, false},
	{"a look-up behind another one does not see its mark", "loom_read_cache.sv", "(last_line == line) ? last_marks : marks[line];", "marks[line];", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"a store drops the line of the next one", "loom_read_cache.sv", "drop_line <= st_line;", "drop_line <= st_addr[SHIFT+MW +: LW];", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"a store drops every line", "loom_read_cache.sv", " & (names[st_line] == st_name);", ";", []string{"extmemory_cached", "extmemory_tagged_cached"}, true},
	{"a load takes another lane", "loom_axi_master.sv", "lanes[{e_rid, rd_at}]", "lanes[{e_rid, rd[PW-1:0]}]", []string{"axi_master"}, false},
	{"strobes name all lanes", "loom_axi_master.sv", "{(DW / 8) {w_lane == l[LW-1:0]}}", "'1", []string{"axi_master"}, false},
	{"a store waits for its address only", "loom_axi_master.sv", "assign st_req_ready = st_open & aw_ready & w_ready;", "assign st_req_ready = st_open & aw_ready;", []string{"axi_master"}, false},
	{"one read too many", "loom_axi_master.sv", "~hold & (reads != OUTSTANDING[CW-1:0])", "~hold & (reads != OUTSTANDING[CW-1:0] + CW'(1))", []string{"axi_master"}, false},
	{"a store overtakes the load of its cycle", "loom_axi_master.sv", "hold     <= collide |", "hold     <=", []string{"axi_master"}, false},
	{"a store waits for the first response only", "loom_axi_master.sv", "(e_rvalid & (reads == CW'(1)))", "e_rvalid", []string{"axi_master"}, false},
	{"a burst of two IDs", "loom_axi_run.sv", "(s_id == id) & ", "", []string{"axi_master"}, false},
	{"a burst beyond its block", "loom_axi_run.sv", "full <= &place;", "full <= 1'b0;", []string{"axi_master"}, false},
	{"a burst of two blocks", "loom_axi_run.sv", " & (((s_addr ^ addr) & outside) == AW'(0))", "", []string{"axi_master"}, false},
	{"a burst of elements that do not follow each other", "loom_axi_run.sv", " & (place == next)", "", []string{"axi_master"}, false},
	{"a request is lost behind a full queue", "loom_axi_run.sv", "assign s_ready = queue_ready & room;", "assign s_ready = 1'b1;", []string{"axi_master"}, false},
	{"a burst leaves while one waits", "loom_axi_run.sv", "assign early  = empty & ", "assign early  = ", []string{"axi_master"}, false},
	{"one burst too many on the way", "loom_axi_run.sv", "way != PLACES[CW-1:0]", "way != PLACES[CW-1:0] + CW'(1)", []string{"axi_master"}, false},
	{"data in front of its address", "loom_axi_coalesce.sv", "assign m_wvalid = data_valid & length_valid;", "assign m_wvalid = data_valid;", []string{"axi_master"}, false},
	{"the last beat is named too early", "loom_axi_coalesce.sv", "assign m_wlast  = beat == length;", "assign m_wlast  = (beat == length) | (beat == LW'(2));", []string{"axi_master"}, false},
	{"a response is given to one element", "loom_axi_coalesce.sv", "assign responded = s_bvalid & (answered == rest);", "assign responded = s_bvalid;", []string{"axi_master"}, false},
	{"a response has the length of another ID", "loom_axi_coalesce.sv", "(RW+PW)'({m_bid, rd_at})", "(RW+PW)'({m_bid, rd[PW-1:0]})", []string{"axi_master"}, false},
	{"a tag is left behind by every beat", "loom_axi_port.sv", ".out_ready(el_rvalid & el_rlast)", ".out_ready(el_rvalid)", []string{"axi_shared"}, true},
	{"a store has the tag of the load in its cycle", "loom_axi_port.sv", ".in_data  (el_awid)", ".in_data  (el_arid)", []string{"axi_shared"}, false},
	{"a shared memory has elements on its first lane", "loom_axi_port.sv", ".s_w_data({LANES{run_w_data}})", ".s_w_data(BUS_DW'(run_w_data))", []string{"axi_shared"}, true},
	{"a shared memory waits for no words", "loom_axi_read.sv", ".PATIENT(WIDE)", ".PATIENT(0)", []string{"axi_shared"}, true},
	{"a word begins anywhere", "loom_axi_read.sv", "(run_addr[SHIFT +: LB] == LB'(0)) & ", "", []string{"axi_shared"}, true},
	{"a word has one element", "loom_axi_read.sv", "(~head_wide | (&next))", "1'b1", []string{"axi_shared"}, false},
	{"a write leaves before its data", "loom_axi_pack.sv", "whole_valid & (|whole)", "whole_valid", []string{"axi_shared"}, false},
	{"strobes of a word name an element", "loom_axi_pack.sv", "{(DW / 8) {m_wide | (m_lane == l[LB-1:0])}}", "{(DW / 8) {m_lane == l[LB-1:0]}}", []string{"axi_shared"}, true},
	{"beats of a word have the size of an element", "loom_axi_bus.sv", "ar_wide[i] ? WORD : LD_SIZE[i*3 +: 3]", "LD_SIZE[i*3 +: 3]", []string{"axi_shared"}, true},
	{"data of a write has its turn for a beat", "loom_axi_bus.sv", ".out_ready(m_axi_wvalid & m_axi_wready & m_axi_wlast)", ".out_ready(m_axi_wvalid & m_axi_wready)", []string{"axi_shared"}, false},
	{"a write leaves without a turn", "loom_axi_bus.sv", "assign m_axi_awvalid = any & room;", "assign m_axi_awvalid = any;", []string{"axi_shared"}, true},
	{"address and data part without bursts", "loom_axi_bus.sv", ".in_valid (any & w_free)", ".in_valid (any)", []string{"axi_shared"}, false},
	{"a burst of reads ends with its first beat", "loom_axi_coalesce.sv", ".ended  (m_rvalid & m_rlast)", ".ended  (m_rvalid)", []string{"axi_master"}, false},
}

// codesOf are the errors that the traffic of all primitives together must raise,
// so that none of them is compared only in its absence.
var codesOf = []int{CodeTemporalMix, CodeTemporalDupTag, CodeMapDupTag, CodeStreamOneHot, CodePredicate,
	CodeMemOverlap, CodeMemEmptyRange, CodeExtOverlap, CodeExtEmptyRange, CodeTemporalNoMatch, CodeMapNoMatch, CodeStreamZeroStep,
	CodeMemTagOOB, CodeStoreDeadlock, CodeSwitchUnrouted, CodeTemporalUnrouted, CodeMemNoMatch, CodeExtNoMatch, CodeMemOOB, CodeExtBus, CodeExtOOB}

// A fault in the RTL of a primitive makes the comparison fail.
func TestMutatedRTLDiffers(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	for _, mu := range mutations {
		t.Run(strings.ReplaceAll(mu.name, " ", "_"), func(t *testing.T) {
			if text, err := os.ReadFile(filepath.Join(rtlDir, mu.file)); err != nil || !strings.Contains(string(text), mu.old) {
				t.Errorf("%s does not hold %q: %v", mu.file, mu.old, err)
			}
			if mu.long && soak.Factor() == 0 {
				t.Skip("set LOOM_SOAK=1 for all mutations")
			}
			dir := t.TempDir()
			files, err := filepath.Glob(rtlDir + "/*.sv")
			if err != nil {
				t.Fatal(err)
			}
			done := false
			for _, f := range files {
				text, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				s := string(text)
				if filepath.Base(f) == mu.file {
					done = strings.Contains(s, mu.old)
					s = strings.Replace(s, mu.old, mu.new, 1)
				}
				if err := os.WriteFile(filepath.Join(dir, filepath.Base(f)), []byte(s), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if !done {
				t.Fatalf("%s does not contain the text to change; update the mutation", mu.file)
			}
			for _, cycles := range []int{100, 600} { // most faults show early
				bs := benches(t, 1, cycles, mu.primitives...)
				if compared.Held(t, replayed(t, dir, bs), func() bool { return len(replay(t, dir, bs)) > 0 }) {
					return
				}
			}
			t.Error("the comparison did not notice")
		})
	}
}
