package structure

import (
	"fmt"
	"slices"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
	"loom/compiler/rewrite"
)

// Needed reports whether a module holds functions with branches: several blocks, or an
// scf.execute_region of several.
func Needed(module *ir.Operation) bool {
	found := false
	module.Walk(func(op *ir.Operation) bool {
		if (op.Name == opname.FuncFunc || op.Name == opname.SCFExecuteRegion) && len(op.Regions) == 1 && len(op.Regions[0].Blocks) > 1 {
			found = true
		}
		return !found
	})
	return found
}

// branchRegions structures the scf.execute_region operations with branches inside of a
// function, the inner ones first: each is a function for a while, of the values that it
// reads, and comes back as the operations of its one block.
func branchRegions(module, fn *ir.Operation, notes *diag.List, opts pass.Options, errs *diag.List) {
	var regions []*ir.Operation
	fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.SCFExecuteRegion && len(op.Regions[0].Blocks) > 1 {
			regions = append(regions, op)
		}
		return true
	})
	slices.Reverse(regions) // outer ones stand before inner ones
	for i, op := range regions {
		part := ir.NewOp(opname.FuncFunc, op.Pos, nil, nil)
		part.Loc = op.Loc
		part.SetAttr("sym_name", ir.StrAttr(fmt.Sprintf("%s.region%d", fn.SymName(), i)))
		body := op.Regions[0].Entry()
		var outer []*ir.Value
		inside := map[*ir.Value]*ir.Value{}
		var inputs, results []ir.Type
		op.Walk(func(o *ir.Operation) bool {
			for k, v := range o.Operands() {
				if !rewrite.Outside(v, op) {
					continue
				}
				if inside[v] == nil {
					outer = append(outer, v)
					inputs = append(inputs, v.Type)
					inside[v] = body.AddArg(v.Type, v.Name, v.Pos())
				}
				o.SetOperand(k, inside[v])
			}
			return true
		})
		for _, r := range op.Results() {
			results = append(results, r.Type)
		}
		rewrite.MoveRegion(op, 0, part)
		for _, b := range part.Regions[0].Blocks {
			if y := b.Terminator(); y != nil && y.Name == opname.SCFYield {
				ret := ir.NewOp(opname.FuncReturn, y.Pos, append([]*ir.Value(nil), y.Operands()...), nil)
				ret.Loc = y.Loc
				b.InsertBefore(y, ret)
				y.Erase()
			}
		}
		part.SetAttr("function_type", &ir.TypeAttr{Type: ir.Func(inputs, results)})
		module.Regions[0].Entry().Append(part)
		passes().Run(&state{fn: part, notes: notes}, opts, errs)
		if errs.HasErrors() {
			return
		}
		block := op.Block()
		back := map[*ir.Value]*ir.Value{}
		for k, a := range part.Regions[0].Entry().Args {
			back[a] = outer[k]
		}
		for _, o := range part.Regions[0].Entry().Ops {
			if o.Name == opname.FuncReturn {
				for k, v := range o.Operands() {
					if w := back[v]; w != nil {
						v = w
					}
					op.Result(k).ReplaceAllUsesWith(v)
				}
				break
			}
			block.InsertBefore(op, o.Clone(back))
		}
		op.Erase()
		part.Erase()
	}
}
