package lower

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/internal/randprog"
	"loom/sim/token"
	"loom/sim/vector"
)

// overtaken runs a program with n recent stores and returns what differs from the interpreter, and whether a loop keeps some.
func overtaken(t *testing.T, seed uint64, d deviation) (diff string, keeps bool) {
	t.Helper()
	return runMeeting(t, seed, Options{RecentStores: 1 + int(seed%3), deviate: d}, func(op *ir.Operation) bool {
		return slices.ContainsFunc(op.Results(), func(v *ir.Value) bool { return strings.HasPrefix(v.Name, "stored") })
	})
}

// runMeeting runs a program and returns what differs from the interpreter, and whether its graph has an operation of a kind.
func runMeeting(t *testing.T, seed uint64, opts Options, kind func(*ir.Operation) bool) (diff string, has bool) {
	t.Helper()
	m := parse(t, randprog.Meetings(seed))
	in := randprog.Inputs(m, seed)
	width := []int{64, 32}[seed%2]
	want, err := interp.Run(randprog.Function(m), in, interp.Options{IndexWidth: width})
	if err != nil || want.Status != vector.Done {
		t.Fatalf("seed %d: %v %+v\n%s", seed, err, want, randprog.Meetings(seed))
	}
	opts.MemoryOrder, opts.IndexWidth, opts.keepBranches = "pipelined", width, seed%5 == 0
	res, err := Lower(m, opts)
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, randprog.Meetings(seed))
	}
	res.Func.Walk(func(op *ir.Operation) bool {
		has = has || kind(op)
		return true
	})
	p, err := token.Compile(res.Func, width)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range schedules(seed) {
		s.MaxSteps = 200_000
		got, _, err := p.Run(in, s)
		if err != nil {
			t.Fatal(err)
		}
		if list := vector.Diff(want, got); len(list) > 0 || got.Status != vector.Done {
			return fmt.Sprintf("%+v: %v %v", s, list, got.Detail), has
		}
	}
	return "", has
}

// meetingRun runs the program of a seed, with a rule broken or none.
type meetingRun func(t *testing.T, seed uint64, d deviation) (diff string, has bool)

// agree runs many programs, of which at least a third must be of the kind that is tested.
func (run meetingRun) agree(t *testing.T) {
	t.Helper()
	of := 0
	for seed := range programs(600) {
		diff, has := run(t, seed, "")
		if diff != "" {
			t.Fatalf("seed %d: %s\n%s", seed, diff, randprog.Meetings(seed))
		}
		if has {
			of++
		}
	}
	t.Logf("%d programs", of)
	if of < int(programs(600)/3) {
		t.Errorf("only %d programs", of)
	}
}

// notice breaks each of some rules: a program must show it.
func (run meetingRun) notice(t *testing.T, rules []deviation) {
	t.Helper()
	for _, d := range rules {
		caught := false
		for seed := uint64(0); seed < 1200 && !caught; seed++ {
			diff, _ := run(t, seed, d)
			caught = diff != ""
		}
		if !caught {
			t.Errorf("not noticed: %s", d)
		}
	}
}

// TestRecentStores: loops whose loads overtake stores compute the same, and many loops do so.
func TestRecentStores(t *testing.T) { meetingRun(overtaken).agree(t) }

// TestRecentStoresDeviations breaks each of their rules.
func TestRecentStoresDeviations(t *testing.T) { meetingRun(overtaken).notice(t, recents) }

// TestRecentStoresIntervals: with n recent stores a histogram has n+1 iterations in the time that its recurrence takes, and some more for
// the choice and the tokens.
func TestRecentStoresIntervals(t *testing.T) {
	kernel := kernels(t)["histogram"]
	const memory = 20
	var of [4]float64
	for n := range of {
		of[n] = firstInterval(t, kernel, Options{MemoryOrder: "pipelined", RecentStores: n}, 64, memory)
	}
	t.Log(of)
	for n := 1; n < len(of); n++ {
		if limit := of[0]/float64(n+1) + 3; of[n] > limit {
			t.Errorf("%d recent stores: interval %v, at most %v expected", n, of[n], limit)
		}
	}
}
