package lower

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/rewrite"
)

// maxInlined bounds the function after inlining: calls that double at every
// level must end in a message and not in exhausted memory.
const maxInlined = 1 << 20

// inlineCalls replaces every func.call by the body of its callee. Recursion,
// indirect calls and calls of functions without body are errors.
func inlineCalls(s *state, errs *diag.List) {
	if s.fn.Regions[0].Entry() == nil || len(s.fn.Regions[0].Blocks) != 1 {
		errs.Errorf(s.fn.Pos, "function %s has %d blocks where structured control flow has one", ir.SymbolText(s.sym), len(s.fn.Regions[0].Blocks)).
			WithHelp("lift cf branches to scf first, for example with mlir-opt --lift-cf-to-scf")
		return
	}
	in := &inliner{s: s, errs: errs}
	in.block(s.fn.Regions[0].Entry(), []*ir.Operation{ir.LookupSymbol(s.src, s.sym)})
}

type inliner struct {
	s     *state
	errs  *diag.List
	count int
	full  bool
}

// block inlines the calls of one block; stack holds the functions being
// expanded, outermost first.
func (in *inliner) block(b *ir.Block, stack []*ir.Operation) {
	rewrite.Rebuild(b, func(op *ir.Operation, emit func(*ir.Operation)) {
		in.count++
		if in.count > maxInlined && !in.full {
			in.full = true
			in.errs.Errorf(op.Pos, "inlining all calls makes the function larger than %d operations", maxInlined)
		}
		for _, r := range op.Regions {
			for _, inner := range r.Blocks {
				in.block(inner, stack)
			}
		}
		if op.Name != opname.FuncCall || in.full {
			emit(op)
			return
		}
		callee := in.callee(op, stack)
		if callee == nil {
			emit(op)
			return
		}
		body := callee.Regions[0].Entry()
		m := map[*ir.Value]*ir.Value{}
		for i, a := range body.Args {
			m[a] = op.Operand(i)
		}
		var tmp ir.Block
		var rets []*ir.Value
		for _, o := range body.Ops {
			if o.Name == opname.FuncReturn {
				for _, v := range o.Operands() {
					w := v
					if mapped, ok := m[v]; ok {
						w = mapped
					}
					rets = append(rets, w)
				}
				continue
			}
			tmp.Append(o.Clone(m))
		}
		// Calls inside the copy; a nested rebuild may replace a value that is
		// returned, so the results are re-read through the copies' use lists.
		hold := ir.NewOp(opname.FuncReturn, op.Pos, rets, nil)
		in.block(&tmp, append(stack, callee))
		for i, r := range op.Results() {
			r.ReplaceAllUsesWith(hold.Operand(i))
		}
		hold.SetOperands(nil)
		op.SetOperands(nil)
		for _, o := range tmp.Ops {
			emit(o)
		}
	})
}

// callee resolves the target of a call, nil after reporting why it cannot be
// inlined.
func (in *inliner) callee(op *ir.Operation, stack []*ir.Operation) *ir.Operation {
	ref, ok := op.Attr("callee").(*ir.SymbolRefAttr)
	if !ok {
		in.errs.Errorf(op.Pos, "the call names no function")
		return nil
	}
	f := ir.LookupSymbol(in.s.src, ref.Root)
	switch {
	case f == nil || f.Name != opname.FuncFunc:
		in.errs.Errorf(op.Pos, "the called function %s does not exist", ir.SymbolText(ref.Root))
		return nil
	case len(f.Regions) == 0 || f.Regions[0].Entry() == nil:
		in.errs.Errorf(op.Pos, "the called function %s has no body here", ir.SymbolText(ref.Root)).
			WithNote(f.Pos, "declared here").
			WithHelp("hardware cannot call outside; give the function a body or remove the call")
		return nil
	case len(f.Regions[0].Blocks) != 1:
		in.errs.Errorf(f.Pos, "function %s has %d blocks where structured control flow has one", ir.SymbolText(ref.Root), len(f.Regions[0].Blocks)).
			WithNote(op.Pos, "called here")
		return nil
	}
	for i, g := range stack {
		if g == f {
			d := in.errs.Errorf(op.Pos, "function %s calls itself", ir.SymbolText(ref.Root)).
				WithHelp("a dataflow graph has no stack: write the recursion as a loop")
			for _, via := range stack[i+1:] {
				d.WithNote(via.Pos, "through %s", ir.SymbolText(via.SymName()))
			}
			return nil
		}
	}
	body := f.Regions[0].Entry()
	if len(body.Args) != op.NumOperands() {
		in.errs.Errorf(op.Pos, "call of %s with %d arguments, it has %d parameters", ir.SymbolText(ref.Root), op.NumOperands(), len(body.Args)).
			WithNote(f.Pos, "defined here")
		return nil
	}
	if t := body.Terminator(); t == nil || t.NumOperands() != op.NumResults() {
		in.errs.Errorf(op.Pos, "call of %s expects %d results, it returns another number", ir.SymbolText(ref.Root), op.NumResults()).
			WithNote(f.Pos, "defined here")
		return nil
	}
	return f
}
