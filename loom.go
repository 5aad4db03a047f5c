// Package loom turns loop kernels into hardware: it lowers a kernel to an elastic
// dataflow graph, maps the graph onto a reconfigurable fabric, generates the fabric's
// SystemVerilog with configuration and driver, and proves under Verilator that the
// hardware computes what the kernel means. The command loom is a shell around it.
//
// A kernel (C, C++, LLVM IR, structured MLIR, or a dataflow graph) and a fabric (an
// architecture description or Fabric MLIR) are read as a [Source]. From there
//
//	Compile     kernel               -> Kernel   a dataflow graph
//	LoadFabric  fabric               -> Fabric
//	Map         Kernel, Fabric       -> Mapping  placed, routed, tried out, with configuration
//	Generate    Fabric               -> RTL
//	Simulate    Kernel, Inputs       -> Run      every level that needs no fabric
//	Cosimulate  Mapping, RTL, Inputs -> Run      every level, the hardware last
//
// with Inputs from Kernel.ReadInputs or Kernel.RandomInputs.
//
// Kernel, Fabric, Mapping, RTL and Run hold what was found and, as [Artifacts], the
// files that the command writes; nothing is written before Artifacts.Write.
//
// Errors about the input are a *diag.Diagnostic or a *diag.List, with the place in the
// source; diag.Render shows them with its text. An option that cannot be is an
// [OptionError], [External] tells a program that is missing or has failed, and an end of
// the context is the error of the context, which is looked at between levels, while
// mapping, and all the time while programs of others work.
package loom

import (
	"errors"
	"fmt"

	"loom/compiler/diag"
	"loom/internal/tools"

	_ "loom/compiler/dialect/all" // registers every operation
)

// Version is what generated files name; a build may set it with
// -ldflags "-X loom.Version=…".
var Version = "0.1.0"

// Watch is how a caller follows a stage. The zero Watch is silence.
type Watch struct {
	// Progress is told what is being done, "" when that has ended.
	Progress func(doing string)
	// Warn is told each finding that does not stop the stage, in order.
	Warn func(*diag.Diagnostic)
	// External is told when programs of others begin and end to work: a process that
	// exits in between should end the context first, and wait.
	External func(working bool)
}

// doing reports what is being done; the result ends it.
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

// external reports that programs of others work; the result ends it.
func (w *Watch) external() (done func()) {
	if w.External == nil {
		return func() {}
	}
	w.External(true)
	return func() { w.External(false) }
}

// OptionError is an option with a value that no stage could make sense of.
type OptionError struct {
	// Option is its name as the command line spells it, without dashes.
	Option string
	// Text says what it takes and what was found.
	Text string
}

// Error is the option and the text.
func (e *OptionError) Error() string { return e.Option + " " + e.Text }

// External reports whether an error is that of a program that LOOM calls: it is missing,
// which the error says with the package that has it, or it has failed.
func External(err error) bool {
	return errors.As(err, new(*tools.MissingError)) || errors.As(err, new(*tools.FailedError))
}

func badOption(option, format string, args ...any) error {
	return &OptionError{option, fmt.Sprintf(format, args...)}
}
