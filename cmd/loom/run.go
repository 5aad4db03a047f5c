package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"loom/compiler/arch"
	"loom/compiler/diag"
	"loom/compiler/interp"
	"loom/compiler/mapping"
	"loom/internal/outdir"
	"loom/rtlgen"
	"loom/sim/cycle"
	"loom/sim/token"
	"loom/sim/trace"
	"loom/sim/vector"
	"loom/verilator"
)

// selectors name what sim and cosim run.
type selectors struct{ dfg, adg, mapFile, function string }

func (s *selectors) register(c *cobra.Command) {
	c.Flags().StringVar(&s.dfg, "dfg", "", "dataflow graph `file` (.dfg.mlir)")
	c.Flags().StringVar(&s.adg, "adg", "", "fabric: Fabric MLIR or architecture description `file`")
	c.Flags().StringVar(&s.mapFile, "map", "", "mapping `file` (.map.json)")
	c.Flags().StringVar(&s.function, "function", "", "`name` of the graph, where the file holds several")
}

// load reads the graph and, where a mapping is named, fabric and mapping.
func (a *app) load(s *selectors) (*kernel, *mapped, error) {
	if s.dfg == "" {
		return nil, nil, usagef("--dfg FILE names the graph to run")
	}
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
	text, err := a.read(s.mapFile)
	if err != nil {
		return nil, nil, err
	}
	m := &mapped{k: k, h: h}
	if m.m, err = mapping.Read(s.mapFile, []byte(text)); err != nil {
		return nil, nil, err
	}
	if m.image, err = m.m.Image(h.fabric); err != nil {
		return nil, nil, err
	}
	if m.binding, err = m.m.Bind(k.dfg, h.fabric); err != nil {
		return nil, nil, err
	}
	return k, m, nil
}

// inputs reads or makes the arguments of a kernel.
func (a *app) inputs(f *inputFlags, k *kernel, indexWidth int) (*vector.Inputs, error) {
	sig, err := vector.SignatureOf(k.dfg)
	if err != nil {
		return nil, err
	}
	if f.file == "" {
		return vector.Random(sig, f.random, f.size, indexWidth)
	}
	text, err := a.read(f.file)
	if err != nil {
		return nil, err
	}
	return vector.ParseInputs(f.file, []byte(text), sig, indexWidth)
}

func (a *app) simCommand() *cobra.Command {
	var sel selectors
	var inf inputFlags
	var env envFlags
	var capacity, indexWidth int
	c := &cobra.Command{
		Use:   "sim --dfg F [--adg F --map F] --inputs IN.json",
		Short: "Run a graph (token simulator) or a mapping (cycle simulator)",
		Long: "With --dfg alone the token simulator runs the graph; with --adg and --map the cycle\n" +
			"simulator runs the mapped fabric. The result goes to stdout as JSON.",
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := inf.check(c); err != nil {
				return err
			}
			if err := env.check(); err != nil {
				return err
			}
			if capacity < 0 {
				return usagef("--capacity takes 0 (unbounded) or a positive number")
			}
			if indexWidth < 32 || indexWidth > 64 {
				return usagef("--index-width takes 32 to 64 bits, found %d", indexWidth)
			}
			k, m, err := a.load(&sel)
			if err != nil {
				return err
			}
			if m != nil {
				indexWidth = m.h.fabric.IndexWidth
			}
			in, err := a.inputs(&inf, k, indexWidth)
			if err != nil {
				return err
			}
			var out *vector.Outcome
			if m != nil {
				out, err = a.cycleRun(m, in, &env, nil)
			} else {
				out, err = token.Run(k.dfg, in, token.Options{Capacity: capacity, IndexWidth: indexWidth})
			}
			if err != nil {
				return err
			}
			a.answer(json.RawMessage(out.JSON(arch.HardwareSymbol)))
			if out.Status != vector.Done {
				for _, d := range out.Detail {
					fmt.Fprintln(a.stderr, d)
				}
				return &statusError{string(out.Status)}
			}
			return nil
		},
	}
	sel.register(c)
	inf.register(c)
	env.register(c)
	c.Flags().IntVar(&capacity, "capacity", 0, "`tokens` per channel in the token simulator; 0: unbounded")
	c.Flags().IntVar(&indexWidth, "index-width", 64, "`bits` of the index type in the token simulator; a fabric has its own")
	return c
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

// level is one rung of the verification ladder.
type level struct {
	Level   int           `json:"level"`
	Name    string        `json:"name"`
	Status  vector.Status `json:"status"`
	Cycles  int64         `json:"cycles,omitempty"`
	Seconds float64       `json:"-"`
}

// ladder is the outcome of all levels on the same inputs.
type ladder struct {
	levels  []level
	final   *vector.Outcome // of the hardware, or of the level that failed
	failed  string          // name of the level that failed, "" for none
	trace   []byte
	stat    []byte
	wave    string
	details []string
}

// errInputs is how a run ends whose inputs the kernel itself rejects.
const errInputs = "the kernel itself fails on these inputs"

// climb runs every level of the ladder on the same inputs and stops at the first
// that disagrees with the one before.
func (a *app) climb(m *mapped, rtl *rtlgen.Output, in *vector.Inputs, env *envFlags, jobs int, wave string) (*ladder, error) {
	l := &ladder{}
	width := m.h.fabric.IndexWidth
	var want *vector.Outcome
	step := func(n int, name string, run func() (*vector.Outcome, error)) (bool, error) {
		a.progress.Set(name)
		start := time.Now()
		got, err := run()
		a.progress.Clear()
		if err != nil {
			return false, err
		}
		status := got.Status
		diffs := got.Detail
		if want != nil && status == vector.Done {
			if d := vector.Diff(want, got); len(d) > 0 {
				status, diffs = vector.Mismatch, d
			}
		}
		l.levels = append(l.levels, level{n, name, status, got.Cycles, time.Since(start).Seconds()})
		l.final = got
		if status != vector.Done {
			l.failed = name
			out := *got
			out.Status, out.Detail = status, diffs
			l.final = &out
			return false, nil
		}
		if want == nil {
			want = got
		}
		return true, nil
	}
	if m.k.scf != nil {
		ok, err := step(1, "interpreter", func() (*vector.Outcome, error) {
			return interp.Run(m.k.scf, in, interp.Options{IndexWidth: width})
		})
		if !ok || err != nil {
			if err == nil {
				l.final.Detail = append([]string{errInputs}, l.final.Detail...)
			}
			return l, err
		}
	}
	for _, c := range []struct {
		name     string
		capacity int
	}{{"token simulator, unbounded channels", 0}, {"token simulator, one-token channels", 1}} {
		ok, err := step(2, c.name, func() (*vector.Outcome, error) {
			return token.Run(m.k.dfg, in, token.Options{Capacity: c.capacity, IndexWidth: width})
		})
		if !ok || err != nil {
			return l, err
		}
	}
	rec := trace.NewRecorder(m.h.fabric, m.binding)
	ok, err := step(3, "cycle simulator", func() (*vector.Outcome, error) { return a.cycleRun(m, in, env, rec.Add) })
	if err != nil {
		return l, err
	}
	l.trace, l.stat = rec.Trace(), rec.Stat()
	if !ok {
		return l, nil
	}
	_, err = step(4, "Verilator, in lock-step with the cycle simulator", func() (*vector.Outcome, error) {
		rep, err := verilator.Run(context.Background(), verilator.Options{
			RTL: rtl, Fabric: m.h.fabric, Image: m.image, Binding: m.binding, Inputs: in,
			Latency: env.profile, Stall: env.stall, StallSeed: env.stallSeed, MaxCycles: env.maxCycles,
			Expected: want, LockStep: true, WavePath: wave, Jobs: jobs,
			Progress: func(p verilator.Progress) {
				if p.Total > 0 {
					a.progress.Set(fmt.Sprintf("Verilator: %s %d/%d", p.Stage, p.Done, p.Total))
				} else {
					a.progress.Set("Verilator: " + p.Stage)
				}
			},
		})
		if err != nil {
			return nil, err
		}
		l.wave = rep.WavePath
		return rep.Outcome, nil
	})
	return l, err
}

// sayLadder tells a person how far a run got.
func (a *app) sayLadder(l *ladder) {
	for _, v := range l.levels {
		mark := "ok  "
		if v.Status != vector.Done {
			mark = "FAIL"
		}
		extra := ""
		if v.Cycles > 0 {
			extra = fmt.Sprintf(", %d cycles", v.Cycles)
		}
		a.say("  %s level %d  %s%s", mark, v.Level, v.Name, extra)
	}
}

// verdict reports the end of a run and returns a statusError unless it is done.
func (a *app) verdict(l *ladder, in *vector.Inputs) error {
	a.sayLadder(l)
	if l.failed == "" {
		a.say("verdict: done. Every level agrees on %s and %s; the hardware took %d cycles",
			plural(len(l.final.Results), "result"), plural(countElems(l.final.Memories), "memory element"), l.final.Cycles)
		return nil
	}
	if !a.json {
		fmt.Fprintf(a.stderr, "verdict: %s at level %q\n", l.final.Status, l.failed)
		for _, d := range l.final.Detail {
			fmt.Fprintln(a.stderr, "  "+strings.ReplaceAll(d, "\n", "\n  "))
		}
		if l.final.Status == vector.Error && l.final.ErrorCode != 0 {
			fmt.Fprintf(a.stderr, "  hardware error %d: %s\n", l.final.ErrorCode, arch.HardwareSymbol(l.final.ErrorCode))
		}
		if l.wave != "" {
			fmt.Fprintf(a.stderr, "  waveform: %s\n", l.wave)
		}
	}
	return &statusError{string(l.final.Status)}
}

func countElems(ms []*vector.Memory) int {
	n := 0
	for _, m := range ms {
		n += len(m.Data)
	}
	return n
}

// resultJSON is the cosim object: the outcome with the levels beside it.
func (l *ladder) resultJSON() json.RawMessage {
	out := strings.TrimSuffix(string(l.final.JSON(arch.HardwareSymbol)), "}")
	levels, err := json.Marshal(l.levels)
	if err != nil {
		panic(err) // plain data
	}
	return json.RawMessage(out + `, "levels": ` + string(levels) + "}")
}

// writeRun writes the artifacts of a simulated run.
func (l *ladder) writeRun(dir *outdir.Dir, name string) error {
	if err := dir.Write(name+".sim.result.json", append(l.resultJSON(), '\n')); err != nil {
		return err
	}
	if l.trace == nil {
		return nil
	}
	if err := dir.Write(name+".sim.trace", l.trace); err != nil {
		return err
	}
	return dir.Write(name+".sim.stat", l.stat)
}

func (a *app) cosimCommand() *cobra.Command {
	var sel selectors
	var inf inputFlags
	var env envFlags
	var out string
	var jobs int
	c := &cobra.Command{
		Use:   "cosim --dfg F --adg F --map F --inputs IN.json -o DIR",
		Short: "Prove a mapping under Verilator against the reference simulators",
		Long: "Builds the fabric's RTL with Verilator (cached by content), loads the configuration,\n" +
			"runs the kernel and compares results, memories and every channel in every cycle with\n" +
			"the reference simulators.",
		Args: exactArgs(),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := inf.check(c); err != nil {
				return err
			}
			if err := env.check(); err != nil {
				return err
			}
			k, m, err := a.load(&sel)
			if err != nil {
				return err
			}
			if m == nil {
				return diag.New(diag.Pos{File: sel.dfg}, "co-simulation of direct circuits is not available yet").
					WithHelp("give --adg and --map: loom map makes the mapping")
			}
			in, err := a.inputs(&inf, k, m.h.fabric.IndexWidth)
			if err != nil {
				return err
			}
			rtl, err := m.h.generate()
			if err != nil {
				return err
			}
			return a.finishRun(out, nil, m, rtl, in, &env, jobs)
		},
	}
	outFlag(c, &out)
	sel.register(c)
	inf.register(c)
	env.register(c)
	c.Flags().IntVar(&jobs, "jobs", 0, "worker `count` for the Verilator build; 0: one per CPU")
	return c
}

// finishRun climbs the ladder, writes the run's artifacts after those that
// before writes, and reports. A run that ends in anything but done still leaves
// its complete set: it is what the fault is found with.
func (a *app) finishRun(out string, before func(*outdir.Dir) error, m *mapped, rtl *rtlgen.Output, in *vector.Inputs, env *envFlags, jobs int) error {
	dir, err := outdir.New(out)
	if err != nil {
		return err
	}
	defer dir.Discard()
	if before != nil {
		if err := before(dir); err != nil {
			return err
		}
	}
	wave := ""
	if env.trace {
		if wave, err = dir.Path(m.name() + ".fst"); err != nil {
			return err
		}
	}
	l, err := a.climb(m, rtl, in, env, jobs, wave)
	if err != nil {
		return err
	}
	if wave != "" && l.wave != "" {
		l.wave = strings.TrimRight(out, "/") + "/" + m.name() + ".fst"
	}
	if err := l.writeRun(dir, m.name()); err != nil {
		return err
	}
	names, err := dir.Commit()
	if err != nil {
		return err
	}
	if a.json {
		if before == nil {
			a.answer(l.resultJSON())
		} else {
			a.answer(map[string]any{"status": l.final.Status, "artifacts": names, "mapping": mappingSummary(m),
				"cosim": l.resultJSON(), "diagnostics": diag.JSON(&a.warnings)})
		}
	}
	err = a.verdict(l, in)
	a.sayArtifacts(out, names)
	return err
}
