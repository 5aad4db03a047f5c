// Package slurm does jobs, such as the evaluation of points of an exploration, on a cluster that Slurm schedules, through job arrays.
//
// A batch of jobs is a directory that all nodes see: a file of jobs for each task of an array, and a file for each
// result, which appears whole (rename). The node needs nothing but that directory: the program, a copy of this
// one, and what is common to all jobs, such as kernels as text, lie in it. Time limits, memory, priorities, preemption and lost nodes are Slurm's
// affair: arrays are submitted with --requeue, and further options go to sbatch as they are. What a task that was
// killed has left undone is submitted again, as another array, some times.
//
// A batch has a name that follows from its jobs. When the submitting process is killed, the array goes on;
// the next process finds it by that name, waits for it, and takes the results that are there.
package slurm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"loom/compiler/diag"
	"loom/explore/batch"
	"loom/explore/store"
	"loom/internal/tools"
)

// Engine submits batches.
type Engine[R any] struct {
	// Dir is a directory on a file system that all nodes share; the engine keeps its files below it.
	Dir string
	// Bundle is what the workers on nodes read, beside their jobs.
	Bundle []byte
	// Command is the command of the program that does the work of a task, whose file is its argument.
	Command []string
	// Tasks is the number of tasks that may run at a time, 0 for as many as the cluster has processors.
	Tasks int
	// Options are further options of sbatch: --partition=…, --time=….
	Options []string
	// Progress is called with a line on how the batch stands; it may be nil.
	Progress func(string)
	// Poll is the time between two looks, 0 for a second.
	Poll time.Duration

	program, bundle string // in Dir
}

// attempts is how often an array is submitted for jobs that earlier tasks have left undone.
const attempts = 4

// Names in the directory of a batch.
const (
	script    = "run.sh"
	arrayFile = "array" // the number of the array that was submitted last
)

func taskFile(i int) string   { return fmt.Sprintf("task-%d.json", i) }
func resultFile(i int) string { return fmt.Sprintf("result-%d.json", i) }

// Task is the work of a task of an array.
type Task struct {
	// Bundle is the file with what is common to all jobs.
	Bundle string `json:"bundle"`
	// Numbers are those of the jobs in the batch.
	Numbers []int       `json:"numbers"`
	Jobs    []batch.Job `json:"jobs"`
}

// outcome is a file of a result.
type outcome[R any] struct {
	Key     string  `json:"key"`
	Rung    int     `json:"rung"`
	Result  *R      `json:"result,omitempty"`
	Error   string  `json:"error,omitempty"`
	Seconds float64 `json:"seconds"`
	Worker  string  `json:"worker"`
}

// Work does the work of a task, on a node: all jobs that have no result yet. worker makes what does a job from
// the bundle.
func Work[R any](ctx context.Context, file string, worker func(bundle []byte) (func(context.Context, batch.Job) (*R, error), error)) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var t Task
	if err := json.Unmarshal(text, &t); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	bundle, err := os.ReadFile(t.Bundle)
	if err != nil {
		return err
	}
	work, err := worker(bundle)
	if err != nil {
		return err
	}
	node := os.Getenv("SLURMD_NODENAME")
	if node == "" {
		node, _ = os.Hostname()
	}
	for i, job := range t.Jobs {
		path := filepath.Join(filepath.Dir(file), resultFile(t.Numbers[i]))
		if _, err := os.Stat(path); err == nil {
			continue // of a task that was requeued
		}
		start := time.Now()
		o := outcome[R]{Key: job.Key, Rung: job.Rung, Worker: node}
		o.Result, err = work(ctx, job)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			o.Error = err.Error()
		}
		o.Seconds = time.Since(start).Seconds()
		text, err := json.Marshal(o)
		if err != nil {
			return err
		}
		if err := write(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file that appears whole, and is on the disk then.
func write(path string, text []byte, mode os.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// Check looks for Slurm's programs. The error names the package to install.
func Check() error {
	for _, name := range []string{"sbatch", "squeue", "scancel"} {
		if _, err := tools.Find(name); err != nil {
			return err
		}
	}
	return nil
}

func call(ctx context.Context, name string, args ...string) (string, error) {
	path, err := tools.Find(name)
	if err != nil {
		return "", err
	}
	out, err := tools.Output(ctx, path, args...)
	return strings.TrimSpace(string(out)), err
}

// prepare puts program and bundle where nodes find them.
func (e *Engine[R]) prepare() error {
	if e.program != "" {
		return nil
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	dir, err := filepath.Abs(filepath.Join(e.Dir, "slurm"))
	if err != nil {
		return err
	}
	program := filepath.Join(dir, "program-"+store.Hash(text)[:12], "loom")
	bundle := filepath.Join(dir, "bundle-"+store.Hash(e.Bundle)[:12]+".json")
	for path, f := range map[string]struct {
		text []byte
		mode os.FileMode
	}{program: {text, 0o755}, bundle: {e.Bundle, 0o644}} {
		if _, err := os.Stat(path); err == nil {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := write(path, f.text, f.mode); err != nil {
			return err
		}
	}
	e.program, e.bundle = program, bundle
	return nil
}

// processors is the number of processors of the cluster.
func processors(ctx context.Context) int {
	text, err := call(ctx, "sinfo", "--noheader", "--format=%C") // allocated/idle/other/total
	if err != nil {
		return 16
	}
	n := 0
	for line := range strings.Lines(text) {
		parts := strings.Split(strings.TrimSpace(line), "/")
		v, _ := strconv.Atoi(parts[len(parts)-1])
		n = max(n, v)
	}
	return max(n, 1)
}

// Run evaluates jobs.
func (e *Engine[R]) Run(ctx context.Context, jobs []batch.Job, done func([]batch.Done[R]) error) error {
	if err := Check(); err != nil {
		return err
	}
	if err := e.prepare(); err != nil {
		return err
	}
	var name strings.Builder
	for _, j := range jobs {
		fmt.Fprintln(&name, j.Rung, j.Key)
	}
	dir := filepath.Join(filepath.Dir(e.bundle), "batch-"+store.Hash([]byte(name.String()))[:16])
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	b := &array[R]{e: e, dir: dir, jobs: jobs, open: map[int]bool{}}
	for i := range jobs {
		b.open[i] = true
	}
	if e.Tasks == 0 {
		e.Tasks = processors(ctx)
	}
	err := b.run(ctx, done)
	if err != nil {
		b.cancel()
		return err
	}
	return os.RemoveAll(dir)
}

// array is a number of jobs under way.
type array[R any] struct {
	e    *Engine[R]
	dir  string
	jobs []batch.Job
	// open are the numbers of the jobs without a result.
	open map[int]bool
	id   string
}

func (b *array[R]) run(ctx context.Context, done func([]batch.Done[R]) error) error {
	poll := b.e.Poll
	if poll == 0 {
		poll = time.Second
	}
	// The array of a process that was killed.
	if text, err := os.ReadFile(filepath.Join(b.dir, arrayFile)); err == nil {
		b.id = strings.TrimSpace(string(text))
	}
	// A look at the queue is a call of the controller, of which large clusters want few.
	const look = 2
	submitted := 0
	for round := 0; ; round++ {
		found, err := b.collect()
		if err != nil {
			return err
		}
		if len(found) > 0 {
			if err := done(found); err != nil {
				return err
			}
		}
		if len(b.open) == 0 {
			return nil
		}
		if round%look == 0 || b.id == "" {
			running, waiting, err := b.queue(ctx)
			if err != nil {
				return err
			}
			if running+waiting == 0 {
				// Results may have appeared since; of those that have not, the tasks have failed.
				if found, err = b.collect(); err == nil && len(found) > 0 {
					err = done(found)
				}
				if err != nil {
					return err
				}
				if len(b.open) == 0 {
					return nil
				}
				if submitted == attempts {
					return b.failed()
				}
				if submitted > 0 {
					b.progress("submitting again what killed tasks have left: %s", diag.Plural(len(b.open), "job"))
				}
				if err := b.submit(ctx); err != nil {
					return err
				}
				submitted++
			} else {
				b.progress("slurm array %s: %s running, %d waiting, %d of %s", b.id, diag.Plural(running, "task"), waiting,
					len(b.jobs)-len(b.open), diag.Plural(len(b.jobs), "job"))
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(poll):
		}
	}
}

func (b *array[R]) progress(format string, args ...any) {
	if b.e.Progress != nil {
		b.e.Progress(fmt.Sprintf(format, args...))
	}
}

// collect reads the results that have appeared.
func (b *array[R]) collect() ([]batch.Done[R], error) {
	var numbers []int
	for i := range b.open {
		numbers = append(numbers, i)
	}
	slices.Sort(numbers)
	var out []batch.Done[R]
	for _, i := range numbers {
		text, err := os.ReadFile(filepath.Join(b.dir, resultFile(i)))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		var o outcome[R]
		if err := json.Unmarshal(text, &o); err != nil || o.Key != b.jobs[i].Key || o.Rung != b.jobs[i].Rung {
			return nil, diag.New(diag.Pos{File: filepath.Join(b.dir, resultFile(i))}, "is no result of this batch").WithHelp("remove the file and run the same command again")
		}
		if o.Error != "" {
			return nil, diag.New(diag.Pos{File: b.jobs[i].Name}, "the work on %s failed: %s", o.Worker, o.Error)
		}
		delete(b.open, i)
		out = append(out, batch.Done[R]{Job: i, Result: o.Result, Seconds: o.Seconds, Worker: o.Worker})
	}
	return out, nil
}

// queue counts the tasks of the array.
func (b *array[R]) queue(ctx context.Context) (running, waiting int, err error) {
	if b.id == "" {
		return 0, 0, nil
	}
	text, err := call(ctx, "squeue", "--noheader", "--array", "--jobs="+b.id, "--format=%t")
	if err != nil {
		if strings.Contains(err.Error(), "Invalid job id") { // it has ended, and the controller has forgotten it
			return 0, 0, nil
		}
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		// A controller that is being restarted answers later; Slurm keeps the tasks.
		b.progress("the controller does not answer: %v", err)
		return 0, 1, nil
	}
	for state := range strings.FieldsSeq(text) {
		switch state {
		case "PD", "RQ", "RH", "SE", "S", "ST", "CF", "RV":
			waiting++
		default:
			running++
		}
	}
	return running, waiting, nil
}

// submit makes an array of the open jobs.
func (b *array[R]) submit(ctx context.Context) error {
	var numbers []int
	for i := range b.open {
		numbers = append(numbers, i)
	}
	slices.Sort(numbers)
	// Two tasks for each place: their lengths differ. A task reads the bundle once.
	size := max(1, (len(numbers)+2*b.e.Tasks-1)/(2*b.e.Tasks))
	tasks := 0
	for chunk := range slices.Chunk(numbers, size) {
		t := Task{Bundle: b.e.bundle, Numbers: chunk}
		for _, i := range chunk {
			t.Jobs = append(t.Jobs, b.jobs[i])
		}
		text, err := json.Marshal(t)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(b.dir, taskFile(tasks)), text, 0o644); err != nil {
			return err
		}
		tasks++
	}
	text := fmt.Sprintf("#!/bin/sh\nexec %s %s %s/task-\"$SLURM_ARRAY_TASK_ID\".json\n", quote(b.e.program), strings.Join(b.e.Command, " "), quote(b.dir))
	run := filepath.Join(b.dir, script)
	if err := write(run, []byte(text), 0o755); err != nil {
		return err
	}
	args := []string{"--parsable", "--requeue", "--job-name=loom-" + b.e.Command[0], "--ntasks=1", "--cpus-per-task=1", "--open-mode=append",
		"--output=" + filepath.Join(b.dir, "log-%a.txt"), fmt.Sprintf("--array=0-%d%%%d", tasks-1, b.e.Tasks)}
	out, err := call(ctx, "sbatch", append(append(args, b.e.Options...), run)...)
	if err != nil {
		return err
	}
	b.id, _, _ = strings.Cut(out, ";") // behind it the name of the cluster
	return write(filepath.Join(b.dir, arrayFile), []byte(b.id), 0o644)
}

// quote is a word of a shell.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// failed is the error of a batch whose tasks end without results, with the last that one of them printed.
func (b *array[R]) failed() error {
	d := diag.New(diag.Pos{}, "slurm: %s without a result after %d arrays", diag.Plural(len(b.open), "job"), attempts)
	logs, _ := filepath.Glob(filepath.Join(b.dir, "log-*.txt"))
	slices.Sort(logs)
	for _, l := range logs {
		if text := tail(l); text != "" {
			d.WithNote(diag.Pos{}, "%s ends with: %s", l, text)
			break
		}
	}
	return d.WithHelp("the tasks are killed, or end before their work is done: look at time and memory limits (--slurm=--time=…, --slurm=--mem=…); the same command goes on")
}

func tail(file string) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	const most = 600
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd)
	}
	text, _ := io.ReadAll(f)
	return strings.TrimSpace(strings.ToValidUTF8(string(text), ""))
}

// cancel ends the array of a batch that is given up.
func (b *array[R]) cancel() {
	if b.id == "" {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), 10*time.Second)
	defer stop()
	_, _ = call(ctx, "scancel", b.id)
}
