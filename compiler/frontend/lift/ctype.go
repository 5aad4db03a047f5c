package lift

import (
	"fmt"
	"strings"

	"loom/compiler/frontend/llvm"
	"loom/compiler/ir"
)

// ckind is the kind of a ctype.
type ckind uint8

const (
	cOpaque ckind = iota // of known size, without known parts: unions, padding
	cInt
	cFloat
	cPointer
	cArray
	cStruct
	cVoid
)

// ctype is a type of the source as far as memory is concerned.
type ctype struct {
	kind     ckind
	size     int64
	unsigned bool
	elem     *ctype // of arrays
	count    int64  // of arrays; -1 where it is not known
	fields   []cfield
	di       *llvm.Entry // nil without debug information
	ref      bool        // a pointer that is a reference
}

type cfield struct {
	name   string
	offset int64
	typ    *ctype
}

// ctypeOf reads a type of the IR.
func ctypeOf(t *llvm.Type) *ctype {
	switch t.Kind {
	case llvm.Int:
		return &ctype{kind: cInt, size: t.Size()}
	case llvm.Float:
		return &ctype{kind: cFloat, size: t.Size()}
	case llvm.Ptr:
		return &ctype{kind: cPointer, size: 8}
	case llvm.Void:
		return &ctype{kind: cVoid}
	case llvm.Array:
		return &ctype{kind: cArray, size: t.Size(), elem: ctypeOf(t.Elem), count: t.Len}
	case llvm.StructType:
		c := &ctype{kind: cStruct, size: t.Size()}
		for i, f := range t.Fields {
			c.fields = append(c.fields, cfield{fmt.Sprintf("f%d", i), t.Offset(i), ctypeOf(f)})
		}
		return c
	}
	return &ctype{kind: cOpaque, size: t.Size()}
}

// maxTypeDepth bounds the nesting of types.
const maxTypeDepth = 40

// ctypeDI reads a type of the debug information; nil stands for void.
func ctypeDI(e *llvm.Entry) *ctype { return ctypeDIn(e, 0) }

func ctypeDIn(e *llvm.Entry, depth int) *ctype {
	if e == nil || e.Kind == "null_type" || depth > maxTypeDepth {
		return &ctype{kind: cVoid, di: e}
	}
	size := (e.Num("sizeInBits") + 7) / 8
	switch e.Kind {
	case "basic_type":
		c := &ctype{kind: cInt, size: size, di: e}
		switch enc := strings.TrimPrefix(e.Values["encoding"], "DW_ATE_"); enc {
		case "float":
			c.kind = cFloat
		case "unsigned", "unsigned_char", "boolean", "UTF":
			c.unsigned = true
		case "signed", "signed_char", "ASCII":
		case "complex_float": // laid out as a struct of two
			half := &ctype{kind: cFloat, size: size / 2}
			c.kind, c.fields = cStruct, []cfield{{"re", 0, half}, {"im", size / 2, half}}
		default:
			c.kind = cOpaque
		}
		return c
	case "derived_type":
		switch e.Tag() {
		case "pointer_type", "reference_type", "rvalue_reference_type":
			return &ctype{kind: cPointer, size: 8, di: e, ref: e.Tag() != "pointer_type"}
		case "typedef", "const_type", "volatile_type", "restrict_type", "member", "template_alias", "inheritance", "immutable_type":
			c := *ctypeDIn(e.Ref("baseType"), depth+1)
			c.di = e
			return &c
		}
		return &ctype{kind: cOpaque, size: size, di: e}
	case "composite_type":
		switch e.Tag() {
		case "array_type":
			return arrayDI(e, size, depth)
		case "structure_type", "class_type":
			return structDI(e, size, depth)
		case "enumeration_type":
			c := &ctype{kind: cInt, size: size, unsigned: true, di: e}
			if b := ctypeDIn(e.Ref("baseType"), depth+1); b.kind == cInt {
				c.unsigned = b.unsigned
			}
			return c
		}
		return &ctype{kind: cOpaque, size: size, di: e}
	}
	return &ctype{kind: cOpaque, size: size, di: e}
}

func arrayDI(e *llvm.Entry, size int64, depth int) *ctype {
	elem := ctypeDIn(e.Ref("baseType"), depth+1)
	ranges := e.Refs("elements")
	for i := len(ranges) - 1; i >= 0; i-- {
		n := int64(-1)
		if s := ranges[i]; s != nil && s.Values["count"] != "" {
			n = s.Num("count")
		}
		elem = &ctype{kind: cArray, elem: elem, count: n, size: max(n, 0) * elem.size}
	}
	elem.di = e
	return elem
}

func structDI(e *llvm.Entry, size int64, depth int) *ctype {
	c := &ctype{kind: cStruct, size: size, di: e}
	for _, m := range e.Refs("elements") {
		if m == nil || m.Kind != "derived_type" {
			continue // member functions and the like
		}
		switch m.Tag() {
		case "member":
			if strings.Contains(m.Values["flags"], "StaticMember") {
				continue
			}
			if strings.Contains(m.Values["flags"], "BitField") {
				// Bit fields share their bytes: nothing is known of these.
				return &ctype{kind: cOpaque, size: size, di: e}
			}
			c.fields = append(c.fields, cfield{m.Str("name"), m.Num("offsetInBits") / 8, ctypeDIn(m.Ref("baseType"), depth+1)})
		case "inheritance":
			base := ctypeDIn(m.Ref("baseType"), depth+1)
			for _, f := range base.fields {
				f.offset += m.Num("offsetInBits") / 8
				c.fields = append(c.fields, f)
			}
		}
	}
	if len(c.fields) == 0 {
		c.kind = cOpaque
	}
	return c
}

// flatten moves the dimensions of arrays into a shape.
func flatten(t *ctype, shape []int64) (*ctype, []int64) {
	for t != nil && t.kind == cArray {
		shape = append(shape, t.count)
		t = t.elem
	}
	return t, shape
}

// scalar reports whether t is an integer or a float.
func (c *ctype) scalar() bool { return c.kind == cInt || c.kind == cFloat }

// unsignedAt reports whether the number of type elem at an offset has no sign in the source,
// where that has such a number there. A nil type is not known.
func (c *ctype) unsignedAt(offset int64, elem ir.Type) bool {
	for c != nil {
		switch c.kind {
		case cArray:
			if c = c.elem; c != nil && c.size > 0 {
				offset %= c.size
			}
		case cStruct:
			var in *ctype
			for _, f := range c.fields {
				if f.typ != nil && offset >= f.offset && offset < f.offset+f.typ.size {
					in, offset = f.typ, offset-f.offset
					break
				}
			}
			c = in
		default:
			return c.kind == cInt && c.unsigned && offset == 0 && c.elemType() == elem
		}
	}
	return false
}

// elemType is the element type of a memref of scalars of type t.
func (c *ctype) elemType() ir.Type {
	if c.kind == cFloat && (c.size == 4 || c.size == 8) {
		return floatOf(c.size)
	}
	return ir.Int(int(c.size) * 8)
}

func floatOf(size int64) ir.Type {
	if size == 4 {
		return ir.F32
	}
	return ir.F64
}

// sameShape reports whether two types have their arrays alike.
func (c *ctype) sameShape(o *ctype) bool {
	if c.kind != cArray || o.kind != cArray {
		return c.kind != cArray && o.kind != cArray && c.size == o.size
	}
	return c.count == o.count && c.elem.sameShape(o.elem)
}

// leaf is a scalar inside a type.
type leaf struct {
	path   string // p.v[1], "" for the type itself
	offset int64
	typ    *ctype
}

// leaves lists the scalars inside t that lie in the bytes [from, to).
func (c *ctype) leaves(from, to int64) []leaf {
	var out []leaf
	c.collect("", 0, from, to, &out)
	return out
}

// maxLeaves bounds how many scalars are distinguished.
const maxLeaves = 4096

func (c *ctype) collect(path string, at, from, to int64, out *[]leaf) {
	if at >= to || at+c.size <= from || len(*out) > maxLeaves {
		return
	}
	switch c.kind {
	case cStruct:
		for _, f := range c.fields {
			p := f.name
			switch {
			case p == "":
				p = path // an anonymous member
			case path != "":
				p = path + "." + f.name
			}
			f.typ.collect(p, at+f.offset, from, to, out)
		}
	case cArray:
		if c.elem.size <= 0 {
			return
		}
		first := max((from-at)/c.elem.size, 0)
		for i := first; i < c.count && at+i*c.elem.size < to; i++ {
			c.elem.collect(fmt.Sprintf("%s[%d]", path, i), at+i*c.elem.size, from, to, out)
		}
	default:
		*out = append(*out, leaf{path, at, c})
	}
}

// identifier makes a name of a path: p.v[1] becomes p.v.1.
func identifier(path string) string {
	return strings.NewReplacer("[", ".", "]", "").Replace(path)
}
