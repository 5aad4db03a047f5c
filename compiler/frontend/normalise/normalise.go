// Package normalise brings a module of MLIR's llvm dialect into the form that raising
// expects: one function without calls, with nothing in it that hardware cannot do.
package normalise

import (
	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
)

// Options of one run.
type Options struct {
	// Function names the function, as the source or the linker spells it; "" takes
	// the only candidate.
	Function string
	// Debug is the debug information of the module, from which the functions' names
	// in the source come. It may be nil: then only the linker's names are known.
	Debug *llvm.Debug
}

// Run reduces the module to the chosen function and the globals it uses. The error
// is a *diag.List that names everything in the function that cannot be accelerated.
func Run(module *ir.Operation, opts Options, notes *diag.List) error {
	m := newModule(module, opts.Debug)
	kernel, err := m.choose(opts.Function, notes)
	if err != nil {
		return err
	}
	// The order: what is unreachable is no problem of the kernel; problems are looked
	// for while every call still shows where it stands; library calls become operations
	// before inlining so that only calls of defined functions are left for it.
	for _, f := range m.reachable(kernel) {
		dropUnreachable(f.op)
		locate(f.op)
	}
	if err := m.check(kernel, notes); err != nil {
		return err
	}
	for _, f := range m.reachable(kernel) {
		dropMarkers(f.op, notes)
		m.localHeap(f.op)
		m.libraryCalls(f)
		m.characterTables(f.op)
	}
	if m.approximate {
		kernel.op.SetAttr(Approximate, &ir.UnitAttr{})
	}
	m.inlineAll(kernel)
	m.expandMemory(kernel, opts.Debug, notes)
	mergeBlocks(kernel.op)
	if err := split(kernel.op); err != nil {
		return err
	}
	expandScalars(kernel.op)
	m.expandMath(kernel)
	mergeBlocks(kernel.op)
	dropUnused(kernel.op)
	m.prune(kernel)
	return nil
}
