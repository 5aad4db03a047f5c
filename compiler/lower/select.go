package lower

import (
	"strings"

	"loom/compiler/diag"
	"loom/compiler/ir"
	"loom/compiler/opname"
)

// selectFunction finds the function to lower and copies it into a module of its
// own. Candidates are the functions with a body that no other function in the module
// calls; private functions count only when there is no other.
//
// The input is verified first: an invalid input is a user's error, an invalid module
// after a pass an internal one.
func selectFunction(s *state, errs *diag.List) {
	if ir.Verify(s.src, errs); errs.HasErrors() {
		return
	}
	var funcs, globals []*ir.Operation
	if s.src.Name == opname.FuncFunc {
		funcs = append(funcs, s.src)
	}
	for _, r := range s.src.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				switch op.Name {
				case opname.FuncFunc:
					funcs = append(funcs, op)
				case opname.MemRefGlobal:
					globals = append(globals, op)
				}
			}
		}
	}
	fn := chooseFunction(funcs, s.opts.Function, s.src.Pos, errs)
	if fn == nil {
		return
	}
	s.sym = fn.SymName()
	if s.sym == "" {
		errs.Errorf(fn.Pos, "the function has no name").WithHelp("give it a sym_name")
		return
	}
	s.mod = ir.NewOp(opname.BuiltinModule, s.src.Pos, nil, nil)
	body := s.mod.AddRegion().AddBlock()
	if fn != s.src {
		// Globals are copied too: "check" reports what is not supported about them, where
		// the verifier would only report them missing.
		for _, g := range globals {
			body.Append(g.Clone(map[*ir.Value]*ir.Value{}))
		}
	}
	s.fn = body.Append(fn.Clone(map[*ir.Value]*ir.Value{}))
	s.readAliases(errs)
	if a := s.src.Attr(faninAttr); a != nil && s.fn.Attr(faninAttr) == nil && s.src != fn {
		s.fn.SetAttr(faninAttr, a)
	}
}

// Function finds the function of a module that Lower would take for that name, "" for
// the only candidate. The error is a *diag.List.
func Function(module *ir.Operation, name string) (*ir.Operation, error) {
	errs := &diag.List{}
	var funcs []*ir.Operation
	if module.Name == opname.FuncFunc {
		funcs = append(funcs, module)
	}
	for _, r := range module.Regions {
		for _, b := range r.Blocks {
			for _, op := range b.Ops {
				if op.Name == opname.FuncFunc {
					funcs = append(funcs, op)
				}
			}
		}
	}
	fn := chooseFunction(funcs, name, module.Pos, errs)
	return fn, errs.Err()
}

func chooseFunction(funcs []*ir.Operation, want string, at diag.Pos, errs *diag.List) *ir.Operation {
	hasBody := func(f *ir.Operation) bool { return len(f.Regions) > 0 && f.Regions[0].Entry() != nil }
	if want != "" {
		for _, f := range funcs {
			if f.SymName() != want {
				continue
			}
			if !hasBody(f) {
				errs.Errorf(f.Pos, "function %s is only declared here", ir.SymbolText(want)).
					WithHelp("a kernel needs a body")
				return nil
			}
			return f
		}
		d := errs.Errorf(at, "there is no function %s", ir.SymbolText(want))
		if names := symbolNames(funcs); names != "" {
			d.WithHelp("the input has %s", names)
		}
		return nil
	}
	called := map[string]bool{}
	for _, f := range funcs {
		f.Walk(func(op *ir.Operation) bool {
			if ref, ok := op.Attr("callee").(*ir.SymbolRefAttr); ok && ref.Root != f.SymName() {
				called[ref.Root] = true
			}
			return true
		})
	}
	var bodies, uncalled, public []*ir.Operation
	for _, f := range funcs {
		if !hasBody(f) {
			continue
		}
		bodies = append(bodies, f)
		if !called[f.SymName()] {
			uncalled = append(uncalled, f)
			if f.StrAttr("sym_visibility") != "private" {
				public = append(public, f)
			}
		}
	}
	for _, list := range [][]*ir.Operation{public, uncalled, bodies} {
		if len(list) == 1 {
			return list[0]
		}
		if len(list) > 1 {
			d := errs.Errorf(at, "the input has several functions: %s", symbolNames(list)).
				WithHelp("choose one with --function NAME")
			for _, f := range list {
				d.WithNote(f.Pos, "%s is defined here", ir.SymbolText(f.SymName()))
			}
			return nil
		}
	}
	errs.Errorf(at, "the input has no function with a body").WithHelp("a kernel is a func.func")
	return nil
}

func symbolNames(funcs []*ir.Operation) string {
	var names []string
	for _, f := range funcs {
		names = append(names, ir.SymbolText(f.SymName()))
	}
	return strings.Join(names, ", ")
}
