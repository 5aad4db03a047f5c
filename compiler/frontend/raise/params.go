package raise

import (
	"fmt"
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
)

// signature is the function as the source declares it.
type signature struct {
	subprogram *llvm.Entry // nil without debug information
	name       string
	params     []*param
	result     *param
}

// param is a parameter of the source, or the result.
type param struct {
	name     string
	pos      diag.Pos
	di       *llvm.Entry
	class    cabi.Class
	typ      *ctype
	spelling string
	noalias  bool

	pointer *ir.Value // the argument, of pointers
	pointee *ctype    // nil where it is not known
	fields  []*field  // the numbers of scalars (one) and structs
}

// field is a number of a parameter.
type field struct {
	path   string
	offset int64
	typ    ir.Type
	value  *ir.Value // argument of the entry block
}

// readSignature finds out what the arguments of the function are in the source. What
// the calling convention of C packed together is taken apart: afterwards every argument
// of the entry block is a pointer or a number of the source.
func (r *raiser) readSignature() {
	entry := r.fn.Regions[0].Entry()
	symbol := r.fn.SymName()
	r.sig = &signature{name: symbol, subprogram: r.opts.Debug.Subprogram(symbol)}
	args := entry.Args
	var types []*llvm.Entry
	if sp := r.sig.subprogram; sp != nil {
		r.sig.name = speller{r.opts.Cxx}.qualified(sp)
		if st := sp.Ref("type"); st != nil {
			types = st.Refs("types")
		}
	}
	s := &splitter{r: r, entry: entry, args: args, attrs: attrList(r.fn, "arg_attrs")}
	if s.has(0, "llvm.sret") {
		s.next = 1
		s.sret = args[0]
	}
	if !s.fits(types) {
		types = nil
		for range args[s.next:] {
			types = append(types, nil)
		}
		types = append([]*llvm.Entry{nil}, types...)
		s.unknown = true
	}
	for i, t := range types[1:] {
		s.param(i, t)
	}
	s.results(types[0])
	if len(r.errs.All) == 0 {
		s.finish()
	}
}

// splitter takes the arguments apart.
type splitter struct {
	r       *raiser
	entry   *ir.Block
	args    []*ir.Value
	attrs   []*ir.DictAttr
	next    int
	sret    *ir.Value
	unknown bool          // without debug information
	at      *ir.Operation // where new operations go
	fresh   []*ir.Value   // the new arguments
}

func attrList(fn *ir.Operation, name string) []*ir.DictAttr {
	a, ok := fn.Attr(name).(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	var out []*ir.DictAttr
	for _, e := range a.Elems {
		d, _ := e.(*ir.DictAttr)
		out = append(out, d)
	}
	return out
}

func (s *splitter) attr(i int, name string) ir.Attr {
	if i < 0 || i >= len(s.attrs) || s.attrs[i] == nil {
		return nil
	}
	return s.attrs[i].Entries.Get(name)
}

func (s *splitter) has(i int, name string) bool { return i < len(s.args) && s.attr(i, name) != nil }

// coerced is the argument that normalisation split and the offset of a part in it.
func (s *splitter) coerced(i int) (orig, offset int64, ok bool) {
	a, isArray := s.attr(i, "loom.coerced").(*ir.DenseArrayAttr)
	if !isArray || len(a.Values) != 2 {
		return 0, 0, false
	}
	return a.Values[0], a.Values[1], true
}

// part is an argument and the bytes of a struct that it holds.
type part struct {
	arg    *ir.Value
	offset int64
}

// take returns the arguments from position i that hold a parameter of type t, and the
// position behind them.
func (s *splitter) take(i int, t *ctype) (parts []part, next int, ok bool) {
	if t.kind == cVoid {
		return nil, i, false
	}
	aggregate := t.kind == cStruct || t.kind == cOpaque || t.kind == cArray
	if !aggregate || i < len(s.args) && isPtr(s.args[i]) && (t.size > 16 || s.has(i, "llvm.byval") || !pointerFirst(t)) {
		if i >= len(s.args) {
			return nil, i, aggregate && t.size == 0
		}
		return []part{{s.args[i], 0}}, i + 1, true
	}
	for at := int64(0); at < t.size; at += 8 {
		if i >= len(s.args) {
			return nil, i, false
		}
		orig, off, split := s.coerced(i)
		parts = append(parts, part{s.args[i], at + off})
		i++
		for split && i < len(s.args) {
			o, off, also := s.coerced(i)
			if !also || o != orig {
				break
			}
			parts = append(parts, part{s.args[i], at + off})
			i++
		}
	}
	return parts, i, true
}

// pointerFirst reports whether a struct begins with a pointer: then a pointer that is
// passed may be that one, not the address of the struct.
func pointerFirst(t *ctype) bool {
	in := t.leaves(0, 8)
	return len(in) > 0 && in[0].offset == 0 && in[0].typ.kind == cPointer
}

// fits reports whether the types of the debug information account for the arguments.
func (s *splitter) fits(types []*llvm.Entry) bool {
	if len(types) == 0 {
		return false
	}
	at := s.next
	for _, t := range types[1:] {
		var ok bool
		if _, at, ok = s.take(at, ctypeDI(t)); !ok {
			return false
		}
	}
	return at == len(s.args)
}

// param reads the parameter at position i of the source.
func (s *splitter) param(i int, di *llvm.Entry) {
	p := &param{di: di, pos: s.r.fn.Pos, name: s.r.argName(i + 1)}
	if p.name == "" {
		p.name = fmt.Sprintf("arg%d", i)
	}
	s.r.sig.params = append(s.r.sig.params, p)
	if s.unknown {
		at := s.next
		if n := s.r.varNames[s.args[at]]; n != "" {
			p.name = n
		}
		s.next++
		s.plain(p, at)
		return
	}
	p.typ = ctypeDI(di)
	p.spelling = speller{s.r.opts.Cxx}.spell(di, "")
	at := s.next
	parts, next, _ := s.take(at, p.typ)
	s.next = next
	switch {
	case p.typ.kind == cPointer && len(parts) == 1 && isPtr(parts[0].arg):
		p.class, p.pointer = cabi.Pointer, parts[0].arg
		p.noalias = s.has(at, "llvm.noalias")
		p.pointee = ctypeDI(stripped(di).Ref("baseType"))
		if p.typ.ref {
			p.spelling = speller{s.r.opts.Cxx}.spell(stripped(di).Ref("baseType"), pointerTo(stripped(di).Ref("baseType")))
		}
		if p.pointee.kind == cVoid || p.pointee.size == 0 && p.pointee.kind != cArray {
			p.pointee = nil
		}
	case p.typ.scalar() && len(parts) == 1 && !isPtr(parts[0].arg):
		p.class = cabi.Scalar
		p.fields = []*field{{typ: parts[0].arg.Type, value: parts[0].arg}}
	case p.typ.kind == cStruct || p.typ.kind == cOpaque:
		p.class = cabi.Struct
		s.record(p, parts)
	default:
		s.r.errorf(p.pos, "parameter %s has type %s, which cannot be passed to hardware", ir.QuoteString(p.name), p.spelling)
	}
}

// pointerTo is the declarator of a pointer to a type.
func pointerTo(e *llvm.Entry) string {
	if isArray(e) {
		return "(*)"
	}
	return "*"
}

// plain reads a parameter of which only its type in the IR is known.
func (s *splitter) plain(p *param, at int) {
	arg := s.args[at]
	t, err := llvm.Parse(arg.Type)
	if err != nil {
		s.r.errorf(p.pos, "parameter %d: %v", at, err)
		return
	}
	p.typ = ctypeOf(t)
	switch {
	case isPtr(arg):
		p.class, p.pointer, p.spelling = cabi.Pointer, arg, "void *"
		p.noalias = s.has(at, "llvm.noalias")
		if ta, ok := s.attr(at, "llvm.byval").(*ir.TypeAttr); ok {
			if bt, err := llvm.Parse(ta.Type); err == nil {
				p.class, p.pointer, p.typ, p.spelling = cabi.Struct, nil, ctypeOf(bt), ""
				s.record(p, []part{{arg, 0}})
			}
		}
	default:
		p.class, p.spelling = cabi.Scalar, plainName(t)
		p.fields = []*field{{typ: arg.Type, value: arg}}
	}
}

func plainName(t *llvm.Type) string {
	switch {
	case t.Kind == llvm.Float && t.Width == 32:
		return "float"
	case t.Kind == llvm.Float && t.Width == 64:
		return "double"
	case t.Width == 1:
		return "_Bool"
	}
	n := 8
	for n < t.Width {
		n *= 2
	}
	return fmt.Sprintf("int%d_t", n)
}

// maxFields bounds the numbers of a struct that is passed by value.
const maxFields = 256

// record makes a parameter per field of a struct and computes from them what the
// calling convention passes.
func (s *splitter) record(p *param, parts []part) {
	p.fields = s.fieldsOf(p.typ, p.name, p.pos)
	for _, f := range p.fields {
		f.value = &ir.Value{Type: f.typ, Name: p.name + "." + identifier(f.path), Block: s.entry, Loc: p.pos}
		s.fresh = append(s.fresh, f.value)
	}
	b := s.builder()
	for _, q := range parts {
		if isPtr(q.arg) { // memory of the callee
			if len(p.fields) > 0 {
				q.arg.ReplaceAllUsesWith(s.spill(b, p))
			}
			continue
		}
		q.arg.ReplaceAllUsesWith(pack(b, p.fields, q.offset, q.arg.Type))
	}
}

func (s *splitter) fieldsOf(t *ctype, name string, pos diag.Pos) []*field {
	leaves := t.leaves(0, t.size)
	if len(leaves) > maxFields {
		s.r.errorf(pos, "%s is a struct of %d numbers, too many to be passed by value", ir.QuoteString(name), len(leaves)).
			WithHelp("pass a pointer to it")
		return nil
	}
	var out []*field
	for _, l := range leaves {
		if !l.typ.scalar() || l.typ.size > 8 || l.typ.size&(l.typ.size-1) != 0 {
			what := "is no number"
			if l.typ.kind == cPointer {
				what = "is a pointer"
			}
			s.r.errorf(pos, "the field %s of %s %s", ir.QuoteString(l.path), ir.QuoteString(name), what).
				WithHelp("a struct that is passed by value may hold numbers; pass the rest as parameters of its own")
			return nil
		}
		out = append(out, &field{path: l.path, offset: l.offset, typ: l.typ.elemType()})
	}
	return out
}

// builder inserts operations of the llvm dialect at the start of the function.
func (s *splitter) builder() *llvmBuilder {
	if s.at == nil {
		s.at = s.entry.Ops[0]
	}
	return &llvmBuilder{block: s.entry, before: s.at, pos: s.r.fn.Pos}
}

// spill stores the fields into a local variable and returns its address.
func (s *splitter) spill(b *llvmBuilder, p *param) *ir.Value {
	a := b.alloca(p.typ.size, p.name)
	s.r.spilled[a], s.r.varNames[a] = p.typ, p.name
	for _, f := range p.fields {
		b.store(f.value, b.gep(a, f.offset))
	}
	return a
}

// pack computes a value of type t from the fields whose bytes it holds.
func pack(b *llvmBuilder, fields []*field, offset int64, t ir.Type) *ir.Value {
	bits, _ := ir.BitWidth(t, 64)
	whole := ir.Int(max(bits, 8))
	var sum *ir.Value
	for _, f := range fields {
		w, _ := ir.BitWidth(f.typ, 64)
		shift := (f.offset - offset) * 8
		if shift < 0 || shift+int64(w) > int64(whole.Width) {
			continue
		}
		if f.typ == t && shift == 0 {
			return f.value
		}
		v := b.cast("llvm.bitcast", f.value, ir.Int(w))
		v = b.cast("llvm.zext", v, whole)
		if shift > 0 {
			v = b.op("llvm.shl", whole, v, b.constant(shift, whole))
		}
		if sum == nil {
			sum = v
		} else {
			sum = b.op("llvm.or", whole, sum, v)
		}
	}
	if sum == nil {
		sum = b.constant(0, whole)
	}
	if w, _ := ir.BitWidth(t, 64); w < whole.Width {
		sum = b.cast("llvm.trunc", sum, ir.Int(w))
	}
	return b.cast("llvm.bitcast", sum, t)
}

// unpack computes a field from the values that hold its bytes.
func unpack(b *llvmBuilder, f *field, values []*ir.Value, offsets []int64) *ir.Value {
	w, _ := ir.BitWidth(f.typ, 64)
	for i, v := range values {
		bits, ok := ir.BitWidth(v.Type, 64)
		shift := (f.offset - offsets[i]) * 8
		if !ok || shift < 0 || shift >= int64(bits) {
			continue
		}
		if v.Type == f.typ {
			return v
		}
		x := b.cast("llvm.bitcast", v, ir.Int(bits))
		if shift > 0 {
			x = b.op("llvm.lshr", x.Type, x, b.constant(shift, x.Type))
		}
		switch {
		case bits > w:
			x = b.cast("llvm.trunc", x, ir.Int(w))
		case bits < w:
			x = b.cast("llvm.zext", x, ir.Int(w))
		}
		return b.cast("llvm.bitcast", x, f.typ)
	}
	return b.zero(f.typ)
}

// results reads what the function returns.
func (s *splitter) results(di *llvm.Entry) {
	r := s.r
	var returns []*ir.Operation
	for _, b := range r.order {
		if t := b.Terminator(); t.Name == "llvm.return" {
			returns = append(returns, t)
		}
	}
	p := &param{di: di, pos: r.fn.Pos, name: "result"}
	if s.sret == nil && (len(returns) == 0 || returns[0].NumOperands() == 0) {
		return
	}
	r.sig.result = p
	if di != nil {
		p.typ, p.spelling = ctypeDI(di), speller{r.opts.Cxx}.spell(di, "")
	}
	if s.sret != nil {
		s.returnMemory(p, returns)
		return
	}
	types := returns[0].Operands()
	for _, t := range returns {
		if t.NumOperands() != len(types) {
			r.errorf(t.Pos, "the returns of the function do not agree")
			return
		}
	}
	if p.typ == nil || p.typ.kind != cStruct && p.typ.kind != cOpaque {
		s.returnScalars(p, returns[0])
		return
	}
	p.class = cabi.Struct
	p.fields = s.fieldsOf(p.typ, "the result", p.pos)
	offsets := make([]int64, len(types))
	attrs := attrList(r.fn, "res_attrs")
	for i := range offsets {
		offsets[i] = int64(i) * 8
		if i < len(attrs) && attrs[i] != nil {
			if a, ok := attrs[i].Entries.Get("loom.coerced").(*ir.DenseArrayAttr); ok && len(a.Values) > 0 {
				offsets[i] = a.Values[len(a.Values)-1]
			}
		}
	}
	for _, t := range returns {
		b := &llvmBuilder{block: t.Block(), before: t, pos: t.Pos, loc: t.Loc}
		var out []*ir.Value
		for _, f := range p.fields {
			out = append(out, unpack(b, f, t.Operands(), offsets))
		}
		t.SetOperands(out)
	}
}

func (s *splitter) returnScalars(p *param, t *ir.Operation) {
	for i, v := range t.Operands() {
		if isPtr(v) {
			s.r.errorf(t.Pos, "a pointer is returned: hardware has no addresses of its caller").
				WithHelp("return an index, or write the result through a parameter")
			return
		}
		p.fields = append(p.fields, &field{typ: v.Type, offset: int64(i) * 8})
	}
	p.class = cabi.Scalar
	if len(p.fields) > 1 {
		p.class = cabi.Struct
	}
	if p.typ == nil {
		if lt, err := llvm.Parse(p.fields[0].typ); err == nil {
			p.typ, p.spelling = ctypeOf(lt), plainName(lt)
		}
	}
}

// returnMemory turns the memory of the caller that receives the result into a local
// variable whose fields are returned.
func (s *splitter) returnMemory(p *param, returns []*ir.Operation) {
	if p.typ == nil {
		if ta, ok := s.attr(0, "llvm.sret").(*ir.TypeAttr); ok {
			if t, err := llvm.Parse(ta.Type); err == nil {
				p.typ = ctypeOf(t)
			}
		}
	}
	if p.typ == nil || p.typ.size <= 0 {
		s.r.errorf(p.pos, "the struct that the function returns is not known")
		return
	}
	p.class = cabi.Struct
	p.fields = s.fieldsOf(p.typ, "the result", p.pos)
	a := s.builder().alloca(p.typ.size, "result")
	s.sret.ReplaceAllUsesWith(a)
	s.r.spilled[a], s.r.varNames[a] = p.typ, "result"
	for _, t := range returns {
		b := &llvmBuilder{block: t.Block(), before: t, pos: t.Pos, loc: t.Loc}
		var out []*ir.Value
		for _, f := range p.fields {
			out = append(out, b.load(b.gep(a, f.offset), f.typ))
		}
		t.SetOperands(out)
	}
}

// finish leaves the entry block with the arguments that the parameters name.
func (s *splitter) finish() {
	s.entry.Args = s.entry.Args[:0]
	for _, p := range s.r.sig.params {
		if p.pointer != nil {
			s.keep(p.pointer, p.name)
		}
		for _, f := range p.fields {
			name := p.name
			if f.path != "" {
				name += "." + identifier(f.path)
			}
			s.keep(f.value, name)
		}
	}
}

func (s *splitter) keep(v *ir.Value, name string) {
	v.Name, v.Index, v.Block = name, len(s.entry.Args), s.entry
	s.entry.Args = append(s.entry.Args, v)
}

// argName is the name of parameter n, counted from 1.
func (r *raiser) argName(n int) string {
	for _, v := range r.variables {
		if v.Num("arg") != int64(n) {
			continue
		}
		// The parameters of inlined functions have numbers, too.
		if sc := v.Ref("scope"); sc != nil && r.sig.subprogram != nil && sc.Kind == "subprogram" &&
			sc.Str("name") == r.sig.subprogram.Str("name") && sc.Str("linkageName") == r.sig.subprogram.Str("linkageName") &&
			sc.Num("line") == r.sig.subprogram.Num("line") {
			return v.Str("name")
		}
	}
	return ""
}

// noteVariable remembers the variable that a value is.
func (r *raiser) noteVariable(op *ir.Operation) {
	v := r.opts.Debug.Entry(op.Attr("varInfo"))
	if v == nil || op.NumOperands() != 1 {
		return
	}
	r.variables = append(r.variables, v)
	if op.Name == "llvm.intr.dbg.declare" && isPtr(op.Operand(0)) {
		r.declarations[op.Operand(0)] = v
	}
	if e := op.Attr("locationExpr"); e != nil && e.String() != "#llvm.di_expression<>" && op.Name == "llvm.intr.dbg.value" {
		return
	}
	name := v.Str("name")
	if name != "" && r.varNames[op.Operand(0)] == "" && !strings.ContainsAny(name, " \t") {
		r.varNames[op.Operand(0)] = name
	}
}

// declared is the type of the variable that lives at an address.
func (r *raiser) declared(alloc *ir.Operation) *ctype {
	if t := r.spilled[alloc.Result(0)]; t != nil {
		return t
	}
	if v := r.declarations[alloc.Result(0)]; v != nil {
		return ctypeDI(v.Ref("type"))
	}
	return nil
}
