// Package loom turns loop kernels into hardware: it lowers a kernel to an elastic
// dataflow graph, maps the graph onto a reconfigurable fabric, generates the fabric's
// SystemVerilog with configuration and driver, and checks by co-simulation with Verilator
// that the hardware computes the kernel's results. The command loom is a thin shell around
// this package.
//
// A kernel (C, C++, LLVM IR, structured MLIR, or a dataflow graph) and a fabric (an
// architecture description or Fabric MLIR) are read as a [Source]. The stages are:
//
//	Compile     Source               -> Kernel   a dataflow graph
//	LoadFabric  Source               -> Fabric
//	Map         Kernel, Fabric       -> Mapping  placed, routed, with configuration
//	Generate    Fabric               -> RTL
//	Simulate    Kernel, Inputs       -> Run      every level that needs no fabric
//	Cosimulate  Mapping, RTL, Inputs -> Run      every level, the hardware last
//
// Inputs come from Kernel.ReadInputs or Kernel.RandomInputs.
//
// Kernel, Fabric, Mapping, RTL and Run hold the results. Their Artifacts methods return
// the files that the command writes; only Artifacts.Write writes to the disk.
//
// Errors:
//   - An error in the input is a *diag.Diagnostic or a *diag.List with positions in the
//     source; diag.Render prints it with the source lines.
//   - An invalid option is an [OptionError].
//   - A missing or failed external program is an error for which [External] is true.
//   - A canceled context is the context's error. It is checked between levels, during
//     mapping, and while external programs run.
//
// What maps, simulates or runs external programs takes a context. What only reads or
// prints takes none (Parse, Verify, the functions Load…, Generate): the largest shipped
// fabric, of 144 PEs, is read in less than a second.
package loom

import (
	"errors"
	"fmt"

	"loom/compiler/diag"
	"loom/internal/tools"
	"loom/verilator"

	_ "loom/compiler/dialect/all" // registers every operation
)

// Version is the version that generated files name. A build may set it with
// -ldflags "-X loom.Version=…".
var Version = "0.1.0"

// Build is the build of a Verilator model: how long it will take, or took.
type Build = verilator.Build

// Watch holds the callbacks through which a stage reports while it runs. Nil callbacks are
// not called.
type Watch struct {
	// Progress is called with the name of each activity when it begins, and with "" when
	// it ends.
	Progress func(doing string)
	// Building is called when the build of a Verilator model begins and when it has ended:
	// the one step that may take minutes.
	Building func(Build)
	// Warn is called with each warning, in order.
	Warn func(*diag.Diagnostic)
	// External is called with true before external programs start and with false when all
	// have ended. A process that has to exit in between should cancel the context and wait
	// for the call with false.
	External func(working bool)
}

// doing reports the begin of an activity; calling done reports its end.
func (w *Watch) doing(what string) (done func()) {
	if w.Progress == nil {
		return func() {}
	}
	w.Progress(what)
	return func() { w.Progress("") }
}

// warn passes findings on.
func (w *Watch) warn(found ...*diag.Diagnostic) {
	if w.Warn == nil {
		return
	}
	for _, d := range found {
		w.Warn(d)
	}
}

// external reports that external programs start; calling done reports their end.
func (w *Watch) external() (done func()) {
	if w.External == nil {
		return func() {}
	}
	w.External(true)
	return func() { w.External(false) }
}

// OptionError is the error for an option with an invalid value.
type OptionError struct {
	// Option is the name of its command-line flag, without dashes.
	Option string
	// Text states the values it takes and the one that was found.
	Text string
}

// Error returns the option and the text.
func (e *OptionError) Error() string { return e.Option + " " + e.Text }

// External reports whether err comes from an external program (clang, MLIR's tools,
// Verilator, a C++ compiler): the program is missing, and the error names the package to
// install, or it has failed.
func External(err error) bool {
	return errors.As(err, new(*tools.MissingError)) || errors.As(err, new(*tools.FailedError))
}

func badOption(option, format string, args ...any) error {
	return &OptionError{option, fmt.Sprintf(format, args...)}
}
