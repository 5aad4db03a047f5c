// Package structure turns functions with branches (cf) into structured control flow
// (scf): counted loops become scf.for, everything else scf.while and scf.if.
package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Run structures every function of the module in place.
func Run(module *ir.Operation, notes *diag.List) error {
	return diag.New(module.Pos, "structuring of branches is not available yet")
}
