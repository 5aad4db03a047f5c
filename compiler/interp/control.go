package interp

import (
	"fmt"

	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/sim/vector"
)

func truncate(v uint64, t ir.Type, indexWidth int) uint64 { return num.Truncate(v, t, indexWidth) }

func init() {
	handlers[opname.SCFFor] = (*compiler).forLoop
	handlers[opname.SCFWhile] = (*compiler).whileLoop
	handlers[opname.SCFIf] = (*compiler).ifElse
	handlers[opname.SCFIndexSwitch] = (*compiler).indexSwitch
	handlers[opname.SCFExecuteRegion] = func(c *compiler, op *ir.Operation) instr { return c.inlineRegion(op, opname.SCFYield) }
	handlers[opname.MemRefAllocaScope] = func(c *compiler, op *ir.Operation) instr { return c.inlineRegion(op, opname.MemRefAllocaScopeReturn) }
	handlers[opname.FuncCall] = (*compiler).call
	handlers[opname.CFAssert] = (*compiler).assert
	handlers[opname.UBPoison] = func(c *compiler, op *ir.Operation) instr {
		if !c.counts(op, 0, 1, 0) {
			return nil
		}
		d := c.result(op, 0, scalarKind)
		return func(fr *frame) *fault { fr.v[d] = 0; return nil }
	}
}

// forLoop compiles scf.for: lower bound, upper bound, step, initial values.
func (c *compiler) forLoop(op *ir.Operation) instr {
	n := op.NumResults()
	if !c.counts(op, n+3, n, 1) || op.Regions[0].Entry() == nil || len(op.Regions[0].Entry().Args) != n+1 {
		c.errorf(op.Pos, "'%s' needs as many initial values and block arguments as results", op.Name)
		return nil
	}
	lb, ub, step := c.useKind(op, 0, scalarKind), c.useKind(op, 1, scalarKind), c.useKind(op, 2, scalarKind)
	inits := c.useAll(op, 3, n+3)
	ivType := op.Operand(0).Type
	if !ir.IsInt(ivType) {
		c.errorf(op.Pos, "'%s' counts with %s", op.Name, ivType)
		return nil
	}
	width, _ := ir.BitWidth(ivType, c.indexWidth())
	args := c.defineAll(op.Regions[0].Entry().Args, op.Pos)
	iv, iter := args[0].index, args[1:]
	start := c.move(op.Pos, inits, iter)
	body := c.region(op.Regions[0], iter, opname.SCFYield)
	finish := c.move(op.Pos, iter, c.defineAll(op.Results(), op.Pos))
	s, mask, pos := uint(64-width), ^uint64(0)>>(64-width), op.Pos
	if op.Attr("unsignedCmp") != nil {
		return func(fr *frame) *fault {
			i, end, by := fr.v[lb], fr.v[ub], fr.v[step]
			start.do(fr)
			if i < end && by == 0 {
				return faultf(pos, CodeZeroStep, "the loop starts with a step of 0, which is not positive")
			}
			for i < end {
				fr.v[iv] = i
				if f := body.run(fr); f != nil {
					return f
				}
				i = (i + by) & mask
			}
			finish.do(fr)
			return nil
		}
	}
	return func(fr *frame) *fault {
		i, end, by := fr.v[lb], int64(fr.v[ub]<<s), fr.v[step]
		start.do(fr)
		if int64(i<<s) < end && int64(by<<s) <= 0 {
			return faultf(pos, CodeZeroStep, "the loop starts with a step of %d, which is not positive", int64(by<<s)>>s)
		}
		for int64(i<<s) < end {
			fr.v[iv] = i
			if f := body.run(fr); f != nil {
				return f
			}
			i = (i + by) & mask
		}
		finish.do(fr)
		return nil
	}
}

// whileLoop compiles scf.while. The before-region's scf.condition passes its
// operands to the after-region's arguments, which are also the results.
func (c *compiler) whileLoop(op *ir.Operation) instr {
	if !c.counts(op, -1, -1, 2) || op.Regions[0].Entry() == nil || op.Regions[1].Entry() == nil {
		c.errorf(op.Pos, "'%s' needs two regions with a block", op.Name)
		return nil
	}
	before := c.defineAll(op.Regions[0].Entry().Args, op.Pos)
	after := c.defineAll(op.Regions[1].Entry().Args, op.Pos)
	start := c.move(op.Pos, c.useAll(op, 0, op.NumOperands()), before)
	cond := 0
	test := c.regionWith(op.Regions[0], opname.SCFCondition, func(t *ir.Operation, b *block) {
		if t.NumOperands() == 0 || t.Operand(0) == nil || t.Operand(0).Type != ir.Type(ir.I1) {
			c.errorf(t.Pos, "'%s' needs an i1 as its first operand", t.Name)
			return
		}
		from := c.useAll(t, 0, t.NumOperands())
		flag := c.fresh(ir.I1, t.Pos)
		cond = flag.index
		b.leave = c.move(t.Pos, from, append([]slot{flag}, after...))
	})
	body := c.region(op.Regions[1], before, opname.SCFYield)
	finish := c.move(op.Pos, after, c.defineAll(op.Results(), op.Pos))
	return func(fr *frame) *fault {
		start.do(fr)
		for {
			if f := test.run(fr); f != nil {
				return f
			}
			if fr.v[cond] == 0 {
				break
			}
			if f := body.run(fr); f != nil {
				return f
			}
		}
		finish.do(fr)
		return nil
	}
}

func (c *compiler) ifElse(op *ir.Operation) instr {
	if op.NumOperands() != 1 || len(op.Regions) < 1 || len(op.Regions) > 2 {
		c.errorf(op.Pos, "'%s' needs one operand and one or two regions", op.Name)
		return nil
	}
	cond := c.useKind(op, 0, scalarKind)
	results := c.freshAll(op)
	then := c.region(op.Regions[0], results, opname.SCFYield)
	var otherwise *region
	if len(op.Regions) == 2 && op.Regions[1].Entry() != nil {
		otherwise = c.region(op.Regions[1], results, opname.SCFYield)
	} else if op.NumResults() > 0 {
		c.errorf(op.Pos, "'%s' with results needs an else region", op.Name)
	}
	c.publish(op, results)
	return func(fr *frame) *fault {
		if fr.v[cond] != 0 {
			return then.run(fr)
		}
		if otherwise != nil {
			return otherwise.run(fr)
		}
		return nil
	}
}

// freshAll makes the slots of op's results without letting op's own regions see
// them; publish does that afterwards.
func (c *compiler) freshAll(op *ir.Operation) []slot {
	out := make([]slot, op.NumResults())
	for i, r := range op.Results() {
		out[i] = c.fresh(r.Type, op.Pos)
	}
	return out
}

func (c *compiler) publish(op *ir.Operation, slots []slot) {
	for i, r := range op.Results() {
		c.slots[r] = slots[i]
	}
}

// indexSwitch compiles scf.index_switch: the first region is the default.
func (c *compiler) indexSwitch(op *ir.Operation) instr {
	cases, ok := op.Attr("cases").(*ir.DenseArrayAttr)
	if op.NumOperands() != 1 || !ok || len(op.Regions) != len(cases.Values)+1 {
		c.errorf(op.Pos, "'%s' needs one operand and one region per case and for the default", op.Name)
		return nil
	}
	arg := c.useKind(op, 0, scalarKind)
	results := c.freshAll(op)
	regions := make([]*region, len(op.Regions))
	for i, r := range op.Regions {
		regions[i] = c.region(r, results, opname.SCFYield)
	}
	c.publish(op, results)
	index := map[uint64]int{}
	for i, v := range cases.Values {
		bits := truncate(uint64(v), ir.Index, c.indexWidth())
		if _, dup := index[bits]; !dup {
			index[bits] = i + 1
		}
	}
	return func(fr *frame) *fault { return regions[index[fr.v[arg]]].run(fr) }
}

// inlineRegion compiles an operation that runs its one region once.
func (c *compiler) inlineRegion(op *ir.Operation, terminator string) instr {
	if !c.counts(op, 0, -1, 1) {
		return nil
	}
	results := c.freshAll(op)
	r := c.region(op.Regions[0], results, terminator)
	c.publish(op, results)
	return r.run
}

func (c *compiler) assert(op *ir.Operation) instr {
	if !c.counts(op, 1, 0, 0) {
		return nil
	}
	cond, pos, msg := c.useKind(op, 0, scalarKind), op.Pos, op.StrAttr("msg")
	return func(fr *frame) *fault {
		if fr.v[cond] == 0 {
			return faultf(pos, 0, "assertion failed: %s", msg)
		}
		return nil
	}
}

// call compiles func.call.
func (c *compiler) call(op *ir.Operation) instr {
	sym, ok := op.Attr("callee").(*ir.SymbolRefAttr)
	if !ok {
		c.errorf(op.Pos, "'%s' names no function", op.Name)
		return nil
	}
	callee := findSymbol(op, sym.Root)
	if callee == nil || callee.Name != opname.FuncFunc {
		c.errorf(op.Pos, "function %s is not defined", sym)
		c.freshResults(op)
		return nil
	}
	fn := c.m.function(callee)
	args := c.useAll(op, 0, op.NumOperands())
	results := c.defineAll(op.Results(), op.Pos)
	if !c.callTypes(op, callee) {
		return nil
	}
	pos := op.Pos
	body := c.watched(callee, func(fr *frame) *fault { return fn.body.run(fr) })
	return func(fr *frame) *fault {
		st := fr.st
		if st.depth >= st.maxDepth {
			return faultf(pos, 0, "calls are nested more than %d deep", st.maxDepth)
		}
		inner := st.frame(fn)
		for i, a := range args {
			if a.kind == scalarKind {
				inner.v[fn.params[i].index] = fr.v[a.index]
			} else {
				inner.m[fn.params[i].index] = fr.m[a.index]
			}
		}
		st.depth++
		f := body(inner)
		st.depth--
		st.live -= inner.local
		if f != nil {
			if len(f.calls) < 20 && f.status == vector.Error {
				f.calls = append(f.calls, fmt.Sprintf("%s: called here", pos))
			}
			return f
		}
		for i, r := range results {
			if r.kind == scalarKind {
				fr.v[r.index] = inner.v[fn.results[i].index]
			} else {
				fr.m[r.index] = inner.m[fn.results[i].index]
			}
		}
		return nil
	}
}

// freshResults gives results of a faulty operation slots that silence errors
// that would only follow from the first.
func (c *compiler) freshResults(op *ir.Operation) {
	for _, r := range op.Results() {
		c.slots[r] = slot{noKind, 0}
	}
}

// callTypes compares a call with its callee's type.
func (c *compiler) callTypes(op, callee *ir.Operation) bool {
	ta, _ := callee.Attr("function_type").(*ir.TypeAttr)
	if ta != nil {
		if ft, ok := ta.Type.(*ir.FunctionType); ok && sameTypes(op.Operands(), ft.Inputs) && sameTypes(op.Results(), ft.Results) {
			return true
		}
	}
	c.errorf(op.Pos, "the call does not fit function %s", ir.SymbolText(callee.SymName())).
		WithNote(callee.Pos, "defined here")
	return false
}

func sameTypes(vs []*ir.Value, ts []ir.Type) bool {
	if len(vs) != len(ts) {
		return false
	}
	for i, v := range vs {
		if v == nil || v.Type != ts[i] {
			return false
		}
	}
	return true
}

// findSymbol looks a symbol up in the operations around from, innermost first.
// Unlike ir.LookupSymbol it does not need registered dialects.
func findSymbol(from *ir.Operation, name string) *ir.Operation {
	for o := from.ParentOp(); o != nil; o = o.ParentOp() {
		for _, r := range o.Regions {
			for _, b := range r.Blocks {
				for _, s := range b.Ops {
					if s.SymName() == name {
						return s
					}
				}
			}
		}
	}
	return nil
}
