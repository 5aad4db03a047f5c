package cabi

import (
	"fmt"

	"loom/compiler/ir"
)

// Of reads the description from a function; ok is false where it has none, or none
// that makes sense.
func Of(fn *ir.Operation) (f *Function, ok bool) {
	d, isDict := fn.Attr(Attribute).(*ir.DictAttr)
	if !isDict {
		return nil, false
	}
	r := &reader{}
	f = &Function{
		Name: r.str(d, "name"), Symbol: r.str(d, "symbol"), Source: r.str(d, "source"), Cxx: d.Entries.Get("cxx") != nil,
		Approximate: d.Entries.Get("approximate") != nil,
	}
	for _, e := range r.list(d, "flags") {
		s, isStr := e.(*ir.StringAttr)
		if !isStr {
			return nil, false
		}
		f.Flags = append(f.Flags, s.Value)
	}
	for _, e := range r.list(d, "params") {
		f.Params = append(f.Params, r.param(e))
	}
	if e := d.Entries.Get("result"); e != nil {
		p := r.param(e)
		f.Result = &p
	}
	return f, r.err == nil
}

type reader struct{ err error }

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) str(d *ir.DictAttr, key string) string {
	switch a := d.Entries.Get(key).(type) {
	case nil:
		return ""
	case *ir.StringAttr:
		return a.Value
	}
	r.fail("%s is no string", key)
	return ""
}

func (r *reader) num(d *ir.DictAttr, key string) int64 {
	switch a := d.Entries.Get(key).(type) {
	case nil:
		return 0
	case *ir.IntegerAttr:
		return a.Value
	}
	r.fail("%s is no number", key)
	return 0
}

func (r *reader) list(d *ir.DictAttr, key string) []ir.Attr {
	switch a := d.Entries.Get(key).(type) {
	case nil:
		return nil
	case *ir.ArrayAttr:
		return a.Elems
	}
	r.fail("%s is no list", key)
	return nil
}

func (r *reader) param(a ir.Attr) Param {
	d, ok := a.(*ir.DictAttr)
	if !ok {
		r.fail("a parameter is no dictionary")
		return Param{}
	}
	p := Param{
		Name: r.str(d, "name"), Type: r.str(d, "type"), Class: Class(r.str(d, "class")), Size: r.num(d, "size"),
		Unsigned: d.Entries.Get("unsigned") != nil,
	}
	switch p.Class {
	case Scalar, Pointer, Struct, Global:
	default:
		r.fail("unknown class %q", p.Class)
	}
	for _, e := range r.list(d, "pieces") {
		pd, ok := e.(*ir.DictAttr)
		if !ok {
			r.fail("a piece is no dictionary")
			return p
		}
		p.Pieces = append(p.Pieces, Piece{
			Index: int(r.num(pd, "index")), Field: r.str(pd, "field"), Offset: r.num(pd, "offset"), Stride: r.num(pd, "stride"),
			Unsigned: pd.Entries.Get("unsigned") != nil,
		})
	}
	return p
}

// Set writes the description to a function; nil removes it.
func Set(fn *ir.Operation, f *Function) {
	if f == nil {
		fn.SetAttr(Attribute, nil)
		return
	}
	d := &ir.DictAttr{}
	setStr(d, "name", f.Name)
	setStr(d, "symbol", f.Symbol)
	setStr(d, "source", f.Source)
	if f.Cxx {
		d.Entries.Set("cxx", &ir.UnitAttr{})
	}
	if f.Approximate {
		d.Entries.Set("approximate", &ir.UnitAttr{})
	}
	if len(f.Flags) > 0 {
		d.Entries.Set("flags", ir.StrArray(f.Flags))
	}
	params := &ir.ArrayAttr{}
	for _, p := range f.Params {
		params.Elems = append(params.Elems, paramAttr(p))
	}
	d.Entries.Set("params", params)
	if f.Result != nil {
		d.Entries.Set("result", paramAttr(*f.Result))
	}
	fn.SetAttr(Attribute, d)
}

func setStr(d *ir.DictAttr, key, value string) {
	if value != "" {
		d.Entries.Set(key, ir.StrAttr(value))
	}
}

func setNum(d *ir.DictAttr, key string, value int64) {
	if value != 0 {
		d.Entries.Set(key, ir.IntAttr(value, ir.I64))
	}
}

func paramAttr(p Param) ir.Attr {
	d := &ir.DictAttr{}
	setStr(d, "name", p.Name)
	setStr(d, "type", p.Type)
	setStr(d, "class", string(p.Class))
	setNum(d, "size", p.Size)
	if p.Unsigned {
		d.Entries.Set("unsigned", &ir.UnitAttr{})
	}
	pieces := &ir.ArrayAttr{}
	for _, q := range p.Pieces {
		e := &ir.DictAttr{}
		e.Entries.Set("index", ir.IntAttr(int64(q.Index), ir.I64))
		setStr(e, "field", q.Field)
		setNum(e, "offset", q.Offset)
		setNum(e, "stride", q.Stride)
		if q.Unsigned {
			e.Entries.Set("unsigned", &ir.UnitAttr{})
		}
		pieces.Elems = append(pieces.Elems, e)
	}
	if len(pieces.Elems) > 0 {
		d.Entries.Set("pieces", pieces)
	}
	return d
}
