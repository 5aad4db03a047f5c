package cycle

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"loom/compiler/arch"
	"loom/compiler/config"
)

// payload draws the width of a tagged channel's data: none, narrow, or any.
func payload(r *rand.Rand) int { return []int{0, 1 + r.IntN(8), 1 + r.IntN(64)}[r.IntN(3)] }

func fifoTestbench(r *rand.Rand, v int) *testbench {
	w, tw, depth := payload(r), r.IntN(4), 1+r.IntN(4)
	if w == 0 {
		tw++
	}
	p := port("in", w, tw)
	q := p
	q.Name = "out"
	c := &arch.Component{Kind: arch.FIFO, Name: "f", In: []arch.Port{p}, Out: []arch.Port{q}, FIFO: &arch.FIFOSpec{Depth: depth, Bypassable: v%3 > 0}}
	x := &testbench{c: c, set: config.Setting{Bypassed: v%3 == 2}, module: "loom_fifo", params: fmt.Sprintf(".W(%d), .DEPTH(%d)", w+tw, depth), clocked: true,
		token: func(int) Token { return randomToken(r, &p) }}
	if c.FIFO.Bypassable {
		x.module, x.fixed = "loom_fifo_bypass", fmt.Sprintf(".cfg_bypassed(1'b%d)", bit(x.set.Bypassed))
	}
	return x
}

func addTagTestbench(r *rand.Rand, _ int) *testbench {
	w, tw := 1+r.IntN(64), 1+r.IntN(16)
	tag := r.Uint64() & mask(tw)
	c := &arch.Component{Kind: arch.AddTag, Name: "a", In: []arch.Port{port("in", w, 0)}, Out: []arch.Port{port("out", w, tw)}}
	return &testbench{c: c, set: config.Setting{Tag: tag}, module: "loom_add_tag", params: fmt.Sprintf(".W(%d), .TW(%d)", w+tw, tw),
		fixed: fmt.Sprintf(".cfg_tag(%d'd%d)", tw, tag), token: func(int) Token { return randomToken(r, &c.In[0]) }}
}

func delTagTestbench(r *rand.Rand, _ int) *testbench {
	w, tw := 1+r.IntN(64), 1+r.IntN(16)
	c := &arch.Component{Kind: arch.DelTag, Name: "d", In: []arch.Port{port("in", w, tw)}, Out: []arch.Port{port("out", w, 0)}}
	return &testbench{c: c, module: "loom_del_tag", params: fmt.Sprintf(".W(%d), .TW(%d)", w+tw, tw),
		token: func(int) Token { return randomToken(r, &c.In[0]) }}
}

func mapTagTestbench(r *rand.Rand, v int) *testbench {
	w, in, out, size := payload(r), 1+r.IntN(5), 1+r.IntN(16), 1+r.IntN(9)
	c := &arch.Component{Kind: arch.MapTag, Name: "m", In: []arch.Port{port("in", w, in)}, Out: []arch.Port{port("out", w, out)},
		Map: &arch.MapTagSpec{TableSize: size, InTag: in, OutTag: out}}
	x := &testbench{c: c, module: "loom_map_tag", params: fmt.Sprintf(".W(%d), .TW_IN(%d), .TW_OUT(%d), .TABLE_SIZE(%d)", w+in, in, out, size), errs: true}
	var f fields
	seen := map[uint64]bool{}
	for range size {
		e := config.TagEntry{Valid: r.IntN(4) > 0, Src: r.Uint64() & mask(in), Dst: r.Uint64() & mask(out)}
		e.Valid = e.Valid && (v%2 == 1 || !seen[e.Src]) // without code 9 the others are seen
		seen[e.Src] = seen[e.Src] || e.Valid
		x.set.Entries = append(x.set.Entries, e)
		f.add(1, bit(e.Valid))
		f.add(in, e.Src)
		f.add(out, e.Dst)
	}
	x.fixed = fmt.Sprintf(".cfg_table(%s)", &f)
	x.token = func(int) Token {
		t := randomToken(r, &c.In[0])
		if r.IntN(5) > 0 {
			t.Tag = uint16(x.set.Entries[r.IntN(size)].Src)
		}
		return t
	}
	return x
}

// connectivity draws a table in which the first output has an input.
func connectivity(r *rand.Rand, ins, outs int) (rows [][]bool, text string, n int) {
	for o := range outs {
		row := make([]bool, ins)
		for i := range row {
			row[i] = r.IntN(4) > 0 || o == 0 && i == 0
			n += int(bit(row[i]))
			text = fmt.Sprint(bit(row[i])) + text
		}
		rows = append(rows, row)
	}
	return rows, fmt.Sprintf("%d'b%s", ins*outs, text), n
}

func temporalTestbench(r *rand.Rand, v int) *testbench {
	w, tw, ins, outs, slots := payload(r), 1+r.IntN(4), 1+r.IntN(5), 1+r.IntN(5), 1+r.IntN(6)
	rows, connect, routes := connectivity(r, ins, outs)
	c := &arch.Component{Kind: arch.TemporalSwitch, Name: "t", Temporal: &arch.TemporalSpec{Connect: rows, Slots: slots, TagWidth: tw}}
	for i := range ins {
		c.In = append(c.In, port(fmt.Sprint("in", i), w, tw))
	}
	for o := range outs {
		c.Out = append(c.Out, port(fmt.Sprint("out", o), w, tw))
	}
	x := &testbench{c: c, module: "loom_temporal_sw", flat: true, clocked: true, errs: true,
		params: fmt.Sprintf(".W(%d), .TW(%d), .N_IN(%d), .N_OUT(%d), .CONNECT(%s), .N_ROUTES(%d), .NUM_SLOT(%d)", w+tw, tw, ins, outs, connect, routes, slots)}
	var f fields
	seen := map[uint64]bool{}
	for range slots {
		s := config.Slot{Valid: r.IntN(5) > 0, Tag: r.Uint64() & mask(tw)}
		s.Valid = s.Valid && (v%3 == 1 || !seen[s.Tag]) // code 5 in one variant of three
		seen[s.Tag] = seen[s.Tag] || s.Valid
		f.add(1, bit(s.Valid))
		f.add(tw, s.Tag)
		for o, row := range rows {
			one := false
			for i, connected := range row {
				if !connected {
					continue
				}
				on := r.IntN(2) == 0 && (v%3 == 2 || !one) // code 4 in another
				one = one || on
				f.add(1, bit(on))
				if on {
					s.Routes = append(s.Routes, [2]int{o, i})
				}
			}
		}
		x.set.Slots = append(x.set.Slots, s)
	}
	x.fixed = fmt.Sprintf(".cfg_slot(%s)", &f)
	x.token = func(p int) Token {
		t := randomToken(r, &c.In[p])
		if r.IntN(8) > 0 {
			t.Tag = uint16(x.set.Slots[r.IntN(slots)].Tag)
		}
		return t
	}
	return x
}

func loadLaneTestbench(r *rand.Rand, _ int) *testbench {
	aw, dw, tw, depth := 1+r.IntN(64), 1+r.IntN(64), 1+r.IntN(16), 1+r.IntN(9)
	tag := r.Uint64() & mask(tw)
	c := &arch.Component{Kind: arch.LoadLane, Name: "l", Lane: &arch.LaneSpec{TagWidth: tw, Slots: depth},
		In:  []arch.Port{port("addr", aw, 0), port("rsp", dw, tw), port("done_rsp", 0, tw)},
		Out: []arch.Port{port("req", aw, tw), port("data", dw, 0), port("done", 0, 0)}}
	return &testbench{c: c, set: config.Setting{Tag: tag}, module: "loom_load_lane", clocked: true, fixed: fmt.Sprintf(".cfg_tag(%d'd%d)", tw, tag),
		params: fmt.Sprintf(".AW(%d), .DW(%d), .TW(%d), .DEPTH(%d)", aw, dw, tw, depth),
		token:  func(p int) Token { return randomToken(r, &c.In[p]) }}
}

func storeLaneTestbench(r *rand.Rand, _ int) *testbench {
	aw, dw, tw, flight, slots := 1+r.IntN(64), 1+r.IntN(64), 1+r.IntN(16), 1+r.IntN(5), 1+r.IntN(9)
	tag := r.Uint64() & mask(tw)
	c := &arch.Component{Kind: arch.StoreLane, Name: "s", Lane: &arch.LaneSpec{TagWidth: tw, Slots: slots, LSQDepth: flight},
		In:  []arch.Port{port("addr", aw, 0), port("data", dw, 0), port("done_rsp", 0, tw)},
		Out: []arch.Port{port("staddr", aw, tw), port("stdata", dw, tw), port("done", 0, 0)}}
	return &testbench{c: c, set: config.Setting{Tag: tag}, module: "loom_store_lane", clocked: true, fixed: fmt.Sprintf(".cfg_tag(%d'd%d)", tw, tag),
		params: fmt.Sprintf(".AW(%d), .DW(%d), .TW(%d), .LSQ_DEPTH(%d), .PLACES(%d)", aw, dw, tw, flight, slots),
		token:  func(p int) Token { return randomToken(r, &c.In[p]) }}
}

func switchTestbench(r *rand.Rand, _ int) *testbench {
	w, ins, outs := 1+r.IntN(16), 1+r.IntN(5), 1+r.IntN(5)
	rows, connect, _ := connectivity(r, ins, outs)
	c := &arch.Component{Kind: arch.SpatialSwitch, Name: "s", Switch: &arch.SwitchSpec{Connect: rows}}
	s := &config.SwitchSetting{}
	var route, expects fields
	total := 0 // bits of all outputs
	for i := range ins {
		c.In = append(c.In, port(fmt.Sprint("in", i), w, 0))
		s.Discard = append(s.Discard, r.IntN(3) == 0)
	}
	for o, row := range rows {
		c.Out = append(c.Out, port(fmt.Sprint("out", o), w, 0))
		s.Route = append(s.Route, -1)
		var inputs []int
		for i, connected := range row {
			if connected {
				inputs = append(inputs, i)
			}
		}
		if len(inputs) == 0 {
			continue
		}
		// Also selects that no image has: without enable, and of inputs that the output lacks.
		width := bits.Len(uint(len(inputs) - 1))
		sel, on := r.IntN(1<<width), r.IntN(4) > 0
		if on && sel < len(inputs) {
			s.Route[o] = inputs[sel]
		}
		route.add(1, bit(on))
		route.add(width, uint64(sel))
		total += 1 + width
	}
	for i := range ins {
		expects.add(1, bit(s.Discard[i] || slices.Contains(s.Route, i)))
	}
	return &testbench{c: c, set: config.Setting{Switch: s}, module: "loom_switch", flat: true, clocked: true, errs: true,
		params: fmt.Sprintf(".W(%d), .N_IN(%d), .N_OUT(%d), .CONNECT(%s), .ROUTE_BITS(%d)", w, ins, outs, connect, total),
		fixed:  fmt.Sprintf(".cfg_route(%s), .cfg_expects(%s)", &route, &expects),
		token:  func(p int) Token { return randomToken(r, &c.In[p]) }}
}
