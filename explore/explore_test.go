package explore_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"loom/explore"
	"loom/explore/space"
	"loom/explore/store"
)

const description = `name: mine
base: base
kernels: [a.c, {file: b.c, weight: 2}]
parameters:
  rows: {at: topology.rows, range: [2, 12]}
  columns: {at: topology.columns, range: [2, 12]}
  tracks: {at: topology.tracks, range: [1, 4]}
  alu: {mix: alu, range: [1, 40]}
  mem: {mix: mem, range: [1, 40]}
fill: tok
limits: {luts: 100000}
search: {seed: 3, population: 12, evaluations: 150}
`

const base = "name: base\ntopology: {kind: mesh, rows: 9, columns: 9, tracks: 2}\npes: {alu: {units: [x]}, mem: {units: [{load: i32}]}, tok: {units: [y]}}\npattern: [[alu, mem, tok]]\n"

func read(t testing.TB) *space.Space {
	t.Helper()
	s, err := space.Read("e.yaml", []byte(description), func(string) (string, error) { return base, nil })
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// evaluate stands for the stages: kernel a takes 6 of alu and 4 of mem, b 10 and 5; routing takes 20 PEs a track.
func evaluate(_ context.Context, job explore.Job) (*explore.Result, error) {
	var a struct {
		Topology struct{ Rows, Columns, Tracks int }
		Pattern  [][]string
	}
	if err := yaml.Unmarshal([]byte(job.Text), &a); err != nil {
		return nil, err
	}
	n := map[string]int{}
	for y := range a.Topology.Rows {
		for x := range a.Topology.Columns {
			row := a.Pattern[y%len(a.Pattern)]
			n[row[x%len(row)]]++
		}
	}
	pes := a.Topology.Rows * a.Topology.Columns
	switch job.Rung {
	case explore.RungCost:
		return &explore.Result{OK: true, Area: &explore.Area{PEs: pes, LUTs: 100*pes*a.Topology.Tracks + 900*n["alu"] + 500*n["mem"], MHz: 100 - float64(a.Topology.Tracks)}}, nil
	case explore.RungTechnology:
		r := &explore.Result{OK: true}
		for template, want := range map[string]int{"alu": 10, "mem": 5} {
			if lack := want - n[template]; lack > 0 {
				r.OK, r.Verdict, r.Reason, r.Violation = false, explore.Short, "b: too few", r.Violation+float64(lack)
			}
		}
		for _, template := range []string{"alu", "mem"} {
			if lack := map[string]int{"alu": 10, "mem": 5}[template] - n[template]; lack > 0 {
				r.Shortages = append(r.Shortages, explore.Shortage{Templates: []string{template}, N: lack})
			}
		}
		return r, nil
	}
	if pes > 40*a.Topology.Tracks {
		return &explore.Result{Verdict: explore.Unrouted, Reason: "b: congested", Violation: 1, Shortages: []explore.Shortage{{Paths: []string{"topology.tracks"}, N: 1}}}, nil
	}
	r := &explore.Result{OK: true}
	for i, k := range []string{"a", "b"} {
		r.Kernels = append(r.Kernels, explore.KernelResult{Kernel: k, Verdict: explore.OK, PEs: 10, Cycles: int64(1000*(i+1) + 10*pes - 3*n["alu"])})
	}
	if job.Rung == explore.RungFinal {
		r.Files = map[string][]byte{"a": []byte("map of a " + job.Key)}
	}
	return r, nil
}

// delayed is evaluate in a time that differs from run to run.
func delayed(ctx context.Context, job explore.Job) (*explore.Result, error) {
	time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
	return evaluate(ctx, job)
}

type evaluator = func(context.Context, explore.Job) (*explore.Result, error)

func engine(workers int, f evaluator) *explore.Local {
	return &explore.Local{Workers: workers, New: func() (evaluator, error) { return f, nil }}
}

func run(t testing.TB, dir string, e explore.Engine) (*explore.Outcome, error) {
	t.Helper()
	db, err := store.Open(dir, store.Exploration)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	return explore.Run(t.Context(), explore.Options{Space: read(t), Kernels: "k", Engine: e, DB: db,
		Reference: []explore.Reference{{Name: "built", Text: base}}})
}

func records(t testing.TB, o *explore.Outcome) string {
	t.Helper()
	text, err := json.MarshalIndent(o.Records, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestWorkers: the points and what became of them do not depend on the number of workers.
func TestWorkers(t *testing.T) {
	var first string
	for _, workers := range []int{1, 2, 8} {
		o, err := run(t, t.TempDir(), engine(workers, delayed))
		if err != nil {
			t.Fatal(err)
		}
		text := records(t, o)
		if first == "" {
			first = text
		}
		if diff := cmp.Diff(first, text); diff != "" {
			t.Errorf("%d workers: %s", workers, diff)
		}
		best := explore.Winner(o.Records, space.LUTTime)
		if best == nil || best.Verdict != explore.Finalist || best.Area.LUTs > 20000 || best.Kernels[0].Mapping == "" {
			t.Errorf("the winner is %+v", best)
		}
		if len(o.Records) != 150 || !o.Reference[0].Feasible() && o.Reference[0].Verdict != explore.Unrouted {
			t.Errorf("%d points, reference %+v", len(o.Records), o.Reference[0])
		}
		for _, r := range o.Records {
			if !r.Feasible() && r.Reason == "" {
				t.Errorf("point %d was dropped without a reason: %+v", r.Number, r)
			}
		}
	}
}

// TestSynthesis: the finalists and the best fabric that is built in count with what synthesis makes of them, also against
// limits; nothing else is synthesised.
func TestSynthesis(t *testing.T) {
	db, err := store.Open(t.TempDir(), store.Exploration)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := read(t)
	s.Finalists.Synthesis = true
	reference := strings.Replace(base, "rows: 9, columns: 9", "rows: 6, columns: 9", 1)
	first := true
	o, err := explore.Run(t.Context(), explore.Options{Space: s, Kernels: "k", DB: db, Reference: []explore.Reference{{Name: "built", Text: reference}},
		Engine: engine(1, func(ctx context.Context, job explore.Job) (*explore.Result, error) {
			r, err := evaluate(ctx, job)
			if err == nil && r.OK && job.Rung == explore.RungFinal {
				cost, _ := evaluate(ctx, explore.Job{Rung: explore.RungCost, Text: job.Text})
				r.Area = cost.Area
				r.Area.LUTs, r.Area.Synthesised = r.Area.LUTs*2, true
				if first { // what the estimate has for the best is over the limit
					r.Area.LUTs = 100_001
				}
				first = false
			}
			return r, err
		})})
	if err != nil {
		t.Fatal(err)
	}
	finalists, over := 0, 0
	for _, r := range o.Records {
		if r.Area != nil && r.Area.Synthesised {
			if r.Verdict == explore.Finalist {
				finalists++
				if want := r.NS * float64(r.Area.LUTs); r.LUTNS != want {
					t.Errorf("point %d counts as %g, not %g", r.Number, r.LUTNS, want)
				}
			} else if r.Verdict == explore.Invalid && strings.Contains(r.Reason, "100001 look-up tables") {
				over++
			}
		}
	}
	if finalists != s.Finalists.Count-1 || over != 1 {
		t.Errorf("%d finalists are synthesised, %d over the limit", finalists, over)
	}
	if w := explore.Winner(o.Records, space.LUTTime); w == nil || !w.Area.Synthesised {
		t.Errorf("the winner is %+v", w)
	}
	if r := o.Reference[0]; r.Verdict != explore.Finalist || !r.Area.Synthesised {
		t.Errorf("the fabric that is built in: %+v", r)
	}
}

// TestResume: an exploration that is ended after any number of evaluations goes on: it ends as if it had not been ended,
// and no evaluation is made twice.
func TestResume(t *testing.T) {
	whole, err := run(t, t.TempDir(), engine(1, evaluate))
	if err != nil {
		t.Fatal(err)
	}
	want := records(t, whole)
	dir := t.TempDir()
	var made, limit atomic.Int64
	broken := errors.New("ended")
	e := engine(1, func(ctx context.Context, job explore.Job) (*explore.Result, error) {
		if made.Load() >= limit.Load() {
			return nil, broken
		}
		made.Add(1)
		return evaluate(ctx, job)
	})
	for {
		limit.Add(37)
		o, err := run(t, dir, e)
		if errors.Is(err, broken) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, records(t, o)); diff != "" {
			t.Error(diff)
		}
		break
	}
	if made.Load() != int64(whole.Evaluated) {
		t.Errorf("%d evaluations were made in pieces, %d at once", made.Load(), whole.Evaluated)
	}
	// All is known now, and the database has every point.
	o, err := run(t, dir, engine(1, func(context.Context, explore.Job) (*explore.Result, error) { return nil, broken }))
	if err != nil || o.Evaluated != 0 {
		t.Errorf("again: %v, %d evaluations", err, o.Evaluated)
	}
	db, err := store.Read(dir, store.Exploration)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	loaded, err := explore.Load(db)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, records(t, &explore.Outcome{Records: loaded})); diff != "" {
		t.Error(diff)
	}
}

// TestErrors: an evaluation that cannot be made ends the run with its error, whichever worker has it.
func TestErrors(t *testing.T) {
	for _, workers := range []int{1, 4} {
		_, err := run(t, t.TempDir(), engine(workers, func(ctx context.Context, job explore.Job) (*explore.Result, error) {
			if job.Rung == explore.RungRoute {
				return nil, errors.New("the tool is missing")
			}
			return evaluate(ctx, job)
		}))
		if err == nil || !strings.Contains(err.Error(), "the tool is missing") {
			t.Errorf("%d workers: %v", workers, err)
		}
	}
}

// TestOverhead: what the engine and the database take is below 5 % of the time of evaluations on 64 simulated workers; that of
// 1000 is printed (docs/scale.md).
func TestOverhead(t *testing.T) {
	if os.Getenv("LOOM_SOAK") == "" {
		t.Skip("measures time: LOOM_SOAK=1 on an idle machine")
	}
	const each = 400 * time.Millisecond
	for _, workers := range []int{10, 64, 1000} {
		var jobs []explore.Job
		for i := range workers * 8 {
			jobs = append(jobs, explore.Job{Key: strconv.Itoa(i), Rung: explore.RungRoute})
		}
		db, err := store.Open(t.TempDir(), store.Exploration)
		if err != nil {
			t.Fatal(err)
		}
		e := engine(workers, func(context.Context, explore.Job) (*explore.Result, error) {
			time.Sleep(each)
			return &explore.Result{OK: true, Kernels: make([]explore.KernelResult, 20)}, nil
		})
		start := time.Now()
		if err := e.Run(t.Context(), jobs, func(all []explore.Done) error {
			var results []store.Result
			for _, d := range all {
				text, err := json.Marshal(d.Result)
				if err != nil {
					return err
				}
				results = append(results, store.Result{Key: jobs[d.Job].Key, Rung: explore.RungRoute, Text: text, Seconds: d.Seconds})
			}
			return db.Put(results...)
		}); err != nil {
			t.Fatal(err)
		}
		took, ideal := time.Since(start), 8*each
		db.Close()
		t.Logf("%d workers: %s for %s of work each, overhead %.1f %%", workers, took, ideal, 100*(took.Seconds()/ideal.Seconds()-1))
		if workers == 64 && took > ideal*105/100 {
			t.Errorf("%s, more than 5 %% above %s", took, ideal)
		}
	}
}
