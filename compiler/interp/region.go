package interp

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// terminators are the operations that end a block; the handler of the region's
// owner checks for the one it expects.
var terminators = map[string]bool{
	opname.FuncReturn: true, opname.SCFYield: true, opname.SCFCondition: true, opname.SCFReduce: true,
	opname.SCFReduceReturn: true, opname.SCFForallInParallel: true, opname.MemRefAllocaScopeReturn: true,
	opname.CFBr: true, opname.CFCondBr: true, opname.CFSwitch: true, opname.UBUnreachable: true, opname.LLVMUnreachable: true,
}

// region is a compiled region: its blocks, run from the first.
type region struct{ entry *block }

// block is straight-line code and a terminator.
type block struct {
	pos  diag.Pos
	cost int64 // steps of one execution
	work int64 // work of one execution
	code []instr
	// leave moves the terminator's operands to the slots of the region's owner, when
	// next is nil.
	leave moves
	// next chooses the successor and moves its arguments; nil leaves the region.
	next func(fr *frame) (*block, *fault)
}

// run executes the region once.
func (r *region) run(fr *frame) *fault {
	for b := r.entry; ; {
		st := fr.st
		if st.steps += b.cost; st.steps > st.maxSteps {
			return st.charge(0, b.pos)
		}
		st.work += b.work
		for _, in := range b.code {
			if f := in(fr); f != nil {
				return f
			}
		}
		if b.next == nil {
			b.leave.do(fr)
			return nil
		}
		next, f := b.next(fr)
		if f != nil {
			return f
		}
		b = next
	}
}

// moves copies slots to slots as one parallel assignment.
type moves struct {
	scalars []pair
	views   []pair
	// parallel is set if a destination is also a later source, so that the
	// copy needs a buffer.
	parallel bool
	buffer   int // first scratch slot
	viewBuf  int
}

type pair struct{ from, to int }

// move makes the copy of from to to; the kinds must agree.
func (c *compiler) move(pos diag.Pos, from, to []slot) moves {
	var m moves
	if len(from) != len(to) {
		c.errorf(pos, "%d values are passed where %d are expected", len(from), len(to))
		return m
	}
	written := map[slot]bool{}
	for i := range from {
		switch {
		case from[i].kind == noKind || to[i].kind == noKind:
			continue // reported elsewhere
		case from[i].kind != to[i].kind:
			c.errorf(pos, "value %d is passed as another kind of value", i)
			continue
		case from[i] == to[i]:
			// Keeps its value: destinations are distinct, so no earlier move has
			// overwritten it.
			continue
		}
		m.parallel = m.parallel || written[from[i]]
		written[to[i]] = true
		p := pair{from[i].index, to[i].index}
		if from[i].kind == scalarKind {
			m.scalars = append(m.scalars, p)
		} else {
			m.views = append(m.views, p)
		}
	}
	if m.parallel {
		m.buffer, m.viewBuf = c.fn.scalars, c.fn.views
		c.fn.scalars += len(m.scalars)
		c.fn.views += len(m.views)
	}
	return m
}

func (m *moves) do(fr *frame) {
	if !m.parallel {
		for _, p := range m.scalars {
			fr.v[p.to] = fr.v[p.from]
		}
		for _, p := range m.views {
			fr.m[p.to] = fr.m[p.from]
		}
		return
	}
	for i, p := range m.scalars {
		fr.v[m.buffer+i] = fr.v[p.from]
	}
	for i, p := range m.views {
		fr.m[m.viewBuf+i] = fr.m[p.from]
	}
	for i, p := range m.scalars {
		fr.v[p.to] = fr.v[m.buffer+i]
	}
	for i, p := range m.views {
		fr.m[p.to] = fr.m[m.viewBuf+i]
	}
}

// region compiles a region whose terminator of that name passes its operands to
// the slots dest. The arguments of the entry block must be defined before.
func (c *compiler) region(r *ir.Region, dest []slot, terminator string) *region {
	return c.regionWith(r, terminator, func(t *ir.Operation, b *block) {
		b.leave = c.move(t.Pos, c.useAll(t, 0, t.NumOperands()), dest)
	})
}

// regionWith compiles a region; end finishes a block that leaves it by the
// terminator of that name.
func (c *compiler) regionWith(r *ir.Region, terminator string, end func(t *ir.Operation, b *block)) *region {
	owner := r.Parent
	if r.Entry() == nil {
		c.errorf(owner.Pos, "a region of '%s' is empty", owner.Name)
		return &region{}
	}
	if c.depth++; c.depth > maxNesting {
		c.errorf(owner.Pos, "regions are nested more than %d deep", maxNesting)
		return &region{}
	}
	defer func() { c.depth-- }()
	blocks := make(map[*ir.Block]*block, len(r.Blocks))
	for i, b := range r.Blocks {
		blocks[b] = &block{pos: owner.Pos}
		if i > 0 {
			c.defineAll(b.Args, owner.Pos)
		}
	}
	order := r.Blocks
	if len(order) > 1 {
		order = c.dominanceOrder(r)
	}
	for _, b := range order {
		cb := blocks[b]
		t := b.Terminator()
		if t == nil || !terminators[t.Name] {
			// The only blocks without a terminator are those of operations that
			// imply an empty one.
			c.errorf(owner.Pos, "a block of '%s' does not end in '%s'", owner.Name, terminator)
			continue
		}
		cb.pos = b.Ops[0].Pos
		for _, op := range b.Ops[:len(b.Ops)-1] {
			if in := c.operation(op); in != nil {
				cb.code = append(cb.code, c.profiled(op, in))
			}
			if Works(op) {
				cb.work++
			}
		}
		cb.cost = int64(len(b.Ops))
		switch t.Name {
		case terminator:
			end(t, cb)
		case opname.CFBr, opname.CFCondBr, opname.CFSwitch:
			c.branch(t, cb, blocks)
		case opname.UBUnreachable, opname.LLVMUnreachable:
			pos := t.Pos
			cb.next = func(*frame) (*block, *fault) { return nil, faultf(pos, 0, "unreachable code is reached") }
		default:
			c.errorf(t.Pos, "'%s' cannot end a block of '%s'", t.Name, owner.Name)
		}
	}
	return &region{entry: blocks[r.Entry()]}
}

// dominanceOrder lists the reachable blocks so that definitions come before
// uses: depth-first reverse postorder, without recursion.
func (c *compiler) dominanceOrder(r *ir.Region) []*ir.Block {
	type visit struct {
		b    *ir.Block
		next int
	}
	inside := map[*ir.Block]bool{}
	for _, b := range r.Blocks {
		inside[b] = true
	}
	seen := map[*ir.Block]bool{r.Entry(): true}
	stack := []visit{{r.Entry(), 0}}
	var post []*ir.Block
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		t := top.b.Terminator()
		if t == nil || top.next >= len(t.Succs) {
			post = append(post, top.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := t.Succs[top.next].Block
		top.next++
		if inside[s] && !seen[s] {
			seen[s] = true
			stack = append(stack, visit{s, 0})
		}
	}
	for i, j := 0, len(post)-1; i < j; i, j = i+1, j-1 {
		post[i], post[j] = post[j], post[i]
	}
	return post
}

// branch compiles the terminators of cf.
func (c *compiler) branch(t *ir.Operation, b *block, blocks map[*ir.Block]*block) {
	targets := make([]*block, len(t.Succs))
	args := make([]moves, len(t.Succs))
	for i, s := range t.Succs {
		targets[i] = blocks[s.Block]
		if targets[i] == nil || s.First < 0 || s.Count < 0 || s.First+s.Count > t.NumOperands() {
			c.errorf(t.Pos, "'%s' branches out of its region", t.Name)
			return
		}
		dest := make([]slot, len(s.Block.Args))
		for j, a := range s.Block.Args {
			dest[j] = c.slots[a]
		}
		args[i] = c.move(t.Pos, c.useAll(t, s.First, s.First+s.Count), dest)
	}
	take := func(fr *frame, i int) (*block, *fault) {
		args[i].do(fr)
		return targets[i], nil
	}
	switch {
	case t.Name == opname.CFBr && len(targets) == 1:
		b.next = func(fr *frame) (*block, *fault) { return take(fr, 0) }
	case t.Name == opname.CFCondBr && len(targets) == 2:
		cond := c.useKind(t, 0, scalarKind)
		b.next = func(fr *frame) (*block, *fault) {
			if fr.v[cond] != 0 {
				return take(fr, 0)
			}
			return take(fr, 1)
		}
	case t.Name == opname.CFSwitch && len(targets) >= 1:
		flag := c.useKind(t, 0, scalarKind)
		var cases []ir.Attr
		if a, ok := t.Attr("case_values").(*ir.DenseElementsAttr); ok {
			cases = a.Values
			for a.Splat && len(cases) > 0 && len(cases) < len(targets)-1 {
				cases = append(cases, cases[0])
			}
		}
		index := map[uint64]int{}
		for i, a := range cases {
			v, ok := a.(*ir.IntegerAttr)
			if !ok {
				c.errorf(t.Pos, "'%s' has a case that is no integer", t.Name)
				return
			}
			bits := truncate(uint64(v.Value), t.Operand(0).Type, c.indexWidth())
			if _, dup := index[bits]; !dup {
				index[bits] = i + 1
			}
		}
		if len(cases) != len(targets)-1 {
			c.errorf(t.Pos, "'%s' has %d cases for %d successors", t.Name, len(cases), len(targets))
			return
		}
		b.next = func(fr *frame) (*block, *fault) { return take(fr, index[fr.v[flag]]) }
	default:
		c.errorf(t.Pos, "'%s' has %d successors", t.Name, len(targets))
	}
}
