// Package batch runs jobs that do not depend on each other: on goroutines here (Local), on a cluster elsewhere
// (package slurm).
package batch

import (
	"context"
	"fmt"
	"time"
)

// Job is a piece of work.
type Job struct {
	// Rung tells kinds of work on one thing apart.
	Rung int `json:"rung"`
	// Key identifies all that the result depends on.
	Key string `json:"key"`
	// Text is what the work is on, Name what messages call it.
	Text string `json:"text"`
	Name string `json:"name"`
}

// Done is a job that has ended, with a result of type R.
type Done[R any] struct {
	// Job is the index of the job.
	Job     int
	Result  *R
	Seconds float64
	Worker  string
}

// Engine does jobs.
type Engine[R any] interface {
	// Run does jobs in any order and calls done with those that have ended, from one goroutine. It ends with the
	// first error, of done or its own.
	Run(ctx context.Context, jobs []Job, done func([]Done[R]) error) error
}

// Local evaluates jobs on goroutines of this process, each with an evaluator of its own.
type Local[R any] struct {
	// Workers is their number, at least 1. New makes the evaluator of a worker.
	Workers int
	New     func() (func(ctx context.Context, job Job) (*R, error), error)

	evaluators []func(ctx context.Context, job Job) (*R, error)
}

// Run evaluates jobs.
func (l *Local[R]) Run(ctx context.Context, jobs []Job, done func([]Done[R]) error) error {
	for len(l.evaluators) < min(max(l.Workers, 1), len(jobs)) {
		e, err := l.New()
		if err != nil {
			return err
		}
		l.evaluators = append(l.evaluators, e)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type ended struct {
		Done[R]
		err error
	}
	// No worker waits until the result of another is on the disk.
	next, results := make(chan int, len(jobs)), make(chan ended, len(jobs))
	for i := range jobs {
		next <- i
	}
	close(next)
	workers := l.evaluators[:min(len(l.evaluators), len(jobs))]
	for w, evaluate := range workers {
		go func() {
			for i := range next {
				if ctx.Err() != nil {
					results <- ended{Done[R]{Job: i}, ctx.Err()}
					continue
				}
				start := time.Now()
				r, err := evaluate(ctx, jobs[i])
				results <- ended{Done[R]{Job: i, Result: r, Seconds: time.Since(start).Seconds(), Worker: fmt.Sprintf("local %d", w)}, err}
			}
		}()
	}
	var first error
	for left := len(jobs); left > 0; {
		// All that have ended meanwhile go together: one write to the disk.
		var good []Done[R]
		for wait := true; wait || len(results) > 0; wait = false {
			r := <-results
			left--
			if r.err == nil {
				good = append(good, r.Done)
			} else if first == nil {
				first = r.err
				cancel()
			}
		}
		if err := done(good); err != nil && first == nil {
			first = err
			cancel()
		}
	}
	return first
}
