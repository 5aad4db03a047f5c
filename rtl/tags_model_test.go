package rtl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"loom/internal/tools/toolstest"
)

// flow is a source of tokens that keeps what was not taken.
type flow struct {
	valid bool
	value uint64
	taken bool
}

func (f *flow) next(r *rand.Rand, offer, width int) {
	if !f.valid || f.taken {
		f.valid, f.value = percent(r, offer), randomWord(r, width)
	}
	f.taken = false
}

// playAddTag and the functions like it draw parameters and stalls, and write stimuli and
// expected outputs.
func playAddTag(r *rand.Rand, cycles int) *lockstep {
	tw, payload := 1+r.IntN(5), r.IntN(20)
	tag, width := randomWord(r, tw), max(payload, 1)
	l := &lockstep{module: "loom_add_tag", params: fmt.Sprintf(".W(%d), .TW(%d)", tw+payload, tw), fixed: fmt.Sprintf(".cfg_tag(%d'd%d)", tw, tag),
		in:  []field{{"in_valid", 1}, {"in_data", width}, {"out_ready", 1}},
		out: []field{{"in_ready", 1}, {"out_valid", 1}, {"out_data", tw + payload}}}
	var f flow
	for range cycles {
		f.next(r, 70, width)
		ready := percent(r, 60)
		f.taken = f.valid && ready
		data := tag
		if payload > 0 {
			data = tag<<payload | f.value
		}
		l.put([]string{bit(f.valid), bits(width, f.value), bit(ready)}, []string{bit(ready), bit(f.valid), unless(!f.valid, tw+payload, data)})
	}
	return l
}

func playDelTag(r *rand.Rand, cycles int) *lockstep {
	tw, payload := 1+r.IntN(5), r.IntN(20)
	l := &lockstep{module: "loom_del_tag", params: fmt.Sprintf(".W(%d), .TW(%d)", tw+payload, tw),
		in:  []field{{"in_valid", 1}, {"in_data", tw + payload}, {"out_ready", 1}},
		out: []field{{"in_ready", 1}, {"out_valid", 1}, {"out_data", max(payload, 1)}}}
	var f flow
	for range cycles {
		f.next(r, 70, tw+payload)
		ready := percent(r, 60)
		f.taken = f.valid && ready
		l.put([]string{bit(f.valid), bits(tw+payload, f.value), bit(ready)},
			[]string{bit(ready), bit(f.valid), unless(!f.valid, max(payload, 1), f.value&(1<<payload-1))})
	}
	return l
}

func playMapTag(r *rand.Rand, cycles int) *lockstep {
	from, to, payload, size := 1+r.IntN(4), 1+r.IntN(4), r.IntN(20), 1+r.IntN(9)
	type entry struct {
		valid    bool
		src, dst uint64
	}
	var table []entry
	var text []string
	twice := false
	for range size {
		e := entry{r.IntN(4) > 0, randomWord(r, from), randomWord(r, to)}
		for _, o := range table {
			if e.valid && o.valid && e.src == o.src && r.IntN(3) > 0 {
				e.valid = false // most tables have no tag twice, as code 9 hides 258
			}
		}
		for _, o := range table {
			twice = twice || e.valid && o.valid && e.src == o.src
		}
		table = append(table, e)
		text = append([]string{fmt.Sprintf("%d'd%d, %d'd%d, 1'b%s", to, e.dst, from, e.src, bit(e.valid))}, text...)
	}
	w := from + payload
	l := &lockstep{module: "loom_map_tag", params: fmt.Sprintf(".W(%d), .TW_IN(%d), .TW_OUT(%d), .TABLE_SIZE(%d)", w, from, to, size),
		fixed: ".cfg_table({" + strings.Join(text, ", ") + "})",
		in:    []field{{"rst", 1}, {"in_valid", 1}, {"in_data", w}, {"out_ready", 1}},
		out:   []field{{"in_ready", 1}, {"out_valid", 1}, {"out_data", to + payload}, {"err_valid", 1}, {"err_code", 16}}}
	var f flow
	for k := range cycles {
		f.next(r, 70, w)
		rst, ready := k == 0, percent(r, 60)
		found, dst := false, uint64(0)
		for _, e := range table {
			if e.valid && e.src == f.value>>payload {
				found, dst = true, dst|e.dst
			}
		}
		f.taken = f.valid && (ready || !found)
		code := uint64(0)
		switch {
		case rst:
		case twice:
			code = 9
		case f.valid && !found:
			code = 258
		}
		l.put([]string{bit(rst), bit(f.valid), bits(w, f.value), bit(ready)},
			[]string{unless(!f.valid, 1, b2u(ready || !found)), bit(f.valid && found), unless(!f.valid || !found, to+payload, dst<<payload|f.value&(1<<payload-1)),
				bit(code != 0), unless(code == 0, 16, code)})
	}
	return l
}

func b2u(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// playLoadLane responds to requests after random times, and now and then without a request.
func playLoadLane(r *rand.Rand, cycles int) *lockstep {
	aw, dw, tw, depth := 1+r.IntN(16), 1+r.IntN(16), 1+r.IntN(4), 1+r.IntN(9)
	tag := randomWord(r, tw)
	l := &lockstep{module: "loom_load_lane", clocked: true, params: fmt.Sprintf(".AW(%d), .DW(%d), .TW(%d), .DEPTH(%d)", aw, dw, tw, depth),
		fixed: fmt.Sprintf(".cfg_tag(%d'd%d)", tw, tag),
		in: []field{{"rst", 1}, {"addr_valid", 1}, {"addr_data", aw}, {"req_ready", 1}, {"rsp_valid", 1}, {"rsp_data", tw + dw},
			{"done_rsp_valid", 1}, {"done_rsp_data", tw}, {"data_ready", 1}, {"done_ready", 1}},
		out: []field{{"addr_ready", 1}, {"req_valid", 1}, {"req_data", tw + aw}, {"rsp_ready", 1}, {"done_rsp_ready", 1},
			{"data_valid", 1}, {"data_data", dw}, {"done_valid", 1}, {"idle", 1}}}
	var addr flow
	var data []uint64 // waiting to leave
	var dones, dataPending, donePending int
	takes := []int{percentOf(r), percentOf(r), percentOf(r), percentOf(r), percentOf(r)}
	for k := range cycles {
		addr.next(r, 80, aw)
		rst := k == 0 || r.IntN(150) == 0
		reqReady, dataReady, doneReady := percent(r, takes[0]), percent(r, takes[1]), percent(r, takes[2])
		stray := r.IntN(10) == 0
		rsp, doneRsp := percent(r, takes[3]) && (dataPending > 0 || stray), percent(r, takes[4]) && (donePending > 0 || stray)
		word := randomWord(r, dw)
		stim := []string{bit(rst), bit(addr.valid), bits(aw, addr.value), bit(reqReady), bit(rsp), bits(tw, tag) + bits(dw, word),
			bit(doneRsp), bits(tw, tag), bit(dataReady), bit(doneReady)}
		if rst {
			data, dones, dataPending, donePending, addr.taken = nil, 0, 0, 0, true
			l.put(stim, []string{unless(true, 3+tw+aw+3+dw+1, 0), "x"})
			continue
		}
		room := dataPending+len(data) < depth && donePending+dones < depth
		addr.taken = addr.valid && room && reqReady
		var head uint64
		if len(data) > 0 {
			head = data[0]
		}
		l.put(stim, []string{unless(!addr.valid, 1, b2u(room && reqReady)), bit(addr.valid && room), unless(!addr.valid || !room, tw+aw, tag<<aw|addr.value), "1", "1",
			bit(len(data) > 0), unless(len(data) == 0, dw, head), bit(dones > 0), bit(len(data)+dones+dataPending+donePending == 0)})
		if len(data) > 0 && dataReady {
			data = data[1:]
		}
		if dones > 0 && doneReady {
			dones--
		}
		if rsp && dataPending > 0 {
			dataPending, data = dataPending-1, append(data, word)
		}
		if doneRsp && donePending > 0 {
			donePending, dones = donePending-1, dones+1
		}
		if addr.taken {
			dataPending, donePending = dataPending+1, donePending+1
		}
	}
	return l
}

// percentOf draws how often a side is ready, always included.
func percentOf(r *rand.Rand) int { return []int{20, 50, 80, 100}[r.IntN(4)] }

func playStoreLane(r *rand.Rand, cycles int) *lockstep {
	aw, dw, tw, lsq, slots := 1+r.IntN(16), 1+r.IntN(16), 1+r.IntN(4), 1+r.IntN(5), 1+r.IntN(9)
	tag := randomWord(r, tw)
	l := &lockstep{module: "loom_store_lane", clocked: true, params: fmt.Sprintf(".AW(%d), .DW(%d), .TW(%d), .LSQ_DEPTH(%d), .PLACES(%d)", aw, dw, tw, lsq, slots),
		fixed: fmt.Sprintf(".cfg_tag(%d'd%d)", tw, tag),
		in: []field{{"rst", 1}, {"addr_valid", 1}, {"addr_data", aw}, {"data_valid", 1}, {"data_data", dw}, {"staddr_ready", 1}, {"stdata_ready", 1},
			{"done_rsp_valid", 1}, {"done_rsp_data", tw}, {"done_ready", 1}},
		out: []field{{"addr_ready", 1}, {"data_ready", 1}, {"staddr_valid", 1}, {"staddr_data", tw + aw}, {"stdata_valid", 1}, {"stdata_data", tw + dw},
			{"done_rsp_ready", 1}, {"done_valid", 1}, {"idle", 1}}}
	var addr, data flow
	var addrTaken, dataTaken bool
	var pending, dones int
	takes := []int{percentOf(r), percentOf(r), percentOf(r), percentOf(r)}
	for k := range cycles {
		addr.next(r, 80, aw)
		data.next(r, 80, dw)
		rst := k == 0 || r.IntN(150) == 0
		addrReady, dataReady, doneReady := percent(r, takes[0]), percent(r, takes[1]), percent(r, takes[2])
		rsp := percent(r, takes[3]) && (pending > 0 || r.IntN(10) == 0)
		stim := []string{bit(rst), bit(addr.valid), bits(aw, addr.value), bit(data.valid), bits(dw, data.value), bit(addrReady), bit(dataReady),
			bit(rsp), bits(tw, tag), bit(doneReady)}
		if rst {
			addrTaken, dataTaken, pending, dones, addr.taken, data.taken = false, false, 0, 0, true, true
			l.put(stim, []string{unless(true, 2+1+tw+aw+1+tw+dw+3, 0)})
			continue
		}
		offer := addr.valid && data.valid && pending < lsq && pending+dones < slots
		a, d := offer && !addrTaken, offer && !dataTaken
		complete := offer && (addrTaken || addrReady) && (dataTaken || dataReady)
		l.put(stim, []string{unless(!addr.valid, 1, b2u(complete)), unless(!data.valid, 1, b2u(complete)),
			bit(a), unless(!a, tw+aw, tag<<aw|addr.value), bit(d), unless(!d, tw+dw, tag<<dw|data.value),
			"1", bit(dones > 0), bit(pending+dones == 0 && !addrTaken && !dataTaken)})
		addrTaken, dataTaken = (addrTaken || a && addrReady) && !complete, (dataTaken || d && dataReady) && !complete
		addr.taken, data.taken = complete, complete
		if dones > 0 && doneReady {
			dones--
		}
		if rsp && pending > 0 {
			pending, dones = pending-1, dones+1
		}
		if complete {
			pending++
		}
	}
	return l
}

var tagPlays = []func(r *rand.Rand, cycles int) *lockstep{playAddTag, playDelTag, playMapTag, playLoadLane, playStoreLane}

// randomTagUnits runs n designs of every kind.
func randomTagUnits(seed uint64, n, cycles int) (ls []*lockstep) {
	for k := range n * len(tagPlays) {
		ls = append(ls, tagPlays[k%len(tagPlays)](rand.New(rand.NewPCG(seed, uint64(k))), cycles))
	}
	return ls
}

// TestTagUnits compares the tag operations and the lanes with their models in every
// cycle, under random stalls, tables and responses.
func TestTagUnits(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	t.Parallel()
	seeds := 1
	if soak() {
		seeds = 20
	}
	for seed := range seeds {
		dir := t.TempDir()
		sources(t, dir, "", "", "")
		if out := compare(t, dir, 400, randomTagUnits(uint64(seed)+1, 6, 400)); strings.Contains(out, "MISMATCH") {
			t.Errorf("seed %d:\n%s", seed+1, tail(out))
		}
	}
}

// TestTagUnitFaults: the comparison notices faults planted in the RTL.
func TestTagUnitFaults(t *testing.T) {
	toolstest.Need(t, "iverilog", "vvp")
	mustNotice(t, []plantedFault{
		{"tag below the token", "loom_add_tag.sv", "{cfg_tag, in_data}", "{in_data, cfg_tag}", false},
		{"token cut with its tag", "loom_del_tag.sv", "in_data[W-TW-1:0]", "in_data[W-1:TW]", false},
		{"unmapped token waits", "loom_map_tag.sv", "in_ready  = out_ready | ~found", "in_ready  = out_ready", true},
		{"first entry wins", "loom_map_tag.sv", "assign sum      = g_entry[e-1].sum | (dst & {TW_OUT{hit[e]}});", "assign sum      = (|hit[e-1:0]) ? g_entry[e-1].sum : (dst & {TW_OUT{hit[e]}});", false},
		{"error under reset", "loom_map_tag.sv", "err_valid = ~rst & (", "err_valid = (", false},
		{"load lane is one slot short", "loom_load_lane.sv", "(done_under_way != DEPTH[CW-1:0])", "(done_under_way < DEPTH[CW-1:0] - CW'(1))", false},
		{"store lane offers twice", "loom_offer.sv", "taken <= (taken | (out_valid & out_ready))", "taken <= '0", false},
		{"store lane takes a stray done", "loom_store_lane.sv", "done_rsp_valid & (|awaited)", "done_rsp_valid", true},
		{"store lane counts slots only", "loom_store_lane.sv", " & (awaited != MOST[CW-1:0])", "", false},
	}, 400, func(*testing.T) []*lockstep { return randomTagUnits(1, 6, 400) })
}
