package lift

import (
	"loom/compiler/cabi"
	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// maxFields bounds the scalars of a struct that is passed by value.
const maxFields = 256

// record makes a parameter per field of a struct and computes from them what the
// calling convention passes.
func (s *splitter) record(p *param, parts []part) {
	p.fields = s.fieldsOf(p, p.name)
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

func (s *splitter) fieldsOf(p *param, name string) []*field {
	pos := p.pos
	leaves := p.typ.leaves(0, p.typ.size)
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
			help := containerText(p.name, p.spelling)
			if help == "" {
				help = "a struct that is passed by value may hold numbers; pass the rest as parameters of its own"
			}
			s.r.errorf(pos, "the field %s of %s %s", ir.QuoteString(l.path), ir.QuoteString(name), what).WithHelp("%s", help)
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
		v := b.cast(opname.LLVMBitcast, f.value, ir.Int(w))
		v = b.cast(opname.LLVMZExt, v, whole)
		if shift > 0 {
			v = b.op(opname.LLVMShl, whole, v, b.constant(shift, whole))
		}
		if sum == nil {
			sum = v
		} else {
			sum = b.op(opname.LLVMOr, whole, sum, v)
		}
	}
	if sum == nil {
		sum = b.constant(0, whole)
	}
	if w, _ := ir.BitWidth(t, 64); w < whole.Width {
		sum = b.cast(opname.LLVMTrunc, sum, ir.Int(w))
	}
	return b.cast(opname.LLVMBitcast, sum, t)
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
		x := b.cast(opname.LLVMBitcast, v, ir.Int(bits))
		if shift > 0 {
			x = b.op(opname.LLVMLShr, x.Type, x, b.constant(shift, x.Type))
		}
		switch {
		case bits > w:
			x = b.cast(opname.LLVMTrunc, x, ir.Int(w))
		case bits < w:
			x = b.cast(opname.LLVMZExt, x, ir.Int(w))
		}
		return b.cast(opname.LLVMBitcast, x, f.typ)
	}
	return b.zero(f.typ)
}

// results reads what the function returns.
func (s *splitter) results(di *llvm.Entry) {
	r := s.r
	var returns []*ir.Operation
	for _, b := range r.order {
		if t := b.Terminator(); t.Name == opname.LLVMReturn {
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
	p.fields = s.fieldsOf(p, "the result")
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

// returnMemory makes the memory of the caller that receives the result into a local
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
	p.fields = s.fieldsOf(p, "the result")
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
