package mlir

import (
	"encoding/hex"
	"math"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// parseAttr reads an attribute or fails. A number takes its type from the text
// behind it, else from want, else it is i64 or f64.
func (p *parser) parseAttr(want ir.Type) ir.Attr {
	a := p.optionalAttr(want)
	if a == nil {
		p.expected("an attribute")
	}
	return a
}

// optionalAttr reads an attribute if one starts here, else it returns nil.
func (p *parser) optionalAttr(want ir.Type) ir.Attr {
	switch p.tok.kind {
	case tInt, tFloat:
		return p.number(want)
	case tString:
		s := decode(p.tok.text)
		p.advance()
		if p.is(":") && want == nil && p.typeFollows() {
			p.fail(p.pos(), "a string attribute with a type is not supported")
		}
		return &ir.StringAttr{Value: s}
	case tAt:
		return p.symbolRef()
	case tHash:
		return p.hashAttr()
	case tBare:
		return p.wordAttr(want)
	case tPunct:
		switch p.tok.text {
		case "-":
			return p.number(want)
		case "[":
			return p.array()
		case "{":
			a := &ir.DictAttr{}
			p.enter()
			p.dictInto(&a.Entries)
			p.depth--
			return a
		}
	}
	if t := p.optionalType(); t != nil {
		return &ir.TypeAttr{Type: t}
	}
	return nil
}

// typeFollows reports whether a type starts behind the current token.
func (p *parser) typeFollows() bool {
	switch t := p.peek(); t.kind {
	case tExcl:
		return true
	case tBare:
		return t.text == "index" || t.text == "none" || floatNames[t.text] || t.text[0] == 'i' && len(t.text) > 1 && isNumber(t.text[1:])
	}
	return false
}

// wordAttr reads the attributes that start with a word.
func (p *parser) wordAttr(want ir.Type) ir.Attr {
	switch p.tok.text {
	case "true", "false":
		if want == nil || want == ir.Type(ir.I1) {
			v := p.tok.text == "true"
			p.advance()
			return ir.BoolAttr(v)
		}
		p.fail(p.pos(), "'%s' is no value of type %s", p.tok.text, want)
	case "unit":
		p.advance()
		return &ir.UnitAttr{}
	case "array":
		return p.denseArray()
	case "dense":
		return p.dense(want)
	case "strided":
		return &ir.OpaqueAttr{Text: p.strided().String()}
	case "affine_map", "affine_set":
		return p.affineAttr()
	case "sparse", "dense_resource", "distinct":
		return p.opaqueAttr()
	case "loc":
		if p.peek().text == "(" {
			return &ir.OpaqueAttr{Text: p.parseLoc()}
		}
	}
	if t := p.optionalType(); t != nil {
		return &ir.TypeAttr{Type: t}
	}
	return nil
}

// opaqueAttr keeps word<…>, with what belongs to it behind, as text.
func (p *parser) opaqueAttr() ir.Attr {
	word := p.tok.text
	p.advance()
	text := word
	if word == "distinct" {
		if !p.is("[") {
			p.expected("'['")
		}
		text += p.balanced()
	}
	if !p.is("<") {
		p.expected("'<'")
	}
	text += p.balanced()
	if (word == "sparse" || word == "dense_resource") && p.accept(":") {
		text += " : " + p.parseType().String()
	}
	return &ir.OpaqueAttr{Text: text}
}

// hashAttr reads #alias and #dialect.attr<…>.
func (p *parser) hashAttr() ir.Attr {
	text := p.tok.text
	if !strings.Contains(text, ".") && p.peek().text != "<" {
		a := p.attrs[text[1:]]
		if a == nil {
			p.fail(p.pos(), "undefined attribute alias '%s'", text)
		}
		p.advance()
		return a
	}
	end := p.tok.end
	p.advance()
	if p.is("<") && p.tok.start == end {
		text += p.balanced()
	}
	return &ir.OpaqueAttr{Text: text}
}

// symbolRef reads @root::@nested.
func (p *parser) symbolRef() *ir.SymbolRefAttr {
	if p.tok.kind != tAt {
		p.expected("a symbol")
	}
	a := &ir.SymbolRefAttr{Root: symbolName(p.tok.text)}
	p.advance()
	for p.accept("::") {
		if p.tok.kind != tAt {
			p.expected("a symbol")
		}
		a.Nested = append(a.Nested, symbolName(p.tok.text))
		p.advance()
	}
	return a
}

func (p *parser) array() *ir.ArrayAttr {
	a := &ir.ArrayAttr{}
	p.enter()
	p.expect("[")
	for !p.is("]") {
		if a.Elems != nil {
			p.separator("]")
		}
		a.Elems = append(a.Elems, p.parseAttr(nil))
	}
	p.advance()
	p.depth--
	return a
}

// dictInto reads {name = value, flag} and adds it to as.
func (p *parser) dictInto(as *ir.NamedAttrs) {
	p.expect("{")
	for first := true; !p.is("}"); first = false {
		if !first {
			p.separator("}")
		}
		var name string
		pos := p.pos()
		switch p.tok.kind {
		case tBare:
			name = p.tok.text
		case tString:
			name = decode(p.tok.text)
		default:
			p.expected("an attribute name")
		}
		if name == "" {
			p.fail(pos, "the name of an attribute is empty")
		}
		if as.Get(name) != nil {
			p.fail(pos, "the attribute '%s' is given twice", name)
		}
		p.advance()
		var value ir.Attr = &ir.UnitAttr{}
		if p.accept("=") {
			value = p.parseAttr(nil)
		}
		as.Set(name, value)
	}
	p.advance()
}

// number reads an integer or float attribute with its type.
func (p *parser) number(want ir.Type) ir.Attr {
	pos := p.pos()
	negative := p.accept("-")
	tok := p.tok
	if tok.kind != tInt && tok.kind != tFloat {
		p.expected("a number")
	}
	p.advance()
	if want == nil {
		if p.accept(":") {
			want = p.parseType()
		} else if tok.kind == tFloat {
			want = ir.F64
		} else {
			want = ir.I64
		}
	}
	switch t := want.(type) {
	case *ir.FloatType:
		return p.float(pos, tok, negative, t)
	case *ir.IntegerType, *ir.IndexType:
		if tok.kind == tFloat {
			p.fail(pos, "'%s' is no value of type %s", tok.text, want)
		}
		if it, ok := want.(*ir.IntegerType); ok && it.Width > maxIntWidth {
			// The value may not fit into 64 bits: it stays text.
			text := tok.text + " : " + want.String()
			if negative {
				text = "-" + text
			}
			return &ir.OpaqueAttr{Text: text}
		}
		return &ir.IntegerAttr{Value: p.integer(pos, tok.text, negative, want), Type: want}
	}
	p.fail(pos, "a number cannot have type %s", want)
	return nil
}

// integer reads digits as a value of type t, sign-extended to 64 bits. Values
// between the signed and the unsigned range are the same bits.
func (p *parser) integer(pos diag.Pos, text string, negative bool, t ir.Type) int64 {
	width, sign := 64, ir.Signless
	if it, ok := t.(*ir.IntegerType); ok {
		width, sign = it.Width, it.Sign
	}
	u, err := parseUint(text)
	half := uint64(1) << (width - 1)
	ok := err == nil
	switch {
	case negative:
		ok = ok && u <= half && (sign != ir.Unsigned || u == 0)
	case sign == ir.Signed:
		ok = ok && u < half
	default:
		ok = ok && (width == 64 || u < 2*half)
	}
	if !ok {
		minus := ""
		if negative {
			minus = "-"
		}
		p.fail(pos, "%s%s is out of range for %s", minus, text, t)
	}
	if width == 1 {
		return int64(u & 1) // true is 1, as in ir.BoolAttr
	}
	if negative {
		u = -u
	}
	shift := 64 - width
	return int64(u<<shift) >> shift
}

// parseUint reads the digits of an integer token; leading zeros mean nothing.
func parseUint(text string) (uint64, error) {
	if digits, ok := strings.CutPrefix(text, "0x"); ok {
		return strconv.ParseUint(digits, 16, 64)
	}
	return strconv.ParseUint(text, 10, 64)
}

// float reads the digits of a value of type t. Hexadecimal digits are the bits
// of the value.
func (p *parser) float(pos diag.Pos, tok token, negative bool, t *ir.FloatType) ir.Attr {
	f := floatFormat(t.Name)
	if tok.kind == tInt {
		if !strings.HasPrefix(tok.text, "0x") {
			p.errorf(pos, "'%s' is no value of type %s", tok.text, t).
				WithHelp("write a decimal point, %s.0, or the bits in hexadecimal", tok.text)
			panic(bailout{})
		}
		if negative {
			p.fail(pos, "the bits of a float cannot have a sign")
		}
		if f == nil {
			return &ir.FloatAttr{Value: math.NaN(), Type: t, Text: tok.text}
		}
		bits, err := parseUint(tok.text)
		if err != nil || f.width < 64 && bits>>f.width != 0 {
			p.fail(pos, "%s does not fit into %s", tok.text, t)
		}
		v := f.decode(bits)
		return &ir.FloatAttr{Value: v, Type: t, Text: f.text(v, bits)}
	}
	text := tok.text
	if negative {
		text = "-" + text
	}
	v, _ := strconv.ParseFloat(text, 64) // out of range is an infinity
	if f == nil {
		return &ir.FloatAttr{Value: v, Type: t, Text: text}
	}
	if f.width == 32 {
		v, _ = strconv.ParseFloat(text, 32)
	}
	bits := f.encode(v)
	v = f.decode(bits)
	if math.IsInf(v, 0) {
		p.fail(pos, "%s is out of range for %s", text, t)
	}
	return &ir.FloatAttr{Value: v, Type: t, Text: f.text(v, bits)}
}

// denseArray reads array<i64: 1, 2>.
func (p *parser) denseArray() ir.Attr {
	p.advance()
	p.expect("<")
	pos := p.pos()
	a := &ir.DenseArrayAttr{Elem: p.parseType()}
	switch t := a.Elem.(type) {
	case *ir.IntegerType:
		if t.Width != 1 && t.Width%8 != 0 {
			p.fail(pos, "the elements of an array attribute are i1, i8, i16, i32, i64, f32 or f64, not %s", t)
		}
	case *ir.FloatType:
		a.Texts = []string{}
	default:
		p.fail(pos, "the elements of an array attribute are integers or floats, not %s", t)
	}
	if p.accept(":") {
		for first := true; first || p.accept(","); first = false {
			switch e := p.parseAttr(a.Elem).(type) {
			case *ir.IntegerAttr:
				a.Values = append(a.Values, e.Value)
			case *ir.FloatAttr:
				a.Texts = append(a.Texts, (&ir.FloatAttr{Value: e.Value, Text: e.Text}).String())
			default:
				p.fail(pos, "an array attribute holds numbers")
			}
		}
	}
	p.expect(">")
	return a
}

// dense reads dense<…> : type, without the type where want gives it. The shape
// of a literal without splat must be the type's.
func (p *parser) dense(want ir.Type) ir.Attr {
	start := p.tok
	p.advance()
	p.expect("<")
	// The elements take their type from behind: read the type first.
	if p.tok.kind == tString {
		bytes := p.tok
		p.rewind(start)
		p.advance()
		text := "dense" + p.balanced()
		if want == nil {
			p.expect(":")
			want = p.parseType()
		}
		if d := p.denseBytes(bytes, want); d != nil {
			return d
		}
		return &ir.OpaqueAttr{Text: text + " : " + want.String()}
	}
	body := p.tok
	p.rewind(start)
	p.advance()
	p.balanced()
	typePos, t := p.pos(), want
	if t == nil {
		p.expect(":")
		typePos = p.pos()
		t = p.parseType()
	}
	after := p.tok
	shape, elem := shapeOf(t)
	if elem == nil {
		p.fail(typePos, "dense elements have a static tensor, vector or memref type, not %s", t)
	}
	if !ir.IsInt(elem) && !ir.IsFloat(elem) {
		p.fail(typePos, "elements of type %s are not supported", elem)
	}
	d := &ir.DenseElementsAttr{Type: t}
	p.rewind(body)
	switch {
	case p.is(">"):
		// dense<> : tensor<0xi32>
	case p.is("["):
		p.denseRows(d, elem, shape)
	default:
		d.Splat = true
		d.Values = append(d.Values, p.parseAttr(elem))
	}
	p.expect(">")
	n := int64(1)
	for _, s := range shape {
		n *= s
	}
	if !d.Splat && n != int64(len(d.Values)) {
		p.fail(body.posIn(p.file), "%s for %s", diag.Plural(len(d.Values), "element"), t)
	}
	p.rewind(after)
	return d
}

// denseBytes reads elements that are given as their bytes in hexadecimal digits, which
// is how MLIR prints more than a hundred of them: each in as many whole bytes as its
// type needs, the lowest first, except i1, of which a byte holds eight. It returns nil
// for strings, and for elements of types that have no numbers here.
func (p *parser) denseBytes(tok token, t ir.Type) ir.Attr {
	digits, ok := strings.CutPrefix(decode(tok.text), "0x")
	shape, elem := shapeOf(t)
	if !ok || elem == nil {
		return nil
	}
	width, known := ir.BitWidth(elem, 64)
	f, isFloat := elem.(*ir.FloatType)
	if !known || !ir.IsInt(elem) && (!isFloat || floatFormat(f.Name) == nil) || width > 64 {
		return nil
	}
	data, err := hex.DecodeString(digits)
	if err != nil {
		p.fail(tok.posIn(p.file), "the bytes of dense elements are two hexadecimal digits each")
	}
	n := int64(1)
	for _, s := range shape {
		n *= s
	}
	size := int64(width+7) / 8
	d := &ir.DenseElementsAttr{Type: t}
	add := func(v uint64) {
		if isFloat {
			f := floatFormat(f.Name)
			d.Values = append(d.Values, &ir.FloatAttr{Value: f.decode(v), Type: elem, Text: f.text(f.decode(v), v)})
			return
		}
		if width > 1 {
			v = uint64(int64(v<<(64-width)) >> (64 - width))
		}
		d.Values = append(d.Values, &ir.IntegerAttr{Value: int64(v), Type: elem})
	}
	whole := n * size
	if width == 1 {
		whole = (n + 7) / 8
	}
	switch {
	case width == 1 && len(data) == 1 && (data[0] == 0 || data[0] == 0xff):
		d.Splat, n = true, 1
		add(uint64(data[0] & 1))
	case int64(len(data)) == whole && width == 1:
		for i := range n {
			add(uint64(data[i/8]>>(i%8)) & 1)
		}
	case int64(len(data)) == whole || int64(len(data)) == size:
		d.Splat = int64(len(data)) != whole
		for i := 0; i < len(data); i += int(size) {
			v := uint64(0)
			for k := range size {
				v |= uint64(data[i+int(k)]) << (8 * k)
			}
			add(v)
		}
	default:
		p.fail(tok.posIn(p.file), "%s for %s, which takes %d", diag.Plural(len(data), "byte"), t, whole)
	}
	return d
}

// denseRows reads one level of [ … ].
func (p *parser) denseRows(d *ir.DenseElementsAttr, elem ir.Type, shape []int64) {
	pos := p.pos()
	if len(shape) == 0 {
		p.fail(pos, "the elements are nested deeper than the type's rank")
	}
	p.expect("[")
	n := int64(0)
	for !p.is("]") {
		if n > 0 {
			p.separator("]")
		}
		if len(shape) > 1 {
			p.denseRows(d, elem, shape[1:])
		} else {
			d.Values = append(d.Values, p.parseAttr(elem))
		}
		n++
	}
	p.advance()
	if n != shape[0] {
		p.fail(pos, "%s where the type has %d", diag.Plural(int(n), "element"), shape[0])
	}
}

// shapeOf returns the static shape and the element of a shaped type, nil where
// it has none.
func shapeOf(t ir.Type) ([]int64, ir.Type) {
	var shape []int64
	var elem ir.Type
	switch t := t.(type) {
	case *ir.ShapedType:
		shape, elem = t.Shape, t.Elem
	case *ir.MemRefType:
		shape, elem = t.Shape, t.Elem
	}
	for _, d := range shape {
		if d == ir.Dynamic {
			return nil, nil
		}
	}
	return shape, elem
}
