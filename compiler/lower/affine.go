package lower

import (
	"fmt"
	"math"

	"loom/compiler/analysis/interval"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// lowerAffine expands the affine dialect into scf, arith and memref. Before: any
// function without calls. After: no affine operation is left.
//
//   - affine.for is scf.for, the greatest of its lower and the least of its upper
//     bounds by arith.maxsi and minsi;
//   - affine.if is scf.if on the conjunction of the set's constraints;
//   - affine.parallel is scf.parallel, which "structure" makes a loop nest;
//   - affine.load and store are memref.load and store, affine.apply, min, max and
//     delinearize_index are arithmetic (affineexpr.go).
//
// The meaning is that of the interpreter, which computes with integers: a program
// that divides by a value that is not positive, or in which a value of a map
// does not fit an index, is an error there, and may compute anything here.
func lowerAffine(s *state, errs *diag.List) {
	newAffineLowering(s, errs, maxInlined).block(s.fn.Regions[0].Entry())
}

// newAffineLowering bounds the arithmetic by limit: a map behind an alias costs
// little text and much arithmetic wherever it is named.
func newAffineLowering(s *state, errs *diag.List, limit int) *affineLowering {
	return &affineLowering{s: s, errs: errs, limit: limit, ranges: map[*ir.Value]interval.Interval{}, ids: map[*ir.Value]int{}}
}

type affineLowering struct {
	s    *state
	errs *diag.List
	// ranges are what is known about indices that affine operations define.
	ranges map[*ir.Value]interval.Interval
	// ids name values in the text of divisions.
	ids   map[*ir.Value]int
	limit int // of operations that are emitted
	count int
	full  bool
}

// block rewrites the operations of a block. The regions of an operation come
// before the operation itself, so that the results of affine.apply around them
// have been replaced.
func (a *affineLowering) block(b *ir.Block) {
	quotients := a.quotients(b)
	shared := map[exprKey]*ir.Value{}
	rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		x := &affineExprs{affineLowering: a, m: rewrite.Maker{Pos: op.Pos, Emit: emit}, shared: shared, quotients: quotients}
		x.inductionRanges(op)
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				a.block(inner)
			}
		}
		lowering := affineRules[op.Name]
		if lowering == nil {
			emit(op)
			return
		}
		results := lowering(x, op)
		for i, r := range op.Results() {
			if id, ok := a.ids[r]; ok {
				a.ids[results[i]] = id // the divisions of the block were named before
			}
		}
		replace(op, results)
		rewrite.Drop(op)
	})
}

// What the tests of this pass break on purpose.
const (
	affineTruncates  deviation = "floordiv and mod round toward zero"
	affineRoundsDown deviation = "ceildiv rounds down"
	affineStrict     deviation = "an affine inequality is taken as strict"
	affineWrongBound deviation = "the greatest of several upper bounds counts"
)

// affineRules emit what stands for one operation and return its results.
var affineRules map[string]func(x *affineExprs, op *ir.Operation) []*ir.Value

func init() {
	affineRules = map[string]func(x *affineExprs, op *ir.Operation) []*ir.Value{
		opname.AffineApply:            (*affineExprs).apply,
		opname.AffineMin:              func(x *affineExprs, op *ir.Operation) []*ir.Value { return x.extreme(op, opname.ArithMinSI) },
		opname.AffineMax:              func(x *affineExprs, op *ir.Operation) []*ir.Value { return x.extreme(op, opname.ArithMaxSI) },
		opname.AffineDelinearizeIndex: (*affineExprs).delinearize,
		opname.AffineLoad:             (*affineExprs).load,
		opname.AffineStore:            (*affineExprs).store,
		opname.AffineFor:              (*affineExprs).forLoop,
		opname.AffineIf:               (*affineExprs).branch,
		opname.AffineParallel:         (*affineExprs).parallel,
	}
}

// mapAttr returns a map that the verifier has seen.
func mapAttr(op *ir.Operation, name string) *ir.AffineMap {
	return op.Attr(name).(*ir.AffineMapAttr).Map
}

func (x *affineExprs) apply(op *ir.Operation) []*ir.Value {
	m := mapAttr(op, "map")
	e := x.expr(m.Results[0], operandsOf(m.Dims, op.Operands()))
	return []*ir.Value{x.remember(e)}
}

// remember notes the range of a value that may be an operand elsewhere.
func (x *affineExprs) remember(e indexValue) *ir.Value {
	if _, known := x.ranges[e.v]; !known && e.v.Def != nil {
		x.ranges[e.v] = e.Interval
	}
	return e.v
}

func (x *affineExprs) extreme(op *ir.Operation, name string) []*ir.Value {
	m := mapAttr(op, "map")
	return []*ir.Value{x.remember(x.chosen(m.Results, operandsOf(m.Dims, op.Operands()), name))}
}

// chosen is the least (arith.minsi) or greatest (arith.maxsi) of expressions.
func (x *affineExprs) chosen(es []*ir.AffineExpr, in affineOperands, name string) indexValue {
	best := x.expr(es[0], in)
	for _, e := range es[1:] {
		v := x.expr(e, in)
		r := x.within(min(best.Lo, v.Lo), min(best.Hi, v.Hi))
		if name == opname.ArithMaxSI {
			r = x.within(max(best.Lo, v.Lo), max(best.Hi, v.Hi))
		}
		best = indexValue{x.op(name, best.v, v.v), r}
	}
	return best
}

// delinearize splits a position from the last extent to the second.
func (x *affineExprs) delinearize(op *ir.Operation) []*ir.Value {
	out := make([]*ir.Value, op.NumResults())
	known := func(v *ir.Value) indexValue { return indexValue{v, x.rangeOf(v)} }
	rest := known(op.Operand(0))
	for i := len(out) - 1; i > 0; i-- {
		extent := known(op.Operand(i + 1))
		out[i] = x.remember(x.mod(rest, extent, true))
		rest = x.floorDiv(rest, extent)
	}
	out[0] = x.remember(rest)
	return out
}

// subscripts computes the subscripts of an access whose memref is operand mem.
func (x *affineExprs) subscripts(op *ir.Operation, mem int) []*ir.Value {
	m := mapAttr(op, "map")
	in := operandsOf(m.Dims, op.Operands()[mem+1:])
	var out []*ir.Value
	for _, e := range m.Results {
		out = append(out, x.expr(e, in).v)
	}
	return out
}

func (x *affineExprs) load(op *ir.Operation) []*ir.Value {
	operands := append([]*ir.Value{op.Operand(0)}, x.subscripts(op, 0)...)
	return []*ir.Value{x.m.Op(opname.MemRefLoad, op.Result(0).Type, operands...)}
}

func (x *affineExprs) store(op *ir.Operation) []*ir.Value {
	operands := append([]*ir.Value{op.Operand(0), op.Operand(1)}, x.subscripts(op, 1)...)
	x.m.Emit(ir.NewOp(opname.MemRefStore, op.Pos, operands, nil))
	return nil
}

// structured makes the scf operation that takes over op's regions and results.
func (x *affineExprs) structured(name string, op *ir.Operation, operands []*ir.Value) *ir.Operation {
	types := make([]ir.Type, op.NumResults())
	for i, r := range op.Results() {
		types[i] = r.Type
	}
	n := ir.NewOp(name, op.Pos, operands, types)
	n.Loc = op.Loc
	for i := range op.Regions {
		rewrite.MoveRegion(op, i, n)
	}
	return n
}

// yield replaces the end of a block by scf.yield.
func yield(b *ir.Block) {
	end := b.Terminator()
	b.Append(ir.NewOp(opname.SCFYield, end.Pos, end.Operands(), nil))
	end.Erase()
}

func (x *affineExprs) forLoop(op *ir.Operation) []*ir.Value {
	g := segments(op, 3)
	lower, upper := mapAttr(op, "lowerBoundMap"), mapAttr(op, "upperBoundMap")
	step, _ := op.IntAttr("step")
	lb := x.chosen(lower.Results, operandsOf(lower.Dims, g[0]), opname.ArithMaxSI)
	least := opname.ArithMinSI
	if x.s.opts.deviate == affineWrongBound {
		least = opname.ArithMaxSI
	}
	ub := x.chosen(upper.Results, operandsOf(upper.Dims, g[1]), least)
	loop := x.structured(opname.SCFFor, op, append([]*ir.Value{lb.v, ub.v, x.constant(step)}, g[2]...))
	yield(loop.Regions[0].Entry())
	x.m.Emit(loop)
	return loop.Results()
}

func (x *affineExprs) branch(op *ir.Operation) []*ir.Value {
	set := op.Attr("condition").(*ir.IntegerSetAttr).Set
	in := operandsOf(set.Dims, op.Operands())
	var all *ir.Value
	for _, c := range set.Constraints {
		holds := x.holds(c, in)
		if all == nil {
			all = holds
		} else {
			all = x.m.Op(opname.ArithAndI, ir.I1, all, holds)
		}
	}
	if all == nil {
		all = x.m.Integer(-1, ir.I1)
	}
	branch := x.structured(opname.SCFIf, op, []*ir.Value{all})
	for _, r := range branch.Regions {
		if b := r.Entry(); b != nil {
			yield(b)
		}
	}
	x.m.Emit(branch)
	return branch.Results()
}

// parallelBounds calls f with the bounds of each dimension of affine.parallel.
func (x *affineExprs) parallelBounds(op *ir.Operation, which string, operands []*ir.Value, f func(d int, es []*ir.AffineExpr, in affineOperands)) {
	m := mapAttr(op, which+"Map")
	groups := op.Attr(which + "Groups").(*ir.DenseElementsAttr)
	in, rest := operandsOf(m.Dims, operands), m.Results
	for d := range op.Regions[0].Entry().Args {
		at := d
		if groups.Splat {
			at = 0
		}
		n := groups.Values[at].(*ir.IntegerAttr).Value
		f(d, rest[:n], in)
		rest = rest[n:]
	}
}

func (x *affineExprs) parallel(op *ir.Operation) []*ir.Value {
	body := op.Regions[0].Entry()
	kinds := op.Attr("reductions").(*ir.ArrayAttr).Elems
	split := mapAttr(op, "lowerBoundsMap").Dims + mapAttr(op, "lowerBoundsMap").Symbols
	var bounds, steps, inits []*ir.Value
	x.parallelBounds(op, "lowerBounds", op.Operands()[:split], func(_ int, es []*ir.AffineExpr, in affineOperands) {
		bounds = append(bounds, x.chosen(es, in, opname.ArithMaxSI).v)
	})
	x.parallelBounds(op, "upperBounds", op.Operands()[split:], func(_ int, es []*ir.AffineExpr, in affineOperands) {
		bounds = append(bounds, x.chosen(es, in, opname.ArithMinSI).v)
	})
	for _, s := range op.Attr("steps").(*ir.ArrayAttr).Elems {
		steps = append(steps, x.constant(s.(*ir.IntegerAttr).Value))
	}
	combine := make([]string, len(kinds))
	for i, k := range kinds {
		t := op.Result(i).Type
		name, identity := reductionOf(k.(*ir.IntegerAttr).Value, t)
		if name == "" {
			x.errs.Errorf(op.Pos, "result #%d of '%s' has a reduction that cannot be lowered to a dataflow graph", i, op.Name).
				WithHelp("reduce by addf, addi, maximumf, minimumf, mulf, muli, ori or andi")
			name, identity = opname.ArithOrI, ir.IntAttr(0, t)
		}
		combine[i] = name
		c := ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{t})
		c.SetAttr("value", identity)
		x.m.Emit(c)
		inits = append(inits, c.Result(0))
	}
	end := body.Terminator()
	if len(body.Args) == 0 { // one iteration
		values := splice(body, x.m)
		for i, v := range values {
			values[i] = x.m.Op(combine[i], v.Type, inits[i], v)
		}
		return values
	}
	reduce := ir.NewOp(opname.SCFReduce, end.Pos, end.Operands(), nil)
	for i, v := range end.Operands() {
		b := reduce.AddRegion().AddBlock()
		before, value := b.AddArg(v.Type, "", end.Pos), b.AddArg(v.Type, "", end.Pos)
		sum := b.Append(ir.NewOp(combine[i], end.Pos, []*ir.Value{before, value}, []ir.Type{v.Type}))
		b.Append(ir.NewOp(opname.SCFReduceReturn, end.Pos, sum.Results(), nil))
	}
	body.Append(reduce)
	end.Erase()
	loop := x.structured(opname.SCFParallel, op, append(append(bounds, steps...), inits...))
	n := int64(len(body.Args))
	loop.SetAttr("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{n, n, n, int64(len(inits))}})
	x.m.Emit(loop)
	return loop.Results()
}

// reductionOf returns the operation of a reduction kind (upstream's
// AtomicRMWKind) and the value it starts with, "" where no operation computes it.
func reductionOf(kind int64, t ir.Type) (name string, identity ir.Attr) {
	float := func(v float64) ir.Attr {
		a := &ir.FloatAttr{Value: v, Type: t}
		if bits, err := num.ConstantBits(a, t, 64); err == nil {
			a.Text = fmt.Sprintf("0x%X", bits)
		}
		return a
	}
	if kind < 0 || kind >= int64(len(arith.Combinations)) {
		return "", nil
	}
	name = arith.Combinations[kind].Op
	if ir.IsFloat(t) {
		switch name {
		case opname.ArithAddF:
			return name, &ir.FloatAttr{Value: 0, Type: t}
		case opname.ArithMaximumF:
			return name, float(math.Inf(-1))
		case opname.ArithMinimumF:
			return name, float(math.Inf(1))
		case opname.ArithMulF:
			return name, &ir.FloatAttr{Value: 1, Type: t}
		}
		return "", nil
	}
	i, ok := t.(*ir.IntegerType)
	if d := ir.Lookup(name); ok && i.Sign == ir.Signless && d != nil && d.Identity != nil {
		return name, ir.IntAttr(*d.Identity, t)
	}
	return "", nil
}
