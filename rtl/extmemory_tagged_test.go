package rtl

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"loom/internal/tools/toolstest"
)

// randomTagExtMemory draws a table.
func randomTagExtMemory(r *rand.Rand, tr traffic, s shape, entries int) *tagExtMemory {
	m := &tagExtMemory{shape: s}
	m.randomTable(r, tr, entries, 64, 1<<63)
	m.overlap, m.nothing = m.wrongTable()
	m.reset()
	return m
}

// bus responds to one kind of request: in order per tag, in any order across tags, after
// latency cycles at least.
type bus struct {
	pending []token // at: the first cycle in which the response may come
	latency int
}

// respond draws the response of cycle k; now is what the memory offers and the bus takes
// in this cycle.
func (b *bus) respond(r *rand.Rand, tr traffic, k int, now drive, taken bool, width int) (rsp response) {
	if now.valid && taken {
		b.pending = append(b.pending, token{tag: now.tag, at: k + b.latency})
	}
	if len(b.pending) == 0 || !percent(r, tr.take) {
		return response{}
	}
	// The oldest of a tag, if it is time.
	var ready []int
	first := map[int]bool{}
	for i, q := range b.pending {
		if !first[q.tag] && q.at <= k {
			ready = append(ready, i)
		}
		first[q.tag] = true
	}
	if len(ready) == 0 {
		return response{}
	}
	at := ready[r.IntN(len(ready))]
	tag := b.pending[at].tag
	b.pending = append(append([]token{}, b.pending[:at]...), b.pending[at+1:]...)
	return response{drive{true, tag, randomWord(r, width)}, tr.faults && r.IntN(20) == 0}
}

// replay drives the model for some cycles and returns what the RTL must do and how
// many loads and store addresses were accepted.
func (m *tagExtMemory) replay(r *rand.Rand, tr traffic, cycles int, seen map[int]int) (l *lockstep, moved [2]int) {
	l = &lockstep{module: "loom_extmemory_tagged", clocked: true, fixed: m.config(),
		params: fmt.Sprintf(".AW(%d), .DW(%d), .TW(%d), .LD_COUNT(%d), .ST_COUNT(%d), .LSQ_DEPTH(%d), .NUM_REGION(%d), .DEADLOCK_TIMEOUT(%d)",
			m.aw, m.dw, m.tw, m.loads, m.stores, m.lsq, len(m.regions), m.timeout)}
	l.in, l.out = m.fields()
	l.in = append(l.in, field{"ld_req_ready", 1}, field{"ld_rsp_valid", 1}, field{"ld_rsp_tag", m.tw}, field{"ld_rsp_data", m.dw}, field{"ld_rsp_err", 1},
		field{"st_req_ready", 1}, field{"st_rsp_valid", 1}, field{"st_rsp_tag", m.tw}, field{"st_rsp_err", 1})
	l.out = append(l.out, field{"ld_req_valid", 1}, field{"ld_req_tag", m.tw}, field{"ld_req_addr", 64},
		field{"st_req_valid", 1}, field{"st_req_tag", m.tw}, field{"st_req_addr", 64}, field{"st_req_data", m.dw})
	var in extIn
	// At full speed a response comes 14 cycles after its request: 16 slots suffice.
	var loads, stores bus
	if tr.offer == 100 {
		loads.latency, stores.latency = 14, 14
	} else {
		loads.latency, stores.latency = r.IntN(8), r.IntN(8)
	}
	for k := range cycles {
		m.offer(r, tr, &in.channels, k, 1<<min(m.aw, 62))
		in.ldReqReady, in.stReqReady = percent(r, tr.take), percent(r, tr.take)
		if in.rst {
			loads.pending, stores.pending = nil, nil
		}
		ld, st, _ := m.requests(&in.channels)
		in.ldRsp = loads.respond(r, tr, k, ld, in.ldReqReady, m.dw)
		in.stRsp = stores.respond(r, tr, k, st, in.stReqReady, m.dw)
		stim := []string{bit(in.ldReqReady), bit(in.ldRsp.valid), in.ldRsp.data(m.tw, m.dw), bit(in.ldRsp.err),
			bit(in.stReqReady), bit(in.stRsp.valid), in.stRsp.data(m.tw, 0), bit(in.stRsp.err)}
		out := m.step(&in)
		if in.ldTaken {
			moved[0]++
		}
		if in.saTaken {
			moved[1]++
		}
		seen[out.err]++
		fabric, want := m.lines(&in.channels, out.outputs)
		want = append(want, out.ldReq.offered(m.tw, 64)...)
		want = append(want, out.stReq.offered(m.tw, 64)...)
		l.put(append(fabric, stim...), append(want, unless(!out.stReq.valid, m.dw, out.stReqData)))
	}
	return l, moved
}

// randomTagExtMemories runs n external memories, one traffic after the other.
func randomTagExtMemories(t *testing.T, seed uint64, n, cycles int, seen map[int]int) (ls []*lockstep) {
	t.Helper()
	for k := range n {
		tr := traffics[k%len(traffics)]
		r := rand.New(rand.NewPCG(seed, uint64(k)))
		s := randomShape(r)
		for !s.suits(tr) {
			s = randomShape(r)
		}
		m := randomTagExtMemory(r, tr, s, s.randomEntries(r, tr))
		l, moved := m.replay(r, tr, cycles, seen)
		if tr.offer == 100 && (moved[0] != cycles || moved[1] != cycles) {
			t.Errorf("memory %d, %s: %d loads and %d stores accepted in %d cycles", k, tr.name, moved[0], moved[1], cycles)
		}
		ls = append(ls, l)
	}
	return ls
}

// TestTaggedExtMemory compares loom_extmemory_tagged with the model in every cycle:
// random parameters and tables, random stalls and resets, a bus that responds to tags in
// any order and with errors, full speed with 16 in flight, every error code.
func TestTaggedExtMemory(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	unchanged(t, "*memory_tagged*_test.go", "memory_*_test.go", "lockstep_test.go")
	t.Parallel()
	campaign(t, randomTagExtMemories, 14, 15, 260, 261, 265, 513)
}

// TestTaggedExtMemoryFaults: the comparison notices faults planted in the RTL.
func TestTaggedExtMemoryFaults(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	const file = "loom_extmemory_tagged.sv"
	mustNotice(t, []plantedFault{
		{"a waiting request is overtaken", "loom_store_queue_tagged.sv", "else if (keep) last", "else if (keep & pop) last", true},
		{"a stray store replaces a request", file, "addr_stray_ready = room & ~pair_valid & ~st_rsp_valid", "addr_stray_ready = room & ~st_rsp_valid", false},
		{"a stray store overwrites a response", file, "addr_stray_ready = room & ~pair_valid & ~st_rsp_valid", "addr_stray_ready = room & ~pair_valid", false},
		{"a faulting load overwrites a response", file, "(fault ? ~ld_rsp_valid : ld_req_ready)", "(fault ? 1'b1 : ld_req_ready)", false},
		{"an error yields data", file, "(ld_rsp_valid & ~ld_rsp_err) ? ld_rsp_data", "ld_rsp_valid ? ld_rsp_data", true},
		{"offset of the wrong port", file, "+ ld_offset", "+ st_offset", false},
		{"15 slots", file, "room         = ~&(data_under_way | ~FULL)", "room         = (data_under_way != FULL - CW'(1)) & ~&(data_under_way | ~FULL)", false},
		{"no slot for done", file, "~&(data_under_way | ~FULL) & ~&(done_under_way | ~FULL)", "~&(data_under_way | ~FULL)", false},
		{"done with the tag of the request", file, "st_rsp_valid ? st_rsp_tag : fault_tag", "fault_tag", false},
	}, 300, func(t *testing.T) []*lockstep { return randomTagExtMemories(t, 1, 20, 300, map[int]int{}) })
}
