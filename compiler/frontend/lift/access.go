package lift

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/ir"
	"loom/compiler/opname"
)

// access is a load or store of memory.
type access struct {
	op    *ir.Operation
	addr  *ir.Value
	ptr   *pointer
	size  int64
	typ   ir.Type
	store bool
	tag   string // the type that the source accesses, "" for any
}

// findAccesses lists the accesses by root and reports what pointers are used for
// beyond addressing.
func (r *lifter) findAccesses() {
	for _, b := range r.order {
		for _, op := range b.Ops {
			switch op.Name {
			case opname.LLVMLoad, opname.LLVMStore:
				r.access(op)
			case opname.LLVMIntToPtr:
				r.errorf(op.Pos, "a number is turned into a pointer: hardware has no addresses").
					WithHelp("index an array instead")
			case opname.LLVMReturn:
				for _, v := range op.Operands() {
					if isPtr(v) {
						r.errorf(op.Pos, "a pointer is returned: hardware has no addresses of its caller").
							WithHelp("return an index, or write the result through a parameter")
					}
				}
			}
		}
	}
}

// pointerAt names a pointer that is stored at an address, or what it is a part of.
func (r *lifter) pointerAt(addr *ir.Value) string {
	format := "the pointer '%s'"
	for addr.Def != nil && addr.Def.Name == opname.LLVMGetElementPtr {
		addr, format = addr.Def.Operand(0), "a pointer in '%s'"
	}
	name := r.varNames[addr]
	if addr.Def != nil && addr.Def.Name == opname.LLVMMlirAddressOf {
		if ref, ok := addr.Def.Attr("global_name").(*ir.SymbolRefAttr); ok && !strings.HasPrefix(ref.Root, "_Z") && !strings.Contains(ref.Root, ".") {
			name = ref.Root
		}
	}
	switch {
	case name == "" || name == "this":
		return "a pointer"
	case addr.Def == nil: // a parameter points to it
		format = "a pointer in '%s'"
	}
	return fmt.Sprintf(format, name)
}

func (r *lifter) access(op *ir.Operation) {
	a := &access{op: op, typ: accessType(op), store: op.Name == opname.LLVMStore}
	a.addr = op.Operand(op.NumOperands() - 1)
	if isPtrType(a.typ) {
		what := "loaded from"
		if a.store {
			what = "stored in"
		}
		help := r.containerHelp(a.addr)
		if help == "" {
			help = "use indices instead of pointers, or one array of several dimensions instead of an array of pointers"
		}
		r.errorf(op.Pos, "%s is %s memory: hardware has no addresses", r.pointerAt(a.addr), what).WithHelp("%s", help)
		return
	}
	size, ok := accessSize(op)
	if !ok {
		r.errorf(op.Pos, "a value of type %s is accessed in memory, which hardware does not have", a.typ)
		return
	}
	a.size, a.ptr = size, r.at(a.addr)
	if tags, isArray := op.Attr("tbaa").(*ir.ArrayAttr); isArray && len(tags.Elems) == 1 {
		a.tag = r.opts.Debug.AccessType(tags.Elems[0])
	}
	known := false
	for _, o := range a.ptr.roots {
		if o.kind != nullRoot {
			known = true
			o.accesses = append(o.accesses, a)
		}
	}
	if !known {
		r.unknownAddress(a)
	}
	r.accesses = append(r.accesses, a)
}

// unknownAddress reports an access through a pointer without a root, unless one of
// its origins has been or will be reported.
func (r *lifter) unknownAddress(a *access) {
	other := ""
	for _, op := range r.origins(a.addr) {
		switch op.Name {
		case opname.LLVMLoad, opname.LLVMIntToPtr:
			return
		case opname.LLVMMlirZero, opname.LLVMMlirUndef, opname.LLVMMlirPoison:
		default:
			other = op.Name
		}
	}
	if other == "" {
		r.errorf(a.op.Pos, "memory is accessed through a null pointer").
			WithHelp("let the pointer point into an array on every path that leads here")
		return
	}
	r.errorf(a.op.Pos, "memory is accessed through a pointer that comes from '%s', which cannot be followed", other)
}

// origins are the operations that a pointer comes from, on every path
// through subscripts, blocks and choices.
func (r *lifter) origins(v *ir.Value) []*ir.Operation {
	var out []*ir.Operation
	edges := ir.Edges(r.order)
	seen := map[*ir.Value]bool{v: true}
	for work := []*ir.Value{v}; len(work) > 0; {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		var from []*ir.Value
		switch {
		case v.Def == nil:
			for _, e := range edges[v.Block] {
				from = append(from, e.Passed()[slices.Index(v.Block.Args, v)])
			}
		case v.Def.Name == opname.LLVMGetElementPtr, v.Def.Name == opname.LLVMFreeze:
			from = v.Def.Operands()[:1]
		case v.Def.Name == opname.LLVMSelect:
			from = v.Def.Operands()[1:]
		default:
			out = append(out, v.Def)
		}
		for _, w := range from {
			if !seen[w] {
				seen[w] = true
				work = append(work, w)
			}
		}
	}
	return out
}

// subscripts are the dimensions of a root that a pointer has selected so far, each as
// a sum of bytes; ok is false where the pointer was not made by subscripts.
type subscripts struct {
	by []sum
	// c are bytes that clang has put apart from the subscripts: -8 may be the row before
	// or eight elements back, which depends on the whole (spread).
	c  int64
	ok bool
}

// spread gives every dimension of a root its subscript, the bytes put apart included:
// exactly where what is left of a row is known, otherwise as if the neighbour that is
// nearest was meant, as in a[r-1][c-1]. Where two are equally near nothing is decided.
func (s subscripts) spread(strides []int64) (by []sum, ok bool) {
	by = make([]sum, len(strides))
	copy(by, s.by)
	c := s.c
	for d := range strides {
		variable := false
		for _, l := range by[d+1:] {
			variable = variable || !l.IsConst()
		}
		if !variable {
			for k := range by[d+1:] {
				c += by[d+1+k].C
				by[d+1+k].C = 0
			}
		}
		rows := c / strides[d]
		if c%strides[d] < 0 {
			rows--
		}
		rest := c - rows*strides[d]
		if variable && 2*rest == strides[d] {
			return nil, false
		}
		if variable && 2*rest > strides[d] {
			rows, rest = rows+1, rest-strides[d]
		}
		// Other subscripts of other accesses share the terms.
		by[d] = plus(by[d], sum{C: rows * strides[d]}, 1)
		c = rest
	}
	return by, true
}

func allConst(ls []sum) bool {
	for _, l := range ls {
		if !l.IsConst() {
			return false
		}
	}
	return true
}

// strides are the bytes from one element of each dimension to the next.
func (o *root) strides() []int64 {
	out := make([]int64, len(o.shape))
	n := o.typ.size
	for d := len(o.shape) - 1; d >= 0; d-- {
		out[d] = n
		n *= o.shape[d]
	}
	return out
}

// subscriptsOf reads the subscripts of a pointer into a root off the getelementptrs
// that made it.
func (r *lifter) subscriptsOf(v *ir.Value, o *root, depth int) subscripts {
	if s, ok := r.subs[v]; ok {
		return s
	}
	s := r.readSubscripts(v, o, depth)
	r.subs[v] = s
	return s
}

func (r *lifter) readSubscripts(v *ir.Value, o *root, depth int) subscripts {
	strides := o.strides()
	if r.rootOf[v] == o {
		return subscripts{ok: true}
	}
	if u, isAtom := r.units[v]; isAtom || len(r.at(v).roots) != 1 {
		// A pointer that steps over whole elements of the first dimension.
		if isAtom && u%strides[0] == 0 && r.ptrs[v].sel == nil {
			return subscripts{by: []sum{one(atom{v: v})}, ok: true}
		}
		return subscripts{}
	}
	if v.Def == nil || depth > 100 {
		return subscripts{}
	}
	switch v.Def.Name {
	case opname.LLVMMlirAddressOf:
		return subscripts{ok: true}
	case opname.LLVMFreeze, opname.LLVMBitcast, opname.LLVMAddrSpaceCast:
		return r.subscriptsOf(v.Def.Operand(0), o, depth+1)
	case opname.LLVMGetElementPtr:
	default:
		return subscripts{}
	}
	base := r.subscriptsOf(v.Def.Operand(0), o, depth+1)
	steps, ok := r.steps(v.Def)
	if !base.ok || !ok {
		return subscripts{}
	}
	s := subscripts{by: append([]sum(nil), base.by...), c: base.c, ok: true}
	if len(steps) == 1 && steps[0].index.IsConst() {
		s.c += steps[0].index.C * steps[0].bytes
		return s
	}
	for i, st := range steps {
		d := len(s.by)
		switch {
		case hasAddress(st.index): // the whole may have none
			return subscripts{}
		case i == 0 && (d > 1 || d == 1 && st.bytes != strides[0]) && !st.index.IsConst() && allConst(s.by[:max(d-1, 1)]):
			// Steps along a row that was not selected at run time: the whole array may be
			// walked like this, a[0][k] with k beyond the row.
			return subscripts{}
		case st.field:
			if d != len(strides) {
				return subscripts{}
			}
		case i == 0 && d > 0 && st.bytes == strides[d-1]:
			s.by[d-1] = plus(s.by[d-1], st.index, st.bytes)
		case d < len(strides) && st.bytes == strides[d]:
			s.by = append(s.by, plus(sum{}, st.index, st.bytes))
		case st.index.IsConst() && st.index.C == 0:
		case st.index.IsConst() && d > 0 && (st.index.C*st.bytes)%strides[0] == 0:
			s.by[0] = plus(s.by[0], sum{C: st.index.C * st.bytes}, 1)
		case st.index.IsConst() && d == len(strides) && st.index.C*st.bytes >= 0 && st.index.C*st.bytes < o.typ.size:
			// A field; the distance itself selects it.
		default:
			return subscripts{}
		}
	}
	return s
}
