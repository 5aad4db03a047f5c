// Package llvm reads what the front end needs to know of MLIR's llvm dialect: its
// types with their sizes, and the debug information on how the source spelled
// them.
package llvm

import (
	"fmt"
	"strconv"
	"strings"

	"loom/compiler/ir"
)

// Kind is the kind of a Type.
type Kind uint8

// The kinds of types.
const (
	Void Kind = iota
	Int
	Float
	Ptr
	Array
	StructType
	Vector
	Other // functions, labels, metadata, target types
)

// Type is a type of LLVM IR as x86-64 and AArch64 lay it out (System V, AAPCS64):
// integers and floats at their natural alignment.
type Type struct {
	Kind   Kind
	Width  int     // bits of an integer or float
	Name   string  // of a struct, of a float (f32), the text of Other
	Elem   *Type   // of arrays and vectors
	Len    int64   // elements of arrays and vectors
	Fields []*Type // of structs
	Packed bool
}

// Parse reads a type of the IR.
func Parse(t ir.Type) (*Type, error) {
	p := &typeParser{text: t.String()}
	out, err := p.parse()
	if err == nil && p.at != len(p.text) {
		err = fmt.Errorf("unexpected %q", p.text[p.at:])
	}
	if err != nil {
		return nil, fmt.Errorf("type %s: %w", t, err)
	}
	return out, nil
}

// MustParse is Parse for types that have been read before.
func MustParse(t ir.Type) *Type {
	out, err := Parse(t)
	if err != nil {
		panic(err)
	}
	return out
}

type typeParser struct {
	text string
	at   int
}

func (p *typeParser) space() {
	for p.at < len(p.text) && p.text[p.at] == ' ' {
		p.at++
	}
}

func (p *typeParser) accept(s string) bool {
	p.space()
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *typeParser) expect(s string) error {
	if !p.accept(s) {
		return fmt.Errorf("expected %q at %q", s, p.text[p.at:])
	}
	return nil
}

func (p *typeParser) word() string {
	p.space()
	start := p.at
	for p.at < len(p.text) {
		c := p.text[p.at]
		if c == '_' || c == '.' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			p.at++
			continue
		}
		break
	}
	return p.text[start:p.at]
}

func (p *typeParser) number() (int64, error) {
	p.space()
	start := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	return strconv.ParseInt(p.text[start:p.at], 10, 64)
}

// floats are the widths of the floating-point types.
var floats = map[string]int{"f16": 16, "bf16": 16, "f32": 32, "f64": 64, "f80": 80, "f128": 128}

func (p *typeParser) parse() (*Type, error) {
	p.accept("!llvm.")
	start := p.at
	switch w := p.word(); w {
	case "ptr":
		if p.at < len(p.text) && p.text[p.at] == '<' { // address space
			p.accept("<")
			if _, err := p.number(); err != nil {
				return nil, err
			}
			if err := p.expect(">"); err != nil {
				return nil, err
			}
		}
		return &Type{Kind: Ptr, Width: 64}, nil
	case "void":
		return &Type{Kind: Void}, nil
	case "array", "vec", "vector":
		return p.sequence(w != "array")
	case "struct":
		return p.structure()
	default:
		if n, ok := floats[w]; ok {
			return &Type{Kind: Float, Width: n, Name: w}, nil
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(w, "i")); err == nil && w[0] == 'i' {
			return &Type{Kind: Int, Width: n}, nil
		}
	}
	// Functions and the like: nothing but their text matters.
	depth := 0
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '<' || c == '(':
			depth++
		case depth > 0 && (c == '>' || c == ')'):
			depth--
		case depth == 0 && (c == ',' || c == '>' || c == ')'):
			return &Type{Kind: Other, Name: p.text[start:p.at]}, nil
		}
		p.at++
	}
	return &Type{Kind: Other, Name: p.text[start:]}, nil
}

func (p *typeParser) sequence(vector bool) (*Type, error) {
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	n, err := p.number()
	if err != nil {
		return nil, fmt.Errorf("only vectors of fixed length are known: %w", err)
	}
	if err := p.expect("x"); err != nil {
		return nil, err
	}
	elem, err := p.parse()
	if err != nil {
		return nil, err
	}
	kind := Array
	if vector {
		kind = Vector
	}
	return &Type{Kind: kind, Elem: elem, Len: n}, p.expect(">")
}

func (p *typeParser) structure() (*Type, error) {
	t := &Type{Kind: StructType}
	if err := p.expect("<"); err != nil {
		return nil, err
	}
	if p.accept(`"`) {
		end := strings.IndexByte(p.text[p.at:], '"')
		if end < 0 {
			return nil, fmt.Errorf("a name without end")
		}
		t.Name = p.text[p.at : p.at+end]
		p.at += end + 1
		if p.accept(">") {
			return t, nil // a reference inside itself, behind a pointer
		}
		if err := p.expect(","); err != nil {
			return nil, err
		}
	}
	if p.accept("opaque") {
		t.Kind = Other
		return t, p.expect(">")
	}
	t.Packed = p.accept("packed")
	if err := p.expect("("); err != nil {
		return nil, err
	}
	for !p.accept(")") {
		f, err := p.parse()
		if err != nil {
			return nil, err
		}
		t.Fields = append(t.Fields, f)
		if !p.accept(",") && !strings.HasPrefix(p.text[p.at:], ")") {
			return nil, fmt.Errorf("expected ',' or ')' at %q", p.text[p.at:])
		}
	}
	return t, p.expect(">")
}

// Align is the alignment in bytes.
func (t *Type) Align() int64 {
	switch t.Kind {
	case Int, Float, Ptr:
		n := int64(1)
		for n*8 < int64(t.Width) && n < 16 {
			n *= 2
		}
		return n
	case Array:
		return t.Elem.Align()
	case Vector:
		n := int64(1)
		for n < t.Elem.Size()*t.Len {
			n *= 2
		}
		return n
	case StructType:
		n := int64(1)
		if !t.Packed {
			for _, f := range t.Fields {
				n = max(n, f.Align())
			}
		}
		return n
	}
	return 1
}

// Size is the number of bytes from one element of an array of the type to the next.
func (t *Type) Size() int64 {
	switch t.Kind {
	case Int, Float, Ptr:
		return roundUp((int64(t.Width)+7)/8, t.Align())
	case Array:
		return t.Elem.Size() * t.Len
	case Vector:
		return roundUp((t.bits()+7)/8, t.Align())
	case StructType:
		return roundUp(t.end(len(t.Fields)), t.Align())
	}
	return 0
}

func (t *Type) bits() int64 { return int64(t.Elem.Width) * t.Len }

// Offset is the byte at which field i of a struct begins.
func (t *Type) Offset(i int) int64 { return roundUp(t.end(i), t.fieldAlign(i)) }

func (t *Type) fieldAlign(i int) int64 {
	if t.Packed {
		return 1
	}
	return t.Fields[i].Align()
}

// end is the byte behind the first n fields.
func (t *Type) end(n int) int64 {
	at := int64(0)
	for i := range n {
		at = roundUp(at, t.fieldAlign(i)) + t.Fields[i].Size()
	}
	return at
}

func roundUp(n, to int64) int64 { return (n + to - 1) / to * to }
