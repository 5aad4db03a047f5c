package lower

import (
	"strconv"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/sim/num"
)

// maxRounds bounds the simplification: each round makes the function smaller,
// a handful reaches the end on real code.
const maxRounds = 10

// simplify folds constants, removes what changes nothing (x + 0, loop-carried
// values that never change, unused results), shares equal operations of a block
// and deletes dead code. Reports nothing; the meaning stays the same.
func simplify(s *state, _ *diag.List) {
	z := &simplifier{s: s}
	for range maxRounds {
		z.changed = false
		for _, r := range s.fn.Regions {
			for _, b := range r.Blocks {
				z.block(b)
				z.deadCode(b)
			}
		}
		if !z.changed {
			return
		}
	}
}

type simplifier struct {
	s       *state
	changed bool
	ids     map[*ir.Value]int
}

// block simplifies one block and those inside it.
func (z *simplifier) block(b *ir.Block) {
	seen := map[string]*ir.Operation{}
	rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		op = z.trim(op)
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				z.block(inner)
			}
		}
		if z.structured(op, emit) {
			z.changed = true
			return
		}
		if isPure(op) && op.NumResults() > 0 {
			if c := z.fold(op); c != nil {
				emit(c)
				op.Result(0).ReplaceAllUsesWith(c.Result(0))
				op.SetOperands(nil)
				z.changed = true
				return
			}
			if v := identity(op); v != nil {
				op.Result(0).ReplaceAllUsesWith(v)
				op.SetOperands(nil)
				z.changed = true
				return
			}
			key := z.key(op)
			if first := seen[key]; first != nil {
				for i, r := range op.Results() {
					r.ReplaceAllUsesWith(first.Result(i))
				}
				op.SetOperands(nil)
				z.changed = true
				return
			}
			seen[key] = op
		}
		emit(op)
	})
}

// key identifies what a pure operation computes.
func (z *simplifier) key(op *ir.Operation) string {
	if z.ids == nil {
		z.ids = map[*ir.Value]int{}
	}
	var b strings.Builder
	b.WriteString(op.Name)
	for _, v := range op.Operands() {
		id, ok := z.ids[v]
		if !ok {
			id = len(z.ids)
			z.ids[v] = id
		}
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

// fold evaluates an integer operation on constants.
func (z *simplifier) fold(op *ir.Operation) *ir.Operation {
	if isConstantOp(op) || op.NumResults() != 1 || !ir.IsInt(op.Result(0).Type) {
		return nil
	}
	in := make([]uint64, op.NumOperands())
	for i, v := range op.Operands() {
		c, ok := constantOf(v)
		if !ok {
			return nil
		}
		in[i] = uint64(c)
	}
	out, err := num.Eval(op, in, z.s.opts.IndexWidth)
	if err != nil {
		return nil
	}
	t := op.Result(0).Type
	c := newConstant(op, num.SignExtend(out[0], t, z.s.opts.IndexWidth), t)
	if t == ir.Type(ir.I1) {
		c.SetAttr("value", ir.BoolAttr(out[0] != 0))
	}
	c.Result(0).Name = op.Result(0).Name
	return c
}

// identity returns the operand that an operation merely passes on, or nil.
func identity(op *ir.Operation) *ir.Value {
	is := func(i int, want int64) bool {
		c, ok := constantOf(op.Operand(i))
		return ok && c == want
	}
	switch op.Name {
	case "arith.addi", "arith.ori", "arith.xori":
		if is(1, 0) {
			return op.Operand(0)
		}
		if is(0, 0) {
			return op.Operand(1)
		}
	case "arith.subi", "arith.shli", "arith.shrsi", "arith.shrui":
		if is(1, 0) {
			return op.Operand(0)
		}
	case "arith.muli":
		if is(1, 1) {
			return op.Operand(0)
		}
		if is(0, 1) {
			return op.Operand(1)
		}
	case "arith.divsi", "arith.divui":
		if is(1, 1) {
			return op.Operand(0)
		}
	case "arith.select":
		if op.Operand(1) == op.Operand(2) {
			return op.Operand(1)
		}
		if c, ok := constantOf(op.Operand(0)); ok {
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
	case "scf.if":
		c, ok := constantOf(op.Operand(0))
		if !ok {
			return false
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
				case o.Name == "scf.yield":
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
	case "scf.for":
		lb, okL := constantOf(op.Operand(0))
		ub, okU := constantOf(op.Operand(1))
		if _, cond := loopKind(op); !okL || !okU || cond != "<" || lb < ub {
			return false
		}
		for i, r := range op.Results() {
			r.ReplaceAllUsesWith(op.Operand(3 + i))
		}
		drop(op)
		return true
	}
	return false
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
			drop(o)
		}
	}
}

// trim removes the loop-carried values of a loop that never change or that
// nobody reads, and the unused or trivial results of an scf.if. It returns op or
// its replacement, which is still to be emitted.
func (z *simplifier) trim(op *ir.Operation) *ir.Operation {
	keep := make([]bool, op.NumResults())
	dropped := false
	switch op.Name {
	case "scf.for":
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
	case "scf.if":
		if len(op.Regions) < 2 || op.Regions[1].Entry() == nil {
			return op
		}
		yt, ye := op.Regions[0].Entry().Terminator(), op.Regions[1].Entry().Terminator()
		for i, r := range op.Results() {
			if t := yt.Operand(i); t == ye.Operand(i) && definedOutside(t, op) {
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
	if op.Name == "scf.for" {
		fixed = 3
	}
	operands := append([]*ir.Value(nil), op.Operands()[:fixed]...)
	var types []ir.Type
	for i, k := range keep {
		if !k {
			continue
		}
		types = append(types, op.Result(i).Type)
		if op.Name == "scf.for" {
			operands = append(operands, op.Operand(fixed+i))
		}
	}
	n := ir.NewOp(op.Name, op.Pos, operands, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	for i := range op.Regions {
		moveRegion(op, i, n)
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
		if op.Name != "scf.for" {
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

// deadCode removes operations whose results nobody reads and that do nothing
// else.
func (z *simplifier) deadCode(b *ir.Block) {
	alive := make([]bool, len(b.Ops))
	for i := len(b.Ops) - 1; i >= 0; i-- {
		op := b.Ops[i]
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				z.deadCode(inner)
			}
		}
		alive[i] = true
		if used(op) {
			continue
		}
		switch {
		case isPure(op), viewsMemory(op), op.Name == "memref.load", op.Name == "memref.alloc", op.Name == "memref.alloca",
			op.Name == "memref.get_global", op.Name == "memref.dim":
			alive[i] = false
		case (op.Name == "scf.if" || op.Name == "scf.for") && !hasSideEffects(op):
			alive[i] = false
		}
		if !alive[i] {
			drop(op)
			z.changed = true
		}
	}
	i := 0
	rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		if alive[i] {
			emit(op)
		}
		i++
	})
}

func used(op *ir.Operation) bool {
	for _, r := range op.Results() {
		if r.HasUses() {
			return true
		}
	}
	return false
}
