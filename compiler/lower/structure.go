package lower

import (
	"cmp"
	"slices"
	"strconv"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/num"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// structure rewrites the less common constructs in terms of scf.for, scf.while
// and scf.if, and arithmetic that no function unit computes in terms of what
// they do compute. Before: any structured function without calls. After:
//
//   - scf.index_switch is a tree of scf.if;
//   - scf.execute_region and memref.alloca_scope are their contents;
//   - scf.parallel and scf.forall are nested scf.for in row-major order, their
//     reductions carried values (parallel.go);
//   - a loop that compares without sign is one that compares with sign
//     (unsigned.go);
//   - memref.copy and memref.atomic_rmw are loads and stores, and every view has
//     one result (copy.go);
//   - a memref that a loop carries unchanged, or that both branches yield, is the
//     memref itself;
//   - ub.poison is 0;
//   - memref.get_global stands once per global at the beginning of the function,
//     so that a global is one root memref;
//   - divisions that round otherwise, products of double width, and where the target has no units for
//     them minima, maxima and roundings of floats are spelled out (arithmetic.go, functions.go).
//
// Reports nothing: what cannot be rewritten stays, and "check" reports it
// together with everything else.
func structure(s *state, _ *diag.List) {
	if s.opts.deviate != globalsSplit {
		gatherGlobals(s.fn)
	}
	structureBlock(s, s.fn.Regions[0].Entry())
}

// structureBlock rewrites the operations of a block, inner ones first.
func structureBlock(s *state, b *ir.Block) {
	rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				structureBlock(s, inner)
			}
		}
		if passesMemory(op) {
			op = (&simplifier{s: s}).trim(op)
		}
		m := rewrite.Maker{Pos: op.Pos, Emit: emit}
		if f := rewriters[op.Name]; f != nil && f(s, op, m) {
			rewrite.Drop(op)
			return
		}
		emit(op)
	})
}

// unlessExecuted leaves operations as they are for which the target is known to have a unit (Options.Executes).
func unlessExecuted(f func(*state, *ir.Operation, rewrite.Maker) bool) func(*state, *ir.Operation, rewrite.Maker) bool {
	return func(s *state, op *ir.Operation, m rewrite.Maker) bool {
		return (s.opts.Executes == nil || !s.opts.Executes(op)) && f(s, op, m)
	}
}

// passesMemory reports whether a loop or branch has a memref as a result.
func passesMemory(op *ir.Operation) bool {
	if op.Name != opname.SCFFor && op.Name != opname.SCFIf {
		return false
	}
	for _, r := range op.Results() {
		if _, mem := r.Type.(*ir.MemRefType); mem {
			return true
		}
	}
	return false
}

// rewriters replace one operation each: they emit what stands for it and
// redirect its results. They return false, and change nothing, for a form of op that
// they do not handle.
var rewriters = map[string]func(s *state, op *ir.Operation, m rewrite.Maker) bool{}

func init() {
	rewriters[opname.SCFExecuteRegion] = inlineRegion
	rewriters[opname.MemRefAllocaScope] = inlineRegion
	rewriters[opname.SCFIndexSwitch] = indexSwitch
	rewriters[opname.UBPoison] = poison
}

// inlineRegion replaces an operation by the one block it runs once.
func inlineRegion(s *state, op *ir.Operation, m rewrite.Maker) bool {
	if len(op.Regions[0].Blocks) != 1 {
		return false
	}
	if end := op.Regions[0].Entry().Terminator(); end == nil || end.Name != opname.SCFYield && end.Name != opname.MemRefAllocaScopeReturn {
		return false // the region does not end by passing values on
	}
	replace(op, splice(op.Regions[0].Entry(), m))
	return true
}

// splice emits the operations of a block except its terminator, whose operands
// it returns.
func splice(b *ir.Block, m rewrite.Maker) []*ir.Value {
	ops := b.Ops
	last := len(ops) - 1
	values := append([]*ir.Value(nil), ops[last].Operands()...)
	// The operations outlive the block's owner, which is dropped.
	b.Ops = ops[last:]
	for _, o := range ops[:last] {
		m.Emit(o)
	}
	return values
}

// replace makes the users of op's results read values instead.
func replace(op *ir.Operation, values []*ir.Value) {
	for i, r := range op.Results() {
		if values[i].Name == "" {
			values[i].Name = r.Name
		}
		r.ReplaceAllUsesWith(values[i])
	}
}

// maxChain is how many cases are compared one after the other. Beyond it a value
// that only the last case needs would cross too many branches.
const maxChain = 3

// indexSwitch makes a tree of scf.if that holds every region once: a chain of
// comparisons for few cases, else a search by the index of the case, the
// default behind the last. Cases without gaps are their own index, others are
// looked up first.
func indexSwitch(s *state, op *ir.Operation, m rewrite.Maker) bool {
	cases := slices.Clone(static(op, "cases"))
	if len(op.Regions) != len(cases)+1 {
		return false
	}
	for i := range cases {
		cases[i] = num.SignExtend(uint64(cases[i]), ir.Index, s.opts.IndexWidth)
	}
	if s.opts.deviate == casesSwapped && len(cases) > 0 {
		cases[0]++
	}
	arg := op.Operand(0)
	is := func(m rewrite.Maker, i int) *ir.Value {
		return m.CmpI(arith.Eq, arg, m.Integer(cases[i], ir.Index))
	}
	n := len(cases)
	if n <= maxChain {
		var chain func(m rewrite.Maker, i int) []*ir.Value
		chain = func(m rewrite.Maker, i int) []*ir.Value {
			if i == n {
				return splice(op.Regions[0].Entry(), m)
			}
			return switchBranch(op, m, is(m, i),
				func(m rewrite.Maker) []*ir.Value { return splice(op.Regions[i+1].Entry(), m) },
				func(m rewrite.Maker) []*ir.Value { return chain(m, i+1) })
		}
		replace(op, chain(m, 0))
		return true
	}
	// order[k] is the case with index k.
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(cases[a], cases[b]) })
	dense := true
	for k, i := range order {
		dense = dense && cases[i] == cases[order[0]]+int64(k)
	}
	var number *ir.Value
	if dense {
		from := m.Op(opname.ArithSubI, ir.Index, arg, m.Integer(cases[order[0]], ir.Index))
		number = m.Op(opname.ArithMinUI, ir.Index, from, m.Integer(int64(n), ir.Index))
	} else {
		// The first of equal cases counts: an index may be narrower than the
		// integers in the text.
		number = m.Integer(int64(n), ir.Index)
		for k := n - 1; k >= 0; k-- {
			number = m.Op(opname.ArithSelect, ir.Index, is(m, order[k]), m.Integer(int64(k), ir.Index), number)
		}
	}
	var search func(m rewrite.Maker, from, to int) []*ir.Value
	search = func(m rewrite.Maker, from, to int) []*ir.Value {
		switch {
		case to > from+1:
			mid := (from + to) / 2
			return switchBranch(op, m, m.CmpI(arith.Ult, number, m.Integer(int64(mid), ir.Index)),
				func(m rewrite.Maker) []*ir.Value { return search(m, from, mid) },
				func(m rewrite.Maker) []*ir.Value { return search(m, mid, to) })
		case from == n:
			return splice(op.Regions[0].Entry(), m)
		}
		return splice(op.Regions[order[from]+1].Entry(), m)
	}
	replace(op, search(m, 0, n+1))
	return true
}

// switchBranch emits an scf.if with the results of op.
func switchBranch(op *ir.Operation, m rewrite.Maker, cond *ir.Value, then, other func(m rewrite.Maker) []*ir.Value) []*ir.Value {
	types := make([]ir.Type, op.NumResults())
	for i, r := range op.Results() {
		types[i] = r.Type
	}
	branch := ir.NewOp(opname.SCFIf, op.Pos, []*ir.Value{cond}, types)
	for _, fill := range []func(m rewrite.Maker) []*ir.Value{then, other} {
		b := branch.AddRegion().AddBlock()
		values := fill(rewrite.Maker{Pos: op.Pos, Emit: func(o *ir.Operation) { b.Append(o) }})
		b.Append(ir.NewOp(opname.SCFYield, op.Pos, values, nil))
	}
	m.Emit(branch)
	return branch.Results()
}

// poison takes 0 for a value that must not be observed, as the interpreter does.
func poison(s *state, op *ir.Operation, m rewrite.Maker) bool {
	t := op.Result(0).Type
	switch {
	case !scalar(t, s.opts.IndexWidth):
		return false
	case ir.IsFloat(t):
		c := ir.NewOp(opname.ArithConstant, op.Pos, nil, []ir.Type{t})
		c.SetAttr("value", &ir.FloatAttr{Type: t})
		m.Emit(c)
		replace(op, c.Results())
	default:
		replace(op, []*ir.Value{m.Integer(0, t)})
	}
	return true
}

// gatherGlobals makes one memref.get_global per global, at the beginning of the
// function: a global is one root memref, however often the program names it.
func gatherGlobals(fn *ir.Operation) {
	entry := fn.Regions[0].Entry()
	gathered := map[string]*ir.Operation{}
	var order []*ir.Operation
	rewrite.Blocks(fn, func(b *ir.Block) {
		rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
			ref, ok := op.Attr("name").(*ir.SymbolRefAttr)
			if op.Name != opname.MemRefGetGlobal || !ok {
				emit(op)
				return
			}
			first := gathered[ref.Root]
			if first == nil {
				first = op
				gathered[ref.Root] = op
				order = append(order, op)
				op.Result(0).Name = identifier(ref.Root)
				return
			}
			op.Result(0).ReplaceAllUsesWith(first.Result(0))
		})
	})
	if len(order) == 0 {
		return
	}
	old := entry.Ops
	entry.Ops = nil
	for _, op := range append(order, old...) {
		entry.Append(op)
	}
}

// identifier makes a value name of a symbol: letters, digits and _ stay.
func identifier(symbol string) string {
	out := []byte(symbol)
	for i, c := range out {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			out[i] = '_'
		}
	}
	return string(out)
}

func itoa(i int) string { return strconv.Itoa(i) }
