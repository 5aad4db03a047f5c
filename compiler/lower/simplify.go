package lower

import (
	"math"
	"strconv"
	"strings"

	"loom/compiler/analysis/ranges"
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// maxRounds bounds the simplification: each round makes the function smaller,
// a handful reaches the end on real code.
const maxRounds = 10

// canonicalise brings the function into its simplest form without hiding from
// the passes after it what was a multiplication or a division.
func canonicalise(s *state, _ *diag.List) { (&simplifier{s: s}).run() }

// simplify folds constants, removes what changes nothing (x + 0, loop-carried
// values that never change, unused results), shares equal operations, merges
// branches of one condition and deletes dead code. Reports nothing; the meaning
// stays the same. Loops are assumed to end: one that computes nothing anybody
// reads is removed.
func simplify(s *state, _ *diag.List) { (&simplifier{s: s, strength: true}).run() }

type simplifier struct {
	s       *state
	changed bool
	// strength allows shifts and masks for multiplications and divisions.
	strength bool
	ids      map[*ir.Value]int
	// seen are the pure operations of the blocks around the current operation,
	// innermost last.
	seen   []map[string]*ir.Operation
	ranges *ranges.Ranges
}

// run simplifies until nothing changes. Intervals are computed for the function
// as it comes and once more if it has become smaller.
func (z *simplifier) run() {
	z.ranges = z.s.ranges()
	analysed, smaller := 1, false
	for range maxRounds {
		z.changed = false
		for _, r := range z.s.fn.Regions {
			for _, b := range r.Blocks {
				z.block(b)
			}
		}
		if rewrite.DropDead(z.s.fn, removable) {
			z.changed = true
		}
		if z.changed {
			smaller = true
			continue
		}
		if analysed > 1 || !smaller {
			return
		}
		z.ranges = z.s.ranges()
		analysed++
	}
}

// block simplifies one block and those inside it.
func (z *simplifier) block(b *ir.Block) {
	z.seen = append(z.seen, map[string]*ir.Operation{})
	rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		op = z.trim(op)
		for i, r := range op.Regions {
			for _, inner := range r.Blocks {
				z.ranges.Enter(op, i, func() {
					z.known(op, i, inner)
					z.block(inner)
				})
			}
		}
		if z.structured(op, emit) {
			z.changed = true
			return
		}
		if isPure(op) && op.NumResults() > 0 {
			if v := z.simpler(op, emit); v != nil {
				op.Result(0).ReplaceAllUsesWith(v)
				if v.Name == "" {
					v.Name = op.Result(0).Name
				}
				op.SetOperands(nil)
				z.changed = true
				return
			}
			key := z.key(op)
			if first := z.equal(key, op); first != nil {
				for i, r := range op.Results() {
					r.ReplaceAllUsesWith(first.Result(i))
				}
				op.SetOperands(nil)
				z.changed = true
				return
			}
			z.seen[len(z.seen)-1][key] = op
		}
		emit(op)
	})
	z.seen = z.seen[:len(z.seen)-1]
	if z.mergeBranches(b) || z.s.forwardLoads(b) {
		z.changed = true
	}
}

// simpler returns a value equal to op's result that costs less, or nil.
func (z *simplifier) simpler(op *ir.Operation, emit func(*ir.Operation)) *ir.Value {
	if c := z.fold(op); c != nil {
		emit(c)
		return c.Result(0)
	}
	if op.IsConstant() {
		return nil
	}
	if p, ok := arith.PredicateOf(op); ok {
		if result, known := z.ranges.Decide(p, op.Operand(0), op.Operand(1)); known {
			return rewrite.Maker{Pos: op.Pos, Emit: emit}.Integer(truth(result), ir.I1)
		}
	}
	return algebra(op, z.ranges, rewrite.Maker{Pos: op.Pos, Emit: emit}, z.strength)
}

// key identifies what a pure operation computes.
func (z *simplifier) key(op *ir.Operation) string {
	if z.ids == nil {
		z.ids = map[*ir.Value]int{}
	}
	var b strings.Builder
	b.WriteString(op.Name)
	ids := make([]int, op.NumOperands())
	for i, v := range op.Operands() {
		id, ok := z.ids[v]
		if !ok {
			id = len(z.ids)
			z.ids[v] = id
		}
		ids[i] = id
	}
	if op.Is(ir.Commutative) && ids[0] > ids[1] {
		ids[0], ids[1] = ids[1], ids[0]
	}
	for _, id := range ids {
		b.WriteByte(' ')
		b.WriteString(strconv.Itoa(id))
	}
	if len(op.Attrs) > 0 {
		b.WriteString(op.Attrs.String())
	}
	for _, r := range op.Results() {
		b.WriteByte(':')
		b.WriteString(r.Type.String())
	}
	return b.String()
}

// fold evaluates an operation on constants. Floats are folded as package num
// computes them, where the result has a spelling that means the same bits;
// functions that hardware may approximate stay.
func (z *simplifier) fold(op *ir.Operation) *ir.Operation {
	if op.IsConstant() || op.NumResults() != 1 || op.NumOperands() == 0 || op.Dialect() == "math" && !ir.IsInt(op.Result(0).Type) {
		return nil
	}
	w := z.s.opts.IndexWidth
	in := make([]uint64, op.NumOperands())
	for i, v := range op.Operands() {
		if !v.IsConstant() {
			return nil
		}
		c, err := num.Eval(v.Def, nil, w)
		if err != nil {
			return nil
		}
		in[i] = c[0]
	}
	out, err := num.Eval(op, in, w)
	if err != nil {
		return nil
	}
	t := op.Result(0).Type
	c := rewrite.Constant(op.Pos, num.SignExtend(out[0], t, w), t)
	switch t {
	case ir.Type(ir.Float("f32")):
		c.SetAttr("value", &ir.FloatAttr{Value: float64(math.Float32frombits(uint32(out[0]))), Type: t})
	case ir.Type(ir.Float("f64")):
		c.SetAttr("value", &ir.FloatAttr{Value: math.Float64frombits(out[0]), Type: t})
	default:
		if !ir.IsInt(t) {
			return nil
		}
	}
	if again, err := num.Eval(c, nil, w); err != nil || again[0] != out[0] {
		return nil
	}
	if f, ok := c.Attr("value").(*ir.FloatAttr); ok && (math.IsNaN(f.Value) || math.IsInf(f.Value, 0)) {
		return nil
	}
	c.Result(0).Name = op.Result(0).Name
	return c
}

// identity returns the operand that an operation merely passes on, or nil.
func identity(op *ir.Operation) *ir.Value {
	if v := op.PassedOn(); v != nil {
		return v
	}
	if op.Name == opname.ArithSelect {
		if op.Operand(1) == op.Operand(2) {
			return op.Operand(1)
		}
		if c, ok := op.Operand(0).ConstantInt(); ok {
			if c != 0 {
				return op.Operand(1)
			}
			return op.Operand(2)
		}
	}
	return nil
}

// structured removes control flow whose outcome is known; it reports whether it
// replaced op.
func (z *simplifier) structured(op *ir.Operation, emit func(*ir.Operation)) bool {
	switch op.Name {
	case opname.SCFIf:
		c, ok := op.Operand(0).ConstantInt()
		if !ok {
			return nested(op, emit)
		}
		taken := 0
		if c == 0 {
			taken = 1
		}
		var yields []*ir.Value
		for i, r := range op.Regions {
			if r.Entry() == nil {
				continue
			}
			for _, o := range r.Entry().Ops {
				switch {
				case i != taken:
					// Dropped as a whole below.
				case o.Name == opname.SCFYield:
					yields = append(yields, o.Operands()...)
				default:
					emit(o)
				}
			}
		}
		for i, r := range op.Results() {
			r.ReplaceAllUsesWith(yields[i])
		}
		dropUntaken(op, taken)
		return true
	case opname.SCFFor:
		return z.straight(op, emit) || unswitched(op, emit)
	case opname.SCFWhile:
		return z.untaken(op, emit)
	}
	return false
}

// untaken replaces an scf.while whose condition never holds by its before-region.
func (z *simplifier) untaken(op *ir.Operation, emit func(*ir.Operation)) bool {
	before := op.Regions[0].Entry()
	cond := before.Terminator()
	if c, ok := cond.Operand(0).ConstantInt(); !ok || c != 0 {
		return false
	}
	for i, v := range op.Operands() {
		before.Args[i].ReplaceAllUsesWith(v)
	}
	values := append([]*ir.Value(nil), cond.Operands()[1:]...)
	for _, o := range before.Ops[:len(before.Ops)-1] {
		emit(o)
	}
	for i, r := range op.Results() {
		r.ReplaceAllUsesWith(values[i])
	}
	before.Ops = []*ir.Operation{cond}
	rewrite.Drop(op)
	return true
}

// dropUntaken releases an scf.if of which one branch lives on elsewhere.
func dropUntaken(op *ir.Operation, taken int) {
	op.SetOperands(nil)
	for i, r := range op.Regions {
		if r.Entry() == nil {
			continue
		}
		if i == taken {
			r.Entry().Terminator().SetOperands(nil)
			continue
		}
		for _, o := range r.Entry().Ops {
			rewrite.Drop(o)
		}
	}
}

// trim removes the loop-carried values of a loop that never change or are
// never read, and the unused or trivial results of an scf.if. It returns op or
// its replacement, which is still to be emitted.
func (z *simplifier) trim(op *ir.Operation) *ir.Operation {
	switch op.Name {
	case opname.SCFFor:
		body := op.Regions[0].Entry()
		if mergeCarried(body.Args[1:], op.Operands()[3:], body.Terminator().Operands()) {
			z.changed = true
		}
		if followInduction(op) {
			z.changed = true
		}
	case opname.SCFWhile:
		if forwardWhile(op) {
			z.changed = true
		}
	}
	keep := make([]bool, op.NumResults())
	dropped := false
	switch op.Name {
	case opname.SCFFor:
		body := op.Regions[0].Entry()
		yield := body.Terminator()
		for i, r := range op.Results() {
			arg, init := body.Args[1+i], op.Operand(3+i)
			next := yield.Operand(i)
			keep[i] = true
			if next == arg || next == init {
				// Every iteration sees the initial value.
				r.ReplaceAllUsesWith(init)
				arg.ReplaceAllUsesWith(init)
				keep[i] = false
			} else if !r.HasUses() && !arg.HasUses() {
				keep[i] = false
			}
			dropped = dropped || !keep[i]
		}
	case opname.SCFIf:
		if len(op.Regions) < 2 || op.Regions[1].Entry() == nil {
			return op
		}
		yt, ye := op.Regions[0].Entry().Terminator(), op.Regions[1].Entry().Terminator()
		for i, r := range op.Results() {
			if t := yt.Operand(i); t == ye.Operand(i) && rewrite.Outside(t, op) {
				r.ReplaceAllUsesWith(t)
			}
			keep[i] = r.HasUses()
			dropped = dropped || !keep[i]
		}
	}
	if !dropped {
		return op
	}
	z.changed = true
	return keepResults(op, keep)
}

// keepResults rebuilds an scf.for or scf.if with a part of its results.
func keepResults(op *ir.Operation, keep []bool) *ir.Operation {
	fixed := 1
	if op.Name == opname.SCFFor {
		fixed = 3
	}
	operands := append([]*ir.Value(nil), op.Operands()[:fixed]...)
	var types []ir.Type
	for i, k := range keep {
		if !k {
			continue
		}
		types = append(types, op.Result(i).Type)
		if op.Name == opname.SCFFor {
			operands = append(operands, op.Operand(fixed+i))
		}
	}
	n := ir.NewOp(op.Name, op.Pos, operands, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	for i := range op.Regions {
		rewrite.MoveRegion(op, i, n)
	}
	for _, r := range n.Regions {
		b := r.Entry()
		if b == nil {
			continue
		}
		y := b.Terminator()
		var values []*ir.Value
		for i, k := range keep {
			if k {
				values = append(values, y.Operand(i))
			}
		}
		y.SetOperands(values)
		if op.Name != opname.SCFFor {
			continue
		}
		args := []*ir.Value{b.Args[0]}
		for i, k := range keep {
			if k {
				a := b.Args[1+i]
				a.Index = len(args)
				args = append(args, a)
			}
		}
		b.Args = args
	}
	j := 0
	for i, k := range keep {
		if k {
			n.Result(j).Name = op.Result(i).Name
			op.Result(i).ReplaceAllUsesWith(n.Result(j))
			j++
		}
	}
	op.SetOperands(nil)
	return n
}

// equal finds an operation that computes what op computes and is visible
// at op: in its block or around it. Reading across a boundary costs an
// operation for each, so beyond one boundary only what takes a large unit is
// read from outside.
func (z *simplifier) equal(key string, op *ir.Operation) *ir.Operation {
	for i := len(z.seen) - 1; i >= 0; i-- {
		first := z.seen[i][key]
		if first == nil {
			continue
		}
		if len(z.seen)-1-i <= 1 || !cheap(op) || op.Name == opname.ArithMulI {
			return first
		}
		return nil
	}
	return nil
}
