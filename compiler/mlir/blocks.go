package mlir

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// blockScope holds the labels of one region.
type blockScope struct {
	blocks map[string]*labelled
	order  []*labelled
}

// labelled is a block by its label, perhaps named before it is defined.
type labelled struct {
	block   *ir.Block
	label   string
	pos     diag.Pos
	defined bool
}

func (s *blockScope) get(label string, pos diag.Pos) *labelled {
	if b := s.blocks[label]; b != nil {
		return b
	}
	if s.blocks == nil {
		s.blocks = map[string]*labelled{}
	}
	b := &labelled{block: &ir.Block{Label: label}, label: label, pos: pos}
	s.blocks[label] = b
	s.order = append(s.order, b)
	return b
}

// successor reads ^label.
func (p *parser) successor() *ir.Block {
	if p.tok.kind != tCaret {
		p.expected("a block label")
	}
	b := p.blocks.get(p.tok.text[1:], p.pos())
	p.advance()
	return b.block
}

// region reads { blocks } into r. The entry block gets args when named is set;
// then it has no label of its own. defaultDialect may be left out of operation
// names inside.
func (p *parser) region(r *ir.Region, args []Argument, named, isolated bool, defaultDialect string) {
	if !p.is("{") {
		p.expected("'{'")
	}
	p.enter()
	open := p.pos()
	p.advance()
	outerBlocks, outerDialect := p.blocks, p.dialect
	p.blocks, p.dialect = &blockScope{}, defaultDialect
	if isolated {
		p.scope = newScope(p.scope)
	} else {
		p.scope.push()
	}

	// The scope stays on the stack while the body is read; parseOp's recovery
	// restores it when an error unwinds through here.
	p.body(r, args, named)
	if !p.is("}") {
		p.errorf(p.pos(), "expected '}', found %s", p.tok.describe()).WithNote(open, "the region starts here")
		panic(bailout{})
	}
	if isolated {
		p.leaveScope()
	} else {
		p.scope.pop()
	}
	for _, b := range p.blocks.order {
		if !b.defined {
			p.errorf(b.pos, "reference to undefined block '^%s'", b.label)
		}
	}
	p.blocks, p.dialect = outerBlocks, outerDialect
	p.advance()
	p.depth--
}

func (p *parser) body(r *ir.Region, args []Argument, named bool) {
	var block *ir.Block
	if named {
		if p.tok.kind == tCaret {
			p.fail(p.pos(), "the first block of this region takes its arguments from the operation and has no label")
		}
		block = &ir.Block{Parent: r}
		r.Blocks = append(r.Blocks, block)
		for _, a := range args {
			p.defineArg(block, a)
		}
	}
	for p.tok.kind != tEOF && !p.is("}") {
		if p.tok.kind == tCaret {
			block = p.labelledBlock(r)
			continue
		}
		if block == nil {
			block = &ir.Block{Parent: r}
			r.Blocks = append(r.Blocks, block)
		}
		p.parseOp(block)
	}
}

func (p *parser) defineArg(b *ir.Block, a Argument) {
	name := a.Name
	if isNumber(name) {
		name = ""
	}
	b.AddArg(a.Type, name, a.Pos)
	if a.Name != "" {
		p.define(a.Name, b.Args[len(b.Args)-1:], a.Pos)
	}
}

// labelledBlock reads "^label(%a: type, …):".
func (p *parser) labelledBlock(r *ir.Region) *ir.Block {
	pos := p.pos()
	b := p.blocks.get(p.tok.text[1:], pos)
	if b.defined {
		p.errorf(pos, "redefinition of block '^%s'", b.label).WithNote(b.pos, "first defined here")
		b = &labelled{block: &ir.Block{}}
	}
	b.defined, b.pos = true, pos
	b.block.Parent = r
	r.Blocks = append(r.Blocks, b.block)
	p.advance()
	if p.accept("(") {
		for !p.is(")") {
			if len(b.block.Args) > 0 {
				p.separator(")")
			}
			a := p.argument(true, false)
			p.defineArg(b.block, a)
		}
		p.advance()
	}
	p.expect(":")
	return b.block
}

// argument reads "%name: type {attrs} loc(…)"; the type is left out where
// typed is false, the attributes are allowed where attrs is true.
func (p *parser) argument(typed, attrs bool) Argument {
	if p.tok.kind != tPercent {
		p.expected("an argument name")
	}
	a := Argument{Name: p.tok.text[1:], Pos: p.pos()}
	p.advance()
	if typed {
		p.expect(":")
		a.Type = p.parseType()
	}
	if attrs && p.is("{") {
		p.dictInto(&a.Attrs)
	}
	if p.isWord("loc") && p.peek().text == "(" {
		p.parseLoc()
	}
	return a
}
