package lower

import (
	"strings"

	"loom/compiler/cabi"
	"loom/compiler/diag"
	"loom/compiler/ir"
)

// Parameters that may overlap (attribute loom.may_alias, package cabi). Memrefs are
// different memories, unless the function declares that two of them may be one array or
// parts of one, as C's pointers without restrict are. Accesses to such memrefs are in
// one group, so that they wait for each other like accesses to one memory:
//
//   - the dependence test (R4) never proves two of different memrefs apart, if these two
//     may overlap: two variables into which one pointer may point are in its group, and
//     distinct;
//   - a store to one ends what is known of the other's elements;
//   - each keeps an interface of its own, and control tokens go from one to the other.
//     A done token means that memory holds what was stored, so that is enough.

// group is an ordering domain: a memory, or several that may overlap, with their
// accesses in source order (spec-dataflow-memory, "grouping").
type group struct {
	memories []*memory
	accesses []*access
}

// readAliases reads and checks the attribute.
func (s *state) readAliases(errs *diag.List) {
	var err error
	if s.aliases, err = cabi.ReadOverlaps(s.fn, s.fn.Regions[0].Entry().Args); err != nil {
		errs.Errorf(s.fn.Pos, "%v", err)
	}
	if s.roms, err = cabi.ReadROM(s.fn, s.fn.Regions[0].Entry().Args); err != nil {
		errs.Errorf(s.fn.Pos, "%v", err)
	}
}

// leader is the root that stands for all that v may overlap with, directly or through
// others; for most roots it is the root itself.
func (s *state) leader(v *ir.Value) *ir.Value {
	if s.isParameter(v) && s.aliases.First[v.Index] >= 0 {
		return s.fn.Regions[0].Entry().Args[s.aliases.First[v.Index]]
	}
	return v
}

// isParameter reports whether what is known of parameters that overlap holds for v.
func (s *state) isParameter(v *ir.Value) bool {
	return s.aliases != nil && v.Def == nil && v.Block == s.fn.Regions[0].Entry() && v.Index < len(s.aliases.First) && s.opts.deviate != aliasesApart
}

// overlap reports whether two roots may share elements.
func (s *state) overlap(a, b *ir.Value) bool {
	return a == b || s.isParameter(a) && s.isParameter(b) && s.aliases.May(a.Index, b.Index)
}

// addMemory makes a memory known, in the group of those that it may overlap with.
func (s *state) addMemory(m *memory) {
	for _, other := range s.memories {
		if s.leader(other.root) == s.leader(m.root) {
			m.group = other.group
		}
	}
	if m.group == nil {
		m.group = &group{}
		s.groups = append(s.groups, m.group)
	}
	m.group.memories = append(m.group.memories, m)
	s.memories = append(s.memories, m)
}

// members are the memories of the group that are accessed.
func (g *group) members() []*memory {
	var out []*memory
	for _, m := range g.memories {
		if len(m.accesses) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// name is the name of the memory, or the names of all.
func (g *group) name(between string) string {
	var names []string
	for _, m := range g.members() {
		names = append(names, m.name)
	}
	return strings.Join(names, between)
}

// Disjoint returns a copy of a module in which the function says of no two parameters that they may overlap: what
// holds of runs where none do. nil where it says so of none.
func Disjoint(module, fn *ir.Operation) (copied, same *ir.Operation) {
	if fn.Attr(cabi.MayAlias) == nil {
		return nil, nil
	}
	copied = module.Clone(map[*ir.Value]*ir.Value{})
	copied.Walk(func(op *ir.Operation) bool {
		if op.Name == fn.Name && op.SymName() == fn.SymName() {
			same = op
		}
		return same == nil
	})
	same.SetAttr(cabi.MayAlias, nil)
	return copied, same
}
