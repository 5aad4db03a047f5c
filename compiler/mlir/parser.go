package mlir

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Limits that keep hostile input from exhausting the stack or memory.
const (
	maxDepth     = 200     // nesting of regions, types and attributes together
	maxErrors    = 50      // after that many the rest is noise
	maxAliasText = 1 << 16 // bytes of a type or attribute behind an alias
)

// Parse reads MLIR text. The result is a builtin.module, made up when the text
// has top-level operations outside of one. The error is a [*diag.List] with
// positions in file. The rules of the operations are not checked; see
// [ParseAndVerify].
func Parse(file, src string) (*ir.Operation, error) {
	p := &parser{file: file, lex: newLexer(src), cache: map[string]ir.Type{}}
	module := p.parseFile()
	if err := p.errs.Err(); err != nil {
		return nil, err
	}
	return module, nil
}

// ParseAndVerify reads MLIR text and verifies it. The error is a [*diag.List]
// with the findings of the parser or else of the verifier.
func ParseAndVerify(file, src string) (*ir.Operation, error) {
	module, err := Parse(file, src)
	if err != nil {
		return nil, err
	}
	var errs diag.List
	ir.Verify(module, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return module, nil
}

// parser is the state of one Parse.
type parser struct {
	file   string
	lex    lexer
	tok    token // current token
	lexErr string
	errs   diag.List

	depth   int // nesting, against maxDepth
	braces  int // open '{', so that recovery knows where it is
	scope   *scope
	blocks  *blockScope
	dialect string // default dialect of the current region

	types map[string]ir.Type // !aliases
	attrs map[string]ir.Attr // #aliases
	cache map[string]ir.Type // short types already seen, by their text

	frames []*opFrame // by nesting of operations, for use again
	nested int        // how many of frames are in use
	begin  int        // where the first token starts
	wide   bool       // within LLVM IR, whose integers have any width

	locs     []locUse          // operations whose location names an alias
	resolved map[string]string // location text to text without aliases
}

// bailout unwinds to the innermost guard after an error has been reported.
type bailout struct{}

// giveUp unwinds to Parse: too many errors.
type giveUp struct{}

func (p *parser) advance() {
	if p.tok.kind == tPunct {
		switch p.tok.text[0] {
		case '{':
			p.braces++
		case '}':
			p.braces--
		}
	}
	p.tok = p.lex.next()
	if p.tok.kind == tError {
		p.lexErr = p.lex.errText
	}
}

// rewind goes back to a token that was current before. No brace may have been
// passed since.
func (p *parser) rewind(t token) {
	p.lex.reset(t)
	p.tok = p.lex.next()
}

func (p *parser) pos() diag.Pos { return p.tok.posIn(p.file) }

func (p *parser) errorf(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	if len(p.errs.All) >= maxErrors {
		panic(giveUp{})
	}
	return p.errs.Errorf(pos, format, args...)
}

// fail reports and unwinds.
func (p *parser) fail(pos diag.Pos, format string, args ...any) {
	p.errorf(pos, format, args...)
	panic(bailout{})
}

// expected fails at the current token.
func (p *parser) expected(what string) {
	if p.tok.kind == tError {
		p.fail(p.pos(), "%s", p.lexErr)
	}
	p.fail(p.pos(), "expected %s, found %s", what, p.tok.describe())
}

// enter counts one level of nesting; the caller leaves with p.depth--. A guard
// restores the count when it recovers.
func (p *parser) enter() {
	p.depth++
	if p.depth > maxDepth {
		p.fail(p.pos(), "nested more than %d levels deep", maxDepth)
	}
}

func (p *parser) is(text string) bool { return p.tok.kind == tPunct && p.tok.text == text }

func (p *parser) accept(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.accept(text) {
		p.expected("'" + text + "'")
	}
}

// separator reads the ',' between two elements of a list that ends in close.
func (p *parser) separator(close string) {
	if !p.accept(",") {
		p.expected("',' or '" + close + "'")
	}
}

func (p *parser) isWord(word string) bool { return p.tok.kind == tBare && p.tok.text == word }

func (p *parser) acceptWord(word string) bool {
	if p.isWord(word) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expectWord(word string) {
	if !p.acceptWord(word) {
		p.expected("'" + word + "'")
	}
}

// peek returns the token after the current one.
func (p *parser) peek() token {
	l := p.lex
	return l.next()
}

// parseFile reads the whole text. A single top-level module is the result
// itself.
func (p *parser) parseFile() *ir.Operation {
	implicit := ir.NewOp(opname.BuiltinModule, diag.Pos{File: p.file, Line: 1, Col: 1}, nil, nil)
	body := implicit.AddRegion().AddBlock()
	defer p.catch()
	p.advance()
	p.begin = p.tok.start
	p.scope = newScope(nil)
	p.blocks = &blockScope{}
	p.dialect = "builtin"
	for p.tok.kind != tEOF {
		p.topLevel(body)
	}
	p.leaveScope()
	p.resolveLocs()
	if len(body.Ops) == 1 && body.Ops[0].Name == opname.BuiltinModule {
		m := body.Ops[0]
		m.Unlink()
		return m
	}
	return implicit
}

// catch reports a panic that no other guard recovered as a finding.
func (p *parser) catch() {
	switch r := recover().(type) {
	case nil, giveUp, bailout:
	default:
		d := diag.New(p.pos(), "the parser failed: %v", r)
		d.Severity = diag.Internal
		p.errs.Add(d)
	}
}

// topLevel reads one alias definition, metadata block or operation.
func (p *parser) topLevel(body *ir.Block) {
	switch {
	case p.tok.kind == tHash && p.peek().text == "=", p.tok.kind == tExcl && p.peek().text == "=":
		p.guard(p.alias)
	case p.is("{-#"):
		p.guard(p.metadata)
	case p.is("}"):
		p.errorf(p.pos(), "unexpected '}' outside of any region")
		p.advance()
	default:
		p.parseOp(body)
	}
}

// guard runs f and, if it fails, goes on at the next operation.
func (p *parser) guard(f func()) {
	start, depth, braces := p.tok.start, p.depth, p.braces
	defer func() {
		switch r := recover().(type) {
		case nil:
		case bailout:
			p.depth = depth
			p.skip(start, braces)
		default:
			panic(r)
		}
	}()
	f()
}

// metadata passes a {-# … #-} block: resources for tools LOOM does not serve.
func (p *parser) metadata() {
	p.braces-- // advance counts the opening brace, nothing the closing one
	for !p.accept("#-}") {
		if p.tok.kind == tEOF {
			p.expected("'#-}'")
		}
		p.advance()
	}
}

func (p *parser) alias() {
	pos, sigil, name := p.pos(), p.tok.kind, p.tok.text[1:]
	if strings.Contains(name, ".") {
		p.fail(pos, "the name of an alias cannot contain '.'")
	}
	p.advance()
	p.expect("=")
	if sigil == tExcl {
		if p.types[name] != nil {
			p.fail(pos, "redefinition of type alias '!%s'", name)
		}
		t := p.parseType()
		if len(t.String()) > maxAliasText {
			p.fail(pos, "the type behind '!%s' is longer than %d bytes", name, maxAliasText)
		}
		if p.types == nil {
			p.types = map[string]ir.Type{}
		}
		p.types[name] = t
		return
	}
	if p.attrs[name] != nil {
		p.fail(pos, "redefinition of attribute alias '#%s'", name)
	}
	var a ir.Attr
	if p.isWord("loc") {
		a = &ir.OpaqueAttr{Text: p.parseLoc()}
	} else {
		a = p.parseAttr(nil)
	}
	if len(a.String()) > maxAliasText {
		p.fail(pos, "the attribute behind '#%s' is longer than %d bytes", name, maxAliasText)
	}
	if p.attrs == nil {
		p.attrs = map[string]ir.Attr{}
	}
	p.attrs[name] = a
}

// skip passes tokens after an error up to where an operation can start again:
// the first token of a line outside of any brace opened since, or the end of
// the block.
func (p *parser) skip(start, braces int) {
	if p.tok.start == start && !p.is("}") {
		p.advance()
	}
	for p.tok.kind != tEOF {
		if p.braces < braces {
			return // the failure itself passed the end of the block
		}
		if p.braces == braces && (p.is("}") || p.tok.first && p.startsOp()) {
			return
		}
		p.advance()
	}
}

// startsOp reports whether the current token looks like the start of an
// operation or block.
func (p *parser) startsOp() bool {
	switch p.tok.kind {
	case tBare, tString, tCaret:
		return true
	case tHash, tExcl:
		return p.peek().text == "="
	case tPercent:
		l := p.lex
		for {
			t := l.next()
			if t.text == ":" {
				if t = l.next(); t.kind != tInt {
					return false
				}
				t = l.next()
			}
			if t.text != "," {
				return t.text == "="
			}
			if t = l.next(); t.kind != tPercent {
				return false
			}
		}
	}
	return false
}

// resultGroup is "%name" or "%name:count" in front of '='.
type resultGroup struct {
	name  string
	count int
	pos   diag.Pos
}

// opFrame is the working memory of one operation that is being read. The
// operation copies what it keeps.
type opFrame struct {
	st       OpState
	op       OpParser
	operands [8]*ir.Value
	types    [4]ir.Type
}

// frame returns working memory for an operation nested in p.nested others.
func (p *parser) frame() *opFrame {
	if p.nested == len(p.frames) {
		p.frames = append(p.frames, &opFrame{})
	}
	f := p.frames[p.nested]
	p.nested++
	return f
}

// parseOp reads one operation into b, or reports why not and recovers.
func (p *parser) parseOp(b *ir.Block) {
	start, depth, braces, dialect := p.tok.start, p.depth, p.braces, p.dialect
	scope, frames, blocks, nested := p.scope, len(p.scope.frames), p.blocks, p.nested
	var groups []resultGroup
	opPos := p.pos()
	defer func() {
		p.nested = nested
		r := recover()
		if r == nil {
			return
		}
		if _, ok := r.(giveUp); ok {
			panic(r)
		}
		p.scope, p.blocks, p.depth, p.dialect = scope, blocks, depth, dialect
		p.scope.unwind(frames)
		if _, ok := r.(bailout); !ok {
			// A fault of a parse function must not take the tool down.
			d := diag.New(opPos, "the parser of this operation failed: %v", r)
			d.Severity = diag.Internal
			p.errs.Add(d)
		}
		for _, g := range groups {
			p.poison(g.name, g.pos)
		}
		p.skip(start, braces)
	}()

	var space [2]resultGroup
	groups = space[:0]
	total := 0
	if p.tok.kind == tPercent {
		for {
			if p.tok.kind != tPercent {
				p.expected("a result name")
			}
			g := resultGroup{p.tok.text[1:], 1, p.pos()}
			p.advance()
			if p.accept(":") {
				n, err := strconv.Atoi(p.tok.text)
				if p.tok.kind != tInt || err != nil || n < 1 || n > 1<<16 {
					p.expected("a number of results")
				}
				g.count = n
				p.advance()
			}
			groups = append(groups, g)
			total += g.count
			if !p.accept(",") {
				break
			}
		}
		p.expect("=")
		opPos = p.pos()
	}

	f := p.frame()
	f.st = OpState{Pos: opPos, NumResultNames: total, Operands: f.operands[:0], Types: f.types[:0]}
	f.op = OpParser{p: p, groups: groups}
	st := &f.st
	switch p.tok.kind {
	case tString:
		p.genericOp(st, &f.op)
	case tBare:
		p.customOp(st, &f.op)
	default:
		if p.tok.kind == tError {
			p.expected("an operation")
		}
		p.noOperation()
	}
	op := st.build()
	if len(groups) > 0 && total != op.NumResults() {
		p.errorf(groups[0].pos, "'%s' has %s but %s", op.Name, diag.Plural(op.NumResults(), "result"), named(total))
		for _, g := range groups {
			p.poison(g.name, g.pos)
		}
		groups = nil
	}
	if p.isWord("loc") && p.peek().text == "(" {
		op.Loc = p.parseLoc()
		p.noteLoc(op)
	}
	b.Append(op)
	at := 0
	for _, g := range groups {
		vs := op.Results()[at : at+g.count]
		if !isNumber(g.name) {
			vs[0].Name = g.name
		}
		p.define(g.name, vs, g.pos)
		at += g.count
	}
	if a := asms[op.Name]; a != nil && a.Normalize != nil {
		a.Normalize(op)
	}
}

func named(n int) string {
	if n == 1 {
		return "1 name is bound"
	}
	return fmt.Sprintf("%d names are bound", n)
}

func isNumber(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// customOp reads an operation in its own assembly.
func (p *parser) customOp(st *OpState, op *OpParser) {
	name := p.tok.text
	if !strings.Contains(name, ".") {
		name = p.dialect + "." + name
		if asms[name] == nil && p.tok.text == "module" {
			name = opname.BuiltinModule
		}
	}
	a := asms[name]
	if a == nil || a.Parse == nil {
		p.unknownCustom(name)
	}
	p.advance()
	st.Name, op.name = name, name
	a.Parse(op, st)
}

// noOperation fails at a token that begins no operation. Where the text begins with it, it is
// probably in another language.
func (p *parser) noOperation() {
	d := p.errorf(p.pos(), "expected an operation, found %s", p.tok.describe())
	switch ext := filepath.Ext(p.file); {
	case slices.Contains([]string{".c", ".h", ".cc", ".cpp", ".cxx"}, ext):
		d.WithHelp("MLIR is expected here; loom compile, loom build and loom sim KERNEL read C and C++")
	case slices.Contains([]string{".yaml", ".yml", ".json"}, ext):
		d.WithHelp("MLIR is expected here")
	case p.tok.start == p.begin:
		d.WithHelp("MLIR is expected here; C and C++ are read from files (.c, .cc, .cpp, .cxx), not from standard input")
	}
	panic(bailout{})
}

// unknownCustom explains why an operation cannot be read.
func (p *parser) unknownCustom(name string) {
	pos := p.pos()
	dialect, _, _ := strings.Cut(name, ".")
	switch {
	case ir.Lookup(name) != nil:
		p.errorf(pos, "'%s' has no assembly of its own", name).
			WithHelp(`write it in the generic form: "%s"(…) : (…) -> (…)`, name)
	case !strings.Contains(p.tok.text, "."):
		p.noOperation()
	case ir.KnownDialect(dialect):
		p.errorf(pos, "unknown operation '%s'", name).
			WithHelp("the dialect is supported, this operation is not; see the operation reference in the documentation")
	default:
		p.errorf(pos, "unknown operation '%s'", name).
			WithHelp("dialect '%s' is not supported; LOOM reads %s", dialect, strings.Join(ir.DialectNames(), ", "))
	}
	panic(bailout{})
}

// genericOp reads "name"(operands)[successors]<{properties}>(regions){attrs} :
// (types) -> types.
func (p *parser) genericOp(st *OpState, op *OpParser) {
	st.Name = decode(p.tok.text)
	if i := strings.IndexByte(st.Name, '.'); i <= 0 || i == len(st.Name)-1 {
		p.fail(p.pos(), "'%s' is no operation name: expected dialect.operation", st.Name)
	}
	p.advance()
	op.name = st.Name
	defer func(outer bool) { p.wide = outer }(p.wide)
	p.wide = p.wide || strings.HasPrefix(st.Name, "llvm.")
	p.expect("(")
	var operands []UnresolvedOperand
	for !p.is(")") {
		if len(operands) > 0 {
			p.separator(")")
		}
		operands = append(operands, op.ParseOperand())
	}
	p.advance()
	if p.accept("[") {
		for !p.is("]") {
			if len(st.Succs) > 0 {
				p.separator("]")
			}
			st.Succs = append(st.Succs, ir.Successor{Block: p.successor()})
		}
		p.advance()
	}
	if p.is("<") {
		p.advance()
		p.dictInto(&st.Attrs)
		p.expect(">")
	}
	if p.is("(") {
		p.advance()
		for first := true; first || p.accept(","); first = false {
			op.ParseRegion(st, RegionOptions{})
		}
		p.expect(")")
	}
	if p.is("{") {
		p.dictInto(&st.Attrs)
	}
	p.expect(":")
	pos := p.pos()
	ft := p.functionType()
	if len(ft.Inputs) != len(operands) {
		p.fail(pos, "'%s' has %s but its type has %s", st.Name, diag.Plural(len(operands), "operand"), diag.Plural(len(ft.Inputs), "input"))
	}
	for i, u := range operands {
		st.Operands = append(st.Operands, p.resolve(u, ft.Inputs[i]))
	}
	st.Types = append(st.Types, ft.Results...)
}

// build makes the operation a parse function described.
func (st *OpState) build() *ir.Operation {
	op := ir.NewOp(st.Name, st.Pos, st.Operands, st.Types)
	op.Attrs = st.Attrs
	op.Regions = st.Regions
	for _, r := range op.Regions {
		r.Parent = op
	}
	op.Succs = st.Succs
	return op
}
