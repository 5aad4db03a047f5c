package mlir

import (
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
)

// OpParser reads the custom assembly of one operation. Its methods report what
// is wrong and do not return then; see the package documentation.
type OpParser struct {
	p      *parser
	name   string
	groups []resultGroup
}

// Pos is the position of the next token.
func (o *OpParser) Pos() diag.Pos { return o.p.pos() }

// Errorf reports an error and lets parsing go on.
func (o *OpParser) Errorf(pos diag.Pos, format string, args ...any) *diag.Diagnostic {
	return o.p.errorf(pos, format, args...)
}

// Fail reports an error and gives the operation up.
func (o *OpParser) Fail(pos diag.Pos, format string, args ...any) { o.p.fail(pos, format, args...) }

// ParsePunct reads one of ( ) [ ] { } < > , : :: = -> - + * / ? | ... .
func (o *OpParser) ParsePunct(text string) { o.p.expect(text) }

// ParseOptionalPunct reads the punctuation if it comes next.
func (o *OpParser) ParseOptionalPunct(text string) bool { return o.p.accept(text) }

// PeekPunct reports whether the punctuation comes next.
func (o *OpParser) PeekPunct(text string) bool { return o.p.is(text) }

// ParseComma reads ','.
func (o *OpParser) ParseComma() { o.p.expect(",") }

// ParseOptionalComma reads ',' if it comes next.
func (o *OpParser) ParseOptionalComma() bool { return o.p.accept(",") }

// ParseSeparator reads the ',' between two elements of a list that ends in
// close; the message names both.
func (o *OpParser) ParseSeparator(close string) { o.p.separator(close) }

// ParseKeyword reads the given word.
func (o *OpParser) ParseKeyword(word string) { o.p.expectWord(word) }

// ParseOptionalKeyword reads the given word if it comes next.
func (o *OpParser) ParseOptionalKeyword(word string) bool { return o.p.acceptWord(word) }

// ParseAnyKeyword reads any word; what states what it means, for the message.
func (o *OpParser) ParseAnyKeyword(what string) string {
	if o.p.tok.kind != tBare {
		o.p.expected(what)
	}
	text := o.p.tok.text
	o.p.advance()
	return text
}

// ParseOneOf reads one of the words and returns its index.
func (o *OpParser) ParseOneOf(what string, words ...string) int {
	if o.p.tok.kind == tBare {
		for i, w := range words {
			if o.p.tok.text == w {
				o.p.advance()
				return i
			}
		}
	}
	list := strings.Join(words, ", ")
	if len(list) > 120 {
		o.p.expected(what)
	}
	o.p.expected(what + " (" + list + ")")
	return -1
}

// ParseInteger reads an integer, with or without minus.
func (o *OpParser) ParseInteger() int64 {
	if n, ok := o.ParseOptionalInteger(); ok {
		return n
	}
	o.p.expected("an integer")
	return 0
}

// ParseOptionalInteger reads an integer if one comes next.
func (o *OpParser) ParseOptionalInteger() (int64, bool) {
	p := o.p
	if p.tok.kind != tInt && !p.is("-") {
		return 0, false
	}
	pos := p.pos()
	negative := p.accept("-")
	if p.tok.kind != tInt {
		p.expected("an integer")
	}
	text := p.tok.text
	p.advance()
	return p.integer(pos, text, negative, ir.I64), true
}

// ParseString reads a quoted string.
func (o *OpParser) ParseString() string {
	s, ok := o.ParseOptionalString()
	if !ok {
		o.p.expected("a string")
	}
	return s
}

// ParseOptionalString reads a quoted string if one comes next.
func (o *OpParser) ParseOptionalString() (string, bool) {
	if o.p.tok.kind != tString {
		return "", false
	}
	s := decode(o.p.tok.text)
	o.p.advance()
	return s, true
}

// ParseSymbolName reads @name and returns the name.
func (o *OpParser) ParseSymbolName() string {
	s, ok := o.ParseOptionalSymbolName()
	if !ok {
		o.p.expected("a symbol name")
	}
	return s
}

// ParseOptionalSymbolName reads @name if one comes next.
func (o *OpParser) ParseOptionalSymbolName() (string, bool) {
	if o.p.tok.kind != tAt {
		return "", false
	}
	s := symbolName(o.p.tok.text)
	o.p.advance()
	return s, true
}

// ParseSymbolRef reads @root::@nested.
func (o *OpParser) ParseSymbolRef() *ir.SymbolRefAttr { return o.p.symbolRef() }

// ParseType reads a type.
func (o *OpParser) ParseType() ir.Type { return o.p.parseType() }

// ParseColonType reads ": type".
func (o *OpParser) ParseColonType() ir.Type {
	o.p.expect(":")
	return o.p.parseType()
}

// ParseTypeList reads types separated by commas, at least one.
func (o *OpParser) ParseTypeList() []ir.Type {
	list := []ir.Type{o.p.parseType()}
	for o.p.accept(",") {
		list = append(list, o.p.parseType())
	}
	return list
}

// ParseColonTypeList reads ": type, type".
func (o *OpParser) ParseColonTypeList() []ir.Type {
	o.p.expect(":")
	return o.ParseTypeList()
}

// ParseFunctionType reads "(types) -> types".
func (o *OpParser) ParseFunctionType() *ir.FunctionType { return o.p.functionType() }

// ParseArrowTypes reads "-> type" or "-> (types)".
func (o *OpParser) ParseArrowTypes() []ir.Type {
	o.p.expect("->")
	return o.p.resultTypes()
}

// ParseOptionalArrowTypes reads "-> types" if an arrow comes next.
func (o *OpParser) ParseOptionalArrowTypes() []ir.Type {
	if !o.p.is("->") {
		return nil
	}
	return o.ParseArrowTypes()
}

// ParseAttribute reads an attribute. Where want is not nil, a number or dense
// elements have that type and take no ": type".
func (o *OpParser) ParseAttribute(want ir.Type) ir.Attr { return o.p.parseAttr(want) }

// ParseAttrDict reads "{name = value, …}" into the state's attributes.
func (o *OpParser) ParseAttrDict(st *OpState) { o.p.dictInto(&st.Attrs) }

// ParseOptionalAttrDict reads "{…}" into the state's attributes if '{' comes
// next.
func (o *OpParser) ParseOptionalAttrDict(st *OpState) {
	if o.p.is("{") {
		o.p.dictInto(&st.Attrs)
	}
}

// ParseOptionalAttrDictWithKeyword reads "attributes {…}" if the word comes
// next.
func (o *OpParser) ParseOptionalAttrDictWithKeyword(st *OpState) {
	if o.p.acceptWord("attributes") {
		o.p.dictInto(&st.Attrs)
	}
}

// ParseOptionalDict reads "{…}" if '{' comes next.
func (o *OpParser) ParseOptionalDict() ir.NamedAttrs {
	var as ir.NamedAttrs
	if o.p.is("{") {
		o.p.dictInto(&as)
	}
	return as
}

// ParseOperand reads "%name" or "%name#number".
func (o *OpParser) ParseOperand() UnresolvedOperand {
	u, ok := o.ParseOptionalOperand()
	if !ok {
		o.p.expected("an operand")
	}
	return u
}

// ParseOptionalOperand reads an operand if one comes next.
func (o *OpParser) ParseOptionalOperand() (UnresolvedOperand, bool) {
	p := o.p
	if p.tok.kind != tPercent {
		return UnresolvedOperand{}, false
	}
	u := UnresolvedOperand{Name: p.tok.text[1:], Pos: p.pos()}
	p.advance()
	if p.tok.kind == tHash && isNumber(p.tok.text[1:]) {
		n, err := strconv.Atoi(p.tok.text[1:])
		if err != nil {
			p.fail(p.pos(), "the result number %s is out of range", p.tok.text)
		}
		u.Number = n
		p.advance()
	}
	return u, true
}

// ParseOperandList reads operands separated by commas, perhaps none.
func (o *OpParser) ParseOperandList() []UnresolvedOperand {
	u, ok := o.ParseOptionalOperand()
	if !ok {
		return nil
	}
	list := []UnresolvedOperand{u}
	for o.p.accept(",") {
		list = append(list, o.ParseOperand())
	}
	return list
}

// ParseOperandsIn reads a list of operands between the two punctuations, for
// example "(" and ")".
func (o *OpParser) ParseOperandsIn(open, close string) []UnresolvedOperand {
	o.p.expect(open)
	var list []UnresolvedOperand
	for !o.p.is(close) {
		if list != nil {
			o.p.separator(close)
		}
		list = append(list, o.ParseOperand())
	}
	o.p.advance()
	return list
}

// ResolveOperands resolves operands against as many types and appends them to
// the state. Another number of types is an error at pos.
func (o *OpParser) ResolveOperands(st *OpState, us []UnresolvedOperand, ts []ir.Type, pos diag.Pos) {
	if len(us) != len(ts) {
		o.p.fail(pos, "'%s' has %s but %s", o.name, diag.Plural(len(us), "operand"), diag.Plural(len(ts), "type"))
	}
	for i, u := range us {
		st.Operands = append(st.Operands, o.p.resolve(u, ts[i]))
	}
}

// ResolveAll resolves operands that all have type t and appends them to the
// state.
func (o *OpParser) ResolveAll(st *OpState, t ir.Type, us ...UnresolvedOperand) {
	for _, u := range us {
		st.Operands = append(st.Operands, o.p.resolve(u, t))
	}
}

// ParseOptionalArgument reads "%name" with ": type" where typed is set and
// attributes where attrs is set, if an argument comes next.
func (o *OpParser) ParseOptionalArgument(typed, attrs bool) (Argument, bool) {
	if o.p.tok.kind != tPercent {
		return Argument{}, false
	}
	return o.p.argument(typed, attrs), true
}

// ParseArgument reads a region argument.
func (o *OpParser) ParseArgument(typed, attrs bool) Argument { return o.p.argument(typed, attrs) }

// ParseArgumentList reads "(%a: type, …)", perhaps empty.
func (o *OpParser) ParseArgumentList(typed, attrs bool) []Argument {
	o.p.expect("(")
	var list []Argument
	for !o.p.is(")") {
		if list != nil {
			o.p.separator(")")
		}
		list = append(list, o.p.argument(typed, attrs))
	}
	o.p.advance()
	return list
}

// ParseAssignments reads "(%arg = %operand, …)": region arguments and the
// operands they start with.
func (o *OpParser) ParseAssignments() ([]Argument, []UnresolvedOperand) {
	o.p.expect("(")
	var args []Argument
	var operands []UnresolvedOperand
	for !o.p.is(")") {
		if args != nil {
			o.p.separator(")")
		}
		args = append(args, o.p.argument(false, false))
		o.p.expect("=")
		operands = append(operands, o.ParseOperand())
	}
	o.p.advance()
	return args, operands
}

// RegionOptions describes how ParseRegion reads a region.
type RegionOptions struct {
	// Args become the arguments of the entry block.
	Args []Argument
	// Entry makes an entry block that takes Args and has no label in the text,
	// even when Args is empty. It is implied by any Args.
	Entry bool
	// Terminator, if set, is the name of an operation without operands that is
	// added to every block that has no terminator in the text.
	Terminator string
}

// ParseRegion reads "{ … }" and appends the region to the state. Whether names
// from outside are visible follows from the operation's IsolatedFromAbove trait.
func (o *OpParser) ParseRegion(st *OpState, opt RegionOptions) *ir.Region {
	r := &ir.Region{}
	isolated := false
	if def := ir.Lookup(o.name); def != nil {
		isolated = def.Has(ir.IsolatedFromAbove)
	}
	open := o.p.pos()
	o.p.region(r, opt.Args, opt.Entry || len(opt.Args) > 0, isolated, defaultDialect(o.name))
	if opt.Terminator != "" {
		if len(r.Blocks) == 0 {
			r.AddBlock()
		}
		for _, b := range r.Blocks {
			t := b.Terminator()
			// An unknown last operation may be a terminator; the verifier
			// reports it as unknown.
			if t == nil || t.Def() != nil && !t.Is(ir.Terminator) {
				b.Append(ir.NewOp(opt.Terminator, open, nil, nil))
			}
		}
	}
	st.Regions = append(st.Regions, r)
	return r
}

// PeekRegion reports whether a region could start here.
func (o *OpParser) PeekRegion() bool { return o.p.is("{") }

// AddEmptyRegion appends a region without blocks to the state.
func (o *OpParser) AddEmptyRegion(st *OpState) { st.Regions = append(st.Regions, &ir.Region{}) }

// ParseSuccessor reads "^label" or "^label(%a, %b : type, type)" and appends
// the successor and its operands to the state.
func (o *OpParser) ParseSuccessor(st *OpState) {
	s := ir.Successor{Block: o.p.successor(), First: len(st.Operands)}
	if o.p.accept("(") {
		pos := o.p.pos()
		us := o.ParseOperandList()
		s.Count = len(us)
		if len(us) > 0 {
			o.ResolveOperands(st, us, o.ParseColonTypeList(), pos)
		}
		o.p.expect(")")
	}
	st.Succs = append(st.Succs, s)
}

// ParseOptionalLoc reads loc(…) if it comes next and returns its text.
func (o *OpParser) ParseOptionalLoc() string {
	if o.p.isWord("loc") && o.p.peek().text == "(" {
		return o.p.parseLoc()
	}
	return ""
}
