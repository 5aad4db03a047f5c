package lower

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"loom/internal/soak"
)

// TestMain runs the random campaign instead of the tests where make soak
// SECONDS=n requests it: it prints how far it is, and at the end one line. Its
// exit status is 1 after a failure and 2 where it could not start.
func TestMain(m *testing.M) {
	length, seed, err := soak.Campaign()
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	case length == 0:
		os.Exit(m.Run())
	}
	c := &campaign{out: os.Stdout, next: seed, first: seed, fails: failure}
	if s, err := os.Stdout.Stat(); err == nil && s.Mode()&os.ModeCharDevice != 0 {
		c.live = true
	}
	if c.run(length, runtime.NumCPU()) > 0 {
		os.Exit(1)
	}
	os.Exit(0)
}

// maxFailures ends a campaign early: more programs would show nothing new.
const maxFailures = 20

// campaign runs the programs of consecutive seeds, each in both memory orders.
type campaign struct {
	out io.Writer
	// live is set when the output is a terminal, where one line shows progress.
	live bool
	// fails is what is wrong with the program of a seed, "" for nothing.
	fails func(seed uint64, order string) string

	sync.Mutex
	first, next uint64
	ran         map[string]int
	failed      map[string]int
	failures    int
	shown       int // characters of the progress line
}

// run keeps workers busy for a time and returns the number of failures. Every
// seed below the last one it names has been run.
func (c *campaign) run(length time.Duration, workers int) int {
	c.ran, c.failed = map[string]int{}, map[string]int{}
	start := time.Now()
	fmt.Fprintf(c.out, "random programs from seed %d on, for %v: interpreter against dataflow graph\n", c.first, length)
	done := make(chan bool)
	var wait sync.WaitGroup
	for range workers {
		wait.Add(1)
		go func() {
			defer wait.Done()
			for {
				c.Lock()
				seed := c.next
				if time.Since(start) >= length && seed > c.first || c.failures >= maxFailures {
					c.Unlock()
					return
				}
				c.next++
				c.Unlock()
				for _, order := range orders {
					c.record(order, c.guarded(seed, order))
				}
			}
		}()
	}
	go func() { wait.Wait(); close(done) }()
	every := time.Minute
	if c.live {
		every = time.Second
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-tick.C:
			c.progress(time.Since(start))
		case <-done:
			running = false
		}
	}
	c.clear()
	fmt.Fprintln(c.out, c.summary(time.Since(start)))
	return c.failures
}

// guarded turns a panic into a failure, so that the other programs still run.
func (c *campaign) guarded(seed uint64, order string) (text string) {
	defer func() {
		if p := recover(); p != nil {
			text = fmt.Sprintf("seed %d, %s order: panic: %v", seed, order, p)
		}
	}()
	return c.fails(seed, order)
}

func (c *campaign) record(order, failure string) {
	c.Lock()
	defer c.Unlock()
	c.ran[order]++
	if failure != "" {
		c.failures++
		c.failed[order]++
		c.clear()
		fmt.Fprintf(c.out, "failure %d: %s\n", c.failures, failure)
	}
}

// clear wipes the progress line.
func (c *campaign) clear() {
	if c.shown > 0 {
		fmt.Fprintf(c.out, "\r%s\r", strings.Repeat(" ", c.shown))
		c.shown = 0
	}
}

func (c *campaign) progress(passed time.Duration) {
	c.Lock()
	defer c.Unlock()
	text := fmt.Sprintf("%v: %d programs, %d failures, seed %d", passed.Round(time.Second), c.programs(), c.failures, c.next)
	if !c.live {
		fmt.Fprintln(c.out, text)
		return
	}
	c.clear()
	fmt.Fprint(c.out, text)
	c.shown = len(text)
}

func (c *campaign) programs() int {
	n := 0
	for _, order := range orders {
		n += c.ran[order]
	}
	return n
}

func (c *campaign) summary(passed time.Duration) string {
	var parts []string
	for _, order := range orders {
		parts = append(parts, fmt.Sprintf("%s %d with %d failures", order, c.ran[order], c.failed[order]))
	}
	return fmt.Sprintf("%d programs run (%s), %d failures, seeds %d to %d, %v; continue with SEED=%d",
		c.programs(), strings.Join(parts, ", "), c.failures, c.first, c.next-1, passed.Round(time.Second), c.next)
}

// TestCampaignCounts: a campaign runs each seed once in each order, survives
// panics, prints each failure, and stops when there are too many.
func TestCampaignCounts(t *testing.T) {
	t.Run("failures", func(t *testing.T) {
		var mu sync.Mutex
		seen := map[string]int{}
		var out strings.Builder
		c := &campaign{out: &out, live: true, first: 40, next: 40}
		c.fails = func(seed uint64, order string) string {
			mu.Lock()
			seen[fmt.Sprint(seed, order)]++
			mu.Unlock()
			time.Sleep(time.Millisecond)
			switch {
			case seed == 41 && order == "serial":
				return "wrong result"
			case seed == 42 && order == "pipelined":
				panic("nil pointer")
			}
			return ""
		}
		if n := c.run(50*time.Millisecond, 3); n != 2 {
			t.Errorf("%d failures, want 2", n)
		}
		for seed := c.first; seed < c.next; seed++ {
			for _, order := range orders {
				if n := seen[fmt.Sprint(seed, order)]; n != 1 {
					t.Errorf("seed %d ran %d times in %s order", seed, n, order)
				}
			}
		}
		for _, want := range []string{"wrong result", "seed 42, pipelined order: panic: nil pointer", "serial " + fmt.Sprint(c.ran["serial"]) + " with 1 failures",
			fmt.Sprintf("%d programs run", len(seen)), "2 failures, seeds 40 to"} {
			if !strings.Contains(out.String(), want) {
				t.Errorf("the output lacks %q:\n%s", want, out.String())
			}
		}
	})
	t.Run("limit", func(t *testing.T) {
		c := &campaign{out: io.Discard, fails: func(uint64, string) string { return "wrong" }}
		if n := c.run(time.Hour, 1); n < maxFailures || n > maxFailures+1 {
			t.Errorf("%d failures, the limit is %d", n, maxFailures)
		}
	})
}
