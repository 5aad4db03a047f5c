package mlir

import (
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// maxIntWidth is the widest integer LOOM computes with.
const maxIntWidth = 64

// maxWideInt is the widest that LLVM IR may compute with; the front end takes such
// integers apart.
const maxWideInt = 4096

// maxElements bounds static shapes so that sizes never overflow.
const maxElements = int64(1) << 48

// Widths that the Fabric dialect allows (fabric.md, "Types").
const (
	maxBits = 4096
	maxTag  = 16
)

var floatNames = map[string]bool{
	"f16": true, "bf16": true, "f32": true, "tf32": true, "f64": true, "f80": true, "f128": true,
	"f8E5M2": true, "f8E4M3": true, "f8E4M3FN": true, "f8E5M2FNUZ": true, "f8E4M3FNUZ": true,
	"f8E4M3B11FNUZ": true, "f8E3M4": true, "f6E2M3FN": true, "f6E3M2FN": true, "f4E2M1FN": true,
	"f8E8M0FNU": true,
}

// parseType reads a type or fails.
func (p *parser) parseType() ir.Type {
	t := p.optionalType()
	if t == nil {
		p.expected("a type")
	}
	return t
}

// optionalType reads a type if one starts here, else it returns nil.
func (p *parser) optionalType() ir.Type {
	switch p.tok.kind {
	case tBare:
		return p.namedType()
	case tExcl:
		return p.dialectType()
	case tPunct:
		if p.tok.text == "(" {
			return p.functionType()
		}
	}
	return nil
}

// namedType reads a builtin type that starts with a word.
func (p *parser) namedType() ir.Type {
	text := p.tok.text
	if t := p.cache[text]; t != nil {
		p.advance()
		return t
	}
	var t ir.Type
	switch text {
	case "index":
		t = ir.Index
	case "none":
		t = ir.None
	case "memref":
		return p.cachedMemref()
	case "tensor", "vector":
		return p.shaped(text)
	case "complex":
		return p.opaqueType()
	case "tuple":
		return p.tuple()
	default:
		if floatNames[text] {
			t = ir.Float(text)
		} else if t = p.intType(text); t == nil {
			return nil
		}
	}
	if it, ok := t.(*ir.IntegerType); !ok || it.Width <= maxIntWidth {
		p.cache[text] = t
	}
	p.advance()
	return t
}

// tuple reads tuple<types>, also without types.
func (p *parser) tuple() ir.Type {
	p.advance()
	p.enter()
	p.expect("<")
	var elems []ir.Type
	for !p.is(">") {
		if elems != nil {
			p.separator(">")
		}
		elems = append(elems, p.parseType())
	}
	p.advance()
	p.depth--
	return ir.Tuple(elems)
}

// intType reads i32, si8, ui16; nil where text is none of these.
func (p *parser) intType(text string) ir.Type {
	sign, digits := ir.Signless, ""
	switch {
	case strings.HasPrefix(text, "si"):
		sign, digits = ir.Signed, text[2:]
	case strings.HasPrefix(text, "ui"):
		sign, digits = ir.Unsigned, text[2:]
	case strings.HasPrefix(text, "i"):
		digits = text[1:]
	}
	if digits == "" || strings.Trim(digits, "0123456789") != "" {
		return nil
	}
	width, err := strconv.Atoi(digits)
	if err != nil || width > maxIntWidth && !(p.wide && width <= maxWideInt) {
		p.errorf(p.pos(), "the integer type '%s' is too wide", text).
			WithHelp("LOOM computes with integers of 1 to %d bits", maxIntWidth)
		panic(bailout{})
	}
	if width == 0 || digits[0] == '0' {
		p.fail(p.pos(), "'%s' is no integer type: the width starts at 1 and has no leading zero", text)
	}
	return ir.IntSigned(width, sign)
}

// functionType reads (types) -> types.
func (p *parser) functionType() *ir.FunctionType {
	p.enter()
	inputs := p.typeList()
	p.expect("->")
	results := p.resultTypes()
	p.depth--
	return ir.Func(inputs, results)
}

// typeList reads ( types ).
func (p *parser) typeList() []ir.Type {
	p.expect("(")
	var list []ir.Type
	for !p.is(")") {
		if list != nil {
			p.separator(")")
		}
		list = append(list, p.parseType())
	}
	p.advance()
	return list
}

// resultTypes reads one type or a list in parentheses.
func (p *parser) resultTypes() []ir.Type {
	if !p.is("(") {
		return []ir.Type{p.parseType()}
	}
	return p.typeList()
}

// cachedMemref is memref with a look at the types read before: programs repeat
// the same few. Only types on one line without anything nested are kept.
func (p *parser) cachedMemref() ir.Type {
	start := p.tok
	n := strings.IndexByte(p.lex.src[start.start:], '>')
	if !strings.HasPrefix(p.lex.src[start.end:], "<") || n < 0 || strings.ContainsAny(p.lex.src[start.end+1:start.start+n], "<\n/#") {
		return p.memref()
	}
	text := p.lex.src[start.start : start.start+n+1]
	if t := p.cache[text]; t != nil {
		p.lex.pos = start.start + n + 1
		p.advance()
		return t
	}
	t := p.memref()
	if p.tok.start >= start.start+n+1 {
		p.cache[text] = t
	}
	return t
}

// memref reads memref<shape x element, layout, space>.
func (p *parser) memref() ir.Type {
	start := p.tok
	p.advance()
	if !p.is("<") {
		p.expected("'<'")
	}
	if p.peek().text == "*" {
		p.rewind(start)
		return p.opaqueType() // unranked: only ever passed through
	}
	p.enter()
	shape := p.dimensions(true)
	elem := p.parseType()
	p.checkElement(start.posIn(p.file), elem)
	var layout *ir.StridedLayout
	var mapText, space string
	for p.accept(",") {
		pos := p.pos()
		if p.isWord("strided") {
			if layout != nil || mapText != "" || space != "" {
				p.fail(pos, "the layout of a memref is given once, before the memory space")
			}
			layout = p.strided()
			if len(layout.Strides) != len(shape) {
				p.fail(pos, "%s for a memref of rank %d", diag.Plural(len(layout.Strides), "stride"), len(shape))
			}
			continue
		}
		a := p.parseAttr(nil)
		text := a.String()
		if m, ok := a.(*ir.AffineMapAttr); ok && layout == nil && mapText == "" && space == "" {
			// The identity is the same layout as none.
			if !m.Map.IsIdentity(len(shape)) {
				mapText = text
			}
			continue
		}
		if o, ok := a.(*ir.OpaqueAttr); ok && strings.HasPrefix(o.Text, "strided<") && layout == nil && mapText == "" && space == "" {
			layout = p.stridedText(o.Text)
			continue
		}
		if space != "" {
			p.expected("'>'")
		}
		if i, ok := a.(*ir.IntegerAttr); ok && i.Type == ir.Type(ir.I64) {
			text = strconv.FormatInt(i.Value, 10)
		}
		space = text
	}
	p.expect(">")
	p.depth--
	return ir.MemRefOf(shape, elem, layout, mapText, space)
}

// checkElement refuses what cannot be an element of a memref.
func (p *parser) checkElement(pos diag.Pos, t ir.Type) {
	switch t.(type) {
	case *ir.NoneType, *ir.FunctionType:
		p.fail(pos, "%s cannot be the element of a memref", t)
	}
}

// strided reads strided<[1, ?], offset: ?>.
func (p *parser) strided() *ir.StridedLayout {
	l := &ir.StridedLayout{}
	p.advance()
	p.expect("<")
	p.expect("[")
	for !p.is("]") {
		if l.Strides != nil {
			p.separator("]")
		}
		l.Strides = append(l.Strides, p.dynamicInt("a stride"))
	}
	p.advance()
	if p.accept(",") {
		p.expectWord("offset")
		p.expect(":")
		l.Offset = p.dynamicInt("an offset")
	}
	p.expect(">")
	return l
}

// stridedText reads a layout that came from an alias; it was checked there.
func (p *parser) stridedText(text string) *ir.StridedLayout {
	lex, tok := p.lex, p.tok
	p.lex = newLexer(text)
	p.tok = p.lex.next()
	l := p.strided()
	p.lex, p.tok = lex, tok
	return l
}

// dynamicInt reads an integer or '?'.
func (p *parser) dynamicInt(what string) int64 {
	if p.accept("?") {
		return ir.Dynamic
	}
	negative := p.accept("-")
	if p.tok.kind != tInt {
		p.expected(what)
	}
	n, err := strconv.ParseInt(p.tok.text, 0, 64)
	if err != nil {
		p.fail(p.pos(), "'%s' is out of range", p.tok.text)
	}
	p.advance()
	if negative {
		return -n
	}
	return n
}

// shaped reads tensor<…> and vector<…>. Forms LOOM has no use for (encodings,
// unranked tensors, scalable vectors) are kept as text.
func (p *parser) shaped(kind string) ir.Type {
	start := p.tok
	p.advance()
	if !p.is("<") {
		p.expected("'<'")
	}
	if n := p.peek().text; n == "*" || n == "[" {
		p.rewind(start)
		return p.opaqueType()
	}
	p.enter()
	shape := p.dimensions(kind == "tensor")
	if p.is("[") { // vector<2x[4]xf32>
		p.depth--
		p.rewind(start)
		return p.opaqueType()
	}
	elem := p.parseType()
	p.depth--
	if p.is(",") {
		p.rewind(start)
		return p.opaqueType()
	}
	p.expect(">")
	return ir.Shaped(kind, shape, elem)
}

// dimensions reads the "4x?x" behind the current '<' and makes the token after
// it current. It works on characters because "4x8xi32" is not made of tokens.
func (p *parser) dimensions(dynamic bool) []int64 {
	var shape []int64
	total := int64(1)
	l := &p.lex
	for {
		l.skipSpace()
		c := l.at(l.pos)
		if c != '?' && class[c]&cDigit == 0 {
			break
		}
		at := diag.Pos{File: p.file, Line: l.line, Col: l.pos - l.lineStart + 1}
		n := ir.Dynamic
		begin := l.pos
		l.pos++
		if c == '?' {
			if !dynamic {
				p.fail(at, "a dynamic dimension is not allowed here")
			}
		} else {
			for class[l.at(l.pos)]&cDigit != 0 {
				l.pos++
			}
			v, err := strconv.ParseInt(l.src[begin:l.pos], 10, 64)
			if err != nil {
				p.fail(at, "the dimension %s is out of range", l.src[begin:l.pos])
			}
			n = v
		}
		shape = append(shape, n)
		if n > 0 {
			if total > maxElements/n {
				p.fail(at, "the type has more than 2^48 elements")
			}
			total *= n
		}
		l.skipSpace()
		if l.at(l.pos) != 'x' {
			p.advance()
			p.expected("'x' after a dimension")
		}
		l.pos++
	}
	p.advance()
	return shape
}

// dialectType reads !alias or !dialect.type<…>.
func (p *parser) dialectType() ir.Type {
	text := p.tok.text
	if !strings.Contains(text, ".") {
		if p.peek().text != "<" {
			t := p.types[text[1:]]
			if t == nil {
				p.fail(p.pos(), "undefined type alias '%s'", text)
			}
			p.advance()
			return t
		}
		return p.opaqueType()
	}
	switch text {
	case "!fabric.bits":
		p.advance()
		p.expect("<")
		n := p.bounded("the width of !fabric.bits", 1, maxBits)
		if p.tok.text == ":" {
			// mlir-opt, which knows the type from IRDL, writes the width as any
			// integer attribute: 32 : i64.
			p.advance()
			p.parseType()
		}
		p.expect(">")
		return ir.Bits(n)
	case "!fabric.tagged", "!dataflow.tagged":
		return p.tagged()
	}
	return p.opaqueType()
}

// tagged reads !fabric.tagged<value, iK>. !dataflow.tagged is another spelling
// of it (fabric.md, "Types").
func (p *parser) tagged() ir.Type {
	p.enter()
	p.advance()
	p.expect("<")
	pos := p.pos()
	value := p.parseType()
	switch value.(type) {
	case *ir.IntegerType, *ir.FloatType, *ir.IndexType, *ir.NoneType, *ir.BitsType:
	default:
		p.fail(pos, "a tagged type carries !fabric.bits or a native type, not %s", value)
	}
	p.expect(",")
	pos = p.pos()
	tag, ok := p.parseType().(*ir.IntegerType)
	if !ok || tag.Sign != ir.Signless || tag.Width > maxTag {
		p.fail(pos, "the tag is an integer type i1 to i%d", maxTag)
	}
	p.expect(">")
	p.depth--
	return ir.Tagged(value, tag.Width)
}

// bounded reads an integer between lo and hi.
func (p *parser) bounded(what string, lo, hi int) int {
	n, err := strconv.Atoi(p.tok.text)
	if p.tok.kind != tInt {
		p.expected(what)
	}
	if err != nil || n < lo || n > hi {
		p.fail(p.pos(), "%s is %s, expected %d to %d", what, p.tok.text, lo, hi)
	}
	p.advance()
	return n
}

// opaqueType keeps a type as text: a name and, if it follows, a balanced <…>.
func (p *parser) opaqueType() ir.Type {
	text := p.tok.text
	name := p.tok
	p.advance()
	if p.is("<") && p.tok.start == name.end {
		text += p.balanced()
	}
	return ir.Opaque(text)
}

// balanced reads the bracketed text that starts at the current '<' or '[',
// '(' or '{' as text, with blanks and comments made single spaces, and makes
// the token after it current.
func (p *parser) balanced() string {
	open := p.tok
	var b strings.Builder
	var stack []byte
	l := p.lex
	l.reset(open)
	last := open.start
	for {
		t := l.next()
		switch t.kind {
		case tEOF:
			p.fail(open.posIn(p.file), "'%s' is never closed", open.text)
		case tError:
			// Opaque text may hold characters that are no tokens elsewhere;
			// an unfinished string is an error everywhere.
			if p.lex.src[t.start] == '"' {
				p.fail(t.posIn(p.file), "%s", l.errText)
			}
			t.end = l.pos
			t.text = l.src[t.start:t.end]
		}
		if t.start > last {
			b.WriteByte(' ')
		}
		last = t.end
		b.WriteString(t.text)
		if t.kind != tPunct {
			continue
		}
		switch t.text {
		case "<", "(", "[", "{":
			stack = append(stack, t.text[0])
			if len(stack) > maxDepth {
				p.fail(t.posIn(p.file), "nested more than %d levels deep", maxDepth)
			}
		case ">", ")", "]", "}":
			if t.text == ">" && l.at(l.pos) == '=' && stack[len(stack)-1] != '<' {
				continue // ">=" in an affine_set
			}
			if want := closer(stack[len(stack)-1]); want != t.text {
				p.fail(t.posIn(p.file), "expected '%s', found '%s'", want, t.text)
			}
			if stack = stack[:len(stack)-1]; len(stack) == 0 {
				p.lex = l
				p.tok = p.lex.next()
				return b.String()
			}
		}
	}
}

func closer(open byte) string {
	switch open {
	case '<':
		return ">"
	case '(':
		return ")"
	case '[':
		return "]"
	}
	return "}"
}
