// Package structure turns functions with branches (cf) into structured control flow
// (scf): counted loops become scf.for, everything else scf.while and scf.if.
//
// The control flow alone is structured first (Bahmann and others, "Perfect
// Reconstructability of Control Flow from Demand Dependence Graphs", 2015): loops
// are strongly connected parts, which get one entry and one exit; in what is left,
// each branch owns the blocks that only it reaches, and goes on where its arms
// meet. Values that cross from block to block are variables in the meantime; they
// become values again, with what branches and loops yield, when the operations
// move to their places. No block is executed at two places of the result.
package structure

import (
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Run structures every function of the module in place. What it takes for granted on
// the way goes to notes.
func Run(module *ir.Operation, notes *diag.List) error {
	errs := &diag.List{}
	module.Walk(func(op *ir.Operation) bool {
		if op.Name != "func.func" {
			return true
		}
		if len(op.Regions) == 1 && len(op.Regions[0].Blocks) > 0 {
			function(op, notes, errs)
		}
		return false
	})
	return errs.Err()
}

// function structures one function.
func function(fn *ir.Operation, notes, errs *diag.List) {
	before := len(errs.All)
	lift(fn, notes, errs)
	if len(errs.All) > before {
		return
	}
	clean(fn)
	for range maxRounds {
		if !countLoops(fn) {
			break
		}
		clean(fn)
	}
	nameConstants(fn)
}

// lift replaces the blocks of a function by one with structured operations.
func lift(fn *ir.Operation, notes, errs *diag.List) {
	before := len(errs.All)
	r := fn.Regions[0]
	if len(r.Blocks) == 1 {
		return
	}
	g := build(fn, errs)
	if len(errs.All) > before {
		return
	}
	g.prune(notes)
	returns := len(g.top.exit.preds) > 0
	g.thread()
	g.collapse(&g.top)
	if len(errs.All) > before {
		return
	}
	if !returns {
		errs.Errorf(fn.Pos, "%s never returns", ir.SymbolText(fn.SymName())).
			WithHelp("give its loops a condition, and a return behind them")
		return
	}
	list := withTests(g.structured(&g.top))
	vs := &variables{number: map[*ir.Value]int{}}
	vs.collect(list)
	vs.words = (len(vs.list) + 63) / 64
	vs.summarise(list)
	out := vs.empty()
	for _, v := range g.results {
		vs.read(out, v)
	}
	vs.behind(list, out)

	e := &emitter{g: g, vs: vs, env: make([]*ir.Value, len(vs.list)), none: map[ir.Type]*ir.Value{}}
	entry := r.Entry()
	body := &ir.Block{Parent: r, Args: entry.Args}
	for _, a := range body.Args {
		a.Block = body
	}
	// What is left in blocks that are never reached must not use anything.
	blocks := r.Blocks
	e.list(list, body)
	var results []*ir.Value
	for _, v := range g.results {
		results = append(results, e.get(v))
	}
	body.Append(newOp("func.return", returnPos(g), results))
	for _, b := range blocks {
		for _, op := range b.Ops {
			op.Walk(func(o *ir.Operation) bool { o.SetOperands(nil); return true })
		}
	}
	ops := body.Ops
	body.Ops = nil
	for _, op := range append(g.head, ops...) {
		body.Append(op)
	}
	r.Blocks = []*ir.Block{body}
}

// returnPos is the place of the function's return, of several the last.
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

// fate is what a flag is worth behind statements: 0 or 1, or -1 where that
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
