// Package structure converts functions with branches (cf) to structured control flow
// (scf): counted loops become scf.for, everything else scf.while and scf.if.
//
// The control flow alone is structured first (Bahmann and others, "Perfect
// Reconstructability of Control Flow from Demand Dependence Graphs", 2015): loops
// are strongly connected parts, which get one entry and one exit; in what is left,
// each branch owns the blocks that only it reaches, and continues where its arms
// meet. Values that cross from block to block are variables in the meantime; they
// become values again, with what branches and loops yield, when the operations
// move to their final positions. No block is executed at two positions of the result.
package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
)

// Run structures every function of the module in place. What it assumes
// goes to notes; opts select after which passes a function is verified
// or written.
func Run(module *ir.Operation, notes *diag.List, opts pass.Options) error {
	errs := &diag.List{}
	var fns []*ir.Operation
	module.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.FuncFunc && len(op.Regions) == 1 && len(op.Regions[0].Blocks) > 0 {
			fns = append(fns, op)
		}
		return op.Name != opname.FuncFunc
	})
	for _, op := range fns {
		found := &diag.List{}
		if branchRegions(module, op, notes, opts, found); !found.HasErrors() {
			passes().Run(&state{fn: op, notes: notes}, opts, found)
		}
		errs.All = append(errs.All, found.All...)
	}
	return errs.Err()
}

// returnPos is the position of the function's return, of several the last.
func returnPos(g *graph) diag.Pos {
	pos := g.fn.Pos
	for i, e := range g.top.exit.preds {
		if i == 0 || e.pos.Line > pos.Line {
			pos = e.pos
		}
	}
	return pos
}

// withTests finds the loops with one test that decides whether they go on, at the
// end of the body or in between: what follows when it fails moves behind the loop.
func withTests(list []*stmt) []*stmt {
	var out []*stmt
	for _, s := range list {
		for i, a := range s.arms {
			s.arms[i] = withTests(a)
		}
		out = append(out, s)
		if s.body == nil {
			continue
		}
		s.body = withTests(s.body)
		last := s.body[len(s.body)-1]
		if len(last.arms) != 2 {
			continue
		}
		first := fate(last.arms[0], s.again)
		if first < 0 || fate(last.arms[1], s.again) != 1-first {
			continue
		}
		goes := 1 - first // the arm that goes on
		s.tests, s.again, s.body, s.after = true, last.on, s.body[:len(s.body)-1], last.arms[goes]
		s.negate = goes == 1
		if last.values != nil {
			s.chosen = last // a switch with one case: the condition is made of it
		}
		out = append(out, last.arms[1-goes]...)
	}
	return out
}

// fate is the value of a flag behind statements: 0 or 1, or -1 where that
// depends.
func fate(list []*stmt, flag *ir.Value) int {
	for i := len(list) - 1; i >= 0; i-- {
		s := list[i]
		for _, m := range s.copies {
			if m.to == flag {
				v, ok := m.from.ConstantInt()
				if !ok {
					return -1
				}
				return int(v & 1)
			}
		}
		if s.arms != nil {
			first := fate(s.arms[0], flag)
			for _, a := range s.arms[1:] {
				if fate(a, flag) != first {
					return -1
				}
			}
			if first >= 0 {
				return first
			}
		}
		if assigns(list[i:i+1], flag) {
			return -1
		}
	}
	return -1
}

func assigns(list []*stmt, flag *ir.Value) bool {
	for _, s := range list {
		for _, m := range s.copies {
			if m.to == flag {
				return true
			}
		}
		for _, a := range s.arms {
			if assigns(a, flag) {
				return true
			}
		}
		if assigns(s.body, flag) || assigns(s.after, flag) {
			return true
		}
	}
	return false
}
