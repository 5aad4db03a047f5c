package mlir

import (
	"fmt"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Options chooses what is printed and how.
type Options struct {
	// Generic prints every operation as "name"(…) : (…) -> (…), which any tool
	// reads that knows the dialects.
	Generic bool
	// Debuginfo prints the locations of operations that have one.
	Debuginfo bool
}

// Print writes op and everything inside it. The text ends with a newline.
// Operations that their own verifier rejects are printed in the generic form,
// so Print is safe on any IR.
func Print(op *ir.Operation, opts Options) string {
	p := &OpPrinter{opts: opts, names: map[*ir.Value]string{}, labels: map[*ir.Block]string{}}
	// Operands are named by the isolated region around op.
	top := op.ParentOp()
	for top != nil && top.ParentOp() != nil && !top.Is(ir.IsolatedFromAbove) {
		top = top.ParentOp()
	}
	if top == nil {
		top = op
	}
	p.nameAll(top)
	if op.ParentOp() != nil {
		p.dialect = defaultDialect(op.ParentOp().Name)
	}
	p.op(op)
	p.buf = append(p.buf, '\n')
	return string(p.buf)
}

// OpPrinter writes operations. Print functions of operations use its methods;
// what it writes is the text the [OpParser] methods of the same name read.
type OpPrinter struct {
	opts    Options
	buf     []byte
	indent  int
	dialect string // may be left out of names
	names   map[*ir.Value]string
	labels  map[*ir.Block]string
	scratch diag.List
}

// Printf writes formatted text.
func (p *OpPrinter) Printf(format string, args ...any) { p.buf = fmt.Appendf(p.buf, format, args...) }

// Text writes text as it is.
func (p *OpPrinter) Text(s string) { p.buf = append(p.buf, s...) }

// Newline starts a new line with the current indentation.
func (p *OpPrinter) Newline() {
	p.buf = append(p.buf, '\n')
	for range p.indent {
		p.buf = append(p.buf, "  "...)
	}
}

// Indented runs f with one more level of indentation for Newline.
func (p *OpPrinter) Indented(f func()) {
	p.indent++
	f()
	p.indent--
}

// Operand writes %name or %name#number.
func (p *OpPrinter) Operand(v *ir.Value) {
	p.buf = append(p.buf, '%')
	if name, ok := p.names[v]; ok {
		p.buf = append(p.buf, name...)
		return
	}
	// Only in IR under construction: such text cannot be read back.
	p.buf = append(p.buf, "<undefined>"...)
}

// Operands writes operands separated by commas.
func (p *OpPrinter) Operands(vs []*ir.Value) {
	for i, v := range vs {
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.Operand(v)
	}
}

// Type writes a type.
func (p *OpPrinter) Type(t ir.Type) { p.buf = append(p.buf, t.String()...) }

// Types writes types separated by commas.
func (p *OpPrinter) Types(ts []ir.Type) {
	for i, t := range ts {
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.Type(t)
	}
}

// ValueTypes writes the types of values separated by commas.
func (p *OpPrinter) ValueTypes(vs []*ir.Value) {
	for i, v := range vs {
		if i > 0 {
			p.buf = append(p.buf, ", "...)
		}
		p.Type(v.Type)
	}
}

// ResultTypes writes one type, or a list in parentheses, as it stands behind
// an arrow.
func (p *OpPrinter) ResultTypes(ts []ir.Type) {
	if len(ts) == 1 {
		if _, isFunc := ts[0].(*ir.FunctionType); !isFunc {
			p.Type(ts[0])
			return
		}
	}
	p.Text("(")
	p.Types(ts)
	p.Text(")")
}

// OptionalArrowTypes writes " -> types" if there are any.
func (p *OpPrinter) OptionalArrowTypes(ts []ir.Type) {
	if len(ts) > 0 {
		p.Text(" -> ")
		p.ResultTypes(ts)
	}
}

// FunctionalType writes "(operand types) -> result types".
func (p *OpPrinter) FunctionalType(operands, results []*ir.Value) {
	p.Text("(")
	p.ValueTypes(operands)
	p.Text(") -> ")
	p.ResultTypes(typesOf(results))
}

func typesOf(vs []*ir.Value) []ir.Type {
	ts := make([]ir.Type, len(vs))
	for i, v := range vs {
		ts[i] = v.Type
	}
	return ts
}

// Attr writes an attribute.
func (p *OpPrinter) Attr(a ir.Attr) { p.Text(a.String()) }

// AttrWithoutType writes an attribute whose type the reader knows
// (ParseAttribute with a type).
func (p *OpPrinter) AttrWithoutType(a ir.Attr) {
	text := a.String()
	switch a := a.(type) {
	case *ir.IntegerAttr:
		text = strings.TrimSuffix(text, " : "+a.Type.String())
	case *ir.FloatAttr:
		text = strings.TrimSuffix(text, " : "+a.Type.String())
	case *ir.DenseElementsAttr:
		text = strings.TrimSuffix(text, " : "+a.Type.String())
	}
	p.Text(text)
}

// Symbol writes @name.
func (p *OpPrinter) Symbol(name string) { p.Text(ir.SymbolText(name)) }

// String writes a quoted string.
func (p *OpPrinter) String(s string) { p.Text(ir.QuoteString(s)) }

// AttrDict writes " {…}" with the attributes that are not elided, nothing when
// none are left.
func (p *OpPrinter) AttrDict(as ir.NamedAttrs, elided ...string) {
	if left := without(as, elided); len(left) > 0 {
		p.Text(" ")
		p.Text(left.String())
	}
}

// AttrDictWithKeyword is AttrDict with " attributes" in front.
func (p *OpPrinter) AttrDictWithKeyword(as ir.NamedAttrs, elided ...string) {
	if left := without(as, elided); len(left) > 0 {
		p.Text(" attributes ")
		p.Text(left.String())
	}
}

func without(as ir.NamedAttrs, elided []string) ir.NamedAttrs {
	left := make(ir.NamedAttrs, 0, len(as))
next:
	for _, a := range as {
		for _, e := range elided {
			if a.Name == e {
				continue next
			}
		}
		left = append(left, a)
	}
	return left
}

// Argument writes "%name: type" for a block argument.
func (p *OpPrinter) Argument(v *ir.Value) {
	p.Operand(v)
	p.Text(": ")
	p.Type(v.Type)
}

// Arguments writes arguments separated by commas.
func (p *OpPrinter) Arguments(vs []*ir.Value) {
	for i, v := range vs {
		if i > 0 {
			p.Text(", ")
		}
		p.Argument(v)
	}
}

// Assignments writes "(%arg = %operand, …)".
func (p *OpPrinter) Assignments(args, operands []*ir.Value) {
	p.Text("(")
	for i, a := range args {
		if i > 0 {
			p.Text(", ")
		}
		p.Operand(a)
		p.Text(" = ")
		p.Operand(operands[i])
	}
	p.Text(")")
}

// Successor writes "^label" or "^label(%a : type)".
func (p *OpPrinter) Successor(op *ir.Operation, i int) {
	s := op.Succs[i]
	p.Text("^" + p.labels[s.Block])
	if s.Count > 0 {
		vs := op.Operands()[s.First : s.First+s.Count]
		p.Text("(")
		p.Operands(vs)
		p.Text(" : ")
		p.ValueTypes(vs)
		p.Text(")")
	}
}

// PrintRegionOptions describes how Region writes a region.
type PrintRegionOptions struct {
	// Entry leaves out the label and arguments of the first block: the
	// operation's own text has them (RegionOptions.Entry when reading).
	Entry bool
	// ElideTerminator leaves out a terminator of that name that has neither
	// operands nor attributes (RegionOptions.Terminator when reading).
	ElideTerminator string
}

// Region writes "{ … }".
func (p *OpPrinter) Region(r *ir.Region, opt PrintRegionOptions) {
	outer := p.dialect
	p.dialect = ""
	if r.Parent != nil {
		p.dialect = defaultDialect(r.Parent.Name)
	}
	p.Text("{")
	p.indent++
	for i, b := range r.Blocks {
		// An empty block must show as a block where the reader makes none up.
		if !(i == 0 && (opt.Entry || len(b.Args) == 0 && !p.targeted(r, b) && (len(b.Ops) > 0 || opt.ElideTerminator != ""))) {
			p.indent--
			p.Newline()
			p.Text("^" + p.labels[b])
			if len(b.Args) > 0 {
				p.Text("(")
				p.Arguments(b.Args)
				p.Text(")")
			}
			p.Text(":")
			p.indent++
		}
		for j, o := range b.Ops {
			if j == len(b.Ops)-1 && o.Name == opt.ElideTerminator && p.elidable(o) {
				continue
			}
			p.Newline()
			p.op(o)
		}
	}
	p.indent--
	p.Newline()
	p.Text("}")
	p.dialect = outer
}

func (p *OpPrinter) elidable(o *ir.Operation) bool {
	return o.NumOperands() == 0 && o.NumResults() == 0 && len(o.Attrs) == 0 && !(p.opts.Debuginfo && o.Loc != "")
}

// targeted reports whether a branch in the region leads to b.
func (p *OpPrinter) targeted(r *ir.Region, b *ir.Block) bool {
	for _, other := range r.Blocks {
		if t := other.Terminator(); t != nil {
			for _, s := range t.Succs {
				if s.Block == b {
					return true
				}
			}
		}
	}
	return false
}

// op writes one operation without indentation or newline.
func (p *OpPrinter) op(op *ir.Operation) {
	if op.NumResults() > 0 {
		p.results(op)
	}
	a := asms[op.Name]
	if p.opts.Generic || a == nil || a.Print == nil || !p.sound(op) || !p.custom(a, op) {
		p.generic(op)
	}
	if p.opts.Debuginfo && op.Loc != "" {
		p.Text(" " + op.Loc)
	}
}

// results writes "%a, %b:2 = ".
func (p *OpPrinter) results(op *ir.Operation) {
	rs := op.Results()
	for i := 0; i < len(rs); {
		if i > 0 {
			p.Text(", ")
		}
		n := groupSize(rs[i:])
		name, _, _ := strings.Cut(p.names[rs[i]], "#")
		p.Text("%" + name)
		if n > 1 {
			p.Printf(":%d", n)
		}
		i += n
	}
	p.Text(" = ")
}

// sound reports whether the operation's own rules hold, so that its custom
// assembly represents it completely.
func (p *OpPrinter) sound(op *ir.Operation) bool {
	for _, v := range op.Operands() {
		if v == nil {
			return false
		}
	}
	def := op.Def()
	if def == nil || def.Verify == nil {
		return def != nil
	}
	p.scratch.All = p.scratch.All[:0]
	def.Verify(op, &p.scratch)
	return !p.scratch.HasErrors()
}

// custom writes the operation's own assembly; false if its print function
// cannot cope with it.
func (p *OpPrinter) custom(a *Asm, op *ir.Operation) (ok bool) {
	length, indent, dialect := len(p.buf), p.indent, p.dialect
	defer func() {
		if recover() != nil {
			p.buf, p.indent, p.dialect = p.buf[:length], indent, dialect
			ok = false
		}
	}()
	name := op.Name
	if p.dialect != "" && strings.HasPrefix(name, p.dialect+".") {
		if short := name[len(p.dialect)+1:]; !strings.Contains(short, ".") {
			name = short
		}
	}
	if op.Name == opname.BuiltinModule {
		name = "module"
	}
	p.Text(name)
	a.Print(p, op)
	return true
}

// generic writes the form every reader knows.
func (p *OpPrinter) generic(op *ir.Operation) {
	p.String(op.Name)
	p.Text("(")
	for i, v := range op.Operands() {
		if i > 0 {
			p.Text(", ")
		}
		p.Operand(v)
	}
	p.Text(")")
	if len(op.Succs) > 0 {
		p.Text("[")
		for i, s := range op.Succs {
			if i > 0 {
				p.Text(", ")
			}
			p.Text("^" + p.labels[s.Block])
		}
		p.Text("]")
	}
	if len(op.Regions) > 0 {
		p.Text(" (")
		for i, r := range op.Regions {
			if i > 0 {
				p.Text(", ")
			}
			p.Region(r, PrintRegionOptions{})
		}
		p.Text(")")
	}
	if len(op.Attrs) > 0 {
		p.Text(" " + op.Attrs.String())
	}
	p.Text(" : (")
	for i, v := range op.Operands() {
		if i > 0 {
			p.Text(", ")
		}
		if v == nil {
			p.Text("<undefined>")
		} else {
			p.Type(v.Type)
		}
	}
	p.Text(") -> ")
	p.ResultTypes(typesOf(op.Results()))
}
