package campaign_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"loom/campaign"
	"loom/explore/batch"
	"loom/explore/store"
)

// odd tries cases of which those that end in 7 fail and 13 panics; tried counts them.
func odd(tried *atomic.Int64) campaign.Worker {
	return campaign.Each(func(_ context.Context, n uint64, res *campaign.Result) error {
		tried.Add(1)
		if n == 13 {
			panic("a fault")
		}
		if n%10 == 7 {
			res.Failures = append(res.Failures, campaign.Failure{Case: n, Name: fmt.Sprintf("case-%d", n), Text: fmt.Sprintf("case %d is odd\nand more", n)})
			return nil
		}
		res.Count("agree")
		return nil
	})
}

func run(t *testing.T, dir string, o campaign.Options, workers int, w campaign.Worker) (*campaign.Summary, error) {
	t.Helper()
	db, err := store.Open(dir, store.Campaign)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	o.Name, o.DB = "odd", db
	o.Engine = &batch.Local[campaign.Result]{Workers: workers, New: func() (func(context.Context, batch.Job) (*campaign.Result, error), error) {
		return campaign.Work(w), nil
	}}
	return campaign.Run(t.Context(), o)
}

// TestRun: the summary does not depend on the number of workers, failures and panics are those of their cases, results
// that are kept are not made again, for the same key only.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	var tried atomic.Int64
	o := campaign.Options{From: 3, To: 41, Shard: 8, Key: "one"}
	first, err := run(t, dir, o, 1, odd(&tried))
	if err != nil {
		t.Fatal(err)
	}
	want := `odd: cases 3 to 40, 38 tried, 5 failures
        33 agree
  failure case-7: case 7 is odd
  failure panic-13: case 13: panic: a fault
  failure case-17: case 17 is odd
  failure case-27: case 27 is odd
  failure case-37: case 37 is odd
`
	if d := cmp.Diff(want, first.String()); d != "" {
		t.Error(d)
	}
	if f := first.Failures[1]; !strings.Contains(f.Files["stack.txt"], "campaign_test.go") {
		t.Errorf("the panic has no stack of its case: %s", f.Files["stack.txt"])
	}
	if tried.Load() != 38 || first.Shards != 6 || first.Known != 0 {
		t.Errorf("%d cases tried in %d shards, %d known", tried.Load(), first.Shards, first.Known)
	}
	again, err := run(t, dir, o, 3, odd(&tried))
	if err != nil || tried.Load() != 38 || again.Known != 6 || again.String() != first.String() {
		t.Errorf("%d cases tried, %d shards known, %v: %s", tried.Load(), again.Known, err, again)
	}
	// A longer campaign shares the shards that are whole: from 8 on.
	o.To = 64
	longer, err := run(t, dir, o, 3, odd(&tried))
	if err != nil || longer.Known != 5 || tried.Load() != 38+24 {
		t.Errorf("%d shards known, %d cases tried, %v", longer.Known, tried.Load(), err)
	}
	o.Key = "two"
	if other, err := run(t, dir, o, 2, odd(&tried)); err != nil || other.Known != 0 {
		t.Errorf("%d shards known of another program, %v", other.Known, err)
	}
	fresh, err := run(t, t.TempDir(), o, 2, odd(&tried))
	if err != nil || fresh.String() != longer.String() {
		t.Errorf("%v: %s", err, fresh)
	}
}

// TestRunGoesOn: shards that ended before an error are kept, and a campaign that was stopped says so.
func TestRunGoesOn(t *testing.T) {
	dir := t.TempDir()
	o := campaign.Options{To: 80, Shard: 10, Key: "k", Wave: 2}
	broken := errors.New("no such tool")
	var tried atomic.Int64
	w := odd(&tried)
	_, err := run(t, dir, o, 1, func(ctx context.Context, from, to uint64) (*campaign.Result, error) {
		if from == 50 {
			return nil, broken
		}
		return w(ctx, from, to)
	})
	if !errors.Is(err, broken) {
		t.Fatalf("the error is %v", err)
	}
	o.Stop = func() bool { return tried.Load() >= 70 }
	s, err := run(t, dir, o, 1, w)
	if err != nil || s.Known != 5 || s.Complete || s.Done != 7 || !strings.Contains(s.String(), "7 of 8 shards tried; the same command goes on") {
		t.Errorf("%+v %v", s, err)
	}
	o.Stop = nil
	if s, err = run(t, dir, o, 1, w); err != nil || !s.Complete || s.Known != 7 || s.Cases != 80 || tried.Load() != 80 {
		t.Errorf("%+v %v", s, err)
	}
}

// TestRandomCases: every kind tries its cases, and some fit.
func TestRandomCases(t *testing.T) {
	for _, k := range campaign.Kinds {
		t.Run(k.Name, func(t *testing.T) {
			switch k.Name {
			case campaign.C:
				t.Skip("internal/randctest tries them")
			case campaign.Floats:
				t.Skip("TestCampaignFloats of package loom tries them")
			}
			w, err := k.New(0)
			if err != nil {
				t.Fatal(err)
			}
			res, err := w(t.Context(), 16, 24)
			if err != nil || res.Cases != 8 || len(res.Failures) > 0 || res.Counts["fit and agree at every level"] == 0 {
				t.Errorf("%+v %v", res, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if _, err := w(ctx, 16, 24); !errors.Is(err, context.Canceled) {
				t.Errorf("a worker that is told to end ends with %v", err)
			}
		})
	}
}

// TestRandomFabricsFromWithin: a range that begins within the cases of a fabric has that fabric, the first one, too.
func TestRandomFabricsFromWithin(t *testing.T) {
	k, _ := campaign.KindOf(campaign.Fabrics)
	count := func(from, to uint64) map[string]int {
		w, err := k.New(0)
		if err != nil {
			t.Fatal(err)
		}
		res, err := w(t.Context(), from, to)
		if err != nil {
			t.Fatal(err)
		}
		return res.Counts
	}
	whole, part := count(0, 8), count(5, 8)
	for what, n := range count(0, 5) {
		part[what] += n
	}
	if d := cmp.Diff(whole, part); d != "" || whole["fit and agree at every level"] == 0 {
		t.Errorf("the cases of a fabric in two parts: %s", d)
	}
}

// TestKeep: a failure is a directory with all that it takes to see it again.
func TestKeep(t *testing.T) {
	f := campaign.Failure{Name: "x", Text: "wrong", Again: "loom build " + campaign.Here + "/a.mlir", Files: map[string]string{"a.mlir": "module {}\n"}}
	dir := filepath.Join(t.TempDir(), "x")
	if err := f.Keep(dir); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a.mlir": "module {}\n", "found.txt": "wrong\n"} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if got := f.Command("d"); got != "loom build d/a.mlir" {
		t.Error(got)
	}
}
