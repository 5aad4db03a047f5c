package main

import (
	"slices"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
	"loom/internal/outdir"
)

func (a *app) buildCommand() *cobra.Command {
	var lf lowerFlags
	var mf mapFlags
	var inf inputFlags
	var env envFlags
	var out, archFile string
	var reset resetFlag
	var cosim, waves, direct, oneImage bool
	var df directFlags
	c := &cobra.Command{
		Use:   "build KERNEL --arch ARCH | --direct -o DIR [--cosim]",
		Short: "The main job: kernel in, mapped fabric, RTL, configuration and driver out; or a direct circuit",
		Long: `Lowers the kernel, maps it onto the fabric, generates RTL, configuration, C header
and driver. With --cosim the hardware is built with Verilator and compared with the
kernel's meaning on the given or random inputs, level by level: the original function
by the host's compiler (C and C++), interpreter, token simulator, cycle simulator,
hardware in lock-step with the cycle simulator.

A function that does not fit as a whole becomes hardware in part, under --domain auto:
the loop that fits and holds most of the operations executed under the inputs. The
headline and the verdict name it and its share, and --cosim runs all its launches and
compares the result of the whole function. --domain function takes the whole, or ends
with exit status 1.

Pointers of C without restrict may overlap: their accesses keep the order of the source.
Where the kernel is faster without that order, there is a second image for runs whose arrays do not
overlap (<kernel>.disjoint.*). The host function compares addresses and extents in front of
each run and takes the image that is right for it; --cosim proves both.

Where iterations of a loop may meet in an array, loads wait for the stores of earlier iterations. If the
kernel is faster so, they wait for stores to their element alone, in PEs that compare subscripts (--interlocks). Where the
fabric has too few of these, registers keep the last stores and loads look there first: as many as make it
fastest on small random inputs, or as --recent-stores says. A direct circuit has either of them if the option says so.
If the kernel is faster so, its graph takes more units (--more-units): a loop that could change a value in an accumulator, but
also reads it before that, carries it once more for what reads it, divisions by constants are shifts, differences or products, and what a
loop carries on is computed before it is known whether the loop goes on. Registers keep what a loop loads again (--reuse), and inner
loops of up to 16 iterations, whose number is known, are written out, so that the loop around them is the innermost one (--unroll), and iterations
of an outer loop run side by side where those of the inner one wait for each other (--unroll-and-jam), if the kernel takes a tenth less time by that.

With --direct the kernel becomes a circuit of its own, without a fabric: one module, whose
arguments, results, start and done are valid/ready channels. Its buffers are sized for
memories of --latency or --memory. <kernel>.direct.txt names the buffer of every channel with its
reason, and the bound of every loop. --ports and --control give its arrays and runs other
ports: RAMs, AXI4, AXI4-Streams for arrays whose elements are touched in order, ap_start and
ap_done; with --ports auto an array is a stream where that is proven.

KERNEL is C or C++, MLIR (func, arith, math, memref, scf, affine, cf), any file of
a stage between them, or a dataflow graph (.dfg.mlir); - is MLIR on standard input, C and
C++ are read from files. ARCH is the name of a fabric (see loom fabrics), an architecture
description (.yaml) or Fabric MLIR; auto is the fabric of loom fabrics that takes the whole
function with the least area times time, by the cycles per iteration that are predicted for
the innermost loops; a larger one where inner loops written out make up for its area in runs on
random inputs. Where that is not the smallest fabric that fits, a line says what that one would
take. Of a kernel that does not fit, the last line says what would: another fabric, or changes
of this one. The first co-simulation of a fabric builds a model, which
takes minutes for large ones and is kept in $LOOM_CACHE (else the user's cache directory)
for all later ones.`,
		Example: `  loom build dot.c --arch mesh6x6 -o out
  loom build dot.c --arch mesh6x6 -o out --cosim --random 1 --size 16
  loom build dot.c --direct -o out --cosim --random 1
  loom build dot.c --direct --ports auto --control ap_ctrl_hs -o out --cosim --random 1
  loom build filter.cpp --arch mesh6x6 -o out --cosim --inputs in.json --json
  loom build dot.mlir --arch mesh6x6 -o out --cosim --latency random:1,40,7 --stall 30

  in.json:  {"args": {"n": 3, "a": [1, 2, 3], "b": {"random": 3, "seed": 5}}}`,
		Args: exactArgs("KERNEL"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, check := range []func() error{lf.check, mf.check, env.check, func() error { return inf.check(c) }, func() error { return outdir.Check(out) }, reset.check} {
				if err := check(); err != nil {
					return err
				}
			}
			if err := df.check(); err != nil {
				return err
			}
			switch {
			case direct && archFile != "":
				return usagef("--arch and --direct exclude each other")
			case !direct && archFile == "":
				return usagef("'loom build' needs --arch NAME, ARCH.yaml or ADG.fabric.mlir, or --direct; loom fabrics lists the names; see 'loom build --help'")
			case !direct:
				a.ineffective(c, "without --direct", "share", "divide", "ports", "control", "clock", "device", "index-width")
			}
			if !cosim {
				a.ineffective(c, "without --cosim", "stall", "stall-seed", "max-cycles", "trace")
			}
			if direct {
				a.ineffective(c, "with --direct", "seed", "budget", "simplify", "more-units", "one-image")
				df.takeReset(a, c, &reset)
				if !cosim {
					a.ineffective(c, "without --cosim", "inputs", "random", "size")
				}
				lf.Direct, lf.IndexWidth, df.DumpAfter = true, df.indexWidth, lf.DumpAfter
				k, err := a.compile(args[0], &lf, nil)
				if err != nil {
					return err
				}
				a.printMemory(k)
				own, err := k.Artifacts(loom.GraphText{})
				if err != nil {
					return err
				}
				return a.finishDirect(out, k, df.DirectOptions, env.Latency, own, directRun{cosim, waves, &inf, &env, mf.Jobs})
			}
			var f *loom.Fabric
			var err error
			if archFile != loom.AutoFabric {
				if f, err = a.loadFabric(archFile); err != nil {
					return err
				}
			}
			// The loops of a function that does not fit are weighed by what they execute.
			weighed := cosim
			lf.Inputs = func(whole *loom.Kernel) (*loom.Inputs, error) {
				weighed = true
				in, err := a.inputs(whole, &inf, env.MaxCycles, func(*diag.Diagnostic) {})
				if err != nil && !cosim && inf.file == "" {
					return nil, nil // without suitable random inputs by an estimate
				}
				return in, err
			}
			k, err := a.compile(args[0], &lf, f)
			if err != nil {
				return err
			}
			// Errors of the inputs are reported before the long mapping. Without a co-simulation
			// they tell the share that a loop given by its number has of the work.
			var in *loom.Inputs
			given := slices.ContainsFunc([]string{"inputs", "random", "size"}, c.Flags().Changed)
			switch {
			case weighed || !given:
			case k.Part(nil) == nil:
				a.ineffective(c, "without --cosim", "inputs", "random", "size")
			default:
				if in, err = a.inputs(k, &inf, env.MaxCycles); err != nil {
					return err
				}
			}
			var m *loom.Mapping
			if f == nil {
				if k, m, err = a.mapAuto(k, &mf, env.profile); err != nil {
					return err
				}
				f = m.Fabric
			}
			f.Reset = reset.value
			if cosim {
				if in, err = a.inputs(k, &inf, env.MaxCycles); err != nil {
					return err
				}
				if err := loom.PrepareCosimulation(a.ctx, k, waves, a.watch()); err != nil {
					return err
				}
			}
			if m == nil {
				if m, err = a.mapKernel(k, f, &mf, env.profile); err != nil {
					return err
				}
			}
			if k, m, err = loom.KeepFastest(a.ctx, k, m, mf.MapOptions); err != nil {
				return err
			}
			if k, m, err = loom.Widen(a.ctx, k, m, mf.MapOptions); err != nil {
				return err
			}
			if f != m.Fabric {
				f = m.Fabric
				f.Reset = reset.value
			}
			if !oneImage {
				if err := m.MapDisjoint(a.ctx, mf.MapOptions); err != nil {
					return err
				}
			}
			rtl, err := loom.Generate(f)
			if err != nil {
				return err
			}
			a.printMemory(k)
			a.printMapping(m, in, cosim)
			if d := m.Disjoint; d != nil {
				a.print("where no arrays overlap, a second image:")
				a.printMapping(d, in, cosim)
			}
			whole := k.FitWhole(a.ctx, f, mf.MapOptions)
			if whole != "" {
				a.print("the whole function fits %s", whole)
			}
			artifacts, err := gather(
				func() (*loom.Artifacts, error) { return k.Artifacts(loom.GraphText{}) },
				f.Artifacts,
				func() (*loom.Artifacts, error) { return m.Artifacts(nil) },
				func() (*loom.Artifacts, error) { return rtl.Artifacts(), nil })
			if err != nil {
				return err
			}
			if cosim {
				return a.finishRun(out, artifacts, &cosimRun{m: m, rtl: rtl, in: in, env: env.Environment, jobs: mf.Jobs, waves: waves, whole: whole})
			}
			names, err := a.deliver(out, artifacts)
			if err != nil {
				return err
			}
			a.printArtifacts(out, names)
			a.done(result{Artifacts: names, Mapping: summary(m), Choice: m.Choice, Memory: memoryResult(k), Domain: domainResult(k, in, whole), Disjoint: disjointResult(m, nil)})
			return nil
		},
	}
	a.outFlag(c, &out)
	c.Flags().BoolVar(&oneImage, "one-image", false, "make no second image for runs whose arrays do not overlap")
	c.Flags().StringVar(&archFile, "arch", "", "`fabric`: a name of loom fabrics, auto (the one with the least area times time of those that fit), an architecture description or Fabric MLIR")
	c.Flags().BoolVar(&direct, "direct", false, "make a direct circuit of the kernel, without a fabric")
	df.register(c)
	c.Flags().BoolVar(&cosim, "cosim", false, "prove the result under Verilator")
	traceFlag(c, &waves)
	reset.register(c)
	lf.register(c)
	mf.register(c)
	inf.register(c)
	env.register(c)
	return c
}

// gather returns the artifacts of several stages as one set.
func gather(parts ...func() (*loom.Artifacts, error)) (*loom.Artifacts, error) {
	var all loom.Artifacts
	for _, part := range parts {
		a, err := part()
		if err != nil {
			return nil, err
		}
		all.Add(a)
	}
	return &all, nil
}
