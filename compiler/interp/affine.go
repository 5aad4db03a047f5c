package interp

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// Affine expressions are evaluated as integers, node by node, and not through the
// operations they lower to: a value that does not fit an index, or a divisor that is
// not positive, is an error.

func init() {
	handlers[opname.AffineApply] = func(c *compiler, op *ir.Operation) instr { return c.affineValue(op, nil) }
	handlers[opname.AffineMin] = func(c *compiler, op *ir.Operation) instr { return c.affineValue(op, lesser) }
	handlers[opname.AffineMax] = func(c *compiler, op *ir.Operation) instr { return c.affineValue(op, greater) }
	handlers[opname.AffineLoad] = func(c *compiler, op *ir.Operation) instr {
		return c.affineAccess(op, 0, opname.MemRefLoad, (*compiler).load)
	}
	handlers[opname.AffineStore] = func(c *compiler, op *ir.Operation) instr {
		return c.affineAccess(op, 1, opname.MemRefStore, (*compiler).store)
	}
	handlers[opname.AffineDelinearizeIndex] = (*compiler).delinearize
}

func lesser(a, b int64) int64  { return min(a, b) }
func greater(a, b int64) int64 { return max(a, b) }

// indexExpr computes an integer that fits an index.
type indexExpr func(fr *frame) (int64, *fault)

// affineInputs are the slots of the operands of a map or set, the dimensions
// first.
type affineInputs struct {
	pos   diag.Pos
	dims  int
	slots []int
	width int
}

// affineInputs returns the slots of the operands from..to for a map or set with that
// number of dimensions and symbols; false, with an error reported, if they do not match.
func (c *compiler) affineInputs(op *ir.Operation, dims, symbols, from, to int) (affineInputs, bool) {
	in := affineInputs{pos: op.Pos, dims: dims, width: c.indexWidth()}
	if to-from != dims+symbols {
		c.errorf(op.Pos, "'%s' has %d operands for %d dimensions and %d symbols", op.Name, to-from, dims, symbols)
		return in, false
	}
	for i := from; i < to; i++ {
		in.slots = append(in.slots, c.useKind(op, i, scalarKind))
	}
	return in, true
}

// fits reports whether an index holds v.
func (in *affineInputs) fits(v int64) bool {
	shift := uint(64 - in.width)
	return v<<shift>>shift == v
}

// expr compiles an expression.
func (c *compiler) expr(in affineInputs, e *ir.AffineExpr) indexExpr {
	shift := uint(64 - in.width)
	switch e.Kind {
	case ir.AffineConstant:
		v := e.Value
		if !in.fits(v) {
			c.errorf(in.pos, "the constant %d does not fit an index of %d bits", v, in.width)
		}
		return func(*frame) (int64, *fault) { return v, nil }
	case ir.AffineDim, ir.AffineSymbol:
		i := int(e.Value)
		if e.Kind == ir.AffineSymbol {
			i += in.dims
		}
		if i < 0 || i >= len(in.slots) || e.Kind == ir.AffineDim && i >= in.dims {
			c.errorf(in.pos, "the affine expression has no operand for %s", e)
			return func(*frame) (int64, *fault) { return 0, nil }
		}
		s := in.slots[i]
		return func(fr *frame) (int64, *fault) { return int64(fr.v[s]<<shift) >> shift, nil }
	}
	a, b := c.expr(in, e.LHS), c.expr(in, e.RHS)
	compute := affineOps[e.Kind]
	return func(fr *frame) (int64, *fault) {
		x, f := a(fr)
		if f != nil {
			return 0, f
		}
		y, f := b(fr)
		if f != nil {
			return 0, f
		}
		v, ok := compute(x, y)
		if ok && in.fits(v) {
			return v, nil
		}
		if e.Kind >= ir.AffineMod && y <= 0 {
			return 0, faultf(in.pos, 0, "division by %d, which is not positive, in %s", y, e)
		}
		return 0, faultf(in.pos, 0, "%s of %d and %d does not fit an index of %d bits", e, x, y, in.width)
	}
}

// affineOps compute on integers; false if the result does not fit 64 bits or is undefined.
var affineOps = [...]func(a, b int64) (int64, bool){
	ir.AffineAdd: func(a, b int64) (int64, bool) {
		v := a + b
		return v, (a < 0) != (b < 0) || (v < 0) == (a < 0)
	},
	ir.AffineMul: func(a, b int64) (int64, bool) {
		if a == 0 || b == 0 {
			return 0, true
		}
		v := a * b
		return v, (v < 0) == ((a < 0) != (b < 0)) && v/b == a
	},
	ir.AffineMod: func(a, b int64) (int64, bool) {
		if b <= 0 {
			return 0, false
		}
		if a %= b; a < 0 {
			a += b
		}
		return a, true
	},
	ir.AffineFloorDiv: func(a, b int64) (int64, bool) {
		if b <= 0 {
			return 0, false
		}
		if a >= 0 {
			return a / b, true
		}
		return -1 - (-1-a)/b, true
	},
	ir.AffineCeilDiv: func(a, b int64) (int64, bool) {
		if b <= 0 {
			return 0, false
		}
		if a > 0 {
			return 1 + (a-1)/b, true
		}
		return a / b, true
	},
}

// exprs compiles all results of a map.
func (c *compiler) exprs(in affineInputs, results []*ir.AffineExpr) []indexExpr {
	out := make([]indexExpr, len(results))
	for i, e := range results {
		out[i] = c.expr(in, e)
	}
	return out
}

// chosen computes the least or the greatest of some expressions.
func chosen(exprs []indexExpr, choose func(a, b int64) int64) indexExpr {
	if len(exprs) == 1 {
		return exprs[0]
	}
	return func(fr *frame) (int64, *fault) {
		best := int64(0)
		for i, e := range exprs {
			v, f := e(fr)
			if f != nil {
				return 0, f
			}
			if i > 0 {
				v = choose(best, v)
			}
			best = v
		}
		return best, nil
	}
}

// affineMap returns a map attribute of op or reports that there is none.
func (c *compiler) affineMap(op *ir.Operation, name string) *ir.AffineMap {
	if a, ok := op.Attr(name).(*ir.AffineMapAttr); ok {
		return a.Map
	}
	c.errorf(op.Pos, "'%s' needs the attribute '%s', an affine map", op.Name, name)
	return nil
}

// affineValue compiles affine.apply, min and max.
func (c *compiler) affineValue(op *ir.Operation, choose func(a, b int64) int64) instr {
	if !c.counts(op, -1, 1, 0) {
		return nil
	}
	m := c.affineMap(op, "map")
	if m == nil || len(m.Results) == 0 || choose == nil && len(m.Results) != 1 {
		c.errorf(op.Pos, "'%s' needs a map with another number of results", op.Name)
		c.freshResults(op)
		return nil
	}
	in, ok := c.affineInputs(op, m.Dims, m.Symbols, 0, op.NumOperands())
	if !ok {
		c.freshResults(op)
		return nil
	}
	value := chosen(c.exprs(in, m.Results), choose)
	d, width := c.result(op, 0, scalarKind), c.indexWidth()
	return func(fr *frame) *fault {
		v, f := value(fr)
		if f != nil {
			return f
		}
		fr.v[d] = truncate(uint64(v), ir.Index, width)
		return nil
	}
}

// affineAccess compiles affine.load and affine.store: the subscripts first, then
// the access of that name with them.
func (c *compiler) affineAccess(op *ir.Operation, mem int, name string, plain func(*compiler, *ir.Operation) instr) instr {
	m := c.affineMap(op, "map")
	if m == nil || op.NumOperands() <= mem {
		c.errorf(op.Pos, "'%s' is malformed", op.Name)
		c.freshResults(op)
		return nil
	}
	in, ok := c.affineInputs(op, m.Dims, m.Symbols, mem+1, op.NumOperands())
	if !ok {
		c.freshResults(op)
		return nil
	}
	// The plain access exists only here: its operands are values of its own in
	// the slots of op's.
	var operands []*ir.Value
	for i := range mem + 1 {
		v := &ir.Value{Type: op.Operand(i).Type, Name: op.Operand(i).Name}
		c.slots[v] = c.use(op, i)
		operands = append(operands, v)
	}
	subscripts := c.exprs(in, m.Results)
	slots := make([]int, len(subscripts))
	for i := range subscripts {
		v := &ir.Value{Type: ir.Index}
		slots[i] = c.define(v, op.Pos).index
		operands = append(operands, v)
	}
	var types []ir.Type
	for _, r := range op.Results() {
		types = append(types, r.Type)
	}
	access := ir.NewOp(name, op.Pos, operands, types)
	do := plain(c, access)
	for i, r := range op.Results() {
		c.slots[r] = c.slots[access.Result(i)]
	}
	if do == nil {
		return nil
	}
	width := c.indexWidth()
	return func(fr *frame) *fault {
		for i, e := range subscripts {
			v, f := e(fr)
			if f != nil {
				return f
			}
			fr.v[slots[i]] = truncate(uint64(v), ir.Index, width)
		}
		return do(fr)
	}
}

// delinearize compiles affine.delinearize_index: from the last extent to the
// second, the remainder is the index and the quotient is divided further; the last
// quotient is the first index. The first extent is not needed.
func (c *compiler) delinearize(op *ir.Operation) instr {
	n := op.NumResults()
	if n < 1 || !c.counts(op, n+1, n, 0) {
		return nil
	}
	in, _ := c.affineInputs(op, n+1, 0, 0, n+1)
	read := c.exprs(in, func() (es []*ir.AffineExpr) {
		for i := range n + 1 {
			es = append(es, ir.AffineDimExpr(i))
		}
		return es
	}())
	var out []int
	for i := range n {
		out = append(out, c.result(op, i, scalarKind))
	}
	width, pos := c.indexWidth(), op.Pos
	return func(fr *frame) *fault {
		rest, _ := read[0](fr)
		index := make([]int64, n)
		for i := n - 1; i > 0; i-- {
			extent, _ := read[i+1](fr)
			q, ok := affineOps[ir.AffineFloorDiv](rest, extent)
			if !ok {
				return faultf(pos, 0, "extent %d of dimension %d is not positive", extent, i)
			}
			index[i], rest = rest-q*extent, q
		}
		index[0] = rest
		for i, v := range index {
			fr.v[out[i]] = truncate(uint64(v), ir.Index, width)
		}
		return nil
	}
}
