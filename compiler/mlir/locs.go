package mlir

import (
	"fmt"
	"iter"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// locUse is an operation whose location names an alias. Aliases of locations
// stand at the end of the text, so they are filled in when all is read.
type locUse struct {
	op  *ir.Operation
	tok token
}

// parseLoc reads loc(…) and returns it as text.
func (p *parser) parseLoc() string {
	p.advance()
	var b strings.Builder
	b.WriteString("loc(")
	p.expect("(")
	p.locBody(&b)
	p.expect(")")
	b.WriteByte(')')
	return b.String()
}

// locBody reads what stands between the parentheses.
func (p *parser) locBody(b *strings.Builder) {
	p.enter()
	defer func() { p.depth-- }()
	switch {
	case p.tok.kind == tHash:
		b.WriteString(p.tok.text)
		p.advance()
	case p.tok.kind == tString:
		b.WriteString(p.tok.text)
		p.advance()
		if p.accept("(") {
			b.WriteByte('(')
			p.locBody(b)
			p.expect(")")
			b.WriteByte(')')
			return
		}
		for range 2 {
			if !p.accept(":") {
				return
			}
			if p.tok.kind != tInt {
				p.expected("a line or column number")
			}
			b.WriteString(":" + p.tok.text)
			p.advance()
		}
		if p.acceptWord("to") {
			b.WriteString(" to ")
			for p.is(":") || p.tok.kind == tInt {
				b.WriteString(p.tok.text)
				p.advance()
			}
		}
	case p.acceptWord("unknown"):
		b.WriteString("unknown")
	case p.acceptWord("callsite"):
		p.expect("(")
		b.WriteString("callsite(")
		p.locBody(b)
		p.expectWord("at")
		b.WriteString(" at ")
		p.locBody(b)
		p.expect(")")
		b.WriteByte(')')
	case p.acceptWord("fused"):
		b.WriteString("fused")
		if p.accept("<") {
			// Information of another dialect about the location (debug information,
			// as a rule) is left out: it may name aliases that nothing here keeps.
			if meta := p.parseAttr(nil).String(); !strings.HasPrefix(meta, "#") {
				b.WriteString("<" + meta + ">")
			}
			p.expect(">")
		}
		p.expect("[")
		b.WriteByte('[')
		for first := true; !p.is("]"); first = false {
			if !first {
				p.separator("]")
				b.WriteString(", ")
			}
			p.locBody(b)
		}
		p.advance()
		b.WriteByte(']')
	default:
		p.expected("a location")
	}
}

// noteLoc stores op when its location names an alias.
func (p *parser) noteLoc(op *ir.Operation) {
	if strings.IndexByte(op.Loc, '#') >= 0 {
		p.locs = append(p.locs, locUse{op, p.tok})
	}
}

// resolveLocs replaces the aliases in locations by what they stand for.
func (p *parser) resolveLocs() {
	p.resolved = map[string]string{}
	for _, u := range p.locs {
		text, ok := p.expandLoc(u.op.Loc, 0)
		if !ok {
			p.errorf(u.op.Pos, "the location %s names an undefined alias or is too large", u.op.Loc)
			continue
		}
		u.op.Loc = text
	}
}

// expandLoc returns a location without aliases, ok false where one is
// undefined, circular or too long.
func (p *parser) expandLoc(text string, depth int) (string, bool) {
	if done, ok := p.resolved[text]; ok {
		return done, true
	}
	if depth > 50 {
		return "", false
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		switch c := text[i]; c {
		case '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end+1, len(text))
			b.WriteString(text[i:end])
			i = end
		case '#':
			end := i + 1
			for end < len(text) && class[text[end]]&(cLetter|cDigit|cSpecial|cDash) != 0 {
				end++
			}
			a, ok := p.attrs[text[i+1:end]].(*ir.OpaqueAttr)
			if !ok || !strings.HasPrefix(a.Text, "loc(") {
				return "", false
			}
			inner, ok := p.expandLoc(a.Text, depth+1)
			if !ok {
				return "", false
			}
			b.WriteString(inner[len("loc(") : len(inner)-1])
			i = end
		default:
			b.WriteByte(c)
			i++
		}
		if b.Len() > maxAliasText {
			return "", false
		}
	}
	p.resolved[text] = b.String()
	return b.String(), true
}

// SourcePos is the position in a source file that a location names: of a fused
// location the first, of an inlined call the position in the callee. ok is false where
// the location names no file and line.
func SourcePos(loc string) (pos diag.Pos, ok bool) {
	for pos := range SourcePositions(loc) {
		return pos, true
	}
	return diag.Pos{}, false
}

// SourcePositions are all positions that a location names: of an inlined call that in the
// callee, then those of the calls from there outwards.
func SourcePositions(loc string) iter.Seq[diag.Pos] {
	return func(yield func(diag.Pos) bool) {
		for rest := loc; ; {
			open := strings.IndexByte(rest, '"')
			if open < 0 {
				return
			}
			name, after, ok := quoted(rest[open+1:])
			if !ok {
				return
			}
			rest = after
			var line, col int
			if n, _ := fmt.Sscanf(rest, ":%d:%d", &line, &col); n == 2 && line > 0 {
				if !yield(diag.Pos{File: name, Line: line, Col: max(col, 1)}) {
					return
				}
			}
		}
	}
}

// quoted reads a string up to its closing quote.
func quoted(text string) (s, rest string, ok bool) {
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return decode("\"" + text[:i+1]), text[i+1:], true
		}
	}
	return "", "", false
}

// FileLoc is the location of a position in a source file, "" for no position.
func FileLoc(pos diag.Pos) string {
	if pos.File == "" || pos.Line == 0 {
		return ""
	}
	return fmt.Sprintf("loc(%s:%d:%d)", ir.QuoteString(pos.File), pos.Line, max(pos.Col, 1))
}

// AdoptLocations gives every operation the source position that its location names,
// so that findings about it point there. It reports whether there was
// one.
func AdoptLocations(module *ir.Operation) bool {
	found := false
	module.Walk(func(op *ir.Operation) bool {
		if pos, ok := SourcePos(op.Loc); ok {
			op.Pos, found = pos, true
		}
		return true
	})
	return found
}

// KeepLocations gives every operation the location of its position, for printing with
// Options.Debuginfo.
func KeepLocations(module *ir.Operation) {
	module.Walk(func(op *ir.Operation) bool {
		op.Loc = FileLoc(op.Pos)
		return true
	})
}
