package lower

import (
	"loom/compiler/analysis/loops"
	"loom/compiler/diag"
	"loom/compiler/dialect/dataflow"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// counted is a counted loop under construction: the scf.for, its body, and what
// stands in the body and behind the loop for the values of the scf.while.
type counted struct {
	r    *recogniser
	loop *ir.Operation // the scf.while
	c    count
	emit func(*ir.Operation)

	loopFor *ir.Operation
	body    *ir.Block
	// iv is the induction variable in the body, without bias.
	iv *ir.Value
	// yields are the next values of the iter_args.
	yields []*ir.Value
}

// start emits the bounds and makes the empty loop. inits are the values of the
// iter_args, of which the one numbered repeated, -1 for none, repeats the induction variable.
func (r *recogniser) start(loop *ir.Operation, c count, inits []*ir.Value, repeated int, emit func(*ir.Operation)) *counted {
	k := &counted{r: r, loop: loop, c: c, emit: emit}
	t := c.next.Type
	at := loop.Pos
	lb, ub, step := loop.Operand(c.arg), k.outside(c.bound), k.outside(c.step)
	if c.negate {
		step = k.negated(step)
	}
	outside := rewrite.Maker{Pos: at, Emit: emit}
	switch {
	case c.wide != nil:
		t = c.wide
		how := ir.Signs
		if c.unsigned {
			how = ir.Zeros
		}
		lb, ub, step = extendTo(outside, lb, t, how), extendTo(outside, ub, t, how), extendTo(outside, step, t, ir.Signs)
	case c.unsigned:
		lb, ub = k.bias(lb, emit, at), k.bias(ub, emit, at)
	}
	if c.once {
		ub = behindFirst(outside, c.cond, lb, ub)
	}
	if repeated >= 0 {
		inits[repeated] = lb
	}
	var types []ir.Type
	for _, v := range inits {
		types = append(types, v.Type)
	}
	k.loopFor = ir.NewOp(opname.SCFFor, at, append([]*ir.Value{lb, ub, step}, inits...), types)
	k.loopFor.Loc = loop.Loc
	if c.stepOp != "+=" || c.cond != "<" {
		k.loopFor.SetAttr(loops.StepOpAttr, ir.StrAttr(c.stepOp))
		k.loopFor.SetAttr(loops.ContCondAttr, ir.StrAttr(c.cond))
	} else if c.mayWrap {
		k.loopFor.SetAttr(loops.MayWrapAttr, &ir.UnitAttr{})
	}
	k.body = k.loopFor.AddRegion().AddBlock()
	k.iv = k.body.AddArg(t, loop.Regions[0].Entry().Args[c.arg].Name, at)
	for _, v := range inits {
		k.body.AddArg(v.Type, v.Name, at)
	}
	k.iv = k.source(k.iv, func(o *ir.Operation) { k.body.Append(o) })
	return k
}

// source is what the source has for a value that the loop counts with: without bias, in its own width.
func (k *counted) source(v *ir.Value, emit func(*ir.Operation)) *ir.Value {
	switch {
	case k.c.wide != nil:
		n := rewrite.Maker{Pos: k.loop.Pos, Emit: emit}.Op(opname.ArithTruncI, k.c.next.Type, v)
		n.Name = v.Name
		return n
	case k.c.unsigned:
		return k.bias(v, emit, k.loop.Pos)
	}
	return v
}

// behindFirst is the bound of a loop that tests last, with which it also runs once where it tests first: one that its
// start has not reached yet.
func behindFirst(m rewrite.Maker, cond string, lb, ub *ir.Value) *ir.Value {
	by := int64(0)
	name := opname.ArithMaxSI
	switch cond {
	case "<":
		by = 1
	case ">":
		by, name = -1, opname.ArithMinSI
	case ">=":
		name = opname.ArithMinSI
	}
	first := lb
	if k, ok := lb.ConstantInt(); ok {
		first = m.Integer(k+by, lb.Type)
	} else if by != 0 {
		first = m.Op(opname.ArithAddI, lb.Type, lb, m.Integer(by, lb.Type))
	}
	return m.Op(name, lb.Type, ub, first)
}

// extendTo is a value in a wider type, a constant for a constant.
func extendTo(m rewrite.Maker, v *ir.Value, t ir.Type, how ir.Extension) *ir.Value {
	if k, ok := v.ConstantInt(); ok {
		if w, _ := ir.BitWidth(v.Type, 0); how == ir.Zeros {
			k &= int64(1)<<w - 1
		}
		return m.Integer(k, t)
	}
	return m.Op(extends(how), t, v)
}

// outside returns a value that is unchanged in the loop for use before it:
// constants inside are made again.
func (k *counted) outside(v *ir.Value) *ir.Value {
	if rewrite.Outside(v, k.loop) {
		return v
	}
	n := v.Def.Clone(map[*ir.Value]*ir.Value{})
	k.emit(n)
	return n.Result(0)
}

// negated emits -v.
func (k *counted) negated(v *ir.Value) *ir.Value {
	if n, ok := v.ConstantInt(); ok {
		w, _ := ir.BitWidth(v.Type, k.r.s.opts.IndexWidth)
		c := rewrite.Constant(k.loop.Pos, -n<<(64-w)>>(64-w), v.Type)
		c.Result(0).Name = "step"
		k.emit(c)
		return c.Result(0)
	}
	zero := rewrite.Constant(k.loop.Pos, 0, v.Type)
	k.emit(zero)
	n := ir.NewOp(opname.ArithSubI, k.loop.Pos, []*ir.Value{zero.Result(0), v}, []ir.Type{v.Type})
	n.Result(0).Name = "step"
	k.emit(n)
	return n.Result(0)
}

// bias adds the sign bit: the order of unsigned values becomes that of signed
// ones.
func (k *counted) bias(v *ir.Value, emit func(*ir.Operation), at diag.Pos) *ir.Value {
	w, _ := ir.BitWidth(v.Type, k.r.s.opts.IndexWidth)
	sign := rewrite.Constant(k.loop.Pos, -1<<(w-1), v.Type)
	emit(sign)
	x := ir.NewOp(opname.ArithXOrI, at, []*ir.Value{v, sign.Result(0)}, []ir.Type{v.Type})
	x.Result(0).Name = v.Name
	emit(x)
	return x.Result(0)
}

// repeat makes the iter_arg that repeats the induction variable: its initial
// value, which start must have been given, and its step. In "dataflow" it costs
// nothing but the split of the stream.
func (k *counted) repeat(arg *ir.Value) *ir.Value {
	n := ir.NewOp(dataflow.StepOperations[k.c.stepOp], k.c.next.Def.Pos, []*ir.Value{arg, k.loopFor.Operand(2)}, []ir.Type{arg.Type})
	k.body.Append(n)
	return n.Result(0)
}

// finish ends the body and emits the loop.
func (k *counted) finish() {
	k.body.Append(ir.NewOp(opname.SCFYield, k.loop.Pos, k.yields, nil))
	k.emit(k.loopFor)
}

// fromTop builds the loop of an scf.while that tests first.
func (r *recogniser) fromTop(loop *ir.Operation, c count, emit func(*ir.Operation)) {
	before, after := loop.Regions[0].Entry(), loop.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	// Every other value of the loop is an iter_arg; behind the loop the counter
	// is one as well if it has uses.
	var inits []*ir.Value
	position := map[int]int{}
	for i, v := range loop.Operands() {
		if i != c.arg {
			position[i] = len(inits)
			inits = append(inits, v)
		}
	}
	repeated := -1
	if r.readAtExit(loop, before, cond, before.Args[c.arg]) {
		repeated = len(inits)
		inits = append(inits, loop.Operand(c.arg))
	}
	k := r.start(loop, c, inits, repeated, emit)

	// The before-region's values, in the body and behind the loop.
	inBody, atExit := map[*ir.Value]*ir.Value{}, map[*ir.Value]*ir.Value{}
	for i, a := range before.Args {
		if i == c.arg {
			inBody[a] = k.iv
		} else {
			inBody[a] = k.body.Args[1+position[i]]
		}
	}
	k.copyPure(before, cond, inBody, func(o *ir.Operation) { k.body.Append(o) })
	for i, v := range cond.Operands()[1:] {
		after.Args[i].ReplaceAllUsesWith(image(inBody, v))
	}
	for _, op := range append([]*ir.Operation(nil), after.Ops...) {
		if op != yield {
			k.body.Append(op)
		}
	}
	for i, v := range yield.Operands() {
		if i != c.arg {
			k.yields = append(k.yields, v)
		}
	}
	if repeated >= 0 {
		k.yields = append(k.yields, k.repeat(k.body.Args[1+repeated]))
	}
	k.finish()

	for i, a := range before.Args {
		if i != c.arg {
			atExit[a] = k.loopFor.Result(position[i])
		}
	}
	if repeated >= 0 {
		atExit[before.Args[c.arg]] = k.source(k.loopFor.Result(repeated), emit)
	}
	k.copyRead(loop, before, cond, atExit, emit)
	for i, res := range loop.Results() {
		if res.HasUses() {
			res.ReplaceAllUsesWith(image(atExit, cond.Operand(1+i)))
		}
	}
	release(loop)
}

// readAtExit reports whether a result of the loop that is read depends on v.
func (r *recogniser) readAtExit(loop *ir.Operation, before *ir.Block, cond *ir.Operation, v *ir.Value) bool {
	for _, w := range r.exitValues(loop, before, cond) {
		if w == v {
			return true
		}
	}
	return false
}

// exitValues are the before-region's values that results in use depend on,
// definitions before uses.
func (r *recogniser) exitValues(loop *ir.Operation, before *ir.Block, cond *ir.Operation) []*ir.Value {
	var out []*ir.Value
	seen := map[*ir.Value]bool{}
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		if seen[v] || rewrite.Outside(v, loop) {
			return
		}
		seen[v] = true
		if v.Def != nil {
			for _, w := range v.Def.Operands() {
				visit(w)
			}
		}
		out = append(out, v)
	}
	for i, res := range loop.Results() {
		if res.HasUses() {
			visit(cond.Operand(1 + i))
		}
	}
	return out
}

// copyPure makes the operations of the before-region again, without the test.
func (k *counted) copyPure(before *ir.Block, cond *ir.Operation, m map[*ir.Value]*ir.Value, emit func(*ir.Operation)) {
	for _, op := range before.Ops {
		if op != cond {
			emit(op.Clone(m))
		}
	}
}

// copyRead makes those operations of the before-region again that results need.
func (k *counted) copyRead(loop *ir.Operation, before *ir.Block, cond *ir.Operation, m map[*ir.Value]*ir.Value, emit func(*ir.Operation)) {
	for _, v := range k.r.exitValues(loop, before, cond) {
		if v.Def != nil && m[v] == nil {
			emit(v.Def.Clone(m))
		}
	}
}

// fromBottom builds the loop of an scf.while that tests last and is known to
// pass its first test.
func (r *recogniser) fromBottom(loop *ir.Operation, c count, emit func(*ir.Operation)) {
	before, after := loop.Regions[0].Entry(), loop.Regions[1].Entry()
	cond, yield := before.Terminator(), after.Terminator()
	forwarded := func(v *ir.Value) *ir.Value {
		if v.Block == after {
			return cond.Operand(1 + v.Index)
		}
		return v
	}
	var inits, ends []*ir.Value // of the iter_args, and what they yield
	position := map[int]int{}
	for i, v := range loop.Operands() {
		if i != c.arg {
			position[i] = len(inits)
			inits = append(inits, v)
			ends = append(ends, forwarded(yield.Operand(i)))
		}
	}
	// Results: a value that an iter_arg yields, the counter, or one more
	// iter_arg, whose initial value is never read because the loop runs.
	from := make([]int, loop.NumResults())
	repeated := -1
	for i, res := range loop.Results() {
		from[i] = -1
		v := cond.Operand(1 + i)
		if !res.HasUses() || rewrite.Outside(v, loop) {
			continue
		}
		if v == c.next {
			if repeated < 0 {
				repeated = len(inits)
				inits, ends = append(inits, loop.Operand(c.arg)), append(ends, nil)
			}
			from[i] = repeated
			continue
		}
		for j, e := range ends {
			if e == v {
				from[i] = j
			}
		}
		if from[i] < 0 {
			zero := zeroOf(loop, v.Type)
			emit(zero)
			from[i] = len(inits)
			inits, ends = append(inits, zero.Result(0)), append(ends, v)
		}
	}
	k := r.start(loop, c, inits, repeated, emit)
	for i, a := range before.Args {
		if i == c.arg {
			a.ReplaceAllUsesWith(k.iv)
		} else {
			a.ReplaceAllUsesWith(k.body.Args[1+position[i]])
		}
	}
	for j, e := range ends {
		// An argument that is passed on has been replaced by now.
		if e != nil && e.Block == before {
			if e.Index == c.arg {
				ends[j] = k.iv
			} else {
				ends[j] = k.body.Args[1+position[e.Index]]
			}
		}
	}
	for _, op := range append([]*ir.Operation(nil), before.Ops...) {
		if op != cond {
			k.body.Append(op)
		}
	}
	for _, op := range append([]*ir.Operation(nil), after.Ops...) {
		if op != yield {
			k.body.Append(op) // constants
		}
	}
	for j, e := range ends {
		if j == repeated {
			e = k.repeat(k.body.Args[1+repeated])
		}
		k.yields = append(k.yields, e)
	}
	k.finish()
	for i, res := range loop.Results() {
		switch {
		case !res.HasUses():
		case from[i] < 0:
			res.ReplaceAllUsesWith(cond.Operand(1 + i))
		case from[i] == repeated:
			res.ReplaceAllUsesWith(k.source(k.loopFor.Result(repeated), emit))
		default:
			res.ReplaceAllUsesWith(k.loopFor.Result(from[i]))
		}
	}
	release(loop)
}

// zeroOf is the constant zero of any scalar type, detached.
func zeroOf(like *ir.Operation, t ir.Type) *ir.Operation {
	if _, isFloat := t.(*ir.FloatType); isFloat {
		c := ir.NewOp(opname.ArithConstant, like.Pos, nil, []ir.Type{t})
		c.SetAttr("value", &ir.FloatAttr{Type: t})
		return c
	}
	return rewrite.Constant(like.Pos, 0, t)
}

// release drops what is left of the scf.while: operations that were not moved.
func release(loop *ir.Operation) {
	for _, r := range loop.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.Block() == b {
					rewrite.Drop(op)
				}
			}
		}
	}
	loop.Regions = nil
	loop.SetOperands(nil)
}

func image(m map[*ir.Value]*ir.Value, v *ir.Value) *ir.Value {
	if w := m[v]; w != nil {
		return w
	}
	return v
}
