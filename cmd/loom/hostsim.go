package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"loom"
	"loom/compiler/diag"
)

func (a *app) hostSimCommand() *cobra.Command {
	var p loom.HostProgram
	var env envFlags
	var adg, std, waves, model string
	var include, define, dma []string
	var jobs int
	c := &cobra.Command{
		Use:   "host-sim SOURCE… --dir DIR [-- ARGUMENTS]",
		Short: "Run a C or C++ program of your own against the simulated hardware",
		Long: `Compiles a program of your own with the host functions and the driver that loom build
wrote to DIR and runs it with <adg>_top as its device, or with the direct circuit in DIR
(loom build --direct --ports axi4 --control axi4lite). The accesses of loom_accel.c to
registers are those of an AXI4-Lite bus, whatever the base address given to
loom_accel_open, and the fabric reads and writes the program's memory at the addresses
of its pointers. DIR may hold several kernels for one fabric. The clock of the hardware
runs during register accesses; loom_sim.h lets it run otherwise.

The device is the Verilator model of the RTL, built when a fabric is used for the first
time and kept in $LOOM_CACHE, or with --model cycle the cycle simulator, which starts at
once, for fabrics: results, clock cycles and errors are the same. The exit status is 0 if that of the
program is 0, else 1.`,
		Example: `  loom build dot.c --arch mesh4x4.yaml -o out
  loom host-sim main.c --dir out --model cycle
  loom host-sim main.c --dir out
  loom host-sim main.c helpers.cpp --dir out --latency random:1,40,7 --stall 30 -- 1000`,
		Args: func(c *cobra.Command, args []string) error {
			if c.ArgsLenAtDash() == 0 || len(args) == 0 {
				return usagef("'%s' takes the program's C and C++ files, found none; see '%[1]s --help'", c.CommandPath())
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			for _, check := range []func() error{env.check, func() error { return checkJobs(jobs) }} {
				if err := check(); err != nil {
					return err
				}
			}
			switch {
			case model != "verilator" && model != "cycle":
				return usagef("--model takes verilator or cycle, found %q", model)
			case model == "cycle" && waves != "":
				return usagef("--trace needs --model verilator: the cycle simulator has no waveform")
			case model == "cycle":
				a.ineffective(c, "with --model cycle", "jobs")
			}
			for _, text := range dma {
				file, at, ok := strings.Cut(text, "@")
				address, err := strconv.ParseUint(at, 0, 64)
				if !ok || file == "" || err != nil {
					return usagef("--dma takes FILE@ADDRESS with an address such as 0x70000000, found %q", text)
				}
				p.DMA = append(p.DMA, loom.DMA{File: file, Address: address})
			}
			p.Sources = args
			if n := c.ArgsLenAtDash(); n >= 0 {
				p.Sources, p.Args = args[:n], args[n:]
			}
			for _, s := range p.Sources {
				if _, err := os.Stat(s); err != nil {
					return diag.New(diag.Pos{File: s}, "cannot read the file: %v", err)
				}
			}
			device, err := a.device(adg, p.Dir)
			if err != nil {
				return err
			}
			for _, d := range include {
				p.Flags = append(p.Flags, "-I"+d)
			}
			for _, d := range define {
				p.Flags = append(p.Flags, "-D"+d)
			}
			if std != "" {
				p.Flags = append(p.Flags, "-std="+std)
			}
			var output bytes.Buffer
			p.Stdin, p.Stdout, p.Stderr = os.Stdin, a.stdout, a.stderr
			if a.json {
				p.Stdout = &output
			}
			rep, err := loom.HostSim(a.ctx, device, p, loom.HostSimOptions{Watch: a.watch(), Environment: env.Environment, Jobs: jobs, Waveform: waves, CycleModel: model == "cycle"})
			if err != nil {
				return err
			}
			return a.reportProgram(rep, output.String())
		},
	}
	c.Flags().StringVar(&p.Dir, "dir", "", "output `directory` of loom build: host functions, driver, fabric or direct circuit")
	a.need(c, "dir", "--dir DIR")
	c.Flags().StringVar(&adg, "adg", "", "fabric: Fabric MLIR or architecture description `file` (the .fabric.mlir in DIR)")
	c.Flags().StringArrayVarP(&include, "include", "I", nil, "`directory` where the compilers look for headers")
	c.Flags().StringArrayVarP(&define, "define", "D", nil, "`macro` for the compilers: NAME or NAME=VALUE")
	c.Flags().StringArrayVar(&dma, "dma", nil, "`FILE@ADDRESS`: the fabric's memory is this file, from that address of its bus on, instead of the program's memory")
	c.Flags().StringVar(&std, "std", "", "`language` standard of the C or C++ files, e.g. c99 or c++11")
	c.Flags().StringVarP(&p.Executable, "output", "o", "", "keep the program as this `file`")
	c.Flags().StringVar(&model, "model", "verilator", "what the device is: verilator, the RTL, or cycle, the cycle simulator, which needs no build")
	c.Flags().StringVar(&waves, "trace", "", "write the waveform (FST) to this `file`; builds a model of its own")
	env.register(c)
	limit := c.Flags().Lookup("max-cycles") // of a whole program, which takes longer than a run
	limit.Usage, limit.DefValue, env.MaxCycles = "clock `cycles` after which the program is ended", "100000000", 100_000_000
	jobsFlag(c, &jobs)
	return c
}

// device is a fabric, "" for what an output directory holds: a direct circuit or the only fabric.
func (a *app) device(adg, dir string) (loom.HostDevice, error) {
	if adg == "" {
		found, err := fabricIn(dir)
		if err != nil {
			block, blockErr := loom.LoadBlock(dir)
			if errors.Is(blockErr, fs.ErrNotExist) {
				return nil, err
			}
			return block, blockErr
		}
		adg = found
	}
	return a.loadFabric(adg)
}

// fabricIn is the only fabric in an output directory.
func fabricIn(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", diag.New(diag.Pos{File: dir}, "cannot read the directory: %v", err).WithHelp("loom build KERNEL --arch ARCH -o %s writes it", dir)
	}
	found := ""
	for _, e := range entries {
		if ok, _ := filepath.Match("*.fabric.mlir", e.Name()); !ok {
			continue
		}
		if found != "" {
			return "", usagef("%s holds several fabrics; choose one with --adg", dir)
		}
		found = filepath.Join(dir, e.Name())
	}
	if found == "" {
		return "", diag.New(diag.Pos{File: dir}, "there is no fabric (*.fabric.mlir) and no direct circuit (rtl/) here").
			WithHelp("loom build KERNEL --arch ARCH -o %s writes one, or loom build KERNEL --direct; or give --adg FABRIC", dir)
	}
	return found, nil
}

// programResult is the JSON object of host-sim.
type programResult struct {
	*loom.DeviceReport
	Output      string `json:"output"`
	Diagnostics any    `json:"diagnostics"`
}

// reportProgram prints how a program ended.
func (a *app) reportProgram(rep *loom.DeviceReport, output string) error {
	status := rep.Status
	problem := ""
	switch {
	case status == "budget":
		problem = fmt.Sprintf("the program was ended after %s; --max-cycles N gives it more, and loom_accel_set_timeout bounds a run", diag.Plural(int(rep.ClockCycles), "clock cycle"))
	case status == "broken":
		problem = rep.Note
	case rep.Exit < 0:
		problem = "a signal has ended the program"
	case rep.Exit > 0:
		problem = fmt.Sprintf("the program ended with status %d", rep.Exit)
		if rep.Note != "" {
			problem += "\n  note: " + rep.Note
		}
	}
	if problem != "" && (status == "done" || status == "none") {
		status = "failed"
	}
	if problem == "" {
		status = "done"
	}
	if a.json {
		shown := *rep
		shown.Status = status
		a.printJSON(programResult{&shown, output, diag.JSON(&a.warnings)})
	} else {
		// Standard output is the program's.
		fmt.Fprintf(a.stderr, "%s, %s, %s in runs, %s in all\n", diag.Plural(int(rep.Launches), "launch"), diag.Plural(int(rep.ImageLoads), "image load"),
			diag.Plural(int(rep.RunCycles), "clock cycle"), diag.Plural(int(rep.ClockCycles), "clock cycle"))
		if problem != "" {
			fmt.Fprintf(a.stderr, "error: %s\n", problem)
		}
	}
	if status == "done" {
		return nil
	}
	return &statusError{status, exitInput}
}
