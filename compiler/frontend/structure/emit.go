package structure

import (
	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// accelAttr marks a loop, before that the branch back to its head, that the
// programmer marks to be accelerated.
const accelAttr = "loom.accel"

// emitter makes operations of statements and SSA form of variables: env holds
// the value of each at the current insertion point.
type emitter struct {
	g    *graph
	vs   *variables
	env  []*ir.Value
	log  []change
	none map[ir.Type]*ir.Value // undefined values
}

// change is a variable with its value before an assignment.
type change struct {
	variable int
	before   *ir.Value
}

func (e *emitter) assign(v, value *ir.Value) {
	if i, ok := e.vs.number[v]; ok {
		e.set(i, value)
	}
}

func (e *emitter) set(i int, value *ir.Value) {
	e.log = append(e.log, change{i, e.env[i]})
	e.env[i] = value
}

// undo reverts the assignments since mark and returns them.
func (e *emitter) undo(mark int) []change {
	log := e.log[mark:]
	changes := append([]change(nil), log...)
	for i := len(log) - 1; i >= 0; i-- {
		e.env[log[i].variable] = log[i].before
	}
	e.log = e.log[:mark]
	return changes
}

// get is the current form of a value: a variable that was never assigned is
// undefined.
func (e *emitter) get(v *ir.Value) *ir.Value {
	i, ok := e.vs.number[v]
	if !ok || v == nil {
		return v
	}
	return e.value(i)
}

func (e *emitter) value(i int) *ir.Value {
	if w := e.env[i]; w != nil {
		return w
	}
	return e.undefined(e.vs.list[i])
}

func (e *emitter) undefined(v *ir.Value) *ir.Value {
	if w := e.none[v.Type]; w != nil {
		return w
	}
	op := ir.NewOp(opname.UBPoison, e.g.fn.Pos, nil, []ir.Type{v.Type})
	e.g.head = append(e.g.head, op)
	e.none[v.Type] = op.Result(0)
	return op.Result(0)
}

// setLoc gives an operation the location of its position.
func setLoc(op *ir.Operation) {
	if op.Loc == "" {
		op.Loc = mlir.FileLoc(op.Pos)
	}
}

func newOp(name string, pos diag.Pos, operands []*ir.Value, types ...ir.Type) *ir.Operation {
	op := ir.NewOp(name, pos, operands, types)
	setLoc(op)
	return op
}

// list emits statements at the end of a block.
func (e *emitter) list(list []*stmt, into *ir.Block) {
	for _, s := range list {
		switch {
		case s.block != nil:
			e.block(s.block, into)
		case s.copies != nil:
			values := make([]*ir.Value, len(s.copies))
			for i, m := range s.copies {
				values[i] = e.get(m.from)
				if deviate == copiesInOrder {
					e.assign(m.to, values[i])
				}
			}
			for i, m := range s.copies {
				e.assign(m.to, values[i])
			}
		case s.arms != nil:
			e.branch(s, into)
		case s.tests:
			e.tested(s, into)
		default:
			e.loop(s, into)
		}
	}
}

// block moves the operations of a block.
func (e *emitter) block(b *ir.Block, into *ir.Block) {
	ops := b.Ops
	b.Ops = nil
	for _, op := range ops {
		if isBranch(op) {
			op.SetOperands(nil)
			continue
		}
		op.Walk(func(o *ir.Operation) bool {
			for i, v := range o.Operands() {
				if w := e.get(v); w != v {
					o.SetOperand(i, w)
				}
			}
			return true
		})
		for _, r := range op.Results() {
			e.assign(r, r)
		}
		into.Append(op)
	}
}

// branch emits a branch: what its arms assign differently, and is read behind it,
// are results.
func (e *emitter) branch(s *stmt, into *ir.Block) {
	var blocks []*ir.Block
	var ends []map[int]*ir.Value
	assigned := e.vs.empty()
	var chain []*ir.Value
	var on *ir.Value
	var regions []int
	if len(s.arms) > 2 && len(s.arms) <= maxChain+1 && s.values != nil && !e.direct(s) {
		chain = e.conditions(s, into)
	} else {
		on, regions = e.selection(s, into)
	}
	for _, a := range s.arms {
		b := &ir.Block{}
		mark := len(e.log)
		e.list(a, b)
		end := map[int]*ir.Value{}
		for _, c := range e.log[mark:] {
			if s.out.has(c.variable) {
				end[c.variable] = e.env[c.variable]
				assigned.add(c.variable)
			}
		}
		e.undo(mark)
		blocks, ends = append(blocks, b), append(ends, end)
	}
	yields := make([][]*ir.Value, len(s.arms))
	var results []int
	assigned.each(func(i int) {
		var values []*ir.Value
		same := true
		var known *ir.Value
		for _, end := range ends {
			v, ok := end[i]
			if !ok {
				v = e.env[i]
			}
			values = append(values, v)
			if v == nil {
				continue
			}
			if known == nil {
				known = v
			}
			same = same && v == known
		}
		if known == nil || same && !inBlocks(known, blocks) {
			e.set(i, known)
			return
		}
		results = append(results, i)
		for k, v := range values {
			if v == nil {
				v = e.undefined(e.vs.list[i])
			}
			yields[k] = append(yields[k], v)
		}
	})
	types := make([]ir.Type, len(results))
	for k, i := range results {
		types[k] = e.vs.list[i].Type
	}
	if chain != nil {
		op := e.chained(s, chain, blocks, yields, types)
		into.Append(op)
		for k, i := range results {
			op.Result(k).Name = e.vs.list[i].Name
			e.set(i, op.Result(k))
		}
		return
	}
	op := newOp(opname.SCFIf, s.pos, []*ir.Value{on}, types...)
	for _, arm := range regions {
		r := op.AddRegion()
		b := blocks[arm]
		if len(results) == 0 && len(b.Ops) == 0 && arm == 1 && s.values == nil && len(s.arms) == 2 {
			continue // no else
		}
		b.Parent = r
		r.Blocks = append(r.Blocks, b)
		b.Append(newOp(opname.SCFYield, s.pos, yields[arm]))
	}
	if len(s.arms) > 2 {
		e.makeSwitch(op, s)
	}
	into.Append(op)
	for k, i := range results {
		op.Result(k).Name = e.vs.list[i].Name
		e.set(i, op.Result(k))
	}
}

// inBlocks reports whether a value is defined directly in one of the blocks, or
// inside their regions.
func inBlocks(v *ir.Value, blocks []*ir.Block) bool {
	b := v.Block
	if v.Def != nil {
		b = v.Def.Block()
	}
	for b != nil {
		for _, x := range blocks {
			if x == b {
				return true
			}
		}
		if b.Parent == nil || b.Parent.Parent == nil {
			return false
		}
		b = b.Parent.Parent.Block()
	}
	return false
}

// makeSwitch converts the branch that was made of a statement with more than two
// arms to an scf.index_switch, whose default is the first region.
func (e *emitter) makeSwitch(op *ir.Operation, s *stmt) {
	op.Name = opname.SCFIndexSwitch
	cases := &ir.DenseArrayAttr{Elem: ir.I64}
	for i := 1; i < len(s.arms); i++ {
		v := int64(i)
		if !s.dense && len(s.values) > 0 && e.direct(s) {
			v = s.values[i-1][0]
		}
		cases.Values = append(cases.Values, v)
	}
	op.SetAttr("cases", cases)
}

// direct reports whether a switch can be made on the value itself: one case for
// each arm, and no value that an index of 32 bits lacks.
func (e *emitter) direct(s *stmt) bool {
	if w := s.on.Type.(*ir.IntegerType).Width; w > 32 {
		return false
	}
	for _, v := range s.values {
		if len(v) != 1 {
			return false
		}
	}
	return true
}

// selection emits the selector of a branch: a flag for two arms, an integer else.
// regions is the order of the arms in the operation.
func (e *emitter) selection(s *stmt, into *ir.Block) (on *ir.Value, regions []int) {
	on = e.get(s.on)
	for i := range s.arms {
		regions = append(regions, i)
	}
	if s.values == nil {
		return on, regions
	}
	emit := func(name string, t ir.Type, operands ...*ir.Value) *ir.Value {
		return into.Append(newOp(name, s.pos, operands, t)).Result(0)
	}
	if len(s.arms) == 2 {
		return e.is(s, 1, into), []int{1, 0}
	}
	if e.direct(s) {
		return emit(opname.ArithIndexCast, ir.Index, on), regions
	}
	number := e.g.integer(0, ir.Index)
	for arm := len(s.arms) - 1; arm > 0; arm-- {
		number = emit(opname.ArithSelect, ir.Index, e.is(s, arm, into), e.g.integer(int64(arm), ir.Index), number)
	}
	return number, regions
}

// maxChain is how many sets of cases are tested one after the other.
const maxChain = 4

// is emits the condition on which a switch takes an arm.
func (e *emitter) is(s *stmt, arm int, into *ir.Block) *ir.Value {
	on := e.get(s.on)
	var any *ir.Value
	for _, v := range s.values[arm-1] {
		eq := newOp(opname.ArithCmpI, s.pos, []*ir.Value{on, e.g.integer(v, on.Type)}, ir.I1)
		arith.SetPredicate(eq, arith.Eq)
		into.Append(eq)
		if any == nil {
			any = eq.Result(0)
		} else {
			any = into.Append(newOp(opname.ArithOrI, s.pos, []*ir.Value{any, eq.Result(0)}, ir.I1)).Result(0)
		}
	}
	return any
}

// conditions emits those of all arms but the default.
func (e *emitter) conditions(s *stmt, into *ir.Block) []*ir.Value {
	conds := []*ir.Value{nil}
	for arm := 1; arm < len(s.arms); arm++ {
		conds = append(conds, e.is(s, arm, into))
	}
	return conds
}

// chained makes a chain of branches of a switch with sets of cases.
func (e *emitter) chained(s *stmt, conds []*ir.Value, blocks []*ir.Block, yields [][]*ir.Value, types []ir.Type) *ir.Operation {
	for i, b := range blocks {
		b.Append(newOp(opname.SCFYield, s.pos, yields[i]))
	}
	rest := blocks[0]
	for arm := len(blocks) - 1; ; arm-- {
		op := newOp(opname.SCFIf, s.pos, []*ir.Value{conds[arm]}, types...)
		for _, b := range []*ir.Block{blocks[arm], rest} {
			r := op.AddRegion()
			b.Parent = r
			r.Blocks = []*ir.Block{b}
		}
		if arm == 1 {
			return op
		}
		rest = &ir.Block{}
		rest.Append(op)
		rest.Append(newOp(opname.SCFYield, s.pos, op.Results()))
	}
}
