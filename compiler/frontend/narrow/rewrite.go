package narrow

import (
	"fmt"
	"regexp"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// cast is a value in another type.
type cast struct {
	v *ir.Value
	t ir.Type
}

// rewrite retypes the members and what uses them.
func (n *narrower) rewrite() {
	n.casts = map[cast]*ir.Value{}
	n.after = map[*ir.Operation][]*ir.Operation{}
	n.front = map[*ir.Block][]*ir.Operation{}
	// Operands are replaced while values have their old types, by which extensions and
	// constants are known; the new form of an operation is chosen before.
	for _, op := range n.flow.order {
		n.operation(op)
	}
	replacement := map[*ir.Value]*ir.Value{}
	for _, g := range n.replaced {
		replacement[g[0]] = g[1]
	}
	for _, g := range n.replaced {
		w := g[1]
		for replacement[w] != nil {
			w = replacement[w] // a cast of what was cast
		}
		g[0].ReplaceAllUsesWith(w)
	}
	for v, t := range n.types {
		v.Type = t
	}
	n.insertNew()
	n.signature()
}

// operation gives an operation the operands it needs.
func (n *narrower) operation(op *ir.Operation) {
	for i, v := range op.Operands() {
		slot := ir.Use{Op: op, Index: i}
		if to := n.flow.ofSlot[slot]; len(to) > 0 {
			if t := n.types[to[0]]; t != nil {
				op.SetOperand(i, n.as(v, t))
			} else if n.types[v] != nil {
				op.SetOperand(i, n.full(v))
			}
		}
	}
	switch op.Name {
	case opname.ArithIndexCast, opname.ArithIndexCastUI, opname.ArithTruncI:
		n.cut(op)
		return
	case opname.ArithCmpI:
		n.compare(op)
		return
	case opname.ArithSIToFP, opname.ArithUIToFP:
		n.convert(op)
		return
	case opname.FuncReturn:
		for i, v := range op.Operands() {
			_, _, extends := extended(v)
			switch {
			case n.returns(v) && (n.types[v] != nil || extends || v.IsConstant()):
				op.SetOperand(i, n.as(v, ir.Index))
			case n.types[v] != nil:
				op.SetOperand(i, n.full(v))
			}
		}
		return
	case opname.SCFFor:
		if t := n.types[op.Regions[0].Entry().Args[0]]; t != nil {
			for i := range 3 {
				op.SetOperand(i, n.as(op.Operand(i), t))
			}
			return
		}
	}
	if op.NumResults() == 1 && !n.flow.carried(op.Result(0)) && n.types[op.Result(0)] != nil {
		t := n.types[op.Result(0)]
		for i, v := range op.Operands() {
			if wide(v) {
				op.SetOperand(i, n.as(v, t))
			}
		}
		// What did not overflow in 64 bits may do so in 32.
		op.SetAttr("overflowFlags", nil)
		return
	}
	for i, v := range op.Operands() {
		if n.types[v] != nil && len(n.flow.ofSlot[ir.Use{Op: op, Index: i}]) == 0 {
			op.SetOperand(i, n.full(v))
		}
	}
}

// cut replaces a cast of a member or of an extended value to fewer bits.
func (n *narrower) cut(op *ir.Operation) {
	v, t := op.Operand(0), op.Result(0).Type
	if !wide(v) || t != ir.Type(ir.Index) && (widthOf(t) == 0 || widthOf(t) > 32) {
		if n.types[v] != nil {
			op.SetOperand(0, n.full(v))
		}
		return
	}
	_, _, extends := extended(v)
	if n.types[v] != nil || extends {
		n.replaced = append(n.replaced, [2]*ir.Value{op.Result(0), n.as(v, t)})
	}
}

// compare narrows a comparison of which both sides are members, extensions or constants.
func (n *narrower) compare(op *ir.Operation) {
	if !wide(op.Operand(0)) || !n.compares(op) {
		for i, v := range op.Operands() {
			if n.types[v] != nil {
				op.SetOperand(i, n.full(v))
			}
		}
		return
	}
	var t ir.Type
	for _, v := range op.Operands() {
		switch from, _, ok := extended(v); {
		case n.types[v] != nil:
			t = n.types[v]
		case ok && from.Type == ir.Type(ir.Index) && t == nil:
			t = ir.Index
		}
	}
	if t == nil {
		t = ir.I32
	}
	for i, v := range op.Operands() {
		op.SetOperand(i, n.as(v, t))
	}
}

// convert makes a float from what it has 32 bits of.
func (n *narrower) convert(op *ir.Operation) {
	v := op.Operand(0)
	from, signed, extends := extended(v)
	switch {
	case n.types[v] != nil && (op.Name == opname.ArithSIToFP && n.fits(v) || op.Name == opname.ArithUIToFP && n.fits(v) && n.sizes.known.Of(v).Lo >= 0):
		op.SetOperand(0, n.as(v, ir.I32))
	case n.types[v] != nil:
		op.SetOperand(0, n.full(v))
	case extends && from.Type != ir.Type(ir.Index) && (op.Name == opname.ArithSIToFP || !signed):
		// The value is that before the extension.
		op.Name = opname.ArithSIToFP
		if !signed {
			op.Name = opname.ArithUIToFP
		}
		op.SetOperand(0, from)
	}
}

// as is a value with the low bits of v: of type t, which is index or has at most 32 bits.
func (n *narrower) as(v *ir.Value, t ir.Type) *ir.Value {
	key := cast{v, t}
	if w := n.casts[key]; w != nil {
		return w
	}
	w := n.low(v, t)
	n.casts[key] = w
	return w
}

func (n *narrower) low(v *ir.Value, t ir.Type) *ir.Value {
	if c, ok := v.ConstantInt(); ok {
		if bits := widthOf(t); bits > 0 {
			c = c << (64 - bits) >> (64 - bits)
		}
		op := ir.NewOp(opname.ArithConstant, v.Def.Pos, nil, []ir.Type{t})
		op.Loc, op.Result(0).Name = v.Def.Loc, constantName(v.Name, c, t)
		if t == ir.Type(ir.I1) {
			op.SetAttr("value", ir.BoolAttr(c != 0))
		} else {
			op.SetAttr("value", ir.IntAttr(c, t))
		}
		return n.put(v, op)
	}
	if own := n.types[v]; own != nil {
		switch {
		case own == t:
			return v
		case own == ir.Type(ir.Index):
			return n.convertTo(opname.ArithIndexCast, v, v, t)
		case t == ir.Type(ir.Index):
			return n.convertTo(opname.ArithIndexCast, v, v, t)
		}
		return n.convertTo(opname.ArithTruncI, v, v, t)
	}
	if from, signed, ok := extended(v); ok {
		if n.broken[faultUnsigned] {
			signed = true
		}
		have, want := widthOf(from.Type), widthOf(t)
		switch {
		case from.Type == t:
			return from
		case have == 0: // from index
			return n.convertTo(opname.ArithIndexCast, v, from, t)
		case want == 0 && signed:
			return n.convertTo(opname.ArithIndexCast, v, from, t)
		case want == 0:
			return n.convertTo(opname.ArithIndexCastUI, v, from, t)
		case want < have:
			return n.convertTo(opname.ArithTruncI, v, from, t)
		case signed:
			return n.convertTo(opname.ArithExtSI, v, from, t)
		}
		return n.convertTo(opname.ArithExtUI, v, from, t)
	}
	if t == ir.Type(ir.Index) {
		return n.convertTo(opname.ArithIndexCast, v, v, t)
	}
	return n.convertTo(opname.ArithTruncI, v, v, t)
}

// typedName matches the names that constants have by their value and type.
var typedName = regexp.MustCompile(`^cm?\d+(_i\d+)?(_\d+)?$`)

// constantName is the name of a constant in another type.
func constantName(old string, c int64, t ir.Type) string {
	if !typedName.MatchString(old) {
		return old
	}
	name := fmt.Sprintf("c%d", c)
	if c < 0 {
		name = fmt.Sprintf("cm%d", uint64(-c))
	}
	if t != ir.Type(ir.Index) {
		name += "_" + t.String()
	}
	return name
}

// full is a member in its old type, for a use that needs it so: a counter, which is
// extended with its sign.
func (n *narrower) full(v *ir.Value) *ir.Value {
	key := cast{v, v.Type}
	if w := n.casts[key]; w != nil {
		return w
	}
	name := opname.ArithExtSI
	if n.types[v] == ir.Type(ir.Index) {
		name = opname.ArithIndexCast
	}
	w := n.convertTo(name, v, v, v.Type)
	n.casts[key] = w
	return w
}

// convertTo makes a cast of from where v is defined.
func (n *narrower) convertTo(name string, v, from *ir.Value, t ir.Type) *ir.Value {
	pos := v.Pos()
	op := ir.NewOp(name, pos, []*ir.Value{from}, []ir.Type{t})
	op.Loc = locOf(v, pos)
	if v.Name != "" {
		op.Result(0).Name = v.Name
	}
	return n.put(v, op)
}

func locOf(v *ir.Value, pos diag.Pos) string {
	if v.Def != nil {
		return v.Def.Loc
	}
	return mlir.FileLoc(pos)
}

// put records a new operation to be inserted where v is defined.
func (n *narrower) put(v *ir.Value, op *ir.Operation) *ir.Value {
	if v.Def != nil {
		n.after[v.Def] = append(n.after[v.Def], op)
	} else {
		n.front[v.Block] = append(n.front[v.Block], op)
	}
	return op.Result(0)
}

// insertNew puts the new operations into their blocks.
func (n *narrower) insertNew() {
	blocks := map[*ir.Block]bool{}
	for b := range n.front {
		blocks[b] = true
	}
	for op := range n.after {
		blocks[op.Block()] = true
	}
	for b := range blocks {
		old := b.Ops
		b.Ops = nil
		for _, op := range n.front[b] {
			b.Append(op)
		}
		for _, op := range old {
			b.Append(op)
			for _, o := range n.after[op] {
				b.Append(o)
			}
		}
	}
}

// signature gives the function the types of its parameters and results.
func (n *narrower) signature() {
	a, ok := n.fn.Attr("function_type").(*ir.TypeAttr)
	end := n.flow.entry.Terminator()
	if !ok || end == nil || end.Name != opname.FuncReturn {
		return
	}
	types := func(vs []*ir.Value) []ir.Type {
		var out []ir.Type
		for _, v := range vs {
			out = append(out, v.Type)
		}
		return out
	}
	if ft, ok := a.Type.(*ir.FunctionType); ok && len(ft.Inputs) == len(n.flow.entry.Args) && len(ft.Results) == end.NumOperands() {
		n.fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(types(n.flow.entry.Args), types(end.Operands()))})
	}
}

// sweep removes unused values.
func sweep(fn *ir.Operation) {
	var block func(b *ir.Block)
	block = func(b *ir.Block) {
		for i := len(b.Ops) - 1; i >= 0; i-- {
			op := b.Ops[i]
			for _, r := range op.Regions {
				for _, inner := range r.Blocks {
					block(inner)
				}
			}
			if op.Dialect() != "arith" || len(op.Regions) > 0 {
				continue
			}
			used := false
			for _, v := range op.Results() {
				used = used || v.HasUses()
			}
			if !used {
				op.SetOperands(nil)
				b.Ops = append(b.Ops[:i], b.Ops[i+1:]...)
			}
		}
	}
	block(fn.Regions[0].Entry())
}
