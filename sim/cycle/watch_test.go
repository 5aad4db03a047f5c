package cycle_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/compiler/arch"
	"loom/internal/testkit"
	"loom/sim/cycle"
	"loom/sim/trace"
	"loom/sim/vector"
)

// activity are the events of a cycle that what all channels show stands for, looked for everywhere: transfers in
// channel order, then what each component did.
func activity(f *arch.Fabric, n int64, ch []cycle.ChannelState) (events []trace.Event) {
	for i, c := range ch {
		if c.Valid && c.Ready {
			events = append(events, trace.Event{Cycle: n, Kind: trace.Transfer, Comp: f.Channels[i].Src.Comp, Channel: i, Data: c.Data, Tag: c.Tag})
		}
	}
	for _, comp := range f.Comps {
		var moves, offers, waits bool
		for _, p := range comp.In {
			if p.Chan != nil {
				moves = moves || ch[p.Chan.ID].Valid && ch[p.Chan.ID].Ready
				waits = waits || ch[p.Chan.ID].Valid && !ch[p.Chan.ID].Ready
			}
		}
		for _, p := range comp.Out {
			if p.Chan != nil {
				moves = moves || ch[p.Chan.ID].Valid && ch[p.Chan.ID].Ready
				offers = offers || ch[p.Chan.ID].Valid && !ch[p.Chan.ID].Ready
			}
		}
		kind := trace.StallIn
		switch {
		case moves:
			kind = trace.Fire
		case offers:
			kind = trace.StallOut
		case !waits:
			continue
		}
		events = append(events, trace.Event{Cycle: n, Kind: kind, Comp: comp, Channel: -1})
	}
	return events
}

// TestRecordedActivity: the events of a recorded run, for which only channels with a token are looked at, are those that all
// channels of the fabric show.
func TestRecordedActivity(t *testing.T) {
	f := testkit.Fabric(t, "mesh8x8")
	stalls := map[trace.Kind]int{}
	for _, k := range []string{"dot", "condcopy", "gcd", "scan"} {
		m, err := mapKernel(testkit.Kernel(t, k), f)
		if err != nil {
			t.Fatal(err)
		}
		sig, err := vector.SignatureOf(testkit.Function(testkit.Kernel(t, k)))
		if err != nil {
			t.Fatal(err)
		}
		in, err := vector.Random(sig, 1, 6, f.IndexWidth)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range profiles {
			var want, got []trace.Event
			o.Trace = func(n int64, ch []cycle.ChannelState) { want = append(want, activity(f, n, ch)...) }
			o.Record = func(e trace.Event) {
				switch e.Kind {
				case trace.StallIn, trace.StallOut:
					stalls[e.Kind]++
					fallthrough
				case trace.Transfer, trace.Fire:
					got = append(got, e)
				}
			}
			m.run(t, in, o)
			if d := cmp.Diff(want, got, cmp.Comparer(func(a, b *arch.Component) bool { return a == b })); d != "" || len(want) == 0 {
				t.Fatalf("%s, %d events: %s", k, len(want), d[:min(len(d), 2000)])
			}
		}
	}
	if stalls[trace.StallIn] == 0 || stalls[trace.StallOut] == 0 {
		t.Errorf("no stalls of a kind: %v", stalls)
	}
}
