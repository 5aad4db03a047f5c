package loom

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/rtlgen"
	"loom/sim/hostsim"
	"loom/verilator"
)

// DMA is a file that stands for memory at an address on the fabric's bus, and DeviceReport
// what the simulated hardware has seen of a program.
type (
	DMA          = hostsim.DMA
	DeviceReport = hostsim.Report
)

// HostProgram is a program of the user's that drives simulated hardware.
type HostProgram struct {
	// Sources are its C and C++ files.
	Sources []string
	// Dir is the output directory of Build or Map for one kernel or several: its host
	// functions (*_host.c) and the driver are compiled, too, unless Sources name them, and
	// headers are found there.
	Dir string
	// Flags go to the compilers: -I, -D, and -std for the language that it names.
	Flags []string
	// Executable is where the program stays, "" for a temporary file.
	Executable string
	// Args are its arguments.
	Args []string
	// DMA are files that are the fabric's memory instead of the program's: the program maps
	// them, too, and hands out their addresses on the bus, as with a DMA buffer.
	DMA []DMA

	Stdin          io.Reader
	Stdout, Stderr io.Writer
}

// HostSimOptions are the options of HostSim.
type HostSimOptions struct {
	Watch
	// Environment is as for a co-simulation; the stalls hold back register accesses, too, and
	// MaxCycles counts the clock cycles of the whole program.
	Environment
	// Jobs is as in CosimulateOptions.
	Jobs int
	// Waveform is the file for the waveform of all signals (FST), "" for none.
	Waveform string
	// CycleModel is the device that is the cycle simulator in place of the RTL under
	// Verilator: it has the same registers and takes the same clock cycles, needs no build,
	// and has no waveform.
	CycleModel bool
	// cycles is how many cycles the hardware computes for, 0 where that is not known.
	cycles int64
}

// HostDevice is hardware that programs drive through its register file: a *Fabric, a *Direct with
// control axi4lite, or a *Block.
type HostDevice interface {
	// design is its RTL, with a module for a host.
	design() (*rtlgen.Output, error)
	// run runs a program with the cycle simulator as the device.
	run(ctx context.Context, executable string, o hostsim.RunOptions) (*DeviceReport, error)
	// cycleModel is the error of hardware that run cannot simulate, nil for others.
	cycleModel() error
}

func (f *Fabric) design() (*rtlgen.Output, error) {
	rtl, err := Generate(f)
	if err != nil {
		return nil, err
	}
	if rtl.HostTop == "" {
		return nil, fmt.Errorf("the register file has no room for the boundary of fabric '%s', which therefore has no top module for a host", f.Name)
	}
	return rtl.Output, nil
}

func (f *Fabric) cycleModel() error { return nil }

func (f *Fabric) run(ctx context.Context, executable string, o hostsim.RunOptions) (*DeviceReport, error) {
	return hostsim.Run(ctx, executable, f.Arch, f.Layout, o)
}

// HostSim compiles a program and runs it with a device: <adg>_top of a fabric or the module of a
// direct circuit, as the Verilator model of its RTL or, for fabrics, the cycle simulator. The
// accesses of loom_accel.c to registers are those of an AXI4-Lite bus, and the hardware reads and
// writes the program's memory at the addresses of its pointers. The Verilator model is built when
// hardware is used for the first time and kept as those of Cosimulate are. The error is for programs
// that could not be built or started; how the program ended is in the report.
func HostSim(ctx context.Context, device HostDevice, p HostProgram, opts HostSimOptions) (*DeviceReport, error) {
	if err := opts.Environment.Check(); err != nil {
		return nil, err
	}
	if opts.CycleModel {
		if err := device.cycleModel(); err != nil {
			return nil, err
		}
	}
	rtl, err := device.design()
	if err != nil {
		return nil, err
	}
	b := hostsim.Sources{Files: p.Sources}
	executable := p.Executable
	for _, f := range p.Flags {
		switch standard, isStandard := strings.CutPrefix(f, "-std="); {
		case isStandard && strings.Contains(standard, "++"):
			b.CXXFlags = append(b.CXXFlags, f)
		case isStandard:
			b.CFlags = append(b.CFlags, f)
		default:
			b.Flags = append(b.Flags, f)
		}
	}
	if p.Dir != "" {
		generated, err := hostFiles(p.Dir, p.Sources)
		if err != nil {
			return nil, err
		}
		b.Files = slices.Concat(p.Sources, generated)
		b.Flags = append(b.Flags, "-I"+p.Dir)
	}
	if executable == "" {
		dir, err := os.MkdirTemp("", "loom-host-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		executable = filepath.Join(dir, "program")
	}
	if err := func() error {
		defer opts.external()()
		if opts.CycleModel {
			return hostsim.Build(ctx, b, executable)
		}
		return verilator.BuildProgram(ctx, verilator.ProgramOptions{RTL: rtl, Sources: b, Waves: opts.Waveform != "", Executable: executable,
			Cycles: cmp.Or(opts.cycles, opts.MaxCycles), Jobs: opts.Jobs, Progress: opts.verilator(""), Building: opts.Building})
	}(); err != nil {
		return nil, err
	}
	opts.doing("")()
	defer opts.external()()
	max := opts.MaxCycles
	if max == 0 {
		max = DefaultMaxCycles
	}
	run := hostsim.RunOptions{
		Args: p.Args, Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr, Latency: opts.Latency, Stall: opts.Stall, StallSeed: opts.StallSeed,
		MaxCycles: max, DMA: p.DMA,
	}
	if opts.CycleModel {
		return device.run(ctx, executable, run)
	}
	return verilator.RunProgram(ctx, executable, verilator.RunProgramOptions{RunOptions: run, WavePath: opts.Waveform})
}

// hostFiles are the driver and the host functions in an output directory that are not among
// the sources.
func hostFiles(dir string, sources []string) ([]string, error) {
	list, err := filepath.Glob(filepath.Join(globQuote(dir), "*_host.c"))
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, diag.New(diag.Pos{File: dir}, "there is no host function (*_host.c) here").
			WithHelp("loom build KERNEL --arch ARCH -o %[1]s writes it, or loom build KERNEL --direct --ports axi4 --control axi4lite -o %[1]s", dir)
	}
	list = append(list, filepath.Join(dir, hostsim.Driver))
	return slices.DeleteFunc(list, func(f string) bool {
		return slices.ContainsFunc(sources, func(s string) bool { return filepath.Base(s) == filepath.Base(f) })
	}), nil
}

// globQuote makes a name safe in a pattern of filepath.Glob.
func globQuote(name string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// verilator shows the progress of a model, with a prefix.
func (w *Watch) verilator(which string) func(verilator.Progress) {
	return func(p verilator.Progress) {
		if p.Total > 0 {
			w.doing(fmt.Sprintf("Verilator: %s%s %d/%d", which, p.Stage, p.Done, p.Total))
		} else {
			w.doing("Verilator: " + which + p.Stage)
		}
	}
}
