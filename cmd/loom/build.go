package main

import (
	"github.com/spf13/cobra"

	"loom/internal/outdir"
	"loom/sim/level0"
	"loom/sim/vector"
	"loom/verilator"
)

func (a *app) buildCommand() *cobra.Command {
	var lf lowerFlags
	var mf mapFlags
	var inf inputFlags
	var env envFlags
	var out, archFile string
	var cosim, waves bool
	c := &cobra.Command{
		Use:   "build KERNEL --arch ARCH -o DIR [--cosim]",
		Short: "The main job: kernel in, mapped fabric, RTL, configuration and driver out",
		Long: `Lowers the kernel, maps it onto the fabric, generates RTL, configuration, C header
and driver. With --cosim the hardware is built with Verilator and compared with the
kernel's meaning on the given or random inputs, level by level: the original function
by the host's compiler (C and C++), interpreter, token simulator, cycle simulator,
hardware in lock-step with the cycle simulator.

KERNEL is structured MLIR (func, arith, math, memref, scf, affine) or a dataflow graph
(.dfg.mlir); ARCH an architecture description (.yaml) or Fabric MLIR. The first
co-simulation of a fabric builds a model, which takes minutes for large ones and is
kept in $LOOM_CACHE (else the user's cache directory) for all later ones.`,
		Example: `  loom build dot.mlir --arch mesh6x6.yaml -o out
  loom build dot.mlir --arch mesh6x6.yaml -o out --cosim --random 1 --size 16
  loom build dot.mlir --arch mesh6x6.yaml -o out --cosim --inputs in.json --json
  loom build dot.mlir --arch mesh6x6.yaml -o out --cosim --latency random:1,40,7 --stall 30

  in.json:  {"args": {"n": 3, "a": [1, 2, 3], "b": {"random": 3, "seed": 5}}}`,
		Args: exactArgs("KERNEL"),
		RunE: func(c *cobra.Command, args []string) error {
			for _, check := range []func() error{lf.check, mf.check, env.check, func() error { return inf.check(c) }, func() error { return outdir.Check(out) }} {
				if err := check(); err != nil {
					return err
				}
			}
			if !cosim {
				a.ineffective(c, "without --cosim", "inputs", "random", "size", "stall", "stall-seed", "max-cycles", "trace")
			}
			h, err := a.loadFabric(archFile)
			if err != nil {
				return err
			}
			k, err := a.compile(args[0], &lf, h.fabric)
			if err != nil {
				return err
			}
			// What can be wrong with the co-simulation is found before the long
			// work.
			var in *vector.Inputs
			var native *level0.Program
			if cosim {
				if in, err = a.inputs(&inf, k, h.fabric.IndexWidth, env.limits(countOps(k.dfg))); err != nil {
					return err
				}
				if native, err = a.native(k, h.fabric.IndexWidth); err != nil {
					return err
				}
				if err := verilator.CheckTools(waves); err != nil {
					return err
				}
			}
			m, err := a.mapKernel(k, h, &mf, env.profile)
			if err != nil {
				return domainHint(orderHint(err, k, h, &lf), k)
			}
			rtl, err := h.generate()
			if err != nil {
				return err
			}
			a.sayMemory(k)
			a.sayMapping(m)
			static := []func(*outdir.Dir) error{
				func(dir *outdir.Dir) error { return k.write(dir, false) },
				h.write,
				func(dir *outdir.Dir) error { return m.write(dir, nil) },
				func(dir *outdir.Dir) error { return writeRTL(dir, rtl) },
			}
			if cosim {
				r := &cosimRun{m: m, rtl: rtl, in: in, env: &env, jobs: mf.jobs, waves: waves, native: native}
				return a.finishRun(out, static, r)
			}
			names, err := a.deliver(out, static...)
			if err != nil {
				return err
			}
			a.sayArtifacts(out, names)
			a.done(answer{Artifacts: names, Mapping: m.summary(), Memory: k.memoryAnswer(), Domain: k.domainAnswer()})
			return nil
		},
	}
	a.outFlag(c, &out)
	c.Flags().StringVar(&archFile, "arch", "", "architecture description or Fabric MLIR `file`")
	a.need(c, "arch", "--arch ARCH.yaml or ADG.fabric.mlir")
	c.Flags().BoolVar(&cosim, "cosim", false, "prove the result under Verilator")
	traceFlag(c, &waves)
	lf.register(c)
	mf.register(c)
	inf.register(c)
	env.register(c)
	return c
}
