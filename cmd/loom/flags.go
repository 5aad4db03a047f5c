package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/sim/token"
)

// lowerFlags choose what is lowered and how.
type lowerFlags struct {
	loom.CompileOptions
	// include, define and std go to the C compiler.
	include, define []string
	std             string
}

// lowerFlagNames are the flags without effect if the input is a graph already.
var lowerFlagNames = []string{"domain", "memory-order", "memory-bytes", "simplify", "include", "define", "std", "assume-no-alias", "reassociate", "recent-stores", "interlocks", "more-units", "unroll", "unroll-and-jam", "reuse", "dump-after", "explain-memory"}

func (f *lowerFlags) register(c *cobra.Command) {
	f.IndexWidth = loom.DefaultIndexWidth
	c.Flags().StringVar(&f.Function, "function", "", "`name` of the function to lower, where there are several")
	c.Flags().StringVar(&f.Domain, "domain", "auto", "`part` of the function that becomes hardware: auto|function|loop=N; function is all of it or an error")
	c.Flags().StringVar(&f.MemoryOrder, "memory-order", loom.DefaultMemoryOrder, "`order` of memory accesses: pipelined|serial")
	c.Flags().StringVar(&f.Simplify, "simplify", loom.DefaultSimplify, "`whether` the graph for fabrics is simplified behind the lowering: auto|on|off; auto does so for fabrics whose PEs have immediates, where one is given")
	c.Flags().Int64Var(&f.MemoryBytes, "memory-bytes", loom.DefaultMemoryBytes,
		"`bytes` reserved for a local memory whose size the program computes")
	c.Flags().StringArrayVarP(&f.include, "include", "I", nil, "`directory` where the C compiler looks for headers")
	c.Flags().StringArrayVarP(&f.define, "define", "D", nil, "`macro` for the C compiler: NAME or NAME=VALUE")
	c.Flags().StringVar(&f.std, "std", "", "`language` standard for the C compiler, e.g. c11 or c++20")
	c.Flags().BoolVar(&f.AssumeNoAlias, "assume-no-alias", false, "take all pointers of C and C++ to point to distinct arrays")
	c.Flags().Var((*partsFlag)(&f.Reassociate), "reassociate", "split sums and products of floats that loops carry into `parts`, which rounds in another order: a loop need not wait for each addition; auto, also without a number, takes as many as a unit of the target keeps")
	f.RecentStores = loom.AutoRecentStores
	c.Flags().Var(&countFlag{&f.RecentStores, loom.AutoRecentStores, loom.MaxRecentStores}, "recent-stores", "keep what the last `number` of iterations of a loop have stored in registers, where its loads would wait for these stores; with auto loom build maps the kernel with several numbers and takes the fastest, and other commands keep none")
	c.Flags().StringVar(&f.Interlocks, "interlocks", autoParts, "`whether` loads of a loop wait for those stores of earlier iterations alone that go to their element, where the fabric has units for that: auto|on|off; with auto loom build does so where it makes the kernel faster on a fabric, and other commands do not; a direct circuit has such units with on; without effect with recent stores")
	c.Flags().StringVar(&f.MoreUnits, "more-units", autoParts, "`whether` the graph takes more units of a fabric where loops become faster by that: auto|on|off; with auto loom build does so where it makes the kernel faster, and other commands do not")
	f.Unroll = loom.AutoUnroll
	c.Flags().Var(&countFlag{&f.Unroll, loom.AutoUnroll, loom.MaxUnroll}, "unroll", "write innermost loops out whose few iterations are known, and then those around them, a `number` of times; with auto loom build maps the kernel with several numbers and takes the fastest, and other commands write none out")
	f.UnrollAndJam = loom.AutoUnrollAndJam
	c.Flags().Var(&countFlag{&f.UnrollAndJam, loom.AutoUnrollAndJam, loom.MaxUnrollAndJam}, "unroll-and-jam", "run a `number` of iterations of an outer loop side by side, where those of the loop inside wait for each other and those of the outer one do not meet in memory; with auto loom build maps the kernel with several numbers and takes the fastest, and other commands run one")
	c.Flags().StringVar(&f.Reuse, "reuse", autoParts, "`whether` registers keep what a loop loads again, in a later iteration or in all: auto|on|off; with auto loom build does so where it makes the kernel faster on a fabric, and other commands do not")
	c.Flags().Lookup("reassociate").NoOptDefVal = autoParts
	c.Flags().StringVar(&f.DumpAfter, "dump-after", "", "print the IR after `pass` to stderr (all: after every pass)")
	c.Flags().BoolVar(&f.ExplainMemory, "explain-memory", false, "print the rule that orders the accesses to each memory, loop by loop, and its reason")
}

// countFlag is the value of --recent-stores, --unroll and --unroll-and-jam: a number up to max, or auto, which stands for another one.
type countFlag struct {
	n         *int
	auto, max int
}

func (f *countFlag) String() string {
	if f.n == nil {
		return "" // a flag of this type without a value, as pflag makes one to know the default
	}
	return autoOr(*f.n, f.auto)
}

func (f *countFlag) Set(text string) error {
	if text == autoParts {
		*f.n = f.auto
		return nil
	}
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 {
		return fmt.Errorf("takes 0 to %d or %s, found %q", f.max, autoParts, text)
	}
	*f.n = v
	return nil
}

// Type is for help.
func (*countFlag) Type() string { return "number" }

// autoOr is auto for one number, and the text of others.
func autoOr(n, auto int) string {
	if n == auto {
		return autoParts
	}
	return strconv.Itoa(n)
}

// partsFlag is the value of --reassociate: a number of parts or autoParts.
type partsFlag int

const autoParts = "auto"

func (p *partsFlag) String() string {
	return autoOr(int(*p), loom.AutoReassociate)
}

func (p *partsFlag) Set(text string) error {
	if text == autoParts {
		*p = loom.AutoReassociate
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return fmt.Errorf("takes 2 to %d parts or %s, found %q", loom.MaxReassociate, autoParts, text)
	}
	*p = partsFlag(n)
	return nil
}

// Type is for help.
func (p *partsFlag) Type() string { return "number" }

// indexWidthFlag is --index-width.
func (f *lowerFlags) indexWidthFlag(c *cobra.Command, without string) {
	c.Flags().IntVar(&f.IndexWidth, "index-width", loom.DefaultIndexWidth, "`bits` of the index type without "+without)
}

// check returns a usage error for an invalid value and adds the flags of the C compiler to
// the options.
func (f *lowerFlags) check() error {
	if f.MemoryBytes == 0 {
		return usagef("--memory-bytes takes 1 to %d, found 0", loom.MaxMemoryBytes)
	}
	if f.IndexWidth == 0 {
		return usagef("--index-width takes 32 to 64 bits, found 0")
	}
	for _, d := range f.include {
		f.Flags = append(f.Flags, "-I"+d)
	}
	for _, d := range f.define {
		f.Flags = append(f.Flags, "-D"+d)
	}
	if f.std != "" {
		f.Flags = append(f.Flags, "-std="+f.std)
	}
	return usage(f.CompileOptions.Check())
}

// usage turns an OptionError into a usage error that names the flag.
func usage(err error) error {
	var bad *loom.OptionError
	if errors.As(err, &bad) {
		return usagef("--%s %s", bad.Option, bad.Text)
	}
	return err
}

// mapFlags steer the mapper.
type mapFlags struct{ loom.MapOptions }

func (f *mapFlags) register(c *cobra.Command) {
	c.Flags().Uint64Var(&f.Seed, "seed", 0, "`number` that starts the mapper's search; same inputs and seed give the same artifacts")
	c.Flags().DurationVar(&f.Budget, "budget", 60*time.Second, "`time` after which mapping gives up")
	jobsFlag(c, &f.Jobs)
}

// jobsFlag is --jobs; the help does not depend on the machine.
func jobsFlag(c *cobra.Command, jobs *int) {
	c.Flags().IntVar(jobs, "jobs", 0, "worker `count`, 0 for one per processor; does not change any result")
}

func checkJobs(jobs int) error {
	if jobs < 0 {
		return usagef("--jobs takes a number that is not negative, found %d", jobs)
	}
	return nil
}

func (f *mapFlags) check() error {
	if f.Budget <= 0 {
		return usagef("--budget takes a positive duration such as 60s, found %s", f.Budget)
	}
	return checkJobs(f.Jobs)
}

// inputFlags choose the inputs of a simulation.
type inputFlags struct {
	loom.InputOptions
	file string
}

func (f *inputFlags) register(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "inputs", "", "JSON `file` with the kernel's arguments, - for standard input")
	c.Flags().Uint64Var(&f.Seed, "random", 0, "make the arguments from this `seed`")
	c.Flags().Int64Var(&f.Size, "size", loom.DefaultSize, "`elements` per dynamic dimension of random arguments")
}

func (f *inputFlags) check(c *cobra.Command) error {
	if c.Flags().Changed("inputs") && (c.Flags().Changed("random") || c.Flags().Changed("size")) {
		return usagef("--inputs and --random/--size exclude each other")
	}
	if c.Flags().Changed("inputs") && f.file == "" {
		return usagef("--inputs takes a file")
	}
	if f.Size == 0 {
		return usagef("--size takes 1 to %d elements, found 0", loom.MaxSize)
	}
	return usage(f.InputOptions.Check())
}

// inputs reads or makes the arguments of a kernel; warn, if given, gets the warnings.
func (a *app) inputs(k *loom.Kernel, f *inputFlags, maxCycles int64, warn ...func(*diag.Diagnostic)) (*loom.Inputs, error) {
	f.Watch, f.MaxCycles = a.watch(), maxCycles
	if len(warn) > 0 {
		f.Warn = warn[0]
	}
	if f.file == "" {
		return k.RandomInputs(f.InputOptions)
	}
	src, err := a.readAs(f.file, ".json")
	if err != nil {
		return nil, err
	}
	return k.ReadInputs(src, f.InputOptions)
}

// envFlags describe the memory and stall environment of a simulation with a clock.
type envFlags struct {
	latencyFlag
	loom.Environment
}

func (f *envFlags) register(c *cobra.Command) {
	f.latencyFlag.register(c)
	c.Flags().IntVar(&f.Stall, "stall", 0, "`percent` of cycles in which a boundary channel or memory port stalls")
	c.Flags().Uint64Var(&f.StallSeed, "stall-seed", 1, "`seed` of the stalls")
	c.Flags().Int64Var(&f.MaxCycles, "max-cycles", loom.DefaultMaxCycles, "clock `cycles` after which a run ends with status budget")
}

func (f *envFlags) check() error {
	if f.MaxCycles == 0 {
		return usagef("--max-cycles takes 1 to %d, found 0", int64(loom.MaxMaxCycles))
	}
	if err := f.latencyFlag.check(); err != nil {
		return err
	}
	f.Latency = f.profile
	return usage(f.Environment.Check())
}

// latencyFlag is --latency: the external memory that bounds and expected intervals
// assume and that simulations model.
type latencyFlag struct {
	text    string
	memory  string // --memory, in place of --latency
	profile latency.Profile
}

func (f *latencyFlag) register(c *cobra.Command) {
	c.Flags().StringVar(&f.text, "latency", latency.Default.String(), "memory latency `profile` in cycles: fixed:N or random:MIN,MAX,SEED, which bounds and expected intervals take at its mean")
	c.Flags().StringVar(&f.memory, "memory", "", "dynamic `memory` behind a controller, in place of --latency: "+strings.Join(latency.DeviceNames(), "|")+
		", with ,mhz=N of the clock, ,transactions=N under way at a port and direction, ,interconnect=N cycles each way")
}

func (f *latencyFlag) check() (err error) {
	if f.memory != "" {
		if f.text != latency.Default.String() {
			return usagef("--latency and --memory exclude each other")
		}
		if f.profile, err = latency.ParseDRAM(f.memory); err != nil {
			return usagef("--memory: %v", err)
		}
		return nil
	}
	if f.profile, err = latency.Parse(f.text); err != nil {
		return usagef("--latency: %v", err)
	}
	return nil
}

// memoryLatencyFlag adds --memory-latency, which chooses a fixed latency for
// --timed and --intervals.
func memoryLatencyFlag(c *cobra.Command) *int64 {
	return c.Flags().Int64("memory-latency", latency.Default.Min, "`cycles` from a memory request to its response, with --timed and --intervals; the same as --latency fixed:N")
}

// fix applies --memory-latency and returns a usage error for a latency that a timed graph
// does not support.
func (f *latencyFlag) fix(c *cobra.Command, cycles int64) error {
	given := c.Flags().Changed("memory-latency")
	if given && c.Flags().Changed("latency") {
		return usagef("--latency and --memory-latency exclude each other")
	}
	if given && f.memory != "" {
		return usagef("--memory and --memory-latency exclude each other")
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
