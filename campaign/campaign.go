// Package campaign checks LOOM itself on many cases: random programs and fabrics, and kernels on fabrics. A case follows
// from its number, so a campaign is a range of numbers; it is cut into shards, which an engine does here or on a
// cluster (package batch), and whose results a database keeps (package store): a campaign that was ended goes on where
// it stopped. A case that fails is shrunk where it failed and kept with all that it takes to run it again.
package campaign

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/explore/batch"
	"loom/explore/store"
)

// Here stands in Failure.Again for the directory with the files.
const Here = "{here}"

// Failure is a case on which LOOM is wrong.
type Failure struct {
	Case uint64 `json:"case"`
	// Name is that of its directory.
	Name string `json:"name"`
	// Text says what is wrong, Again is a command that shows it once more.
	Text  string `json:"text"`
	Again string `json:"again,omitempty"`
	// Files are the shrunk case, by name.
	Files map[string]string `json:"files,omitempty"`
}

// Keep writes the case to a directory: its files, and found.txt, which says what is wrong.
func (f *Failure) Keep(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "found.txt"), []byte(f.Text+"\n"), 0o644); err != nil {
		return err
	}
	for name, text := range f.Files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Command is Again with the files in a directory.
func (f *Failure) Command(dir string) string { return strings.ReplaceAll(f.Again, Here, dir) }

// Row is what a table has of a case.
type Row struct {
	Case uint64 `json:"case"`
	// OK is set if the kernel maps on the fabric; then PEs and Cycles are those of its run, else Reason says why not.
	OK     bool   `json:"ok"`
	Reason string `json:"reason,omitempty"`
	PEs    int    `json:"pes,omitempty"`
	Cycles int64  `json:"cycles,omitempty"`
}

// Result is what became of the cases of a shard.
type Result struct {
	// Cases were tried. Counts says of how many of them what holds, in words.
	Cases    int            `json:"cases"`
	Counts   map[string]int `json:"counts,omitempty"`
	Failures []Failure      `json:"failures,omitempty"`
	Rows     []Row          `json:"rows,omitempty"`
}

// Count notes that something holds of a case.
func (r *Result) Count(what string) {
	if r.Counts == nil {
		r.Counts = map[string]int{}
	}
	r.Counts[what]++
}

// add adds the result of further cases.
func (r *Result) add(o *Result) {
	r.Cases += o.Cases
	for what, n := range o.Counts {
		if r.Counts == nil {
			r.Counts = map[string]int{}
		}
		r.Counts[what] += n
	}
	r.Failures = append(r.Failures, o.Failures...)
	r.Rows = append(r.Rows, o.Rows...)
}

// Worker tries the cases from a number up to another, which is not one of them. The error is for cases that could not be
// tried, such as a tool that is missing; a fault of LOOM is a failure in the result.
type Worker func(ctx context.Context, from, to uint64) (*Result, error)

// Each tries cases one by one; a panic is a failure of its case.
func Each(try func(ctx context.Context, n uint64, res *Result) error) Worker {
	return func(ctx context.Context, from, to uint64) (*Result, error) {
		res := &Result{}
		for n := from; n < to; n++ {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := guarded(ctx, n, res, try); err != nil {
				return nil, err
			}
			res.Cases++
		}
		return res, nil
	}
}

func guarded(ctx context.Context, n uint64, res *Result, try func(context.Context, uint64, *Result) error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			res.Failures = append(res.Failures, Failure{Case: n, Name: fmt.Sprintf("panic-%d", n), Text: fmt.Sprintf("case %d: panic: %v", n, r),
				Files: map[string]string{"stack.txt": string(debug.Stack())}})
			err = nil
		}
	}()
	return try(ctx, n, res)
}

// span is the text of a job: its cases.
type span struct {
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
}

// Work makes of a worker what an engine calls.
func Work(w Worker) func(context.Context, batch.Job) (*Result, error) {
	return func(ctx context.Context, job batch.Job) (*Result, error) {
		var s span
		if err := json.Unmarshal([]byte(job.Text), &s); err != nil {
			return nil, fmt.Errorf("the job %s cannot be read: %w", job.Name, err)
		}
		return w(ctx, s.From, s.To)
	}
}

// Options are a campaign.
type Options struct {
	// Name is the kind of cases.
	Name string
	// From and To are the first case and the one behind the last, Shard the cases of a job.
	From, To, Shard uint64
	// Key identifies all that results depend on beside the cases: the program, the options of the kind.
	Key string
	// Engine does the shards, Wave of them at a time, 0 for all; results are kept in DB.
	Engine batch.Engine[Result]
	Wave   int
	DB     *store.DB
	// Stop, where it is set and returns true, ends the campaign behind a wave.
	Stop func() bool
	// Progress is called with a line on how it stands; it may be nil.
	Progress func(string)
}

// Summary is what a campaign has found.
type Summary struct {
	Name string `json:"name"`
	From uint64 `json:"from"`
	To   uint64 `json:"to"`
	Result
	// Seconds are those that workers took for the cases. Known tells how many shards were known from earlier.
	Seconds float64 `json:"seconds"`
	Shards  int     `json:"shards"`
	Known   int     `json:"known"`
	// Done is how many shards have been tried, Complete is set if all have.
	Done     int  `json:"done"`
	Complete bool `json:"complete"`
}

// kept is a result in the database.
type kept struct {
	Result  *Result `json:"result"`
	Seconds float64 `json:"seconds"`
}

// Run runs a campaign. Shards begin at multiples of their size, whatever From is, so that campaigns that overlap
// share results.
func Run(ctx context.Context, o Options) (*Summary, error) {
	var jobs []batch.Job
	for from := o.From; from < o.To; {
		to := min(from-from%o.Shard+o.Shard, o.To)
		text, err := json.Marshal(span{from, to})
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, batch.Job{Key: store.Hash(fmt.Appendf(nil, "%s %s %s", o.Name, o.Key, text)), Text: string(text), Name: fmt.Sprintf("%s %d to %d", o.Name, from, to-1)})
		from = to
	}
	s := &Summary{Name: o.Name, From: o.From, To: o.To, Shards: len(jobs)}
	results := make([]*Result, len(jobs))
	var open []batch.Job
	var number []int
	for i, j := range jobs {
		text, err := o.DB.Get(j.Key, 0)
		if err != nil {
			return nil, err
		}
		var k kept
		if text != nil && json.Unmarshal(text, &k) == nil && k.Result != nil {
			results[i] = k.Result
			s.Seconds += k.Seconds
			s.Known++
			continue
		}
		open, number = append(open, j), append(number, i)
	}
	s.Done = s.Known
	failed := 0
	say := func() {
		if o.Progress != nil {
			o.Progress(fmt.Sprintf("%s: %d of %s, %s", o.Name, s.Done, diag.Plural(s.Shards, "shard"), diag.Plural(failed, "failure")))
		}
	}
	for _, r := range results {
		if r != nil {
			failed += len(r.Failures)
		}
	}
	say()
	wave := o.Wave
	if wave == 0 {
		wave = max(len(open), 1)
	}
	for first := 0; first < len(open) && (o.Stop == nil || !o.Stop()); first += wave {
		now := open[first:min(first+wave, len(open))]
		err := o.Engine.Run(ctx, now, func(ended []batch.Done[Result]) error {
			var rows []store.Result
			for _, d := range ended {
				text, err := json.Marshal(kept{d.Result, d.Seconds})
				if err != nil {
					return err
				}
				rows = append(rows, store.Result{Key: now[d.Job].Key, Text: text, Seconds: d.Seconds, Worker: d.Worker})
			}
			if err := o.DB.Put(rows...); err != nil {
				return err
			}
			for _, d := range ended {
				results[number[first+d.Job]] = d.Result
				s.Seconds += d.Seconds
				s.Done++
				failed += len(d.Result.Failures)
			}
			say()
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	for _, r := range results {
		if r != nil {
			s.add(r)
		}
	}
	s.Complete = s.Done == s.Shards
	return s, nil
}

// String is the summary in a few lines, the same for the same results.
func (s *Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: cases %d to %d, %d tried, %s\n", s.Name, s.From, s.To-1, s.Cases, diag.Plural(len(s.Failures), "failure"))
	for _, what := range slices.Sorted(maps.Keys(s.Counts)) {
		fmt.Fprintf(&b, "  %8d %s\n", s.Counts[what], what)
	}
	if !s.Complete {
		fmt.Fprintf(&b, "  %d of %s tried; the same command goes on\n", s.Done, diag.Plural(s.Shards, "shard"))
	}
	for _, f := range s.Failures {
		text, _, _ := strings.Cut(f.Text, "\n")
		fmt.Fprintf(&b, "  failure %s: %s\n", f.Name, text)
	}
	return b.String()
}
