package main

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/internal/outdir"
	"loom/sim/vector"
)

// selectors name what sim and cosim run.
type selectors struct{ dfg, adg, mapFile string }

func (s *selectors) register(c *cobra.Command) {
	c.Flags().StringVar(&s.dfg, "dfg", "", "dataflow graph `file` (.dfg.mlir)")
	c.Flags().StringVar(&s.adg, "adg", "", "`fabric`: a name of loom fabrics, Fabric MLIR or an architecture description")
	c.Flags().StringVar(&s.mapFile, "map", "", "mapping `file` (.map.json)")
}

// load reads the graph and, where a mapping is named, fabric and mapping.
func (a *app) load(s *selectors, opts loom.CompileOptions) (*loom.Kernel, *loom.Mapping, error) {
	if (s.adg == "") != (s.mapFile == "") {
		return nil, nil, usagef("--adg and --map go together: the fabric and the mapping onto it")
	}
	k, err := a.loadGraph(s.dfg, opts)
	if err != nil || s.adg == "" {
		return k, nil, err
	}
	f, err := a.loadFabric(s.adg)
	if err != nil {
		return nil, nil, err
	}
	src, err := a.readAs(s.mapFile, ".json")
	if err != nil {
		return nil, nil, err
	}
	m, err := loom.LoadMapping(src, k, f)
	return k, m, err
}

func (a *app) simCommand() *cobra.Command {
	var sel selectors
	var lf lowerFlags
	var inf inputFlags
	var env envFlags
	var out string
	var capacity int
	var timed bool
	var memoryLatency *int64
	c := &cobra.Command{
		Use:   "sim KERNEL | --dfg F [--adg F --map F] [--inputs IN.json | --random SEED]",
		Short: "Run a kernel at every level without a fabric, a graph, or a mapping",
		Long: `With a KERNEL, anything that loom compile reads, the kernel runs at every level that
needs no fabric, on the same inputs, and the levels are compared: the original function
by the host's compiler (C and C++), the interpreter, the token simulator with unbounded
channels and with channels of one token.

With --dfg alone the token simulator runs the graph; with --adg and --map the cycle
simulator runs the mapped fabric. The result goes to stdout as one JSON object, with
or without --json:
  {"results": [..], "memories": {"y": [..]}, "cycles": N, "status": "done"}
status is done, deadlock, error (with the hardware's code and symbol), budget, or of a
KERNEL mismatch. Of a graph that CIRCT wrote it is nondeterministic where merges or memory
accesses leave the order open; such a graph runs in several orders, and with its own buffers.
With --timed every operation of the graph takes one cycle and those of its unit,
casts, constants and wiring none, external memory what --latency says: what the graph
allows before any fabric. The output is then a table of the loops, with the interval
between their iterations, what their recurrences allow, and the cycle of operations
that limits them; with --json the object of the run with a member "loops".
With -o the mapped fabric's result, trace and statistics are written as well, and
the page that plays the run back (<dfg>.<adg>.viz.html).

Random inputs of a kernel that was written in C suit it: subscripts lie inside of the
arrays, whose extents are found by running the graph, and --size is what loops mostly
count up to. Other kernels get --size elements in each dynamic dimension.`,
		Example: `  loom sim fir.c --random 1 --size 32
  loom sim fir.c --inputs in.json --json
  loom sim --dfg out/dot.dfg.mlir --inputs in.json
  loom sim --dfg out/dot.dfg.mlir --random 1 --size 100 --capacity 1
  loom sim --dfg out/dot.dfg.mlir --random 1 --size 100 --timed
  loom sim --dfg out/dot.dfg.mlir --adg out/mesh6x6.fabric.mlir \
      --map out/dot.mesh6x6.map.json --inputs in.json --latency fixed:40`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 && sel.dfg == "" {
				return usagef("'%s' needs a KERNEL or --dfg FILE; see '%s --help'", c.CommandPath(), c.CommandPath())
			}
			if sel.dfg == "" {
				return exactArgs("KERNEL")(c, args)
			}
			return exactArgs()(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			whole := sel.dfg == "" // a kernel, not a graph
			a.alwaysJSON = !timed && !whole
			if err := inf.check(c); err != nil {
				return err
			}
			if err := env.check(); err != nil {
				return err
			}
			if capacity < 0 {
				return usagef("--capacity takes 0 (unbounded) or a positive number, found %d", capacity)
			}
			if err := lf.check(); err != nil {
				return err
			}
			if whole && (sel.mapFile != "" || sel.adg != "") {
				return usagef("--adg and --map go with --dfg; loom build --cosim takes a kernel onto a fabric")
			}
			if timed {
				if sel.mapFile != "" || capacity != 0 {
					return usagef("--timed runs a graph with channels without bound: leave out --adg, --map and --capacity")
				}
				if err := env.fix(c, *memoryLatency); err != nil {
					return err
				}
			} else {
				a.ineffective(c, "without --timed", "memory-latency")
			}
			if out != "" {
				if sel.mapFile == "" {
					return usagef("-o needs --adg and --map: trace and statistics are those of a mapped fabric")
				}
				if err := outdir.Check(out); err != nil {
					return err
				}
			}
			if whole {
				a.ineffective(c, "with a kernel", "stall", "stall-seed", "capacity", "more-units")
				if !timed {
					a.ineffective(c, "with a kernel", "latency", "memory")
				}
				k, err := a.compile(args[0], &lf, nil)
				if err != nil {
					return err
				}
				if timed {
					return a.simTimed(k, &inf, &env)
				}
				return a.simKernel(k, &inf, &env)
			}
			a.ineffective(c, "with --dfg", lowerFlagNames...)
			k, m, err := a.load(&sel, loom.CompileOptions{Function: lf.Function, IndexWidth: lf.IndexWidth})
			if err != nil {
				return err
			}
			if m == nil {
				a.ineffective(c, "without --adg and --map", "stall", "stall-seed")
				if !timed {
					a.ineffective(c, "without --adg and --map", "latency", "memory")
				} else {
					return a.simTimed(k, &inf, &env)
				}
				return a.simToken(k, &inf, loom.TokenOptions{Capacity: capacity, MaxCycles: env.MaxCycles})
			}
			a.ineffective(c, "with --map", "capacity", "index-width")
			return a.simCycle(m, &inf, &env, out)
		},
	}
	sel.register(c)
	lf.register(c)
	inf.register(c)
	env.register(c)
	c.Flags().StringVarP(&out, "output", "o", "", "`directory` for .sim.result.json, .sim.trace, .sim.stat and .viz.html of a mapped fabric")
	c.Flags().BoolVar(&timed, "timed", false, "measure the initiation intervals that the graph itself allows")
	memoryLatency = memoryLatencyFlag(c)
	c.Flags().IntVar(&capacity, "capacity", 0, "`tokens` per channel in the token simulator; 0: unbounded")
	lf.indexWidthFlag(c, "a fabric, which has its own")
	return c
}

// simKernel runs a kernel at every level that needs no fabric.
func (a *app) simKernel(k *loom.Kernel, inf *inputFlags, env *envFlags) error {
	in, err := a.inputs(k, inf, env.MaxCycles)
	if err != nil {
		return err
	}
	run, err := loom.Simulate(a.ctx, k, in, loom.SimulateOptions{Watch: a.watch(), MaxCycles: env.MaxCycles})
	if err != nil {
		return err
	}
	if a.json {
		a.printObject(a.withWarnings(runObject(k, in, run)))
	}
	return a.verdict(k, in, run)
}

// runObject is the JSON object of a run, with the part of the function that the kernel is.
func runObject(k *loom.Kernel, in *loom.Inputs, run *loom.Run) []byte {
	if p := k.Part(in); p != nil {
		return withMember(run.JSON(), "domain", p)
	}
	return run.JSON()
}

// simToken runs a graph in the token simulator.
func (a *app) simToken(k *loom.Kernel, inf *inputFlags, opts loom.TokenOptions) error {
	in, err := a.inputs(k, inf, opts.MaxCycles)
	if err != nil {
		return err
	}
	out, err := k.RunTokens(in, opts)
	if err != nil {
		return err
	}
	return a.simDone(in, out)
}

// simCycle runs a mapping in the cycle simulator.
func (a *app) simCycle(m *loom.Mapping, inf *inputFlags, env *envFlags, out string) error {
	in, err := a.inputs(m.Kernel, inf, env.MaxCycles)
	if err != nil {
		return err
	}
	run, err := m.RunCycles(in, env.Environment, out != "")
	if err != nil {
		return err
	}
	if out != "" {
		artifacts, err := run.Artifacts(m)
		if err != nil {
			return err
		}
		if _, err = a.deliver(out, artifacts); err != nil {
			return err
		}
	}
	return a.simDone(in, run.Outcome)
}

// simDone prints the outcome of a simulation.
func (a *app) simDone(in *loom.Inputs, out *vector.Outcome) error {
	return a.simObject(in, out, func(object []byte) []byte { return object })
}

// simObject prints the JSON object of a run after more has added members to it.
func (a *app) simObject(in *loom.Inputs, out *vector.Outcome, more func(object []byte) []byte) error {
	out = in.Doubt(out)
	object := more(out.JSON(arch.HardwareSymbol))
	if a.json {
		object = a.withWarnings(object)
	}
	a.printObject(object)
	return a.simVerdict(out)
}

// simVerdict prints the status of a run and returns a statusError unless it is done.
func (a *app) simVerdict(out *vector.Outcome) error {
	if out.Status == vector.Done {
		return nil
	}
	if !a.json {
		fmt.Fprintf(a.stderr, "the run ended in status %s\n", out.Status)
		a.printDetails(out)
	}
	return &statusError{string(out.Status), exitInput}
}

// withWarnings adds the warnings, where there are any, to a run's object.
func (a *app) withWarnings(object []byte) []byte {
	if len(a.warnings.All) == 0 {
		return object
	}
	return withMember(object, "diagnostics", diag.JSON(&a.warnings))
}

// withMember adds a member to a JSON object that has some.
func withMember(object []byte, key string, value any) []byte {
	return fmt.Appendf(object[:len(object)-1:len(object)-1], ", %q: %s}", key, bytes.TrimSpace(encode(value)))
}
