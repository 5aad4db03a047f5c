package lift

import (
	"fmt"

	"loom/compiler/cabi"
	"loom/compiler/frontend/normalise"
	"loom/compiler/ir"
)

// finish writes the attributes of the function, and leaves out the parameters that it
// does not use.
func (e *emitter) finish(fn *ir.Operation) {
	var kept []*ir.Value
	for _, a := range e.entry.Args {
		if a.HasUses() {
			a.Index = len(kept)
			kept = append(kept, a)
		} else {
			a.Index = -1
		}
	}
	e.entry.Args = kept
	used := map[string]bool{}
	for _, a := range kept {
		name := a.Name
		for n := 2; used[a.Name]; n++ {
			a.Name = fmt.Sprintf("%s_%d", name, n)
		}
		used[a.Name] = true
	}
	var in, out []ir.Type
	for _, a := range kept {
		in = append(in, a.Type)
	}
	if p := e.r.sig.result; p != nil {
		for _, f := range p.fields {
			out = append(out, f.typ)
		}
	}
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(in, out)})
	e.describe(fn)
	e.r.aliases(fn)
	e.r.roms(fn)
}

// describe writes how the parameters of the source became those of the function.
func (e *emitter) describe(fn *ir.Operation) {
	r := e.r
	f := &cabi.Function{Name: r.sig.name, Symbol: r.fn.SymName(), Source: r.opts.Source, Flags: r.opts.Flags, Cxx: r.opts.Cxx,
		Approximate: r.fn.Attr(normalise.Approximate) != nil}
	for _, p := range r.sig.params {
		c := cabi.Param{Name: p.name, Type: p.spelling, Class: p.class, Unsigned: p.class == cabi.Scalar && p.typ.unsigned}
		switch {
		case p.pointer == nil:
			c.Size = p.typ.size
			for _, x := range p.fields {
				if a := e.vals[x.value]; a.Index >= 0 {
					c.Pieces = append(c.Pieces, cabi.Piece{Index: a.Index, Field: x.path, Offset: x.offset,
						Unsigned: p.class == cabi.Struct && p.typ.unsignedAt(x.offset, x.typ)})
				}
			}
		default:
			o := r.rootOf[p.pointer]
			if p.pointee != nil {
				t, _ := flatten(p.pointee, nil)
				c.Size = max(t.size, 0)
			}
			c.Pieces = piecesOf(o)
			if c.Size == 0 && len(c.Pieces) > 0 {
				c.Size = c.Pieces[0].Stride
			}
		}
		f.Params = append(f.Params, c)
	}
	for _, o := range r.roots {
		if o.kind != globalRoot || !r.visible(o) {
			continue
		}
		ps := piecesOf(o)
		if len(ps) == 0 {
			continue
		}
		c := cabi.Param{Name: o.name, Class: cabi.Global, Size: o.size(), Pieces: ps, Type: "void *"}
		if d := r.variableOf(o.alloc); d != nil {
			sp := speller{r.opts.Cxx}
			if t := sp.spell(d.Ref("type"), pointerTo(d.Ref("type"))); t != "" {
				c.Type = t
			}
			c.Name = sp.qualified(d)
		}
		f.Params = append(f.Params, c)
	}
	if p := r.sig.result; p != nil {
		c := cabi.Param{Type: p.spelling, Class: p.class, Size: p.typ.size, Unsigned: p.class == cabi.Scalar && p.typ.unsigned}
		for i, x := range p.fields {
			c.Pieces = append(c.Pieces, cabi.Piece{Index: i, Field: x.path, Offset: x.offset,
				Unsigned: p.class == cabi.Struct && p.typ.unsignedAt(x.offset, x.typ)})
		}
		f.Result = &c
	}
	cabi.Set(fn, f)
}

func piecesOf(o *root) []cabi.Piece {
	if o == nil || o.layout == nil {
		return nil
	}
	var out []cabi.Piece
	for _, p := range o.layout.pieces {
		if p != nil && p.value != nil && p.value.Index >= 0 && p.value.HasUses() {
			out = append(out, cabi.Piece{Index: p.value.Index, Field: p.path, Offset: p.offset, Stride: p.stride,
				Unsigned: o.typ.unsignedAt(p.offset, p.elem)})
		}
	}
	return out
}
