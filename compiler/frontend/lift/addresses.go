package lift

import (
	"slices"

	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// address lifts the operations on pointers that yield integers or select pointers.
func (e *emitter) address(op *ir.Operation) bool {
	if op.NumResults() != 1 {
		return false
	}
	res := op.Result(0)
	switch op.Name {
	case opname.LLVMSelect:
		if !isPtr(res) {
			return false
		}
		c := e.value(op.Operand(0))
		a, b := e.r.at(op.Operand(1)), e.r.at(op.Operand(2))
		e.vals[res] = e.index(0)
		if u := e.r.units[res]; u != 0 {
			e.vals[res] = e.choose(c, e.sum(a.lin, u), e.sum(b.lin, u))
		}
		if e.r.ptrs[res].sel != nil {
			e.sels[res] = e.choose(c, e.selector(a), e.selector(b))
		}
		return true
	case opname.LLVMFreeze, opname.LLVMBitcast, opname.LLVMAddrSpaceCast, opname.LLVMIntToPtr,
		opname.LLVMIntrLaunderInvariantGroup, opname.LLVMIntrStripInvariantGroup:
		return isPtr(res)
	case opname.LLVMICmp:
		n, ok := op.IntAttr("predicate")
		p := arith.IntPredicate(n)
		if !ok || p < arith.Eq || p > arith.Uge || op.NumOperands() != 2 {
			return false
		}
		a, b := op.Operand(0), op.Operand(1)
		if isPtr(a) && isPtr(b) {
			e.vals[res] = e.comparePointers(p, e.r.at(a), e.r.at(b))
			return true
		}
		if n, m := e.r.addresses(a), e.r.addresses(b); n == 1 && m == 1 {
			e.vals[res] = e.comparePointers(p, e.r.addressOf(a), e.r.addressOf(b))
			return true
		}
	case opname.LLVMAdd, opname.LLVMSub:
		n := e.r.addresses(res)
		if n == 0 && e.r.addresses(op.Operand(0)) == 0 {
			return false
		}
		if n == 0 {
			e.oneMemory(res)
			e.difference(res, e.r.addressOf(res).lin)
		}
		return true // an address: its use as an integer is reported there
	}
	return false
}

// addresses is how often the address of memory is contained in an integer.
func (r *lifter) addresses(v *ir.Value) int { return r.addressesIn(v, 0) }

func (r *lifter) addressesIn(v *ir.Value, depth int) int {
	if v.Def == nil || depth > maxDepth {
		return 0
	}
	switch v.Def.Name {
	case opname.LLVMPtrToInt:
		return 1
	case opname.LLVMAdd:
		return r.addressesIn(v.Def.Operand(0), depth+1) + r.addressesIn(v.Def.Operand(1), depth+1)
	case opname.LLVMSub:
		return r.addressesIn(v.Def.Operand(0), depth+1) - r.addressesIn(v.Def.Operand(1), depth+1)
	}
	return 0
}

// addressOf reads an integer that contains addresses as a pointer. The roots are those of
// the last address; differences are of one root in C.
func (r *lifter) addressOf(v *ir.Value) *pointer {
	if r.addresses(v) == 0 && (v.Def == nil || v.Def.Name != opname.LLVMAdd && v.Def.Name != opname.LLVMSub) {
		return &pointer{lin: r.factored(sumOf(v))}
	}
	switch v.Def.Name {
	case opname.LLVMPtrToInt:
		return r.at(v.Def.Operand(0))
	case opname.LLVMAdd, opname.LLVMSub:
		k := int64(1)
		if v.Def.Name == opname.LLVMSub {
			k = -1
		}
		a, b := r.addressOf(v.Def.Operand(0)), r.addressOf(v.Def.Operand(1))
		p := &pointer{roots: a.roots, sel: a.sel, lin: plus(a.lin, b.lin, k)}
		if len(p.roots) == 0 {
			p.roots, p.sel = b.roots, b.sel
		}
		return p
	}
	return &pointer{lin: r.factored(sumOf(v))}
}

// addressTerm is the pointer whose address a term of a sum is, nil for other terms.
func addressTerm(t term) *ir.Value {
	if d := t.Sym.v.Def; d != nil && d.Name == opname.LLVMPtrToInt && t.Sym.v.Type == ir.Type(ir.I64) && t.Sym.div <= 1 {
		return d.Operand(0)
	}
	return nil
}

// hasAddress reports whether a sum contains the address of memory.
func hasAddress(l sum) bool {
	return slices.ContainsFunc(l.Terms, func(t term) bool { return addressTerm(t) != nil })
}

// cancelled puts distances from the start of their memory instead of addresses, where
// those of each memory come to nothing in the sum: in[p - q], for which compilers move
// a pointer by -q and then by p. Otherwise it is the sum as it was; what is left of
// addresses is reported where the sum is needed.
func (r *lifter) cancelled(l sum) sum {
	if !hasAddress(l) {
		return l
	}
	out := sum{C: l.C}
	often := map[*root]int64{} // of pointers with one root
	var common []*root         // what all pointers may point into
	chosen, all := false, int64(0)
	for i, t := range l.Terms {
		v := addressTerm(t)
		if v == nil {
			out = plus(out, sum{Terms: l.Terms[i : i+1]}, 1)
			continue
		}
		p := r.at(v)
		if all += t.Coef; len(p.roots) == 1 {
			often[p.roots[0]] += t.Coef
		} else {
			chosen = true
		}
		if common == nil {
			common = slices.Clone(p.roots)
		}
		common = slices.DeleteFunc(common, func(o *root) bool { return !slices.Contains(p.roots, o) })
		out = plus(out, p.lin, t.Coef)
	}
	if chosen {
		// A pointer into one of several memories is subtracted from one into the same: C
		// has no other differences.
		if len(common) == 0 || all != 0 {
			return l
		}
		return out
	}
	for _, n := range often {
		if n != 0 {
			return l
		}
	}
	return out
}

// oneMemory reports a distance between addresses in different memories, which hardware
// does not know.
func (e *emitter) oneMemory(v *ir.Value) {
	var first *pointer
	var walk func(v *ir.Value, depth int)
	walk = func(v *ir.Value, depth int) {
		if v.Def == nil || depth > maxDepth {
			return
		}
		switch v.Def.Name {
		case opname.LLVMPtrToInt:
			p := e.r.at(v.Def.Operand(0))
			if first == nil {
				first = p
			}
			apart := !slices.ContainsFunc(p.roots, func(o *root) bool { return slices.Contains(first.roots, o) })
			if apart && len(p.roots) > 0 && len(first.roots) > 0 {
				e.r.errorf(e.pos, "the distance between '%s' and '%s' is not known: they are different arrays in hardware",
					first.roots[0].name, p.roots[0].name).WithHelp("pass the number of elements instead of a pointer to their end")
			}
		case opname.LLVMAdd, opname.LLVMSub:
			walk(v.Def.Operand(0), depth+1)
			walk(v.Def.Operand(1), depth+1)
		}
	}
	walk(v, 0)
}

// unitOf is the largest number of bytes that all terms are multiples of.
func (e *emitter) unitOf(l sum) int64 {
	u := intmath.GCD(0, l.C)
	for _, t := range l.Terms {
		u = intmath.GCD(u, e.r.bytes(t))
	}
	return u
}

// difference makes an integer of a distance between pointers.
func (e *emitter) difference(res *ir.Value, l sum) {
	e.diffs[res] = l
	u := e.unitOf(l)
	if u == 0 {
		e.vals[res] = e.integer(0, res.Type)
		return
	}
	v := e.op(opname.ArithIndexCast, res.Type, e.sum(l, u))
	e.vals[res] = e.binary(opname.ArithMulI, v, e.integer(u, res.Type))
}

// divided is a distance between pointers divided by the size of what they point to.
func (e *emitter) divided(op *ir.Operation, name string, n int64, isConst bool) *ir.Value {
	l, ok := e.diffs[op.Operand(0)]
	if !ok || !isConst || n <= 0 {
		return nil
	}
	switch name {
	case opname.ArithShRSI, opname.ArithShRUI:
		if n > 30 {
			return nil
		}
		n = 1 << n
	case opname.ArithDivSI, opname.ArithDivUI:
	default:
		return nil
	}
	u := e.unitOf(l)
	if u == 0 || u%n != 0 {
		return nil
	}
	t := op.Result(0).Type
	if name == opname.ArithDivUI || name == opname.ArithShRUI {
		// Without sign the upper bits differ: fine where they are unused.
		for _, use := range op.Result(0).Uses() {
			if use.Op.Name != opname.LLVMTrunc || name == opname.ArithDivUI || width(use.Op.Result(0)) > 32 {
				return nil
			}
		}
	}
	v := e.op(opname.ArithIndexCast, t, e.sum(l, u))
	return e.binary(opname.ArithMulI, v, e.integer(u/n, t))
}

// comparePointers compares addresses. Addresses in different memories are never equal, and
// no memory is at the null pointer. Results that C leaves undefined, or that
// may differ at the caller, are reported.
func (e *emitter) comparePointers(p arith.IntPredicate, a, b *pointer) *ir.Value {
	if len(a.roots) == 1 && len(b.roots) == 1 && a.roots[0] != b.roots[0] {
		for _, o := range []*root{a.roots[0], b.roots[0]} {
			if o.kind == paramRoot && len(o.accesses) == 0 && !onlyNull(a) && !onlyNull(b) {
				e.r.errorf(e.pos, "'%s' is compared with '%s', but they are different arrays in hardware", a.roots[0].name, b.roots[0].name).
					WithHelp("pass the number of elements instead of a pointer to their end")
				break
			}
		}
		e.taken(p, a.roots[0], b.roots[0])
		// ne, ugt and uge hold of anything and null.
		less := a.roots[0].index < b.roots[0].index
		result := p == arith.Ne
		switch p {
		case arith.Ult, arith.Ule:
			result = less
		case arith.Ugt, arith.Uge:
			result = !less
		}
		return e.integer(map[bool]int64{true: 1}[result], ir.I1)
	}
	p = p.Signed() // distances have a sign
	diff := plus(a.lin, b.lin, -1)
	u := e.unitOf(diff)
	var left, right sum
	for _, t := range diff.Terms {
		if e.r.bytes(t) < 0 {
			t.Coef = -t.Coef
			right.Terms = append(right.Terms, t)
		} else {
			left.Terms = append(left.Terms, t)
		}
	}
	if diff.C > 0 && len(left.Terms) > 0 {
		left.C = diff.C
	} else {
		right.C = -diff.C
	}
	at := func() *ir.Value { return e.compare(p, e.sum(left, u), e.sum(right, u)) }
	if len(a.roots) == 1 && len(b.roots) == 1 {
		return at()
	}
	if p > 1 { // only addresses in one memory are ordered
		return at()
	}
	same := e.compare(arith.Eq, e.selector(a), e.selector(b))
	differ := p == 1
	if !onlyNull(a) && !onlyNull(b) {
		p = 0
		same = e.op(opname.ArithAndI, ir.I1, same, at())
	}
	if differ {
		same = e.op(opname.ArithXOrI, ir.I1, same, e.integer(1, ir.I1))
	}
	return same
}

// taken reports that a comparison of two arrays is decided here: they may be parts of one,
// or the program compares their order, which C defines within one array only.
func (e *emitter) taken(p arith.IntPredicate, a, b *root) {
	if a.kind == nullRoot || b.kind == nullRoot {
		return
	}
	apart := e.r.opts.AssumeNoAlias || a.noalias || b.noalias || a.kind != paramRoot && b.kind != paramRoot
	equality := p == arith.Eq || p == arith.Ne
	if apart && equality {
		return
	}
	d := e.r.notes.Warnf(e.pos, "'%s' and '%s' are compared: they are taken as different arrays", a.name, b.name)
	if equality {
		d.WithHelp("the kernel must not be given arrays that overlap")
	} else {
		d.WithHelp("the kernel must not be given arrays that overlap, and of different ones C does not say which is first")
	}
}

func onlyNull(p *pointer) bool { return len(p.roots) == 1 && p.roots[0].kind == nullRoot }
