package ir

import (
	"slices"
	"sort"
	"strings"

	"loom/compiler/diag"
)

// Trait is a property of an operation that more than one stage depends on.
type Trait uint32

// The traits.
const (
	// Pure operations have no side effect and may be removed when unused.
	Pure Trait = 1 << iota
	// Terminator operations end their block.
	Terminator
	// Commutative operations may swap their two operands.
	Commutative
	// IsolatedFromAbove regions use no value defined outside.
	IsolatedFromAbove
	// GraphRegion bodies may use values before their definition.
	GraphRegion
	// ConstantLike operations produce a compile-time constant.
	ConstantLike
	// SymbolTable operations open a scope of symbol names.
	SymbolTable
	// NoTerminator bodies need no terminating operation.
	NoTerminator
	// SingleBlock regions hold exactly one block.
	SingleBlock
	// SameOperandsAndResult operations have one type for all values.
	SameOperandsAndResult
)

// OpDef describes one operation: its name, its meaning for the reader of the
// generated operation reference, its traits and its verifier.
type OpDef struct {
	Name    string
	Summary string
	Traits  Trait
	// Reads states, for each operand of an integer operation, how it may be extended so
	// that the operation on wider numbers has the result in its low bits; nil where
	// there is no such rule.
	Reads []Extension
	// Identity is the constant that, on the right, makes the result equal to the left
	// operand; on the left as well if the operation is commutative.
	Identity *int64
	// Twin is the operation of another dialect that computes the same from the same
	// operands, "" for none; it may spell its attributes differently.
	Twin string
	// Verify checks one operation and adds what is wrong to the list. Operand
	// and result definitions have been checked for existence before.
	Verify func(op *Operation, errs *diag.List)
}

// Extension is how an operand may be extended to a wider type.
type Extension int

// The extensions.
const (
	AnyBits Extension = iota // the bits above do not reach the low bits of the result
	Zeros
	Signs
)

// LowBits reports whether the low bits of the result depend on the same low bits of
// the operands alone.
func (d *OpDef) LowBits() bool {
	return d != nil && d.Reads != nil && !slices.ContainsFunc(d.Reads, func(e Extension) bool { return e != AnyBits })
}

// Has reports whether the operation has all of the traits.
func (d *OpDef) Has(t Trait) bool { return d != nil && d.Traits&t == t }

var registry = map[string]*OpDef{}
var dialects = map[string]bool{}

// Register adds an operation; a second registration is a programming error.
func Register(d *OpDef) {
	if registry[d.Name] != nil {
		panic("ir: operation registered twice: " + d.Name)
	}
	registry[d.Name] = d
	dialects[d.Name[:strings.IndexByte(d.Name, '.')]] = true
}

// Lookup returns the definition of an operation or nil.
func Lookup(name string) *OpDef { return registry[name] }

// KnownDialect reports whether any operation of that dialect is registered.
func KnownDialect(dialect string) bool { return dialects[dialect] }

// Def returns op's definition or nil.
func (op *Operation) Def() *OpDef { return registry[op.Name] }

// Is reports whether op has all of the traits.
func (op *Operation) Is(t Trait) bool { return registry[op.Name].Has(t) }

// Dialect returns the part of the name before the first dot.
func (op *Operation) Dialect() string {
	if i := strings.IndexByte(op.Name, '.'); i >= 0 {
		return op.Name[:i]
	}
	return ""
}

// Definitions returns every registered operation by name.
func Definitions() []*OpDef {
	out := make([]*OpDef, 0, len(registry))
	for _, d := range registry {
		out = append(out, d)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name < out[j].Name })
	return out
}

// Verify checks op and everything inside it: structure (terminators, dominance,
// isolation, unique symbols) and each operation's own rules. Unregistered
// operations are errors. A fault of one operation does not hide another's.
func Verify(op *Operation, errs *diag.List) {
	verifyOp(op, errs)
}

func verifyOp(op *Operation, errs *diag.List) {
	def := op.Def()
	before := len(errs.All)
	if def == nil {
		d := errs.Errorf(op.Pos, "unknown operation '%s'", op.Name)
		if !KnownDialect(op.Dialect()) {
			d.WithHelp("dialect '%s' is not supported; LOOM reads %s", op.Dialect(), strings.Join(DialectNames(), ", "))
		} else {
			d.WithHelp("the dialect is supported, this operation is not; see the operation reference in the documentation")
		}
	}
	for i, v := range op.Operands() {
		if v == nil {
			errs.Errorf(op.Pos, "'%s' operand #%d is unconnected", op.Name, i)
		}
	}
	if len(errs.All) == before && def != nil && def.Verify != nil {
		def.Verify(op, errs)
	}
	if def.Has(SymbolTable) {
		verifySymbols(op, errs)
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			if def != nil && !def.Has(NoTerminator) {
				t := b.Terminator()
				if t == nil || t.Def() != nil && !t.Is(Terminator) {
					errs.Errorf(op.Pos, "a block of '%s' does not end in a terminator", op.Name)
				}
			}
			for i, o := range b.Ops {
				if o.Is(Terminator) && i != len(b.Ops)-1 {
					errs.Errorf(o.Pos, "'%s' must be the last operation of its block", o.Name)
				}
				verifyOp(o, errs)
			}
		}
		verifyDominance(op, r, errs)
	}
}

// DialectNames returns the registered dialects in order.
func DialectNames() []string {
	var out []string
	for d := range dialects {
		out = append(out, d)
	}
	sort.Strings(out)
	return out
}

func verifySymbols(op *Operation, errs *diag.List) {
	seen := map[string]*Operation{}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				name := o.SymName()
				if name == "" {
					continue
				}
				if first := seen[name]; first != nil {
					errs.Errorf(o.Pos, "symbol %s is defined twice", SymbolText(name)).
						WithNote(first.Pos, "first defined here")
					continue
				}
				seen[name] = o
			}
		}
	}
}

// VerifyDominance checks that the operands of everything inside op are visible where
// they stand, also where operations are not registered.
func VerifyDominance(op *Operation, errs *diag.List) {
	for _, r := range op.Regions {
		verifyDominance(op, r, errs)
	}
}

// verifyDominance checks that operands are visible: defined earlier in the same
// block, in an enclosing one, or (in multi-block regions) in a dominating block.
func verifyDominance(owner *Operation, r *Region, errs *diag.List) {
	if owner.Is(GraphRegion) || len(r.Blocks) == 0 {
		return
	}
	var dom *Dominance
	if len(r.Blocks) > 1 {
		dom = Dominators(r)
	}
	for _, b := range r.Blocks {
		seen := map[*Operation]bool{}
		for _, o := range b.Ops {
			o.Walk(func(inner *Operation) bool {
				for i, v := range inner.Operands() {
					if v == nil || v.Def == nil || v.Def.block != b {
						if v != nil && dom != nil {
							vb := v.Block
							if v.Def != nil {
								vb = v.Def.block
							}
							if vb != nil && vb.Parent == r && vb != b && !dom.Dominates(vb, b) {
								errs.Errorf(inner.Pos, "operand #%d of '%s' is not defined on every path to it", i, inner.Name)
							}
						}
						continue
					}
					if !seen[v.Def] && !(v.Def == o && inner != o && owner.Is(GraphRegion)) {
						errs.Errorf(inner.Pos, "operand #%d of '%s' is used before its definition", i, inner.Name).
							WithNote(v.Def.Pos, "defined here")
					}
				}
				return !inner.Is(IsolatedFromAbove) || inner == o
			})
			seen[o] = true
		}
	}
}

// LookupSymbol finds the operation that defines name in the nearest symbol
// table at or above from, nil when there is none.
func LookupSymbol(from *Operation, name string) *Operation {
	for o := from; o != nil; o = o.ParentOp() {
		if !o.Is(SymbolTable) {
			continue
		}
		for _, r := range o.Regions {
			for _, b := range r.Blocks {
				for _, c := range b.Ops {
					if c.SymName() == name {
						return c
					}
				}
			}
		}
	}
	return nil
}
