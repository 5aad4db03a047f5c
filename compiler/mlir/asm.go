package mlir

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Asm is the custom assembly of one operation.
type Asm struct {
	// Parse reads what follows the operation's name and fills the state; see
	// the package documentation for how errors work. Nil: the operation is read
	// only in the generic form.
	Parse func(p *OpParser, st *OpState)
	// Print writes what follows the operation's name. It is only called when
	// the operation's own verifier accepts it, else the generic form is
	// printed. Nil: always the generic form.
	Print func(p *OpPrinter, op *ir.Operation)
	// Normalize, if set, is called on every operation that has been read, in
	// either form, before anything is checked: it drops attributes that have
	// their default value and fills in what the generic form leaves implicit,
	// so that both forms yield the same operation.
	Normalize func(op *ir.Operation)
	// DefaultDialect may be left out of the names of operations directly
	// inside the operation's regions, and is when printing.
	DefaultDialect string
}

var asms = map[string]*Asm{}

// RegisterAsm sets the custom assembly of an operation. It is called from init
// functions; a second registration is a programming error.
func RegisterAsm(opName string, a Asm) {
	if asms[opName] != nil {
		panic("mlir: assembly registered twice: " + opName)
	}
	asms[opName] = &a
}

// defaultDialect is the dialect that may be left out inside of op.
func defaultDialect(opName string) string {
	if a := asms[opName]; a != nil {
		return a.DefaultDialect
	}
	return ""
}

// OpState is what a parse function fills in. The operation is made from it.
type OpState struct {
	Name     string
	Pos      diag.Pos
	Operands []*ir.Value
	Types    []ir.Type // of the results
	Attrs    ir.NamedAttrs
	Regions  []*ir.Region
	Succs    []ir.Successor
	// NumResultNames is how many results the text binds, 0 for none.
	NumResultNames int
}

// Set adds or replaces an attribute.
func (st *OpState) Set(name string, a ir.Attr) { st.Attrs.Set(name, a) }

// UnresolvedOperand is "%name" or "%name#number", its type not known yet.
type UnresolvedOperand struct {
	Name   string // without '%'
	Number int
	Pos    diag.Pos
}

// Argument is a region argument in the text of an operation.
type Argument struct {
	Name  string // without '%'; "" is an argument the text does not name
	Type  ir.Type
	Attrs ir.NamedAttrs
	Pos   diag.Pos
}
