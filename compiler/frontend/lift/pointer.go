package lift

import (
	"math"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// rootKind is the kind of a root.
type rootKind uint8

const (
	nullRoot  rootKind = iota // the null pointer: nothing
	paramRoot                 // memory of the caller, behind a parameter
	localRoot                 // a local array
	globalRoot
)

// root is a piece of memory that pointers point into.
type root struct {
	kind  rootKind
	index int
	name  string
	pos   diag.Pos
	param *param        // of paramRoot
	alloc *ir.Operation // llvm.alloca of localRoot, llvm.mlir.global of globalRoot
	typ   *ctype        // what the root is an array of, nil where that is unknown
	shape []int64       // dimensions of records, outermost first
	// noalias is set where no other pointer reaches the memory (restrict).
	noalias  bool
	accesses []*access
	layout   *layout
}

// pointer is an address: a distance in bytes from the start of a root. With several roots
// sel is the pointer, chosen at run time, whose selector gives the root.
type pointer struct {
	roots []*root
	lin   sum
	sel   *ir.Value
}

func (r *lifter) newRoot(k rootKind, name string, pos diag.Pos) *root {
	o := &root{kind: k, index: len(r.roots), name: name, pos: pos}
	r.roots = append(r.roots, o)
	return o
}

// findPointers gives every pointer its roots and distance.
func (r *lifter) findPointers() {
	edges := ir.Edges(r.order)
	null := r.newRoot(nullRoot, "null", r.fn.Pos)
	for _, p := range r.sig.params {
		if p.pointer == nil {
			continue
		}
		o := r.newRoot(paramRoot, p.name, p.pos)
		o.param, o.typ, o.noalias = p, p.pointee, p.noalias
		o.shape = []int64{ir.Dynamic}
		o.typ, o.shape = flatten(o.typ, o.shape)
		r.rootOf[p.pointer] = o
	}
	for _, b := range r.order {
		for _, op := range b.Ops {
			if op.Name == opname.LLVMAlloca {
				r.localArray(op)
			}
		}
	}
	// What a pointer is chosen among, and how: block arguments by edge, selects.
	choices := map[*ir.Value][]*ir.Value{}
	for i, b := range r.order {
		for k, a := range b.Args {
			if i > 0 && isPtr(a) {
				for _, e := range edges[b] {
					choices[a] = append(choices[a], e.Passed()[k])
				}
				r.atoms = append(r.atoms, a)
			}
		}
		for _, op := range b.Ops {
			if op.Name == opname.LLVMSelect && isPtr(op.Result(0)) {
				choices[op.Result(0)] = op.Operands()[1:]
				r.atoms = append(r.atoms, op.Result(0))
			}
		}
	}
	for _, a := range r.atoms {
		r.ptrs[a] = &pointer{lin: one(atom{v: a}), sel: a}
	}
	for changed := true; changed; {
		changed = false
		for _, a := range r.atoms {
			p := r.ptrs[a]
			n := len(p.roots)
			for _, c := range choices[a] {
				for _, o := range r.pointer(c, null).roots {
					if !slices.Contains(p.roots, o) {
						p.roots = append(p.roots, o)
					}
				}
			}
			changed = changed || len(p.roots) != n
		}
		// Pointers computed from others are found again with all their roots.
		r.forgetComputed()
	}
	for _, a := range r.atoms {
		p := r.ptrs[a]
		slices.SortFunc(p.roots, func(a, b *root) int { return a.index - b.index })
		if len(p.roots) <= 1 {
			p.sel = nil
		}
	}
	r.forgetComputed()
	for changed := true; changed; {
		changed = false
		for _, a := range r.atoms {
			u := r.units[a]
			for _, c := range choices[a] {
				p := r.pointer(c, null)
				if len(p.roots) == 1 && p.roots[0] == null {
					continue
				}
				u = intmath.GCD(u, p.lin.C)
				for _, t := range p.lin.Terms {
					u = intmath.GCD(u, r.bytes(t))
				}
			}
			if u != r.units[a] {
				r.units[a], changed = u, true
			}
		}
	}
	// With the steps of all pointers it is known what their distances are multiples of.
	r.settled = true
}

// forgetComputed drops the results for pointers that are computed from others.
func (r *lifter) forgetComputed() {
	kept := map[*ir.Value]*pointer{}
	for _, a := range r.atoms {
		kept[a] = r.ptrs[a]
	}
	r.ptrs = kept
}

// bytes is the number of bytes that one count of a term's value stands for.
func (r *lifter) bytes(t term) int64 {
	if isPtr(t.Sym.v) {
		return t.Coef * r.units[t.Sym.v]
	}
	return t.Coef
}

// pointer finds the roots of a pointer. A pointer that cannot be followed has
// the root null; check reports it.
func (r *lifter) pointer(v *ir.Value, null *root) *pointer {
	if p := r.ptrs[v]; p != nil {
		return p
	}
	p := r.follow(v, null)
	r.ptrs[v] = p
	return p
}

// at is pointer after findPointers.
func (r *lifter) at(v *ir.Value) *pointer { return r.pointer(v, r.roots[0]) }

func (r *lifter) follow(v *ir.Value, null *root) *pointer {
	if o := r.rootOf[v]; o != nil {
		return &pointer{roots: []*root{o}}
	}
	op := v.Def
	if op == nil {
		return &pointer{roots: []*root{null}}
	}
	switch op.Name {
	case opname.LLVMGetElementPtr:
		base := r.pointer(op.Operand(0), null)
		p := &pointer{roots: base.roots, sel: base.sel, lin: base.lin}
		if steps, ok := r.steps(op); ok {
			for _, s := range steps {
				p.lin = plus(p.lin, s.index, s.bytes)
			}
			p.lin = r.cancelled(p.lin)
		}
		return p
	case opname.LLVMFreeze, opname.LLVMAddrSpaceCast, opname.LLVMBitcast, opname.LLVMIntrLaunderInvariantGroup, opname.LLVMIntrStripInvariantGroup:
		if isPtr(op.Operand(0)) {
			return r.pointer(op.Operand(0), null)
		}
	case opname.LLVMMlirAddressOf:
		if o := r.global(op); o != nil {
			return &pointer{roots: []*root{o}}
		}
	}
	return &pointer{roots: []*root{null}}
}

// step is one subscript of a getelementptr.
type step struct {
	index sum
	bytes int64
	field bool // the index of a struct's field: index is 0 and bytes its offset
	// array is what it is a subscript of, nil for the first one, which steps over whole objects.
	array *llvm.Type
}

// gepSteps takes a getelementptr apart; ok is false where its types are not known.
func gepSteps(op *ir.Operation) (steps []step, ok bool) {
	ta, isType := op.Attr("elem_type").(*ir.TypeAttr)
	raw, isArray := op.Attr("rawConstantIndices").(*ir.DenseArrayAttr)
	if !isType || !isArray || op.NumOperands() == 0 {
		return nil, false
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		return nil, false
	}
	next := 1
	for i, c := range raw.Values {
		index := sum{C: c}
		if c == math.MinInt32 {
			if next >= op.NumOperands() {
				return nil, false
			}
			v := op.Operand(next)
			next++
			if !ir.IsInt(v.Type) {
				return nil, false
			}
			index = sumOf(v)
		}
		if i == 0 {
			steps = append(steps, step{index: index, bytes: t.Size()})
			continue
		}
		switch t.Kind {
		case llvm.Array, llvm.Vector:
			steps = append(steps, step{index: index, bytes: t.Elem.Size(), array: t})
			t = t.Elem
		case llvm.StructType:
			if !index.IsConst() || index.C < 0 || index.C >= int64(len(t.Fields)) {
				return nil, false
			}
			steps = append(steps, step{index: sum{C: 1}, bytes: t.Offset(int(index.C)), field: true})
			t = t.Fields[index.C]
		default:
			return nil, false
		}
	}
	return steps, true
}

// localArray makes a root of an alloca that could not be promoted.
func (r *lifter) localArray(op *ir.Operation) {
	ta, isType := op.Attr("elem_type").(*ir.TypeAttr)
	if !isType {
		r.errorf(op.Pos, "a local variable has no type")
		return
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		r.errorf(op.Pos, "a local variable has a type that is not known: %v", err)
		return
	}
	o := r.newRoot(localRoot, r.localName(op), op.Pos)
	n, ok := constInt(op.Operand(0))
	if !ok || n <= 0 {
		r.errorf(op.Pos, "the size of the local array%s is not known at compile time", quoted(o.name)).
			WithHelp("give the array a constant size")
		return
	}
	o.alloc = op
	o.typ, o.shape = ctypeOf(t), []int64{n}
	if n == 1 && o.typ.kind == cArray {
		o.shape = []int64{o.typ.count}
		o.typ = o.typ.elem
	}
	o.typ, o.shape = flatten(o.typ, o.shape)
	if d := r.declared(op); d != nil && d.size == o.size() && (d.sameShape(ctypeOf(t)) || r.spilled[op.Result(0)] != nil) {
		// The debug information knows the names of fields.
		if r.spilled[op.Result(0)] != nil {
			o.shape = []int64{1}
		}
		o.typ, _ = flatten(d, nil)
	}
	o.noalias = true
	r.rootOf[op.Result(0)] = o
}

// size is the number of bytes of a root of static shape.
func (o *root) size() int64 {
	n := o.typ.size
	for _, d := range o.shape {
		n *= d
	}
	return n
}

func (r *lifter) localName(op *ir.Operation) string { return r.varNames[op.Result(0)] }

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return " '" + name + "'"
}
