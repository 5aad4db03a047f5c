package mlir

import (
	"fmt"

	"loom/compiler/diag"
)

// kind is the class of a token.
type kind uint8

const (
	tEOF kind = iota
	tError
	tBare    // addi, arith.addi, i32, …
	tPercent // %name
	tCaret   // ^bb0
	tAt      // @name, @"any name"
	tHash    // #alias, #0, #dialect.attr
	tExcl    // !alias, !dialect.type
	tInt     // 12, 0x1F
	tFloat   // 1.0, 2.5e-3
	tString  // "…"
	tPunct   // everything else; the text states which
)

// token is one lexical element. The text is a slice of the source, including
// the sigil and quotes.
type token struct {
	kind kind
	// first is set for the first token of a line: error recovery starts over
	// at such tokens.
	first      bool
	start, end int
	line, col  int
	text       string
}

// lexer splits MLIR text into tokens. It is a plain struct so that a copy of it
// is a point to come back to.
type lexer struct {
	src       string
	pos       int
	line      int
	lineStart int
	fresh     bool   // nothing but blanks since the start of the line
	errText   string // message of the last tError token
}

func newLexer(src string) lexer { return lexer{src: src, line: 1, fresh: true} }

// Character classes, by bit.
const (
	cLetter = 1 << iota // letters and _
	cDigit
	cHex
	cSpecial // $ . in identifiers
	cDash
)

var class = func() (t [256]uint8) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= cLetter
		t[c-'a'+'A'] |= cLetter
	}
	t['_'] |= cLetter
	for c := '0'; c <= '9'; c++ {
		t[c] |= cDigit | cHex
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] |= cHex
		t[c-'a'+'A'] |= cHex
	}
	t['$'] |= cSpecial
	t['.'] |= cSpecial
	t['-'] |= cDash
	return
}()

// reset moves the lexer back to the start of a token it has produced.
func (l *lexer) reset(t token) {
	l.pos, l.line, l.lineStart, l.fresh = t.start, t.line, t.start-t.col+1, t.first
}

// skipSpace passes blanks and // comments.
func (l *lexer) skipSpace() {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; c {
		case ' ', '\t', '\r':
			l.pos++
		case '\n':
			l.pos++
			l.line++
			l.lineStart = l.pos
			l.fresh = true
		case '/':
			if l.pos+1 >= len(l.src) || l.src[l.pos+1] != '/' {
				return
			}
			for l.pos < len(l.src) && l.src[l.pos] != '\n' {
				l.pos++
			}
		default:
			return
		}
	}
}

// next produces the next token; at the end of the text it produces tEOF for
// ever.
func (l *lexer) next() token {
	l.skipSpace()
	t := token{start: l.pos, line: l.line, col: l.pos - l.lineStart + 1, first: l.fresh}
	l.fresh = false
	if l.pos >= len(l.src) {
		t.end = l.pos
		t.first = true
		return t
	}
	c := l.src[l.pos]
	cl := class[c]
	switch {
	case cl&cLetter != 0:
		t.kind = tBare
		l.scan(cLetter | cDigit | cSpecial)
	case cl&cDigit != 0:
		t.kind = l.number()
	default:
		t.kind = l.other(c)
	}
	t.end = l.pos
	t.text = l.src[t.start:t.end]
	return t
}

// scan passes one character and all following ones of the classes.
func (l *lexer) scan(mask uint8) {
	l.pos++
	for l.pos < len(l.src) && class[l.src[l.pos]]&mask != 0 {
		l.pos++
	}
}

func (l *lexer) at(i int) byte {
	if i < len(l.src) {
		return l.src[i]
	}
	return 0
}

// number reads an integer or float. A float needs a '.', as in MLIR.
func (l *lexer) number() kind {
	if l.src[l.pos] == '0' && l.at(l.pos+1) == 'x' && class[l.at(l.pos+2)]&cHex != 0 {
		l.pos++
		l.scan(cHex)
		return tInt
	}
	l.scan(cDigit)
	if l.at(l.pos) != '.' {
		return tInt
	}
	l.scan(cDigit)
	if e := l.at(l.pos); e == 'e' || e == 'E' {
		i := l.pos + 1
		if s := l.at(i); s == '+' || s == '-' {
			i++
		}
		if class[l.at(i)]&cDigit != 0 {
			l.pos = i
			l.scan(cDigit)
		}
	}
	return tFloat
}

func (l *lexer) fail(format string, args ...any) kind {
	l.errText = fmt.Sprintf(format, args...)
	return tError
}

// other reads what starts with neither a letter nor a digit.
func (l *lexer) other(c byte) kind {
	switch c {
	case '%', '^', '#', '!':
		return l.sigil(c)
	case '@':
		if l.at(l.pos+1) == '"' {
			l.pos++
			if l.quoted() == tError {
				return tError
			}
			return tAt
		}
		if class[l.at(l.pos+1)]&cLetter == 0 {
			l.pos++
			return l.fail("expected a name or a string after '@'")
		}
		l.pos++
		l.scan(cLetter | cDigit | cSpecial)
		return tAt
	case '"':
		return l.quoted()
	case '-':
		if l.at(l.pos+1) == '>' {
			l.pos++
		}
	case ':':
		if l.at(l.pos+1) == ':' {
			l.pos++
		}
	case '.':
		if l.at(l.pos+1) != '.' || l.at(l.pos+2) != '.' {
			l.pos++
			return l.fail("unexpected character '.'")
		}
		l.pos += 2
	case '{':
		if l.at(l.pos+1) == '-' && l.at(l.pos+2) == '#' {
			l.pos += 2
		}
	case '(', ')', '[', ']', '}', '<', '>', ',', '=', '+', '*', '?', '|', '/':
	default:
		l.pos++
		if c >= 0x80 {
			// The whole run of non-ASCII bytes is one mistake.
			for l.at(l.pos) >= 0x80 {
				l.pos++
			}
			return l.fail("unexpected non-ASCII character")
		}
		return l.fail("unexpected character %q", c)
	}
	l.pos++
	return tPunct
}

// sigil reads %name, ^label, #name and !name.
func (l *lexer) sigil(c byte) kind {
	if c == '#' && l.at(l.pos+1) == '-' && l.at(l.pos+2) == '}' {
		l.pos += 3
		return tPunct
	}
	k := tExcl
	switch c {
	case '%':
		k = tPercent
	case '^':
		k = tCaret
	case '#':
		k = tHash
	}
	first := class[l.at(l.pos+1)]
	switch {
	case first&cDigit != 0 && c != '!':
		l.pos++
		l.scan(cDigit)
		return k
	case first&(cLetter|cSpecial|cDash) != 0:
		l.pos++
		l.scan(cLetter | cDigit | cSpecial | cDash)
		// "!alias->" is the alias and an arrow.
		if l.src[l.pos-1] == '-' && l.at(l.pos) == '>' {
			l.pos--
		}
		return k
	}
	l.pos++
	return l.fail("expected a name after '%c'", c)
}

// quoted reads a string; decode does the escapes.
func (l *lexer) quoted() kind {
	for i := l.pos + 1; i < len(l.src); i++ {
		switch l.src[i] {
		case '"':
			l.pos = i + 1
			return tString
		case '\\':
			i++
			if n := l.at(i); n == '\\' || n == '"' || n == 'n' || n == 't' {
				continue
			}
			if class[l.at(i)]&cHex == 0 || class[l.at(i+1)]&cHex == 0 {
				l.pos = min(i, len(l.src))
				return l.fail(`unknown escape in a string: expected \\, \", \n, \t or two hexadecimal digits`)
			}
			i++
		case '\n', '\v', '\f':
			l.pos = i
			return l.fail("the string does not end on its line")
		}
	}
	l.pos = len(l.src)
	return l.fail("the string does not end")
}

// decode undoes the escapes of a string token with its quotes.
func decode(text string) string {
	text = text[1 : len(text)-1]
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\\' {
			out = append(out, c)
			continue
		}
		i++
		switch c = text[i]; c {
		case 'n':
			c = '\n'
		case 't':
			c = '\t'
		case '\\', '"':
		default:
			c = unhex(c)<<4 | unhex(text[i+1])
			i++
		}
		out = append(out, c)
	}
	return string(out)
}

func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// symbolName is the name of a tAt token.
func symbolName(text string) string {
	if text[1] == '"' {
		return decode(text[1:])
	}
	return text[1:]
}

// describe states what a token is, for "found …".
func (t token) describe() string {
	switch t.kind {
	case tEOF:
		return "the end of the input"
	case tString:
		if len(t.text) > 40 {
			return "a string"
		}
		return "string " + t.text
	case tPunct, tBare, tPercent, tCaret, tAt, tHash, tExcl, tInt, tFloat:
		text := t.text
		if len(text) > 60 {
			text = text[:57] + "..."
		}
		return "'" + text + "'"
	}
	return "a malformed token"
}

// posIn is the position of a token.
func (t token) posIn(file string) diag.Pos {
	return diag.Pos{File: file, Line: t.line, Col: t.col}
}
