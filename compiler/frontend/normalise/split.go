package normalise

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Values that are more than one scalar (vectors, structs, arrays, integers of more than
// 64 bits) are replaced by their parts: a value's parts are scalars of their own from
// its definition to its last use, through blocks, parameters and results. Memory keeps
// its layout; a part is loaded from and stored to its own offset.

// part is one scalar of a value: its type and its offset in memory, in bits. Elements
// of vectors are adjacent, so that those of vector<8xi1> share a byte.
type part struct {
	t    ir.Type
	bits int
	at   int64
}

// maxParts bounds the parts of one value: a loop is needed for more.
const maxParts = 4096

type splitter struct {
	f     *ir.Operation
	parts map[*ir.Value][]*ir.Value
	types map[ir.Type][]part // no entry: not visited; nil: a scalar
	dead  []*ir.Operation
	errs  *diag.List
}

// split replaces all values of the function that have parts.
func split(f *ir.Operation, errs *diag.List) {
	dropUnused(f)
	s := &splitter{f: f, parts: map[*ir.Value][]*ir.Value{}, types: map[ir.Type][]part{}, errs: errs}
	s.parameters()
	order := reversePostorder(f.Regions[0])
	for _, b := range order {
		for _, a := range b.Args {
			if _, done := s.parts[a]; done {
				continue
			}
			for i, p := range s.partsOf(a.Type) {
				v := &ir.Value{Type: p.t, Block: b, Loc: a.Loc, Name: partName(a.Name, i)}
				s.parts[a] = append(s.parts[a], v)
			}
		}
	}
	for _, b := range order {
		for _, o := range append([]*ir.Operation(nil), b.Ops...) {
			s.operation(o)
		}
	}
	if errs.HasErrors() {
		return
	}
	for _, b := range order {
		s.blockArgs(b)
	}
	for _, o := range s.dead {
		o.SetOperands(nil)
	}
	for _, o := range s.dead {
		o.Erase()
	}
}

func partName(name string, i int) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf("%s.%d", name, i)
}

// partsOf are the parts of a type, nil for a scalar.
func (s *splitter) partsOf(t ir.Type) []part {
	if p, ok := s.types[t]; ok {
		return p
	}
	var out []part
	l, err := llvm.Parse(t)
	if err == nil && hasParts(l) {
		out = flatten(nil, l, 0)
		if out == nil {
			out = []part{} // a struct without fields
		}
	}
	s.types[t] = out
	return out
}

func hasParts(t *llvm.Type) bool {
	switch t.Kind {
	case llvm.Array, llvm.StructType, llvm.Vector:
		return true
	case llvm.Int:
		return t.Width > 64
	}
	return false
}

// flatten appends the parts of a type that begins at a bit.
func flatten(out []part, t *llvm.Type, at int64) []part {
	if len(out) > maxParts {
		return out
	}
	switch t.Kind {
	case llvm.Int:
		for w := t.Width; w > 0; w -= 64 {
			n := min(w, 64)
			out = append(out, part{ir.Int(n), n, at})
			at += 64
		}
	case llvm.Float:
		out = append(out, part{ir.Float(t.Name), t.Width, at})
	case llvm.Ptr:
		out = append(out, part{ptrType, 64, at})
	case llvm.Array, llvm.Vector:
		step := t.Elem.Size() * 8
		if t.Kind == llvm.Vector {
			step = int64(t.Elem.Width)
		}
		for i := range t.Len {
			if len(out) > maxParts {
				return out
			}
			out = flatten(out, t.Elem, at+i*step)
		}
	case llvm.StructType:
		for i, f := range t.Fields {
			out = flatten(out, f, at+t.Offset(i)*8)
		}
	}
	return out
}

// of returns the parts of a value, itself where it is a scalar.
func (s *splitter) of(v *ir.Value) []*ir.Value {
	if p, ok := s.parts[v]; ok {
		return p
	}
	return []*ir.Value{v}
}

// isSplit reports whether a value is replaced by parts.
func (s *splitter) isSplit(v *ir.Value) bool { return s.partsOf(v.Type) != nil }

// operation replaces an operation that reads or makes values with parts.
func (s *splitter) operation(o *ir.Operation) {
	if o.Name == opname.LLVMAlloca {
		arrayInstead(o)
	}
	affected := false
	for _, v := range o.Operands() {
		affected = affected || s.isSplit(v)
	}
	for _, v := range o.Results() {
		if s.isSplit(v) {
			affected = true
			if len(s.partsOf(v.Type)) > maxParts {
				s.errs.Errorf(position(o), "a value of more than %d numbers is not supported", maxParts).
					WithHelp("copy the elements in a loop")
				s.parts[v] = nil
				return
			}
		}
	}
	if !affected {
		return
	}
	if strings.HasPrefix(o.Name, "llvm.intr.dbg.") {
		s.variable(o)
		return
	}
	if len(o.Succs) > 0 || o.Name == opname.LLVMUnreachable {
		s.branch(o)
		return
	}
	if o.Name == opname.LLVMReturn {
		o.SetOperands(s.of(o.Operand(0)))
		return
	}
	b := instead(o)
	out, ok := s.rewrite(b, o)
	if !ok {
		s.unsupported(o)
		for _, r := range o.Results() {
			for _, p := range s.partsOf(r.Type) {
				s.parts[r] = append(s.parts[r], s.undef(b, p.t))
			}
		}
		return
	}
	s.replace(o, out)
}

// variable keeps the name of a variable that has parts at the first of them, as a
// fragment: parameters find their names there.
func (s *splitter) variable(o *ir.Operation) {
	parts := s.of(o.Operand(0))
	if o.Name != opname.LLVMIntrDbgValue || len(parts) == 0 || parts[0] == o.Operand(0) {
		s.dead = append(s.dead, o)
		return
	}
	w, _ := ir.BitWidth(parts[0].Type, 64)
	o.SetOperands(parts[:1])
	o.SetAttr("locationExpr", &ir.OpaqueAttr{Text: fmt.Sprintf("#llvm.di_expression<[DW_OP_LLVM_fragment(0, %d)]>", w)})
}

func (s *splitter) unsupported(o *ir.Operation) {
	what := o.Name
	if c := callee(o); c != "" {
		what = "call of " + c
	}
	var t ir.Type
	for _, v := range append(append([]*ir.Value(nil), o.Operands()...), o.Results()...) {
		if s.isSplit(v) {
			t = v.Type
		}
	}
	s.errs.Errorf(position(o), "%s on %s is not supported", strings.TrimPrefix(strings.TrimPrefix(what, "llvm."), "intr."), t).
		WithHelp("use integers of at most 64 bits, float and double, and arrays of them")
}

// replace makes users of an operation's results use their parts. An operation has one
// result or none.
func (s *splitter) replace(o *ir.Operation, out []*ir.Value) {
	s.dead = append(s.dead, o)
	if o.NumResults() == 0 {
		return
	}
	r := o.Result(0)
	if s.isSplit(r) {
		s.parts[r] = out
		return
	}
	r.ReplaceAllUsesWith(out[0])
}

func (s *splitter) undef(b *builder, t ir.Type) *ir.Value {
	return b.insert(b.make(opname.LLVMMlirUndef, nil, t)).Result(0)
}

// branch passes the parts to the successors.
func (s *splitter) branch(o *ir.Operation) {
	for i := range llvm.Own(o) {
		if s.isSplit(o.Operand(i)) {
			s.unsupported(o)
			return
		}
	}
	args := targets(o)
	for i, list := range args {
		var out []*ir.Value
		for _, v := range list {
			out = append(out, s.of(v)...)
		}
		args[i] = out
	}
	llvm.SetTargets(o, args)
}

// blockArgs replaces a block's arguments by their parts.
func (s *splitter) blockArgs(b *ir.Block) {
	var args []*ir.Value
	for _, a := range b.Args {
		args = append(args, s.of(a)...)
	}
	for i, a := range args {
		a.Index = i
	}
	b.Args = args
}

// coerced is the attribute of a parameter or result that is a part of one of LLVM's: its
// position there and its offset in bytes.
const coerced = "loom.coerced"

// parameters splits those of the function, and describes its results.
func (s *splitter) parameters() {
	entry := s.f.Regions[0].Entry()
	var inputs []ir.Type
	var attrs []ir.Attr
	old, _ := s.f.Attr("arg_attrs").(*ir.ArrayAttr)
	changed := false
	for i, a := range entry.Args {
		var d ir.Attr = &ir.DictAttr{}
		if old != nil && i < len(old.Elems) {
			d = old.Elems[i]
		}
		if !s.isSplit(a) {
			inputs, attrs = append(inputs, a.Type), append(attrs, d)
			continue
		}
		changed = true
		s.parts[a] = []*ir.Value{}
		for k, p := range s.partsOf(a.Type) {
			s.parts[a] = append(s.parts[a], &ir.Value{Type: p.t, Block: entry, Loc: a.Loc, Name: partName(a.Name, k)})
			inputs, attrs = append(inputs, p.t), append(attrs, coercedAttr(i, p))
		}
	}
	result := returnType(s.f)
	if result != nil {
		if ps := s.partsOf(result); ps != nil {
			var res []ir.Attr
			for _, p := range ps {
				res = append(res, coercedAttr(0, p))
			}
			s.f.SetAttr("res_attrs", &ir.ArrayAttr{Elems: res})
		}
	}
	if !changed {
		return
	}
	s.f.SetAttr("arg_attrs", &ir.ArrayAttr{Elems: attrs})
	names := make([]string, len(inputs))
	for i, t := range inputs {
		names[i] = strings.TrimPrefix(t.String(), "!llvm.")
	}
	ret := "void"
	if result != nil {
		ret = strings.TrimPrefix(result.String(), "!llvm.")
	}
	s.f.SetAttr("function_type", &ir.TypeAttr{Type: ir.Opaque("!llvm.func<" + ret + " (" + strings.Join(names, ", ") + ")>")})
}

func coercedAttr(i int, p part) ir.Attr {
	d := &ir.DictAttr{}
	d.Entries.Set(coerced, &ir.DenseArrayAttr{Elem: ir.Int(64), Values: []int64{int64(i), p.at / 8}})
	return d
}

// returnType is the type that a function returns, nil for void.
func returnType(f *ir.Operation) ir.Type {
	for _, b := range f.Regions[0].Blocks {
		if t := b.Terminator(); t != nil && t.Name == opname.LLVMReturn && t.NumOperands() > 0 {
			return t.Operand(0).Type
		}
	}
	return nil
}

// arrayInstead makes a local vector an array of the same layout.
func arrayInstead(o *ir.Operation) {
	a, ok := o.Attr("elem_type").(*ir.TypeAttr)
	if !ok {
		return
	}
	t, err := llvm.Parse(a.Type)
	if err != nil || t.Kind != llvm.Vector || t.Elem.Width%8 != 0 || t.Size() != t.Elem.Size()*t.Len {
		return
	}
	o.SetAttr("elem_type", &ir.TypeAttr{Type: arrayType(t.Len, flatten(nil, t.Elem, 0)[0].t)})
}

func arrayType(n int64, elem ir.Type) ir.Type {
	return ir.Opaque(fmt.Sprintf("!llvm.array<%d x %s>", n, strings.TrimPrefix(elem.String(), "!llvm.")))
}

// pureOps are operations of the llvm dialect whose results alone matter.
func pure(o *ir.Operation) bool {
	switch o.Name {
	case opname.LLVMMlirConstant, opname.LLVMMlirUndef, opname.LLVMMlirPoison, opname.LLVMMlirZero, opname.LLVMMlirAddressOf,
		opname.LLVMInsertValue, opname.LLVMExtractValue, opname.LLVMInsertElement, opname.LLVMExtractElement, opname.LLVMShuffleVector,
		opname.LLVMBitcast, opname.LLVMGetElementPtr, opname.LLVMZExt, opname.LLVMSExt, opname.LLVMTrunc, opname.LLVMAlloca, opname.LLVMFreeze:
		return true
	}
	return false
}

// dropUnused erases operations without effect that nothing reads: importing leaves the
// initial values of globals behind as constants.
func dropUnused(f *ir.Operation) {
	for _, b := range f.Regions[0].Blocks {
		for i := len(b.Ops) - 1; i >= 0; i-- {
			if i < len(b.Ops) { // operands of the last one may have been removed with it
				eraseUnused(b.Ops[i])
			}
		}
	}
}

func eraseUnused(o *ir.Operation) {
	if !pure(o) || o.NumResults() != 1 || o.Result(0).HasUses() {
		return
	}
	operands := append([]*ir.Value(nil), o.Operands()...)
	o.Erase()
	for _, v := range operands {
		if v.Def != nil && v.Def.Block() != nil && v.Def.Block() != o.Block() {
			eraseUnused(v.Def)
		}
	}
}

// reversePostorder lists the reachable blocks, each behind those that dominate it.
func reversePostorder(r *ir.Region) []*ir.Block {
	var out []*ir.Block
	seen := map[*ir.Block]bool{}
	type frame struct {
		b    *ir.Block
		next int
	}
	seen[r.Entry()] = true
	stack := []frame{{b: r.Entry()}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		t := top.b.Terminator()
		if t == nil || top.next >= len(t.Succs) {
			out = append(out, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := t.Succs[top.next].Block
		top.next++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, frame{b: s})
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}
