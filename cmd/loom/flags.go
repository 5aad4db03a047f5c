package main

import (
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"loom/compiler/latency"
	"loom/compiler/lower"
	"loom/compiler/pipeline"
	"loom/sim/token"
)

// lowerFlags choose what is lowered and how.
type lowerFlags struct {
	function    string
	domain      string
	memoryOrder string
	memoryBytes int64
	dumpAfter   string
	indexWidth  int
	// include, define and std go to the C compiler.
	include, define []string
	std             string
	assumeNoAlias   bool
	// explainMemory asks which rule orders the accesses of each memory.
	explainMemory bool
}

// lowerFlagNames are the flags that do nothing for a graph which is there already.
var lowerFlagNames = []string{"domain", "memory-order", "memory-bytes", "include", "define", "std", "assume-no-alias", "dump-after", "explain-memory"}

// What holds without --memory-order and without a fabric.
const (
	defaultMemoryOrder = "pipelined"
	defaultIndexWidth  = 64
	maxMemoryBytes     = 1 << 30
	defaultMemoryBytes = lower.DefaultMemoryBytes
)

func (f *lowerFlags) register(c *cobra.Command) {
	f.indexWidth = defaultIndexWidth
	c.Flags().StringVar(&f.function, "function", "", "`name` of the function to lower, where there are several")
	c.Flags().StringVar(&f.domain, "domain", "auto", "`part` of the function that becomes hardware: auto|function|loop=N")
	c.Flags().StringVar(&f.memoryOrder, "memory-order", defaultMemoryOrder, "`order` of memory accesses: pipelined|serial")
	c.Flags().Int64Var(&f.memoryBytes, "memory-bytes", defaultMemoryBytes,
		"`room` for a local memory whose size the program computes")
	c.Flags().StringArrayVarP(&f.include, "include", "I", nil, "`directory` where the C compiler looks for headers")
	c.Flags().StringArrayVarP(&f.define, "define", "D", nil, "`macro` for the C compiler: NAME or NAME=VALUE")
	c.Flags().StringVar(&f.std, "std", "", "`language` standard for the C compiler, e.g. c11 or c++20")
	c.Flags().BoolVar(&f.assumeNoAlias, "assume-no-alias", false, "take all pointers of C and C++ to point to distinct arrays")
	c.Flags().StringVar(&f.dumpAfter, "dump-after", "", "print the IR after `pass` to stderr (all: after every pass)")
	c.Flags().BoolVar(&f.explainMemory, "explain-memory", false, "tell which rule orders the accesses to each memory, loop by loop, and why")
}

// compilerFlags are the options for the C compiler.
func (f *lowerFlags) compilerFlags() []string {
	var out []string
	for _, d := range f.include {
		out = append(out, "-I"+d)
	}
	for _, d := range f.define {
		out = append(out, "-D"+d)
	}
	if f.std != "" {
		out = append(out, "-std="+f.std)
	}
	return out
}

// check refuses values no stage could make sense of.
func (f *lowerFlags) check() error {
	if f.memoryBytes < 1 || f.memoryBytes > maxMemoryBytes {
		return usagef("--memory-bytes takes 1 to %d, found %d", maxMemoryBytes, f.memoryBytes)
	}
	switch f.memoryOrder {
	case "serial", "pipelined":
	default:
		return usagef("--memory-order takes serial or pipelined, found %q", f.memoryOrder)
	}
	if _, ok := f.loopNumber(); !ok {
		return usagef("--domain loop=N takes a number as --list-loops prints it, found %q", strings.TrimPrefix(f.domain, "loop="))
	}
	if n, _ := f.loopNumber(); n < 0 && f.domain != "auto" && f.domain != "function" {
		return usagef("--domain takes auto, function or loop=N, found %q", f.domain)
	}
	if known := pipeline.UnknownDump(f.dumpAfter); f.dumpAfter != "" && known != "" {
		return usagef("--dump-after takes a pass or all, found %q; %s", f.dumpAfter, known)
	}
	return checkIndexWidth(f.indexWidth)
}

func checkIndexWidth(bits int) error {
	if bits < 32 || bits > 64 {
		return usagef("--index-width takes 32 to 64 bits, found %d", bits)
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
	c.Flags().Uint64Var(&f.seed, "seed", 0, "`number` that starts the mapper's search; same inputs and seed give the same artifacts")
	c.Flags().DurationVar(&f.budget, "budget", 60*time.Second, "`time` after which mapping gives up")
	jobsFlag(c, &f.jobs)
}

// jobsFlag is --jobs; the help does not depend on the machine.
func jobsFlag(c *cobra.Command, jobs *int) {
	c.Flags().IntVar(jobs, "jobs", 0, "worker `count`, 0 for one per processor; does not change any result")
}

func checkJobs(jobs *int) error {
	if *jobs < 0 {
		return usagef("--jobs takes a number that is not negative, found %d", *jobs)
	}
	if *jobs == 0 {
		*jobs = runtime.NumCPU()
	}
	return nil
}

func (f *mapFlags) check() error {
	if f.budget <= 0 {
		return usagef("--budget takes a positive duration such as 60s, found %s", f.budget)
	}
	return checkJobs(&f.jobs)
}

// inputFlags say what a simulation runs on.
type inputFlags struct {
	file   string
	random uint64
	size   int64
}

// maxSize bounds --size: what is larger takes hours to simulate.
const maxSize = 1 << 20

func (f *inputFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "inputs", "", "JSON `file` with the kernel's arguments")
	c.Flags().Uint64Var(&f.random, "random", 0, "make the arguments from this `seed`")
	c.Flags().Int64Var(&f.size, "size", 8, "`elements` per dynamic dimension of random arguments")
}

func (f *inputFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("inputs") && (c.Flags().Changed("random") || c.Flags().Changed("size")) {
		return usagef("--inputs and --random/--size exclude each other")
	}
	if c.Flags().Changed("inputs") && f.file == "" {
		return usagef("--inputs takes a file")
	}
	if f.size < 1 || f.size > maxSize {
		return usagef("--size takes 1 to %d elements, found %d", maxSize, f.size)
	}
	return nil
}

// envFlags describe the hardware's surroundings in a timed simulation.
type envFlags struct {
	latencyFlag
	stall     int
	stallSeed uint64
	maxCycles int64
}

// The bounds of --stall and --max-cycles, and how long a run may take.
const (
	maxStall         = 95
	defaultMaxCycles = 1_000_000
	maxMaxCycles     = 1 << 40
)

func (f *envFlags) register(c *cobra.Command) {
	f.latencyFlag.register(c)
	c.Flags().IntVar(&f.stall, "stall", 0, "`percent` of cycles in which a boundary channel or memory port stalls")
	c.Flags().Uint64Var(&f.stallSeed, "stall-seed", 1, "`seed` of the stalls")
	c.Flags().Int64Var(&f.maxCycles, "max-cycles", defaultMaxCycles, "clock `cycles` after which a run ends with status budget")
}

func (f *envFlags) check() error {
	if f.stall < 0 || f.stall > maxStall {
		return usagef("--stall takes 0 to %d percent, found %d", maxStall, f.stall)
	}
	if f.maxCycles < 1 || f.maxCycles > maxMaxCycles {
		return usagef("--max-cycles takes 1 to %d, found %d", int64(maxMaxCycles), f.maxCycles)
	}
	return f.latencyFlag.check()
}

// latencyFlag is --latency: the external memory that bounds and expected intervals
// assume and that simulations play.
type latencyFlag struct {
	text    string
	profile latency.Profile
}

func (f *latencyFlag) register(c *cobra.Command) {
	c.Flags().StringVar(&f.text, "latency", latency.Default.String(), "memory latency `profile` in cycles: fixed:N or random:MIN,MAX,SEED, which bounds and expected intervals take at its mean")
}

func (f *latencyFlag) check() (err error) {
	if f.profile, err = latency.Parse(f.text); err != nil {
		return usagef("--latency: %v", err)
	}
	return nil
}

// model is the latency model of the memory that the flag chooses.
func (f *latencyFlag) model(indexWidth int) latency.Model {
	return latency.Model{Memory: f.profile, IndexWidth: indexWidth}
}

// memoryLatencyFlag adds --memory-latency, which chooses a fixed latency for
// --timed and --intervals.
func memoryLatencyFlag(c *cobra.Command) *int64 {
	return c.Flags().Int64("memory-latency", latency.Default.Min, "`cycles` from a memory request to its answer, with --timed and --intervals; the same as --latency fixed:N")
}

// fix applies --memory-latency and refuses what a timed graph cannot have.
func (f *latencyFlag) fix(c *cobra.Command, cycles int64) error {
	given := c.Flags().Changed("memory-latency")
	if given && c.Flags().Changed("latency") {
		return usagef("--latency and --memory-latency exclude each other")
	}
	if given && (cycles < 1 || cycles > token.MaxMemoryLatency) {
		return usagef("--memory-latency takes 1 to %d cycles, found %d", token.MaxMemoryLatency, cycles)
	}
	if given {
		f.profile = latency.Fixed(cycles)
	}
	if n := f.profile.Cycles(); n > token.MaxMemoryLatency {
		return usagef("--latency takes up to %d cycles here, found %d", token.MaxMemoryLatency, n)
	}
	return nil
}

// limits bound the work on one run and, below that, on runs in the search of random
// inputs, which may well be endless.
type limits struct{ run, search int64 }

// limits are those for ops operations. Without --max-cycles a search gives up in some
// seconds.
func (f *envFlags) limits(ops int) limits {
	const quick = int64(200_000_000)
	l := limits{f.steps(ops), f.steps(ops)}
	if f.maxCycles == defaultMaxCycles {
		l.search = min(l.search, quick)
	}
	return l
}

// steps is how much work a simulator without clock may do for ops operations: as
// much as hardware could in the allowed cycles, where every operation fires once
// per cycle.
func (f *envFlags) steps(ops int) int64 {
	const most = int64(2_000_000_000)
	return min(f.maxCycles, most/int64(ops+1)) * int64(ops+1)
}
