package structure

import (
	"loom/compiler/ir"
)

// countLoops recognises loops that count. Compilers turn a loop around: they ask
// its test once before it and then at its end. Such a loop is turned back, so that
// it tests first, where its first test is known to hold; one that counts upwards to
// a bound becomes an scf.for, all others stay an scf.while that tests first, which
// the lowering makes a stream of all the same. A branch that only asks the first
// test goes. It reports whether anything changed.
func countLoops(fn *ir.Operation) bool {
	k := &counter{}
	k.block(fn.Regions[0].Entry())
	return k.changed
}

type counter struct{ changed bool }

func (k *counter) block(b *ir.Block) {
	for i := 0; i < len(b.Ops); i++ {
		op := b.Ops[i]
		if op.Name == "scf.while" {
			// What comes in front of the loop moves it back, also where the loop
			// stays as it is.
			at := len(b.Ops)
			if n := k.convert(op); n != nil {
				k.changed = true
				op = n
			}
			i += len(b.Ops) - at
		}
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				k.block(inner)
			}
		}
		if op.Name == "scf.for" && mergeInductions(op) {
			k.changed = true
		}
		if op.Name == "scf.if" && (k.decided(op) || dropGuard(op)) {
			k.changed = true
			i = max(i-2, -1)
		}
	}
}

// decided takes the arm of a branch whose condition is known from what is around
// it; it reports whether op is gone.
func (k *counter) decided(op *ir.Operation) bool {
	cmp := op.Operand(0).Def
	if cmp == nil || cmp.Name != "arith.cmpi" {
		return false
	}
	pred, _ := cmp.IntAttr("predicate")
	p := proverAt(op)
	arm := -1
	switch {
	case p.proves(pred, cmp.Operand(0), cmp.Operand(1)):
		arm = 0
	case p.proves(negatedPred(pred), cmp.Operand(0), cmp.Operand(1)):
		arm = 1
	default:
		return false
	}
	var values []*ir.Value
	if b := op.Regions[arm].Entry(); b != nil {
		values = splice(b, func(o *ir.Operation) { op.Block().InsertBefore(op, o) })
	}
	replaceResults(op, values)
	drop(op)
	op.Unlink()
	return true
}

// convert turns a loop back and makes it an scf.for if it can; it returns what
// stands in its place, nil if nothing changed.
func (k *counter) convert(op *ir.Operation) *ir.Operation {
	var out *ir.Operation
	if n := turnBack(op); n != nil {
		op, out = n, n
	}
	if n := toFor(op); n != nil {
		out = n
	}
	return out
}

// test is the condition of a loop as a comparison of what it carries: that of
// values at the head of an iteration which decides whether it takes place.
type test struct {
	pred int64
	// x and y are arguments of the first region or values from outside.
	x, y *ir.Value
}

// at is the test with the values that the loop starts with.
func (t test) at(op *ir.Operation) (x, y *ir.Value) {
	init := func(v *ir.Value) *ir.Value {
		if v.Block == op.Regions[0].Entry() {
			return op.Operand(v.Index)
		}
		return v
	}
	return init(t.x), init(t.y)
}

// passedOn follows an argument of the second region of an scf.while to what the
// first passes.
func passedOn(op *ir.Operation, v *ir.Value) *ir.Value {
	if v.Block == op.Regions[1].Entry() && v.Def == nil {
		return op.Regions[0].Entry().Terminator().Operand(1 + v.Index)
	}
	return v
}

// nextOf is the value of argument i in the next iteration of an scf.while.
func nextOf(op *ir.Operation, i int) *ir.Value {
	return passedOn(op, op.Regions[1].Entry().Terminator().Operand(i))
}

// stepOf matches argument i of an scf.while that grows by a constant.
func stepOf(op *ir.Operation, i int) (step int64, ok bool) {
	return constantStep(nextOf(op, i), func(v *ir.Value) bool {
		return passedOn(op, v) == op.Regions[0].Entry().Args[i]
	})
}

// constantStep matches a value that is a counter plus a constant.
func constantStep(next *ir.Value, counter func(*ir.Value) bool) (int64, bool) {
	d := next.Def
	if d == nil || d.Name != "arith.addi" && d.Name != "arith.subi" {
		return 0, false
	}
	a, b := d.Operand(0), d.Operand(1)
	if d.Name == "arith.addi" && !counter(a) {
		a, b = b, a
	}
	s, ok := constantOf(b)
	if !ok || !counter(a) || s == 0 || s == smallest(widthOf(b.Type)) {
		return 0, false
	}
	if d.Name == "arith.subi" {
		s = -s
	}
	return s, true
}

// testedLast reports whether a loop only passes values on in its second region.
func testedLast(op *ir.Operation) bool {
	return len(op.Regions[1].Entry().Ops) == 1 && len(op.Regions[0].Entry().Ops) > 2
}

// testAtEnd reads the test of a loop that is tested at its end: a comparison of
// next values, expressed in the values they become.
func testAtEnd(op *ir.Operation) (t test, ok bool) {
	before := op.Regions[0].Entry()
	cmp := before.Terminator().Operand(0).Def
	if cmp == nil || cmp.Name != "arith.cmpi" || cmp.Block() != before {
		return t, false
	}
	t.pred, _ = cmp.IntAttr("predicate")
	head := func(v *ir.Value) *ir.Value {
		if outside(v, op) {
			return v
		}
		for i, a := range before.Args {
			if nextOf(op, i) == v {
				return a
			}
		}
		return nil
	}
	t.x, t.y = head(cmp.Operand(0)), head(cmp.Operand(1))
	if t.x != nil && t.y != nil {
		return t.ordered(op)
	}
	// A test of the value before its step.
	t.x, t.y = cmp.Operand(0), cmp.Operand(1)
	if t.x.Block != before {
		t.x, t.y, t.pred = t.y, t.x, swappedPred(t.pred)
	}
	if t.x.Block != before || !outside(t.y, op) {
		return t, false
	}
	return t.stepped(op)
}

// ordered puts what the loop carries first.
func (t test) ordered(op *ir.Operation) (test, bool) {
	before := op.Regions[0].Entry()
	if t.x.Block != before {
		t.x, t.y, t.pred = t.y, t.x, swappedPred(t.pred)
	}
	return t, t.x.Block == before
}

// stepped turns "x p c", asked of the value x before its step s, into what it says
// of x + s. For an order it must be sure that no x of the loop wraps in its step:
// all of them lie beyond c + s, the bound of the new test.
func (t test) stepped(op *ir.Operation) (test, bool) {
	s, ok := stepOf(op, t.x.Index)
	if !ok {
		return t.shrunk(op)
	}
	if deviate == stepIgnored {
		return t, true
	}
	c, constant := constantOf(t.y)
	w := widthOf(t.y.Type)
	if !constant && t.pred <= predNe {
		// What wraps on one side wraps on the other.
		t.y = newOp("arith.addi", op.Pos, []*ir.Value{t.y, newInteger(op, s, t.y.Type)}, t.y.Type).Result(0)
		return t, true
	}
	if !constant || w > 62 && w != 64 || t.y.Type == ir.Type(ir.Index) {
		return t, false
	}
	lo, hi := smallest(w), largest(w)
	if w == 64 && (c > 1<<40 || c < -1<<40 || s > 1<<40 || s < -1<<40) {
		return t, false
	}
	if t.pred >= predUlt {
		if w == 64 && c < 0 || w == 64 && t.pred < predUgt {
			return t, false
		}
		lo = 0
		if w < 64 {
			hi = 1<<w - 1
			c &= hi
		}
	}
	switch t.pred {
	case predEq, predNe:
		bound := (c + s) << (64 - w) >> (64 - w)
		t.y = newInteger(op, bound, t.y.Type)
		return t, true
	case predSgt, predSge, predUgt, predUge:
		// x >= c + s, so x + s >= c + 2s.
		if s > 0 || c+s < lo || c+2*s+1 < lo || t.pred&1 == 1 && c+2*s < lo {
			return t, false
		}
	default:
		if s < 0 || c+s > hi || c+2*s > hi {
			return t, false
		}
	}
	t.y = newInteger(op, (c+s)<<(64-w)>>(64-w), t.y.Type)
	return t, true
}

// shrunk turns "x > d - 1" into "x / d is not 0 yet", for a loop whose values are
// divided by d or shifted.
func (t test) shrunk(op *ir.Operation) (test, bool) {
	next := nextOf(op, t.x.Index).Def
	if next == nil || next.NumOperands() != 2 || passedOn(op, next.Operand(0)) != t.x {
		return t, false
	}
	d, ok := constantOf(next.Operand(1))
	c, constant := constantOf(t.y)
	if !ok || !constant || t.x.Type == ir.Type(ir.Index) {
		return t, false
	}
	if next.Name == "arith.shrui" || next.Name == "arith.shrsi" {
		if d < 1 || d > 30 || d >= int64(widthOf(t.x.Type)-1) {
			return t, false
		}
		d = 1 << d
	}
	if t.pred == predUge || t.pred == predSge {
		c, t.pred = c-1, t.pred-1 // predUgt, predSgt
	}
	switch {
	case d < 2 || c != d-1:
		return t, false
	case (next.Name == "arith.shrui" || next.Name == "arith.divui") && t.pred == predUgt:
		t.pred = predNe
	case (next.Name == "arith.shrsi" || next.Name == "arith.divsi") && t.pred == predSgt:
	default:
		return t, false
	}
	t.y = newInteger(op, 0, t.x.Type)
	return t, true
}

// newInteger makes a constant that stands nowhere yet; place puts it in front of op
// when it is needed.
func newInteger(op *ir.Operation, value int64, t ir.Type) *ir.Value {
	return newConstant(op.Pos, value, t).Result(0)
}

func place(op *ir.Operation, v *ir.Value) *ir.Value {
	if v.Def != nil && v.Def.Block() == nil {
		for _, w := range v.Def.Operands() {
			place(op, w)
		}
		op.Block().InsertBefore(op, v.Def)
	}
	return v
}

// endless is how often no loop of a run that ends iterates. A counter of 64 bits
// that starts below it and counts by one does not reach the numbers with the sign
// bit, nor its bound the other way round.
const endless = int64(1) << 62

// strengthen turns the test "not yet at the bound" into an order where the counter
// approaches the bound in steps of one from the right side: it says where the
// counter lies, and what scf.for asks.
func (t test) strengthen(op *ir.Operation, p *prover) test {
	s, ok := stepOf(op, t.x.Index)
	if !ok || t.pred != predNe || !outside(t.y, op) {
		return t
	}
	init, bound := t.at(op)
	switch {
	case s == 1 && (p.proves(predSle, init, bound) || startsLow(p, init) || deviate == orderUnproven):
		t.pred = predSlt
	case s == -1 && p.proves(predSge, init, bound):
		t.pred = predSgt
	}
	return t
}

// startsLow reports whether a counter is so wide, and starts so low, that it never
// gets to the end of its numbers.
func startsLow(p *prover, init *ir.Value) bool {
	r := p.of(init, depthOfProofs)
	return init.Type == ir.Type(ir.I64) && r.lo >= 0 && r.hi <= endless
}

// turnBack makes a loop that is tested at its end test first, if the first test is
// known to hold. It returns the new loop.
func turnBack(op *ir.Operation) *ir.Operation {
	if !testedLast(op) {
		return nil
	}
	t, ok := testAtEnd(op)
	if !ok {
		return nil
	}
	p := proverAt(op)
	x, y := t.at(op)
	if !p.proves(t.pred, x, y) && deviate != firstUnproven {
		return nil
	}
	t = t.strengthen(op, p)
	place(op, t.y)
	before, after := op.Regions[0].Entry(), op.Regions[1].Entry()
	cond := before.Terminator()
	inits := append([]*ir.Value(nil), op.Operands()...)
	var next []*ir.Value
	for i := range before.Args {
		next = append(next, nextOf(op, i))
	}
	// What the last iteration computed, and somebody reads behind the loop, is
	// carried on.
	from := make([]int, op.NumResults())
	for i, r := range op.Results() {
		from[i] = -1
		v := cond.Operand(1 + i)
		if !r.HasUses() {
			continue
		}
		for k, n := range next {
			if n == v && from[i] < 0 {
				from[i] = k
			}
		}
		if from[i] < 0 {
			from[i] = len(next)
			next = append(next, v)
			inits = append(inits, poisonBefore(op, v.Type))
		}
	}
	var types []ir.Type
	for _, v := range inits {
		types = append(types, v.Type)
	}
	n := ir.NewOp("scf.while", op.Pos, inits, types)
	n.Attrs, n.Loc = op.Attrs, op.Loc
	head, body := n.AddRegion().AddBlock(), n.AddRegion().AddBlock()
	for i, v := range inits {
		name := ""
		if i < len(before.Args) {
			name = before.Args[i].Name
		} else {
			name = next[i].Name
		}
		head.AddArg(v.Type, name, op.Pos)
		body.AddArg(v.Type, name, op.Pos)
		n.Result(i).Name = name
	}
	inHead := func(v *ir.Value) *ir.Value {
		if v.Block == before {
			return head.Args[v.Index]
		}
		return v
	}
	m := maker{cond.Pos, func(o *ir.Operation) { head.Append(o) }}
	c := m.compare(t.pred, inHead(t.x), inHead(t.y))
	head.Append(newOp("scf.condition", cond.Pos, append([]*ir.Value{c}, head.Args...)))
	for i, v := range next {
		if v.Block == before && v.Def == nil {
			next[i] = body.Args[v.Index]
		}
	}
	for i, a := range before.Args {
		a.ReplaceAllUsesWith(body.Args[i])
	}
	yieldPos := after.Terminator().Pos
	ops := before.Ops
	before.Ops = nil
	for _, o := range ops[:len(ops)-1] {
		body.Append(o)
	}
	body.Append(newOp("scf.yield", yieldPos, next))
	for i, r := range op.Results() {
		if from[i] >= 0 {
			if name := r.Name; name != "" {
				n.Result(from[i]).Name = name
			}
			r.ReplaceAllUsesWith(n.Result(from[i]))
		}
	}
	cond.SetOperands(nil)
	replaceOp(op, n)
	return n
}

func poisonBefore(op *ir.Operation, t ir.Type) *ir.Value {
	p := newOp("ub.poison", op.Pos, nil, t)
	op.Block().InsertBefore(op, p)
	return p.Result(0)
}

// replaceOp puts n where op stands; op goes.
func replaceOp(op, n *ir.Operation) {
	op.Block().InsertBefore(op, n)
	drop(op)
	op.Unlink()
}
