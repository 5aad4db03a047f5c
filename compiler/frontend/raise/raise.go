// Package raise turns one function of MLIR's llvm dialect into a func.func of arith,
// math, memref and cf: pointers become memrefs with subscripts.
package raise

import (
	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
)

// Options of one run.
type Options struct {
	// Debug is the debug information of the module.
	Debug *llvm.Debug
	// Source is the C or C++ file, "" for none; Flags what its compiler needs, Cxx
	// whether it is C++. They go into the description of the function.
	Source string
	Flags  []string
	Cxx    bool
	// AssumeNoAlias treats all pointers as distinct.
	AssumeNoAlias bool
}

// Run returns a new module with the raised function and its globals. The function
// carries the attributes loom.c (package cabi) and MayAlias.
func Run(module *ir.Operation, opts Options, notes *diag.List) (*ir.Operation, error) {
	return nil, diag.New(module.Pos, "raising of LLVM IR is not available yet")
}

// MayAlias is a function attribute, a list of arrays of parameter positions: the
// memrefs of one array may overlap, so their accesses stay in order. Memrefs that are
// in none are distinct.
const MayAlias = "loom.may_alias"
