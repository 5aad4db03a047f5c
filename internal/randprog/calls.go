package randprog

import (
	"fmt"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// helper is a private function of the program and what its callers must give.
type helper struct {
	op       *ir.Operation
	scalars  []ir.Type
	memories []*memory // the parameters
	results  []ir.Type
	// trips is how often it may run in one call of the program.
	trips int
}

// call emits func.call of a helper: one of those there are, or a new one for the
// values and memories at hand.
func (g *generator) call(s *scope) {
	for _, h := range g.helpers {
		if s.trips <= h.trips && g.chance(40) && g.callHelper(s, h) {
			return
		}
	}
	if len(g.helpers) < 3 {
		if h := g.helper(s); h != nil {
			g.callHelper(s, h)
		}
	}
}

// callHelper calls h where memories that fit are visible.
func (g *generator) callHelper(s *scope, h *helper) bool {
	var operands []*ir.Value
	for _, p := range h.memories {
		var fit []*ir.Value
		for _, m := range s.visibleMemories() {
			if m.stands(p) {
				fit = append(fit, m.value)
			}
		}
		if len(fit) == 0 {
			return false
		}
		operands = append(operands, fit[g.r.IntN(len(fit))])
	}
	var scalars []*ir.Value
	for _, t := range h.scalars {
		scalars = append(scalars, g.need(s, t))
	}
	op := g.emit(s, opname.FuncCall, append(scalars, operands...), h.results...)
	op.SetAttr("callee", ir.SymbolRef(h.op.SymName()))
	return true
}

// stands reports whether m can be the argument for parameter p: the same type, no
// fewer rights, and the same layout in its memory.
func (m *memory) stands(p *memory) bool {
	if m.value.Type != p.value.Type || m.readOnly && !p.readOnly || m.total < p.total || m.offset != p.offset {
		return false
	}
	for d := range m.shape {
		if m.shape[d] != p.shape[d] || m.strides[d] != p.strides[d] {
			return false
		}
	}
	return true
}

// helper makes a function with up to three scalars, up to two of the memories
// visible in s and up to three results.
func (g *generator) helper(s *scope) *helper {
	fn := ir.NewOp(opname.FuncFunc, diag.Pos{}, nil, nil)
	h := &helper{op: fn, trips: s.trips}
	inner := &scope{block: fn.AddRegion().AddBlock(), depth: s.depth + 1, trips: s.trips}
	for range g.r.IntN(4) {
		t := g.someType()
		h.scalars = append(h.scalars, t)
		inner.values = append(inner.values, inner.block.AddArg(t, "", diag.Pos{}))
	}
	all := s.visibleMemories()
	for range g.r.IntN(3) {
		if len(all) == 0 || g.opts.SingleAccess {
			break
		}
		p := *all[g.r.IntN(len(all))]
		p.value = inner.block.AddArg(p.value.Type, "", diag.Pos{})
		inner.memories = append(inner.memories, &p)
		h.memories = append(h.memories, &p)
	}
	types := typesOf(inner.block.Args)
	g.statements(inner, 1+g.r.IntN(5))
	h.results = g.someTypes(3)
	g.close(inner, opname.FuncReturn, nil, h.results)
	fn.SetAttr("sym_name", ir.StrAttr(fmt.Sprintf("helper%d", len(g.helpers))))
	fn.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(types, h.results)})
	fn.SetAttr("sym_visibility", ir.StrAttr("private"))
	g.helpers = append(g.helpers, h)
	g.symbols = append(g.symbols, fn)
	return h
}
