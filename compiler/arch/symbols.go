package arch

import "loom/compiler/ir"

// Symbols looks symbols up as ir.LookupSymbol does, remembering each symbol
// table it has read: a module has thousands of instances of a few definitions.
// It must not be used across changes of the IR.
type Symbols struct {
	tables map[*ir.Operation]map[string]*ir.Operation
}

// Lookup finds the definition of name in the nearest symbol table at or above
// from, nil when there is none.
func (s *Symbols) Lookup(from *ir.Operation, name string) *ir.Operation {
	for o := from; o != nil; o = o.ParentOp() {
		if !o.Is(ir.SymbolTable) {
			continue
		}
		if def := s.table(o)[name]; def != nil {
			return def
		}
	}
	return nil
}

// Target finds what a fabric.instance names.
func (s *Symbols) Target(inst *ir.Operation) *ir.Operation {
	if name := Target(inst); name != "" {
		return s.Lookup(inst, name)
	}
	return nil
}

func (s *Symbols) table(o *ir.Operation) map[string]*ir.Operation {
	if t, ok := s.tables[o]; ok {
		return t
	}
	t := map[string]*ir.Operation{}
	for _, r := range o.Regions {
		for _, b := range r.Blocks {
			for _, c := range b.Ops {
				if name := c.SymName(); name != "" && t[name] == nil {
					t[name] = c
				}
			}
		}
	}
	if s.tables == nil {
		s.tables = map[*ir.Operation]map[string]*ir.Operation{}
	}
	s.tables[o] = t
	return t
}
