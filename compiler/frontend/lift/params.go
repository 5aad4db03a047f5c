package lift

import (
	"fmt"
	"slices"
	"strconv"
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
	// rom is set where the source states that nobody writes what it points to.
	rom bool

	pointer *ir.Value // the argument, of pointers
	pointee *ctype    // nil where it is not known
	fields  []*field  // one of a scalar, several of a struct
}

// field is a scalar of a parameter.
type field struct {
	path   string
	offset int64
	typ    ir.Type
	value  *ir.Value // argument of the entry block
}

// readSignature finds out what the arguments of the function are in the source. What
// the calling convention of C packed together is taken apart: afterwards every argument
// of the entry block is a pointer or a scalar of the source.
func (r *lifter) readSignature() {
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
	r       *lifter
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

// rom reports whether argument i is marked as ROM (clang.ROMMark, positions of LLVM's
// arguments).
func (s *splitter) rom(i int) bool {
	list, _ := s.r.fn.Attr("passthrough").(*ir.ArrayAttr)
	if list == nil {
		return false
	}
	orig := int64(-1)
	for k := range i + 1 {
		if o, _, split := s.coerced(k); split {
			orig = o
		} else {
			orig++
		}
	}
	for _, e := range list.Elems {
		pair, ok := e.(*ir.ArrayAttr)
		if !ok || len(pair.Elems) != 2 || pair.Elems[0].String() != `"`+romMark+`"` {
			continue
		}
		if text, ok := pair.Elems[1].(*ir.StringAttr); ok && slices.Contains(strings.Fields(text.Value), strconv.FormatInt(orig, 10)) {
			return true
		}
	}
	return false
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

// fits reports whether the types of the debug information cover the arguments.
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
	if s.rom(at) && p.typ.kind != cPointer {
		s.r.errorf(p.pos, "parameter %s is marked as ROM and is no array", ir.QuoteString(p.name))
	}
	switch {
	case p.typ.kind == cPointer && len(parts) == 1 && isPtr(parts[0].arg):
		p.class, p.pointer = cabi.Pointer, parts[0].arg
		p.noalias, p.rom = s.has(at, "llvm.noalias"), s.rom(at)
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
		p.noalias, p.rom = s.has(at, "llvm.noalias"), s.rom(at)
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
