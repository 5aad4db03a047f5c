package vector

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"loom/compiler/diag"
)

// The input file is read into a tree that keeps the position of every value, which
// encoding/json forgets: a wrong element of a large array has to be found by
// its line and column.

type nodeKind uint8

const (
	nodeNull nodeKind = iota
	nodeBool
	nodeNumber
	nodeString
	nodeArray
	nodeObject
)

func (k nodeKind) String() string {
	return [...]string{"null", "a truth value", "a number", "a string", "an array", "an object"}[k]
}

// node is one JSON value.
type node struct {
	kind    nodeKind
	offset  int
	text    string // of a number as spelled, of a string decoded, "true" or "false"
	elems   []node // of an array
	members []member
}

type member struct {
	key    string
	offset int
	value  node
}

// get returns the member of that key or nil.
func (n *node) get(key string) *node {
	for i := range n.members {
		if n.members[i].key == key {
			return &n.members[i].value
		}
	}
	return nil
}

// maxDepth bounds nesting, so that hostile input cannot exhaust the stack.
const maxDepth = 64

// jsonParser reads RFC 8259 text. The first fault ends it.
type jsonParser struct {
	text string
	at   int
	fail func(offset int, format string, args ...any) *diag.Diagnostic
	err  *diag.Diagnostic
}

func (p *jsonParser) error(offset int, format string, args ...any) {
	if p.err == nil {
		p.err = p.fail(offset, format, args...)
	}
}

func (p *jsonParser) space() {
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n", p.text[p.at]) >= 0 {
		p.at++
	}
}

// found describes what stands at the current position for an error message.
func (p *jsonParser) found() string {
	if p.at >= len(p.text) {
		return "the end of the file"
	}
	r, _ := utf8.DecodeRuneInString(p.text[p.at:])
	return "'" + string(r) + "'"
}

func (p *jsonParser) expect(c byte) bool {
	p.space()
	if p.at < len(p.text) && p.text[p.at] == c {
		p.at++
		return true
	}
	p.error(p.at, "expected '%c', found %s", c, p.found())
	return false
}

// file reads the whole text as one value.
func (p *jsonParser) file() node {
	n := p.value(0)
	p.space()
	if p.err == nil && p.at < len(p.text) {
		p.error(p.at, "unexpected %s after the value", p.found())
	}
	return n
}

func (p *jsonParser) value(depth int) node {
	p.space()
	n := node{offset: p.at}
	if depth > maxDepth {
		p.error(p.at, "values are nested more than %d deep", maxDepth)
		return n
	}
	if p.at >= len(p.text) {
		p.error(p.at, "expected a value, found %s", p.found())
		return n
	}
	switch c := p.text[p.at]; {
	case c == '{':
		p.object(&n, depth)
	case c == '[':
		p.array(&n, depth)
	case c == '"':
		n.kind, n.text = nodeString, p.str()
	case c == '-' || '0' <= c && c <= '9':
		n.kind, n.text = nodeNumber, p.number()
	default:
		for _, word := range []string{"true", "false", "null"} {
			if strings.HasPrefix(p.text[p.at:], word) {
				p.at += len(word)
				n.kind, n.text = nodeBool, word
				if word == "null" {
					n.kind = nodeNull
				}
				return n
			}
		}
		p.error(p.at, "expected a value, found %s", p.found())
	}
	return n
}

func (p *jsonParser) object(n *node, depth int) {
	n.kind = nodeObject
	p.at++
	p.space()
	if p.at < len(p.text) && p.text[p.at] == '}' {
		p.at++
		return
	}
	seen := map[string]bool{}
	for p.err == nil {
		p.space()
		m := member{offset: p.at}
		if p.at >= len(p.text) || p.text[p.at] != '"' {
			p.error(p.at, "expected a key in quotes, found %s", p.found())
			return
		}
		m.key = p.str()
		if seen[m.key] {
			p.error(m.offset, "key %q appears twice", m.key)
		}
		seen[m.key] = true
		if !p.expect(':') {
			return
		}
		m.value = p.value(depth + 1)
		n.members = append(n.members, m)
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ',' {
			p.at++
			continue
		}
		p.expect('}')
		return
	}
}

func (p *jsonParser) array(n *node, depth int) {
	n.kind = nodeArray
	p.at++
	p.space()
	if p.at < len(p.text) && p.text[p.at] == ']' {
		p.at++
		return
	}
	for p.err == nil {
		n.elems = append(n.elems, p.value(depth+1))
		p.space()
		if p.at < len(p.text) && p.text[p.at] == ',' {
			p.at++
			continue
		}
		p.expect(']')
		return
	}
}

// str reads a string; the escapes are decoded by encoding/json.
func (p *jsonParser) str() string {
	start := p.at
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			var s string
			if json.Unmarshal([]byte(p.text[start:p.at]), &s) != nil {
				p.error(start, "the string has a bad escape or control character")
			}
			return s
		case '\n':
			p.error(start, "the string does not end on its line")
			return ""
		}
	}
	p.at = len(p.text)
	p.error(start, "the string does not end")
	return ""
}

func (p *jsonParser) digits() int {
	start := p.at
	for p.at < len(p.text) && '0' <= p.text[p.at] && p.text[p.at] <= '9' {
		p.at++
	}
	return p.at - start
}

func (p *jsonParser) accept(chars string) bool {
	if p.at < len(p.text) && strings.IndexByte(chars, p.text[p.at]) >= 0 {
		p.at++
		return true
	}
	return false
}

func (p *jsonParser) number() string {
	start := p.at
	p.accept("-")
	first := p.at
	n := p.digits()
	ok := n == 1 || n > 1 && p.text[first] != '0'
	if ok && p.accept(".") {
		ok = p.digits() > 0
	}
	if ok && p.accept("eE") {
		p.accept("+-")
		ok = p.digits() > 0
	}
	if !ok {
		p.error(start, "malformed number")
	}
	return p.text[start:p.at]
}
