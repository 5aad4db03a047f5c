package ir

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Type is an MLIR type. Types are interned: two types are equal exactly when
// the interface values compare equal with ==. String prints MLIR syntax.
type Type interface {
	String() string
	isType()
}

// Dynamic marks an unknown extent, offset or stride ("?") in a memref.
const Dynamic = int64(-1 << 63)

// Signedness of an integer type; arith uses only signless integers.
type Signedness uint8

// The three spellings i32, si32 and ui32.
const (
	Signless Signedness = iota
	Signed
	Unsigned
)

type (
	// IntegerType is iN, siN or uiN.
	IntegerType struct {
		Width int
		Sign  Signedness
	}
	// IndexType is index.
	IndexType struct{}
	// FloatType is f16, bf16, f32, f64 and the like, by name.
	FloatType struct{ Name string }
	// NoneType is none: a token without data.
	NoneType struct{}
	// FunctionType is (inputs) -> (results).
	FunctionType struct {
		Inputs, Results []Type
		text            string
	}
	// MemRefType is memref<shape x elem, layout, space>. Layout is nil for the
	// identity; a *StridedLayout or an opaque affine-map text otherwise.
	MemRefType struct {
		Shape  []int64
		Elem   Type
		Layout *StridedLayout
		// Map is the text of a non-strided layout attribute, "" for none.
		Map string
		// Space is the text of the memory-space attribute, "" for none.
		Space string
		text  string
	}
	// ShapedType is tensor<…> or vector<…>: accepted where attributes need it.
	ShapedType struct {
		Kind  string // "tensor" or "vector"
		Shape []int64
		Elem  Type
		text  string
	}
	// TupleType is tuple<…>: what handshake.pack makes of several values.
	TupleType struct {
		Elems []Type
		text  string
	}
	// BitsType is !fabric.bits<N>, hardware transport without a tag.
	BitsType struct{ Width int }
	// TaggedType is !fabric.tagged<T, iK>; !dataflow.tagged is read as this.
	TaggedType struct {
		Value    Type // BitsType or a native type
		TagWidth int
	}
	// OpaqueType is any other !dialect.type<…>, kept as text.
	OpaqueType struct{ Text string }
)

// StridedLayout is strided<[…], offset: …>.
type StridedLayout struct {
	Offset  int64
	Strides []int64
}

func (l *StridedLayout) String() string {
	var b strings.Builder
	b.WriteString("strided<[")
	for i, s := range l.Strides {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(dim(s))
	}
	b.WriteString("]")
	if l.Offset != 0 {
		b.WriteString(", offset: " + dim(l.Offset))
	}
	b.WriteString(">")
	return b.String()
}

func (*IntegerType) isType()  {}
func (*IndexType) isType()    {}
func (*FloatType) isType()    {}
func (*NoneType) isType()     {}
func (*FunctionType) isType() {}
func (*MemRefType) isType()   {}
func (*ShapedType) isType()   {}
func (*TupleType) isType()    {}
func (*BitsType) isType()     {}
func (*TaggedType) isType()   {}
func (*OpaqueType) isType()   {}

func (t *IntegerType) String() string {
	return [...]string{"i", "si", "ui"}[t.Sign] + strconv.Itoa(t.Width)
}
func (*IndexType) String() string      { return "index" }
func (t *FloatType) String() string    { return t.Name }
func (*NoneType) String() string       { return "none" }
func (t *FunctionType) String() string { return t.text }
func (t *MemRefType) String() string   { return t.text }
func (t *ShapedType) String() string   { return t.text }
func (t *TupleType) String() string    { return t.text }
func (t *BitsType) String() string     { return fmt.Sprintf("!fabric.bits<%d>", t.Width) }
func (t *TaggedType) String() string {
	return fmt.Sprintf("!fabric.tagged<%s, i%d>", t.Value, t.TagWidth)
}
func (t *OpaqueType) String() string { return t.Text }

var interned sync.Map // kind + text -> Type

func intern[T Type](key string, t T) T {
	got, _ := interned.LoadOrStore(key, t)
	return got.(T)
}

// The types without parameters and the commonest integers.
var (
	Index = &IndexType{}
	None  = &NoneType{}
	I1    = Int(1)
	I8    = Int(8)
	I16   = Int(16)
	I32   = Int(32)
	I64   = Int(64)
	F16   = Float("f16")
	F32   = Float("f32")
	F64   = Float("f64")
)

// Int returns the signless integer type of the given width in bits.
func Int(width int) *IntegerType { return IntSigned(width, Signless) }

// IntSigned returns an integer type with signedness.
func IntSigned(width int, s Signedness) *IntegerType {
	t := &IntegerType{Width: width, Sign: s}
	return intern("int:"+t.String(), t)
}

// Float returns the floating-point type of that name (f16, bf16, f32, f64, …).
func Float(name string) *FloatType { return intern("float:"+name, &FloatType{Name: name}) }

// Func returns a function type.
func Func(inputs, results []Type) *FunctionType {
	t := &FunctionType{Inputs: inputs, Results: results}
	var b strings.Builder
	b.WriteString("(" + joinTypes(inputs) + ") -> ")
	if len(results) == 1 {
		if _, isFunc := results[0].(*FunctionType); !isFunc {
			b.WriteString(results[0].String())
			t.text = b.String()
			return intern("func:"+t.text, t)
		}
	}
	b.WriteString("(" + joinTypes(results) + ")")
	t.text = b.String()
	return intern("func:"+t.text, t)
}

// MemRef returns a memref with the identity layout in the default space.
func MemRef(shape []int64, elem Type) *MemRefType { return MemRefOf(shape, elem, nil, "", "") }

// MemRefOf returns a memref with layout and memory space.
func MemRefOf(shape []int64, elem Type, layout *StridedLayout, mapText, space string) *MemRefType {
	t := &MemRefType{Shape: shape, Elem: elem, Layout: layout, Map: mapText, Space: space}
	var b strings.Builder
	b.WriteString("memref<")
	for _, d := range shape {
		b.WriteString(dim(d) + "x")
	}
	b.WriteString(elem.String())
	if layout != nil {
		b.WriteString(", " + layout.String())
	} else if mapText != "" {
		b.WriteString(", " + mapText)
	}
	if space != "" {
		b.WriteString(", " + space)
	}
	b.WriteString(">")
	t.text = b.String()
	return intern("memref:"+t.text, t)
}

// Shaped returns tensor<…> or vector<…>.
func Shaped(kind string, shape []int64, elem Type) *ShapedType {
	t := &ShapedType{Kind: kind, Shape: shape, Elem: elem}
	var b strings.Builder
	b.WriteString(kind + "<")
	for _, d := range shape {
		b.WriteString(dim(d) + "x")
	}
	b.WriteString(elem.String() + ">")
	t.text = b.String()
	return intern("shaped:"+t.text, t)
}

// Tuple returns tuple<elems>.
func Tuple(elems []Type) *TupleType {
	t := &TupleType{Elems: elems, text: "tuple<" + joinTypes(elems) + ">"}
	return intern(t.text, t)
}

// Bits returns !fabric.bits<width>.
func Bits(width int) *BitsType {
	t := &BitsType{Width: width}
	return intern(t.String(), t)
}

// Tagged returns !fabric.tagged<value, iK>.
func Tagged(value Type, tagWidth int) *TaggedType {
	t := &TaggedType{Value: value, TagWidth: tagWidth}
	return intern(t.String(), t)
}

// Opaque returns a type known only by its text.
func Opaque(text string) *OpaqueType { return intern("opaque:"+text, &OpaqueType{Text: text}) }

func dim(d int64) string {
	if d == Dynamic {
		return "?"
	}
	return strconv.FormatInt(d, 10)
}

func joinTypes(ts []Type) string {
	parts := make([]string, len(ts))
	for i, t := range ts {
		parts[i] = t.String()
	}
	return strings.Join(parts, ", ")
}

// IsInt reports whether t is an integer or index.
func IsInt(t Type) bool {
	switch t.(type) {
	case *IntegerType, *IndexType:
		return true
	}
	return false
}

// IsFloat reports whether t is a floating-point type.
func IsFloat(t Type) bool { _, ok := t.(*FloatType); return ok }

// BitWidth is the width of t as hardware carries it: N for iN and fN,
// indexWidth for index, 0 for none, N for bits<N>, the width of the value for a
// tagged type. ok is false where t has no width (memrefs, functions).
func BitWidth(t Type, indexWidth int) (width int, ok bool) {
	switch t := t.(type) {
	case *IntegerType:
		return t.Width, true
	case *IndexType:
		return indexWidth, true
	case *FloatType:
		switch t.Name {
		case "f16", "bf16":
			return 16, true
		case "f32", "tf32":
			return 32, true
		case "f64":
			return 64, true
		}
		return 0, false
	case *NoneType:
		return 0, true
	case *BitsType:
		return t.Width, true
	case *TaggedType:
		return BitWidth(t.Value, indexWidth)
	}
	return 0, false
}

// NumElements is the product of a static shape; ok is false when a dimension
// is dynamic.
func (t *MemRefType) NumElements() (n int64, ok bool) {
	n = 1
	for _, d := range t.Shape {
		if d == Dynamic {
			return 0, false
		}
		n *= d
	}
	return n, true
}
