package main

import (
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"loom/sim/cycle"
)

// lowerFlags choose what is lowered and how.
type lowerFlags struct {
	function    string
	domain      string
	memoryOrder string
	dumpAfter   string
	indexWidth  int
}

func (f *lowerFlags) register(c *cobra.Command, withIndexWidth bool) {
	c.Flags().StringVar(&f.function, "function", "", "`name` of the function to lower, where there are several")
	c.Flags().StringVar(&f.domain, "domain", "auto", "part of the function that becomes hardware: auto|function|loop=N")
	c.Flags().StringVar(&f.memoryOrder, "memory-order", defaultMemoryOrder, "order of memory accesses: serial|pipelined")
	c.Flags().StringVar(&f.dumpAfter, "dump-after", "", "print the IR after `pass` to stderr (all: after every pass)")
	if withIndexWidth {
		c.Flags().IntVar(&f.indexWidth, "index-width", 64, "`bits` of the index type, 32 to 64")
	}
}

// check refuses values no stage could make sense of.
func (f *lowerFlags) check() error {
	switch f.memoryOrder {
	case "serial", "pipelined":
	default:
		return usagef("--memory-order takes serial or pipelined, found %q", f.memoryOrder)
	}
	if n, ok := strings.CutPrefix(f.domain, "loop="); ok {
		if _, err := strconv.ParseUint(n, 10, 31); err != nil {
			return usagef("--domain loop=N takes a number, found %q", n)
		}
		return usagef("--domain loop=N is not available yet; this version lowers whole functions: use --domain function and --function NAME")
	}
	if f.domain != "auto" && f.domain != "function" {
		return usagef("--domain takes auto, function or loop=N, found %q", f.domain)
	}
	if f.indexWidth != 0 && (f.indexWidth < 32 || f.indexWidth > 64) {
		return usagef("--index-width takes 32 to 64 bits, found %d", f.indexWidth)
	}
	return nil
}

// mapFlags steer the mapper.
type mapFlags struct {
	seed   uint64
	budget time.Duration
	jobs   int
}

func (f *mapFlags) register(c *cobra.Command) {
	c.Flags().Uint64Var(&f.seed, "seed", 0, "seed of the mapper; same inputs and seed give the same artifacts")
	c.Flags().DurationVar(&f.budget, "budget", 60*time.Second, "wall-clock limit at which mapping gives up")
	c.Flags().IntVar(&f.jobs, "jobs", runtime.NumCPU(), "worker `count`; does not change any result")
}

func (f *mapFlags) check() error {
	if f.budget <= 0 {
		return usagef("--budget takes a positive duration such as 60s")
	}
	if f.jobs < 1 {
		return usagef("--jobs takes a positive number")
	}
	return nil
}

// inputFlags say what a simulation runs on.
type inputFlags struct {
	file   string
	random uint64
	size   int64
	set    bool // --random was given
}

func (f *inputFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "inputs", "", "JSON `file` with the kernel's arguments")
	c.Flags().Uint64Var(&f.random, "random", 0, "make the arguments from this `seed`")
	c.Flags().Int64Var(&f.size, "size", 8, "elements per dynamic dimension of random arguments")
}

func (f *inputFlags) check(c *cobra.Command) error {
	f.set = c.Flags().Changed("random") || c.Flags().Changed("size")
	if f.file != "" && f.set {
		return usagef("--inputs and --random/--size exclude each other")
	}
	if f.size < 1 || f.size > 1<<20 {
		return usagef("--size takes 1 to %d elements", 1<<20)
	}
	return nil
}

// envFlags describe the hardware's surroundings in a timed simulation.
type envFlags struct {
	latency   string
	stall     int
	stallSeed uint64
	maxCycles int64
	trace     bool
	profile   cycle.Latency
}

func (f *envFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.latency, "latency", "fixed:4", "memory latency in cycles: fixed:N or random:min,max,seed")
	c.Flags().IntVar(&f.stall, "stall", 0, "`percent` of cycles in which a boundary channel or memory port stalls")
	c.Flags().Uint64Var(&f.stallSeed, "stall-seed", 1, "seed of the stalls")
	c.Flags().Int64Var(&f.maxCycles, "max-cycles", 1_000_000, "clock cycles after which a run ends with status budget")
	c.Flags().BoolVar(&f.trace, "trace", false, "write the waveform of the co-simulation (FST)")
}

func (f *envFlags) check() error {
	if f.stall < 0 || f.stall > 95 {
		return usagef("--stall takes 0 to 95 percent, found %d", f.stall)
	}
	if f.maxCycles < 1 {
		return usagef("--max-cycles takes a positive number")
	}
	p, err := cycle.ParseLatency(f.latency)
	if err != nil {
		return usagef("--latency: %v", err)
	}
	f.profile = p
	return nil
}
