// Package interp executes structured modules (func, arith, index, math, memref,
// scf, affine, and cf where a region has several blocks) directly: level 1 of the
// verification ladder, whose outcome is the reference for all later levels (design page
// "Simulation").
//
// A function is compiled once into closures over numbered slots and then run.
// Pure operations are those of package num, with its documented values where
// MLIR leaves results undefined. Beyond that the interpreter defines:
//
//   - scf.for compares with sign at the width of its induction variable, or
//     without it if unsignedCmp is set, and adds its step with wrap-around,
//     as the upstream lowering to branches does. A loop that starts with a step
//     that is not positive is an error.
//   - scf.parallel, scf.forall and affine.parallel run their iterations in
//     row-major order.
//   - Affine expressions are integers: a value that does not fit an index, a
//     division by a number that is not positive and an affine loop that counts past
//     the largest index are errors.
//   - Fresh memory and ub.poison hold zeros; Options.CheckUndefined and
//     Options.Fill find programs whose outcome may depend on the former.
//   - A parameter with a strided layout is a window on the memory it is given
//     (vector.StorageType).
//   - Every access is checked against the shape of the memref it names, and
//     every view against the memory below it.
package interp

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/sim/vector"
)

// Options controls a run.
type Options struct {
	// IndexWidth is the width of index values in bits; 0 means 64.
	IndexWidth int
	// MaxSteps bounds the executed operations; 0 means DefaultMaxSteps. A run
	// that reaches it ends with status budget.
	MaxSteps int64
	// MaxDepth bounds the nesting of calls; 0 means DefaultMaxDepth. Deeper
	// recursion ends with status error.
	MaxDepth int
	// CheckUndefined makes reading an element of allocated memory before its first
	// write an error. Without it such an element is 0. Other levels do not
	// guarantee that: MLIR leaves it undefined, and hardware reads what the last
	// user of the memory left there.
	CheckUndefined bool
	// Fill is the initial value of the elements of allocated memory instead of 0,
	// truncated to their width. If it changes the outcome, the program reads elements
	// before their first write.
	Fill uint64
	// Only, when not nil, restricts CheckUndefined and Fill to the memory of this
	// memref.alloc or memref.alloca.
	Only *ir.Operation
	// Watch, when not nil, is notified of the calls of one function.
	Watch *Watch
	// Profile, when not nil, receives the work of a run and of each loop.
	Profile *Profile
}

// The limits that Options of 0 select.
const (
	DefaultMaxSteps = int64(2_000_000_000)
	DefaultMaxDepth = 1000
)

// Error codes of outcomes that correspond to a hardware error code (design page
// "Error symbols"); other faults have the code 0.
const (
	CodeZeroStep    = 259 // RT_DATAFLOW_STREAM_ZERO_STEP
	CodeOutOfBounds = 512 // RT_MEMORY_ADDR_OOB
)

// Program is a compiled function; it may be run many times, also concurrently.
type Program struct {
	sig   *vector.Signature
	entry *function
	opts  Options
}

// Compile prepares a func.func and everything it calls. The error, a
// *diag.Diagnostic or *diag.List, names the operation that cannot be executed.
func Compile(fn *ir.Operation, opts Options) (*Program, error) {
	if opts.IndexWidth == 0 {
		opts.IndexWidth = 64
	}
	if opts.MaxSteps == 0 {
		opts.MaxSteps = DefaultMaxSteps
	}
	if opts.MaxDepth == 0 {
		opts.MaxDepth = DefaultMaxDepth
	}
	if fn.Name != opname.FuncFunc {
		return nil, diag.New(fn.Pos, "'%s' is no function", fn.Name)
	}
	if opts.IndexWidth < 1 || opts.IndexWidth > 64 {
		return nil, diag.New(fn.Pos, "an index width of %d bits cannot be computed", opts.IndexWidth)
	}
	sig, err := vector.SignatureOf(fn)
	if err != nil {
		return nil, err
	}
	for i, t := range sig.Results {
		if kindOf(t, opts.IndexWidth) != scalarKind {
			return nil, diag.New(fn.Pos, "result %d of %s is a %s; only scalars can be results", i, ir.SymbolText(sig.Name), t)
		}
	}
	m := &moduleCompiler{opts: opts, functions: map[*ir.Operation]*function{}, globals: map[*ir.Operation]int{}}
	entry := m.function(fn)
	m.compilePending()
	if err := m.errs.Err(); err != nil {
		return nil, err
	}
	return &Program{sig: sig, entry: entry, opts: opts}, nil
}

// Run compiles and executes a function on inputs, which it does not modify. An
// error means that the function or the inputs cannot be executed at all. Faults
// during execution are reported in the outcome: status error with the position of
// the faulting operation in Detail, or status budget.
func Run(fn *ir.Operation, in *vector.Inputs, opts Options) (*vector.Outcome, error) {
	p, err := Compile(fn, opts)
	if err != nil {
		return nil, err
	}
	return p.Run(in)
}

// Run executes the program once.
func (p *Program) Run(in *vector.Inputs) (*vector.Outcome, error) {
	if len(in.Args) != len(p.sig.Params) {
		return nil, diag.New(p.sig.Pos, "%s takes %d arguments, %d are given", ir.SymbolText(p.sig.Name), len(p.sig.Params), len(in.Args))
	}
	in = in.Clone()
	st := &state{maxSteps: p.opts.MaxSteps, maxDepth: p.opts.MaxDepth, globals: map[int]view{}}
	if p.opts.Profile != nil {
		st.loops = map[*ir.Operation]int64{}
	}
	fr := st.frame(p.entry)
	out := &vector.Outcome{Status: vector.Done}
	for i, a := range in.Args {
		param := p.sig.Params[i]
		if err := checkArgument(p.sig, param, a); err != nil {
			return nil, err
		}
		at := p.entry.params[i]
		if a.Mem == nil {
			fr.v[at.index] = num.Truncate(a.Scalar, param.Type, p.opts.IndexWidth)
			continue
		}
		a.Mem.Name = param.Name
		v, err := argumentView(p.entry.op.Regions[0].Entry().Args[i].Type.(*ir.MemRefType), a.Mem)
		if err != nil {
			return nil, diag.New(p.sig.Pos, "argument %q: %v", param.Name, err)
		}
		fr.m[at.index] = v
		out.Memories = append(out.Memories, a.Mem)
	}
	f := p.entry.body.run(fr)
	if p.opts.Profile != nil {
		*p.opts.Profile = Profile{Work: st.work, Loops: st.loops}
	}
	if f != nil && f.err != nil {
		return nil, f.err
	}
	if f == nil {
		for i, s := range p.entry.results {
			out.Results = append(out.Results, vector.Scalar{Type: p.sig.Results[i], Bits: fr.v[s.index]})
		}
		return out, nil
	}
	out.Status, out.ErrorCode = f.status, f.code
	out.Detail = append([]string{fmt.Sprintf("%s: %s", f.pos, f.message)}, f.calls...)
	return out, nil
}

// argumentView is the memref that a parameter of type t is: the whole memory, or
// for a strided layout the window on its storage (vector.StorageType).
func argumentView(t *ir.MemRefType, mem *vector.Memory) (view, error) {
	if vector.StorageType(t) == t {
		return contiguous(mem.Data, mem.Shape), nil
	}
	shape, ok := vector.StoredShape(t, int64(len(mem.Data)))
	if !ok {
		return view{}, fmt.Errorf("a memory of %d elements does not determine the shape of %s", len(mem.Data), t)
	}
	return view{buf: &buffer{data: mem.Data}, offset: t.Layout.Offset, shape: shape, strides: t.Layout.Strides}, nil
}

// checkArgument returns an error for a value that does not have the parameter's type.
func checkArgument(sig *vector.Signature, p vector.Param, a vector.Arg) error {
	mt, isMem := p.Type.(*ir.MemRefType)
	switch {
	case isMem != (a.Mem != nil):
		return diag.New(sig.Pos, "argument %q must be a %s", p.Name, p.Type)
	case !isMem:
		return nil
	}
	ok := len(a.Mem.Shape) == len(mt.Shape) && a.Mem.Elem == mt.Elem
	n := int64(1)
	for i, d := range a.Mem.Shape {
		ok = ok && d >= 0 && d <= vector.MaxElements && (mt.Shape[i] == ir.Dynamic || mt.Shape[i] == d)
		if ok {
			n *= d
			ok = n <= vector.MaxElements
		}
	}
	if !ok || int64(len(a.Mem.Data)) != n {
		return diag.New(sig.Pos, "argument %q with shape %v of %s and %d elements does not fit %s",
			p.Name, a.Mem.Shape, a.Mem.Elem, len(a.Mem.Data), p.Type)
	}
	return nil
}

// fault ends a run early.
type fault struct {
	status  vector.Status
	code    int
	pos     diag.Pos
	message string
	calls   []string // "called at …", innermost first
	err     error    // of Watch.Replace: the run cannot go on
}

func faultf(pos diag.Pos, code int, format string, args ...any) *fault {
	return &fault{status: vector.Error, code: code, pos: pos, message: fmt.Sprintf(format, args...)}
}

// state is what all frames of one run share.
type state struct {
	steps    int64
	work     int64 // of Profile
	loops    map[*ir.Operation]int64
	maxSteps int64
	depth    int
	maxDepth int
	live     int64 // elements of allocated memory
	globals  map[int]view
}

// frame holds the slots of one activation of a function.
type frame struct {
	st *state
	fn *function
	v  []uint64 // scalars
	m  []view   // memrefs
	// local is how many elements of st.live are freed when the frame ends.
	local int64
}

func (st *state) frame(fn *function) *frame {
	return &frame{st: st, fn: fn, v: make([]uint64, fn.scalars), m: make([]view, fn.views)}
}

// charge counts work and reports the end of the budget.
func (st *state) charge(n int64, pos diag.Pos) *fault {
	if st.steps += n; st.steps > st.maxSteps {
		return &fault{status: vector.Budget, pos: pos,
			message: fmt.Sprintf("the limit of %d steps is reached here", st.maxSteps)}
	}
	return nil
}
