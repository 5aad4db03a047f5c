// Package normalise brings a module of MLIR's llvm dialect into the form that raising
// expects: one function without calls, with nothing in it that hardware cannot do.
package normalise

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Options of one run.
type Options struct {
	// Function names the function, as the source or the linker spells it; "" takes
	// the only candidate.
	Function string
}

// Run reduces the module to the chosen function and the globals it uses. The error
// is a *diag.List that names everything in the function that cannot be accelerated.
func Run(module *ir.Operation, opts Options, notes *diag.List) error {
	return diag.New(module.Pos, "normalisation of LLVM IR is not available yet")
}
