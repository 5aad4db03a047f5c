package circt

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// maxOps bounds what instances may grow a graph to.
const maxOps = 1 << 20

// Flatten inlines the instances of other graphs into fn and splits tuples into their
// elements. An element is a channel of its own; what makes a tuple of several values
// synchronises them (handshake.sync). Parameters and results of a tuple type become one per
// element, named <name>_0, <name>_1 and so on.
//
//	%p = pack %a, %b : tuple<i32, i8>            %s:2 = sync %a, %b : i32, i8
//	%q = buffer [2] seq %p : tuple<i32, i8>  →   %q0 = buffer [2] seq %s#0 : i32
//	%x, %y = unpack %q : tuple<i32, i8>          %q1 = buffer [2] seq %s#1 : i8
//
// fn changes in place; after an error it is not to be used.
func Flatten(fn *ir.Operation) error {
	var errs diag.List
	inline(fn, &errs)
	if errs.HasErrors() {
		return &errs
	}
	s := &splitter{fn: fn, body: fn.Regions[0].Entry(), leaves: map[*ir.Value][]*ir.Value{}, errs: &errs}
	s.run()
	return errs.Err()
}

// inline replaces every instance by a copy of its function.
func inline(fn *ir.Operation, errs *diag.List) {
	body := fn.Regions[0].Entry()
	within := map[*ir.Operation][]*ir.Operation{} // of a copied instance, the functions it came out of
	inlined := false
	for i := 0; i < len(body.Ops); {
		op := body.Ops[i]
		if op.Name != opname.HandshakeInstance {
			i++
			continue
		}
		ref := op.Attr("module").(*ir.SymbolRefAttr)
		callee := ir.LookupSymbol(op, ref.Root)
		chain := append([]*ir.Operation{fn}, within[op]...)
		switch {
		case callee == nil || len(callee.Regions) != 1 || len(callee.Regions[0].Blocks) != 1:
			errs.Errorf(op.Pos, "'%s' uses %s, which has no body: nothing says what it computes", op.Name, ref).
				WithHelp("put its handshake.func into the file")
			i++
			continue
		case recursive(chain, callee):
			errs.Errorf(op.Pos, "'%s' uses %s inside of itself: the circuit would have no end", op.Name, ref)
			return
		case len(body.Ops) > maxOps:
			errs.Errorf(op.Pos, "the instances of %s are more than %d operations", ir.SymbolText(fn.SymName()), maxOps)
			return
		}
		inlined = true
		copied := callee.Clone(map[*ir.Value]*ir.Value{})
		entry := copied.Regions[0].Entry()
		for k, a := range entry.Args {
			a.ReplaceAllUsesWith(op.Operand(k))
		}
		ret := entry.Ops[len(entry.Ops)-1]
		for k, r := range op.Results() {
			v := ret.Operand(k)
			if v.Name == "" {
				v.Name = r.Name
			}
			r.ReplaceAllUsesWith(v)
		}
		for _, o := range append([]*ir.Operation(nil), entry.Ops[:len(entry.Ops)-1]...) {
			o.Unlink()
			body.InsertBefore(op, o)
			if o.Name == opname.HandshakeInstance {
				within[o] = append(append([]*ir.Operation(nil), within[op]...), callee)
			}
		}
		ret.Erase()
		op.Erase()
	}
	if !inlined {
		return
	}
	id := int64(0)
	for _, op := range body.Ops { // the numbers of memories are unique in a graph
		if op.Name == opname.HandshakeMemory || op.Name == opname.HandshakeExtmemory {
			op.SetAttr("id", ir.IntAttr(id, ir.I32))
			id++
		}
	}
}

func recursive(chain []*ir.Operation, callee *ir.Operation) bool {
	for _, f := range chain {
		if f == callee {
			return true
		}
	}
	return false
}

// splitter splits tuples.
type splitter struct {
	fn     *ir.Operation
	body   *ir.Block
	leaves map[*ir.Value][]*ir.Value // of a value of a tuple type
	errs   *diag.List
}

// leafTypes are the types of a value's elements. A tuple without elements is a token.
func leafTypes(t ir.Type) []ir.Type {
	tuple, ok := t.(*ir.TupleType)
	if !ok {
		return []ir.Type{t}
	}
	if len(tuple.Elems) == 0 {
		return []ir.Type{ir.None}
	}
	var out []ir.Type
	for _, e := range tuple.Elems {
		out = append(out, leafTypes(e)...)
	}
	return out
}

func (s *splitter) run() {
	var later []*ir.Operation // placeholders for what is not split yet
	hold := func(v *ir.Value, pos diag.Pos) {
		p := ir.NewOp("circt.later", pos, nil, leafTypes(v.Type))
		s.leaves[v] = append([]*ir.Value(nil), p.Results()...)
		later = append(later, p)
	}
	before := append([]*ir.Operation(nil), s.body.Ops...)
	for _, op := range before {
		for _, r := range op.Results() {
			if tuple(r) {
				hold(r, op.Pos)
			}
		}
	}
	args := false
	for _, a := range s.body.Args {
		args = args || tuple(a)
	}
	if args {
		s.arguments()
	}
	var gone []*ir.Operation
	for _, op := range before {
		split := false
		for _, v := range append(append([]*ir.Value(nil), op.Operands()...), op.Results()...) {
			split = split || tuple(v)
		}
		if split && s.split(op) {
			gone = append(gone, op)
		}
	}
	if s.errs.HasErrors() {
		return
	}
	for _, op := range gone { // they use each other's results, in cycles too
		op.SetOperands(nil)
	}
	for _, op := range gone {
		op.Erase()
	}
	for _, p := range later {
		if p.NumResults() > 0 && p.Result(0).HasUses() {
			s.errs.Add(&diag.Diagnostic{Severity: diag.Internal, Pos: p.Pos, Message: "a tuple is left"})
		}
	}
}

// arguments splits the parameters of the function.
func (s *splitter) arguments() {
	old := s.body.Args
	s.body.Args = nil
	var names []string
	var types []ir.Type
	had := stringsOf(s.fn.Attr("argNames"))
	for i, a := range old {
		name := fmt.Sprintf("in%d", i)
		if i < len(had) {
			name = had[i]
		}
		if !tuple(a) {
			a.Index = len(s.body.Args)
			s.body.Args = append(s.body.Args, a)
			names, types = append(names, name), append(types, a.Type)
			continue
		}
		var leaves []*ir.Value
		for k, t := range leafTypes(a.Type) {
			n := fmt.Sprintf("%s_%d", name, k)
			v := s.body.AddArg(t, n, a.Loc)
			leaves = append(leaves, v)
			names, types = append(names, n), append(types, t)
		}
		s.leaves[a] = leaves
	}
	s.fn.SetAttr("argNames", ir.StrArray(names))
	s.fn.SetAttr("arg_attrs", nil)
	s.signature(types, nil)
}

// signature sets the types of the function; nil leaves what there is.
func (s *splitter) signature(in, out []ir.Type) {
	ft := s.fn.Attr("function_type").(*ir.TypeAttr).Type.(*ir.FunctionType)
	if in == nil {
		in = ft.Inputs
	}
	if out == nil {
		out = ft.Results
	}
	s.fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(in, out)})
}

func stringsOf(a ir.Attr) []string {
	var out []string
	if list, ok := a.(*ir.ArrayAttr); ok {
		for _, e := range list.Elems {
			if t, ok := e.(*ir.StringAttr); ok {
				out = append(out, t.Value)
			}
		}
	}
	return out
}

// of are the elements of values.
func (s *splitter) of(vs ...*ir.Value) []*ir.Value {
	var out []*ir.Value
	for _, v := range vs {
		if tuple(v) {
			out = append(out, s.leaves[v]...)
		} else {
			out = append(out, v)
		}
	}
	return out
}

// is makes the placeholders of a tuple stand for values.
func (s *splitter) is(v *ir.Value, to []*ir.Value) {
	for i, p := range s.leaves[v] {
		if name := v.Name; name != "" && to[i].Name == "" {
			to[i].Name = fmt.Sprintf("%s_%d", name, i)
		}
		// The values that were split with this one in an operand know only the placeholder.
		p.ReplaceAllUsesWith(to[i])
		for other, leaves := range s.leaves {
			if other == v {
				continue
			}
			for k := range leaves {
				if leaves[k] == p {
					leaves[k] = to[i]
				}
			}
		}
	}
	s.leaves[v] = to
}

// emit puts an operation in front of ref.
func emit(ref *ir.Operation, name string, operands []*ir.Value, types ...ir.Type) *ir.Operation {
	return ref.Block().InsertBefore(ref, ir.NewOp(name, ref.Pos, operands, types))
}

func typesOf(vs []*ir.Value) []ir.Type {
	var out []ir.Type
	for _, v := range vs {
		out = append(out, v.Type)
	}
	return out
}

// split rewrites an operation on tuples by operations on their elements; it reports whether
// they replace it.
func (s *splitter) split(op *ir.Operation) bool {
	switch op.Name {
	case opname.HandshakePack:
		if op.NumOperands() == 0 {
			s.errs.Errorf(op.Pos, "'%s' has no operand that sets how often it fires", op.Name)
			return false
		}
		in := s.of(op.Operands()...)
		s.is(op.Result(0), emit(op, opname.HandshakeSync, in, typesOf(in)...).Results())
	case opname.HandshakeUnpack:
		leaves := s.of(op.Operand(0))
		for _, r := range op.Results() {
			n := len(leafTypes(r.Type))
			if tuple(r) {
				s.is(r, append([]*ir.Value(nil), leaves[:n]...))
			} else {
				r.ReplaceAllUsesWith(leaves[0])
			}
			leaves = leaves[n:]
		}
	case opname.HandshakeReturn:
		types, names := []ir.Type(nil), []string(nil)
		had := stringsOf(s.fn.Attr("resNames"))
		for i, v := range op.Operands() {
			leaves := s.of(v)
			for k, l := range leaves {
				types = append(types, l.Type)
				name := fmt.Sprintf("out%d", i)
				if i < len(had) {
					name = had[i]
				}
				if tuple(v) {
					name = fmt.Sprintf("%s_%d", name, k)
				}
				names = append(names, name)
			}
		}
		op.SetOperands(s.of(op.Operands()...))
		s.fn.SetAttr("resNames", ir.StrArray(names))
		s.fn.SetAttr("res_attrs", nil)
		s.signature(nil, types)
		return false
	case opname.HandshakeJoin:
		op.SetOperands(s.of(op.Operands()...))
		return false
	case opname.HandshakeSync:
		in := s.of(op.Operands()...)
		out := emit(op, opname.HandshakeSync, in, typesOf(in)...).Results()
		for _, r := range op.Results() {
			n := len(leafTypes(r.Type))
			if tuple(r) {
				s.is(r, append([]*ir.Value(nil), out[:n]...))
			} else {
				r.ReplaceAllUsesWith(out[0])
			}
			out = out[n:]
		}
	case opname.HandshakeBr, opname.HandshakeFork, opname.HandshakeLazyFork, opname.HandshakeBuffer, opname.HandshakeSink:
		s.each(op, 0)
	case opname.HandshakeNever:
		s.each(op, 0)
	case opname.HandshakeMux, opname.HandshakeCondBr:
		s.each(op, 1)
	case opname.HandshakeMerge, opname.HandshakeControlMerge:
		s.merge(op)
	default:
		s.errs.Errorf(op.Pos, "'%s' cannot take a tuple", op.Name).WithHelp("handshake.unpack gives its elements")
		return false
	}
	return true
}

// each makes one operation per element; the first operands are shared by all.
func (s *splitter) each(op *ir.Operation, shared int) {
	var t ir.Type
	if op.NumOperands() > shared {
		t = op.Operand(shared).Type
	} else {
		t = op.Result(0).Type
	}
	out := make([][]*ir.Value, op.NumResults())
	for i, leaf := range leafTypes(t) {
		in := append([]*ir.Value(nil), op.Operands()[:shared]...)
		for _, v := range op.Operands()[shared:] {
			in = append(in, s.of(v)[i])
		}
		types := make([]ir.Type, op.NumResults())
		for k := range types {
			types[k] = leaf
		}
		one := emit(op, op.Name, in, types...)
		one.Attrs = append(ir.NamedAttrs(nil), op.Attrs...)
		for k, r := range one.Results() {
			out[k] = append(out[k], r)
		}
	}
	for k, r := range op.Results() {
		s.is(r, out[k])
	}
}

// merge merges the first elements and lets the others follow, by the number of the operand
// that was taken.
func (s *splitter) merge(op *ir.Operation) {
	types := leafTypes(op.Result(0).Type)
	index := ir.Type(ir.Index)
	if op.NumResults() > 1 {
		index = op.Result(1).Type
	}
	element := func(i int) []*ir.Value {
		var in []*ir.Value
		for _, v := range op.Operands() {
			in = append(in, s.of(v)[i])
		}
		return in
	}
	first := emit(op, opname.HandshakeControlMerge, element(0), types[0], index)
	out := []*ir.Value{first.Result(0)}
	for i, t := range types[1:] {
		out = append(out, emit(op, opname.HandshakeMux, append([]*ir.Value{first.Result(1)}, element(i+1)...), t).Result(0))
	}
	s.is(op.Result(0), out)
	if op.NumResults() > 1 {
		op.Result(1).ReplaceAllUsesWith(first.Result(1))
	}
}
