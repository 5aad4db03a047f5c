package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/ir"
	"loom/compiler/mapper/check"
	"loom/compiler/mapping"
	"loom/internal/outdir"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/trace"
	"loom/sim/vector"
)

// selectors name what sim and cosim run.
type selectors struct{ dfg, adg, mapFile, function string }

// register adds all flags but --function.
func (s *selectors) register(c *cobra.Command) {
	c.Flags().StringVar(&s.dfg, "dfg", "", "dataflow graph `file` (.dfg.mlir)")
	c.Flags().StringVar(&s.adg, "adg", "", "fabric: Fabric MLIR or architecture description `file`")
	c.Flags().StringVar(&s.mapFile, "map", "", "mapping `file` (.map.json)")
}

// load reads the graph and, where a mapping is named, fabric and mapping.
func (a *app) load(s *selectors) (*kernel, *mapped, error) {
	if (s.adg == "") != (s.mapFile == "") {
		return nil, nil, usagef("--adg and --map go together: the fabric and the mapping onto it")
	}
	k, err := a.loadDFG(s.dfg, s.function)
	if err != nil || s.adg == "" {
		return k, nil, err
	}
	h, err := a.loadFabric(s.adg)
	if err != nil {
		return nil, nil, err
	}
	m, err := a.loadMapping(s.mapFile, k, h)
	return k, m, err
}

// loadMapping reads a mapping of the graph onto the fabric. A file is anybody's:
// the independent checker judges it before anything runs on it.
func (a *app) loadMapping(file string, k *kernel, h *hardware) (*mapped, error) {
	text, err := a.read(file)
	if err != nil {
		return nil, err
	}
	m := &mapped{k: k, h: h}
	if m.m, err = mapping.Read(file, []byte(text)); err != nil {
		return nil, err
	}
	refuse := func(format string, args ...any) (*mapped, error) {
		return nil, diag.New(diag.Pos{File: file}, format, args...).
			WithHelp("loom map makes the mapping of this graph onto this fabric")
	}
	if m.m.Kernel != k.dfg.SymName() {
		return refuse("is the mapping of kernel %s, but %s holds %s", ir.SymbolText(m.m.Kernel), k.dfg.Pos.File, ir.SymbolText(k.dfg.SymName()))
	}
	if want := mapping.HashText(h.layout.Hash); m.m.Fabric != h.fabric.Name || m.m.LayoutHash != want {
		return refuse("is a mapping onto fabric %s with layout %s, but the fabric given is %s with layout %s",
			ir.SymbolText(m.m.Fabric), m.m.LayoutHash, ir.SymbolText(h.fabric.Name), want)
	}
	if err := check.Mapping(k.dfg, h.fabric, m.m); err != nil {
		list := diag.FromError(err)
		list.All[0].WithNote(diag.Pos{File: file}, "this is the mapping")
		return nil, list
	}
	if m.image, err = m.m.Image(h.fabric); err != nil {
		return nil, inFile(file, err)
	}
	if m.binding, err = m.m.Bind(k.dfg, h.fabric); err != nil {
		return nil, inFile(file, err)
	}
	return m, nil
}

// inFile names the file in findings that have no place.
func inFile(file string, err error) error {
	list := diag.FromError(err)
	for _, d := range list.All {
		if d.Pos == (diag.Pos{}) {
			d.Pos.File = file
		}
	}
	return list
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
KERNEL mismatch.
With --timed every operation of the graph takes one cycle and those of its unit,
casts, constants and wiring none, external memory what --latency says: what the graph
allows before any fabric. The answer is then a table of the loops, with the interval
between their iterations, what their recurrences allow, and the cycle of operations
that limits them; with --json the object of the run with a member "loops".
With -o the mapped fabric's result, trace and statistics are written as well.

Random inputs of a kernel that was written in C suit it: subscripts lie inside of the
arrays, whose extents are found out by running the graph, and --size is what loops
mostly count up to. Other kernels get --size elements in each dynamic dimension.`,
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
				a.ineffective(c, "with a kernel", "stall", "stall-seed", "capacity")
				if !timed {
					a.ineffective(c, "with a kernel", "latency")
				}
				k, err := a.compile(args[0], &lf, nil)
				if err != nil {
					return err
				}
				if timed {
					return a.simTimed(k, &inf, &env, lf.indexWidth)
				}
				return a.simKernel(k, &inf, &env, lf.indexWidth)
			}
			a.ineffective(c, "with --dfg", lowerFlagNames...)
			sel.function = lf.function
			k, m, err := a.load(&sel)
			if err != nil {
				return err
			}
			if m == nil {
				a.ineffective(c, "without --adg and --map", "stall", "stall-seed")
				if !timed {
					a.ineffective(c, "without --adg and --map", "latency")
				} else {
					return a.simTimed(k, &inf, &env, lf.indexWidth)
				}
				return a.simToken(k, &inf, &env, token.Options{Capacity: capacity, IndexWidth: lf.indexWidth})
			}
			a.ineffective(c, "with --map", "capacity", "index-width")
			return a.simCycle(m, &inf, &env, out)
		},
	}
	sel.register(c)
	lf.register(c)
	inf.register(c)
	env.register(c)
	c.Flags().StringVarP(&out, "output", "o", "", "`directory` for .sim.result.json, .sim.trace and .sim.stat of a mapped fabric")
	c.Flags().BoolVar(&timed, "timed", false, "measure the initiation intervals that the graph itself allows")
	memoryLatency = memoryLatencyFlag(c)
	c.Flags().IntVar(&capacity, "capacity", 0, "`tokens` per channel in the token simulator; 0: unbounded")
	c.Flags().IntVar(&lf.indexWidth, "index-width", defaultIndexWidth, "`bits` of the index type without a fabric, which has its own")
	return c
}

// simToken runs a graph in the token simulator.
func (a *app) simToken(k *kernel, inf *inputFlags, env *envFlags, opts token.Options) error {
	in, err := a.inputs(inf, k, opts.IndexWidth, env.limits(countOps(k.dfg)))
	if err != nil {
		return err
	}
	opts.MaxSteps = env.steps(countOps(k.dfg))
	result, err := token.Run(k.dfg, in, opts)
	if err != nil {
		return err
	}
	return a.simDone(result)
}

// simCycle runs a mapping in the cycle simulator.
func (a *app) simCycle(m *mapped, inf *inputFlags, env *envFlags, out string) error {
	in, err := a.inputs(inf, m.k, m.h.fabric.IndexWidth, env.limits(countOps(m.k.dfg)))
	if err != nil {
		return err
	}
	if out == "" {
		result, err := a.cycleRun(m, in, env, nil)
		if err != nil {
			return err
		}
		return a.simDone(result)
	}
	rec := m.recorder(in, env)
	result, err := a.cycleRun(m, in, env, rec.Add)
	if err != nil {
		return err
	}
	_, err = a.deliver(out, func(dir *outdir.Dir) error {
		return writeRun(dir, m.name(), result.JSON(arch.HardwareSymbol), rec.Trace(), rec.Stat())
	})
	if err != nil {
		return err
	}
	return a.simDone(result)
}

// simDone answers with the result of a simulation.
func (a *app) simDone(out *vector.Outcome) error {
	return a.simObject(out, func(object []byte) []byte { return object })
}

// simObject answers with the object of a run and what more adds to it.
func (a *app) simObject(out *vector.Outcome, more func(object []byte) []byte) error {
	out = a.doubtInputs(out)
	object := more(out.JSON(arch.HardwareSymbol))
	if a.json {
		object = a.withWarnings(object)
	}
	a.answerText(object)
	return a.simVerdict(out)
}

// simVerdict tells how a run that is not done has ended.
func (a *app) simVerdict(out *vector.Outcome) error {
	if out.Status == vector.Done {
		return nil
	}
	if !a.json {
		fmt.Fprintf(a.stderr, "the run ended in status %s\n", out.Status)
		a.sayDetails(out)
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

// writeRun writes the artifacts of a simulated run; trace is nil where none was
// recorded. What an earlier run left under these names goes: results and trace of
// different runs must not lie side by side.
func writeRun(dir *outdir.Dir, name string, result, trace, stat []byte) error {
	if err := dir.Write(name+".sim.result.json", append(result[:len(result):len(result)], '\n')); err != nil {
		return err
	}
	if trace == nil {
		dir.Remove(name + ".sim.trace")
		dir.Remove(name + ".sim.stat")
		return nil
	}
	if err := dir.Write(name+".sim.trace", trace); err != nil {
		return err
	}
	return dir.Write(name+".sim.stat", stat)
}

// recorder records a run of the mapping, with the rates that the mapping promises
// beside those it will measure. The header of the trace says which run it is: the
// environment, and a digest of the inputs.
func (m *mapped) recorder(in *vector.Inputs, env *envFlags) *trace.Recorder {
	rec := trace.NewRecorder(m.h.fabric, m.binding)
	rec.Identify("latency", env.profile.String())
	rec.Identify("stall", strconv.Itoa(env.stall))
	rec.Identify("stall_seed", strconv.FormatUint(env.stallSeed, 10))
	rec.Identify("inputs", fmt.Sprintf("sha256:%x", sha256.Sum256(in.JSON())))
	comps := map[string]int{}
	for _, c := range m.h.fabric.Comps {
		comps[c.Name] = c.ID
	}
	for _, l := range m.m.Timing.Loops {
		if l.Op < 0 || l.Op >= len(m.m.Ops) || l.II.Tokens <= 0 {
			continue
		}
		if id, ok := comps[m.m.Ops[l.Op].Comp]; ok {
			rec.Stats.SetBound(id, float64(l.II.Cycles)/float64(l.II.Tokens))
		}
	}
	return rec
}

// countOps counts the operations inside of op.
func countOps(op *ir.Operation) int {
	n := 0
	op.Walk(func(*ir.Operation) bool { n++; return true })
	return n
}

// reference is what a kernel means on these inputs: the interpreter's outcome
// where there is a structured program, else the token simulator's.
func (a *app) reference(k *kernel, in *vector.Inputs, indexWidth int, maxSteps int64) (*vector.Outcome, error) {
	if k.scf != nil {
		return interp.Run(k.scf, in, interp.Options{IndexWidth: indexWidth, MaxSteps: maxSteps})
	}
	return token.Run(k.dfg, in, token.Options{IndexWidth: indexWidth, MaxSteps: maxSteps})
}

// cycleRun runs the cycle simulator on a mapping. events may be nil.
func (a *app) cycleRun(m *mapped, in *vector.Inputs, env *envFlags, events func(trace.Event)) (*vector.Outcome, error) {
	sim, err := cycle.New(m.h.fabric, m.image, m.binding, in, cycle.Options{
		Latency: env.profile, StallPercent: env.stall, StallSeed: env.stallSeed, MaxCycles: env.maxCycles, Record: events,
	})
	if err != nil {
		return nil, err
	}
	return sim.Run()
}
