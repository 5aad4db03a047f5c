package main

import (
	"github.com/spf13/cobra"

	"loom/compiler/diag"
	"loom/internal/outdir"
)

func (a *app) buildCommand() *cobra.Command {
	var lf lowerFlags
	var mf mapFlags
	var inf inputFlags
	var env envFlags
	var out, archFile string
	var cosim bool
	c := &cobra.Command{
		Use:   "build KERNEL --arch ARCH -o DIR [--cosim]",
		Short: "The main job: kernel in, mapped fabric, RTL, configuration and driver out",
		Long: "Lowers the kernel, maps it onto the fabric, generates RTL, configuration, C header\n" +
			"and driver. With --cosim the hardware is built with Verilator and compared with the\n" +
			"kernel's meaning on the given or random inputs.",
		Args: exactArgs("KERNEL"),
		RunE: func(c *cobra.Command, args []string) error {
			if archFile == "" {
				return usagef("'loom build' needs --arch ARCH.yaml or ADG.fabric.mlir")
			}
			for _, check := range []func() error{lf.check, mf.check, env.check, func() error { return inf.check(c) }} {
				if err := check(); err != nil {
					return err
				}
			}
			h, err := a.loadFabric(archFile)
			if err != nil {
				return err
			}
			k, err := a.compile(args[0], &lf, h.fabric.IndexWidth)
			if err != nil {
				return err
			}
			m, err := a.mapKernel(k, h, &mf)
			if err != nil {
				return err
			}
			rtl, err := h.generate()
			if err != nil {
				return err
			}
			a.sayMapping(m)
			write := func(dir *outdir.Dir) error {
				if err := a.writeKernel(dir, k, false); err != nil {
					return err
				}
				if err := a.writeFabric(dir, h); err != nil {
					return err
				}
				if err := a.writeMapping(dir, m); err != nil {
					return err
				}
				return writeRTL(dir, rtl)
			}
			if cosim {
				in, err := a.inputs(&inf, k, h.fabric.IndexWidth)
				if err != nil {
					return err
				}
				return a.finishRun(out, write, m, rtl, in, &env, mf.jobs)
			}
			dir, err := outdir.New(out)
			if err != nil {
				return err
			}
			defer dir.Discard()
			if err := write(dir); err != nil {
				return err
			}
			names, err := dir.Commit()
			if err != nil {
				return err
			}
			a.sayArtifacts(out, names)
			if a.json {
				a.answer(map[string]any{"status": "done", "artifacts": names, "mapping": mappingSummary(m), "diagnostics": diag.JSON(&a.warnings)})
			}
			return nil
		},
	}
	outFlag(c, &out)
	c.Flags().StringVar(&archFile, "arch", "", "architecture description or Fabric MLIR `file`")
	c.Flags().BoolVar(&cosim, "cosim", false, "prove the result under Verilator")
	lf.register(c, false)
	mf.register(c)
	inf.register(c)
	env.register(c)
	return c
}

// sayMapping tells a person in a few lines what the mapping uses.
func (a *app) sayMapping(m *mapped) {
	u := m.m.Utilization
	a.say("%s on %s: %s on %d of %d PEs, %d of %d memories", m.k.stem, m.h.stem,
		plural(len(m.m.Groups), "operation"), u.PEs.Used, u.PEs.Total, u.Memories.Used, u.Memories.Total)
	for _, l := range m.m.Timing.Loops {
		if l.II.Tokens > 0 && l.Innermost {
			a.say("  loop %s: about %.1f cycles per iteration", l.Label, float64(l.II.Cycles)/float64(l.II.Tokens))
		}
	}
}
