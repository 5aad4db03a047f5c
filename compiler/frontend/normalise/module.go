package normalise

import (
	"path/filepath"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// function is a function of the module, with the facts that choosing the kernel and
// check need.
type function struct {
	op *ir.Operation
	// link is the name for the linker; name, shown and full are its spellings in the source:
	// "dot<int, 4>", "ns::dot<int, 4>" and "ns::dot<int, 4>(int const*, int const*)".
	link, name, shown, full string
	// entry is its debug information, nil where there is none.
	entry *llvm.Entry
	// calls are the defined functions it calls, each once, in the order of the text.
	calls []*function
	// refers are the functions it refers to: calls, or takes the address of.
	refers []*function
	// others are how many other functions, without main, refer to it; tables count.
	others, tables int
	// io is whether it calls a function that prints or reads, unfit whether it calls
	// another that cannot be accelerated.
	io, unfit bool
	// mine is whether it is defined in the file that was compiled, not in one it includes.
	mine bool
}

// module is the module with its functions by name.
type module struct {
	op     *ir.Operation
	funcs  []*function // defined ones, in the order of the text
	byName map[string]*function
	// approximate is whether a function of the library is used that rounds differently.
	approximate bool
	// declared is the debug information of functions by the linker's name.
	declared map[string]*llvm.Entry
}

func newModule(op *ir.Operation, debug *llvm.Debug) *module {
	m := &module{op: op, byName: map[string]*function{}, declared: subprograms(debug)}
	for _, o := range op.Regions[0].Blocks[0].Ops {
		if o.Name != opname.LLVMFunc || !hasBody(o) {
			continue
		}
		f := &function{op: o, link: o.SymName()}
		f.entry = m.declared[f.link]
		f.name, f.shown, f.full = sourceNames(f.link, f.entry)
		f.mine = inUnit(f.entry)
		m.funcs = append(m.funcs, f)
		m.byName[f.link] = f
	}
	for _, o := range op.Regions[0].Blocks[0].Ops {
		if o.Name != opname.LLVMMlirGlobal {
			continue
		}
		o.Walk(func(o *ir.Operation) bool { // tables of functions
			if o.Name == opname.LLVMMlirAddressOf {
				if g := m.byName[symbol(o.Result(0))]; g != nil {
					g.others++
					g.tables++
				}
			}
			return true
		})
	}
	for _, f := range m.funcs {
		seen, named := map[*function]bool{}, map[*function]bool{f: true}
		f.op.Walk(func(o *ir.Operation) bool {
			name := callee(o)
			if g := m.byName[name]; g != nil && !seen[g] {
				seen[g] = true
				f.calls = append(f.calls, g)
			}
			if r, ok := whyExternal(name); ok && r == doesIO {
				f.io = true
			} else if ok && !onHeap(o) && !freesLocal(o) {
				f.unfit = true
			}
			if o.Name == opname.LLVMMlirAddressOf {
				name = symbol(o.Result(0))
			}
			if g := m.byName[name]; g != nil && !named[g] {
				named[g] = true
				f.refers = append(f.refers, g)
				if f.link != "main" {
					g.others++
				}
			}
			return true
		})
	}
	return m
}

// inUnit reports whether a function is in the file that its unit was compiled from.
func inUnit(e *llvm.Entry) bool {
	if e == nil {
		return false
	}
	unit, file := e.Ref("compileUnit"), e.Ref("file")
	if unit == nil || file == nil || unit.Ref("file") == nil {
		return false
	}
	return filePath(unit.Ref("file")) == filePath(file)
}

// filePath is a file as the text names it, "name" in "directory": of a full path the name
// alone, for which clang notes one directory here and another there.
func filePath(file *llvm.Entry) string {
	text := strings.Join(file.Plain, ", ")
	if end := strings.LastIndex(text, `" in "`); end > 0 && filepath.IsAbs(text[1:end]) {
		return text[:end]
	}
	return text
}

func hasBody(f *ir.Operation) bool { return len(f.Regions) > 0 && len(f.Regions[0].Blocks) > 0 }

// callee is the name of the function that a call names, "" where it names none.
func callee(op *ir.Operation) string {
	if op.Name != opname.LLVMCall && op.Name != opname.LLVMInvoke {
		return ""
	}
	if s, ok := op.Attr("callee").(*ir.SymbolRefAttr); ok {
		return s.Root
	}
	return ""
}

// reachable lists the function and all that it calls, callees behind callers where
// there is no recursion.
func (m *module) reachable(f *function) []*function {
	var out []*function
	seen := map[*function]bool{}
	var visit func(f *function)
	visit = func(f *function) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, g := range f.calls {
			visit(g)
		}
		out = append(out, f)
	}
	visit(f)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

// prune erases everything but the kernel and the globals it uses.
func (m *module) prune(kernel *function) {
	used := map[string]bool{}
	globals := map[string]*ir.Operation{}
	ops := m.op.Regions[0].Blocks[0].Ops
	for _, o := range ops {
		if o.Name == opname.LLVMMlirGlobal {
			globals[o.SymName()] = o
		}
	}
	var mark func(op *ir.Operation)
	mark = func(op *ir.Operation) {
		op.Walk(func(o *ir.Operation) bool {
			if o.Name != opname.LLVMMlirAddressOf {
				return true
			}
			if s, ok := o.Attr("global_name").(*ir.SymbolRefAttr); ok && !used[s.Root] {
				used[s.Root] = true
				if g := globals[s.Root]; g != nil {
					mark(g) // its initial value may name others
				}
			}
			return true
		})
	}
	mark(kernel.op)
	for _, o := range append([]*ir.Operation(nil), ops...) {
		if o != kernel.op && !(o.Name == opname.LLVMMlirGlobal && used[o.SymName()]) {
			o.Erase()
		}
	}
}

// position is the source position of an operation: its own or, where
// optimisation left it none, that of the nearest operation before it, or else after
// it, or the function's.
func position(op *ir.Operation) diag.Pos {
	if inSource(op) {
		return op.Pos
	}
	b := op.Block()
	if b == nil {
		return op.Pos
	}
	at := 0
	for i, o := range b.Ops {
		if o == op {
			at = i
		}
	}
	for i := at; i >= 0; i-- {
		if inSource(b.Ops[i]) {
			return b.Ops[i].Pos
		}
	}
	for _, o := range b.Ops[at:] {
		if inSource(o) {
			return o.Pos
		}
	}
	for p := op.ParentOp(); p != nil; p = p.ParentOp() {
		if inSource(p) {
			return p.Pos
		}
	}
	return op.Pos
}

// inSource reports whether an operation has a source position. One without keeps
// the position in the IR's text that the parser gave it.
func inSource(op *ir.Operation) bool {
	_, ok := mlir.SourcePos(op.Loc)
	return ok && !strings.HasPrefix(op.Name, "llvm.intr.dbg")
}

// locate gives every operation of a function a source position.
func locate(f *ir.Operation) {
	f.Walk(func(o *ir.Operation) bool {
		if _, ok := mlir.SourcePos(o.Loc); !ok {
			o.Pos = position(o)
			o.Loc = mlir.FileLoc(o.Pos)
		}
		return true
	})
}
