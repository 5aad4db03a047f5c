package verilator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"loom/rtlgen"
	"loom/sim/hostsim"
)

// ProgramOptions are what a program with <adg>_top as its device is made of.
type ProgramOptions struct {
	// RTL is the generated design.
	RTL *rtlgen.Output
	// Sources are what the program is compiled from.
	Sources hostsim.Sources
	// Waves makes a model that can write waveforms.
	Waves bool
	// Executable is the file to make.
	Executable string
	// Cycles is how many cycles it will run at most, 0 where that is not known: for few of them the model is built
	// without optimisation.
	Cycles int64

	// As in Options.
	CacheDir string
	Jobs     int
	Progress func(Progress)
	Building func(Build)
}

// BuildProgram compiles a program and links it with the model of <adg>_top, which it builds
// or finds in the cache. The registers of the device are what loom_accel_read and
// loom_accel_write access, whatever the base address; the memory behind its AXI4 masters is
// that of the program, at the addresses of its pointers. What does not compile is a
// *diag.Diagnostic, other errors are those of Run.
func BuildProgram(ctx context.Context, o ProgramOptions) error {
	if o.RTL.HostTop == "" {
		return fmt.Errorf("the register file has no room for the boundary of fabric '%s', which therefore has no top module for a host", o.RTL.Signature.Fabric)
	}
	model := &Options{RTL: o.RTL, CacheDir: o.CacheDir, Jobs: o.Jobs, Progress: o.Progress, Building: o.Building, Waves: o.Waves, device: true, cycles: o.Cycles}
	// The program first: its mistakes are the user's, and found in a second.
	dir, err := os.MkdirTemp("", "loom-program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	objects, _, err := o.Sources.Compile(ctx, dir)
	if err != nil {
		return err
	}
	m, err := buildModel(ctx, model)
	if err != nil {
		return err
	}
	parts := slices.Concat(objects, []string{filepath.Join(m.dir, modelBinary)}, libraries(o.Waves), []string{"-lm"})
	return hostsim.Link(ctx, o.Executable, true, parts)
}

// RunProgramOptions are the environment of a run of a program.
type RunProgramOptions struct {
	hostsim.RunOptions
	// WavePath receives a waveform of a program built with Waves.
	WavePath string
}

// RunProgram runs a program made by BuildProgram to its end.
func RunProgram(ctx context.Context, executable string, o RunProgramOptions) (*hostsim.Report, error) {
	dir, err := os.MkdirTemp("", "loom-program-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "report.json")
	l := o.Latency.OrDefault()
	cmd, err := o.Command(ctx, executable)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, "LOOM_SIM_REPORT="+report,
		fmt.Sprintf("LOOM_SIM=latency %d %d %d stall %d %d cycles %d%s", l.Min, l.Max, l.Seed, o.Stall, o.StallSeed, o.MaxCycles, dramArgument(l)))
	if o.WavePath != "" {
		cmd.Env = append(cmd.Env, "LOOM_SIM_WAVE="+o.WavePath)
	}
	err = cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	rep := &hostsim.Report{Status: "none"}
	text, readErr := os.ReadFile(report)
	if readErr == nil {
		if err := json.Unmarshal(text, rep); err != nil {
			return nil, fmt.Errorf("the simulation wrote a report that cannot be read: %w", err)
		}
	}
	rep.Exit = cmd.ProcessState.ExitCode()
	return rep, nil
}
