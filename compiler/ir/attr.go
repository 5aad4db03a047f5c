package ir

import (
	"math"
	"sort"
	"strconv"
	"strings"
)

// Attr is a compile-time constant attached to an operation. String prints MLIR
// syntax.
type Attr interface {
	String() string
	isAttr()
}

type (
	// IntegerAttr is "3 : i32"; booleans are IntegerAttr of type i1. Value is
	// the two's-complement value sign-extended to 64 bits.
	IntegerAttr struct {
		Value int64
		Type  Type
	}
	// FloatAttr is "1.5 : f32". Text keeps a spelling that must survive.
	FloatAttr struct {
		Value float64
		Type  Type
		Text  string
	}
	// StringAttr is a quoted string.
	StringAttr struct{ Value string }
	// SymbolRefAttr is @root::@nested.
	SymbolRefAttr struct {
		Root   string
		Nested []string
	}
	// TypeAttr wraps a type.
	TypeAttr struct{ Type Type }
	// ArrayAttr is [a, b].
	ArrayAttr struct{ Elems []Attr }
	// DenseArrayAttr is array<i64: 1, 2>.
	DenseArrayAttr struct {
		Elem   Type
		Values []int64
		// Texts holds the elements of floating-point arrays as spelled.
		Texts []string
	}
	// DenseElementsAttr is dense<…> : tensor<…>. Splat holds one value.
	DenseElementsAttr struct {
		Values []Attr
		Splat  bool
		Type   Type
	}
	// DictAttr is {k = v}, sorted by key.
	DictAttr struct{ Entries NamedAttrs }
	// UnitAttr is present or absent.
	UnitAttr struct{}
	// OpaqueAttr is any attribute kept as text (#dialect<…> and the like).
	OpaqueAttr struct{ Text string }
)

func (*IntegerAttr) isAttr()       {}
func (*FloatAttr) isAttr()         {}
func (*StringAttr) isAttr()        {}
func (*SymbolRefAttr) isAttr()     {}
func (*TypeAttr) isAttr()          {}
func (*ArrayAttr) isAttr()         {}
func (*DenseArrayAttr) isAttr()    {}
func (*DenseElementsAttr) isAttr() {}
func (*DictAttr) isAttr()          {}
func (*UnitAttr) isAttr()          {}
func (*OpaqueAttr) isAttr()        {}

func (a *IntegerAttr) String() string {
	if a.Type == Type(I1) {
		if a.Value != 0 {
			return "true"
		}
		return "false"
	}
	if a.Type == nil {
		return strconv.FormatInt(a.Value, 10)
	}
	return intText(a.Value, a.Type) + " : " + a.Type.String()
}

// intText spells a value of type t. Values are stored sign-extended; unsigned
// types read them without sign.
func intText(v int64, t Type) string {
	if it, ok := t.(*IntegerType); ok && it.Sign == Unsigned {
		u := uint64(v)
		if it.Width < 64 {
			u &= 1<<it.Width - 1
		}
		return strconv.FormatUint(u, 10)
	}
	return strconv.FormatInt(v, 10)
}

func (a *FloatAttr) String() string {
	text := a.Text
	if text == "" {
		text = FloatText(a.Value)
	}
	if a.Type == nil {
		return text
	}
	return text + " : " + a.Type.String()
}

// FloatText spells a finite float as MLIR does: six digits and an exponent where
// that is exact, else the shortest exact decimal.
func FloatText(v float64) string {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return "0x" + strconv.FormatUint(math.Float64bits(v), 16)
	}
	s := strconv.FormatFloat(v, 'e', 6, 64)
	if back, err := strconv.ParseFloat(s, 64); err == nil && back == v {
		return s
	}
	s = strconv.FormatFloat(v, 'e', -1, 64)
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

func (a *StringAttr) String() string { return QuoteString(a.Value) }

// QuoteString escapes a string as the MLIR lexer reads it.
func QuoteString(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\':
			b.WriteString(`\\`)
		case c == '"' || c < 0x20 || c >= 0x7f:
			b.WriteByte('\\')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// SymbolText spells @name, quoted where the name is no bare identifier.
func SymbolText(name string) string {
	if isBareSymbol(name) {
		return "@" + name
	}
	return "@" + QuoteString(name)
}

func isBareSymbol(s string) bool {
	if s == "" {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '$' || c == '.')) {
			return false
		}
	}
	return true
}

func (a *SymbolRefAttr) String() string {
	s := SymbolText(a.Root)
	for _, n := range a.Nested {
		s += "::" + SymbolText(n)
	}
	return s
}

func (a *TypeAttr) String() string { return a.Type.String() }

func (a *ArrayAttr) String() string {
	parts := make([]string, len(a.Elems))
	for i, e := range a.Elems {
		parts[i] = e.String()
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (a *DenseArrayAttr) String() string {
	var b strings.Builder
	b.WriteString("array<" + a.Elem.String())
	n := max(len(a.Values), len(a.Texts))
	for i := range n {
		if i == 0 {
			b.WriteString(": ")
		} else {
			b.WriteString(", ")
		}
		switch {
		case a.Texts != nil:
			b.WriteString(a.Texts[i])
		case a.Elem == Type(I1):
			b.WriteString(strconv.FormatBool(a.Values[i] != 0))
		default:
			b.WriteString(strconv.FormatInt(a.Values[i], 10))
		}
	}
	b.WriteString(">")
	return b.String()
}

func (a *DenseElementsAttr) String() string {
	var b strings.Builder
	b.WriteString("dense<")
	if a.Splat && len(a.Values) > 0 {
		b.WriteString(elementText(a.Values[0]))
	} else {
		var shape []int64
		switch t := a.Type.(type) {
		case *ShapedType:
			shape = t.Shape
		case *MemRefType:
			shape = t.Shape
		}
		writeNested(&b, a.Values, shape)
	}
	b.WriteString("> : " + a.Type.String())
	return b.String()
}

func elementText(a Attr) string {
	switch a := a.(type) {
	case *IntegerAttr:
		if a.Type == Type(I1) {
			return strconv.FormatBool(a.Value != 0)
		}
		return intText(a.Value, a.Type)
	case *FloatAttr:
		return (&FloatAttr{Value: a.Value, Text: a.Text}).String()
	}
	return a.String()
}

func writeNested(b *strings.Builder, vals []Attr, shape []int64) {
	if len(vals) == 0 {
		return
	}
	b.WriteByte('[')
	if len(shape) <= 1 {
		for i, v := range vals {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(elementText(v))
		}
	} else {
		step := len(vals) / int(shape[0])
		for i := 0; i < int(shape[0]); i++ {
			if i > 0 {
				b.WriteString(", ")
			}
			writeNested(b, vals[i*step:(i+1)*step], shape[1:])
		}
	}
	b.WriteByte(']')
}

func (a *DictAttr) String() string   { return a.Entries.String() }
func (*UnitAttr) String() string     { return "unit" }
func (a *OpaqueAttr) String() string { return a.Text }

// NamedAttr is one dictionary entry.
type NamedAttr struct {
	Name  string
	Value Attr
}

// NamedAttrs is a dictionary sorted by name.
type NamedAttrs []NamedAttr

// Get returns the attribute of that name or nil.
func (as NamedAttrs) Get(name string) Attr {
	i := sort.Search(len(as), func(i int) bool { return as[i].Name >= name })
	if i < len(as) && as[i].Name == name {
		return as[i].Value
	}
	return nil
}

// Set adds or replaces an attribute, keeping the order; a nil value removes it.
func (as *NamedAttrs) Set(name string, value Attr) {
	s := *as
	i := sort.Search(len(s), func(i int) bool { return s[i].Name >= name })
	found := i < len(s) && s[i].Name == name
	switch {
	case value == nil && found:
		*as = append(s[:i:i], s[i+1:]...)
	case value == nil:
	case found:
		s[i].Value = value
	default:
		s = append(s, NamedAttr{})
		copy(s[i+1:], s[i:])
		s[i] = NamedAttr{name, value}
		*as = s
	}
}

// String prints {a = 1 : i32, unit}.
func (as NamedAttrs) String() string {
	parts := make([]string, len(as))
	for i, a := range as {
		name := a.Name
		if !isBareKey(name) {
			name = QuoteString(name)
		}
		if _, unit := a.Value.(*UnitAttr); unit {
			parts[i] = name
		} else {
			parts[i] = name + " = " + a.Value.String()
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func isBareKey(s string) bool { return isBareSymbol(s) }

// Shorthands for the commonest attributes.

// IntAttr is value : t.
func IntAttr(value int64, t Type) *IntegerAttr { return &IntegerAttr{Value: value, Type: t} }

// BoolAttr is true or false.
func BoolAttr(v bool) *IntegerAttr {
	if v {
		return &IntegerAttr{Value: 1, Type: I1}
	}
	return &IntegerAttr{Type: I1}
}

// StrAttr is a string attribute.
func StrAttr(s string) *StringAttr { return &StringAttr{Value: s} }

// StrArray is an array of strings.
func StrArray(ss []string) *ArrayAttr {
	a := &ArrayAttr{}
	for _, s := range ss {
		a.Elems = append(a.Elems, StrAttr(s))
	}
	return a
}

// SymbolRef is @name.
func SymbolRef(name string) *SymbolRefAttr { return &SymbolRefAttr{Root: name} }
