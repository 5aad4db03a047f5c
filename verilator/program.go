package verilator

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/internal/tools"
	"loom/rtlgen"
)

//go:embed harness/loom_sim.h
var simHeader string

// Driver is the name of the file whose register accesses are replaced by those of the model.
const Driver = "loom_accel.c"

// ProgramOptions are what a program with <adg>_top as its device is made of.
type ProgramOptions struct {
	// RTL is the generated design.
	RTL *rtlgen.Output
	// Sources are C (.c) and C++ files (any other extension), among them the host functions
	// and loom_accel.c.
	Sources []string
	// Flags go to both compilers: -I and -D; CFlags and CXXFlags to one of them.
	Flags, CFlags, CXXFlags []string
	// Waves makes a model that can write waveforms.
	Waves bool
	// Executable is the file to make.
	Executable string

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
	model := &Options{RTL: o.RTL, CacheDir: o.CacheDir, Jobs: o.Jobs, Progress: o.Progress, Building: o.Building, Waves: o.Waves, device: true}
	cc, err := tools.Find(tools.CC)
	if err != nil {
		return err
	}
	// The program first: its mistakes are the user's, and found in a second.
	dir, err := os.MkdirTemp("", "loom-program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "loom_sim.h"), []byte(simHeader), 0o644); err != nil {
		return err
	}
	found, err := findTools()
	if err != nil {
		return err
	}
	objects := []string{"-o", o.Executable}
	for i, source := range o.Sources {
		object := filepath.Join(dir, fmt.Sprintf("%d.o", i))
		compiler, flags := found.cxx, o.CXXFlags
		if filepath.Ext(source) == ".c" {
			compiler, flags = cc, o.CFlags
		}
		args := slices.Concat([]string{"-g", "-O1", "-I" + dir}, o.Flags, flags, []string{"-c", source, "-o", object})
		if filepath.Base(source) == Driver {
			args = append(args, "-DLOOM_ACCEL_CUSTOM_IO")
		}
		if err := compileError(run(ctx, "", compiler, args...), source); err != nil {
			return err
		}
		objects = append(objects, object)
	}
	m, err := buildModel(ctx, model)
	if err != nil {
		return err
	}
	link := slices.Concat(objects, []string{filepath.Join(m.dir, modelBinary)}, libraries(o.Waves), []string{"-lm"})
	return compileError(run(ctx, "", found.cxx, link...), "")
}

// compileError turns the failure of a compiler at the user's program into a diagnostic.
func compileError(err error, source string) error {
	var failed *tools.FailedError
	if !errors.As(err, &failed) || tools.Help(failed.Output) != "" {
		return err
	}
	if source == "" {
		return diag.New(diag.Pos{}, "the program cannot be linked\n%s", strings.TrimSpace(failed.Output)).
			WithHelp("it needs main, the host functions of its kernels and loom_accel.c; register accesses are defined by the simulation")
	}
	return diag.New(diag.Pos{File: source}, "does not compile\n%s", strings.TrimSpace(failed.Output))
}

// RunProgramOptions are the environment of a run of a program.
type RunProgramOptions struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Latency, Stall and StallSeed are as in Options, and Stall holds back the register
	// accesses, too. MaxCycles bounds the clock cycles of the whole program, 0 for no bound.
	Latency   latency.Profile
	Stall     int
	StallSeed uint64
	MaxCycles int64
	// DMA are the files that are the memory of the fabric instead of the program's, each from
	// an address on its bus.
	DMA []DMA
	// WavePath receives a waveform of a program built with Waves.
	WavePath string
}

// DMA is a file that stands for memory at an address on the fabric's bus.
type DMA struct {
	File    string
	Address uint64
}

// DeviceReport is what the device has seen of a program.
type DeviceReport struct {
	// Status is "done", "budget" when the program was ended after MaxCycles, "broken" when an
	// AXI4 rule was, or "none" where the program did not access the device or was killed.
	Status string `json:"status"`
	// Exit is the exit status of the program, -1 when a signal ended it.
	Exit int `json:"exit"`
	// ClockCycles are all, RunCycles those in which runs were busy.
	ClockCycles int64 `json:"clock_cycles"`
	RunCycles   int64 `json:"run_cycles"`
	Launches    int64 `json:"launches"`
	ImageLoads  int64 `json:"image_loads"`
	// RefusedRegisters counts accesses to registers that got an error response.
	RefusedRegisters int64 `json:"refused_registers"`
	// Note is the first thing that went wrong at the buses of the device, "" for none.
	Note string `json:"note"`
}

// RunProgram runs a program made by BuildProgram to its end.
func RunProgram(ctx context.Context, executable string, o RunProgramOptions) (*DeviceReport, error) {
	dir, err := os.MkdirTemp("", "loom-program-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	report := filepath.Join(dir, "report.json")
	l := o.Latency.OrDefault()
	if executable, err = filepath.Abs(executable); err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, executable, o.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Stdin, o.Stdout, o.Stderr
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = append(os.Environ(), "LOOM_SIM_REPORT="+report,
		fmt.Sprintf("LOOM_SIM=latency %d %d %d stall %d %d cycles %d", l.Min, l.Max, l.Seed, o.Stall, o.StallSeed, o.MaxCycles))
	var dma []string
	for _, d := range o.DMA {
		dma = append(dma, fmt.Sprintf("0x%x %s", d.Address, d.File))
	}
	if len(dma) > 0 {
		cmd.Env = append(cmd.Env, "LOOM_SIM_DMA="+strings.Join(dma, "\n"))
	}
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
	rep := &DeviceReport{Status: "none"}
	text, readErr := os.ReadFile(report)
	if readErr == nil {
		if err := json.Unmarshal(text, rep); err != nil {
			return nil, fmt.Errorf("the simulation wrote a report that cannot be read: %w", err)
		}
	}
	rep.Exit = cmd.ProcessState.ExitCode()
	return rep, nil
}
