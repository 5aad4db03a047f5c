package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"loom/compiler/arch"
	"loom/compiler/mapping"
	"loom/sim/trace"
)

// sample is a fabric of two components in a row.
func sample() (*arch.Fabric, *mapping.Binding) {
	f := &arch.Fabric{Name: "row"}
	pe := &arch.Component{ID: 0, Name: "pe", Kind: arch.SpatialPE, In: []arch.Port{{Name: "a"}}, Out: []arch.Port{{Name: "y"}}}
	q := &arch.Component{ID: 1, Name: "q", Kind: arch.FIFO, In: []arch.Port{{Name: "in"}}, Out: []arch.Port{{Name: "out"}}}
	f.Comps = []*arch.Component{pe, q}
	f.Inputs = []*arch.Boundary{{Name: "x"}}
	f.Outputs = []*arch.Boundary{{Name: "r"}}
	f.Channels = []*arch.Channel{
		{ID: 0, Name: "x_c", Src: arch.Endpoint{Port: 0}, Dst: arch.Endpoint{Comp: pe, Port: 0}, Width: 8},
		{ID: 1, Name: "pe_y", Src: arch.Endpoint{Comp: pe, Port: 0}, Dst: arch.Endpoint{Comp: q, Port: 0}, Width: 8, TagWidth: 3},
		{ID: 2, Name: "q_out", Src: arch.Endpoint{Comp: q, Port: 0}, Dst: arch.Endpoint{Port: -1}, Width: 8},
	}
	return f, &mapping.Binding{Kernel: "k"}
}

// shortRun is a run of some cycles: a token passes, then the PE stalls for three cycles.
func shortRun(f *arch.Fabric, add func(trace.Event)) {
	pe := f.Comps[0]
	none := -1
	add(trace.Event{Kind: trace.Start, Channel: none})
	add(trace.Event{Kind: trace.Transfer, Channel: 0, Data: 0x2a})
	add(trace.Event{Kind: trace.Fire, Comp: pe, Channel: none})
	add(trace.Event{Kind: trace.Iterate, Comp: pe, Channel: none, Data: 0, What: "more"})
	for c := int64(1); c <= 3; c++ {
		add(trace.Event{Cycle: c, Kind: trace.StallOut, Comp: pe, Channel: none})
	}
	add(trace.Event{Cycle: 4, Kind: trace.Transfer, Channel: 1, Data: 0xffffffffffffffff, Tag: 5, Comp: pe})
	add(trace.Event{Cycle: 4, Kind: trace.Fire, Comp: pe, Channel: none})
	add(trace.Event{Cycle: 4, Kind: trace.Iterate, Comp: pe, Channel: none, Data: 1, What: "last"})
	add(trace.Event{Cycle: 6, Kind: trace.StallOut, Comp: pe, Channel: none})
	add(trace.Event{Cycle: 7, Kind: trace.Request, Comp: pe, Channel: none, Data: 0x10000, What: "load"})
	add(trace.Event{Cycle: 8, Kind: trace.Error, Comp: pe, Channel: none, Data: 513, What: "RT_EXTMEMORY_BUS"})
}

const golden = `{"loom_trace":1,"fabric":"row","kernel":"k","run":{"latency":"fixed:4","seed":"1"},"modules":[{"id":0,"name":"pe","kind":"spatial_pe"},{"id":1,"name":"q","kind":"fifo"}],"channels":[{"id":0,"name":"x_c","from":"x","to":"pe.a","width":8},{"id":1,"name":"pe_y","from":"pe.y","to":"q.in","width":8,"tag_width":3},{"id":2,"name":"q_out","from":"q.out","to":"unused","width":8}]}
{"cycle":0,"kind":"start"}
{"cycle":0,"kind":"transfer","channel":0,"data":"0x2a"}
{"cycle":0,"kind":"fire","module":0}
{"cycle":0,"kind":"iterate","module":0,"data":"0x0","what":"more"}
{"cycle":1,"kind":"stall_out","module":0}
{"cycle":4,"kind":"transfer","module":0,"channel":1,"data":"0xffffffffffffffff","tag":5}
{"cycle":4,"kind":"fire","module":0}
{"cycle":4,"kind":"iterate","module":0,"data":"0x1","what":"last"}
{"cycle":6,"kind":"stall_out","module":0}
{"cycle":7,"kind":"request","module":0,"data":"0x10000","what":"load"}
{"cycle":7,"kind":"idle","module":0}
{"cycle":8,"kind":"error","module":0,"code":513,"what":"RT_EXTMEMORY_BUS"}
`

func TestTraceFile(t *testing.T) {
	f, b := sample()
	r := trace.NewRecorder(f, b)
	r.Identify("seed", "1")
	r.Identify("latency", "fixed:4")
	shortRun(f, r.Add)
	if d := cmp.Diff(golden, string(r.Trace())); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(r.Trace())), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("line %d is not JSON: %s", i+1, line)
		}
	}
	want := trace.Stat{
		Version: 1, Fabric: "row", Kernel: "k", Cycles: 9,
		Modules: []trace.ModuleStat{
			{Name: "pe", Kind: "spatial_pe", Active: 2, OutputStalled: 4, TokensIn: 1, TokensOut: 1,
				Loads: &trace.AccessStat{Number: 1, MostUnderWay: 1}},
			{Name: "q", Kind: "fifo", TokensIn: 1},
		},
		Loops: []trace.LoopStat{},
	}
	var got trace.Stat
	if err := json.Unmarshal(r.Stat(), &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("statistics -want +got:\n%s", d)
	}
}

// TestAccesses: latencies are from request to response, whatever the order of the responses, while some are under way
// not at all.
func TestAccesses(t *testing.T) {
	f, b := sample()
	r := trace.NewRecorder(f, b)
	at := func(cycle int64, kind trace.Kind, what string) {
		r.Add(trace.Event{Cycle: cycle, Kind: kind, Comp: f.Comps[0], Channel: -1, What: what})
	}
	at(1, trace.Request, "load")
	at(2, trace.Request, "load")
	at(3, trace.Request, "store")
	at(9, trace.Answer, "load")
	at(14, trace.Answer, "load")
	at(15, trace.Request, "load")
	var s trace.Stat
	r.Add(trace.Event{Cycle: 20, Kind: trace.Transfer, Channel: 0, Data: 1})
	if err := json.Unmarshal(r.Stat(), &s); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(&trace.AccessStat{Number: 3, MeanLatency: 10, MostUnderWay: 2}, s.Modules[0].Loads); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(&trace.AccessStat{Number: 1, MostUnderWay: 1}, s.Modules[0].Stores); d != "" {
		t.Error(d)
	}
}

// A trace that grows too long is cut, reports it, and keeps how the run ended.
func TestTraceIsCut(t *testing.T) {
	f, b := sample()
	var out bytes.Buffer
	w := trace.NewWriter(&out, f, b)
	w.Limit = 3
	shortRun(f, w.Add)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	want := []string{
		`{"cycle":0,"kind":"fire","module":0}`,
		`{"cycle":8,"kind":"error","module":0,"code":513,"what":"RT_EXTMEMORY_BUS"}`,
		`{"kind":"cut","events":8}`,
	}
	if d := cmp.Diff(want, lines[max(0, len(lines)-3):]); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestCloseReportsWriteErrors(t *testing.T) {
	f, b := sample()
	w := trace.NewWriter(brokenPipe{}, f, b)
	shortRun(f, w.Add)
	if err := w.Close(); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}

// The interval of a loop is that of its slowest condition in the second half of its longest
// activation: the stream that runs ahead of the rest of the loop into buffers does not count.
func TestLoopIsMeasuredWhereItIsSlowest(t *testing.T) {
	f, b := sample()
	s := trace.NewStats(f, b)
	loop := trace.LoopStat{Name: "i", File: "k.c", Line: 5, Depth: 1, Expected: 3}
	s.Measure([]trace.Loop{
		{LoopStat: loop, Meters: []trace.Meter{{Channel: 0, Raw: true}, {Channel: 2}}},
		{LoopStat: trace.LoopStat{Name: "never"}, Meters: []trace.Meter{{Channel: 1}}},
	}, "4 cycles")
	condition := func(channel int, cycle int64, more uint64) {
		s.Add(trace.Event{Cycle: cycle, Kind: trace.Transfer, Channel: channel, Data: more})
	}
	for _, start := range []int64{0, 100} { // the second activation is the longer one
		n := 8 + start/10
		for i := range n {
			condition(0, start+i, 1) // one per cycle: 8 and 18 iterations, and the last test
			at := start + 3*i
			if i < n/3 {
				at = start + i // into the buffers
			}
			more := uint64(1)
			if i == n-1 {
				more = 0
			}
			condition(2, at, more)
		}
		condition(0, start+n, 0)
	}
	loop.Activations, loop.Iterations, loop.II = 2, 26, 3
	want := []trace.LoopStat{loop, {Name: "never"}}
	got := s.Result()
	if d := cmp.Diff(want, got.Loops); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if got.MemoryLatency != "4 cycles" {
		t.Errorf("memory latency %q", got.MemoryLatency)
	}
}
