package lift

import (
	"fmt"
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
	"loom/internal/intmath"
)

// emitter builds the new function.
type emitter struct {
	r      *lifter
	entry  *ir.Block
	region *ir.Region
	cur    *ir.Block
	pos    diag.Pos
	loc    string

	vals   map[*ir.Value]*ir.Value // scalars; of pointers chosen at run time their counts
	sels   map[*ir.Value]*ir.Value // selectors of pointers with several roots
	diffs  map[*ir.Value]sum       // distances between pointers
	blocks map[*ir.Block]*ir.Block
	consts map[string]*ir.Value
	nconst int                  // constants at the start of the entry
	casts  map[cast]*ir.Value   // conversions to index
	isOf   map[chosen]*ir.Value // conditions on the root of a pointer
	known  map[string]*ir.Value // what the current block has computed
	bits   map[*ir.Value][]bits // integers that are built from others
	byOp   map[*ir.Operation]*access
}

type cast struct {
	v        *ir.Value
	unsigned bool
}

// chosen is the condition that a selector names a root.
type chosen struct {
	sel *ir.Value
	o   *root
}

// in sets the source position of what follows.
func (e *emitter) in(op *ir.Operation) { e.pos, e.loc = e.r.position(op.Pos), op.Loc }

func (e *emitter) start(b *ir.Block) {
	e.cur = b
	e.known = map[string]*ir.Value{}
}

// raw appends an operation.
func (e *emitter) raw(name string, operands []*ir.Value, types ...ir.Type) *ir.Operation {
	o := ir.NewOp(name, e.pos, operands, types)
	if o.Loc = e.loc; e.loc == "" || !strings.Contains(e.loc, "\"") {
		o.Loc = mlir.FileLoc(e.pos)
	}
	return e.cur.Append(o)
}

// op appends a pure operation, or finds the same one computed before in the block.
func (e *emitter) op(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
	return e.opWith(name, t, "", nil, operands...)
}

func (e *emitter) opWith(name string, t ir.Type, attr string, value ir.Attr, operands ...*ir.Value) *ir.Value {
	key := name + t.String()
	if attr != "" {
		key += value.String()
	}
	for _, v := range operands {
		key += fmt.Sprintf(" %p", v)
	}
	if v := e.known[key]; v != nil {
		return v
	}
	o := e.raw(name, operands, t)
	if attr != "" {
		o.SetAttr(attr, value)
	}
	e.known[key] = o.Result(0)
	return o.Result(0)
}

// constant is a constant at the start of the function.
func (e *emitter) constant(a ir.Attr, t ir.Type) *ir.Value {
	key := a.String() + "|" + t.String()
	if v := e.consts[key]; v != nil {
		return v
	}
	o := ir.NewOp(opname.ArithConstant, e.r.fn.Pos, nil, []ir.Type{t})
	o.SetAttr("value", a)
	o.Loc = mlir.FileLoc(e.r.fn.Pos)
	e.insert(o, e.entry, e.nconst)
	e.nconst++
	e.consts[key] = o.Result(0)
	return o.Result(0)
}

// insert puts an operation at a position of a block.
func (e *emitter) insert(o *ir.Operation, b *ir.Block, at int) {
	b.Append(o)
	copy(b.Ops[at+1:], b.Ops[at:len(b.Ops)-1])
	b.Ops[at] = o
}

func (e *emitter) integer(n int64, t ir.Type) *ir.Value {
	if it, ok := t.(*ir.IntegerType); ok {
		if it.Width == 1 {
			return e.constant(ir.BoolAttr(n&1 != 0), t)
		}
		n = n << (64 - it.Width) >> (64 - it.Width)
	}
	return e.constant(ir.IntAttr(n, t), t)
}

func (e *emitter) index(n int64) *ir.Value { return e.integer(n, ir.Index) }

// zero is the value 0 of a type.
func (e *emitter) zero(t ir.Type) *ir.Value {
	if ir.IsFloat(t) {
		return e.constant(&ir.FloatAttr{Type: t}, t)
	}
	return e.integer(0, t)
}

// binary is an operation on two integers of one type, simplified where a constant
// allows.
func (e *emitter) binary(name string, a, b *ir.Value) *ir.Value {
	n, isConst := b.ConstantInt()
	m, both := a.ConstantInt()
	if d := ir.Lookup(name); d != nil && d.Identity != nil {
		if isConst && n == *d.Identity {
			return a
		}
		if both && m == *d.Identity && d.Has(ir.Commutative) {
			return b
		}
	}
	if isConst && both && a.Type == ir.Type(ir.Index) {
		switch name {
		case opname.ArithAddI:
			return e.index(m + n)
		case opname.ArithSubI:
			return e.index(m - n)
		case opname.ArithMulI:
			return e.index(m * n)
		}
	}
	return e.op(name, a.Type, a, b)
}

func (e *emitter) compare(p arith.IntPredicate, a, b *ir.Value) *ir.Value {
	if n, ok := b.ConstantInt(); ok && n == 0 && a.Def != nil && a.Def.Name == opname.ArithExtUI && a.Def.Operand(0).Type == ir.Type(ir.I1) {
		// (int)condition != 0
		switch p {
		case arith.Eq:
			return e.op(opname.ArithXOrI, ir.I1, a.Def.Operand(0), e.integer(1, ir.I1))
		case arith.Ne:
			return a.Def.Operand(0)
		}
	}
	return e.opWith(opname.ArithCmpI, ir.I1, "predicate", ir.IntAttr(int64(p), ir.I64), a, b)
}

// bitcast reads the bits of a scalar as another type of the same width.
func (e *emitter) bitcast(v *ir.Value, t ir.Type) *ir.Value {
	if v.Type == t {
		return v
	}
	if v.Def != nil && v.Def.Name == opname.ArithBitcast {
		return e.bitcast(v.Def.Operand(0), t)
	}
	return e.op(opname.ArithBitcast, t, v)
}

// toIndex converts an integer to index, right behind its definition.
func (e *emitter) toIndex(v *ir.Value, unsigned bool) *ir.Value {
	if v.Type == ir.Type(ir.Index) {
		return v
	}
	if n, ok := v.ConstantInt(); ok {
		if w, _ := ir.BitWidth(v.Type, 64); unsigned && w < 64 {
			n &= 1<<w - 1
		}
		return e.index(n)
	}
	if v.Def != nil && v.Def.Name == opname.ArithIndexCast && v.Type == ir.Type(ir.I64) && v.Def.Operand(0).Type == ir.Type(ir.Index) {
		return v.Def.Operand(0) // a distance of pointers
	}
	key := cast{v, unsigned}
	if c := e.casts[key]; c != nil {
		return c
	}
	name := opname.ArithIndexCast
	if unsigned {
		name = opname.ArithIndexCastUI
	}
	o := ir.NewOp(name, v.Pos(), []*ir.Value{v}, []ir.Type{ir.Index})
	e.behind(v, o)
	e.casts[key] = o.Result(0)
	return o.Result(0)
}

// behind inserts an operation right behind the definition of a value.
func (e *emitter) behind(v *ir.Value, o *ir.Operation) {
	if v.Def != nil {
		o.Loc = v.Def.Loc
		b := v.Def.Block()
		e.insert(o, b, slices.Index(b.Ops, v.Def)+1)
		return
	}
	o.Pos = e.r.position(o.Pos)
	o.Loc = mlir.FileLoc(o.Pos)
	at := 0
	if v.Block == e.entry {
		at = e.nconst
	}
	e.insert(o, v.Block, at)
}

// sum computes a linear sum in units of so many bytes.
func (e *emitter) sum(l sum, unit int64) *ir.Value {
	if unit == 0 {
		return e.index(0)
	}
	var sum *ir.Value
	for _, minus := range []bool{false, true} {
		for _, t := range l.Terms {
			b := e.r.bytes(t)
			k, d := b/unit, int64(1)
			if b%unit != 0 {
				// A pointer that is chosen counts the smallest elements of what it may point
				// into; here it points to the beginning of a larger one.
				g := intmath.GCD(b, unit)
				k, d = b/g, unit/g
			}
			if k == 0 || (k == -1) != minus {
				continue
			}
			x, k := e.count(t, k)
			x = e.divide(x, false, d)
			switch {
			case minus && sum == nil:
				sum = e.binary(opname.ArithSubI, e.index(0), x)
			case minus:
				sum = e.binary(opname.ArithSubI, sum, x)
			case sum == nil:
				sum = e.binary(opname.ArithMulI, x, e.index(k))
			default:
				sum = e.binary(opname.ArithAddI, sum, e.binary(opname.ArithMulI, x, e.index(k)))
			}
		}
	}
	c := l.C / unit
	switch {
	case sum == nil:
		return e.index(c)
	case c != 0:
		return e.binary(opname.ArithAddI, sum, e.index(c))
	}
	return sum
}

// count is the value of a term as an index, and how often it is to be taken when the
// term is to be taken k times.
func (e *emitter) count(t term, k int64) (*ir.Value, int64) {
	if isPtr(t.Sym.v) {
		return e.vals[t.Sym.v], k
	}
	if t.Sym.div > 1 {
		g := intmath.GCD(k, t.Sym.div)
		k /= g
		if t.Sym.div > g {
			return e.quotient(t.Sym.v, t.Sym.unsigned, t.Sym.div/g, 0), k
		}
	}
	return e.toIndex(e.value(t.Sym.v), t.Sym.unsigned), k
}
