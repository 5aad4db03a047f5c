package hostsim

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"loom/compiler/arch"
	"loom/compiler/config"
	"loom/compiler/diag"
	"loom/compiler/latency"
	"loom/internal/tools"
)

//go:embed harness/loom_sim.h
var simHeader string

//go:embed harness/device.c
var deviceC string

// Driver is the name of the file whose register accesses are replaced by those of the device.
const Driver = "loom_accel.c"

// Sources are what a program is compiled from.
type Sources struct {
	// Files are C (.c) and C++ files (any other extension), among them the host functions
	// and loom_accel.c.
	Files []string
	// Flags go to both compilers: -I and -D; CFlags and CXXFlags to one of them.
	Flags, CFlags, CXXFlags []string
}

// Compile compiles a program, except for the functions that access registers, to object files
// in a directory, where it puts loom_sim.h, too. cxx reports whether C++ is among it. What does
// not compile is a *diag.Diagnostic, other errors are those of package tools.
func (s *Sources) Compile(ctx context.Context, dir string) (objects []string, cxx bool, err error) {
	if err := os.WriteFile(filepath.Join(dir, "loom_sim.h"), []byte(simHeader), 0o644); err != nil {
		return nil, false, err
	}
	for i, source := range s.Files {
		object := filepath.Join(dir, fmt.Sprintf("%d.o", i))
		tool, flags := tools.CXX, s.CXXFlags
		if filepath.Ext(source) == ".c" {
			tool, flags = tools.CC, s.CFlags
		} else {
			cxx = true
		}
		args := slices.Concat([]string{"-g", "-O1", "-I" + dir}, s.Flags, flags, []string{"-c", source, "-o", object})
		if filepath.Base(source) == Driver {
			args = append(args, "-DLOOM_ACCEL_CUSTOM_IO")
		}
		if err := call(ctx, tool, source, args); err != nil {
			return nil, false, err
		}
		objects = append(objects, object)
	}
	return objects, cxx, nil
}

// Link links object files and libraries to a program, with the compiler of C++ or of C. What
// cannot be linked is a *diag.Diagnostic.
func Link(ctx context.Context, executable string, cxx bool, parts []string) error {
	tool := tools.CC
	if cxx {
		tool = tools.CXX
	}
	return call(ctx, tool, "", append([]string{"-o", executable}, parts...))
}

// call runs a compiler on a source of the user's, "" for the linker. Its failure becomes a
// diagnostic.
func call(ctx context.Context, tool, source string, args []string) error {
	path, err := tools.Find(tool)
	if err != nil {
		return err
	}
	_, err = tools.Run(ctx, "", path, args...)
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

// Build makes a program whose register accesses go to a Device. It runs under Run alone.
func Build(ctx context.Context, s Sources, executable string) error {
	dir, err := os.MkdirTemp("", "loom-program-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	device := filepath.Join(dir, "loom_device.c")
	if err := os.WriteFile(device, []byte(deviceC), 0o644); err != nil {
		return err
	}
	objects, cxx, err := s.Compile(ctx, dir)
	if err != nil {
		return err
	}
	object := filepath.Join(dir, "device.o")
	cc, err := tools.Find(tools.CC)
	if err != nil {
		return err
	}
	if _, err := tools.Run(ctx, "", cc, "-std=c99", "-O1", "-c", device, "-o", object); err != nil {
		return err
	}
	return Link(ctx, executable, cxx, append(objects, object, "-lm"))
}

// RunOptions are the environment of a run of a program.
type RunOptions struct {
	Args           []string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Latency, Stall and StallSeed are as in a co-simulation, and stalls hold back the
	// register accesses, too. MaxCycles bounds the clock cycles of the whole program, 0 for no
	// bound.
	Latency   latency.Profile
	Stall     int
	StallSeed uint64
	MaxCycles int64
	// DMA are the files that are the memory of the fabric instead of the program's, each from
	// an address on its bus.
	DMA []DMA
}

// DMA is a file that stands for memory at an address on the fabric's bus.
type DMA struct {
	File    string
	Address uint64
}

// Command is the call of a program, with the DMA files in its environment.
func (o *RunOptions) Command(ctx context.Context, executable string) (*exec.Cmd, error) {
	executable, err := filepath.Abs(executable)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, executable, o.Args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = o.Stdin, o.Stdout, o.Stderr
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = os.Environ()
	var dma []string
	for _, d := range o.DMA {
		dma = append(dma, fmt.Sprintf("0x%x %s", d.Address, d.File))
	}
	if len(dma) > 0 {
		cmd.Env = append(cmd.Env, "LOOM_SIM_DMA="+strings.Join(dma, "\n"))
	}
	return cmd, nil
}

// Run runs a program made by Build to its end, with the fabric as its device.
func Run(ctx context.Context, executable string, f *arch.Fabric, l *config.Layout, o RunOptions) (*Report, error) {
	cmd, err := o.Command(ctx, executable)
	if err != nil {
		return nil, err
	}
	theirs, toThem, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	fromThem, ours, err := os.Pipe()
	if err != nil {
		theirs.Close()
		toThem.Close()
		return nil, err
	}
	cmd.ExtraFiles = []*os.File{theirs, ours} // 3 and 4
	err = cmd.Start()
	theirs.Close()
	ours.Close()
	var rep *Report
	if err == nil {
		p := &peer{r: bufio.NewReader(fromThem), w: bufio.NewWriter(toThem)}
		rep, err = serve(ctx, p, func() (*Device, error) {
			return NewDevice(f, l, DeviceOptions{o.Latency, o.Stall, o.StallSeed, o.MaxCycles, p})
		})
	}
	toThem.Close()
	fromThem.Close()
	if cmd.Process == nil {
		return nil, err
	}
	waitErr := cmd.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	var exit *exec.ExitError
	if waitErr != nil && !errors.As(waitErr, &exit) {
		return nil, waitErr
	}
	rep.Exit = cmd.ProcessState.ExitCode()
	return rep, nil
}
