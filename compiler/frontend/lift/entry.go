package lift

import (
	"strings"

	"loom/compiler/ir"
	"loom/compiler/mlir"
	"loom/compiler/opname"
)

// parameters makes the parameters of the function, the globals beside it and the local
// arrays.
func (e *emitter) parameters(top *ir.Block) {
	e.cur = e.entry
	e.known = map[string]*ir.Value{}
	e.pos = e.r.fn.Pos
	for _, p := range e.r.sig.params {
		for _, f := range p.fields {
			e.vals[f.value] = e.entry.AddArg(f.typ, f.value.Name, p.pos)
			if !numberType(f.typ) {
				e.r.errorf(p.pos, "parameter %s has type %s, which hardware does not have", ir.QuoteString(p.name), f.typ)
			}
		}
		if p.pointer != nil {
			e.pieceArgs(e.r.rootOf[p.pointer])
		}
	}
	for _, o := range e.r.roots {
		if o.kind == globalRoot && e.r.visible(o) {
			e.pieceArgs(o)
		}
	}
	for _, o := range e.r.roots {
		if o.layout == nil {
			continue
		}
		switch {
		case o.kind == globalRoot && !e.r.visible(o):
			e.table(top, o)
		case o.kind == localRoot:
			for _, p := range o.layout.pieces {
				if p != nil {
					e.pos = e.r.position(o.pos)
					p.value = e.raw(opname.MemRefAlloca, nil, p.typ).Result(0)
					p.value.Def.SetAttr("operandSegmentSizes", &ir.DenseArrayAttr{Elem: ir.I32, Values: []int64{0, 0}})
					p.value.Name = pieceName(o, p)
				}
			}
		}
	}
}

func pieceName(o *root, p *piece) string {
	if p.path == "" || o.name == "" {
		return o.name
	}
	return o.name + "." + identifier(p.path)
}

func (e *emitter) pieceArgs(o *root) {
	if o == nil || o.layout == nil {
		return
	}
	for _, p := range o.layout.pieces {
		if p != nil {
			p.value = e.entry.AddArg(p.typ, pieceName(o, p), e.r.position(o.pos))
		}
	}
}

// table makes the globals that hold a table or a variable of the function.
func (e *emitter) table(top *ir.Block, o *root) {
	data, ok := initial(o.alloc, o.size())
	if !ok {
		e.r.errorf(o.pos, "the initial value of %s is nothing that a memory can hold", ir.QuoteString(o.name)).
			WithHelp("tables may hold numbers; pointers are not known in hardware")
		return
	}
	for _, p := range o.layout.pieces {
		if p == nil {
			continue
		}
		g := ir.NewOp(opname.MemRefGlobal, e.r.fn.Pos, nil, nil)
		g.Loc = mlir.FileLoc(e.r.fn.Pos)
		name := strings.TrimPrefix(o.alloc.SymName(), ".")
		if p.path != "" {
			name += "." + identifier(p.path)
		}
		if name == e.r.fn.SymName() {
			name += ".data"
		}
		g.SetAttr("sym_name", ir.StrAttr(name))
		g.SetAttr("sym_visibility", ir.StrAttr("private"))
		g.SetAttr("type", &ir.TypeAttr{Type: p.typ})
		g.SetAttr("initial_value", tableAttr(data, p))
		if o.alloc.Attr("constant") != nil {
			g.SetAttr("constant", &ir.UnitAttr{})
		}
		top.Append(g)
		e.pos = e.r.position(o.pos)
		get := e.raw(opname.MemRefGetGlobal, nil, p.typ)
		get.SetAttr("name", ir.SymbolRef(name))
		p.value = get.Result(0)
		p.value.Name = identifier(o.name)
	}
}
