package structure

import (
	"slices"
	"strings"

	"loom/compiler/diag"
	"loom/compiler/dialect/arith"
	"loom/compiler/ir"
	"loom/compiler/opname"
	"loom/compiler/pass"
)

// state is what the passes work on: one function.
type state struct {
	fn    *ir.Operation
	notes *diag.List
	// g is the graph of its blocks, until they are one; nil where they are from the
	// beginning.
	g    *graph
	list []*stmt
	vs   *variables
}

type (
	property = pass.Property[*state]
	needs    = []*property
)

// The properties of the function.
var (
	given      = &property{Name: "valid module", Means: "the module is valid MLIR, and states what became of the parameters of C"}
	read       = &property{Name: "control graph", Means: "the blocks are the nodes of a graph; constants stand before them"}
	acyclic    = &property{Name: "collapsed loops", Means: "each loop is a node with one entry and one exit, in a graph without cycles; the function returns"}
	nested     = &property{Name: "statements", Means: "branches own what only they reach; each loop has one test, in front where that is possible"}
	live       = &property{Name: "live variables", Means: "it is known which values every statement reads and writes"}
	oneBlock   = &property{Name: "structured", Means: "the function is one block of scf, valid MLIR, without branches", Check: checkStructured}
	minimal    = &property{Name: "clean", Means: "every carried, selected or computed value is used"}
	loopsCount = &property{Name: "counting loops", Means: "a loop that counts to a bound is an scf.for or tests first"}
)

func checkStructured(s *state, errs *diag.List) {
	if len(s.fn.Regions[0].Blocks) != 1 {
		errs.Errorf(s.fn.Pos, "the function has %d blocks", len(s.fn.Regions[0].Blocks))
		return
	}
	s.fn.Walk(func(op *ir.Operation) bool {
		if strings.HasPrefix(op.Name, "cf.") {
			errs.Errorf(op.Pos, "'%s' is left", op.Name)
		}
		return true
	})
	ir.Verify(s.fn, errs)
}

// passes is the structuring as a table.
func passes() *pass.Pipeline[*state] {
	return &pass.Pipeline[*state]{
		Name:  "structure",
		Given: needs{given},
		Passes: []pass.Pass[*state]{
			{Name: "control-graph", Run: readGraph, Reason: "the control flow alone is structured first",
				Requires: needs{given}, Guarantees: needs{read}},
			{Name: "prune-graph", Run: onGraph(func(s *state) { s.g.prune(s.notes) }), Reason: "blocks that are never reached, or never reach the end, would need flags",
				Requires: needs{read}},
			{Name: "thread-jumps", Run: onGraph(func(s *state) { s.g.thread() }), Reason: "a path whose next condition is known needs no flag to test it again",
				Requires: needs{read}},
			{Name: "collapse-loops", Run: collapseLoops, Reason: "scf has loops with one entry and one exit",
				Requires: needs{read}, Guarantees: needs{acyclic}},
			{Name: "nest-branches", Run: onGraph(func(s *state) { s.list = withTests(s.g.structured(&s.g.top)) }), Reason: "scf has branches whose arms meet",
				Requires: needs{acyclic}, Guarantees: needs{nested}},
			{Name: "live-variables", Run: onGraph(findVariables), Reason: "branches yield and loops carry only what is read behind them",
				Requires: needs{nested}, Guarantees: needs{live}},
			{Name: "emit-structured", Run: onGraph(emitBody), Reason: "variables become values again when operations move to their final positions",
				Requires: needs{live}, Guarantees: needs{oneBlock}, Ends: needs{read, acyclic, nested, live}},
			{Name: "clean", Run: func(s *state, _ *diag.List) { clean(s.fn) }, Reason: "flags become the conditions they repeat, branches selections",
				Requires: needs{oneBlock}, Guarantees: needs{minimal}},
			{Name: "count-loops", Run: countAll, Reason: "a loop that counts runs ahead of its body in hardware, in any form the compiler gave it",
				Requires: needs{minimal}, Guarantees: needs{loopsCount}},
			{Name: "name-constants", Run: func(s *state, _ *diag.List) { nameConstants(s.fn) }, Reason: "the text is read by people: %c1 instead of a number",
				Requires: needs{oneBlock}},
		},
		Order: []pass.Constraint{
			{Before: "prune-graph", After: "thread-jumps", Reason: "jumps are not threaded through what is never reached"},
			{Before: "thread-jumps", After: "collapse-loops", Reason: "a threaded jump may leave or enter a loop elsewhere"},
			{Before: "count-loops", After: "name-constants", Reason: "cleaning shares constants"},
		},
		IR:      (*state).ir,
		Subject: func(s *state) string { return "function " + ir.SymbolText(s.fn.SymName()) },
	}
}

// Table lists the passes.
func Table() pass.Table { return passes().Table() }

// ir is the module of the function, with the constants that the graph keeps apart in
// front.
func (s *state) ir() *ir.Operation {
	module := s.fn.ParentOp()
	if s.g == nil || len(s.g.head) == 0 {
		return module
	}
	values := map[*ir.Value]*ir.Value{}
	var head []*ir.Operation
	for _, op := range s.g.head {
		head = append(head, op.Clone(values))
	}
	at := slices.Index(s.fn.Block().Ops, s.fn)
	c := module.Clone(values)
	entry := c.Regions[0].Entry().Ops[at].Regions[0].Entry()
	before := entry.Ops[0]
	for _, op := range head {
		entry.InsertBefore(before, op)
	}
	return c
}

// onGraph makes a pass of what is done to functions that have a graph.
func onGraph(f func(*state)) func(*state, *diag.List) {
	return func(s *state, _ *diag.List) {
		if s.g != nil {
			f(s)
		}
	}
}

func readGraph(s *state, errs *diag.List) {
	if len(s.fn.Regions[0].Blocks) > 1 {
		s.g = build(s.fn, errs)
	}
}

func collapseLoops(s *state, errs *diag.List) {
	if s.g == nil {
		return
	}
	returns := len(s.g.top.exit.preds) > 0
	s.g.collapse(&s.g.top)
	if !returns && !errs.HasErrors() {
		errs.Errorf(s.fn.Pos, "%s never returns", ir.SymbolText(s.fn.SymName())).
			WithHelp("give its loops a condition, and a return behind them")
	}
}

func findVariables(s *state) {
	vs := &variables{number: map[*ir.Value]int{}}
	vs.collect(s.list)
	vs.words = (len(vs.list) + 63) / 64
	vs.summarise(s.list)
	out := vs.empty()
	for _, v := range s.g.results {
		vs.read(out, v)
	}
	vs.behind(s.list, out)
	s.vs = vs
}

// emitBody replaces the blocks of the function by one with structured operations.
func emitBody(s *state) {
	g := s.g
	e := &emitter{g: g, vs: s.vs, env: make([]*ir.Value, len(s.vs.list)), none: map[ir.Type]*ir.Value{}}
	r := s.fn.Regions[0]
	body := &ir.Block{Parent: r, Args: r.Entry().Args}
	for _, a := range body.Args {
		a.Block = body
	}
	blocks := r.Blocks
	e.list(s.list, body)
	var results []*ir.Value
	for _, v := range g.results {
		results = append(results, e.get(v))
	}
	body.Append(newOp(opname.FuncReturn, returnPos(g), results))
	// What is left in blocks that are never reached must not use anything.
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
	s.g = nil
}

// countAll converts loops to counted loops, cleaning in between, until nothing
// changes.
func countAll(s *state, _ *diag.List) {
	for range maxRounds {
		if !countLoops(s.fn) {
			break
		}
		clean(s.fn)
	}
	// Later passes compute with all numbers, and may compute more than the program does.
	s.fn.Walk(func(op *ir.Operation) bool {
		if op.Name == opname.ArithAddI {
			op.SetAttr(arith.OverflowAttr, nil)
		}
		return true
	})
}
