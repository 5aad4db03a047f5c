package lift

import (
	"slices"

	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Promotion makes values of the local variables whose address is only used to read
// and write fixed parts of them: without optimisation every variable is one. A struct
// or a small array becomes one variable per part that is accessed. Of a struct with arrays
// whose subscripts are known at run time alone these stay in memory, and what is beside them
// becomes variables: subscripts stay within their arrays (C11 6.5.6, 8), as a decay of an
// array in a struct to a pointer to all of it would be undefined.

// maxParts bounds the variables that one local variable becomes.
const maxParts = 256

// touch is a load or store of a local variable.
type touch struct {
	op *ir.Operation
	at span
}

// variable is a part of a local variable.
type variable struct {
	typ  ir.Type
	name string
}

// local is a local variable that is promoted.
type local struct {
	parts []span
	vars  []*variable
}

// promoter does the promotion. Values of variables are looked up backwards, and where
// several paths meet, a block argument is made (Braun and others, 2013).
type promoter struct {
	r      *lifter
	edges  map[*ir.Block][]ir.Edge
	now    map[*ir.Block]map[*variable]*ir.Value
	phis   []phi
	undefs map[ir.Type]*ir.Value
}

type phi struct {
	arg *ir.Value
	v   *variable
}

// promote promotes what can be promoted. A variable that holds the address of another
// goes first; then the other one's address has no such use any more.
func (r *lifter) promote() {
	for range maxDepth {
		if !r.promoteSome() {
			return
		}
	}
}

// promoteSome promotes once and reports whether there was anything to promote.
func (r *lifter) promoteSome() bool {
	touches := map[*ir.Operation]touch{}
	locals := map[*ir.Operation]*local{}
	var allocas, users []*ir.Operation
	for _, b := range r.order {
		for _, op := range b.Ops {
			if op.Name == opname.LLVMAlloca {
				allocas = append(allocas, op)
			}
		}
	}
	for _, a := range allocas {
		u := &uses{of: allocated(a)}
		if !r.touches(a.Result(0), place{}, u, 0) {
			continue
		}
		beside := u.beside()
		if len(u.arrays) > 0 && len(beside) == 0 {
			continue
		}
		l, ok := r.split(a, beside)
		if !ok {
			continue
		}
		users = append(append(users, a), u.ops...)
		for _, t := range beside {
			touches[t.op] = t
			locals[t.op] = l
		}
	}
	if len(users) > 0 {
		p := &promoter{r: r, edges: ir.Edges(r.order), now: map[*ir.Block]map[*variable]*ir.Value{}, undefs: map[ir.Type]*ir.Value{}}
		for _, b := range r.order {
			for _, op := range append([]*ir.Operation(nil), b.Ops...) {
				if t, ok := touches[op]; ok {
					p.replace(t, locals[op])
				}
			}
		}
		p.connect()
		for i := len(users) - 1; i >= 0; i-- {
			if op := users[i]; op.NumResults() == 0 || len(op.Result(0).Uses()) == 0 {
				op.Erase()
			}
		}
	}
	r.simplifyArgs()
	return len(users) > 0
}

// uses are what a local variable is used for.
type uses struct {
	of      *llvm.Type      // the variable's type, nil where that is not known
	touches []touch         // at distances that are known
	ops     []*ir.Operation // that go with these
	arrays  []span          // what is reached by subscripts that are not known
}

// beside are the touches of what no unknown subscript reaches. What others touch is reached, too.
func (u *uses) beside() []touch {
	out := slices.Clone(u.touches)
	reached := slices.Clone(u.arrays)
	for again := true; again; {
		again = false
		out = slices.DeleteFunc(out, func(t touch) bool {
			if !slices.ContainsFunc(reached, t.at.meets) {
				return false
			}
			reached, again = append(reached, t.at), true
			return true
		})
	}
	return out
}

// touches lists the accesses of a local variable through an address in it, and the
// operations that go with it; ok is false where the address escapes.
func (r *lifter) touches(v *ir.Value, at place, u *uses, depth int) bool {
	if depth > maxDepth {
		return false
	}
	seen := map[*ir.Operation]bool{}
	for _, use := range v.Uses() {
		if seen[use.Op] {
			return false
		}
		seen[use.Op] = true
		switch {
		case use.Op.Name == opname.LLVMLoad, use.Op.Name == opname.LLVMStore && use.Index == 1:
			size, ok := accessSize(use.Op)
			if !ok || at.in == nil && (at.lo < 0 || u.of != nil && at.hi+size > u.of.Size()) {
				return false
			}
			switch {
			case at.in != nil:
				u.arrays = append(u.arrays, at.in...)
			case at.lo == at.hi:
				u.touches = append(u.touches, touch{use.Op, span{at.lo, at.lo + size}})
			default:
				u.arrays = append(u.arrays, span{at.lo, at.hi + size})
			}
		case use.Op.Name == opname.LLVMGetElementPtr && use.Index == 0:
			next, ok := r.placeOf(use.Op, at, u.of)
			if !ok {
				return false
			}
			u.ops = append(u.ops, use.Op)
			if !r.touches(use.Op.Result(0), next, u, depth+1) {
				return false
			}
		case use.Op.Name == opname.LLVMIntrDbgDeclare, use.Op.Name == opname.LLVMIntrDbgValue:
			u.ops = append(u.ops, use.Op)
		default:
			return false
		}
	}
	return true
}

// accessType is the type that a load or store moves.
func accessType(op *ir.Operation) ir.Type {
	if op.Name == opname.LLVMStore {
		return op.Operand(0).Type
	}
	return op.Result(0).Type
}

// accessSize is the number of bytes a load or store moves; ok is false for types that
// are no scalars.
func accessSize(op *ir.Operation) (int64, bool) {
	t := accessType(op)
	if isPtrType(t) {
		return 8, true
	}
	w, ok := ir.BitWidth(t, 64)
	if !ok || w < 1 || w > 64 || !ir.IsInt(t) && !ir.IsFloat(t) {
		return 0, false
	}
	return int64(w+7) / 8, true
}

// allocated is the type of a local variable, nil where it is not known or an array of run-time length.
func allocated(alloc *ir.Operation) *llvm.Type {
	ta, isType := alloc.Attr("elem_type").(*ir.TypeAttr)
	if n, ok := constInt(alloc.Operand(0)); !isType || !ok || n != 1 {
		return nil
	}
	t, err := llvm.Parse(ta.Type)
	if err != nil {
		return nil
	}
	return t
}

// split divides a local variable into parts.
func (r *lifter) split(alloc *ir.Operation, found []touch) (*local, bool) {
	t := allocated(alloc)
	if t == nil {
		return nil, false
	}
	spans := make([]span, len(found))
	for i, f := range found {
		if spans[i] = f.at; f.at.to > t.Size() {
			return nil, false
		}
	}
	l := &local{parts: cut(spans, nil)}
	if len(l.parts) > maxParts {
		return nil, false
	}
	name, declared := r.varNames[alloc.Result(0)], r.declared(alloc)
	l.vars = make([]*variable, len(l.parts))
	for i, p := range l.parts {
		l.vars[i] = &variable{name: name}
		if declared != nil && name != "" {
			if ls := declared.leaves(p.from, p.to); len(ls) == 1 && ls[0].path != "" {
				l.vars[i].name = name + "." + identifier(ls[0].path)
			}
		}
	}
	for _, f := range found {
		first, n := within(l.parts, f.at)
		typ := accessType(f.op)
		for i := first; i < first+n; i++ {
			v, part := l.vars[i], l.parts[i]
			bits := ir.Type(ir.Int(int(part.to-part.from) * 8))
			want := bits
			if part == f.at {
				want = typ
			}
			switch {
			case v.typ == nil:
				v.typ = want
			case v.typ != want && (isPtrType(v.typ) || isPtrType(want)):
				return nil, false // a pointer whose bits are read
			case v.typ != want:
				v.typ = bits
			}
		}
		if n > 1 && isPtrType(typ) {
			return nil, false
		}
	}
	return l, true
}

// replace makes a value of an access.
func (p *promoter) replace(t touch, l *local) {
	b := &llvmBuilder{block: t.op.Block(), before: t.op, pos: t.op.Pos, loc: t.op.Loc}
	first, n := within(l.parts, t.at)
	fields := make([]*field, n)
	for i := range fields {
		fields[i] = &field{offset: l.parts[first+i].from - t.at.from, typ: l.vars[first+i].typ}
	}
	if t.op.Name == opname.LLVMStore {
		v := t.op.Operand(0)
		for i, f := range fields {
			p.write(b.block, l.vars[first+i], portion(b, v, f, n))
		}
		t.op.Erase()
		return
	}
	for i, f := range fields {
		f.value = p.read(b.block, l.vars[first+i])
	}
	v := fields[0].value
	if want := t.op.Result(0).Type; n > 1 || v.Type != want {
		v = pack(b, fields, 0, want)
	}
	t.op.Result(0).ReplaceAllUsesWith(v)
	if p.r.varNames[v] == "" {
		p.r.varNames[v] = p.r.varNames[t.op.Result(0)]
	}
	t.op.Erase()
}

// portion is the part of a stored value that a variable receives.
func portion(b *llvmBuilder, v *ir.Value, f *field, n int) *ir.Value {
	if n == 1 && v.Type == f.typ {
		return v
	}
	return unpack(b, f, []*ir.Value{v}, []int64{0})
}

func (p *promoter) write(b *ir.Block, v *variable, value *ir.Value) {
	m := p.now[b]
	if m == nil {
		m = map[*variable]*ir.Value{}
		p.now[b] = m
	}
	m[v] = value
	if value.Name == "" && value.Def != nil && p.r.varNames[value] == "" {
		p.r.varNames[value] = v.name
	}
}

// read is the value of a variable at this point of a block.
func (p *promoter) read(b *ir.Block, v *variable) *ir.Value {
	if value := p.now[b][v]; value != nil {
		return value
	}
	var value *ir.Value
	switch in := p.edges[b]; {
	case len(in) == 0:
		value = p.unset(v.typ)
	case len(in) == 1:
		value = p.read(in[0].From.Block(), v)
	default:
		value = b.AddArg(v.typ, "", p.r.position(b.Ops[0].Pos))
		p.r.varNames[value] = v.name
		p.phis = append(p.phis, phi{value, v})
	}
	p.write(b, v, value)
	return value
}

// unset is what a variable that was never set holds.
func (p *promoter) unset(t ir.Type) *ir.Value {
	if p.undefs[t] == nil {
		entry := p.r.order[0]
		b := &llvmBuilder{block: entry, before: entry.Ops[0], pos: p.r.fn.Pos}
		p.undefs[t] = b.op(opname.LLVMMlirUndef, t)
	}
	return p.undefs[t]
}

// connect gives the new block arguments their values.
func (p *promoter) connect() {
	for i := 0; i < len(p.phis); i++ { // reading makes more
		arg, v := p.phis[i].arg, p.phis[i].v
		for _, e := range p.edges[arg.Block] {
			args := p.passedAll(e.From)
			args[e.Succ] = append(args[e.Succ], p.read(e.From.Block(), v))
			llvm.SetTargets(e.From, args)
		}
	}
}

func (p *promoter) passedAll(t *ir.Operation) [][]*ir.Value {
	out := make([][]*ir.Value, len(t.Succs))
	for i := range t.Succs {
		out[i] = append(out[i], t.Passed(i)...)
	}
	return out
}

// simplifyArgs removes the block arguments that are always the same value.
func (r *lifter) simplifyArgs() {
	edges := ir.Edges(r.order)
	for changed := true; changed; {
		changed = false
		for _, b := range r.order[1:] {
			for k := len(b.Args) - 1; k >= 0; k-- {
				arg := b.Args[k]
				var only *ir.Value
				same := true
				for _, e := range edges[b] {
					switch v := e.Passed()[k]; {
					case v == arg || v == only:
					case only == nil:
						only = v
					default:
						same = false
					}
				}
				if !same || only == nil {
					continue
				}
				changed = true
				if r.varNames[only] == "" {
					r.varNames[only] = r.varNames[arg]
				}
				cutArg(b, k, edges[b])
				arg.ReplaceAllUsesWith(only)
			}
		}
	}
}
