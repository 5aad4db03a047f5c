// Package cgen writes structured functions (func, scf, arith, index, math, memref) as
// C: what stays on the host when a loop becomes hardware, and a second opinion on what
// a program means.
//
// The C means what package interp computes, operation by operation. Integers are held
// without sign in the next standard width with all higher bits zero, so that arithmetic
// wraps; index has the width of Options.IndexWidth; what C leaves undefined (division
// by zero, wide shifts, conversions out of range) has the value that package num
// documents. It is clean as C99 to C17 and as C++ with -Wall -Wextra -pedantic, and
// takes for granted what every compiler of today does: two's complement, arithmetic
// shifts of negative numbers, IEEE floats that are not computed in wider registers.
// Memory accesses are not checked.
//
// The functions of math are those of C's library, whose last bit may differ from the
// interpreter's.
package cgen

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/sizes"
)

// Options of a Unit.
type Options struct {
	// IndexWidth is the width of index in bits; 0 is 64.
	IndexWidth int
	// External are the functions that are called and not written, by symbol.
	External map[string]External
	// Context is a parameter that every function has in front of the others, as
	// External functions need it: its declaration and its name; "" for none.
	ContextDecl, Context string
	// Take is the C function that gives so many bytes of the memory that External functions
	// reach, null where too few are left: Take(Context, bytes). Release(Context, piece) gives a
	// piece back and all that was taken after it; NoMemory is the status for null. Arrays of
	// the functions that External functions get are taken there; without Take they are C's.
	Take, Release, NoMemory string
}

// External is a C function that replaces a function: it has the parameters
// that Unit.Function gives such a function and returns 0, or a status that ends
// everything.
type External struct{ Name string }

// Unit is a C file that is being written. The functions of a module refer to each other by name.
type Unit struct {
	opts    Options
	names   *Namer
	module  *ir.Operation
	headers map[string]bool
	wanted  map[string]bool
	helpers []string
	tables  []table
	// globals are the C arrays of the memref.globals.
	globals   map[string]string
	taken     []Taken
	functions []string
	cnames    map[string]string
	pending   []*ir.Operation
	errs      diag.List
}

// Taken is an array that is taken from the memory that External functions reach.
type Taken struct {
	Name string
	// Bytes is its size, 0 where the program computes it.
	Bytes int64
}

// Taken are the arrays of all functions written so far that are taken by Options.Take.
func (u *Unit) Taken() []Taken { return u.taken }

// reached reports whether an External function gets an array or a window on it.
func (u *Unit) reached(v *ir.Value, depth int) bool {
	const deepest = 100 // recursion: assume the worst
	if u.opts.Take == "" || depth > deepest {
		return u.opts.Take != ""
	}
	for _, use := range v.Uses() {
		if use.Op.Name == opname.FuncCall {
			ref, ok := use.Op.Attr("callee").(*ir.SymbolRefAttr)
			if !ok {
				continue
			}
			callee := u.find(ref.Root)
			if u.external(ref.Root) || callee != nil && callee.Regions[0].Entry() != nil && u.reached(callee.Regions[0].Entry().Args[use.Index], depth+1) {
				return true
			}
			continue
		}
		for _, r := range use.Op.Results() {
			if isMemRef(r.Type) && u.reached(r, depth+1) {
				return true
			}
		}
	}
	return false
}

// table is a memref.global as C; reset brings one that the program changes to its
// initial values.
type table struct{ name, text, reset string }

// New starts a C file for functions of a module.
func New(module *ir.Operation, opts Options) *Unit {
	if opts.IndexWidth == 0 {
		opts.IndexWidth = 64
	}
	return &Unit{opts: opts, names: NewNamer("status", opts.Context), module: module, headers: map[string]bool{"<stdint.h>": true},
		wanted: map[string]bool{}, globals: map[string]string{}, cnames: map[string]string{}}
}

// Name is the C name of a function that was written.
func (u *Unit) Name(fn *ir.Operation) string { return u.cnames[fn.SymName()] }

// Headers are the headers that the text needs, sorted.
func (u *Unit) Headers() []string {
	var out []string
	for h := range u.headers {
		out = append(out, h)
	}
	sort.Strings(out)
	return out
}

// Text is everything written so far, without includes: helpers, tables, functions.
func (u *Unit) Text() string {
	code := strings.Join(u.functions, "\n")
	var parts, resets []string
	parts = append(parts, u.helpers...)
	for _, t := range u.tables {
		if !regexp.MustCompile(`\b` + t.name + `\b`).MatchString(code) {
			continue // nothing reads or writes it
		}
		parts = append(parts, t.text)
		if t.reset != "" {
			resets = append(resets, t.reset)
		}
	}
	reset := strings.Join(append(resets, ""), "\n")
	for _, text := range u.functions {
		parts = append(parts, strings.Replace(text, resetMark+"\n", reset, 1))
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// Param is one parameter of a written function.
type Param struct {
	// Decl is its declaration, Name the identifier in it.
	Decl, Name string
	// Arg is the position among the function's arguments, -1 for results.
	Arg int
	// Result is the position among the results, -1 for arguments.
	Result int
	// Dim is the dimension of a memref whose extent this is, -1 for the rest.
	Dim int
}

// Params are the parameters of a function as C: numbers by value, memrefs as pointers
// with their dynamic extents behind them (all but the outermost one, and but those that are
// parameters of the function), results as pointers.
func (u *Unit) Params(fn *ir.Operation) ([]Param, error) {
	n := NewNamer("status", u.opts.Context)
	var out []Param
	for i, a := range fn.Regions[0].Entry().Args {
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("arg%d", i)
		}
		mt, isMem := a.Type.(*ir.MemRefType)
		if !isMem {
			c := CType(a.Type, u.opts.IndexWidth)
			if c == "" {
				return nil, unsupportedType(fn.Pos, a.Type)
			}
			id := n.Pick(name)
			out = append(out, Param{c + " " + id, id, i, -1, -1})
			continue
		}
		c := CType(mt.Elem, u.opts.IndexWidth)
		if c == "" {
			return nil, unsupportedType(fn.Pos, a.Type)
		}
		id := n.Pick(name)
		out = append(out, Param{c + " *" + id, id, i, -1, -1})
		for d, extent := range mt.Shape {
			if extent == ir.Dynamic && sizes.Param(a, d) == nil && !u.external(fn.SymName()) && (d > 0 || u.usesExtent(a, 0)) {
				idx := CType(ir.Index, u.opts.IndexWidth)
				dim := n.Pick(fmt.Sprintf("%s_dim%d", name, d))
				out = append(out, Param{idx + " " + dim, dim, i, -1, d})
			}
		}
	}
	ft := fn.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType)
	for i, t := range ft.Results {
		c := CType(t, u.opts.IndexWidth)
		if c == "" {
			return nil, unsupportedType(fn.Pos, t)
		}
		id := n.Pick(fmt.Sprintf("result%d", i))
		out = append(out, Param{c + " *" + id, id, -1, i, -1})
	}
	return out, nil
}

func unsupportedType(pos diag.Pos, t ir.Type) error {
	return diag.New(pos, "a value of type %s has no C type on the host", t)
}

// external reports whether a function is called and not written: such a function knows
// the extents that it needs.
func (u *Unit) external(symbol string) bool {
	_, ok := u.opts.External[symbol]
	return ok
}

// usesExtent reports whether the outermost extent of a memref matters to its function.
func (u *Unit) usesExtent(v *ir.Value, depth int) bool {
	for _, use := range v.Uses() {
		switch use.Op.Name {
		case opname.MemRefLoad, opname.MemRefStore, opname.MemRefDealloc:
		case opname.MemRefDim:
			if d, ok := use.Op.Operand(1).ConstantInt(); !ok || d == 0 {
				return true
			}
		case opname.FuncCall:
			ref, ok := use.Op.Attr("callee").(*ir.SymbolRefAttr)
			if ok && u.external(ref.Root) {
				continue
			}
			const deepest = 100 // recursion: assume the worst
			if callee := u.find(ref.Root); !ok || callee == nil || depth > deepest || callee.Regions[0].Entry() == nil ||
				u.usesExtent(callee.Regions[0].Entry().Args[use.Index], depth+1) {
				return true
			}
		default:
			return true
		}
	}
	return false
}

// Function writes a function under a C name, and whatever it calls. It returns int: 0,
// or the status with which an External function failed. The error is a *diag.List.
func (u *Unit) Function(fn *ir.Operation, name string, static bool) error {
	u.cnames[fn.SymName()] = u.names.Pick(name)
	u.write(fn, static, true)
	for len(u.pending) > 0 {
		next := u.pending[0]
		u.pending = u.pending[1:]
		u.write(next, true, false)
	}
	return u.errs.Err()
}

// write writes one function; the entry brings the changed globals to their initial
// values.
func (u *Unit) write(fn *ir.Operation, static, entry bool) {
	if len(fn.Regions[0].Blocks) != 1 {
		u.errs.Errorf(fn.Pos, "function %s has branches; only structured code becomes C", ir.SymbolText(fn.SymName()))
		return
	}
	params, err := u.Params(fn)
	if err != nil {
		u.errs.Add(diag.FromError(err).All[0])
		return
	}
	f := &function{u: u, op: fn, names: NewNamer("status", u.opts.Context), values: map[*ir.Value]string{}, views: map[*ir.Value]*view{}, dead: deadOps(fn), indent: 1}
	var decls []string
	if u.opts.ContextDecl != "" {
		decls = append(decls, u.opts.ContextDecl)
	}
	args := fn.Regions[0].Entry().Args
	dims := map[int]map[int]string{}
	extent := func(arg, dim int, name string) {
		if dims[arg] == nil {
			dims[arg] = map[int]string{}
		}
		dims[arg][dim] = name
	}
	for _, p := range params {
		f.names.used[p.Name] = true
		decls = append(decls, p.Decl)
		if p.Dim >= 0 {
			extent(p.Arg, p.Dim, p.Name)
		}
		for _, s := range sizes.Of(fn) {
			if s.Param == p.Arg {
				extent(s.Of, s.Dim, p.Name)
			}
		}
	}
	for _, p := range params {
		switch {
		case p.Dim >= 0, p.Result >= 0:
		case isMemRef(args[p.Arg].Type):
			f.views[args[p.Arg]] = f.parameterView(args[p.Arg].Type.(*ir.MemRefType), p.Name, dims[p.Arg])
		default:
			f.values[args[p.Arg]] = p.Name
		}
		if p.Result >= 0 {
			f.results = append(f.results, p.Name)
		} else {
			f.mark(p.Name)
		}
	}
	if u.opts.Context != "" {
		f.mark(u.opts.Context)
	}
	f.block(fn.Regions[0].Entry(), func(t *ir.Operation) {
		for i, v := range t.Operands() {
			f.line("*%s = %s;", f.results[i], f.val(v))
		}
		f.line("return 0;")
	})
	head := fmt.Sprintf("int %s(%s)", u.cnames[fn.SymName()], strings.Join(decls, ",\n    "))
	if len(decls) == 0 {
		head = fmt.Sprintf("int %s(void)", u.cnames[fn.SymName()])
	}
	proto := ""
	if static {
		head = "static " + head
	} else {
		proto = head + ";\n\n"
	}
	var status, reset []string
	if f.calls {
		status = []string{"    int status;"}
	}
	if entry {
		reset = []string{resetMark} // what is called may have globals, too
	}
	text := proto + head + "\n{\n" + strings.Join(append(append(status, reset...), f.finish()...), "\n") + "\n}"
	// What is called stands in front of its callers.
	u.functions = append([]string{text}, u.functions...)
}

// pure reports whether an operation can be left out when nothing reads its results.
func pure(op *ir.Operation) bool {
	switch op.Name {
	case opname.MemRefLoad, opname.MemRefDim, opname.MemRefRank, opname.MemRefGetGlobal, opname.MemRefCast, opname.MemRefMemorySpaceCast, opname.UBPoison:
		return true
	}
	return num.Supported(op.Name)
}

// deadOps are the operations that nothing needs.
func deadOps(fn *ir.Operation) map[*ir.Operation]bool {
	var all []*ir.Operation
	fn.Walk(func(op *ir.Operation) bool { all = append(all, op); return true })
	dead := map[*ir.Operation]bool{}
	for i := len(all) - 1; i >= 0; i-- {
		op := all[i]
		if !pure(op) {
			continue
		}
		live := false
		for _, r := range op.Results() {
			for _, use := range r.Uses() {
				live = live || !dead[use.Op]
			}
		}
		dead[op] = !live
	}
	return dead
}

func isMemRef(t ir.Type) bool { _, ok := t.(*ir.MemRefType); return ok }
