// Package ir holds LOOM's intermediate representation: MLIR's operations,
// values, blocks, regions, types and attributes as plain Go data, with use
// lists that are kept up to date by the methods that change operands. It is
// independent of dialects: the operation registry (registry.go) is filled by the
// packages below compiler/dialect. Package mlir reads and prints text.
package ir

import (
	"fmt"

	"loom/compiler/diag"
)

// Value is an SSA value: a result of an operation or an argument of a block.
type Value struct {
	Type Type
	// Name is the identifier without '%' the text used, or a hint; "" lets the
	// printer number the value.
	Name  string
	Def   *Operation // nil for a block argument
	Block *Block     // the owner of a block argument, else nil
	Index int        // position among the results or arguments
	Loc   diag.Pos   // of a block argument; results use their operation's
	uses  []Use
}

// Use is one operand slot that reads a value.
type Use struct {
	Op    *Operation
	Index int
}

// Uses returns the operand slots that read v, in no promised order. The slice
// is v's own: do not keep it across changes.
func (v *Value) Uses() []Use { return v.uses }

// HasUses reports whether anything reads v.
func (v *Value) HasUses() bool { return len(v.uses) > 0 }

// Pos is where v is defined.
func (v *Value) Pos() diag.Pos {
	if v.Def != nil {
		return v.Def.Pos
	}
	return v.Loc
}

// ReplaceAllUsesWith makes every user of v read w instead.
func (v *Value) ReplaceAllUsesWith(w *Value) {
	if v == w {
		return
	}
	for _, u := range v.uses {
		u.Op.operands[u.Index] = w
	}
	w.uses = append(w.uses, v.uses...)
	v.uses = nil
}

func (v *Value) dropUse(op *Operation, index int) {
	for i, u := range v.uses {
		if u.Op == op && u.Index == index {
			v.uses[i] = v.uses[len(v.uses)-1]
			v.uses = v.uses[:len(v.uses)-1]
			return
		}
	}
}

// Operation is one MLIR operation. Inherent and discardable attributes share
// Attrs, as in MLIR's generic form before properties.
type Operation struct {
	Name     string // dialect.mnemonic
	operands []*Value
	results  []*Value
	Attrs    NamedAttrs
	Regions  []*Region
	// Succs are successor blocks with their forwarded operands (cf.br).
	Succs []Successor
	// Pos is where the operation stands in its source text.
	Pos diag.Pos
	// Loc is the operation's loc(…) attribute as text, "" where it had none.
	Loc   string
	block *Block
}

// Successor is a branch target. Its operands are the Count operands of the
// operation that start at First.
type Successor struct {
	Block        *Block
	First, Count int
}

// Passed are the values that successor i receives.
func (op *Operation) Passed(i int) []*Value {
	s := op.Succs[i]
	return op.operands[s.First : s.First+s.Count]
}

// Edge is a branch to a block: a terminator and the number of its successor.
type Edge struct {
	From *Operation
	Succ int
}

// Passed are the values that the block receives.
func (e Edge) Passed() []*Value { return e.From.Passed(e.Succ) }

// Edges are the branches to every block from the terminators of blocks, in order.
func Edges(blocks []*Block) map[*Block][]Edge {
	out := map[*Block][]Edge{}
	for _, b := range blocks {
		if t := b.Terminator(); t != nil {
			for i, s := range t.Succs {
				out[s.Block] = append(out[s.Block], Edge{t, i})
			}
		}
	}
	return out
}

// Region is a list of blocks inside an operation.
type Region struct {
	Blocks []*Block
	Parent *Operation
}

// Block is a list of operations with arguments.
type Block struct {
	Label  string // without '^'
	Args   []*Value
	Ops    []*Operation
	Parent *Region
}

// NewOp makes a detached operation with fresh results of the given types.
func NewOp(name string, pos diag.Pos, operands []*Value, resultTypes []Type) *Operation {
	op := &Operation{Name: name, Pos: pos}
	op.SetOperands(operands)
	for i, t := range resultTypes {
		op.results = append(op.results, &Value{Type: t, Def: op, Index: i})
	}
	return op
}

// Operands returns the operand values; the slice is op's own.
func (op *Operation) Operands() []*Value { return op.operands }

// Operand returns operand i.
func (op *Operation) Operand(i int) *Value { return op.operands[i] }

// NumOperands is how many operands op has.
func (op *Operation) NumOperands() int { return len(op.operands) }

// Results returns the result values; the slice is op's own.
func (op *Operation) Results() []*Value { return op.results }

// Result returns result i.
func (op *Operation) Result(i int) *Value { return op.results[i] }

// NumResults is how many results op has.
func (op *Operation) NumResults() int { return len(op.results) }

// AddResult appends a result of type t.
func (op *Operation) AddResult(t Type) *Value {
	v := &Value{Type: t, Def: op, Index: len(op.results)}
	op.results = append(op.results, v)
	return v
}

// SetOperand replaces operand i.
func (op *Operation) SetOperand(i int, v *Value) {
	if old := op.operands[i]; old != nil {
		old.dropUse(op, i)
	}
	op.operands[i] = v
	if v != nil {
		v.uses = append(v.uses, Use{op, i})
	}
}

// SetOperands replaces all operands. A nil value is a slot to be filled later.
func (op *Operation) SetOperands(vs []*Value) {
	for i, old := range op.operands {
		if old != nil {
			old.dropUse(op, i)
		}
	}
	op.operands = append([]*Value(nil), vs...)
	for i, v := range op.operands {
		if v != nil {
			v.uses = append(v.uses, Use{op, i})
		}
	}
}

// AddOperand appends an operand.
func (op *Operation) AddOperand(v *Value) {
	op.operands = append(op.operands, v)
	if v != nil {
		v.uses = append(v.uses, Use{op, len(op.operands) - 1})
	}
}

// Block returns the block that holds op, nil when detached.
func (op *Operation) Block() *Block { return op.block }

// ParentOp returns the operation around op, nil at the top.
func (op *Operation) ParentOp() *Operation {
	if op.block == nil || op.block.Parent == nil {
		return nil
	}
	return op.block.Parent.Parent
}

// Erase takes op out of its block and drops its operands and everything inside
// it. Its results must be unused.
func (op *Operation) Erase() {
	for _, r := range op.results {
		if r.HasUses() {
			panic(fmt.Sprintf("ir: erasing %s at %s whose result %d is still used", op.Name, op.Pos, r.Index))
		}
	}
	op.dropAll()
	op.Unlink()
}

func (op *Operation) dropAll() {
	op.SetOperands(nil)
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				o.dropAll()
			}
		}
	}
}

// Unlink takes op out of its block, keeping it whole.
func (op *Operation) Unlink() {
	if op.block == nil {
		return
	}
	ops := op.block.Ops
	for i, o := range ops {
		if o == op {
			op.block.Ops = append(ops[:i], ops[i+1:]...)
			break
		}
	}
	op.block = nil
}

// AddRegion appends an empty region.
func (op *Operation) AddRegion() *Region {
	r := &Region{Parent: op}
	op.Regions = append(op.Regions, r)
	return r
}

// AddBlock appends an empty block.
func (r *Region) AddBlock() *Block {
	b := &Block{Parent: r}
	r.Blocks = append(r.Blocks, b)
	return b
}

// Entry returns the first block, nil for an empty region.
func (r *Region) Entry() *Block {
	if len(r.Blocks) == 0 {
		return nil
	}
	return r.Blocks[0]
}

// AddArg appends a block argument.
func (b *Block) AddArg(t Type, name string, pos diag.Pos) *Value {
	v := &Value{Type: t, Name: name, Block: b, Index: len(b.Args), Loc: pos}
	b.Args = append(b.Args, v)
	return v
}

// Append adds a detached operation at the end and returns it.
func (b *Block) Append(op *Operation) *Operation {
	op.block = b
	b.Ops = append(b.Ops, op)
	return op
}

// InsertBefore puts a detached operation in front of ref, which is in b.
func (b *Block) InsertBefore(ref, op *Operation) *Operation {
	for i, o := range b.Ops {
		if o == ref {
			b.Ops = append(b.Ops, nil)
			copy(b.Ops[i+1:], b.Ops[i:])
			b.Ops[i] = op
			op.block = b
			return op
		}
	}
	panic("ir: InsertBefore: reference operation is not in the block")
}

// Terminator returns the last operation, nil for an empty block.
func (b *Block) Terminator() *Operation {
	if len(b.Ops) == 0 {
		return nil
	}
	return b.Ops[len(b.Ops)-1]
}

// ParentOp returns the operation around b, nil when detached.
func (b *Block) ParentOp() *Operation {
	if b.Parent == nil {
		return nil
	}
	return b.Parent.Parent
}

// Walk calls f for op and everything inside it, outer before inner, in order.
// f returning false skips what is inside.
func (op *Operation) Walk(f func(*Operation) bool) {
	if !f(op) {
		return
	}
	for _, r := range op.Regions {
		for _, b := range r.Blocks {
			for _, o := range append([]*Operation(nil), b.Ops...) {
				o.Walk(f)
			}
		}
	}
}

// IsAncestorOf reports whether op is other or contains it.
func (op *Operation) IsAncestorOf(other *Operation) bool {
	for o := other; o != nil; o = o.ParentOp() {
		if o == op {
			return true
		}
	}
	return false
}

// Attr returns the attribute of that name or nil.
func (op *Operation) Attr(name string) Attr { return op.Attrs.Get(name) }

// SetAttr sets or, with nil, removes an attribute.
func (op *Operation) SetAttr(name string, a Attr) { op.Attrs.Set(name, a) }

// IntAttr returns an integer attribute's value.
func (op *Operation) IntAttr(name string) (int64, bool) {
	a, ok := op.Attr(name).(*IntegerAttr)
	if !ok {
		return 0, false
	}
	return a.Value, true
}

// IsConstant reports whether op is a constant of any type; poison, which has no value,
// is none.
func (op *Operation) IsConstant() bool { return op.Is(ConstantLike) && op.Attr("value") != nil }

// IsConstant reports whether v is the result of a constant.
func (v *Value) IsConstant() bool { return v.Def != nil && v.Def.IsConstant() }

// ConstantInt returns the value of an integer constant as a signed number: the i1 true is
// -1, as comparisons see it.
func (v *Value) ConstantInt() (int64, bool) {
	if !v.IsConstant() {
		return 0, false
	}
	c, ok := v.Def.IntAttr("value")
	if t, isInt := v.Type.(*IntegerType); ok && isInt && t.Width < 64 {
		c = c << (64 - t.Width) >> (64 - t.Width)
	}
	return c, ok
}

// Equals reports whether two values are always equal: they are one, or equal constants of
// one type.
func (v *Value) Equals(w *Value) bool {
	if v == w {
		return true
	}
	a, ok := v.ConstantInt()
	b, both := w.ConstantInt()
	return ok && both && a == b && v.Type == w.Type
}

// StrAttr returns a string attribute's value, "" where it is absent.
func (op *Operation) StrAttr(name string) string {
	if a, ok := op.Attr(name).(*StringAttr); ok {
		return a.Value
	}
	return ""
}

// SymName returns the symbol the operation defines, "" for none.
func (op *Operation) SymName() string { return op.StrAttr("sym_name") }

// Clone copies op and everything inside it. Operands are mapped through m where
// it has them; m receives results and block arguments of the copy.
func (op *Operation) Clone(m map[*Value]*Value) *Operation {
	operands := make([]*Value, len(op.operands))
	for i, v := range op.operands {
		operands[i] = v
		if w, ok := m[v]; ok {
			operands[i] = w
		}
	}
	types := make([]Type, len(op.results))
	for i, r := range op.results {
		types[i] = r.Type
	}
	c := NewOp(op.Name, op.Pos, operands, types)
	c.Loc = op.Loc
	c.Attrs = append(NamedAttrs(nil), op.Attrs...)
	for i, r := range op.results {
		c.results[i].Name = r.Name
		m[r] = c.results[i]
	}
	blocks := map[*Block]*Block{}
	for _, r := range op.Regions {
		nr := c.AddRegion()
		for _, b := range r.Blocks {
			nb := nr.AddBlock()
			nb.Label = b.Label
			blocks[b] = nb
			for _, a := range b.Args {
				m[a] = nb.AddArg(a.Type, a.Name, a.Loc)
			}
		}
		for _, b := range r.Blocks {
			for _, o := range b.Ops {
				blocks[b].Append(o.Clone(m))
			}
		}
		// Operands that were defined later than their use (graph regions) and
		// successors are patched once every value is known.
		for _, b := range nr.Blocks {
			for _, o := range b.Ops {
				for i, v := range o.operands {
					if w, ok := m[v]; ok && w != v {
						o.SetOperand(i, w)
					}
				}
				for i, s := range o.Succs {
					if nb, ok := blocks[s.Block]; ok {
						o.Succs[i].Block = nb
					}
				}
			}
		}
	}
	c.Succs = append([]Successor(nil), op.Succs...)
	return c
}

// PassedOn returns the operand that an operation of two operands merely passes on,
// because the other is the operation's identity; nil where there is none.
func (op *Operation) PassedOn() *Value {
	d := op.Def()
	if d == nil || d.Identity == nil || len(op.operands) != 2 {
		return nil
	}
	if c, ok := op.Operand(1).ConstantInt(); ok && c == *d.Identity {
		return op.Operand(0)
	}
	if c, ok := op.Operand(0).ConstantInt(); ok && c == *d.Identity && d.Has(Commutative) {
		return op.Operand(1)
	}
	return nil
}
