// Package lift converts one function of MLIR's llvm dialect into a func.func of arith,
// math, memref and cf: pointers become memrefs with subscripts.
//
// A pointer is a root (a parameter, a local array, a global variable) and a distance
// from its start. The distance is kept as a sum of multiples of values, so that
// subscripts can be read off it; a pointer that changes in a loop becomes a counter.
// What a root is made of (an array of scalars, of records, of several dimensions) is
// decided from the debug information and from the accesses together; where they do
// not fit each other, the root is an array of the smallest unit that is accessed and
// larger accesses are put together.
//
// Two rules hold. A volatile access is an ordinary one: no other agent
// sees the memory while the kernel runs. And a pointer that a caller passes is never
// null.
package lift

import (
	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/pass"
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
	// Overlap, if not nil, receives each remark on pointers that may overlap.
	Overlap func(*diag.Diagnostic)
	// Pass selects after which passes the module is verified or written.
	Pass pass.Options
}

// Accel is the attribute of the branch at the end of a loop that the source marks with
// "#pragma loom accel".
const Accel = "loom.accel"

// romMark is clang.ROMMark.
const romMark = "loom.rom"

// Run returns a new module with the lifted function and its globals. The function
// carries the attributes loom.c, cabi.MayAlias and cabi.ROM. The error is a *diag.List
// with everything that cannot be lifted. The given module is modified.
func Run(module *ir.Operation, opts Options, notes *diag.List) (*ir.Operation, error) {
	if opts.Debug == nil {
		opts.Debug = llvm.NewDebug("")
	}
	r := &lifter{
		opts: opts, notes: notes, module: module, errs: &diag.List{},
		ptrs: map[*ir.Value]*pointer{}, rootOf: map[*ir.Value]*root{}, units: map[*ir.Value]int64{},
		globals: map[string]*root{}, varNames: map[*ir.Value]string{}, subs: map[*ir.Value]subscripts{}, factors: map[*ir.Value]int64{}, spilled: map[*ir.Value]*ctype{}, declarations: map[*ir.Value]*llvm.Entry{},
	}
	passes().Run(r, opts.Pass, r.errs)
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	return r.out, nil
}

// lifter lifts one function.
type lifter struct {
	opts   Options
	notes  *diag.List
	errs   *diag.List
	module *ir.Operation
	fn     *ir.Operation // the llvm.func
	order  []*ir.Block   // its blocks in reverse post-order

	sig      *signature
	roots    []*root
	rootOf   map[*ir.Value]*root // parameters and local arrays
	globals  map[string]*root    // by symbol
	ptrs     map[*ir.Value]*pointer
	atoms    []*ir.Value         // pointers that are chosen at run time
	units    map[*ir.Value]int64 // bytes that one count of such a pointer stands for
	settled  bool                // the units are known
	subs     map[*ir.Value]subscripts
	factors  map[*ir.Value]int64 // known divisors of integers
	accesses []*access
	varNames map[*ir.Value]string // variables of the source, by debug information
	// variables are those that the debug information names, declarations their memory.
	variables    []*llvm.Entry
	declarations map[*ir.Value]*llvm.Entry
	// spilled are the types of the variables that hold structs passed by value.
	spilled map[*ir.Value]*ctype

	out *ir.Operation // the new module
	em  *emitter
}

func (r *lifter) errorf(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return r.errs.Errorf(r.position(pos), format, args...)
}

// position is pos, or that of the function where it is unknown.
func (r *lifter) position(pos diag.Pos) diag.Pos {
	if pos.Line == 0 {
		return r.fn.Pos
	}
	return pos
}

func isPtr(v *ir.Value) bool { return isPtrType(v.Type) }

func isPtrType(t ir.Type) bool {
	o, ok := t.(*ir.OpaqueType)
	return ok && len(o.Text) >= len("!llvm.ptr") && o.Text[:len("!llvm.ptr")] == "!llvm.ptr"
}
