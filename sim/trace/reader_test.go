package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/sim/trace"
)

// randomRun records a run in which the components do as the states say, cycle by cycle.
func randomRun(t *testing.T, seed uint64, cycles int) (*trace.Recorder, [][]trace.State) {
	t.Helper()
	f, b := sample()
	r := trace.NewRecorder(f, b)
	rng := rand.New(rand.NewPCG(seed, 0))
	states := make([][]trace.State, len(f.Comps))
	add := func(e trace.Event) {
		e.Channel = -1
		r.Add(e)
	}
	add(trace.Event{Kind: trace.Start})
	for c := range cycles {
		quiet := rng.IntN(4) == 0 // cycles without any event
		for i, comp := range f.Comps {
			s := trace.State("")
			if len(states[i]) > 0 && rng.IntN(3) > 0 {
				s = states[i][len(states[i])-1]
			} else {
				s = []trace.State{"", trace.Active, trace.WaitsForData, trace.WaitsForRoom}[rng.IntN(4)]
			}
			if quiet {
				s = ""
			}
			states[i] = append(states[i], s)
			kind := map[trace.State]trace.Kind{trace.Active: trace.Fire, trace.WaitsForData: trace.StallIn, trace.WaitsForRoom: trace.StallOut}[s]
			if kind != "" {
				add(trace.Event{Cycle: int64(c), Kind: kind, Comp: comp})
			}
		}
	}
	add(trace.Event{Cycle: int64(cycles - 1), Kind: trace.Done})
	return r, states
}

// TestSpans: a trace file tells the state of every component in every cycle, and the
// statistics count the same.
func TestSpans(t *testing.T) {
	for seed := range uint64(200) {
		const cycles = 30
		r, want := randomRun(t, seed, cycles)
		text := r.Trace()
		got := make([][]trace.State, len(want))
		for i := range got {
			got[i] = make([]trace.State, cycles)
		}
		spans := trace.NewSpans(len(want), func(s trace.Span) {
			for c := s.From; c < s.To; c++ {
				if got[s.Module][c] != "" {
					t.Fatalf("seed %d: two states of module %d in cycle %d", seed, s.Module, c)
				}
				got[s.Module][c] = s.State
			}
		})
		for _, l := range lines(t, text) {
			spans.Add(l)
		}
		spans.End(cycles)
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d: -want +got:\n%s\n%s", seed, d, text)
		}
		for _, m := range r.Stats.Result().Modules {
			i := slices.Index([]string{"pe", "q"}, m.Name)
			count := map[trace.State]int64{}
			for _, s := range got[i] {
				count[s]++
			}
			if count[trace.Active] != m.Active || count[trace.WaitsForData] != m.InputStalled || count[trace.WaitsForRoom] != m.OutputStalled {
				t.Fatalf("seed %d: the trace has %v for %s, the statistics %+v", seed, count, m.Name, m)
			}
		}
	}
}

// lines reads a trace.
func lines(t *testing.T, text []byte) []trace.Line {
	t.Helper()
	rd, err := trace.NewReader("x.sim.trace", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out []trace.Line
	for {
		l, err := rd.Next()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
}

func TestReaderRejects(t *testing.T) {
	head := golden[:strings.IndexByte(golden, '\n')+1]
	for _, c := range []struct{ text, want string }{
		{"", "x.sim.trace: error: the trace is empty"},
		{"\n\n", "the trace is empty"},
		{"{}\n", "x.sim.trace:1:1: error: this is no simulation trace of version 1"},
		{"{\"loom_trace\":2}\n", "this is no simulation trace of version 1"},
		{"junk\n", "this is no simulation trace of version 1"},
		{head + `{"cycle":`, "x.sim.trace:2:1: error: the trace is damaged"},
		{head + `{"cycle":4,"kind":"start"}` + "\n" + `{"cycle":3,"kind":"done"}`, "x.sim.trace:3:1: error: the trace is damaged: cycle 3 follows cycle 4"},
		{head + `{"cycle":0,"kind":"fire","module":2}`, "there is no module 2"},
		{head + `{"cycle":0,"kind":"fire"}`, "'fire' names no module"},
		{head + `{"cycle":0,"kind":"transfer","channel":3,"data":"0x1"}`, "there is no channel 3"},
		{head + `{"cycle":0,"kind":"transfer","data":"0x1"}`, "the transfer names no channel"},
		{head + `{"cycle":0,"kind":"transfer","channel":0,"data":"1"}`, "no hexadecimal number"},
		{head + `{"cycle":0,"kind":"transfer","channel":0,"data":"0x1ffffffffffffffff"}`, "no hexadecimal number"},
	} {
		rd, err := trace.NewReader("x.sim.trace", strings.NewReader(c.text))
		for err == nil {
			_, err = rd.Next()
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %q", c.text[max(0, len(c.text)-70):], err, c.want)
		}
	}
}

// FuzzReader: the fast form of reading finds what encoding/json finds, and errors are
// reported where it finds them.
func FuzzReader(f *testing.F) {
	head, events, _ := strings.Cut(golden, "\n")
	for _, line := range strings.Split(events, "\n") {
		f.Add(line)
	}
	for _, line := range []string{`{"cycle":01}`, `{"cycle":1,}`, `{"cycle" : 1}`, `{"kind":"a\u0062"}`, `{"tag":65536}`, `{"cycle":"1"}`, `{}`, `{"cycle":1`, `{"module":-1}`,
		`{"cycle":9223372036854775808}`, "{\"kind\":\"a\tb\"}", `{"cycle":1,"cycle":2}`, `{"Cycle":1}`} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if strings.ContainsAny(line, "\n\r") {
			return
		}
		// A space after the brace is the same to encoding/json, and nothing for the fast form.
		read := func(line string) (trace.Line, string) {
			rd, err := trace.NewReader("x", strings.NewReader(head+"\n"+line+"\n"))
			if err != nil {
				t.Fatal(err)
			}
			l, err := rd.Next()
			if err != nil {
				return l, "error"
			}
			return l, ""
		}
		fast, fastErr := read(line)
		slow, slowErr := read(strings.Replace(line, "{", "{ ", 1))
		if strings.HasPrefix(strings.TrimSpace(line), "{") && (fast != slow || fastErr != slowErr) {
			t.Errorf("%q: %+v %s, encoding/json finds %+v %s", line, fast, fastErr, slow, slowErr)
		}
	})
}

// perfettoTrace is what a test reads of a file for Perfetto.
type perfettoTrace struct {
	Unit   string `json:"displayTimeUnit"`
	Events []struct {
		Name, Ph, Cat, ID, S string
		TS, Dur              *int64
		PID, TID             int
		Args                 map[string]any
	} `json:"traceEvents"`
}

func perfetto(t *testing.T, text []byte) perfettoTrace {
	t.Helper()
	rd, err := trace.NewReader("x.sim.trace", bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := trace.Perfetto(&out, rd, map[string]string{"pe": "arith.addi"}); err != nil {
		t.Fatal(err)
	}
	var p perfettoTrace
	if err := json.Unmarshal(out.Bytes(), &p); err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	return p
}

// TestPerfetto checks the rules of the format, and what the file says of a run.
func TestPerfetto(t *testing.T) {
	f, b := sample()
	r := trace.NewRecorder(f, b)
	shortRun(f, r.Add)
	r.Add(trace.Event{Cycle: 9, Kind: trace.Request, Comp: f.Comps[0], Channel: -1, Data: 0x20000, What: "store"})
	r.Add(trace.Event{Cycle: 12, Kind: trace.Answer, Comp: f.Comps[0], Channel: -1, Data: 0x20000, What: "store"})
	p := perfetto(t, r.Trace())
	var got []string
	for _, e := range p.Events {
		if e.Ph == "M" {
			continue
		}
		s := e.Ph + " " + e.Name
		if e.TS == nil {
			t.Fatalf("%s has no time", e.Name)
		}
		s += " at " + num(*e.TS)
		if e.Dur != nil {
			s += " for " + num(*e.Dur)
		}
		if args, _ := json.Marshal(e.Args); e.Args != nil {
			s += " " + string(args)
		}
		got = append(got, s)
	}
	want := []string{
		`i start at 0`,
		`i iteration: more at 0 {"index":"0x0"}`,
		`X active at 0 for 1 {"in a":"0x2a"}`,
		`C tokens moved at 0 {"tokens":1}`,
		`C tokens moved at 1 {"tokens":0}`,
		`X waits for room at 1 for 3`,
		`i iteration: last at 4 {"index":"0x1"}`,
		`X active at 4 for 1 {"out y":"0xffffffffffffffff tag 5"}`,
		`C tokens moved at 4 {"tokens":1}`,
		`C tokens moved at 5 {"tokens":0}`,
		`b pe load at 7 {"address":"0x10000","tag":0}`,
		`X waits for room at 6 for 1`,
		`i error at 8 {"code":513,"module":"pe","symbol":"RT_EXTMEMORY_BUS"}`,
		`b pe store at 9 {"address":"0x20000","tag":0}`,
		`e pe store at 12 {"address":"0x20000","tag":0}`,
		`e pe load at 13 {"address":"0x10000","tag":0}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if p.Unit != "ns" {
		t.Errorf("displayTimeUnit is %q; the format knows ms and ns", p.Unit)
	}
	names := map[string]bool{}
	for _, e := range p.Events {
		if e.Ph == "M" && e.Name == "thread_name" {
			names[e.Args["name"].(string)] = true
		}
	}
	if !names["pe: arith.addi"] || len(names) != 1 {
		t.Errorf("tracks %v", names)
	}
}

func num(n int64) string { b, _ := json.Marshal(n); return string(b) }

// TestPerfettoSlices: slices of one track never overlap, which the viewer would nest or
// reject, and what begins ends.
func TestPerfettoSlices(t *testing.T) {
	for seed := range uint64(50) {
		r, _ := randomRun(t, seed, 40)
		busy := map[[3]int]bool{}
		open := map[string]int{}
		for _, e := range perfetto(t, r.Trace()).Events {
			switch e.Ph {
			case "X":
				for c := *e.TS; c < *e.TS+*e.Dur; c++ {
					at := [3]int{e.PID, e.TID, int(c)}
					if busy[at] {
						t.Fatalf("seed %d: two slices at %v", seed, at)
					}
					busy[at] = true
				}
			case "b":
				open[e.ID]++
			case "e":
				open[e.ID]--
			case "i", "C", "M":
			default:
				t.Errorf("phase %q", e.Ph)
			}
		}
		for id, n := range open {
			if n != 0 {
				t.Errorf("access %s is open", id)
			}
		}
	}
}
